/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/sym-io.h"
#include "run/sym-run-compare.h"
#include "run/sym-run-fill.h"
#include "run/sym-run.h"

/* usage: run MODEL [LIBRARY]     How long a compiled plan takes for a model of one input, of
 * float32 or int64, and one float32 output, beside the reference kernels, and beside ONNX Runtime
 * where its library is given; both with one thread.  Times are of the processor, in milliseconds,
 * the least of many runs that take turns, each run alone or, where that is short, a batch of them;
 * differences are of the largest number. */

#define SECONDS 2.0
#define MAX_RUNS 20000

static double
get_milliseconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static void
check (const GError *error)
{
  if (error == NULL)
    return;
  fprintf (stderr, "run: %s\n", error->message);
  exit (1);
}

/* ---- ONNX Runtime ---- */

/* Its table of functions by number, as the C interface of version 1 numbers them for good. */
enum {
  GET_ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_SESSION_OPTIONS = 10,
  SET_INTRA_OP_NUM_THREADS = 24,
  CREATE_TENSOR_WITH_DATA = 49,
  GET_TENSOR_MUTABLE_DATA = 51,
  CREATE_CPU_MEMORY_INFO = 69,
  RELEASE_VALUE = 96,
};

typedef struct {
  void **api;
  void *session, *input;
  const char *input_name, *output_name;
} Peer;

static void
check_status (const Peer *self, void *status)
{
  const char *(*get_message) (void *) = self->api[GET_ERROR_MESSAGE];

  if (status == NULL)
    return;
  fprintf (stderr, "run: ONNX Runtime: %s\n", get_message (status));
  exit (1);
}

/* Each entry is called by the type that it has there. */
#define CALL(number, types, ...) \
  check_status (self, ((void *(*) types) self->api[number]) (__VA_ARGS__))

static void
open_library (Peer *self, const char *path)
{
  typedef struct {
    void **(*get_api) (guint32 version);
    const char *(*get_version) (void);
  } Base;
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  const Base *(*get_base) (void) = handle == NULL ? NULL : dlsym (handle, "OrtGetApiBase");

  self->api = get_base == NULL ? NULL : get_base ()->get_api (17);
  if (self->api == NULL)
    {
      fprintf (stderr, "run: %s is no ONNX Runtime: %s\n", path, dlerror ());
      exit (1);
    }
}

static void
open_session (Peer *self, const char *model, const SymArray *input)
{
  void *environment, *options, *memory;

  CALL (CREATE_ENV, (int, const char *, void **), 3, "symscope", &environment);
  CALL (CREATE_SESSION_OPTIONS, (void **), &options);
  CALL (SET_INTRA_OP_NUM_THREADS, (void *, int), options, 1);
  CALL (CREATE_SESSION, (void *, const char *, void *, void **), environment, model, options,
        &self->session);
  CALL (CREATE_CPU_MEMORY_INFO, (int, int, void **), 0, 0, &memory);
  CALL (CREATE_TENSOR_WITH_DATA, (void *, void *, size_t, const gint64 *, size_t, int, void **),
        memory, input->data, sym_array_get_n_bytes (input), input->shape.dims,
        (size_t) input->shape.rank, input->dtype == SYM_DTYPE_INT64 ? 7 : 1, &self->input);
}

/* The output, to be released. */
static void *
run_peer (const Peer *self)
{
  void *output = NULL;

  CALL (RUN,
        (void *, void *, const char *const *, const void *const *, size_t, const char *const *,
         size_t, void **),
        self->session, NULL, &self->input_name, (const void *const *) &self->input, 1,
        &self->output_name, 1, &output);
  return output;
}

static void
release_output (const Peer *self, void *output)
{
  void (*release) (void *) = self->api[RELEASE_VALUE];

  release (output);
}

/* ---- Comparing ---- */

static double
find_difference (const float *a, const float *b, gsize n)
{
  double difference = 0, largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      difference = fmax (difference, fabs ((double) a[i] - (double) b[i]));
      largest = fmax (largest, fabs ((double) b[i]));
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
time_run (SymRun *run, guint n)
{
  g_autoptr (GError) error = NULL;
  double start = get_milliseconds ();

  for (guint i = 0; i < n && error == NULL; i++)
    sym_run_execute (run, NULL, &error);
  check (error);
  return (get_milliseconds () - start) / n;
}

static double
time_peer (const Peer *peer, guint n)
{
  double start = get_milliseconds ();

  for (guint i = 0; i < n; i++)
    release_output (peer, run_peer (peer));
  return (get_milliseconds () - start) / n;
}

/* So many that asking for the time takes nothing beside them. */
static guint
find_batch (SymRun *run)
{
  double once = time_run (run, 1);

  return once < 0.2 ? (guint) (0.2 / fmax (once, 1e-3)) + 1 : 1;
}

static SymRun *
make_run (SymModel *model, SymInference *inference, SymDatum *input, double *milliseconds)
{
  SymPlanOptions options = { .inference = inference };
  g_autoptr (GError) error = NULL;
  double start = get_milliseconds ();
  g_autoptr (SymPlan) plan = sym_plan_new (model, &options, NULL, &error);
  SymRun *run;

  check (error);
  *milliseconds = get_milliseconds () - start;
  run = sym_run_new (plan);
  sym_run_feed (run, sym_plan_get_inputs (plan).ids[0], input, &error);
  check (error);
  return run;
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

static void
compare (const char *path, SymRun *run, SymDatum *input, const char *library)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));
  const SymArray *output = get_output (run);
  Peer peer = { NULL };
  guint n = find_batch (run);
  double own = INFINITY, other = INFINITY, start = get_milliseconds ();

  if (library != NULL)
    {
      void *result, *numbers;
      Peer *self = &peer;

      peer.input_name =
          sym_model_get_value_name (model, sym_plan_get_inputs (sym_run_get_plan (run)).ids[0]);
      peer.output_name = sym_model_get_value_name (model, sym_model_get_outputs (model).ids[0]);
      open_library (&peer, library);
      open_session (&peer, path, sym_datum_get_array (input));
      result = run_peer (&peer);
      CALL (GET_TENSOR_MUTABLE_DATA, (void *, void **), result, &numbers);
      printf ("  difference from ONNX Runtime %.2g\n",
              find_difference (output->data, numbers, sym_array_get_n_elements (output)));
      release_output (&peer, result);
    }
  for (guint i = 0; i < MAX_RUNS && get_milliseconds () - start < SECONDS * 1e3; i++)
    {
      own = fmin (own, time_run (run, n));
      other = library == NULL ? other : fmin (other, time_peer (&peer, n));
    }
  printf ("  compiled %.4f ms\n", own);
  if (library != NULL)
    printf ("  ONNX Runtime %.4f ms, ratio %.3f\n", other, own / other);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = argc < 2 ? NULL : sym_io_read (argv[1], NULL, &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymRun) reference = NULL, run = NULL;
  g_autoptr (SymDatum) input = NULL;
  SymType type;
  double planning, slow;

  if (argc < 2 || argc > 3)
    {
      fprintf (stderr, "usage: %s MODEL [LIBRARY]\n", argv[0]);
      return 2;
    }
  check (error);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  check (error);
  type = sym_inference_get_type (inference, sym_model_get_inputs (model).ids[0]);
  input = sym_run_fill (SYM_RUN_FILL_RANDOM, type.dtype, &type.shape, 1, &error);
  check (error);
  reference = make_run (model, NULL, input, &planning);
  slow = time_run (reference, 1);
  run = make_run (model, inference, input, &planning);
  time_run (run, 1);
  printf ("%s\n", argv[1]);
  print_plan (sym_run_get_plan (run));
  printf ("  reference %.4f ms; planned in %.2f ms; difference from reference %.2g\n", slow,
          planning,
          find_difference (get_output (run)->data, get_output (reference)->data,
                           sym_array_get_n_elements (get_output (run))));
  compare (argv[1], run, input, argc == 3 ? argv[2] : NULL);
  return 0;
}
