/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* DeformConv: a convolution each of whose taps is moved by an offset of its own, read in between
 * the elements, and weighed by a mask. */

/* Elements that are unfolded at once. */
#define MAX_UNFOLDED ((gsize) 1 << 17)

static const SymAttributeSpec attributes[] = {
  SYM_OP_ONNX_DILATIONS,
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window; that of W by default" },
  { "offset_group", SYM_ATTRIBUTE_INT, "1", "groups of channels that have offsets of their own" },
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "X" },
  { "W", .kind = SYM_SLOT_PARAMETER },
  { "offset" },
  { "B", .kind = SYM_SLOT_PARAMETER, .optional = TRUE },
  { "mask", .optional = TRUE },
  { NULL },
};

/* X [N, C, d...], W [M, C / group, k...]: Y [N, M, o...]. */
static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape x = sym_rule_get_input (rule, 0), w = sym_rule_get_input (rule, 1), y;
  gint64 groups = sym_rule_get_int (rule, "group", 1);
  int rank = x.rank >= 0 ? x.rank : w.rank;
  SymOpOnnxWindows windows;

  if (!sym_rule_tie_dtypes (rule, 0, 4, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (rank < 3 || groups < 1)
    return sym_rule_fail (error, "X must have 3 axes or more and group be at least 1");
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (rank), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (rank), error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  w = sym_rule_get_input (rule, 1);
  if (!sym_rule_unify (rule, x.dims[1], sym_terms_multiply (terms, w.dims[1], groups),
                       "channels of X and of W", error) ||
      !sym_op_onnx_windows_init (&windows, sym_rule_get_attributes (rule), rank - 2, w.dims + 2,
                                 error))
    return FALSE;
  y = x;
  y.dims[1] = w.dims[0];
  return sym_op_onnx_windows_infer (&windows, rule, &y, error) &&
         sym_op_set_input (rule, 3, SYM_SHAPE (w.dims[0]), error) &&
         sym_rule_set_output (rule, 0, &y, error);
}

typedef struct {
  SymKernel *kernel;
  const SymArray *w;
  SymArray *y;
  const double *x, *offset, *mask, *bias; /* the last two NULL for none */
  SymOpOnnxWindows windows;
  gsize examples, channels, groups, offset_groups, filters;
  gsize taps;            /* of a window in one channel */
  gsize plane, n_places; /* of one channel, in X and in the result */
  double *columns;       /* what filters see, [channels of a group * taps, n] */
  gsize asked;
} Deformed;

/* The number at @place, between the elements of @plane; what is around it is 0.  Each of the 2^n
 * elements around it, told by the bits of @corner, weighs as it is near. */
static double
read_between (const SymOpOnnxWindows *windows, const double *plane, const double *place)
{
  double sum = 0;

  for (int i = 0; i < windows->n; i++)
    if (!(place[i] > -1 && place[i] < (double) windows->size[i]))
      return 0;
  for (guint corner = 0; corner < 1u << windows->n; corner++)
    {
      double weight = 1;
      gint64 at = 0;

      for (int i = 0; i < windows->n && at >= 0; i++)
        {
          double low = floor (place[i]);
          gint64 element = (gint64) low + (corner >> i & 1);

          weight *= corner >> i & 1 ? place[i] - low : 1 - (place[i] - low);
          at = element < 0 || element >= windows->size[i] ? -1 : at * windows->size[i] + element;
        }
      if (at >= 0)
        sum += weight * plane[at];
    }
  return sum;
}

/* Where tap @tap lies for the window at @place of the result, without its offset. */
static void
find_tap (const SymOpOnnxWindows *windows, gsize place, gsize tap, double *at)
{
  for (int i = windows->n; i-- > 0;)
    {
      gint64 step = (gint64) (place % (gsize) windows->places[i]);
      gint64 index = (gint64) (tap % (gsize) windows->kernel[i]);

      at[i] =
          (double) (step * windows->stride[i] - windows->before[i] + index * windows->dilate[i]);
      place /= (gsize) windows->places[i];
      tap /= (gsize) windows->kernel[i];
    }
}

/* What tap @tap sees of channels [@first, @first + @n) at one place goes to column @column of
 * @width. Offsets are [example, group, tap, axis, place], masks [example, group, tap, place]. */
static void
unfold_tap (const Deformed *self,
            gsize example,
            gsize first,
            gsize n,
            gsize tap,
            gsize place,
            gsize column,
            gsize width)
{
  const SymOpOnnxWindows *windows = &self->windows;
  gsize shared = self->channels / self->offset_groups, last_group = G_MAXSIZE;
  double from[SYM_MAX_RANK], at[SYM_MAX_RANK] = { 0 }, mask = 1;

  find_tap (windows, place, tap, from);
  for (gsize c = 0; c < n; c++)
    {
      gsize channel = first + c, group = channel / shared;
      gsize line = (example * self->offset_groups + group) * self->taps + tap;

      if (group != last_group)
        {
          for (int i = 0; i < windows->n; i++)
            at[i] = from[i] +
                    self->offset[(line * (gsize) windows->n + (gsize) i) * self->n_places + place];
          mask = self->mask == NULL ? 1 : self->mask[line * self->n_places + place];
          last_group = group;
        }
      self->columns[(c * self->taps + tap) * width + column] =
          mask *
          read_between (windows, self->x + (example * self->channels + channel) * self->plane, at);
    }
}

/* Sums of filters at places from @place on. */
static void
store (const Deformed *self, double *sums, gsize n, gsize example, gsize group, gsize place)
{
  gsize size = sym_dtype_get_bits (self->y->dtype) / 8;

  for (gsize m = 0; m < self->filters; m++)
    {
      gsize filter = group * self->filters + m;
      gsize at = (example * self->groups * self->filters + filter) * self->n_places + place;

      for (gsize i = 0; self->bias != NULL && i < n; i++)
        sums[m * n + i] += self->bias[filter];
      sym_op_store_sums (sums + m * n, self->y->dtype, (guint8 *) self->y->data + at * size, n);
    }
}

static gboolean
convolve_group (Deformed *self,
                SymOpProduct *product,
                gsize tile,
                gsize example,
                gsize group,
                GError **error)
{
  gsize n_channels = self->channels / self->groups, k = n_channels * self->taps;
  const SymOpMatrix left = {
    .dtype = self->w->dtype,
    .data = (const guint8 *) self->w->data +
            group * self->filters * k * (sym_dtype_get_bits (self->w->dtype) / 8),
    .row_stride = (gint64) k,
    .column_stride = 1,
  };

  for (gsize first = 0; first < self->n_places; first += tile)
    {
      SymOpMatrix right = { .dtype = SYM_DTYPE_FLOAT64, .data = self->columns, .column_stride = 1 };

      product->n = MIN (tile, self->n_places - first);
      right.row_stride = (gint64) product->n;
      for (gsize i = 0; i < product->n; i++)
        for (gsize tap = 0; tap < self->taps; tap++)
          {
            if (!sym_op_go_on (self->kernel, &self->asked, n_channels << self->windows.n, error))
              return FALSE;
            unfold_tap (self, example, group * n_channels, n_channels, tap, first + i, i,
                        product->n);
          }
      if (!sym_op_product_run (product, &left, &right, error))
        return FALSE;
      store (self, product->sums, product->n, example, group, first);
    }
  return TRUE;
}

static gboolean
convolve (Deformed *self, GError **error)
{
  gsize k = self->channels / self->groups * self->taps;
  gsize tile = CLAMP (MAX_UNFOLDED / MAX (k, 1), 8, MAX (self->n_places, 8));
  SymOpProduct product;

  if (!sym_op_product_init (&product, self->kernel, self->filters, tile, k, error))
    return FALSE;
  self->columns = sym_kernel_get_scratch (self->kernel, MAX (k, 1), tile * sizeof (double), error);
  if (self->columns == NULL)
    return FALSE;
  for (gsize i = 0; i < self->examples; i++)
    for (gsize g = 0; g < self->groups; g++)
      if (!convolve_group (self, &product, tile, i, g, error))
        return FALSE;
  return TRUE;
}

/* An operand of shape [@first, @second, @sizes...] as doubles. */
static gboolean
read_operand (Deformed *self,
              guint slot,
              const char *name,
              gint64 first,
              gint64 second,
              const double **numbers,
              GError **error)
{
  const SymArray *array = sym_kernel_get_input (self->kernel, slot);
  SymShape shape = { .rank = 2 + self->windows.n, .dims = { first, second } };

  *numbers = NULL;
  if (array == NULL)
    return TRUE;
  for (int i = 0; i < self->windows.n; i++)
    shape.dims[2 + i] = self->windows.places[i];
  if (array->dtype != self->w->dtype || !sym_shape_equal (&array->shape, &shape))
    {
      g_autofree char *left = sym_op_format_shape (&array->shape);
      g_autofree char *right = sym_op_format_shape (&shape);

      return sym_kernel_fail (error, "%s is %s%s, and should be %s%s", name,
                              sym_dtype_to_string (array->dtype), left,
                              sym_dtype_to_string (self->w->dtype), right);
    }
  *numbers = sym_op_read_as (self->kernel, array, SYM_DTYPE_FLOAT64, error);
  return *numbers != NULL;
}

static gboolean
check_channels (const SymArray *x,
                const SymArray *w,
                gint64 groups,
                gint64 offset_groups,
                GError **error)
{
  if (x->shape.rank >= 3 && x->shape.rank == w->shape.rank && groups >= 1 && offset_groups >= 1 &&
      w->dtype == x->dtype && w->shape.dims[0] % groups == 0 && x->shape.dims[1] % groups == 0 &&
      x->shape.dims[1] / groups == w->shape.dims[1] && x->shape.dims[1] % offset_groups == 0)
    return TRUE;
  {
    g_autofree char *left = sym_op_format_shape (&x->shape);
    g_autofree char *right = sym_op_format_shape (&w->shape);

    return sym_kernel_fail (error,
                            "X, %s%s, and W, %s%s, do not fit in %" G_GINT64_FORMAT
                            " groups and %" G_GINT64_FORMAT " of offsets",
                            sym_dtype_to_string (x->dtype), left, sym_dtype_to_string (w->dtype),
                            right, groups, offset_groups);
  }
}

static gboolean
begin (Deformed *self, const SymArray *x, GError **error)
{
  gint64 groups = sym_kernel_get_int (self->kernel, "group", 1);
  gint64 offset_groups = sym_kernel_get_int (self->kernel, "offset_group", 1);
  SymShape to = x->shape;

  if (!check_channels (x, self->w, groups, offset_groups, error) ||
      !sym_op_onnx_windows_init (&self->windows, sym_kernel_get_attributes (self->kernel),
                                 x->shape.rank - 2, self->w->shape.dims + 2, error) ||
      !sym_op_onnx_windows_place (&self->windows, x->shape.dims + 2, error))
    return FALSE;
  to.dims[1] = self->w->shape.dims[0];
  for (int i = 0; i < self->windows.n; i++)
    to.dims[2 + i] = self->windows.places[i];
  self->examples = (gsize) x->shape.dims[0];
  self->channels = (gsize) x->shape.dims[1];
  self->groups = (gsize) groups;
  self->offset_groups = (gsize) offset_groups;
  self->filters = (gsize) (self->w->shape.dims[0] / groups);
  self->taps = sym_op_onnx_multiply (self->windows.kernel, self->windows.n);
  self->plane = sym_op_onnx_multiply (self->windows.size, self->windows.n);
  self->n_places = sym_op_onnx_multiply (self->windows.places, self->windows.n);
  self->y = sym_kernel_new_output (self->kernel, 0, x->dtype, &to, error);
  if (self->y == NULL)
    return FALSE;
  self->x = sym_op_read_as (self->kernel, x, SYM_DTYPE_FLOAT64, error);
  return self->x != NULL;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *bias;
  Deformed self = { .kernel = kernel };
  gint64 n;

  if (x == NULL || (self.w = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      sym_kernel_need_input (kernel, 2, error) == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (!begin (&self, x, error))
    return FALSE;
  n = (gint64) (self.offset_groups * self.taps);
  if (!read_operand (&self, 2, "the offset", x->shape.dims[0], n * self.windows.n, &self.offset,
                     error) ||
      !read_operand (&self, 4, "the mask", x->shape.dims[0], n, &self.mask, error))
    return FALSE;
  bias = sym_kernel_get_input (kernel, 3);
  if (bias != NULL)
    {
      if (bias->dtype != x->dtype || bias->shape.rank != 1 ||
          bias->shape.dims[0] != self.w->shape.dims[0])
        return sym_kernel_fail (error, "B must have one %s for each filter",
                                sym_dtype_to_string (x->dtype));
      self.bias = sym_op_read_as (kernel, bias, SYM_DTYPE_FLOAT64, error);
      if (self.bias == NULL)
        return FALSE;
    }
  return sym_array_get_n_elements (self.y) == 0 || convolve (&self, error);
}

const SymOperator sym_op_onnx_deform_conv[] = {
  { SYM_OP_ONNX ("DeformConv", 19),
    .summary = "a convolution whose taps are moved by offsets and weighed by a mask",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run, .half_as_float = TRUE },
  { 0 },
};
