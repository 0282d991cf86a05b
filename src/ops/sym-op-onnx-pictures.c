/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* ImageDecoder: pixels of the bytes of a picture's file.  It is not computed: no formats of
 * pictures are read here. */

static const SymAttributeSpec attributes[] = {
  { "pixel_format", SYM_ATTRIBUTE_STRING, "RGB", "channels of a pixel", "RGB BGR Grayscale" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "encoded_stream" }, { NULL } };

/* Bytes [n]: [height, width, channels]. */
static gboolean
infer (SymRule *rule, GError **error)
{
  const char *format = sym_rule_get_string (rule, "pixel_format", "RGB");
  SymShape x = sym_rule_get_input (rule, 0), y = sym_shape_new_unknown (3);

  if (x.rank >= 0 && x.rank != 1)
    return sym_rule_fail (error, "the bytes must have 1 axis, not %d", x.rank);
  y.dims[2] = strcmp (format, "Grayscale") == 0 ? 1 : 3;
  return sym_op_set_output (rule, 0, y, SYM_DTYPE_UINT8, error);
}

const SymOperator sym_op_onnx_pictures[] = {
  { SYM_OP_ONNX ("ImageDecoder", 20), .summary = "pixels of a picture's file",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer },
  { 0 },
};
