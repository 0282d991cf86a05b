/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "ops/sym-op.h"
#include "query/sym-query.h"

#include <stdio.h>
#include <sys/resource.h>

/* usage: query [LAYERS]
 *
 * How long one query takes on a chain of convolutions, activations and additions (100,000 layers if
 * not told otherwise), in processor time: what a search costs for each key that is pressed.  The
 * best of five. */
#define N_TURNS 5

static SymId
add_layer (SymModelBuilder *builder,
           SymId operand,
           SymId weight,
           SymAttributes *attributes,
           guint i)
{
  static const char *const types[] = { "Conv", "Relu", "Add", "BatchNormalization" };
  const char *type = types[i % G_N_ELEMENTS (types)];
  g_autofree char *name =
      g_strdup_printf ("model/encoder/layer_%u/block_%u/%s_%u", i / 1000, i / 20 % 50, type, i);
  g_autofree char *result_name = g_strdup_printf ("%s_output_0", name);
  g_autoptr (SymLayer) layer =
      sym_layer_new (type, sym_op_find ("", type, 0), i % 4 == 0 ? attributes : NULL);
  SymId operands[] = { operand, i % 4 == 0 ? weight : operand };
  guint n = i % 4 == 0 || i % 4 == 2 ? 2 : 1;
  SymId call = sym_model_builder_add_call (builder, name, layer, operands, n, 1);
  SymId result = sym_model_builder_get_result (builder, call, 0);

  sym_model_builder_set_value_name (builder, result, result_name);
  return result;
}

static SymModel *
build (guint n)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType image = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 64, 56, 56));
  SymType kernel = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (64, 64, 3, 3));
  SymId last = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &image);
  SymId weight = sym_model_builder_add_value (builder, "weight", SYM_ROLE_PARAMETER, &kernel);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "kernel_shape", sym_value_parse ("[3, 3]"), NULL);
  sym_attributes_set (attributes, "pads", sym_value_parse ("[1, 1, 1, 1]"), NULL);
  for (guint i = 0; i < n; i++)
    last = add_layer (builder, last, weight, attributes, i);
  sym_model_builder_add_output (builder, last);
  return sym_model_builder_end (builder);
}

static double
get_milliseconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void
measure (SymQueryIndex *index, const char *text)
{
  double best = G_MAXDOUBLE, first = 0;
  guint n_hits = 0;

  for (guint i = 0; i < N_TURNS; i++)
    {
      double start = get_milliseconds ();
      g_autoptr (GError) error = NULL;
      g_autoptr (SymQuery) query = sym_query_parse (text, NULL, &error);
      g_autoptr (SymQueryResult) result =
          query == NULL ? NULL : sym_query_run (query, index, NULL, &error);

      if (result == NULL)
        g_error ("%s: %s", text, error->message);
      n_hits = sym_query_result_get_n (result);
      if (i == 0)
        first = get_milliseconds () - start;
      best = MIN (best, get_milliseconds () - start);
    }
  printf ("%-44s %9u %9.1f ms %9.1f ms\n", text, n_hits, best, first);
}

int
main (int argc, char *argv[])
{
  static const char *const queries[] = {
    "c",
    "co",
    "conv",
    "conv_99992",
    "nowhere",
    "56",
    "1x64",
    "*conv_1*",
    "/conv_\\d+3$/",
    "type:Conv",
    "name:relu_1",
    "dtype:float32",
    "shape:*x64x*",
    "in:*x64x*",
    "kernel:3",
    "pad:1",
    "attr:3",
    "params>1k",
    "bytes>1Mi",
    "depth>50000",
    "uses>1",
    "unused:yes",
    "parent:relu",
    "child:(type:Add)",
    "after:conv_50000",
    "group:layer_3",
    "macs>1M",
    "type:Conv kernel:3 shape:*x64x* params>1 parent:relu -unused:yes",
  };
  guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 100000;
  g_autoptr (SymModel) model = build (n);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  double start = get_milliseconds ();
  g_autoptr (SymGroups) groups = sym_groups_new (model);
  double grouped = get_milliseconds ();
  g_autoptr (SymQueryIndex) index = sym_query_index_new (summary, groups);
  double indexed = get_milliseconds ();

  printf ("%u layers: groups %.1f ms, index %.1f ms\n", n, grouped - start, indexed - grouped);
  printf ("%-44s %9s %12s %12s\n", "query", "hits", "best", "first");
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    measure (index, queries[i]);
  return 0;
}
