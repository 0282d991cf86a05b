/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-kernel-keep.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx-ml.h"
#include "ops/sym-op-table.h"

/* Features of samples, prepared for models. */

/* Numbers that are converted at a time. */
#define BLOCK 1024

static const SymAttributeSpec binarizer_attributes[] = {
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.0", "what is greater becomes 1, all else 0" },
  { NULL },
};

static const SymAttributeSpec vectorizer_attributes[] = {
  { "inputdimensions", SYM_ATTRIBUTE_INTS, "None", "how many features of each operand there are" },
  { NULL },
};

static const SymAttributeSpec imputer_attributes[] = {
  { "imputed_value_floats", SYM_ATTRIBUTE_FLOATS, "None", "what is put in, for all or each" },
  { "imputed_value_int64s", SYM_ATTRIBUTE_INTS, "None", "the same for integers" },
  { "replaced_value_float", SYM_ATTRIBUTE_FLOAT, "0.0", "what is missing" },
  { "replaced_value_int64", SYM_ATTRIBUTE_INT, "0", "the same for integers" },
  { NULL },
};

static const SymAttributeSpec normalizer_attributes[] = {
  { "norm", SYM_ATTRIBUTE_STRING, "MAX", "MAX, L1 or L2", "MAX L1 L2" },
  { NULL },
};

static const SymAttributeSpec scaler_attributes[] = {
  { "offset", SYM_ATTRIBUTE_FLOATS, "None", "what is subtracted first, for all or each" },
  { "scale", SYM_ATTRIBUTE_FLOATS, "None", "what it is then multiplied by, for all or each" },
  { NULL },
};

static const SymSlotSpec extractor_slots[] = { { "X" }, { "Y" }, { NULL } };

static int
get_any_number (const SymAttributes *attributes)
{
  (void) attributes;
  return -1;
}

static gboolean
infer_float (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

/* ---- ArrayFeatureExtractor ---- */

static gboolean
infer_extractor (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), y = sym_rule_get_input (rule, 1);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (x.rank < 1 || y.rank < 1)
    return TRUE;
  if (x.rank == 1)
    x = SYM_SHAPE (1, x.dims[0]);
  x.dims[x.rank - 1] = sym_terms_product (sym_rule_get_terms (rule), y.dims, y.rank);
  return sym_rule_set_output (rule, 0, &x, error);
}

/* Places of the last axis. */
static gboolean
run_extractor (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymArray *places = x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  gsize n, width, n_rows, asked = 0;
  SymShape shape;
  SymArray *y;

  if (places == NULL)
    return FALSE;
  if (x->shape.rank < 1 || places->dtype != SYM_DTYPE_INT64)
    return sym_kernel_fail (error, "X must have an axis, and Y must be int64");
  shape = x->shape.rank == 1 ? SYM_SHAPE (1, x->shape.dims[0]) : x->shape;
  width = (gsize) shape.dims[shape.rank - 1];
  n = sym_array_get_n_elements (places);
  n_rows = width == 0 ? 0 : sym_array_get_n_elements (x) / width;
  shape.dims[shape.rank - 1] = (gint64) n;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      gint64 place = ((const gint64 *) places->data)[i];

      if (place < 0 || (gsize) place >= width)
        return sym_kernel_fail (
            error, "place %" G_GINT64_FORMAT " is out of range for an axis of %" G_GSIZE_FORMAT,
            place, width);
      if (sym_dtype_get_bits (x->dtype) == 32 && x->dtype != SYM_DTYPE_STRING)
        for (gsize row = 0; row < n_rows; row++)
          ((guint32 *) y->data)[row * n + i] =
              ((const guint32 *) x->data)[row * width + (gsize) place];
      else
        for (gsize row = 0; row < n_rows; row++)
          sym_op_move (y, row * n + i, x, row * width + (gsize) place, 1);
      if (!sym_op_go_on (kernel, &asked, n_rows, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- FeatureVectorizer ---- */

static gboolean
infer_vectorizer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape x = sym_rule_get_input (rule, 0);
  gint64 sizes[1024];
  int n = sym_rule_get_ints (rule, "inputdimensions", sizes, G_N_ELEMENTS (sizes));
  SymDim sum = 0;

  for (int i = 0; i < n && n <= (int) G_N_ELEMENTS (sizes); i++)
    sum = sizes[i] < 0 ? SYM_DIM_UNKNOWN : sym_terms_add (terms, sum, sizes[i]);
  if (n <= 0 || n > (int) G_N_ELEMENTS (sizes))
    sum = SYM_DIM_UNKNOWN;
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (x.rank < 0   ? SYM_DIM_UNKNOWN
                                       : x.rank < 2 ? 1
                                                    : x.dims[0],
                                       sum),
                            SYM_DTYPE_FLOAT32, error);
}

/* How wide operand @i is in the result: what is not there is 0, what is too much is left out. */
static gboolean
get_width (SymKernel *kernel, guint i, const gint64 *sizes, gsize n, gsize *width, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, i, error);

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_kernel_fail (error, "operand %u is of strings", i);
  *width = x->shape.rank < 1 ? 1 : (gsize) x->shape.dims[x->shape.rank - 1];
  if (i < n && sizes[i] < 0)
    return sym_kernel_fail (error, "inputdimensions has a size of %" G_GINT64_FORMAT, sizes[i]);
  if (i < n)
    *width = (gsize) sizes[i];
  return TRUE;
}

static gboolean
copy_features (SymKernel *kernel,
               guint i,
               SymArray *y,
               gsize at,
               gsize width,
               gsize *asked,
               GError **error)
{
  const SymArray *x = sym_kernel_get_input (kernel, i);
  gsize own = x->shape.rank < 1 ? 1 : (gsize) x->shape.dims[x->shape.rank - 1];
  gsize n_rows = own == 0 ? 0 : sym_array_get_n_elements (x) / own;
  gsize n = (gsize) y->shape.dims[0], all = (gsize) y->shape.dims[1];
  gsize size = sym_dtype_get_bits (x->dtype) / 8;

  if (own > 0 && n_rows != n)
    return sym_kernel_fail (
        error, "operand %u has %" G_GSIZE_FORMAT " samples, the first has %" G_GSIZE_FORMAT, i,
        n_rows, n);
  for (gsize row = 0; row < n; row++)
    {
      float *to = (float *) y->data + row * all + at;
      gsize n_own = MIN (own, width);

      sym_convert_elements (x->dtype, (const guint8 *) x->data + row * own * size,
                            SYM_DTYPE_FLOAT32, to, n_own);
      memset (to + n_own, 0, (width - n_own) * sizeof *to);
      if (!sym_op_go_on (kernel, asked, width, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_vectorizer (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint n_inputs = sym_kernel_get_n_inputs (kernel);
  gsize n, width, sum = 0, at = 0, asked = 0;
  const gint64 *sizes = sym_op_ml_get_ints (kernel, "inputdimensions", &n, error);
  SymArray *y;

  if (x == NULL || sizes == NULL)
    return FALSE;
  for (guint i = 0; i < n_inputs; i++)
    {
      if (!get_width (kernel, i, sizes, n, &width, error))
        return FALSE;
      if (!g_size_checked_add (&sum, sum, width))
        return sym_kernel_fail (error, "inputdimensions are too great");
    }
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32,
                             &SYM_SHAPE (x->shape.rank < 2 ? 1 : x->shape.dims[0], (gint64) sum),
                             error);
  for (guint i = 0; y != NULL && i < n_inputs; i++)
    {
      if (!get_width (kernel, i, sizes, n, &width, error) ||
          !copy_features (kernel, i, y, at, width, &asked, error))
        return FALSE;
      at += width;
    }
  return y != NULL;
}

/* ---- Imputer ---- */

typedef struct {
  const double *values; /* one for all, or one for each feature */
  gsize n;
} Each;

static gboolean
read_each (Each *self, SymKernel *kernel, const char *name, gsize width, GError **error)
{
  self->values = sym_op_ml_get_floats (kernel, name, &self->n, error);
  if (self->values == NULL)
    return FALSE;
  if (self->n > 1 && self->n != width)
    return sym_kernel_fail (error,
                            "%s has %" G_GSIZE_FORMAT " values for %" G_GSIZE_FORMAT " features",
                            name, self->n, width);
  return TRUE;
}

static double
get_each (const Each *self, gsize i, double fallback)
{
  return self->n == 0 ? fallback : self->values[self->n == 1 ? 0 : i];
}

static gboolean
run_imputer (SymKernel *kernel, GError **error)
{
  double missing = (double) (float) sym_kernel_get_float (kernel, "replaced_value_float", 0);
  double numbers[BLOCK];
  gsize asked = 0, n, size;
  SymOpMlSamples x;
  Each imputed;
  SymArray *y;

  if (!sym_op_ml_get_samples (&x, kernel, error))
    return FALSE;
  if (sym_dtype_is_integer (x.array->dtype))
    missing = (double) sym_kernel_get_int (kernel, "replaced_value_int64", 0);
  if (!read_each (&imputed, kernel,
                  sym_dtype_is_integer (x.array->dtype) ? "imputed_value_int64s"
                                                        : "imputed_value_floats",
                  x.width, error))
    return FALSE;
  if (imputed.n == 0)
    return sym_kernel_fail (error, "there is no value to put in for data of %s",
                            sym_dtype_to_string (x.array->dtype));
  if (sym_dtype_get_bits (x.array->dtype) < 8)
    return sym_op_refuse_dtype (kernel, x.array->dtype, error);
  size = sym_dtype_get_bits (x.array->dtype) / 8;
  y = sym_kernel_new_output (kernel, 0, x.array->dtype, &x.array->shape, error);
  if (y == NULL)
    return FALSE;
  memcpy (y->data, x.array->data, x.n * x.width * size);
  for (gsize i = 0; i < x.n * x.width; i += n)
    {
      n = MIN (BLOCK, x.n * x.width - i);
      sym_convert_elements (y->dtype, (const guint8 *) x.array->data + i * size, SYM_DTYPE_FLOAT64,
                            numbers, n);
      for (gsize k = 0; k < n; k++)
        if (isnan (missing) ? isnan (numbers[k]) : numbers[k] == missing)
          sym_element_set_double (y->dtype, y->data, i + k,
                                  get_each (&imputed, (i + k) % x.width, 0));
      if (!sym_op_go_on (kernel, &asked, n, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- Scaler, Binarizer, Normalizer ---- */

/* Samples as double, some at a time. */
typedef struct {
  SymKernel *kernel;
  SymOpMlSamples x;
  double *place;
  gsize n; /* samples at a time */
  gsize asked;
} Reader;

static gboolean
open_reader (Reader *self, SymKernel *kernel, GError **error)
{
  *self = (Reader){ .kernel = kernel };
  if (!sym_op_ml_get_samples (&self->x, kernel, error))
    return FALSE;
  self->n = MAX (BLOCK / MAX (self->x.width, 1), 1);
  self->place =
      sym_kernel_get_scratch (kernel, self->n * MAX (self->x.width, 1), sizeof (double), error);
  return self->place != NULL;
}

/* How many samples there are from @first on, now in @place; 0 behind the last one, or after an
 * error. */
static gsize
read_samples (Reader *self, gsize first, GError **error)
{
  gsize n = first >= self->x.n ? 0 : MIN (self->n, self->x.n - first), width = self->x.width;
  const SymArray *array = self->x.array;

  sym_convert_elements (array->dtype,
                        (const guint8 *) array->data +
                            first * width * sym_dtype_get_bits (array->dtype) / 8,
                        SYM_DTYPE_FLOAT64, self->place, n * width);
  return n > 0 && sym_op_go_on (self->kernel, &self->asked, n * width, error) ? n : 0;
}

/* What the features are moved and scaled by. */
typedef struct {
  gsize width;
  double *offset, *scale; /* [width] */
} Scale;

static void
scale_free (gpointer data)
{
  Scale *self = data;

  g_free (self->offset);
  g_free (self->scale);
  g_free (self);
}

static const Scale *
need_scale (SymKernel *kernel, gsize width, GError **error)
{
  Scale *self = sym_kernel_get_kept (kernel);
  Each offset, scale;

  if (self != NULL && self->width == width)
    return self;
  if (!read_each (&offset, kernel, "offset", width, error) ||
      !read_each (&scale, kernel, "scale", width, error))
    return NULL;
  if (self == NULL)
    {
      self = g_new0 (Scale, 1);
      sym_kernel_keep (kernel, self, scale_free);
    }
  self->width = width;
  self->offset = g_renew (double, self->offset, width + 1);
  self->scale = g_renew (double, self->scale, width + 1);
  for (gsize i = 0; i < width; i++)
    {
      self->offset[i] = get_each (&offset, i, 0);
      self->scale[i] = get_each (&scale, i, 1);
    }
  return self;
}

SYM_OP_CLONES static void
scale_rows (const Scale *self, const double *x, float *y, gsize n)
{
  for (gsize row = 0; row < n; row++)
    for (gsize i = 0; i < self->width; i++)
      y[row * self->width + i] =
          (float) ((x[row * self->width + i] - self->offset[i]) * self->scale[i]);
}

static gboolean
run_scaler (SymKernel *kernel, GError **error)
{
  const Scale *scale;
  Reader self;
  SymArray *y;
  gsize n;

  if (!open_reader (&self, kernel, error))
    return FALSE;
  scale = need_scale (kernel, self.x.width, error);
  y = scale == NULL
          ? NULL
          : sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &self.x.array->shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < self.x.n; i += n)
    {
      n = read_samples (&self, i, error);
      if (n == 0)
        return FALSE;
      scale_rows (scale, self.place, (float *) y->data + i * self.x.width, n);
    }
  return TRUE;
}

SYM_OP_CLONES static void
binarize (const double *x, double *y, gsize n, double threshold)
{
  for (gsize i = 0; i < n; i++)
    y[i] = x[i] > threshold ? 1 : 0;
}

/* The same without conversion. */
SYM_OP_CLONES static void
binarize_floats (const float *x, float *y, gsize n, double threshold)
{
  for (gsize i = 0; i < n; i++)
    y[i] = (double) x[i] > threshold ? 1 : 0;
}

static gboolean
run_binarizer (SymKernel *kernel, GError **error)
{
  double threshold = sym_kernel_get_float (kernel, "threshold", 0), numbers[BLOCK];
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gsize asked = 0, n, size;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype) || sym_dtype_get_bits (x->dtype) < 8)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  size = sym_dtype_get_bits (x->dtype) / 8;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i += n)
    {
      n = MIN (BLOCK, sym_array_get_n_elements (x) - i);
      if (x->dtype == SYM_DTYPE_FLOAT32)
        binarize_floats ((const float *) x->data + i, (float *) y->data + i, n, threshold);
      else
        {
          sym_convert_elements (x->dtype, (const guint8 *) x->data + i * size, SYM_DTYPE_FLOAT64,
                                numbers, n);
          binarize (numbers, numbers, n, threshold);
          sym_convert_elements (SYM_DTYPE_FLOAT64, numbers, x->dtype, (guint8 *) y->data + i * size,
                                n);
        }
      if (!sym_op_go_on (kernel, &asked, n, error))
        return FALSE;
    }
  return y != NULL;
}

static double
measure (const double *x, gsize n, const char *norm)
{
  double sum = 0, greatest = -INFINITY;

  if (norm[0] == 'M')
    for (gsize i = 0; i < n; i++)
      greatest = MAX (greatest, x[i]);
  else
    for (gsize i = 0; i < n; i++)
      sum += norm[1] == '1' ? fabs (x[i]) : x[i] * x[i];
  return norm[0] == 'M' ? greatest : norm[1] == '1' ? sum : sqrt (sum);
}

/* What measures 0 stays as it is. */
static gboolean
run_normalizer (SymKernel *kernel, GError **error)
{
  const char *norm = sym_kernel_get_string (kernel, "norm", "MAX");
  Reader self;
  SymArray *y;
  gsize n;

  if (!open_reader (&self, kernel, error))
    return FALSE;
  if (strcmp (norm, "MAX") != 0 && strcmp (norm, "L1") != 0 && strcmp (norm, "L2") != 0)
    return sym_kernel_fail (error, "norm %s is none of MAX, L1 and L2", norm);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &self.x.array->shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < self.x.n; i += n)
    {
      n = read_samples (&self, i, error);
      if (n == 0)
        return FALSE;
      for (gsize row = 0; row < n; row++)
        {
          const double *x = self.place + row * self.x.width;
          double size = measure (x, self.x.width, norm), factor = size == 0 ? 1 : 1 / size;

          for (gsize k = 0; k < self.x.width; k++)
            ((float *) y->data)[(i + row) * self.x.width + k] = (float) (x[k] * factor);
        }
    }
  return TRUE;
}

#define FEATURES(name_, summary_, attributes_, slots_, infer_, run_)         \
  SYM_OP_ML (name_, 1), .summary = summary_, .category = SYM_CATEGORY_OTHER, \
                        .attributes = attributes_, .slots = slots_, .infer = infer_, .run = run_

const SymOperator sym_op_onnx_ml_features[] = {
  { FEATURES ("ArrayFeatureExtractor",
              "places of the last axis",
              NULL,
              extractor_slots,
              infer_extractor,
              run_extractor) },
  { FEATURES ("Binarizer",
              "1 for what is greater than a threshold, else 0",
              binarizer_attributes,
              sym_op_ml_x,
              sym_op_infer_elementwise,
              run_binarizer) },
  { FEATURES ("FeatureVectorizer",
              "features of several tensors side by side",
              vectorizer_attributes,
              sym_op_ml_x,
              infer_vectorizer,
              run_vectorizer),
    .get_n_operands = get_any_number },
  { FEATURES ("Imputer",
              "puts values in for those that are missing",
              imputer_attributes,
              sym_op_ml_x,
              sym_op_infer_elementwise,
              run_imputer) },
  { FEATURES ("Normalizer",
              "divides each sample by its norm",
              normalizer_attributes,
              sym_op_ml_x,
              infer_float,
              run_normalizer) },
  { FEATURES ("Scaler",
              "moves and scales features",
              scaler_attributes,
              sym_op_ml_x,
              infer_float,
              run_scaler) },
  { NULL },
};
