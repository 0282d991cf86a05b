/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"

/* Appends a call of one result to a model in the making. */
static inline SymId
add_call (SymModelBuilder *builder,
          const char *type,
          const char *name,
          const SymId *operands,
          guint n)
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

static inline SymId
find_value (GHashTable *values, const char *name)
{
  gpointer id;

  if (!g_hash_table_lookup_extended (values, name, NULL, &id))
    g_error ("the graph of a test has no %s", name);
  return GPOINTER_TO_UINT (id);
}

/* A graph from text: "a=Conv x; b=Relu a; c=Add b x" are three calls of one result each, used by
 * name; x, y and z are inputs.  A type may have an attribute: "Conv:3". */
static inline SymModel *
new_graph (const char *text)
{
  static const char *const inputs[] = { "x", "y", "z" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) calls = g_strsplit (text, ";", -1);

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    g_hash_table_insert (values, g_strdup (inputs[i]),
                         GUINT_TO_POINTER (add_input (builder, inputs[i])));
  for (guint i = 0; calls[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (g_strstrip (calls[i]), "= ", -1);
      g_autoptr (SymAttributes) attributes = sym_attributes_new ();
      g_autoptr (SymLayer) layer = NULL;
      g_auto (GStrv) type = NULL;
      SymId operands[16];
      guint n = 0;
      SymId call;

      if (!words[0] || !words[0][0])
        continue;
      type = g_strsplit (words[1], ":", 2);
      if (type[1])
        sym_attributes_set (attributes, "size", sym_value_new_string (type[1]), NULL);
      layer = sym_layer_new (type[0], NULL, attributes);
      for (guint k = 2; words[k] && n < G_N_ELEMENTS (operands); k++)
        operands[n++] = find_value (values, words[k]);
      call = sym_model_builder_add_call (builder, words[0], layer, operands, n, 1);
      g_hash_table_insert (values, g_strdup (words[0]),
                           GUINT_TO_POINTER (sym_model_builder_get_result (builder, call, 0)));
    }
  return sym_model_builder_end (builder);
}
