/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tvm.h"

/* The operators of Relay and NNVM that names of functions are made of. */

#define UNARY(name_, onnx_, category_)                                       \
  {                                                                          \
    name_, onnx_, sym_op_tvm_apply_unary, 0, SYM_CATEGORY_##category_, TRUE, \
  }
#define PAIR(name_, onnx_)                                                  \
  {                                                                         \
    name_, onnx_, sym_op_tvm_apply_pair, 1, SYM_CATEGORY_ELEMENTWISE, TRUE, \
  }
#define COMPARE(name_, onnx_, n_)                                                           \
  {                                                                                         \
    name_, onnx_, sym_op_tvm_apply_compare, n_, SYM_CATEGORY_ELEMENTWISE, TRUE, TRUE, TRUE, \
  }
#define ELEMENTS(name_, onnx_, apply_, n_)                                      \
  {                                                                             \
    name_, onnx_, sym_op_tvm_apply_##apply_, n_, SYM_CATEGORY_ELEMENTWISE, TRUE \
  }
#define CHANNELS(name_, onnx_)                                                               \
  {                                                                                          \
    name_, onnx_, sym_op_tvm_apply_channels, 1, SYM_CATEGORY_ELEMENTWISE, TRUE, FALSE, TRUE, \
  }
#define WEIGHTS(name_, apply_, needs_)                                                     \
  {                                                                                        \
    name_, NULL, sym_op_tvm_apply_##apply_, 1, SYM_CATEGORY_WEIGHTS, FALSE, FALSE, needs_, \
  }
#define SHAPED(name_, onnx_, apply_, category_)                                               \
  {                                                                                           \
    name_, onnx_, sym_op_tvm_apply_##apply_, 0, SYM_CATEGORY_##category_, FALSE, FALSE, TRUE, \
  }

static const SymTvmPart parts[] = {
  WEIGHTS ("nn_dense", dense, FALSE),
  WEIGHTS ("dense", dense, FALSE),
  WEIGHTS ("nn_contrib_dense_pack", dense_pack, TRUE),
  WEIGHTS ("nn_batch_matmul", matmul, TRUE),
  WEIGHTS ("nn_matmul", matmul, TRUE),

  UNARY ("nn_relu", "Relu", ACTIVATION),
  UNARY ("relu", "Relu", ACTIVATION),
  UNARY ("sigmoid", "Sigmoid", ACTIVATION),
  UNARY ("tanh", "Tanh", ACTIVATION),
  UNARY ("exp", "Exp", ELEMENTWISE),
  UNARY ("log", "Log", ELEMENTWISE),
  UNARY ("sqrt", "Sqrt", ELEMENTWISE),
  UNARY ("abs", "Abs", ELEMENTWISE),
  UNARY ("negative", "Neg", ELEMENTWISE),
  UNARY ("erf", "Erf", ELEMENTWISE),
  UNARY ("floor", "Floor", ELEMENTWISE),
  UNARY ("ceil", "Ceil", ELEMENTWISE),
  UNARY ("sign", "Sign", ELEMENTWISE),
  UNARY ("sin", "Sin", ELEMENTWISE),
  UNARY ("cos", "Cos", ELEMENTWISE),
  UNARY ("tan", "Tan", ELEMENTWISE),
  UNARY ("asin", "Asin", ELEMENTWISE),
  UNARY ("acos", "Acos", ELEMENTWISE),
  UNARY ("atan", "Atan", ELEMENTWISE),
  UNARY ("sinh", "Sinh", ELEMENTWISE),
  UNARY ("cosh", "Cosh", ELEMENTWISE),
  UNARY ("asinh", "Asinh", ELEMENTWISE),
  UNARY ("acosh", "Acosh", ELEMENTWISE),
  UNARY ("atanh", "Atanh", ELEMENTWISE),
  UNARY ("bitwise_not", "BitwiseNot", ELEMENTWISE),
  UNARY ("copy", "Identity", SHAPE),
  UNARY ("__copy", "Identity", SHAPE),
  UNARY ("device_copy", "Identity", SHAPE),
  UNARY ("annotation_stop_fusion", "Identity", SHAPE),
  ELEMENTS ("rsqrt", "Sqrt", rsqrt, 0),
  ELEMENTS ("round", "Floor", round, 0),
  ELEMENTS ("log2", "Log", log, 0),
  ELEMENTS ("log10", "Log", log, 0),

  PAIR ("add", "Add"),
  PAIR ("subtract", "Sub"),
  PAIR ("multiply", "Mul"),
  PAIR ("divide", "Div"),
  PAIR ("power", "Pow"),
  PAIR ("maximum", "Max"),
  PAIR ("minimum", "Min"),
  PAIR ("bitwise_and", "BitwiseAnd"),
  PAIR ("bitwise_or", "BitwiseOr"),
  PAIR ("bitwise_xor", "BitwiseXor"),
  PAIR ("elemwise_add", "Add"),
  PAIR ("elemwise_sub", "Sub"),
  PAIR ("elemwise_mul", "Mul"),
  PAIR ("elemwise_div", "Div"),
  PAIR ("broadcast_add", "Add"),
  PAIR ("broadcast_sub", "Sub"),
  PAIR ("broadcast_mul", "Mul"),
  PAIR ("broadcast_div", "Div"),
  PAIR ("broadcast_pow", "Pow"),
  PAIR ("broadcast_max", "Max"),
  PAIR ("broadcast_min", "Min"),
  ELEMENTS ("mod", "Mod", mod, 1),
  COMPARE ("equal", "Equal", 1),
  COMPARE ("not_equal", "Equal", 1),
  COMPARE ("greater", "Greater", 1),
  COMPARE ("greater_equal", "GreaterOrEqual", 1),
  COMPARE ("less", "Less", 1),
  COMPARE ("less_equal", "LessOrEqual", 1),
  COMPARE ("logical_and", "And", 1),
  COMPARE ("logical_or", "Or", 1),
  COMPARE ("logical_xor", "Xor", 1),
  COMPARE ("logical_not", "Not", 0),
  COMPARE ("isnan", "IsNaN", 0),
  COMPARE ("isinf", "IsInf", 0),
  { "where", "Where", sym_op_tvm_apply_where, 2, SYM_CATEGORY_ELEMENTWISE, TRUE, TRUE },
  { "sigmoid_tanh_multiply", "Mul", sym_op_tvm_apply_gates, 1, SYM_CATEGORY_ELEMENTWISE, TRUE },
  { "cast", "Cast", sym_op_tvm_apply_cast, 0, SYM_CATEGORY_SHAPE, TRUE, TRUE, TRUE },
  CHANNELS ("nn_bias_add", "Add"),
  CHANNELS ("nn_prelu", "PRelu"),

  { "nn_batch_flatten", NULL, sym_op_tvm_apply_flatten, 0, SYM_CATEGORY_SHAPE },
  { "flatten", NULL, sym_op_tvm_apply_flatten, 0, SYM_CATEGORY_SHAPE },
  SHAPED ("reshape", NULL, reshape, SHAPE),
  SHAPED ("__nop", NULL, reshape, SHAPE),
  SHAPED ("squeeze", "Squeeze", reshape, SHAPE),
  SHAPED ("expand_dims", "Unsqueeze", reshape, SHAPE),
  SHAPED ("contrib_reverse_reshape", NULL, reshape, SHAPE),
  SHAPED ("transpose", NULL, transpose, SHAPE),
  SHAPED ("concatenate", "Concat", concatenate, MERGE),

  SHAPED ("sum", "ReduceSum", reduce, POOLING),
  SHAPED ("mean", "ReduceMean", reduce, POOLING),
  SHAPED ("max", "ReduceMax", reduce, POOLING),
  SHAPED ("min", "ReduceMin", reduce, POOLING),
  SHAPED ("prod", "ReduceProd", reduce, POOLING),
  SHAPED ("nn_global_avg_pool2d", "ReduceMean", pool, POOLING),
  SHAPED ("nn_global_max_pool2d", "ReduceMax", pool, POOLING),
  SHAPED ("nn_adaptive_avg_pool2d", "ReduceMean", pool, POOLING),
  SHAPED ("nn_adaptive_max_pool2d", "ReduceMax", pool, POOLING),
  SHAPED ("global_avg_pool2d", "ReduceMean", pool, POOLING),
  SHAPED ("global_max_pool2d", "ReduceMax", pool, POOLING),
  SHAPED ("nn_softmax", "Softmax", softmax, ACTIVATION),
  SHAPED ("softmax", "Softmax", softmax, ACTIVATION),
  SHAPED ("nn_log_softmax", "LogSoftmax", softmax, ACTIVATION),
  SHAPED ("log_softmax", "LogSoftmax", softmax, ACTIVATION),
};

const SymTvmPart *
sym_op_tvm_take_part (const char **at)
{
  const SymTvmPart *best = NULL;
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gsize n = strlen (parts[i].name);

      if (n <= length || strncmp (*at, parts[i].name, n) != 0 ||
          ((*at)[n] != '\0' && ((*at)[n] != '_' || (*at)[n + 1] == '\0')))
        continue;
      best = &parts[i];
      length = n;
    }
  *at += (*at)[length] == '_' && best != NULL ? length + 1 : length;
  return best;
}

gboolean
sym_op_tvm_are_elementwise (const char *at)
{
  while (*at != '\0')
    {
      const SymTvmPart *part = sym_op_tvm_take_part (&at);

      if (part == NULL || !part->is_elementwise)
        return FALSE;
    }
  return TRUE;
}

guint
sym_op_tvm_count_operands (const char *at)
{
  guint n = 0;

  while (*at != '\0')
    n += sym_op_tvm_take_part (&at)->n_operands;
  return n;
}

gboolean
sym_op_tvm_change_dtype (const char *at)
{
  while (*at != '\0')
    if (sym_op_tvm_take_part (&at)->is_typing)
      return TRUE;
  return FALSE;
}
