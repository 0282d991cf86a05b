/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "fuzz.h"
#include "ops/sym-op.h"
#include "query/sym-query.h"

#include <string.h>

/* A few layers with names, attributes, shapes and a body. */
static SymModel *
new_model (void)
{
  static const char *const types[] = { "Conv", "Relu", "Add", "Thing" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 64, 8, 8));
  SymId value = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &type);

  for (guint i = 0; i < 8; i++)
    {
      const char *name = types[i % G_N_ELEMENTS (types)];
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();
      g_autofree char *called =
          g_strdup_printf ("stage%u/%s aaaaaaaaaaaaaaaaaaaaaaaab", i / 4, name);
      g_autoptr (SymLayer) layer = NULL;
      SymId operands[] = { value, value };
      SymId call;

      sym_attributes_set (attributes, "kernel_shape", sym_value_parse ("[3, 3]"), NULL);
      sym_attributes_set (attributes, "auto_pad", sym_value_new_string ("SAME_UPPER"), NULL);
      layer = sym_layer_new (name, sym_op_find ("", name, 0), attributes);
      call = sym_model_builder_add_call (builder, called, layer, operands, i % 4 == 2 ? 2 : 1, 1);
      value = sym_model_builder_get_result (builder, call, 0);
    }
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}

static SymQueryIndex *
get_index (void)
{
  static SymQueryIndex *index;

  if (index == NULL)
    {
      g_autoptr (SymModel) model = new_model ();
      g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
      g_autoptr (SymSummary) summary = sym_summary_new (inference);
      g_autoptr (SymGroups) groups = sym_groups_new (model);

      index = sym_query_index_new (summary, groups);
    }
  return index;
}

/* What matches and what its opposite matches have nothing in common. */
static void
check_opposite (const char *text, const SymQueryResult *result)
{
  g_autofree char *opposite = g_strdup_printf ("-(%s)", text);
  g_autoptr (SymQuery) query = sym_query_parse (opposite, NULL, NULL);
  g_autoptr (SymQueryResult) other =
      query == NULL ? NULL : sym_query_run (query, get_index (), NULL, NULL);

  for (guint i = 0; other != NULL && i < sym_query_result_get_n (other); i++)
    {
      SymQueryItem item = sym_query_result_get (other, i).item;

      g_assert_false (item.kind == SYM_QUERY_NODE &&
                      sym_query_result_has_value (result, item.value));
    }
}

/* Any text is a query that can be run and explained, or an error at a byte of it. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autofree char *text = g_strndup (size == 0 ? "" : (const char *) bytes, size);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GError) error = NULL;
  gsize place = G_MAXSIZE;
  g_autoptr (SymQuery) query = sym_query_parse (text, &place, &error);
  g_autoptr (GPtrArray) completions =
      sym_query_complete (get_index (), text, size == 0 ? 0 : bytes[0] % (size + 1), 8);
  g_autoptr (SymQueryResult) result = NULL;

  g_assert_cmpuint (completions->len, <=, 8);
  g_assert_true ((query == NULL) == (error != NULL));
  if (query == NULL)
    {
      g_assert_cmpuint (place, <=, strlen (valid));
      return 0;
    }
  result = sym_query_run (query, get_index (), NULL, &error);
  g_assert_true ((result == NULL) == (error != NULL));
  for (guint i = 0; result != NULL && i < sym_query_result_get_n (result); i++)
    {
      g_autofree char *reason = sym_query_result_explain (result, i);

      g_assert_nonnull (reason);
    }
  if (result != NULL && !sym_query_is_empty (query))
    check_opposite (valid, result);
  return 0;
}
