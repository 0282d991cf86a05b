/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* RotaryEmbedding: pairs of features are turned by an angle that the position has. */

typedef struct {
  SymKernel *kernel;
  SymDType dtype;
  gsize n_batch, n_heads, n_rows, size;
  gsize n_pairs;        /* features that are turned, in pairs */
  gboolean by_rows;     /* rows before heads: an operand of 3 axes */
  gboolean interleaved; /* pairs lie side by side, else in two halves */
  const SymArray *cosines, *sines, *positions;
  gsize n_angles; /* rows of cosines */
} Rotary;

static gboolean
read_sizes (Rotary *self, const SymArray *x, GError **error)
{
  gint64 n_heads = sym_kernel_get_int (self->kernel, "num_heads", 0), turned;

  if (x->shape.rank != 3 && x->shape.rank != 4)
    return sym_kernel_fail (error, "X must have 3 or 4 axes and has %d", x->shape.rank);
  self->by_rows = x->shape.rank == 3;
  if (self->by_rows && (n_heads < 1 || x->shape.dims[2] % n_heads != 0))
    return sym_kernel_fail (
        error, "%" G_GINT64_FORMAT " features cannot be parted into %" G_GINT64_FORMAT " heads",
        x->shape.dims[2], n_heads);
  self->n_batch = (gsize) x->shape.dims[0];
  self->n_heads = (gsize) (self->by_rows ? n_heads : x->shape.dims[1]);
  self->n_rows = (gsize) x->shape.dims[self->by_rows ? 1 : 2];
  self->size = (gsize) (self->by_rows ? x->shape.dims[2] / n_heads : x->shape.dims[3]);
  turned = sym_kernel_get_int (self->kernel, "rotary_embedding_dim", 0);
  if (turned == 0)
    turned = (gint64) self->size;
  if (turned < 0 || turned % 2 != 0 || turned > (gint64) self->size)
    return sym_kernel_fail (
        error, "%" G_GINT64_FORMAT " of %" G_GSIZE_FORMAT " features cannot be turned in pairs",
        turned, self->size);
  self->n_pairs = (gsize) turned / 2;
  self->interleaved = sym_kernel_get_bool (self->kernel, "interleaved", FALSE);
  return TRUE;
}

/* With positions there is an angle for each, [positions, pairs]; without, one for each row,
 * [batch, rows, pairs]. */
static gboolean
check_angles (Rotary *self, const SymArray *angles, GError **error)
{
  gint64 pairs = (gint64) self->n_pairs;
  SymShape expected = SYM_SHAPE ((gint64) self->n_batch, (gint64) self->n_rows, pairs);

  g_autofree char *is = NULL, *should = NULL;

  if (self->positions != NULL)
    expected = SYM_SHAPE (angles->shape.rank > 0 ? self->cosines->shape.dims[0] : 0, pairs);
  if (angles->dtype != self->dtype)
    return sym_kernel_fail (error, "X is of %s, its angles are of %s",
                            sym_dtype_to_string (self->dtype), sym_dtype_to_string (angles->dtype));
  if (sym_shape_equal (&angles->shape, &expected))
    return TRUE;
  is = sym_op_format_shape (&angles->shape);
  should = sym_op_format_shape (&expected);
  return sym_kernel_fail (error, "the angles have shape %s; it should be %s", is, should);
}

static gboolean
read_angles (Rotary *self, GError **error)
{
  SymShape rows = SYM_SHAPE ((gint64) self->n_batch, (gint64) self->n_rows);

  self->positions = sym_kernel_get_input (self->kernel, 3);
  self->cosines = sym_kernel_need_input (self->kernel, 1, error);
  self->sines = self->cosines == NULL ? NULL : sym_kernel_need_input (self->kernel, 2, error);
  if (self->sines == NULL || !check_angles (self, self->cosines, error) ||
      !check_angles (self, self->sines, error))
    return FALSE;
  self->n_angles = (gsize) self->cosines->shape.dims[0];
  if (self->positions != NULL && (!sym_dtype_is_integer (self->positions->dtype) ||
                                  !sym_shape_equal (&self->positions->shape, &rows)))
    return sym_kernel_fail (
        error, "position_ids must be integers of shape [%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]",
        self->n_batch, self->n_rows);
  return TRUE;
}

/* The row of cosines and sines for row @row of [batch, rows]. */
static gboolean
find_angles (const Rotary *self, gsize row, gsize *place, GError **error)
{
  gint64 position;

  *place = row;
  if (self->positions == NULL)
    return TRUE;
  position = sym_element_get_int (self->positions->dtype, self->positions->data, row);
  if (position < 0)
    position += (gint64) self->n_angles;
  if (position < 0 || position >= (gint64) self->n_angles)
    return sym_kernel_fail (
        error, "there is no position %" G_GINT64_FORMAT " among %" G_GSIZE_FORMAT,
        sym_element_get_int (self->positions->dtype, self->positions->data, row), self->n_angles);
  *place = (gsize) position;
  return TRUE;
}

#define TURN(dtype, type)                                                                    \
  static void turn_##dtype (const Rotary *self, const type *x, const type *c, const type *s, \
                            type *y)                                                         \
  {                                                                                          \
    gsize step = self->interleaved ? 2 : 1, other = self->interleaved ? 1 : self->n_pairs;   \
                                                                                             \
    for (gsize i = 0; i < self->n_pairs; i++)                                                \
      {                                                                                      \
        type a = x[i * step], b = x[i * step + other];                                       \
                                                                                             \
        y[i * step] = c[i] * a - s[i] * b;                                                   \
        y[i * step + other] = s[i] * a + c[i] * b;                                           \
      }                                                                                      \
    for (gsize i = 2 * self->n_pairs; i < self->size; i++)                                   \
      y[i] = x[i];                                                                           \
  }

SYM_OP_FLOATS (TURN)

static void
turn (const Rotary *self, const SymArray *x, gsize place, gsize angles, SymArray *y)
{
  gsize size = sym_dtype_get_bits (x->dtype) / 8;
  const guint8 *from = (const guint8 *) x->data + place * self->size * size;
  const guint8 *c = (const guint8 *) self->cosines->data + angles * self->n_pairs * size;
  const guint8 *s = (const guint8 *) self->sines->data + angles * self->n_pairs * size;
  guint8 *to = (guint8 *) y->data + place * self->size * size;

  if (x->dtype == SYM_DTYPE_FLOAT32)
    turn_FLOAT32 (self, (const float *) from, (const float *) c, (const float *) s, (float *) to);
  else
    turn_FLOAT64 (self, (const double *) from, (const double *) c, (const double *) s,
                  (double *) to);
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Rotary self = { .kernel = kernel };
  gsize done = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  self.dtype = x->dtype;
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (!read_sizes (&self, x, error) || !read_angles (&self, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < self.n_batch * self.n_rows; i++)
    {
      gsize batch = i / self.n_rows, row = i % self.n_rows, angles;

      if (!find_angles (&self, i, &angles, error))
        return FALSE;
      for (gsize head = 0; head < self.n_heads; head++)
        turn (&self, x,
              self.by_rows ? i * self.n_heads + head
                           : (batch * self.n_heads + head) * self.n_rows + row,
              angles, y);
      if (!sym_op_go_on (kernel, &done, self.n_heads * self.size + 1, error))
        return FALSE;
    }
  return y != NULL;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  return sym_rule_set_input_dtype (rule, 1, dtype, error) &&
         sym_rule_set_input_dtype (rule, 2, dtype, error) && sym_op_pass (rule, 0, 0, error);
}

static const SymAttributeSpec attributes[] = {
  { "interleaved", SYM_ATTRIBUTE_INT, "0", "1: pairs lie side by side, else in two halves" },
  { "num_heads", SYM_ATTRIBUTE_INT, "None", "heads of an operand of 3 axes" },
  { "rotary_embedding_dim", SYM_ATTRIBUTE_INT, "0", "features that are turned; 0 for all" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "X" },
                                     { "cos_cache" },
                                     { "sin_cache" },
                                     { "position_ids", .optional = TRUE },
                                     { NULL } };

const SymOperator sym_op_onnx_rotary[] = {
  { SYM_OP_ONNX ("RotaryEmbedding", 23),
    .summary = "pairs of features, turned by an angle that the position has",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run, .half_as_float = TRUE },
  { 0 },
};
