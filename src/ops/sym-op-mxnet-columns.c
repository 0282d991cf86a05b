/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* Windows as columns, and back: [N, C, spatial...] and [N, C * window, places]. */

#define WINDOW_SPECS                                                                              \
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },                                   \
      { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },  \
      { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" }, \
  {                                                                                               \
    "pad", SYM_ATTRIBUTE_INTS, "()", "zeros put around the data; 0 when empty"                    \
  }

static const SymAttributeSpec im2col_attributes[] = { WINDOW_SPECS, { NULL } };

static const SymAttributeSpec col2im_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_INTS, NULL, "spatial sizes of the result" },
  WINDOW_SPECS,
  { NULL },
};

/* The number of elements in a window, and of places where it lies on @spatial. */
static gboolean
count_places (SymRule *rule,
              const SymOpMxnetWindows *windows,
              const SymDim *spatial,
              SymDim *window,
              SymDim *places,
              GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);

  *window = *places = 1;
  for (int i = 0; i < windows->n; i++)
    {
      SymDim along;

      if (!sym_op_slide (rule, spatial[i], &windows->windows[i], &along, error))
        return FALSE;
      *window = sym_terms_multiply (terms, *window, windows->windows[i].kernel);
      *places = sym_terms_multiply (terms, *places, along);
    }
  return TRUE;
}

static gboolean
infer_im2col (SymRule *rule, GError **error)
{
  SymOpMxnetWindows windows;
  SymDim window, places;
  SymShape data;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (windows.n + 2), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return count_places (rule, &windows, data.dims + 2, &window, &places, error) &&
         sym_op_set_output (
             rule, 0,
             SYM_SHAPE (data.dims[0],
                        sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1], window),
                        places),
             SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_col2im (SymRule *rule, GError **error)
{
  SymShape three = sym_shape_new_unknown (3), data, out;
  SymDim window, places, channels = SYM_DIM_UNKNOWN;
  gint64 sizes[SYM_MAX_RANK];
  SymOpMxnetWindows windows;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_rule_set_input (rule, 0, &three, error))
    return FALSE;
  if (sym_rule_get_ints (rule, "output_size", sizes, SYM_MAX_RANK) != windows.n)
    return sym_rule_fail (error, "output_size should have %d sizes, as kernel has", windows.n);
  if (!count_places (rule, &windows, sizes, &window, &places, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (!sym_rule_unify (rule, data.dims[2], places, "number of columns", error))
    return FALSE;
  if (!sym_terms_divide_exactly (sym_rule_get_terms (rule), data.dims[1], window, &channels) &&
      data.dims[1] >= 0)
    return sym_rule_fail (error, "%" G_GINT64_FORMAT " rows are no windows of %" G_GINT64_FORMAT,
                          data.dims[1], window);
  out = SYM_SHAPE (data.dims[0], channels);
  for (int i = 0; i < windows.n; i++)
    out.dims[out.rank++] = sizes[i];
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Lowering ---- */

static gboolean
read_windows (SymOpLower *self, SymOpMxnetLowerWindows *windows, gint64 pads[6])
{
  int n = sym_op_lower_get_ints (self, "kernel", windows->kernel, 3);

  windows->n = n;
  if (n < 1 || n > 3 || !sym_op_mxnet_lower_ints (self, "stride", n, 1, windows->stride) ||
      !sym_op_mxnet_lower_ints (self, "dilate", n, 1, windows->dilate) ||
      !sym_op_mxnet_lower_ints (self, "pad", n, 0, windows->pad))
    return FALSE;
  for (int i = 0; i < n; i++)
    pads[i] = pads[n + i] = windows->pad[i];
  return TRUE;
}

/* Filters that see one place of the window each: [channels * window, 1, window]. */
static SymId
lower_filters (SymOpLower *self, const SymOpMxnetLowerWindows *windows, gint64 channels)
{
  SymShape shape = { .rank = windows->n + 2 };
  gint64 window = 1;
  SymId one;

  for (int i = 0; i < windows->n; i++)
    window *= shape.dims[2 + i] = windows->kernel[i];
  one = sym_op_lower_call (
      self, "EyeLike",
      SYM_IDS (sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &SYM_SHAPE (window, window), 0)),
      "dtype", sym_value_new_dtype (sym_op_lower_get_input_dtype (self, 0)), NULL);
  one = sym_op_lower_binary (self, "Tile", one,
                             sym_op_lower_ints (self, (gint64[]){ channels, 1 }, 2));
  shape.dims[0] = channels * window;
  shape.dims[1] = 1;
  return sym_op_lower_reshape (self, one, &shape);
}

static void
lower_im2col (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymOpMxnetLowerWindows windows = { 0 };
  gint64 pads[6];
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !read_windows (self, &windows, pads) ||
      sym_op_lower_get_output_shape (self, 0)->rank != 3)
    return;
  y = sym_op_lower_call (
      self, "Conv",
      SYM_IDS (sym_op_lower_input (self, 0), lower_filters (self, &windows, data->dims[1])),
      "strides", sym_op_lower_list (windows.stride, windows.n), "dilations",
      sym_op_lower_list (windows.dilate, windows.n), "pads",
      sym_op_lower_list (pads, 2 * windows.n), "group", sym_value_new_int (data->dims[1]), NULL);
  sym_op_lower_finish (self, y);
}

static void
lower_col2im (SymOpLower *self)
{
  SymOpMxnetLowerWindows windows = { 0 };
  gint64 pads[6], sizes[3];

  if (!sym_op_lower_need_tensor (self, 0) || !read_windows (self, &windows, pads) ||
      sym_op_lower_get_output_shape (self, 0)->rank < 3)
    return;
  sym_op_lower_get_ints (self, "output_size", sizes, 3);
  sym_op_lower_finish (
      self, sym_op_lower_call (self, "Col2Im",
                               SYM_IDS (sym_op_lower_input (self, 0),
                                        sym_op_lower_ints (self, sizes, windows.n),
                                        sym_op_lower_ints (self, windows.kernel, windows.n)),
                               "strides", sym_op_lower_list (windows.stride, windows.n),
                               "dilations", sym_op_lower_list (windows.dilate, windows.n), "pads",
                               sym_op_lower_list (pads, 2 * windows.n), NULL));
}

#define COLUMNS(name_, summary_, attributes_, infer_, lower_)                            \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_,             \
                  .slots = sym_op_mxnet_data, .infer = infer_, .lower = lower_           \
  }

const SymOperator sym_op_mxnet_columns[] = {
  COLUMNS ("im2col",
           "the windows of a picture as columns",
           im2col_attributes,
           infer_im2col,
           lower_im2col),
  COLUMNS ("col2im",
           "a picture that columns add up to",
           col2im_attributes,
           infer_col2im,
           lower_col2im),
  { NULL },
};
