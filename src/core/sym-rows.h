/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Rows of one size that grow at their end.  A network of a million layers adds a row to eight
 * tables for each: with a GArray, whose room nobody else may know, that is a call for every one.
 * g_array_index() reads these, too. */
typedef struct {
  gpointer data;
  guint len, capacity;
  gsize row_size;
} SymRows;

static inline SymRows *
sym_rows_new (gsize row_size)
{
  SymRows *self = g_new0 (SymRows, 1);

  self->row_size = row_size;
  return self;
}

/* The rows, to be freed by the caller; NULL where there are none.  Frees @self. */
static inline gpointer
sym_rows_free_to_data (SymRows *self)
{
  gpointer data = self->data;

  g_free (self);
  return data;
}

static inline void
sym_rows_free (SymRows *self)
{
  g_free (sym_rows_free_to_data (self));
}

/* Room for @n more.  Aborts, as a GArray does, beyond 2^32. */
static inline void
sym_rows_reserve (SymRows *self, guint n)
{
  if (G_LIKELY (n <= self->capacity - self->len))
    return;
  g_assert (n <= G_MAXUINT / 2 - self->len);
  self->capacity = MAX (self->len + n, MAX (8, self->capacity * 2));
  self->data = g_realloc_n (self->data, self->capacity, self->row_size);
}

/* Adds a row; evaluates its arguments more than once. */
#define sym_rows_append(self, row) \
  (sym_rows_reserve ((self), 1),   \
   (void) (g_array_index ((self), __typeof__ (row), (self)->len) = (row)), (void) (self)->len++)

/* Adds so many rows, of zeros where @rows is NULL. */
static inline void
sym_rows_append_many (SymRows *self, gconstpointer rows, guint n)
{
  char *end;

  if (n == 0)
    return;
  sym_rows_reserve (self, n);
  end = (char *) self->data + self->len * self->row_size;
  if (rows == NULL)
    memset (end, 0, n * self->row_size);
  else
    memcpy (end, rows, n * self->row_size);
  self->len += n;
}

static inline SymRows *
sym_rows_copy (const SymRows *self)
{
  SymRows *copy = sym_rows_new (self->row_size);

  sym_rows_append_many (copy, self->data, self->len);
  return copy;
}

G_END_DECLS
