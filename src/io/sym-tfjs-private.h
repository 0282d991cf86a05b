/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "io/sym-net-keys.h"
#include "io/sym-tensorflow-checkpoint.h"
#include "io/sym-tfjs-flow.h"
#include "io/sym-tfjs-weights.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* TensorFlow's GraphDef as JSON, as TensorFlow.js has it, and what else makes a model of it. */
typedef struct {
  const SymJson *json;
  guint graph;                         /* tokens; SYM_JSON_NONE for what there is not */
  guint manifest;                      /* of weights */
  guint outputs;                       /* of a signature */
  SymTensorflowCheckpoint *checkpoint; /* of its variables; NULL for none; borrowed */
  const char *trouble;                 /* why there is none; NULL when nobody looked */
  SymBlob *blob; /* what bytes with an offset and a size mean places of; NULL for none */
  const char *format;
} SymTfjsDocument;

/* ---- sym-tfjs-graph.c ---- */

SymModel *
sym_tfjs_read_document (const SymTfjsDocument *document, const SymIoSource *source, GError **error);

/* ---- sym-tfjs-attribute.c ---- */

/* {"T": {"type": "DT_FLOAT"}, "strides": {"list": {"i": ["1", "2"]}}, "padding": {"s": "U0FNRQ=="}}
 */
SymAttributes *sym_tfjs_read_attributes (const SymJson *json, guint map);

/* The value of one of them, as SymNetAttributes ask for. */
SymValue *sym_tfjs_read_attribute (const SymJson *json, guint token, gpointer user_data);

/* {"dim": [{"size": "-1"}, {"size": "3"}]}, {"unknownRank": true} */
SymShape sym_tfjs_read_shape (const SymJson *json, guint token);

/* tensorflow.DataType by number: 1 is float32. */
SymDType sym_tfjs_get_dtype (gint64 number);

/* "DT_FLOAT", or its number. */
SymDType sym_tfjs_read_dtype (const SymJson *json, guint token);

/* Bytes, of which *@size may be 0 */
char *sym_tfjs_dup_bytes (const SymJson *json, guint token, gsize *size);

/* A TensorProto with its numbers: NULL when it has none, or they cannot be read. */
SymTensor *sym_tfjs_read_tensor (const SymTfjsDocument *document, guint token);

/* ---- sym-tfjs-names.c ---- */

#define SYM_TFJS_MAX_OUTPUTS 4096
#define SYM_TFJS_MAX_DEPTH 16 /* of functions, loops and choices within each other */

/* What has been met so far. */
typedef struct {
  SymNet *net;        /* of the whole graph, borrowed: bodies have no problems of their own */
  guint64 n_inner;    /* nodes and ends of functions, once for each call */
  guint64 room;       /* for results: see sym_net_limit_results() */
  GHashTable *untold; /* names of functions that are not shown where they are called */
  SymNetAttributes *attributes;
  GArray *missing;     /* numbers of variables, by sym_tfjs_missing_new() */
  SymNetKeys *types;   /* what operators are called; @first: the place of theirs in: */
  GPtrArray *of_types; /* of SymOperator, NULL for one that is not known */
  guint n_visited;     /* nodes of the graph */
} SymTfjsCounts;

/* Where a reader is: in the graph, a function, a loop. */
typedef struct _SymTfjsWalk {
  const SymTfjsDocument *document;
  const SymIoSource *source;
  const SymTfjsWeights *weights;
  SymTfjsCounts *counts;
  GHashTable *functions; /* name to token + 1 */
  SymNetKeys *n_outputs; /* names of nodes; @first: how many of its outputs are used */
  GHashTable *operators; /* name of a node to its operator, where outputs have names */
  guint depth;
  const struct _SymTfjsWalk *around; /* of a function: where it is called; NULL for the graph */
  guint function;                    /* its token */
  const SymTfjsFlow *flow;           /* loops and choices of TensorFlow 1; NULL for none */
  gboolean is_block;                 /* within one of these: what has to come before does */
} SymTfjsWalk;

SymTfjsParts sym_tfjs_get_parts (const SymJson *json, guint node);

/* "node:1", the key of an output but the first. */
char *sym_tfjs_name_output (const char *node, guint64 output);

/* The key of what @use means: "a/b:0" is "a/b". */
char *sym_tfjs_make_key (const SymTfjsWalk *walk, const char *use);

/* The same where nothing else stands for @use. */
char *sym_tfjs_make_plain_key (const SymTfjsWalk *walk, const char *use);

/* The number of an output, of digits alone: "1".  FALSE for what is no such number. */
gboolean sym_tfjs_parse_output (const char *text, guint64 *output);

/* Whether a use of so many bytes is a key as it stands: most are. */
gboolean sym_tfjs_is_key (const SymTfjsWalk *walk, const char *use, gsize length);

/* The operators of nodes whose outputs have names, to be @walk's. */
void sym_tfjs_list_operators (const SymJson *json, guint nodes, GHashTable *operators);

/* How many outputs each node has, as far as anybody uses them: adds those of one use, of all nodes.
 * A flow knows that of the uses of its nodes. */
void sym_tfjs_count_output (const SymTfjsWalk *walk, const char *use);
void sym_tfjs_count_outputs (const SymJson *json, guint nodes, const SymTfjsWalk *walk);

/* 0 where no more than the first is known to be. */
guint sym_tfjs_get_n_used (const SymTfjsWalk *walk, const char *node);

/* ---- sym-tfjs-blocks.c ---- */

/* Adds the loops and choices of TensorFlow 1 in @walk. */
gboolean sym_tfjs_add_blocks (SymNet *net, const SymTfjsWalk *walk, GError **error);

/* ---- sym-tfjs-nodes.c ---- */

/* Adds a node, whatever it is. */
gboolean
sym_tfjs_add_node (SymNet *net, const SymTfjsWalk *walk, const SymTfjsParts *node, GError **error);

/* The same as a SymNetVisit, with the walk. */
gboolean sym_tfjs_visit_node (SymNet *net, guint key, guint node, gpointer walk, GError **error);

/* ---- sym-tfjs-sources.c ---- */

/* Adds a node that no layer is: a constant, an input, a variable.  FALSE for any other. */
gboolean sym_tfjs_add_source (SymNet *net,
                              const SymTfjsWalk *walk,
                              guint node,
                              const char *name,
                              const char *op);

GArray *sym_tfjs_missing_new (void);
void sym_tfjs_warn_of_missing (const SymTfjsCounts *counts, guint token);

G_END_DECLS
