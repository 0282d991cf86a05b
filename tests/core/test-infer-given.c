/* SPDX-License-Identifier: MIT */
#include "infer-fixture.h"

/* What users and files say of shapes, beside what follows from the graph. */

static void
test_overrides (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (4, 10));
  SymId w = add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE_UNKNOWN);
  SymId y = add_call (builder, &dense, (SymId[]){ x, w }, 2);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  const char *const names[] = { "2*seq+1", NULL };
  const char *const wrong[] = { "2*", NULL };
  SymOverride override = { .value = x,
                           .has_shape = TRUE,
                           .shape = SYM_SHAPE (0, 3),
                           .names = names,
                           .has_dtype = TRUE,
                           .dtype = SYM_DTYPE_FLOAT16 };
  g_autoptr (SymInference) inference = sym_infer (model, &override, 1, NULL, NULL);
  g_autoptr (GError) error = NULL;

  assert_shape (inference, y, "2*seq+1,7");
  assert_shape (inference, w, "7,3");
  g_assert_cmpint (sym_inference_get_type (inference, w).dtype, ==, SYM_DTYPE_FLOAT16);
  override.names = wrong;
  g_assert_null (sym_infer (model, &override, 1, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_clear_error (&error);
  override.names = NULL;
  override.shape = SYM_SHAPE (4, -1);
  g_assert_null (sym_infer (model, &override, 1, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "Dimension 1 of a given shape is -1"));
}

/* A host function may say anything. */
static gboolean
infer_minus_one (SymRule *rule, gpointer user_data, GError **error)
{
  sym_rule_set_output_values (rule, 0, (SymDim[]){ -1, 4 }, 2);
  return sym_rule_set_output (rule, 0, &SYM_SHAPE (-1, 4), error);
}

static void
test_functions_that_tell_no_sizes (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymFunction function = { .name = "f", .infer = infer_minus_one };
  g_autoptr (SymLayer) layer = sym_layer_new_function ("f", &function);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, 3));
  SymId call = sym_model_builder_add_call (builder, "f", layer, &x, 1, 1);
  SymId y = sym_model_builder_get_result (builder, call, 0);
  g_autoptr (SymInference) inference = infer (builder);
  const SymProblems *problems = sym_inference_get_problems (inference);

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, "-1 is no size"));
  assert_shape (inference, y, "rank ?");
}

/* x [?, 3] -> Same -> f, declared [?, 4] for that by the file -> y */
static void
test_declared_results (void)
{
  static const struct {
    SymShape shape;
    const char *result;
  } cases[] = {
    { { 2, { 8, 3 } }, "?,4" }, /* one of those that were declared */
    { { 2, { 8, 5 } }, "rank ?" },
    { { 3, { 8, 3, 1 } }, "rank ?" },
    { { 2, { 8, SYM_DIM_UNKNOWN } }, "rank ?" },
  };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymFunction function = { .name = "f" };
  g_autoptr (SymLayer) layer = sym_layer_new_function ("wrap(f)", &function);
  SymType declared = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (SYM_DIM_UNKNOWN, 4));
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, 3));
  SymId between = add_call (builder, &same, &x, 1);
  SymId y = sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, "f", layer, &between, 1, 1), 0);
  g_autoptr (SymModel) model = NULL;

  sym_model_builder_set_type (builder, y, &declared);
  model = sym_model_builder_end (builder);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymOverride overrides[] = {
        { .value = x, .has_shape = TRUE, .shape = cases[i].shape },
        { .value = y, .has_shape = TRUE, .shape = SYM_SHAPE (8, 7) },
      };
      g_autoptr (SymInference) one = sym_infer (model, overrides, 1, NULL, NULL);
      g_autoptr (SymInference) both = sym_infer (model, overrides, 2, NULL, NULL);

      assert_shape (one, y, cases[i].result);
      assert_shape (both, y, "8,7");
    }
}

/* x [1, 3] -> Same -> [1, 3], which the file says as well, as those do whose shapes were inferred
 * before they were saved. */
static void
test_declared_values_between (void)
{
  static const struct {
    SymShape shape;
    const char *result;
  } cases[] = {
    { { 2, { 1, 3 } }, "1,3" },
    { { 2, { 2, 5 } }, "2,5" },
    { { 3, { 4, 3, 1 } }, "4,3,1" },
    { { 2, { SYM_DIM_UNKNOWN, 3 } }, "?,3" },
  };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType declared = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 3));
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (1, 3));
  SymId between = add_call (builder, &same, &x, 1);
  SymId y = add_call (builder, &same, &between, 1);
  g_autoptr (SymModel) model = NULL;

  sym_model_builder_set_type (builder, between, &declared);
  sym_model_builder_set_type (builder, y, &declared);
  model = sym_model_builder_end (builder);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymOverride override = { .value = x, .has_shape = TRUE, .shape = cases[i].shape };
      g_autoptr (SymInference) inference = sym_infer (model, &override, 1, NULL, NULL);

      g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
      assert_shape (inference, between, cases[i].result);
      assert_shape (inference, y, cases[i].result);
    }
}

/* a and b [batch, 3] -> Same -> [batch, 3]; c [?, 7] */
static void
test_given_names (void)
{
  static const struct {
    const char *first; /* given of a, b and c, or NULL */
    const char *second, *third;
    const char *shapes[3];
  } cases[] = {
    { "n", NULL, NULL, { "n,3", "n,3", "?,7" } },
    { "n", "m", NULL, { "n,3", "n,3", "?,7" } }, /* the graph says that they are equal */
    { "batch", NULL, NULL, { "batch,3", "batch,3", "?,7" } },
    { "2*n", NULL, NULL, { "2*n,3", "2*n,3", "?,7" } },
    { "4", NULL, NULL, { "4,3", "4,3", "?,7" } },
    { NULL, NULL, "n", { "batch,3", "batch,3", "n,7" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      SymDim batch = sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
      SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, 3));
      SymId b = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, 3));
      SymId c = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, 7));
      const char *const names[3][2] = { { cases[i].first },
                                        { cases[i].second },
                                        { cases[i].third } };
      const SymId values[] = { a, b, c };
      SymOverride overrides[3];
      guint n = 0;

      add_call (builder, &same, (SymId[]){ a, b }, 2);
      g_autoptr (SymModel) model = sym_model_builder_end (builder);

      for (guint k = 0; k < 3; k++)
        if (names[k][0] != NULL)
          overrides[n++] = (SymOverride){ .value = values[k],
                                          .has_shape = TRUE,
                                          .shape = SYM_SHAPE (SYM_DIM_UNKNOWN, k < 2 ? 3 : 7),
                                          .names = names[k] };
      g_autoptr (SymInference) inference = sym_infer (model, overrides, n, NULL, NULL);

      for (guint k = 0; k < 3; k++)
        assert_shape (inference, values[k], cases[i].shapes[k]);
    }
}

/* a and b [batch, 3], c and d [m, 3], nothing of which is used.  Which shape was given first makes
 * no difference. */
static void
test_names_in_any_order (void)
{
  static const struct {
    const char *given[3][3]; /* of a, b and c; none for NULL */
    const char *shapes[4];
  } cases[] = {
    { { { "n", "3" } }, { "n,3", "n,3", "m,3", "m,3" } },
    { { { "n", "3" }, { "batch", "3" } }, { "n,3", "batch,3", "m,3", "m,3" } },
    { { { "n", "3" }, { "2*batch", "3" } }, { "n,3", "2*batch,3", "m,3", "m,3" } },
    { { { "n", "3" }, { "k", "3" } }, { "n,3", "k,3", "m,3", "m,3" } },
    { { { "n", "3" }, { "m", "3" } }, { "n,3", "m,3", "m,3", "m,3" } },
    { { { "n", "3" }, { "7", "3" } }, { "n,3", "7,3", "m,3", "m,3" } },
    { { { "n", "3" }, { NULL }, { "batch", "3" } }, { "n,3", "batch,3", "batch,3", "m,3" } },
    { { { "n", "3" }, { NULL }, { "k", "3" } }, { "n,3", "n,3", "k,3", "k,3" } },
    { { { "n", "3" }, { NULL }, { "n", "3" } }, { "n,3", "n,3", "n,3", "n,3" } },
    { { { "n", "3", "k" } }, { "n,3,k", "batch,3", "m,3", "m,3" } },
    { { { "n" } }, { "n", "batch,3", "m,3", "m,3" } },
  };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymTerms *terms = sym_model_builder_get_terms (builder);
  SymDim batch = sym_terms_get_named (terms, "batch"), m = sym_terms_get_named (terms, "m");
  SymId values[4];

  for (guint k = 0; k < 4; k++)
    values[k] = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (k < 2 ? batch : m, 3));
  g_autoptr (SymModel) model = sym_model_builder_end (builder);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint is_turned = 0; is_turned < 2; is_turned++)
      {
        SymOverride overrides[3];
        guint n = 0;

        for (guint k = 0; k < 3; k++)
          {
            guint nth = is_turned ? 2 - k : k;
            const char *const *names = cases[i].given[nth];
            int rank = 0;

            while (rank < 3 && names[rank] != NULL)
              rank++;
            if (rank > 0)
              overrides[n++] = (SymOverride){
                .value = values[nth], .has_shape = TRUE, .shape = { .rank = rank }, .names = names
              };
          }
        g_autoptr (SymInference) inference = sym_infer (model, overrides, n, NULL, NULL);

        for (guint k = 0; k < 4; k++)
          assert_shape (inference, values[k], cases[i].shapes[k]);
      }
}

/* a and b [batch, 3] -> Same: both names are given, and equal by the graph. */
static void
test_equal_names_in_any_order (void)
{
  static const char *const names[2][2] = { { "n", "3" }, { "k", "3" } };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim batch = sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
  SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, 3));
  SymId b = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, 3));
  SymId y = add_call (builder, &same, (SymId[]){ a, b }, 2);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  SymOverride one = { .value = a, .has_shape = TRUE, .shape = { .rank = 2 }, .names = names[0] };
  SymOverride other = { .value = b, .has_shape = TRUE, .shape = { .rank = 2 }, .names = names[1] };
  g_autoptr (SymInference) first = sym_infer (model, (SymOverride[]){ one, other }, 2, NULL, NULL);
  g_autoptr (SymInference) then = sym_infer (model, (SymOverride[]){ other, one }, 2, NULL, NULL);

  assert_shape (first, y, "n,3");
  assert_shape (then, y, "n,3");
}

/* x [batch, 3] -> Same -> y, beside z [batch, 3], both the outputs. */
static SymModel *
make_named_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim batch = sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE_UNKNOWN);

  sym_model_builder_add_output (builder, add_call (builder, &same, &x, 1));
  sym_model_builder_add_output (builder,
                                add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE (batch, 3)));
  return sym_model_builder_end (builder);
}

/* Bodies are told what dimensions are called around them. */
static void
test_given_names_in_bodies (void)
{
  static const char *const names[] = { "n", "3" };
  g_autoptr (SymModel) body = make_named_body ();
  g_autoptr (SymLayer) layer = sym_layer_new ("Model", NULL, NULL);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim batch = sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
  SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, 3));

  sym_layer_add_body (layer, "body", body, TRUE);
  SymId call = sym_model_builder_add_call (builder, "m", layer, &a, 1, 2);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  SymOverride override = { .value = a, .has_shape = TRUE, .shape = { .rank = 2 }, .names = names };
  g_autoptr (SymInference) inference = sym_infer (model, &override, 1, NULL, NULL);
  SymIds outputs = sym_model_get_outputs (body);
  SymInference *inner = (SymInference *) sym_inference_get_body (inference, call, 0);

  g_assert_nonnull (inner);
  for (guint i = 0; i < 2; i++)
    {
      assert_shape (inner, outputs.ids[i], "n,3");
      assert_shape (inference, sym_model_get_results (model, call).ids[i], "n,3");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/infer-given/takes-overrides", test_overrides);
  g_test_add_func ("/core/infer-given/refuses-sizes-that-are-none",
                   test_functions_that_tell_no_sizes);
  g_test_add_func ("/core/infer-given/keeps-declared-results-to-their-inputs",
                   test_declared_results);
  g_test_add_func ("/core/infer-given/values-between-follow-their-inputs",
                   test_declared_values_between);
  g_test_add_func ("/core/infer-given/tells-names-that-are-given", test_given_names);
  g_test_add_func ("/core/infer-given/given-names-in-bodies", test_given_names_in_bodies);
  g_test_add_func ("/core/infer-given/names-in-any-order", test_names_in_any_order);
  g_test_add_func ("/core/infer-given/equal-names-in-any-order", test_equal_names_in_any_order);
  return g_test_run ();
}
