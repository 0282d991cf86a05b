/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-steps.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-step-methods.h"

#define MAX_STATES 3

/* ---- Which step ---- */

typedef struct {
  SymKernel *kernel;
  const SymOpMxnetMethod *method;
  gboolean mixed, multi, preloaded; /* weights of two precisions; several; rates as operands */
  guint each;                       /* operands of a weight */
  gsize asked;
} Steps;

static gboolean
take (const char **name, const char *part)
{
  if (!g_str_has_prefix (*name, part))
    return FALSE;
  *name += strlen (part);
  return TRUE;
}

static void
steps_init (Steps *self, SymKernel *kernel)
{
  const char *name = sym_layer_get_type (sym_kernel_get_layer (kernel));
  gsize length;

  *self = (Steps){ .kernel = kernel };
  take (&name, "_");
  self->preloaded = take (&name, "preloaded_");
  self->multi = take (&name, "multi_");
  self->mixed = take (&name, "mp_");
  length = strlen (name) - strlen ("_update");
  self->method = sym_op_mxnet_find_method (name, length);
  self->each = 2 + self->method->n_states + (self->mixed ? 1 : 0);
}

/* Number @i of a list among the attributes. */
static double
get_listed (SymKernel *kernel, const char *name, guint i, double fallback)
{
  const SymValue *list = sym_attributes_find (sym_kernel_get_attributes (kernel), name);

  if (list != NULL && i < sym_value_get_n_children (list))
    sym_value_get_float (sym_value_get_child (list, i), &fallback);
  return fallback;
}

/* Defaults of the attributes differ between methods. */
static void
set_defaults (const Steps *self, SymOpMxnetStep *step)
{
  const char *name = self->method->name;

  if (strcmp (name, "ftml") == 0)
    step->beta1 = sym_kernel_get_float (self->kernel, "beta1", 0.6);
  if (strcmp (name, "lamb") == 0 || strcmp (name, "lans") == 0)
    step->epsilon = sym_kernel_get_float (self->kernel, "epsilon", 1e-6);
  if (strcmp (name, "sparse_adagrad") == 0)
    step->epsilon = sym_kernel_get_float (self->kernel, "epsilon", 1e-7);
  if (strcmp (name, "lans") == 0)
    step->corrects = TRUE;
}

static gboolean
read_step (const Steps *self, guint weight, guint n_weights, SymOpMxnetStep *step, GError **error)
{
  guint behind = n_weights * self->each;
  gboolean scaled =
      g_str_has_prefix (self->method->name, "ada") && strcmp (self->method->name, "adam") != 0;

  *step = sym_op_mxnet_step_read (self->kernel);
  set_defaults (self, step);
  if (scaled && !sym_op_mxnet_step_read_number (self->kernel, behind, 0, &step->rescale, error))
    return FALSE;
  if (self->preloaded)
    return sym_op_mxnet_step_read_number (self->kernel, behind, weight, &step->lr, error) &&
           sym_op_mxnet_step_read_number (self->kernel, behind + 1, weight, &step->wd, error);
  if (!self->multi)
    return TRUE;
  step->lr = get_listed (self->kernel, "lrs", weight, step->lr);
  step->lr = get_listed (self->kernel, "learning_rates", weight, step->lr);
  step->wd = get_listed (self->kernel, "wds", weight, step->wd);
  step->eta = get_listed (self->kernel, "etas", weight, step->eta);
  step->t = get_listed (self->kernel, "step_count", weight, step->t);
  return TRUE;
}

/* ---- Weights ---- */

/* A weight in its full precision, the gradient and the states. */
typedef struct {
  const SymArray *w, *g, *states[MAX_STATES];
  guint n_states;
  gsize n;
  SymArray *y;
} Weight;

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

static gboolean
read_weight (const Steps *self, guint weight, Weight *of, GError **error)
{
  guint first = weight * self->each, n = self->each;
  const SymArray *given = sym_kernel_need_input (self->kernel, first, error);

  if (given == NULL)
    return FALSE;
  of->n_states = self->method->n_states;
  for (guint i = 0; i < n; i++)
    {
      const SymArray *array = sym_kernel_need_input (self->kernel, first + i, error);

      if (array == NULL)
        return FALSE;
      if (!sym_shape_equal (&array->shape, &given->shape) || !sym_dtype_is_floating (array->dtype))
        return sym_kernel_fail (error, "operand %u is not of the weight's shape, or no float",
                                first + i);
      if (i >= 2 && i - 2 < of->n_states)
        of->states[i - 2] = array;
    }
  of->w = sym_kernel_get_input (self->kernel, self->mixed ? first + n - 1 : first);
  of->g = sym_kernel_get_input (self->kernel, first + 1);
  of->n = sym_array_get_n_elements (given);
  of->y = sym_kernel_new_output (self->kernel, weight, given->dtype, &given->shape, error);
  return of->y != NULL;
}

static void
get_states (const Weight *of, gsize i, double states[MAX_STATES])
{
  for (guint k = 0; k < of->n_states; k++)
    states[k] = get (of->states[k], i);
}

static gboolean
step_each (Steps *self, const SymOpMxnetStep *step, const Weight *of, GError **error)
{
  double states[MAX_STATES];

  for (gsize i = 0; i < of->n; i++)
    {
      get_states (of, i, states);
      sym_element_set_double (of->y->dtype, of->y->data, i,
                              self->method->step (step, get (of->w, i), get (of->g, i), states));
      if (!sym_op_go_on (self->kernel, &self->asked, 4, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- LAMB and LANS ---- */

static gboolean
step_lamb (Steps *self, const SymOpMxnetStep *step, const Weight *of, GError **error)
{
  double *way = sym_kernel_get_scratch (self->kernel, of->n + 1, sizeof *way, error);
  double weight = 0, direction = 0, states[MAX_STATES], ratio;

  if (way == NULL)
    return FALSE;
  for (gsize i = 0; i < of->n; i++)
    {
      double w = get (of->w, i);

      get_states (of, i, states);
      way[i] = sym_op_mxnet_step_direct (step, w, get (of->g, i), states);
      weight += w * w;
      direction += way[i] * way[i];
      if (!sym_op_go_on (self->kernel, &self->asked, 8, error))
        return FALSE;
    }
  ratio = sym_op_mxnet_step_compare (step, sqrt (weight), sqrt (direction));
  for (gsize i = 0; i < of->n; i++)
    sym_element_set_double (of->y->dtype, of->y->data, i,
                            get (of->w, i) - step->lr * ratio * way[i]);
  return TRUE;
}

/* Both directions of LANS: by the mean, and by the gradient, which has the norm 1. */
static void
find_ways (const SymOpMxnetStep *step, double w, double g, const double *states, double ways[2])
{
  double unit = sym_op_mxnet_step_cut (g, step->clip), root;
  double mean = step->beta1 * states[0] + (1 - step->beta1) * unit;
  double variance = step->beta2 * states[1] + (1 - step->beta2) * unit * unit;

  mean /= 1 - pow (step->beta1, step->t);
  root = sqrt (variance / (1 - pow (step->beta2, step->t))) + step->epsilon;
  ways[0] = step->wd * w + mean / root;
  ways[1] = step->wd * w + unit / root;
}

static gboolean
step_lans (Steps *self, const SymOpMxnetStep *step, const Weight *of, GError **error)
{
  double norm = 0, weight = 0, norms[2] = { 0, 0 }, states[MAX_STATES], ways[2], rates[2];

  for (gsize i = 0; i < of->n; i++)
    norm += get (of->g, i) * get (of->g, i);
  norm = norm == 0 ? 1 : sqrt (norm);
  for (int pass = 0; pass < 2; pass++)
    {
      for (gsize i = 0; i < of->n; i++)
        {
          double w = get (of->w, i);

          get_states (of, i, states);
          find_ways (step, w, get (of->g, i) / norm, states, ways);
          if (pass == 1)
            sym_element_set_double (of->y->dtype, of->y->data, i,
                                    w - rates[0] * ways[0] - rates[1] * ways[1]);
          weight += w * w;
          norms[0] += ways[0] * ways[0];
          norms[1] += ways[1] * ways[1];
          if (!sym_op_go_on (self->kernel, &self->asked, 8, error))
            return FALSE;
        }
      if (pass == 0)
        for (int k = 0; k < 2; k++)
          rates[k] = step->lr * (k == 0 ? step->beta1 : 1 - step->beta1) *
                     sym_op_mxnet_step_compare (step, sqrt (weight), sqrt (norms[k]));
    }
  return TRUE;
}

gboolean
sym_op_mxnet_run_steps (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_outputs (kernel);
  Steps self;

  steps_init (&self, kernel);
  for (guint i = 0; i < n; i++)
    {
      Weight weight = { NULL };
      SymOpMxnetStep step;

      if (!read_step (&self, i, n, &step, error) || !read_weight (&self, i, &weight, error))
        return FALSE;
      if (self.method->step != NULL                 ? !step_each (&self, &step, &weight, error)
          : strcmp (self.method->name, "lamb") == 0 ? !step_lamb (&self, &step, &weight, error)
                                                    : !step_lans (&self, &step, &weight, error))
        return FALSE;
    }
  return TRUE;
}
