/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-model.h"

#include <string.h>

static const SymCliOption options[] = {
  { "out", 'o', "OUT", "the file to write; - is standard output" },
  { "to", 0, "FORMAT", "its format (see `symscope formats`); chosen by OUT's name if not given" },
  SYM_CLI_TYPE_OPTIONS,
  { NULL },
};

/* The format whose suffix is the longest that @path has; NULL when none fits. */
static const SymIoFormat *
find_by_suffix (const char *path)
{
  const SymIoFormat *best = NULL;
  gsize longest = 0;

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    {
      const char *suffix = sym_io_format_get_suffix (*format);

      if (sym_io_format_can_write (*format) && g_str_has_suffix (path, suffix) &&
          strlen (suffix) > longest)
        {
          best = *format;
          longest = strlen (suffix);
        }
    }
  return best;
}

/* Symscope's own is JSON: what is called "a.csv" or "a.png" was meant to be something else. */
static gboolean
choose_format (const char *path, const SymIoFormat **format, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');

  *format = find_by_suffix (path);
  if (*format == NULL && (dot == NULL || g_ascii_strcasecmp (dot, ".json") == 0))
    *format = sym_io_find_format ("symscope");
  if (*format != NULL)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
               "which format is “%s”?  Say which with --to; %s", name,
               g_ascii_strcasecmp (dot, ".csv") == 0
                   ? "the table as CSV is what `symscope summary --format csv` prints"
                   : "`symscope formats` lists them");
  return FALSE;
}

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  const SymIoFormat *format;
  g_autoptr (SymInference) inference = NULL;

  if (!sym_cli_get_target_format (arguments, &format, error) ||
      !sym_cli_arguments_require (arguments, "out", error) ||
      (format == NULL && !choose_format (sym_cli_arguments_get (arguments, "out"), &format, error)))
    return FALSE;
  inference = sym_cli_open_and_declare (arguments, error);
  if (inference == NULL)
    return FALSE;
  sym_cli_warn_of_errors (arguments, sym_inference_get_model (inference));
  return sym_cli_write (arguments, format, sym_inference_get_model (inference), inference, error);
}

const SymCliCommand sym_cli_convert = {
  .name = "convert",
  .operands = "FILE",
  .options = options,
  .details = "What OUT's format cannot express is told on standard error; a layer that it cannot\n"
             "express at all is an error, and nothing is written.",
  .run = run,
};
