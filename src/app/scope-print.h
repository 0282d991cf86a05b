/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* Why nothing was printed. */
typedef void (*ScopePrintFailed) (const char *message, gpointer user_data);

/* Asks for a printer and prints the picture, on several pages when one would be too small.  Keeps
 * @parent until that is done, though it may be closed; @user_data is there as long as @parent is.
 */
void scope_print_picture (SymPicture *picture,
                          const char *title,
                          GtkWindow *parent,
                          ScopePrintFailed failed,
                          gpointer user_data);

/* What prints it, not yet told where. */
GtkPrintOperation *scope_print_create_operation (SymPicture *picture);

G_END_DECLS
