/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op-table.h"

/* Functions that TVM compiled, by their names: "nn_dense_add_nn_relu" is a product, a sum and what
 * is positive of it.  A graph tells the names and nothing else, so only functions are known that
 * consist of operators without attributes. */

typedef struct {
  const char *name, *onnx; /* ONNX's operator; NULL for a product with a matrix */
  gboolean is_pair;        /* whether it takes the next operand besides */
} Part;

static const Part parts[] = {
  { "nn_dense", NULL, TRUE }, { "nn_relu", "Relu", FALSE },    { "relu", "Relu", FALSE },
  { "add", "Add", TRUE },     { "multiply", "Mul", TRUE },     { "maximum", "Max", TRUE },
  { "minimum", "Min", TRUE }, { "sigmoid", "Sigmoid", FALSE }, { "tanh", "Tanh", FALSE },
  { "exp", "Exp", FALSE },    { "log", "Log", FALSE },         { "sqrt", "Sqrt", FALSE },
  { "abs", "Abs", FALSE },    { "negative", "Neg", FALSE },    { "erf", "Erf", FALSE },
};

/* The part that @at begins with, and what is behind it. */
static const Part *
take_part (const char **at)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gsize n = strlen (parts[i].name);

      if (strncmp (*at, parts[i].name, n) != 0 || ((*at)[n] != '\0' && (*at)[n] != '_'))
        continue;
      *at += (*at)[n] == '_' ? n + 1 : n;
      return &parts[i];
    }
  return NULL;
}

/* The weight of a product is [out, in]. */
static SymId
apply (SymOpLower *self, const Part *part, SymId x, guint *n_used)
{
  guint slot = *n_used;

  if (!part->is_pair)
    return sym_op_lower_unary (self, part->onnx, x);
  if (!sym_op_lower_need_tensor (self, slot))
    return SYM_NO_ID;
  *n_used += 1;
  if (part->onnx != NULL)
    return sym_op_lower_binary (self, part->onnx, x, sym_op_lower_input (self, slot));
  if (sym_op_lower_get_input_shape (self, slot)->rank != 2)
    sym_op_lower_refuse (self, "%s: a weight of %d axes", sym_op_lower_get_type (self),
                         sym_op_lower_get_input_shape (self, slot)->rank);
  return sym_op_lower_binary (
      self, "MatMul", x, sym_op_lower_transpose (self, sym_op_lower_input (self, slot), 2, 1, 0));
}

static void
lower (SymOpLower *self)
{
  const char *at = sym_op_lower_get_type (self);
  SymId x = sym_op_lower_input (self, 0);
  guint n_used = 1;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  while (*at != '\0' && !sym_op_lower_has_failed (self))
    {
      const Part *part = take_part (&at);

      g_assert (part != NULL);
      x = apply (self, part, x, &n_used);
    }
  if (n_used != sym_op_lower_get_n_inputs (self))
    sym_op_lower_refuse (self, "%s: its %u operands do not tell what each is for",
                         sym_op_lower_get_type (self), sym_op_lower_get_n_inputs (self));
  sym_op_lower_set_output (self, 0, x);
}

static int
count_operands (const SymAttributes *attributes)
{
  return -1;
}

static const SymSlotSpec slots[] = { { "p0" }, { NULL } };

#define FUNCTION(name_, aliases_, summary_, category_)                                            \
  {                                                                                               \
    .domain = "tvm", .name = name_, .since_version = 1, .aliases = aliases_, .summary = summary_, \
    .reference = "TVM 0.15 Relay", .category = SYM_CATEGORY_##category_, .slots = slots,          \
    .get_n_operands = count_operands, .infer = sym_op_infer_lowered, .lower = lower,              \
  }

const SymOperator sym_op_tvm[] = {
  FUNCTION ("nn_dense",
            "nn_dense_add nn_dense_nn_relu nn_dense_add_nn_relu nn_dense_add_tanh "
            "nn_dense_add_sigmoid",
            "Fully connected layer",
            WEIGHTS),
  FUNCTION ("nn_relu", "relu sigmoid tanh", "An activation", ACTIVATION),
  FUNCTION (
      "add",
      "add_nn_relu multiply multiply_add multiply_add_nn_relu maximum minimum exp log sqrt abs "
      "negative erf",
      "Arithmetic by elements",
      ELEMENTWISE),
  { NULL },
};
