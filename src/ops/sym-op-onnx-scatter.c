/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-indices.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Scatter, ScatterElements and ScatterND: elements put, added ... where indices tell. */

#define AXIS                                                          \
  {                                                                   \
    "axis", SYM_ATTRIBUTE_INT, "0", "the axis that indices belong to" \
  }
#define REDUCTION(values_)                                                                \
  {                                                                                       \
    "reduction", SYM_ATTRIBUTE_STRING, "none", "what is done with what is there", values_ \
  }

static const SymAttributeSpec axis_attributes[] = { AXIS, { NULL } };
static const SymAttributeSpec elements_16[] = { AXIS, REDUCTION ("none add mul"), { NULL } };
static const SymAttributeSpec elements_18[] = { AXIS,
                                                REDUCTION ("none add mul max min"),
                                                { NULL } };
static const SymAttributeSpec nd_16[] = { REDUCTION ("none add mul"), { NULL } };
static const SymAttributeSpec nd_18[] = { REDUCTION ("none add mul max min"), { NULL } };

static const SymSlotSpec slots[] = { { "data" }, { "indices" }, { "updates" }, { NULL } };

/* @n elements @from, each into its own of @to: those at @places, or one after the other where that
 * is NULL. */
typedef void (*Update) (void *to, const gint64 *places, const void *from, gsize n);

#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))

#define UPDATE(name, dtype, type, by, operation)                                         \
  static void name##_##dtype (void *to, const gint64 *places, const void *from, gsize n) \
  {                                                                                      \
    type *y = to;                                                                        \
    const type *x = from;                                                                \
                                                                                         \
    if (places == NULL)                                                                  \
      for (gsize i = 0; i < n; i++)                                                      \
        y[i] = (type) operation ((by) y[i], (by) x[i]);                                  \
    else                                                                                 \
      for (gsize i = 0; i < n; i++)                                                      \
        y[places[i]] = (type) operation ((by) y[places[i]], (by) x[i]);                  \
  }

/* Integers wrap, which only unsigned ones may. */
#define WRAPPING(name, operation)                    \
  UPDATE (name, FLOAT32, float, float, operation)    \
  UPDATE (name, FLOAT64, double, double, operation)  \
  UPDATE (name, INT8, gint8, guint32, operation)     \
  UPDATE (name, INT16, gint16, guint32, operation)   \
  UPDATE (name, INT32, gint32, guint32, operation)   \
  UPDATE (name, INT64, gint64, guint64, operation)   \
  UPDATE (name, UINT8, guint8, guint32, operation)   \
  UPDATE (name, UINT16, guint16, guint32, operation) \
  UPDATE (name, UINT32, guint32, guint32, operation) \
  UPDATE (name, UINT64, guint64, guint64, operation)

/* A NaN stays or comes: it is neither above nor below. */
#define GREATER(a, b) ((a) >= (b) || (a) != (a) ? (a) : (b))
#define LESS(a, b) ((a) <= (b) || (a) != (a) ? (a) : (b))
#define MAXIMUM(dtype, type) UPDATE (max, dtype, type, type, GREATER)
#define MINIMUM(dtype, type) UPDATE (min, dtype, type, type, LESS)

WRAPPING (add, ADD)
WRAPPING (multiply, MULTIPLY)
SYM_OP_NUMBERS (MAXIMUM)
SYM_OP_NUMBERS (MINIMUM)

#define ADD_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = add_##dtype,
#define MULTIPLY_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = multiply_##dtype,
#define MAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = max_##dtype,
#define MIN_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = min_##dtype,

static const struct {
  const char *name;
  Update updates[SYM_N_DTYPES];
} reductions[] = {
  { "add", { SYM_OP_NUMBERS (ADD_ENTRY) } },
  { "mul", { SYM_OP_NUMBERS (MULTIPLY_ENTRY) } },
  { "max", { SYM_OP_NUMBERS (MAX_ENTRY) } },
  { "min", { SYM_OP_NUMBERS (MIN_ENTRY) } },
};

static gboolean
infer (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error) &&
         sym_rule_set_input_dtype (rule, 2, sym_rule_get_input_dtype (rule, 0), error);
}

static gboolean
infer_elements (SymRule *rule, GError **error)
{
  SymShape indices = sym_rule_get_input (rule, 1), updates;

  if (!infer (rule, error) || !sym_rule_set_input (rule, 2, &indices, error))
    return FALSE;
  updates = sym_rule_get_input (rule, 2);
  return sym_rule_set_input (rule, 1, &updates, error);
}

/* ---- Kernels ---- */

typedef struct {
  SymKernel *kernel;
  const SymArray *x, *indices, *updates;
  SymArray *y;
  Update update; /* NULL: replace */
} Scatter;

static gboolean
begin (Scatter *self, SymKernel *kernel, GError **error)
{
  const char *name = sym_kernel_get_string (kernel, "reduction", "none");
  gsize done = 0;
  gboolean known = g_str_equal (name, "none");

  *self = (Scatter){ .kernel = kernel, .x = sym_kernel_need_input (kernel, 0, error) };
  if (self->x == NULL || (self->indices = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (self->updates = sym_kernel_need_input (kernel, 2, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_integer (self->indices->dtype) || self->updates->dtype != self->x->dtype)
    return sym_kernel_fail (error, "indices are of %s, updates of %s, data of %s",
                            sym_dtype_to_string (self->indices->dtype),
                            sym_dtype_to_string (self->updates->dtype),
                            sym_dtype_to_string (self->x->dtype));
  for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
    if (g_str_equal (name, reductions[i].name))
      {
        known = TRUE;
        self->update = reductions[i].updates[self->x->dtype];
        if (self->update == NULL)
          return sym_op_refuse_dtype (kernel, self->x->dtype, error);
      }
  if (!known)
    return sym_kernel_fail (error, "there is no reduction \"%s\"", name);
  self->y = sym_kernel_new_output (kernel, 0, self->x->dtype, &self->x->shape, error);
  if (self->y == NULL)
    return FALSE;
  return sym_op_move_on (kernel, &done, self->y, 0, self->x, 0, sym_array_get_n_elements (self->x),
                         error);
}

#define PUT(type)                                            \
  do                                                         \
    {                                                        \
      type *to = self->y->data;                              \
      const type *row = (const type *) updates->data + from; \
      for (gsize k = 0; k < n; k++)                          \
        to[places[k]] = row[k];                              \
    }                                                        \
  while (0)

/* Elements from @from on. */
static void
put_elements (const Scatter *self, const gint64 *places, gsize from, gsize n)
{
  const SymArray *updates = self->updates;
  guint bits = sym_dtype_get_bits (updates->dtype);

  if (self->update != NULL)
    self->update (self->y->data, places, (const guint8 *) updates->data + from * (bits / 8), n);
  else if (bits == 8)
    PUT (guint8);
  else if (bits == 32)
    PUT (guint32);
  else if (bits == 64 && updates->dtype != SYM_DTYPE_STRING)
    PUT (guint64);
  else
    for (gsize k = 0; k < n; k++)
      sym_op_move (self->y, (gsize) places[k], updates, from + k, 1);
}

static void
put_slice (const Scatter *self, gsize place, gsize from, gsize n)
{
  gsize size = sym_dtype_get_bits (self->y->dtype) / 8;

  if (self->update == NULL)
    sym_op_move (self->y, place, self->updates, from, n);
  else
    self->update ((guint8 *) self->y->data + place * size, NULL,
                  (const guint8 *) self->updates->data + from * size, n);
}

static gboolean
fail_fit (const Scatter *self, GError **error)
{
  g_autofree char *data = sym_op_format_shape (&self->x->shape);
  g_autofree char *indices = sym_op_format_shape (&self->indices->shape);
  g_autofree char *updates = sym_op_format_shape (&self->updates->shape);

  return sym_kernel_fail (error, "indices of shape %s and updates of shape %s do not fit to %s",
                          indices, updates, data);
}

static gboolean
run_elements (SymKernel *kernel, GError **error)
{
  const SymShape *shape;
  SymOpIndexed indexed;
  gsize asked = 0;
  Scatter self;
  int axis = 0;

  if (!begin (&self, kernel, error) ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), self.x->shape.rank, &axis, error))
    return FALSE;
  shape = &self.indices->shape;
  if (!sym_shape_equal (shape, &self.updates->shape) || shape->rank != self.x->shape.rank)
    return fail_fit (&self, error);
  for (int i = 0; i < shape->rank; i++)
    if (i != axis && shape->dims[i] > self.x->shape.dims[i])
      return fail_fit (&self, error);
  sym_op_indexed_init (&indexed, self.x, self.indices, axis);
  do
    {
      if (!sym_op_indexed_next (&indexed, error) ||
          !sym_op_go_on (kernel, &asked, 4 * indexed.n, error))
        return FALSE;
      put_elements (&self, indexed.places, indexed.first, indexed.n);
    }
  while (indexed.n > 0);
  return TRUE;
}

/* indices [i..., depth], updates [i..., rest of data]. */
static gboolean
check_nd (const Scatter *self, gint64 *depth)
{
  const SymShape *data = &self->x->shape, *indices = &self->indices->shape;
  const SymShape *updates = &self->updates->shape;
  gboolean fits;

  if (indices->rank < 1)
    return FALSE;
  *depth = indices->dims[indices->rank - 1];
  fits = *depth <= data->rank && updates->rank == indices->rank - 1 + data->rank - *depth;
  for (int i = 0; fits && i < updates->rank; i++)
    fits =
        updates->dims[i] ==
        (i < indices->rank - 1 ? indices->dims[i] : data->dims[*depth + i - (indices->rank - 1)]);
  return fits;
}

/* Slices that are put before it is asked again whether the run was cancelled. */
#define ELEMENTS_AT_ONCE 65536

static gboolean
run_nd (SymKernel *kernel, GError **error)
{
  gint64 strides[SYM_MAX_RANK], places[SYM_OP_MAX_INDICES], depth = 0;
  gsize slice = 1, n = 1, asked = 0, most;
  Scatter self;

  if (!begin (&self, kernel, error))
    return FALSE;
  if (!check_nd (&self, &depth))
    return fail_fit (&self, error);
  if (sym_array_get_n_elements (self.updates) == 0)
    return TRUE;
  sym_op_get_strides (&self.x->shape, strides);
  for (gint64 i = depth; i < self.x->shape.rank; i++)
    slice *= (gsize) self.x->shape.dims[i];
  n = sym_array_get_n_elements (self.updates) / slice;
  most = CLAMP (ELEMENTS_AT_ONCE / slice, 1, SYM_OP_MAX_INDICES);
  for (gsize first = 0; first < n; first += most)
    {
      gsize now = MIN (most, n - first);

      if (!sym_op_read_tuples (self.indices, first, now, (gsize) depth, self.x->shape.dims, strides,
                               places, error))
        return FALSE;
      if (slice == 1)
        put_elements (&self, places, first, now);
      for (gsize i = 0; slice > 1 && i < now; i++)
        put_slice (&self, (gsize) places[i], (first + i) * slice, slice);
      if (!sym_op_go_on (kernel, &asked, now * (slice + 8), error))
        return FALSE;
    }
  return TRUE;
}

#define ENTRY(name_, version_, summary_, attributes_, infer_, run_, half_)                     \
  {                                                                                            \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,        \
                                   .attributes = attributes_, .slots = slots, .infer = infer_, \
                                   .run = run_, .half_as_float = half_                         \
  }
#define ELEMENTS "puts elements at indices along an axis"
#define SLICES "puts slices at tuples of indices"

const SymOperator sym_op_onnx_scatter[] = {
  ENTRY ("Scatter", 9, ELEMENTS, axis_attributes, infer_elements, run_elements, FALSE),
  ENTRY ("ScatterElements", 11, ELEMENTS, axis_attributes, infer_elements, run_elements, FALSE),
  ENTRY ("ScatterElements", 16, ELEMENTS, elements_16, infer_elements, run_elements, TRUE),
  ENTRY ("ScatterElements", 18, ELEMENTS, elements_18, infer_elements, run_elements, TRUE),
  ENTRY ("ScatterND", 11, SLICES, NULL, infer, run_nd, FALSE),
  ENTRY ("ScatterND", 16, SLICES, nd_16, infer, run_nd, TRUE),
  ENTRY ("ScatterND", 18, SLICES, nd_18, infer, run_nd, TRUE),
  { 0 },
};
