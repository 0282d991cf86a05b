/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gstdio.h>
#include <string.h>

#include "io/sym-io.h"
#include "io/sym-keras-raise-private.h"

/* A config that is written and read again has the weights of the model that was written, but for
 * layers of which some have no numbers: those have none. */

static inline SymParameter *
keras_again_find (SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL &&
        g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return sym_model_get_parameter (model, value);
  return NULL;
}

/* Whether the layer that has the weight @name is without numbers for one of its weights. */
static inline gboolean
keras_again_lacks (SymModel *model, const char *name)
{
  gsize n = (gsize) (strrchr (name, '/') - name) + 1;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL &&
        sym_model_get_tensor (model, value) == NULL &&
        strncmp (sym_model_get_value_name (model, value), name, n) == 0)
      return TRUE;
  return FALSE;
}

static inline void
keras_again_check (SymModel *from, SymModel *to)
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
      if (sym_parameter_get_tensor (parameter) != NULL)
        g_assert_true (sym_tensor_equal (sym_parameter_get_tensor (parameter),
                                         sym_parameter_get_tensor (given)));
      else
        g_assert_true (keras_again_lacks (from, sym_model_get_value_name (to, value)));
    }
}

static inline void
keras_again_clean (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
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
  for (guint i = 0; i < sym_problems_get_n (sym_model_get_problems (again)); i++)
    g_assert_nonnull (strstr (sym_problems_get (sym_model_get_problems (again), i)->message,
                              "has no weights of "));
  return again;
}
