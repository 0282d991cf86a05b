/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* What Acuity's layers compute, of weights that are given.  The numbers are those of loops over the
 * definitions, in double. */

static const LowerCase cases[] = {
  { "acuity:convolution", "weights=3; ksize_h=2; ksize_w=2; stride_h=2; pad=[1, 0, 0, 1]",
    "float32 1,4,3,2: 2 0.5 0.75 1.75 0.25 1.25 1.5 -1.25 -2 -0.75 -1 1.5 1.75 -2 0 1.25 -1.5 1.25 "
    "-1.5 -0.25 1.25 -0.75 -0.75 -1; float32 2,2,2,3: 1 -1 2 -0.25 0 0 0.25 0.25 0 2 1.25 1.25 "
    "0.75 0.5 -0.75 2 -0.25 -1.25 1.5 -1.5 1.5 0.5 -1.75 -2; float32 3: -0.25 -2 -1.5",
    "float32 1,2,3,3: 4.25 -5.3125 -6 4.8125 -4.625 -6.375 2.4375 -2.1875 -3.25 -2.5 -5.75 -0.75 "
    "1.5625 1.375 -9.9375 -0.25 -2.0625 -3.9375",
    .tolerance = 1e-5 },
  { "acuity:convolution",
    "weights=2; ksize_h=3; ksize_w=2; stride_h=2; stride_w=2; padding=SAME; bias=False",
    "float32 1,4,5,1: 0 2 -0.25 1.25 1.75 1.25 0.5 -0.25 0 -1 0 -0.5 -1 2 -2 -1.75 -1.25 2 0.75 "
    "1.5; float32 3,2,1,2: -1.25 1 -0.5 0 -2 0.5 1.5 0.75 -1.5 0.25 -1 2",
    "float32 1,2,3,2: -2.25 0 -0.3125 3.375 2.8125 0.75 1.875 -1.8125 -2.625 0.5625 -0.5 -1.25",
    .tolerance = 1e-5 },
  { "acuity:convolution", "weights=2; ksize_h=2; group_number=2; dilation=[1, 2, 1, 1]",
    "float32 1,3,3,4: 1.5 -1.25 0 1.75 1.5 1 0.5 -2 1 0 -1.75 -1 0.25 1 0 0.5 1.5 0.75 -0.5 0.5 "
    "0.5 -1.75 -1.75 0.75 -0.5 0.5 -0.75 -1.25 -1.5 -0.5 1.25 -0.5 -0.5 0.25 2 -0.5; float32 "
    "2,1,2,2: 0.5 -0.25 0.5 -0.25 0.5 0.25 0.75 2; float32 2: -1.5 0.25",
    "float32 1,1,3,2: -1.25 -2.875 -1.375 -0.0625 -1.0625 0.4375", .tolerance = 1e-5 },
  { "acuity:depthwise_convolution", "ksize_h=2; ksize_w=2; multiplier=2",
    "float32 1,3,2,2: -0.25 -0.5 -1 -2 -0.5 1.5 -1.75 -0.5 2 2 -1.25 -2; float32 2,2,2,2: 0.75 -2 "
    "-0.75 0 1.5 -1.75 0.75 0.25 -1.5 1.5 1.5 0 2 0.5 1.75 2; float32 4: 0.25 -1 -1.5 0.25",
    "float32 1,2,1,4: -4.1875 -0.375 -1.25 -1.25 -8.25 5.4375 -3.5 -3.875", .tolerance = 1e-5 },
  { "acuity:depthwise_convolution", "ksize_h=2",
    "float32 1,2,2,2: -1.25 1 1.75 -1 0.25 -2 -1.25 -0.5; float32 2,1,2,1: 1.75 2 0.5 0.25; "
    "float32 2: 0.25 -1.75",
    "float32 1,1,2,2: -1.8125 -0.25 2.6875 -3.875", .tolerance = 1e-5 },
  { "acuity:deconvolution",
    "weights=2; ksize_h=3; ksize_w=3; stride_h=2; stride_w=2; padding=SAME; output_shape=[1, 4, 6, "
    "2]",
    "float32 1,2,3,2: -0.5 2 -0.5 -1.25 -1 1 -2 2 1.5 0.25 -0.25 1; float32 3,3,2,2: 0.25 0 -0.75 "
    "-0.25 1 -2 -2 1 -0.5 1.25 -2 1.75 -1.5 -0.25 2 -1.75 0.75 1 -0.25 -1.75 0 -0.25 1.5 0.75 "
    "-0.75 -2 0.5 -1 0.75 1.5 -0.5 1.75 0 0.25 1.25 1.25; float32 2: 1.75 2",
    "float32 1,4,6,2: 1.625 1.875 -2.75 5 4.375 7.1875 3.75 1.75 0.1875 1.3125 -1.25 5 2 -2.5 "
    "3.375 -1.375 2.3125 3.9375 0.125 4.3125 3.3125 -3.4375 2 0.5 -2.375 0.75 -1.625 11.75 9 "
    "11.1875 0.5 -2.6875 -0.3125 -4.3125 0.25 5.75 4.25 -5.5 2.25 -1 -1.0625 3.0625 3.125 1.1875 "
    "1.8125 2.1875 2.5625 0.3125",
    .tolerance = 1e-5 },
  { "acuity:deconvolution",
    "weights=1; ksize_h=4; ksize_w=4; stride_h=2; stride_w=2; pad=[1, 1, 1, 1]",
    "float32 1,2,2,1: -1.5 -0.25 1.75 -0.75; float32 4,4,1,1: -2 0.25 1 1 1.25 0.5 -1.5 1.5 -0.25 "
    "1.5 1.25 2 -2 1.5 0.5 0; float32 1: 1.25",
    "float32 1,4,4,1: 0.5 3.1875 -1.125 1.625 -0.5625 2.6875 -0.5625 0.1875 -0.125 -2.5625 3.125 "
    "2.25 3.875 3.625 3.625 0.3125",
    .tolerance = 1e-5 },
  { "acuity:deconvolution",
    "weights=1; ksize_h=2; ksize_w=2; stride_h=2; stride_w=2; output_padding_h=1; "
    "output_padding_w=1",
    "float32 1,2,1,1: 2 0; float32 2,2,1,1: -1.75 1 -1.25 -1.25; float32 1: -1.25",
    "float32 1,5,3,1: -4.75 0.75 -1.25 -3.75 -3.75 -1.25 -1.25 -1.25 -1.25 -1.25 -1.25 -1.25 -1.25 "
    "-1.25 -1.25",
    .tolerance = 1e-5 },
  { "acuity:pooling", "type=MAX; ksize_h=3; ksize_w=3; stride_h=2; stride_w=2",
    "float32 1,4,3,1: -1.25 1.75 -0.5 -1.75 -1.25 -0.5 -0.75 -0.75 2 1.5 0.25 2",
    "float32 1,2,1,1: 2 2", .tolerance = 1e-5 },
  { "acuity:pooling", "type=MAX; ksize_h=2; ksize_w=2; stride_h=2; stride_w=2; round_type=floor",
    "float32 1,4,3,1: -1.25 1.75 -0.5 -1.75 -1.25 -0.5 -0.75 -0.75 2 1.5 0.25 2",
    "float32 1,2,1,1: 1.75 1.5", .tolerance = 1e-5 },
  { "acuity:pooling",
    "type=AVG; ksize_h=2; ksize_w=2; stride_h=2; stride_w=2; pad_h=1; pad_w=1; round_type=floor; "
    "axes=NCHW",
    "float32 1,3,3,1: -0.75 -1.5 -1 -1.75 2 -1.25 -0.25 -1.25 2",
    "float32 1,2,2,1: -0.1875 -0.625 -0.5 0.375", .tolerance = 1e-5 },
  { "acuity:pooling",
    "type=AVG; ksize_h=2; ksize_w=2; stride_h=2; stride_w=2; pad=[1, 1, 1, 1]; round_type=floor",
    "float32 1,3,3,1: -0.75 -1.5 -1 -1.75 2 -1.25 -0.25 -1.25 2",
    "float32 1,2,2,1: -0.75 -1.25 -1 0.375", .tolerance = 1e-5 },
  { "acuity:pooling", "type=AVG; ksize_h=2; ksize_w=2; padding=SAME",
    "float32 1,3,3,1: -0.75 -1.5 -1 -1.75 2 -1.25 -0.25 -1.25 2",
    "float32 1,3,3,1: -0.5 -0.4375 -1.125 -0.3125 0.375 0.375 -0.75 0.375 2", .tolerance = 1e-5 },
  { "acuity:pooling", "type=AVG; global_pooling=True",
    "float32 1,2,2,2: -1.5 0 2 0 1.75 1.75 1.25 1", "float32 1,1,1,2: 0.875 0.6875",
    .tolerance = 1e-5 },
  { "acuity:fullconnect", "weights=2; axis=1",
    "float32 2,1,3: 0.25 0.25 1.5 -0.25 2 1.5; float32 3,2: -0.5 -0.5 1 1.75 -1.75 -1.75; float32 "
    "2: -1 -0.25",
    "float32 2,2: -3.5 -2.5625 -1.5 0.75", .tolerance = 1e-5 },
  { "acuity:fullconnect", "weights=2; axis=-1; bias=False",
    "float32 2,1,3: 0.25 0.25 1.5 -0.25 2 1.5; float32 3,2: -0.5 -0.5 1 1.75 -1.75 -1.75",
    "float32 2,1,2: -2.5 -2.3125 -0.5 1", .tolerance = 1e-5 },
  { "acuity:batchnormalize", "eps=0.5",
    "float32 1,1,2,3: -1.5 0 0.25 2 1 -1; float32 3: 1.25 1.25 0.75; float32 3: 1.75 1.75 2; "
    "float32 3: -1.5 0.5 1.75; float32 3: 2 -0.75 -0.75",
    "float32 1,1,2,3: -5.16667 1.125 1.98717 -0.5 0.625 2.5801", .tolerance = 1e-5 },
  { "acuity:prelu", "", "float32 1,1,2,3: -1.5 0 0.25 2 1 -1; float32 3: 0.5 -0.5 1",
    "float32 1,1,2,3: -0.75 0 0.25 2 1 -1", .tolerance = 1e-5 },
  { "acuity:layernormalize", "eps=0.5; axis_list=[1]",
    "float32 2,3,2: -1.25 -1.5 -2 -0.25 -1.25 -0.75 1.75 1.25 1.5 0.5 -1.75 1; float32 3: 0.5 1.75 "
    "0; float32 3: -1.5 0.5 -0.25",
    "float32 2,3,2: 0.0256584 1.64416 1.43377 2.08371 -0.0790569 -0.0238366 -0.575092 -0.146997 "
    "2.03669 1.48042 0.322527 -0.0269582",
    .tolerance = 1e-5 },
  { "acuity:layernormalize", "eps=0.5",
    "float32 2,4: 0.75 -0.5 -0.75 -1.5 2 1 -0.25 -1.25; float32 4: 0.5 -0.25 0.5 -1.75; float32 4: "
    "-1.25 1 -1.75 0.75",
    "float32 2,4: -0.953095 -0.25 0.906867 -2.44749 -0.930733 0.190225 1.27039 -2.60844",
    .tolerance = 1e-5 },
  { "acuity:instancenormalize", "eps=0.5",
    "float32 1,2,2,2: -0.5 -2 1 0.75 1.25 1.75 1 1.5; float32 2: -1.75 1.75; float32 2: 1.75 0.75",
    "float32 1,2,2,2: -3.84872 0.612853 -1.1977 1.86371 -0.755869 2.31857 -1.1977 2.20486",
    .tolerance = 1e-5 },
  { "acuity:instancenormalize", "eps=0.5; axis=[2]",
    "float32 1,2,4: 1.25 1 1.5 1.75 0 1.25 1.75 -0.75; float32 2: -1.75 1.75; float32 2: 1.75 0.75",
    "float32 1,2,4: -2.0377 -2.61309 -1.4623 -0.886905 1.40328 2.17377 2.48197 0.940977",
    .tolerance = 1e-5 },
  { "acuity:rmsnormalize", "eps=0.5; axis=1",
    "float32 1,2,4: 1.25 1 1.5 1.75 0 1.25 1.75 -0.75; float32 2: 1.75 0.75",
    "float32 1,2,4: 1.93255 1.31122 1.47755 2.01389 0 0.702439 0.738777 -0.369898",
    .tolerance = 1e-5 },
  { "acuity:l2normalizescale", "l2n_dim=3",
    "float32 1,1,2,2: -1.875 -1.375 -1.875 -0.125; float32 2: -2 -1",
    "float32 1,1,2,2: 1.61281 0.591364 1.99557 0.066519", .tolerance = 1e-5 },
  { "acuity:localresponsenormalization", "local_size=3; alpha=0.5; beta=0.75; bias=1.0",
    "float32 1,1,2,4: -1 1 -1 2 -1.25 2 0.25 -1",
    "float32 1,1,2,4: -0.805927 0.737788 -0.594604 1.2694 -0.764249 1.21786 0.158002 -0.884901",
    .tolerance = 1e-5 },
  { "acuity:relun", "relu_clamp_top=6; relu_clamp_bottom=0", "float32 4: -2 0.5 3 8",
    "float32 4: 0 0.5 3 6", .tolerance = 1e-5 },
  { "acuity:relu_keras", "alpha=0.5; max_value=4.0; threshold=1.0", "float32 4: -2 0.5 3 8",
    "float32 4: -1.5 -0.25 3 4", .tolerance = 1e-5 },
  { "acuity:leakyrelu", "leaky_ratio=0.25", "float32 4: -2 0.5 3 8", "float32 4: -0.5 0.5 3 8",
    .tolerance = 1e-5 },
  { "acuity:elu", "alpha=0.5", "float32 4: -2 0.5 3 8", "float32 4: -0.432332 0.5 3 8",
    .tolerance = 1e-5 },
  { "acuity:swish", "beta=2.0", "float32 4: -2 0.5 3 8", "float32 4: -0.0359724 0.365529 2.99258 8",
    .tolerance = 1e-5 },
  { "acuity:tanh", "hyperbolic_tan_scale_a=2.0; hyperbolic_tan_scale_b=0.5",
    "float32 4: -2 0.5 3 8", "float32 4: -1.52319 0.489837 1.8103 1.99866", .tolerance = 1e-5 },
  { "acuity:hard_swish", "", "float32 4: -2 0.5 3 8", "float32 4: -0.333333 0.291667 3 8",
    .tolerance = 1e-5 },
  { "acuity:mish", "", "float32 4: -2 0.5 3 8", "float32 4: -0.252501 0.375245 2.98654 8",
    .tolerance = 1e-5 },
  { "acuity:gelu", "", "float32 4: -2 0.5 3 8", "float32 4: -0.0455003 0.345731 2.99595 8",
    .tolerance = 1e-5 },
  { "acuity:gelu", "approximate=True", "float32 4: -2 0.5 3 8",
    "float32 4: -0.0454023 0.345714 2.99636 8", .tolerance = 1e-5 },
  { "acuity:softmax", "sf_axis=0; beta=0.5", "float32 4: -2 0.5 3 8",
    "float32 4: 0.00605745 0.0211426 0.0737948 0.899005", .tolerance = 1e-5 },
  { "acuity:clipbyvalue", "clip_value_min=-1; clip_value_max=2", "float32 4: -2 0.5 3 8",
    "float32 4: -1 0.5 2 2", .tolerance = 1e-5 },
  { "acuity:reverse", "axis=[1]", "float32 2,3: 1 2 3 4 5 6", "float32 2,3: 3 2 1 6 5 4",
    .tolerance = 1e-5 },
  { "acuity:square", "", "float32 4: -2 0.5 3 8", "float32 4: 4 0.25 9 64", .tolerance = 1e-5 },
  { "acuity:rsqrt", "", "float32 4: 1 3.5 6 11", "float32 4: 1 0.534522 0.408248 0.301511",
    .tolerance = 1e-5 },
  { "acuity:subtract", "", "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 3: 0.75 -1.75 -2",
    "float32 2,3: -2.75 1 2.5 -2.5 0.25 0.25", .tolerance = 1e-5 },
  { "acuity:squared_difference", "",
    "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 3: 0.75 -1.75 -2",
    "float32 2,3: 7.5625 1 6.25 6.25 0.0625 0.0625", .tolerance = 1e-5 },
  { "acuity:floor_div", "", "float32 2: -3 5; float32 2: 2 2", "float32 2: -2 2",
    .tolerance = 1e-5 },
  { "acuity:floor_mod", "", "float32 2: -3 5; float32 2: 2 -3", "float32 2: 1 -1",
    .tolerance = 1e-5 },
  { "acuity:eltwise", "operation=PROD",
    "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; "
    "float32 3: 0.75 -1.75 -2",
    "float32 2,3: 3 -0.984375 -0.5 2.29688 -3.9375 -6.125", .tolerance = 1e-5 },
  { "acuity:eltwise", "operation=MAX",
    "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 3: 0.75 -1.75 -2",
    "float32 2,3: 0.75 -0.75 0.5 0.75 -1.5 -1.75", .tolerance = 1e-5 },
  { "acuity:average", "", "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 3: 0.75 -1.75 -2",
    "float32 2,3: -0.625 -1.25 -0.75 -0.5 -1.625 -1.875", .tolerance = 1e-5 },
  { "acuity:addn", "",
    "float32 2,3: -2 -0.75 0.5 -1.75 -1.5 -1.75; float32 3: 0.75 -1.75 -2; float32 3: 0.75 -1.75 "
    "-2",
    "float32 2,3: -0.5 -4.25 -3.5 -0.25 -5 -5.75", .tolerance = 1e-5 },
  { "acuity:multiply", "is_scale=True; axes=NCHW",
    "float32 1,2,1,2: -0.25 -0.75 0.25 1.75; float32 2: 1.5 0.25; float32 2: 0.5 1.25",
    "float32 1,2,1,2: 0.125 1.0625 0.875 1.6875", .tolerance = 1e-5 },
  { "acuity:multiply", "is_scale=True; bias=False",
    "float32 1,2,3: -0.25 0.75 -1.25 0.5 -1 -1.25; float32 2: 1 0.25",
    "float32 1,2,3: -0.25 0.75 -1.25 0.125 -0.25 -0.3125", .tolerance = 1e-5 },
  { "acuity:multiply", "axis=0; axes=NCHW",
    "float32 2,1,2,2: -0.5 -2 -1 1.25 -0.25 2 1.75 1.5; float32 2,2: -2 -2 0.25 -0.75",
    "float32 2,1,2,2: 1 4 2 -2.5 -0.0625 -1.5 0.4375 -1.125", .tolerance = 1e-5 },
  { "acuity:upsampling", "factor=2", "float32 1,2,2,1: 1.5 -0.75 -1.5 -1.75",
    "float32 1,4,4,1: 1.5 1.5 -0.75 -0.75 1.5 1.5 -0.75 -0.75 -1.5 -1.5 -1.75 -1.75 -1.5 -1.5 "
    "-1.75 -1.75",
    .tolerance = 1e-5 },
  { "acuity:image_resize", "type=bilinear; new_size=[1, 4]; half_pixel=True",
    "float32 1,1,2,1: -0.75 0.5", "float32 1,1,4,1: -0.75 -0.4375 0.1875 0.5", .tolerance = 1e-5 },
  { "acuity:image_resize", "type=bilinear; new_size=[1, 4]", "float32 1,1,2,1: -0.75 0.5",
    "float32 1,1,4,1: -0.75 -0.125 0.5 0.5", .tolerance = 1e-5 },
  { "acuity:depth2space", "block_size=2", "float32 1,1,1,8: 0 1 2 3 4 5 6 7",
    "float32 1,2,2,2: 0 1 2 3 4 5 6 7", .tolerance = 1e-5 },
  { "acuity:depth2space", "block_size=2; mode=CRD", "float32 1,1,1,8: 0 1 2 3 4 5 6 7",
    "float32 1,2,2,2: 0 4 1 5 2 6 3 7", .tolerance = 1e-5 },
  { "acuity:space2depth", "block_size=2", "float32 1,2,2,2: 0 1 2 3 4 5 6 7",
    "float32 1,1,1,8: 0 1 2 3 4 5 6 7", .tolerance = 1e-5 },
  { "acuity:group_conv1d", "weights=4; ksize=2; stride=2; group_number=2; pad=[1, 0]",
    "float32 1,5,2: -1.5 1.25 -0.75 -0.75 0.75 1.5 -0.25 1.25 -0.75 -1.5; float32 2,1,4: 1.5 1.25 "
    "1 1.75 0 -1.25 0.25 0.25; float32 4: -0.5 0.5 -1 0.5",
    "float32 1,3,4: -0.5 2.375 -0.6875 0.8125 -1.625 -1.375 -1.375 -0.4375 -0.875 1.125 -0.125 "
    "2.3125",
    .tolerance = 1e-5 },
  { "acuity:conv1d", "weights=1; ksize=3; stride=2; padding=SAME; bias=False",
    "float32 1,5,2: -1.5 1.25 -0.75 -0.75 0.75 1.5 -0.25 1.25 -0.75 -1.5; float32 3,2,1: 1.25 "
    "-1.75 -0.25 0.75 -2 0.5",
    "float32 1,3,1: 2.4375 2.4375 -3.4375", .tolerance = 1e-5 },
  { "acuity:depthwise_conv1d", "ksize=2; multiplier=2",
    "float32 1,5,2: -1.5 1.25 -0.75 -0.75 0.75 1.5 -0.25 1.25 -0.75 -1.5; float32 2,2,2: 1.75 1.5 "
    "0.75 1.25 -0.5 -0.75 -1.75 1; float32 4: -0.75 1.5 -0.25 1.75",
    "float32 1,4,4: -3 -0.1875 2 2.5625 -2.4375 -0.1875 -3.4375 2.3125 0.6875 2.8125 -1.3125 4.875 "
    "-0.8125 1.6875 3.3125 1.8125",
    .tolerance = 1e-5 },
  { "acuity:pool1d", "type=AVG; ksize=2; stride=2",
    "float32 1,5,2: -1.5 1.25 -0.75 -0.75 0.75 1.5 -0.25 1.25 -0.75 -1.5",
    "float32 1,3,2: -1.125 0.25 0.25 1.375 -0.75 -1.5", .tolerance = 1e-5 },
  { "acuity:pool1d", "type=MAX; ksize=2; stride=2; round_type=floor",
    "float32 1,5,2: -1.5 1.25 -0.75 -0.75 0.75 1.5 -0.25 1.25 -0.75 -1.5",
    "float32 1,2,2: -0.75 1.25 0.75 1.5", .tolerance = 1e-5 },
  { "acuity:lstm", "weights=2",
    "float32 3,2,2: -1.5 -1.5 -0.75 -2 0 0.75 0.75 -1.25 -1.5 0.25 0.5 2; float32 4,8: 0.875 -0.25 "
    "-0.75 -0.5 0.75 -0.125 1 0.375 0.25 -0.875 0.25 -0.25 0.75 -0.75 -0.625 0.375 0.375 0.75 0 "
    "-0.25 -0.375 -0.25 0.375 0.125 -0.375 -0.625 0.5 -0.5 -0.625 -0.375 0.75 -0.125; float32 8: "
    "0.25 -0.875 -0.375 0.5 0.625 0.125 0.75 -0.375",
    "float32 3,2,2: 0.0375458 0.103168 -0.0675399 0.11303 -0.0118143 0.197716 -0.483211 0.227766 "
    "0.0537001 0.151636 -0.290931 0.175419; float32 2,2: 0.0537001 0.151636 -0.290931 0.175419; "
    "float32 2,2: 0.170432 0.567546 -0.669873 0.292745",
    .tolerance = 1e-5 },
  { "acuity:lstm", "weights=2; time_major=False; forget_bias=0.5",
    "float32 3,2,2: -1.5 -1.5 -0.75 -2 0 0.75 0.75 -1.25 -1.5 0.25 0.5 2; float32 4,8: 0.875 -0.25 "
    "-0.75 -0.5 0.75 -0.125 1 0.375 0.25 -0.875 0.25 -0.25 0.75 -0.75 -0.625 0.375 0.375 0.75 0 "
    "-0.25 -0.375 -0.25 0.375 0.125 -0.375 -0.625 0.5 -0.5 -0.625 -0.375 0.75 -0.125; float32 8: "
    "0.25 -0.875 -0.375 0.5 0.625 0.125 0.75 -0.375",
    "float32 3,2,2: 0.0375458 0.103168 -0.0426574 0.163733 -0.0639069 0.0256272 -0.496213 "
    "0.0874232 0.0513716 0.0798154 0.00677896 0.0360451",
    .tolerance = 1e-5 },
  { "acuity:lstm", "weights=2; time_major=False; forget_bias=0.5; return_sequences=False",
    "float32 3,2,2: -1.5 -1.5 -0.75 -2 0 0.75 0.75 -1.25 -1.5 0.25 0.5 2; float32 4,8: 0.875 -0.25 "
    "-0.75 -0.5 0.75 -0.125 1 0.375 0.25 -0.875 0.25 -0.25 0.75 -0.75 -0.625 0.375 0.375 0.75 0 "
    "-0.25 -0.375 -0.25 0.375 0.125 -0.375 -0.625 0.5 -0.5 -0.625 -0.375 0.75 -0.125; float32 8: "
    "0.25 -0.875 -0.375 0.5 0.625 0.125 0.75 -0.375",
    "float32 3,2: -0.0426574 0.163733 -0.496213 0.0874232 0.00677896 0.0360451",
    .tolerance = 1e-5 },
  { "acuity:lstm", "weights=2; axes=NCHW",
    "float32 3,1,2,2: -1.5 -1.75 -1.25 1 1.75 -1.5 0 -1.5 1.5 -1.5 0.5 -1.75; float32 4,8: 0.875 "
    "-0.25 -0.75 -0.5 0.75 -0.125 1 0.375 0.25 -0.875 0.25 -0.25 0.75 -0.75 -0.625 0.375 0.375 "
    "0.75 0 -0.25 -0.375 -0.25 0.375 0.125 -0.375 -0.625 0.5 -0.5 -0.625 -0.375 0.75 -0.125; "
    "float32 8: 0.25 -0.875 -0.375 0.5 0.625 0.125 0.75 -0.375",
    "float32 3,2,2: 0.0420823 0.104297 0.0353238 0.058056 -0.569375 0.180459 0.0816727 0.120094 "
    "-0.76099 0.104189 0.0648942 0.149382",
    .tolerance = 1e-5 },
  { "acuity:gru", "num_units=2",
    "float32 3,2,2: 1 1.75 1 -1 1.5 -0.75 1 1.5 0 0.5 1.5 -1.25; float32 4,4: -1 -0.125 -0.625 "
    "0.875 0.75 -0.25 -0.375 0.5 -0.125 -0.875 0.375 0.5 -0.875 0.625 0.125 0.75; float32 4: 0.75 "
    "0.375 -0.375 -0.25; float32 4,2: 0.5 -0.875 -0.625 0 1 0.5 0.625 -0.625; float32 2: -0.5 -0.5",
    "float32 3,2,2: -0.670312 -0.160503 0.361241 -0.412455 0.207215 -0.509439 -0.448267 -0.503042 "
    "-0.338204 -0.372271 0.348301 -0.734337; float32 2,2: -0.338204 -0.372271 0.348301 -0.734337",
    .tolerance = 1e-5 },
  { "acuity:variable", "shape=[2]", "float32 2: -2 -2", "float32 2: -2 -2", .tolerance = 1e-5 },
  { "acuity:greater_equal", "", "float32 2: 1 2; float32 2: 2 2", "bool 2: 0 1" },
  { "acuity:logical_xor", "", "bool 2: 1 0; bool 2: 1 1", "bool 2: 0 1" },
  { "acuity:add", "", "int32 2: 1 2; int32 1: 5", "int32 2: 6 7" },
  { "acuity:cast", "out_data_type=int32", "float32 2: 1.75 -2", "int32 2: 1 -2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-acuity", cases);
  return g_test_run ();
}
