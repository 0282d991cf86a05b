/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net-keys.h"
#include "io/sym-tfjs-flow.h"

G_BEGIN_DECLS

#define SYM_TFJS_NONE (-1)

typedef enum {
  SYM_TFJS_PLAIN,
  SYM_TFJS_ENTER,
  SYM_TFJS_EXIT,
  SYM_TFJS_MERGE,
  SYM_TFJS_SWITCH,
  SYM_TFJS_NEXT,
  SYM_TFJS_LOOP_CONDITION
} SymTfjsKind;

/* A node.  In a loop, and in a branch of a choice, lie those that need values of it. */
typedef struct {
  SymTfjsParts parts;
  SymNetKey *name;
  SymTfjsKind kind;
  gboolean is_constant; /* of Enter */
  int *makers;          /* in the flow's: the places of the nodes that make its uses; NONE */
  SymNetKey *guard;     /* of a node without uses: what comes before it; NULL for nothing */
  int frame;            /* whose values it makes; of Exit, the one that it leaves */
  int depth;            /* how many choices it is in */
  int variable;         /* of Merge, Switch, Exit: which of its loop's it is; NONE */
  int block;            /* of a Merge that ends a choice */
  guint met;            /* the last body that it was met in, counted from 1 */
} SymTfjsNode;

typedef struct {
  char *name; /* bytes that the file has listed, or in base64 */
  int parent, depth;
  int choices;    /* that it is in */
  GArray *merges; /* of int, one for each variable */
  int block;
} SymTfjsFrame;

struct _SymTfjsFlow {
  SymTfjsNode *nodes; /* in the order of the file */
  guint n_nodes;
  GPtrArray *uses; /* of SymNetKey: those of all nodes */
  int *makers;     /* as many: looked at in each pass, and close together */

  /* All texts, once for each: @first is the place of the node that makes what the text stands for,
   * @declared that in @renames, counted from 1, of another text that stands for it, and @last the
   * block that was given it last, counted from 1. */
  SymNetKeys *texts;
  GPtrArray *renames;     /* of SymNetKey */
  gboolean renames_nodes; /* not only further outputs of theirs */

  GArray *frames;    /* of Frame */
  GPtrArray *blocks; /* of SymTfjsBlock */
  GArray *outer;     /* of guint */
  guint n_bodies;    /* that were looked for */
  guint64 budget;    /* how many more uses may be looked at, and nodes be in bodies */
  const char *trouble;
};

/* ---- sym-tfjs-flow.c ---- */

SymTfjsNode *sym_tfjs_flow_get_node (const SymTfjsFlow *self, int i);
SymTfjsFrame *sym_tfjs_flow_get_frame (const SymTfjsFlow *self, int i);

/* The node that makes @use, and that of operand @i of @node; NULL for none. */
SymTfjsNode *sym_tfjs_flow_find (const SymTfjsFlow *self, SymNetKey *use);
const SymTfjsNode *
sym_tfjs_flow_get_used (const SymTfjsFlow *self, const SymTfjsNode *node, guint i);

/* What puts @use into a branch when none of the values that it is made of does: constants of a
 * branch come after its Switch.  NULL for nothing. */
const SymTfjsNode *sym_tfjs_flow_get_guard (const SymTfjsFlow *self, SymNetKey *use);

/* From here on @text stands for what @other does. */
void sym_tfjs_flow_add_rename (SymTfjsFlow *self, SymNetKey *text, SymNetKey *other);

/* FALSE, with what the trouble is. */
gboolean sym_tfjs_flow_fail (SymTfjsFlow *self, const char *trouble);

/* ---- sym-tfjs-flow-read.c ---- */

/* The key of a text, made where there is none. */
SymNetKey *sym_tfjs_flow_keep (SymTfjsFlow *self, const char *text);

/* The place of the node that makes @use, which of "a:1" is "a"; SYM_NO_ID for none. */
guint sym_tfjs_flow_find_maker (const SymTfjsFlow *self, const char *use);

SymTfjsKind sym_tfjs_parse_kind (const SymJson *json, guint op);

/* Reads all nodes, of which each is an object. */
void sym_tfjs_flow_read (SymTfjsFlow *self, const SymJson *json, guint nodes);

/* ---- sym-tfjs-flow-blocks.c ---- */

/* The block of a choice that ends with @merge, of a loop; those within have to be made before. */
gboolean sym_tfjs_flow_make_choice (SymTfjsFlow *self, SymTfjsNode *merge);
gboolean sym_tfjs_flow_make_loop (SymTfjsFlow *self, int number);
void sym_tfjs_block_free (gpointer data);

G_END_DECLS
