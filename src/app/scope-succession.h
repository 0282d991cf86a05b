/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* One program holds the name on the bus, and others hand it their files.  While it ends it cannot
 * show them any more, and none is to be lost: who asks from then on is refused, waits, and has the
 * name next; what was asked before is handed on to a program that is started for it. */

/* Registers @application, and waits for one that is ending. */
gboolean scope_succession_register (GApplication *application, GError **error);

/* Of one that is registered; it holds no reference. */
typedef struct _ScopeSuccession ScopeSuccession;

ScopeSuccession *scope_succession_new (GApplication *application);
void scope_succession_free (ScopeSuccession *self);

/* First thing of an end: whoever comes from now on is to wait. */
void scope_succession_begin (ScopeSuccession *self);

/* From then on: what is asked for is for the next program. */
gboolean scope_succession_is_ending (ScopeSuccession *self);

/* Last thing of an end, when all is saved: lets go of the name, and has what was asked for before
 * handled, where the application hands it on. */
void scope_succession_finish (ScopeSuccession *self);

/* Starts the program anew, with @n files. */
gboolean scope_succession_start (GFile **files, int n, GError **error);

G_END_DECLS
