/* SPDX-License-Identifier: MIT */
#include "toasts.h"

#include <adwaita.h>

#include "robot.h"

static GQueue said = G_QUEUE_INIT; /* their titles */
static gboolean is_held;
static guint timeout; /* seconds; 0: theirs */

void __real_adw_toast_overlay_add_toast (AdwToastOverlay *overlay, AdwToast *toast);
void __wrap_adw_toast_overlay_add_toast (AdwToastOverlay *overlay, AdwToast *toast);

/* The program shows one by this, once that before it has left. */
void
__wrap_adw_toast_overlay_add_toast (AdwToastOverlay *overlay, AdwToast *toast)
{
  GString *title =
      g_string_new (gtk_label_get_text (GTK_LABEL (adw_toast_get_custom_title (toast))));

  g_string_replace (title, "\n", "", 0); /* it has lines, for the width of the window */
  g_queue_push_tail (&said, g_string_free (title, FALSE));
  if (is_held)
    adw_toast_set_timeout (toast, 0);
  else if (timeout > 0)
    adw_toast_set_timeout (toast, timeout);
  __real_adw_toast_overlay_add_toast (overlay, toast);
}

static GList *
find (const char *beginning)
{
  for (GList *link = said.head; link != NULL; link = link->next)
    if (g_str_has_prefix (link->data, beginning))
      return link;
  return NULL;
}

gboolean
toasts_said (const char *beginning)
{
  return find (beginning) != NULL;
}

static gboolean
is_said (gpointer data)
{
  return toasts_said (data);
}

void
toasts_wait_for (const char *beginning)
{
  robot_wait_until (is_said, (gpointer) beginning);
  GList *found = find (beginning);

  for (gboolean is_last = FALSE; !is_last;)
    {
      is_last = said.head == found;
      g_free (g_queue_pop_head (&said));
    }
}

void
toasts_hold (void)
{
  is_held = TRUE;
}

void
toasts_forget (void)
{
  g_queue_clear_full (&said, g_free);
  is_held = FALSE;
  timeout = 0;
}

void
toasts_stretch (guint seconds)
{
  timeout = seconds;
}
