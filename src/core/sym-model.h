/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"
#include "core/sym-problem.h"

G_BEGIN_DECLS

/* The settled form of a graph: immutable tables indexed by ids that survive edits (an erased value
 * or call leaves a gap that sym_model_has_value() tells).  Reference-counted; any thread may read
 * it. It holds everything that its file holds, in file order, duplicates and dead parts included.
 *
 * A *value* is a node: data.  A *layer* is what an edge is.  A *call* applies a layer to operands
 * (values, or SYM_NO_ID for an empty slot) and makes results.  Parents, children, depth and
 * drawings follow the data roles (input, intermediate); parameters hang on their layer.  A result
 * is absent when its file leaves it out (ONNX's empty name before others): it holds the place of an
 * output that its layer could give, and is no node.  One that is used, or is an output of the
 * graph, is settled as intermediate. */
typedef enum {
  SYM_ROLE_INPUT,
  SYM_ROLE_INTERMEDIATE,
  SYM_ROLE_PARAMETER,
  SYM_ROLE_AUXILIARY,
  SYM_ROLE_CONSTANT,
  SYM_ROLE_ABSENT,
} SymRole;

const char *sym_role_to_string (SymRole role);
gboolean sym_role_is_data (SymRole role);

/* A borrowed run of ids. */
typedef struct {
  const SymId *ids;
  guint n;
} SymIds;

/* Linear. */
gboolean sym_ids_contain (SymIds self, SymId id);

/* Where names and orders come from; NULL-safe strategies live in sym-naming.h. */
typedef enum {
  SYM_DIALECT_PLAIN,
  SYM_DIALECT_SYMBOLIC, /* PyTorch Symbolic: creation order, Conv2d_1 */
  SYM_DIALECT_MXNET,    /* post-order from the heads, convolution0 */
} SymDialect;

SymModel *sym_model_ref (SymModel *self);
void sym_model_unref (SymModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymModel, sym_model_unref)

const char *sym_model_get_name (const SymModel *self);
SymDialect sym_model_get_dialect (const SymModel *self);

/* What a format keeps about its file to write it back: any reference-counted block, or NULL, and
 * the name of the format, "mxnet". */
const char *sym_model_get_format (const SymModel *self);
gconstpointer sym_model_get_origin (const SymModel *self);

/* Lets go of that block, which may be larger than the model, but not of its name.  For a model that
 * is to be looked at alone: written, it is as one that was built.  Only before anybody else has it.
 */
void sym_model_forget_origin (SymModel *self);

/* Whether the value, which is a weight with numbers of its own, has to be named among the inputs of
 * whatever is cut out of the file: so it is with ONNX before IR version 4. */
gboolean sym_model_is_named_input (const SymModel *self, SymId value);
typedef gboolean (*SymNamedFunc) (gconstpointer origin, const SymModel *model, SymId value);

/* Problems found while the model was made.  Never NULL. */
const SymProblems *sym_model_get_problems (const SymModel *self);

/* Ids run from 0 to n-1; some may be gone. */
guint sym_model_get_n_values (const SymModel *self);
guint sym_model_get_n_calls (const SymModel *self);
gboolean sym_model_has_value (const SymModel *self, SymId value);
gboolean sym_model_has_call (const SymModel *self, SymId call);

/* Model inputs and outputs in order; an output may occur twice. */
SymIds sym_model_get_inputs (const SymModel *self);
SymIds sym_model_get_outputs (const SymModel *self);
gboolean sym_model_is_output (const SymModel *self, SymId value);

/* ---- Values ---- */
const char *sym_model_get_value_name (const SymModel *self, SymId value);
const char *sym_model_get_variable (const SymModel *self, SymId value); /* NULL when unknown */
SymRole sym_model_get_role (const SymModel *self, SymId value);

/* The call that made the value, SYM_NO_ID for none, and which of its results it is. */
SymId sym_model_get_producer (const SymModel *self, SymId value);
guint sym_model_get_output_index (const SymModel *self, SymId value);

/* The calls that use the value, one entry per use, in order. */
SymIds sym_model_get_consumers (const SymModel *self, SymId value);

/* What the file or the builder says of the type.  Terms are those of sym_model_get_terms(). */
SymType sym_model_get_declared_type (const SymModel *self, SymId value);
const SymTerms *sym_model_get_terms (const SymModel *self);

SymParameter *sym_model_get_parameter (const SymModel *self, SymId value); /* NULL for none */
SymTensor *sym_model_get_tensor (const SymModel *self, SymId value);       /* numbers, or NULL */

/* Why the file gives this value no numbers, a clause without a full stop; NULL where nothing is
 * known of this one alone: then sym_problems_get_lack() may know it of the whole. */
const char *sym_model_get_lack (const SymModel *self, SymId value);

const SymAttributes *sym_model_get_value_attributes (const SymModel *self, SymId value);

/* Data operands of the producer, duplicates kept; none for inputs.  Each has a row. */
SymIds sym_model_get_parents (const SymModel *self, SymId value);

/* Appends the results of all consumers to @children (of SymId), one entry per use. */
void sym_model_collect_children (const SymModel *self, SymId value, GArray *children);

/* ---- Calls ---- */
SymLayer *sym_model_get_layer (const SymModel *self, SymId call);
gboolean sym_model_has_bodies (const SymModel *self, SymId call); /* whether its layer has any */
const char *sym_model_get_call_name (const SymModel *self, SymId call);
SymIds sym_model_get_operands (const SymModel *self, SymId call);
SymIds sym_model_get_data_operands (const SymModel *self, SymId call);
SymIds sym_model_get_results (const SymModel *self, SymId call);

/* Of the results that are nodes: the first, by which people know the call, or SYM_NO_ID; and how
 * many there are. */
SymId sym_model_get_first_result (const SymModel *self, SymId call);
guint sym_model_count_results (const SymModel *self, SymId call);

SymIds sym_model_get_controls (const SymModel *self, SymId call); /* calls that must run before */
const SymValue *sym_model_get_arguments (const SymModel *self, SymId call); /* tree, or NULL */
const SymAttributes *sym_model_get_call_attributes (const SymModel *self, SymId call);

/* The name of an operand's slot ("weight"), NULL when the operator does not name it. */
const char *sym_model_get_slot_name (const SymModel *self, SymId call, guint operand);

/* The line of the file at which a call, or a value without one, was read; 0 when not known. */
guint sym_model_get_call_line (const SymModel *self, SymId call);
guint sym_model_get_value_line (const SymModel *self, SymId value);

/* ---- Orders ---- */

/* An entry of an order: a call, or a value that no call makes. */
typedef struct {
  gboolean is_call;
  SymId id;
} SymEntry;

/* Everything in file (or creation) order. */
guint sym_model_get_n_entries (const SymModel *self);
SymEntry sym_model_get_entry (const SymModel *self, guint i);

/* Calls in an order of execution: file order as far as that is one.  Calls on a cycle come where
 * the file has them, and their back edges are told by sym_model_is_back_edge(). */
SymIds sym_model_get_execution_order (const SymModel *self);
gboolean sym_model_is_back_edge (const SymModel *self, SymId call, guint operand);
gboolean sym_model_has_cycle (const SymModel *self);

/* 0 for inputs, else one more than the deepest parent (back edges not followed). */
guint sym_model_get_depth (const SymModel *self, SymId value);

/* The values of the summary's rows: inputs, then what no call makes, then results in the order of
 * execution; data roles only.  Row N of the summary is the N-th, from 1. */
SymIds sym_model_get_rows (const SymModel *self);
guint sym_model_get_row (const SymModel *self, SymId value); /* its number; 0 for none */

/* Whether a path of data, control or parameter uses leads from the value to an output. */
gboolean sym_model_is_live (const SymModel *self, SymId value);

/* Whether any result of the call is. */
gboolean sym_model_is_call_live (const SymModel *self, SymId call);

G_END_DECLS
