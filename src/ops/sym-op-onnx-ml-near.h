/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx-ml.h"

G_BEGIN_DECLS

/* Vectors [n, k] among the attributes of a model, and how near samples [k] are to them: their dot
 * product, or what a kernel function makes of it or of their distance. */
typedef enum {
  SYM_OP_NEAR_LINEAR,  /* x.v */
  SYM_OP_NEAR_POLY,    /* (gamma x.v + coef0) ^ degree */
  SYM_OP_NEAR_RBF,     /* exp (-gamma |x - v|^2) */
  SYM_OP_NEAR_SIGMOID, /* tanh (gamma x.v + coef0) */
} SymOpNearKind;

typedef struct {
  SymOpNearKind kind;
  double gamma, coef0, degree;
  gsize n, k;
  float *panels; /* [n / SYM_OP_NEAR_WIDTH, k, SYM_OP_NEAR_WIDTH], 0 beyond the last vector */
  float *only;   /* [k]: of one vector, the same */
} SymOpNear;

/* Vectors that lie side by side, and samples that are compared at once. */
#define SYM_OP_NEAR_WIDTH 16
#define SYM_OP_NEAR_ROWS 6

/* How many numbers sym_op_near_measure() puts behind each other for one sample. */
gsize sym_op_near_get_stride (const SymOpNear *self);

/* Takes the numbers; kind and factors are those of the attributes kernel_type and kernel_params, or
 * LINEAR.  To be cleared. */
gboolean sym_op_near_read_kind (SymOpNear *self, SymKernel *kernel, GError **error);
void sym_op_near_set_vectors (SymOpNear *self, const double *vectors, gsize n, gsize k);
void sym_op_near_clear (SymOpNear *self);

/* Samples [@first, @first + @n), at most SYM_OP_NEAR_ROWS, of as many features as the vectors have:
 * @values [SYM_OP_NEAR_ROWS, stride], of which the first ones in the first @n rows are those of the
 * vectors.  @place has room for the features of as many samples. */
void sym_op_near_measure (const SymOpNear *self,
                          const SymOpMlSamples *x,
                          gsize first,
                          gsize n,
                          double *place,
                          double *values);

G_END_DECLS
