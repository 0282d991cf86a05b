/* SPDX-License-Identifier: MIT */
#include "core/sym-child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* While it is silent, see this often whether it still runs. */
#define LOOK_MS 200

/* The descriptor that a child is given. */
#define CHILD_FD 3

struct _SymChild {
  GPid pid; /* 0 once it has been ended */
  int fd;
  gboolean is_spent; /* it ended since it had used up the time that it was given */
  char *title;
};

/* Bytes on their way in one direction. */
typedef struct {
  SymChild *child;
  gint64 deadline;
  GPollFD cancel;
  gboolean can_cancel;
  GCancellable *cancellable;
} Transfer;

/* Folders in which programs of ours lie as seen from the one that runs: in the build tree, from the
 * programs and from the tests; installed, also when the whole prefix has been moved. */
static const char *const folders[] = { "../worker", "../../src/worker", "../libexec", NULL };

char *
sym_child_find (const char *program, const char *variable, const char *libexecdir)
{
  const char *named = g_getenv (variable);
  g_autofree char *self = NULL;
  g_autofree char *folder = NULL;

  if (named != NULL && *named != '\0')
    return g_strdup (named);
  self = g_file_read_link ("/proc/self/exe", NULL);
  folder = self == NULL ? NULL : g_path_get_dirname (self);
  for (guint i = 0; folder != NULL && folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, folders[i], program, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&path);
    }
  return g_build_filename (libexecdir, program, NULL);
}

void
sym_child_end (SymChild *self)
{
  int status = 0;

  if (self->pid == 0)
    return;
  close (self->fd);
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  self->is_spent = WIFSIGNALED (status) && WTERMSIG (status) == SIGXCPU;
  g_spawn_close_pid (self->pid);
  self->pid = 0;
}

SymChild *
sym_child_new (const char *path, const char *title, int fd, GError **error)
{
  const char *argv[] = { path, NULL };
  const int target = CHILD_FD;
  SymChild *self;
  int fds[2];
  GPid pid;
  gboolean spawned;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "No socket for %s: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  spawned = g_spawn_async_with_pipes_and_fds (
      NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, fds[1],
      fds[1], -1, &fd, &target, fd < 0 ? 0 : 1, &pid, NULL, NULL, NULL, error);
  close (fds[1]);
  if (!spawned)
    {
      close (fds[0]);
      return NULL;
    }
  self = g_new0 (SymChild, 1);
  self->pid = pid;
  self->fd = fds[0];
  self->title = g_strdup (title);
  return self;
}

void
sym_child_free (SymChild *self)
{
  if (self == NULL)
    return;
  sym_child_end (self);
  g_free (self->title);
  g_free (self);
}

static gboolean
fail (const SymChild *self, GError **error, GIOErrorEnum code, const char *what)
{
  g_set_error (error, G_IO_ERROR, code, "%s %s", self->title, what);
  return FALSE;
}

/* It has closed its end. */
static gboolean
fail_without (SymChild *self, GError **error)
{
  sym_child_end (self);
  return self->is_spent ? fail (self, error, G_IO_ERROR_TIMED_OUT, "took too long")
                        : fail (self, error, G_IO_ERROR_BROKEN_PIPE, "has died");
}

/* Somebody may have stopped the process: it then says nothing for ever, and dies of nothing. */
static gboolean
is_stopped (const SymChild *self)
{
  siginfo_t info = { .si_pid = 0 };

  return waitid (P_PID, (id_t) self->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

/* Waits until the socket is ready.  FALSE with an error: too late, or cancelled. */
static gboolean
wait_for (Transfer *self, short events, GError **error)
{
  struct pollfd fds[2] = { { self->child->fd, events, 0 }, { self->cancel.fd, POLLIN, 0 } };
  int n;

  do
    {
      gint64 left = self->deadline - g_get_monotonic_time ();

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (left <= 0)
        return fail (self->child, error, G_IO_ERROR_TIMED_OUT, "took too long");
      n = poll (fds, self->can_cancel ? 2 : 1, (int) MIN (left / 1000 + 1, LOOK_MS));
      if (n == 0 && is_stopped (self->child))
        return fail (self->child, error, G_IO_ERROR_TIMED_OUT, "was stopped");
    }
  while (n == 0 || (n < 0 && errno == EINTR) || (n > 0 && fds[0].revents == 0));
  return TRUE;
}

static gboolean
run (Transfer *self, gboolean sends, char *buffer, gsize size, GError **error)
{
  gsize n = 0;

  while (n < size)
    {
      gssize n_done =
          sends ? send (self->child->fd, buffer + n, size - n, MSG_NOSIGNAL | MSG_DONTWAIT)
                : recv (self->child->fd, buffer + n, size - n, MSG_DONTWAIT);

      if (n_done > 0)
        n += (gsize) n_done;
      else if (n_done < 0 && errno == EINTR)
        continue;
      else if (n_done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        {
          if (!wait_for (self, sends ? POLLOUT : POLLIN, error))
            return FALSE;
        }
      else
        return fail_without (self->child, error);
    }
  return TRUE;
}

static gboolean
transfer (SymChild *child,
          gboolean sends,
          char *buffer,
          gsize size,
          gint64 deadline,
          GCancellable *cancellable,
          GError **error)
{
  Transfer self = { .child = child, .deadline = deadline, .cancellable = cancellable };
  gboolean done;

  if (child->pid == 0)
    return fail_without (child, error);
  self.can_cancel = g_cancellable_make_pollfd (cancellable, &self.cancel);
  done = run (&self, sends, buffer, size, error);
  if (self.can_cancel)
    g_cancellable_release_fd (cancellable);
  if (!done)
    sym_child_end (child);
  return done;
}

gboolean
sym_child_send (SymChild *self,
                const void *bytes,
                gsize size,
                gint64 deadline,
                GCancellable *cancellable,
                GError **error)
{
  return transfer (self, TRUE, (char *) bytes, size, deadline, cancellable, error);
}

gboolean
sym_child_receive (SymChild *self,
                   void *buffer,
                   gsize size,
                   gint64 deadline,
                   GCancellable *cancellable,
                   GError **error)
{
  return transfer (self, FALSE, buffer, size, deadline, cancellable, error);
}

gboolean
sym_child_refuse (SymChild *self, GError **error)
{
  sym_child_end (self);
  return fail (self, error, G_IO_ERROR_INVALID_DATA, "does not speak its protocol");
}
