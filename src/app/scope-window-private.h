/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-export-dialog.h"
#include "app/scope-settings.h"
#include "app/scope-window.h"

G_BEGIN_DECLS

typedef void (*ScopeWindowFileFunc) (ScopeWindow *self, GFile *file);
typedef void (*ScopeWindowSaveFunc) (ScopeWindow *self, GFile *file, const SymIoFormat *format);

/* Shared by scope-window.c (what is in front) and the files beside it, one for each side of it. */
struct _ScopeWindow {
  AdwApplicationWindow parent_instance;

  ScopeSettings *settings;
  ScopeView view;          /* of new tabs */
  ScopeDocument *document; /* whose changes are watched: that of the page in front */
  const char *told;        /* interned: the layout's last message */
  ScopeRoom room;
  ScopePanels panels;              /* that are wanted */
  ScopePanels wide_panels;         /* those at the sides, when there is room again */
  GtkFileChooserNative *chooser;   /* one at a time */
  GFile *folder;                   /* of the last file that one was about; NULL for none */
  GtkWindow *run_dialog;           /* weak; NULL when there is none */
  GtkWindow *export_dialog;        /* likewise */
  GtkWindow *bookmarks_dialog;     /* likewise */
  ScopeExportChoice export_choice; /* the last one */

  AdwTabPage *menu_tab; /* that a menu is open on, weak; NULL for none */
  GPtrArray *attached;  /* of AdwTabPage, borrowed: those there are, and one that is going */
  GPtrArray *closed;    /* of GFile: what was closed last, at the end */
  GPtrArray *closing;   /* of AdwTabPage: those that close in the next turns of the main loop */
  guint finishing;      /* the source of those; 0 for none */
  guint n_to_close;     /* wished for meanwhile: tabs after those */

  ScopeWindowFileFunc file_func;   /* of the chooser that asks for a file */
  ScopeWindowSaveFunc save_func;   /* of the chooser that asks where to save */
  ScopeWindowFileFunc folder_func; /* of the one that asks for a folder of values */
  gboolean saves_all_values;       /* or outputs only */
  AdwTabPage *saved_tab;           /* a reference: to be closed when that is done; NULL: none */
  AdwTabPage *refused_tab;         /* a reference: what cannot be in its own file; NULL: none */
  guint n_saving;                  /* documents on their way to files */
  gboolean closes_after_saving;
  gboolean quits, is_asked_to_quit; /* the whole program ends; just now it is begun with this */

  AdwTabView *tabs;
  GtkWidget *tab_bar;
  GtkWidget *tabs_button;
  GtkWidget *welcome;
  GtkWidget *stack;
  GtkWidget *title;
  GtkWidget *toasts;
  GtkWidget *works;
  GtkWidget *menu_button;
  GtkWidget *view_button;
  GtkWidget *undo_button, *redo_button,
      *export_button; /* also in menus: only where there is room */
  GtkWidget *header, *bottom_bar;
  GtkWidget *left_tools,
      *right_tools; /* in the header or in the bottom bar, and with a document only */
};

/* The document in front; NULL when nothing is open. */
ScopeDocument *scope_window_get_document (ScopeWindow *self);

void scope_window_show_message (ScopeWindow *self, const char *text);

/* Shows a ScopeWork among the others. */
void scope_window_begin_work (ScopeWindow *self, GtkWidget *card);

void scope_window_add_actions (ScopeWindow *self);
void scope_window_update_actions (ScopeWindow *self);
void scope_window_set_enabled (ScopeWindow *self, const char *action, gboolean is_enabled);

/* ---- scope-window-tabs.c ---- */

/* Also of tabs that welcome: those have no page.  NULL for such a one. */
guint scope_window_get_n_tabs (ScopeWindow *self);
ScopePage *scope_window_get_nth_page (ScopeWindow *self, guint n);

gboolean scope_window_has_tab (ScopeWindow *self, AdwTabPage *tab);

/* That a menu was opened on, else the one in front; NULL when there is none. */
AdwTabPage *scope_window_get_tab (ScopeWindow *self);

void scope_window_add_tab_actions (ScopeWindow *self);

/* A tab of its own, in front. */
AdwTabPage *scope_window_add_document (ScopeWindow *self, ScopeDocument *document);

/* ---- scope-window-closing.c ---- */

void scope_window_add_closing_actions (ScopeWindow *self);
void scope_window_end_closing (ScopeWindow *self);
void scope_window_free_closing (ScopeWindow *self);

/* ---- scope-window-paste.c ---- */

/* Opens the graph whose text is on the clipboard, or the files that are. */
void scope_window_paste (ScopeWindow *self);

/* From now on files that are dropped on the window are opened, and texts of graphs. */
void scope_window_take_drops (ScopeWindow *self);

/* ---- scope-window-session.c ---- */

/* Something that another session should know of is different. */
void scope_window_touch (ScopeWindow *self);

/* ---- scope-window.c ---- */

/* Another tab is in front, or there is none. */
void scope_window_show_page (ScopeWindow *self);

/* Those that trace, look around, go back and forward. */
void scope_window_add_look_actions (ScopeWindow *self);
void scope_window_update_look_actions (ScopeWindow *self);

/* Those of running the graph and of what came of it. */
void scope_window_add_run_actions (ScopeWindow *self);
void scope_window_update_run_actions (ScopeWindow *self);

/* Panels and tools as wanted and as there is room for. */
void scope_window_show_panels (ScopeWindow *self);
void scope_window_show_tools (ScopeWindow *self);

/* How the graph is drawn, in the header: in words, or by an icon where the title has no room beside
 * them. */
void scope_window_show_view (ScopeWindow *self);

/* ---- scope-window-room.c ---- */

/* Follows the window's width, and the size of its text. */
void scope_window_watch_room (ScopeWindow *self);

/* The panels with those that are wanted no longer, when @panel is wanted now: where there is no
 * room for two, the one takes the place of the other. */
ScopePanels scope_window_make_room (ScopeWindow *self, ScopePanels panel);

/* The three file choosers. */
void scope_window_choose_open (ScopeWindow *self);
void scope_window_choose_extract (ScopeWindow *self);
void scope_window_choose_export (ScopeWindow *self);

/* ---- scope-window-colors.c ---- */

/* What the colours of layers tell. */
void scope_window_add_color_actions (ScopeWindow *self);
void scope_window_update_color_actions (ScopeWindow *self);

/* Of the graph in front, in a thread. */
void scope_window_read_overlay (ScopeWindow *self, GFile *file);

/* Asks for a file, or a folder, that belongs to the graph. */
void scope_window_choose_file (ScopeWindow *self, const char *title, ScopeWindowFileFunc func);
void scope_window_choose_existing_folder (ScopeWindow *self,
                                          const char *title,
                                          ScopeWindowFileFunc func);

/* Asks what to call a new folder, the document's name with @suffix if nothing else. */
void scope_window_choose_folder (ScopeWindow *self, const char *suffix, ScopeWindowFileFunc func);

/* ---- scope-window-bookmarks.c ---- */

void scope_window_add_bookmark_actions (ScopeWindow *self);
void scope_window_update_bookmark_actions (ScopeWindow *self);

/* ---- scope-window-print.c ---- */

void scope_window_print (ScopeWindow *self);

/* ---- scope-window-reload.c ---- */

/* Reads the document's file again, and asks before edits are lost by that. */
void scope_window_reload (ScopeWindow *self);

/* ---- scope-window-folder.c ---- */

/* A file in its folder, in the program that shows folders. */
void scope_window_show_in_folder (ScopeWindow *self, const char *uri);

/* A message with a button that does so. */
void scope_window_offer_folder (ScopeWindow *self, const char *text, GFile *file);

/* ---- scope-window-compare.c ---- */

void scope_window_add_compare_actions (ScopeWindow *self);
void scope_window_update_compare_actions (ScopeWindow *self);

/* ---- scope-window-weights.c ---- */

/* Weights that are not where they are looked for. */
void scope_window_add_weights_actions (ScopeWindow *self);
void scope_window_update_weights_actions (ScopeWindow *self);

/* What came of choosing them, once. */
void scope_window_tell_weights (ScopeWindow *self);

/* ---- scope-window-quit.c ---- */

/* What is edited in it now is not wanted, as somebody has answered; and whether that is so. */
void scope_window_give_up (ScopeDocument *document);
gboolean scope_window_gave_up (ScopeDocument *document);

/* What was to close when it is saved does not.  When the program was to end, it goes on with all
 * windows, which are asked no more, and nothing is given up. */
void scope_window_stay (ScopeWindow *self);

/* ---- scope-window-save.c ---- */

/* Saves what was edited, and asks before it is lost. */
void scope_window_add_save_actions (ScopeWindow *self);
void scope_window_update_save_actions (ScopeWindow *self);

/* Asks where to save the document, and calls @func when that is known. */
void scope_window_choose_save (ScopeWindow *self, ScopeWindowSaveFunc func);

/* Opens what the cut keeps in a tab of its own. */
void scope_window_open_cut (ScopeWindow *self);

G_END_DECLS
