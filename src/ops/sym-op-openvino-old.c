/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* Layers of OpenVINO's IR before version 10, when it had no sets of operations: their weights are
 * their own, and sizes and axes are attributes. */

/* ---- Windows ---- */

/* Numbers of each axis, as "1,2", or in IR 2 as `stride-x` and `stride-y`, the last axis first. */
static void
read_axes (SymOpLower *self,
           const char *list,
           const char *const names[3],
           int n,
           gint64 fallback,
           gint64 *values)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));

  if (sym_attributes_find (attributes, list) != NULL)
    {
      sym_op_foreign_ints (self, list, n, fallback, values);
      return;
    }
  for (int i = 0; i < n; i++)
    values[i] = CLAMP (sym_op_lower_get_int (self, names[n - 1 - i], fallback), 0, G_MAXINT32);
}

static gboolean
read_window (SymOpLower *self, SymOpForeignWindow *window)
{
  static const char *const strides[] = { "stride-x", "stride-y", "stride-z" };
  static const char *const dilations[] = { "dilation-x", "dilation-y", "dilation-z" };
  static const char *const kernels[] = { "kernel-x", "kernel-y", "kernel-z" };
  static const char *const before[] = { "pad-x", "pad-y", "pad-z" };
  static const char *const after[] = { "pad-r", "pad-b", "pad-z" };
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const char *pad = sym_op_lower_get_string (self, "auto_pad", "explicit");

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  read_axes (self, "strides", strides, window->n, 1, window->stride);
  read_axes (self, "dilations", dilations, window->n, 1, window->dilation);
  read_axes (self, "kernel", kernels, window->n, 1, window->kernel);
  read_axes (self, "pads_begin", before, window->n, 0, window->before);
  read_axes (self, "pads_end", sym_attributes_find (attributes, "pad-r") != NULL ? after : before,
             window->n, 0, window->after);
  window->groups = CLAMP (sym_op_lower_get_int (self, "group", 1), 1, G_MAXINT32);
  window->counts_pads = !sym_op_lower_get_bool (self, "exclude-pad", FALSE);
  window->auto_pad = strcmp (pad, "same_upper") == 0   ? "SAME_UPPER"
                     : strcmp (pad, "same_lower") == 0 ? "SAME_LOWER"
                     : strcmp (pad, "valid") == 0      ? "VALID"
                                                       : NULL;
  return !sym_op_lower_has_failed (self);
}

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (read_window (self, &window) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1),
                                                  sym_op_lower_input (self, 2)));
}

static void
lower_conv_transpose (SymOpLower *self)
{
  const gint64 extra[3] = { 0 };
  SymOpForeignWindow window;

  if (read_window (self, &window) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_foreign_conv_transpose (self, &window,
                                                            sym_op_lower_input (self, 0),
                                                            sym_op_lower_input (self, 1),
                                                            sym_op_lower_input (self, 2), extra));
}

/* Pools round up where the file does not say “floor”.  A last window that begins behind all data is
 * none, be it one that is whole within the padding. */
static void
read_rounding (SymOpLower *self, SymOpForeignWindow *window)
{
  const char *name = sym_op_foreign_choose (self, "rounding-type", "rounding_type", NULL);

  if (window->auto_pad != NULL)
    return;
  window->up = strcmp (sym_op_lower_get_string (self, name, "ceil"), "floor") != 0;
  for (int i = 0; i < window->n; i++)
    if (window->after[i] >= window->kernel[i] && window->stride[i] >= 1)
      {
        gint64 end = sym_op_foreign_size (self, 0, i + 2) + window->before[i];
        gint64 room = end + window->after[i] - window->kernel[i];

        if (room - room % window->stride[i] >= end)
          window->after[i] -= room % window->stride[i] + 1;
      }
}

static void
lower_pool (SymOpLower *self)
{
  gboolean is_mean = sym_op_lower_has_string (self, "pool-method", "avg");
  SymOpForeignWindow window;

  if (!read_window (self, &window))
    return;
  read_rounding (self, &window);
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0,
                             sym_op_foreign_pool (self, &window,
                                                  is_mean ? "AveragePool" : "MaxPool",
                                                  sym_op_lower_input (self, 0)));
}

/* ---- Products ---- */

/* weights [out, in]; the axes behind the batch are one. */
static void
lower_dense (SymOpLower *self)
{
  static const gint64 sizes[] = { 0, -1 };
  SymId x = sym_op_lower_input (self, 0), y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_foreign_rank (self, 0) != 2)
    x = sym_op_foreign_reshape (self, x, sizes, 2, TRUE);
  y = sym_op_lower_binary (self, "MatMul", x,
                           sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 2, 1, 0));
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 2));
  sym_op_lower_set_output (self, 0, y);
}

SymId
sym_op_openvino_spread (SymOpLower *self, guint i, int rank)
{
  gint64 sizes[SYM_MAX_RANK];

  for (int k = 0; k < rank; k++)
    sizes[k] = k == (rank > 1 ? 1 : 0) ? -1 : 1;
  return sym_op_foreign_reshape (self, sym_op_lower_input (self, i), sizes, rank, FALSE);
}

static void
lower_scale (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId y = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  y = sym_op_lower_binary (self, "Mul", y, sym_op_openvino_spread (self, 1, rank));
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y, sym_op_openvino_spread (self, 2, rank));
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_prelu (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0),
                             sym_op_openvino_spread (self, 1, sym_op_foreign_rank (self, 0))));
}

/* ---- Elements ---- */

static void
lower_eltwise (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "sum", "Add" }, { "sub", "Sub" }, { "mul", "Mul" }, { "prod", "Mul" },
    { "div", "Div" }, { "max", "Max" }, { "min", "Min" }, { "pow", "Pow" },
  };
  const char *operation = sym_op_lower_get_string (self, "operation", "sum"), *name = NULL;
  SymId y = sym_op_lower_input (self, 0);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i][0], operation) == 0)
      name = kinds[i][1];
  if (name == NULL || sym_op_lower_get_string (self, "coeff", "")[0] != '\0')
    {
      sym_op_lower_refuse (self, "Eltwise: “%s” is not lowered", operation);
      return;
    }
  for (guint i = 1; i < sym_op_lower_get_n_inputs (self); i++)
    y = sym_op_lower_binary (self, name, y, sym_op_lower_input (self, i));
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_activation (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_activate (self, sym_op_lower_get_string (self, "type", NULL),
                               sym_op_lower_get_float (self, "negative_slope", 0),
                               sym_op_lower_input (self, 0)));
}

static void
lower_softmax (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_with (self, "Softmax", sym_op_lower_input (self, 0), "axis",
                           sym_op_foreign_axis (self, "axis", 1, sym_op_foreign_rank (self, 0))));
}

/* ---- Movements ---- */

static void
lower_permute (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "order", axes);

  if (n != sym_op_foreign_rank (self, 0))
    sym_op_lower_refuse (self, "Permute: its order is not told");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, n));
}

/* The axes from `axis` to `end_axis` as one. */
static void
lower_flatten (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n = 0;
  int first = sym_op_foreign_axis (self, "axis", 0, rank);
  int last = sym_op_foreign_axis (self, "end_axis", -1, rank);
  gint64 sizes[SYM_MAX_RANK];

  if (last < first)
    sym_op_lower_fail (self, "Flatten: its last axis is before the first");
  for (int i = 0; i < rank && !sym_op_lower_has_failed (self); i++)
    if (i <= first || i > last)
      sizes[n++] = i == first ? -1 : sym_op_foreign_size (self, 0, i);
  sym_op_lower_set_output (
      self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, FALSE));
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "dim", sizes);

  if (n > 0)
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, TRUE));
  else if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (
            self, "Reshape", sym_op_lower_input (self, 0),
            sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)));
}

static void
lower_concat (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                             sym_op_foreign_axis (self, "axis", 1, sym_op_foreign_rank (self, 0))));
}

/* Equal parts where the file does not store others. */
static void
lower_split (SymOpLower *self)
{
  guint n_outputs = sym_op_lower_get_n_outputs (self);
  g_autofree gint64 *sizes = g_new0 (gint64, n_outputs);
  int n = sym_op_lower_get_ints (self, "sizes", sizes, (int) n_outputs);
  int axis = sym_op_foreign_axis (self, "axis", 1, sym_op_foreign_rank (self, 0));

  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n);
}

/* How many elements Crop takes along @n @axes: `dim`, as many as operand 1 has, or all but those
 * before and behind. */
static gboolean
read_parts (SymOpLower *self, const gint64 *axes, const gint64 *starts, int n, gint64 *sizes)
{
  gint64 ends[SYM_MAX_RANK] = { 0 };
  gboolean has_model = sym_op_lower_has_input (self, 1);

  if (!has_model && sym_op_foreign_list (self, "dim", sizes) == n)
    return TRUE;
  if (!has_model && sym_op_foreign_list (self, "crop_end", ends) != n)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      int axis = 0;

      sym_op_lower_find_axis (self, axes[i], sym_op_foreign_rank (self, 0), &axis);
      if (sym_op_lower_has_failed (self))
        return TRUE;
      sizes[i] = has_model ? sym_op_foreign_size (self, 1, axis)
                           : sym_op_foreign_size (self, 0, axis) - starts[i] -
                                 CLAMP (ends[i], 0, G_MAXINT32);
    }
  return TRUE;
}

/* Of each of `axis` a part, from `offset` or `crop_begin` on. */
static void
lower_crop (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], starts[SYM_MAX_RANK], sizes[SYM_MAX_RANK] = { 0 };
  const char *name = sym_op_foreign_choose (self, "offset", "crop_begin", NULL);
  int n = sym_op_foreign_list (self, "axis", axes);

  if (n < 1 || sym_op_foreign_list (self, name, starts) != n)
    {
      sym_op_lower_refuse (self, "Crop: where its part begins is not told");
      return;
    }
  for (int i = 0; i < n; i++)
    starts[i] = CLAMP (starts[i], 0, G_MAXINT32);
  if (!read_parts (self, axes, starts, n, sizes))
    {
      sym_op_lower_refuse (self, "Crop: the size of its part is not told");
      return;
    }
  for (int i = 0; i < n; i++)
    sizes[i] = starts[i] + CLAMP (sizes[i], 0, G_MAXINT32);
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, sizes, axes, NULL, n));
}

/* ---- Table ---- */

static const SymSlotSpec weighted_slots[] = {
  { "data" },
  { "weights", SYM_SLOT_PARAMETER },
  { "biases", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec window_attributes[] = {
  { "output", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "kernel", SYM_ATTRIBUTE_INTS, "1", "sizes of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "how far it goes along each axis" },
  { "pads_begin", SYM_ATTRIBUTE_INTS, "0", "added before each axis" },
  { "pads_end", SYM_ATTRIBUTE_INTS, "0", "added after each axis" },
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance of the places in a window" },
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "auto_pad", SYM_ATTRIBUTE_STRING, "explicit", "what tells how much is added" },
  { "pool-method", SYM_ATTRIBUTE_STRING, "max", "max or avg" },
  { "exclude-pad", SYM_ATTRIBUTE_BOOL, "False", "whether what is added counts for the mean" },
  { "rounding-type", SYM_ATTRIBUTE_STRING, "ceil", "floor: a last window must be whole" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "out-size", SYM_ATTRIBUTE_INT, "0", "features of the result" },
  { NULL },
};

static const SymAttributeSpec number_attributes[] = {
  { "power", SYM_ATTRIBUTE_FLOAT, "1.0", "exponent" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { "shift", SYM_ATTRIBUTE_FLOAT, "0.0", "what is added" },
  { "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.0", "slope below zero" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor below zero" },
  { "min", SYM_ATTRIBUTE_FLOAT, "0.0", "lower bound" },
  { "max", SYM_ATTRIBUTE_FLOAT, "0.0", "upper bound" },
  { "operation", SYM_ATTRIBUTE_STRING, "sum", "of all operands" },
  { "type", SYM_ATTRIBUTE_STRING, "None", "which function" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_ANY, "1", "along which" },
  { "end_axis", SYM_ATTRIBUTE_INT, "-1", "the last one" },
  { "order", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "offset", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "crop_begin", SYM_ATTRIBUTE_INTS, "None", "the same" },
  { "crop_end", SYM_ATTRIBUTE_INTS, "None", "how many elements are behind the part" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "along which" },
  { "sizes", SYM_ATTRIBUTE_INTS, "None", "of results that are not equal, as the file stores them" },
  { NULL },
};

#define OLD(name_, aliases_, summary_, category_, slots_, attributes_, lower_)               \
  {                                                                                          \
    SYM_OP_FOREIGN ("openvino-old", name_, aliases_, summary_, category_),                   \
        .reference = "OpenVINO IR 7 " name_, .slots = slots_, .attributes = attributes_,     \
        .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_ \
  }
#define MAP(name_, summary_, category_, formula_)                                               \
  {                                                                                             \
    SYM_OP_FOREIGN ("openvino-old", name_, NULL, summary_, category_),                          \
        .reference = "OpenVINO IR 7 " name_, .slots = sym_op_foreign_one,                       \
        .attributes = number_attributes, .infer = sym_op_infer_elementwise, .formula = formula_ \
  }

const SymOperator sym_op_openvino_old[] = {
  OLD ("Convolution", NULL, "Convolution", WEIGHTS, weighted_slots, window_attributes, lower_conv),
  OLD ("Deconvolution",
       NULL,
       "Transposed convolution",
       WEIGHTS,
       weighted_slots,
       window_attributes,
       lower_conv_transpose),
  OLD ("Pooling",
       NULL,
       "One number of each window",
       POOLING,
       sym_op_foreign_one,
       window_attributes,
       lower_pool),
  OLD ("FullyConnected",
       "InnerProduct",
       "Fully connected layer",
       WEIGHTS,
       weighted_slots,
       dense_attributes,
       lower_dense),
  OLD ("ScaleShift",
       NULL,
       "Each channel by numbers of its own",
       NORMALIZATION,
       weighted_slots,
       NULL,
       lower_scale),
  OLD ("PReLU",
       NULL,
       "Rectifier with slopes below zero",
       ACTIVATION,
       weighted_slots,
       NULL,
       lower_prelu),
  OLD ("Eltwise",
       NULL,
       "Arithmetic of tensors",
       ELEMENTWISE,
       sym_op_foreign_many,
       number_attributes,
       lower_eltwise),
  OLD ("Activation",
       NULL,
       "An activation",
       ACTIVATION,
       sym_op_foreign_one,
       number_attributes,
       lower_activation),
  OLD ("SoftMax", NULL, "Softmax", ACTIVATION, sym_op_foreign_one, axis_attributes, lower_softmax),
  OLD ("Permute",
       NULL,
       "Axes in another order",
       SHAPE,
       sym_op_foreign_one,
       axis_attributes,
       lower_permute),
  OLD ("Flatten",
       NULL,
       "Some axes as one",
       SHAPE,
       sym_op_foreign_one,
       axis_attributes,
       lower_flatten),
  OLD ("Reshape", NULL, "Other axes", SHAPE, sym_op_foreign_many, axis_attributes, lower_reshape),
  OLD ("Concat",
       NULL,
       "One after the other along an axis",
       MERGE,
       sym_op_foreign_many,
       axis_attributes,
       lower_concat),
  OLD ("Split",
       "Slice",
       "Parts along an axis",
       SHAPE,
       sym_op_foreign_one,
       split_attributes,
       lower_split),
  OLD ("Crop", NULL, "Part of the data", SHAPE, sym_op_foreign_many, axis_attributes, lower_crop),
  MAP ("TanH", "Hyperbolic tangent", ACTIVATION, "Tanh (a)"),
  MAP ("ELU",
       "Exponential below zero",
       ACTIVATION,
       "Where (Less (a, 0), Mul ($alpha, Sub (Exp (Min (a, 0)), 1)), a)"),
  MAP ("Power", "A power of a sum", ELEMENTWISE, "Pow (Add (Mul (a, $scale), $shift), $power)"),
  MAP ("ReLU", "Rectifier", ACTIVATION, "Add (Max (a, 0), Mul ($negative_slope, Min (a, 0)))"),
  { NULL },
};
