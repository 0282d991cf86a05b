/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/sym-onnx-write-private.h"

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

static gboolean
add_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  g_byte_array_append (out, bytes, (guint) size);
  return TRUE;
}

/* The model as a file; NULL when ONNX cannot express it. */
static GBytes *
write_model (SymModel *model, const SymInference *inference)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (SymProto) document = NULL;
  g_autoptr (GError) error = NULL;
  const SymProtoMessage *message
    = sym_onnx_make_model (model, inference, NULL, &document, &error);

  g_assert_true ((message == NULL) == (error != NULL));
  if (message == NULL)
    return NULL;
  g_assert_true (sym_proto_write (message, add_bytes, out, NULL));
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/* What is written reads as the same model, and is written so again. */
static void
write_twice (SymModel *model, const SymInference *inference)
{
  g_autoptr (GBytes) first = write_model (model, inference);
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GBytes) second = NULL;

  if (first == NULL)
    return;
  again = sym_io_read_bytes (first, "fuzz", NULL);
  if (again == NULL) /* nothing by which it could be recognised was left of it */
    return;
  g_assert_cmpuint (sym_model_get_n_values (model), ==, sym_model_get_n_values (again));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, sym_model_get_n_calls (again));
  second = write_model (again, NULL);
  g_assert_true (second != NULL && g_bytes_equal (first, second));
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
  write_twice (model, inference);
  return 0;
}
