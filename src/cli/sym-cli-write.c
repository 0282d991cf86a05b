/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"

#include <stdio.h>

static gboolean
fail_format (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    if (sym_io_format_can_write (*format))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "",
                              sym_io_format_get_name (*format));
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "--to: “%s” is no format that can be written; these are: %s", name, names->str);
  return FALSE;
}

gboolean
sym_cli_get_target_format (const SymCliArguments *arguments,
                           const SymIoFormat **format,
                           GError **error)
{
  const char *name = sym_cli_arguments_get (arguments, "to");
  const SymIoFormat *found = name ? sym_io_find_format (name) : NULL;

  if (name && (found == NULL || !sym_io_format_can_write (found)))
    return fail_format (name, error);
  *format = found;
  return TRUE;
}

static void
print_notes (const char *path, const SymProblems *notes)
{
  for (guint i = 0; i < sym_problems_get_n (notes); i++)
    {
      g_autofree char *text = sym_cli_format_problem (sym_problems_get (notes, i));

      fprintf (stderr, "symscope: %s: %s\n", path, text);
    }
  if (sym_problems_get_n_dropped (notes))
    fprintf (stderr, "symscope: %s: and %u more\n", path, sym_problems_get_n_dropped (notes));
}

gboolean
sym_cli_write (SymCliArguments *arguments,
               const SymIoFormat *format,
               SymModel *model,
               const SymInference *inference,
               GError **error)
{
  g_autoptr (SymProblems) notes = sym_problems_new ();
  const char *path = sym_cli_arguments_get (arguments, "out");

  sym_cli_arguments_set_subject (arguments, path);
  if (!sym_io_write (format, model, inference, path, notes, error))
    return FALSE;
  print_notes (path, notes);
  return TRUE;
}
