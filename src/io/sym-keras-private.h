/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-io-private.h"
#include "io/sym-net-attributes.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* Keras' model configurations (keras.Model.to_json() of 1, 2 and 3, and what TensorFlow.js writes
 * of them).  A model is read in two steps: its layers and where each is applied, as they are
 * written (SymKerasGraph), then the model.  A sequence of layers is a graph whose nodes follow each
 * other. */

#define SYM_KERAS_MAX_DEPTH 32 /* of models in models */

/* Where the tensor comes from that a layer is applied to: [layer, node, tensor]. */
typedef struct {
  char *name;  /* of the layer; NULL: @constant */
  guint layer; /* SYM_JSON_NONE when there is none of that name */
  guint node, tensor;
  guint token;
  guint shape;   /* token of what the file says of the tensor; SYM_JSON_NONE */
  char *keyword; /* NULL: by position */
  guint slot;    /* which operand it became */
} SymKerasRef;

/* An application of a layer. */
typedef struct {
  guint layer;
  guint token; /* SYM_JSON_NONE in a sequence */
  guint first_ref, n_refs;
  int mask;   /* the node whose mask its result has, -1 for none */
  SymId call; /* SYM_NO_ID of an input */
} SymKerasNode;

typedef struct {
  char *name;
  char *type;
  guint token, config;
  gboolean is_input;
  guint first_node, n_nodes;
  guint n_results; /* as many as are used, at least 1 */
  SymLayer *layer;
  SymId input;        /* the value that an input is */
  GArray *parameters; /* of SymId, by slot of the operator; NULL before its first call */
} SymKerasLayer;

typedef struct {
  SymJson *json;
  const SymIoSource *source;
  const char *format;               /* "keras" or "keras-h5" */
  GHashTable *values;               /* of attributes that were read already, by their text */
  SymNetAttributes *attributes;     /* the same with their names */
  guint root;                       /* what has class_name and config */
  int major;                        /* 1, 2 or 3 */
  guint n_layers;                   /* of the file, bodies included */
  gboolean is_frozen;               /* what stands around the layer that is being made */
  struct _SymKerasWeights *weights; /* NULL for none */
  struct _SymKerasShelf *shelf;     /* what of them belongs to the layer that is being made */
} SymKerasReader;

typedef struct {
  SymKerasReader *reader;
  GArray *layers;    /* of SymKerasLayer */
  GArray *nodes;     /* of SymKerasNode */
  GArray *refs;      /* of SymKerasRef */
  GArray *outputs;   /* of SymKerasRef */
  GArray *inputs;    /* of SymKerasRef; empty: all inputs in file order */
  GHashTable *names; /* of layers, to place + 1 */
  gboolean is_sequence;
} SymKerasGraph;

/* What a model keeps about its file. */
typedef struct {
  char *class_name; /* "Sequential", "Functional", "Model" */
  int major;
  gboolean is_list;                           /* config is the list of layers itself */
  gboolean is_sequence;                       /* without inbound nodes */
  gboolean has_flat_inputs, has_flat_outputs; /* ["x", 0, 0] for [["x", 0, 0]] */
  SymAttributes *root;                        /* what stands beside class_name and config */
  SymAttributes *config;                      /* what stands beside the layers */
  SymAttributes *wrapper;                     /* what TensorFlow.js says around it all, or NULL */
} SymKerasOrigin;

/* As SymIoFormat.tell: what stands beside class_name and config, and what stands around. */
void sym_keras_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data);

/* ---- sym-keras-value.c ---- */

/* A constant, {"class_name": "__tuple__"} as a tuple. */
SymValue *sym_keras_read_value (SymKerasReader *self, guint token);

/* The members of an object, without those in @left_out, which ends with NULL. */
SymAttributes *
sym_keras_read_attributes (SymKerasReader *self, guint object, const char *const *left_out);

/* The same, not to be changed: objects that are alike share a list. */
SymAttributes *
sym_keras_share_attributes (SymKerasReader *self, guint object, const char *const *left_out);

/* A shape, null for what is not known; FALSE when it is none. */
gboolean sym_keras_read_shape (SymKerasReader *self, guint token, SymShape *shape);

/* What the config of an input, or of the first layer of a sequence, says of the data. */
SymType sym_keras_read_type (SymKerasReader *self, guint config);
SymDType sym_keras_read_dtype (SymKerasReader *self, guint config);

/* ---- sym-keras-graph.c ---- */

/* The layers of the model that @config describes. */
SymKerasGraph *sym_keras_graph_new (SymKerasReader *reader, guint config, GError **error);
void sym_keras_graph_free (SymKerasGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymKerasGraph, sym_keras_graph_free)

SymKerasLayer *sym_keras_graph_get_layer (const SymKerasGraph *self, guint i);
SymKerasNode *sym_keras_graph_get_node (const SymKerasGraph *self, guint i);
SymKerasRef *sym_keras_graph_get_ref (const SymKerasGraph *self, guint i);

/* ---- sym-keras-refs.c ---- */

/* Adds the tensors named within @token to @refs. */
void
sym_keras_collect_refs (SymKerasReader *reader, guint token, const char *keyword, GArray *refs);

/* The arguments of a call as a tree ((positional, ...), {named: ...}) whose operands are those of
 * @refs, in the order in which they were collected. */
SymValue *sym_keras_read_arguments (SymKerasReader *reader, guint token, const SymKerasRef *refs);

/* Whether @token is a tensor, and whether one is anywhere within it. */
gboolean sym_keras_is_tensor (const SymJson *json, guint token);
gboolean sym_keras_holds_tensors (SymKerasReader *reader, guint token);

/* ---- sym-keras-operation.c ---- */

/* Whether a layer of that type stands for a function of TensorFlow. */
gboolean sym_keras_is_lambda (const char *type);

/* The operator, of domain "keras.ops", of a node that is a function and no layer; NULL for one that
 * is not known. */
const SymOperator *sym_keras_find_operation (SymKerasReader *reader, guint token, const char *type);

/* Which slot of @op an argument called @name is for; SYM_JSON_NONE for none. */
guint sym_keras_find_argument (SymKerasReader *reader,
                               guint token,
                               const SymOperator *op,
                               const char *name);

/* What the first call of the function gives and is no operand, as attributes; and whether the
 * attribute called @name was made so, or says which are. */
void sym_keras_add_arguments (SymKerasReader *reader,
                              guint token,
                              const SymOperator *op,
                              SymAttributes *attributes);
gboolean sym_keras_is_given (const SymAttributes *attributes, const char *name);

/* Says so of one attribute. */
void sym_keras_mark_given (SymAttributes *attributes, const char *name);

/* A number, or lists of numbers, as a constant: of an argument, and of what the first call gives
 * for operand @slot of @op.  @integers is the dtype of those that are written as integers.
 * SYM_NO_ID for what is none. */
SymId sym_keras_add_constant (SymKerasReader *reader,
                              SymModelBuilder *builder,
                              guint token,
                              SymDType integers);
SymId sym_keras_add_operand (SymKerasReader *reader,
                             SymModelBuilder *builder,
                             guint token,
                             const SymOperator *op,
                             guint slot);

/* ---- sym-keras-layer.c ---- */

/* Whether the config is that of a model. */
gboolean sym_keras_is_model (const SymJson *json, guint config);

/* Keeps what the container of that config says of training: one that is frozen freezes all that is
 * within, whatever that says itself.  The result is to be restored as reader->is_frozen. */
gboolean sym_keras_enter (SymKerasReader *reader, guint config);

/* The layer, with its bodies. */
SymLayer *sym_keras_make_layer (SymKerasReader *reader,
                                const SymKerasGraph *graph,
                                const SymKerasLayer *layer,
                                guint depth,
                                GError **error);

/* The operator of a layer; NULL for one that is not known. */
const SymOperator *sym_keras_find_operator (SymKerasReader *reader, guint token, const char *type);

/* hard_sigmoid is another function since Keras 3: layers with it are marked. */
void sym_keras_mark_version (SymKerasReader *reader, SymAttributes **attributes);

/* Adds the weights of a layer to @builder: an id for each slot of its operator; of a layer of
 * unknown class those that are stored for it. */
GArray *
sym_keras_add_parameters (SymKerasReader *reader, SymModelBuilder *builder, SymLayer *layer);

/* What Keras calls the weight in a slot, and what numbers weights of a layer are. */
const char *sym_keras_get_weight_name (const char *slot);
SymDType sym_keras_get_weight_dtype (const SymAttributes *attributes);

/* ---- sym-keras-bidirectional.c ---- */

SymModel *sym_keras_make_bidirectional (SymKerasReader *reader,
                                        guint config,
                                        guint n_states,
                                        gboolean has_mask,
                                        GError **error);

/* ---- sym-keras-cells.c ---- */

/* The layer that an RNN of one cell is, without its weights; NULL for a cell that is not known. */
SymLayer *sym_keras_make_cell (SymKerasReader *reader, guint config);

/* What an RNN is, one layer for each cell; NULL when one of them is not known. */
SymModel *
sym_keras_make_cells (SymKerasReader *reader, guint config, guint n_states, gboolean has_mask);

/* ---- sym-keras-tensorflow.c ---- */

/* What a TensorFlowOpLayer is; NULL for an operation that is not known. */
SymModel *sym_keras_make_tensorflow (SymKerasReader *reader, guint config, guint n_results);

/* ---- sym-keras-read.c ---- */

/* The model that @config describes.  @take_origin may be NULL. */
SymModel *sym_keras_build (SymKerasReader *reader,
                           guint config,
                           const char *name,
                           SymKerasOrigin *take_origin,
                           guint depth,
                           GError **error);

/* A model of one layer, applied to one input. */
SymModel *sym_keras_build_single (SymKerasReader *reader, guint token, guint depth, GError **error);

void sym_keras_origin_free (SymKerasOrigin *self);

/* ---- sym-keras.c ---- */

gboolean sym_keras_is_document (const SymJson *json);

/* The model of a document in a file of @format, with @take_weights, which may be NULL. */
SymModel *sym_keras_read_document (SymJson *json,
                                   const SymIoSource *source,
                                   const char *format,
                                   struct _SymKerasWeights *take_weights,
                                   GError **error);

/* ---- sym-keras-write.c ---- */

gboolean sym_keras_write (SymModel *model,
                          const SymInference *inference,
                          const char *path,
                          SymProblems *notes,
                          GError **error);

G_END_DECLS
