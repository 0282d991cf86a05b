/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-statistics.h"
#include "run/sym-run-weights.h"

#include <stdio.h>

static const SymCliOption options[] = {
  { "input", 0, "NAME=SOURCE",
    "numbers of an input: FILE.npy, zeros, ones, random or arange; repeatable" },
  SYM_CLI_TYPE_OPTIONS,
  { "data", 0, "DIR", "feed input_N.pb or .npy of a folder by position, and compare its output_N" },
  { "rtol", 0, "R", "how far numbers may be from those of --data, relatively (0.001)" },
  { "atol", 0, "A", "and besides that absolutely (1e-7)" },
  { "seed", 0, "N", "what random numbers begin with (0)" },
  { "fill-weights", 0, NULL, "make up weights that the file does not have, by the seed" },
  { "stats", 0, NULL, "statistics of every value, as JSON" },
  { "profile", 0, NULL, "the time of each layer" },
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
  if (sym_statistics_compute_elements (&statistics, array->dtype, array->data,
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
  SymIds results = sym_model_get_results (model, call);

  if ((name != NULL && *name != '\0') || results.n == 0)
    return name == NULL ? "" : name;
  return sym_model_get_unique_name (model, results.ids[0]);
}

static void
print_profile (const SymRun *run)
{
  SymPlan *plan = sym_run_get_plan (run);
  SymModel *model = sym_plan_get_model (plan);
  double total = 0;

  printf ("%10s  %-20s %s\n", "ms", "LAYER", "NAME");
  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    {
      SymId call = sym_plan_get_call (plan, i);

      total += sym_run_get_milliseconds (run, i);
      printf ("%10.3f  %-20s %s\n", sym_run_get_milliseconds (run, i),
              sym_layer_get_type (sym_model_get_layer (model, call)), name_layer (model, call));
    }
  printf ("%10.3f  all\n", total);
}

/* Shows what there is, also of a run that did not come to its end. */
static gboolean
show (SymCliArguments *arguments, const SymRun *run, SymCliStatistics *statistics, GError **error)
{
  if (statistics != NULL && !sym_cli_statistics_print (statistics, error))
    return FALSE;
  if (sym_cli_arguments_has (arguments, "profile"))
    print_profile (run);
  if (statistics == NULL && !sym_cli_arguments_has (arguments, "profile") &&
      !sym_cli_arguments_has (arguments, "out"))
    print_outputs (run);
  return TRUE;
}

static gboolean
execute (SymCliArguments *arguments, SymRun *run, const SymInference *inference, GError **error)
{
  gboolean with_statistics = sym_cli_arguments_has (arguments, "stats");
  g_autoptr (SymCliStatistics) statistics = with_statistics ? sym_cli_statistics_new (run) : NULL;
  const char *folder = sym_cli_arguments_get (arguments, "out");
  g_autoptr (GError) local = NULL;
  gboolean done = sym_run_execute (run, NULL, &local);

  if (!show (arguments, run, statistics, error))
    return FALSE;
  if (!done)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (folder != NULL && !sym_cli_write_outputs (run, folder, error))
    return FALSE;
  return !sym_cli_arguments_has (arguments, "data") ||
         sym_cli_compare_data (arguments, run, inference, error);
}

/* What was made up is said: results mean nothing then. */
static gboolean
fill_weights (SymCliArguments *arguments,
              SymRun *run,
              const SymInference *inference,
              guint64 seed,
              GError **error)
{
  guint n = 0;

  if (!sym_cli_arguments_has (arguments, "fill-weights"))
    return TRUE;
  if (!sym_run_feed_missing_weights (run, inference, seed, &n, NULL, error))
    return FALSE;
  if (n > 0)
    fprintf (stderr, "symscope: %s: note: made up %u %s\n",
             sym_cli_arguments_get_operand (arguments, 0), n, n == 1 ? "weight" : "weights");
  return TRUE;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);
  g_autoptr (SymCliFeeds) feeds =
      model == NULL ? NULL : sym_cli_feeds_new (arguments, model, error);
  g_autoptr (SymInference) inference =
      feeds == NULL ? NULL : sym_cli_feeds_infer (feeds, arguments, model, error);
  SymPlanOptions plan_options = { .everything = sym_cli_arguments_has (arguments, "stats") };
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) self = NULL;

  if (inference == NULL)
    return FALSE;
  plan_options.types = inference;
  plan = sym_plan_new (model, &plan_options, NULL, error);
  if (plan == NULL)
    return FALSE;
  self = sym_run_new (plan);
  return sym_cli_feeds_apply (feeds, self, inference, error) &&
         fill_weights (arguments, self, inference, feeds->seed, error) &&
         execute (arguments, self, inference, error);
}

const SymCliCommand sym_cli_run = {
  .name = "run",
  .operands = "FILE",
  .options = options,
  .details =
      "Inputs that --input does not name get random numbers: floats from 0 to 1, integers\n"
      "from 0 to 9, or less where they are indices.  Sizes that neither the file nor --shape\n"
      "tells are those of the numbers given, or 1, which a note on standard error says.\n"
      "Without --stats, --profile and -o the outputs are told in a line each.\n"
      "A layer that cannot run is named and makes the exit status 1; what does not need it is\n"
      "computed all the same.",
  .run = run,
};
