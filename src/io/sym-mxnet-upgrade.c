/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include <string.h>

#include "ops/sym-op.h"

/* MXNet 1.9.1 src/nnvm/legacy_json_util.cc, by behaviour.  What is added here has no literal of the
 * file, which is how the writer knows to leave it out again. */

/* More than any operator has; what a file claims beyond it is no omission of old. */
#define MAX_IMPLIED 8

/* Keys that steer training and placement, not the operator; stored as `__key__` today. */
static const char *const hidden_keys[] = {
  "ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage",
};

static const char *
find_literal (const SymAttributes *attributes, guint i)
{
  const char *literal = sym_attributes_get_literal (attributes, i);

  return literal != NULL ? literal : "";
}

static void
add_hidden (SymAttributes *attributes, const char *key, const char *literal)
{
  g_autofree char *name = g_strdup_printf ("__%s__", key);

  if (sym_attributes_find (attributes, name) == NULL)
    sym_attributes_set (attributes, name, sym_value_new_string (literal), NULL);
}

void
sym_mxnet_upgrade_hidden (SymAttributes *attributes)
{
  guint n = sym_attributes_get_n (attributes);

  for (guint i = 0; i < n; i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);

      for (guint k = 0; *name != '_' && k < G_N_ELEMENTS (hidden_keys); k++)
        if (strcmp (name, hidden_keys[k]) == 0)
          add_hidden (attributes, hidden_keys[k], find_literal (attributes, i));
    }
}

/* The hidden key that @name ends in after `<slot>_`, NULL for none. */
static const char *
match_slot_key (const char *name, const char *slot)
{
  gsize length = strlen (slot);

  if (strncmp (name, slot, length) != 0 || name[length] != '_')
    return NULL;
  for (guint k = 0; k < G_N_ELEMENTS (hidden_keys); k++)
    if (strcmp (name + length + 1, hidden_keys[k]) == 0)
      return hidden_keys[k];

  return NULL;
}

void
sym_mxnet_upgrade_slots (SymMxnetDraft *draft, guint node)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  const SymOperator *op = draft->operators[node];
  const SymAttributes *attributes = draft->attributes[node];

  if (op == NULL || sym_attributes_get_n (attributes) == 0)
    return;
  for (guint slot = 0; slot < row->n_inputs; slot++)
    {
      const SymSlotSpec *spec = sym_op_get_slot (op, slot);
      guint source = sym_mxnet_graph_get_input (draft->graph, node, slot)->node;

      if (spec == NULL || source >= draft->graph->nodes->len || draft->values[source] == SYM_NO_ID)
        continue;
      for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
        {
          const char *key = match_slot_key (sym_attributes_get_name (attributes, i), spec->name);

          if (key != NULL)
            add_hidden (draft->attributes[source], key, find_literal (attributes, i));
        }
    }
}

SymAttributes *
sym_mxnet_upgrade_layer (const SymOperator *op, SymAttributes *take_attributes, gint64 version)
{
  gboolean is_arg =
      op != NULL && (strcmp (op->name, "argmax") == 0 || strcmp (op->name, "argmin") == 0);

  /* Before 0.9.5 an axis of -1 stood for none. */
  for (guint i = 0; is_arg && version < 905 && i < sym_attributes_get_n (take_attributes); i++)
    if (strcmp (sym_attributes_get_name (take_attributes, i), "axis") == 0 &&
        strcmp (find_literal (take_attributes, i), "-1") == 0)
      {
        sym_attributes_set (take_attributes, "axis", sym_value_new_none (), "-1");
        break;
      }

  return take_attributes;
}

guint
sym_mxnet_count_implied (const SymMxnetDraft *draft, guint node, const SymAttributes *layer)
{
  const SymOperator *op = draft->operators[node];
  guint n_inputs = sym_mxnet_graph_get_node (draft->graph, node)->n_inputs;
  int needed;

  if (op == NULL || draft->version >= 900 || draft->is_body)
    return 0;
  needed = sym_op_get_n_operands (op, layer);
  return needed > 0 && (guint) needed > n_inputs && (guint) needed <= n_inputs + MAX_IMPLIED
             ? (guint) needed - n_inputs
             : 0;
}

SymAttributes *
sym_mxnet_make_implied (const SymMxnetDraft *draft, guint node, const char *slot)
{
  const SymAttributes *owner = draft->attributes[node];
  SymAttributes *attributes = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (owner); i++)
    sym_attributes_set (attributes, sym_attributes_get_name (owner, i),
                        sym_value_ref ((SymValue *) sym_attributes_get_value (owner, i)), NULL);
  if (sym_attributes_find (attributes, "__init__") == NULL)
    {
      if (strcmp (slot, "moving_mean") == 0)
        sym_attributes_set (attributes, "__init__", sym_value_new_string ("[\"zero\", {}]"), NULL);
      else if (strcmp (slot, "moving_var") == 0)
        sym_attributes_set (attributes, "__init__", sym_value_new_string ("[\"one\", {}]"), NULL);
    }
  return attributes;
}
