/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-arrays.h"

#include "io/sym-keras-weights.h"
#include "io/sym-keras-write-private.h"
#include "ops/sym-op-keras.h"

#include <string.h>

/* Where the weights of each layer go, which is where sym-keras-shelf.c looks for them: in the
 * groups of Keras 3, or by the names of layers.  Within a layer they stand in the order of its
 * slots, as sym-keras-fill.c gives them to these. */

typedef struct {
  SymKerasArrays *arrays;
  int major;
  guint depth;
  GArray *first; /* of Kept: what is trained of a frozen container; NULL outside of these */
  GArray *last;  /* of Kept: what is not trained, which Keras 1 and 2 have last in a group */
} Keep;

typedef struct {
  char *name;
  SymTensor *tensor;
} Kept;

static void
lose (Keep *self, SymKerasLoss loss, const SymLayer *layer)
{
  const char *name = sym_layer_get_name (layer);

  sym_keras_names_add (&self->arrays->lost[loss],
                       name == NULL || *name == '\0' ? sym_layer_get_type (layer) : name);
}

/* Of two that want one name, the second gets a number. */
static void
put (Keep *self, char *take_name, SymTensor *take_tensor)
{
  SymKerasArrays *arrays = self->arrays;

  g_ptr_array_add (arrays->names, g_strdup (sym_name_set_choose (arrays->taken, take_name, 1)));
  g_ptr_array_add (arrays->tensors, take_tensor);
  g_free (take_name);
}

static void
put_last (Keep *self)
{
  for (guint i = 0; i < self->last->len; i++)
    put (self, g_array_index (self->last, Kept, i).name,
         g_array_index (self->last, Kept, i).tensor);
  g_array_set_size (self->last, 0);
}

static void
begin_group (Keep *self, const char *path, const char *layer)
{
  SymKerasGroup group = { g_strdup (path), g_strdup (layer), self->arrays->names->len, 0 };

  if (!self->arrays->by_class)
    sym_name_set_clear (self->arrays->taken);
  g_array_append_val (self->arrays->groups, group);
}

/* One without arrays is none. */
static void
end_group (Keep *self)
{
  GArray *groups = self->arrays->groups;
  SymKerasGroup *group = &g_array_index (groups, SymKerasGroup, groups->len - 1);

  put_last (self);
  group->n = self->arrays->names->len - group->first;
  if (group->n > 0)
    return;
  g_free (group->path);
  g_free (group->layer);
  g_array_set_size (groups, groups->len - 1);
}

/* ---- One layer's own ---- */

static char *
join_path (const char *a, const char *b)
{
  return *a == '\0' ? g_strdup (b) : g_strconcat (a, "/", b, NULL);
}

static gboolean
is_recurrent (const SymOperator *op)
{
  static const char *const names[] = { "GRU", "LSTM", "SimpleRNN", NULL };

  return g_strv_contains (names, op->name) || g_str_has_prefix (op->name, "ConvLSTM");
}

static gboolean
has_parts (const char *slot)
{
  return g_str_has_prefix (slot, "query_") || g_str_has_prefix (slot, "key_") ||
         g_str_has_prefix (slot, "value_") || g_str_has_prefix (slot, "output_");
}

/* "query_kernel" is the first of the layer that an attention has as its query_dense; one that is
 * grouped keeps that to itself. */
static char *
name_part (const SymOperator *op, const char *slot)
{
  const char *end = strrchr (slot, '_');

  return g_strdup_printf ("%s%.*s_dense/vars/%d",
                          g_str_equal (op->name, "GroupedQueryAttention") ? "_" : "",
                          (int) (end - slot), slot, g_str_equal (end, "_kernel") ? 0 : 1);
}

static char *
name_array (Keep *self, const SymOperator *op, guint slot, guint number, gboolean is_cell)
{
  const char *name = op->slots[slot].name;

  if (!self->arrays->by_class)
    return g_strconcat (sym_keras_get_weight_name (name), ":0", NULL);
  if (has_parts (name))
    return name_part (op, name);
  return g_strdup_printf ("%svars/%u", is_recurrent (op) && !is_cell ? "cell/" : "", number);
}

/* The numbers as the file has them: what is read of cuDNN is turned, and turned back. */
static SymTensor *
make_tensor (Keep *self, const SymLayer *layer, guint number, SymTensor *tensor)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  if (self->arrays->by_class || number > 1 || op == NULL ||
      !g_str_has_prefix (sym_layer_get_type (layer), "CuDNN"))
    return sym_tensor_ref (tensor);
  return sym_keras_turn_gates_back (tensor, g_str_equal (op->name, "LSTM") ? 4 : 3);
}

static void
keep_array (Keep *self, char *take_name, SymTensor *take_tensor, gboolean is_last)
{
  Kept kept = { take_name, take_tensor };
  GArray *list = is_last ? self->last : self->first;

  if (self->arrays->by_class || list == NULL)
    put (self, take_name, take_tensor);
  else
    g_array_append_val (list, kept);
}

static SymTensor *
get_tensor (const SymModel *model, SymIds operands, guint slot)
{
  SymId value = slot < operands.n ? operands.ids[slot] : SYM_NO_ID;

  return value == SYM_NO_ID ? NULL : sym_model_get_tensor (model, value);
}

static gboolean
is_frozen (const SymLayer *layer)
{
  return !sym_attributes_get_bool (sym_layer_get_attributes (layer), "trainable", TRUE);
}

/* Those of one layer are there together, or not at all. */
static gboolean
has_all (Keep *self, const SymModel *model, SymId call, SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; op->slots != NULL && op->slots[i].name != NULL; i++)
    {
      SymTensor *tensor = get_tensor (model, operands, i);

      if (op->slots[i].kind == SYM_SLOT_DATA ||
          !sym_op_keras_has_slot (op, i, sym_layer_get_attributes (layer)))
        continue;
      if (tensor == NULL || !sym_store_h5_takes (sym_tensor_get_dtype (tensor)))
        {
          lose (self, tensor == NULL ? SYM_KERAS_LOSS_MISSING : SYM_KERAS_LOSS_DTYPE, layer);
          return FALSE;
        }
    }
  return TRUE;
}

static void
keep_own (Keep *self, const SymModel *model, SymId call, const char *path, gboolean is_cell)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds operands = sym_model_get_operands (model, call);
  gboolean is_last = is_frozen (layer);
  guint n = 0;

  if (!has_all (self, model, call, layer))
    return;
  for (guint i = 0; op->slots != NULL && op->slots[i].name != NULL; i++)
    if (op->slots[i].kind != SYM_SLOT_DATA &&
        sym_op_keras_has_slot (op, i, sym_layer_get_attributes (layer)))
      {
        g_autofree char *name = name_array (self, op, i, n, is_cell);

        keep_array (self, join_path (path, name),
                    make_tensor (self, layer, n, get_tensor (model, operands, i)),
                    is_last || op->slots[i].kind == SYM_SLOT_AUXILIARY);
        n++;
      }
}

/* ---- Layers of unknown class ---- */

static gboolean
is_number (const char *name)
{
  const char *digits = name;

  while (g_ascii_isdigit (*digits))
    digits++;
  return digits > name && *digits == '\0';
}

/* "own/kernel" is the layer's own; of a longer name nobody knows what is between. */
static const char *
get_last (const char *name)
{
  const char *slash = strchr (name, '/');

  return slash == NULL || strchr (slash + 1, '/') != NULL ? NULL : slash + 1;
}

static gboolean
can_keep (Keep *self, const SymModel *model, SymIds operands, SymKerasLoss *loss)
{
  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      SymTensor *tensor = value == SYM_NO_ID ? NULL : sym_model_get_tensor (model, value);
      const char *last;

      if (value == SYM_NO_ID || sym_model_get_parameter (model, value) == NULL)
        continue;
      last = get_last (sym_model_get_value_name (model, value));
      *loss = tensor == NULL                                        ? SYM_KERAS_LOSS_MISSING
              : !sym_store_h5_takes (sym_tensor_get_dtype (tensor)) ? SYM_KERAS_LOSS_DTYPE
              : self->arrays->by_class && !(last != NULL && is_number (last))
                  ? SYM_KERAS_LOSS_UNKNOWN
                  : SYM_KERAS_N_LOSSES;
      if (*loss != SYM_KERAS_N_LOSSES)
        return FALSE;
    }
  return TRUE;
}

static void
keep_unknown (Keep *self, const SymModel *model, SymId call, const char *path)
{
  const SymLayer *layer = sym_model_get_layer (model, call);
  SymIds operands = sym_model_get_operands (model, call);
  SymKerasLoss loss;

  if (!can_keep (self, model, operands, &loss))
    {
      lose (self, loss, layer);
      return;
    }
  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      SymParameter *parameter = value == SYM_NO_ID ? NULL : sym_model_get_parameter (model, value);
      const char *name = parameter == NULL ? NULL : sym_model_get_value_name (model, value);
      const char *last = name == NULL ? NULL : get_last (name);

      if (parameter != NULL)
        keep_array (self,
                    self->arrays->by_class
                        ? g_strdup_printf ("%s/vars/%s", path, last)
                        : g_strdup_printf ("%s/%s:0", path, last == NULL ? name : last),
                    sym_tensor_ref (sym_parameter_get_tensor (parameter)), is_frozen (layer));
    }
}

/* ---- Wrappers ---- */

static void keep_call (Keep *self, const SymModel *model, SymId call, const char *path);

static void
keep_directions (Keep *self, const SymModel *body, const char *path)
{
  for (SymId call = 0; call < sym_model_get_n_calls (body); call++)
    {
      SymLayer *layer = sym_model_get_layer (body, call);
      const char *name = sym_layer_get_name (layer);
      gboolean is_forward = name != NULL && g_str_has_prefix (name, "forward_");
      g_autofree char *part = NULL;

      if (!is_forward && (name == NULL || !g_str_has_prefix (name, "backward_")))
        continue;
      part = join_path (path, !self->arrays->by_class ? name
                              : is_forward            ? "forward_layer"
                                                      : "backward_layer");
      keep_call (self, body, call, part);
    }
}

static gboolean
is_stacked (const SymLayer *layer)
{
  const SymValue *cell = sym_attributes_find (sym_layer_get_attributes (layer), "cell");

  for (guint i = 0; cell != NULL && sym_value_get_kind (cell) == SYM_VALUE_DICT &&
                    i < sym_value_get_n_children (cell);
       i++)
    if (g_str_equal (sym_value_get_key (cell, i), "class_name"))
      return g_strcmp0 (sym_value_get_string (sym_value_get_child (cell, i)), "StackedRNNCells") ==
             0;
  return FALSE;
}

/* Cells of a class are counted. */
static void
keep_cells (Keep *self, const SymLayer *layer, const SymModel *body, const char *path)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean stacked = is_stacked (layer);

  for (SymId call = 0; call < sym_model_get_n_calls (body); call++)
    {
      SymLayer *cell = sym_model_get_layer (body, call);
      g_autofree char *class = sym_keras_name_class (sym_layer_get_type (cell));
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, class));
      g_autofree char *counted = n == 0 ? g_strdup (class) : g_strdup_printf ("%s_%u", class, n);
      g_autofree char *part = !self->arrays->by_class ? join_path (path, sym_layer_get_name (cell))
                              : stacked ? g_strconcat (path, "/cell/cells/", counted, NULL)
                                        : g_strconcat (path, "/cell", NULL);

      g_hash_table_insert (counts, g_strdup (class), GUINT_TO_POINTER (n + 1));
      keep_own (self, body, call, part, TRUE);
    }
}

/* What stands around one layer. */
static void
keep_inner (Keep *self, const SymLayer *layer, const SymModel *body, const char *path)
{
  g_autofree char *part =
      self->arrays->by_class ? g_strconcat (path, "/layer", NULL) : g_strdup (path);

  if (g_str_equal (sym_layer_get_type (layer), "SpectralNormalization"))
    lose (self, SYM_KERAS_LOSS_PART, layer);
  for (SymId call = 0; call < sym_model_get_n_calls (body); call++)
    keep_call (self, body, call, part);
}

static void
keep_wrapped (Keep *self, const SymLayer *layer, const char *path)
{
  const char *type = sym_layer_get_type (layer);
  const SymModel *body = sym_layer_get_body (layer, 0, NULL);

  if (g_str_equal (type, "Bidirectional"))
    keep_directions (self, body, path);
  else if (g_str_equal (type, "RNN"))
    keep_cells (self, layer, body, path);
  else if (!g_str_equal (type, "TensorFlowOpLayer"))
    keep_inner (self, layer, body, path);
}

/* ---- Models ---- */

static void keep_model (Keep *self, const SymModel *model, const char *path);

static void
keep_within (Keep *self, const SymLayer *layer, const char *path)
{
  if (sym_keras_is_nested (layer))
    keep_model (self, sym_layer_get_running_body (layer), path);
  else
    keep_wrapped (self, layer, path);
}

/* Nothing in a frozen container is trained; what would be stands first even so. */
static void
keep_frozen (Keep *self, const SymLayer *layer, const char *path)
{
  GArray *outer_first = self->first, *outer_last = self->last;
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_autoptr (GArray) last = g_array_new (FALSE, FALSE, sizeof (Kept));

  self->first = first;
  self->last = last;
  keep_within (self, layer, path);
  self->first = outer_first;
  self->last = outer_last;
  g_array_append_vals (self->last, first->data, first->len);
  g_array_append_vals (self->last, last->data, last->len);
}

static void
keep_call (Keep *self, const SymModel *model, SymId call, const char *path)
{
  SymLayer *layer = sym_model_get_layer (model, call);

  if (sym_layer_get_n_bodies (layer) > 0 && is_frozen (layer))
    keep_frozen (self, layer, path);
  else if (sym_layer_get_n_bodies (layer) > 0)
    keep_within (self, layer, path);
  else if (sym_layer_get_operator (layer) != NULL)
    keep_own (self, model, call, path, FALSE);
  else
    keep_unknown (self, model, call, path);
}

static gboolean
is_operation (const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return op != NULL && g_str_equal (op->domain, "keras.ops");
}

/* Layers are called by their class, and counted; what is no layer is not. */
static char *
name_place (GHashTable *counts, const SymLayer *layer)
{
  char *class = sym_keras_name_class (sym_layer_get_type (layer));
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, class));
  char *name = n == 0 ? g_strdup (class) : g_strdup_printf ("%s_%u", class, n);

  g_hash_table_insert (counts, class, GUINT_TO_POINTER (n + 1));
  return name;
}

static void
keep_layer (Keep *self, SymKerasWriter *writer, SymId call, const char *path, GHashTable *counts)
{
  const SymModel *model = writer->model;
  SymLayer *layer = sym_model_get_layer (model, call);
  const char *name = sym_keras_writer_get_name (writer, call);
  gboolean by_class = self->arrays->by_class;
  g_autofree char *place = by_class ? name_place (counts, layer) : NULL;
  g_autofree char *group =
      by_class ? g_strconcat (path, *path == '\0' ? "" : "/", "layers/", place, NULL)
               : join_path (path, name);
  gboolean is_nested = sym_keras_is_nested (layer);

  if (by_class ? is_nested : writer->depth > 0)
    {
      keep_call (self, model, call, group);
      return;
    }
  begin_group (self, by_class ? group : "", name);
  keep_call (self, model, call, is_nested ? "" : group);
  end_group (self);
}

static void
keep_model (Keep *self, const SymModel *model, const char *path)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) items = NULL;
  SymKerasWriter writer;
  gboolean is_sequence;

  sym_keras_writer_init (&writer, model, self->major, NULL, self->depth++);
  writer.is_sorted = TRUE;
  items = sym_keras_writer_list (&writer, &is_sequence);
  for (guint i = 0; i < items->len; i++)
    {
      SymId call = g_array_index (items, SymKerasItem, i).call;

      if (call != SYM_NO_ID && !is_operation (sym_model_get_layer (model, call)) &&
          g_hash_table_lookup (writer.places, GUINT_TO_POINTER (call)) == NULL)
        keep_layer (self, &writer, call, path, counts);
    }
  sym_keras_writer_clear (&writer);
  self->depth--;
}

/* ---- The whole ---- */

SymKerasArrays *
sym_keras_arrays_new (SymModel *model, int major)
{
  SymKerasArrays *self = g_new0 (SymKerasArrays, 1);
  Keep keep = { .arrays = self, .major = major };

  self->by_class = major >= 3;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  self->groups = g_array_new (FALSE, FALSE, sizeof (SymKerasGroup));
  self->taken = sym_name_set_new ();
  for (guint i = 0; i < SYM_KERAS_N_LOSSES; i++)
    self->lost[i].text = g_string_new (NULL);
  keep.last = g_array_new (FALSE, FALSE, sizeof (Kept));
  keep_model (&keep, model, "");
  g_array_unref (keep.last);
  return self;
}

void
sym_keras_arrays_free (SymKerasArrays *self)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      g_free (g_array_index (self->groups, SymKerasGroup, i).path);
      g_free (g_array_index (self->groups, SymKerasGroup, i).layer);
    }
  g_array_unref (self->groups);
  sym_name_set_free (self->taken);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->tensors);
  for (guint i = 0; i < SYM_KERAS_N_LOSSES; i++)
    g_string_free (self->lost[i].text, TRUE);
  g_free (self);
}
