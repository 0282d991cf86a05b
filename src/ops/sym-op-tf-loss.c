/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"
#include "ops/sym-op-tf.h"

/* Losses of training graphs, with the gradient that two of them give beside. */

enum { LOGITS, LABELS };

/* ---- L2Loss ---- */

static gboolean
infer_half (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), sym_rule_get_input_dtype (rule, 0), error);
}

static void
lower_half (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  x = sym_op_foreign_reduce (self, "ReduceSumSquare", x, rank, NULL, -1, FALSE);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Mul", x, sym_op_lower_number (self, dtype, 0.5)));
}

/* ---- Cross entropies ---- */

/* A size that is 1 is that of the other. */
static gboolean
broadcast (SymRule *rule, SymDim a, SymDim b, SymDim *both, GError **error)
{
  *both = a == 1 ? b : a;
  return a == 1 || b == 1 || sym_rule_unify (rule, a, b, "features and labels", error);
}

static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, LOGITS);
  SymShape a = sym_rule_get_input (rule, LOGITS), b = sym_rule_get_input (rule, LABELS);
  SymShape both = sym_shape_new_unknown (2);

  if ((a.rank >= 0 && a.rank != 2) || (b.rank >= 0 && b.rank != 2))
    return sym_rule_fail (error, "features and labels must be matrices");
  for (int i = 0; i < 2 && a.rank == 2 && b.rank == 2; i++)
    if (!broadcast (rule, a.dims[i], b.dims[i], &both.dims[i], error))
      return FALSE;
  return sym_op_set_output (rule, 0, SYM_SHAPE (both.dims[0]), dtype, error) &&
         sym_op_set_output (rule, 1, both, dtype, error);
}

static gboolean
infer_sparse (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, LOGITS);
  SymShape a = sym_rule_get_input (rule, LOGITS), b = sym_rule_get_input (rule, LABELS);

  if ((a.rank >= 0 && a.rank != 2) || (b.rank >= 0 && b.rank != 1))
    return sym_rule_fail (error, "features must be a matrix, and labels a list");
  if (a.rank == 2 && b.rank == 1 &&
      !sym_rule_unify (rule, a.dims[0], b.dims[0], "number of rows", error))
    return FALSE;
  if (a.rank < 0)
    a = sym_shape_new_unknown (2);
  return sym_op_set_output (rule, 0, SYM_SHAPE (a.dims[0]), dtype, error) &&
         sym_op_set_output (rule, 1, a, dtype, error);
}

static gboolean
check (SymOpLower *self, int n_axes)
{
  if (!sym_op_lower_need_tensor (self, LOGITS) || !sym_op_lower_need_tensor (self, LABELS))
    return FALSE;
  if (sym_op_lower_get_input_shape (self, LOGITS)->rank != 2 ||
      sym_op_lower_get_input_shape (self, LABELS)->rank != n_axes)
    sym_op_lower_fail (self, "%s: labels must have %d axes, and features 2",
                       sym_op_lower_get_type (self), n_axes);
  return !sym_op_lower_has_failed (self);
}

/* Minus the logarithm at the label, of each row, and what is too much of each. */
static void
set_losses (SymOpLower *self, SymId labels)
{
  SymId x = sym_op_lower_input (self, LOGITS);
  gint64 last = 1;
  SymId y = sym_op_foreign_with (self, "LogSoftmax", x, "axis", 1);

  y = sym_op_lower_binary (self, "Mul", labels, y);
  y = sym_op_lower_reduce (self, "ReduceSum", y, &last, 1, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Neg", y));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_binary (self, "Sub", sym_op_foreign_with (self, "Softmax", x, "axis", 1),
                             labels));
}

static void
lower_dense (SymOpLower *self)
{
  if (check (self, 2))
    set_losses (self, sym_op_lower_input (self, LABELS));
}

/* The label is a place. */
static void
lower_sparse (SymOpLower *self)
{
  static const gint64 ends[2] = { 0, 1 };
  SymDType dtype = sym_op_lower_get_input_dtype (self, LOGITS);
  gint64 n = sym_op_lower_get_input_shape (self, LOGITS)->dims[1];
  SymId values;

  if (!check (self, 1))
    return;
  if (n < 0)
    {
      sym_op_lower_refuse (self, "%s: the number of classes is not known",
                           sym_op_lower_get_type (self));
      return;
    }
  values = sym_op_lower_cast_from (self, sym_op_lower_ints (self, ends, 2), SYM_DTYPE_INT64, dtype);
  set_losses (self, sym_op_lower_call (self, "OneHot",
                                       SYM_IDS (sym_op_tf_int64 (self, LABELS),
                                                sym_op_lower_ints (self, &n, 1), values),
                                       NULL));
}

/* ---- Table ---- */

static const SymSlotSpec one_slots[] = { { "t" }, { NULL } };
static const SymSlotSpec slots[] = { { "features" }, { "labels" }, { NULL } };
static const char *const names[] = { "loss", "backprop", NULL };

#define ENTROPY(name_, summary_, infer_, lower_)                                           \
  {                                                                                        \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_LOSS, .slots = slots, \
                       .get_n_outputs = sym_op_tf_any_outputs, .output_names = names,      \
                       .infer = infer_, .lower = lower_                                    \
  }

const SymOperator sym_op_tf_loss[] = {
  { SYM_OP_TF ("L2Loss"), .summary = "half the sum of squares", .category = SYM_CATEGORY_LOSS,
    .slots = one_slots, .infer = infer_half, .lower = lower_half },
  ENTROPY ("SoftmaxCrossEntropyWithLogits",
           "cross entropy of rows with shares of classes, and its gradient",
           infer_dense,
           lower_dense),
  ENTROPY ("SparseSoftmaxCrossEntropyWithLogits",
           "cross entropy of rows with a class each, and its gradient",
           infer_sparse,
           lower_sparse),
  { NULL },
};
