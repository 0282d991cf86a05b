/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

#include <string.h>

typedef struct {
  const SymCliOption *option;
  const char *value;
} Given;

struct _SymCliArguments {
  const SymCliCommand *command;
  GArray *given;       /* of Given, in order */
  GPtrArray *operands; /* borrowed words */
  const char *subject;
};

/* The words being parsed, and how far. */
typedef struct {
  const SymCliCommand *command;
  const char *const *next;
  SymCliArguments *result;
} Parser;

G_DEFINE_QUARK (sym - cli - error - quark, sym_cli_error)

static const SymCliOption *
find_option (const SymCliCommand *command, const char *name, gsize length)
{
  for (const SymCliOption *option = command->options; option && option->name; option++)
    if (strlen (option->name) == length && strncmp (option->name, name, length) == 0)
      return option;
  return NULL;
}

static const SymCliOption *
find_letter (const SymCliCommand *command, char letter)
{
  for (const SymCliOption *option = command->options; option && option->name; option++)
    if (option->letter == letter)
      return option;
  return NULL;
}

static gboolean
fail_unknown (const SymCliCommand *command, const char *word, gsize length, GError **error)
{
  g_autofree char *name = g_strndup (word, length);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const char *nearest = NULL;

  for (const SymCliOption *option = command->options; option && option->name; option++)
    g_ptr_array_add (names, (gpointer) option->name);
  if (g_str_has_prefix (name, "--"))
    nearest = sym_cli_nearest (name + 2, (const char *const *) names->pdata, names->len);
  if (nearest)
    g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                 "%s has no option %s; did you mean --%s?", command->name, name, nearest);
  else
    g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "%s has no option %s", command->name,
                 name);
  return FALSE;
}

/* A value written as "svg|png" lists all there are. */
static gboolean
check_choice (const SymCliOption *option, const char *value, GError **error)
{
  g_auto (GStrv) choices = NULL;

  if (strchr (option->value, '|') == NULL)
    return TRUE;
  choices = g_strsplit (option->value, "|", -1);
  if (g_strv_contains ((const char *const *) choices, value))
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s cannot be “%s”; it is one of %s",
               option->name, value, option->value);
  return FALSE;
}

/* @attached is what followed `=` or the letter, NULL for nothing. */
static gboolean
take_option (Parser *parser, const SymCliOption *option, const char *attached, GError **error)
{
  Given given = { option, attached };

  if (option->value == NULL)
    {
      if (attached)
        {
          g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s takes no value",
                       option->name);
          return FALSE;
        }
      given.value = "";
    }
  else
    {
      if (given.value == NULL)
        given.value = *parser->next;
      if (given.value == NULL)
        {
          g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s needs a value: %s",
                       option->name, option->value);
          return FALSE;
        }
      if (attached == NULL)
        parser->next++;
      if (!check_choice (option, given.value, error))
        return FALSE;
    }
  g_array_append_val (parser->result->given, given);
  return TRUE;
}

static gboolean
take_word (Parser *parser, const char *word, GError **error)
{
  const SymCliOption *option;

  if (word[0] != '-' || word[1] == '\0')
    {
      g_ptr_array_add (parser->result->operands, (gpointer) word);
      return TRUE;
    }
  if (word[1] == '-')
    {
      gsize length = strcspn (word, "=");

      option = find_option (parser->command, word + 2, length - 2);
      if (option == NULL)
        return fail_unknown (parser->command, word, length, error);
      return take_option (parser, option, word[length] ? word + length + 1 : NULL, error);
    }
  option = find_letter (parser->command, word[1]);
  if (option == NULL)
    return fail_unknown (parser->command, word, strlen (word), error);
  return take_option (parser, option, word[2] ? word + 2 : NULL, error);
}

static gboolean
check_operands (const SymCliCommand *command, const SymCliArguments *self, GError **error)
{
  g_auto (GStrv) wanted = g_strsplit (command->operands, " ", -1);
  guint n_wanted = *command->operands ? g_strv_length (wanted) : 0;

  if (self->operands->len < n_wanted)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "%s %sneeds %s", command->name,
                   self->operands->len ? "also " : "", wanted[self->operands->len]);
      return FALSE;
    }
  if (self->operands->len > n_wanted)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "%s: “%s” is one operand too many",
                   command->name, (const char *) self->operands->pdata[n_wanted]);
      return FALSE;
    }
  return TRUE;
}

SymCliArguments *
sym_cli_arguments_parse (const SymCliCommand *command, const char *const *words, GError **error)
{
  g_autoptr (SymCliArguments) self = g_new0 (SymCliArguments, 1);
  Parser parser = { command, words, self };

  self->command = command;
  self->given = g_array_new (FALSE, FALSE, sizeof (Given));
  self->operands = g_ptr_array_new ();
  while (*parser.next)
    {
      const char *word = *parser.next++;

      if (strcmp (word, "--") == 0)
        break;
      if (!take_word (&parser, word, error))
        return NULL;
    }
  while (*parser.next)
    g_ptr_array_add (self->operands, (gpointer) *parser.next++);
  if (!check_operands (command, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
sym_cli_arguments_free (SymCliArguments *self)
{
  g_array_unref (self->given);
  g_ptr_array_unref (self->operands);
  g_free (self);
}

const char *
sym_cli_arguments_get_operand (const SymCliArguments *self, guint i)
{
  return i < self->operands->len ? self->operands->pdata[i] : NULL;
}

const char *
sym_cli_arguments_get (const SymCliArguments *self, const char *option)
{
  for (guint i = self->given->len; i > 0; i--)
    {
      const Given *given = &g_array_index (self->given, Given, i - 1);

      if (strcmp (given->option->name, option) == 0)
        return given->value;
    }
  return NULL;
}

gboolean
sym_cli_arguments_has (const SymCliArguments *self, const char *option)
{
  return sym_cli_arguments_get (self, option) != NULL;
}

const char *
sym_cli_arguments_get_nth (const SymCliArguments *self, const char *option, guint i)
{
  for (guint j = 0; j < self->given->len; j++)
    {
      const Given *given = &g_array_index (self->given, Given, j);

      if (strcmp (given->option->name, option) == 0 && i-- == 0)
        return given->value;
    }
  return NULL;
}

const char *
sym_cli_arguments_require (const SymCliArguments *self, const char *option, GError **error)
{
  const char *value = sym_cli_arguments_get (self, option);
  const SymCliOption *wanted = find_option (self->command, option, strlen (option));

  if (value == NULL && wanted->letter)
    g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "%s needs -%c %s", self->command->name,
                 wanted->letter, wanted->value);
  else if (value == NULL)
    g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "%s needs --%s %s", self->command->name,
                 wanted->name, wanted->value);
  return value;
}

void
sym_cli_arguments_set_subject (SymCliArguments *self, const char *path)
{
  self->subject = path;
}

const char *
sym_cli_arguments_get_subject (const SymCliArguments *self)
{
  return self->subject ? self->subject : sym_cli_arguments_get_operand (self, 0);
}
