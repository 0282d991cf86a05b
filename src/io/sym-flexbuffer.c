/* SPDX-License-Identifier: MIT */
#include "io/sym-flexbuffer.h"

#include <string.h>

#include "io/sym-io.h"

#define MAX_DEPTH 16

/* Values may be shared, so their number does not follow from the size. */
#define MAX_VALUES 65536

/* Longer ones are programs for some processor: nobody reads their bytes. */
#define MAX_BYTES 4096

typedef enum {
  FLEX_NULL = 0,
  FLEX_INT = 1,
  FLEX_UINT = 2,
  FLEX_FLOAT = 3,
  FLEX_KEY = 4,
  FLEX_STRING = 5,
  FLEX_INDIRECT_INT = 6,
  FLEX_INDIRECT_FLOAT = 8,
  FLEX_MAP = 9,
  FLEX_VECTOR = 10,
  FLEX_VECTOR_INT = 11,
  FLEX_VECTOR_KEY = 14,
  FLEX_VECTOR_STRING = 15,
  FLEX_VECTOR_INT2 = 16,
  FLEX_VECTOR_FLOAT4 = 24,
  FLEX_BLOB = 25,
  FLEX_BOOL = 26,
  FLEX_VECTOR_BOOL = 36,
} FlexType;

typedef struct {
  const guint8 *bytes;
  gsize size;
  guint n_values;
  GError **error;
} Reader;

/* A value: what is at @at, @width bytes, is itself or how far before @at it begins. */
typedef struct {
  gsize at;
  guint width;
  guint type;
  guint inner; /* bytes of a number, or of each element */
} Place;

static gboolean
fail (const Reader *self, gsize at, const char *what)
{
  if (*self->error == NULL)
    g_set_error (self->error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 "byte %" G_GSIZE_FORMAT " of a FlexBuffer: %s", at, what);
  return FALSE;
}

static gboolean
read_uint (const Reader *self, gsize at, guint width, guint64 *value)
{
  *value = 0;
  if (at > self->size || width > self->size - at)
    return fail (self, at, "a number lies outside");
  for (guint i = 0; i < width; i++)
    *value |= (guint64) self->bytes[at + i] << (8 * i);
  return TRUE;
}

/* @width bytes before what @place means. */
static gboolean
read_before (const Reader *self, gsize at, guint width, guint n, guint64 *value)
{
  if ((gsize) width * n > at)
    return fail (self, at, "its size lies outside");
  return read_uint (self, at - (gsize) width * n, width, value);
}

static gboolean
follow (const Reader *self, gsize at, guint width, gsize *target)
{
  guint64 distance;

  if (!read_uint (self, at, width, &distance))
    return FALSE;
  if (distance > at)
    return fail (self, at, "it begins before the first byte");
  *target = at - (gsize) distance;
  return TRUE;
}

static SymValue *
make_number (const Reader *self, gsize at, guint width, guint kind)
{
  guint64 bits;
  double real = 0;
  float single;

  if (!read_uint (self, at, width, &bits))
    return NULL;
  if (kind == FLEX_UINT)
    return sym_value_new_int ((gint64) bits);
  if (kind == FLEX_INT)
    return sym_value_new_int ((gint64) (bits << (64 - 8 * width)) >> (64 - 8 * width));
  if (width == 8)
    memcpy (&real, &bits, sizeof real);
  else if (width == 4)
    {
      guint32 half = (guint32) bits;

      memcpy (&single, &half, sizeof single);
      real = (double) single;
    }
  else
    {
      fail (self, at, "there is no real number of so few bytes");
      return NULL;
    }
  return sym_value_new_float (real);
}

static SymValue *
make_bytes (const Reader *self, gsize at, gsize n)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gsize i = 0; i < n; i++)
    {
      gint64 byte = self->bytes[at + i];

      g_array_append_val (numbers, byte);
    }
  return sym_value_new_ints (SYM_VALUE_LIST, (const gint64 *) (gpointer) numbers->data,
                             numbers->len);
}

static SymValue *
make_text (const Reader *self, gsize at, gsize n, gboolean is_text)
{
  g_autofree char *text = g_strndup ((const char *) self->bytes + at, n);

  return is_text && strlen (text) == n && g_utf8_validate (text, -1, NULL)
             ? sym_value_new_string (text)
             : make_bytes (self, at, n);
}

static const char *
read_key (const Reader *self, gsize at)
{
  if (at >= self->size || memchr (self->bytes + at, 0, self->size - at) == NULL)
    {
      fail (self, at, "a key does not end");
      return NULL;
    }
  return (const char *) self->bytes + at;
}

/* ---- Lists ---- */

static SymValue *read_value (Reader *self, const Place *place, guint depth);

/* The type of elements of a typed list and how many it has, 0 where that is written before it. */
static gboolean
get_element_type (guint type, guint *element, guint *n)
{
  *n = 0;
  if (type >= FLEX_VECTOR_INT && type <= FLEX_VECTOR_STRING)
    *element = type - FLEX_VECTOR_INT + FLEX_INT;
  else if (type >= FLEX_VECTOR_INT2 && type <= FLEX_VECTOR_FLOAT4)
    {
      *element = (type - FLEX_VECTOR_INT2) % 3 + FLEX_INT;
      *n = (type - FLEX_VECTOR_INT2) / 3 + 2;
    }
  else if (type == FLEX_VECTOR_BOOL)
    *element = FLEX_BOOL;
  else
    return FALSE;
  return TRUE;
}

static gboolean
check_list (Reader *self, gsize at, guint width, guint64 n, gboolean has_types)
{
  if (at > self->size || n > (self->size - at) / (width + (has_types ? 1 : 0)))
    return fail (self, at, "a list has more elements than there are bytes");
  if (n > MAX_VALUES || self->n_values + n > MAX_VALUES)
    {
      if (*self->error == NULL)
        g_set_error (self->error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                     "a FlexBuffer has more than %d values", MAX_VALUES);
      return FALSE;
    }
  self->n_values += (guint) n;
  return TRUE;
}

/* Elements from @at on, and their types behind them where they have none in common. */
static GPtrArray *
read_elements (Reader *self, gsize at, guint width, guint64 n, int element, guint depth)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);

  if (!check_list (self, at, width, n, element < 0))
    return NULL;
  for (guint64 i = 0; i < n; i++)
    {
      guint8 packed = element < 0 ? self->bytes[at + n * width + i] : 0;
      Place place = { at + i * width, width, element < 0 ? packed >> 2 : (guint) element,
                      element < 0 ? 1u << (packed & 3) : width };
      SymValue *value = read_value (self, &place, depth);

      if (value == NULL)
        return NULL;
      g_ptr_array_add (values, value);
    }
  return g_steal_pointer (&values);
}

static SymValue *
take_list (GPtrArray *take_values)
{
  g_autoptr (GPtrArray) values = take_values;

  if (values == NULL)
    return NULL;
  g_ptr_array_set_free_func (values, NULL);
  return sym_value_new_list ((SymValue *const *) values->pdata, values->len);
}

/* Keys lie in a list of their own, which other maps may share. */
static SymValue *
read_map (Reader *self, gsize at, guint width, guint64 n, guint depth)
{
  guint64 key_width;
  gsize keys;
  g_autoptr (GPtrArray) values = NULL;
  g_autofree const char **names = NULL;

  if ((gsize) width * 3 > at || !follow (self, at - (gsize) width * 3, width, &keys) ||
      !read_before (self, at, width, 2, &key_width))
    {
      fail (self, at, "a map has no keys");
      return NULL;
    }
  if ((key_width != 1 && key_width != 2 && key_width != 4 && key_width != 8) || keys > self->size ||
      n > (self->size - keys) / key_width)
    {
      fail (self, at, "keys of a map lie outside");
      return NULL;
    }
  values = read_elements (self, at, width, n, -1, depth);
  if (values == NULL)
    return NULL;
  names = g_new (const char *, n + 1);
  for (guint64 i = 0; i < n; i++)
    {
      gsize key;

      names[i] = follow (self, keys + i * key_width, (guint) key_width, &key) ? read_key (self, key)
                                                                              : NULL;
      if (names[i] == NULL)
        return NULL;
      if (!g_utf8_validate (names[i], -1, NULL))
        {
          fail (self, key, "a key is no text");
          return NULL;
        }
    }
  g_ptr_array_set_free_func (values, NULL);
  return sym_value_new_dict (names, (SymValue *const *) values->pdata, (guint) n);
}

/* ---- Values ---- */

static SymValue *
read_bytes (Reader *self, gsize at, guint64 n, gboolean is_text)
{
  g_autofree char *what = NULL;

  if (n > MAX_BYTES && at <= self->size && n <= self->size - at)
    {
      what = g_strdup_printf ("%" G_GUINT64_FORMAT " bytes", n);
      return sym_value_new_opaque (what);
    }
  return check_list (self, at, 1, n, FALSE) ? make_text (self, at, (gsize) n, is_text) : NULL;
}

/* What lies elsewhere. */
static SymValue *
read_far (Reader *self, const Place *place, guint depth)
{
  guint element = 0, fixed = 0;
  gboolean is_typed = get_element_type (place->type, &element, &fixed);
  const char *key;
  guint64 n = fixed;
  gsize at;

  if (!follow (self, place->at, place->width, &at))
    return NULL;
  if (place->type >= FLEX_INDIRECT_INT && place->type <= FLEX_INDIRECT_FLOAT)
    return make_number (self, at, place->inner, place->type - FLEX_INDIRECT_INT + FLEX_INT);
  if (place->type == FLEX_KEY)
    {
      key = read_key (self, at);
      return key == NULL ? NULL : make_text (self, at, strlen (key), TRUE);
    }
  if (fixed == 0 && !read_before (self, at, place->inner, 1, &n))
    return NULL;
  if (place->type == FLEX_STRING || place->type == FLEX_BLOB)
    return read_bytes (self, at, n, place->type == FLEX_STRING);
  if (place->type == FLEX_MAP)
    return read_map (self, at, place->inner, n, depth + 1);
  if (place->type == FLEX_VECTOR || is_typed)
    return take_list (
        read_elements (self, at, place->inner, n, is_typed ? (int) element : -1, depth + 1));
  fail (self, place->at, "there is no such type");
  return NULL;
}

static SymValue *
read_value (Reader *self, const Place *place, guint depth)
{
  guint64 number;

  if (depth > MAX_DEPTH)
    {
      fail (self, place->at, "lists are nested too deep");
      return NULL;
    }
  switch (place->type)
    {
    case FLEX_NULL:
      return sym_value_new_none ();
    case FLEX_BOOL:
      return read_uint (self, place->at, place->width, &number) ? sym_value_new_bool (number != 0)
                                                                : NULL;
    case FLEX_INT:
    case FLEX_UINT:
    case FLEX_FLOAT:
      return make_number (self, place->at, place->width, place->type);
    default:
      return read_far (self, place, depth);
    }
}

/* The last byte is how long the root is, the one before it what. */
SymValue *
sym_flexbuffer_read (const guint8 *bytes, gsize size, GError **error)
{
  GError *cause = NULL;
  Reader self = { bytes, size, 0, &cause };
  guint width = size < 3 ? 0 : bytes[size - 1];
  SymValue *value = NULL;
  Place root;

  if ((width != 1 && width != 2 && width != 4 && width != 8) || width > size - 2)
    fail (&self, size, "it does not end as one does");
  else
    {
      root = (Place){ size - 2 - width, width, bytes[size - 2] >> 2, 1u << (bytes[size - 2] & 3) };
      value = read_value (&self, &root, 0);
    }
  if (value == NULL)
    g_propagate_error (error, cause);
  return value;
}
