/* SPDX-License-Identifier: MIT */
#include "app/scope-draft.h"

#include "core/sym-edit.h"
#include "core/sym-extract.h"
#include "ops/sym-op.h"

#define BARE_CALL '@' /* before the name of a call that has no results to be known by */
#define REMOVED ""    /* no literal is empty */

struct _ScopeDraft {
  char **calls;      /* which one and its name, by turns */
  char **values;     /* likewise */
  char **attributes; /* of which call, which, and the literal, by turns */
  char **outputs;    /* all of them; NULL: those of the file */
};

/* ---- Which one ---- */

static char *
name_call (SymModel *model, SymId call)
{
  SymId result = sym_model_get_first_result (model, call);

  if (result != SYM_NO_ID)
    return g_strdup (sym_model_get_unique_name (model, result));
  return g_strdup_printf ("%c%s", BARE_CALL, sym_model_get_call_name (model, call));
}

static SymId
find_value (SymModel *model, const char *name)
{
  SymId value = SYM_NO_ID;

  if (!sym_model_resolve (model, name, &value, NULL) ||
      g_strcmp0 (sym_model_get_unique_name (model, value), name) != 0)
    return SYM_NO_ID;
  return value;
}

static SymId
find_call (SymModel *model, const char *name)
{
  SymId value = find_value (model, name);

  if (value != SYM_NO_ID)
    return sym_model_get_producer (model, value);
  for (SymId call = 0; *name == BARE_CALL && call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) &&
        g_strcmp0 (sym_model_get_call_name (model, call), name + 1) == 0)
      return call;
  return SYM_NO_ID;
}

/* ---- What differs ---- */

static char **
list_values (SymModel *saved, SymModel *edited)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (SymId value = 0; value < sym_model_get_n_values (saved); value++)
    {
      if (!sym_model_has_value (saved, value) || !sym_model_has_value (edited, value))
        continue;
      const char *old = sym_model_get_value_name (saved, value);
      const char *new = sym_model_get_value_name (edited, value);

      if (g_strcmp0 (old, new) != 0)
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
      gboolean is_renamed = g_strcmp0 (sym_model_get_call_name (saved, call), name) != 0;

      if (old == new && !is_renamed)
        continue;
      g_autofree char *key = name_call (saved, call);

      if (is_renamed)
        g_strv_builder_add_many (names, key, name, NULL);
      list_attributes_of (attributes, key, sym_layer_get_attributes (old),
                          sym_layer_get_attributes (new));
    }
}

static char **
list_outputs (SymModel *saved, SymModel *edited)
{
  SymIds old = sym_model_get_outputs (saved), new = sym_model_get_outputs (edited);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  if (old.n == new.n && memcmp (old.ids, new.ids, new.n * sizeof (SymId)) == 0)
    return NULL;
  for (guint i = 0; i < new.n; i++)
    if (sym_model_has_value (saved, new.ids[i]))
      g_strv_builder_add (list, sym_model_get_unique_name (saved, new.ids[i]));
  return g_strv_builder_end (list);
}

static gboolean
is_empty (const ScopeDraft *self)
{
  return *self->calls == NULL && *self->values == NULL && *self->attributes == NULL &&
         self->outputs == NULL;
}

ScopeDraft *
scope_draft_new (SymModel *saved, SymModel *edited)
{
  g_return_val_if_fail (saved != NULL && edited != NULL, NULL);

  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) attributes = g_strv_builder_new ();
  g_autoptr (ScopeDraft) self = NULL;

  if (saved == edited)
    return NULL;
  self = g_new0 (ScopeDraft, 1);
  list_calls (saved, edited, names, attributes);
  self->calls = g_strv_builder_end (names);
  self->attributes = g_strv_builder_end (attributes);
  self->values = list_values (saved, edited);
  self->outputs = list_outputs (saved, edited);
  return is_empty (self) ? NULL : g_steal_pointer (&self);
}

void
scope_draft_free (ScopeDraft *self)
{
  g_strfreev (self->calls);
  g_strfreev (self->values);
  g_strfreev (self->attributes);
  g_strfreev (self->outputs);
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
  { "edited-outputs", G_STRUCT_OFFSET (ScopeDraft, outputs) },
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
      if (*list == NULL && list != &self->outputs)
        *list = g_new0 (char *, 1);
    }
  return is_empty (self) ? NULL : g_steal_pointer (&self);
}

/* ---- Done again ---- */

static gboolean
rename (SymEdit *edit, gboolean is_call, SymId id, const char *name)
{
  return is_call ? sym_edit_rename_call (edit, id, name, NULL)
                 : sym_edit_rename_value (edit, id, name, NULL);
}

/* Names may have been exchanged: whose new name is still taken waits, and when all wait, one of
 * them steps aside.  What no name helps is left out. */
static void
rename_all (SymEdit *edit, SymModel *model, gboolean is_call, char **pairs)
{
  guint n = g_strv_length (pairs) / 2, n_aside = 0;
  g_autofree gboolean *is_done = g_new0 (gboolean, n);

  for (;;)
    {
      gboolean has_moved = FALSE;
      SymId waits = SYM_NO_ID;

      for (guint i = 0; i < n; i++)
        {
          SymId id =
              is_done[i] ? SYM_NO_ID : (is_call ? find_call : find_value) (model, pairs[2 * i]);

          if (id == SYM_NO_ID)
            continue;
          is_done[i] = rename (edit, is_call, id, pairs[2 * i + 1]);
          has_moved |= is_done[i];
          if (!is_done[i] && waits == SYM_NO_ID)
            waits = id;
        }
      if (waits == SYM_NO_ID || (!has_moved && n_aside == n))
        return;
      if (!has_moved)
        {
          g_autofree char *aside = g_strdup_printf ("%s %u", pairs[0], ++n_aside);

          rename (edit, is_call, waits, aside);
        }
    }
}

/* As the operator has it where it has one: a data type is no literal of its own. */
static SymValue *
read_literal (SymLayer *layer, const char *name, const char *literal)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymAttributeSpec *spec = op != NULL ? op->attributes : NULL;
  SymValue *value = sym_value_parse (literal);

  for (; value == NULL && spec != NULL && spec->name != NULL; spec++)
    if (g_str_equal (spec->name, name))
      value = sym_op_type_literal (spec->kind, literal);
  return value;
}

static void
set_attributes (SymEdit *edit, SymModel *model, char **list)
{
  guint n = g_strv_length (list) / 3;

  for (guint i = 0; i < n; i++)
    {
      const char *name = list[3 * i + 1], *literal = list[3 * i + 2];
      SymId call = find_call (model, list[3 * i]);
      gboolean is_removed = g_str_equal (literal, REMOVED);

      if (call == SYM_NO_ID)
        continue;
      SymValue *value =
          is_removed ? NULL : read_literal (sym_model_get_layer (model, call), name, literal);

      if (value != NULL || is_removed)
        sym_edit_set_attribute (edit, call, name, value, NULL);
    }
}

static void
set_outputs (SymEdit *edit, SymModel *model, char **names)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; names[i] != NULL; i++)
    {
      SymId value = find_value (model, names[i]);

      if (value != SYM_NO_ID)
        g_array_append_val (ids, value);
    }
  if (ids->len > 0)
    sym_edit_set_outputs (edit, (const SymId *) (gconstpointer) ids->data, ids->len, NULL);
}

SymModel *
scope_draft_apply (const ScopeDraft *self, SymModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);

  if (self == NULL)
    return sym_model_ref (model);
  SymEdit *edit = sym_edit_new (model);

  set_attributes (edit, model, self->attributes);
  if (self->outputs != NULL)
    set_outputs (edit, model, self->outputs);
  rename_all (edit, model, TRUE, self->calls);
  rename_all (edit, model, FALSE, self->values);
  g_autoptr (SymModel) edited = sym_edit_end (edit);
  g_autoptr (ScopeDraft) done = scope_draft_new (model, edited);

  return done != NULL ? g_steal_pointer (&edited) : sym_model_ref (model);
}
