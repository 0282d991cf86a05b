/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"
#include "query/sym-cut-code.h"

#include <stdio.h>

/* usage: write-cut-code LANGUAGE FILE OUTPUT [INPUT...]
 *
 * Prints what cuts a model before a value, between INPUTs and it when there are any. */
static gboolean
print_code (char **arguments, int n, GError **error)
{
  const SymCutLanguage *language = sym_cut_find_language (arguments[0]);
  g_autoptr (SymModel) model = sym_io_read (arguments[1], NULL, error);
  g_autofree SymId *inputs = g_new (SymId, (gsize) n);
  g_autoptr (SymSelection) selection = NULL;
  g_autofree char *code = NULL;
  SymId output;

  if (model == NULL || !sym_model_resolve (model, arguments[2], &output, error))
    return FALSE;
  for (int i = 3; i < n; i++)
    if (!sym_model_resolve (model, arguments[i], &inputs[i - 3], error))
      return FALSE;
  selection = sym_selection_new (model, inputs, (guint) n - 3, &output, 1, NULL, error);
  if (selection == NULL)
    return FALSE;
  code = sym_cut_write_code (language, selection, model, arguments[1]);
  printf ("%s", code);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc < 4 || sym_cut_find_language (argv[1]) == NULL)
    {
      fprintf (stderr, "usage: write-cut-code LANGUAGE FILE OUTPUT [INPUT...]\n");
      return 2;
    }
  if (print_code (argv + 1, argc - 1, &error))
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}
