/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"

#include "core/sym-error.h"

static void
free_node (gpointer data)
{
  SymNode *node = data;

  g_free (node->variable);
  g_clear_pointer (&node->children, g_ptr_array_unref);
  g_clear_pointer (&node->value, sym_datum_unref);
  g_free (node);
}

static void
free_call (gpointer data)
{
  SymGraphCall *call = data;

  sym_layer_unref (call->layer);
  g_clear_pointer (&call->arguments, sym_value_unref);
  g_free (call->name);
  g_free (call->operands);
  g_free (call->results);
  g_free (call);
}

SymGraph *
sym_graph_new (void)
{
  SymGraph *self = g_new0 (SymGraph, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->terms = sym_terms_new ();
  self->nodes = g_ptr_array_new_with_free_func (free_node);
  self->calls = g_ptr_array_new_with_free_func (free_call);
  self->layers = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_layer_unref);
  self->arena = g_ptr_array_new_with_free_func (g_free);
  self->token = g_atomic_rc_box_new0 (char);
  return self;
}

SymGraph *
sym_graph_ref (SymGraph *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_graph_unref (SymGraph *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_graph_set_live (self, NULL);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->calls);
  g_ptr_array_unref (self->layers);
  g_ptr_array_unref (self->arena);
  sym_terms_free (self->terms);
  g_atomic_rc_box_release (self->token);
  g_free (self);
}

SymNode *
sym_graph_add_node (SymGraph *self, const SymType *type, const SymType *trace)
{
  SymNode *node = g_new0 (SymNode, 1);

  node->graph = self;
  node->index = self->nodes->len;
  node->type = *type;
  node->trace = *trace;
  g_ptr_array_add (self->nodes, node);
  return node;
}

/* ---- Inputs ---- */

/* The shape with a fresh term for every unknown dimension. */
static SymShape
name_unknowns (SymGraph *self, const SymShape *shape)
{
  SymShape named = *shape;

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] == SYM_DIM_UNKNOWN)
      named.dims[i] = sym_terms_new_unknown (self->terms);
  return named;
}

static gboolean
check_input (SymGraph *self, const SymInputOptions *options, GError **error)
{
  const SymShape *shape = options->batch_shape == NULL ? &options->shape : options->batch_shape;
  SymType type = SYM_TYPE_UNKNOWN;

  if (options->batch_shape != NULL && shape->rank < 1)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                           "The batch shape of an input needs at least the batch dimension, "
                           "such as (1, 784)");
      return FALSE;
    }
  if (shape->rank < 0 || shape->rank >= SYM_MAX_RANK + (options->batch_shape != NULL))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "An input has at most %d dimensions, the batch included", SYM_MAX_RANK);
      return FALSE;
    }
  if (options->batch_size < 0 || options->min_value > options->max_value)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "An input cannot have batch size %" G_GINT64_FORMAT " and range %g to %g",
                   options->batch_size, options->min_value, options->max_value);
      return FALSE;
    }
  type.shape = *shape;
  return sym_terms_check_type (self->terms, &type, "an input", error);
}

SymNode *
sym_graph_add_input (SymGraph *self, const SymInputOptions *options, GError **error)
{
  SymDType dtype;
  SymShape shape = { .rank = 1 };
  SymType type, trace;
  SymNode *node;

  g_return_val_if_fail (self != NULL && options != NULL, NULL);

  if ((error != NULL && *error != NULL) || !check_input (self, options, error))
    return NULL;

  dtype = options->dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : options->dtype;
  if (options->batch_shape != NULL)
    {
      shape = *options->batch_shape;
    }
  else
    {
      shape.dims[0] = SYM_DIM_UNKNOWN;
      for (int i = 0; i < options->shape.rank; i++)
        shape.dims[shape.rank++] = options->shape.dims[i];
    }
  shape = name_unknowns (self, &shape);
  type = sym_type_tensor (dtype, shape);
  trace = type;
  if (options->batch_shape == NULL)
    trace.shape.dims[0] = MAX (options->batch_size, 1);

  node = sym_graph_add_node (self, &type, &trace);
  node->batch_size_known = options->batch_shape != NULL;
  node->min_value = options->min_value;
  node->max_value =
      options->min_value == options->max_value ? options->min_value + 1 : options->max_value;
  node->variable = g_strdup (options->name);
  if (!sym_graph_draw_value (node, error))
    {
      g_ptr_array_set_size (self->nodes, (int) self->nodes->len - 1);
      return NULL;
    }
  return node;
}

SymNode *
sym_input (SymGraph *self, SymShape shape, GError **error)
{
  return sym_graph_add_input (self, &(SymInputOptions){ .shape = shape }, error);
}

/* Copies the elements of tuples into the arena, level by level. */
static SymType
keep_type (SymGraph *self, const SymType *type)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  SymType kept = *type;

  kept.shape = name_unknowns (self, &kept.shape);
  g_ptr_array_add (open, &kept);
  while (open->len > 0)
    {
      SymType *tuple = g_ptr_array_steal_index_fast (open, open->len - 1);
      SymType *elements;

      if (tuple->n_elements == 0)
        continue;
      elements = g_new0 (SymType, tuple->n_elements);
      g_ptr_array_add (self->arena, elements);
      for (guint i = 0; i < tuple->n_elements; i++)
        {
          elements[i] = tuple->elements[i];
          elements[i].shape = name_unknowns (self, &elements[i].shape);
          g_ptr_array_add (open, &elements[i]);
        }
      tuple->elements = elements;
    }
  return kept;
}

SymNode *
sym_graph_add_custom_input (SymGraph *self, const SymType *type, GError **error)
{
  SymType kept;
  SymNode *node;

  g_return_val_if_fail (self != NULL && type != NULL, NULL);

  if ((error != NULL && *error != NULL) ||
      !sym_terms_check_type (self->terms, type, "an input", error))
    return NULL;

  kept = keep_type (self, type);
  node = sym_graph_add_node (self, &kept, &kept);
  node->batch_size_known = TRUE;
  return node;
}

SymLayer *
sym_graph_keep_layer (SymGraph *self, SymLayer *take_layer, const char *name)
{
  if (self == NULL || take_layer == NULL)
    {
      g_clear_pointer (&take_layer, sym_layer_unref);
      return NULL;
    }
  if (name != NULL)
    sym_layer_set_name (take_layer, name);
  g_ptr_array_add (self->layers, take_layer);
  return take_layer;
}

SymDim
sym_graph_get_dim (SymGraph *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, SYM_DIM_UNKNOWN);

  return sym_terms_get_named (self->terms, name);
}
