/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Layers of PyTorch Symbolic.  The expected numbers were written by torch 1.13 for these operands.
 */

static const LowerCase activation_cases[] = {
  { "torch:ReLU", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0 0 0 0 0 0 0.25 0.5 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:ReLU6", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0 0 0 0 0 0 0.25 0.5 2 3 6 6", .tolerance = 0.0001 },
  { "torch:LeakyReLU", "negative_slope=0.2",
    "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -1.4 -0.6 -0.3 -0.1 -0.05 0 0.25 0.5 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:LeakyReLU", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.07 -0.03 -0.015 -0.005 -0.0025 0 0.25 0.5 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:ELU", "alpha=1.5", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -1.498632 -1.425319 -1.165305 -0.590204 -0.3317988 0 0.25 0.5 2 3 6.5 30",
    .tolerance = 0.0001 },
  { "torch:CELU", "alpha=2.0", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -1.939605 -1.55374 -1.055267 -0.4423984 -0.2350062 0 0.25 0.5 2 3 6.5 30",
    .tolerance = 0.0001 },
  { "torch:SELU", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -1.756496 -1.670569 -1.365814 -0.6917582 -0.3888902 0 0.2626753 0.5253505 "
    "2.101402 3.152103 6.829556 31.52103",
    .tolerance = 0.0001 },
  { "torch:GELU", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0 -0.004049694 -0.1002108 -0.1542688 -0.1003234 0 0.1496766 0.3457312 1.9545 "
    "2.99595 6.5 30",
    .tolerance = 0.0001 },
  { "torch:SiLU", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.006377358 -0.1422776 -0.2736383 -0.1887703 -0.1094559 0 0.1405441 0.3112297 "
    "1.761594 2.857722 6.490242 30",
    .tolerance = 0.0001 },
  { "torch:Mish", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.006380263 -0.1456475 -0.2980998 -0.2207438 -0.129927 0 0.1695724 0.3752452 "
    "1.943959 2.986535 6.499971 30",
    .tolerance = 0.0001 },
  { "torch:Hardswish", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0 0 -0.375 -0.2083333 -0.1145833 0 0.1354167 0.2916667 1.666667 3 6.5 30",
    .tolerance = 0.0001 },
  { "torch:Hardsigmoid", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0 0 0.25 0.4166667 0.4583333 0.5 0.5416667 0.5833333 0.8333333 1 1 1",
    .tolerance = 0.0001 },
  { "torch:Hardtanh", "min_val=-0.5; max_val=2.5",
    "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.5 -0.5 -0.5 -0.5 -0.25 0 0.25 0.5 2 2.5 2.5 2.5", .tolerance = 0.0001 },
  { "torch:Sigmoid", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 0.0009110512 0.04742587 0.1824255 0.3775407 0.4378235 0.5 0.5621765 0.6224594 "
    "0.8807971 0.9525741 0.9984988 1",
    .tolerance = 0.0001 },
  { "torch:LogSigmoid", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -7.000911 -3.048587 -1.701413 -0.974077 -0.8259394 -0.6931472 -0.5759394 "
    "-0.474077 -0.126928 -0.04858735 -0.00150231 0",
    .tolerance = 0.0001 },
  { "torch:Tanh", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.9999983 -0.9950548 -0.9051483 -0.4621172 -0.2449187 0 0.2449187 0.4621172 "
    "0.9640276 0.9950548 0.9999955 1",
    .tolerance = 0.0001 },
  { "torch:Tanhshrink", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -6.000001 -2.004945 -0.5948517 -0.03788284 -0.005081337 0 0.005081337 "
    "0.03788284 1.035972 2.004945 5.500004 29",
    .tolerance = 0.0001 },
  { "torch:Softplus", "beta=2.0; threshold=3.0",
    "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: 4.157642e-07 0.001237843 0.02429368 0.1566308 0.2370385 0.3465736 0.4870385 "
    "0.6566308 2 3 6.5 30",
    .tolerance = 0.0001 },
  { "torch:Softsign", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -0.875 -0.75 -0.6 -0.3333333 -0.2 0 0.2 0.3333333 0.6666667 0.75 0.8666667 "
    "0.9677419",
    .tolerance = 0.0001 },
  { "torch:Softshrink", "lambd=0.4", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -6.6 -2.6 -1.1 -0.1 0 0 0 0.1 1.6 2.6 6.1 29.6", .tolerance = 0.0001 },
  { "torch:Hardshrink", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -7 -3 -1.5 0 0 0 0 0 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:Identity", "", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:Dropout", "p=0.9", "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30",
    "float32 12: -7 -3 -1.5 -0.5 -0.25 0 0.25 0.5 2 3 6.5 30", .tolerance = 0.0001 },
  { "torch:GELU", "approximate=tanh", "float32 7: -1.5 -0.5 -0.25 0 0.25 0.5 2",
    "float32 7: -0.1004284 -0.154286 -0.1003246 0 0.1496754 0.345714 1.954598",
    .tolerance = 0.0001 },
  { "torch:PReLU", "num_parameters=3",
    "float32 2,3,2: 2 2 -1.25 -1 -1 -0.75 -1 1.25 1.25 1.75 -1.75 0.5; float32 3: 0.1 0.2 0.3",
    "float32 2,3,2: 2 2 -0.25 -0.2 -0.3 -0.225 -0.1 1.25 1.25 1.75 -0.525 0.5",
    .tolerance = 1e-05 },
  { "torch:PReLU", "", "float32 4: -7 -3 -1.5 -0.5; float32 1: 0.1",
    "float32 4: -0.7 -0.3 -0.15 -0.05", .tolerance = 1e-05 },
  { "torch:Softmax", "dim=0", "float32 2,3: -1.5 -1.25 -1.75 0 1 -1",
    "float32 2,3: 0.1824255 0.09534946 0.3208213 0.8175744 0.9046505 0.6791787",
    .tolerance = 1e-05 },
  { "torch:LogSoftmax", "dim=-1", "float32 2,3: -1.5 -1.25 -1.75 0 1 -1",
    "float32 2,3: -1.119338 -0.869338 -1.369338 -1.407606 -0.4076059 -2.407606",
    .tolerance = 1e-05 },
  { "torch:Softmin", "dim=1", "float32 2,3: -1.5 -1.25 -1.75 0 1 -1",
    "float32 2,3: 0.3264959 0.2542752 0.419229 0.2447285 0.09003057 0.6652409",
    .tolerance = 1e-05 },
  { "torch:GLU", "dim=-1", "float32 2,4: -1.25 1 1.25 0.25 -1 1.5 0.5 -0.25",
    "float32 2,2: -0.9716249 0.5621765 -0.6224594 0.6567352", .tolerance = 1e-05 },
  { "torch:GLU", "dim=0", "float32 4,2: 0 2 -0.25 1.5 1 1.75 -1.5 1.5",
    "float32 2,2: 0 1.703905 -0.04560638 1.226362", .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase arithmetic_cases[] = {
  { "torch:AggregateLayer", "op=mean", "float32 2,3,2: 1.5 2 -2 1.5 1.25 0.5 1 -2 -0.75 -1.75 -1 1",
    "float32 : 0.1041667", .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=sum; dim=(0, -1)",
    "float32 2,3,2: 1.5 2 -2 1.5 1.25 0.5 1 -2 -0.75 -1.75 -1 1", "float32 3: 2.5 -3 1.75",
    .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=mean; dim=1; keepdim=True",
    "float32 2,3,2: 1.5 2 -2 1.5 1.25 0.5 1 -2 -0.75 -1.75 -1 1",
    "float32 2,1,2: 0.25 1.333333 -0.25 -0.9166667", .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=sum; dim=0", "int32 2,2: 1 2 3 -9", "int64 2: 4 -7",
    .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=sum", "bool 3: 1 0 1", "int64 : 2", .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=argmax", "float32 2,4: 3 1 2 9 4 4.5 -1 0", "int64 : 3",
    .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=argmin; dim=1", "float32 2,4: 3 1 2 9 4 4.5 -1 0", "int64 2: 1 2",
    .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=argmax; dim=0; keepdim=True", "float32 2,4: 3 1 2 9 4 4.5 -1 0",
    "int64 1,4: 1 1 0 0", .tolerance = 1e-05 },
  { "torch:AggregateLayer", "op=median", "float32 2,4: 3 1 2 9 4 4.5 -1 0", "float32 : 2",
    .tolerance = 1e-05 },
  { "torch:AddOpLayer", "", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5; float32 3: 1.5 1.5 0.75",
    "float32 2,3: 1.75 0.25 0.25 0.75 1.25 2.25", .tolerance = 1e-05 },
  { "torch:SubOpLayer", "", "float32 3: 1.5 1.5 0.75; float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 2,3: 1.25 2.75 1.25 2.25 1.75 -0.75", .tolerance = 1e-05 },
  { "torch:MulOpLayer", "", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5; int64 3: 2 -3 4",
    "float32 2,3: 0.5 3.75 -2 -1.5 0.75 6", .tolerance = 1e-05 },
  { "torch:ModOpLayer", "", "float32 5: 7 -7 7 -7 5.5; float32 5: 3 3 -3 -3 2",
    "float32 5: 1 2 -2 -1 1.5", .tolerance = 1e-05 },
  { "torch:ModOpLayer", "", "int64 4: 7 -7 7 -7; int64 4: 3 3 -3 -3", "int64 4: 1 2 -2 -1",
    .tolerance = 1e-05 },
  { "torch:MatmulOpLayer", "",
    "float32 2,3: -0.25 0.75 0.5 0 0.75 1; float32 3,2: -2 -0.75 -1.75 1.25 1.75 -0.25",
    "float32 2,2: 0.0625 1 0.4375 0.6875", .tolerance = 1e-05 },
  { "torch:MatmulOpLayer", "", "float32 2,3: -0.25 0.75 0.5 0 0.75 1; float32 3: -2 0.75 0.5",
    "float32 2: 1.3125 1.0625", .tolerance = 1e-05 },
  { "torch:MatmulOpLayer", "",
    "float32 2,2,3: -0.75 1 0.75 1.25 -1.5 1 -0.25 -1 -1 -1.5 -0.5 -2; float32 3,2: -2 -0.75 "
    "-1.75 1.25 1.75 -0.25",
    "float32 2,2,2: 1.0625 1.625 1.875 -3.0625 0.5 -0.8125 0.375 1", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=add; constant=14", "int64 4: 7 -7 7 -7", "int64 4: 21 7 21 7",
    .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=sub; constant=1.5; reflected=True",
    "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5", "float32 2,3: 1.25 2.75 2 2.25 1.75 0",
    .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=sub; constant=1.5", "int64 4: 7 -7 7 -7",
    "float32 4: 5.5 -8.5 5.5 -8.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=truediv; constant=4", "int64 4: 7 -7 7 -7",
    "float32 4: 1.75 -1.75 1.75 -1.75", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=truediv; constant=1; reflected=True", "float32 5: 3 3 -3 -3 2",
    "float32 5: 0.3333333 0.3333333 -0.3333333 -0.3333333 0.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=floordiv; constant=2", "int64 4: 7 -7 7 -7", "int64 4: 3 -4 3 -4",
    .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=floordiv; constant=2", "float32 5: 7 -7 7 -7 5.5",
    "float32 5: 3 -4 3 -4 2", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=mod; constant=4", "float32 5: 7 -7 7 -7 5.5",
    "float32 5: 3 1 3 1 1.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=pow; constant=2", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 2,3: 0.0625 1.5625 0.25 0.5625 0.0625 2.25", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=pow; constant=2; reflected=True", "float32 3: 1.5 1.5 0.75",
    "float32 3: 2.828427 2.828427 1.681793", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=neg", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 2,3: -0.25 1.25 0.5 0.75 0.25 -1.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=abs", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 2,3: 0.25 1.25 0.5 0.75 0.25 1.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=t", "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 3,2: 0.25 -0.75 -1.25 -0.25 -0.5 1.5", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=add; constant=[[1, 2, 3], [4, 5, 6]]", "float32 3: 1.5 1.5 0.75",
    "float32 2,3: 2.5 3.5 3.75 5.5 6.5 6.75", .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=matmul; constant=[[1.0, 2.0], [3.0, 4.0]]; reflected=True",
    "float32 2,3: 0.75 0.75 0.25 2 0.75 -0.25", "float32 2,3: 4.75 2.25 -0.25 10.25 5.25 -0.25",
    .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=truediv",
    "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5; float32 3: 4.5 4.5 3.75",
    "float32 2,3: 0.05555556 -0.2777778 -0.1333333 -0.1666667 -0.05555556 0.4",
    .tolerance = 1e-05 },
  { "torch:LambdaOpLayer", "op=pow",
    "float32 2,3: 1.25 2.25 1.5 1.75 1.25 2.5; float32 3: 1.5 1.5 0.75",
    "float32 2,3: 1.397542 3.375 1.355403 2.315032 1.397542 1.988177", .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase weights_cases[] = {
  { "torch:Linear", "in_features=3; out_features=2",
    "float32 2,3: 1.75 -2 -0.5 -1.25 0.25 1.75; float32 2,3: 1.5 -1.75 -0.5 0 -0.5 1.75; float32 "
    "2: -1.5 -0.25",
    "float32 2,2: 4.875 -0.125 -4.6875 2.6875", .tolerance = 1e-05 },
  { "torch:Linear", "in_features=3; out_features=2; bias=False",
    "float32 2,3: 1.75 -2 -0.5 -1.25 0.25 1.75; float32 2,3: 1.5 -1.75 -0.5 0 -0.5 1.75",
    "float32 2,2: 6.375 0.125 -3.1875 2.9375", .tolerance = 1e-05 },
  { "torch:Linear", "in_features=3; out_features=2",
    "float32 2,2,3: 0 -1.25 0.5 -0.25 -0.5 0.5 -0.5 -1.75 -1.75 -1.5 1 1.5; float32 2,3: 1.5 "
    "-1.75 -0.5 0 -0.5 1.75; float32 2: -1.5 -0.25",
    "float32 2,2,2: 0.4375 1.25 -1.25 0.875 1.6875 -2.4375 -6.25 1.875", .tolerance = 1e-05 },
  { "torch:Linear", "in_features=3; out_features=2",
    "float32 3: -1 -1.25 0.75; float32 2,3: 1.5 -1.75 -0.5 0 -0.5 1.75; float32 2: -1.5 -0.25",
    "float32 2: -1.1875 1.6875", .tolerance = 1e-05 },
  { "torch:Embedding", "num_embeddings=4; embedding_dim=2",
    "int64 2,2: 0 3 2 2; float32 4,2: 0.25 -0.25 1 0 0.75 -1.75 -0.5 0.5",
    "float32 2,2,2: 0.25 -0.25 -0.5 0.5 0.75 -1.75 0.75 -1.75", .tolerance = 1e-05 },
  { "torch:Conv1d", "in_channels=2; out_channels=2; kernel_size=(3,); stride=(2,); padding=(1,)",
    "float32 1,2,5: 0.75 0.25 -2 -1.25 -1.5 1.25 -1.5 0.25 0 0.75; float32 2,2,3: 1 0 -0.75 "
    "-1.75 -2 1.5 2 0.5 0.75 2 -1.5 -1.25; float32 2: -2 0.75",
    "float32 1,2,3: -6.9375 1.3125 -4.75 1.3125 -4.0625 -3.625", .tolerance = 1e-05 },
  { "torch:Conv1d", "in_channels=2; out_channels=2; kernel_size=(3,)",
    "float32 2,5: -0.75 1.5 -0.5 -2 -1.25 1.25 1.75 -2 0.25 0.25; float32 2,2,3: 1 0 -0.75 -1.75 "
    "-2 1.5 2 0.5 0.75 2 -1.5 -1.25; float32 2: -2 0.75",
    "float32 2,3: -11.0625 2.3125 1.8125 2 8.1875 -6.875", .tolerance = 1e-05 },
  { "torch:Conv2d",
    "in_channels=2; out_channels=4; kernel_size=(2, 2); dilation=(2, 1); groups=2; bias=False",
    "float32 1,2,4,4: 0.25 0.25 0 -1.25 -1.25 1.5 -0.5 0.75 1.75 0.5 -1 -0.25 -1.5 1.75 0.25 0 "
    "1.25 1.25 2 -2 0.25 1 2 1 -1.5 0.75 2 -0.75 -1.75 1.5 -1 0.25; float32 4,1,2,2: -0.25 2 "
    "1.25 0 1.75 -2 1.75 0.5 0.5 -0.25 -1 -0.75 1.5 -0.25 -1.25 0.75",
    "float32 1,4,2,3: 2.625 0.5625 -3.75 1.4375 0.8125 1.9375 3.25 0.8125 0.625 -6.9375 6.8125 "
    "-1.9375 1.25 -2.125 0.0625 0.5 -0.75 1.5625 4 1.9375 0.4375 3.4375 -1.625 4.1875",
    .tolerance = 1e-05 },
  { "torch:Conv3d", "in_channels=1; out_channels=1; kernel_size=(2, 2, 2); bias=False",
    "float32 1,1,2,3,2: 0.25 1.75 2 1.75 -1.75 1.75 -0.5 -1.5 -2 0 1.75 0.5; float32 1,1,2,2,2: "
    "1.75 0.5 -1.25 1.5 1.25 -1.5 1.25 0.25",
    "float32 1,1,1,2,1: 0.5625 9", .tolerance = 1e-05 },
  { "torch:ConvTranspose1d",
    "in_channels=2; out_channels=1; kernel_size=(3,); stride=(2,); padding=(1,); "
    "output_padding=(1,)",
    "float32 1,2,3: 1.25 1 2 0.5 -1.5 -0.25; float32 2,1,3: -1.75 2 -1.5 2 1 -2; float32 1: -1.5",
    "float32 1,1,6: 1.5 -9.125 -1 -4 2.25 -4", .tolerance = 1e-05 },
  { "torch:ConvTranspose2d",
    "in_channels=2; out_channels=2; kernel_size=(2, 2); stride=(2, 1); groups=2; bias=False",
    "float32 1,2,2,2: -1.25 2 -1 2 -2 -2 1.75 2; float32 2,1,2,2: 0 1.25 0 -0.5 -1.75 -0.75 1 "
    "-0.75",
    "float32 1,2,4,3: 0 -1.5625 2.5 0 0.625 -1 0 -1.25 2.5 0 0.5 -1 3.5 5 1.5 -2 -0.5 1.5 "
    "-3.0625 -4.8125 -1.5 1.75 0.6875 -1.5",
    .tolerance = 1e-05 },
  { "torch:ConvTranspose3d", "in_channels=1; out_channels=1; kernel_size=(2, 1, 2); bias=False",
    "float32 1,1,1,2,2: 2 0.5 0.25 2; float32 1,1,2,1,2: 1 -0.75 1.25 -0.25",
    "float32 1,1,2,2,3: 2 -1 -0.375 0.25 1.8125 -1.5 2.5 0.125 -0.125 0.3125 2.4375 -0.5",
    .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase norm_cases[] = {
  { "torch:BatchNorm1d", "num_features=2",
    "float32 2,2: -0.75 0 -1 1.5; float32 2: 1.5 -2; float32 2: 0.5 0; float32 2: 0.25 -1; "
    "float32 2: 4 0.5",
    "float32 2,2: -0.2499991 -2.828399 -0.4374989 -7.070997", .tolerance = 1e-05 },
  { "torch:BatchNorm1d", "num_features=2; affine=False; eps=0.1",
    "float32 2,2,3: 1.25 -0.75 -0.5 0.75 -1 -0.25 1.5 0.25 -2 1.75 0.75 1.25; float32 2: 0.25 "
    "-1; float32 2: 4 0.5",
    "float32 2,2,3: 0.4938648 -0.4938648 -0.3703986 2.25924 0 0.9682458 0.617331 0 -1.111196 "
    "3.550235 2.25924 2.904737",
    .tolerance = 1e-05 },
  { "torch:BatchNorm2d", "num_features=2",
    "float32 2,2,1,2: 0.75 -0.25 -0.75 -1.5 -0.75 0.5 0.5 -1.75; float32 2: 1.5 -2; float32 2: "
    "0.5 0; float32 2: 0.25 -1; float32 2: 4 0.5",
    "float32 2,2,1,2: 0.8749996 0.1250005 -0.7070997 1.414199 -0.2499991 0.6874998 -4.242598 "
    "2.121299",
    .tolerance = 1e-05 },
  { "torch:BatchNorm2d", "num_features=2; track_running_stats=False",
    "float32 2,2,1,2: 0.75 -0.25 -0.75 -1.5 -0.75 0.5 0.5 -1.75; float32 2: 1.5 -2; float32 2: "
    "0.5 0",
    "float32 2,2,1,2: 2.229646 -0.2862025 -0.2857124 1.428562 -1.544127 1.600684 -3.142837 "
    "1.999987",
    .tolerance = 1e-05 },
  { "torch:BatchNorm3d", "num_features=2",
    "float32 1,2,1,2,2: 1.25 -1.75 -2 -1 0 2 -1.25 -0.25; float32 2: 1.5 -2; float32 2: 0.5 0; "
    "float32 2: 0.25 -1; float32 2: 4 0.5",
    "float32 1,2,1,2,2: 1.249999 -0.9999982 -1.187498 -0.4374989 -2.828399 -8.485196 0.7070997 "
    "-2.121299",
    .tolerance = 1e-05 },
  { "torch:InstanceNorm2d", "num_features=2; affine=False; track_running_stats=False",
    "float32 2,2,2,2: -1.25 0.75 -1.5 -1.5 2 0.75 -0.25 -1.75 -1.5 -0.75 -1 0.25 -1.25 0.5 0 0.75",
    "float32 2,2,2,2: -0.3973575 1.721882 -0.6622624 -0.6622624 1.319542 0.4095131 -0.3185102 "
    "-1.410545 -1.176682 0 -0.3922274 1.56891 -1.622201 0.6488802 0 0.9733204",
    .tolerance = 1e-05 },
  { "torch:InstanceNorm2d", "num_features=2; affine=True; track_running_stats=False",
    "float32 2,2,2,2: -1.25 0.75 -1.5 -1.5 2 0.75 -0.25 -1.75 -1.5 -0.75 -1 0.25 -1.25 0.5 0 "
    "0.75; float32 2: 1.5 -2; float32 2: 0.5 0",
    "float32 2,2,2,2: -0.0960362 3.082824 -0.4933937 -0.4933937 -2.639084 -0.8190262 0.6370203 "
    "2.82109 -1.265024 0.4999999 -0.08834124 2.853365 3.244401 -1.29776 0 -1.946641",
    .tolerance = 1e-05 },
  { "torch:GroupNorm", "num_groups=2; num_channels=4",
    "float32 2,4,2: -2 1 -2 0 -0.25 -1.25 0 -0.25 0.5 0.75 -1.5 -2 -1.25 1.75 -1.5 0; float32 4: "
    "-0.75 -1.25 1.25 0.25; float32 4: 1 1.75 0.75 -0.25",
    "float32 2,4,2: 1.721686 -0.01035994 2.952809 1.028314 1.238198 -1.365524 -0.02217436 "
    "-0.1523604 0.3380553 0.1823035 2.723448 3.24262 -0.2212829 2.692566 -0.4928207 -0.2014359",
    .tolerance = 1e-05 },
  { "torch:GroupNorm", "num_groups=1; num_channels=4; affine=False",
    "float32 2,4,2: -2 1 -2 0 -0.25 -1.25 0 -0.25 0.5 0.75 -1.5 -2 -1.25 1.75 -1.5 0",
    "float32 2,4,2: -1.418063 1.607138 -1.418063 0.5987378 0.3466377 -0.6617628 0.5987378 "
    "0.3466377 0.7216229 0.9206913 -0.8709242 -1.269061 -0.6718559 1.716965 -0.8709242 0.3234861",
    .tolerance = 1e-05 },
  { "torch:LayerNorm", "normalized_shape=(2, 3)",
    "float32 2,2,3: 1 1 1.75 0 -0.5 -1.5 -1 0.5 -1 -0.5 0.5 -1.75; float32 2,3: -1 1.75 2 -1.75 "
    "-1.5 -0.75; float32 2,3: 0.75 -1.5 -1.75 -1.5 -1.75 -2",
    "float32 2,2,3: 0.09663975 -0.3566196 0.9403069 -1.029196 -0.6546608 -0.7605371 1.307718 "
    "0.7181966 -2.865436 -1.588728 -3.651311 -0.8972394",
    .tolerance = 1e-05 },
  { "torch:LayerNorm", "normalized_shape=(3,); elementwise_affine=False; eps=0.5",
    "float32 2,2,3: 1 1 1.75 0 -0.5 -1.5 -1 0.5 -1 -0.5 0.5 -1.75",
    "float32 2,2,3: -0.3162278 -0.3162278 0.6324555 0.7071067 0.1767766 -0.8838835 -0.5 1 -0.5 "
    "0.07179579 0.9333456 -1.005141",
    .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase pool_cases[] = {
  { "torch:MaxPool1d", "kernel_size=(3,); stride=(2,); padding=(1,)",
    "float32 1,2,6: -0.75 0.5 0.25 -0.5 -1 0 1.25 1 0.25 0.75 0.25 -2",
    "float32 1,2,3: 0.5 0.5 0 1.25 1 0.75", .tolerance = 1e-05 },
  { "torch:MaxPool1d", "kernel_size=(2,); dilation=(2,); stride=(1,)",
    "float32 1,2,6: -0.75 0.5 0.25 -0.5 -1 0 1.25 1 0.25 0.75 0.25 -2",
    "float32 1,2,4: 0.25 0.5 0.25 0 1.25 1 0.25 0.75", .tolerance = 1e-05 },
  { "torch:AvgPool1d", "kernel_size=(4,); stride=(4,); padding=(1,); ceil_mode=True",
    "float32 1,2,6: -0.75 0.5 0.25 -0.5 -1 0 1.25 1 0.25 0.75 0.25 -2",
    "float32 1,2,2: 0 -0.375 0.625 -0.25", .tolerance = 1e-05 },
  { "torch:AvgPool1d", "kernel_size=(3,); stride=(2,); padding=(1,); count_include_pad=False",
    "float32 1,2,6: -0.75 0.5 0.25 -0.5 -1 0 1.25 1 0.25 0.75 0.25 -2",
    "float32 1,2,3: -0.125 0.08333334 -0.5 1.125 0.6666667 -0.3333333", .tolerance = 1e-05 },
  { "torch:MaxPool2d", "kernel_size=(2, 2); ceil_mode=True",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,3,2: 0.75 1.75 0.5 2 1.25 2", .tolerance = 1e-05 },
  { "torch:AvgPool2d", "kernel_size=(2, 3); stride=(2, 1)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,2,2: 0.2916667 -0.1666667 -0.04166667 -0.2916667", .tolerance = 1e-05 },
  { "torch:AvgPool2d", "kernel_size=(2, 2); ceil_mode=True; padding=(1, 1)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,3,3: -0.125 -0.0625 -0.1875 -0.0625 0.6875 -1 -0.4375 0.625 0.375",
    .tolerance = 1e-05 },
  { "torch:MaxPool3d", "kernel_size=(2, 2, 2); stride=(1, 1, 1)",
    "float32 1,1,2,2,3: 0.25 1 -0.5 -1.5 -1.5 0.5 1.25 -1.5 -0.25 -0.5 -1.25 -1.25",
    "float32 1,1,1,1,2: 1.25 1", .tolerance = 1e-05 },
  { "torch:AvgPool3d", "kernel_size=(2, 2, 2); stride=(1, 1, 1)",
    "float32 1,1,2,2,3: 0.25 1 -0.5 -1.5 -1.5 0.5 1.25 -1.5 -0.25 -0.5 -1.25 -1.25",
    "float32 1,1,1,1,2: -0.46875 -0.59375", .tolerance = 1e-05 },
  { "torch:MaxPool2d", "kernel_size=(2, 2)",
    "float32 1,4,4: 1.75 0.5 -1 0.5 0.5 -1.25 -1.5 0.5 2 0 -1.75 -0.75 -0.5 1.25 0.5 -1",
    "float32 1,2,2: 1.75 0.5 2 0.5", .tolerance = 1e-05 },
  { "torch:AdaptiveAvgPool1d", "output_size=(4,)",
    "float32 1,2,6: -0.75 0.5 0.25 -0.5 -1 0 1.25 1 0.25 0.75 0.25 -2",
    "float32 1,2,4: -0.125 0.375 -0.75 -0.5 1.125 0.625 0.5 -0.875", .tolerance = 1e-05 },
  { "torch:AdaptiveAvgPool2d", "output_size=(3, 2)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,3,2: -0.3125 0.0625 -0.08333334 -0.2916667 0 0.5625", .tolerance = 1e-05 },
  { "torch:AdaptiveAvgPool2d", "output_size=(None, 3)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,5,3: -1.25 -0.125 0.5 0.625 1 -0.375 -1 0.375 0 0.125 0 -0.5 -0.125 1.25 1.625",
    .tolerance = 1e-05 },
  { "torch:AdaptiveAvgPool2d", "output_size=(7, 1)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,7,1: -0.375 -0.125 -0.1875 -0.5 -0.34375 0.28125 0.75", .tolerance = 1e-05 },
  { "torch:AdaptiveAvgPool3d", "output_size=(1, 2, 2)",
    "float32 1,1,2,2,3: 0.25 1 -0.5 -1.5 -1.5 0.5 1.25 -1.5 -0.25 -0.5 -1.25 -1.25",
    "float32 1,1,1,2,2: 0.25 -0.3125 -1.1875 -0.875", .tolerance = 1e-05 },
  { "torch:AdaptiveMaxPool2d", "output_size=(3, 3)",
    "float32 1,1,5,4: -0.5 -2 1.75 -0.75 0.5 0.75 1.25 -2 -0.75 -1.25 2 -2 -0.25 0.5 -0.5 -0.5 "
    "-1.5 1.25 1.25 2",
    "float32 1,1,3,3: 0.75 1.75 1.75 0.75 2 2 1.25 1.25 2", .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase shape_cases[] = {
  { "torch:Flatten", "", "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 2,6: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2", .tolerance = 1e-05 },
  { "torch:Flatten", "start_dim=0; end_dim=1",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 4,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2", .tolerance = 1e-05 },
  { "torch:ReshapeLayer", "shape=(3, 2); batch_size_included=False",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 2,3,2: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2", .tolerance = 1e-05 },
  { "torch:ReshapeLayer", "shape=(3, -1); batch_size_included=True",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 3,4: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2", .tolerance = 1e-05 },
  { "torch:ViewCopyLayer", "shape=(12,); batch_size_included=True",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 12: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2", .tolerance = 1e-05 },
  { "torch:ConcatLayer", "dim=1",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2; float32 2,1,3: 2 2 -0.25 1.5 "
    "-1.75 0.5",
    "float32 2,3,3: 1 1 0.75 1.5 0.75 -1 2 2 -0.25 0.75 -0.25 0 1.75 1.75 -2 1.5 -1.75 0.5",
    .tolerance = 1e-05 },
  { "torch:ConcatLayer", "dim=0", "int64 3: 1 2 3; float32 3: -2 0.75 0.5",
    "float32 6: 1 2 3 -2 0.75 0.5", .tolerance = 1e-05 },
  { "torch:StackLayer", "dim=1", "float32 3: -2 0.75 0.5; float32 3: -1 1.75 1.5",
    "float32 3,2: -2 -1 0.75 1.75 0.5 1.5", .tolerance = 1e-05 },
  { "torch:StackLayer", "dim=-2",
    "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5; float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5",
    "float32 2,2,3: 0.25 -1.25 -0.5 0.25 -1.25 -0.5 -0.75 -0.25 1.5 -0.75 -0.25 1.5",
    .tolerance = 1e-05 },
  { "torch:Upsample", "scale_factor=2; mode=nearest",
    "float32 1,1,2,3: -1.75 0.5 0.75 0.5 -1.75 -1",
    "float32 1,1,4,6: -1.75 -1.75 0.5 0.5 0.75 0.75 -1.75 -1.75 0.5 0.5 0.75 0.75 0.5 0.5 -1.75 "
    "-1.75 -1 -1 0.5 0.5 -1.75 -1.75 -1 -1",
    .tolerance = 1e-05 },
  { "torch:Upsample", "size=(3, 4); mode=nearest", "float32 1,1,2,3: -1.75 0.5 0.75 0.5 -1.75 -1",
    "float32 1,1,3,4: -1.75 -1.75 0.5 0.75 -1.75 -1.75 0.5 0.75 0.5 0.5 -1.75 -1",
    .tolerance = 1e-05 },
  { "torch:Upsample", "scale_factor=2; mode=bilinear",
    "float32 1,1,2,3: -1.75 0.5 0.75 0.5 -1.75 -1",
    "float32 1,1,4,6: -1.75 -1.1875 -0.0625 0.5625 0.6875 0.75 -1.1875 -0.90625 -0.34375 0.03125 "
    "0.21875 0.3125 -0.0625 -0.34375 -0.90625 -1.03125 -0.71875 -0.5625 0.5 -0.0625 -1.1875 "
    "-1.5625 -1.1875 -1",
    .tolerance = 1e-05 },
  { "torch:Upsample", "size=(5,); mode=linear", "float32 1,1,3: -2 -2 1.5",
    "float32 1,1,5: -2 -2 -2 0.1000003 1.5", .tolerance = 1e-05 },
  { "torch:Upsample", "size=(4, 4); mode=bicubic",
    "float32 1,1,3,3: 0.25 1.5 -1.75 0.25 -1.25 -2 -1 -1.5 1.5",
    "float32 1,1,4,4: 0.1461104 1.552589 0.6205972 -1.978212 0.4317518 0.2180862 -1.042918 "
    "-2.442501 -0.09695286 -1.218905 -1.48495 -0.7033601 -1.058985 -1.722795 -0.3869416 1.985873",
    .tolerance = 2e-05 },
  { "torch:permute", "dims=(2, 0, -2)",
    "float32 2,2,3: 1 1 0.75 1.5 0.75 -1 0.75 -0.25 0 1.75 1.75 -2",
    "float32 3,2,2: 1 1.5 0.75 1.75 1 0.75 -0.25 1.75 0.75 -1 0 -2", .tolerance = 1e-05 },
  { "torch:SliceLayerSymbolicIdx", "",
    "float32 2,3: 0.25 -1.25 -0.5 -0.75 -0.25 1.5; int64 3: 1 -1 0",
    "float32 3,3: -0.75 -0.25 1.5 -0.75 -0.25 1.5 0.25 -1.25 -0.5", .tolerance = 1e-05 },
  { "torch:SliceLayerSymbolicIdx", "", "float32 3: 1.5 1.5 0.75; bool 3: 1 0 1",
    "float32 2: 1.5 0.75", .tolerance = 1e-05 },
  { NULL },
};

static const LowerCase error_cases[] = {
  { "torch:Linear", "in_features=3; out_features=2", "float32 1,3: 1 2 3; float32 2: 1 2",
    .error = "the weight must be a matrix" },
  { "torch:LambdaOpLayer", "op=add; constant=[[1, 2], [3]]", "float32 2: 1 2",
    .error = "no even list of numbers" },
  { "torch:LambdaOpLayer", "op=lshift; constant=1", "float32 2: 1 2",
    .error = "the operator lshift is not lowered" },
  { "torch:AggregateLayer", "op=prod", "float32 2: 1 2", .error = "prod is not lowered" },
  { "torch:LSTM", "input_size=2; hidden_size=1", "float32 1,1,2: 1 2; float32 4,2: 1 1 1 1 1 1 1 1",
    .error = "2 operands do not fit 1 layers" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("torch-activation", activation_cases);
  lower_case_add_all ("torch-arithmetic", arithmetic_cases);
  lower_case_add_all ("torch-weights", weights_cases);
  lower_case_add_all ("torch-norm", norm_cases);
  lower_case_add_all ("torch-pool", pool_cases);
  lower_case_add_all ("torch-shape", shape_cases);
  lower_case_add_all ("torch-errors", error_cases);
  return g_test_run ();
}
