/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Espresso's activations and arithmetic, which have numbers. */

typedef struct {
  gint64 number;
  const char *formula; /* NULL for what has the shape of its operands, and is not lowered */
  guint n;             /* operands */
} Kind;

static const Kind activations[] = {
  { 0, "Relu (a)", 1 },
  { 1, "Tanh (a)", 1 },
  { 2, "Where (Less (a, 0), Mul (a, $alpha), a)", 1 },
  { 3, "Sigmoid (a)", 1 },
  { 5, "Mul ($alpha, Tanh (Mul ($beta, a)))", 1 },
  { 6, "Add (Mul ($alpha, a), $beta)", 1 },
  { 7, "Max (0, Min (1, Add (Mul ($alpha, a), $beta)))", 1 },
  { 8, "Where (Less (a, 0), Mul ($alpha, Sub (Exp (a), 1)), a)", 1 },
  { 9, "Where (Greater (a, $alpha), a, 0)", 1 },
  { 10, "Softplus (a)", 1 },
  { 12, "Softsign (a)", 1 },
  { 13, "Max (a, $alpha)", 1 },
  { 16, "Selu (a)", 1 },
  { 19, "Gelu (a)", 1 },
  { 20, "Erf (a)", 1 },
  { 22, "Mul (a, Sigmoid (Mul (a, 1.702)))", 1 },
  { 24, "Min (a, $alpha)", 1 },
  { 25, "Mul (a, Sigmoid (a))", 1 },
  { 26, "HardSwish (a)", 1 },
};

/* What compares makes 0 or 1 of the dtype of the data. */
static const Kind operations[] = {
  { 0, "Add (a, b)", 2 },
  { 1, "Mul (a, b)", 2 },
  { 2, "Add (a, $alpha)", 1 },
  { 3, "Add (Mul (a, $alpha), $beta)", 1 },
  { 8, "Mul (a, a)", 1 },
  { 10, "Div ($alpha, Add (a, $eps))", 1 },
  { 11, "Sqrt (a)", 1 },
  { 12, "Reciprocal (Sqrt (Add (a, $eps)))", 1 },
  { 13, "Pow (a, b)", 2 },
  { 22, "Min (a, b)", 2 },
  { 23, "Max (a, b)", 2 },
  { 24, "Abs (a)", 1 },
  { 25, "Max (a, $alpha)", 1 },
  { 26, "Log (Add (a, $eps))", 1 },
  { 27, "Exp (a)", 1 },
  { 33, "Sub (a, b)", 2 },
  { 35, "Pow (2, a)", 1 },
  { 36, NULL, 2 },
  { 37, "Round (a)", 1 },
  { 38, "Sign (a)", 1 },
  { 100, "Cast (Equal (a, b))", 2 },
  { 101, NULL, 3 },
  { 102, "Div (a, b)", 2 },
  { 103, "Cast (Less (a, b))", 2 },
  { 104, "Cast (LessOrEqual (a, b))", 2 },
  { 105, "Cast (Greater (a, b))", 2 },
  { 106, "Cast (GreaterOrEqual (a, b))", 2 },
  { 107, "Cast (Not (Equal (a, b)))", 2 },
  { 114, "Cos (a)", 1 },
  { 115, "Sin (a)", 1 },
  { 117, "Floor (a)", 1 },
  { 118, "Ceil (a)", 1 },
  { 119, "Min (Max (a, $alpha), $beta)", 1 },
  { 121, "Tan (a)", 1 },
  { 122, "Cosh (a)", 1 },
  { 123, "Sinh (a)", 1 },
  { 124, "Tanh (a)", 1 },
  { 125, "Acos (a)", 1 },
  { 126, "Asin (a)", 1 },
  { 127, "Atan (a)", 1 },
  { 128, "Acosh (a)", 1 },
  { 129, "Asinh (a)", 1 },
  { 130, "Atanh (a)", 1 },
  { 1021, "Floor (Div (a, b))", 2 },
};

static const Kind *
find_kind (const Kind *kinds, guint n, gint64 number)
{
  for (guint i = 0; i < n; i++)
    if (kinds[i].number == number)
      return &kinds[i];

  return NULL;
}

/* Slopes of each channel are weights, which are a dict of numbers of blobs. */
static gboolean
has_slopes (SymOpLower *self)
{
  const SymAttributes *all = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *weights = sym_attributes_find (all, "weights");

  return weights != NULL && sym_value_get_n_children (weights) > 0;
}

static void
lower_activation (SymOpLower *self)
{
  gint64 mode = sym_op_lower_get_int (self, "mode", 0);
  const Kind *kind = find_kind (activations, G_N_ELEMENTS (activations), mode);

  if (sym_op_lower_is_rule (self))
    sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
  else if (kind == NULL || (mode == 2 && has_slopes (self)))
    sym_op_lower_refuse (self, "activation of mode %" G_GINT64_FORMAT " is not lowered", mode);
  else
    sym_op_engine_set_formula (self, kind->formula);
}

/* Sums and products may be of more than two; of one, they are with a number. */
static void
lower_elementwise (SymOpLower *self)
{
  gint64 operation = sym_op_lower_get_int (self, "operation", 0);
  const Kind *kind = find_kind (operations, G_N_ELEMENTS (operations), operation);
  guint n = sym_op_lower_get_n_inputs (self);
  gboolean is_plain = kind != NULL && kind->n == n;
  SymId x = sym_op_lower_input (self, 0);

  if (kind == NULL || (!is_plain && operation > 1))
    {
      sym_op_lower_refuse (self, "elementwise operation %" G_GINT64_FORMAT " is not known",
                           operation);
      return;
    }
  if (!sym_op_lower_is_rule (self) && (kind->formula == NULL || (!is_plain && n == 1)))
    sym_op_lower_refuse (self, "elementwise operation %" G_GINT64_FORMAT " is not lowered",
                         operation);
  if (is_plain && kind->formula != NULL)
    x = sym_op_lower_formula (self, kind->formula);
  else
    for (guint i = 1; i < n; i++)
      x = sym_op_lower_binary (self, operation == 1 ? "Mul" : "Add", x,
                               sym_op_lower_input (self, i));
  if (sym_op_lower_get_bool (self, "fused_relu", FALSE))
    x = sym_op_lower_unary (self, "Relu", x);
  sym_op_engine_set (self, x);
}

static const SymAttributeSpec attributes[] = {
  { "mode", SYM_ATTRIBUTE_INT, "0", "which activation" },
  { "operation", SYM_ATTRIBUTE_INT, "0", "which arithmetic" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "a number" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.0", "another number" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.0", "added before" },
  { "fused_relu", SYM_ATTRIBUTE_BOOL, "False", "whether what comes out is rectified" },
  { NULL },
};

const SymOperator sym_op_espresso_elements[] = {
  SYM_OP_ENGINE ("espresso",
                 "Espresso 200",
                 "activation",
                 NULL,
                 "An activation",
                 ACTIVATION,
                 sym_op_foreign_one,
                 attributes,
                 lower_activation),
  SYM_OP_ENGINE ("espresso",
                 "Espresso 200",
                 "elementwise",
                 NULL,
                 "Arithmetic by a number",
                 ELEMENTWISE,
                 sym_op_foreign_many,
                 attributes,
                 lower_elementwise),
  { NULL },
};
