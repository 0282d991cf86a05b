/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "core/sym-rows.h"
#include "io/sym-io-private.h"
#include "ops/sym-op.h"
#include "store/sym-store.h"

G_BEGIN_DECLS

/* MXNet's symbol JSON (semantics: MXNet 1.9.1, nnvm's saveload_json; eras from static_graph
 * to 1.9). A file is read in two steps: its tables as they are written (SymMxnetGraph), then the
 * model. */

/* An input of a node, or a head: [node, output] or [node, output, version]. */
typedef struct {
  guint node; /* SYM_JSON_NONE when it is no number that a node could have */
  guint output;
  guint version;
  guint token;
} SymMxnetEntry;

typedef struct {
  guint token;
  const char *op; /* NULL for a variable */
  const char *name;
  guint attributes; /* token of its attribute map: of `param` where a node has two */
  guint hidden;     /* token of the second map (`attr` beside `param`) */
  guint inputs;     /* first of its entries */
  guint n_inputs;
  guint controls; /* tokens */
  guint subgraphs;
  guint n_outputs; /* by node_row_ptr; 0 when it does not tell */
} SymMxnetNode;

typedef struct {
  gatomicrefcount ref_count;
  SymJson *json;
  guint root;
  SymRows *nodes;        /* of SymMxnetNode */
  SymRows *entries;      /* of SymMxnetEntry: inputs of all nodes */
  SymRows *heads;        /* of SymMxnetEntry */
  GStringChunk *strings; /* names and operators of nodes, and names of variables that they imply */
  guint heads_token, arguments_token, rows_token; /* SYM_JSON_NONE when missing */
  gint64 version;       /* 10901 for 1.9.1; 800 when the file does not tell */
  gboolean is_np_shape; /* -1 is the unknown dimension, not 0 */
  const char *domain;   /* of its operators, and the format: "mxnet", "nnvm" */

  /* How the file writes nodes. */
  const char *attributes_key; /* "attrs", "attr", "param" */
  gboolean has_versions;      /* entries have three numbers */
} SymMxnetGraph;

#define SYM_MXNET_LEGACY 800
#define SYM_MXNET_WRITTEN 10901
#define SYM_MXNET_MAX_BODIES 32

/* Whether the document is of NNVM's compiler: it tells no version of MXNet, and the first operator
 * that only one of both has is NNVM's. */
gboolean sym_nnvm_has_operators (const SymJson *json);

/* How sure it is that the document is a graph of nodes like MXNet's, whoever's operators they are.
 */
int sym_mxnet_score (const SymJson *json);

/* Reads the tables of the graph at @root.  Wrong types are errors; wrong numbers are kept. */
SymMxnetGraph *
sym_mxnet_graph_new (SymJson *json, guint root, SymProblems *problems, GError **error);
SymMxnetGraph *sym_mxnet_graph_ref (SymMxnetGraph *self);
void sym_mxnet_graph_unref (SymMxnetGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymMxnetGraph, sym_mxnet_graph_unref)

static inline const SymMxnetNode *
sym_mxnet_graph_get_node (const SymMxnetGraph *self, guint i)
{
  return &g_array_index (self->nodes, SymMxnetNode, i);
}

static inline const SymMxnetEntry *
sym_mxnet_graph_get_input (const SymMxnetGraph *self, guint node, guint i)
{
  return &g_array_index (self->entries, SymMxnetEntry,
                         sym_mxnet_graph_get_node (self, node)->inputs + i);
}

guint sym_mxnet_graph_get_line (const SymMxnetGraph *self, guint node);

/* Per node, the largest of its outputs that an input or a head names, plus one.  Free it. */
guint *sym_mxnet_graph_count_used (const SymMxnetGraph *self);

/* What a model keeps about its file.  Attributes of calls and of variables stand, by identity, for
 * the node that they were read from: they go along with their call through edits and cuts. */
typedef struct {
  SymMxnetGraph *graph;
  SymRows *placed; /* the attributes that it keeps, with their places */
  GHashTable
      *places; /* SymAttributes to node + 1; to SYM_MXNET_IMPLIED; made when first asked; atomic */
  gboolean ends_with_newline;
  guint epoch; /* of the weights beside it */
} SymMxnetOrigin;

/* A variable that the file leaves out and MXNet adds when it loads it. */
#define SYM_MXNET_IMPLIED (SYM_JSON_NONE - 1)

/* The result is freed with sym_mxnet_origin_free(). */
SymMxnetOrigin *sym_mxnet_origin_new (SymMxnetGraph *graph, guint epoch);
void sym_mxnet_origin_free (gpointer origin);

/* As SymIoFormat.tell: attributes of the whole graph. */
void sym_mxnet_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data);

/* Remembers which node attributes stand for, and keeps them: the node + 1, or SYM_MXNET_IMPLIED. */
void sym_mxnet_origin_place (SymMxnetOrigin *self, SymAttributes *attributes, guint place);

/* The node that attributes stand for, SYM_JSON_NONE for none, or SYM_MXNET_IMPLIED. */
guint sym_mxnet_origin_find (const SymMxnetOrigin *self, const SymAttributes *attributes);

/* A variable of the model in the making, of the file or implied. */
typedef struct {
  SymId value;
  const char *name;          /* of the graph's strings */
  SymAttributes *attributes; /* borrowed from the value */
  guint node;                /* the node that it is, or that it is implied by */
} SymMxnetVariable;

/* Attributes of a layer as they were read of a map, without a problem: most layers of an operator
 * have the same. */
typedef struct {
  const SymOperator *op;
  guint map;                 /* the token */
  SymAttributes *attributes; /* NULL for none */
} SymMxnetLatest;

#define SYM_MXNET_LATEST 64

/* A model of a graph in the making. */
typedef struct {
  SymMxnetGraph *graph;
  SymModelBuilder *builder;
  SymProblems *problems;
  SymMxnetOrigin *origin;
  SymOpLiterals *literals; /* of the whole file; a body's are those of the draft around it */
  gint64 version;          /* of the file; of a body, of the file around it */
  const char *domain;      /* the same */
  gboolean is_body;
  SymId *values;                 /* per node; SYM_NO_ID for operators */
  SymId *calls;                  /* per node; SYM_NO_ID for variables */
  const SymOperator **operators; /* per node; NULL for unknown ones */
  SymAttributes **attributes;    /* per node, borrowed: of the value or the call */
  SymRole **body_roles;          /* per node: roles that bodies give its operands; NULL for none */
  guint *n_results;              /* per node */
  SymRows *variables;            /* of SymMxnetVariable */
  guint n_calls;
  SymMxnetLatest latest[SYM_MXNET_LATEST]; /* by operator */
  GArray *operands;                        /* of SymId: of the call at hand */
  GString *name;                           /* of the result at hand */
  GCancellable *cancellable;               /* or NULL; borrowed */
} SymMxnetDraft;

/* For loops over all nodes: whether there is a node of that number, and the reading was not
 * cancelled; after that it does not matter what comes out. */
static inline gboolean
sym_mxnet_goes_on_to (const SymMxnetDraft *draft, guint node)
{
  return node < draft->graph->nodes->len &&
         ((node & 0x3ff) != 0 || !g_cancellable_is_cancelled (draft->cancellable));
}

/* The type that `__shape__` and `__dtype__` declare. */
SymType sym_mxnet_parse_type (const SymAttributes *attributes, gboolean is_np_shape);

/* The same of what a node makes: `__output0_shape__`, `__output0_dtype__`, which are ours.  MXNet
 * lets any `__key__` pass and looks for `__shape__` in variables only, but a part of a graph may
 * know what only layers that were cut away have told.  @what is "shape" or "dtype". */
gboolean sym_mxnet_has_output_types (const SymAttributes *attributes);
SymType
sym_mxnet_parse_output_type (const SymAttributes *attributes, guint output, gboolean is_np_shape);
char *sym_mxnet_format_output_key (guint output, const char *what);

/* The text of `__shape__` for a shape whose rank is known.  A rank alone is worth telling: MXNet
 * reads
 * "(0, 0, 0, 0)" as four dimensions of unknown sizes (M41), and Gluon writes such shapes too. */
char *sym_mxnet_format_shape (const SymShape *shape, gboolean is_np_shape);
const char *sym_mxnet_format_dtype (SymDType dtype); /* "0"; NULL when MXNet has none such */

/* ---- sym-mxnet-upgrade.c: what MXNet does to files of older versions ---- */

/* Adds `__lr_mult__` and its like beside the bare keys. */
void sym_mxnet_upgrade_hidden (SymAttributes *attributes);

/* Moves `weight_lr_mult` and its like from a call to the variable in that slot. */
void sym_mxnet_upgrade_slots (SymMxnetDraft *draft, guint node);

/* The attributes of the layer as MXNet would read them now. */
SymAttributes *
sym_mxnet_upgrade_layer (const SymOperator *op, SymAttributes *take_attributes, gint64 version);

/* How many operands files of this version leave out at the end of the node's. */
guint sym_mxnet_count_implied (const SymMxnetDraft *draft, guint node, const SymAttributes *layer);

/* The attributes of such a variable. */
SymAttributes *sym_mxnet_make_implied (const SymMxnetDraft *draft, guint node, const char *slot);

/* ---- sym-mxnet-roles.c ---- */

/* Tells inputs, parameters and auxiliary states apart, and gives them what @weights (may be NULL)
 * holds of them. */
void sym_mxnet_assign_roles (SymMxnetDraft *draft, SymStoreTensors *weights);

/* The role that a slot gives its variable (input for a slot of data), and to raise one to it:
 * auxiliary wins over parameter over input. */
SymRole sym_mxnet_get_slot_role (const SymOperator *op, guint slot);

/* The roles that slots within the bodies of @layer give its @n operands; NULL without a body.  Free
 * it. */
SymRole *sym_mxnet_get_body_roles (const SymLayer *layer, guint n);
void sym_mxnet_raise_role (SymModelBuilder *builder, SymId value, SymRole role);
gboolean sym_mxnet_is_trained (const SymMxnetDraft *draft, const SymMxnetVariable *variable);

/* ---- sym-mxnet-weights.c ---- */

/* Types, numbers and roles of variables from a weights file; what does not fit is a problem. */
void sym_mxnet_give_weights (SymMxnetDraft *draft, SymStoreTensors *weights);

/* ---- sym-mxnet-check.c ---- */

/* Adds what is wrong with the tables, and with the finished model. */
void sym_mxnet_check_graph (const SymMxnetDraft *draft);
void sym_mxnet_check_model (const SymMxnetDraft *draft, const SymModel *model);

/* ---- sym-mxnet-connect.c ---- */

/* Operands, control dependencies and outputs, when all nodes are there. */
gboolean sym_mxnet_connect (SymMxnetDraft *draft, GError **error);

/* ---- sym-mxnet-read.c ---- */

/* The model of @graph; of the graph inside a node when @around, the draft of that node's graph, is
 * not NULL.  @weights may be NULL. */
SymModel *sym_mxnet_build (SymMxnetGraph *graph,
                           const SymIoSource *source,
                           const SymMxnetDraft *around,
                           guint depth,
                           SymStoreTensors *weights,
                           guint epoch,
                           GError **error);

/* ---- sym-mxnet-params.c ---- */

/* Opens the weights beside a graph file: the highest epoch, or the plain name.  NULL without an
 * error when there are none; an unreadable file is a problem. */
SymStoreTensors *sym_mxnet_open_weights (const char *path, guint *epoch, SymProblems *problems);

/* Writes the weights that @model has beside the graph at @path, of which standard output has none:
 * that is noted.  Does nothing when there are none. */
gboolean sym_mxnet_write_weights (const SymModel *model,
                                  const char *path,
                                  guint epoch,
                                  SymProblems *notes,
                                  GError **error);

/* ---- sym-mxnet-write.c ---- */

gboolean sym_mxnet_write (SymModel *model,
                          const SymInference *inference,
                          const char *path,
                          SymProblems *notes,
                          GError **error);

G_END_DECLS
