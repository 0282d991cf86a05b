/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* The texts of groups.  A closed group is named by @head, as sym_folding_find_call() returns it. */

/* "layer_0", "layer_0 … layer_11 ×12", "Convolution, BatchNorm ×4". */
char *sym_scene_format_group (const SymFolding *folding, guint head);

/* "24 layers, 1.2 M parameters", of one of equal groups followed by "each".  Counts what @selection
 * has, when there is one. */
char *sym_scene_format_group_size (const SymInference *inference,
                                   const SymFolding *folding,
                                   guint head,
                                   const SymSelection *selection);

/* The title of an open group: its name in one line, its middle left out when long. */
char *sym_scene_format_frame (const SymGroup *group);

/* What is left of the name of a call, or of its result, when the frames around it tell the first
 * parts: of "/encoder/layer_0/Add_output_0" within "encoder" and "layer_0" the last.  Points into
 * @name. */
const char *sym_scene_skip_scopes (const SymFolding *folding, SymId call, const char *name);

/* The title of a body: what its call is called, and the body's own name; shortened likewise. */
char *sym_scene_format_body (const SymModel *model, SymId call, const char *name);

/* "999", "1.2 k", "24.6 M". */
char *sym_scene_format_count (guint64 n);

/* The calls that are drawn as @head, in the order of execution within each of its groups. */
void sym_scene_collect_group_calls (const SymFolding *folding, guint head, GArray *calls);

G_END_DECLS
