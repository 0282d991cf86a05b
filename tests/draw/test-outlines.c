/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "draw/sym-painter-private.h"
#include "picture-fixture.h"

#define SIDE 64

/* Outlines as they are on the screen, with all that blurring takes of their colours. */

static cairo_surface_t *
paint_around (const SymPicture *picture, SymPoint middle, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  double half = SIDE / 2 / scale;
  SymRect clip = { middle.x - half, middle.y - half, 2 * half, 2 * half };

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -clip.x, -clip.y);
  sym_picture_paint (picture, cr, &clip, scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static SymRgb
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  const guint8 *row = pixels + y * cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (const void *) row)[x] & 0xffffff;
}

static double
get_luminance (SymRgb rgb)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      double part = (rgb >> (8 * i) & 0xff) / 255.0;

      sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4));
    }
  return sum;
}

static double
get_contrast (SymRgb a, SymRgb b)
{
  double first = get_luminance (a), second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

/* The most that is seen of the left side of a box, where no text is, wherever pixels lie. */
static double
measure_outline (const SymPicture *picture, const SymBoxLook *look, double scale)
{
  double least = G_MAXDOUBLE;

  for (double shift = 0; shift < 1; shift += 0.25)
    {
      SymPoint middle = { look->rect.x + shift / scale, look->rect.y + look->rect.height / 2 };
      cairo_surface_t *surface = paint_around (picture, middle, scale);
      double most = 0;

      for (int x = SIDE / 2 - 3; x < SIDE / 2 + 3; x++)
        most = MAX (most,
                    get_contrast (get_pixel (surface, x, SIDE / 2), picture->palette->background));
      least = MIN (least, most);
      cairo_surface_destroy (surface);
    }
  return least;
}

static void
check_outlines (const SymPicture *picture, double scale, double least)
{
  guint n = sym_scene_get_n_items (picture->scene);

  for (guint item = 0; item < n; item++)
    for (guint box = 0; box < sym_scene_get_item (picture->scene, item)->n_boxes; box++)
      {
        SymBoxLook look = sym_picture_get_box_look (picture, item, box);
        double contrast = measure_outline (picture, &look, scale);

        if (contrast < least)
          g_error ("%s at %g: %.2f:1, less than %.1f:1", sym_paint_slot_to_string (look.slot),
                   scale, contrast, least);
      }
}

/* WCAG 2.1, 1.4.11, of what is cheap, and of what stands back. */
static void
test_more_contrast (void)
{
  static const SymTheme themes[] = { SYM_THEME_LIGHT_CONTRAST, SYM_THEME_DARK_CONTRAST };
  static const double scales[] = { 2, 1, 0.5, 0.35, 0.2, 0.1, 0.02 };
  static const double costs[] = { 1, 2, 4, 8, 16, 32 };
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_chain (G_N_ELEMENTS (costs)));
  g_autoptr (SymHeat) heat = sym_heat_new (plain->scene, costs, G_N_ELEMENTS (costs), "parameters");
  g_autoptr (SymTrace) trace =
      sym_trace_new (plain->model, SYM_TRACE_VALUE (sym_model_get_inputs (plain->model).ids[0]),
                     SYM_TRACE_ANCESTORS);

  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      SymPictureOptions hot = { .theme = themes[t], .heat = heat };
      SymPictureOptions dim = { .theme = themes[t], .traced = trace };
      g_autoptr (SymPicture) hot_picture = sym_picture_new (plain->layout, &hot);
      g_autoptr (SymPicture) dim_picture = sym_picture_new (plain->layout, &dim);

      for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
        {
          check_outlines (hot_picture, scales[i], 3);
          check_outlines (dim_picture, scales[i], 3);
        }
    }
}

/* What stands back is not gone when all of the graph is seen. */
static void
test_dimmed_from_afar (void)
{
  static const SymTheme themes[] = { SYM_THEME_LIGHT, SYM_THEME_DARK };
  static const double scales[] = { 0.2, 0.1, 0.02 };
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_chain (6));
  g_autoptr (SymTrace) trace =
      sym_trace_new (plain->model, SYM_TRACE_VALUE (sym_model_get_inputs (plain->model).ids[0]),
                     SYM_TRACE_ANCESTORS);

  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      SymPictureOptions options = { .theme = themes[t], .traced = trace };
      g_autoptr (SymPicture) picture = sym_picture_new (plain->layout, &options);

      for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
        check_outlines (picture, scales[i], 1.6);
    }
}

static gboolean
find_box (const SymPicture *picture, SymPaintSlot slot, SymBoxLook *look)
{
  guint n = sym_scene_get_n_items (picture->scene);

  for (guint item = 0; item < n; item++)
    for (guint box = 0; box < sym_scene_get_item (picture->scene, item)->n_boxes; box++)
      {
        *look = sym_picture_get_box_look (picture, item, box);
        if (look->slot == slot)
          return TRUE;
      }
  return FALSE;
}

/* The colour in the middle of the first box of that kind. */
static SymRgb
get_middle (const SymPicture *picture, SymPaintSlot slot, double scale)
{
  SymBoxLook look;

  g_assert_true (find_box (picture, slot, &look));
  SymPoint middle = { look.rect.x + look.rect.width / 2, look.rect.y + look.rect.height / 2 };
  cairo_surface_t *surface = paint_around (picture, middle, scale);
  SymRgb rgb = get_pixel (surface, SIDE / 2, SIDE / 2);

  cairo_surface_destroy (surface);
  return rgb;
}

/* As far from each other as each of them is from the ground. */
static void
test_kinds_from_afar (void)
{
  static const SymTheme themes[] = { SYM_THEME_LIGHT_CONTRAST, SYM_THEME_DARK_CONTRAST };
  static const double scales[] = { 0.15, 0.1, 0.05 };
  g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_residual ());

  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      SymPictureOptions options = { .theme = themes[t] };
      g_autoptr (SymPicture) groups = sym_picture_new (closed->layout, &options);
      g_autoptr (SymPicture) nodes = sym_picture_new (plain->layout, &options);

      for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
        {
          SymRgb group = get_middle (groups, SYM_PAINT_GROUP, scales[i]);
          SymRgb node = get_middle (nodes, SYM_PAINT_HIDDEN, scales[i]);

          g_assert_cmpfloat (get_contrast (group, node), >=, 3);
          g_assert_cmpfloat (get_contrast (group, groups->palette->background), >=, 3);
          g_assert_cmpfloat (get_contrast (node, nodes->palette->background), >=, 3);
        }
    }
}

/* Which rows of the middle of a box have anything of a line of red, or blue, text. */
static void
find_rows (cairo_surface_t *surface, int half, gboolean red, int *first, int *last)
{
  *first = SIDE;
  *last = -1;
  for (int y = SIDE / 2 - half; y < SIDE / 2 + half; y++)
    for (int x = 0; x < SIDE; x++)
      {
        int r = get_pixel (surface, x, y) >> 16 & 0xff, b = get_pixel (surface, x, y) & 0xff;

        if ((red ? r - b : b - r) < 40)
          continue;
        *first = MIN (*first, y);
        *last = y;
      }
}

/* While the other lines of a box fade the first stays above them; only then it takes the middle. */
static void
test_lines_of_text (void)
{
  static const char *const names[] = { "(gyp_q)", NULL };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_named (names));
  SymPalette palette = *picture->palette;
  guint n_both = 0;

  for (guint i = 0; i < SYM_N_PAINTS; i++)
    palette.paints[i] = (SymPaint){ 0xffffff, 0xffffff, 0xff0000, 0x0000ff };
  palette.background = palette.mark = 0xffffff;
  for (guint i = 0; i < SYM_N_LINES; i++)
    palette.lines[i] = 0xffffff;
  picture->palette = &palette;
  SymBoxLook look = sym_picture_get_box_look (picture, 0, 0);
  SymPoint middle = { look.rect.x + look.rect.width / 2, look.rect.y + look.rect.height / 2 };

  for (double scale = 0.6; scale > SYM_SCALE_DETAIL; scale -= 0.01)
    {
      cairo_surface_t *surface = paint_around (picture, middle, scale);
      int half = (int) (look.rect.height * scale / 2), above[2], below[2];

      find_rows (surface, half, TRUE, &above[0], &above[1]);
      find_rows (surface, half, FALSE, &below[0], &below[1]);
      g_assert_cmpint (above[1], >=, above[0]);
      if (below[1] < 0)
        g_assert_cmpint (above[0], <, SIDE / 2);
      else
        g_assert_cmpint (above[1], <, below[0]);
      n_both += below[1] >= 0;
      cairo_surface_destroy (surface);
    }
  g_assert_cmpuint (n_both, >, 5);
}

/* A long chain is a thread, not a hair, wherever pixels lie. */
static void
test_thread (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (20000));
  double scale = 900 / picture->extent.height;
  SymRect first = sym_picture_get_item_rect (picture, 0);
  double middle = first.x + first.width / 2;

  for (double shift = -SIDE / 2; shift <= SIDE / 2; shift += 0.5)
    {
      SymPoint at = { middle + shift / scale, picture->extent.height / 2 };
      cairo_surface_t *surface = paint_around (picture, at, scale);
      guint n = 0;

      for (int x = 0; x < SIDE; x++)
        n += get_contrast (get_pixel (surface, x, SIDE / 2), picture->palette->background) >= 1.5;
      g_assert_cmpuint (n, >=, ABS (shift) < SIDE / 2 - 8 ? 6 : 1);
      g_assert_cmpuint (n, <=, 10);
      cairo_surface_destroy (surface);
    }
}

static SymId
find_value (const SymModel *model, const char *name)
{
  g_autoptr (GError) error = NULL;
  SymId value = SYM_NO_ID;

  sym_model_resolve (model, name, &value, &error);
  g_assert_no_error (error);
  return value;
}

/* Groups a, and b with c in it: a frame around nothing but what stands back does so as well. */
static void
test_dimmed_frames (void)
{
  static const struct {
    const char *value;
    SymTraceDirection kind;
    const char *clear;
  } cases[] = {
    { "a/2", SYM_TRACE_ANCESTORS, "a" },   { "b/c/2", SYM_TRACE_DESCENDANTS, "bc" },
    { "b/3", SYM_TRACE_DESCENDANTS, "b" }, { "head", SYM_TRACE_ANCESTORS, "abc" },
    { "head", SYM_TRACE_DESCENDANTS, "" },
  };
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTrace) trace = sym_trace_new (
          open->model, SYM_TRACE_VALUE (find_value (open->model, cases[i].value)), cases[i].kind);
      SymPictureOptions options = { .traced = trace };
      g_autoptr (SymPicture) picture = sym_picture_new (open->layout, &options);
      guint n = sym_scene_get_n_frames (picture->scene);

      g_assert_cmpuint (n, ==, 3);
      for (guint frame = 0; frame < n; frame++)
        {
          SymFrameLook look = sym_picture_get_frame_look (picture, frame);
          SymFrameLook usual = sym_picture_get_frame_look (open, frame);

          g_assert_cmpint (look.is_dimmed, ==, strchr (cases[i].clear, *look.title) == NULL);
          g_assert_cmpint (look.stroke != usual.stroke, ==, look.is_dimmed);
          g_assert_cmpint (look.text != usual.text, ==, look.is_dimmed);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/outlines/are-seen-with-more-contrast", test_more_contrast);
  g_test_add_func ("/draw/outlines/of-what-is-dimmed-are-seen-from-afar", test_dimmed_from_afar);
  g_test_add_func ("/draw/outlines/of-frames-are-dimmed-with-all-in-them", test_dimmed_frames);
  g_test_add_func ("/draw/outlines/tell-groups-from-nodes-from-afar", test_kinds_from_afar);
  g_test_add_func ("/draw/outlines/lines-of-text-keep-apart", test_lines_of_text);
  g_test_add_func ("/draw/outlines/a-long-chain-is-a-thread", test_thread);
  return g_test_run ();
}
