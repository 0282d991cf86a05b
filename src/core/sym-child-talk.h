/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-child.h"

G_BEGIN_DECLS

/* A conversation with a child in the frames of worker/sym-frame-protocol.h: it is sent a request,
 * and its answer is expected.  Errors are those of SymChild, and G_IO_ERROR_FAILED in the child's
 * own words when it answers with a failure, after which it can be asked again. */
typedef struct {
  SymChild *child;           /* borrowed */
  GCancellable *cancellable; /* NULL: nothing cancels it */
  guint silent_seconds;      /* how long nothing may be heard of it; each piece has its own time */
  gint64 deadline;           /* not 0: the monotonic time until which all is to be done, instead */
} SymChildTalk;

/* Sends a frame of @kind with @head_size bytes at @head, then @size at @content. */
gboolean sym_child_talk_send (const SymChildTalk *self,
                              guint32 kind,
                              const void *head,
                              gsize head_size,
                              const void *content,
                              guint64 size,
                              GError **error);

/* Receives the head of an answer, which must be of @kind and at most @max_size bytes: *@size are
 * to be received next. */
gboolean sym_child_talk_expect (const SymChildTalk *self,
                                guint32 kind,
                                guint64 max_size,
                                guint64 *size,
                                GError **error);

/* Receive exactly @size bytes of it.  When there is no memory for them the child is killed, as they
 * lie in the way of the next answer: G_IO_ERROR_NO_SPACE. */
gboolean
sym_child_talk_receive (const SymChildTalk *self, void *buffer, guint64 size, GError **error);
GBytes *sym_child_talk_receive_bytes (const SymChildTalk *self, guint64 size, GError **error);

G_END_DECLS
