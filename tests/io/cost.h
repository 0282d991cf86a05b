/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-io.h"

/* Files that are made to be large, or to claim much. */

static inline void
cost_append_many (GString *text, const char *part, const char *between, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : between, part);
}

static inline SymModel *
cost_read_text (GString *take_text)
{
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (take_text);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "file", &error);

  g_assert_no_error (error);
  return model;
}

static inline guint
cost_count_warnings (const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);
  guint n = 0;

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    n += sym_problems_get (problems, i)->severity == SYM_SEVERITY_WARNING;
  return n;
}
