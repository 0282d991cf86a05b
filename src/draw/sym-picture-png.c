/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <png.h>
#include <string.h>

#include "core/sym-error.h"
#include "draw/sym-draw-out.h"
#include "draw/sym-picture-private.h"

#define MAX_PIXELS (G_GUINT64_CONSTANT (1) << 34) /* minutes; more is a mistake */
#define MAX_SIDE (G_GUINT64_CONSTANT (1) << 30)
#define TILE_WIDTH 4096 /* cairo's surfaces end at 32,767 */
#define BAND_PIXELS (16 << 20)
#define MAX_BAND_HEIGHT 512
#define REACH 2.0 /* pixels that a stroke at the border of a tile may reach into it */

#define POINTS_PER_METRE (72.0 / 0.0254)

/* A picture on its way into a PNG, band by band: only one band is ever in memory. */
typedef struct {
  SymPicture *picture;
  const char *path;
  double scale;
  guint32 width, height;
  guint32 band_height;
  guint n_channels;
  png_structp png;
  png_infop info;
  SymDrawOut *out;
  guint8 *band;  /* @band_height rows of @width pixels, as PNG wants them */
  char *message; /* libpng's, when it fails */
} PngWriter;

static void
fail_cb (png_structp png, png_const_charp message)
{
  PngWriter *self = png_get_error_ptr (png);

  g_free (self->message);
  self->message = g_strdup (message);
  png_longjmp (png, 1);
}

static void
warn_cb (png_structp png, png_const_charp message)
{
}

static void
write_cb (png_structp png, png_bytep bytes, png_size_t size)
{
  PngWriter *self = png_get_io_ptr (png);

  sym_draw_out_add_bytes (self->out, bytes, size);
}

static void
flush_cb (png_structp png)
{
}

static double
find_scale (const SymRect *extent)
{
  double by_area = sqrt ((double) MAX_PIXELS / (extent->width * extent->height));
  double by_side = (double) MAX_SIDE / MAX (extent->width, extent->height);

  return MIN (by_area, by_side);
}

/* The size in pixels; FALSE when that is more than any program would open. */
static gboolean
choose_size (PngWriter *self, GError **error)
{
  SymRect extent = sym_picture_get_extent (self->picture);
  double width = ceil (extent.width * self->scale - 0.001);
  double height = ceil (extent.height * self->scale - 0.001);

  width = MAX (width, 1);
  height = MAX (height, 1);
  if (width > (double) MAX_SIDE || height > (double) MAX_SIDE ||
      width * height > (double) MAX_PIXELS)
    {
      g_set_error (
          error, SYM_ERROR, SYM_ERROR_LIMIT,
          "%s: %.0f × %.0f pixels are too many for a PNG (%" G_GUINT64_FORMAT
          " million at most); a scale of %.3g or less would fit, and SVG has no such limit",
          self->path, width, height, MAX_PIXELS / 1000000,
          floor (find_scale (&extent) * 1000) / 1000);
      return FALSE;
    }
  self->width = (guint32) width;
  self->height = (guint32) height;
  self->band_height = CLAMP (BAND_PIXELS / self->width, 1, MAX_BAND_HEIGHT);
  self->band_height = MIN (self->band_height, self->height);
  self->n_channels = self->picture->transparent ? 4 : 3;
  return TRUE;
}

/* From here to the end of the next three functions libpng may jump back to setjmp(): nothing with
 * an automatic cleanup may be alive in them. */
static gboolean
start_png (PngWriter *self)
{
  png_uint_32 per_metre = (png_uint_32) lround (POINTS_PER_METRE * MIN (self->scale, 1e4));

  self->png = png_create_write_struct (PNG_LIBPNG_VER_STRING, self, fail_cb, warn_cb);
  if (self->png == NULL)
    return FALSE;
  if (setjmp (png_jmpbuf (self->png)))
    return FALSE;
  self->info = png_create_info_struct (self->png);
  png_set_write_fn (self->png, self, write_cb, flush_cb);
  png_set_user_limits (self->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level (self->png, 6);
  png_set_filter (self->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_IHDR (self->png, self->info, self->width, self->height, 8,
                self->n_channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB (self->png, self->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_pHYs (self->png, self->info, MAX (per_metre, 1), MAX (per_metre, 1),
                PNG_RESOLUTION_METER);
  png_write_info (self->png, self->info);
  return TRUE;
}

static gboolean
write_rows (PngWriter *self, guint32 n_rows)
{
  if (setjmp (png_jmpbuf (self->png)))
    return FALSE;
  for (guint32 i = 0; i < n_rows; i++)
    png_write_row (self->png, self->band + (gsize) i * self->width * self->n_channels);
  return TRUE;
}

static gboolean
end_png (PngWriter *self)
{
  if (setjmp (png_jmpbuf (self->png)))
    return FALSE;
  png_write_end (self->png, NULL);
  return TRUE;
}

/* cairo's native words to PNG's bytes. */
static void
convert_opaque (guint8 *to, const guint32 *from, guint n)
{
  for (guint i = 0; i < n; i++, to += 3)
    {
      to[0] = (guint8) (from[i] >> 16);
      to[1] = (guint8) (from[i] >> 8);
      to[2] = (guint8) from[i];
    }
}

/* The same, and cairo's colours are premultiplied while PNG's are not. */
static void
convert_alpha (guint8 *to, const guint32 *from, guint n)
{
  for (guint i = 0; i < n; i++, to += 4)
    {
      guint alpha = from[i] >> 24;
      guint half = alpha / 2;

      if (alpha == 0)
        {
          memset (to, 0, 4);
          continue;
        }
      to[0] = (guint8) (((from[i] >> 16 & 0xff) * 255 + half) / alpha);
      to[1] = (guint8) (((from[i] >> 8 & 0xff) * 255 + half) / alpha);
      to[2] = (guint8) (((from[i] & 0xff) * 255 + half) / alpha);
      to[3] = (guint8) alpha;
    }
}

static void
copy_tile (PngWriter *self, cairo_surface_t *surface, guint32 left, guint32 width, guint32 height)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);

  for (guint32 y = 0; y < height; y++)
    {
      guint8 *to = self->band + ((gsize) y * self->width + left) * self->n_channels;
      const guint32 *from = (const guint32 *) (const void *) (pixels + y * stride);

      if (self->n_channels == 4)
        convert_alpha (to, from, width);
      else
        convert_opaque (to, from, width);
    }
}

static gboolean
paint_tile (PngWriter *self, guint32 left, guint32 top, guint32 width, guint32 height)
{
  SymRect extent = sym_picture_get_extent (self->picture);
  SymRect clip = {
    extent.x + (left - REACH) / self->scale,
    extent.y + (top - REACH) / self->scale,
    (width + 2 * REACH) / self->scale,
    (height + 2 * REACH) / self->scale,
  };
  cairo_surface_t *surface = cairo_image_surface_create (
      self->n_channels == 4 ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, (int) width, (int) height);
  cairo_t *cr = cairo_create (surface);
  gboolean done;

  cairo_translate (cr, -(double) left, -(double) top);
  cairo_scale (cr, self->scale, self->scale);
  cairo_translate (cr, -extent.x, -extent.y);
  sym_picture_paint (self->picture, cr, &clip, self->scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  done = cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS;
  if (done)
    copy_tile (self, surface, left, width, height);
  cairo_surface_destroy (surface);
  return done;
}

static gboolean
write_band (PngWriter *self, guint32 top)
{
  guint32 height = MIN (self->band_height, self->height - top);

  for (guint32 left = 0; left < self->width; left += TILE_WIDTH)
    if (!paint_tile (self, left, top, MIN (TILE_WIDTH, self->width - left), height))
      return FALSE;
  return write_rows (self, height);
}

static gboolean
write_all (PngWriter *self, const SymPictureOutput *output, GError **error)
{
  gboolean done = start_png (self);

  for (guint32 top = 0; done && top < self->height && !sym_draw_out_has_failed (self->out);
       top += self->band_height)
    {
      if (!sym_picture_output_tell (output, (double) top / self->height, error))
        return FALSE;
      done = write_band (self, top);
    }
  if (done && !sym_draw_out_has_failed (self->out))
    done = end_png (self);
  if (!done)
    g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "%s: the PNG could not be made: %s", self->path,
                 self->message != NULL ? self->message : "not enough memory");
  return done && sym_picture_output_tell (output, 1, error);
}

gboolean
sym_picture_write_png (SymPicture *self,
                       const char *path,
                       const SymPictureOutput *output,
                       GError **error)
{
  g_autoptr (SymDrawOut) out = NULL;
  PngWriter writer = { self, path };
  gboolean done;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  output = sym_picture_output_get (output);
  if (!sym_picture_output_get_scale (output, path, &writer.scale, error) ||
      !choose_size (&writer, error))
    return FALSE;
  out = sym_draw_out_new (path, error);
  if (out == NULL)
    return FALSE;
  writer.out = out;
  writer.band = g_malloc ((gsize) writer.band_height * writer.width * writer.n_channels);
  done = write_all (&writer, output, error);
  png_destroy_write_struct (&writer.png, &writer.info);
  g_free (writer.band);
  g_free (writer.message);
  return done && sym_draw_out_close (out, error);
}
