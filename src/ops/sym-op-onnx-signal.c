/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* What spectra are made with: windows of cosines, and the matrix of the mel scale. */

#define DATATYPE                                                             \
  {                                                                          \
    "output_datatype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" \
  }

static const SymAttributeSpec window_attributes[] = {
  DATATYPE,
  { "periodic", SYM_ATTRIBUTE_INT, "1", "whether the window repeats without a double end" },
  { NULL },
};
static const SymAttributeSpec mel_attributes[] = { DATATYPE, { NULL } };

static const SymSlotSpec window_slots[] = { { "size" }, { NULL } };
static const SymSlotSpec mel_slots[] = {
  { "num_mel_bins" },     { "dft_length" },       { "sample_rate" },
  { "lower_edge_hertz" }, { "upper_edge_hertz" }, { NULL },
};

static SymDType
get_dtype (const SymAttributes *attributes)
{
  SymDType dtype = sym_op_onnx_get_dtype (attributes, "output_datatype");

  return dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype;
}

/* The value of a dimension that operand @i is, where it is known. */
static SymDim
get_size (SymRule *rule, guint i)
{
  SymDim size;

  return sym_rule_get_input_values (rule, i, &size, 1) == 1 ? size : SYM_DIM_UNKNOWN;
}

static gboolean
infer_window (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (get_size (rule, 0)),
                            get_dtype (sym_rule_get_attributes (rule)), error);
}

static gboolean
infer_mel (SymRule *rule, GError **error)
{
  SymDim length = get_size (rule, 1);

  return sym_op_set_output (
      rule, 0, SYM_SHAPE (length >= 0 ? length / 2 + 1 : SYM_DIM_UNKNOWN, get_size (rule, 0)),
      get_dtype (sym_rule_get_attributes (rule)), error);
}

/* The one number of operand @i, which counts something. */
static gboolean
read_count (SymKernel *kernel, guint i, gint64 least, gint64 *count, GError **error)
{
  double number;

  if (!sym_op_need_number (kernel, i, &number, error))
    return FALSE;
  if (!(number >= (double) least && number <= 0x1p40))
    return sym_kernel_fail (error, "operand %u must be at least %" G_GINT64_FORMAT ", not %g", i,
                            least, number);
  *count = (gint64) number;
  return TRUE;
}

/* A result of @shape and its numbers, 0 at first. */
static double *
begin_result (SymKernel *kernel, const SymShape *shape, SymArray **y, GError **error)
{
  SymDType dtype = get_dtype (sym_kernel_get_attributes (kernel));
  double *numbers;

  if (!sym_dtype_is_integer (dtype) && !sym_dtype_is_floating (dtype))
    {
      sym_op_refuse_dtype (kernel, dtype, error);
      return NULL;
    }
  *y = sym_kernel_new_output (kernel, 0, dtype, shape, error);
  numbers = *y == NULL ? NULL : sym_op_place_as (kernel, *y, SYM_DTYPE_FLOAT64, error);
  if (numbers != NULL)
    memset (numbers, 0, sym_array_get_n_elements (*y) * sizeof (double));
  return numbers;
}

/* ---- Windows ---- */

/* @first - @second cos (t) + @third cos (2 t), t once around. */
static gboolean
run_window (SymKernel *kernel, double first, double second, double third, GError **error)
{
  gboolean is_periodic = sym_kernel_get_bool (kernel, "periodic", TRUE);
  gsize asked = 0;
  gint64 size, around;
  double *numbers;
  SymArray *y;

  if (!read_count (kernel, 0, 0, &size, error))
    return FALSE;
  numbers = begin_result (kernel, &SYM_SHAPE (size), &y, error);
  if (numbers == NULL)
    return FALSE;
  around = is_periodic ? size : size - 1;
  for (gint64 i = 0; i < size; i++)
    {
      double t = 2 * G_PI * (double) i / (double) around;

      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
      /* One element alone is the middle of the window. */
      if (around == 0)
        t = G_PI;
      numbers[i] = first - second * cos (t) + third * cos (2 * t);
    }
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, numbers);
  return TRUE;
}

static gboolean
run_hann (SymKernel *kernel, GError **error)
{
  return run_window (kernel, 0.5, 0.5, 0, error);
}

static gboolean
run_hamming (SymKernel *kernel, GError **error)
{
  return run_window (kernel, 25.0 / 46, 21.0 / 46, 0, error);
}

static gboolean
run_blackman (SymKernel *kernel, GError **error)
{
  return run_window (kernel, 0.42, 0.5, 0.08, error);
}

/* ---- MelWeightMatrix ---- */

typedef struct {
  gint64 n_bins, length, rate;
  double lower, upper;
} Mel;

static double
to_mel (double hertz)
{
  return 2595 * log10 (1 + hertz / 700);
}

/* The bin of the spectrum that edge @i of n_bins + 2 lies in. */
static gint64
find_edge (const Mel *self, gint64 i)
{
  double first = to_mel (self->lower),
         step = (to_mel (self->upper) - first) / (double) (self->n_bins + 2);
  double hertz = 700 * (pow (10, ((double) i * step + first) / 2595) - 1);

  return sym_op_truncate (floor ((double) (self->length + 1) * hertz / (double) self->rate));
}

/* Column @column rises from its edge to the next one, and falls to the one after. */
static void
fill_column (double *y, gint64 width, gint64 column, const gint64 edges[3])
{
  gint64 up = edges[1] - edges[0], down = edges[2] - edges[1];

  if (up == 0)
    y[edges[1] * width + column] = 1;
  else
    for (gint64 i = edges[0]; i <= edges[1]; i++)
      y[i * width + column] = (double) (i - edges[0]) / (double) up;
  for (gint64 i = edges[1]; down > 0 && i < edges[2]; i++)
    y[i * width + column] = (double) (edges[2] - i) / (double) down;
}

static gboolean
run_mel (SymKernel *kernel, GError **error)
{
  gsize asked = 0;
  gint64 height;
  double *numbers;
  SymArray *y;
  Mel self;

  if (!read_count (kernel, 0, 0, &self.n_bins, error) ||
      !read_count (kernel, 1, 0, &self.length, error) ||
      !read_count (kernel, 2, 1, &self.rate, error) ||
      !sym_op_need_number (kernel, 3, &self.lower, error) ||
      !sym_op_need_number (kernel, 4, &self.upper, error))
    return FALSE;
  if (!(self.lower >= 0 && self.lower <= self.upper))
    return sym_kernel_fail (error, "there are no bins from %g to %g Hz", self.lower, self.upper);
  height = self.length / 2 + 1;
  if (self.n_bins > 0 && find_edge (&self, self.n_bins + 1) > height)
    return sym_kernel_fail (error,
                            "the spectrum of %" G_GINT64_FORMAT " samples, %" G_GINT64_FORMAT
                            " a second, does not reach to %g Hz",
                            self.length, self.rate, self.upper);
  numbers = begin_result (kernel, &SYM_SHAPE (height, self.n_bins), &y, error);
  if (numbers == NULL)
    return FALSE;
  for (gint64 i = 0; i < self.n_bins; i++)
    {
      const gint64 edges[] = { find_edge (&self, i), find_edge (&self, i + 1),
                               find_edge (&self, i + 2) };

      if (!sym_op_go_on (kernel, &asked, (gsize) (edges[2] - edges[0]) + 64, error))
        return FALSE;
      if (edges[1] >= height)
        return sym_kernel_fail (error, "bin %" G_GINT64_FORMAT " lies beyond the spectrum", i);
      fill_column (numbers, self.n_bins, i, edges);
    }
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, numbers);
  return TRUE;
}

#define WINDOW(name_, summary_, run_)                                                \
  {                                                                                  \
    SYM_OP_ONNX (name_, 17), .summary = summary_, .category = SYM_CATEGORY_OTHER,    \
                             .attributes = window_attributes, .slots = window_slots, \
                             .infer = infer_window, .run = run_                      \
  }

const SymOperator sym_op_onnx_signal[] = {
  WINDOW ("HannWindow", "a window of a cosine that ends at 0", run_hann),
  WINDOW ("HammingWindow", "a window of a cosine", run_hamming),
  WINDOW ("BlackmanWindow", "a window of two cosines", run_blackman),
  { SYM_OP_ONNX ("MelWeightMatrix", 17),
    .summary = "weights that make a mel spectrum of a spectrum", .category = SYM_CATEGORY_OTHER,
    .attributes = mel_attributes, .slots = mel_slots, .infer = infer_mel, .run = run_mel },
  { 0 },
};
