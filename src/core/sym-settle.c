/* SPDX-License-Identifier: MIT */
#include "core/sym-settle.h"

#include <string.h>

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

  if (!override->has_shape || declared.kind != SYM_KIND_TENSOR || declared.shape.rank < 0 ||
      declared.shape.rank != type.shape.rank)
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
    name =
        g_strdup_printf ("axis %d of “%s”", axis, sym_model_get_unique_name (self->model, input));
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
                            i == 0                ? ""
                            : i + 1 == taken->len ? " and "
                                                  : ", ",
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

  sym_terms_let_be (terms);
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

/* ---- Samples ---- */

/* What sizes are called that are none of samples. */
static const char *const lengths[] = {
  "seq", "len", "time", "token", "frame", "step", "word", NULL
};

static gboolean
is_called_samples (const char *name, gboolean is_first_input)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (strstr (lower, "batch") != NULL || strcmp (lower, "n") == 0 || strcmp (lower, "b") == 0 ||
      strcmp (lower, "bs") == 0)
    return TRUE;
  for (guint i = 0; lengths[i] != NULL; i++)
    if (strstr (lower, lengths[i]) != NULL)
      return FALSE;
  return is_first_input;
}

/* A variable by itself, without a name or with one that samples have: "K" is the first axis of a
 * second matrix as well. */
static gboolean
counts_samples (const Settling *self, SymDim dim, gboolean is_first_input)
{
  SymDim variable;
  gint64 constant, coefficient;
  g_autofree char *name = NULL;

  if (dim >= 0 ||
      sym_terms_get_form (self->terms, dim, &constant, &variable, &coefficient, 1) != 1 ||
      constant != 0 || coefficient != 1)
    return FALSE;
  name = sym_terms_format (self->terms, dim);
  return name == NULL || is_called_samples (name, is_first_input);
}

static void
settle_samples (Settling *self, SymIds inputs)
{
  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_inference_get_type (self->inference, inputs.ids[i]);

      if (type.kind == SYM_KIND_TENSOR && type.shape.rank > 0 &&
          counts_samples (self, sym_terms_resolve (self->terms, type.shape.dims[0]), i == 0))
        settle (self, inputs.ids[i], 0, type.shape.dims[0]);
    }
}

/* What is known of a value that no call makes, once samples are counted; other sizes stay unknown.
 */
static void
keep_shape (Settling *self, SymId value, GArray *overrides)
{
  SymType type = sym_inference_get_type (self->inference, value);
  SymOverride override = { .value = value, .has_shape = TRUE };

  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0)
    return;
  override.shape = type.shape;
  for (int i = 0; i < type.shape.rank; i++)
    {
      SymDim dim = sym_terms_resolve (self->terms, type.shape.dims[i]);

      override.shape.dims[i] = dim >= 0 ? dim : SYM_DIM_UNKNOWN;
    }
  g_array_append_val (overrides, override);
}

GArray *
sym_settle_samples (const SymInference *inference, char **taken)
{
  SymModel *model = sym_inference_get_model (inference);
  guint n = sym_model_get_n_values (model);
  g_autoptr (SymTerms) terms = sym_terms_copy (sym_inference_get_terms (inference));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Settling self = { inference, model, terms, NULL, texts };
  GArray *overrides;

  sym_terms_let_be (terms);
  settle_samples (&self, sym_model_get_inputs (model));
  *taken = list_taken (texts);
  if (*taken == NULL)
    return NULL;
  overrides = g_array_new (FALSE, FALSE, sizeof (SymOverride));
  for (SymId value = 0; value < n; value++)
    if (sym_model_has_value (model, value) && sym_model_get_producer (model, value) == SYM_NO_ID)
      keep_shape (&self, value, overrides);
  return overrides;
}
