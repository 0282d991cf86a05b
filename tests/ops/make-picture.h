/* SPDX-License-Identifier: MIT */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gio/gio.h>
#include <png.h>
#include <string.h>

/* Tiny files of pictures, made up. */

/* Of digits; spaces are left out. */
static inline GByteArray *
make_hex (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();
  int high = -1;

  for (; *text != '\0'; text++)
    {
      int digit = g_ascii_xdigit_value (*text);
      guint8 byte;

      if (digit < 0)
        continue;
      if (high < 0)
        {
          high = digit;
          continue;
        }
      byte = (guint8) (high << 4 | digit);
      g_byte_array_append (bytes, &byte, 1);
      high = -1;
    }
  return bytes;
}

static inline GByteArray *
make_text (const char *text)
{
  return g_byte_array_append (g_byte_array_new (), (const guint8 *) text, (guint) strlen (text));
}

/* ---- PNG ---- */

static inline void
make_png_write_cb (png_structp png, png_bytep bytes, png_size_t n)
{
  g_byte_array_append (png_get_io_ptr (png), bytes, (guint) n);
}

/* One row of two pixels or, without a @row, a head alone.  A palette is of two colours, the second
 * of which is clear. */
static inline GByteArray *
make_png (int color_type, int depth, guint width, const GByteArray *row)
{
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  const png_color palette[] = { { 10, 20, 30 }, { 40, 50, 60 } };
  const png_byte alpha[] = { 255, 0 };
  GByteArray *bytes = g_byte_array_new ();

  png_set_write_fn (png, bytes, make_png_write_cb, NULL);
  png_set_IHDR (png, info, width, row == NULL ? width : 1, depth, color_type, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (color_type == PNG_COLOR_TYPE_PALETTE)
    {
      png_set_PLTE (png, info, palette, 2);
      png_set_tRNS (png, info, alpha, 2, NULL);
    }
  png_write_info (png, info);
  if (row != NULL)
    {
      png_write_row (png, row->data);
      png_write_end (png, info);
    }
  else
    png_write_chunk (png, (png_const_bytep) "IDAT", (png_const_bytep) "x\x9c", 2);
  png_destroy_write_struct (&png, &info);
  return bytes;
}

static inline GByteArray *
make_empty_png (guint width, guint height)
{
  g_assert_cmpuint (width, ==, height);
  return make_png (PNG_COLOR_TYPE_RGB, 8, width, NULL);
}

/* ---- TIFF ---- */

/* An entry of a directory with one number, which is short (3) or long (4). */
static inline void
make_tiff_entry (GByteArray *bytes, guint16 tag, guint16 type, guint32 value)
{
  struct {
    guint16 tag, type;
    guint32 count, value;
  } entry = { GUINT16_TO_LE (tag), GUINT16_TO_LE (type), GUINT32_TO_LE (1), GUINT32_TO_LE (value) };

  g_byte_array_append (bytes, (const guint8 *) &entry, sizeof entry);
}

/* Red, green, blue and perhaps alpha that is not multiplied in, in one strip; see TIFF 6.0, section
 * 6.  @orientation 0: none is told. */
static inline GByteArray *
make_tiff (guint width, guint height, guint n_samples, guint orientation, const char *pixels)
{
  g_autoptr (GByteArray) strip = make_hex (pixels);
  GByteArray *bytes = make_hex ("4949 2a00 08000000");
  guint n_entries = 9 + (orientation != 0) + (n_samples == 4);
  guint bits = 8 + 2 + 12 * n_entries + 4, first = bits + 8;
  const guint8 count[] = { (guint8) n_entries, 0 }, rest[12] = { 0, 0, 0, 0, 8, 0, 8, 0, 8, 0, 8 };

  g_byte_array_append (bytes, count, sizeof count);
  make_tiff_entry (bytes, 256, 4, width);
  make_tiff_entry (bytes, 257, 4, height);
  make_tiff_entry (bytes, 258, 3, bits);
  bytes->data[bytes->len - 8] = (guint8) n_samples;
  make_tiff_entry (bytes, 259, 3, 1);
  make_tiff_entry (bytes, 262, 3, 2);
  make_tiff_entry (bytes, 273, 4, first);
  if (orientation != 0)
    make_tiff_entry (bytes, 274, 3, orientation);
  make_tiff_entry (bytes, 277, 3, n_samples);
  make_tiff_entry (bytes, 278, 4, height);
  make_tiff_entry (bytes, 279, 4, strip->len);
  if (n_samples == 4)
    make_tiff_entry (bytes, 338, 3, 2);
  g_byte_array_append (bytes, rest, sizeof rest);
  g_byte_array_append (bytes, strip->data, strip->len);
  return bytes;
}

/* ---- What GDK-Pixbuf writes ---- */

/* A slope of colours. */
static inline GByteArray *
make_saved (const char *type, int width, int height, GError **error)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  guint8 *pixels = gdk_pixbuf_get_pixels (pixbuf);
  g_autofree char *file = NULL;
  gsize size;

  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++)
      for (int k = 0; k < 3; k++)
        pixels[i * gdk_pixbuf_get_rowstride (pixbuf) + j * 3 + k] =
            (guint8) (k == 0   ? 255 * i / height
                      : k == 1 ? 255 * j / width
                               : 17 * (i ^ j));
  if (!gdk_pixbuf_save_to_buffer (pixbuf, &file, &size, type, error, NULL))
    g_error ("no %s can be written", type);
  return g_byte_array_append (g_byte_array_new (), (const guint8 *) file, (guint) size);
}

static inline GdkPixbuf *
read_pixbuf (const GByteArray *bytes)
{
  g_autoptr (GInputStream) stream =
      g_memory_input_stream_new_from_data (bytes->data, (gssize) bytes->len, NULL);
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_stream (stream, NULL, NULL);

  g_assert_nonnull (pixbuf);
  return pixbuf;
}

/* Height and width of a baseline JPEG, two bytes each, in place. */
static inline guint8 *
find_jpeg_size (const GByteArray *bytes)
{
  for (guint i = 2; i + 9 < bytes->len;
       i += 2 + (guint) (bytes->data[i + 2] << 8 | bytes->data[i + 3]))
    if (bytes->data[i + 1] == 0xc0)
      return bytes->data + i + 5;
  g_assert_not_reached ();
}

/* Gray, 8 by 16 pixels, in six scans: from 38 at the top left to 180. */
static const char progressive[] =
    "ffd8ffdb004300100b0c0e0c0a100e0d0e1211101318281a181616183123251d283a333d3c393338"
    "3740485c4e404457453738506d51575f626768673e4d71797064785c656763ffc2000b0800100008"
    "01011100ffc40014000100000000000000000000000000000004ffda00080101000000012abfffc4"
    "001510010100000000000000000000000000000200ffda00080101000105020606ffc40014100100"
    "000000000000000000000000000010ffda0008010100063f023fffc4001410010000000000000000"
    "0000000000000010ffda0008010100013f212bffda00080101000000107fffc40016100003000000"
    "0000000000000000000000002131ffda0008010100013f1092248fffd9";

/* In Adam7's seven parts, 8 by 8 gray pixels. */
static inline GByteArray *
make_interlaced_png (void)
{
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  GByteArray *bytes = g_byte_array_new ();
  png_byte pixels[64];
  png_bytep rows[8];

  for (guint i = 0; i < 64; i++)
    pixels[i] = (png_byte) (i * i);
  for (guint i = 0; i < 8; i++)
    rows[i] = pixels + 8 * i;
  png_set_write_fn (png, bytes, make_png_write_cb, NULL);
  png_set_IHDR (png, info, 8, 8, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info (png, info);
  png_write_image (png, rows);
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  return bytes;
}

/* One of each format. */
static inline GPtrArray *
make_seeds (void)
{
  GPtrArray *seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);

  g_ptr_array_add (seeds, make_saved ("png", 9, 7, NULL));
  g_ptr_array_add (seeds, make_interlaced_png ());
  g_ptr_array_add (seeds, make_hex (progressive));
  g_ptr_array_add (seeds, make_saved ("jpeg", 9, 7, NULL));
  g_ptr_array_add (seeds, make_saved ("bmp", 9, 7, NULL));
  g_ptr_array_add (seeds, make_saved ("tiff", 9, 7, NULL));
  g_ptr_array_add (seeds, make_tiff (2, 2, 3, 0, "010203 040506 070809 0a0b0c"));
  g_ptr_array_add (seeds, make_text ("P6 2 2 255\nabcdefghijkl"));
  return seeds;
}
