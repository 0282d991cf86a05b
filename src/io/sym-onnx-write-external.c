/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

#include "store/sym-store.h"

/* Where tensors begin in a file of external data, so that it can be mapped. */
#define ALIGNMENT 4096

static gboolean
is_same_folder (const SymOnnxFile *file, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *old = file->folder == NULL ? NULL : g_canonicalize_filename (file->folder, NULL);
  g_autofree char *new = g_canonicalize_filename (folder, NULL);

  return g_strcmp0 (old, new) == 0;
}

/* All external TensorProtos below @root. */
static GPtrArray *
list_external (const SymProtoMessage *root)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  GPtrArray *found = g_ptr_array_new ();

  g_ptr_array_add (open, (gpointer) root);
  while (open->len > 0)
    {
      SymProtoMessage *message = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (message->type == &sym_onnx_tensor_type && sym_onnx_is_external (message))
        g_ptr_array_add (found, message);
      for (guint i = message->n; i > 0; i--)
        if (message->entries[i - 1].held == SYM_PROTO_CHILD)
          g_ptr_array_add (open, message->entries[i - 1].message);
    }
  return found;
}

/* A copy of all messages below @root, to be changed in place. */
static SymProtoMessage *
copy_deeply (SymProto *document, const SymProtoMessage *root)
{
  SymProtoMessage *copy = sym_proto_copy (document, root);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, copy);
  while (open->len > 0)
    {
      SymProtoMessage *message = g_ptr_array_steal_index_fast (open, open->len - 1);

      for (guint i = 0; i < message->n; i++)
        if (message->entries[i].held == SYM_PROTO_CHILD)
          {
            message->entries[i].message = sym_proto_copy (document, message->entries[i].message);
            g_ptr_array_add (open, message->entries[i].message);
          }
    }
  return copy;
}

static void
append_entry (SymProtoMessage *tensor, const char *key, const char *value)
{
  SymProtoMessage *entry = sym_proto_add (tensor->document, &sym_onnx_entry_type);

  sym_proto_append_string (entry, ONNX_ENTRY_KEY, key);
  sym_proto_append_string (entry, ONNX_ENTRY_VALUE, value);
  sym_proto_append_message (tensor, ONNX_TENSOR_EXTERNAL_DATA, entry);
}

static void
append_number (SymProtoMessage *tensor, const char *key, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  append_entry (tensor, key, text);
}

static gboolean
write_zeros (SymStoreWriter *writer, guint64 n, GError **error)
{
  static const char zeros[ALIGNMENT];

  return sym_store_writer_write (writer, zeros, (gsize) n, error);
}

static gboolean
write_tensor (SymStoreWriter *writer, SymTensor *tensor, GError **error)
{
  guint64 size = sym_tensor_get_n_bytes (tensor);
  g_autofree char *piece = g_malloc (1 << 20);

  for (guint64 done = 0; done < size;)
    {
      gsize n = (gsize) MIN (size - done, 1 << 20);

      if (!sym_tensor_read (tensor, done, n, piece, error)
          || !sym_store_writer_write (writer, piece, n, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

/* Moves the tensor behind byte *@end of what @writer has written. */
static gboolean
gather (SymProtoMessage *message,
        SymTensor *tensor,
        const char *location,
        SymStoreWriter *writer,
        guint64 *end,
        GError **error)
{
  guint64 gap = (ALIGNMENT - *end % ALIGNMENT) % ALIGNMENT;

  if (!write_zeros (writer, gap, error) || !write_tensor (writer, tensor, error))
    return FALSE;
  *end += gap;
  sym_proto_remove (message, ONNX_TENSOR_EXTERNAL_DATA);
  append_entry (message, "location", location);
  append_number (message, "offset", *end);
  append_number (message, "length", sym_tensor_get_n_bytes (tensor));
  *end += sym_tensor_get_n_bytes (tensor);
  return TRUE;
}

/* Puts the numbers into the model itself. */
static void
embed (SymProtoMessage *message, SymTensor *tensor)
{
  sym_proto_remove (message, ONNX_TENSOR_EXTERNAL_DATA);
  sym_proto_remove (message, ONNX_TENSOR_DATA_LOCATION);
  sym_proto_append_tensor (message, ONNX_TENSOR_RAW_DATA, tensor);
}

/* @writer is NULL for standard output, where there is no beside. */
static gboolean
move_all (const SymOnnxFile *file,
          GPtrArray *tensors,
          const char *location,
          SymStoreWriter *writer,
          SymProblems *notes,
          GError **error)
{
  g_autoptr (SymOnnxFile) own = sym_onnx_file_new (file->document, file->model, file->form, NULL);
  guint64 end = 0;

  own->folder = g_strdup (file->folder); /* @file itself is read by other threads, too */
  for (guint i = 0; i < tensors->len; i++)
    {
      SymProtoMessage *message = g_ptr_array_index (tensors, i);
      g_autoptr (GError) cause = NULL;
      g_autoptr (SymTensor) tensor = sym_onnx_read_tensor (own, message, &cause);

      if (tensor != NULL && writer != NULL
          && !gather (message, tensor, location, writer, &end, error))
        return FALSE;
      if (tensor != NULL && writer == NULL)
        embed (message, tensor);
      if (tensor == NULL && notes != NULL)
        sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                          "the tensor '%s' stays where it was: %s",
                          sym_proto_get_text (message, ONNX_TENSOR_NAME), cause->message);
    }
  return TRUE;
}

static gboolean
move_beside (const SymOnnxFile *file,
             GPtrArray *tensors,
             const char *path,
             SymProblems *notes,
             GError **error)
{
  g_autofree char *data_path = g_strconcat (path, ".data", NULL);
  g_autofree char *location = g_path_get_basename (data_path);
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (data_path, error);

  return writer != NULL && move_all (file, tensors, location, writer, notes, error)
         && sym_store_writer_commit (writer, error);
}

const SymProtoMessage *
sym_onnx_move_external (SymProto *document,
                        const SymOnnxFile *file,
                        const SymProtoMessage *model,
                        const char *path,
                        SymProblems *notes,
                        GError **error)
{
  gboolean is_standard_output = g_str_equal (path, "-");
  g_autoptr (GPtrArray) tensors = list_external (model);
  SymProtoMessage *copy;
  GError *cause = NULL;

  if (file == NULL || tensors->len == 0 || (!is_standard_output && is_same_folder (file, path)))
    return model;
  copy = copy_deeply (document, model);
  g_ptr_array_unref (tensors);
  tensors = list_external (copy);
  if (is_standard_output ? move_all (file, tensors, NULL, NULL, notes, &cause)
                         : move_beside (file, tensors, path, notes, &cause))
    return copy;
  sym_io_take_file_error (error, path, cause);
  return NULL;
}
