/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include "app/scope-place.h"

#define MAX_LINES 4000 /* of a trace that are lit */
#define BACK_BUTTON 8  /* at the side of a mouse, as X and Wayland number them */
#define FORWARD_BUTTON 9

/* ---- What stands out ---- */

static void
add_end (const SymLayout *layout, ScopeHighlight *light, SymEntry end)
{
  if (end.is_call)
    scope_highlight_add (light, layout, SYM_NO_ID, end.id);
  else
    scope_highlight_add (light, layout, end.id, SYM_NO_ID);
}

void
scope_canvas_collect_trace (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  const ScopeFocus *focus = scope_document_get_focus (self->document);
  SymTrace *trace = scope_document_get_trace (self->document);

  if (focus->trace == SCOPE_TRACE_NONE)
    return;
  add_end (layout, light, focus->from);
  if (focus->trace == SCOPE_TRACE_PATH)
    add_end (layout, light, focus->to);
  if (trace != NULL)
    scope_highlight_add_trace (light, layout, trace, MAX_LINES);
}

/* ---- Back and forward ---- */

/* Where a view's selection is drawn. */
static SymRect
find_place (const SymLayout *layout, const ScopeMoment *moment)
{
  SymRect rect;

  if (layout == NULL)
    return (SymRect){ 0 };
  guint frame = moment->frame != SYM_NO_GROUP
                    ? sym_scene_find_frame (sym_layout_get_scene (layout), moment->frame)
                    : SYM_NO_FRAME;

  if (frame != SYM_NO_FRAME)
    return sym_layout_get_frame_rect (layout, frame);
  return scope_place_find_node (layout, &moment->node, &rect) ? rect : (SymRect){ 0 };
}

static ScopeMoment
get_view (ScopeCanvas *self)
{
  return (ScopeMoment){ .node = *scope_document_get_selected (self->document),
                        .frame = scope_document_get_selected_frame (self->document),
                        .focus = *scope_document_get_focus (self->document) };
}

/* Which groups are seen open: those of the document may be on their way. */
static SymFolding *
get_shown_folding (ScopeCanvas *self)
{
  return self->shown_layout != NULL
             ? sym_scene_get_folding (sym_layout_get_scene (self->shown_layout))
             : NULL;
}

/* The present view as it is seen now. */
static ScopeMoment
look (ScopeCanvas *self)
{
  ScopeMoment moment = self->present;

  moment.sight = scope_viewport_get_sight (self->viewport);
  moment.place = find_place (self->shown_layout, &moment);
  moment.folding = get_shown_folding (self);
  return moment;
}

/* The history alone keeps foldings. */
static void
keep_moment (ScopeMoment *place, const ScopeMoment *moment)
{
  *place = *moment;
  place->folding = NULL;
}

/* From a part one comes back to where the whole was left. */
static void
keep_whole (ScopeCanvas *self, const ScopeMoment *before, const ScopeMoment *now)
{
  gboolean was_whole = before->focus.around == SYM_NO_ID;
  gboolean is_whole = now->focus.around == SYM_NO_ID;

  if (was_whole && !is_whole)
    keep_moment (&self->whole, before);
  if (is_whole == was_whole)
    return;
  self->comes = is_whole;
  self->coming = self->whole;
}

void
scope_canvas_keep_view (ScopeCanvas *self, guint changes)
{
  if (changes & SCOPE_CHANGE_MODEL)
    {
      scope_history_clear (self->history);
      self->present = get_view (self);
      self->comes = FALSE;
      return;
    }
  if ((changes & (SCOPE_CHANGE_SELECTION | SCOPE_CHANGE_FOCUS)) == 0 || self->goes_back)
    return;
  ScopeMoment before = look (self), now = get_view (self);

  scope_history_visit (self->history, &before, &now);
  keep_whole (self, &before, &now);
  self->present = now;
}

static void
show_moment (ScopeCanvas *self, const ScopeMoment *moment, gboolean at_once)
{
  SymRect place = find_place (scope_canvas_get_layout (self), moment);
  ScopeSight sight = moment->sight;

  if (place.width > 0 && moment->place.width > 0)
    {
      sight.x += place.x - moment->place.x;
      sight.y += place.y - moment->place.y;
    }
  scope_viewport_go_to (self->viewport, &sight, at_once);
}

/* ---- A view of another session ---- */

ScopeMiddle
scope_canvas_get_middle (ScopeCanvas *self)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  ScopeMiddle middle = { visible.x + visible.width / 2, visible.y + visible.height / 2, 0,
                         scope_viewport_is_fitted (self->viewport) };

  if (self->wish.scale > 0)
    return self->wish;
  if (visible.width > 0 && self->shown_picture != NULL && !self->shows_preview)
    middle.scale = scope_viewport_get_scale (self->viewport);
  return middle;
}

void
scope_canvas_grant_wish (ScopeCanvas *self)
{
  double scale = self->wish.scale;
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  ScopeSight sight = { self->wish.x - width / 2 / scale, self->wish.y - height / 2 / scale, scale };

  if (scale <= 0 || self->shown_picture == NULL || self->shows_preview || width <= 0 ||
      (self->wish_after != NULL && self->wish_after == self->shown_layout))
    return;
  self->wish.scale = 0;
  self->wish_after = NULL;
  if (self->wish.is_fitted)
    scope_viewport_fit (self->viewport);
  else
    scope_viewport_go_to (self->viewport, &sight, TRUE);
}

void
scope_canvas_show_middle (ScopeCanvas *self, const ScopeMiddle *middle)
{
  self->wish = *middle;
  self->wish_after = NULL;
  scope_canvas_grant_wish (self);
}

void
scope_canvas_recall (ScopeCanvas *self, const ScopeMemory *memory)
{
  g_return_if_fail (SCOPE_IS_CANVAS (self) && memory != NULL);

  gboolean is_drawn_anew = scope_document_recall (self->document, memory);

  self->wish = scope_memory_get_middle (memory);
  self->wish_after = is_drawn_anew ? self->shown_layout : NULL;
  scope_canvas_grant_wish (self);
}

gboolean
scope_canvas_come_back (ScopeCanvas *self)
{
  if (!self->comes)
    return FALSE;
  self->comes = FALSE;
  show_moment (self, &self->coming, TRUE);
  return TRUE;
}

gboolean
scope_canvas_can_go (ScopeCanvas *self, gboolean forward)
{
  g_return_val_if_fail (SCOPE_IS_CANVAS (self), FALSE);

  return scope_history_can_go (self->history, forward);
}

/* Opens and closes groups as they were; in a part of its own nothing is folded.  TRUE when another
 * layout will come of it. */
static gboolean
fold_again (ScopeCanvas *self, const ScopeMoment *moment)
{
  return moment->focus.around == SYM_NO_ID && moment->folding != NULL &&
         scope_document_set_folding (self->document, moment->folding);
}

void
scope_canvas_go (ScopeCanvas *self, gboolean forward)
{
  g_return_if_fail (SCOPE_IS_CANVAS (self));

  ScopeMoment before = look (self);
  const ScopeMoment *moment = scope_history_go (self->history, forward, &before);

  if (moment == NULL)
    return;
  keep_moment (&self->present, moment);
  keep_moment (&self->coming, moment);
  self->goes_back = TRUE;
  scope_document_set_focus (self->document, &moment->focus);
  gboolean folds = fold_again (self, moment);

  self->comes = folds || moment->focus.around != self->shown_around;
  if (moment->frame != SYM_NO_GROUP)
    scope_document_select_frame (self->document, moment->frame);
  else
    scope_document_select_node (self->document, &moment->node);
  self->goes_back = FALSE;
  if (before.focus.around == SYM_NO_ID && moment->focus.around != SYM_NO_ID)
    keep_moment (&self->whole, &before);
  if (!self->comes)
    show_moment (self, moment, FALSE);
}

/* ---- Keys and buttons ---- */

/* Ends one thing after the other: trace or path, neighbourhood, search, selection. */
static gboolean
end_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeDocument *document = SCOPE_CANVAS (widget)->document;
  const ScopeFocus *focus = scope_document_get_focus (document);

  if (focus->trace != SCOPE_TRACE_NONE)
    scope_document_end_trace (document);
  else if (focus->around != SYM_NO_ID)
    scope_document_show_whole (document);
  else if (scope_document_has_search (document))
    scope_document_take_found (document, NULL, NULL);
  else
    scope_document_select_value (document, SYM_NO_ID);
  return TRUE;
}

static gboolean
hops_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeDocument *document = SCOPE_CANVAS (widget)->document;

  if (scope_document_get_model (document) == NULL)
    return FALSE;
  scope_document_set_hops (document, g_variant_get_uint32 (args));
  if (scope_document_get_focus (document)->around == SYM_NO_ID)
    scope_document_look_around (document);
  return TRUE;
}

void
scope_canvas_add_focus_bindings (GtkWidgetClass *klass)
{
  static const struct {
    guint key;
    const char *kind;
  } traces[] = {
    { GDK_KEY_a, "ancestors" },
    { GDK_KEY_d, "descendants" },
    { GDK_KEY_b, "both" },
    { GDK_KEY_p, "path" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    gtk_widget_class_add_binding_action (klass, traces[i].key, 0, "win.trace", "s", traces[i].kind);
  for (guint hops = 1; hops <= 9; hops++)
    {
      gtk_widget_class_add_binding (klass, GDK_KEY_0 + hops, 0, hops_cb, "u", hops);
      gtk_widget_class_add_binding (klass, GDK_KEY_KP_0 + hops, 0, hops_cb, "u", hops);
    }
  gtk_widget_class_add_binding_action (klass, GDK_KEY_n, 0, "win.look-around", NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, end_cb, NULL);
}

static void
side_button_cb (GtkGestureClick *gesture, int n_press, double x, double y, ScopeCanvas *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  gtk_widget_activate_action (GTK_WIDGET (self),
                              button == FORWARD_BUTTON ? "win.forward" : "win.back", NULL);
}

void
scope_canvas_add_focus_controllers (ScopeCanvas *self)
{
  static const guint buttons[] = { BACK_BUTTON, FORWARD_BUTTON };

  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      GtkGesture *click = gtk_gesture_click_new ();

      gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), buttons[i]);
      g_signal_connect (click, "pressed", G_CALLBACK (side_button_cb), self);
      gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
    }
}
