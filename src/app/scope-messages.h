/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows a message in toasts, once those before it are gone, which they are sooner while one waits.
 *
 * libadwaita 1.2 frees a toast when it has left, and uses it when it has come.  So it must have
 * come first: it comes after the one before has left, which makes it no slower, and leaves when it
 * has come. */
void scope_messages_show (AdwToastOverlay *toasts, const char *text);

/* The same with a button, which activates an action with that string. */
void scope_messages_offer (AdwToastOverlay *toasts,
                           const char *text,
                           const char *label,
                           const char *action,
                           const char *target);

/* In a dialog, Escape closes that, also while a message is shown: the overlay of libadwaita 1.2
 * would take it for the message. */
void scope_messages_let_escape_close (AdwToastOverlay *overlay);

G_END_DECLS
