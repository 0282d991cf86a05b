/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx-ml.h"

G_BEGIN_DECLS

/* Forests of decision trees: as a layer tells of them, as long as a kernel runs, and laid out for
 * many samples, as long as the kernel lives. */

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

/* A forest laid out for voting. */
typedef struct _SymOpVoter SymOpVoter;

/* The voter of a kernel, read by @read the first time.  NULL with an error. */
const SymOpVoter *sym_op_voter_need (SymKernel *kernel,
                                     gboolean (*read) (SymOpForest *forest, GError **error),
                                     GError **error);

gsize sym_op_voter_get_n_targets (const SymOpVoter *self);
SymOpMlTransform sym_op_voter_get_transform (const SymOpVoter *self);

/* What is added to the score of target @i; 0 beyond those that were told, which are @n. */
double sym_op_voter_get_base (const SymOpVoter *self, gsize i);
gsize sym_op_voter_get_n_base (const SymOpVoter *self);

/* The only target that any weight is of; -1 when there are several, or no weights.  And whether no
 * weight is negative. */
int sym_op_voter_find_only_target (const SymOpVoter *self);
gboolean sym_op_voter_is_positive (const SymOpVoter *self);

/* Hands @finish what all trees say of each sample, before anything is added or transformed. */
gboolean sym_op_voter_vote (const SymOpVoter *self,
                            SymKernel *kernel,
                            const SymOpMlSamples *x,
                            void (*finish) (gpointer user_data, gsize sample, double *scores),
                            gpointer user_data,
                            GError **error);

G_END_DECLS
