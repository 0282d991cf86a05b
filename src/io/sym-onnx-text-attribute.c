/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

/* By the numbers of AttributeProto.type. */
static const struct {
  const char *name;
  guint one; /* what a list is of */
} kinds[] = {
  [ONNX_FLOAT] = { "float", 0 },
  [ONNX_INT] = { "int", 0 },
  [ONNX_STRING] = { "string", 0 },
  [ONNX_TENSOR] = { "tensor", 0 },
  [ONNX_GRAPH] = { "graph", 0 },
  [ONNX_FLOATS] = { "floats", ONNX_FLOAT },
  [ONNX_INTS] = { "ints", ONNX_INT },
  [ONNX_STRINGS] = { "strings", ONNX_STRING },
  [ONNX_TENSORS] = { "tensors", ONNX_TENSOR },
  [ONNX_GRAPHS] = { "graphs", ONNX_GRAPH },
  [ONNX_SPARSE_TENSOR] = { "sparse_tensor", 0 },
  [ONNX_SPARSE_TENSORS] = { "sparse_tensors", ONNX_SPARSE_TENSOR },
  [ONNX_TYPE_PROTO] = { "type_proto", 0 },
  [ONNX_TYPE_PROTOS] = { "type_protos", ONNX_TYPE_PROTO },
};

static guint
find_kind (const char *name)
{
  for (guint i = 1; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, name))
      return i;

  return ONNX_UNDEFINED;
}

static guint
find_list_kind (guint one)
{
  for (guint i = 1; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].one == one)
      return i;

  return ONNX_UNDEFINED;
}

/* ---- Single values ---- */

/* The fields of a single value, and of a list of such. */
static guint
get_field (guint kind, gboolean is_list)
{
  switch (kind)
    {
    case ONNX_FLOAT:
      return is_list ? ONNX_ATTRIBUTE_FLOATS : ONNX_ATTRIBUTE_F;
    case ONNX_INT:
      return is_list ? ONNX_ATTRIBUTE_INTS : ONNX_ATTRIBUTE_I;
    case ONNX_STRING:
      return is_list ? ONNX_ATTRIBUTE_STRINGS : ONNX_ATTRIBUTE_S;
    case ONNX_TENSOR:
      return is_list ? ONNX_ATTRIBUTE_TENSORS : ONNX_ATTRIBUTE_T;
    case ONNX_GRAPH:
      return is_list ? ONNX_ATTRIBUTE_GRAPHS : ONNX_ATTRIBUTE_G;
    default:
      return is_list ? ONNX_ATTRIBUTE_TYPE_PROTOS : ONNX_ATTRIBUTE_TP;
    }
}

static gboolean
read_number (SymOnnxText *self,
             SymProtoMessage *attribute,
             gboolean is_list,
             guint wanted,
             guint *found,
             GError **error)
{
  SymOnnxTextNumber kind;
  g_autoptr (GString) text = sym_onnx_text_expect_number (self, &kind, error);
  gint64 integer;

  if (text == NULL)
    return FALSE;
  *found = kind == SYM_ONNX_TEXT_FLOAT || wanted == ONNX_FLOAT ? ONNX_FLOAT : ONNX_INT;
  if (*found == ONNX_FLOAT)
    {
      sym_proto_append_float (attribute, get_field (*found, is_list),
                              (float) g_ascii_strtod (text->str, NULL));
      return TRUE;
    }
  if (!g_ascii_string_to_signed (text->str, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    return sym_onnx_text_fail (self, error, "“%s” is no integer of 64 bits", text->str);
  sym_proto_append_int (attribute, get_field (*found, is_list), integer);
  return TRUE;
}

static gboolean
read_string (SymOnnxText *self, SymProtoMessage *attribute, gboolean is_list, GError **error)
{
  g_autoptr (GString) string = sym_onnx_text_expect_string (self, error);

  if (string != NULL)
    sym_proto_append_bytes (attribute, get_field (ONNX_STRING, is_list), string->str, string->len);
  return string != NULL;
}

/* A type alone is a type; with a name or numbers behind it, a tensor. */
static gboolean
read_type_or_tensor (SymOnnxText *self,
                     SymProtoMessage *attribute,
                     gboolean is_list,
                     guint *found,
                     GError **error)
{
  SymProtoMessage *type = sym_onnx_text_read_type (self, error);
  SymProtoMessage *tensor;
  char next;

  if (type == NULL)
    return FALSE;
  next = sym_onnx_text_peek (self);
  *found = next == '{' || next == '=' || sym_onnx_text_is_name_next (self) ? ONNX_TENSOR
                                                                           : ONNX_TYPE_PROTO;
  if (*found == ONNX_TYPE_PROTO)
    {
      sym_proto_append_message (attribute, get_field (*found, is_list), type);
      return TRUE;
    }
  tensor = sym_proto_add (self->document, &sym_onnx_tensor_type);
  sym_proto_append_message (attribute, get_field (*found, is_list), tensor);
  if (sym_onnx_text_is_name_next (self))
    {
      g_autoptr (GString) name = sym_onnx_text_expect_name (self, error);

      if (name == NULL)
        return FALSE;
      sym_proto_append_bytes (tensor, ONNX_TENSOR_NAME, name->str, name->len);
    }
  sym_onnx_text_take (self, '=');
  return sym_onnx_text_read_tensor (self, type, tensor, error);
}

static gboolean
is_number_next (SymOnnxText *self)
{
  char next = sym_onnx_text_peek (self);
  g_autofree char *word = sym_onnx_text_peek_id (self);

  if (word != NULL)
    return sym_onnx_text_is_number_word (word);
  return next == '-' || next == '.' || g_ascii_isdigit (next);
}

static gboolean
read_graph (SymOnnxText *self, SymProtoMessage *attribute, gboolean is_list, GError **error)
{
  SymProtoMessage *graph = sym_onnx_text_read_graph (self, error);

  if (graph != NULL)
    sym_proto_append_message (attribute, get_field (ONNX_GRAPH, is_list), graph);
  return graph != NULL;
}

static gboolean
read_single (SymOnnxText *self,
             SymProtoMessage *attribute,
             gboolean is_list,
             guint wanted,
             guint *found,
             GError **error)
{
  if (is_number_next (self))
    return read_number (self, attribute, is_list, wanted, found, error);
  if (sym_onnx_text_is_type_next (self))
    return read_type_or_tensor (self, attribute, is_list, found, error);
  /* A graph may have a name in quotes, too, but then its type is told. */
  if (sym_onnx_text_peek (self) == '"' && wanted != ONNX_GRAPH)
    {
      *found = ONNX_STRING;
      return read_string (self, attribute, is_list, error);
    }
  *found = ONNX_GRAPH;
  return read_graph (self, attribute, is_list, error);
}

/* ---- Attributes ---- */

static gboolean
check_kind (SymOnnxText *self, guint wanted, guint found, GError **error)
{
  return wanted == ONNX_UNDEFINED || wanted == found ||
         sym_onnx_text_fail (self, error, "a value of kind %s was expected, not of kind %s",
                             kinds[wanted].name, kinds[found].name);
}

static gboolean
read_list (SymOnnxText *self, SymProtoMessage *attribute, guint *kind, GError **error)
{
  guint one = *kind == ONNX_UNDEFINED ? ONNX_UNDEFINED : kinds[*kind].one;

  if (*kind != ONNX_UNDEFINED && one == ONNX_UNDEFINED)
    return sym_onnx_text_fail (self, error, "a value of kind %s is no list", kinds[*kind].name);
  if (sym_onnx_text_take (self, ']'))
    return *kind != ONNX_UNDEFINED ||
           sym_onnx_text_fail (self, error, "of an empty list the type must be told");
  do
    {
      guint found;

      if (!read_single (self, attribute, TRUE, one, &found, error) ||
          !check_kind (self, one, found, error))
        return FALSE;
      one = found;
    }
  while (sym_onnx_text_take (self, ','));
  *kind = find_list_kind (one);
  return sym_onnx_text_expect (self, ']', error);
}

static gboolean
read_reference (SymOnnxText *self, SymProtoMessage *attribute, GError **error)
{
  g_autoptr (GString) name = sym_onnx_text_expect_name (self, error);

  if (name != NULL)
    sym_proto_append_bytes (attribute, ONNX_ATTRIBUTE_REF_ATTR_NAME, name->str, name->len);
  return name != NULL;
}

static gboolean
read_value (SymOnnxText *self, SymProtoMessage *attribute, guint *kind, GError **error)
{
  guint found;

  if (sym_onnx_text_take (self, '@'))
    return read_reference (self, attribute, error);
  if (sym_onnx_text_take (self, '['))
    return read_list (self, attribute, kind, error);
  if (!read_single (self, attribute, FALSE, *kind, &found, error) ||
      !check_kind (self, *kind, found, error))
    return FALSE;
  *kind = found;
  return TRUE;
}

gboolean
sym_onnx_text_read_attribute (SymOnnxText *self, SymProtoMessage *attribute, GError **error)
{
  guint kind = ONNX_UNDEFINED;

  if (sym_onnx_text_take (self, ':'))
    {
      g_autofree char *name = sym_onnx_text_expect_id (self, error);

      if (name == NULL)
        return FALSE;
      kind = find_kind (name);
      if (kind == ONNX_UNDEFINED)
        return sym_onnx_text_fail (self, error, "“%s” is no kind of attribute", name);
    }
  if (!sym_onnx_text_expect (self, '=', error) || !read_value (self, attribute, &kind, error))
    return FALSE;
  if (kind != ONNX_UNDEFINED)
    sym_proto_append_int (attribute, ONNX_ATTRIBUTE_TYPE, kind);
  return TRUE;
}
