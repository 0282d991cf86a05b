/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* What a scene draws a model of: body 0 is the scene's own model, the others are bodies of layers
 * whose calls are open.  One comes after that around it; those of a call follow one another.  The
 * call keeps its item: lines lead from its operands into its bodies, and from what these make to
 * the item. */
typedef struct {
  SymInference *inference; /* as it is for this call */
  guint parent;            /* the body that the call is in */
  SymId call;              /* SYM_NO_ID for the scene's own model */
  guint index;             /* among the bodies of the call's layer */
  const char *name;        /* that the layer has for it, "" for none */
  gboolean is_made;        /* for the call, or in such a body: the model itself has it nowhere */
  const char *path;        /* "3a", as SymOpenBodies knows it; "" for the scene's own model */
  const char *prefix;      /* what names in it begin with, as in the summary: "2." */
  guint frame; /* SYM_NO_FRAME where nothing is drawn of it, and for the scene's own model */
} SymSceneBody;

guint sym_scene_get_n_bodies (const SymScene *self);
const SymSceneBody *sym_scene_get_body (const SymScene *self, guint body);

/* The body with this path; G_MAXUINT when it is not drawn. */
guint sym_scene_find_body (const SymScene *self, const char *path);

/* NULL when nothing can be opened. */
SymOpenBodies *sym_scene_get_open_bodies (const SymScene *self);

/* How many calls were to be open but are not: they lie too deep, have too much in them, or lie in
 * themselves. */
guint sym_scene_get_n_left_closed (const SymScene *self);

/* Likewise, but as nothing can be made of them: sym_parts_make() gives no body. */
guint sym_scene_get_n_not_made (const SymScene *self);

/* The item of the call that a body is of. */
guint sym_scene_get_item_around (const SymScene *self, guint body);

/* Of an item in a body the call of the scene's own model around it; SYM_NO_ID for any other. */
SymId sym_scene_get_call_around (const SymScene *self, guint item);

/* The path of an item's call, by which it is opened and closed: NULL when it has no bodies.  The
 * caller's. */
char *sym_scene_get_call_path (const SymScene *self, guint item);

/* The item of the call with this path; G_MAXUINT when it is not drawn. */
guint sym_scene_find_call_path (const SymScene *self, const char *call_path);

/* The model whose ids an item has. */
SymModel *sym_scene_get_item_model (const SymScene *self, guint item);

/* Whether a value of a body is one that nothing is drawn of: it is a weight of the layer around it
 * or how one is arranged, or nothing needs it.  FALSE in the scene's own model. */
gboolean sym_scene_is_hidden (const SymScene *self, guint body, SymId value);

/* The item that shows a value, a call of a body; G_MAXUINT when none does. */
guint sym_scene_find_value_in (const SymScene *self, guint body, SymId value);
guint sym_scene_find_call_in (const SymScene *self, guint body, SymId call);

G_END_DECLS
