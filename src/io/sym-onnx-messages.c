/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-messages.h"

/* ONNX's messages as of IR version 14: their fields by number, as onnx-ml.proto and onnx-
 * data.proto define them. */

#define REPEATED SYM_PROTO_REPEATED
#define MANY (SYM_PROTO_REPEATED | SYM_PROTO_PACKED | SYM_PROTO_IN_FILE)

static const SymProtoName attribute_names[] = {
  { 0, "UNDEFINED" },       { 1, "FLOAT" },       { 2, "INT" },          { 3, "STRING" },
  { 4, "TENSOR" },          { 5, "GRAPH" },       { 6, "FLOATS" },       { 7, "INTS" },
  { 8, "STRINGS" },         { 9, "TENSORS" },     { 10, "GRAPHS" },      { 11, "SPARSE_TENSOR" },
  { 12, "SPARSE_TENSORS" }, { 13, "TYPE_PROTO" }, { 14, "TYPE_PROTOS" }, { 0, NULL },
};

static const SymProtoName location_names[] = {
  { 0, "DEFAULT" },
  { 1, "EXTERNAL" },
  { 0, NULL },
};

/* Numbers in the .proto, but some writers of JSON give their names. */
static const SymProtoName dtype_names[] = {
  { 0, "UNDEFINED" },       { 1, "FLOAT" },         { 2, "UINT8" },           { 3, "INT8" },
  { 4, "UINT16" },          { 5, "INT16" },         { 6, "INT32" },           { 7, "INT64" },
  { 8, "STRING" },          { 9, "BOOL" },          { 10, "FLOAT16" },        { 11, "DOUBLE" },
  { 12, "UINT32" },         { 13, "UINT64" },       { 14, "COMPLEX64" },      { 15, "COMPLEX128" },
  { 16, "BFLOAT16" },       { 17, "FLOAT8E4M3FN" }, { 18, "FLOAT8E4M3FNUZ" }, { 19, "FLOAT8E5M2" },
  { 20, "FLOAT8E5M2FNUZ" }, { 21, "UINT4" },        { 22, "INT4" },           { 23, "FLOAT4E2M1" },
  { 24, "FLOAT8E8M0" },     { 25, "UINT2" },        { 26, "INT2" },           { 0, NULL },
};

static const SymProtoField entry_fields[] = {
  { 1, "key", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "value", SYM_PROTO_STRING, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_entry_type = { "StringStringEntryProto", entry_fields };

static const SymProtoField opset_fields[] = {
  { 1, "domain", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "version", SYM_PROTO_INT64, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_opset_type = { "OperatorSetIdProto", opset_fields };

static const SymProtoField dimension_fields[] = {
  { 1, "dim_value", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "dim_param", SYM_PROTO_STRING, 0, NULL, NULL },
  { 3, "denotation", SYM_PROTO_STRING, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_dimension_type = { "TensorShapeProto.Dimension", dimension_fields };

static const SymProtoField shape_fields[] = {
  { 1, "dim", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_dimension_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_shape_type = { "TensorShapeProto", shape_fields };

static const SymProtoField tensor_kind_fields[] = {
  { 1, "elem_type", SYM_PROTO_INT32, 0, NULL, dtype_names },
  { 2, "shape", SYM_PROTO_MESSAGE, 0, &sym_onnx_shape_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_tensor_kind_type = { "TypeProto.Tensor", tensor_kind_fields };

static const SymProtoField sequence_kind_fields[] = {
  { 1, "elem_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_type_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sequence_kind_type = { "TypeProto.Sequence", sequence_kind_fields };

static const SymProtoField map_kind_fields[] = {
  { 1, "key_type", SYM_PROTO_INT32, 0, NULL, dtype_names },
  { 2, "value_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_type_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_map_kind_type = { "TypeProto.Map", map_kind_fields };

static const SymProtoField optional_kind_fields[] = {
  { 1, "elem_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_type_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_optional_kind_type = { "TypeProto.Optional", optional_kind_fields };

static const SymProtoField sparse_kind_fields[] = {
  { 1, "elem_type", SYM_PROTO_INT32, 0, NULL, dtype_names },
  { 2, "shape", SYM_PROTO_MESSAGE, 0, &sym_onnx_shape_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sparse_kind_type = { "TypeProto.SparseTensor", sparse_kind_fields };

static const SymProtoField opaque_kind_fields[] = {
  { 1, "domain", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_opaque_kind_type = { "TypeProto.Opaque", opaque_kind_fields };

static const SymProtoField type_fields[] = {
  { 1, "tensor_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_tensor_kind_type, NULL },
  { 4, "sequence_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_sequence_kind_type, NULL },
  { 5, "map_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_map_kind_type, NULL },
  { 6, "denotation", SYM_PROTO_STRING, 0, NULL, NULL },
  { 7, "opaque_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_opaque_kind_type, NULL },
  { 8, "sparse_tensor_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_sparse_kind_type, NULL },
  { 9, "optional_type", SYM_PROTO_MESSAGE, 0, &sym_onnx_optional_kind_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_type_type = { "TypeProto", type_fields };

static const SymProtoField segment_fields[] = {
  { 1, "begin", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "end", SYM_PROTO_INT64, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_segment_type = { "TensorProto.Segment", segment_fields };

static const SymProtoField tensor_fields[] = {
  { 1, "dims", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 2, "data_type", SYM_PROTO_INT32, 0, NULL, dtype_names },
  { 3, "segment", SYM_PROTO_MESSAGE, 0, &sym_onnx_segment_type, NULL },
  { 4, "float_data", SYM_PROTO_FLOAT, MANY, NULL, NULL },
  { 5, "int32_data", SYM_PROTO_INT32, MANY, NULL, NULL },
  { 6, "string_data", SYM_PROTO_BYTES, REPEATED, NULL, NULL },
  { 7, "int64_data", SYM_PROTO_INT64, MANY, NULL, NULL },
  { 8, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 9, "raw_data", SYM_PROTO_BYTES, SYM_PROTO_IN_FILE, NULL, NULL },
  { 10, "double_data", SYM_PROTO_DOUBLE, MANY, NULL, NULL },
  { 11, "uint64_data", SYM_PROTO_UINT64, MANY, NULL, NULL },
  { 12, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 13, "external_data", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 14, "data_location", SYM_PROTO_INT32, SYM_PROTO_NAMED, NULL, location_names },
  { 16, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_tensor_type = { "TensorProto", tensor_fields };

static const SymProtoField sparse_fields[] = {
  { 1, "values", SYM_PROTO_MESSAGE, 0, &sym_onnx_tensor_type, NULL },
  { 2, "indices", SYM_PROTO_MESSAGE, 0, &sym_onnx_tensor_type, NULL },
  { 3, "dims", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sparse_type = { "SparseTensorProto", sparse_fields };

static const SymProtoField attribute_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "f", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { 3, "i", SYM_PROTO_INT64, 0, NULL, NULL },
  { 4, "s", SYM_PROTO_BYTES, 0, NULL, NULL },
  { 5, "t", SYM_PROTO_MESSAGE, 0, &sym_onnx_tensor_type, NULL },
  { 6, "g", SYM_PROTO_MESSAGE, 0, &sym_onnx_graph_type, NULL },
  { 7, "floats", SYM_PROTO_FLOAT, REPEATED, NULL, NULL },
  { 8, "ints", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 9, "strings", SYM_PROTO_BYTES, REPEATED, NULL, NULL },
  { 10, "tensors", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_tensor_type, NULL },
  { 11, "graphs", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_graph_type, NULL },
  { 13, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 14, "tp", SYM_PROTO_MESSAGE, 0, &sym_onnx_type_type, NULL },
  { 15, "type_protos", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_type_type, NULL },
  { 20, "type", SYM_PROTO_INT32, SYM_PROTO_NAMED, NULL, attribute_names },
  { 21, "ref_attr_name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 22, "sparse_tensor", SYM_PROTO_MESSAGE, 0, &sym_onnx_sparse_type, NULL },
  { 23, "sparse_tensors", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sparse_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_attribute_type = { "AttributeProto", attribute_fields };

static const SymProtoField value_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "type", SYM_PROTO_MESSAGE, 0, &sym_onnx_type_type, NULL },
  { 3, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 4, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_value_type = { "ValueInfoProto", value_fields };

static const SymProtoField simple_sharding_fields[] = {
  { 1, "dim_value", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "dim_param", SYM_PROTO_STRING, 0, NULL, NULL },
  { 3, "num_shards", SYM_PROTO_INT64, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_simple_sharding_type = { "SimpleShardedDimProto",
                                                     simple_sharding_fields };

static const SymProtoField sharded_dim_fields[] = {
  { 1, "axis", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "simple_sharding", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_simple_sharding_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sharded_dim_type = { "ShardedDimProto", sharded_dim_fields };

static const SymProtoField device_group_fields[] = {
  { 1, "key", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "value", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_device_group_type = { "IntIntListEntryProto", device_group_fields };

static const SymProtoField sharding_fields[] = {
  { 1, "tensor_name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "device", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 3, "index_to_device_group_map", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_device_group_type,
    NULL },
  { 4, "sharded_dim", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sharded_dim_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sharding_type = { "ShardingSpecProto", sharding_fields };

static const SymProtoField node_device_fields[] = {
  { 1, "configuration_id", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "sharding_spec", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sharding_type, NULL },
  { 3, "pipeline_stage", SYM_PROTO_INT32, 0, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_node_device_type = { "NodeDeviceConfigurationProto",
                                                 node_device_fields };

static const SymProtoField node_fields[] = {
  { 1, "input", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 2, "output", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 3, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 4, "op_type", SYM_PROTO_STRING, 0, NULL, NULL },
  { 5, "attribute", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_attribute_type, NULL },
  { 6, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 7, "domain", SYM_PROTO_STRING, 0, NULL, NULL },
  { 8, "overload", SYM_PROTO_STRING, 0, NULL, NULL },
  { 9, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 10, "device_configurations", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_node_device_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_node_type = { "NodeProto", node_fields };

static const SymProtoField annotation_fields[] = {
  { 1, "tensor_name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "quant_parameter_tensor_names", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_annotation_type = { "TensorAnnotation", annotation_fields };

static const SymProtoField graph_fields[] = {
  { 1, "node", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_node_type, NULL },
  { 2, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 5, "initializer", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_tensor_type, NULL },
  { 10, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 11, "input", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_value_type, NULL },
  { 12, "output", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_value_type, NULL },
  { 13, "value_info", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_value_type, NULL },
  { 14, "quantization_annotation", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_annotation_type, NULL },
  { 15, "sparse_initializer", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sparse_type, NULL },
  { 16, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_graph_type = { "GraphProto", graph_fields };

static const SymProtoField training_fields[] = {
  { 1, "initialization", SYM_PROTO_MESSAGE, 0, &sym_onnx_graph_type, NULL },
  { 2, "algorithm", SYM_PROTO_MESSAGE, 0, &sym_onnx_graph_type, NULL },
  { 3, "initialization_binding", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 4, "update_binding", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_training_type = { "TrainingInfoProto", training_fields };

static const SymProtoField function_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 4, "input", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 5, "output", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 6, "attribute", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 7, "node", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_node_type, NULL },
  { 8, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 9, "opset_import", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_opset_type, NULL },
  { 10, "domain", SYM_PROTO_STRING, 0, NULL, NULL },
  { 11, "attribute_proto", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_attribute_type, NULL },
  { 12, "value_info", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_value_type, NULL },
  { 13, "overload", SYM_PROTO_STRING, 0, NULL, NULL },
  { 14, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_function_type = { "FunctionProto", function_fields };

static const SymProtoField device_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "num_devices", SYM_PROTO_INT32, 0, NULL, NULL },
  { 3, "device", SYM_PROTO_STRING, REPEATED, NULL, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_device_type = { "DeviceConfigurationProto", device_fields };

static const SymProtoField model_fields[] = {
  { 1, "ir_version", SYM_PROTO_INT64, 0, NULL, NULL },
  { 2, "producer_name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 3, "producer_version", SYM_PROTO_STRING, 0, NULL, NULL },
  { 4, "domain", SYM_PROTO_STRING, 0, NULL, NULL },
  { 5, "model_version", SYM_PROTO_INT64, 0, NULL, NULL },
  { 6, "doc_string", SYM_PROTO_STRING, 0, NULL, NULL },
  { 7, "graph", SYM_PROTO_MESSAGE, 0, &sym_onnx_graph_type, NULL },
  { 8, "opset_import", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_opset_type, NULL },
  { 14, "metadata_props", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_entry_type, NULL },
  { 20, "training_info", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_training_type, NULL },
  { 25, "functions", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_function_type, NULL },
  { 26, "configuration", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_device_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_model_type = { "ModelProto", model_fields };

static const SymProtoField sequence_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "elem_type", SYM_PROTO_INT32, 0, NULL, NULL },
  { 3, "tensor_values", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_tensor_type, NULL },
  { 4, "sparse_tensor_values", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sparse_type, NULL },
  { 5, "sequence_values", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_sequence_type, NULL },
  { 6, "map_values", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_map_type, NULL },
  { 7, "optional_values", SYM_PROTO_MESSAGE, REPEATED, &sym_onnx_optional_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_sequence_type = { "SequenceProto", sequence_fields };

static const SymProtoField map_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "key_type", SYM_PROTO_INT32, 0, NULL, NULL },
  { 3, "keys", SYM_PROTO_INT64, REPEATED, NULL, NULL },
  { 4, "string_keys", SYM_PROTO_BYTES, REPEATED, NULL, NULL },
  { 5, "values", SYM_PROTO_MESSAGE, 0, &sym_onnx_sequence_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_map_type = { "MapProto", map_fields };

static const SymProtoField optional_fields[] = {
  { 1, "name", SYM_PROTO_STRING, 0, NULL, NULL },
  { 2, "elem_type", SYM_PROTO_INT32, 0, NULL, NULL },
  { 3, "tensor_value", SYM_PROTO_MESSAGE, 0, &sym_onnx_tensor_type, NULL },
  { 4, "sparse_tensor_value", SYM_PROTO_MESSAGE, 0, &sym_onnx_sparse_type, NULL },
  { 5, "sequence_value", SYM_PROTO_MESSAGE, 0, &sym_onnx_sequence_type, NULL },
  { 6, "map_value", SYM_PROTO_MESSAGE, 0, &sym_onnx_map_type, NULL },
  { 7, "optional_value", SYM_PROTO_MESSAGE, 0, &sym_onnx_optional_type, NULL },
  { 0, NULL, SYM_PROTO_INT32, 0, NULL, NULL },
};
const SymProtoType sym_onnx_optional_type = { "OptionalProto", optional_fields };
