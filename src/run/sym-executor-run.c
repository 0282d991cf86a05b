/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-object.h"
#include "run/sym-executor-private.h"

/* An executor's arrays may be written between two runs, those of weights too, but compiled steps
 * are made from their numbers.  So before each run a sum over them tells whether they are what they
 * were; while they change from run to run, the kernels compute, which read them as they are. */

/* ---- Sums ---- */

#define LANES 8
#define FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

static guint64
mix (guint64 sum, guint64 word)
{
  sum = (sum ^ word) * FACTOR;
  return sum ^ (sum >> 29);
}

/* Lanes do not wait for each other. */
static guint64
sum_bytes (guint64 sum, const guint8 *bytes, gsize n)
{
  guint64 lanes[LANES], words[LANES];

  for (guint k = 0; k < LANES; k++)
    lanes[k] = sum + k;
  for (; n >= sizeof words; n -= sizeof words, bytes += sizeof words)
    {
      memcpy (words, bytes, sizeof words);
      for (guint k = 0; k < LANES; k++)
        lanes[k] = mix (lanes[k], words[k]);
    }
  memset (words, 0, sizeof words);
  memcpy (words, bytes, n);
  for (guint k = 0; k < LANES; k++)
    sum = mix (mix (sum, lanes[k]), words[k]);
  return sum;
}

/* What is neither an input nor a label, and goes into compiled steps. */
static gboolean
is_weight (const SymExecutor *self, const SymBound *bound)
{
  return !sym_role_is_data (sym_model_get_role (self->model, bound->value));
}

static guint64
sum_weights (const SymExecutor *self, guint64 sum, const GArray *places)
{
  for (guint i = 0; i < places->len; i++)
    {
      const SymBound *bound = &g_array_index (places, SymBound, i);
      const SymArray *array = sym_datum_get_array (bound->array);

      if (is_weight (self, bound))
        sum = sum_bytes (sum, array->data, sym_array_get_n_bytes (array));
    }
  return sum;
}

/* ---- Plans ---- */

static void
list_arrays (const SymExecutor *self, const GArray *places, gboolean weights, GArray *feeds)
{
  for (guint i = 0; i < places->len; i++)
    {
      const SymBound *bound = &g_array_index (places, SymBound, i);
      SymFeed feed = { bound->value, bound->array };

      if (is_weight (self, bound) == weights)
        g_array_append_val (feeds, feed);
    }
}

static SymRun *
new_run (const SymExecutor *self,
         SymInference *inference,
         GCancellable *cancellable,
         GError **error)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  SymPlanOptions options = { .inference = inference,
                             .types = self->inference,
                             .n_threads = self->n_threads };
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;

  list_arrays (self, self->arguments, TRUE, weights);
  list_arrays (self, self->auxiliary, TRUE, weights);
  list_arrays (self, self->arguments, FALSE, others);
  list_arrays (self, self->auxiliary, FALSE, others);
  options.numbers = (const SymFeed *) (gpointer) weights->data;
  options.n_numbers = weights->len;
  plan = sym_plan_new (self->model, &options, cancellable, error);
  if (plan == NULL)
    return NULL;
  run = sym_run_new (plan);
  sym_run_set_seed (run, self->seed);
  for (guint i = 0; i < others->len; i++)
    {
      const SymFeed *feed = &g_array_index (others, SymFeed, i);

      if (!sym_run_feed (run, feed->value, feed->datum, error))
        return NULL;
    }
  return g_steal_pointer (&run);
}

static gboolean
check_arrays (const SymExecutor *self, const GArray *places, GError **error)
{
  for (guint i = 0; i < places->len; i++)
    {
      const SymBound *bound = &g_array_index (places, SymBound, i);
      SymType type = sym_inference_get_type (self->inference, bound->value);

      if (!sym_datum_check_type (bound->array, &type, sym_executor_get_bound_name (self, bound),
                                 error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_executor_settle (SymExecutor *self, SymInference *inference, GError **error)
{
  self->inference = sym_inference_ref (inference);
  if (!check_arrays (self, self->arguments, error) || !check_arrays (self, self->auxiliary, error))
    return FALSE;
  self->layers = new_run (self, NULL, NULL, error);
  return self->layers != NULL;
}

/* ---- Running ---- */

/* Makes the compiled run for the numbers that the weights have.  FALSE when it cannot be made, or
 * cannot be of use, as they were others a run ago. */
static gboolean
prepare (SymExecutor *self, GCancellable *cancellable, GError **error)
{
  guint64 sum = sum_weights (self, sum_weights (self, 1, self->arguments), self->auxiliary);
  gboolean is_new = !self->has_sum || sum == self->sum;

  if (self->compiled != NULL && sum == self->compiled_sum)
    return TRUE;
  g_clear_pointer (&self->compiled, sym_run_free);
  self->sum = sum;
  self->has_sum = TRUE;
  if (!is_new)
    return FALSE;
  self->compiled = new_run (self, self->inference, cancellable, error);
  self->compiled_sum = sum;
  return self->compiled != NULL;
}

static gboolean
run_layers (SymExecutor *self, GCancellable *cancellable, GError **error)
{
  self->run = self->layers;
  sym_run_set_seed (self->run, self->seed);
  return sym_run_execute (self->run, cancellable, error);
}

gboolean
sym_executor_run (SymExecutor *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;

  self->run = NULL;
  if (self->is_exact || self->monitor != NULL)
    return run_layers (self, cancellable, error);
  if (prepare (self, cancellable, &local))
    {
      self->run = self->compiled;
      sym_run_set_seed (self->run, self->seed);
      if (sym_run_execute (self->run, cancellable, &local))
        return TRUE;
    }
  if (local == NULL || !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return run_layers (self, cancellable, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
