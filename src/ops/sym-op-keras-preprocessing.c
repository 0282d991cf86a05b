/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* Layers that come before the first one with weights: what they have learnt is in their configs, or
 * in weights that are not trained. */

/* ---- Normalization ---- */

enum { MEAN = 1, VARIANCE, COUNT };

/* Marks the axes that have a mean of their own; the last one without `axis`, none for None. */
static gboolean
read_kept (const SymAttributes *attributes, int rank, gboolean *kept, GError **error)
{
  const SymValue *value = sym_attributes_find (attributes, "axis");
  gint64 axes[SYM_MAX_RANK] = { -1 };
  int n = value == NULL ? 1 : sym_value_get_ints (value, axes, SYM_MAX_RANK), axis;

  memset (kept, 0, SYM_MAX_RANK * sizeof *kept);
  for (int i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    {
      if (!sym_op_normalize_axis (axes[i], rank, &axis, error))
        return FALSE;
      kept[axis] = TRUE;
    }
  return TRUE;
}

static gboolean
infer_normalization (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), of_weights = { 0 };
  gboolean kept[SYM_MAX_RANK];

  if (shape.rank < 0)
    return sym_op_keras_set (rule, shape, error);
  if (!read_kept (sym_rule_get_attributes (rule), shape.rank, kept, error))
    return FALSE;
  for (int i = 0; i < shape.rank; i++)
    if (kept[i])
      of_weights.dims[of_weights.rank++] = shape.dims[i];
  return sym_op_set_input (rule, MEAN, of_weights, error) &&
         sym_op_set_input (rule, VARIANCE, of_weights, error) &&
         sym_op_set_input (rule, COUNT, SYM_SHAPE (), error) &&
         sym_op_keras_set (rule, shape, error);
}

/* Numbers of lists in lists, in their order. */
static gboolean
flatten (const SymValue *value, GArray *numbers, int depth)
{
  double number;

  if (sym_value_get_float (value, &number))
    {
      float single = (float) number;

      g_array_append_val (numbers, single);
      return TRUE;
    }
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    if (depth == SYM_MAX_RANK || !flatten (sym_value_get_child (value, i), numbers, depth + 1))
      return FALSE;
  return sym_value_get_n_children (value) > 0;
}

/* A weight, or numbers of the config, along the axes that are kept. */
static SymId
get_statistic (SymOpLower *self, const char *name, guint slot, const gboolean *kept)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  const SymValue *value = sym_op_keras_find (sym_op_keras_attributes (self), name);
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (float));
  SymShape spread = { .rank = shape->rank };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (0), NULL };
  gint64 n = 1;
  SymId x;

  for (int i = 0; i < shape->rank; i++)
    {
      spread.dims[i] = kept[i] ? shape->dims[i] : 1;
      n *= MAX (spread.dims[i], 0);
    }
  if (value == NULL && sym_op_lower_has_input (self, slot))
    return sym_op_lower_reshape (self, sym_op_keras_input (self, slot), &spread);
  if (value == NULL || !flatten (value, numbers, 0) || (numbers->len != 1 && numbers->len != n))
    {
      sym_op_lower_fail (self, "Normalization: %s does not fit the data, or is missing", name);
      return SYM_NO_ID;
    }
  array.shape.dims[0] = numbers->len;
  array.data = numbers->data;
  x = sym_op_lower_cast_from (self, sym_op_lower_array (self, &array), SYM_DTYPE_FLOAT32, dtype);
  return numbers->len == 1 ? x : sym_op_lower_reshape (self, x, &spread);
}

/* (x - mean) / max (sqrt (variance), 1e-7), or back. */
static void
lower_normalization (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));
  SymId x = sym_op_keras_input (self, 0), mean, deviation;
  gboolean kept[SYM_MAX_RANK];
  g_autoptr (GError) error = NULL;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!read_kept (sym_op_keras_attributes (self), sym_op_lower_get_input_shape (self, 0)->rank,
                  kept, &error))
    {
      sym_op_lower_fail (self, "%s", error->message);
      return;
    }
  mean = get_statistic (self, "mean", MEAN, kept);
  deviation = sym_op_lower_unary (self, "Sqrt", get_statistic (self, "variance", VARIANCE, kept));
  deviation = sym_op_lower_binary (self, "Max", deviation, sym_op_lower_number (self, dtype, 1e-7));
  if (sym_op_keras_get_bool (sym_op_keras_attributes (self), "invert", FALSE))
    x = sym_op_lower_binary (self, "Add", mean, sym_op_lower_binary (self, "Mul", x, deviation));
  else
    x = sym_op_lower_binary (self, "Div", sym_op_lower_binary (self, "Sub", x, mean), deviation);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Classes ---- */

static const char *
get_mode (const SymAttributes *attributes, const char *fallback)
{
  return sym_op_keras_get_string (attributes, "output_mode", fallback);
}

static gint64
count_boundaries (const SymAttributes *attributes)
{
  const SymValue *value = sym_op_keras_find (attributes, "bin_boundaries");

  if (value == NULL)
    value = sym_op_keras_find (attributes, "bins");
  return value == NULL ? -1 : (gint64) sym_value_get_n_children (value);
}

/* How many classes there are; -1 where it is not known. */
static gint64
get_depth (const SymAttributes *attributes, const char *type)
{
  if (strcmp (type, "CategoryEncoding") == 0)
    return sym_op_keras_get_int (attributes, "num_tokens",
                                 sym_op_keras_get_int (attributes, "max_tokens", -1));
  return count_boundaries (attributes) < 0 ? -1 : count_boundaries (attributes) + 1;
}

/* Hot ones have the classes last, in place of a last axis of one element; what is put together, in
 * place of the last axis. */
static gboolean
infer_classes (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  gboolean is_encoding = strcmp (sym_rule_get_type (rule), "CategoryEncoding") == 0;
  const char *mode = get_mode (attributes, is_encoding ? "multi_hot" : "int");
  gint64 depth = get_depth (attributes, sym_rule_get_type (rule));
  SymShape shape = sym_rule_get_input (rule, 0);

  if (strcmp (mode, "int") == 0)
    return sym_op_set_output (rule, 0, shape, SYM_DTYPE_INT64, error);
  if (is_encoding && depth < 1)
    return sym_rule_fail (error, "num_tokens must be at least 1");
  if (shape.rank < 0)
    return sym_op_keras_set (rule, shape, error);
  if (shape.rank > 1 && (strcmp (mode, "one_hot") != 0 || shape.dims[shape.rank - 1] == 1))
    shape.rank--;
  if (shape.rank == 0 || shape.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "data of %d axes cannot be encoded", shape.rank);
  shape.dims[shape.rank++] = depth < 0 ? SYM_DIM_UNKNOWN : depth;
  return sym_op_keras_set (rule, shape, error);
}

/* int64 classes to what `output_mode` makes of them. */
static SymId
encode (SymOpLower *self, SymId classes, const char *mode, gint64 depth)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));
  gint64 last = shape->rank - 1;
  SymId ends[2], hot;

  if (strcmp (mode, "int") == 0)
    return classes;
  if (strcmp (mode, "one_hot") == 0 && shape->rank > 1 && shape->dims[last] == 1)
    classes = sym_op_lower_binary (self, "Squeeze", classes, sym_op_lower_ints (self, &last, 1));
  for (guint i = 0; i < 2; i++)
    ends[i] = sym_op_lower_fill (self, dtype, &SYM_SHAPE (1), i);
  hot = sym_op_lower_call (self, "OneHot",
                           SYM_IDS (classes, sym_op_lower_ints (self, &depth, 1),
                                    sym_op_lower_call (self, "Concat", (SymIds){ ends, 2 }, "axis",
                                                       sym_value_new_int (0), NULL)),
                           "axis", sym_value_new_int (-1), NULL);
  if (strcmp (mode, "multi_hot") == 0 && shape->rank > 1)
    return sym_op_lower_reduce (self, "ReduceMax", hot, &last, 1, FALSE);
  if (strcmp (mode, "count") == 0 && shape->rank > 1)
    return sym_op_lower_reduce (self, "ReduceSum", hot, &last, 1, FALSE);
  if (strcmp (mode, "one_hot") != 0)
    sym_op_lower_refuse (self, "%s: output_mode “%s” is not lowered", sym_op_lower_get_type (self),
                         mode);
  return hot;
}

static void
lower_encoding (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  gint64 depth = get_depth (attributes, "CategoryEncoding");

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (depth < 1 || depth > G_MAXINT32)
    sym_op_lower_fail (self, "CategoryEncoding: num_tokens must be at least 1");
  sym_op_lower_set_output (
      self, 0,
      encode (self, sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64),
              get_mode (attributes, "multi_hot"), depth));
}

/* The class of a number is how many boundaries are not above it. */
static void
lower_discretization (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  const SymValue *value = sym_op_keras_find (attributes, "bin_boundaries");
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (float));
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (0), NULL };
  gint64 last = -1;
  SymId x, above;

  if (value == NULL)
    value = sym_op_keras_find (attributes, "bins");
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (value == NULL || !flatten (value, numbers, 0))
    {
      sym_op_lower_refuse (self, "Discretization: its boundaries are not in the file");
      return;
    }
  array.shape.dims[0] = numbers->len;
  array.data = numbers->data;
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                              sym_op_lower_get_input_dtype (self, 0), SYM_DTYPE_FLOAT32);
  x = sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, &last, 1));
  above = sym_op_lower_binary (self, "GreaterOrEqual", x, sym_op_lower_array (self, &array));
  above = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_cast (self, above, SYM_DTYPE_INT64),
                               &last, 1, FALSE);
  sym_op_lower_set_output (
      self, 0, encode (self, above, get_mode (attributes, "int"), (gint64) numbers->len + 1));
}

/* ---- Tables ---- */

static const SymSlotSpec normalization_slots[] = {
  { "input" },
  { "mean", SYM_SLOT_AUXILIARY, TRUE },
  { "variance", SYM_SLOT_AUXILIARY, TRUE },
  { "count", SYM_SLOT_AUXILIARY, TRUE, TRUE },
  { NULL },
};

static const SymAttributeSpec normalization_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "-1", "axes with a mean for each place" },
  { "mean", SYM_ATTRIBUTE_ANY, "None", "what is taken away; weights without it" },
  { "variance", SYM_ATTRIBUTE_ANY, "None", "whose root is divided by; weights without it" },
  { "invert", SYM_ATTRIBUTE_BOOL, "False", "whether the way back is taken" },
  { NULL },
};

static const SymAttributeSpec encoding_attributes[] = {
  { "num_tokens", SYM_ATTRIBUTE_INT, NULL, "how many classes there are" },
  { "output_mode", SYM_ATTRIBUTE_STRING, "multi_hot", "what is made of them",
    "one_hot multi_hot count" },
  { NULL },
};

static const SymAttributeSpec discretization_attributes[] = {
  { "bin_boundaries", SYM_ATTRIBUTE_FLOATS, "None", "where the next class begins" },
  { "output_mode", SYM_ATTRIBUTE_STRING, "int", "what is made of the classes",
    "int one_hot multi_hot count" },
  { NULL },
};

#define BEFORE(name_, summary_, category_, slots_, attributes_, infer_, lower_)           \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_##category_, .attributes = attributes_,        \
                  .slots = slots_, .infer = infer_, .lower = lower_,                      \
  }

const SymOperator sym_op_keras_preprocessing[] = {
  BEFORE ("CategoryEncoding",
          "1 at the places of classes",
          SHAPE,
          sym_op_keras_one,
          encoding_attributes,
          infer_classes,
          lower_encoding),
  BEFORE ("Discretization",
          "Numbers to classes",
          SHAPE,
          sym_op_keras_one,
          discretization_attributes,
          infer_classes,
          lower_discretization),
  BEFORE ("Normalization",
          "Without the mean, by the deviation",
          NORMALIZATION,
          normalization_slots,
          normalization_attributes,
          infer_normalization,
          lower_normalization),
  { NULL },
};
