/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include <stdlib.h>
#include <string.h>

static SymKerasShelf *
new_shelf (SymKerasWeights *weights, char *take_path, GPtrArray *take_arrays)
{
  SymKerasShelf *self = g_new0 (SymKerasShelf, 1);

  self->weights = weights;
  self->path = take_path;
  self->arrays = take_arrays;
  return self;
}

void
sym_keras_shelf_free (SymKerasShelf *self)
{
  g_clear_pointer (&self->arrays, g_ptr_array_unref);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_clear_pointer (&self->paired, g_ptr_array_unref);
  g_clear_pointer (&self->mentions, sym_keras_mentions_free);
  g_free (self->path);
  g_free (self);
}

SymKerasShelf *
sym_keras_shelf_new (SymKerasWeights *weights)
{
  GPtrArray *all = NULL;

  if (weights == NULL)
    return NULL;
  if (weights->order == SYM_KERAS_BY_NAME)
    {
      all = g_ptr_array_new ();
      g_ptr_array_extend (all, weights->arrays, NULL, NULL);
    }
  return new_shelf (weights, weights->order == SYM_KERAS_BY_CLASS ? g_strdup ("") : NULL, all);
}

/* ---- Keras 1 and 2: a group for each layer ---- */

/* A list of texts; one that was too long for an attribute is cut into name0, name1, ... */
static GPtrArray *
read_list (const SymKerasWeights *weights, const char *group, const char *name)
{
  const char *const *texts = sym_store_h5_get_attribute (weights->file, group, name);
  GPtrArray *all = g_ptr_array_new ();

  for (guint k = 0; texts != NULL || k == 0; k++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s%u", name, k);

      for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
        g_ptr_array_add (all, (gpointer) texts[i]);
      texts = sym_store_h5_get_attribute (weights->file, group, numbered);
    }
  return all;
}

static char *
join_path (const char *a, const char *b)
{
  return *a == '\0' ? g_strdup (b) : g_strconcat (a, "/", b, NULL);
}

static gboolean
has_weights (const SymKerasWeights *weights, const char *layer)
{
  g_autofree char *group = join_path (weights->prefix, layer);
  g_autoptr (GPtrArray) names = read_list (weights, group, "weight_names");

  return names->len > 0;
}

static gboolean
are_all_named (const SymKerasGraph *graph, const GPtrArray *groups)
{
  for (guint i = 0; i < groups->len; i++)
    if (!g_hash_table_contains (graph->names, groups->pdata[i]))
      return FALSE;
  return TRUE;
}

/* As Keras does it, unless told otherwise: first to first. */
static gboolean
pair_by_order (SymKerasShelf *self, GPtrArray *groups)
{
  g_autoptr (GArray) layers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->parts->len; i++)
    if (sym_keras_may_have_weights (self->of, sym_keras_graph_get_layer (self->of, i)))
      g_array_append_val (layers, i);
  for (guint i = 0; layers->len == groups->len && i < groups->len; i++)
    self->parts->pdata[g_array_index (layers, guint, i)] = g_strdup (groups->pdata[i]);
  return layers->len == groups->len;
}

/* Layers may have been called otherwise when their weights were saved. */
static void
find_groups (SymKerasShelf *self)
{
  g_autoptr (GPtrArray) names = read_list (self->weights, self->weights->prefix, "layer_names");
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();

  for (guint i = 0; i < names->len; i++)
    if (has_weights (self->weights, names->pdata[i]))
      g_ptr_array_add (groups, names->pdata[i]);
  if (!are_all_named (self->of, groups) && pair_by_order (self, groups))
    return;
  for (guint i = 0; i < groups->len; i++)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->of->names, groups->pdata[i]));

      if (place > 0 && self->parts->pdata[place - 1] == NULL)
        self->parts->pdata[place - 1] = g_strdup (groups->pdata[i]);
    }
}

static GPtrArray *
list_group (SymKerasShelf *self, const char *layer)
{
  g_autofree char *group = join_path (self->weights->prefix, layer);
  g_autoptr (GPtrArray) names = read_list (self->weights, group, "weight_names");
  GPtrArray *arrays = g_ptr_array_new ();

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = join_path (group, names->pdata[i]);
      SymKerasArray *array = sym_keras_weights_lookup (self->weights, path);

      if (array != NULL)
        g_ptr_array_add (arrays, array);
      else
        sym_problems_add (self->weights->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID,
                          SYM_NO_ID, "%s has no array “%s”, which it lists", self->weights->title,
                          path);
    }
  return arrays;
}

/* ---- Keras 3: by class ---- */

char *
sym_keras_name_class (const char *type)
{
  GString *name = g_string_new (NULL);

  if (strcmp (type, "GroupQueryAttention") == 0) /* by which name the class is exported alone */
    type = "GroupedQueryAttention";

  for (const char *at = type; *at != '\0'; at++)
    {
      if (at > type && g_ascii_isupper (*at) &&
          (g_ascii_islower (at[1]) || g_ascii_islower (at[-1])))
        g_string_append_c (name, '_');
      if (g_ascii_isalnum (*at) || *at == '_')
        g_string_append_c (name, g_ascii_tolower (*at));
    }
  return g_string_free (name, FALSE);
}

static char *
find_container (SymKerasShelf *self)
{
  g_autofree char *now = join_path (self->path, "layers");
  g_autofree char *old = join_path (self->path, "_layer_checkpoint_dependencies");
  g_autoptr (GPtrArray) found = sym_keras_weights_list (self->weights, now);
  g_autoptr (GPtrArray) found_old =
      found == NULL ? sym_keras_weights_list (self->weights, old) : NULL;

  return found_old != NULL ? g_steal_pointer (&old) : g_steal_pointer (&now);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* The numbers of the groups in @container that are called @class or class_N. */
static GArray *
list_numbers (SymKerasShelf *self, const char *container, const char *class)
{
  g_autofree char *prefix = join_path (container, class);
  g_autoptr (GPtrArray) arrays = sym_keras_weights_list (self->weights, container);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  gsize length = strlen (prefix);

  for (guint i = 0; arrays != NULL && i < arrays->len; i++)
    {
      const char *name = ((SymKerasArray *) arrays->pdata[i])->name;
      char *end = NULL;
      guint number = 0;

      if (strncmp (name, prefix, length) != 0)
        continue;
      if (name[length] == '_' && g_ascii_isdigit (name[length + 1]))
        number = (guint) strtoul (name + length + 1, &end, 10);
      if ((end == NULL ? name[length] : *end) == '/' &&
          g_hash_table_add (seen, GUINT_TO_POINTER (number + 1)))
        g_array_append_val (numbers, number);
    }
  g_array_sort (numbers, compare_numbers);
  return numbers;
}

/* All layers of one class, counted as they come; those without weights count, too.  Some versions
 * of Keras 2 count each twice: then the groups that are there are those of the layers in their
 * order. */
static void
name_groups (SymKerasShelf *self, const char *container, const char *class, const GArray *layers)
{
  g_autoptr (GArray) numbers = list_numbers (self, container, class);
  guint last = numbers->len > 0 ? g_array_index (numbers, guint, numbers->len - 1) : 0;
  gboolean by_order = numbers->len == layers->len && last >= layers->len;

  for (guint i = 0; i < layers->len; i++)
    {
      guint number = by_order ? g_array_index (numbers, guint, i) : i;

      self->parts->pdata[g_array_index (layers, guint, i)] =
          number == 0 ? join_path (container, class)
                      : g_strdup_printf ("%s/%s_%u", container, class, number);
    }
}

static void
free_indices (gpointer indices)
{
  g_array_unref (indices);
}

static void
find_paths (SymKerasShelf *self)
{
  g_autofree char *container = find_container (self);
  g_autoptr (GHashTable) classes =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_indices);
  GHashTableIter iter;
  gpointer class, layers;

  for (guint i = 0; i < self->of->layers->len; i++)
    {
      char *name = sym_keras_name_class (sym_keras_graph_get_layer (self->of, i)->type);
      GArray *same = g_hash_table_lookup (classes, name);

      if (same == NULL)
        {
          same = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (classes, g_strdup (name), same);
        }
      g_array_append_val (same, i);
      g_free (name);
    }
  g_hash_table_iter_init (&iter, classes);
  while (g_hash_table_iter_next (&iter, &class, &layers))
    name_groups (self, container, class, layers);
}

/* ---- Within ---- */

static void
find_parts (SymKerasShelf *self, const SymKerasGraph *graph)
{
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  self->of = graph;
  self->parts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < graph->layers->len; i++)
    g_ptr_array_add (self->parts, NULL);
  if (self->weights->order == SYM_KERAS_BY_CLASS)
    find_paths (self);
  else
    find_groups (self);
}

SymKerasShelf *
sym_keras_shelf_open_layer (SymKerasShelf *self, const SymKerasGraph *graph, guint layer)
{
  const char *part;

  if (self == NULL)
    return NULL;
  if (self->arrays != NULL)
    return new_shelf (self->weights, g_strdup (self->path),
                      sym_keras_shelf_pick (self, graph, layer));
  if (self->of != graph)
    find_parts (self, graph);
  part = self->parts->pdata[layer];
  if (self->weights->order == SYM_KERAS_BY_CLASS)
    return new_shelf (self->weights, g_strdup (part), NULL);
  return part == NULL ? new_shelf (self->weights, NULL, g_ptr_array_new ())
                      : new_shelf (self->weights, join_path (self->weights->prefix, part),
                                   list_group (self, part));
}

/* The weights of one direction come before those of the other. */
static GPtrArray *
take_half (const GPtrArray *arrays, guint half)
{
  GPtrArray *taken = g_ptr_array_new ();
  guint n = arrays->len / 2;

  for (guint i = half * n; i < (half + 1) * n; i++)
    g_ptr_array_add (taken, arrays->pdata[i]);
  return taken;
}

SymKerasShelf *
sym_keras_shelf_open_part (SymKerasShelf *self, const char *attribute)
{
  GPtrArray *arrays;

  if (self == NULL)
    return NULL;
  if (self->weights->order == SYM_KERAS_BY_CLASS)
    return new_shelf (self->weights, join_path (self->path, attribute), NULL);
  arrays = strcmp (attribute, "layer") == 0 ? g_ptr_array_ref (self->arrays)
                                            : take_half (self->arrays, *attribute == 'b');
  return new_shelf (self->weights, g_strdup (self->path), arrays);
}

SymKerasShelf *
sym_keras_shelf_open_cell (SymKerasShelf *self,
                           const char *class,
                           guint number,
                           guint first,
                           guint n)
{
  GPtrArray *arrays;

  if (self == NULL)
    return NULL;
  if (self->weights->order == SYM_KERAS_BY_CLASS)
    {
      g_autofree char *name = class == NULL ? NULL : sym_keras_name_class (class);
      g_autofree char *cell = class == NULL ? g_strdup ("cell")
                              : number == 0 ? g_strconcat ("cell/cells/", name, NULL)
                                            : g_strdup_printf ("cell/cells/%s_%u", name, number);

      return new_shelf (self->weights, join_path (self->path, cell), NULL);
    }
  arrays = g_ptr_array_new ();
  for (guint i = first; i < first + n && i < self->arrays->len; i++)
    g_ptr_array_add (arrays, self->arrays->pdata[i]);
  return new_shelf (self->weights, g_strdup (self->path), arrays);
}
