/* SPDX-License-Identifier: MIT */
#include "run/sym-record-distance.h"

#define PART_BYTES ((guint64) 128 << 20)

/* Values that are measured in one go. */
typedef struct {
  const SymId *actual, *expected;
  SymDistance *distances;
  guint n;
  GHashTable *places; /* from value + 1 of @actual, or of @expected, to place + 1 */
  SymDatum **data;    /* expected, by place; NULL for none */
} Part;

static gpointer
to_key (SymId value)
{
  return GSIZE_TO_POINTER ((gsize) value + 1);
}

static void
index_values (Part *self, const SymId *values)
{
  g_hash_table_remove_all (self->places);
  for (guint i = 0; i < self->n; i++)
    g_hash_table_insert (self->places, to_key (values[i]), GUINT_TO_POINTER (i + 1));
}

static guint
find_place (const Part *self, SymId value)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->places, to_key (value))) - 1;
}

static gboolean
keep_expected (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Part *self = user_data;
  SymDatum **slot = &self->data[find_place (self, value)];

  if (*slot == NULL)
    *slot = sym_datum_keep (datum, error);
  return *slot != NULL;
}

static gboolean
measure_actual (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Part *self = user_data;
  guint place = find_place (self, value);
  SymDatum *expected = self->data[place];

  if (expected != NULL && sym_datum_get_array (datum) != NULL &&
      sym_datum_get_array (expected) != NULL)
    sym_distance_measure (&self->distances[place], sym_datum_get_array (datum),
                          sym_datum_get_array (expected));
  return TRUE;
}

static gboolean
measure_part (Part *self,
              const SymRecord *run,
              const SymRecord *reference,
              GCancellable *cancellable,
              GError **error)
{
  gboolean is_measured;

  self->places = g_hash_table_new (NULL, NULL);
  self->data = g_new0 (SymDatum *, self->n);
  index_values (self, self->expected);
  is_measured = sym_record_visit (reference, self->expected, self->n, keep_expected, self,
                                  cancellable, error);
  index_values (self, self->actual);
  is_measured = is_measured && sym_record_visit (run, self->actual, self->n, measure_actual, self,
                                                 cancellable, error);
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->data[i], sym_datum_unref);
  g_free (self->data);
  g_hash_table_unref (self->places);
  return is_measured;
}

static guint64
count_bytes (const SymRecord *record, SymId value)
{
  SymType type = sym_record_get_type (record, value);
  guint64 n, n_bytes;

  return type.kind == SYM_KIND_TENSOR && sym_shape_get_n_elements (&type.shape, &n) &&
                 sym_dtype_get_size (type.dtype, n, &n_bytes)
             ? n_bytes
             : 0;
}

/* How many values, at least one, have no more bytes together than one part may. */
static guint
find_end (const SymRecord *reference, const SymId *expected, guint first, guint n)
{
  guint64 n_bytes = count_bytes (reference, expected[first]);
  guint end = first + 1;

  while (end < n)
    {
      guint64 more = count_bytes (reference, expected[end]);

      if (n_bytes > PART_BYTES || more > PART_BYTES - n_bytes)
        break;
      n_bytes += more;
      end++;
    }
  return end;
}

gboolean
sym_record_measure (const SymRecord *run,
                    const SymRecord *reference,
                    const SymId *actual,
                    const SymId *expected,
                    guint n,
                    SymDistance *distances,
                    GCancellable *cancellable,
                    GError **error)
{
  guint end;

  g_return_val_if_fail (run != NULL && reference != NULL, FALSE);
  g_return_val_if_fail (n == 0 || (actual != NULL && expected != NULL && distances != NULL), FALSE);

  for (guint i = 0; i < n; i++)
    distances[i] = (SymDistance){ FALSE };
  for (guint first = 0; first < n; first = end)
    {
      end = find_end (reference, expected, first, n);
      Part part = { actual + first, expected + first, distances + first, end - first, NULL, NULL };

      if (!measure_part (&part, run, reference, cancellable, error))
        return FALSE;
    }
  return TRUE;
}
