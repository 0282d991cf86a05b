/* SPDX-License-Identifier: MIT */
#include "query-graphs.h"
#include "query/sym-search.h"

static SymId
add_named (SymModelBuilder *builder,
           const char *type,
           const char *name,
           SymId operand,
           SymShape shape)
{
  SymId value = add_call (builder, type, name, &operand, 1);
  SymType tensor = sym_type_tensor (SYM_DTYPE_FLOAT16, shape);

  sym_model_builder_set_value_name (builder, value, name);
  sym_model_builder_set_type (builder, value, &tensor);
  return value;
}

static SymModel *
new_model (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "data");

  value = add_named (builder, "Conv", "stage1_conv2", value, SYM_SHAPE (1, 64, 56, 56));
  value = add_named (builder, "Conv", "conv", value, SYM_SHAPE (1, 64, 28, 28));
  value = add_named (builder, "BatchNorm", "Conv1_bn", value, SYM_SHAPE (1, 64, 28, 28));
  value = add_named (builder, "Activation", "deconvolved", value, SYM_SHAPE (1, 64));
  value = add_named (builder, "Flatten", "Größe", value, SYM_SHAPE (640));
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}

static char *
print_hits (SymModel *model, const GArray *hits)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < hits->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? " " : "",
        sym_model_get_value_name (model, g_array_index (hits, SymSearchHit, i).value));
  return g_string_free (text, FALSE);
}

static const struct {
  const char *text;
  guint fields;
  const char *hits;
} cases[] = {
  { "conv", SYM_SEARCH_ANY, "conv stage1_conv2 Conv1_bn deconvolved" },
  { "CONV", 1u << SYM_SEARCH_NAME, "conv Conv1_bn stage1_conv2 deconvolved" },
  { "conv", 1u << SYM_SEARCH_TYPE, "stage1_conv2 conv" },
  { "bn", SYM_SEARCH_ANY, "Conv1_bn" },
  { "batchnorm", SYM_SEARCH_ANY, "Conv1_bn" },
  { "1x64x28x28", SYM_SEARCH_ANY, "conv Conv1_bn" },
  { "1,64,28,28", SYM_SEARCH_ANY, "conv Conv1_bn" },
  { "64×28", SYM_SEARCH_ANY, "conv Conv1_bn" },
  { "640", SYM_SEARCH_ANY, "Größe" },
  { "x", SYM_SEARCH_ANY, "" },
  { "?", SYM_SEARCH_ANY, "" },
  { "float16 conv", SYM_SEARCH_ANY, "conv stage1_conv2 Conv1_bn deconvolved" },
  { "conv 56", SYM_SEARCH_ANY, "stage1_conv2" },
  { "float16", 1u << SYM_SEARCH_NAME, "" },
  { "GRÖSSE", SYM_SEARCH_ANY, "" },
  { "grö", SYM_SEARCH_ANY, "Größe" },
  { "data", SYM_SEARCH_ANY, "data" },
  { "nowhere", SYM_SEARCH_ANY, "" },
  { "conv nowhere", SYM_SEARCH_ANY, "" },
  { "", SYM_SEARCH_ANY, "" },
  { " \t", SYM_SEARCH_ANY, "" },
  { "\xff", SYM_SEARCH_ANY, "" },
};

static void
test_ranks (void)
{
  g_autoptr (SymModel) model = new_model ();
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int with = 0; with < 2; with++)
      {
        g_autoptr (GArray) hits =
            sym_search (model, with ? inference : NULL, cases[i].text, cases[i].fields, NULL, NULL);
        g_autofree char *text = print_hits (model, hits);

        g_assert_cmpstr (text, ==, cases[i].hits);
      }
}

static void
test_fields (void)
{
  g_autoptr (SymModel) model = new_model ();
  g_autoptr (GArray) name = sym_search (model, NULL, "bn", SYM_SEARCH_ANY, NULL, NULL);
  g_autoptr (GArray) type = sym_search (model, NULL, "flat", SYM_SEARCH_ANY, NULL, NULL);
  g_autoptr (GArray) data = sym_search (model, NULL, "640", SYM_SEARCH_ANY, NULL, NULL);

  g_assert_cmpint (g_array_index (name, SymSearchHit, 0).field, ==, SYM_SEARCH_NAME);
  g_assert_cmpint (g_array_index (type, SymSearchHit, 0).field, ==, SYM_SEARCH_TYPE);
  g_assert_cmpint (g_array_index (data, SymSearchHit, 0).field, ==, SYM_SEARCH_DATA);
  g_assert_cmpuint (g_array_index (data, SymSearchHit, 0).rank, <,
                    g_array_index (name, SymSearchHit, 0).rank);
}

/* A layer with a body with a body: "gate" of Sigmoid in "inner" of Nest in "outer" of Nest. */
static SymModel *
new_nested_model (void)
{
  SymModel *body = NULL;
  static const char *const names[] = { "gate", "inner", "outer" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      g_autoptr (SymLayer) layer = sym_layer_new (i == 0 ? "Sigmoid" : "Nest", NULL, NULL);
      SymId value = add_input (builder, "x"), call;

      if (body)
        sym_layer_add_body (layer, "body", body, FALSE);
      g_clear_pointer (&body, sym_model_unref);
      call = sym_model_builder_add_call (builder, names[i], layer, &value, 1, 1);
      value = sym_model_builder_get_result (builder, call, 0);
      sym_model_builder_set_value_name (builder, value, names[i]);
      sym_model_builder_add_output (builder, value);
      body = sym_model_builder_end (builder);
    }
  return body;
}

static void
test_bodies (void)
{
  static const struct {
    const char *text;
    guint fields;
    const char *hits;
  } inner[] = {
    { "gate", SYM_SEARCH_ANY, "outer" },
    { "sigmoid", SYM_SEARCH_ANY, "outer" },
    { "outer sigmoid inner", SYM_SEARCH_ANY, "outer" },
    { "sigmoid", 1u << SYM_SEARCH_NAME, "" },
    { "gate softmax", SYM_SEARCH_ANY, "" },
    { "x", SYM_SEARCH_ANY, "x outer" },
  };
  g_autoptr (SymModel) model = new_nested_model ();

  for (guint i = 0; i < G_N_ELEMENTS (inner); i++)
    {
      g_autoptr (GArray) hits = sym_search (model, NULL, inner[i].text, inner[i].fields, NULL, NULL);
      g_autofree char *text = print_hits (model, hits);

      g_assert_cmpstr (text, ==, inner[i].hits);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (SymModel) model = new_model ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_search (model, NULL, "conv", SYM_SEARCH_ANY, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_empty_model (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (GArray) hits = sym_search (model, NULL, "conv", SYM_SEARCH_ANY, NULL, NULL);

  g_assert_cmpuint (hits->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/query/search/best-first", test_ranks);
  g_test_add_func ("/query/search/tells-where", test_fields);
  g_test_add_func ("/query/search/looks-into-bodies", test_bodies);
  g_test_add_func ("/query/search/may-be-cancelled", test_cancelled);
  g_test_add_func ("/query/search/empty-model", test_empty_model);
  return g_test_run ();
}
