/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* What a step is told; of those that take several weights, for one of them. */
typedef struct {
  double lr, wd, rescale, clip, clip_weights, momentum, wd_lh;
  double beta1, beta2, epsilon, eta, gamma1, gamma2, lamda1, beta, t;
  double lower, upper;
  gboolean corrects;
} SymOpMxnetStep;

/* By what the operator's name has behind "mp_", "multi_" and "preloaded_"; without a function, of a
 * weight as a whole. */
typedef struct {
  const char *name;
  guint n_states;
  double (*step) (const SymOpMxnetStep *self, double w, double g, const double *states);
} SymOpMxnetMethod;

/* The method of a name that is not ended by a NUL. */
const SymOpMxnetMethod *sym_op_mxnet_find_method (const char *name, gsize length);

/* What the attributes of a layer tell, with the defaults that most methods have; element @place of
 * operand @i. */
SymOpMxnetStep sym_op_mxnet_step_read (SymKernel *kernel);
gboolean sym_op_mxnet_step_read_number (SymKernel *kernel,
                                        guint i,
                                        gsize place,
                                        double *number,
                                        GError **error);

/* Within the bound, unless that is below 0; the gradient scaled and cut off. */
double sym_op_mxnet_step_cut (double x, double bound);
double sym_op_mxnet_step_scale (const SymOpMxnetStep *self, double g);

/* The direction of LAMB, before its length is known; the norm of the weight in its bounds, over
 * that of the direction. */
double
sym_op_mxnet_step_direct (const SymOpMxnetStep *self, double w, double g, const double *states);
double sym_op_mxnet_step_compare (const SymOpMxnetStep *self, double weight, double direction);

G_END_DECLS
