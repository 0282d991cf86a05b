/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define ML "ai.onnx.ml:"

static const LowerCase feature_cases[] = {
  { ML "ArrayFeatureExtractor", "", "float32 2,3: 1 2 3 4 5 6; int64 1,2: 2 0",
    "float32 2,2: 3 1 6 4" },
  { ML "ArrayFeatureExtractor", "", "string 2: a b; int64 1: 1", "string 1,1: b" },
  { ML "ArrayFeatureExtractor", "", "float32 2: 1 2; int64 1: 2", .error = "place 2" },
  { ML "Binarizer", "threshold=1.5", "float32 3: 1 1.5 2", "float32 3: 0 0 1" },
  { ML "FeatureVectorizer", "inputdimensions=[1, 3]", "float32 2,2: 1 2 3 4; int64 2,2: 5 6 7 8",
    "float32 2,4: 1 5 6 0 3 7 8 0" },
  { ML "FeatureVectorizer", "inputdimensions=[1, 1]", "float32 2,1: 1 2; float32 1,1: 5",
    .error = "samples" },
  { ML "Imputer", "imputed_value_floats=[7.0, 8.0]; replaced_value_float=-1.0",
    "float32 2,2: -1 2 3 -1", "float32 2,2: 7 2 3 8" },
  { ML "Imputer", "imputed_value_int64s=[9]; replaced_value_int64=0", "int64 1,2: 0 4",
    "int64 1,2: 9 4" },
  { ML "Imputer", "imputed_value_floats=[7.0, 8.0]", "float32 1,3: 1 2 3", .error = "2 values" },
  /* 3-4-5: norms 4, 7 and 5. */
  { ML "Normalizer", "norm=MAX", "float32 1,2: 3 4", "float32 1,2: 0.75 1" },
  { ML "Normalizer", "norm=L1", "float32 1,2: 3 -4", "float32 1,2: 0.4285714 -0.5714286",
    .tolerance = 1e-6 },
  { ML "Normalizer", "norm=L2", "float32 2,2: 3 4 0 0", "float32 2,2: 0.6 0.8 0 0",
    .tolerance = 1e-6 },
  { ML "OneHotEncoder", "cats_int64s=[3, 5]", "int64 3: 5 3 4", "float32 3,2: 0 1 1 0 0 0" },
  { ML "OneHotEncoder", "cats_int64s=[3, 5, 900]", "float32 4: 5.5 900 -1 3",
    "float32 4,3: 0 1 0 0 0 1 0 0 0 1 0 0" },
  { ML "OneHotEncoder", "cats_strings=['a', 'b']", "string 1,1: b", "float32 1,1,2: 0 1" },
  { ML "OneHotEncoder", "cats_int64s=[3]; zeros=0", "int64 1: 4", .error = "categories" },
  { ML "Scaler", "offset=[1.0, 2.0]; scale=[10.0]", "int64 1,2: 3 4", "float32 1,2: 20 20" },
  { NULL },
};

static const LowerCase label_cases[] = {
  { ML "LabelEncoder", "keys_strings=['a', 'b']; values_int64s=[7, 8]; default_int64=0",
    "string 3: b x a", "int64 3: 8 0 7" },
  { ML "LabelEncoder", "keys_floats=[1.5, nan]; values_strings=['one', 'none']",
    "float32 3: 1.5 2 nan", "string 3: one _Unused none" },
  { ML "LabelEncoder", "keys_int64s=[1]; values_floats=[2.5]; default_float=-1.0", "int64 2: 1 2",
    "float32 2: 2.5 -1" },
  /* Of equal keys the first one counts; any number may be one. */
  { ML "LabelEncoder",
    "keys_int64s=[5, 0, 5, -9223372036854775808, 1024, 2048]; "
    "values_int64s=[1, 2, 3, 4, 5, 6]; default_int64=-7",
    "int64 7: 0 5 2048 1024 -9223372036854775808 6 -1", "int64 7: 2 1 6 5 4 -7 -7" },
  /* Keys that lie close together. */
  { ML "LabelEncoder",
    "keys_int64s=[-1, 2, 4, 2]; values_strings=['a', 'b', 'c', 'd']; default_string=none",
    "int64 7: 2 -1 4 5 3 -2 9223372036854775807", "string 7: b a c none none none none" },
  { ML "LabelEncoder", "keys_int64s=[1, 2]; values_floats=[2.5]", "int64 1: 1", .error = "2 keys" },
  { ML "LabelEncoder", "keys_int64s=[1]; values_floats=[2.5]", "string 1: 1", .error = "string" },
  { ML "CategoryMapper", "cats_int64s=[4, 6]; cats_strings=['x', 'y']", "string 3: y x z",
    "int64 3: 6 4 -1" },
  { ML "CategoryMapper", "cats_int64s=[4, 6]; cats_strings=['x', 'y']", "int64 2: 6 5",
    "string 2: y _Unused" },
  { NULL },
};

/* Scores 1 * x0 + 2 * x1 + 0.5 and the like. */
static const LowerCase linear_cases[] = {
  { ML "LinearRegressor", "coefficients=[1.0, 2.0, -1.0, 0.0]; intercepts=[0.5, 0.0]; targets=2",
    "float32 2,2: 1 2 3 4", "float32 2,2: 5.5 -1 11.5 -3" },
  { ML "LinearRegressor", "coefficients=[1.0]; post_transform=LOGISTIC", "float32 1,1: 0",
    "float32 1,1: 0.5" },
  /* The normal distribution reaches 0.975 at 1.959964. */
  { ML "LinearRegressor", "coefficients=[1.0]; post_transform=PROBIT", "float32 1,1: 0.975",
    "float32 1,1: 1.959964", .tolerance = 1e-6 },
  { ML "LinearRegressor", "coefficients=[1.0, 2.0]", "float32 1,3: 1 2 3",
    .error = "coefficients" },
  { ML "LinearClassifier",
    "coefficients=[1.0, 0.0, 0.0, 1.0]; intercepts=[0.0, 0.0]; classlabels_ints=[5, 9]",
    "float32 2,2: 1 2 4 3", "int64 2: 9 5; float32 2,2: 1 2 4 3" },
  { ML "LinearClassifier",
    "coefficients=[1.0]; intercepts=[-1.0]; classlabels_strings=['no', 'yes']; "
    "post_transform=LOGISTIC",
    "float32 2,1: 1.5 1", "string 2: yes no; float32 2,2: 0.37754067 0.62245933 0.5 0.5",
    .tolerance = 1e-6 },
  /* e^0 and e^1 over their sum; where scores of 0 count for nothing, all is the other's. */
  { ML "LinearClassifier",
    "coefficients=[0.0, 1.0]; intercepts=[0.0, 0.0]; classlabels_ints=[0, 1]; "
    "post_transform=SOFTMAX",
    "float32 1,1: 1", "int64 1: 1; float32 1,2: 0.26894142 0.73105858", .tolerance = 1e-6 },
  { ML "LinearClassifier",
    "coefficients=[0.0, 1.0]; intercepts=[0.0, 0.0]; classlabels_ints=[0, 1]; "
    "post_transform=SOFTMAX_ZERO",
    "float32 1,1: 1", "int64 1: 1; float32 1,2: 0 1", .tolerance = 1e-6 },
  { ML "SVMRegressor", "coefficients=[1.0, -2.0]; rho=[0.5]", "float32 1,2: 3 4",
    "float32 1,1: -4.5" },
  { ML "SVMRegressor",
    "coefficients=[2.0, 3.0]; rho=[0.5]; n_supports=2; support_vectors=[1.0, 0.0, 0.0, 1.0]; "
    "kernel_type=POLY; kernel_params=[1.0, 1.0, 2.0]",
    "float32 1,2: 3 4", "float32 1,1: 107.5" }, /* 2 * 4^2 + 3 * 5^2 + 0.5 */
  { ML "SVMRegressor",
    "coefficients=[2.0]; rho=[0.0]; n_supports=1; support_vectors=[1.0, 0.0]; "
    "kernel_type=RBF; kernel_params=[0.5, 0.0, 3.0]",
    "float32 1,2: 1 2", "float32 1,1: 0.27067057", .tolerance = 1e-6 }, /* 2 * e^-2 */
  { ML "SVMRegressor",
    "coefficients=[2.0]; rho=[-3.0]; n_supports=1; support_vectors=[1.0, 0.0]; one_class=1",
    "float32 2,2: 1 2 2 0", "float32 2,1: -1 1" },
  { NULL },
};

/* x0 <= 1: leaf 1, else x1 > 2: leaf 3, else leaf 4. */
#define NODES(tree)                                                   \
  "nodes_nodeids=[0, 1, 2, 3, 4]; nodes_featureids=[0, 0, 1, 0, 0]; " \
  "nodes_values=[1.0, 0.0, 2.0, 0.0, 0.0]; "                          \
  "nodes_modes=['BRANCH_LEQ', 'LEAF', 'BRANCH_GT', 'LEAF', 'LEAF']; " \
  "nodes_truenodeids=[1, 0, 3, 0, 0]; nodes_falsenodeids=[2, 0, 4, 0, 0]; nodes_treeids=" tree
#define ONE_TREE NODES ("[0, 0, 0, 0, 0]")
#define SAMPLES "float32 3,2: 1 0 2 3 2 2"

/* 1 where x is as asked beside 1, else 0: below, at and above it, and for what is no number. */
#define STUMP(mode)                                                                          \
  "nodes_nodeids=[0, 1, 2]; nodes_featureids=[0, 0, 0]; nodes_values=[1.0, 0.0, 0.0]; "      \
  "nodes_modes=['BRANCH_" mode "', 'LEAF', 'LEAF']; nodes_truenodeids=[1, 0, 0]; "           \
  "nodes_falsenodeids=[2, 0, 0]; nodes_treeids=[0, 0, 0]; n_targets=1; target_treeids=[0]; " \
  "target_nodeids=[1]; target_ids=[0]; target_weights=[1.0]"
#define NAN_IS_TRUE "; nodes_missing_value_tracks_true=[1, 0, 0]"
#define AROUND "float32 5,1: 0 1 2 nan -inf"

static const LowerCase order_cases[] = {
  { ML "TreeEnsembleRegressor", STUMP ("LEQ"), AROUND, "float32 5,1: 1 1 0 0 1" },
  { ML "TreeEnsembleRegressor", STUMP ("LT"), AROUND, "float32 5,1: 1 0 0 0 1" },
  { ML "TreeEnsembleRegressor", STUMP ("GTE"), AROUND, "float32 5,1: 0 1 1 0 0" },
  { ML "TreeEnsembleRegressor", STUMP ("GT"), AROUND, "float32 5,1: 0 0 1 0 0" },
  { ML "TreeEnsembleRegressor", STUMP ("EQ"), AROUND, "float32 5,1: 0 1 0 0 0" },
  { ML "TreeEnsembleRegressor", STUMP ("NEQ"), AROUND, "float32 5,1: 1 0 1 1 1" },
  { ML "TreeEnsembleRegressor", STUMP ("LEQ") NAN_IS_TRUE, AROUND, "float32 5,1: 1 1 0 1 1" },
  { ML "TreeEnsembleRegressor", STUMP ("LT") NAN_IS_TRUE, AROUND, "float32 5,1: 1 0 0 1 1" },
  { ML "TreeEnsembleRegressor", STUMP ("GTE") NAN_IS_TRUE, AROUND, "float32 5,1: 0 1 1 1 0" },
  { ML "TreeEnsembleRegressor", STUMP ("GT") NAN_IS_TRUE, AROUND, "float32 5,1: 0 0 1 1 0" },
  { ML "TreeEnsembleRegressor", STUMP ("EQ") NAN_IS_TRUE, AROUND, "float32 5,1: 0 1 0 1 0" },
  { NULL },
};

static const LowerCase tree_cases[] = {
  { ML "TreeEnsembleRegressor",
    ONE_TREE "; n_targets=1; target_treeids=[0, 0, 0]; target_nodeids=[1, 3, 4]; "
             "target_ids=[0, 0, 0]; target_weights=[10.0, 20.0, 30.0]; base_values=[0.5]",
    SAMPLES, "float32 3,1: 10.5 20.5 30.5" },
  { ML "TreeEnsembleRegressor",
    "nodes_missing_value_tracks_true=[1, 0, 0, 0, 0]; " ONE_TREE
    "; n_targets=2; target_treeids=[0, 0, 0, 0]; "
    "target_nodeids=[1, 3, 4, 1]; target_ids=[0, 0, 1, 1]; target_weights=[10.0, 20.0, 30.0, 5.0]",
    "float32 2,2: nan 0 2 nan", "float32 2,2: 10 5 0 30" },
  /* Two trees: a leaf of 4, and the one above with 10, 20, 30. */
  { ML "TreeEnsembleRegressor",
    "aggregate_function=AVERAGE; nodes_nodeids=[0, 0, 1, 2]; nodes_featureids=[0, 0, 0, 0]; "
    "nodes_values=[0.0, 1.0, 0.0, 0.0]; nodes_modes=['LEAF', 'BRANCH_LT', 'LEAF', 'LEAF']; "
    "nodes_truenodeids=[0, 1, 0, 0]; nodes_falsenodeids=[0, 2, 0, 0]; nodes_treeids=[0, 1, 1, 1]; "
    "n_targets=1; target_treeids=[0, 1, 1]; target_nodeids=[0, 1, 2]; target_ids=[0, 0, 0]; "
    "target_weights=[4.0, 10.0, 20.0]",
    "float32 2,1: 0.5 1", "float32 2,1: 7 12" },
  /* The same where the later tree comes first. */
  { ML "TreeEnsembleRegressor",
    "nodes_nodeids=[0, 1, 2, 0]; nodes_featureids=[0, 0, 0, 0]; "
    "nodes_values=[1.0, 0.0, 0.0, 0.0]; nodes_modes=['BRANCH_LT', 'LEAF', 'LEAF', 'LEAF']; "
    "nodes_truenodeids=[1, 0, 0, 0]; nodes_falsenodeids=[2, 0, 0, 0]; nodes_treeids=[4, 4, 4, 2]; "
    "n_targets=1; target_treeids=[2, 4, 4]; target_nodeids=[0, 1, 2]; target_ids=[0, 0, 0]; "
    "target_weights=[4.0, 10.0, 20.0]",
    "float32 2,1: 0.5 1", "float32 2,1: 14 24" },
  /* And where trees have numbers with others left out between them. */
  { ML "TreeEnsembleRegressor",
    "nodes_nodeids=[0, 0, 1, 2]; nodes_featureids=[0, 0, 0, 0]; "
    "nodes_values=[0.0, 1.0, 0.0, 0.0]; nodes_modes=['LEAF', 'BRANCH_LT', 'LEAF', 'LEAF']; "
    "nodes_truenodeids=[0, 1, 0, 0]; nodes_falsenodeids=[0, 2, 0, 0]; nodes_treeids=[2, 7, 7, 7]; "
    "n_targets=1; target_treeids=[7, 2, 7]; target_nodeids=[1, 0, 2]; target_ids=[0, 0, 0]; "
    "target_weights=[10.0, 4.0, 20.0]",
    "float32 2,1: 0.5 1", "float32 2,1: 14 24" },
  { ML "TreeEnsembleRegressor",
    "nodes_nodeids=[0]; nodes_featureids=[0]; nodes_values=[1.0]; nodes_modes=['LEAF']; "
    "nodes_truenodeids=[0]; nodes_falsenodeids=[0]; nodes_treeids=[3]; n_targets=1; "
    "target_treeids=[2]; target_nodeids=[0]; target_ids=[0]; target_weights=[1.0]",
    "float32 1,1: 0", .error = "not there" },
  { ML "TreeEnsembleRegressor",
    "nodes_nodeids=[0]; nodes_featureids=[0]; nodes_values=[1.0]; nodes_modes=['BRANCH_LEQ']; "
    "nodes_truenodeids=[0]; nodes_falsenodeids=[0]; nodes_treeids=[0]; n_targets=1; "
    "target_treeids=[0]; target_nodeids=[0]; target_ids=[0]; target_weights=[1.0]",
    "float32 1,1: 0", .error = "circle" },
  { ML "TreeEnsembleRegressor",
    ONE_TREE "; n_targets=1; target_treeids=[0]; target_nodeids=[7]; target_ids=[0]; "
             "target_weights=[10.0]",
    SAMPLES, .error = "not there" },
  { ML "TreeEnsembleRegressor",
    ONE_TREE "; n_targets=1; target_treeids=[0]; target_nodeids=[1]; target_ids=[0]; "
             "target_weights=[10.0]",
    "float32 1,1: 0", .error = "feature 1" },
  { ML "TreeEnsembleClassifier",
    ONE_TREE "; classlabels_strings=['a', 'b', 'c']; class_treeids=[0, 0, 0]; "
             "class_nodeids=[1, 3, 4]; class_ids=[0, 1, 2]; class_weights=[1.0, 1.0, 1.0]",
    SAMPLES, "string 3: a b c; float32 3,3: 1 0 0 0 1 0 0 0 1" },
  /* Probabilities of one of two classes. */
  { ML "TreeEnsembleClassifier",
    ONE_TREE "; classlabels_int64s=[4, 5]; class_treeids=[0, 0, 0]; "
             "class_nodeids=[1, 3, 4]; class_ids=[0, 0, 0]; class_weights=[0.25, 0.5, 0.75]",
    SAMPLES, "int64 3: 4 4 5; float32 3,2: 0.75 0.25 0.5 0.5 0.25 0.75" },
  /* Scores of one of two classes, on both sides of 0: 1 / (1 + e^-1). */
  { ML "TreeEnsembleClassifier",
    ONE_TREE "; classlabels_int64s=[4, 5]; post_transform=LOGISTIC; class_treeids=[0, 0, 0]; "
             "class_nodeids=[1, 3, 4]; class_ids=[0, 0, 0]; class_weights=[-1.0, 0.0, 1.0]",
    SAMPLES, "int64 3: 4 4 5; float32 3,2: 0.73105858 0.26894142 0.5 0.5 0.26894142 0.73105858",
    .tolerance = 1e-6 },
  { NULL },
};

static const LowerCase map_cases[] = {
  { ML "ZipMap", "classlabels_strings=['a', 'b']", "float32 2,2: 1 2 3 4", "float32 2,2: 1 2 3 4" },
  { ML "ZipMap", "classlabels_int64s=[7, 8, 9]", "float32 3: 1 2 3", "float32 1,3: 1 2 3" },
  { ML "ZipMap", "classlabels_int64s=[7, 8]", "float32 1,3: 1 2 3",
    .error = "3 numbers do not fit to 2 labels" },
  { ML "DictVectorizer", "string_vocabulary=['a', 'b']", "float32 2: 1 0", "float32 1,2: 1 0" },
  { ML "DictVectorizer", "int64_vocabulary=[3]", "int64 1: 5", "int64 1,1: 5" },
  { ML "DictVectorizer", "int64_vocabulary=[3]", "int64 2: 5 6", .error = "1" },
  { NULL },
};

/* ---- Forests ---- */

/* Tree t asks whether feature t % 3 is below t / 8, and says t + 1 or -t; the numbers of its nodes
 * are not in order. */
static char *
describe_forest (guint n_trees)
{
  static const struct {
    const char *name, *each;
  } same[] = {
    { "nodes_nodeids", "7, 2, 1" },      { "nodes_truenodeids", "1, 0, 0" },
    { "nodes_falsenodeids", "2, 0, 0" }, { "nodes_modes", "'BRANCH_LT', 'LEAF', 'LEAF'" },
    { "target_nodeids", "1, 2" },        { "target_ids", "0, 0" },
  };
  g_autoptr (GString) trees = g_string_new (NULL), features = g_string_new (NULL);
  g_autoptr (GString) values = g_string_new (NULL), owners = g_string_new (NULL);
  g_autoptr (GString) weights = g_string_new (NULL);
  GString *text = g_string_new ("n_targets=1");

  for (guint t = 0; t < n_trees; t++)
    {
      const char *comma = t == 0 ? "" : ", ";

      g_string_append_printf (trees, "%s%u, %u, %u", comma, t, t, t);
      g_string_append_printf (features, "%s%u, 0, 0", comma, t % 3);
      g_string_append_printf (values, "%s%.3f, 0.0, 0.0", comma, t / 8.0);
      g_string_append_printf (owners, "%s%u, %u", comma, t, t);
      g_string_append_printf (weights, "%s%u.0, -%u.0", comma, t + 1, t);
    }
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_string_append_printf (text, "; %s=[%s", same[i].name, same[i].each);
      for (guint t = 1; t < n_trees; t++)
        g_string_append_printf (text, ", %s", same[i].each);
      g_string_append_c (text, ']');
    }
  g_string_append_printf (text,
                          "; nodes_treeids=[%s]; nodes_featureids=[%s]; nodes_values=[%s]; "
                          "target_treeids=[%s]; target_weights=[%s]",
                          trees->str, features->str, values->str, owners->str, weights->str);
  return g_string_free (text, FALSE);
}

static void
check_forest (guint n_trees, guint n_samples)
{
  g_autofree char *attributes = describe_forest (n_trees);
  g_autoptr (GString) x = g_string_new (NULL), y = g_string_new (NULL);
  LowerCase test = { ML "TreeEnsembleRegressor", attributes };

  g_string_printf (x, "float32 %u,3:", n_samples);
  g_string_printf (y, "float32 %u,1:", n_samples);
  for (guint i = 0; i < n_samples; i++)
    {
      const double features[3] = { i / 4.0, 30 - i / 2.0, i % 5 };
      double sum = 0;

      for (guint t = 0; t < n_trees; t++)
        sum += features[t % 3] < t / 8.0 ? t + 1 : -(double) t;
      g_string_append_printf (x, " %g %g %g", features[0], features[1], features[2]);
      g_string_append_printf (y, " %.17g", sum);
    }
  test.operands = x->str;
  test.results = y->str;
  lower_case_run (&test);
}

/* Few and many at a time, in each of both ways. */
static void
check_forests (void)
{
  static const guint counts[] = { 1, 3, 15, 16, 63, 64, 65, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (counts); k++)
      check_forest (counts[i], counts[k]);
}

/* ---- Many samples ---- */

/* Row after row the same: rows are computed some at a time, and what is left over by itself. */
static char *
repeat (const char *head, const char *shape, const char *row, guint n)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s %u%s:", head, n, shape);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %s", row);
  return g_string_free (text, FALSE);
}

static void
check_many_samples (void)
{
  static const struct {
    const char *op, *attributes, *dtype, *shape, *row, *result, *result_shape, *result_row;
  } cases[] = {
    { ML "Binarizer", "threshold=0.5", "float32", ",2", "0.5 0.75", "float32", ",2", "0 1" },
    { ML "Binarizer", "threshold=0.5", "int64", ",2", "0 3", "int64", ",2", "0 1" },
    { ML "LabelEncoder", "keys_int64s=[1, 7000000]; values_int64s=[4, 5]", "int64", ",2",
      "7000000 2", "int64", ",2", "5 -1" },
    { ML "OneHotEncoder", "cats_int64s=[1, 2, 3]", "int32", "", "2", "float32", ",3", "0 1 0" },
    { ML "LinearRegressor", "coefficients=[1.0, 2.0, 0.0, -1.0]; targets=2; post_transform=SOFTMAX",
      "float32", ",2", "1 -1", "float32", ",2", "0.11920292 0.88079708" },
    { ML "LinearRegressor", "coefficients=[1.0, 2.0]; post_transform=LOGISTIC", "float32", ",2",
      "2 -1", "float32", ",1", "0.5" },
  };
  static const guint counts[] = { 1, 5, 6, 7, 47, 48, 49, 255, 256, 257, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (counts); k++)
      {
        g_autofree char *x = repeat (cases[i].dtype, cases[i].shape, cases[i].row, counts[k]);
        g_autofree char *y =
            repeat (cases[i].result, cases[i].result_shape, cases[i].result_row, counts[k]);
        LowerCase test = { cases[i].op, cases[i].attributes, x, y };

        lower_case_run (&test);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("onnx-ml-features", feature_cases);
  lower_case_add_all ("onnx-ml-labels", label_cases);
  lower_case_add_all ("onnx-ml-linear", linear_cases);
  lower_case_add_all ("onnx-ml-maps", map_cases);
  lower_case_add_all ("onnx-ml-orders", order_cases);
  lower_case_add_all ("onnx-ml-trees", tree_cases);
  g_test_add_func ("/run/onnx-ml-forests/say-the-sum-of-their-trees", check_forests);
  g_test_add_func ("/run/onnx-ml/many-samples-are-as-few", check_many_samples);
  return g_test_run ();
}
