/* SPDX-License-Identifier: MIT */
#include "worker/sym-pictures.h"

#include "worker/sym-worker-stream.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

#define PIECE_BYTES (1 << 20)

/* What people call a format, GDK-Pixbuf's name for it, and what has its reader where GDK-Pixbuf
 * itself has none. */
static const struct {
  const char *title, *type, *package;
} formats[SYM_PICTURES_N_FORMATS] = {
  [SYM_PICTURES_BMP] = { "BMP", "bmp" },
  [SYM_PICTURES_JPEG] = { "JPEG", "jpeg" },
  [SYM_PICTURES_JPEG_2000] = { "JPEG 2000", "jp2" },
  [SYM_PICTURES_PNG] = { "PNG", "png" },
  [SYM_PICTURES_PNM] = { "PNM", "pnm" },
  [SYM_PICTURES_TIFF] = { "TIFF", "tiff" },
  [SYM_PICTURES_WEBP] = { "WebP", "webp", "webp-pixbuf-loader" },
};

typedef struct {
  SymPicturesFormat format;
  int width, height;
  int top, bottom;   /* rows that have been seen: BMP has the last one first */
  gboolean is_huge;  /* it is refused */
  gboolean is_sound; /* nothing was found wrong until the bytes ended */
} Reading;

/* Before there is memory for pixels.  Loaders go no further with a picture of no size. */
static void
size_prepared_cb (GdkPixbufLoader *loader, int width, int height, Reading *self)
{
  self->width = width;
  self->height = self->top = height;
  self->is_huge = width > 0 && height > SYM_PICTURES_MAX_PIXELS / width;
  if (self->is_huge)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
}

static void
area_updated_cb (GdkPixbufLoader *loader, int x, int y, int width, int height, Reading *self)
{
  (void) loader;
  if (x + width < self->width)
    return;
  self->top = MIN (self->top, y);
  self->bottom = MAX (self->bottom, y + height);
}

/* Where the frame of a JPEG begins that is told in several scans, each of which makes it finer: 0
 * for none.  Segments are a marker of two bytes and a length, which counts itself (ITU-T T.81,
 * annex B); a small picture of Exif's is within one before the frame. */
static gsize
find_progressive (const guint8 *bytes, gsize size)
{
  for (gsize i = 2; i + 4 <= size && bytes[i] == 0xff; i += 2 + (bytes[i + 2] << 8 | bytes[i + 3]))
    {
      while (i + 4 < size && bytes[i + 1] == 0xff)
        i++;
      if (bytes[i + 1] == 0xda)
        return 0;
      if (bytes[i + 1] == 0xc2 || bytes[i + 1] == 0xca)
        return i;
    }
  return 0;
}

/* Whether @mark, which stands at the end of a file, is there behind @from; something may come after
 * it. */
static gboolean
has_mark (const guint8 *bytes, gsize from, gsize size, const char *mark)
{
  gsize n = strlen (mark);

  for (gsize i = size; i >= from + n; i--)
    if (memcmp (bytes + i - n, mark, n) == 0)
      return TRUE;
  return FALSE;
}

/* Whether the end of the picture is there: loaders take what there is, as browsers show it.  Where
 * all rows come with the first part already, something else has to tell. */
static gboolean
is_whole (const Reading *self, const guint8 *bytes, gsize size)
{
  gboolean has_rows = self->bottom - self->top >= self->height;
  gsize frame = self->format == SYM_PICTURES_JPEG ? find_progressive (bytes, size) : 0;

  if (frame > 0)
    return has_rows && has_mark (bytes, frame, size, "\xff\xd9");
  /* Adam7's seven parts, each finer than the one before: byte 28 is the last of IHDR. */
  if (self->format == SYM_PICTURES_PNG && size > 28 && bytes[28] != 0)
    return has_rows && has_mark (bytes, 28, size, "IEND\xae\x42\x60\x82");
  /* The length of what follows the first 8 bytes of RIFF. */
  if (self->format == SYM_PICTURES_WEBP)
    return size >= 8 && size - 8 >= ((guint32) bytes[4] | (guint32) bytes[5] << 8 |
                                     (guint32) bytes[6] << 16 | (guint32) bytes[7] << 24);
  return has_rows;
}

/* ---- Pixels ---- */

/* A row of red, green, blue and perhaps alpha, which is left out.  The weights of gray are those of
 * ITU-R BT.601, in 65536ths, as ONNX's reference has them of Pillow. */
static void
convert_row (const guint8 *x, int step, guint8 *y, int n, SymPicturesChannels channels)
{
  for (int i = 0; i < n; i++, x += step)
    if (channels == SYM_PICTURES_GRAY)
      *y++ = (guint8) ((x[0] * 19595 + x[1] * 38470 + x[2] * 7471 + 0x8000) >> 16);
    else
      {
        *y++ = channels == SYM_PICTURES_RGB ? x[0] : x[2];
        *y++ = x[1];
        *y++ = channels == SYM_PICTURES_RGB ? x[2] : x[0];
      }
}

/* Rows are sent many at a time. */
static gboolean
send_pixels (const GdkPixbuf *pixbuf, SymPicturesChannels channels)
{
  int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf);
  int n_channels = channels == SYM_PICTURES_GRAY ? 1 : 3;
  gsize row = (gsize) width * (gsize) n_channels, used = 0;
  struct {
    SymWorkerFrame frame;
    SymPicturesSize size;
  } head = { { SYM_WORKER_MAGIC, SYM_PICTURES_PIXELS,
               sizeof (SymPicturesSize) + row * (gsize) height },
             { (guint32) height, (guint32) width, (guint32) n_channels, 0 } };
  g_autofree guint8 *piece = g_malloc (MAX (row, PIECE_BYTES));

  if (!sym_worker_write (&head, sizeof head))
    return FALSE;
  for (int i = 0; i < height; i++)
    {
      convert_row (gdk_pixbuf_read_pixels (pixbuf) +
                       (gsize) i * (gsize) gdk_pixbuf_get_rowstride (pixbuf),
                   gdk_pixbuf_get_n_channels (pixbuf), piece + used, width, channels);
      used += row;
      if (i < height - 1 && used + row <= PIECE_BYTES)
        continue;
      if (!sym_worker_write (piece, used))
        return FALSE;
      used = 0;
    }
  return TRUE;
}

static gboolean
is_opaque (const GdkPixbuf *pixbuf)
{
  int width = gdk_pixbuf_get_width (pixbuf), step = gdk_pixbuf_get_n_channels (pixbuf);

  if (!gdk_pixbuf_get_has_alpha (pixbuf))
    return TRUE;
  for (int i = 0; i < gdk_pixbuf_get_height (pixbuf); i++)
    {
      const guint8 *row =
          gdk_pixbuf_read_pixels (pixbuf) + (gsize) i * (gsize) gdk_pixbuf_get_rowstride (pixbuf);

      for (int j = 0; j < width; j++)
        if (row[j * step + 3] != 255)
          return FALSE;
    }
  return TRUE;
}

/* libtiff multiplies colours by alpha, so that where that is not 255 they are lost; and it mirrors
 * a picture as its orientation tells, but does not turn it. */
static gboolean
send_tiff (GdkPixbuf *pixbuf, SymPicturesChannels channels)
{
  g_autoptr (GdkPixbuf) upright = NULL;

  if (!is_opaque (pixbuf))
    return sym_worker_fail ("it is a TIFF with pixels that are not opaque, whose colours are not "
                            "those of the file: there are to be no such pixels");
  upright = gdk_pixbuf_apply_embedded_orientation (pixbuf);
  return upright ? send_pixels (upright, channels)
                 : sym_worker_fail ("there is no memory to turn the TIFF upright");
}

/* ---- Reading ---- */

static gboolean
fail_without_reader (SymPicturesFormat format)
{
  const char *package = formats[format].package;

  return sym_worker_fail ("it is a picture in %s, and GDK-Pixbuf has no reader of %s here%s%s%s",
                          formats[format].title, formats[format].title,
                          package ? " (Debian's package " : "", package ? package : "",
                          package ? " is one)" : "");
}

static gboolean
fail_early (const Reading *self, gsize size)
{
  const char *title = formats[self->format].title;
  int n_rows = MAX (self->bottom - self->top, 0);

  if (self->width == 0)
    return sym_worker_fail ("the %s ends too early: its %" G_GSIZE_FORMAT
                            " bytes do not tell how many pixels there are",
                            title, size);
  if (n_rows < self->height)
    return sym_worker_fail ("the %s ends too early: its %" G_GSIZE_FORMAT
                            " bytes have %d of %d rows of pixels",
                            title, size, n_rows, self->height);
  return sym_worker_fail ("the %s ends too early: its %" G_GSIZE_FORMAT
                          " bytes have no end, and all rows without the last details",
                          title, size);
}

/* What went wrong when the last byte had been read is that there is no more, but with TIFF, whose
 * loader begins then.  GDK-Pixbuf's own words follow ours. */
static gboolean
fail_reading (const Reading *self, gsize size, const GError *error)
{
  const char *title = formats[self->format].title;

  if (self->is_huge)
    return sym_worker_fail ("the %s has %d × %d pixels, and at most %d are read", title,
                            self->width, self->height, SYM_PICTURES_MAX_PIXELS);
  if (self->is_sound && self->format != SYM_PICTURES_TIFF)
    return fail_early (self, size);
  return sym_worker_fail ("the %s cannot be read: %s", title,
                          error ? error->message : "there are no pixels in it");
}

gboolean
sym_pictures_decode (const SymPicturesDecode *request, const guint8 *bytes, gsize size)
{
  Reading self = { .format = (SymPicturesFormat) request->format };
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbufLoader) loader =
      gdk_pixbuf_loader_new_with_type (formats[self.format].type, NULL);
  GdkPixbuf *pixbuf;
  gboolean done;

  if (!loader)
    return fail_without_reader (self.format);
  sym_pictures_give_up_rights ();
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), &self);
  g_signal_connect (loader, "area-updated", G_CALLBACK (area_updated_cb), &self);
  self.is_sound = gdk_pixbuf_loader_write (loader, bytes, size, &error);
  done = gdk_pixbuf_loader_close (loader, self.is_sound ? &error : NULL) && self.is_sound;
  pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  if (!done || self.is_huge || !pixbuf)
    return fail_reading (&self, size, error);
  if (!is_whole (&self, bytes, size))
    return fail_early (&self, size);
  return self.format == SYM_PICTURES_TIFF
             ? send_tiff (pixbuf, (SymPicturesChannels) request->channels)
             : send_pixels (pixbuf, (SymPicturesChannels) request->channels);
}
