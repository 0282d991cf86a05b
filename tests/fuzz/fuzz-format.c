/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "core/sym-summary.h"
#include "io/sym-io.h"

/* For the formats that are only read: what was read is inferred, and its inputs and rows are looked
 * at. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (input, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;
  SymIds rows;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  rows = sym_model_get_rows (model);
  for (guint i = 0; i < rows.n; i++)
    g_assert_cmpuint (sym_model_get_row (model, rows.ids[i]), ==, i + 1);
  return 0;
}
