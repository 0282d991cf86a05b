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
go_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  gboolean forward = g_str_equal (g_variant_get_string (parameter, NULL), "forward");

  scope_canvas_go (scope_page_get_canvas (scope_window_get_page (self)), forward);
  scope_window_update_actions (self);
}

void
scope_window_update_look_actions (ScopeWindow *self)
{
  ScopeDocument *document = self->document;
  gboolean has_graph = document != NULL && scope_document_get_inference (document) != NULL;
  gboolean has_node = has_graph && scope_document_get_selected_entry (document).id != SYM_NO_ID;

  scope_window_set_enabled (self, "trace", has_node);
  scope_window_set_enabled (self, "look-around", has_node);
  scope_window_set_enabled (self, "go", has_graph);
}

void
scope_window_add_look_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "trace", trace_cb, "s" },
    { "look-around", look_around_cb },
    { "go", go_cb, "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
