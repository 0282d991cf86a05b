/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-picture-private.h"

#define READ "BMP, JPEG, JPEG 2000, PNG, PNM, TIFF and WebP"

/* How files begin; "?" stands for any byte. */
typedef struct {
  const char *start;
  guint n;
  SymPicturesFormat format; /* SYM_PICTURES_N_FORMATS: it is not read, */
  const char *title;        /* being this */
} Start;

#define READS(start, format)                       \
  {                                                \
    start, sizeof start - 1, SYM_PICTURES_##format \
  }
#define NAMES(start, title)                                \
  {                                                        \
    start, sizeof start - 1, SYM_PICTURES_N_FORMATS, title \
  }

/* Whatever begins as one above another does is above it. */
static const Start starts[] = {
  READS ("\x89PNG\r\n\x1a\n", PNG),
  READS ("\xff\xd8\xff", JPEG),
  READS ("\0\0\0\x0cjP  \r\n\x87\n", JPEG_2000),
  READS ("\xff\x4f\xff\x51", JPEG_2000),
  READS ("II*\0", TIFF),
  READS ("MM\0*", TIFF),
  READS ("II+\0", TIFF),
  READS ("MM\0+", TIFF),
  READS ("RIFF????WEBP", WEBP),
  READS ("BM", BMP),
  NAMES ("GIF8", "GIF"),
  NAMES ("<svg", "SVG"),
  NAMES ("<?xml", "XML, as SVG is"),
  NAMES ("\0\0\1\0", "an icon of Windows (ICO)"),
  NAMES ("\0\0\2\0", "a cursor of Windows (CUR)"),
  NAMES ("\0\0\0\x0cJXL ", "JPEG XL"),
  NAMES ("\xff\x0a", "JPEG XL"),
  NAMES ("II\xbc", "JPEG XR"),
  NAMES ("????ftypavif", "AVIF"),
  NAMES ("????ftyp", "HEIF, or a film"),
  NAMES ("RIFF????", "RIFF, and no WebP"),
  NAMES ("8BPS", "a document of Photoshop (PSD)"),
  NAMES ("v/1\1", "OpenEXR"),
  NAMES ("#?RADIANCE", "Radiance HDR"),
  NAMES ("DDS ", "a texture (DDS)"),
  NAMES ("qoif", "QOI"),
  NAMES ("icns", "an icon of macOS (ICNS)"),
  NAMES ("/* XPM */", "XPM"),
  NAMES ("#define ", "XBM"),
  NAMES ("%PDF", "PDF"),
  NAMES ("P7", "PAM"),
  NAMES ("PF", "PFM"),
  NAMES ("Pf", "PFM"),
};

static gboolean
begins (const guint8 *bytes, gsize size, const Start *start)
{
  if (size < start->n)
    return FALSE;
  for (guint i = 0; i < start->n; i++)
    if (start->start[i] != '?' && bytes[i] != (guint8) start->start[i])
      return FALSE;
  return TRUE;
}

/* "P" and a digit from 1 to 6, then white space or a comment (netpbm's pbm, pgm and ppm). */
static gboolean
is_pnm (const guint8 *bytes, gsize size)
{
  return size >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
         (g_ascii_isspace (bytes[2]) || bytes[2] == '#');
}

/* The second bit of the flags of an extended file (RFC 9649, section 2.7). */
static gboolean
is_animated (const guint8 *bytes, gsize size)
{
  return size > 20 && memcmp (bytes + 12, "VP8X", 4) == 0 && (bytes[20] & 2) != 0;
}

static gboolean
refuse_bytes (const guint8 *bytes, gsize size, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < MIN (size, 8); i++)
    g_string_append_printf (text, " %02x", bytes[i]);
  return sym_kernel_fail (error,
                          "the %" G_GSIZE_FORMAT " bytes%s%s%s are of no picture that is known; "
                          "what is read is " READ,
                          size, size == 0 ? "" : ", which begin with", text->str,
                          size == 0 ? "" : ",");
}

gboolean
sym_op_picture_recognise (const guint8 *bytes,
                          gsize size,
                          SymPicturesFormat *format,
                          GError **error)
{
  const Start *start = NULL;

  if (is_pnm (bytes, size))
    {
      *format = SYM_PICTURES_PNM;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (starts) && start == NULL; i++)
    if (begins (bytes, size, &starts[i]))
      start = &starts[i];
  if (start == NULL)
    return refuse_bytes (bytes, size, error);
  if (start->title != NULL)
    return sym_kernel_fail (error, "the bytes are %s; what is read is " READ, start->title);
  if (start->format == SYM_PICTURES_WEBP && is_animated (bytes, size))
    return sym_kernel_fail (error, "the bytes are an animated WebP, not one picture");
  *format = start->format;
  return TRUE;
}
