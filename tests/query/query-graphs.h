/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"

/* Appends a call of one result to a model in the making. */
static inline SymId
add_call (SymModelBuilder *builder, const char *type, const char *name, const SymId *operands, guint n)
{
  g_autoptr (SymLayer) layer = sym_layer_new (type, NULL, NULL);

  return sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, name, layer, operands, n, 1), 0);
}

static inline SymId
add_input (SymModelBuilder *builder, const char *name)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 8));

  return sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);
}

/* A chain of calls with these names. */
static inline SymModel *
new_chain (const char *const *names)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = add_input (builder, "x");

  for (guint i = 0; names[i]; i++)
    value = add_call (builder, "Thing", names[i], &value, 1);
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}
