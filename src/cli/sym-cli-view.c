/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-view.h"

#include <stdio.h>

struct _SymCliView {
  GArray *columns; /* of guint */
  int sort;
  gboolean descends, has_tree;
  SymQuery *filter; /* NULL for all */
  SymTableFormat format;
};

void
sym_cli_view_free (SymCliView *self)
{
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->filter, sym_query_unref);
  g_free (self);
}

/* ---- Options ---- */

/* Times come of runs, which the summary makes none of, and changes of another graph. */
static gboolean
check_column (const char *option, guint column, GError **error)
{
  guint n;
  const SymColumnInfo *info = &sym_columns_get (&n)[column];

  if (info->needs_changes)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--%s: the column “%s” is of two graphs; `symscope diff` compares them", option,
                   info->name);
      return FALSE;
    }
  if (info->needs_differences)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--%s: the column “%s” is of two graphs; `symscope compare` runs them", option,
                   info->name);
      return FALSE;
    }
  if (!info->needs_times)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--%s: the column “%s” is of a run; `symscope run --profile` tells times", option,
               info->name);
  return FALSE;
}

static gboolean
set_usage_error (const char *option, const GError *problem, GError **error)
{
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s: %s", option, problem->message);
  return FALSE;
}

static gboolean
read_columns (SymCliView *self, const SymCliArguments *arguments, GError **error)
{
  const char *list = sym_cli_arguments_get (arguments, "columns");
  const char *preset = sym_cli_arguments_get (arguments, "preset");
  g_autoptr (GError) problem = NULL;

  if (preset == NULL)
    preset = sym_cli_arguments_get (arguments, "style");
  if (list == NULL)
    list = sym_columns_get_preset (preset != NULL ? preset : "symbolic");
  self->columns = sym_columns_parse (list, &problem);
  if (self->columns == NULL)
    return set_usage_error ("columns", problem, error);
  for (guint i = 0; i < self->columns->len; i++)
    if (!check_column ("columns", g_array_index (self->columns, guint, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_sort (SymCliView *self, const SymCliArguments *arguments, GError **error)
{
  const char *name = sym_cli_arguments_get (arguments, "sort");
  g_autoptr (GArray) found = NULL;
  g_autoptr (GError) problem = NULL;

  self->sort = -1;
  if (name == NULL)
    return TRUE;
  self->descends = *name == '-';
  found = sym_columns_parse (name + self->descends, &problem);
  if (found == NULL)
    return set_usage_error ("sort", problem, error);
  if (found->len > 1)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--sort: a table is sorted by one column, not by “%s”", name);
      return FALSE;
    }
  self->sort = (int) g_array_index (found, guint, 0);
  return check_column ("sort", (guint) self->sort, error);
}

static gboolean
is_wanted (const SymCliArguments *arguments)
{
  static const char *const options[] = { "columns", "sort", "filter", "tree" };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (sym_cli_arguments_has (arguments, options[i]))
      return TRUE;
  return g_strcmp0 (sym_cli_arguments_get (arguments, "preset"), "all") == 0 ||
         g_strcmp0 (sym_cli_arguments_get (arguments, "format"), "latex") == 0;
}

gboolean
sym_cli_view_read (const SymCliArguments *arguments, SymCliView **view, GError **error)
{
  g_autoptr (SymCliView) self = g_new0 (SymCliView, 1);
  const char *filter = sym_cli_arguments_get (arguments, "filter");
  const char *format = sym_cli_arguments_get (arguments, "format");

  if (!is_wanted (arguments))
    return TRUE;
  if (sym_cli_arguments_has (arguments, "expand"))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "--expand goes with the tables of the presets as they are, without --columns, "
                   "--sort, --filter, --tree, and not in LaTeX");
      return FALSE;
    }
  if (!read_columns (self, arguments, error) || !read_sort (self, arguments, error))
    return FALSE;
  self->has_tree = sym_cli_arguments_has (arguments, "tree");
  if (filter != NULL)
    {
      self->filter = sym_cli_parse_query (filter, error);
      if (self->filter == NULL)
        return FALSE;
    }
  if (format != NULL)
    sym_table_format_from_string (format, &self->format);
  *view = g_steal_pointer (&self);
  return TRUE;
}

/* ---- The table ---- */

gboolean
sym_cli_view_print (SymCliView *self, SymSummary *summary, GError **error)
{
  SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  SymSummaryViewOptions options = {
    .columns = (const guint *) (gconstpointer) self->columns->data,
    .n_columns = self->columns->len,
    .sort = self->sort,
    .descends = self->descends,
  };
  g_autoptr (SymGroups) groups =
      self->has_tree || self->filter != NULL ? sym_groups_new (model) : NULL;
  g_autoptr (SymQueryIndex) index = NULL;
  g_autoptr (SymQueryResult) result = NULL;
  g_autoptr (SymSummaryView) view = NULL;
  g_autofree char *text = NULL;

  if (self->filter != NULL)
    {
      index = sym_query_index_new (summary, groups);
      result = sym_query_run (self->filter, index, NULL, error);
      if (result == NULL)
        return FALSE;
    }
  options.filter = result;
  options.tree = self->has_tree ? groups : NULL;
  view = sym_summary_view_new (summary, &options, NULL, error);
  if (view == NULL)
    return FALSE;
  text = sym_summary_view_write (view, self->format);
  fputs (text, stdout);
  return TRUE;
}
