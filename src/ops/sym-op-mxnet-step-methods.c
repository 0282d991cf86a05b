/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-step-methods.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

double
sym_op_mxnet_step_cut (double x, double bound)
{
  return bound < 0 ? x : CLAMP (x, -bound, bound);
}

/* The gradient scaled and cut off, and with the decay of the weight inside or behind that. */
double
sym_op_mxnet_step_scale (const SymOpMxnetStep *self, double g)
{
  return sym_op_mxnet_step_cut (self->rescale * g, self->clip);
}

static double
decay_inside (const SymOpMxnetStep *self, double w, double g)
{
  return sym_op_mxnet_step_cut (self->rescale * g + self->wd * w, self->clip);
}

static double
sign (double x)
{
  return (x > 0) - (x < 0);
}

/* ---- One element: the weight afterwards, from the weight, the gradient and the states ---- */

static double
step_sgd (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  return w - self->lr * (sym_op_mxnet_step_scale (self, g) + self->wd * w);
}

static double
step_momentum (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  return self->momentum * states[0] + step_sgd (self, w, g, states);
}

static double
step_nesterov (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g) + self->wd * w;
  double velocity = self->momentum * states[0] - self->lr * full;

  return w + self->momentum * velocity - self->lr * full;
}

static double
step_sign (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  return w - self->lr * (sign (g) + self->wd * w);
}

static double
step_signum (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double velocity = self->momentum * states[0] -
                    (1 - self->momentum) * (sym_op_mxnet_step_scale (self, g) + self->wd * w);

  return (1 - self->lr * self->wd_lh) * w + self->lr * sign (velocity);
}

/* States d, v and z. */
static double
step_ftml (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = decay_inside (self, w, g);
  double v = self->beta2 * states[1] + (1 - self->beta2) * full * full;
  double d = (1 - pow (self->beta1, self->t)) / self->lr *
             (sqrt (v / (1 - pow (self->beta2, self->t))) + self->epsilon);
  double z = self->beta1 * states[2] + (1 - self->beta1) * full - (d - self->beta1 * states[0]) * w;

  return -z / d;
}

/* States are the mean and the variance. */
static double
step_adam (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = decay_inside (self, w, g);
  double mean = self->beta1 * states[0] + (1 - self->beta1) * full;
  double variance = self->beta2 * states[1] + (1 - self->beta2) * full * full;

  return w - self->lr * mean / (sqrt (variance) + self->epsilon);
}

/* With a rescaling that is no number, as after an overflow, the weight stays as it is. */
static double
step_adamw (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g);
  double mean = self->beta1 * states[0] + (1 - self->beta1) * full;
  double variance = self->beta2 * states[1] + (1 - self->beta2) * full * full;

  if (!isfinite (self->rescale) || self->rescale == 0)
    return w;
  return w - self->eta * (self->lr * mean / (sqrt (variance) + self->epsilon) + self->wd * w);
}

/* The variance is that of the gradient about its mean. */
static double
step_adabelief (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g);
  double mean = self->beta1 * states[0] + (1 - self->beta1) * full, off = full - mean;
  double variance = self->beta2 * states[1] + (1 - self->beta2) * off * off + self->epsilon;

  if (!isfinite (self->rescale) || self->rescale == 0)
    return w;
  return w - self->eta * (self->lr * mean / (sqrt (variance) + self->epsilon) + self->wd * w);
}

static double
step_rmsprop (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = decay_inside (self, w, g);
  double n = self->gamma1 * states[0] + (1 - self->gamma1) * full * full;

  return sym_op_mxnet_step_cut (w - self->lr * full / sqrt (n + self->epsilon), self->clip_weights);
}

/* States n, g and delta. */
static double
step_rmsprop_alex (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = decay_inside (self, w, g);
  double n = self->gamma1 * states[0] + (1 - self->gamma1) * full * full;
  double mean = self->gamma1 * states[1] + (1 - self->gamma1) * full;
  double delta =
      self->gamma2 * states[2] - self->lr * full / sqrt (n - mean * mean + self->epsilon);

  return sym_op_mxnet_step_cut (w + delta, self->clip_weights);
}

/* States z and n. */
static double
step_ftrl (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g), n = states[1] + full * full;
  double z = states[0] + full - (sqrt (n) - sqrt (states[1])) * w / self->lr;

  if (fabs (z) <= self->lamda1)
    return 0;
  return (sign (z) * self->lamda1 - z) / ((self->beta + sqrt (n)) / self->lr + self->wd);
}

static double
step_adagrad (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g), history = states[0] + full * full;

  return w - self->lr * (full / sqrt (history + self->epsilon) + self->wd * w);
}

double
sym_op_mxnet_step_direct (const SymOpMxnetStep *self, double w, double g, const double *states)
{
  double full = sym_op_mxnet_step_scale (self, g);
  double mean = self->beta1 * states[0] + (1 - self->beta1) * full;
  double variance = self->beta2 * states[1] + (1 - self->beta2) * full * full;

  if (self->corrects)
    {
      mean /= 1 - pow (self->beta1, self->t);
      variance /= 1 - pow (self->beta2, self->t);
    }
  return mean / (sqrt (variance) + self->epsilon) + self->wd * w;
}

double
sym_op_mxnet_step_compare (const SymOpMxnetStep *self, double weight, double direction)
{
  if (self->lower >= 0)
    weight = MAX (weight, self->lower);
  if (self->upper >= 0)
    weight = MIN (weight, self->upper);
  return weight == 0 || direction == 0 ? 1 : weight / direction;
}

static const SymOpMxnetMethod methods[] = {
  { "adabelief", 2, step_adabelief },
  { "adam", 2, step_adam },
  { "adamw", 2, step_adamw },
  { "ftml", 3, step_ftml },
  { "ftrl", 2, step_ftrl },
  { "lamb", 2, NULL },
  { "lans", 2, NULL },
  { "nag_mom", 1, step_nesterov },
  { "rmsprop", 1, step_rmsprop },
  { "rmspropalex", 3, step_rmsprop_alex },
  { "sgd", 0, step_sgd },
  { "sgd_mom", 1, step_momentum },
  { "signsgd", 0, step_sign },
  { "signum", 1, step_signum },
  { "sparse_adagrad", 1, step_adagrad },
};

const SymOpMxnetMethod *
sym_op_mxnet_find_method (const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strlen (methods[i].name) == length && strncmp (methods[i].name, name, length) == 0)
      return &methods[i];
  g_assert_not_reached ();
}

/* ---- Reading ---- */

SymOpMxnetStep
sym_op_mxnet_step_read (SymKernel *kernel)
{
  return (SymOpMxnetStep){
    .lr = sym_kernel_get_float (kernel, "lr", 0),
    .wd = sym_kernel_get_float (kernel, "wd", 0),
    .rescale = sym_kernel_get_float (kernel, "rescale_grad", 1),
    .clip = sym_kernel_get_float (kernel, "clip_gradient",
                                  sym_kernel_get_float (kernel, "clip_grad", -1)),
    .clip_weights = sym_kernel_get_float (kernel, "clip_weights", -1),
    .momentum = sym_kernel_get_float (kernel, "momentum", 0),
    .wd_lh = sym_kernel_get_float (kernel, "wd_lh", 0),
    .beta1 = sym_kernel_get_float (kernel, "beta1", 0.9),
    .beta2 = sym_kernel_get_float (kernel, "beta2", 0.999),
    .epsilon = sym_kernel_get_float (kernel, "epsilon", 1e-8),
    .eta = sym_kernel_get_float (kernel, "eta", 1),
    .gamma1 = sym_kernel_get_float (kernel, "gamma1", 0.95),
    .gamma2 = sym_kernel_get_float (kernel, "gamma2", 0.9),
    .lamda1 = sym_kernel_get_float (kernel, "lamda1", 0.01),
    .beta = sym_kernel_get_float (kernel, "beta", 1),
    .t = (double) sym_kernel_get_int (kernel, "t", 1),
    .lower = sym_kernel_get_float (kernel, "lower_bound", -1),
    .upper = sym_kernel_get_float (kernel, "upper_bound", -1),
    .corrects = sym_kernel_get_bool (kernel, "bias_correction", TRUE),
  };
}

gboolean
sym_op_mxnet_step_read_number (SymKernel *kernel,
                               guint i,
                               gsize place,
                               double *number,
                               GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, i, error);

  if (array == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (array->dtype) || place >= sym_array_get_n_elements (array))
    return sym_kernel_fail (error, "operand %u has no number %" G_GSIZE_FORMAT, i, place);
  *number = sym_element_get_double (array->dtype, array->data, place);
  return TRUE;
}
