/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-recurrent.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

/* Rows of inputs that are multiplied at once. */
#define ROWS 64

/* ---- Rows ---- */

static gsize
get_size (const SymOpRecurrent *self)
{
  return sym_dtype_get_bits (self->work) / 8;
}

void *
sym_op_recurrent_row (const SymOpRecurrent *self, const void *base, gsize i)
{
  return (guint8 *) base + i * self->n_hidden * get_size (self);
}

#define ROW_LOOPS(dtype, type)                                                              \
  static void clip_##dtype (type *x, gsize n, double limit)                                 \
  {                                                                                         \
    for (gsize i = 0; i < n; i++)                                                           \
      x[i] = (type) CLAMP (x[i], -limit, limit);                                            \
  }                                                                                         \
                                                                                            \
  static void add_product_##dtype (type *y, const type *a, const type *b, gsize n)          \
  {                                                                                         \
    for (gsize i = 0; i < n; i++)                                                           \
      y[i] += a[i] * b[i];                                                                  \
  }                                                                                         \
                                                                                            \
  static void multiply_##dtype (type *y, const type *a, const type *b, gsize n)             \
  {                                                                                         \
    for (gsize i = 0; i < n; i++)                                                           \
      y[i] = a[i] * b[i];                                                                   \
  }                                                                                         \
                                                                                            \
  static void add_##dtype (type *y, const type *a, gsize n)                                 \
  {                                                                                         \
    for (gsize i = 0; i < n; i++)                                                           \
      y[i] += a[i];                                                                         \
  }                                                                                         \
                                                                                            \
  static void blend_##dtype (type *y, const type *z, const type *a, const type *b, gsize n) \
  {                                                                                         \
    for (gsize i = 0; i < n; i++)                                                           \
      y[i] = (1 - z[i]) * a[i] + z[i] * b[i];                                               \
  }

SYM_OP_FLOATS (ROW_LOOPS)

#define CHOOSE(self, name, ...)              \
  do                                         \
    {                                        \
      if ((self)->work == SYM_DTYPE_FLOAT32) \
        name##_FLOAT32 (__VA_ARGS__);        \
      else                                   \
        name##_FLOAT64 (__VA_ARGS__);        \
    }                                        \
  while (0)

void
sym_op_recurrent_activate (SymOpRecurrent *self, int function, void *x)
{
  const SymOpRecurrentFunction *f = &self->functions[function];

  if (isfinite (self->clip))
    CHOOSE (self, clip, x, self->n_hidden, self->clip);
  f->run[self->work == SYM_DTYPE_FLOAT64](x, self->n_hidden, f->alpha, f->beta);
}

void
sym_op_recurrent_add_product (SymOpRecurrent *self, void *y, const void *a, const void *b)
{
  CHOOSE (self, add_product, y, a, b, self->n_hidden);
}

void
sym_op_recurrent_multiply (SymOpRecurrent *self, void *y, const void *a, const void *b)
{
  CHOOSE (self, multiply, y, a, b, self->n_hidden);
}

void
sym_op_recurrent_blend (SymOpRecurrent *self, void *y, const void *z, const void *a, const void *b)
{
  CHOOSE (self, blend, y, z, a, b, self->n_hidden);
}

/* ---- Operands ---- */

static gboolean
read_direction (const char *direction, gsize *n, gboolean *reverse)
{
  *n = strcmp (direction, "bidirectional") == 0 ? 2 : 1;
  *reverse = strcmp (direction, "reverse") == 0;
  return *n == 2 || *reverse || strcmp (direction, "forward") == 0;
}

/* Operand @slot in the dtype of the work, of shape @shape; NULL where it is absent. */
static gboolean
read_operand (SymOpRecurrent *self,
              guint slot,
              const SymShape *shape,
              const void **data,
              GError **error)
{
  const SymArray *array = sym_kernel_get_input (self->kernel, slot);
  g_autofree char *is = NULL, *should = NULL;

  *data = NULL;
  if (array == NULL)
    return TRUE;
  if (!sym_shape_equal (&array->shape, shape))
    {
      is = sym_op_format_shape (&array->shape);
      should = sym_op_format_shape (shape);
      return sym_kernel_fail (error, "operand %u has shape %s; it should be %s", slot, is, should);
    }
  *data = sym_op_read_as (self->kernel, array, self->work, error);
  return *data != NULL;
}

static gboolean
read_lengths (SymOpRecurrent *self, GError **error)
{
  const SymArray *lengths = sym_kernel_get_input (self->kernel, 4);

  self->lengths = sym_kernel_get_scratch (self->kernel, self->n_batch, sizeof (gint64), error);
  if (self->lengths == NULL)
    return FALSE;
  if (lengths != NULL &&
      (lengths->shape.rank != 1 || lengths->shape.dims[0] != (gint64) self->n_batch ||
       !sym_dtype_is_integer (lengths->dtype)))
    return sym_kernel_fail (error, "sequence_lens must be %" G_GSIZE_FORMAT " integers",
                            self->n_batch);
  for (gsize i = 0; i < self->n_batch; i++)
    {
      gint64 n = lengths == NULL ? (gint64) self->n_steps
                                 : sym_element_get_int (lengths->dtype, lengths->data, i);

      if (n < 0 || n > (gint64) self->n_steps)
        return sym_kernel_fail (error,
                                "sequence %" G_GSIZE_FORMAT " has length %" G_GINT64_FORMAT
                                ", and there are %" G_GSIZE_FORMAT " steps",
                                i, n, self->n_steps);
      self->lengths[i] = n;
    }
  return TRUE;
}

/* What the dtypes are and what X and R say of sizes. */
static gboolean
read_sizes (SymOpRecurrent *self, GError **error)
{
  const SymArray *arrays[8], *x, *r;
  const char *direction = sym_kernel_get_string (self->kernel, "direction", "forward");
  gint64 hidden;

  for (guint i = 0; i < 8; i++)
    arrays[i] = i == 4 ? NULL : sym_kernel_get_input (self->kernel, i);
  for (guint i = 0; i < 3; i++)
    if (sym_kernel_need_input (self->kernel, i, error) == NULL)
      return FALSE;
  self->work = sym_op_find_work (self->kernel, arrays, 8, error);
  if (self->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  if (!read_direction (direction, &self->n_directions, &self->reverse))
    return sym_kernel_fail (error, "there is no direction %s", direction);
  x = arrays[0];
  r = arrays[2];
  if (x->shape.rank != 3 || r->shape.rank != 3)
    return sym_kernel_fail (error, "X and R must have 3 axes and have %d and %d", x->shape.rank,
                            r->shape.rank);
  self->batch_first = sym_kernel_get_bool (self->kernel, "layout", FALSE);
  self->n_steps = (gsize) x->shape.dims[self->batch_first ? 1 : 0];
  self->n_batch = (gsize) x->shape.dims[self->batch_first ? 0 : 1];
  self->n_inputs = (gsize) x->shape.dims[2];
  self->n_hidden = (gsize) r->shape.dims[2];
  hidden = sym_kernel_get_int (self->kernel, "hidden_size", r->shape.dims[2]);
  if (hidden != r->shape.dims[2])
    return sym_kernel_fail (error,
                            "hidden_size is %" G_GINT64_FORMAT
                            ", and R has states of %" G_GINT64_FORMAT " features",
                            hidden, r->shape.dims[2]);
  self->clip = sym_kernel_get_float (self->kernel, "clip", INFINITY);
  return self->clip >= 0 ||
         sym_kernel_fail (error, "clip is %g; it should be positive", self->clip);
}

static gboolean
read_operands (SymOpRecurrent *self, GError **error)
{
  gint64 d = (gint64) self->n_directions, b = (gint64) self->n_batch, h = (gint64) self->n_hidden;
  gint64 gates = (gint64) self->klass->n_gates, inputs = (gint64) self->n_inputs;
  SymShape x = sym_kernel_get_input (self->kernel, 0)->shape;
  SymShape state = self->batch_first ? SYM_SHAPE (b, d, h) : SYM_SHAPE (d, b, h);
  gsize size;

  if (!g_size_checked_mul (&size, 2 * self->klass->n_gates, self->n_hidden))
    return sym_kernel_fail (error, "there are too many features");
  return read_operand (self, 0, &x, &self->x, error) &&
         read_operand (self, 1, &SYM_SHAPE (d, gates * h, inputs), &self->w, error) &&
         read_operand (self, 2, &SYM_SHAPE (d, gates * h, h), &self->r, error) &&
         read_operand (self, 3, &SYM_SHAPE (d, 2 * gates * h), &self->biases, error) &&
         read_lengths (self, error) && read_operand (self, 5, &state, &self->initial[0], error) &&
         (self->klass->n_states < 2 ||
          (read_operand (self, 6, &state, &self->initial[1], error) &&
           read_operand (self, 7, &SYM_SHAPE (d, 3 * h), &self->peepholes, error)));
}

/* ---- Working ---- */

gboolean
sym_op_recurrent_load (SymOpRecurrent *self,
                       SymOpPanels *panels,
                       gsize first,
                       gsize n,
                       GError **error)
{
  gsize row = self->direction * self->klass->n_gates + first;

  if (!sym_op_panels_init (panels, self->kernel, self->work, self->n_hidden, n * self->n_hidden,
                           error))
    return FALSE;
  return sym_op_panels_load (panels, sym_op_recurrent_row (self, self->r, row * self->n_hidden), 1,
                             self->n_hidden, error);
}

/* Memory for what changes from step to step. */
static gboolean
make_places (SymOpRecurrent *self, GError **error)
{
  gsize size = get_size (self), n = self->n_batch * self->n_hidden;

  self->bias =
      sym_kernel_get_scratch (self->kernel, self->klass->n_gates * self->n_hidden, size, error);
  if (self->bias == NULL)
    return FALSE;
  for (gsize i = 0; i < self->klass->n_states; i++)
    {
      self->now[i] = sym_kernel_get_scratch (self->kernel, n, size, error);
      if (self->now[i] == NULL)
        return FALSE;
      self->next[i] = sym_kernel_get_scratch (self->kernel, n, size, error);
      if (self->next[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Which row of [n_directions, n_batch], or the other way round, is that of an element now. */
static gsize
find_state (const SymOpRecurrent *self, gsize batch)
{
  return self->batch_first ? batch * self->n_directions + self->direction
                           : self->direction * self->n_batch + batch;
}

static void
start_states (SymOpRecurrent *self)
{
  gsize length = self->n_hidden * get_size (self);

  for (gsize i = 0; i < self->klass->n_states; i++)
    for (gsize b = 0; b < self->n_batch; b++)
      {
        void *to = sym_op_recurrent_row (self, self->now[i], b);

        if (self->initial[i] == NULL)
          memset (to, 0, length);
        else
          memcpy (to, sym_op_recurrent_row (self, self->initial[i], find_state (self, b)), length);
      }
}

/* What is added to the products with inputs: both biases. */
static void
start_bias (SymOpRecurrent *self)
{
  gsize n = self->klass->n_gates * self->n_hidden, size = get_size (self);
  const guint8 *from = self->biases;

  if (from == NULL)
    {
      memset (self->bias, 0, n * size);
      return;
    }
  from += self->direction * 2 * n * size;
  memcpy (self->bias, from, n * size);
  CHOOSE (self, add, self->bias, (const void *) (from + n * size), n);
}

static gboolean
start_direction (SymOpRecurrent *self, GError **error)
{
  gsize n = self->klass->n_gates * self->n_hidden;

  if (self->n_directions == 2)
    self->reverse = self->direction == 1;
  if (!sym_op_recurrent_find_functions (self, error) ||
      !sym_op_panels_init (&self->input, self->kernel, self->work, self->n_inputs, n, error) ||
      !sym_op_panels_load (&self->input,
                           (const guint8 *) self->w +
                               self->direction * n * self->n_inputs * get_size (self),
                           1, self->n_inputs, error))
    return FALSE;
  start_states (self);
  start_bias (self);
  return self->klass->start (self, error);
}

/* The place along the sequence of step @step of an element; of one that has ended, any. */
static gsize
find_time (const SymOpRecurrent *self, gsize step, gsize batch)
{
  gsize n = (gsize) self->lengths[batch];

  if (step >= n)
    return 0;
  return self->reverse ? n - 1 - step : step;
}

/* The products of the inputs of @n steps from @first on: @rows is memory for the inputs, @products
 * for what comes of them, [n, n_batch, n_gates, n_hidden]. */
static gboolean
multiply_inputs (SymOpRecurrent *self,
                 gsize first,
                 gsize n,
                 void *rows,
                 void *products,
                 GError **error)
{
  gsize length = self->n_inputs * get_size (self), n_all = self->klass->n_gates * self->n_hidden;
  guint8 *row = rows, *product = products;

  for (gsize step = first; step < first + n; step++)
    for (gsize b = 0; b < self->n_batch; b++)
      {
        gsize time = find_time (self, step, b);
        gsize place = self->batch_first ? b * self->n_steps + time : time * self->n_batch + b;

        memcpy (row, (const guint8 *) self->x + place * length, length);
        memcpy (product, self->bias, n_all * get_size (self));
        row += length;
        product += n_all * get_size (self);
      }
  return sym_op_panels_multiply (&self->input, rows, self->n_inputs, n * self->n_batch, products,
                                 n_all, TRUE, error);
}

/* Elements whose sequence has ended keep their state. */
static void
finish_step (SymOpRecurrent *self, gsize step, SymArray *y)
{
  gsize length = self->n_hidden * get_size (self);

  for (gsize b = 0; b < self->n_batch; b++)
    {
      gsize time = find_time (self, step, b);
      gsize place = self->batch_first
                        ? (b * self->n_steps + time) * self->n_directions + self->direction
                        : (time * self->n_directions + self->direction) * self->n_batch + b;

      if (step >= (gsize) self->lengths[b])
        continue;
      for (gsize i = 0; i < self->klass->n_states; i++)
        memcpy (sym_op_recurrent_row (self, self->now[i], b),
                sym_op_recurrent_row (self, self->next[i], b), length);
      if (y != NULL)
        sym_convert_elements (self->work, sym_op_recurrent_row (self, self->now[0], b), y->dtype,
                              (guint8 *) y->data +
                                  place * self->n_hidden * (sym_dtype_get_bits (y->dtype) / 8),
                              self->n_hidden);
    }
}

static gsize
count_steps (const SymOpRecurrent *self)
{
  gint64 n = 0;

  for (gsize i = 0; i < self->n_batch; i++)
    n = MAX (n, self->lengths[i]);
  return (gsize) n;
}

static gboolean
run_direction (SymOpRecurrent *self, SymArray *y, GError **error)
{
  gsize n_steps = count_steps (self), size = get_size (self);
  gsize n = MIN (MAX (ROWS / MAX (self->n_batch, 1), 1), MAX (n_steps, 1));
  gsize n_gates = self->n_batch * self->klass->n_gates * self->n_hidden, done = 0;
  void *rows =
      sym_kernel_get_scratch (self->kernel, n * self->n_batch * self->n_inputs, size, error);
  guint8 *products =
      rows == NULL ? NULL : sym_kernel_get_scratch (self->kernel, n * n_gates, size, error);

  if (products == NULL || !start_direction (self, error))
    return FALSE;
  for (gsize step = 0; step < n_steps; step++)
    {
      if (step % n == 0 &&
          !multiply_inputs (self, step, MIN (n_steps - step, n), rows, products, error))
        return FALSE;
      self->gates = products + step % n * n_gates * size;
      if (!self->klass->step (self, error) ||
          !sym_op_go_on (self->kernel, &done, 4 * n_gates + 1, error))
        return FALSE;
      finish_step (self, step, y);
    }
  return TRUE;
}

/* ---- Results ---- */

/* Output 0, or NULL where it is not wanted.  Steps behind the end of a sequence are 0. */
static gboolean
make_sequence (SymOpRecurrent *self, SymDType dtype, SymArray **y, GError **error)
{
  gint64 t = (gint64) self->n_steps, d = (gint64) self->n_directions, b = (gint64) self->n_batch;
  gint64 h = (gint64) self->n_hidden;

  *y = NULL;
  if (!sym_kernel_wants_output (self->kernel, 0))
    return TRUE;
  *y = sym_kernel_new_output (self->kernel, 0, dtype,
                              self->batch_first ? &SYM_SHAPE (b, t, d, h) : &SYM_SHAPE (t, d, b, h),
                              error);
  if (*y != NULL)
    memset ((*y)->data, 0, sym_array_get_n_bytes (*y));
  return *y != NULL;
}

/* The states that are outputs 1 and on. */
static gboolean
make_states (SymOpRecurrent *self, SymDType dtype, SymArray *states[], GError **error)
{
  gint64 d = (gint64) self->n_directions, b = (gint64) self->n_batch, h = (gint64) self->n_hidden;
  SymShape shape = self->batch_first ? SYM_SHAPE (b, d, h) : SYM_SHAPE (d, b, h);

  for (guint i = 0; i < self->klass->n_states; i++)
    {
      states[i] = NULL;
      if (!sym_kernel_wants_output (self->kernel, 1 + i))
        continue;
      states[i] = sym_kernel_new_output (self->kernel, 1 + i, dtype, &shape, error);
      if (states[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
write_states (SymOpRecurrent *self, SymArray *states[])
{
  for (gsize i = 0; i < self->klass->n_states; i++)
    for (gsize b = 0; states[i] != NULL && b < self->n_batch; b++)
      sym_convert_elements (
          self->work, sym_op_recurrent_row (self, self->now[i], b), states[i]->dtype,
          (guint8 *) states[i]->data +
              find_state (self, b) * self->n_hidden * (sym_dtype_get_bits (states[i]->dtype) / 8),
          self->n_hidden);
}

gboolean
sym_op_recurrent_run (const SymOpRecurrentClass *klass, SymKernel *kernel, GError **error)
{
  SymOpRecurrent self = { .klass = klass, .kernel = kernel };
  SymArray *y, *states[SYM_OP_RECURRENT_STATES];
  SymDType dtype;

  if (!read_sizes (&self, error) || !read_operands (&self, error) || !make_places (&self, error))
    return FALSE;
  dtype = sym_kernel_get_input (kernel, 0)->dtype;
  if (!make_sequence (&self, dtype, &y, error) || !make_states (&self, dtype, states, error))
    return FALSE;
  for (self.direction = 0; self.direction < self.n_directions; self.direction++)
    {
      if (!run_direction (&self, y, error))
        return FALSE;
      write_states (&self, states);
    }
  return TRUE;
}

/* ---- Shapes ---- */

/* @n times as many as @dim, where that is known. */
static SymDim
times (SymDim dim, gint64 n)
{
  gint64 product;

  return dim >= 0 && !__builtin_mul_overflow (dim, n, &product) ? product : SYM_DIM_UNKNOWN;
}

/* The features of a state: told by the attribute, or by R or the initial state. */
static SymDim
find_hidden (SymRule *rule)
{
  SymShape r = sym_rule_get_input (rule, 2), initial = sym_rule_get_input (rule, 5);
  gint64 hidden = sym_rule_get_int (rule, "hidden_size", -1);

  if (hidden >= 0)
    return hidden;
  if (r.rank == 3)
    return r.dims[2];
  return initial.rank == 3 ? initial.dims[2] : SYM_DIM_UNKNOWN;
}

static gboolean
infer_weights (const SymOpRecurrentClass *klass,
               SymRule *rule,
               gint64 d,
               SymDim inputs,
               SymDim hidden,
               GError **error)
{
  SymDim gates = times (hidden, (gint64) klass->n_gates);

  return sym_op_set_input (rule, 1, SYM_SHAPE (d, gates, inputs), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (d, gates, hidden), error) &&
         sym_op_set_input (rule, 3, SYM_SHAPE (d, times (gates, 2)), error) &&
         (klass->n_states < 2 ||
          sym_op_set_input (rule, 7, SYM_SHAPE (d, times (hidden, 3)), error));
}

/* All but sequence_lens are of one dtype. */
static gboolean
infer_dtypes (const SymOpRecurrentClass *klass, SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  for (guint i = 1; i < 6 + 2 * (klass->n_states - 1); i++)
    if (i != 4 && !sym_rule_set_input_dtype (rule, i, dtype, error))
      return FALSE;
  for (guint i = 0; i < 1 + klass->n_states; i++)
    if (!sym_rule_set_output_dtype (rule, i, dtype, error))
      return FALSE;
  return TRUE;
}

gboolean
sym_op_recurrent_infer (const SymOpRecurrentClass *klass, SymRule *rule, GError **error)
{
  const char *direction = sym_rule_get_string (rule, "direction", "forward");
  gboolean batch_first = sym_rule_get_bool (rule, "layout", FALSE), reverse;
  SymShape x = sym_rule_get_input (rule, 0), state;
  SymDim t, b, h = find_hidden (rule);
  gsize n_directions;
  gint64 d;

  if (!read_direction (direction, &n_directions, &reverse))
    return sym_rule_fail (error, "there is no direction %s", direction);
  if (x.rank >= 0 && x.rank != 3)
    return sym_rule_fail (error, "X must have 3 axes and has %d", x.rank);
  if (x.rank < 0)
    x = sym_shape_new_unknown (3);
  d = (gint64) n_directions;
  t = x.dims[batch_first ? 1 : 0];
  b = x.dims[batch_first ? 0 : 1];
  state = batch_first ? SYM_SHAPE (b, d, h) : SYM_SHAPE (d, b, h);
  if (!sym_op_set_input (rule, 0, x, error) ||
      !infer_weights (klass, rule, d, x.dims[2], h, error) ||
      !sym_op_set_input (rule, 4, SYM_SHAPE (b), error) ||
      !sym_rule_set_output (rule, 0,
                            batch_first ? &SYM_SHAPE (b, t, d, h) : &SYM_SHAPE (t, d, b, h), error))
    return FALSE;
  for (guint i = 0; i < klass->n_states; i++)
    if (!sym_op_set_input (rule, 5 + i, state, error) ||
        !sym_rule_set_output (rule, 1 + i, &state, error))
      return FALSE;
  return infer_dtypes (klass, rule, error);
}
