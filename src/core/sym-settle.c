/* SPDX-License-Identifier: MIT */
#include "core/sym-settle.h"

#include "core/sym-extract.h"

#define MAX_VARIABLES 16
#define MAX_TOLD 6

typedef struct {
  const SymInference *inference;
  SymModel *model;
  SymTerms *terms;  /* of the inference, and what was settled since */
  GHashTable *map;  /* of the model's terms to these */
  GPtrArray *taken; /* texts, in order */
} Settling;

/* What @override says of a shape says the same of the names that are declared there. */
static void
tie_names (Settling *self, const SymOverride *override)
{
  SymType declared = sym_model_get_declared_type (self->model, override->value);
  SymType type = sym_inference_get_type (self->inference, override->value);
  SymShape shape;

  if (!override->has_shape || declared.kind != SYM_KIND_TENSOR || declared.shape.rank < 0
      || declared.shape.rank != type.shape.rank)
    return;
  shape = sym_terms_translate_shape (sym_model_get_terms (self->model), &declared.shape,
                                     self->terms, self->map);
  for (int i = 0; i < shape.rank; i++)
    sym_terms_unify (self->terms, shape.dims[i], type.shape.dims[i]);
}

static void
take (Settling *self, SymId input, int axis, SymDim variable)
{
  char *name = sym_terms_format (self->terms, variable);

  if (!sym_terms_unify (self->terms, variable, 1))
    {
      g_free (name);
      return;
    }
  if (name == NULL)
    name = g_strdup_printf ("axis %d of “%s”", axis,
                            sym_model_get_unique_name (self->model, input));
  g_ptr_array_add (self->taken, name);
}

/* A number for a dimension; of a form (past+1) each variable is settled. */
static SymDim
settle (Settling *self, SymId input, int axis, SymDim dim)
{
  SymDim variables[MAX_VARIABLES];
  gint64 constant, coefficients[MAX_VARIABLES];
  guint n;

  dim = sym_terms_resolve (self->terms, dim);
  if (dim >= 0)
    return dim;
  n = sym_terms_get_form (self->terms, dim, &constant, variables, coefficients, MAX_VARIABLES);
  for (guint i = 0; i < MIN (n, MAX_VARIABLES); i++)
    take (self, input, axis, variables[i]);
  return sym_terms_resolve (self->terms, dim);
}

/* A shape that is told already has no need of an override. */
static gboolean
settle_input (Settling *self, SymId input, SymOverride *override)
{
  SymType type = sym_inference_get_type (self->inference, input);

  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0 || sym_shape_is_known (&type.shape))
    return FALSE;
  *override = (SymOverride){ .value = input, .has_shape = TRUE, .shape = type.shape };
  for (int i = 0; i < type.shape.rank; i++)
    override->shape.dims[i] = settle (self, input, i, type.shape.dims[i]);
  return sym_shape_is_known (&override->shape);
}

static char *
list_taken (const GPtrArray *taken)
{
  GString *text;

  if (taken->len == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < MIN (taken->len, MAX_TOLD); i++)
    g_string_append_printf (text, "%s%s",
                            i == 0 ? "" : i + 1 == taken->len ? " and " : ", ",
                            (const char *) taken->pdata[i]);
  if (taken->len > MAX_TOLD)
    g_string_append_printf (text, " and %u more", taken->len - MAX_TOLD);
  return g_string_free (text, FALSE);
}

/* What is given goes on, but for shapes that @settled has. */
static GArray *
merge (const SymOverride *given, guint n_given, GHashTable *settled)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (SymOverride));

  for (guint i = 0; i < n_given; i++)
    {
      SymOverride override = given[i];

      if (g_hash_table_contains (settled, GUINT_TO_POINTER (override.value)))
        override.has_shape = FALSE;
      if (override.has_shape || override.has_dtype)
        g_array_append_val (all, override);
    }
  return all;
}

GArray *
sym_settle_shapes (const SymInference *inference,
                       const SymOverride *given,
                       guint n_given,
                       char **taken)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (SymTerms) terms = sym_terms_copy (sym_inference_get_terms (inference));
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) settled = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Settling self = { inference, model, terms, map, texts };
  GArray *all;

  for (guint i = 0; i < n_given; i++)
    tie_names (&self, &given[i]);
  for (guint i = 0; i < inputs.n; i++)
    {
      SymOverride override;

      if (!settle_input (&self, inputs.ids[i], &override))
        continue;
      g_hash_table_add (settled, GUINT_TO_POINTER (override.value));
      g_array_append_val (overrides, override);
    }
  all = merge (given, n_given, settled);
  g_array_append_vals (all, overrides->data, overrides->len);
  *taken = list_taken (texts);
  return all;
}
