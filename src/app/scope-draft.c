/* SPDX-License-Identifier: MIT */
#include "app/scope-draft.h"

#include <string.h>

#include "app/scope-names.h"
#include "app/scope-renaming.h"
#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "ops/sym-op.h"

#define BARE_CALL '@' /* before the name of a call that has no results to be known by */
#define REMOVED ""    /* no literal is empty */

struct _ScopeDraft {
  char **calls;      /* which one and its name, by turns */
  char **values;     /* likewise, where the name does not follow from that of a call */
  char **attributes; /* of which call, which, and the literal, by turns */
  char **removed;    /* outputs of the file */
  char **added;      /* outputs after those that are left */
};

/* ---- What differs ---- */

static gboolean
is_same (const char *a, const char *b)
{
  return a == b || g_strcmp0 (a, b) == 0;
}

/* NULL for one that nothing tells from others. */
static char *
name_call (SymModel *model, SymId call)
{
  const char *known = scope_names_get_call (model, call);
  const char *name = sym_model_get_call_name (model, call);

  if (known != NULL)
    return g_strdup (known);
  return *name != '\0' ? g_strdup_printf ("%c%s", BARE_CALL, name) : NULL;
}

/* What it is called because its call was renamed; NULL for nothing but its own name. */
static char *
follow_call (SymModel *saved, SymModel *edited, SymId value)
{
  SymId call = sym_model_get_producer (saved, value);

  if (call == SYM_NO_ID || !sym_model_has_call (edited, call))
    return NULL;
  const char *old = sym_model_get_call_name (saved, call);
  const char *new = sym_model_get_call_name (edited, call);

  return !is_same (old, new)
             ? sym_edit_follow_name (sym_model_get_value_name (saved, value), old, new)
             : NULL;
}

/* Results follow the name of their call: what they are called then needs not be told, but what they
 * are called otherwise does, though it may be the name that they have in the file. */
static char **
list_values (SymModel *saved, SymModel *edited)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (SymId value = 0; value < sym_model_get_n_values (saved); value++)
    {
      if (!sym_model_has_value (saved, value) || !sym_model_has_value (edited, value))
        continue;
      const char *new = sym_model_get_value_name (edited, value);
      g_autofree char *followed = follow_call (saved, edited, value);

      if (!is_same (followed != NULL ? followed : sym_model_get_value_name (saved, value), new))
        g_strv_builder_add_many (list, sym_model_get_unique_name (saved, value), new, NULL);
    }
  return g_strv_builder_end (list);
}

static void
add_attribute (GStrvBuilder *list, const char *call, const char *name, const SymValue *value)
{
  g_autofree char *literal = value != NULL ? sym_value_to_string (value) : g_strdup (REMOVED);

  g_strv_builder_add_many (list, call, name, literal, NULL);
}

static void
list_attributes_of (GStrvBuilder *list,
                    const char *call,
                    const SymAttributes *old,
                    const SymAttributes *new)
{
  for (guint i = 0; i < sym_attributes_get_n (new); i++)
    {
      const char *name = sym_attributes_get_name (new, i);
      const SymValue *value = sym_attributes_get_value (new, i);
      const SymValue *before = sym_attributes_find (old, name);

      if (before == NULL || !sym_value_equal (before, value))
        add_attribute (list, call, name, value);
    }
  for (guint i = 0; i < sym_attributes_get_n (old); i++)
    if (sym_attributes_find (new, sym_attributes_get_name (old, i)) == NULL)
      add_attribute (list, call, sym_attributes_get_name (old, i), NULL);
}

static void
list_calls (SymModel *saved, SymModel *edited, GStrvBuilder *names, GStrvBuilder *attributes)
{
  for (SymId call = 0; call < sym_model_get_n_calls (saved); call++)
    {
      if (!sym_model_has_call (saved, call) || !sym_model_has_call (edited, call))
        continue;
      SymLayer *old = sym_model_get_layer (saved, call), *new = sym_model_get_layer (edited, call);
      const char *name = sym_model_get_call_name (edited, call);
      gboolean is_renamed = !is_same (sym_model_get_call_name (saved, call), name);

      if (old == new && !is_renamed)
        continue;
      g_autofree char *key = name_call (saved, call);

      if (key == NULL)
        continue;
      if (is_renamed)
        g_strv_builder_add_many (names, key, name, NULL);
      list_attributes_of (attributes, key, sym_layer_get_attributes (old),
                          sym_layer_get_attributes (new));
    }
}

/* Outputs are taken away, and added after the others: so the old ones that are left come first, in
 * their order. */
static void
list_outputs (SymModel *saved, SymModel *edited, GStrvBuilder *removed, GStrvBuilder *added)
{
  SymIds old = sym_model_get_outputs (saved), new = sym_model_get_outputs (edited);
  guint n_left = 0;

  for (guint i = 0; i < old.n; i++)
    if (n_left < new.n &&new.ids[n_left] == old.ids[i])
      n_left++;
    else
      g_strv_builder_add (removed, sym_model_get_unique_name (saved, old.ids[i]));
  for (guint i = n_left; i < new.n; i++)
    if (sym_model_has_value (saved, new.ids[i]))
      g_strv_builder_add (added, sym_model_get_unique_name (saved, new.ids[i]));
}

static gboolean
is_empty (const ScopeDraft *self)
{
  return *self->calls == NULL && *self->values == NULL && *self->attributes == NULL &&
         *self->removed == NULL && *self->added == NULL;
}

ScopeDraft *
scope_draft_new (SymModel *saved, SymModel *edited)
{
  g_return_val_if_fail (saved != NULL && edited != NULL, NULL);

  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) attributes = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) removed = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) added = g_strv_builder_new ();
  g_autoptr (ScopeDraft) self = NULL;

  if (saved == edited)
    return NULL;
  self = g_new0 (ScopeDraft, 1);
  list_calls (saved, edited, names, attributes);
  list_outputs (saved, edited, removed, added);
  self->calls = g_strv_builder_end (names);
  self->values = list_values (saved, edited);
  self->attributes = g_strv_builder_end (attributes);
  self->removed = g_strv_builder_end (removed);
  self->added = g_strv_builder_end (added);
  return is_empty (self) ? NULL : g_steal_pointer (&self);
}

void
scope_draft_free (ScopeDraft *self)
{
  g_strfreev (self->calls);
  g_strfreev (self->values);
  g_strfreev (self->attributes);
  g_strfreev (self->removed);
  g_strfreev (self->added);
  g_free (self);
}

/* ---- In a file ---- */

static const struct {
  const char *key;
  gsize offset;
} lists[] = {
  { "renamed-layers", G_STRUCT_OFFSET (ScopeDraft, calls) },
  { "renamed-values", G_STRUCT_OFFSET (ScopeDraft, values) },
  { "edited-attributes", G_STRUCT_OFFSET (ScopeDraft, attributes) },
  { "removed-outputs", G_STRUCT_OFFSET (ScopeDraft, removed) },
  { "added-outputs", G_STRUCT_OFFSET (ScopeDraft, added) },
};

void
scope_draft_save (const ScopeDraft *self, GKeyFile *file, const char *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      char **list = self != NULL ? G_STRUCT_MEMBER (char **, self, lists[i].offset) : NULL;

      if (list != NULL && *list != NULL)
        g_key_file_set_string_list (file, group, lists[i].key, (const char *const *) list,
                                    g_strv_length (list));
      else
        g_key_file_remove_key (file, group, lists[i].key, NULL);
    }
}

ScopeDraft *
scope_draft_load (GKeyFile *file, const char *group)
{
  g_autoptr (ScopeDraft) self = g_new0 (ScopeDraft, 1);

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      char ***list = &G_STRUCT_MEMBER (char **, self, lists[i].offset);

      *list = g_key_file_get_string_list (file, group, lists[i].key, NULL, NULL);
      if (*list == NULL)
        *list = g_new0 (char *, 1);
    }
  return is_empty (self) ? NULL : g_steal_pointer (&self);
}

/* ---- Done again ---- */

typedef struct {
  SymModel *file;   /* in whose names it is told */
  GHashTable *bare; /* name of a call without results -> call + 1; NULL: not asked for yet */
  guint n_done;     /* that changed something */
  guint n_lost;
} Redo;

static GHashTable *
index_bare_calls (SymModel *model)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      if (!sym_model_has_call (model, call) ||
          sym_model_get_first_result (model, call) != SYM_NO_ID)
        continue;
      const char *name = sym_model_get_call_name (model, call);

      if (*name != '\0' && !g_hash_table_contains (index, name))
        g_hash_table_insert (index, (gpointer) name, GSIZE_TO_POINTER ((gsize) call + 1));
    }
  return index;
}

static SymId
find_call (Redo *redo, const char *name)
{
  SymId call = scope_names_find_call (redo->file, name);

  if (call != SYM_NO_ID || *name != BARE_CALL)
    return call;
  if (redo->bare == NULL)
    redo->bare = index_bare_calls (redo->file);
  gpointer found = g_hash_table_lookup (redo->bare, name + 1);

  return found != NULL ? (SymId) (GPOINTER_TO_SIZE (found) - 1) : SYM_NO_ID;
}

/* Without what is so already. */
static GArray *
list_renamings (Redo *redo, SymModel *model, gboolean is_call, char **pairs)
{
  GArray *renamings = g_array_new (FALSE, FALSE, sizeof (ScopeRenaming));
  guint n = g_strv_length (pairs) / 2;

  for (guint i = 0; i < n; i++)
    {
      const char *which = pairs[2 * i], *name = pairs[2 * i + 1];
      SymId id = is_call ? find_call (redo, which) : scope_names_find_value (redo->file, which);
      ScopeRenaming renaming = { id, name, FALSE };

      if (id == SYM_NO_ID)
        redo->n_lost++;
      else if (!is_same (name, is_call ? sym_model_get_call_name (model, id)
                                       : sym_model_get_value_name (model, id)))
        g_array_append_val (renamings, renaming);
    }
  return renamings;
}

/* The caller's. */
static SymModel *
rename_all (Redo *redo, SymModel *model, gboolean is_call, char **pairs)
{
  g_autoptr (GArray) list = list_renamings (redo, model, is_call, pairs);
  ScopeRenaming *renamings = (ScopeRenaming *) (gpointer) list->data;
  SymModel *renamed = scope_renaming_do_all (model, is_call, renamings, list->len);

  for (guint i = 0; i < list->len; i++)
    if (renamings[i].is_lost)
      redo->n_lost++;
    else
      redo->n_done++;
  return renamed;
}

/* As the operator has it where it has one: a data type is no literal of its own. */
static SymValue *
read_literal (SymLayer *layer, const char *name, const char *literal)
{
  const SymAttributeSpec *spec = sym_op_find_attribute (sym_layer_get_operator (layer), name);
  SymValue *value = sym_value_parse (literal);

  if (value == NULL && spec != NULL)
    value = sym_op_type_literal (spec->kind, literal);
  return value;
}

static void
set_attribute (Redo *redo, SymEdit *edit, const char *which, const char *name, const char *literal)
{
  SymId call = find_call (redo, which);

  if (call == SYM_NO_ID)
    {
      redo->n_lost++;
      return;
    }
  SymLayer *layer = sym_model_get_layer (redo->file, call);
  const SymValue *old = sym_attributes_find (sym_layer_get_attributes (layer), name);
  gboolean is_removed = g_str_equal (literal, REMOVED);
  g_autoptr (SymValue) value = is_removed ? NULL : read_literal (layer, name, literal);

  if (is_removed ? old == NULL : old != NULL && value != NULL && sym_value_equal (old, value))
    return;
  if ((value != NULL || is_removed) &&
      sym_edit_set_attribute (edit, call, name, g_steal_pointer (&value), NULL))
    redo->n_done++;
  else
    redo->n_lost++;
}

/* Those that were removed, by id + 1. */
static GHashTable *
find_removed (Redo *redo, char **names)
{
  GHashTable *removed = g_hash_table_new (NULL, NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      SymId value = scope_names_find_value (redo->file, names[i]);

      if (value != SYM_NO_ID)
        g_hash_table_add (removed, GSIZE_TO_POINTER ((gsize) value + 1));
    }
  return removed;
}

static gboolean
has_id (const GArray *ids, SymId id)
{
  return sym_ids_contain ((SymIds){ (const SymId *) (gconstpointer) ids->data, ids->len }, id);
}

static void
add_outputs (Redo *redo, SymEdit *edit, GArray *ids, char **names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      SymId value = scope_names_find_value (redo->file, names[i]);

      if (value != SYM_NO_ID && has_id (ids, value))
        continue;
      if (value != SYM_NO_ID && sym_edit_add_output (edit, value, NULL))
        g_array_append_val (ids, value);
      else
        redo->n_lost++;
    }
}

/* Outputs that the file got meanwhile stay. */
static void
set_outputs (Redo *redo, SymEdit *edit, const ScopeDraft *self)
{
  SymIds old = sym_model_get_outputs (redo->file);
  g_autoptr (GHashTable) removed = find_removed (redo, self->removed);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < old.n; i++)
    if (!g_hash_table_contains (removed, GSIZE_TO_POINTER ((gsize) old.ids[i] + 1)))
      g_array_append_val (ids, old.ids[i]);
  add_outputs (redo, edit, ids, self->added);
  if (!sym_edit_set_outputs (edit, (const SymId *) (gconstpointer) ids->data, ids->len, NULL))
    redo->n_lost += g_hash_table_size (removed);
  else if (ids->len != old.n || memcmp (ids->data, old.ids, old.n * sizeof (SymId)) != 0)
    redo->n_done++;
}

/* The caller's. */
static SymModel *
edit_contents (Redo *redo, const ScopeDraft *self)
{
  guint n = g_strv_length (self->attributes) / 3;
  g_autoptr (SymEdit) edit = sym_edit_new (redo->file);

  for (guint i = 0; i < n; i++)
    set_attribute (redo, edit, self->attributes[3 * i], self->attributes[3 * i + 1],
                   self->attributes[3 * i + 2]);
  if (*self->removed != NULL || *self->added != NULL)
    set_outputs (redo, edit, self);
  return redo->n_done > 0 ? sym_edit_end (g_steal_pointer (&edit)) : sym_model_ref (redo->file);
}

SymModel *
scope_draft_apply (const ScopeDraft *self, SymModel *model, guint *n_lost)
{
  g_return_val_if_fail (model != NULL && n_lost != NULL, NULL);

  *n_lost = 0;
  if (self == NULL)
    return sym_model_ref (model);
  Redo redo = { .file = model };
  g_autoptr (SymModel) edited = edit_contents (&redo, self);
  g_autoptr (SymModel) called = rename_all (&redo, edited, TRUE, self->calls);
  g_autoptr (SymModel) named = rename_all (&redo, called, FALSE, self->values);

  g_clear_pointer (&redo.bare, g_hash_table_unref);
  *n_lost = redo.n_lost;
  return sym_model_ref (redo.n_done > 0 ? named : model);
}
