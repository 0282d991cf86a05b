/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"
#include "core/sym-extract.h"
#include "core/sym-opaque.h"

#include <stdio.h>

#define MAX_NAMED 8

static const SymCliOption options[] = {
  SYM_CLI_TYPE_OPTIONS,
  { "partial", 0, NULL, "what is known is enough: undecided shapes are no error" },
  SYM_CLI_FORMAT_OPTION,
  { NULL },
};

static void
add_json_values (SymCliJson *json, const char *key, const SymInference *inference, SymIds values)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < values.n; i++)
    sym_cli_json_add_typed (json, inference, values.ids[i]);
  sym_cli_json_end_array (json);
}

static gboolean
print_json (const SymInference *inference, SymIds nodes, SymIds parameters, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_object (json);
  add_json_values (json, "nodes", inference, nodes);
  add_json_values (json, "parameters", inference, parameters);
  sym_cli_json_end_object (json);
  return sym_cli_json_end (json, error);
}

static void
print_values (const char *title, const SymInference *inference, SymIds values)
{
  SymModel *model = sym_inference_get_model (inference);

  printf ("%s:\n", title);
  for (guint i = 0; i < values.n; i++)
    {
      g_autofree char *shape = sym_cli_format_shape (inference, values.ids[i]);
      SymType type = sym_inference_get_type (inference, values.ids[i]);

      printf ("  %-40s %-24s %s\n", sym_model_get_unique_name (model, values.ids[i]), shape,
              sym_dtype_to_string (type.dtype));
    }
}

static void
collect_undecided (const SymInference *inference, SymIds values, GPtrArray *names)
{
  SymModel *model = sym_inference_get_model (inference);

  for (guint i = 0; i < values.n; i++)
    if (!sym_cli_is_decided (inference, values.ids[i]))
      g_ptr_array_add (names, (gpointer) sym_model_get_unique_name (model, values.ids[i]));
}

/* The first few by name: the result above shows them all. */
static gboolean
check_decided (const SymInference *inference, SymIds nodes, SymIds parameters, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (SymProblems) opaque = NULL;

  collect_undecided (inference, nodes, names);
  collect_undecided (inference, parameters, names);
  if (names->len == 0)
    return TRUE;
  for (guint i = 0; i < MIN (names->len, MAX_NAMED); i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", (const char *) names->pdata[i]);
  if (names->len > MAX_NAMED)
    g_string_append_printf (text, " and %u more", names->len - MAX_NAMED);
  opaque = sym_model_tell_opaque (sym_inference_get_model (inference));
  g_set_error (
      error, SYM_ERROR, SYM_ERROR_UNDECIDED,
      "undecided shapes: %s; %sgive those of the inputs with --shape NAME=D,D,..., or ask for "
      "what is known with --partial",
      text->str,
      sym_problems_get_n (opaque) > 0
          ? "there are layers of which nothing is known, which `symscope check` lists; "
          : "");
  return FALSE;
}

/* Contradictions are errors; that inference gave up somewhere only leaves shapes undecided. */
static gboolean
check_consistent (const SymInference *inference, GError **error)
{
  const SymProblems *problems = sym_inference_get_problems (inference);
  const SymProblem *first = NULL;
  g_autofree char *more = NULL;
  guint n = 0;

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      if (problem->severity == SYM_SEVERITY_ERROR && n++ == 0)
        first = problem;
    }
  if (first == NULL)
    return TRUE;
  if (n > 1)
    more = g_strdup_printf (" (and %u more contradiction%s)", n - 1, n > 2 ? "s" : "");
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE, "%s%s", first->message, more ? more : "");
  return FALSE;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) inference = sym_cli_open_to_look (arguments, error);
  g_autoptr (GArray) found = NULL;
  SymIds nodes, parameters;

  if (inference == NULL || !check_consistent (inference, error))
    return FALSE;
  found = sym_cli_collect_parameters (sym_inference_get_model (inference));
  parameters = (SymIds){ (const SymId *) found->data, found->len };
  nodes = sym_model_get_rows (sym_inference_get_model (inference));
  if (!sym_cli_wants_json (arguments))
    {
      print_values ("Nodes", inference, nodes);
      print_values ("Parameters", inference, parameters);
    }
  else if (!print_json (inference, nodes, parameters, error))
    return FALSE;
  return sym_cli_arguments_has (arguments, "partial") ||
         check_decided (inference, nodes, parameters, error);
}

const SymCliCommand sym_cli_infer = {
  .name = "infer",
  .operands = "FILE",
  .options = options,
  .details =
      "Shapes are inferred in both directions from those of the file and of --shape; a name\n"
      "given as a dimension counts as decided.  Undecided shapes are shown with ? (null in\n"
      "JSON) and make the exit status 1, unless --partial is given.",
  .run = run,
};
