/* SPDX-License-Identifier: MIT */
#include "ops/sym-functions.h"

#include "core/sym-element.h"
#include "core/sym-error.h"
#include "core/sym-kernel.h"
#include "ops/sym-op-torch.h"
#include "ops/sym-op.h"

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

/* ---- Running ---- */

/* One layer of ONNX, computed on the spot by its kernel. */
static SymDatum *
compute (const char *name,
         SymAttributes *attributes,
         SymDatum *const *inputs,
         guint n_inputs,
         GCancellable *cancellable,
         GError **error)
{
  g_autoptr (SymLayer) layer =
      sym_layer_new (name, sym_op_find ("", name, SYM_OP_LOWER_VERSION), attributes);
  const SymKernelHost host = { .cancellable = cancellable };
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, &host);
  SymDatum *output = NULL;

  if (sym_kernel_run (kernel, inputs, n_inputs, &output, 1, NULL, error))
    return output;
  g_clear_pointer (&output, sym_datum_unref);
  return NULL;
}

/* The dimensions to reduce; all of them without any. */
static SymDatum *
make_axes (const SymValue *dim, int rank, gboolean *is_all, GError **error)
{
  gint64 axes[SYM_MAX_RANK];
  int n = dim == NULL ? -1 : sym_value_get_ints (dim, axes, SYM_MAX_RANK);
  SymArray array = { SYM_DTYPE_INT64, SYM_SHAPE (rank), axes };

  *is_all = n <= 0;
  if (n > 0)
    array.shape = SYM_SHAPE (MIN (n, SYM_MAX_RANK));
  for (int i = 0; *is_all && i < rank; i++)
    axes[i] = i;
  return sym_datum_new_copy (&array, error);
}

static SymDatum *
reduce (const SymHostCall *call, const char *name, GError **error)
{
  const SymValue *keepdim = sym_host_call_find (call, 2, "keepdim");
  g_autoptr (SymDatum) x = sym_host_call_get (call, 0, "input", error);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymDatum) axes = NULL;
  gboolean keeps = FALSE, is_all;

  if (x == NULL)
    return NULL;
  if (sym_datum_get_array (x) == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "argument 'input' must be Tensor, not %s",
                   sym_datum_get_type_name (x));
      return NULL;
    }
  axes = make_axes (sym_host_call_find (call, 1, "dim"), sym_datum_get_array (x)->shape.rank,
                    &is_all, error);
  if (axes == NULL)
    return NULL;
  if (keepdim != NULL && !is_all)
    sym_value_get_bool (keepdim, &keeps);
  sym_attributes_set (attributes, "keepdims", sym_value_new_int (keeps), NULL);
  sym_attributes_set (attributes, "noop_with_empty_axes", sym_value_new_int (1), NULL);
  return compute (name, attributes, (SymDatum *const[]){ x, axes }, 2, call->cancellable, error);
}

/* Integers and bools are added up as int64. */
static SymDatum *
run_sum (const SymHostCall *call, gpointer user_data, GError **error)
{
  g_autoptr (SymDatum) x = sym_host_call_get (call, 0, "input", error);
  const SymArray *array = x == NULL ? NULL : sym_datum_get_array (x);
  g_autofree SymDatum **operands =
      g_memdup2 (call->operands, call->n_operands * sizeof (SymDatum *));
  SymHostCall wide = *call;
  g_autoptr (SymDatum) converted = NULL;

  if (x == NULL)
    return NULL;
  if (array == NULL || (!sym_dtype_is_integer (array->dtype) && array->dtype != SYM_DTYPE_BOOL))
    return reduce (call, "ReduceSum", error);
  converted = sym_datum_new (SYM_DTYPE_INT64, &array->shape, error);
  if (converted == NULL)
    return NULL;
  sym_convert_elements (array->dtype, array->data, SYM_DTYPE_INT64,
                        sym_datum_get_array (converted)->data, sym_array_get_n_elements (array));
  for (guint i = 0; i < call->n_operands; i++)
    if (operands[i] == x)
      operands[i] = converted;
  wide.operands = operands;
  return reduce (&wide, "ReduceSum", error);
}

static SymDatum *
run_mean (const SymHostCall *call, gpointer user_data, GError **error)
{
  return reduce (call, "ReduceMean", error);
}

/* cat ((x, y), dim=1); without a tree all operands, along the first dimension. */
static SymDatum *
run_cat (const SymHostCall *call, gpointer user_data, GError **error)
{
  const SymValue *dim = sym_host_call_find (call, 1, "dim");
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymDatum) tensors = call->arguments == NULL
                                     ? sym_datum_new_tuple (call->operands, call->n_operands)
                                     : sym_host_call_get (call, 0, "tensors", error);
  guint n = tensors == NULL ? 0 : sym_datum_get_n_items (tensors);
  g_autofree SymDatum **items = g_new (SymDatum *, n + 1);
  gint64 axis = 0;

  if (tensors == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    items[i] = sym_datum_get_item (tensors, i);
  if (dim != NULL)
    sym_value_get_int (dim, &axis);
  sym_attributes_set (attributes, "axis", sym_value_new_int (axis), NULL);
  return compute ("Concat", attributes, items, n, call->cancellable, error);
}

const SymFunction sym_function_sum = { .name = "sum", .infer = infer_sum, .run = run_sum };
const SymFunction sym_function_mean = { .name = "mean", .infer = infer_mean, .run = run_mean };
const SymFunction sym_function_cat = { .name = "cat",
                                       .infer = sym_infer_concatenated,
                                       .run = run_cat };

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
