/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-json.h"
#include "cli/sym-cli-model.h"
#include "io/sym-io.h"

#include <stdio.h>
#include <string.h>

static const SymCliOption options[] = {
  SYM_CLI_FORMAT_OPTION,
  { NULL },
};

/* ---- For people ---- */

/* A row whose columns are as wide as @widths. */
static void
print_row (const guint *widths,
           const char *name,
           const char *access,
           const char *suffix,
           const char *title,
           const char *versions)
{
  printf ("%-*s  %-11s  %-*s  %-*s  %s\n", (int) widths[0], name, access, (int) widths[1], suffix,
          (int) widths[2], title, versions);
}

static void
print_text (void)
{
  guint widths[] = { strlen ("NAME"), strlen ("SUFFIX"), strlen ("TITLE") };

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    {
      widths[0] = MAX (widths[0], (guint) strlen (sym_io_format_get_name (*format)));
      widths[1] = MAX (widths[1], (guint) strlen (sym_io_format_get_suffix (*format)));
      widths[2] = MAX (widths[2], (guint) strlen (sym_io_format_get_title (*format)));
    }
  print_row (widths, "NAME", "ACCESS", "SUFFIX", "TITLE", "VERSIONS");
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    {
      print_row (widths, sym_io_format_get_name (*format),
                 !sym_io_format_can_read (*format)   ? "write"
                 : sym_io_format_can_write (*format) ? "read, write"
                                                     : "read",
                 sym_io_format_get_suffix (*format), sym_io_format_get_title (*format),
                 sym_io_format_get_versions (*format));
      printf ("  limits: %s\n", sym_io_format_get_limits (*format));
    }
}

/* ---- For programs ---- */

static void
add_text (SymCliJson *json, const char *key, const char *text)
{
  sym_cli_json_add_key (json, key);
  sym_cli_json_add_string (json, text);
}

static gboolean
print_json (GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();

  sym_cli_json_begin_rows (json);
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    {
      sym_cli_json_begin_object (json);
      add_text (json, "name", sym_io_format_get_name (*format));
      sym_cli_json_add_key (json, "reads");
      sym_cli_json_add_bool (json, sym_io_format_can_read (*format));
      sym_cli_json_add_key (json, "writes");
      sym_cli_json_add_bool (json, sym_io_format_can_write (*format));
      add_text (json, "suffix", sym_io_format_get_suffix (*format));
      add_text (json, "title", sym_io_format_get_title (*format));
      add_text (json, "versions", sym_io_format_get_versions (*format));
      add_text (json, "limits", sym_io_format_get_limits (*format));
      sym_cli_json_end_object (json);
    }
  sym_cli_json_end_array (json);
  return sym_cli_json_end (json, error);
}

/* ---- The command ---- */

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  if (sym_cli_wants_json (arguments))
    return print_json (error);
  print_text ();
  return TRUE;
}

const SymCliCommand sym_cli_formats = {
  .name = "formats",
  .operands = "",
  .options = options,
  .details =
      "A file's format is recognised by its content; NAME is what --to takes.  Below each is\n"
      "what of it is not read, run or written.  Whatever the format, JSON is read up to\n"
      "4 GiB, and what is compressed up to 250 times its size.",
  .run = run,
};
