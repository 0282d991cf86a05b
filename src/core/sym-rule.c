/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-private.h"

#include "core/sym-error.h"
#include "core/sym-terms-private.h"

void
sym_fact_clear (SymFact *self)
{
  g_clear_pointer (&self->known, g_free);
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
  const SymValue *value = sym_attributes_find (self->attributes, name);
  gint64 number;

  return value != NULL && sym_value_get_int (value, &number) ? number : fallback;
}

double
sym_rule_get_float (SymRule *self, const char *name, double fallback)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);
  double number;

  return value != NULL && sym_value_get_float (value, &number) ? number : fallback;
}

gboolean
sym_rule_get_bool (SymRule *self, const char *name, gboolean fallback)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);
  gboolean truth;
  gint64 number;

  if (value == NULL)
    return fallback;
  if (sym_value_get_bool (value, &truth))
    return truth;
  return sym_value_get_int (value, &number) ? number != 0 : fallback;
}

const char *
sym_rule_get_string (SymRule *self, const char *name, const char *fallback)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);
  const char *text = value == NULL ? NULL : sym_value_get_string (value);

  return text == NULL ? fallback : text;
}

SymDType
sym_rule_get_dtype (SymRule *self, const char *name, SymDType fallback)
{
  const char *text = sym_rule_get_string (self, name, NULL);
  SymDType dtype;

  return text != NULL && sym_dtype_from_string (text, &dtype) ? dtype : fallback;
}

int
sym_rule_get_ints (SymRule *self, const char *name, gint64 *values, int max)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);

  return value == NULL ? -1 : sym_value_get_ints (value, values, max);
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
sym_rule_infer_types (SymRule *self,
                      guint body,
                      SymBodyTypes *types,
                      GError **error)
{
  if (self->layer == NULL || body >= sym_layer_get_n_bodies (self->layer))
    return TRUE;

  self->shapes_only = FALSE;
  return sym_infer_types (sym_layer_get_body ((SymLayer *) self->layer, body, NULL), self, types,
                          error);
}

gboolean
sym_rule_run (SymRule *self,
              const SymLayer *layer,
              guint depth,
              GPtrArray **bodies,
              GError **error)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymFunction *function = sym_layer_get_function (layer);
  SymModel *running = sym_layer_get_running_body (layer);

  self->layer = layer;
  self->depth = depth;
  self->bodies = bodies;
  self->attributes = sym_layer_get_attributes (layer);
  self->first_fresh = sym_terms_get_size (self->terms);
  self->terms_changed = FALSE;
  if (op != NULL && op->infer != NULL)
    return op->infer (self, error);
  if (function != NULL)
    return run_function (self, function, error);
  if (running != NULL)
    return sym_infer_body (running, self, error);
  return TRUE;
}
