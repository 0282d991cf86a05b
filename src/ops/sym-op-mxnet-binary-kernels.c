/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-binary-net.h"

/* Rows of bits, each beginning with a word of its own. */
typedef struct {
  gsize n_rows, n_bits, n_words;
  guint64 *words;
} Bits;

static gboolean
bits_init (Bits *self, SymKernel *kernel, gsize n_rows, gsize n_bits, GError **error)
{
  gsize n;

  *self = (Bits){ n_rows, n_bits, n_bits / 64 + 1, NULL };
  if (!g_size_checked_mul (&n, n_rows, self->n_words))
    return sym_kernel_fail (error, "%" G_GSIZE_FORMAT " rows of bits are too many", n_rows);
  self->words = sym_kernel_get_scratch (kernel, MAX (n, 1), sizeof *self->words, error);
  if (self->words == NULL)
    return FALSE;
  memset (self->words, 0, n * sizeof *self->words);
  return TRUE;
}

static void
set_bit (Bits *self, gsize row, gsize i)
{
  self->words[row * self->n_words + i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
}

static gsize
count_equal (const Bits *a, gsize i, const Bits *b, gsize j)
{
  const guint64 *left = a->words + i * a->n_words, *right = b->words + j * b->n_words;
  gsize n = 0;

  for (gsize k = 0; k < a->n_words; k++)
    n += (gsize) __builtin_popcountll (left[k] ^ right[k]);
  return a->n_bits - n;
}

static gboolean
is_positive (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i) >= 0;
}

/* ---- Weights ---- */

static gboolean
is_packed (SymKernel *kernel)
{
  return sym_kernel_get_bool (kernel, "binarized_weights_only", FALSE);
}

static gboolean
get_packed_bit (const SymArray *weight, gsize i)
{
  return (((const guint8 *) weight->data)[i / 8] >> (i % 8) & 1) != 0;
}

/* The words of a packed weight are its elements, whatever their dtype.  Those of a dense layer lie
 * word by word for all rows. */
static gboolean
read_weight (Bits *self,
             SymKernel *kernel,
             gsize n_rows,
             gsize n_bits,
             gboolean words_first,
             GError **error)
{
  const SymArray *weight = sym_kernel_need_input (kernel, 1, error);
  gsize n, width = weight == NULL ? 1 : MAX (sym_dtype_get_bits (weight->dtype), 1), asked = 0;
  gboolean packed = is_packed (kernel);

  if (weight == NULL || !bits_init (self, kernel, n_rows, n_bits, error))
    return FALSE;
  n = sym_array_get_n_elements (weight) * (packed ? width : 1);
  if (n != n_rows * n_bits || (packed && words_first && n_bits % width != 0))
    return sym_kernel_fail (error,
                            "the weight has %" G_GSIZE_FORMAT " bits; %" G_GSIZE_FORMAT
                            " rows of %" G_GSIZE_FORMAT " are needed",
                            n, n_rows, n_bits);
  for (gsize row = 0; row < n_rows; row++)
    {
      for (gsize i = 0; i < n_bits; i++)
        {
          gsize place = row * n_bits + i;

          if (packed && words_first)
            place = (i / width * n_rows + row) * width + i % width;
          if (packed ? get_packed_bit (weight, place) : is_positive (weight, place))
            set_bit (self, row, i);
        }
      if (!sym_op_go_on (kernel, &asked, n_bits, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_bits (SymKernel *kernel, GError **error)
{
  gint64 act = sym_kernel_get_int (kernel, "act_bit", 1);
  gint64 weight = sym_kernel_get_int (kernel, "weight_bit", 1);

  if (act == 1 && weight == 1 && !sym_kernel_get_bool (kernel, "scaling_factor", FALSE) &&
      !g_str_equal (sym_kernel_get_string (kernel, "scaling_mode", "none"), "forward"))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
               "%s: %" G_GINT64_FORMAT " bits of an activation and %" G_GINT64_FORMAT
               " of a weight, or scaled ones, are not computed; 1 and 1 are",
               sym_layer_get_type (sym_kernel_get_layer (kernel)), act, weight);
  return FALSE;
}

/* ---- Dense layers ---- */

static double
get_bias (SymKernel *kernel, gsize i)
{
  const SymArray *bias = sym_kernel_get_input (kernel, 2);

  if (bias == NULL || i >= sym_array_get_n_elements (bias))
    return 0;
  return sym_element_get_double (bias->dtype, bias->data, i);
}

gboolean
sym_op_mxnet_run_binary_dense (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 hidden = sym_kernel_get_int (kernel, "num_hidden", 0);
  gsize n, n_bits, asked = 0;
  Bits weight, data;
  SymArray *y;

  if (x == NULL || !check_bits (kernel, error))
    return FALSE;
  if (x->shape.rank < 1 || hidden < 1)
    return sym_kernel_fail (error, "a number has no features, and a layer has outputs");
  n = (gsize) x->shape.dims[0];
  n_bits = n == 0 ? 0 : sym_array_get_n_elements (x) / n;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &SYM_SHAPE (x->shape.dims[0], hidden), error);
  if (y == NULL || !bits_init (&data, kernel, n, n_bits, error) ||
      !read_weight (&weight, kernel, (gsize) hidden, n_bits, TRUE, error))
    return FALSE;
  for (gsize i = 0; i < n * n_bits; i++)
    if (is_positive (x, i))
      set_bit (&data, i / n_bits, i % n_bits);
  for (gsize i = 0; i < n * (gsize) hidden; i++)
    {
      gsize row = i / (gsize) hidden, unit = i % (gsize) hidden;

      sym_element_set_double (y->dtype, y->data, i,
                              (double) count_equal (&data, row, &weight, unit) +
                                  get_bias (kernel, unit));
      if (!sym_op_go_on (kernel, &asked, 1 + n_bits / 64, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Convolutions ---- */

typedef struct {
  gint64 kernel[2], stride[2], dilate[2], pad[2], size[2], out[2];
  gsize channels;
} Slide;

static gboolean
read_pair (SymKernel *kernel, const char *name, gint64 fallback, gint64 values[2], GError **error)
{
  int n = sym_kernel_get_ints (kernel, name, values, 2);

  if (n > 0 && n != 2)
    return sym_kernel_fail (error, "%s has %d sizes; it should have 2", name, n);
  for (int i = 0; n <= 0 && i < 2; i++)
    values[i] = fallback;
  for (int i = 0; i < 2; i++)
    if (values[i] < (fallback == 0 ? 0 : 1) || values[i] > G_MAXINT32)
      return sym_kernel_fail (error, "%s has a size of %" G_GINT64_FORMAT, name, values[i]);
  return TRUE;
}

static gboolean
read_slide (Slide *self, SymKernel *kernel, const SymArray *x, GError **error)
{
  if (x->shape.rank != 4)
    return sym_kernel_fail (error, "data has %d axes; it should have 4", x->shape.rank);
  if (sym_kernel_get_int (kernel, "num_group", 1) != 1)
    return sym_kernel_fail (error, "groups of channels are not computed with weights of one bit");
  if (!read_pair (kernel, "kernel", 1, self->kernel, error) ||
      !read_pair (kernel, "stride", 1, self->stride, error) ||
      !read_pair (kernel, "dilate", 1, self->dilate, error) ||
      !read_pair (kernel, "pad", 0, self->pad, error))
    return FALSE;
  self->channels = (gsize) x->shape.dims[1];
  for (int i = 0; i < 2; i++)
    {
      gint64 reach = self->dilate[i] * (self->kernel[i] - 1) + 1;

      self->size[i] = x->shape.dims[2 + i];
      if (self->size[i] + 2 * self->pad[i] < reach)
        return sym_kernel_fail (error,
                                "a window of %" G_GINT64_FORMAT
                                " elements is larger than the axis: %" G_GINT64_FORMAT,
                                reach, self->size[i] + 2 * self->pad[i]);
      self->out[i] = (self->size[i] + 2 * self->pad[i] - reach) / self->stride[i] + 1;
    }
  return TRUE;
}

/* What the window at place (@row, @column) of picture @image sees; padding is 0, so +1. */
static void
look (const Slide *self, const SymArray *x, gsize image, gint64 row, gint64 column, Bits *seen)
{
  gsize bit = 0;

  memset (seen->words, 0, seen->n_words * sizeof *seen->words);
  for (gsize c = 0; c < self->channels; c++)
    for (gint64 i = 0; i < self->kernel[0]; i++)
      for (gint64 j = 0; j < self->kernel[1]; j++, bit++)
        {
          gint64 h = row * self->stride[0] - self->pad[0] + i * self->dilate[0];
          gint64 w = column * self->stride[1] - self->pad[1] + j * self->dilate[1];
          gboolean outside = h < 0 || w < 0 || h >= self->size[0] || w >= self->size[1];

          if (outside ||
              is_positive (x, ((image * self->channels + c) * (gsize) self->size[0] + (gsize) h) *
                                      (gsize) self->size[1] +
                                  (gsize) w))
            set_bit (seen, 0, bit);
        }
}

gboolean
sym_op_mxnet_run_binary_convolution (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 filters = sym_kernel_get_int (kernel, "num_filter", 0);
  gsize n_bits, n_places, asked = 0;
  Bits weight, seen;
  SymArray *y;
  Slide slide;

  if (x == NULL || !check_bits (kernel, error) || !read_slide (&slide, kernel, x, error))
    return FALSE;
  if (filters < 1)
    return sym_kernel_fail (error, "num_filter is %" G_GINT64_FORMAT, filters);
  n_bits = slide.channels * (gsize) (slide.kernel[0] * slide.kernel[1]);
  n_places = (gsize) (slide.out[0] * slide.out[1]);
  y = sym_kernel_new_output (kernel, 0, x->dtype,
                             &SYM_SHAPE (x->shape.dims[0], filters, slide.out[0], slide.out[1]),
                             error);
  if (y == NULL || !read_weight (&weight, kernel, (gsize) filters, n_bits, FALSE, error) ||
      !bits_init (&seen, kernel, 1, n_bits, error))
    return FALSE;
  for (gsize place = 0; place < (gsize) x->shape.dims[0] * n_places; place++)
    {
      gsize image = place / n_places, at = place % n_places;

      look (&slide, x, image, (gint64) at / slide.out[1], (gint64) at % slide.out[1], &seen);
      for (gsize f = 0; f < (gsize) filters; f++)
        sym_element_set_double (y->dtype, y->data, (image * (gsize) filters + f) * n_places + at,
                                (double) count_equal (&seen, 0, &weight, f) + get_bias (kernel, f));
      if (!sym_op_go_on (kernel, &asked, n_bits, error))
        return FALSE;
    }
  return TRUE;
}
