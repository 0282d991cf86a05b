/* SPDX-License-Identifier: MIT */
#include "ops/sym-arithmetic.h"

#include "core/sym-error.h"
#include "ops/sym-layers-private.h"

typedef struct {
  const char *name;  /* of Python's method, without underscores */
  const char *layer; /* of two tensors */
  gboolean of_tensors;
} BinaryClass;

static const BinaryClass classes[] = {
  [SYM_ADD] = { "add", "AddOpLayer", TRUE },
  [SYM_SUB] = { "sub", "SubOpLayer", TRUE },
  [SYM_MUL] = { "mul", "MulOpLayer", TRUE },
  [SYM_DIV] = { "truediv", "LambdaOpLayer", TRUE },
  [SYM_FLOOR_DIV] = { "floordiv", "LambdaOpLayer", TRUE },
  [SYM_MOD] = { "mod", "ModOpLayer", TRUE },
  [SYM_POW] = { "pow", "LambdaOpLayer", TRUE },
  [SYM_MATMUL] = { "matmul", "MatmulOpLayer", TRUE },
  [SYM_AND] = { "and", NULL, FALSE },
  [SYM_OR] = { "or", NULL, FALSE },
  [SYM_XOR] = { "xor", NULL, FALSE },
};

static gboolean
is_tensor (SymNode *node)
{
  SymKind kind = sym_node_get_type (node).kind;

  return kind == SYM_KIND_TENSOR || kind == SYM_KIND_UNKNOWN;
}

static SymAttributes *
describe_lambda (const char *op)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_torch_set_string (attributes, "op", op);
  return attributes;
}

static SymNode *
combine (const BinaryClass *klass, SymNode *a, SymNode *b, GError **error)
{
  gboolean is_lambda = g_str_equal (klass->layer, "LambdaOpLayer");
  g_autoptr (SymLayer) layer =
      sym_torch_new (klass->layer, is_lambda ? describe_lambda (klass->name) : NULL);
  SymNode *operands[] = { a, b };

  return sym_graph_call (sym_node_get_graph (a), layer, operands, 2, NULL, error);
}

static SymNode *
combine_constant (const BinaryClass *klass,
                  SymNode *node,
                  SymValue *take_constant,
                  gboolean reflected,
                  GError **error)
{
  SymAttributes *attributes = describe_lambda (klass->name);

  sym_attributes_set (attributes, "constant", take_constant, NULL);
  if (reflected)
    sym_torch_set_bool (attributes, "reflected", TRUE);
  return sym_torch_call (node, sym_torch_new ("LambdaOpLayer", attributes), NULL, error);
}

/* a.__add__(b), or b.__radd__(a) when only b is a node. */
static SymNode *
call_method (const BinaryClass *klass,
             SymNode *owner,
             gboolean reflected,
             SymSide other,
             GError **error)
{
  g_autofree char *name = g_strdup_printf ("__%s%s__", reflected ? "r" : "", klass->name);
  SymNode *method = sym_node_get_attribute (owner, name, error);
  SymArguments *arguments = sym_arguments_new ();

  if (other.node != NULL)
    sym_arguments_add (arguments, sym_arguments_node (arguments, other.node));
  else
    sym_arguments_add (arguments, other.constant);
  return sym_node_call (method, arguments, NULL, error);
}

SymNode *
sym_binary (SymBinary op, SymSide a, SymSide b, GError **error)
{
  const BinaryClass *klass = &classes[op];
  gboolean reflected = a.constant != NULL;
  SymNode *owner = reflected ? b.node : a.node;
  SymSide other = reflected ? a : b;
  g_autoptr (SymValue) constant = other.constant;

  if (reflected && b.constant != NULL && (error == NULL || *error == NULL))
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                 "__%s__ of two constants: one of them must be a node", klass->name);
  if (reflected)
    g_clear_pointer (&b.constant, sym_value_unref);
  if (owner == NULL || (other.node == NULL && constant == NULL) ||
      (error != NULL && *error != NULL))
    return NULL;
  if (!is_tensor (owner))
    {
      g_steal_pointer (&constant);
      return call_method (klass, owner, reflected, other, error);
    }
  if (!klass->of_tensors)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "Tensors have no operator __%s__; only other values have it", klass->name);
      return NULL;
    }
  if (constant != NULL)
    return combine_constant (klass, owner, g_steal_pointer (&constant), reflected, error);
  return combine (klass, owner, other.node, error);
}

static SymNode *
apply_unary (SymNode *input, const char *op, GError **error)
{
  g_autofree char *name = g_strdup_printf ("__%s__", op);

  if (input == NULL)
    return NULL;
  if (!is_tensor (input))
    return sym_node_call (sym_node_get_attribute (input, name, error), NULL, NULL, error);
  return sym_torch_call (input, sym_torch_new ("LambdaOpLayer", describe_lambda (op)), NULL, error);
}

SymNode *
sym_neg (SymNode *input, GError **error)
{
  return apply_unary (input, "neg", error);
}

SymNode *
sym_abs (SymNode *input, GError **error)
{
  return apply_unary (input, "abs", error);
}

SymNode *
sym_sum_all (SymNode *const *nodes, guint n, GError **error)
{
  SymNode *sum;

  g_return_val_if_fail (n > 0, NULL);

  sum = sym_add (0, nodes[0], error);
  for (guint i = 1; i < n; i++)
    sum = sym_add (sum, nodes[i], error);
  return sum;
}
