/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The program `symscope`: a table of subcommands.  A subcommand is one file, sym-cli-<name>.c, that
 * defines one SymCliCommand, and one line in sym-cli-table.c. */
typedef struct _SymCliArguments SymCliArguments;

/* How the process ends. */
enum {
  SYM_CLI_DONE = 0,
  SYM_CLI_WRONG = 1, /* the file or the request is wrong */
  SYM_CLI_USAGE = 2,
};

#define SYM_CLI_ERROR (sym_cli_error_quark ())

typedef enum {
  SYM_CLI_ERROR_USAGE,   /* not what the subcommand takes; told with a pointer to its help */
  SYM_CLI_ERROR_REQUEST, /* it takes that, but not of this file */
} SymCliError;

GQuark sym_cli_error_quark (void);

/* An option, `--name` or `--name VALUE`.  Tables end with a NULL name. */
typedef struct {
  const char *name;
  char letter;         /* `-o`; 0 for none */
  const char *value;   /* NULL: a switch; "svg|png": one of these; else any text, shown as this */
  const char *meaning; /* one line for `--help` */
} SymCliOption;

typedef struct {
  const char *name;
  const char *operands; /* "FILE NODE": each word must be given once; may be empty */
  const char *details;  /* paragraphs for `--help`, wrapped by hand at 80 columns; NULL for none */
  const SymCliOption *options; /* NULL for none */

  /* Does it.  FALSE with @error: that one message is shown.  FALSE without: what is wrong has been
   * shown as the result. */
  gboolean (*run) (SymCliArguments *arguments, GError **error);
} SymCliCommand;

/* A line of the table.  A command that is not linked into the running program is NULL there and is
 * in symscope-draw. */
typedef struct {
  const char *name;
  const char *purpose; /* one line for `symscope help` */
  const SymCliCommand *command;
} SymCliEntry;

extern const SymCliEntry sym_cli_table[]; /* ends with a NULL name */

const SymCliEntry *sym_cli_find_command (const char *name);

/* ---- Arguments (sym-cli-arguments.c) ---- */

/* Sorts @words (without program and subcommand; NULL-ended; borrowed) into options and operands.
 * `--` ends the options; `-` alone is an operand.  NULL with SYM_CLI_ERROR_USAGE. */
SymCliArguments *
sym_cli_arguments_parse (const SymCliCommand *command, const char *const *words, GError **error);
void sym_cli_arguments_free (SymCliArguments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCliArguments, sym_cli_arguments_free)

const char *sym_cli_arguments_get_operand (const SymCliArguments *self, guint i);

/* The option's value, the last one when it was given several times; NULL when it was not given
 * (also for options that the subcommand does not have).  A switch that was given has the value "".
 */
const char *sym_cli_arguments_get (const SymCliArguments *self, const char *option);
gboolean sym_cli_arguments_has (const SymCliArguments *self, const char *option);

/* All values of a repeatable option in order: NULL after the last. */
const char *sym_cli_arguments_get_nth (const SymCliArguments *self, const char *option, guint i);

/* As above, with a usage error when the option was not given. */
const char *
sym_cli_arguments_require (const SymCliArguments *self, const char *option, GError **error);

/* Which file a message is about: the first operand until another one is set. */
void sym_cli_arguments_set_subject (SymCliArguments *self, const char *path);
const char *sym_cli_arguments_get_subject (const SymCliArguments *self);

/* Splits `NAME=VALUE` at the last `=`.  FALSE with SYM_CLI_ERROR_USAGE, naming @option, when there
 * is none or NAME is empty. */
gboolean sym_cli_split_assignment (const char *text,
                                   const char *option,
                                   char **name,
                                   const char **value,
                                   GError **error);

/* @text with `\,` as a comma and `\\` as a backslash; the same of what is between its commas. */
char *sym_cli_unescape (const char *text);
char **sym_cli_split_list (const char *text);

/* The nearest of @n words by edit distance, when it is near enough to be meant; else NULL. */
const char *sym_cli_nearest (const char *word, const char *const *words, guint n);

/* ---- Help (sym-cli-help.c) ---- */
void sym_cli_print_help (void);
void sym_cli_print_command_help (const SymCliCommand *command);

/* ---- Other programs (sym-cli-exec.c) ---- */

/* Becomes @program: beside this one, in @folder of the build tree (from here), in the libexec
 * folder, or on the PATH.  Comes back only with an error. */
void
sym_cli_exec (const char *program, const char *folder, const char *const *words, GError **error);

G_END_DECLS
