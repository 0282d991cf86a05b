/* SPDX-License-Identifier: MIT */
#include "run/sym-region-private.h"

#include <stdlib.h>
#include <string.h>

#include "core/sym-error.h"
#include "run/sym-dnnl-private.h"
#include "run/sym-step-chain-private.h"
#include "run/sym-step-matrix-private.h"

typedef struct _Step Step;

/* How a step of a region is run. */
typedef struct {
  gboolean (*run) (const Step *step, SymRegionRun *run, SymDnnlCall *call, GError **error);
} StepClass;

struct _Step {
  const StepClass *class;
  guint x, y, addend; /* tensors */
  SymDnnl *heavy;
  SymChain *chain;
  SymStep *own;
};

struct _SymRegion {
  SymPlanGraph *graph;      /* its tensors and blocks; the operations are gone */
  GArray *steps;            /* of Step */
  GArray *inputs, *outputs; /* of SymId */
  GArray *froms, *tos;      /* of guint: their tensors */
  GPtrArray *kept;          /* of SymDatum: constants whose numbers are read */
  gsize scratch;            /* bytes */
  guint64 n_weight_bytes;
};

struct _SymRegionRun {
  const SymRegion *region;
  float *arena, *scratch;
  float **places;            /* of each tensor */
  guint *roots;              /* of each tensor */
  SymDnnlCall **calls;       /* of each step, NULL for those without */
  GCancellable *cancellable; /* of the run that goes on */
};

/* ---- Steps ---- */

static gboolean
run_heavy (const Step *step, SymRegionRun *run, SymDnnlCall *call, GError **error)
{
  float *y = run->places[step->y];

  if (step->addend != SYM_PLAN_NONE && run->places[step->addend] != y)
    memcpy (y, run->places[step->addend],
            sym_plan_graph_get_tensor (run->region->graph, step->y)->n * sizeof *y);
  return sym_dnnl_call_run (call, run->places[step->x], y, run->scratch, error);
}

static gboolean
run_chain (const Step *step, SymRegionRun *run, SymDnnlCall *call, GError **error)
{
  sym_chain_run (step->chain, run->places, run->scratch);
  return TRUE;
}

/* Each slice by itself, so that a long step is left soon. */
static gboolean
run_own (const Step *step, SymRegionRun *run, SymDnnlCall *call, GError **error)
{
  SymStepRun own = { run->places, run->scratch, NULL };

  for (guint i = 0; i < step->own->n_slices; i++)
    if (g_cancellable_set_error_if_cancelled (run->cancellable, error) ||
        !step->own->class->run (step->own, &own, i, error))
      return FALSE;
  return TRUE;
}

/* @from, of [rows, columns], with rows and columns exchanged, in blocks that stay near. */
static void
transpose (const float *from, float *to, gsize rows, gsize columns)
{
  for (gsize i = 0; i < rows; i += 16)
    for (gsize j = 0; j < columns; j += 16)
      for (gsize k = i; k < MIN (i + 16, rows); k++)
        for (gsize l = j; l < MIN (j + 16, columns); l++)
          to[l * rows + k] = from[k * columns + l];
}

static gboolean
run_copy (const Step *step, SymRegionRun *run, SymDnnlCall *call, GError **error)
{
  const SymPlanTensor *x = sym_plan_graph_get_tensor (run->region->graph, step->x);
  const SymPlanTensor *y = sym_plan_graph_get_tensor (run->region->graph, step->y);
  const float *from = run->places[step->x];
  float *to = run->places[step->y];
  gsize channels, n;

  if (x->is_last == y->is_last)
    {
      memcpy (to, from, x->n * sizeof *to);
      return TRUE;
    }
  channels = (gsize) x->shape.dims[1];
  n = x->n / (gsize) x->shape.dims[0];
  for (gsize i = 0; i < x->n; i += n)
    if (y->is_last)
      transpose (from + i, to + i, channels, n / channels);
    else
      transpose (from + i, to + i, n / channels, channels);
  return TRUE;
}

static const StepClass heavy_class = { run_heavy };
static const StepClass chain_class = { run_chain };
static const StepClass copy_class = { run_copy };
static const StepClass own_class = { run_own };

/* ---- Making ---- */

/* Whether the operation goes on with the chain that @before is in. */
static gboolean
continues (const SymPlanGraph *graph, const SymPlanOp *before, const SymPlanOp *op)
{
  const SymPlanTensor *a = sym_plan_graph_get_tensor (graph, before->y);
  const SymPlanTensor *b = sym_plan_graph_get_tensor (graph, op->y);

  return before->kind == SYM_PLAN_ELEMENTWISE && op->kind == SYM_PLAN_ELEMENTWISE && a->n == b->n &&
         a->is_last == b->is_last;
}

/* The step of each operation: chains have the same one. */
static guint *
number_steps (const SymPlanGraph *graph)
{
  guint *steps = g_new (guint, graph->ops->len + 1), n = 0;

  for (guint i = 0; i < graph->ops->len; i++)
    {
      if (i > 0 && !continues (graph, sym_plan_graph_get_op (graph, i - 1),
                               sym_plan_graph_get_op (graph, i)))
        n++;
      steps[i] = n;
    }
  return steps;
}

static void
show (gboolean *hidden, const guint *makers, guint tensor, guint step)
{
  if (tensor != SYM_PLAN_NONE && makers[tensor] != step)
    hidden[tensor] = FALSE;
}

/* What is made and used in one chain only is never in memory. */
static gboolean *
find_hidden (const SymPlanGraph *graph, const guint *steps)
{
  gboolean *hidden = g_new0 (gboolean, graph->tensors->len + 1);
  g_autofree guint *makers = g_new0 (guint, graph->tensors->len + 1);

  for (guint i = 0; i < graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      makers[op->y] = steps[i];
      hidden[op->y] =
          op->kind == SYM_PLAN_ELEMENTWISE && !sym_plan_graph_get_tensor (graph, op->y)->is_output;
    }
  for (guint i = 0; i < graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      show (hidden, makers, op->x, steps[i]);
      show (hidden, makers, op->other, steps[i]);
      show (hidden, makers, op->addend, steps[i]);
    }
  return hidden;
}

static gboolean
add_heavy (SymRegion *self, const SymPlanOp *op, GError **error)
{
  Step step = { &heavy_class, op->x, op->y, op->addend };

  step.heavy = sym_dnnl_new (self->graph, op, error);
  if (step.heavy == NULL)
    return FALSE;
  self->scratch = MAX (self->scratch, sym_dnnl_get_n_scratch (step.heavy));
  self->n_weight_bytes += sym_dnnl_get_n_bytes (step.heavy);
  g_array_append_val (self->steps, step);
  return TRUE;
}

static void
add_own (SymRegion *self, SymStep *own)
{
  Step step = { &own_class, SYM_PLAN_NONE, SYM_PLAN_NONE, SYM_PLAN_NONE, .own = own };

  self->scratch = MAX (self->scratch, own->n_scratch);
  self->n_weight_bytes += own->n_bytes;
  g_array_append_val (self->steps, step);
}

static void
add_chain (SymRegion *self, guint first, guint n, const gboolean *hidden)
{
  Step step = { &chain_class, SYM_PLAN_NONE, SYM_PLAN_NONE, SYM_PLAN_NONE };

  step.chain = sym_chain_new (self->graph, first, n, hidden);
  self->scratch = MAX (self->scratch, sym_chain_get_n_scratch (step.chain) * sizeof (float));
  g_array_append_val (self->steps, step);
}

static void
add_copy (SymRegion *self, const SymPlanOp *op)
{
  Step step = { &copy_class, op->x, op->y, SYM_PLAN_NONE };

  g_array_append_val (self->steps, step);
}

static gboolean
add_steps (SymRegion *self, const guint *steps, const gboolean *hidden, GError **error)
{
  guint n;

  for (guint i = 0; i < self->graph->ops->len; i += n)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      for (n = 1; i + n < self->graph->ops->len && steps[i + n] == steps[i];)
        n++;
      if (op->kind == SYM_PLAN_ELEMENTWISE)
        add_chain (self, i, n, hidden);
      else if (op->kind == SYM_PLAN_COPY)
        add_copy (self, op);
      else if (op->kind == SYM_PLAN_PRODUCT)
        add_own (self, sym_product_new (self->graph, op));
      else if (op->kind != SYM_PLAN_VIEW && !add_heavy (self, op, error))
        return FALSE;
    }
  return TRUE;
}

/* Constants of the model that are read as they are. */
static void
keep_constant (SymRegion *self, guint tensor)
{
  const SymPlanTensor *kept;
  SymDatum *datum;

  if (tensor == SYM_PLAN_NONE)
    return;
  kept = sym_plan_graph_get_tensor (self->graph, tensor);
  if (kept->constant == NULL)
    return;
  self->n_weight_bytes += kept->n * sizeof (float);
  if (kept->value == SYM_NO_ID)
    return;
  datum = self->graph->plan->constants[kept->value];
  g_ptr_array_add (self->kept, sym_datum_ref (datum));
}

static void
keep_constants (SymRegion *self)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      keep_constant (self, op->x);
      keep_constant (self, op->other);
      keep_constant (self, op->addend);
    }
}

static void
find_ends (SymRegion *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      const SymPlanTensor *tensor = sym_plan_graph_get_tensor (self->graph, i);

      if (tensor->is_input)
        {
          g_array_append_val (self->inputs, tensor->value);
          g_array_append_val (self->froms, i);
        }
      if (tensor->is_output)
        {
          g_array_append_val (self->outputs, tensor->value);
          g_array_append_val (self->tos, i);
        }
    }
}

static void
clear_step (gpointer data)
{
  Step *step = data;

  g_clear_pointer (&step->heavy, sym_dnnl_free);
  g_clear_pointer (&step->chain, sym_chain_free);
  if (step->own != NULL)
    step->own->class->free (step->own);
}

SymRegion *
sym_region_new (SymPlanGraph *graph, GError **error)
{
  SymRegion *self = g_new0 (SymRegion, 1);
  g_autofree guint *steps = NULL;
  g_autofree gboolean *hidden = NULL;

  self->graph = graph;
  self->steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_array_set_clear_func (self->steps, clear_step);
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->froms = g_array_new (FALSE, FALSE, sizeof (guint));
  self->tos = g_array_new (FALSE, FALSE, sizeof (guint));
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  sym_plan_graph_fuse (graph);
  sym_plan_graph_lay_out (graph);
  steps = number_steps (graph);
  hidden = find_hidden (graph, steps);
  sym_plan_graph_place (graph, steps, hidden);
  if (!add_steps (self, steps, hidden, error))
    {
      sym_region_free (self);
      return NULL;
    }
  keep_constants (self);
  find_ends (self);
  g_array_set_size (graph->ops, 0);
  return self;
}

void
sym_region_free (SymRegion *self)
{
  g_array_unref (self->steps);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->froms);
  g_array_unref (self->tos);
  g_ptr_array_unref (self->kept);
  sym_plan_graph_free (self->graph);
  g_free (self);
}

SymIds
sym_region_get_inputs (const SymRegion *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->inputs->data, self->inputs->len };
}

SymIds
sym_region_get_outputs (const SymRegion *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->outputs->data, self->outputs->len };
}

guint64
sym_region_get_n_weight_bytes (const SymRegion *self)
{
  return self->n_weight_bytes;
}

gsize
sym_region_get_n_arena_bytes (const SymRegion *self)
{
  return self->graph->arena * sizeof (float) + self->scratch;
}

/* ---- Running ---- */

/* Where each tensor is that does not come from outside. */
static void
set_places (SymRegionRun *self)
{
  const SymPlanGraph *graph = self->region->graph;

  for (guint i = 0; i < graph->tensors->len; i++)
    {
      const SymPlanTensor *root;

      self->roots[i] = sym_plan_graph_find_root (graph, i);
      root = sym_plan_graph_get_tensor (graph, self->roots[i]);
      if (root->constant != NULL)
        self->places[i] = (float *) root->constant;
      else if (!root->is_input && !root->is_output)
        self->places[i] = self->arena + root->offset;
    }
}

static gboolean
make_calls (SymRegionRun *self, GError **error)
{
  for (guint i = 0; i < self->region->steps->len; i++)
    {
      const Step *step = &g_array_index (self->region->steps, Step, i);

      if (step->heavy == NULL)
        continue;
      self->calls[i] = sym_dnnl_call_new (step->heavy, error);
      if (self->calls[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Memory for floats, as a datum has it: its absence is an error. */
static float *
new_memory (gsize n_bytes, GError **error)
{
  void *memory = NULL;

  if (n_bytes <= G_MAXSIZE - 64 && posix_memalign (&memory, 64, n_bytes + 64) == 0)
    return memory;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
               "there is no memory for the %" G_GSIZE_FORMAT " bytes between the steps", n_bytes);
  return NULL;
}

SymRegionRun *
sym_region_run_new (const SymRegion *region, GError **error)
{
  SymRegionRun *self = g_new0 (SymRegionRun, 1);

  self->region = region;
  self->places = g_new0 (float *, region->graph->tensors->len + 1);
  self->roots = g_new0 (guint, region->graph->tensors->len + 1);
  self->calls = g_new0 (SymDnnlCall *, region->steps->len + 1);
  self->arena = new_memory (region->graph->arena * sizeof (float), error);
  self->scratch = self->arena == NULL ? NULL : new_memory (region->scratch, error);
  if (self->scratch == NULL || !make_calls (self, error))
    {
      sym_region_run_free (self);
      return NULL;
    }
  set_places (self);
  return self;
}

void
sym_region_run_free (SymRegionRun *self)
{
  for (guint i = 0; i < self->region->steps->len; i++)
    g_clear_pointer (&self->calls[i], sym_dnnl_call_free);
  free (self->arena);
  free (self->scratch);
  g_free (self->places);
  g_free (self->roots);
  g_free (self->calls);
  g_free (self);
}

static gboolean
take_input (SymRegionRun *self, guint i, SymDatum *datum, GError **error)
{
  const SymPlanGraph *graph = self->region->graph;
  guint tensor = g_array_index (self->region->froms, guint, i);
  const SymPlanTensor *input = sym_plan_graph_get_tensor (graph, tensor);
  const SymArray *array = sym_datum_get_array (datum);

  if (array == NULL || array->dtype != SYM_DTYPE_FLOAT32 ||
      !sym_shape_equal (&array->shape, &input->shape))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "“%s” is not of the type that the plan was made for",
                   sym_model_get_value_name (graph->plan->model, input->value));
      return FALSE;
    }
  self->places[tensor] = array->data;
  return TRUE;
}

static gboolean
take_outputs (SymRegionRun *self, SymDatum **outputs, SymDatumPool *pool, GError **error)
{
  for (guint i = 0; i < self->region->tos->len; i++)
    {
      guint tensor = g_array_index (self->region->tos, guint, i);
      const SymPlanTensor *output = sym_plan_graph_get_tensor (self->region->graph, tensor);

      if (!sym_datum_prepare (&outputs[i], SYM_DTYPE_FLOAT32, &output->shape, pool, error))
        return FALSE;
      self->places[tensor] = sym_datum_get_array (outputs[i])->data;
    }
  return TRUE;
}

/* Views follow what comes from outside. */
static void
follow_roots (SymRegionRun *self)
{
  for (guint i = 0; i < self->region->graph->tensors->len; i++)
    if (self->roots[i] != i)
      self->places[i] = self->places[self->roots[i]];
}

gboolean
sym_region_run_execute (SymRegionRun *self,
                        SymDatum *const *inputs,
                        SymDatum **outputs,
                        SymDatumPool *pool,
                        GCancellable *cancellable,
                        GError **error)
{
  const GArray *steps = self->region->steps;
  gboolean done = TRUE;
  int before;

  for (guint i = 0; i < self->region->froms->len; i++)
    if (!take_input (self, i, inputs[i], error))
      return FALSE;
  if (!take_outputs (self, outputs, pool, error))
    return FALSE;
  follow_roots (self);
  self->cancellable = cancellable;
  before = sym_dnnl_begin ();
  for (guint i = 0; done && i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      done = !g_cancellable_set_error_if_cancelled (cancellable, error) &&
             step->class->run (step, self, self->calls[i], error);
    }
  sym_dnnl_end (before);
  self->cancellable = NULL;
  return done;
}
