/* SPDX-License-Identifier: MIT */
#include "live-fixture.h"

#include <glib/gstdio.h>
#include <time.h>

#include "core/sym-detach.h"
#include "core/sym-extract.h"
#include "io/sym-io.h"
#include "run/sym-run-compare.h"
#include "run/sym-run-fill.h"
#include "run/sym-static.h"

/* Weights of layers that were made in C, and what graphs of them compute. */

static SymTensor *
new_tensor (const char *text)
{
  g_autoptr (SymDatum) datum = kernel_case_read (text);

  return sym_tensor_new_copy (sym_datum_get_array (datum), NULL);
}

static void
set_weight (SymLayer *layer, const char *name, const char *text, GError **error)
{
  g_autoptr (SymTensor) tensor = new_tensor (text);

  sym_layer_set_weight (layer, name, tensor, error);
}

static GPtrArray *
call_model (SymModel *model, const char *text, GError **error)
{
  g_autoptr (SymDatum) datum = kernel_case_read (text);

  return sym_model_call (model, &datum, 1, NULL, error);
}

/* T-P14: W = [[1, 2], [3, 4]], b = [.5, -.5], ReLU; then two outputs, (o, -o). */
static void
the_documents_numbers_come_out (Fixture *self, gconstpointer data)
{
  GError **error = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2), error), *o, *y, *pair[2];
  SymLayer *linear = sym_nn_linear (self->graph, 2, 2, error);
  g_autoptr (SymModel) model = NULL, both = NULL;
  g_autoptr (GPtrArray) results = NULL, two = NULL;

  set_weight (linear, "weight", "float32 2,2: 1 2 3 4", error);
  set_weight (linear, "bias", "float32 2: 0.5 -0.5", error);
  o = sym_layer_call (linear, x, error);
  y = sym_relu (o, error);
  model = sym_node_build_model (x, y, error);
  results = call_model (model, "float32 2,2: 1 -1 2 1", error);
  g_assert_no_error (self->error);
  assert_datum (results->pdata[0], "float32 2,2: 0 0 4.5 9.5");
  pair[0] = o;
  pair[1] = sym_neg (o, error);
  both = sym_graph_build (self->graph, &x, 1, pair, 2, error);
  two = call_model (both, "float32 1,2: 1 1", error);
  g_assert_no_error (self->error);
  assert_datum (two->pdata[0], "float32 1,2: 3.5 6.5");
  assert_datum (two->pdata[1], "float32 1,2: -3.5 -6.5");
}

/* ---- Setting and getting ---- */

static void
weights_are_checked (Fixture *self, gconstpointer data)
{
  SymLayer *linear = sym_nn_linear (self->graph, 3, 2, &self->error);
  SymNode *x = sym_input (self->graph, SYM_SHAPE (3), &self->error);
  g_autoptr (SymTensor) wrong = new_tensor ("float32 3,2: 1 2 3 4 5 6");
  g_autoptr (SymTensor) right = new_tensor ("float32 2,3: 1 2 3 4 5 6");
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_layer_set_weight (linear, "weight", wrong, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "“weight” should be float32[2,3], and is float32[3,2]");
  g_assert_false (sym_layer_set_weight (linear, "gamma", wrong, &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND, "Linear has no parameter “gamma”, only weight, bias");
  g_assert_null (sym_layer_get_weight (linear, "weight"));
  sym_live_disable (self->graph);
  model = sym_node_build_model (x, sym_layer_call (linear, x, &self->error), &self->error);
  g_assert_null (call_model (model, "float32 1,3: 1 2 3", &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "no numbers for “Linear_1.");
  g_assert_false (sym_model_set_weight (model, "Linear_1.weight", wrong, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "should be float32[2,3]");
  g_assert_false (sym_model_set_weight (model, "Linear_2.weight", right, &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND, "no parameter “Linear_2.weight”");
  g_assert_true (sym_model_set_weight (model, "Linear_1.weight", right, &error));
  g_assert_true (sym_layer_get_weight (linear, "weight") == right);
  g_assert_true (sym_model_get_weight (model, "Linear_1.weight") == right);
}

/* P61, P62: models of one graph share what their layers have, nested ones too. */
static void
models_share_weights (Fixture *self, gconstpointer data)
{
  GError **error = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (1), error), *y, *z, *outer;
  SymLayer *linear = sym_nn_linear (self->graph, 1, 1, error, .no_bias = TRUE), *nested;
  g_autoptr (SymModel) one = NULL, two = NULL, three = NULL;
  g_autoptr (SymTensor) five = new_tensor ("float32 1,1: 5");
  g_autoptr (GPtrArray) a = NULL, b = NULL, c = NULL;

  set_weight (linear, "weight", "float32 1,1: 2", error);
  y = sym_layer_call (linear, x, error);
  z = sym_layer_call (linear, y, error);
  one = sym_node_build_model (x, y, error);
  two = sym_node_build_model (x, z, error);
  nested = sym_graph_keep_layer (self->graph, sym_layer_new_model (two), NULL);
  outer = sym_add (sym_layer_call (nested, x, error), y, error);
  three = sym_node_build_model (x, outer, error);
  g_assert_true (sym_model_set_weight (one, "Linear_1.weight", five, error));
  a = call_model (one, "float32 1,1: 1", error);
  b = call_model (two, "float32 1,1: 1", error);
  c = call_model (three, "float32 1,1: 1", error);
  g_assert_no_error (self->error);
  assert_datum (a->pdata[0], "float32 1,1: 5");
  assert_datum (b->pdata[0], "float32 1,1: 25");
  assert_datum (c->pdata[0], "float32 1,1: 30");
}

/* P64: weights of its own, but shared within as they were (B8), also in a nested model. */
static void
detached_models_have_their_own (Fixture *self, gconstpointer data)
{
  GError **error = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (1), error), *y;
  SymLayer *linear = sym_nn_linear (self->graph, 1, 1, error, .no_bias = TRUE), *nested;
  g_autoptr (SymTensor) ten = new_tensor ("float32 1,1: 10");
  g_autoptr (SymModel) inner = NULL, model = NULL, detached = NULL;
  g_autoptr (GPtrArray) before = NULL, after = NULL;

  set_weight (linear, "weight", "float32 1,1: 2", error);
  inner = sym_node_build_model (x, sym_layer_call (linear, x, error), error);
  nested = sym_graph_keep_layer (self->graph, sym_layer_new_model (inner), NULL);
  y = sym_layer_call (linear, sym_layer_call (nested, x, error), error);
  model = sym_node_build_model (x, y, error);
  detached = sym_model_detach (model);
  g_assert_true (sym_model_set_weight (detached, "Linear_1.weight", ten, error));
  before = call_model (model, "float32 1,1: 1", error);
  after = call_model (detached, "float32 1,1: 1", error);
  g_assert_no_error (self->error);
  assert_datum (before->pdata[0], "float32 1,1: 4");
  assert_datum (after->pdata[0], "float32 1,1: 100");
}

/* ---- Beginning ---- */

static void
look_at (SymLayer *layer, const char *name, double bound, double mean, double deviation)
{
  SymTensor *tensor = sym_layer_get_weight (layer, name);
  g_autoptr (SymDatum) datum = sym_datum_new_read (tensor, NULL);
  const SymArray *array = sym_datum_get_array (datum);
  gsize n = sym_array_get_n_elements (array);
  double sum = 0, squares = 0, most = 0;

  for (gsize i = 0; i < n; i++)
    {
      double x = ((const float *) array->data)[i];

      sum += x;
      squares += x * x;
      most = MAX (most, fabs (x));
    }
  g_assert_cmpfloat (most, <=, bound);
  g_assert_cmpfloat (most, >=, bound * 0.8 * (mean == 0));
  g_assert_cmpfloat_with_epsilon (sum / (double) n, mean, 4 * deviation / sqrt ((double) n) + 1e-6);
  g_assert_cmpfloat_with_epsilon (sqrt (squares / (double) n - sum / (double) n * sum / (double) n),
                                  deviation, 0.1 * deviation + 1e-3);
}

/* Bounds and deviations as torch's reset_parameters has them; a uniform one has bound / sqrt (3).
 */
static void
weights_begin_as_in_torch (Fixture *self, gconstpointer data)
{
  GError **error = &self->error;
  SymLayer *linear = sym_nn_linear (self->graph, 100, 400, error);
  SymLayer *conv = sym_nn_conv2d (self->graph, 8, 64, 3, error, .groups = 2);
  SymLayer *transposed = sym_nn_conv_transpose2d (self->graph, 64, 8, 3, error);
  SymLayer *embedding = sym_nn_embedding (self->graph, 100, 50, error);
  SymLayer *lstm = sym_nn_lstm (self->graph, 10, 25, error);
  SymLayer *norm = sym_nn_batch_norm2d (self->graph, 16, error);
  SymLayer *layers[] = { linear, conv, transposed, embedding, lstm, norm };
  const double third = sqrt (1.0 / 3);

  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    g_assert_true (sym_layer_initialise (layers[i], i, error));
  look_at (linear, "weight", 0.1, 0, 0.1 * third);
  look_at (linear, "bias", 0.1, 0, 0.1 * third);
  look_at (conv, "weight", 1.0 / 6, 0, third / 6);
  look_at (transposed, "weight", 1 / sqrt (72), 0, third / sqrt (72));
  look_at (embedding, "weight", 4.5, 0, 1);
  look_at (lstm, "weight_hh_l0", 0.2, 0, 0.2 * third);
  look_at (norm, "weight", 1, 1, 0);
  look_at (norm, "running_var", 1, 1, 0);
  look_at (norm, "bias", 0, 0, 0);
}

static void
seeds_tell_the_numbers (Fixture *self, gconstpointer data)
{
  GError **error = &self->error;
  SymLayer *a = sym_nn_linear (self->graph, 4, 4, error),
           *b = sym_nn_linear (self->graph, 4, 4, error);
  SymLayer *c = sym_nn_linear (self->graph, 4, 4, error);
  g_autoptr (SymTensor) before = NULL;

  g_assert_true (sym_layer_initialise (a, 7, error) && sym_layer_initialise (b, 7, error) &&
                 sym_layer_initialise (c, 8, error));
  g_assert_true (
      sym_tensor_equal (sym_layer_get_weight (a, "weight"), sym_layer_get_weight (b, "weight")));
  g_assert_false (
      sym_tensor_equal (sym_layer_get_weight (a, "weight"), sym_layer_get_weight (c, "weight")));
  before = sym_tensor_ref (sym_layer_get_weight (a, "weight"));
  g_assert_true (sym_layer_initialise (a, 9, error));
  g_assert_true (sym_layer_get_weight (a, "weight") == before);
}

/* ---- From C to a file and back ---- */

static SymModel *
build_network (Fixture *self, SymNode **middle)
{
  GError **error = &self->error;
  SymNode *x = sym_input (self->graph, SYM_SHAPE (2, 6, 6), error);
  SymNode *y = sym_relu (sym_conv2d (x, 3, 3, error, .padding = 1), error);
  SymNode *z;

  *middle = sym_max_pool2d (y, 2, error);
  z = sym_add (sym_conv2d (*middle, 3, 3, error, .padding = 1), *middle, error);
  z = sym_linear (sym_flatten (z, error), 4, error);
  return sym_node_build_model (x, z, error);
}

static void
assert_same (GPtrArray *a, GPtrArray *b)
{
  const SymArray *left = sym_datum_get_array (a->pdata[0]),
                 *right = sym_datum_get_array (b->pdata[0]);

  g_assert_true (sym_shape_equal (&left->shape, &right->shape));
  for (gsize i = 0; i < sym_array_get_n_elements (left); i++)
    g_assert_cmpfloat (((const float *) left->data)[i], ==, ((const float *) right->data)[i]);
}

/* 26 models within each other, each of which calls the next one twice: the innermost is called 2^26
 * times, and begins once. */
static void
shared_models_begin_once (Fixture *self, gconstpointer data)
{
  SymNode *x;
  SymLayer *linear = sym_nn_linear (self->graph, 1, 1, &self->error);
  g_autoptr (SymModel) model = NULL;
  clock_t start;

  sym_live_disable (self->graph);
  x = sym_input (self->graph, SYM_SHAPE (1), &self->error);
  model = sym_node_build_model (x, sym_layer_call (linear, x, &self->error), &self->error);
  for (guint i = 0; i < 26; i++)
    {
      SymLayer *nested = sym_graph_keep_layer (self->graph, sym_layer_new_model (model), NULL);
      SymNode *y = sym_layer_call (nested, x, &self->error);

      sym_model_unref (model);
      model = sym_node_build_model (x, sym_layer_call (nested, y, &self->error), &self->error);
    }
  start = clock ();
  g_assert_true (sym_model_initialise (model, 3, &self->error));
  g_assert_cmpfloat ((double) (clock () - start) / CLOCKS_PER_SEC, <, 0.5);
  g_assert_nonnull (sym_layer_get_weight (linear, "weight"));
}

/* The part behind the pool. */
static SymModel *
cut_tail (SymModel *model)
{
  SymId from, to = sym_model_get_outputs (model).ids[0];
  g_autoptr (SymSelection) selection = NULL;
  g_autoptr (GError) error = NULL;

  sym_model_resolve (model, "MaxPool2d_1", &from, &error);
  g_assert_no_error (error);
  selection = sym_selection_new (model, &from, 1, &to, 1, NULL, &error);
  g_assert_no_error (error);
  return sym_selection_extract (selection, NULL);
}

static void
saved_models_give_the_same_numbers (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-weights-XXXXXX", &self->error);
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *weights = g_build_filename (folder, "net.safetensors", NULL);
  SymNode *middle;
  g_autoptr (SymModel) model = NULL, read = NULL, cut = NULL, cut_of_read = NULL;
  g_autoptr (GPtrArray) before = NULL, after = NULL, tail = NULL, tail_after = NULL;
  g_autoptr (SymDatum) x = NULL, half = NULL;

  sym_live_disable (self->graph);
  model = build_network (self, &middle);
  g_assert_true (sym_model_initialise (model, 3, &self->error));
  x = sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 2, 6, 6), 1,
                    &self->error);
  half = sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 3, 3, 3), 2,
                       &self->error);
  before = sym_model_call (model, &x, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  g_assert_true (
      sym_io_write (sym_io_find_format ("symscope"), model, NULL, path, NULL, &self->error));
  read = sym_io_read (path, NULL, &self->error);
  g_assert_no_error (self->error);
  after = sym_model_call (read, &x, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  assert_same (before, after);

  cut = cut_tail (model);
  cut_of_read = cut_tail (read);
  tail = sym_model_call (cut, &half, 1, NULL, &self->error);
  tail_after = sym_model_call (cut_of_read, &half, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  assert_same (tail, tail_after);
  g_unlink (path);
  g_unlink (weights);
  g_rmdir (folder);
}

/* ---- The static plan ---- */

/* P65: for one batch; the same numbers, but for rounding. */
static void
static_plans_need_the_batch (Fixture *self, gconstpointer data)
{
  SymNode *middle, *x, *y;
  g_autoptr (SymModel) open = NULL, closed = NULL;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) input = NULL;
  g_autoptr (GPtrArray) expected = NULL, results = NULL;
  g_autoptr (GError) error = NULL;

  sym_live_disable (self->graph);
  open = build_network (self, &middle);
  g_assert_null (sym_plan_new_static (open, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_UNDECIDED,
                "Must provide batch size for each input! “Input_1” is ?,2,6,6");
  x = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (3, 2, 8, 8) }, &self->error);
  y = sym_relu (sym_conv2d (x, 4, 3, &self->error), &self->error);
  y = sym_sigmoid (sym_mul (y, 2, &self->error), &self->error);
  closed = sym_node_build_model (x, y, &self->error);
  g_assert_true (sym_model_initialise (closed, 5, &self->error));
  plan = sym_plan_new_static (closed, 1, NULL, &self->error);
  g_assert_no_error (self->error);
  run = sym_run_new (plan);
  input = sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT32, &SYM_SHAPE (3, 2, 8, 8), 1,
                        &self->error);
  expected = sym_model_call (closed, &input, 1, NULL, &self->error);
  for (int i = 0; i < 2; i++)
    {
      g_clear_pointer (&results, g_ptr_array_unref);
      results = sym_run_call (run, &input, 1, NULL, &self->error);
      g_assert_no_error (self->error);
      sym_run_compare (results->pdata[0], expected->pdata[0], 1e-4, 1e-5, &self->error);
    }
}

/* ---- Two threads ---- */

typedef struct {
  SymModel *model;
  SymDatum *input;
  GPtrArray *expected;
} Job;

static gpointer
run_often (gpointer data)
{
  const Job *job = data;

  for (int i = 0; i < 20; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) results = sym_model_call (job->model, &job->input, 1, NULL, &error);

      g_assert_no_error (error);
      assert_same (results, job->expected);
    }
  return NULL;
}

static void
two_threads_run_one_model (Fixture *self, gconstpointer data)
{
  SymNode *middle;
  g_autoptr (SymModel) model = NULL;
  GThread *threads[2];
  Job jobs[2];

  sym_live_disable (self->graph);
  model = build_network (self, &middle);
  g_assert_true (sym_model_initialise (model, 3, &self->error));
  for (guint i = 0; i < 2; i++)
    {
      jobs[i].model = model;
      jobs[i].input = sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT32, &SYM_SHAPE (2, 2, 6, 6),
                                    i, &self->error);
      jobs[i].expected = sym_model_call (model, &jobs[i].input, 1, NULL, &self->error);
      g_assert_no_error (self->error);
    }
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("run", run_often, &jobs[i]);
  for (guint i = 0; i < 2; i++)
    {
      g_thread_join (threads[i]);
      sym_datum_unref (jobs[i].input);
      g_ptr_array_unref (jobs[i].expected);
    }
}

#define ADD(path, function) \
  g_test_add ("/run/weights/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("the-documents-numbers-come-out", the_documents_numbers_come_out);
  ADD ("weights-are-checked", weights_are_checked);
  ADD ("models-share-weights", models_share_weights);
  ADD ("detached-models-have-their-own", detached_models_have_their_own);
  ADD ("weights-begin-as-in-torch", weights_begin_as_in_torch);
  ADD ("seeds-tell-the-numbers", seeds_tell_the_numbers);
  ADD ("shared-models-begin-once", shared_models_begin_once);
  ADD ("saved-models-give-the-same-numbers", saved_models_give_the_same_numbers);
  ADD ("static-plans-need-the-batch", static_plans_need_the_batch);
  ADD ("two-threads-run-one-model", two_threads_run_one_model);
  return g_test_run ();
}
