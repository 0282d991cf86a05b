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
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  SymIds ids = sym_model_get_outputs (model);

  if (run == NULL || !feed_all (run, names, data, n, error) ||
      !sym_run_execute (run, cancellable, error))
    return NULL;
  for (guint i = 0; i < ids.n; i++)
    {
      SymDatum *kept = sym_datum_keep (sym_run_get (run, ids.ids[i]), error);

      if (kept == NULL)
        return NULL;
      g_ptr_array_add (outputs, kept);
    }
  return g_steal_pointer (&outputs);
}
