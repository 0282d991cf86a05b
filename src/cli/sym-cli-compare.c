/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-compare.h"
#include "query/sym-compare.h"
#include "run/sym-record-distance.h"

#include <stdio.h>

static const SymCliOption options[] = {
  SYM_CLI_FORMAT_OPTION,
  { "input", 0, "NAME=SOURCE",
    "numbers of an input: FILE.npy, zeros, ones, random or arange; repeatable" },
  SYM_CLI_TYPE_OPTIONS,
  { "rtol", 0, "R", "how far numbers may be apart, by the largest one of the value (0.001)" },
  { "atol", 0, "A", "and besides that absolutely (1e-7)" },
  { "seed", 0, "N", "what random numbers begin with (0)" },
  { "threads", 0, "N", "threads of compiled steps (1)" },
  { NULL },
};

#define BYTES_TO_KEEP ((guint64) 256 << 20)

/* Two graphs and their runs. */
typedef struct {
  SymModel *before, *after;
  SymRecord *reference, *run; /* of them */
  GArray *pairs;              /* of SymComparePair */
} Both;

static void
clear_both (Both *self)
{
  g_clear_pointer (&self->before, sym_model_unref);
  g_clear_pointer (&self->after, sym_model_unref);
  g_clear_pointer (&self->reference, sym_record_unref);
  g_clear_pointer (&self->run, sym_record_unref);
  g_clear_pointer (&self->pairs, g_array_unref);
}

/* ---- Running ---- */

/* The same input of both models: by name, else by place. */
static const SymFeed *
find_feed (const Both *self, const GArray *feeds, guint place)
{
  SymIds inputs = sym_model_get_inputs (self->after), others = sym_model_get_inputs (self->before);
  const char *name = sym_model_get_value_name (self->after, inputs.ids[place]);
  const SymFeed *by_place = NULL;

  for (guint i = 0; i < feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (feeds, SymFeed, i);

      if (g_strcmp0 (sym_model_get_value_name (self->before, feed->value), name) == 0)
        return feed;
      if (place < others.n && feed->value == others.ids[place])
        by_place = feed;
    }
  return by_place;
}

/* What @feeds are of the second model; their numbers are borrowed. */
static GArray *
move_feeds (const Both *self, const GArray *feeds)
{
  SymIds inputs = sym_model_get_inputs (self->after);
  GArray *moved = g_array_new (FALSE, FALSE, sizeof (SymFeed));

  for (guint i = 0; i < inputs.n; i++)
    {
      const SymFeed *found = find_feed (self, feeds, i);

      if (found != NULL)
        {
          SymFeed feed = { inputs.ids[i], found->datum };

          g_array_append_val (moved, feed);
        }
    }
  return moved;
}

static SymInference *
infer_fed (SymModel *model, const GArray *feeds, GError **error)
{
  g_autoptr (GArray) overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));

  for (guint i = 0; i < feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (feeds, SymFeed, i);
      const SymArray *array = sym_datum_get_array (feed->datum);
      SymOverride override = { .value = feed->value, .has_shape = TRUE };

      if (array == NULL)
        continue;
      override.shape = array->shape;
      g_array_append_val (overrides, override);
    }
  return sym_cli_keep (sym_infer (model, (const SymOverride *) (gconstpointer) overrides->data,
                                  overrides->len, NULL, error));
}

/* Why a layer did not run is said: what it makes cannot be compared. */
static void
warn_of_failure (const char *path, const SymRecord *record)
{
  guint n;
  SymId call = sym_record_get_first_failure (record, &n);

  if (call == SYM_NO_ID)
    return;
  fprintf (stderr, "symscope: %s: note: %u %s did not run; first %s: %s\n", path, n,
           n == 1 ? "layer" : "layers", sym_compare_name_call (sym_record_get_model (record), call),
           sym_record_get_failure (record, call));
}

SymRecord *
sym_cli_compare_run (const SymCliArguments *arguments,
                     const SymCliFeeds *wishes,
                     SymInference *types,
                     const GArray *feeds,
                     const char *path,
                     GError **error)
{
  SymRecordOptions wanted = { .seed = wishes->seed,
                              .types = types,
                              .n_bytes_to_keep = BYTES_TO_KEEP };
  SymRecord *record = NULL;

  if (sym_cli_get_threads (arguments, &wanted.n_threads, error))
    record = sym_record_new (sym_inference_get_model (types),
                             (const SymFeed *) (gconstpointer) feeds->data, feeds->len, &wanted,
                             NULL, error);
  if (record != NULL)
    warn_of_failure (path, record);
  return record;
}

static gboolean
run_both (Both *self,
          SymCliArguments *arguments,
          const SymCliFeeds *wishes,
          SymInference *before,
          GError **error)
{
  const char *path = sym_cli_arguments_get_operand (arguments, 1);
  g_autoptr (GArray) feeds = sym_cli_feeds_make (wishes, before, TRUE, error);
  g_autoptr (GArray) moved = feeds != NULL ? move_feeds (self, feeds) : NULL;
  g_autoptr (SymInference) after = NULL;
  g_autoptr (SymCompare) compare = NULL;

  if (feeds == NULL)
    return FALSE;
  self->reference = sym_cli_compare_run (arguments, wishes, before, feeds,
                                         sym_cli_arguments_get_operand (arguments, 0), error);
  if (self->reference == NULL)
    return FALSE;
  sym_cli_arguments_set_subject (arguments, path);
  after = infer_fed (self->after, moved, error);
  self->run =
      after != NULL ? sym_cli_compare_run (arguments, wishes, after, moved, path, error) : NULL;
  if (self->run == NULL)
    return FALSE;
  compare = sym_compare_new (before, after, FALSE, NULL, error);
  if (compare == NULL)
    return FALSE;
  self->pairs = sym_compare_pair_values (compare, self->before, self->after);
  return TRUE;
}

/* ---- Measuring ---- */

static SymCliCompared *
measure (const Both *self, const double tolerances[2], GError **error)
{
  guint n = self->pairs->len;
  g_autofree SymId *actual = g_new (SymId, n + 1), *expected = g_new (SymId, n + 1);
  g_autofree SymDistance *distances = g_new0 (SymDistance, n + 1);
  SymCliCompared *compared;

  for (guint i = 0; i < n; i++)
    {
      expected[i] = g_array_index (self->pairs, SymComparePair, i).before;
      actual[i] = g_array_index (self->pairs, SymComparePair, i).after;
    }
  if (!sym_record_measure (self->run, self->reference, actual, expected, n, distances, NULL, error))
    return NULL;
  compared = sym_cli_compared_new (self->after, tolerances);
  for (guint i = 0; i < n; i++)
    sym_cli_compared_add (compared, actual[i],
                          sym_model_get_unique_name (self->before, expected[i]), &distances[i],
                          sym_distance_exceeds (&distances[i], tolerances[0], tolerances[1]), NULL);
  return compared;
}

static SymCliCompared *
compare_graphs (SymCliArguments *arguments, const double tolerances[2], GError **error)
{
  Both both = { .before = sym_cli_open_model (arguments, error) };
  SymCliCompared *compared = NULL;
  g_autoptr (SymCliFeeds) feeds = NULL;
  g_autoptr (SymInference) before = NULL;

  if (both.before == NULL)
    return NULL;
  sym_cli_arguments_set_subject (arguments, sym_cli_arguments_get_operand (arguments, 1));
  both.after = sym_io_read (sym_cli_arguments_get_operand (arguments, 1), NULL, error);
  if (both.after != NULL)
    {
      sym_cli_arguments_set_subject (arguments, sym_cli_arguments_get_operand (arguments, 0));
      feeds = sym_cli_feeds_new (arguments, both.before, error);
    }
  before = feeds != NULL ? sym_cli_feeds_infer (feeds, arguments, both.before, error) : NULL;
  if (before != NULL && run_both (&both, arguments, feeds, before, error))
    compared = measure (&both, tolerances, error);
  clear_both (&both);
  return compared;
}

/* ---- Numbers of a file ---- */

/* Those of an operand, NULL without an error when it is something else. */
static SymNumbers *
read_numbers (SymCliArguments *arguments, guint place, GError **error)
{
  const char *path = sym_cli_arguments_get_operand (arguments, place);
  g_autoptr (GError) local = NULL;
  SymNumbers *numbers = g_str_equal (path, "-") ? NULL : sym_numbers_read (path, NULL, &local);

  if (local != NULL && !g_error_matches (local, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED))
    g_propagate_error (error, g_steal_pointer (&local));
  return numbers;
}

/* Either of both operands may be the graph. */
static SymCliCompared *
compare_with_numbers (SymCliArguments *arguments,
                      const SymNumbers *numbers,
                      guint place,
                      const double tolerances[2],
                      GError **error)
{
  const char *path = sym_cli_arguments_get_operand (arguments, 1 - place);
  g_autoptr (SymModel) model = NULL;

  sym_cli_arguments_set_subject (arguments, path);
  model = sym_io_read (path, NULL, error);
  return model != NULL
             ? sym_cli_compare_numbers (arguments, model, 1 - place, numbers, tolerances, error)
             : NULL;
}

static SymCliCompared *
compare (SymCliArguments *arguments, const double tolerances[2], GError **error)
{
  for (guint place = 0; place < 2; place++)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (SymNumbers) numbers = read_numbers (arguments, place, &local);

      if (numbers != NULL)
        return compare_with_numbers (arguments, numbers, place, tolerances, error);
      if (local != NULL)
        {
          sym_cli_arguments_set_subject (arguments,
                                         sym_cli_arguments_get_operand (arguments, place));
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
    }
  return compare_graphs (arguments, tolerances, error);
}

/* ---- The command ---- */

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  double tolerances[2];
  g_autoptr (SymCliCompared) compared = NULL;

  if (!sym_cli_get_tolerances (arguments, tolerances, error))
    return FALSE;
  compared = compare (arguments, tolerances, error);
  return compared != NULL && sym_cli_compared_print (compared, arguments, error) &&
         compared->n_beyond == 0;
}

const SymCliCommand sym_cli_compare = {
  .name = "compare",
  .operands = "BEFORE AFTER",
  .details =
      "Runs two graphs on the same numbers, and tells how far each value of AFTER is from the one\n"
      "of BEFORE that it was: the largest difference, that by the largest number, the mean, and "
      "the\n"
      "cosine of the angle between both.  Which value is which follows from the structure, as "
      "`diff`\n"
      "tells it, and of what else there is from names; inputs are the same by name, else by "
      "place.\n"
      "A ! marks what is further away than --rtol times the largest number and --atol; the first "
      "such\n"
      "value is named, and the exit status is 1.\n"
      "One of both may be numbers instead: .npz, .npy, a folder of .npy as `run -o` writes it, or\n"
      "Model Explorer node data.  They are of the values, or layers, that are called like "
      "them,\n"
      "and feed the inputs among them; the other one is the graph.\n",
  .options = options,
  .run = run,
};
