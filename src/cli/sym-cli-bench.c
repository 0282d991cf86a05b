/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"

#include <stdio.h>
#include <stdlib.h>

static const SymCliOption options[] = {
  { "seconds", 0, "S", "how long to go on running it (2)" },
  { "threads", 0, "N", "threads that run it at once (1)" },
  { "exact", 0, NULL, "direct algorithms only, which round least" },
  { "input", 0, "NAME=SOURCE",
    "numbers of an input: FILE.npy, zeros, ones, random or arange; repeatable" },
  { "seed", 0, "N", "what random numbers begin with (0)" },
  SYM_CLI_TYPE_OPTIONS,
  SYM_CLI_FORMAT_OPTION,
  { NULL },
};

static double
get_milliseconds (gint64 since)
{
  return (double) (g_get_monotonic_time () - since) / 1000;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

static double
find_median (GArray *sorted)
{
  guint middle = sorted->len / 2;
  double upper = g_array_index (sorted, double, middle);

  return sorted->len % 2 == 1 ? upper : (g_array_index (sorted, double, middle - 1) + upper) / 2;
}

static gboolean
get_seconds (const SymCliArguments *arguments, double *seconds, GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, "seconds");
  char *end;

  *seconds = 2;
  if (text == NULL)
    return TRUE;
  *seconds = g_ascii_strtod (text, &end);
  if (*text != '\0' && *end == '\0' && *seconds >= 0 && *seconds <= 1e6)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--seconds takes a number from 0 on, not “%s”", text);
  return FALSE;
}

static gboolean
measure (SymRun *run, double seconds, GArray *times, GError **error)
{
  gint64 start;

  if (!sym_run_execute (run, NULL, error))
    return FALSE;
  start = g_get_monotonic_time ();
  do
    {
      gint64 begin = g_get_monotonic_time ();
      double time;

      if (!sym_run_execute (run, NULL, error))
        return FALSE;
      time = get_milliseconds (begin);
      g_array_append_val (times, time);
    }
  while (get_milliseconds (start) < seconds * 1000);
  g_array_sort (times, compare_doubles);
  return TRUE;
}

static gboolean
print_json (const SymRun *run, GArray *times, double build, guint n_threads, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "median_ms");
  sym_cli_json_add_double (json, find_median (times));
  sym_cli_json_add_key (json, "min_ms");
  sym_cli_json_add_double (json, g_array_index (times, double, 0));
  sym_cli_json_add_key (json, "runs");
  sym_cli_json_add_uint (json, times->len);
  sym_cli_json_add_key (json, "threads");
  sym_cli_json_add_uint (json, n_threads);
  sym_cli_json_add_key (json, "build_ms");
  sym_cli_json_add_double (json, build);
  sym_cli_json_add_key (json, "arena_bytes");
  sym_cli_json_add_uint (json, sym_run_get_n_bytes (run));
  sym_cli_json_add_key (json, "weights_bytes");
  sym_cli_json_add_uint (json, sym_plan_get_n_weight_bytes (sym_run_get_plan (run)));
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymCliFeeds) feeds = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) self = NULL;
  SymPlanOptions plan_options = { NULL };
  double seconds, build;

  if (!get_seconds (arguments, &seconds, error) ||
      !sym_cli_get_threads (arguments, &plan_options.n_threads, error))
    return FALSE;
  model = sym_cli_open_model (arguments, error);
  feeds = model == NULL ? NULL : sym_cli_feeds_new (arguments, model, error);
  inference = feeds == NULL ? NULL : sym_cli_feeds_infer (feeds, arguments, model, error);
  if (inference == NULL)
    return FALSE;
  plan_options.inference = inference;
  plan_options.is_exact = sym_cli_arguments_has (arguments, "exact");
  plan = sym_plan_new (model, &plan_options, NULL, error);
  if (plan == NULL)
    return FALSE;
  self = sym_run_new (plan);
  build = get_milliseconds (start);
  if (!sym_cli_feeds_apply (feeds, self, inference, error) ||
      !measure (self, seconds, times, error))
    return FALSE;
  if (sym_cli_wants_json (arguments))
    return print_json (self, times, build, plan_options.n_threads, error);
  printf ("%.3f ms median, %.3f ms at least, of %u runs with %u thread%s\n", find_median (times),
          g_array_index (times, double, 0), times->len, plan_options.n_threads,
          plan_options.n_threads == 1 ? "" : "s");
  printf ("%.1f ms to open and plan; %" G_GUINT64_FORMAT " bytes of values, %" G_GUINT64_FORMAT
          " bytes of weights\n",
          build, sym_run_get_n_bytes (self), sym_plan_get_n_weight_bytes (plan));
  return TRUE;
}

const SymCliCommand sym_cli_bench = {
  .name = "bench",
  .operands = "FILE",
  .options = options,
  .details =
      "Inputs are made up as for run.  Where all shapes are known, calls are compiled into steps.\n"
      "The first run does not count.",
  .run = run,
};
