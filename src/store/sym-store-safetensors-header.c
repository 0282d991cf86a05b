/* SPDX-License-Identifier: MIT */
#include "store/sym-store-safetensors-private.h"

#include <string.h>

#define HEADER_START 8 /* of the text in the file, for messages */

static const char *const dtype_names[SYM_N_DTYPES] = {
  [SYM_DTYPE_FLOAT32] = "F32",
  [SYM_DTYPE_FLOAT64] = "F64",
  [SYM_DTYPE_FLOAT16] = "F16",
  [SYM_DTYPE_BFLOAT16] = "BF16",
  [SYM_DTYPE_INT8] = "I8",
  [SYM_DTYPE_INT16] = "I16",
  [SYM_DTYPE_INT32] = "I32",
  [SYM_DTYPE_INT64] = "I64",
  [SYM_DTYPE_UINT8] = "U8",
  [SYM_DTYPE_UINT16] = "U16",
  [SYM_DTYPE_UINT32] = "U32",
  [SYM_DTYPE_UINT64] = "U64",
  [SYM_DTYPE_BOOL] = "BOOL",
  [SYM_DTYPE_COMPLEX64] = "C64",
  [SYM_DTYPE_FLOAT8E4M3FN] = "F8_E4M3",
  [SYM_DTYPE_FLOAT8E4M3FNUZ] = "F8_E4M3FNUZ",
  [SYM_DTYPE_FLOAT8E5M2] = "F8_E5M2",
  [SYM_DTYPE_FLOAT8E5M2FNUZ] = "F8_E5M2FNUZ",
  [SYM_DTYPE_FLOAT8E8M0] = "F8_E8M0",
  [SYM_DTYPE_FLOAT4E2M1] = "F4",
  [SYM_DTYPE_FLOAT6E2M3] = "F6_E2M3",
  [SYM_DTYPE_FLOAT6E3M2] = "F6_E3M2",
};

/* The grammar is so small a part of JSON that reading it directly needs neither a tree nor
 * recursion, and can say at which byte it is broken. */
typedef struct {
  const char *start, *at, *end;
  const char *path;
} Parser;

const char *
sym_store_safetensors_get_dtype_name (SymDType dtype)
{
  return dtype_names[dtype];
}

gboolean
sym_store_safetensors_find_dtype (const char *name, SymDType *dtype)
{
  for (guint i = 0; i < SYM_N_DTYPES; i++)
    if (g_strcmp0 (dtype_names[i], name) == 0)
      {
        *dtype = (SymDType) i;
        return TRUE;
      }

  return FALSE;
}

static void
clear_entry (gpointer data)
{
  g_free (((SymStoreSafetensorsEntry *) data)->name);
}

static gboolean
fail_at (Parser *self, const char *at, const char *expected, GError **error)
{
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "the header is broken at byte %" G_GSIZE_FORMAT ": expected %s",
                         (gsize) (at - self->start) + HEADER_START, expected);
}

static void
skip_space (Parser *self)
{
  while (self->at < self->end && strchr (" \t\r\n", *self->at) != NULL)
    self->at++;
}

/* Takes @wanted when it comes next. */
static gboolean
take (Parser *self, char wanted)
{
  skip_space (self);
  if (self->at == self->end || *self->at != wanted)
    return FALSE;
  self->at++;
  return TRUE;
}

static gboolean
expect (Parser *self, char wanted, GError **error)
{
  char text[] = { '\'', wanted, '\'', '\0' };

  return take (self, wanted) || fail_at (self, self->at, text, error);
}

/* After an element of a list or object: TRUE with *@more when another one follows. */
static gboolean
expect_next (Parser *self, char closing, gboolean *more, GError **error)
{
  char text[] = "',' or '?'";

  *more = take (self, ',');
  text[8] = closing;
  return *more || take (self, closing) || fail_at (self, self->at, text, error);
}

static gboolean
parse_hex (Parser *self, gunichar *code, GError **error)
{
  gunichar value = 0;

  for (guint i = 0; i < 4; i++)
    {
      if (self->at == self->end || !g_ascii_isxdigit (*self->at))
        return fail_at (self, self->at, "four hexadecimal digits after \\u", error);
      value = value * 16 + (gunichar) g_ascii_xdigit_value (*self->at++);
    }
  *code = value;
  return TRUE;
}

/* After "\u".  Code points beyond 16 bits come as pairs of surrogates. */
static gboolean
parse_unicode (Parser *self, GString *string, GError **error)
{
  const char *start = self->at;
  gunichar code, low;

  if (!parse_hex (self, &code, error))
    return FALSE;
  if (code >= 0xD800 && code < 0xDC00 && self->end - self->at > 2 && self->at[0] == '\\' &&
      self->at[1] == 'u')
    {
      self->at += 2;
      if (!parse_hex (self, &low, error))
        return FALSE;
      if (low < 0xDC00 || low > 0xDFFF)
        return fail_at (self, start, "a pair of surrogates", error);
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
  if (code == 0 || !g_unichar_validate (code))
    return fail_at (self, start, "a character", error);

  g_string_append_unichar (string, code);
  return TRUE;
}

static gboolean
parse_escape (Parser *self, GString *string, GError **error)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  const char *letter = self->at == self->end ? NULL : strchr (letters, *self->at);

  if (self->at < self->end && *self->at == 'u')
    {
      self->at++;
      return parse_unicode (self, string, error);
    }
  if (letter == NULL)
    return fail_at (self, self->at, "one of \"\\/bfnrtu after a backslash", error);

  g_string_append_c (string, meanings[letter - letters]);
  self->at++;
  return TRUE;
}

/* NULL on error. */
static char *
parse_string (Parser *self, GError **error)
{
  g_autoptr (GString) string = g_string_new (NULL);

  if (!expect (self, '"', error))
    return NULL;
  for (;;)
    {
      const char *start = self->at;

      while (self->at < self->end && *self->at != '"' && *self->at != '\\' &&
             (guint8) *self->at >= 0x20)
        self->at++;
      g_string_append_len (string, start, self->at - start);
      if (self->at == self->end || (*self->at != '"' && *self->at != '\\'))
        {
          fail_at (self, self->at, "the '\"' that ends a text", error);
          return NULL;
        }
      if (*self->at++ == '"')
        return g_string_free (g_steal_pointer (&string), FALSE);
      if (!parse_escape (self, string, error))
        return NULL;
    }
}

static gboolean
parse_count (Parser *self, guint64 *value, GError **error)
{
  guint64 count = 0;
  const char *start;

  skip_space (self);
  start = self->at;
  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    if (!g_uint64_checked_mul (&count, count, 10) ||
        !g_uint64_checked_add (&count, count, (guint64) (*self->at - '0')) || count > G_MAXINT64)
      return fail_at (self, start, "a number below 2^63", error);
  if (self->at == start || (*start == '0' && self->at > start + 1))
    return fail_at (self, start, "a whole number", error);

  *value = count;
  return TRUE;
}

static gboolean
parse_shape (Parser *self, SymShape *shape, GError **error)
{
  gboolean more = TRUE;

  *shape = SYM_SHAPE ();
  if (!expect (self, '[', error))
    return FALSE;
  if (take (self, ']'))
    return TRUE;
  while (more)
    {
      guint64 size;

      if (shape->rank == SYM_MAX_RANK)
        return fail_at (self, self->at, "at most 12 dimensions", error);
      if (!parse_count (self, &size, error) || !expect_next (self, ']', &more, error))
        return FALSE;
      shape->dims[shape->rank++] = (SymDim) size;
    }
  return TRUE;
}

static gboolean
parse_offsets (Parser *self, SymStoreSafetensorsEntry *entry, GError **error)
{
  return expect (self, '[', error) && parse_count (self, &entry->begin, error) &&
         expect (self, ',', error) && parse_count (self, &entry->end, error) &&
         expect (self, ']', error);
}

static gboolean
parse_dtype (Parser *self, SymDType *dtype, GError **error)
{
  const char *start = self->at;
  g_autofree char *name = parse_string (self, error);

  if (name == NULL)
    return FALSE;
  return sym_store_safetensors_find_dtype (name, dtype) ||
         fail_at (self, start, "a known dtype such as \"F32\"", error);
}

typedef enum {
  KEY_DTYPE = 1 << 0,
  KEY_SHAPE = 1 << 1,
  KEY_OFFSETS = 1 << 2,
  KEYS_ALL = KEY_DTYPE | KEY_SHAPE | KEY_OFFSETS,
} Keys;

static gboolean
parse_member (Parser *self, SymStoreSafetensorsEntry *entry, guint *seen, GError **error)
{
  const char *start = self->at;
  g_autofree char *key = parse_string (self, error);
  guint bit = 0;

  if (key == NULL || !expect (self, ':', error))
    return FALSE;
  if (g_str_equal (key, "dtype"))
    bit = KEY_DTYPE;
  else if (g_str_equal (key, "shape"))
    bit = KEY_SHAPE;
  else if (g_str_equal (key, "data_offsets"))
    bit = KEY_OFFSETS;
  if (bit == 0 || (*seen & bit) != 0)
    return fail_at (self, start, "dtype, shape and data_offsets, once each", error);

  *seen |= bit;
  if (bit == KEY_DTYPE)
    return parse_dtype (self, &entry->dtype, error);
  return bit == KEY_SHAPE ? parse_shape (self, &entry->shape, error)
                          : parse_offsets (self, entry, error);
}

static gboolean
parse_entry (Parser *self, SymStoreSafetensorsEntry *entry, GError **error)
{
  gboolean more = TRUE;
  guint seen = 0;

  if (!expect (self, '{', error))
    return FALSE;
  while (more)
    if (!parse_member (self, entry, &seen, error) || !expect_next (self, '}', &more, error))
      return FALSE;

  return seen == KEYS_ALL ||
         fail_at (self, self->at - 1, "dtype, shape and data_offsets before it", error);
}

/* Texts by name, of which nothing is used. */
static gboolean
parse_metadata (Parser *self, GError **error)
{
  gboolean more = TRUE;

  if (!expect (self, '{', error))
    return FALSE;
  if (take (self, '}'))
    return TRUE;
  while (more)
    {
      g_autofree char *key = parse_string (self, error);
      g_autofree char *text = NULL;

      if (key == NULL || !expect (self, ':', error))
        return FALSE;
      text = parse_string (self, error);
      if (text == NULL || !expect_next (self, '}', &more, error))
        return FALSE;
    }
  return TRUE;
}

/* One tensor, or the metadata. */
static gboolean
parse_named (Parser *self, GArray *entries, GHashTable *names, GError **error)
{
  SymStoreSafetensorsEntry entry = { 0 };
  const char *start = self->at;
  g_autofree char *name = parse_string (self, error);

  if (name == NULL || !expect (self, ':', error))
    return FALSE;
  if (!g_hash_table_add (names, g_strdup (name)))
    return fail_at (self, start, "a name that has not been used before", error);
  if (g_str_equal (name, SAFETENSORS_METADATA))
    return parse_metadata (self, error);
  if (!parse_entry (self, &entry, error))
    return FALSE;

  entry.name = g_steal_pointer (&name);
  g_array_append_val (entries, entry);
  return TRUE;
}

GArray *
sym_store_safetensors_parse (const char *text, gsize size, const char *path, GError **error)
{
  const char *start = size > 0 ? text : "";
  Parser parser = { start, start, start + size, path };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) entries = NULL;
  const char *invalid;
  gboolean more;

  if (!g_utf8_validate_len (start, size, &invalid))
    {
      fail_at (&parser, invalid, "UTF-8 text", error);
      return NULL;
    }
  entries = g_array_new (FALSE, FALSE, sizeof (SymStoreSafetensorsEntry));
  g_array_set_clear_func (entries, clear_entry);
  if (!expect (&parser, '{', error))
    return NULL;
  more = !take (&parser, '}');
  while (more)
    if (!parse_named (&parser, entries, names, error) || !expect_next (&parser, '}', &more, error))
      return NULL;

  skip_space (&parser);
  if (parser.at < parser.end)
    {
      fail_at (&parser, parser.at, "only spaces after the last '}'", error);
      return NULL;
    }
  return g_steal_pointer (&entries);
}
