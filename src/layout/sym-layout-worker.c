/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-worker.h"

#include "core/sym-child.h"
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

/* One exchange. */
typedef struct {
  SymChild *child;
  gint64 deadline;
  GCancellable *cancellable;
} Exchange;

static gboolean
send_request (const Exchange *exchange, GBytes *request, GError **error)
{
  gsize size;
  const void *data = g_bytes_get_data (request, &size);
  SymWorkerFrame frame = { SYM_WORKER_MAGIC, SYM_WORKER_LAYOUT, size };

  return sym_child_send (exchange->child, &frame, sizeof frame, exchange->deadline,
                         exchange->cancellable, error) &&
         sym_child_send (exchange->child, data, size, exchange->deadline, exchange->cancellable,
                         error);
}

static GBytes *
receive_answer (const Exchange *exchange, guint32 *kind, GError **error)
{
  SymWorkerFrame frame;
  void *data;

  if (!sym_child_receive (exchange->child, &frame, sizeof frame, exchange->deadline,
                          exchange->cancellable, error))
    return NULL;
  if (frame.magic != SYM_WORKER_MAGIC || frame.size > SYM_WORKER_MAX_SIZE ||
      (frame.kind != SYM_WORKER_PLACES && frame.kind != SYM_WORKER_FAILURE))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "The layout worker does not speak its protocol");
      sym_child_end (exchange->child);
      return NULL;
    }
  *kind = frame.kind;
  data = g_malloc (MAX (frame.size, 1));
  if (!sym_child_receive (exchange->child, data, frame.size, exchange->deadline,
                          exchange->cancellable, error))
    {
      g_free (data);
      return NULL;
    }
  return g_bytes_new_take (data, frame.size);
}

GBytes *
sym_layout_worker_ask (SymLayoutWorker *self,
                       GBytes *request,
                       guint timeout_ms,
                       GCancellable *cancellable,
                       GError **error)
{
  Exchange exchange = { self->child, g_get_monotonic_time () + 1000 * (gint64) timeout_ms,
                        cancellable };
  guint32 kind = SYM_WORKER_PLACES;
  g_autoptr (GBytes) content = NULL;
  g_autofree char *message = NULL;

  if (send_request (&exchange, request, error))
    content = receive_answer (&exchange, &kind, error);
  if (!content || kind == SYM_WORKER_PLACES)
    return g_steal_pointer (&content);
  message =
      g_utf8_make_valid (g_bytes_get_data (content, NULL), (gssize) g_bytes_get_size (content));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "The layout worker says: %s", message);
  return NULL;
}
