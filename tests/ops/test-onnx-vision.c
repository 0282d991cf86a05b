/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

/* Numbers with more digits than one can check by hand are PyTorch's. */

#define PICTURE "float32 1,1,2,3: 1 2 4 8 16 32"
#define PLACES "float32 1,1,5,2: -1 -1 0.1 0.3 1 1 -1.7 0.2 0.9 1.6"

static const KernelCase grid_cases[] = {
  { "GridSample", "mode='linear'; padding_mode='zeros'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 0.25 15.18 8 0 0", .tolerance = 1e-5 },
  { "GridSample", "mode='linear'; padding_mode='zeros'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 12.21 32 1.56 21.28", .tolerance = 1e-5 },
  { "GridSample", "mode='linear'; padding_mode='border'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 15.18 32 5.900001 32", .tolerance = 1e-5 },
  { "GridSample", "mode='linear'; padding_mode='border'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 12.21 32 5.2 30.4", .tolerance = 1e-5 },
  { "GridSample", "mode='linear'; padding_mode='reflection'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 15.18 32 9.145 29.2", .tolerance = 1e-5 },
  { "GridSample", "mode='linear'; padding_mode='reflection'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 12.21 32 8.84 22.42", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='zeros'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 0 0 0", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='zeros'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 32 0 32", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='border'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 32 8 32", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='border'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 32 8 32", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='reflection'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 32 16 32", .tolerance = 1e-5 },
  { "GridSample", "mode='nearest'; padding_mode='reflection'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 16 32 16 32", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='zeros'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: -0.06347656 18.09888 10.18555 -0.5827325 -1.404566", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='zeros'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 14.89849 32 1.441484 26.71979", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='border'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: 0.3115234 15.8145 36.24805 6.047003 33.77451", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='border'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 12.61309 32 5.034332 33.70764", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='reflection'; align_corners=0", PICTURE "; " PLACES,
    "float32 1,1,1,5: -0.2539062 15.8145 40.74219 8.175545 32.23813", .tolerance = 1e-5 },
  { "GridSample", "mode='cubic'; padding_mode='reflection'; align_corners=1", PICTURE "; " PLACES,
    "float32 1,1,1,5: 1 13.49162 32 8.045195 25.72006", .tolerance = 1e-5 },
  { "GridSample", "",
    "float32 1,1,2,2,2: 0 1 2 3 4 5 6 7; "
    "float32 1,1,1,2,3: -0.2 0.4 0.9 0.5 -0.5 -0.1",
    "float32 1,1,1,1,2: 3.66 2.6", .tolerance = 1e-5 },
  { "AffineGrid", "align_corners=0",
    "float32 1,2,3: 1 2 3 4 5 6; "
    "int64 4: 1 1 2 3",
    "float32 1,2,3,2: 1.333333 0.833333 2 3.5 2.666667 6.166667 "
    "3.333333 5.833333 4 8.5 4.666667 11.16667",
    .tolerance = 1e-5 },
  { "AffineGrid", "align_corners=1",
    "float32 1,2,3: 1 2 3 4 5 6; "
    "int64 4: 1 1 2 3",
    "float32 1,2,3,2: 0 -3 1 1 2 5 4 7 5 11 6 15", .tolerance = 1e-5 },
  { "AffineGrid", "align_corners=1",
    "float32 1,3,4: -3 0 1 0 0 3 -3 2 -3 0 1 3; "
    "int64 5: 1 1 2 1 2",
    "float32 1,2,1,2,3: 2 2 5 -4 2 -1 4 -4 7 -2 -4 1", .tolerance = 1e-5 },
  { "GridSample-16", "mode='bilinear'", PICTURE "; float32 1,1,1,2: 0 0", "float32 1,1,1,1: 9" },
  { "GridSample", "align_corners=1", "float64 1,1,3: 1 2 4; float64 1,2,1: -0.5 0.5",
    "float64 1,1,2: 1.5 3" },
  { "GridSample", "", "float16 1,1,2: 1 2; float16 1,1,1: 0", "float16 1,1,1: 1.5" },
  { "GridSample", "", "int32 1,1,2: 1 2; float32 1,1,1: 0", "int32 1,1,1: 1" },
  { "GridSample", "", "complex64 1,1,2: 1 2; float32 1,1,1: 0", "complex64 1,1,1: 1.5" },
  { "GridSample", "mode='nearest'", "string 1,1,2: a b; float32 1,2,1: -0.5 0.5",
    "string 1,1,2: a b" },
  { "GridSample", "mode='nearest'; padding_mode='border'",
    "int4 1,1,2: 1 2; float32 1,3,1: -9 nan 1e30", "int4 1,1,3: 1 1 2" },
  { "GridSample", "padding_mode='reflection'; align_corners=1",
    "float32 1,1,3: 1 2 4; float32 1,2,1: -3 nan", "float32 1,1,2: 4 2" },
  { "GridSample", "", "float32 1,1,0:; float32 1,1,1: 0", .error = "no elements to read" },
  { "GridSample", "", "float32 1,1,2: 1 2; float32 1,1,2: 0 0",
    .error = "a grid of shape [1,1,2] does not fit X of [1,1,2]" },
  { "GridSample", "", "string 1,1,2: a b; float32 1,1,1: 0", .error = "no kernel for string" },
  { "GridSample", "mode='odd'", "float32 1,1,2: 1 2; float32 1,1,1: 0", .error = "mode \"odd\"" },
  { "GridSample", "padding_mode='odd'", "float32 1,1,2: 1 2; float32 1,1,1: 0",
    .error = "padding_mode \"odd\"" },
  { "AffineGrid", "", "float32 1,2,3: 1 2 3 4 5 6; int64 4: 2 1 2 3",
    .error = "theta of shape [1,2,3] is not [2,2,3]" },
  { "AffineGrid", "", "float32 1,2,3: 1 2 3 4 5 6; int64 3: 1 1 2",
    .error = "4 or 5 numbers, not 3" },
  { "AffineGrid", "", "float32 1,2,3: 1 2 3 4 5 6; int64 4: 1 1 -2 3", .error = "-2 is no size" },
  { NULL },
};

/* Three boxes, of which the first two share 0.9 / 1.1 of what they cover. */
#define BOXES "float32 1,3,4: 0 0 1 1 0 0.1 1 1.1 5 5 6 6"

static const KernelCase box_cases[] = {
  { "NonMaxSuppression", "",
    BOXES "; float32 1,1,3: 0.5 0.7 0.6; int64 : 3; float32 : 0.5; float32 : 0",
    "int64 2,3: 0 0 1 0 0 2" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: 0.5 0.7 0.6; int64 1: 3; float32 1: 0.9",
    "int64 3,3: 0 0 1 0 0 2 0 0 0" },
  { "NonMaxSuppression", "", BOXES "; float32 1,2,3: 0.5 0.7 0.6 0.9 0.1 0.2; int64 : 1",
    "int64 2,3: 0 0 1 0 1 0" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: 0.5 0.7 0.6; int64 : 3; -; float32 : 0.6",
    "int64 1,3: 0 0 1" },
  /* Corners in any order; of equal scores the first; what is no number last. */
  { "NonMaxSuppression", "", "float32 1,2,4: 1 1 0 0 0 1 1 0; float32 1,1,2: 0.5 0.5; int64 : 2",
    "int64 1,3: 0 0 0" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: nan 0.5 0.6; int64 : 3; float32 : 0.9",
    "int64 3,3: 0 0 2 0 0 1 0 0 0" },
  { "NonMaxSuppression", "center_point_box=1",
    "float32 1,2,4: 1 1 2 2 2 1 1 2; float32 1,1,2: 1 2; int64 : 9; float32 : 0.19",
    "int64 1,3: 0 0 1" },
  { "NonMaxSuppression", "center_point_box=1",
    "float32 1,2,4: 1 1 2 2 2 1 1 2; float32 1,1,2: 1 2; int64 : 9; float32 : 0.2",
    "int64 2,3: 0 0 1 0 0 0" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: 1 1 1", "int64 0,3:" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: 1 1 1; int64 : -5", "int64 0,3:" },
  { "NonMaxSuppression", "", "float32 1,0,4:; float32 1,1,0:; int64 : 3", "int64 0,3:" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,2: 1 1",
    .error = "scores of shape [1,1,2] do not fit boxes of [1,3,4]" },
  { "NonMaxSuppression", "", BOXES "; float32 1,1,3: 1 1 1; int64 2: 1 1",
    .error = "operand 2 must be one number" },
  { NULL },
};

#define SQUARE "float32 1,1,3,3: 1 2 3 4 5 6 7 8 9"

static const KernelCase region_cases[] = {
  /* One sample in the middle of each of four bins. */
  { "RoiAlign", "output_height=2; output_width=2; sampling_ratio=1",
    SQUARE "; float32 1,4: 0.5 0.5 2.5 2.5; int64 1: 0", "float32 1,1,2,2: 3 4 6 7" },
  { "RoiAlign-10", "output_height=2; output_width=2; sampling_ratio=1",
    SQUARE "; float32 1,4: 0 0 2 2; int64 1: 0", "float32 1,1,2,2: 3 4 6 7" },
  { "RoiAlign", "coordinate_transformation_mode='output_half_pixel'; spatial_scale=0.5",
    SQUARE "; float32 1,4: 0 0 4 4; int64 1: 0", "float32 1,1,1,1: 5" },
  /* The greatest of the four elements around the one sample, each a quarter. */
  { "RoiAlign", "mode='max'; sampling_ratio=1", SQUARE "; float32 1,4: 0.5 0.5 1.5 1.5; int64 1: 0",
    "float32 1,1,1,1: 1.25" },
  { "RoiAlign", "", SQUARE "; float32 1,4: 50 50 52 52; int64 1: 0", "float32 1,1,1,1: 0" },
  { "RoiAlign", "", "float16 2,1,1,1: 3 4; float16 2,4: 0 0 1 1 0 0 1 1; int64 2: 1 0",
    "float16 2,1,1,1: 4 3" },
  { "RoiAlign", "", "float64 1,1,1,1: 3; float64 0,4:; int64 0:", "float64 0,1,1,1:" },
  { "RoiAlign", "", SQUARE "; float32 1,4: 0 0 1 1; int64 1: 1",
    .error = "region 0 lies in example 1 of 1" },
  { "RoiAlign", "", SQUARE "; float32 1,4: 0 0 nan 1; int64 1: 0",
    .error = "region 0 has a corner at nan" },
  { "RoiAlign", "", SQUARE "; float32 1,4: 0 0 1 1; int64 2: 0 0",
    .error = "one index for each of 1 regions" },
  { "RoiAlign", "", SQUARE "; float32 1,5: 0 0 1 1 1; int64 1: 0",
    .error = "regions float32[1,5] do not fit X" },
  { "RoiAlign", "mode='sum'", SQUARE "; float32 1,4: 0 0 1 1; int64 1: 0",
    .error = "there is no mode \"sum\"" },
  { "RoiAlign", "output_height=-1", SQUARE "; float32 1,4: 0 0 1 1; int64 1: 0",
    .error = "negative size" },
  { "MaxRoiPool", "pooled_shape=[2, 2]", SQUARE "; float32 1,5: 0 0 0 2 2",
    "float32 1,1,2,2: 5 6 8 9" },
  { "MaxRoiPool", "pooled_shape=[1, 1]; spatial_scale=0.5", SQUARE "; float32 1,5: 0 0 0 2 2",
    "float32 1,1,1,1: 5" },
  { "MaxRoiPool", "pooled_shape=[1, 2]", SQUARE "; float32 1,5: 0 2 0 3 0",
    "float32 1,1,1,2: 3 0" },
  { "MaxRoiPool", "pooled_shape=[1, 1]", SQUARE "; float32 1,5: 7 0 0 2 2",
    .error = "lies in example 7 of 1" },
  { "MaxRoiPool", "pooled_shape=[1]", SQUARE "; float32 1,5: 0 0 0 2 2",
    .error = "pooled_shape must be two sizes" },
  { NULL },
};

static const KernelCase unpool_cases[] = {
  { "MaxUnpool", "kernel_shape=[2]; strides=[2]", "float32 1,1,2: 5 6; int64 1,1,2: 1 2",
    "float32 1,1,4: 0 5 6 0" },
  { "MaxUnpool", "kernel_shape=[2, 2]", "float16 1,1,1,1: 5; int64 1,1,1,1: 3",
    "float16 1,1,2,2: 0 0 0 5" },
  { "MaxUnpool", "kernel_shape=[2]; pads=[1, 0]", "float64 1,2,2: 5 6 7 8; int64 1,2,2: 0 1 2 3",
    "float64 1,2,2: 5 6 7 8" },
  { "MaxUnpool", "kernel_shape=[2]; strides=[2]",
    "float32 1,2,1: 5 6; int64 1,2,1: 1 2; int64 3: 1 2 3", "float32 1,2,3: 0 5 0 6 0 0" },
  { "MaxUnpool", "kernel_shape=[2]", "float32 1,1,1: 5; int64 1,1,1: 2",
    .error = "index 2 is not among the 2 elements" },
  { "MaxUnpool", "kernel_shape=[2]", "float32 1,1,1: 5; int64 1,1,1: -1",
    .error = "index -1 is not" },
  { "MaxUnpool", "kernel_shape=[2]", "float32 1,1,1: 5; int64 1,1,1: 0; int64 3: 1 1 1",
    .error = "output_shape [1,1,1] does not hold what was pooled, [1,1,2]" },
  { "MaxUnpool", "kernel_shape=[2]; pads=[9, 9]", "float32 1,1,1: 5; int64 1,1,1: 0",
    .error = "axis 2 would have a size of -16" },
  { "MaxUnpool", "kernel_shape=[2]", "float32 1,1,2: 5 6; int64 1,1,1: 0",
    .error = "as many indices as elements" },
  { NULL },
};

static const KernelCase deform_cases[] = {
  /* Without offsets a convolution. */
  { "DeformConv", "",
    SQUARE "; float32 1,1,2,2: 1 0 0 10; float32 1,8,2,2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
           "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0; float32 1: 100",
    "float32 1,1,2,2: 151 162 184 195" },
  /* Half a row down and a column to the right; then out of the picture. */
  { "DeformConv", "kernel_shape=[1, 1]",
    "float32 1,1,2,2: 1 2 3 4; float32 1,1,1,1: 2; "
    "float32 1,2,2,2: 0.5 0.5 0.5 -2 1 0 0 0; -; float32 1,1,2,2: 1 1 1 1",
    "float32 1,1,2,2: 6 6 3 0" },
  { "DeformConv", "",
    "float32 1,1,3: 1 2 4; float32 1,1,1: 1; float32 1,1,3: 0.5 0.5 0.5; -; float32 1,1,3: 1 2 10",
    "float32 1,1,3: 1.5 6 20" },
  /* Groups of channels, each with its own offset. */
  { "DeformConv", "group=2; offset_group=2",
    "float64 1,2,2: 1 2 3 4; float64 2,1,1: 1 10; float64 1,2,2: 1 -1 0 0",
    "float64 1,2,2: 2 1 30 40" },
  { "DeformConv", "offset_group=2",
    "float64 1,2,2: 1 2 3 4; float64 1,2,1: 1 10; float64 1,2,2: 1 -1 0 0",
    "float64 1,1,2: 32 41" },
  { "DeformConv", "strides=[2]; pads=[1, 1]; dilations=[2]",
    "float16 1,1,3: 1 2 3; float16 1,1,2: 1 10; float16 1,2,2: 0 0 0 0", "float16 1,1,2: 20 2" },
  { "DeformConv", "", "float32 1,1,2: 1 2; float32 1,1,1: 1; float32 1,2,2: 0 0 0 0",
    .error = "the offset is float32[1,2,2], and should be float32[1,1,2]" },
  { "DeformConv", "", "float32 1,1,2: 1 2; float32 1,2,1: 1 1; float32 1,1,2: 0 0",
    .error = "do not fit in 1 groups" },
  { "DeformConv", "", "float32 1,1,2: 1 2; float32 1,1,1: 1; float32 1,1,2: 0 0; float32 2: 1 1",
    .error = "B must have one float32 for each filter" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("grid", grid_cases);
  kernel_case_add_all ("boxes", box_cases);
  kernel_case_add_all ("regions", region_cases);
  kernel_case_add_all ("unpool", unpool_cases);
  kernel_case_add_all ("deform-conv", deform_cases);
  return g_test_run ();
}
