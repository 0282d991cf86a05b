/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/sym-symscope-write-private.h"

static SymModel *
read_text (const char *text, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "fuzz", &error);

  g_assert_true ((model == NULL) == (error != NULL));
  return model;
}

static GString *
write_text (SymModel *model)
{
  g_autoptr (GError) error = NULL;
  SymSymscopeContents contents;
  GString *text;

  g_assert_true (sym_symscope_contents_init (&contents, model, FALSE, &error));
  text = sym_symscope_format_document (model, &contents, "fuzz.safetensors", NULL, &error);
  sym_symscope_contents_clear (&contents);
  g_assert_no_error (error);
  return text;
}

/* What was read is inferred, written, read again, and written to the same text. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (SymModel) model = read_text ((const char *) bytes, size);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GString) first = NULL;
  g_autoptr (GString) second = NULL;

  if (model == NULL || g_strcmp0 (sym_model_get_format (model), "symscope") != 0)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  first = write_text (model);
  again = read_text (first->str, first->len);
  g_assert_nonnull (again);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, sym_model_get_n_values (again));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, sym_model_get_n_calls (again));
  second = write_text (again);
  g_assert_cmpstr (first->str, ==, second->str);
  return 0;
}
