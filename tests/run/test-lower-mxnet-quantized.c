/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Integers of 8 bits with their ranges: 1 in int8 is extent / 127, in uint8 extent / 255.  Ranges
 * of 127 and 255 make the unit 1, so that most numbers can be checked by eye. */

#define RANGE_127 "float32 1: -127; float32 1: 127"
#define RANGE_255 "float32 1: 0; float32 1: 255"
#define WIDE "float32 1: -2147483647; float32 1: 2147483647"

static const LowerCase product_cases[] = {
  /* 1 * 1 + 2 * -1, 3 * 1 + 4 * -1; the bias of 2 units of 1 each. */
  { "_contrib_quantized_fully_connected", "num_hidden=1; no_bias=True",
    "int8 2,2: 1 2 3 4; int8 1,2: 1 -1; " RANGE_127 "; " RANGE_127, "int32 2,1: -1 -1; " WIDE },
  { "_contrib_quantized_fully_connected", "num_hidden=1",
    "int8 2,2: 1 2 3 4; int8 1,2: 1 -1; int8 1: 5; " RANGE_127 "; " RANGE_127 "; " RANGE_127,
    "int32 2,1: 4 4; " WIDE },
  /* A bias in halves: 5 of them are 2.5 units, rounded to even. */
  { "_contrib_quantized_fully_connected", "num_hidden=1",
    "uint8 1,2: 200 100; int8 1,2: 2 -1; int8 1: 5; " RANGE_255 "; " RANGE_127
    "; float32 1: -63.5; float32 1: 63.5",
    "int32 1,1: 302; " WIDE },
  { "_contrib_quantized_conv", "kernel=(1, 2); num_filter=1; no_bias=True",
    "uint8 1,1,1,3: 10 20 30; int8 1,1,1,2: 1 -2; " RANGE_255 "; " RANGE_127,
    "int32 1,1,1,2: -30 -40; " WIDE },
  { "_contrib_quantized_conv", "kernel=(1, 2); num_filter=1; pad=(0, 1); stride=(1, 2)",
    "int8 1,1,1,3: 10 20 30; int8 1,1,1,2: 1 -2; int8 1: 7; " RANGE_127 "; " RANGE_127
    "; " RANGE_127,
    "int32 1,1,1,2: -13 -33; " WIDE },
  { NULL },
};

static const LowerCase single_cases[] = {
  { "_contrib_quantized_pooling", "kernel=(1, 2)", "int8 1,1,1,3: -5 3 -7; " RANGE_127,
    "int8 1,1,1,2: 3 3; " RANGE_127 },
  { "_contrib_quantized_pooling", "kernel=(1, 2); pool_type=avg",
    "uint8 1,1,1,3: 5 7 200; " RANGE_255, "uint8 1,1,1,2: 6 104; " RANGE_255 },
  { "_contrib_quantized_act", "act_type=relu", "int8 3: -5 0 3; " RANGE_127,
    "int8 3: 0 0 3; " RANGE_127 },
  { "_contrib_quantized_act", "act_type=tanh", "int8 1: 1; " RANGE_127, .error = "relu" },
  { "_contrib_quantized_flatten", "", "int8 1,2,2: 1 2 3 4; " RANGE_127,
    "int8 1,4: 1 2 3 4; " RANGE_127 },
  { "_contrib_quantized_reshape", "shape=(4,)", "int8 1,2,2: 1 2 3 4; " RANGE_127,
    "int8 4: 1 2 3 4; " RANGE_127 },
  { "_contrib_quantized_transpose", "axes=(1, 0)", "int8 2,2: 1 2 3 4; " RANGE_127,
    "int8 2,2: 1 3 2 4; " RANGE_127 },
  { "_contrib_quantized_embedding", "input_dim=2; output_dim=2",
    "float32 2: 1 0; int8 2,2: 1 2 3 4; " RANGE_127, "int8 2,2: 3 4 1 2; " RANGE_127 },
  /* 2^31 - 1 stands for 127: 16909320 for 1, in a calibrated range of 2 for 63.5, to even. */
  { "_contrib_requantize", "min_calib_range=-2.0; max_calib_range=1.0",
    "int32 3: 16909320 -16909320 1000000000; " RANGE_127,
    "int8 3: 64 -64 127; float32 1: -2; float32 1: 1" },
  { "_contrib_requantize", "", "int32 2: 16909320 -33818640; " RANGE_127,
    "int8 2: 64 -127; float32 1: -2; float32 1: 2", .tolerance = 1e-6 },
  /* (x - 1) / sqrt (3.999 + 0.001) * 2 + 0.5 is x - 0.5. */
  { "_contrib_quantized_batch_norm",
    "fix_gamma=False; min_calib_range=-254.0; max_calib_range=254.0",
    "int8 1,1,3: 4 -4 127; float32 1: 2; float32 1: 0.5; float32 1: 1; float32 1: 3.999; "
    "float32 1: -127; float32 1: 127",
    "int8 1,1,3: 2 -2 63; float32 1: -254; float32 1: 254" },
  { "_contrib_quantized_batch_norm_relu",
    "fix_gamma=False; min_calib_range=-254.0; max_calib_range=254.0",
    "int8 1,1,2: 4 -4; float32 1: 2; float32 1: 0.5; float32 1: 1; float32 1: 3.999; "
    "float32 1: -127; float32 1: 127",
    "int8 1,1,2: 2 0; float32 1: -254; float32 1: 254" },
  { NULL },
};

static const LowerCase pair_cases[] = {
  /* -1 to 1 in units of 1 / 127, the other in units of 1. */
  { "_contrib_quantized_concat", "num_args=2; dim=0",
    "int8 1: 127; int8 1: 10; float32 1: -1; float32 1: 1; " RANGE_127,
    "int8 2: 1 10; " RANGE_127 },
  { "_contrib_quantized_concat", "num_args=2; dim=0",
    "uint8 1: 255; uint8 1: 10; float32 1: 0; float32 1: 51; " RANGE_255,
    "uint8 2: 51 10; " RANGE_255 },
  { "_contrib_quantized_elemwise_add", "min_calib_range=-254.0; max_calib_range=254.0",
    "int8 2: 100 -3; int8 2: 100 1; " RANGE_127 "; " RANGE_127,
    "int8 2: 100 -1; float32 1: -254; float32 1: 254" },
  { "_contrib_quantized_elemwise_add", "", "int8 1: 127; int8 1: 127; " RANGE_127 "; " RANGE_127,
    "int32 1: 2147483520; float32 1: -254; float32 1: 254", .tolerance = 1e-7 },
  { "_contrib_quantized_npi_add", "min_calib_range=-254.0; max_calib_range=254.0",
    "int8 1,2: 100 -3; int8 1: 100; " RANGE_127 "; " RANGE_127,
    "int8 1,2: 100 48; float32 1: -254; float32 1: 254" },
  { "_contrib_quantized_elemwise_mul", "", "int8 2: 3 -4; int8 2: 5 6; " RANGE_127 "; " RANGE_127,
    "int32 2: 15 -24; " WIDE },
  { "_contrib_quantized_elemwise_mul", "enable_float_output=True",
    "int8 2: 3 -4; int8 2: 5 6; " RANGE_127 "; float32 1: -63.5; float32 1: 63.5",
    "float32 2: 7.5 -12" },
  { "_contrib_quantized_elemwise_mul", "min_calib_range=-127.0; max_calib_range=127.0",
    "int8 2: 3 -40; int8 2: 5 6; " RANGE_127 "; " RANGE_127, "int8 2: 15 -128; " RANGE_127 },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-quantized-products", product_cases);
  lower_case_add_all ("mxnet-quantized", single_cases);
  lower_case_add_all ("mxnet-quantized-pairs", pair_cases);
  return g_test_run ();
}
