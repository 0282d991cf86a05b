/* SPDX-License-Identifier: MIT */
#include "worker/sym-pictures.h"

#include "worker/sym-worker-stream.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* What ONNX Runtime's extensions write JPEG with: colours at half the resolution, which is
 * libjpeg's default, and OpenCV's quality. */
#define QUALITY "95"

/* Blue first becomes red first. */
static void
turn_around (guint8 *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint8 blue = pixels[3 * i];

      pixels[3 * i] = pixels[3 * i + 2];
      pixels[3 * i + 2] = blue;
    }
}

/* Loads what reads and writes the format, while that can be. */
static void
load (const char *type)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (type, NULL);

  if (loader)
    gdk_pixbuf_loader_close (loader, NULL);
}

gboolean
sym_pictures_encode (const SymPicturesEncode *request, guint8 *pixels)
{
  gboolean is_jpeg = request->format == SYM_PICTURES_JPEG;
  const char *type = is_jpeg ? "jpeg" : "png";
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;
  gsize size;

  load (type);
  sym_pictures_give_up_rights ();
  turn_around (pixels, (gsize) request->height * request->width);
  pixbuf = gdk_pixbuf_new_from_data (pixels, GDK_COLORSPACE_RGB, FALSE, 8, (int) request->width,
                                     (int) request->height, (int) request->width * 3, NULL, NULL);
  if (!gdk_pixbuf_save_to_buffer (pixbuf, &file, &size, type, &error, is_jpeg ? "quality" : NULL,
                                  QUALITY, NULL))
    return sym_worker_fail ("a %s of %u × %u pixels cannot be written: %s",
                            is_jpeg ? "JPEG" : "PNG", request->width, request->height,
                            error->message);
  return sym_worker_answer (SYM_PICTURES_FILE, file, size);
}
