/* SPDX-License-Identifier: MIT */
#include "core/sym-operator.h"

#include <string.h>

const char *
sym_category_to_string (SymCategory category)
{
  static const char *const names[SYM_N_CATEGORIES] = {
    [SYM_CATEGORY_OTHER] = "other",
    [SYM_CATEGORY_WEIGHTS] = "weights",
    [SYM_CATEGORY_ACTIVATION] = "activation",
    [SYM_CATEGORY_NORMALIZATION] = "normalization",
    [SYM_CATEGORY_POOLING] = "pooling",
    [SYM_CATEGORY_ELEMENTWISE] = "elementwise",
    [SYM_CATEGORY_MERGE] = "merge",
    [SYM_CATEGORY_SHAPE] = "shape",
    [SYM_CATEGORY_LOSS] = "loss",
    [SYM_CATEGORY_CONTROL] = "control",
  };

  g_return_val_if_fail (category < SYM_N_CATEGORIES, "other");

  return names[category];
}

/* Parts of names in lower case, the first that fits being right: what is said more exactly comes
 * first. */
static const struct {
  const char *part;
  SymCategory category;
} parts[] = {
  { "batchnorm", SYM_CATEGORY_NORMALIZATION },
  { "batch_norm", SYM_CATEGORY_NORMALIZATION },
  { "dropout", SYM_CATEGORY_NORMALIZATION },
  { "norm", SYM_CATEGORY_NORMALIZATION },
  { "loss", SYM_CATEGORY_LOSS },
  { "crossentropy", SYM_CATEGORY_LOSS },
  { "conv", SYM_CATEGORY_WEIGHTS },
  { "matmul", SYM_CATEGORY_WEIGHTS },
  { "addmm", SYM_CATEGORY_WEIGHTS },
  { "gemm", SYM_CATEGORY_WEIGHTS },
  { "linear", SYM_CATEGORY_WEIGHTS },
  { "dense", SYM_CATEGORY_WEIGHTS },
  { "fullyconnected", SYM_CATEGORY_WEIGHTS },
  { "innerproduct", SYM_CATEGORY_WEIGHTS },
  { "embedding", SYM_CATEGORY_WEIGHTS },
  { "lstm", SYM_CATEGORY_WEIGHTS },
  { "gru", SYM_CATEGORY_WEIGHTS },
  { "attention", SYM_CATEGORY_WEIGHTS },
  { "relu", SYM_CATEGORY_ACTIVATION },
  { "sigmoid", SYM_CATEGORY_ACTIVATION },
  { "tanh", SYM_CATEGORY_ACTIVATION },
  { "softmax", SYM_CATEGORY_ACTIVATION },
  { "gelu", SYM_CATEGORY_ACTIVATION },
  { "silu", SYM_CATEGORY_ACTIVATION },
  { "swish", SYM_CATEGORY_ACTIVATION },
  { "activation", SYM_CATEGORY_ACTIVATION },
  { "pool", SYM_CATEGORY_POOLING },
  { "reduce", SYM_CATEGORY_POOLING },
  { "concat", SYM_CATEGORY_MERGE },
  { "stack", SYM_CATEGORY_MERGE },
  { "reshape", SYM_CATEGORY_SHAPE },
  { "transpose", SYM_CATEGORY_SHAPE },
  { "permute", SYM_CATEGORY_SHAPE },
  { "squeeze", SYM_CATEGORY_SHAPE },
  { "flatten", SYM_CATEGORY_SHAPE },
  { "slice", SYM_CATEGORY_SHAPE },
  { "gather", SYM_CATEGORY_SHAPE },
  { "reformat", SYM_CATEGORY_SHAPE },
  { "broadcast", SYM_CATEGORY_SHAPE },
  { "expand", SYM_CATEGORY_SHAPE },
  { "resize", SYM_CATEGORY_SHAPE },
  { "split", SYM_CATEGORY_SHAPE },
  { "cast", SYM_CATEGORY_SHAPE },
  { "pad", SYM_CATEGORY_SHAPE },
  { "quantize", SYM_CATEGORY_ELEMENTWISE },
  { "eltwise", SYM_CATEGORY_ELEMENTWISE },
  { "elementwise", SYM_CATEGORY_ELEMENTWISE },
  { "multiply", SYM_CATEGORY_ELEMENTWISE },
  { "subtract", SYM_CATEGORY_ELEMENTWISE },
  { "divide", SYM_CATEGORY_ELEMENTWISE },
};

/* Short names that are parts of too many others. */
static const struct {
  const char *name;
  SymCategory category;
} whole_names[] = {
  { "add", SYM_CATEGORY_ELEMENTWISE }, { "addv2", SYM_CATEGORY_ELEMENTWISE },
  { "mul", SYM_CATEGORY_ELEMENTWISE }, { "sub", SYM_CATEGORY_ELEMENTWISE },
  { "div", SYM_CATEGORY_ELEMENTWISE }, { "exp", SYM_CATEGORY_ELEMENTWISE },
  { "log", SYM_CATEGORY_ELEMENTWISE }, { "sqrt", SYM_CATEGORY_ELEMENTWISE },
  { "pow", SYM_CATEGORY_ELEMENTWISE }, { "neg", SYM_CATEGORY_ELEMENTWISE },
  { "mean", SYM_CATEGORY_POOLING },    { "sum", SYM_CATEGORY_POOLING },
  { "view", SYM_CATEGORY_SHAPE },      { "dot", SYM_CATEGORY_WEIGHTS },
  { "if", SYM_CATEGORY_CONTROL },      { "while", SYM_CATEGORY_CONTROL },
  { "loop", SYM_CATEGORY_CONTROL },    { "cond", SYM_CATEGORY_CONTROL },
};

/* Whether one of the words between dots, colons and slashes is @name: "aten.add.Tensor". */
static gboolean
has_word (const char *type, const char *name)
{
  gsize length = strlen (name);

  for (const char *at = type; *at != '\0';)
    {
      gsize n = strcspn (at, ".:/");

      if (n == length && memcmp (at, name, n) == 0)
        return TRUE;
      at += n + (at[n] != '\0');
    }
  return FALSE;
}

SymCategory
sym_category_guess (const char *type)
{
  g_autofree char *lower = g_ascii_strdown (type, -1);

  for (guint i = 0; i < G_N_ELEMENTS (whole_names); i++)
    if (has_word (lower, whole_names[i].name))
      return whole_names[i].category;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (lower, parts[i].part) != NULL)
      return parts[i].category;

  return SYM_CATEGORY_OTHER;
}

const SymAttributeSpec *
sym_attribute_specs_find (const SymAttributeSpec *specs, const char *name)
{
  for (const SymAttributeSpec *spec = specs; spec != NULL && spec->name != NULL; spec++)
    if (strcmp (spec->name, name) == 0)
      return spec;
  return NULL;
}

/* Names that begin with "__" are for tools; "consumed_inputs" is of the first operator sets, where
 * most had it, and tells what may be overwritten. */
gboolean
sym_operator_has_attribute (const SymOperator *self, const char *name)
{
  if (self == NULL || (*self->domain != '\0' && !g_str_has_prefix (self->domain, "ai.onnx")) ||
      g_str_has_prefix (name, "__") || strcmp (name, "consumed_inputs") == 0)
    return TRUE;
  return sym_attribute_specs_find (self->attributes, name) != NULL;
}
