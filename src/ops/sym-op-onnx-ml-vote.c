/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-kernel-keep.h"
#include "ops/sym-op-onnx-ml-forest.h"

/* Several samples go down one tree side by side, or one sample several trees: how one goes on does
 * not wait for the others, and nothing is guessed of where it will. */
#define LANES 64

/* So many numbers of samples are looked at together. */
#define NUMBERS (64 << 10)

/* The bit of a node's feature that says where NaN goes. */
#define NAN_IS_TRUE 0x80000000u

/* A branch goes on at next[0] where the feature is at most @value, else at next[1]; a leaf, whose
 * weights are [first, first + n), at itself. */
typedef struct {
  union {
    double value;
    struct {
      guint32 first, n;
    } leaf;
  };
  guint32 feature, next[2], mode;
} Node;

struct _SymOpVoter {
  Node *nodes;
  guint32 *roots;
  SymOpForestWeight *weights;
  double *members, *base;
  gsize n_nodes, n_roots, n_weights, n_members, n_base, n_targets;
  gsize width;         /* features that nodes look at */
  gboolean is_ordered; /* all branches as above; else by their mode */
  gboolean is_positive;
  int only_target;
  SymOpForestAggregate aggregate;
  SymOpMlTransform transform;
};

/* ---- Laying out ---- */

/* Less is to be at most the number before, and what is asked the other way round has its answers
 * changed; then NaN goes where it would have. */
static void
set_order (Node *self, const SymOpForestNode *node)
{
  gboolean is_turned = node->mode == SYM_OP_FOREST_GTE || node->mode == SYM_OP_FOREST_GT;
  gboolean is_less = node->mode == SYM_OP_FOREST_LT || node->mode == SYM_OP_FOREST_GTE;
  guint32 yes = self->next[0];

  if (is_less && node->value == -INFINITY)
    self->value = NAN;
  else if (is_less)
    self->value = nextafter (node->value, -INFINITY);
  if (is_turned)
    {
      self->next[0] = self->next[1];
      self->next[1] = yes;
    }
  if (node->nan_is_true != is_turned)
    self->feature |= NAN_IS_TRUE;
}

static gboolean
set_node (SymOpVoter *self, gsize i, const SymOpForestNode *node, GError **error)
{
  Node *made = &self->nodes[i];

  *made = (Node){ .next = { (guint32) i, (guint32) i }, .mode = node->mode };
  if (node->mode == SYM_OP_FOREST_LEAF)
    {
      made->leaf.first = (guint32) node->first;
      made->leaf.n = (guint32) node->n;
      return TRUE;
    }
  if (node->feature >= NAN_IS_TRUE)
    return sym_kernel_fail (error, "node %" G_GSIZE_FORMAT " looks at no feature", i);
  made->value = node->value;
  made->feature = (guint32) node->feature;
  made->next[0] = (guint32) node->yes;
  made->next[1] = (guint32) node->no;
  self->width = MAX (self->width, node->feature + 1);
  if (self->is_ordered)
    set_order (made, node);
  else if (node->nan_is_true)
    made->feature |= NAN_IS_TRUE;
  return TRUE;
}

/* Sets, too, are asked for by the place of their first member. */
static void
set_members (SymOpVoter *self, const SymOpForest *forest)
{
  for (gsize i = 0; i < forest->n_nodes; i++)
    if (forest->nodes[i].mode == SYM_OP_FOREST_MEMBER)
      self->nodes[i].leaf.first = (guint32) forest->nodes[i].first;
}

static gboolean
has_order (const SymOpForest *forest)
{
  for (gsize i = 0; i < forest->n_nodes; i++)
    if (forest->nodes[i].mode > SYM_OP_FOREST_GT && forest->nodes[i].mode != SYM_OP_FOREST_LEAF)
      return FALSE;
  return TRUE;
}

static void
look_at_weights (SymOpVoter *self)
{
  self->is_positive = TRUE;
  self->only_target = self->n_weights == 0 ? -1 : (int) self->weights[0].target;
  for (gsize i = 0; i < self->n_weights; i++)
    {
      if (self->weights[i].weight < 0)
        self->is_positive = FALSE;
      if (self->weights[i].target != self->weights[0].target)
        self->only_target = -1;
    }
}

static void
voter_free (gpointer data)
{
  SymOpVoter *self = data;

  g_free (self->nodes);
  g_free (self->roots);
  g_free (self->weights);
  g_free (self->members);
  g_free (self->base);
  g_free (self);
}

static SymOpVoter *
new_empty (const SymOpForest *forest)
{
  SymOpVoter *self = g_new0 (SymOpVoter, 1);

  self->n_nodes = forest->n_nodes;
  self->n_roots = forest->n_roots;
  self->n_weights = forest->n_weights;
  self->n_members = forest->n_members;
  self->n_base = forest->n_base;
  self->n_targets = forest->n_targets;
  self->aggregate = forest->aggregate;
  self->transform = forest->transform;
  self->is_ordered = has_order (forest);
  self->nodes = g_new (Node, forest->n_nodes + 1);
  self->roots = g_new (guint32, forest->n_roots + 1);
  self->weights = g_memdup2 (forest->weights, forest->n_weights * sizeof *self->weights);
  self->members = g_memdup2 (forest->members, forest->n_members * sizeof *self->members);
  self->base = g_memdup2 (forest->base, forest->n_base * sizeof *self->base);
  for (gsize i = 0; i < forest->n_roots; i++)
    self->roots[i] = (guint32) forest->roots[i];
  look_at_weights (self);
  return self;
}

static SymOpVoter *
voter_new (const SymOpForest *forest, GError **error)
{
  SymOpVoter *self;

  if (forest->n_nodes > G_MAXINT32 || forest->n_weights > G_MAXINT32 ||
      forest->n_members > G_MAXINT32)
    {
      sym_kernel_set_error (error, "there are more than %d nodes, weights or members", G_MAXINT32);
      return NULL;
    }
  self = new_empty (forest);
  for (gsize i = 0; i < forest->n_nodes; i++)
    if (!set_node (self, i, &forest->nodes[i], error))
      {
        voter_free (self);
        return NULL;
      }
  set_members (self, forest);
  return self;
}

const SymOpVoter *
sym_op_voter_need (SymKernel *kernel,
                   gboolean (*read) (SymOpForest *forest, GError **error),
                   GError **error)
{
  SymOpForest forest = { .kernel = kernel };
  SymOpVoter *self = sym_kernel_get_kept (kernel);

  if (self != NULL || !read (&forest, error))
    return self;
  self = voter_new (&forest, error);
  if (self != NULL)
    sym_kernel_keep (kernel, self, voter_free);
  return self;
}

gsize
sym_op_voter_get_n_targets (const SymOpVoter *self)
{
  return self->n_targets;
}

SymOpMlTransform
sym_op_voter_get_transform (const SymOpVoter *self)
{
  return self->transform;
}

double
sym_op_voter_get_base (const SymOpVoter *self, gsize i)
{
  return i < self->n_base ? self->base[i] : 0;
}

gsize
sym_op_voter_get_n_base (const SymOpVoter *self)
{
  return self->n_base;
}

int
sym_op_voter_find_only_target (const SymOpVoter *self)
{
  return self->only_target;
}

gboolean
sym_op_voter_is_positive (const SymOpVoter *self)
{
  return self->is_positive;
}

/* ---- Going down ---- */

static gboolean
is_member (const SymOpVoter *self, const Node *node, double x)
{
  for (gsize i = node->leaf.first; i < self->n_members && !isnan (self->members[i]); i++)
    if (self->members[i] == x)
      return TRUE;
  return FALSE;
}

static gboolean
decide (const SymOpVoter *self, const Node *node, double x)
{
  if (isnan (x) && (node->feature & NAN_IS_TRUE) != 0)
    return TRUE;
  switch ((SymOpForestMode) node->mode)
    {
    case SYM_OP_FOREST_LEQ:
      return x <= node->value;
    case SYM_OP_FOREST_LT:
      return x < node->value;
    case SYM_OP_FOREST_GTE:
      return x >= node->value;
    case SYM_OP_FOREST_GT:
      return x > node->value;
    case SYM_OP_FOREST_EQ:
      return x == node->value;
    case SYM_OP_FOREST_NEQ:
      return x != node->value;
    case SYM_OP_FOREST_MEMBER:
      return is_member (self, node, x);
    case SYM_OP_FOREST_LEAF:
    default:
      return FALSE;
    }
}

/* One step of @n lanes that are @at nodes, each with its sample; FALSE when none moved. */
static gboolean
step_by_mode (const SymOpVoter *self, guint32 *at, const double *const *samples, guint n)
{
  guint32 moved = 0;

  for (guint i = 0; i < n; i++)
    {
      const Node *node = &self->nodes[at[i]];
      double x = samples[i][node->feature & ~NAN_IS_TRUE];
      guint32 next = node->next[!decide (self, node, x)];

      moved |= next ^ at[i];
      at[i] = next;
    }
  return moved != 0;
}

static gboolean
step_by_order (const SymOpVoter *self, guint32 *at, const double *const *samples, guint n)
{
  guint32 moved = 0;

  for (guint i = 0; i < n; i++)
    {
      const Node *node = &self->nodes[at[i]];
      double x = samples[i][node->feature & ~NAN_IS_TRUE];
      guint32 nan_is_true = node->feature >> 31;
      guint32 is_true = (guint32) (x <= node->value) | ((guint32) (x != x) & nan_is_true);
      guint32 next = node->next[1 - is_true];

      moved |= next ^ at[i];
      at[i] = next;
    }
  return moved != 0;
}

/* The same where no sample has a number that is none. */
static gboolean
step_by_number (const SymOpVoter *self, guint32 *at, const double *const *samples, guint n)
{
  guint32 moved = 0;

  for (guint i = 0; i < n; i++)
    {
      const Node *node = &self->nodes[at[i]];
      guint32 next = node->next[samples[i][node->feature & ~NAN_IS_TRUE] > node->value];

      moved |= next ^ at[i];
      at[i] = next;
    }
  return moved != 0;
}

typedef gboolean (*Step) (const SymOpVoter *self,
                          guint32 *at,
                          const double *const *samples,
                          guint n);

/* The leaf at which each ends.  FALSE, with an error, for a tree that goes round. */
static gboolean
descend (const SymOpVoter *self,
         Step step,
         guint32 *at,
         const double *const *samples,
         guint n,
         SymKernel *kernel,
         gsize *asked,
         GError **error)
{
  gboolean moved = TRUE;

  for (gsize i = 0; moved; i++)
    {
      if (i > self->n_nodes)
        return sym_kernel_fail (error, "a tree goes round in a circle");
      moved = step (self, at, samples, n);
      if (!sym_op_go_on (kernel, asked, n, error))
        return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (self->nodes[at[i]].mode != SYM_OP_FOREST_LEAF)
      return sym_kernel_fail (error, "a tree goes round in a circle");
  return TRUE;
}

/* ---- Voting ---- */

/* Of at most LANES samples. */
typedef struct {
  const SymOpVoter *voter;
  SymKernel *kernel;
  double *numbers, *scores;
  Step step;
  gboolean *seen; /* of each score whether a leaf has spoken of it */
  const double *samples[LANES];
  guint n;
  gsize asked;
} Vote;

static void
add_leaf (Vote *self, guint sample, guint32 at)
{
  const SymOpVoter *voter = self->voter;
  const Node *leaf = &voter->nodes[at];
  double *scores = self->scores + sample * voter->n_targets;
  gboolean *seen = self->seen + sample * voter->n_targets;
  const SymOpForestWeight *weights = voter->weights + leaf->leaf.first;

  if (voter->aggregate == SYM_OP_FOREST_SUM || voter->aggregate == SYM_OP_FOREST_AVERAGE)
    {
      for (guint32 i = 0; i < leaf->leaf.n; i++)
        scores[weights[i].target] += weights[i].weight;
      return;
    }
  for (guint32 i = 0; i < leaf->leaf.n; i++)
    {
      const SymOpForestWeight *weight = &weights[i];
      double *score = &scores[weight->target];
      gboolean first = !seen[weight->target];

      if (voter->aggregate == SYM_OP_FOREST_MIN)
        *score = first ? weight->weight : MIN (*score, weight->weight);
      else
        *score = first ? weight->weight : MAX (*score, weight->weight);
      seen[weight->target] = TRUE;
    }
}

/* All samples down one tree after the other. */
static gboolean
go_by_samples (Vote *self, GError **error)
{
  guint32 at[LANES];

  for (gsize tree = 0; tree < self->voter->n_roots; tree++)
    {
      for (guint i = 0; i < self->n; i++)
        at[i] = self->voter->roots[tree];
      if (!descend (self->voter, self->step, at, self->samples, self->n, self->kernel, &self->asked,
                    error))
        return FALSE;
      for (guint i = 0; i < self->n; i++)
        add_leaf (self, i, at[i]);
    }
  return TRUE;
}

/* One sample down many trees at a time. */
static gboolean
go_by_trees (Vote *self, guint sample, GError **error)
{
  const double *samples[LANES];
  guint32 at[LANES];

  for (guint i = 0; i < LANES; i++)
    samples[i] = self->samples[sample];
  for (gsize tree = 0; tree < self->voter->n_roots; tree += LANES)
    {
      guint n = (guint) MIN (LANES, self->voter->n_roots - tree);

      memcpy (at, self->voter->roots + tree, n * sizeof *at);
      if (!descend (self->voter, self->step, at, samples, n, self->kernel, &self->asked, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        add_leaf (self, sample, at[i]);
    }
  return TRUE;
}

static gboolean
vote (Vote *self, GError **error)
{
  const SymOpVoter *voter = self->voter;
  gsize n = self->n * voter->n_targets;

  memset (self->scores, 0, n * sizeof *self->scores);
  memset (self->seen, 0, n * sizeof *self->seen);
  if (self->n >= MIN (LANES / 4, voter->n_roots))
    {
      if (!go_by_samples (self, error))
        return FALSE;
    }
  else
    for (guint i = 0; i < self->n; i++)
      if (!go_by_trees (self, i, error))
        return FALSE;
  for (gsize i = 0; voter->aggregate == SYM_OP_FOREST_AVERAGE && i < n; i++)
    self->scores[i] /= (double) MAX (voter->n_roots, 1);
  return TRUE;
}

/* A leaf looks at the first feature, though nothing comes of it: there is always one. */
static void
take_samples (Vote *self, const SymOpMlSamples *x, gsize first, guint n)
{
  gsize width = MAX (x->width, 1), n_none = 0;
  const guint8 *from =
      (const guint8 *) x->array->data + first * x->width * sym_dtype_get_bits (x->array->dtype) / 8;

  sym_convert_elements (x->array->dtype, from, SYM_DTYPE_FLOAT64, self->numbers, n * x->width);
  for (guint i = 0; i < n; i++)
    self->samples[i] = self->numbers + i * width;
  self->n = n;
  for (gsize i = 0; i < n * x->width; i++)
    n_none += isnan (self->numbers[i]) ? 1 : 0;
  self->step = !self->voter->is_ordered ? step_by_mode
               : n_none > 0             ? step_by_order
                                        : step_by_number;
}

static gboolean
check_features (const SymOpVoter *self, gsize width, GError **error)
{
  for (gsize i = 0; self->width > width && i < self->n_nodes; i++)
    {
      gsize feature = self->nodes[i].feature & ~NAN_IS_TRUE;

      if (self->nodes[i].mode != SYM_OP_FOREST_LEAF && feature >= width)
        return sym_kernel_fail (error,
                                "node %" G_GSIZE_FORMAT " looks at feature %" G_GSIZE_FORMAT
                                "; there are %" G_GSIZE_FORMAT,
                                i, feature, width);
    }
  return TRUE;
}

gboolean
sym_op_voter_vote (const SymOpVoter *self,
                   SymKernel *kernel,
                   const SymOpMlSamples *x,
                   void (*finish) (gpointer user_data, gsize sample, double *scores),
                   gpointer user_data,
                   GError **error)
{
  gsize width = MAX (x->width, 1), most = CLAMP (NUMBERS / width, 1, LANES), n;
  Vote state = { .voter = self, .kernel = kernel };

  if (!check_features (self, x->width, error))
    return FALSE;
  most = MIN (most, MAX (x->n, 1));
  state.numbers = sym_kernel_get_scratch (kernel, most * width, sizeof (double), error);
  if (state.numbers == NULL)
    return FALSE;
  state.scores = sym_kernel_get_scratch (kernel, most * self->n_targets, sizeof (double), error);
  if (state.scores == NULL)
    return FALSE;
  state.seen = sym_kernel_get_scratch (kernel, most * self->n_targets, sizeof (gboolean), error);
  if (state.seen == NULL)
    return FALSE;
  state.numbers[0] = 0;
  for (gsize i = 0; i < x->n; i += n)
    {
      n = MIN (most, x->n - i);
      take_samples (&state, x, i, (guint) n);
      if (!vote (&state, error))
        return FALSE;
      for (gsize k = 0; k < n; k++)
        finish (user_data, i + k, state.scores + k * self->n_targets);
    }
  return TRUE;
}
