/* SPDX-License-Identifier: MIT */
#include "app/scope-icons.h"

static void (*dispose) (GObject *object); /* GTK's own */
static GThread *main_thread;

/* While an object is disposed of it is there still: who takes a reference keeps it. */
static void
dispose_later (GObject *icon)
{
  if (g_thread_self () == main_thread)
    dispose (icon);
  else
    g_idle_add_once ((GSourceOnceFunc) g_object_unref, g_object_ref (icon));
}

void
scope_icons_keep_to_main_thread (void)
{
  GObjectClass *klass = g_type_class_ref (GTK_TYPE_ICON_PAINTABLE);

  g_return_if_fail (dispose == NULL);

  main_thread = g_thread_self ();
  dispose = klass->dispose;
  klass->dispose = dispose_later;
}
