/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-error.h"
#include "core/sym-progress.h"
#include "core/sym-terms-private.h"

/* ---- Names ---- */

/* The names in what is given, also within forms. */
static SymTerms *
collect_names (const SymOverride *overrides, guint n)
{
  SymTerms *given = sym_terms_new ();
  SymDim dim;

  for (guint i = 0; i < n; i++)
    for (int k = 0; overrides[i].has_shape && k < overrides[i].shape.rank; k++)
      if (overrides[i].names != NULL && overrides[i].names[k] != NULL)
        sym_terms_parse (given, overrides[i].names[k], &dim);
  return given;
}

static const char *
get_given_name (const SymOverride *override, int axis)
{
  const char *name = override->names != NULL ? override->names[axis] : NULL;

  return name != NULL && sym_terms_is_name (name) ? name : NULL;
}

/* What declared dimensions are called in @override, from their numbers to new names; "" for one
 * that has got two, or one that means something else.  Shapes of another rank tell nothing of what
 * is declared. */
static void
collect_renamings (SymInference *self,
                   const SymOverride *override,
                   const SymTerms *given,
                   GHashTable *renamings)
{
  const SymShape *declared = &self->facts[override->value].type.shape;

  for (int i = 0; declared->rank == override->shape.rank && i < declared->rank; i++)
    {
      const char *old_name = sym_terms_get_name (self->terms, declared->dims[i]);
      const char *name = get_given_name (override, i), *other;
      gboolean is_new = name != NULL && !sym_terms_has_name (self->terms, name);
      gpointer key;

      if (old_name == NULL || name == NULL || sym_terms_has_name (given, old_name))
        continue;
      key = GUINT_TO_POINTER (
          sym_terms_to_number (sym_terms_resolve (self->terms, declared->dims[i])));
      other = g_hash_table_lookup (renamings, key);
      is_new &= other == NULL || g_str_equal (other, name);
      g_hash_table_insert (renamings, key, (gpointer) (is_new ? name : ""));
    }
}

static void
rename_all (SymTerms *terms, GHashTable *renamings)
{
  GHashTableIter iter;
  gpointer key, name;

  g_hash_table_iter_init (&iter, renamings);
  while (g_hash_table_iter_next (&iter, &key, &name))
    if (*(const char *) name != '\0')
      sym_terms_take_name (terms, sym_terms_to_dim (GPOINTER_TO_UINT (key)), name);
}

static int
compare_values_cb (gconstpointer a, gconstpointer b)
{
  const SymOverride *const *one = a, *const *other = b;

  return (*one)->value < (*other)->value ? -1 : (*one)->value > (*other)->value;
}

/* Those that have shapes, in the order of their values: what is called how must not depend on which
 * was given first. */
static GPtrArray *
sort_shapes (SymModel *model, const SymOverride *overrides, guint n)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (overrides[i].has_shape && sym_model_has_value (model, overrides[i].value))
      g_ptr_array_add (sorted, (gpointer) &overrides[i]);
  g_ptr_array_sort (sorted, compare_values_cb);
  return sorted;
}

/* A new name where another one is declared is what that dimension is called in all of the model,
 * unless the old name is given as well, or two new ones.  Of names that turn out to mean the same,
 * those that are given are told. */
static void
take_names (SymInference *self, const SymOverride *overrides, guint n)
{
  g_autoptr (GPtrArray) sorted = sort_shapes (self->model, overrides, n);
  g_autoptr (SymTerms) given = collect_names (overrides, n);
  g_autoptr (GHashTable) renamings = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < sorted->len; i++)
    collect_renamings (self, sorted->pdata[i], given, renamings);
  rename_all (self->terms, renamings);
  for (guint i = 0; i < sorted->len; i++)
    {
      const SymOverride *override = sorted->pdata[i];

      for (int k = 0; k < override->shape.rank; k++)
        if (get_given_name (override, k) != NULL)
          sym_terms_want_name (self->terms, get_given_name (override, k));
    }
}

/* ---- Overrides ---- */

static gboolean
apply_names (SymInference *self, const SymOverride *override, SymType *type, GError **error)
{
  for (int i = 0; override->has_shape && i < override->shape.rank; i++)
    {
      const char *name = override->names != NULL ? override->names[i] : NULL;

      if (name == NULL || sym_terms_parse (self->terms, name, &type->shape.dims[i]))
        continue;
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” is no dimension: expected a number, a name such as batch, a form such as "
                   "2*seq+1, or ?",
                   name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
apply_override (SymInference *self, const SymOverride *override, GError **error)
{
  SymFact *fact;
  SymType type;

  if (!sym_model_has_value (self->model, override->value))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no value with id %u",
                   override->value);
      return FALSE;
    }
  fact = &self->facts[override->value];
  type = fact->type;
  if (override->has_dtype)
    type.dtype = override->dtype;
  if (override->has_shape)
    type.shape = override->shape;
  if (!apply_names (self, override, &type, error))
    return FALSE;
  if (!sym_terms_check_type (self->terms, &type, "a given shape", error))
    return FALSE;
  type.kind = SYM_KIND_TENSOR;
  sym_fact_clear (fact);
  sym_fact_init (fact, self->terms, &type);
  return TRUE;
}

static gboolean
run (SymInference *self, GCancellable *cancellable)
{
  SymProgressPart whole;
  gboolean finished;

  sym_progress_begin (cancellable, SYM_STAGE_INFER);
  whole = sym_progress_enter (cancellable, 0, 1);
  finished = sym_inference_run (self, 0, NULL, cancellable);
  sym_progress_leave (cancellable, whole);
  return finished;
}

SymInference *
sym_infer (SymModel *model,
           const SymOverride *overrides,
           guint n_overrides,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (SymInference) result = NULL;
  g_autofree SymId *given = g_new (SymId, n_overrides + 1);

  g_return_val_if_fail (model != NULL, NULL);

  result = sym_inference_new (model);
  if (n_overrides > 0)
    sym_terms_let_be (result->terms);
  take_names (result, overrides, n_overrides);
  for (guint i = 0; i < n_overrides; i++)
    {
      if (!apply_override (result, &overrides[i], error))
        return NULL;
      given[i] = overrides[i].value;
    }
  sym_inference_forget_declared (result, given, n_overrides, SYM_FORGET_ALL);
  if (!run (result, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return g_steal_pointer (&result);
}

SymInference *
sym_infer_nothing (SymModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);

  return sym_inference_new (model);
}
