/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-mxnet-layout.h"
#include "io/sym-mxnet-private.h"

G_BEGIN_DECLS

/* A node of the file to be: a value without a call, or a call. */
typedef struct {
  gboolean is_call;
  SymId id;
  guint place; /* the node that it was in the file it came from; SYM_JSON_NONE for none */
} SymMxnetWriteNode;

/* One graph being written; a body has one of its own. */
typedef struct {
  const SymModel *model;
  const SymInference *inference; /* NULL, or of @model */
  const SymMxnetOrigin *origin;  /* NULL for a model of another format */
  SymMxnetLayout *layout;
  SymProblems *notes; /* may be NULL */
  const char *attributes_key;
  gboolean has_versions; /* entries have three numbers */
  gboolean is_legacy;    /* `param`, no auxiliary variables */
  gboolean is_np_shape;  /* -1 is the unknown dimension, not 0 */
  gboolean is_whole;     /* all nodes of the file it came from, in their order, and no other */
  GArray *nodes;         /* of SymMxnetWriteNode */
  guint *value_nodes;    /* per value: its node, or that of its call; SYM_JSON_NONE when left out */
  guint *call_nodes;     /* per call */
  guint *mutations;      /* per node: how often calls so far have changed it */
} SymMxnetWriter;

/* ---- sym-mxnet-write-attributes.c ---- */

/* The attributes of a node as strings, in the order of the file. */
typedef struct {
  GPtrArray *keys;
  GPtrArray *texts;
} SymMxnetMap;

void sym_mxnet_map_clear (SymMxnetMap *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymMxnetMap, sym_mxnet_map_clear)

/* The maps of a node: those of its first key, and of the second where it has (or is to have) two.
 */
void sym_mxnet_map_node (const SymMxnetWriter *writer,
                         guint node,
                         SymMxnetMap *first,
                         SymMxnetMap *second);
void sym_mxnet_map_write (const SymMxnetMap *self, SymMxnetLayout *layout);

/* Whether a variable has a dimension of size 0, or none at all.  MXNet's own shapes take these for
 * unknown (M41), so that a new graph which has them says that its shapes are numpy's. */
gboolean sym_mxnet_needs_np_shape (const SymMxnetWriter *writer);

/* ---- sym-mxnet-write-node.c ---- */

gboolean sym_mxnet_write_node (SymMxnetWriter *writer, guint node, guint depth, GError **error);

/* ---- sym-mxnet-write.c ---- */

/* The graph of @model at the layout's place; @depth counts bodies. */
gboolean sym_mxnet_write_graph (const SymModel *model,
                                const SymInference *inference,
                                SymMxnetLayout *layout,
                                SymProblems *notes,
                                guint depth,
                                GError **error);

G_END_DECLS
