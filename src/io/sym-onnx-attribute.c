/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

#include "io/sym-proto-json.h"

/* Files before IR version 2 may leave the kind out. */
static const struct {
  guint field;
  guint kind;
} guesses[] = {
  { ONNX_ATTRIBUTE_F, ONNX_FLOAT },
  { ONNX_ATTRIBUTE_I, ONNX_INT },
  { ONNX_ATTRIBUTE_S, ONNX_STRING },
  { ONNX_ATTRIBUTE_T, ONNX_TENSOR },
  { ONNX_ATTRIBUTE_G, ONNX_GRAPH },
  { ONNX_ATTRIBUTE_FLOATS, ONNX_FLOATS },
  { ONNX_ATTRIBUTE_INTS, ONNX_INTS },
  { ONNX_ATTRIBUTE_STRINGS, ONNX_STRINGS },
  { ONNX_ATTRIBUTE_TENSORS, ONNX_TENSORS },
  { ONNX_ATTRIBUTE_GRAPHS, ONNX_GRAPHS },
  { ONNX_ATTRIBUTE_SPARSE_TENSOR, ONNX_SPARSE_TENSOR },
  { ONNX_ATTRIBUTE_SPARSE_TENSORS, ONNX_SPARSE_TENSORS },
  { ONNX_ATTRIBUTE_TP, ONNX_TYPE_PROTO },
  { ONNX_ATTRIBUTE_TYPE_PROTOS, ONNX_TYPE_PROTOS },
};

guint
sym_onnx_get_attribute_kind (const SymProtoMessage *attribute)
{
  gint64 kind = sym_proto_get_int (attribute, ONNX_ATTRIBUTE_TYPE, 0);

  if (kind > 0 && kind <= ONNX_TYPE_PROTOS)
    return (guint) kind;
  for (guint i = 0; i < G_N_ELEMENTS (guesses); i++)
    if (sym_proto_find (attribute, guesses[i].field) != NULL)
      return guesses[i].kind;

  return ONNX_UNDEFINED;
}

static SymValue *
read_tensor (SymOnnxFile *file,
             const SymProtoMessage *attribute,
             const SymProtoMessage *tensor,
             const char *name,
             SymProblems *problems,
             SymId call)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) read = sym_onnx_read_tensor (file, tensor, &error);

  if (read != NULL)
    return sym_value_new_tensor (read);
  sym_problems_add (problems, SYM_SEVERITY_ERROR, attribute->line, SYM_NO_ID, call,
                    "the tensor of attribute '%s' cannot be read: %s", name, error->message);
  return sym_value_new_opaque ("tensor");
}

/* Dense, as layers want it. */
static SymValue *
read_sparse (SymOnnxFile *file,
             const SymProtoMessage *attribute,
             const SymProtoMessage *sparse,
             const char *name,
             SymProblems *problems,
             SymId call)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) read = sym_onnx_read_sparse (file, sparse, &error);

  if (read != NULL)
    return sym_value_new_tensor (read);
  sym_problems_add (problems, SYM_SEVERITY_ERROR, attribute->line, SYM_NO_ID, call,
                    "the sparse tensor of attribute '%s' cannot be read: %s", name, error->message);
  return sym_value_new_opaque ("sparse_tensor");
}

static SymValue *
make_list (GPtrArray *children)
{
  SymValue *list = sym_value_new_list ((SymValue *const *) children->pdata, children->len);

  g_ptr_array_unref (children);
  return list;
}

/* Of equal entries of a long list there is one value: those of forests hold a few over and over. */
typedef struct {
  guint64 keys[1024];
  SymValue *values[1024]; /* borrowed from the list */
} Shared;

#define SHARED_FROM 64

static SymValue *
new_number (guint64 bits, guint field)
{
  return field == ONNX_ATTRIBUTE_FLOATS ? sym_value_new_float ((double) sym_proto_to_float (bits))
                                        : sym_value_new_int ((gint64) bits);
}

static SymValue *
share_number (Shared *shared, guint64 bits, guint field)
{
  guint place = (guint) (bits * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 54);

  if (shared->values[place] != NULL && shared->keys[place] == bits)
    return sym_value_ref (shared->values[place]);
  shared->keys[place] = bits;
  shared->values[place] = new_number (bits, field);
  return shared->values[place];
}

static SymValue *
share_text (Shared *shared, const char *text)
{
  guint place = g_str_hash (text) % G_N_ELEMENTS (shared->values);
  SymValue *value = shared->values[place];

  if (value != NULL && strcmp (sym_value_get_string (value), text) == 0)
    return sym_value_ref (value);
  shared->values[place] = sym_value_new_string (text);
  return shared->values[place];
}

static SymValue *
read_numbers (const SymProtoMessage *attribute, guint field)
{
  g_autoptr (GArray) numbers = sym_proto_get_numbers (attribute, field);
  g_autofree Shared *shared = numbers->len < SHARED_FROM ? NULL : g_new0 (Shared, 1);
  GPtrArray *children = g_ptr_array_sized_new (numbers->len);

  for (guint i = 0; i < numbers->len; i++)
    {
      guint64 bits = g_array_index (numbers, guint64, i);

      g_ptr_array_add (children, shared == NULL ? new_number (bits, field)
                                                : share_number (shared, bits, field));
    }
  return make_list (children);
}

static SymValue *
read_texts (const SymProtoMessage *attribute)
{
  g_autofree Shared *shared = g_new0 (Shared, 1);
  GPtrArray *children = g_ptr_array_new ();
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (attribute, ONNX_ATTRIBUTE_STRINGS, &at)) != NULL;)
    {
      const char *text = sym_proto_entry_get_text (attribute, entry);

      if (text != NULL)
        g_ptr_array_add (children, share_text (shared, text));
    }
  return make_list (children);
}

/* One value for each entry of @field. */
static SymValue *
read_list (SymOnnxFile *file,
           const SymProtoMessage *attribute,
           guint field,
           const char *name,
           SymProblems *problems,
           SymId call)
{
  GPtrArray *children = g_ptr_array_new ();
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (attribute, field, &at)) != NULL;)
    {
      if (entry->held != SYM_PROTO_CHILD)
        continue;
      else if (field == ONNX_ATTRIBUTE_TENSORS)
        g_ptr_array_add (children,
                         read_tensor (file, attribute, entry->message, name, problems, call));
      else if (field == ONNX_ATTRIBUTE_TYPE_PROTOS)
        {
          g_autofree char *type = sym_onnx_format_type (entry->message);

          g_ptr_array_add (children, sym_value_new_opaque (type));
        }
      else
        g_ptr_array_add (children,
                         read_sparse (file, attribute, entry->message, name, problems, call));
    }
  return make_list (children);
}

static SymValue *
read_type (const SymProtoMessage *type)
{
  g_autofree char *text = sym_onnx_format_type (type);

  return sym_value_new_opaque (text);
}

SymValue *
sym_onnx_read_attribute (SymOnnxFile *file,
                         const SymProtoMessage *attribute,
                         SymProblems *problems,
                         SymId call)
{
  const char *name = sym_proto_get_text (attribute, ONNX_ATTRIBUTE_NAME);
  const char *text;

  name = name == NULL ? "" : name;
  switch (sym_onnx_get_attribute_kind (attribute))
    {
    case ONNX_FLOAT:
      return sym_value_new_float ((double) sym_proto_get_float (attribute, ONNX_ATTRIBUTE_F, 0));
    case ONNX_INT:
      return sym_value_new_int (sym_proto_get_int (attribute, ONNX_ATTRIBUTE_I, 0));
    case ONNX_STRING:
      text = sym_proto_get_text (attribute, ONNX_ATTRIBUTE_S);
      return sym_value_new_string (text == NULL ? "" : text);
    case ONNX_TENSOR:
      return read_tensor (file, attribute, sym_proto_get_message (attribute, ONNX_ATTRIBUTE_T),
                          name, problems, call);
    case ONNX_FLOATS:
      return read_numbers (attribute, ONNX_ATTRIBUTE_FLOATS);
    case ONNX_INTS:
      return read_numbers (attribute, ONNX_ATTRIBUTE_INTS);
    case ONNX_STRINGS:
      return read_texts (attribute);
    case ONNX_TENSORS:
      return read_list (file, attribute, ONNX_ATTRIBUTE_TENSORS, name, problems, call);
    case ONNX_SPARSE_TENSOR:
      return read_sparse (file, attribute,
                          sym_proto_get_message (attribute, ONNX_ATTRIBUTE_SPARSE_TENSOR), name,
                          problems, call);
    case ONNX_SPARSE_TENSORS:
      return read_list (file, attribute, ONNX_ATTRIBUTE_SPARSE_TENSORS, name, problems, call);
    case ONNX_TYPE_PROTO:
      return read_type (sym_proto_get_message (attribute, ONNX_ATTRIBUTE_TP));
    case ONNX_TYPE_PROTOS:
      return read_list (file, attribute, ONNX_ATTRIBUTE_TYPE_PROTOS, name, problems, call);
    case ONNX_GRAPH:
    case ONNX_GRAPHS:
      return NULL;
    default:
      return sym_value_new_none ();
    }
}

/* Numbers of a list that somebody may want to read: longer ones have no literal, which takes longer
 * to write than all else that is done with them. */
#define MOST_READ 1024

char *
sym_onnx_format_literal (const SymProtoMessage *attribute)
{
  guint kind = sym_onnx_get_attribute_kind (attribute);
  g_autoptr (GArray) numbers = NULL;
  g_autoptr (GString) out = NULL;

  if (kind != ONNX_FLOAT && kind != ONNX_FLOATS)
    return NULL;
  out = g_string_new (NULL);
  if (kind == ONNX_FLOAT)
    {
      sym_proto_append_float_text (out, sym_proto_get_float (attribute, ONNX_ATTRIBUTE_F, 0));
      return g_string_free (g_steal_pointer (&out), FALSE);
    }
  if (sym_proto_count (attribute, ONNX_ATTRIBUTE_FLOATS) > MOST_READ)
    return NULL;
  numbers = sym_proto_get_numbers (attribute, ONNX_ATTRIBUTE_FLOATS);
  g_string_append_c (out, '[');
  for (guint i = 0; i < numbers->len; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      sym_proto_append_float_text (out, sym_proto_to_float (g_array_index (numbers, guint64, i)));
    }
  g_string_append_c (out, ']');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* ---- Constants ---- */

static SymTensor *
new_tensor (SymDType dtype, const SymShape *shape, const void *bytes, gsize size, GError **error)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (copy);

  return sym_tensor_new (dtype, shape, blob, 0, error);
}

static SymTensor *
read_number_constant (const SymProtoMessage *attribute, guint kind, GError **error)
{
  gboolean is_float = kind == ONNX_FLOAT || kind == ONNX_FLOATS;
  guint field = kind == ONNX_FLOAT    ? ONNX_ATTRIBUTE_F
                : kind == ONNX_FLOATS ? ONNX_ATTRIBUTE_FLOATS
                : kind == ONNX_INT    ? ONNX_ATTRIBUTE_I
                                      : ONNX_ATTRIBUTE_INTS;
  g_autoptr (GArray) numbers = sym_proto_get_numbers (attribute, field);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 zero = 0;
  SymShape shape = SYM_SHAPE ();

  if (kind == ONNX_FLOATS || kind == ONNX_INTS)
    shape = SYM_SHAPE (numbers->len);
  else if (numbers->len == 0)
    g_array_append_val (numbers, zero);
  else
    g_array_remove_range (numbers, 0, numbers->len - 1);
  for (guint i = 0; i < numbers->len; i++)
    {
      guint64 bits = GUINT64_TO_LE (g_array_index (numbers, guint64, i));

      g_byte_array_append (bytes, (const guint8 *) &bits, is_float ? 4 : 8);
    }
  return new_tensor (is_float ? SYM_DTYPE_FLOAT32 : SYM_DTYPE_INT64, &shape, bytes->data,
                     bytes->len, error);
}

static SymTensor *
read_string_constant (const SymProtoMessage *attribute, guint kind, GError **error)
{
  guint field = kind == ONNX_STRING ? ONNX_ATTRIBUTE_S : ONNX_ATTRIBUTE_STRINGS;
  guint n = sym_proto_count (attribute, field);
  g_autofree const char **strings = g_new0 (const char *, n + 1);
  g_autofree gsize *lengths = g_new0 (gsize, n + 1);
  SymShape shape = kind == ONNX_STRING ? SYM_SHAPE () : SYM_SHAPE (n);
  const SymProtoEntry *entry;
  guint i = 0;

  for (guint at = 0; (entry = sym_proto_next (attribute, field, &at)) != NULL; i++)
    {
      strings[i] = entry->held == SYM_PROTO_TEXT ? entry->bytes : "";
      lengths[i] = entry->held == SYM_PROTO_TEXT ? (gsize) entry->size : 0;
    }
  if (kind == ONNX_STRING && n == 0)
    strings[0] = "";
  return sym_tensor_new_strings (&shape, kind == ONNX_STRING && n > 1 ? strings + n - 1 : strings,
                                 kind == ONNX_STRING && n > 1 ? lengths + n - 1 : lengths, error);
}

SymTensor *
sym_onnx_read_constant (SymOnnxFile *file, const SymProtoMessage *attribute, GError **error)
{
  guint kind = sym_onnx_get_attribute_kind (attribute);

  switch (kind)
    {
    case ONNX_TENSOR:
      return sym_onnx_read_tensor (file, sym_proto_get_message (attribute, ONNX_ATTRIBUTE_T),
                                   error);
    case ONNX_SPARSE_TENSOR:
      return sym_onnx_read_sparse (
          file, sym_proto_get_message (attribute, ONNX_ATTRIBUTE_SPARSE_TENSOR), error);
    case ONNX_FLOAT:
    case ONNX_FLOATS:
    case ONNX_INT:
    case ONNX_INTS:
      return read_number_constant (attribute, kind, error);
    case ONNX_STRING:
    case ONNX_STRINGS:
      return read_string_constant (attribute, kind, error);
    default:
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "its value is no tensor");
      return NULL;
    }
}
