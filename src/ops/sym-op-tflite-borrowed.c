/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tflite.h"

/* Operators that are those of TensorFlow by another name, with the same operands, and SVDF. */

static const struct {
  const char *name, *other;
  int constant; /* an operand of integers that decides about shapes; -1 without one */
} names[] = {
  { "ATAN2", "Atan2", -1 },
  { "BITWISE_XOR", "BitwiseXor", -1 },
  { "MATRIX_DIAG", "MatrixDiag", -1 },
  { "MATRIX_SET_DIAG", "MatrixSetDiag", -1 },
  { "SCATTER_ND", "ScatterNd", 2 },
  { "SEGMENT_SUM", "SegmentSum", -1 },
  { "SPARSE_TO_DENSE", "SparseToDense", 1 },
  { "UNIQUE", "Unique", -1 },
  { "UNSORTED_SEGMENT_MAX", "UnsortedSegmentMax", 2 },
  { "UNSORTED_SEGMENT_MIN", "UnsortedSegmentMin", 2 },
  { "UNSORTED_SEGMENT_PROD", "UnsortedSegmentProd", 2 },
  { "UNSORTED_SEGMENT_SUM", "UnsortedSegmentSum", 2 },
};

/* Operand @i as a constant of its shape. */
static SymId
make_constant (SymOpLower *self, guint i)
{
  gint64 values[SYM_OP_MAX_KNOWN];
  int n = sym_op_lower_read_ints (self, i, values, SYM_OP_MAX_KNOWN);

  if (n < 0)
    return SYM_NO_ID;
  return sym_op_lower_get_input_shape (self, i)->rank == 0
             ? sym_op_lower_number (self, SYM_DTYPE_INT64, (double) values[0])
             : sym_op_lower_ints (self, values, n);
}

static void
lower_borrowed (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self), i = 0;
  g_autofree SymId *operands = g_new (SymId, n + 1);
  g_autoptr (SymAttributes) none = sym_attributes_new ();
  SymId first;

  if (sym_op_tflite_quantized (self))
    return;
  while (i + 1 < G_N_ELEMENTS (names) && strcmp (names[i].name, sym_op_lower_get_type (self)) != 0)
    i++;
  for (guint k = 0; k < n; k++)
    operands[k] =
        (int) k == names[i].constant ? make_constant (self, k) : sym_op_lower_input (self, k);
  if (sym_op_lower_has_failed (self))
    return;
  first = sym_op_lower_apply (self, sym_op_find ("tf", names[i].other, 0), (SymIds){ operands, n },
                              none);
  for (guint k = 0; k < sym_op_lower_get_n_outputs (self); k++)
    sym_op_lower_set_output (self, k, k == 0 ? first : sym_op_lower_get_result (self, first, k));
}

/* The options have other names, and are all there. */
static void
lower_local_norm (SymOpLower *self)
{
  static const char *const keys[] = { "bias", "alpha", "beta" };
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_attributes_set (attributes, "depth_radius",
                      sym_value_new_int (sym_op_lower_get_int (self, "radius", 0)), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    sym_attributes_set (attributes, keys[i],
                        sym_value_new_float (sym_op_lower_get_float (self, keys[i], 0)), NULL);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_apply (self, sym_op_find ("tf", "LRN", 0),
                                               SYM_IDS (sym_op_lower_input (self, 0)), attributes));
}

static void
lower_reverse (SymOpLower *self)
{
  static const char *const keys[] = { "seq_dim", "batch_dim" };
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  if (sym_op_tflite_quantized (self))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    sym_attributes_set (attributes, keys[i],
                        sym_value_new_int (sym_op_lower_get_int (self, keys[i], 0)), NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_apply (self, sym_op_find ("tf", "ReverseSequence", 0),
                          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
                          attributes));
}

/* ---- SVDF ---- */

enum { DATA, FEATURES, TIMES, BIAS, MEMORY };

/* The last results of each filter, the newest one behind them: [batch, filters, steps]. */
static SymId
remember (SymOpLower *self, gint64 batch, gint64 filters, gint64 steps)
{
  SymShape memory = SYM_SHAPE (batch, filters, steps), newest = SYM_SHAPE (batch, filters, 1);
  SymId weights = sym_op_lower_transpose (self, sym_op_lower_input (self, FEATURES), 2, 1, 0);
  SymId x = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, DATA), weights);
  SymId past = sym_op_lower_reshape (self, sym_op_lower_input (self, MEMORY), &memory);

  return sym_op_lower_call (self, "Concat",
                            SYM_IDS (sym_op_lower_slice (self, past, 2, 1, steps, 1),
                                     sym_op_lower_reshape (self, x, &newest)),
                            "axis", sym_value_new_int (2), NULL);
}

/* Filters of rank 1: data times features, over the last steps, times what each step counts. `rank`
 * filters make one unit. */
static void
lower_filters (SymOpLower *self)
{
  gint64 rank = sym_op_lower_get_int (self, "rank", 1), batch, filters, steps, axis = 2;
  SymShape units;
  SymId x;

  if (sym_op_tflite_quantized (self))
    return;
  for (guint i = 0; i <= MEMORY; i++)
    if (i != BIAS && !sym_op_lower_need_tensor (self, i))
      return;
  batch = sym_op_foreign_size (self, DATA, 0);
  filters = sym_op_foreign_size (self, TIMES, 0);
  steps = sym_op_foreign_size (self, TIMES, 1);
  if (sym_op_lower_has_failed (self))
    return;
  if (rank < 1 || filters < 1 || filters % rank != 0 || steps < 1)
    {
      sym_op_lower_fail (self, "SVDF: %" G_GINT64_FORMAT " filters of rank %" G_GINT64_FORMAT,
                         filters, rank);
      return;
    }
  units = SYM_SHAPE (batch, filters / rank, rank);
  x = sym_op_lower_binary (self, "Mul", remember (self, batch, filters, steps),
                           sym_op_lower_input (self, TIMES));
  x = sym_op_lower_reduce (self, "ReduceSum", x, &axis, 1, FALSE);
  x = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_reshape (self, x, &units), &axis, 1,
                           FALSE);
  if (sym_op_lower_has_input (self, BIAS))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, BIAS));
  sym_op_tflite_set (self, x);
}

/* ---- Table ---- */

static const SymAttributeSpec norm_attributes[] = {
  { "radius", SYM_ATTRIBUTE_INT, "0", "channels to each side that count" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "0", "what is added to their squares" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0", "factor of their squares" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0", "exponent of what the number is divided by" },
  { NULL },
};

static const SymAttributeSpec reverse_attributes[] = {
  { "seq_dim", SYM_ATTRIBUTE_INT, "0", "the axis of the steps" },
  { "batch_dim", SYM_ATTRIBUTE_INT, "0", "the axis of the rows" },
  { NULL },
};

static const SymAttributeSpec svdf_attributes[] = {
  { "rank", SYM_ATTRIBUTE_INT, "1", "filters that make a unit" },
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "NONE", "what is made of the sums" },
  { NULL },
};

static const SymSlotSpec svdf_slots[] = {
  { "input" },
  { "weights_feature", SYM_SLOT_PARAMETER },
  { "weights_time", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, .optional = TRUE },
  { "activation_state" },
  { NULL },
};

#define BORROWED(name_, category_, summary_)                                                     \
  {                                                                                              \
    TFLITE (name_, NULL, summary_, category_),                                                   \
        .slots = sym_op_foreign_many, .get_n_operands = sym_op_foreign_any,                      \
        .attributes = sym_op_tflite_quantized_attributes, .get_n_outputs = sym_op_foreign_first, \
        .infer = sym_op_infer_lowered, .lower = lower_borrowed                                   \
  }

const SymOperator sym_op_tflite_borrowed[] = {
  BORROWED ("ATAN2", ELEMENTWISE, "Angle of a point, from y and x"),
  BORROWED ("BITWISE_XOR", ELEMENTWISE, "Bits that one of two integers has"),
  TFLITE_LOWERED ("LOCAL_RESPONSE_NORMALIZATION",
                  NULL,
                  "Channels divided by those beside them",
                  NORMALIZATION,
                  sym_op_foreign_one,
                  norm_attributes,
                  lower_local_norm),
  BORROWED ("MATRIX_DIAG", SHAPE, "Matrices with this diagonal"),
  BORROWED ("MATRIX_SET_DIAG", SHAPE, "Matrices with another diagonal"),
  TFLITE_LOWERED ("REVERSE_SEQUENCE",
                  NULL,
                  "The first steps of each row backwards",
                  SHAPE,
                  sym_op_foreign_two,
                  reverse_attributes,
                  lower_reverse),
  BORROWED ("SCATTER_ND", SHAPE, "Numbers added to zeros at their places"),
  BORROWED ("SEGMENT_SUM", OTHER, "Sums of rows that belong together"),
  BORROWED ("SPARSE_TO_DENSE", SHAPE, "Numbers at their places, another one elsewhere"),
  TFLITE_LOWERED ("SVDF",
                  NULL,
                  "Filters over the last steps, of what the data give",
                  WEIGHTS,
                  svdf_slots,
                  svdf_attributes,
                  lower_filters),
  BORROWED ("UNIQUE", SHAPE, "Each number once, and where it is among these"),
  BORROWED ("UNSORTED_SEGMENT_MAX", OTHER, "Largest numbers of rows that belong together"),
  BORROWED ("UNSORTED_SEGMENT_MIN", OTHER, "Least numbers of rows that belong together"),
  BORROWED ("UNSORTED_SEGMENT_PROD", OTHER, "Products of rows that belong together"),
  BORROWED ("UNSORTED_SEGMENT_SUM", OTHER, "Sums of rows that belong together"),
  { NULL },
};
