/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-proto.h"

G_BEGIN_DECLS

/* TensorFlow's kinds of messages, as far as a graph is made of them (graph.proto, saved_model.proto
 * and what they name); fields that are not here are passed over. */
extern const SymProtoType sym_tensorflow_node_type;
extern const SymProtoType sym_tensorflow_signature_type;
extern const SymProtoType sym_tensorflow_function_type;
extern const SymProtoType sym_tensorflow_library_type;
extern const SymProtoType sym_tensorflow_graph_type;
extern const SymProtoType sym_tensorflow_op_list_type;
extern const SymProtoType sym_tensorflow_meta_info_type;
extern const SymProtoType sym_tensorflow_meta_graph_type;
extern const SymProtoType sym_tensorflow_saved_model_type;

/* Of checkpoints (tensor_bundle.proto, trackable_object_graph.proto). */
extern const SymProtoType sym_tensorflow_bundle_header_type;
extern const SymProtoType sym_tensorflow_bundle_entry_type;
extern const SymProtoType sym_tensorflow_object_graph_type;

/* Numbers of their fields. */
enum {
  TENSORFLOW_NODE_NAME = 1,
  TENSORFLOW_NODE_OP = 2,
  TENSORFLOW_SIGNATURE_NAME = 1,
  TENSORFLOW_FUNCTION_SIGNATURE = 1,
  TENSORFLOW_LIBRARY_FUNCTION = 1,
  TENSORFLOW_GRAPH_NODE = 1,
  TENSORFLOW_GRAPH_LIBRARY = 2,
  TENSORFLOW_OP_LIST_OP = 1,
  TENSORFLOW_META_INFO_OPS = 2,
  TENSORFLOW_META_INFO_VERSION = 5,
  TENSORFLOW_META_GRAPH_INFO = 1,
  TENSORFLOW_META_GRAPH_GRAPH = 2,
  TENSORFLOW_SAVED_MODEL_VERSION = 1,
  TENSORFLOW_SAVED_MODEL_META_GRAPHS = 2,
  TENSORFLOW_DIM_SIZE = 1,
  TENSORFLOW_SHAPE_DIM = 2,
  TENSORFLOW_BUNDLE_HEADER_SHARDS = 1,
  TENSORFLOW_BUNDLE_HEADER_ENDIANNESS = 2,
  TENSORFLOW_BUNDLE_ENTRY_DTYPE = 1,
  TENSORFLOW_BUNDLE_ENTRY_SHAPE = 2,
  TENSORFLOW_BUNDLE_ENTRY_SHARD = 3,
  TENSORFLOW_BUNDLE_ENTRY_OFFSET = 4,
  TENSORFLOW_BUNDLE_ENTRY_SIZE = 5,
  TENSORFLOW_BUNDLE_ENTRY_SUM = 6,
  TENSORFLOW_BUNDLE_ENTRY_SLICES = 7,
  TENSORFLOW_SLICE_EXTENT = 1,
  TENSORFLOW_EXTENT_START = 1,
  TENSORFLOW_EXTENT_LENGTH = 2,
  TENSORFLOW_OBJECT_GRAPH_NODE = 1,
  TENSORFLOW_OBJECT_SAVED = 2,
  TENSORFLOW_SAVED_FULL_NAME = 2,
  TENSORFLOW_SAVED_KEY = 3,
};

G_END_DECLS
