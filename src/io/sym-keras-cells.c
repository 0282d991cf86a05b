/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "ops/sym-op-keras.h"

#include <string.h>

/* What RNN is: a layer for each of its cells, the last of which has its outputs.  Steps of stacked
 * cells do not depend on what comes after them, so that layers one after the other are the same. */

#define MAX_CELLS 64

static const struct {
  const char *cell;
  const char *layer;
} cells[] = {
  { "GRUCell", "GRU" },
  { "LSTMCell", "LSTM" },
  { "SimpleRNNCell", "SimpleRNN" },
};

static const SymOperator *
find_operator (SymKerasReader *reader, guint cell)
{
  const SymJson *json = reader->json;

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (sym_json_string_equals (json, sym_json_get_member (json, cell, "class_name"),
                                cells[i].cell))
      return sym_keras_find_operator (reader, cell, cells[i].layer);
  return NULL;
}

/* A cell is frozen, too, by what is around it: an RNN, or what stacks it. */
static gboolean
is_frozen (const SymJson *json, guint config, guint cell)
{
  guint around[] = {
    config, sym_json_get_member (json, sym_json_get_member (json, config, "cell"), "config"),
    sym_json_get_member (json, cell, "config")
  };
  gboolean trains = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (around) && trains; i++)
    sym_json_get_bool (json, sym_json_get_member (json, around[i], "trainable"), &trains);
  return !trains;
}

/* How the steps go is said around the cell. */
static SymLayer *
make_layer (SymKerasReader *reader, guint config, guint cell, gboolean is_first, gboolean is_last)
{
  static const char *const hidden[] = { "name", NULL };
  static const char *const flags[] = { "return_sequences", "return_state", "go_backwards" };
  const SymJson *json = reader->json;
  const SymOperator *op = find_operator (reader, cell);
  guint inner = sym_json_get_member (json, cell, "config");
  g_autofree char *type =
      sym_json_dup_string (json, sym_json_get_member (json, cell, "class_name"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, inner, "name"));
  g_autoptr (SymAttributes) attributes = NULL;
  SymLayer *layer;

  if (op == NULL)
    return NULL;
  attributes = sym_keras_read_attributes (reader, inner, hidden);
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      gboolean flag = FALSE;

      sym_json_get_bool (json, sym_json_get_member (json, config, flags[i]), &flag);
      flag = i == 0 ? flag || !is_last : i == 1 ? flag : flag && is_first;
      sym_attributes_set (attributes, flags[i], sym_value_new_bool (flag), NULL);
    }
  if (is_frozen (json, config, cell))
    sym_attributes_set (attributes, "trainable", sym_value_new_bool (FALSE), NULL);
  sym_keras_mark_version (reader, &attributes);
  layer = sym_layer_new (type, op, attributes);
  sym_layer_set_name (layer, name == NULL ? "cell" : name);
  return layer;
}

/* The cells within one that stacks them; SYM_JSON_NONE for any other. */
static guint
get_stack (const SymJson *json, guint cell)
{
  guint config = sym_json_get_member (json, cell, "config");

  return sym_json_string_equals (json, sym_json_get_member (json, cell, "class_name"),
                                 "StackedRNNCells")
             ? sym_json_get_member (json, config, "cells")
             : SYM_JSON_NONE;
}

SymLayer *
sym_keras_make_cell (SymKerasReader *reader, guint config)
{
  return make_layer (reader, config, sym_json_get_member (reader->json, config, "cell"), TRUE,
                     TRUE);
}

/* ---- Several ---- */

typedef struct {
  SymKerasReader *reader;
  SymModelBuilder *builder;
  SymId x, mask;
  GArray *states;  /* of SymId: what is given */
  GArray *results; /* of SymId: states that come out */
  guint next_state, next_array;
  GHashTable *classes; /* cells of each class so far */
} Draft;

/* Cells of one class are counted from 0 in files of Keras 3. */
static SymKerasShelf *
open_shelf (Draft *self, SymLayer *layer, gboolean is_stacked)
{
  const char *type = sym_layer_get_type (layer);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->classes, type)), n = 0;
  const SymOperator *op = sym_layer_get_operator (layer);
  SymKerasShelf *shelf;

  for (guint i = 0; op->slots[i].name != NULL; i++)
    n += op->slots[i].kind != SYM_SLOT_DATA &&
         sym_op_keras_has_slot (op, i, sym_layer_get_attributes (layer));
  shelf = sym_keras_shelf_open_cell (self->reader->shelf, is_stacked ? type : NULL, number,
                                     self->next_array, n);
  g_hash_table_insert (self->classes, (gpointer) type, GUINT_TO_POINTER (number + 1));
  self->next_array += n;
  return shelf;
}

static SymId
take_state (Draft *self)
{
  return self->next_state < self->states->len
             ? g_array_index (self->states, SymId, self->next_state++)
             : SYM_NO_ID;
}

static void
add_cell (Draft *self, SymLayer *layer, gboolean is_stacked)
{
  SymKerasShelf *outer = self->reader->shelf;
  g_autoptr (SymKerasShelf) shelf = open_shelf (self, layer, is_stacked);
  const SymOperator *op = sym_layer_get_operator (layer);
  const char *name = sym_layer_get_name (layer);
  g_autoptr (GArray) operands = NULL;
  int visible = 1;
  SymId call;

  self->reader->shelf = shelf;
  operands = sym_keras_add_parameters (self->reader, self->builder, layer);
  self->reader->shelf = outer;
  for (guint i = 0; i < operands->len; i++)
    {
      SymId *operand = &g_array_index (operands, SymId, i);

      if (i == 0)
        *operand = self->x;
      else if (strcmp (op->slots[i].name, "mask") == 0)
        *operand = self->mask;
      else if (g_str_has_prefix (op->slots[i].name, "initial_"))
        *operand = take_state (self);
    }
  while (operands->len > 1 && g_array_index (operands, SymId, operands->len - 1) == SYM_NO_ID)
    g_array_set_size (operands, operands->len - 1);
  op->get_n_outputs (sym_layer_get_attributes (layer), &visible);
  call = sym_model_builder_add_call (self->builder, name, layer, (const SymId *) operands->data,
                                     operands->len, (guint) visible);
  for (guint i = 0; i < (guint) visible; i++)
    {
      SymId result = sym_model_builder_get_result (self->builder, call, i);
      g_autofree char *own = i == 0 ? g_strdup (name) : g_strdup_printf ("%s[0][%u]", name, i);

      sym_model_builder_set_value_name (self->builder, result, own);
      if (i == 0)
        self->x = result;
      else
        g_array_append_val (self->results, result);
    }
}

static GPtrArray *
make_layers (SymKerasReader *reader, guint config, guint cell)
{
  const SymJson *json = reader->json;
  guint stack = get_stack (json, cell), n = sym_json_count (json, stack), k = 0;
  g_autoptr (GPtrArray) layers = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_layer_unref);
  SymLayer *layer;

  if (stack == SYM_JSON_NONE)
    {
      layer = make_layer (reader, config, cell, TRUE, TRUE);
      if (layer != NULL)
        g_ptr_array_add (layers, layer);
      return g_steal_pointer (&layers);
    }
  for (SymJsonIter i = sym_json_iterate (json, stack); sym_json_iter_next (json, &i); k++)
    {
      layer = n > MAX_CELLS ? NULL : make_layer (reader, config, i.value, k == 0, k + 1 == n);
      if (layer == NULL)
        {
          g_ptr_array_set_size (layers, 0);
          break;
        }
      g_ptr_array_add (layers, layer);
    }
  return g_steal_pointer (&layers);
}

static SymId
add_input (Draft *self, const char *name)
{
  SymType any = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, &any);

  sym_model_builder_add_input (self->builder, value);
  return value;
}

static void
add_inputs (Draft *self, guint n_states, gboolean has_mask)
{
  self->x = add_input (self, "input");
  for (guint i = 0; i < n_states; i++)
    {
      g_autofree char *name = g_strdup_printf ("state%u", i);
      SymId state = add_input (self, name);

      g_array_append_val (self->states, state);
    }
  self->mask = has_mask ? add_input (self, "mask") : SYM_NO_ID;
}

SymModel *
sym_keras_make_cells (SymKerasReader *reader, guint config, guint n_states, gboolean has_mask)
{
  guint cell = sym_json_get_member (reader->json, config, "cell");
  gboolean is_stacked = get_stack (reader->json, cell) != SYM_JSON_NONE, backwards = FALSE;
  g_autoptr (GPtrArray) layers = make_layers (reader, config, cell);
  Draft self = { .reader = reader };

  sym_json_get_bool (reader->json, sym_json_get_member (reader->json, config, "go_backwards"),
                     &backwards);
  /* Behind the first cell the steps are turned round, the mask is not. */
  if (layers->len == 0 || (layers->len > 1 && backwards && has_mask))
    return NULL;
  self.builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self.states = g_array_new (FALSE, FALSE, sizeof (SymId));
  self.results = g_array_new (FALSE, FALSE, sizeof (SymId));
  self.classes = g_hash_table_new (g_str_hash, g_str_equal);
  add_inputs (&self, n_states, has_mask);
  for (guint i = 0; i < layers->len; i++)
    add_cell (&self, layers->pdata[i], is_stacked);
  sym_model_builder_add_output (self.builder, self.x);
  for (guint i = 0; i < self.results->len; i++)
    sym_model_builder_add_output (self.builder, g_array_index (self.results, SymId, i));
  g_array_unref (self.states);
  g_array_unref (self.results);
  g_hash_table_unref (self.classes);
  return sym_model_builder_end (self.builder);
}
