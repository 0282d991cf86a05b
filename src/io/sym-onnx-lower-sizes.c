/* SPDX-License-Identifier: MIT */
#include "core/sym-settle.h"
#include "io/sym-onnx-lower-private.h"

/* Layers are lowered for sizes that are numbers.  How many samples there are stays open, as far as
 * nothing depends on it: for two numbers of them the same must come out. */

/* Inference with a number for every size, and float32 where no dtype is told; *@taken says which
 * sizes are made up, NULL for none.  @first was made with what is @given. */
static SymInference *
settle (const SymInference *first,
        const SymOverride *given,
        guint n_given,
        char **taken,
        GError **error)
{
  SymModel *model = sym_inference_get_model (first);
  g_autoptr (GArray) overrides = sym_settle_shapes (first, given, n_given, taken);

  for (guint i = 0; i < overrides->len; i++)
    {
      SymOverride *override = &g_array_index (overrides, SymOverride, i);

      override->dtype = sym_inference_get_type (first, override->value).dtype;
      override->has_dtype = TRUE;
      if (override->dtype == SYM_DTYPE_UNKNOWN)
        override->dtype = SYM_DTYPE_FLOAT32;
    }
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymOverride override = { .value = value, .has_dtype = TRUE };
      SymType type;

      if (!sym_model_has_value (model, value) ||
          sym_model_get_producer (model, value) != SYM_NO_ID ||
          sym_model_get_tensor (model, value) != NULL)
        continue;
      type = sym_inference_get_type (first, value);
      override.has_shape =
          type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 && sym_shape_is_known (&type.shape);
      override.shape = type.shape;
      override.dtype = type.dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : type.dtype;
      if (override.has_shape || sym_model_get_role (model, value) != SYM_ROLE_INPUT)
        g_array_append_val (overrides, override);
    }
  return sym_infer (model, (const SymOverride *) (gpointer) overrides->data, overrides->len, NULL,
                    error);
}

/* ---- Any number of samples ---- */

/* Gives axes that count samples alone another number of these; FALSE where a size is more than
 * that. */
static gboolean
count (const SymInference *first, GArray *samples, gint64 n)
{
  for (guint i = 0; i < samples->len; i++)
    {
      SymOverride *override = &g_array_index (samples, SymOverride, i);
      SymType type = sym_inference_get_type (first, override->value);

      for (int k = 0; k < override->shape.rank; k++)
        if (type.shape.dims[k] >= 0 || override->shape.dims[k] < 0)
          continue;
        else if (override->shape.dims[k] != 1)
          return FALSE;
        else
          override->shape.dims[k] = n;
    }
  return TRUE;
}

/* Inference for @n samples; *@taken says which other sizes are made up. */
static SymInference *
settle_for (const SymInference *first, gint64 n, char **taken)
{
  g_autofree char *told = NULL;
  g_autoptr (GArray) samples = sym_settle_samples (first, &told);
  const SymOverride *given;
  g_autoptr (SymInference) counted = NULL;

  if (samples == NULL || !count (first, samples, n))
    return NULL;
  given = (const SymOverride *) (gpointer) samples->data;
  counted = sym_infer (sym_inference_get_model (first), given, samples->len, NULL, NULL);
  return counted == NULL ? NULL : settle (counted, given, samples->len, taken, NULL);
}

static SymModel *
lower_open (const SymInference *first, SymOnnxLowerFlags flags, SymProblems *notes)
{
  g_autofree char *taken = NULL, *again = NULL;
  g_autoptr (SymInference) few = settle_for (first, SYM_ONNX_FEW_SAMPLES, &taken);
  g_autoptr (SymInference) more =
      few == NULL ? NULL : settle_for (first, SYM_ONNX_MORE_SAMPLES, &again);
  g_autoptr (SymModel) one = NULL, other = NULL;
  g_autoptr (GArray) changes = NULL;

  if (more != NULL)
    one = sym_onnx_lower_settled (few, flags, NULL, NULL, NULL, NULL);
  if (one != NULL)
    other = sym_onnx_lower_settled (more, flags, NULL, NULL, NULL, NULL);
  if (other != NULL)
    changes = sym_onnx_lower_compare (one, other);
  return changes == NULL ? NULL : sym_onnx_lower_settled (few, flags, changes, taken, notes, NULL);
}

SymModel *
sym_onnx_lower (SymModel *model,
                const SymInference *inference,
                SymOnnxLowerFlags flags,
                SymProblems *notes,
                GError **error)
{
  g_autoptr (SymInference) own = inference == NULL ? sym_infer (model, NULL, 0, NULL, error) : NULL;
  const SymInference *first = inference == NULL ? own : inference;
  g_autofree char *taken = NULL;
  g_autoptr (SymInference) settled = NULL;
  SymModel *open;

  if (first == NULL)
    return NULL;
  open = (flags & SYM_ONNX_LOWER_OPEN) == 0 ? NULL : lower_open (first, flags, notes);
  if (open != NULL)
    return open;
  settled = settle (first, NULL, 0, &taken, error);
  return settled == NULL ? NULL
                         : sym_onnx_lower_settled (settled, flags, NULL, taken, notes, error);
}
