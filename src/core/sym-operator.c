/* SPDX-License-Identifier: MIT */
#include "core/sym-operator.h"

const char *
sym_category_to_string (SymCategory category)
{
  static const char *const names[SYM_N_CATEGORIES] = {
    [SYM_CATEGORY_OTHER] = "other",
    [SYM_CATEGORY_WEIGHTS] = "weights",
    [SYM_CATEGORY_ACTIVATION] = "activation",
    [SYM_CATEGORY_NORMALIZATION] = "normalization",
    [SYM_CATEGORY_POOLING] = "pooling",
    [SYM_CATEGORY_ELEMENTWISE] = "elementwise",
    [SYM_CATEGORY_MERGE] = "merge",
    [SYM_CATEGORY_SHAPE] = "shape",
    [SYM_CATEGORY_LOSS] = "loss",
    [SYM_CATEGORY_CONTROL] = "control",
  };

  g_return_val_if_fail (category < SYM_N_CATEGORIES, "other");

  return names[category];
}
