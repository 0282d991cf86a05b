/* SPDX-License-Identifier: MIT */
#include "core/sym-settle.h"
#include "query/sym-figures-private.h"

struct _SymFigures {
  gatomicrefcount ref_count;
  SymInference *inference;
  SymInference *counted; /* the same, or for one sample */
  char *taken;           /* for 1 in it */
  SymCount *counts;      /* multiply-adds by call */
  SymFigureTotals totals;
};

/* ---- Bytes ---- */

static SymCount
count_type (const SymInference *inference, const SymType *type)
{
  SymDType dtype = sym_summary_get_dtype (sym_inference_get_model (inference), type->dtype);
  guint64 n_elements;
  SymCount bytes = { 0, FALSE };

  if (type->kind == SYM_KIND_TENSOR)
    bytes.known = sym_shape_get_n_elements (&type->shape, &n_elements) &&
                  sym_dtype_get_size (dtype, n_elements, &bytes.n);
  return bytes;
}

/* Tuples within tuples, which the layers of files do not make, count as unknown. */
SymCount
sym_figures_count_bytes (const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);
  SymCount bytes = { 0, TRUE };

  if (type.kind != SYM_KIND_TUPLE)
    return count_type (inference, &type);
  for (guint i = 0; i < type.n_elements; i++)
    sym_count_add (&bytes, count_type (inference, &type.elements[i]));
  return bytes;
}

static void
count_bytes (SymFigures *self, const SymModel *model)
{
  SymIds rows = sym_model_get_rows (model), inputs = sym_model_get_inputs (model);
  SymCount all = { 0, TRUE }, given = { 0, TRUE };

  for (guint i = 0; i < rows.n; i++)
    sym_count_add (&all, sym_figures_get_bytes (self, rows.ids[i]));
  for (guint i = 0; i < inputs.n; i++)
    sym_count_add (&given, sym_figures_get_bytes (self, inputs.ids[i]));
  self->totals.activation_bytes = all;
  self->totals.input_bytes = given;
}

static void
count_parameters (SymFigures *self)
{
  g_autoptr (SymSummary) summary = sym_summary_new (self->inference);
  SymTotals totals = sym_summary_get_totals (summary);

  self->totals.parameter_bytes = (SymCount){ totals.bytes, totals.bytes_known };
}

/* ---- One sample ---- */

static guint
count_contradictions (const SymInference *inference)
{
  return sym_problems_get_n (sym_inference_get_problems (inference));
}

/* One sample that does not fit through the model is none that a count is for. */
static gboolean
take_sample (SymFigures *self, GCancellable *cancellable, GError **error)
{
  SymModel *model = sym_inference_get_model (self->inference);
  g_autofree char *taken = NULL;
  g_autoptr (GArray) overrides = sym_settle_samples (self->inference, &taken);
  g_autoptr (SymInference) one = NULL;

  self->counted = sym_inference_ref (self->inference);
  if (overrides == NULL)
    return TRUE;
  one =
      sym_infer (model, (const SymOverride *) overrides->data, overrides->len, cancellable, error);
  if (one == NULL)
    return FALSE;
  if (count_contradictions (one) > count_contradictions (self->inference))
    return TRUE;
  sym_inference_unref (self->counted);
  self->counted = g_steal_pointer (&one);
  self->taken = g_steal_pointer (&taken);
  return TRUE;
}

/* ---- All of it ---- */

SymFigures *
sym_figures_new (SymInference *inference, GCancellable *cancellable, GError **error)
{
  SymModel *model = sym_inference_get_model (inference);
  SymFigureWalk walk = { .cancellable = cancellable };
  g_autoptr (SymFigures) self = g_new0 (SymFigures, 1);
  SymMeasure measure;

  g_atomic_ref_count_init (&self->ref_count);
  self->inference = sym_inference_ref (inference);
  if (!take_sample (self, cancellable, error))
    return NULL;
  self->counts = g_new0 (SymCount, sym_model_get_n_calls (model) + 1);
  walk.bodies = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  measure = sym_figures_measure (&walk, self->counted, TRUE, self->counts);
  g_hash_table_unref (walk.bodies);
  g_clear_pointer (&walk.kinds, g_hash_table_unref);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  self->totals.multiply_adds = measure.multiply_adds;
  self->totals.peak_bytes = measure.peak_bytes;
  self->totals.taken = self->taken;
  count_bytes (self, model);
  count_parameters (self);
  return g_steal_pointer (&self);
}

SymFigures *
sym_figures_ref (SymFigures *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_figures_unref (SymFigures *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_inference_unref (self->inference);
  g_clear_pointer (&self->counted, sym_inference_unref);
  g_free (self->taken);
  g_free (self->counts);
  g_free (self);
}

SymInference *
sym_figures_get_inference (const SymFigures *self)
{
  return self->inference;
}

SymCount
sym_figures_get_multiply_adds (const SymFigures *self, SymId call)
{
  g_return_val_if_fail (call < sym_model_get_n_calls (sym_inference_get_model (self->inference)),
                        ((SymCount){ 0, FALSE }));

  return self->counts[call];
}

SymCount
sym_figures_get_bytes (const SymFigures *self, SymId value)
{
  return sym_figures_count_bytes (self->counted, value);
}

SymFigureTotals
sym_figures_get_totals (const SymFigures *self)
{
  return self->totals;
}
