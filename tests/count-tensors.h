/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

/* How many values of a model have numbers. */
static inline guint
count_tensors (const SymModel *model)
{
  guint n = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    n += sym_model_get_tensor (model, value) != NULL;
  return n;
}
