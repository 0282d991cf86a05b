/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"

G_BEGIN_DECLS

/* Boxes of detectors, as Caffe's PriorBox and its heirs in OpenVINO and PaddlePaddle have them. */

/* The numbers of an attribute, @max at most: how many there are, 0 without it, -1 for too many or
 * for what is no number. */
int sym_op_priors_get_floats (const SymAttributes *attributes,
                              const char *name,
                              double *values,
                              int max);

/* 1, and each other ratio of an attribute with its reciprocal where `flip` is set, none of them
 * twice.  Returns how many, -1 where the attribute has too many, or what is no number. */
#define SYM_OP_PRIORS_MAX_RATIOS 64
int sym_op_priors_list_ratios (const SymAttributes *attributes,
                               const char *name,
                               double ratios[2 * SYM_OP_PRIORS_MAX_RATIOS + 1]);

G_END_DECLS
