/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-later.h"
#include "app/scope-text.h"

#define ZOOM_STEP 1.25

/* ---- Files ---- */

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_choose_open (user_data);
}

static void
open_file_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  scope_window_open (user_data, file);
}

static void
show_in_folder_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_show_in_folder (user_data, g_variant_get_string (parameter, NULL));
}

/* GTK would make its many widgets with every window. */
static GtkShortcutsWindow *
get_shortcuts (GtkApplicationWindow *window)
{
  GtkShortcutsWindow *overlay = gtk_application_window_get_help_overlay (window);

  if (overlay != NULL)
    return overlay;
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/org/symscope/Symscope/help-overlay.ui");

  /* GTK 4.8 turns the order of pages around with each group that comes to them: they come to a
   * single page, which is parted here. */
  g_object_set (gtk_builder_get_object (builder, "section"), "max-height", 11, NULL);
  overlay = GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
  gtk_application_window_set_help_overlay (window, overlay);
  scope_access_name_shortcuts (overlay);
  return overlay;
}

static void
show_shortcuts_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_later_present (GTK_WINDOW (get_shortcuts (user_data)));
}

static void
paste_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_paste (user_data);
}

static void
reload_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_reload (user_data);
}

static void
offer_folder_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *text, *uri;

  g_variant_get (parameter, "(&s&s)", &text, &uri);
  g_autoptr (GFile) file = g_file_new_for_uri (uri);

  scope_window_offer_folder (user_data, text, file);
}

static void
show_message_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_show_message (user_data, g_variant_get_string (parameter, NULL));
}

/* A key that does nothing explains nothing.  Why the cut is impossible stands below the graph. */
static void
extract_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeCut *cut = scope_document_get_cut (scope_window_get_document (user_data));

  if (cut != NULL && scope_cut_get_selection (cut) == NULL)
    scope_window_show_message (user_data, _ ("Nothing to save: the cut is impossible"));
  else
    scope_window_choose_extract (user_data);
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_print (user_data);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_choose_export (user_data);
}

static void
open_cut_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_window_open_cut (user_data);
}

/* ---- What the user decides ---- */

static void
undo_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_undo (scope_window_get_document (user_data));
}

static void
redo_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_redo (scope_window_get_document (user_data));
}

static void
mark_output_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_toggle_marks (scope_window_get_document (user_data), SCOPE_MARK_OUTPUT);
}

static void
mark_input_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_toggle_marks (scope_window_get_document (user_data), SCOPE_MARK_INPUT);
}

static void
clear_marks_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_clear_marks (scope_window_get_document (user_data));
}

/* ---- Looking ---- */

static void
zoom_in_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_viewport_zoom (scope_page_get_viewport (scope_window_get_page (user_data)), ZOOM_STEP);
}

static void
zoom_out_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_viewport_zoom (scope_page_get_viewport (scope_window_get_page (user_data)), 1 / ZOOM_STEP);
}

static void
zoom_one_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_viewport_set_scale (scope_page_get_viewport (scope_window_get_page (user_data)), 1);
}

static void
fit_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_viewport_fit (scope_page_get_viewport (scope_window_get_page (user_data)));
}

static void
fold_all_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_close_all (SCOPE_WINDOW (user_data)->document);
}

static void
fold_level_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_open_levels (SCOPE_WINDOW (user_data)->document, g_variant_get_uint32 (parameter));
}

static void
unfold_all_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_open_all (SCOPE_WINDOW (user_data)->document);
}

static void
search_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  self->panels = scope_window_make_room (self, SCOPE_PANEL_SUMMARY);
  scope_window_show_panels (self);
  scope_window_update_actions (self);
  scope_page_focus_search (scope_window_get_page (self));
}

static void
rename_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  self->panels = scope_window_make_room (self, SCOPE_PANEL_INSPECTOR);
  scope_window_show_panels (self);
  scope_window_update_actions (self);
  scope_page_rename (scope_window_get_page (self));
}

/* Where there is no room for it, the next part has the keyboard. */
static void
focus_drawing_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeCanvas *canvas = scope_page_get_canvas (scope_window_get_page (user_data));

  if (!gtk_widget_get_mapped (GTK_WIDGET (canvas)) || !gtk_widget_grab_focus (GTK_WIDGET (canvas)))
    gtk_widget_child_focus (user_data, GTK_DIR_TAB_FORWARD);
}

/* Where nothing is searched for yet, it is asked for what. */
static void
step_search (ScopeWindow *self, gboolean forward)
{
  if (scope_document_has_search (self->document))
    scope_page_step_search (scope_window_get_page (self), forward);
  else
    search_cb (NULL, NULL, self);
}

static void
find_next_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_search (user_data, TRUE);
}

static void
find_previous_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  step_search (user_data, FALSE);
}

/* ---- Panels ---- */

static const struct {
  const char *action;
  ScopePanels panel;
} panels[] = {
  { "show-summary", SCOPE_PANEL_SUMMARY },
  { "show-inspector", SCOPE_PANEL_INSPECTOR },
  { "show-legend", SCOPE_PANEL_LEGEND },
  { "show-minimap", SCOPE_PANEL_MINIMAP },
};

static void
toggle_panel_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeWindow *self = user_data;

  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    if (g_str_equal (g_action_get_name (G_ACTION (action)), panels[i].action))
      self->panels = g_variant_get_boolean (state) ? scope_window_make_room (self, panels[i].panel)
                                                   : self->panels & ~panels[i].panel;
  scope_window_show_panels (self);
  scope_window_update_actions (self);
}

/* ---- Drawing ---- */

/* Of the graph in front, if there is one: over the bus a state is set though its action is
 * disabled. */
static const ScopeView *
get_view (ScopeWindow *self)
{
  ScopeDocument *document = scope_window_get_document (self);

  return document != NULL ? scope_document_get_view (document) : &self->view;
}

/* Tabs that are opened later are drawn as the preferences have it. */
static void
change_view (ScopeWindow *self, const ScopeView *view)
{
  if (scope_window_get_document (self) != NULL)
    scope_document_set_view (scope_window_get_document (self), view);
  scope_window_update_actions (self);
}

static void
drawing_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeView view = *get_view (user_data);

  view.drawing = g_str_equal (g_variant_get_string (state, NULL), "layers") ? SYM_DRAWING_LAYERS
                                                                            : SYM_DRAWING_DATA;
  change_view (user_data, &view);
}

static void
direction_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeView view = *get_view (user_data);

  view.direction = g_str_equal (g_variant_get_string (state, NULL), "right") ? SYM_DIRECTION_RIGHT
                                                                             : SYM_DIRECTION_DOWN;
  change_view (user_data, &view);
}

static const struct {
  const char *action;
  SymLabels label;
} labels[] = {
  { "label-name", SYM_LABEL_NAME },
  { "label-variable", SYM_LABEL_VARIABLE },
  { "label-shape", SYM_LABEL_SHAPE },
  { "label-dtype", SYM_LABEL_DTYPE },
};

static void
label_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeView view = *get_view (user_data);

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (g_str_equal (g_action_get_name (G_ACTION (action)), labels[i].action))
      view.labels = (SymLabels) (g_variant_get_boolean (state) ? view.labels | labels[i].label
                                                               : view.labels & ~labels[i].label);
  change_view (user_data, &view);
}

/* Without a search nothing is seen of it yet. */
static void
dim_others_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeWindow *self = user_data;
  ScopeView view = *get_view (self);

  view.dims_others = g_variant_get_boolean (state);
  change_view (self, &view);
  if (view.dims_others && self->document != NULL && !scope_document_has_search (self->document))
    scope_window_show_message (self, _ ("The next search dims what it does not find"));
}

/* ---- Clipboard ---- */

/* One a line. */
static void
copy_names (ScopeWindow *self, SymIds values)
{
  SymModel *model = scope_document_get_model (self->document);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < values.n; i++)
    g_string_append_printf (text, "%s\n", sym_model_get_unique_name (model, values.ids[i]));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
}

static void
copy_name_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeDocument *document = scope_window_get_document (user_data);
  SymIds several = scope_document_get_selected_values (document);
  const ScopeNode *node = scope_document_get_selected (document);
  SymInference *inner = scope_document_get_inner_inference (document, node);
  const char *name =
      inner != NULL && node->inner_value != SYM_NO_ID
          ? sym_model_get_unique_name (sym_inference_get_model (inner), node->inner_value)
          : sym_model_get_unique_name (scope_document_get_model (document), node->value);

  if (several.n > 0)
    {
      copy_names (user_data, several);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (user_data), name);
}

static void
copy_summary_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  SymSummary *summary = scope_document_get_summary (scope_window_get_document (user_data));
  SymFormat format = g_str_equal (g_variant_get_string (parameter, NULL), "csv")
                         ? SYM_FORMAT_CSV
                         : SYM_FORMAT_MARKDOWN;
  g_autofree char *text = sym_summary_to_string (summary, SYM_STYLE_SYMBOLIC, format, FALSE);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (user_data), text);
  scope_window_show_message (user_data, _ ("Summary copied"));
}

/* ---- What can be done now ---- */

void
scope_window_set_enabled (ScopeWindow *self, const char *name, gboolean is_enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

static void
set_state (ScopeWindow *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static gboolean
has_groups (ScopeDocument *document)
{
  SymFolding *folding = scope_document_get_folding (document);

  return folding != NULL && sym_groups_get_n (sym_folding_get_groups (folding)) > 0;
}

/* All of it. */
static gboolean
has_drawing (ScopeDocument *document)
{
  return scope_document_has_nodes (document) && scope_document_get_picture (document) != NULL &&
         !scope_document_is_preview (document);
}

static void
update_enabled (ScopeWindow *self)
{
  static const char *const graph_actions[] = {
    "extract",       "search",      "copy-summary", "find-next",     "find-previous",
    "focus-drawing", "drawing",     "direction",    "label-name",    "label-variable",
    "label-shape",   "label-dtype", "dim-others",   "zoom-in",       "zoom-out",
    "zoom-one",      "fit",         "show-summary", "show-inspector"
  };
  ScopeDocument *document = self->document;
  gboolean has_graph = document != NULL && scope_document_get_inference (document) != NULL;
  gboolean has_value = has_graph && scope_document_get_selected_value (document) != SYM_NO_ID;
  gboolean is_of_graph = has_graph && scope_document_get_selected (document)->body == NULL;
  ScopeCut *cut = has_graph ? scope_document_get_cut (document) : NULL;
  gboolean is_possible = cut != NULL && scope_cut_get_selection (cut) != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (graph_actions); i++)
    scope_window_set_enabled (self, graph_actions[i], has_graph);
  scope_window_set_enabled (self, "export", has_graph && has_drawing (document));
  scope_window_set_enabled (self, "print", has_graph && has_drawing (document));
  scope_window_set_enabled (self, "fold-all", has_graph && has_groups (document));
  scope_window_set_enabled (self, "fold-level", has_graph && has_groups (document));
  scope_window_set_enabled (self, "unfold-all", has_graph && has_groups (document));
  scope_window_set_enabled (self, "open-cut", is_possible);
  scope_window_set_enabled (self, "clear-marks", cut != NULL);
  scope_window_set_enabled (self, "mark-output", has_value && is_of_graph);
  scope_window_set_enabled (self, "mark-input", has_value && is_of_graph);
  scope_window_set_enabled (self, "copy-name", has_value);
  scope_window_set_enabled (self, "rename", has_value && is_of_graph);
  scope_window_set_enabled (self, "undo", has_graph && scope_document_can_undo (document));
  scope_window_set_enabled (self, "redo", has_graph && scope_document_can_redo (document));
  scope_window_set_enabled (self, "reload",
                            document != NULL && scope_document_get_file (document) != NULL);
  scope_window_update_look_actions (self);
  scope_window_update_run_actions (self);
  scope_window_update_weights_actions (self);
  scope_window_update_color_actions (self);
  scope_window_update_bookmark_actions (self);
  scope_window_update_compare_actions (self);
  scope_window_update_save_actions (self);
}

void
scope_window_update_actions (ScopeWindow *self)
{
  const ScopeView *view =
      self->document != NULL ? scope_document_get_view (self->document) : &self->view;
  gboolean by_layers = view->drawing == SYM_DRAWING_LAYERS;

  update_enabled (self);
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++)
    set_state (self, panels[i].action,
               g_variant_new_boolean ((self->panels & panels[i].panel) != 0));
  set_state (self, "drawing", g_variant_new_string (by_layers ? "layers" : "data"));
  set_state (self, "direction",
             g_variant_new_string (view->direction == SYM_DIRECTION_RIGHT ? "right" : "down"));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    set_state (self, labels[i].action,
               g_variant_new_boolean ((view->labels & labels[i].label) != 0));
  set_state (self, "dim-others", g_variant_new_boolean (view->dims_others));
  scope_window_show_view (self);
}

void
scope_window_add_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "open", open_cb },
    { "open-file", open_file_cb, "s" },
    { "show-in-folder", show_in_folder_cb, "s" },
    { "show-help-overlay", show_shortcuts_cb },
    { "paste", paste_cb },
    { "reload", reload_cb },
    { "show-message", show_message_cb, "s" },
    { "offer-folder", offer_folder_cb, "(ss)" },
    { "extract", extract_cb },
    { "export", export_cb },
    { "print", print_cb },
    { "open-cut", open_cut_cb },
    { "undo", undo_cb },
    { "redo", redo_cb },
    { "mark-output", mark_output_cb },
    { "mark-input", mark_input_cb },
    { "clear-marks", clear_marks_cb },
    { "zoom-in", zoom_in_cb },
    { "zoom-out", zoom_out_cb },
    { "zoom-one", zoom_one_cb },
    { "fit", fit_cb },
    { "fold-all", fold_all_cb },
    { "fold-level", fold_level_cb, "u" },
    { "unfold-all", unfold_all_cb },
    { "search", search_cb },
    { "focus-drawing", focus_drawing_cb },
    { "find-next", find_next_cb },
    { "find-previous", find_previous_cb },
    { "copy-name", copy_name_cb },
    { "rename", rename_cb },
    { "copy-summary", copy_summary_cb, "s" },
    { "show-summary", NULL, NULL, "true", toggle_panel_cb },
    { "show-inspector", NULL, NULL, "true", toggle_panel_cb },
    { "show-legend", NULL, NULL, "true", toggle_panel_cb },
    { "show-minimap", NULL, NULL, "true", toggle_panel_cb },
    { "drawing", NULL, "s", "'data'", drawing_cb },
    { "direction", NULL, "s", "'down'", direction_cb },
    { "label-name", NULL, NULL, "true", label_cb },
    { "label-variable", NULL, NULL, "false", label_cb },
    { "label-shape", NULL, NULL, "true", label_cb },
    { "label-dtype", NULL, NULL, "false", label_cb },
    { "dim-others", NULL, NULL, "false", dim_others_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  scope_window_add_look_actions (self);
  scope_window_add_run_actions (self);
  scope_window_add_weights_actions (self);
  scope_window_add_color_actions (self);
  scope_window_add_bookmark_actions (self);
  scope_window_add_compare_actions (self);
  scope_window_add_save_actions (self);
  scope_window_add_closing_actions (self);
  scope_window_add_tab_actions (self);
}
