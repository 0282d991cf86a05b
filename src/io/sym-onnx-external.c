/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

gboolean
sym_onnx_is_external (const SymProtoMessage *tensor)
{
  return sym_proto_get_int (tensor, ONNX_TENSOR_DATA_LOCATION, 0) == ONNX_EXTERNAL;
}

static const char *
find_key (const SymProtoMessage *tensor, const char *key)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (tensor, ONNX_TENSOR_EXTERNAL_DATA, &at)) != NULL;)
    if (g_strcmp0 (sym_proto_get_text (entry->message, ONNX_ENTRY_KEY), key) == 0)
      return sym_proto_get_text (entry->message, ONNX_ENTRY_VALUE);

  return NULL;
}

/* NULL for an empty one, too: some exporters write them. */
static const char *
find_number (const SymProtoMessage *tensor, const char *key)
{
  const char *text = find_key (tensor, key);

  return text == NULL || *text == '\0' ? NULL : text;
}

SymTensor *
sym_onnx_open_external (SymOnnxFile *file,
                        const SymProtoMessage *message,
                        SymDType dtype,
                        const SymShape *shape,
                        GError **error)
{
  const char *location = find_key (message, "location");

  if (location == NULL || *location == '\0')
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                           "its numbers are in another file, but it does not say in which");
      return NULL;
    }
  return sym_store_external_get (file->external, location, find_number (message, "offset"),
                                 find_number (message, "length"), dtype, shape, error);
}
