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
measure (SymSession *session, double seconds, GArray *times, GError **error)
{
  SymRun *run;
  gint64 start;

  if (!sym_session_execute (session, NULL, error))
    return FALSE;
  run = sym_session_get_run (session);
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

typedef struct {
  double build; /* all until it can run, in milliseconds */
  guint n_threads;
  SymSessionCost plan;
} Cost;

static gboolean
print_json (const SymRun *run, GArray *times, const Cost *cost, GError **error)
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
  sym_cli_json_add_uint (json, cost->n_threads);
  sym_cli_json_add_key (json, "build_ms");
  sym_cli_json_add_double (json, cost->build);
  sym_cli_json_add_key (json, "plan_ms");
  sym_cli_json_add_double (json, cost->plan.milliseconds);
  sym_cli_json_add_key (json, "arena_bytes");
  sym_cli_json_add_uint (json, sym_run_get_n_bytes (run));
  sym_cli_json_add_key (json, "weights_bytes");
  sym_cli_json_add_uint (json, sym_plan_get_n_weight_bytes (sym_run_get_plan (run)));
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

static void
print_text (const SymRun *run, GArray *times, const Cost *cost)
{
  printf ("%.3f ms median, %.3f ms at least, of %u run%s with %u thread%s\n", find_median (times),
          g_array_index (times, double, 0), times->len, times->len == 1 ? "" : "s", cost->n_threads,
          cost->n_threads == 1 ? "" : "s");
  printf ("%.1f ms to open and plan, %.1f of them to plan; %" G_GUINT64_FORMAT
          " bytes of values, %" G_GUINT64_FORMAT " bytes of weights\n",
          cost->build, cost->plan.milliseconds, sym_run_get_n_bytes (run),
          sym_plan_get_n_weight_bytes (sym_run_get_plan (run)));
}

static SymSession *
new_session (SymCliArguments *arguments, Cost *cost, GError **error)
{
  g_autoptr (SymModel) model = sym_cli_open_model (arguments, error);
  g_autoptr (SymCliFeeds) feeds =
      model == NULL ? NULL : sym_cli_feeds_new (arguments, model, error);
  g_autoptr (SymInference) inference =
      feeds == NULL ? NULL : sym_cli_feeds_infer (feeds, arguments, model, error);
  SymSessionOptions wishes = { .types = inference,
                               .takes_any_type = TRUE,
                               .n_threads = cost->n_threads,
                               .is_exact = sym_cli_arguments_has (arguments, "exact") };
  g_autoptr (SymSession) session = NULL;

  if (inference == NULL)
    return NULL;
  session = sym_session_new (model, &wishes);
  if (!sym_cli_feeds_apply (feeds, session, inference, FALSE, error) ||
      !sym_session_prepare (session, NULL, error))
    return NULL;
  cost->plan = sym_session_get_cost (session);
  return g_steal_pointer (&session);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (SymSession) session = NULL;
  Cost cost = { 0 };
  double seconds;

  if (!get_seconds (arguments, &seconds, error) ||
      !sym_cli_get_threads (arguments, &cost.n_threads, error))
    return FALSE;
  session = new_session (arguments, &cost, error);
  if (session == NULL)
    return FALSE;
  cost.build = get_milliseconds (start);
  if (!measure (session, seconds, times, error))
    return FALSE;
  if (sym_cli_wants_json (arguments))
    return print_json (sym_session_get_run (session), times, &cost, error);
  print_text (sym_session_get_run (session), times, &cost);
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
