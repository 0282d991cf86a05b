/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-fourier.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* DFT and STFT.  The last axis of their operands has one real number, or the two of a complex one.
 */

#define SIDES                                                                          \
  {                                                                                    \
    "onesided", SYM_ATTRIBUTE_INT, "0",                                                \
        "whether there is only the half of a spectrum of which the other half follows" \
  }
#define INVERSE                                                             \
  {                                                                         \
    "inverse", SYM_ATTRIBUTE_INT, "0", "whether to go back from a spectrum" \
  }

static const SymAttributeSpec dft_attributes_17[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "the axis of the signal" },
  INVERSE,
  SIDES,
  { NULL },
};
static const SymAttributeSpec dft_attributes_20[] = { INVERSE, SIDES, { NULL } };
static const SymAttributeSpec stft_attributes[] = {
  { "onesided", SYM_ATTRIBUTE_INT, "1",
    "whether there is only the half of each spectrum of which the other half follows" },
  { NULL },
};

static const SymSlotSpec dft_slots_17[] = {
  { "input" },
  { "dft_length", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec dft_slots_20[] = {
  { "input" },
  { "dft_length", .optional = TRUE },
  { "axis", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec stft_slots[] = {
  { "signal" },
  { "frame_step" },
  { "window", .optional = TRUE },
  { "frame_length", .optional = TRUE },
  { NULL },
};

/* ---- Rules ---- */

/* What @n numbers become. */
static SymDim
get_bins (SymDim n, gboolean onesided)
{
  return !onesided ? n : n >= 0 ? n / 2 + 1 : SYM_DIM_UNKNOWN;
}

/* The size along the axis, of which there are @size in the operand. */
static SymDim
infer_length (SymRule *rule, SymDim size, gboolean inverse, gboolean onesided)
{
  SymDim length;

  if (sym_rule_has_input (rule, 1))
    length = sym_rule_get_input_values (rule, 1, &length, 1) == 1 ? length : SYM_DIM_UNKNOWN;
  else if (inverse && onesided)
    length = size > 0 ? 2 * (size - 1) : SYM_DIM_UNKNOWN;
  else
    length = size;
  return get_bins (length, onesided && !inverse);
}

/* Along an axis that is not known: a whole spectrum is as long as its signal. */
static void
forget_changed (SymRule *rule, SymShape *shape, gboolean onesided)
{
  if (onesided || sym_rule_has_input (rule, 1))
    *shape = sym_shape_new_unknown (shape->rank);
}

static gboolean
infer_dft (SymRule *rule, GError **error)
{
  gboolean inverse = sym_rule_get_bool (rule, "inverse", FALSE);
  gboolean onesided = sym_rule_get_bool (rule, "onesided", FALSE);
  gint64 given = sym_rule_get_version (rule) < 20 ? sym_rule_get_int (rule, "axis", 1) : -2;
  SymShape y = sym_rule_get_input (rule, 0);
  gboolean is_known = TRUE;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (y.rank < 0)
    return TRUE;
  if (sym_rule_has_input (rule, 2))
    is_known = sym_rule_get_input_ints (rule, 2, &given, 1) == 1;
  if (y.rank < 2)
    return sym_rule_fail (error, "the operand must have 2 axes or more, not %d", y.rank);
  if (!is_known)
    forget_changed (rule, &y, onesided);
  else if (!sym_op_normalize_axis (given, y.rank, &axis, error))
    return FALSE;
  else if (axis == y.rank - 1)
    return sym_rule_fail (error, "the last axis has the parts of one number");
  else
    y.dims[axis] = infer_length (rule, y.dims[axis], inverse, onesided);
  y.dims[y.rank - 1] = inverse && onesided ? 1 : 2;
  return sym_rule_set_output (rule, 0, &y, error);
}

/* signal [batch, length, 1 or 2]: [batch, frames, bins, 2]. */
static gboolean
infer_stft (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), window = sym_rule_get_input (rule, 2);
  SymTerms *terms = sym_rule_get_terms (rule);
  gboolean onesided = sym_rule_get_bool (rule, "onesided", TRUE);
  SymDim length = SYM_DIM_UNKNOWN, step = SYM_DIM_UNKNOWN, frames = SYM_DIM_UNKNOWN;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (x.rank < 0)
    return TRUE;
  if (x.rank != 2 && x.rank != 3)
    return sym_rule_fail (error, "the signal must have 3 axes, not %d", x.rank);
  if (sym_rule_has_input (rule, 3))
    length = sym_rule_get_input_values (rule, 3, &length, 1) == 1 ? length : SYM_DIM_UNKNOWN;
  else if (sym_rule_has_input (rule, 2))
    length = window.rank == 1 ? window.dims[0] : SYM_DIM_UNKNOWN;
  else
    length = x.dims[1];
  if (sym_rule_get_input_values (rule, 1, &step, 1) == 1 && step > 0 && length >= 0 &&
      (x.dims[1] >= length || x.dims[1] < 0))
    frames = sym_terms_add (
        terms, sym_terms_floor_divide (terms, sym_terms_subtract (terms, x.dims[1], length), step),
        1);
  return sym_op_set_output (rule, 0, SYM_SHAPE (x.dims[0], frames, get_bins (length, onesided), 2),
                            SYM_DTYPE_UNKNOWN, error);
}

/* ---- Kernels ---- */

/* The one integer of an optional operand; *@number is left alone when it is absent. */
static gboolean
read_number (SymKernel *kernel, guint slot, const char *name, gint64 *number, GError **error)
{
  gint64 given;
  int n;

  if (!sym_kernel_read_ints (kernel, slot, &given, 1, &n, error))
    return FALSE;
  if (n == 0)
    return sym_kernel_fail (error, "%s must be one integer", name);
  if (n == 1)
    *number = given;
  return TRUE;
}

typedef struct {
  SymKernel *kernel;
  gboolean inverse, onesided;
  const double *x;
  double *y;
  SymOpAxis from, to; /* of x and y, in numbers of that many parts: */
  gsize parts, parts_to;
  gsize length;
  SymOpFourier *transform;
  double *line; /* pairs, as many as the length */
} Fourier;

/* One line of x, cut or with zeros behind.  Of half a spectrum the other half is the mirror of the
 * first, with what has no mirror image real. */
static void
load_line (const Fourier *self, gsize outer, gsize inner)
{
  const double *x = self->x + (outer * self->from.size * self->from.inner + inner) * self->parts;
  gboolean is_half = self->inverse && self->onesided;
  gsize n = MIN (self->from.size, is_half ? self->length / 2 + 1 : self->length);
  double *line = self->line;

  memset (line, 0, self->length * 2 * sizeof (double));
  for (gsize i = 0; i < n; i++, x += self->from.inner * self->parts)
    {
      double re = x[0], im = self->parts == 2 ? x[1] : 0;

      if (is_half && (i == 0 || 2 * i == self->length))
        im = 0;
      line[2 * i] = re;
      line[2 * i + 1] = im;
      if (is_half && i > 0)
        {
          line[2 * (self->length - i)] = re;
          line[2 * (self->length - i) + 1] = -im;
        }
    }
}

static void
store_line (const Fourier *self, gsize outer, gsize inner)
{
  double *y = self->y + (outer * self->to.size * self->to.inner + inner) * self->parts_to;

  for (gsize i = 0; i < self->to.size; i++, y += self->to.inner * self->parts_to)
    for (gsize part = 0; part < self->parts_to; part++)
      y[part] = self->line[2 * i + part];
}

static gboolean
begin_transform (Fourier *self, GError **error)
{
  self->transform = sym_op_fourier_new (self->kernel, self->length, error);
  if (self->transform == NULL)
    return FALSE;
  self->line = sym_kernel_get_scratch (self->kernel, self->length, 2 * sizeof (double), error);
  return self->line != NULL;
}

static gboolean
transform_lines (Fourier *self, GError **error)
{
  gsize asked = 0;

  if (!begin_transform (self, error))
    return FALSE;
  for (gsize outer = 0; outer < self->to.outer; outer++)
    for (gsize inner = 0; inner < self->to.inner; inner++)
      {
        if (!sym_op_go_on (self->kernel, &asked, self->from.size + self->length, error))
          return FALSE;
        load_line (self, outer, inner);
        if (!sym_op_fourier_run (self->transform, self->line, self->inverse, error))
          return FALSE;
        store_line (self, outer, inner);
      }
  return TRUE;
}

/* Whether an operand has numbers of one part or two along its last axis. */
static gboolean
check_parts (SymKernel *kernel, const SymArray *x, GError **error)
{
  if (!sym_dtype_is_floating (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (x->shape.rank < 2 || x->shape.dims[x->shape.rank - 1] < 1 ||
      x->shape.dims[x->shape.rank - 1] > 2)
    {
      g_autofree char *text = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error, "the last axis of %s must have 1 or 2 parts of each number",
                              text);
    }
  return TRUE;
}

/* The axis, and how many numbers are transformed along it. */
static gboolean
read_length (Fourier *self, const SymShape *shape, int *axis, GError **error)
{
  gboolean is_attribute = sym_kernel_get_version (self->kernel) < 20;
  gint64 given = is_attribute ? sym_kernel_get_int (self->kernel, "axis", 1) : -2, length;

  if ((!is_attribute && !read_number (self->kernel, 2, "axis", &given, error)) ||
      !sym_op_find_axis (given, shape->rank, axis, error))
    return FALSE;
  if (*axis == shape->rank - 1)
    return sym_kernel_fail (error, "the last axis has the parts of one number");
  length = shape->dims[*axis];
  if (self->inverse && self->onesided)
    length = 2 * (length - 1);
  if (!read_number (self->kernel, 1, "dft_length", &length, error))
    return FALSE;
  if (length < 1)
    return sym_kernel_fail (error, "%" G_GINT64_FORMAT " numbers cannot be transformed", length);
  self->length = (gsize) length;
  return TRUE;
}

/* @shape without its last axis. */
static SymOpAxis
split_numbers (SymShape shape, int axis)
{
  shape.rank--;
  return sym_op_split_axis (&shape, axis);
}

static gboolean
run_dft (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Fourier self = {
    .kernel = kernel,
    .inverse = sym_kernel_get_bool (kernel, "inverse", FALSE),
    .onesided = sym_kernel_get_bool (kernel, "onesided", FALSE),
  };
  SymShape to;
  SymArray *y;
  int axis;

  if (x == NULL || !check_parts (kernel, x, error) || !read_length (&self, &x->shape, &axis, error))
    return FALSE;
  to = x->shape;
  self.parts = (gsize) to.dims[to.rank - 1];
  if (self.onesided && !self.inverse && self.parts == 2)
    return sym_kernel_fail (error, "complex numbers have no one-sided spectrum");
  self.parts_to = self.onesided && self.inverse ? 1 : 2;
  to.dims[axis] = get_bins ((gint64) self.length, self.onesided && !self.inverse);
  to.dims[to.rank - 1] = (gint64) self.parts_to;
  self.from = split_numbers (x->shape, axis);
  self.to = split_numbers (to, axis);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  self.x = sym_op_read_as (kernel, x, SYM_DTYPE_FLOAT64, error);
  self.y = self.x == NULL ? NULL : sym_op_place_as (kernel, y, SYM_DTYPE_FLOAT64, error);
  if (self.y == NULL || !transform_lines (&self, error))
    return FALSE;
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, self.y);
  return TRUE;
}

/* ---- STFT ---- */

typedef struct {
  Fourier fourier;
  gsize batch, size, step, frames, bins; /* @size numbers of each signal */
  const double *window;                  /* NULL for none */
  gsize window_size;
} Frames;

static gboolean
transform_frame (Frames *self, gsize example, gsize frame, GError **error)
{
  Fourier *fourier = &self->fourier;
  gsize parts = fourier->parts;
  const double *x = fourier->x + (example * self->size + frame * self->step) * parts;
  double *y = fourier->y + (example * self->frames + frame) * self->bins * 2;

  for (gsize i = 0; i < fourier->length; i++)
    {
      double weight = self->window == NULL ? 1 : i < self->window_size ? self->window[i] : 0;

      fourier->line[2 * i] = weight * x[i * parts];
      fourier->line[2 * i + 1] = parts == 2 ? weight * x[i * parts + 1] : 0;
    }
  if (!sym_op_fourier_run (fourier->transform, fourier->line, FALSE, error))
    return FALSE;
  memcpy (y, fourier->line, self->bins * 2 * sizeof (double));
  return TRUE;
}

static gboolean
read_window (Frames *self, GError **error)
{
  const SymArray *window = sym_kernel_get_input (self->fourier.kernel, 2);

  if (window == NULL)
    return TRUE;
  if (!sym_dtype_is_floating (window->dtype) || window->shape.rank != 1)
    return sym_kernel_fail (error, "the window must have one axis, of floats");
  self->window_size = (gsize) window->shape.dims[0];
  self->window = sym_op_read_as (self->fourier.kernel, window, SYM_DTYPE_FLOAT64, error);
  return self->window != NULL;
}

/* How long frames are, and how many there are. */
static gboolean
read_frames (Frames *self, GError **error)
{
  SymKernel *kernel = self->fourier.kernel;
  gint64 step = 0, length;

  if (sym_kernel_need_input (kernel, 1, error) == NULL ||
      !read_number (kernel, 1, "frame_step", &step, error) || !read_window (self, error))
    return FALSE;
  length = (gint64) (self->window != NULL ? self->window_size : self->size);
  if (!read_number (kernel, 3, "frame_length", &length, error))
    return FALSE;
  if (step < 1 || length < 1 || length > (gint64) self->size)
    return sym_kernel_fail (error,
                            "there are no frames of %" G_GINT64_FORMAT " numbers, %" G_GINT64_FORMAT
                            " apart, in %" G_GSIZE_FORMAT,
                            length, step, self->size);
  self->step = (gsize) step;
  self->fourier.length = (gsize) length;
  self->frames = 1 + (self->size - self->fourier.length) / self->step;
  self->bins = (gsize) get_bins (length, self->fourier.onesided);
  return TRUE;
}

static gboolean
run_stft (SymKernel *kernel, GError **error)
{
  const SymArray *given = sym_kernel_need_input (kernel, 0, error);
  Frames self = { .fourier = { .kernel = kernel,
                               .onesided = sym_kernel_get_bool (kernel, "onesided", TRUE) } };
  SymArray x, *y;
  gsize asked = 0;

  if (given == NULL)
    return FALSE;
  x = *given;
  /* Files exist whose real signals lack the last axis. */
  if (x.shape.rank == 2)
    x.shape.dims[x.shape.rank++] = 1;
  if (x.shape.rank != 3)
    return sym_kernel_fail (error, "the signal must have 3 axes, not %d", x.shape.rank);
  if (!check_parts (kernel, &x, error))
    return FALSE;
  self.fourier.parts = (gsize) x.shape.dims[2];
  if (self.fourier.onesided && self.fourier.parts == 2)
    return sym_kernel_fail (error,
                            "complex numbers have no one-sided spectrum: onesided must be 0");
  self.batch = (gsize) x.shape.dims[0];
  self.size = (gsize) x.shape.dims[1];
  if (!read_frames (&self, error))
    return FALSE;
  y = sym_kernel_new_output (
      kernel, 0, x.dtype, &SYM_SHAPE (x.shape.dims[0], (gint64) self.frames, (gint64) self.bins, 2),
      error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  self.fourier.x = sym_op_read_as (kernel, given, SYM_DTYPE_FLOAT64, error);
  if (self.fourier.x == NULL)
    return FALSE;
  self.fourier.y = sym_op_place_as (kernel, y, SYM_DTYPE_FLOAT64, error);
  if (self.fourier.y == NULL || !begin_transform (&self.fourier, error))
    return FALSE;
  for (gsize i = 0; i < self.batch; i++)
    for (gsize k = 0; k < self.frames; k++)
      if (!sym_op_go_on (kernel, &asked, self.fourier.length, error) ||
          !transform_frame (&self, i, k, error))
        return FALSE;
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, self.fourier.y);
  return TRUE;
}

#define ENTRY(name_, version_, summary_, attributes_, slots_, infer_, run_)                     \
  {                                                                                             \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_OTHER,         \
                                   .attributes = attributes_, .slots = slots_, .infer = infer_, \
                                   .run = run_                                                  \
  }

const SymOperator sym_op_onnx_fourier[] = {
  ENTRY ("DFT",
         17,
         "the spectrum of a signal, or the signal of a spectrum",
         dft_attributes_17,
         dft_slots_17,
         infer_dft,
         run_dft),
  ENTRY ("DFT",
         20,
         "the spectrum of a signal, or the signal of a spectrum",
         dft_attributes_20,
         dft_slots_20,
         infer_dft,
         run_dft),
  ENTRY ("STFT",
         17,
         "spectra of overlapping frames of a signal",
         stft_attributes,
         stft_slots,
         infer_stft,
         run_stft),
  { 0 },
};
