/* SPDX-License-Identifier: MIT */
#include "worker/sym-pictures.h"

#include "worker/sym-worker-limits.h"
#include "worker/sym-worker-stream.h"

#include <signal.h>

/* symscope-pictures: reads or writes one picture's file, in a process of its own, as libraries that
 * read pictures are what those who make hostile files like best.  It knows no name of a file: bytes
 * come in, and go out, as sym-pictures-protocol.h has them. */

/* The largest picture takes 1 GiB with its alpha, a progressive one twice that. */
#define MAX_MEMORY (G_GUINT64_CONSTANT (3) << 30)
#define MAX_SECONDS 60

/* Standard input, output and error. */
#define N_FILES 3

void
sym_pictures_give_up_rights (void)
{
  sym_worker_give_up_rights (N_FILES, MAX_MEMORY, MAX_SECONDS);
}

static gboolean
serve_decode (guint64 size)
{
  SymPicturesDecode head;
  g_autofree guint8 *bytes = NULL;

  if (size < sizeof head || size - sizeof head > SYM_PICTURES_MAX_FILE ||
      sym_worker_read (&head, sizeof head) < sizeof head || head.format >= SYM_PICTURES_N_FORMATS ||
      head.channels >= SYM_PICTURES_N_CHANNELS)
    return FALSE;
  size -= sizeof head;
  bytes = sym_worker_read_content ((gsize) size);
  return bytes && sym_pictures_decode (&head, bytes, (gsize) size);
}

static gboolean
serve_encode (guint64 size)
{
  SymPicturesEncode head;
  g_autofree guint8 *pixels = NULL;
  guint64 n;

  if (size < sizeof head || sym_worker_read (&head, sizeof head) < sizeof head ||
      (head.format != SYM_PICTURES_JPEG && head.format != SYM_PICTURES_PNG))
    return FALSE;
  n = (guint64) head.height * head.width;
  if (n == 0 || n > SYM_PICTURES_MAX_PIXELS || size - sizeof head != 3 * n)
    return FALSE;
  pixels = sym_worker_read_content ((gsize) (3 * n));
  return pixels && sym_pictures_encode (&head, pixels);
}

int
main (void)
{
  SymWorkerFrame frame = { 0 };
  gboolean is_asked = sym_worker_read_frame (&frame);

  /* A client that is gone shows as a failed write. */
  signal (SIGPIPE, SIG_IGN);
  /* What a library finds odd in a file is no reason to end, whatever G_DEBUG says. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  if (!is_asked)
    return 0;
  if (frame.kind == SYM_PICTURES_DECODE)
    return serve_decode (frame.size) ? 0 : 1;
  if (frame.kind == SYM_PICTURES_ENCODE)
    return serve_encode (frame.size) ? 0 : 1;
  sym_worker_fail ("this is no request");
  return 1;
}
