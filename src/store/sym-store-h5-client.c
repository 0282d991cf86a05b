/* SPDX-License-Identifier: MIT */
#include "store/sym-store-h5-private.h"

#include "core/sym-child-talk.h"

#define SILENT_SECONDS 20

SymChild *
sym_store_h5_start (int fd, GError **error)
{
  g_autofree char *program =
      sym_child_find ("symscope-hdf5", "SYMSCOPE_HDF5", SYM_STORE_LIBEXECDIR);

  return sym_child_new (program, "the reader of HDF5 files", fd, error);
}

/* The content of an answer of @kind, which has from @min_size to @max_size bytes. */
static GBytes *
receive_answer (const SymChildTalk *talk,
                guint32 kind,
                guint64 min_size,
                guint64 max_size,
                GError **error)
{
  guint64 size;

  if (!sym_child_talk_expect (talk, kind, max_size, &size, error) ||
      (size < min_size && !sym_child_refuse (talk->child, error)))
    return NULL;
  return sym_child_talk_receive_bytes (talk, size, error);
}

GBytes *
sym_store_h5_ask_catalogue (SymChild *child,
                            guint64 file_size,
                            GCancellable *cancellable,
                            GError **error)
{
  const SymChildTalk talk = { child, cancellable, SILENT_SECONDS, 0 };

  if (!sym_child_talk_send (&talk, SYM_HDF5_LIST, NULL, 0, NULL, 0, error))
    return NULL;
  return receive_answer (&talk, SYM_HDF5_CATALOGUE, 0, sym_hdf5_get_max_catalogue (file_size),
                         error);
}

GBytes *
sym_store_h5_ask_array (SymChild *child,
                        const SymStoreH5Array *array,
                        GCancellable *cancellable,
                        GError **error)
{
  const SymChildTalk talk = { child, cancellable, SILENT_SECONDS, 0 };
  SymHdf5Read request = { array->address, array->n_bytes, { 0 } };

  g_strlcpy (request.type, array->type, sizeof request.type);
  if (!sym_child_talk_send (&talk, SYM_HDF5_READ, &request, sizeof request, NULL, 0, error))
    return NULL;
  return receive_answer (&talk, SYM_HDF5_ARRAY, array->n_bytes, array->n_bytes, error);
}

GBytes *
sym_store_h5_ask_image (SymChild *child,
                        GVariant *outline,
                        GCancellable *cancellable,
                        GError **error)
{
  const SymChildTalk talk = { child, cancellable, SILENT_SECONDS, 0 };

  if (!sym_child_talk_send (&talk, SYM_HDF5_OUTLINE, NULL, 0, g_variant_get_data (outline),
                            g_variant_get_size (outline), error))
    return NULL;
  return receive_answer (&talk, SYM_HDF5_IMAGE, 0, 2 * (guint64) SYM_HDF5_MAX_IMAGE, error);
}
