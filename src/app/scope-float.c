/* SPDX-License-Identifier: MIT */
#include "app/scope-float.h"

struct _ScopeFloat {
  GtkBox parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeFloat, scope_float, GTK_TYPE_BOX)

static gboolean
scope_float_contains (GtkWidget *widget, double x, double y)
{
  return FALSE;
}

static void
scope_float_class_init (ScopeFloatClass *klass)
{
  GTK_WIDGET_CLASS (klass)->contains = scope_float_contains;
}

static void
scope_float_init (ScopeFloat *self)
{
}
