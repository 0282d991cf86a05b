/* SPDX-License-Identifier: MIT */
#include "core/sym-kernel.h"
#include "core/sym-rule-parts.h"
#include "infer-fixture.h"

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  SymDim fresh = sym_terms_new_unknown (sym_rule_get_terms (rule));

  return sym_rule_set_output (rule, 0, &SYM_SHAPE (fresh), error) &&
         sym_rule_set_output (rule, 1, &SYM_SHAPE (fresh), error);
}

static gboolean
infer_shape_of (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank < 0)
    return TRUE;
  sym_rule_set_output_values (rule, 0, shape.dims, shape.rank);
  return sym_rule_set_output (rule, 0, &SYM_SHAPE (shape.rank), error);
}

static gboolean
infer_fill (SymRule *rule, GError **error)
{
  SymDim values[SYM_MAX_RANK];
  int n = sym_rule_get_input_values (rule, 0, values, SYM_MAX_RANK);
  SymShape shape;

  if (n < 0)
    return TRUE;
  shape = sym_shape_new (values, n);
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* [n] -> [n / 2], once n is a number. */
static gboolean
infer_half (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return shape.rank != 1 || shape.dims[0] < 0 ||
         sym_rule_set_output (rule, 0, &SYM_SHAPE (shape.dims[0] / 2), error);
}

/* [n, 3] -> [n, 3], of no other sizes. */
static guint n_strict;

static gboolean
infer_strict (SymRule *rule, GError **error)
{
  SymDim n = sym_terms_new_unknown (sym_rule_get_terms (rule));

  n_strict++;
  return sym_rule_set_input (rule, 0, &SYM_SHAPE (n, 3), error) &&
         sym_rule_set_output (rule, 0, &SYM_SHAPE (n, 3), error);
}

/* The same of numbers that are floats. */
static gboolean
infer_floats (SymRule *rule, GError **error)
{
  return infer_strict (rule, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

static const SymOperator floats = { .domain = "test", .name = "Floats", .infer = infer_floats };
static const SymOperator strict = { .domain = "test", .name = "Strict", .infer = infer_strict };
static const SymOperator half = { .domain = "test", .name = "Half", .infer = infer_half };
static const SymOperator pair = { .domain = "test", .name = "Pair", .infer = infer_pair };
static const SymOperator shape_of = { .domain = "test", .name = "Shape", .infer = infer_shape_of };
static const SymOperator fill = { .domain = "test", .name = "Fill", .infer = infer_fill };

/* Twice each integer, with numbers that no rule tells. */
static guint n_doubled;

static gboolean
run_twice (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *y =
      x == NULL ? NULL : sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &x->shape, error);

  n_doubled++;
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i++)
    ((gint64 *) y->data)[i] = 2 * ((const gint64 *) x->data)[i];
  return y != NULL;
}

static gboolean
infer_twice (SymRule *rule, GError **error)
{
  return sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_INT64, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error) &&
         sym_rule_tie_shapes (rule, 0, 0, error);
}

static const SymAttributeSpec seeded[] = { { "seed", SYM_ATTRIBUTE_INT, "0", "" }, { NULL } };
static const SymOperator twice = { .domain = "",
                                   .name = "Twice",
                                   .infer = infer_twice,
                                   .run = run_twice };
static const SymOperator chance = { .domain = "",
                                    .name = "Chance",
                                    .infer = infer_twice,
                                    .run = run_twice,
                                    .attributes = seeded };

static void
test_forwards (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (4, 10));
  SymId w = add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE_UNKNOWN);
  SymId y = add_call (builder, &dense, (SymId[]){ x, w }, 2);
  g_autoptr (SymInference) inference = infer (builder);
  guint64 n;

  assert_shape (inference, y, "4,7");
  assert_shape (inference, w, "7,10");
  g_assert_true (sym_inference_get_n_elements (inference, w, &n));
  g_assert_cmpuint (n, ==, 70);
}

/* T-M9 in small: FC(a(0,10)) + c(5,0) gives a (5,10). */
static void
test_backwards (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, 10));
  SymId w = add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE_UNKNOWN);
  SymId y = add_call (builder, &dense, (SymId[]){ a, w }, 2);
  SymId c = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (5, SYM_DIM_UNKNOWN));
  SymId sum = add_call (builder, &same, (SymId[]){ y, c }, 2);
  g_autoptr (SymInference) inference = infer (builder);

  assert_shape (inference, a, "5,10");
  assert_shape (inference, c, "5,7");
  assert_shape (inference, sum, "5,7");
}

static void
test_ties (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymTerms *terms = sym_model_builder_get_terms (builder);
  SymDim batch = sym_terms_get_named (terms, "batch");
  SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (batch, SYM_DIM_UNKNOWN));
  SymId b = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, 3));
  SymId sum = add_call (builder, &same, (SymId[]){ a, b }, 2);
  g_autoptr (SymInference) inference = infer (builder);

  assert_shape (inference, sum, "batch,3");
  assert_shape (inference, b, "batch,3");
}

static void
test_contradiction (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId a = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (2, 3));
  SymId b = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (3, 2));
  SymId bad = add_call (builder, &same, (SymId[]){ a, b }, 2);
  SymId c = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (1, 8));
  SymId w = add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE_UNKNOWN);
  SymId good = add_call (builder, &dense, (SymId[]){ c, w }, 2);
  g_autoptr (SymInference) inference = infer (builder);
  const SymProblem *problem = sym_problems_get (sym_inference_get_problems (inference), 0);

  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 1);
  g_assert_cmpint (problem->severity, ==, SYM_SEVERITY_ERROR);
  g_assert_cmpuint (problem->call, ==, 0);
  g_assert_true (g_str_has_prefix (problem->message, "Error in operator Same: Shape inconsistent"));
  g_assert_nonnull (strstr (problem->message, "[3,2]"));
  g_assert_nonnull (strstr (problem->message, "[2,3]"));
  assert_shape (inference, good, "1,7");
  assert_shape (inference, bad, "rank ?");
}

/* Layers alike that contradict are each told, without a run of the rule for each; others are no
 * such layers, those least that only a name makes wrong. */
static void
test_equal_contradictions (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim batch = sym_terms_get_named (sym_model_builder_get_terms (builder), "batch");
  SymDim other = sym_terms_get_named (sym_model_builder_get_terms (builder), "other");
  const SymShape shapes[] = { SYM_SHAPE (2, 4),     SYM_SHAPE (2, 4), SYM_SHAPE (2, 4),
                              SYM_SHAPE (2, 5),     SYM_SHAPE (2, 3), SYM_SHAPE (batch, 4),
                              SYM_SHAPE (other, 4), SYM_SHAPE (2, 4) };
  static const char *const told[] = { "[2,4]", "[2,4]",     "[2,4]",     "[2,5]",
                                      NULL,    "[batch,4]", "[other,4]", "[2,4]" };
  g_autoptr (SymInference) inference = NULL;
  SymId good = SYM_NO_ID;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      SymId x = add_tensor (builder, SYM_ROLE_INPUT, shapes[i]);
      SymId y = add_call (builder, &strict, &x, 1);

      good = told[i] == NULL ? y : good;
    }
  n_strict = 0;
  inference = infer (builder);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (told[i] != NULL)
      {
        const SymProblem *problem = sym_problems_get (sym_inference_get_problems (inference), n++);

        g_assert_cmpuint (problem->call, ==, i);
        g_assert_nonnull (strstr (problem->message, told[i]));
      }
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, n);
  assert_shape (inference, good, "2,3");
  g_assert_cmpuint (n_strict, ==, 6);
}

/* Each is of a kind of its own, and tells all there is the first time. */
static void
test_told_once (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymInference) inference = NULL;

  for (gint64 i = 1; i <= 10; i++)
    {
      SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (i, 3));
      SymId x = sym_model_builder_add_value (builder, NULL, SYM_ROLE_INPUT, &type);

      add_call (builder, &floats, &x, 1);
    }
  n_strict = 0;
  inference = infer (builder);
  g_assert_cmpuint (n_strict, ==, 10);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
}

/* A tensor of these sizes, and the sizes once more. */
static guint n_parts;

static gboolean
infer_parts (SymRule *rule, GError **error)
{
  g_autoptr (SymRuleParts) parts = sym_rule_parts_new ();
  g_autoptr (SymLayer) first = sym_layer_new ("Fill", &fill, NULL);
  g_autoptr (SymLayer) second = sym_layer_new ("Shape", &shape_of, NULL);
  SymId sizes = sym_rule_parts_add_operand (parts);
  SymId filled = sym_rule_parts_get_result (
      parts, sym_rule_parts_add_call (parts, first, (SymIds){ &sizes, 1 }), 0);

  n_parts++;
  sym_rule_parts_add_output (parts, filled);
  sym_rule_parts_add_output (
      parts, sym_rule_parts_get_result (
                 parts, sym_rule_parts_add_call (parts, second, (SymIds){ &filled, 1 }), 0));
  return sym_rule_infer_parts (rule, parts, error);
}

static const SymOperator in_parts = { .domain = "test", .name = "Parts", .infer = infer_parts };

/* Whose rule is a body is asked once for those that know the same integers; the first of them tells
 * that it is one. */
static void
test_known_again (void)
{
  static const char *const told[] = { "2,3", "2,3", "4,3", "2,3", "4,3" };
  const SymShape shapes[] = { SYM_SHAPE (2, 3), SYM_SHAPE (2, 3), SYM_SHAPE (4, 3),
                              SYM_SHAPE (2, 3), SYM_SHAPE (4, 3) };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Parts", &in_parts, NULL);
  g_autoptr (SymInference) inference = NULL;
  SymId filled[G_N_ELEMENTS (told)], again[G_N_ELEMENTS (told)];

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      SymId x = add_tensor (builder, SYM_ROLE_INPUT, shapes[i]);
      SymId sizes = add_call (builder, &shape_of, &x, 1);
      SymId call = sym_model_builder_add_call (builder, "parts", layer, &sizes, 1, 2);
      SymId same_sizes = sym_model_builder_get_result (builder, call, 1);

      filled[i] = sym_model_builder_get_result (builder, call, 0);
      again[i] = add_call (builder, &fill, &same_sizes, 1);
    }
  n_parts = 0;
  inference = infer (builder);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      assert_shape (inference, filled[i], told[i]);
      assert_shape (inference, again[i], told[i]);
    }
  g_assert_cmpuint (n_parts, ==, 5);
}

/* The first one of several makes all floats, if it is there. */
static gboolean
infer_first (SymRule *rule, GError **error)
{
  return sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) &&
         sym_rule_tie_dtypes (rule, 1, G_MAXUINT, error) &&
         (sym_rule_has_input (rule, 1) || sym_rule_set_output (rule, 0, &SYM_SHAPE (2, 3), error));
}

static const SymOperator by_first = { .domain = "test", .name = "First", .infer = infer_first };

/* Of an operand that is absent follows more than of one of which nothing is known. */
static void
test_absent (void)
{
  for (guint absent = 0; absent < 2; absent++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      g_autoptr (SymInference) inference = NULL;
      SymId results[2];

      for (guint i = 0; i < 2; i++)
        {
          SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
          SymId y = i == absent ? SYM_NO_ID
                                : sym_model_builder_add_value (builder, "y", SYM_ROLE_INPUT, NULL);

          results[i] = add_call (builder, &by_first, (SymId[]){ x, y }, 2);
        }
      inference = infer (builder);
      assert_shape (inference, results[absent], "2,3");
      assert_shape (inference, results[!absent], "rank ?");
    }
}

/* What follows of one value that is two operands does not of two values, nor the other way round.
 */
static void
test_one_value_twice (void)
{
  for (guint again = 0; again < 2; again++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      g_autoptr (SymInference) inference = NULL;
      SymId results[2];

      for (guint i = 0; i < 2; i++)
        {
          SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
          SymId y =
              i == again ? x : sym_model_builder_add_value (builder, "y", SYM_ROLE_INPUT, NULL);

          results[i] = add_call (builder, &by_first, (SymId[]){ x, y }, 2);
        }
      inference = infer (builder);
      g_assert_cmpint (sym_inference_get_type (inference, results[again]).dtype, ==,
                       SYM_DTYPE_FLOAT32);
      g_assert_cmpint (sym_inference_get_type (inference, results[!again]).dtype, ==,
                       SYM_DTYPE_UNKNOWN);
    }
}

/* Sizes by integers, and the type of another operand. */
static gboolean
infer_parts_and_more (SymRule *rule, GError **error)
{
  return infer_parts (rule, error) && sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_FLOAT32, error);
}

static const SymOperator parts_and_more = { .domain = "test",
                                            .name = "PartsAndMore",
                                            .infer = infer_parts_and_more };

/* An operand that is absent learns nothing of what is known of the others. */
static void
test_absent_beside_known (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("PartsAndMore", &parts_and_more, NULL);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (2, 3));
  SymId operands[2] = { add_call (builder, &shape_of, &x, 1), SYM_NO_ID };
  g_autoptr (SymInference) inference = NULL;
  SymId results[4];

  for (guint i = 0; i < 4; i++)
    {
      operands[1] =
          i == 3 ? SYM_NO_ID : sym_model_builder_add_value (builder, "y", SYM_ROLE_INPUT, NULL);
      results[i] = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, "call", layer, operands, 2, 2), 0);
    }
  inference = infer (builder);
  for (guint i = 0; i < 4; i++)
    assert_shape (inference, results[i], "2,3");
}

static void
test_small_values (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim n = sym_terms_get_named (sym_model_builder_get_terms (builder), "n");
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (n, 5, 6));
  SymId shape = add_call (builder, &shape_of, &x, 1);
  SymId filled = add_call (builder, &fill, &shape, 1);
  g_autoptr (SymInference) inference = infer (builder);

  assert_shape (inference, filled, "n,5,6");
}

/* A rule that makes an unknown at every run must come to rest all the same, and keep its tie. */
static void
test_fresh_unknowns (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Pair", &pair, NULL);
  SymId call = sym_model_builder_add_call (builder, "pair", layer, NULL, 0, 2);
  SymId first = sym_model_builder_get_result (builder, call, 0);
  SymId second = sym_model_builder_get_result (builder, call, 1);
  SymId known = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (9));
  g_autoptr (SymInference) inference = NULL;

  add_call (builder, &same, (SymId[]){ first, known }, 2);
  inference = infer (builder);
  assert_shape (inference, second, "9");
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
}

static SymModel *
make_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE_UNKNOWN);
  SymId w = add_tensor (builder, SYM_ROLE_PARAMETER, SYM_SHAPE (7, 10));
  SymId y = add_call (builder, &dense, (SymId[]){ x, w }, 2);

  sym_model_builder_add_output (builder, add_call (builder, &same, &y, 1));
  return sym_model_builder_end (builder);
}

static void
test_bodies (void)
{
  g_autoptr (SymModel) body = make_body ();
  g_autoptr (SymLayer) layer = sym_layer_new ("Model", NULL, NULL);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN));
  SymId call, y, fixed, sum;
  g_autoptr (SymInference) inference = NULL;

  sym_layer_add_body (layer, "body", body, TRUE);
  call = sym_model_builder_add_call (builder, "m", layer, &x, 1, 1);
  y = sym_model_builder_get_result (builder, call, 0);
  fixed = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (5, SYM_DIM_UNKNOWN));
  sum = add_call (builder, &same, (SymId[]){ y, fixed }, 2);
  inference = infer (builder);
  assert_shape (inference, sum, "5,7");
  assert_shape (inference, x, "5,10");
  g_assert_nonnull (sym_inference_get_body (inference, call, 0));
}

/* Fills a tensor of the sizes that its input has as values. */
static SymModel *
make_filling_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId sizes = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE_UNKNOWN);

  sym_model_builder_add_output (builder, add_call (builder, &fill, &sizes, 1));
  return sym_model_builder_end (builder);
}

/* One layer with a body is called with the sizes of two values, and with none that are known. */
static void
test_small_values_in_bodies (void)
{
  g_autoptr (SymModel) body = make_filling_body ();
  g_autoptr (SymLayer) layer = sym_layer_new ("Model", NULL, NULL);
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymDim n = sym_terms_get_named (sym_model_builder_get_terms (builder), "n");
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (n, 5, SYM_DIM_UNKNOWN));
  SymId y = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (2));
  SymId z = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (7, 5, 9));
  SymId sizes[3], results[3];
  g_autoptr (SymInference) inference = NULL;

  sym_layer_add_body (layer, "body", body, TRUE);
  sizes[0] = add_call (builder, &shape_of, &x, 1);
  sizes[1] = add_call (builder, &shape_of, &y, 1);
  sizes[2] = y;
  for (guint i = 0; i < 3; i++)
    results[i] = sym_model_builder_get_result (
        builder, sym_model_builder_add_call (builder, "m", layer, &sizes[i], 1, 1), 0);
  add_call (builder, &same, (SymId[]){ results[0], z }, 2);
  inference = infer (builder);
  assert_shape (inference, results[0], "7,5,9");
  assert_shape (inference, x, "7,5,9");
  assert_shape (inference, results[1], "2");
  assert_shape (inference, results[2], "rank ?");
}

static void
test_cancelled (void)
{
  g_autoptr (SymModel) model = make_body ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_infer (model, NULL, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_long_chain (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId first = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE_UNKNOWN);
  SymId value = first;
  SymId end = SYM_NO_ID;
  g_autoptr (SymInference) inference = NULL;

  for (guint i = 0; i < 100000; i++)
    value = add_call (builder, &same, &value, 1);
  end = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (3, 4));
  add_call (builder, &same, (SymId[]){ value, end }, 2);
  inference = infer (builder);
  assert_shape (inference, first, "3,4");
}

/* Layers of which nothing more followed are asked again when one of their sizes is found elsewhere.
 */
static void
test_sizes_found_later (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId halves[3], unknown[3], eight = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (8));
  g_autoptr (SymInference) inference = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      unknown[i] = add_tensor (builder, SYM_ROLE_INPUT, sym_shape_new_unknown (1));
      halves[i] = add_call (builder, &half, &unknown[i], 1);
    }
  add_call (builder, &same, (SymId[]){ unknown[0], unknown[2] }, 2);
  add_call (builder, &same, (SymId[]){ unknown[2], eight }, 2);
  inference = infer (builder);
  assert_shape (inference, halves[0], "4");
  g_assert_cmpint (sym_inference_get_type (inference, halves[1]).shape.rank, ==, -1);
  assert_shape (inference, halves[2], "4");
}

/* Numbers that are known go through kernels, each call once; what is random, and what is large,
 * does not. */
static void
test_evaluation (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType sizes = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (2));
  SymType many = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (65));
  SymId x = add_tensor (builder, SYM_ROLE_INPUT, SYM_SHAPE (3, 4));
  SymId given = sym_model_builder_add_value (builder, "n", SYM_ROLE_INPUT, &sizes);
  SymId large = sym_model_builder_add_value (builder, "m", SYM_ROLE_INPUT, &many);
  SymId shape = add_call (builder, &shape_of, &x, 1);
  SymId once = add_call (builder, &twice, &shape, 1);
  SymId again = add_call (builder, &twice, &once, 1);
  SymId known = add_call (builder, &fill, &again, 1);
  SymId random = add_call (builder, &chance, &once, 1);
  SymId unknown = add_call (builder, &fill, &random, 1);
  SymId other = add_call (builder, &twice, &given, 1);

  add_call (builder, &twice, &large, 1);
  n_doubled = 0;
  {
    g_autoptr (SymInference) inference = infer (builder);

    assert_shape (inference, known, "12,16");
    g_assert_cmpint (sym_inference_get_type (inference, unknown).shape.rank, ==, -1);
    assert_shape (inference, other, "2");
    g_assert_cmpuint (n_doubled, ==, 2);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/infer/goes-forwards-and-sizes-weights", test_forwards);
  g_test_add_func ("/core/infer/goes-backwards", test_backwards);
  g_test_add_func ("/core/infer/knows-ties-before-numbers", test_ties);
  g_test_add_func ("/core/infer/names-the-layer-that-contradicts", test_contradiction);
  g_test_add_func ("/core/infer/tells-equal-contradictions-once-found", test_equal_contradictions);
  g_test_add_func ("/core/infer/carries-small-values", test_small_values);
  g_test_add_func ("/core/infer/comes-to-rest-with-fresh-unknowns", test_fresh_unknowns);
  g_test_add_func ("/core/infer/looks-into-bodies", test_bodies);
  g_test_add_func ("/core/infer/carries-small-values-into-bodies", test_small_values_in_bodies);
  g_test_add_func ("/core/infer/asks-again-when-sizes-are-found", test_sizes_found_later);
  g_test_add_func ("/core/infer/asks-once-where-all-is-told", test_told_once);
  g_test_add_func ("/core/infer/asks-once-of-known-integers", test_known_again);
  g_test_add_func ("/core/infer/tells-absent-operands-from-unknown-ones", test_absent);
  g_test_add_func ("/core/infer/tells-one-value-twice-from-two", test_one_value_twice);
  g_test_add_func ("/core/infer/tells-nothing-of-absent-operands", test_absent_beside_known);
  g_test_add_func ("/core/infer/computes-small-numbers", test_evaluation);
  g_test_add_func ("/core/infer/is-cancelled", test_cancelled);
  g_test_add_func ("/core/infer/takes-a-chain-of-100000-backwards", test_long_chain);
  return g_test_run ();
}
