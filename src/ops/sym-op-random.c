/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-random.h"

#include <math.h>
#include <string.h>

SymOpRandom
sym_op_random_new (SymKernel *kernel)
{
  const SymValue *value = sym_attributes_find (sym_kernel_get_attributes (kernel), "seed");
  SymOpRandom self = { sym_kernel_get_seed (kernel) };
  double seed;

  if (value != NULL && sym_value_get_float (value, &seed))
    memcpy (&self.state, &seed, sizeof seed);
  return self;
}

guint64
sym_op_random_next (SymOpRandom *self)
{
  guint64 z = self->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

double
sym_op_random_uniform (SymOpRandom *self)
{
  return (double) (sym_op_random_next (self) >> 11) * 0x1p-53;
}

/* Box and Muller; 1 - uniform is never 0. */
double
sym_op_random_normal (SymOpRandom *self)
{
  double radius = sqrt (-2 * log (1 - sym_op_random_uniform (self)));

  return radius * cos (2 * G_PI * sym_op_random_uniform (self));
}
