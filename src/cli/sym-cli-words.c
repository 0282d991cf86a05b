/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

#include <string.h>

gboolean
sym_cli_split_assignment (const char *text,
                          const char *option,
                          char **name,
                          const char **value,
                          GError **error)
{
  const char *sign = strrchr (text, '=');

  if (sign == NULL || sign == text)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s takes NAME=VALUE, not “%s”",
                   option, text);
      return FALSE;
    }
  *name = g_strndup (text, (gsize) (sign - text));
  *value = sign + 1;
  return TRUE;
}

/* The character at *@at, `\,` and `\\` being one; *@at moves to the last byte of it. */
static char
take_character (const char **at)
{
  if (**at == '\\' && ((*at)[1] == ',' || (*at)[1] == '\\'))
    (*at)++;
  return **at;
}

char *
sym_cli_unescape (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    g_string_append_c (plain, take_character (&p));
  return g_string_free (plain, FALSE);
}

char **
sym_cli_split_list (const char *text)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GString) word = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    {
      if (*p == ',')
        {
          g_ptr_array_add (words, g_strdup (word->str));
          g_string_truncate (word, 0);
        }
      else
        {
          g_string_append_c (word, take_character (&p));
        }
    }
  g_ptr_array_add (words, g_strdup (word->str));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

/* Levenshtein's distance, row by row. */
static guint
get_distance (const char *a, const char *b)
{
  gsize n = strlen (b);
  g_autofree guint *row = g_new (guint, n + 1);

  for (gsize j = 0; j <= n; j++)
    row[j] = (guint) j;
  for (gsize i = 0; a[i]; i++)
    {
      guint diagonal = row[0];

      row[0] = (guint) i + 1;
      for (gsize j = 0; j < n; j++)
        {
          guint substituted = diagonal + (a[i] != b[j]);

          diagonal = row[j + 1];
          row[j + 1] = MIN (substituted, MIN (row[j], row[j + 1]) + 1);
        }
    }
  return row[n];
}

const char *
sym_cli_nearest (const char *word, const char *const *words, guint n)
{
  const char *nearest = NULL;
  guint least = MIN (2, (guint) strlen (word) / 2) + 1;

  for (guint i = 0; i < n; i++)
    {
      guint distance = get_distance (word, words[i]);

      if (distance < least)
        {
          least = distance;
          nearest = words[i];
        }
    }
  return nearest;
}
