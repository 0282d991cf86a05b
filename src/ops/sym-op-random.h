/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Random numbers of one call: SplitMix64 (Steele, Lea, Flood 2014).  The same state gives the same
 * numbers on every machine. */
typedef struct {
  guint64 state;
} SymOpRandom;

/* Begins with the attribute `seed`, or, without it, as the run says. */
SymOpRandom sym_op_random_new (SymKernel *kernel);

guint64 sym_op_random_next (SymOpRandom *self);

/* From 0 up to 1, which never comes. */
double sym_op_random_uniform (SymOpRandom *self);

/* Of mean 0 and deviation 1. */
double sym_op_random_normal (SymOpRandom *self);

G_END_DECLS
