/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "run/sym-run-private.h"

/* Hands the result on: kept, for it may lie in memory of the run; taken apart where the call has
 * several. */
static gboolean
set_results (SymDatum *result, SymDatum **outputs, guint n_outputs, GError **error)
{
  if (n_outputs > 1 && (sym_datum_get_kind (result) != SYM_KIND_TUPLE ||
                        sym_datum_get_n_items (result) != n_outputs))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "a tuple of %u should have been returned, and not a value of type %s", n_outputs,
                   sym_datum_get_type_name (result));
      return FALSE;
    }
  for (guint i = 0; i < n_outputs; i++)
    {
      outputs[i] = sym_datum_keep (n_outputs > 1 ? sym_datum_get_item (result, i) : result, error);
      if (outputs[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* What somebody computes from the types is checked where it is relied upon; the names of types are
 * for people. */
static gboolean
check_result (const SymFunction *function, const SymDatum *result, GError **error)
{
  return function->infer != NULL || function->result.kind == SYM_KIND_OPAQUE ||
         sym_datum_check_type (result, &function->result, function->name, error);
}

gboolean
sym_run_call_function (const SymFunction *function,
                       const SymHostCall *call,
                       SymDatum **outputs,
                       guint n_outputs,
                       GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (SymDatum) result = function->run (call, function->user_data, &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (result == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "%s returned neither a result nor an error", function->name);
      return FALSE;
    }
  return check_result (function, result, error) && set_results (result, outputs, n_outputs, error);
}
