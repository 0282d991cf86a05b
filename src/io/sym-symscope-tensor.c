/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* {"dtype": "float32", "shape": [2], "data": [1.0, 0.5]}, numbers in row major order; or, for what
 * numbers cannot tell, "base64" of the packed little-endian bytes in place of "data".  Strings are
 * JSON's, or, if one of them is no text, all are base64: {"dtype": "string", "shape": [1],
 * "base64": ["AAE="]}. */
#define MAX_NUMBERS 64
#define MAX_BYTES 512

/* Elements with numbers of their own in JSON: packed in whole bytes, read without loss as double or
 * 64-bit integer. */
static gboolean
has_numbers (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL || dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_FLOAT64 ||
         (sym_dtype_is_integer (dtype) && sym_dtype_get_bits (dtype) >= 8);
}

static guint64
get_n_elements (SymTensor *tensor)
{
  guint64 n = 0;

  sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n);
  return n;
}

gboolean
sym_symscope_is_inline (SymTensor *tensor)
{
  return !sym_store_safetensors_takes (tensor);
}

gboolean
sym_symscope_is_small (SymTensor *tensor)
{
  guint64 size = sym_tensor_get_n_bytes (tensor);

  return sym_symscope_is_inline (tensor) ||
         (size <= MAX_BYTES && get_n_elements (tensor) <= MAX_NUMBERS);
}

/* ---- Writing ---- */

static gboolean
is_finite (SymDType dtype, const guint8 *bytes, gsize size)
{
  float f;
  double d;

  for (gsize i = 0; dtype == SYM_DTYPE_FLOAT32 && i < size; i += sizeof f)
    {
      memcpy (&f, bytes + i, sizeof f);
      if (!isfinite (f))
        return FALSE;
    }
  for (gsize i = 0; dtype == SYM_DTYPE_FLOAT64 && i < size; i += sizeof d)
    {
      memcpy (&d, bytes + i, sizeof d);
      if (!isfinite (d))
        return FALSE;
    }
  return TRUE;
}

/* The shortest text that reads back as the same float: 0.1, where as a double it is
 * 0.10000000149. */
static void
append_float (GString *out, float number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 6; digits <= 9; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, (double) number);
      if ((float) g_ascii_strtod (buffer, NULL) == number)
        break;
    }
  g_string_append (out, buffer);
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (out, ".0");
}

/* Bytes are little-endian, as they are on every machine that this runs on. */
static void
append_element (GString *out, SymDType dtype, const guint8 *bytes)
{
  guint n_bytes = sym_dtype_get_bits (dtype) / 8;
  guint64 raw = 0;
  gint64 number;
  float f;
  double d;

  memcpy (&raw, bytes, n_bytes);
  raw = GUINT64_FROM_LE (raw);
  if (dtype == SYM_DTYPE_BOOL)
    g_string_append (out, raw != 0 ? "true" : "false");
  else if (dtype == SYM_DTYPE_FLOAT32)
    {
      memcpy (&f, bytes, sizeof f);
      append_float (out, f);
    }
  else if (dtype == SYM_DTYPE_FLOAT64)
    {
      memcpy (&d, bytes, sizeof d);
      sym_json_append_double (out, d);
    }
  else if (g_str_has_prefix (sym_dtype_to_string (dtype), "u"))
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, raw);
  else
    {
      guint shift = 64 - n_bytes * 8;

      number = (gint64) (raw << shift) >> shift;
      g_string_append_printf (out, "%" G_GINT64_FORMAT, number);
    }
}

/* A bool of other bytes than 0 and 1 would not come back. */
static gboolean
can_be_numbers (SymDType dtype, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; dtype == SYM_DTYPE_BOOL && i < size; i++)
    if (bytes[i] > 1)
      return FALSE;

  return has_numbers (dtype) && is_finite (dtype, bytes, size) &&
         size / (sym_dtype_get_bits (dtype) / 8) <= MAX_NUMBERS;
}

static void
append_shape (GString *out, const SymShape *shape)
{
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", shape->dims[i]);
}

/* JSON has no word for a NUL, nor for what is not UTF-8. */
static gboolean
are_texts (SymTensor *tensor)
{
  guint64 n = get_n_elements (tensor);

  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *string = sym_tensor_get_string (tensor, i, &length);

      if (!g_utf8_validate_len (string, length, NULL))
        return FALSE;
    }
  return TRUE;
}

static void
append_strings (GString *out, SymTensor *tensor)
{
  guint64 n = get_n_elements (tensor);
  gboolean is_text = are_texts (tensor);

  g_string_append_printf (out, "], \"%s\": [", is_text ? "data" : "base64");
  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *string = sym_tensor_get_string (tensor, i, &length);
      g_autofree char *coded = is_text ? NULL : g_base64_encode ((const guchar *) string, length);

      g_string_append (out, i == 0 ? "" : ", ");
      sym_json_append_string (out, is_text ? string : coded);
    }
  g_string_append (out, "]}");
}

static gboolean
append_elements (GString *out, SymTensor *tensor, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  gsize size = (gsize) sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *bytes = g_malloc (size + 1);
  guint step = sym_dtype_get_bits (dtype) / 8;

  if (!sym_tensor_read (tensor, 0, size, bytes, error))
    return FALSE;
  if (can_be_numbers (dtype, bytes, size))
    {
      g_string_append (out, "], \"data\": [");
      for (gsize i = 0; i < size; i += step)
        {
          g_string_append (out, i == 0 ? "" : ", ");
          append_element (out, dtype, bytes + i);
        }
      g_string_append (out, "]}");
    }
  else
    {
      g_autofree char *text = g_base64_encode (bytes, size);

      g_string_append_printf (out, "], \"base64\": \"%s\"}", text);
    }
  return TRUE;
}

gboolean
sym_symscope_append_tensor (GString *out, SymTensor *tensor, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);

  g_string_append_printf (out, "{\"dtype\": \"%s\", \"shape\": [", sym_dtype_to_string (dtype));
  append_shape (out, sym_tensor_get_shape (tensor));
  if (dtype != SYM_DTYPE_STRING)
    return append_elements (out, tensor, error);

  append_strings (out, tensor);
  return TRUE;
}

/* ---- Reading ---- */

static gboolean
fits (gint64 number, guint n_bits, gboolean is_unsigned)
{
  gint64 limit;

  if (n_bits == 64)
    return !is_unsigned || number >= 0;
  limit = (gint64) 1 << (is_unsigned ? n_bits : n_bits - 1);
  return number >= (is_unsigned ? 0 : -limit) && number < limit;
}

static gboolean
read_integer (const SymJson *json, guint token, SymDType dtype, guint8 *bytes)
{
  gboolean is_unsigned = g_str_has_prefix (sym_dtype_to_string (dtype), "u");
  guint n_bits = sym_dtype_get_bits (dtype);
  gint64 number = 0;
  guint64 raw;

  if (is_unsigned && n_bits == 64)
    {
      if (!sym_json_get_uint (json, token, &raw))
        return FALSE;
    }
  else
    {
      if (!sym_json_get_int (json, token, &number) || !fits (number, n_bits, is_unsigned))
        return FALSE;
      raw = (guint64) number;
    }
  raw = GUINT64_TO_LE (raw);
  memcpy (bytes, &raw, n_bits / 8);
  return TRUE;
}

static gboolean
read_element (const SymJson *json, guint token, SymDType dtype, guint8 *bytes)
{
  gboolean boolean;
  double number;
  float f;

  if (dtype == SYM_DTYPE_BOOL)
    {
      if (!sym_json_get_bool (json, token, &boolean))
        return FALSE;
      *bytes = boolean != FALSE;
      return TRUE;
    }
  if (!sym_dtype_is_floating (dtype))
    return read_integer (json, token, dtype, bytes);
  if (!sym_json_get_double (json, token, &number))
    return FALSE;

  f = (float) number;
  if (dtype == SYM_DTYPE_FLOAT32)
    memcpy (bytes, &f, sizeof f);
  else
    memcpy (bytes, &number, sizeof number);
  return TRUE;
}

static guint8 *
read_numbers (const SymJson *json, guint array, SymDType dtype, gsize size, GError **error)
{
  guint step = sym_dtype_get_bits (dtype) / 8;
  g_autofree guint8 *bytes = NULL;
  gsize at = 0;

  if (!has_numbers (dtype))
    {
      sym_json_fail (json, array, error, "numbers cannot tell %s; 'base64' would",
                     sym_dtype_to_string (dtype));
      return NULL;
    }
  if (!sym_json_expect (json, array, SYM_JSON_ARRAY, "data", error))
    return NULL;
  if ((guint64) sym_json_count (json, array) * step != size)
    {
      sym_json_fail (json, array, error,
                     "'data' has %u numbers; by its shape it would have %" G_GSIZE_FORMAT,
                     sym_json_count (json, array), size / step);
      return NULL;
    }
  bytes = g_malloc (size + 1);
  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i); at += step)
    if (!read_element (json, i.value, dtype, bytes + at))
      {
        sym_json_fail (json, i.value, error, "this is no %s", sym_dtype_to_string (dtype));
        return NULL;
      }
  return g_steal_pointer (&bytes);
}

/* NULL when @text is not base64.  GLib's decoder skips what it does not know, so that only the way
 * back tells. */
static guint8 *
decode_base64 (const char *text, gsize *n)
{
  g_autofree guint8 *bytes = g_base64_decode (text, n);
  g_autofree char *again = g_base64_encode (bytes, *n);

  return g_str_equal (again, text) ? g_steal_pointer (&bytes) : NULL;
}

static guint8 *
read_base64 (const SymJson *json, guint token, gsize size, GError **error)
{
  g_autofree char *text = sym_json_dup_string (json, token);
  g_autofree guint8 *bytes = NULL;
  gsize n = 0;

  if (text == NULL)
    {
      sym_json_fail (json, token, error, "a tensor must have 'data' or 'base64'");
      return NULL;
    }
  bytes = decode_base64 (text, &n);
  if (bytes == NULL || n != size)
    {
      sym_json_fail (json, token, error,
                     "'base64' must be the %" G_GSIZE_FORMAT " bytes that the shape asks for",
                     size);
      return NULL;
    }
  return g_steal_pointer (&bytes);
}

static char *
read_string (const SymJson *json, guint token, gboolean is_base64, gsize *length, GError **error)
{
  g_autofree char *text = sym_json_dup_string (json, token);
  char *string = NULL;

  if (text != NULL && is_base64)
    string = (char *) decode_base64 (text, length);
  else if (text != NULL)
    {
      *length = strlen (text);
      string = g_steal_pointer (&text);
    }
  if (string == NULL)
    sym_json_fail (json, token, error, "this is no %s", is_base64 ? "base64" : "string");
  return string;
}

static SymTensor *
read_strings (const SymJson *json, guint object, const SymShape *shape, guint64 n, GError **error)
{
  guint data = sym_json_get_member (json, object, "data");
  gboolean is_base64 = data == SYM_JSON_NONE;
  guint array = is_base64 ? sym_json_get_member (json, object, "base64") : data;
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gsize));

  if (array == SYM_JSON_NONE)
    {
      sym_json_fail (json, object, error, "a tensor must have 'data' or 'base64'");
      return NULL;
    }
  if (!sym_json_expect (json, array, SYM_JSON_ARRAY, "data", error))
    return NULL;
  if (sym_json_count (json, array) != n)
    {
      sym_json_fail (json, array, error,
                     "there are %u strings; by its shape it would have %" G_GUINT64_FORMAT,
                     sym_json_count (json, array), n);
      return NULL;
    }
  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    {
      gsize length = 0;
      char *string = read_string (json, i.value, is_base64, &length, error);

      if (string == NULL)
        return NULL;
      g_ptr_array_add (strings, string);
      g_array_append_val (lengths, length);
    }
  return sym_tensor_new_strings (shape, (const char *const *) strings->pdata,
                                 (const gsize *) (const void *) lengths->data, error);
}

/* What the tensor is to be: its dtype, its shape, how many elements it has, and how many bytes they
 * take, unless they are strings. */
static gboolean
read_header (const SymJson *json,
             guint object,
             SymType *type,
             guint64 *n,
             guint64 *size,
             GError **error)
{
  g_autoptr (GPtrArray) memory = g_ptr_array_new_with_free_func (g_free);

  if (!sym_symscope_read_type (json, object, NULL, NULL, memory, type, error))
    return FALSE;
  return (type->dtype != SYM_DTYPE_UNKNOWN && sym_shape_get_n_elements (&type->shape, n) &&
          (type->dtype == SYM_DTYPE_STRING ||
           (sym_dtype_get_size (type->dtype, *n, size) && *size <= G_MAXUINT))) ||
         sym_json_fail (json, object, error,
                        "a tensor must have a dtype, and a known shape of less than 2^32 bytes");
}

SymTensor *
sym_symscope_read_tensor (const SymJson *json, guint object, GError **error)
{
  guint data = sym_json_get_member (json, object, "data");
  g_autoptr (GBytes) contents = NULL;
  g_autoptr (SymBlob) blob = NULL;
  guint64 n = 0, size = 0;
  guint8 *bytes;
  SymType type;

  if (!read_header (json, object, &type, &n, &size, error))
    return NULL;
  if (type.dtype == SYM_DTYPE_STRING)
    return read_strings (json, object, &type.shape, n, error);
  bytes = data != SYM_JSON_NONE ? read_numbers (json, data, type.dtype, (gsize) size, error)
                                : read_base64 (json, sym_json_get_member (json, object, "base64"),
                                               (gsize) size, error);
  if (bytes == NULL)
    return NULL;

  contents = g_bytes_new_take (bytes, (gsize) size);
  blob = sym_blob_new_bytes (contents);
  return sym_tensor_new (type.dtype, &type.shape, blob, 0, error);
}
