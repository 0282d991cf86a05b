/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define ROWS "float32 3,2: 1 2 3 4 5 6"

static const LowerCase pick_cases[] = {
  { "_npi_advanced_indexing", "", ROWS "; int64 2: 2 0", "float32 2,2: 5 6 1 2" },
  { "_npi_advanced_indexing", "", ROWS "; bool 3: 1 0 1", "float32 2,2: 1 2 5 6" },
  { "_npi_advanced_indexing", "", ROWS "; bool 3,2: 0 1 0 0 1 0", "float32 2: 2 5" },
  { "_npx_nonzero", "", "float32 2,2: 0 1 2 0", "int64 2,2: 0 1 1 0" },
  { "_npi_unique", "return_index=True; return_counts=True", "int32 4: 3 1 3 2",
    "int32 3: 1 2 3; int64 3: 1 3 0; int64 3: 1 1 2" },
  { "_npi_unique", "axis=0; return_inverse=True", "float32 3,1: 2 1 2",
    "float32 2,1: 1 2; int64 3: 1 0 1" },
  { "_npi_boolean_mask_assign_scalar", "value=9", ROWS "; bool 3: 0 1 0",
    "float32 3,2: 1 2 9 9 5 6" },
  { "_npi_boolean_mask_assign_tensor", "", ROWS "; bool 3,2: 0 1 0 0 1 0; float32 2: 7 8",
    "float32 3,2: 1 7 3 4 8 6" },
  { "_npi_boolean_mask_assign_tensor", "", ROWS "; bool 3: 0 1 0; float32 1: 7",
    "float32 3,2: 1 2 7 7 5 6" },
  { "_npx_index_update", "", ROWS "; int64 2,2: 0 2 1 0; float32 2: 7 8",
    "float32 3,2: 1 7 3 4 8 6" },
  { "_npx_index_add", "", ROWS "; int64 1,2: 1 1; float32 1: 10", "float32 3,2: 1 2 23 24 5 6" },
  { "_npi_diff", "n=2", "float32 1,4: 1 4 9 16", "float32 1,2: 2 2" },
  { "_npi_diff", "axis=0", ROWS, "float32 2,2: 2 2 2 2" },
  { "_npi_ediff1d", "to_begin_scalar=-1.0; to_end_arr_given=True",
    "float32 1,3: 1 4 9; float32 2: 7 8", "float32 5: -1 3 5 7 8" },
  /* 2 x^2 - x + 3 */
  { "_npi_polyval", "", "float32 3: 2 -1 3; float32 2: 0 2", "float32 2: 3 9" },
  { "_np_cumsum", "axis=0", ROWS, "float32 3,2: 1 2 4 6 9 12" },
  { "_np_cumsum", "", "float32 1,3: 1 2 3", "float32 3: 1 3 6" },
  { NULL },
};

static const LowerCase count_cases[] = {
  { "_npi_bincount", "", "int32 4: 1 3 1 0", "int32 4: 1 2 0 1" },
  { "_npi_bincount", "minlength=3; has_weights=True", "int64 2: 1 1; float32 2: 0.5 2",
    "float32 3: 0 2.5 0" },
  { "_npi_bincount", "", "int32 1: -1", .error = "-1" },
  { "_npx_constraint_check", "msg=too small", "bool 2: 1 1", "bool : 1" },
  { "_npx_constraint_check", "msg=too small", "bool 2: 1 0", .error = "too small" },
  { "_npi_interp", "left=-1.0", "float32 3: 0 1 3; float32 3: 10 20 0; float32 5: -5 0.5 1 2 9",
    "float64 5: -1 15 20 10 0" },
  { "_npi_interp", "x_is_scalar=True; x_scalar=0.25", "float32 2: 0 1; float32 2: 0 8",
    "float64 : 2" },
  { NULL },
};

/* The second row is twice the first: the rank is 1, and the inverse is the transpose over 25. */
static const LowerCase rank_cases[] = {
  { "_npi_matrix_rank", "", "float32 2,2: 1 2 2 4; float32 : 0.001", "int64 : 1" },
  { "_npi_matrix_rank_none_tol", "finfoEps32=1e-7", "float32 2,2,2: 1 2 2 4 1 0 0 1",
    "int64 2: 1 2" },
  { "_npi_pinv", "", "float32 2,2: 1 2 2 4; float32 : 0.00001", "float32 2,2: 0.04 0.08 0.08 0.16",
    .tolerance = 1e-5 },
  { "_npi_pinv_scalar_rcond", "", "float32 1,2: 3 4", "float32 2,1: 0.12 0.16", .tolerance = 1e-5 },
  { "_npi_pinv_scalar_rcond", "", "float32 2,1: 3 4", "float32 1,2: 0.12 0.16", .tolerance = 1e-5 },
  { NULL },
};

#define PICTURE "uint8 1,2,3: 0 51 102 255 204 153"

static const LowerCase image_cases[] = {
  { "_image_to_tensor", "", PICTURE, "float32 3,1,2: 0 1 0.2 0.8 0.4 0.6", .tolerance = 1e-6 },
  { "_image_to_tensor", "", "uint8 2: 1 2", .error = "axes" },
  { "_image_normalize", "mean=(1.0, 2.0); std=(2.0, 4.0)", "float32 2,1,2: 1 3 2 6",
    "float32 2,1,2: 0 1 0 1" },
  { "_image_normalize", "mean=(1.0,)", "float32 2,1,1: 1 3", "float32 2,1,1: 0 2" },
  /* Half between neighbours: 127.5 is rounded to even. */
  { "_image_resize", "size=(3, 1)", "uint8 1,2,1: 0 255", "uint8 1,3,1: 0 128 255" },
  { "_image_resize", "size=(4, 1); interp=0", "uint8 1,2,1: 5 9", "uint8 1,4,1: 5 5 9 9" },
  { "_image_resize", "size=(2,); keep_ratio=True", "float32 1,2,1: 1 3",
    "float32 2,4,1: 1 1.5 2.5 3 1 1.5 2.5 3" },
  { "_image_crop", "x=1; y=0; width=1; height=1", PICTURE, "uint8 1,1,3: 255 204 153" },
  { "_image_crop", "x=1; y=0; width=2; height=1", PICTURE, .error = "picture" },
  { "_image_flip_left_right", "", PICTURE, "uint8 1,2,3: 255 204 153 0 51 102" },
  { "_image_flip_top_bottom", "", "float32 2,1,1: 1 2", "float32 2,1,1: 2 1" },
  { "_image_random_flip_left_right", "p=1.0", PICTURE, "uint8 1,2,3: 255 204 153 0 51 102" },
  { "_image_random_flip_top_bottom", "p=0.0", "float32 2,1,1: 1 2", "float32 2,1,1: 1 2" },
  /* Factors that are certain: twice as bright, half of the contrast and half of the colours. */
  { "_image_random_brightness", "min_factor=2.0; max_factor=2.0", "uint8 1,1,3: 1 100 200",
    "uint8 1,1,3: 2 200 255" },
  { "_image_random_saturation", "min_factor=0.5; max_factor=0.5", "float32 1,1,3: 100 0 0",
    "float32 1,1,3: 64.95 14.95 14.95", .tolerance = 1e-5 },
  { "_image_random_contrast", "min_factor=0.5; max_factor=0.5", "float32 1,2,3: 10 10 10 30 30 30",
    "float32 1,2,3: 15 15 15 25 25 25", .tolerance = 1e-5 },
  /* The first direction: 55.46 times (-0.5675, -0.5808, -0.5836). */
  { "_image_adjust_lighting", "alpha=(1.0, 0.0, 0.0)", "float32 1,1,3: 100 100 100",
    "float32 1,1,3: 68.52645 67.788832 67.633544", .tolerance = 1e-5 },
  { "_image_random_lighting", "alpha_std=0.0", "float32 1,1,3: 1 2 3", "float32 1,1,3: 1 2 3" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-pick", pick_cases);
  lower_case_add_all ("mxnet-counts", count_cases);
  lower_case_add_all ("mxnet-ranks", rank_cases);
  lower_case_add_all ("mxnet-images", image_cases);
  return g_test_run ();
}
