/* SPDX-License-Identifier: MIT */
#include "io/sym-tensorflow-messages.h"

#define REPEATED SYM_PROTO_REPEATED
#define MANY (SYM_PROTO_REPEATED | SYM_PROTO_PACKED | SYM_PROTO_IN_FILE)
#define LIST (SYM_PROTO_REPEATED | SYM_PROTO_PACKED)
#define MAP (SYM_PROTO_REPEATED | SYM_PROTO_MAP)

#define END                                 \
  {                                         \
    0, NULL, SYM_PROTO_INT32, 0, NULL, NULL \
  }
#define NUMBER(number_, name_, kind_, flags_)             \
  {                                                       \
    number_, name_, SYM_PROTO_##kind_, flags_, NULL, NULL \
  }
#define TRUTH(number_, name_, flags_)                                       \
  {                                                                         \
    number_, name_, SYM_PROTO_INT32, SYM_PROTO_TRUTH | (flags_), NULL, NULL \
  }
#define DTYPE(number_, name_, flags_)                                              \
  {                                                                                \
    number_, name_, SYM_PROTO_INT32, SYM_PROTO_NAMED | (flags_), NULL, dtype_names \
  }
#define MESSAGE(number_, name_, flags_, type_)              \
  {                                                         \
    number_, name_, SYM_PROTO_MESSAGE, flags_, &type_, NULL \
  }

/* DataType of types.proto; those of references to variables are 100 more. */
static const SymProtoName dtype_names[] = {
  { 1, "DT_FLOAT" },          { 2, "DT_DOUBLE" },
  { 3, "DT_INT32" },          { 4, "DT_UINT8" },
  { 5, "DT_INT16" },          { 6, "DT_INT8" },
  { 7, "DT_STRING" },         { 8, "DT_COMPLEX64" },
  { 9, "DT_INT64" },          { 10, "DT_BOOL" },
  { 11, "DT_QINT8" },         { 12, "DT_QUINT8" },
  { 13, "DT_QINT32" },        { 14, "DT_BFLOAT16" },
  { 15, "DT_QINT16" },        { 16, "DT_QUINT16" },
  { 17, "DT_UINT16" },        { 18, "DT_COMPLEX128" },
  { 19, "DT_HALF" },          { 20, "DT_RESOURCE" },
  { 21, "DT_VARIANT" },       { 22, "DT_UINT32" },
  { 23, "DT_UINT64" },        { 24, "DT_FLOAT8_E5M2" },
  { 25, "DT_FLOAT8_E4M3FN" }, { 29, "DT_INT4" },
  { 30, "DT_UINT4" },         { 0, NULL },
};

/* ---- Tensors ---- */

static const SymProtoField dim_fields[] = {
  NUMBER (TENSORFLOW_DIM_SIZE, "size", INT64, 0),
  NUMBER (2, "name", STRING, 0),
  END,
};
static const SymProtoType dim_type = { "TensorShapeProto.Dim", dim_fields };

static const SymProtoField shape_fields[] = {
  MESSAGE (TENSORFLOW_SHAPE_DIM, "dim", REPEATED, dim_type),
  TRUTH (3, "unknown_rank", 0),
  END,
};
static const SymProtoType shape_type = { "TensorShapeProto", shape_fields };

static const SymProtoField tensor_fields[] = {
  DTYPE (1, "dtype", 0),
  MESSAGE (2, "tensor_shape", 0, shape_type),
  NUMBER (3, "version_number", INT32, 0),
  NUMBER (4, "tensor_content", BYTES, SYM_PROTO_IN_FILE),
  NUMBER (5, "float_val", FLOAT, MANY),
  NUMBER (6, "double_val", DOUBLE, MANY),
  NUMBER (7, "int_val", INT32, MANY),
  NUMBER (8, "string_val", BYTES, REPEATED),
  NUMBER (10, "int64_val", INT64, MANY),
  TRUTH (11, "bool_val", MANY),
  NUMBER (13, "half_val", INT32, MANY),
  NUMBER (16, "uint32_val", INT64, MANY),
  NUMBER (17, "uint64_val", UINT64, MANY),
  END,
};
static const SymProtoType tensor_type = { "TensorProto", tensor_fields };

/* ---- Attributes ---- */

static const SymProtoType value_type;

static const SymProtoField attribute_fields[] = {
  NUMBER (1, "key", STRING, 0),
  MESSAGE (2, "value", 0, value_type),
  END,
};
static const SymProtoType attribute_type = { "NodeDef.AttrEntry", attribute_fields };

static const SymProtoField called_fields[] = {
  NUMBER (1, "name", STRING, 0),
  MESSAGE (2, "attr", MAP, attribute_type),
  END,
};
static const SymProtoType called_type = { "NameAttrList", called_fields };

static const SymProtoField list_fields[] = {
  NUMBER (2, "s", BYTES, REPEATED),
  NUMBER (3, "i", INT64, LIST),
  NUMBER (4, "f", FLOAT, LIST),
  TRUTH (5, "b", LIST),
  DTYPE (6, "type", LIST),
  MESSAGE (7, "shape", REPEATED, shape_type),
  MESSAGE (8, "tensor", REPEATED, tensor_type),
  MESSAGE (9, "func", REPEATED, called_type),
  END,
};
static const SymProtoType list_type = { "AttrValue.ListValue", list_fields };

static const SymProtoField value_fields[] = {
  MESSAGE (1, "list", 0, list_type),
  NUMBER (2, "s", BYTES, 0),
  NUMBER (3, "i", INT64, 0),
  NUMBER (4, "f", FLOAT, 0),
  TRUTH (5, "b", 0),
  DTYPE (6, "type", 0),
  MESSAGE (7, "shape", 0, shape_type),
  MESSAGE (8, "tensor", 0, tensor_type),
  NUMBER (9, "placeholder", STRING, 0),
  MESSAGE (10, "func", 0, called_type),
  END,
};
static const SymProtoType value_type = { "AttrValue", value_fields };

/* ---- Nodes and functions ---- */

static const SymProtoField node_fields[] = {
  NUMBER (TENSORFLOW_NODE_NAME, "name", STRING, 0),
  NUMBER (TENSORFLOW_NODE_OP, "op", STRING, 0),
  NUMBER (3, "input", STRING, REPEATED),
  NUMBER (4, "device", STRING, 0),
  MESSAGE (5, "attr", MAP, attribute_type),
  END,
};
const SymProtoType sym_tensorflow_node_type = { "NodeDef", node_fields };

static const SymProtoField argument_fields[] = {
  NUMBER (1, "name", STRING, 0),
  NUMBER (2, "description", STRING, 0),
  DTYPE (3, "type", 0),
  NUMBER (4, "type_attr", STRING, 0),
  NUMBER (5, "number_attr", STRING, 0),
  NUMBER (6, "type_list_attr", STRING, 0),
  END,
};
static const SymProtoType argument_type = { "OpDef.ArgDef", argument_fields };

static const SymProtoField signature_fields[] = {
  NUMBER (TENSORFLOW_SIGNATURE_NAME, "name", STRING, 0),
  MESSAGE (2, "input_arg", REPEATED, argument_type),
  MESSAGE (3, "output_arg", REPEATED, argument_type),
  END,
};
const SymProtoType sym_tensorflow_signature_type = { "OpDef", signature_fields };

static const SymProtoField returned_fields[] = {
  NUMBER (1, "key", STRING, 0),
  NUMBER (2, "value", STRING, 0),
  END,
};
static const SymProtoType returned_type = { "FunctionDef.RetEntry", returned_fields };

static const SymProtoField function_fields[] = {
  MESSAGE (TENSORFLOW_FUNCTION_SIGNATURE, "signature", 0, sym_tensorflow_signature_type),
  MESSAGE (3, "node_def", REPEATED, sym_tensorflow_node_type),
  MESSAGE (4, "ret", MAP, returned_type),
  MESSAGE (5, "attr", MAP, attribute_type),
  END,
};
const SymProtoType sym_tensorflow_function_type = { "FunctionDef", function_fields };

static const SymProtoField library_fields[] = {
  MESSAGE (TENSORFLOW_LIBRARY_FUNCTION, "function", REPEATED, sym_tensorflow_function_type),
  END,
};
const SymProtoType sym_tensorflow_library_type = { "FunctionDefLibrary", library_fields };

static const SymProtoField graph_fields[] = {
  MESSAGE (TENSORFLOW_GRAPH_NODE, "node", REPEATED, sym_tensorflow_node_type),
  MESSAGE (TENSORFLOW_GRAPH_LIBRARY, "library", 0, sym_tensorflow_library_type),
  END,
};
const SymProtoType sym_tensorflow_graph_type = { "GraphDef", graph_fields };

/* ---- Saved models ---- */

static const SymProtoField tensor_info_fields[] = {
  NUMBER (1, "name", STRING, 0),
  DTYPE (2, "dtype", 0),
  MESSAGE (3, "tensor_shape", 0, shape_type),
  END,
};
static const SymProtoType tensor_info_type = { "TensorInfo", tensor_info_fields };

static const SymProtoField slot_fields[] = {
  NUMBER (1, "key", STRING, 0),
  MESSAGE (2, "value", 0, tensor_info_type),
  END,
};
static const SymProtoType slot_type = { "SignatureDef.Entry", slot_fields };

static const SymProtoField served_fields[] = {
  MESSAGE (1, "inputs", MAP, slot_type),
  MESSAGE (2, "outputs", MAP, slot_type),
  NUMBER (3, "method_name", STRING, 0),
  END,
};
static const SymProtoType served_type = { "SignatureDef", served_fields };

static const SymProtoField signature_entry_fields[] = {
  NUMBER (1, "key", STRING, 0),
  MESSAGE (2, "value", 0, served_type),
  END,
};
static const SymProtoType signature_entry_type = { "MetaGraphDef.SignatureDefEntry",
                                                   signature_entry_fields };

static const SymProtoField op_list_fields[] = {
  MESSAGE (TENSORFLOW_OP_LIST_OP, "op", REPEATED, sym_tensorflow_signature_type),
  END,
};
const SymProtoType sym_tensorflow_op_list_type = { "OpList", op_list_fields };

/* The list of operators that the graph was made with is of no use, and stays where it is. */
static const SymProtoField meta_info_fields[] = {
  NUMBER (1, "meta_graph_version", STRING, 0),
  { TENSORFLOW_META_INFO_OPS, "stripped_op_list", SYM_PROTO_BYTES, SYM_PROTO_IN_FILE,
    &sym_tensorflow_op_list_type, NULL },
  NUMBER (4, "tags", STRING, REPEATED),
  NUMBER (TENSORFLOW_META_INFO_VERSION, "tensorflow_version", STRING, 0),
  NUMBER (6, "tensorflow_git_version", STRING, 0),
  END,
};
const SymProtoType sym_tensorflow_meta_info_type = { "MetaGraphDef.MetaInfoDef", meta_info_fields };

static const SymProtoField meta_graph_fields[] = {
  MESSAGE (TENSORFLOW_META_GRAPH_INFO, "meta_info_def", 0, sym_tensorflow_meta_info_type),
  MESSAGE (TENSORFLOW_META_GRAPH_GRAPH, "graph_def", 0, sym_tensorflow_graph_type),
  MESSAGE (5, "signature_def", MAP, signature_entry_type),
  END,
};
const SymProtoType sym_tensorflow_meta_graph_type = { "MetaGraphDef", meta_graph_fields };

static const SymProtoField saved_model_fields[] = {
  NUMBER (TENSORFLOW_SAVED_MODEL_VERSION, "saved_model_schema_version", INT64, 0),
  MESSAGE (TENSORFLOW_SAVED_MODEL_META_GRAPHS,
           "meta_graphs",
           REPEATED,
           sym_tensorflow_meta_graph_type),
  END,
};
const SymProtoType sym_tensorflow_saved_model_type = { "SavedModel", saved_model_fields };

/* ---- Checkpoints (tensor_bundle.proto, trackable_object_graph.proto) ---- */

static const SymProtoField bundle_header_fields[] = {
  NUMBER (TENSORFLOW_BUNDLE_HEADER_SHARDS, "num_shards", INT32, 0),
  NUMBER (TENSORFLOW_BUNDLE_HEADER_ENDIANNESS, "endianness", INT32, 0),
  END,
};
const SymProtoType sym_tensorflow_bundle_header_type = { "BundleHeaderProto",
                                                         bundle_header_fields };

static const SymProtoField extent_fields[] = {
  NUMBER (TENSORFLOW_EXTENT_START, "start", INT64, 0),
  NUMBER (TENSORFLOW_EXTENT_LENGTH, "length", INT64, 0),
  END,
};
static const SymProtoType extent_type = { "TensorSliceProto.Extent", extent_fields };

static const SymProtoField slice_fields[] = {
  MESSAGE (TENSORFLOW_SLICE_EXTENT, "extent", REPEATED, extent_type),
  END,
};
static const SymProtoType slice_type = { "TensorSliceProto", slice_fields };

/* The sum is a fixed number of four bytes, as floats are. */
static const SymProtoField bundle_entry_fields[] = {
  NUMBER (TENSORFLOW_BUNDLE_ENTRY_DTYPE, "dtype", INT32, 0),
  MESSAGE (TENSORFLOW_BUNDLE_ENTRY_SHAPE, "shape", 0, shape_type),
  NUMBER (TENSORFLOW_BUNDLE_ENTRY_SHARD, "shard_id", INT32, 0),
  NUMBER (TENSORFLOW_BUNDLE_ENTRY_OFFSET, "offset", INT64, 0),
  NUMBER (TENSORFLOW_BUNDLE_ENTRY_SIZE, "size", INT64, 0),
  NUMBER (TENSORFLOW_BUNDLE_ENTRY_SUM, "crc32c", FLOAT, 0),
  MESSAGE (TENSORFLOW_BUNDLE_ENTRY_SLICES, "slices", REPEATED, slice_type),
  END,
};
const SymProtoType sym_tensorflow_bundle_entry_type = { "BundleEntryProto", bundle_entry_fields };

static const SymProtoField saved_fields[] = {
  NUMBER (1, "name", STRING, 0),
  NUMBER (TENSORFLOW_SAVED_FULL_NAME, "full_name", STRING, 0),
  NUMBER (TENSORFLOW_SAVED_KEY, "checkpoint_key", STRING, 0),
  END,
};
static const SymProtoType saved_type = { "TrackableObject.SerializedTensor", saved_fields };

static const SymProtoField object_fields[] = {
  MESSAGE (TENSORFLOW_OBJECT_SAVED, "attributes", REPEATED, saved_type),
  END,
};
static const SymProtoType object_type = { "TrackableObject", object_fields };

static const SymProtoField object_graph_fields[] = {
  MESSAGE (TENSORFLOW_OBJECT_GRAPH_NODE, "nodes", REPEATED, object_type),
  END,
};
const SymProtoType sym_tensorflow_object_graph_type = { "TrackableObjectGraph",
                                                        object_graph_fields };
