/* SPDX-License-Identifier: MIT */
#include "run/sym-static.h"

#include "core/sym-error.h"

static gboolean
check_inputs (const SymInference *inference, SymModel *model, GError **error)
{
  SymIds inputs = sym_model_get_inputs (model);

  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_inference_get_type (inference, inputs.ids[i]);
      g_autofree char *shape = NULL;

      if (type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 && sym_shape_is_known (&type.shape))
        continue;
      shape = type.kind == SYM_KIND_TENSOR
                  ? sym_inference_format_shape (inference, &type.shape, ",")
                  : g_strdup ("no tensor");
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED,
                   "Must provide batch size for each input! “%s” is %s",
                   sym_model_get_value_name (model, inputs.ids[i]), shape);
      return FALSE;
    }
  return TRUE;
}

SymPlan *
sym_plan_new_static (SymModel *model, guint n_threads, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymInference) inference = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  inference = sym_infer (model, NULL, 0, cancellable, error);
  if (inference == NULL || !check_inputs (inference, model, error))
    return NULL;
  return sym_plan_new (
      model,
      &(SymPlanOptions){ .types = inference, .inference = inference, .n_threads = n_threads },
      cancellable, error);
}
