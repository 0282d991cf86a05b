/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"

#include <stdio.h>

char *
sym_cli_fold_line (const char *message)
{
  char *line = g_strdup (message);

  for (char *at = line; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  return line;
}

char *
sym_cli_format_problem (const SymProblem *problem)
{
  g_autofree char *message = sym_cli_fold_line (problem->message);

  return g_strdup_printf ("%s: %s", sym_severity_to_string (problem->severity), message);
}

void
sym_cli_warn_of_errors (const SymCliArguments *arguments, const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);
      g_autofree char *text = NULL;

      if (problem->severity != SYM_SEVERITY_ERROR)
        continue;
      text = sym_cli_fold_line (problem->message);
      fprintf (stderr, "symscope: %s: warning: it has errors, which `symscope check` lists: %s\n",
               sym_cli_arguments_get_operand (arguments, 0), text);
      return;
    }
}
