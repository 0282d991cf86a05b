/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-group.h"

#include "scene/sym-scene-text.h"

#include <string.h>

#define MAX_SCOPES 64                /* one within the other; names in more are drawn in full */
#define MAX_TITLE SYM_SCENE_MAX_LINE /* letters, as where it is folded */

static guint
get_neighbour (const SymGroups *groups, guint head, guint distance)
{
  const SymGroup *group = sym_groups_get (groups, head);
  guint n;

  return distance == 0 ? head
                       : sym_groups_get_run (groups, group->run, &n)[group->place + distance];
}

/* Keeps @n_letters, those of both ends. */
static char *
shorten (const char *text, glong n_letters)
{
  glong n = g_utf8_strlen (text, -1);
  const char *head = g_utf8_offset_to_pointer (text, MIN (n, n_letters / 2));
  const char *tail = g_utf8_offset_to_pointer (text, MAX (0, n - (n_letters - 1) / 2));

  if (n <= n_letters)
    return g_strdup (text);
  return g_strdup_printf ("%.*s…%s", (int) (head - text), text, tail);
}

char *
sym_scene_format_frame (const SymGroup *group)
{
  g_autofree char *line = sym_scene_clean_line (group->name, -1);

  return shorten (line, MAX_TITLE);
}

static gboolean
is_separator (char c)
{
  return c == '/' || c == '.';
}

/* The rest of @name behind the scope; NULL when it is not in it, or has nothing else. */
static const char *
skip_scope (const char *name, const char *scope)
{
  gsize length = strlen (scope);

  name += is_separator (*name);
  if (length == 0 || strncmp (name, scope, length) != 0 || !is_separator (name[length]) ||
      name[length + 1] == '\0')
    return NULL;
  return name + length + 1;
}

/* The rest of @name behind what all names of the graph begin with, which no frame tells, as in what
 * was cut out of one; all of a name that does not begin so. */
static const char *
skip_prefix (const char *name, const char *prefix)
{
  const char *own = name + is_separator (*name);
  gsize length;

  prefix += is_separator (*prefix);
  length = strlen (prefix);
  return length > 0 && strncmp (own, prefix, length) == 0 ? own + length : name;
}

const char *
sym_scene_skip_scopes (const SymFolding *folding, SymId call, const char *name)
{
  SymGroups *groups = sym_folding_get_groups (folding);
  const char *scopes[MAX_SCOPES];
  guint n = 0;

  for (guint group = sym_folding_get_frame (folding, call); group != SYM_NO_GROUP;
       group = sym_groups_get (groups, group)->parent)
    if (sym_groups_get (groups, group)->kind == SYM_GROUP_SCOPE)
      {
        if (n == MAX_SCOPES)
          return name;
        scopes[n++] = sym_groups_get (groups, group)->name;
      }
  for (guint i = n; i > 0; i--)
    {
      const char *outer = i == n ? skip_prefix (name, sym_groups_get_prefix (groups)) : name;
      const char *rest = skip_scope (outer, scopes[i - 1]);

      if (rest == NULL)
        break;
      name = rest;
    }
  return name;
}

char *
sym_scene_format_body (const SymModel *model, SymId call, const char *name)
{
  const char *call_name = sym_model_get_call_name (model, call);
  g_autofree char *first = sym_scene_clean_line (call_name ? call_name : "", -1);
  g_autofree char *second = sym_scene_clean_line (name, -1);
  g_autofree char *first_part = NULL;
  g_autofree char *second_part = NULL;

  if (*first == '\0' || *second == '\0' || g_str_equal (first, second))
    return shorten (*first != '\0' ? first : second, MAX_TITLE);
  second_part = shorten (second, MAX_TITLE / 3);
  first_part = shorten (first, MAX_TITLE - 2 - g_utf8_strlen (second_part, -1));
  return g_strdup_printf ("%s: %s", first_part, second_part);
}

char *
sym_scene_format_group (const SymFolding *folding, guint head)
{
  SymGroups *groups = sym_folding_get_groups (folding);
  guint n = sym_folding_get_n_merged (folding, head);
  const SymGroup *first = sym_groups_get (groups, head);
  const SymGroup *last = sym_groups_get (groups, get_neighbour (groups, head, n - 1));
  g_autofree char *first_line = sym_scene_clean_line (first->name, -1);
  g_autofree char *last_line = sym_scene_clean_line (last->name, -1);

  if (n == 1)
    return g_steal_pointer (&first_line);
  if (g_str_equal (first_line, last_line))
    return g_strdup_printf ("%s ×%u", first_line, n);
  g_free (first_line);
  g_free (last_line);
  first_line = shorten (first->name, SYM_SCENE_MAX_LINE / 2 - 6);
  last_line = shorten (last->name, SYM_SCENE_MAX_LINE / 2 - 6);
  return g_strdup_printf ("%s … %s ×%u", first_line, last_line, n);
}

char *
sym_scene_format_count (guint64 n)
{
  static const char *const units[] = { " k", " M", " G", " T" };
  double number = (double) n;
  guint unit = 0;

  if (n < 1000)
    return g_strdup_printf ("%u", (guint) n);
  for (number /= 1000; number >= 999.5 && unit + 1 < G_N_ELEMENTS (units); unit++)
    number /= 1000;
  return g_strdup_printf (number < 99.95 ? "%.1f%s" : "%.0f%s", number, units[unit]);
}

void
sym_scene_collect_group_calls (const SymFolding *folding, guint head, GArray *calls)
{
  SymGroups *groups = sym_folding_get_groups (folding);

  for (guint i = 0; i < sym_folding_get_n_merged (folding, head); i++)
    {
      SymIds ids = sym_groups_get_calls (groups, get_neighbour (groups, head, i));

      g_array_append_vals (calls, ids.ids, ids.n);
    }
}

typedef struct {
  guint64 n;
  gboolean known;
} Count;

static void
count_operands (const SymInference *inference, SymId call, GHashTable *seen, Count *count)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      guint64 n;

      if (!sym_model_has_value (model, value) ||
          sym_model_get_role (model, value) != SYM_ROLE_PARAMETER ||
          !g_hash_table_add (seen, GSIZE_TO_POINTER ((gsize) value + 1)))
        continue;
      if (sym_inference_get_n_elements (inference, value, &n) && G_MAXUINT64 - count->n >= n)
        count->n += n;
      else
        count->known = FALSE;
    }
}

char *
sym_scene_format_group_size (const SymInference *inference,
                             const SymFolding *folding,
                             guint head,
                             const SymSelection *selection)
{
  SymIds calls = sym_groups_get_calls (sym_folding_get_groups (folding), head);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Count count = { 0, TRUE };
  GString *text = g_string_new (NULL);
  guint n_layers = 0;

  for (guint i = 0; i < calls.n; i++)
    if (!selection || sym_selection_has_call (selection, calls.ids[i]))
      {
        n_layers++;
        count_operands (inference, calls.ids[i], seen, &count);
      }
  g_autofree char *layers = sym_scene_format_count (n_layers);

  g_string_append_printf (text, n_layers == 1 ? "%s layer" : "%s layers", layers);
  if (count.n > 0)
    {
      g_autofree char *n = sym_scene_format_count (count.n);

      g_string_append_printf (text, ", %s%s parameters", count.known ? "" : "≥", n);
    }
  if (sym_folding_get_n_merged (folding, head) > 1)
    g_string_append (text, " each");
  return g_string_free (text, FALSE);
}
