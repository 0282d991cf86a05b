/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* The experimental operators of ONNX 1.0 to 1.4, which Windows ML's and Core ML's converters wrote
 * into files, and ONNX Runtime still runs.  ONNX took them back, so they are lowered onto others.
 */

static const SymSlotSpec x_slots[] = { { "input" }, { NULL } };
static const SymSlotSpec slice_slots[] = { { "data" },
                                           { "starts" },
                                           { "ends" },
                                           { "axes", .optional = TRUE },
                                           { NULL } };

static const SymAttributeSpec affine_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.0", "added" },
  { NULL },
};
static const SymAttributeSpec curve_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the result" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of x" },
  { NULL },
};
static const SymAttributeSpec scale_attributes[] = {
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { NULL },
};
static const SymAttributeSpec image_attributes[] = {
  { "bias", SYM_ATTRIBUTE_FLOATS, "None", "added to each channel" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { NULL },
};
static const SymAttributeSpec crop_attributes[] = {
  { "border", SYM_ATTRIBUTE_INTS, "None", "left, top, right and bottom, cut off" },
  { "scale", SYM_ATTRIBUTE_INTS, "None", "height and width that are left" },
  { NULL },
};
static const SymAttributeSpec threshold_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "what is not above it becomes 0" },
  { NULL },
};

/* ---- Images: [batch, channels, height, width] ---- */

static gboolean
check_image (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  if (rank == 4)
    return TRUE;
  sym_op_lower_fail (self, "%s: the input should have 4 axes, and has %d",
                     sym_op_lower_get_type (self), rank);
  return FALSE;
}

/* One number for each channel, as [channels, 1, 1]. */
static SymId
make_biases (SymOpLower *self, const SymValue *list)
{
  guint n = sym_value_get_n_children (list);
  g_autofree float *numbers = g_new0 (float, n);
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (n, 1, 1), numbers };

  for (guint i = 0; i < n; i++)
    {
      double number;

      if (sym_value_get_float (sym_value_get_child (list, i), &number))
        numbers[i] = (float) number;
    }
  return sym_op_lower_cast_from (self, sym_op_lower_array (self, &array), SYM_DTYPE_FLOAT32,
                                 sym_op_lower_get_input_dtype (self, 0));
}

static void
lower_image_scaler (SymOpLower *self)
{
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), "bias");
  SymDim channels;
  guint n = list == NULL ? 0 : sym_value_get_n_children (list);
  SymId x;

  if (!check_image (self))
    return;
  channels = sym_op_lower_get_input_shape (self, 0)->dims[1];
  if (n > 0 && channels >= 0 && channels != (SymDim) n)
    {
      sym_op_lower_fail (self, "%s: %u biases for %" G_GINT64_FORMAT " channels",
                         sym_op_lower_get_type (self), n, channels);
      return;
    }
  x = sym_op_lower_formula (self, "Mul (a, $scale)");
  sym_op_lower_set_output (
      self, 0, n == 0 ? x : sym_op_lower_binary (self, "Add", x, make_biases (self, list)));
}

/* Either to a size, from the upper left border on, or by all four borders. */
static void
lower_crop (SymOpLower *self)
{
  static const gint64 axes[] = { 2, 3 };
  gint64 border[4], scale[2], stops[2];
  int n_border = sym_op_lower_get_ints (self, "border", border, 4);
  gboolean sized = sym_op_lower_get_ints (self, "scale", scale, 2) == 2;

  if (!check_image (self))
    return;
  if (n_border != 4)
    {
      sym_op_lower_fail (self, "%s: “border” should have 4 numbers", sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < 2; i++)
    if (sized)
      stops[i] = border[1 - i] + scale[i];
    else
      stops[i] = border[3 - i] == 0 ? G_MAXINT64 : -border[3 - i];
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_slice (self, sym_op_lower_input (self, 0),
                                                 (const gint64[]){ border[1], border[0] }, stops,
                                                 axes, NULL, 2));
}

/* ---- Others ---- */

static void
lower_slice (SymOpLower *self)
{
  SymId operands[4];
  guint n = sym_op_lower_has_input (self, 3) ? 4 : 3;

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Slice", (SymIds){ operands, n }, NULL));
}

#define EARLY(name_, summary_, category_, attributes_, slots_)                      \
  .domain = "", .name = name_, .since_version = 1, .reference = "ONNX " name_ "-1", \
  .summary = summary_, .category = category_, .attributes = attributes_, .slots = slots_
#define POINTWISE(name_, summary_, category_, attributes_, formula_)                             \
  {                                                                                              \
    EARLY (name_, summary_, category_, attributes_, x_slots), .infer = sym_op_infer_elementwise, \
                                                              .formula = formula_                \
  }

const SymOperator sym_op_onnx_early[] = {
  POINTWISE ("Affine",
             "alpha x + beta",
             SYM_CATEGORY_ELEMENTWISE,
             affine_attributes,
             "Add (Mul (a, $alpha), $beta)"),
  { EARLY ("Crop", "without the borders of an image", SYM_CATEGORY_SHAPE, crop_attributes, x_slots),
    .infer = sym_op_infer_lowered, .lower = lower_crop },
  { EARLY ("DynamicSlice", "parts of axes", SYM_CATEGORY_SHAPE, NULL, slice_slots),
    .infer = sym_op_infer_lowered, .lower = lower_slice },
  { EARLY ("ImageScaler",
           "the pixels times a number, plus one for each channel",
           SYM_CATEGORY_ELEMENTWISE,
           image_attributes,
           x_slots),
    .infer = sym_op_infer_elementwise, .lower = lower_image_scaler },
  POINTWISE ("ParametricSoftplus",
             "alpha log (1 + exp (beta x))",
             SYM_CATEGORY_ACTIVATION,
             curve_attributes,
             "Mul ($alpha, Softplus (Mul (a, $beta)))"),
  POINTWISE ("Scale", "scale x", SYM_CATEGORY_ELEMENTWISE, scale_attributes, "Mul (a, $scale)"),
  POINTWISE ("ScaledTanh",
             "alpha tanh (beta x)",
             SYM_CATEGORY_ACTIVATION,
             curve_attributes,
             "Mul ($alpha, Tanh (Mul (a, $beta)))"),
  POINTWISE ("ThresholdedRelu",
             "x, or 0 where it is not above alpha",
             SYM_CATEGORY_ACTIVATION,
             threshold_attributes,
             "Where (Greater (a, $alpha), a, 0)"),
  { NULL },
};
