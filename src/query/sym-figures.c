/* SPDX-License-Identifier: MIT */
#include "query/sym-figures-private.h"

struct _SymFigures {
  gatomicrefcount ref_count;
  SymInference *inference;
  SymCount *counts; /* multiply-adds by call */
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
    sym_count_add (&all, sym_figures_count_bytes (self->inference, rows.ids[i]));
  for (guint i = 0; i < inputs.n; i++)
    sym_count_add (&given, sym_figures_count_bytes (self->inference, inputs.ids[i]));
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
  self->counts = g_new0 (SymCount, sym_model_get_n_calls (model) + 1);
  walk.bodies = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  measure = sym_figures_measure (&walk, inference, TRUE, self->counts);
  g_hash_table_unref (walk.bodies);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  self->totals.multiply_adds = measure.multiply_adds;
  self->totals.peak_bytes = measure.peak_bytes;
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

SymFigureTotals
sym_figures_get_totals (const SymFigures *self)
{
  return self->totals;
}
