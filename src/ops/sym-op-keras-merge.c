/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* What joins the inputs: the layer's type, or `mode` of a Merge of Keras 1. */
static const char *
get_mode (const SymAttributes *attributes, const char *type)
{
  static const struct {
    const char *mode;
    const char *type;
  } modes[] = {
    { "sum", "Add" },     { "mul", "Multiply" },       { "ave", "Average" },
    { "max", "Maximum" }, { "concat", "Concatenate" }, { "dot", "Dot" },
    { "cos", "Cosine" },
  };
  const char *mode = sym_op_keras_get_string (attributes, "mode", "sum");

  if (strcmp (type, "Merge") != 0)
    return type;
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (modes[i].mode, mode) == 0)
      return modes[i].type;
  return NULL;
}

/* ---- One element with another ---- */

/* What has fewer axes than the others gets axes of one behind its batch.  0 where all have as many,
 * or how many is not known. */
static int
get_spread_rank (SymRule *rule)
{
  int most = 0, least = SYM_MAX_RANK;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      int rank = sym_rule_get_input (rule, i).rank;

      most = MAX (most, rank);
      least = MIN (least, rank);
    }
  return least < 1 || least == most ? 0 : most;
}

static SymShape
spread_shape (const SymShape *shape, int rank)
{
  SymShape spread = *shape;

  while (spread.rank < rank)
    spread = sym_op_insert_axis (&spread, 1, 1);
  return spread;
}

static gboolean
broadcast_spread (SymRule *rule, int rank, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  SymShape result = sym_shape_new_unknown (rank);
  g_autofree SymDim *dims = g_new (SymDim, n);

  for (int i = 0; i < rank; i++)
    {
      for (guint k = 0; k < n; k++)
        {
          SymShape shape = sym_rule_get_input (rule, k);

          dims[k] = spread_shape (&shape, rank).dims[i];
        }
      if (!sym_op_broadcast_dims (dims, (int) n, &result.dims[i]))
        return sym_rule_fail (error, "the operands' sizes of axis %d do not fit", i);
    }
  return sym_rule_set_output (rule, 0, &result, error);
}

static gboolean
infer_elementwise (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  int rank = get_spread_rank (rule);

  if (n == 0)
    return TRUE;
  if (rank > 0 ? !broadcast_spread (rule, rank, error)
               : !sym_op_broadcast_shapes (rule, 0, n - 1, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, 0), error);
}

/* Operand @i with the axes of the others, of at most @rank. */
static SymId
spread (SymOpLower *self, guint i, int rank)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymId x = sym_op_lower_input (self, i);
  gint64 axes[SYM_MAX_RANK];

  if (shape->rank < 1 || shape->rank == rank)
    return x;
  for (int k = 0; k < rank - shape->rank; k++)
    axes[k] = k + 1;
  return sym_op_lower_binary (self, "Unsqueeze", x,
                              sym_op_lower_ints (self, axes, rank - shape->rank));
}

static void
lower_elementwise (SymOpLower *self, const char *mode)
{
  static const struct {
    const char *mode;
    const char *onnx;
  } layers[] = {
    { "Add", "Add" },     { "Subtract", "Sub" }, { "Multiply", "Mul" },
    { "Average", "Add" }, { "Maximum", "Max" },  { "Minimum", "Min" },
  };
  guint n = sym_op_lower_get_n_inputs (self);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const char *onnx = NULL;
  int rank = 0;
  SymId x;

  for (guint i = 0; i < n; i++)
    rank = MAX (rank, sym_op_lower_get_input_shape (self, i)->rank);
  x = spread (self, 0, rank);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    if (strcmp (layers[i].mode, mode) == 0)
      onnx = layers[i].onnx;
  g_assert (onnx != NULL);
  for (guint i = 1; i < n; i++)
    x = sym_op_lower_binary (self, onnx, x, spread (self, i, rank));
  if (strcmp (mode, "Average") == 0)
    x = sym_op_lower_binary (self, "Div", x, sym_op_lower_number (self, dtype, n));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- One after the other ---- */

static gint64
get_axis (const SymAttributes *attributes)
{
  return sym_op_keras_get_int (attributes, "axis",
                               sym_op_keras_get_int (attributes, "concat_axis", -1));
}

static gboolean
infer_concatenate (SymRule *rule, GError **error)
{
  return sym_op_concatenate (rule, 0, get_axis (sym_rule_get_attributes (rule)), error) &&
         sym_rule_tie_dtypes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error);
}

static void
lower_concatenate (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_lower_input (self, i);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                         sym_value_new_int (get_axis (sym_op_keras_attributes (self))), NULL));
}

/* ---- Dot ---- */

/* The axes that are summed, one of each operand, counted from the front. */
static gboolean
read_dot (const SymAttributes *attributes,
          const SymShape *a,
          const SymShape *b,
          int *axes,
          GError **error)
{
  const char *name = sym_attributes_find (attributes, "axes") != NULL ? "axes" : "dot_axes";
  const SymValue *value = sym_attributes_find (attributes, name), *first;
  gint64 given[2] = { -1, -1 };
  int n = value == NULL ? 0 : sym_value_get_ints (value, given, 2);

  /* Keras 1 has a list of axes for each operand. */
  for (int i = 0; n < 0 && i < 2; i++)
    {
      first = sym_value_get_n_children (value) == 2 ? sym_value_get_child (value, (guint) i) : NULL;
      if (first == NULL || sym_value_get_ints (first, &given[i], 1) != 1)
        return sym_rule_fail (error, "axes must be a number, or one for each operand");
    }
  if (n == 1)
    given[1] = given[0];
  return sym_op_normalize_axis (given[0], a->rank, &axes[0], error) &&
         sym_op_normalize_axis (given[1], b->rank, &axes[1], error);
}

/* Batches are the first axes of both; the rest of the first comes before the rest of the second. */
static gboolean
infer_dot (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), result = { 0 };
  int axes[2];

  if (!sym_rule_tie_dtypes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (!read_dot (sym_rule_get_attributes (rule), &a, &b, axes, error))
    return FALSE;
  if (axes[0] == 0 || axes[1] == 0 || a.rank + b.rank - 3 > SYM_MAX_RANK)
    return sym_rule_fail (error, "the batch cannot be summed over");
  if (!sym_rule_unify (rule, a.dims[axes[0]], b.dims[axes[1]], "the size that is summed", error) ||
      !sym_rule_unify (rule, a.dims[0], b.dims[0], "the batch", error))
    return FALSE;
  for (int i = 0; i < a.rank; i++)
    if (i != axes[0])
      result.dims[result.rank++] = a.dims[i];
  for (int i = 1; i < b.rank; i++)
    if (i != axes[1])
      result.dims[result.rank++] = b.dims[i];
  if (result.rank == 1)
    result.dims[result.rank++] = 1;
  return sym_rule_set_output (rule, 0, &result, error);
}

static SymId
normalise (SymOpLower *self, guint i, gint64 axis)
{
  SymId x = sym_op_lower_input (self, i);
  SymDType dtype = sym_op_lower_get_input_dtype (self, i);
  SymId sum = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, x),
                                   &axis, 1, TRUE);

  sum = sym_op_lower_binary (self, "Max", sum, sym_op_lower_number (self, dtype, 1e-12));
  return sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", sum));
}

static void
lower_dot (SymOpLower *self, gboolean always_normalise)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  gboolean unit = always_normalise || sym_op_keras_get_bool (attributes, "normalize", FALSE);
  const SymShape *shapes[2];
  g_autoptr (GString) equation = g_string_new (NULL);
  g_autoptr (GString) result = g_string_new ("a");
  g_autoptr (GError) error = NULL;
  SymId operands[2];
  char letter = 'b';
  int axes[2];

  for (guint i = 0; i < 2; i++)
    shapes[i] = sym_op_lower_get_input_shape (self, i);
  if (!read_dot (attributes, shapes[0], shapes[1], axes, &error))
    {
      sym_op_lower_fail (self, "%s", error->message);
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      operands[i] = unit ? normalise (self, i, axes[i]) : sym_op_lower_input (self, i);
      g_string_append (equation, i == 0 ? "a" : ",a");
      for (int k = 1; k < shapes[i]->rank; k++)
        {
          g_string_append_c (equation, k == axes[i] ? 'z' : letter);
          if (k != axes[i])
            g_string_append_c (result, letter++);
        }
    }
  g_string_append_printf (equation, "->%s", result->str);
  sym_op_lower_finish (self, sym_op_lower_call (self, "Einsum", (SymIds){ operands, 2 }, "equation",
                                                sym_value_new_string (equation->str), NULL));
}

/* ---- All of them ---- */

static gboolean
infer (SymRule *rule, GError **error)
{
  const char *mode = get_mode (sym_rule_get_attributes (rule), sym_rule_get_type (rule));

  if (mode == NULL)
    return sym_rule_fail (error, "mode “%s” is not known", sym_rule_get_string (rule, "mode", "?"));
  if (sym_rule_get_n_inputs (rule) == 0)
    return sym_rule_fail (error, "there is nothing to join");
  if (strcmp (mode, "Concatenate") == 0)
    return infer_concatenate (rule, error);
  if (strcmp (mode, "Dot") == 0 || strcmp (mode, "Cosine") == 0)
    return sym_rule_get_n_inputs (rule) == 2
               ? infer_dot (rule, error)
               : sym_rule_fail (error, "two operands are needed, not %u",
                                sym_rule_get_n_inputs (rule));
  return infer_elementwise (rule, error);
}

static void
lower (SymOpLower *self)
{
  const char *mode = get_mode (sym_op_keras_attributes (self), sym_op_lower_get_type (self));

  if (mode == NULL)
    sym_op_lower_refuse (self, "Merge: its mode is not known");
  else if (strcmp (mode, "Concatenate") == 0)
    lower_concatenate (self);
  else if (strcmp (mode, "Dot") == 0 || strcmp (mode, "Cosine") == 0)
    lower_dot (self, *mode == 'C');
  else
    lower_elementwise (self, mode);
}

static int
count_operands (const SymAttributes *attributes)
{
  return -1;
}

static const SymAttributeSpec no_attributes[] = { { NULL } };

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which the operands follow each other" },
  { NULL },
};

static const SymAttributeSpec dot_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, NULL, "the axis that is summed, of both operands or of each" },
  { "normalize", SYM_ATTRIBUTE_BOOL, "False", "whether both are divided by their lengths first" },
  { NULL },
};

static const SymAttributeSpec merge_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "sum", "how they are joined", "sum mul ave max concat dot cos" },
  { "concat_axis", SYM_ATTRIBUTE_INT, "-1", "axis along which the operands follow each other" },
  { "dot_axes", SYM_ATTRIBUTE_ANY, "-1", "the axis that is summed" },
  { NULL },
};

#define MERGE(name_, summary_, attributes_)                                                     \
  {                                                                                             \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_,       \
                  .category = SYM_CATEGORY_MERGE, .attributes = attributes_,                    \
                  .slots = sym_op_keras_many, .get_n_operands = count_operands, .infer = infer, \
                  .lower = lower,                                                               \
  }

const SymOperator sym_op_keras_merge[] = {
  MERGE ("Add", "The sum of all operands", no_attributes),
  MERGE ("Average", "The mean of all operands", no_attributes),
  MERGE ("Concatenate", "Operands one after the other", axis_attributes),
  MERGE ("Dot", "The sums of products of two operands", dot_attributes),
  MERGE ("Maximum", "The largest of all operands", no_attributes),
  MERGE ("Merge", "Operands joined as Keras 1 did it", merge_attributes),
  MERGE ("Minimum", "The smallest of all operands", no_attributes),
  MERGE ("Multiply", "The product of all operands", no_attributes),
  MERGE ("Subtract", "The first operand without the second", no_attributes),
  { NULL },
};
