/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op.h"
#include "query-graphs.h"
#include "query/sym-query.h"

/* ---- A graph with something of everything ---- */

typedef struct {
  SymModelBuilder *builder;
  SymId last;
} Net;

static inline SymId
add_parameter (Net *self, const char *name, SymShape shape, gboolean trainable)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_PARAMETER, &type);

  sym_model_builder_set_parameter (self->builder, value, sym_parameter_new (trainable, NULL));
  return value;
}

static inline SymId
add_onnx (Net *self,
          const char *type,
          const char *name,
          const char *attributes,
          const SymId *operands,
          guint n)
{
  g_autoptr (SymAttributes) list = sym_attributes_new ();
  g_auto (GStrv) pairs = g_strsplit (attributes, "; ", -1);
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      sym_attributes_set (list, pair[0], sym_value_parse (pair[1]), NULL);
    }
  layer = sym_layer_new (type, sym_op_find ("", type, 0), list);
  call = sym_model_builder_add_call (self->builder, name, layer, operands, n, 1);
  self->last = sym_model_builder_get_result (self->builder, call, 0);
  sym_model_builder_set_value_name (self->builder, self->last, name);
  return self->last;
}

/* data [1,3,8,8] -> conv1 3x3 -> relu1 -> conv2 1x1 frozen -> add (relu1) -> pool -> flat; unknown
 * of add; dropped is of no use. */
static inline SymModel *
new_net (void)
{
  Net net = { .builder = sym_model_builder_new (SYM_DIALECT_PLAIN) };
  SymType image = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 3, 8, 8));
  SymId data = sym_model_builder_add_value (net.builder, "data", SYM_ROLE_INPUT, &image);
  SymId relu, unknown, sum;

  add_onnx (&net, "Conv", "stage1/conv1", "kernel_shape=[3, 3]; pads=[1, 1, 1, 1]",
            (SymId[]){ data, add_parameter (&net, "w1", SYM_SHAPE (4, 3, 3, 3), TRUE) }, 2);
  relu = add_onnx (&net, "Relu", "stage1/relu1", "", &net.last, 1);
  add_onnx (&net, "Conv", "stage2/conv2",
            "kernel_shape=[1, 1]; strides=[1, 1]; auto_pad='SAME_UPPER'",
            (SymId[]){ relu, add_parameter (&net, "w2", SYM_SHAPE (4, 4, 1, 1), FALSE) }, 2);
  sum = add_onnx (&net, "Add", "Größe", "", (SymId[]){ net.last, relu }, 2);
  unknown = add_onnx (&net, "Thing", "odd thing", "", &sum, 1);
  add_onnx (&net, "BatchThing", "dropped", "", &unknown, 1);
  add_onnx (&net, "GlobalAveragePool", "pool", "", &sum, 1);
  add_onnx (&net, "Cast", "half", "to=10", &net.last, 1);
  sym_model_builder_set_variable (net.builder, sum, "total");
  sym_model_builder_add_output (net.builder, net.last);
  sym_model_builder_add_output (net.builder, unknown);
  return sym_model_builder_end (net.builder);
}

static inline SymQueryIndex *
new_index (SymModel *model, gboolean with_groups)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autoptr (SymGroups) groups = with_groups ? sym_groups_new (model) : NULL;

  return sym_query_index_new (summary, groups);
}

static inline SymQueryResult *
ask (SymQueryIndex *index, const char *text, GError **error)
{
  g_autoptr (SymQuery) query = sym_query_parse (text, NULL, error);

  return query == NULL ? NULL : sym_query_run (query, index, NULL, error);
}

static inline char *
print_hits (SymQueryIndex *index, const SymQueryResult *result)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_query_result_get_n (result); i++)
    {
      SymQueryItem item = sym_query_result_get (result, i).item;

      g_string_append (text, i > 0 ? " " : "");
      for (guint k = 0; k < sym_query_index_get_n_items (index); k++)
        {
          SymQueryItem other = sym_query_index_get_item (index, k);

          if (memcmp (&other, &item, sizeof item) == 0)
            g_string_append (text, sym_query_index_get_name (index, k));
        }
    }
  return g_string_free (text, FALSE);
}

typedef struct {
  const char *text, *hits;
} Case;

static inline void
run_cases (SymQueryIndex *index, const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymQueryResult) result = ask (index, cases[i].text, &error);
      g_autofree char *hits = NULL;

      if (error != NULL)
        g_error ("%s: %s", cases[i].text, error->message);
      hits = print_hits (index, result);
      if (g_strcmp0 (hits, cases[i].hits) != 0)
        g_error ("%s: found “%s”, not “%s”", cases[i].text, hits, cases[i].hits);
    }
}
