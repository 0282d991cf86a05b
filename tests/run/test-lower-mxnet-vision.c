/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* A picture whose elements count from 0: that at (y, x) is 4 y + x. */
#define COUNT_4 "float32 1,1,4,4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
#define COUNT_4_4 "float32 1,4,2,2: 0 1 2 3 10 11 12 13 20 21 22 23 30 31 32 33"

static const LowerCase region_cases[] = {
  /* From 0 to 3: cells of 2; the second from 1 to 2, cells of one. */
  { "ROIPooling", "pooled_size=(2, 2); spatial_scale=1.0",
    COUNT_4 "; float32 2,5: 0 0 0 3 3 0 1 1 2 2",
    "float32 2,1,2,2: 5 7 13 15 5 6 9 10; float32 2,1,2,2: 5 7 13 15 5 6 9 10" },
  /* Beyond the picture there is nothing. */
  { "ROIPooling", "pooled_size=(1, 1); spatial_scale=0.5",
    COUNT_4 "; float32 2,5: 0 20 20 24 24 -1 0 0 1 1",
    "float32 2,1,1,1: 0 0; float32 2,1,1,1: -1 -1" },
  { "ROIPooling", "pooled_size=(1, 1); spatial_scale=0.5", COUNT_4 "; float32 1,5: 1 0 0 1 1",
    .error = "picture 1" },
  /* The middles of four cells of 1: what is between 0 1 4 5 and so on is 2.5. */
  { "_contrib_ROIAlign", "pooled_size=(2, 2); spatial_scale=1.0; sample_ratio=1",
    COUNT_4 "; float32 1,5: 0 0 0 2 2", "float32 1,1,2,2: 2.5 3.5 6.5 7.5" },
  { "_contrib_ROIAlign", "pooled_size=(2, 2); spatial_scale=1.0; sample_ratio=1; aligned=True",
    COUNT_4 "; float32 2,5: 0 1 1 3 3 -1 1 1 3 3", "float32 2,1,2,2: 5 6 9 10 0 0 0 0" },
  { "_contrib_ROIAlign",
    "pooled_size=(2, 2); spatial_scale=1.0; sample_ratio=1; position_sensitive=True; aligned=True",
    COUNT_4_4 "; float32 1,5: 0 0 0 2 2", "float32 1,1,2,2: 0 11 22 33" },
  /* Around (1.5, 1.5) with sides of 2; turned by 90 degrees rows become columns. */
  { "_contrib_RROIAlign", "pooled_size=(2, 2); spatial_scale=1.0; sampling_ratio=1",
    COUNT_4 "; float32 2,6: 0 1.5 1.5 2 2 0 0 1.5 1.5 2 2 90", "float32 2,1,2,2: 5 6 9 10 9 5 10 6",
    .tolerance = 1e-6 },
  /* Each cell looks at a channel of its own; regions go up to their last pixel's end. */
  { "_contrib_PSROIPooling", "spatial_scale=1.0; output_dim=1; pooled_size=2",
    COUNT_4_4 "; float32 1,5: 0 0 0 1 1", "float32 1,1,2,2: 0 11 22 33" },
  { "_contrib_PSROIPooling", "spatial_scale=1.0; output_dim=1; pooled_size=1",
    COUNT_4 "; float32 1,5: 0 1 1 2 2", "float32 1,1,1,1: 7.5" },
  { "_contrib_PSROIPooling", "spatial_scale=1.0; output_dim=3; pooled_size=1",
    COUNT_4 "; float32 1,5: 0 1 1 2 2", .error = "channels" },
  /* One sample at the start of each cell, (0.5, 0.5) before the region: 0.5 of (1, 1) is 2.5. */
  { "_contrib_DeformablePSROIPooling",
    "spatial_scale=1.0; output_dim=1; group_size=1; pooled_size=1; no_trans=True",
    COUNT_4 "; float32 1,5: 0 1 1 2 2", "float32 1,1,1,1: 2.5; float32 1,1,1,1: 1" },
  /* Moved to the right by 0.5 of a width of 2. */
  { "_contrib_DeformablePSROIPooling",
    "spatial_scale=1.0; output_dim=1; group_size=1; pooled_size=1; trans_std=0.5",
    COUNT_4 "; float32 1,5: 0 1 1 2 2; float32 1,2,1,1: 1 0",
    "float32 1,1,1,1: 3.5; float32 1,1,1,1: 1" },
  { NULL },
};

/* One anchor of 16 pixels at each of two places, (0, 0) to (15, 15) and 16 further right; the
 * second is moved by a quarter of its width. */
#define SCORES "float32 1,2,1,2: 0.1 0.9 0.8 0.4"
#define OFFSETS "float32 1,4,1,2: 0 0.25 0 0 0 0 0 0"
#define ANCHOR \
  "scales=(1.0,); ratios=(1.0,); rpn_min_size=4; rpn_post_nms_top_n=3; output_score=True"

static const LowerCase proposal_cases[] = {
  /* Cut off at the border, and the first again where there are no more. */
  { "_contrib_Proposal", ANCHOR, SCORES "; " OFFSETS "; float32 1,3: 16 32 1",
    "float32 3,5: 0 0 0 15 15 0 20 0 31 15 0 0 0 15 15; float32 3,1: 0.8 0.4 0.8" },
  /* Places beyond the picture come last. */
  { "_contrib_MultiProposal", ANCHOR,
    "float32 1,2,1,2: 0.1 0.9 0.2 0.4; " OFFSETS "; float32 1,3: 16 20 1",
    "float32 3,5: 0 0 0 15 15 0 17 -2 21 17 0 0 0 15 15; float32 3,1: 0.2 -1 0.2" },
  /* Two boxes in one place: the lesser goes. */
  { "_contrib_Proposal", ANCHOR,
    "float32 1,2,1,2: 0 0 0.5 0.6; float32 1,4,1,2: 0 -1 0 0 0 0 0 0; float32 1,3: 16 32 1",
    "float32 3,5: 0 0 0 15 15 0 0 0 15 15 0 0 0 15 15; float32 3,1: 0.6 0.6 0.6" },
  { "_contrib_Proposal", "scales=(1.0, 2.0); ratios=(1.0,)",
    SCORES "; " OFFSETS "; float32 1,3: 16 32 1", .error = "anchors" },
  { NULL },
};

static const LowerCase box_cases[] = {
  /* The best of all is (0, 1), then (1, 0); 0.05 is not enough. */
  { "_contrib_bipartite_matching", "threshold=0.1", "float32 3,2: 0.5 0.6 0.3 0.4 0.05 0.2",
    "float32 3: 1 0 -1; float32 2: 1 0" },
  { "_contrib_bipartite_matching", "threshold=0.25; is_ascend=True",
    "float32 1,2,2: 0.1 0.2 0.3 0.4", "float32 1,2: 0 -1; float32 1,2: 0 -1" },
  /* Anchor (0, 0) to (2, 2), box (1, 1) to (3, 5): half a width and a height, log 1 and log 2. */
  { "_contrib_box_encode", "",
    "float32 1,2: 1 0; float32 1,2: 1 0; float32 1,2,4: 0 0 2 2 0 0 1 1; "
    "float32 1,2,4: 0 0 1 1 1 1 3 5; float32 4: 0 0 0 0; float32 4: 0.5 0.5 1 0.5",
    "float32 1,2,4: 1 2 0 1.3862944 0 0 0 0; float32 1,2,4: 1 1 1 1 0 0 0 0", .tolerance = 1e-6 },
  { "_contrib_box_decode", "format=corner; std2=2.0",
    "float32 1,1,4: 0.5 1 0 0.69314718; float32 1,1,4: 0 0 2 2", "float32 1,1,4: 1 1 3 5",
    .tolerance = 1e-6 },
  { "_contrib_box_decode", "clip=0.5", "float32 1,1,4: 0 0 2 0.1; float32 1,1,4: 0 0 2 2",
    "float32 1,1,4: -1.6487213 -1.1051709 1.6487213 1.1051709", .tolerance = 1e-6 },
  /* The object is (0, 0) to (2, 2): the first anchor is it, the second is half of it and is not
   * enough, the third is apart. */
  { "_contrib_MultiBoxTarget", "",
    "float32 1,3,4: 0 0 2 2 0 0 2 1 5 5 6 6; float32 1,2,5: 3 0 0 2 2 -1 -1 -1 -1 -1; "
    "float32 1,2,3: 0 0 0 0 0 0",
    "float32 1,12: 0 0 0 0 0 0 0 0 0 0 0 0; float32 1,12: 1 1 1 1 0 0 0 0 0 0 0 0; "
    "float32 1,3: 4 0 0" },
  /* With one negative for each positive, the one that looks least like background. */
  { "_contrib_MultiBoxTarget", "negative_mining_ratio=1.0; negative_mining_thresh=0.75",
    "float32 1,3,4: 0 0 2 4 0 0 2 1 5 5 6 6; float32 1,1,5: 3 0 0 2 2; "
    "float32 1,2,3: 0 1 2 0 3 3",
    "float32 1,12: 0 -2.5 0 -3.4657359 0 0 0 0 0 0 0 0; float32 1,12: 1 1 1 1 0 0 0 0 0 0 0 0; "
    "float32 1,3: 4 0 -1",
    .tolerance = 1e-6 },
  { "_contrib_MultiBoxTarget", "",
    "float32 1,1,4: 0 0 1 1; float32 1,1,5: -1 -1 -1 -1 -1; "
    "float32 1,1,1: 0",
    "float32 1,4: 0 0 0 0; float32 1,4: 0 0 0 0; float32 1,1: -1" },
  { NULL },
};

static const LowerCase window_cases[] = {
  /* Products with what lies up to one further, of 0 to 3 by 3 ones: at (1, 1) alone. */
  { "Correlation", "kernel_size=1; max_displacement=1; pad_size=0",
    "float32 1,1,3,3: 0 0 0 0 2 0 0 0 0; float32 1,1,3,3: 1 2 3 4 5 6 7 8 9",
    "float32 1,9,1,1: 2 4 6 8 10 12 14 16 18" },
  { "Correlation", "kernel_size=1; max_displacement=0; is_multiply=False",
    "float32 1,2,1,2: 1 2 3 4; float32 1,2,1,2: 4 2 3 0", "float32 1,1,1,2: 1.5 2" },
  { "Correlation", "kernel_size=1; max_displacement=2; stride2=2; stride1=2; pad_size=2",
    "float32 1,1,1,3: 1 2 3; float32 1,1,1,3: 4 5 6",
    "float32 1,9,1,2: 0 0 0 0 0 0 0 12 4 18 6 0 0 0 0 0 0 0" },
  { "_contrib_AdaptiveAvgPooling2D", "output_size=(2, 3)", COUNT_4,
    "float32 1,1,2,3: 2.5 3.5 4.5 10.5 11.5 12.5" },
  { "_contrib_AdaptiveAvgPooling2D", "", COUNT_4, "float32 1,1,1,1: 7.5" },
  { "im2col", "kernel=(1, 2)", "float32 1,2,1,3: 1 2 3 4 5 6", "float32 1,4,2: 1 2 2 3 4 5 5 6" },
  { "im2col", "kernel=(2,); pad=(1,); stride=(2,)", "float32 1,1,2: 1 2",
    "float32 1,2,2: 0 2 1 0" },
  { "col2im", "kernel=(1, 2); output_size=(1, 3)", "float32 1,2,2: 1 2 2 3",
    "float32 1,1,1,3: 1 4 3" },
  /* Without offsets it is a convolution; an offset of (0, 1) looks one further. */
  { "_contrib_DeformableConvolution", "kernel=(1, 1); num_filter=1; no_bias=True",
    "float32 1,1,1,3: 1 2 3; float32 1,2,1,3: 0 0 0 1 0.5 0; float32 1,1,1,1: 2",
    "float32 1,1,1,3: 4 5 6" },
  { "_contrib_ModulatedDeformableConvolution", "kernel=(1, 1); num_filter=1",
    "float32 1,1,1,3: 1 2 3; float32 1,2,1,3: 0 0 0 1 0.5 0; float32 1,1,1,3: 1 1 0.5; "
    "float32 1,1,1,1: 2; float32 1: 1",
    "float32 1,1,1,3: 5 6 4" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-regions", region_cases);
  lower_case_add_all ("mxnet-proposals", proposal_cases);
  lower_case_add_all ("mxnet-box-targets", box_cases);
  lower_case_add_all ("mxnet-windows", window_cases);
  return g_test_run ();
}
