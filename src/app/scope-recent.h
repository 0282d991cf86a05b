/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* Files that were opened here before, as the desktop remembers them for all programs; which of them
 * stay at the top is one of the settings. */
typedef struct {
  char *uri;
  char *name;
  char *folder; /* to be shown: "~/models" */
  gboolean is_pinned;
} ScopeRecentFile;

void scope_recent_file_free (ScopeRecentFile *self);

/* At most @max of ScopeRecentFile, those that are pinned first, then by when they were opened last.
 */
GPtrArray *scope_recent_list (ScopeSettings *settings, guint max);

/* Only files that others could open as well: none of our own samples. */
void scope_recent_add (GFile *file);

/* Also unpins it.  FALSE when that could not be written. */
gboolean scope_recent_forget (ScopeSettings *settings, const char *uri, GError **error);

/* All but those that are pinned. */
void scope_recent_clear (ScopeSettings *settings);

G_END_DECLS
