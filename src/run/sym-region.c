/* SPDX-License-Identifier: MIT */
#include "run/sym-region-private.h"

#include <string.h>

#include "core/sym-error.h"
#include "run/sym-step-matrix-private.h"

struct _SymRegion {
  SymPlanGraph *graph;      /* its tensors and blocks; the operations are gone */
  GPtrArray *steps;         /* of SymStep */
  SymMemoryPool *pool;      /* of their weights */
  GArray *inputs, *outputs; /* of SymId */
  GArray *froms, *tos;      /* of guint: their tensors */
  GPtrArray *kept;          /* of SymDatum: constants whose numbers are read */
  gsize scratch;            /* bytes, for each thread */
  guint n_threads;
  guint64 n_weight_bytes;
};

struct _SymRegionRun {
  const SymRegion *region;
  SymThreads *threads; /* borrowed; NULL for one */
  float *arena;
  char *scratch;
  float **places;   /* of each tensor */
  guint *roots;     /* of each tensor */
  gpointer *states; /* of each step, NULL for those without */
};

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
      SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        show (hidden, makers, *sym_plan_op_get_operand (op, j), steps[i]);
    }
  return hidden;
}

typedef SymStep *(*MakeStep) (const SymPlanGraph *graph, const SymPlanOp *op);

/* Of operations whose steps need no options; NULL for others. */
static MakeStep
find_maker (SymPlanOpKind kind)
{
  static const struct {
    SymPlanOpKind kind;
    MakeStep make;
  } makers[] = { { SYM_PLAN_ATTENTION, sym_attention_new },
                 { SYM_PLAN_COPY, sym_copy_new },
                 { SYM_PLAN_GATHER, sym_gather_new },
                 { SYM_PLAN_MATRIX, sym_matrix_new },
                 { SYM_PLAN_MOVE, sym_move_new },
                 { SYM_PLAN_PRODUCT, sym_product_new },
                 { SYM_PLAN_ROWS, sym_rows_new } };

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (makers[i].kind == kind)
      return makers[i].make;
  return NULL;
}

static SymStep *
make_step (const SymRegion *self, const SymPlanOp *op, const SymStepOptions *options)
{
  MakeStep make = find_maker (op->kind);

  if (make != NULL)
    return make (self->graph, op);
  if (op->kind == SYM_PLAN_RECURRENT)
    return sym_recurrent_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_VOLUME)
    return sym_volume_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_CONVOLUTION && sym_pointwise_fits (op))
    return sym_pointwise_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_CONVOLUTION && sym_winograd_is_better (self->graph, op, options))
    return sym_winograd_new (self->graph, op, options);
  if (op->kind == SYM_PLAN_CONVOLUTION && !sym_plan_op_is_depthwise (op))
    return sym_convolution_new (self->graph, op, options);
  return sym_window_new (self->graph, op, options);
}

static void
add_steps (SymRegion *self,
           const guint *steps,
           const gboolean *hidden,
           const SymStepOptions *options)
{
  guint n;

  for (guint i = 0; i < self->graph->ops->len; i += n)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);
      SymStep *step;

      for (n = 1; i + n < self->graph->ops->len && steps[i + n] == steps[i];)
        n++;
      if (op->kind == SYM_PLAN_VIEW)
        continue;
      step = op->kind == SYM_PLAN_ELEMENTWISE ? sym_chain_new (self->graph, i, n, hidden, options)
                                              : make_step (self, op, options);
      sym_plan_graph_let_weights_go (self->graph, op);
      self->scratch = MAX (self->scratch, step->n_scratch);
      self->n_weight_bytes += step->n_bytes;
      g_ptr_array_add (self->steps, step);
    }
}

/* Of one thread, in whole cache lines. */
static gsize
get_scratch (const SymRegion *self)
{
  return (self->scratch + 63) / 64 * 64;
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
  self->n_weight_bytes += kept->n * (kept->dtype == SYM_DTYPE_INT64 ? 8 : 4);
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
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        keep_constant (self, *sym_plan_op_get_operand (op, j));
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
free_step (gpointer data)
{
  SymStep *step = data;

  step->class->free (step);
}

SymRegion *
sym_region_new (SymPlanGraph *graph, const SymStepOptions *options)
{
  SymRegion *self = g_new0 (SymRegion, 1);
  SymStepOptions own = *options;
  g_autofree guint *steps = NULL;
  g_autofree gboolean *hidden = NULL;

  self->graph = graph;
  self->steps = g_ptr_array_new_with_free_func (free_step);
  self->n_threads = options->n_threads;
  self->pool = sym_memory_pool_new ();
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->froms = g_array_new (FALSE, FALSE, sizeof (guint));
  self->tos = g_array_new (FALSE, FALSE, sizeof (guint));
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);
  sym_plan_graph_match (graph);
  sym_plan_graph_match_moves (graph);
  sym_plan_graph_fuse (graph);
  sym_plan_graph_lay_out (graph);
  steps = number_steps (graph);
  hidden = find_hidden (graph, steps);
  sym_plan_graph_place (graph, steps, hidden);
  own.pool = self->pool;
  add_steps (self, steps, hidden, &own);
  keep_constants (self);
  find_ends (self);
  g_array_set_size (graph->ops, 0);
  return self;
}

void
sym_region_free (SymRegion *self)
{
  g_ptr_array_unref (self->steps);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->froms);
  g_array_unref (self->tos);
  g_ptr_array_unref (self->kept);
  sym_memory_pool_free (self->pool);
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
  return self->graph->arena * sizeof (float) + get_scratch (self) * self->n_threads;
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
make_states (SymRegionRun *self, GError **error)
{
  for (guint i = 0; i < self->region->steps->len; i++)
    {
      const SymStep *step = self->region->steps->pdata[i];

      if (step->class->new_state == NULL)
        continue;
      self->states[i] = step->class->new_state (step, error);
      if (self->states[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Memory for floats, as a datum has it: its absence is an error. */
static void *
new_memory (gsize n_bytes, GError **error)
{
  void *memory = sym_memory_new (n_bytes);

  if (memory == NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                 "there is no memory for the %" G_GSIZE_FORMAT " bytes between the steps", n_bytes);
  return memory;
}

static gsize
get_arena (const SymRegion *self)
{
  return self->graph->arena * sizeof (float);
}

SymRegionRun *
sym_region_run_new (const SymRegion *region, SymThreads *threads, GError **error)
{
  SymRegionRun *self = g_new0 (SymRegionRun, 1);

  self->region = region;
  self->places = g_new0 (float *, region->graph->tensors->len + 1);
  self->roots = g_new0 (guint, region->graph->tensors->len + 1);
  self->states = g_new0 (gpointer, region->steps->len + 1);
  self->threads = threads;
  self->arena = new_memory (get_arena (region), error);
  self->scratch =
      self->arena == NULL ? NULL : new_memory (get_scratch (region) * region->n_threads, error);
  if (self->scratch == NULL || !make_states (self, error))
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
    {
      const SymStep *step = self->region->steps->pdata[i];

      if (self->states[i] != NULL)
        step->class->free_state (self->states[i]);
    }
  sym_memory_free (self->arena, get_arena (self->region));
  sym_memory_free (self->scratch, get_scratch (self->region) * self->region->n_threads);
  g_free (self->places);
  g_free (self->roots);
  g_free (self->states);
  g_free (self);
}

static gboolean
take_input (SymRegionRun *self, guint i, SymDatum *datum, GError **error)
{
  const SymPlanGraph *graph = self->region->graph;
  guint tensor = g_array_index (self->region->froms, guint, i);
  const SymPlanTensor *input = sym_plan_graph_get_tensor (graph, tensor);
  const SymArray *array = sym_datum_get_array (datum);

  if (array == NULL || array->dtype != input->dtype ||
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

/* ---- Slices ---- */

/* One step of one run, while its slices are done. */
typedef struct {
  const SymRegionRun *run;
  const SymStep *step;
  gpointer state;
  GCancellable *cancellable;
  GMutex lock;
  GError *failure; /* the first */
  gint is_over;    /* atomic: nothing is to be begun any more */
} Job;

static void
end_job (Job *self, GError *take_failure)
{
  g_mutex_lock (&self->lock);
  if (self->failure == NULL)
    self->failure = take_failure;
  else
    g_error_free (take_failure);
  g_mutex_unlock (&self->lock);
  g_atomic_int_set (&self->is_over, TRUE);
}

static void
run_slice (gpointer data, guint slice, guint thread)
{
  Job *self = data;
  const SymRegionRun *of = self->run;
  SymStepRun run = { of->places, of->scratch + get_scratch (of->region) * thread, self->state,
                     self->cancellable };
  GError *error = NULL;

  if (g_atomic_int_get (&self->is_over))
    return;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error) ||
      !self->step->class->run (self->step, &run, slice, &error))
    end_job (self, error);
}

static gboolean
run_step (const SymRegionRun *self, guint i, GCancellable *cancellable, GError **error)
{
  const SymStep *step = self->region->steps->pdata[i];
  Job job = { .run = self, .step = step, .state = self->states[i], .cancellable = cancellable };

  if (self->threads != NULL && step->n_slices > 1)
    sym_threads_run (self->threads, run_slice, &job, step->n_slices);
  else
    for (guint slice = 0; slice < step->n_slices; slice++)
      run_slice (&job, slice, 0);
  if (job.failure == NULL)
    return TRUE;
  g_propagate_error (error, job.failure);
  return FALSE;
}

gboolean
sym_region_run_execute (SymRegionRun *self,
                        SymDatum *const *inputs,
                        SymDatum **outputs,
                        SymDatumPool *pool,
                        GCancellable *cancellable,
                        GError **error)
{
  gboolean done = TRUE;

  for (guint i = 0; i < self->region->froms->len; i++)
    if (!take_input (self, i, inputs[i], error))
      return FALSE;
  if (!take_outputs (self, outputs, pool, error))
    return FALSE;
  follow_roots (self);
  for (guint i = 0; done && i < self->region->steps->len; i++)
    done = run_step (self, i, cancellable, error);
  return done;
}
