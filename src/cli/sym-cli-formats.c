/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"
#include "io/sym-io.h"

#include <stdio.h>

static gboolean
run (SymCliArguments *arguments, GError **error)
{
  printf ("%-12s %-12s %-24s %-28s %s\n", "NAME", "ACCESS", "SUFFIX", "TITLE", "VERSIONS");
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format; format++)
    printf ("%-12s %-12s %-24s %-28s %s\n", sym_io_format_get_name (*format),
            sym_io_format_can_write (*format) ? "read, write" : "read",
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
