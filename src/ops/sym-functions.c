/* SPDX-License-Identifier: MIT */
#include "ops/sym-functions.h"

#include "ops/sym-op-torch.h"

#include <string.h>

/* ---- Rules ---- */

gboolean
sym_infer_same (SymRule *rule, gpointer user_data, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);

  if (type.kind != SYM_KIND_TENSOR && type.kind != SYM_KIND_UNKNOWN)
    {
      sym_rule_set_output_type (rule, 0, &type);
      return TRUE;
    }
  return sym_op_pass (rule, 0, 0, error);
}

gboolean
sym_infer_broadcast (SymRule *rule, gpointer user_data, GError **error)
{
  guint last = sym_rule_get_n_inputs (rule) - 1;

  return sym_op_broadcast_shapes (rule, 0, last, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_torch_promote (rule, 0, last), error);
}

/* The argument called @name, or the positional one at @place. */
static const SymValue *
find_argument (SymRule *rule, const char *name, guint place)
{
  const SymValue *arguments = sym_rule_get_arguments (rule);
  const SymValue *positional, *named;

  if (arguments == NULL || sym_value_get_n_children (arguments) != 2)
    return NULL;
  positional = sym_value_get_child (arguments, 0);
  named = sym_value_get_child (arguments, 1);
  for (guint i = 0; i < sym_value_get_n_children (named); i++)
    if (strcmp (sym_value_get_key (named, i), name) == 0)
      return sym_value_get_child (named, i);
  return sym_value_get_n_children (positional) > place ? sym_value_get_child (positional, place)
                                                       : NULL;
}

static gboolean
infer_reduced_shape (SymRule *rule, GError **error)
{
  const SymValue *dim = find_argument (rule, "dim", 1);
  const SymValue *keepdim = find_argument (rule, "keepdim", 2);
  SymShape input = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  gboolean keeps = FALSE;
  gint64 dims[SYM_MAX_RANK];
  int n = dim == NULL ? -1 : sym_value_get_ints (dim, dims, SYM_MAX_RANK);
  SymShape output;

  if (keepdim != NULL)
    sym_value_get_bool (keepdim, &keeps);
  if (n <= 0)
    return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_UNKNOWN, error);
  if (input.rank < 0)
    return TRUE;
  for (int i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    {
      int axis;

      if (!sym_op_normalize_axis (dims[i], input.rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  output = sym_op_reduce_shape (&input, axes, keeps);
  return sym_rule_set_output (rule, 0, &output, error);
}

gboolean
sym_infer_reduced (SymRule *rule, gpointer user_data, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && infer_reduced_shape (rule, error);
}

/* torch.sum adds integers up as int64, torch.mean takes none. */
static gboolean
infer_sum (SymRule *rule, gpointer user_data, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (!sym_dtype_is_integer (dtype) && dtype != SYM_DTYPE_BOOL)
    return sym_infer_reduced (rule, user_data, error);
  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error) &&
         infer_reduced_shape (rule, error);
}

static gboolean
infer_mean (SymRule *rule, gpointer user_data, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL)
    return sym_rule_fail (error, "mean(): input dtype must be floating point, got %s",
                          sym_dtype_to_string (dtype));
  return sym_infer_reduced (rule, user_data, error);
}

gboolean
sym_infer_concatenated (SymRule *rule, gpointer user_data, GError **error)
{
  const SymValue *dim = find_argument (rule, "dim", 1);
  gint64 axis = 0;

  if (dim != NULL)
    sym_value_get_int (dim, &axis);
  return sym_rule_set_output_dtype (
             rule, 0, sym_op_torch_promote (rule, 0, sym_rule_get_n_inputs (rule) - 1), error) &&
         sym_op_concatenate (rule, 0, axis, error);
}

const SymFunction sym_function_sum = { .name = "sum", .infer = infer_sum };
const SymFunction sym_function_mean = { .name = "mean", .infer = infer_mean };
const SymFunction sym_function_cat = { .name = "cat", .infer = sym_infer_concatenated };

/* ---- Layers ---- */

SymLayer *
sym_nn_custom (SymGraph *graph,
               const char *type,
               gboolean (*infer) (SymRule *rule, gpointer user_data, GError **error),
               gpointer user_data)
{
  SymFunction function = { .name = type, .infer = infer, .user_data = user_data };

  return sym_graph_keep_layer (graph, sym_layer_new_function (type, &function), NULL);
}

SymLayer *
sym_nn_lambda (SymGraph *graph, const SymFunction *function)
{
  return sym_nn_named_lambda (graph, function, "LambdaOpLayer");
}

SymLayer *
sym_nn_named_lambda (SymGraph *graph, const SymFunction *function, const char *name)
{
  return sym_graph_keep_layer (graph, sym_layer_new_function (name, function), NULL);
}

/* The function is called, and its result is not looked at. */
static SymDatum *
run_callback (const SymHostCall *call, gpointer user_data, GError **error)
{
  const SymFunction *inner = user_data;
  GError *local = NULL;
  SymDatum *result;

  if (call->n_operands != 1)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "Expected 1 inputs, not %u!",
                   call->n_operands);
      return NULL;
    }
  result = inner->run (call, inner->user_data, &local);
  g_clear_pointer (&result, sym_datum_unref);
  if (local == NULL)
    return sym_datum_ref (call->operands[0]);
  g_propagate_error (error, local);
  return NULL;
}

static void
free_callback (gpointer data)
{
  SymFunction *inner = data;

  if (inner->destroy != NULL)
    inner->destroy (inner->user_data);
  g_free (inner);
}

SymLayer *
sym_nn_callback (SymGraph *graph, const SymFunction *function)
{
  SymFunction callback = { .name = function->name, .infer = sym_infer_same };

  if (function->run != NULL || function->destroy != NULL)
    {
      callback.run = function->run == NULL ? NULL : run_callback;
      callback.user_data = g_memdup2 (function, sizeof *function);
      callback.destroy = free_callback;
    }
  return sym_nn_named_lambda (graph, &callback, "CallbackLayer");
}

SymLayer *
sym_nn_method_call (SymGraph *graph, const char *method, const SymType *result)
{
  SymFunction function = { .name = method, .result = *result };

  return sym_nn_named_lambda (graph, &function, "MethodCall");
}
