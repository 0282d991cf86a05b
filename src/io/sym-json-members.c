/* SPDX-License-Identifier: MIT */
#include "io/sym-json-members.h"

#include "io/sym-json-private.h"

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
  guint end = sym_json_get_kind (json, object) == SYM_JSON_OBJECT ? tokens[object].extent : 0;
  guint i = 0, n_others = 0;

  for (guint k = 0; names[k] != NULL; k++)
    members[k] = SYM_JSON_NONE;
  for (guint key = object + 1; key < end; key = sym_json_get_next (tokens, key + 1), i++)
    {
      guint which = i < known->n && sym_json_is_same_key (json, known->keys[i], key)
                        ? known->which[i]
                        : learn (json, i, key, names, known);

      if (which != SYM_JSON_NONE)
        members[which] = key + 1;
      else if (i < SYM_JSON_MOST_KEYS)
        known->others[n_others++] = key;
    }
  known->n_others = i > SYM_JSON_MOST_KEYS ? SYM_JSON_NONE : n_others;
}
