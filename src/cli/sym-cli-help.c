/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

#include <stdio.h>
#include <string.h>

#define OPTION_COLUMN 34

static char *
format_option (const SymCliOption *option)
{
  g_autofree char *letter = option->letter ? g_strdup_printf ("-%c, ", option->letter) : NULL;

  return g_strdup_printf ("  %s--%s%s%s", letter ? letter : "", option->name,
                          option->value ? " " : "", option->value ? option->value : "");
}

/* The meaning goes beside a short option and under a long one. */
static void
print_option (const SymCliOption *option)
{
  g_autofree char *text = format_option (option);

  if (strlen (text) + 2 > OPTION_COLUMN)
    printf ("%s\n%*s%s\n", text, OPTION_COLUMN, "", option->meaning);
  else
    printf ("%-*s%s\n", OPTION_COLUMN, text, option->meaning);
}

void
sym_cli_print_help (void)
{
  puts ("Usage: symscope FILE...            open graphs in the window\n"
        "       symscope COMMAND ...        work without one\n"
        "\n"
        "Looks at neural networks saved as graphs: nodes are data, edges are layers.\n"
        "\n"
        "Commands:");
  for (const SymCliEntry *entry = sym_cli_table; entry->name; entry++)
    printf ("  %-12s%s\n", entry->name, entry->purpose);
  puts ("\n"
        "`symscope COMMAND --help` tells more, `symscope --version` the version.\n"
        "FILE may be `-`, standard input; a file called like a command is `./summary`.\n"
        "Exit status: 0 done, 1 the file or the request is wrong, 2 wrong usage.");
}

void
sym_cli_print_command_help (const SymCliCommand *command)
{
  const SymCliEntry *entry = sym_cli_find_command (command->name);

  printf ("Usage: symscope %s%s%s%s\n\n%c%s.\n", command->name, *command->operands ? " " : "",
          command->operands, command->options ? " [OPTION]..." : "",
          g_ascii_toupper (*entry->purpose), entry->purpose + 1);
  if (command->options)
    puts ("\nOptions:");
  for (const SymCliOption *option = command->options; option && option->name; option++)
    print_option (option);
  if (command->details)
    printf ("\n%s\n", command->details);
}
