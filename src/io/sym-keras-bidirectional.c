/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "ops/sym-op-keras.h"

#include <string.h>

/* What Bidirectional is: the layer, the layer from the end, and what joins the two. */
typedef struct {
  SymKerasReader *reader;
  SymModelBuilder *builder;
  SymId input, mask;
  SymId states[4];
  guint n_states;
  gboolean returns_sequences, returns_state;
} Draft;

/* The layer as it is written, without its name; or that of the only cell of an RNN. */
static SymLayer *
make_plain (SymKerasReader *reader, guint token, guint config)
{
  static const char *const only_name[] = { "name", NULL };
  g_autofree char *type =
      sym_json_dup_string (reader->json, sym_json_get_member (reader->json, token, "class_name"));
  g_autoptr (SymAttributes) attributes = sym_keras_read_attributes (reader, config, only_name);
  SymLayer *cell = g_strcmp0 (type, "RNN") == 0 ? sym_keras_make_cell (reader, config) : NULL;

  if (cell != NULL)
    return cell;
  sym_keras_mark_version (reader, &attributes);
  return sym_layer_new (type == NULL ? "RNN" : type,
                        sym_keras_find_operator (reader, token, type == NULL ? "" : type),
                        attributes);
}

static SymLayer *
make_direction (Draft *self, guint token, const char *prefix, gboolean flip)
{
  const SymJson *json = self->reader->json;
  guint config = sym_json_get_member (json, token, "config");
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, config, "name"));
  g_autofree char *full =
      g_strconcat (name != NULL && g_str_has_prefix (name, prefix) ? "" : prefix,
                   name == NULL ? "layer" : name, NULL);
  g_autoptr (SymLayer) plain = make_plain (self->reader, token, config);
  const SymAttributes *own = sym_layer_get_attributes (plain);
  gboolean backwards = sym_op_keras_get_bool (own, "go_backwards", FALSE);
  g_autoptr (SymAttributes) attributes =
      sym_attributes_with (own, "go_backwards", sym_value_new_bool (backwards != flip), NULL);
  SymLayer *layer = sym_layer_new (sym_layer_get_type (plain), sym_layer_get_operator (plain),
                                   flip ? attributes : (SymAttributes *) own);

  sym_layer_set_name (layer, full);
  return layer;
}

static GArray *
add_weights (Draft *self, SymLayer *layer, guint half)
{
  SymKerasShelf *outer = self->reader->shelf;
  g_autoptr (SymKerasShelf) shelf =
      sym_keras_shelf_open_part (outer, half == 0 ? "forward_layer" : "backward_layer");
  GArray *ids;

  self->reader->shelf = shelf;
  ids = sym_keras_add_parameters (self->reader, self->builder, layer);
  self->reader->shelf = outer;
  return ids;
}

/* States are halves: those of the first direction, then those of the other. */
static SymId
call_direction (Draft *self, SymLayer *layer, guint half)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  g_autoptr (GArray) operands = add_weights (self, layer, half);
  const char *name = sym_layer_get_name (layer);
  guint state = half * (self->n_states / 2);
  int visible = 1;
  SymId call;

  for (guint i = 0; i < operands->len; i++)
    {
      SymId *operand = &g_array_index (operands, SymId, i);

      if (i == 0)
        *operand = self->input;
      else if (op == NULL) /* of somebody's own layer all others are weights */
        continue;
      else if (g_str_equal (op->slots[i].name, "mask"))
        *operand = self->mask;
      else if (g_str_has_prefix (op->slots[i].name, "initial_") &&
               state < (half + 1) * (self->n_states / 2))
        *operand = self->states[state++];
    }
  if (operands->len == 0)
    g_array_append_val (operands, self->input);
  while (operands->len > 1 && g_array_index (operands, SymId, operands->len - 1) == SYM_NO_ID)
    g_array_set_size (operands, operands->len - 1);
  if (op != NULL && op->get_n_outputs != NULL)
    op->get_n_outputs (sym_layer_get_attributes (layer), &visible);
  call = sym_model_builder_add_call (self->builder, name, layer, (const SymId *) operands->data,
                                     operands->len, (guint) visible);
  for (guint i = 0; i < (guint) visible; i++)
    {
      g_autofree char *result = i == 0 ? g_strdup (name) : g_strdup_printf ("%s[0][%u]", name, i);

      sym_model_builder_set_value_name (
          self->builder, sym_model_builder_get_result (self->builder, call, i), result);
    }
  return call;
}

static SymId
add_number (Draft *self, const char *name, gint64 number)
{
  SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (1));
  gint64 little = GINT64_TO_LE (number);
  g_autoptr (GBytes) bytes = g_bytes_new (&little, sizeof little);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_CONSTANT, &type);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (type.dtype, &type.shape, blob, 0, NULL));
  return value;
}

/* The outputs of the layer that began at the end, in the order of the data. */
static SymId
reverse (Draft *self, SymId x)
{
  SymId operands[] = { x, add_number (self, "start", -1),
                       add_number (self, "stop", -(gint64) G_MAXINT32),
                       add_number (self, "axis", 1), add_number (self, "step", -1) };
  g_autoptr (SymLayer) layer = sym_layer_new ("Slice", sym_op_find ("", "Slice", 0), NULL);
  SymId call = sym_model_builder_add_call (self->builder, "reverse", layer, operands,
                                           G_N_ELEMENTS (operands), 1);
  SymId result = sym_model_builder_get_result (self->builder, call, 0);

  sym_model_builder_set_value_name (self->builder, result, "reversed");
  return result;
}

static SymId
merge (Draft *self, const char *mode, SymId forward, SymId backward)
{
  static const struct {
    const char *mode;
    const char *type;
  } types[] = {
    { "concat", "Concatenate" },
    { "sum", "Add" },
    { "mul", "Multiply" },
    { "ave", "Average" },
  };
  SymId operands[] = { forward, backward }, call, result;
  g_autoptr (SymLayer) layer = NULL;
  const char *type = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].mode, mode) == 0)
      type = types[i].type;
  layer = sym_layer_new (type == NULL ? mode : type,
                         type == NULL ? NULL : sym_op_find ("keras", type, 0), NULL);
  call = sym_model_builder_add_call (self->builder, "merge", layer, operands, 2, 1);
  result = sym_model_builder_get_result (self->builder, call, 0);
  sym_model_builder_set_value_name (self->builder, result, "merged");
  return result;
}

static void
add_inputs (Draft *self, guint n_states, gboolean has_mask)
{
  SymType any = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);

  self->input = sym_model_builder_add_value (self->builder, "input", SYM_ROLE_INPUT, &any);
  for (guint i = 0; i < n_states; i++)
    {
      g_autofree char *name = g_strdup_printf ("state_%u", i);

      self->states[i] = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, &any);
    }
  self->n_states = n_states;
  if (has_mask)
    self->mask = sym_model_builder_add_value (self->builder, "mask", SYM_ROLE_INPUT, &any);
}

static void
set_outputs (Draft *self, guint config, SymId forward, SymId backward, guint n_visible)
{
  const SymJson *json = self->reader->json;
  guint token = sym_json_get_member (json, config, "merge_mode");
  g_autofree char *mode = sym_json_dup_string (json, token);
  SymId first = sym_model_builder_get_result (self->builder, forward, 0);
  SymId second = sym_model_builder_get_result (self->builder, backward, 0);

  if (self->returns_sequences)
    second = reverse (self, second);
  if (mode != NULL || token == SYM_JSON_NONE)
    sym_model_builder_add_output (self->builder,
                                  merge (self, mode == NULL ? "concat" : mode, first, second));
  else
    {
      sym_model_builder_add_output (self->builder, first);
      sym_model_builder_add_output (self->builder, second);
    }
  for (guint k = 0; k < 2; k++)
    for (guint i = 1; i < n_visible; i++)
      sym_model_builder_add_output (
          self->builder,
          sym_model_builder_get_result (self->builder, k == 0 ? forward : backward, i));
}

/* NULL without an error for a wrapper without a layer. */
SymModel *
sym_keras_make_bidirectional (SymKerasReader *reader,
                              guint config,
                              guint n_states,
                              gboolean has_mask,
                              GError **error)
{
  const SymJson *json = reader->json;
  Draft self = { .reader = reader, .mask = SYM_NO_ID };
  guint token = sym_json_get_member (json, config, "layer");
  guint other = sym_json_get_member (json, config, "backward_layer");
  g_autoptr (SymLayer) forward = NULL;
  g_autoptr (SymLayer) backward = NULL;
  const SymAttributes *attributes;
  SymId first, second;
  int visible = 1;

  if (sym_json_get_kind (json, token) != SYM_JSON_OBJECT)
    return NULL;
  if (n_states > G_N_ELEMENTS (self.states))
    {
      sym_json_set_error (json, token, error, "a Bidirectional has at most %u states, not %u",
                          (guint) G_N_ELEMENTS (self.states), n_states);
      return NULL;
    }
  if (sym_json_get_kind (json, other) != SYM_JSON_OBJECT)
    other = SYM_JSON_NONE;
  self.builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  add_inputs (&self, n_states, has_mask);
  forward = make_direction (&self, token, "forward_", FALSE);
  backward = make_direction (&self, other == SYM_JSON_NONE ? token : other, "backward_",
                             other == SYM_JSON_NONE);
  attributes = sym_layer_get_attributes (forward);
  self.returns_sequences = sym_op_keras_get_bool (attributes, "return_sequences", FALSE);
  if (sym_layer_get_operator (forward) != NULL &&
      sym_layer_get_operator (forward)->get_n_outputs != NULL)
    sym_layer_get_operator (forward)->get_n_outputs (attributes, &visible);
  first = call_direction (&self, forward, 0);
  second = call_direction (&self, backward, 1);
  if (sym_layer_get_operator (backward) != sym_layer_get_operator (forward))
    visible = 1;
  set_outputs (&self, config, first, second, (guint) visible);
  return sym_model_builder_end (self.builder);
}
