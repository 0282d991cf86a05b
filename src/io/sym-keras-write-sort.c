/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

#include <stdlib.h>
#include <string.h>

/* Keras makes a model from its ends, and does not keep the order of the config: layers stand by
 * their distance from the outputs, those that are furthest first, and at one distance as a walk
 * from the outputs, depth first, came to them (keras.src.ops.function.map_graph, and the same in
 * Keras 2).  Files of weights go by that order: a config in another would have the numbers of one
 * layer loaded into another of its class.  Layers that no output needs are none of the model. */

#define NOWHERE G_MAXUINT

typedef struct {
  SymKerasWriter *writer;
  const GArray *items; /* of SymKerasItem */
  GHashTable *by_call; /* from a call to its item + 1 */
  GHashTable *by_value;
  guint *layers;    /* by item: the item in which its layer is applied first */
  guint *seen;      /* by item that is in @layers: how many were come to before; NOWHERE */
  guint *distances; /* by item */
  guint *furthest;  /* by item that is in @layers */
  GArray *finished; /* of guint: items, inputs first */
} Sort;

/* An item whose inputs are walked. */
typedef struct {
  guint item, next;
  GArray *before; /* of guint: items */
} Step;

static const SymKerasItem *
get_item (const Sort *self, guint i)
{
  return &g_array_index (self->items, SymKerasItem, i);
}

/* ---- What an item is made of ---- */

static void
add_maker (const Sort *self, SymId value, GArray *before)
{
  SymId call = value == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (self->writer->model, value);
  gpointer found = call != SYM_NO_ID
                       ? g_hash_table_lookup (self->by_call, GUINT_TO_POINTER (call))
                       : g_hash_table_lookup (self->by_value, GUINT_TO_POINTER (value));
  guint item = GPOINTER_TO_UINT (found) - 1;

  if (found != NULL)
    g_array_append_val (before, item);
}

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer value)
{
  return strcmp (sym_value_get_key (value, *(const guint *) a),
                 sym_value_get_key (value, *(const guint *) b));
}

/* Members of a dictionary are taken by their names.  The first is to be taken first, from the end.
 */
static void
push_children (GPtrArray *waiting, const SymValue *value)
{
  guint n = sym_value_get_n_children (value);
  g_autofree guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  if (sym_value_get_kind (value) == SYM_VALUE_DICT)
    g_qsort_with_data (order, (int) n, sizeof *order, compare_keys, (gpointer) value);
  for (guint i = n; i-- > 0;)
    g_ptr_array_add (waiting, (gpointer) sym_value_get_child (value, order[i]));
}

static void
list_tree (const Sort *self, SymId call, const SymValue *tree, GArray *before)
{
  SymIds operands = sym_model_get_operands (self->writer->model, call);
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();

  g_ptr_array_add (waiting, (gpointer) tree);
  while (waiting->len > 0)
    {
      const SymValue *value = g_ptr_array_steal_index (waiting, waiting->len - 1);
      gint64 place;

      if (sym_value_get_kind (value) != SYM_VALUE_OPERAND)
        push_children (waiting, value);
      else if (sym_value_get_int (value, &place) && (guint64) place < operands.n)
        add_maker (self, operands.ids[place], before);
    }
}

static GArray *
list_before (const Sort *self, guint item)
{
  SymId call = get_item (self, item)->call;
  const SymModel *model = self->writer->model;
  GArray *before = g_array_new (FALSE, FALSE, sizeof (guint));
  const SymValue *tree = call == SYM_NO_ID ? NULL : sym_model_get_arguments (model, call);
  SymIds operands = call == SYM_NO_ID ? (SymIds){ NULL, 0 } : sym_model_get_operands (model, call);

  if (tree != NULL)
    list_tree (self, call, tree, before);
  for (guint i = 0; i < operands.n && tree == NULL; i++)
    if (sym_keras_is_written (model, call, i))
      add_maker (self, operands.ids[i], before);
  return before;
}

/* ---- The walk ---- */

static void
begin_step (Sort *self, GArray *steps, guint item, guint8 *states, guint *n_seen)
{
  Step step = { .item = item, .before = list_before (self, item) };
  guint layer = self->layers[item];

  states[item] = 1;
  if (self->seen[layer] == NOWHERE)
    self->seen[layer] = (*n_seen)++;
  g_array_append_val (steps, step);
}

static void
walk_from (Sort *self, guint start, guint8 *states, guint *n_seen)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));

  if (states[start] != 0)
    return;
  begin_step (self, steps, start, states, n_seen);
  while (steps->len > 0)
    {
      Step *step = &g_array_index (steps, Step, steps->len - 1);

      if (step->next < step->before->len)
        {
          guint item = g_array_index (step->before, guint, step->next++);

          if (states[item] == 0)
            begin_step (self, steps, item, states, n_seen);
          continue;
        }
      g_array_append_val (self->finished, step->item);
      g_array_unref (step->before);
      g_array_set_size (steps, steps->len - 1);
    }
}

static void
walk (Sort *self)
{
  SymIds outputs = sym_model_get_outputs (self->writer->model);
  g_autofree guint8 *states = g_new0 (guint8, self->items->len + 1);
  guint n_seen = 0;

  for (guint i = 0; i < outputs.n; i++)
    {
      g_autoptr (GArray) start = g_array_new (FALSE, FALSE, sizeof (guint));

      add_maker (self, outputs.ids[i], start);
      if (start->len > 0)
        walk_from (self, g_array_index (start, guint, 0), states, &n_seen);
    }
}

/* A layer is as far away as its furthest call, and what comes before any call is further. */
static void
measure (Sort *self)
{
  for (guint i = self->finished->len; i-- > 0;)
    {
      guint item = g_array_index (self->finished, guint, i);
      guint *furthest = &self->furthest[self->layers[item]];
      g_autoptr (GArray) before = list_before (self, item);

      *furthest = MAX (*furthest, self->distances[item]);
      self->distances[item] = *furthest;
      for (guint k = 0; k < before->len; k++)
        {
          guint *distance = &self->distances[g_array_index (before, guint, k)];

          *distance = MAX (*distance, *furthest + 1);
        }
    }
}

/* ---- The order ---- */

typedef struct {
  SymKerasItem item;
  gboolean is_left; /* no output needs it */
  guint distance;
  gint64 seen;
  guint place;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;

  if (x->is_left != y->is_left)
    return x->is_left - y->is_left;
  if (x->distance != y->distance)
    return x->distance > y->distance ? -1 : 1;
  if (x->seen != y->seen)
    return x->seen < y->seen ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Inputs that no output needs are the first of those that are nearest. */
static Ranked
rank (const Sort *self, guint i)
{
  guint layer = self->layers[i];
  Ranked ranked = { .item = *get_item (self, i), .place = i };
  gboolean is_seen = self->seen[layer] != NOWHERE;

  ranked.is_left = !is_seen && ranked.item.call != SYM_NO_ID;
  ranked.distance = is_seen ? self->furthest[layer] : 0;
  ranked.seen = is_seen ? (gint64) self->seen[layer] : -1;
  return ranked;
}

/* Calls of one layer are together, where Keras has that layer. */
static void
find_layers (Sort *self)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const SymKerasItem *item = get_item (self, i);
      gpointer layer, first;

      self->layers[i] = i;
      self->seen[i] = NOWHERE;
      if (item->call == SYM_NO_ID)
        {
          g_hash_table_insert (self->by_value, GUINT_TO_POINTER (item->value),
                               GUINT_TO_POINTER (i + 1));
          continue;
        }
      g_hash_table_insert (self->by_call, GUINT_TO_POINTER (item->call), GUINT_TO_POINTER (i + 1));
      layer = sym_model_get_layer (self->writer->model, item->call);
      if (g_hash_table_lookup_extended (firsts, layer, NULL, &first))
        self->layers[i] = GPOINTER_TO_UINT (first);
      else
        g_hash_table_insert (firsts, layer, GUINT_TO_POINTER (i));
    }
}

static void
put_back (const Sort *self, GArray *items)
{
  g_autofree Ranked *ranked = g_new (Ranked, items->len + 1);

  for (guint i = 0; i < items->len; i++)
    ranked[i] = rank (self, i);
  qsort (ranked, items->len, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < items->len; i++)
    g_array_index (items, SymKerasItem, i) = ranked[i].item;
}

void
sym_keras_writer_sort (SymKerasWriter *writer, GArray *items)
{
  guint n = items->len + 1;
  g_autofree guint *layers = g_new (guint, n);
  g_autofree guint *seen = g_new (guint, n);
  g_autofree guint *distances = g_new0 (guint, n);
  g_autofree guint *furthest = g_new0 (guint, n);
  g_autoptr (GHashTable) by_call = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) by_value = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) finished = g_array_new (FALSE, FALSE, sizeof (guint));
  Sort self = { writer, items, by_call, by_value, layers, seen, distances, furthest, finished };

  find_layers (&self);
  walk (&self);
  measure (&self);
  put_back (&self, items);
}
