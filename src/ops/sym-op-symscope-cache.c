/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* Operators of our own, onto which attention with a cache is lowered: rows behind those that a
 * cache has already, and several values as the results of one call. */

/* ---- Append ---- */

static const SymAttributeSpec append_attributes[] = {
  { "length", SYM_ATTRIBUTE_INT, NULL, "rows of the result, at least those of the cache" },
  { NULL },
};

static const SymSlotSpec append_slots[] = { { "cache" }, { "rows" }, { "places" }, { NULL } };

/* [batch, heads, rows, features]. */
static gboolean
infer_append (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 length = sym_rule_get_int (rule, "length", -1);

  if (length < 0)
    return sym_rule_fail (error, "a length of %" G_GINT64_FORMAT " is none", length);
  if (shape.rank >= 0 && shape.rank != 4)
    return sym_rule_fail (error, "a cache of %d axes; it should have 4", shape.rank);
  if (shape.rank < 0)
    shape = sym_shape_new_unknown (4);
  shape.dims[2] = length;
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &shape, error);
}

static gboolean
check_append (const SymArray *cache, const SymArray *rows, gint64 length, GError **error)
{
  SymShape expected = cache->shape;
  g_autofree char *is = NULL, *should = NULL;

  if (cache->shape.rank == 4 && rows->shape.rank == 4)
    expected.dims[2] = rows->shape.dims[2];
  if (cache->shape.rank == 4 && length >= cache->shape.dims[2] && rows->dtype == cache->dtype &&
      sym_shape_equal (&expected, &rows->shape))
    return TRUE;
  is = sym_op_format_shape (&rows->shape);
  should = sym_op_format_shape (&cache->shape);
  return sym_kernel_fail (
      error, "rows of %s%s do not fit behind a cache of %s%s for %" G_GINT64_FORMAT " in all",
      sym_dtype_to_string (rows->dtype), is, sym_dtype_to_string (cache->dtype), should, length);
}

static gboolean
find_place (const SymArray *places, gsize batch, gint64 most, gint64 *place, GError **error)
{
  *place = sym_element_get_int (places->dtype, places->data, batch);
  if (*place >= 0 && *place <= most)
    return TRUE;
  return sym_kernel_fail (
      error, "rows from %" G_GINT64_FORMAT " on are not within %" G_GINT64_FORMAT, *place, most);
}

/* What neither the cache has nor the rows is 0. */
static gboolean
run_append (SymKernel *kernel, GError **error)
{
  const SymArray *operands[3];
  gint64 length = sym_kernel_get_int (kernel, "length", -1), n_rows, n_old, place;
  gsize n_heads, size, done = 0;
  SymShape shape;
  SymArray *y;

  for (guint i = 0; i < 3; i++)
    {
      operands[i] = sym_kernel_need_input (kernel, i, error);
      if (operands[i] == NULL)
        return FALSE;
    }
  if (!check_append (operands[0], operands[1], length, error))
    return FALSE;
  shape = operands[0]->shape;
  if (!sym_dtype_is_integer (operands[2]->dtype) ||
      sym_array_get_n_elements (operands[2]) != (gsize) shape.dims[0])
    return sym_kernel_fail (error, "places must be %" G_GINT64_FORMAT " integers", shape.dims[0]);
  n_heads = (gsize) shape.dims[1];
  size = (gsize) shape.dims[3];
  n_old = shape.dims[2];
  n_rows = operands[1]->shape.dims[2];
  shape.dims[2] = length;
  y = sym_kernel_new_output (kernel, 0, operands[0]->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  memset (y->data, 0, sym_array_get_n_bytes (y));
  for (gsize i = 0; i < (gsize) shape.dims[0] * n_heads; i++)
    {
      gsize to = i * (gsize) length * size;

      if (!find_place (operands[2], i / n_heads, length - n_rows, &place, error))
        return FALSE;
      sym_op_move (y, to, operands[0], i * (gsize) n_old * size, (gsize) n_old * size);
      sym_op_move (y, to + (gsize) place * size, operands[1], i * (gsize) n_rows * size,
                   (gsize) n_rows * size);
      if (!sym_op_go_on (kernel, &done, (gsize) length * size + 1, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Several ---- */

static const SymSlotSpec several_slots[] = { { "values" }, { NULL } };

static gboolean
infer_several (SymRule *rule, GError **error)
{
  guint n = MIN (sym_rule_get_n_inputs (rule), sym_rule_get_n_outputs (rule));

  for (guint i = 0; i < n; i++)
    {
      SymType type = sym_rule_get_input_type (rule, i);

      if (type.kind != SYM_KIND_TENSOR && type.kind != SYM_KIND_UNKNOWN)
        sym_rule_set_output_type (rule, i, &type);
      else if (!sym_op_pass (rule, i, i, error))
        return FALSE;
      else
        sym_op_pass_values (rule, i, i);
    }
  return TRUE;
}

static gboolean
run_several (SymKernel *kernel, GError **error)
{
  for (guint i = 0; i < sym_kernel_get_n_outputs (kernel); i++)
    if (sym_kernel_wants_output (kernel, i) && !sym_kernel_pass (kernel, i, i, NULL, error))
      return FALSE;
  return TRUE;
}

const SymOperator sym_op_symscope_cache[] = {
  {
      .domain = "symscope",
      .name = "Append",
      .since_version = 1,
      .summary = "rows behind those of a cache",
      .reference = "Symscope Append",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = append_attributes,
      .slots = append_slots,
      .infer = infer_append,
      .run = run_append,
  },
  {
      .domain = "symscope",
      .name = "Several",
      .since_version = 1,
      .summary = "values as the results of one call",
      .reference = "Symscope Several",
      .category = SYM_CATEGORY_OTHER,
      .slots = several_slots,
      .get_n_operands = sym_op_onnx_get_any_number,
      .get_n_outputs = sym_op_onnx_get_any_outputs,
      .infer = infer_several,
      .run = run_several,
  },
  { NULL },
};
