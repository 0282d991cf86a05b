/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-edit.h"
#include "core/sym-model-builder-private.h"

G_BEGIN_DECLS

/* Each table below is made when it is first asked for, and kept right by the calls that follow. */
struct _SymEdit {
  SymModel *base;
  SymModelBuilder *builder;

  /* SymId to GArray of SymId.  Both may list calls that no longer are users, never miss one. */
  GHashTable *new_users;     /* value: calls that came to use it during the edit */
  GHashTable *control_users; /* call: calls that wait for it */

  GHashTable *value_names; /* name to how many have it */
  GHashTable *call_names;
  GHashTable *next_numbers; /* of made-up names: lower-case type to guint */
  GHashTable *layer_calls;  /* SymLayer to GArray of SymId */

  /* Per call: its place in the base's order of execution, from 1; of a new call that of the last of
   * its operands.  While @is_ranked, no call uses what a call of higher rank makes. */
  GArray *ranks;
  gboolean is_ranked;
};

/* ---- sym-edit-uses.c ---- */

/* Notes that @call uses @value now; of a new call that all its operands are in place. */
void sym_edit_note_use (SymEdit *self, SymId call, SymId value);
void sym_edit_rank_new_call (SymEdit *self, SymId call);

/* The calls that may use @value, each of which still has to be looked at.  Appends to @calls. */
void sym_edit_collect_users (SymEdit *self, SymId value, GArray *calls);

/* A call that uses @value, or that must wait for @call; SYM_NO_ID for none. */
SymId sym_edit_find_user (SymEdit *self, SymId value);
SymId sym_edit_find_control_user (SymEdit *self, SymId call);

/* The set of calls (ids as pointers) that @value is computed by, as far as these are computed from
 * @until; what is made without it may be missing.  SYM_NO_ID: all of them. */
GHashTable *sym_edit_find_makers (SymEdit *self, SymId value, SymId until);

/* Whether @value is computed by @call. */
gboolean sym_edit_depends_on (SymEdit *self, SymId value, SymId call);

/* ---- sym-edit-names.c ---- */

const char *sym_edit_get_value_name (SymEdit *self, SymId value);
const char *sym_edit_get_call_name (SymEdit *self, SymId call);

/* SYM_ERROR_NAME unless the name can be given to a value, to a call. */
gboolean sym_edit_check_name (SymEdit *self, gboolean is_call, const char *name, GError **error);

/* Counts a name as given (1), or as free again (-1). */
void sym_edit_count_name (SymEdit *self, gboolean is_call, const char *name, int change);

/* A name that no call has: "relu", "relu1", ... */
char *sym_edit_make_call_name (SymEdit *self, const char *type);

/* Names the results of a new call in the way of the model's dialect. */
void sym_edit_name_results (SymEdit *self, SymId call);

/* ---- sym-edit-layers.c ---- */

/* A layer that is called as its call was goes on being called as its call is. */
void sym_edit_rename_layer (SymEdit *self, SymId call, const char *old, const char *new);

/* Makes one call apply another layer. */
void sym_edit_set_layer (SymEdit *self, SymId call, SymLayer *layer);

/* Notes that the new @call applies its layer. */
void sym_edit_note_layer (SymEdit *self, SymId call);

/* ---- sym-edit.c ---- */

/* SYM_ERROR_NOT_FOUND unless there is such a value, such a call. */
gboolean sym_edit_check_value (SymEdit *self, SymId value, GError **error);
gboolean sym_edit_check_call (SymEdit *self, SymId call, GError **error);

G_END_DECLS
