/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include "store/sym-store-external.h"

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

static void
set_place (SymProtoMessage *message, SymTensor *tensor, const char *location, guint64 offset)
{
  sym_proto_remove (message, ONNX_TENSOR_EXTERNAL_DATA);
  append_entry (message, "location", location);
  append_number (message, "offset", offset);
  append_number (message, "length", sym_tensor_get_n_bytes (tensor));
}

/* Puts the numbers into the model itself. */
static void
embed (SymProtoMessage *message, SymTensor *tensor)
{
  sym_proto_remove (message, ONNX_TENSOR_EXTERNAL_DATA);
  sym_proto_remove (message, ONNX_TENSOR_DATA_LOCATION);
  sym_proto_append_tensor (message, ONNX_TENSOR_RAW_DATA, tensor);
}

/* The tensors that can be read, and without those that cannot the messages of the same number. */
static GPtrArray *
read_all (const SymOnnxFile *file, GPtrArray *messages, SymProblems *notes)
{
  /* @file itself is read by other threads, too. */
  g_autoptr (SymOnnxFile) own =
      sym_onnx_file_new (file->document, file->model, file->form, file->folder);
  GPtrArray *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  guint n = 0;

  for (guint i = 0; i < messages->len; i++)
    {
      SymProtoMessage *message = g_ptr_array_index (messages, i);
      g_autoptr (GError) cause = NULL;
      SymTensor *tensor = sym_onnx_read_tensor (own, message, &cause);

      if (tensor != NULL)
        {
          g_ptr_array_add (tensors, tensor);
          messages->pdata[n++] = message;
        }
      else if (notes != NULL)
        sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                          "the tensor '%s' stays where it was: %s",
                          sym_proto_get_text (message, ONNX_TENSOR_NAME), cause->message);
    }
  g_ptr_array_set_size (messages, (int) n);
  return tensors;
}

static gboolean
move_beside (GPtrArray *messages, GPtrArray *tensors, const char *path, GError **error)
{
  g_autofree char *data_path = g_strconcat (path, ".data", NULL);
  g_autofree char *location = g_path_get_basename (data_path);
  g_autofree guint64 *offsets = g_new (guint64, tensors->len + 1);

  if (tensors->len == 0)
    return TRUE;
  if (!sym_store_write_external (data_path, (SymTensor *const *) tensors->pdata, tensors->len,
                                 offsets, error))
    return FALSE;
  for (guint i = 0; i < messages->len; i++)
    set_place (messages->pdata[i], tensors->pdata[i], location, offsets[i]);
  return TRUE;
}

/* Standard output has no beside. */
static gboolean
move_all (const SymOnnxFile *file,
          GPtrArray *messages,
          const char *path,
          SymProblems *notes,
          GError **error)
{
  g_autoptr (GPtrArray) tensors = read_all (file, messages, notes);

  if (!g_str_equal (path, "-"))
    return move_beside (messages, tensors, path, error);
  for (guint i = 0; i < messages->len; i++)
    embed (messages->pdata[i], tensors->pdata[i]);
  return TRUE;
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
  if (move_all (file, tensors, path, notes, &cause))
    return copy;
  sym_io_take_file_error (error, path, cause);
  return NULL;
}
