/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"

#include <stdio.h>

/* One a line, whatever it holds. */
static void
print_name (const char *name)
{
  g_autofree char *line = sym_cli_fold_line (name);

  puts (line);
}

static void
print_values (const SymModel *model, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    print_name (sym_model_get_unique_name (model, values.ids[i]));
}

static void
print_inputs (SymModel *model)
{
  print_values (model, sym_model_get_inputs (model));
}

static void
print_outputs (SymModel *model)
{
  print_values (model, sym_model_get_outputs (model));
}

static void
print_nodes (SymModel *model)
{
  print_values (model, sym_model_get_rows (model));
}

static void
print_role (SymModel *model, SymRole role)
{
  g_autoptr (GArray) values = sym_cli_collect_parameters (model);

  for (guint i = 0; i < values->len; i++)
    {
      SymId value = g_array_index (values, SymId, i);

      if (sym_model_get_role (model, value) == role)
        print_name (sym_model_get_unique_name (model, value));
    }
}

static void
print_parameters (SymModel *model)
{
  print_role (model, SYM_ROLE_PARAMETER);
}

static void
print_auxiliary (SymModel *model)
{
  print_role (model, SYM_ROLE_AUXILIARY);
}

/* A shared layer is listed where it is first applied; one without a name by its type. */
static void
print_layers (SymModel *model)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  SymIds order = sym_model_get_execution_order (model);

  for (guint i = 0; i < order.n; i++)
    {
      SymLayer *layer = sym_model_get_layer (model, order.ids[i]);
      const char *name = sym_model_get_call_name (model, order.ids[i]);

      if (g_hash_table_add (seen, layer))
        print_name (name ? name : sym_layer_get_type (layer));
    }
}

static void
print_told (const char *name, const char *text, gpointer user_data)
{
  g_autofree char *line = g_strdup_printf ("%s: %s", name, text);

  print_name (line);
}

static void
print_metadata (SymModel *model)
{
  sym_io_tell (model, print_told, NULL);
}

static const struct {
  const char *name;
  void (*print) (SymModel *model);
} lists[] = {
  { "inputs", print_inputs },         { "outputs", print_outputs },
  { "parameters", print_parameters }, { "auxiliary", print_auxiliary },
  { "nodes", print_nodes },           { "layers", print_layers },
  { "metadata", print_metadata },
};

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const char *what = sym_cli_arguments_get_operand (arguments, 1);
  g_autoptr (SymModel) model = NULL;
  guint i = 0;

  while (i < G_N_ELEMENTS (lists) && !g_str_equal (lists[i].name, what))
    i++;
  if (i == G_N_ELEMENTS (lists))
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                   "list: there is no list of “%s”; there are inputs, outputs, parameters, "
                   "auxiliary, nodes, layers, metadata",
                   what);
      return FALSE;
    }
  model = sym_cli_open_model (arguments, error);
  if (model == NULL)
    return FALSE;
  lists[i].print (model);
  return TRUE;
}

const SymCliCommand sym_cli_list = {
  .name = "list",
  .operands = "FILE inputs|outputs|parameters|auxiliary|nodes|layers|metadata",
  .details = "One name a line, in the order of the file (layers: of execution; outputs may occur\n"
             "twice).  Auxiliary values are parameters that are tracked, not trained.\n"
             "Metadata are what the file tells besides the graph, as “name: text”.",
  .run = run,
};
