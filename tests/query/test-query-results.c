/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "query-net.h"

/* What a result tells besides its hits, and what queries it has none of. */

/* ---- What else a result tells ---- */

static void
test_reasons (void)
{
  static const struct {
    const char *text, *reason; /* of the first hit */
  } cases[] = {
    { "conv1", "name stage1/conv1" },
    { "add", "type Add" },
    { "float16", "dtype float16" },
    { "1x3", "shape 1x3x8x8" },
    { "type:Conv kernel:3", "type Conv, kernel_shape [3, 3]" },
    { "type:Conv -kernel:1", "type Conv" },
    { "auto_pad:notset", "auto_pad NOTSET by default" },
    { "attr:same_upper", "auto_pad 'SAME_UPPER'" },
    { "params>16 macs>1", "params 108, macs 6912" },
    { "unused:yes", "unused yes" },
    { "macs:?", "macs not known" },
    { "shape:? thing", "shape not known, name odd thing" },
    { "op:? dtype:?", "op not known, dtype not known" },
    { "parent:relu conv", "parent:relu, name stage2/conv2" },
    { "parent:(type:Relu depth>1)", "parent:(type:Relu depth>1)" },
    { "conv1 OR type:Conv", "name stage1/conv1, type Conv" },
    { "größe", "name Größe" },
    { "category:weights op:conv", "category weights, op Conv" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymQueryResult) result = ask (index, cases[i].text, NULL);
      g_autofree char *reason = sym_query_result_explain (result, 0);

      g_assert_cmpstr (reason, ==, cases[i].reason);
    }
}

/* Whole names before beginnings, before words, before parts; names before types. */
static void
test_ranks (void)
{
  g_autoptr (SymModel) model = new_graph ("deconvolved=Thing x; stage_conv=Thing x; conv1=Thing x; "
                                          "conv=Thing x; bn=Conv x");
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQueryResult) result = ask (index, "conv", NULL);
  static const char *const order[] = { "conv", "bn", "conv1", "stage_conv", "deconvolved" };
  guint best = sym_query_result_get_best (result), last = 0;

  g_assert_cmpuint (sym_query_result_get_n (result), ==, G_N_ELEMENTS (order));
  g_assert_cmpstr (
      sym_model_get_unique_name (model, sym_query_result_get (result, best).item.value), ==,
      "conv");
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    for (guint i = 0; i < sym_query_result_get_n (result); i++)
      {
        SymQueryHit hit = sym_query_result_get (result, i);

        if (g_str_equal (sym_model_get_unique_name (model, hit.item.value), order[k]))
          {
            g_assert_true (k == 0 || hit.rank > last);
            last = hit.rank;
          }
      }
}

static void
test_membership (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQueryResult) result = ask (index, "relu1", NULL);
  SymQueryItem item = sym_query_result_get (result, 0).item;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    g_assert_cmpint (sym_query_result_has_value (result, value), ==, value == item.value);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    g_assert_cmpint (sym_query_result_has_call (result, call), ==, call == item.call);
}

/* ---- What goes wrong ---- */

static void
test_unknown_names (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (ask (index, "conv shpe:3", &error));
  g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME);
  g_assert_cmpstr (error->message, ==,
                   "column 6: there is no field “shpe”, nor has a layer here such an attribute; to "
                   "look for the text, put it between quotation marks");
}

/* Names that are something else as a query, or none of this model. */
static void
test_pasted_names (void)
{
  static const char *const names[] = { "Identity:0", "onnx::Add_12", "a + (Layer* 8) [x]",
                                       "-minus",     "params>1M",    "Größe:1",
                                       "a OR b",     "other",        NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strdup_printf ("  %s ", names[i]);
      g_autofree char *expected = g_strdup_printf ("name %s", names[i]);
      g_autoptr (SymQueryResult) result = ask (index, text, &error);

      g_assert_no_error (error);
      guint best = sym_query_result_get_best (result);
      SymQueryHit hit = sym_query_result_get (result, best);
      g_autofree char *reason = sym_query_result_explain (result, best);

      g_assert_cmpstr (sym_model_get_unique_name (model, hit.item.value), ==, names[i]);
      g_assert_cmpstr (reason, ==, expected);
    }
  g_assert_null (ask (index, "Identity:0 other", NULL));
}

/* Nothing answers them as queries; what is no query at all is still told. */
static void
test_parts_of_pasted_names (void)
{
  static const char *const names[] = { "fc + (Layer* 8) [Shuffle]", "onnx::Add_12", "relu", NULL };
  static const Case cases[] = {
    { "fc + (Layer* 8)", "fc + (Layer* 8) [Shuffle]" },
    { "(Layer* 8) [Shu", "fc + (Layer* 8) [Shuffle]" },
    { "onnx::", "onnx::Add_12" },
    { "relu OR fc", "fc + (Layer* 8) [Shuffle] relu" },
    { "relu fc", "" },
  };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
  g_assert_null (ask (index, "fc + (Layer", NULL));
  g_assert_null (ask (index, "onyx:3", NULL));
}

/* An expression that would take 2^40 steps. */
static void
test_hard_expressions (void)
{
  static const char *const names[] = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (ask (index, "name:/^(a+)+$/", &error));
  g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_TOO_HARD);
}

static void
test_cancelled (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQuery) query = sym_query_parse ("conv", NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_query_run (query, index, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_empty_model (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (SymQueryIndex) index = new_index (model, TRUE);
  static const Case cases[] = {
    { "a", "" }, { "-a", "" }, { "parent:a", "" }, { "macs>1", "" }, { "/a/", "" }
  };

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/run/reasons", test_reasons);
  g_test_add_func ("/query/run/ranks", test_ranks);
  g_test_add_func ("/query/run/membership", test_membership);
  g_test_add_func ("/query/run/unknown-names", test_unknown_names);
  g_test_add_func ("/query/run/pasted-names", test_pasted_names);
  g_test_add_func ("/query/run/parts-of-pasted-names", test_parts_of_pasted_names);
  g_test_add_func ("/query/run/hard-expressions", test_hard_expressions);
  g_test_add_func ("/query/run/cancelled", test_cancelled);
  g_test_add_func ("/query/run/empty-model", test_empty_model);
  return g_test_run ();
}
