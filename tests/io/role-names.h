/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

/* The names of all values of a role, in order. */
static inline char *
join_names (const SymModel *model, SymRole role)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_role (model, value) == role)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                              sym_model_get_value_name (model, value));
  return g_strdup (text->str);
}

static inline void
assert_names (const SymModel *model, SymRole role, const char *expected)
{
  g_autofree char *names = join_names (model, role);

  g_assert_cmpstr (names, ==, expected);
}
