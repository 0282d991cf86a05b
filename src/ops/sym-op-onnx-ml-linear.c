/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-kernel-keep.h"
#include "ops/sym-op-onnx-ml-near.h"
#include "ops/sym-op-table.h"

/* Linear models. */

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

/* ---- Linear models ---- */

/* A row of coefficients, and what is added, for each target or class. */
typedef struct {
  SymOpNear rows;
  double *intercepts; /* [rows], 0 where there are none */
  gsize n;
  SymOpMlTransform transform;
} Linear;

static void
linear_free (gpointer data)
{
  Linear *self = data;

  sym_op_near_clear (&self->rows);
  g_free (self->intercepts);
  g_free (self);
}

/* @n rows, or where it is 0 as many as there are intercepts or else rows of @width. */
static gboolean
read_linear (Linear *self, SymKernel *kernel, gsize n, gsize width, GError **error)
{
  gsize n_coefficients, n_intercepts;
  const double *intercepts, *coefficients;

  if (!sym_op_ml_get_transform (kernel, &self->transform, error))
    return FALSE;
  coefficients = sym_op_ml_get_floats (kernel, "coefficients", &n_coefficients, error);
  if (coefficients == NULL)
    return FALSE;
  intercepts = sym_op_ml_get_floats (kernel, "intercepts", &n_intercepts, error);
  if (intercepts == NULL)
    return FALSE;
  if (n == 0)
    n = n_intercepts > 0 ? n_intercepts : n_coefficients / MAX (width, 1);
  if (n == 0 || n_coefficients / n != width || n_coefficients % n != 0)
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " coefficients are no %" G_GSIZE_FORMAT
                            " rows of %" G_GSIZE_FORMAT " features",
                            n_coefficients, n, width);
  self->n = n;
  sym_op_near_set_vectors (&self->rows, coefficients, n, width);
  self->intercepts = g_new0 (double, n);
  memcpy (self->intercepts, intercepts, MIN (n, n_intercepts) * sizeof *intercepts);
  return TRUE;
}

/* Read in the first run. */
static const Linear *
need_linear (SymKernel *kernel, const SymOpMlSamples *x, gsize n, GError **error)
{
  Linear *self = sym_kernel_get_kept (kernel);

  if (self != NULL && self->rows.k == x->width)
    return self;
  if (self != NULL)
    {
      sym_kernel_set_error (error,
                            "rows of %" G_GSIZE_FORMAT
                            " coefficients do not fit to %" G_GSIZE_FORMAT " features",
                            self->rows.k, x->width);
      return NULL;
    }
  self = g_new0 (Linear, 1);
  if (!read_linear (self, kernel, n, x->width, error))
    {
      linear_free (self);
      return NULL;
    }
  sym_kernel_keep (kernel, self, linear_free);
  return self;
}

/* Scores of some samples at a time, for many of them fill vectors. */
#define SAMPLES (8 * SYM_OP_NEAR_ROWS)

typedef struct {
  const Linear *linear;
  SymKernel *kernel;
  SymOpMlSamples x;
  double *place, *wide; /* of SYM_OP_NEAR_ROWS samples: features, and values as they are measured */
  double *scores;       /* [SAMPLES, linear->n] */
  gsize stride, asked;
} Scorer;

static gboolean
open_scorer (Scorer *self, SymKernel *kernel, gsize n, GError **error)
{
  *self = (Scorer){ .kernel = kernel };
  if (!sym_op_ml_get_samples (&self->x, kernel, error))
    return FALSE;
  self->linear = need_linear (kernel, &self->x, n, error);
  if (self->linear == NULL)
    return FALSE;
  self->stride = sym_op_near_get_stride (&self->linear->rows);
  self->place =
      sym_kernel_get_scratch (kernel, self->x.width + 1, SYM_OP_NEAR_ROWS * sizeof (double), error);
  if (self->place == NULL)
    return FALSE;
  self->wide =
      sym_kernel_get_scratch (kernel, self->stride, SYM_OP_NEAR_ROWS * sizeof (double), error);
  if (self->wide == NULL)
    return FALSE;
  self->scores = sym_kernel_get_scratch (kernel, self->linear->n, SAMPLES * sizeof (double), error);
  return self->scores != NULL;
}

/* Of samples [@first, @first + @n), at most SAMPLES. */
static gboolean
score (Scorer *self, gsize first, gsize n, GError **error)
{
  const Linear *linear = self->linear;

  for (gsize i = 0; i < n; i += SYM_OP_NEAR_ROWS)
    {
      gsize n_rows = MIN (n - i, SYM_OP_NEAR_ROWS);

      sym_op_near_measure (&linear->rows, &self->x, first + i, n_rows, self->place, self->wide);
      for (gsize row = 0; row < n_rows; row++)
        for (gsize k = 0; k < linear->n; k++)
          self->scores[(i + row) * linear->n + k] =
              self->wide[row * self->stride + k] + linear->intercepts[k];
    }
  return sym_op_go_on (self->kernel, &self->asked, n * linear->n * self->x.width, error);
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
  gsize n = (gsize) CLAMP (sym_kernel_get_int (kernel, "targets", 1), 1, G_MAXINT32);
  Scorer self;
  SymArray *y;

  if (!open_scorer (&self, kernel, n, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32,
                             &SYM_SHAPE ((gint64) self.x.n, (gint64) n), error);
  for (gsize i = 0; y != NULL && i < self.x.n; i += SAMPLES)
    {
      gsize n_rows = MIN (self.x.n - i, SAMPLES);

      if (!score (&self, i, n_rows, error))
        return FALSE;
      sym_op_ml_transform (self.linear->transform, self.scores, n_rows, n);
      for (gsize k = 0; k < n_rows * n; k++)
        ((float *) y->data)[i * n + k] = (float) self.scores[k];
    }
  return y != NULL;
}

static gboolean
infer_classifier (SymRule *rule, GError **error)
{
  return sym_op_ml_infer_classes (rule, "classlabels_ints", "classlabels_strings", error);
}

/* One row for two classes is the score of the second; that of the first is what is left to 1. */
static void
write_classes (const Scorer *self,
               const SymOpMlLabels *labels,
               SymArray *y,
               SymArray *z,
               gsize first,
               gsize n_samples)
{
  gsize n = (gsize) z->shape.dims[1], n_rows = self->linear->n;
  float *to = (float *) z->data + first * n;

  for (gsize i = 0; i < n_samples; i++)
    {
      const double *scores = self->scores + i * n_rows;

      sym_op_ml_set_label (labels, y, first + i,
                           n_rows == 1 ? scores[0] > 0 : sym_op_ml_find_greatest (scores, n_rows));
    }
  sym_op_ml_transform (self->linear->transform, self->scores, n_samples, n_rows);
  for (gsize i = 0; i < n_samples * n; i++)
    if (n == n_rows)
      to[i] = (float) self->scores[i];
    else
      to[i] = (float) (i % 2 == 1 ? self->scores[i / 2] : 1 - self->scores[i / 2]);
}

static gboolean
run_classifier (SymKernel *kernel, GError **error)
{
  SymOpMlLabels labels;
  Scorer self;
  SymArray *y, *z;
  gsize n;

  if (!open_scorer (&self, kernel, 0, error) ||
      !sym_op_ml_get_labels (&labels, kernel, "classlabels_ints", "classlabels_strings", error))
    return FALSE;
  n = self.linear->n == 1 && labels.n == 2 ? 2 : self.linear->n;
  y = sym_op_ml_new_labels (&labels, kernel, 0, self.x.n, error);
  if (y == NULL)
    return FALSE;
  z = sym_op_new_place (kernel, 1, SYM_DTYPE_FLOAT32, &SYM_SHAPE ((gint64) self.x.n, (gint64) n),
                        error);
  for (gsize i = 0; z != NULL && i < self.x.n; i += SAMPLES)
    {
      gsize n_rows = MIN (self.x.n - i, SAMPLES);

      if (!score (&self, i, n_rows, error))
        return FALSE;
      write_classes (&self, &labels, y, z, i, n_rows);
    }
  return z != NULL;
}

const SymOperator sym_op_onnx_ml_linear[] = {
  { SYM_OP_ML ("LinearRegressor", 1), .summary = "a weighted sum of the features for each target",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = regressor_attributes, .slots = sym_op_ml_x,
    .infer = infer_regressor, .run = run_regressor },
  { SYM_OP_ML ("LinearClassifier", 1), .summary = "the class whose weighted sum is greatest",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = classifier_attributes, .slots = sym_op_ml_x,
    .get_n_outputs = sym_op_ml_get_two_outputs, .infer = infer_classifier, .run = run_classifier },
  { NULL },
};
