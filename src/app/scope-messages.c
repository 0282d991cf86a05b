/* SPDX-License-Identifier: MIT */
#include "app/scope-messages.h"

#define LOOK_MS 50 /* between two looks whether a toast has left */
#define LEAST_S 5  /* that a message stays */
#define MOST_S 20
#define LETTERS_A_SECOND 15 /* that somebody reads */
#define MOST_LINES 8
#define AROUND 104 /* pixels: what is beside the text, and the margins of the window */
#define BUTTON 140 /* pixels; that of a message that has one */
#define LEAST 120  /* pixels of text */
#define MOST 640
#define READ_MS 2000  /* that a message without a button stays when another waits */
#define COMING_MS 300 /* in which libadwaita moves a toast to its place */

typedef struct {
  char *text;
  char *label, *action, *target; /* of its button; NULL for none */
} Message;

/* Those of one overlay, which owns it. */
typedef struct {
  AdwToastOverlay *toasts;
  GQueue waiting;         /* Message */
  guint look;             /* source, 0 while none waits */
  AdwToast *shown;        /* weak; NULL for none, and for one that leaves */
  gint64 shown_at;        /* microseconds of the monotonic clock */
  AdwToast *coming;       /* NULL for none */
  gint64 arrival;         /* when its movement ends, by the clock of frames */
  gboolean is_last_frame; /* of its movement: that ends with this frame */
  gboolean leaves_later;  /* it was dismissed */
} Messages;

static void
message_free (Message *self)
{
  g_free (self->text);
  g_free (self->label);
  g_free (self->action);
  g_free (self->target);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Message, message_free)

static void
forget_waiting (Messages *self)
{
  g_queue_clear_full (&self->waiting, (GDestroyNotify) message_free);
}

static void
messages_free (gpointer data)
{
  Messages *self = data;

  g_clear_handle_id (&self->look, g_source_remove);
  forget_waiting (self);
  g_clear_weak_pointer (&self->shown);
  g_clear_object (&self->coming);
  g_free (self);
}

/* A toast is a child after what the overlay is for, until it has left. */
static gboolean
has_toast (AdwToastOverlay *toasts)
{
  return gtk_widget_get_last_child (GTK_WIDGET (toasts)) != adw_toast_overlay_get_child (toasts);
}

/* Before the overlay hears of it. */
static void
dismissed_cb (AdwToast *toast, gpointer user_data)
{
  Messages *self = g_object_get_data (user_data, "scope-messages");

  if (toast != self->coming)
    return;
  g_signal_stop_emission_by_name (toast, "dismissed");
  self->leaves_later = TRUE;
}

/* A toast says only once by itself that it is dismissed. */
static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  Messages *self = user_data;

  if (!self->is_last_frame)
    {
      self->is_last_frame = gdk_frame_clock_get_frame_time (clock) >= self->arrival;
      return G_SOURCE_CONTINUE;
    }
  g_autoptr (AdwToast) toast = g_steal_pointer (&self->coming);

  if (self->leaves_later)
    g_signal_emit_by_name (toast, "dismissed");
  return G_SOURCE_REMOVE;
}

/* With a line feed after each line; without those the text is as it was. */
static char *
break_lines (GtkWidget *label, const char *text, int width)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (label, text);
  GString *lines = g_string_new (NULL);
  guint n = 0;

  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  for (GSList *link = pango_layout_get_lines_readonly (layout); link != NULL; link = link->next)
    {
      const PangoLayoutLine *line = link->data;

      if (n++ == MOST_LINES)
        {
          g_string_append (lines, "…");
          break;
        }
      if (lines->len > 0)
        g_string_append_c (lines, '\n');
      g_string_append_len (lines, text + line->start_index, line->length);
    }
  return g_string_free (lines, FALSE);
}

/* What went wrong is told with names of files and may be long: all of it is to be read, in a narrow
 * window too.  The overlay of libadwaita 1.2 does not ask how high a text is that wraps. */
static GtkWidget *
create_title (Messages *self, const Message *message)
{
  GtkWidget *title = gtk_label_new (NULL);
  int around = message->label != NULL ? AROUND + BUTTON : AROUND;
  int room = gtk_widget_get_width (GTK_WIDGET (self->toasts)) - around;

  gtk_widget_add_css_class (title, "heading");
  g_autofree char *lines = break_lines (title, message->text, CLAMP (room, LEAST, MOST));

  gtk_label_set_text (GTK_LABEL (title), lines);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  return title;
}

static guint
count_seconds (const char *text)
{
  glong n = g_utf8_strlen (text, -1) / LETTERS_A_SECOND;

  return (guint) CLAMP (n, LEAST_S, MOST_S);
}

static void
show_next (Messages *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self->toasts));
  g_autoptr (Message) message = g_queue_pop_head (&self->waiting);
  AdwToast *toast = adw_toast_new ("");

  adw_toast_set_custom_title (toast, create_title (self, message));
  adw_toast_set_timeout (toast, count_seconds (message->text));
  if (message->label != NULL)
    {
      adw_toast_set_button_label (toast, message->label);
      adw_toast_set_action_name (toast, message->action);
      adw_toast_set_action_target (toast, "s", message->target);
    }
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), self->toasts, 0);
  g_set_weak_pointer (&self->shown, toast);
  self->shown_at = g_get_monotonic_time ();
  adw_toast_overlay_add_toast (self->toasts, toast);
  if (clock == NULL) /* nothing moves where nothing is drawn */
    return;
  g_set_object (&self->coming, toast);
  self->arrival = gdk_frame_clock_get_frame_time (clock) + COMING_MS * G_TIME_SPAN_MILLISECOND;
  self->is_last_frame = self->leaves_later = FALSE;
  gtk_widget_add_tick_callback (GTK_WIDGET (self->toasts), tick_cb, self, NULL);
}

/* What can be clicked stays its time, and what stays until it is dismissed does. */
static gboolean
can_leave (Messages *self)
{
  return self->shown != NULL && self->coming == NULL &&
         adw_toast_get_button_label (self->shown) == NULL &&
         adw_toast_get_timeout (self->shown) > 0 &&
         g_get_monotonic_time () - self->shown_at >= READ_MS * G_TIME_SPAN_MILLISECOND;
}

static void
dismiss_shown (Messages *self)
{
  AdwToast *shown = self->shown;

  g_clear_weak_pointer (&self->shown);
  adw_toast_dismiss (shown);
}

/* While texts wait. */
static gboolean
look_cb (gpointer user_data)
{
  Messages *self = user_data;

  if (gtk_widget_get_root (GTK_WIDGET (self->toasts)) == NULL) /* its window has closed */
    forget_waiting (self);
  else if (!has_toast (self->toasts))
    show_next (self);
  else if (can_leave (self))
    dismiss_shown (self);
  if (!g_queue_is_empty (&self->waiting))
    return G_SOURCE_CONTINUE;
  self->look = 0;
  return G_SOURCE_REMOVE;
}

static Messages *
get_messages (AdwToastOverlay *toasts)
{
  Messages *self = g_object_get_data (G_OBJECT (toasts), "scope-messages");

  if (self == NULL)
    {
      self = g_new0 (Messages, 1);
      self->toasts = toasts;
      g_queue_init (&self->waiting);
      g_object_set_data_full (G_OBJECT (toasts), "scope-messages", self, messages_free);
    }
  return self;
}

static void
add (AdwToastOverlay *toasts, Message *take_message)
{
  Messages *self = get_messages (toasts);

  g_queue_push_tail (&self->waiting, take_message);
  if (!has_toast (toasts))
    show_next (self);
  if (!g_queue_is_empty (&self->waiting) && self->look == 0)
    self->look = g_timeout_add (LOOK_MS, look_cb, self);
}

/* It may name a file, and a disk has names that are not UTF-8. */
static Message *
message_new (const char *text)
{
  Message *self = g_new0 (Message, 1);

  self->text = g_utf8_make_valid (text, -1);
  return self;
}

void
scope_messages_show (AdwToastOverlay *toasts, const char *text)
{
  g_return_if_fail (ADW_IS_TOAST_OVERLAY (toasts));
  g_return_if_fail (text != NULL);

  add (toasts, message_new (text));
}

void
scope_messages_offer (AdwToastOverlay *toasts,
                      const char *text,
                      const char *label,
                      const char *action,
                      const char *target)
{
  g_return_if_fail (ADW_IS_TOAST_OVERLAY (toasts));
  g_return_if_fail (text != NULL && label != NULL && action != NULL && target != NULL);

  Message *message = message_new (text);

  message->label = g_strdup (label);
  message->action = g_strdup (action);
  message->target = g_strdup (target);
  add (toasts, message);
}

/* What comes later to the same widget goes before its own. */
void
scope_messages_let_escape_close (AdwToastOverlay *overlay)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (overlay), keys);
}
