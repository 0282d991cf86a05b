/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-table.h"

/* Col2Im: a picture from what windows of it see, summed where these overlap. */

static const SymAttributeSpec attributes[] = {
  SYM_OP_ONNX_DILATIONS,
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "input" },
  { "image_shape" },
  { "block_shape" },
  { NULL },
};

/* input [N, C * block..., places]: [N, C, image...]. */
static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_shape_new_unknown (3), y;
  SymDim image[SYM_MAX_RANK], block[SYM_MAX_RANK], taps = 1;
  int n = sym_op_get_sizes (rule, 1, image);
  int n_block = sym_rule_get_input_values (rule, 2, block, SYM_MAX_RANK - 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_rule_set_input (rule, 0, &x, error))
    return FALSE;
  if (n < 0 || n > SYM_MAX_RANK - 2)
    return TRUE;
  x = sym_rule_get_input (rule, 0);
  y = sym_shape_new_unknown (2 + n);
  y.dims[0] = x.dims[0];
  for (int i = 0; i < n; i++)
    y.dims[2 + i] = image[i];
  for (int i = 0; i < n_block && n_block <= SYM_MAX_RANK - 2 && taps > 0; i++)
    taps = block[i] > 0 && block[i] <= G_MAXINT32 / taps ? taps * block[i] : SYM_DIM_UNKNOWN;
  if (n_block == n && taps > 0 && x.dims[1] >= 0 && x.dims[1] % taps == 0)
    y.dims[1] = x.dims[1] / taps;
  return sym_rule_set_output (rule, 0, &y, error);
}

/* Adds @n numbers of @parts parts each to those @stride apart.  Of integers the low bits are right.
 */
typedef void (*AddRow) (const void *from, void *to, gsize n, gint64 stride, gsize parts);

#define ADD_ROW(name, type)                                                                \
  static void add_##name (const void *from, void *to, gsize n, gint64 stride, gsize parts) \
  {                                                                                        \
    const type *x = from;                                                                  \
    type *y = to;                                                                          \
                                                                                           \
    for (gsize i = 0; i < n; i++)                                                          \
      for (gsize part = 0; part < parts; part++)                                           \
        y[(gint64) i * stride * (gint64) parts + (gint64) part] += x[i * parts + part];    \
  }

ADD_ROW (floats, double)
ADD_ROW (integers, guint64)

typedef struct {
  SymKernel *kernel;
  SymOpOnnxWindows windows;
  gsize taps, n_places, plane, parts;
  gsize asked;
} Columns;

/* Places along axis @i whose tap @tap lies in the picture: [*first, *end). */
static void
bound (const SymOpOnnxWindows *windows, int i, gint64 tap, gint64 *first, gint64 *end)
{
  gint64 shift = windows->before[i] - tap * windows->dilate[i], stride = windows->stride[i];
  gint64 last = windows->size[i] - 1 + shift;

  *first = shift <= 0 ? 0 : (shift + stride - 1) / stride;
  *end = last < 0 ? 0 : MIN (last / stride + 1, windows->places[i]);
  *first = MIN (*first, *end);
}

/* Adds the numbers of one tap, at @x, to the plane at @y, a row of places after the other. */
static gboolean
add_tap (Columns *self, const guint64 *x, guint64 *y, const gint64 *tap, AddRow add, GError **error)
{
  const SymOpOnnxWindows *windows = &self->windows;
  gint64 first[SYM_MAX_RANK], end[SYM_MAX_RANK], place[SYM_MAX_RANK], n_rows = 1;
  int last = windows->n - 1;

  for (int i = 0; i <= last; i++)
    {
      bound (windows, i, tap[i], &first[i], &end[i]);
      place[i] = first[i];
      n_rows *= i == last ? 1 : end[i] - first[i];
    }
  for (gint64 row = 0; row < n_rows; row++)
    {
      gint64 from = 0, to = 0;

      for (int i = 0; i <= last; i++)
        {
          from = from * windows->places[i] + place[i];
          to = to * windows->size[i] + place[i] * windows->stride[i] - windows->before[i] +
               tap[i] * windows->dilate[i];
        }
      if (!sym_op_go_on (self->kernel, &self->asked, (gsize) (end[last] - first[last]) + 8, error))
        return FALSE;
      if (end[last] > first[last])
        add (x + (gsize) from * self->parts, y + (gsize) to * self->parts,
             (gsize) (end[last] - first[last]), windows->stride[last], self->parts);
      for (int i = last; i-- > 0;)
        {
          if (++place[i] < end[i])
            break;
          place[i] = first[i];
        }
    }
  return TRUE;
}

/* One plane from its [taps, places]. */
static gboolean
add_plane (Columns *self, const guint64 *x, guint64 *y, AddRow add, GError **error)
{
  gint64 tap[SYM_MAX_RANK] = { 0 };

  for (gsize i = 0; i < self->taps; i++, x += self->n_places * self->parts)
    {
      if (!add_tap (self, x, y, tap, add, error))
        return FALSE;
      for (int k = self->windows.n; k-- > 0;)
        {
          if (++tap[k] < self->windows.kernel[k])
            break;
          tap[k] = 0;
        }
    }
  return TRUE;
}

/* The dtype that sums are made in; complex numbers are two of them. */
static gboolean
find_work (Columns *self, const SymArray *x, SymDType *narrow, SymDType *work, GError **error)
{
  gboolean is_complex = x->dtype == SYM_DTYPE_COMPLEX64 || x->dtype == SYM_DTYPE_COMPLEX128;

  *narrow = !is_complex                       ? x->dtype
            : x->dtype == SYM_DTYPE_COMPLEX64 ? SYM_DTYPE_FLOAT32
                                              : SYM_DTYPE_FLOAT64;
  *work = sym_dtype_is_floating (*narrow) ? SYM_DTYPE_FLOAT64 : SYM_DTYPE_INT64;
  self->parts = is_complex ? 2 : 1;
  return sym_dtype_is_numeric (x->dtype) || sym_op_refuse_dtype (self->kernel, x->dtype, error);
}

static gboolean
fold (Columns *self, const SymArray *x, SymArray *y, GError **error)
{
  gsize n_x = sym_array_get_n_elements (x), n_y = sym_array_get_n_elements (y);
  SymDType narrow, work;
  guint64 *from, *to;

  if (!find_work (self, x, &narrow, &work, error))
    return FALSE;
  from = sym_kernel_get_scratch (self->kernel, n_x * self->parts, sizeof (guint64), error);
  if (from == NULL)
    return FALSE;
  to = sym_kernel_get_scratch (self->kernel, n_y * self->parts, sizeof (guint64), error);
  if (to == NULL)
    return FALSE;
  sym_convert_elements (narrow, x->data, work, from, n_x * self->parts);
  memset (to, 0, n_y * self->parts * sizeof (guint64));
  for (gsize i = 0; i < n_y / MAX (self->plane, 1); i++)
    if (!add_plane (self, from + i * self->taps * self->n_places * self->parts,
                    to + i * self->plane * self->parts,
                    work == SYM_DTYPE_FLOAT64 ? add_floats : add_integers, error))
      return FALSE;
  sym_convert_elements (work, to, narrow, y->data, n_y * self->parts);
  return TRUE;
}

/* Sizes of the picture and of the block. */
static gboolean
read_sizes (SymKernel *kernel, gint64 *image, gint64 *block, int *n, GError **error)
{
  int n_block;

  if (sym_kernel_need_input (kernel, 1, error) == NULL ||
      sym_kernel_need_input (kernel, 2, error) == NULL ||
      !sym_kernel_read_ints (kernel, 1, image, SYM_MAX_RANK - 2, n, error) ||
      !sym_kernel_read_ints (kernel, 2, block, SYM_MAX_RANK - 2, &n_block, error))
    return FALSE;
  if (*n != n_block || *n < 1)
    return sym_kernel_fail (error, "image_shape has %d sizes, block_shape %d", *n, n_block);
  for (int i = 0; i < *n; i++)
    if (image[i] < 0 || image[i] > G_MAXINT32 || block[i] < 1 || block[i] > G_MAXINT32)
      return sym_kernel_fail (error,
                              "%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                              " are no sizes of a picture and a block",
                              image[i], block[i]);
  return TRUE;
}

/* The product of positive numbers; 0 when it is too large. */
static gsize
count (const gint64 *numbers, int n)
{
  gsize total = 1;

  for (int i = 0; i < n && total > 0; i++)
    if (!g_size_checked_mul (&total, total, (gsize) numbers[i]))
      total = 0;
  return total;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Columns self = { .kernel = kernel };
  gint64 image[SYM_MAX_RANK], block[SYM_MAX_RANK];
  SymShape to = { .rank = 2 };
  SymArray *y;
  int n;

  if (x == NULL || !read_sizes (kernel, image, block, &n, error) ||
      !sym_op_onnx_windows_init (&self.windows, sym_kernel_get_attributes (kernel), n, block,
                                 error) ||
      !sym_op_onnx_windows_place (&self.windows, image, error))
    return FALSE;
  self.taps = count (block, n);
  self.n_places = count (self.windows.places, n);
  if (x->shape.rank != 3 || self.taps == 0 || (gsize) x->shape.dims[1] % self.taps != 0 ||
      (gsize) x->shape.dims[2] != self.n_places)
    {
      g_autofree char *text = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error,
                              "columns of shape %s are not those of %" G_GSIZE_FORMAT
                              " taps at %" G_GSIZE_FORMAT " places",
                              text, self.taps, self.n_places);
    }
  to.dims[0] = x->shape.dims[0];
  to.dims[1] = x->shape.dims[1] / (gint64) self.taps;
  for (int i = 0; i < n; i++)
    to.dims[to.rank++] = image[i];
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  self.plane = sym_op_onnx_multiply (self.windows.size, n);
  return y != NULL && fold (&self, x, y, error);
}

const SymOperator sym_op_onnx_columns[] = {
  { SYM_OP_ONNX ("Col2Im", 18), .summary = "a picture from what windows of it see",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run },
  { 0 },
};
