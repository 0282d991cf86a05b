/* SPDX-License-Identifier: MIT */
#include "app/scope-copying.h"

#define LAST "symscope-copying" /* of a clipboard: the copying that has begun last */

struct _ScopeCopying {
  GtkWidget *widget;
  GdkClipboard *clipboard;
  GdkContentProvider *content; /* what was there; NULL for what is another program's */
  GdkContentFormats *formats;
  gboolean is_overtaken;
};

/* Wayland tells of what another program has copied each time when a window gets the keyboard: what
 * is of the same formats is taken for the same. */
static void
changed_cb (ScopeCopying *self)
{
  g_autofree char *before = gdk_content_formats_to_string (self->formats);
  g_autofree char *now =
      gdk_content_formats_to_string (gdk_clipboard_get_formats (self->clipboard));

  if (gdk_clipboard_get_content (self->clipboard) != self->content || !g_str_equal (now, before))
    self->is_overtaken = TRUE;
}

ScopeCopying *
scope_copying_new (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);

  ScopeCopying *self = g_new0 (ScopeCopying, 1);
  ScopeCopying *last;

  self->widget = g_object_ref (widget);
  self->clipboard = g_object_ref (gtk_widget_get_clipboard (widget));
  g_set_object (&self->content, gdk_clipboard_get_content (self->clipboard));
  self->formats = gdk_content_formats_ref (gdk_clipboard_get_formats (self->clipboard));
  g_signal_connect_swapped (self->clipboard, "changed", G_CALLBACK (changed_cb), self);
  last = g_object_get_data (G_OBJECT (self->clipboard), LAST);
  if (last != NULL)
    last->is_overtaken = TRUE;
  g_object_set_data (G_OBJECT (self->clipboard), LAST, self);
  return self;
}

void
scope_copying_free (ScopeCopying *self)
{
  g_signal_handlers_disconnect_by_data (self->clipboard, self);
  if (g_object_get_data (G_OBJECT (self->clipboard), LAST) == self)
    g_object_set_data (G_OBJECT (self->clipboard), LAST, NULL);
  gdk_content_formats_unref (self->formats);
  g_clear_object (&self->content);
  g_object_unref (self->clipboard);
  g_object_unref (self->widget);
  g_free (self);
}

GtkWidget *
scope_copying_get_widget (ScopeCopying *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->widget;
}

gboolean
scope_copying_is_overtaken (ScopeCopying *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->is_overtaken;
}
