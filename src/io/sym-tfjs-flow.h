/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"
#include "io/sym-net-keys.h"

G_BEGIN_DECLS

/* A node of a graph: its token and those of what it has, SYM_JSON_NONE for what it has not. */
typedef struct {
  guint token;
  guint name, op, inputs, attributes;

  /* What a flow knows besides; NULL and 0 of other nodes. */
  const SymNetKey *key; /* its name */
  SymNetKey **uses;     /* its inputs, without those that only come before or are no texts: */
  guint n_uses;
  gboolean has_others; /* whether there are such */
  guint n_used;        /* as many of its outputs, where any but the first is used */
} SymTfjsParts;

/* Control flow as TensorFlow 1 wrote it, which frozen graphs still have: a loop is a frame, which
 * values come into by Enter and leave by Exit, and go round by Merge, Switch and NextIteration; a
 * choice is a Switch for each value that a branch uses, and a Merge for each that comes out.  This
 * tells which nodes are a loop's or a branch's, so that they can be read as While and If with
 * bodies. */
typedef struct _SymTfjsFlow SymTfjsFlow;

/* NULL for a graph without such nodes, and for one that is not understood: then *@trouble says why.
 */
SymTfjsFlow *sym_tfjs_flow_new (const SymJson *json, guint nodes, const char **trouble);
void sym_tfjs_flow_free (SymTfjsFlow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTfjsFlow, sym_tfjs_flow_free)

/* Of node @i of those that it was made of: what it has, and whether it belongs to no loop and no
 * branch. */
const SymTfjsParts *sym_tfjs_flow_get_parts (const SymTfjsFlow *self, guint i);
gboolean sym_tfjs_flow_is_plain (const SymTfjsFlow *self, guint i);

/* Whether the node that makes @use does. */
gboolean sym_tfjs_flow_is_within (const SymTfjsFlow *self, const char *use);

/* Another use, of the same value, that stands for @use, of @length bytes; NULL for @use itself. */
const char *sym_tfjs_flow_rename (const SymTfjsFlow *self, const char *use, gsize length);

/* What stands for one of its nodes' uses: mostly that itself. */
const SymNetKey *sym_tfjs_flow_resolve (const SymTfjsFlow *self, const SymNetKey *use);

/* A value that bodies are given: what it is called within, and the use around. */
typedef struct {
  const char *inside;
  const char *outside;
} SymTfjsInput;

/* What a body is made of. */
typedef struct {
  GArray *nodes;      /* of guint: places of its nodes */
  GArray *blocks;     /* of guint: loops and choices within it */
  GPtrArray *outputs; /* of const char *: uses */
} SymTfjsBody;

/* A loop or a choice.  Results are NULL where nothing uses one. */
typedef struct {
  char *name;
  gboolean is_loop;
  const char *condition; /* of a choice: a use around */
  GArray *inputs;        /* of SymTfjsInput; of a loop, first those that go round */
  guint n_round;
  GPtrArray *results;    /* of const char *: names of nodes */
  SymTfjsBody bodies[2]; /* "cond" and "body"; "then_branch" and "else_branch" */
  guint number;          /* of this block, counted from 1 */
  guint64 size;          /* nodes, those of blocks within included */
  guint met;             /* the last body that it was met in, counted from 1 */
  guint token;
} SymTfjsBlock;

/* Those that are in no other one have blocks of the graph itself. */
const SymTfjsBlock *sym_tfjs_flow_get_block (const SymTfjsFlow *self, guint i);
const GArray *sym_tfjs_flow_get_outer (const SymTfjsFlow *self);

G_END_DECLS
