/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Images and their likes of other sizes: [batch, channels, axes...]. */

static int
get_rank (SymOpLower *self)
{
  return sym_op_lower_get_input_shape (self, 0)->rank;
}

/* ---- upsample ---- */

/* upsample_bilinear2d */
static int
count_axes (const char *type)
{
  for (const char *c = type; *c != '\0'; c++)
    if (c[0] >= '1' && c[0] <= '3' && c[1] == 'd')
      return c[0] - '0';
  return 0;
}

/* floor (size * factor) of each axis, by the list of factors or by scale and mode. */
static gboolean
scale_sizes (const SymAttributes *attributes, const SymShape *shape, int n, SymDim *sizes)
{
  const SymValue *list = sym_attributes_find (attributes, "scale_factors");

  for (int i = 0; i < n; i++)
    sizes[i] = SYM_DIM_UNKNOWN;
  if (list == NULL || sym_value_get_n_children (list) != (guint) n || shape->rank < n)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      SymDim size = shape->dims[shape->rank - n + i];
      double factor;

      if (sym_value_get_float (sym_value_get_child (list, (guint) i), &factor) && size >= 0 &&
          factor > 0 && (double) size * factor < G_MAXINT32)
        sizes[i] = (SymDim) ((double) size * factor);
    }
  return TRUE;
}

static gboolean
infer_upsample (SymRule *rule, GError **error)
{
  int n = count_axes (sym_rule_get_type (rule)), open;
  SymShape output = sym_rule_get_input (rule, 0);
  SymDim sizes[SYM_MAX_RANK];
  int given = sym_op_aten_get_sizes (rule, "output_size", sizes, &open);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (output.rank < 0)
    return TRUE;
  if (output.rank != n + 2)
    return sym_rule_fail (error, "data of %d axes", output.rank);
  if (given != n && !scale_sizes (sym_rule_get_attributes (rule), &output, n, sizes))
    return TRUE;
  for (int i = 0; i < n; i++)
    output.dims[2 + i] = sizes[i];
  return sym_rule_set_output (rule, 0, &output, error);
}

/* Whether factors were told, by which places are computed then, rather than by sizes. */
static gboolean
get_factors (SymOpLower *self, int n, double *factors)
{
  static const char *const names[3][3] = { { "scales" },
                                           { "scales_h", "scales_w" },
                                           { "scales_d", "scales_h", "scales_w" } };
  const SymValue *list = sym_attributes_find (sym_op_aten_attributes (self), "scale_factors");

  for (int i = 0; i < n; i++)
    if (list != NULL && sym_value_get_n_children (list) == (guint) n)
      {
        if (!sym_value_get_float (sym_value_get_child (list, (guint) i), &factors[i]))
          return FALSE;
      }
    else if (sym_op_aten_has (self, names[n - 1][i]))
      factors[i] = sym_op_lower_get_float (self, names[n - 1][i], 1);
    else
      return FALSE;
  return TRUE;
}

static SymId
make_factors (SymOpLower *self, const double *factors, int n)
{
  float scales[5] = { 1, 1 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (n + 2), scales };

  for (int i = 0; i < n; i++)
    scales[2 + i] = (float) factors[i];
  return sym_op_lower_array (self, &array);
}

static const char *
get_mode (const char *type)
{
  return strstr (type, "nearest") != NULL   ? "nearest"
         : strstr (type, "bicubic") != NULL ? "cubic"
                                            : "linear";
}

/* Of factors, the sizes that they come to; between corners only these count. */
static SymId
scale_to_sizes (SymOpLower *self, int n)
{
  SymDim sizes[SYM_MAX_RANK];

  scale_sizes (sym_op_aten_attributes (self), sym_op_lower_get_input_shape (self, 0), n, sizes);
  for (int i = 0; i < n; i++)
    if (sizes[i] < 0)
      sym_op_lower_refuse (self, "%s: the size of an axis is not known",
                           sym_op_lower_get_type (self));
  return sym_op_lower_ints (self, sizes, n);
}

static SymId
make_sizes (SymOpLower *self, int n)
{
  SymId parts[2];

  parts[0] =
      sym_op_lower_slice (self, sym_op_aten_shape (self, sym_op_lower_input (self, 0)), 0, 0, 2, 1);
  parts[1] = sym_op_aten_has (self, "output_size") ? sym_op_aten_sizes (self, "output_size", 0)
                                                   : scale_to_sizes (self, n);
  return sym_op_aten_lay (self, parts, 2, 0);
}

/* ATen's nearest takes the element at floor (i / factor), "exact" the one at the centre; the others
 * align the centres of elements, or those of the corners. */
static void
lower_upsample (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self), *mode = get_mode (type);
  gboolean is_nearest = strcmp (mode, "nearest") == 0;
  gboolean is_exact = strstr (type, "exact") != NULL;
  gboolean aligned = sym_op_lower_get_bool (self, "align_corners", FALSE);
  int n = count_axes (type);
  gboolean has_sizes = sym_op_aten_has (self, "output_size") || aligned;
  double factors[3];

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (get_rank (self) != n + 2 || (!has_sizes && !get_factors (self, n, factors)))
    {
      sym_op_lower_fail (self, "%s: data of %d axes, or no size", type, get_rank (self));
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Resize",
                         SYM_IDS (sym_op_lower_input (self, 0), SYM_NO_ID,
                                  has_sizes ? SYM_NO_ID : make_factors (self, factors, n),
                                  has_sizes ? make_sizes (self, n) : SYM_NO_ID),
                         "mode", sym_value_new_string (mode), "coordinate_transformation_mode",
                         sym_value_new_string (is_nearest && !is_exact ? "asymmetric"
                                               : aligned               ? "align_corners"
                                               : is_nearest            ? "half_pixel"
                                                                       : "pytorch_half_pixel"),
                         "nearest_mode",
                         sym_value_new_string (is_exact ? "round_prefer_ceil" : "floor"),
                         "antialias", sym_value_new_int (strstr (type, "_aa") != NULL), NULL));
}

/* ---- pixel_shuffle ---- */

/* [..., r r c, h, w] to [..., c, r h, r w]. */
static void
lower_shuffle (SymOpLower *self)
{
  gboolean back = strstr (sym_op_lower_get_type (self), "unshuffle") != NULL;
  gint64 r = sym_op_lower_get_int (self, back ? "downscale_factor" : "upscale_factor", 0);
  SymId x = sym_op_lower_input (self, 0);
  int rank = get_rank (self);
  gint64 channels, height, width;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (r < 1 || r > G_MAXINT16 || (rank != 3 && rank != 4))
    {
      sym_op_lower_refuse (self, "%s: data of %d axes by %" G_GINT64_FORMAT,
                           sym_op_lower_get_type (self), rank, r);
      return;
    }
  if (rank == 3)
    x = sym_op_aten_unsqueeze (self, x, 0);
  if (!back)
    x = sym_op_lower_call (self, "DepthToSpace", SYM_IDS (x), "blocksize", sym_value_new_int (r),
                           "mode", sym_value_new_string ("CRD"), NULL);
  else if (sym_op_aten_need_size (self, 0, rank - 3, &channels) &&
           sym_op_aten_need_size (self, 0, rank - 2, &height) &&
           sym_op_aten_need_size (self, 0, rank - 1, &width))
    {
      gint64 split[] = { -1, channels, height / r, r, width / r, r };
      gint64 joined[] = { -1, channels * r * r, height / r, width / r };

      x = sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, split, 6));
      x = sym_op_lower_transpose (self, x, 6, 0, 1, 3, 5, 2, 4);
      x = sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, joined, 4));
    }
  sym_op_lower_set_output (self, 0, rank == 3 ? sym_op_aten_squeeze (self, x, 0) : x);
}

/* Channels of groups, one of each group in turn. */
static void
lower_channel_shuffle (SymOpLower *self)
{
  gint64 groups = sym_op_lower_get_int (self, "groups", 1), channels;
  SymId x = sym_op_lower_input (self, 0), shape;
  gint64 whole[3] = { 0, 0, -1 };

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_aten_need_size (self, 0, 1, &channels))
    return;
  if (groups < 1 || channels % groups != 0)
    {
      sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " channels in %" G_GINT64_FORMAT " groups",
                         sym_op_lower_get_type (self), channels, groups);
      return;
    }
  shape = sym_op_aten_shape (self, x);
  whole[1] = channels;
  x = sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, whole, 3));
  {
    gint64 split[] = { 0, groups, channels / groups, -1 };

    x = sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, split, 4));
  }
  x = sym_op_lower_transpose (self, x, 4, 0, 2, 1, 3);
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Reshape", x, shape));
}

/* ---- grid_sampler ---- */

static void
lower_grid (SymOpLower *self)
{
  static const char *const modes[] = { "linear", "nearest", "cubic" };
  static const char *const paddings[] = { "zeros", "border", "reflection" };
  gint64 mode = sym_op_lower_get_int (self, "interpolation_mode", 0);
  gint64 padding = sym_op_lower_get_int (self, "padding_mode", 0);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (mode < 0 || mode > 2 || padding < 0 || padding > 2)
    {
      sym_op_lower_fail (self, "%s: there is no mode %" G_GINT64_FORMAT,
                         sym_op_lower_get_type (self), mode);
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "GridSample", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
          "mode", sym_value_new_string (modes[mode]), "padding_mode",
          sym_value_new_string (paddings[padding]), "align_corners",
          sym_value_new_int (sym_op_lower_get_bool (self, "align_corners", FALSE)), NULL));
}

static const SymSlotSpec grid_slots[] = { { "input" }, { "grid" }, { NULL } };

static const SymAttributeSpec upsample_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_ANY, "None", "sizes of the last axes" },
  { "scale_factors", SYM_ATTRIBUTE_FLOATS, "None", "in place of sizes: how many times larger" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the corners' elements stay" },
  { NULL },
};

static const SymAttributeSpec shuffle_attributes[] = {
  { "upscale_factor", SYM_ATTRIBUTE_INT, "None", "how much larger it becomes" },
  { "downscale_factor", SYM_ATTRIBUTE_INT, "None", "how much smaller it becomes" },
  { NULL },
};

static const SymAttributeSpec channel_attributes[] = {
  { "groups", SYM_ATTRIBUTE_INT, NULL, "groups of channels" },
  { NULL },
};

static const SymAttributeSpec grid_attributes[] = {
  { "interpolation_mode", SYM_ATTRIBUTE_INT, "0", "0 linear, 1 nearest, 2 cubic" },
  { "padding_mode", SYM_ATTRIBUTE_INT, "0", "beyond the edge: 0 zeros, 1 the edge, 2 a mirror" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether -1 and 1 are the corners' centres" },
  { NULL },
};

#define RESIZE(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,              \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE,        \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_resize[] = {
  RESIZE ("upsample_nearest2d",
          "aten.upsample_nearest1d aten.upsample_nearest3d aten._upsample_nearest_exact1d "
          "aten._upsample_nearest_exact2d aten._upsample_nearest_exact3d aten.upsample_linear1d "
          "aten.upsample_bilinear2d aten.upsample_trilinear3d aten.upsample_bicubic2d "
          "aten._upsample_bilinear2d_aa aten._upsample_bicubic2d_aa",
          "Larger or smaller images",
          upsample_attributes,
          sym_op_aten_self,
          infer_upsample,
          lower_upsample),
  RESIZE ("upsample_nearest2d.vec",
          "aten.upsample_nearest1d.vec aten.upsample_nearest3d.vec "
          "aten._upsample_nearest_exact1d.vec aten._upsample_nearest_exact2d.vec "
          "aten._upsample_nearest_exact3d.vec aten.upsample_linear1d.vec "
          "aten.upsample_bilinear2d.vec aten.upsample_trilinear3d.vec "
          "aten.upsample_bicubic2d.vec aten._upsample_bilinear2d_aa.vec "
          "aten._upsample_bicubic2d_aa.vec",
          "Larger or smaller images",
          upsample_attributes,
          sym_op_aten_input,
          infer_upsample,
          lower_upsample),
  RESIZE ("pixel_shuffle",
          "aten.pixel_unshuffle",
          "Channels become places, or places channels",
          shuffle_attributes,
          sym_op_aten_self,
          sym_op_infer_lowered,
          lower_shuffle),
  RESIZE ("channel_shuffle",
          NULL,
          "Channels of groups in turn",
          channel_attributes,
          sym_op_aten_self,
          sym_op_infer_lowered,
          lower_channel_shuffle),
  RESIZE ("grid_sampler_2d",
          "aten.grid_sampler aten.grid_sampler_3d",
          "Reads at given places",
          grid_attributes,
          grid_slots,
          sym_op_infer_lowered,
          lower_grid),
  { NULL },
};
