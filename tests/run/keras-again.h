/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-raise-private.h"
#include "io/sym-io.h"

/* A config that was written and read again holds no weights: it gets those of the model that was
 * written. */

static inline SymParameter *
keras_again_find (SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL &&
        g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return sym_model_get_parameter (model, value);
  return NULL;
}

static inline void
keras_again_carry (SymModel *from, SymModel *to)
{
  for (SymId value = 0; value < sym_model_get_n_values (to); value++)
    {
      SymParameter *parameter =
          sym_model_has_value (to, value) ? sym_model_get_parameter (to, value) : NULL;
      SymParameter *given =
          parameter == NULL ? NULL : keras_again_find (from, sym_model_get_value_name (to, value));

      if (parameter == NULL)
        continue;
      g_assert_nonnull (given);
      sym_parameter_set_tensor (parameter, sym_parameter_get_tensor (given));
    }
}

static inline SymModel *
keras_again_read (SymModel *model, const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *again;

  sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (again), ==, "keras");
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (again)), ==, 0);
  return again;
}
