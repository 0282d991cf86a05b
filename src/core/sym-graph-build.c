/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"
#include "core/sym-structural.h"

#include "core/sym-error.h"
#include "core/sym-model-builder.h"
#include "core/sym-naming.h"

/* ---- What a model keeps to find its nodes ---- */

typedef struct {
  gpointer token;
  GHashTable *values; /* index of the node + 1 to id of the value + 1 */
} Origin;

static void
free_origin (gpointer data)
{
  Origin *origin = data;

  g_atomic_rc_box_release (origin->token);
  g_hash_table_unref (origin->values);
  g_free (origin);
}

/* ---- Choosing the nodes ---- */

enum { IS_ANCESTOR = 1, IS_DESCENDANT = 2, IS_USED = 3, IS_INPUT = 4, IS_LISTED = 8 };

typedef struct {
  SymGraph *graph;
  guint8 *marks; /* per node */
  SymNode *const *inputs;
  guint n_inputs;
  SymNode *const *outputs;
  guint n_outputs;

  SymModelBuilder *builder;
  SymNaming *naming;
  GHashTable *terms;      /* of the graph to those of the model */
  GHashTable *values;     /* see Origin */
  GHashTable *parameters; /* SymParameter to id of its value + 1 */
} Build;

static void
mark_ancestors (Build *self)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  for (guint i = 0; i < self->n_outputs; i++)
    g_ptr_array_add (open, self->outputs[i]);
  while (open->len > 0)
    {
      SymNode *node = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (self->marks[node->index] & IS_ANCESTOR)
        continue;
      self->marks[node->index] |= IS_ANCESTOR;
      for (guint i = 0; i < sym_node_get_n_parents (node); i++)
        g_ptr_array_add (open, sym_node_get_parent (node, i));
    }
}

static void
mark_descendants (Build *self)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  for (guint i = 0; i < self->n_inputs; i++)
    g_ptr_array_add (open, self->inputs[i]);
  while (open->len > 0)
    {
      SymNode *node = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (self->marks[node->index] & IS_DESCENDANT)
        continue;
      self->marks[node->index] |= IS_DESCENDANT;
      for (guint i = 0; i < sym_node_get_n_children (node); i++)
        g_ptr_array_add (open, sym_node_get_child (node, i));
    }
}

static gboolean
is_executed (const Build *self, const SymNode *node)
{
  guint8 marks = self->marks[node->index];

  return (marks & IS_USED) == IS_USED && !(marks & IS_INPUT);
}

/* ---- Checking ---- */

static gboolean
check_lists (const Build *self, GError **error)
{
  if (self->n_inputs == 0 || self->n_outputs == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "A model needs at least one %s",
                   self->n_inputs == 0 ? "input" : "output");
      return FALSE;
    }
  for (guint i = 0; i < self->n_inputs + self->n_outputs; i++)
    {
      gboolean is_input = i < self->n_inputs;
      SymNode *node = is_input ? self->inputs[i] : self->outputs[i - self->n_inputs];

      if (node->graph != self->graph)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                       "Only SymbolicData allowed in %s! Number %u is a node of another graph",
                       is_input ? "inputs" : "outputs", is_input ? i + 1 : i - self->n_inputs + 1);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
mark_inputs (Build *self, GError **error)
{
  for (guint i = 0; i < self->n_inputs; i++)
    {
      SymNode *node = self->inputs[i];

      if (self->marks[node->index] & IS_INPUT)
        {
          g_autofree char *text = sym_node_to_string (node);

          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                       "Node %s is given twice among the inputs", text);
          return FALSE;
        }
      self->marks[node->index] |= IS_INPUT;
    }
  return TRUE;
}

/* P52. */
static gboolean
check_parents (const Build *self, SymNode *node, GError **error)
{
  for (guint i = 0; i < node->call->n_operands; i++)
    {
      SymNode *parent = node->call->operands[i];
      g_autofree char *text = NULL;
      g_autofree char *foreign = NULL;

      if ((self->marks[parent->index] & IS_USED) == IS_USED)
        continue;
      text = sym_node_to_string (node);
      foreign = sym_node_to_string (parent);
      g_set_error (error, SYM_ERROR, SYM_ERROR_FOREIGN_PARENT,
                   "Node %s depends on the output of a foreign node! Perhaps you set the wrong "
                   "inputs? %s, which %s needs, is neither among them nor made from them",
                   text, foreign, sym_layer_get_type (node->call->layer));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_outputs (const Build *self, GError **error)
{
  for (guint i = 0; i < self->n_outputs; i++)
    {
      g_autofree char *text = NULL;

      if (self->marks[self->outputs[i]->index] & IS_DESCENDANT)
        continue;
      text = sym_node_to_string (self->outputs[i]);
      g_set_error (error, SYM_ERROR, SYM_ERROR_FOREIGN_PARENT,
                   "Output %u, %s, depends on none of the inputs", i + 1, text);
      return FALSE;
    }
  return TRUE;
}

static gboolean
choose_nodes (Build *self, GError **error)
{
  if (!check_lists (self, error))
    return FALSE;

  self->marks = g_new0 (guint8, self->graph->nodes->len);
  if (!mark_inputs (self, error))
    return FALSE;
  mark_ancestors (self);
  mark_descendants (self);
  if (!check_outputs (self, error))
    return FALSE;
  for (guint i = 0; i < self->graph->nodes->len; i++)
    {
      SymNode *node = g_ptr_array_index (self->graph->nodes, i);

      if (is_executed (self, node) && !check_parents (self, node, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Writing down ---- */

static SymId
find_value (const Build *self, const SymNode *node)
{
  gpointer found = g_hash_table_lookup (self->values, GUINT_TO_POINTER (node->index + 1));

  return found == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (found) - 1;
}

static void
bind_value (Build *self, const SymNode *node, SymId value)
{
  g_hash_table_insert (self->values, GUINT_TO_POINTER (node->index + 1),
                       GUINT_TO_POINTER (value + 1));
  if (node->variable != NULL)
    sym_model_builder_set_variable (self->builder, value, node->variable);
}

static void
add_range (Build *self, const SymNode *node, SymId value)
{
  SymAttributes *attributes;

  if (node->min_value == 0 && (node->max_value == 0 || node->max_value == 1))
    return;

  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "min_value", sym_value_new_float (node->min_value), NULL);
  sym_attributes_set (attributes, "max_value", sym_value_new_float (node->max_value), NULL);
  sym_model_builder_set_value_attributes (self->builder, value, attributes);
}

static void
add_inputs (Build *self)
{
  for (guint i = 0; i < self->n_inputs; i++)
    {
      SymNode *node = self->inputs[i];
      g_autofree char *name = g_strdup_printf ("Input_%u", i + 1);
      SymType type = node->type;
      SymId value;

      type.shape =
          sym_terms_translate_shape (self->graph->terms, &node->type.shape,
                                     sym_model_builder_get_terms (self->builder), self->terms);
      sym_naming_reserve (self->naming, name);
      value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, &type);
      sym_model_builder_add_input (self->builder, value);
      bind_value (self, node, value);
      add_range (self, node, value);
    }
}

static SymRole
get_parameter_role (SymLayer *layer, const char *name)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  if (op == NULL || op->slots == NULL)
    return SYM_ROLE_PARAMETER;
  for (const SymSlotSpec *slot = op->slots; slot->name != NULL; slot++)
    if (g_str_equal (slot->name, name))
      return slot->kind == SYM_SLOT_AUXILIARY ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER;

  return SYM_ROLE_PARAMETER;
}

/* The value of a layer's parameter, one for all calls that share it, named after the first. */
static SymId
add_parameter (Build *self, SymLayer *layer, const char *layer_name, guint i)
{
  const char *name;
  const SymType *type;
  SymParameter *parameter = sym_layer_get_parameter (layer, i, &name, &type);
  gpointer found = g_hash_table_lookup (self->parameters, parameter);
  g_autofree char *full_name = NULL;
  SymId value;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;

  full_name = g_strdup_printf ("%s.%s", layer_name, name);
  value = sym_model_builder_add_value (self->builder, full_name, get_parameter_role (layer, name),
                                       type);
  sym_model_builder_set_parameter (self->builder, value, sym_parameter_ref (parameter));
  g_hash_table_insert (self->parameters, parameter, GUINT_TO_POINTER (value + 1));
  return value;
}

/* The results that a model shows of a call: all, but of an UnpackLayer those in use. */
static GArray *
choose_results (const Build *self, const SymGraphCall *call)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < call->n_results; i++)
    if (!call->unpacks || is_executed (self, call->results[i]))
      g_array_append_val (chosen, i);
  return chosen;
}

static SymLayer *
refer_layer (const SymGraphCall *call, const GArray *chosen)
{
  g_autoptr (SymAttributes) attributes = NULL;
  g_autofree gint64 *elements = NULL;

  if (chosen->len == call->n_results)
    return sym_layer_ref (call->layer);

  elements = g_new (gint64, chosen->len);
  for (guint i = 0; i < chosen->len; i++)
    elements[i] = g_array_index (chosen, guint, i);
  attributes =
      sym_attributes_with (sym_layer_get_attributes (call->layer), "elements",
                           sym_value_new_ints (SYM_VALUE_TUPLE, elements, chosen->len), NULL);
  return sym_layer_with_attributes (call->layer, attributes);
}

static void
bind_results (Build *self, const SymGraphCall *call, SymId id, const char *name, GArray *chosen)
{
  for (guint i = 0; i < chosen->len; i++)
    {
      guint k = g_array_index (chosen, guint, i);
      SymId value = sym_model_builder_get_result (self->builder, id, i);

      if (chosen->len > 1)
        {
          g_autofree char *full_name = g_strdup_printf ("%s[%u]", name, k);

          sym_model_builder_set_value_name (self->builder, value, full_name);
        }
      if (call->results[k]->typed_by_value)
        sym_model_builder_set_type (self->builder, value, &call->results[k]->type);
      if (!(self->marks[call->results[k]->index] & IS_INPUT))
        bind_value (self, call->results[k], value);
    }
}

static void
add_call (Build *self, const SymGraphCall *call)
{
  guint n_parameters = sym_layer_get_n_parameters (call->layer);
  g_autofree SymId *operands = g_new (SymId, call->n_operands + n_parameters + 1);
  g_autoptr (GArray) chosen = choose_results (self, call);
  g_autoptr (SymLayer) layer = refer_layer (call, chosen);
  const char *custom = call->name != NULL ? call->name : sym_layer_get_name (layer);
  const char *name = sym_naming_take (self->naming, sym_layer_get_type (layer), custom);
  SymId id;

  for (guint i = 0; i < call->n_operands; i++)
    operands[i] = find_value (self, call->operands[i]);
  for (guint i = 0; i < n_parameters; i++)
    operands[call->n_operands + i] = add_parameter (self, layer, name, i);

  id = sym_model_builder_add_call (self->builder, name, layer, operands,
                                   call->n_operands + n_parameters, chosen->len);
  if (call->arguments != NULL)
    sym_model_builder_set_arguments (self->builder, id, sym_value_ref (call->arguments));
  bind_results (self, call, id, name, chosen);
}

/* P55: in order of creation, each call once, however many of its siblings are used. */
static void
add_calls (Build *self)
{
  for (guint i = 0; i < self->graph->nodes->len; i++)
    {
      const SymNode *node = g_ptr_array_index (self->graph->nodes, i);
      const SymGraphCall *call = node->call;

      if (!is_executed (self, node) || (self->marks[call->results[0]->index] & IS_LISTED))
        continue;
      self->marks[call->results[0]->index] |= IS_LISTED;
      add_call (self, call);
    }
}

static SymModel *
write_down (Build *self)
{
  Origin *origin = g_new0 (Origin, 1);
  SymModel *model;

  self->builder = sym_model_builder_new (SYM_DIALECT_SYMBOLIC);
  self->naming = sym_naming_new (&sym_naming_symbolic);
  self->terms = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new (NULL, NULL);
  self->parameters = g_hash_table_new (NULL, NULL);
  add_inputs (self);
  add_calls (self);
  for (guint i = 0; i < self->n_outputs; i++)
    sym_model_builder_add_output (self->builder, find_value (self, self->outputs[i]));

  origin->token = g_atomic_rc_box_acquire (self->graph->token);
  origin->values = self->values;
  sym_model_builder_set_origin (self->builder, "symbolic", origin, free_origin);
  model = sym_model_builder_end (self->builder);
  sym_naming_free (self->naming);
  g_hash_table_unref (self->terms);
  g_hash_table_unref (self->parameters);
  return model;
}

/* P60. */
static void
let_go (const Build *self)
{
  for (guint i = 0; i < self->graph->nodes->len; i++)
    if (is_executed (self, g_ptr_array_index (self->graph->nodes, i)))
      sym_graph_let_go (g_ptr_array_index (self->graph->nodes, i));
}

/* P50.  Whoever does not look at errors before is told here at the latest. */
static gboolean
check_nodes (SymNode *const *nodes, guint n, const char *what, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (nodes[i] == NULL)
      {
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "Only SymbolicData allowed in %s! Number %u of them is NULL", what, i + 1);
        return FALSE;
      }
  return TRUE;
}

SymModel *
sym_graph_build (SymGraph *self,
                 SymNode *const *inputs,
                 guint n_inputs,
                 SymNode *const *outputs,
                 guint n_outputs,
                 GError **error)
{
  Build build = { .graph = self };
  SymModel *model = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (error != NULL && *error != NULL)
    return NULL;
  if (!check_nodes (inputs, n_inputs, "inputs", error) ||
      !check_nodes (outputs, n_outputs, "outputs", error))
    return NULL;

  build.inputs = inputs;
  build.n_inputs = n_inputs;
  build.outputs = outputs;
  build.n_outputs = n_outputs;
  if (choose_nodes (&build, error))
    {
      model = write_down (&build);
      let_go (&build);
    }
  g_free (build.marks);
  return model;
}

SymModel *
sym_node_build_model (SymNode *input, SymNode *output, GError **error)
{
  if (error != NULL && *error != NULL)
    return NULL;
  if (!check_nodes (&input, 1, "inputs", error) || !check_nodes (&output, 1, "outputs", error))
    return NULL;
  return sym_graph_build (input->graph, &input, 1, &output, 1, error);
}

SymId
sym_graph_get_model_value (SymGraph *self, SymModel *model, SymNode *node)
{
  const Origin *origin = sym_model_get_origin (model);
  gpointer found;

  if (node == NULL || node->graph != self || g_strcmp0 (sym_model_get_format (model), "symbolic") ||
      origin->token != self->token)
    return SYM_NO_ID;

  found = g_hash_table_lookup (origin->values, GUINT_TO_POINTER (node->index + 1));
  return found == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (found) - 1;
}

SymLayer *
sym_layer_new_model (SymModel *model)
{
  SymLayer *self = sym_layer_new ("SymbolicModel", NULL, NULL);

  sym_layer_add_body (self, "model", model, TRUE);
  return self;
}
