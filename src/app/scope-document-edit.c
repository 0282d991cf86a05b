/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "core/sym-edit.h"
#include "core/sym-error.h"
#include "ops/sym-op.h"

/* ---- Attributes from text ---- */

static const char *
describe_kind (SymAttributeKind kind)
{
  switch (kind)
    {
    case SYM_ATTRIBUTE_INT:
      return _ ("a whole number");
    case SYM_ATTRIBUTE_FLOAT:
      return _ ("a number");
    case SYM_ATTRIBUTE_BOOL:
      return _ ("True or False");
    case SYM_ATTRIBUTE_INTS:
      return _ ("whole numbers such as (3, 3)");
    case SYM_ATTRIBUTE_FLOATS:
      return _ ("numbers such as (0.5, 1)");
    case SYM_ATTRIBUTE_DTYPE:
      return _ ("a data type such as float32");
    case SYM_ATTRIBUTE_STRING:
    case SYM_ATTRIBUTE_ANY:
    default:
      return _ ("a value such as 3, (1, 2) or 'text'");
    }
}

/* As the operator has it; of one that is not known, as what was there before. */
static SymValue *
type_text (const SymLayer *layer, const char *name, const char *text, GError **error)
{
  const SymAttributeSpec *spec = sym_op_find_attribute (sym_layer_get_operator (layer), name);
  const SymValue *old = sym_attributes_find (sym_layer_get_attributes (layer), name);
  SymAttributeKind kind = spec != NULL ? spec->kind : SYM_ATTRIBUTE_ANY;
  SymValue *value = NULL;

  if (spec != NULL && kind != SYM_ATTRIBUTE_ANY)
    value = sym_op_type_literal (kind, text);
  else if (old != NULL && sym_value_get_kind (old) == SYM_VALUE_STRING)
    value = sym_value_new_string (text);
  else
    value = sym_value_parse (text);
  if (value == NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("“%s” must be %s"), name,
                 describe_kind (kind));
  return value;
}

/* ---- Steps ---- */

/* What the edit has made is the next state, unless something failed in it. */
static gboolean
finish (ScopeDocument *self, SymEdit *take_edit, gboolean is_done, gboolean keeps_marks)
{
  if (!is_done)
    {
      sym_edit_free (take_edit);
      return FALSE;
    }
  g_autoptr (SymModel) model = sym_edit_end (take_edit);
  ScopeState *state = scope_state_edit (self->state, model);

  if (!keeps_marks)
    {
      ScopeState *cleared = scope_state_clear_marks (state);

      scope_state_unref (state);
      state = cleared;
    }
  scope_document_decide (self, state);
  return TRUE;
}

static SymEdit *
begin (ScopeDocument *self)
{
  return sym_edit_new (scope_state_get_model (self->state));
}

gboolean
scope_document_add_outputs (ScopeDocument *self, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL, FALSE);

  SymIds marked = scope_state_get_marks (self->state, SCOPE_MARK_OUTPUT);
  SymIds outputs = sym_model_get_outputs (scope_state_get_model (self->state));
  SymEdit *edit = begin (self);
  gboolean is_done = TRUE;
  guint n_added = 0;

  for (guint i = 0; i < marked.n && is_done; i++)
    {
      if (sym_ids_contain (outputs, marked.ids[i]))
        continue;
      is_done = sym_edit_add_output (edit, marked.ids[i], error);
      n_added++;
    }
  if (is_done && n_added == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("Nothing is marked that is no output yet"));
      is_done = FALSE;
    }
  return finish (self, edit, is_done, FALSE);
}

gboolean
scope_document_remove_output (ScopeDocument *self, SymId value, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL, FALSE);

  SymIds outputs = sym_model_get_outputs (scope_state_get_model (self->state));
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] != value)
      g_array_append_val (left, outputs.ids[i]);
  if (left->len == 0 || left->len == outputs.n)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   left->len == 0 ? _ ("A graph needs an output") : _ ("This is no output"));
      return FALSE;
    }
  SymEdit *edit = begin (self);

  return finish (
      self, edit,
      sym_edit_set_outputs (edit, (const SymId *) (gconstpointer) left->data, left->len, error),
      TRUE);
}

gboolean
scope_document_rename_value (ScopeDocument *self, SymId value, const char *name, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL && name != NULL, FALSE);

  SymEdit *edit = begin (self);

  return finish (self, edit, sym_edit_rename_value (edit, value, name, error), TRUE);
}

gboolean
scope_document_rename_call (ScopeDocument *self, SymId call, const char *name, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL && name != NULL, FALSE);

  SymEdit *edit = begin (self);

  return finish (self, edit, sym_edit_rename_call (edit, call, name, error), TRUE);
}

gboolean
scope_document_set_attribute (ScopeDocument *self,
                              SymId call,
                              const char *name,
                              const char *text,
                              GError **error)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL && name != NULL, FALSE);

  SymLayer *layer = sym_model_get_layer (scope_state_get_model (self->state), call);
  const SymAttributeSpec *spec = sym_op_find_attribute (sym_layer_get_operator (layer), name);
  SymValue *value = text != NULL ? type_text (layer, name, text, error) : NULL;

  if (text != NULL && value == NULL)
    return FALSE;
  if (text == NULL && spec != NULL && spec->fallback == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("“%s” must be given"), name);
      return FALSE;
    }
  SymEdit *edit = begin (self);

  return finish (self, edit, sym_edit_set_attribute (edit, call, name, value, error), TRUE);
}

/* ---- What is saved ---- */

gboolean
scope_document_is_edited (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  return self->state != NULL && self->saved != NULL &&
         !scope_state_has_same_shapes (self->state, self->saved);
}

gboolean
scope_document_is_modified (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  return self->was_made || scope_document_is_edited (self);
}

gboolean
scope_document_was_made (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  return self->was_made;
}

guint
scope_document_take_lost_edits (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), 0);

  guint n = self->n_lost_edits;

  self->n_lost_edits = 0;
  return n;
}

SymModel *
scope_document_get_saved_model (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  return self->saved != NULL ? scope_state_get_model (self->saved) : NULL;
}

const SymIoFormat *
scope_document_get_format (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  if (self->saved_format != NULL || self->state == NULL)
    return self->saved_format;
  return sym_io_get_model_format (scope_state_get_model (self->state));
}

void
scope_document_take_saved (ScopeDocument *self,
                           ScopeState *take_state,
                           GFile *file,
                           const SymIoFormat *format)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && take_state != NULL && G_IS_FILE (file));

  g_clear_pointer (&self->saved, scope_state_unref);
  self->saved = take_state;
  self->saved_format = format;
  self->was_made = FALSE;
  g_set_object (&self->file, file);
  g_free (self->title);
  self->title = scope_file_name (file);
  scope_document_begin_watch (self);
  scope_document_drop_reading (self);
  scope_document_emit_changed (self, SCOPE_CHANGE_STATE | SCOPE_CHANGE_PROGRESS);
}
