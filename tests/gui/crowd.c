/* SPDX-License-Identifier: MIT */
#include "crowd.h"

GPtrArray *
crowd_list_windows (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  GPtrArray *windows = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);

      if (gtk_widget_get_mapped (GTK_WIDGET (window)))
        g_ptr_array_add (windows, window);
    }
  return windows;
}

char *
crowd_describe_windows (void)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < windows->len; i++)
    {
      GtkWidget *focus = gtk_window_get_focus (windows->pdata[i]);

      g_string_append_printf (text, "\n%s \"%s\", %s, focus at %s",
                              G_OBJECT_TYPE_NAME (windows->pdata[i]),
                              gtk_window_get_title (windows->pdata[i]),
                              gtk_window_is_active (windows->pdata[i]) ? "active" : "not active",
                              focus != NULL ? G_OBJECT_TYPE_NAME (focus) : "nothing");
    }
  return g_string_free (text, FALSE);
}

GPtrArray *
crowd_list_widgets (GtkWidget *root, gboolean all)
{
  GPtrArray *widgets = g_ptr_array_new ();
  g_autoptr (GQueue) stack = g_queue_new ();

  for (g_queue_push_head (stack, root); !g_queue_is_empty (stack);)
    {
      GtkWidget *widget = g_queue_pop_head (stack);

      if (!all && !gtk_widget_get_mapped (widget))
        continue;
      if (all || (gtk_widget_get_can_target (widget) && gtk_widget_get_width (widget) > 0))
        g_ptr_array_add (widgets, widget);
      for (GtkWidget *child = gtk_widget_get_last_child (widget); child != NULL;
           child = gtk_widget_get_prev_sibling (child))
        g_queue_push_head (stack, child);
    }
  return widgets;
}
