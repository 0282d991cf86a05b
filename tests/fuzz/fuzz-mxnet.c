/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/sym-mxnet-write-private.h"

static SymModel *
read_text (const char *text, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "fuzz", &error);

  g_assert_true ((model == NULL) == (error != NULL));
  return model;
}

static char *
write_text (const SymModel *model, gsize *size)
{
  g_autoptr (SymMxnetLayout) layout = sym_mxnet_layout_new ();
  g_autoptr (GError) error = NULL;
  const GString *text;

  if (!sym_mxnet_write_graph (model, NULL, layout, NULL, 0, &error))
    {
      g_assert_nonnull (error);
      return NULL;
    }
  text = sym_mxnet_layout_get_text (layout);
  *size = text->len;
  return g_strndup (text->str, text->len);
}

/* What was read is inferred, written, read again, and written to the same text. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (SymModel) model = read_text ((const char *) bytes, size);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  gsize n_first, n_second;

  if (model == NULL || g_strcmp0 (sym_model_get_format (model), "mxnet") != 0)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  first = write_text (model, &n_first);
  if (first == NULL)
    return 0;
  again = read_text (first, n_first);
  g_assert_nonnull (again);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, sym_model_get_n_values (again));
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, sym_model_get_n_calls (again));
  second = write_text (again, &n_second);
  g_assert_cmpstr (first, ==, second);
  return 0;
}
