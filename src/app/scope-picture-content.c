/* SPDX-License-Identifier: MIT */
#include "app/scope-picture-content.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "app/scope-release.h"

#define MIME_TYPE "image/svg+xml"

struct _ScopePictureContent {
  GdkContentProvider parent_instance;

  SymPicture *picture;
};

G_DEFINE_FINAL_TYPE (ScopePictureContent, scope_picture_content, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
scope_picture_content_ref_formats (GdkContentProvider *provider)
{
  static const char *types[] = { MIME_TYPE };

  return gdk_content_formats_new (types, G_N_ELEMENTS (types));
}

/* ---- In a thread ---- */

/* What writes pictures writes files. */
static gboolean
write_to (SymPicture *picture,
          const char *path,
          GOutputStream *stream,
          GCancellable *cancellable,
          GError **error)
{
  SymPictureOutput output = { .cancellable = cancellable };
  g_autofree char *bytes = NULL;
  gsize length;

  return sym_picture_write_svg (picture, path, &output, error) &&
         g_file_get_contents (path, &bytes, &length, error) &&
         g_output_stream_write_all (stream, bytes, length, NULL, cancellable, error);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  ScopePictureContent *self = source;
  GError *error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("symscope-XXXXXX.svg", &path, &error);
  gboolean is_written = FALSE;

  if (file >= 0)
    {
      close (file);
      is_written = write_to (self->picture, path, task_data, cancellable, &error);
      g_unlink (path);
    }
  if (is_written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* ---- The class ---- */

static void
scope_picture_content_write_mime_type_async (GdkContentProvider *provider,
                                             const char *mime_type,
                                             GOutputStream *stream,
                                             int io_priority,
                                             GCancellable *cancellable,
                                             GAsyncReadyCallback callback,
                                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_picture_content_write_mime_type_async);
  g_task_set_priority (task, io_priority);
  g_task_set_task_data (task, g_object_ref (stream), g_object_unref);
  if (g_str_equal (mime_type, MIME_TYPE))
    g_task_run_in_thread (task, write_thread);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("A picture cannot be given as “%s”"), mime_type);
}

static gboolean
scope_picture_content_write_mime_type_finish (GdkContentProvider *provider,
                                              GAsyncResult *result,
                                              GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
scope_picture_content_finalize (GObject *object)
{
  scope_release (SCOPE_PICTURE_CONTENT (object)->picture, (GDestroyNotify) sym_picture_unref);
  G_OBJECT_CLASS (scope_picture_content_parent_class)->finalize (object);
}

static void
scope_picture_content_class_init (ScopePictureContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = scope_picture_content_finalize;
  provider_class->ref_formats = scope_picture_content_ref_formats;
  provider_class->write_mime_type_async = scope_picture_content_write_mime_type_async;
  provider_class->write_mime_type_finish = scope_picture_content_write_mime_type_finish;
}

static void
scope_picture_content_init (ScopePictureContent *self)
{
}

GdkContentProvider *
scope_picture_content_new (SymPicture *picture)
{
  g_return_val_if_fail (picture != NULL, NULL);

  ScopePictureContent *self = g_object_new (SCOPE_TYPE_PICTURE_CONTENT, NULL);

  self->picture = sym_picture_ref (picture);
  return GDK_CONTENT_PROVIDER (self);
}
