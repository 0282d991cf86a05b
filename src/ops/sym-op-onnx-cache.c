/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* TensorScatter: a cache of keys or values in which new ones take the place of some. */

typedef struct {
  SymKernel *kernel;
  const SymArray *cache, *update, *indices;
  int axis;
  gboolean circular;
} Cache;

static gboolean
check_shapes (Cache *self, GError **error)
{
  SymShape expected = self->cache->shape;

  g_autofree char *left = NULL, *right = NULL;

  if (!sym_op_find_axis (sym_kernel_get_int (self->kernel, "axis", -2), expected.rank, &self->axis,
                         error))
    return FALSE;
  if (self->axis == 0)
    return sym_kernel_fail (error, "the axis must not be that of the batch");
  if (self->update->shape.rank == expected.rank &&
      self->update->shape.dims[self->axis] <= expected.dims[self->axis])
    expected.dims[self->axis] = self->update->shape.dims[self->axis];
  if (self->update->dtype == self->cache->dtype &&
      sym_shape_equal (&self->update->shape, &expected))
    return TRUE;
  left = sym_op_format_shape (&self->update->shape);
  right = sym_op_format_shape (&self->cache->shape);
  return sym_kernel_fail (error, "an update of %s%s does not fit a cache of %s%s along axis %d",
                          sym_dtype_to_string (self->update->dtype), left,
                          sym_dtype_to_string (self->cache->dtype), right, self->axis);
}

static gboolean
read_operands (Cache *self, SymKernel *kernel, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "mode", "linear");

  *self = (Cache){ .kernel = kernel, .indices = sym_kernel_get_input (kernel, 2) };
  self->cache = sym_kernel_need_input (kernel, 0, error);
  self->update = self->cache == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->update == NULL || !check_shapes (self, error))
    return FALSE;
  self->circular = strcmp (mode, "circular") == 0;
  if (!self->circular && strcmp (mode, "linear") != 0)
    return sym_kernel_fail (error, "there is no mode %s", mode);
  if (self->indices != NULL &&
      (!sym_dtype_is_integer (self->indices->dtype) ||
       sym_array_get_n_elements (self->indices) != (gsize) self->cache->shape.dims[0]))
    return sym_kernel_fail (error, "write_indices must be %" G_GINT64_FORMAT " integers",
                            self->cache->shape.dims[0]);
  return TRUE;
}

/* Where the first new place of an element of the batch is. */
static gboolean
find_first (const Cache *self, gsize batch, gsize size, gsize n, gsize *first, GError **error)
{
  gint64 index = self->indices == NULL
                     ? 0
                     : sym_element_get_int (self->indices->dtype, self->indices->data, batch);

  *first = 0;
  if (n == 0)
    return TRUE;
  if (self->circular)
    index = (index % (gint64) size + (gint64) size) % (gint64) size;
  if (index < 0 || index > (gint64) (self->circular ? size : size - n))
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " places from %" G_GINT64_FORMAT
                            " on are not within %" G_GSIZE_FORMAT,
                            n, index, size);
  *first = (gsize) index;
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  gsize n, per_batch, first, done = 0;
  SymOpAxis axis;
  SymArray *y;
  Cache self;

  if (!read_operands (&self, kernel, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, self.cache->dtype, &self.cache->shape, error);
  if (y == NULL)
    return FALSE;
  sym_op_move (y, 0, self.cache, 0, sym_array_get_n_elements (y));
  axis = sym_op_split_axis (&self.cache->shape, self.axis);
  n = (gsize) self.update->shape.dims[self.axis];
  per_batch = axis.outer / MAX ((gsize) self.cache->shape.dims[0], 1);
  for (gsize i = 0; i < axis.outer; i++)
    {
      if (!find_first (&self, i / per_batch, axis.size, n, &first, error))
        return FALSE;
      for (gsize j = 0; j < n; j++)
        sym_op_move (y, (i * axis.size + (first + j) % axis.size) * axis.inner, self.update,
                     (i * n + j) * axis.inner, axis.inner);
      if (!sym_op_go_on (kernel, &done, n * axis.inner + 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape cache = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass (rule, 0, 0, error) ||
      !sym_rule_set_input_dtype (rule, 1, sym_rule_get_input_dtype (rule, 0), error))
    return FALSE;
  if (cache.rank < 1)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -2), cache.rank, &axis, error) ||
      !sym_op_set_input (rule, 2, SYM_SHAPE (cache.dims[0]), error))
    return FALSE;
  cache.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_rule_set_input (rule, 1, &cache, error);
}

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-2", "axis of the sequence" },
  { "mode", SYM_ATTRIBUTE_STRING, "linear", "whether places go on from the start behind the end",
    "linear circular" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "past_cache" },
                                     { "update" },
                                     { "write_indices", .optional = TRUE },
                                     { NULL } };

const SymOperator sym_op_onnx_cache[] = {
  { SYM_OP_ONNX ("TensorScatter", 24), .summary = "a cache with new elements in place of some",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run },
  { 0 },
};
