/* SPDX-License-Identifier: MIT */
#include "io/sym-tflite.h"

#include <string.h>

#include "store/sym-store-blobs.h"

#define MAX_STRINGS_BYTES (16 << 20)

/* A size of -1 in the signature is one that changes. */
SymType
sym_tflite_read_type (SymNet *net, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  guint signature = sym_json_get_member (json, tensor, "shape_signature");
  guint shape = sym_json_count (json, signature) > 0 ? signature
                                                     : sym_json_get_member (json, tensor, "shape");
  guint dtype = sym_json_get_member (json, tensor, "type");
  SymType type = sym_net_read_type (net, dtype, shape);

  if (dtype == SYM_JSON_NONE)
    type.dtype = SYM_DTYPE_FLOAT32; /* number 0, which flatc leaves out */
  return type;
}

/* ---- Numbers ---- */

static void warn (SymNet *net, guint tensor, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Files that are no text have no line to tell the tensor by. */
static void
warn (SymNet *net, guint tensor, const char *format, ...)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, tensor, "name"));
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sym_net_warn (net, tensor, "“%s”: %s", name == NULL ? "" : name, message);
}

/* Where the bytes of a buffer are that is no list of them: "offset" 0 and 1 are none. */
static gboolean
get_place (const SymJson *json, guint buffer, guint64 *offset, guint64 *size)
{
  return sym_json_get_uint (json, sym_json_get_member (json, buffer, "offset"), offset) &&
         sym_json_get_uint (json, sym_json_get_member (json, buffer, "size"), size) &&
         *offset > 1 && *size > 0;
}

/* The bytes of a list, [0, 0, 128, 63]; NULL for one without. */
static SymBlob *
read_list (const SymJson *json, guint data)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GBytes) all = NULL;

  for (SymJsonIter i = sym_json_iterate (json, data); sym_json_iter_next (json, &i);)
    {
      gint64 number = 0;
      guint8 byte;

      sym_json_get_int (json, i.value, &number);
      byte = (guint8) number;
      g_byte_array_append (bytes, &byte, 1);
    }
  if (bytes->len == 0)
    return NULL;
  all = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  return sym_blob_new_bytes (all);
}

static guint32
read_uint32 (const guint8 *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_LE (number);
}

/* Strings are a count, where each begins and where the last one ends, and their bytes. */
static SymTensor *
read_strings (SymNet *net,
              guint token,
              SymBlob *blob,
              guint64 at,
              guint64 size,
              const SymShape *shape)
{
  g_autofree guint8 *bytes = NULL;
  g_autofree const char **strings = NULL;
  g_autofree gsize *lengths = NULL;
  g_autoptr (GError) error = NULL;
  guint64 wanted;
  guint32 n;

  if (size > MAX_STRINGS_BYTES || size < 4)
    {
      warn (net, token, "strings of %" G_GUINT64_FORMAT " bytes are not read", size);
      return NULL;
    }
  bytes = g_malloc (size);
  if (!sym_blob_read (blob, at, size, bytes, &error))
    {
      warn (net, token, "its strings cannot be read: %s", error->message);
      return NULL;
    }
  n = read_uint32 (bytes);
  if (!sym_shape_get_n_elements (shape, &wanted) || n != wanted || n >= size / 4 - 1)
    {
      warn (net, token, "a buffer of %" G_GUINT64_FORMAT " bytes has %u strings", size, n);
      return NULL;
    }
  strings = g_new0 (const char *, n + 1);
  lengths = g_new0 (gsize, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 start = read_uint32 (bytes + 4 + 4 * i), end = read_uint32 (bytes + 8 + 4 * i);

      if (start > end || end > size)
        {
          warn (net, token, "string %u lies from byte %u to %u of %" G_GUINT64_FORMAT, i, start,
                end, size);
          return NULL;
        }
      strings[i] = (const char *) bytes + start;
      lengths[i] = end - start;
    }
  return sym_tensor_new_strings (shape, strings, lengths, NULL);
}

SymTensor *
sym_tflite_read_numbers (SymNet *net,
                         guint tensor,
                         guint buffer,
                         SymBlob *file,
                         const SymType *type,
                         gboolean *is_stored)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (SymBlob) blob = read_list (json, sym_json_get_member (json, buffer, "data"));
  g_autoptr (GError) error = NULL;
  guint64 offset = 0, size = 0;
  SymTensor *numbers;

  *is_stored = blob != NULL || get_place (json, buffer, &offset, &size);
  if (blob != NULL)
    size = blob->size;
  else if (file != NULL)
    blob = sym_blob_ref (file);
  if (!*is_stored || blob == NULL || type->dtype == SYM_DTYPE_UNKNOWN ||
      !sym_shape_is_known (&type->shape))
    return NULL;
  if (sym_json_get_member (json, tensor, "sparsity") != SYM_JSON_NONE)
    return NULL;
  if (type->dtype == SYM_DTYPE_STRING)
    return read_strings (net, tensor, blob, offset, size, &type->shape);
  numbers = sym_tensor_new (type->dtype, &type->shape, blob, offset, &error);
  if (numbers != NULL && sym_tensor_get_n_bytes (numbers) > size)
    {
      warn (net, tensor,
            "its numbers take %" G_GUINT64_FORMAT " bytes, but its buffer has %" G_GUINT64_FORMAT,
            sym_tensor_get_n_bytes (numbers), size);
      g_clear_pointer (&numbers, sym_tensor_unref);
    }
  else if (numbers == NULL)
    warn (net, tensor, "its numbers cannot be read: %s", error->message);
  return numbers;
}

/* ---- States ---- */

typedef struct {
  guint bytes; /* of an element */
  guint8 fill;
} State;

static gboolean
make_state (gpointer data, guint64 first, gsize n, guint8 *elements, GError **error)
{
  const State *state = data;

  (void) first;
  (void) error;
  memset (elements, state->fill, n * state->bytes);
  return TRUE;
}

/* What stands for 0: the zero point of bytes. */
static guint8
get_zero (const SymJson *json, guint tensor, SymDType dtype)
{
  guint quantization = sym_json_get_member (json, tensor, "quantization");
  guint list = sym_json_get_member (json, quantization, "zero_point");
  gint64 zero = 0;

  if (dtype == SYM_DTYPE_INT8 && sym_json_count (json, list) > 0)
    sym_json_get_int (json, sym_json_get_element (json, list, 0), &zero);
  return (guint8) zero;
}

SymTensor *
sym_tflite_make_state (const SymJson *json, guint tensor, const SymType *type)
{
  guint bytes = sym_dtype_get_bits (type->dtype) / 8;
  g_autoptr (SymBlob) blob = NULL;
  gboolean is_variable = FALSE;
  State state;
  guint64 n;

  if (!sym_json_get_bool (json, sym_json_get_member (json, tensor, "is_variable"), &is_variable) ||
      !is_variable || type->dtype == SYM_DTYPE_STRING || bytes == 0 || bytes > 16 ||
      !sym_shape_is_known (&type->shape) || !sym_shape_get_n_elements (&type->shape, &n) ||
      n > G_MAXINT64 / bytes)
    return NULL;
  state = (State){ bytes, get_zero (json, tensor, type->dtype) };
  blob = sym_store_make_blob (n, bytes, make_state, g_memdup2 (&state, sizeof state), g_free);
  return sym_tensor_new (type->dtype, &type->shape, blob, 0, NULL);
}

/* ---- What integers stand for ---- */

gboolean
sym_tflite_has_scale (const SymJson *json, guint tensor)
{
  guint quantization = sym_json_get_member (json, tensor, "quantization");

  return sym_json_count (json, sym_json_get_member (json, quantization, "scale")) > 0;
}

static gboolean
is_all_zero (const SymJson *json, guint list)
{
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      gint64 number = 1;

      if (!sym_json_get_int (json, i.value, &number) || number != 0)
        return FALSE;
    }
  return TRUE;
}

/* Floats may have a scale, which tells where they were. */
SymValue *
sym_tflite_read_scales (SymNet *net, guint tensor)
{
  static const char *const keys[] = { "scale", "zero_point", "axis", "dtype" };
  const SymJson *json = sym_net_get_json (net);
  guint quantization = sym_json_get_member (json, tensor, "quantization");
  guint scale = sym_json_get_member (json, quantization, "scale");
  guint zero = sym_json_get_member (json, quantization, "zero_point");
  SymDType dtype = sym_tflite_read_type (net, tensor).dtype;
  SymValue *children[G_N_ELEMENTS (keys)];
  gint64 axis = 0;

  if (!sym_tflite_has_scale (json, tensor) || sym_dtype_is_floating (dtype))
    return sym_value_new_none ();
  sym_json_get_int (json, sym_json_get_member (json, quantization, "quantized_dimension"), &axis);
  children[0] = sym_net_read_value (json, scale);
  children[1] = is_all_zero (json, zero) ? sym_value_new_none () : sym_net_read_value (json, zero);
  children[2] = sym_value_new_int (axis);
  children[3] = sym_value_new_string (sym_dtype_to_string (dtype));
  return sym_value_new_dict (keys, children, G_N_ELEMENTS (keys));
}
