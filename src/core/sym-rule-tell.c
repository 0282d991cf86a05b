/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-rule-private.h"

#include "core/sym-error.h"
#include "core/sym-terms-private.h"

void
sym_rule_set_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (SYM_ERROR, SYM_ERROR_SHAPE, format, arguments);
  va_end (arguments);
}

void
sym_rule_note_forward (SymRule *self)
{
  self->is_final = TRUE;
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
      g_autofree char *dim =
          shape->dims[i] == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (self->terms, shape->dims[i]);

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
  const SymForm *form;

  if (dim >= 0)
    return FALSE;
  form = sym_terms_get_term (self->terms, sym_terms_to_number (dim))->form;
  if (form == NULL)
    return sym_terms_to_number (dim) >= self->first_fresh;
  for (guint i = 0; i < form->n_parts; i++)
    if (form->parts[i].variable >= self->first_fresh && ABS (form->parts[i].coefficient) == 1)
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
  if (a == b)
    return TRUE;
  is_news = !is_fresh (self, a) && !is_fresh (self, b);
  if (!sym_terms_unify (self->terms, a, b))
    return FALSE;
  if (is_news && sym_terms_get_generation (self->terms) != generation)
    self->terms_changed = TRUE;
  return TRUE;
}

/* Rules of host functions are not ours. */
static gboolean
check_dim (SymRule *self, SymDim dim, GError **error)
{
  return sym_terms_has (self->terms, dim) ||
         sym_rule_fail (error,
                        "%" G_GINT64_FORMAT " is no size: 0 or more, SYM_DIM_UNKNOWN or a term "
                        "of the rule would be",
                        dim);
}

gboolean
sym_rule_unify (SymRule *self, SymDim a, SymDim b, const char *what, GError **error)
{
  SymShape shapes[2];
  g_autofree char *left = NULL, *right = NULL;

  if (!check_dim (self, a, error) || !check_dim (self, b, error))
    return FALSE;
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
  SymShape provided = sym_rule_look_at (self, fact);
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
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0 && !check_dim (self, shape->dims[i], error))
      return FALSE;
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
  if (fact == NULL || dtype == SYM_DTYPE_UNKNOWN || fact->type.dtype == dtype ||
      !is_tensor_like (fact))
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
  return set_shape (self, sym_rule_peek_input (self, i), shape, error);
}

gboolean
sym_rule_set_output (SymRule *self, guint i, const SymShape *shape, GError **error)
{
  return set_shape (self, sym_rule_peek_output (self, i), shape, error);
}

gboolean
sym_rule_set_input_dtype (SymRule *self, guint i, SymDType dtype, GError **error)
{
  return set_dtype (self, sym_rule_peek_input (self, i), dtype, error);
}

gboolean
sym_rule_set_output_dtype (SymRule *self, guint i, SymDType dtype, GError **error)
{
  return set_dtype (self, sym_rule_peek_output (self, i), dtype, error);
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

/* What has no elements is known by its shape. */
static gboolean
is_empty_list (const SymRule *self, const SymFact *fact)
{
  return fact != NULL && fact->type.kind == SYM_KIND_TENSOR && fact->type.shape.rank == 1 &&
         sym_terms_resolve (self->terms, fact->type.shape.dims[0]) == 0;
}

int
sym_rule_get_input_values (SymRule *self, guint i, SymDim *values, int max)
{
  const SymFact *fact = sym_rule_peek_input (self, i);

  if (is_empty_list (self, fact))
    return 0;
  if (fact == NULL || fact->known == NULL || fact->known->plain)
    return -1;
  for (int k = 0; k < MIN (fact->known->n, max); k++)
    values[k] = sym_terms_resolve (self->terms, fact->known->values[k]);
  return fact->known->n;
}

int
sym_rule_get_input_ints (SymRule *self, guint i, gint64 *values, int max)
{
  const SymFact *fact = sym_rule_peek_input (self, i);

  if (is_empty_list (self, fact))
    return 0;
  if (fact == NULL || fact->known == NULL)
    return -1;
  for (int k = 0; k < fact->known->n; k++)
    {
      gint64 value = fact->known->values[k];

      if (!fact->known->plain)
        value = sym_terms_resolve (self->terms, value);
      if (!fact->known->plain && value < 0)
        return -1;
      if (k < max)
        values[k] = value;
    }
  return fact->known->n;
}

int
sym_rule_get_input_table (SymRule *self, guint i, gint64 *values, int max)
{
  const SymFact *fact = sym_rule_peek_input (self, i);

  if (fact == NULL || fact->table == NULL)
    return -1;
  for (int k = 0; k < MIN (fact->table->n, max); k++)
    values[k] = fact->table->values[k];
  return fact->table->n;
}

int
sym_rule_get_input_floats (SymRule *self, guint i, double *values, int max)
{
  const SymFact *fact = sym_rule_peek_input (self, i);

  if (fact == NULL || fact->floats == NULL)
    return -1;
  for (int k = 0; k < MIN (fact->floats->n, max); k++)
    values[k] = fact->floats->values[k];
  return fact->floats->n;
}

void
sym_rule_set_output_values (SymRule *self, guint i, const SymDim *values, int n)
{
  SymFact *fact = sym_rule_peek_output (self, i);

  if (fact == NULL || n < 0 || n > SYM_MAX_KNOWN_VALUES)
    return;
  if (fact->known != NULL && fact->known->plain)
    return;
  for (int k = 0; k < n; k++)
    if (!sym_terms_has (self->terms, values[k]))
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
    fact->known->values[k] =
        values[k] == SYM_DIM_UNKNOWN ? sym_terms_new_unknown (self->terms) : values[k];
  fact->changed = TRUE;
}

void
sym_rule_set_output_ints (SymRule *self, guint i, const gint64 *values, int n)
{
  SymFact *fact = sym_rule_peek_output (self, i);
  gboolean plain = FALSE;

  if (fact == NULL || n < 0 || n > SYM_MAX_KNOWN_VALUES)
    return;
  for (int k = 0; k < n; k++)
    plain = plain || values[k] < 0;
  if (!plain)
    {
      sym_rule_set_output_values (self, i, values, n);
      return;
    }
  if (fact->known != NULL)
    return;
  fact->known = g_new0 (SymKnown, 1);
  fact->known->n = n;
  fact->known->plain = TRUE;
  memcpy (fact->known->values, values, (gsize) n * sizeof *values);
  fact->changed = TRUE;
}

/* ---- Types that are no tensors ---- */

/* A size that is not known says nothing of one that is there. */
static gboolean
is_same_shape (const SymShape *a, const SymShape *b)
{
  if (a->rank != b->rank)
    return FALSE;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i] && b->dims[i] != SYM_DIM_UNKNOWN)
      return FALSE;
  return TRUE;
}

static gboolean
is_same_type (SymRule *self, const SymType *a, const SymType *b)
{
  SymShape left = sym_terms_resolve_shape (self->terms, &a->shape);
  SymShape right = sym_terms_resolve_shape (self->terms, &b->shape);

  if (a->kind != b->kind || a->dtype != b->dtype || a->name != b->name ||
      a->n_elements != b->n_elements || !is_same_shape (&left, &right))
    return FALSE;
  for (guint i = 0; i < a->n_elements; i++)
    if (a->elements[i].kind != b->elements[i].kind ||
        a->elements[i].dtype != b->elements[i].dtype ||
        !sym_shape_equal (&a->elements[i].shape, &b->elements[i].shape))
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
    return set_shape (self, fact, &type->shape, error) &&
           set_dtype (self, fact, type->dtype, error);

  replace_type (self, fact, type);
  return TRUE;
}

void
sym_rule_set_output_type (SymRule *self, guint i, const SymType *type)
{
  SymFact *fact = sym_rule_peek_output (self, i);

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
