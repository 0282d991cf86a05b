/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-error.h"
#include "core/sym-terms.h"
#include "core/sym-value.h"

G_BEGIN_DECLS

/* What a shape rule sees of one call: its operands, outputs and attributes, and the way to tell the
 * engine what follows.  Operands and outputs are numbered from 0; an operand that is absent reads
 * as wholly unknown, and telling something of it does nothing.  Shapes come resolved, every
 * dimension either a number or a term of sym_rule_get_terms(). */
typedef struct _SymRule SymRule;

typedef struct _SymLayer SymLayer;
typedef struct _SymModel SymModel;

SymTerms *sym_rule_get_terms (SymRule *self);

/* The layer whose rule it is; NULL for none. */
const SymLayer *sym_rule_get_layer (SymRule *self);

/* The layer's type as its file writes it, which may be an alias of the operator's name. */
const char *sym_rule_get_type (SymRule *self);

/* The version of the operator set in which the operator got the meaning that it has here. */
int sym_rule_get_version (SymRule *self);

/* Attributes, typed.  The fallback is returned when the attribute is absent, None or of another
 * kind. */
const SymAttributes *sym_rule_get_attributes (SymRule *self);
gint64 sym_rule_get_int (SymRule *self, const char *name, gint64 fallback);
double sym_rule_get_float (SymRule *self, const char *name, double fallback);
gboolean sym_rule_get_bool (SymRule *self, const char *name, gboolean fallback);
const char *sym_rule_get_string (SymRule *self, const char *name, const char *fallback);
SymDType sym_rule_get_dtype (SymRule *self, const char *name, SymDType fallback);

/* The integers of a list, tuple or number.  Returns how many there are (which may be more than
 * @max), -1 when the attribute is absent or something else. */
int sym_rule_get_ints (SymRule *self, const char *name, gint64 *values, int max);

/* The argument tree of a host function, whose operand leaves are the inputs by index; NULL for
 * none. */
const SymValue *sym_rule_get_arguments (SymRule *self);

guint sym_rule_get_n_inputs (SymRule *self);
guint sym_rule_get_n_outputs (SymRule *self);
gboolean sym_rule_has_input (SymRule *self, guint i);

SymShape sym_rule_get_input (SymRule *self, guint i);
SymShape sym_rule_get_output (SymRule *self, guint i);
SymDType sym_rule_get_input_dtype (SymRule *self, guint i);
SymDType sym_rule_get_output_dtype (SymRule *self, guint i);

/* Tells that a shape is @shape, SYM_DIM_UNKNOWN where nothing is said.  An unknown rank takes the
 * other's; dimension by dimension the two are unified.  FALSE with SYM_ERROR_SHAPE, both shapes in
 * the message, when they contradict each other. */
gboolean sym_rule_set_input (SymRule *self, guint i, const SymShape *shape, GError **error);
gboolean sym_rule_set_output (SymRule *self, guint i, const SymShape *shape, GError **error);
gboolean sym_rule_set_input_dtype (SymRule *self, guint i, SymDType dtype, GError **error);
gboolean sym_rule_set_output_dtype (SymRule *self, guint i, SymDType dtype, GError **error);

/* Makes two dimensions equal; @what names the first one in the message ("channels of weight"). */
gboolean sym_rule_unify (SymRule *self, SymDim a, SymDim b, const char *what, GError **error);

/* Wholly equal shapes, wholly equal dtypes of all operands [first, last] and outputs; both ways. */
gboolean sym_rule_tie_shapes (SymRule *self, guint first_input, guint last_input, GError **error);
gboolean sym_rule_tie_dtypes (SymRule *self, guint first_input, guint last_input, GError **error);

/* Small integer tensors (rank 0 or 1, up to 64 elements) whose values are known or are terms, as
 * they flow through Shape -> Gather -> Concat -> Reshape.  Returns the number of values, -1 when
 * they are not known; fills at most @max.  Values that no dimension has, such as -1, stay unknown.
 */
int sym_rule_get_input_values (SymRule *self, guint i, SymDim *values, int max);
void sym_rule_set_output_values (SymRule *self, guint i, const SymDim *values, int n);

/* The same where all of them are plain integers, of either sign: axes, steps, the -1 of a reshape.
 * Negative ones have no place among dimensions: values among which one is are not told by
 * sym_rule_get_input_values(). */
int sym_rule_get_input_ints (SymRule *self, guint i, gint64 *values, int max);
void sym_rule_set_output_ints (SymRule *self, guint i, const gint64 *values, int n);

/* The integers of a small constant of two axes, row by row: what is added before and after each
 * axis.  Its shape tells the rows.  -1 when there is none. */
int sym_rule_get_input_table (SymRule *self, guint i, gint64 *values, int max);

/* The same of at most 16 floats that are constant or computed of constants, such as the scales of a
 * resize. */
int sym_rule_get_input_floats (SymRule *self, guint i, double *values, int max);

/* Output @i is no tensor: an opaque value, a tuple, a sequence. */
void sym_rule_set_output_type (SymRule *self, guint i, const SymType *type);
SymType sym_rule_get_input_type (SymRule *self, guint i);

/* Infers the first body of the layer with the first operands as its inputs, in order, and tells
 * back what follows of these and of the outputs; does nothing for a layer without a body.  With
 * @shapes_only dtypes stay out of it: a quantised layer keeps the graph that it was before.  At
 * most once in a run of a rule. */
gboolean sym_rule_infer_body (SymRule *self, gboolean shapes_only, GError **error);

/* The types of a body's inputs and outputs, SYM_TYPE_UNKNOWN where nothing is known. */
typedef struct {
  SymType *inputs, *outputs;
  guint n_inputs, n_outputs;
  const int *operands; /* per input, the operand of the call that it is at every turn, and whose
                        * small values it has therefore; -1 for none; NULL: none of them is one */
} SymBodyTypes;

/* Infers body @body for values of @types, which come back as they then are, to be told on.  For a
 * layer that runs its bodies otherwise than with its operands in order: loops and branches.  Each
 * body at most once in a run. */
gboolean sym_rule_infer_types (SymRule *self, guint body, SymBodyTypes *types, GError **error);

/* Says that the rule looks at its operands alone: what it tells of its outputs is no reason to call
 * it again.  For rules that infer bodies. */
void sym_rule_note_forward (SymRule *self);

/* The body called @name, -1 for none; and operands without those that bodies take from around. */
int sym_rule_find_body (SymRule *self, const char *name);
guint sym_rule_get_n_formal_inputs (SymRule *self);

/* The same for a body that takes values from around, whose types are added to the formal ones in
 * @types, and told back. */
gboolean sym_rule_infer_closure (SymRule *self, guint body, SymBodyTypes *types, GError **error);

/* The same for a body that may not run, as a branch: what it needs of the values around need not
 * hold of them, and is not told back. */
gboolean sym_rule_infer_branch (SymRule *self, guint body, SymBodyTypes *types, GError **error);

/* Sets a SYM_ERROR_SHAPE and is FALSE: `return sym_rule_fail (error, "...", ...)`. */
#define sym_rule_fail(error, ...) (sym_rule_set_error ((error), __VA_ARGS__), sym_failed ())

void sym_rule_set_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* "[1,3,?,batch]", "[?]..." for use in messages. */
char *sym_rule_format_shape (SymRule *self, const SymShape *shape);

G_END_DECLS
