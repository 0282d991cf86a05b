/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

/* By the numbers of TensorProto.DataType. */
static const SymDType dtypes[] = {
  SYM_DTYPE_UNKNOWN,        SYM_DTYPE_FLOAT32,      SYM_DTYPE_UINT8,          SYM_DTYPE_INT8,
  SYM_DTYPE_UINT16,         SYM_DTYPE_INT16,        SYM_DTYPE_INT32,          SYM_DTYPE_INT64,
  SYM_DTYPE_STRING,         SYM_DTYPE_BOOL,         SYM_DTYPE_FLOAT16,        SYM_DTYPE_FLOAT64,
  SYM_DTYPE_UINT32,         SYM_DTYPE_UINT64,       SYM_DTYPE_COMPLEX64,      SYM_DTYPE_COMPLEX128,
  SYM_DTYPE_BFLOAT16,       SYM_DTYPE_FLOAT8E4M3FN, SYM_DTYPE_FLOAT8E4M3FNUZ, SYM_DTYPE_FLOAT8E5M2,
  SYM_DTYPE_FLOAT8E5M2FNUZ, SYM_DTYPE_UINT4,        SYM_DTYPE_INT4,           SYM_DTYPE_FLOAT4E2M1,
  SYM_DTYPE_FLOAT8E8M0,     SYM_DTYPE_UINT2,        SYM_DTYPE_INT2,
};

SymDType
sym_onnx_get_dtype (gint64 number)
{
  return number < 0 || number >= (gint64) G_N_ELEMENTS (dtypes) ? SYM_DTYPE_UNKNOWN
                                                                : dtypes[number];
}

gint64
sym_onnx_get_dtype_number (SymDType dtype)
{
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (dtypes[i] == dtype)
      return i;

  return 0;
}

/* ---- Reading ---- */

/* Exporters write sums and products of names where they know them ("past_seq_len + seq_len").  A
 * minus is no sign of one: "batch-size" is a name. */
static SymDim
read_name (const char *name, SymTerms *terms)
{
  SymDim dim;

  if (strpbrk (name, "+*") != NULL && sym_terms_parse (terms, name, &dim) && dim < 0)
    return dim;
  return sym_terms_get_named (terms, name);
}

static SymDim
read_dim (const SymProtoMessage *dim, SymTerms *terms)
{
  gint64 number = sym_proto_get_int (dim, ONNX_DIM_VALUE, -1);
  const char *name = sym_proto_get_text (dim, ONNX_DIM_PARAM);

  if (number >= 0)
    return number;
  if (name == NULL || *name == '\0' || g_str_equal (name, "?") || terms == NULL)
    return SYM_DIM_UNKNOWN;
  return read_name (name, terms);
}

static SymShape
read_shape (const SymProtoMessage *message, SymTerms *terms)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;
  guint n = sym_proto_count (message, ONNX_SHAPE_DIM);
  const SymProtoEntry *entry;

  if (message == NULL || n > SYM_MAX_RANK)
    return shape;
  shape.rank = 0;
  for (guint at = 0; (entry = sym_proto_next (message, ONNX_SHAPE_DIM, &at)) != NULL;)
    if (entry->held == SYM_PROTO_CHILD)
      shape.dims[shape.rank++] = read_dim (entry->message, terms);
  return shape;
}

/* The alternative that was set last; NULL for none. */
static const SymProtoMessage *
get_alternative (const SymProtoMessage *type)
{
  for (guint i = type == NULL ? 0 : type->n; i > 0; i--)
    if (type->entries[i - 1].held == SYM_PROTO_CHILD)
      return type->entries[i - 1].message;

  return NULL;
}

/* Whether it is a map to tensors, or a sequence of such maps: then *@map is the map. */
static gboolean
is_map (const SymProtoMessage *kind, const SymProtoMessage **map)
{
  const SymProtoMessage *inner;

  if (kind != NULL && kind->type == &sym_onnx_sequence_kind_type)
    kind = get_alternative (sym_proto_get_message (kind, 1));
  if (kind == NULL || kind->type != &sym_onnx_map_kind_type)
    return FALSE;
  inner = get_alternative (sym_proto_get_message (kind, ONNX_MAP_VALUE));
  *map = kind;
  return inner != NULL && inner->type == &sym_onnx_tensor_kind_type;
}

static SymDType
get_map_dtype (const SymProtoMessage *map)
{
  const SymProtoMessage *inner = get_alternative (sym_proto_get_message (map, ONNX_MAP_VALUE));

  return sym_onnx_get_dtype (sym_proto_get_int (inner, ONNX_KIND_ELEM, 0));
}

/* Sequences and optionals are told by what is in them; of what is nested deeper, by that alone.
 * Maps are the tensors of their numbers: how many they are, the layer at their other end tells. */
SymType
sym_onnx_read_type (const SymProtoMessage *type, SymTerms *terms)
{
  const SymProtoMessage *kind = get_alternative (type), *map;
  SymType read = SYM_TYPE_UNKNOWN;

  if (kind == NULL)
    return read;
  if (is_map (kind, &map))
    return sym_type_tensor (get_map_dtype (map), SYM_SHAPE_UNKNOWN);
  if (kind->type == &sym_onnx_tensor_kind_type)
    return sym_type_tensor (sym_onnx_get_dtype (sym_proto_get_int (kind, ONNX_KIND_ELEM, 0)),
                            read_shape (sym_proto_get_message (kind, ONNX_KIND_SHAPE), terms));
  if (kind->type == &sym_onnx_sequence_kind_type || kind->type == &sym_onnx_optional_kind_type)
    {
      const SymProtoMessage *inner = get_alternative (sym_proto_get_message (kind, 1));

      if (inner != NULL && inner->type == &sym_onnx_tensor_kind_type)
        read = sym_onnx_read_type (sym_proto_get_message (kind, 1), terms);
      read.kind =
          kind->type == &sym_onnx_sequence_kind_type ? SYM_KIND_SEQUENCE : SYM_KIND_OPTIONAL;
      return read;
    }
  if (kind->type == &sym_onnx_sparse_kind_type)
    return sym_type_opaque ("sparse_tensor");
  return sym_type_opaque (kind->type == &sym_onnx_map_kind_type ? "map" : "opaque");
}

static void
append_tensor_text (GString *out, const SymProtoMessage *kind)
{
  SymDType dtype = sym_onnx_get_dtype (sym_proto_get_int (kind, ONNX_KIND_ELEM, 0));
  const SymProtoMessage *shape = sym_proto_get_message (kind, ONNX_KIND_SHAPE);
  const SymProtoEntry *entry;
  guint n = 0;

  g_string_append_printf (out, "tensor(%s", sym_dtype_to_string (dtype));
  if (shape != NULL)
    g_string_append (out, ", (");
  for (guint at = 0; (entry = sym_proto_next (shape, ONNX_SHAPE_DIM, &at)) != NULL;)
    {
      gint64 number = sym_proto_get_int (entry->message, ONNX_DIM_VALUE, -1);
      const char *name = sym_proto_get_text (entry->message, ONNX_DIM_PARAM);

      if (n++ > 0)
        g_string_append (out, ", ");
      if (number >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, number);
      else
        g_string_append (out, name == NULL || *name == '\0' ? "?" : name);
    }
  g_string_append (out, shape != NULL ? "))" : ")");
}

static void
append_map_text (GString *out, const SymProtoMessage *map)
{
  SymDType key = sym_onnx_get_dtype (sym_proto_get_int (map, ONNX_MAP_KEY, 0));

  g_string_append_printf (out, "map(%s, ", sym_dtype_to_string (key));
  append_tensor_text (out, get_alternative (sym_proto_get_message (map, ONNX_MAP_VALUE)));
  g_string_append_c (out, ')');
}

char *
sym_onnx_format_type (const SymProtoMessage *type)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const SymProtoMessage *kind;
  guint depth = 0;

  while ((kind = get_alternative (type)) != NULL &&
         (kind->type == &sym_onnx_sequence_kind_type || kind->type == &sym_onnx_optional_kind_type))
    {
      g_string_append (out, kind->type == &sym_onnx_sequence_kind_type ? "seq(" : "optional(");
      type = sym_proto_get_message (kind, 1);
      depth++;
    }
  if (kind == NULL)
    g_string_append_c (out, '?');
  else if (kind->type == &sym_onnx_tensor_kind_type)
    append_tensor_text (out, kind);
  else if (is_map (kind, &kind))
    append_map_text (out, kind);
  else
    g_string_append (out, sym_onnx_read_type (type, NULL).name);
  while (depth-- > 0)
    g_string_append_c (out, ')');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* ---- Comparing ---- */

static gboolean
dim_matches (const SymProtoMessage *message, SymDim dim, const SymTerms *terms)
{
  gint64 number = sym_proto_get_int (message, ONNX_DIM_VALUE, -1);
  const char *name = sym_proto_get_text (message, ONNX_DIM_PARAM);
  g_autofree char *text = NULL;

  if (number >= 0 || dim >= 0)
    return number == dim;
  text = dim == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (terms, dim);
  if (name == NULL || *name == '\0' || g_str_equal (name, "?"))
    return text == NULL;
  return g_strcmp0 (name, text) == 0;
}

/* @kind says more than a SymType can where its rank is too high: then no rank is what matches. */
static gboolean
shape_matches (const SymProtoMessage *message, const SymShape *shape, const SymTerms *terms)
{
  const SymProtoEntry *entry;
  guint n = sym_proto_count (message, ONNX_SHAPE_DIM);
  guint i = 0;

  if (message == NULL || n > SYM_MAX_RANK)
    return shape->rank < 0;
  if (shape->rank != (int) n)
    return FALSE;
  for (guint at = 0; (entry = sym_proto_next (message, ONNX_SHAPE_DIM, &at)) != NULL;)
    if (!dim_matches (entry->message, shape->dims[i++], terms))
      return FALSE;
  return TRUE;
}

gboolean
sym_onnx_type_matches (const SymProtoMessage *message, const SymType *type, const SymTerms *terms)
{
  const SymProtoMessage *kind = get_alternative (message);
  SymType said = sym_onnx_read_type (message, NULL);

  if (is_map (kind, &kind))
    return type->kind == SYM_KIND_TENSOR && type->dtype == said.dtype;
  if (said.kind != type->kind || said.dtype != type->dtype || said.name != type->name ||
      type->n_elements > 0)
    return FALSE;
  if (kind != NULL &&
      (kind->type == &sym_onnx_sequence_kind_type || kind->type == &sym_onnx_optional_kind_type))
    kind = get_alternative (sym_proto_get_message (kind, 1));
  if (kind == NULL || kind->type != &sym_onnx_tensor_kind_type)
    return type->shape.rank < 0;
  return shape_matches (sym_proto_get_message (kind, ONNX_KIND_SHAPE), &type->shape, terms);
}

gboolean
sym_onnx_type_is_map (const SymProtoMessage *type)
{
  const SymProtoMessage *map;

  return is_map (get_alternative (type), &map);
}

/* ---- Making ---- */

static SymProtoMessage *
make_shape (SymProto *document, const SymShape *shape, const SymTerms *terms)
{
  SymProtoMessage *message = sym_proto_add (document, &sym_onnx_shape_type);

  for (int i = 0; i < shape->rank; i++)
    {
      SymProtoMessage *dim = sym_proto_add (document, &sym_onnx_dimension_type);
      g_autofree char *text = shape->dims[i] >= 0 || shape->dims[i] == SYM_DIM_UNKNOWN
                                  ? NULL
                                  : sym_terms_format (terms, shape->dims[i]);

      if (shape->dims[i] >= 0)
        sym_proto_append_int (dim, ONNX_DIM_VALUE, shape->dims[i]);
      else if (text != NULL)
        sym_proto_append_string (dim, ONNX_DIM_PARAM, text);
      sym_proto_append_message (message, ONNX_SHAPE_DIM, dim);
    }
  return message;
}

/* @inner as field @field of @kind, which is field @number of what is returned. */
static SymProtoMessage *
wrap_type (SymProto *document,
           SymProtoMessage *kind,
           guint field,
           SymProtoMessage *inner,
           guint number)
{
  SymProtoMessage *type = sym_proto_add (document, &sym_onnx_type_type);

  sym_proto_append_message (kind, field, inner);
  sym_proto_append_message (type, number, kind);
  return type;
}

SymProtoMessage *
sym_onnx_make_type (SymProto *document, const SymType *type, const SymTerms *terms)
{
  gint64 dtype = sym_onnx_get_dtype_number (type->dtype);
  SymProtoMessage *made, *kind;

  if (dtype == 0 || (type->kind != SYM_KIND_TENSOR && type->kind != SYM_KIND_SEQUENCE &&
                     type->kind != SYM_KIND_OPTIONAL))
    return NULL;
  kind = sym_proto_add (document, &sym_onnx_tensor_kind_type);
  sym_proto_append_int (kind, ONNX_KIND_ELEM, dtype);
  if (type->shape.rank >= 0)
    sym_proto_append_message (kind, ONNX_KIND_SHAPE, make_shape (document, &type->shape, terms));
  made = sym_proto_add (document, &sym_onnx_type_type);
  sym_proto_append_message (made, ONNX_TYPE_TENSOR_TYPE, kind);
  if (type->kind == SYM_KIND_TENSOR)
    return made;

  if (type->kind == SYM_KIND_SEQUENCE)
    return wrap_type (document, sym_proto_add (document, &sym_onnx_sequence_kind_type), 1, made,
                      ONNX_TYPE_SEQUENCE_TYPE);
  return wrap_type (document, sym_proto_add (document, &sym_onnx_optional_kind_type), 1, made,
                    ONNX_TYPE_OPTIONAL_TYPE);
}

SymProtoMessage *
sym_onnx_make_map_type (SymProto *document, SymDType key, SymDType number, gboolean is_sequence)
{
  SymType type = sym_type_tensor (number, SYM_SHAPE ());
  SymProtoMessage *map = sym_proto_add (document, &sym_onnx_map_kind_type), *made;

  sym_proto_append_int (map, ONNX_MAP_KEY, sym_onnx_get_dtype_number (key));
  made = wrap_type (document, map, ONNX_MAP_VALUE, sym_onnx_make_type (document, &type, NULL),
                    ONNX_TYPE_MAP_TYPE);
  return is_sequence ? wrap_type (document, sym_proto_add (document, &sym_onnx_sequence_kind_type),
                                  1, made, ONNX_TYPE_SEQUENCE_TYPE)
                     : made;
}
