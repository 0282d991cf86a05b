/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-operator.h"

G_BEGIN_DECLS

/* The operators of each file of this folder: an array that ends with a NULL name.  A new file adds a
 * line here by adding one to the list: X (name) declares `const SymOperator sym_op_name[]`. */
#define SYM_OP_FILES(X) \
  X (microsoft_attention) \
  X (microsoft_elementwise) \
  X (microsoft_norm) \
  X (microsoft_products) \
  X (microsoft_quantized) \
  X (mxnet_activation) \
  X (mxnet_axes) \
  X (mxnet_batch_norm) \
  X (mxnet_binary) \
  X (mxnet_binary_net) \
  X (mxnet_boxes) \
  X (mxnet_columns) \
  X (mxnet_concat) \
  X (mxnet_control) \
  X (mxnet_convolution) \
  X (mxnet_count) \
  X (mxnet_create) \
  X (mxnet_deconvolution) \
  X (mxnet_deformable) \
  X (mxnet_embedding) \
  X (mxnet_extend) \
  X (mxnet_foreign) \
  X (mxnet_fourier) \
  X (mxnet_fully_connected) \
  X (mxnet_fused) \
  X (mxnet_hawkes) \
  X (mxnet_identity) \
  X (mxnet_image) \
  X (mxnet_index) \
  X (mxnet_linalg) \
  X (mxnet_integer_matmul) \
  X (mxnet_loss) \
  X (mxnet_matmul) \
  X (mxnet_norm) \
  X (mxnet_numpy_axes) \
  X (mxnet_numpy_binary) \
  X (mxnet_numpy_create) \
  X (mxnet_numpy_cross) \
  X (mxnet_numpy_einsum) \
  X (mxnet_numpy_index) \
  X (mxnet_numpy_join) \
  X (mxnet_numpy_linalg) \
  X (mxnet_numpy_matmul) \
  X (mxnet_numpy_random) \
  X (mxnet_numpy_reduce) \
  X (mxnet_numpy_reshape) \
  X (mxnet_numpy_unary) \
  X (mxnet_numpy_where) \
  X (mxnet_onednn) \
  X (mxnet_optimizer) \
  X (mxnet_order) \
  X (mxnet_pooling) \
  X (mxnet_quantize) \
  X (mxnet_quantized) \
  X (mxnet_quantized_shape) \
  X (mxnet_ravel) \
  X (mxnet_reduce) \
  X (mxnet_regions) \
  X (mxnet_resample) \
  X (mxnet_reshape) \
  X (mxnet_rnn) \
  X (mxnet_sample) \
  X (mxnet_scalar) \
  X (mxnet_sequence) \
  X (mxnet_slice) \
  X (mxnet_softmax) \
  X (mxnet_split) \
  X (mxnet_tvm) \
  X (mxnet_unary) \
  X (mxnet_window_attention) \
  X (onnx_activation) \
  X (onnx_arg) \
  X (onnx_arithmetic) \
  X (onnx_arrange) \
  X (onnx_attention) \
  X (onnx_batch_norm) \
  X (onnx_binary) \
  X (onnx_boxes) \
  X (onnx_cache) \
  X (onnx_cast) \
  X (onnx_causal_conv) \
  X (onnx_choose) \
  X (onnx_columns) \
  X (onnx_concat) \
  X (onnx_constant) \
  X (onnx_control) \
  X (onnx_conv) \
  X (onnx_conv_transpose) \
  X (onnx_create) \
  X (onnx_crop) \
  X (onnx_cumulate) \
  X (onnx_deform_conv) \
  X (onnx_dequantize) \
  X (onnx_det) \
  X (onnx_dropout) \
  X (onnx_einsum) \
  X (onnx_fourier) \
  X (onnx_flex_attention) \
  X (onnx_gather) \
  X (onnx_gemm) \
  X (onnx_grid) \
  X (onnx_gru) \
  X (onnx_linear_attention) \
  X (onnx_local_norm) \
  X (onnx_logic) \
  X (onnx_loss) \
  X (onnx_lstm) \
  X (onnx_matmul) \
  X (onnx_ml_features) \
  X (onnx_ml_labels) \
  X (onnx_ml_linear) \
  X (onnx_ml_trees) \
  X (onnx_ngrams) \
  X (onnx_norm) \
  X (onnx_optional) \
  X (onnx_pad) \
  X (onnx_pool) \
  X (onnx_power) \
  X (onnx_quantize) \
  X (onnx_random) \
  X (onnx_reduce) \
  X (onnx_regions) \
  X (onnx_reshape) \
  X (onnx_resize) \
  X (onnx_rnn) \
  X (onnx_rotary) \
  X (onnx_scan) \
  X (onnx_scatter) \
  X (onnx_select) \
  X (onnx_sequence) \
  X (onnx_shape) \
  X (onnx_signal) \
  X (onnx_slice) \
  X (onnx_softmax) \
  X (onnx_strings) \
  X (onnx_transpose) \
  X (onnx_unary) \
  X (onnx_unique) \
  X (onnx_unpool) \
  X (onnx_variadic) \
  X (structural) \
  X (symscope_draw) \
  X (torch_activation) \
  X (torch_aggregate) \
  X (torch_arithmetic) \
  X (torch_conv) \
  X (torch_linear) \
  X (torch_norm) \
  X (torch_pool) \
  X (torch_recurrent) \
  X (torch_shape) \
  X (torch_slice)

#define SYM_OP_DECLARE(name) extern const SymOperator sym_op_##name[];
SYM_OP_FILES (SYM_OP_DECLARE)
#undef SYM_OP_DECLARE

G_END_DECLS
