/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/sym-datum.h"
#include "core/sym-element.h"
#include "core/sym-statistics.h"
#include "io/sym-io.h"
#include "onnx-runtime.h"
#include "run/sym-run-fill.h"
#include "run/sym-run.h"
#include "store/sym-store-numpy.h"

/* usage: run MODEL [THREADS [LIBRARY]]
 *        run --peer MODEL THREADS LIBRARY
 *        run --load MODEL THREADS [LIBRARY]
 *
 * The first tells what a compiled plan is like and how long it takes, beside the reference kernels,
 * beside one that has all values watched and takes statistics of them, and beside ONNX Runtime
 * where its library is given: medians of many runs that take turns, each
 * run alone or, where that is short or there are several threads, a batch of them.  With one thread
 * the time is the processor's, in milliseconds, as that hardly depends on what else runs; with
 * several it is the clock's. Differences are of the largest number.
 *
 * The second tells the same of the compiled plan and ONNX Runtime alone, as reference kernels take
 * minutes for large models.
 *
 * The third loads the model by one of the two alone, runs it once, and tells how many milliseconds
 * it took until it could run. */

#define SECONDS 2.0
#define MIN_RUNS 5
#define MAX_RUNS 20000

/* With several threads: for threads of the other one that look for work to go to sleep. */
#define REST_US 50000

typedef struct {
  const char *path;
  SymModel *model;
  SymInference *inference;
  guint n_threads, n_inputs;
  SymDatum *given; /* for the first input; NULL for none */
  SymDatum **inputs;
} Bench;

static double
get_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static double
get_time (const Bench *self)
{
  return get_clock (self->n_threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}

static void
check (const GError *error)
{
  if (error == NULL)
    return;
  fprintf (stderr, "run: %s\n", error->message);
  exit (1);
}

/* ---- The model ---- */

/* The numbers of STEM_x.npy for the first input of STEM.onnx, if there are any. */
static void
read_given (Bench *self)
{
  g_autofree char *stem = g_strndup (self->path, strlen (self->path) - strlen (".onnx"));
  g_autofree char *path = g_strconcat (stem, "_x.npy", NULL);
  g_autoptr (SymTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  tensor = sym_store_open_npy (path, &error);
  self->given = tensor == NULL ? NULL : sym_datum_new_read (tensor, &error);
  check (error);
}

static SymDatum *
make_random (const Bench *self, SymId value)
{
  SymType type = sym_inference_get_type (self->inference, value);
  g_autoptr (GError) error = NULL;
  SymDatum *datum = sym_run_fill_below (SYM_RUN_FILL_RANDOM, type.dtype, &type.shape, 1,
                                        sym_run_fill_find_limit (self->inference, value), &error);

  check (error);
  return datum;
}

/* What is given has a size where the model leaves one open. */
static void
open_model (Bench *self)
{
  g_autoptr (GError) error = NULL;
  SymOverride given = { .has_shape = TRUE };
  guint n_given = 0;

  self->model = sym_io_read (self->path, NULL, &error);
  check (error);
  if (self->given != NULL && sym_model_get_inputs (self->model).n > 0)
    {
      given.value = sym_model_get_inputs (self->model).ids[0];
      given.shape = sym_datum_get_array (self->given)->shape;
      n_given = 1;
    }
  self->inference = sym_infer (self->model, &given, n_given, NULL, &error);
  check (error);
}

static void
make_inputs (Bench *self)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  self->n_inputs = inputs.n;
  self->inputs = g_new0 (SymDatum *, inputs.n + 1);
  for (guint i = 0; i < inputs.n; i++)
    self->inputs[i] = i == 0 && self->given != NULL ? sym_datum_ref (self->given)
                                                    : make_random (self, inputs.ids[i]);
}

typedef enum {
  REFERENCE,
  COMPILED,
  WATCHED, /* compiled, with statistics of all values */
} Kind;

static gboolean
take_statistics (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  const SymArray *array = sym_datum_get_array (datum);
  SymStatistics statistics;

  return array == NULL || !sym_dtype_is_numeric (array->dtype) ||
         sym_statistics_compute_elements (&statistics, array->dtype, array->data,
                                          sym_array_get_n_elements (array), 0, NULL, error);
}

static SymRun *
make_run (const Bench *self, Kind kind)
{
  SymPlanOptions options = { .inference = kind == REFERENCE ? NULL : self->inference,
                             .everything = kind == WATCHED,
                             .n_threads = self->n_threads };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPlan) plan = sym_plan_new (self->model, &options, NULL, &error);
  SymIds inputs = sym_model_get_inputs (self->model);
  SymRun *run;

  check (error);
  run = sym_run_new (plan);
  if (kind == WATCHED)
    sym_run_set_watch (run, take_statistics, NULL);
  sym_run_set_any_order (run, TRUE);
  for (guint i = 0; i < inputs.n; i++)
    {
      sym_run_feed (run, inputs.ids[i], self->inputs[i], &error);
      check (error);
    }
  return run;
}

static void
open_peer (const Bench *self, OnnxRuntime *peer)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  const char **names = g_new (const char *, inputs.n);
  const SymArray **arrays = g_new (const SymArray *, inputs.n);

  for (guint i = 0; i < inputs.n; i++)
    {
      names[i] = sym_model_get_value_name (self->model, inputs.ids[i]);
      arrays[i] = sym_datum_get_array (self->inputs[i]);
    }
  onnx_runtime_open (
      peer, self->path, (int) self->n_threads, names, arrays, inputs.n,
      sym_model_get_value_name (self->model, sym_model_get_outputs (self->model).ids[0]));
  g_free (names);
  g_free (arrays);
}

/* ---- Comparing ---- */

/* Of tensors of one dtype. */
static double
find_difference (SymDType dtype, gconstpointer a, gconstpointer b, gsize n)
{
  double difference = 0, largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      double x = sym_element_get_double (dtype, a, i), y = sym_element_get_double (dtype, b, i);

      difference = fmax (difference, fabs (x - y));
      largest = fmax (largest, fabs (y));
    }
  return largest > 0 ? difference / largest : difference;
}

static const SymArray *
get_output (const SymRun *run)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));

  return sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (model).ids[0]));
}

static double
time_run (const Bench *self, SymRun *run, guint n)
{
  g_autoptr (GError) error = NULL;
  double start = get_time (self);

  for (guint i = 0; i < n && error == NULL; i++)
    sym_run_execute (run, NULL, &error);
  check (error);
  return (get_time (self) - start) / n;
}

static double
time_peer (const Bench *self, OnnxRuntime *peer, guint n)
{
  double start = get_time (self);

  for (guint i = 0; i < n; i++)
    onnx_runtime_run (peer, NULL);
  return (get_time (self) - start) / n;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

static double
find_median (GArray *times)
{
  g_array_sort (times, compare_doubles);
  return g_array_index (times, double, times->len / 2);
}

/* How long one of the two runs before the other one does, in milliseconds.  Threads of either go on
 * looking for work for a while, and take a while to wake up. */
static double
get_turn (const Bench *self)
{
  return self->n_threads > 1 ? 200 : 0.2;
}

static void
rest (const Bench *self)
{
  if (self->n_threads > 1)
    g_usleep (REST_US);
}

static void
compare (const Bench *self, SymRun *run, SymRun *watched, const char *library)
{
  OnnxRuntime *peer = onnx_runtime_new (library);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) other = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (double));
  double once = time_run (self, run, 1), start;
  guint n = (guint) (get_turn (self) / fmax (once, 1e-3)) + 1;
  const SymArray *output = get_output (run);
  const void *numbers;

  open_peer (self, peer);
  onnx_runtime_run (peer, &numbers);
  printf (
      "  difference from ONNX Runtime %.2g\n",
      find_difference (output->dtype, output->data, numbers, sym_array_get_n_elements (output)));
  start = get_clock (CLOCK_MONOTONIC);
  for (guint i = 0;
       i < MIN_RUNS || (i < MAX_RUNS && get_clock (CLOCK_MONOTONIC) - start < SECONDS * 1e3); i++)
    {
      double time = time_run (self, run, n);

      g_array_append_val (own, time);
      rest (self);
      time = time_peer (self, peer, n);
      g_array_append_val (other, time);
      rest (self);
      if (watched == NULL)
        continue;
      time = time_run (self, watched, n);
      g_array_append_val (seen, time);
      rest (self);
    }
  printf ("  compiled %.4f ms, ONNX Runtime %.4f ms, ratio %.3f\n", find_median (own),
          find_median (other), find_median (own) / find_median (other));
  if (watched != NULL)
    printf ("  all values watched %.4f ms, ratio %.3f\n", find_median (seen),
            find_median (seen) / find_median (other));
}

static void
print_plan (const SymPlan *plan)
{
  guint n_compiled = 0, n_calls = 0;

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    {
      guint n = sym_plan_get_calls (plan, i).n;

      n_calls += n;
      n_compiled += sym_plan_is_compiled (plan, i) ? n : 0;
    }
  printf ("  %u calls in %u steps, %u compiled; weights %.1f MB\n", n_calls,
          sym_plan_get_n_steps (plan), n_compiled,
          (double) sym_plan_get_n_weight_bytes (plan) / 1e6);
}

static SymRun *
plan_run (const Bench *self)
{
  double start = get_time (self);
  SymRun *run = make_run (self, COMPILED);

  printf ("%s\n  planned in %.2f ms\n", self->path, get_time (self) - start);
  time_run (self, run, 1);
  print_plan (sym_run_get_plan (run));
  return run;
}

static void
measure_beside (Bench *self, const char *library)
{
  g_autoptr (SymRun) run = NULL;

  open_model (self);
  make_inputs (self);
  run = plan_run (self);
  compare (self, run, NULL, library);
}

static void
measure (Bench *self, const char *library)
{
  g_autoptr (SymRun) reference = NULL, run = NULL, watched = NULL;
  double slow;

  open_model (self);
  make_inputs (self);
  reference = make_run (self, REFERENCE);
  slow = time_run (self, reference, 1);
  run = plan_run (self);
  printf ("  reference %.4f ms, compiled %.4f ms; difference %.2g\n", slow, time_run (self, run, 1),
          find_difference (get_output (run)->dtype, get_output (run)->data,
                           get_output (reference)->data,
                           sym_array_get_n_elements (get_output (run))));
  watched = make_run (self, WATCHED);
  printf ("  all values watched %.4f ms\n", time_run (self, watched, 1));
  if (library != NULL)
    compare (self, run, watched, library);
}

/* What is read of the model for ONNX Runtime's sake does not count, nor do its library and numbers
 * for the inputs. */
static void
load (Bench *self, const char *library)
{
  OnnxRuntime *peer = library == NULL ? NULL : onnx_runtime_new (library);
  double start = get_clock (CLOCK_PROCESS_CPUTIME_ID), opened, end;

  open_model (self);
  opened = get_clock (CLOCK_PROCESS_CPUTIME_ID);
  make_inputs (self);
  start += get_clock (CLOCK_PROCESS_CPUTIME_ID) - opened;
  if (peer != NULL)
    {
      start = get_clock (CLOCK_PROCESS_CPUTIME_ID);
      open_peer (self, peer);
      end = get_clock (CLOCK_PROCESS_CPUTIME_ID);
      onnx_runtime_run (peer, NULL);
    }
  else
    {
      g_autoptr (SymRun) run = make_run (self, COMPILED);

      end = get_clock (CLOCK_PROCESS_CPUTIME_ID);
      time_run (self, run, 1);
    }
  printf ("%.2f\n", end - start);
}

static void
clear (Bench *self)
{
  for (guint i = 0; i < self->n_inputs; i++)
    sym_datum_unref (self->inputs[i]);
  g_clear_pointer (&self->given, sym_datum_unref);
  g_free (self->inputs);
  sym_inference_unref (self->inference);
  sym_model_unref (self->model);
}

int
main (int argc, char **argv)
{
  gboolean is_load = argc > 1 && strcmp (argv[1], "--load") == 0;
  gboolean is_beside = argc > 1 && strcmp (argv[1], "--peer") == 0;
  int first = is_load || is_beside ? 2 : 1, n = argc - first;
  char **operands = argv + first;
  int n_threads = n > 1 ? atoi (operands[1]) : 1;
  Bench bench = { .path = operands[0], .n_threads = (guint) n_threads };

  if (n < (is_beside ? 3 : first) || n > 3 || n_threads < 1 ||
      !g_str_has_suffix (operands[0], ".onnx"))
    {
      fprintf (stderr,
               "usage: %s MODEL.onnx [THREADS [LIBRARY]]\n"
               "       %s --peer MODEL.onnx THREADS LIBRARY\n"
               "       %s --load MODEL.onnx THREADS [LIBRARY]\n",
               argv[0], argv[0], argv[0]);
      return 2;
    }
  read_given (&bench);
  if (is_load)
    load (&bench, n > 2 ? operands[2] : NULL);
  else if (is_beside)
    measure_beside (&bench, operands[2]);
  else
    measure (&bench, n > 2 ? operands[2] : NULL);
  clear (&bench);
  return 0;
}
