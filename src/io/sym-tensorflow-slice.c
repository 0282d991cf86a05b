/* SPDX-License-Identifier: MIT */
#include "io/sym-tensorflow-slice.h"

#include <string.h>

#include "io/sym-tensorflow-messages.h"

SymTensorflowSlice
sym_tensorflow_slice_new (int rank)
{
  SymTensorflowSlice self = { .rank = rank };

  for (int i = 0; i < rank; i++)
    self.length[i] = -1;
  return self;
}

/* ---- Reading ---- */

static gboolean
parse_size (const char *text, gint64 *size)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &number, NULL))
    return FALSE;
  *size = (gint64) number;
  return TRUE;
}

/* "0,500", or "-" for all. */
static gboolean
parse_axis (SymTensorflowSlice *self, int axis, const char *text)
{
  g_auto (GStrv) numbers = g_strsplit (text, ",", -1);

  return strcmp (text, "-") == 0 ||
         (g_strv_length (numbers) == 2 && parse_size (numbers[0], &self->start[axis]) &&
          parse_size (numbers[1], &self->length[axis]));
}

gboolean
sym_tensorflow_slice_parse (SymTensorflowSlice *self, SymShape *whole, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", SYM_MAX_RANK + 2);
  guint rank = g_strv_length (words);
  g_auto (GStrv) axes = rank < 2 ? NULL : g_strsplit (words[rank - 1], ":", SYM_MAX_RANK + 1);

  if (axes == NULL || --rank > SYM_MAX_RANK || g_strv_length (axes) != rank)
    return FALSE;
  *self = sym_tensorflow_slice_new ((int) rank);
  *whole = (SymShape){ .rank = (int) rank };
  for (guint i = 0; i < rank; i++)
    if (!parse_size (words[i], &whole->dims[i]) || !parse_axis (self, (int) i, axes[i]))
      return FALSE;
  return TRUE;
}

/* An axis without a length is there as a whole. */
gboolean
sym_tensorflow_slice_read (SymTensorflowSlice *self, const SymProtoMessage *message)
{
  const SymProtoEntry *extent;

  *self = (SymTensorflowSlice){ .rank = 0 };
  for (guint at = 0; (extent = sym_proto_next (message, TENSORFLOW_SLICE_EXTENT, &at)) != NULL;)
    {
      if (self->rank == SYM_MAX_RANK)
        return FALSE;
      self->start[self->rank] = sym_proto_get_int (extent->message, TENSORFLOW_EXTENT_START, 0);
      self->length[self->rank] = sym_proto_get_int (extent->message, TENSORFLOW_EXTENT_LENGTH, -1);
      self->rank++;
    }
  return TRUE;
}

/* ---- As a part ---- */

gboolean
sym_tensorflow_slice_get_shape (const SymTensorflowSlice *self,
                                const SymShape *whole,
                                SymShape *shape)
{
  if (self->rank != whole->rank)
    return FALSE;
  *shape = *whole;
  for (int i = 0; i < self->rank; i++)
    {
      if (self->length[i] < 0 ? self->start[i] != 0
                              : self->start[i] < 0 || self->length[i] > whole->dims[i] ||
                                    self->start[i] > whole->dims[i] - self->length[i])
        return FALSE;
      if (self->length[i] >= 0)
        shape->dims[i] = self->length[i];
    }
  return TRUE;
}

gboolean
sym_tensorflow_slice_equal (const SymTensorflowSlice *self,
                            const SymTensorflowSlice *other,
                            const SymShape *whole)
{
  SymShape a, b;

  return sym_tensorflow_slice_get_shape (self, whole, &a) &&
         sym_tensorflow_slice_get_shape (other, whole, &b) && sym_shape_equal (&a, &b) &&
         memcmp (self->start, other->start, (gsize) self->rank * sizeof *self->start) == 0;
}

gboolean
sym_tensorflow_slice_is_rows (const SymTensorflowSlice *self, const SymShape *whole)
{
  SymShape shape;

  if (!sym_tensorflow_slice_get_shape (self, whole, &shape) || shape.rank == 0)
    return FALSE;
  for (int i = 1; i < shape.rank; i++)
    if (shape.dims[i] != whole->dims[i])
      return FALSE;
  return TRUE;
}

/* ---- Its key ---- */

static void
append (GByteArray *key, guint byte)
{
  guint8 one = (guint8) byte;

  g_byte_array_append (key, &one, 1);
}

/* How many bytes, and these from the highest on. */
static void
append_count (GByteArray *key, guint64 n)
{
  guint n_bytes = 0;

  while (n_bytes < 8 && n >> (8 * n_bytes) != 0)
    n_bytes++;
  append (key, n_bytes);
  while (n_bytes-- > 0)
    append (key, (guint) (n >> (8 * n_bytes)) & 0xff);
}

/* Bytes 0 and 255 are followed by their opposites; 0 and 1 are the end. */
static void
append_text (GByteArray *key, const char *text)
{
  for (; *text != '\0'; text++)
    {
      append (key, (guint8) *text);
      if ((guint8) *text == 0xff)
        append (key, 0);
    }
  append (key, 0);
  append (key, 1);
}

/* As many bytes as there are ones ahead of the first zero, ahead of the number in its highest bits;
 * all is turned round below 0.  There are seven bits of it to a byte. */
static void
append_signed (GByteArray *key, gint64 n)
{
  guint64 size = n < 0 ? ~(guint64) n : (guint64) n;
  guint8 bytes[10], sign = n < 0 ? 0xff : 0;
  guint n_bytes = 1, first;

  while (n_bytes < 10 && size >> MIN (7 * n_bytes - 1, 63) != 0)
    n_bytes++;
  bytes[0] = bytes[1] = sign;
  for (guint i = 0; i < 8; i++)
    bytes[2 + i] = (guint8) ((guint64) n >> (8 * (7 - i)));
  first = 10 - n_bytes;
  for (guint i = 0; i < n_bytes; i++)
    bytes[first + i / 8] ^= (guint8) (0x80 >> i % 8);
  g_byte_array_append (key, bytes + first, n_bytes);
}

GByteArray *
sym_tensorflow_slice_make_key (const SymTensorflowSlice *self, const char *name)
{
  GByteArray *key = g_byte_array_new ();

  append_count (key, 0);
  append_text (key, name);
  append_count (key, (guint64) self->rank);
  for (int i = 0; i < self->rank; i++)
    {
      append_signed (key, self->start[i]);
      append_signed (key, self->length[i]);
    }
  return key;
}
