/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

/* Operators of our own onto which products of quantised numbers are lowered. */

static const KernelCase products[] = {
  { "ByteProduct", "", "float32 1,2: 200 3; int8 2,1: -1 2", "float32 1,1: -194",
    .domain = "symscope" },
  { "ByteProduct", "signed=1",
    "float32 2,2: -100 7 3 10; uint8 2,2: 1 255 4 0; float32 : 0.5; float32 : 2; float32 2: 1 2; "
    "uint8 2: 0 3",
    "float32 2,2: -41 -25719 16.5 228", .domain = "symscope" },
  { "ByteProduct", "transposed=1", "float32 3: 1 2 3; int8 2,3: 1 0 -1 4 5 6; -; float32 : 1",
    "float32 2: -2 17", .domain = "symscope" },
  { "ByteProduct", "dynamic=1", "float32 1,3: -51 0 204; int8 3,1: 1 2 3", "float32 1,1: 561",
    .domain = "symscope" },
  { "ByteProduct", "dynamic=1", "float32 1,2: 0 0; int8 2,1: 1 2", "float32 1,1: 0",
    .domain = "symscope" },
  { "ByteProduct", "", "float32 0,2:; int8 2,1: 1 2", "float32 0,1:", .domain = "symscope" },
  { "ByteProduct", "", "float32 2,0:; int8 0,1:", "float32 2,1: 0 0", .domain = "symscope" },
  { "ByteProduct", "", "float32 1,2: 1 2; int8 3,1: 1 2 3",
    .error = "the rows of x do not fit the weights", .domain = "symscope" },
  { "ByteProduct", "", "float32 1,2: 1 2; int8 2,1: 1 2; -; -; float32 3: 1 2 3",
    .error = "weights_scale has 3 numbers, not 1 or 1", .domain = "symscope" },
  { "ByteProduct", "", "float64 1,1: 1; int8 1,1: 1",
    .error = "ByteProduct has no kernel for float64", .domain = "symscope" },
  { "ByteProduct", "", "float32 1,1: 1; int32 1,1: 1",
    .error = "ByteProduct has no kernel for int32", .domain = "symscope" },
  { "ByteConvolution", "pads=[0,1,0,0]",
    "float32 1,1,1,2: 10 20; int8 1,1,1,2: 1 -2; float32 : 0.5; float32 : 2; float32 1: 4; int8 1: "
    "1",
    "float32 1,1,1,2: -48 -108", .domain = "symscope" },
  { "ByteConvolution", "group=2", "float32 1,2,1,1: 10 20; uint8 2,1,1,1: 3 255",
    "float32 1,2,1,1: 30 5100", .domain = "symscope" },
  { "ByteConvolution", "", "float32 1,1,1,1: 1; int8 1,1,1,1: 1; -; -; float32 3: 1 2 3",
    .error = "weights_scale has 3 numbers, not 1 or 1", .domain = "symscope" },
  { "ByteConvolution", "", "int32 1,1,1,1: 1; int8 1,1,1,1: 1",
    .error = "ByteConvolution has no kernel for int32", .domain = "symscope" },
  { NULL },
};

static const RuleCase rules[] = {
  { "ByteProduct", "", "7,2,3:float32 3,4:int8", NULL, "7,2,4:float32", .domain = "symscope" },
  { "ByteProduct", "transposed=1", "2,3:float32 4,3:uint8", NULL, "2,4:float32",
    .domain = "symscope" },
  { "ByteProduct", "", "2,3 4,5", NULL, .error = "columns of x and rows of weights",
    .domain = "symscope" },
  { "ByteProduct", "", "2,3 3,4,5", NULL, .error = "x must have axes and weights two, not 3",
    .domain = "symscope" },
  { "ByteConvolution", "pads=[1,1,1,1]", "2,3,8,8:float32 4,3,3,3:int8", NULL, "2,4,8,8:float32",
    .domain = "symscope" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("bytes", products);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/symscope-bytes/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
