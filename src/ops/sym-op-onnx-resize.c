/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-resize-target.h"
#include "ops/sym-op-resize.h"
#include "ops/sym-op-table.h"

/* Resize and Upsample: other sizes for axes, elements read between those that there are.  Axes are
 * resized one after the other in double: all modes are products of one factor for each axis. */

#define MODE(values_)                                                                        \
  {                                                                                          \
    "mode", SYM_ATTRIBUTE_STRING, "nearest", "how elements between others are read", values_ \
  }

static const SymAttributeSpec upsample_attributes_1[] = {
  { "height_scale", SYM_ATTRIBUTE_FLOAT, NULL, "factor of the third axis" },
  MODE ("nearest bilinear"),
  { "width_scale", SYM_ATTRIBUTE_FLOAT, NULL, "factor of the fourth axis" },
  { NULL },
};

static const SymAttributeSpec upsample_attributes_7[] = {
  MODE ("nearest linear"),
  { "scales", SYM_ATTRIBUTE_FLOATS, NULL, "factors of all axes" },
  { NULL },
};

static const SymAttributeSpec mode_attributes[] = { MODE ("nearest linear"), { NULL } };

#define COMMON_11                                                                              \
  { "coordinate_transformation_mode", SYM_ATTRIBUTE_STRING, "half_pixel",                      \
    "which place of X a place of Y stands for" },                                              \
      { "cubic_coeff_a", SYM_ATTRIBUTE_FLOAT, "-0.75", "the coefficient of cubic weights" },   \
      { "exclude_outside", SYM_ATTRIBUTE_INT, "0", "whether places beyond X have no weight" }, \
      { "extrapolation_value", SYM_ATTRIBUTE_FLOAT, "0.0",                                     \
        "what is beyond the region of interest" },                                             \
      MODE ("nearest linear cubic"),                                                           \
  {                                                                                            \
    "nearest_mode", SYM_ATTRIBUTE_STRING, "round_prefer_floor", "how places are rounded",      \
        "round_prefer_floor round_prefer_ceil floor ceil"                                      \
  }

static const SymAttributeSpec resize_attributes_11[] = { COMMON_11, { NULL } };
static const SymAttributeSpec resize_attributes_18[] = {
  COMMON_11,
  { "antialias", SYM_ATTRIBUTE_INT, "0", "whether what shrinks is smoothed" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that roi, scales and sizes tell of; all by default" },
  { "keep_aspect_ratio_policy", SYM_ATTRIBUTE_STRING, "stretch", "how sizes are meant",
    "stretch not_larger not_smaller" },
  { NULL },
};

static const SymSlotSpec scales_slots[] = { { "X" }, { "scales" }, { NULL } };
static const SymSlotSpec resize_slots[] = {
  { "X" },
  { "roi", .optional = TRUE },
  { "scales", .optional = TRUE },
  { "sizes", .optional = TRUE },
  { NULL },
};

/* ---- One axis ---- */

typedef enum { NEAREST, LINEAR, CUBIC } Mode;

typedef struct {
  Mode mode;
  const char *transformation, *nearest_mode;
  double a, outside;
  gboolean excludes, antialiases;
} Method;

/* The place in X that place @i of Y stands for. */
static double
find_place (const Method *method,
            const SymOpResizeTarget *target,
            const SymShape *from,
            int axis,
            gint64 i)
{
  const SymOpResizeAxis of = { (double) from->dims[axis], (double) target->to.dims[axis],
                               target->scale[axis], target->roi_start[axis],
                               target->roi_end[axis] };

  return sym_op_resize_find_place (method->transformation, &of, i);
}

/* The sum of the elements around place @x, each with its weight; beyond the ends the last one
 * repeats.  @step parts neighbours. */
static double
interpolate (const Method *method,
             const double *row,
             gsize step,
             gint64 size,
             double x,
             double scale)
{
  double shrink = method->antialiases && scale < 1 ? scale : 1;
  double reach = (method->mode == LINEAR ? 1 : 2) / shrink, sum = 0, weights = 0;
  gint64 first = (gint64) floor (x - reach) + 1, last = (gint64) ceil (x + reach) - 1;

  for (gint64 k = MAX (first, -4 * size - 8); k <= MIN (last, 5 * size + 8); k++)
    {
      gboolean is_outside = k < 0 || k >= size;
      double weight =
          sym_op_resize_weigh (method->mode == CUBIC, method->a, ((double) k - x) * shrink);

      if (is_outside && method->excludes)
        continue;
      weights += weight;
      sum += weight * row[(gsize) CLAMP (k, 0, size - 1) * step];
    }
  return weights == 0 ? 0 : sum / weights;
}

/* Numbers [outer, size, inner] to [outer, places, inner]; @is_out marks places without data. */
static gboolean
resize_axis (SymKernel *kernel,
             const Method *method,
             const SymOpResizeTarget *target,
             const SymShape *from,
             int axis,
             const double *x,
             double *y,
             SymOpAxis all,
             GError **error)
{
  gsize places = (gsize) target->to.dims[axis], asked = 0;
  gint64 size = (gint64) all.size;
  gboolean crops = g_str_equal (method->transformation, "tf_crop_and_resize");

  for (gsize i = 0; i < places; i++)
    {
      double place = find_place (method, target, from, axis, (gint64) i), rounded;
      gboolean is_out = crops && !(place >= 0 && place <= (double) (size - 1));

      place = CLAMP (place, -4.0 * (double) size - 8, 5.0 * (double) size + 8);
      if (!(place == place))
        place = 0;
      rounded = sym_op_resize_round (method->nearest_mode, place);
      rounded = CLAMP (rounded, 0, (double) (size - 1));
      for (gsize o = 0; o < all.outer; o++)
        {
          const double *block = x + o * all.size * all.inner;
          double *to = y + (o * places + i) * all.inner;

          if (!sym_op_go_on (kernel, &asked, all.inner * 8, error))
            return FALSE;
          for (gsize k = 0; k < all.inner; k++)
            to[k] = is_out                    ? method->outside
                    : method->mode == NEAREST ? block[(gsize) rounded * all.inner + k]
                                              : interpolate (method, block + k, all.inner, size,
                                                             place, target->scale[axis]);
        }
    }
  return TRUE;
}

static gboolean
resize (SymKernel *kernel,
        const SymArray *x,
        const Method *method,
        const SymOpResizeTarget *target,
        GError **error)
{
  SymShape now = x->shape;
  const double *from;
  double *to = NULL;
  SymArray *y;

  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &target->to, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  if (sym_array_get_n_elements (x) == 0)
    return sym_kernel_fail (error, "there are no elements to make more of");
  from = sym_op_read_as (kernel, x, SYM_DTYPE_FLOAT64, error);
  for (int axis = 0; axis < now.rank && from != NULL; axis++)
    {
      gboolean is_whole = target->to.dims[axis] == now.dims[axis] && target->scale[axis] == 1 &&
                          target->roi_start[axis] == 0 && target->roi_end[axis] == 1;
      SymOpAxis all = sym_op_split_axis (&now, axis);
      gsize n;

      if (is_whole)
        continue;
      if (!g_size_checked_mul (&n, all.outer * all.inner, (gsize) target->to.dims[axis]))
        return sym_kernel_fail (error, "the result has too many elements");
      to = sym_kernel_get_scratch (kernel, n, sizeof (double), error);
      if (to == NULL ||
          !resize_axis (kernel, method, target, &x->shape, axis, from, to, all, error))
        return FALSE;
      now.dims[axis] = target->to.dims[axis];
      from = to;
    }
  if (from == NULL)
    return FALSE;
  sym_convert_elements (SYM_DTYPE_FLOAT64, from, y->dtype, y->data, sym_array_get_n_elements (y));
  return TRUE;
}

static gboolean
read_method (SymKernel *kernel, Method *method, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "mode", "nearest");

  *method = (Method){
    .transformation =
        sym_kernel_get_string (kernel, "coordinate_transformation_mode", "half_pixel"),
    .nearest_mode = sym_kernel_get_string (kernel, "nearest_mode", "round_prefer_floor"),
    .a = sym_kernel_get_float (kernel, "cubic_coeff_a", -0.75),
    .outside = sym_kernel_get_float (kernel, "extrapolation_value", 0),
    .excludes = sym_kernel_get_bool (kernel, "exclude_outside", FALSE),
    .antialiases = sym_kernel_get_bool (kernel, "antialias", FALSE),
  };
  if (g_str_equal (mode, "nearest"))
    method->mode = NEAREST;
  else if (g_str_equal (mode, "linear") || g_str_equal (mode, "bilinear"))
    method->mode = LINEAR;
  else if (g_str_equal (mode, "cubic"))
    method->mode = CUBIC;
  else
    return sym_kernel_fail (error, "there is no mode \"%s\"", mode);
  return TRUE;
}

static gboolean
run_resize (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpResizeTarget target;
  Method method;

  return x != NULL && read_method (kernel, &method, error) &&
         sym_op_resize_read (kernel, &x->shape,
                             g_str_equal (method.transformation, "tf_crop_and_resize"), &target,
                             error) &&
         resize (kernel, x, &method, &target, error);
}

/* Upsample, and Resize before version 11: the element at the place divided by the scale. */
static gboolean
run_scaled (SymKernel *kernel, const double *scales, int n, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  int axes[SYM_MAX_RANK];
  SymOpResizeTarget target;
  Method method;

  if (x == NULL || !read_method (kernel, &method, error))
    return FALSE;
  method.transformation = "asymmetric";
  method.nearest_mode = "floor";
  for (int i = 0; i < SYM_MAX_RANK; i++)
    axes[i] = i;
  sym_op_resize_begin (&target, &x->shape);
  return sym_op_resize_apply_scales (&target, &x->shape, scales, n, axes, x->shape.rank, error) &&
         resize (kernel, x, &method, &target, error);
}

static gboolean
run_operand_scales (SymKernel *kernel, GError **error)
{
  const double *scales;
  int n;

  return sym_op_resize_read_floats (kernel, 1, &scales, &n, error) &&
         run_scaled (kernel, scales, n, error);
}

static gboolean
run_upsample_7 (SymKernel *kernel, GError **error)
{
  double scales[SYM_MAX_RANK];
  int n = sym_kernel_get_floats (kernel, "scales", scales, SYM_MAX_RANK);

  return run_scaled (kernel, scales, n, error);
}

static gboolean
run_upsample_1 (SymKernel *kernel, GError **error)
{
  double scales[] = { 1, 1, sym_kernel_get_float (kernel, "height_scale", 0),
                      sym_kernel_get_float (kernel, "width_scale", 0) };

  return run_scaled (kernel, scales, 4, error);
}

/* ---- Rules ---- */

static SymDim
scale_size (SymRule *rule, SymDim size, double scale)
{
  double scaled = floor ((double) size * scale);

  if (size >= 0)
    return scale > 0 && scaled < 0x1p62 ? (SymDim) scaled : SYM_DIM_UNKNOWN;
  if (scale >= 1 && scale < 0x1p31 && floor (scale) == scale)
    return sym_terms_multiply (sym_rule_get_terms (rule), size, (gint64) scale);
  return SYM_DIM_UNKNOWN;
}

/* The axes that scales or sizes tell of, in their order: all of them, or those of `axes`. */
static gboolean
list_told_axes (SymRule *rule, int rank, int *axes, int *n, GError **error)
{
  gint64 given[SYM_MAX_RANK];

  *n =
      sym_rule_get_version (rule) < 18 ? -1 : sym_rule_get_ints (rule, "axes", given, SYM_MAX_RANK);
  if (*n > rank)
    return sym_rule_fail (error, "axes has %d numbers for %d axes", *n, rank);
  for (int i = 0; i < *n; i++)
    if (!sym_op_find_axis (given[i], rank, &axes[i], error))
      return FALSE;
  if (*n >= 0)
    return TRUE;
  *n = rank;
  for (int i = 0; i < rank; i++)
    axes[i] = i;
  return TRUE;
}

static gboolean
set_scaled (SymRule *rule, const double *scales, int n, GError **error)
{
  SymShape to = sym_rule_get_input (rule, 0);
  int axes[SYM_MAX_RANK], n_axes;

  if (to.rank < 0)
    return TRUE;
  if (!list_told_axes (rule, to.rank, axes, &n_axes, error))
    return FALSE;
  if (n != n_axes)
    return TRUE;
  for (int i = 0; i < n; i++)
    to.dims[axes[i]] = scale_size (rule, to.dims[axes[i]], scales[i]);
  return sym_rule_set_output (rule, 0, &to, error);
}

/* Sizes that keep the ratio of the axes follow when all of them are numbers. */
static void
keep_ratio (const SymShape *from, const int *axes, SymDim *sizes, int n, const char *policy)
{
  gboolean is_known = TRUE;
  double common;

  for (int i = 0; i < n; i++)
    is_known = is_known && sizes[i] >= 0 && from->dims[axes[i]] > 0;
  common = is_known ? sym_op_resize_find_common_scale (from, sizes, axes, n, policy) : 0;
  for (int i = 0; i < n; i++)
    sizes[i] =
        is_known ? (SymDim) floor (common * (double) from->dims[axes[i]] + 0.5) : SYM_DIM_UNKNOWN;
}

static gboolean
set_sized (SymRule *rule, SymDim *sizes, int n, GError **error)
{
  const char *policy = sym_rule_get_string (rule, "keep_aspect_ratio_policy", "stretch");
  SymShape from = sym_rule_get_input (rule, 0), to = from;
  int axes[SYM_MAX_RANK], n_axes;

  if (from.rank < 0)
    return TRUE;
  if (!list_told_axes (rule, from.rank, axes, &n_axes, error))
    return FALSE;
  if (n != n_axes)
    return TRUE;
  if (!g_str_equal (policy, "stretch"))
    keep_ratio (&from, axes, sizes, n, policy);
  for (int i = 0; i < n; i++)
    to.dims[axes[i]] = sizes[i];
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer_rank (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);

  return sym_op_pass_dtype (rule, 0, 0, error) &&
         (x.rank < 0 ||
          sym_op_set_output (rule, 0, sym_shape_new_unknown (x.rank), SYM_DTYPE_UNKNOWN, error));
}

static gboolean
infer_upsample_1 (SymRule *rule, GError **error)
{
  const double scales[] = { 1, 1, sym_rule_get_float (rule, "height_scale", 0),
                            sym_rule_get_float (rule, "width_scale", 0) };

  return set_scaled (rule, scales, 4, error) && infer_rank (rule, error);
}

static gboolean
infer_upsample_7 (SymRule *rule, GError **error)
{
  const SymValue *value = sym_attributes_find (sym_rule_get_attributes (rule), "scales");
  guint n = value == NULL ? 0 : sym_value_get_n_children (value);
  double scales[SYM_MAX_RANK];

  for (guint i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    if (!sym_value_get_float (sym_value_get_child (value, i), &scales[i]))
      return infer_rank (rule, error);
  return (n > SYM_MAX_RANK || set_scaled (rule, scales, (int) n, error)) &&
         infer_rank (rule, error);
}

static gboolean
infer_scaled (SymRule *rule, GError **error)
{
  double scales[SYM_MAX_RANK];
  int n = sym_rule_get_input_floats (rule, 1, scales, SYM_MAX_RANK);

  return set_scaled (rule, scales, n, error) && infer_rank (rule, error);
}

/* Axes that scales and sizes do not tell of stay as they are. */
static gboolean
set_others (SymRule *rule, GError **error)
{
  SymShape to = sym_rule_get_input (rule, 0);
  int axes[SYM_MAX_RANK], n;

  if (to.rank < 0)
    return TRUE;
  if (!list_told_axes (rule, to.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    to.dims[axes[i]] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  double scales[SYM_MAX_RANK];
  int n_scales = sym_rule_get_input_floats (rule, 2, scales, SYM_MAX_RANK);
  const char *how = sym_rule_get_string (rule, "coordinate_transformation_mode", "half_pixel");
  SymDim sizes[SYM_MAX_RANK];
  int n_sizes = sym_rule_get_input_values (rule, 3, sizes, SYM_MAX_RANK);

  if (n_scales > 0 && !g_str_equal (how, "tf_crop_and_resize") &&
      !set_scaled (rule, scales, n_scales, error))
    return FALSE;
  if (n_sizes > 0 && !set_sized (rule, sizes, n_sizes, error))
    return FALSE;
  return set_others (rule, error) && sym_op_pass_dtype (rule, 0, 0, error);
}

#define ENTRY(name_, version_, attributes_, slots_, infer_, run_)                             \
  {                                                                                           \
    SYM_OP_ONNX (name_, version_), .summary = "other sizes for the axes, read in between",    \
                                   .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, \
                                   .slots = slots_, .infer = infer_, .run = run_,             \
                                   .half_as_float = TRUE                                      \
  }

const SymOperator sym_op_onnx_resize[] = {
  ENTRY ("Upsample", 1, upsample_attributes_1, sym_op_onnx_x, infer_upsample_1, run_upsample_1),
  ENTRY ("Upsample", 7, upsample_attributes_7, sym_op_onnx_x, infer_upsample_7, run_upsample_7),
  ENTRY ("Upsample", 9, mode_attributes, scales_slots, infer_scaled, run_operand_scales),
  ENTRY ("Resize", 10, mode_attributes, scales_slots, infer_scaled, run_operand_scales),
  ENTRY ("Resize", 11, resize_attributes_11, resize_slots, infer_resize, run_resize),
  ENTRY ("Resize", 18, resize_attributes_18, resize_slots, infer_resize, run_resize),
  { 0 },
};
