/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* The longest line that is drawn, in characters; longer ones lose their middle. */
#define SYM_SCENE_MAX_LINE 40

/* What a layer is called in a drawing: its type and the few attributes that tell it from its like,
 * "Convolution 7×7/2, 64", "Pooling max 3×3/2", ".shape" for GetAttr (P83). */
char *sym_scene_format_call (const SymModel *model, SymId call);

/* The type of a value in one line, "1×3×224×224 float32"; "?" for a size or dtype that is not
 * known, "rank ?" where not even the number of sizes is (P82). */
char *sym_scene_format_type (const SymInference *inference, SymId value, SymLabels labels);

/* The first line of a value's box: its name, as sym_naming_shorten() has it, its variable ("?" when
 * unknown), or both. */
char *sym_scene_format_name (const SymModel *model,
                             SymId value,
                             const char *unique_name,
                             SymLabels labels);

/* One line that is safe to set: valid UTF-8, no control characters, at most SYM_SCENE_MAX_LINE long
 * with its middle left out. */
char *sym_scene_clean_line (const char *text, gssize n_bytes);

G_END_DECLS
