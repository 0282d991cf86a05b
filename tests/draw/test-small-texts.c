/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"
#include "picture-fixture.h"

#define SIDE 600

/* Texts at scales where they are small: readable or not there. */

static gboolean
is_dark_grey (guint32 pixel)
{
  guint red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;
  guint most = MAX (MAX (red, green), blue), least = MIN (MIN (red, green), blue);

  return most < 0xa0 && most - least < 0x20;
}

/* A picture that just fits stays at some scale: the names in it are not ghosts at any. */
static void
test_small_titles (void)
{
  static const double scales[] = { 0.301, 0.31, 0.33, 0.36, 0.4, 0.6 };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (6));

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *surface =
          fixture_paint_view (picture, fixture_get_center (picture), scales[i], SIDE, NULL);
      guint n = 0;

      for (guint y = 0; y < SIDE; y++)
        for (guint x = 0; x < SIDE; x++)
          n += is_dark_grey (fixture_get_pixel (surface, x, y));
      g_assert_cmpuint (n, >, 20);
      cairo_surface_destroy (surface);
    }
}

static guint
get_sum (SymRgb color)
{
  return (color >> 16 & 0xff) + (color >> 8 & 0xff) + (color & 0xff);
}

/* Nor are the names of layers, whose boxes are low: all but half of their colour is seen. */
static void
test_small_names_of_layers (void)
{
  static const double scales[] = { 0.31, 0.33, 0.36, 0.4, 0.45, 0.6 };
  const SymPaint *paint = &sym_theme_get_palette (SYM_THEME_LIGHT)->paints[SYM_CATEGORY_ACTIVATION];
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (1));
  SymRect rect = sym_picture_get_box_look (picture, 1, 0).rect;
  SymPoint center = { rect.x + rect.width / 2, rect.y + rect.height / 2 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *surface = fixture_paint_view (picture, center, scales[i], SIDE, NULL);
      double reach_x = (rect.width / 2 - 6) * scales[i], reach_y = rect.height * scales[i] / 4;
      guint darkest = G_MAXUINT;

      for (double y = -reach_y; y <= reach_y; y++)
        for (double x = -reach_x; x <= reach_x; x++)
          darkest = MIN (darkest, get_sum (fixture_get_pixel (surface, (guint) (SIDE / 2 + x),
                                                              (guint) (SIDE / 2 + y))));
      g_assert_cmpuint (darkest, <, (get_sum (paint->text) + get_sum (paint->fill)) / 2);
      cairo_surface_destroy (surface);
    }
}

/* Those of groups are where their frame begins, where else their sign is. */
static void
test_small_titles_of_groups (void)
{
  static const double scales[] = { 0.35, 0.4, 0.45, 0.5, 0.6 };
  const SymPalette *palette = sym_theme_get_palette (SYM_THEME_LIGHT);
  g_autoptr (SymPicture) picture = fixture_folded_picture (TRUE);
  SymFrameLook look = sym_picture_get_frame_look (picture, 0);
  SymRgb frame = palette->frames[look.shade];

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *surface =
          fixture_paint_view (picture, look.title_center, scales[i], SIDE, NULL);
      guint pixels = (guint) (8 * scales[i]), darkest = G_MAXUINT;

      for (guint y = SIDE / 2 - pixels; y <= SIDE / 2 + pixels; y++)
        for (guint x = SIDE / 2 - 3 * pixels; x <= SIDE / 2 + pixels; x++)
          darkest = MIN (darkest, get_sum (fixture_get_pixel (surface, x, y)));
      g_assert_cmpuint (darkest, <, (get_sum (look.text) + get_sum (frame)) / 2);
      cairo_surface_destroy (surface);
    }
}

/* A text that is too long for its width loses its middle: neither end is cut. */
static void
test_narrow_text (void)
{
  static const double factors[] = { 1, 1.5, 2.25 };
  SymTextStyle style = { 12, TRUE, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
      cairo_t *cr = cairo_create (surface);
      guint n = 0;

      cairo_set_source_rgb (cr, 1, 1, 1);
      sym_draw_text_show_within (cr, &style, "stage4_unit3_convolution_with_a_long_name", SIDE / 2,
                                 SIDE / 2, 0, factors[i], 120);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      for (guint y = 0; y < SIDE; y++)
        for (guint x = 0; x < SIDE; x++)
          {
            gboolean is_inside = x >= SIDE / 2 - 61 && x <= SIDE / 2 + 61;

            n += fixture_get_pixel (surface, x, y) != 0;
            g_assert_true (is_inside || fixture_get_pixel (surface, x, y) == 0);
          }
      g_assert_cmpuint (n, >, 100);
      cairo_surface_destroy (surface);
    }
}

/* The ink in the upper half of the last letters that are seen of a text of letters without feet. */
static guint
count_last_ink (const SymTextStyle *style)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t *cr = cairo_create (surface);
  guint last = 0, n = 0;

  cairo_set_source_rgb (cr, 1, 1, 1);
  sym_draw_text_show_within (cr, style, "LLLLLLLLLLLLLLLLTTTTTTTTT", SIDE / 2, SIDE / 2, 0, 1, 120);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (guint y = 0; y < SIDE; y++)
    for (guint x = 0; x < SIDE; x++)
      last = fixture_get_pixel (surface, x, y) != 0 ? MAX (last, x) : last;
  for (guint y = 0; y < SIDE / 2; y++)
    for (guint x = last - 6; x <= last; x++)
      n += fixture_get_pixel (surface, x, y) != 0;
  cairo_surface_destroy (surface);
  return n;
}

/* The name of a layer loses its end: dots are the last that is seen of it. */
static void
test_names_of_layers_lose_their_end (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (1));
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  SymTextStyle data = sym_box_get_text_style (&sym_scene_get_item (scene, 0)->boxes[0], 0);
  SymTextStyle layer = sym_box_get_text_style (&sym_scene_get_item (scene, 1)->boxes[0], 0);

  g_assert_true (layer.loses_end);
  g_assert_false (data.loses_end);
  g_assert_cmpuint (count_last_ink (&layer), ==, 0);
  g_assert_cmpuint (count_last_ink (&data), >, 3);
}

/* Text fades away as it becomes too small: it is never there at one scale and gone at the next, and
 * there are few scales at which it is faint. */
static void
test_fading_text (void)
{
  double last = 1;
  guint n_faint = 0;

  for (double scale = 1; scale > 0.2; scale *= 0.99)
    {
      SymPainter painter = { .scale = scale };
      double opacity = sym_painter_get_text_opacity (&painter, 12);

      g_assert_cmpfloat (opacity, <=, last);
      g_assert_cmpfloat (last - opacity, <, 0.1);
      last = opacity;
      n_faint += opacity > 0 && opacity < 0.8;
    }
  g_assert_cmpuint (n_faint, <=, 10);
  g_assert_cmpfloat_with_epsilon (last, 0, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/small-texts/titles-can-be-read", test_small_titles);
  g_test_add_func ("/draw/small-texts/names-of-layers-can-be-read", test_small_names_of_layers);
  g_test_add_func ("/draw/small-texts/titles-of-groups-can-be-read", test_small_titles_of_groups);
  g_test_add_func ("/draw/small-texts/narrow-text-loses-its-middle", test_narrow_text);
  g_test_add_func ("/draw/small-texts/names-of-layers-lose-their-end",
                   test_names_of_layers_lose_their_end);
  g_test_add_func ("/draw/small-texts/text-fades-away", test_fading_text);
  return g_test_run ();
}
