/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-error.h"
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

/* Two runs, and how far their values are apart. */
typedef struct {
  SymModel *before, *after;
  SymRecord *reference, *run; /* of them */
  double tolerances[2];       /* relative, absolute */
  GArray *pairs;              /* of SymComparePair */
  SymDistance *distances;     /* by pair */
  guint n_known, n_beyond, first_beyond;
} Measured;

static void
clear_measured (Measured *self)
{
  g_clear_pointer (&self->before, sym_model_unref);
  g_clear_pointer (&self->after, sym_model_unref);
  g_clear_pointer (&self->reference, sym_record_unref);
  g_clear_pointer (&self->run, sym_record_unref);
  g_clear_pointer (&self->pairs, g_array_unref);
  g_clear_pointer (&self->distances, g_free);
}

/* ---- Running ---- */

/* The same input of both models: by name, else by place. */
static const SymFeed *
find_feed (const Measured *self, const GArray *feeds, guint place)
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
move_feeds (const Measured *self, const GArray *feeds)
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

static SymRecord *
run_one (const SymCliArguments *arguments,
         const SymCliFeeds *wishes,
         SymInference *types,
         const GArray *feeds,
         GError **error)
{
  SymRecordOptions wanted = { .seed = wishes->seed,
                              .types = types,
                              .n_bytes_to_keep = BYTES_TO_KEEP };

  if (!sym_cli_get_threads (arguments, &wanted.n_threads, error))
    return NULL;
  return sym_record_new (sym_inference_get_model (types),
                         (const SymFeed *) (gconstpointer) feeds->data, feeds->len, &wanted, NULL,
                         error);
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

static gboolean
run_both (Measured *self,
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
  self->reference = run_one (arguments, wishes, before, feeds, error);
  if (self->reference == NULL)
    return FALSE;
  warn_of_failure (sym_cli_arguments_get_operand (arguments, 0), self->reference);
  sym_cli_arguments_set_subject (arguments, path);
  after = infer_fed (self->after, moved, error);
  self->run = after != NULL ? run_one (arguments, wishes, after, moved, error) : NULL;
  if (self->run == NULL)
    return FALSE;
  warn_of_failure (path, self->run);
  compare = sym_compare_new (before, after, FALSE, NULL, error);
  if (compare == NULL)
    return FALSE;
  self->pairs = sym_compare_pair_values (compare, self->before, self->after);
  return TRUE;
}

/* ---- Measuring ---- */

static void
count (Measured *self)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      self->n_known += self->distances[i].is_known;
      if (!sym_distance_exceeds (&self->distances[i], self->tolerances[0], self->tolerances[1]))
        continue;
      if (self->n_beyond++ == 0)
        self->first_beyond = i;
    }
}

static gboolean
measure (Measured *self, GError **error)
{
  guint n = self->pairs->len;
  g_autofree SymId *actual = g_new (SymId, n + 1), *expected = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    {
      expected[i] = g_array_index (self->pairs, SymComparePair, i).before;
      actual[i] = g_array_index (self->pairs, SymComparePair, i).after;
    }
  self->distances = g_new0 (SymDistance, n + 1);
  if (!sym_record_measure (self->run, self->reference, actual, expected, n, self->distances, NULL,
                           error))
    return FALSE;
  count (self);
  if (self->n_known > 0)
    return TRUE;
  g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
                       "no value was computed in both graphs that could be compared");
  return FALSE;
}

/* ---- Telling ---- */

static const char *
name_value (const Measured *self, guint pair)
{
  return sym_model_get_unique_name (self->after,
                                    g_array_index (self->pairs, SymComparePair, pair).after);
}

static const char *
get_type (const Measured *self, guint pair)
{
  SymId call =
      sym_model_get_producer (self->after, g_array_index (self->pairs, SymComparePair, pair).after);

  return sym_layer_get_type (sym_model_get_layer (self->after, call));
}

static void
print_pair (const Measured *self, guint pair)
{
  const SymDistance *distance = &self->distances[pair];
  gboolean is_beyond = sym_distance_exceeds (distance, self->tolerances[0], self->tolerances[1]);
  g_autofree char *name = sym_cli_fold_line (name_value (self, pair));

  if (!distance->is_known)
    printf ("? %10s %10s %10s %10s", "-", "-", "-", "-");
  else
    printf ("%c %10.3g %10.3g %10.3g %10.6f", is_beyond ? '!' : ' ', distance->max,
            distance->relative, distance->mean, distance->cosine);
  printf ("  %s (%s)", name, get_type (self, pair));
  if (distance->n_odd > 0)
    printf (", %" G_GUINT64_FORMAT " NaN or infinite on one side", distance->n_odd);
  putchar ('\n');
}

static void
print_text (const Measured *self)
{
  printf ("  %10s %10s %10s %10s  %s\n", "MAX", "RELATIVE", "MEAN", "COSINE", "VALUE");
  for (guint i = 0; i < self->pairs->len; i++)
    print_pair (self, i);
  printf ("%u of %u values compared, %u beyond the tolerance\n", self->n_known, self->pairs->len,
          self->n_beyond);
  if (self->n_beyond > 0)
    {
      g_autofree char *name = sym_cli_fold_line (name_value (self, self->first_beyond));

      printf ("first: %s (%s)\n", name, get_type (self, self->first_beyond));
    }
}

static void
add_number (SymCliJson *json, const char *key, double number)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_double (json, number);
}

static void
add_name (SymCliJson *json, const char *key, const char *name)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_string (json, name);
}

static void
add_pair (SymCliJson *json, const Measured *self, guint pair)
{
  const SymDistance *distance = &self->distances[pair];
  SymId before = g_array_index (self->pairs, SymComparePair, pair).before;

  sym_cli_json_begin_object (json);
  add_name (json, "before", sym_model_get_unique_name (self->before, before));
  add_name (json, "after", name_value (self, pair));
  add_name (json, "type", get_type (self, pair));
  sym_cli_json_add_key (json, "compared");
  sym_cli_json_add_bool (json, distance->is_known);
  if (distance->is_known)
    {
      add_number (json, "max", distance->max);
      add_number (json, "relative", distance->relative);
      add_number (json, "mean", distance->mean);
      add_number (json, "cosine", distance->cosine);
      sym_cli_json_add_key (json, "odd");
      sym_cli_json_add_uint (json, distance->n_odd);
      sym_cli_json_add_key (json, "beyond");
      sym_cli_json_add_bool (
          json, sym_distance_exceeds (distance, self->tolerances[0], self->tolerances[1]));
    }
  sym_cli_json_end_object (json);
}

static gboolean
print_json (const Measured *self, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "compared");
  sym_cli_json_add_uint (json, self->n_known);
  sym_cli_json_add_key (json, "beyond");
  sym_cli_json_add_uint (json, self->n_beyond);
  add_name (json, "first", self->n_beyond > 0 ? name_value (self, self->first_beyond) : NULL);
  sym_cli_json_add_key (json, "values");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < self->pairs->len; i++)
    add_pair (json, self, i);
  sym_cli_json_end_array (json);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

/* ---- The command ---- */

static gboolean
open_both (Measured *self, SymCliArguments *arguments, GError **error)
{
  if (!sym_cli_get_tolerances (arguments, self->tolerances, error))
    return FALSE;
  self->before = sym_cli_open_model (arguments, error);
  if (self->before == NULL)
    return FALSE;
  sym_cli_arguments_set_subject (arguments, sym_cli_arguments_get_operand (arguments, 1));
  self->after = sym_io_read (sym_cli_arguments_get_operand (arguments, 1), NULL, error);
  if (self->after == NULL)
    return FALSE;
  sym_cli_arguments_set_subject (arguments, sym_cli_arguments_get_operand (arguments, 0));
  return TRUE;
}

static gboolean
compare (Measured *self, SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymCliFeeds) feeds = sym_cli_feeds_new (arguments, self->before, error);
  g_autoptr (SymInference) before =
      feeds != NULL ? sym_cli_feeds_infer (feeds, arguments, self->before, error) : NULL;

  if (before == NULL || !run_both (self, arguments, feeds, before, error) || !measure (self, error))
    return FALSE;
  if (!sym_cli_wants_json (arguments))
    print_text (self);
  else if (!print_json (self, error))
    return FALSE;
  return self->n_beyond == 0;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  Measured measured = { NULL };
  gboolean is_near =
      open_both (&measured, arguments, error) && compare (&measured, arguments, error);

  clear_measured (&measured);
  return is_near;
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
      "value is named, and the exit status is 1.\n",
  .options = options,
  .run = run,
};
