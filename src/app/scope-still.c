/* SPDX-License-Identifier: MIT */
#include "app/scope-still.h"

#include <gtk/gtk.h>

#define ANIMATED "gtk-enable-animations"

static guint n_begun;

void
scope_still_begin (void)
{
  if (n_begun++ == 0)
    g_object_set (gtk_settings_get_default (), ANIMATED, FALSE, NULL);
}

/* It is again as the desktop has it. */
void
scope_still_end (void)
{
  g_return_if_fail (n_begun > 0);

  if (--n_begun == 0)
    gtk_settings_reset_property (gtk_settings_get_default (), ANIMATED);
}
