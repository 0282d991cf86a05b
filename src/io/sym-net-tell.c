/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include <string.h>

#define MAX_LISTED 16

/* An origin is a list of names and texts by turns. */

/* A few texts or numbers; others are no texts. */
static char *
dup_list (const SymJson *json, guint list)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (sym_json_count (json, list) > MAX_LISTED)
    return NULL;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *own = sym_net_dup_key (json, i.value);

      if (own == NULL)
        return NULL;
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", own);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
dup_text (const SymJson *json, guint token)
{
  gboolean truth;

  if (sym_json_get_kind (json, token) == SYM_JSON_ARRAY)
    return dup_list (json, token);
  if (sym_json_get_bool (json, token, &truth))
    return g_strdup (truth ? "true" : "false");
  return sym_net_dup_key (json, token);
}

static void
note (GPtrArray *told, const SymJson *json, const char *name, guint token)
{
  char *text = token == SYM_JSON_NONE ? NULL : dup_text (json, token);

  if (text == NULL || *text == '\0')
    {
      g_free (text);
      return;
    }
  g_ptr_array_add (told, g_strdup (name));
  g_ptr_array_add (told, text);
}

/* Names of members may have dots of their own. */
static void
note_path (GPtrArray *told, const SymJson *json, const char *path)
{
  const char *left = path, *dot;
  guint at = 0;

  while (sym_json_get_member (json, at, left) == SYM_JSON_NONE && strcmp (left, "*") != 0 &&
         (dot = strchr (left, '.')) != NULL)
    {
      g_autofree char *member = g_strndup (left, (gsize) (dot - left));

      at = sym_json_get_member (json, at, member);
      if (at == SYM_JSON_NONE)
        return;
      left = dot + 1;
    }
  if (strcmp (left, "*") != 0)
    {
      note (told, json, path, sym_json_get_member (json, at, left));
      return;
    }
  for (SymJsonIter i = sym_json_iterate (json, at); sym_json_iter_next (json, &i);)
    {
      g_autofree char *member = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      g_autofree char *name =
          g_strdup_printf ("%.*s%s", (int) (left - path), path, member == NULL ? "" : member);

      if (member != NULL)
        note (told, json, name, i.value);
    }
}

void
sym_net_note_origin (SymNet *self, const char *format, const char *const *paths)
{
  GPtrArray *told = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; paths[i] != NULL; i++)
    note_path (told, sym_net_get_json (self), paths[i]);
  sym_model_builder_set_origin (sym_net_get_builder (self), format, told,
                                (GDestroyNotify) g_ptr_array_unref);
}

void
sym_net_tell (const SymModel *model, SymIoTellFunc func, gpointer user_data)
{
  const GPtrArray *told = sym_model_get_origin (model);

  for (guint i = 0; i + 1 < told->len; i += 2)
    func (g_ptr_array_index (told, i), g_ptr_array_index (told, i + 1), user_data);
}
