/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-error.h"
#include "run/sym-clock-private.h"
#include "run/sym-region-parts-private.h"

struct _SymRegionRun {
  const SymRegion *region;
  SymThreads *threads; /* borrowed; NULL for one */
  float *arena;
  char *scratch;
  float **places;       /* of each tensor */
  guint *roots;         /* of each tensor */
  gpointer *states;     /* of each step, NULL for those without */
  double *milliseconds; /* of each step in the last run that was watched */
  float *spare;         /* of a region for examples: those of its input, then of its outputs */
  float **ends;         /* of each output where the last examples belong */
};

/* ---- Memory ---- */

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

/* Elements of one tensor for all examples that the region takes at a time. */
static gsize
count_elements (const SymRegion *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor)->n;
}

/* What is needed to fill up the last examples to as many as are taken at a time. */
static gsize
count_spare (const SymRegion *self)
{
  gsize n = 0;

  for (guint i = 0; self->graph->n_examples > 1 && i < self->froms->len; i++)
    n += count_elements (self, g_array_index (self->froms, guint, i));
  for (guint i = 0; self->graph->n_examples > 1 && i < self->tos->len; i++)
    n += count_elements (self, g_array_index (self->tos, guint, i));
  return n * sizeof (float);
}

SymRegionRun *
sym_region_run_new (const SymRegion *region, SymThreads *threads, GError **error)
{
  SymRegionRun *self = g_new0 (SymRegionRun, 1);

  self->region = region;
  self->places = g_new0 (float *, region->graph->tensors->len + 1);
  self->roots = g_new0 (guint, region->graph->tensors->len + 1);
  self->states = g_new0 (gpointer, region->steps->len + 1);
  self->milliseconds = g_new0 (double, region->steps->len + 1);
  self->ends = g_new0 (float *, region->tos->len + 1);
  self->threads = threads;
  self->arena = new_memory (get_arena (region), error);
  self->scratch = self->arena == NULL
                      ? NULL
                      : new_memory (sym_region_get_scratch (region) * region->n_threads, error);
  self->spare = self->scratch == NULL ? NULL : new_memory (count_spare (region), error);
  if (self->spare == NULL || !make_states (self, error))
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
  sym_memory_free (self->scratch, sym_region_get_scratch (self->region) * self->region->n_threads);
  sym_memory_free (self->spare, count_spare (self->region));
  g_free (self->ends);
  g_free (self->places);
  g_free (self->roots);
  g_free (self->states);
  g_free (self->milliseconds);
  g_free (self);
}

/* Of a region for examples there may be any number of them. */
static gboolean
is_of_shape (const SymRegionRun *self, const SymPlanTensor *input, SymShape shape)
{
  if (self->region->graph->n_examples > 0 && shape.rank > 0)
    shape.dims[0] = input->shape.dims[0];
  return sym_shape_equal (&shape, &input->shape);
}

static gboolean
take_input (SymRegionRun *self, guint i, SymDatum *datum, GError **error)
{
  const SymPlanGraph *graph = self->region->graph;
  guint tensor = g_array_index (self->region->froms, guint, i);
  const SymPlanTensor *input = sym_plan_graph_get_tensor (graph, tensor);
  const SymArray *array = sym_datum_get_array (datum);

  if (array == NULL || array->dtype != input->dtype || !is_of_shape (self, input, array->shape))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "“%s” is not of the type that the plan was made for",
                   sym_model_get_value_name (graph->plan->model, input->value));
      return FALSE;
    }
  self->places[tensor] = array->data;
  return TRUE;
}

/* @n_examples, of a region for examples. */
static gboolean
take_outputs (SymRegionRun *self,
              gint64 n_examples,
              SymDatum **outputs,
              SymDatumPool *pool,
              GError **error)
{
  for (guint i = 0; i < self->region->tos->len; i++)
    {
      guint tensor = g_array_index (self->region->tos, guint, i);
      SymShape shape = sym_plan_graph_get_tensor (self->region->graph, tensor)->shape;

      if (self->region->graph->n_examples > 0)
        shape.dims[0] = n_examples;
      if (!sym_datum_prepare (&outputs[i], SYM_DTYPE_FLOAT32, &shape, pool, error))
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
  guint round, n_threads;
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
  SymStepRun run = { of->places,  of->scratch + sym_region_get_scratch (of->region) * thread,
                     self->state, self->cancellable,
                     self->round, sym_threads_guess_next (self->n_threads, thread, slice) };
  GError *error = NULL;

  if (g_atomic_int_get (&self->is_over))
    return;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error) ||
      !self->step->class->run (self->step, &run, slice, &error))
    end_job (self, error);
}

static void
run_round (const SymRegionRun *self, Job *job)
{
  const SymStep *step = job->step;

  if (self->threads != NULL && step->n_slices > 1)
    sym_threads_run (self->threads, run_slice, job, step->n_slices);
  else
    for (guint slice = 0; slice < step->n_slices; slice++)
      run_slice (job, slice, 0);
}

static gboolean
run_step (const SymRegionRun *self, guint i, GCancellable *cancellable, GError **error)
{
  const SymStep *step = self->region->steps->pdata[i];
  Job job = { .run = self,
              .step = step,
              .state = self->states[i],
              .cancellable = cancellable,
              .n_threads = self->threads == NULL ? 1 : sym_threads_get_n (self->threads) };

  for (job.round = 0; job.round < MAX (step->n_rounds, 1) && job.failure == NULL; job.round++)
    run_round (self, &job);
  if (job.failure == NULL)
    return TRUE;
  g_propagate_error (error, job.failure);
  return FALSE;
}

/* ---- Watching ---- */

/* Whether the elements lie in memory in another order than the model has them. */
static gboolean
is_turned (const SymPlanTensor *tensor)
{
  const SymDim *dims = tensor->shape.dims;

  return tensor->is_last && dims[1] > 1 && dims[0] * dims[1] < (gint64) tensor->n;
}

/* Shows what is there after so many steps, from *@next on. */
static gboolean
show (const SymRegionRun *self,
      guint n_done,
      guint *next,
      const SymRegionWatch *watch,
      GError **error)
{
  const SymPlanGraph *graph = self->region->graph;

  for (; *next < self->region->shown->len; (*next)++)
    {
      SymRegionShown shown = g_array_index (self->region->shown, SymRegionShown, *next);
      const SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, shown.tensor);
      g_autoptr (SymDatum) datum = NULL;

      if (shown.after > n_done)
        return TRUE;
      datum = sym_datum_new_lent (SYM_DTYPE_FLOAT32, &tensor->shape, self->places[shown.tensor],
                                  tensor->n * sizeof (float));
      if (!watch->show (tensor->value, datum, is_turned (tensor), watch->user_data, error))
        return FALSE;
    }
  return TRUE;
}

static void
tell_times (const SymRegionRun *self, const SymRegionWatch *watch)
{
  for (guint i = 0; i < self->region->made->len; i++)
    {
      const SymRegionMade *made = &g_array_index (self->region->made, SymRegionMade, i);
      double milliseconds = 0;

      for (guint j = made->first; j < made->end; j++)
        milliseconds += self->milliseconds[j];
      watch->tell_time (made->value, milliseconds * made->share, watch->user_data);
    }
}

static gboolean
run_watched (SymRegionRun *self,
             const SymRegionWatch *watch,
             GCancellable *cancellable,
             GError **error)
{
  guint next = 0;

  if (!show (self, 0, &next, watch, error))
    return FALSE;
  for (guint i = 0; i < self->region->steps->len; i++)
    {
      double start = sym_clock_get_milliseconds ();

      if (!run_step (self, i, cancellable, error))
        return FALSE;
      self->milliseconds[i] = sym_clock_get_milliseconds () - start;
      if (!show (self, i + 1, &next, watch, error))
        return FALSE;
    }
  tell_times (self, watch);
  return TRUE;
}

/* ---- Examples ---- */

static gboolean
run_again (SymRegionRun *self, gboolean is_timed, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < self->region->steps->len; i++)
    {
      double start = is_timed ? sym_clock_get_milliseconds () : 0;

      if (!run_step (self, i, cancellable, error))
        return FALSE;
      if (is_timed)
        self->milliseconds[i] += sym_clock_get_milliseconds () - start;
    }
  return TRUE;
}

/* Goes on to the next examples, of inputs and outputs. */
static void
advance (SymRegionRun *self, const GArray *tensors)
{
  for (guint i = 0; i < tensors->len; i++)
    {
      guint tensor = g_array_index (tensors, guint, i);

      self->places[tensor] += count_elements (self->region, tensor);
    }
}

/* The last examples, which are fewer than are taken at a time: they are copied to where there is
 * room for all, and nobody sees what comes of the others. */
static gboolean
run_rest (SymRegionRun *self, gsize n, gboolean is_timed, GCancellable *cancellable, GError **error)
{
  const GArray *froms = self->region->froms, *tos = self->region->tos;
  gsize n_together = self->region->graph->n_examples;
  float **outputs = self->ends, *spare = self->spare;

  for (guint i = 0; i < froms->len; i++)
    {
      guint tensor = g_array_index (froms, guint, i);
      gsize all = count_elements (self->region, tensor);

      memcpy (spare, self->places[tensor], all / n_together * n * sizeof (float));
      self->places[tensor] = spare;
      spare += all;
    }
  for (guint i = 0; i < tos->len; i++)
    {
      guint tensor = g_array_index (tos, guint, i);

      outputs[i] = self->places[tensor];
      self->places[tensor] = spare;
      spare += count_elements (self->region, tensor);
    }
  follow_roots (self);
  if (!run_again (self, is_timed, cancellable, error))
    return FALSE;
  for (guint i = 0; i < tos->len; i++)
    {
      guint tensor = g_array_index (tos, guint, i);

      memcpy (outputs[i], self->places[tensor],
              count_elements (self->region, tensor) / n_together * n * sizeof (float));
    }
  return TRUE;
}

static gboolean
run_examples (SymRegionRun *self,
              gsize n,
              const SymRegionWatch *watch,
              GCancellable *cancellable,
              GError **error)
{
  const SymRegion *region = self->region;
  gsize n_together = region->graph->n_examples;

  memset (self->milliseconds, 0, region->steps->len * sizeof *self->milliseconds);
  for (; n >= n_together; n -= n_together)
    {
      follow_roots (self);
      if (!run_again (self, watch != NULL, cancellable, error))
        return FALSE;
      advance (self, region->froms);
      advance (self, region->tos);
    }
  if (n > 0 && !run_rest (self, n, watch != NULL, cancellable, error))
    return FALSE;
  if (watch != NULL)
    tell_times (self, watch);
  return TRUE;
}

gboolean
sym_region_run_execute (SymRegionRun *self,
                        SymDatum *const *inputs,
                        SymDatum **outputs,
                        SymDatumPool *pool,
                        const SymRegionWatch *watch,
                        GCancellable *cancellable,
                        GError **error)
{
  gsize n_examples = self->region->graph->n_examples;
  gboolean done = TRUE;

  for (guint i = 0; i < self->region->froms->len; i++)
    if (!take_input (self, i, inputs[i], error))
      return FALSE;
  if (n_examples > 0)
    n_examples = (gsize) sym_datum_get_array (inputs[0])->shape.dims[0];
  if (!take_outputs (self, (gint64) n_examples, outputs, pool, error))
    return FALSE;
  if (self->region->graph->n_examples > 0)
    return run_examples (self, n_examples, watch, cancellable, error);
  follow_roots (self);
  if (watch != NULL)
    return run_watched (self, watch, cancellable, error);
  for (guint i = 0; done && i < self->region->steps->len; i++)
    done = run_step (self, i, cancellable, error);
  return done;
}
