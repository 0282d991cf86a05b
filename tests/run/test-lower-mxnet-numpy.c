/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

static const LowerCase numpy_cases[] = {
  { "_npi_add", "", "float32 2,1: 1 2; float32 2: 3 4", "float32 2,2: 4 5 5 6" },
  { "_npi_multiply", "", "int32 2: 1 2; float32 2: 0.5 0.5", "float32 2: 0.5 1" },
  { "_npi_mod", "", "int32 4: 5 -5 5 -5; int32 4: 3 3 -3 -3", "int32 4: 2 1 -1 -2" },
  { "_npi_floor_divide", "", "int32 4: 5 -5 5 -6; int32 4: 3 3 -3 -3", "int32 4: 1 -2 -2 2" },
  { "_npi_floor_divide", "", "float32 2: 5 -5; float32 2: 3 3", "float32 2: 1 -2" },
  { "_npi_fmod", "", "float32 2: 5 -5; float32 2: 3 3", "float32 2: 2 -2" },
  { "_npi_fmax", "", "float32 3: nan 1 nan; float32 3: 2 nan nan", "float32 3: 2 1 nan" },
  { "_npi_bitwise_xor", "", "int32 1: 6; int32 1: 3", "int32 1: 5" },
  { "_npi_true_divide", "", "int32 2: 1 3; int32 1: 2", "float32 2: 0.5 1.5" },
  { "_npi_hypot", "", "float32 1: 3; float32 1: 4", "float32 1: 5" },
  { "_npi_ldexp", "", "float32 1: 3; float32 1: 2", "float32 1: 12" },
  { "_npi_logaddexp", "", "float32 2: 1 100; float32 2: 2 0", "float32 2: 2.3132617 100",
    .tolerance = 1e-6 },
  { "_npi_less_equal", "", "int64 2: 1 3; int64 1: 1", "bool 2: 1 0" },
  { "_npi_logical_xor", "", "float32 2: 0 2; float32 2: 3 3", "bool 2: 1 0" },
  { "_npi_add_scalar", "scalar=1.5; is_int=False", "float32 1: 1", "float32 1: 2.5" },
  { "_npi_rsubtract_scalar", "scalar=1", "int32 1: 3", "int32 1: -2" },
  { "_npi_rpower_scalar", "scalar=2", "float32 1: 3", "float32 1: 8" },
  { "_npi_rfloor_divide_scalar", "scalar=7", "float32 1: 2", "float32 1: 3" },
  { "_npi_greater_scalar", "scalar=0.5", "int32 1: 1", .error = "is not lowered" },
  { "_npi_greater_scalar", "scalar=0.5", "float32 1: 1", "bool 1: 1" },
  { "_npi_sqrt", "", "int32 1: 4", "float32 1: 2" },
  { "_npi_log2", "", "float32 1: 8", "float32 1: 3", .tolerance = 1e-6 },
  { "_npi_log1p", "", "float64 1: 1e-12", "float64 1: 9.999999999995e-13", .tolerance = 1e-12 },
  { "_npi_rint", "", "float32 4: 0.5 1.5 2.5 -0.7", "float32 4: 0 2 2 -1" },
  { "_npi_isposinf", "", "float32 3: inf -inf 1", "bool 3: 1 0 0" },
  { "_npi_isfinite", "", "float32 3: inf nan 1", "bool 3: 0 0 1" },
  { "_npi_clip", "a_min=None; a_max=2", "float32 2: -9 9", "float32 2: -9 2" },
  { "_npi_negative", "", "int32 1: 4", "int32 1: -4" },
  { "_npi_bitwise_not", "", "int32 1: 4", "int32 1: -5" },
  { NULL },
};

#define SIX "float32 2,3: 1 2 3 4 5 6"

static const LowerCase reduce_cases[] = {
  { "_npi_sum", "", SIX, "float32 : 21" },
  { "_npi_sum", "axis=(); dtype=float64", "float32 2: 1 2", "float64 2: 1 2" },
  { "_npi_sum", "axis=1; initial=10", SIX, "float32 2: 16 25" },
  { "_npi_sum", "", "bool 3: 1 0 1", "int64 : 2" },
  { "_npi_max", "axis=(0,); keepdims=True", SIX, "float32 1,3: 4 5 6" },
  { "_npi_mean", "axis=-1", "int32 2: 1 2", "float32 : 1.5" },
  { "_npi_var", "axis=1; ddof=1", SIX, "float32 2: 1 1; float32 2: 2 5" },
  { "_npi_std", "", "float32 2: 1 3", "float32 : 1; float32 : 2" },
  { "_npi_any", "axis=0", "float32 2,2: 0 0 0 2", "bool 2: 0 1" },
  { "_npi_all", "", "int32 2: 3 0", "bool : 0" },
  { "_npi_argmax", "axis=1", SIX, "int64 2: 2 2" },
  { "_npi_argmin", "", SIX, "int64 : 0" },
  { "_npi_average", "weighted=False; axis=0", SIX, "float32 3: 2.5 3.5 4.5; -" },
  { "_npi_average", "axis=0", SIX "; float32 2: 3 1",
    "float32 3: 1.75 2.75 3.75; float32 3: 4 4 4" },
  { "_npi_where", "", "bool 2: 1 0; float32 2: 1 2; float32 1: 9", "float32 2: 1 9" },
  { "_npi_where_lscalar", "scalar=7", "bool 2: 1 0; float32 2: 1 2", "float32 2: 7 2" },
  { "_npi_where_rscalar", "scalar=7", "bool 2: 1 0; float32 2: 1 2", "float32 2: 1 7" },
  { "_npi_where_scalar2", "x=1.5; y=2.5", "bool 2: 1 0", "float32 2: 1.5 2.5" },
  { NULL },
};

static const LowerCase shape_cases[] = {
  { "_np_reshape", "newshape=(3, -1)", SIX, "float32 3,2: 1 2 3 4 5 6" },
  { "_npx_reshape", "newshape=(-2, -1)", SIX, "float32 2,3: 1 2 3 4 5 6" },
  { "_npi_flip", "axis=1", SIX, "float32 2,3: 3 2 1 6 5 4" },
  { "_npi_broadcast_to", "shape=(2, 2)", "float32 2: 1 2", "float32 2,2: 1 2 1 2" },
  { "_npi_atleast_2d", "num_args=1", "float32 2: 1 2", "float32 1,2: 1 2" },
  { "_npi_matmul", "", SIX "; float32 3: 1 0 1", "float32 2: 4 10" },
  { NULL },
};

/* The example of MXNet's manual: the box of class 1 and that of score 0.3 overlap the second one.
 */
#define FOUR_BOXES                                                                   \
  "float32 4,6: 0 0.5 0.1 0.1 0.2 0.2 1 0.4 0.1 0.1 0.2 0.2 0 0.3 0.1 0.1 0.14 0.14" \
  " 2 0.6 0.5 0.5 0.7 0.8"

static const LowerCase box_cases[] = {
  { "_contrib_box_nms", "overlap_thresh=0.1; id_index=0; force_suppress=True", FOUR_BOXES,
    "float32 4,6: 2 0.6 0.5 0.5 0.7 0.8 0 0.5 0.1 0.1 0.2 0.2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1; "
    "float32 4,1: 3 0 -1 -1" },
  { "_contrib_box_nms", "overlap_thresh=0.1; id_index=0; valid_thresh=0.35; topk=3", FOUR_BOXES,
    "float32 4,6: 2 0.6 0.5 0.5 0.7 0.8 0 0.5 0.1 0.1 0.2 0.2 1 0.4 0.1 0.1 0.2 0.2 -1 -1 -1 -1 -1 "
    "-1; "
    "float32 4,1: 3 0 1 -1" },
  { "_contrib_box_nms", "id_index=0; background_id=0; in_format=corner; out_format=center",
    "float32 1,1,6: 1 0.5 0 0 2 4", "float32 1,1,6: 1 0.5 1 2 2 4; float32 1,1,1: 0" },
  /* Two samples; of each the worse box overlaps the better one by 1/3, in the other class by all.
   */
  { "_contrib_box_nms", "overlap_thresh=0.3; id_index=0; in_format=center; out_format=corner",
    "float32 2,3,6: 0 0.2 1 1 2 2 0 0.9 2 1 2 2 1 0.5 2 1 2 2 1 0.1 0 0 1 1 1 0 0 0 1 1 1 0.3 9 9 "
    "1 1",
    "float32 2,3,6: 0 0.9 1 0 3 2 1 0.5 1 0 3 2 -1 -1 -1 -1 -1 -1 "
    "1 0.3 8.5 8.5 9.5 9.5 1 0.1 -0.5 -0.5 0.5 0.5 -1 -1 -1 -1 -1 -1; "
    "float32 2,3,1: 1 2 -1 5 3 -1" },
  { "_contrib_box_nms", "overlap_thresh=0.3; coord_start=0; score_index=4; topk=1",
    "float32 2,5: 0 0 2 2 0.5 5 5 6 6 0.75",
    "float32 2,5: 5 5 6 6 0.75 -1 -1 -1 -1 -1; "
    "float32 2,1: 1 -1" },
  { "_contrib_box_nms", "", "float32 2,3: 0 0 0 0 0 0", .error = "point beyond" },
  { "_contrib_box_iou", "", "float32 1,4: 0 0 2 2; float32 2,4: 1 1 3 3 5 5 6 6",
    "float32 1,2: 0.14285715 0", .tolerance = 1e-6 },
  { "_contrib_box_iou", "format=center", "float32 4: 1 1 2 2; float32 1,4: 2 2 2 2",
    "float32 1: 0.14285715", .tolerance = 1e-6 },
  /* An empty box overlaps nothing, and neither does one that is turned round. */
  { "_contrib_box_iou", "", "float32 2,1,4: 1 1 1 1 0 0 2 2; float32 2,4: 1 1 1 1 2 2 0 0",
    "float32 2,1,2: 0 0 0 0" },
  { "_contrib_MultiBoxPrior", "sizes=(0.5, 0.25); ratios=(1.0, 4.0)", "float32 1,1,1,2: 0 0",
    "float32 1,6,4: 0.125 0.25 0.375 0.75 0.1875 0.375 0.3125 0.625 0 0.375 0.5 0.625 "
    "0.625 0.25 0.875 0.75 0.6875 0.375 0.8125 0.625 0.5 0.375 1 0.625",
    .tolerance = 1e-6 },
  { "_contrib_MultiBoxDetection", "nms_threshold=0.5",
    "float32 1,2,2: 0.1 0.2 0.9 0.8; float32 1,8: 0 0 0 0 0 0 0 0; "
    "float32 1,2,4: 0.1 0.1 0.5 0.5 0.1 0.1 0.5 0.45",
    "float32 1,2,6: 0 0.9 0.1 0.1 0.5 0.5 -1 0.8 0.1 0.1 0.5 0.45", .tolerance = 1e-6 },
  /* The second box is of another class, the third overlaps the first by just the threshold. */
  { "_contrib_MultiBoxDetection", "nms_threshold=0.5; clip=False; variances=(1.0, 1.0, 1.0, 1.0)",
    "float32 1,3,3: 0 0 0 0.5 0.25 0.375 0.25 0.75 0.125; float32 1,12: 0 0 0 0 1 0 0 0 0 0 0 0; "
    "float32 1,3,4: 0 0 2 2 -2 0 0 2 0 0 2 1",
    "float32 1,3,6: 1 0.75 0 0 2 2 0 0.5 0 0 2 2 -1 0.375 0 0 2 1" },
  { "_contrib_MultiBoxDetection", "nms_threshold=0.5; force_suppress=True; nms_topk=2",
    "float32 1,2,3: 0 0 0 0.5 0.75 0.25; float32 1,12: 0 0 0 0 0 0 0 0 0 0 0 0; "
    "float32 1,3,4: 0 0 0.5 0.5 0 0 0.5 0.5 0.75 0.75 1 1",
    "float32 1,3,6: 0 0.75 0 0 0.5 0.5 -1 0.5 0 0 0.5 0.5 -1 -1 -1 -1 -1 -1" },
  { "_contrib_MultiBoxDetection", "threshold=0.85",
    "float32 1,2,2: 0.1 0.2 0.9 0.8; float32 1,8: 5 0 0 0 0 0 0 0; "
    "float32 1,2,4: 0.1 0.1 0.5 0.5 0.1 0.1 0.5 0.45",
    "float32 1,2,6: 0 0.9 0.3 0.1 0.7 0.5 -1 -1 -1 -1 -1 -1", .tolerance = 1e-6 },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-numpy", numpy_cases);
  lower_case_add_all ("mxnet-numpy-reduce", reduce_cases);
  lower_case_add_all ("mxnet-numpy-shape", shape_cases);
  lower_case_add_all ("mxnet-boxes", box_cases);
  return g_test_run ();
}
