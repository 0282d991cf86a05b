/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"

G_BEGIN_DECLS

#define SYM_JSON_MOST_KEYS 16

/* What the members of an object are, for objects that mostly have the same in the same order, as
 * those of one list do: then each key is compared with that of the one before, and with no name.
 * All zeros to begin with; of one document and of one list of names. */
typedef struct {
  guint n;
  guint keys[SYM_JSON_MOST_KEYS];   /* the last that was in this place */
  guint which[SYM_JSON_MOST_KEYS];  /* its place among the names, or SYM_JSON_NONE */
  guint others[SYM_JSON_MOST_KEYS]; /* keys of the latest object that are none of the names */
  guint n_others;                   /* SYM_JSON_NONE where they are too many to be kept */
} SymJsonMembers;

/* As sym_json_get_members() does. */
void sym_json_match_members (const SymJson *json,
                             guint object,
                             const char *const *names,
                             SymJsonMembers *known,
                             guint *members);

G_END_DECLS
