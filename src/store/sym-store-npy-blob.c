/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-npy-private.h"

#define COLUMN_BYTES (1 << 20) /* of columns that are read at once */
#define WASTE 16               /* how much more than wanted is read rather than in small pieces */

/* In Fortran order the first index is the fastest.  So an array is seen as a matrix here: a row is
 * one index of the first dimension, and lies scattered in the file; a column is all the others, and
 * is contiguous there.  What is wanted is row after row. */
typedef struct {
  SymBlob parent;
  SymBlob *source;
  guint64 start;
  guint64 n_elements;
  gsize element_bytes;
  gsize swap_bytes; /* 1: nothing to swap */
  gboolean is_fortran;
  SymShape shape;
  guint64 n_rows, n_columns;
  guint64 band_bytes; /* of rows that are kept, at most */

  /* Rows from @band_first on, in C order; the mutex guards them. */
  GMutex mutex;
  guint8 *band;
  guint64 band_first, n_band;
} NpyBlob;

static void
swap (guint8 *bytes, gsize n_bytes, gsize unit)
{
  for (gsize at = 0; unit > 1 && at < n_bytes; at += unit)
    for (gsize i = 0; i < unit / 2; i++)
      {
        guint8 byte = bytes[at + i];

        bytes[at + i] = bytes[at + unit - 1 - i];
        bytes[at + unit - 1 - i] = byte;
      }
}

static guint64
get_rows_at_once (const NpyBlob *self)
{
  guint64 row_bytes = MAX (self->n_columns * self->element_bytes, 1);

  return CLAMP (self->band_bytes / row_bytes, 1, self->n_rows);
}

/* Goes to the next column in the file: its place among those in C order, by counting up the indices
 * with the first of them (that is, of dimension 1) the fastest. */
static guint64
step_column (const NpyBlob *self, guint64 *indices, const guint64 *strides, guint64 column)
{
  for (int i = 1; i < self->shape.rank; i++)
    {
      column += strides[i];
      if (++indices[i] < (guint64) self->shape.dims[i])
        return column;
      column -= indices[i] * strides[i];
      indices[i] = 0;
    }
  return column;
}

/* Puts the wanted rows of columns that were read, each @stride bytes after the other, in their
 * places. */
static void
scatter (const NpyBlob *self, const guint8 *column, guint64 n_rows, guint64 to_column, guint8 *rows)
{
  gsize size = self->element_bytes;
  gsize row_bytes = (gsize) (self->n_columns * size);
  guint8 *to = rows + to_column * size;

  for (guint64 i = 0; i < n_rows; i++, to += row_bytes, column += size)
    memcpy (to, column, size);
}

/* Rows [first, first + n_rows) in C order into @rows, which has room for them. */
static gboolean
gather_rows (const NpyBlob *self, guint64 first, guint64 n_rows, guint8 *rows, GError **error)
{
  gsize size = self->element_bytes;
  gboolean is_whole = self->n_rows <= WASTE * n_rows;
  guint64 column_bytes = (is_whole ? self->n_rows : n_rows) * size;
  guint64 at_once = is_whole ? CLAMP (COLUMN_BYTES / column_bytes, 1, self->n_columns) : 1;
  g_autofree guint8 *columns = g_try_malloc (at_once * column_bytes);
  guint64 strides[SYM_MAX_RANK] = { 0 }, indices[SYM_MAX_RANK] = { 0 };
  guint64 to_column = 0;

  if (columns == NULL)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                   "there is no memory to turn an array of Fortran order");
      return FALSE;
    }
  for (guint64 i = (guint64) self->shape.rank, stride = 1; i-- > 1;)
    {
      strides[i] = stride;
      stride *= (guint64) self->shape.dims[i];
    }
  for (guint64 i = 0; i < self->n_columns; i += at_once)
    {
      guint64 n = MIN (at_once, self->n_columns - i);
      guint64 from = i * self->n_rows + (is_whole ? 0 : first);

      if (!sym_blob_read (self->source, self->start + from * size, n * column_bytes, columns,
                          error))
        return FALSE;
      for (guint64 k = 0; k < n; k++)
        {
          scatter (self, columns + k * column_bytes + (is_whole ? first * size : 0), n_rows,
                   to_column, rows);
          to_column = step_column (self, indices, strides, to_column);
        }
    }
  return TRUE;
}

/* Lets the band begin with the row @first. */
static gboolean
move_band (NpyBlob *self, guint64 first, GError **error)
{
  guint64 at_once = get_rows_at_once (self);
  guint64 n = MIN (at_once, self->n_rows - first);

  if (self->band == NULL)
    self->band = g_try_malloc (at_once * self->n_columns * self->element_bytes);
  self->n_band = 0;
  if (self->band == NULL)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                   "there is no memory to turn an array of Fortran order");
      return FALSE;
    }
  if (!gather_rows (self, first, n, self->band, error))
    return FALSE;
  self->band_first = first;
  self->n_band = n;
  return TRUE;
}

/* @n elements from element @first on, which may begin and end within a row. */
static gboolean
copy_from_band (NpyBlob *self, guint64 first, guint64 n, guint8 *to, GError **error)
{
  gsize size = self->element_bytes;

  while (n > 0)
    {
      guint64 row = first / self->n_columns;
      guint64 in_band, wanted;

      if ((row < self->band_first || row - self->band_first >= self->n_band) &&
          !move_band (self, row, error))
        return FALSE;
      in_band = first - self->band_first * self->n_columns;
      wanted = MIN (n, self->n_band * self->n_columns - in_band);
      memcpy (to, self->band + in_band * size, wanted * size);
      first += wanted;
      to += wanted * size;
      n -= wanted;
    }
  return TRUE;
}

static gboolean
load_turned (NpyBlob *self, guint64 first, guint64 n, guint8 *to, GError **error)
{
  gboolean done;

  /* Many whole rows need no band. */
  if (first % self->n_columns == 0 && n % self->n_columns == 0 &&
      n / self->n_columns >= get_rows_at_once (self))
    return gather_rows (self, first / self->n_columns, n / self->n_columns, to, error);

  g_mutex_lock (&self->mutex);
  done = copy_from_band (self, first, n, to, error);
  if (!done || first + n == self->n_elements)
    {
      g_clear_pointer (&self->band, g_free);
      self->n_band = 0;
    }
  g_mutex_unlock (&self->mutex);
  return done;
}

static gboolean
load (NpyBlob *self, guint64 first, guint64 n, guint8 *to, GError **error)
{
  gsize size = self->element_bytes;
  gboolean done = self->is_fortran ? load_turned (self, first, n, to, error)
                                   : sym_blob_read (self->source, self->start + first * size,
                                                    n * size, to, error);

  if (done)
    swap (to, (gsize) n * size, self->swap_bytes);
  return done;
}

/* An element of which only a part is wanted is read whole.  Strings are never read so. */
static gboolean
load_part (NpyBlob *self, guint64 offset, gsize n_bytes, guint8 *to, GError **error)
{
  guint8 element[16];

  if (!load (self, offset / self->element_bytes, 1, element, error))
    return FALSE;
  memcpy (to, element + offset % self->element_bytes, n_bytes);
  return TRUE;
}

static gboolean
npy_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  NpyBlob *self = (NpyBlob *) blob;
  gsize element = self->element_bytes;
  guint8 *to = buffer;

  while (size > 0)
    {
      guint64 part = offset % element != 0 ? element - offset % element : size / element * element;

      part = part == 0 ? size : MIN (part, size);
      if (offset % element == 0 && part >= element
              ? !load (self, offset / element, part / element, to, error)
              : !load_part (self, offset, (gsize) part, to, error))
        return FALSE;
      offset += part;
      to += part;
      size -= part;
    }
  return TRUE;
}

static void
npy_blob_free (SymBlob *blob)
{
  NpyBlob *self = (NpyBlob *) blob;

  sym_blob_unref (self->source);
  g_mutex_clear (&self->mutex);
  g_free (self->band);
  g_free (self);
}

static const SymBlobClass npy_blob_class = {
  .read = npy_blob_read,
  .free = npy_blob_free,
};

/* What has an order of bytes: an element, a part of a complex one, a character. */
static gsize
get_unit (const SymStoreNpyHeader *header)
{
  switch ((int) header->dtype)
    {
    case SYM_DTYPE_STRING:
      return header->is_utf32 ? sizeof (gunichar) : 1;
    case SYM_DTYPE_COMPLEX64:
    case SYM_DTYPE_COMPLEX128:
      return (gsize) header->element_bytes / 2;
    default:
      return (gsize) header->element_bytes;
    }
}

SymBlob *
sym_store_npy_blob_new (SymBlob *source, const SymStoreNpyHeader *header, guint64 band_bytes)
{
  NpyBlob *self = g_new0 (NpyBlob, 1);
  self->parent.klass = &npy_blob_class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = header->n_elements * header->element_bytes;
  self->source = sym_blob_ref (source);
  self->start = header->start;
  self->n_elements = header->n_elements;
  self->element_bytes = (gsize) header->element_bytes;
  self->swap_bytes = header->is_big_endian ? get_unit (header) : 1;
  self->is_fortran = header->is_fortran && header->shape.rank > 1 && header->n_elements > 0;
  self->shape = header->shape;
  self->n_rows = self->is_fortran ? (guint64) header->shape.dims[0] : 1;
  self->n_columns = header->n_elements / self->n_rows;
  self->band_bytes = band_bytes;
  g_mutex_init (&self->mutex);
  return &self->parent;
}
