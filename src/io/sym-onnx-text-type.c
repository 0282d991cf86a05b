/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

#include <string.h>

/* By the numbers of TensorProto.DataType. */
static const char *const dtype_names[] = {
  NULL,
  "float",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "int32",
  "int64",
  "string",
  "bool",
  "float16",
  "double",
  "uint32",
  "uint64",
  "complex64",
  "complex128",
  "bfloat16",
  "float8e4m3fn",
  "float8e4m3fnuz",
  "float8e5m2",
  "float8e5m2fnuz",
  "uint4",
  "int4",
  "float4e2m1",
  "float8e8m0",
  "uint2",
  "int2",
};

gint64
sym_onnx_text_get_dtype (const char *name)
{
  for (guint i = 1; i < G_N_ELEMENTS (dtype_names); i++)
    if (g_strcmp0 (dtype_names[i], name) == 0)
      return i;

  return 0;
}

const char *
sym_onnx_text_get_dtype_name (gint64 dtype)
{
  return dtype <= 0 || dtype >= (gint64) G_N_ELEMENTS (dtype_names) ? NULL : dtype_names[dtype];
}

gboolean
sym_onnx_text_is_type_word (const char *word)
{
  static const char *const words[] = { "seq", "map", "optional", "sparse_tensor", "opaque", NULL };

  return sym_onnx_text_get_dtype (word) != 0 || g_strv_contains (words, word);
}

gboolean
sym_onnx_text_is_type_next (SymOnnxText *self)
{
  g_autofree char *id = sym_onnx_text_peek_id (self);

  return id != NULL && sym_onnx_text_is_type_word (id);
}

/* ---- Types ---- */

static gboolean
read_dim (SymOnnxText *self, SymProtoMessage *shape, GError **error)
{
  SymProtoMessage *dim = sym_proto_add (self->document, &sym_onnx_dimension_type);
  g_autoptr (GString) name = NULL;
  gint64 number;

  sym_proto_append_message (shape, ONNX_SHAPE_DIM, dim);
  if (sym_onnx_text_take (self, '?'))
    return TRUE;
  if (sym_onnx_text_is_name_next (self))
    {
      name = sym_onnx_text_expect_name (self, error);
      if (name != NULL)
        sym_proto_append_bytes (dim, ONNX_DIM_PARAM, name->str, name->len);
      return name != NULL;
    }
  if (!sym_onnx_text_expect_int (self, &number, error))
    return FALSE;
  sym_proto_append_int (dim, ONNX_DIM_VALUE, number);
  return TRUE;
}

/* `float` is a scalar, `float[]` a tensor of unknown rank. */
static gboolean
read_shape (SymOnnxText *self, SymProtoMessage *kind, GError **error)
{
  SymProtoMessage *shape = sym_proto_add (self->document, &sym_onnx_shape_type);
  gboolean has_dims = sym_onnx_text_take (self, '[');

  if (has_dims && sym_onnx_text_take (self, ']'))
    return TRUE;
  sym_proto_append_message (kind, ONNX_KIND_SHAPE, shape);
  if (!has_dims)
    return TRUE;
  do
    if (!read_dim (self, shape, error))
      return FALSE;
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, ']', error);
}

static gboolean
read_tensor_kind (SymOnnxText *self, const char *dtype, SymProtoMessage *kind, GError **error)
{
  if (sym_onnx_text_get_dtype (dtype) == 0)
    return sym_onnx_text_fail (self, error, "“%s” is no type of numbers", dtype);
  sym_proto_append_int (kind, ONNX_KIND_ELEM, sym_onnx_text_get_dtype (dtype));
  return read_shape (self, kind, error);
}

static gboolean
read_opaque (SymOnnxText *self, SymProtoMessage *kind, GError **error)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *last = NULL;

  if (sym_onnx_text_peek (self) == ')')
    return TRUE;
  do
    {
      g_autofree char *part = sym_onnx_text_expect_id (self, error);

      if (part == NULL)
        return FALSE;
      g_string_append_printf (name, "%s%s", name->len > 0 ? "." : "", part);
    }
  while (sym_onnx_text_take (self, '.'));
  if (!sym_onnx_text_take (self, ','))
    {
      sym_proto_append_string (kind, 2, name->str);
      return TRUE;
    }
  last = sym_onnx_text_expect_id (self, error);
  if (last == NULL)
    return FALSE;
  sym_proto_append_string (kind, 1, name->str);
  sym_proto_append_string (kind, 2, last);
  return TRUE;
}

static gboolean
read_inner (SymOnnxText *self, SymProtoMessage *kind, guint number, GError **error)
{
  SymProtoMessage *inner = sym_onnx_text_read_type (self, error);

  if (inner != NULL)
    sym_proto_append_message (kind, number, inner);
  return inner != NULL;
}

static gboolean
read_map (SymOnnxText *self, SymProtoMessage *kind, GError **error)
{
  g_autofree char *key = sym_onnx_text_expect_id (self, error);

  if (key == NULL)
    return FALSE;
  if (sym_onnx_text_get_dtype (key) == 0)
    return sym_onnx_text_fail (self, error, "“%s” is no type of keys", key);
  sym_proto_append_int (kind, 1, sym_onnx_text_get_dtype (key));
  return sym_onnx_text_expect (self, ',', error) && read_inner (self, kind, 2, error);
}

static gboolean
read_sparse (SymOnnxText *self, SymProtoMessage *kind, GError **error)
{
  g_autofree char *dtype = sym_onnx_text_expect_id (self, error);

  return dtype != NULL && read_tensor_kind (self, dtype, kind, error);
}

/* What stands in the brackets behind seq, map, optional, sparse_tensor and opaque. */
static gboolean
read_word (SymOnnxText *self, const char *word, SymProtoMessage *type, GError **error)
{
  static const struct {
    const char *word;
    guint number;
    const SymProtoType *kind;
  } words[] = {
    { "seq", ONNX_TYPE_SEQUENCE_TYPE, &sym_onnx_sequence_kind_type },
    { "map", ONNX_TYPE_MAP_TYPE, &sym_onnx_map_kind_type },
    { "optional", ONNX_TYPE_OPTIONAL_TYPE, &sym_onnx_optional_kind_type },
    { "sparse_tensor", ONNX_TYPE_SPARSE_TENSOR_TYPE, &sym_onnx_sparse_kind_type },
    { "opaque", ONNX_TYPE_OPAQUE_TYPE, &sym_onnx_opaque_kind_type },
  };
  SymProtoMessage *kind = NULL;
  gboolean good;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i].word, word))
      {
        kind = sym_proto_add (self->document, words[i].kind);
        sym_proto_append_message (type, words[i].number, kind);
      }
  if (kind == NULL)
    return sym_onnx_text_fail (self, error, "“%s” is no type", word);
  if (!sym_onnx_text_expect (self, '(', error))
    return FALSE;
  if (kind->type == &sym_onnx_map_kind_type)
    good = read_map (self, kind, error);
  else if (kind->type == &sym_onnx_sparse_kind_type)
    good = read_sparse (self, kind, error);
  else if (kind->type == &sym_onnx_opaque_kind_type)
    good = read_opaque (self, kind, error);
  else
    good = read_inner (self, kind, 1, error);
  return good && sym_onnx_text_expect (self, ')', error);
}

/* Types are nested no deeper than SYM_ONNX_TEXT_MAX_DEPTH. */
SymProtoMessage *
sym_onnx_text_read_type (SymOnnxText *self, GError **error)
{
  SymProtoMessage *type = sym_proto_add (self->document, &sym_onnx_type_type);
  g_autofree char *id = sym_onnx_text_expect_id (self, error);
  gboolean good;

  if (id == NULL)
    return NULL;
  if (self->depth == SYM_ONNX_TEXT_MAX_DEPTH)
    {
      sym_onnx_text_fail (self, error, "this is nested deeper than %d", SYM_ONNX_TEXT_MAX_DEPTH);
      return NULL;
    }
  self->depth++;
  if (sym_onnx_text_get_dtype (id) != 0)
    {
      SymProtoMessage *kind = sym_proto_add (self->document, &sym_onnx_tensor_kind_type);

      sym_proto_append_message (type, ONNX_TYPE_TENSOR_TYPE, kind);
      good = read_tensor_kind (self, id, kind, error);
    }
  else
    good = read_word (self, id, type, error);
  self->depth--;
  return good ? type : NULL;
}

/* ---- Tensors ---- */

gboolean
sym_onnx_text_read_pairs (SymOnnxText *self,
                          SymProtoMessage *message,
                          guint number,
                          char close,
                          GError **error)
{
  if (sym_onnx_text_take (self, close))
    return TRUE;
  do
    {
      SymProtoMessage *entry = sym_proto_add (self->document, &sym_onnx_entry_type);
      g_autoptr (GString) key = sym_onnx_text_expect_string (self, error);
      g_autoptr (GString) value = NULL;

      if (key == NULL || !sym_onnx_text_expect (self, ':', error))
        return FALSE;
      value = sym_onnx_text_expect_string (self, error);
      if (value == NULL)
        return FALSE;
      sym_proto_append_bytes (entry, ONNX_ENTRY_KEY, key->str, key->len);
      sym_proto_append_bytes (entry, ONNX_ENTRY_VALUE, value->str, value->len);
      sym_proto_append_message (message, number, entry);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, close, error);
}

/* The field that numbers of a dtype stand in. */
static guint
get_data_field (gint64 dtype)
{
  switch ((int) sym_onnx_get_dtype (dtype))
    {
    case SYM_DTYPE_FLOAT32:
    case SYM_DTYPE_COMPLEX64:
      return ONNX_TENSOR_FLOAT_DATA;
    case SYM_DTYPE_FLOAT64:
    case SYM_DTYPE_COMPLEX128:
      return ONNX_TENSOR_DOUBLE_DATA;
    case SYM_DTYPE_INT64:
      return ONNX_TENSOR_INT64_DATA;
    case SYM_DTYPE_UINT32:
    case SYM_DTYPE_UINT64:
      return ONNX_TENSOR_UINT64_DATA;
    default:
      return ONNX_TENSOR_INT32_DATA;
    }
}

static gboolean
read_element (SymOnnxText *self, guint field, guint64 *bits, GError **error)
{
  SymOnnxTextNumber kind;
  g_autoptr (GString) text = sym_onnx_text_expect_number (self, &kind, error);
  float narrow;
  double real;
  guint32 low;
  gint64 integer;

  if (text == NULL)
    return FALSE;
  if (field == ONNX_TENSOR_DOUBLE_DATA || field == ONNX_TENSOR_FLOAT_DATA)
    {
      real = g_ascii_strtod (text->str, NULL);
      narrow = (float) real;
      memcpy (&low, &narrow, sizeof low);
      *bits = low;
      if (field == ONNX_TENSOR_DOUBLE_DATA)
        memcpy (bits, &real, sizeof real);
      return TRUE;
    }
  if (kind == SYM_ONNX_TEXT_INT && text->str[0] != '-' &&
      g_ascii_string_to_unsigned (text->str, 10, 0, G_MAXUINT64, bits, NULL))
    return TRUE;
  if (kind != SYM_ONNX_TEXT_INT ||
      !g_ascii_string_to_signed (text->str, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    return sym_onnx_text_fail (self, error, "“%s” is no integer of 64 bits", text->str);
  *bits = (guint64) integer;
  return TRUE;
}

static gboolean
read_strings (SymOnnxText *self, SymProtoMessage *tensor, GError **error)
{
  do
    {
      g_autoptr (GString) string = sym_onnx_text_expect_string (self, error);

      if (string == NULL)
        return FALSE;
      sym_proto_append_bytes (tensor, ONNX_TENSOR_STRING_DATA, string->str, string->len);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, '}', error);
}

static gboolean
read_numbers (SymOnnxText *self, SymProtoMessage *tensor, gint64 dtype, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint field = get_data_field (dtype);

  do
    {
      guint64 bits = 0;

      if (!read_element (self, field, &bits, error))
        return FALSE;
      g_array_append_val (numbers, bits);
    }
  while (sym_onnx_text_take (self, ','));
  sym_proto_append_numbers (tensor, field, (const guint64 *) (gpointer) numbers->data,
                            numbers->len);
  return sym_onnx_text_expect (self, '}', error);
}

static gboolean
take_dims (SymOnnxText *self, const SymProtoMessage *kind, SymProtoMessage *tensor, GError **error)
{
  const SymProtoMessage *shape = sym_proto_get_message (kind, ONNX_KIND_SHAPE);
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (shape, ONNX_SHAPE_DIM, &at)) != NULL;)
    {
      gint64 size = sym_proto_get_int (entry->message, ONNX_DIM_VALUE, -1);

      if (size < 0)
        return sym_onnx_text_fail (self, error, "the sizes of a tensor must be numbers");
      sym_proto_append_int (tensor, ONNX_TENSOR_DIMS, size);
    }
  return shape != NULL ||
         sym_onnx_text_fail (self, error, "a tensor must have a shape; [] is of unknown rank");
}

gboolean
sym_onnx_text_read_tensor (SymOnnxText *self,
                           const SymProtoMessage *type,
                           SymProtoMessage *tensor,
                           GError **error)
{
  const SymProtoMessage *kind = sym_proto_get_message (type, ONNX_TYPE_TENSOR_TYPE);
  gint64 dtype = sym_proto_get_int (kind, ONNX_KIND_ELEM, 0);

  if (kind == NULL)
    return sym_onnx_text_fail (self, error, "only tensors have numbers");
  if (!take_dims (self, kind, tensor, error))
    return FALSE;
  sym_proto_append_int (tensor, ONNX_TENSOR_DATA_TYPE, dtype);
  if (sym_onnx_text_take (self, '['))
    {
      sym_proto_append_int (tensor, ONNX_TENSOR_DATA_LOCATION, ONNX_EXTERNAL);
      return sym_onnx_text_read_pairs (self, tensor, ONNX_TENSOR_EXTERNAL_DATA, ']', error);
    }
  if (!sym_onnx_text_expect (self, '{', error))
    return FALSE;
  if (sym_onnx_text_take (self, '}'))
    return TRUE;
  return sym_onnx_get_dtype (dtype) == SYM_DTYPE_STRING ? read_strings (self, tensor, error)
                                                        : read_numbers (self, tensor, dtype, error);
}
