/* SPDX-License-Identifier: MIT */
#include "io/sym-json-members.h"

#include <string.h>

#include "io/sym-json-private.h"

static inline gboolean
is_same_four (const char *a, const char *b)
{
  return memcmp (a, b, 4) == 0;
}

static inline gboolean
is_same_eight (const char *a, const char *b)
{
  return memcmp (a, b, 8) == 0;
}

/* Keys are short: two looks, at the beginning and at the end, see all of most. */
static inline gboolean
is_same_text (const char *a, const char *b, gsize n)
{
  if (n > 16 || n < 4)
    return memcmp (a, b, n) == 0;
  if (n < 8)
    return is_same_four (a, b) && is_same_four (a + n - 4, b + n - 4);
  return is_same_eight (a, b) && is_same_eight (a + n - 8, b + n - 8);
}

static inline gboolean
is_same_key (const char *text, const SymJsonToken *a, const SymJsonToken *b)
{
  gsize n = a->end - a->start;

  return n == b->end - b->start && is_same_text (text + a->start, text + b->start, n);
}

static guint
look_up (const SymJson *json, guint key, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (sym_json_string_equals (json, key, names[i]))
      return i;
  return SYM_JSON_NONE;
}

static guint
learn (const SymJson *json, guint i, guint key, const char *const *names, SymJsonMembers *known)
{
  guint which = look_up (json, key, names);

  if (i < SYM_JSON_MOST_KEYS)
    {
      known->keys[i] = key;
      known->which[i] = which;
      known->n = MAX (known->n, i + 1);
    }
  return which;
}

void
sym_json_match_members (const SymJson *json,
                        guint object,
                        const char *const *names,
                        SymJsonMembers *known,
                        guint *members)
{
  const SymJsonToken *tokens = json->tokens;
  const char *text = json->text;
  guint end = sym_json_get_kind (json, object) == SYM_JSON_OBJECT ? tokens[object].next : 0;
  guint i = 0, n_others = 0;

  for (guint k = 0; names[k] != NULL; k++)
    members[k] = SYM_JSON_NONE;
  for (guint key = object + 1; key < end; key = tokens[key + 1].next, i++)
    {
      guint which = i < known->n && is_same_key (text, &tokens[known->keys[i]], &tokens[key])
                        ? known->which[i]
                        : learn (json, i, key, names, known);

      if (which != SYM_JSON_NONE)
        members[which] = key + 1;
      else if (i < SYM_JSON_MOST_KEYS)
        known->others[n_others++] = key;
    }
  known->n_others = i > SYM_JSON_MOST_KEYS ? SYM_JSON_NONE : n_others;
}
