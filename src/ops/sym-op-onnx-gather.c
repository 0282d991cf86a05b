/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-indices.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Gather, GatherElements and GatherND: elements chosen by indices. */

#define MAX_VALUES 64

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "the axis that indices belong to" },
  { NULL },
};

static const SymAttributeSpec batch_attributes[] = {
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "first axes that data and indices share" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { "indices" }, { NULL } };

/* Index @i of an operand, counted from the front; FALSE when an axis of @size has no such place. */
static gboolean
read_index (const SymArray *indices, gsize i, gint64 size, gsize *index, GError **error)
{
  gint64 given = sym_element_get_int (indices->dtype, indices->data, i);

  if (given < -size || given >= size)
    return sym_kernel_fail (error,
                            "index %" G_GINT64_FORMAT " is out of range for an axis of "
                            "%" G_GINT64_FORMAT,
                            given, size);
  *index = (gsize) (given < 0 ? given + size : given);
  return TRUE;
}

static gboolean
need_operands (SymKernel *kernel, const SymArray **x, const SymArray **indices, GError **error)
{
  *x = sym_kernel_need_input (kernel, 0, error);
  *indices = *x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (*indices == NULL)
    return FALSE;
  return sym_dtype_is_integer ((*indices)->dtype) ||
         sym_kernel_fail (error, "indices must be of integers and are of %s",
                          sym_dtype_to_string ((*indices)->dtype));
}

/* ---- Gather ---- */

/* data [a, size, b], indices [i]: result [a, i, b]. */
static gboolean
shape_gathered (const SymShape *data,
                const SymShape *indices,
                int axis,
                SymShape *to,
                GError **error)
{
  *to = (SymShape){ .rank = 0 };
  if (data->rank - 1 + indices->rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  for (int i = 0; i < axis; i++)
    to->dims[to->rank++] = data->dims[i];
  for (int i = 0; i < indices->rank; i++)
    to->dims[to->rank++] = indices->dims[i];
  for (int i = axis + 1; i < data->rank; i++)
    to->dims[to->rank++] = data->dims[i];
  return TRUE;
}

static void
gather_values (SymRule *rule)
{
  SymDim dims[MAX_VALUES], picked[MAX_VALUES];
  gint64 ints[MAX_VALUES], indices[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, ints, MAX_VALUES);
  int n_indices = sym_rule_get_input_ints (rule, 1, indices, MAX_VALUES);
  gboolean plain = n >= 0;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, dims, MAX_VALUES);
  if (n < 0 || n > MAX_VALUES || n_indices < 0 || n_indices > MAX_VALUES ||
      sym_rule_get_input (rule, 0).rank != 1)
    return;
  for (int i = 0; i < n_indices; i++)
    {
      gint64 index = indices[i] < 0 ? indices[i] + n : indices[i];

      if (index < 0 || index >= n)
        return;
      picked[i] = plain ? ints[index] : dims[index];
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, picked, n_indices);
  else
    sym_rule_set_output_values (rule, 0, picked, n_indices);
}

static gboolean
infer_gather (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), indices = sym_rule_get_input (rule, 1), to;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || indices.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), data.rank, &axis, error) ||
      !shape_gathered (&data, &indices, axis, &to, error) ||
      !sym_rule_set_output (rule, 0, &to, error))
    return FALSE;
  gather_values (rule);
  return TRUE;
}

static gboolean
run_gather (SymKernel *kernel, GError **error)
{
  const SymArray *x, *indices;
  gsize n, done = 0;
  SymOpAxis all;
  SymShape to;
  SymArray *y;
  int axis;

  if (!need_operands (kernel, &x, &indices, error) ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), x->shape.rank, &axis, error) ||
      !shape_gathered (&x->shape, &indices->shape, axis, &to, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  all = sym_op_split_axis (&x->shape, axis);
  n = sym_array_get_n_elements (indices);
  for (gsize i = 0; i < all.outer; i++)
    for (gsize k = 0; k < n; k++)
      {
        gsize index = 0;

        if (!read_index (indices, k, (gint64) all.size, &index, error) ||
            !sym_op_go_on (kernel, &done, 8, error) ||
            !sym_op_move_on (kernel, &done, y, (i * n + k) * all.inner, x,
                             (i * all.size + index) * all.inner, all.inner, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- GatherElements ---- */

static gboolean
infer_gather_elements (SymRule *rule, GError **error)
{
  SymShape indices = sym_rule_get_input (rule, 1);

  if (indices.rank < 0)
    indices = sym_rule_get_output (rule, 0);
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_set_output (rule, 0, indices, SYM_DTYPE_UNKNOWN, error) &&
         sym_rule_set_input (rule, 1, &indices, error) &&
         (indices.rank < 0 ||
          sym_op_set_input (rule, 0, sym_shape_new_unknown (indices.rank), error));
}

/* Whether indices lie within the data along all axes but one. */
static gboolean
check_within (const SymArray *x, const SymArray *indices, int axis, GError **error)
{
  gboolean fits = x->shape.rank == indices->shape.rank;

  for (int i = 0; fits && i < x->shape.rank; i++)
    fits = i == axis || indices->shape.dims[i] <= x->shape.dims[i];
  if (!fits)
    {
      g_autofree char *left = sym_op_format_shape (&indices->shape);
      g_autofree char *right = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error, "indices of shape %s do not fit to data of shape %s", left,
                              right);
    }
  return TRUE;
}

#define CHOOSE(type)                    \
  do                                    \
    {                                   \
      type *row = (type *) y->data + i; \
      const type *from = x->data;       \
      for (gsize k = 0; k < n; k++)     \
        row[k] = from[places[k]];       \
    }                                   \
  while (0)

/* Elements from @i on. */
SYM_OP_CLONES static void
choose_elements (SymArray *y, gsize i, const SymArray *x, const gint64 *places, gsize n)
{
  guint bits = sym_dtype_get_bits (x->dtype);

  if (bits == 8)
    CHOOSE (guint8);
  else if (bits == 16)
    CHOOSE (guint16);
  else if (bits == 32)
    CHOOSE (guint32);
  else if (bits == 64 && x->dtype != SYM_DTYPE_STRING)
    CHOOSE (guint64);
  else
    for (gsize k = 0; k < n; k++)
      sym_op_move (y, i + k, x, (gsize) places[k], 1);
}

static gboolean
run_gather_elements (SymKernel *kernel, GError **error)
{
  const SymArray *x, *indices;
  SymOpIndexed indexed;
  gsize done = 0;
  SymArray *y;
  int axis;

  if (!need_operands (kernel, &x, &indices, error) ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), x->shape.rank, &axis, error) ||
      !check_within (x, indices, axis, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &indices->shape, error);
  if (y == NULL)
    return FALSE;
  sym_op_indexed_init (&indexed, x, indices, axis);
  do
    {
      if (!sym_op_indexed_next (&indexed, error) ||
          !sym_op_go_on (kernel, &done, 4 * indexed.n, error))
        return FALSE;
      choose_elements (y, indexed.first, x, indexed.places, indexed.n);
    }
  while (indexed.n > 0);
  return TRUE;
}

/* ---- GatherND ---- */

/* data [batch..., d..., rest...], indices [batch..., i..., |d|]: result [batch..., i..., rest...].
 */
static gboolean
shape_picked (const SymShape *data,
              const SymShape *indices,
              gint64 batch,
              SymShape *to,
              GError **error)
{
  gint64 depth = indices->rank < 1 ? 0 : indices->dims[indices->rank - 1];

  *to = (SymShape){ .rank = 0 };
  if (indices->rank < 1 || batch < 0 || batch >= MIN (data->rank, indices->rank) || depth < 1 ||
      depth > data->rank - batch)
    return sym_kernel_fail (error,
                            "indices of rank %d and depth %" G_GINT64_FORMAT
                            " do not fit to data of rank %d with %" G_GINT64_FORMAT " batch axes",
                            indices->rank, depth, data->rank, batch);
  if (indices->rank - 1 + data->rank - batch - depth > SYM_MAX_RANK)
    return sym_kernel_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  for (int i = 0; i < indices->rank - 1; i++)
    to->dims[to->rank++] = indices->dims[i];
  for (int i = (int) (batch + depth); i < data->rank; i++)
    to->dims[to->rank++] = data->dims[i];
  return TRUE;
}

static gboolean
infer_gather_nd (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), indices = sym_rule_get_input (rule, 1), to;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || indices.rank < 0 || (indices.rank > 0 && indices.dims[indices.rank - 1] < 0))
    return TRUE;
  return shape_picked (&data, &indices, sym_rule_get_int (rule, "batch_dims", 0), &to, error) &&
         sym_rule_set_output (rule, 0, &to, error);
}

typedef struct {
  const SymArray *x, *indices;
  SymArray *y;
  gsize depth, slice, batch, per_batch; /* tuples of one place of the batch axes */
  const gint64 *strides;                /* of x */
} Picked;

/* Slices that are looked up at once; long ones are moved in pieces. */
#define ELEMENTS_AT_ONCE 65536

static gboolean
pick (SymKernel *kernel, const Picked *self, GError **error)
{
  gsize n = sym_array_get_n_elements (self->indices) / self->depth, slice = self->slice, done = 0;
  gsize most = CLAMP (ELEMENTS_AT_ONCE / slice, 1, SYM_OP_MAX_INDICES);
  gint64 places[SYM_OP_MAX_INDICES];

  for (gsize first = 0; first < n; first += most)
    {
      gsize now = MIN (most, n - first);

      if (!sym_op_read_tuples (self->indices, first, now, self->depth,
                               self->x->shape.dims + self->batch, self->strides + self->batch,
                               places, error) ||
          !sym_op_go_on (kernel, &done, 8 * now, error))
        return FALSE;
      for (gsize i = 0; self->batch > 0 && i < now; i++)
        places[i] += (gint64) ((first + i) / self->per_batch) * self->strides[self->batch - 1];
      if (slice == 1)
        choose_elements (self->y, first, self->x, places, now);
      for (gsize i = 0; slice > 1 && i < now; i++)
        if (!sym_op_move_on (kernel, &done, self->y, (first + i) * slice, self->x,
                             (gsize) places[i], slice, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
run_gather_nd (SymKernel *kernel, GError **error)
{
  gint64 batch = sym_kernel_get_int (kernel, "batch_dims", 0), strides[SYM_MAX_RANK];
  const SymArray *x, *indices;
  gsize slice = 1, per_batch = 1, depth;
  SymShape to;
  SymArray *y;

  if (!need_operands (kernel, &x, &indices, error) ||
      !shape_picked (&x->shape, &indices->shape, batch, &to, error))
    return FALSE;
  for (int i = 0; i < batch; i++)
    if (x->shape.dims[i] != indices->shape.dims[i])
      return sym_kernel_fail (error, "batch axis %d differs between data and indices", i);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  depth = (gsize) indices->shape.dims[indices->shape.rank - 1];
  sym_op_get_strides (&x->shape, strides);
  for (int i = (int) (batch + (gint64) depth); i < x->shape.rank; i++)
    slice *= (gsize) x->shape.dims[i];
  for (int i = (int) batch; i < indices->shape.rank - 1; i++)
    per_batch *= (gsize) indices->shape.dims[i];
  return pick (kernel, &(Picked){ x, indices, y, depth, slice, (gsize) batch, per_batch, strides },
               error);
}

#define ENTRY(name_, version_, summary_, attributes_, infer_, run_)                            \
  {                                                                                            \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,        \
                                   .attributes = attributes_, .slots = slots, .infer = infer_, \
                                   .run = run_                                                 \
  }

const SymOperator sym_op_onnx_gather[] = {
  ENTRY ("Gather",
         1,
         "slices of data, chosen by indices along an axis",
         axis_attributes,
         infer_gather,
         run_gather),
  ENTRY ("GatherElements",
         11,
         "elements of data, each chosen by an index along an axis",
         axis_attributes,
         infer_gather_elements,
         run_gather_elements),
  ENTRY ("GatherND",
         11,
         "slices of data, chosen by tuples of indices",
         NULL,
         infer_gather_nd,
         run_gather_nd),
  ENTRY ("GatherND",
         12,
         "slices of data, chosen by tuples of indices",
         batch_attributes,
         infer_gather_nd,
         run_gather_nd),
  { 0 },
};
