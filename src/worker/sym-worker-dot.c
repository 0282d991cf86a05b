/* SPDX-License-Identifier: MIT */
#include "worker/sym-worker-dot.h"

#include "worker/sym-worker-protocol.h"

#include <graphviz/gvc.h>
#include <math.h>
#include <string.h>

struct _SymWorkerDot {
  GVC_t *context;
};

/* A request whose parts have been found and checked. */
typedef struct {
  SymWorkerRequest head;
  const SymWorkerNode *nodes;
  const SymWorkerEdge *edges;
  const guint32 *rows;
} Request;

typedef struct {
  Agraph_t *graph;
  Agnode_t **nodes;
  Agedge_t **edges;
} Drawing;

/* Graphviz hands over its complaints in pieces; the last whole one is worth telling. */
static GString *complaint;

static int
keep_complaint (char *text)
{
  if (complaint->len > 0 && complaint->str[complaint->len - 1] == '\n')
    g_string_truncate (complaint, 0);
  g_string_append (complaint, text);
  return 0;
}

static gboolean refuse (char **message, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (char **message, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
check_nodes (const Request *request, char **message)
{
  for (guint32 i = 0; i < request->head.n_nodes; i++)
    {
      const SymWorkerNode *node = &request->nodes[i];

      if (!(node->width >= 0 && node->width <= SYM_WORKER_MAX_EXTENT && node->height >= 0 &&
            node->height <= SYM_WORKER_MAX_EXTENT))
        return refuse (message, "node %u measures %g × %g; 0 to %g is accepted", i, node->width,
                       node->height, SYM_WORKER_MAX_EXTENT);
    }
  return TRUE;
}

static gboolean
check_edges (const Request *request, char **message)
{
  for (guint32 i = 0; i < request->head.n_edges; i++)
    {
      const SymWorkerEdge *edge = &request->edges[i];

      if (edge->from >= request->head.n_nodes || edge->to >= request->head.n_nodes)
        return refuse (message, "edge %u leads from node %u to node %u of %u", i, edge->from,
                       edge->to, request->head.n_nodes);
      if (edge->weight < 1 || edge->weight > SYM_WORKER_MAX_WEIGHT)
        return refuse (message, "edge %u weighs %u; 1 to %d is accepted", i, edge->weight,
                       SYM_WORKER_MAX_WEIGHT);
    }
  return TRUE;
}

/* A node stands in one row only: Graphviz may abort where rows contradict each other. */
static gboolean
check_rows (const Request *request, char **message)
{
  guint32 n = request->head.n_row_words;
  g_autofree guint8 *is_taken = g_new0 (guint8, request->head.n_nodes + 1);

  for (guint32 i = 0; i < n;)
    {
      guint32 length = request->rows[i++];

      if (length > n - i)
        return refuse (message, "a row of %u nodes has only %u", length, n - i);
      for (guint32 end = i + length; i < end; i++)
        {
          guint32 node = request->rows[i];

          if (node >= request->head.n_nodes || is_taken[node])
            return refuse (message, "node %u of %u is in a row twice, or is none", node,
                           request->head.n_nodes);
          is_taken[node] = 1;
        }
    }
  return TRUE;
}

static gboolean
check_head (const SymWorkerRequest *head, char **message)
{
  if (head->n_nodes > SYM_WORKER_MAX_NODES || head->n_edges > SYM_WORKER_MAX_EDGES)
    return refuse (message, "%u nodes and %u edges are more than the %d and %d accepted",
                   head->n_nodes, head->n_edges, SYM_WORKER_MAX_NODES, SYM_WORKER_MAX_EDGES);
  if (!(head->node_gap >= 0 && head->node_gap <= SYM_WORKER_MAX_GAP && head->rank_gap >= 0 &&
        head->rank_gap <= SYM_WORKER_MAX_GAP && head->effort >= 0 && head->effort <= 1e9))
    return refuse (message, "gaps of %g and %g with an effort of %g are not accepted",
                   head->node_gap, head->rank_gap, head->effort);
  return TRUE;
}

static gboolean
read_request (const void *bytes, gsize size, Request *request, char **message)
{
  const char *p = bytes;
  guint64 expected;

  if (size < sizeof request->head)
    return refuse (message, "a request of %zu bytes is too short", size);
  memcpy (&request->head, p, sizeof request->head);
  if (!check_head (&request->head, message))
    return FALSE;
  expected = sizeof request->head + request->head.n_nodes * sizeof (SymWorkerNode) +
             request->head.n_edges * sizeof (SymWorkerEdge) +
             request->head.n_row_words * (guint64) sizeof (guint32);
  if (size != expected)
    return refuse (message, "a request of %zu bytes should have %" G_GUINT64_FORMAT, size,
                   expected);
  /* Each part is a multiple of eight bytes, but for the last. */
  request->nodes = (const void *) (p + sizeof request->head);
  request->edges = (const void *) (request->nodes + request->head.n_nodes);
  request->rows = (const void *) (request->edges + request->head.n_edges);
  return check_nodes (request, message) && check_edges (request, message) &&
         check_rows (request, message);
}

/* Graphviz takes texts that it does not change as though it did. */
static void
set_text (void *object, const char *name, const char *value)
{
  agsafeset (object, (char *) name, (char *) value, (char *) "");
}

static void
declare_one (Agraph_t *graph, int kind, const char *name, const char *value)
{
  agattr (graph, kind, (char *) name, (char *) value);
}

/* Numbers reach Graphviz as text, which must not depend on the locale. */
static void
set_number (void *object, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.4f", value);
  set_text (object, name, text);
}

static void
declare (Agraph_t *graph, const SymWorkerRequest *head)
{
  declare_one (graph, AGNODE, "shape", "box");
  declare_one (graph, AGNODE, "fixedsize", "true");
  declare_one (graph, AGNODE, "label", "");
  declare_one (graph, AGNODE, "width", "0.75");
  declare_one (graph, AGNODE, "height", "0.5");
  declare_one (graph, AGEDGE, "dir", "none");
  declare_one (graph, AGEDGE, "weight", "1");
  declare_one (graph, AGRAPH, "rank", "");
  set_number (graph, "nodesep", head->node_gap / POINTS_PER_INCH);
  set_number (graph, "ranksep", head->rank_gap / POINTS_PER_INCH);
  set_text (graph, "splines", head->wants_splines ? "true" : "false");
  if (head->effort > 0)
    set_number (graph, "nslimit", head->effort);
}

static void
add_nodes (const Request *request, Drawing *drawing)
{
  char name[16];

  for (guint32 i = 0; i < request->head.n_nodes; i++)
    {
      Agnode_t *node;

      g_snprintf (name, sizeof name, "%u", i);
      node = drawing->nodes[i] = agnode (drawing->graph, name, TRUE);
      set_number (node, "width", request->nodes[i].width / POINTS_PER_INCH);
      set_number (node, "height", request->nodes[i].height / POINTS_PER_INCH);
    }
}

static void
add_edges (const Request *request, Drawing *drawing)
{
  char text[16];

  for (guint32 i = 0; i < request->head.n_edges; i++)
    {
      const SymWorkerEdge *edge = &request->edges[i];

      g_snprintf (text, sizeof text, "e%u", i);
      drawing->edges[i] =
          agedge (drawing->graph, drawing->nodes[edge->from], drawing->nodes[edge->to], text, TRUE);
      g_snprintf (text, sizeof text, "%u", edge->weight);
      set_text (drawing->edges[i], "weight", text);
    }
}

static void
add_rows (const Request *request, Drawing *drawing)
{
  char name[16];

  for (guint32 i = 0; i < request->head.n_row_words;)
    {
      guint32 length = request->rows[i++];
      Agraph_t *row;

      g_snprintf (name, sizeof name, "row%u", i);
      row = agsubg (drawing->graph, name, TRUE);
      set_text (row, "rank", "same");
      for (guint32 k = 0; k < length; k++)
        {
          agsubnode (row, drawing->nodes[request->rows[i + k]], TRUE);
          if (k > 0)
            agedge (row, drawing->nodes[request->rows[i + k - 1]],
                    drawing->nodes[request->rows[i + k]], NULL, TRUE);
        }
      i += length;
    }
}

static void
append_spline (GByteArray *answer, Agedge_t *edge, double height)
{
  splines *spline = ED_spl (edge);
  guint64 n = spline && spline->size > 0 ? (guint64) spline->list[0].size : 0;

  g_byte_array_append (answer, (const guint8 *) &n, sizeof n);
  for (guint64 i = 0; i < n; i++)
    {
      pointf p = spline->list[0].list[i];
      SymWorkerPoint point = { p.x, height - p.y };

      g_byte_array_append (answer, (const guint8 *) &point, sizeof point);
    }
}

static void
append_places (GByteArray *answer, const Request *request, const Drawing *drawing)
{
  boxf box = GD_bb (drawing->graph);
  gboolean wants_splines = request->head.wants_splines != 0;
  SymWorkerPlaces places = { .n_nodes = request->head.n_nodes,
                             .n_edges = wants_splines ? request->head.n_edges : 0,
                             .width = box.UR.x,
                             .height = box.UR.y };

  g_byte_array_append (answer, (const guint8 *) &places, sizeof places);
  for (guint32 i = 0; i < request->head.n_nodes; i++)
    {
      pointf p = ND_coord (drawing->nodes[i]);
      SymWorkerPoint point = { p.x, box.UR.y - p.y };

      g_byte_array_append (answer, (const guint8 *) &point, sizeof point);
    }
  for (guint32 i = 0; i < places.n_edges; i++)
    append_spline (answer, drawing->edges[i], box.UR.y);
}

SymWorkerDot *
sym_worker_dot_new (void)
{
  SymWorkerDot *self = g_new0 (SymWorkerDot, 1);

  complaint = g_string_new (NULL);
  agseterrf (keep_complaint);
  self->context = gvContext ();
  return self;
}

void
sym_worker_dot_free (SymWorkerDot *self)
{
  gvFreeContext (self->context);
  g_string_free (complaint, TRUE);
  g_free (self);
}

static gboolean
run (SymWorkerDot *self, const Request *request, Drawing *drawing, GByteArray *answer)
{
  gboolean done;

  declare (drawing->graph, &request->head);
  add_nodes (request, drawing);
  add_edges (request, drawing);
  add_rows (request, drawing);
  done = gvLayout (self->context, drawing->graph, "dot") == 0;
  /* An empty graph has no box: there is nothing to read of it. */
  if (done && request->head.n_nodes > 0)
    append_places (answer, request, drawing);
  gvFreeLayout (self->context, drawing->graph);
  return done;
}

gboolean
sym_worker_dot_lay_out (SymWorkerDot *self,
                        const void *bytes,
                        gsize size,
                        GByteArray *answer,
                        char **message)
{
  Request request;
  Drawing drawing = { 0 };
  gboolean done;

  if (!read_request (bytes, size, &request, message))
    return FALSE;
  if (request.head.n_nodes == 0)
    {
      SymWorkerPlaces places = { 0 };

      g_byte_array_append (answer, (const guint8 *) &places, sizeof places);
      return TRUE;
    }
  g_string_truncate (complaint, 0);
  drawing.graph = agopen ((char *) "g", Agdirected, NULL);
  drawing.nodes = g_new (Agnode_t *, request.head.n_nodes);
  drawing.edges = g_new (Agedge_t *, request.head.n_edges + 1);
  done = run (self, &request, &drawing, answer);
  agclose (drawing.graph);
  g_free (drawing.nodes);
  g_free (drawing.edges);
  return done || refuse (message, "dot failed: %s", g_strchomp (complaint->str));
}
