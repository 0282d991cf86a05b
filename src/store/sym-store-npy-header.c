/* SPDX-License-Identifier: MIT */
#include "store/sym-store-npy-private.h"

#include <string.h>

#include "core/sym-value.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6
#define MAX_HEADER_BYTES                                                   \
  (1 << 20) /* NumPy itself takes 10,000; only structured dtypes need more \
             */
#define ALIGNMENT 64
#define GROWTH_DIGITS 21 /* of the first dimension, which may grow in place */

/* NumPy's letters for what is a number and has a size: '<f4'. */
static const struct {
  char kind;
  guint n_bytes;
  SymDType dtype;
} dtypes[] = {
  { 'f', 4, SYM_DTYPE_FLOAT32 },   { 'f', 8, SYM_DTYPE_FLOAT64 },     { 'f', 2, SYM_DTYPE_FLOAT16 },
  { 'i', 1, SYM_DTYPE_INT8 },      { 'i', 2, SYM_DTYPE_INT16 },       { 'i', 4, SYM_DTYPE_INT32 },
  { 'i', 8, SYM_DTYPE_INT64 },     { 'u', 1, SYM_DTYPE_UINT8 },       { 'u', 2, SYM_DTYPE_UINT16 },
  { 'u', 4, SYM_DTYPE_UINT32 },    { 'u', 8, SYM_DTYPE_UINT64 },      { 'b', 1, SYM_DTYPE_BOOL },
  { 'c', 8, SYM_DTYPE_COMPLEX64 }, { 'c', 16, SYM_DTYPE_COMPLEX128 },
};

static const struct {
  char kind;
  const char *what;
} foreign_kinds[] = {
  { 'O', "Python objects, which only Python can read" },
  { 'V', "raw bytes of a dtype that is not told" },
  { 'M', "dates" },
  { 'm', "spans of time" },
  { 'f', "floats of a size that only some machines have" },
  { 'c', "complex numbers of a size that only some machines have" },
};

/* ---- Reading ---- */

static gboolean
fail_descr (const char *path, const char *descr, const char *why, GError **error)
{
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "the elements are '%s': %s", descr,
                         why);
}

/* Digits without a sign and not beyond 2^31. */
static gboolean
parse_size (const char *text, guint64 *size)
{
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, size, NULL);
}

static gboolean
set_string (const char *path,
            const char *descr,
            char kind,
            guint64 n_characters,
            SymStoreNpyHeader *header,
            GError **error)
{
  header->dtype = SYM_DTYPE_STRING;
  header->is_utf32 = kind == 'U';
  header->element_bytes = n_characters * (kind == 'U' ? 4 : 1);
  /* Any number of strings of no characters would fit into an empty file. */
  return n_characters > 0 || fail_descr (path, descr, "strings must have a length", error);
}

static gboolean
parse_descr (const char *path, const char *descr, SymStoreNpyHeader *header, GError **error)
{
  const char *at = descr;
  guint64 size;

  if (*at != '\0' && strchr ("<>|=", *at) != NULL)
    header->is_big_endian = *at++ == '>';
  if (at == descr && sym_dtype_from_string (descr, &header->dtype))
    {
      at = descr + strlen (descr);
      for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
        if (dtypes[i].dtype == header->dtype)
          {
            header->element_bytes = dtypes[i].n_bytes;
            return TRUE;
          }
    }
  else if (*at != '\0' && parse_size (at + 1, &size))
    {
      if (*at == 'S' || *at == 'a' || *at == 'U')
        return set_string (path, descr, *at, size, header, error);
      for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
        if (dtypes[i].kind == *at && dtypes[i].n_bytes == size)
          {
            header->dtype = dtypes[i].dtype;
            header->element_bytes = size;
            return TRUE;
          }
    }

  for (guint i = 0; i < G_N_ELEMENTS (foreign_kinds); i++)
    if (foreign_kinds[i].kind == *at)
      return fail_descr (path, descr, foreign_kinds[i].what, error);
  return fail_descr (path, descr, "NumPy has no such dtype", error);
}

static gboolean
take_descr (const char *path, const SymValue *value, SymStoreNpyHeader *header, GError **error)
{
  g_autofree char *text = NULL;

  if (sym_value_get_kind (value) == SYM_VALUE_STRING)
    return parse_descr (path, sym_value_get_string (value), header, error);
  if (sym_value_get_kind (value) == SYM_VALUE_LIST)
    return sym_store_fail (
        error, SYM_STORE_ERROR_FORMAT, path,
        "the dtype is structured: it has %u fields; a number or text was expected",
        sym_value_get_n_children (value));

  text = sym_value_to_string (value);
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                         "the header's 'descr' is %s; a text such as '<f4' was expected", text);
}

static gboolean
take_shape (const char *path, const SymValue *value, SymShape *shape, GError **error)
{
  guint rank = sym_value_get_n_children (value);

  if (sym_value_get_kind (value) != SYM_VALUE_TUPLE || rank > SYM_MAX_RANK)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "the header's 'shape' must be a tuple of at most %d numbers",
                           SYM_MAX_RANK);
  *shape = SYM_SHAPE ();
  for (guint i = 0; i < rank; i++)
    {
      const SymValue *child = sym_value_get_child (value, i);
      gint64 size = -1;

      if (sym_value_get_kind (child) == SYM_VALUE_INT)
        sym_value_get_int (child, &size);
      if (size < 0)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "dimension %u of the header's 'shape' is no number from 0 on", i);
      shape->dims[shape->rank++] = size;
    }
  return TRUE;
}

typedef enum {
  KEY_DESCR = 1 << 0,
  KEY_ORDER = 1 << 1,
  KEY_SHAPE = 1 << 2,
  KEYS_ALL = KEY_DESCR | KEY_ORDER | KEY_SHAPE,
} Keys;

static guint
find_key (const char *name)
{
  static const char *const names[] = { "descr", "fortran_order", "shape" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      return 1u << i;

  return 0;
}

static gboolean
take_member (const char *path,
             guint key,
             const SymValue *value,
             SymStoreNpyHeader *header,
             GError **error)
{
  if (key == KEY_DESCR)
    return take_descr (path, value, header, error);
  if (key == KEY_SHAPE)
    return take_shape (path, value, &header->shape, error);
  return sym_value_get_bool (value, &header->is_fortran) ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                         "the header's 'fortran_order' must be True or False");
}

static gboolean
take_dict (const char *path, const SymValue *dict, SymStoreNpyHeader *header, GError **error)
{
  guint seen = 0;

  for (guint i = 0; i < sym_value_get_n_children (dict); i++)
    {
      guint key = find_key (sym_value_get_key (dict, i));

      if (key == 0 || (seen & key) != 0)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "the header has '%s'; 'descr', 'fortran_order' and 'shape' were"
                               " expected, once each",
                               sym_value_get_key (dict, i));
      seen |= key;
      if (!take_member (path, key, sym_value_get_child (dict, i), header, error))
        return FALSE;
    }
  return seen == KEYS_ALL ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                         "the header must have 'descr', 'fortran_order' and 'shape'");
}

/* Where the text of the header begins, and how long it is. */
static gboolean
read_preamble (SymBlob *blob, const char *path, guint64 *start, guint64 *size, GError **error)
{
  guint8 bytes[MAGIC_BYTES + 2 + 4] = { 0 };
  guint version;
  guint64 known = MIN (blob->size, sizeof bytes);

  if (!sym_blob_read (blob, 0, known, bytes, error))
    return FALSE;
  if (known < MAGIC_BYTES + 4 || memcmp (bytes, MAGIC, MAGIC_BYTES) != 0)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "is not NumPy's: it does not start with \\x93NUMPY and a version");
  version = bytes[MAGIC_BYTES];
  if (version < 1 || version > 3 || bytes[MAGIC_BYTES + 1] != 0)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "is of version %u.%u; known are 1.0 to 3.0", version,
                           bytes[MAGIC_BYTES + 1]);

  *start = MAGIC_BYTES + 2 + (version == 1 ? 2 : 4);
  *size = bytes[8] | (guint64) bytes[9] << 8;
  if (version > 1)
    *size |= (guint64) bytes[10] << 16 | (guint64) bytes[11] << 24;
  if (*start > blob->size || *size > blob->size - *start)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "ends too early: its header is to have %" G_GUINT64_FORMAT
                           " bytes, but the file has %" G_GUINT64_FORMAT " in all",
                           *size, blob->size);
  if (*size > MAX_HEADER_BYTES)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "has a header of %" G_GUINT64_FORMAT " bytes; at most %d are accepted",
                           *size, MAX_HEADER_BYTES);
  return TRUE;
}

/* NULL on error. */
static SymValue *
read_dict (SymBlob *blob, const char *path, guint64 start, guint64 size, GError **error)
{
  g_autofree char *text = g_malloc0 ((gsize) size + 1);
  g_autoptr (SymValue) dict = NULL;

  if (!sym_blob_read (blob, start, size, text, error))
    return NULL;
  if (strlen (text) == size && g_utf8_validate_len (text, (gsize) size, NULL))
    dict = sym_value_parse (text);
  if (dict == NULL || sym_value_get_kind (dict) != SYM_VALUE_DICT)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "the header at byte %" G_GUINT64_FORMAT " is no Python dict", start);
      return NULL;
    }
  return g_steal_pointer (&dict);
}

static gboolean
check_size (SymBlob *blob, const char *path, SymStoreNpyHeader *header, GError **error)
{
  guint64 size, left = blob->size - header->start;

  if (!sym_shape_get_n_elements (&header->shape, &header->n_elements) ||
      !g_uint64_checked_mul (&size, header->n_elements, header->element_bytes))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "the header's 'shape' has too many elements");
  if (size > left)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "ends too early: by its header it has %" G_GUINT64_FORMAT
                           " bytes of elements, but only %" G_GUINT64_FORMAT
                           " follow byte %" G_GUINT64_FORMAT,
                           size, left, header->start);
  return TRUE;
}

gboolean
sym_store_npy_read_header (SymBlob *blob,
                           const char *path,
                           SymStoreNpyHeader *header,
                           GError **error)
{
  SymStoreNpyHeader found = { 0 };
  g_autoptr (SymValue) dict = NULL;
  guint64 start = 0, size = 0;

  if (!read_preamble (blob, path, &start, &size, error))
    return FALSE;
  dict = read_dict (blob, path, start, size, error);
  if (dict == NULL || !take_dict (path, dict, &found, error))
    return FALSE;

  found.start = start + size;
  if (!check_size (blob, path, &found, error))
    return FALSE;
  *header = found;
  return TRUE;
}

/* ---- Writing ---- */

/* How many characters the longest text has; FALSE when one is no text. */
static gboolean
measure_texts (SymTensor *tensor, guint64 *n_characters)
{
  guint64 n = 0;

  *n_characters = 1;
  sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n);
  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *text = sym_tensor_get_string (tensor, i, &length);

      /* NumPy pads with NULs, so that one within the text is none that could be told. */
      if (!g_utf8_validate_len (text, length, NULL))
        return FALSE;
      *n_characters = MAX (*n_characters, (guint64) g_utf8_strlen (text, (gssize) length));
    }
  return TRUE;
}

static char *
format_descr (SymTensor *tensor, const char *path, guint64 *element_bytes, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  guint64 n_characters;

  if (dtype == SYM_DTYPE_STRING)
    {
      if (measure_texts (tensor, &n_characters))
        {
          *element_bytes = n_characters * sizeof (gunichar);
          return g_strdup_printf ("<U%" G_GUINT64_FORMAT, n_characters);
        }
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "cannot be written: a string is not UTF-8 text");
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (dtypes[i].dtype == dtype)
      {
        *element_bytes = dtypes[i].n_bytes;
        return g_strdup_printf ("%c%c%u", dtypes[i].n_bytes == 1 ? '|' : '<', dtypes[i].kind,
                                dtypes[i].n_bytes);
      }

  sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "cannot be written: NumPy has no dtype %s",
                  sym_dtype_to_string (dtype));
  return NULL;
}

/* As NumPy writes it, with room for the first dimension to grow in place. */
static GString *
format_dict (const char *descr, const SymShape *shape)
{
  g_autofree char *first = g_strdup_printf ("%" G_GINT64_FORMAT, shape->dims[0]);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", shape->dims[i]);
  g_string_append (text, shape->rank == 1 ? ",), }" : "), }");
  if (shape->rank > 0)
    g_string_append_printf (text, "%*s", GROWTH_DIGITS - (int) strlen (first), "");
  return text;
}

GBytes *
sym_store_npy_format_header (SymTensor *tensor,
                             const char *path,
                             guint64 *element_bytes,
                             GError **error)
{
  g_autofree char *descr = format_descr (tensor, path, element_bytes, error);
  g_autoptr (GString) dict = NULL;
  GString *all;
  gsize n_padding;

  if (descr == NULL)
    return NULL;

  dict = format_dict (descr, sym_tensor_get_shape (tensor));
  n_padding = ALIGNMENT - (MAGIC_BYTES + 4 + dict->len + 1) % ALIGNMENT;
  all = g_string_new_len (MAGIC "\1\0", MAGIC_BYTES + 2);
  g_string_append_c (all, (char) ((dict->len + n_padding + 1) & 0xff));
  g_string_append_c (all, (char) ((dict->len + n_padding + 1) >> 8));
  g_string_append_len (all, dict->str, (gssize) dict->len);
  for (gsize i = 0; i < n_padding; i++)
    g_string_append_c (all, ' ');
  g_string_append_c (all, '\n');
  return g_string_free_to_bytes (all);
}
