/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"

/* ---- What came of a choice ---- */

static char *
describe (ScopeDocument *document, guint n_missing, const GError *error)
{
  GFile *weights = scope_document_get_weights (document);
  g_autofree char *name = weights != NULL ? scope_file_name (weights) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_strdup (_ ("Weights stay as they were"));
  if (error != NULL)
    return g_strdup_printf (_ ("Weights stay as they were: %s"), error->message);
  if (name == NULL)
    return g_strdup (_ ("Weights are those found beside the graph"));
  if (n_missing == 0)
    return g_strdup_printf (_ ("Weights are those in %s"), name);
  return g_strdup_printf (ngettext ("Weights are those in %s; %u is not there",
                                    "Weights are those in %s; %u are not there", n_missing),
                          name, n_missing);
}

void
scope_window_tell_weights (ScopeWindow *self)
{
  g_autoptr (GError) error = NULL;
  guint n_missing;

  if (self->document == NULL ||
      !scope_document_take_weights_news (self->document, &n_missing, &error))
    return;
  g_autofree char *text = describe (self->document, n_missing, error);

  scope_window_show_message (self, text);
}

/* ---- Choosing ---- */

/* What was edited is in the graph only that would be read again. */
static gboolean
may_read_again (ScopeWindow *self)
{
  if (!scope_document_is_modified (self->document))
    return TRUE;
  scope_window_show_message (self, _ ("To take other weights the graph is read again: save or undo "
                                      "what was edited first"));
  return FALSE;
}

static void
take (ScopeWindow *self, GFile *file)
{
  if (scope_document_can_choose_weights (self->document) && may_read_again (self))
    scope_document_choose_weights (self->document, file);
}

static void
choose_weights_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (may_read_again (self))
    scope_window_choose_file (self, _ ("Choose Weights"), take);
}

static void
find_weights_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (may_read_again (self))
    scope_document_choose_weights (self->document, NULL);
}

void
scope_window_update_weights_actions (ScopeWindow *self)
{
  gboolean can_choose =
      self->document != NULL && scope_document_can_choose_weights (self->document);

  scope_window_set_enabled (self, "choose-weights", can_choose);
  scope_window_set_enabled (self, "find-weights",
                            can_choose && scope_document_get_weights (self->document) != NULL);
}

void
scope_window_add_weights_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "choose-weights", choose_weights_cb },
    { "find-weights", find_weights_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
