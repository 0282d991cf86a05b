/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-data.h"

#include "core/sym-error.h"
#include "io/sym-onnx-private.h"
#include "store/sym-store.h"

/* Fields that SequenceProto and OptionalProto share: their names differ, their numbers do not. */
enum {
  FIELD_ELEM_TYPE = 2,
  FIELD_TENSOR = 3,
  FIELD_SPARSE = 4,
  FIELD_SEQUENCE = 5,
  FIELD_MAP = 6,
  FIELD_OPTIONAL = 7,
};

/* What elem_type says. */
enum {
  ELEMENT_TENSOR = 1,
  ELEMENT_SEQUENCE = 3,
  ELEMENT_OPTIONAL = 5,
};

static SymDatum *read_message (SymOnnxFile *file, const SymProtoMessage *message, GError **error);

static guint
find_field (const SymProtoMessage *message)
{
  switch (sym_proto_get_int (message, FIELD_ELEM_TYPE, 0))
    {
    case ELEMENT_TENSOR:
      return FIELD_TENSOR;
    case ELEMENT_SEQUENCE:
      return FIELD_SEQUENCE;
    case ELEMENT_OPTIONAL:
      return FIELD_OPTIONAL;
    default:
      return 0;
    }
}

static gboolean
read_items (SymOnnxFile *file, const SymProtoMessage *message, GPtrArray *items, GError **error)
{
  guint field = find_field (message), at = 0;
  const SymProtoEntry *entry;

  if (field == 0 && (sym_proto_find (message, FIELD_SPARSE) != NULL ||
                     sym_proto_find (message, FIELD_MAP) != NULL))
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                           "maps and sparse tensors cannot be read as data");
      return FALSE;
    }
  while (field != 0 && (entry = sym_proto_next (message, field, &at)) != NULL)
    {
      SymDatum *item =
          entry->held == SYM_PROTO_CHILD ? read_message (file, entry->message, error) : NULL;

      if (item == NULL)
        return FALSE;
      g_ptr_array_add (items, item);
    }
  return TRUE;
}

static SymDatum *
read_message (SymOnnxFile *file, const SymProtoMessage *message, GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  SymDType dtype = SYM_DTYPE_UNKNOWN;

  if (message->type == &sym_onnx_tensor_type)
    {
      g_autoptr (SymTensor) tensor = sym_onnx_read_tensor (file, message, error);

      return tensor == NULL ? NULL : sym_datum_new_read (tensor, error);
    }
  if (!read_items (file, message, items, error))
    return NULL;
  if (items->len > 0)
    dtype = sym_datum_get_dtype (items->pdata[0]);
  if (message->type == &sym_onnx_sequence_type)
    return sym_datum_new_sequence (dtype, (SymDatum **) items->pdata, items->len);
  return sym_datum_new_optional (dtype, items->len == 0 ? NULL : items->pdata[0]);
}

static void
mend_dtype (SymDatum *datum)
{
  SymArray *array = (SymArray *) sym_datum_get_array (datum);

  if (array != NULL && array->dtype == SYM_DTYPE_UINT16)
    array->dtype = SYM_DTYPE_BFLOAT16;
}

static const SymProtoType *
choose_type (const SymType *type)
{
  if (type->kind == SYM_KIND_SEQUENCE)
    return &sym_onnx_sequence_type;
  return type->kind == SYM_KIND_OPTIONAL ? &sym_onnx_optional_type : &sym_onnx_tensor_type;
}

SymDatum *
sym_onnx_read_datum (const char *path, const SymType *type, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (path, error);
  g_autoptr (SymProto) document = NULL;
  g_autoptr (SymOnnxFile) file = NULL;
  SymProtoMessage *root;
  SymDatum *datum;

  if (blob == NULL)
    return NULL;
  document = sym_proto_read (blob, choose_type (type), &root, NULL, error);
  if (document == NULL)
    return NULL;
  file = sym_onnx_file_new (document, root, SYM_ONNX_BINARY, path);
  datum = read_message (file, root, error);
  if (datum == NULL)
    g_prefix_error (error, "%s: ", path);
  else if (type->dtype == SYM_DTYPE_BFLOAT16)
    mend_dtype (datum);
  return datum;
}

/* ---- Which file is for which input ---- */

static char *
read_name (const char *path)
{
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymProto) document = NULL;
  SymProtoMessage *root;

  if (g_str_has_suffix (path, ".pb"))
    blob = sym_store_open_file (path, NULL);
  if (blob != NULL)
    document = sym_proto_read (blob, &sym_onnx_tensor_type, &root, NULL, NULL);
  return document == NULL ? NULL : g_strdup (sym_proto_get_text (root, ONNX_TENSOR_NAME));
}

static SymId
find_named (const SymModel *model, const char *path)
{
  SymIds inputs = sym_model_get_inputs (model);
  g_autofree char *name = read_name (path);

  for (guint i = 0; name != NULL && i < inputs.n; i++)
    if (g_str_equal (sym_model_get_value_name (model, inputs.ids[i]), name))
      return inputs.ids[i];
  return SYM_NO_ID;
}

SymId *
sym_onnx_match_data (const SymModel *model, const char *const *paths)
{
  SymIds inputs = sym_model_get_inputs (model);
  SymId *places = g_new (SymId, inputs.n + 1);
  g_autofree SymId *named = g_new (SymId, inputs.n + 1);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < inputs.n; i++)
    places[i] = named[i] = inputs.ids[i];
  for (guint i = 0; i < inputs.n; i++)
    {
      if (paths[i] == NULL)
        continue;
      named[i] = find_named (model, paths[i]);
      if (named[i] == SYM_NO_ID || !g_hash_table_add (met, GUINT_TO_POINTER (named[i])))
        return places;
    }
  g_free (places);
  return g_steal_pointer (&named);
}
