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

/* FALSE where a dimension is a number, unknown, or a form such as 2*seq+1. */
static gboolean
get_variable (const SymTerms *terms, SymDim dim, SymDim *variable)
{
  gint64 constant, coefficient;

  return dim < 0 && dim != SYM_DIM_UNKNOWN &&
         sym_terms_get_form (terms, dim, &constant, variable, &coefficient, 1) == 1 &&
         constant == 0 && coefficient == 1;
}

typedef struct {
  const SymTerms *terms;
  GHashTable *places; /* SymDim * of a variable -> its place + 1 */
  GArray *dimensions;
} Reading;

static void
read_dim (Reading *self, SymDim dim, gint64 size)
{
  ScopeDimension dimension = { .size = size };
  gint64 *key;

  if (!get_variable (self->terms, dim, &dimension.variable))
    return;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, &dimension.variable));

  if (place > 0)
    {
      ScopeDimension *known = &g_array_index (self->dimensions, ScopeDimension, place - 1);

      known->size = known->size == size ? size : -1;
      return;
    }
  dimension.name = sym_terms_format (self->terms, dimension.variable);
  if (dimension.name == NULL)
    return;
  g_array_append_val (self->dimensions, dimension);
  key = g_memdup2 (&dimension.variable, sizeof dimension.variable);
  g_hash_table_insert (self->places, key, GUINT_TO_POINTER (self->dimensions->len));
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
    {
      SymShape shape = get_declared (model, inputs.ids[i]);
      g_autoptr (ScopeShapeText) typed = get_typed (state, inputs.ids[i], shape.rank);

      for (int d = 0; d < shape.rank; d++)
        read_dim (&reading, shape.dims[d],
                  typed != NULL && typed->shape.dims[d] >= 0 ? typed->shape.dims[d] : -1);
    }
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

/* Shapes are read again from their texts: a name that nobody could type, such as batch-size, is any
 * size. */
static void
append_dim (GString *text, SymTerms *sizes, SymDim dim)
{
  SymDim resolved = dim != SYM_DIM_UNKNOWN ? sym_terms_resolve (sizes, dim) : dim, read = dim;
  g_autofree char *word = resolved != SYM_DIM_UNKNOWN ? sym_terms_format (sizes, resolved) : NULL;
  gboolean can_be_typed = word != NULL && sym_terms_parse (sizes, word, &read) && read == resolved;

  g_string_append (text, can_be_typed ? word : "?");
}

static void
append_typed (GString *text, const ScopeShapeText *typed, int d)
{
  if (typed->shape.dims[d] >= 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, (gint64) typed->shape.dims[d]);
  else
    g_string_append (text, typed->names[d] != NULL ? typed->names[d] : "?");
}

/* The shape of an input, "" as it is declared; @sizes are the model's terms where names are what
 * they are to be.  NULL where another number of dimensions is typed, and so none of these. */
static char *
write_shape (const ScopeState *state, SymTerms *sizes, SymId value, SymDim variable)
{
  SymModel *model = scope_state_get_model (state);
  const SymTerms *terms = sym_model_get_terms (model);
  SymShape declared = get_declared (model, value);
  g_autoptr (ScopeShapeText) typed = get_typed (state, value, declared.rank);
  g_autoptr (GString) text = NULL;

  if (!has_dimension (terms, &declared, variable) ||
      (typed == NULL && scope_state_get_shape_text (state, value) != NULL))
    return NULL;
  text = g_string_new (NULL);
  for (int d = 0; d < declared.rank; d++)
    {
      g_string_append (text, d > 0 ? "×" : "");
      if (typed == NULL || depends_on (terms, declared.dims[d], variable))
        append_dim (text, sizes, declared.dims[d]);
      else
        append_typed (text, typed, d);
    }
  if (scope_state_is_declared_shape (model, value, text->str))
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

static SymTerms *
create_sizes (const ScopeState *state, const GArray *dimensions)
{
  SymTerms *sizes = sym_terms_copy (sym_model_get_terms (scope_state_get_model (state)));

  for (guint i = 0; i < dimensions->len; i++)
    {
      const ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      if (dimension->size >= 0)
        sym_terms_unify (sizes, dimension->variable, dimension->size);
    }
  return sizes;
}

static ScopeState *
write_shapes (const ScopeState *state, SymTerms *sizes, SymDim variable, GError **error)
{
  SymIds inputs = sym_model_get_inputs (scope_state_get_model (state));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < inputs.n; i++)
    {
      char *text = write_shape (state, sizes, inputs.ids[i], variable);

      if (text == NULL)
        continue;
      g_array_append_val (values, inputs.ids[i]);
      g_ptr_array_add (texts, text);
    }
  return scope_state_set_shape_texts (state, (const SymId *) (gconstpointer) values->data,
                                      (const char *const *) texts->pdata, values->len, error);
}

ScopeState *
scope_dimensions_set_text (const ScopeState *state,
                           const char *name,
                           const char *text,
                           GError **error)
{
  g_return_val_if_fail (state != NULL && name != NULL && text != NULL, NULL);

  g_autoptr (GArray) dimensions = scope_dimensions_read (state);
  g_autoptr (SymTerms) sizes = NULL;
  SymDim variable = SYM_DIM_UNKNOWN;
  gint64 size;

  if (!read_size (name, text, &size, error))
    return NULL;
  for (guint i = 0; i < dimensions->len; i++)
    {
      ScopeDimension *dimension = &g_array_index (dimensions, ScopeDimension, i);

      if (!g_str_equal (dimension->name, name))
        continue;
      dimension->size = size;
      variable = dimension->variable;
    }
  g_return_val_if_fail (variable != SYM_DIM_UNKNOWN, NULL);
  sizes = create_sizes (state, dimensions);
  return write_shapes (state, sizes, variable, error);
}
