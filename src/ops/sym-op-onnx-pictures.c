/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-picture-private.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* ImageDecoder, and the two of ONNX Runtime's extensions: pixels of the bytes of a picture's file,
 * and back.  What cannot be read is an error that says why, as in ONNX's reference implementation
 * and in ONNX Runtime's extensions; the text of ImageDecoder would have an empty matrix.  That text
 * does not speak of Exif's orientation, and the reference leaves pixels as they are stored. */

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

static gboolean
run (SymKernel *kernel, GError **error)
{
  static const char *const names[] = {
    [SYM_PICTURES_RGB] = "RGB",
    [SYM_PICTURES_BGR] = "BGR",
    [SYM_PICTURES_GRAY] = "Grayscale",
  };
  const char *format = sym_kernel_get_string (kernel, "pixel_format", "RGB");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (format, names[i]) == 0)
      return sym_op_picture_decode (kernel, (SymPicturesChannels) i, error);
  return sym_kernel_fail (error, "pixel_format must be RGB, BGR or Grayscale, not “%s”", format);
}

/* ---- ONNX Runtime's extensions ---- */

static const SymAttributeSpec encode_attributes[] = {
  { "format", SYM_ATTRIBUTE_STRING, NULL, "the format of the file", "jpg png" },
  { NULL },
};

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

/* Blue, green and red, in this order, as OpenCV has them. */
static gboolean
run_decode (SymKernel *kernel, GError **error)
{
  return sym_op_picture_decode (kernel, SYM_PICTURES_BGR, error);
}

static gboolean
run_encode (SymKernel *kernel, GError **error)
{
  const char *format = sym_kernel_get_string (kernel, "format", "nothing");

  if (strcmp (format, "jpg") == 0)
    return sym_op_picture_encode (kernel, SYM_PICTURES_JPEG, error);
  if (strcmp (format, "png") == 0)
    return sym_op_picture_encode (kernel, SYM_PICTURES_PNG, error);
  return sym_kernel_fail (error, "format must be jpg or png, not %s", format);
}

#define EXTENSION(domain_, name_, summary_, ...)                        \
  {                                                                     \
    .domain = domain_, .name = name_, .since_version = 1,               \
    .reference = "ONNX Runtime Extensions " name_, .summary = summary_, \
    .category = SYM_CATEGORY_SHAPE, __VA_ARGS__                         \
  }
#define DECODE(domain_)                                                                  \
  EXTENSION (domain_, "DecodeImage", "pixels of a picture's file", .slots = bytes_slots, \
             .infer = infer, .run = run_decode)
#define ENCODE(domain_)                                                                    \
  EXTENSION (domain_, "EncodeImage", "a picture's file of pixels",                         \
             .attributes = encode_attributes, .slots = pixel_slots, .infer = infer_encode, \
             .run = run_encode)

const SymOperator sym_op_onnx_pictures[] = {
  DECODE ("ai.onnx.contrib"),
  DECODE ("com.microsoft.extensions"),
  ENCODE ("ai.onnx.contrib"),
  ENCODE ("com.microsoft.extensions"),
  { SYM_OP_ONNX ("ImageDecoder", 20), .summary = "pixels of a picture's file",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run },
  { 0 },
};
