/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* ImageDecoder, and the two of ONNX Runtime's extensions: pixels of the bytes of a picture's file,
 * and back.  They are not computed: no formats of pictures are read here. */

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

static const SymSlotSpec bytes_slots[] = { { "bytes" }, { NULL } };
static const SymSlotSpec pixel_slots[] = { { "pixels" }, { NULL } };

static gboolean
infer_encode (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);

  if (x.rank >= 0 && x.rank != 3)
    return sym_rule_fail (error, "the pixels must have 3 axes, not %d", x.rank);
  return sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN), SYM_DTYPE_UINT8, error);
}

/* Blue, green and red, in this order, of pictures in any format. */
#define EXTENSION(domain_, name_, summary_, slots_, infer_)             \
  {                                                                     \
    .domain = domain_, .name = name_, .since_version = 1,               \
    .reference = "ONNX Runtime Extensions " name_, .summary = summary_, \
    .category = SYM_CATEGORY_SHAPE, .slots = slots_, .infer = infer_    \
  }
#define DECODE(domain_) \
  EXTENSION (domain_, "DecodeImage", "pixels of a picture's file", bytes_slots, infer)
#define ENCODE(domain_) \
  EXTENSION (domain_, "EncodeImage", "a picture's file of pixels", pixel_slots, infer_encode)

const SymOperator sym_op_onnx_pictures[] = {
  DECODE ("ai.onnx.contrib"),
  DECODE ("com.microsoft.extensions"),
  ENCODE ("ai.onnx.contrib"),
  ENCODE ("com.microsoft.extensions"),
  { SYM_OP_ONNX ("ImageDecoder", 20), .summary = "pixels of a picture's file",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer },
  { 0 },
};
