/* SPDX-License-Identifier: MIT */
#include "net.h"

#include "core/sym-error.h"
#include "run/sym-session.h"

/* Sessions: one model, inputs of any shape. */

/* Two products, with a batch that nobody knows. */
static void
build (Net *net)
{
  SymId a = add_binary (net, "MatMul", net->input, add_numbers (net, SYM_SHAPE (8, 8), -1, 1));
  SymId b =
      add_binary (net, "Add", add_unary (net, "Relu", a), add_numbers (net, SYM_SHAPE (8), 0, 1));

  finish (net, add_binary (net, "MatMul", b, add_numbers (net, SYM_SHAPE (8, 4), -1, 1)));
}

static SymDatum *
new_rows (gint64 n, double seed)
{
  SymDatum *datum = sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (n, 8), NULL);
  float *x = sym_datum_get_array (datum)->data;

  for (gint64 i = 0; i < n * 8; i++)
    x[i] = (float) sin (seed + (double) i);
  return datum;
}

static SymId
get_output (const Net *net)
{
  return sym_model_get_outputs (net->model).ids[0];
}

/* Runs it on @n rows, and holds the result against the kernels. */
static SymSessionCost
run_rows (const Net *net, SymSession *session, gint64 n)
{
  g_autoptr (SymDatum) rows = new_rows (n, (double) n);
  g_autoptr (SymPlan) plan = sym_plan_new (net->model, NULL, NULL, NULL);
  g_autoptr (SymRun) oracle = sym_run_new (plan);
  g_autoptr (GError) error = NULL;

  execute (oracle, net->input, rows);
  sym_session_feed (session, net->input, rows, &error);
  g_assert_no_error (error);
  sym_session_execute (session, NULL, &error);
  g_assert_no_error (error);
  assert_near (sym_session_get (session, get_output (net)), sym_run_get (oracle, get_output (net)),
               1e-5);
  return sym_session_get_cost (session);
}

static void
plans_again_for_another_shape (void)
{
  static const struct {
    gint64 n;
    gboolean is_planned;
    guint n_plans;
  } rounds[] = { { 2, TRUE, 1 }, { 2, FALSE, 1 }, { 5, TRUE, 2 }, { 2, FALSE, 2 },
                 { 9, TRUE, 2 }, { 5, TRUE, 2 },  { 9, FALSE, 2 } };
  g_auto (Net) net = net_new (SYM_SHAPE (SYM_DIM_UNKNOWN, 8));
  g_autoptr (SymSession) session = NULL;

  build (&net);
  session = sym_session_new (net.model, &(SymSessionOptions){ .n_plans = 2 });
  g_assert_null (sym_session_get_run (session));
  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      SymSessionCost cost = run_rows (&net, session, rounds[i].n);
      SymPlan *plan = sym_run_get_plan (sym_session_get_run (session));

      g_assert_cmpint (cost.is_planned, ==, rounds[i].is_planned);
      g_assert_cmpuint (cost.n_plans, ==, rounds[i].n_plans);
      g_assert_true ((cost.milliseconds > 0) == rounds[i].is_planned);
      g_assert_true ((cost.n_bytes > 0) == rounds[i].is_planned);
      g_assert_true (sym_plan_is_compiled (plan, 0));
    }
}

/* A declared shape holds, unless the one who made the session says otherwise. */
static void
keeps_to_what_the_model_declares (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 8));
  g_autoptr (SymSession) strict = NULL, free = NULL;
  g_autoptr (SymDatum) rows = new_rows (3, 1);
  g_autoptr (GError) error = NULL;

  build (&net);
  strict = sym_session_new (net.model, NULL);
  free = sym_session_new (net.model, &(SymSessionOptions){ .takes_any_type = TRUE });
  g_assert_false (sym_session_feed (strict, net.input, rows, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_true (sym_session_feed (free, net.input, rows, NULL));
  g_assert_true (sym_session_execute (free, NULL, NULL));
  g_assert_cmpint (sym_datum_get_array (sym_session_get (free, get_output (&net)))->shape.dims[0],
                   ==, 3);
}

/* What a compiled step would make, or has its weights from, can be fed all the same. */
static void
takes_values_that_layers_make (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 8));
  g_autoptr (SymSession) session = NULL;
  g_autoptr (SymDatum) rows = new_rows (2, 1), zeros = new_rows (2, 0);
  g_autoptr (GPtrArray) outputs = NULL;
  SymId inner;

  build (&net);
  inner = sym_model_get_operands (net.model, sym_model_get_producer (net.model, get_output (&net)))
              .ids[0];
  memset (sym_datum_get_array (zeros)->data, 0, 64);
  session = sym_session_new (net.model, NULL);
  g_assert_true (sym_session_feed (session, net.input, rows, NULL));
  g_assert_true (sym_session_execute (session, NULL, NULL));
  g_assert_true (sym_session_feed (session, inner, zeros, NULL));
  g_assert_true (sym_session_execute (session, NULL, NULL));
  outputs = sym_session_collect (session, NULL);
  g_assert_cmpuint (outputs->len, ==, 1);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpfloat (((float *) sym_datum_get_array (outputs->pdata[0])->data)[i], ==, 0);
  g_assert_true (sym_session_feed (session, inner, NULL, NULL));
  g_assert_true (sym_session_execute (session, NULL, NULL));
  g_assert_false (sym_session_get_cost (session).is_planned);
  g_assert_cmpfloat (
      ((float *) sym_datum_get_array (sym_session_get (session, get_output (&net)))->data)[0], !=,
      0);
}

/* An index that is too large: the layer to blame is named, and what does not need it is there. */
static void
names_the_layer_to_blame (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (4, 8));
  SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (1));
  SymId at = sym_model_builder_add_value (net.builder, "at", SYM_ROLE_INPUT, &type), good;
  g_autoptr (SymSession) session = NULL;
  g_autoptr (SymDatum) rows = new_rows (4, 1), index = NULL;
  g_autoptr (GError) error = NULL;

  sym_model_builder_add_input (net.builder, at);
  good = add_unary (&net, "Tanh", net.input);
  sym_model_builder_add_output (net.builder, good);
  finish (&net,
          add (&net, "Gather", "{'axis': 0}", (SymId[]){ add_unary (&net, "Exp", good), at }, 2));
  index = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (1), NULL);
  *(gint64 *) sym_datum_get_array (index)->data = 7;
  session = sym_session_new (net.model, NULL);
  g_assert_true (sym_session_feed (session, net.input, rows, NULL));
  g_assert_true (sym_session_feed (session, at, index, NULL));
  g_assert_false (sym_session_execute (session, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Gather"));
  g_assert_nonnull (sym_session_get (session, good));
}

/* A second plan reads no numbers that the first one has in memory. */
static void
shares_numbers_between_plans (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (SYM_DIM_UNKNOWN, 8));
  SymId table = add_numbers (&net, SYM_SHAPE (1, 8), -1, 1);
  SymId sum = add (&net, "Hardmax", "{'axis': 1}",
                   (SymId[]){ add_binary (&net, "Max", net.input, table) }, 1);
  g_autoptr (SymSession) session = NULL;
  SymSessionCost first, second;

  finish (&net, sum);
  session = sym_session_new (net.model, &(SymSessionOptions){ .by_layers = TRUE });
  first = run_rows (&net, session, 2);
  second = run_rows (&net, session, 3);
  g_assert_cmpuint (first.n_bytes, ==, 32);
  g_assert_true (second.is_planned);
  g_assert_cmpuint (second.n_bytes, ==, 0);
}

/* ---- Threads ---- */

typedef struct {
  const Net *net;
  gint64 n;
} Worker;

static gpointer
work (gpointer data)
{
  const Worker *self = data;
  g_autoptr (SymSession) session =
      sym_session_new (self->net->model, &(SymSessionOptions){ .n_threads = 2 });

  for (gint64 i = 0; i < 40; i++)
    run_rows (self->net, session, self->n + i % 3);
  return NULL;
}

static void
two_run_at_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (SYM_DIM_UNKNOWN, 8));
  Worker workers[2] = { { &net, 2 }, { &net, 3 } };
  GThread *threads[2];

  build (&net);
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("session", work, &workers[i]);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/session/plans-again-for-another-shape", plans_again_for_another_shape);
  g_test_add_func ("/run/session/keeps-to-what-the-model-declares",
                   keeps_to_what_the_model_declares);
  g_test_add_func ("/run/session/takes-values-that-layers-make", takes_values_that_layers_make);
  g_test_add_func ("/run/session/names-the-layer-to-blame", names_the_layer_to_blame);
  g_test_add_func ("/run/session/shares-numbers-between-plans", shares_numbers_between_plans);
  g_test_add_func ("/run/session/two-run-at-once", two_run_at_once);

  return g_test_run ();
}
