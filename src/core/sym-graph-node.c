/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"

#include "core/sym-error.h"
#include "core/sym-python.h"

#include <string.h>

SymGraph *
sym_node_get_graph (SymNode *self)
{
  return self == NULL ? NULL : self->graph;
}

guint
sym_node_get_index (SymNode *self)
{
  return self == NULL ? 0 : self->index;
}

guint
sym_node_get_depth (SymNode *self)
{
  return self == NULL ? 0 : self->depth;
}

guint
sym_node_get_n_parents (SymNode *self)
{
  return self == NULL || self->call == NULL ? 0 : self->call->n_operands;
}

SymNode *
sym_node_get_parent (SymNode *self, guint i)
{
  g_return_val_if_fail (i < sym_node_get_n_parents (self), NULL);

  return self->call->operands[i];
}

guint
sym_node_get_n_children (SymNode *self)
{
  return self == NULL || self->children == NULL ? 0 : self->children->len;
}

SymNode *
sym_node_get_child (SymNode *self, guint i)
{
  g_return_val_if_fail (i < sym_node_get_n_children (self), NULL);

  return g_ptr_array_index (self->children, i);
}

SymLayer *
sym_node_get_layer (SymNode *self)
{
  return self == NULL || self->call == NULL ? NULL : self->call->layer;
}

guint
sym_node_get_n_results (SymNode *self)
{
  if (self == NULL)
    return 0;
  return self->call == NULL ? 1 : self->call->n_results;
}

SymNode *
sym_node_get_result (SymNode *self, guint i)
{
  g_return_val_if_fail (i < sym_node_get_n_results (self), NULL);

  return self->call == NULL ? self : self->call->results[i];
}

gboolean
sym_node_get_batch_size_known (SymNode *self)
{
  return self != NULL && self->batch_size_known;
}

void
sym_node_set_variable (SymNode *self, const char *variable)
{
  if (self == NULL)
    return;

  g_free (self->variable);
  self->variable = g_strdup (variable);
}

const char *
sym_node_get_variable (SymNode *self)
{
  return self == NULL ? NULL : self->variable;
}

/* ---- Type and shape ---- */

SymType
sym_node_get_type (SymNode *self)
{
  return self == NULL ? SYM_TYPE_UNKNOWN : self->type;
}

SymShape
sym_node_get_shape (SymNode *self)
{
  return self == NULL ? SYM_SHAPE_UNKNOWN : self->trace.shape;
}

char *
sym_node_format_shape (SymNode *self)
{
  return self == NULL ? g_strdup ("?") : sym_type_format_symbolic (&self->type, self->graph->terms);
}

static gint64
get_dim (SymNode *self, int i)
{
  SymDim dim = self->trace.shape.dims[i];

  return dim < 0 ? -1 : dim;
}

gint64
sym_node_get_batch_size (SymNode *self)
{
  return self == NULL || self->trace.shape.rank < 1 ? -1 : get_dim (self, 0);
}

gint64
sym_node_get_features (SymNode *self)
{
  return self == NULL || self->trace.shape.rank < 1 ? -1
                                                    : get_dim (self, self->trace.shape.rank - 1);
}

gint64
sym_node_get_numel (SymNode *self)
{
  guint64 n;

  if (self == NULL || !sym_shape_get_n_elements (&self->trace.shape, &n) || n > G_MAXINT64)
    return -1;
  return (gint64) n;
}

/* P11. */
static gboolean
check_image (SymNode *self, GError **error)
{
  g_autofree char *shape = NULL;

  if (self == NULL || (error != NULL && *error != NULL))
    return FALSE;
  if (self->trace.shape.rank == 4)
    return TRUE;

  shape = sym_node_format_shape (self);
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "The data is not of [C,H,W] form! Its shape is %s; four dimensions are needed",
               shape);
  return FALSE;
}

static gint64
get_image_dim (SymNode *self, int i, GError **error)
{
  return check_image (self, error) ? get_dim (self, i) : -1;
}

gint64
sym_node_get_channels (SymNode *self, GError **error)
{
  return get_image_dim (self, 1, error);
}

gint64
sym_node_get_height (SymNode *self, GError **error)
{
  return get_image_dim (self, 2, error);
}

gint64
sym_node_get_width (SymNode *self, GError **error)
{
  return get_image_dim (self, 3, error);
}

gboolean
sym_node_get_image_shape (SymNode *self, const char *order, SymShape *shape, GError **error)
{
  static const char letters[] = "NCHW";
  SymShape found = { .rank = 0 };

  for (const char *p = order; *p != '\0'; p++)
    {
      const char *letter = strchr (letters, *p);

      g_return_val_if_fail (letter != NULL && found.rank < 4, FALSE);
      if (!check_image (self, error))
        return FALSE;
      found.dims[found.rank++] = self->trace.shape.dims[letter - letters];
    }
  *shape = found;
  return TRUE;
}

char *
sym_node_to_string (SymNode *self)
{
  g_autofree char *type = NULL;

  if (self == NULL)
    return g_strdup ("<no node>");
  if (self->type.kind == SYM_KIND_TENSOR)
    type = g_strdup ("SymbolicTensor");
  else if (sym_node_is_callable (self))
    type = g_strdup ("SymbolicCallable");
  else
    type = g_strdup_printf ("SymbolicData(%s)", sym_type_get_python_name (&self->type));

  return g_strdup_printf ("<%s at %p; %u parents; %u children>", type, (void *) self,
                          sym_node_get_n_parents (self), sym_node_get_n_children (self));
}
