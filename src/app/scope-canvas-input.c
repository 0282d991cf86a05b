/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <math.h>

#define ZOOM_STEP 1.2
#define KEY_PAN 80.0       /* pixels */
#define DRAG_THRESHOLD 6.0 /* pixels; less is a click that shook */
#define SPOTS_BELOW 0.25   /* pixels per point; there boxes are hard to hit */
#define MISS 4.0           /* pixels; by so many they may be missed */

static gboolean
pick (ScopeCanvas *self, double px, double py, ScopeNode *node)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  double x, y;

  *node = scope_node_get_none ();
  if (layout == NULL)
    return FALSE;
  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  double scale = scope_viewport_get_scale (self->viewport);

  return scope_place_pick (layout, x, y, scale < SPOTS_BELOW ? MISS / scale : 0, node) ||
         scope_canvas_pick_line (self, px, py, node);
}

void
scope_canvas_select_here (ScopeCanvas *self, const ScopeNode *node)
{
  self->selects_here = TRUE;
  scope_document_select_node (self->document, node);
  self->selects_here = FALSE;
}

static void
mark_output (ScopeCanvas *self)
{
  SymId value = scope_document_get_selected_value (self->document);

  if (value != SYM_NO_ID)
    scope_document_toggle_mark (self->document, SCOPE_MARK_OUTPUT, value);
}

/* ---- Pointer ---- */

/* Shift marks as well: several nodes become outputs by clicking them one after the other.  Ctrl, or
 * any click while the end of a path is chosen, asks how one comes here from what was selected. */
static void
clicked_cb (GtkGestureClick *gesture, int n_press, double x, double y, ScopeCanvas *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  SymEntry before = scope_document_get_selected_entry (self->document);
  gboolean chooses = scope_document_get_focus (self->document)->trace == SCOPE_TRACE_CHOOSING;
  ScopeNode node;

  scope_canvas_hide_tip (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!pick (self, x, y, &node) &&
      (chooses || (n_press == 1 && scope_canvas_close_title_at (self, x, y)) ||
       scope_canvas_select_frame_at (self, x, y)))
    return;
  scope_canvas_select_here (self, &node);
  if (n_press == 1 && !chooses && (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) == 0 &&
      scope_canvas_use_sign_at (self, x, y))
    return;
  if (chooses || (state & GDK_CONTROL_MASK) != 0)
    {
      scope_document_trace_path (self->document, before);
      return;
    }
  if (n_press == 2 && !scope_canvas_open_selected (self))
    scope_canvas_reveal_selection (self);
  if ((state & GDK_SHIFT_MASK) != 0 && node.body == NULL)
    mark_output (self);
}

static void
menu_clicked_cb (GtkGestureClick *gesture, int n_press, double x, double y, ScopeCanvas *self)
{
  ScopeNode node;

  scope_canvas_hide_tip (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (pick (self, x, y, &node) || !scope_canvas_select_frame_at (self, x, y))
    scope_canvas_select_here (self, &node);
  scope_canvas_popup_menu (self, x, y);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, ScopeCanvas *self)
{
  self->drag_x = self->drag_y = 0;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double x, double y, ScopeCanvas *self)
{
  gboolean pans = self->drag_x != 0 || self->drag_y != 0;

  if (!pans && hypot (x, y) < DRAG_THRESHOLD)
    return;
  if (!pans)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }
  scope_viewport_pan (self->viewport, x - self->drag_x, y - self->drag_y);
  self->drag_x = x;
  self->drag_y = y;
}

static void
drag_end_cb (GtkGestureDrag *gesture, double x, double y, ScopeCanvas *self)
{
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
set_hovered (ScopeCanvas *self, const ScopeNode *node)
{
  if (scope_node_equal (&self->hovered, node))
    return;
  self->hovered = *node;
  scope_canvas_update_tip (self);
  scope_canvas_update_light (self, SCOPE_LIGHT_HOVER);
}

void
scope_canvas_update_hover (ScopeCanvas *self)
{
  ScopeNode node = scope_node_get_none ();

  if (self->document == NULL)
    return;
  if (self->has_pointer)
    pick (self, self->pointer_x, self->pointer_y, &node);
  set_hovered (self, &node);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, ScopeCanvas *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  self->has_pointer = TRUE;
  scope_canvas_update_hover (self);
  scope_canvas_await_tip (self);
}

static void
leave_cb (GtkEventControllerMotion *controller, ScopeCanvas *self)
{
  self->has_pointer = FALSE;
  scope_canvas_update_hover (self);
}

/* A wheel zooms to the pointer; two fingers on a touchpad pan, and zoom with Ctrl. */
static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, ScopeCanvas *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean is_wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  double step = is_wheel ? 1 : 0.02;

  if ((state & GDK_SHIFT_MASK) != 0)
    scope_viewport_pan (self->viewport, -(dx + dy) * (is_wheel ? KEY_PAN : 1), 0);
  else if (is_wheel || (state & GDK_CONTROL_MASK) != 0)
    scope_viewport_zoom_at (self->viewport, pow (ZOOM_STEP, -dy * step), self->pointer_x,
                            self->pointer_y);
  else
    scope_viewport_pan (self->viewport, -dx, -dy);
  return GDK_EVENT_STOP;
}

/* A touchpad tells how fast its two fingers left it. */
static void
decelerate_cb (GtkEventControllerScroll *controller, double vx, double vy, ScopeCanvas *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) == 0)
    scope_viewport_throw (self->viewport, -vx, -vy);
}

/* A drag that ends in motion goes on by itself; one that was held still before has no speed. */
static void
swipe_cb (GtkGestureSwipe *gesture, double vx, double vy, ScopeCanvas *self)
{
  if (self->drag_x != 0 || self->drag_y != 0)
    scope_viewport_throw (self->viewport, vx, vy);
}

/* What is between the fingers; leaves it when there are none, of which GTK cannot be asked. */
static void
find_fingers (GtkGesture *pinch, double *x, double *y)
{
  if (gtk_gesture_is_active (pinch))
    gtk_gesture_get_bounding_box_center (pinch, x, y);
}

static void
pinch_begin_cb (GtkGesture *gesture, GdkEventSequence *sequence, ScopeCanvas *self)
{
  self->pinch_scale = 1;
  self->pinch_x = self->pointer_x;
  self->pinch_y = self->pointer_y;
  find_fingers (gesture, &self->pinch_x, &self->pinch_y);
  scope_viewport_hold (self->viewport, TRUE);
}

/* What is between the fingers stays there: they pan as they zoom. */
static void
pinch_cb (GtkGestureZoom *gesture, double scale, ScopeCanvas *self)
{
  double x = self->pinch_x, y = self->pinch_y;

  find_fingers (GTK_GESTURE (gesture), &x, &y);
  scope_viewport_pan (self->viewport, x - self->pinch_x, y - self->pinch_y);
  if (scale > 0)
    scope_viewport_zoom_at (self->viewport, scale / self->pinch_scale, x, y);
  self->pinch_scale = scale > 0 ? scale : self->pinch_scale;
  self->pinch_x = x;
  self->pinch_y = y;
}

static void
pinch_end_cb (GtkGesture *gesture, GdkEventSequence *sequence, ScopeCanvas *self)
{
  scope_viewport_hold (self->viewport, FALSE);
}

/* ---- Keys ---- */

/* Where an arrow key leads, for each direction of drawing. */
static ScopeStep
turn (ScopeCanvas *self, ScopeStep step)
{
  static const ScopeStep turned[] = {
    [SCOPE_STEP_PARENT] = SCOPE_STEP_PREVIOUS,
    [SCOPE_STEP_CHILD] = SCOPE_STEP_NEXT,
    [SCOPE_STEP_PREVIOUS] = SCOPE_STEP_PARENT,
    [SCOPE_STEP_NEXT] = SCOPE_STEP_CHILD,
  };

  return scope_document_get_view (self->document)->direction == SYM_DIRECTION_RIGHT ? turned[step]
                                                                                    : step;
}

static void
select_item (ScopeCanvas *self, SymScene *scene, guint index)
{
  ScopeNode node = scope_place_get_node (scene, index);

  scope_canvas_select_here (self, &node);
  scope_canvas_reveal_selection (self);
}

static gboolean
step_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  SymLayout *layout = scope_canvas_get_layout (self);
  guint item, next = 0;
  int step;

  g_variant_get (args, "i", &step);
  if (scope_canvas_step_from_line (self, turn (self, (ScopeStep) step)))
    return TRUE;
  if (layout == NULL || sym_scene_get_n_items (sym_layout_get_scene (layout)) == 0)
    return FALSE;
  item = scope_place_find_node_item (layout, scope_document_get_selected (self->document));
  if (item != G_MAXUINT)
    next = scope_place_step (layout, item, turn (self, (ScopeStep) step));
  if (next != G_MAXUINT)
    select_item (self, sym_layout_get_scene (layout), next);
  return TRUE;
}

static gboolean
pan_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  int dx, dy;

  g_variant_get (args, "(ii)", &dx, &dy);
  scope_viewport_pan (SCOPE_CANVAS (widget)->viewport, dx * KEY_PAN, dy * KEY_PAN);
  return TRUE;
}

static gboolean
end_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  SymSummary *summary = scope_document_get_summary (self->document);
  gboolean last = g_variant_get_boolean (args);
  guint n = summary != NULL ? sym_summary_get_n_rows (summary) : 0;

  if (n > 0)
    scope_document_select_value (self->document,
                                 sym_summary_get_row (summary, last ? n - 1 : 0).value);
  return TRUE;
}

static void
bind_steps (GtkWidgetClass *klass)
{
  static const struct {
    guint key, keypad;
    ScopeStep step;
    int dx, dy;
  } arrows[] = {
    { GDK_KEY_Up, GDK_KEY_KP_Up, SCOPE_STEP_PARENT, 0, 1 },
    { GDK_KEY_Down, GDK_KEY_KP_Down, SCOPE_STEP_CHILD, 0, -1 },
    { GDK_KEY_Left, GDK_KEY_KP_Left, SCOPE_STEP_PREVIOUS, 1, 0 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, SCOPE_STEP_NEXT, -1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    {
      gtk_widget_class_add_binding (klass, arrows[i].key, 0, step_cb, "i", arrows[i].step);
      gtk_widget_class_add_binding (klass, arrows[i].keypad, 0, step_cb, "i", arrows[i].step);
      gtk_widget_class_add_binding (klass, arrows[i].key, GDK_SHIFT_MASK, pan_cb, "(ii)",
                                    arrows[i].dx, arrows[i].dy);
    }
}

void
scope_canvas_add_bindings (GtkWidgetClass *klass)
{
  bind_steps (klass);
  scope_canvas_add_fold_bindings (klass);
  scope_canvas_add_line_bindings (klass);
  scope_canvas_add_focus_bindings (klass);
  gtk_widget_class_add_binding (klass, GDK_KEY_Page_Up, 0, pan_cb, "(ii)", 0, 6);
  gtk_widget_class_add_binding (klass, GDK_KEY_Page_Down, 0, pan_cb, "(ii)", 0, -6);
  gtk_widget_class_add_binding (klass, GDK_KEY_Home, 0, end_cb, "b", FALSE);
  gtk_widget_class_add_binding (klass, GDK_KEY_End, 0, end_cb, "b", TRUE);
  scope_canvas_add_menu_actions (klass);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK, "win.copy-name", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_f, 0, "win.fit", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_o, 0, "win.mark-output", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_i, 0, "win.mark-input", NULL);
}

static void
add_click (ScopeCanvas *self, guint button, GCallback callback)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), button);
  g_signal_connect (click, button == GDK_BUTTON_PRIMARY ? "released" : "pressed", callback, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

/* It only looks on while the drag decides. */
static void
add_swipe (ScopeCanvas *self, GtkGesture *drag, guint button)
{
  GtkGesture *swipe = gtk_gesture_swipe_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (swipe), button);
  g_signal_connect (swipe, "swipe", G_CALLBACK (swipe_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (swipe));
  gtk_gesture_group (swipe, drag);
}

static void
add_drag (ScopeCanvas *self, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  add_swipe (self, drag, button);
}

static void
add_pinch (ScopeCanvas *self)
{
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  g_signal_connect (pinch, "end", G_CALLBACK (pinch_end_cb), self);
  g_signal_connect (pinch, "cancel", G_CALLBACK (pinch_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
}

void
scope_canvas_add_controllers (ScopeCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);

  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_MIDDLE);
  add_click (self, GDK_BUTTON_PRIMARY, G_CALLBACK (clicked_cb));
  add_click (self, GDK_BUTTON_SECONDARY, G_CALLBACK (menu_clicked_cb));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect (scroll, "decelerate", G_CALLBACK (decelerate_cb), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  add_pinch (self);
  scope_canvas_add_focus_controllers (self);
}
