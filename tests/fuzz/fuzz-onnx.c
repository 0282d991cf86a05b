/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "core/sym-infer.h"
#include "io/sym-io.h"

/* What was read is inferred, and its small weights are looked at. */
static void
read_weights (const SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymTensor *tensor = sym_model_get_tensor (model, value);
      guint8 byte;

      if (tensor == NULL || sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING
          || sym_tensor_get_n_bytes (tensor) == 0)
        continue;
      g_assert_true (sym_tensor_read (tensor, sym_tensor_get_n_bytes (tensor) - 1, 1, &byte, NULL)
                     || sym_tensor_get_n_bytes (tensor) > 65536);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (all, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL || !g_str_has_prefix (sym_model_get_format (model), "onnx"))
    return 0;

  read_weights (model);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  return 0;
}
