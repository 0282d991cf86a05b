/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-memory.h"
#include "cli/sym-cli.h"

#include <stdio.h>
#include <string.h>

/* `symscope: FILE: message`.  A message that begins with the file, as those do that name a line of
 * it, is not given it twice. */
static void
print_error (const SymCliArguments *arguments, const GError *error)
{
  const char *subject = sym_cli_arguments_get_subject (arguments);
  gboolean named = subject == NULL || g_str_has_prefix (error->message, subject);

  fprintf (stderr, "symscope: %s%s%s\n", named ? "" : subject, named ? "" : ": ", error->message);
}

static int
fail_usage (const char *command, const char *message)
{
  fprintf (stderr, "symscope: %s\n", message);
  if (command)
    fprintf (stderr, "Try 'symscope %s --help'.\n", command);
  else
    fprintf (stderr, "Try 'symscope --help'.\n");
  return SYM_CLI_USAGE;
}

/* What a result was written to may be full, or gone. */
static gboolean
flush_output (GError **error)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return TRUE;
  g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
                       "standard output cannot be written");
  return FALSE;
}

/* Ends what prints and cannot fail otherwise. */
static int
finish_printing (void)
{
  g_autoptr (GError) error = NULL;

  if (flush_output (&error))
    return SYM_CLI_DONE;
  fprintf (stderr, "symscope: -: %s\n", error->message);
  return SYM_CLI_WRONG;
}

static int
run_command (const SymCliCommand *command, const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymCliArguments) arguments = sym_cli_arguments_parse (command, words, &error);
  gboolean done;

  if (arguments == NULL)
    return fail_usage (command->name, error->message);
  done = command->run (arguments, &error);
  if (error && error->domain == SYM_CLI_ERROR && error->code == SYM_CLI_ERROR_USAGE)
    return fail_usage (command->name, error->message);
  if (error == NULL && !flush_output (&error))
    {
      sym_cli_arguments_set_subject (arguments, "-");
      done = FALSE;
    }
  if (error)
    print_error (arguments, error);
  return done ? SYM_CLI_DONE : SYM_CLI_WRONG;
}

static int
become (const char *program, const char *folder, const char *const *words)
{
  g_autoptr (GError) error = NULL;

  sym_cli_exec (program, folder, words, &error);
  fprintf (stderr, "symscope: %s\n", error->message);
  return SYM_CLI_WRONG;
}

/* @words begins with the command's name.  `--help` is asked for wherever an option may be. */
static int
run_entry (const SymCliEntry *entry, const char *const *words)
{
  if (entry->command == NULL)
    return become ("symscope-draw", ".", words);
  for (guint i = 1; words[i] && strcmp (words[i], "--") != 0; i++)
    {
      if (strcmp (words[i], "--help") == 0 || strcmp (words[i], "-h") == 0)
        {
          sym_cli_print_command_help (entry->command);
          return finish_printing ();
        }
    }
  return run_command (entry->command, words + 1);
}

static int
fail_no_command (const char *word, gboolean option)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *message = NULL;
  const char *nearest;

  for (const SymCliEntry *entry = sym_cli_table; entry->name; entry++)
    g_ptr_array_add (names, (gpointer) entry->name);
  nearest = sym_cli_nearest (word, (const char *const *) names->pdata, names->len);
  message = g_strdup_printf ("there is no %s “%s”%s%s%s", option ? "option" : "command or file",
                             word, nearest ? "; did you mean “" : "", nearest ? nearest : "",
                             nearest ? "”?" : "");
  return fail_usage (NULL, message);
}

static int
help (const char *const *words)
{
  const SymCliEntry *entry = words[0] ? sym_cli_find_command (words[0]) : NULL;
  const char *const question[] = { words[0], "--help", NULL };

  if (entry)
    return run_entry (entry, question);
  if (words[0])
    return fail_no_command (words[0], FALSE);
  sym_cli_print_help ();
  return finish_printing ();
}

/* A word that is neither a command nor a file is more likely a misspelt command. */
static gboolean
is_misspelt (const char *const *words)
{
  return words[0][0] != '-' && strchr (words[0], '/') == NULL && strchr (words[0], '.') == NULL &&
         !g_file_test (words[0], G_FILE_TEST_EXISTS);
}

int
main (int argc, char **argv)
{
  const char *const *words = (const char *const *) argv + (argc > 0);
  const SymCliEntry *entry = words[0] ? sym_cli_find_command (words[0]) : NULL;

  sym_cli_memory_begin ();
  if (words[0] == NULL)
    return fail_usage (NULL, "which file, or which command?");
  if (entry)
    return run_entry (entry, words);
  if (strcmp (words[0], "help") == 0)
    return help (words + 1);
  if (strcmp (words[0], "--help") == 0 || strcmp (words[0], "-h") == 0)
    return help (words + 1);
  if (strcmp (words[0], "--version") == 0 || strcmp (words[0], "-V") == 0)
    {
      puts ("symscope " SYM_CLI_VERSION);
      return finish_printing ();
    }
  if (words[0][0] == '-' && words[0][1] && strcmp (words[0], "--") != 0)
    return fail_no_command (words[0], TRUE);
  if (is_misspelt (words))
    return fail_no_command (words[0], FALSE);
  return become ("symscope-window", "../app", words);
}
