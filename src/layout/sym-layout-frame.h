/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/sym-layout-private.h"

G_BEGIN_DECLS

/* Layouts of scenes with frames.  What is within a frame is a *container*, laid out by itself; then
 * the frame stands as one item of its size in the container around it.  An edge that crosses
 * borders is cut into links, one per container, that meet in *ports*: a value enters a frame
 * through one port, and leaves it through one.
 *
 * Nodes are the items of the scene, then its frames, then the ports. */
typedef struct {
  guint from, to;           /* nodes of one container */
  guint from_port, to_port; /* where the line meets a node that is a frame; else G_MAXUINT */
  guint edge;               /* of the scene: one of those that share the link */
  guint tail;               /* which value it carries, in the container */
  gboolean is_back;
} SymFrameLink;

typedef struct {
  const SymScene *scene;
  guint n_items;
  guint n_frames;
  guint n_nodes;
  guint *homes; /* the container of a node: a frame, or n_frames for what no frame has */
  guint8 *pins; /* SymPin, of nodes: ports that lead in, out */
  guint *node_starts, *nodes; /* by container, and one more */
  guint *locals;              /* the number of a node within its container */
  guint n_links;
  SymFrameLink *links; /* container by container */
  guint *link_starts;  /* by container, and one more */
  guint *chain_starts; /* by edge of the scene, and one more */
  guint *chains;       /* the links of an edge from its start to its end */
} SymFrameSplit;

SymFrameSplit *sym_frame_split_new (const SymScene *scene);
void sym_frame_split_free (SymFrameSplit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFrameSplit, sym_frame_split_free)

/* A container laid out, x across and y along the flow, with links as sym_frame_split_new() orders
 * them. Immutable; reference-counted. */
typedef struct {
  gatomicrefcount ref_count;
  guint n_nodes;
  double *x, *y; /* middles of nodes */
  guint *course_starts;
  SymPoint *points;
  double width, height;
  double trunk; /* where the longest way enters, or leaves */
} SymFrameInside;

/* Takes what has been laid out from the part. */
SymFrameInside *sym_frame_inside_new (SymPart *part);
SymFrameInside *sym_frame_inside_ref (SymFrameInside *self);
void sym_frame_inside_unref (SymFrameInside *self);

/* Insides by all that they follow from, so that equal frames are laid out once, and what has not
 * changed since the last layout not at all. */
typedef struct _SymFrameCache SymFrameCache;

/* Begins with what @previous (NULL: nothing) has, less what was not used for long. */
SymFrameCache *sym_frame_cache_new (const SymFrameCache *previous);
void sym_frame_cache_free (SymFrameCache *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFrameCache, sym_frame_cache_free)

/* The inside of a part, laid out when it is not known.  NULL when cancelled. */
SymFrameInside *sym_frame_cache_look_up (SymFrameCache *self,
                                         SymPart *part,
                                         double rank_gap,
                                         SymLayoutEngine *engine,
                                         GCancellable *cancellable);

/* How often an inside had to be laid out. */
guint sym_frame_cache_get_n_runs (const SymFrameCache *self);

/* A frame as an item of the container around it. */
typedef struct {
  SymFrameInside *inside;
  double breadth, length;
  double across, along; /* where the inside begins */
} SymFrameSize;

/* The whole drawing. */
typedef struct {
  SymFrameSplit *split;
  SymFrameSize *sizes; /* by frame */
  GPtrArray *parts;    /* of the outermost container; their items are nodes, their edges links */
} SymFrameTree;

/* NULL when cancelled. */
SymFrameTree *sym_frame_tree_new (const SymScene *scene,
                                  SymDirection direction,
                                  double rank_gap,
                                  SymFrameCache *cache,
                                  SymLayoutEngine *engine,
                                  GCancellable *cancellable);
void sym_frame_tree_free (SymFrameTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFrameTree, sym_frame_tree_free)

/* Once the parts have their places: top left corners of items, rectangles of frames, and courses.
 */
void sym_frame_tree_place (const SymFrameTree *self,
                           SymDirection direction,
                           SymPoint *positions,
                           SymRect *rects);
void sym_frame_tree_join (const SymFrameTree *self,
                          SymDirection direction,
                          const SymRect *rects,
                          guint *course_starts,
                          GArray *points);

G_END_DECLS
