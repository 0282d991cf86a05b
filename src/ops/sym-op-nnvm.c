/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-nnvm.h"

#include <string.h>

const SymSlotSpec sym_op_nnvm_data[] = { { "data" }, { NULL } };
const SymSlotSpec sym_op_nnvm_pair[] = { { "lhs" }, { "rhs" }, { NULL } };
const SymSlotSpec sym_op_nnvm_weighted[] = {
  { "data" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER },
  { NULL },
};

int
sym_op_nnvm_get_n_with_bias (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "use_bias", TRUE) ? 3 : 2;
}

/* ---- Operators that are MXNet's by other names ---- */

typedef struct {
  const char *from, *to;
} Pair;

typedef struct {
  const char *name, *other;
  Pair renamed[3]; /* attributes that MXNet calls otherwise */
  Pair added[2];   /* what it has to be told besides, as literals */
} Translation;

#define SAME(name_, other_)        \
  {                                \
    .name = name_, .other = other_ \
  }

static const Translation translations[] = {
  SAME ("copy", "_copy"),
  SAME ("block_grad", "BlockGrad"),
  SAME ("round", "round"),
  SAME ("trunc", "trunc"),
  SAME ("elemwise_mod", "_mod"),
  SAME ("elemwise_sum", "add_n"),
  SAME ("softmax", "softmax"),
  SAME ("log_softmax", "log_softmax"),
  SAME ("clip", "clip"),
  { .name = "leaky_relu",
    .other = "LeakyReLU",
    .renamed = { { "alpha", "slope" } },
    .added = { { "act_type", "leaky" } } },
  { .name = "prelu", .other = "LeakyReLU", .added = { { "act_type", "prelu" } } },
  { .name = "dense",
    .other = "FullyConnected",
    .renamed = { { "units", "num_hidden" } },
    .added = { { "flatten", "False" } } },
  { .name = "batch_norm", .other = "BatchNorm", .renamed = { { "epsilon", "eps" } } },
  { .name = "dropout", .other = "Dropout", .renamed = { { "rate", "p" } } },
  { .name = "lrn", .other = "LRN", .renamed = { { "size", "nsize" }, { "bias", "knorm" } } },
  SAME ("flatten", "Flatten"),
  SAME ("reshape", "Reshape"),
  SAME ("reshape_like", "reshape_like"),
  SAME ("transpose", "transpose"),
  SAME ("squeeze", "squeeze"),
  { .name = "concatenate", .other = "Concat", .renamed = { { "axis", "dim" } } },
  SAME ("cast", "Cast"),
  SAME ("flip", "reverse"),
  SAME ("broadcast_to", "broadcast_to"),
  { .name = "strided_slice", .other = "slice", .renamed = { { "stride", "step" } } },
  { .name = "slice_like", .other = "slice_like", .renamed = { { "axis", "axes" } } },
  SAME ("gather_nd", "gather_nd"),
  SAME ("where", "where"),
  SAME ("matmul", "dot"),
  SAME ("sum", "sum"),
  SAME ("mean", "mean"),
  SAME ("max", "max"),
  SAME ("min", "min"),
  SAME ("prod", "prod"),
  { .name = "full", .other = "_full", .renamed = { { "fill_value", "value" } } },
  SAME ("zeros", "_zeros"),
  SAME ("ones", "_ones"),
  SAME ("multibox_prior", "_contrib_MultiBoxPrior"),
};

static const Translation *
find_translation (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  guint i = 0;

  while (i + 1 < G_N_ELEMENTS (translations) && strcmp (translations[i].name, name) != 0)
    i++;
  return &translations[i];
}

static const char *
rename_attribute (const Translation *translation, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (translation->renamed); i++)
    if (g_strcmp0 (translation->renamed[i].from, name) == 0)
      return translation->renamed[i].to;
  return name;
}

/* The attributes as MXNet has them, with NNVM's defaults.  An empty list of axes, all of them here,
 * is none there. */
static SymAttributes *
translate_attributes (SymOpLower *self, const Translation *translation, const SymOperator *other)
{
  SymLayer *layer = sym_op_lower_get_layer (self);
  g_autoptr (SymAttributes) own =
      sym_op_complete_attributes (sym_layer_get_operator (layer), sym_layer_get_attributes (layer));
  SymAttributes *attributes = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (own); i++)
    {
      const char *name = rename_attribute (translation, sym_attributes_get_name (own, i));
      const SymValue *value = sym_attributes_get_value (own, i);
      gint64 number;

      if (sym_op_find_attribute (other, name) != NULL &&
          sym_value_get_ints (value, &number, 1) != 0)
        sym_attributes_set (attributes, name, sym_value_ref ((SymValue *) value), NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (translation->added); i++)
    {
      const Pair *added = &translation->added[i];
      const SymAttributeSpec *spec =
          added->from == NULL ? NULL : sym_op_find_attribute (other, added->from);

      if (spec != NULL)
        sym_attributes_set (attributes, added->from, sym_op_type_literal (spec->kind, added->to),
                            NULL);
    }
  return attributes;
}

static void
set_truth (SymAttributes *attributes, const char *name, gboolean truth)
{
  sym_attributes_set (attributes, name, sym_value_new_bool (truth), NULL);
}

/* The first @n operands, in a layer of MXNet with the attributes. */
static SymId
apply (SymOpLower *self, const SymOperator *other, SymId *operands, guint n, SymAttributes *given)
{
  return sym_op_lower_apply (self, other, (SymIds){ operands, n }, given);
}

static void
lower_translated (SymOpLower *self)
{
  const Translation *translation = find_translation (self);
  const SymOperator *other = sym_op_find ("mxnet", translation->other, 0);
  g_autoptr (SymAttributes) attributes = translate_attributes (self, translation, other);
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);
  SymId first;

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  if (sym_op_find_attribute (other, "num_args") != NULL)
    sym_attributes_set (attributes, "num_args", sym_value_new_int (n), NULL);
  if (sym_op_find_attribute (other, "no_bias") != NULL)
    set_truth (attributes, "no_bias", !sym_op_lower_get_bool (self, "use_bias", TRUE));
  if (sym_op_find_attribute (other, "fix_gamma") != NULL)
    set_truth (attributes, "fix_gamma", !sym_op_lower_get_bool (self, "scale", TRUE));
  first = apply (self, other, operands, n, attributes);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i, i == 0 ? first : sym_op_lower_get_result (self, first, i));
}

/* ---- What is a little more ---- */

/* Without offsets beta is there, and not looked at. */
static void
lower_batch_norm (SymOpLower *self)
{
  if (!sym_op_lower_get_bool (self, "center", TRUE) && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "batch_norm: without center it is not lowered");
  lower_translated (self);
}

static void
lower_prelu (SymOpLower *self)
{
  if (sym_op_lower_get_int (self, "axis", 1) != 1)
    sym_op_lower_refuse (self, "prelu: slopes of another axis than 1 are not lowered");
  lower_translated (self);
}

/* Mean and variance, and what dropout keeps, are outputs that nobody sees. */
static int
get_one_of_three (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 3;
}

static int
get_one_of_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 2;
}

/* x / sqrt (max (sum (x^2), eps)) */
static void
lower_l2 (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0), sum;

  sum = sym_op_foreign_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, x), rank,
                               axes, n < 1 ? -1 : n, TRUE);
  sum = sym_op_lower_binary (
      self, "Max", sum, sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "eps", 0)));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", sum)));
}

/* ---- Tables ---- */

static const SymSlotSpec where_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };
static const SymSlotSpec take_slots[] = { { "data" }, { "indices" }, { NULL } };
static const SymSlotSpec prelu_slots[] = { { "data" }, { "alpha", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec no_slots[] = { { NULL } };
static const SymSlotSpec norm_slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "moving_mean", SYM_SLOT_AUXILIARY },
  { "moving_var", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "units", SYM_ATTRIBUTE_INT, NULL, "number of outputs of each sample" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "of no use" },
  { "center", SYM_ATTRIBUTE_BOOL, "True", "whether beta is added" },
  { "scale", SYM_ATTRIBUTE_BOOL, "True", "whether gamma is a factor" },
  { NULL },
};

static const SymAttributeSpec rate_attributes[] = {
  { "rate", SYM_ATTRIBUTE_FLOAT, "0.5", "share that training leaves out" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { NULL },
};

static const SymAttributeSpec second_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "along which" },
  { NULL },
};

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.25", "slope below zero" },
  { NULL },
};

static const SymAttributeSpec clip_attributes[] = {
  { "a_min", SYM_ATTRIBUTE_FLOAT, NULL, "the least that comes out" },
  { "a_max", SYM_ATTRIBUTE_FLOAT, NULL, "the most that comes out" },
  { NULL },
};

static const SymAttributeSpec lrn_attributes[] = {
  { "size", SYM_ATTRIBUTE_INT, NULL, "channels that count" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "factor of their squares" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent of what the data is divided by" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "2", "added to their squares" },
  { NULL },
};

static const SymAttributeSpec l2_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, NULL, "the least sum that counts" },
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axes that are summed over" },
  { NULL },
};

static const SymAttributeSpec shape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "sizes" },
  { NULL },
};

static const SymAttributeSpec axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "()", "the axes in their new order; none: the other way round" },
  { NULL },
};

static const SymAttributeSpec squeeze_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axes that go; none are all of size 1" },
  { NULL },
};

static const SymAttributeSpec dtype_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, NULL, "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec flip_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec slice_attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, NULL, "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, NULL, "where it ends" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps" },
  { NULL },
};

static const SymAttributeSpec like_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axes that are cut; none are all" },
  { NULL },
};

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymAttributeSpec reduce_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axes that go; none are all" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { "exclude", SYM_ATTRIBUTE_BOOL, "False", "whether these are the axes that stay" },
  { NULL },
};

static const SymAttributeSpec fill_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "sizes" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype" },
  { "fill_value", SYM_ATTRIBUTE_FLOAT, "0", "the number" },
  { NULL },
};

static const SymAttributeSpec prior_attributes[] = {
  { "sizes", SYM_ATTRIBUTE_FLOATS, "(1,)", "sizes of boxes" },
  { "ratios", SYM_ATTRIBUTE_FLOATS, "(1,)", "their widths by their heights" },
  { "steps", SYM_ATTRIBUTE_FLOATS, "(-1, -1)", "from one to the next; -1 by the data" },
  { "offsets", SYM_ATTRIBUTE_FLOATS, "(0.5, 0.5)", "where centres are" },
  { "clip", SYM_ATTRIBUTE_BOOL, "False", "whether boxes end at the border" },
  { NULL },
};

#define AS_MXNET(name_, summary_, category_, slots_, attributes_)                                  \
  {                                                                                                \
    NNVM (name_, summary_, category_), .slots = slots_, .attributes = attributes_,                 \
                                       .infer = sym_op_infer_translated, .lower = lower_translated \
  }
#define MOVE(name_, summary_, attributes_) \
  AS_MXNET (name_, summary_, SHAPE, sym_op_nnvm_data, attributes_)
#define REDUCE(name_, summary_) \
  AS_MXNET (name_, summary_, POOLING, sym_op_nnvm_data, reduce_attributes)

const SymOperator sym_op_nnvm[] = {
  AS_MXNET ("copy", "The data as it is", SHAPE, sym_op_nnvm_data, NULL),
  AS_MXNET ("block_grad", "The data; no gradient passes", SHAPE, sym_op_nnvm_data, NULL),
  AS_MXNET ("round", "Rounded", ELEMENTWISE, sym_op_nnvm_data, NULL),
  AS_MXNET ("trunc", "Rounded towards zero", ELEMENTWISE, sym_op_nnvm_data, NULL),
  AS_MXNET ("elemwise_mod", "Remainder", ELEMENTWISE, sym_op_nnvm_pair, NULL),
  { NNVM ("elemwise_sum", "Sum of any number of tensors", MERGE), .slots = sym_op_foreign_many,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_translated,
    .lower = lower_translated },
  AS_MXNET ("softmax",
            "Numbers along an axis that sum to 1",
            ACTIVATION,
            sym_op_nnvm_data,
            softmax_attributes),
  AS_MXNET ("log_softmax",
            "Logarithm of softmax",
            ACTIVATION,
            sym_op_nnvm_data,
            softmax_attributes),
  AS_MXNET ("clip", "Cut off at two bounds", ELEMENTWISE, sym_op_nnvm_data, clip_attributes),
  AS_MXNET ("leaky_relu",
            "Rectifier that leaks below zero",
            ACTIVATION,
            sym_op_nnvm_data,
            alpha_attributes),
  { NNVM ("prelu", "Rectifier with trained slopes below zero", ACTIVATION), .slots = prelu_slots,
    .attributes = second_attributes, .infer = sym_op_infer_translated, .lower = lower_prelu },
  { NNVM ("dense", "Fully connected layer", WEIGHTS), .slots = sym_op_nnvm_weighted,
    .attributes = dense_attributes, .get_n_operands = sym_op_nnvm_get_n_with_bias,
    .infer = sym_op_infer_translated, .lower = lower_translated },
  { NNVM ("batch_norm", "Scales each channel to mean 0 and variance 1", NORMALIZATION),
    .slots = norm_slots, .attributes = norm_attributes, .get_n_outputs = get_one_of_three,
    .infer = sym_op_infer_translated, .lower = lower_batch_norm },
  { NNVM ("dropout", "Leaves some out in training", NORMALIZATION), .slots = sym_op_nnvm_data,
    .attributes = rate_attributes, .get_n_outputs = get_one_of_two,
    .infer = sym_op_infer_translated, .lower = lower_translated },
  AS_MXNET ("lrn",
            "Channels divided by those beside them",
            NORMALIZATION,
            sym_op_nnvm_data,
            lrn_attributes),
  { NNVM ("l2_normalize", "Divided by its length", NORMALIZATION), .slots = sym_op_nnvm_data,
    .attributes = l2_attributes, .infer = sym_op_infer_elementwise, .lower = lower_l2 },
  MOVE ("flatten", "All axes but the batch as one", NULL),
  MOVE ("reshape", "Other axes", shape_attributes),
  AS_MXNET ("reshape_like", "Axes of another", SHAPE, sym_op_nnvm_pair, NULL),
  MOVE ("transpose", "Axes in another order", axes_attributes),
  MOVE ("squeeze", "Without axes of size 1", squeeze_attributes),
  { NNVM ("concatenate", "One after the other along an axis", MERGE), .slots = sym_op_foreign_many,
    .attributes = second_attributes, .get_n_operands = sym_op_foreign_any,
    .infer = sym_op_infer_translated, .lower = lower_translated },
  MOVE ("cast", "Another dtype", dtype_attributes),
  MOVE ("flip", "Backwards along an axis", flip_attributes),
  MOVE ("broadcast_to", "Repeated to a shape", shape_attributes),
  MOVE ("strided_slice", "Part of the data", slice_attributes),
  AS_MXNET ("slice_like", "Cut to the sizes of another", SHAPE, sym_op_nnvm_pair, like_attributes),
  AS_MXNET ("gather_nd", "Elements by indices of several axes", SHAPE, take_slots, NULL),
  AS_MXNET ("where", "One or the other by a condition", ELEMENTWISE, where_slots, NULL),
  AS_MXNET ("matmul", "Product of matrices", WEIGHTS, sym_op_nnvm_pair, matmul_attributes),
  REDUCE ("sum", "Sum over axes"),
  REDUCE ("mean", "Mean over axes"),
  REDUCE ("max", "Greatest element over axes"),
  REDUCE ("min", "Least element over axes"),
  REDUCE ("prod", "Product over axes"),
  AS_MXNET ("full", "One number everywhere", SHAPE, no_slots, fill_attributes),
  AS_MXNET ("zeros", "Zeros", SHAPE, no_slots, fill_attributes),
  AS_MXNET ("ones", "Ones", SHAPE, no_slots, fill_attributes),
  AS_MXNET ("multibox_prior", "Boxes around each place", OTHER, sym_op_nnvm_data, prior_attributes),
  { NULL },
};
