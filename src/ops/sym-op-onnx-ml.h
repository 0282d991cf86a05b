/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-rules.h"

G_BEGIN_DECLS

/* Operators of ONNX's domain for classical machine learning.  Reference: Operators-ml.md. */
#define SYM_OP_ML(name_, version_)                                  \
  .domain = "ai.onnx.ml", .name = name_, .since_version = version_, \
  .reference = "ONNX ai.onnx.ml " name_ "-" #version_

extern const SymSlotSpec sym_op_ml_x[]; /* X */

/* ---- Lists among the attributes, as long as the kernel runs ---- */

/* The numbers of the attribute @name, or of the tensor @name "_as_tensor"; *@n is 0 without it.
 * NULL with an error when there is no memory. */
double *sym_op_ml_get_floats (SymKernel *kernel, const char *name, gsize *n, GError **error);
gint64 *sym_op_ml_get_ints (SymKernel *kernel, const char *name, gsize *n, GError **error);

/* The strings of a list; *@n is 0 without it. */
const SymValue *sym_op_ml_get_strings (SymKernel *kernel, const char *name, gsize *n);
const char *sym_op_ml_get_text (const SymValue *strings, gsize i);

/* ---- Samples ---- */

/* X as [samples, features]; a vector is one sample. */
typedef struct {
  const SymArray *array;
  gsize n, width;
} SymOpMlSamples;

gboolean sym_op_ml_get_samples (SymOpMlSamples *self, SymKernel *kernel, GError **error);

/* Feature @i of sample @sample. */
double sym_op_ml_get_feature (const SymOpMlSamples *self, gsize sample, gsize i);

/* ---- Scores ---- */

typedef enum {
  SYM_OP_ML_NONE,
  SYM_OP_ML_SOFTMAX,
  SYM_OP_ML_LOGISTIC,
  SYM_OP_ML_SOFTMAX_ZERO,
  SYM_OP_ML_PROBIT,
} SymOpMlTransform;

/* The attribute post_transform, a name or a number; FALSE for none that is known. */
gboolean sym_op_ml_get_transform (SymKernel *kernel, SymOpMlTransform *transform, GError **error);

/* @n scores of each of @n_samples, one sample behind the other, in place. */
void sym_op_ml_transform (SymOpMlTransform transform, double *scores, gsize n_samples, gsize n);

double sym_op_ml_logistic (double x);

/* Where the greatest of @n scores is, the first one of several. */
gsize sym_op_ml_find_greatest (const double *scores, gsize n);

/* ---- Labels ---- */

/* The classes of a classifier: strings or integers. */
typedef struct {
  const SymValue *strings; /* NULL where they are integers */
  const gint64 *ints;
  gsize n;
} SymOpMlLabels;

gboolean sym_op_ml_get_labels (SymOpMlLabels *self,
                               SymKernel *kernel,
                               const char *ints,
                               const char *strings,
                               GError **error);

/* Output @i is @n labels, and a label among them. */
SymArray *sym_op_ml_new_labels (const SymOpMlLabels *self,
                                SymKernel *kernel,
                                guint i,
                                gsize n,
                                GError **error);
void sym_op_ml_set_label (const SymOpMlLabels *self, SymArray *y, gsize i, gsize label);

/* Shape rules: [samples, features] -> a label for each sample, of the dtype that the attribute
 * @strings tells by being there, and [samples, @classes] scores. */
gboolean
sym_op_ml_infer_classes (SymRule *rule, const char *ints, const char *strings, GError **error);

/* [samples, features] -> [samples, @n], float32; the number of @samples as X has it. */
gboolean sym_op_ml_infer_scores (SymRule *rule, guint output, SymDim n, GError **error);

/* For classifiers: their get_n_outputs. */
int sym_op_ml_get_two_outputs (const SymAttributes *attributes, int *n_visible);

/* How many elements the list @name has, 0 without it. */
guint sym_op_ml_count (const SymAttributes *attributes, const char *name);

G_END_DECLS
