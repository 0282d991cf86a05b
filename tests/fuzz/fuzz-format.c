/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "ops/sym-op-lower.h"

/* For the formats that are only read: what was read is inferred and listed, its inputs and rows are
 * looked at, and its layers are said in ONNX's operators. */

/* Where only the dtype is not known, as that of weights, it is float32.  FALSE where the shape is
 * not. */
static gboolean
find_type (const SymInference *inference, SymId value, SymType *type)
{
  *type = value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, value);
  if (value == SYM_NO_ID)
    return TRUE;
  if (type->kind != SYM_KIND_TENSOR || !sym_shape_is_known (&type->shape))
    return FALSE;
  if (type->dtype == SYM_DTYPE_UNKNOWN)
    type->dtype = SYM_DTYPE_FLOAT32;
  return TRUE;
}

static void
lower_call (const SymModel *model, const SymInference *inference, SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  SymIds operands = sym_model_get_operands (model, call);
  g_autofree SymType *types = g_new (SymType, operands.n + 1);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) body = NULL;
  g_autoptr (SymInference) inner = NULL;

  for (guint i = 0; i < operands.n; i++)
    if (!find_type (inference, operands.ids[i], &types[i]))
      return;
  sym_op_lower_find_known (inference, operands, known);
  body = sym_op_lower_known (layer, types, known, operands.n, sym_model_get_results (model, call).n,
                             &error);
  g_assert_true ((body == NULL) == (error != NULL));
  if (body == NULL)
    return;
  inner = sym_infer (body, NULL, 0, NULL, NULL);
  g_assert_nonnull (inner);
}

static void
lower_all (const SymModel *model, const SymInference *inference)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_op_has_lowering (sym_layer_get_operator (sym_model_get_layer (model, call))))
      lower_call (model, inference, call);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (input, "fuzz", &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *table = NULL;
  SymIds rows;

  g_assert_true ((model == NULL) == (error != NULL));
  if (model == NULL)
    return 0;

  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_nonnull (inference);
  rows = sym_model_get_rows (model);
  for (guint i = 0; i < rows.n; i++)
    g_assert_cmpuint (sym_model_get_row (model, rows.ids[i]), ==, i + 1);
  summary = sym_summary_new (inference);
  table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, FALSE);
  g_assert_true (g_utf8_validate (table, -1, NULL));
  lower_all (model, inference);
  return 0;
}
