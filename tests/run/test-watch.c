/* SPDX-License-Identifier: MIT */
#include "net.h"

#include "core/sym-error.h"

/* What a watch is shown of compiled steps; that all values are shown as the kernels make them is
 * tested with every net of the tests of compiling. */

typedef struct {
  guint n;
  SymId last;
  guint most; /* how many it takes before it ends the run */
} Count;

static gboolean
count_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Count *self = user_data;

  g_assert_nonnull (sym_datum_get_array (datum));
  self->last = value;
  if (++self->n < self->most)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "enough");
  return FALSE;
}

static SymPlan *
new_watched (SymModel *model, const SymPlanOptions *options)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymPlanOptions own = *options;
  g_autoptr (GError) error = NULL;
  SymPlan *plan;

  own.inference = inference;
  plan = sym_plan_new (model, &own, NULL, &error);
  g_assert_no_error (error);
  return plan;
}

static double
get_time (const SymRun *run, const SymModel *model, SymId value)
{
  return sym_run_get_call_milliseconds (run, sym_model_get_producer (model, value));
}

/* A product with a sum and an activation: in one step unless the sum is watched. */
static void
shows_no_more_than_is_asked_for (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 16));
  SymId product =
      add_binary (&net, "MatMul", net.input, add_numbers (&net, SYM_SHAPE (16, 16), -1, 1));
  SymId sum = add_binary (&net, "Add", product, add_numbers (&net, SYM_SHAPE (16), -1, 1));

  finish (&net, add_unary (&net, "Relu", sum));
  for (guint i = 0; i < 2; i++)
    {
      SymPlanOptions options = { .watched = &sum, .n_watched = i };
      g_autoptr (SymPlan) plan = new_watched (net.model, &options);
      g_autoptr (SymRun) run = sym_run_new (plan);
      g_autoptr (SymDatum) input = new_input (&net);
      Count count = { .most = G_MAXUINT };

      sym_run_set_watch (run, count_cb, &count);
      execute (run, net.input, input);
      /* Results of the whole step are shown in any case. */
      g_assert_cmpuint (count.n, ==, 1 + i);
      g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, 1);
      g_assert_true ((get_time (run, net.model, sum) >= 0) == (i == 1));
    }
}

static void
ends_when_the_watch_says_so (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4));
  SymId a = add_unary (&net, "Tanh", net.input), b = add_unary (&net, "Exp", a);

  finish (&net, add_unary (&net, "Relu", b));
  {
    g_autoptr (SymPlan) plan = new_watched (net.model, &(SymPlanOptions){ .everything = TRUE });
    g_autoptr (SymRun) run = sym_run_new (plan);
    g_autoptr (SymDatum) input = new_input (&net);
    g_autoptr (GError) error = NULL;
    Count count = { .most = 2 };

    sym_run_set_watch (run, count_cb, &count);
    g_assert_true (sym_run_feed (run, net.input, input, NULL));
    g_assert_false (sym_run_execute (run, NULL, &error));
    g_assert_cmpuint (count.n, ==, 2);
    g_assert_cmpuint (count.last, ==, b);
    g_assert_nonnull (strstr (error->message, "enough"));
  }
}

/* Shapes are computed while planning, and shown with each run all the same. */
static void
shows_what_was_computed_while_planning (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 4));
  SymId shape = add_unary (&net, "Shape", net.input);
  SymId flat =
      add (&net, "Reshape", "{}", (SymId[]){ add_unary (&net, "Exp", net.input), shape }, 2);

  finish (&net, add_unary (&net, "Tanh", flat));
  {
    g_autoptr (SymDatum) input = new_input (&net);
    g_auto (Seen) seen = watch_all (&net, 1, input);
    const SymArray *array;

    g_assert_nonnull (seen.data[shape]);
    array = sym_datum_get_array (seen.data[shape]);
    g_assert_cmpint (((const gint64 *) array->data)[0], ==, 3);
    g_assert_cmpint (((const gint64 *) array->data)[1], ==, 4);
    g_assert_cmpfloat (get_time (seen.run, net.model, shape), ==, 0);
  }
}

/* Two tensors of the model, and one made of them by two steps that each write a part. */
static void
shows_what_several_steps_make_when_all_have_run (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 5));
  SymId a = add_unary (&net, "Exp", net.input), b = add_unary (&net, "Tanh", net.input);
  SymId both = add (&net, "Concat", "{'axis': 1}", (SymId[]){ a, b }, 2);

  finish (&net, add_unary (&net, "Neg", both));
  assert_all_seen (&net, 1);
  assert_all_seen (&net, 3);
}

/* Numbers that are given count as the model's own, so they go into what is compiled. */
static void
takes_other_numbers_than_the_models (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 3));
  SymId matrix = add_numbers (&net, SYM_SHAPE (3, 3), -1, 1);
  SymId product = add_binary (&net, "MatMul", net.input, matrix);

  finish (&net, product);
  {
    g_autoptr (SymDatum) ones = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (3, 3), NULL);
    g_autoptr (SymDatum) input = new_input (&net);
    const float *x = sym_datum_get_array (input)->data, *y;
    SymFeed feed = { matrix, ones };
    g_autoptr (SymPlan) plan = NULL;
    g_autoptr (SymRun) run = NULL;

    for (guint i = 0; i < 9; i++)
      ((float *) sym_datum_get_array (ones)->data)[i] = 1;
    plan = new_watched (net.model, &(SymPlanOptions){ .numbers = &feed, .n_numbers = 1 });
    g_assert_true (sym_plan_is_compiled (plan, 0));
    run = sym_run_new (plan);
    execute (run, net.input, input);
    y = sym_datum_get_array (sym_run_get (run, product))->data;
    for (guint i = 0; i < 3; i++)
      g_assert_cmpfloat_with_epsilon (y[i], x[0] + x[1] + x[2], 1e-6);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/watch/shows-no-more-than-is-asked-for", shows_no_more_than_is_asked_for);
  g_test_add_func ("/run/watch/ends-when-the-watch-says-so", ends_when_the_watch_says_so);
  g_test_add_func ("/run/watch/shows-what-was-computed-while-planning",
                   shows_what_was_computed_while_planning);
  g_test_add_func ("/run/watch/shows-what-several-steps-make-when-all-have-run",
                   shows_what_several_steps_make_when_all_have_run);
  g_test_add_func ("/run/watch/takes-other-numbers-than-the-models",
                   takes_other_numbers_than_the_models);

  return g_test_run ();
}
