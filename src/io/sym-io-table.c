/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

/* Every format is one line here and one among these names. */
extern const SymIoFormat sym_keras_archive_format;
extern const SymIoFormat sym_keras_format;
extern const SymIoFormat sym_mxnet_format;
extern const SymIoFormat sym_onnx_format;
extern const SymIoFormat sym_onnx_json_format;
extern const SymIoFormat sym_onnx_text_format;
extern const SymIoFormat sym_symscope_format;

static const SymIoFormat *const formats[] = {
  &sym_keras_format,
  &sym_keras_archive_format,
  &sym_mxnet_format,
  &sym_onnx_format,
  &sym_onnx_json_format,
  &sym_onnx_text_format,
  &sym_symscope_format,
  NULL,
};

const SymIoFormat *const *
sym_io_get_formats (void)
{
  return formats;
}
