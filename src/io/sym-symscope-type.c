/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include <stdlib.h>
#include <string.h>

/* {"dtype":  "float32", "shape": ["batch", 3, null]} is a tensor; other kinds say so: {"kind":
 * "sequence", ...}, {"kind":  "tuple", "elements": [...]}, {"kind":  "opaque", "name":  "ndarray"}.
 * A dimension is a number, null, a linear form of names, "2*seq+1", or an unknown that occurs
 * elsewhere too, "?1".  A form that such a text cannot tell is {"constant": 1, "variables":
 * {"?1": 2}}. */
#define MAX_VARIABLES 8

static const char *const kind_names[] = {
  [SYM_KIND_UNKNOWN] = "unknown",   [SYM_KIND_TENSOR] = "tensor", [SYM_KIND_SEQUENCE] = "sequence",
  [SYM_KIND_OPTIONAL] = "optional", [SYM_KIND_TUPLE] = "tuple",   [SYM_KIND_OPAQUE] = "opaque",
};

/* ---- Numbers of unknowns ---- */

static SymDim
resolve (const SymSymscopeNumbers *self, SymDim dim)
{
  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return dim;
  return self->terms == NULL ? SYM_DIM_UNKNOWN : sym_terms_resolve (self->terms, dim);
}

/* The variables of a form; @n is 0 for one that has too many, which then counts as unknown. */
static guint
get_form (const SymSymscopeNumbers *self,
          SymDim dim,
          gint64 *constant,
          SymDim *variables,
          gint64 *coefficients)
{
  guint n = sym_terms_get_form (self->terms, dim, constant, variables, coefficients, MAX_VARIABLES);

  return n <= MAX_VARIABLES ? n : 0;
}

static void
count_dim (SymSymscopeNumbers *self, SymDim dim)
{
  SymDim variables[MAX_VARIABLES];
  gint64 coefficients[MAX_VARIABLES], constant;
  guint n;

  dim = resolve (self, dim);
  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return;
  n = get_form (self, dim, &constant, variables, coefficients);
  for (guint i = 0; i < n; i++)
    {
      gpointer key = GINT_TO_POINTER ((int) -variables[i]);
      guint uses = GPOINTER_TO_UINT (g_hash_table_lookup (self->uses, key));
      gboolean is_alone = n == 1 && constant == 0 && coefficients[0] == 1;

      g_hash_table_insert (self->uses, key, GUINT_TO_POINTER (uses + (is_alone ? 1 : 2)));
    }
}

/* A tuple's elements are walked from the outside in. */
void
sym_symscope_numbers_count (SymSymscopeNumbers *self, const SymType *type)
{
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();

  g_ptr_array_add (queue, (gpointer) type);
  for (guint i = 0; i < queue->len; i++)
    {
      const SymType *at = g_ptr_array_index (queue, i);

      for (int k = 0; k < at->shape.rank; k++)
        count_dim (self, at->shape.dims[k]);
      for (guint k = 0; k < at->n_elements; k++)
        g_ptr_array_add (queue, (gpointer) &at->elements[k]);
    }
}

void
sym_symscope_numbers_init (SymSymscopeNumbers *self, const SymTerms *terms)
{
  *self = (SymSymscopeNumbers){
    .terms = terms,
    .uses = g_hash_table_new (NULL, NULL),
    .numbers = g_hash_table_new (NULL, NULL),
  };
}

void
sym_symscope_numbers_clear (SymSymscopeNumbers *self)
{
  g_clear_pointer (&self->uses, g_hash_table_unref);
  g_clear_pointer (&self->numbers, g_hash_table_unref);
}

/* ---- Writing ---- */

static char *
name_variable (SymSymscopeNumbers *self, SymDim variable)
{
  gpointer key = GINT_TO_POINTER ((int) -variable);
  char *name = sym_terms_format (self->terms, variable);
  guint number;

  if (name != NULL)
    return name;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));
  if (number == 0)
    {
      number = g_hash_table_size (self->numbers) + 1;
      g_hash_table_insert (self->numbers, key, GUINT_TO_POINTER (number));
    }
  return g_strdup_printf ("?%u", number);
}

/* What sym_terms_parse() reads back as one name. */
static gboolean
is_plain_name (const char *name)
{
  if (!g_ascii_isalpha (*name) && *name != '_')
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '.')
      return FALSE;

  return TRUE;
}

/* A variable of a form as it is written. */
typedef struct {
  char *name;
  gint64 coefficient;
} Part;

/* By name, and ?9 before ?10, so that a text does not tell in which order its names were met. */
static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const char *first = ((const Part *) a)->name, *second = ((const Part *) b)->name;
  gsize first_length = strlen (first), second_length = strlen (second);

  if (*first == '?' && *second == '?' && first_length != second_length)
    return first_length < second_length ? -1 : 1;
  return strcmp (first, second);
}

static void
append_parts (GString *out, gint64 constant, const Part *parts, guint n)
{
  g_string_append_printf (out, "{\"constant\": %" G_GINT64_FORMAT ", \"variables\": {", constant);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      sym_json_append_string (out, parts[i].name);
      g_string_append_printf (out, ": %" G_GINT64_FORMAT, parts[i].coefficient);
    }
  g_string_append (out, "}}");
}

static void
append_form (GString *out, SymSymscopeNumbers *self, SymDim dim)
{
  SymDim variables[MAX_VARIABLES];
  gint64 coefficients[MAX_VARIABLES], constant = 0;
  guint n = get_form (self, dim, &constant, variables, coefficients);
  Part parts[MAX_VARIABLES];
  gboolean is_plain = TRUE;

  for (guint i = 0; i < n; i++)
    {
      parts[i] = (Part){ name_variable (self, variables[i]), coefficients[i] };
      is_plain = is_plain && is_plain_name (parts[i].name);
    }
  if (is_plain)
    {
      g_autofree char *text = sym_terms_format (self->terms, dim);

      sym_json_append_string (out, text);
    }
  else if (n == 1 && constant == 0 && coefficients[0] == 1 && *parts[0].name == '?')
    sym_json_append_string (out, parts[0].name);
  else
    {
      qsort (parts, n, sizeof (Part), compare_parts);
      append_parts (out, constant, parts, n);
    }
  for (guint i = 0; i < n; i++)
    g_free (parts[i].name);
}

/* Whether the dimension is an unknown that nothing else is tied to. */
static gboolean
is_lone_unknown (SymSymscopeNumbers *self, SymDim dim)
{
  SymDim variables[MAX_VARIABLES];
  gint64 coefficients[MAX_VARIABLES], constant;
  g_autofree char *name = NULL;
  guint n;

  if (dim == SYM_DIM_UNKNOWN)
    return TRUE;
  name = sym_terms_format (self->terms, dim);
  if (name != NULL)
    return FALSE;
  n = get_form (self, dim, &constant, variables, coefficients);
  return n == 0 ||
         (n == 1 && g_hash_table_lookup (self->uses, GINT_TO_POINTER ((int) -variables[0])) ==
                        GUINT_TO_POINTER (1));
}

static void
append_shape (GString *out, const SymShape *shape, SymSymscopeNumbers *numbers)
{
  g_string_append_c (out, '[');
  for (int i = 0; i < shape->rank; i++)
    {
      SymDim dim = resolve (numbers, shape->dims[i]);

      g_string_append (out, i == 0 ? "" : ", ");
      if (dim >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, dim);
      else if (is_lone_unknown (numbers, dim))
        g_string_append (out, "null");
      else
        append_form (out, numbers, dim);
    }
  g_string_append_c (out, ']');
}

/* Members so far decide whether a comma comes before the next. */
static void
begin_member (GString *out, const char *name)
{
  if (out->str[out->len - 1] != '{')
    g_string_append (out, ", ");
  g_string_append_printf (out, "\"%s\": ", name);
}

/* Recursive, SYM_SYMSCOPE_MAX_TYPE_DEPTH deep at most. */
static gboolean
append_nested (GString *out,
               const SymType *type,
               SymSymscopeNumbers *numbers,
               guint depth,
               GError **error)
{
  if (depth == SYM_SYMSCOPE_MAX_TYPE_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "a type has more than %d tuples within each other", SYM_SYMSCOPE_MAX_TYPE_DEPTH);
      return FALSE;
    }
  g_string_append_c (out, '{');
  if (type->kind != SYM_KIND_TENSOR)
    {
      begin_member (out, "kind");
      sym_json_append_string (out, kind_names[type->kind]);
    }
  if (type->name != NULL)
    {
      begin_member (out, "name");
      sym_json_append_string (out, type->name);
    }
  if (type->dtype != SYM_DTYPE_UNKNOWN)
    {
      begin_member (out, "dtype");
      sym_json_append_string (out, sym_dtype_to_string (type->dtype));
    }
  if (type->shape.rank >= 0)
    {
      begin_member (out, "shape");
      append_shape (out, &type->shape, numbers);
    }
  if (type->kind == SYM_KIND_TUPLE)
    {
      begin_member (out, "elements");
      g_string_append_c (out, '[');
      for (guint i = 0; i < type->n_elements; i++)
        {
          g_string_append (out, i == 0 ? "" : ", ");
          if (!append_nested (out, &type->elements[i], numbers, depth + 1, error))
            return FALSE;
        }
      g_string_append_c (out, ']');
    }
  g_string_append_c (out, '}');
  return TRUE;
}

gboolean
sym_symscope_append_type (GString *out,
                          const SymType *type,
                          SymSymscopeNumbers *numbers,
                          GError **error)
{
  return append_nested (out, type, numbers, 0, error);
}
