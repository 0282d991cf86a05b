/* SPDX-License-Identifier: MIT */
#include "core/sym-path.h"

#include <string.h>

char *
sym_path_enter_call (const char *body_path, SymId call)
{
  return g_strdup_printf ("%s%s%u", body_path, *body_path != '\0' ? "/" : "", call);
}

char *
sym_path_enter_body (const char *call_path, guint body)
{
  g_autofree char *letters = sym_path_format_body (body);

  return g_strconcat (call_path, letters, NULL);
}

char *
sym_path_leave_call (const char *call_path)
{
  const char *end = strrchr (call_path, '/');

  return g_strndup (call_path, end != NULL ? (gsize) (end - call_path) : 0);
}

char *
sym_path_leave_body (const char *body_path)
{
  gsize n = strlen (body_path);

  while (n > 0 && g_ascii_isalpha (body_path[n - 1]))
    n--;
  return g_strndup (body_path, n);
}

char *
sym_path_format_body (guint body)
{
  GString *letters = g_string_new (NULL);

  for (guint64 rest = (guint64) body + 1; rest > 0; rest = (rest - 1) / 26)
    g_string_prepend_c (letters, (char) ('a' + (rest - 1) % 26));
  return g_string_free (letters, FALSE);
}
