/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Names for what GTK 4.8 and libadwaita 1.2 make themselves and leave nameless, so that readers
 * would say the name of a class. */

void scope_access_name (GtkWidget *widget, const char *name);

/* Names the header of a column view and its list, which has the keyboard. */
void scope_access_name_parts (GtkWidget *column_view, const char *header, const char *list);

/* Names the row of a column view that a cell with that @child is in; NULL does nothing. */
void scope_access_name_row (GtkWidget *child, const char *name);

/* Names the button within a drop-down, which has the keyboard, by @name and what is chosen. */
void scope_access_name_choice (GtkWidget *drop_down, const char *name);

/* Names the items of a row that offers a choice, and the one that is chosen. */
void scope_access_name_items (GtkWidget *combo_row);

/* Describes the rows of options below @root by what is chosen there, and by their subtitles. */
void scope_access_tell_rows (GtkWidget *root);

/* Names the answers to a question once: GTK tells of a label with a mnemonic also how that is
 * written. */
void scope_access_name_answers (GtkWidget *dialog);

/* Names what searches the window of shortcuts, and its pages by their numbers alone. */
void scope_access_name_shortcuts (GtkShortcutsWindow *window);

/* Names the buttons of libadwaita's window about the program, its lists and the text in it. */
void scope_access_name_about (AdwAboutWindow *window);

/* Names the tabs of a bar, and their buttons, by their titles. */
void scope_access_name_tabs (AdwTabBar *bar);

G_END_DECLS
