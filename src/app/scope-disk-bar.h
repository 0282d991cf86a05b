/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Tells that the file of a document has changed on the disk, and asks what to do, or that it has
 * gone. */
#define SCOPE_TYPE_DISK_BAR (scope_disk_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeDiskBar, scope_disk_bar, SCOPE, DISK_BAR, GtkWidget)

GtkWidget *scope_disk_bar_new (ScopeDocument *document);

/* FALSE as long as there is nothing to tell, and so no need of one. */
gboolean scope_disk_bar_is_wanted (ScopeDocument *document);

G_END_DECLS
