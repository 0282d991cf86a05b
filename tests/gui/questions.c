/* SPDX-License-Identifier: MIT */
#include "questions.h"

#define MOMENT 400 /* milliseconds until it has moved to its place */

GtkWindow *
question_find (ScopeWindow *of)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_mapped (GTK_WIDGET (window)) &&
          (of == NULL || gtk_window_get_transient_for (window) == GTK_WINDOW (of)))
        return window;
    }
  return NULL;
}

gboolean
question_is_asked (gpointer of)
{
  return question_find (of) != NULL;
}

gboolean
question_is_not_asked (gpointer of)
{
  return !question_is_asked (of);
}

GtkWindow *
question_await (ScopeWindow *of)
{
  robot_wait_until (question_is_asked, of);
  robot_focus (question_find (of));
  robot_idle (MOMENT);
  return question_find (of);
}

static gboolean
is_closed (gpointer question)
{
  return !gtk_widget_get_mapped (question);
}

void
question_answer (ScopeWindow *of, const char *key)
{
  g_autoptr (GtkWindow) question = g_object_ref (question_await (of));

  robot_do ("key %s", key);
  robot_wait_until (is_closed, question);
}
