/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* Told when it is done: @error says why nothing was printed, else @file is where to; NULL of a
 * printer, which tells by itself. */
typedef void (*ScopePrintDone) (GFile *file, const GError *error, gpointer user_data);

/* Asks for a printer and prints the picture, on several pages when one would be too small.  Keeps
 * @parent until that is done, though it may be closed; @user_data is there as long as @parent is.
 * A file that is printed to is suggested to be called as @title. */
void scope_print_picture (SymPicture *picture,
                          const char *title,
                          GtkWindow *parent,
                          ScopePrintDone done,
                          gpointer user_data);

/* What prints it, not yet told where. */
GtkPrintOperation *scope_print_create_operation (SymPicture *picture);

G_END_DECLS
