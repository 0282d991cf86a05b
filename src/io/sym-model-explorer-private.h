/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-flow.h"
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

/* ---- sym-model-explorer.c ---- */

/* A node that stands for data from outside. */
gboolean sym_model_explorer_is_input (const SymJson *json, guint node, const char *label);

/* What a node is called in the model.  Free it. */
char *
sym_model_explorer_make_name (const SymJson *json, guint node, const char *id, const char *label);

/* Whether the outputs that the metadata tells are numbered upwards. */
gboolean sym_model_explorer_are_ordered (const SymJson *json, guint outputs);

/* ---- sym-model-explorer-origin.c ---- */

/* What a model keeps about its file: graph @graph of it. */
typedef struct {
  SymJson *json;
  guint graph;
} SymModelExplorerOrigin;

/* The result is freed with sym_model_explorer_origin_free(). */
SymModelExplorerOrigin *sym_model_explorer_origin_new (SymJson *json, guint graph);
void sym_model_explorer_origin_free (gpointer origin);

/* NULL for a model of another format. */
const SymModelExplorerOrigin *sym_model_explorer_get_origin (const SymModel *model);

/* For each node of @flow that of the file, SYM_JSON_NONE for one that is new or whose name several
 * have.  @self may be NULL.  Free it. */
guint *sym_model_explorer_list_nodes (const SymModelExplorerOrigin *self, const SymFlow *flow);

/* The ids of nodes: those of the file keep theirs, others are called by their names.  @names has
 * those that are taken.  Of strings. */
GPtrArray *sym_model_explorer_make_ids (const SymFlow *flow,
                                        const SymJson *json,
                                        const guint *nodes,
                                        SymNaming *names);

/* The one called @key of [{"key": ..., "value": ...}]. */
guint sym_model_explorer_find_attribute (const SymJson *json, guint list, const char *key);

/* The elements of a list by the number that their @member is, or by their place where it is none or
 * @member is NULL; and SYM_JSON_NONE or the one of a number. */
GHashTable *sym_model_explorer_index (const SymJson *json, guint list, const char *member);
guint sym_model_explorer_look_up (GHashTable *index, guint id);

/* Appends a value as it is written, and, each after a comma, all members of an object but those of
 * the NULL-ended @except. */
void sym_model_explorer_append_text (GString *out, const SymJson *json, guint value);
void sym_model_explorer_append_others (GString *out,
                                       const SymJson *json,
                                       guint object,
                                       const char *const *except);

/* ---- sym-model-explorer-keep.c ---- */

/* A node that is written again, and its lists by numbers; NULL each for a new one. */
typedef struct {
  const SymJson *json;
  guint node;
  GHashTable *edges, *inputs, *outputs;
} SymModelExplorerKept;

/* @node may be SYM_JSON_NONE. */
void sym_model_explorer_kept_init (SymModelExplorerKept *self, const SymJson *json, guint node);
void sym_model_explorer_kept_clear (SymModelExplorerKept *self);

/* Append to a list: what an element of outputsMetadata or inputsMetadata says of the type, FALSE
 * where that is not the type of @value; and its attributes that the model has not. */
gboolean sym_model_explorer_keep_type (GString *out,
                                       const SymJson *json,
                                       guint metadata,
                                       const SymFlow *flow,
                                       SymId value);
void sym_model_explorer_keep_attributes (GString *out, const SymJson *json, guint metadata);

/* FALSE for one that is not as in the file. */
gboolean sym_model_explorer_keep_attribute (GString *out,
                                            const SymModelExplorerKept *kept,
                                            const SymAttributes *attributes,
                                            guint i);

/* What is said of inputs that other nodes make. */
void
sym_model_explorer_keep_inputs (GString *out, const SymModelExplorerKept *kept, guint n_operands);

/* The edge that @value stands for, whose node is not in the file; SYM_JSON_NONE for none. */
guint sym_model_explorer_find_open_edge (const SymModelExplorerKept *kept,
                                         const SymModel *model,
                                         guint operand,
                                         SymId value);

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
