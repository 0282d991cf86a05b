/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-io-private.h"
#include "io/sym-net.h"

G_BEGIN_DECLS

/* The attribute of an input's metadata that says what it is when no node makes it: "parameter".
 * Symscope writes it; others show it among the rest. */
#define SYM_MODEL_EXPLORER_ROLE "role"

/* The attribute of an output's metadata that says which output of the graph it is, from 0 on, where
 * these are not just what nothing uses; and that of a parameter that is not trained. */
#define SYM_MODEL_EXPLORER_OUTPUT "graph_output"
#define SYM_MODEL_EXPLORER_TRAINABLE "trainable"

/* ---- sym-model-explorer-graphs.c ---- */

/* All graphs, the first one being the main one: of tokens. */
GArray *sym_model_explorer_list_graphs (const SymJson *json);

/* What the score() of the format does. */
int sym_model_explorer_score (const SymJson *json);

/* ---- sym-model-explorer-types.c ---- */

/* [{"key": "axis", "value": "1"}]; values that are no text are {"type": "node_ids", ...} */
SymAttributes *sym_model_explorer_read_attributes (SymNet *net, guint list);

/* The type by the metadata of an output, or of an input. */
SymType sym_model_explorer_read_type (SymNet *net, const SymAttributes *attributes);

/* ---- sym-model-explorer-write.c ---- */

/* What the write() of the format does. */
gboolean sym_model_explorer_write (SymModel *model,
                                   const SymInference *inference,
                                   const char *path,
                                   SymProblems *notes,
                                   GError **error);

G_END_DECLS
