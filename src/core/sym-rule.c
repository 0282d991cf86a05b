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

static SymFact *
get_input (SymRule *self, guint i)
{
  return i < self->n_inputs ? self->inputs[i] : NULL;
}

static SymFact *
get_output (SymRule *self, guint i)
{
  return i < self->n_outputs ? self->outputs[i] : NULL;
}

gboolean
sym_rule_has_input (SymRule *self, guint i)
{
  return get_input (self, i) != NULL;
}

static SymShape
look_at_shape (SymRule *self, const SymFact *fact)
{
  if (fact == NULL)
    return SYM_SHAPE_UNKNOWN;
  return sym_terms_resolve_shape (self->terms, &fact->type.shape);
}

SymShape
sym_rule_get_input (SymRule *self, guint i)
{
  return look_at_shape (self, get_input (self, i));
}

SymShape
sym_rule_get_output (SymRule *self, guint i)
{
  return look_at_shape (self, get_output (self, i));
}

SymDType
sym_rule_get_input_dtype (SymRule *self, guint i)
{
  const SymFact *fact = get_input (self, i);

  return fact == NULL ? SYM_DTYPE_UNKNOWN : fact->type.dtype;
}

SymDType
sym_rule_get_output_dtype (SymRule *self, guint i)
{
  const SymFact *fact = get_output (self, i);

  return fact == NULL ? SYM_DTYPE_UNKNOWN : fact->type.dtype;
}

SymType
sym_rule_get_input_type (SymRule *self, guint i)
{
  const SymFact *fact = get_input (self, i);
  SymType type = fact == NULL ? SYM_TYPE_UNKNOWN : fact->type;

  type.shape = sym_terms_resolve_shape (self->terms, &type.shape);
  return type;
}

/* ---- Telling ---- */

gboolean
sym_rule_fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (SYM_ERROR, SYM_ERROR_SHAPE, format, arguments);
  va_end (arguments);
  return FALSE;
}

char *
sym_rule_format_shape (SymRule *self, const SymShape *shape)
{
  GString *text;

  if (shape->rank < 0)
    return g_strdup ("[...]");

  text = g_string_new ("[");
  for (int i = 0; i < shape->rank; i++)
    {
      g_autofree char *dim = shape->dims[i] == SYM_DIM_UNKNOWN
                               ? NULL
                               : sym_terms_format (self->terms, shape->dims[i]);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : ",", dim == NULL ? "?" : dim);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* A dimension that hangs on an unknown which this very run of the rule made tells nothing, whatever
 * becomes equal to it. */
static gboolean
is_fresh (SymRule *self, SymDim dim)
{
  SymForm form;

  if (dim >= 0)
    return FALSE;
  form = sym_terms_peek_form (self->terms, dim);
  for (guint i = 0; i < form.n_parts; i++)
    if (form.parts[i].variable >= self->first_fresh && ABS (form.parts[i].coefficient) == 1)
      return TRUE;
  return FALSE;
}

static gboolean
unify_dims (SymRule *self, SymDim a, SymDim b)
{
  guint64 generation = sym_terms_get_generation (self->terms);
  gboolean is_news;

  if (a == b || a == SYM_DIM_UNKNOWN || b == SYM_DIM_UNKNOWN)
    return TRUE;

  a = sym_terms_resolve (self->terms, a);
  b = sym_terms_resolve (self->terms, b);
  is_news = !is_fresh (self, a) && !is_fresh (self, b);
  if (!sym_terms_unify (self->terms, a, b))
    return FALSE;
  if (is_news && sym_terms_get_generation (self->terms) != generation)
    self->terms_changed = TRUE;
  return TRUE;
}

gboolean
sym_rule_unify (SymRule *self, SymDim a, SymDim b, const char *what, GError **error)
{
  SymShape shapes[2];
  g_autofree char *left = NULL, *right = NULL;

  if (unify_dims (self, a, b))
    return TRUE;

  shapes[0] = SYM_SHAPE (sym_terms_resolve (self->terms, a));
  shapes[1] = SYM_SHAPE (sym_terms_resolve (self->terms, b));
  left = sym_rule_format_shape (self, &shapes[0]);
  right = sym_rule_format_shape (self, &shapes[1]);
  return sym_rule_fail (error, "%s: %s does not equal %s", what, left, right);
}

static gboolean
fail_shapes (SymRule *self, const SymFact *fact, const SymShape *shape, GError **error)
{
  SymShape provided = look_at_shape (self, fact);
  SymShape inferred = sym_terms_resolve_shape (self->terms, shape);
  g_autofree char *left = sym_rule_format_shape (self, &provided);
  g_autofree char *right = sym_rule_format_shape (self, &inferred);

  return sym_rule_fail (error, "Shape inconsistent, Provided = %s, inferred shape=%s", left, right);
}

static gboolean
is_tensor_like (const SymFact *fact)
{
  return fact->type.kind != SYM_KIND_TUPLE && fact->type.kind != SYM_KIND_OPAQUE;
}

static gboolean
set_shape (SymRule *self, SymFact *fact, const SymShape *shape, GError **error)
{
  if (fact == NULL || shape->rank < 0 || !is_tensor_like (fact))
    return TRUE;
  if (fact->type.kind == SYM_KIND_UNKNOWN)
    fact->type.kind = SYM_KIND_TENSOR;
  if (fact->type.shape.rank < 0)
    {
      fact->changed = TRUE;
      fact->type.shape = *shape;
      for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] == SYM_DIM_UNKNOWN)
          fact->type.shape.dims[i] = sym_terms_new_unknown (self->terms);
      return TRUE;
    }
  if (fact->type.shape.rank != shape->rank)
    return fail_shapes (self, fact, shape, error);
  for (int i = 0; i < shape->rank; i++)
    if (!unify_dims (self, fact->type.shape.dims[i], shape->dims[i]))
      return fail_shapes (self, fact, shape, error);

  return TRUE;
}

/* "'weight'", "input 2", "output 0". */
static char *
name_place (const SymRule *self, const SymFact *fact)
{
  const SymOperator *op = self->layer == NULL ? NULL : sym_layer_get_operator (self->layer);
  const SymSlotSpec *slot = op == NULL ? NULL : op->slots;

  for (guint i = 0; i < self->n_inputs; i++)
    {
      if (self->inputs[i] == fact)
        return slot == NULL || slot->name == NULL ? g_strdup_printf ("input %u", i)
                                                  : g_strdup_printf ("'%s'", slot->name);
      if (slot != NULL && slot->name != NULL)
        slot++;
    }
  for (guint i = 0; i < self->n_outputs; i++)
    if (self->outputs[i] == fact)
      return g_strdup_printf ("output %u", i);

  return NULL;
}

static gboolean
fail_dtypes (const SymRule *self, const SymFact *fact, SymDType dtype, GError **error)
{
  g_autofree char *place = name_place (self, fact);

  return sym_rule_fail (error,
                        "This layer requires uniform type. Expected '%s' v.s. given '%s'%s%s",
                        sym_dtype_to_string (dtype), sym_dtype_to_string (fact->type.dtype),
                        place == NULL ? "" : " at ", place == NULL ? "" : place);
}

static gboolean
set_dtype (SymRule *self, SymFact *fact, SymDType dtype, GError **error)
{
  if (fact == NULL || dtype == SYM_DTYPE_UNKNOWN || fact->type.dtype == dtype
      || !is_tensor_like (fact))
    return TRUE;
  if (fact->type.kind == SYM_KIND_UNKNOWN)
    fact->type.kind = SYM_KIND_TENSOR;
  if (fact->type.dtype != SYM_DTYPE_UNKNOWN)
    return fail_dtypes (self, fact, dtype, error);

  fact->type.dtype = dtype;
  fact->changed = TRUE;
  return TRUE;
}

gboolean
sym_rule_set_input (SymRule *self, guint i, const SymShape *shape, GError **error)
{
  return set_shape (self, get_input (self, i), shape, error);
}

gboolean
sym_rule_set_output (SymRule *self, guint i, const SymShape *shape, GError **error)
{
  return set_shape (self, get_output (self, i), shape, error);
}

gboolean
sym_rule_set_input_dtype (SymRule *self, guint i, SymDType dtype, GError **error)
{
  return set_dtype (self, get_input (self, i), dtype, error);
}

gboolean
sym_rule_set_output_dtype (SymRule *self, guint i, SymDType dtype, GError **error)
{
  return set_dtype (self, get_output (self, i), dtype, error);
}

gboolean
sym_rule_tie_shapes (SymRule *self, guint first_input, guint last_input, GError **error)
{
  guint n = self->n_inputs == 0 ? 0 : MIN (last_input, self->n_inputs - 1) + 1;
  SymShape common = SYM_SHAPE_UNKNOWN;

  for (guint i = first_input; i < n && common.rank < 0; i++)
    common = sym_rule_get_input (self, i);
  for (guint i = 0; i < self->n_outputs && common.rank < 0; i++)
    common = sym_rule_get_output (self, i);
  for (guint i = first_input; i < n; i++)
    if (!sym_rule_set_input (self, i, &common, error))
      return FALSE;
  for (guint i = 0; i < self->n_outputs; i++)
    if (!sym_rule_set_output (self, i, &common, error))
      return FALSE;

  return TRUE;
}

gboolean
sym_rule_tie_dtypes (SymRule *self, guint first_input, guint last_input, GError **error)
{
  guint n = self->n_inputs == 0 ? 0 : MIN (last_input, self->n_inputs - 1) + 1;
  SymDType common = SYM_DTYPE_UNKNOWN;

  for (guint i = first_input; i < n && common == SYM_DTYPE_UNKNOWN; i++)
    common = sym_rule_get_input_dtype (self, i);
  for (guint i = 0; i < self->n_outputs && common == SYM_DTYPE_UNKNOWN; i++)
    common = sym_rule_get_output_dtype (self, i);
  for (guint i = first_input; i < n; i++)
    if (!sym_rule_set_input_dtype (self, i, common, error))
      return FALSE;
  for (guint i = 0; i < self->n_outputs; i++)
    if (!sym_rule_set_output_dtype (self, i, common, error))
      return FALSE;

  return TRUE;
}

/* ---- Small values ---- */

int
sym_rule_get_input_values (SymRule *self, guint i, SymDim *values, int max)
{
  const SymFact *fact = get_input (self, i);

  if (fact == NULL || fact->known == NULL)
    return -1;
  for (int k = 0; k < MIN (fact->known->n, max); k++)
    values[k] = sym_terms_resolve (self->terms, fact->known->values[k]);
  return fact->known->n;
}

void
sym_rule_set_output_values (SymRule *self, guint i, const SymDim *values, int n)
{
  SymFact *fact = get_output (self, i);

  if (fact == NULL || n < 0 || n > SYM_MAX_KNOWN_VALUES)
    return;
  if (fact->known != NULL)
    {
      for (int k = 0; k < MIN (fact->known->n, n); k++)
        unify_dims (self, fact->known->values[k], values[k]);
      return;
    }
  fact->known = g_new0 (SymKnown, 1);
  fact->known->n = n;
  for (int k = 0; k < n; k++)
    fact->known->values[k]
      = values[k] == SYM_DIM_UNKNOWN ? sym_terms_new_unknown (self->terms) : values[k];
  fact->changed = TRUE;
}

/* ---- Types that are no tensors ---- */

static gboolean
is_same_type (SymRule *self, const SymType *a, const SymType *b)
{
  SymShape left = sym_terms_resolve_shape (self->terms, &a->shape);
  SymShape right = sym_terms_resolve_shape (self->terms, &b->shape);

  if (a->kind != b->kind || a->dtype != b->dtype || a->name != b->name
      || a->n_elements != b->n_elements || !sym_shape_equal (&left, &right))
    return FALSE;
  for (guint i = 0; i < a->n_elements; i++)
    if (a->elements[i].kind != b->elements[i].kind || a->elements[i].dtype != b->elements[i].dtype
        || !sym_shape_equal (&a->elements[i].shape, &b->elements[i].shape))
      return FALSE;

  return TRUE;
}

static void
replace_type (SymRule *self, SymFact *fact, const SymType *type)
{
  if (is_same_type (self, &fact->type, type))
    return;

  fact->type = *type;
  fact->changed = TRUE;
  for (int i = 0; i < type->shape.rank; i++)
    if (type->shape.dims[i] == SYM_DIM_UNKNOWN)
      fact->type.shape.dims[i] = sym_terms_new_unknown (self->terms);
  sym_type_copy_elements (&fact->type, self->arena);
}

gboolean
sym_rule_unify_type (SymRule *self, SymFact *fact, const SymType *type, GError **error)
{
  if (type->kind == SYM_KIND_UNKNOWN)
    return TRUE;
  if (type->kind == SYM_KIND_TENSOR)
    return set_shape (self, fact, &type->shape, error) && set_dtype (self, fact, type->dtype, error);

  replace_type (self, fact, type);
  return TRUE;
}

void
sym_rule_set_output_type (SymRule *self, guint i, const SymType *type)
{
  SymFact *fact = get_output (self, i);

  if (fact == NULL)
    return;
  if (type->kind == SYM_KIND_TENSOR)
    {
      set_shape (self, fact, &type->shape, NULL);
      set_dtype (self, fact, type->dtype, NULL);
      return;
    }
  replace_type (self, fact, type);
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
