/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-proto.h"

G_BEGIN_DECLS

/* ONNX's kinds of messages, and the numbers of those of their fields that are looked at. */
extern const SymProtoType sym_onnx_entry_type;
extern const SymProtoType sym_onnx_opset_type;
extern const SymProtoType sym_onnx_dimension_type;
extern const SymProtoType sym_onnx_shape_type;
extern const SymProtoType sym_onnx_tensor_kind_type;
extern const SymProtoType sym_onnx_sequence_kind_type;
extern const SymProtoType sym_onnx_map_kind_type;
extern const SymProtoType sym_onnx_optional_kind_type;
extern const SymProtoType sym_onnx_sparse_kind_type;
extern const SymProtoType sym_onnx_opaque_kind_type;
extern const SymProtoType sym_onnx_type_type;
extern const SymProtoType sym_onnx_segment_type;
extern const SymProtoType sym_onnx_tensor_type;
extern const SymProtoType sym_onnx_sparse_type;
extern const SymProtoType sym_onnx_attribute_type;
extern const SymProtoType sym_onnx_value_type;
extern const SymProtoType sym_onnx_simple_sharding_type;
extern const SymProtoType sym_onnx_sharded_dim_type;
extern const SymProtoType sym_onnx_device_group_type;
extern const SymProtoType sym_onnx_sharding_type;
extern const SymProtoType sym_onnx_node_device_type;
extern const SymProtoType sym_onnx_node_type;
extern const SymProtoType sym_onnx_annotation_type;
extern const SymProtoType sym_onnx_graph_type;
extern const SymProtoType sym_onnx_training_type;
extern const SymProtoType sym_onnx_function_type;
extern const SymProtoType sym_onnx_device_type;
extern const SymProtoType sym_onnx_model_type;
extern const SymProtoType sym_onnx_sequence_type;
extern const SymProtoType sym_onnx_map_type;
extern const SymProtoType sym_onnx_optional_type;

enum {
  ONNX_ENTRY_KEY = 1,
  ONNX_ENTRY_VALUE = 2,
};

enum {
  ONNX_OPSET_DOMAIN = 1,
  ONNX_OPSET_VERSION = 2,
};

enum {
  ONNX_DIM_VALUE = 1,
  ONNX_DIM_PARAM = 2,
  ONNX_DIM_DENOTATION = 3,
};

enum {
  ONNX_SHAPE_DIM = 1,
};

enum {
  ONNX_KIND_ELEM = 1,
  ONNX_KIND_SHAPE = 2,
};

enum {
  ONNX_MAP_KEY = 1,
  ONNX_MAP_VALUE = 2,
};

enum {
  ONNX_TYPE_TENSOR_TYPE = 1,
  ONNX_TYPE_SEQUENCE_TYPE = 4,
  ONNX_TYPE_MAP_TYPE = 5,
  ONNX_TYPE_DENOTATION = 6,
  ONNX_TYPE_OPAQUE_TYPE = 7,
  ONNX_TYPE_SPARSE_TENSOR_TYPE = 8,
  ONNX_TYPE_OPTIONAL_TYPE = 9,
};

enum {
  ONNX_TENSOR_DIMS = 1,
  ONNX_TENSOR_DATA_TYPE = 2,
  ONNX_TENSOR_SEGMENT = 3,
  ONNX_TENSOR_FLOAT_DATA = 4,
  ONNX_TENSOR_INT32_DATA = 5,
  ONNX_TENSOR_STRING_DATA = 6,
  ONNX_TENSOR_INT64_DATA = 7,
  ONNX_TENSOR_NAME = 8,
  ONNX_TENSOR_RAW_DATA = 9,
  ONNX_TENSOR_DOUBLE_DATA = 10,
  ONNX_TENSOR_UINT64_DATA = 11,
  ONNX_TENSOR_DOC_STRING = 12,
  ONNX_TENSOR_EXTERNAL_DATA = 13,
  ONNX_TENSOR_DATA_LOCATION = 14,
  ONNX_TENSOR_METADATA_PROPS = 16,
};

enum {
  ONNX_SPARSE_VALUES = 1,
  ONNX_SPARSE_INDICES = 2,
  ONNX_SPARSE_DIMS = 3,
};

enum {
  ONNX_ATTRIBUTE_NAME = 1,
  ONNX_ATTRIBUTE_F = 2,
  ONNX_ATTRIBUTE_I = 3,
  ONNX_ATTRIBUTE_S = 4,
  ONNX_ATTRIBUTE_T = 5,
  ONNX_ATTRIBUTE_G = 6,
  ONNX_ATTRIBUTE_FLOATS = 7,
  ONNX_ATTRIBUTE_INTS = 8,
  ONNX_ATTRIBUTE_STRINGS = 9,
  ONNX_ATTRIBUTE_TENSORS = 10,
  ONNX_ATTRIBUTE_GRAPHS = 11,
  ONNX_ATTRIBUTE_DOC_STRING = 13,
  ONNX_ATTRIBUTE_TP = 14,
  ONNX_ATTRIBUTE_TYPE_PROTOS = 15,
  ONNX_ATTRIBUTE_TYPE = 20,
  ONNX_ATTRIBUTE_REF_ATTR_NAME = 21,
  ONNX_ATTRIBUTE_SPARSE_TENSOR = 22,
  ONNX_ATTRIBUTE_SPARSE_TENSORS = 23,
};

enum {
  ONNX_VALUE_NAME = 1,
  ONNX_VALUE_TYPE = 2,
  ONNX_VALUE_DOC_STRING = 3,
  ONNX_VALUE_METADATA_PROPS = 4,
};

enum {
  ONNX_NODE_INPUT = 1,
  ONNX_NODE_OUTPUT = 2,
  ONNX_NODE_NAME = 3,
  ONNX_NODE_OP_TYPE = 4,
  ONNX_NODE_ATTRIBUTE = 5,
  ONNX_NODE_DOC_STRING = 6,
  ONNX_NODE_DOMAIN = 7,
  ONNX_NODE_OVERLOAD = 8,
  ONNX_NODE_METADATA_PROPS = 9,
  ONNX_NODE_DEVICE_CONFIGURATIONS = 10,
};

enum {
  ONNX_ANNOTATION_TENSOR_NAME = 1,
  ONNX_ANNOTATION_QUANT_PARAMETER_TENSOR_NAMES = 2,
};

enum {
  ONNX_GRAPH_NODE = 1,
  ONNX_GRAPH_NAME = 2,
  ONNX_GRAPH_INITIALIZER = 5,
  ONNX_GRAPH_DOC_STRING = 10,
  ONNX_GRAPH_INPUT = 11,
  ONNX_GRAPH_OUTPUT = 12,
  ONNX_GRAPH_VALUE_INFO = 13,
  ONNX_GRAPH_QUANTIZATION_ANNOTATION = 14,
  ONNX_GRAPH_SPARSE_INITIALIZER = 15,
  ONNX_GRAPH_METADATA_PROPS = 16,
};

enum {
  ONNX_TRAINING_INITIALIZATION = 1,
  ONNX_TRAINING_ALGORITHM = 2,
  ONNX_TRAINING_INITIALIZATION_BINDING = 3,
  ONNX_TRAINING_UPDATE_BINDING = 4,
};

enum {
  ONNX_FUNCTION_NAME = 1,
  ONNX_FUNCTION_INPUT = 4,
  ONNX_FUNCTION_OUTPUT = 5,
  ONNX_FUNCTION_ATTRIBUTE = 6,
  ONNX_FUNCTION_NODE = 7,
  ONNX_FUNCTION_DOC_STRING = 8,
  ONNX_FUNCTION_OPSET_IMPORT = 9,
  ONNX_FUNCTION_DOMAIN = 10,
  ONNX_FUNCTION_ATTRIBUTE_PROTO = 11,
  ONNX_FUNCTION_VALUE_INFO = 12,
  ONNX_FUNCTION_OVERLOAD = 13,
  ONNX_FUNCTION_METADATA_PROPS = 14,
};

enum {
  ONNX_MODEL_IR_VERSION = 1,
  ONNX_MODEL_PRODUCER_NAME = 2,
  ONNX_MODEL_PRODUCER_VERSION = 3,
  ONNX_MODEL_DOMAIN = 4,
  ONNX_MODEL_MODEL_VERSION = 5,
  ONNX_MODEL_DOC_STRING = 6,
  ONNX_MODEL_GRAPH = 7,
  ONNX_MODEL_OPSET_IMPORT = 8,
  ONNX_MODEL_METADATA_PROPS = 14,
  ONNX_MODEL_TRAINING_INFO = 20,
  ONNX_MODEL_FUNCTIONS = 25,
  ONNX_MODEL_CONFIGURATION = 26,
};

enum {
  ONNX_SEQUENCE_NAME = 1,
  ONNX_SEQUENCE_ELEM_TYPE = 2,
  ONNX_SEQUENCE_TENSOR_VALUES = 3,
  ONNX_SEQUENCE_SPARSE_TENSOR_VALUES = 4,
  ONNX_SEQUENCE_SEQUENCE_VALUES = 5,
  ONNX_SEQUENCE_MAP_VALUES = 6,
  ONNX_SEQUENCE_OPTIONAL_VALUES = 7,
};

enum {
  ONNX_OPTIONAL_NAME = 1,
  ONNX_OPTIONAL_ELEM_TYPE = 2,
  ONNX_OPTIONAL_TENSOR_VALUE = 3,
  ONNX_OPTIONAL_SPARSE_TENSOR_VALUE = 4,
  ONNX_OPTIONAL_SEQUENCE_VALUE = 5,
  ONNX_OPTIONAL_MAP_VALUE = 6,
  ONNX_OPTIONAL_OPTIONAL_VALUE = 7,
};

/* Of AttributeProto.type. */
enum {
  ONNX_UNDEFINED = 0,
  ONNX_FLOAT = 1,
  ONNX_INT = 2,
  ONNX_STRING = 3,
  ONNX_TENSOR = 4,
  ONNX_GRAPH = 5,
  ONNX_FLOATS = 6,
  ONNX_INTS = 7,
  ONNX_STRINGS = 8,
  ONNX_TENSORS = 9,
  ONNX_GRAPHS = 10,
  ONNX_SPARSE_TENSOR = 11,
  ONNX_SPARSE_TENSORS = 12,
  ONNX_TYPE_PROTO = 13,
  ONNX_TYPE_PROTOS = 14,
};

#define ONNX_EXTERNAL 1 /* of TensorProto.data_location */

G_END_DECLS
