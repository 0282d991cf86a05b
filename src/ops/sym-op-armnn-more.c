/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

/* Arm NN's volumes, recurrent layers and boxes. */

/* ---- Volumes ---- */

static void
read_triple (SymOpLower *self, const char *const names[3], gint64 fallback, gint64 values[3])
{
  for (int i = 0; i < 3; i++)
    {
      values[i] = sym_op_lower_get_int (self, names[i], fallback);
      if (values[i] >= 0 && values[i] <= G_MAXINT32)
        continue;
      sym_op_lower_fail (self, "%s: %s of %" G_GINT64_FORMAT " makes no sense",
                         sym_op_lower_get_type (self), names[i], values[i]);
      values[i] = fallback;
    }
}

/* Channels are last unless the layout has them behind the batch. */
static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  static const char *const strides[] = { "strideZ", "strideY", "strideX" };
  static const char *const dilations[] = { "dilationZ", "dilationY", "dilationX" };
  static const char *const before[] = { "padFront", "padTop", "padLeft" };
  static const char *const after[] = { "padBack", "padBottom", "padRight" };
  const char *layout = sym_op_lower_get_string (self, "dataLayout", "NDHWC");

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  if (window->n != 3)
    sym_op_lower_fail (self, "%s: volumes have 5 axes", sym_op_lower_get_type (self));
  window->channels_last = !g_str_has_prefix (layout, "NC");
  read_triple (self, strides, 1, window->stride);
  read_triple (self, dilations, 1, window->dilation);
  read_triple (self, before, 0, window->before);
  read_triple (self, after, 0, window->after);
  return !sym_op_lower_has_failed (self);
}

/* weight [d, h, w, in, out] */
static void
lower_conv (SymOpLower *self)
{
  const gint64 axes[] = { 4, 3, 0, 1, 2 };
  SymOpForeignWindow window;

  if (begin (self, &window))
    sym_op_engine_conv (self, &window, axes);
}

static void
lower_pool (SymOpLower *self)
{
  static const char *const sizes[] = { "poolDepth", "poolHeight", "poolWidth" };
  gboolean is_l2 = sym_op_lower_has_string (self, "poolType", "L2");
  gboolean is_max = !is_l2 && !sym_op_lower_has_string (self, "poolType", "Average");
  SymOpForeignWindow window;

  if (!begin (self, &window))
    return;
  if (is_l2 && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "Pooling3d of L2 is not lowered");
  read_triple (self, sizes, 1, window.kernel);
  window.up = sym_op_lower_has_string (self, "outputShapeRounding", "Ceiling");
  window.counts_pads = !sym_op_lower_has_string (self, "paddingMethod", "Exclude");
  sym_op_engine_pool (self, &window, is_max);
}

/* ---- Recurrent layers ---- */

static gboolean
set (SymRule *rule, guint i, const SymShape *shape, GError **error)
{
  return i >= sym_rule_get_n_outputs (rule) || shape->rank < 0 ||
         sym_rule_set_output (rule, i, shape, error);
}

/* Of data and both states, [batch, features] each: what is kept of the gates, both states, and
 * what comes out, which is the first state.  Quantised layers keep nothing of the gates; the older
 * one has its cells first, and its state is what comes out. */
static gboolean
infer_lstm (SymRule *rule, GError **error)
{
  const char *type = sym_rule_get_type (rule);
  gboolean is_old = strcmp (type, "QuantizedLstm") == 0, is_plain = strcmp (type, "Lstm") == 0;
  SymShape state = sym_rule_get_input (rule, is_old ? 2 : 1), gates;
  SymShape cells = sym_rule_get_input (rule, is_old ? 1 : 2);
  guint first = is_plain ? 1 : 0;

  if (is_plain && cells.rank == 2)
    {
      gates = cells;
      gates.dims[1] = sym_terms_multiply (sym_rule_get_terms (rule), cells.dims[1],
                                          sym_rule_get_bool (rule, "cifgEnabled", TRUE) ? 3 : 4);
      if (!set (rule, 0, &gates, error))
        return FALSE;
    }
  if (is_old)
    return set (rule, 0, &cells, error) && set (rule, 1, &state, error);
  return set (rule, first, &state, error) && set (rule, first + 1, &cells, error) &&
         set (rule, first + 2, &state, error);
}

/* ---- Others ---- */

/* Boxes, classes, scores, and how many. */
static gboolean
infer_detections (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "maxDetections", 0);
  gint64 n_classes = sym_rule_get_int (rule, "maxClassesPerDetection", 0);
  SymShape shapes[4];

  if (n < 1 || n_classes < 1 || MAX (n, n_classes) > G_MAXINT16)
    return TRUE;
  shapes[0] = SYM_SHAPE (1, n * n_classes, 4);
  shapes[1] = shapes[2] = SYM_SHAPE (1, n * n_classes);
  shapes[3] = SYM_SHAPE (1);
  for (guint i = 0; i < 4; i++)
    if (!set (rule, i, &shapes[i], error))
      return FALSE;
  return TRUE;
}

/* As many axes as there are sizes. */
static gboolean
infer_fill (SymRule *rule, GError **error)
{
  SymShape sizes = sym_rule_get_input (rule, 0), out = { 0 };
  SymDType dtype = sym_rule_get_dtype (rule, "output_dtype", SYM_DTYPE_UNKNOWN);

  if (dtype != SYM_DTYPE_UNKNOWN && !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (sizes.rank != 1 || sizes.dims[0] < 0 || sizes.dims[0] > SYM_MAX_RANK)
    return TRUE;
  out = sym_shape_new_unknown ((int) sizes.dims[0]);
  return sym_rule_set_output (rule, 0, &out, error);
}

/* The one that is there. */
static gboolean
infer_merge (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error) && sym_op_pass (rule, 1, 0, error);
}

/* ---- Table ---- */

static const SymAttributeSpec attributes[] = {
  { "strideZ", SYM_ATTRIBUTE_INT, "1", "step along the depth" },
  { "dilationZ", SYM_ATTRIBUTE_INT, "1", "distance of the planes in a window" },
  { "padFront", SYM_ATTRIBUTE_INT, "0", "zeros in front" },
  { "padBack", SYM_ATTRIBUTE_INT, "0", "zeros behind" },
  { "poolDepth", SYM_ATTRIBUTE_INT, "1", "planes of a window" },
  { "poolType", SYM_ATTRIBUTE_STRING, "Max", "what is made of a window" },
  { "dataLayout", SYM_ATTRIBUTE_STRING, "NDHWC", "the order of the data's axes" },
  { "cifgEnabled", SYM_ATTRIBUTE_BOOL, "True", "whether the input gate is the forget gate's rest" },
  { "maxDetections", SYM_ATTRIBUTE_INT, "0", "boxes" },
  { "maxClassesPerDetection", SYM_ATTRIBUTE_INT, "0", "classes of each box" },
  { NULL },
};

#define MORE(name_, aliases_, summary_, category_, slots_, lower_)                      \
  SYM_OP_ENGINE ("armnn", "Arm NN 25.02", name_, aliases_, summary_, category_, slots_, \
                 attributes, lower_)
#define RULE(name_, aliases_, summary_, category_, infer_)                \
  {                                                                       \
    SYM_OP_FOREIGN ("armnn", name_, aliases_, summary_, category_),       \
        .reference = "Arm NN 25.02 " name_, .slots = sym_op_foreign_many, \
        .attributes = attributes, .get_n_operands = sym_op_foreign_any,   \
        .get_n_outputs = sym_op_foreign_first, .infer = infer_            \
  }

const SymOperator sym_op_armnn_more[] = {
  MORE ("Convolution3d",
        NULL,
        "Slides filters over volumes",
        WEIGHTS,
        sym_op_engine_weighted,
        lower_conv),
  MORE ("Pooling3d", NULL, "One number of each window", POOLING, sym_op_foreign_one, lower_pool),
  RULE ("Lstm", "QLstm QuantizedLstm", "Long short-term memory", WEIGHTS, infer_lstm),
  RULE ("DetectionPostProcess", NULL, "The best boxes", OTHER, infer_detections),
  RULE ("Fill", NULL, "One number everywhere", OTHER, infer_fill),
  RULE ("Merge", NULL, "The one that is there", CONTROL, infer_merge),
  { NULL },
};
