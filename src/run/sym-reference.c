/* SPDX-License-Identifier: MIT */
#include "run/sym-reference.h"

#include "core/sym-element.h"
#include "core/sym-extract.h"

struct _SymReference {
  gatomicrefcount ref_count;
  SymModel *model;
  GArray *entries; /* of SymReferenceEntry, whose parts are owned */
  guint n_found;
  gboolean has_dtypes;
};

static gpointer
to_key (SymId value)
{
  return GSIZE_TO_POINTER ((gsize) value + 1);
}

/* ---- Names ---- */

static void
add_name (GHashTable *names, const char *name, SymId value)
{
  if (name != NULL && *name != '\0' && !g_hash_table_contains (names, name))
    g_hash_table_insert (names, (gpointer) name, to_key (value));
}

/* Unique names before others, which several values may have. */
static GHashTable *
index_values (SymModel *model)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = sym_model_get_n_values (model);

  for (SymId value = 0; value < n; value++)
    if (sym_model_has_value (model, value))
      add_name (names, sym_model_get_unique_name (model, value), value);
  for (SymId value = 0; value < n; value++)
    if (sym_model_has_value (model, value))
      add_name (names, sym_model_get_value_name (model, value), value);
  return names;
}

static GHashTable *
index_layers (SymModel *model)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && sym_model_get_results (model, call).n > 0 &&
        sym_model_get_results (model, call).ids[0] != SYM_NO_ID)
      add_name (names, sym_model_get_call_name (model, call),
                sym_model_get_results (model, call).ids[0]);
  return names;
}

static SymId
look_up (GHashTable *names, const char *name)
{
  gpointer key = g_hash_table_lookup (names, name);

  return key != NULL ? (SymId) (GPOINTER_TO_SIZE (key) - 1) : SYM_NO_ID;
}

/* Finds those that have no value yet among @names. */
static void
match (SymReference *self, GHashTable *names, GHashTable *taken)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      SymReferenceEntry *entry = &g_array_index (self->entries, SymReferenceEntry, i);

      if (entry->value != SYM_NO_ID)
        continue;
      entry->value = look_up (names, entry->name);
      entry->is_again =
          entry->value != SYM_NO_ID && !g_hash_table_add (taken, to_key (entry->value));
    }
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer model)
{
  const SymReferenceEntry *one = a, *two = b;
  gboolean has_one = one->value != SYM_NO_ID, has_two = two->value != SYM_NO_ID;

  if (!has_one || !has_two)
    return (int) has_two - (int) has_one;
  guint row_one = sym_model_get_row (model, one->value),
        row_two = sym_model_get_row (model, two->value);

  if (row_one != row_two)
    return row_one < row_two ? -1 : 1;
  return one->value != two->value ? (one->value < two->value ? -1 : 1)
                                  : (int) one->is_again - (int) two->is_again;
}

static void
match_all (SymReference *self)
{
  g_autoptr (GHashTable) values = index_values (self->model), layers = index_layers (self->model);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);

  match (self, values, taken);
  match (self, layers, taken);
  g_array_sort_with_data (self->entries, compare_places, self->model); /* stable */
  for (guint i = 0; i < self->entries->len; i++)
    self->n_found += g_array_index (self->entries, SymReferenceEntry, i).value != SYM_NO_ID;
}

/* ---- Making ---- */

static void
clear_entry (gpointer data)
{
  SymReferenceEntry *entry = data;

  g_free ((char *) entry->name);
  sym_tensor_unref (entry->tensor);
}

SymReference *
sym_reference_new (SymModel *model,
                   const char *const *names,
                   SymTensor *const *tensors,
                   guint n,
                   gboolean has_dtypes)
{
  g_return_val_if_fail (model != NULL && (n == 0 || (names != NULL && tensors != NULL)), NULL);

  SymReference *self = g_new0 (SymReference, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->has_dtypes = has_dtypes;
  self->entries = g_array_new (FALSE, FALSE, sizeof (SymReferenceEntry));
  g_array_set_clear_func (self->entries, clear_entry);
  for (guint i = 0; i < n; i++)
    {
      SymReferenceEntry entry = { g_strdup (names[i]), SYM_NO_ID, FALSE,
                                  sym_tensor_ref (tensors[i]) };

      g_array_append_val (self->entries, entry);
    }
  match_all (self);
  return self;
}

SymReference *
sym_reference_ref (SymReference *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_reference_unref (SymReference *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->entries);
  sym_model_unref (self->model);
  g_free (self);
}

SymModel *
sym_reference_get_model (const SymReference *self)
{
  return self->model;
}

guint
sym_reference_get_n (const SymReference *self)
{
  return self->entries->len;
}

const SymReferenceEntry *
sym_reference_get (const SymReference *self, guint i)
{
  g_return_val_if_fail (i < self->entries->len, NULL);

  return &g_array_index (self->entries, SymReferenceEntry, i);
}

guint
sym_reference_get_n_found (const SymReference *self)
{
  return self->n_found;
}

/* ---- Measuring ---- */

typedef struct {
  const SymReference *self;
  SymFinding *findings;
  GHashTable *places; /* value to entry + 1, of what is to be measured */
} Measure;

static gboolean
measure_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Measure *measure = user_data;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (measure->places, to_key (value))) - 1;
  g_autoptr (SymDatum) expected =
      sym_datum_new_read (sym_reference_get (measure->self, place)->tensor, error);

  if (expected == NULL)
    return FALSE;
  sym_distance_measure (&measure->findings[place].distance, sym_datum_get_array (datum),
                        sym_datum_get_array (expected));
  return TRUE;
}

static SymFindingKind
find_kind (const SymReference *self, const SymReferenceEntry *entry, const SymRecord *run)
{
  SymType type =
      entry->value != SYM_NO_ID ? sym_record_get_type (run, entry->value) : SYM_TYPE_UNKNOWN;

  if (entry->value == SYM_NO_ID)
    return SYM_FINDING_UNKNOWN;
  if (entry->is_again)
    return SYM_FINDING_AGAIN;
  if (type.kind == SYM_KIND_UNKNOWN)
    return SYM_FINDING_NOT_COMPUTED;
  if (type.kind != SYM_KIND_TENSOR || !sym_dtype_is_numeric (type.dtype) ||
      !sym_dtype_is_numeric (sym_tensor_get_dtype (entry->tensor)))
    return SYM_FINDING_NO_NUMBERS;
  if (!sym_shape_equal (&type.shape, sym_tensor_get_shape (entry->tensor)))
    return SYM_FINDING_SHAPE;
  return self->has_dtypes && type.dtype != sym_tensor_get_dtype (entry->tensor)
             ? SYM_FINDING_DTYPE
             : SYM_FINDING_MEASURED;
}

gboolean
sym_reference_measure (const SymReference *self,
                       const SymRecord *run,
                       SymFinding *findings,
                       GCancellable *cancellable,
                       GError **error)
{
  g_return_val_if_fail (self != NULL && run != NULL, FALSE);
  g_return_val_if_fail (sym_record_get_model (run) == self->model, FALSE);

  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  Measure measure = { self, findings, places };

  for (guint i = 0; i < self->entries->len; i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (self, i);

      findings[i] = (SymFinding){ find_kind (self, entry, run), { FALSE } };
      if (findings[i].kind > SYM_FINDING_DTYPE)
        continue;
      g_hash_table_insert (places, to_key (entry->value), GUINT_TO_POINTER (i + 1));
      g_array_append_val (values, entry->value);
    }
  return sym_record_visit (run, (const SymId *) (gpointer) values->data, values->len, measure_cb,
                           &measure, cancellable, error);
}

gboolean
sym_finding_exceeds (const SymFinding *self, double relative, double absolute)
{
  return self->kind == SYM_FINDING_SHAPE ||
         sym_distance_exceeds (&self->distance, relative, absolute);
}

/* ---- Telling ---- */

/* A dtype that means nothing is not told. */
static char *
format_type (const char *dtype, const SymShape *shape)
{
  GString *text = g_string_new (dtype);

  g_string_append_c (text, '[');
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

char *
sym_reference_format_expected (const SymReference *self, guint i)
{
  const SymTensor *tensor = sym_reference_get (self, i)->tensor;

  return format_type (self->has_dtypes ? sym_dtype_to_string (sym_tensor_get_dtype (tensor)) : "",
                      sym_tensor_get_shape (tensor));
}

char *
sym_reference_format_actual (const SymReference *self, guint i, const SymRecord *run)
{
  SymType type = sym_record_get_type (run, sym_reference_get (self, i)->value);

  return type.kind == SYM_KIND_TENSOR
             ? format_type (self->has_dtypes ? sym_dtype_to_string (type.dtype) : "", &type.shape)
             : NULL;
}
