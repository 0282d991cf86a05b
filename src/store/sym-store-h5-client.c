/* SPDX-License-Identifier: MIT */
#include "store/sym-store-h5-private.h"

/* How long the process may be silent. */
#define SILENT_SECONDS 20
#define PIECE_BYTES (4 << 20)
#define MAX_MESSAGE 4096

SymChild *
sym_store_h5_start (int fd, GError **error)
{
  g_autofree char *program =
      sym_child_find ("symscope-hdf5", "SYMSCOPE_HDF5", SYM_STORE_LIBEXECDIR);

  return sym_child_new (program, "the reader of HDF5 files", fd, error);
}

static gint64
get_deadline (void)
{
  return g_get_monotonic_time () + SILENT_SECONDS * G_USEC_PER_SEC;
}

static gboolean
refuse (SymChild *child, GError **error)
{
  g_set_error_literal (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT,
                       "the reader of HDF5 files does not speak its protocol");
  sym_child_end (child);
  return FALSE;
}

/* A failure is short, and worded by the process: valid text is made of it. */
static gboolean
take_failure (SymChild *child, guint64 size, GCancellable *cancellable, GError **error)
{
  char text[MAX_MESSAGE];
  g_autofree char *message = NULL;

  if (size > sizeof text)
    return refuse (child, error);
  if (!sym_child_receive (child, text, (gsize) size, get_deadline (), cancellable, error))
    return FALSE;
  message = g_utf8_make_valid (text, (gssize) size);
  g_set_error_literal (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT, message);
  return FALSE;
}

/* The size of an answer of @kind, at most @max_size. */
static gboolean
receive_frame (SymChild *child,
               guint32 kind,
               guint64 max_size,
               guint64 *size,
               GCancellable *cancellable,
               GError **error)
{
  SymWorkerFrame frame;

  if (!sym_child_receive (child, &frame, sizeof frame, get_deadline (), cancellable, error))
    return FALSE;
  if (frame.magic != SYM_WORKER_MAGIC)
    return refuse (child, error);
  if (frame.kind == SYM_WORKER_FAILURE)
    return take_failure (child, frame.size, cancellable, error);
  if (frame.kind != kind || frame.size > max_size)
    return refuse (child, error);
  *size = frame.size;
  return TRUE;
}

static GBytes *
receive_bytes (SymChild *child, guint64 size, GCancellable *cancellable, GError **error)
{
  g_autofree char *bytes = g_try_malloc (MAX ((gsize) size, 1));

  if (bytes == NULL)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                   "there is no memory for %" G_GUINT64_FORMAT " bytes", size);
      sym_child_end (child);
      return NULL;
    }
  for (guint64 at = 0; at < size; at += PIECE_BYTES)
    if (!sym_child_receive (child, bytes + at, (gsize) MIN (size - at, PIECE_BYTES),
                            get_deadline (), cancellable, error))
      return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) size);
}

GBytes *
sym_store_h5_ask_catalogue (SymChild *child,
                            guint64 file_size,
                            GCancellable *cancellable,
                            GError **error)
{
  SymWorkerFrame request = { SYM_WORKER_MAGIC, SYM_HDF5_LIST, 0 };
  guint64 size;

  if (!sym_child_send (child, &request, sizeof request, get_deadline (), cancellable, error) ||
      !receive_frame (child, SYM_HDF5_CATALOGUE, sym_hdf5_get_max_catalogue (file_size), &size,
                      cancellable, error))
    return NULL;
  return receive_bytes (child, size, cancellable, error);
}

GBytes *
sym_store_h5_ask_array (SymChild *child,
                        const SymStoreH5Array *array,
                        GCancellable *cancellable,
                        GError **error)
{
  struct {
    SymWorkerFrame frame;
    SymHdf5Read read;
  } request = { { SYM_WORKER_MAGIC, SYM_HDF5_READ, sizeof (SymHdf5Read) },
                { array->address, array->n_bytes, { 0 } } };
  guint64 size;

  g_strlcpy (request.read.type, array->type, sizeof request.read.type);
  if (!sym_child_send (child, &request, sizeof request, get_deadline (), cancellable, error) ||
      !receive_frame (child, SYM_HDF5_ARRAY, array->n_bytes, &size, cancellable, error))
    return NULL;
  if (size != array->n_bytes)
    {
      refuse (child, error);
      return NULL;
    }
  return receive_bytes (child, size, cancellable, error);
}

GBytes *
sym_store_h5_ask_image (SymChild *child,
                        GVariant *outline,
                        GCancellable *cancellable,
                        GError **error)
{
  SymWorkerFrame request = { SYM_WORKER_MAGIC, SYM_HDF5_OUTLINE, g_variant_get_size (outline) };
  guint64 size;

  if (!sym_child_send (child, &request, sizeof request, get_deadline (), cancellable, error) ||
      !sym_child_send (child, g_variant_get_data (outline), request.size, get_deadline (),
                       cancellable, error) ||
      !receive_frame (child, SYM_HDF5_IMAGE, 2 * (guint64) SYM_HDF5_MAX_IMAGE, &size, cancellable,
                      error))
    return NULL;
  return receive_bytes (child, size, cancellable, error);
}
