/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Elements counted, compared as a whole, added up along an axis. */

/* ---- histogram ---- */

static const SymAttributeSpec histogram_attributes[] = {
  { "bin_cnt", SYM_ATTRIBUTE_INT, "None", "number of even bins, when these are no tensor" },
  { "range", SYM_ATTRIBUTE_FLOATS, "None", "where the even bins begin and end" },
  { NULL },
};

static const SymSlotSpec histogram_slots[] = { { "data" },
                                               { "bins", SYM_SLOT_DATA, TRUE },
                                               { NULL } };

static int
get_n_histogram (const SymAttributes *attributes)
{
  return sym_op_get_int (attributes, "bin_cnt", -1) >= 0 ? 1 : 2;
}

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

/* n counts and the n + 1 bounds of the bins. */
static gboolean
infer_histogram (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "bin_cnt", -1);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape bounds;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error) ||
      !sym_op_pass_dtype (rule, 0, 1, error))
    return FALSE;
  if (n >= 0)
    return sym_op_set_output (rule, 0, SYM_SHAPE (n), SYM_DTYPE_UNKNOWN, error) &&
           sym_op_set_output (rule, 1, SYM_SHAPE (sym_terms_add (terms, n, 1)), SYM_DTYPE_UNKNOWN,
                              error);
  if (!sym_op_set_input (rule, 1, SYM_SHAPE (SYM_DIM_UNKNOWN), error) ||
      !sym_op_pass_shape (rule, 1, 1, error))
    return FALSE;
  bounds = sym_rule_get_output (rule, 1);
  if (bounds.rank != 1)
    return TRUE;
  if (bounds.dims[0] >= 0 && bounds.dims[0] < 2)
    return sym_rule_fail (error, "number of bounds should be >= 2");
  return sym_op_set_output (rule, 0, SYM_SHAPE (sym_terms_subtract (terms, bounds.dims[0], 1)),
                            SYM_DTYPE_UNKNOWN, error);
}

/* ---- cumsum ---- */

static const SymAttributeSpec cumsum_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis along which it adds up; flat when None" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static gboolean
infer_cumsum (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymShape data = sym_rule_get_input (rule, 0);
  int axis;

  if (dtype == SYM_DTYPE_UNKNOWN && !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (!sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (given != G_MAXINT64)
    return (data.rank < 0 || sym_op_normalize_axis (given, data.rank, &axis, error)) &&
           sym_op_pass_shape (rule, 0, 0, error);
  if (data.rank < 0)
    return TRUE;
  return sym_op_set_output (
      rule, 0, SYM_SHAPE (sym_terms_product (sym_rule_get_terms (rule), data.dims, data.rank)),
      SYM_DTYPE_UNKNOWN, error);
}

/* ---- allclose, share_memory, getnnz ---- */

static const SymAttributeSpec close_attributes[] = {
  { "rtol", SYM_ATTRIBUTE_FLOAT, "1e-05", "relative tolerance" },
  { "atol", SYM_ATTRIBUTE_FLOAT, "1e-08", "absolute tolerance" },
  { "equal_nan", SYM_ATTRIBUTE_BOOL, "True", "whether NaN equals NaN" },
  { NULL },
};

static const SymSlotSpec ab_slots[] = { { "a" }, { "b" }, { NULL } };

/* The dtype hangs on how MXNet was built. */
static gboolean
infer_close (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b;

  if (!sym_rule_set_input (rule, 1, &a, error))
    return FALSE;
  b = sym_rule_get_input (rule, 1);
  return sym_rule_set_input (rule, 0, &b, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_shared (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_BOOL, error);
}

static const SymAttributeSpec nnz_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "0 for each column, 1 for each row; all when None" },
  { NULL },
};

static gboolean
infer_nnz (SymRule *rule, GError **error)
{
  gint64 axis = sym_rule_get_int (rule, "axis", -1);
  SymShape two = sym_shape_new_unknown (2), data;

  if (axis > 1)
    return sym_rule_fail (error, "axis is %" G_GINT64_FORMAT "; it should be None, 0 or 1", axis);
  if (!sym_rule_set_input (rule, 0, &two, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_output (rule, 0, SYM_SHAPE (axis < 0 ? 1 : data.dims[1 - axis]),
                            SYM_DTYPE_INT64, error);
}

/* |a - b| <= atol + rtol |b| everywhere. */
static void
lower_close (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId a = sym_op_lower_input (self, 0), b = sym_op_lower_input (self, 1), bound, close;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  bound = sym_op_lower_binary (
      self, "Mul", sym_op_lower_unary (self, "Abs", b),
      sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "rtol", 1e-5)));
  bound = sym_op_lower_binary (
      self, "Add", bound,
      sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "atol", 1e-8)));
  close = sym_op_lower_binary (
      self, "LessOrEqual",
      sym_op_lower_unary (self, "Abs", sym_op_lower_binary (self, "Sub", a, b)), bound);
  /* Infinities are close to themselves. */
  close = sym_op_lower_binary (self, "Or", close, sym_op_lower_binary (self, "Equal", a, b));
  if (sym_op_lower_get_bool (self, "equal_nan", TRUE) && sym_dtype_is_floating (dtype))
    close = sym_op_lower_binary (self, "Or", close,
                                 sym_op_lower_binary (self, "And",
                                                      sym_op_lower_unary (self, "IsNaN", a),
                                                      sym_op_lower_unary (self, "IsNaN", b)));
  close = sym_op_lower_call (self, "ReduceMin",
                             SYM_IDS (sym_op_lower_cast (self, close, SYM_DTYPE_INT32)), "keepdims",
                             sym_value_new_int (0), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, close, SYM_DTYPE_BOOL));
}

#define COUNT(name_, aliases_, summary_, attributes_, slots_, infer_)                \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,             \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_POOLING, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_count[] = {
  {
      COUNT ("_histogram",
             "_npi_histogram",
             "how many elements fall into each bin",
             histogram_attributes,
             histogram_slots,
             infer_histogram),
      .get_n_operands = get_n_histogram,
      .get_n_outputs = get_two,
  },
  { COUNT ("_np_cumsum",
           "cumsum _npi_cumsum",
           "sum of all elements so far",
           cumsum_attributes,
           sym_op_mxnet_data,
           infer_cumsum),
    .lower = sym_op_mxnet_lower_cumsum },
  { COUNT ("_contrib_allclose",
           NULL,
           "whether two tensors are about equal",
           close_attributes,
           ab_slots,
           infer_close),
    .lower = lower_close },
  { COUNT ("_npi_share_memory",
           NULL,
           "whether two tensors share memory",
           NULL,
           ab_slots,
           infer_shared) },
  { COUNT ("_contrib_getnnz",
           NULL,
           "number of values that a sparse matrix stores",
           nnz_attributes,
           sym_op_mxnet_data,
           infer_nnz) },
  { NULL },
};
