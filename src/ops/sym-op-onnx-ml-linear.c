/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-ml.h"
#include "ops/sym-op-table.h"

/* Linear models, and support vectors. */

static const SymAttributeSpec regressor_attributes[] = {
  { "coefficients", SYM_ATTRIBUTE_FLOATS, "None", "a row for each target" },
  { "intercepts", SYM_ATTRIBUTE_FLOATS, "None", "what is added for each target" },
  { "post_transform", SYM_ATTRIBUTE_STRING, "NONE", "what is done with the scores",
    "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT" },
  { "targets", SYM_ATTRIBUTE_INT, "1", "number of targets" },
  { NULL },
};

static const SymAttributeSpec classifier_attributes[] = {
  { "classlabels_ints", SYM_ATTRIBUTE_INTS, "None", "the classes, where they are numbers" },
  { "classlabels_strings", SYM_ATTRIBUTE_ANY, "None", "the classes, where they are strings" },
  { "coefficients", SYM_ATTRIBUTE_FLOATS, NULL, "a row for each class" },
  { "intercepts", SYM_ATTRIBUTE_FLOATS, "None", "what is added for each class" },
  { "multi_class", SYM_ATTRIBUTE_INT, "0", "not used" },
  { "post_transform", SYM_ATTRIBUTE_STRING, "NONE", "what is done with the scores",
    "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT" },
  { NULL },
};

static const SymAttributeSpec svm_attributes[] = {
  { "coefficients", SYM_ATTRIBUTE_FLOATS, "None", "a factor for each support vector, or feature" },
  { "kernel_params", SYM_ATTRIBUTE_FLOATS, "None", "gamma, coef0 and degree of the kernel" },
  { "kernel_type", SYM_ATTRIBUTE_STRING, "LINEAR", "LINEAR, POLY, RBF or SIGMOID",
    "LINEAR POLY RBF SIGMOID" },
  { "n_supports", SYM_ATTRIBUTE_INT, "0", "number of support vectors; 0 for a linear model" },
  { "one_class", SYM_ATTRIBUTE_INT, "0", "whether the result is only 1 or -1" },
  { "post_transform", SYM_ATTRIBUTE_STRING, "NONE", "what is done with the scores",
    "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT" },
  { "rho", SYM_ATTRIBUTE_FLOATS, "None", "what is added" },
  { "support_vectors", SYM_ATTRIBUTE_FLOATS, "None", "the support vectors, one after the other" },
  { NULL },
};

/* ---- Linear models ---- */

typedef struct {
  SymOpMlSamples x;
  const double *coefficients, *intercepts;
  gsize n_coefficients, n_intercepts;
  SymOpMlTransform transform;
} Linear;

static gboolean
read_linear (Linear *self, SymKernel *kernel, GError **error)
{
  if (!sym_op_ml_get_samples (&self->x, kernel, error) ||
      !sym_op_ml_get_transform (kernel, &self->transform, error))
    return FALSE;
  self->coefficients = sym_op_ml_get_floats (kernel, "coefficients", &self->n_coefficients, error);
  if (self->coefficients == NULL)
    return FALSE;
  self->intercepts = sym_op_ml_get_floats (kernel, "intercepts", &self->n_intercepts, error);
  return self->intercepts != NULL;
}

/* The scores of one sample. */
static gboolean
score (const Linear *self,
       SymKernel *kernel,
       gsize sample,
       double *scores,
       gsize n,
       gsize *asked,
       GError **error)
{
  for (gsize k = 0; k < n; k++)
    {
      double sum = k < self->n_intercepts ? self->intercepts[k] : 0;

      for (gsize i = 0; i < self->x.width; i++)
        sum +=
            self->coefficients[k * self->x.width + i] * sym_op_ml_get_feature (&self->x, sample, i);
      scores[k] = sum;
    }
  return sym_op_go_on (kernel, asked, n * self->x.width, error);
}

static gboolean
check_rows (const Linear *self, gsize n, GError **error)
{
  if (n > 0 && self->n_coefficients == n * self->x.width)
    return TRUE;
  return sym_kernel_fail (error,
                          "%" G_GSIZE_FORMAT " coefficients are no %" G_GSIZE_FORMAT
                          " rows of %" G_GSIZE_FORMAT " features",
                          self->n_coefficients, n, self->x.width);
}

static gboolean
infer_regressor (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "targets", 1);

  return sym_op_ml_infer_scores (rule, 0, n > 0 ? n : SYM_DIM_UNKNOWN, error);
}

static gboolean
run_regressor (SymKernel *kernel, GError **error)
{
  gsize n = (gsize) CLAMP (sym_kernel_get_int (kernel, "targets", 1), 1, G_MAXINT32), asked = 0;
  double *scores;
  Linear self;
  SymArray *y;

  if (!read_linear (&self, kernel, error) || !check_rows (&self, n, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32,
                             &SYM_SHAPE ((gint64) self.x.n, (gint64) n), error);
  scores = sym_kernel_get_scratch (kernel, n, sizeof *scores, error);
  if (y == NULL || scores == NULL)
    return FALSE;
  for (gsize i = 0; i < self.x.n; i++)
    {
      if (!score (&self, kernel, i, scores, n, &asked, error))
        return FALSE;
      sym_op_ml_transform (self.transform, scores, n);
      for (gsize k = 0; k < n; k++)
        ((float *) y->data)[i * n + k] = (float) scores[k];
    }
  return TRUE;
}

static gsize
find_greatest (const double *scores, gsize n)
{
  gsize best = 0;

  for (gsize i = 1; i < n; i++)
    if (scores[i] > scores[best])
      best = i;
  return best;
}

static gboolean
infer_classifier (SymRule *rule, GError **error)
{
  return sym_op_ml_infer_classes (rule, "classlabels_ints", "classlabels_strings", error);
}

/* One row for two classes is the score of the second; that of the first is what is left to 1. */
static gboolean
classify (const Linear *self,
          SymKernel *kernel,
          const SymOpMlLabels *labels,
          gsize n_rows,
          GError **error)
{
  gboolean both = n_rows == 1 && labels->n == 2;
  gsize n = both ? 2 : n_rows, asked = 0;
  SymArray *y = sym_op_ml_new_labels (labels, kernel, 0, self->x.n, error);
  SymArray *z = sym_op_new_place (kernel, 1, SYM_DTYPE_FLOAT32,
                                  &SYM_SHAPE ((gint64) self->x.n, (gint64) n), error);
  double *scores = sym_kernel_get_scratch (kernel, n + 1, sizeof *scores, error);

  if (y == NULL || z == NULL || scores == NULL)
    return FALSE;
  for (gsize i = 0; i < self->x.n; i++)
    {
      if (!score (self, kernel, i, scores, n_rows, &asked, error))
        return FALSE;
      sym_op_ml_set_label (labels, y, i, n_rows == 1 ? (scores[0] > 0) : find_greatest (scores, n));
      sym_op_ml_transform (self->transform, scores, n_rows);
      if (both)
        {
          scores[1] = scores[0];
          scores[0] = 1 - scores[0];
        }
      for (gsize k = 0; k < n; k++)
        ((float *) z->data)[i * n + k] = (float) scores[k];
    }
  return TRUE;
}

static gboolean
run_classifier (SymKernel *kernel, GError **error)
{
  SymOpMlLabels labels;
  Linear self;
  gsize n_rows;

  if (!read_linear (&self, kernel, error) ||
      !sym_op_ml_get_labels (&labels, kernel, "classlabels_ints", "classlabels_strings", error))
    return FALSE;
  n_rows = self.n_intercepts > 0 ? self.n_intercepts : self.n_coefficients / MAX (self.x.width, 1);
  return check_rows (&self, n_rows, error) && classify (&self, kernel, &labels, n_rows, error);
}

/* ---- Support vectors ---- */

typedef enum {
  KERNEL_LINEAR,
  KERNEL_POLY,
  KERNEL_RBF,
  KERNEL_SIGMOID,
} KernelType;

typedef struct {
  KernelType type;
  double gamma, coef0, degree;
} SvmKernel;

static gboolean
read_svm_kernel (SvmKernel *self, SymKernel *kernel, GError **error)
{
  static const char *const names[] = { "LINEAR", "POLY", "RBF", "SIGMOID" };
  const char *name = sym_kernel_get_string (kernel, "kernel_type", "LINEAR");
  double params[3] = { 0, 0, 0 };

  sym_kernel_get_floats (kernel, "kernel_params", params, 3);
  self->gamma = params[0];
  self->coef0 = params[1];
  self->degree = params[2];
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        self->type = (KernelType) i;
        return TRUE;
      }
  return sym_kernel_fail (error, "kernel_type %s is none of LINEAR, POLY, RBF and SIGMOID", name);
}

static double
compare (const SvmKernel *self, const SymOpMlSamples *x, gsize sample, const double *vector)
{
  double dot = 0, distance = 0;

  for (gsize i = 0; i < x->width; i++)
    {
      double feature = sym_op_ml_get_feature (x, sample, i);

      dot += feature * vector[i];
      distance += (feature - vector[i]) * (feature - vector[i]);
    }
  switch (self->type)
    {
    case KERNEL_POLY:
      return pow (self->gamma * dot + self->coef0, self->degree);
    case KERNEL_RBF:
      return exp (-self->gamma * distance);
    case KERNEL_SIGMOID:
      return tanh (self->gamma * dot + self->coef0);
    case KERNEL_LINEAR:
    default:
      return dot;
    }
}

static gboolean
infer_svm (SymRule *rule, GError **error)
{
  return sym_op_ml_infer_scores (rule, 0, 1, error);
}

/* Without support vectors the coefficients are one, with the factor 1. */
static gboolean
run_svm (SymKernel *kernel, GError **error)
{
  gint64 n_supports = sym_kernel_get_int (kernel, "n_supports", 0);
  const double one = 1, *factors, *vectors, *rho;
  gsize n_factors, n_vectors, n_rho, n, asked = 0;
  SymOpMlTransform transform;
  SymOpMlSamples x;
  SvmKernel svm;
  SymArray *y;

  if (!sym_op_ml_get_samples (&x, kernel, error) || !read_svm_kernel (&svm, kernel, error) ||
      !sym_op_ml_get_transform (kernel, &transform, error))
    return FALSE;
  factors = sym_op_ml_get_floats (kernel, "coefficients", &n_factors, error);
  vectors = sym_op_ml_get_floats (kernel, "support_vectors", &n_vectors, error);
  rho = sym_op_ml_get_floats (kernel, "rho", &n_rho, error);
  if (factors == NULL || vectors == NULL || rho == NULL)
    return FALSE;
  n = (gsize) CLAMP (n_supports, 0, G_MAXINT32);
  if (n == 0)
    {
      vectors = factors;
      n_vectors = n_factors;
      factors = &one;
      n = n_factors = 1;
      svm.type = KERNEL_LINEAR;
    }
  if (n_factors != n || n_vectors / n != x.width || n_vectors % n != 0 || n_rho < 1)
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " coefficients, %" G_GSIZE_FORMAT
                            " numbers of support vectors and %" G_GSIZE_FORMAT
                            " of rho do not fit to %" G_GSIZE_FORMAT " vectors of %" G_GSIZE_FORMAT,
                            n_factors, n_vectors, n_rho, n, x.width);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &SYM_SHAPE ((gint64) x.n, 1), error);
  for (gsize i = 0; y != NULL && i < x.n; i++)
    {
      double sum = rho[0];

      for (gsize k = 0; k < n; k++)
        {
          sum += factors[k] * compare (&svm, &x, i, vectors + k * x.width);
          if (!sym_op_go_on (kernel, &asked, x.width, error))
            return FALSE;
        }
      if (sym_kernel_get_int (kernel, "one_class", 0) != 0)
        sum = sum > 0 ? 1 : -1;
      sym_op_ml_transform (transform, &sum, 1);
      ((float *) y->data)[i] = (float) sum;
    }
  return y != NULL;
}

const SymOperator sym_op_onnx_ml_linear[] = {
  { SYM_OP_ML ("LinearRegressor", 1), .summary = "a weighted sum of the features for each target",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = regressor_attributes, .slots = sym_op_ml_x,
    .infer = infer_regressor, .run = run_regressor },
  { SYM_OP_ML ("LinearClassifier", 1), .summary = "the class whose weighted sum is greatest",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = classifier_attributes, .slots = sym_op_ml_x,
    .get_n_outputs = sym_op_ml_get_two_outputs, .infer = infer_classifier, .run = run_classifier },
  { SYM_OP_ML ("SVMRegressor", 1), .summary = "a sum of how near the support vectors are",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = svm_attributes, .slots = sym_op_ml_x,
    .infer = infer_svm, .run = run_svm },
  { NULL },
};
