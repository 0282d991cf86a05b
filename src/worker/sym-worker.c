/* SPDX-License-Identifier: MIT */
#include "worker/sym-worker-dot.h"
#include "worker/sym-worker-protocol.h"
#include "worker/sym-worker-stream.h"

#include <signal.h>
#include <sys/resource.h>

/* symscope-layout-worker: Graphviz in a process of its own, as it is not thread-safe, may abort and
 * cannot be cancelled.  See sym-worker-protocol.h for what it reads and writes. */

/* `dot` walks graphs by recursion. */
#define STACK_SIZE (256UL * 1024 * 1024)

static gboolean
answer_layout (SymWorkerDot *dot, const void *request, gsize size)
{
  g_autoptr (GByteArray) places = g_byte_array_new ();
  g_autofree char *message = NULL;

  if (!sym_worker_dot_lay_out (dot, request, size, places, &message))
    return sym_worker_fail ("%s", message);
  return sym_worker_answer (SYM_WORKER_PLACES, places->data, places->len);
}

/* Whether there was a request that could be answered; *@at_end tells a proper end of the input. */
static gboolean
serve_one (SymWorkerDot *dot, gboolean *at_end)
{
  SymWorkerFrame frame;
  g_autofree void *content = NULL;

  *at_end = !sym_worker_read_frame (&frame);
  if (*at_end)
    return FALSE;
  if (frame.kind != SYM_WORKER_LAYOUT || frame.size > SYM_WORKER_MAX_SIZE)
    {
      sym_worker_fail ("this is no request");
      return FALSE;
    }
  content = sym_worker_read_content (frame.size);
  if (!content)
    {
      sym_worker_fail ("the request ends too early");
      return FALSE;
    }
  return answer_layout (dot, content, frame.size);
}

static void
raise_stack_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_SIZE)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, STACK_SIZE);
  setrlimit (RLIMIT_STACK, &limit);
}

int
main (void)
{
  SymWorkerDot *dot;
  gboolean at_end = FALSE;

  /* A client that is gone shows as a failed write. */
  signal (SIGPIPE, SIG_IGN);
  raise_stack_limit ();
  dot = sym_worker_dot_new ();
  while (serve_one (dot, &at_end))
    continue;
  sym_worker_dot_free (dot);
  return at_end ? 0 : 1;
}
