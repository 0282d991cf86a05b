/* SPDX-License-Identifier: MIT */
#include "../ops/rule-case.h"
#include "lower-case.h"

/* Layers of MXNet that have bodies: loops, branches, and what oneDNN runs in one go. */

typedef struct {
  LowerCase layer;
  const char *bodies[3]; /* see rule_case_read_body() */
} BodyCase;

static void
run (gconstpointer data)
{
  const BodyCase *self = data;
  g_autoptr (SymLayer) layer = lower_case_new_layer (&self->layer);

  for (guint i = 0; i < G_N_ELEMENTS (self->bodies) && self->bodies[i] != NULL; i++)
    {
      g_autoptr (SymModel) body = rule_case_read_body (self->bodies[i]);

      sym_layer_add_body (layer, "subgraph", body, FALSE);
    }
  lower_case_run_layer (&self->layer, layer);
}

/* ---- Loops and branches ---- */

#define FOREACH(data, states, same, stacked, outputs)                              \
  "num_args=9; in_data_locs=" data "; in_state_locs=" states "; remain_locs=" same \
  "; num_out_data=" stacked "; num_outputs=" outputs
#define SUM "x: *\ns: *\ny = elemwise_add {} x s\n-> y y"
#define DOUBLE_AND_ADD "x: *\nw: *\ny = elemwise_add {} x x\nz = elemwise_add {} y w\n-> y z"
#define BELOW_10 "x: *\ny = _lesser_scalar {scalar=10} x\n-> y"
#define WHILE(most)                                                      \
  "num_args=4; num_outputs=2; num_out_data=1; max_iterations=" most "; " \
  "cond_input_locs=(0,); func_input_locs=(0, 1); func_var_locs=(0,)"
#define COND                                                                  \
  "num_args=6; num_outputs=1; cond_input_locs=(0,); then_input_locs=(1, 2); " \
  "else_input_locs=(1,)"
#define COPY "x: *\ny = _copy {} x\n-> y"
#define ADD "x: *\nw: *\ny = elemwise_add {} x w\n-> y"
#define ADD_ONE "x: *\ny = _plus_scalar {scalar=1} x\n-> y"

static const BodyCase control_cases[] = {
  /* Sums up to each step, and the last of them. */
  { { "_foreach", FOREACH ("(0,)", "(1,)", "()", "1", "2"),
      "float32 3,2: 1 2 3 4 5 6; float32 2: 10 20",
      "float32 3,2: 11 22 14 26 19 32; float32 2: 19 32" },
    { SUM } },
  { { "_npx_foreach", FOREACH ("(0,)", "(1,)", "()", "1", "2"), "float32 2: 1 2; float32 1: 5",
      "float32 2,1: 6 8; float32 1: 8" },
    { SUM } },
  { { "_foreach", FOREACH ("(0,)", "()", "(1,)", "2", "2"), "float32 2,1: 1 2; float32 1: 10",
      "float32 2,1: 2 4; float32 2,1: 12 14" },
    { DOUBLE_AND_ADD } },
  /* Two states that change places. */
  { { "_foreach", FOREACH ("(0,)", "(1, 2)", "()", "0", "2") "; in_state_index=(0, 1)",
      "float32 3,1: 0 0 0; float32 1: 1; float32 1: 2", "float32 1: 2; float32 1: 1" },
    { "x: *\na: *\nb: *\np = elemwise_add {} x b\nq = elemwise_add {} x a\n-> p q" } },
  { { "_foreach", FOREACH ("(0,)", "(1,)", "()", "1", "2"), "float32 0,2:; float32 2: 10 20",
      .error = "no step" },
    { SUM } },
  /* 1, 2, 4, 8 stay below 10; what is doubled is stacked, rows that are not reached are 0. */
  { { "_while_loop", WHILE ("6"), "float32 1: 1; float32 1: 100",
      "float32 6,1: 101 102 104 108 0 0; float32 1: 16" },
    { BELOW_10, "x: *\nw: *\ny = elemwise_add {} x w\nz = elemwise_add {} x x\n-> y z" } },
  { { "_while_loop", WHILE ("2"), "float32 1: 1; float32 1: 100",
      "float32 2,1: 101 102; float32 1: 4" },
    { BELOW_10, "x: *\nw: *\ny = elemwise_add {} x w\nz = elemwise_add {} x x\n-> y z" } },
  { { "_while_loop", WHILE ("2"), "float32 1: 10; float32 1: 100", "-; -", .error = "no step" },
    { BELOW_10, "x: *\nw: *\ny = elemwise_add {} x w\nz = elemwise_add {} x x\n-> y z" } },
  { { "_cond", COND, "float32 1: 1; float32 2: 3 4; float32 2: 10 20", "float32 2: 13 24" },
    { COPY, ADD, ADD_ONE } },
  { { "_npx_cond", COND, "float32 1: 0; float32 2: 3 4; float32 2: 10 20", "float32 2: 4 5" },
    { COPY, ADD, ADD_ONE } },
  { { "_cond", COND, "float32 2: 1 0; float32 2: 3 4; float32 2: 10 20",
      .error = "must be one number" },
    { COPY, ADD, ADD_ONE } },
};

/* ---- Layers in one go ---- */

#define CONV "x: *\nw: *\ny = Convolution {kernel=(1, 1); num_filter=2; no_bias=True} x w\n"
#define NORM "g: *\nb: *\nm: *\nv: *\nz = BatchNorm {fix_gamma=False; eps=0} y g b m v\n"
#define RELU "r = Activation {act_type=relu} z\n-> r"
#define RANGE_127 "float32 1: -127; float32 1: 127"
#define DENSE "x: *\nw: *\ny = FullyConnected {num_hidden=1; no_bias=True} x w\n-> y"

/* A pixel of 2 channels, 100 and 2 in integers whose unit is 1.  Weights 1.27, 0.004 and 254, -254:
 * rounded to 127ths of the greatest they are 1.27, 0 (0.004 is 0.4 units) and as they were. */
#define PIXEL "int8 1,2,1,1: 100 2"
#define WEIGHT "float32 2,2,1,1: 1.27 0.004 254 -254"

static const BodyCase fused_cases[] = {
  { { "_sg_mkldnn_conv", "", "float32 1,2,1,1: 100 2; " WEIGHT, "float32 1,2,1,1: 127.008 24892",
      .tolerance = 1e-6 },
    { CONV "-> y" } },
  { { "_sg_mkldnn_conv", "quantized=True; min_calib_range=-25400.0; max_calib_range=25400.0",
      PIXEL "; " WEIGHT "; " RANGE_127,
      "int8 1,2,1,1: 1 124; float32 1: -25400; float32 1: 25400" },
    { CONV "-> y" } },
  { { "_sg_onednn_conv", "quantized=True; enabled_float_output=float32",
      PIXEL "; " WEIGHT "; " RANGE_127, "float32 1,2,1,1: 127 24892", .tolerance = 1e-6 },
    { CONV "-> y" } },
  /* Normalised: 127 * 2 - 4 and (24892 - 24992) / 10 * 1; what is below 0 goes. */
  { { "_sg_mkldnn_conv",
      "with_bn=True; with_relu=True; quantized=True; min_calib_range=0.0; max_calib_range=255.0",
      PIXEL "; " WEIGHT
            "; float32 2: 2 1; float32 2: -4 0; float32 2: 0 24992; float32 2: 1 100; " RANGE_127,
      "uint8 1,2,1,1: 250 0; float32 1: 0; float32 1: 255" },
    { CONV NORM RELU } },
  /* 127 and 24892, and 1000 and -892 in units of 8. */
  { { "_sg_mkldnn_conv",
      "with_sum=True; quantized=True; min_calib_range=-25400.0; max_calib_range=25400.0",
      PIXEL "; " WEIGHT "; int8 1,2,1,1: 125 -62; " RANGE_127 "; float32 1: -1016; float32 1: 1016",
      "int8 1,2,1,1: 6 122; float32 1: -25400; float32 1: 25400" },
    { "x: *\nw: *\ns: *\ny = Convolution {kernel=(1, 1); num_filter=2; no_bias=True} x w\n"
      "z = elemwise_add {} y s\n-> z" } },
  { { "_sg_mkldnn_conv", "quantized=True", PIXEL "; " WEIGHT "; " RANGE_127,
      "int32 1,2,1,1: 0 0; -; -", .error = "calibrated" },
    { CONV "-> y" } },
  { { "_sg_mkldnn_conv", "", "float32 1,2,1,1: 100 2; " WEIGHT, .error = "no body" } },
  /* 3 * 0.5 + 4 * -0.5 in units of 0.5. */
  { { "_sg_mkldnn_fully_connected", "quantized=True",
      "int8 1,2: 3 4; int8 1,2: 1 -1; " RANGE_127 "; float32 1: -63.5; float32 1: 63.5",
      "int32 1,1: -1; float32 1: -1073741824; float32 1: 1073741824", .tolerance = 1e-6 },
    { DENSE } },
  { { "_sg_mkldnn_fully_connected", "quantized=True; enable_float_output=True",
      "int8 1,2: 3 4; int8 1,2: 1 -1; " RANGE_127 "; float32 1: -63.5; float32 1: 63.5",
      "float32 1,1: -0.5" },
    { DENSE } },
  { { "_sg_mkldnn_fully_connected",
      "quantized=True; channel_wise_quantize=True; min_calib_range=-127.0; max_calib_range=127.0",
      "int8 1,2: 3 4; float32 1,2: 12.7 -12.7; " RANGE_127,
      "int8 1,1: -13; float32 1: -127; float32 1: 127" },
    { DENSE } },
};

static void
add_all (const char *group, const BodyCase *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/%s/%02u-%s", group, i, cases[i].layer.op);

      g_test_add_data_func (path, &cases[i], run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_all ("mxnet-control", control_cases, G_N_ELEMENTS (control_cases));
  add_all ("mxnet-fused", fused_cases, G_N_ELEMENTS (fused_cases));
  return g_test_run ();
}
