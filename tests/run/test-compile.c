/* SPDX-License-Identifier: MIT */
#include "net.h"

#include "core/sym-error.h"
#include "run/sym-vector-private.h"

/* Compiled plans compute what the reference kernels do, within 1e-5 of the largest number, or 1e-4
 * where they need not be exact.  Models are built of ONNX layers with random numbers. */

/* ---- Elementwise ---- */

static void
computes_chains_of_any_length (void)
{
  const gint64 sizes[] = { 1, 3, 16, 64, 511, 512, 513, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, sizes[i]));
      SymId a = add_unary (&net, "Tanh", net.input);
      SymId b = add_binary (&net, "Mul", a, add_numbers (&net, SYM_SHAPE (sizes[i]), -1, 1));
      SymId c = add_binary (&net, "Add", add_unary (&net, "Sigmoid", b), net.input);
      SymId d = add_binary (&net, "Div", add_unary (&net, "Exp", c),
                            add_numbers (&net, SYM_SHAPE (), 1, 2));
      SymId e = add_binary (&net, "Sub", add_numbers (&net, SYM_SHAPE (2, sizes[i]), 0, 1), d);

      finish (&net, add_binary (&net, "Add", add_unary (&net, "Relu", e), a));
      assert_same (&net, 1, 9);
    }
}

static void
computes_each_function (void)
{
  const char *const functions[] = { "Abs",     "Erf",  "Exp",  "Identity", "Neg",       "Relu",
                                    "Sigmoid", "Tanh", "Sqrt", "Log",      "Reciprocal" };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (7, 37));
      SymId square = add_binary (&net, "Mul", net.input, net.input);
      SymId positive = add_binary (&net, "Add", square, add_numbers (&net, SYM_SHAPE (1), 0.5, 1));
      SymId large = add_binary (&net, "Mul", net.input, add_numbers (&net, SYM_SHAPE (1), 20, 30));

      sym_model_builder_add_output (net.builder, add_unary (&net, functions[i], positive));
      if (i < 8)
        sym_model_builder_add_output (net.builder, add_unary (&net, functions[i], large));
      finish (&net, add_unary (&net, "Abs", large));
      assert_same (&net, 1, i < 8 ? 6 : 5);
    }
}

/* What is small keeps its digits, and what is large ends where it should. */
static void
knows_the_ends_of_functions (void)
{
  float x[SYM_VECTOR_UNIT] = { 0,     1e-6f, -1e-6f, 1e-3f,    -1e-3f,    0.3f, -0.3f, 9,
                               -9.5f, 100,   -100,   INFINITY, -INFINITY, 88,   -88,   -103 };
  float y[SYM_VECTOR_UNIT];

  sym_vector_tanh (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  for (guint i = 0; i < SYM_VECTOR_UNIT; i++)
    g_assert_cmpfloat_with_epsilon (y[i], tanhf (x[i]),
                                    4e-7 * fabs ((double) tanhf (x[i])) + 1e-44);
  sym_vector_exp (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  for (guint i = 0; i < SYM_VECTOR_UNIT; i++)
    if (isinf (expf (x[i])))
      g_assert_true (y[i] == expf (x[i]));
    else
      g_assert_cmpfloat_with_epsilon (y[i], expf (x[i]), 4e-7 * (double) expf (x[i]) + 1e-44);
  sym_vector_erf (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  for (guint i = 0; i < SYM_VECTOR_UNIT; i++)
    g_assert_cmpfloat_with_epsilon (y[i], erff (x[i]), 4e-7 * fabs ((double) erff (x[i])) + 1e-44);
  x[0] = NAN;
  sym_vector_erf (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  g_assert_true (isnan (y[0]));
  sym_vector_exp (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  g_assert_true (isnan (y[0]));
  sym_vector_tanh (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  g_assert_true (isnan (y[0]));
  sym_vector_relu (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  g_assert_true (isnan (y[0]));
}

static void
knows_logarithms_everywhere (void)
{
  float x[SYM_VECTOR_UNIT] = { 1,      2,     0.5f,   0.999f,   1.001f, 0.7071f, 0.7072f, 10,
                               3e-39f, 1e30f, 1e-38f, INFINITY, 0,      -1,      NAN,     1e-20f };
  float y[SYM_VECTOR_UNIT];

  sym_vector_log (y, x, NULL, SYM_VECTOR_UNIT, 0, 0);
  for (guint i = 0; i < SYM_VECTOR_UNIT; i++)
    if (isfinite (logf (x[i])))
      g_assert_cmpfloat_with_epsilon (y[i], logf (x[i]), 4e-7 * fabs ((double) logf (x[i])) + 1e-9);
    else
      g_assert_true (isnan (logf (x[i])) ? isnan (y[i]) : y[i] == logf (x[i]));
}

static void
knows_powers_everywhere (void)
{
  const float numbers[] = { 1,      2,     0.5f,   0.999f, 1.001f,   10,
                            3e-39f, 1e30f, 1e-38f, 1e-45f, INFINITY, -INFINITY,
                            0,      -0.0f, -1,     -2.5f,  NAN,      1.4142136f };
  const float exponents[] = { 0, 1, -1, 0.75f, -0.75f, 3, 2.5f, -20, 1000, INFINITY, NAN };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    for (guint j = 0; j < G_N_ELEMENTS (exponents); j++)
      {
        float x[SYM_VECTOR_UNIT], b[SYM_VECTOR_UNIT], y[2][SYM_VECTOR_UNIT];
        float expected = powf (numbers[i], exponents[j]);

        for (guint k = 0; k < SYM_VECTOR_UNIT; k++)
          {
            x[k] = k % 3 == 0 ? numbers[i] : 1.5f;
            b[k] = exponents[j];
          }
        sym_vector_power (y[0], x, b, SYM_VECTOR_UNIT, 0, 0);
        sym_vector_power_of_all (y[1], x, NULL, SYM_VECTOR_UNIT, exponents[j], 0);
        for (guint k = 0; k < 2; k++)
          if (isfinite (expected) && expected != 0)
            g_assert_cmpfloat_with_epsilon (y[k][0], expected,
                                            1.2e-7 * fabs ((double) expected) + 1.5e-45);
          else
            g_assert_true (isnan (expected)
                               ? isnan (y[k][0])
                               : y[k][0] == expected && signbit (y[k][0]) == signbit (expected));
      }
}

static void
computes_a_chain_of_100_000 (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (5));
  SymId value = net.input, factor = add_numbers (&net, SYM_SHAPE (5), 0.9, 1.1);

  for (guint i = 0; i < 100000; i++)
    value = i % 2 == 0 ? add_unary (&net, "Tanh", value) : add_binary (&net, "Mul", value, factor);
  finish (&net, add_binary (&net, "Add", value, net.input));
  assert_same (&net, 1, 100001);
}

/* ---- Products ---- */

static void
computes_products (void)
{
  const gint64 rows[] = { 1, 5, 33 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (rows[i], 19));
      SymId gemm[] = { net.input, add_numbers (&net, SYM_SHAPE (30, 19), -1, 1),
                       add_numbers (&net, SYM_SHAPE (30), -1, 1) };
      SymId a =
          add_unary (&net, "Relu", add (&net, "Gemm", "{'transB': 1, 'alpha': 0.5}", gemm, 3));
      SymId b = add_binary (&net, "MatMul", a, add_numbers (&net, SYM_SHAPE (30, 30), -1, 1));
      SymId c = add_binary (&net, "Add", add_numbers (&net, SYM_SHAPE (1, 30), -1, 1), b);
      SymId d = add_binary (&net, "Add", a, c);

      finish (&net, add_unary (&net, "Tanh", d));
      assert_same (&net, 1, 6);
    }
}

/* A tensor of four axes that is multiplied has its numbers of the last axis, not of channels. */
static void
keeps_channels_apart_from_columns (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 5, 3));
  SymId product =
      add_binary (&net, "MatMul", net.input, add_numbers (&net, SYM_SHAPE (3, 4), -1, 1));
  SymId sum = add_binary (&net, "Add", product, add_numbers (&net, SYM_SHAPE (4, 1, 1), -1, 1));

  finish (&net, add_unary (&net, "Relu", sum));
  assert_same (&net, 1, 3);
}

/* ---- Convolutions ---- */

/* @n_out filters of @size x @size; @group as in the attributes. */
static SymId
add_convolution (Net *self,
                 SymId x,
                 gint64 n_in,
                 gint64 n_out,
                 gint64 size,
                 gint64 group,
                 const char *attributes)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n_out, n_in / group, size, size), -1, 1),
                       add_numbers (self, SYM_SHAPE (n_out), -1, 1) };

  return add (self, "Conv", attributes, operands, 3);
}

static SymId
add_batch_norm (Net *self, SymId x, gint64 n)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n), 0.8, 1.2),
                       add_numbers (self, SYM_SHAPE (n), -1, 1),
                       add_numbers (self, SYM_SHAPE (n), -1, 1),
                       add_numbers (self, SYM_SHAPE (n), 0.5, 1.5) };

  return add (self, "BatchNormalization", "{'epsilon': 0.001}", operands, 5);
}

static void
computes_convolutions (void)
{
  const struct {
    gint64 batch, n_in, height, width, n_out, size, group;
    const char *attributes;
  } cases[] = {
    { 1, 3, 16, 16, 8, 3, 1, "{'pads': [1, 1, 1, 1]}" },
    { 2, 5, 9, 7, 6, 3, 1, "{'strides': [2, 1], 'pads': [0, 1, 2, 1]}" },
    { 1, 8, 11, 13, 8, 3, 8, "{'group': 8, 'pads': [1, 1, 1, 1]}" },
    { 1, 6, 8, 8, 4, 3, 2, "{'group': 2, 'dilations': [2, 2], 'pads': [2, 2, 2, 2]}" },
    { 3, 16, 1, 1, 20, 1, 1, "{}" },
    { 2, 37, 11, 10, 150, 1, 1, "{}" },
    { 1, 300, 7, 7, 260, 1, 1, "{}" },
    { 1, 1, 12, 5, 1, 5, 1, "{'pads': [2, 2, 2, 2]}" },
    { 1, 32, 6, 6, 17, 1, 1, "{'strides': [2, 2]}" },
    { 2, 32, 13, 9, 48, 3, 1, "{'pads': [1, 1, 1, 1]}" },
    { 1, 64, 18, 23, 80, 3, 1, "{'pads': [0, 1, 2, 0]}" },
    { 1, 16, 30, 5, 16, 3, 1, "{}" },
    { 2, 3, 21, 18, 3, 3, 1, "{}" },
    { 2, 4, 17, 9, 4, 1, 1, "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net =
          net_new (SYM_SHAPE (cases[i].batch, cases[i].n_in, cases[i].height, cases[i].width));
      SymId a = add_convolution (&net, net.input, cases[i].n_in, cases[i].n_out, cases[i].size,
                                 cases[i].group, cases[i].attributes);
      SymId b = add_unary (&net, "Relu", add_batch_norm (&net, a, cases[i].n_out));

      sym_model_builder_add_output (net.builder, add_unary (&net, "Sigmoid", b));
      finish (&net, b);
      assert_same (&net, 1, 4);
    }
}

/* y = Relu (Norm (Conv (x)) + shortcut), where the shortcut is x itself or a convolution of it,
 * before or after the other one. */
static SymId
add_block (Net *self, SymId x, gint64 n, guint kind)
{
  SymId before =
      kind == 1 ? add_batch_norm (self, add_convolution (self, x, n, n, 1, 1, "{}"), n) : x;
  SymId a = add_unary (
      self, "Relu",
      add_batch_norm (self, add_convolution (self, x, n, n, 3, 1, "{'pads': [1, 1, 1, 1]}"), n));
  SymId b =
      add_batch_norm (self, add_convolution (self, a, n, n, 3, 1, "{'pads': [1, 1, 1, 1]}"), n);

  if (kind == 2)
    before = add_convolution (self, x, n, n, 1, 1, "{}");
  return add_unary (self, "Relu",
                    kind == 3 ? add_binary (self, "Add", before, b)
                              : add_binary (self, "Add", b, before));
}

static void
computes_residual_networks (void)
{
  for (guint kind = 0; kind < 4; kind++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 19, 17));
      SymId x = add_unary (&net, "Relu", add_convolution (&net, net.input, 3, 12, 3, 1, "{}"));
      SymId gemm[3];

      x = add (&net, "MaxPool", "{'kernel_shape': [3, 3], 'strides': [2, 2], 'pads': [1, 1, 1, 1]}",
               &x, 1);
      x = add_block (&net, add_block (&net, x, 12, kind), 12, kind);
      x = add (&net, "AveragePool", "{'kernel_shape': [2, 2], 'pads': [1, 0, 0, 1]}", &x, 1);
      x = add (&net, "Flatten", "{}", (SymId[]){ add_unary (&net, "GlobalAveragePool", x) }, 1);
      gemm[0] = x;
      gemm[1] = add_numbers (&net, SYM_SHAPE (12, 10), -1, 1);
      gemm[2] = add_numbers (&net, SYM_SHAPE (10), -1, 1);
      x = add (&net, "Gemm", "{}", gemm, 3);
      finish (&net, x);
      assert_same (&net, 1, 7 + 2 * (kind == 1 ? 9 : kind == 2 ? 8 : 7));
    }
}

/* A summand that others need afterwards, or that is the operand itself, is not written over. */
static void
leaves_summands_alone (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 6, 5));
  SymId a = add_unary (&net, "Relu", add_convolution (&net, net.input, 4, 4, 1, 1, "{}"));
  SymId b = add_convolution (&net, a, 4, 4, 3, 1, "{'pads': [1, 1, 1, 1]}");
  SymId c = add_binary (&net, "Add", b, a);
  SymId d = add_convolution (&net, c, 4, 4, 3, 1, "{'pads': [1, 1, 1, 1]}");
  SymId e = add_binary (&net, "Add", d, a);
  SymId f = add_binary (&net, "Mul", e, a);

  sym_model_builder_add_output (net.builder, c);
  finish (&net, add_binary (&net, "Add", f, net.input));
  assert_same (&net, 1, 8);
}

/* A norm before its convolution, a constant image, a clip with given bounds. */
static void
computes_what_cannot_be_fused (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 6, 5, 7));
  SymId a = add_unary (&net, "Relu", add_batch_norm (&net, net.input, 6));
  SymId b = add_binary (&net, "Add", a, add_numbers (&net, SYM_SHAPE (2, 6, 5, 7), -1, 1));
  SymId c = add_convolution (&net, b, 6, 6, 3, 6, "{'group': 6, 'pads': [1, 1, 1, 1]}");
  SymId clip[] = { c, add_numbers (&net, SYM_SHAPE (), 0, 0.1),
                   add_numbers (&net, SYM_SHAPE (), 1, 1.1) };
  SymId d = add (&net, "Clip", "{}", clip, 3);

  finish (&net, add_binary (&net, "Mul", d, add_numbers (&net, SYM_SHAPE (1, 6, 1, 1), 1, 2)));
  assert_same (&net, 1, 6);
}

/* ---- Around ---- */

/* A value that kernels need is there, and so is one that is an output and has more uses. */
static void
leaves_to_kernels_what_it_does_not_know (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4));
  SymId a = add_unary (&net, "Relu", net.input);
  SymId b = add_unary (&net, "Tanh", a);
  SymId c = add (&net, "Hardmax", "{'axis': 1}", &b, 1);
  SymId d = add_binary (&net, "Add", c, a);

  sym_model_builder_add_output (net.builder, a);
  sym_model_builder_add_output (net.builder, add_unary (&net, "Identity", net.input));
  finish (&net, d);
  assert_same (&net, 3, 4);
}

/* Before version 14 a norm that tells its means takes those of the data, whoever needs them. */
static void
leaves_norms_that_train_to_kernels (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4, 5, 2));
  SymId operands[] = { add_unary (&net, "Relu", net.input), add_numbers (&net, SYM_SHAPE (4), 1, 2),
                       add_numbers (&net, SYM_SHAPE (4), -1, 1),
                       add_numbers (&net, SYM_SHAPE (4), -1, 1),
                       add_numbers (&net, SYM_SHAPE (4), 0.5, 1.5) };
  g_autoptr (SymLayer) norm =
      sym_layer_new ("BatchNormalization", sym_op_find ("", "BatchNormalization", 9), NULL);
  SymId call = sym_model_builder_add_call (net.builder, NULL, norm, operands, 5, 5);

  finish (&net, add_unary (&net, "Tanh", sym_model_builder_get_result (net.builder, call, 0)));
  assert_same (&net, 3, 2);
}

static void
refuses_to_feed_what_is_inside (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4));
  SymId factor = add_numbers (&net, SYM_SHAPE (4), 1, 2);
  SymId a = add_binary (&net, "Mul", net.input, factor), b = add_unary (&net, "Tanh", a);
  const SymId inside[] = { factor, a, b };

  finish (&net, b);
  {
    g_autoptr (SymPlan) plan = new_plan (net.model, 1);
    g_autoptr (SymRun) run = sym_run_new (plan);
    g_autoptr (SymDatum) datum = new_input (&net);

    for (guint i = 0; i < G_N_ELEMENTS (inside); i++)
      {
        g_autoptr (GError) error = NULL;

        g_assert_false (sym_run_feed (run, inside[i], datum, &error));
        g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
      }
    execute (run, net.input, datum);
  }
}

/* The model takes any batch, the plan the one that it was made for. */
static void
refuses_inputs_of_other_shapes (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (SYM_DIM_UNKNOWN, 4));
  SymOverride override = { .value = net.input, .has_shape = TRUE, .shape = SYM_SHAPE (2, 4) };
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) good = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 4), NULL);
  g_autoptr (SymDatum) bad = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (3, 4), NULL);
  g_autoptr (GError) error = NULL;

  finish (&net, add_unary (&net, "Relu", net.input));
  inference = sym_infer (net.model, &override, 1, NULL, NULL);
  plan = sym_plan_new (net.model, &(SymPlanOptions){ .inference = inference }, NULL, NULL);
  g_assert_true (sym_plan_is_compiled (plan, 0));
  run = sym_run_new (plan);
  execute (run, net.input, good);
  g_assert_true (sym_run_feed (run, net.input, bad, NULL));
  g_assert_false (sym_run_execute (run, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "“x”"));
  execute (run, net.input, good);
}

typedef struct {
  const Net *net;
  SymPlan *plan;
  SymDatum *datum, *expected;
} Shared;

static gpointer
run_often (gpointer data)
{
  const Shared *shared = data;
  g_autoptr (SymRun) run = sym_run_new (shared->plan);

  for (guint i = 0; i < 50; i++)
    {
      execute (run, shared->net->input, shared->datum);
      assert_near (sym_run_get (run, sym_model_get_outputs (shared->net->model).ids[0]),
                   shared->expected, 1e-5);
    }
  return NULL;
}

static void
runs_in_two_threads_at_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 64));
  SymId matrix = add_numbers (&net, SYM_SHAPE (64, 64), -1, 1);
  SymId a = add_unary (&net, "Relu", add_binary (&net, "MatMul", net.input, matrix));

  finish (&net, add_unary (&net, "Tanh", add_binary (&net, "MatMul", a, matrix)));
  {
    g_autoptr (SymPlan) plan = new_plan (net.model, 1), reference = new_plan (net.model, 0);
    g_autoptr (SymRun) oracle = sym_run_new (reference);
    g_autoptr (SymDatum) datum = new_input (&net);
    Shared shared = { &net, plan, datum };
    GThread *threads[2];

    execute (oracle, net.input, datum);
    shared.expected = sym_run_get (oracle, sym_model_get_outputs (net.model).ids[0]);
    for (guint i = 0; i < 2; i++)
      threads[i] = g_thread_new ("run", run_often, &shared);
    for (guint i = 0; i < 2; i++)
      g_thread_join (threads[i]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile/computes-chains-of-any-length", computes_chains_of_any_length);
  g_test_add_func ("/run/compile/computes-each-function", computes_each_function);
  g_test_add_func ("/run/compile/knows-the-ends-of-functions", knows_the_ends_of_functions);
  g_test_add_func ("/run/compile/knows-logarithms-everywhere", knows_logarithms_everywhere);
  g_test_add_func ("/run/compile/knows-powers-everywhere", knows_powers_everywhere);
  g_test_add_func ("/run/compile/computes-a-chain-of-100-000", computes_a_chain_of_100_000);
  g_test_add_func ("/run/compile/computes-products", computes_products);
  g_test_add_func ("/run/compile/keeps-channels-apart-from-columns",
                   keeps_channels_apart_from_columns);
  g_test_add_func ("/run/compile/computes-convolutions", computes_convolutions);
  g_test_add_func ("/run/compile/computes-residual-networks", computes_residual_networks);
  g_test_add_func ("/run/compile/leaves-summands-alone", leaves_summands_alone);
  g_test_add_func ("/run/compile/computes-what-cannot-be-fused", computes_what_cannot_be_fused);
  g_test_add_func ("/run/compile/leaves-to-kernels-what-it-does-not-know",
                   leaves_to_kernels_what_it_does_not_know);
  g_test_add_func ("/run/compile/leaves-norms-that-train-to-kernels",
                   leaves_norms_that_train_to_kernels);
  g_test_add_func ("/run/compile/refuses-to-feed-what-is-inside", refuses_to_feed_what_is_inside);
  g_test_add_func ("/run/compile/refuses-inputs-of-other-shapes", refuses_inputs_of_other_shapes);
  g_test_add_func ("/run/compile/runs-in-two-threads-at-once", runs_in_two_threads_at_once);
  return g_test_run ();
}
