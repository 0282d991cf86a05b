/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-error.h"
#include "core/sym-progress.h"
#include "core/sym-terms-private.h"

/* A new name where another one is declared is what that dimension is called in all of the model. Of
 * names that turn out to mean the same, those that are given are told. */
static void
take_name (SymInference *self, const SymType *declared, int axis, const char *name)
{
  if (!sym_terms_is_name (name))
    return;
  if (axis < declared->shape.rank && !sym_terms_is_wanted (self->terms, declared->shape.dims[axis]))
    sym_terms_rename (self->terms, declared->shape.dims[axis], name);
  sym_terms_want_name (self->terms, name);
}

static gboolean
apply_names (SymInference *self,
             const SymOverride *override,
             const SymType *declared,
             SymType *type,
             GError **error)
{
  for (int i = 0; override->has_shape && i < override->shape.rank; i++)
    {
      const char *name = override->names != NULL ? override->names[i] : NULL;

      if (name == NULL)
        continue;
      take_name (self, declared, i, name);
      if (sym_terms_parse (self->terms, name, &type->shape.dims[i]))
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
  SymType declared, type;

  if (!sym_model_has_value (self->model, override->value))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no value with id %u",
                   override->value);
      return FALSE;
    }
  fact = &self->facts[override->value];
  declared = type = fact->type;
  if (override->has_dtype)
    type.dtype = override->dtype;
  if (override->has_shape)
    type.shape = override->shape;
  if (!apply_names (self, override, &declared, &type, error))
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
  for (guint i = 0; i < n_overrides; i++)
    {
      if (!apply_override (result, &overrides[i], error))
        return NULL;
      given[i] = overrides[i].value;
    }
  sym_inference_forget_declared (result, given, n_overrides);
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
