/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-priors.h"

#include <math.h>

int
sym_op_priors_get_floats (const SymAttributes *attributes,
                          const char *name,
                          double *values,
                          int max)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  guint n = value == NULL ? 0 : sym_value_get_n_children (value);

  if (value != NULL && sym_value_get_float (value, &values[0]))
    return 1;
  if (n > (guint) max)
    return -1;
  for (guint i = 0; i < n; i++)
    if (!sym_value_get_float (sym_value_get_child (value, i), &values[i]))
      return -1;
  return (int) n;
}

int
sym_op_priors_list_ratios (const SymAttributes *attributes,
                           const char *name,
                           double ratios[2 * SYM_OP_PRIORS_MAX_RATIOS + 1])
{
  double given[SYM_OP_PRIORS_MAX_RATIOS];
  int n_given = sym_op_priors_get_floats (attributes, name, given, SYM_OP_PRIORS_MAX_RATIOS);
  gboolean flips = sym_attributes_get_bool (attributes, "flip", FALSE);
  int n = 1;

  ratios[0] = 1;
  for (int i = 0; i < n_given; i++)
    {
      gboolean is_there = !(given[i] > 0);

      for (int k = 0; k < n; k++)
        is_there = is_there || fabs (ratios[k] - given[i]) < 1e-6;
      if (is_there)
        continue;
      ratios[n++] = given[i];
      if (flips)
        ratios[n++] = 1 / given[i];
    }
  return n_given < 0 ? -1 : n;
}
