/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-element.h"
#include "core/sym-statistics.h"
#include "run/sym-run-weights.h"

#include <stdio.h>

static const SymCliOption options[] = {
  { "input", 0, "NAME=SOURCE",
    "numbers of an input: FILE.npy, zeros, ones, random or arange; or FILE.npz alone, with "
    "those of all; repeatable" },
  SYM_CLI_TYPE_OPTIONS,
  { "data", 0, "DIR",
    "feed input_N.pb or .npy of a folder, in order or by name, and compare its output_N" },
  { "rtol", 0, "R", "how far numbers may be from those of --data, relatively (0.001)" },
  { "atol", 0, "A", "and besides that absolutely (1e-7)" },
  { "seed", 0, "N", "what random numbers begin with (0)" },
  { "fill-weights", 0, NULL, "make up weights that the file does not have, by the seed" },
  { "threads", 0, "N", "threads of compiled steps (1)" },
  { "exact", 0, NULL, "only algorithms that round least" },
  { "stats", 0, NULL, "statistics of every value, as JSON" },
  { "profile", 0, NULL, "the time of each step" },
  { "out", 'o', "DIR", "write the outputs into a folder, as .npy" },
  { NULL },
};

static char *
format_array (const SymArray *array)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < array->shape.rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", array->shape.dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
print_output (const char *name, const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);
  g_autofree char *shape = NULL;
  SymStatistics statistics;

  if (array == NULL)
    {
      printf ("%-32s %u items of %s\n", name, sym_datum_get_n_items (datum),
              sym_dtype_to_string (sym_datum_get_dtype (datum)));
      return;
    }
  shape = format_array (array);
  printf ("%-32s %-20s %-10s", name, shape, sym_dtype_to_string (array->dtype));
  if (sym_dtype_is_numeric (array->dtype) &&
      sym_statistics_compute_elements (&statistics, array->dtype, array->data,
                                       sym_array_get_n_elements (array), 0, NULL, NULL))
    printf (" min %.6g, max %.6g, mean %.6g, std %.6g", statistics.min, statistics.max,
            statistics.mean, statistics.std);
  printf ("\n");
}

static void
print_outputs (const SymRun *run)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));
  SymIds outputs = sym_model_get_outputs (model);

  for (guint i = 0; i < outputs.n; i++)
    if (sym_run_get (run, outputs.ids[i]) != NULL)
      print_output (sym_model_get_unique_name (model, outputs.ids[i]),
                    sym_run_get (run, outputs.ids[i]));
}

/* A layer without a name is known by what it makes. */
static const char *
name_layer (const SymModel *model, SymId call)
{
  const char *name = sym_model_get_call_name (model, call);
  SymId result = sym_model_get_first_result (model, call);

  if ((name != NULL && *name != '\0') || result == SYM_NO_ID)
    return name == NULL ? "" : name;
  return sym_model_get_unique_name (model, result);
}

/* Layers that were compiled into one step are told as that. */
static void
print_step (const SymRun *run, guint i)
{
  SymPlan *plan = sym_run_get_plan (run);
  SymModel *model = sym_plan_get_model (plan);
  SymIds calls = sym_plan_get_calls (plan, i);
  const char *name = name_layer (model, calls.ids[calls.n - 1]);
  double milliseconds = sym_run_get_milliseconds (run, i);

  if (sym_plan_is_compiled (plan, i))
    printf ("%10.3f  %-20s %u layers from %s to %s\n", milliseconds, "compiled", calls.n,
            name_layer (model, calls.ids[0]), name);
  else
    printf ("%10.3f  %-20s %s\n", milliseconds,
            sym_layer_get_type (sym_model_get_layer (model, calls.ids[0])), name);
}

static void
print_profile (const SymSession *session)
{
  const SymRun *run = sym_session_get_run (session);
  SymSessionCost cost = sym_session_get_cost (session);
  SymPlan *plan = sym_run_get_plan (run);
  double total = 0;

  printf ("%10s  %-20s %s\n", "ms", "LAYER", "NAME");
  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    {
      total += sym_run_get_milliseconds (run, i);
      print_step (run, i);
    }
  printf ("%10.3f  all\n%10.3f  to plan, with %" G_GUINT64_FORMAT " bytes of weights\n", total,
          cost.milliseconds, cost.n_bytes);
}

/* Shows what there is, also of a run that did not come to its end. */
static gboolean
show (SymCliArguments *arguments,
      const SymSession *session,
      SymCliStatistics *statistics,
      GError **error)
{
  const SymRun *run = sym_session_get_run (session);

  if (statistics != NULL && !sym_cli_statistics_print (statistics, error))
    return FALSE;
  if (sym_cli_arguments_has (arguments, "profile"))
    print_profile (session);
  if (statistics == NULL && !sym_cli_arguments_has (arguments, "profile") &&
      !sym_cli_arguments_has (arguments, "out"))
    print_outputs (run);
  return TRUE;
}

/* ---- Running ---- */

typedef struct {
  SymCliArguments *arguments;
  SymModel *model;
  SymCliFeeds *feeds;
  SymInference *inference;
  GArray *weights; /* of SymFeed: those that were made up; NULL for none */
} Request;

/* What was made up is said: results mean nothing then. */
static gboolean
fill_weights (Request *self, GError **error)
{
  gboolean everything = sym_cli_arguments_has (self->arguments, "stats");
  guint n;

  if (!sym_cli_arguments_has (self->arguments, "fill-weights"))
    return TRUE;
  self->weights =
      sym_run_make_missing_weights (self->inference, everything, self->feeds->seed, NULL, error);
  if (self->weights == NULL)
    return FALSE;
  n = self->weights->len;
  if (!sym_run_set_missing_weights (self->inference, self->feeds->seed, &n, NULL, error))
    return FALSE;
  if (n > 0)
    fprintf (stderr, "symscope: %s: note: made up %u %s\n",
             sym_cli_arguments_get_operand (self->arguments, 0), n, n == 1 ? "weight" : "weights");
  return TRUE;
}

/* With all inputs fed. */
static SymSession *
new_session (const Request *self, GError **error)
{
  gboolean everything = sym_cli_arguments_has (self->arguments, "stats");
  SymSessionOptions wishes = { .everything = everything,
                               .types = self->inference,
                               .takes_any_type = TRUE,
                               .is_exact = sym_cli_arguments_has (self->arguments, "exact") };
  g_autoptr (SymSession) session = NULL;

  if (!sym_cli_get_threads (self->arguments, &wishes.n_threads, error))
    return NULL;
  if (self->weights != NULL)
    {
      wishes.numbers = (const SymFeed *) (gpointer) self->weights->data;
      wishes.n_numbers = self->weights->len;
    }
  session = sym_session_new (self->model, &wishes);
  if (!sym_cli_feeds_apply (self->feeds, session, self->inference, everything, error))
    return NULL;
  return g_steal_pointer (&session);
}

/* Layers that lead to no output end no run: what their values lack is said. */
static void
tell_failures (const Request *self, const SymRun *run)
{
  SymPlan *plan = sym_run_get_plan (run);

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_run_get_failure (run, i) != NULL)
      fprintf (stderr, "symscope: %s: note: no statistics of what “%s” makes: %s\n",
               sym_cli_arguments_get_operand (self->arguments, 0),
               name_layer (self->model, sym_plan_get_call (plan, i)), sym_run_get_failure (run, i));
}

static gboolean
finish (const Request *self,
        const SymSession *session,
        SymCliStatistics *statistics,
        GError *failure,
        GError **error)
{
  const char *folder = sym_cli_arguments_get (self->arguments, "out");
  const SymRun *run = sym_session_get_run (session);

  if (!show (self->arguments, session, statistics, error))
    return FALSE;
  if (failure != NULL)
    {
      g_propagate_error (error, g_error_copy (failure));
      return FALSE;
    }
  if (statistics != NULL)
    tell_failures (self, run);
  if (folder != NULL && !sym_cli_write_outputs (run, folder, error))
    return FALSE;
  return !sym_cli_arguments_has (self->arguments, "data") ||
         sym_cli_compare_data (self->arguments, run, self->inference, error);
}

static gboolean
execute (const Request *self, GError **error)
{
  g_autoptr (SymSession) session = new_session (self, error);
  g_autoptr (SymCliStatistics) statistics = NULL;
  g_autoptr (GError) failure = NULL;

  if (session == NULL)
    return FALSE;
  if (sym_cli_arguments_has (self->arguments, "stats"))
    statistics = sym_cli_statistics_new (session);
  if (!sym_session_execute (session, NULL, &failure) && sym_session_get_run (session) == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  return finish (self, session, statistics, failure, error);
}

/* What can be told before anything is computed. */
static gboolean
check (SymCliArguments *arguments, const SymModel *model, GError **error)
{
  guint n_threads;

  return sym_cli_get_threads (arguments, &n_threads, error) &&
         sym_cli_check_data (arguments, model, error);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);
  g_autoptr (SymCliFeeds) feeds = model == NULL || !check (arguments, model, error)
                                      ? NULL
                                      : sym_cli_feeds_new (arguments, model, error);
  g_autoptr (SymInference) inference =
      feeds == NULL ? NULL : sym_cli_feeds_infer (feeds, arguments, model, error);
  Request request = { arguments, model, feeds, inference };

  gboolean done;

  done = inference != NULL && fill_weights (&request, error) && execute (&request, error);
  g_clear_pointer (&request.weights, g_array_unref);
  return done;
}

const SymCliCommand sym_cli_run = {
  .name = "run",
  .operands = "FILE",
  .options = options,
  .details =
      "Inputs that --input does not name get random numbers: floats from 0 to 1, integers\n"
      "from 0 to 9, or less where they are indices, sequences two tensors.  Sizes that neither the "
      "file nor --shape\n"
      "tells are those of the numbers given, or 1, which a note on standard error says.\n"
      "Without --stats, --profile and -o the outputs are told in a line each.\n"
      "Layers whose shapes are known are compiled into steps of several; --profile tells which "
      "are\n"
      "computed one by one.  With --stats each layer has a step, so that all values are seen;\n"
      "those within bodies come last, of loops those of the last turn: \"body\": \"3a/7b\" is the "
      "second\n"
      "body of call 7 in the first one of call 3.\n"
      "A layer that cannot run is named and makes the exit status 1; what does not need it is\n"
      "computed all the same.",
  .run = run,
};
