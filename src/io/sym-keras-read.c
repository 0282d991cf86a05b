/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-draft.h"

#include <string.h>

void
sym_keras_origin_free (SymKerasOrigin *self)
{
  g_free (self->class_name);
  sym_attributes_unref (self->root);
  sym_attributes_unref (self->config);
  g_clear_pointer (&self->wrapper, sym_attributes_unref);
  g_free (self);
}

/* ---- Inputs ---- */

static SymId
add_input (SymKerasDraft *self, const char *name, const SymType *type, guint token)
{
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, type);

  sym_model_builder_set_value_line (self->builder, value,
                                    sym_json_get_line (self->reader->json, token));
  if (type->shape.rank >= 0) /* which no layer behind it says better */
    sym_keras_draft_note_shape (self, value, &type->shape);
  return value;
}

/* What a sequence was built for, as its config and what stands around the whole say. */
static void
find_built (const SymKerasDraft *self, guint tokens[2])
{
  const SymJson *json = self->reader->json;
  guint around = self->depth > 0 || !self->graph->is_sequence
                     ? SYM_JSON_NONE
                     : sym_json_get_member (json, self->reader->root, "build_config");

  tokens[0] = self->graph->is_sequence
                  ? sym_json_get_member (json, self->config, "build_input_shape")
                  : SYM_JSON_NONE;
  tokens[1] = sym_json_get_member (json, around, "input_shape");
}

/* The first layer of a sequence has what the whole was built for. */
static void
compare_built (SymKerasDraft *self, SymId input)
{
  guint tokens[2];

  find_built (self, tokens);
  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    sym_keras_draft_compare_built (self, self->name, tokens[i], input);
}

static void
add_input_layer (SymKerasDraft *self, SymKerasLayer *layer)
{
  static const char *const only_name[] = { "name", NULL };
  SymType type = sym_keras_read_type (self->reader, layer->config);

  layer->input = add_input (self, layer->name, &type, layer->token);
  sym_model_builder_set_value_attributes (
      self->builder, layer->input,
      sym_keras_read_attributes (self->reader, layer->config, only_name));
  if (layer == sym_keras_graph_get_layer (self->graph, 0))
    compare_built (self, layer->input);
}

/* What a model within says of its first input. */
static SymType
get_body_type (const SymLayer *layer)
{
  SymModel *body = sym_layer_get_n_bodies (layer) > 0 ? sym_layer_get_body (layer, 0, NULL) : NULL;
  SymIds inputs = body == NULL ? (SymIds){ NULL, 0 } : sym_model_get_inputs (body);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE_UNKNOWN);

  if (inputs.n == 0 || g_str_equal (sym_layer_get_type (layer), "TimeDistributed"))
    return type;
  type = sym_model_get_declared_type (body, inputs.ids[0]);
  for (int i = 0; i < type.shape.rank; i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = SYM_DIM_UNKNOWN;
  return type;
}

/* The first layer of a sequence may say what it is applied to. */
static SymId
add_implied_input (SymKerasDraft *self, const SymKerasLayer *layer)
{
  g_autofree char *name = g_strconcat (layer->name, "_input", NULL);
  guint build = sym_json_get_member (self->reader->json, layer->token, "build_config");
  SymType type = sym_keras_read_type (self->reader, layer->config);
  SymAttributes *mark = sym_attributes_new ();
  gboolean is_first = layer == sym_keras_graph_get_layer (self->graph, 0);
  guint tokens[2];
  SymId value;

  if (type.shape.rank < 0 && sym_layer_get_n_bodies (layer->layer) > 0)
    type = get_body_type (layer->layer);
  if (type.shape.rank < 0)
    sym_keras_read_shape (
        self->reader, sym_json_get_member (self->reader->json, build, "input_shape"), &type.shape);
  find_built (self, tokens);
  for (guint i = 0; i < G_N_ELEMENTS (tokens) && is_first; i++)
    if (type.shape.rank < 0)
      sym_keras_read_shape (self->reader, tokens[i], &type.shape);
  value = add_input (self, name, &type, layer->token);
  sym_attributes_set (mark, "implied", sym_value_new_bool (TRUE), NULL);
  sym_model_builder_set_value_attributes (self->builder, value, mark);
  if (is_first)
    compare_built (self, value);
  return value;
}

/* ---- Calls ---- */

static guint
count_results (const SymKerasLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer->layer);
  SymModel *body = sym_layer_get_running_body (layer->layer);
  int visible = 1;
  guint n = layer->n_results;

  if (body != NULL)
    return MAX (n, sym_model_get_outputs (body).n);
  if (op != NULL && op->get_n_outputs != NULL)
    {
      op->get_n_outputs (sym_layer_get_attributes (layer->layer), &visible);
      n = MAX (n, (guint) visible);
    }
  return n;
}

/* "dense"; "dense[1]" of its second application, "lstm[0][1]" of a second tensor. */
static void
name_results (SymKerasDraft *self, const SymKerasLayer *layer, guint place, SymId call, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      SymId value = sym_model_builder_get_result (self->builder, call, i);
      g_autofree char *name = i > 0       ? g_strdup_printf ("%s[%u][%u]", layer->name, place, i)
                              : place > 0 ? g_strdup_printf ("%s[%u]", layer->name, place)
                                          : g_strdup (layer->name);

      sym_model_builder_set_value_name (self->builder, value, name);
    }
}

/* What stands beside the config: `module`, `registered_name`, `build_config`. */
static SymAttributes *
read_extras (SymKerasDraft *self, const SymKerasLayer *layer)
{
  static const char *const known[] = { "class_name", "config", "name", "inbound_nodes", NULL };

  return sym_keras_share_attributes (self->reader, layer->token, known);
}

static void
add_calls (SymKerasDraft *self, SymKerasLayer *layer)
{
  guint n = count_results (layer);

  layer->parameters = sym_keras_add_parameters (self->reader, self->builder, layer->layer);
  for (guint i = 0; i < layer->n_nodes; i++)
    {
      SymKerasNode *node = sym_keras_graph_get_node (self->graph, layer->first_node + i);
      g_autofree char *name =
          i == 0 ? g_strdup (layer->name) : g_strdup_printf ("%s[%u]", layer->name, i);

      node->call = sym_model_builder_add_call (self->builder, name, layer->layer, NULL, 0, n);
      sym_model_builder_set_call_line (self->builder, node->call,
                                       sym_json_get_line (self->reader->json, layer->token));
      sym_model_builder_set_call_attributes (self->builder, node->call, read_extras (self, layer));
      name_results (self, layer, i, node->call, n);
    }
}

static gboolean
add_layer (SymKerasDraft *self, SymKerasLayer *layer, GError **error)
{
  if (layer->n_nodes == 0)
    {
      sym_keras_draft_leave_out (self, layer->token, layer->name, "applied to nothing");
      return TRUE;
    }
  layer->layer = sym_keras_make_layer (self->reader, self->graph, layer, self->depth, error);
  if (layer->layer == NULL)
    return FALSE;
  if (self->graph->is_sequence && layer->n_nodes > 0 &&
      sym_keras_graph_get_node (self->graph, layer->first_node)->n_refs == 0)
    layer->input = add_implied_input (self, layer);
  add_calls (self, layer);
  return TRUE;
}

/* A layer takes its weights from its own shelf, and so do layers within it. */
static gboolean
add_layers (SymKerasDraft *self, GError **error)
{
  SymKerasShelf *outer = self->reader->shelf;
  gboolean done = TRUE;

  for (guint i = 0; i < self->graph->layers->len && done; i++)
    {
      SymKerasLayer *layer = sym_keras_graph_get_layer (self->graph, i);
      g_autoptr (SymKerasShelf) shelf = NULL;

      if (g_cancellable_set_error_if_cancelled (self->reader->source->cancellable, error))
        return FALSE;
      if (layer->is_input)
        {
          add_input_layer (self, layer);
          continue;
        }
      shelf = sym_keras_shelf_open_layer (outer, self->graph, i);
      self->reader->shelf = shelf;
      done = add_layer (self, layer, error);
      self->reader->shelf = outer;
    }
  return done;
}

/* ---- The whole ---- */

static void
set_ends (SymKerasDraft *self)
{
  for (guint i = 0; i < self->graph->inputs->len; i++)
    {
      SymId value =
          sym_keras_draft_find_value (self, &g_array_index (self->graph->inputs, SymKerasRef, i));

      if (value != SYM_NO_ID)
        sym_model_builder_add_input (self->builder, value);
    }
  for (guint i = 0; i < self->graph->outputs->len; i++)
    {
      SymId value =
          sym_keras_draft_find_value (self, &g_array_index (self->graph->outputs, SymKerasRef, i));

      if (value != SYM_NO_ID)
        sym_model_builder_add_output (self->builder, value);
    }
}

static gboolean
fill (SymKerasDraft *self, GError **error)
{
  if (!add_layers (self, error))
    return FALSE;
  for (guint i = 0; i < self->graph->nodes->len; i++)
    {
      SymKerasNode *node = sym_keras_graph_get_node (self->graph, i);

      if (node->call != SYM_NO_ID)
        sym_keras_draft_connect (self, node);
    }
  set_ends (self);
  return TRUE;
}

static gboolean
is_flat (const SymJson *json, guint config, const char *key)
{
  guint first = sym_json_get_element (json, sym_json_get_member (json, config, key), 0);

  return sym_json_get_kind (json, first) == SYM_JSON_STRING;
}

static void
note_form (const SymKerasDraft *self, guint config, SymKerasOrigin *origin)
{
  if (origin == NULL)
    return;
  origin->is_sequence = self->graph->is_sequence;
  origin->has_flat_inputs = is_flat (self->reader->json, config, "input_layers");
  origin->has_flat_outputs = is_flat (self->reader->json, config, "output_layers");
}

/* Layers that need what follows from them; those of models within are told with the whole. */
static void
tell_cycles (const SymModel *model, SymProblems *problems, gboolean is_within)
{
  for (SymId call = 0; sym_model_has_cycle (model) && call < sym_model_get_n_calls (model); call++)
    {
      SymIds operands = sym_model_get_operands (model, call);
      gboolean closes = FALSE;

      for (guint i = 0; i < operands.n; i++)
        closes = closes || sym_model_is_back_edge (model, call, i);
      if (closes)
        sym_problems_add (problems, SYM_SEVERITY_ERROR, sym_model_get_call_line (model, call),
                          SYM_NO_ID, is_within ? SYM_NO_ID : call,
                          "“%s” needs its own results: a cycle cannot be run",
                          sym_model_get_call_name (model, call));
    }
}

static SymModel *
end (SymKerasDraft *self)
{
  SymProblems *problems = sym_model_builder_get_problems (self->builder);
  SymModel *model;

  if (self->depth == 0)
    sym_problems_append (problems, self->reader->source->problems);
  else
    problems = self->reader->source->problems;
  model = sym_model_builder_end (self->builder);
  tell_cycles (model, problems, self->depth > 0);
  return model;
}

SymModel *
sym_keras_build (SymKerasReader *reader,
                 guint config,
                 const char *name,
                 SymKerasOrigin *take_origin,
                 guint depth,
                 GError **error)
{
  g_autoptr (SymKerasGraph) graph = sym_keras_graph_new (reader, config, error);
  SymKerasDraft self = {
    .reader = reader, .graph = graph, .depth = depth, .config = config, .name = name
  };
  gboolean done, is_frozen;

  if (graph == NULL)
    {
      g_clear_pointer (&take_origin, sym_keras_origin_free);
      return NULL;
    }
  self.builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self.typed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.masks = g_hash_table_new (NULL, NULL);
  sym_model_builder_set_name (self.builder, name);
  note_form (&self, config, take_origin);
  if (take_origin != NULL)
    sym_model_builder_set_origin (self.builder, reader->format, take_origin,
                                  (GDestroyNotify) sym_keras_origin_free);
  is_frozen = sym_keras_enter (reader, config);
  done = fill (&self, error);
  reader->is_frozen = is_frozen;
  g_hash_table_unref (self.typed);
  g_hash_table_unref (self.masks);
  if (depth == 0)
    sym_keras_weights_end (g_steal_pointer (&reader->weights));
  if (done)
    return end (&self);
  sym_model_builder_free (self.builder);
  return NULL;
}

/* The layer of a wrapper stands alone: a sequence of one. */
SymModel *
sym_keras_build_single (SymKerasReader *reader, guint token, guint depth, GError **error)
{
  const SymJson *json = reader->json;
  g_autofree char *type =
      sym_json_dup_string (json, sym_json_get_member (json, token, "class_name"));
  guint config = sym_json_get_member (json, token, "config");
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, config, "name"));
  SymKerasLayer layer = {
    .name = name == NULL ? (char *) "layer" : name, .type = type, .token = token, .config = config
  };
  SymType any = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  g_autoptr (GArray) parameters = NULL;
  g_autoptr (SymLayer) made = NULL;
  SymKerasShelf *outer = reader->shelf;
  g_autoptr (SymKerasShelf) shelf = NULL;
  SymModelBuilder *builder;
  SymId input, call;

  if (!sym_json_expect (json, sym_json_get_member (json, token, "class_name"), SYM_JSON_STRING,
                        "class_name", error))
    return NULL;
  shelf = sym_keras_shelf_open_part (outer, "layer");
  reader->shelf = shelf;
  made = sym_keras_make_layer (reader, NULL, &layer, depth, error);
  reader->shelf = outer;
  if (made == NULL)
    return NULL;
  builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  sym_model_builder_set_name (builder, layer.name);
  input = sym_model_builder_add_value (builder, "input", SYM_ROLE_INPUT, &any);
  reader->shelf = shelf;
  parameters = sym_keras_add_parameters (reader, builder, made);
  reader->shelf = outer;
  call = sym_model_builder_add_call (builder, layer.name, made, &input, 1, 1);
  for (guint i = sym_layer_get_operator (made) != NULL; i < parameters->len; i++)
    sym_model_builder_append_operand (builder, call, g_array_index (parameters, SymId, i));
  sym_model_builder_set_value_name (builder, sym_model_builder_get_result (builder, call, 0),
                                    layer.name);
  sym_model_builder_add_input (builder, input);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  return sym_model_builder_end (builder);
}
