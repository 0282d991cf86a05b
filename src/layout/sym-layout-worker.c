/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-worker.h"

#include "worker/sym-worker-protocol.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "symscope-layout-worker"

/* While it is silent, see this often whether it still runs. */
#define LOOK_MS 200

struct _SymLayoutWorker {
  GPid pid; /* 0 once it has been ended */
  int fd;
};

/* One exchange. */
typedef struct {
  SymLayoutWorker *worker;
  gint64 deadline;
  GPollFD cancel;
  gboolean can_cancel;
  GCancellable *cancellable;
} Exchange;

/* Folders in which the worker lies as seen from the program that runs: in the build tree, from the
 * programs and from the tests; installed, also when the whole prefix has been moved. */
static const char *const folders[] = { "../worker", "../../src/worker", "../libexec", NULL };

static char *
find_program (void)
{
  const char *named = g_getenv ("SYMSCOPE_WORKER");
  g_autofree char *self = NULL;
  g_autofree char *folder = NULL;

  if (named && *named)
    return g_strdup (named);
  self = g_file_read_link ("/proc/self/exe", NULL);
  folder = self ? g_path_get_dirname (self) : NULL;
  for (guint i = 0; folder && folders[i]; i++) {
    g_autofree char *path = g_build_filename (folder, folders[i], PROGRAM, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
      return g_steal_pointer (&path);
  }
  return g_build_filename (SYM_LIBEXECDIR, PROGRAM, NULL);
}

static void
end (SymLayoutWorker *self)
{
  if (self->pid == 0)
    return;
  close (self->fd);
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  g_spawn_close_pid (self->pid);
  self->pid = 0;
}

SymLayoutWorker *
sym_layout_worker_new (const char *path, GError **error)
{
  g_autofree char *program = path ? g_strdup (path) : find_program ();
  const char *argv[] = { program, NULL };
  SymLayoutWorker *self;
  int fds[2];
  GPid pid;
  gboolean spawned;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "No socket for %s: %s", program,
                 g_strerror (errno));
    return NULL;
  }
  spawned = g_spawn_async_with_pipes_and_fds (
      NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, fds[1],
      fds[1], -1, NULL, NULL, 0, &pid, NULL, NULL, NULL, error);
  close (fds[1]);
  if (!spawned) {
    close (fds[0]);
    return NULL;
  }
  self = g_new0 (SymLayoutWorker, 1);
  self->pid = pid;
  self->fd = fds[0];
  return self;
}

void
sym_layout_worker_free (SymLayoutWorker *self)
{
  if (!self)
    return;
  end (self);
  g_free (self);
}

static gboolean
fail_late (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, message);
  return FALSE;
}

/* Somebody may have stopped the process: it then says nothing for ever, and dies of nothing. */
static gboolean
is_stopped (const SymLayoutWorker *self)
{
  siginfo_t info = { .si_pid = 0 };

  return waitid (P_PID, (id_t) self->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

/* Waits until the socket is ready.  FALSE with an error: too late, or cancelled. */
static gboolean
wait_for (Exchange *exchange, short events, GError **error)
{
  struct pollfd fds[2] = { { exchange->worker->fd, events, 0 }, { exchange->cancel.fd, POLLIN, 0 } };
  int n;

  do {
    gint64 left = exchange->deadline - g_get_monotonic_time ();

    if (g_cancellable_set_error_if_cancelled (exchange->cancellable, error))
      return FALSE;
    if (left <= 0)
      return fail_late (error, "The layout worker took too long");
    n = poll (fds, exchange->can_cancel ? 2 : 1, (int) MIN (left / 1000 + 1, LOOK_MS));
    if (n == 0 && is_stopped (exchange->worker))
      return fail_late (error, "The layout worker was stopped");
  } while (n == 0 || (n < 0 && errno == EINTR) || (n > 0 && fds[0].revents == 0));
  return TRUE;
}

static gboolean
fail_broken (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "The layout worker has died");
  return FALSE;
}

static gboolean
transfer (Exchange *exchange, gboolean sends, void *buffer, gsize size, GError **error)
{
  gsize n = 0;

  while (n < size) {
    char *p = (char *) buffer + n;
    gssize n_done = sends ? send (exchange->worker->fd, p, size - n, MSG_NOSIGNAL | MSG_DONTWAIT)
                          : recv (exchange->worker->fd, p, size - n, MSG_DONTWAIT);

    if (n_done > 0)
      n += (gsize) n_done;
    else if (n_done < 0 && errno == EINTR)
      continue;
    else if (n_done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for (exchange, sends ? POLLOUT : POLLIN, error))
        return FALSE;
    } else
      return fail_broken (error);
  }
  return TRUE;
}

static gboolean
send_request (Exchange *exchange, GBytes *request, GError **error)
{
  gsize size;
  void *data = (void *) g_bytes_get_data (request, &size);
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, SYM_WORKER_LAYOUT, size };

  return transfer (exchange, TRUE, &frame, sizeof frame, error) &&
         transfer (exchange, TRUE, data, size, error);
}

static GBytes *
receive_answer (Exchange *exchange, SymWorkerKind *kind, GError **error)
{
  SymWorkerFrame frame;
  void *data;

  if (!transfer (exchange, FALSE, &frame, sizeof frame, error))
    return NULL;
  if (frame.magic != SYM_WORKER_MAGIC || frame.size > SYM_WORKER_MAX_SIZE ||
      (frame.kind != SYM_WORKER_PLACES && frame.kind != SYM_WORKER_FAILURE)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         "The layout worker does not speak its protocol");
    return NULL;
  }
  *kind = frame.kind;
  data = g_malloc (MAX (frame.size, 1));
  if (!transfer (exchange, FALSE, data, frame.size, error)) {
    g_free (data);
    return NULL;
  }
  return g_bytes_new_take (data, frame.size);
}

static GBytes *
run_exchange (Exchange *exchange, GBytes *request, GError **error)
{
  SymWorkerKind kind = SYM_WORKER_PLACES;
  g_autoptr (GBytes) content = NULL;
  g_autofree char *message = NULL;

  if (send_request (exchange, request, error))
    content = receive_answer (exchange, &kind, error);
  if (!content) {
    end (exchange->worker);
    return NULL;
  }
  if (kind == SYM_WORKER_PLACES)
    return g_steal_pointer (&content);
  message = g_utf8_make_valid (g_bytes_get_data (content, NULL),
                               (gssize) g_bytes_get_size (content));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "The layout worker says: %s", message);
  return NULL;
}

GBytes *
sym_layout_worker_ask (SymLayoutWorker *self,
                       GBytes *request,
                       guint timeout_ms,
                       GCancellable *cancellable,
                       GError **error)
{
  Exchange exchange = { .worker = self, .cancellable = cancellable };
  GBytes *content;

  if (self->pid == 0) {
    fail_broken (error);
    return NULL;
  }
  exchange.deadline = g_get_monotonic_time () + 1000 * (gint64) timeout_ms;
  exchange.can_cancel = g_cancellable_make_pollfd (cancellable, &exchange.cancel);
  content = run_exchange (&exchange, request, error);
  if (exchange.can_cancel)
    g_cancellable_release_fd (cancellable);
  return content;
}
