/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "core/sym-summary.h"
#include "io/sym-io.h"

/* What was read is inferred, and told in a table. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) text = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (text, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *table = NULL;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL || g_strcmp0 (sym_model_get_format (model), "keras") != 0)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  summary = sym_summary_new (inference);
  table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, TRUE);
  g_assert_nonnull (table);
  return 0;
}
