/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"

#include "core/sym-opaque.h"

#include <stdio.h>

static const SymCliOption options[] = {
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

/* A problem that inference found sits at a call of the file. */
static guint
get_line (const SymModel *model, const SymProblem *problem)
{
  if (problem->line)
    return problem->line;
  if (problem->call != SYM_NO_ID && sym_model_has_call (model, problem->call))
    return sym_model_get_call_line (model, problem->call);
  if (problem->value != SYM_NO_ID && sym_model_has_value (model, problem->value))
    return sym_model_get_value_line (model, problem->value);
  return 0;
}

/* What neither list keeps. */
static void
print_dropped (const char *path, const SymProblems *read, const SymProblems *inferred)
{
  static const SymSeverity severities[] = { SYM_SEVERITY_ERROR, SYM_SEVERITY_WARNING,
                                            SYM_SEVERITY_NOTE };

  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    {
      const char *name = sym_severity_to_string (severities[i]);
      guint64 n = (guint64) sym_problems_count_dropped (read, severities[i]) +
                  sym_problems_count_dropped (inferred, severities[i]);

      if (n > 0)
        printf ("%s: %s: %" G_GUINT64_FORMAT " more %s%s not listed\n", path, name, n, name,
                n > 1 ? "s are" : " is");
    }
}

static void
print_problems (const char *path, const SymModel *model, const SymProblems *problems)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);
      g_autofree char *text = sym_cli_format_problem (problem);
      guint line = get_line (model, problem);

      if (line)
        printf ("%s:%u: %s\n", path, line, text);
      else
        printf ("%s: %s\n", path, text);
    }
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  g_autoptr (SymInference) inference = sym_cli_open_and_infer (arguments, error);
  g_autoptr (SymProblems) opaque = NULL;
  const char *path = sym_cli_arguments_get_operand (arguments, 0);
  const SymProblems *read, *inferred;
  SymModel *model;

  if (inference == NULL)
    return FALSE;
  model = sym_inference_get_model (inference);
  read = sym_model_get_problems (model);
  inferred = sym_inference_get_problems (inference);
  opaque = sym_model_tell_opaque (model);
  print_problems (path, model, read);
  print_problems (path, model, inferred);
  print_problems (path, model, opaque);
  print_dropped (path, read, inferred);
  return !sym_problems_has_errors (read) && !sym_problems_has_errors (inferred);
}

const SymCliCommand sym_cli_check = {
  .name = "check",
  .operands = "FILE",
  .options = options,
  .details =
      "A line is FILE:LINE: SEVERITY: MESSAGE, without LINE for what is not of a line, severity\n"
      "being note, warning or error; one error makes the exit status 1.  Nothing is printed\n"
      "when nothing is wrong.",
  .run = run,
};
