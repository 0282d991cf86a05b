/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx-ml.h"

G_BEGIN_DECLS

/* Forests of decision trees, as long as a kernel runs. */

/* In the order of the numbers that they have in version 5. */
typedef enum {
  SYM_OP_FOREST_LEQ,
  SYM_OP_FOREST_LT,
  SYM_OP_FOREST_GTE,
  SYM_OP_FOREST_GT,
  SYM_OP_FOREST_EQ,
  SYM_OP_FOREST_NEQ,
  SYM_OP_FOREST_MEMBER,
  SYM_OP_FOREST_LEAF,
} SymOpForestMode;

typedef enum {
  SYM_OP_FOREST_AVERAGE,
  SYM_OP_FOREST_SUM,
  SYM_OP_FOREST_MIN,
  SYM_OP_FOREST_MAX,
} SymOpForestAggregate;

/* A branch goes on at a node; a leaf has weights [first, first + n). */
typedef struct {
  SymOpForestMode mode;
  gboolean nan_is_true;
  gsize feature, yes, no, first, n;
  double value;
} SymOpForestNode;

typedef struct {
  gsize target;
  double weight;
} SymOpForestWeight;

typedef struct {
  SymKernel *kernel;
  SymOpMlSamples x;
  SymOpForestNode *nodes;
  SymOpForestWeight *weights;
  gsize *roots;
  gsize n_nodes, n_weights, n_roots, n_targets;
  const double *members; /* NaN behind each set */
  gsize n_members;
  const double *base;
  gsize n_base;
  SymOpForestAggregate aggregate;
  SymOpMlTransform transform;
} SymOpForest;

/* Reads the nodes of the layer, told by the numbers of their tree and their own, and the weights of
 * the attributes that begin with @prefix; or those of TreeEnsemble-5, told by their place.  Before,
 * @kernel and @n_targets are set. */
gboolean sym_op_forest_read (SymOpForest *self, const char *prefix, GError **error);
gboolean sym_op_forest_read_places (SymOpForest *self, GError **error);

/* What all trees say of a sample, before anything is added or transformed: @n_targets scores, and
 * which of them a leaf has spoken of. */
gboolean sym_op_forest_vote (const SymOpForest *self,
                             gsize sample,
                             double *scores,
                             gboolean *seen,
                             gsize *asked,
                             GError **error);

G_END_DECLS
