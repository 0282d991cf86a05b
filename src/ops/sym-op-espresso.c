/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Layers of Core ML's Espresso (format versions 100 to 200) that have weights or windows.  Axes are
 * seq, n, k, h, w, of which a tensor has the last ones.  What is told here of fields and numbers is
 * what real files and their shapes show. */

enum {
  PADS_ARE_TOLD,
  PADS_ARE_SAME,
  PADS_ARE_NONE,
};

static gint64
get_int (SymOpLower *self, const char *name, gint64 fallback)
{
  return sym_op_lower_get_int (self, name, fallback);
}

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  gint64 mode = get_int (self, "pad_mode", PADS_ARE_TOLD);
  gint64 before[3], after[3];

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  if (window->n != 2)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  if (mode < PADS_ARE_TOLD || mode > PADS_ARE_NONE)
    sym_op_lower_refuse (self, "%s: its pad_mode is not known", sym_op_lower_get_type (self));
  window->groups = get_int (self, "n_groups", 1);
  sym_op_engine_pair (self, "stride_y", "stride_x", 1, window->stride);
  sym_op_engine_pair (self, "dilation_y", "dilation_x", 1, window->dilation);
  sym_op_engine_pair (self, "pad_t", "pad_l", 0, before);
  sym_op_engine_pair (self, "pad_b", "pad_r", 0, after);
  if (mode == PADS_ARE_SAME)
    window->auto_pad = "SAME_UPPER";
  for (int i = 0; i < 2 && mode == PADS_ARE_TOLD; i++)
    {
      window->before[i] = before[i];
      window->after[i] = after[i];
    }
  return !sym_op_lower_has_failed (self);
}

/* What is done to the result at once. */
static void
set_fused (SymOpLower *self, const char *relu, const char *tanh, SymId x)
{
  if (sym_op_lower_get_bool (self, relu, FALSE))
    x = sym_op_lower_unary (self, "Relu", x);
  if (sym_op_lower_get_bool (self, tanh, FALSE))
    x = sym_op_lower_unary (self, "Tanh", x);
  sym_op_engine_set (self, x);
}

static gboolean
has_weights (SymOpLower *self)
{
  if (!sym_op_lower_has_input (self, 1) || get_int (self, "n_parallel", 1) != 1)
    sym_op_lower_refuse (self, "%s: its weights are not told", sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

/* They may be stored as float16. */
static SymId
get_weight (SymOpLower *self)
{
  return sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_FLOAT32);
}

/* weight [C, K / n_groups, Ny, Nx] */
static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (!has_weights (self) || !begin (self, &window))
    return;
  set_fused (self, "fused_relu", "fused_tanh",
             sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0), get_weight (self),
                                  sym_op_lower_input (self, 2)));
}

/* Pads and what is added at the end, so that as much comes out as is told, or as steps make. */
static void
fit (SymOpLower *self, SymOpForeignWindow *window, gint64 extra[3])
{
  gboolean is_same = window->auto_pad != NULL;
  gint64 kernel[3], told[3];

  sym_op_engine_pair (self, "Ny", "Nx", 1, kernel);
  sym_op_engine_pair (self, "deconv_out_height", "deconv_out_width", 0, told);
  window->auto_pad = NULL;
  for (int i = 0; i < 2; i++)
    {
      gint64 size, whole;

      extra[i] = 0;
      if (!is_same && told[i] <= 0)
        continue;
      size = sym_op_foreign_size (self, 0, 2 + i);
      whole = (size - 1) * window->stride[i] + window->dilation[i] * (kernel[i] - 1) + 1;
      if (told[i] <= 0)
        told[i] = size * window->stride[i];
      if (is_same && whole > told[i])
        {
          window->before[i] = (whole - told[i]) / 2;
          window->after[i] = whole - told[i] - window->before[i];
        }
      extra[i] = told[i] - (whole - window->before[i] - window->after[i]);
    }
}

/* weight [K, C / n_groups, Ny, Nx] */
static void
lower_deconv (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3];

  if (!has_weights (self) || !begin (self, &window))
    return;
  fit (self, &window, extra);
  if (!sym_op_lower_has_failed (self))
    set_fused (self, "fused_relu", "fused_tanh",
               sym_op_foreign_conv_transpose (self, &window, sym_op_lower_input (self, 0),
                                              get_weight (self), sym_op_lower_input (self, 2),
                                              extra));
}

static void
lower_pool (SymOpLower *self)
{
  gint64 kind = get_int (self, "avg_or_max", 0);
  SymOpForeignWindow window;

  if (!begin (self, &window))
    return;
  if (kind < 0 || kind > 1)
    {
      if (!sym_op_lower_is_rule (self))
        sym_op_lower_refuse (self, "pool of kind %" G_GINT64_FORMAT " is not lowered", kind);
      kind = 0;
    }
  if (sym_op_lower_get_bool (self, "is_global", FALSE))
    {
      sym_op_engine_set (self, sym_op_foreign_pool_all (self, &window,
                                                        kind == 1 ? "ReduceMax" : "ReduceMean",
                                                        sym_op_lower_input (self, 0)));
      return;
    }
  sym_op_engine_pair (self, "size_y", "size_x", 1, window.kernel);
  window.up = get_int (self, "top_shape_style", 0) == 2;
  window.counts_pads = !sym_op_lower_get_bool (self, "average_count_exclude_padding", FALSE);
  sym_op_engine_pool (self, &window, kind == 1);
}

/* Of an image all axes but the batch are features, if there are as many; else the last axis is. */
static void
lower_dense (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 n_in = get_int (self, "nB", 0), n_out = get_int (self, "nC", 0);
  gint64 flat[] = { -1, n_in }, image[] = { -1, n_out, 1, 1 };
  SymId x = sym_op_lower_input (self, 0);
  gboolean is_image = FALSE, is_last;

  if (!has_weights (self) || !sym_op_lower_need_tensor (self, 0))
    return;
  is_last = shape->rank > 0 && shape->rank < 5 && shape->dims[shape->rank - 1] == n_in;
  if (shape->rank == 4)
    {
      gint64 n = sym_op_foreign_multiply (self, sym_op_foreign_size (self, 0, 1),
                                          sym_op_foreign_size (self, 0, 2));

      is_image = sym_op_foreign_multiply (self, n, sym_op_foreign_size (self, 0, 3)) == n_in;
    }
  if (is_image == is_last)
    sym_op_lower_refuse (self, "inner_product: which axes are its features is not told");
  if (!sym_op_lower_is_rule (self) && sym_op_lower_get_bool (self, "has_prelu", FALSE))
    sym_op_lower_refuse (self, "inner_product: its slopes are not lowered");
  if (is_image)
    x = sym_op_foreign_reshape (self, x, flat, 2, FALSE);
  x = sym_op_lower_binary (self, "MatMul", x,
                           sym_op_lower_transpose (self, get_weight (self), 2, 1, 0));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
  if (is_image)
    x = sym_op_foreign_reshape (self, x, image, 4, FALSE);
  set_fused (self, "has_relu", "has_tanh", x);
}

static void
lower_matmul (SymOpLower *self)
{
  if (sym_op_lower_get_n_inputs (self) != 2 || sym_op_lower_get_bool (self, "channel_mode", FALSE))
    sym_op_lower_refuse (self, "batch_matmul: its matrices are not told");
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_matmul (self, "transpose_x", "transpose_y");
}

static void
lower_softmax (SymOpLower *self)
{
  sym_op_engine_set (self,
                     sym_op_foreign_with (
                         self, "Softmax", sym_op_lower_input (self, 0), "axis",
                         sym_op_foreign_axis (self, "nd_axis", -1, sym_op_foreign_rank (self, 0))));
}

/* The numbers of the channels in column @column of [C, 4]. */
static SymId
get_column (SymOpLower *self, gint64 column)
{
  gint64 end = column + 1, axis = 1;

  return sym_op_foreign_squeeze (
      self,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 1), &column, &end, &axis, NULL, 1),
      &axis, 1);
}

/* params [C, 4] are factor, summand, mean and variance.  Of each image by itself mean and variance
 * are its own; what is added to a variance of the file is not told. */
static void
lower_norm (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_is_rule (self))
    {
      if (!sym_op_lower_get_bool (self, "training_instancenorm", FALSE) ||
          !sym_op_lower_has_input (self, 1))
        sym_op_lower_refuse (self,
                             "batchnorm: only what makes images alike by themselves is lowered");
      x = sym_op_lower_call (
          self, "InstanceNormalization", SYM_IDS (x, get_column (self, 0), get_column (self, 1)),
          "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "training_eps", 1e-5)),
          NULL);
    }
  sym_op_lower_set_output (self, 0, x);
}

/* What is not lowered, and has the shape of the data. */
static void
lower_shape (SymOpLower *self)
{
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s is not lowered", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
}

/* Sequences [seq, n, k, 1, 1]: what comes out of each step, or of the last one, and the states of
 * each direction. */
static gboolean
infer_recurrent (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 units = sym_rule_get_int (rule, "hidden_size", 0);
  gboolean is_both = sym_rule_get_bool (rule, "encoder_bidirectional_mode", FALSE);
  gboolean is_whole = sym_rule_get_bool (rule, "encoder_output_sequence", FALSE);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank != 5 || units < 1 || units > G_MAXINT32 / 2)
    return data.rank < 0 || sym_rule_fail (error, "sequences have 5 axes, not %d", data.rank);
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      SymShape out = SYM_SHAPE (i == 0 && is_whole ? data.dims[0] : 1, data.dims[1],
                                i == 0 && is_both ? 2 * units : units, 1, 1);

      if (!sym_op_pass_dtype (rule, 0, i, error) || !sym_rule_set_output (rule, i, &out, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "C", SYM_ATTRIBUTE_INT, "None", "channels of the result" },
  { "K", SYM_ATTRIBUTE_INT, "None", "channels of the data" },
  { "Nx", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "Ny", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "size_x", SYM_ATTRIBUTE_INT, "1", "the same, of pooling" },
  { "size_y", SYM_ATTRIBUTE_INT, "1", "the same, of pooling" },
  { "stride_x", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "stride_y", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "dilation_x", SYM_ATTRIBUTE_INT, "1", "distance of the columns in a window" },
  { "dilation_y", SYM_ATTRIBUTE_INT, "1", "distance of the rows in a window" },
  { "pad_mode", SYM_ATTRIBUTE_INT, "0", "0: as told, 1: as places need, 2: none" },
  { "pad_t", SYM_ATTRIBUTE_INT, "0", "zeros above" },
  { "pad_b", SYM_ATTRIBUTE_INT, "0", "zeros below" },
  { "pad_l", SYM_ATTRIBUTE_INT, "0", "zeros to the left" },
  { "pad_r", SYM_ATTRIBUTE_INT, "0", "zeros to the right" },
  { "n_groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "avg_or_max", SYM_ATTRIBUTE_INT, "0", "0 mean, 1 greatest" },
  { "top_shape_style", SYM_ATTRIBUTE_INT, "0", "2: a last, partly filled place counts" },
  { "is_global", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole image" },
  { "fused_relu", SYM_ATTRIBUTE_BOOL, "False", "whether what comes out is rectified" },
  { "fused_tanh", SYM_ATTRIBUTE_BOOL, "False", "whether it goes through a hyperbolic tangent" },
  { NULL },
};

static const SymAttributeSpec other_attributes[] = {
  { "nB", SYM_ATTRIBUTE_INT, "None", "features of the data" },
  { "nC", SYM_ATTRIBUTE_INT, "None", "features of the result" },
  { "has_relu", SYM_ATTRIBUTE_BOOL, "False", "whether what comes out is rectified" },
  { "has_tanh", SYM_ATTRIBUTE_BOOL, "False", "whether it goes through a hyperbolic tangent" },
  { "nd_axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "transpose_x", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_y", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { "hidden_size", SYM_ATTRIBUTE_INT, "None", "units" },
  { "encoder_bidirectional_mode", SYM_ATTRIBUTE_BOOL, "False", "whether in both directions" },
  { "encoder_output_sequence", SYM_ATTRIBUTE_BOOL, "False", "whether all steps come out" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "training_instancenorm", SYM_ATTRIBUTE_BOOL, "False", "whether of each image by itself" },
  { "training_eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymSlotSpec normed[] = {
  { "input" },
  { "params", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

#define ESPRESSO(name_, aliases_, summary_, category_, slots_, attributes_, lower_)        \
  SYM_OP_ENGINE ("espresso", "Espresso 200", name_, aliases_, summary_, category_, slots_, \
                 attributes_, lower_)

const SymOperator sym_op_espresso[] = {
  ESPRESSO ("convolution",
            NULL,
            "Slides filters over images",
            WEIGHTS,
            sym_op_engine_weighted,
            window_attributes,
            lower_conv),
  ESPRESSO ("deconvolution",
            NULL,
            "Spreads each element over a window",
            WEIGHTS,
            sym_op_engine_weighted,
            window_attributes,
            lower_deconv),
  ESPRESSO ("pool",
            NULL,
            "One number of each window",
            POOLING,
            sym_op_foreign_one,
            window_attributes,
            lower_pool),
  ESPRESSO ("inner_product",
            NULL,
            "Fully connected layer",
            WEIGHTS,
            sym_op_engine_weighted,
            other_attributes,
            lower_dense),
  ESPRESSO ("batch_matmul",
            NULL,
            "Product of matrices",
            WEIGHTS,
            sym_op_foreign_two,
            other_attributes,
            lower_matmul),
  ESPRESSO ("softmax_nd",
            NULL,
            "Numbers along an axis that sum to 1",
            ACTIVATION,
            sym_op_foreign_one,
            other_attributes,
            lower_softmax),
  ESPRESSO ("batchnorm",
            NULL,
            "Channels with a mean of 0 and a variance of 1, times factors, plus summands",
            NORMALIZATION,
            normed,
            norm_attributes,
            lower_norm),
  ESPRESSO ("softmax",
            "lrn l2_normalize instancenorm_1d argsort cumsum",
            "Numbers of the shape of the data",
            NORMALIZATION,
            sym_op_foreign_one,
            NULL,
            lower_shape),
  { SYM_OP_FOREIGN ("espresso", "rnn_arch", NULL, "Long short-term memory", WEIGHTS),
    .reference = "Espresso 200 rnn_arch", .slots = sym_op_foreign_many,
    .attributes = other_attributes, .get_n_operands = sym_op_foreign_any,
    .get_n_outputs = sym_op_foreign_first, .infer = infer_recurrent },
  { NULL },
};
