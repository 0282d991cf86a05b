/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-ml.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-exponential.h"
#include "ops/sym-op-table.h"

const SymSlotSpec sym_op_ml_x[] = { { "X" }, { NULL } };

/* ---- Lists ---- */

guint
sym_op_ml_count (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);

  return value == NULL ? 0 : sym_value_get_n_children (value);
}

static SymTensor *
find_tensor (SymKernel *kernel, const char *name)
{
  g_autofree char *as_tensor = g_strconcat (name, "_as_tensor", NULL);
  const SymAttributes *attributes = sym_kernel_get_attributes (kernel);
  const SymValue *value = sym_attributes_find (attributes, name);
  SymTensor *tensor = value == NULL ? NULL : sym_value_get_tensor (value);

  if (tensor != NULL)
    return tensor;
  value = sym_attributes_find (attributes, as_tensor);
  return value == NULL ? NULL : sym_value_get_tensor (value);
}

/* Elements of a tensor as @dtype, which is float64 or int64. */
static void *
read_tensor (SymKernel *kernel, SymTensor *tensor, SymDType dtype, gsize *n, GError **error)
{
  g_autoptr (SymDatum) datum = sym_datum_new_read (tensor, error);
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);
  void *place;

  if (array == NULL)
    return NULL;
  if (!sym_dtype_is_numeric (array->dtype))
    {
      sym_kernel_set_error (error, "a tensor of %s has no numbers",
                            sym_dtype_to_string (array->dtype));
      return NULL;
    }
  *n = sym_array_get_n_elements (array);
  place = sym_kernel_get_scratch (kernel, MAX (*n, 1), sizeof (double), error);
  if (place != NULL)
    sym_convert_elements (array->dtype, array->data, dtype, place, *n);
  return place;
}

double *
sym_op_ml_get_floats (SymKernel *kernel, const char *name, gsize *n, GError **error)
{
  const SymValue *value = sym_attributes_find (sym_kernel_get_attributes (kernel), name);
  SymTensor *tensor = find_tensor (kernel, name);
  double *place;

  if (tensor != NULL)
    return read_tensor (kernel, tensor, SYM_DTYPE_FLOAT64, n, error);
  *n = value == NULL ? 0 : sym_value_get_n_children (value);
  place = sym_kernel_get_scratch (kernel, MAX (*n, 1), sizeof *place, error);
  for (gsize i = 0; place != NULL && i < *n; i++)
    if (!sym_value_get_float (sym_value_get_child (value, (guint) i), &place[i]))
      {
        sym_kernel_set_error (error, "%s has something that is no number", name);
        return NULL;
      }
  return place;
}

gint64 *
sym_op_ml_get_ints (SymKernel *kernel, const char *name, gsize *n, GError **error)
{
  const SymValue *value = sym_attributes_find (sym_kernel_get_attributes (kernel), name);
  SymTensor *tensor = find_tensor (kernel, name);
  gint64 *place;

  if (tensor != NULL)
    return read_tensor (kernel, tensor, SYM_DTYPE_INT64, n, error);
  *n = value == NULL ? 0 : sym_value_get_n_children (value);
  place = sym_kernel_get_scratch (kernel, MAX (*n, 1), sizeof *place, error);
  for (gsize i = 0; place != NULL && i < *n; i++)
    if (!sym_value_get_int (sym_value_get_child (value, (guint) i), &place[i]))
      {
        sym_kernel_set_error (error, "%s has something that is no integer", name);
        return NULL;
      }
  return place;
}

const SymValue *
sym_op_ml_get_strings (SymKernel *kernel, const char *name, gsize *n)
{
  const SymValue *value = sym_attributes_find (sym_kernel_get_attributes (kernel), name);

  *n = value == NULL ? 0 : sym_value_get_n_children (value);
  return *n == 0 ? NULL : value;
}

const char *
sym_op_ml_get_text (const SymValue *strings, gsize i)
{
  const char *text = sym_value_get_string (sym_value_get_child (strings, (guint) i));

  return text == NULL ? "" : text;
}

/* ---- Samples ---- */

gboolean
sym_op_ml_get_samples (SymOpMlSamples *self, SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);

  if (x == NULL)
    return FALSE;
  if (x->shape.rank < 1 || !sym_dtype_is_numeric (x->dtype))
    return sym_kernel_fail (error, "X has %d axes of %s; it should be samples of numbers",
                            x->shape.rank, sym_dtype_to_string (x->dtype));
  self->array = x;
  self->width = (gsize) x->shape.dims[x->shape.rank - 1];
  self->n = self->width == 0 ? 0 : sym_array_get_n_elements (x) / self->width;
  if (self->width == 0 && x->shape.rank > 1)
    self->n = (gsize) x->shape.dims[0];
  return TRUE;
}

double
sym_op_ml_get_feature (const SymOpMlSamples *self, gsize sample, gsize i)
{
  return sym_element_get_double (self->array->dtype, self->array->data, sample * self->width + i);
}

/* ---- Scores ---- */

gboolean
sym_op_ml_get_transform (SymKernel *kernel, SymOpMlTransform *transform, GError **error)
{
  static const char *const names[] = { "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT" };
  const char *name = sym_kernel_get_string (kernel, "post_transform", NULL);
  gint64 number = sym_kernel_get_int (kernel, "post_transform", 0);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (name == NULL ? number == i : strcmp (name, names[i]) == 0)
      {
        *transform = (SymOpMlTransform) i;
        return TRUE;
      }
  return sym_kernel_fail (error,
                          "post_transform is %s, which is none of NONE, SOFTMAX, LOGISTIC, "
                          "SOFTMAX_ZERO and PROBIT",
                          name == NULL ? "a number" : name);
}

double
sym_op_ml_logistic (double x)
{
  return x >= 0 ? 1 / (1 + exp (-x)) : exp (x) / (1 + exp (x));
}

/* The inverse of the normal distribution's sum function, by bisection: monotone, so it is found to
 * the last bits. */
static double
probit (double p)
{
  double low = -40, high = 40;

  if (!(p > 0 && p < 1))
    return p == 0 ? -INFINITY : p == 1 ? INFINITY : (double) NAN;
  for (int i = 0; i < 100; i++)
    {
      double middle = (low + high) / 2;

      if (erfc (-middle * M_SQRT1_2) / 2 < p)
        low = middle;
      else
        high = middle;
    }
  return (low + high) / 2;
}

static void
subtract_greatest (double *scores, gsize n)
{
  double greatest = -INFINITY;

  for (gsize i = 0; i < n; i++)
    greatest = MAX (greatest, scores[i]);
  for (gsize i = 0; i < n; i++)
    scores[i] -= greatest;
}

static void
divide_by_sum (double *scores, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += scores[i];
  sum = 1 / sum;
  for (gsize i = 0; i < n; i++)
    scores[i] *= sum;
}

/* The powers of all samples at once: few fill no vector. */
static void
softmax (double *scores, gsize n_samples, gsize n)
{
  for (gsize i = 0; i < n_samples; i++)
    subtract_greatest (scores + i * n, n);
  sym_op_exp_all (scores, scores, n_samples * n);
  for (gsize i = 0; i < n_samples; i++)
    divide_by_sum (scores + i * n, n);
}

/* Scores of 0 stay 0. */
static void
softmax_zero (double *scores, gsize n)
{
  double greatest = -INFINITY, sum = 0;

  for (gsize i = 0; i < n; i++)
    greatest = MAX (greatest, scores[i]);
  for (gsize i = 0; i < n; i++)
    {
      if (fabs (scores[i]) > 1e-7)
        scores[i] = exp (scores[i] - greatest);
      sum += scores[i];
    }
  for (gsize i = 0; i < n && sum != 0; i++)
    scores[i] /= sum;
}

void
sym_op_ml_transform (SymOpMlTransform transform, double *scores, gsize n_samples, gsize n)
{
  if (transform == SYM_OP_ML_SOFTMAX)
    softmax (scores, n_samples, n);
  else if (transform == SYM_OP_ML_LOGISTIC)
    sym_op_logistic_all (scores, scores, n_samples * n);
  for (gsize i = 0; transform == SYM_OP_ML_SOFTMAX_ZERO && i < n_samples; i++)
    softmax_zero (scores + i * n, n);
  for (gsize i = 0; transform == SYM_OP_ML_PROBIT && i < n_samples * n; i++)
    scores[i] = probit (scores[i]);
}

gsize
sym_op_ml_find_greatest (const double *scores, gsize n)
{
  gsize best = 0;

  for (gsize i = 1; i < n; i++)
    if (scores[i] > scores[best])
      best = i;
  return best;
}

/* ---- Labels ---- */

gboolean
sym_op_ml_get_labels (SymOpMlLabels *self,
                      SymKernel *kernel,
                      const char *ints,
                      const char *strings,
                      GError **error)
{
  self->ints = NULL;
  self->strings = sym_op_ml_get_strings (kernel, strings, &self->n);
  if (self->strings != NULL)
    return TRUE;
  self->ints = sym_op_ml_get_ints (kernel, ints, &self->n, error);
  return self->ints != NULL;
}

SymArray *
sym_op_ml_new_labels (const SymOpMlLabels *self,
                      SymKernel *kernel,
                      guint i,
                      gsize n,
                      GError **error)
{
  return sym_kernel_new_output (kernel, i,
                                self->strings == NULL ? SYM_DTYPE_INT64 : SYM_DTYPE_STRING,
                                &SYM_SHAPE ((gint64) n), error);
}

/* Without a list the classes are their numbers. */
void
sym_op_ml_set_label (const SymOpMlLabels *self, SymArray *y, gsize i, gsize label)
{
  if (self->strings == NULL)
    {
      ((gint64 *) y->data)[i] = label < self->n ? self->ints[label] : (gint64) label;
      return;
    }
  {
    const char *text = label < self->n ? sym_op_ml_get_text (self->strings, label) : "";
    g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

    sym_array_set_string (y, i, bytes);
  }
}

/* ---- Shapes ---- */

static SymDim
get_samples (SymRule *rule)
{
  SymShape x = sym_rule_get_input (rule, 0);

  return x.rank < 0 ? SYM_DIM_UNKNOWN : x.rank < 2 ? 1 : x.dims[0];
}

gboolean
sym_op_ml_infer_scores (SymRule *rule, guint output, SymDim n, GError **error)
{
  return sym_op_set_output (rule, output, SYM_SHAPE (get_samples (rule), n), SYM_DTYPE_FLOAT32,
                            error);
}

gboolean
sym_op_ml_infer_classes (SymRule *rule, const char *ints, const char *strings, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  guint n_strings = sym_op_ml_count (attributes, strings);
  guint n = n_strings > 0 ? n_strings : sym_op_ml_count (attributes, ints);

  return sym_op_set_output (rule, 0, SYM_SHAPE (get_samples (rule)),
                            n_strings > 0 ? SYM_DTYPE_STRING : SYM_DTYPE_INT64, error) &&
         sym_op_ml_infer_scores (rule, 1, n > 1 ? n : SYM_DIM_UNKNOWN, error);
}

int
sym_op_ml_get_two_outputs (const SymAttributes *attributes, int *n_visible)
{
  (void) attributes;
  *n_visible = 2;
  return 2;
}
