/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene-measure.h"
#include "scene/sym-scene-private.h"

G_BEGIN_DECLS

/* A scene in the making: items first, then the lines between them, then the frames around them. */
typedef struct {
  SymScene *scene;
  const SymSceneOptions *options;
  SymLabels labels;
  guint body; /* what is being drawn, with its tables and its model */
  SymSceneTables *tables;
  SymModel *model;
  SymMeasure *measure;
  GArray *items;      /* SymSceneItem; their boxes are set at the end, as arrays still move */
  GArray *item_boxes; /* guint: the first box of each item */
  GArray *boxes;      /* SymBox */
  GArray *box_lines;  /* guint: the first line of each box */
  GPtrArray *lines;
  GArray *edges;          /* SymSceneEdge */
  guint *last_waiters;    /* by item: the item, plus one, whose control edge was made last */
  GHashTable *inferences; /* model -> SymInference: of bodies that were not run for their call */
  guint n_entries;        /* of open bodies */
  guint *group_items;     /* by group: of closed groups, the first of neighbours; else G_MAXUINT */
} SymSceneBuilder;

void sym_scene_builder_enter (SymSceneBuilder *self, guint body);

/* Whether there is such a value, call, and it is to be drawn. */
gboolean sym_scene_builder_has_value (const SymSceneBuilder *self, SymId value);
gboolean sym_scene_builder_has_call (const SymSceneBuilder *self, SymId call);

void sym_scene_builder_add_edges (SymSceneBuilder *self);

/* The text of a tensor's line in layer drawings; NULL for none. */
const char *
sym_scene_builder_get_edge_label (SymSceneBuilder *self, const SymSceneTables *tables, SymId value);

/* A frame for each open group that has anything drawn in it. */
void sym_scene_builder_add_frames (SymSceneBuilder *self);

/* ---- Bodies (sym-scene-bodies.c) ---- */

/* How many a call has: those of its layer, or one that tells what a composite layer is made of. */
guint sym_scene_builder_count_bodies (const SymSceneBuilder *self, SymId call);

/* Adds the bodies of calls that are open, of those whose items are the last. */
void sym_scene_builder_open_bodies (SymSceneBuilder *self, guint first_item);

/* Joins a call with its open bodies; tells which of its operands lead into these.  NULL for a
 * closed one, else the caller's. */
guint8 *sym_scene_builder_join_bodies (SymSceneBuilder *self, SymId call, guint item);

/* A frame for each of which anything is drawn. */
void sym_scene_builder_add_body_frames (SymSceneBuilder *self);

G_END_DECLS
