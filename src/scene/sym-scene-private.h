/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

struct _SymScene {
  gatomicrefcount ref_count;
  SymInference *inference;
  SymDrawing drawing;
  gboolean rotated_labels;
  gboolean sideways;
  guint categories;

  SymSceneItem *items;
  guint n_items;
  SymBox *boxes;
  const char **lines; /* the lines of all boxes, NULL after each box's last */
  SymSceneEdge *edges;
  guint n_edges;
  GStringChunk *texts;

  SymFolding *folding;
  SymSceneFrame *frames;
  guint n_frames;
  guint *group_frames; /* by group; SYM_NO_FRAME for none */

  guint *value_items; /* by value and by call; G_MAXUINT for none */
  guint *call_items;
};

/* Height of a box of @kind with @n_lines lines, and how far its text stays from its sides. */
double sym_scene_get_box_height (SymBoxKind kind, guint n_lines);
double sym_scene_get_box_padding (SymBoxKind kind);

/* Places the boxes of an item, whose widths and heights are set, and gives the item's size. */
void sym_scene_arrange (const SymScene *self,
                        SymBox *boxes,
                        guint n_boxes,
                        double *width,
                        double *height);

/* Fills in everything but the inference and the options. */
void sym_scene_build (SymScene *self, const SymSceneOptions *options);

G_END_DECLS
