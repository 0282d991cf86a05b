/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A program of ours that runs in a process of its own, since it may crash, hang or fall to what it
 * reads.  It is spoken to over a socket, which is its standard input and output.  One thread at a
 * time. */
typedef struct _SymChild SymChild;

/* Where @program lies: what the environment's @variable names, else beside the running program (in
 * the build tree, or installed), else in @libexecdir. */
char *sym_child_find (const char *program, const char *variable, const char *libexecdir);

/* Starts the program at @path, which messages call @title.  @fd becomes its descriptor 3; -1: it
 * has none. */
SymChild *sym_child_new (const char *path, const char *title, int fd, GError **error);

/* Ends the process, whatever it is doing. */
void sym_child_free (SymChild *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymChild, sym_child_free)

/* Send or receive exactly @size bytes until the monotonic time @deadline.  After an error (it has
 * died, was stopped, took too long, or @cancellable was cancelled) the process has been killed, and
 * every further call fails. */
gboolean sym_child_send (SymChild *self,
                         const void *bytes,
                         gsize size,
                         gint64 deadline,
                         GCancellable *cancellable,
                         GError **error);
gboolean sym_child_receive (SymChild *self,
                            void *buffer,
                            gsize size,
                            gint64 deadline,
                            GCancellable *cancellable,
                            GError **error);

/* Kills the process, so that every further call fails. */
void sym_child_end (SymChild *self);

/* Does so since what it said is no answer: FALSE with a G_IO_ERROR_INVALID_DATA that it does not
 * speak its protocol. */
gboolean sym_child_refuse (SymChild *self, GError **error);

G_END_DECLS
