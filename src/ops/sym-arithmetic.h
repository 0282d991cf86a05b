/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* Python's operators.  Either side may be a node or a number (or a SymValue of numbers in nested
 * lists, which is taken):
 *
 *   y = sym_add (sym_mul (2, x, &error), sym_sub (x, 0.5, &error), &error);
 *
 * Two tensors make AddOpLayer, SubOpLayer, MulOpLayer, ModOpLayer and MatmulOpLayer; a constant,
 * and the other operators, LambdaOpLayer.  Of a value that is no tensor the operator is a method:
 * GetAttr and wrap(__add__), or wrap(__radd__) when the constant stands on the left. */
typedef enum {
  SYM_ADD,
  SYM_SUB,
  SYM_MUL,
  SYM_DIV,
  SYM_FLOOR_DIV,
  SYM_MOD,
  SYM_POW,
  SYM_MATMUL,
  SYM_AND, /* these three of values that are no tensors only */
  SYM_OR,
  SYM_XOR,
} SymBinary;

/* One side of an operator. */
typedef struct {
  SymNode *node;
  SymValue *constant;
} SymSide;

static inline SymSide
sym_side_node (SymNode *node)
{
  return (SymSide){ node, NULL };
}

static inline SymSide
sym_side_int (gint64 constant)
{
  return (SymSide){ NULL, sym_value_new_int (constant) };
}

static inline SymSide
sym_side_float (double constant)
{
  return (SymSide){ NULL, sym_value_new_float (constant) };
}

static inline SymSide
sym_side_value (SymValue *take_constant)
{
  return (SymSide){ NULL, take_constant };
}

/* clang-format off */
#define SYM_SIDE(side) \
  _Generic ((side), SymNode *: sym_side_node, SymValue *: sym_side_value, \
            float: sym_side_float, double: sym_side_float, default: sym_side_int) (side)
/* clang-format on */

#define sym_add(a, b, error) sym_binary (SYM_ADD, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_sub(a, b, error) sym_binary (SYM_SUB, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_mul(a, b, error) sym_binary (SYM_MUL, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_div(a, b, error) sym_binary (SYM_DIV, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_floor_div(a, b, error) sym_binary (SYM_FLOOR_DIV, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_mod(a, b, error) sym_binary (SYM_MOD, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_pow(a, b, error) sym_binary (SYM_POW, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_matmul(a, b, error) sym_binary (SYM_MATMUL, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_and(a, b, error) sym_binary (SYM_AND, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_or(a, b, error) sym_binary (SYM_OR, SYM_SIDE (a), SYM_SIDE (b), (error))
#define sym_xor(a, b, error) sym_binary (SYM_XOR, SYM_SIDE (a), SYM_SIDE (b), (error))

/* At least one side must be a node; two constants are an error. */
SymNode *sym_binary (SymBinary op, SymSide a, SymSide b, GError **error);

SymNode *sym_neg (SymNode *input, GError **error);
SymNode *sym_abs (SymNode *input, GError **error);

/* Python's sum(): 0 + the first, then one after the other. */
SymNode *sym_sum_all (SymNode *const *nodes, guint n, GError **error);

G_END_DECLS
