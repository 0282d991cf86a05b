/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-model-builder.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"
#include "run/sym-run.h"

typedef struct {
  SymModelBuilder *builder;
  SymId data;
} Net;

static SymId
add_numbers (Net *self, const char *name, SymShape shape, const float *numbers)
{
  SymArray array = { SYM_DTYPE_FLOAT32, shape, (void *) numbers };
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_PARAMETER, &type);

  sym_model_builder_set_tensor (self->builder, value, sym_tensor_new_copy (&array, NULL));
  return value;
}

static SymId
add_layer (Net *self, const char *type, const char *literals, const SymId *operands, guint n)
{
  const SymOperator *op = sym_op_find ("mxnet", type, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_auto (GStrv) pairs = g_strsplit (literals, "; ", -1);
  g_autofree char *name = g_strdup_printf ("my_%s", type);
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      char *equals = strchr (pairs[i], '=');

      *equals = '\0';
      sym_attributes_set (
          attributes, pairs[i],
          sym_op_type_literal (sym_op_find_attribute (op, pairs[i])->kind, equals + 1), NULL);
    }
  layer = sym_layer_new (type, op, attributes);
  call = sym_model_builder_add_call (self->builder, name, layer, operands, n, 1);
  return sym_model_builder_get_result (self->builder, call, 0);
}

/* A convolution of 1x1, normalized and rectified, then a softmax with a label: y = max (3x - 2, 0)
 * of channel 0 and max (-x, 0) of channel 1 before the softmax. */
static SymModel *
new_net (const char *act_type)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 1, 1, 2));
  Net net = { sym_model_builder_new (SYM_DIALECT_MXNET), 0 };
  g_autofree char *act = g_strdup_printf ("act_type=%s", act_type);
  SymId w, gamma, beta, mean, var, y, label;

  net.data = sym_model_builder_add_value (net.builder, "data", SYM_ROLE_INPUT, &type);
  w = add_numbers (&net, "w", SYM_SHAPE (2, 1, 1, 1), (const float[]){ 3, -2 });
  gamma = add_numbers (&net, "gamma", SYM_SHAPE (2), (const float[]){ 9, 9 });
  beta = add_numbers (&net, "beta", SYM_SHAPE (2), (const float[]){ -2, 0 });
  mean = add_numbers (&net, "mean", SYM_SHAPE (2), (const float[]){ 0, 0 });
  var = add_numbers (&net, "var", SYM_SHAPE (2), (const float[]){ 1, 4 });
  label = sym_model_builder_add_value (net.builder, "label", SYM_ROLE_INPUT, NULL);
  y = add_layer (&net, "Convolution", "kernel=(1, 1); num_filter=2; no_bias=True",
                 (const SymId[]){ net.data, w }, 2);
  y = add_layer (&net, "BatchNorm", "eps=0.0", (const SymId[]){ y, gamma, beta, mean, var }, 5);
  y = add_layer (&net, "Activation", act, &y, 1);
  y = add_layer (&net, "SoftmaxOutput", "multi_output=True", (const SymId[]){ y, label }, 2);
  sym_model_builder_add_output (net.builder, y);
  return sym_model_builder_end (net.builder);
}

static SymDatum *
new_data (void)
{
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 1, 1, 2), (float[]){ 1, -2 } };

  return sym_datum_new_copy (&array, NULL);
}

/* At 1 channels have 1 and 0, at -2 they have 0 and 2. */
static void
assert_result (SymRun *run, SymModel *model)
{
  const float expected[] = { 0.7310586f, 0.1192029f, 0.2689414f, 0.8807971f };
  const SymArray *array =
      sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (model).ids[0]));

  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (((const float *) array->data)[i], expected[i], 1e-6);
}

static gboolean
note (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  g_array_append_val (user_data, value);
  return TRUE;
}

static void
test_watches_see_layers (void)
{
  g_autoptr (SymModel) model = new_net ("relu");
  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (SymDatum) data = new_data ();

  /* The label is not given. */
  g_assert_cmpuint (sym_plan_get_inputs (plan).n, ==, 1);
  sym_run_set_watch (run, note, seen);
  g_assert_true (sym_run_feed (run, sym_plan_get_inputs (plan).ids[0], data, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_result (run, model);
  g_assert_cmpuint (seen->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (g_array_index (seen, SymId, i), ==, sym_model_get_results (model, i).ids[0]);
}

static void
test_compiled_plans_see_what_is_inside (void)
{
  g_autoptr (SymModel) model = new_net ("relu");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions options = { .inference = inference };
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (SymDatum) data = new_data ();
  SymIds calls;

  g_assert_true (sym_plan_get_model (plan) == model);
  g_assert_true (sym_plan_is_compiled (plan, 0));
  calls = sym_plan_get_calls (plan, 0);
  g_assert_cmpuint (calls.n, >=, 2);
  for (guint i = 0; i < calls.n; i++)
    g_assert_cmpuint (calls.ids[i], ==, i);
  g_assert_true (sym_run_feed (run, sym_plan_get_inputs (plan).ids[0], data, NULL));
  g_assert_true (sym_run_execute (run, NULL, NULL));
  assert_result (run, model);
}

static void
test_failures_name_the_layer (void)
{
  g_autoptr (SymModel) model = new_net ("cubic");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions ways[] = { { NULL }, { .inference = inference } };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (SymPlan) plan = sym_plan_new (model, &ways[i], NULL, NULL);
      g_autoptr (SymRun) run = sym_run_new (plan);
      g_autoptr (SymDatum) data = new_data ();
      g_autoptr (GError) error = NULL;

      g_assert_true (sym_run_feed (run, sym_plan_get_inputs (plan).ids[0], data, NULL));
      g_assert_false (sym_run_execute (run, NULL, &error));
      g_assert_cmpstr (error->message, ==,
                       "“my_Activation” (Activation): Activation: act_type cubic is not known");
    }
}

/* A body holds no data when it does not run, so other shapes may come. */
static void
test_other_shapes_make_another_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, sym_shape_new_unknown (2));
  Net net = { builder, sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type) };
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;

  sym_model_builder_add_output (builder, add_layer (&net, "Flatten", "", &net.data, 1));
  model = sym_model_builder_end (builder);
  plan = sym_plan_new (model, NULL, NULL, NULL);
  run = sym_run_new (plan);
  for (gint64 n = 1; n < 4; n++)
    {
      const SymArray *array;
      g_autoptr (SymDatum) x = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (n, 2), NULL);

      g_assert_true (sym_run_feed (run, net.data, x, NULL));
      g_assert_true (sym_run_execute (run, NULL, NULL));
      array = sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (model).ids[0]));
      g_assert_cmpint (array->shape.dims[0], ==, n);
    }
}

/* A formula is read when a layer runs: all of them are, here, with numbers for operands. */
static void
test_all_formulas_can_be_read (void)
{
  SymType one = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1));
  SymType types[] = { one, one, one, one };
  guint n = 0;

  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);
      g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
      g_autoptr (SymModel) body = NULL;
      g_autoptr (GError) error = NULL;
      guint n_operands;

      if (op->formula == NULL)
        continue;
      n_operands = sym_op_needs_operand (op, 1) ? (guint) sym_op_get_n_operands (op, NULL) : 1;
      body = sym_op_lower (layer, types, n_operands, 1, &error);
      if (body == NULL)
        g_error ("%s: %s", op->name, error->message);
      n++;
    }
  g_assert_cmpuint (n, >, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/lower/watches-see-layers", test_watches_see_layers);
  g_test_add_func ("/run/lower/compiled-plans-see-what-is-inside",
                   test_compiled_plans_see_what_is_inside);
  g_test_add_func ("/run/lower/failures-name-the-layer", test_failures_name_the_layer);
  g_test_add_func ("/run/lower/other-shapes-make-another-body",
                   test_other_shapes_make_another_body);
  g_test_add_func ("/run/lower/all-formulas-can-be-read", test_all_formulas_can_be_read);
  return g_test_run ();
}
