/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"

const SymSlotSpec sym_op_onnx_x[] = { { "X" }, { NULL } };
const SymSlotSpec sym_op_onnx_pair[] = { { "A" }, { "B" }, { NULL } };
const SymSlotSpec sym_op_onnx_input[] = { { "input" }, { NULL } };
const SymSlotSpec sym_op_onnx_many[] = { { "data_0" }, { NULL } };

#define CONSUMED                                                  \
  {                                                               \
    "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" \
  }

const SymAttributeSpec sym_op_onnx_consumed[] = { CONSUMED, { NULL } };

int
sym_op_onnx_get_any_number (const SymAttributes *attributes)
{
  return -1;
}

int
sym_op_onnx_get_any_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

/* TensorProto's names are those of numpy in capitals, but for two. */
static gboolean
find_tensor_proto (const char *text, SymDType *dtype)
{
  g_autofree char *name = g_ascii_strdown (text, -1);

  if (g_str_equal (name, "float"))
    *dtype = SYM_DTYPE_FLOAT32;
  else if (g_str_equal (name, "double"))
    *dtype = SYM_DTYPE_FLOAT64;
  else
    return sym_dtype_from_string (name, dtype);
  return TRUE;
}

SymDType
sym_op_onnx_get_dtype (const SymAttributes *attributes, const char *name)
{
  static const SymDType numbers[] = {
    [1] = SYM_DTYPE_FLOAT32,     [2] = SYM_DTYPE_UINT8,           [3] = SYM_DTYPE_INT8,
    [4] = SYM_DTYPE_UINT16,      [5] = SYM_DTYPE_INT16,           [6] = SYM_DTYPE_INT32,
    [7] = SYM_DTYPE_INT64,       [8] = SYM_DTYPE_STRING,          [9] = SYM_DTYPE_BOOL,
    [10] = SYM_DTYPE_FLOAT16,    [11] = SYM_DTYPE_FLOAT64,        [12] = SYM_DTYPE_UINT32,
    [13] = SYM_DTYPE_UINT64,     [14] = SYM_DTYPE_COMPLEX64,      [15] = SYM_DTYPE_COMPLEX128,
    [16] = SYM_DTYPE_BFLOAT16,   [17] = SYM_DTYPE_FLOAT8E4M3FN,   [18] = SYM_DTYPE_FLOAT8E4M3FNUZ,
    [19] = SYM_DTYPE_FLOAT8E5M2, [20] = SYM_DTYPE_FLOAT8E5M2FNUZ, [21] = SYM_DTYPE_UINT4,
    [22] = SYM_DTYPE_INT4,       [23] = SYM_DTYPE_FLOAT4E2M1,     [24] = SYM_DTYPE_FLOAT8E8M0,
    [25] = SYM_DTYPE_UINT2,      [26] = SYM_DTYPE_INT2,
  };
  const SymValue *value = sym_attributes_find (attributes, name);
  const char *text = sym_value_as_string (value, NULL);
  SymDType dtype;
  gint64 number;

  if (text != NULL && (sym_dtype_from_string (text, &dtype) || find_tensor_proto (text, &dtype)))
    return dtype;
  if (value != NULL && sym_value_get_int (value, &number) && number > 0 &&
      number < (gint64) G_N_ELEMENTS (numbers))
    return numbers[number];
  return SYM_DTYPE_UNKNOWN;
}

gboolean
sym_op_onnx_infer_test (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* Both operands are of one dtype. */
static gboolean
tie_operands (SymRule *rule, GError **error)
{
  return sym_rule_set_input_dtype (rule, 1, sym_rule_get_input_dtype (rule, 0), error) &&
         sym_rule_set_input_dtype (rule, 0, sym_rule_get_input_dtype (rule, 1), error);
}

gboolean
sym_op_onnx_infer_comparison (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) && tie_operands (rule, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

void
sym_op_onnx_fold_values (SymRule *rule, SymOpOnnxFold fold)
{
  gint64 a[64], b[64];
  int n_a = sym_rule_get_input_ints (rule, 0, a, G_N_ELEMENTS (a));
  int n_b = sym_rule_get_input_ints (rule, 1, b, G_N_ELEMENTS (b));
  int n = n_a == 1 ? n_b : n_a;

  if (n_a < 0 || n_b < 0 || (n_a != n_b && n_a != 1 && n_b != 1))
    return;
  for (int i = n; i-- > 0;)
    if (!fold (a[n_a == 1 ? 0 : i], b[n_b == 1 ? 0 : i], &a[i]) ||
        (sym_rule_get_output_dtype (rule, 0) == SYM_DTYPE_INT32 && a[i] != (gint32) a[i]))
      return;
  sym_rule_set_output_ints (rule, 0, a, n);
}

void
sym_op_onnx_pass_values (SymRule *rule, guint input, guint output)
{
  gint64 values[64];
  int n = sym_rule_get_input_ints (rule, input, values, G_N_ELEMENTS (values));

  if (n >= 0)
    sym_rule_set_output_ints (rule, output, values, n);
  else
    sym_op_pass_values (rule, input, output);
}

/* ---- Broadcasting before version 7 ---- */

#define BROADCAST                                                                          \
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis of A that the first axis of B stands for" },  \
  {                                                                                        \
    "broadcast", SYM_ATTRIBUTE_INT, "0", "whether B is repeated along the axes it has not" \
  }

const SymAttributeSpec sym_op_onnx_legacy_broadcast[] = { BROADCAST, { NULL } };
const SymAttributeSpec sym_op_onnx_consumed_broadcast[] = { BROADCAST, CONSUMED, { NULL } };

/* @b with as many ones behind it as A of @rank has axes after those that B stands for. */
static gboolean
align (SymShape *b, int rank, gboolean has_axis, gint64 axis, GError **error)
{
  int first;

  if (!has_axis)
    return TRUE;
  if (rank == 0 && b->rank == 0)
    return TRUE;
  if (!sym_op_find_axis (axis, rank, &first, error))
    return FALSE;
  if (first + b->rank > rank)
    return sym_kernel_fail (error, "B has %d axes, A only %d from axis %d on", b->rank,
                            rank - first, first);
  while (first + b->rank < rank)
    b->dims[b->rank++] = 1;
  return TRUE;
}

/* Whether shapes are the same but for ones in front, which CNTK's files leave out. */
static gboolean
is_same (const SymShape *a, const SymShape *b)
{
  const SymShape *less = a->rank < b->rank ? a : b, *more = less == a ? b : a;
  int n = more->rank - less->rank;

  for (int i = 0; i < n; i++)
    if (more->dims[i] != 1)
      return FALSE;
  for (int i = 0; i < less->rank; i++)
    if (less->dims[i] != more->dims[n + i])
      return FALSE;
  return less->rank >= 0;
}

static gboolean
infer_legacy_shapes (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  gint64 axis = sym_rule_get_int (rule, "axis", G_MININT64);

  if (!sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  if (!sym_rule_get_bool (rule, "broadcast", FALSE))
    return (b.rank < a.rank && is_same (&a, &b)) || sym_rule_tie_shapes (rule, 0, 1, error);
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  return align (&b, a.rank, axis != G_MININT64, axis, error);
}

gboolean
sym_op_onnx_infer_legacy (SymRule *rule, GError **error)
{
  return infer_legacy_shapes (rule, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

gboolean
sym_op_onnx_infer_legacy_comparison (SymRule *rule, GError **error)
{
  return infer_legacy_shapes (rule, error) && tie_operands (rule, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* Whether the shape of A is what both broadcast to. */
static gboolean
check_legacy (SymKernel *kernel, const SymArray *a, const SymArray *b, GError **error)
{
  gboolean broadcast = sym_kernel_get_bool (kernel, "broadcast", FALSE);
  SymShape shape = a->shape;

  g_autofree char *left = NULL, *right = NULL;

  if (broadcast && !sym_op_broadcast (&shape, &b->shape, error))
    return FALSE;
  if (broadcast ? sym_shape_equal (&a->shape, &shape)
                : a->shape.rank >= b->shape.rank && is_same (&a->shape, &b->shape))
    return TRUE;
  left = sym_op_format_shape (&a->shape);
  right = sym_op_format_shape (&b->shape);
  return sym_kernel_fail (error, "B of shape %s is not repeated to A's %s%s", right, left,
                          broadcast ? "" : ": the attribute broadcast is 0");
}

gboolean
sym_op_onnx_run_legacy (SymKernel *kernel,
                        const SymOpBinaryLoop loops[SYM_N_DTYPES],
                        SymDType dtype,
                        GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  gint64 axis = sym_kernel_get_int (kernel, "axis", G_MININT64);
  gboolean aligns = axis != G_MININT64 && sym_kernel_get_bool (kernel, "broadcast", FALSE);
  SymArray aligned;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  aligned = *b;
  if (!align (&aligned.shape, a->shape.rank, aligns, axis, error) ||
      !check_legacy (kernel, a, &aligned, error))
    return FALSE;
  return sym_op_run_arrays (kernel, loops, a, &aligned, dtype, error);
}
