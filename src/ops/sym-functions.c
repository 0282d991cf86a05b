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

/* The argument called @name, or the second positional one. */
static const SymValue *
find_argument (SymRule *rule, const char *name)
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
  return sym_value_get_n_children (positional) > 1 ? sym_value_get_child (positional, 1) : NULL;
}

gboolean
sym_infer_reduced (SymRule *rule, gpointer user_data, GError **error)
{
  const SymValue *dim = find_argument (rule, "dim");
  SymShape input = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  gint64 dims[SYM_MAX_RANK];
  int n = dim == NULL ? -1 : sym_value_get_ints (dim, dims, SYM_MAX_RANK);
  SymShape output;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
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
  output = sym_op_reduce_shape (&input, axes, FALSE);
  return sym_rule_set_output (rule, 0, &output, error);
}

gboolean
sym_infer_concatenated (SymRule *rule, gpointer user_data, GError **error)
{
  const SymValue *dim = find_argument (rule, "dim");
  gint64 axis = 0;

  if (dim != NULL)
    sym_value_get_int (dim, &axis);
  return sym_rule_set_output_dtype (
             rule, 0, sym_op_torch_promote (rule, 0, sym_rule_get_n_inputs (rule) - 1), error) &&
         sym_op_concatenate (rule, 0, axis, error);
}

const SymFunction sym_function_sum = { .name = "sum", .infer = sym_infer_reduced };
const SymFunction sym_function_mean = { .name = "mean", .infer = sym_infer_reduced };
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

SymLayer *
sym_nn_callback (SymGraph *graph, const SymFunction *function)
{
  SymFunction callback = *function;

  callback.infer = sym_infer_same;
  return sym_nn_named_lambda (graph, &callback, "CallbackLayer");
}

SymLayer *
sym_nn_method_call (SymGraph *graph, const char *method, const SymType *result)
{
  SymFunction function = { .name = method, .result = *result };

  return sym_nn_named_lambda (graph, &function, "MethodCall");
}
