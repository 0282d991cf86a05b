/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-private.h"

#include "core/sym-error.h"
#include "core/sym-terms-private.h"

void
sym_fact_clear (SymFact *self)
{
  g_clear_pointer (&self->known, g_free);
  g_clear_pointer (&self->table, g_free);
  g_clear_pointer (&self->floats, g_free);
}

void
sym_fact_init (SymFact *self, SymTerms *terms, const SymType *type)
{
  *self = (SymFact){ .type = *type };
  for (int i = 0; i < type->shape.rank; i++)
    if (type->shape.dims[i] == SYM_DIM_UNKNOWN)
      self->type.shape.dims[i] = sym_terms_new_unknown (terms);
}

SymTerms *
sym_rule_get_terms (SymRule *self)
{
  return self->terms;
}

const SymLayer *
sym_rule_get_layer (SymRule *self)
{
  return self->layer;
}

const char *
sym_rule_get_type (SymRule *self)
{
  return sym_layer_get_type (self->layer);
}

int
sym_rule_get_version (SymRule *self)
{
  const SymOperator *op = sym_layer_get_operator (self->layer);

  return op == NULL ? 0 : op->since_version;
}

/* ---- Attributes ---- */

const SymAttributes *
sym_rule_get_attributes (SymRule *self)
{
  return self->attributes;
}

gint64
sym_rule_get_int (SymRule *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (self->attributes, name, fallback);
}

double
sym_rule_get_float (SymRule *self, const char *name, double fallback)
{
  return sym_attributes_get_float (self->attributes, name, fallback);
}

gboolean
sym_rule_get_bool (SymRule *self, const char *name, gboolean fallback)
{
  return sym_attributes_get_bool (self->attributes, name, fallback);
}

const char *
sym_rule_get_string (SymRule *self, const char *name, const char *fallback)
{
  return sym_attributes_get_string (self->attributes, name, fallback);
}

SymDType
sym_rule_get_dtype (SymRule *self, const char *name, SymDType fallback)
{
  return sym_attributes_get_dtype (self->attributes, name, fallback);
}

int
sym_rule_get_ints (SymRule *self, const char *name, gint64 *values, int max)
{
  return sym_attributes_get_ints (self->attributes, name, values, max);
}

/* ---- Looking ---- */

const SymValue *
sym_rule_get_arguments (SymRule *self)
{
  return self->arguments;
}

guint
sym_rule_get_n_inputs (SymRule *self)
{
  return self->n_inputs;
}

guint
sym_rule_get_n_outputs (SymRule *self)
{
  return self->n_outputs;
}

gboolean
sym_rule_has_input (SymRule *self, guint i)
{
  return sym_rule_peek_input (self, i) != NULL;
}

SymShape
sym_rule_get_input (SymRule *self, guint i)
{
  return sym_rule_look_at (self, sym_rule_peek_input (self, i));
}

SymShape
sym_rule_get_output (SymRule *self, guint i)
{
  return sym_rule_look_at (self, sym_rule_peek_output (self, i));
}

SymDType
sym_rule_get_input_dtype (SymRule *self, guint i)
{
  const SymFact *fact = sym_rule_peek_input (self, i);

  return fact == NULL ? SYM_DTYPE_UNKNOWN : fact->type.dtype;
}

SymDType
sym_rule_get_output_dtype (SymRule *self, guint i)
{
  const SymFact *fact = sym_rule_peek_output (self, i);

  return fact == NULL ? SYM_DTYPE_UNKNOWN : fact->type.dtype;
}

SymType
sym_rule_get_input_type (SymRule *self, guint i)
{
  const SymFact *fact = sym_rule_peek_input (self, i);
  SymType type = fact == NULL ? SYM_TYPE_UNKNOWN : fact->type;

  type.shape = sym_terms_resolve_shape (self->terms, &type.shape);
  return type;
}

/* ---- Running ---- */

static gboolean
run_function (SymRule *self, const SymFunction *function, GError **error)
{
  if (function->infer != NULL)
    return function->infer (self, function->user_data, error);
  if (self->n_outputs == 0)
    return TRUE;
  return sym_rule_unify_type (self, self->outputs[0], &function->result, error);
}

gboolean
sym_rule_infer_body (SymRule *self, gboolean shapes_only, GError **error)
{
  if (self->layer == NULL || sym_layer_get_n_bodies (self->layer) == 0)
    return TRUE;

  self->shapes_only = shapes_only;
  return sym_infer_body (sym_layer_get_body ((SymLayer *) self->layer, 0, NULL), self, error);
}

gboolean
sym_rule_infer_types (SymRule *self, guint body, SymBodyTypes *types, GError **error)
{
  if (self->layer == NULL || body >= sym_layer_get_n_bodies (self->layer))
    return TRUE;

  self->shapes_only = FALSE;
  return sym_infer_types (sym_layer_get_body ((SymLayer *) self->layer, body, NULL), self, types,
                          error);
}

int
sym_rule_find_body (SymRule *self, const char *name)
{
  return self->layer == NULL ? -1 : sym_layer_find_body (self->layer, name);
}

guint
sym_rule_get_n_formal_inputs (SymRule *self)
{
  guint n_captures = self->layer == NULL ? 0 : sym_layer_get_n_captures (self->layer);

  return self->n_inputs - MIN (n_captures, self->n_inputs);
}

/* Tensors can be told; what else a body learns of its surroundings is not needed there. */
static gboolean
tell_captures (SymRule *self, const int *operands, const SymType *types, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (operands[i] >= 0 && types[i].kind == SYM_KIND_TENSOR &&
        (!sym_rule_set_input (self, (guint) operands[i], &types[i].shape, error) ||
         !sym_rule_set_input_dtype (self, (guint) operands[i], types[i].dtype, error)))
      return FALSE;
  return TRUE;
}

static gboolean
infer_closure (SymRule *self, guint body, SymBodyTypes *types, gboolean tells, GError **error)
{
  SymModel *model = sym_layer_get_body ((SymLayer *) self->layer, body, NULL);
  guint n_captures = sym_layer_get_body_captures (self->layer, body);
  guint n = sym_model_get_inputs (model).n;
  g_autofree SymType *all = g_new (SymType, n + 1);
  g_autofree int *operands = g_new (int, n + 1);
  SymBodyTypes whole = { all, types->outputs, n, types->n_outputs, operands };

  if (types->n_inputs + n_captures != n)
    return sym_rule_fail (error, "the body takes %u values; it should take %u", n - n_captures,
                          types->n_inputs);
  sym_layer_get_body_operands (self->layer, body, self->n_inputs, operands, n);
  for (guint i = 0; i < n; i++)
    all[i] = i < types->n_inputs ? types->inputs[i]
                                 : sym_rule_get_input_type (self, (guint) operands[i]);
  for (guint i = 0; i < types->n_inputs; i++)
    operands[i] = types->operands == NULL ? -1 : types->operands[i];
  if (!sym_rule_infer_types (self, body, &whole, error))
    return FALSE;
  for (guint i = 0; i < types->n_inputs; i++)
    types->inputs[i] = all[i];
  return !tells ||
         tell_captures (self, operands + types->n_inputs, all + types->n_inputs, n_captures, error);
}

gboolean
sym_rule_infer_closure (SymRule *self, guint body, SymBodyTypes *types, GError **error)
{
  return infer_closure (self, body, types, TRUE, error);
}

gboolean
sym_rule_infer_branch (SymRule *self, guint body, SymBodyTypes *types, GError **error)
{
  return infer_closure (self, body, types, FALSE, error);
}

gboolean
sym_rule_run_part (SymRule *self, const SymLayer *layer, guint depth, GError **error)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymFunction *function = sym_layer_get_function (layer);
  SymModel *running = sym_layer_get_running_body (layer);

  self->layer = layer;
  self->depth = depth;
  self->attributes = sym_layer_get_attributes (layer);
  if (op != NULL && op->infer != NULL)
    return op->infer (self, error);
  if (function != NULL)
    return run_function (self, function, error);
  if (running != NULL)
    return sym_infer_body (running, self, error);
  return TRUE;
}

static gboolean
run_once (SymRule *self, const SymLayer *layer, guint depth, SymRuleMemo *memo, GError **error)
{
  GError *found = NULL;

  self->first_fresh = sym_terms_get_size (self->terms);
  self->has_parts = FALSE;
  self->is_final = FALSE;
  self->is_decided = FALSE;
  if (!sym_rule_recall (self, layer, memo, &found))
    {
      if (sym_rule_run_part (self, layer, depth, &found))
        sym_rule_keep (self, layer, memo);
      else
        sym_rule_keep_error (self, layer, memo, found);
    }
  if (found == NULL)
    return TRUE;
  g_propagate_error (error, found);
  return FALSE;
}

/* A kind of layer that is met first runs twice, as it would in the next sweep, so that of all
 * others of that kind it is known whether they have to run again. */
gboolean
sym_rule_run (SymRule *self, const SymLayer *layer, guint depth, GPtrArray **bodies, GError **error)
{
  SymRuleMemo memo, again;

  self->bodies = bodies;
  self->terms_changed = FALSE;
  if (!run_once (self, layer, depth, &memo, error))
    return FALSE;
  if (memo.kept != NULL && !self->is_final && run_once (self, layer, depth, &again, NULL) &&
      self->is_final)
    sym_rule_keep_final (&memo);
  return TRUE;
}
