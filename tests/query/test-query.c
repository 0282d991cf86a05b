/* SPDX-License-Identifier: MIT */
#include "query-net.h"

/* What queries of each field find. */

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
    { "dtype:?", "odd thing dropped" },
    { "-dtype:? -stage", "data Größe pool half" },
    { "op:?", "odd thing dropped" },
    { "category:?", "odd thing dropped" },
    { "-op:? -stage", "Größe pool half" },
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
    { "shape:?", "odd thing dropped" },
    { "out:? thing", "odd thing dropped" },
    { "-shape:? -stage", "data Größe pool half" },
    { "in:?", "dropped" },
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
  return g_test_run ();
}
