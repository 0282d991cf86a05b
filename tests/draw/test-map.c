/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-map.h"

#include <math.h>

static void
finds_the_maps (void)
{
  static const struct {
    SymShape shape;
    int channels_last;
    gboolean has_maps, is_last;
    guint64 n, width, height;
  } cases[] = {
    { { 4, { 1, 64, 10, 10 } }, -1, TRUE, FALSE, 64, 10, 10 },
    { { 4, { 2, 64, 10, 12 } }, -1, TRUE, FALSE, 128, 12, 10 },
    { { 4, { 1, 10, 10, 64 } }, -1, TRUE, TRUE, 64, 10, 10 },
    { { 4, { 1, 10, 10, 64 } }, 0, TRUE, FALSE, 10, 64, 10 },
    { { 3, { 8, 4, 5 } }, -1, TRUE, FALSE, 8, 5, 4 },
    { { 3, { 8, 4, 5 } }, 1, TRUE, TRUE, 5, 4, 8 },
    { { 2, { 8, 4 } }, 1, TRUE, FALSE, 1, 4, 8 },
    { { 2, { 1, 1000 } }, -1, FALSE, FALSE, 0, 0, 0 },
    { { 4, { 1, 64, 1, 1 } }, -1, FALSE, FALSE, 0, 0, 0 },
    { { 4, { 0, 64, 9, 9 } }, -1, FALSE, FALSE, 0, 0, 0 },
    { { 1, { 9 } }, -1, FALSE, FALSE, 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymMaps maps;
      gboolean has_maps = sym_maps_init (&maps, &cases[i].shape, cases[i].channels_last);

      g_assert_cmpint (has_maps, ==, cases[i].has_maps);
      if (!has_maps)
        continue;
      g_assert_cmpint (maps.channels_last, ==, cases[i].is_last);
      g_assert_cmpuint (maps.n_maps, ==, cases[i].n);
      g_assert_cmpuint (maps.width, ==, cases[i].width);
      g_assert_cmpuint (maps.height, ==, cases[i].height);
    }
}

static void
numbers_have_colours (void)
{
  static const struct {
    SymMapColors colors;
    double number, low, high;
    guint32 color;
  } cases[] = {
    { SYM_MAP_GREY, 0, 0, 2, 0x000000 },
    { SYM_MAP_GREY, 2, 0, 2, 0xffffff },
    { SYM_MAP_GREY, 1, 0, 2, 0x808080 },
    { SYM_MAP_GREY, 5, 0, 2, 0xffffff },
    { SYM_MAP_GREY, 3, 3, 3, 0x808080 },
    { SYM_MAP_GREY, 1e308, -1e308, 1e308, 0xffffff },
    { SYM_MAP_DIVERGING, 0, -1, 2, 0xf6f5f4 },
    { SYM_MAP_DIVERGING, 2, -1, 2, 0xe66100 },
    { SYM_MAP_DIVERGING, -2, -2, 1, 0x1c71d8 },
    { SYM_MAP_DIVERGING, 0, 0, 0, 0xf6f5f4 },
    { SYM_MAP_GREY, (double) NAN, 0, 1, 0xc061cb },
    { SYM_MAP_DIVERGING, (double) INFINITY, 0, 1, 0xc061cb },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmphex (sym_map_get_color (cases[i].colors, SYM_THEME_LIGHT, cases[i].number,
                                        cases[i].low, cases[i].high),
                     ==, cases[i].color);
}

static guint32
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (gconstpointer) (data + y * stride))[x] & 0xffffff;
}

/* Of numbers 0, 1, 2, ... every map is told by its pixels: 255 steps of grey, one for each. */
static void
pixels_are_numbers (void)
{
  static const struct {
    SymShape shape;
    int channels_last;
    guint map;
    guint corners[4]; /* upper left, upper right, lower left, lower right */
  } cases[] = {
    { { 2, { 2, 3 } }, 0, 0, { 0, 2, 3, 5 } },
    { { 3, { 2, 2, 3 } }, 0, 1, { 6, 8, 9, 11 } },
    { { 3, { 2, 3, 4 } }, 1, 1, { 1, 9, 13, 21 } },
    { { 4, { 2, 2, 3, 4 } }, 1, 5, { 25, 33, 37, 45 } },
  };
  float numbers[256];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = (float) i;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymMapOptions options = { SYM_MAP_GREY, SYM_THEME_LIGHT, 0, 255, 100 };
      SymArray array = { SYM_DTYPE_FLOAT32, cases[i].shape, numbers };
      SymMaps maps;
      cairo_surface_t *surface;
      int right, bottom;

      g_assert_true (sym_maps_init (&maps, &cases[i].shape, cases[i].channels_last));
      surface = sym_maps_paint (&maps, &array, cases[i].map, &options, NULL, NULL);
      right = cairo_image_surface_get_width (surface) - 1;
      bottom = cairo_image_surface_get_height (surface) - 1;
      g_assert_cmpuint (get_pixel (surface, 0, 0) & 0xff, ==, cases[i].corners[0]);
      g_assert_cmpuint (get_pixel (surface, right, 0) & 0xff, ==, cases[i].corners[1]);
      g_assert_cmpuint (get_pixel (surface, 0, bottom) & 0xff, ==, cases[i].corners[2]);
      g_assert_cmpuint (get_pixel (surface, right, bottom) & 0xff, ==, cases[i].corners[3]);
      cairo_surface_destroy (surface);
    }
}

static void
large_maps_are_made_smaller (void)
{
  SymMapOptions options = { SYM_MAP_GREY, SYM_THEME_LIGHT, 0, 1, 4 };
  SymShape shape = SYM_SHAPE (10, 3);
  g_autofree float *numbers = g_new0 (float, 30);
  SymArray array = { SYM_DTYPE_FLOAT32, shape, numbers };
  cairo_surface_t *surface;
  SymMaps maps;

  numbers[3] = (float) NAN; /* in the second row, so in the first pixel */
  numbers[29] = 1;          /* one of three in the last pixel */
  g_assert_true (sym_maps_init (&maps, &shape, 0));
  surface = sym_maps_paint (&maps, &array, 0, &options, NULL, NULL);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 3);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 4);
  g_assert_cmphex (get_pixel (surface, 0, 0), ==, 0xc061cb);
  g_assert_cmphex (get_pixel (surface, 1, 0), ==, 0x000000);
  g_assert_cmphex (get_pixel (surface, 2, 3), ==, 0x555555);
  cairo_surface_destroy (surface);
}

static void
painting_can_be_cancelled (void)
{
  SymMapOptions options = { SYM_MAP_GREY, SYM_THEME_LIGHT, 0, 1, 4 };
  SymShape shape = SYM_SHAPE (2, 2);
  float numbers[4] = { 0 };
  SymArray array = { SYM_DTYPE_FLOAT32, shape, numbers };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  SymMaps maps;

  g_cancellable_cancel (cancellable);
  g_assert_true (sym_maps_init (&maps, &shape, 0));
  g_assert_null (sym_maps_paint (&maps, &array, 0, &options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/map/finds-the-maps", finds_the_maps);
  g_test_add_func ("/draw/map/numbers-have-colours", numbers_have_colours);
  g_test_add_func ("/draw/map/pixels-are-numbers", pixels_are_numbers);
  g_test_add_func ("/draw/map/large-maps-are-made-smaller", large_maps_are_made_smaller);
  g_test_add_func ("/draw/map/painting-can-be-cancelled", painting_can_be_cancelled);
  return g_test_run ();
}
