/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* QNN's norms, moments, random numbers, and images taken at other places. */

#define EPSILON 1e-6

static double
get_epsilon (SymOpLower *self)
{
  return sym_op_lower_get_float (self, "epsilon", EPSILON);
}

/* Numbers of each channel where there are none: @number. */
static SymId
read_channels (SymOpLower *self, guint i, double number)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymShape shape = SYM_SHAPE (rank < 1 ? 1 : sym_op_foreign_size (self, 0, rank - 1));

  return sym_op_lower_has_input (self, i)
             ? sym_op_engine_real (self, i)
             : sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &shape, number);
}

/* A layer of ONNX on channels that are last, with factors and summands of each. */
static void
set_normed (SymOpLower *self, const char *onnx, const char *key, gint64 value)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_foreign_channels_first (self, sym_op_engine_real (self, 0), rank);
  SymIds operands = SYM_IDS (x, read_channels (self, 1, 1), read_channels (self, 2, 0));

  if (key == NULL)
    x = sym_op_lower_call (self, onnx, operands, "epsilon",
                           sym_value_new_float (get_epsilon (self)), NULL);
  else
    x = sym_op_lower_call (self, onnx, operands, "epsilon",
                           sym_value_new_float (get_epsilon (self)), key, sym_value_new_int (value),
                           NULL);
  sym_op_engine_set (self, sym_op_foreign_channels_last (self, x, rank));
}

/* What is not said in ONNX has the shape of the data. */
static gboolean
keeps_shape (SymOpLower *self, gboolean is_said)
{
  if (sym_op_lower_is_rule (self))
    {
      sym_op_engine_set (self, sym_op_engine_real (self, 0));
      return TRUE;
    }
  if (!is_said)
    sym_op_lower_refuse (self, "%s: its attributes are not lowered", sym_op_lower_get_type (self));
  return !is_said;
}

static void
lower_instance_norm (SymOpLower *self)
{
  gboolean is_plain = sym_op_lower_get_int (self, "mode", 0) == 0 &&
                      sym_op_lower_get_int (self, "region", 0) == 0 &&
                      sym_op_lower_get_bool (self, "normalize_variance", TRUE);

  if (!keeps_shape (self, is_plain && sym_op_foreign_rank (self, 0) > 2))
    set_normed (self, "InstanceNormalization", NULL, 0);
}

static void
lower_group_norm (SymOpLower *self)
{
  gint64 groups = sym_op_lower_get_int (self, "group", 0);

  if (!keeps_shape (self, groups > 0 && sym_op_foreign_rank (self, 0) > 2))
    set_normed (self, "GroupNormalization", "num_groups", groups);
}

static SymId
square (SymOpLower *self, SymId x)
{
  return sym_op_lower_binary (self, "Mul", x, x);
}

/* x / sqrt (mean of x * x + epsilon), over the last axes, with factors and summands of theirs. */
static void
lower_rms_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axes[SYM_MAX_RANK], first = rank;
  int n = sym_op_foreign_list (self, "axes", axes);
  SymId x = sym_op_engine_real (self, 0), mean;

  for (int i = 0; i < n; i++)
    first = MIN (first, axes[i]);
  if (keeps_shape (self, n > 0 && first == rank - n))
    return;
  mean = sym_op_lower_reduce (self, "ReduceMean", square (self, x), axes, n, TRUE);
  mean = sym_op_lower_binary (self, "Add", mean,
                              sym_op_lower_number (self, SYM_DTYPE_FLOAT32, get_epsilon (self)));
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", mean));
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_binary (self, "Mul", x, sym_op_engine_real (self, 1));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, 2));
  sym_op_engine_set (self, x);
}

/* Mean and variance. */
static void
lower_moments (SymOpLower *self)
{
  gboolean keep = sym_op_lower_get_bool (self, "keep_dims", FALSE);
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axes", axes);
  SymId x = sym_op_engine_real (self, 0), mean;

  mean = sym_op_foreign_reduce (self, "ReduceMean", x, rank, axes, n < 1 ? -1 : n, TRUE);
  sym_op_engine_set (
      self, sym_op_foreign_reduce (self, "ReduceMean", x, rank, axes, n < 1 ? -1 : n, keep));
  x = square (self, sym_op_lower_binary (self, "Sub", x, mean));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_foreign_reduce (self, "ReduceMean", x, rank, axes, n < 1 ? -1 : n, keep));
}

static void
lower_shuffle (SymOpLower *self)
{
  sym_op_engine_set_shuffled (self,
                              sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0)),
                              sym_op_lower_get_int (self, "num_groups", 0));
}

static void
lower_random (SymOpLower *self)
{
  gboolean is_uniform = g_str_equal (sym_op_lower_get_type (self), "RandomUniformLike");
  const char *const names[2][2] = { { "mean", "scale" }, { "low", "high" } };
  const char *const *own = names[is_uniform];

  sym_op_engine_set (
      self, sym_op_lower_call (
                self, sym_op_lower_get_type (self), SYM_IDS (sym_op_engine_real (self, 0)), own[0],
                sym_value_new_float (sym_op_lower_get_float (self, own[0], 0)), own[1],
                sym_value_new_float (sym_op_lower_get_float (self, own[1], 1)), NULL));
}

/* Channels are last, in what is taken as in what is made. */
static void
lower_grid (SymOpLower *self)
{
  static const char *const modes[] = { "linear", "nearest" };
  static const char *const pads[] = { "zeros", "border", "reflection" };
  gint64 mode = sym_op_lower_get_int (self, "mode", 0);
  gint64 pad = sym_op_lower_get_int (self, "padding_mode", 0);
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_foreign_channels_first (self, sym_op_engine_real (self, 0), rank);

  if (mode < 0 || mode > 1 || pad < 0 || pad > 2)
    sym_op_lower_refuse (self, "GridSample: its modes are not known");
  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 1))
    return;
  x = sym_op_lower_call (self, "GridSample", SYM_IDS (x, sym_op_engine_real (self, 1)), "mode",
                         sym_value_new_string (modes[mode]), "padding_mode",
                         sym_value_new_string (pads[pad]), "align_corners",
                         sym_value_new_int (sym_op_lower_get_bool (self, "align_corners", FALSE)),
                         NULL);
  sym_op_engine_set (self, sym_op_foreign_channels_last (self, x, rank));
}

/* boxes [n, 4] of images with channels last. */
static gboolean
infer_crop (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), boxes = sym_rule_get_input (rule, 1);
  gint64 sizes[2];
  int n = sym_rule_get_ints (rule, "resize_dims", sizes, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank >= 0 && data.rank != 4)
    return sym_rule_fail (error, "images have 4 axes, not %d", data.rank);
  if (n != 2 || MIN (sizes[0], sizes[1]) < 1 || MAX (sizes[0], sizes[1]) > G_MAXINT32)
    return sym_rule_fail (error, "resize_dims should have 2 sizes");
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (boxes.rank == 2 ? boxes.dims[0] : SYM_DIM_UNKNOWN, sizes[0],
                                       sizes[1], data.rank == 4 ? data.dims[3] : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_UNKNOWN, error);
}

static void
lower_same (SymOpLower *self)
{
  keeps_shape (self, FALSE);
}

/* ---- Table ---- */

static const SymSlotSpec grid_slots[] = { { "input" }, { "grid" }, { NULL } };
static const SymSlotSpec crop_slots[] = { { "input" }, { "boxes" }, { "batch" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "over which" },
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to the variance" },
  { "group", SYM_ATTRIBUTE_INT, "None", "groups of channels" },
  { "num_groups", SYM_ATTRIBUTE_INT, "None", "groups of channels" },
  { "mode", SYM_ATTRIBUTE_INT, "0", "which kind" },
  { "region", SYM_ATTRIBUTE_INT, "0", "0: each channel, 1: each place, 2: all" },
  { "normalize_variance", SYM_ATTRIBUTE_BOOL, "True", "whether the variance becomes 1" },
  { "padding_mode", SYM_ATTRIBUTE_INT, "0", "0 zeros, 1 border, 2 reflection" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the corners meet" },
  { "resize_dims", SYM_ATTRIBUTE_INTS, "None", "rows and columns of what is cut out" },
  { "low", SYM_ATTRIBUTE_FLOAT, "0.0", "the least number" },
  { "high", SYM_ATTRIBUTE_FLOAT, "1.0", "what no number reaches" },
  { "mean", SYM_ATTRIBUTE_FLOAT, "0.0", "the middle" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "the standard deviation" },
  { NULL },
};

#define MORE(name_, aliases_, summary_, category_, slots_, lower_)                            \
  SYM_OP_ENGINE ("qnn", "QNN 2.20", name_, aliases_, summary_, category_, slots_, attributes, \
                 lower_)
#define FORMULA(name_, summary_, slots_, formula_)                                      \
  {                                                                                     \
    SYM_OP_FOREIGN ("qnn", name_, NULL, summary_, ELEMENTWISE),                         \
        .reference = "QNN 2.20 " name_, .slots = slots_, .infer = sym_op_infer_lowered, \
        .lower = sym_op_engine_lower_formula, .formula = formula_                       \
  }

const SymOperator sym_op_qnn_more[] = {
  MORE ("InstanceNorm",
        NULL,
        "Each channel with mean 0 and variance 1",
        NORMALIZATION,
        sym_op_engine_weighted,
        lower_instance_norm),
  MORE ("GroupNorm",
        NULL,
        "Groups of channels with mean 0 and variance 1",
        NORMALIZATION,
        sym_op_engine_weighted,
        lower_group_norm),
  MORE ("RmsNorm",
        NULL,
        "The last axes divided by the root of their mean square",
        NORMALIZATION,
        sym_op_engine_weighted,
        lower_rms_norm),
  MORE ("L2Norm",
        "Lrn",
        "Numbers of the shape of the data",
        NORMALIZATION,
        sym_op_foreign_one,
        lower_same),
  MORE ("Moments", NULL, "Mean and variance", POOLING, sym_op_foreign_one, lower_moments),
  MORE ("ChannelShuffle",
        NULL,
        "Channels of each group by turns",
        SHAPE,
        sym_op_foreign_one,
        lower_shuffle),
  MORE ("RandomUniformLike",
        "RandomNormalLike",
        "Random numbers of the shape of the data",
        OTHER,
        sym_op_foreign_one,
        lower_random),
  MORE ("GridSample", NULL, "Images at other places", SHAPE, grid_slots, lower_grid),
  { SYM_OP_FOREIGN ("qnn", "CropAndResize", NULL, "Parts of images, of one size", SHAPE),
    .reference = "QNN 2.20 CropAndResize", .slots = crop_slots, .attributes = attributes,
    .get_n_operands = sym_op_foreign_any, .infer = infer_crop },
  FORMULA ("ElementWiseXor", "Where one holds alone", sym_op_foreign_two, "Xor (a, b)"),
  FORMULA ("ElementWiseFmod",
           "Remainder with the sign of the first one",
           sym_op_foreign_two,
           "Mod (a, b, fmod=1)"),
  FORMULA ("IsNan", "Where there is no number", sym_op_foreign_one, "IsNaN (a)"),
  { NULL },
};
