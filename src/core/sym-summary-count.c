/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include "core/sym-infer-private.h"
#include "core/sym-model-private.h"
#include "core/sym-tensor-private.h"

/* Most layers have fewer parameters than this, and no tables are made for them. */
#define FEW 8

struct _SymCounter {
  SymParameter *few[FEW]; /* borrowed: the first that were seen */
  guint n_few;
  GHashTable *seen;   /* SymParameter, borrowed: all of them, once they are more than a few */
  GHashTable *bodies; /* SymModel, borrowed; NULL for none */
  SymTotals totals;
};

SymCounter *
sym_counter_new (void)
{
  SymCounter *self = g_new0 (SymCounter, 1);

  sym_counter_clear (self);
  return self;
}

void
sym_counter_clear (SymCounter *self)
{
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_clear_pointer (&self->bodies, g_hash_table_unref);
  self->n_few = 0;
  self->totals = (SymTotals){ .known = TRUE, .bytes_known = TRUE };
}

void
sym_counter_free (SymCounter *self)
{
  sym_counter_clear (self);
  g_free (self);
}

/* FALSE when it was seen before. */
static gboolean
see (SymCounter *self, SymParameter *parameter)
{
  if (self->seen != NULL)
    return g_hash_table_add (self->seen, parameter);
  for (guint i = 0; i < self->n_few; i++)
    if (self->few[i] == parameter)
      return FALSE;
  if (self->n_few < FEW)
    {
      self->few[self->n_few++] = parameter;
      return TRUE;
    }

  self->seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->n_few; i++)
    g_hash_table_add (self->seen, self->few[i]);
  return g_hash_table_add (self->seen, parameter);
}

/* PyTorch calls what is only tracked a buffer, and does not count it. */
static gboolean
is_counted (const SymModel *model, SymId value)
{
  SymRole role = sym_model_get_role (model, value);

  return role == SYM_ROLE_PARAMETER ||
         (role == SYM_ROLE_AUXILIARY && sym_model_get_dialect (model) != SYM_DIALECT_SYMBOLIC);
}

static gboolean
get_size (const SymModel *model, const SymInference *inference, SymId value, guint64 *n)
{
  SymTensor *tensor;
  SymType declared;

  if (inference != NULL && sym_inference_get_n_elements (inference, value, n))
    return TRUE;
  tensor = sym_model_get_tensor (model, value);
  declared = sym_model_get_declared_type (model, value);
  if (tensor != NULL && sym_shape_get_n_elements (sym_tensor_get_shape (tensor), n))
    return TRUE;
  return declared.kind == SYM_KIND_TENSOR && sym_shape_get_n_elements (&declared.shape, n);
}

static SymDType
get_dtype (const SymModel *model, const SymInference *inference, SymId value)
{
  SymTensor *tensor = sym_model_get_tensor (model, value);

  if (tensor != NULL)
    return sym_tensor_get_dtype (tensor);
  return inference != NULL ? inference->facts[value].type.dtype
                           : sym_model_get_declared_type (model, value).dtype;
}

SymDType
sym_summary_get_dtype (const SymModel *model, SymDType known)
{
  return known == SYM_DTYPE_UNKNOWN && sym_model_get_dialect (model) == SYM_DIALECT_MXNET
             ? SYM_DTYPE_FLOAT32
             : known;
}

static void
add_bytes (SymCounter *self, SymDType dtype, guint64 n)
{
  guint64 bytes;

  if (!sym_dtype_get_size (dtype, n, &bytes) ||
      !g_uint64_checked_add (&self->totals.bytes, self->totals.bytes, bytes))
    self->totals.bytes_known = FALSE;
}

static void
add_size (SymCounter *self,
          const SymModel *model,
          const SymInference *inference,
          SymId value,
          const SymParameter *parameter)
{
  guint64 n;

  if (!get_size (model, inference, value, &n))
    {
      self->totals.known = self->totals.bytes_known = FALSE;
      return;
    }

  add_bytes (self, sym_summary_get_dtype (model, get_dtype (model, inference, value)), n);
  if (G_MAXUINT64 - self->totals.total < n)
    n = G_MAXUINT64 - self->totals.total;
  self->totals.total += n;
  if (parameter == NULL || sym_parameter_get_trainable (parameter))
    self->totals.trainable += n;
  else
    self->totals.non_trainable += n;
}

void
sym_counter_add_value (SymCounter *self,
                       const SymModel *model,
                       const SymInference *inference,
                       SymId value)
{
  SymParameter *parameter;

  if (value == SYM_NO_ID || !is_counted (model, value))
    return;
  parameter = sym_model_get_parameter (model, value);
  if (parameter == NULL || see (self, parameter))
    add_size (self, model, inference, value, parameter);
}

/* A model without bodies is the only one: what its table alone holds is of one value. */
void
sym_counter_add_values (SymCounter *self, const SymModel *model, const SymInference *inference)
{
  gboolean is_alone = model->layers->n_nested == 0 && self->bodies == NULL;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter;

      if (!sym_model_has_value (model, value) || !is_counted (model, value))
        continue;
      parameter = sym_model_get_parameter (model, value);
      if (parameter == NULL || (is_alone && sym_parameter_has_one_holder (parameter)) ||
          see (self, parameter))
        add_size (self, model, inference, value, parameter);
    }
}

void
sym_counter_add_hidden (SymCounter *self, const SymModel *model, SymId call)
{
  if (sym_model_hides_parameters (model, call))
    self->totals.known = self->totals.bytes_known = FALSE;
}

typedef struct {
  const SymModel *model;
  const SymInference *inference;
} Body;

static void
push_bodies (SymCounter *self,
             GArray *open,
             const SymModel *model,
             const SymInference *inference,
             SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);

  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      Body body = { sym_layer_get_body (layer, i, NULL), NULL };

      if (inference != NULL)
        body.inference = sym_inference_get_body (inference, call, i);
      if (g_hash_table_add (self->bodies, (gpointer) body.model))
        g_array_append_val (open, body);
    }
}

void
sym_counter_add_bodies (SymCounter *self,
                        const SymModel *model,
                        const SymInference *inference,
                        SymId call)
{
  g_autoptr (GArray) open = NULL;

  if (!sym_model_has_bodies (model, call))
    return;

  if (self->bodies == NULL)
    self->bodies = g_hash_table_new (NULL, NULL);
  open = g_array_new (FALSE, FALSE, sizeof (Body));
  push_bodies (self, open, model, inference, call);
  while (open->len > 0)
    {
      Body body = g_array_index (open, Body, open->len - 1);

      g_array_set_size (open, open->len - 1);
      sym_counter_add_values (self, body.model, body.inference);
      for (SymId inner = 0; inner < sym_model_get_n_calls (body.model); inner++)
        if (sym_model_has_call (body.model, inner))
          {
            sym_counter_add_hidden (self, body.model, inner);
            push_bodies (self, open, body.model, body.inference, inner);
          }
    }
}

SymTotals
sym_counter_get_totals (const SymCounter *self)
{
  return self->totals;
}
