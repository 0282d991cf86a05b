/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "core/sym-kernel.h"
#include "core/sym-model-builder.h"
#include "ops/sym-op.h"
#include "run/sym-run.h"

/* Models are built of ONNX layers; values are named by letters. */
static SymId
add_call (SymModelBuilder *builder, const char *type, const char *name, SymId a, SymId b)
{
  g_autoptr (SymLayer) layer = sym_layer_new (type, sym_op_find ("", type, 0), NULL);
  SymId operands[] = { a, b };
  SymId call = sym_model_builder_add_call (builder, type, layer, operands, 2, 1);
  SymId result = sym_model_builder_get_result (builder, call, 0);

  sym_model_builder_set_value_name (builder, result, name);
  return result;
}

static SymId
add_input (SymModelBuilder *builder, const char *name, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);

  return sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);
}

static SymId
add_constant (SymModelBuilder *builder, const char *name, const float *numbers, gsize n)
{
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, n * sizeof *numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape shape = SYM_SHAPE ((gint64) n);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_CONSTANT, &type);

  sym_model_builder_set_tensor (builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL));
  return value;
}

static SymDatum *
new_datum (const float *numbers, gsize n)
{
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE ((gint64) n), (void *) numbers };

  return sym_datum_new_copy (&array, NULL);
}

static void
assert_numbers (SymDatum *datum, const float *numbers, gsize n)
{
  const SymArray *array;

  g_assert_nonnull (datum);
  array = sym_datum_get_array (datum);
  g_assert_cmpuint (sym_array_get_n_elements (array), ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (((const float *) array->data)[i], ==, numbers[i]);
}

/* y = (a + w) * b, z = a - w, w = [1, 2]. */
static SymModel *
new_small (SymId *a, SymId *b, SymId *y, SymId *z)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId w, sum;

  *a = add_input (builder, "a", SYM_SHAPE (2));
  *b = add_input (builder, "b", SYM_SHAPE (SYM_DIM_UNKNOWN));
  w = add_constant (builder, "w", (const float[]){ 1, 2 }, 2);
  sum = add_call (builder, "Add", "s", *a, w);
  *y = add_call (builder, "Mul", "y", sum, *b);
  *z = add_call (builder, "Sub", "z", *a, w);
  sym_model_builder_add_output (builder, *y);
  sym_model_builder_add_output (builder, *z);
  return sym_model_builder_end (builder);
}

static void
runs_again_in_the_same_memory (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) first = new_datum ((const float[]){ 1, 1 }, 2);
  g_autoptr (SymDatum) second = new_datum ((const float[]){ 10, 100 }, 2);
  const void *place;

  g_assert_true (sym_run_feed (run, a, first, NULL));
  g_assert_true (sym_run_feed (run, b, second, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_numbers (sym_run_get (run, y), (const float[]){ 20, 300 }, 2);
  assert_numbers (sym_run_get (run, z), (const float[]){ 0, -1 }, 2);
  place = sym_datum_get_array (sym_run_get (run, y))->data;
  g_assert_true (sym_run_feed (run, a, second, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_numbers (sym_run_get (run, y), (const float[]){ 110, 10200 }, 2);
  g_assert_true (sym_datum_get_array (sym_run_get (run, z))->data == place ||
                 sym_datum_get_array (sym_run_get (run, y))->data == place);
}

static void
computes_only_what_is_wanted (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  SymPlanOptions options = { .values = &z, .n_values = 1 };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) first = new_datum ((const float[]){ 1, 1 }, 2);

  g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, 1);
  g_assert_cmpuint (sym_plan_get_inputs (plan).n, ==, 1);
  g_assert_cmpuint (sym_plan_get_n_weight_bytes (plan), ==, 8);
  g_assert_true (sym_run_feed (run, a, first, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_numbers (sym_run_get (run, z), (const float[]){ 0, -1 }, 2);
}

static void
a_value_in_the_middle_can_be_fed (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  SymPlanOptions options = { .values = &y, .n_values = 1 };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  SymId sum = sym_model_get_parents (model, y).ids[0];

  g_assert_true (sym_run_feed (run, sum, datum, NULL));
  g_assert_true (sym_run_feed (run, b, datum, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_numbers (sym_run_get (run, y), (const float[]){ 25, 36 }, 2);
}

static void
what_is_fed_must_be_of_the_declared_type (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6, 7 }, 3);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_run_feed (run, b, datum, NULL));
  g_assert_false (sym_run_feed (run, a, datum, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_cmpstr (error->message, ==, "“a” should be float32[2], and is float32[3]");
}

static void
what_does_not_need_a_missing_layer_is_computed (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId a = add_input (builder, "a", SYM_SHAPE (2));
  SymId odd = add_call (builder, "Strange", "odd", a, a);
  SymId next = add_call (builder, "Add", "next", odd, a);
  SymId fine = add_call (builder, "Add", "fine", a, a);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  g_autoptr (GError) error = NULL;

  sym_model_builder_add_output (builder, next);
  sym_model_builder_add_output (builder, fine);
  model = sym_model_builder_end (builder);
  plan = sym_plan_new (model, NULL, NULL, NULL);
  run = sym_run_new (plan);
  g_assert_cmpstr (sym_plan_get_obstacle (plan, 0), ==,
                   "nothing is known of layers of type Strange");
  g_assert_true (sym_run_feed (run, a, datum, NULL));
  g_assert_false (sym_run_execute (run, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "“Strange” (Strange): nothing is known of layers of type Strange");
  g_assert_null (sym_run_get (run, next));
  assert_numbers (sym_run_get (run, fine), (const float[]){ 10, 12 }, 2);
}

static void
an_input_that_is_not_fed_is_named (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  g_autoptr (GError) error = NULL;
  const char *names[] = { "a" };

  g_assert_null (sym_run_evaluate (model, names, &datum, 1, NULL, &error));
  g_assert_cmpstr (error->message, ==, "“Mul” (Mul): the input “b” was not given");
}

static void
evaluates_in_one_call (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  SymDatum *data[] = { datum, datum };
  const char *names[] = { "a", "b" };
  g_autoptr (GPtrArray) outputs = sym_run_evaluate (model, names, data, 2, NULL, NULL);

  g_assert_cmpuint (outputs->len, ==, 2);
  assert_numbers (outputs->pdata[0], (const float[]){ 30, 48 }, 2);
  assert_numbers (outputs->pdata[1], (const float[]){ 4, 4 }, 2);
}

static gboolean
count (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  guint *n = user_data;

  (void) value;
  (void) error;
  g_assert_nonnull (datum);
  (*n)++;
  return TRUE;
}

static void
every_value_can_be_watched (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  guint n = 0;

  sym_run_feed (run, a, datum, NULL);
  sym_run_feed (run, b, datum, NULL);
  sym_run_set_watch (run, count, &n);
  g_assert_true (sym_run_execute (run, NULL, NULL));
  g_assert_cmpuint (n, ==, 3);
}

static void
a_cancelled_run_ends_at_once (void)
{
  SymId a, b, y, z;
  g_autoptr (SymModel) model = new_small (&a, &b, &y, &z);
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_run_execute (run, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* twice (x) = x + x as a body, applied to a sum. */
static void
a_body_runs_in_place_of_its_layer (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = add_input (builder, "x", SYM_SHAPE_UNKNOWN);
  g_autoptr (SymModel) body = NULL, model = NULL;
  g_autoptr (SymLayer) layer = sym_layer_new ("Twice", NULL, NULL);
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 5, 6 }, 2);
  const char *names[] = { "a" };
  g_autoptr (GPtrArray) outputs = NULL;
  SymId a, call;

  sym_model_builder_add_output (builder, add_call (builder, "Add", "y", x, x));
  body = sym_model_builder_end (builder);
  sym_layer_add_body (layer, "body", body, TRUE);
  builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  a = add_input (builder, "a", SYM_SHAPE (2));
  call = sym_model_builder_add_call (builder, "twice", layer, &a, 1, 1);
  a = sym_model_builder_get_result (builder, call, 0);
  call = sym_model_builder_add_call (builder, "again", layer, &a, 1, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  outputs = sym_run_evaluate (model, names, &datum, 1, NULL, NULL);
  assert_numbers (outputs->pdata[0], (const float[]){ 20, 24 }, 2);
}

static void
an_empty_model_runs (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (GPtrArray) outputs = sym_run_evaluate (model, NULL, NULL, 0, NULL, NULL);

  g_assert_cmpuint (outputs->len, ==, 0);
}

static void
a_long_chain_runs (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId a = add_input (builder, "a", SYM_SHAPE (1)), value = a;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymDatum) datum = new_datum ((const float[]){ 1 }, 1);
  const char *names[] = { "a" };
  g_autoptr (GPtrArray) outputs = NULL;

  for (guint i = 0; i < 100000; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);

      value = add_call (builder, "Add", name, value, a);
    }
  sym_model_builder_add_output (builder, value);
  model = sym_model_builder_end (builder);
  outputs = sym_run_evaluate (model, names, &datum, 1, NULL, NULL);
  assert_numbers (outputs->pdata[0], (const float[]){ 100001 }, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/run/runs-again-in-the-same-memory", runs_again_in_the_same_memory);
  g_test_add_func ("/run/run/computes-only-what-is-wanted", computes_only_what_is_wanted);
  g_test_add_func ("/run/run/a-value-in-the-middle-can-be-fed", a_value_in_the_middle_can_be_fed);
  g_test_add_func ("/run/run/what-is-fed-must-be-of-the-declared-type",
                   what_is_fed_must_be_of_the_declared_type);
  g_test_add_func ("/run/run/what-does-not-need-a-missing-layer-is-computed",
                   what_does_not_need_a_missing_layer_is_computed);
  g_test_add_func ("/run/run/an-input-that-is-not-fed-is-named", an_input_that_is_not_fed_is_named);
  g_test_add_func ("/run/run/evaluates-in-one-call", evaluates_in_one_call);
  g_test_add_func ("/run/run/every-value-can-be-watched", every_value_can_be_watched);
  g_test_add_func ("/run/run/a-cancelled-run-ends-at-once", a_cancelled_run_ends_at_once);
  g_test_add_func ("/run/run/a-body-runs-in-place-of-its-layer", a_body_runs_in_place_of_its_layer);
  g_test_add_func ("/run/run/an-empty-model-runs", an_empty_model_runs);
  g_test_add_func ("/run/run/a-long-chain-runs", a_long_chain_runs);
  return g_test_run ();
}
