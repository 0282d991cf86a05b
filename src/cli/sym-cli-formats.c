/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"
#include "io/sym-io.h"

#include <stdio.h>
#include <string.h>

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

static gboolean
run (SymCliArguments *arguments, GError **error)
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
    print_row (widths, sym_io_format_get_name (*format),
               !sym_io_format_can_read (*format)   ? "write"
               : sym_io_format_can_write (*format) ? "read, write"
                                                   : "read",
               sym_io_format_get_suffix (*format), sym_io_format_get_title (*format),
               sym_io_format_get_versions (*format));
  return TRUE;
}

const SymCliCommand sym_cli_formats = {
  .name = "formats",
  .operands = "",
  .details = "A file's format is recognised by its content; NAME is what --to takes.",
  .run = run,
};
