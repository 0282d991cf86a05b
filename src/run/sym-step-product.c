/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"

/* Operations of a slice. */
#define SLICE 4e6

typedef struct {
  SymStep step;
  guint x, y, addend;
  gsize rows, inner, outer;
  float *panels, *bias;
  float low, high;
} Product;

/* ---- Making ---- */

static gboolean
is_plain (const SymPlanOp *op)
{
  for (gsize i = 0; i < op->outer; i++)
    if (op->scales[i] != 1)
      return FALSE;
  return TRUE;
}

static void
scale (Product *self, const float *scales)
{
  for (gsize first = 0; first < self->outer; first += SYM_PANEL)
    {
      float *panel = self->panels + first * self->inner;
      gsize n = MIN (self->outer - first, SYM_PANEL);

      for (gsize i = 0; i < self->inner; i++)
        for (gsize j = 0; j < n; j++)
          panel[i * SYM_PANEL + j] *= scales[first + j];
    }
}

/* Memory as g_aligned_alloc gives it, which ends the program when there is none: as much as the
 * weights take that are there already. */
static void
pack (Product *self, const SymPlanOp *op)
{
  gssize inner = (gssize) op->inner, outer = (gssize) op->outer;

  self->panels = g_aligned_alloc (sym_panel_get_n (op->inner, op->outer), sizeof (float), 64);
  sym_panel_pack (self->panels, op->weights, op->is_transposed ? 1 : outer,
                  op->is_transposed ? inner : 1, op->inner, op->outer);
  if (!is_plain (op))
    scale (self, op->scales);
  for (gsize i = 0; i < op->outer && self->bias == NULL; i++)
    if (op->bias[i] != 0)
      self->bias = g_memdup2 (op->bias, op->outer * sizeof *op->bias);
}

static void
free_product (SymStep *step)
{
  Product *self = (Product *) step;

  g_aligned_free (self->panels);
  g_free (self->bias);
  g_free (self);
}

/* ---- Running ---- */

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
  product.bias = self->bias == NULL ? NULL : self->bias + first;
  product.addend = addend == NULL ? NULL : addend + first;
  product.outer = MIN (end * SYM_PANEL, self->outer) - first;
  sym_panel_multiply (&product);
  return TRUE;
}

static const SymStepClass class = { .run = run_product, .free = free_product };

guint
sym_step_count_matrix_slices (gsize n, double n_operations)
{
  double wanted = (double) n * n_operations / SLICE;

  return (guint) CLAMP (wanted, 1, (double) MIN (n, 1000000));
}

SymStep *
sym_product_new (const SymPlanGraph *graph, const SymPlanOp *op)
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
  pack (self, op);
  self->step = (SymStep){ .class = &class,
                          .n_slices = sym_step_count_matrix_slices (
                              (op->outer + SYM_PANEL - 1) / SYM_PANEL,
                              2.0 * SYM_PANEL * (double) self->rows * (double) self->inner),
                          .n_bytes = (sym_panel_get_n (self->inner, self->outer) + self->outer) *
                                     sizeof (float) };
  return &self->step;
}
