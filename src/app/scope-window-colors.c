/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-overlay-colors.h"

/* ---- Overlays, read in a thread ---- */

typedef struct {
  SymModel *model;
  char *path;
} Reading;

static void
free_reading (gpointer data)
{
  Reading *self = data;

  sym_model_unref (self->model);
  g_free (self->path);
  g_free (self);
}

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Reading *self = task_data;
  GError *error = NULL;
  SymOverlay *overlay = sym_overlay_read (self->model, self->path, cancellable, &error);

  if (overlay != NULL)
    g_task_return_pointer (task, overlay, (GDestroyNotify) sym_overlay_unref);
  else
    g_task_return_error (task, error);
}

static void
tell_overlay (ScopeWindow *self, SymOverlay *overlay)
{
  guint n_found = sym_overlay_get_n_found (overlay);
  guint n_missed = sym_overlay_get_n_missed (overlay);
  g_autofree char *found = g_strdup_printf (ngettext ("%s: %u layer", "%s: %u layers", n_found),
                                            sym_overlay_get_title (overlay), n_found);
  g_autofree char *missed =
      g_strdup_printf (ngettext ("%u node of it is not in this graph",
                                 "%u nodes of it are not in this graph", n_missed),
                       n_missed);
  const char *odd = scope_overlay_colors_find_unreadable (overlay);
  g_autofree char *no_color = g_strdup_printf (_ ("“%s” in it is no colour"), odd);
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();

  g_strv_builder_add (parts, found);
  if (n_missed > 0)
    g_strv_builder_add (parts, missed);
  if (odd != NULL)
    g_strv_builder_add (parts, no_color);
  g_auto (GStrv) all = g_strv_builder_end (parts);
  g_autofree char *text = g_strjoinv ("; ", all);

  scope_window_show_message (self, text);
}

static void
read_path (ScopeWindow *self, ScopeDocument *document, const char *path, GAsyncReadyCallback done)
{
  g_autoptr (GTask) task = g_task_new (document, NULL, done, g_object_ref (self));
  Reading *reading = g_new0 (Reading, 1);

  reading->model = sym_model_ref (scope_document_get_model (document));
  reading->path = g_strdup (path);
  g_task_set_source_tag (task, read_path);
  g_task_set_task_data (task, reading, free_reading);
  g_task_run_in_thread (task, read_thread);
}

/* Meanwhile the graph may have been edited or read again: then it is read for what there is now. */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeWindow) self = user_data;
  ScopeDocument *document = SCOPE_DOCUMENT (source);
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  SymModel *model = scope_document_get_model (document);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymOverlay) overlay = g_task_propagate_pointer (G_TASK (result), &error);

  if (model != NULL && reading->model != model)
    read_path (self, document, reading->path, read_cb);
  else if (overlay == NULL)
    scope_window_show_message (self, error->message);
  else if (model != NULL)
    {
      tell_overlay (self, overlay);
      scope_document_take_overlay (document, g_steal_pointer (&overlay));
    }
}

void
scope_window_read_overlay (ScopeWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  read_path (self, self->document, path, read_cb);
}

static void
open_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_choose_file (user_data, _ ("Open Overlay"), scope_window_read_overlay);
}

/* ---- Which colours ---- */

/* Why there are only the usual ones; NULL when there are others. */
static const char *
get_reason (ScopeDocument *document, ScopeColors colors)
{
  if (colors == SCOPE_COLORS_TIME && scope_document_get_record (document) == NULL)
    return _ ("Layers get the colours of their times with the next run");
  if (colors == SCOPE_COLORS_FOUND && !scope_document_has_search (document))
    return _ ("Layers are coloured once something is searched for");
  if (colors == SCOPE_COLORS_COMPARISON && scope_document_get_compared_title (document) == NULL)
    return _ ("Layers get the colours of what differs once the graph is compared with another one");
  if (colors == SCOPE_COLORS_DISTANCE && scope_document_get_distances (document) == NULL)
    return _ ("Layers get the colours of how far numbers are apart once the graph is compared with "
              "another tab and both have run, or with numbers of a file and has run");
  return NULL;
}

static void
color_by_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (self->document == NULL)
    return; /* over the bus a state is set though its action is disabled */
  ScopeView view = *scope_document_get_view (self->document);

  if (!scope_colors_from_string (g_variant_get_string (state, NULL), &view.colors))
    return;
  if (view.colors == SCOPE_COLORS_OVERLAY && scope_document_get_overlay (self->document) == NULL)
    {
      scope_window_choose_file (self, _ ("Open Overlay"), scope_window_read_overlay);
      return;
    }
  scope_document_set_view (self->document, &view);
  scope_window_update_actions (self);
  if (get_reason (self->document, view.colors) != NULL)
    scope_window_show_message (self, get_reason (self->document, view.colors));
}

/* ---- The window's ---- */

void
scope_window_update_color_actions (ScopeWindow *self)
{
  gboolean has_graph =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;
  const ScopeView *view =
      self->document != NULL ? scope_document_get_view (self->document) : &self->view;
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "color-by");

  scope_window_set_enabled (self, "color-by", has_graph);
  scope_window_set_enabled (self, "open-overlay", has_graph);
  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (scope_colors_to_string (view->colors)));
}

void
scope_window_add_color_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "color-by", NULL, "s", "'category'", color_by_cb },
    { "open-overlay", open_overlay_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
