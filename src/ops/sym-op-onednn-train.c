/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onednn.h"

/* Operations of oneDNN's graph API that only networks have which learn: Dropout (of oneDNN 3.10,
 * whose seed, offset and probability are operands) and End, which marks a use of a tensor. */

static gboolean
infer_dropout (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error) &&
         (sym_rule_get_n_outputs (rule) < 2 ||
          (sym_op_pass_shape (rule, 0, 1, error) &&
           sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_UINT8, error)));
}

/* Whether an element stays: in as many cases as oneDNN would leave it, but not in the same ones, as
 * the numbers that it draws by seed and offset are its own. */
static SymId
draw_mask (SymOpLower *self, SymId probability)
{
  SymId numbers =
      sym_op_lower_call (self, "RandomUniformLike", SYM_IDS (sym_op_lower_input (self, 0)), "dtype",
                         sym_value_new_dtype (SYM_DTYPE_FLOAT32), NULL);

  return sym_op_lower_binary (self, "GreaterOrEqual", numbers, probability);
}

/* mask * src / (1 - probability); 0 wherever the probability is 1. */
static void
lower_dropout (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x, one, mask, probability;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 3))
    return;
  probability = sym_op_foreign_reshape (self, sym_op_lower_input (self, 3), NULL, 0, FALSE);
  mask = draw_mask (self, probability);
  one = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 1);
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0), dtype, SYM_DTYPE_FLOAT32);
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_binary (self, "Sub", one, probability));
  x = sym_op_lower_call (self, "Where",
                         SYM_IDS (mask, x, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0)), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_FLOAT32, dtype));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_cast (self, mask, SYM_DTYPE_UINT8));
}

/* What is used up leaves nothing to tell. */
static gboolean
infer_end (SymRule *rule, GError **error)
{
  return TRUE;
}

static int
get_no_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

/* ---- Tables ---- */

static const SymSlotSpec dropout_slots[] = {
  { "src" }, { "seed" }, { "offset" }, { "probability" }, { NULL },
};
static const char *const dropout_names[] = { "dst", "mask", NULL };

const SymOperator sym_op_onednn_train[] = {
  { ONEDNN ("Dropout", NULL, "Random elements made 0 in training", NORMALIZATION),
    .slots = dropout_slots, .get_n_outputs = sym_op_foreign_first, .output_names = dropout_names,
    .infer = infer_dropout, .lower = lower_dropout },
  { ONEDNN ("End", NULL, "Marks a use of a tensor", SHAPE), .slots = sym_op_foreign_one,
    .get_n_outputs = get_no_outputs, .infer = infer_end },
  { NULL },
};
