/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

/* Products, sums over axes, and what normalises. */

/* ---- Dense ---- */

/* A sum with a bias of @n numbers along the last axis, which alone uses the product: then both are
 * one layer.  *@sum is the value that the layer makes. */
static gboolean
find_bias (SymRaise *self, gint64 n, SymKerasWeight *bias, SymId *sum)
{
  SymModel *model = sym_raise_get_model (self);
  SymId call = sym_raise_find_follower (self);
  const SymOperator *op =
      call == SYM_NO_ID ? NULL : sym_layer_get_operator (sym_model_get_layer (model, call));
  SymIds operands;
  guint other;

  if (op == NULL || *op->domain != '\0' || strcmp (op->name, "Add") != 0)
    return FALSE;
  operands = sym_model_get_operands (model, call);
  other = operands.ids[0] == sym_raise_get_result_value (self, 0) ? 1 : 0;
  *sum = sym_model_get_results (model, call).ids[0];
  return sym_keras_raise_find_weight_of (self, operands.ids[other], bias) &&
         bias->shape.rank == 1 && bias->shape.dims[0] == n;
}

static SymId
put_dense (SymRaise *self, SymKerasWeight *kernel, SymKerasWeight *bias)
{
  SymKerasWeight *weights[] = { kernel, bias };

  return sym_keras_raise_weighted (self, TRUE, "Dense", sym_raise_operand (self, 0), weights, 2,
                                   "units", sym_value_new_int (kernel->shape.dims[1]), "use_bias",
                                   sym_value_new_bool (bias != NULL), NULL);
}

static void
raise_matmul (SymRaise *self)
{
  SymShape data = sym_raise_get_shape (self, 0);
  g_auto (SymKerasWeight) kernel = { 0 };
  g_auto (SymKerasWeight) bias = { 0 };
  SymId sum = SYM_NO_ID, operands[2];

  if (data.rank < 2 || !sym_keras_raise_find_weight (self, 1, &kernel) || kernel.shape.rank != 2 ||
      !sym_dtype_is_floating (kernel.dtype))
    {
      for (guint i = 0; i < 2; i++)
        operands[i] = sym_raise_operand (self, i);
      sym_keras_raise_operation (self, TRUE, "Matmul", operands, 2, NULL);
    }
  else if (find_bias (self, kernel.shape.dims[1], &bias, &sum))
    sym_raise_set_made (self, sum, put_dense (self, &kernel, &bias));
  else
    put_dense (self, &kernel, NULL);
}

/* A bias of one axis, or of [1, n]; FALSE where it is none. */
static gboolean
read_gemm_bias (SymRaise *self, gint64 n, SymKerasWeight *bias)
{
  SymShape flat = { .rank = 1, .dims = { n } };

  if (!sym_keras_raise_find_weight (self, 2, bias) || bias->shape.rank < 1 ||
      bias->shape.rank > 2 || bias->shape.dims[bias->shape.rank - 1] != n ||
      (bias->shape.rank == 2 && bias->shape.dims[0] != 1))
    return FALSE;
  if (bias->shape.rank == 2)
    sym_keras_weight_reshape (bias, &flat);
  return TRUE;
}

/* The product of what is no weight, and a sum. */
static void
put_product (SymRaise *self)
{
  gboolean adds = sym_raise_has (self, 2);
  SymId operands[2];
  gint64 axes[] = { 1, 0 };

  for (guint i = 0; i < 2; i++)
    {
      operands[i] = sym_raise_operand (self, i);
      if (sym_raise_get_int (self, i == 0 ? "transA" : "transB", 0) != 0)
        operands[i] =
            sym_keras_raise_operation (self, FALSE, "Transpose", &operands[i], 1, "axes",
                                       sym_value_new_ints (SYM_VALUE_LIST, axes, 2), NULL);
    }
  operands[0] = sym_keras_raise_operation (self, !adds, "Matmul", operands, 2, NULL);
  if (!adds)
    return;
  operands[1] = sym_raise_operand (self, 2);
  sym_keras_raise_operation (self, TRUE, "Add", operands, 2, NULL);
}

static void
raise_gemm (SymRaise *self)
{
  g_auto (SymKerasWeight) kernel = { 0 };
  g_auto (SymKerasWeight) bias = { 0 };
  const int turned[] = { 1, 0 };
  gboolean is_dense;

  if (sym_raise_get_float (self, "alpha", 1) != 1 ||
      (sym_raise_has (self, 2) && sym_raise_get_float (self, "beta", 1) != 1))
    {
      sym_raise_fail (self, "it multiplies by other numbers as well");
      return;
    }
  is_dense = sym_raise_get_int (self, "transA", 0) == 0 &&
             sym_keras_raise_find_weight (self, 1, &kernel) && kernel.shape.rank == 2;
  if (is_dense && sym_raise_get_int (self, "transB", 0) != 0)
    sym_keras_weight_turn (&kernel, turned);
  if (!is_dense || (sym_raise_has (self, 2) && !read_gemm_bias (self, kernel.shape.dims[1], &bias)))
    put_product (self);
  else
    put_dense (self, &kernel, sym_raise_has (self, 2) ? &bias : NULL);
}

static void
raise_einsum (SymRaise *self)
{
  guint n = sym_raise_count_operands (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    if (sym_raise_find_tensor (self, sym_raise_get_value (self, i)) != NULL)
      sym_raise_fail_about (self, sym_raise_get_value (self, i), "is no data");
    else
      operands[i] = sym_raise_operand (self, i);
  if (!sym_raise_has_failed (self))
    sym_keras_raise_operation (self, TRUE, "Einsum", operands, n, "subscripts",
                               sym_value_new_string (sym_raise_get_string (self, "equation", "")),
                               NULL);
}

/* ---- Tables of features ---- */

static void
raise_gather (SymRaise *self)
{
  SymShape table = sym_raise_get_shape (self, 0), indices = sym_raise_get_shape (self, 1);
  gint64 axis;
  g_auto (SymKerasWeight) rows = { 0 };
  SymKerasWeight *weights[] = { &rows };
  SymId operands[2];

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 0), &axis))
    return;
  if (axis == 0 && table.rank == 2 && indices.rank >= 1 &&
      sym_dtype_is_floating (sym_raise_get_dtype (self, 0)) &&
      sym_raise_find_tensor (self, sym_raise_get_value (self, 1)) == NULL &&
      sym_keras_raise_find_weight (self, 0, &rows))
    {
      sym_keras_raise_weighted (self, TRUE, "Embedding", sym_raise_operand (self, 1), weights, 1,
                                "input_dim", sym_value_new_int (rows.shape.dims[0]), "output_dim",
                                sym_value_new_int (rows.shape.dims[1]), NULL);
      return;
    }
  for (guint i = 0; i < 2; i++)
    operands[i] = sym_raise_operand (self, i);
  sym_keras_raise_operation (self, TRUE, "Take", operands, 2, "axis", sym_value_new_int (axis),
                             NULL);
}

/* ---- Softmax ---- */

/* The sizes of operand 0, of which only the first may be unknown. */
static gboolean
knows_all_but_batch (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);

  for (int i = 1; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      return FALSE;
  return shape.rank > 0;
}

static SymId
put_softmax (SymRaise *self, gboolean is_last, SymId x, gint64 axis)
{
  if (strcmp (sym_raise_get_type (self), "LogSoftmax") == 0)
    return sym_keras_raise_operation (self, is_last, "LogSoftmax", &x, 1, "axis",
                                      sym_value_new_int (axis), NULL);
  return sym_keras_raise_layer (self, is_last, "Softmax", x, "axis", sym_value_new_int (axis),
                                NULL);
}

/* Before operator set 13 all axes from `axis` on were one. */
static void
raise_softmax (SymRaise *self)
{
  gboolean is_old = sym_raise_get_version (self) < 13;
  SymShape shape = sym_raise_get_shape (self, 0), flat = shape;
  SymId x = sym_raise_operand (self, 0);
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", is_old ? 1 : -1), &axis))
    return;
  if (!is_old || axis == shape.rank - 1)
    put_softmax (self, TRUE, x, axis);
  else if (axis < 1 || !knows_all_but_batch (self))
    sym_raise_fail (self, "its sum over several axes is of sizes that are not known");
  else
    {
      flat.rank = (int) axis + 1;
      flat.dims[axis] = -1;
      x = sym_keras_raise_reshape (self, FALSE, x, flat.dims, flat.rank, TRUE);
      x = put_softmax (self, FALSE, x, axis);
      sym_keras_raise_reshape (self, TRUE, x, shape.dims, shape.rank, TRUE);
    }
}

/* ---- Reductions ---- */

static const struct {
  const char *onnx;
  const char *before; /* what is done first; NULL for nothing */
  const char *keras;
  const char *after;
} reductions[] = {
  { "ReduceL1", "Absolute", "Sum", NULL }, { "ReduceL2", "Square", "Sum", "Sqrt" },
  { "ReduceLogSum", NULL, "Sum", "Log" },  { "ReduceLogSumExp", NULL, "Logsumexp", NULL },
  { "ReduceMax", NULL, "Max", NULL },      { "ReduceMean", NULL, "Mean", NULL },
  { "ReduceMin", NULL, "Min", NULL },      { "ReduceProd", NULL, "Prod", NULL },
  { "ReduceSum", NULL, "Sum", NULL },      { "ReduceSumSquare", "Square", "Sum", NULL },
};

static void
put_reduction (SymRaise *self, guint i, const gint64 *axes, int n)
{
  SymId x = sym_raise_operand (self, 0);
  gboolean keeps = sym_raise_get_int (self, "keepdims", 1) != 0;

  if (reductions[i].before != NULL)
    x = sym_keras_raise_operation (self, FALSE, reductions[i].before, &x, 1, NULL);
  x = sym_keras_raise_operation (
      self, reductions[i].after == NULL, reductions[i].keras, &x, 1, "keepdims",
      sym_value_new_bool (keeps), n <= 0 ? NULL : "axis",
      n <= 0 ? NULL : sym_value_new_ints (SYM_VALUE_LIST, axes, (guint) n), NULL);
  if (reductions[i].after != NULL)
    sym_keras_raise_operation (self, TRUE, reductions[i].after, &x, 1, NULL);
}

static void
raise_reduction (SymRaise *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "axes", 1, axes, SYM_MAX_RANK);

  if (n < 0 && sym_raise_has (self, 1))
    sym_raise_fail (self, "its axes are not known beforehand");
  else if (n <= 0 && sym_raise_get_int (self, "noop_with_empty_axes", 0) != 0)
    sym_keras_raise_layer (self, TRUE, "Identity", sym_raise_operand (self, 0), NULL);
  else
    for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
      if (strcmp (reductions[i].onnx, sym_raise_get_type (self)) == 0)
        put_reduction (self, i, axes, n);
}

/* Places are of 32 bits in Keras. */
static void
raise_arg (SymRaise *self)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "ArgMax") == 0;
  SymId x = sym_raise_operand (self, 0);

  if (sym_raise_get_int (self, "select_last_index", 0) != 0)
    {
      sym_raise_fail (self, "Keras takes the first of several");
      return;
    }
  x = sym_keras_raise_operation (
      self, FALSE, is_max ? "Argmax" : "Argmin", &x, 1, "axis",
      sym_value_new_int (sym_raise_get_int (self, "axis", 0)), "keepdims",
      sym_value_new_bool (sym_raise_get_int (self, "keepdims", 1) != 0), NULL);
  sym_keras_raise_operation (self, TRUE, "Cast", &x, 1, "dtype", sym_value_new_string ("int64"),
                             NULL);
}

static void
raise_cumulate (SymRaise *self)
{
  double axis;
  SymId x = sym_raise_operand (self, 0);

  if (!sym_raise_get_number (self, NULL, 1, &axis) || axis < -SYM_MAX_RANK || axis > SYM_MAX_RANK ||
      sym_raise_get_int (self, "exclusive", 0) != 0 || sym_raise_get_int (self, "reverse", 0) != 0)
    sym_raise_fail (self, "Keras adds from the front, up to each element");
  else
    sym_keras_raise_operation (self, TRUE, "Cumsum", &x, 1, "axis",
                               sym_value_new_int ((gint64) axis), NULL);
}

/* ---- Normalization ---- */

static SymValue *
get_epsilon (SymRaise *self)
{
  return sym_value_new_float (sym_raise_get_float (self, "epsilon", 1e-5));
}

/* Weights of one number for each of @n channels, in slots from 1 on. */
static gboolean
read_vectors (SymRaise *self, guint n_weights, SymDim n, SymKerasWeight *weights)
{
  for (guint i = 0; i < n_weights; i++)
    if (!sym_keras_raise_find_weight (self, i + 1, &weights[i]) || weights[i].shape.rank != 1 ||
        (n >= 0 && weights[i].shape.dims[0] != n))
      return FALSE;
  return TRUE;
}

static void
raise_batch_norm (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  SymKerasWeight held[4] = { 0 };
  SymKerasWeight *weights[] = { &held[0], &held[1], &held[2], &held[3] };

  if (sym_raise_get_int (self, "training_mode", 0) != 0 ||
      sym_raise_get_int (self, "spatial", 1) == 0 || !sym_raise_has_one_result (self))
    sym_raise_fail (self, "it trains");
  else if (shape.rank < 2 || !read_vectors (self, 4, shape.dims[1], held))
    sym_raise_fail (self, "its factors are no weights of a layer");
  else
    sym_keras_raise_weighted (self, TRUE, "BatchNormalization", sym_raise_operand (self, 0),
                              weights, 4, "axis", sym_value_new_int (shape.rank == 2 ? -1 : 1),
                              "momentum",
                              sym_value_new_float (sym_raise_get_float (self, "momentum", 0.9)),
                              "epsilon", get_epsilon (self), NULL);
  for (guint i = 0; i < 4; i++)
    sym_keras_weight_clear (&held[i]);
}

static void
put_groups (SymRaise *self, gint64 n_groups)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  SymKerasWeight held[2] = { 0 };
  SymKerasWeight *weights[] = { &held[0], &held[1] };

  if (shape.rank < 3 || shape.dims[1] < 1 || !read_vectors (self, 2, shape.dims[1], held))
    sym_raise_fail (self, "its factors are not one for each channel");
  else
    sym_keras_raise_weighted (self, TRUE, "GroupNormalization", sym_raise_operand (self, 0),
                              weights, 2, "groups",
                              sym_value_new_int (n_groups > 0 ? n_groups : shape.dims[1]), "axis",
                              sym_value_new_int (1), "epsilon", get_epsilon (self), NULL);
  for (guint i = 0; i < 2; i++)
    sym_keras_weight_clear (&held[i]);
}

/* Each channel is a group. */
static void
raise_instance_norm (SymRaise *self)
{
  put_groups (self, 0);
}

static void
raise_group_norm (SymRaise *self)
{
  put_groups (self, sym_raise_get_int (self, "num_groups", 1));
}

/* Over all axes from `axis` on; weights are of their sizes. */
static void
raise_layer_norm (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  gboolean has_bias = sym_raise_has (self, 2), fits = TRUE;
  SymKerasWeight held[2] = { 0 };
  SymKerasWeight *weights[] = { &held[0], has_bias ? &held[1] : NULL };
  gint64 axis, axes[SYM_MAX_RANK];

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", -1), &axis))
    return;
  for (guint i = 0; i < 1u + has_bias && fits; i++)
    fits = sym_keras_raise_find_weight (self, i + 1, &held[i]) &&
           held[i].shape.rank == shape.rank - axis;
  for (int i = (int) axis; i < shape.rank; i++)
    axes[i - axis] = i;
  if (!fits || !sym_raise_has_one_result (self))
    sym_raise_fail (self, "its factors are no weights of a layer, or it tells more results");
  else
    sym_keras_raise_weighted (
        self, TRUE, "LayerNormalization", sym_raise_operand (self, 0), weights, 2, "axis",
        axis == shape.rank - 1
            ? sym_value_new_int (-1)
            : sym_value_new_ints (SYM_VALUE_LIST, axes, (guint) (shape.rank - axis)),
        "epsilon", get_epsilon (self), "center", sym_value_new_bool (has_bias), NULL);
  for (guint i = 0; i < 2; i++)
    sym_keras_weight_clear (&held[i]);
}

static void
raise_rms_norm (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  g_auto (SymKerasWeight) scale = { 0 };
  SymKerasWeight *weights[] = { &scale };
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", -1), &axis))
    return;
  if (axis != shape.rank - 1 || !sym_keras_raise_find_weight (self, 1, &scale) ||
      scale.shape.rank != 1 || scale.shape.dims[0] != shape.dims[axis])
    sym_raise_fail (self, "its factors are no weights of the last axis");
  else
    sym_keras_raise_weighted (self, TRUE, "RMSNormalization", sym_raise_operand (self, 0), weights,
                              1, "axis", sym_value_new_int (-1), "epsilon", get_epsilon (self),
                              NULL);
}

/* ---- Table ---- */

#define REDUCTION(name_)      \
  {                           \
    name_, 1, raise_reduction \
  }

const SymRaiseRule sym_keras_raise_layers[] = {
  { "ArgMax", 1, raise_arg },
  { "ArgMin", 1, raise_arg },
  { "BatchNormalization", 1, raise_batch_norm },
  { "CumSum", 1, raise_cumulate },
  { "Einsum", G_MAXUINT, raise_einsum },
  { "Gather", 2, raise_gather },
  { "Gemm", 3, raise_gemm },
  { "GroupNormalization", 1, raise_group_norm },
  { "InstanceNormalization", 1, raise_instance_norm },
  { "LayerNormalization", 1, raise_layer_norm },
  { "LogSoftmax", 1, raise_softmax },
  { "MatMul", 2, raise_matmul },
  REDUCTION ("ReduceL1"),
  REDUCTION ("ReduceL2"),
  REDUCTION ("ReduceLogSum"),
  REDUCTION ("ReduceLogSumExp"),
  REDUCTION ("ReduceMax"),
  REDUCTION ("ReduceMean"),
  REDUCTION ("ReduceMin"),
  REDUCTION ("ReduceProd"),
  REDUCTION ("ReduceSum"),
  REDUCTION ("ReduceSumSquare"),
  { "RMSNormalization", 1, raise_rms_norm },
  { "Softmax", 1, raise_softmax },
  { NULL },
};
