/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-ml-forest.h"
#include "ops/sym-op-table.h"

/* Forests of decision trees.  Their nodes are lists among the attributes, a node being told by the
 * numbers of its tree and its own. */

#define NODE_SPECS                                                                              \
  { "nodes_treeids", SYM_ATTRIBUTE_INTS, NULL, "the tree of each node" },                       \
      { "nodes_nodeids", SYM_ATTRIBUTE_INTS, NULL, "the number of each node in its tree" },     \
      { "nodes_featureids", SYM_ATTRIBUTE_INTS, NULL, "the feature that each node looks at" },  \
      { "nodes_modes", SYM_ATTRIBUTE_ANY, NULL, "how each node compares; LEAF for none" },      \
      { "nodes_values", SYM_ATTRIBUTE_FLOATS, "None", "what each node compares with" },         \
      { "nodes_truenodeids", SYM_ATTRIBUTE_INTS, NULL, "where each goes on if it is so" },      \
      { "nodes_falsenodeids", SYM_ATTRIBUTE_INTS, NULL, "where each goes on if not" },          \
      { "nodes_hitrates", SYM_ATTRIBUTE_FLOATS, "None", "how often each was come by" },         \
      { "nodes_missing_value_tracks_true", SYM_ATTRIBUTE_INTS, "None", "1 where NaN is true" }, \
      { "nodes_values_as_tensor", SYM_ATTRIBUTE_ANY, "None", "nodes_values as a tensor" },      \
      { "nodes_hitrates_as_tensor", SYM_ATTRIBUTE_ANY, "None", "nodes_hitrates as a tensor" },  \
      { "base_values", SYM_ATTRIBUTE_FLOATS, "None", "what is added to each score" },           \
      { "base_values_as_tensor", SYM_ATTRIBUTE_ANY, "None", "base_values as a tensor" },        \
  {                                                                                             \
    "post_transform", SYM_ATTRIBUTE_STRING, "NONE", "what is done with the scores",             \
        "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT"                                             \
  }

static const SymAttributeSpec classifier_attributes[] = {
  NODE_SPECS,
  { "class_treeids", SYM_ATTRIBUTE_INTS, NULL, "the tree of the leaf of each weight" },
  { "class_nodeids", SYM_ATTRIBUTE_INTS, NULL, "the leaf of each weight" },
  { "class_ids", SYM_ATTRIBUTE_INTS, NULL, "the class of each weight" },
  { "class_weights", SYM_ATTRIBUTE_FLOATS, "None", "what a leaf adds to the score of a class" },
  { "class_weights_as_tensor", SYM_ATTRIBUTE_ANY, "None", "class_weights as a tensor" },
  { "classlabels_int64s", SYM_ATTRIBUTE_INTS, "None", "the classes, where they are numbers" },
  { "classlabels_strings", SYM_ATTRIBUTE_ANY, "None", "the classes, where they are strings" },
  { NULL },
};

static const SymAttributeSpec regressor_attributes[] = {
  NODE_SPECS,
  { "target_treeids", SYM_ATTRIBUTE_INTS, NULL, "the tree of the leaf of each weight" },
  { "target_nodeids", SYM_ATTRIBUTE_INTS, NULL, "the leaf of each weight" },
  { "target_ids", SYM_ATTRIBUTE_INTS, NULL, "the target of each weight" },
  { "target_weights", SYM_ATTRIBUTE_FLOATS, "None", "what a leaf adds to a target" },
  { "target_weights_as_tensor", SYM_ATTRIBUTE_ANY, "None", "target_weights as a tensor" },
  { "n_targets", SYM_ATTRIBUTE_INT, NULL, "number of targets" },
  { "aggregate_function", SYM_ATTRIBUTE_STRING, "SUM", "how trees count together",
    "AVERAGE SUM MIN MAX" },
  { NULL },
};

static const SymAttributeSpec ensemble_attributes[] = {
  { "aggregate_function", SYM_ATTRIBUTE_INT, "1", "0 average, 1 sum, 2 least, 3 greatest" },
  { "leaf_targetids", SYM_ATTRIBUTE_INTS, NULL, "the target of each leaf" },
  { "leaf_weights", SYM_ATTRIBUTE_ANY, NULL, "what each leaf adds to its target" },
  { "membership_values", SYM_ATTRIBUTE_ANY, "None",
    "sets of nodes that ask for one, NaN at the "
    "end of each" },
  { "n_targets", SYM_ATTRIBUTE_INT, "None", "number of targets" },
  { "nodes_falseleafs", SYM_ATTRIBUTE_INTS, NULL, "1 where nodes_falsenodeids is a leaf" },
  { "nodes_falsenodeids", SYM_ATTRIBUTE_INTS, NULL, "where each node goes on if not" },
  { "nodes_featureids", SYM_ATTRIBUTE_INTS, NULL, "the feature that each node looks at" },
  { "nodes_hitrates", SYM_ATTRIBUTE_ANY, "None", "how often each was come by" },
  { "nodes_missing_value_tracks_true", SYM_ATTRIBUTE_INTS, "None", "1 where NaN is true" },
  { "nodes_modes", SYM_ATTRIBUTE_ANY, NULL, "how each node compares: 0 to 6" },
  { "nodes_splits", SYM_ATTRIBUTE_ANY, NULL, "what each node compares with" },
  { "nodes_trueleafs", SYM_ATTRIBUTE_INTS, NULL, "1 where nodes_truenodeids is a leaf" },
  { "nodes_truenodeids", SYM_ATTRIBUTE_INTS, NULL, "where each node goes on if it is so" },
  { "post_transform", SYM_ATTRIBUTE_INT, "0", "what is done with the scores" },
  { "tree_roots", SYM_ATTRIBUTE_INTS, NULL, "the node that each tree begins with" },
  { NULL },
};

/* ---- TreeEnsembleRegressor ---- */

static gboolean
infer_targets (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "n_targets", 0);

  return sym_op_ml_infer_scores (rule, 0, n > 0 ? n : SYM_DIM_UNKNOWN, error);
}

static gboolean
read_aggregate (SymOpForest *self, GError **error)
{
  static const char *const names[] = { "AVERAGE", "SUM", "MIN", "MAX" };
  const char *name = sym_kernel_get_string (self->kernel, "aggregate_function", NULL);
  gint64 number = sym_kernel_get_int (self->kernel, "aggregate_function", SYM_OP_FOREST_SUM);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (name == NULL ? number == i : strcmp (name, names[i]) == 0)
      {
        self->aggregate = (SymOpForestAggregate) i;
        return TRUE;
      }
  return sym_kernel_fail (error, "aggregate_function is none of AVERAGE, SUM, MIN and MAX");
}

static gboolean
read_n_targets (SymOpForest *self, GError **error)
{
  gint64 n = sym_kernel_get_int (self->kernel, "n_targets", 0);

  if (n < 1 || n > G_MAXINT32)
    return sym_kernel_fail (error, "n_targets is %" G_GINT64_FORMAT, n);
  self->n_targets = (gsize) n;
  return TRUE;
}

/* ---- Scores ---- */

typedef struct {
  const SymOpVoter *voter;
  SymArray *y;
} Scores;

static void
write_scores (gpointer user_data, gsize sample, double *scores)
{
  Scores *self = user_data;
  gsize n = sym_op_voter_get_n_targets (self->voter);

  for (gsize i = 0; i < n; i++)
    scores[i] += sym_op_voter_get_base (self->voter, i);
  sym_op_ml_transform (sym_op_voter_get_transform (self->voter), scores, 1, n);
  sym_convert_elements (
      SYM_DTYPE_FLOAT64, scores, self->y->dtype,
      (guint8 *) self->y->data + sample * n * sym_dtype_get_bits (self->y->dtype) / 8, n);
}

/* Output 0 is the transformed scores of all samples, as @dtype, or that of X where it is unknown.
 */
static gboolean
run_scores (SymKernel *kernel,
            gboolean (*read) (SymOpForest *forest, GError **error),
            SymDType dtype,
            GError **error)
{
  Scores self = { sym_op_voter_need (kernel, read, error), NULL };
  SymOpMlSamples x;
  SymShape shape;

  if (self.voter == NULL || !sym_op_ml_get_samples (&x, kernel, error))
    return FALSE;
  shape = SYM_SHAPE ((gint64) x.n, (gint64) sym_op_voter_get_n_targets (self.voter));
  self.y = sym_kernel_new_output (kernel, 0, dtype == SYM_DTYPE_UNKNOWN ? x.array->dtype : dtype,
                                  &shape, error);
  return self.y != NULL && sym_op_voter_vote (self.voter, kernel, &x, write_scores, &self, error);
}

static gboolean
read_regressor (SymOpForest *self, GError **error)
{
  return read_n_targets (self, error) && read_aggregate (self, error) &&
         sym_op_forest_read (self, "target", error);
}

static gboolean
run_regressor (SymKernel *kernel, GError **error)
{
  return run_scores (kernel, read_regressor, SYM_DTYPE_FLOAT32, error);
}

/* ---- TreeEnsembleClassifier ---- */

static gboolean
infer_classifier (SymRule *rule, GError **error)
{
  return sym_op_ml_infer_classes (rule, "classlabels_int64s", "classlabels_strings", error);
}

typedef struct {
  const SymOpVoter *voter;
  SymOpMlLabels labels;
  SymArray *y, *z;
} Classes;

/* Of two classes the weights may all be of one: then its score tells of both.  Scores that cannot
 * be negative are probabilities, so one half parts the classes; others are parted at 0. */
static gsize
finish_binary (const Classes *self, gsize target, double *scores)
{
  SymOpMlTransform transform = sym_op_voter_get_transform (self->voter);
  gboolean positive = sym_op_voter_is_positive (self->voter);
  gsize n_base = sym_op_voter_get_n_base (self->voter);
  double score = scores[target] + sym_op_voter_get_base (self->voter, n_base > 1 ? 1 : 0);

  scores[1] = score;
  scores[0] = positive ? 1 - score : -score;
  if (!positive && transform == SYM_OP_ML_LOGISTIC)
    sym_op_ml_transform (transform, scores, 1, 2);
  return score > (positive ? 0.5 : 0) ? 1 : 0;
}

static gsize
finish_classes (const Classes *self, double *scores)
{
  gsize best, n = sym_op_voter_get_n_targets (self->voter);

  for (gsize i = 0; i < n; i++)
    scores[i] += sym_op_voter_get_base (self->voter, i);
  best = sym_op_ml_find_greatest (scores, n);
  sym_op_ml_transform (sym_op_voter_get_transform (self->voter), scores, 1, n);
  return best;
}

static void
write_class (gpointer user_data, gsize sample, double *scores)
{
  Classes *self = user_data;
  gsize n = sym_op_voter_get_n_targets (self->voter), label;
  int target = n == 2 ? sym_op_voter_find_only_target (self->voter) : -1;

  label =
      target >= 0 ? finish_binary (self, (gsize) target, scores) : finish_classes (self, scores);
  sym_op_ml_set_label (&self->labels, self->y, sample, label);
  for (gsize i = 0; i < n; i++)
    ((float *) self->z->data)[sample * n + i] = (float) scores[i];
}

static gboolean
get_labels (SymOpMlLabels *labels, SymKernel *kernel, GError **error)
{
  return sym_op_ml_get_labels (labels, kernel, "classlabels_int64s", "classlabels_strings", error);
}

static gboolean
read_classifier (SymOpForest *self, GError **error)
{
  SymOpMlLabels labels;

  if (!get_labels (&labels, self->kernel, error))
    return FALSE;
  if (labels.n == 0)
    return sym_kernel_fail (error, "there are no classes");
  self->aggregate = SYM_OP_FOREST_SUM;
  self->n_targets = labels.n;
  return sym_op_forest_read (self, "class", error);
}

static gboolean
run_classifier (SymKernel *kernel, GError **error)
{
  Classes self = { .voter = sym_op_voter_need (kernel, read_classifier, error) };
  SymOpMlSamples x;

  if (self.voter == NULL || !sym_op_ml_get_samples (&x, kernel, error) ||
      !get_labels (&self.labels, kernel, error))
    return FALSE;
  self.y = sym_op_ml_new_labels (&self.labels, kernel, 0, x.n, error);
  if (self.y == NULL)
    return FALSE;
  self.z = sym_op_new_place (kernel, 1, SYM_DTYPE_FLOAT32,
                             &SYM_SHAPE ((gint64) x.n, (gint64) self.labels.n), error);
  return self.z != NULL && sym_op_voter_vote (self.voter, kernel, &x, write_class, &self, error);
}

/* ---- TreeEnsemble ---- */

static gboolean
infer_ensemble (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "n_targets", 0);
  SymShape x = sym_rule_get_input (rule, 0);
  SymDim samples = x.rank < 0 ? SYM_DIM_UNKNOWN : x.rank < 2 ? 1 : x.dims[0];

  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (samples, n > 0 ? n : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_UNKNOWN, error);
}

static gboolean
read_ensemble (SymOpForest *self, GError **error)
{
  return read_n_targets (self, error) && read_aggregate (self, error) &&
         sym_op_forest_read_places (self, error);
}

static gboolean
run_ensemble (SymKernel *kernel, GError **error)
{
  return run_scores (kernel, read_ensemble, SYM_DTYPE_UNKNOWN, error);
}

#define FOREST(name_, version_, summary_, attributes_, infer_, run_)                             \
  SYM_OP_ML (name_, version_), .summary = summary_, .category = SYM_CATEGORY_WEIGHTS,            \
                               .attributes = attributes_, .slots = sym_op_ml_x, .infer = infer_, \
                               .run = run_

const SymOperator sym_op_onnx_ml_trees[] = {
  { FOREST ("TreeEnsembleRegressor",
            1,
            "what decision trees say together",
            regressor_attributes,
            infer_targets,
            run_regressor) },
  { FOREST ("TreeEnsembleClassifier",
            1,
            "the class that decision trees say together",
            classifier_attributes,
            infer_classifier,
            run_classifier),
    .get_n_outputs = sym_op_ml_get_two_outputs },
  { FOREST ("TreeEnsemble",
            5,
            "what decision trees say together",
            ensemble_attributes,
            infer_ensemble,
            run_ensemble) },
  { NULL },
};
