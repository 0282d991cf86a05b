/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* It is looked for in names without more ado. */
static gboolean
is_word (const SymQuery *self)
{
  const SymQueryCondition *first = &g_array_index (self->conditions, SymQueryCondition, 0);

  return self->steps->len == 1 && first->field == &sym_query_any_field &&
         first->matching == SYM_QUERY_PART;
}

/* The text of the query in lower case, where it may be a name that means something else as a
 * query; NULL where it is looked for anyway. */
static char *
get_pasted (const SymQuery *self)
{
  if (self->conditions->len == 0 || is_word (self))
    return NULL;
  g_autofree char *text = g_strstrip (g_strdup (self->text));

  return sym_query_fold (text);
}

/* @name is folded, as those of the index; one NUL comes after each. */
static gboolean
is_called (const SymQueryIndex *index, guint item, const char *name, gsize length, gboolean in_part)
{
  gsize size;
  const char *names = sym_query_index_get_names (index, item, &size);

  for (gsize at = 0, n; at < size; at += n + 1)
    {
      n = strlen (names + at);
      if (in_part && strstr (names + at, name) != NULL)
        return TRUE;
      if (n == length && memcmp (names + at, name, n) == 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
sym_query_find_pasted (const SymQuery *self,
                       const SymQueryIndex *index,
                       gboolean in_part,
                       guint8 *is_pasted)
{
  g_autofree char *name = get_pasted (self);
  gsize length = name != NULL ? strlen (name) : 0;
  gboolean found = FALSE;

  for (guint i = 0; i < index->n_items && length > 0; i++)
    if (is_called (index, i, name, length, in_part))
      is_pasted[i] = found = TRUE;
  return found;
}

char *
sym_query_tell_pasted (const SymQuery *self, const SymQueryIndex *index, guint item)
{
  const char *names[SYM_QUERY_MAX_NAMES];
  SymQueryItem what = sym_query_index_get_item (index, item);
  guint n = sym_query_index_list_names (index, &what, names);
  g_autofree char *name = get_pasted (self);

  for (guint i = 0; i < n && name != NULL; i++)
    {
      g_autofree char *folded = sym_query_fold (names[i]);

      if (strstr (folded, name) != NULL)
        return g_strdup_printf ("name %s", names[i]);
    }
  return NULL;
}
