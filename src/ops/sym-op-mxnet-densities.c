/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-densities.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

/* Logarithms of the density at x. */

static double
log_uniform (double x, double low, double high)
{
  return x < low || x > high ? -INFINITY : -log (high - low);
}

static double
log_normal (double x, double mean, double deviation)
{
  double z = (x - mean) / deviation;

  return -z * z / 2 - log (deviation) - log (2 * G_PI) / 2;
}

/* Of shape and rate. */
static double
log_gamma (double x, double shape, double rate)
{
  return shape * log (rate) + (shape - 1) * log (x) - rate * x - lgamma (shape);
}

static double
log_exponential (double x, double rate, double unused)
{
  return x < 0 ? -INFINITY : log (rate) - rate * x;
}

static double
log_poisson (double x, double rate, double unused)
{
  return x * log (rate) - rate - lgamma (x + 1);
}

static double
log_negative_binomial (double x, double k, double p)
{
  return lgamma (x + k) - lgamma (x + 1) - lgamma (k) + k * log (p) + x * log1p (-p);
}

static double
log_spread_poisson (double x, double mean, double dispersion)
{
  return log_negative_binomial (x, 1 / dispersion, 1 / (mean * dispersion + 1));
}

static const struct {
  const char *name;
  guint n;
  double (*log_density) (double x, double a, double b);
} densities[] = {
  { "uniform", 2, log_uniform },
  { "normal", 2, log_normal },
  { "gamma", 2, log_gamma },
  { "exponential", 1, log_exponential },
  { "poisson", 1, log_poisson },
  { "negative_binomial", 2, log_negative_binomial },
  { "generalized_negative_binomial", 2, log_spread_poisson },
};

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

static double
finish (SymKernel *kernel, double logarithm)
{
  return sym_kernel_get_bool (kernel, "is_log", FALSE) ? logarithm : exp (logarithm);
}

/* Operand @i, whose elements each stand for as many of the @n samples behind each other. */
static const SymArray *
read_parameter (SymKernel *kernel, guint i, gsize n, gsize *each, GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, i, error);
  gsize own;

  if (array == NULL)
    return NULL;
  own = sym_array_get_n_elements (array);
  if (!sym_dtype_is_floating (array->dtype) || own == 0 || n % own != 0)
    {
      sym_kernel_set_error (
          error, "%" G_GSIZE_FORMAT " parameters of %s do not fit to %" G_GSIZE_FORMAT " samples",
          own, sym_dtype_to_string (array->dtype), n);
      return NULL;
    }
  *each = n / own;
  return array;
}

/* Samples and parameters are vectors along the last axis. */
static gboolean
run_dirichlet (SymKernel *kernel, const SymArray *x, GError **error)
{
  SymShape shape = sym_shape_new (x->shape.dims, MAX (x->shape.rank - 1, 0));
  const SymArray *alpha;
  gsize n, each, asked = 0;
  SymArray *y;

  if (x->shape.rank < 1 || x->shape.dims[x->shape.rank - 1] < 1)
    return sym_kernel_fail (error, "a sample is a vector");
  n = (gsize) x->shape.dims[x->shape.rank - 1];
  alpha = read_parameter (kernel, 1, sym_array_get_n_elements (x), &each, error);
  if (alpha == NULL)
    return FALSE;
  if (sym_array_get_n_elements (alpha) % n != 0)
    return sym_kernel_fail (error, "parameters are no vectors of %" G_GSIZE_FORMAT, n);
  if (shape.rank == 0)
    shape = SYM_SHAPE (1);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      double sum = 0, logarithm = 0;

      for (gsize k = 0; k < n; k++)
        {
          double a = get (alpha, i / each * n + k);

          sum += a;
          logarithm += (a - 1) * log (get (x, i * n + k)) - lgamma (a);
        }
      sym_element_set_double (y->dtype, y->data, i, finish (kernel, logarithm + lgamma (sum)));
      if (!sym_op_go_on (kernel, &asked, n, error))
        return FALSE;
    }
  return y != NULL;
}

gboolean
sym_op_mxnet_run_density (SymKernel *kernel, GError **error)
{
  const char *name = sym_layer_get_operator (sym_kernel_get_layer (kernel))->name;
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *parameters[2] = { NULL };
  gsize which = 0, each[2] = { 1, 1 }, n, asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  name += strlen ("_random_pdf_");
  if (strcmp (name, "dirichlet") == 0)
    return run_dirichlet (kernel, x, error);
  while (strcmp (densities[which].name, name) != 0)
    which++;
  n = sym_array_get_n_elements (x);
  for (guint i = 0; i < densities[which].n; i++)
    {
      parameters[i] = read_parameter (kernel, i + 1, n, &each[i], error);
      if (parameters[i] == NULL)
        return FALSE;
    }
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < n; i++)
    {
      double numbers[2] = { 0, 0 };

      for (guint k = 0; k < densities[which].n; k++)
        numbers[k] = get (parameters[k], i / each[k]);
      sym_element_set_double (
          y->dtype, y->data, i,
          finish (kernel, densities[which].log_density (get (x, i), numbers[0], numbers[1])));
      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- CTC ---- */

/* Data [steps, samples, classes], whose softmax the shares are, and labels [samples, places]. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x, *labels, *lengths, *label_lengths;
  gsize n_steps, n, n_classes, n_places, blank, asked;
  gsize *path;   /* of one sample: labels with blanks around them */
  double *alpha; /* logarithms of the shares of all ways to each place of the path */
  double *before;
} Ctc;

static double
add_logarithms (double a, double b)
{
  double greatest = MAX (a, b);

  return isinf (greatest) ? greatest : greatest + log (exp (a - greatest) + exp (b - greatest));
}

/* The logarithm of the share of a class at a step. */
static double
get_share (const Ctc *self, gsize step, gsize sample, gsize class)
{
  gsize first = (step * self->n + sample) * self->n_classes;
  double greatest = -INFINITY, sum = 0;

  for (gsize k = 0; k < self->n_classes; k++)
    greatest = MAX (greatest, get (self->x, first + k));
  for (gsize k = 0; k < self->n_classes; k++)
    sum += exp (get (self->x, first + k) - greatest);
  return get (self->x, first + class) - greatest - log (sum);
}

static gboolean
read_lengths (SymKernel *kernel, guint i, gsize n, const SymArray **lengths, GError **error)
{
  *lengths = sym_kernel_need_input (kernel, i, error);
  if (*lengths == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric ((*lengths)->dtype) || sym_array_get_n_elements (*lengths) != n)
    return sym_kernel_fail (error, "operand %u has not a length for each sample", i);
  return TRUE;
}

static gboolean
read_ctc (Ctc *self, SymKernel *kernel, GError **error)
{
  gboolean last = g_str_equal (sym_kernel_get_string (kernel, "blank_label", "first"), "last");
  guint next = 2;

  *self = (Ctc){ .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  self->labels = self->x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->labels == NULL)
    return FALSE;
  if (self->x->shape.rank != 3 || self->labels->shape.rank != 2 ||
      self->labels->shape.dims[0] != self->x->shape.dims[1] || self->x->shape.dims[2] < 1 ||
      !sym_dtype_is_floating (self->x->dtype) || !sym_dtype_is_numeric (self->labels->dtype))
    return sym_kernel_fail (error, "data [T, N, C] and labels [N, L] do not fit");
  self->n_steps = (gsize) self->x->shape.dims[0];
  self->n = (gsize) self->x->shape.dims[1];
  self->n_classes = (gsize) self->x->shape.dims[2];
  self->n_places = (gsize) self->labels->shape.dims[1];
  self->blank = last ? self->n_classes - 1 : 0;
  if (sym_kernel_get_bool (kernel, "use_data_lengths", FALSE) &&
      !read_lengths (kernel, next++, self->n, &self->lengths, error))
    return FALSE;
  if (sym_kernel_get_bool (kernel, "use_label_lengths", FALSE) &&
      !read_lengths (kernel, next, self->n, &self->label_lengths, error))
    return FALSE;
  self->path = sym_kernel_get_scratch (kernel, 2 * self->n_places + 1, sizeof *self->path, error);
  if (self->path == NULL)
    return FALSE;
  self->alpha = sym_kernel_get_scratch (kernel, 4 * self->n_places + 2, sizeof (double), error);
  self->before = self->alpha + 2 * self->n_places + 1;
  return self->alpha != NULL;
}

/* Labels up to their length, or to the padding: 0 where that is the blank, else -1. */
static gboolean
read_path (Ctc *self, gsize sample, gsize *n, GError **error)
{
  double padding = self->blank == 0 ? 0 : -1;
  double most =
      self->label_lengths == NULL ? (double) self->n_places : get (self->label_lengths, sample);

  *n = 0;
  self->path[(*n)++] = self->blank;
  for (gsize i = 0; i < self->n_places && (double) i < most; i++)
    {
      double label = get (self->labels, sample * self->n_places + i);

      if (self->label_lengths == NULL && label == padding)
        break;
      if (!(label >= 0 && label < (double) self->n_classes) || label == (double) self->blank)
        return sym_kernel_fail (error, "label %g is none of %" G_GSIZE_FORMAT " classes", label,
                                self->n_classes);
      self->path[(*n)++] = (gsize) label;
      self->path[(*n)++] = self->blank;
    }
  return TRUE;
}

/* All ways that end at place @i come from it, from the place before, or over a blank. */
static double
come_from (const Ctc *self, gsize i)
{
  double sum = self->before[i];

  if (i > 0)
    sum = add_logarithms (sum, self->before[i - 1]);
  if (i > 1 && self->path[i] != self->blank && self->path[i] != self->path[i - 2])
    sum = add_logarithms (sum, self->before[i - 2]);
  return sum;
}

static gboolean
find_loss (Ctc *self, gsize sample, double *loss, GError **error)
{
  double most = self->lengths == NULL ? (double) self->n_steps : get (self->lengths, sample);
  gsize n;

  if (!read_path (self, sample, &n, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    self->before[i] = i == 0 ? 0 : -INFINITY;
  for (gsize step = 0; step < self->n_steps && (double) step < most; step++)
    {
      for (gsize i = 0; i < n; i++)
        {
          /* A way begins with a blank or with the first label. */
          double sum = step == 0 ? (i < 2 ? 0 : -INFINITY) : come_from (self, i);

          self->alpha[i] = sum + get_share (self, step, sample, self->path[i]);
        }
      memcpy (self->before, self->alpha, n * sizeof *self->alpha);
      if (!sym_op_go_on (self->kernel, &self->asked, n * self->n_classes, error))
        return FALSE;
    }
  *loss = -(n > 1 ? add_logarithms (self->before[n - 1], self->before[n - 2]) : self->before[0]);
  return TRUE;
}

gboolean
sym_op_mxnet_run_ctc (SymKernel *kernel, GError **error)
{
  SymArray *y;
  Ctc self;

  for (guint i = 1; i < sym_kernel_get_n_outputs (kernel); i++)
    if (sym_kernel_wants_output (kernel, i))
      return sym_kernel_fail (error, "output %u, a gradient, is not computed", i);
  if (!read_ctc (&self, kernel, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, self.x->dtype, &SYM_SHAPE ((gint64) self.n), error);
  for (gsize i = 0; y != NULL && i < self.n; i++)
    {
      double loss;

      if (!find_loss (&self, i, &loss, error))
        return FALSE;
      sym_element_set_double (y->dtype, y->data, i, loss);
    }
  return y != NULL;
}
