/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-resize.h"
#include "run/sym-plan-read-private.h"

/* Resize and Upsample: each place of an axis of the result is made of a few of the axis of x, with
 * weights that are known while planning. */

typedef struct {
  const char *transformation, *nearest_mode;
  gboolean is_nearest, is_cubic, excludes;
  double a;
} Method;

/* Version 10 and Upsample take the element at the place divided by the scale. */
static gboolean
read_method (const SymPlanCall *call, gboolean is_early, Method *method)
{
  const char *mode = sym_attributes_get_string (call->attributes, "mode", "nearest");

  *method = (Method){
    .transformation =
        is_early ? "asymmetric"
                 : sym_attributes_get_string (call->attributes, "coordinate_transformation_mode",
                                              "half_pixel"),
    .nearest_mode = is_early ? "floor"
                             : sym_attributes_get_string (call->attributes, "nearest_mode",
                                                          "round_prefer_floor"),
    .is_nearest = g_str_equal (mode, "nearest"),
    .is_cubic = g_str_equal (mode, "cubic"),
    .excludes = sym_plan_call_get_int (call, "exclude_outside", 0) != 0,
    .a = sym_plan_call_get_float (call, "cubic_coeff_a", -0.75),
  };
  return (method->is_nearest || method->is_cubic || g_str_equal (mode, "linear") ||
          g_str_equal (mode, "bilinear")) &&
         sym_plan_call_get_int (call, "antialias", 0) == 0 &&
         !g_str_equal (method->transformation, "tf_crop_and_resize") &&
         g_str_equal (
             sym_attributes_get_string (call->attributes, "keep_aspect_ratio_policy", "stretch"),
             "stretch");
}

/* ---- Taps ---- */

typedef struct {
  gint32 places[SYM_PLAN_MAX_TAPS];
  double weights[SYM_PLAN_MAX_TAPS];
  int n;
} Mixture;

/* Element @i of the axis; places beyond the ends are those at the ends. */
static Mixture
mix (const Method *method, const SymOpResizeAxis *axis, gint64 i)
{
  double place = sym_op_resize_find_place (method->transformation, axis, i), sum = 0;
  double reach = method->is_cubic ? 2 : 1, end = axis->size - 1;
  Mixture mixture = { .n = 0 };

  place = CLAMP (place, -4.0 * axis->size - 8, 5.0 * axis->size + 8);
  if (!(place == place))
    place = 0;
  if (method->is_nearest)
    {
      mixture.places[0] =
          (gint32) CLAMP (sym_op_resize_round (method->nearest_mode, place), 0, end);
      mixture.weights[0] = 1;
      mixture.n = 1;
      return mixture;
    }
  for (double k = floor (place - reach) + 1; k < place + reach; k++)
    {
      if (mixture.n == SYM_PLAN_MAX_TAPS || (method->excludes && (k < 0 || k > end)))
        continue;
      mixture.places[mixture.n] = (gint32) CLAMP (k, 0, end);
      mixture.weights[mixture.n] = sym_op_resize_weigh (method->is_cubic, method->a, k - place);
      sum += mixture.weights[mixture.n++];
    }
  for (int k = 0; k < mixture.n; k++)
    mixture.weights[k] = sum == 0 ? 0 : mixture.weights[k] / sum;
  return mixture;
}

static void
add_taps (const SymPlanCall *call,
          const Method *method,
          const SymOpResizeAxis *axis,
          gboolean is_still,
          SymPlanTaps *taps)
{
  gsize n = (gsize) axis->to;
  guint most = is_still || method->is_nearest ? 1 : method->is_cubic ? 4 : 2;
  gint32 *places = g_new0 (gint32, n * most);
  float *weights = g_new0 (float, n *most);

  g_ptr_array_add (call->graph->blocks, places);
  g_ptr_array_add (call->graph->blocks, weights);
  *taps = (SymPlanTaps){ places, weights, most, is_still };
  for (gsize i = 0; i < n; i++)
    {
      Mixture mixture =
          is_still ? (Mixture){ { (gint32) i }, { 1 }, 1 } : mix (method, axis, (gint64) i);

      for (int k = 0; k < MIN (mixture.n, (int) most); k++)
        {
          places[i * most + (guint) k] = mixture.places[k];
          weights[i * most + (guint) k] = (float) mixture.weights[k];
        }
    }
}

/* ---- Scales ---- */

/* Constant scales of all axes, or of those that `axes` names; -1 for those that are not known. */
static int
read_scales (SymPlanCall *call, guint operand, double *scales)
{
  guint tensor = sym_plan_call_need_operand (call, operand);
  const SymPlanTensor *constant;

  if (tensor == SYM_PLAN_NONE)
    return -1;
  constant = sym_plan_call_get (call, tensor);
  if (constant->constant == NULL || constant->n > SYM_MAX_RANK)
    return -1;
  for (gsize i = 0; i < constant->n; i++)
    scales[i] = (double) constant->constant[i];
  g_array_append_val (call->graph->fixed, call->operands.ids[operand]);
  return (int) constant->n;
}

static int
read_attribute_scales (const SymPlanCall *call, double *scales)
{
  const SymValue *value = sym_attributes_find (call->attributes, "scales");
  guint n = value == NULL ? 0 : sym_value_get_n_children (value);

  if (value == NULL)
    {
      scales[0] = scales[1] = 1;
      scales[2] = sym_plan_call_get_float (call, "height_scale", 0);
      scales[3] = sym_plan_call_get_float (call, "width_scale", 0);
      return 4;
    }
  for (guint i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    if (!sym_value_get_float (sym_value_get_child (value, i), &scales[i]))
      return -1;
  return n > SYM_MAX_RANK ? -1 : (int) n;
}

/* Whether the operand is there and not an empty list. */
static gboolean
has_numbers (const SymPlanCall *call, guint i)
{
  SymType type;
  guint64 n;

  if (!sym_plan_call_has_operand (call, i))
    return FALSE;
  type = sym_inference_get_type (call->graph->inference, call->operands.ids[i]);
  return type.kind != SYM_KIND_TENSOR || !sym_shape_get_n_elements (&type.shape, &n) || n > 0;
}

/* Of each axis, by scales or by the sizes that inference has. */
static gboolean
find_scales (SymPlanCall *call, gboolean is_early, guint x, double *scales)
{
  const SymShape from = sym_plan_call_get (call, x)->shape,
                 to = sym_plan_call_get (call, call->result)->shape;
  double told[SYM_MAX_RANK];
  gint64 axes[SYM_MAX_RANK];
  int n_axes = call->version < 18
                   ? -1
                   : sym_plan_call_get_list (call, "axes", G_MAXUINT, axes, SYM_MAX_RANK);
  int n;

  for (int i = 0; i < from.rank; i++)
    scales[i] = (double) to.dims[i] / (double) from.dims[i];
  if (is_early)
    n = call->operands.n > 1 ? read_scales (call, 1, told) : read_attribute_scales (call, told);
  else if (has_numbers (call, 2))
    n = read_scales (call, 2, told);
  else
    return has_numbers (call, 3);
  if (n != (n_axes < 0 ? from.rank : n_axes))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      int axis = n_axes < 0 ? i : sym_plan_call_find_axis (axes[i], from.rank);

      if (axis < 0 || !(told[i] > 0))
        return FALSE;
      scales[axis] = told[i];
    }
  return TRUE;
}

/* ---- Operations ---- */

/* Of two axes, by their taps. */
static void
append_resize (SymPlanCall *call, SymPlanOp *op, const SymPlanTaps *taps, guint y)
{
  op->taps = g_memdup2 (taps, 2 * sizeof *taps);
  g_ptr_array_add (call->graph->blocks, (gpointer) op->taps);
  op->y = y;
  sym_plan_call_append (call, op);
  op->x = y;
}

/* The last two axes, then the first. */
gboolean
sym_plan_call_append_taps (SymPlanCall *call,
                           guint x,
                           const SymPlanTaps *taps,
                           const gint64 *from,
                           const gint64 *to)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_RESIZE, x);
  gsize n = (gsize) sym_plan_call_get (call, x)->shape.dims[0];
  gsize channels = (gsize) sym_plan_call_get (call, x)->shape.dims[1];
  gint32 *nothing = g_new0 (gint32, 1);
  float *whole = g_new (float, 1);
  SymPlanTaps down[2] = { taps[0], { nothing, whole, 1, TRUE } };
  guint between = call->result;

  *whole = 1;
  g_ptr_array_add (call->graph->blocks, nothing);
  g_ptr_array_add (call->graph->blocks, whole);
  if (!taps[0].is_still)
    {
      SymShape shape = sym_plan_call_get (call, call->result)->shape;

      shape.dims[2] = from[0];
      between = sym_plan_call_add_tensor (call, &shape);
    }
  op.from = (SymPlanImages){ n * (gsize) from[0], channels, (gsize) from[1], (gsize) from[2] };
  op.to = (SymPlanImages){ n * (gsize) from[0], channels, (gsize) to[1], (gsize) to[2] };
  append_resize (call, &op, taps + 1, between);
  if (taps[0].is_still)
    return TRUE;
  op.from = (SymPlanImages){ n, channels, (gsize) from[0], (gsize) (to[1] * to[2]) };
  op.to = (SymPlanImages){ n, channels, (gsize) to[0], op.from.width };
  append_resize (call, &op, down, call->result);
  return TRUE;
}

static gboolean
read_axes (SymPlanCall *call, gboolean is_early)
{
  guint x = sym_plan_call_need_operand (call, 0);
  gint64 from[SYM_PLAN_AXES], to[SYM_PLAN_AXES];
  SymPlanTaps taps[SYM_PLAN_AXES];
  double scales[SYM_MAX_RANK];
  const SymShape *shape, *result;
  Method method;

  if (x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL ||
      !read_method (call, is_early, &method))
    return FALSE;
  shape = &sym_plan_call_get (call, x)->shape;
  result = &sym_plan_call_get (call, call->result)->shape;
  if (shape->rank < 3 || shape->rank > 2 + SYM_PLAN_AXES || result->rank != shape->rank ||
      result->dims[0] != shape->dims[0] || result->dims[1] != shape->dims[1] ||
      !find_scales (call, is_early, x, scales) || scales[0] != 1 || scales[1] != 1)
    return FALSE;
  shape = &sym_plan_call_get (call, x)->shape;
  result = &sym_plan_call_get (call, call->result)->shape;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      int axis = shape->rank - SYM_PLAN_AXES + i;
      double scale = axis < 2 ? 1 : scales[axis];
      SymOpResizeAxis of = { .scale = scale, .end = 1 };

      from[i] = axis < 2 ? 1 : shape->dims[axis];
      to[i] = axis < 2 ? 1 : result->dims[axis];
      of.size = (double) from[i];
      of.to = (double) to[i];
      add_taps (call, &method, &of, from[i] == to[i] && scale == 1, &taps[i]);
    }
  return sym_plan_call_append_taps (call, x, taps, from, to);
}

static gboolean
read_resize (SymPlanCall *call, SymVectorFunction function)
{
  return read_axes (call, call->version < 11);
}

static gboolean
read_upsample (SymPlanCall *call, SymVectorFunction function)
{
  return read_axes (call, TRUE);
}

const SymPlanReader sym_plan_resize_readers[] = {
  { "Resize", 10, read_resize, NULL },
  { "Upsample", 1, read_upsample, NULL },
  { NULL },
};
