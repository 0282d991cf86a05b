/* SPDX-License-Identifier: MIT */
#include "worker/sym-worker-stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

gsize
sym_worker_read (void *buffer, gsize size)
{
  gsize n = 0;

  while (n < size)
    {
      gssize n_read = read (STDIN_FILENO, (char *) buffer + n, size - n);

      if (n_read < 0 && errno == EINTR)
        continue;
      if (n_read <= 0)
        break;
      n += (gsize) n_read;
    }
  return n;
}

gboolean
sym_worker_read_frame (SymWorkerFrame *frame)
{
  gsize n = sym_worker_read (frame, sizeof *frame);

  if (n < sizeof *frame || frame->magic != SYM_WORKER_MAGIC)
    frame->kind = 0;
  return n > 0;
}

void *
sym_worker_read_content (gsize size)
{
  g_autofree void *content = g_try_malloc (MAX (size, 1));

  if (!content || sym_worker_read (content, size) < size)
    return NULL;
  return g_steal_pointer (&content);
}

gboolean
sym_worker_write (const void *buffer, gsize size)
{
  gsize n = 0;

  while (n < size)
    {
      gssize n_written = write (STDOUT_FILENO, (const char *) buffer + n, size - n);

      if (n_written < 0 && errno == EINTR)
        continue;
      if (n_written <= 0)
        return FALSE;
      n += (gsize) n_written;
    }
  return TRUE;
}

gboolean
sym_worker_answer (guint32 kind, const void *content, gsize size)
{
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, kind, size };

  return sym_worker_write (&frame, sizeof frame) && sym_worker_write (content, size);
}

gboolean
sym_worker_fail (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return sym_worker_answer (SYM_WORKER_FAILURE, message, strlen (message));
}
