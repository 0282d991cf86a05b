/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "core/sym-summary.h"
#include "io/sym-io.h"

/* For the formats that are only read: what was read is inferred and listed, and its inputs and rows
 * are looked at. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (input, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *table = NULL;
  SymIds rows;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  rows = sym_model_get_rows (model);
  for (guint i = 0; i < rows.n; i++)
    g_assert_cmpuint (sym_model_get_row (model, rows.ids[i]), ==, i + 1);
  summary = sym_summary_new (inference);
  table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, FALSE);
  g_assert_true (g_utf8_validate (table, -1, NULL));
  return 0;
}
