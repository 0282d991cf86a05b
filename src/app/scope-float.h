/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A box that floats over the drawing: what is pointed at beside its children is the drawing. */
#define SCOPE_TYPE_FLOAT (scope_float_get_type ())
G_DECLARE_FINAL_TYPE (ScopeFloat, scope_float, SCOPE, FLOAT, GtkBox)

G_END_DECLS
