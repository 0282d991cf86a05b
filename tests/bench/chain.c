/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "core/sym-model-builder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "ops/sym-op.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* usage: chain [OUT.json]
 *
 * Measures a chain of 10,000 and one of 100,000 layers: building, inferring, summarising,
 * extracting its second half.  Linear time is a ratio of 10.  With OUT.json it writes the longer
 * one there instead. */
enum { BUILD, INFER, SUMMARY, EXTRACT, N_STEPS };

static const char *const titles[N_STEPS] = { "build", "infer", "summary", "extract" };

static SymId
add_layer (SymModelBuilder *builder, SymLayer *layer, SymId operand, guint i)
{
  g_autofree char *name = g_strdup_printf ("relu%u", i);
  SymId call = sym_model_builder_add_call (builder, name, layer, &operand, 1, 1);
  SymId result = sym_model_builder_get_result (builder, call, 0);
  g_autofree char *result_name = g_strdup_printf ("relu%u_output", i);

  sym_model_builder_set_value_name (builder, result, result_name);
  return result;
}

static SymModel *
build (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 16));
  SymId last = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &type);

  sym_attributes_set (attributes, "act_type", sym_value_new_string ("relu"), "relu");
  sym_model_builder_add_input (builder, last);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SymLayer) layer =
          sym_layer_new ("Activation", sym_op_find ("mxnet", "Activation", 0), attributes);

      last = add_layer (builder, layer, last, i);
    }
  sym_model_builder_add_output (builder, last);
  return sym_model_builder_end (builder);
}

static SymModel *
extract_half (SymModel *model, const SymInference *inference)
{
  SymIds rows = sym_model_get_rows (model);
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, &rows.ids[rows.n / 2], 1, &rows.ids[rows.n - 1], 1, NULL, NULL);

  return sym_selection_extract (selection, inference);
}

/* Rows are put together when they are asked for, so each is. */
static SymSummary *
summarise (SymInference *inference)
{
  SymSummary *summary = sym_summary_new (inference);
  guint n = sym_summary_get_n_rows (summary);

  for (guint i = 0; i < n; i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      g_assert (row.index == i + 1 && *row.name != '\0' && row.type != NULL);
    }
  return summary;
}

/* Of the processor's time, so that what else runs matters less. */
static double
get_ms_since (clock_t *last)
{
  clock_t before = *last;

  *last = clock ();
  return (double) (*last - before) * 1000.0 / CLOCKS_PER_SEC;
}

static void
measure (guint n, double *ms)
{
  clock_t last = clock ();
  g_autoptr (SymModel) model = build (n);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autoptr (SymModel) part = NULL;

  ms[BUILD] = get_ms_since (&last);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  ms[INFER] = get_ms_since (&last);
  summary = summarise (inference);
  ms[SUMMARY] = get_ms_since (&last);
  part = extract_half (model, inference);
  ms[EXTRACT] = get_ms_since (&last);
  g_assert (sym_model_get_n_calls (part) == n - n / 2);
}

/* Measures in a process of its own: memory that an earlier run has left behind is free for a short
 * chain and not for a long one. */
static void
measure_apart (guint n, double *ms)
{
  int ends[2];
  pid_t child;

  if (pipe (ends) != 0 || (child = fork ()) < 0)
    g_error ("chain: %s", g_strerror (errno));
  if (child == 0)
    {
      measure (n, ms);
      _exit (write (ends[1], ms, sizeof (double) * N_STEPS) != (ssize_t) sizeof (double) * N_STEPS);
    }
  if (read (ends[0], ms, sizeof (double) * N_STEPS) != (ssize_t) sizeof (double) * N_STEPS)
    g_error ("chain: the measuring process ended early");
  close (ends[0]);
  close (ends[1]);
  waitpid (child, NULL, 0);
}

/* The least of five. */
static void
measure_best (guint n, double *best)
{
  measure_apart (n, best);
  for (guint i = 0; i < 4; i++)
    {
      double ms[N_STEPS];

      measure_apart (n, ms);
      for (guint step = 0; step < N_STEPS; step++)
        best[step] = MIN (best[step], ms[step]);
    }
}

static int
write_chain (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = build (100000);

  if (sym_io_write (sym_io_find_format ("mxnet"), model, NULL, path, NULL, &error))
    return 0;
  fprintf (stderr, "chain: %s\n", error->message);
  return 1;
}

static void
print_row (const char *title, double shorter, double longer)
{
  printf ("%-10s %9.1f ms %9.1f ms %8.1f\n", title, shorter, longer, longer / shorter);
}

int
main (int argc, char **argv)
{
  double shorter[N_STEPS], longer[N_STEPS];
  double shorter_sum = 0, longer_sum = 0;

  if (argc > 1)
    return write_chain (argv[1]);
  measure_best (10000, shorter);
  measure_best (100000, longer);
  printf ("%-10s %12s %12s %8s\n", "", "10,000", "100,000", "ratio");
  for (guint step = 0; step < N_STEPS; step++)
    {
      print_row (titles[step], shorter[step], longer[step]);
      shorter_sum += shorter[step];
      longer_sum += longer[step];
    }
  print_row ("all", shorter_sum, longer_sum);
  return 0;
}
