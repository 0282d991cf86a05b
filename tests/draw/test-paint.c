/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "draw/sym-draw-text.h"
#include "draw/sym-painter-private.h"
#include "picture-fixture.h"

#define SIDE 600

static guint
count_pixels (cairo_surface_t *surface, SymRgb color)
{
  guint n = 0;

  for (guint y = 0; y < SIDE; y++)
    for (guint x = 0; x < SIDE; x++)
      n += fixture_get_pixel (surface, x, y) == color;
  return n;
}

static void
test_viewport (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (100000));
  SymPoint center = fixture_get_center (picture);
  SymPaintCounts counts;

  cairo_surface_destroy (fixture_paint_view (picture, center, 1, SIDE, &counts));
  g_assert_cmpuint (counts.n_items, >=, 4);
  g_assert_cmpuint (counts.n_items, <, 30);
  g_assert_cmpuint (counts.n_pieces, >=, 4);
  g_assert_cmpuint (counts.n_pieces, <, 30);

  cairo_surface_destroy (fixture_paint_view (picture, (SymPoint){ -90000, 0 }, 1, SIDE, &counts));
  g_assert_cmpuint (counts.n_items, ==, 0);
}

/* All of it at once. */
static void
test_far (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (100000));
  SymRect extent = sym_picture_get_extent (picture);
  double scale = SIDE / MAX (extent.width, extent.height);
  SymPaintCounts counts;
  cairo_surface_t *surface =
      fixture_paint_view (picture, fixture_get_center (picture), scale, SIDE, &counts);

  g_assert_cmpuint (counts.n_items, ==, 100001);
  g_assert_cmpuint (count_pixels (surface, sym_theme_get_palette (SYM_THEME_LIGHT)->background), <,
                    SIDE * SIDE);
  cairo_surface_destroy (surface);
}

static void
test_levels (void)
{
  static const double scales[] = {
    4, 1, 0.6, 0.59, 0.45, 0.44, 0.3, 0.29, 0.1, 0.03, 0.029, 0.001
  };
  SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };
  SymPictureOptions options = { .legend = TRUE };
  g_autoptr (SymPicture) data = fixture_picture (fixture_cycle (), NULL, &options);
  g_autoptr (SymPicture) residual = fixture_picture (fixture_residual (), &layers, &options);
  SymRgb background = sym_theme_get_palette (SYM_THEME_LIGHT)->background;

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *a =
          fixture_paint_view (data, fixture_get_center (data), scales[i], SIDE, NULL);
      cairo_surface_t *b =
          fixture_paint_view (residual, fixture_get_center (residual), scales[i], SIDE, NULL);

      g_assert_cmpuint (count_pixels (a, background), <, SIDE * SIDE);
      g_assert_cmpuint (count_pixels (b, background), <, SIDE * SIDE);
      cairo_surface_destroy (a);
      cairo_surface_destroy (b);
    }
}

static guint
get_brightness (cairo_surface_t *surface, double x, double y)
{
  guint32 pixel = fixture_get_pixel (surface, (guint) floor (x), (guint) floor (y));

  return (pixel >> 16 & 0xff) + (pixel >> 8 & 0xff) + (pixel & 0xff);
}

/* Where the outline of a square box would be darkest, a rounded one has nothing. */
static void
test_corners_are_round (void)
{
  static const double scales[] = { 0.3, 0.4, 0.5, 0.59, 0.6, 1 };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (1));
  const SymLayout *layout = sym_picture_get_layout (picture);
  const SymBox *box = &sym_scene_get_item (sym_layout_get_scene (layout), 1)->boxes[1];
  SymPoint corner = sym_layout_get_position (layout, 1);

  corner.x += box->rect.x;
  corner.y += box->rect.y;
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *surface = fixture_paint_view (picture, corner, scales[i], SIDE, NULL);
      double middle = SIDE / 2 + box->rect.height * scales[i] / 2;
      guint at_corner = get_brightness (surface, SIDE / 2, SIDE / 2);
      guint at_side = get_brightness (surface, SIDE / 2, middle);

      g_assert_cmpuint (at_corner, >, at_side);
      cairo_surface_destroy (surface);
    }
}

/* A frame is seen near and from afar. */
static void
test_frames (void)
{
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  g_autoptr (SymPicture) picture = fixture_folded_picture (TRUE);
  static const double scales[] = { 1, 0.4, 0.2 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *surface =
          fixture_paint_view (picture, fixture_get_center (picture), scales[i], SIDE, NULL);

      g_assert_cmpuint (count_pixels (surface, palette->frames[0]), >, 0);
      cairo_surface_destroy (surface);
    }
}

static guint
count_title (const SymPicture *picture, const SymRect *clip, gboolean is_view)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  double scale = SIDE / clip->width;

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -clip->x, -clip->y);
  if (is_view)
    sym_picture_paint_view (picture, cr, clip, scale);
  else
    sym_picture_paint (picture, cr, clip, scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  guint n = count_pixels (surface, sym_theme_get_palette (SYM_THEME_LIGHT)->frame_text);

  cairo_surface_destroy (surface);
  return n;
}

/* Where a frame begins left of a window, its title does not; squares are painted as they are. */
static void
test_titles_stay_in_sight (void)
{
  g_autoptr (SymPicture) picture = fixture_folded_picture (TRUE);
  SymLayout *layout = sym_picture_get_layout (picture);
  SymRect rect = sym_layout_get_frame_rect (layout, 0);
  SymRect title = sym_layout_get_frame_title_rect (layout, 0);
  SymRect before = { title.x, title.y, 100, 100 };
  SymRect beside = { title.x + title.width, title.y, 100, 100 };
  SymRect beyond = { rect.x + rect.width + 1, title.y, 100, 100 };

  g_assert_cmpfloat (rect.width, >, 2 * title.width + 20);
  g_assert_cmpuint (count_title (picture, &before, FALSE), >, 0);
  g_assert_cmpuint (count_title (picture, &before, TRUE), ==,
                    count_title (picture, &before, FALSE));
  g_assert_cmpuint (count_title (picture, &beside, FALSE), ==, 0);
  g_assert_cmpuint (count_title (picture, &beside, TRUE), >, 0);
  g_assert_cmpuint (count_title (picture, &beyond, TRUE), ==, 0);
}

/* What hides a line behind its label within a frame has the frame's colour. */
static void
test_ground (void)
{
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
  SymLayout *layout = sym_picture_get_layout (open);
  SymScene *scene = sym_layout_get_scene (layout);
  guint n_inner = 0;

  for (guint i = 0; i < sym_scene_get_n_frames (scene); i++)
    {
      SymRect rect = sym_layout_get_frame_rect (layout, i);
      gboolean is_inner = sym_scene_get_frame (scene, i)->parent != SYM_NO_FRAME;
      SymPoint inside = { rect.x + 3, rect.y + rect.height / 2 };

      g_assert_cmphex (sym_picture_get_ground (open, inside), ==, palette->frames[is_inner]);
      g_assert_cmphex (sym_picture_get_ground (closed, (SymPoint){ -5, -5 }), ==,
                       palette->background);
      n_inner += is_inner;
    }
  g_assert_cmpuint (n_inner, ==, 1);
}

/* Inputs and outputs are still seen when everything is a spot. */
static void
test_spots (void)
{
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (300));
  SymRect extent = sym_picture_get_extent (picture);
  double scale = SIDE / extent.height;
  cairo_surface_t *surface =
      fixture_paint_view (picture, fixture_get_center (picture), scale, SIDE, NULL);

  g_assert_cmpfloat (scale, <, 0.03);
  g_assert_cmpuint (count_pixels (surface, palette->paints[SYM_PAINT_INPUT].stroke), >, 0);
  g_assert_cmpuint (count_pixels (surface, palette->paints[SYM_PAINT_OUTPUT].stroke), >, 0);
  g_assert_cmpuint (
      count_pixels (surface, sym_rgb_stand_out (palette->paints[SYM_CATEGORY_ACTIVATION].stroke,
                                                palette->frames[0],
                                                palette->paints[SYM_CATEGORY_ACTIVATION].text)),
      >, 0);
  cairo_surface_destroy (surface);
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

/* WCAG 2.1, 1.4.11: of every box something is seen on the background, at each scale. */
static void
test_boxes_are_seen_from_afar (void)
{
  static const double scales[] = { 0.29, 0.2, 0.12, 0.06 };
  static const SymTheme themes[] = { SYM_THEME_LIGHT, SYM_THEME_DARK };

  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      SymPictureOptions options = { .theme = themes[t] };
      g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &options);
      SymRgb ground = sym_theme_get_palette (themes[t])->background;

      for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
        for (guint item = 0; item < 3; item++)
          {
            SymBoxLook look = sym_picture_get_box_look (picture, item, item > 0);
            SymPoint center = { look.rect.x + look.rect.width / 2,
                                look.rect.y + look.rect.height / 2 };
            cairo_surface_t *surface = fixture_paint_view (picture, center, scales[i], SIDE, NULL);
            double most = 0;

            for (guint x = 0; x < SIDE; x++)
              {
                SymRgb pixel = fixture_get_pixel (surface, x, SIDE / 2);

                most = MAX (most, get_contrast (pixel, ground));
              }
            g_assert_cmpfloat (most, >=, 3);
            cairo_surface_destroy (surface);
          }
    }
}

/* Far from the origin cairo's numbers would overflow if whole lines were handed to it. */
static void
test_precision (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (100000));
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  SymRect extent = sym_picture_get_extent (picture);
  guint last = sym_scene_get_n_items (sym_layout_get_scene (sym_picture_get_layout (picture))) - 1;
  SymRect item = sym_picture_get_item_rect (picture, last);
  SymPoint at = { item.x + item.width / 2, item.y + item.height / 2 };
  cairo_surface_t *surface = fixture_paint_view (picture, at, 8, SIDE, NULL);

  g_assert_cmpfloat (extent.height * 8, >, 8388608);
  g_assert_cmpuint (count_pixels (surface, palette->paints[SYM_PAINT_OUTPUT].fill) +
                        count_pixels (surface, palette->paints[SYM_CATEGORY_ACTIVATION].fill),
                    >, 1000);
  cairo_surface_destroy (surface);
}

static gpointer
paint_cb (gpointer data)
{
  SymPicture *picture = data;

  return fixture_paint_view (picture, fixture_get_center (picture), 1, SIDE, NULL);
}

static void
test_threads (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  cairo_surface_t *expected = paint_cb (picture);
  gsize size = (gsize) cairo_image_surface_get_stride (expected) * SIDE;
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("paint", paint_cb, picture);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      cairo_surface_t *surface = g_thread_join (threads[i]);

      g_assert_cmpmem (cairo_image_surface_get_data (expected), size,
                       cairo_image_surface_get_data (surface), size);
      cairo_surface_destroy (surface);
    }
  cairo_surface_destroy (expected);
}

/* A badge tells inputs and outputs apart for those who do not see their colours. */
static void
test_marks (void)
{
  static const char *const names[] = { "both", NULL };
  SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };
  g_autoptr (SymPicture) residual = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) layered = fixture_picture (fixture_residual (), &layers, NULL);
  g_autoptr (SymPicture) both = fixture_plain_picture (fixture_named (names));
  SymBoxLook input = sym_picture_get_box_look (residual, 0, 0);
  SymBoxLook hidden = sym_picture_get_box_look (residual, 1, 1);
  SymBoxLook output = sym_picture_get_box_look (residual, 9, 1);
  SymBoxLook layer = sym_picture_get_box_look (layered, 9, 0);
  SymBoxLook passed = sym_picture_get_box_look (both, 0, 0);

  g_assert_true (input.marks_input && !input.marks_output);
  g_assert_true (!hidden.marks_input && !hidden.marks_output);
  g_assert_true (!output.marks_input && output.marks_output);
  g_assert_true (!layer.marks_input && layer.marks_output);
  g_assert_true (passed.marks_input && passed.marks_output);
  g_assert_cmpint (passed.slot, ==, SYM_PAINT_INPUT);
  g_assert_cmpfloat (output.stroke_width, >, hidden.stroke_width);
}

/* Colours alone would not tell them to everybody. */
static void
test_marks_stay_when_small (void)
{
  static const double scales[] = { 1, 0.6, 0.5, 0.4, 0.31 };
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  SymBoxLook input = sym_picture_get_box_look (picture, 0, 0);
  SymBoxLook output = sym_picture_get_box_look (picture, 9, 1);
  SymPoint in = sym_box_look_get_input_mark (&input), out = sym_box_look_get_output_mark (&output);

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      /* Beside the sign in it, and outside the box. */
      double beside = 0.74 * MAX (SYM_MARK_RADIUS, 0.6 * SYM_MARK_RADIUS / scales[i]);
      SymPoint in_side = { in.x - beside, in.y }, out_side = { out.x, out.y - beside };
      cairo_surface_t *a = fixture_paint_view (picture, in_side, scales[i], SIDE, NULL);
      cairo_surface_t *b = fixture_paint_view (picture, out_side, scales[i], SIDE, NULL);

      g_assert_cmpuint (sym_rgb_get_distance (fixture_get_pixel (a, SIDE / 2, SIDE / 2),
                                              palette->paints[SYM_PAINT_INPUT].stroke),
                        <, 300);
      g_assert_cmpuint (sym_rgb_get_distance (fixture_get_pixel (b, SIDE / 2, SIDE / 2),
                                              palette->paints[SYM_PAINT_OUTPUT].stroke),
                        <, 300);
      cairo_surface_destroy (a);
      cairo_surface_destroy (b);
    }
}

static void
test_legend (void)
{
  SymPictureOptions with = { .legend = TRUE };
  g_autoptr (SymPicture) plain = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &with);
  g_autoptr (GArray) items = sym_draw_grid_query (picture->items, &picture->legend->rect);
  g_autoptr (GArray) lines = sym_draw_grid_query (picture->lines, &picture->legend->rect);
  SymRect extent = sym_picture_get_extent (picture);

  g_assert_null (plain->legend);
  g_assert_cmpuint (items->len, ==, 0);
  g_assert_cmpuint (lines->len, ==, 0);
  g_assert_cmpfloat (picture->legend->rect.x, >=, extent.x);
  g_assert_cmpfloat (picture->legend->rect.x + picture->legend->rect.width, <=,
                     extent.x + extent.width);
}

static void
test_labels (void)
{
  SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), &layers, NULL);

  g_assert_cmpuint (picture->labels->len, >=, 8);
  for (guint i = 0; i < picture->labels->len; i++)
    {
      SymRect label = sym_edge_label_get_rect (&g_array_index (picture->labels, SymEdgeLabel, i));

      for (guint item = 0; item < 10; item++)
        {
          SymRect rect = sym_picture_get_item_rect (picture, item);

          g_assert_false (sym_draw_rect_meets (&rect, &label));
        }
      for (guint k = 0; k < i; k++)
        {
          SymRect other =
              sym_edge_label_get_rect (&g_array_index (picture->labels, SymEdgeLabel, k));

          g_assert_false (sym_draw_rect_meets (&other, &label));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/paint/looks-only-at-what-a-viewport-shows", test_viewport);
  g_test_add_func ("/draw/paint/shows-100000-items-at-once", test_far);
  g_test_add_func ("/draw/paint/shows-frames-near-and-far", test_frames);
  g_test_add_func ("/draw/paint/titles-stay-in-sight", test_titles_stay_in_sight);
  g_test_add_func ("/draw/paint/knows-what-lies-behind", test_ground);
  g_test_add_func ("/draw/paint/shows-something-at-every-scale", test_levels);
  g_test_add_func ("/draw/paint/corners-are-round", test_corners_are_round);
  g_test_add_func ("/draw/paint/shows-inputs-and-outputs-from-afar", test_spots);
  g_test_add_func ("/draw/paint/boxes-are-seen-from-afar", test_boxes_are_seen_from_afar);
  g_test_add_func ("/draw/paint/is-right-far-from-the-origin", test_precision);
  g_test_add_func ("/draw/paint/is-the-same-in-any-thread", test_threads);
  g_test_add_func ("/draw/paint/marks-inputs-and-outputs", test_marks);
  g_test_add_func ("/draw/paint/marks-stay-when-small", test_marks_stay_when_small);
  g_test_add_func ("/draw/paint/puts-the-legend-where-nothing-is", test_legend);
  g_test_add_func ("/draw/paint/labels-hide-no-box-and-no-label", test_labels);
  return g_test_run ();
}
