/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

SymProtoMessage *
sym_onnx_make_tensor (SymProto *document, const char *name, SymTensor *tensor)
{
  SymProtoMessage *message = sym_proto_add (document, &sym_onnx_tensor_type);
  const SymShape *shape = sym_tensor_get_shape (tensor);
  SymDType dtype = sym_tensor_get_dtype (tensor);
  guint64 n = 0;

  for (int i = 0; i < shape->rank; i++)
    sym_proto_append_int (message, ONNX_TENSOR_DIMS, shape->dims[i]);
  sym_proto_append_int (message, ONNX_TENSOR_DATA_TYPE, sym_onnx_get_dtype_number (dtype));
  if (dtype == SYM_DTYPE_STRING)
    {
      sym_shape_get_n_elements (shape, &n);
      for (guint64 i = 0; i < n; i++)
        {
          gsize length;
          const char *string = sym_tensor_get_string (tensor, i, &length);

          sym_proto_append_bytes (message, ONNX_TENSOR_STRING_DATA, string, length);
        }
    }
  if (name != NULL)
    sym_proto_append_string (message, ONNX_TENSOR_NAME, name);
  if (dtype != SYM_DTYPE_STRING)
    sym_proto_append_tensor (message, ONNX_TENSOR_RAW_DATA, tensor);
  return message;
}

/* The kind of a list, which all its elements must be of: numbers among which one is a float are
 * floats. */
static guint
get_list_kind (const SymValue *list)
{
  guint n = sym_value_get_n_children (list);
  guint kind = ONNX_INTS;

  for (guint i = 0; i < n; i++)
    {
      const SymValue *child = sym_value_get_child (list, i);

      switch ((guint) sym_value_get_kind (child))
        {
        case SYM_VALUE_BOOL:
        case SYM_VALUE_INT:
          if (kind == ONNX_STRINGS)
            return ONNX_UNDEFINED;
          break;
        case SYM_VALUE_FLOAT:
          if (kind == ONNX_STRINGS)
            return ONNX_UNDEFINED;
          kind = ONNX_FLOATS;
          break;
        case SYM_VALUE_STRING:
          if (i > 0 && kind != ONNX_STRINGS)
            return ONNX_UNDEFINED;
          kind = ONNX_STRINGS;
          break;
        default:
          return ONNX_UNDEFINED;
        }
    }
  return kind;
}

static void
append_list (SymProtoMessage *message, const SymValue *list, guint kind)
{
  for (guint i = 0; i < sym_value_get_n_children (list); i++)
    {
      const SymValue *child = sym_value_get_child (list, i);
      gint64 integer = 0;
      double number = 0;

      if (kind == ONNX_STRINGS)
        sym_proto_append_string (message, ONNX_ATTRIBUTE_STRINGS, sym_value_get_string (child));
      else if (kind == ONNX_INTS && sym_value_get_int (child, &integer))
        sym_proto_append_int (message, ONNX_ATTRIBUTE_INTS, integer);
      else if (sym_value_get_float (child, &number))
        sym_proto_append_float (message, ONNX_ATTRIBUTE_FLOATS, (float) number);
    }
}

/* Appends the value; its kind, ONNX_UNDEFINED where there is none such. */
static guint
append_value (SymProtoMessage *message, const SymValue *value)
{
  gint64 integer = 0;
  double number = 0;
  guint kind;

  switch ((guint) sym_value_get_kind (value))
    {
    case SYM_VALUE_BOOL:
    case SYM_VALUE_INT:
      sym_value_get_int (value, &integer);
      sym_proto_append_int (message, ONNX_ATTRIBUTE_I, integer);
      return ONNX_INT;
    case SYM_VALUE_FLOAT:
      sym_value_get_float (value, &number);
      sym_proto_append_float (message, ONNX_ATTRIBUTE_F, (float) number);
      return ONNX_FLOAT;
    case SYM_VALUE_STRING:
      sym_proto_append_string (message, ONNX_ATTRIBUTE_S, sym_value_get_string (value));
      return ONNX_STRING;
    case SYM_VALUE_TENSOR:
      sym_proto_append_message (
          message, ONNX_ATTRIBUTE_T,
          sym_onnx_make_tensor (message->document, NULL, sym_value_get_tensor (value)));
      return ONNX_TENSOR;
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
      kind = get_list_kind (value);
      if (kind != ONNX_UNDEFINED)
        append_list (message, value, kind);
      return kind;
    default:
      return ONNX_UNDEFINED;
    }
}

SymProtoMessage *
sym_onnx_make_attribute (SymProto *document,
                         const char *name,
                         const SymValue *value,
                         GError **error)
{
  SymProtoMessage *message = sym_proto_add (document, &sym_onnx_attribute_type);
  g_autofree char *text = NULL;
  guint kind;

  sym_proto_append_string (message, ONNX_ATTRIBUTE_NAME, name);
  kind = append_value (message, value);
  if (kind != ONNX_UNDEFINED)
    {
      sym_proto_append_int (message, ONNX_ATTRIBUTE_TYPE, kind);
      return message;
    }
  text = sym_value_to_string (value);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "attribute '%s' is %s; ONNX has numbers, strings, lists of one of these, and "
               "tensors",
               name, text);
  return NULL;
}
