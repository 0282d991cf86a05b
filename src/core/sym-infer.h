/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-model.h"

G_BEGIN_DECLS

/* What the user says of values before inference: input shapes and dtypes.  An override replaces the
 * declared shape or dtype of that value entirely (MXNet's rule M42).  Where it differs, what is
 * declared of results that depend on the value is forgotten, as it was declared for another: they
 * are what layers make of it, unknown where a layer has no rule.  An unknown or named size was
 * declared for any.
 * A name that is new to the model, given where another one is declared in a shape of as many
 * dimensions, is what that dimension is called in the whole model, bodies included, unless its own
 * name is given somewhere as well, or two others; and a name that is given is told of dimensions
 * that have others.  The order of overrides makes no difference. */
typedef struct {
  SymId value;
  gboolean has_shape;
  SymShape shape; /* terms of the inference's own table are made from named dimensions below */
  const char *const *names; /* NULL, or per dimension a name or linear form ("batch"), or NULL */
  gboolean has_dtype;
  SymDType dtype;
} SymOverride;

/* The types of all values of a model, as far as they follow from what is known: declared types,
 * overrides, numbers of constants, and every operator's rule run to a fixed point, forwards and
 * backwards, bodies included.  Immutable, reference-counted, readable from any thread; holds a
 * reference to its model.  Unknown is no error; a contradiction is one of its problems, names the
 * layer and both shapes, and leaves the rest standing.  Time is linear in the calls for a graph
 * whose facts flow one way. */
typedef struct _SymInference SymInference;

/* NULL only when @cancellable was cancelled (G_IO_ERROR_CANCELLED) or an override is malformed. */
SymInference *sym_infer (SymModel *model,
                         const SymOverride *overrides,
                         guint n_overrides,
                         GCancellable *cancellable,
                         GError **error);

/* Only what is declared, and the numbers of constants: no rule is run, so that there is something
 * to show of a large model at once. */
SymInference *sym_infer_nothing (SymModel *model);

SymInference *sym_inference_ref (SymInference *self);
void sym_inference_unref (SymInference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymInference, sym_inference_unref)

SymModel *sym_inference_get_model (const SymInference *self);
const SymTerms *sym_inference_get_terms (const SymInference *self);

/* The value's type, resolved: every dimension a number or a term of sym_inference_get_terms(). */
SymType sym_inference_get_type (const SymInference *self, SymId value);

/* The integers of a small tensor, row by row, as far as they are known: returns how many, which may
 * be more than @max, and -1 when they are not. */
int sym_inference_get_ints (const SymInference *self, SymId value, gint64 *values, int max);

/* The types inside a body of @call's layer, as they are for this call; NULL where the body was not
 * run for it (it is only shown, or nested too deep). */
const SymInference *sym_inference_get_body (const SymInference *self, SymId call, guint body);

/* Contradictions, each with its call. */
const SymProblems *sym_inference_get_problems (const SymInference *self);

/* Whether there is one at @call, also one beyond those that the list keeps: what it makes may be of
 * another type than was found. */
gboolean sym_inference_contradicts (const SymInference *self, SymId call);

/* "1,3,224,224"-like texts for people: "?" for an unknown size, "rank ?" where not even the number
 * of dimensions is known, "" for a scalar.  @separator "," or "×". */
char *
sym_inference_format_shape (const SymInference *self, const SymShape *shape, const char *separator);

/* Elements of a parameter; FALSE while undecided. */
gboolean sym_inference_get_n_elements (const SymInference *self, SymId value, guint64 *n);

G_END_DECLS
