/* SPDX-License-Identifier: MIT */
#include "app/scope-dimensions.h"

#include <glib/gi18n.h>

#include "app/scope-shape-text.h"
#include "core/sym-error.h"

#define MAX_VARIABLES 8 /* of a form that are looked at: 2*seq+1 has one */

static SymShape
get_declared (SymModel *model, SymId value)
{
  SymType type = sym_model_get_declared_type (model, value);

  return type.kind == SYM_KIND_TENSOR ? type.shape : SYM_SHAPE_UNKNOWN;
}

/* NULL where nothing is typed for it, or another number of dimensions. */
static ScopeShapeText *
get_typed (const ScopeState *state, SymId value, int rank)
{
  const char *text = scope_state_get_shape_text (state, value);
  g_autoptr (ScopeShapeText) typed = text != NULL ? scope_shape_text_parse (text, NULL) : NULL;

  return typed != NULL && typed->shape.rank == rank ? g_steal_pointer (&typed) : NULL;
}

/* ---- Which there are ---- */

static void
clear_dimension (gpointer data)
{
  ScopeDimension *self = data;

  g_free (self->name);
}

static gboolean
has_name (const SymTerms *terms, SymDim variable)
{
  g_autofree char *name = sym_terms_format (terms, variable);

  return name != NULL;
}

/* FALSE where a dimension is a number, unknown, or a form such as 2*seq+1. */
static gboolean
get_variable (const SymTerms *terms, SymDim dim, SymDim *variable)
{
  gint64 constant, coefficient;

  return dim < 0 && dim != SYM_DIM_UNKNOWN &&
         sym_terms_get_form (terms, dim, &constant, variable, &coefficient, 1) == 1 &&
         constant == 0 && coefficient == 1 && has_name (terms, *variable);
}

typedef struct {
  const SymTerms *terms;
  GHashTable *places; /* SymDim * of a variable -> its place + 1 */
  GArray *dimensions;
} Reading;

static ScopeDimension *
need_dimension (Reading *self, SymDim variable)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &variable));

  if (place == 0)
    {
      ScopeDimension dimension = { sym_terms_format (self->terms, variable), variable, -1, 0,
                                   FALSE };

      g_array_append_val (self->dimensions, dimension);
      place = self->dimensions->len;
      g_hash_table_insert (self->places, g_memdup2 (&variable, sizeof variable),
                           GUINT_TO_POINTER (place));
    }
  return &g_array_index (self->dimensions, ScopeDimension, place - 1);
}

/* @size: -1 for none. */
static void
read_dim (Reading *self, SymDim dim, gint64 size)
{
  ScopeDimension *dimension;
  SymDim variable;

  if (!get_variable (self->terms, dim, &variable))
    return;
  dimension = need_dimension (self, variable);
  dimension->is_mixed |= dimension->n_places > 0 && dimension->size != size;
  dimension->size = dimension->is_mixed ? -1 : size;
  dimension->n_places++;
}

/* Where another number of dimensions is typed there are none of these. */
static void
read_input (Reading *self, const ScopeState *state, SymId value)
{
  SymShape shape = get_declared (scope_state_get_model (state), value);
  g_autoptr (ScopeShapeText) typed = get_typed (state, value, shape.rank);
  gboolean is_other = typed == NULL && scope_state_get_shape_text (state, value) != NULL;
  SymDim variable;

  for (int d = 0; d < shape.rank; d++)
    if (!is_other)
      read_dim (self, shape.dims[d],
                typed != NULL && typed->shape.dims[d] >= 0 ? typed->shape.dims[d] : -1);
    else if (get_variable (self->terms, shape.dims[d], &variable))
      need_dimension (self, variable);
}

GArray *
scope_dimensions_read (const ScopeState *state)
{
  g_return_val_if_fail (state != NULL, NULL);

  SymModel *model = scope_state_get_model (state);
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Reading reading = { sym_model_get_terms (model), places,
                      g_array_new (FALSE, FALSE, sizeof (ScopeDimension)) };

  g_array_set_clear_func (reading.dimensions, clear_dimension);
  for (guint i = 0; i < inputs.n; i++)
    read_input (&reading, state, inputs.ids[i]);
  return reading.dimensions;
}

/* ---- Other sizes ---- */

static gboolean
depends_on (const SymTerms *terms, SymDim dim, SymDim variable)
{
  SymDim variables[MAX_VARIABLES];
  gint64 coefficients[MAX_VARIABLES], constant;
  guint n;

  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return FALSE;
  n = sym_terms_get_form (terms, dim, &constant, variables, coefficients, MAX_VARIABLES);
  for (guint i = 0; i < MIN (n, MAX_VARIABLES); i++)
    if (variables[i] == variable)
      return TRUE;
  return FALSE;
}

static gboolean
has_dimension (const SymTerms *terms, const SymShape *shape, SymDim variable)
{
  for (int d = 0; d < shape->rank; d++)
    if (depends_on (terms, shape->dims[d], variable))
      return TRUE;
  return FALSE;
}

/* Whether a text is read as that dimension again, and as no other. */
static gboolean
can_be_typed (SymTerms *terms, const char *text, SymDim dim)
{
  g_autoptr (ScopeShapeText) typed = scope_shape_text_parse (text, NULL);
  SymDim read;

  return typed != NULL && typed->shape.rank == 1 &&
         (typed->shape.dims[0] >= 0 || g_strcmp0 (typed->names[0], text) == 0) &&
         sym_terms_parse (terms, text, &read) && read == dim;
}

/* Shapes are read again from their texts: a name that nobody could type, such as batch-size, is any
 * size. */
static char *
write_dim (SymTerms *terms, SymDim dim)
{
  SymDim resolved = dim != SYM_DIM_UNKNOWN ? sym_terms_resolve (terms, dim) : dim;
  g_autofree char *text = resolved != SYM_DIM_UNKNOWN ? sym_terms_format (terms, resolved) : NULL;

  return g_strdup (text != NULL && can_be_typed (terms, text, resolved) ? text : "?");
}

static char *
write_typed (const ScopeShapeText *typed, int d)
{
  if (typed->shape.dims[d] >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) typed->shape.dims[d]);
  return g_strdup (typed->names[d] != NULL ? typed->names[d] : "?");
}

/* Of a model where one dimension gets another size. */
typedef struct {
  const ScopeState *state;
  SymTerms *terms; /* of the model */
  SymTerms *sizes; /* the same where names are what they are to be */
  SymDim variable; /* that gets it */
} Writing;

/* The shape of an input, "" as it is declared.  NULL where another number of dimensions is typed,
 * and so none of these. */
static char *
write_shape (const Writing *self, SymId value)
{
  SymShape declared = get_declared (scope_state_get_model (self->state), value);
  g_autoptr (ScopeShapeText) typed = get_typed (self->state, value, declared.rank);
  g_autoptr (GString) text = NULL;
  gboolean is_declared = TRUE;

  if (!has_dimension (self->terms, &declared, self->variable) ||
      (typed == NULL && scope_state_get_shape_text (self->state, value) != NULL))
    return NULL;
  text = g_string_new (NULL);
  for (int d = 0; d < declared.rank; d++)
    {
      gboolean follows =
          typed == NULL || depends_on (self->terms, declared.dims[d], self->variable);
      g_autofree char *before = write_dim (self->terms, declared.dims[d]);
      g_autofree char *after =
          follows ? write_dim (self->sizes, declared.dims[d]) : write_typed (typed, d);

      g_string_append_printf (text, "%s%s", d > 0 ? "×" : "", after);
      is_declared = is_declared && g_str_equal (before, after);
    }
  if (is_declared)
    g_string_truncate (text, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* -1 for its name again. */
static gboolean
read_size (const char *name, const char *text, gint64 *size, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  guint64 number = 0;

  *size = -1;
  if (*stripped == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (stripped, 10, 0, SCOPE_SHAPE_TEXT_MAX_DIM, &number, NULL))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("“%s” is no size for %s: use a number, or nothing for any size"), stripped,
                   name);
      return FALSE;
    }
  *size = (gint64) number;
  return TRUE;
}

/* The one that is typed first: where the others no longer go with it, they are what is left out. */
static gboolean
take_sizes (Writing *self, const GArray *dimensions, const char *name, gint64 size, GError **error)
{
  if (size >= 0 && !sym_terms_unify (self->sizes, self->variable, size))
    {
      g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, size);

      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("%s is no size for %s: another dimension, made of it, would be less than 0"),
                   number, name);
      return FALSE;
    }
  for (guint i = 0; i < dimensions->len; i++)
    {
      const ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      if (dimension->size >= 0 && dimension->variable != self->variable)
        sym_terms_unify (self->sizes, dimension->variable, dimension->size);
    }
  return TRUE;
}

static ScopeState *
write_shapes (const Writing *self, const char *name, GError **error)
{
  SymIds inputs = sym_model_get_inputs (scope_state_get_model (self->state));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < inputs.n; i++)
    {
      char *text = write_shape (self, inputs.ids[i]);

      if (text == NULL)
        continue;
      g_array_append_val (values, inputs.ids[i]);
      g_ptr_array_add (texts, text);
    }
  if (values->len == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("No input has %s as it is typed: empty the shape of one first"), name);
      return NULL;
    }
  return scope_state_set_shape_texts (self->state, (const SymId *) (gconstpointer) values->data,
                                      (const char *const *) texts->pdata, values->len, error);
}

static gboolean
find_variable (const GArray *dimensions, const char *name, SymDim *variable)
{
  for (guint i = 0; i < dimensions->len; i++)
    {
      const ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      *variable = dimension->variable;
      if (g_str_equal (dimension->name, name))
        return TRUE;
    }
  return FALSE;
}

ScopeState *
scope_dimensions_set_text (const ScopeState *state,
                           const char *name,
                           const char *text,
                           GError **error)
{
  g_return_val_if_fail (state != NULL && name != NULL && text != NULL, NULL);

  const SymTerms *terms = sym_model_get_terms (scope_state_get_model (state));
  g_autoptr (GArray) dimensions = scope_dimensions_read (state);
  g_autoptr (SymTerms) own_terms = sym_terms_copy (terms), sizes = sym_terms_copy (terms);
  Writing writing = { state, own_terms, sizes, SYM_DIM_UNKNOWN };
  gint64 size;

  sym_terms_let_be (own_terms); /* what is given decides */
  sym_terms_let_be (sizes);
  if (!read_size (name, text, &size, error))
    return NULL;
  if (!find_variable (dimensions, name, &writing.variable))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("No input has a dimension %s"), name);
      return NULL;
    }
  if (!take_sizes (&writing, dimensions, name, size, error))
    return NULL;
  return write_shapes (&writing, name, error);
}
