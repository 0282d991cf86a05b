/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include "app/scope-menu.h"

#define PAUSE 1000 /* milliseconds; after it, one types another name */

/* ---- Where the keyboard is ---- */

static gboolean
is_in_header (ScopeSummary *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->table);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  return focus != NULL && gtk_widget_is_ancestor (focus, header);
}

/* The row around a cell can have the keyboard, so that arrows go on from there. */
static gboolean
focus_row (ScopeSummary *self, guint position)
{
  GtkWidget *cell = scope_summary_find_cell (self, position);

  for (; cell != NULL && cell != self->table; cell = gtk_widget_get_parent (cell))
    if (gtk_widget_get_focusable (cell))
      return gtk_widget_grab_focus (cell);
  return FALSE;
}

static void
go_to (ScopeSummary *self, guint position)
{
  scope_summary_select_position (self, position);
  scope_summary_scroll_to (self, position);
  focus_row (self, position);
}

static gboolean
focus_rows (ScopeSummary *self)
{
  guint position = scope_summary_get_selected (self);

  if (position != G_MAXUINT)
    {
      scope_summary_scroll_to (self, position);
      if (focus_row (self, position))
        return TRUE;
    }
  return gtk_widget_child_focus (scope_summary_get_list (self), GTK_DIR_TAB_FORWARD);
}

/* Past the headings; where there are no rows there may be a button that brings them back. */
static gboolean
leave_headings (ScopeSummary *self)
{
  if (focus_rows (self))
    return TRUE;
  if (self->empty != NULL && gtk_widget_get_mapped (self->empty) &&
      gtk_widget_child_focus (self->empty, GTK_DIR_TAB_FORWARD))
    return TRUE;
  return gtk_widget_grab_focus (self->totals);
}

/* Tab leads from row to row in GTK 4.8; nobody would get past 100,000 of them.  Arrows do that.
 * Headings are one stop on the way, too. */
static gboolean
leave (ScopeSummary *self, gboolean backward)
{
  if (is_in_header (self))
    return backward ? gtk_widget_grab_focus (self->more) : leave_headings (self);
  if (backward)
    return scope_summary_focus_heading (self);
  return gtk_widget_grab_focus (self->totals);
}

/* ---- Groups ---- */

static gboolean
fold (ScopeSummary *self, gboolean closes)
{
  guint position = scope_summary_get_selected (self);
  SymFolding *folding = scope_document_get_folding (self->document);
  guint group, around;

  if (position == G_MAXUINT || !scope_row_list_folds (self->rows) || folding == NULL)
    return GDK_EVENT_PROPAGATE;
  group = scope_row_list_get_group (self->rows, position);
  if (group != SYM_NO_GROUP && sym_folding_is_open (folding, group) == closes)
    return scope_summary_toggle_group (self, position);
  if (!closes)
    return GDK_EVENT_PROPAGATE;
  around = scope_row_list_find_around (self->rows, position);
  if (around != G_MAXUINT)
    go_to (self, around);
  return GDK_EVENT_STOP;
}

/* ---- Typing a name ---- */

static const char *
get_name (ScopeSummary *self, guint position)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  SymSummaryViewRow row =
      sym_summary_view_get_row (view, scope_row_list_get_row (self->rows, position));

  if (row.group != SYM_NO_GROUP)
    return sym_groups_get (sym_summary_view_get_tree (view), row.group)->name;
  return sym_summary_get_row (sym_summary_view_get_summary (view), row.row).layer;
}

/* From the selected row on: the first letter goes to the next one, more stay as long as it fits. */
static guint
find_typed (ScopeSummary *self, gboolean is_new)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  guint start = scope_summary_get_selected (self);

  if (start == G_MAXUINT)
    start = is_new ? n - 1 : 0;
  for (guint i = 0; i < n; i++)
    {
      guint position = (start + i + (is_new ? 1 : 0)) % n;

      if (g_ascii_strncasecmp (get_name (self, position), self->typed->str, self->typed->len) == 0)
        return position;
    }
  return G_MAXUINT;
}

/* @time: of the event, for a busy machine may be told late of keys that followed each other. */
static gboolean
type (ScopeSummary *self, guint key, guint32 time)
{
  gunichar character = gdk_keyval_to_unicode (key);
  gboolean is_new = self->typed->len == 0 || time - self->typed_at > PAUSE;
  guint position;

  if (character == 0 || !g_unichar_isgraph (character) ||
      g_list_model_get_n_items (G_LIST_MODEL (self->rows)) == 0)
    return GDK_EVENT_PROPAGATE;
  if (is_new)
    g_string_truncate (self->typed, 0);
  g_string_append_unichar (self->typed, character);
  self->typed_at = time;
  position = find_typed (self, is_new);
  if (position != G_MAXUINT)
    go_to (self, position);
  else
    gtk_widget_error_bell (self->table);
  return GDK_EVENT_STOP;
}

/* ---- Keys and buttons ---- */

static gboolean
row_key (ScopeSummary *self, guint key, GdkModifierType modifiers, guint32 time)
{
  if (modifiers == 0 && (key == GDK_KEY_Left || key == GDK_KEY_KP_Left))
    return fold (self, TRUE);
  if (modifiers == 0 && (key == GDK_KEY_Right || key == GDK_KEY_KP_Right))
    return fold (self, FALSE);
  if (modifiers == 0 || modifiers == GDK_SHIFT_MASK)
    return type (self, key, time);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        ScopeSummary *self)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  guint32 time = gtk_event_controller_get_current_event_time (GTK_EVENT_CONTROLLER (controller));

  if (key == GDK_KEY_Tab && modifiers == 0)
    return leave (self, FALSE);
  if (key == GDK_KEY_ISO_Left_Tab && modifiers == GDK_SHIFT_MASK)
    return leave (self, TRUE);
  return is_in_header (self) ? GDK_EVENT_PROPAGATE : row_key (self, key, modifiers, time);
}

static void
menu_clicked_cb (ScopeSummary *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  guint column, position = scope_summary_pick_row (self, x, y);
  GtkWidget *heading = scope_summary_pick_heading (self, x, y, &column);

  if (heading != NULL)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      scope_summary_popup_column_menu (self, heading, column);
      return;
    }
  if (position == G_MAXUINT)
    return;
  /* Of several that are selected, the menu is that of all. */
  if (!gtk_selection_model_is_selected (self->selection, position))
    scope_summary_select_position (self, position);
  focus_row (self, position);
  scope_summary_popup (self, scope_menu_get ("menu"), self->table, x, y);
}

static gboolean
menu_key_cb (GtkWidget *table, GVariant *args, gpointer user_data)
{
  ScopeSummary *self = user_data;
  guint position = scope_summary_get_selected (self);
  GtkWidget *cell = position != G_MAXUINT ? scope_summary_find_cell (self, position) : NULL;

  if (cell == NULL || is_in_header (self))
    return GDK_EVENT_PROPAGATE;
  scope_summary_popup (self, scope_menu_get ("menu"), cell, 0, gtk_widget_get_height (cell));
  return GDK_EVENT_STOP;
}

static gboolean
copy_key_cb (GtkWidget *table, GVariant *args, gpointer user_data)
{
  if (is_in_header (user_data))
    return GDK_EVENT_PROPAGATE;
  scope_summary_copy_rows (user_data);
  return GDK_EVENT_STOP;
}

/* Enter, or a second click: a group opens or closes, of a node there is more to read. */
static void
activate_cb (ScopeSummary *self, guint position)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autoptr (GVariant) state = NULL;

  if (scope_summary_toggle_group (self, position))
    return;
  scope_summary_select_position (self, position);
  if (!G_IS_ACTION_GROUP (root))
    return;
  state = g_action_group_get_action_state (G_ACTION_GROUP (root), "show-inspector");
  if (state != NULL && !g_variant_get_boolean (state))
    g_action_group_activate_action (G_ACTION_GROUP (root), "show-inspector", NULL);
}

static void
add_gestures (ScopeSummary *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();
  GtkShortcutTrigger *trigger = gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10");

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (menu_clicked_cb), self);
  gtk_widget_add_controller (self->table, GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (trigger, gtk_callback_action_new (menu_key_cb, self, NULL)));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_c, GDK_CONTROL_MASK),
                        gtk_callback_action_new (copy_key_cb, self, NULL)));
  gtk_widget_add_controller (self->table, shortcuts);
}

void
scope_summary_add_keys (ScopeSummary *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->table, keys);
  g_signal_connect_swapped (self->table, "activate", G_CALLBACK (activate_cb), self);
  add_gestures (self);
}
