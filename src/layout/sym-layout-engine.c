/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include "core/sym-progress.h"

#include <math.h>
#include <string.h>

/* What `dot` is asked for: it takes a tenth of a second at these sizes, and grows with their
 * square. */
#define MAX_DOT_NODES 600
#define MAX_DOT_EDGES 1200

/* Workers that may die over one drawing before we go on without. */
#define MAX_WORKERS 3

/* As much longer may lines be that bend less. */
#define MAX_LONGER 1.5

/* What of the time that a part takes is over when its ranks are known, the places of its bends, its
 * order, its places, and those of `dot`. */
#define SHARE_RANKS 0.1
#define SHARE_LAYERS 0.3
#define SHARE_ORDER 0.55
#define SHARE_PLACES 0.7
#define SHARE_DOT 0.8

/* Parts of less size are as good as a step.  A part of any size asks `dot` at most once. */
#define TOLD_SIZE 2048

struct _SymLayoutEngine {
  SymLayoutWorker *worker;
  guint n_started;
  char *message;
  guint64 done, total; /* sizes of parts */
};

/* An order with its places, and how good it is. */
typedef struct {
  guint *order;
  double *x;
  guint64 n_crossings;
  double length; /* of lines, sideways */
  guint n_bends;
} Result;

static guint64
count_crossings (const SymLayering *layers)
{
  guint64 sum = 0;

  for (guint rank = 0; rank + 1 < layers->n_ranks; rank++)
    sum += sym_layering_count_crossings (layers, rank);
  return sum;
}

static guint
count_bends (const SymLayering *layers)
{
  guint n = 0;

  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];

      n += fabs (layers->x[edge->upper] + edge->port * layers->breadths[edge->upper] -
                 layers->x[edge->lower]) > 0.5;
    }
  return n;
}

static Result
save (const SymLayering *layers)
{
  return (Result){ g_memdup2 (layers->order, layers->n_nodes * sizeof (guint)),
                   g_memdup2 (layers->x, layers->n_nodes * sizeof (double)),
                   count_crossings (layers), sym_layering_measure_length (layers),
                   count_bends (layers) };
}

static void
restore (SymLayering *layers, const Result *result)
{
  memcpy (layers->order, result->order, layers->n_nodes * sizeof (guint));
  memcpy (layers->x, result->x, layers->n_nodes * sizeof (double));
  for (guint i = 0; i < layers->n_nodes; i++)
    layers->positions[layers->order[i]] = i - layers->rank_starts[layers->ranks[layers->order[i]]];
}

/* Our own is straighter: with as many crossings, the other must be much shorter. */
static gboolean
is_better (const Result *other, const Result *own)
{
  if (other->n_crossings != own->n_crossings)
    return other->n_crossings < own->n_crossings;
  return other->length < 0.8 * own->length;
}

static void
result_clear (Result *result)
{
  g_free (result->order);
  g_free (result->x);
}

/* The worker, started when first needed, or again after it died. */
static SymLayoutWorker *
get_worker (SymLayoutEngine *self, GError **error)
{
  if (!self->worker && self->n_started < MAX_WORKERS)
    {
      self->n_started++;
      self->worker = sym_layout_worker_new (NULL, error);
    }
  else if (!self->worker)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE,
                           "The layout worker died several times");
    }
  return self->worker;
}

/* Losing the worker costs what it was asked, and is told once. */
static void
note_failure (SymLayoutEngine *self, const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED))
    g_clear_pointer (&self->worker, sym_layout_worker_free);
  if (!self->message)
    self->message =
        g_strdup_printf ("Parts of the drawing were placed without Graphviz: %s.", error->message);
}

/* Whether `dot` can be expected to do better: where lines cross. */
static gboolean
is_for_dot (const SymLayering *layers)
{
  return layers->n_nodes <= MAX_DOT_NODES && layers->n_edges <= MAX_DOT_EDGES &&
         count_crossings (layers) > 0;
}

static void
place (const SymPart *part, SymLayering *layers)
{
  sym_layering_place (layers);
  sym_layering_tighten (layers);
  if (sym_layering_is_too_broad (layers))
    sym_layering_lean (layers, part);
}

/* The places of `dot` or, where its lines bend more often than ours in its order, our own.  It
 * knows no items that lean: of these only the order is taken. */
static Result
choose_places (const SymPart *part, SymLayering *layers)
{
  Result theirs;
  Result ours;

  if (layers->leans)
    {
      place (part, layers);
      return save (layers);
    }
  sym_layering_tighten (layers);
  theirs = save (layers);
  place (part, layers);
  ours = save (layers);
  if (ours.n_bends < theirs.n_bends && ours.length < MAX_LONGER * theirs.length)
    {
      result_clear (&theirs);
      return ours;
    }
  restore (layers, &theirs);
  result_clear (&ours);
  return theirs;
}

/* Takes what `dot` makes of the layering when it is better.  FALSE when cancelled. */
static gboolean
try_dot (SymLayoutEngine *self, const SymPart *part, SymLayering *layers, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  SymLayoutWorker *worker = get_worker (self, &error);
  Result own;
  Result other;

  if (!worker)
    {
      note_failure (self, error);
      return TRUE;
    }
  own = save (layers);
  if (sym_layering_ask_dot (layers, worker, cancellable, &error))
    {
      other = choose_places (part, layers);
      if (!is_better (&other, &own))
        restore (layers, &own);
      result_clear (&other);
    }
  result_clear (&own);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  if (error)
    note_failure (self, error);
  return TRUE;
}

/* ---- How far it is ---- */

static guint64
get_size (const SymPart *part)
{
  return (guint64) part->n_items + part->n_links;
}

static void
tell (const SymLayoutEngine *self, const SymPart *part, double share, GCancellable *cancellable)
{
  guint64 size = get_size (part);

  if (size >= TOLD_SIZE)
    sym_progress_tell (cancellable, self->done + (guint64) (share * (double) size), self->total);
}

static gboolean
sort (const SymLayoutEngine *self,
      const SymPart *part,
      SymLayering *layers,
      GCancellable *cancellable)
{
  double size = (double) get_size (part) / (double) self->total;
  double before = (double) self->done / (double) self->total;
  SymProgressPart whole;
  gboolean done;

  if (get_size (part) < TOLD_SIZE)
    return sym_layering_sort (layers, NULL) && !g_cancellable_is_cancelled (cancellable);
  whole =
      sym_progress_enter (cancellable, before + SHARE_LAYERS * size, before + SHARE_ORDER * size);
  done = sym_layering_sort (layers, cancellable);
  sym_progress_leave (cancellable, whole);
  return done;
}

void
sym_layout_engine_expect (SymLayoutEngine *self, guint64 n_items, guint64 n_links)
{
  self->total += n_items + n_links;
}

void
sym_layout_engine_pass (SymLayoutEngine *self, const SymPart *part, GCancellable *cancellable)
{
  guint64 size = get_size (part);

  g_assert (size <= self->total - self->done);

  self->done += size;
  if (self->done / TOLD_SIZE != (self->done - size) / TOLD_SIZE)
    sym_progress_tell (cancellable, self->done, self->total);
}

/* ---- The public functions ---- */

SymLayoutEngine *
sym_layout_engine_new (void)
{
  return g_new0 (SymLayoutEngine, 1);
}

void
sym_layout_engine_free (SymLayoutEngine *self)
{
  sym_layout_worker_free (self->worker);
  g_free (self->message);
  g_free (self);
}

char *
sym_layout_engine_steal_message (SymLayoutEngine *self)
{
  return g_steal_pointer (&self->message);
}

gboolean
sym_layout_engine_run (SymLayoutEngine *self,
                       SymPart *part,
                       double rank_gap,
                       GCancellable *cancellable)
{
  g_autoptr (SymLayering) layers = NULL;

  sym_part_rank (part);
  tell (self, part, SHARE_RANKS, cancellable);
  layers = sym_layering_new (part);
  if (!sort (self, part, layers, cancellable))
    return FALSE;
  place (part, layers);
  tell (self, part, SHARE_PLACES, cancellable);
  if (is_for_dot (layers) && !try_dot (self, part, layers, cancellable))
    return FALSE;
  sym_layering_straighten (layers);
  tell (self, part, SHARE_DOT, cancellable);
  sym_part_route (part, layers, rank_gap);
  sym_layout_engine_pass (self, part, cancellable);
  return !g_cancellable_is_cancelled (cancellable);
}
