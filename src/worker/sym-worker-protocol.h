/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-frame-protocol.h"

G_BEGIN_DECLS

/* What symscope-layout-worker and its client say to each other, in frames.  The worker answers each
 * SYM_WORKER_LAYOUT with one SYM_WORKER_PLACES or one SYM_WORKER_FAILURE, in order, and waits for
 * the next.  It exits with 0 at the end of its input. */
enum {
  SYM_WORKER_LAYOUT = 1, /* a SymWorkerRequest */
  SYM_WORKER_PLACES = 2, /* a SymWorkerPlaces */
};

/* What the worker accepts. */
#define SYM_WORKER_MAX_SIZE (16 * 1024 * 1024)
#define SYM_WORKER_MAX_NODES 20000
#define SYM_WORKER_MAX_EDGES 60000
#define SYM_WORKER_MAX_EXTENT 100000.0 /* of a node, in points */
#define SYM_WORKER_MAX_GAP 1000.0
#define SYM_WORKER_MAX_WEIGHT 1000

/* A graph to be laid out downwards by `dot`, followed by @n_nodes SymWorkerNode, @n_edges
 * SymWorkerEdge and @n_row_words guint32: rows of nodes that stand at one height, from left to
 * right in the order given, each row as its length and its nodes. */
typedef struct {
  guint32 n_nodes;
  guint32 n_edges;
  guint32 n_row_words;
  guint32 wants_splines;
  double node_gap; /* least distances between nodes, across and along, in points */
  double rank_gap;
  double
      effort; /* steps of network simplex per node that places may cost; 0: as many as it takes */
} SymWorkerRequest;

typedef struct {
  double width;
  double height;
} SymWorkerNode;

typedef struct {
  guint32 from;
  guint32 to;
  guint32 weight; /* how straight and short it should be; at least 1 */
  guint32 unused;
} SymWorkerEdge;

/* The answer, followed by @n_nodes SymWorkerPoint, the middles of nodes, y down.  When splines were
 * asked for, these follow: per edge a guint64 and so many SymWorkerPoint, a chain of cubic Bézier
 * curves from its first node to its second (3k+1 points; 0 when `dot` gave none). */
typedef struct {
  guint32 n_nodes;
  guint32 n_edges; /* 0 without splines */
  double width;
  double height;
} SymWorkerPlaces;

typedef struct {
  double x;
  double y;
} SymWorkerPoint;

G_END_DECLS
