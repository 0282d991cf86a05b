/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-model-private.h"
#include "core/sym-terms-private.h"

static gint64
read_integer (const guint8 *bytes, SymDType dtype)
{
  gint32 narrow;
  gint64 wide;

  if (dtype == SYM_DTYPE_BOOL)
    return *bytes != 0;
  if (dtype == SYM_DTYPE_INT32)
    {
      memcpy (&narrow, bytes, sizeof narrow);
      return GINT32_FROM_LE (narrow);
    }
  memcpy (&wide, bytes, sizeof wide);
  return GINT64_FROM_LE (wide);
}

static double
read_float (const guint8 *bytes, SymDType dtype)
{
  gint64 bits = dtype == SYM_DTYPE_FLOAT32 ? read_integer (bytes, SYM_DTYPE_INT32)
                                           : read_integer (bytes, SYM_DTYPE_INT64);
  gint32 half = (gint32) bits;
  double wide;
  float narrow;

  memcpy (&narrow, &half, sizeof narrow);
  memcpy (&wide, &bits, sizeof wide);
  return dtype == SYM_DTYPE_FLOAT32 ? (double) narrow : wide;
}

/* The bytes of a constant of @rank axes at most, and its few elements; NULL for others. */
static guint8 *
read_small (SymTensor *tensor, int rank, guint64 max, guint64 *n)
{
  guint8 *bytes;

  if (sym_tensor_get_shape (tensor)->rank > rank ||
      !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), n) || *n > max)
    return NULL;
  bytes = g_malloc (sym_tensor_get_n_bytes (tensor) + 1);
  if (!sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    g_clear_pointer (&bytes, g_free);
  return bytes;
}

static void
learn_floats (SymFact *fact, SymTensor *tensor, SymDType dtype)
{
  guint64 n = 0;
  g_autofree guint8 *bytes = read_small (tensor, 1, SYM_MAX_KNOWN_FLOATS, &n);

  if (bytes == NULL)
    return;
  fact->floats = g_new0 (SymKnownFloats, 1);
  fact->floats->n = (int) n;
  for (guint i = 0; i < n; i++)
    fact->floats->values[i] = read_float (bytes + i * (dtype == SYM_DTYPE_FLOAT32 ? 4 : 8), dtype);
}

static gsize
get_size (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL ? 1 : dtype == SYM_DTYPE_INT32 ? 4 : 8;
}

static SymKnown *
new_known (const guint8 *bytes, SymDType dtype, guint64 n)
{
  SymKnown *known = g_new0 (SymKnown, 1);

  known->n = (int) n;
  for (guint i = 0; i < n; i++)
    {
      known->values[i] = read_integer (bytes + i * get_size (dtype), dtype);
      known->plain = known->plain || known->values[i] < 0;
    }
  return known;
}

void
sym_fact_learn_constant (SymFact *self, SymTensor *tensor)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  g_autofree guint8 *bytes = NULL;
  guint64 n = 0;

  if (dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_FLOAT64)
    learn_floats (self, tensor, dtype);
  if (dtype != SYM_DTYPE_BOOL && dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64)
    return;
  bytes = read_small (tensor, 2, SYM_MAX_KNOWN_VALUES, &n);
  if (bytes == NULL)
    return;
  if (sym_tensor_get_shape (tensor)->rank == 2)
    self->table = new_known (bytes, dtype, n);
  else
    self->known = new_known (bytes, dtype, n);
}

static void
learn_declared (SymInference *self)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      const SymType *type = sym_types_peek (self->model->types, value);
      SymTensor *tensor = sym_model_get_tensor (self->model, value);

      if (type != NULL)
        sym_fact_init (&self->facts[value], self->terms, type);
      else
        sym_fact_init_unknown (&self->facts[value]);
      if (tensor != NULL && sym_model_get_role (self->model, value) == SYM_ROLE_CONSTANT)
        sym_fact_learn_constant (&self->facts[value], tensor);
    }
}

/* ---- Life ---- */

SymInference *
sym_inference_new (SymModel *model)
{
  SymInference *self = g_new0 (SymInference, 1);
  guint n = sym_model_get_n_values (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->terms = sym_terms_copy (sym_model_get_terms (model));
  sym_terms_want_none (self->terms);
  self->facts = g_new (SymFact, n + 1);
  self->arena = g_ptr_array_new_with_free_func (g_free);
  self->problems = sym_problems_new ();
  learn_declared (self);
  return self;
}

SymInference *
sym_inference_ref (SymInference *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_inference_unref (SymInference *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < sym_model_get_n_values (self->model); i++)
    sym_fact_clear (&self->facts[i]);
  g_free (self->facts);
  g_ptr_array_unref (self->arena);
  g_clear_pointer (&self->bodies, g_hash_table_unref);
  g_clear_pointer (&self->contradicted, g_hash_table_unref);
  g_clear_pointer (&self->asked, g_hash_table_unref);
  g_clear_pointer (&self->answered, g_hash_table_unref);
  sym_problems_unref (self->problems);
  sym_terms_free (self->terms);
  sym_model_unref (self->model);
  g_free (self);
}

/* ---- Asking ---- */

SymModel *
sym_inference_get_model (const SymInference *self)
{
  return self->model;
}

const SymTerms *
sym_inference_get_terms (const SymInference *self)
{
  return self->terms;
}

SymType
sym_inference_get_type (const SymInference *self, SymId value)
{
  g_return_val_if_fail (value < sym_model_get_n_values (self->model), SYM_TYPE_UNKNOWN);

  return self->facts[value].type;
}

int
sym_inference_get_ints (const SymInference *self, SymId value, gint64 *values, int max)
{
  const SymKnown *known;

  g_return_val_if_fail (value < sym_model_get_n_values (self->model), -1);

  known = self->facts[value].known != NULL ? self->facts[value].known : self->facts[value].table;
  for (int i = 0; known != NULL && i < known->n; i++)
    {
      SymDim number =
          known->plain ? known->values[i] : sym_terms_resolve (self->terms, known->values[i]);

      if (number < 0 && !known->plain && known != self->facts[value].table)
        return -1;
      if (i < max)
        values[i] = number;
    }
  return known == NULL ? -1 : known->n;
}

const SymInference *
sym_inference_get_body (const SymInference *self, SymId call, guint body)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  GPtrArray *bodies;

  if (self->bodies == NULL || body >= sym_layer_get_n_bodies (layer))
    return NULL;
  bodies = g_hash_table_lookup (self->bodies, GUINT_TO_POINTER (call));
  for (guint i = 0; bodies != NULL && i < bodies->len; i++)
    {
      const SymInference *found = g_ptr_array_index (bodies, i);

      if (found->model == sym_layer_get_body (layer, body, NULL))
        return found;
    }
  return NULL;
}

const SymProblems *
sym_inference_get_problems (const SymInference *self)
{
  return self->problems;
}

gboolean
sym_inference_contradicts (const SymInference *self, SymId call)
{
  return self->contradicted != NULL &&
         g_hash_table_contains (self->contradicted, GUINT_TO_POINTER (call));
}

char *
sym_inference_format_shape (const SymInference *self, const SymShape *shape, const char *separator)
{
  GString *text = g_string_new (NULL);

  if (shape->rank < 0)
    g_string_append (text, "rank ?");
  for (int i = 0; i < shape->rank; i++)
    {
      g_autofree char *dim =
          shape->dims[i] == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (self->terms, shape->dims[i]);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : separator, dim == NULL ? "?" : dim);
    }
  return g_string_free (text, FALSE);
}

gboolean
sym_inference_get_n_elements (const SymInference *self, SymId value, guint64 *n)
{
  const SymType *type;

  g_return_val_if_fail (value < sym_model_get_n_values (self->model), FALSE);

  type = &self->facts[value].type;
  return type->kind == SYM_KIND_TENSOR && sym_shape_get_n_elements (&type->shape, n);
}
