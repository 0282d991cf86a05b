/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"

/* Loops and choices of TensorFlow 1, which sym-tfjs-flow.c finds, become layers with bodies. */

static gboolean add_block (SymNet *net, const SymTfjsWalk *walk, guint number, GError **error);

/* A loop's body returns what it is given for the next turn. */
static SymModel *
read_block (SymNet *around,
            const SymTfjsWalk *walk,
            const SymTfjsBlock *block,
            guint k,
            GError **error)
{
  const SymJson *json = sym_net_get_json (around);
  const SymTfjsBody *body = &block->bodies[k];
  g_autoptr (SymNet) net = sym_net_new (walk->source, json, walk->document->format);
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  SymTfjsWalk inside = *walk;
  SymModel *model;

  inside.depth++;
  inside.is_block = TRUE;
  if (inside.depth > SYM_TFJS_MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "they lie more than %d deep in each other", SYM_TFJS_MAX_DEPTH);
      return NULL;
    }
  for (guint i = 0; i < block->inputs->len; i++)
    {
      char *key = sym_tfjs_make_key (walk, g_array_index (block->inputs, SymTfjsInput, i).inside);

      g_ptr_array_add (keys, key);
      sym_net_add_value (net, key, NULL, SYM_ROLE_INPUT, NULL, block->token);
    }
  for (guint i = 0; i < body->nodes->len; i++)
    if (!sym_tfjs_add_node (
            net, &inside,
            sym_tfjs_flow_get_parts (walk->flow, g_array_index (body->nodes, guint, i)), error))
      return NULL;
  for (guint i = 0; i < body->blocks->len; i++)
    if (!add_block (net, &inside, g_array_index (body->blocks, guint, i), error))
      return NULL;
  for (guint i = 0; i < body->outputs->len; i++)
    {
      g_autofree char *key = sym_tfjs_make_key (walk, body->outputs->pdata[i]);

      sym_net_add_output (net, key);
    }
  for (guint i = block->n_round; block->is_loop && k == 1 && i < keys->len; i++)
    sym_net_add_output (net, keys->pdata[i]);
  model = sym_net_end_body (g_steal_pointer (&net), captures, error);
  if (model != NULL && captures->len > 0)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED, "“%s” in “%s” is made nowhere",
                   (const char *) captures->pdata[0], block->name);
      sym_model_unref (model);
      return NULL;
    }
  return model;
}

static gboolean
add_block (SymNet *net, const SymTfjsWalk *walk, guint number, GError **error)
{
  static const char *const names[][2] = { { "then_branch", "else_branch" }, { "cond", "body" } };
  const SymTfjsBlock *block = sym_tfjs_flow_get_block (walk->flow, number);
  const char *type = block->is_loop ? "While" : "If";
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  if (block->is_loop)
    sym_attributes_set (attributes, "n_constant",
                        sym_value_new_int (block->inputs->len - block->n_round), NULL);
  layer = sym_layer_new (type, sym_op_find ("tf", type, 0), attributes);
  sym_layer_set_name (layer, block->name);
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (SymModel) body = read_block (net, walk, block, k, error);

      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, names[block->is_loop][k], body, FALSE);
    }
  call = sym_net_add_layer (net, block->name, layer, block->token);
  for (guint i = block->is_loop ? 1 : 0; i <= block->inputs->len; i++)
    {
      g_autofree char *key = sym_tfjs_make_key (
          walk,
          i == 0 ? block->condition : g_array_index (block->inputs, SymTfjsInput, i - 1).outside);

      sym_net_add_operand (net, call, key);
    }
  for (guint i = 0; i < block->results->len; i++)
    sym_net_add_result (net, call, block->results->pdata[i], block->results->pdata[i], NULL);
  return TRUE;
}

gboolean
sym_tfjs_add_blocks (SymNet *net, const SymTfjsWalk *walk, GError **error)
{
  const GArray *outer = walk->flow == NULL ? NULL : sym_tfjs_flow_get_outer (walk->flow);

  for (guint i = 0; outer != NULL && i < outer->len; i++)
    if (!add_block (net, walk, g_array_index (outer, guint, i), error))
      return FALSE;
  return TRUE;
}
