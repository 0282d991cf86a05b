/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-kernel-keep.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx-ml-near.h"
#include "ops/sym-op-table.h"

/* Support vector machines. */

#define KERNEL_SPECS                                                                        \
  { "coefficients", SYM_ATTRIBUTE_FLOATS, "None", "a factor for each vector, or feature" }, \
      { "kernel_params", SYM_ATTRIBUTE_FLOATS, "None", "gamma, coef0 and degree" },         \
      { "kernel_type", SYM_ATTRIBUTE_STRING, "LINEAR", "LINEAR, POLY, RBF or SIGMOID",      \
        "LINEAR POLY RBF SIGMOID" },                                                        \
      { "post_transform", SYM_ATTRIBUTE_STRING, "NONE", "what is done with the scores",     \
        "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT" },                                      \
      { "rho", SYM_ATTRIBUTE_FLOATS, "None", "what is added" },                             \
  {                                                                                         \
    "support_vectors", SYM_ATTRIBUTE_FLOATS, "None", "the vectors, one after the other"     \
  }

static const SymAttributeSpec regressor_attributes[] = {
  KERNEL_SPECS,
  { "n_supports", SYM_ATTRIBUTE_INT, "0", "number of support vectors; 0 for a linear model" },
  { "one_class", SYM_ATTRIBUTE_INT, "0", "whether the result is only 1 or -1" },
  { NULL },
};

static const SymAttributeSpec classifier_attributes[] = {
  KERNEL_SPECS,
  { "classlabels_ints", SYM_ATTRIBUTE_INTS, "None", "the classes, where they are numbers" },
  { "classlabels_strings", SYM_ATTRIBUTE_ANY, "None", "the classes, where they are strings" },
  { "prob_a", SYM_ATTRIBUTE_FLOATS, "None", "factors that make probabilities of two classes" },
  { "prob_b", SYM_ATTRIBUTE_FLOATS, "None", "what is added to them" },
  { "vectors_per_class", SYM_ATTRIBUTE_INTS, "None", "number of vectors of each class" },
  { NULL },
};

/* ---- The machine ---- */

/* With support vectors, pair (i, j) of the classes, i < j, has the score
 *   rho + factors[j - 1] . near vectors of i + factors[i] . near vectors of j,
 * and a regression is one class with one row of factors.  Without them each class has one vector,
 * and how near that is is its score. */
typedef struct {
  SymOpNear near;
  double *factors; /* [n_classes - 1, or 1, vectors]; NULL without support vectors */
  gsize *starts;   /* [n_classes + 1]: the vectors of each class */
  double *rho, *prob_a, *prob_b;
  gsize n_classes, n_prob;
  gboolean one_class;
  SymOpMlTransform transform;
} Machine;

static void
machine_free (gpointer data)
{
  Machine *self = data;

  sym_op_near_clear (&self->near);
  g_free (self->factors);
  g_free (self->starts);
  g_free (self->rho);
  g_free (self->prob_a);
  g_free (self->prob_b);
  g_free (self);
}

/* A list of at least @least numbers, to be freed. */
static double *
copy_floats (SymKernel *kernel, const char *name, gsize least, gsize *n, GError **error)
{
  const double *list = sym_op_ml_get_floats (kernel, name, n, error);

  if (list == NULL)
    return NULL;
  if (*n < least)
    {
      sym_kernel_set_error (error,
                            "%s has %" G_GSIZE_FORMAT " numbers; %" G_GSIZE_FORMAT " are needed",
                            name, *n, least);
      return NULL;
    }
  return g_memdup2 (list, MAX (*n, 1) * sizeof *list);
}

/* Without support vectors: a row of coefficients for each class. */
static gboolean
read_rows (Machine *self, SymKernel *kernel, GError **error)
{
  gsize n;
  const double *rows = sym_op_ml_get_floats (kernel, "coefficients", &n, error);

  if (rows == NULL)
    return FALSE;
  if (n == 0 || n % self->n_classes != 0)
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " coefficients are no rows for %" G_GSIZE_FORMAT " classes", n,
        self->n_classes);
  self->near.kind = SYM_OP_NEAR_LINEAR;
  sym_op_near_set_vectors (&self->near, rows, self->n_classes, n / self->n_classes);
  return TRUE;
}

static gboolean
read_vectors (Machine *self, SymKernel *kernel, gsize n, GError **error)
{
  gsize n_rows = MAX (self->n_classes - 1, 1), n_factors, n_numbers, n_needed;
  const double *vectors = sym_op_ml_get_floats (kernel, "support_vectors", &n_numbers, error);

  if (vectors == NULL)
    return FALSE;
  if (n_numbers == 0 || n_numbers % n != 0 || !g_size_checked_mul (&n_needed, n_rows, n))
    return sym_kernel_fail (error,
                            "support_vectors has %" G_GSIZE_FORMAT
                            " numbers, which are no %" G_GSIZE_FORMAT " vectors",
                            n_numbers, n);
  self->factors = copy_floats (kernel, "coefficients", n_needed, &n_factors, error);
  if (self->factors == NULL)
    return FALSE;
  sym_op_near_set_vectors (&self->near, vectors, n, n_numbers / n);
  return TRUE;
}

static gboolean
read_kernel (Machine *self, SymKernel *kernel, gsize n_vectors, gsize n_scores, GError **error)
{
  gsize n_rho;

  if (!sym_op_near_read_kind (&self->near, kernel, error) ||
      !sym_op_ml_get_transform (kernel, &self->transform, error) ||
      !(n_vectors > 0 ? read_vectors (self, kernel, n_vectors, error)
                      : read_rows (self, kernel, error)))
    return FALSE;
  self->rho = copy_floats (kernel, "rho", n_scores, &n_rho, error);
  return self->rho != NULL;
}

static gboolean
read_regressor (Machine *self, SymKernel *kernel, GError **error)
{
  gint64 n = sym_kernel_get_int (kernel, "n_supports", 0);

  self->n_classes = 1;
  self->one_class = sym_kernel_get_int (kernel, "one_class", 0) != 0;
  self->starts = g_new0 (gsize, 2);
  self->starts[1] = (gsize) CLAMP (n, 0, G_MAXINT32);
  return read_kernel (self, kernel, self->starts[1], 1, error);
}

static gboolean
read_starts (Machine *self, SymKernel *kernel, GError **error)
{
  gsize n;
  const gint64 *counts = sym_op_ml_get_ints (kernel, "vectors_per_class", &n, error);

  if (counts == NULL)
    return FALSE;
  if (n != 0 && n != self->n_classes)
    return sym_kernel_fail (
        error, "vectors_per_class has %" G_GSIZE_FORMAT " numbers for %" G_GSIZE_FORMAT " classes",
        n, self->n_classes);
  self->starts = g_new0 (gsize, self->n_classes + 1);
  for (gsize i = 0; i < n; i++)
    {
      if (counts[i] < 0 || counts[i] > G_MAXINT32)
        return sym_kernel_fail (error, "vectors_per_class has %" G_GINT64_FORMAT, counts[i]);
      self->starts[i + 1] = self->starts[i] + (gsize) counts[i];
    }
  return TRUE;
}

static gboolean
read_probabilities (Machine *self, SymKernel *kernel, gsize n_pairs, GError **error)
{
  const SymAttributes *attributes = sym_kernel_get_attributes (kernel);

  if (sym_op_ml_count (attributes, "prob_a") == 0)
    return TRUE;
  self->prob_a = copy_floats (kernel, "prob_a", n_pairs, &self->n_prob, error);
  if (self->prob_a == NULL)
    return FALSE;
  self->prob_b = copy_floats (kernel, "prob_b", n_pairs, &self->n_prob, error);
  return self->prob_b != NULL;
}

static gboolean
get_labels (SymOpMlLabels *labels, SymKernel *kernel, GError **error)
{
  return sym_op_ml_get_labels (labels, kernel, "classlabels_ints", "classlabels_strings", error);
}

static gboolean
read_classifier (Machine *self, SymKernel *kernel, GError **error)
{
  SymOpMlLabels labels;
  gsize n, n_pairs;

  if (!get_labels (&labels, kernel, error))
    return FALSE;
  if (labels.n == 0 || labels.n > G_MAXUINT16)
    return sym_kernel_fail (error, "there are %" G_GSIZE_FORMAT " classes", labels.n);
  self->n_classes = labels.n;
  n_pairs = labels.n * (labels.n - 1) / 2;
  if (!read_starts (self, kernel, error))
    return FALSE;
  n = self->starts[labels.n];
  if (n > 0 && labels.n < 2)
    return sym_kernel_fail (error, "support vectors part two classes or more; there is one");
  return read_kernel (self, kernel, n, n > 0 ? n_pairs : 1, error) &&
         (n == 0 || read_probabilities (self, kernel, n_pairs, error));
}

/* Read in the first run. */
static const Machine *
need_machine (SymKernel *kernel,
              gboolean (*read) (Machine *self, SymKernel *kernel, GError **error),
              GError **error)
{
  Machine *self = sym_kernel_get_kept (kernel);

  if (self != NULL)
    return self;
  self = g_new0 (Machine, 1);
  if (!read (self, kernel, error))
    {
      machine_free (self);
      return NULL;
    }
  sym_kernel_keep (kernel, self, machine_free);
  return self;
}

/* ---- Scores ---- */

typedef struct {
  const Machine *machine;
  SymKernel *kernel;
  SymOpMlSamples x;
  double *place, *values;
  gsize asked;
} Scorer;

static gboolean
open_scorer (Scorer *self, SymKernel *kernel, const Machine *machine, GError **error)
{
  gsize stride = machine == NULL ? 0 : sym_op_near_get_stride (&machine->near);

  *self = (Scorer){ .machine = machine, .kernel = kernel };
  if (machine == NULL || !sym_op_ml_get_samples (&self->x, kernel, error))
    return FALSE;
  if (self->x.width != machine->near.k)
    return sym_kernel_fail (error,
                            "vectors of %" G_GSIZE_FORMAT
                            " numbers are not those of %" G_GSIZE_FORMAT " features",
                            machine->near.k, self->x.width);
  self->place =
      sym_kernel_get_scratch (kernel, self->x.width + 1, SYM_OP_NEAR_ROWS * sizeof (double), error);
  if (self->place == NULL)
    return FALSE;
  self->values = sym_kernel_get_scratch (kernel, stride, SYM_OP_NEAR_ROWS * sizeof (double), error);
  return self->values != NULL;
}

/* Samples [@first, @first + @n), at most SYM_OP_NEAR_ROWS. */
static gboolean
measure (Scorer *self, gsize first, gsize n, GError **error)
{
  sym_op_near_measure (&self->machine->near, &self->x, first, n, self->place, self->values);
  return sym_op_go_on (self->kernel, &self->asked, n * self->machine->near.n * self->x.width,
                       error);
}

SYM_OP_CLONES static double
dot (const double *a, const double *b, gsize n)
{
  double sums[8] = { 0 }, sum = 0;
  gsize i = 0;

  for (; i + 8 <= n; i += 8)
    for (gsize k = 0; k < 8; k++)
      sums[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum += a[i] * b[i];
  for (gsize k = 0; k < 8; k++)
    sum += sums[k];
  return sum;
}

/* What row @row of the factors says of the vectors of a class. */
static double
weigh (const Machine *self, gsize row, gsize class, const double *values)
{
  gsize start = self->starts[class];

  return dot (self->factors + row * self->near.n + start, values + start,
              self->starts[class + 1] - start);
}

/* ---- SVMRegressor ---- */

static gboolean
infer_regressor (SymRule *rule, GError **error)
{
  return sym_op_ml_infer_scores (rule, 0, 1, error);
}

static double
predict (const Machine *self, const double *values)
{
  double sum = self->rho[0] + (self->factors == NULL ? values[0] : weigh (self, 0, 0, values));

  if (self->one_class)
    sum = sum > 0 ? 1 : -1;
  sym_op_ml_transform (self->transform, &sum, 1, 1);
  return sum;
}

static gboolean
run_regressor (SymKernel *kernel, GError **error)
{
  const Machine *machine = need_machine (kernel, read_regressor, error);
  Scorer self;
  SymArray *y;

  if (!open_scorer (&self, kernel, machine, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &SYM_SHAPE ((gint64) self.x.n, 1),
                             error);
  for (gsize i = 0; y != NULL && i < self.x.n; i += SYM_OP_NEAR_ROWS)
    {
      gsize n = MIN (self.x.n - i, SYM_OP_NEAR_ROWS);

      if (!measure (&self, i, n, error))
        return FALSE;
      for (gsize row = 0; row < n; row++)
        ((float *) y->data)[i + row] =
            (float) predict (machine, self.values + row * sym_op_near_get_stride (&machine->near));
    }
  return y != NULL;
}

/* ---- SVMClassifier ---- */

static gboolean
has_vectors (const SymAttributes *attributes)
{
  const SymValue *counts = sym_attributes_find (attributes, "vectors_per_class");
  gint64 count;

  for (guint i = 0; counts != NULL && i < sym_value_get_n_children (counts); i++)
    if (sym_value_get_int (sym_value_get_child (counts, i), &count) && count > 0)
      return TRUE;
  return FALSE;
}

/* Scores are of classes, or with neither probabilities nor a linear model of all pairs of them; one
 * pair has a score for either side. */
static gsize
count_scores (gsize n_classes, gboolean are_pairs)
{
  return are_pairs && n_classes > 2 ? n_classes * (n_classes - 1) / 2 : n_classes;
}

static gboolean
infer_classifier (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  gsize n = MAX (sym_op_ml_count (attributes, "classlabels_ints"),
                 sym_op_ml_count (attributes, "classlabels_strings"));
  gboolean are_pairs = has_vectors (attributes) && sym_op_ml_count (attributes, "prob_a") == 0;
  SymShape x = sym_rule_get_input (rule, 0);
  gboolean strings = sym_op_ml_count (attributes, "classlabels_strings") > 0;

  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (x.rank < 0   ? SYM_DIM_UNKNOWN
                                       : x.rank < 2 ? 1
                                                    : x.dims[0]),
                            strings ? SYM_DTYPE_STRING : SYM_DTYPE_INT64, error) &&
         sym_op_ml_infer_scores (
             rule, 1, n == 0 ? SYM_DIM_UNKNOWN : (SymDim) count_scores (n, are_pairs), error);
}

/* Numbers of one sample. */
typedef struct {
  double *scores; /* of pairs, then of what comes out */
  double *votes;  /* of classes */
  double *odds;   /* [classes, classes]: that it is the one rather than the other */
  double *bowl;   /* [classes, classes] */
  double *slope;  /* [classes] */
} Ballot;

static gboolean
open_ballot (Ballot *self, SymKernel *kernel, const Machine *machine, GError **error)
{
  gsize n = machine->n_classes, n_pairs = n * (n - 1) / 2, n_odds = machine->n_prob > 0 ? n * n : 1;
  double **const places[] = { &self->scores, &self->votes, &self->odds, &self->bowl, &self->slope };
  const gsize sizes[] = { n_pairs + n + 1, n, n_odds, n_odds, n };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      *places[i] = sym_kernel_get_scratch (kernel, sizes[i], sizeof (double), error);
      if (*places[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
score_pairs (const Machine *self, const double *values, Ballot *ballot)
{
  gsize n = self->n_classes, pair = 0;

  memset (ballot->votes, 0, n * sizeof *ballot->votes);
  for (gsize i = 0; i < n; i++)
    for (gsize j = i + 1; j < n; j++, pair++)
      {
        double score =
            self->rho[pair] + weigh (self, j - 1, i, values) + weigh (self, i, j, values);

        ballot->scores[pair] = score;
        ballot->votes[score > 0 ? i : j]++;
      }
}

/* One turn over all classes: each is moved to where the bowl is deepest, the others staying in
 * proportion; FALSE where nothing is left to do. */
static gboolean
improve (Ballot *self, double *p, gsize n)
{
  double product = 0, most = 0;

  for (gsize i = 0; i < n; i++)
    {
      self->slope[i] = 0;
      for (gsize k = 0; k < n; k++)
        self->slope[i] += self->bowl[i * n + k] * p[k];
      product += p[i] * self->slope[i];
    }
  for (gsize i = 0; i < n; i++)
    most = MAX (most, fabs (self->slope[i] - product));
  if (most < 0.005 / (double) n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      double own = self->bowl[i * n + i], step = (product - self->slope[i]) / own;

      p[i] += step;
      product = (product + step * (step * own + 2 * self->slope[i])) / ((1 + step) * (1 + step));
      for (gsize k = 0; k < n; k++)
        {
          self->slope[k] = (self->slope[k] + step * self->bowl[i * n + k]) / (1 + step);
          p[k] /= 1 + step;
        }
    }
  return TRUE;
}

/* Probabilities of the classes from those of pairs, into the scores: the least of
 *   sum over i, j of (odds[j, i] p[i] - odds[i, j] p[j])^2.
 * Source: Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise
 * coupling", second method, which ONNX follows to the same precision. */
static void
couple (Ballot *self, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gsize k = 0; k < n; k++)
        if (k != i)
          {
            sum += self->odds[k * n + i] * self->odds[k * n + i];
            self->bowl[i * n + k] = -self->odds[k * n + i] * self->odds[i * n + k];
          }
      self->bowl[i * n + i] = sum;
      self->scores[i] = 1 / (double) n;
    }
  for (gsize i = 0; i < MAX (n, 100); i++)
    if (!improve (self, self->scores, n))
      return;
}

/* Platt: 1 / (1 + e^(a score + b)). */
static void
find_odds (const Machine *self, Ballot *ballot)
{
  gsize n = self->n_classes, pair = 0;

  for (gsize i = 0; i < n; i++)
    for (gsize j = i + 1; j < n; j++, pair++)
      {
        double odds =
            1 - sym_op_ml_logistic (ballot->scores[pair] * self->prob_a[pair] + self->prob_b[pair]);

        odds = CLAMP (odds, 1e-7, 1 - 1e-7);
        ballot->odds[i * n + j] = odds;
        ballot->odds[j * n + i] = 1 - odds;
      }
}

/* The class; its scores are in @ballot. */
static gsize
classify (const Machine *self, const double *values, Ballot *ballot)
{
  gsize n = self->n_classes;

  if (self->factors == NULL)
    {
      for (gsize i = 0; i < n; i++)
        ballot->scores[i] = values[i] + self->rho[0];
      return sym_op_ml_find_greatest (ballot->scores, n);
    }
  score_pairs (self, values, ballot);
  if (self->n_prob > 0)
    {
      find_odds (self, ballot);
      couple (ballot, n);
    }
  else if (n == 2)
    {
      ballot->scores[1] = ballot->scores[0];
      ballot->scores[0] = -ballot->scores[1];
    }
  return sym_op_ml_find_greatest (ballot->votes, n);
}

static gboolean
write_classes (Scorer *self,
               const SymOpMlLabels *labels,
               Ballot *ballot,
               SymArray *y,
               SymArray *z,
               GError **error)
{
  const Machine *machine = self->machine;
  gsize stride = sym_op_near_get_stride (&machine->near), n_scores = (gsize) z->shape.dims[1];

  for (gsize i = 0; i < self->x.n; i += SYM_OP_NEAR_ROWS)
    {
      gsize n = MIN (self->x.n - i, SYM_OP_NEAR_ROWS);

      if (!measure (self, i, n, error))
        return FALSE;
      for (gsize row = 0; row < n; row++)
        {
          gsize label = classify (machine, self->values + row * stride, ballot);

          sym_op_ml_set_label (labels, y, i + row, label);
          sym_op_ml_transform (machine->transform, ballot->scores, 1, n_scores);
          for (gsize k = 0; k < n_scores; k++)
            ((float *) z->data)[(i + row) * n_scores + k] = (float) ballot->scores[k];
          if (!sym_op_go_on (self->kernel, &self->asked, n_scores * machine->n_classes, error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
run_classifier (SymKernel *kernel, GError **error)
{
  const Machine *machine = need_machine (kernel, read_classifier, error);
  SymOpMlLabels labels;
  Ballot ballot;
  Scorer self;
  SymArray *y, *z;
  gsize n;

  if (!open_scorer (&self, kernel, machine, error) || !get_labels (&labels, kernel, error) ||
      !open_ballot (&ballot, kernel, machine, error))
    return FALSE;
  n = count_scores (machine->n_classes, machine->factors != NULL && machine->n_prob == 0);
  y = sym_op_ml_new_labels (&labels, kernel, 0, self.x.n, error);
  if (y == NULL)
    return FALSE;
  z = sym_op_new_place (kernel, 1, SYM_DTYPE_FLOAT32, &SYM_SHAPE ((gint64) self.x.n, (gint64) n),
                        error);
  return z != NULL && write_classes (&self, &labels, &ballot, y, z, error);
}

const SymOperator sym_op_onnx_ml_svm[] = {
  { SYM_OP_ML ("SVMClassifier", 1), .summary = "the class whose support vectors are nearest",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = classifier_attributes, .slots = sym_op_ml_x,
    .get_n_outputs = sym_op_ml_get_two_outputs, .infer = infer_classifier, .run = run_classifier },
  { SYM_OP_ML ("SVMRegressor", 1), .summary = "a sum of how near the support vectors are",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = regressor_attributes, .slots = sym_op_ml_x,
    .infer = infer_regressor, .run = run_regressor },
  { NULL },
};
