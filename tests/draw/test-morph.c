/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-morph.h"
#include "picture-fixture.h"

#include "../scene/nested-graphs.h"
#include "scene/sym-scene-body.h"

#define SIDE 400

/* The same model with all groups open, or closed. */
static SymPicture *
fold (SymPicture *picture, gboolean open)
{
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  SymGroups *groups = sym_folding_get_groups (sym_scene_get_folding (scene));
  g_autoptr (SymFolding) folding =
      open ? sym_folding_new_open (groups) : sym_folding_new_closed (groups);
  SymSceneOptions options = { .folding = folding };
  g_autoptr (SymScene) other = sym_scene_new (sym_scene_get_inference (scene), &options);
  SymLayoutOptions down = { 0 };
  g_autoptr (SymLayout) layout = sym_layout_new (other, &down, NULL, NULL);

  return sym_picture_new (layout, NULL);
}

static SymRect
get_place (SymPicture *picture, guint item)
{
  SymLayout *layout = sym_picture_get_layout (picture);
  const SymSceneItem *what = sym_scene_get_item (sym_layout_get_scene (layout), item);
  SymPoint corner = sym_layout_get_position (layout, item);

  return (SymRect){ corner.x, corner.y, what->width, what->height };
}

static void
assert_rect (SymRect a, SymRect b)
{
  g_assert_cmpfloat_with_epsilon (a.x, b.x, 1e-6);
  g_assert_cmpfloat_with_epsilon (a.y, b.y, 1e-6);
  g_assert_cmpfloat_with_epsilon (a.width, b.width, 1e-6);
  g_assert_cmpfloat_with_epsilon (a.height, b.height, 1e-6);
}

static gboolean
is_within (SymRect inner, SymRect outer)
{
  return inner.x >= outer.x - 1e-6 && inner.y >= outer.y - 1e-6 &&
         inner.x + inner.width <= outer.x + outer.width + 1e-6 &&
         inner.y + inner.height <= outer.y + outer.height + 1e-6;
}

static SymMorph *
morph (SymPicture *from, SymPicture *to)
{
  SymRect a = sym_picture_get_extent (from), b = a;
  SymMorph *self = sym_morph_new (from, to, &a, &b, 1000);

  g_assert_nonnull (self);
  return self;
}

/* What comes out of a group begins in its box; what stays begins at its place.  All end at theirs.
 */
static void
test_opening (void)
{
  g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
  g_autoptr (SymPicture) open = fold (closed, TRUE);
  g_autoptr (SymMorph) self = morph (closed, open);
  SymScene *before = sym_layout_get_scene (sym_picture_get_layout (closed));
  SymScene *after = sym_layout_get_scene (sym_picture_get_layout (open));
  guint n_out = 0, n_kept = 0;

  for (guint i = 0; i < sym_scene_get_n_items (after); i++)
    {
      guint old = sym_scene_find_value (before, sym_scene_get_item (after, i)->value);
      SymRect start = sym_morph_get_item_rect (self, i, 0), was = get_place (closed, old);

      if (sym_scene_get_item (before, old)->group != SYM_NO_GROUP)
        {
          g_assert_true (is_within (start, was));
          n_out++;
        }
      else
        {
          assert_rect (start, was);
          n_kept++;
        }
      assert_rect (sym_morph_get_item_rect (self, i, 1), get_place (open, i));
    }
  g_assert_cmpuint (n_out, >=, 4);
  g_assert_cmpuint (n_kept, >=, 2);
}

/* A layer with bodies keeps its box: these come out of it and what is in them with them, and go
 * back. */
static void
test_bodies (void)
{
  static const char *const open[] = { "", "0", "0a/0" };
  g_autoptr (SymModel) model = graph_deep (3, 1);
  g_autoptr (GPtrArray) pictures =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_picture_unref);

  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    {
      g_autoptr (SymScene) scene = graph_opened_scene (model, NULL, open[i]);
      SymLayoutOptions down = { 0 };
      g_autoptr (SymLayout) layout = sym_layout_new (scene, &down, NULL, NULL);

      g_ptr_array_add (pictures, sym_picture_new (layout, NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    for (guint k = 0; k < G_N_ELEMENTS (open); k++)
      {
        g_autoptr (SymMorph) self = morph (pictures->pdata[i], pictures->pdata[k]);
        SymScene *before = sym_layout_get_scene (sym_picture_get_layout (pictures->pdata[i]));
        SymScene *after = sym_layout_get_scene (sym_picture_get_layout (pictures->pdata[k]));

        for (guint item = 0; item < sym_scene_get_n_items (after); item++)
          {
            const SymSceneItem *what = sym_scene_get_item (after, item);
            guint body = MIN (what->body, i);
            guint old = what->body > i ? sym_scene_find_call_in (before, body, 0)
                                       : sym_scene_find_value_in (before, body, what->value);
            SymRect start = sym_morph_get_item_rect (self, item, 0),
                    was = get_place (pictures->pdata[i], old);

            if (what->body > i)
              g_assert_true (is_within (start, was));
            else
              assert_rect (start, was);
            assert_rect (sym_morph_get_item_rect (self, item, 1),
                         get_place (pictures->pdata[k], item));
          }
      }
}

/* Seen at another size and place, the first picture is where it is seen. */
static void
test_other_sight (void)
{
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  g_autoptr (SymPicture) closed = fold (open, FALSE);
  SymRect a = { 0, 0, 1000, 1000 }, b = { 50, 70, 500, 500 };
  g_autoptr (SymMorph) self = sym_morph_new (open, closed, &a, &b, 1000);
  SymScene *before = sym_layout_get_scene (sym_picture_get_layout (open));
  SymScene *after = sym_layout_get_scene (sym_picture_get_layout (closed));
  SymId input =
      sym_model_get_inputs (sym_inference_get_model (sym_scene_get_inference (after))).ids[0];
  SymRect was = get_place (open, sym_scene_find_value (before, input));

  assert_rect (sym_morph_get_item_rect (self, sym_scene_find_value (after, input), 0),
               (SymRect){ 50 + was.x / 2, 70 + was.y / 2, was.width / 2, was.height / 2 });
}

static cairo_surface_t *
paint (SymMorph *self, SymPicture *picture, double t)
{
  SymRect clip = sym_picture_get_extent (picture);
  double scale = SIDE / MAX (clip.width, clip.height);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -clip.x, -clip.y);
  if (self != NULL)
    sym_morph_paint (self, cr, &clip, scale, t);
  else
    sym_picture_paint (picture, cr, &clip, scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* In hundredths of all pixels. */
static double
compare (cairo_surface_t *a, cairo_surface_t *b)
{
  guint n = 0;

  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      {
        const guint8 *p =
            cairo_image_surface_get_data (a) + y * cairo_image_surface_get_stride (a) + 4 * x;
        const guint8 *q =
            cairo_image_surface_get_data (b) + y * cairo_image_surface_get_stride (b) + 4 * x;

        n += ABS (p[0] - q[0]) > 24 || ABS (p[1] - q[1]) > 24 || ABS (p[2] - q[2]) > 24;
      }
  return 100.0 * n / (SIDE * SIDE);
}

/* At its end it looks as the second picture does, at its beginning as the first, and between as
 * neither. */
static void
test_looks (gconstpointer opens)
{
  g_autoptr (SymPicture) from = fixture_folded_picture (!GPOINTER_TO_INT (opens));
  g_autoptr (SymPicture) old = fold (from, !GPOINTER_TO_INT (opens));
  g_autoptr (SymPicture) new = fold (from, GPOINTER_TO_INT (opens));
  SymRect sight = sym_picture_get_extent (GPOINTER_TO_INT (opens) ? new : old);
  g_autoptr (SymMorph) self = sym_morph_new (old, new, &sight, &sight, 1000);
  SymPicture *larger = GPOINTER_TO_INT (opens) ? new : old;
  cairo_surface_t *first = paint (self, larger, 0), *middle = paint (self, larger, 0.5);
  cairo_surface_t *last = paint (self, larger, 1), *now = paint (NULL, larger, 0);
  cairo_surface_t *same = GPOINTER_TO_INT (opens) ? last : first;

  g_assert_cmpfloat (compare (same, now), <, 0.5);
  g_assert_cmpfloat (compare (first, last), >, 2);
  g_assert_cmpfloat (compare (first, middle), >, 1);
  g_assert_cmpfloat (compare (middle, last), >, 1);
  cairo_surface_destroy (first);
  cairo_surface_destroy (middle);
  cairo_surface_destroy (last);
  cairo_surface_destroy (now);
}

static void
test_refuses (void)
{
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  g_autoptr (SymPicture) closed = fold (open, FALSE);
  g_autoptr (SymPicture) other = fixture_folded_picture (FALSE);
  SymRect sight = sym_picture_get_extent (open);

  g_assert_null (sym_morph_new (open, other, &sight, &sight, 1000));
  g_assert_null (sym_morph_new (open, closed, &sight, &sight, 5));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/morph/grows-out-of-the-group", test_opening);
  g_test_add_func ("/draw/morph/brings-bodies-out-of-their-layers", test_bodies);
  g_test_add_func ("/draw/morph/begins-where-the-first-was-seen", test_other_sight);
  g_test_add_data_func ("/draw/morph/looks-like-both-ends/opening", GINT_TO_POINTER (TRUE),
                        test_looks);
  g_test_add_data_func ("/draw/morph/looks-like-both-ends/closing", GINT_TO_POINTER (FALSE),
                        test_looks);
  g_test_add_func ("/draw/morph/refuses-other-models-and-crowds", test_refuses);
  return g_test_run ();
}
