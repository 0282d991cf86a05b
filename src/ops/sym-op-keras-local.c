/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"
#include "ops/sym-op-keras.h"

#include <string.h>

/* ---- Windows with weights of their own at each place ---- */

#define MAX_WINDOW 4096

enum { KERNEL = 1, BIAS };

typedef struct {
  SymOpKerasWindow window;
  gint64 filters;
} Local;

static gboolean
read_local (const SymAttributes *attributes, const char *type, Local *self, GError **error)
{
  SymOpKerasWindow *window = &self->window;
  gint64 elements = 1;

  window->n = strstr (type, "1D") != NULL ? 1 : 2;
  window->channels_first = sym_op_keras_is_channels_first (attributes);
  window->padding = sym_op_keras_get_string (attributes, "padding", "valid");
  self->filters = sym_op_keras_get_int (attributes, "filters", 0);
  if (!sym_op_keras_get_ints (attributes, "kernel_size", window->n, 0, window->kernel, error) ||
      !sym_op_keras_get_ints (attributes, "strides", window->n, 1, window->stride, error))
    return FALSE;
  for (int i = 0; i < window->n; i++)
    {
      window->dilation[i] = 1;
      if (window->kernel[i] < 1 || window->stride[i] < 1 || window->kernel[i] > MAX_WINDOW)
        return sym_rule_fail (error, "kernel_size and strides must be at least 1, and small");
      elements *= window->kernel[i];
    }
  if (strcmp (window->padding, "valid") != 0 || elements > MAX_WINDOW)
    return sym_rule_fail (error, "padding must be “valid”, and the window small");
  return (self->filters > 0 && self->filters <= G_MAXINT32) ||
         sym_rule_fail (error, "filters must be at least 1");
}

/* kernel [places, window * channels, filters], bias [places..., filters]. */
static gboolean
infer_local (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape shape = sym_rule_get_input (rule, 0), bias = { 0 };
  SymDim places = 1, inner;
  gboolean known;
  Local self;

  if (!read_local (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.window.n + 2, &known, error))
    return FALSE;
  if (!known)
    return TRUE;
  inner = shape.dims[sym_op_keras_window_channels (&self.window)];
  for (int i = 0; i < self.window.n; i++)
    {
      SymDim *dim = &shape.dims[sym_op_keras_window_axis (&self.window, i)];

      if (!sym_op_keras_slide (rule, &self.window, i, *dim, dim, error))
        return FALSE;
      places = sym_terms_multiply (terms, places, *dim);
      inner = sym_terms_multiply (terms, inner, self.window.kernel[i]);
      bias.dims[bias.rank++] = *dim;
    }
  bias.dims[bias.rank++] = self.filters;
  shape.dims[sym_op_keras_window_channels (&self.window)] = self.filters;
  return sym_op_set_input (rule, KERNEL, SYM_SHAPE (places, inner, self.filters), error) &&
         sym_op_set_input (rule, BIAS, bias, error) && sym_op_keras_set (rule, shape, error);
}

/* All windows, [batch, places..., window, channels]: one slice for each element of a window. */
static SymId
cut_windows (SymOpLower *self, const Local *local, SymId x, const SymShape *places)
{
  const SymOpKerasWindow *window = &local->window;
  gint64 columns = window->n == 2 ? window->kernel[1] : 1, n = window->kernel[0] * columns;
  g_autofree SymId *parts = g_new (SymId, n);

  for (gint64 k = 0; k < n; k++)
    {
      gint64 at[2] = { k / columns, k % columns };

      parts[k] = x;
      for (int i = 0; i < window->n; i++)
        parts[k] = sym_op_lower_slice (self, parts[k], i + 1, at[i],
                                       at[i] + (places->dims[i] - 1) * window->stride[i] + 1,
                                       window->stride[i]);
    }
  return n == 1 ? parts[0]
                : sym_op_lower_call (self, "Concat", (SymIds){ parts, (guint) n }, "axis",
                                     sym_value_new_int (window->n + 1), NULL);
}

static void
lower_local (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0), places = { 0 }, result;
  SymId x = sym_op_keras_input (self, 0), y;
  g_autoptr (GError) error = NULL;
  gint64 n = 1, inner;
  Local local;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, KERNEL))
    return;
  if (!read_local (sym_op_keras_attributes (self), sym_op_lower_get_type (self), &local, &error) ||
      shape.rank != local.window.n + 2 || !sym_shape_is_known (&shape))
    {
      sym_op_lower_fail (self, "%s",
                         error == NULL ? "the shape of the data does not fit" : error->message);
      return;
    }
  inner = shape.dims[sym_op_keras_window_channels (&local.window)];
  result = (SymShape){ .rank = 1, .dims = { shape.dims[0] } };
  for (int i = 0; i < local.window.n; i++)
    {
      gint64 left =
          shape.dims[sym_op_keras_window_axis (&local.window, i)] - local.window.kernel[i];

      if (left < 0)
        {
          sym_op_lower_fail (self, "the window is larger than the data");
          return;
        }
      places.dims[places.rank] = left / local.window.stride[i] + 1;
      n *= places.dims[places.rank];
      inner *= local.window.kernel[i];
      result.dims[result.rank++] = places.dims[places.rank++];
    }
  result.dims[result.rank++] = local.filters;
  if (local.window.channels_first && local.window.n == 2)
    {
      sym_op_lower_refuse (self, "LocallyConnected2D: channels_first is not lowered");
      return;
    }
  y = sym_op_lower_reshape (self, cut_windows (self, &local, x, &places),
                            &SYM_SHAPE (shape.dims[0], n, inner));
  y = sym_op_lower_call (self, "Einsum", SYM_IDS (y, sym_op_keras_input (self, KERNEL)), "equation",
                         sym_value_new_string ("bpk,pkf->bpf"), NULL);
  y = sym_op_lower_reshape (self, y, &result);
  if (sym_op_lower_has_input (self, BIAS))
    y = sym_op_lower_binary (self, "Add", y, sym_op_keras_input (self, BIAS));
  sym_op_lower_set_output (self, 0, sym_op_keras_activate (self, "activation", y));
}

/* ---- As many results as are asked for ---- */

static gboolean
infer_adaptive (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const char *type = sym_rule_get_type (rule);
  int n = strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 sizes[3];
  gboolean known;

  if (!sym_op_keras_get_ints (attributes, "output_size", n, 0, sizes, error) ||
      !sym_op_keras_check_rank (rule, n + 2, &known, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (sizes[i] < 1)
      return sym_rule_fail (error, "output_size must be at least 1");
    else if (known)
      shape.dims[i + (sym_op_keras_is_channels_first (attributes) ? 2 : 1)] = sizes[i];
  return sym_op_keras_set_like (rule, shape, error);
}

static void
lower_adaptive (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 sizes[3];

  if (!sym_op_foreign_begin (self, 0, &window))
    return;
  window.channels_last = !sym_op_keras_is_channels_first (sym_op_keras_attributes (self));
  sym_op_foreign_ints (self, "output_size", window.n, 1, sizes);
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_pool_to (self, &window, strstr (sym_op_lower_get_type (self), "Max") != NULL,
                              sizes, sym_op_lower_input (self, 0)));
}

/* ---- Keras 1 ---- */

enum { W = 1, W_CARRY, B, B_CARRY };

static gboolean
infer_highway (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim d = shape.rank == 2 ? shape.dims[1] : SYM_DIM_UNKNOWN;
  gboolean known;

  return sym_op_keras_check_rank (rule, 2, &known, error) &&
         sym_op_set_input (rule, W, SYM_SHAPE (d, d), error) &&
         sym_op_set_input (rule, W_CARRY, SYM_SHAPE (d, d), error) &&
         sym_op_set_input (rule, B, SYM_SHAPE (d), error) &&
         sym_op_set_input (rule, B_CARRY, SYM_SHAPE (d), error) &&
         sym_op_keras_set (rule, shape, error);
}

static SymId
project (SymOpLower *self, SymId x, guint kernel, guint bias)
{
  x = sym_op_lower_binary (self, "MatMul", x, sym_op_keras_input (self, kernel));
  return sym_op_keras_add_bias (self, x, sym_op_keras_input (self, bias), 0, FALSE);
}

/* As much of the data is passed on as the carry gate leaves. */
static void
lower_highway (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));
  SymId x = sym_op_keras_input (self, 0);
  SymId gate = sym_op_lower_unary (self, "Sigmoid", project (self, x, W_CARRY, B_CARRY));
  SymId y = sym_op_keras_activate (self, "activation", project (self, x, W, B));
  SymId rest = sym_op_lower_binary (self, "Sub", sym_op_lower_number (self, dtype, 1), gate);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Add",
                                                sym_op_lower_binary (self, "Mul", y, gate),
                                                sym_op_lower_binary (self, "Mul", x, rest)));
}

static gboolean
infer_maxout (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  gint64 units = sym_op_keras_get_int (attributes, "units", 0);
  gint64 n = sym_op_keras_get_int (attributes, "nb_feature", 4);
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim d = shape.rank == 2 ? shape.dims[1] : SYM_DIM_UNKNOWN;
  gboolean known;

  if (units < 1 || n < 1 || MAX (units, n) > G_MAXINT32)
    return sym_rule_fail (error, "output_dim and nb_feature must be at least 1");
  if (!sym_op_keras_check_rank (rule, 2, &known, error) ||
      !sym_op_set_input (rule, KERNEL, SYM_SHAPE (n, d, units), error) ||
      !sym_op_set_input (rule, BIAS, SYM_SHAPE (n, units), error))
    return FALSE;
  if (known)
    shape.dims[1] = units;
  return sym_op_keras_set (rule, shape, error);
}

/* The greatest of several products. */
static void
lower_maxout (SymOpLower *self)
{
  SymId y = sym_op_lower_call (
      self, "Einsum", SYM_IDS (sym_op_keras_input (self, 0), sym_op_keras_input (self, KERNEL)),
      "equation", sym_value_new_string ("bd,kdu->bku"), NULL);
  gint64 axis = 1;

  y = sym_op_keras_add_bias (self, y, sym_op_keras_input (self, BIAS), 0, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_lower_reduce (self, "ReduceMax", y, &axis, 1, FALSE));
}

/* ---- Tables ---- */

static const SymSlotSpec local_slots[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec highway_slots[] = {
  { "input" },
  { "W", SYM_SLOT_PARAMETER },
  { "W_carry", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { "b_carry", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec local_attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, NULL, "channels of the result" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "steps of the window over the data" },
  { "activation", SYM_ATTRIBUTE_ANY, "None", "function of the result" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

static const SymAttributeSpec adaptive_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_INTS, NULL, "how many results there are" },
  { "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are" },
  { NULL },
};

static const SymAttributeSpec highway_attributes[] = {
  { "activation", SYM_ATTRIBUTE_ANY, "None", "function of the product" },
  { NULL },
};

static const SymAttributeSpec maxout_attributes[] = {
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "features of the result" },
  { "nb_feature", SYM_ATTRIBUTE_INT, "4", "how many products there are" },
  { NULL },
};

#define LAYER(name_, summary_, category_, slots_, attributes_, infer_, lower_)            \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_##category_, .attributes = attributes_,        \
                  .slots = slots_, .infer = infer_, .lower = lower_,                      \
  }
#define ADAPTIVE(name_, summary_)                                                         \
  LAYER (name_, summary_, POOLING, sym_op_keras_one, adaptive_attributes, infer_adaptive, \
         lower_adaptive)
#define LOCAL(name_, summary_) \
  LAYER (name_, summary_, WEIGHTS, local_slots, local_attributes, infer_local, lower_local)

const SymOperator sym_op_keras_local[] = {
  ADAPTIVE ("AdaptiveAveragePooling1D", "As many means as are asked for"),
  ADAPTIVE ("AdaptiveAveragePooling2D", "As many means as are asked for"),
  ADAPTIVE ("AdaptiveAveragePooling3D", "As many means as are asked for"),
  ADAPTIVE ("AdaptiveMaxPooling1D", "As many maxima as are asked for"),
  ADAPTIVE ("AdaptiveMaxPooling2D", "As many maxima as are asked for"),
  ADAPTIVE ("AdaptiveMaxPooling3D", "As many maxima as are asked for"),
  LAYER ("Highway",
         "A gate between a product and the data",
         WEIGHTS,
         highway_slots,
         highway_attributes,
         infer_highway,
         lower_highway),
  LOCAL ("LocallyConnected1D", "A convolution with weights of its own at each step"),
  LOCAL ("LocallyConnected2D", "A convolution with weights of its own at each pixel"),
  LAYER ("MaxoutDense",
         "The greatest of several products",
         WEIGHTS,
         local_slots,
         maxout_attributes,
         infer_maxout,
         lower_maxout),
  { NULL },
};
