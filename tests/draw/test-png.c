/* SPDX-License-Identifier: MIT */
#include <cairo.h>
#include <math.h>
#include <string.h>

#include "core/sym-error.h"
#include "draw/sym-picture-private.h"
#include "picture-fixture.h"

static GBytes *
write_png (SymPicture *picture, const char *name, double scale)
{
  g_autofree char *path = fixture_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      sym_picture_write_png (picture, path, &(SymPictureOutput){ .scale = scale }, &error));
  g_assert_no_error (error);
  return fixture_read (path);
}

static guint32
read_number (GBytes *png, gsize offset)
{
  const guint8 *bytes = g_bytes_get_data (png, NULL);

  g_assert_cmpuint (g_bytes_get_size (png), >, offset + 4);
  return (guint32) bytes[offset] << 24 | (guint32) bytes[offset + 1] << 16 |
         (guint32) bytes[offset + 2] << 8 | bytes[offset + 3];
}

static void
assert_size (GBytes *png, const SymPicture *picture, double scale)
{
  SymRect extent = sym_picture_get_extent (picture);

  g_assert_cmpuint (read_number (png, 16), ==, (guint32) ceil (extent.width * scale - 0.001));
  g_assert_cmpuint (read_number (png, 20), ==, (guint32) ceil (extent.height * scale - 0.001));
}

static guint32
get_pixel (cairo_surface_t *surface, double x, double y)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  const guint32 *row =
      (const guint32 *) (const void *) (pixels +
                                        (gsize) y *
                                            (gsize) cairo_image_surface_get_stride (surface));

  return row[(gsize) x];
}

static cairo_surface_t *
load (const char *name)
{
  g_autofree char *path = fixture_path (name);
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  return surface;
}

/* Near the left border of a box, where no text is. */
static guint32
get_box_pixel (cairo_surface_t *surface, SymPicture *picture, guint item, guint box, double scale)
{
  SymBoxLook look = sym_picture_get_box_look (picture, item, box);
  SymRect extent = sym_picture_get_extent (picture);

  return get_pixel (surface, (look.rect.x - extent.x + 5) * scale,
                    (look.rect.y - extent.y + look.rect.height / 2) * scale) &
         0xffffff;
}

static void
test_pixels (gconstpointer data)
{
  SymTheme theme = GPOINTER_TO_INT (data);
  const SymPalette *palette = sym_theme_get_palette (theme);
  SymPictureOptions options = { .theme = theme };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &options);
  g_autoptr (GBytes) png = write_png (picture, "pixels.png", 2);
  cairo_surface_t *surface = load ("pixels.png");

  assert_size (png, picture, 2);
  g_assert_cmphex (get_pixel (surface, 2, 2) & 0xffffff, ==, palette->background);
  g_assert_cmphex (get_box_pixel (surface, picture, 0, 0, 2), ==,
                   palette->paints[SYM_PAINT_INPUT].fill);
  g_assert_cmphex (get_box_pixel (surface, picture, 1, 0, 2), ==,
                   palette->paints[SYM_CATEGORY_WEIGHTS].fill);
  g_assert_cmphex (get_box_pixel (surface, picture, 1, 1, 2), ==,
                   palette->paints[SYM_PAINT_HIDDEN].fill);
  g_assert_cmphex (get_box_pixel (surface, picture, 9, 1, 2), ==,
                   palette->paints[SYM_PAINT_OUTPUT].fill);
  cairo_surface_destroy (surface);
}

static void
test_transparent (void)
{
  SymPictureOptions options = { .transparent = TRUE };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &options);
  g_autoptr (GBytes) png = write_png (picture, "clear.png", 1);
  cairo_surface_t *surface = load ("clear.png");

  assert_size (png, picture, 1);
  g_assert_cmphex (get_pixel (surface, 2, 2), ==, 0);
  g_assert_cmphex (get_box_pixel (surface, picture, 1, 1, 1), ==,
                   sym_theme_get_palette (SYM_THEME_LIGHT)->paints[SYM_PAINT_HIDDEN].fill);
  cairo_surface_destroy (surface);
}

static void
test_same_bytes (void)
{
  g_autoptr (SymPicture) first = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) second = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) a = write_png (first, "first.png", 1.5);
  g_autoptr (GBytes) b = write_png (second, "second.png", 1.5);

  g_assert_true (g_bytes_equal (a, b));
}

/* Bands meet without a seam: as one surface would have it. */
static void
test_bands (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (40));
  SymRect extent = sym_picture_get_extent (picture);
  g_autoptr (GBytes) png = write_png (picture, "bands.png", 1);
  cairo_surface_t *banded = load ("bands.png");
  cairo_surface_t *whole =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) extent.width, (int) extent.height);
  cairo_t *cr = cairo_create (whole);
  guint n_different = 0;

  assert_size (png, picture, 1);
  g_assert_cmpfloat (extent.height, >, 2000);
  cairo_translate (cr, -extent.x, -extent.y);
  sym_picture_paint (picture, cr, NULL, 1);
  cairo_surface_flush (whole);
  for (double y = 0; y < extent.height; y++)
    for (double x = 0; x < extent.width; x++)
      n_different += (get_pixel (whole, x, y) & 0xffffff) != (get_pixel (banded, x, y) & 0xffffff);
  g_assert_cmpuint (n_different, ==, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (whole);
  cairo_surface_destroy (banded);
}

/* Beyond what a surface of cairo can be. */
static void
test_tall (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (2000));
  g_autoptr (GBytes) png = write_png (picture, "tall.png", 0.5);

  g_assert_cmpuint (read_number (png, 20), >, 32767);
  assert_size (png, picture, 0.5);
}

static void
test_wide (void)
{
  SymSceneOptions sideways = { .sideways = TRUE };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_chain (1000), &sideways, NULL);
  g_autoptr (GBytes) png = write_png (picture, "wide.png", 0.4);

  g_assert_cmpuint (read_number (png, 16), >, 32767);
  assert_size (png, picture, 0.4);
}

static void
test_limit (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autofree char *path = fixture_path ("limit.png");
  g_autoptr (GError) error = NULL;
  SymPictureOutput output = { .scale = 1000 };
  const char *told;
  double scale;

  g_assert_false (sym_picture_write_png (picture, path, &output, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  told = strstr (error->message, "a scale of ");
  g_assert_nonnull (told);
  scale = g_ascii_strtod (told + strlen ("a scale of "), NULL);
  g_assert_cmpfloat (scale, >, 10);
  g_assert_cmpfloat (scale, <, 1000);
  g_assert_nonnull (strstr (error->message, "limit.png"));
}

static void
test_scale (gconstpointer data)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autofree char *path = fixture_path ("scale.png");
  SymPictureOutput output = { .scale = *(const double *) data };
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_picture_write_png (picture, path, &output, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_cancelled (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = fixture_path ("cancelled.png");
  SymPictureOutput output = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_picture_write_png (picture, path, &output, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Scale 1 is 72 pixels to the inch. */
static void
test_density (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) png = write_png (picture, "density.png", 2);
  const char *bytes = g_bytes_get_data (png, NULL);
  const char *chunk = memmem (bytes, g_bytes_get_size (png), "pHYs", 4);

  g_assert_nonnull (chunk);
  g_assert_cmpuint (read_number (png, (gsize) (chunk - bytes) + 4), ==, 5669);
}

/* Exactly the pixels that the whole has there. */
static void
test_crop (void)
{
  SymRect crop = { 20, 30, 160, 110 };
  SymPictureOptions options = { .crop = &crop };
  g_autoptr (SymPicture) whole = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) part = fixture_picture (fixture_residual (), NULL, &options);
  SymRect extent = sym_picture_get_extent (whole);
  g_autoptr (GBytes) whole_png = write_png (whole, "whole.png", 1);
  g_autoptr (GBytes) part_png = write_png (part, "part.png", 1);
  cairo_surface_t *all = load ("whole.png");
  cairo_surface_t *cropped = load ("part.png");
  guint n_different = 0;

  assert_size (whole_png, whole, 1);
  assert_size (part_png, part, 1);
  g_assert_cmpuint (read_number (part_png, 16), ==, 160);
  for (double y = 0; y < crop.height; y++)
    for (double x = 0; x < crop.width; x++)
      n_different += get_pixel (cropped, x, y) !=
                     get_pixel (all, x + crop.x - extent.x, y + crop.y - extent.y);
  g_assert_cmpuint (n_different, ==, 0);
  cairo_surface_destroy (all);
  cairo_surface_destroy (cropped);
}

int
main (int argc, char *argv[])
{
  static const double wrong_scales[] = { -1, (double) NAN, (double) INFINITY };
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/draw/png/has-the-colours-of-the-light-theme",
                        GINT_TO_POINTER (SYM_THEME_LIGHT), test_pixels);
  g_test_add_data_func ("/draw/png/has-the-colours-of-the-dark-theme",
                        GINT_TO_POINTER (SYM_THEME_DARK), test_pixels);
  g_test_add_func ("/draw/png/may-have-no-background", test_transparent);
  g_test_add_func ("/draw/png/is-the-same-bytes-twice", test_same_bytes);
  g_test_add_func ("/draw/png/has-no-seams-between-bands", test_bands);
  g_test_add_func ("/draw/png/may-be-taller-than-a-surface", test_tall);
  g_test_add_func ("/draw/png/may-be-wider-than-a-surface", test_wide);
  g_test_add_func ("/draw/png/says-which-scale-would-fit", test_limit);
  for (guint i = 0; i < G_N_ELEMENTS (wrong_scales); i++)
    {
      g_autofree char *path = g_strdup_printf ("/draw/png/refuses-scale/%g", wrong_scales[i]);

      g_test_add_data_func (path, &wrong_scales[i], test_scale);
    }
  g_test_add_func ("/draw/png/leaves-nothing-when-cancelled", test_cancelled);
  g_test_add_func ("/draw/png/knows-its-density", test_density);
  g_test_add_func ("/draw/png/of-a-rectangle-is-that-of-the-whole", test_crop);
  status = g_test_run ();
  fixture_remove ();
  return status;
}
