/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-draft.h"

#include "core/sym-problem-left-out.h"
#include "io/sym-told.h"

#include <string.h>

void
sym_keras_draft_leave_out (SymKerasDraft *self, guint token, const char *name, const char *why)
{
  sym_problems_add_left_out (self->reader->source->problems, SYM_SEVERITY_WARNING,
                             sym_json_get_line (self->reader->json, token),
                             "“%s” is left out: it is %s", name, why);
}

SymId
sym_keras_draft_find_value (SymKerasDraft *self, const SymKerasRef *ref)
{
  const SymKerasLayer *layer;
  const SymKerasNode *node;

  if (ref->layer == SYM_JSON_NONE)
    return SYM_NO_ID;
  layer = sym_keras_graph_get_layer (self->graph, ref->layer);
  if (layer->is_input)
    return ref->tensor == 0 ? layer->input : SYM_NO_ID;
  node = sym_keras_graph_get_node (self->graph, layer->first_node + ref->node);
  return node->call == SYM_NO_ID
             ? SYM_NO_ID
             : sym_model_builder_get_result (self->builder, node->call, ref->tensor);
}

void
sym_keras_draft_note_shape (SymKerasDraft *self, SymId value, const SymShape *shape)
{
  g_hash_table_insert (self->typed, GUINT_TO_POINTER (value), g_memdup2 (shape, sizeof *shape));
}

/* The number of examples is no matter: layers are built for what they first see. */
static gboolean
agree (const SymShape *built, const SymShape *shape)
{
  if (built->rank <= 1 || shape->rank < 0)
    return TRUE;
  if (built->rank != shape->rank)
    return FALSE;
  for (int i = 1; i < built->rank; i++)
    if (built->dims[i] >= 0 && shape->dims[i] >= 0 && built->dims[i] != shape->dims[i])
      return FALSE;
  return TRUE;
}

void
sym_keras_draft_compare_built (SymKerasDraft *self, const char *name, guint token, SymId value)
{
  const SymShape *shape = g_hash_table_lookup (self->typed, GUINT_TO_POINTER (value));
  SymShape built;

  if (shape != NULL && sym_keras_read_shape (self->reader, token, &built) && !agree (&built, shape))
    {
      g_autofree char *first = sym_told_format_shape (&built);
      g_autofree char *second = sym_told_format_shape (shape);

      sym_problems_add (self->reader->source->problems, SYM_SEVERITY_WARNING,
                        sym_json_get_line (self->reader->json, token), SYM_NO_ID, SYM_NO_ID,
                        "“%s” was built for %s, but is applied to %s", name, first, second);
    }
}

/* Keras 3 says of every tensor that is used what it is. */
static void
declare (SymKerasDraft *self, SymId value, SymDType dtype, const SymShape *shape)
{
  SymType type = sym_type_tensor (dtype, *shape);

  if (value == SYM_NO_ID || g_hash_table_contains (self->typed, GUINT_TO_POINTER (value)))
    return;
  sym_keras_draft_note_shape (self, value, shape);
  sym_model_builder_set_type (self->builder, value, &type);
}

/* Each use of a tensor tells the same, which is what an input layer tells as well. */
static void
compare_ref (SymKerasDraft *self, const SymKerasRef *ref, SymId value, const SymType *type)
{
  const SymType *known = sym_model_builder_get_type (self->builder, value);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (known == NULL || sym_told_agree (type, known))
    return;
  first = sym_told_format (type);
  second = sym_told_format (known);
  sym_problems_add (self->reader->source->problems, SYM_SEVERITY_WARNING,
                    sym_json_get_line (self->reader->json, ref->shape), SYM_NO_ID, SYM_NO_ID,
                    "the tensor of “%s” is %s where it is used here, but %s before", ref->name,
                    first, second);
}

static void
declare_ref (SymKerasDraft *self, const SymKerasRef *ref, SymId value)
{
  guint token = sym_json_get_member (self->reader->json, ref->shape, "shape");
  SymShape shape;
  SymType type;

  if (value == SYM_NO_ID || ref->shape == SYM_JSON_NONE || ref->layer == SYM_JSON_NONE ||
      !sym_keras_read_shape (self->reader, token, &shape))
    return;
  type = sym_type_tensor (sym_keras_read_dtype (self->reader, ref->shape), shape);
  compare_ref (self, ref, value, &type);
  if (!sym_keras_graph_get_layer (self->graph, ref->layer)->is_input)
    declare (self, value, type.dtype, &shape);
}

/* The shape that the layer was built for is that of its first operand, when first applied. */
static void
declare_built (SymKerasDraft *self, const SymKerasLayer *layer, SymId operand)
{
  const SymJson *json = self->reader->json;
  guint build = sym_json_get_member (json, layer->token, "build_config");
  guint token = sym_json_get_member (json, build, "input_shape");
  SymShape shape;

  if (operand == SYM_NO_ID || !sym_keras_read_shape (self->reader, token, &shape))
    return;
  sym_keras_draft_compare_built (self, layer->name, token, operand);
  declare (self, operand, SYM_DTYPE_UNKNOWN, &shape);
}

static gboolean
is_function (const SymOperator *op)
{
  return op != NULL && strcmp (op->domain, "keras.ops") == 0;
}

/* A number among the arguments is a constant operand, and so are lists of numbers.  Layers have
 * floats. */
static SymId
add_constant (SymKerasDraft *self, const SymOperator *op, const SymKerasRef *ref)
{
  guint token = sym_json_get_element (self->reader->json, ref->token, 2);
  SymId value = sym_keras_add_constant (self->reader, self->builder, token,
                                        is_function (op) ? SYM_DTYPE_INT32 : SYM_DTYPE_FLOAT32);

  if (value == SYM_NO_ID)
    sym_keras_draft_leave_out (self, ref->token, "_CONSTANT_VALUE", "no number");
  return value;
}

/* Operands of a function that are no tensors. */
static void
add_numbers (SymKerasDraft *self,
             const SymKerasLayer *layer,
             const SymOperator *op,
             GArray *operands)
{
  for (guint i = 0; op->slots[i].name != NULL && i < operands->len; i++)
    if (g_array_index (operands, SymId, i) == SYM_NO_ID)
      {
        SymId value = sym_keras_add_operand (self->reader, self->builder, layer->token, op, i);

        g_array_index (operands, SymId, i) = value;
      }
}

/* Which slot a keyword argument goes to: that of its name; "initial_state" to those of the states.
 */
static guint
find_slot (const SymOperator *op, const char *keyword, const GArray *operands)
{
  for (guint i = 0; op->slots != NULL && op->slots[i].name != NULL; i++)
    {
      gboolean is_state = g_str_equal (keyword, "initial_state") &&
                          g_str_has_prefix (op->slots[i].name, "initial_");

      if ((is_state || g_str_equal (op->slots[i].name, keyword)) && i < operands->len &&
          g_array_index (operands, SymId, i) == SYM_NO_ID)
        return i;
    }
  return SYM_JSON_NONE;
}

static guint
find_data_slot (const SymOperator *op, const GArray *operands)
{
  for (guint i = 0; op->slots != NULL && op->slots[i].name != NULL; i++)
    if (op->slots[i].kind == SYM_SLOT_DATA && !g_str_has_suffix (op->slots[i].name, "mask") &&
        i < operands->len && g_array_index (operands, SymId, i) == SYM_NO_ID)
      return i;
  return SYM_JSON_NONE;
}

static void
place_operand (SymKerasDraft *self,
               const SymKerasLayer *layer,
               GArray *operands,
               const SymOperator *op,
               SymKerasRef *ref,
               SymId value)
{
  gboolean by_slot = op != NULL && op->slots != NULL && sym_op_get_n_operands (op, NULL) != -1;
  guint slot = !by_slot               ? SYM_JSON_NONE
               : ref->keyword != NULL ? find_slot (op, ref->keyword, operands)
                                      : find_data_slot (op, operands);

  if (by_slot && ref->keyword != NULL && slot == SYM_JSON_NONE && is_function (op))
    slot = sym_keras_find_argument (self->reader, layer->token, op, ref->keyword);
  if (slot != SYM_JSON_NONE && slot >= operands->len)
    slot = SYM_JSON_NONE;
  if (slot == SYM_JSON_NONE)
    {
      slot = operands->len;
      g_array_append_val (operands, value);
    }
  else
    g_array_index (operands, SymId, slot) = value;
  ref->slot = slot;
}

static SymId
get_mask (SymKerasDraft *self, int node)
{
  SymId call = sym_keras_graph_get_node (self->graph, (guint) node)->call;
  gpointer found = g_hash_table_lookup (self->masks, GUINT_TO_POINTER (call));
  SymId mask;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  {
    const SymKerasLayer *layer = sym_keras_graph_get_layer (
        self->graph, sym_keras_graph_get_node (self->graph, (guint) node)->layer);
    g_autofree char *name = g_strconcat (layer->name, "/mask", NULL);

    mask = sym_model_builder_append_result (self->builder, call, name);
  }
  g_hash_table_insert (self->masks, GUINT_TO_POINTER (call), GUINT_TO_POINTER (mask + 1));
  return mask;
}

/* The mask of what a reference names; SYM_NO_ID for none. */
static SymId
find_mask (SymKerasDraft *self, const SymKerasRef *ref)
{
  int from;

  if (ref->layer == SYM_JSON_NONE)
    return SYM_NO_ID;
  from =
      sym_keras_graph_get_node (
          self->graph, sym_keras_graph_get_layer (self->graph, ref->layer)->first_node + ref->node)
          ->mask;
  return from < 0 ? SYM_NO_ID : get_mask (self, from);
}

/* Attention takes the masks of each of its operands: "query_mask" is that of "query". */
static void
place_masks (SymKerasDraft *self, const SymKerasNode *node, const SymOperator *op, GArray *operands)
{
  for (guint i = 0; i < node->n_refs; i++)
    {
      const SymKerasRef *ref = sym_keras_graph_get_ref (self->graph, node->first_ref + i);
      const SymSlotSpec *spec = sym_op_get_slot (op, ref->slot);
      g_autofree char *name = g_strconcat (spec == NULL ? "" : spec->name, "_mask", NULL);
      guint slot = find_slot (op, name, operands);

      if (slot != SYM_JSON_NONE)
        g_array_index (operands, SymId, slot) = find_mask (self, ref);
    }
}

/* The mask of the first operand goes to layers that look at one. */
static void
place_mask (SymKerasDraft *self,
            const SymKerasNode *node,
            const SymKerasLayer *layer,
            GArray *operands)
{
  const SymOperator *op = sym_layer_get_operator (layer->layer);
  SymModel *body = sym_layer_get_running_body (layer->layer);
  const SymKerasRef *ref;

  if (node->n_refs == 0)
    return;
  ref = sym_keras_graph_get_ref (self->graph, node->first_ref);
  if (op != NULL && find_slot (op, "mask", operands) != SYM_JSON_NONE)
    g_array_index (operands, SymId, find_slot (op, "mask", operands)) = find_mask (self, ref);
  else if (op != NULL)
    place_masks (self, node, op, operands);
  else if ((g_str_equal (layer->type, "Bidirectional") || g_str_equal (layer->type, "RNN")) &&
           body != NULL && sym_model_get_inputs (body).n == operands->len + 1)
    {
      SymId mask = find_mask (self, ref);

      if (mask != SYM_NO_ID)
        g_array_append_val (operands, mask);
    }
}

void
sym_keras_draft_connect (SymKerasDraft *self, SymKerasNode *node)
{
  const SymKerasLayer *layer = sym_keras_graph_get_layer (self->graph, node->layer);
  const SymOperator *op = sym_layer_get_operator (layer->layer);
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (SymId));
  gboolean variadic = op != NULL && op->get_n_operands != NULL;

  if (!variadic && op != NULL && layer->parameters->len > 0)
    g_array_append_vals (operands, layer->parameters->data, layer->parameters->len);
  if (is_function (op) && !variadic)
    add_numbers (self, layer, op, operands);
  for (guint i = 0; i < node->n_refs; i++)
    {
      SymKerasRef *ref = sym_keras_graph_get_ref (self->graph, node->first_ref + i);
      SymId value =
          ref->name == NULL ? add_constant (self, op, ref) : sym_keras_draft_find_value (self, ref);

      place_operand (self, layer, operands, variadic ? NULL : op, ref, value);
      declare_ref (self, ref, value);
      if (i == 0 && node == sym_keras_graph_get_node (self->graph, layer->first_node))
        declare_built (self, layer, value);
    }
  if (node->n_refs == 0 && layer->input != SYM_NO_ID)
    {
      SymKerasRef implied = { .layer = SYM_JSON_NONE };

      place_operand (self, layer, operands, variadic ? NULL : op, &implied, layer->input);
      declare_built (self, layer, layer->input);
    }
  place_mask (self, node, layer, operands);
  if (op == NULL && layer->parameters->len > 0)
    g_array_append_vals (operands, layer->parameters->data, layer->parameters->len);
  while (operands->len > 0 && g_array_index (operands, SymId, operands->len - 1) == SYM_NO_ID)
    g_array_set_size (operands, operands->len - 1);
  for (guint i = 0; i < operands->len; i++)
    sym_model_builder_append_operand (self->builder, node->call,
                                      g_array_index (operands, SymId, i));
  if (node->token != SYM_JSON_NONE)
    {
      SymValue *tree = sym_keras_read_arguments (
          self->reader, node->token,
          node->n_refs > 0 ? sym_keras_graph_get_ref (self->graph, node->first_ref) : NULL);

      if (tree != NULL)
        sym_model_builder_set_arguments (self->builder, node->call, tree);
    }
}
