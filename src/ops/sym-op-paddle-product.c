/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

static void
lower_matmul (SymOpLower *self)
{
  static const char *const first[] = { "transpose_x", "trans_x", "transpose_X" };
  static const char *const second[] = { "transpose_y", "trans_y", "transpose_Y" };
  double alpha = sym_op_lower_get_float (self, "alpha", 1);
  int ranks[] = { sym_op_foreign_rank (self, 0), sym_op_foreign_rank (self, 1) };
  SymId x = sym_op_lower_input (self, 0), y = sym_op_lower_input (self, 1);

  if (sym_op_lower_has_failed (self))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    {
      x = sym_op_lower_exchange_if (self, x, ranks[0], first[i]);
      y = sym_op_lower_exchange_if (self, y, ranks[1], second[i]);
    }
  x = sym_op_lower_binary (self, "MatMul", x, y);
  if (alpha != 1)
    x = sym_op_lower_binary (
        self, "Mul", x, sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), alpha));
  sym_op_lower_set_output (self, 0, x);
}

/* The first @n axes as one, the others as another. */
static SymId
flatten (SymOpLower *self, SymId x, gint64 n)
{
  return sym_op_foreign_with (self, "Flatten", x, "axis", n);
}

/* What is behind axis @n of operand @i is one axis there; the axes before it are as they were. */
static SymId
restore (SymOpLower *self, SymId product, gint64 n)
{
  SymId shape, x = sym_op_lower_input (self, 0);
  gint64 last[] = { -1 };

  if (n == 1)
    return product;
  shape = sym_op_lower_call (self, "Shape", SYM_IDS (x), "end", sym_value_new_int (n), NULL);
  shape = sym_op_lower_call (self, "Concat", SYM_IDS (shape, sym_op_lower_ints (self, last, 1)),
                             "axis", sym_value_new_int (0), NULL);
  return sym_op_lower_binary (self, "Reshape", product, shape);
}

static gint64
get_split (SymOpLower *self, const char *name, guint i)
{
  gint64 n = sym_op_lower_get_int (self, name, 1);
  int rank = sym_op_foreign_rank (self, i);

  if (n < 1 || n >= MAX (rank, 1))
    sym_op_lower_fail (self, "%s: %s %" G_GINT64_FORMAT " does not part %d axes",
                       sym_op_lower_get_type (self), name, n, rank);
  return n;
}

/* Both as matrices; the axes of the rows, and of the columns, come back. */
static void
lower_mul (SymOpLower *self)
{
  gint64 rows = get_split (self, "x_num_col_dims", 0);
  gint64 columns = get_split (self, "y_num_col_dims", 1);
  SymId product;

  if (sym_op_lower_has_failed (self))
    return;
  if (sym_op_foreign_rank (self, 1) != columns + 1)
    {
      sym_op_lower_refuse (self, "%s: a second operand with %d axes of columns is not lowered",
                           sym_op_lower_get_type (self),
                           sym_op_foreign_rank (self, 1) - (int) columns);
      return;
    }
  product = sym_op_lower_binary (self, "MatMul", flatten (self, sym_op_lower_input (self, 0), rows),
                                 flatten (self, sym_op_lower_input (self, 1), columns));
  sym_op_lower_set_output (self, 0, restore (self, product, rows));
}

static void
lower_fc (SymOpLower *self)
{
  gint64 rows = get_split (self, "in_num_col_dims", 0);
  SymId y;

  if (sym_op_lower_has_failed (self))
    return;
  y = sym_op_lower_binary (self, "MatMul", flatten (self, sym_op_lower_input (self, 0), rows),
                           sym_op_lower_input (self, 1));
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 2));
  sym_op_lower_set_output (self, 0, restore (self, sym_op_paddle_activate (self, y), rows));
}

/* Beta Input + Alpha X Y */
static void
lower_addmm (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double alpha =
      sym_op_lower_get_float (self, sym_op_foreign_choose (self, "alpha", "Alpha", NULL), 1);
  double beta =
      sym_op_lower_get_float (self, sym_op_foreign_choose (self, "beta", "Beta", NULL), 1);
  SymId product, input;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  product = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 1),
                                 sym_op_lower_input (self, 2));
  product = sym_op_lower_binary (self, "Mul", product, sym_op_lower_number (self, dtype, alpha));
  input = sym_op_lower_binary (self, "Mul", sym_op_lower_input (self, 0),
                               sym_op_lower_number (self, dtype, beta));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", input, product));
}

static const SymSlotSpec fc_slots[] = {
  { "Input" },
  { "W", SYM_SLOT_PARAMETER },
  { "Bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec addmm_slots[] = { { "Input" }, { "X" }, { "Y" }, { NULL } };

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_x", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_y", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymAttributeSpec mul_attributes[] = {
  { "x_num_col_dims", SYM_ATTRIBUTE_INT, "1", "axes of the first one that are its rows" },
  { "y_num_col_dims", SYM_ATTRIBUTE_INT, "1", "axes of the second one that are its rows" },
  { NULL },
};

static const SymAttributeSpec fc_attributes[] = {
  { "in_num_col_dims", SYM_ATTRIBUTE_INT, "1", "axes that stay" },
  { "activation_type", SYM_ATTRIBUTE_STRING, "", "a function of the result" },
  { NULL },
};

static const SymAttributeSpec addmm_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of what is added" },
  { NULL },
};

static const SymSlotSpec recurrent_slots[] = {
  { "Input" },    { "SequenceLength", .optional = TRUE }, { "DropoutState", .optional = TRUE },
  { "PreState" }, { "WeightList", SYM_SLOT_PARAMETER },   { NULL },
};
static const char *const recurrent_names[] = { "Out", "DropoutState", "State", NULL };

const SymOperator sym_op_paddle_product[] = {
  PADDLE_LOWERED ("matmul",
                  "matmul_v2 bmm mv",
                  "Product of matrices",
                  WEIGHTS,
                  sym_op_paddle_two,
                  matmul_attributes,
                  lower_matmul),
  PADDLE_LOWERED ("mul",
                  NULL,
                  "Product of data as matrices",
                  WEIGHTS,
                  sym_op_paddle_two,
                  mul_attributes,
                  lower_mul),
  PADDLE_LOWERED ("fc", NULL, "Fully connected layer", WEIGHTS, fc_slots, fc_attributes, lower_fc),
  PADDLE_LOWERED ("addmm",
                  NULL,
                  "A matrix added to a product of two",
                  WEIGHTS,
                  addmm_slots,
                  addmm_attributes,
                  lower_addmm),
  {
      PADDLE ("rnn", NULL, "Layers of recurrent cells", WEIGHTS),
      .slots = recurrent_slots,
      .attributes = sym_op_paddle_recurrent_attributes,
      .get_n_operands = sym_op_foreign_any,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = recurrent_names,
      .infer = sym_op_paddle_infer_recurrent,
      .lower = sym_op_paddle_lower_recurrent,
      .is_composite = TRUE,
  },
  { NULL },
};
