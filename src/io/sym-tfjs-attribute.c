/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"

#include <string.h>

#include "core/sym-element.h"
#include "io/sym-json-private.h"

/* ---- Types ---- */

SymDType
sym_tfjs_get_dtype (gint64 number)
{
  static const SymDType table[] = {
    [1] = SYM_DTYPE_FLOAT32,     [2] = SYM_DTYPE_FLOAT64,   [3] = SYM_DTYPE_INT32,
    [4] = SYM_DTYPE_UINT8,       [5] = SYM_DTYPE_INT16,     [6] = SYM_DTYPE_INT8,
    [7] = SYM_DTYPE_STRING,      [8] = SYM_DTYPE_COMPLEX64, [9] = SYM_DTYPE_INT64,
    [10] = SYM_DTYPE_BOOL,       [14] = SYM_DTYPE_BFLOAT16, [17] = SYM_DTYPE_UINT16,
    [18] = SYM_DTYPE_COMPLEX128, [19] = SYM_DTYPE_FLOAT16,  [22] = SYM_DTYPE_UINT32,
    [23] = SYM_DTYPE_UINT64,
  };

  return number >= 0 && number < (gint64) G_N_ELEMENTS (table) ? table[number] : SYM_DTYPE_UNKNOWN;
}

SymDType
sym_tfjs_read_dtype (const SymJson *json, guint token)
{
  g_autofree char *name = sym_json_dup_string (json, token);
  gint64 number;

  if (name != NULL)
    return sym_net_parse_dtype (name);
  return sym_json_get_int (json, token, &number) ? sym_tfjs_get_dtype (number) : SYM_DTYPE_UNKNOWN;
}

static gboolean
parse_int (const SymJson *json, guint token, gint64 *number)
{
  g_autofree char *text = sym_json_dup_string (json, token);

  if (text != NULL)
    return g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, number, NULL);
  return sym_json_get_int (json, token, number);
}

/* Numbers of 64 bits are strings in protobuf's JSON. */
static gboolean
read_int (const SymJson *json, guint token, gint64 *number)
{
  guint64 digits;

  if (!sym_json_get_quoted_digits (json, token, &digits))
    return parse_int (json, token, number);
  *number = (gint64) digits;
  return TRUE;
}

SymShape
sym_tfjs_read_shape (const SymJson *json, guint token)
{
  SymShape shape = { .rank = 0 };
  gboolean is_unknown = FALSE;

  sym_json_get_bool (json, sym_json_get_member (json, token, "unknownRank"), &is_unknown);
  if (is_unknown || sym_json_get_kind (json, token) != SYM_JSON_OBJECT)
    return SYM_SHAPE_UNKNOWN;
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, token, "dim"));
       sym_json_iter_next (json, &i);)
    {
      gint64 size = 0; /* as protobuf leaves it out */

      if (shape.rank == SYM_MAX_RANK)
        return SYM_SHAPE_UNKNOWN;
      read_int (json, sym_json_get_member (json, i.value, "size"), &size);
      shape.dims[shape.rank++] = size >= 0 ? size : SYM_DIM_UNKNOWN;
    }
  return shape;
}

/* ---- Tensors ---- */

/* Where each dtype keeps the numbers that are not in "tensorContent". */
static guint
get_numbers (const SymJson *json, guint token, SymDType dtype)
{
  static const struct {
    const char *member;
    SymDType dtypes[6];
  } table[] = {
    { "floatVal", { SYM_DTYPE_FLOAT32 } },
    { "doubleVal", { SYM_DTYPE_FLOAT64 } },
    { "intVal",
      { SYM_DTYPE_INT32, SYM_DTYPE_UINT8, SYM_DTYPE_INT16, SYM_DTYPE_INT8, SYM_DTYPE_UINT16 } },
    { "int64Val", { SYM_DTYPE_INT64 } },
    { "boolVal", { SYM_DTYPE_BOOL } },
    { "halfVal", { SYM_DTYPE_FLOAT16, SYM_DTYPE_BFLOAT16 } },
    { "uint32Val", { SYM_DTYPE_UINT32 } },
    { "uint64Val", { SYM_DTYPE_UINT64 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    for (guint j = 0; j < G_N_ELEMENTS (table[i].dtypes); j++)
      if (table[i].dtypes[j] == dtype)
        return sym_json_get_member (json, token, table[i].member);

  return SYM_JSON_NONE;
}

static void
store_number (const SymJson *json, guint token, SymDType dtype, guint8 *out, guint64 i)
{
  gboolean boolean = FALSE;
  gint64 integer = 0;
  double number = 0;

  if (dtype == SYM_DTYPE_FLOAT16 || dtype == SYM_DTYPE_BFLOAT16)
    dtype = SYM_DTYPE_UINT16; /* their bits are listed */
  if (sym_json_get_bool (json, token, &boolean))
    sym_element_set_int (dtype, out, i, boolean);
  else if (!sym_dtype_is_floating (dtype) && read_int (json, token, &integer))
    sym_element_set_int (dtype, out, i, integer);
  else if (sym_json_get_double (json, token, &number))
    sym_element_set_double (dtype, out, i, number);
}

/* Where there are fewer numbers than elements the last one stands for the rest.  Nothing beyond 1
 * MiB is made of few. */
static GBytes *
read_numbers (const SymJson *json, guint list, SymDType dtype, guint64 n)
{
  guint64 size = 0, n_given = sym_json_count (json, list), i = 0;
  guint8 *out;

  if (!sym_dtype_get_size (dtype, n, &size) || (size > (1 << 20) && n_given < n) || n_given > n ||
      (n_given == 0 && n > 0))
    return NULL;
  out = g_malloc0 (size + 1);
  for (SymJsonIter iter = sym_json_iterate (json, list); sym_json_iter_next (json, &iter); i++)
    store_number (json, iter.value, dtype, out, i);
  for (guint64 step = n == 0 ? 0 : size / n; i < n && i > 0; i++)
    memcpy (out + i * step, out + (i - 1) * step, step);
  return g_bytes_new_take (out, size);
}

static GBytes *
read_content (const SymJson *json, guint content)
{
  g_autofree char *text = sym_json_dup_string (json, content);
  gsize size;
  guchar *bytes;

  if (text == NULL || text[0] == '\0')
    return NULL;
  bytes = g_base64_decode (text, &size);
  return g_bytes_new_take (bytes, size);
}

/* Bytes that are in the document, or at a place of its file. */
static SymBlob *
read_blob (const SymTfjsDocument *document, guint token, SymDType dtype, guint64 n, guint64 *at)
{
  const SymJson *json = document->json;
  guint content = sym_json_get_member (json, token, "tensorContent");
  guint64 wanted = 0;
  gint64 offset = 0, size = 0;
  g_autoptr (GBytes) bytes = NULL;

  *at = 0;
  if (document->blob != NULL && sym_json_get_kind (json, content) == SYM_JSON_OBJECT &&
      sym_json_get_int (json, sym_json_get_member (json, content, "offset"), &offset) &&
      sym_json_get_int (json, sym_json_get_member (json, content, "size"), &size) && size > 0)
    {
      *at = (guint64) offset;
      return sym_dtype_get_size (dtype, n, &wanted) && wanted == (guint64) size
                 ? sym_blob_ref (document->blob)
                 : NULL;
    }
  bytes = read_content (json, content);
  if (bytes == NULL)
    bytes = read_numbers (json, get_numbers (json, token, dtype), dtype, n);
  return bytes == NULL ? NULL : sym_blob_new_bytes (bytes);
}

SymTensor *
sym_tfjs_read_tensor (const SymTfjsDocument *document, guint token)
{
  const SymJson *json = document->json;
  SymDType dtype = sym_tfjs_read_dtype (json, sym_json_get_member (json, token, "dtype"));
  SymShape shape = sym_tfjs_read_shape (json, sym_json_get_member (json, token, "tensorShape"));
  g_autoptr (SymBlob) blob = NULL;
  guint64 n, at;

  if (dtype == SYM_DTYPE_UNKNOWN || dtype == SYM_DTYPE_STRING || sym_dtype_get_bits (dtype) < 8 ||
      !sym_shape_get_n_elements (&shape, &n))
    return NULL;
  blob = read_blob (document, token, dtype, n, &at);
  return blob == NULL ? NULL : sym_tensor_new (dtype, &shape, blob, at, NULL);
}

/* ---- Attributes ---- */

/* The first converters list the bytes, later ones have them in base64. */
char *
sym_tfjs_dup_bytes (const SymJson *json, guint token, gsize *size)
{
  g_autofree char *text = sym_json_dup_string (json, token);
  GString *bytes;

  if (text != NULL)
    {
      *size = 0;
      return text[0] == '\0' ? g_strdup ("") : (char *) g_base64_decode (text, size);
    }
  bytes = g_string_new (NULL);
  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    {
      gint64 byte = 0;

      if (!sym_json_get_int (json, i.value, &byte) || byte < 0 || byte > G_MAXUINT8)
        break;
      g_string_append_c (bytes, (char) byte);
    }
  *size = bytes->len;
  return g_string_free (bytes, FALSE);
}

/* Those that are text are told as text, others as they are written. */
static SymValue *
read_bytes (const SymJson *json, guint token)
{
  gsize size;
  g_autofree char *bytes = sym_tfjs_dup_bytes (json, token, &size);
  g_autofree char *decoded = g_strndup (bytes, size);
  g_autofree char *text = NULL;

  if (strlen (decoded) == size && g_utf8_validate (decoded, -1, NULL))
    return sym_value_new_string (decoded);
  text = sym_json_dup_string (json, token);
  return text == NULL ? sym_net_read_value (json, token) : sym_value_new_string (text);
}

static SymValue *
read_shape_value (const SymJson *json, guint token)
{
  SymShape shape = sym_tfjs_read_shape (json, token);

  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      shape.dims[i] = -1;
  return shape.rank < 0 ? sym_value_new_none ()
                        : sym_value_new_ints (SYM_VALUE_LIST, shape.dims, (guint) shape.rank);
}

/* A type that is no dtype, as DT_VARIANT, is told by its name. */
static SymValue *
read_type (const SymJson *json, guint token)
{
  SymDType dtype = sym_tfjs_read_dtype (json, token);

  return dtype == SYM_DTYPE_UNKNOWN ? sym_net_read_value (json, token)
                                    : sym_value_new_dtype (dtype);
}

static SymValue *
read_scalar (const SymJson *json, const char *kind, guint token)
{
  gint64 integer = 0;

  if (strcmp (kind, "type") == 0)
    return read_type (json, token);
  if (strcmp (kind, "s") == 0)
    return read_bytes (json, token);
  if (strcmp (kind, "i") == 0 && read_int (json, token, &integer))
    return sym_value_new_int (integer);
  if (strcmp (kind, "shape") == 0)
    return read_shape_value (json, token);
  if (strcmp (kind, "tensor") == 0)
    return sym_value_new_opaque ("tensor");
  if (strcmp (kind, "func") == 0)
    return sym_net_read_value (json, sym_json_get_member (json, token, "name"));
  return sym_net_read_value (json, token);
}

/* {"i": ["1", "2"], "s": []}: the one that is not empty. */
static SymValue *
read_list (const SymJson *json, guint list)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *kind = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (kind == NULL || values->len > 0)
        continue;
      for (SymJsonIter j = sym_json_iterate (json, i.value); sym_json_iter_next (json, &j);)
        g_ptr_array_add (values, read_scalar (json, kind, j.value));
    }
  return sym_value_new_list ((SymValue *const *) values->pdata, values->len);
}

/* An attribute is an object of one member that says what it is. */
SymValue *
sym_tfjs_read_attribute (const SymJson *json, guint token, gpointer user_data)
{
  SymJsonIter only = sym_json_iterate (json, token);
  g_autofree char *kind = NULL;

  if (!sym_json_iter_next (json, &only) || only.key == SYM_JSON_NONE)
    return sym_value_new_none ();
  kind = sym_json_dup_string (json, only.key);
  return strcmp (kind, "list") == 0 ? read_list (json, only.value)
                                    : read_scalar (json, kind, only.value);
}

SymAttributes *
sym_tfjs_read_attributes (const SymJson *json, guint map)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, map); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (name != NULL)
        sym_attributes_set (attributes, name, sym_tfjs_read_attribute (json, i.value, NULL), NULL);
    }
  return attributes;
}
