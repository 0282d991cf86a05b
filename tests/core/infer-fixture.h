/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"
#include "core/sym-model-builder.h"

/* Operators just rich enough to send facts either way, and graphs of them. */

static inline gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_rule_tie_shapes (rule, 0, 1, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

/* [n, k] x weight [h, k] -> [n, h], h from the attribute. */
static inline gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim n = data.rank == 2 ? data.dims[0] : sym_terms_new_unknown (terms);
  SymDim k = data.rank == 2 ? data.dims[1] : SYM_DIM_UNKNOWN;
  SymDim h = sym_rule_get_int (rule, "h", 7);

  return sym_rule_set_input (rule, 0, &SYM_SHAPE (n, k), error) &&
         sym_rule_set_input (rule, 1, &SYM_SHAPE (h, k), error) &&
         sym_rule_set_output (rule, 0, &SYM_SHAPE (n, h), error) &&
         sym_rule_tie_dtypes (rule, 0, 1, error);
}

static const SymOperator same = { .domain = "test", .name = "Same", .infer = infer_same };
static const SymOperator dense = { .domain = "test", .name = "Dense", .infer = infer_dense };

static inline SymId
add_call (SymModelBuilder *builder, const SymOperator *op, const SymId *operands, guint n)
{
  g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);

  return sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, op->name, layer, operands, n, 1), 0);
}

static inline SymId
add_tensor (SymModelBuilder *builder, SymRole role, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, shape);

  return sym_model_builder_add_value (builder, "v", role, &type);
}

static inline SymInference *
infer (SymModelBuilder *builder)
{
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autoptr (GError) error = NULL;
  SymInference *inference = sym_infer (model, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  return inference;
}

static inline void
assert_shape (SymInference *inference, SymId value, const char *expected)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpstr (text, ==, expected);
}
