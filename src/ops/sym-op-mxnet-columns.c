/* SPDX-License-Identifier: MIT */
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

#define COLUMNS(name_, summary_, attributes_, infer_)                                    \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_,             \
                  .slots = sym_op_mxnet_data, .infer = infer_                            \
  }

const SymOperator sym_op_mxnet_columns[] = {
  COLUMNS ("im2col", "the windows of a picture as columns", im2col_attributes, infer_im2col),
  COLUMNS ("col2im", "a picture that columns add up to", col2im_attributes, infer_col2im),
  { NULL },
};
