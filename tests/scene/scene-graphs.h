/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "scene/sym-scene.h"

/* Small models for tests of what draws them. */

static inline SymId
graph_input (SymModelBuilder *builder, const char *name)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 3, 8, 8));
  SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (builder, value);
  return value;
}

/* A call of a layer called @type with one result, called @name. */
static inline SymId
graph_call (SymModelBuilder *builder,
            const char *type,
            const char *name,
            const SymId *operands,
            guint n_operands)
{
  g_autoptr (SymLayer) layer = sym_layer_new (type, NULL, NULL);
  SymId call = sym_model_builder_add_call (builder, name, layer, operands, n_operands, 1);
  SymId value = sym_model_builder_get_result (builder, call, 0);

  sym_model_builder_set_value_name (builder, value, name);
  return value;
}

/* Frees the builder. */
static inline SymScene *
graph_scene (SymModelBuilder *builder, const SymSceneOptions *options)
{
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  return sym_scene_new (inference, options);
}

/* Items 0 to @n - 1, each a call but those that nothing leads to, which are inputs, and lines
 * between them: pairs of from and to.  A line may lead anywhere. */
static inline SymScene *
graph_lines (guint n, const guint (*lines)[2], guint n_lines, const SymSceneOptions *options)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  g_autofree guint8 *is_call = g_new0 (guint8, n + 1);
  g_autofree SymId *calls = g_new0 (SymId, n + 1);
  g_autofree SymId *values = g_new0 (SymId, n + 1);

  for (guint i = 0; i < n_lines; i++)
    is_call[lines[i][1]] = 1;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("node%u", i);

      if (is_call[i])
        {
          calls[i] = sym_model_builder_add_call (builder, name, layer, NULL, 0, 1);
          values[i] = sym_model_builder_get_result (builder, calls[i], 0);
        }
      else
        {
          values[i] = graph_input (builder, name);
        }
    }
  for (guint i = 0; i < n_lines; i++)
    sym_model_builder_append_operand (builder, calls[lines[i][1]], values[lines[i][0]]);
  return graph_scene (builder, options);
}
