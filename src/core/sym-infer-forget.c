/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

/* What is declared of a result was true of the operands that were declared with it, and need not be
 * of others. */

/* A declared size that is unknown or a name stands for any. */
static gboolean
is_other_shape (const SymInference *self, const SymShape *declared, const SymShape *shape)
{
  if (declared->rank < 0)
    return FALSE;
  if (declared->rank != shape->rank)
    return TRUE;
  for (int i = 0; i < shape->rank; i++)
    if (declared->dims[i] >= 0 &&
        sym_terms_resolve (self->terms, shape->dims[i]) != declared->dims[i])
      return TRUE;

  return FALSE;
}

gboolean
sym_inference_is_other (const SymInference *self, SymId value)
{
  SymType declared = sym_model_get_declared_type (self->model, value);
  const SymType *type = &self->facts[value].type;

  if (declared.kind == SYM_KIND_UNKNOWN)
    return FALSE;
  return declared.kind != type->kind || declared.name != type->name ||
         (declared.dtype != SYM_DTYPE_UNKNOWN && declared.dtype != type->dtype) ||
         is_other_shape (self, &declared.shape, &type->shape);
}

/* Whether the types of its results can only be declared, or computed by the host. */
static gboolean
is_declared (const SymLayer *layer)
{
  const SymFunction *function = sym_layer_get_function (layer);
  const SymOperator *op = sym_layer_get_operator (layer);

  if (function != NULL)
    return function->result.kind == SYM_KIND_UNKNOWN;
  return (op == NULL || op->infer == NULL) && sym_layer_get_running_body (layer) == NULL;
}

static void
forget (SymInference *self, SymId value)
{
  sym_fact_clear (&self->facts[value]);
  sym_fact_init (&self->facts[value], self->terms, &SYM_TYPE_UNKNOWN);
}

/* Visits what the calls that use @value make, each call once. */
static void
visit_users (SymInference *self,
             SymId value,
             SymForget what,
             guint8 *visited,
             GHashTable *given,
             GArray *open)
{
  SymIds users = sym_model_get_consumers (self->model, value);

  for (guint i = 0; i < users.n; i++)
    {
      SymIds results = sym_model_get_results (self->model, users.ids[i]);
      gboolean forgets =
          what == SYM_FORGET_ALL || is_declared (sym_model_get_layer (self->model, users.ids[i]));

      if (visited[users.ids[i]])
        continue;
      visited[users.ids[i]] = TRUE;
      for (guint k = 0; k < results.n; k++)
        if (!g_hash_table_contains (given, GUINT_TO_POINTER (results.ids[k])))
          {
            if (forgets)
              forget (self, results.ids[k]);
            g_array_append_val (open, results.ids[k]);
          }
    }
}

static gboolean
has_other (const SymInference *self, const SymId *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (sym_inference_is_other (self, values[i]))
      return TRUE;

  return FALSE;
}

void
sym_inference_forget_declared (SymInference *self, const SymId *values, guint n, SymForget what)
{
  g_autoptr (GHashTable) given = NULL;
  g_autoptr (GArray) open = NULL;
  g_autofree guint8 *visited = NULL;

  if (!has_other (self, values, n))
    return;

  given = g_hash_table_new (NULL, NULL);
  open = g_array_new (FALSE, FALSE, sizeof (SymId));
  visited = g_new0 (guint8, sym_model_get_n_calls (self->model) + 1);
  for (guint i = 0; i < n; i++)
    {
      g_hash_table_add (given, GUINT_TO_POINTER (values[i]));
      if (sym_inference_is_other (self, values[i]))
        g_array_append_val (open, values[i]);
    }
  while (open->len > 0)
    {
      SymId value = g_array_index (open, SymId, open->len - 1);

      g_array_set_size (open, open->len - 1);
      visit_users (self, value, what, visited, given, open);
    }
}
