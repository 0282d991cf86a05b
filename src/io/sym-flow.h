/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-naming.h"
#include "io/sym-io-private.h"

G_BEGIN_DECLS

/* A model as nodes and lines, for formats that draw what flows and compute nothing: each call is a
 * node, and so is each data value that no call makes; a line is the use of a data value.  Nodes are
 * in the order of the file. */
typedef struct {
  gboolean is_call;
  SymId id;         /* of a call, or of a value */
  const char *name; /* no other node of the model has it */
  const char *type; /* of the layer; "Input" */
  guint scope; /* how many bytes of @name are the path of its groups: "stage1/conv" 6; 0 for none */
} SymFlowNode;

typedef struct {
  guint from, to; /* numbers of nodes */
  SymId value;
  guint output;  /* which result of @from it is */
  guint operand; /* of @to */
} SymFlowLine;

typedef struct {
  const SymModel *model;
  const SymInference *inference; /* of @model; NULL for none: then the types are those declared */
  GArray *nodes;                 /* of SymFlowNode */
  GArray *lines;                 /* of SymFlowLine, by node and operand */
  SymNaming *naming;
} SymFlow;

/* @inference, which may be NULL or of another model, is borrowed, and so is @model. */
SymFlow *sym_flow_new (const SymModel *model, const SymInference *inference);
void sym_flow_free (SymFlow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFlow, sym_flow_free)

const SymFlowNode *sym_flow_get_node (const SymFlow *self, guint node);
const SymFlowLine *sym_flow_get_line (const SymFlow *self, guint line);

/* Tells of each call that must run before another one, the nodes of both: in the order of the later
 * ones. */
typedef void (*SymFlowControlFunc) (guint before, guint node, gpointer user_data);
void sym_flow_foreach_control (const SymFlow *self, SymFlowControlFunc func, gpointer user_data);

/* The values that a node makes, or is. */
SymIds sym_flow_get_values (const SymFlow *self, const SymFlowNode *node);

/* The nodes by groups: each is told when it begins, by the path of its name ("stage1/block2") and
 * the part of it that is its own, and when it ends.  Within a group, nodes and groups are in the
 * order of the file. */
typedef struct {
  void (*begin) (const char *path, const char *name, guint depth, gpointer user_data);
  void (*node) (guint node, guint depth, gpointer user_data);
  void (*end) (guint depth, gpointer user_data);
} SymFlowWalker;

void sym_flow_walk (const SymFlow *self, const SymFlowWalker *walker, gpointer user_data);

SymType sym_flow_get_type (const SymFlow *self, SymId value);

/* "1,64,56,56" with @separator between; "?" for a size that is not known; NULL where nothing is
 * known. Free it. */
char *sym_flow_format_shape (const SymFlow *self, SymId value, const char *separator);

/* The attributes of a node's layer, or NULL. */
const SymAttributes *sym_flow_get_attributes (const SymFlow *self, const SymFlowNode *node);

/* An attribute as text: what the file has, else Python's notation, cut where it is longer than
 * anybody reads.  Free it. */
char *sym_flow_format_attribute (const SymAttributes *attributes, guint i);

/* What the formats have no place for, by name: numbers, and what the flags say that is not written.
 */
typedef enum {
  SYM_FLOW_LOSES_PARAMETERS = 1 << 0, /* else only their numbers */
  SYM_FLOW_LOSES_BODIES = 1 << 1,
  SYM_FLOW_LOSES_CONTROLS = 1 << 2,
  SYM_FLOW_LOSES_OUTPUTS = 1 << 3, /* that layers use, too */
} SymFlowLosses;

void sym_flow_note_losses (const SymFlow *self, SymFlowLosses losses, SymProblems *notes);

G_END_DECLS
