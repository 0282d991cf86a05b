/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-dl4j.h"

/* Vertices of graphs that are no layers. */

static void
lower_merge (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "mergeAxis", 1);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self), axis));
}

static SymId
fold (SymOpLower *self, const char *name)
{
  SymId y = sym_op_lower_input (self, 0);

  for (guint i = 1; i < sym_op_lower_get_n_inputs (self); i++)
    y = sym_op_lower_binary (self, name, y, sym_op_lower_input (self, i));
  return y;
}

static void
lower_elementwise (SymOpLower *self)
{
  static const char *const names[][2] = {
    { "Add", "Add" },     { "Subtract", "Sub" }, { "Product", "Mul" },
    { "Average", "Add" }, { "Max", "Max" },      { "Min", "Min" },
  };
  const char *op = sym_op_lower_get_string (self, "op", "Add");
  guint n = sym_op_lower_get_n_inputs (self);
  SymId y = SYM_NO_ID;

  for (guint i = 0; i < G_N_ELEMENTS (names) && y == SYM_NO_ID; i++)
    if (g_str_equal (names[i][0], op))
      y = fold (self, names[i][1]);
  if (y == SYM_NO_ID)
    sym_op_lower_refuse (self, "ElementWiseVertex: nothing is known of “%s”", op);
  if (g_str_equal (op, "Average"))
    y = sym_op_lower_binary (self, "Div", y, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, n));
  sym_op_lower_set_output (self, 0, y);
}

/* Both ends count. */
static void
lower_subset (SymOpLower *self)
{
  gint64 from = CLAMP (sym_op_lower_get_int (self, "from", 0), 0, G_MAXINT32);
  gint64 to = CLAMP (sym_op_lower_get_int (self, "to", 0), 0, G_MAXINT32);

  sym_op_lower_set_output (
      self, 0, sym_op_lower_slice (self, sym_op_lower_input (self, 0), 1, from, to + 1, 1));
}

static void
lower_scale (SymOpLower *self)
{
  double factor = sym_op_lower_get_float (self, "scaleFactor", 1);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Mul", sym_op_lower_input (self, 0),
                           sym_op_lower_number (self, SYM_DTYPE_FLOAT32, factor)));
}

static void
lower_shift (SymOpLower *self)
{
  double term = sym_op_lower_get_float (self, "shiftFactor", 0);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 0),
                           sym_op_lower_number (self, SYM_DTYPE_FLOAT32, term)));
}

/* Over all axes but the first. */
static void
lower_normalize (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0), length;

  for (int i = 1; i < rank; i++)
    axes[i - 1] = i;
  length = sym_op_foreign_reduce (self, "ReduceL2", x, rank, axes, MAX (rank - 1, 0), TRUE);
  length = sym_op_lower_binary (
      self, "Add", length,
      sym_op_lower_number (self, SYM_DTYPE_FLOAT32, sym_op_lower_get_float (self, "eps", 1e-8)));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Div", x, length));
}

static void
lower_stack (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self), 0));
}

/* Of as many equal parts of the batch as `stackSize` says, the one numbered `from`. */
static void
lower_unstack (SymOpLower *self)
{
  gint64 n = CLAMP (sym_op_lower_get_int (self, "stackSize", 1), 1, G_MAXINT32);
  gint64 from = CLAMP (sym_op_lower_get_int (self, "from", 0), 0, n - 1);
  gint64 part = sym_op_foreign_size (self, 0, 0) / n;

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_slice (self, sym_op_lower_input (self, 0), 0, from * part,
                                               (from + 1) * part, 1));
}

/* Caffe's pooling makes a row and a column that GoogLeNet does not want. */
static void
lower_pool_helper (SymOpLower *self)
{
  const gint64 axes[] = { 2, 3 }, starts[] = { 1, 1 }, stops[] = { G_MAXINT64, G_MAXINT64 };

  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, axes, NULL, 2));
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "newShape", sizes);

  if (n < 1)
    sym_op_lower_refuse (self, "ReshapeVertex: there is no newShape");
  else
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, FALSE));
}

/* ---- Tables ---- */

static const SymAttributeSpec merge_attributes[] = {
  { "mergeAxis", SYM_ATTRIBUTE_INT, "1", "the axis along which they are laid" },
  { NULL },
};
static const SymAttributeSpec op_attributes[] = {
  { "op", SYM_ATTRIBUTE_STRING, "Add", "what is done", "Add Subtract Product Average Max Min" },
  { NULL },
};
static const SymAttributeSpec subset_attributes[] = {
  { "from", SYM_ATTRIBUTE_INT, "0", "the first feature" },
  { "to", SYM_ATTRIBUTE_INT, "0", "the last feature" },
  { NULL },
};
static const SymAttributeSpec scale_attributes[] = {
  { "scaleFactor", SYM_ATTRIBUTE_FLOAT, "1.0", "the factor" },
  { NULL },
};
static const SymAttributeSpec shift_attributes[] = {
  { "shiftFactor", SYM_ATTRIBUTE_FLOAT, "0.0", "what is added" },
  { NULL },
};
static const SymAttributeSpec normalize_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to the length" },
  { NULL },
};
static const SymAttributeSpec unstack_attributes[] = {
  { "from", SYM_ATTRIBUTE_INT, "0", "which part" },
  { "stackSize", SYM_ATTRIBUTE_INT, "1", "how many parts there are" },
  { NULL },
};
static const SymAttributeSpec reshape_attributes[] = {
  { "newShape", SYM_ATTRIBUTE_INTS, NULL, "sizes of the result" },
  { NULL },
};
static const SymAttributeSpec none[] = { { NULL } };

#define MANY sym_op_foreign_many
#define ONE sym_op_foreign_one

const SymOperator sym_op_dl4j_vertex[] = {
  DL4J ("MergeVertex",
        NULL,
        "Features laid one after the other",
        MERGE,
        MANY,
        merge_attributes,
        lower_merge),
  DL4J ("ElementWiseVertex",
        NULL,
        "Elements of several inputs combined",
        MERGE,
        MANY,
        op_attributes,
        lower_elementwise),
  DL4J ("SubsetVertex", NULL, "Some of the features", SHAPE, ONE, subset_attributes, lower_subset),
  DL4J ("ScaleVertex", NULL, "Times a number", ELEMENTWISE, ONE, scale_attributes, lower_scale),
  DL4J ("ShiftVertex", NULL, "Plus a number", ELEMENTWISE, ONE, shift_attributes, lower_shift),
  DL4J ("L2NormalizeVertex",
        NULL,
        "Examples of length 1",
        NORMALIZATION,
        ONE,
        normalize_attributes,
        lower_normalize),
  DL4J ("StackVertex", NULL, "Batches laid one after the other", MERGE, MANY, none, lower_stack),
  DL4J ("UnstackVertex",
        NULL,
        "A part of the batch",
        SHAPE,
        ONE,
        unstack_attributes,
        lower_unstack),
  DL4J ("PoolHelperVertex",
        NULL,
        "Images without the first row and column",
        SHAPE,
        ONE,
        none,
        lower_pool_helper),
  DL4J ("ReshapeVertex", NULL, "Another shape", SHAPE, ONE, reshape_attributes, lower_reshape),
  { NULL },
};
