/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower.h"

/* Values of a body and what they are in the body that is being made. */
typedef struct {
  SymOpLower *lower;
  SymModel *body;
  GHashTable *values; /* from GUINT of a value to GUINT of a value */
  guint depth;
} Inlined;

/* Models within models; nobody nests them deeper. */
#define MAX_DEPTH 64

static gboolean
inline_model (const Inlined *around, SymModel *body, SymIds operands, SymId *outputs, guint n);

static void
note (Inlined *self, SymId value, SymId made)
{
  g_hash_table_insert (self->values, GUINT_TO_POINTER (value), GUINT_TO_POINTER (made));
}

/* What the body brings along is copied. */
static SymId
find (Inlined *self, SymId value)
{
  gpointer made;
  SymTensor *tensor;

  if (value == SYM_NO_ID ||
      g_hash_table_lookup_extended (self->values, GUINT_TO_POINTER (value), NULL, &made))
    return value == SYM_NO_ID ? SYM_NO_ID : GPOINTER_TO_UINT (made);
  tensor = sym_model_get_tensor (self->body, value);
  if (tensor == NULL)
    {
      sym_op_lower_refuse (self->lower, "%s: its body has no numbers for “%s”",
                           sym_op_lower_get_type (self->lower),
                           sym_model_get_value_name (self->body, value));
      return SYM_NO_ID;
    }
  note (self, value, sym_op_lower_tensor (self->lower, tensor));
  return find (self, value);
}

static void
inline_call (Inlined *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->body, call);
  SymIds results = sym_model_get_results (self->body, call);
  g_autofree SymId *made = g_new (SymId, operands.n + 1);
  g_autofree SymId *outputs = g_new (SymId, results.n + 1);
  SymLayer *layer = sym_model_get_layer (self->body, call);
  SymModel *model = sym_layer_get_running_body (layer);
  SymId first;

  for (guint i = 0; i < operands.n; i++)
    made[i] = find (self, operands.ids[i]);
  if (sym_layer_get_operator (layer) == NULL && model != NULL)
    {
      if (inline_model (self, model, (SymIds){ made, operands.n }, outputs, results.n))
        for (guint i = 0; i < results.n; i++)
          note (self, results.ids[i], outputs[i]);
      return;
    }
  if (sym_layer_get_operator (layer) == NULL)
    sym_op_lower_refuse (self->lower, "%s: nothing is known of layers of type %s in its body",
                         sym_op_lower_get_type (self->lower), sym_layer_get_type (layer));
  first = sym_op_lower_apply_layer (self->lower, layer, (SymIds){ made, operands.n });
  for (guint i = 0; i < results.n; i++)
    note (self, results.ids[i], sym_op_lower_get_result (self->lower, first, i));
}

static gboolean
inline_model (const Inlined *around, SymModel *body, SymIds operands, SymId *outputs, guint n)
{
  Inlined self = { around->lower, body, NULL, around->depth + 1 };
  SymIds formal = sym_model_get_inputs (body), order, results = sym_model_get_outputs (body);

  if (formal.n > operands.n || results.n < n || sym_model_has_cycle (body) ||
      self.depth > MAX_DEPTH)
    {
      sym_op_lower_fail (self.lower,
                         "%s: its body takes %u operands and gives %u results, not %u and %u",
                         sym_op_lower_get_type (self.lower), formal.n, results.n, operands.n, n);
      return FALSE;
    }
  self.values = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < formal.n; i++)
    note (&self, formal.ids[i], operands.ids[i]);
  order = sym_model_get_execution_order (body);
  for (guint i = 0; i < order.n && !sym_op_lower_has_failed (self.lower); i++)
    inline_call (&self, order.ids[i]);
  for (guint i = 0; i < n && !sym_op_lower_has_failed (self.lower); i++)
    outputs[i] = find (&self, results.ids[i]);
  g_hash_table_unref (self.values);
  return !sym_op_lower_has_failed (self.lower);
}

gboolean
sym_op_lower_inline (SymOpLower *self, guint body, SymIds operands, SymId *outputs, guint n_outputs)
{
  const Inlined outside = { self, NULL, NULL, 0 };
  SymLayer *layer = sym_op_lower_get_layer (self);

  if (body < sym_layer_get_n_bodies (layer))
    return inline_model (&outside, sym_layer_get_body (layer, body, NULL), operands, outputs,
                         n_outputs);
  sym_op_lower_refuse (self, "%s: it has no body to run", sym_op_lower_get_type (self));
  return FALSE;
}
