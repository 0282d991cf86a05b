/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-ml-forest.h"

#include <math.h>
#include <string.h>

/* ---- Reading nodes ---- */

static gboolean
parse_mode (const char *text, SymOpForestMode *mode, GError **error)
{
  static const char *const names[] = { "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                       "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ" };

  *mode = SYM_OP_FOREST_LEAF;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], text) == 0)
      *mode = (SymOpForestMode) i;
  if (*mode == SYM_OP_FOREST_LEAF && strcmp (text, "LEAF") != 0)
    return sym_kernel_fail (error, "a node compares by %s, which is not known", text);
  return TRUE;
}

/* Nodes by the numbers of their tree and their own. */
typedef struct {
  gint64 tree, node;
} Key;

static guint
key_hash (gconstpointer key)
{
  const Key *self = key;

  return g_int64_hash (&self->tree) * 31 + g_int64_hash (&self->node);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *left = a, *right = b;

  return left->tree == right->tree && left->node == right->node;
}

typedef struct {
  SymOpForest *forest;
  const gint64 *trees, *ids, *features, *yes, *no, *tracks;
  const double *values;
  const SymValue *modes;
  gsize n_tracks;
  Key *keys;
  GHashTable *places; /* from Key to the number of a node, plus 1 */
  gint64 first;       /* where node 0 of the last tree that was asked for seems to be */
  gsize tree;         /* the last one that was asked for, where nodes are in order */
  gboolean in_order;  /* trees by their numbers, and their nodes from 0 on; else by @places */
} NodeReader;

/* Which of the trees has that number, or as many as there are. */
static gsize
find_tree (NodeReader *self, gint64 tree)
{
  const SymOpForest *forest = self->forest;
  gsize low = 0, high = forest->n_roots;

  if (self->trees[forest->roots[self->tree]] == tree)
    return self->tree;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->trees[forest->roots[middle]] < tree)
        low = middle + 1;
      else
        high = middle;
    }
  return low < forest->n_roots && self->trees[forest->roots[low]] == tree ? low : forest->n_roots;
}

static gsize
find_in_order (NodeReader *self, gint64 tree, gint64 node)
{
  const SymOpForest *forest = self->forest;
  gsize i = find_tree (self, tree), end;

  if (i == forest->n_roots)
    return 0;
  self->tree = i;
  end = i + 1 < forest->n_roots ? forest->roots[i + 1] : forest->n_nodes;
  return node >= 0 && (gsize) node < end - forest->roots[i] ? forest->roots[i] + (gsize) node + 1
                                                            : 0;
}

/* Mostly the nodes of a tree lie behind its first one in order. */
static gsize
find_node (NodeReader *self, gint64 tree, gint64 node)
{
  const Key key = { tree, node };
  gint64 guess = node >= 0 && node < G_MAXINT32 ? self->first + node : -1;
  gsize place;

  if (self->in_order)
    return find_in_order (self, tree, node);
  if (guess >= 0 && guess < (gint64) self->forest->n_nodes && key_equal (&self->keys[guess], &key))
    return (gsize) guess + 1;
  place = GPOINTER_TO_SIZE (g_hash_table_lookup (self->places, &key));
  if (place > 0 && node >= 0 && node < (gint64) place)
    self->first = (gint64) place - 1 - node;
  return place;
}

static const gint64 *
need_ints (NodeReader *self, const char *name, gsize n_needed, GError **error)
{
  gsize n;
  const gint64 *list = sym_op_ml_get_ints (self->forest->kernel, name, &n, error);

  if (list != NULL && n != n_needed)
    {
      sym_kernel_set_error (error,
                            "%s has %" G_GSIZE_FORMAT " elements; %" G_GSIZE_FORMAT " are needed",
                            name, n, n_needed);
      return NULL;
    }
  return list;
}

static gboolean
open_reader (NodeReader *self, GError **error)
{
  SymKernel *kernel = self->forest->kernel;
  gsize n, n_modes, n_values;

  self->ids = sym_op_ml_get_ints (kernel, "nodes_nodeids", &n, error);
  if (self->ids == NULL)
    return FALSE;
  self->forest->n_nodes = n;
  self->modes = sym_op_ml_get_strings (kernel, "nodes_modes", &n_modes);
  self->values = sym_op_ml_get_floats (kernel, "nodes_values", &n_values, error);
  self->tracks =
      sym_op_ml_get_ints (kernel, "nodes_missing_value_tracks_true", &self->n_tracks, error);
  if (self->values == NULL || self->tracks == NULL)
    return FALSE;
  if (n == 0 || n_modes != n || n_values != n || (self->n_tracks != 0 && self->n_tracks != n))
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " nodes have %" G_GSIZE_FORMAT
                            " modes and %" G_GSIZE_FORMAT " values",
                            n, n_modes, n_values);
  return (self->trees = need_ints (self, "nodes_treeids", n, error)) != NULL &&
         (self->features = need_ints (self, "nodes_featureids", n, error)) != NULL &&
         (self->yes = need_ints (self, "nodes_truenodeids", n, error)) != NULL &&
         (self->no = need_ints (self, "nodes_falsenodeids", n, error)) != NULL;
}

static gboolean
index_nodes (NodeReader *self, GError **error)
{
  self->keys =
      sym_kernel_get_scratch (self->forest->kernel, self->forest->n_nodes, sizeof (Key), error);
  for (gsize i = 0; self->keys != NULL && i < self->forest->n_nodes; i++)
    {
      self->keys[i] = (Key){ self->trees[i], self->ids[i] };
      if (!g_hash_table_insert (self->places, &self->keys[i], GSIZE_TO_POINTER (i + 1)))
        return sym_kernel_fail (
            error, "node %" G_GINT64_FORMAT " of tree %" G_GINT64_FORMAT " is there twice",
            self->ids[i], self->trees[i]);
    }
  return self->keys != NULL;
}

/* The first node of each tree is its root. */
static gboolean
number_nodes (NodeReader *self, GError **error)
{
  SymOpForest *forest = self->forest;
  gsize start = 0;

  forest->nodes =
      sym_kernel_get_scratch (forest->kernel, forest->n_nodes, sizeof (SymOpForestNode), error);
  if (forest->nodes == NULL)
    return FALSE;
  forest->roots = sym_kernel_get_scratch (forest->kernel, forest->n_nodes, sizeof (gsize), error);
  if (forest->roots == NULL)
    return FALSE;
  self->in_order = TRUE;
  for (gsize i = 0; i < forest->n_nodes; i++)
    {
      if (i == 0 || self->trees[i] != self->trees[i - 1])
        {
          self->in_order = self->in_order && (i == 0 || self->trees[i] > self->trees[i - 1]);
          forest->roots[forest->n_roots++] = start = i;
        }
      self->in_order = self->in_order && self->ids[i] == (gint64) (i - start);
    }
  return self->in_order || index_nodes (self, error);
}

/* Mostly it is that of the node before or the one before that, whose texts may be the same value.
 */
static gboolean
read_mode (NodeReader *self, gsize i, SymOpForestMode *mode, GError **error)
{
  const SymValue *value = sym_value_get_child (self->modes, (guint) i);

  for (gsize back = 1; back <= MIN (i, 2); back++)
    if (sym_value_get_child (self->modes, (guint) (i - back)) == value)
      {
        *mode = self->forest->nodes[i - back].mode;
        return TRUE;
      }
  return parse_mode (sym_op_ml_get_text (self->modes, i), mode, error);
}

static gboolean
read_node (NodeReader *self, gsize i, GError **error)
{
  SymOpForestNode *node = &self->forest->nodes[i];
  gsize yes, no;

  *node =
      (SymOpForestNode){ .value = self->values[i],
                         .nan_is_true = self->n_tracks > 0 && self->tracks[i] != 0,
                         .feature = self->features[i] < 0 ? G_MAXSIZE : (gsize) self->features[i] };
  if (!read_mode (self, i, &node->mode, error))
    return FALSE;
  if (node->mode == SYM_OP_FOREST_LEAF)
    return TRUE;
  yes = find_node (self, self->trees[i], self->yes[i]);
  no = find_node (self, self->trees[i], self->no[i]);
  if (yes == 0 || no == 0)
    return sym_kernel_fail (error,
                            "node %" G_GINT64_FORMAT " of tree %" G_GINT64_FORMAT
                            " goes on at one that is not there",
                            self->ids[i], self->trees[i]);
  node->yes = yes - 1;
  node->no = no - 1;
  return TRUE;
}

/* Weights, counted for each leaf first, then laid behind each other in the order of the leaves. */
static gboolean
read_weights (NodeReader *self, const char *prefix, GError **error)
{
  SymOpForest *forest = self->forest;
  g_autofree char *tree_name = g_strconcat (prefix, "_treeids", NULL);
  g_autofree char *node_name = g_strconcat (prefix, "_nodeids", NULL);
  g_autofree char *id_name = g_strconcat (prefix, "_ids", NULL);
  g_autofree char *weight_name = g_strconcat (prefix, "_weights", NULL);
  const double *weights =
      sym_op_ml_get_floats (forest->kernel, weight_name, &forest->n_weights, error);
  gsize n = forest->n_weights, first = 0, *places;
  const gint64 *trees = need_ints (self, tree_name, n, weights == NULL ? NULL : error);
  const gint64 *nodes = trees == NULL ? NULL : need_ints (self, node_name, n, error);
  const gint64 *ids = nodes == NULL ? NULL : need_ints (self, id_name, n, error);

  forest->weights = sym_kernel_get_scratch (forest->kernel, n + 1, sizeof (SymOpForestWeight),
                                            ids == NULL ? NULL : error);
  places = sym_kernel_get_scratch (forest->kernel, n + 1, sizeof *places,
                                   forest->weights == NULL ? NULL : error);
  if (weights == NULL || ids == NULL || forest->weights == NULL || places == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      gsize place = find_node (self, trees[i], nodes[i]);

      if (place == 0 || ids[i] < 0 || (gsize) ids[i] >= forest->n_targets)
        return sym_kernel_fail (error,
                                "weight %" G_GSIZE_FORMAT " is of node %" G_GINT64_FORMAT
                                " and target %" G_GINT64_FORMAT ", which are not there",
                                i, nodes[i], ids[i]);
      places[i] = place - 1;
      forest->nodes[places[i]].n++;
    }
  for (gsize i = 0; i < forest->n_nodes; i++)
    {
      forest->nodes[i].first = first;
      first += forest->nodes[i].n;
      forest->nodes[i].n = 0;
    }
  for (gsize i = 0; i < n; i++)
    {
      SymOpForestNode *leaf = &forest->nodes[places[i]];

      forest->weights[leaf->first + leaf->n++] = (SymOpForestWeight){ (gsize) ids[i], weights[i] };
    }
  return TRUE;
}

static gboolean
read_all (NodeReader *self, const char *prefix, GError **error)
{
  if (!open_reader (self, error) || !number_nodes (self, error))
    return FALSE;
  for (gsize i = 0; i < self->forest->n_nodes; i++)
    if (!read_node (self, i, error))
      return FALSE;
  return read_weights (self, prefix, error);
}

gboolean
sym_op_forest_read (SymOpForest *self, const char *prefix, GError **error)
{
  NodeReader reader = { .forest = self };
  gboolean done;

  if (!sym_op_ml_get_transform (self->kernel, &self->transform, error))
    return FALSE;
  self->base = sym_op_ml_get_floats (self->kernel, "base_values", &self->n_base, error);
  if (self->base == NULL)
    return FALSE;
  reader.places = g_hash_table_new (key_hash, key_equal);
  done = read_all (&reader, prefix, error);
  g_hash_table_unref (reader.places);
  return done;
}

/* ---- Places ---- */

static gboolean
check_place (const SymOpForest *self, gint64 place, gsize first, gsize n, gsize *to, GError **error)
{
  if (place < 0 || (gsize) place >= n)
    return sym_kernel_fail (
        error, "a tree goes on at %" G_GINT64_FORMAT "; there are %" G_GSIZE_FORMAT, place, n);
  *to = first + (gsize) place;
  g_assert (*to < self->n_nodes);
  return TRUE;
}

typedef struct {
  SymOpForest *forest;
  const gint64 *features, *modes, *yes, *no, *yes_leaf, *no_leaf, *tracks, *targets, *roots;
  const double *splits, *leaf_weights;
  gsize n_branches, n_leaves, n_tracks;
} PlaceReader;

static const gint64 *
need_list (PlaceReader *self, const char *name, gsize n_needed, GError **error)
{
  NodeReader reader = { .forest = self->forest };

  return need_ints (&reader, name, n_needed, error);
}

static gboolean
open_places (PlaceReader *self, GError **error)
{
  SymKernel *kernel = self->forest->kernel;
  gsize n, n_splits, n_weights;

  self->features = sym_op_ml_get_ints (kernel, "nodes_featureids", &n, error);
  if (self->features == NULL)
    return FALSE;
  self->n_branches = n;
  self->splits = sym_op_ml_get_floats (kernel, "nodes_splits", &n_splits, error);
  if (self->splits == NULL)
    return FALSE;
  self->leaf_weights = sym_op_ml_get_floats (kernel, "leaf_weights", &n_weights, error);
  if (self->leaf_weights == NULL)
    return FALSE;
  self->tracks =
      sym_op_ml_get_ints (kernel, "nodes_missing_value_tracks_true", &self->n_tracks, error);
  if (self->tracks == NULL)
    return FALSE;
  self->n_leaves = n_weights;
  if (n_splits != n || (self->n_tracks != 0 && self->n_tracks != n))
    return sym_kernel_fail (error, "%" G_GSIZE_FORMAT " nodes have %" G_GSIZE_FORMAT " splits", n,
                            n_splits);
  return (self->modes = need_list (self, "nodes_modes", n, error)) != NULL &&
         (self->yes = need_list (self, "nodes_truenodeids", n, error)) != NULL &&
         (self->no = need_list (self, "nodes_falsenodeids", n, error)) != NULL &&
         (self->yes_leaf = need_list (self, "nodes_trueleafs", n, error)) != NULL &&
         (self->no_leaf = need_list (self, "nodes_falseleafs", n, error)) != NULL &&
         (self->targets = need_list (self, "leaf_targetids", n_weights, error)) != NULL;
}

static gboolean
go_on_at (PlaceReader *self, gint64 place, gboolean is_leaf, gsize *to, GError **error)
{
  return check_place (self->forest, place, is_leaf ? self->n_branches : 0,
                      is_leaf ? self->n_leaves : self->n_branches, to, error);
}

/* Branches, and behind them the leaves. */
static gboolean
read_branches (PlaceReader *self, GError **error)
{
  SymOpForest *forest = self->forest;
  gsize member = 0;

  for (gsize i = 0; i < self->n_branches; i++)
    {
      SymOpForestNode *node = &forest->nodes[i];

      if (self->modes[i] < SYM_OP_FOREST_LEQ || self->modes[i] > SYM_OP_FOREST_MEMBER)
        return sym_kernel_fail (error, "a node has the mode %" G_GINT64_FORMAT, self->modes[i]);
      *node = (SymOpForestNode){
        .mode = (SymOpForestMode) self->modes[i],
        .nan_is_true = self->n_tracks > 0 && self->tracks[i] != 0,
        .feature = self->features[i] < 0 ? G_MAXSIZE : (gsize) self->features[i],
        .value = self->splits[i],
        .first = member,
      };
      if (!go_on_at (self, self->yes[i], self->yes_leaf[i] != 0, &node->yes, error) ||
          !go_on_at (self, self->no[i], self->no_leaf[i] != 0, &node->no, error))
        return FALSE;
      if (node->mode != SYM_OP_FOREST_MEMBER)
        continue;
      while (member < forest->n_members && !isnan (forest->members[member]))
        member++;
      member++;
    }
  return TRUE;
}

static gboolean
read_leaves (PlaceReader *self, GError **error)
{
  SymOpForest *forest = self->forest;

  for (gsize i = 0; i < self->n_leaves; i++)
    {
      if (self->targets[i] < 0 || (gsize) self->targets[i] >= forest->n_targets)
        return sym_kernel_fail (
            error, "a leaf is of target %" G_GINT64_FORMAT "; there are %" G_GSIZE_FORMAT,
            self->targets[i], forest->n_targets);
      forest->nodes[self->n_branches + i] =
          (SymOpForestNode){ .mode = SYM_OP_FOREST_LEAF, .first = i, .n = 1 };
      forest->weights[i] = (SymOpForestWeight){ (gsize) self->targets[i], self->leaf_weights[i] };
    }
  return TRUE;
}

gboolean
sym_op_forest_read_places (SymOpForest *self, GError **error)
{
  PlaceReader reader = { .forest = self };

  if (!sym_op_ml_get_transform (self->kernel, &self->transform, error) ||
      !open_places (&reader, error))
    return FALSE;
  self->n_nodes = reader.n_branches + reader.n_leaves;
  self->n_weights = reader.n_leaves;
  self->members = sym_op_ml_get_floats (self->kernel, "membership_values", &self->n_members, error);
  if (self->members == NULL)
    return FALSE;
  reader.roots = sym_op_ml_get_ints (self->kernel, "tree_roots", &self->n_roots, error);
  if (reader.roots == NULL)
    return FALSE;
  self->nodes =
      sym_kernel_get_scratch (self->kernel, self->n_nodes + 1, sizeof *self->nodes, error);
  if (self->nodes == NULL)
    return FALSE;
  self->weights =
      sym_kernel_get_scratch (self->kernel, self->n_weights + 1, sizeof *self->weights, error);
  if (self->weights == NULL)
    return FALSE;
  self->roots = sym_kernel_get_scratch (self->kernel, self->n_roots + 1, sizeof (gsize), error);
  if (self->roots == NULL)
    return FALSE;
  for (gsize i = 0; i < self->n_roots; i++)
    if (!go_on_at (&reader, reader.roots[i], FALSE, &self->roots[i], error))
      return FALSE;
  return read_branches (&reader, error) && read_leaves (&reader, error);
}
