/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-worker.h"

#include "core/sym-child-talk.h"
#include "worker/sym-worker-protocol.h"

struct _SymLayoutWorker {
  SymChild *child;
};

SymLayoutWorker *
sym_layout_worker_new (const char *path, GError **error)
{
  g_autofree char *program =
      path ? g_strdup (path)
           : sym_child_find ("symscope-layout-worker", "SYMSCOPE_WORKER", SYM_LIBEXECDIR);
  SymChild *child = sym_child_new (program, "The layout worker", -1, error);
  SymLayoutWorker *self;

  if (!child)
    return NULL;
  self = g_new0 (SymLayoutWorker, 1);
  self->child = child;
  return self;
}

void
sym_layout_worker_free (SymLayoutWorker *self)
{
  if (!self)
    return;
  sym_child_free (self->child);
  g_free (self);
}

GBytes *
sym_layout_worker_ask (SymLayoutWorker *self,
                       GBytes *request,
                       guint timeout_ms,
                       GCancellable *cancellable,
                       GError **error)
{
  const SymChildTalk talk = { .child = self->child,
                              .cancellable = cancellable,
                              .deadline = g_get_monotonic_time () + 1000 * (gint64) timeout_ms };
  gsize n_asked;
  const void *asked = g_bytes_get_data (request, &n_asked);
  GError *local = NULL;
  guint64 size;

  if (sym_child_talk_send (&talk, SYM_WORKER_LAYOUT, NULL, 0, asked, n_asked, error) &&
      sym_child_talk_expect (&talk, SYM_WORKER_PLACES, SYM_WORKER_MAX_SIZE, &size, &local))
    return sym_child_talk_receive_bytes (&talk, size, error);
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_FAILED))
    g_prefix_error (&local, "The layout worker says: ");
  if (local)
    g_propagate_error (error, local);
  return NULL;
}
