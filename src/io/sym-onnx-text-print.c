/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"
#include "io/sym-proto-json.h"

#include <string.h>

#define PIECE_BYTES (64 << 10) /* a multiple of every element's size */

static gboolean
is_id (const char *name)
{
  if (!g_ascii_isalpha (*name) && *name != '_')
    return FALSE;
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && *at != '_')
      return FALSE;
  return TRUE;
}

void
sym_onnx_text_print_string (SymOnnxPrinter *self, const char *bytes, gsize size)
{
  g_string_append_c (self->out, '"');
  for (gsize i = 0; i < size; i++)
    {
      if (bytes[i] == '"' || bytes[i] == '\\')
        g_string_append_c (self->out, '\\');
      g_string_append_c (self->out, bytes[i]);
    }
  g_string_append_c (self->out, '"');
}

void
sym_onnx_text_print_name (SymOnnxPrinter *self, const char *name)
{
  if (name == NULL)
    name = "";
  if (is_id (name) && !sym_onnx_text_is_type_word (name) && !sym_onnx_text_is_number_word (name))
    g_string_append (self->out, name);
  else
    sym_onnx_text_print_string (self, name, strlen (name));
}

void
sym_onnx_text_print_pairs (SymOnnxPrinter *self, const SymProtoMessage *message, guint number)
{
  const SymProtoEntry *entry;
  const char *separator = "";

  g_string_append_c (self->out, '[');
  for (guint at = 0; (entry = sym_proto_next (message, number, &at)) != NULL;)
    {
      const char *key = sym_proto_get_text (entry->message, ONNX_ENTRY_KEY);
      const char *value = sym_proto_get_text (entry->message, ONNX_ENTRY_VALUE);

      g_string_append (self->out, separator);
      sym_onnx_text_print_string (self, key == NULL ? "" : key, key == NULL ? 0 : strlen (key));
      g_string_append (self->out, ": ");
      sym_onnx_text_print_string (self, value == NULL ? "" : value,
                                  value == NULL ? 0 : strlen (value));
      separator = ", ";
    }
  g_string_append_c (self->out, ']');
}

/* ---- Types ---- */

static void
print_dims (SymOnnxPrinter *self, const SymProtoMessage *shape)
{
  const SymProtoEntry *entry;
  const char *separator = "[";

  for (guint at = 0; (entry = sym_proto_next (shape, ONNX_SHAPE_DIM, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_DIM_PARAM);
      gint64 size = sym_proto_get_int (entry->message, ONNX_DIM_VALUE, -1);

      g_string_append (self->out, separator);
      if (sym_proto_find (entry->message, ONNX_DIM_VALUE) != NULL)
        g_string_append_printf (self->out, "%" G_GINT64_FORMAT, size);
      else if (name != NULL && *name != '\0')
        sym_onnx_text_print_name (self, name);
      else
        g_string_append_c (self->out, '?');
      separator = ", ";
    }
  if (*separator != '[')
    g_string_append_c (self->out, ']');
}

static void
print_tensor_kind (SymOnnxPrinter *self, const SymProtoMessage *kind)
{
  const SymProtoMessage *shape = sym_proto_get_message (kind, ONNX_KIND_SHAPE);

  g_string_append (self->out,
                   sym_onnx_text_get_dtype_name (sym_proto_get_int (kind, ONNX_KIND_ELEM, 0)));
  if (shape == NULL)
    g_string_append (self->out, "[]");
  else
    print_dims (self, shape);
}

static void
print_opaque (SymOnnxPrinter *self, const SymProtoMessage *kind)
{
  const char *domain = sym_proto_get_text (kind, 1);
  const char *name = sym_proto_get_text (kind, 2);

  g_string_append (self->out, "opaque(");
  if (domain != NULL && *domain != '\0')
    g_string_append_printf (self->out, "%s, ", domain);
  g_string_append_printf (self->out, "%s)", name == NULL ? "" : name);
}

static const SymProtoMessage *
get_kind (const SymProtoMessage *type)
{
  for (guint i = type == NULL ? 0 : type->n; i > 0; i--)
    if (type->entries[i - 1].held == SYM_PROTO_CHILD)
      return type->entries[i - 1].message;

  return NULL;
}

/* Dots are between names; NULL counts as none. */
static gboolean
is_dotted_id (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text == NULL ? "" : text, ".", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (!is_id (parts[i]))
      return FALSE;
  return TRUE;
}

/* Behind a domain there must be a name without dots. */
static gboolean
has_opaque_words (const SymProtoMessage *kind)
{
  const char *domain = sym_proto_get_text (kind, 1);
  const char *name = sym_proto_get_text (kind, 2);

  if (domain == NULL || *domain == '\0')
    return is_dotted_id (name);
  return is_dotted_id (domain) && name != NULL && is_id (name);
}

/* Whether there are words for all of a type; messages are nested no deeper than
 * SYM_PROTO_MAX_DEPTH. */
static gboolean
has_words (const SymProtoMessage *type)
{
  for (const SymProtoMessage *kind = get_kind (type); kind != NULL; kind = get_kind (type))
    {
      if (kind->type == &sym_onnx_opaque_kind_type)
        return has_opaque_words (kind);
      if (kind->type == &sym_onnx_tensor_kind_type || kind->type == &sym_onnx_sparse_kind_type ||
          kind->type == &sym_onnx_map_kind_type)
        if (sym_onnx_text_get_dtype_name (sym_proto_get_int (kind, 1, 0)) == NULL)
          return FALSE;
      if (kind->type == &sym_onnx_tensor_kind_type || kind->type == &sym_onnx_sparse_kind_type)
        return TRUE;
      type = sym_proto_get_message (kind, kind->type == &sym_onnx_map_kind_type ? 2 : 1);
    }
  return FALSE;
}

static gboolean
is_wrapping (const SymProtoMessage *kind)
{
  return kind != NULL &&
         (kind->type == &sym_onnx_sequence_kind_type ||
          kind->type == &sym_onnx_optional_kind_type || kind->type == &sym_onnx_map_kind_type);
}

/* A type without words is left out, with its space. */
void
sym_onnx_text_print_type (SymOnnxPrinter *self, const SymProtoMessage *type)
{
  const SymProtoMessage *kind;
  guint n_open = 0;

  if (type == NULL || !has_words (type))
    {
      self->n_left_out += type != NULL;
      return;
    }
  for (kind = get_kind (type); is_wrapping (kind); kind = get_kind (type))
    {
      gboolean is_map = kind->type == &sym_onnx_map_kind_type;

      if (is_map)
        g_string_append_printf (self->out, "map(%s, ",
                                sym_onnx_text_get_dtype_name (sym_proto_get_int (kind, 1, 0)));
      else
        g_string_append (self->out,
                         kind->type == &sym_onnx_sequence_kind_type ? "seq(" : "optional(");
      type = sym_proto_get_message (kind, is_map ? 2 : 1);
      n_open++;
    }
  g_assert (kind != NULL);
  if (kind->type == &sym_onnx_opaque_kind_type)
    print_opaque (self, kind);
  else if (kind->type == &sym_onnx_sparse_kind_type)
    {
      g_string_append (self->out, "sparse_tensor(");
      print_tensor_kind (self, kind);
      g_string_append_c (self->out, ')');
    }
  else
    print_tensor_kind (self, kind);
  while (n_open-- > 0)
    g_string_append_c (self->out, ')');
}

/* ---- Tensors ---- */

static gint64
sign (guint64 bits, guint width)
{
  return (gint64) (bits << (64 - 8 * width)) >> (64 - 8 * width);
}

static gboolean
is_signed (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_INT16 || dtype == SYM_DTYPE_INT32 ||
         dtype == SYM_DTYPE_INT64;
}

/* What has no number of its own is told by its bits. */
static void
print_element (SymOnnxPrinter *self, SymDType dtype, const guint8 *bytes, guint width)
{
  guint64 bits = 0;

  memcpy (&bits, bytes, width);
  bits = GUINT64_FROM_LE (bits);
  if (dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_COMPLEX64)
    sym_proto_append_float_text (self->out, sym_proto_to_float (bits));
  else if (dtype == SYM_DTYPE_FLOAT64 || dtype == SYM_DTYPE_COMPLEX128)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (self->out, g_ascii_dtostr (text, sizeof text, sym_proto_to_double (bits)));
    }
  else if (is_signed (dtype))
    g_string_append_printf (self->out, "%" G_GINT64_FORMAT, sign (bits, width));
  else
    g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, bits);
}

static guint
get_width (SymDType dtype)
{
  guint bits = sym_dtype_get_bits (dtype);

  if (dtype == SYM_DTYPE_COMPLEX64 || dtype == SYM_DTYPE_COMPLEX128)
    return bits / 16;
  return MAX (bits, 8) / 8;
}

static gboolean
print_numbers (SymOnnxPrinter *self, SymTensor *tensor, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  guint64 size = sym_tensor_get_n_bytes (tensor);
  guint width = get_width (dtype);
  g_autofree guint8 *piece = g_malloc (PIECE_BYTES);

  for (guint64 done = 0; done < size;)
    {
      gsize n = (gsize) MIN (size - done, PIECE_BYTES);

      if (!sym_tensor_read (tensor, done, n, piece, error))
        return FALSE;
      for (gsize at = 0; at < n; at += width)
        {
          g_string_append (self->out, done + at == 0 ? "" : ", ");
          print_element (self, dtype, piece + at, width);
        }
      done += n;
    }
  return TRUE;
}

static void
print_strings (SymOnnxPrinter *self, SymTensor *tensor)
{
  guint64 n = 0;

  sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n);
  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *string = sym_tensor_get_string (tensor, i, &length);

      g_string_append (self->out, i == 0 ? "" : ", ");
      sym_onnx_text_print_string (self, string, length);
    }
}

static gboolean
print_data (SymOnnxPrinter *self, const SymProtoMessage *message, GError **error)
{
  g_autoptr (SymTensor) tensor = sym_onnx_read_tensor (self->file, message, error);

  if (tensor == NULL)
    return FALSE;
  g_string_append_c (self->out, '{');
  if (sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING)
    print_strings (self, tensor);
  else if (!print_numbers (self, tensor, error))
    return FALSE;
  g_string_append_c (self->out, '}');
  return TRUE;
}

gboolean
sym_onnx_text_print_tensor (SymOnnxPrinter *self,
                            const SymProtoMessage *tensor,
                            gboolean is_initializer,
                            GError **error)
{
  const char *name = sym_proto_get_text (tensor, ONNX_TENSOR_NAME);
  const char *dtype =
      sym_onnx_text_get_dtype_name (sym_proto_get_int (tensor, ONNX_TENSOR_DATA_TYPE, 0));
  g_autoptr (GArray) dims = sym_proto_get_numbers (tensor, ONNX_TENSOR_DIMS);

  g_string_append (self->out, dtype == NULL ? "?" : dtype);
  for (guint i = 0; i < dims->len; i++)
    g_string_append_printf (self->out, "%s%" G_GINT64_FORMAT "%s", i == 0 ? "[" : ", ",
                            g_array_index (dims, gint64, i), i + 1 == dims->len ? "]" : "");
  if (is_initializer || (name != NULL && *name != '\0'))
    {
      g_string_append_c (self->out, ' ');
      sym_onnx_text_print_name (self, name);
    }
  g_string_append (self->out, is_initializer || sym_onnx_is_external (tensor) ? " = " : " ");
  if (dtype != NULL && sym_onnx_is_external (tensor))
    {
      sym_onnx_text_print_pairs (self, tensor, ONNX_TENSOR_EXTERNAL_DATA);
      return TRUE;
    }
  if (print_data (self, tensor, error))
    return TRUE;
  g_prefix_error (error, "the tensor '%s' cannot be written as text: ", name == NULL ? "" : name);
  return FALSE;
}

/* ---- Attributes ---- */

static const struct {
  const char *name;
  guint field;
} kinds[] = {
  [ONNX_FLOAT] = { "float", ONNX_ATTRIBUTE_F },
  [ONNX_INT] = { "int", ONNX_ATTRIBUTE_I },
  [ONNX_STRING] = { "string", ONNX_ATTRIBUTE_S },
  [ONNX_TENSOR] = { "tensor", ONNX_ATTRIBUTE_T },
  [ONNX_GRAPH] = { "graph", ONNX_ATTRIBUTE_G },
  [ONNX_FLOATS] = { "floats", ONNX_ATTRIBUTE_FLOATS },
  [ONNX_INTS] = { "ints", ONNX_ATTRIBUTE_INTS },
  [ONNX_STRINGS] = { "strings", ONNX_ATTRIBUTE_STRINGS },
  [ONNX_TENSORS] = { "tensors", ONNX_ATTRIBUTE_TENSORS },
  [ONNX_GRAPHS] = { "graphs", ONNX_ATTRIBUTE_GRAPHS },
  [ONNX_SPARSE_TENSOR] = { "sparse_tensor", 0 },
  [ONNX_SPARSE_TENSORS] = { "sparse_tensors", 0 },
  [ONNX_TYPE_PROTO] = { "type_proto", ONNX_ATTRIBUTE_TP },
  [ONNX_TYPE_PROTOS] = { "type_protos", ONNX_ATTRIBUTE_TYPE_PROTOS },
};

static gboolean
print_child (SymOnnxPrinter *self, const SymProtoMessage *child, GError **error)
{
  if (child->type == &sym_onnx_tensor_type)
    return sym_onnx_text_print_tensor (self, child, FALSE, error);
  if (child->type == &sym_onnx_graph_type)
    return sym_onnx_text_print_graph (self, child, error);
  if (has_words (child))
    {
      sym_onnx_text_print_type (self, child);
      return TRUE;
    }
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                       "an attribute is a type for which ONNX's text has no words");
  return FALSE;
}

static gboolean
print_entry (SymOnnxPrinter *self, guint field, const SymProtoEntry *entry, GError **error)
{
  if (entry->held == SYM_PROTO_CHILD)
    return print_child (self, entry->message, error);
  if (entry->held == SYM_PROTO_TEXT)
    sym_onnx_text_print_string (self, entry->bytes, (gsize) entry->size);
  else if (field == ONNX_ATTRIBUTE_F)
    sym_proto_append_float_text (self->out, sym_proto_to_float (entry->value));
  else
    g_string_append_printf (self->out, "%" G_GINT64_FORMAT, (gint64) entry->value);
  return TRUE;
}

static void
print_number_list (SymOnnxPrinter *self, const SymProtoMessage *attribute, guint field)
{
  g_autoptr (GArray) numbers = sym_proto_get_numbers (attribute, field);

  for (guint i = 0; i < numbers->len; i++)
    {
      guint64 bits = g_array_index (numbers, guint64, i);

      g_string_append (self->out, i == 0 ? "" : ", ");
      if (field == ONNX_ATTRIBUTE_FLOATS)
        sym_proto_append_float_text (self->out, sym_proto_to_float (bits));
      else
        g_string_append_printf (self->out, "%" G_GINT64_FORMAT, (gint64) bits);
    }
}

static gboolean
print_list (SymOnnxPrinter *self, const SymProtoMessage *attribute, guint field, GError **error)
{
  const SymProtoEntry *entry;
  const char *separator = "";

  g_string_append_c (self->out, '[');
  if (field == ONNX_ATTRIBUTE_INTS || field == ONNX_ATTRIBUTE_FLOATS)
    print_number_list (self, attribute, field);
  else
    for (guint at = 0; (entry = sym_proto_next (attribute, field, &at)) != NULL;)
      {
        g_string_append (self->out, separator);
        if (!print_entry (self, field, entry, error))
          return FALSE;
        separator = ", ";
      }
  g_string_append_c (self->out, ']');
  return TRUE;
}

static gboolean
fail_kind (guint kind, const char *name, GError **error)
{
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "attribute '%s' is of kind %s, for which ONNX's text has no words", name,
               kind == ONNX_UNDEFINED ? "none that is known" : kinds[kind].name);
  return FALSE;
}

gboolean
sym_onnx_text_print_attribute (SymOnnxPrinter *self,
                               const SymProtoMessage *attribute,
                               GError **error)
{
  const char *name = sym_proto_get_text (attribute, ONNX_ATTRIBUTE_NAME);
  const char *reference = sym_proto_get_text (attribute, ONNX_ATTRIBUTE_REF_ATTR_NAME);
  guint kind = sym_onnx_get_attribute_kind (attribute);
  const SymProtoEntry *entry;
  guint field;

  name = name == NULL ? "" : name;
  if (kind == ONNX_UNDEFINED || (kinds[kind].field == 0 && reference == NULL))
    return fail_kind (kind, name, error);
  field = kinds[kind].field;
  sym_onnx_text_print_name (self, name);
  g_string_append_printf (self->out, ": %s = ", kinds[kind].name);
  if (reference != NULL && *reference != '\0')
    {
      g_string_append_c (self->out, '@');
      sym_onnx_text_print_name (self, reference);
      return TRUE;
    }
  if (sym_proto_type_find (&sym_onnx_attribute_type, field)->flags & SYM_PROTO_REPEATED)
    return print_list (self, attribute, field, error);
  entry = sym_proto_find (attribute, field);
  if (entry != NULL)
    return print_entry (self, field, entry, error);
  if (kind == ONNX_FLOAT || kind == ONNX_INT || kind == ONNX_STRING)
    {
      g_string_append (self->out, kind == ONNX_FLOAT ? "0.0" : kind == ONNX_INT ? "0" : "\"\"");
      return TRUE;
    }
  return fail_kind (kind, name, error);
}
