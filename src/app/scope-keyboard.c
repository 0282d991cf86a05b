/* SPDX-License-Identifier: MIT */
#include "app/scope-keyboard.h"

#define KEY "symscope-keyboard"

/* ---- Popovers ---- */

typedef struct {
  GtkWindow *window;
  GtkWidget *last;    /* that had it outside popovers; NULL when it is gone */
  GtkWidget *popover; /* that has it, or had it last */
  GtkWidget *before;  /* that had it before that one */
  guint source;
} Keeper;

static GtkWidget *
find_popover (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
}

/* GTK leaves it in the popover, or gives it to the button that opened it. */
static gboolean
is_left_over (Keeper *self)
{
  GtkWidget *focus = gtk_window_get_focus (self->window);
  GtkWidget *button = gtk_widget_get_parent (self->popover);

  return focus == NULL || gtk_widget_is_ancestor (focus, self->popover) ||
         (button != NULL && gtk_widget_is_ancestor (focus, button));
}

static gboolean
give_back_cb (gpointer user_data)
{
  Keeper *self = user_data;

  self->source = 0;
  if (self->popover == NULL || gtk_widget_get_mapped (self->popover) || !is_left_over (self))
    return G_SOURCE_REMOVE;
  if (self->before != NULL && gtk_widget_get_mapped (self->before))
    gtk_window_set_focus (self->window, self->before);
  else if (find_popover (self->window) != NULL)
    gtk_window_set_focus (self->window, NULL);
  return G_SOURCE_REMOVE;
}

/* Only when all is done that hides it. */
static void
give_back_soon (Keeper *self)
{
  if (self->source == 0)
    self->source = g_idle_add (give_back_cb, self);
}

static void
watch_popover (Keeper *self, GtkWidget *popover)
{
  if (self->popover == popover)
    return;
  if (self->popover != NULL)
    g_signal_handlers_disconnect_by_func (self->popover, give_back_soon, self);
  g_set_weak_pointer (&self->popover, popover);
  if (popover != NULL)
    g_signal_connect_swapped (popover, "unmap", G_CALLBACK (give_back_soon), self);
}

static void
focus_changed (Keeper *self)
{
  GtkWidget *focus = gtk_window_get_focus (self->window);
  GtkWidget *popover = find_popover (self->window);

  if (focus != NULL && popover == NULL)
    g_set_weak_pointer (&self->last, focus);
  if (popover == NULL)
    return;
  if (gtk_widget_get_mapped (popover))
    g_set_weak_pointer (&self->before, self->last);
  else
    give_back_soon (self);
  watch_popover (self, popover);
}

static void
free_keeper (gpointer data)
{
  Keeper *self = data;

  g_clear_handle_id (&self->source, g_source_remove);
  watch_popover (self, NULL);
  g_clear_weak_pointer (&self->last);
  g_clear_weak_pointer (&self->before);
  g_free (self);
}

void
scope_keyboard_keep (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  Keeper *self = g_new0 (Keeper, 1);

  self->window = window;
  g_object_set_data_full (G_OBJECT (window), KEY, self, free_keeper);
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (focus_changed), self);
}

/* ---- Texts ---- */

/* Of a window: the text that was typed in last. */
#define TYPING "symscope-typing"

typedef struct {
  GtkWidget *text; /* weak; NULL when the graph was edited since */
} Typing;

static void
free_typing (gpointer data)
{
  Typing *self = data;

  g_clear_weak_pointer (&self->text);
  g_free (self);
}

static gboolean
changes_text (guint key, GdkModifierType state)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return key == GDK_KEY_BackSpace || key == GDK_KEY_v || key == GDK_KEY_x;
  return key == GDK_KEY_BackSpace || key == GDK_KEY_Delete ||
         g_unichar_isprint (gdk_keyval_to_unicode (key));
}

/* Some have no history of their own. */
static gboolean
undoes_typing (const Typing *self, GtkWidget *focus, guint key, GdkModifierType state)
{
  return (state & GDK_CONTROL_MASK) != 0 &&
         (key == GDK_KEY_z || key == GDK_KEY_Z || key == GDK_KEY_y) && self->text == focus &&
         gtk_editable_get_enable_undo (GTK_EDITABLE (focus));
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        GtkWindow *window)
{
  Typing *self = g_object_get_data (G_OBJECT (window), TYPING);
  GtkWidget *focus = gtk_window_get_focus (window);

  if (!GTK_IS_TEXT (focus))
    return FALSE;
  if (changes_text (key, state))
    g_set_weak_pointer (&self->text, focus);
  return (undoes_typing (self, focus, key, state) ||
          ((state & GDK_CONTROL_MASK) != 0 && key == GDK_KEY_BackSpace)) &&
         gtk_event_controller_key_forward (keys, focus);
}

void
scope_keyboard_let_texts_edit (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window) && gtk_window_get_application (window) != NULL);

  GtkEventController *keys = gtk_event_controller_key_new ();

  g_object_set_data_full (G_OBJECT (window), TYPING, g_new0 (Typing, 1), free_typing);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), window);
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
}

void
scope_keyboard_end_typing (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  Typing *self = g_object_get_data (G_OBJECT (window), TYPING);

  if (self != NULL)
    g_clear_weak_pointer (&self->text);
}
