/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"

/* Products, sums on the way, and ones at places. */

SymId
sym_op_foreign_turn (SymOpLower *self, guint i, const char *attribute)
{
  return sym_op_lower_exchange_if (self, sym_op_lower_input (self, i),
                                   sym_op_foreign_rank (self, i), attribute);
}

void
sym_op_foreign_lower_matmul (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "MatMul",
                                                sym_op_foreign_turn (self, 0, "transpose_a"),
                                                sym_op_foreign_turn (self, 1, "transpose_b")));
}

static SymValue *
read_truth (SymOpLower *self, const char *name)
{
  return sym_value_new_int (sym_op_lower_get_bool (self, name, FALSE));
}

SymId
sym_op_foreign_cumulate (SymOpLower *self, SymId x, SymId axis)
{
  return sym_op_lower_call (self, "CumSum", SYM_IDS (x, axis), "exclusive",
                            read_truth (self, "exclusive"), "reverse", read_truth (self, "reverse"),
                            NULL);
}

SymId
sym_op_foreign_one_hot (SymOpLower *self, SymId depth, gint64 fallback)
{
  const gint64 one[] = { 1 };
  SymId values[2];

  for (guint i = 0; i < 2; i++)
    values[i] = sym_op_foreign_reshape (self, sym_op_lower_input (self, 3 - i), one, 1, FALSE);
  return sym_op_lower_call (
      self, "OneHot",
      SYM_IDS (sym_op_lower_input (self, 0), sym_op_foreign_reshape (self, depth, one, 1, FALSE),
               sym_op_lower_call (self, "Concat", (SymIds){ values, 2 }, "axis",
                                  sym_value_new_int (0), NULL)),
      "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", fallback)), NULL);
}
