/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-acuity.h"

/* Acuity's windows over steps, whose channels are last. */

/* ---- Windows over steps ---- */

/* @channels of 0 are those of the data. */
static gboolean
slide_steps (SymRule *rule, SymDim channels, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 pads[2] = { 0 }, dilation[3] = { 0 };
  gboolean is_pool = g_str_equal (sym_rule_get_type (rule), "pool1d");
  int n;
  SymOpWindow window = { .dilate = 1 };

  if (!sym_op_engine_read (rule, "ksize", 1, 1, &window.kernel, error) ||
      !sym_op_engine_read (rule, "stride", 1, 1, &window.stride, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (data.rank != 3)
    return sym_rule_fail (error, "sequences have 3 axes, not %d", data.rank);
  n = sym_rule_get_ints (rule, "dilation", dilation, 3);
  if (n == 1 || n == 3)
    window.dilate = CLAMP (dilation[n / 2], 1, G_MAXINT32);
  if (sym_rule_get_ints (rule, "pad", pads, 2) == 2)
    {
      window.before = CLAMP (pads[0], 0, G_MAXINT32);
      window.after = CLAMP (pads[1], 0, G_MAXINT32);
    }
  window.up = is_pool && g_str_equal (sym_rule_get_string (rule, "round_type", "ceil"), "ceil");
  if (g_strcmp0 (sym_rule_get_string (rule, "padding", NULL), "SAME") == 0)
    data.dims[1] = sym_terms_ceil_divide (sym_rule_get_terms (rule), data.dims[1], window.stride);
  else if (!sym_op_slide (rule, data.dims[1], &window, &data.dims[1], error))
    return FALSE;
  if (channels != 0)
    data.dims[2] = channels;
  return sym_rule_set_output (rule, 0, &data, error);
}

/* weight [steps, in / groups, out] */
static gboolean
infer_conv1d (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim out = sym_op_engine_get_count (rule, "weights"),
         in = data.rank == 3 ? data.dims[2] : SYM_DIM_UNKNOWN;
  gint64 groups, kernel;

  if (!sym_op_engine_read (rule, "ksize", 1, 1, &kernel, error) ||
      !sym_op_engine_read (rule, "group_number", 1, 0, &groups, error))
    return FALSE;
  if (groups > 1)
    in = in >= 0 && in % groups == 0 ? in / groups : SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (kernel, in, out), error) &&
         (out < 0 || sym_op_set_input (rule, 2, SYM_SHAPE (out), error)) &&
         slide_steps (rule, out, error);
}

/* weight [steps, C, M]: M results of each channel. */
static gboolean
infer_depthwise_conv1d (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim in = data.rank == 3 ? data.dims[2] : SYM_DIM_UNKNOWN, out;
  gint64 factor, kernel;

  if (!sym_op_engine_read (rule, "multiplier", 1, 1, &factor, error) ||
      !sym_op_engine_read (rule, "ksize", 1, 1, &kernel, error))
    return FALSE;
  out = sym_terms_multiply (sym_rule_get_terms (rule), in, factor);
  return sym_op_set_input (rule, 1, SYM_SHAPE (kernel, in, factor), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) && slide_steps (rule, out, error);
}

static gboolean
infer_pool1d (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_rule_get_bool (rule, "global_pooling", FALSE) || data.rank != 3)
    return slide_steps (rule, 0, error);
  data.dims[1] = 1;
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &data, error);
}

/* The same as a body sees it, of attributes that the rule has looked at. */
static gboolean
begin_steps (SymOpLower *self, SymOpForeignWindow *window)
{
  gint64 pads[SYM_MAX_RANK], dilation[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "dilation", dilation);

  if (sym_op_foreign_rank (self, 0) != 3)
    sym_op_lower_fail (self, "%s: sequences have 3 axes", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self) || !sym_op_foreign_begin (self, 0, window))
    return FALSE;
  window->channels_last = TRUE;
  window->kernel[0] = sym_op_lower_get_int (self, "ksize", 1);
  window->stride[0] = sym_op_lower_get_int (self, "stride", 1);
  window->groups = MAX (sym_op_lower_get_int (self, "group_number", 1), 1);
  if (n == 1 || n == 3)
    window->dilation[0] = CLAMP (dilation[n / 2], 1, G_MAXINT32);
  if (sym_op_foreign_list (self, "pad", pads) == 2)
    {
      window->before[0] = CLAMP (pads[0], 0, G_MAXINT32);
      window->after[0] = CLAMP (pads[1], 0, G_MAXINT32);
    }
  if (sym_op_lower_has_string (self, "padding", "SAME"))
    window->auto_pad = "SAME_UPPER";
  return TRUE;
}

static void
lower_conv1d (SymOpLower *self)
{
  static const gint64 axes[] = { 2, 1, 0 };
  SymOpForeignWindow window;

  if (begin_steps (self, &window))
    sym_op_engine_conv (self, &window, axes);
}

static void
lower_depthwise_conv1d (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId weight;

  if (!begin_steps (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  window.groups = sym_op_foreign_size (self, 0, 2);
  weight = sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 3, 1, 2, 0);
  weight =
      sym_op_foreign_reshape (self, weight, (const gint64[]){ -1, 1, window.kernel[0] }, 3, FALSE);
  sym_op_engine_set (self, sym_op_foreign_conv (self, &window, sym_op_engine_real (self, 0), weight,
                                                sym_op_engine_real (self, 2)));
}

static void
lower_pool1d (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (!begin_steps (self, &window))
    return;
  window.counts_pads = sym_op_lower_get_int (self, "count_include_pad", 0) != 0;
  window.up = window.auto_pad == NULL &&
              g_str_equal (sym_op_lower_get_string (self, "round_type", "ceil"), "ceil");
  sym_op_acuity_pool (self, &window);
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "ksize", SYM_ATTRIBUTE_INT, "1", "steps of the window" },
  { "stride", SYM_ATTRIBUTE_INT, "1", "how far it goes" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "zeros before and after" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "SAME: as many as places need" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the steps in a window, of each axis" },
  { "group_number", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "multiplier", SYM_ATTRIBUTE_INT, "1", "results of each channel" },
  { "type", SYM_ATTRIBUTE_STRING, "MAX", "of a pool: MAX, or AVG for means" },
  { "round_type", SYM_ATTRIBUTE_STRING, "ceil", "ceil: a last, partly filled window counts" },
  { "global_pooling", SYM_ATTRIBUTE_BOOL, "False", "whether a window has all steps" },
  { "count_include_pad", SYM_ATTRIBUTE_INT, "0", "whether a mean counts places around" },
  { NULL },
};

#define WINDOW(name_, summary_, category_, slots_, infer_, lower_)                     \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, NULL, summary_, category_, slots_, \
                       window_attributes, infer_, lower_)

const SymOperator sym_op_acuity_sequence[] = {
  WINDOW ("conv1d",
          "Slides filters over steps",
          WEIGHTS,
          sym_op_engine_weighted,
          infer_conv1d,
          lower_conv1d),
  WINDOW ("group_conv1d",
          "Slides filters over steps, of each group of channels",
          WEIGHTS,
          sym_op_engine_weighted,
          infer_conv1d,
          lower_conv1d),
  WINDOW ("depthwise_conv1d",
          "Slides filters over steps of each channel",
          WEIGHTS,
          sym_op_engine_weighted,
          infer_depthwise_conv1d,
          lower_depthwise_conv1d),
  WINDOW ("pool1d",
          "One number of each window of steps",
          POOLING,
          sym_op_foreign_one,
          infer_pool1d,
          lower_pool1d),
  { NULL },
};
