/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

/* Every format is one line here and one among these names. */
extern const SymIoFormat sym_acuity_format;
extern const SymIoFormat sym_armnn_format;
extern const SymIoFormat sym_dl4j_format;
extern const SymIoFormat sym_dot_format;
extern const SymIoFormat sym_espresso_format;
extern const SymIoFormat sym_execution_trace_format;
extern const SymIoFormat sym_graphml_format;
extern const SymIoFormat sym_keras_format;
extern const SymIoFormat sym_keras_h5_format;
extern const SymIoFormat sym_mermaid_format;
extern const SymIoFormat sym_mnn_json_format;
extern const SymIoFormat sym_model_explorer_format;
extern const SymIoFormat sym_mxnet_format;
extern const SymIoFormat sym_ngraph_format;
extern const SymIoFormat sym_onednn_format;
extern const SymIoFormat sym_onnx_format;
extern const SymIoFormat sym_onnx_json_format;
extern const SymIoFormat sym_onnx_text_format;
extern const SymIoFormat sym_openvino_format;
extern const SymIoFormat sym_paddle_pir_format;
extern const SymIoFormat sym_paddlejs_format;
extern const SymIoFormat sym_qnn_format;
extern const SymIoFormat sym_stm32_format;
extern const SymIoFormat sym_symscope_format;
extern const SymIoFormat sym_tensorrt_format;
extern const SymIoFormat sym_tfjs_graph_format;
extern const SymIoFormat sym_tflite_json_format;
extern const SymIoFormat sym_torch_export_format;
extern const SymIoFormat sym_tosa_format;
extern const SymIoFormat sym_tvm_format;
extern const SymIoFormat sym_weight_index_format;

static const SymIoFormat *const formats[] = {
  &sym_acuity_format,
  &sym_armnn_format,
  &sym_dl4j_format,
  &sym_dot_format,
  &sym_espresso_format,
  &sym_execution_trace_format,
  &sym_graphml_format,
  &sym_keras_format,
  &sym_keras_h5_format,
  &sym_mermaid_format,
  &sym_mnn_json_format,
  &sym_model_explorer_format,
  &sym_mxnet_format,
  &sym_ngraph_format,
  &sym_onednn_format,
  &sym_onnx_format,
  &sym_onnx_json_format,
  &sym_onnx_text_format,
  &sym_openvino_format,
  &sym_paddle_pir_format,
  &sym_paddlejs_format,
  &sym_qnn_format,
  &sym_stm32_format,
  &sym_symscope_format,
  &sym_tensorrt_format,
  &sym_tfjs_graph_format,
  &sym_tflite_json_format,
  &sym_torch_export_format,
  &sym_tosa_format,
  &sym_tvm_format,
  &sym_weight_index_format,
  NULL,
};

const SymIoFormat *const *
sym_io_get_formats (void)
{
  return formats;
}
