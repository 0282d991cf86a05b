/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-ml-table.h"

#include "ops/sym-op-sort.h"

void
sym_op_ml_table_clear (SymOpMlTable *self)
{
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->numbers, g_free);
  g_clear_pointer (&self->slots, g_free);
}

/* The slot of @number: where it is, or where it would be. */
static gsize
find_slot (const SymOpMlTable *self, guint64 number)
{
  gsize most = self->n_slots - 1;
  gsize slot = (gsize) (number * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - self->n_bits));

  while (self->slots[slot] > 0 && self->numbers[self->slots[slot] - 1] != number)
    slot = (slot + 1) & most;
  return slot;
}

static inline guint32
find_number (const SymOpMlTable *self, guint64 number)
{
  if (self->n_bits == 0)
    return number - self->first < self->n_slots ? self->slots[number - self->first] : 0;
  return self->slots[find_slot (self, number)];
}

/* Whether a slot for each number from the least to the greatest takes no more room than a hash. */
static gboolean
find_range (SymOpMlTable *self, const SymArray *keys, gsize n)
{
  guint64 least = G_MAXUINT64, greatest = 0;

  for (gsize i = 0; i < n; i++)
    {
      guint64 key = sym_op_get_key (keys, i);

      least = MIN (least, key);
      greatest = MAX (greatest, key);
    }
  if (n == 0 || greatest - least >= 4 * n)
    return FALSE;
  self->first = least;
  self->n_slots = (gsize) (greatest - least) + 1;
  return TRUE;
}

static void
add_numbers (SymOpMlTable *self, const SymArray *keys, gsize n)
{
  gboolean are_close = find_range (self, keys, n);

  self->numbers = g_new (guint64, n + 1);
  for (self->n_bits = are_close ? 0 : 2; !are_close && (gsize) 1 << self->n_bits < 2 * n;
       self->n_bits++)
    ;
  if (!are_close)
    self->n_slots = (gsize) 1 << self->n_bits;
  self->slots = g_new0 (guint32, self->n_slots);
  for (gsize i = 0; i < n; i++)
    {
      gsize slot;

      self->numbers[i] = sym_op_get_key (keys, i);
      slot =
          are_close ? (gsize) (self->numbers[i] - self->first) : find_slot (self, self->numbers[i]);
      if (self->slots[slot] == 0)
        self->slots[slot] = (guint32) i + 1;
    }
}

void
sym_op_ml_table_init (SymOpMlTable *self, const SymArray *keys)
{
  gsize n = sym_array_get_n_elements (keys);

  if (keys->dtype != SYM_DTYPE_STRING)
    {
      add_numbers (self, keys, n);
      return;
    }
  self->places = g_hash_table_new (g_bytes_hash, g_bytes_equal);
  for (gsize i = n; i > 0; i--)
    g_hash_table_replace (self->places, ((GBytes **) keys->data)[i - 1], GSIZE_TO_POINTER (i));
}

void
sym_op_ml_table_find (const SymOpMlTable *self,
                      const SymArray *x,
                      gsize first,
                      gsize n,
                      guint32 *places)
{
  if (self->places != NULL)
    for (gsize i = 0; i < n; i++)
      places[i] = (guint32) GPOINTER_TO_SIZE (
          g_hash_table_lookup (self->places, ((GBytes *const *) x->data)[first + i]));
  else if (x->dtype == SYM_DTYPE_INT64)
    for (gsize i = 0; i < n; i++)
      places[i] = find_number (self, sym_op_get_int_key (((const gint64 *) x->data)[first + i]));
  else
    for (gsize i = 0; i < n; i++)
      places[i] = find_number (self, sym_op_get_key (x, first + i));
}
