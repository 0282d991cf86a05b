/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the user prefers, in all windows: a key file in the user's configuration folder, read when
 * this is made and written at each change.  "changed" tells which setting did, or
 * SCOPE_SETTINGS_PINNED, SCOPE_SETTINGS_COLUMNS. */
#define SCOPE_TYPE_SETTINGS (scope_settings_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSettings, scope_settings, SCOPE, SETTINGS, GObject)

/* Each is a number: 0 or 1, or which of some words the file has. */
typedef enum {
  SCOPE_SETTING_COLORS,    /* 0 those of the system, 1 light, 2 dark */
  SCOPE_SETTING_RESTORE,   /* opens again what was open */
  SCOPE_SETTING_THREADS,   /* of runs: which of some numbers: ask scope_settings_get_n_threads() */
  SCOPE_SETTING_DRAWING,   /* SymDrawing; this and those below are of new tabs */
  SCOPE_SETTING_DIRECTION, /* SymDirection */
  SCOPE_SETTING_NAMES,
  SCOPE_SETTING_VARIABLES,
  SCOPE_SETTING_SHAPES,
  SCOPE_SETTING_DTYPES,
  SCOPE_SETTING_TREE,         /* the summary's nodes below their groups */
  SCOPE_SETTING_EXPORT_KIND,  /* 0 SVG, 1 PNG, 2 PDF, 3 DOT: suggested for pictures, as those below
                               */
  SCOPE_SETTING_EXPORT_THEME, /* SymTheme */
  SCOPE_SETTING_EXPORT_SCALE, /* 0, 1, 2: 1×, 2×, 4× */
  SCOPE_SETTING_EXPORT_TRANSPARENT,
  SCOPE_SETTING_EXPORT_LEGEND,
} ScopeSetting;

#define SCOPE_N_SETTINGS (SCOPE_SETTING_EXPORT_LEGEND + 1)
#define SCOPE_SETTINGS_PINNED SCOPE_N_SETTINGS
#define SCOPE_SETTINGS_COLUMNS (SCOPE_N_SETTINGS + 1)

/* What stands beside a graph, as wide as the user has made it. */
typedef enum {
  SCOPE_PANE_SUMMARY,
  SCOPE_PANE_INSPECTOR,
} ScopePane;

#define SCOPE_N_PANES (SCOPE_PANE_INSPECTOR + 1)

/* Those in @path, which need not exist; NULL: where the user's are.  Keys that nobody knows are
 * kept, and values that make no sense count as missing. */
ScopeSettings *scope_settings_new (const char *path);

int scope_settings_get (ScopeSettings *self, ScopeSetting setting);

/* How many threads a run may have; 0 for one for each processor. */
guint scope_settings_get_n_threads (ScopeSettings *self);

/* It is written in a thread.  FALSE when it cannot be; should that fail later, "failed" says why,
 * with a GError.  It holds until the program ends nevertheless. */
gboolean scope_settings_set (ScopeSettings *self, ScopeSetting setting, int value, GError **error);

/* Waits until all that was set is written: before the program ends. */
void scope_settings_finish (ScopeSettings *self);

/* Why the file could not be read, and is left alone until a setting is changed; NULL when it could.
 */
const GError *scope_settings_get_error (ScopeSettings *self);

/* Addresses of files that are to stay at the top of the recent ones; borrowed, NULL-ended. */
const char *const *scope_settings_get_pinned (ScopeSettings *self);
gboolean scope_settings_set_pinned (ScopeSettings *self,
                                    const char *uri,
                                    gboolean is_pinned,
                                    GError **error);

/* Pixels; 0 for one that nobody has changed yet.  No "changed" tells of it: what is open stays as
 * it is until it is shown again. */
int scope_settings_get_pane (ScopeSettings *self, ScopePane pane);
gboolean scope_settings_set_pane (ScopeSettings *self, ScopePane pane, int width, GError **error);

/* The summary's columns as scope_columns_format() writes them; borrowed, NULL-ended; NULL while
 * they are as they always were.  Setting NULL makes them so again. */
const char *const *scope_settings_get_columns (ScopeSettings *self);
gboolean
scope_settings_set_columns (ScopeSettings *self, const char *const *columns, GError **error);

G_END_DECLS
