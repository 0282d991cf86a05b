/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

static const struct {
  const char *name;
  ScopeTraceKind kind;
} traces[] = {
  { "ancestors", SCOPE_TRACE_ANCESTORS },
  { "descendants", SCOPE_TRACE_DESCENDANTS },
  { "both", SCOPE_TRACE_BOTH },
  { "path", SCOPE_TRACE_CHOOSING },
};

static void
trace_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *name = g_variant_get_string (parameter, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    if (g_str_equal (name, traces[i].name))
      scope_document_trace_selection (scope_window_get_document (user_data), traces[i].kind);
}

static void
look_around_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_look_around (scope_window_get_document (user_data));
}

static void
go (ScopeWindow *self, gboolean forward)
{
  scope_canvas_go (scope_page_get_canvas (scope_window_get_page (self)), forward);
  scope_window_update_actions (self);
}

static void
back_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  go (user_data, FALSE);
}

static void
forward_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  go (user_data, TRUE);
}

static gboolean
can_go (ScopeWindow *self, gboolean has_graph, gboolean forward)
{
  ScopePage *page = scope_window_get_page (self);

  return has_graph && page != NULL && scope_canvas_can_go (scope_page_get_canvas (page), forward);
}

void
scope_window_update_look_actions (ScopeWindow *self)
{
  ScopeDocument *document = self->document;
  gboolean has_graph = document != NULL && scope_document_get_inference (document) != NULL;
  gboolean has_node = has_graph && scope_document_get_selected_entry (document).id != SYM_NO_ID;

  scope_window_set_enabled (self, "trace", has_node);
  scope_window_set_enabled (self, "look-around", has_node);
  scope_window_set_enabled (self, "back", can_go (self, has_graph, FALSE));
  scope_window_set_enabled (self, "forward", can_go (self, has_graph, TRUE));
}

void
scope_window_add_look_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "trace", trace_cb, "s" },
    { "look-around", look_around_cb },
    { "back", back_cb },
    { "forward", forward_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
