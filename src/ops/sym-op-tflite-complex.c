/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-fourier.h"
#include "ops/sym-op-tflite.h"

/* Spectra, and parts of their complex numbers.  ONNX has no operator that makes complex numbers, so
 * these have kernels of their own. */

/* ---- Spectra ---- */

/* The last two axes become those that fft_length tells; of the last one, half of which mirrors the
 * other, n / 2 + 1 numbers are kept. */
static gboolean
infer_rfft (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim sizes[SYM_MAX_RANK];
  int n = sym_op_get_sizes (rule, 1, sizes);

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_COMPLEX64, error))
    return FALSE;
  if (n >= 0 && n != 2)
    return sym_rule_fail (error, "fft_length has %d sizes; it should have 2", n);
  if (shape.rank < 0)
    return TRUE;
  if (shape.rank < 2)
    return sym_rule_fail (error, "the input has %d axes; it should have 2 or more", shape.rank);
  shape.dims[shape.rank - 2] = n < 0 ? SYM_DIM_UNKNOWN : sizes[0];
  shape.dims[shape.rank - 1] =
      n < 0 || sizes[1] == SYM_DIM_UNKNOWN
          ? SYM_DIM_UNKNOWN
          : sym_terms_add (sym_rule_get_terms (rule),
                           sym_terms_floor_divide (sym_rule_get_terms (rule), sizes[1], 2), 1);
  return sym_rule_set_output (rule, 0, &shape, error);
}

typedef struct {
  const float *x; /* of one picture: [given_rows, given_columns] */
  gsize given_rows, given_columns;
  gsize rows, columns, bins;
  SymOpFourier *across, *down;
  double *line;  /* pairs, of the longer of a row and a column */
  double *plane; /* pairs: [rows, bins] */
} Picture;

static gboolean
read_sizes (SymKernel *kernel, Picture *self, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymArray *sizes = x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  gint64 rows, columns;

  if (sizes == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "the input has %d axes; it should have 2 or more",
                            x->shape.rank);
  if (!sym_dtype_is_integer (sizes->dtype) || sym_array_get_n_elements (sizes) != 2)
    return sym_kernel_fail (error, "fft_length should be two integers");
  rows = sym_element_get_int (sizes->dtype, sizes->data, 0);
  columns = sym_element_get_int (sizes->dtype, sizes->data, 1);
  if (MIN (rows, columns) < 1 || MAX (rows, columns) > G_MAXINT32)
    return sym_kernel_fail (
        error, "there is no spectrum of %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT " numbers", rows,
        columns);
  self->given_rows = (gsize) x->shape.dims[x->shape.rank - 2];
  self->given_columns = (gsize) x->shape.dims[x->shape.rank - 1];
  self->rows = (gsize) rows;
  self->columns = (gsize) columns;
  self->bins = self->columns / 2 + 1;
  return TRUE;
}

static gboolean
begin (SymKernel *kernel, Picture *self, GError **error)
{
  self->across = sym_op_fourier_new (kernel, self->columns, error);
  self->down = self->across == NULL ? NULL : sym_op_fourier_new (kernel, self->rows, error);
  if (self->down == NULL)
    return FALSE;
  self->line =
      sym_kernel_get_scratch (kernel, 2 * MAX (self->rows, self->columns), sizeof (double), error);
  if (self->line == NULL)
    return FALSE;
  self->plane =
      sym_kernel_get_scratch (kernel, 2 * self->rows * self->bins, sizeof (double), error);
  return self->plane != NULL;
}

/* What is given beyond the size is left out, what is missing is 0. */
static gboolean
transform_rows (Picture *self, GError **error)
{
  gsize n = MIN (self->given_columns, self->columns);

  memset (self->plane, 0, 2 * self->rows * self->bins * sizeof (double));
  for (gsize row = 0; row < MIN (self->given_rows, self->rows); row++)
    {
      const float *x = self->x + row * self->given_columns;

      memset (self->line, 0, 2 * self->columns * sizeof (double));
      for (gsize i = 0; i < n; i++)
        self->line[2 * i] = (double) x[i];
      if (!sym_op_fourier_run (self->across, self->line, FALSE, error))
        return FALSE;
      memcpy (self->plane + 2 * row * self->bins, self->line, 2 * self->bins * sizeof (double));
    }
  return TRUE;
}

static gboolean
transform_columns (Picture *self, float *y, GError **error)
{
  for (gsize bin = 0; bin < self->bins; bin++)
    {
      for (gsize row = 0; row < self->rows; row++)
        memcpy (self->line + 2 * row, self->plane + 2 * (row * self->bins + bin),
                2 * sizeof (double));
      if (!sym_op_fourier_run (self->down, self->line, FALSE, error))
        return FALSE;
      for (gsize i = 0; i < 2 * self->rows; i++)
        y[2 * (i / 2 * self->bins + bin) + i % 2] = (float) self->line[i];
    }
  return TRUE;
}

static gboolean
run_rfft (SymKernel *kernel, GError **error)
{
  Picture self = { NULL };
  const SymArray *x;
  SymShape shape;
  SymArray *y;
  gsize size, done = 0;

  if (!read_sizes (kernel, &self, error))
    return FALSE;
  x = sym_kernel_get_input (kernel, 0);
  shape = x->shape;
  shape.dims[shape.rank - 2] = (SymDim) self.rows;
  shape.dims[shape.rank - 1] = (SymDim) self.bins;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_COMPLEX64, &shape, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  if (!begin (kernel, &self, error))
    return FALSE;
  size = self.rows * self.bins;
  for (gsize i = 0; i < sym_array_get_n_elements (y) / size; i++)
    {
      self.x = (const float *) x->data + i * self.given_rows * self.given_columns;
      if (!sym_op_go_on (kernel, &done, size, error) || !transform_rows (&self, error) ||
          !transform_columns (&self, (float *) y->data + 2 * i * size, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Parts ---- */

/* The dtype of the parts of a complex number. */
static SymDType
get_part (SymDType dtype)
{
  return dtype == SYM_DTYPE_COMPLEX64    ? SYM_DTYPE_FLOAT32
         : dtype == SYM_DTYPE_COMPLEX128 ? SYM_DTYPE_FLOAT64
                                         : SYM_DTYPE_UNKNOWN;
}

static gboolean
infer_part (SymRule *rule, GError **error)
{
  SymDType dtype = get_part (sym_rule_get_input_dtype (rule, 0));

  return sym_op_pass_shape (rule, 0, 0, error) &&
         (dtype == SYM_DTYPE_UNKNOWN || sym_rule_set_output_dtype (rule, 0, dtype, error));
}

#define PART(name_, type_, suffix_, expression_)                                                \
  static void name_##_##suffix_ (const void *from, void *to, gsize n, const double *parameters) \
  {                                                                                             \
    const type_ *x = from;                                                                      \
    type_ *y = to;                                                                              \
                                                                                                \
    for (gsize i = 0; i < n; i++, x += 2)                                                       \
      y[i] = expression_;                                                                       \
  }
#define PARTS(name_, narrow_, wide_)                                                   \
  PART (name_, float, narrow, narrow_)                                                 \
  PART (name_, double, wide, wide_)                                                    \
  static const SymOpUnaryLoop name_##_loops[SYM_N_DTYPES] = {                          \
    [SYM_DTYPE_COMPLEX64] = name_##_narrow,                                            \
    [SYM_DTYPE_COMPLEX128] = name_##_wide,                                             \
  };                                                                                   \
  static gboolean run_##name_ (SymKernel *kernel, GError **error)                      \
  {                                                                                    \
    const SymArray *x = sym_kernel_need_input (kernel, 0, error);                      \
                                                                                       \
    return x != NULL &&                                                                \
           sym_op_run_unary (kernel, name_##_loops, get_part (x->dtype), NULL, error); \
  }

PARTS (length, hypotf (x[0], x[1]), hypot (x[0], x[1]))
PARTS (real, x[0], x[0])
PARTS (imaginary, x[1], x[1])

/* ---- Tables ---- */

static const SymSlotSpec rfft_slots[] = { { "input" }, { "fft_length" }, { NULL } };

#define RUN(name_, summary_, slots_, infer_, run_)                                             \
  {                                                                                            \
    TFLITE (name_, NULL, summary_, ELEMENTWISE), .slots = slots_, .infer = infer_, .run = run_ \
  }

const SymOperator sym_op_tflite_complex[] = {
  RUN ("RFFT2D", "Spectrum of the last two axes", rfft_slots, infer_rfft, run_rfft),
  RUN ("COMPLEX_ABS",
       "Absolute value of complex numbers",
       sym_op_foreign_one,
       infer_part,
       run_length),
  RUN ("REAL", "Real parts", sym_op_foreign_one, infer_part, run_real),
  RUN ("IMAG", "Imaginary parts", sym_op_foreign_one, infer_part, run_imaginary),
  { NULL },
};
