/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"
#include "worker/sym-worker-protocol.h"

#include <math.h>
#include <string.h>

/* `dot` knows one gap for all; items are made broader to keep theirs. */
#define EXTRA_BREADTH (SYM_LAYOUT_ITEM_GAP - SYM_LAYOUT_LINE_GAP)

/* Along the flow we place ourselves: any heights do that tell ranks apart. */
#define LENGTH 20.0

#define EFFORT 20.0

/* The worker is given up for lost after this; it needs a hundredth of it for what it is asked. */
#define TIMEOUT_MS 20000

static guint32
get_weight (const SymLayering *layers, const SymLayerEdge *edge)
{
  gboolean from_item = edge->upper < layers->n_items;
  gboolean to_item = edge->lower < layers->n_items;

  if (edge->is_trunk)
    return 40;
  if (from_item && to_item)
    return 4;
  return from_item || to_item ? 1 : 8;
}

static GBytes *
make_request (const SymLayering *layers)
{
  SymWorkerRequest head = { .n_nodes = layers->n_nodes,
                            .n_edges = layers->n_edges,
                            .node_gap = SYM_LAYOUT_LINE_GAP,
                            .rank_gap = LENGTH,
                            .effort = EFFORT };
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) &head, sizeof head);
  for (guint i = 0; i < layers->n_nodes; i++)
    {
      double extra = i < layers->n_items ? EXTRA_BREADTH : 0;
      SymWorkerNode node = { layers->breadths[i] + extra, LENGTH };

      g_byte_array_append (bytes, (const guint8 *) &node, sizeof node);
    }
  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      SymWorkerEdge sent = { edge->upper, edge->lower, get_weight (layers, edge), 0 };

      g_byte_array_append (bytes, (const guint8 *) &sent, sizeof sent);
    }
  return g_byte_array_free_to_bytes (bytes);
}

/* The places in the answer when it is one to the layering: every rank at its height, none mixed. */
static const SymWorkerPoint *
check_answer (const SymLayering *layers, GBytes *answer)
{
  gsize size;
  const char *data = g_bytes_get_data (answer, &size);
  const SymWorkerPoint *points;
  SymWorkerPlaces head;

  if (size < sizeof head)
    return NULL;
  memcpy (&head, data, sizeof head);
  points = (const void *) (data + sizeof head);
  if (head.n_nodes != layers->n_nodes ||
      size != sizeof head + head.n_nodes * (gsize) sizeof (SymWorkerPoint))
    return NULL;
  for (guint i = 0; i < layers->n_nodes; i++)
    {
      guint first = layers->order[layers->rank_starts[layers->ranks[i]]];

      if (!isfinite (points[i].x) || !(fabs (points[i].y - points[first].y) < LENGTH / 2))
        return NULL;
    }
  return points;
}

typedef struct {
  double x;
  guint node;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *p = a;
  const Placed *q = b;

  if (p->x < q->x)
    return -1;
  if (p->x > q->x)
    return 1;
  return p->node < q->node ? -1 : p->node > q->node;
}

static void
take_rank (SymLayering *layers, guint rank, const SymWorkerPoint *points)
{
  guint start = layers->rank_starts[rank];
  guint n = layers->rank_starts[rank + 1] - start;
  g_autofree Placed *placed = g_new (Placed, n);

  for (guint i = 0; i < n; i++)
    {
      guint node = layers->order[start + i];

      placed[i] = (Placed){ points[node].x, node };
    }
  qsort (placed, n, sizeof *placed, compare_placed);
  for (guint i = 0; i < n; i++)
    {
      layers->order[start + i] = placed[i].node;
      layers->positions[placed[i].node] = i;
      layers->x[placed[i].node] = placed[i].x;
    }
}

gboolean
sym_layering_ask_dot (SymLayering *self,
                      SymLayoutWorker *worker,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GBytes) request = make_request (self);
  g_autoptr (GBytes) answer = NULL;
  const SymWorkerPoint *points;

  answer = sym_layout_worker_ask (worker, request, TIMEOUT_MS, cancellable, error);
  if (!answer)
    return FALSE;
  points = check_answer (self, answer);
  if (!points)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "The layout worker gave no places that keep the ranks");
      return FALSE;
    }
  for (guint rank = 0; rank < self->n_ranks; rank++)
    take_rank (self, rank, points);
  return TRUE;
}
