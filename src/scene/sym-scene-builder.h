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
  GArray *items;       /* SymSceneItem; their boxes are set at the end, as arrays still move */
  GArray *item_boxes;  /* guint: the first box of each item */
  GArray *boxes;       /* SymBox */
  GArray *box_lines;   /* guint: the first line of each box */
  GPtrArray *lines;
  GArray *edges;       /* SymSceneEdge */
  guint *last_waiters; /* by item: the item, plus one, whose control edge was made last */
  guint *group_items;  /* by group: of closed groups, the first of neighbours; else G_MAXUINT */
} SymSceneBuilder;

void sym_scene_builder_enter (SymSceneBuilder *self, guint body);

/* Whether there is such a value, call, and it is to be drawn. */
gboolean sym_scene_builder_has_value (const SymSceneBuilder *self, SymId value);
gboolean sym_scene_builder_has_call (const SymSceneBuilder *self, SymId call);

void sym_scene_builder_add_edges (SymSceneBuilder *self);

/* A frame for each open group that has anything drawn in it. */
void sym_scene_builder_add_frames (SymSceneBuilder *self);

G_END_DECLS
