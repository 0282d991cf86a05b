/* SPDX-License-Identifier: MIT */
#include "worker/sym-worker-stream.h"

#include <errno.h>
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
