/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* ConvTranspose: each element of X lays its filters, weighted by it, over the result. */

static const SymAttributeSpec attributes[] = {
  SYM_OP_ONNX_AUTO_PAD,
  SYM_OP_ONNX_DILATIONS,
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window; that of W by default" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "None", "elements that the result has more at its end" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result, from which padding follows" },
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "X" },
  { "W", .kind = SYM_SLOT_PARAMETER },
  { "B", .kind = SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

/* What else the attributes tell: sizes of the result, and elements at its end. */
typedef struct {
  gint64 more[SYM_MAX_RANK], shape[SYM_MAX_RANK];
  gboolean has_shape;
} Extras;

/* `output_shape` may tell of the first two axes, too. */
static gboolean
read_extras (const SymAttributes *found,
             const SymOpOnnxWindows *windows,
             Extras *extras,
             GError **error)
{
  const SymValue *more = sym_attributes_find (found, "output_padding");
  const SymValue *shape = sym_attributes_find (found, "output_shape");
  gint64 sizes[SYM_MAX_RANK];
  int n_more, n_shape;

  *extras = (Extras){ .has_shape = FALSE };
  n_more = more == NULL ? -1 : sym_value_get_ints (more, extras->more, windows->n);
  n_shape = shape == NULL ? -1 : sym_value_get_ints (shape, sizes, SYM_MAX_RANK);
  if (n_more > 0 && n_more != windows->n)
    return sym_kernel_fail (error, "output_padding has %d numbers, not %d", n_more, windows->n);
  if (n_shape > 0 && n_shape != windows->n && n_shape != windows->n + 2)
    return sym_kernel_fail (error, "output_shape has %d numbers, not %d", n_shape, windows->n);
  extras->has_shape = n_shape > 0;
  for (int i = 0; i < windows->n; i++)
    {
      if (extras->has_shape)
        extras->shape[i] = sizes[n_shape - windows->n + i];
      if (extras->more[i] < 0 || extras->more[i] > G_MAXINT32 || extras->shape[i] < 0 ||
          extras->shape[i] > G_MAXINT64 / 4)
        return sym_kernel_fail (error, "output_padding or output_shape of axis %d is out of range",
                                i);
    }
  return TRUE;
}

/* The size of axis @i of the result, in places[]; padding is settled. */
static gboolean
place (SymOpOnnxWindows *self, const Extras *extras, int i, gint64 size, GError **error)
{
  gboolean same = g_str_has_prefix (self->auto_pad, "SAME");
  gint64 whole, needed;

  self->size[i] = size;
  if (size > G_MAXINT64 / 4 / self->stride[i])
    return sym_kernel_fail (error, "an axis of %" G_GINT64_FORMAT " is too long", size);
  whole = self->stride[i] * (size - 1) + extras->more[i] + sym_op_onnx_windows_get_extent (self, i);
  if (extras->has_shape || same)
    {
      self->places[i] = extras->has_shape ? extras->shape[i] : size * self->stride[i];
      needed = MAX (whole - self->places[i], 0);
      self->before[i] =
          g_str_equal (self->auto_pad, "SAME_UPPER") ? needed / 2 : needed - needed / 2;
      self->after[i] = needed - self->before[i];
    }
  else
    self->places[i] = size == 0 ? 0 : whole - self->before[i] - self->after[i];
  return self->places[i] >= 0 ||
         sym_kernel_fail (error, "padding takes away all of axis %d and more", i);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape x = sym_rule_get_input (rule, 0), w = sym_rule_get_input (rule, 1), y;
  gint64 groups = sym_rule_get_int (rule, "group", 1);
  SymOpOnnxWindows windows;
  Extras extras;

  if (!sym_rule_tie_dtypes (rule, 0, 2, error))
    return FALSE;
  if (x.rank < 0 || w.rank < 0)
    return TRUE;
  if (x.rank < 3 || groups < 1)
    return sym_rule_fail (error, "X has %d axes and group is %" G_GINT64_FORMAT, x.rank, groups);
  if (!sym_op_set_input (rule, 1, sym_shape_new_unknown (x.rank), error) ||
      !sym_rule_unify (rule, x.dims[1], w.dims[0], "channels of X and of W", error) ||
      !sym_op_onnx_windows_init (&windows, sym_rule_get_attributes (rule), x.rank - 2, w.dims + 2,
                                 error) ||
      !read_extras (sym_rule_get_attributes (rule), &windows, &extras, error))
    return FALSE;
  y = x;
  y.dims[1] = sym_terms_multiply (terms, w.dims[1], groups);
  for (int i = 0; i < windows.n; i++)
    {
      SymOpWindow window = { windows.kernel[i], windows.stride[i], windows.dilate[i],
                             windows.before[i], windows.after[i],  FALSE };

      if (windows.kernel[i] < 0)
        y.dims[2 + i] = extras.has_shape ? extras.shape[i] : SYM_DIM_UNKNOWN;
      else if (x.dims[2 + i] >= 0)
        {
          if (!place (&windows, &extras, i, x.dims[2 + i], error))
            return FALSE;
          y.dims[2 + i] = windows.places[i];
        }
      else if (extras.has_shape)
        y.dims[2 + i] = extras.shape[i];
      else if (g_str_has_prefix (windows.auto_pad, "SAME"))
        y.dims[2 + i] = sym_terms_multiply (terms, x.dims[2 + i], windows.stride[i]);
      else if (!sym_op_unslide (rule, x.dims[2 + i], &window, extras.more[i], &y.dims[2 + i],
                                error))
        return FALSE;
    }
  return sym_rule_set_output (rule, 0, &y, error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (y.dims[1]), error);
}

/* ---- Kernel ---- */

typedef struct {
  SymKernel *kernel;
  const SymArray *x, *w;
  SymArray *y;
  SymOpOnnxWindows windows;
  gsize groups, channels, filters; /* of one group: of X, of the result */
  gsize kernel_size, n_in, n_out;  /* elements of a filter, and of a channel of X and of Y */
  const double *bias;
  double *sums; /* [filters, n_out] */
} Laying;

/* One element of all filters over the sums of one channel. */
static void
lay_tap (const Laying *self, const double *values, const gint64 *tap, double *sums)
{
  const SymOpOnnxWindows *windows = &self->windows;
  gint64 index[SYM_MAX_RANK] = { 0 };

  for (gsize i = 0; i < self->n_in; i++)
    {
      gint64 to = 0;
      gboolean is_inside = TRUE;

      for (int k = 0; k < windows->n; k++)
        {
          gint64 at =
              index[k] * windows->stride[k] - windows->before[k] + tap[k] * windows->dilate[k];

          is_inside &= at >= 0 && at < windows->places[k];
          to = is_inside ? to * windows->places[k] + at : 0;
        }
      if (is_inside)
        sums[to] += values[i];
      for (int k = windows->n; k-- > 0;)
        {
          if (++index[k] < windows->size[k])
            break;
          index[k] = 0;
        }
    }
}

static gboolean
lay_group (Laying *self, SymOpProduct *product, gsize example, gsize group, GError **error)
{
  gsize size = sym_dtype_get_bits (self->x->dtype) / 8, asked = 0;
  gsize n_rows = self->filters * self->kernel_size;
  const SymOpMatrix left = {
    .dtype = self->w->dtype,
    .data = (const guint8 *) self->w->data + group * self->channels * n_rows * size,
    .row_stride = 1,
    .column_stride = (gint64) n_rows,
  };
  const SymOpMatrix right = {
    .dtype = self->x->dtype,
    .data = (const guint8 *) self->x->data +
            (example * self->groups + group) * self->channels * self->n_in * size,
    .row_stride = (gint64) self->n_in,
    .column_stride = 1,
  };

  if (!sym_op_product_run (product, &left, &right, error))
    return FALSE;
  for (gsize m = 0; m < self->filters; m++)
    {
      gsize filter = group * self->filters + m;
      gint64 tap[SYM_MAX_RANK] = { 0 };

      for (gsize i = 0; i < self->n_out; i++)
        self->sums[i] = self->bias == NULL ? 0 : self->bias[filter];
      for (gsize k = 0; k < self->kernel_size; k++)
        {
          if (!sym_op_go_on (self->kernel, &asked, self->n_in, error))
            return FALSE;
          lay_tap (self, (const double *) product->sums + (m * self->kernel_size + k) * self->n_in,
                   tap, self->sums);
          for (int i = self->windows.n; i-- > 0;)
            {
              if (++tap[i] < self->windows.kernel[i])
                break;
              tap[i] = 0;
            }
        }
      sym_op_store_sums (self->sums, self->y->dtype,
                         (guint8 *) self->y->data +
                             (example * self->groups * self->filters + filter) * self->n_out * size,
                         self->n_out);
    }
  return TRUE;
}

static gboolean
begin (Laying *self, SymKernel *kernel, GError **error)
{
  gint64 groups = sym_kernel_get_int (kernel, "group", 1);
  SymShape to;
  Extras extras;

  *self = (Laying){ .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  if (self->x == NULL || (self->w = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (self->x->dtype) || !sym_op_can_multiply (self->x->dtype))
    return sym_op_refuse_dtype (kernel, self->x->dtype, error);
  to = self->x->shape;
  if (to.rank < 3 || self->w->shape.rank != to.rank || groups < 1 ||
      self->w->dtype != self->x->dtype || self->w->shape.dims[0] != to.dims[1] ||
      to.dims[1] % groups != 0 || self->w->shape.dims[1] > G_MAXINT64 / groups)
    {
      g_autofree char *left = sym_op_format_shape (&to);
      g_autofree char *right = sym_op_format_shape (&self->w->shape);

      return sym_kernel_fail (
          error, "X of shape %s and W of shape %s do not fit in %" G_GINT64_FORMAT " groups", left,
          right, groups);
    }
  if (!sym_op_onnx_windows_init (&self->windows, sym_kernel_get_attributes (kernel), to.rank - 2,
                                 self->w->shape.dims + 2, error) ||
      !read_extras (sym_kernel_get_attributes (kernel), &self->windows, &extras, error))
    return FALSE;
  self->groups = (gsize) groups;
  self->channels = (gsize) (to.dims[1] / groups);
  self->filters = (gsize) self->w->shape.dims[1];
  to.dims[1] = self->w->shape.dims[1] * groups;
  for (int i = 0; i < self->windows.n; i++)
    {
      if (!place (&self->windows, &extras, i, self->x->shape.dims[2 + i], error))
        return FALSE;
      to.dims[2 + i] = self->windows.places[i];
    }
  self->y = sym_kernel_new_output (kernel, 0, self->x->dtype, &to, error);
  self->n_in = sym_op_onnx_multiply (self->windows.size, self->windows.n);
  self->n_out = sym_op_onnx_multiply (self->windows.places, self->windows.n);
  self->kernel_size = sym_op_onnx_multiply (self->windows.kernel, self->windows.n);
  return self->y != NULL;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *bias = sym_kernel_get_input (kernel, 2);
  SymOpProduct product;
  Laying self;

  if (!begin (&self, kernel, error))
    return FALSE;
  if (bias != NULL && (bias->dtype != self.x->dtype || bias->shape.rank != 1 ||
                       bias->shape.dims[0] != self.y->shape.dims[1]))
    return sym_kernel_fail (error, "B must have one %s for each filter",
                            sym_dtype_to_string (self.x->dtype));
  if (sym_array_get_n_elements (self.y) == 0)
    return TRUE;
  if (bias != NULL && (self.bias = sym_op_read_as (kernel, bias, SYM_DTYPE_FLOAT64, error)) == NULL)
    return FALSE;
  self.sums = sym_kernel_get_scratch (kernel, self.n_out, sizeof (double), error);
  if (self.sums == NULL || !sym_op_product_init (&product, kernel, self.filters * self.kernel_size,
                                                 self.n_in, self.channels, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) self.x->shape.dims[0]; i++)
    for (gsize g = 0; g < self.groups; g++)
      if (!lay_group (&self, &product, i, g, error))
        return FALSE;
  return TRUE;
}

const SymOperator sym_op_onnx_conv_transpose[] = {
  { SYM_OP_ONNX ("ConvTranspose", 1),
    .summary = "lays filters over the result, one by each element",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run, .half_as_float = TRUE },
  { 0 },
};
