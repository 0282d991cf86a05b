/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "io/sym-onnx-write-private.h"

G_BEGIN_DECLS

#define SYM_ONNX_LOWER_MAX_DEPTH 64

typedef struct {
  SymModelBuilder *builder;
  SymModel *main;
  SymOnnxLowerFlags flags;
  guint depth;
  GString *unset;       /* names of parameters without numbers */
  GArray *unset_values; /* of SymId, in the builder */
  GArray
      *inputs; /* of SymId, in the builder: by number among the model's; SYM_NO_ID while not used */
  GHashTable
      *owners;       /* values in the builder that have the name of one of the model's, to it + 1 */
  GString *left_out; /* names of layers that no output needs */
  guint n_left_out;
  gboolean is_told; /* why a layer could not be put in: no size would have helped */
} SymOnnxLowering;

/* What is being put in: a model, or a body of a call. */
typedef struct {
  SymModel *model;
  const SymInference *inference;
  const char *path;       /* of the call that it is in; NULL for the model itself */
  SymId *values;          /* in the builder, by the model's; SYM_NO_ID for none yet */
  gboolean is_made;       /* what a layer becomes: no file has these calls */
  const SymType *results; /* what is known of its outputs outside of it; NULL for nothing */
} SymOnnxPart;

/* The value in the builder that stands for @value of the part; SYM_NO_ID for none. */
SymId sym_onnx_lower_value (SymOnnxLowering *self, SymOnnxPart *part, SymId value);

/* A fresh array for SymOnnxPart.values. */
SymId *sym_onnx_lower_new_values (const SymModel *model);

/* Names inside of a call begin with the call's; @otherwise is for what has none. */
char *sym_onnx_lower_name (const SymOnnxPart *part, const char *name, const char *otherwise);

/* What the outputs of the part need. */
gboolean sym_onnx_lower_calls (SymOnnxLowering *self, SymOnnxPart *part, GError **error);

/* FALSE with an error that names the call. */
gboolean sym_onnx_lower_fail (const SymOnnxPart *part, SymId call, const char *why, GError **error);

/* ---- sym-onnx-lower-open.c ---- */

/* A model for any number of samples is what it is for as many as these, and for as many. */
#define SYM_ONNX_FEW_SAMPLES 5
#define SYM_ONNX_MORE_SAMPLES 7

/* What it takes to leave sizes open: the type of a value, and its numbers unless they stay. */
typedef struct {
  SymId value;
  SymType type;
  SymTensor *tensor; /* NULL for none */
} SymOnnxChange;

/* Changes of what a model became for few samples, for it to do for any number of them (of
 * SymOnnxChange); NULL where it differs by more than sizes from what became of it for more. */
GArray *sym_onnx_lower_compare (SymModel *few, SymModel *more);

/* ---- sym-onnx-lower.c ---- */

/* What an inference that knows all sizes is of, with @changes, which may be NULL, at the end. */
SymModel *sym_onnx_lower_settled (const SymInference *settled,
                                  SymOnnxLowerFlags flags,
                                  const GArray *changes,
                                  const char *taken,
                                  SymProblems *notes,
                                  GError **error);

/* ---- sym-onnx-lower-notes.c ---- */

/* Adds the @n-th name to a list that has the first ones only. */
void sym_onnx_lower_add_name (GString *names, guint n, const char *name);

/* A size that was made up may be why the layers cannot be written: says so where @taken, which
 * names those sizes, is not NULL. */
void sym_onnx_lower_blame_taken (const char *taken, GError **error);

/* What all of it took, once it is done. */
void sym_onnx_lower_tell (const SymOnnxLowering *self, const char *taken, SymProblems *notes);

/* ---- sym-onnx-lower-layer.c ---- */

/* Why a call, whose operands are of @types, cannot be lowered where the numbers of an operand are
 * what is missing, as axes and sizes that lie among the weights; NULL for another cause. */
char *sym_onnx_lower_blame (const SymOnnxPart *part,
                            SymId call,
                            const SymType *types,
                            const GError *cause);

/* ---- sym-onnx-lower-control.c ---- */

/* Whether TensorFlow's While or If makes the call, and a Loop or If in place of it. */
gboolean sym_onnx_is_control (const SymLayer *layer);
gboolean
sym_onnx_lower_control (SymOnnxLowering *self, SymOnnxPart *part, SymId call, GError **error);

G_END_DECLS
