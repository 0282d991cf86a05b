/* SPDX-License-Identifier: MIT */
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

SymRegionRun *
sym_region_run_new (const SymRegion *region, SymThreads *threads, GError **error)
{
  SymRegionRun *self = g_new0 (SymRegionRun, 1);

  self->region = region;
  self->places = g_new0 (float *, region->graph->tensors->len + 1);
  self->roots = g_new0 (guint, region->graph->tensors->len + 1);
  self->states = g_new0 (gpointer, region->steps->len + 1);
  self->milliseconds = g_new0 (double, region->steps->len + 1);
  self->threads = threads;
  self->arena = new_memory (get_arena (region), error);
  self->scratch = self->arena == NULL
                      ? NULL
                      : new_memory (sym_region_get_scratch (region) * region->n_threads, error);
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
  sym_memory_free (self->scratch, sym_region_get_scratch (self->region) * self->region->n_threads);
  g_free (self->places);
  g_free (self->roots);
  g_free (self->states);
  g_free (self->milliseconds);
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
  guint round;
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
  SymStepRun run = { of->places, of->scratch + sym_region_get_scratch (of->region) * thread,
                     self->state, self->cancellable, self->round };
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
  Job job = { .run = self, .step = step, .state = self->states[i], .cancellable = cancellable };

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

gboolean
sym_region_run_execute (SymRegionRun *self,
                        SymDatum *const *inputs,
                        SymDatum **outputs,
                        SymDatumPool *pool,
                        const SymRegionWatch *watch,
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
  if (watch != NULL)
    return run_watched (self, watch, cancellable, error);
  for (guint i = 0; done && i < self->region->steps->len; i++)
    done = run_step (self, i, cancellable, error);
  return done;
}
