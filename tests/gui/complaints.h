/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Tells on standard output, with each warning, where the program was, and of the widget that it
 * names by its address: what it is in and what is in it.  What the program itself leaves out is
 * left out.  Once, before GTK begins. */
void complaints_begin (void);
