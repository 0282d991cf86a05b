/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "ops/sym-layers.h"
#include "ops/sym-op.h"
#include "query-graphs.h"
#include "query/sym-query.h"

/* ---- A graph with something of everything ---- */

typedef struct {
  SymModelBuilder *builder;
  SymId last;
} Net;

static SymId
add_parameter (Net *self, const char *name, SymShape shape, gboolean trainable)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_PARAMETER, &type);

  sym_model_builder_set_parameter (self->builder, value, sym_parameter_new (trainable, NULL));
  return value;
}

static SymId
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
static SymModel *
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

static SymQueryIndex *
new_index (SymModel *model, gboolean with_groups)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autoptr (SymGroups) groups = with_groups ? sym_groups_new (model) : NULL;

  return sym_query_index_new (summary, groups);
}

static SymQueryResult *
ask (SymQueryIndex *index, const char *text, GError **error)
{
  g_autoptr (SymQuery) query = sym_query_parse (text, NULL, error);

  return query == NULL ? NULL : sym_query_run (query, index, NULL, error);
}

static char *
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

static void
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

#define CONVS "stage1/conv1 stage2/conv2"
#define ALL "data stage1/conv1 stage1/relu1 stage2/conv2 Größe odd thing dropped pool half"

static void
test_texts (void)
{
  static const Case cases[] = {
    { "", "" },
    { "conv", CONVS },
    { "CONV1", "stage1/conv1" },
    { "conv -stage1", "stage2/conv2" },
    { "relu OR pool", "stage1/relu1 pool" },
    { "total", "Größe" },
    { "größe", "Größe" },
    { "GRÖSSE", "" },
    { "/^stage\\d.conv/", CONVS },
    { "/^CONV$/", CONVS },
    { "/^.{4}$/", "data stage1/conv1 stage1/relu1 stage2/conv2 pool half" },
    { "stage?/*", "stage1/conv1 stage1/relu1 stage2/conv2" },
    { "\"stage?\"", "" },
    { "\"odd thing\"", "odd thing" },
    { "thing", "odd thing dropped" },
    { "1x3x8x8", "data" },
    { "1x3", "data" },
    { "x", "" },
    { "3x8", "data" },
    { "float16", "half" },
    { "name:conv", CONVS },
    { "name:thing", "odd thing" },
    { "name=total", "Größe" },
    { "name!=data -name=half -stage -thing", "Größe pool" },
    { "name:/e$/", "Größe" },
    { "/stage1/", "stage1/conv1 stage1/relu1" },
    { "type:Conv", CONVS },
    { "type:thing", "odd thing dropped" },
    { "type:hing", "" },
    { "type=thing", "odd thing" },
    { "type:*Thing", "odd thing dropped" },
    { "type:Input", "data" },
    { "type:pool", "pool" },
    { "op:Conv", CONVS },
    { "op!=Conv stage", "stage1/relu1" },
    { "category:weights", CONVS },
    { "dtype:float32 -stage", "data Größe pool" },
    { "dtype:float", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe pool half" },
    { "dtype:32", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe pool" },
    { "-dtype:float32", "half" }, /* of what is not known nothing is said */
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_shapes (void)
{
  static const Case cases[] = {
    { "shape:1x3x8x8", "data" },
    { "shape:[1,3,8,8]", "data" },
    { "shape:3x8", "data" },
    { "shape:3×8", "data" },
    { "shape=3x8", "" },
    { "shape:*x3x*", "data" },
    { "shape:*x8", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe" },
    { "shape:*x4x*", "stage1/conv1 stage1/relu1 stage2/conv2 Größe pool half" },
    { "shape:?x4x?x?", "stage1/conv1 stage1/relu1 stage2/conv2 Größe pool half" },
    { "shape:?x4x?", "" },
    { "shape:4x1", "pool half" },
    { "shape:40", "" },
    { "shape:*", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe pool half" },
    { "-shape:*x8", "pool half" },
    { "out:*x1", "pool half" },
    { "in:*x3x*", "stage1/conv1" },
    { "in:1x4x1x1", "half" },
    { "shape:/8$/", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe" },
    { "rank:4 -stage", "data Größe pool half" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_numbers (void)
{
  static const Case cases[] = {
    { "params>0", CONVS },
    { "params:108", "stage1/conv1" },
    { "params:16..108", CONVS },
    { "params>16", "stage1/conv1" },
    { "params>=16", CONVS },
    { "params<16", "data stage1/relu1 Größe odd thing dropped pool half" },
    { "params!=0", CONVS },
    { "macs:6912", "stage1/conv1" }, /* 1*4*8*8*27 */
    { "macs>1k", CONVS },            /* and 1*4*8*8*4 */
    { "macs=0", "data stage1/relu1 Größe pool half" },
    { "-macs=0", CONVS }, /* not those of which nobody knows */
    { "macs:?", "odd thing dropped" },
    { "bytes:768", "data" },
    { "bytes>1000", "stage1/conv1 stage1/relu1 stage2/conv2 Größe" },
    { "bytes<20", "pool half" },
    { "bytes:?", "odd thing dropped" },
    { "depth>5", "dropped half" },
    { "parents>1", "Größe" },
    { "parents:0", "data" },
    { "uses>1", "stage1/relu1 Größe" },
    { "number:2..3", "stage1/conv1 stage1/relu1" },
    { "layers>0", "" },
    { "time>0", "stage1/conv1 stage1/relu1" },
    { "time>1ms", "stage1/relu1" },
    { "group:x OR -group:x", "" }, /* no groups were looked for */
    { "time:?", "data stage2/conv2 Größe odd thing dropped pool half" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  const double times[] = { 0.5, 2, -1, -1, -1, -1, -1, -1 };

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, G_N_ELEMENTS (times));
  sym_query_index_set_times (index, times);
  run_cases (index, cases, G_N_ELEMENTS (cases));
}

/* Groups, and what no call made, are neither the same nor not. */
static void
test_changes (void)
{
  static const Case cases[] = {
    { "change:added", "stage1/relu1" },
    { "change:same", "stage1/conv1 Größe odd thing dropped pool half" },
    { "change:*ed", "stage1/relu1 stage2/conv2" },
    { "-change:same", "stage1/relu1 stage2/conv2" },
  };
  static const Case unknown[] = { { "change:same OR -change:same", "" } };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  const guint8 kinds[] = {
    SYM_COMPARE_SAME, SYM_COMPARE_ADDED, SYM_COMPARE_CHANGED, 0, 0, 0, 0, 0
  };

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, G_N_ELEMENTS (kinds));
  run_cases (index, unknown, G_N_ELEMENTS (unknown));
  sym_query_index_set_changes (index, kinds);
  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_truths (void)
{
  static const Case cases[] = {
    { "unused:yes", "dropped" },          { "dead:yes", "dropped" },
    { "output:yes", "odd thing half" },   { "input:yes", "data" },
    { "trainable:yes", "stage1/conv1" },  { "trainable:no", "stage2/conv2" },
    { "-trainable:yes", "stage2/conv2" }, { "runs:no", "odd thing dropped" },
    { "-runs:yes", "odd thing dropped" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_attributes (void)
{
  static const Case cases[] = {
    { "kernel:3", "stage1/conv1" },
    { "kernel:3x3", "stage1/conv1" },
    { "kernel:[3,3]", "stage1/conv1" },
    { "kernel:3x1", "" },
    { "kernel_shape:1", "stage2/conv2" },
    { "kernel>1", "stage1/conv1" },
    { "kernel:1..3", CONVS },
    { "kernel!=3 conv", "stage2/conv2" },
    { "type:Conv -kernel:3", "stage2/conv2" },
    { "pad:1", "stage1/conv1" },
    { "padding:1", "stage1/conv1" },
    { "stride:1", "stage2/conv2" },
    { "auto_pad:same", "stage2/conv2" },
    { "auto_pad:notset", "stage1/conv1" }, /* the default */
    { "auto_pad:SAME_*", "stage2/conv2" },
    { "auto_pad:/lower|upper/", "stage2/conv2" },
    { "attr:same_upper", "stage2/conv2" },
    { "attr:kernel_shape", CONVS },
    { "attr:10", "half" },
    { "to:10", "half" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_relations (void)
{
  static const Case cases[] = {
    { "parent:relu", "stage2/conv2 Größe" },
    { "parent:relu -type:Add", "stage2/conv2" },
    { "-parent:relu conv", "stage1/conv1" },
    { "child:relu", "stage1/conv1" },
    { "child:(type:Add OR type:Cast)", "stage1/relu1 stage2/conv2 pool" },
    { "parent:(macs>0 parent:data)", "stage1/relu1" },
    { "parent:(parent:data)", "stage1/relu1" },
    { "after:conv2", "Größe odd thing dropped pool half" },
    { "before:conv2", "data stage1/conv1 stage1/relu1" },
    { "after:conv2 before:half", "Größe pool" },
    { "after:nowhere", "" },
    /* the only child of "odd thing", and what comes after: nobody knows what "odd thing" takes */
    { "parent:(macs=0) thing", "odd thing" },
    { "-parent:(macs>0)", "data stage1/conv1 stage2/conv2 odd thing pool half" },
    { "-after:(macs>1G)", "data stage1/conv1 stage1/relu1 stage2/conv2 Größe odd thing pool half" },
    { "-child:(macs=0)", "data dropped half" },
    { "-before:(macs=0) thing", "dropped" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_logic (void)
{
  static const Case cases[] = {
    { "conv OR relu stage1", "stage1/conv1 stage1/relu1 stage2/conv2" },
    { "(conv OR relu) stage1", "stage1/conv1 stage1/relu1" },
    { "NOT (conv OR relu OR data)", "Größe odd thing dropped pool half" },
    { "-conv -relu -data", "Größe odd thing dropped pool half" },
    { "--conv", CONVS },
    { "conv | -conv", ALL },
    { "conv -conv", "" },
    /* unknown or true is true, unknown and false is false, whose opposite is true */
    { "macs>1k OR thing", "stage1/conv1 stage2/conv2 odd thing dropped" },
    { "-(macs>1k conv)", "data stage1/relu1 Größe odd thing dropped pool half" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

static void
test_groups (void)
{
  static const char *const names[] = {
    "enc/l0/a", "enc/l0/b", "enc/l1/a", "enc/l1/b", "end", NULL
  };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, TRUE);
  static const Case cases[] = {
    { "group:l0", "enc/l0/a enc/l0/b l0" },
    { "group:enc -group:l0", "enc/l1/a enc/l1/b enc l1" },
    { "layers:4", "enc" },
    { "layers>1 l1", "l1" },
    { "type:Thing -name:/b$/", "enc/l0/a enc/l1/a end" },
    { "-group:enc", "x end" },
  };

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

/* A layer that makes nothing, and one that is only found by what it has inside. */
static void
test_bodies_and_sinks (void)
{
  g_autoptr (SymModel) body = new_graph ("gate=Sigmoid x");
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) nest = sym_layer_new ("Nest", NULL, NULL);
  g_autoptr (SymLayer) sink = sym_layer_new ("Print", NULL, NULL);
  SymId x = add_input (builder, "in0"), result;
  static const Case cases[] = {
    { "sigmoid", "cell" },       { "gate", "cell" },           { "body:sigmoid", "cell" },
    { "body:/^gate$/", "cell" }, { "body:nothing", "" },       { "-body:nothing", "cell" },
    { "type:Print", "sink" },    { "parent:cell", "sink" },    { "before:sink", "in0 cell" },
    { "child:print", "cell" },   { "kernel:3 OR sink", NULL },
  };
  g_autoptr (SymQueryIndex) index = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymQueryResult) result_set = NULL;

  sym_layer_add_body (nest, "body", body, TRUE);
  result = sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, "cell", nest, &x, 1, 1), 0);
  sym_model_builder_add_call (builder, "sink", sink, &result, 1, 0);
  model = sym_model_builder_end (builder);
  index = new_index (model, FALSE);
  run_cases (index, cases, G_N_ELEMENTS (cases) - 1);
  result_set = ask (index, "sink", NULL);
  g_assert_cmpint (sym_query_result_get (result_set, 0).item.kind, ==, SYM_QUERY_LAYER);
  g_assert_true (sym_query_result_has_call (result_set, 1));
  g_assert_false (sym_query_result_has_call (result_set, 0));
}

/* ---- What else a result tells ---- */

static void
test_reasons (void)
{
  static const struct {
    const char *text, *reason; /* of the first hit */
  } cases[] = {
    { "conv1", "name stage1/conv1" },
    { "add", "type Add" },
    { "float16", "dtype float16" },
    { "1x3", "shape 1x3x8x8" },
    { "type:Conv kernel:3", "type Conv, kernel_shape [3, 3]" },
    { "type:Conv -kernel:1", "type Conv" },
    { "auto_pad:notset", "auto_pad NOTSET by default" },
    { "attr:same_upper", "auto_pad 'SAME_UPPER'" },
    { "params>16 macs>1", "params 108, macs 6912" },
    { "unused:yes", "unused yes" },
    { "macs:?", "macs not known" },
    { "parent:relu conv", "parent:relu, name stage2/conv2" },
    { "parent:(type:Relu depth>1)", "parent:(type:Relu depth>1)" },
    { "conv1 OR type:Conv", "name stage1/conv1, type Conv" },
    { "größe", "name Größe" },
    { "category:weights op:conv", "category weights, op Conv" },
  };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymQueryResult) result = ask (index, cases[i].text, NULL);
      g_autofree char *reason = sym_query_result_explain (result, 0);

      g_assert_cmpstr (reason, ==, cases[i].reason);
    }
}

/* Whole names before beginnings, before words, before parts; names before types. */
static void
test_ranks (void)
{
  g_autoptr (SymModel) model = new_graph ("deconvolved=Thing x; stage_conv=Thing x; conv1=Thing x; "
                                          "conv=Thing x; bn=Conv x");
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQueryResult) result = ask (index, "conv", NULL);
  static const char *const order[] = { "conv", "bn", "conv1", "stage_conv", "deconvolved" };
  guint best = sym_query_result_get_best (result), last = 0;

  g_assert_cmpuint (sym_query_result_get_n (result), ==, G_N_ELEMENTS (order));
  g_assert_cmpstr (
      sym_model_get_unique_name (model, sym_query_result_get (result, best).item.value), ==,
      "conv");
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    for (guint i = 0; i < sym_query_result_get_n (result); i++)
      {
        SymQueryHit hit = sym_query_result_get (result, i);

        if (g_str_equal (sym_model_get_unique_name (model, hit.item.value), order[k]))
          {
            g_assert_true (k == 0 || hit.rank > last);
            last = hit.rank;
          }
      }
}

static void
test_membership (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQueryResult) result = ask (index, "relu1", NULL);
  SymQueryItem item = sym_query_result_get (result, 0).item;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    g_assert_cmpint (sym_query_result_has_value (result, value), ==, value == item.value);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    g_assert_cmpint (sym_query_result_has_call (result, call), ==, call == item.call);
}

/* ---- What goes wrong ---- */

static void
test_unknown_names (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (ask (index, "conv shpe:3", &error));
  g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME);
  g_assert_cmpstr (error->message, ==,
                   "column 6: there is no field “shpe”, nor has a layer here such an attribute; to "
                   "look for the text, put it between quotation marks");
}

/* Names that are something else as a query, or none of this model. */
static void
test_pasted_names (void)
{
  static const char *const names[] = { "Identity:0", "onnx::Add_12", "a + (Layer* 8) [x]",
                                       "-minus",     "params>1M",    "Größe:1",
                                       "a OR b",     "other",        NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strdup_printf ("  %s ", names[i]);
      g_autofree char *expected = g_strdup_printf ("name %s", names[i]);
      g_autoptr (SymQueryResult) result = ask (index, text, &error);

      g_assert_no_error (error);
      guint best = sym_query_result_get_best (result);
      SymQueryHit hit = sym_query_result_get (result, best);
      g_autofree char *reason = sym_query_result_explain (result, best);

      g_assert_cmpstr (sym_model_get_unique_name (model, hit.item.value), ==, names[i]);
      g_assert_cmpstr (reason, ==, expected);
    }
  g_assert_null (ask (index, "Identity:0 other", NULL));
}

/* An expression that would take 2^40 steps. */
static void
test_hard_expressions (void)
{
  static const char *const names[] = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_null (ask (index, "name:/^(a+)+$/", &error));
  g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_TOO_HARD);
}

static void
test_cancelled (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryIndex) index = new_index (model, FALSE);
  g_autoptr (SymQuery) query = sym_query_parse ("conv", NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_query_run (query, index, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_empty_model (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (SymQueryIndex) index = new_index (model, TRUE);
  static const Case cases[] = {
    { "a", "" }, { "-a", "" }, { "parent:a", "" }, { "macs>1", "" }, { "/a/", "" }
  };

  run_cases (index, cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/run/texts", test_texts);
  g_test_add_func ("/query/run/shapes", test_shapes);
  g_test_add_func ("/query/run/numbers", test_numbers);
  g_test_add_func ("/query/run/changes", test_changes);
  g_test_add_func ("/query/run/yes-and-no", test_truths);
  g_test_add_func ("/query/run/attributes", test_attributes);
  g_test_add_func ("/query/run/relations", test_relations);
  g_test_add_func ("/query/run/logic", test_logic);
  g_test_add_func ("/query/run/groups", test_groups);
  g_test_add_func ("/query/run/bodies-and-sinks", test_bodies_and_sinks);
  g_test_add_func ("/query/run/reasons", test_reasons);
  g_test_add_func ("/query/run/ranks", test_ranks);
  g_test_add_func ("/query/run/membership", test_membership);
  g_test_add_func ("/query/run/unknown-names", test_unknown_names);
  g_test_add_func ("/query/run/pasted-names", test_pasted_names);
  g_test_add_func ("/query/run/hard-expressions", test_hard_expressions);
  g_test_add_func ("/query/run/cancelled", test_cancelled);
  g_test_add_func ("/query/run/empty-model", test_empty_model);
  return g_test_run ();
}
