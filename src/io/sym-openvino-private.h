/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* What OpenVINO's XML says, before a model is made of it. */
typedef struct {
  char *id;
  SymDType dtype;
  SymShape shape;
} SymOpenvinoPort;

/* Numbers of a layer itself, before IR 10: "weights", "biases", of constants "custom". */
typedef struct {
  char *name;
  gint64 offset, size; /* bytes */
  SymDType dtype;      /* unknown: that of the layer */
} SymOpenvinoBlob;

typedef struct {
  char *from, *to; /* "layer:port" */
} SymOpenvinoEdge;

typedef struct {
  GPtrArray *layers; /* of SymOpenvinoLayer */
  GPtrArray *edges;  /* of SymOpenvinoEdge */
  gint64 version;    /* of the IR, 0 where it is not told */
} SymOpenvinoGraph;

/* What a port of a layer is in its body.  Without an axis it is the whole; with one a part of it at
 * every turn, from the first to the last, both included; negative places count from the end. */
typedef struct {
  gboolean is_output;
  char *port;    /* of the layer, "-1" for none */
  char *layer;   /* of the body */
  char *purpose; /* "current_iteration", "execution_condition"; NULL for none */
  gboolean has_axis;
  gint64 axis, start, end, stride, part_size;
} SymOpenvinoMapping;

typedef struct {
  char *name; /* "body", "then_body", "else_body" */
  SymOpenvinoGraph *graph;
  GArray *mappings;   /* of SymOpenvinoMapping */
  GPtrArray *returns; /* of SymOpenvinoEdge, from what a turn makes to what the next is given */
} SymOpenvinoBody;

typedef struct {
  char *id, *name, *type, *version;
  SymAttributes *attributes;
  guint line;
  guint n_inputs;
  SymDType dtype;    /* of what it makes, before IR 10 */
  GArray *outputs;   /* of SymOpenvinoPort */
  GArray *blobs;     /* of SymOpenvinoBlob */
  GPtrArray *bodies; /* of SymOpenvinoBody */
} SymOpenvinoLayer;

SymOpenvinoGraph *sym_openvino_graph_new (void);
void sym_openvino_graph_free (SymOpenvinoGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOpenvinoGraph, sym_openvino_graph_free)

/* ---- sym-openvino-parse.c ---- */

/* Fills @graph.  Dimensions that have names become those of @net.  *@name is the network's, NULL
 * for none; names and texts of what else the file says of itself are appended to @told by turns. */
gboolean sym_openvino_parse (SymNet *net,
                             const char *text,
                             gsize size,
                             SymOpenvinoGraph *graph,
                             char **name,
                             GPtrArray *told,
                             GError **error);

/* ---- sym-openvino-old.c ---- */

/* What only the stored results of a layer before IR 10 tell of it becomes attributes.  @op is NULL
 * for one that is unknown. */
void sym_openvino_tell_results (const SymOpenvinoLayer *layer, const SymOperator *op);

/* ---- sym-openvino-body.c ---- */

/* Tells by attributes of @layer how its operands are those of its bodies, and adds keys of the
 * results of body @i in the order that the operator takes them in.  @uses are the edges to the
 * layer in the order of its operands.  FALSE, with *@trouble, where the file makes no sense. */
gboolean sym_openvino_connect_body (const SymOpenvinoLayer *layer,
                                    guint i,
                                    const GPtrArray *uses,
                                    SymAttributes *attributes,
                                    GPtrArray *results,
                                    const char **trouble);

G_END_DECLS
