/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-ranges.h"
#include "ops/sym-op-mxnet.h"

/* Integers of 8 bits in another shape: as without quantisation, and their range passes on. */

static const char *const range_names[] = { "output", "min_output", "max_output", NULL };

static const SymAttributeSpec reshape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "sizes, and codes from 0 down to -4" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether codes are read from the right" },
  { "target_shape", SYM_ATTRIBUTE_INTS, "()", "older form, 0 for what is left over" },
  { "keep_highest", SYM_ATTRIBUTE_BOOL, "False", "whether target_shape keeps the first axis" },
  { NULL },
};

static const SymAttributeSpec codes_attributes[] = {
  { "newshape", SYM_ATTRIBUTE_INTS, NULL, "sizes, and codes from -1 down to -6" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether codes are read from the right" },
  { "order", SYM_ATTRIBUTE_STRING, "C", "C" },
  { NULL },
};

static const SymAttributeSpec transpose_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "()", "order of the axes; reversed when empty" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { "min_data" }, { "max_data" }, { NULL } };

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  return sym_op_mxnet_infer_reshape (rule, error) && sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_codes (SymRule *rule, GError **error)
{
  return sym_op_mxnet_infer_reshape_codes (rule, error) &&
         sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_transpose (SymRule *rule, GError **error)
{
  return sym_op_mxnet_infer_transpose (rule, error) && sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

#define MOVED(name_, aliases_, summary_, attributes_, infer_)                                    \
  {                                                                                              \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                       \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_SHAPE,               \
                  .attributes = attributes_, .slots = slots,                                     \
                  .get_n_outputs = sym_op_mxnet_get_ranged_outputs, .output_names = range_names, \
                  .infer = infer_, .lower = sym_op_mxnet_lower_quantized_move                    \
  }

const SymOperator sym_op_mxnet_quantized_shape[] = {
  MOVED ("_contrib_quantized_reshape",
         "quantized_reshape",
         "integers in another shape",
         reshape_attributes,
         infer_reshape),
  MOVED ("_npx_quantized_reshape",
         NULL,
         "integers in a shape told by codes",
         codes_attributes,
         infer_codes),
  MOVED ("_contrib_quantized_transpose",
         "quantized_transpose _npx_quantized_transpose",
         "integers with their axes in another order",
         transpose_attributes,
         infer_transpose),
  { NULL },
};
