/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-scales.h"
#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* Conv, ConvInteger and QLinearConv, and our own ByteConvolution, which does for convolutions what
 * ByteProduct does for matrices.  A convolution is a product of matrices: the filters, and what
 * the windows see, unfolded for as many places at a time as fit into the cache. */

#define MAX_UNFOLDED ((gsize) 1 << 18)

static const SymAttributeSpec attributes[] = {
  SYM_OP_ONNX_AUTO_PAD,
  SYM_OP_ONNX_DILATIONS,
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window; that of W by default" },
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { NULL },
};

static const SymSlotSpec conv_slots[] = {
  { "X" },
  { "W", .kind = SYM_SLOT_PARAMETER },
  { "B", .kind = SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

static const SymSlotSpec integer_slots[] = {
  { "x" },
  { "w", .kind = SYM_SLOT_PARAMETER },
  { "x_zero_point", .optional = TRUE },
  { "w_zero_point", .kind = SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

static const SymSlotSpec quantized_slots[] = {
  { "x" },
  { "x_scale" },
  { "x_zero_point" },
  { "w", .kind = SYM_SLOT_PARAMETER },
  { "w_scale", .kind = SYM_SLOT_PARAMETER },
  { "w_zero_point", .kind = SYM_SLOT_PARAMETER },
  { "y_scale" },
  { "y_zero_point" },
  { "B", .kind = SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

static const SymAttributeSpec byte_attributes[] = {
  SYM_OP_ONNX_AUTO_PAD,
  SYM_OP_ONNX_DILATIONS,
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window; that of weights by default" },
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { "signed", SYM_ATTRIBUTE_INT, "0", "whether codes are from -128 to 127, not from 0 to 255" },
  { NULL },
};

static const SymSlotSpec byte_slots[] = {
  { "x" },
  { "weights", .kind = SYM_SLOT_PARAMETER },
  { "x_scale", .optional = TRUE },
  { "x_zero", .optional = TRUE },
  { "weights_scale", .optional = TRUE },
  { "weights_zero", .optional = TRUE },
  { NULL },
};

/* ---- Rules ---- */

/* X [N, C, ...], W [M, C/g, kernel...]: Y [N, M, ...]. */
static gboolean
infer_shapes (SymRule *rule, guint w_slot, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape x = sym_rule_get_input (rule, 0), w = sym_rule_get_input (rule, w_slot), y;
  gint64 groups = sym_rule_get_int (rule, "group", 1);
  int rank = x.rank >= 0 ? x.rank : w.rank;
  SymOpOnnxWindows windows;

  if (rank < 0)
    return TRUE;
  if (rank < 3)
    return sym_rule_fail (error, "X must have 3 axes or more, not %d", rank);
  if (groups < 1)
    return sym_rule_fail (error, "group must be at least 1, not %" G_GINT64_FORMAT, groups);
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (rank), error) ||
      !sym_op_set_input (rule, w_slot, sym_shape_new_unknown (rank), error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  w = sym_rule_get_input (rule, w_slot);
  if (!sym_rule_unify (rule, x.dims[1], sym_terms_multiply (terms, w.dims[1], groups),
                       "channels of X and of W", error) ||
      !sym_op_onnx_windows_init (&windows, sym_rule_get_attributes (rule), rank - 2, w.dims + 2,
                                 error))
    return FALSE;
  for (int i = 0; i < windows.n; i++)
    if (windows.kernel[i] >= 0)
      w.dims[2 + i] = windows.kernel[i];
  y = x;
  y.dims[1] = w.dims[0];
  return sym_rule_set_input (rule, w_slot, &w, error) &&
         sym_op_onnx_windows_infer (&windows, rule, &y, error) &&
         sym_rule_set_output (rule, 0, &y, error);
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymShape w;

  if (!infer_shapes (rule, 1, error) || !sym_rule_tie_dtypes (rule, 0, 2, error))
    return FALSE;
  w = sym_rule_get_input (rule, 1);
  return w.rank < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (w.dims[0]), error);
}

static gboolean
infer_integer (SymRule *rule, GError **error)
{
  return infer_shapes (rule, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error);
}

static gboolean
infer_bytes (SymRule *rule, GError **error)
{
  return infer_shapes (rule, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

static gboolean
infer_quantized (SymRule *rule, GError **error)
{
  SymShape w;

  if (!infer_shapes (rule, 3, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, 7), error))
    return FALSE;
  w = sym_rule_get_input (rule, 3);
  return w.rank < 1 || sym_op_set_input (rule, 8, SYM_SHAPE (w.dims[0]), error);
}

/* ---- Kernels ---- */

/* One convolution of arrays that fit. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x, *w;
  SymArray *y;
  SymOpOnnxWindows windows;
  gsize groups, filters, channels; /* of one group */
  gsize taps;                      /* elements that a filter sees */
  gsize n_places, plane;           /* of one channel, in the result and in X */
  const double *bias;              /* NULL for none */
  const gint64 *zero_x, *zero_w;   /* of integers */
  gsize zero_step;
  const double *scales;       /* of each filter; NULL for results that are no quantized ones */
  const gint64 *integer_bias; /* of these; NULL for none */
  SymOpOnnxTarget target;
} Convolution;

static gboolean
check_shapes (const SymArray *x, const SymArray *w, gint64 groups, GError **error)
{
  if (x->shape.rank >= 3 && x->shape.rank == w->shape.rank && groups >= 1 &&
      w->shape.dims[0] % groups == 0 && x->shape.dims[1] % groups == 0 &&
      x->shape.dims[1] / groups == w->shape.dims[1])
    return TRUE;
  {
    g_autofree char *left = sym_op_format_shape (&x->shape);
    g_autofree char *right = sym_op_format_shape (&w->shape);

    return sym_kernel_fail (
        error, "X of shape %s and W of shape %s do not fit in %" G_GINT64_FORMAT " groups", left,
        right, groups);
  }
}

static gboolean
begin (Convolution *self, SymKernel *kernel, guint w_slot, SymDType dtype, GError **error)
{
  gint64 groups = sym_kernel_get_int (kernel, "group", 1);
  SymShape to;

  *self = (Convolution){ .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  if (self->x == NULL || (self->w = sym_kernel_need_input (kernel, w_slot, error)) == NULL ||
      !check_shapes (self->x, self->w, groups, error) ||
      !sym_op_onnx_windows_init (&self->windows, sym_kernel_get_attributes (kernel),
                                 self->x->shape.rank - 2, self->w->shape.dims + 2, error) ||
      !sym_op_onnx_windows_place (&self->windows, self->x->shape.dims + 2, error))
    return FALSE;
  to = self->x->shape;
  to.dims[1] = self->w->shape.dims[0];
  for (int i = 0; i < self->windows.n; i++)
    to.dims[2 + i] = self->windows.places[i];
  self->y = sym_kernel_new_output (kernel, 0, dtype == SYM_DTYPE_UNKNOWN ? self->x->dtype : dtype,
                                   &to, error);
  self->groups = (gsize) groups;
  self->filters = (gsize) (self->w->shape.dims[0] / groups);
  self->channels = (gsize) self->w->shape.dims[1];
  self->taps = self->channels * sym_op_onnx_multiply (self->windows.kernel, self->windows.n);
  self->n_places = sym_op_onnx_multiply (self->windows.places, self->windows.n);
  self->plane = sym_op_onnx_multiply (self->windows.size, self->windows.n);
  return self->y != NULL;
}

/* The sums of one filter as quantized numbers from element @place of the result on. */
static void
store_quantized (const Convolution *self, guint64 *sums, gsize n, gsize filter, gsize place)
{
  if (self->integer_bias != NULL)
    for (gsize i = 0; i < n; i++)
      sums[i] += (guint64) self->integer_bias[filter];
  sym_op_onnx_target_store (&self->target, sums, FALSE, 1, self->scales + filter, 0, self->y, place,
                            n);
}

/* Sums [filters, n] of one group go to their places in the result. */
static void
store (const Convolution *self, double *sums, gsize n, gsize example, gsize group, gsize first)
{
  gsize size = sym_dtype_get_bits (self->y->dtype) / 8;

  for (gsize m = 0; m < self->filters; m++)
    {
      gsize filter = group * self->filters + m;
      gsize place = (example * self->groups * self->filters + filter) * self->n_places + first;

      if (self->scales != NULL)
        {
          store_quantized (self, (guint64 *) (void *) sums + m * n, n, filter, place);
          continue;
        }
      if (self->bias != NULL)
        for (gsize i = 0; i < n; i++)
          sums[m * n + i] += self->bias[filter];
      sym_op_store_sums (sums + m * n, self->y->dtype, (guint8 *) self->y->data + place * size, n);
    }
}

static gboolean
convolve_group (Convolution *self,
                SymOpProduct *product,
                void *columns,
                gsize tile,
                gsize example,
                gsize group,
                GError **error)
{
  gsize size = sym_dtype_get_bits (self->x->dtype) / 8;
  const guint8 *x = (const guint8 *) self->x->data +
                    (example * self->groups + group) * self->channels * self->plane * size;
  const SymOpMatrix left = {
    .dtype = self->w->dtype,
    .data = (const guint8 *) self->w->data +
            group * self->filters * self->taps * (sym_dtype_get_bits (self->w->dtype) / 8),
    .row_stride = (gint64) self->taps,
    .column_stride = 1,
    .zeros = self->zero_w == NULL ? NULL : self->zero_w + group * self->filters * self->zero_step,
    .zero_step = self->zero_step,
  };
  guint64 blank = self->zero_x == NULL ? 0 : (guint64) *self->zero_x;

  for (gsize first = 0; first < self->n_places; first += tile)
    {
      SymOpMatrix right = {
        .dtype = self->x->dtype, .data = columns, .column_stride = 1, .zeros = self->zero_x
      };

      product->n = MIN (tile, self->n_places - first);
      right.row_stride = (gint64) product->n;
      if (!sym_op_onnx_windows_unfold (&self->windows, self->kernel, x, self->channels, size, first,
                                       product->n, &blank, columns, error) ||
          !sym_op_product_run (product, &left, &right, error))
        return FALSE;
      store (self, product->sums, product->n, example, group, first);
    }
  return TRUE;
}

static gboolean
convolve (Convolution *self, GError **error)
{
  gsize examples = (gsize) self->x->shape.dims[0];
  gsize tile = CLAMP (MAX_UNFOLDED / MAX (self->taps, 1), 8, MAX (self->n_places, 8));
  SymOpProduct product;
  void *columns;

  if (sym_array_get_n_elements (self->y) == 0)
    return TRUE;
  if (!sym_op_product_init (&product, self->kernel, self->filters, tile, self->taps, error))
    return FALSE;
  columns = sym_kernel_get_scratch (self->kernel, MAX (self->taps, 1),
                                    tile * (sym_dtype_get_bits (self->x->dtype) / 8), error);
  if (columns == NULL)
    return FALSE;
  for (gsize i = 0; i < examples; i++)
    for (gsize g = 0; g < self->groups; g++)
      if (!convolve_group (self, &product, columns, tile, i, g, error))
        return FALSE;
  return TRUE;
}

static gboolean
run_conv (SymKernel *kernel, GError **error)
{
  const SymArray *bias;
  Convolution self;

  if (!begin (&self, kernel, 1, SYM_DTYPE_UNKNOWN, error))
    return FALSE;
  if (!sym_dtype_is_floating (self.x->dtype) || !sym_op_can_multiply (self.x->dtype))
    return sym_op_refuse_dtype (kernel, self.x->dtype, error);
  if (self.w->dtype != self.x->dtype)
    return sym_kernel_fail (error, "W is of %s, X of %s", sym_dtype_to_string (self.w->dtype),
                            sym_dtype_to_string (self.x->dtype));
  bias = sym_kernel_get_input (kernel, 2);
  if (bias != NULL)
    {
      if (bias->dtype != self.x->dtype || bias->shape.rank != 1 ||
          bias->shape.dims[0] != self.w->shape.dims[0])
        return sym_kernel_fail (error, "B must have one %s for each filter",
                                sym_dtype_to_string (self.x->dtype));
      self.bias = sym_op_read_as (kernel, bias, SYM_DTYPE_FLOAT64, error);
      if (self.bias == NULL)
        return FALSE;
    }
  return convolve (&self, error);
}

/* The zero point of an operand of @dtype: one number, or @n of them; NULL in *@zeros for none. */
static gboolean
read_zeros (SymKernel *kernel,
            guint i,
            SymDType dtype,
            gint64 n,
            const gint64 **zeros,
            gsize *n_zeros,
            GError **error)
{
  const SymArray *array = sym_kernel_get_input (kernel, i);

  *zeros = NULL;
  *n_zeros = 0;
  if (array == NULL)
    return TRUE;
  *n_zeros = sym_array_get_n_elements (array);
  if (array->dtype != dtype || (*n_zeros != 1 && (gint64) *n_zeros != n) || array->shape.rank > 1)
    return sym_kernel_fail (error, "zero point %u must be one %s%s", i, sym_dtype_to_string (dtype),
                            n > 1 ? ", or one for each filter" : "");
  *zeros = sym_op_read_as (kernel, array, SYM_DTYPE_INT64, error);
  return *zeros != NULL;
}

static gboolean
is_byte (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

static gboolean
run_integer (SymKernel *kernel, GError **error)
{
  Convolution self;
  gsize n_x, n_w;

  if (!begin (&self, kernel, 1, SYM_DTYPE_INT32, error))
    return FALSE;
  if (!is_byte (self.x->dtype) || !is_byte (self.w->dtype))
    return sym_op_refuse_dtype (kernel, is_byte (self.x->dtype) ? self.w->dtype : self.x->dtype,
                                error);
  if (!read_zeros (kernel, 2, self.x->dtype, 1, &self.zero_x, &n_x, error) ||
      !read_zeros (kernel, 3, self.w->dtype, self.w->shape.dims[0], &self.zero_w, &n_w, error))
    return FALSE;
  self.zero_step = n_w > 1 ? 1 : 0;
  return convolve (&self, error);
}

/* The scale of x times that of each filter. */
static gboolean
read_scales (Convolution *self, SymKernel *kernel, GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, 4, error);
  gsize filters = (gsize) self->w->shape.dims[0], n;
  double *scales, scale;

  if (array == NULL || !sym_op_onnx_read_scale (kernel, 1, &scale, error))
    return FALSE;
  n = sym_array_get_n_elements (array);
  if (!sym_dtype_is_floating (array->dtype) || array->shape.rank > 1 || (n != 1 && n != filters))
    return sym_kernel_fail (error, "the scale of w must be one float, or one for each filter");
  scales = sym_kernel_get_scratch (kernel, filters, sizeof (double), error);
  for (gsize i = 0; i < filters && scales != NULL; i++)
    scales[i] = scale * sym_element_get_double (array->dtype, array->data, n == 1 ? 0 : i);
  self->scales = scales;
  return scales != NULL;
}

static gboolean
run_quantized (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *bias;
  SymOpOnnxTarget target;
  Convolution self;
  gsize n_x, n_w;

  if (x == NULL || !sym_op_onnx_target_read (&target, kernel, 6, x->dtype, error) ||
      !begin (&self, kernel, 3, target.dtype, error))
    return FALSE;
  self.target = target;
  if (!target.is_integer || !is_byte (x->dtype) || !is_byte (self.w->dtype))
    return sym_op_refuse_dtype (kernel,
                                !target.is_integer   ? target.dtype
                                : is_byte (x->dtype) ? self.w->dtype
                                                     : x->dtype,
                                error);
  if (!read_zeros (kernel, 2, x->dtype, 1, &self.zero_x, &n_x, error) ||
      !read_zeros (kernel, 5, self.w->dtype, self.w->shape.dims[0], &self.zero_w, &n_w, error) ||
      !read_scales (&self, kernel, error))
    return FALSE;
  self.zero_step = n_w > 1 ? 1 : 0;
  bias = sym_kernel_get_input (kernel, 8);
  if (bias != NULL)
    {
      if (bias->dtype != SYM_DTYPE_INT32 || bias->shape.rank != 1 ||
          bias->shape.dims[0] != self.w->shape.dims[0])
        return sym_kernel_fail (error, "B must have one int32 for each filter");
      self.integer_bias = sym_op_read_as (kernel, bias, SYM_DTYPE_INT64, error);
      if (self.integer_bias == NULL)
        return FALSE;
    }
  return convolve (&self, error);
}

/* ---- Bytes that stand for numbers ---- */

/* One number, or one of each filter; @fallback without the operand. */
static gboolean
read_numbers (SymKernel *kernel,
              guint slot,
              gsize n,
              double fallback,
              double *numbers,
              GError **error)
{
  const SymArray *array = sym_kernel_get_input (kernel, slot);
  gsize n_found = array == NULL ? 1 : sym_array_get_n_elements (array);

  if (n_found != 1 && n_found != n)
    return sym_kernel_fail (error, "%s has %" G_GSIZE_FORMAT " numbers, not 1 or %" G_GSIZE_FORMAT,
                            byte_slots[slot].name, n_found, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = array == NULL
                     ? fallback
                     : sym_element_get_double (array->dtype, array->data, n_found == 1 ? 0 : i);
  return TRUE;
}

/* Numbers less their zero points, as float32: those of each of @n parts have one. */
static gboolean
subtract_zeros (SymKernel *kernel,
                const SymArray *from,
                const double *zeros,
                gsize n,
                SymArray *to,
                GError **error)
{
  gsize n_elements = sym_array_get_n_elements (from), n_part = n == 0 ? 0 : n_elements / n;

  *to = *from;
  to->dtype = SYM_DTYPE_FLOAT32;
  to->data = sym_kernel_get_scratch (kernel, MAX (n_elements, 1), sizeof (float), error);
  for (gsize i = 0; i < n_elements && to->data != NULL; i++)
    ((float *) to->data)[i] =
        (float) (sym_element_get_double (from->dtype, from->data, i) - zeros[i / n_part]);
  return to->data != NULL;
}

static gboolean
run_bytes (SymKernel *kernel, GError **error)
{
  Convolution self;
  SymArray x, w;
  double *zeros, *scales, x_scale, x_zero;
  gsize n;

  if (!begin (&self, kernel, 1, SYM_DTYPE_FLOAT32, error))
    return FALSE;
  if (self.x->dtype != SYM_DTYPE_FLOAT32 || !is_byte (self.w->dtype))
    return sym_op_refuse_dtype (kernel, is_byte (self.w->dtype) ? self.x->dtype : self.w->dtype,
                                error);
  n = (gsize) self.w->shape.dims[0];
  zeros = sym_kernel_get_scratch (kernel, MAX (n, 1), sizeof *zeros, error);
  scales =
      zeros == NULL ? NULL : sym_kernel_get_scratch (kernel, MAX (n, 1), sizeof *scales, error);
  if (scales == NULL || !read_numbers (kernel, 2, 1, 1, &x_scale, error) ||
      !read_numbers (kernel, 3, 1, 0, &x_zero, error) ||
      !read_numbers (kernel, 4, n, 1, scales, error) ||
      !read_numbers (kernel, 5, n, 0, zeros, error) ||
      !subtract_zeros (kernel, self.x, &x_zero, 1, &x, error) ||
      !subtract_zeros (kernel, self.w, zeros, n, &w, error))
    return FALSE;
  self.x = &x;
  self.w = &w;
  if (!convolve (&self, error))
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (self.y); i++)
    ((float *) self.y->data)[i] *= (float) x_scale * (float) scales[i / self.n_places % n];
  return TRUE;
}

const SymOperator sym_op_onnx_conv[] = {
  { SYM_OP_ONNX ("Conv", 1), .summary = "slides filters over the last axes and sums what they see",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = conv_slots,
    .infer = infer_conv, .run = run_conv, .half_as_float = TRUE },
  { SYM_OP_ONNX ("ConvInteger", 10), .summary = "convolution of integers with zero points",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = integer_slots,
    .infer = infer_integer, .run = run_integer },
  { SYM_OP_ONNX ("QLinearConv", 10), .summary = "convolution of quantized numbers",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = quantized_slots,
    .infer = infer_quantized, .run = run_quantized },
  { .domain = "symscope",
    .name = "ByteConvolution",
    .since_version = 1,
    .summary = "convolution of quantised numbers and filters of bytes, as numbers",
    .reference = "Symscope ByteConvolution",
    .category = SYM_CATEGORY_WEIGHTS,
    .attributes = byte_attributes,
    .slots = byte_slots,
    .infer = infer_bytes,
    .run = run_bytes },
  { 0 },
};
