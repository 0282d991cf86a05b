/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "query/sym-compare.h"

#include <stdio.h>

static const SymCliOption options[] = {
  SYM_CLI_FORMAT_OPTION,
  { "shapes", 0, NULL, "also list layers of which only the results have other shapes or dtypes" },
  { "numbers", 0, NULL, "also read all weights, and tell those whose numbers differ" },
  { "shape", 0, "NAME=D,D,...",
    "shape of an input or parameter of both: numbers, names or ?; repeatable" },
  { "dtype", 0, "NAME=DTYPE", "dtype of an input or parameter of both: float32, ...; repeatable" },
  { NULL },
};

typedef struct {
  SymInference *before;
  SymInference *after;
  SymCompare *compare;
} Pair;

static const char *
get_type (const SymModel *model, SymId call)
{
  return sym_layer_get_type (sym_model_get_layer (model, call));
}

static gboolean
is_listed (const SymCliArguments *arguments, SymCompareKind kind)
{
  return kind != SYM_COMPARE_SAME &&
         (kind != SYM_COMPARE_RESHAPED || sym_cli_arguments_has (arguments, "shapes"));
}

/* ---- Text ---- */

static void
print_difference (const SymDifference *difference)
{
  g_autofree char *what = sym_cli_fold_line (difference->what);
  g_autofree char *before =
      difference->before == NULL ? g_strdup ("(none)") : sym_cli_fold_line (difference->before);
  g_autofree char *after =
      difference->after == NULL ? g_strdup ("(none)") : sym_cli_fold_line (difference->after);

  printf ("    %s: %s -> %s\n", what, before, after);
}

static void
print_entry (const Pair *pair, const SymCompareEntry *entry)
{
  static const char marks[] = { ' ', '~', '~', '-', '+' };
  gboolean is_added = entry->before == SYM_NO_ID;
  const SymModel *model = sym_inference_get_model (is_added ? pair->after : pair->before);
  const SymModel *other = sym_inference_get_model (pair->after);
  SymId call = is_added ? entry->after : entry->before;
  g_autofree char *name = sym_cli_fold_line (sym_compare_name_call (model, call));

  printf ("%c %s (%s)", marks[entry->kind], name, get_type (model, call));
  if (entry->before != SYM_NO_ID && entry->after != SYM_NO_ID &&
      !g_str_equal (sym_compare_name_call (model, call),
                    sym_compare_name_call (other, entry->after)))
    {
      g_autofree char *now = sym_cli_fold_line (sym_compare_name_call (other, entry->after));

      printf (", now %s", now);
    }
  putchar ('\n');
  for (guint i = 0; i < entry->n; i++)
    print_difference (sym_compare_get_difference (pair->compare, entry->first + i));
}

static guint64
count_parameters (SymInference *inference)
{
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_summary_get_totals (summary).total;
}

static void
print_text (const SymCliArguments *arguments, const Pair *pair)
{
  guint first = sym_compare_get_first_of_models (pair->compare);
  guint n = sym_compare_get_n_differences (pair->compare);

  for (guint i = first; i < n; i++)
    {
      const SymDifference *difference = sym_compare_get_difference (pair->compare, i);

      if (i == first)
        puts ("~ the graph");
      print_difference (difference);
    }
  for (guint i = 0; i < sym_compare_get_n (pair->compare); i++)
    {
      SymCompareEntry entry = sym_compare_get (pair->compare, i);

      if (is_listed (arguments, entry.kind))
        print_entry (pair, &entry);
    }
  printf ("layers: %u the same, %u of other shapes, %u changed, %u removed, %u added\n",
          sym_compare_count (pair->compare, SYM_COMPARE_SAME),
          sym_compare_count (pair->compare, SYM_COMPARE_RESHAPED),
          sym_compare_count (pair->compare, SYM_COMPARE_CHANGED),
          sym_compare_count (pair->compare, SYM_COMPARE_REMOVED),
          sym_compare_count (pair->compare, SYM_COMPARE_ADDED));
  printf ("parameters: %" G_GUINT64_FORMAT " -> %" G_GUINT64_FORMAT "\n",
          count_parameters (pair->before), count_parameters (pair->after));
}

/* ---- JSON ---- */

static void
add_differences (SymCliJson *json, const SymCompare *compare, guint first, guint n)
{
  sym_cli_json_add_key (json, "differences");
  sym_cli_json_begin_array (json);
  for (guint i = first; i < first + n; i++)
    {
      const SymDifference *difference = sym_compare_get_difference (compare, i);

      sym_cli_json_begin_object (json);
      sym_cli_json_add_key (json, "what");
      sym_cli_json_add_string (json, difference->what);
      sym_cli_json_add_key (json, "before");
      sym_cli_json_add_string (json, difference->before);
      sym_cli_json_add_key (json, "after");
      sym_cli_json_add_string (json, difference->after);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
}

static void
add_call (SymCliJson *json, const char *key, SymInference *inference, SymId call)
{
  const SymModel *model = sym_inference_get_model (inference);

  sym_cli_json_add_key (json, key);
  sym_cli_json_add_string (json, call == SYM_NO_ID ? NULL : sym_compare_name_call (model, call));
}

static void
add_entry (SymCliJson *json, const Pair *pair, const SymCompareEntry *entry)
{
  SymInference *either = entry->before == SYM_NO_ID ? pair->after : pair->before;

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "kind");
  sym_cli_json_add_string (json, sym_compare_kind_to_string (entry->kind));
  add_call (json, "before", pair->before, entry->before);
  add_call (json, "after", pair->after, entry->after);
  sym_cli_json_add_key (json, "type");
  sym_cli_json_add_string (json,
                           get_type (sym_inference_get_model (either),
                                     entry->before == SYM_NO_ID ? entry->after : entry->before));
  add_differences (json, pair->compare, entry->first, entry->n);
  sym_cli_json_end_object (json);
}

static gboolean
print_json (const SymCliArguments *arguments, const Pair *pair, GError **error)
{
  guint first = sym_compare_get_first_of_models (pair->compare);
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "layers");
  sym_cli_json_begin_object (json);
  for (guint i = 0; i < SYM_N_COMPARE_KINDS; i++)
    {
      sym_cli_json_add_key (json, sym_compare_kind_to_string ((SymCompareKind) i));
      sym_cli_json_add_uint (json, sym_compare_count (pair->compare, (SymCompareKind) i));
    }
  sym_cli_json_end_object (json);
  add_differences (json, pair->compare, first,
                   sym_compare_get_n_differences (pair->compare) - first);
  sym_cli_json_add_key (json, "entries");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_compare_get_n (pair->compare); i++)
    {
      SymCompareEntry entry = sym_compare_get (pair->compare, i);

      if (is_listed (arguments, entry.kind))
        add_entry (json, pair, &entry);
    }
  sym_cli_json_end_array (json);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

/* ---- The command ---- */

static SymInference *
open_after (SymCliArguments *arguments, GError **error)
{
  const char *path = sym_cli_arguments_get_operand (arguments, 1);
  g_autoptr (SymModel) model = NULL;

  sym_cli_arguments_set_subject (arguments, path);
  model = sym_io_read (path, NULL, error);

  return model == NULL ? NULL : sym_cli_infer_model (arguments, model, error);
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) before = sym_cli_open_and_infer (arguments, error);
  g_autoptr (SymInference) after = before == NULL ? NULL : open_after (arguments, error);
  g_autoptr (SymCompare) compare =
      after == NULL ? NULL
                    : sym_compare_new (before, after, sym_cli_arguments_has (arguments, "numbers"),
                                       NULL, error);
  Pair pair = { before, after, compare };

  if (compare == NULL)
    return FALSE;
  if (g_strcmp0 (sym_cli_arguments_get (arguments, "format"), "json") == 0)
    {
      if (!print_json (arguments, &pair, error))
        return FALSE;
    }
  else
    print_text (arguments, &pair);
  return sym_compare_is_same (compare);
}

const SymCliCommand sym_cli_diff = {
  .name = "diff",
  .operands = "BEFORE AFTER",
  .details =
      "What differs between two graphs, by structure: layers are the same when they are of\n"
      "the same type, with the same attributes, at the same place; names count for nothing.\n"
      "- is a layer of BEFORE alone, + one of AFTER alone, ~ one of both that differs.  Layers\n"
      "after a change often have other shapes only: these are counted.  The exit status is 0\n"
      "when nothing differs, else 1.\n",
  .options = options,
  .run = run,
};
