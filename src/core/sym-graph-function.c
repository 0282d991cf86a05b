/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"
#include "core/sym-value-private.h"

#include "core/sym-error.h"

/* Whether every operand leaf of the tree is one of the operands, and each operand is in the tree.
 */
static gboolean
check_leaves (const SymValue *arguments, guint n_operands, GError **error)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autofree gboolean *seen = g_new0 (gboolean, n_operands + 1);
  gint64 index;

  g_ptr_array_add (open, (gpointer) arguments);
  while (open->len > 0)
    {
      const SymValue *value = g_ptr_array_steal_index_fast (open, open->len - 1);

      for (guint i = 0; i < sym_value_get_n_children (value); i++)
        g_ptr_array_add (open, (gpointer) sym_value_get_child (value, i));
      if (sym_value_get_kind (value) != SYM_VALUE_OPERAND)
        continue;
      sym_value_get_int (value, &index);
      if (index >= n_operands)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                       "The arguments refer to operand %" G_GINT64_FORMAT " of %u", index,
                       n_operands);
          return FALSE;
        }
      seen[index] = TRUE;
    }

  for (guint i = 0; i < n_operands; i++)
    if (!seen[i])
      {
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "Operand %u does not occur among the arguments", i);
        return FALSE;
      }
  return TRUE;
}

SymNode *
sym_graph_call_function (SymGraph *self,
                         const SymFunction *function,
                         SymValue *take_arguments,
                         SymNode *const *operands,
                         guint n_operands,
                         const char *name,
                         GError **error)
{
  g_autoptr (SymValue) arguments = take_arguments;
  g_autoptr (SymLayer) layer = NULL;
  g_autofree char *type = NULL;

  g_return_val_if_fail (self != NULL && function != NULL && function->name != NULL, NULL);

  type = g_strdup_printf ("wrap(%s)", function->name);
  layer = sym_layer_new_function (type, function);
  if (error != NULL && *error != NULL)
    return NULL;
  for (guint i = 0; i < n_operands; i++)
    if (operands[i] == NULL)
      return NULL;
  if (n_operands == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "No Symbolic Data detected in the input! %s needs at least one node",
                   function->name);
      return NULL;
    }
  if (arguments != NULL && !check_leaves (arguments, n_operands, error))
    return NULL;

  return sym_graph_add_call (self, layer, arguments, operands, n_operands, name, error);
}

/* ---- Argument trees ---- */

struct _SymArguments {
  GHashTable *nodes; /* SymValue of an operand leaf to its SymNode */
  GPtrArray *values; /* positional */
  GPtrArray *keys;
  GPtrArray *named;
};

SymArguments *
sym_arguments_new (void)
{
  SymArguments *self = g_new0 (SymArguments, 1);

  self->nodes = g_hash_table_new (NULL, NULL);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->named = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  return self;
}

void
sym_arguments_free (SymArguments *self)
{
  g_hash_table_unref (self->nodes);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->named);
  g_free (self);
}

SymValue *
sym_arguments_node (SymArguments *self, SymNode *node)
{
  SymValue *leaf = sym_value_new_operand (0);

  g_hash_table_insert (self->nodes, leaf, node);
  return leaf;
}

void
sym_arguments_prepend_node (SymArguments *self, SymNode *node)
{
  g_ptr_array_insert (self->values, 0, sym_arguments_node (self, node));
}

void
sym_arguments_add (SymArguments *self, SymValue *take_value)
{
  g_return_if_fail (take_value != NULL);

  g_ptr_array_add (self->values, take_value);
}

void
sym_arguments_set (SymArguments *self, const char *key, SymValue *take_value)
{
  g_return_if_fail (key != NULL && take_value != NULL);

  g_ptr_array_add (self->keys, g_strdup (key));
  g_ptr_array_add (self->named, take_value);
}

static SymValue **
refer (GPtrArray *values)
{
  SymValue **copies = g_new0 (SymValue *, values->len + 1);

  for (guint i = 0; i < values->len; i++)
    copies[i] = sym_value_ref (g_ptr_array_index (values, i));
  return copies;
}

/* (positional, named), as Python's call protocol has it. */
static SymValue *
make_tree (const SymArguments *self)
{
  g_autofree SymValue **values = refer (self->values);
  g_autofree SymValue **named = refer (self->named);
  SymValue *parts[2];

  parts[0] = sym_value_new_tuple (values, self->values->len);
  parts[1] = sym_value_new_dict ((const char *const *) self->keys->pdata, named, self->named->len);
  return sym_value_new_tuple (parts, 2);
}

/* Numbers the operands in order of discovery, P40: positional first, depth first, then named.  They
 * could not be numbered as they were made: C leaves open in which order the parts of an initialiser
 * are computed. */
static void
number_operands (const SymArguments *self, SymValue *tree, GPtrArray *operands)
{
  g_autoptr (GHashTable) numbered = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, tree);
  while (open->len > 0)
    {
      SymValue *value = g_ptr_array_steal_index_fast (open, open->len - 1);

      for (guint i = sym_value_get_n_children (value); i-- > 0;)
        g_ptr_array_add (open, (gpointer) sym_value_get_child (value, i));
      if (!g_hash_table_contains (self->nodes, value) || !g_hash_table_add (numbered, value))
        continue;
      sym_value_set_operand (value, operands->len);
      g_ptr_array_add (operands, g_hash_table_lookup (self->nodes, value));
    }
}

SymNode *
sym_graph_call_with (SymGraph *self,
                     const SymFunction *function,
                     SymArguments *take_arguments,
                     const char *name,
                     GError **error)
{
  g_autoptr (SymArguments) arguments = take_arguments;
  g_autoptr (GPtrArray) operands = g_ptr_array_new ();
  SymValue *tree = make_tree (arguments);

  number_operands (arguments, tree, operands);
  return sym_graph_call_function (self, function, tree, (SymNode *const *) operands->pdata,
                                  operands->len, name, error);
}
