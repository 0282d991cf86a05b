/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "cli/sym-cli-view.h"

#include <stdio.h>

static const SymCliOption options[] = {
  { "preset", 0, "symbolic|keras|mxnet|torchinfo|all",
    "whose table it is to look like (symbolic if not given), or all there is to tell" },
  { "style", 0, "symbolic|keras|mxnet|torchinfo", "an older name of the same" },
  { "columns", 0, "NAME,...", "these columns in this order, of those below" },
  { "sort", 0, "COLUMN", "sorted by a column; with a minus before it from the other end" },
  { "filter", 0, "QUERY", "only nodes that match, see symscope find" },
  { "tree", 0, NULL, "nodes below the groups that they are in, which have sums" },
  { "format", 0, "text|markdown|csv|latex|json", "how it is written (text if not given)" },
  { "expand", 0, NULL, "also the rows inside of nested models, except in JSON" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

static gboolean
print_json (const SymSummary *summary, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();
  SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  SymTotals totals = sym_summary_get_totals (summary);

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, sym_model_get_name (model));
  sym_cli_json_add_key (json, "rows");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_summary_get_n_rows (summary); i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      sym_cli_json_begin_object (json);
      sym_cli_json_add_row (json, summary, &row);
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
  sym_cli_json_add_key (json, "total_params");
  sym_cli_json_add_uint (json, totals.total);
  sym_cli_json_add_key (json, "trainable_params");
  sym_cli_json_add_uint (json, totals.trainable);
  sym_cli_json_add_key (json, "non_trainable_params");
  sym_cli_json_add_uint (json, totals.non_trainable);
  sym_cli_json_add_key (json, "params_known");
  sym_cli_json_add_bool (json, totals.known);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

static const char *
get_preset (const SymCliArguments *arguments)
{
  const char *preset = sym_cli_arguments_get (arguments, "preset");

  return preset != NULL ? preset : sym_cli_arguments_get (arguments, "style");
}

static SymFormat
get_format (const SymCliArguments *arguments)
{
  const char *name = sym_cli_arguments_get (arguments, "format");

  if (g_strcmp0 (name, "markdown") == 0)
    return SYM_FORMAT_MARKDOWN;
  return g_strcmp0 (name, "csv") == 0 ? SYM_FORMAT_CSV : SYM_FORMAT_TEXT;
}

static void
take_text (const char *text, gsize length, G_GNUC_UNUSED gpointer user_data)
{
  fwrite (text, 1, length, stdout);
}

static void
print_text (const SymCliArguments *arguments, const SymSummary *summary, SymStyle style)
{
  gboolean expand = sym_cli_arguments_has (arguments, "expand");

  if (!sym_summary_print (summary, style, get_format (arguments), expand, take_text, NULL))
    fprintf (stderr,
             "symscope: %s: note: some nested models are left closed: they lie too deep, or "
             "make more than a million rows or 64 MiB\n",
             sym_cli_arguments_get_subject (arguments));
}

/* As the original prints it. */
static gboolean
print_original (const SymCliArguments *arguments, const SymSummary *summary, GError **error)
{
  SymStyle style = SYM_STYLE_SYMBOLIC;

  if (sym_cli_wants_json (arguments))
    return print_json (summary, error);
  if (get_preset (arguments) != NULL)
    sym_style_from_string (get_preset (arguments), &style);
  print_text (arguments, summary, style);
  return TRUE;
}

/* ---- The command ---- */

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymCliView) view = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;

  if (!sym_cli_view_read (arguments, &view, error))
    return FALSE;
  inference = sym_cli_open_to_look (arguments, error);
  if (inference == NULL)
    return FALSE;
  summary = sym_summary_new (inference);
  return view != NULL ? sym_cli_view_print (view, summary, error)
                      : print_original (arguments, summary, error);
}

const SymCliCommand sym_cli_summary = {
  .name = "summary",
  .operands = "FILE",
  .options = options,
  .details =
      "A row is a node: a value of the graph that is neither parameter nor constant.  Its\n"
      "number is what #N stands for wherever a NODE is asked for.\n\n"
      "Columns: number, layer, name, variable, type, shape, in (shapes of parents), dtype,\n"
      "kernel, params, percent (of all parameters), trainable, macs (multiply-adds), bytes,\n"
      "parents (numbers), connected (names), uses, depth.  A preset with any of --columns,\n"
      "--sort, --filter, --tree has the columns of that table, but not its looks.",
  .run = run,
};
