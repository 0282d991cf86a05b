/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include <string.h>

/* What sym-symscope-type.c writes. */
typedef struct {
  const SymJson *json;
  SymTerms *terms;
  GHashTable *unknowns;
  GPtrArray *memory;
} Reader;

/* "?1" is the same unknown wherever the model has it. */
static SymDim
get_unknown (Reader *self, const char *text)
{
  SymDim *dim = g_hash_table_lookup (self->unknowns, text);

  if (dim == NULL)
    {
      dim = g_new (SymDim, 1);
      *dim = sym_terms_new_unknown (self->terms);
      g_hash_table_insert (self->unknowns, g_strdup (text), dim);
    }
  return *dim;
}

static SymDim
get_variable (Reader *self, const char *name)
{
  return *name == '?' ? get_unknown (self, name) : sym_terms_get_named (self->terms, name);
}

static gboolean
read_text (Reader *self, guint token, SymDim *dim, GError **error)
{
  g_autofree char *text = sym_json_dup_string (self->json, token);

  if (text[0] == '?' && text[1] != '\0')
    {
      *dim = get_unknown (self, text);
      return TRUE;
    }
  return sym_terms_parse (self->terms, text, dim) ||
         sym_json_fail (self->json, token, error,
                        "'%s' is no dimension; \"batch\" or \"2*seq+1\" would be", text);
}

/* The parts with positive and with negative factors are summed up apart: no dimension is
 * negative. */
static gboolean
read_variables (Reader *self, guint object, SymDim sums[2], GError **error)
{
  for (SymJsonIter i = sym_json_iterate (self->json, object); sym_json_iter_next (self->json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (self->json, i.key);
      gint64 factor;
      SymDim part;

      if (!sym_json_get_int (self->json, i.value, &factor) || factor == G_MININT64)
        return sym_json_fail (self->json, i.value, error, "the factor of '%s' must be an integer",
                              name);
      part = sym_terms_multiply (self->terms, ABS (factor), get_variable (self, name));
      sums[factor < 0] = sym_terms_add (self->terms, sums[factor < 0], part);
    }
  return TRUE;
}

static gboolean
read_form (Reader *self, guint token, SymDim *dim, GError **error)
{
  guint variables = sym_json_get_member (self->json, token, "variables");
  gint64 constant;
  SymDim sums[2] = { 0, 0 };

  if (!sym_json_get_int (self->json, sym_json_get_member (self->json, token, "constant"),
                         &constant) ||
      constant == G_MININT64 || sym_json_get_kind (self->json, variables) != SYM_JSON_OBJECT)
    return sym_json_fail (self->json, token, error,
                          "a dimension that is an object must have an integer 'constant' and an "
                          "object 'variables'");
  if (!read_variables (self, variables, sums, error))
    return FALSE;

  sums[constant < 0] = sym_terms_add (self->terms, sums[constant < 0], ABS (constant));
  *dim = sym_terms_subtract (self->terms, sums[0], sums[1]);
  return TRUE;
}

static gboolean
read_dim (Reader *self, guint token, SymDim *dim, GError **error)
{
  gint64 number;

  switch (sym_json_get_kind (self->json, token))
    {
    case SYM_JSON_NULL:
      *dim = SYM_DIM_UNKNOWN;
      return TRUE;
    case SYM_JSON_NUMBER:
      if (!sym_json_get_int (self->json, token, &number) || number < 0)
        break;
      *dim = number;
      return TRUE;
    case SYM_JSON_STRING:
      if (self->terms == NULL)
        break;
      return read_text (self, token, dim, error);
    case SYM_JSON_OBJECT:
      if (self->terms == NULL)
        break;
      return read_form (self, token, dim, error);
    case SYM_JSON_ABSENT:
    case SYM_JSON_BOOL:
    case SYM_JSON_ARRAY:
    default:
      break;
    }
  return sym_json_fail (
      self->json, token, error,
      self->terms == NULL ? "a dimension here must be a whole number from 0, or null"
                          : "a dimension must be a whole number from 0, a form of names, or null");
}

static gboolean
read_shape (Reader *self, guint token, SymShape *shape, GError **error)
{
  guint rank;

  if (!sym_json_expect (self->json, token, SYM_JSON_ARRAY, "shape", error))
    return FALSE;
  rank = sym_json_count (self->json, token);
  if (rank > SYM_MAX_RANK)
    return sym_json_fail (self->json, token, error,
                          "a shape has %u dimensions; at most %d are "
                          "possible",
                          rank, SYM_MAX_RANK);

  *shape = sym_shape_new_unknown ((int) rank);
  rank = 0;
  for (SymJsonIter i = sym_json_iterate (self->json, token); sym_json_iter_next (self->json, &i);)
    if (!read_dim (self, i.value, &shape->dims[rank++], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_kind (Reader *self, guint token, SymKind *kind, GError **error)
{
  static const char *const names[] = { "unknown",  "tensor", "sequence",
                                       "optional", "tuple",  "opaque" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (sym_json_string_equals (self->json, token, names[i]))
      {
        *kind = (SymKind) i;
        return TRUE;
      }

  return sym_json_fail (self->json, token, error,
                        "'kind' must be unknown, tensor, sequence, optional, tuple or opaque");
}

static gboolean
read_dtype (Reader *self, guint token, SymDType *dtype, GError **error)
{
  g_autofree char *name = sym_json_dup_string (self->json, token);

  return (name != NULL && sym_dtype_from_string (name, dtype)) ||
         sym_json_fail (self->json, token, error, "'dtype' must name a dtype, such as \"float32\"");
}

static gboolean
is_given (const SymJson *json, guint token)
{
  SymJsonKind kind = sym_json_get_kind (json, token);

  return kind != SYM_JSON_ABSENT && kind != SYM_JSON_NULL;
}

static gboolean
read_members (Reader *self, guint token, SymType *type, GError **error)
{
  guint kind = sym_json_get_member (self->json, token, "kind");
  guint name = sym_json_get_member (self->json, token, "name");
  guint dtype = sym_json_get_member (self->json, token, "dtype");
  guint shape = sym_json_get_member (self->json, token, "shape");
  g_autofree char *text = NULL;

  *type = SYM_TYPE_UNKNOWN;
  type->kind = SYM_KIND_TENSOR;
  if ((kind != SYM_JSON_NONE && !read_kind (self, kind, &type->kind, error)) ||
      (is_given (self->json, dtype) && !read_dtype (self, dtype, &type->dtype, error)) ||
      (is_given (self->json, shape) && !read_shape (self, shape, &type->shape, error)))
    return FALSE;
  if (name == SYM_JSON_NONE)
    return TRUE;
  if (!sym_json_expect (self->json, name, SYM_JSON_STRING, "name", error))
    return FALSE;

  text = sym_json_dup_string (self->json, name);
  type->name = g_intern_string (text);
  return TRUE;
}

/* Recursive, SYM_SYMSCOPE_MAX_TYPE_DEPTH deep at most. */
static gboolean
read_nested (Reader *self, guint token, guint depth, SymType *type, GError **error)
{
  guint elements;
  SymType *block;

  if (!sym_json_expect (self->json, token, SYM_JSON_OBJECT, "type", error) ||
      !read_members (self, token, type, error))
    return FALSE;
  elements = sym_json_get_member (self->json, token, "elements");
  if (elements == SYM_JSON_NONE)
    return TRUE;
  if (!sym_json_expect (self->json, elements, SYM_JSON_ARRAY, "elements", error))
    return FALSE;
  if (depth == SYM_SYMSCOPE_MAX_TYPE_DEPTH)
    return sym_json_fail (self->json, token, error, "more than %d tuples within each other",
                          SYM_SYMSCOPE_MAX_TYPE_DEPTH);

  block = g_new (SymType, sym_json_count (self->json, elements) + 1);
  g_ptr_array_add (self->memory, block);
  for (SymJsonIter i = sym_json_iterate (self->json, elements);
       sym_json_iter_next (self->json, &i);)
    if (!read_nested (self, i.value, depth + 1, &block[type->n_elements++], error))
      return FALSE;

  type->elements = block;
  return TRUE;
}

gboolean
sym_symscope_read_type (const SymJson *json,
                        guint token,
                        SymTerms *terms,
                        GHashTable *unknowns,
                        GPtrArray *memory,
                        SymType *type,
                        GError **error)
{
  Reader reader = { json, terms, unknowns, memory };

  return read_nested (&reader, token, 0, type, error);
}
