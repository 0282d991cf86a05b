/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"

/* Operations of a slice: of one that is short enough for a run to be stopped, and of one that is
 * worth handing over to another thread. */
#define SLICE 4e6
#define SMALL_SLICE 3e5
#define SLICES_OF_THREAD 4

/* Panels of a slice that is of parts of the inside, so that each part of x comes once for all of
 * them; no more than so many operations. */
#define PANELS_OF_PARTS 4
#define LARGE_SLICE 1e8

/* A few rows wait for the weights that they are multiplied by as long as so many would take. */
#define LEAST_ROWS 6

typedef struct {
  SymStep step;
  guint x, y, addend;
  gsize rows, inner, outer;
  float *panels, *bias;
  float low, high;
} Product;

/* ---- Making ---- */

/* Bytes of a slice while weights are packed. */
#define PACKED_BYTES (256 << 10)

typedef struct {
  const Product *self;
  const SymPlanOp *op;
  guint n_slices;
  gboolean has_scales;
} Packing;

gboolean
sym_step_has_scales (const SymPlanOp *op)
{
  for (gsize i = 0; i < op->outer; i++)
    if (op->scales[i] != 1)
      return TRUE;
  return FALSE;
}

/* Of some columns, from a whole panel on. */
static void
scale (const Product *self, const float *scales, gsize begin, gsize end)
{
  for (gsize first = begin; first < end; first += SYM_PANEL)
    {
      float *panel = self->panels + first * self->inner;
      gsize n = MIN (end - first, SYM_PANEL);

      for (gsize i = 0; i < self->inner; i++)
        for (gsize j = 0; j < n; j++)
          panel[i * SYM_PANEL + j] *= scales[first + j];
    }
}

/* ---- Weights that are used again ---- */

typedef struct {
  const float *weights;
  gsize inner, outer;
  SymPackedForm form;
} Key;

static guint
hash_key (gconstpointer key)
{
  return g_direct_hash (((const Key *) key)->weights);
}

static gboolean
are_equal (gconstpointer left, gconstpointer right)
{
  const Key *a = left, *b = right;

  return a->weights == b->weights && a->inner == b->inner && a->outer == b->outer &&
         a->form == b->form;
}

GHashTable *
sym_product_new_table (void)
{
  return g_hash_table_new_full (hash_key, are_equal, g_free, NULL);
}

float *
sym_step_find_packed (const SymPlanOp *op, SymPackedForm form, const SymStepOptions *options)
{
  Key key = { op->weights, op->inner, op->outer, form };
  float *packed;

  if (sym_step_has_scales (op) || op->lends_weights)
    return NULL;
  packed = g_hash_table_lookup (options->packed, &key);
  if (packed == NULL && op->shares_weights && options->packer != NULL &&
      options->packer->packed != NULL)
    packed = g_hash_table_lookup (options->packer->packed, &key);
  return packed;
}

static void
keep (GHashTable *table, const Key *key, float *packed)
{
  g_hash_table_insert (table, g_memdup2 (key, sizeof *key), packed);
}

void
sym_step_keep_packed (const SymPlanOp *op,
                      SymPackedForm form,
                      float *packed,
                      const SymStepOptions *options)
{
  Key key = { op->weights, op->inner, op->outer, form };

  if (sym_step_has_scales (op) || op->lends_weights)
    return;
  keep (options->packed, &key, packed);
  if (!op->shares_weights || options->packer == NULL)
    return;
  if (options->packer->packed == NULL)
    options->packer->packed = sym_product_new_table ();
  keep (options->packer->packed, &key, packed);
}

/* ---- Packing ---- */

/* Packs the columns of a few panels. */
static void
pack_slice (gpointer data, guint slice)
{
  const Packing *packing = data;
  const Product *self = packing->self;
  const SymPlanOp *op = packing->op;
  gssize row_stride = op->is_transposed ? 1 : (gssize) op->outer;
  gssize column_stride = op->is_transposed ? (gssize) op->inner : 1;
  gsize n_panels = (op->outer + SYM_PANEL - 1) / SYM_PANEL, first, end;

  sym_step_get_slice (slice, packing->n_slices, n_panels, &first, &end);
  first *= SYM_PANEL;
  end = MIN (end * SYM_PANEL, op->outer);
  sym_panel_pack (self->panels + first * op->inner, op->weights + (gssize) first * column_stride,
                  row_stride, column_stride, op->inner, end - first);
  if (packing->has_scales)
    scale (self, op->scales, first, end);
}

static void
pack (Product *self, const SymPlanOp *op, const SymStepOptions *options)
{
  gsize n = sym_panel_get_n (op->inner, op->outer), n_bytes = n * sizeof (float);
  gsize n_panels = (op->outer + SYM_PANEL - 1) / SYM_PANEL;
  Packing packing = { self, op, (guint) CLAMP (n_bytes / PACKED_BYTES, 1, MIN (n_panels, 10000)),
                      sym_step_has_scales (op) };
  SymPackedForm form = op->is_transposed ? SYM_PACKED_TURNED : SYM_PACKED_PANELS;

  self->panels = sym_step_find_packed (op, form, options);
  if (self->panels == NULL)
    {
      self->panels = sym_memory_pool_take_any (options->pool, n);
      sym_packer_run (options->packer, pack_slice, &packing, packing.n_slices, n_bytes);
      sym_step_keep_packed (op, form, self->panels, options);
      self->step.n_bytes = n_bytes;
    }
  for (gsize i = 0; i < op->outer && self->bias == NULL; i++)
    if (op->bias[i] != 0)
      self->bias = g_memdup2 (op->bias, op->outer * sizeof *op->bias);
}

static void
free_product (SymStep *step)
{
  Product *self = (Product *) step;

  g_free (self->bias);
  g_free (self);
}

/* ---- Running ---- */

/* The panels that the same thread has next; NULL for none. */
static const float *
find_next (const Product *self, guint slice)
{
  gsize n_panels = (self->outer + SYM_PANEL - 1) / SYM_PANEL, first, end;

  if (slice >= self->step.n_slices)
    return NULL;
  sym_step_get_slice (slice, self->step.n_slices, n_panels, &first, &end);
  return self->panels + first * SYM_PANEL * self->inner;
}

/* Slices are of whole panels. */
static gboolean
run_product (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Product *self = (const Product *) step;
  const float *addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend];
  SymPanelProduct product = { .y_stride = (gssize) self->outer,
                              .x = run->places[self->x],
                              .x_stride = (gssize) self->inner,
                              .x_step = 1,
                              .rows = self->rows,
                              .inner = self->inner,
                              .low = self->low,
                              .high = self->high };
  gsize n_panels = (self->outer + SYM_PANEL - 1) / SYM_PANEL, first, end;

  sym_step_get_slice (slice, step->n_slices, n_panels, &first, &end);
  first *= SYM_PANEL;
  product.y = run->places[self->y] + first;
  product.panels = self->panels + first * self->inner;
  product.next = find_next (self, run->next);
  product.bias = self->bias == NULL ? NULL : self->bias + first;
  product.addend = addend == NULL ? NULL : addend + first;
  product.outer = MIN (end * SYM_PANEL, self->outer) - first;
  sym_panel_multiply (&product);
  return TRUE;
}

static const SymStepClass class = { .run = run_product, .free = free_product };

guint
sym_step_count_matrix_slices (const SymPlanGraph *graph, gsize n, double n_operations)
{
  double all = (double) n * n_operations, n_threads = graph->plan->n_threads;
  double wanted = n_threads > 1 ? MIN (all / SMALL_SLICE, SLICES_OF_THREAD * n_threads) : 1;

  return (guint) CLAMP (MAX (wanted, all / SLICE), 1, (double) MIN (n, 1000000));
}

static guint
count_slices (const Product *self, const SymPlanGraph *graph)
{
  gsize n_panels = (self->outer + SYM_PANEL - 1) / SYM_PANEL, n_together = 1;
  double each = 2.0 * SYM_PANEL * (double) MAX (self->rows, LEAST_ROWS) * (double) self->inner;

  if (sym_panel_has_parts (self->rows, self->inner))
    n_together = (gsize) CLAMP (LARGE_SLICE / each, 1, PANELS_OF_PARTS);
  return sym_step_count_matrix_slices (graph, (n_panels + n_together - 1) / n_together,
                                       each * (double) n_together);
}

SymStep *
sym_product_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Product *self = g_new0 (Product, 1);
  gboolean is_clip = op->activation == SYM_PLAN_CLIP;

  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->rows = sym_plan_graph_get_tensor (graph, op->x)->n / op->inner;
  self->inner = op->inner;
  self->outer = op->outer;
  self->low = op->activation == SYM_PLAN_RELU ? 0 : is_clip ? op->p : -INFINITY;
  self->high = is_clip ? op->q : INFINITY;
  self->step.class = &class;
  self->step.n_slices = count_slices (self, graph);
  pack (self, op, options);
  self->step.n_bytes += self->outer * sizeof (float);
  return &self->step;
}
