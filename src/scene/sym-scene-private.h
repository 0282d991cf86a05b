/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene-body.h"

G_BEGIN_DECLS

/* What is drawn of one model, the scene's own being the first.  Ids are those of that model. */
typedef struct {
  SymSceneBody what;
  SymModel *model;    /* its inference's */
  guint *value_items; /* by value and by call; G_MAXUINT for none */
  guint *call_items;

  /* Until the scene is made. */
  guint *value_boxes; /* the box of a value within its item */
  guint *last_users;  /* by value: the item, plus one, whose edge was made last */
  guint8 *is_input;   /* by value */
  guint8 *is_output;
  guint *value_rows; /* by value: its row in the summary; NULL until it is asked for */

  /* Of a body. */
  guint depth;
  int *operands;     /* by its inputs: the operand of the call that each is, -1 for none */
  guint8 *is_hidden; /* by value: weights, and what is not worth a look */
} SymSceneTables;

struct _SymScene {
  gatomicrefcount ref_count;
  GPtrArray *bodies;      /* of SymSceneTables; the first is of the model itself */
  GHashTable *body_paths; /* path -> number of the body */
  SymOpenBodies *open_bodies;
  guint n_left_closed, n_not_made;
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
};

/* The tables of a model of which nothing is drawn yet. */
SymSceneTables *sym_scene_tables_new (SymInference *inference, SymIds inputs, SymIds outputs);
void sym_scene_tables_free (SymSceneTables *self);

/* Frees what is of use only until the scene is made. */
void sym_scene_tables_settle (SymSceneTables *self);

const SymSceneTables *sym_scene_get_tables (const SymScene *self, guint body);

/* @n times G_MAXUINT. */
guint *sym_scene_new_indices (guint n);

/* Height of a box of @kind with @n_lines lines, and how far its text stays from its sides. */
double sym_scene_get_box_height (SymBoxKind kind, guint n_lines);
double sym_scene_get_box_padding (SymBoxKind kind);

/* Places the boxes of an item, whose widths and heights are set, and gives the item's size. */
void sym_scene_arrange (const SymScene *self,
                        SymBox *boxes,
                        guint n_boxes,
                        double *width,
                        double *height);

/* Fills in everything but the options. */
void sym_scene_build (SymScene *self, SymInference *inference, const SymSceneOptions *options);

G_END_DECLS
