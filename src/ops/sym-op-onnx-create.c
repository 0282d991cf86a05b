/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Tensors made of attributes, or of a few numbers: ConstantOfShape, Range and EyeLike. */

/* ---- ConstantOfShape ---- */

/* All elements are that of @value, or 0.  What is filled is doubled until it is all. */
static gboolean
fill (SymKernel *kernel, SymArray *y, SymTensor *value, GError **error)
{
  gsize n = sym_array_get_n_elements (y);
  guint64 first[2] = { 0, 0 };
  SymArray one = { y->dtype, SYM_SHAPE (1), first };

  if (value != NULL && !sym_tensor_read (value, 0, sym_tensor_get_n_bytes (value), first, error))
    return FALSE;
  if (n > 0)
    sym_op_move (y, 0, &one, 0, 1);
  for (gsize done = 1; done < n;)
    {
      gsize more = MIN (MIN (done, n - done), (gsize) 1 << 20);

      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      sym_op_move (y, done, y, 0, more);
      done += more;
    }
  return TRUE;
}

/* The tensor of one element that the attribute holds, NULL for none. */
static gboolean
check_value (SymTensor *value, GError **error)
{
  guint64 n;

  if (value == NULL || (sym_dtype_get_bits (sym_tensor_get_dtype (value)) > 0 &&
                        sym_shape_get_n_elements (sym_tensor_get_shape (value), &n) && n == 1))
    return TRUE;
  return sym_kernel_fail (error, "the attribute value must be a tensor of one number");
}

static gboolean
run_constant_of_shape (SymKernel *kernel, GError **error)
{
  const SymValue *attribute = sym_attributes_find (sym_kernel_get_attributes (kernel), "value");
  SymTensor *value = attribute == NULL ? NULL : sym_value_get_tensor (attribute);
  SymShape shape = { .rank = 0 };
  SymArray *y;

  if (!check_value (value, error) ||
      !sym_kernel_read_ints (kernel, 0, shape.dims, SYM_MAX_RANK, &shape.rank, error))
    return FALSE;
  if (shape.rank < 0)
    return sym_kernel_need_input (kernel, 0, error) != NULL;
  y = sym_kernel_new_output (
      kernel, 0, value == NULL ? SYM_DTYPE_FLOAT32 : sym_tensor_get_dtype (value), &shape, error);
  return y != NULL && fill (kernel, y, value, error);
}

/* The shape is known when the operand's values are, and the values are when the shape is. */
static gboolean
infer_constant_of_shape (SymRule *rule, GError **error)
{
  const SymValue *attribute = sym_attributes_find (sym_rule_get_attributes (rule), "value");
  SymTensor *value = attribute == NULL ? NULL : sym_value_get_tensor (attribute);
  SymDType dtype = value == NULL ? SYM_DTYPE_FLOAT32 : sym_tensor_get_dtype (value);
  SymShape shape = { .rank = 0 };
  gint64 number = 0, values[64];

  if (!sym_rule_set_output_dtype (rule, 0, dtype, error) || !check_value (value, error))
    return FALSE;
  shape.rank = sym_op_get_sizes (rule, 0, shape.dims);
  if (shape.rank < 0)
    return TRUE;
  if (!sym_rule_set_output (rule, 0, &shape, error))
    return FALSE;
  if ((dtype != SYM_DTYPE_INT64 && dtype != SYM_DTYPE_INT32) || shape.rank > 1 ||
      (shape.rank == 1 && (shape.dims[0] < 0 || shape.dims[0] > (gint64) G_N_ELEMENTS (values))))
    return TRUE;
  if (!sym_tensor_read (value, 0, sym_tensor_get_n_bytes (value), values, NULL))
    return TRUE;
  number = sym_element_get_int (dtype, values, 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = number;
  sym_rule_set_output_ints (rule, 0, values, shape.rank == 0 ? 1 : (int) shape.dims[0]);
  return TRUE;
}

/* ---- Range ---- */

static gboolean
fail_delta (GError **error)
{
  return sym_kernel_fail (error, "delta is 0, so limit is never reached");
}

static gboolean
count_integers (gint64 start, gint64 limit, gint64 delta, gint64 *n, GError **error)
{
  guint64 distance =
      delta > 0 ? (guint64) limit - (guint64) start : (guint64) start - (guint64) limit;
  guint64 step = delta > 0 ? (guint64) delta : 0 - (guint64) delta, count;

  if (delta == 0)
    return fail_delta (error);
  count = (delta > 0 ? limit > start : limit < start) ? (distance - 1) / step + 1 : 0;
  *n = (gint64) MIN (count, (guint64) G_MAXINT64);
  return TRUE;
}

static gboolean
count_floats (double start, double limit, double delta, gint64 *n, GError **error)
{
  double count = ceil ((limit - start) / delta);

  if (!(delta < 0 || delta > 0))
    return fail_delta (error);
  if (isnan (count) || count >= 0x1p62)
    return sym_kernel_fail (error, "from %g to %g in steps of %g there is no end", start, limit,
                            delta);
  *n = count > 0 ? (gint64) count : 0;
  return TRUE;
}

#define RANGE(type, element)                       \
  for (gint64 i = 0; i < n; i++)                   \
    {                                              \
      ((type *) y->data)[i] = (type) (element);    \
      if (!sym_op_go_on (kernel, &done, 1, error)) \
        return FALSE;                              \
    }
#define RANGE_INTEGER(type) \
  RANGE (type, (guint64) integers[0] + (guint64) i * (guint64) integers[2])
#define RANGE_FLOAT(type) RANGE (type, floats[0] + (double) i * floats[2])

static gboolean
run_range (SymKernel *kernel, GError **error)
{
  double floats[3];
  gint64 integers[3], n = 0;
  SymDType dtype = SYM_DTYPE_UNKNOWN;
  gsize done = 0;
  SymArray *y;

  for (guint i = 0; i < 3; i++)
    {
      const SymArray *operand = sym_kernel_need_input (kernel, i, error);

      if (operand == NULL)
        return FALSE;
      if (sym_array_get_n_elements (operand) != 1 || !sym_dtype_is_numeric (operand->dtype) ||
          (i > 0 && operand->dtype != dtype))
        return sym_kernel_fail (error,
                                "start, limit and delta must be one number of one dtype each");
      dtype = operand->dtype;
      floats[i] = sym_element_get_double (dtype, operand->data, 0);
      integers[i] = sym_element_get_int (dtype, operand->data, 0);
    }
  if (dtype != SYM_DTYPE_FLOAT32 && dtype != SYM_DTYPE_FLOAT64 && dtype != SYM_DTYPE_INT16 &&
      dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64)
    return sym_op_refuse_dtype (kernel, dtype, error);
  if (!(sym_dtype_is_floating (dtype)
            ? count_floats (floats[0], floats[1], floats[2], &n, error)
            : count_integers (integers[0], integers[1], integers[2], &n, error)))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, dtype, &SYM_SHAPE (n), error);
  if (y == NULL)
    return FALSE;
  if (dtype == SYM_DTYPE_FLOAT32)
    RANGE_FLOAT (float)
  else if (dtype == SYM_DTYPE_FLOAT64)
    RANGE_FLOAT (double)
  else if (dtype == SYM_DTYPE_INT16)
    RANGE_INTEGER (gint16)
  else if (dtype == SYM_DTYPE_INT32)
    RANGE_INTEGER (gint32)
  else
    RANGE_INTEGER (gint64)
  return TRUE;
}

/* From 0 in steps of 1 there are as many as the limit says, be it a number or a term. */
static gboolean
infer_range (SymRule *rule, GError **error)
{
  gint64 parts[3], n = 0, values[64];
  SymDim size = SYM_DIM_UNKNOWN, limit;
  gboolean known = TRUE;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (), NULL))
      known = FALSE; /* a file has [1] where a scalar should be */
  for (guint i = 0; i < 3; i++)
    known = sym_rule_get_input_ints (rule, i, &parts[i], 1) == 1 && known;
  if (known && !count_integers (parts[0], parts[1], parts[2], &n, error))
    return FALSE;
  if (known)
    size = n;
  else if (sym_rule_get_input_ints (rule, 0, &parts[0], 1) == 1 && parts[0] == 0 &&
           sym_rule_get_input_ints (rule, 2, &parts[2], 1) == 1 && parts[2] == 1 &&
           sym_rule_get_input_values (rule, 1, &limit, 1) == 1)
    size = limit;
  if (!sym_op_set_output (rule, 0, SYM_SHAPE (size), SYM_DTYPE_UNKNOWN, error) ||
      !sym_rule_tie_dtypes (rule, 0, 2, error))
    return FALSE;
  if (!known || n > (gint64) G_N_ELEMENTS (values))
    return TRUE;
  for (gint64 i = 0; i < n; i++)
    values[i] = (gint64) ((guint64) parts[0] + (guint64) i * (guint64) parts[2]);
  sym_rule_set_output_ints (rule, 0, values, (int) n);
  return TRUE;
}

/* ---- EyeLike ---- */

static gboolean
run_eye_like (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "dtype");
  gint64 k = sym_kernel_get_int (kernel, "k", 0);
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->shape.rank != 2)
    return sym_kernel_fail (error, "the operand must have 2 axes and has %d", x->shape.rank);
  dtype = dtype == SYM_DTYPE_UNKNOWN ? x->dtype : dtype;
  if (!sym_dtype_is_numeric (dtype))
    return sym_op_refuse_dtype (kernel, dtype, error);
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  if (y == NULL || !sym_op_clear (kernel, y, error))
    return FALSE;
  for (gint64 i = 0; i < x->shape.dims[0] && k < x->shape.dims[1]; i++)
    if (k >= -i && i + k < x->shape.dims[1])
      sym_element_set_int (dtype, y->data, (gsize) (i * x->shape.dims[1] + i + k), 1);
  return TRUE;
}

static gboolean
infer_eye_like (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "dtype");

  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (2), error) ||
      !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  return dtype == SYM_DTYPE_UNKNOWN ? sym_op_pass_dtype (rule, 0, 0, error)
                                    : sym_rule_set_output_dtype (rule, 0, dtype, error);
}

/* ---- Table ---- */

static const SymAttributeSpec constant_of_shape_attributes[] = {
  { "value", SYM_ATTRIBUTE_ANY, "None", "tensor of the one element; without it 0 of float32" },
  { NULL },
};

static const SymAttributeSpec eye_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result; None for the operand's" },
  { "k", SYM_ATTRIBUTE_INT, "0", "which diagonal: above 0 to the right, below 0 to the left" },
  { NULL },
};

static const SymAttributeSpec range_attributes[] = {
  { "stash_type", SYM_ATTRIBUTE_INT, "1", "what halves are counted in" },
  { NULL },
};

static const SymSlotSpec range_slots[] = { { "start" }, { "limit" }, { "delta" }, { NULL } };

#define RANGE_OPERATOR(version_, attributes_)                                                      \
  {                                                                                                \
    SYM_OP_ONNX ("Range", version_), .summary = "numbers from start up to limit in steps",         \
                                     .category = SYM_CATEGORY_OTHER, .attributes = attributes_,    \
                                     .slots = range_slots, .infer = infer_range, .run = run_range, \
                                     .half_as_float = TRUE                                         \
  }

const SymOperator sym_op_onnx_create[] = {
  { SYM_OP_ONNX ("ConstantOfShape", 9),
    .summary = "one number everywhere, the shape being an operand", .category = SYM_CATEGORY_OTHER,
    .attributes = constant_of_shape_attributes, .slots = sym_op_onnx_input,
    .infer = infer_constant_of_shape, .run = run_constant_of_shape },
  { SYM_OP_ONNX ("EyeLike", 9), .summary = "1 on a diagonal, 0 elsewhere",
    .category = SYM_CATEGORY_OTHER, .attributes = eye_attributes, .slots = sym_op_onnx_input,
    .infer = infer_eye_like, .run = run_eye_like },
  RANGE_OPERATOR (11, NULL),
  RANGE_OPERATOR (27, range_attributes),
  { 0 },
};
