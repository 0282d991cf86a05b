/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "run/sym-run.h"

static SymId
find_value (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return value;
  return SYM_NO_ID;
}

static gboolean
feed_all (SymRun *self, const char *const *names, SymDatum *const *data, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      SymId value = find_value (sym_plan_get_model (sym_run_get_plan (self)), names[i]);

      if (value == SYM_NO_ID)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "there is no value “%s”", names[i]);
          return FALSE;
        }
      if (!sym_run_feed (self, value, data[i], error))
        return FALSE;
    }
  return TRUE;
}

static GPtrArray *
collect_outputs (const SymRun *run, SymModel *model, GError **error)
{
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  SymIds ids = sym_model_get_outputs (model);

  for (guint i = 0; i < ids.n; i++)
    {
      SymDatum *kept = sym_datum_keep (sym_run_get (run, ids.ids[i]), error);

      if (kept == NULL)
        return NULL;
      g_ptr_array_add (outputs, kept);
    }
  return g_steal_pointer (&outputs);
}

GPtrArray *
sym_run_evaluate (SymModel *model,
                  const char *const *names,
                  SymDatum *const *data,
                  guint n,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, cancellable, error);
  g_autoptr (SymRun) run = plan == NULL ? NULL : sym_run_new (plan);

  if (run == NULL || !feed_all (run, names, data, n, error) ||
      !sym_run_execute (run, cancellable, error))
    return NULL;
  return collect_outputs (run, model, error);
}

GPtrArray *
sym_run_call (SymRun *self,
              SymDatum *const *inputs,
              guint n,
              GCancellable *cancellable,
              GError **error)
{
  SymModel *model;
  SymIds ids;

  g_return_val_if_fail (self != NULL, NULL);

  model = sym_plan_get_model (sym_run_get_plan (self));
  ids = sym_model_get_inputs (model);
  if (n != ids.n)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "Number of inputs doesn't match! The model takes %u, not %u", ids.n, n);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    if (!sym_run_feed (self, ids.ids[i], inputs[i], error))
      return NULL;
  return sym_run_execute (self, cancellable, error) ? collect_outputs (self, model, error) : NULL;
}

GPtrArray *
sym_model_call (SymModel *model,
                SymDatum *const *inputs,
                guint n,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, cancellable, error);
  g_autoptr (SymRun) run = plan == NULL ? NULL : sym_run_new (plan);

  return run == NULL ? NULL : sym_run_call (run, inputs, n, cancellable, error);
}
