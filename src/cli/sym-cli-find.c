/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"

#include <stdio.h>

static const SymCliOption options[] = {
  SYM_CLI_FORMAT_OPTION,
  { "count", 0, NULL, "only how many there are" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

static const char *
get_kind (const SymQueryItem *item)
{
  switch (item->kind)
    {
    case SYM_QUERY_NODE:
      return "node";
    case SYM_QUERY_LAYER:
      return "layer";
    case SYM_QUERY_GROUP:
      break;
    }
  return "group";
}

static const char *
get_name (SymModel *model, SymGroups *groups, const SymQueryItem *item)
{
  const char *name;

  if (item->kind == SYM_QUERY_GROUP)
    return sym_groups_get (groups, item->group)->name;
  if (item->kind == SYM_QUERY_NODE)
    return sym_model_get_unique_name (model, item->value);
  name = sym_model_get_call_name (model, item->call);
  return name != NULL && *name != '\0'
             ? name
             : sym_layer_get_type (sym_model_get_layer (model, item->call));
}

static const char *
get_type (SymModel *model, const SymQueryItem *item)
{
  if (item->call != SYM_NO_ID)
    return sym_layer_get_type (sym_model_get_layer (model, item->call));
  return item->kind == SYM_QUERY_NODE ? "Input" : "group";
}

/* ---- Text ---- */

#define N_COLUMNS 4
#define MAX_WIDTH 48 /* of a column that another one follows */

/* The cells of a hit: number, name, type, shape. */
static char **
make_cells (const SymQueryIndex *index, const SymQueryItem *item)
{
  SymSummary *summary = sym_query_index_get_summary (index);
  SymInference *inference = sym_summary_get_inference (summary);
  SymModel *model = sym_inference_get_model (inference);
  char **cells = g_new0 (char *, N_COLUMNS + 1);
  SymGroups *groups = sym_query_index_get_groups (index);

  cells[0] = item->kind == SYM_QUERY_NODE
                 ? g_strdup_printf ("#%u", sym_summary_find_row (summary, item->value))
                 : g_strdup ("");
  cells[1] = g_strdup (get_name (model, groups, item));
  cells[2] = g_strdup (get_type (model, item));
  if (item->kind == SYM_QUERY_NODE)
    cells[3] = sym_cli_format_shape (inference, item->value);
  else if (item->kind == SYM_QUERY_GROUP)
    cells[3] = g_strdup_printf ("%u layers", sym_groups_get (groups, item->group)->n_calls);
  else
    cells[3] = g_strdup ("");
  return cells;
}

static void
print_row (char *const *cells, const glong *widths, const char *reason)
{
  for (guint c = 0; c < N_COLUMNS; c++)
    printf ("%s%*s  ", cells[c], (int) MAX (widths[c] - g_utf8_strlen (cells[c], -1), 0), "");
  puts (reason);
}

static void
print_text (const SymQueryIndex *index, const SymQueryResult *result)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  glong widths[N_COLUMNS] = { 0 };

  for (guint i = 0; i < sym_query_result_get_n (result); i++)
    {
      SymQueryItem item = sym_query_result_get (result, i).item;
      char **cells = make_cells (index, &item);

      g_ptr_array_add (rows, cells);
      for (guint c = 0; c < N_COLUMNS; c++)
        widths[c] = CLAMP (g_utf8_strlen (cells[c], -1), widths[c], MAX (widths[c], MAX_WIDTH));
    }
  for (guint i = 0; i < rows->len; i++)
    {
      g_autofree char *reason = sym_query_result_explain (result, i);

      print_row (rows->pdata[i], widths, reason);
    }
}

/* ---- JSON ---- */

static void
add_hit (SymCliJson *json, const SymQueryIndex *index, const SymQueryItem *item, const char *reason)
{
  SymSummary *summary = sym_query_index_get_summary (index);
  SymInference *inference = sym_summary_get_inference (summary);
  SymModel *model = sym_inference_get_model (inference);

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "kind");
  sym_cli_json_add_string (json, get_kind (item));
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, get_name (model, sym_query_index_get_groups (index), item));
  if (item->kind == SYM_QUERY_NODE)
    {
      sym_cli_json_add_key (json, "index");
      sym_cli_json_add_uint (json, sym_summary_find_row (summary, item->value));
      sym_cli_json_add_key (json, "output_shape");
      sym_cli_json_add_shape (json, inference, item->value);
      sym_cli_json_add_key (json, "dtype");
      sym_cli_json_add_dtype (json, inference, item->value);
    }
  if (item->kind != SYM_QUERY_GROUP)
    {
      sym_cli_json_add_key (json, "type");
      sym_cli_json_add_string (json, get_type (model, item));
    }
  sym_cli_json_add_key (json, "reason");
  sym_cli_json_add_string (json, reason);
  sym_cli_json_end_object (json);
}

static gboolean
print_json (const SymQueryIndex *index,
            const SymQuery *query,
            const SymQueryResult *result,
            GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "query");
  sym_cli_json_add_string (json, sym_query_get_text (query));
  sym_cli_json_add_key (json, "hits");
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < sym_query_result_get_n (result); i++)
    {
      SymQueryItem item = sym_query_result_get (result, i).item;
      g_autofree char *reason = sym_query_result_explain (result, i);

      add_hit (json, index, &item, reason);
    }
  sym_cli_json_end_array (json);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

/* ---- The command ---- */

SymQuery *
sym_cli_parse_query (const char *text, GError **error)
{
  SymQuery *query = sym_query_parse (text, NULL, error);

  if (query == NULL && error != NULL)
    {
      g_autofree char *message = g_strdup_printf ("query “%s”: %s", text, (*error)->message);

      g_clear_error (error);
      g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, message);
    }
  return query;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymQuery) query =
      sym_cli_parse_query (sym_cli_arguments_get_operand (arguments, 1), error);
  g_autoptr (SymInference) inference =
      query == NULL ? NULL : sym_cli_open_to_look (arguments, error);
  g_autoptr (SymSummary) summary = inference == NULL ? NULL : sym_summary_new (inference);
  g_autoptr (SymGroups) groups = NULL;
  g_autoptr (SymQueryIndex) index = NULL;
  g_autoptr (SymQueryResult) result = NULL;

  if (summary == NULL)
    return FALSE;
  groups = sym_groups_new (sym_inference_get_model (inference));
  index = sym_query_index_new (summary, groups);
  result = sym_query_run (query, index, NULL, error);
  if (result == NULL)
    return FALSE;
  if (sym_cli_arguments_has (arguments, "count"))
    printf ("%u\n", sym_query_result_get_n (result));
  else if (sym_cli_wants_json (arguments))
    return print_json (index, query, result, error);
  else
    print_text (index, result);
  return TRUE;
}

const SymCliCommand sym_cli_find = {
  .name = "find",
  .operands = "FILE QUERY",
  .options = options,
  .details =
      "Everything that matches, one a line: its number in the summary, name, type, shape, and\n"
      "why.  A query is words, \"words together\" and /regular expressions/, found in names,\n"
      "types, shapes and dtypes, and conditions such as type:Conv kernel:3 shape:*x64x* params>1M\n"
      "macs>1G parent:relu unused:yes.  All must hold; OR, NOT or a minus, and parentheses join\n"
      "them otherwise.  `man symscope` lists the fields; any other name is an attribute.",
  .run = run,
};
