/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a message is one of those that GTK 4.8 makes of its own, whatever a program does, and
 * that mean nothing to whoever started it:
 *
 * - when a window is dragged by its title, or a button is let go over a menu that has gone, GTK
 * counts which widgets are pressed, finds that it counted wrongly, and counts anew;
 * - when the cursor of an entry blinks while its text is selected, it stops that;
 * - the arrows beside the folders of a file chooser are at times drawn before they have a place;
 * - when the window that tells about a program is made wider, its headers are at times drawn before
 * they have a place;
 * - when a tab is dropped on the desktop, GDK says that this is for libadwaita to do, which does
 * it;
 * - when a range of pages to be printed is typed, its dialog may find no pages in it;
 * - when there is no system bus, the dialog for printing cannot look for printers in the network.
 */
gboolean scope_log_is_noise (const GLogField *fields, gsize n_fields);

/* Writes what is logged where GLib would, but for those.  Once in a program, before GTK begins. */
void scope_log_begin (void);

G_END_DECLS
