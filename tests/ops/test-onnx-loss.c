/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

#define X "float64 2,3: -1 -2 -3 -4 -5 -6"
#define X2 "float64 1,2,2: -1 -2 -3 -4"
#define NLL "NegativeLogLikelihoodLoss"
#define SCE "SoftmaxCrossEntropyLoss"

/* log_softmax of [0, ln 3] is [-ln 4, ln 3 - ln 4]. */
static const KernelCase losses[] = {
  { NLL, "", X "; int64 2: 2 0", "float64 : 3.5" },
  { NLL, "reduction='sum'", X "; int32 2: 2 0", "float64 : 7" },
  { NLL, "reduction='none'", X "; int64 2: 1 1", "float64 2: 2 5" },
  { NLL, "reduction='none'", X2 "; int64 1,2: 1 0", "float64 1,2: 3 2" },
  { NLL, "", X "; int64 2: 2 0; float64 3: 1 5 0.5", "float64 : 3.6666666666666665",
    .tolerance = 1e-15 },
  { NLL, "ignore_index=0", X "; int64 2: 2 0", "float64 : 3" },
  { NLL, "ignore_index=-7; reduction='none'", X "; int64 2: -7 0; float64 3: 2 1 1",
    "float64 2: 0 8" },
  { NLL, "ignore_index=0", X "; int64 2: 0 0", "float64 : nan" },
  { NLL, "", "float16 1,2: -1 -2; int64 1: 1; float16 2: 1 1", "float16 : 2" },
  { NLL, "reduction='sum'", "float32 0,2:; int64 0:", "float32 : 0" },
  { NLL, "", X "; int64 2: 3 0", .error = "sample 0 is of class 3, and there are 3" },
  { NLL, "", X "; int64 2: -1 0", .error = "sample 0 is of class -1" },
  { NLL, "", X "; int64 3: 0 0 0", .error = "the classes have shape [3]; it should be [2]" },
  { NLL, "", X "; float32 2: 0 0", .error = "the classes must be integers and are of float32" },
  { NLL, "", X "; int64 2: 0 0; float64 2: 1 1", .error = "a weight for each of 3 classes" },
  { NLL, "", X "; int64 2: 0 0; float32 3: 1 1 1",
    .error = "the weights are of float32, the operand of float64" },
  { NLL, "reduction='median'", X "; int64 2: 0 0", .error = "there is no reduction median" },
  { NLL, "", "float32 2: 1 1; int64 : 0", .error = "must have 2 axes or more and has 1" },
  { NLL, "", "int32 1,1: 1; int64 1: 0", .error = NLL " has no kernel for int32" },
  { SCE, "", "float64 1,2: 0 1.0986122886681098; int64 1: 0",
    "float64 : 1.3862943611198906; float64 1,2: -1.3862943611198906 -0.2876820724517809",
    .tolerance = 1e-14 },
  { SCE, "reduction='none'", "float32 1,2,2: 0 1.0986123 1.0986123 0; int64 1,2: 0 0",
    "float32 1,2: 1.3862944 0.28768207; -", .tolerance = 1e-6 },
  { SCE, "reduction='sum'", "float64 1,2: 1000 0; int64 1: 1; float64 2: 1 0.5", "float64 : 500" },
  { SCE, "ignore_index=1", "float64 2,2: 0 0 0 7; int64 2: 0 1", "float64 : 0.6931471805599453",
    .tolerance = 1e-15 },
  { SCE, "", "bfloat16 1,2: 0 0; int64 1: 1",
    "bfloat16 : 0.69140625; bfloat16 1,2: -0.69140625 -0.69140625" },
  { SCE, "", "float64 1,2: 0 0; int64 1: 2", .error = "sample 0 is of class 2" },
  { NULL },
};

static const RuleCase rules[] = {
  { NLL, "", "2,3:float32 * *", NULL, "2,3:float32 2 3:float32 -> ():float32", .domain = "" },
  { NLL, "reduction=none", "2,3,4,5:float16 *", NULL, "2,3,4,5:float16 2,4,5 -> 2,4,5:float16",
    .domain = "" },
  { NLL, "reduction=sum", "*:float64 2,4", NULL, "2,?,4:float64 2,4 -> ():float64", .domain = "" },
  { NLL, "", "3 *", .error = "must have 2 axes or more and has 1", .domain = "" },
  { NLL, "", "2,3 4", .error = "4", .domain = "" },
  { SCE, "", "2,3,4:float32 *", NULL, "2,3,4:float32 2,4 -> ():float32", .domain = "" },
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
  kernel_case_add_all ("loss", losses);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/rules/loss/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
