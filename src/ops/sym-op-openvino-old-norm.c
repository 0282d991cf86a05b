/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* Norms, sizes and detectors' regions of OpenVINO's IR before version 10. */

static SymId
number (SymOpLower *self, double value)
{
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), value);
}

/* @x divided by the root of @square, to which @epsilon is added. */
static SymId
divide_by_root (SymOpLower *self, SymId x, SymId square, double epsilon)
{
  square = sym_op_lower_binary (self, "Add", square, number (self, epsilon));
  return sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", square));
}

/* From axis @from on. */
static SymId
reduce (SymOpLower *self, const char *name, SymId x, int from, gboolean all)
{
  int rank = sym_op_foreign_rank (self, 0), n = 0;
  gint64 axes[SYM_MAX_RANK];

  for (int i = from; i < (all ? rank : MIN (from + 1, rank)); i++)
    axes[n++] = i;
  return sym_op_foreign_reduce (self, name, x, rank, axes, n, TRUE);
}

/* ---- Norms ---- */

/* Over a square of places of the same channel, of which those outside count as 0. */
static SymId
norm_within (SymOpLower *self, gint64 size, double alpha, double beta, double k)
{
  gint64 kernel[] = { size, size };
  gint64 pads[] = { (size - 1) / 2, (size - 1) / 2, size / 2, size / 2 };
  SymId x = sym_op_lower_input (self, 0);
  SymId mean = sym_op_lower_call (
      self, "AveragePool", SYM_IDS (sym_op_lower_binary (self, "Mul", x, x)), "kernel_shape",
      sym_op_lower_list (kernel, 2), "pads", sym_op_lower_list (pads, 4), "count_include_pad",
      sym_value_new_int (1), NULL);

  mean = sym_op_lower_binary (self, "Mul", mean, number (self, alpha));
  mean = sym_op_lower_binary (self, "Add", mean, number (self, k));
  return sym_op_lower_binary (self, "Div", x,
                              sym_op_lower_binary (self, "Pow", mean, number (self, beta)));
}

static void
lower_norm (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "local-size", "local_size", "size", NULL);
  gint64 size = sym_op_lower_get_int (self, name, 5);
  double alpha = sym_op_lower_get_float (self, "alpha", 1);
  double beta = sym_op_lower_get_float (self, "beta", 0.75);
  double k = sym_op_lower_get_float (self, sym_op_foreign_choose (self, "k", "bias", NULL), 1);

  if (size < 1 || size > G_MAXINT16)
    sym_op_lower_fail (self, "Norm: a local-size of %" G_GINT64_FORMAT " makes no sense", size);
  else if (sym_op_lower_has_string (self, "region", "same"))
    sym_op_lower_set_output (self, 0, norm_within (self, size, alpha, beta, k));
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "LRN", SYM_IDS (sym_op_lower_input (self, 0)), "size",
                           sym_value_new_int (size), "alpha", sym_value_new_float (alpha), "beta",
                           sym_value_new_float (beta), "bias", sym_value_new_float (k), NULL));
}

/* The weights are variances, the biases means. */
static void
lower_batch_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  x = sym_op_lower_binary (self, "Sub", x, sym_op_openvino_spread (self, 2, rank));
  sym_op_lower_set_output (self, 0,
                           divide_by_root (self, x, sym_op_openvino_spread (self, 1, rank),
                                           sym_op_lower_get_float (self, "epsilon", 1e-5)));
}

static void
lower_grn (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  sym_op_lower_set_output (self, 0,
                           divide_by_root (self, x, reduce (self, "ReduceSumSquare", x, 1, FALSE),
                                           sym_op_lower_get_float (self, "bias", 1)));
}

/* An eps of 0 is as if there were none. */
static void
lower_normalize (SymOpLower *self)
{
  double epsilon = sym_op_lower_get_float (self, "eps", 0);
  SymId x = sym_op_lower_input (self, 0);
  SymId sum =
      reduce (self, "ReduceSumSquare", x, 1, sym_op_lower_get_bool (self, "across_spatial", TRUE));

  x = divide_by_root (self, x, sum, epsilon != 0 ? epsilon : 1e-10);
  if (sym_op_lower_has_input (self, 1) && sym_op_lower_need_tensor (self, 1))
    x = sym_op_lower_binary (self, "Mul", x,
                             sym_op_openvino_spread (self, 1, sym_op_foreign_rank (self, 0)));
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_mvn (SymOpLower *self)
{
  int from = sym_op_lower_get_bool (self, "across_channels", FALSE) ? 1 : 2;
  SymId x = sym_op_lower_input (self, 0), square;

  x = sym_op_lower_binary (self, "Sub", x, reduce (self, "ReduceMean", x, from, TRUE));
  if (sym_op_lower_get_bool (self, "normalize_variance", TRUE))
    {
      square = reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), from, TRUE);
      x = divide_by_root (self, x, square, sym_op_lower_get_float (self, "eps", 1e-9));
    }
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Sizes ---- */

static void
lower_tile (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  int axis = sym_op_foreign_axis (self, "axis", 0, rank);
  gint64 times[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    times[i] = i == axis ? CLAMP (sym_op_lower_get_int (self, "tiles", 1), 0, G_MAXINT32) : 1;
  if (!sym_op_lower_has_failed (self) && rank > 0)
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, times, rank)));
}

/* Those that the file stores of the result, else those that attributes tell.  What makes sizes of
 * zoom_factor and shrink_factor is not the same everywhere. */
static gboolean
read_sizes (SymOpLower *self, gint64 sizes[SYM_MAX_RANK])
{
  static const char *const names[] = { "height", "width" };
  double factor = sym_op_lower_get_float (self, "factor", 0);

  if (sym_op_foreign_list (self, "sizes", sizes) == 2)
    return TRUE;
  for (int i = 0; i < 2; i++)
    sizes[i] = sym_op_lower_get_int (self, names[i], 0);
  if (sizes[0] >= 1 && sizes[1] >= 1)
    return TRUE;
  if (sym_op_lower_get_float (self, "zoom_factor", 0) != 0 ||
      sym_op_lower_get_float (self, "shrink_factor", 0) != 0 ||
      !(factor >= 0 && factor <= G_MAXINT16))
    {
      sym_op_lower_refuse (self,
                           "Interp: neither height and width nor the result's sizes are told");
      return FALSE;
    }
  for (int i = 0; i < 2; i++)
    if (sizes[i] < 1)
      sizes[i] = (gint64) ((float) sym_op_foreign_size (self, 0, 2 + i) *
                           (float) (factor != 0 ? factor : 1));
  return !sym_op_lower_has_failed (self);
}

/* Where corners stay corners, or both images begin at the same place. */
static void
lower_interp (SymOpLower *self)
{
  const gint64 axes[] = { 2, 3 };
  gint64 sizes[SYM_MAX_RANK];

  if (sym_op_foreign_rank (self, 0) != 4)
    {
      sym_op_lower_fail (self, "Interp: the data should have 4 axes");
      return;
    }
  if (!read_sizes (self, sizes))
    return;
  if (sizes[0] < 1 || sizes[1] < 1 || sym_op_lower_get_int (self, "pad_beg", 0) != 0 ||
      sym_op_lower_get_int (self, "pad_end", 0) != 0)
    {
      sym_op_lower_refuse (self, "Interp: without rows or columns, or with pads, is not lowered");
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Resize",
                         SYM_IDS (sym_op_lower_input (self, 0), SYM_NO_ID, SYM_NO_ID,
                                  sym_op_lower_ints (self, sizes, 2)),
                         "axes", sym_op_lower_list (axes, 2), "mode",
                         sym_value_new_string ("linear"), "coordinate_transformation_mode",
                         sym_value_new_string (sym_op_lower_get_bool (self, "align_corners", TRUE)
                                                   ? "align_corners"
                                                   : "asymmetric"),
                         NULL));
}

/* ---- Regions of YOLO ---- */

/* Of [N, boxes, numbers, H, W] those of @from to @to. */
static SymId
take_part (SymOpLower *self, SymId x, gint64 from, gint64 to)
{
  return sym_op_lower_slice (self, x, 2, from, to, 1);
}

/* Places and what is there go through a logistic function; classes through a softmax, or where it
 * is not wanted through the same.  Then all behind the batch is one axis. */
static void
lower_region (SymOpLower *self)
{
  gboolean is_softmax = sym_op_lower_get_bool (self, "do_softmax", TRUE);
  gint64 coords = CLAMP (sym_op_lower_get_int (self, "coords", 4), 2, G_MAXINT16);
  gint64 classes = CLAMP (sym_op_lower_get_int (self, "classes", 20), 1, G_MAXINT16);
  gint64 mask[SYM_MAX_RANK], height = sym_op_foreign_size (self, 0, 2),
                             width = sym_op_foreign_size (self, 0, 3);
  gint64 sizes[] = { 0, -1, coords + 1 + classes, height, width };
  gint64 whole[] = { 0, is_softmax ? -1 : sym_op_foreign_size (self, 0, 1), height, width };
  int n_mask = sym_op_foreign_list (self, "mask", mask);
  gint64 n = is_softmax || n_mask < 1 ? sym_op_lower_get_int (self, "num", 1) : n_mask;
  SymId x, parts[4];

  if (sym_op_foreign_rank (self, 0) != 4 || n < 1 || n > G_MAXINT16)
    {
      sym_op_lower_fail (self, "RegionYolo: the data should have 4 axes, and boxes");
      return;
    }
  sizes[1] = n;
  x = sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, 5, TRUE);
  parts[0] = sym_op_lower_unary (self, "Sigmoid", take_part (self, x, 0, 2));
  parts[1] = take_part (self, x, 2, coords);
  parts[2] = sym_op_lower_unary (self, "Sigmoid", take_part (self, x, coords, coords + 1));
  parts[3] = take_part (self, x, coords + 1, coords + 1 + classes);
  parts[3] = is_softmax ? sym_op_foreign_with (self, "Softmax", parts[3], "axis", 2)
                        : sym_op_lower_unary (self, "Sigmoid", parts[3]);
  x = sym_op_lower_call (self, "Concat", SYM_IDS (parts[0], parts[1], parts[2], parts[3]), "axis",
                         sym_value_new_int (2), NULL);
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_reshape (self, x, whole, is_softmax ? 2 : 4, TRUE));
}

/* ---- Table ---- */

static const SymSlotSpec statistics_slots[] = {
  { "data" },
  { "weights", SYM_SLOT_PARAMETER },
  { "biases", SYM_SLOT_PARAMETER },
  { NULL },
};
static const SymSlotSpec scaled_slots[] = {
  { "data" },
  { "weights", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "local-size", SYM_ATTRIBUTE_INT, "5", "channels, or places along a side" },
  { "region", SYM_ATTRIBUTE_STRING, "across", "across channels, or places of the same one" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the mean of squares" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent" },
  { "k", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the mean" },
  { NULL },
};
static const SymAttributeSpec epsilon_attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};
static const SymAttributeSpec grn_attributes[] = {
  { "bias", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the sum of squares" },
  { NULL },
};
static const SymAttributeSpec normalize_attributes[] = {
  { "across_spatial", SYM_ATTRIBUTE_BOOL, "True", "whether places count, not only channels" },
  { "channel_shared", SYM_ATTRIBUTE_BOOL, "False", "whether all channels have one weight" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-10", "added to the sum of squares" },
  { NULL },
};
static const SymAttributeSpec mvn_attributes[] = {
  { "across_channels", SYM_ATTRIBUTE_BOOL, "False", "whether channels count, not only places" },
  { "normalize_variance", SYM_ATTRIBUTE_BOOL, "True", "whether it is divided by the deviation" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-09", "added to the variance" },
  { NULL },
};
static const SymAttributeSpec tile_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "tiles", SYM_ATTRIBUTE_INT, "1", "how many times" },
  { NULL },
};
static const SymAttributeSpec interp_attributes[] = {
  { "height", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "width", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "sizes", SYM_ATTRIBUTE_INTS, "None", "rows and columns that the file stores of the result" },
  { "factor", SYM_ATTRIBUTE_FLOAT, "0.0", "of rows and columns that are not told; 0: none" },
  { "zoom_factor", SYM_ATTRIBUTE_INT, "0", "how much finer the result is" },
  { "shrink_factor", SYM_ATTRIBUTE_INT, "0", "how much coarser the result is" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "True", "whether corners stay corners" },
  { "pad_beg", SYM_ATTRIBUTE_INT, "0", "added before" },
  { "pad_end", SYM_ATTRIBUTE_INT, "0", "added after" },
  { NULL },
};
static const SymAttributeSpec region_attributes[] = {
  { "coords", SYM_ATTRIBUTE_INT, "4", "numbers of a place" },
  { "classes", SYM_ATTRIBUTE_INT, "20", "how many there are" },
  { "num", SYM_ATTRIBUTE_INT, "1", "boxes at each place" },
  { "mask", SYM_ATTRIBUTE_INTS, "None", "which boxes, where there is no softmax" },
  { "do_softmax", SYM_ATTRIBUTE_BOOL, "True", "whether classes exclude each other" },
  { NULL },
};

#define OLD(name_, summary_, category_, slots_, attributes_, lower_) \
  OLD_TOO (name_, NULL, summary_, category_, slots_, attributes_, lower_)
#define OLD_TOO(name_, aliases_, summary_, category_, slots_, attributes_, lower_)           \
  {                                                                                          \
    SYM_OP_FOREIGN ("openvino-old", name_, aliases_, summary_, category_),                   \
        .reference = "OpenVINO IR 7 " name_, .slots = slots_, .attributes = attributes_,     \
        .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_ \
  }

#define ONE sym_op_foreign_one

const SymOperator sym_op_openvino_old_norm[] = {
  OLD_TOO ("Norm", "LRN", "Local response norm", NORMALIZATION, ONE, norm_attributes, lower_norm),
  OLD ("BatchNormalization",
       "Normalization by mean and variance",
       NORMALIZATION,
       statistics_slots,
       epsilon_attributes,
       lower_batch_norm),
  OLD ("GRN", "Channels of length 1", NORMALIZATION, ONE, grn_attributes, lower_grn),
  OLD ("Normalize",
       "Vectors of length 1, times weights",
       NORMALIZATION,
       scaled_slots,
       normalize_attributes,
       lower_normalize),
  OLD ("MVN", "Mean 0 and variance 1", NORMALIZATION, ONE, mvn_attributes, lower_mvn),
  OLD ("Tile", "The data several times", SHAPE, ONE, tile_attributes, lower_tile),
  OLD ("Interp", "Another size, bilinear", SHAPE, ONE, interp_attributes, lower_interp),
  OLD ("RegionYolo", "Boxes and classes of YOLO", OTHER, ONE, region_attributes, lower_region),
  OPENVINO_LOWERED ("RegionYolo",
                    NULL,
                    "Boxes and classes of YOLO",
                    OTHER,
                    ONE,
                    region_attributes,
                    lower_region),
  { NULL },
};
