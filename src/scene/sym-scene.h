/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-extract.h"
#include "query/sym-folding.h"
#include "query/sym-open-bodies.h"

G_BEGIN_DECLS

/* What is drawn, before it has a place: items, their labels and sizes, and the lines between them.
 * One item per call and one per value that no call makes (data roles), in both drawings; one for
 * all calls of a closed group.  Immutable; reference-counted; made off the UI thread. */
typedef struct _SymScene SymScene;

typedef enum {
  SYM_DRAWING_DATA,   /* boxes are values; the layer is a chip above its results */
  SYM_DRAWING_LAYERS, /* the chip is the box; tensors are the lines */
} SymDrawing;

typedef enum {
  SYM_LABEL_NAME = 1 << 0,
  SYM_LABEL_VARIABLE = 1 << 1, /* "?" when unknown */
  SYM_LABEL_SHAPE = 1 << 2,
  SYM_LABEL_DTYPE = 1 << 3,
} SymLabels;

/* P82, P83: own texts for nodes and for edges (layers).  NULL result: the default text. */
typedef char *(*SymNodeTextFunc) (const SymInference *inference, SymId value, gpointer user_data);
typedef char *(*SymEdgeTextFunc) (const SymModel *model, SymId call, gpointer user_data);

typedef struct {
  SymDrawing drawing;
  SymLabels labels;        /* 0 counts as SYM_LABEL_NAME | SYM_LABEL_SHAPE */
  gboolean rotated_labels; /* P88: texts of layers follow the flow */
  gboolean sideways;       /* for a layout that flows right: chips stand left of their boxes */
  SymNodeTextFunc node_text;
  SymEdgeTextFunc edge_text;
  gpointer user_data;
  const SymSelection *selection; /* draw only what it has; NULL: everything that is alive or not */
  SymFolding *folding;        /* of the model; NULL: nothing is folded, and there are no frames */
  SymOpenBodies *open_bodies; /* which calls show their bodies; NULL: none can */
  GCancellable *cancellable;  /* told how far it is (SYM_STAGE_SCENE); NULL: cannot be stopped */
} SymSceneOptions;

/* Sizes are in points at zoom 1, y down. */
typedef struct {
  double x, y, width, height;
} SymRect;

typedef enum {
  SYM_BOX_CHIP,   /* the layer */
  SYM_BOX_INPUT,  /* a value: model input */
  SYM_BOX_HIDDEN, /* a value: intermediate */
  SYM_BOX_OUTPUT, /* a value: model output (an input that is one as well is an input, P84) */
  SYM_BOX_GROUP,  /* a closed group, or several equal ones */
} SymBoxKind;

/* One box of an item, relative to the item's top left corner, with its lines of text, which are
 * centred in it. */
typedef struct {
  SymBoxKind kind;
  gboolean has_sign; /* of a layer: with room for a sign, to open or close it by */
  gboolean rotated;  /* the text reads upwards */
  SymId value;       /* SYM_NO_ID for the chip and the group */
  SymRect rect;
  const char *const *lines; /* NULL-ended; the first is the bold one */
} SymBox;

#define SYM_NO_FRAME G_MAXUINT

typedef struct {
  const char *name; /* unique name of the first result, or of the value; of a group its own */
  SymId call;       /* SYM_NO_ID for a group and for a value without one */
  SymId value; /* first result, or the value; SYM_NO_ID for a group and a call without results */
  guint body;  /* whose ids these are, see sym-scene-body.h; 0 for the model itself */
  gboolean has_bodies; /* the call can be opened */
  guint first_body;    /* of an open call, the first of its own; else 0 */
  guint group;         /* the closed group, the first of several; else SYM_NO_GROUP */
  guint n_merged;      /* how many equal groups it stands for; 0 for anything else */
  guint frame;         /* the innermost one around it; SYM_NO_FRAME at the top */
  SymCategory category;
  double width, height;
  const SymBox *boxes;
  guint n_boxes;
} SymSceneItem;

/* An open group, or a body: what it has is drawn within a frame.  Those around it come before it.
 */
typedef struct {
  guint group;  /* SYM_NO_GROUP for a body */
  guint body;   /* 0 for a group */
  guint parent; /* the frame around it; SYM_NO_FRAME at the top */
  const char *title;
  double title_width; /* in sym_scene_get_title_text_style() */
} SymSceneFrame;

/* How a text was measured and is to be set, in SYM_SCENE_FONT without hinting. */
#define SYM_SCENE_FONT "Sans"

typedef struct {
  double size; /* of the font, in user units: pango_font_description_set_absolute_size() */
  gboolean bold;
  double offset; /* of the line's middle from the middle of its box, downwards before rotation */
  gboolean loses_end; /* rather than its middle, where it has less room than it was measured for */
} SymTextStyle;

/* Whether it is a layer or a group, whose results are the other boxes of its item. */
gboolean sym_box_has_results (const SymBox *self);

SymTextStyle sym_box_get_text_style (const SymBox *self, guint line);
SymTextStyle sym_scene_get_edge_text_style (void);
SymTextStyle sym_scene_get_title_text_style (void);

/* From an item to an item; one per (value, item), however often it is used there (P83). */
typedef struct {
  guint from, to;
  SymId value;
  guint from_box;   /* the box that the line leaves */
  gboolean is_back; /* closes a cycle */
  gboolean is_control;
  const char *label; /* of layer drawings: the tensor's shape; else NULL */
} SymSceneEdge;

/* NULL only when @options' cancellable was cancelled. */
SymScene *sym_scene_new (SymInference *inference, const SymSceneOptions *options);
SymScene *sym_scene_ref (SymScene *self);
void sym_scene_unref (SymScene *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymScene, sym_scene_unref)

SymInference *sym_scene_get_inference (const SymScene *self);
SymDrawing sym_scene_get_drawing (const SymScene *self);
gboolean sym_scene_get_rotated_labels (const SymScene *self);
gboolean sym_scene_get_sideways (const SymScene *self);
guint sym_scene_get_n_items (const SymScene *self);
const SymSceneItem *sym_scene_get_item (const SymScene *self, guint i);
guint sym_scene_get_n_edges (const SymScene *self);
const SymSceneEdge *sym_scene_get_edge (const SymScene *self, guint i);

SymFolding *sym_scene_get_folding (const SymScene *self); /* NULL when nothing can be folded */
guint sym_scene_get_n_frames (const SymScene *self);
const SymSceneFrame *sym_scene_get_frame (const SymScene *self, guint i);

/* The frame of an open group; SYM_NO_FRAME for none. */
guint sym_scene_find_frame (const SymScene *self, guint group);

/* Between what an edge leads in the innermost frame around both of its items: an item, or a frame
 * with the item in it, told as the number of items plus its own. */
void sym_scene_get_ends (const SymScene *self, guint edge, guint *from, guint *to);

/* The item that shows a value (its call's when it has no box), a call; G_MAXUINT when none does. */
guint sym_scene_find_value (const SymScene *self, SymId value);
guint sym_scene_find_call (const SymScene *self, SymId call);

/* Appends the calls (SymId) that an item stands for; of one in a body, the call around it. */
void sym_scene_collect_calls (const SymScene *self, guint item, GArray *calls);

/* Categories in use, for the legend: a bit per SymCategory. */
guint sym_scene_get_categories (const SymScene *self);

G_END_DECLS
