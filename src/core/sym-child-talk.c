/* SPDX-License-Identifier: MIT */
#include "core/sym-child-talk.h"

#include "worker/sym-frame-protocol.h"

/* What is longer is moved in pieces, each of which may take its time. */
#define PIECE_BYTES (4 << 20)
#define MAX_MESSAGE 4096

static gint64
get_deadline (const SymChildTalk *self)
{
  return self->deadline != 0 ? self->deadline
                             : g_get_monotonic_time () + self->silent_seconds * G_USEC_PER_SEC;
}

static gboolean
send_bytes (const SymChildTalk *self, const void *bytes, guint64 size, GError **error)
{
  for (guint64 at = 0; at < size; at += PIECE_BYTES)
    if (!sym_child_send (self->child, (const char *) bytes + at,
                         (gsize) MIN (size - at, PIECE_BYTES), get_deadline (self),
                         self->cancellable, error))
      return FALSE;
  return TRUE;
}

/* A failure is short, and worded by the process: valid text is made of it. */
static gboolean
take_failure (const SymChildTalk *self, guint64 size, GError **error)
{
  char text[MAX_MESSAGE];
  g_autofree char *message = NULL;

  if (size > sizeof text)
    return sym_child_refuse (self->child, error);
  if (!sym_child_talk_receive (self, text, size, error))
    return FALSE;
  message = g_utf8_make_valid (text, (gssize) size);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, message);
  return FALSE;
}

gboolean
sym_child_talk_send (const SymChildTalk *self,
                     guint32 kind,
                     const void *head,
                     gsize head_size,
                     const void *content,
                     guint64 size,
                     GError **error)
{
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, kind, head_size + size };

  return send_bytes (self, &frame, sizeof frame, error) &&
         send_bytes (self, head, head_size, error) && send_bytes (self, content, size, error);
}

gboolean
sym_child_talk_expect (const SymChildTalk *self,
                       guint32 kind,
                       guint64 max_size,
                       guint64 *size,
                       GError **error)
{
  SymWorkerFrame frame;

  if (!sym_child_talk_receive (self, &frame, sizeof frame, error))
    return FALSE;
  if (frame.magic == SYM_WORKER_MAGIC && frame.kind == SYM_WORKER_FAILURE)
    return take_failure (self, frame.size, error);
  if (frame.magic != SYM_WORKER_MAGIC || frame.kind != kind || frame.size > max_size)
    return sym_child_refuse (self->child, error);
  *size = frame.size;
  return TRUE;
}

gboolean
sym_child_talk_receive (const SymChildTalk *self, void *buffer, guint64 size, GError **error)
{
  for (guint64 at = 0; at < size; at += PIECE_BYTES)
    if (!sym_child_receive (self->child, (char *) buffer + at, (gsize) MIN (size - at, PIECE_BYTES),
                            get_deadline (self), self->cancellable, error))
      return FALSE;
  return TRUE;
}

GBytes *
sym_child_talk_receive_bytes (const SymChildTalk *self, guint64 size, GError **error)
{
  g_autofree char *bytes = g_try_malloc (MAX ((gsize) size, 1));

  if (bytes == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                   "there is no memory for %" G_GUINT64_FORMAT " bytes", size);
      sym_child_end (self->child);
      return NULL;
    }
  if (!sym_child_talk_receive (self, bytes, size, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) size);
}
