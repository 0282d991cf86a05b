/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "io/sym-tfjs-weights.h"

#include <stdlib.h>
#include <string.h>

/* How many layers without weights are told by name. */
#define MAX_NAMED 5

/* A layer that gets its weights. */
typedef struct {
  SymKerasWeights *weights;
  SymModelBuilder *builder;
  SymLayer *layer;
  gboolean is_trained;
  GPtrArray *arrays; /* of SymKerasArray, borrowed */
  GArray *ids;       /* of SymId: its parameters */
  GPtrArray *names;  /* of weights, borrowed, in the same order */
} Filling;

static void
warn (const Filling *self, const char *message)
{
  sym_problems_add (self->weights->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                    "%s", message);
}

/* ---- Arrays of Keras 3 ---- */

/* The layers that an attention keeps, in the order of its weights; others keep one. */
static guint
rank_folder (const char *name)
{
  static const char *const parts[] = { "query_dense/", "key_dense/", "value_dense/",
                                       "output_dense/" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (name, parts[i]) != NULL)
      return i;
  return G_N_ELEMENTS (parts);
}

/* "cell/vars/2" before "cell/vars/10". */
static int
compare_variables (gconstpointer a, gconstpointer b)
{
  const char *x = (*(SymKerasArray *const *) a)->name, *y = (*(SymKerasArray *const *) b)->name;
  const char *last_x = strrchr (x, '/'), *last_y = strrchr (y, '/');
  gsize n_x = (gsize) (last_x - x), n_y = (gsize) (last_y - y);
  int folders = strncmp (x, y, MIN (n_x, n_y));

  if (rank_folder (x) != rank_folder (y))
    return rank_folder (x) < rank_folder (y) ? -1 : 1;
  if (folders != 0 || n_x != n_y)
    return folders != 0 ? folders : n_x < n_y ? -1 : 1;
  return (int) strtol (last_x + 1, NULL, 10) - (int) strtol (last_y + 1, NULL, 10);
}

static GPtrArray *
list_variables (SymKerasShelf *shelf)
{
  g_autoptr (GPtrArray) all = sym_keras_weights_list (shelf->weights, shelf->path);
  GPtrArray *variables = g_ptr_array_new ();

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const char *name = ((SymKerasArray *) all->pdata[i])->name;

      if (strstr (name + strlen (shelf->path), "/vars/") != NULL &&
          strstr (name + strlen (shelf->path), "seed_generator/") == NULL)
        g_ptr_array_add (variables, all->pdata[i]);
    }
  g_ptr_array_sort (variables, compare_variables);
  return variables;
}

/* ---- Which array is which weight ---- */

static void
list_wanted (Filling *self, const GArray *ids)
{
  const SymOperator *op = sym_layer_get_operator (self->layer);

  for (guint i = 0; i < ids->len; i++)
    {
      SymId id = g_array_index (ids, SymId, i);

      if (id == SYM_NO_ID || op->slots[i].kind == SYM_SLOT_DATA)
        continue;
      g_array_append_val (self->ids, id);
      g_ptr_array_add (self->names, (gpointer) sym_keras_get_weight_name (op->slots[i].name));
    }
}

static gboolean
is_text (const char *text, const char *weight)
{
  gsize n = strlen (weight);

  return strncmp (text, weight, n) == 0 && (text[n] == '\0' || text[n] == ':');
}

/* What Keras 1 called it. */
static const char *
get_old_name (const char *weight)
{
  static const struct {
    const char *name, *old;
  } names[] = {
    { "kernel", "W" },
    { "bias", "b" },
    { "moving_mean", "running_mean" },
    { "moving_variance", "running_std" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, weight) == 0)
      return names[i].old;
  return weight;
}

/* "query_kernel" is what an attention calls "mha/query/kernel", "output_kernel" its
 * "mha/attention_output/kernel"; the layers within are "query_dense" and "output_dense" else. */
static gboolean
is_part (const SymKerasArray *array, const char *weight)
{
  static const struct {
    const char *before, *behind;
  } forms[] = { { "/", "/" }, { "/attention_", "/" }, { "/", "_dense/" } };
  const char *inner = strchr (weight, '_');
  g_autofree char *name = g_strndup (array->name, strcspn (array->name, ":"));
  g_autofree char *part = inner == NULL ? NULL : g_strndup (weight, (gsize) (inner - weight));
  gboolean found = FALSE;

  for (guint i = 0; part != NULL && i < G_N_ELEMENTS (forms) && !found; i++)
    {
      g_autofree char *end = g_strconcat (forms[i].before, part, forms[i].behind, inner + 1, NULL);

      found = g_str_has_suffix (name, end);
    }
  return found;
}

/* "kernel" of "dense_1/kernel:0", and of "dense_1_W". */
static gboolean
is_called (const Filling *self, const SymKerasArray *array, const char *weight)
{
  const char *slash = strrchr (array->name, '/');
  const char *last = slash == NULL ? array->name : slash + 1;
  const char *layer = sym_layer_get_name (self->layer);
  gsize n = layer == NULL ? 0 : strlen (layer);

  return is_text (last, weight) || is_part (array, weight) ||
         (n > 0 && strncmp (last, layer, n) == 0 && last[n] == '_' &&
          is_text (last + n + 1, get_old_name (weight)));
}

static guint
find_called (const Filling *self, const char *weight)
{
  guint found = G_MAXUINT;

  for (guint i = 0; i < self->arrays->len; i++)
    if (is_called (self, self->arrays->pdata[i], weight))
      {
        if (found != G_MAXUINT)
          return G_MAXUINT;
        found = i;
      }
  return found;
}

/* Arrays in the order of the weights, when each is called like one; else they are in that order. */
static void
sort_by_name (Filling *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; i < self->names->len; i++)
    {
      guint found = find_called (self, self->names->pdata[i]);

      if (found == G_MAXUINT)
        return;
      g_ptr_array_add (sorted, self->arrays->pdata[found]);
    }
  g_ptr_array_set_size (self->arrays, 0);
  g_ptr_array_extend (self->arrays, sorted, NULL, NULL);
}

/* The first weight that none of several arrays is called like, though they have nothing but names
 * to tell which is which; NULL for none. */
static const char *
find_nameless (const Filling *self)
{
  if (self->weights->tensors == NULL || self->arrays->len < 2)
    return NULL;
  for (guint i = 0; i < self->names->len; i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < self->arrays->len && !found; k++)
        found = is_called (self, self->arrays->pdata[k], self->names->pdata[i]);
      if (!found)
        return self->names->pdata[i];
    }
  return NULL;
}

/* ---- Values ---- */

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    sym_tensor_unref (tensor);
}

static GPtrArray *
open_tensors (Filling *self)
{
  GPtrArray *tensors = g_ptr_array_new_with_free_func (unref_tensor);

  for (guint i = 0; i < self->arrays->len; i++)
    {
      SymKerasArray *array = self->arrays->pdata[i];

      array->is_used = TRUE;
      g_ptr_array_add (tensors, sym_keras_weights_open (self->weights, array));
    }
  return tensors;
}

/* Keras makes numbers of the layer's dtype of what it loads. */
static void
give (Filling *self, SymId id, SymTensor *tensor)
{
  SymDType dtype = sym_keras_get_weight_dtype (sym_layer_get_attributes (self->layer));
  SymType type = sym_type_tensor (dtype, *sym_tensor_get_shape (tensor));
  gboolean trainable =
      self->is_trained && sym_model_builder_get_role (self->builder, id) == SYM_ROLE_PARAMETER;
  g_autoptr (SymTensor) cast = sym_tensor_get_dtype (tensor) == dtype
                                   ? sym_tensor_ref (tensor)
                                   : sym_keras_cast (tensor, dtype);

  sym_model_builder_set_type (self->builder, id, &type);
  sym_model_builder_set_parameter (self->builder, id, sym_parameter_new (trainable, cast));
}

/* Of a weight whose shard is missing the manifest tells the shape. */
static void
declare (Filling *self, SymId id, const SymKerasArray *array)
{
  SymTensor *none = NULL;
  const char *lack;
  SymType type;

  sym_model_builder_set_lack (self->builder, id, array->lack);
  if (self->weights->manifest == NULL ||
      !sym_tfjs_weights_find (self->weights->manifest, array->name, &type, &none, &lack))
    return;
  type.dtype = sym_keras_get_weight_dtype (sym_layer_get_attributes (self->layer));
  sym_model_builder_set_type (self->builder, id, &type);
}

/* What is not in a file that is missing is not in those that are there. */
static void
explain_lack (Filling *self, const char *lost, const char *why)
{
  for (guint i = 0; i < self->ids->len; i++)
    sym_model_builder_set_lack (self->builder, g_array_index (self->ids, SymId, i),
                                lost != NULL ? lost : why);
}

static void
give_all (Filling *self, const char *lost)
{
  g_autoptr (GPtrArray) tensors = open_tensors (self);
  guint n_arrays = self->arrays->len;

  sym_keras_renew (self->weights, self->layer, tensors);
  if (tensors->len != self->ids->len)
    {
      g_autofree char *message = g_strdup_printf (
          "“%s” has %u %s of weights in %s, where it needs %u", sym_layer_get_name (self->layer),
          n_arrays, n_arrays == 1 ? "array" : "arrays", self->weights->title, self->ids->len);

      warn (self, message);
      explain_lack (self, lost, message);
      return;
    }
  for (guint i = 0; i < tensors->len; i++)
    if (tensors->pdata[i] != NULL)
      give (self, g_array_index (self->ids, SymId, i), tensors->pdata[i]);
    else if (i < n_arrays)
      declare (self, g_array_index (self->ids, SymId, i), self->arrays->pdata[i]);
}

static void
tell_nameless (Filling *self, const char *weight)
{
  g_autofree char *message = g_strdup_printf (
      "no array of “%s” in %s is called like its weight “%s”, so none of them is taken",
      sym_layer_get_name (self->layer), self->weights->title, weight);

  for (guint i = 0; i < self->arrays->len; i++)
    ((SymKerasArray *) self->arrays->pdata[i])->is_used = TRUE;
  warn (self, message);
  explain_lack (self, NULL, message);
}

/* Where a file is missing, that is told already. */
static void
note_bare (Filling *self, const char *lost)
{
  const char *name = sym_layer_get_name (self->layer);
  g_autofree char *message =
      g_strdup_printf ("%s has no weights of the layer “%s”", self->weights->title, name);
  GString *bare = self->weights->bare;

  explain_lack (self, lost, message);
  if (lost != NULL || self->weights->n_bare++ >= MAX_NAMED)
    return;
  g_string_append_printf (bare, "%s“%s”", bare->len > 0 ? ", " : "", name);
}

static GPtrArray *
list_arrays (SymKerasShelf *shelf)
{
  GPtrArray *arrays;

  if (shelf->weights->order == SYM_KERAS_BY_CLASS)
    return list_variables (shelf);
  arrays = g_ptr_array_new ();
  g_ptr_array_extend (arrays, shelf->arrays, NULL, NULL);
  return arrays;
}

void
sym_keras_shelf_fill (SymKerasShelf *shelf,
                      SymModelBuilder *builder,
                      SymLayer *layer,
                      gboolean is_trained,
                      const GArray *ids)
{
  Filling self = { .builder = builder, .layer = layer, .is_trained = is_trained };
  const char *lost = NULL, *nameless;

  if (shelf == NULL)
    return;
  self.weights = shelf->weights;
  if (shelf->path != NULL)
    lost = sym_keras_weights_get_lost (self.weights, shelf->path);
  self.ids = g_array_new (FALSE, FALSE, sizeof (SymId));
  self.names = g_ptr_array_new ();
  list_wanted (&self, ids);
  self.arrays = list_arrays (shelf);
  if (self.ids->len > 0 && self.arrays->len == self.ids->len)
    sort_by_name (&self);
  nameless = self.ids->len > 0 ? find_nameless (&self) : NULL;
  if (nameless != NULL)
    tell_nameless (&self, nameless);
  else if (self.ids->len > 0 && self.arrays->len > 0)
    give_all (&self, lost);
  else if (self.ids->len > 0)
    note_bare (&self, lost);
  g_array_unref (self.ids);
  g_ptr_array_unref (self.names);
  g_ptr_array_unref (self.arrays);
}

/* ---- Layers of unknown class ---- */

/* "own/kernel" of "own/own/kernel:0"; of two that are called alike the whole path. */
static char *
name_own (const Filling *self, const SymKerasArray *array)
{
  const char *slash = strrchr (array->name, '/');
  const char *last = slash == NULL ? array->name : slash + 1;
  g_autofree char *weight = g_strndup (last, strcspn (last, ":"));

  return find_called (self, weight) == G_MAXUINT
             ? g_strndup (array->name, strcspn (array->name, ":"))
             : g_strconcat (sym_layer_get_name (self->layer), "/", weight, NULL);
}

static SymId
add_own (Filling *self, const SymKerasArray *array)
{
  g_autofree char *name = name_own (self, array);
  gboolean is_moving = strstr (name, "/moving_") != NULL;
  SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  SymId id = sym_model_builder_add_value (
      self->builder, name, is_moving ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER, &type);

  sym_model_builder_set_parameter (self->builder, id,
                                   sym_parameter_new (self->is_trained && !is_moving, NULL));
  return id;
}

void
sym_keras_shelf_add_all (SymKerasShelf *shelf,
                         SymModelBuilder *builder,
                         SymLayer *layer,
                         gboolean is_trained,
                         GArray *ids)
{
  Filling self = { .builder = builder, .layer = layer, .is_trained = is_trained, .ids = ids };
  g_autoptr (GPtrArray) tensors = NULL;

  if (shelf == NULL)
    return;
  self.weights = shelf->weights;
  self.arrays = list_arrays (shelf);
  tensors = open_tensors (&self);
  for (guint i = 0; i < tensors->len; i++)
    {
      SymId id = add_own (&self, self.arrays->pdata[i]);

      g_array_append_val (ids, id);
      if (tensors->pdata[i] != NULL)
        give (&self, id, tensors->pdata[i]);
      else
        declare (&self, id, self.arrays->pdata[i]);
    }
  g_ptr_array_unref (self.arrays);
}
