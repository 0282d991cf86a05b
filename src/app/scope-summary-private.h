/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-row-list.h"
#include "app/scope-sheet.h"
#include "app/scope-summary.h"

G_BEGIN_DECLS

#define SCOPE_SUMMARY_GROUP_WEIGHT PANGO_WEIGHT_SEMIBOLD

/* Shared by scope-summary.c (what the document says) and the files beside it, one for each part. */
struct _ScopeSummary {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeSettings *settings;
  ScopeRowList *rows;
  GtkSelectionModel *selection; /* several at once */
  GCancellable *cancellable;    /* of the rows that are being sorted; NULL for none */
  ScopeRowsView sorted;         /* what the rows are, or will be when that is done */
  gboolean has_hits;            /* and whether they are only what was found */
  gboolean is_syncing;          /* the selection follows the document */
  gboolean selects_here;        /* the document follows the selection */
  gboolean is_behind; /* the selection is not scrolled to: the table is not on the screen */
  double left_at;     /* pixels that it was scrolled by before it got another window */
  double list_height; /* pixels, when it was told last; 0: not yet */
  gboolean is_at_top; /* then */
  gboolean slid;      /* from there, and is to go back */
  guint scrolling;    /* tick callback that scrolls there, or else to what is selected; 0: none */
  guint n_frames;     /* that it waits for yet */

  GHashTable *bound; /* GtkListItem, borrowed, of every cell that is on the screen */
  int *widths; /* pixels, by scope_summary_get_columns(); 0 where not measured yet, NULL: none is */
  int *wishes; /* likewise, at which nothing would be elided; of those that are measured */
  int *extras; /* likewise, of the room that is left over; NULL: none has any */
  gboolean has_other_texts;    /* rows that come are not as wide as those that are there */
  guint font;                  /* a hash of that which they were measured in */
  gboolean has_groups;         /* and whether there were any among the rows */
  const ScopeColumn *naming;   /* of those shown the first, whose cells name their rows */
  const ScopeColumn *starring; /* whose cells have the stars of outputs: that of numbers, or the
                                * first where that is hidden */

  GArray *places;     /* of ScopeColumnPlace: what stands in the table now */
  GPtrArray *columns; /* of GtkColumnViewColumn, by scope_summary_get_columns() */
  guint n_shown;      /* columns that are in the table */
  guint left_out;     /* a bit for each that has no room in it */
  guint fitting;      /* the idle source that looks for room; 0 for none */
  guint asked;        /* the column whose sorter was asked last; G_MAXUINT for none */
  gboolean is_arranging;
  guint saving; /* source: columns are written when they rest; 0 for none */
  GtkFileChooserNative *chooser;

  GString *typed;   /* the beginning of a layer's name */
  guint32 typed_at; /* of the event, milliseconds */

  GtkWidget *box;
  GtkWidget *search;
  GtkWidget *table;
  GtkWidget *body;
  GtkWidget *empty; /* NULL until there were no rows */
  GtkWidget *more;
  GtkWidget *totals;
  GtkWidget *total;
  GtkWidget *trainable;
  GtkWidget *non_trainable;
  GtkWidget *bytes;
  GtkWidget *multiply_adds;
  GtkWidget *peak;
  GtkWidget *taken;
};

/* ---- scope-summary.c ---- */

/* The list of the table, which is its own. */
GtkWidget *scope_summary_get_list (ScopeSummary *self);

/* The place of the row that is selected, or leads several; G_MAXUINT for none. */
guint scope_summary_get_selected (ScopeSummary *self);
void scope_summary_select_position (ScopeSummary *self, guint position);

/* What the document has selected, without scrolling to it. */
void scope_summary_show_selection (ScopeSummary *self);
void
scope_summary_popup (ScopeSummary *self, GMenuModel *menu, GtkWidget *widget, double x, double y);

/* ---- scope-summary-scroll.c ---- */

GtkAdjustment *scope_summary_get_adjustment (ScopeSummary *self);

/* So that a row is seen, now or as soon as the table is on the screen. */
void scope_summary_scroll_to (ScopeSummary *self, guint position);

/* Where it was in another window, or else to what is selected, once its rows have places. */
void scope_summary_scroll_later (ScopeSummary *self);
void scope_summary_watch_screen (ScopeSummary *self);

/* ---- scope-summary-cells.c ---- */

GtkListItemFactory *scope_summary_create_factory (ScopeSummary *self, const ScopeColumn *column);
void scope_summary_refresh_cells (ScopeSummary *self);

/* What the cell of a row shows, with the star of an output.  To be freed. */
char *scope_summary_write_cell (ScopeSummary *self, guint index, const ScopeColumn *column);

/* The place of the row that is shown at a place of a widget in the table; G_MAXUINT for none. */
guint scope_summary_pick_row (ScopeSummary *self, double x, double y);

/* What a cell of that row shows it in; NULL when it is not on the screen. */
GtkWidget *scope_summary_find_cell (ScopeSummary *self, guint position);

/* Opens or closes the group whose row it is.  FALSE when it is none. */
gboolean scope_summary_toggle_group (ScopeSummary *self, guint position);

/* ---- scope-summary-widths.c ---- */

/* Of the texts of a column, as its labels show them, in pixels. */
int scope_summary_get_width (ScopeSummary *self, const ScopeColumn *column);

/* The same without what it was given of room that is left over, and with as much as it could use.
 */
int scope_summary_get_own_width (ScopeSummary *self, const ScopeColumn *column);
int scope_summary_get_wish (ScopeSummary *self, const ScopeColumn *column);

/* The rows are others. */
void scope_summary_forget_widths (ScopeSummary *self);

/* Other columns are wanted. */
void scope_summary_choose_starring (ScopeSummary *self);

/* ---- scope-summary-header.c ---- */

void scope_summary_add_columns (ScopeSummary *self);

/* As the settings have them. */
void scope_summary_show_columns (ScopeSummary *self);

/* Those of the document's view. */
void scope_summary_show_sort (ScopeSummary *self);

/* Sorts by it; the other way round; not any more. */
void scope_summary_cycle_sort (ScopeSummary *self, guint column);
void scope_summary_take_places (ScopeSummary *self, GArray *take_places);
void scope_summary_write_columns (ScopeSummary *self);
void scope_summary_move_column (ScopeSummary *self, guint column, int step);

/* The heading at a place of the table; NULL for none.  @column receives whose it is. */
GtkWidget *scope_summary_pick_heading (ScopeSummary *self, double x, double y, guint *column);
gboolean scope_summary_focus_heading (ScopeSummary *self);

/* NULL for that of a column that is not in the table. */
GtkWidget *scope_summary_get_heading (ScopeSummary *self, guint column);

/* Whether a column is to be shown, should there be room for it. */
gboolean scope_summary_wants_column (ScopeSummary *self, const ScopeColumnPlace *place);

/* ---- scope-summary-window.c ---- */

/* Before its rows lose their window, and before they get another one: a moment later they, and what
 * is selected of them, are as they were. */
void scope_summary_leave_window (ScopeSummary *self);
void scope_summary_enter_window (ScopeSummary *self);

/* ---- scope-summary-room.c ---- */

/* As wide as it is by itself, in pixels. */
int scope_summary_measure_column (ScopeSummary *self, const ScopeColumn *column);

/* Looks again which columns there is room for, and how wide; whether that differs from before. */
gboolean scope_summary_find_room (ScopeSummary *self);

/* The same, and shows those. */
void scope_summary_fit_columns (ScopeSummary *self);
void scope_summary_hold_headings (ScopeSummary *self); /* as wide as their columns are */
gboolean scope_summary_is_left_out (ScopeSummary *self, guint column);
void scope_summary_watch_room (ScopeSummary *self);

/* The pane becomes as wide as the columns need, and no narrower than somebody has made it. */
void scope_summary_fit_pane (ScopeSummary *self);

/* ---- scope-summary-keys.c ---- */

void scope_summary_add_keys (ScopeSummary *self);

/* ---- scope-summary-menu.c ---- */

/* Gives the summary its menus: columns, order, and the table as text, copied or saved.  Their
 * actions are those of a group "table" of the widget. */
void scope_summary_add_actions (ScopeSummary *self);
void scope_summary_update_actions (ScopeSummary *self);
void scope_summary_popup_column_menu (ScopeSummary *self, GtkWidget *heading, guint column);

/* ---- scope-summary-copy.c, scope-summary-empty.c ---- */

void scope_summary_copy_rows (ScopeSummary *self);
void scope_summary_show_emptiness (ScopeSummary *self, gboolean is_empty);
void scope_summary_clear_search (GtkWidget *widget, const char *action, GVariant *parameter);

G_END_DECLS
