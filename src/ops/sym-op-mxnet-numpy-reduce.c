/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* Reductions as numpy has them: without axes all go and a scalar is left; an empty tuple of axes
 * leaves the data. */

#define AXES_SPEC                                                     \
  {                                                                   \
    "axis", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None" \
  }
#define KEEP_SPEC                                                            \
  {                                                                          \
    "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" \
  }
#define DTYPE_SPEC                                              \
  {                                                             \
    "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" \
  }
#define INITIAL_SPEC                                                    \
  {                                                                     \
    "initial", SYM_ATTRIBUTE_FLOAT, "None", "value that it begins with" \
  }

static gboolean
get_reduced (SymRule *rule, SymShape *out, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK];
  int n;

  *out = SYM_SHAPE_UNKNOWN;
  if (data.rank <= 0)
    {
      *out = data;
      return TRUE;
    }
  if (!sym_op_get_axes (rule, "axis", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    axes[i] = n < 0 || axes[i];
  *out = sym_op_reduce_shape (&data, axes, sym_rule_get_bool (rule, "keepdims", FALSE));
  return TRUE;
}

static gboolean
reduce_shape (SymRule *rule, GError **error)
{
  SymShape out;

  return get_reduced (rule, &out, error) && sym_rule_set_output (rule, 0, &out, error);
}

/* ---- sum, prod, max, min ---- */

static const SymAttributeSpec sum_attributes[] = { AXES_SPEC,
                                                   DTYPE_SPEC,
                                                   KEEP_SPEC,
                                                   INITIAL_SPEC,
                                                   { NULL } };
static const SymAttributeSpec max_attributes[] = { AXES_SPEC, KEEP_SPEC, INITIAL_SPEC, { NULL } };

/* Truth values are counted as int64. */
static gboolean
infer_sum (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN && sym_rule_get_input_dtype (rule, 0) == SYM_DTYPE_BOOL)
    dtype = SYM_DTYPE_INT64;
  if (dtype == SYM_DTYPE_UNKNOWN && !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 0, dtype, error) && reduce_shape (rule, error);
}

static gboolean
infer_max (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && reduce_shape (rule, error);
}

/* ---- mean, std, var, average ---- */

static const SymAttributeSpec moment_attributes[] = {
  AXES_SPEC, DTYPE_SPEC, { "ddof", SYM_ATTRIBUTE_INT, "0", "taken from the number of elements" },
  KEEP_SPEC, { NULL },
};

static const SymAttributeSpec average_attributes[] = {
  AXES_SPEC,
  { "returned", SYM_ATTRIBUTE_BOOL, "False", "whether the sum of the weights is given too" },
  { "weighted", SYM_ATTRIBUTE_BOOL, "True", "whether there are weights" },
  { NULL },
};

static const SymSlotSpec average_slots[] = { { "a" },
                                             { "weights", SYM_SLOT_DATA, TRUE },
                                             { NULL } };

static int
get_n_averaged (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "weighted", TRUE) ? 2 : 1;
}

static int
get_n_averages (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = sym_op_get_bool (attributes, "returned", FALSE) ? 2 : 1;
  return 2;
}

/* Floats keep their dtype; the mean of integers is a float, whose width is the program's choice. */
static gboolean
infer_mean (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);
  SymDType own = sym_rule_get_input_dtype (rule, 0);

  if (dtype == SYM_DTYPE_UNKNOWN && sym_dtype_is_floating (own))
    dtype = own;
  return sym_rule_set_output_dtype (rule, 0, dtype, error) && reduce_shape (rule, error);
}

static gboolean
infer_average (SymRule *rule, GError **error)
{
  SymShape out;

  return infer_mean (rule, error) && get_reduced (rule, &out, error) &&
         sym_op_set_output (rule, 1, out, sym_rule_get_output_dtype (rule, 0), error);
}

/* ---- norm ---- */

static const SymAttributeSpec norm_attributes[] = {
  { "ord", SYM_ATTRIBUTE_FLOAT, "2", "which norm" },
  AXES_SPEC,
  KEEP_SPEC,
  { "flag", SYM_ATTRIBUTE_INT, "-1", "how ord is to be read" },
  { NULL },
};

static int
get_n_norms (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 4;
}

/* ---- any, all ---- */

static const SymAttributeSpec truth_attributes[] = { AXES_SPEC, KEEP_SPEC, { NULL } };

static gboolean
infer_truth (SymRule *rule, GError **error)
{
  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error) && reduce_shape (rule, error);
}

/* ---- argmax, argmin ---- */

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axis that goes; all when None" },
  KEEP_SPEC,
  { NULL },
};

static gboolean
infer_arg (SymRule *rule, GError **error)
{
  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error) && reduce_shape (rule, error);
}

/* ---- percentile ---- */

static const SymAttributeSpec percentile_attributes[] = {
  AXES_SPEC,
  { "interpolation", SYM_ATTRIBUTE_STRING, "linear", "what is taken between two elements",
    "linear lower higher midpoint nearest" },
  KEEP_SPEC,
  { "q_scalar", SYM_ATTRIBUTE_FLOAT, "None", "the percentage, when it is no tensor" },
  { NULL },
};

static const SymSlotSpec percentile_slots[] = { { "a" }, { "q", SYM_SLOT_DATA, TRUE }, { NULL } };

static int
get_n_percentile (const SymAttributes *attributes)
{
  const SymValue *q = sym_attributes_find (attributes, "q_scalar");
  double number;

  return q != NULL && sym_value_get_float (q, &number) ? 1 : 2;
}

/* The axes of q come before those that are left. */
static gboolean
infer_percentile (SymRule *rule, GError **error)
{
  SymDType own = sym_rule_get_input_dtype (rule, 0);
  SymDType dtype = own == SYM_DTYPE_FLOAT64 ? own : SYM_DTYPE_FLOAT32;
  SymShape q = SYM_SHAPE (), rest;

  if (own != SYM_DTYPE_UNKNOWN && !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (get_n_percentile (sym_rule_get_attributes (rule)) == 2)
    q = sym_rule_get_input (rule, 1);
  if (!get_reduced (rule, &rest, error))
    return FALSE;
  if (q.rank < 0 || rest.rank < 0 || q.rank + rest.rank > SYM_MAX_RANK)
    return TRUE;
  for (int i = 0; i < rest.rank; i++)
    q.dims[q.rank++] = rest.dims[i];
  return sym_rule_set_output (rule, 0, &q, error);
}

/* ---- Lowering ---- */

/* The axes that go: all without the attribute, none where it is an empty tuple. */
static gboolean
get_lowered_axes (SymOpLower *self, gint64 axes[SYM_MAX_RANK], int *n)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0)
    return FALSE;
  if (sym_op_lower_get_ints (self, "axis", axes, 0) != 0)
    return sym_op_mxnet_lower_axes (self, "axis", rank, axes, n);
  *n = 0;
  return TRUE;
}

/* Integers have a mean of float32; other results have the dtype that the rule tells. */
static SymDType
get_work (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  return dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype;
}

static void
finish_reduced (SymOpLower *self, guint i, SymId x)
{
  sym_op_lower_set_output (self, i,
                           sym_op_lower_reshape (self, x, sym_op_lower_get_output_shape (self, 0)));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const names[][3] = {
    { "_npi_sum", "ReduceSum", "Add" },  { "_npi_prod", "ReduceProd", "Mul" },
    { "_npi_max", "ReduceMax", "Max" },  { "_npi_min", "ReduceMin", "Min" },
    { "_npi_mean", "ReduceMean", NULL },
  };
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  double initial = sym_op_lower_get_float (self, "initial", (double) NAN);
  gint64 axes[SYM_MAX_RANK];
  SymId x;
  int n;

  if (!get_lowered_axes (self, axes, &n))
    return;
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                              sym_op_lower_get_input_dtype (self, 0), get_work (self));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (op->name, names[i][0]))
      {
        x = sym_op_lower_reduce (self, names[i][1], x, axes, n, TRUE);
        if (!isnan (initial) && names[i][2] != NULL)
          x = sym_op_lower_binary (self, names[i][2], x,
                                   sym_op_lower_number (self, get_work (self), initial));
      }
  finish_reduced (self, 0, x);
}

/* The sum of squared distances from the mean over their number, less ddof; the mean is hidden. */
static void
lower_moment (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 axes[SYM_MAX_RANK];
  double count = 1;
  SymId x, mean;
  int n;

  if (!get_lowered_axes (self, axes, &n))
    return;
  for (int i = 0; i < n; i++)
    count *= (double) data->dims[axes[i]];
  count -= (double) sym_op_lower_get_int (self, "ddof", 0);
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                              sym_op_lower_get_input_dtype (self, 0), get_work (self));
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, n, TRUE);
  x = sym_op_lower_binary (self, "Sub", x, mean);
  x = sym_op_lower_reduce (self, "ReduceSumSquare", x, axes, n, TRUE);
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_number (self, get_work (self), count));
  if (g_str_equal (op->name, "_npi_std"))
    x = sym_op_lower_unary (self, "Sqrt", x);
  finish_reduced (self, 0, x);
  if (sym_op_lower_get_n_outputs (self) > 1)
    finish_reduced (self, 1, mean);
}

static void
lower_truth (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gboolean any = g_str_equal (op->name, "_npi_any");
  gint64 axes[SYM_MAX_RANK];
  SymId x;
  int n;

  if (!get_lowered_axes (self, axes, &n))
    return;
  x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_BOOL);
  x = sym_op_lower_cast (self, x, SYM_DTYPE_INT32);
  x = sym_op_lower_reduce (self, any ? "ReduceMax" : "ReduceMin", x, axes, n, TRUE);
  finish_reduced (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_BOOL));
}

static void
lower_arg (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gint64 axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);
  guint64 n_elements;
  int n;

  if (!get_lowered_axes (self, axes, &n) ||
      !sym_shape_get_n_elements (sym_op_lower_get_input_shape (self, 0), &n_elements))
    return;
  if (n != 1)
    x = sym_op_lower_reshape (self, x, &SYM_SHAPE ((gint64) n_elements));
  x = sym_op_lower_call (self, g_str_equal (op->name, "_npi_argmin") ? "ArgMin" : "ArgMax",
                         SYM_IDS (x), "axis", sym_value_new_int (n == 1 ? axes[0] : 0), NULL);
  finish_reduced (self, 0, x);
}

static void
lower_average (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  SymId x, weights, sum;
  int n;

  if (!get_lowered_axes (self, axes, &n))
    return;
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                              sym_op_lower_get_input_dtype (self, 0), get_work (self));
  weights = sym_op_lower_fill (self, get_work (self), sym_op_lower_get_input_shape (self, 0), 1);
  if (sym_op_lower_has_input (self, 1))
    {
      SymId given = sym_op_lower_cast (self, sym_op_lower_input (self, 1), get_work (self));

      if (sym_op_lower_get_input_shape (self, 1)->rank == 1 && n == 1)
        given = sym_op_lower_cast (
            self,
            sym_op_mxnet_lower_along (self, 1, (int) axes[0],
                                      sym_op_lower_get_input_shape (self, 0)->rank),
            get_work (self));
      weights = sym_op_lower_binary (self, "Mul", weights, given);
    }
  sum = sym_op_lower_reduce (self, "ReduceSum", weights, axes, n, TRUE);
  x = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, weights), axes,
                           n, TRUE);
  finish_reduced (self, 0, sym_op_lower_binary (self, "Div", x, sum));
  if (sym_op_lower_get_n_outputs (self) > 1)
    finish_reduced (self, 1, sum);
}

#define REDUCE(name_, aliases_, summary_, attributes_, infer_)                     \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_POOLING, \
                .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_

const SymOperator sym_op_mxnet_numpy_reduce[] = {
  { REDUCE ("_npi_sum", "_np_sum", "sum over axes", sum_attributes, infer_sum),
    .lower = lower_reduce },
  { REDUCE ("_npi_prod", "_np_prod _np_product", "product over axes", sum_attributes, infer_sum),
    .lower = lower_reduce },
  { REDUCE ("_npi_max",
            "_npi_amax _np_max _np_amax",
            "greatest element over axes",
            max_attributes,
            infer_max),
    .lower = lower_reduce },
  { REDUCE ("_npi_min",
            "_npi_amin _np_min _np_amin",
            "least element over axes",
            max_attributes,
            infer_max),
    .lower = lower_reduce },
  { REDUCE ("_npi_mean", NULL, "mean over axes", sum_attributes, infer_mean),
    .lower = lower_reduce },
  {
      REDUCE ("_npi_std", NULL, "deviation over axes", moment_attributes, infer_mean),
      .lower = lower_moment,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
  },
  {
      REDUCE ("_npi_var", NULL, "variance over axes", moment_attributes, infer_mean),
      .lower = lower_moment,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
  },
  {
      SYM_OP_MXNET,
      .name = "_npi_average",
      .summary = "weighted mean over axes",
      .reference = "MXNet 2.0 _npi_average",
      .category = SYM_CATEGORY_POOLING,
      .attributes = average_attributes,
      .slots = average_slots,
      .get_n_operands = get_n_averaged,
      .get_n_outputs = get_n_averages,
      .infer = infer_average,
      .lower = lower_average,
  },
  {
      REDUCE ("_npi_norm", NULL, "norm over axes", norm_attributes, infer_mean),
      .get_n_outputs = get_n_norms,
  },
  { REDUCE ("_npi_any",
            "_np_any _np_sometrue",
            "whether an element over axes is not 0",
            truth_attributes,
            infer_truth),
    .lower = lower_truth },
  { REDUCE ("_npi_all",
            "_np_all",
            "whether no element over axes is 0",
            truth_attributes,
            infer_truth),
    .lower = lower_truth },
  { REDUCE ("_npi_argmax", NULL, "index of the greatest element", arg_attributes, infer_arg),
    .lower = lower_arg },
  { REDUCE ("_npi_argmin", NULL, "index of the least element", arg_attributes, infer_arg),
    .lower = lower_arg },
  {
      SYM_OP_MXNET,
      .name = "_npi_percentile",
      .summary = "the element below which a percentage lies",
      .reference = "MXNet 2.0 _npi_percentile",
      .category = SYM_CATEGORY_POOLING,
      .attributes = percentile_attributes,
      .slots = percentile_slots,
      .get_n_operands = get_n_percentile,
      .infer = infer_percentile,
  },
  { NULL },
};
