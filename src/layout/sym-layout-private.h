/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/sym-layout-worker.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* Inside, everything flows down: *breadth* and x are measured across the flow, *length* and y along
 * it.  sym-layout.c turns the result when the flow goes right. */

/* An edge of the scene between two items of a part. */
typedef struct {
  guint from, to;   /* items of the part */
  guint edge;       /* of the scene */
  guint tail;       /* links of one item with the same tail are one value and share a bus */
  double from_port; /* where the line leaves and enters, across, from the middles of the items */
  double to_port;
  double from_side; /* the same along the flow: a side of a box */
  double to_side;
  double gap;        /* between ranks that it and its label need; 0: as much as any */
  gboolean is_trunk; /* on the way that the drawing should show as one straight line */
  gboolean is_back;  /* runs against the flow: closes a cycle, or ends where it begins */
  gboolean is_outer; /* too long for the ranks between: runs beside everything */
  guint path;        /* where the nodes between begin in the chains of SymLayering */
  guint n_path;
  guint first_edge; /* of SymLayering: by which the link leaves, and arrives; unless it is outer */
  guint last_edge;
} SymLink;

/* Where in a part an item has to be. */
typedef enum {
  SYM_PIN_NONE,
  SYM_PIN_FIRST, /* in the first rank */
  SYM_PIN_LAST,  /* in the last rank */
} SymPin;

/* A connected part of the scene, or what is within a frame. */
typedef struct {
  guint n_items;
  guint *items;     /* of the scene */
  double *breadths; /* with room for a line beside an item that leads back to it */
  double *lengths;
  guint8 *has_loop;
  double *leans; /* how far right of its x an item has its middle: its trunk runs there; or NULL */
  guint8 *pins;  /* SymPin; or NULL */
  guint n_links;
  SymLink *links;

  /* Links by item, back links left out: outs[out_starts[i]] to outs[out_starts[i + 1] - 1]. */
  guint *out_starts, *outs;
  guint *in_starts, *ins;

  guint *ranks; /* by item; every link but back ones goes to a higher rank */
  guint n_ranks;

  /* The result: middles of items (less their leans), and the courses of links. */
  double *x, *y;
  double left, top, width, height;
  guint *course_starts; /* by link, and one more; indices into course_points */
  SymPoint *course_points;
} SymPart;

/* Between two nodes of neighbouring ranks. */
typedef struct {
  guint upper, lower;
  float port; /* where it leaves its upper node, as a share of the breadth from the middle */
  gboolean is_trunk;
} SymLayerEdge;

/* The part with each long link cut into pieces of one rank, by nodes of no size.  Links of one
 * value share them, as do far links into an item that has many: these chains are *buses*. */
typedef struct {
  guint n_nodes; /* the items of the part, then the nodes of buses */
  guint n_items;
  guint *ranks;
  guint *buses;  /* which bus a node belongs to; G_MAXUINT for an item */
  guint *chains; /* nodes of buses, bus after bus, from top to bottom; numbered rank by rank */
  double *breadths;
  const double *leans; /* the part's, of items; or NULL */
  double *lefts;       /* from the x of a node to its sides */
  double *rights;
  guint n_edges;
  SymLayerEdge *edges;        /* rank by rank */
  guint *down_starts, *downs; /* edges by their upper, by their lower node */
  guint *up_starts, *ups;
  guint n_ranks;
  guint *rank_starts; /* into order, and one more */
  guint *order;       /* nodes, rank by rank, from left to right */
  guint *positions;   /* of nodes in their rank */
  double *x;          /* of their middles, less their leans */
} SymLayering;

/* Distances, across and along. */
#define SYM_LAYOUT_ITEM_GAP 30.0
#define SYM_LAYOUT_BUS_GAP 18.0  /* between an item and a line */
#define SYM_LAYOUT_LINE_GAP 12.0 /* between lines */
#define SYM_LAYOUT_LOOP 18.0     /* room on both sides of an item with a line to itself */
#define SYM_LAYOUT_RANK_GAP 22.0 /* between ranks: room for an arrow */

/* The gap between ranks that an edge needs for its arrow and its label. */
double sym_layout_get_gap (const SymSceneEdge *edge, SymDirection direction);
guint sym_layout_get_tail (const SymScene *scene, const SymSceneEdge *edge);

/* Around a frame's title, at its upper left. */
#define SYM_LAYOUT_TITLE_LEFT 28.0 /* of the text: a sign stands before it */
#define SYM_LAYOUT_TITLE_HEIGHT 22.0

/* A box across and along the flow, from the middle of its item. */
typedef struct {
  double middle;    /* across */
  double near, far; /* along */
} SymBoxPlace;

SymBoxPlace sym_layout_get_box_place (const SymSceneItem *item, guint box, SymDirection direction);

/* A part with room for items and links, but without any. */
SymPart *sym_part_new (guint n_items, guint n_links);

/* Connected parts, in order of their first items. */
GPtrArray *sym_parts_new (const SymScene *scene, SymDirection direction);
void sym_part_free (SymPart *self);

/* Finds links that run back, beyond those that the scene tells, and ranks: an item comes after what
 * it uses and near to what uses it.  Marks trunks.  Linear. */
void sym_part_rank (SymPart *self);

/* Ranks that all items have left would be empty stripes: numbers the others anew. */
void sym_part_close_up (SymPart *self);

/* Ranks many sources of one item in rows above it. */
void sym_part_stack_sources (SymPart *self);

/* Marks trunks, which share no item: the longest way through the part, beside it the longest ways
 * on from and back from items where these agree, and so on with what is left.  @sorted has each
 * item after what it uses. */
void sym_part_mark_trunks (SymPart *self, const guint *sorted);

/* How broad ranks may be, and are, by rank. */
typedef struct {
  double row;
  double *used;
} SymRoom;

/* Spreads ranks that are too broad over several.  FALSE when there was none; else the caller owns
 * @room's array. */
gboolean sym_part_wrap (SymPart *self, SymRoom *room);

/* By item, the one before it on its rail, whose sources are all its own; G_MAXUINT for none.  The
 * caller frees it. */
guint *sym_part_find_rails (const SymPart *self);

SymLayering *sym_layering_new (SymPart *part);
void sym_layering_free (SymLayering *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymLayering, sym_layering_free)

/* How far the left, right side of a node lies from its x. */
static inline double
sym_layering_get_left (const SymLayering *self, guint node)
{
  return self->lefts[node];
}

static inline double
sym_layering_get_right (const SymLayering *self, guint node)
{
  return self->rights[node];
}

/* The least distance of the x of two neighbours of a rank. */
static inline double
sym_layering_get_distance (const SymLayering *self, guint left, guint right)
{
  gboolean left_is_item = left < self->n_items;
  gboolean right_is_item = right < self->n_items;
  double gap = left_is_item && right_is_item   ? SYM_LAYOUT_ITEM_GAP
               : left_is_item || right_is_item ? SYM_LAYOUT_BUS_GAP
                                               : SYM_LAYOUT_LINE_GAP;

  return self->rights[left] + self->lefts[right] + gap;
}

/* How far edges lead sideways, together. */
double sym_layering_measure_length (const SymLayering *self);

/* Edges that cross between a rank and the next. */
guint64 sym_layering_count_crossings (const SymLayering *self, guint rank);

/* Finds an order with few crossings.  FALSE when cancelled. */
gboolean sym_layering_sort (SymLayering *self, GCancellable *cancellable);

/* Has the worker's `dot` find an order and places.  FALSE leaves both as they were. */
gboolean sym_layering_ask_dot (SymLayering *self,
                               SymLayoutWorker *worker,
                               GCancellable *cancellable,
                               GError **error);

/* Places nodes in their order, none overlapping, long links and trunks straight. */
void sym_layering_place (SymLayering *self);

/* The same close to @targets, by node, which may overlap; lines are straight as far as these are.
 */
void sym_layering_place_near (SymLayering *self, const double *targets);

/* Whether straight lines make the drawing much broader than its ranks, and makes it narrower,
 * unless the links of @part, whose layers these are, would bend too often. */
gboolean sym_layering_is_too_broad (const SymLayering *self);
void sym_layering_lean (SymLayering *self, const SymPart *part);

/* Moves what stands apart towards what it is joined to; keeps orders, distances and straight lines.
 */
void sym_layering_tighten (SymLayering *self);

/* Makes lines straight that nearly are, where there is room. */
void sym_layering_straighten (SymLayering *self);

/* The ways of a line sideways, within the gap above a rank or below the last. */
typedef enum {
  SYM_SHIFT_BACK_UP, /* comes from above, and goes there again */
  SYM_SHIFT_LEFT_FIRST,
  SYM_SHIFT_RIGHT,
  SYM_SHIFT_LEFT,
  SYM_SHIFT_BACK_DOWN,
} SymShiftKind;

/* A line going sideways.  It is level on a *track* of its gap, of which the first lies uppermost.
 */
typedef struct {
  double from, to;
  guint gap;            /* above which rank */
  guint source, target; /* nodes of the layering */
  SymShiftKind kind;
  guint n_taken; /* tracks, from the first, that nothing else may be on there */
  guint track;
} SymShift;

/* Gives shifts their tracks, so that lines do not cross without need and do not lie on each other,
 * but for those that begin or end at one node: these branch, and join.  Returns the number of
 * tracks by gap, for the caller to free. */
guint *sym_shifts_number (SymShift *shifts, guint n, guint n_gaps, guint n_nodes);

/* Where links run that have no nodes between: those back past what they lead past, as near as they
 * can, too long ones right of everything.  By link; the caller frees it. */
double *sym_part_find_lanes (const SymPart *self, const SymLayering *layers);

/* Places ranks, as far apart as arrows, labels (but no farther than @rank_gap) and tracks need, and
 * draws the courses of links, from the places of the nodes. */
void sym_part_route (SymPart *self, const SymLayering *layers, double rank_gap);

/* Lays out parts one after the other: by our own method, and where lines cross in a small part by
 * that of Graphviz too, of which the better is taken.  Starts the worker when it is first needed.
 */
typedef struct _SymLayoutEngine SymLayoutEngine;

SymLayoutEngine *sym_layout_engine_new (void);
void sym_layout_engine_free (SymLayoutEngine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymLayoutEngine, sym_layout_engine_free)

/* How much there will be in all the parts, to be told before the first of them: by that it tells
 * how far it is. */
void sym_layout_engine_expect (SymLayoutEngine *self, guint64 n_items, guint64 n_links);

/* A part that was expected and needs no layout. */
void sym_layout_engine_pass (SymLayoutEngine *self, const SymPart *part, GCancellable *cancellable);

/* FALSE when cancelled. */
gboolean sym_layout_engine_run (SymLayoutEngine *self,
                                SymPart *part,
                                double rank_gap,
                                GCancellable *cancellable);

/* What went wrong with workers; NULL when nothing did. */
char *sym_layout_engine_steal_message (SymLayoutEngine *self);

/* Places parts beside and below each other: their left and top. */
void sym_parts_pack (GPtrArray *parts, SymDirection direction, double *width, double *height);

/* A grid over the items to find the one at a point. */
typedef struct _SymPickGrid SymPickGrid;

SymPickGrid *
sym_pick_grid_new (const SymScene *scene, const SymPoint *positions, double width, double height);
void sym_pick_grid_free (SymPickGrid *self);

/* The last item at the point; G_MAXUINT for none. */
guint sym_pick_grid_find (const SymPickGrid *self,
                          const SymScene *scene,
                          const SymPoint *positions,
                          SymPoint point);

/* The item next to @point, no farther than @reach; G_MAXUINT for none. */
guint sym_pick_grid_find_near (const SymPickGrid *self,
                               const SymScene *scene,
                               const SymPoint *positions,
                               SymPoint point,
                               double reach);

G_END_DECLS
