/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-numpy.h"

/* Functions of two numbers that ONNX has no layers for. */

typedef struct {
  const char *name; /* between "_npi_" and "_scalar", without an r for operands exchanged */
  double (*of_floats) (double a, double b);
  gint64 (*of_integers) (gint64 a, gint64 b);
} Function;

static gint64
find_divisor (gint64 a, gint64 b)
{
  guint64 x = a < 0 ? 0 - (guint64) a : (guint64) a, y = b < 0 ? 0 - (guint64) b : (guint64) b;

  while (y != 0)
    {
      guint64 rest = x % y;

      x = y;
      y = rest;
    }
  return (gint64) x;
}

static gint64
find_multiple (gint64 a, gint64 b)
{
  gint64 divisor = find_divisor (a, b);
  guint64 product;

  if (divisor == 0)
    return 0;
  product = (guint64) (a / divisor) * (guint64) b;
  return (gint64) product < 0 ? (gint64) (0 - product) : (gint64) product;
}

/* Bits that are moved out are lost; nothing is left of what is moved too far. */
static gint64
shift_left (gint64 a, gint64 b)
{
  return b < 0 || b > 63 ? 0 : (gint64) ((guint64) a << b);
}

static gint64
shift_right (gint64 a, gint64 b)
{
  return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b;
}

static const Function functions[] = {
  { "arctan2", atan2, NULL },
  { "copysign", copysign, NULL },
  { "gcd", NULL, find_divisor },
  { "lcm", NULL, find_multiple },
  { "bitwise_left_shift", NULL, shift_left },
  { "bitwise_right_shift", NULL, shift_right },
};

/* The function of the operator; *@exchanged tells whether the number comes first. */
static const Function *
find_function (SymKernel *kernel, gboolean *exchanged)
{
  const char *name =
      sym_layer_get_operator (sym_kernel_get_layer (kernel))->name + strlen ("_npi_");

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    for (int k = 0; k < 2; k++)
      if (k == 0 || name[0] == 'r')
        {
          gsize length = strlen (functions[i].name);

          if (strncmp (name + k, functions[i].name, length) == 0 &&
              (name[(gsize) k + length] == '\0' || name[(gsize) k + length] == '_'))
            {
              *exchanged = k == 1;
              return &functions[i];
            }
        }
  g_assert_not_reached ();
}

/* Integers become floats where the function is one of floats. */
static SymDType
find_dtype (SymDType a, SymDType b, const Function *function)
{
  SymDType dtype = a;

  if (b != SYM_DTYPE_UNKNOWN && sym_dtype_get_bits (b) > sym_dtype_get_bits (a) &&
      sym_dtype_is_floating (b) == sym_dtype_is_floating (a))
    dtype = b;
  if (b != SYM_DTYPE_UNKNOWN && sym_dtype_is_floating (b) && !sym_dtype_is_floating (a))
    dtype = b;
  return function->of_floats != NULL && !sym_dtype_is_floating (dtype) ? SYM_DTYPE_FLOAT32 : dtype;
}

static gboolean
check_dtype (SymKernel *kernel, const Function *function, SymDType dtype, GError **error)
{
  if (!sym_dtype_is_numeric (dtype) ||
      (function->of_integers != NULL && !sym_dtype_is_integer (dtype) && dtype != SYM_DTYPE_BOOL))
    return sym_op_refuse_dtype (kernel, dtype, error);
  return TRUE;
}

static void
apply (const Function *function,
       const SymArray *a,
       gsize i,
       const SymArray *b,
       gsize j,
       SymArray *y,
       gsize k)
{
  if (function->of_integers != NULL)
    sym_element_set_int (y->dtype, y->data, k,
                         function->of_integers (sym_element_get_int (a->dtype, a->data, i),
                                                sym_element_get_int (b->dtype, b->data, j)));
  else
    sym_element_set_double (y->dtype, y->data, k,
                            function->of_floats (sym_element_get_double (a->dtype, a->data, i),
                                                 sym_element_get_double (b->dtype, b->data, j)));
}

gboolean
sym_op_mxnet_run_pair (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error);
  const SymArray *b = a == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  gint64 a_strides[SYM_MAX_RANK], b_strides[SYM_MAX_RANK];
  const Function *function;
  gboolean exchanged;
  gsize asked = 0;
  SymShape shape;
  SymArray *y;

  if (b == NULL)
    return FALSE;
  function = find_function (kernel, &exchanged);
  shape = a->shape;
  if (!check_dtype (kernel, function, a->dtype, error) ||
      !check_dtype (kernel, function, b->dtype, error) ||
      !sym_op_broadcast (&shape, &b->shape, error))
    return FALSE;
  sym_op_get_broadcast_strides (&a->shape, shape.rank, a_strides);
  sym_op_get_broadcast_strides (&b->shape, shape.rank, b_strides);
  y = sym_kernel_new_output (kernel, 0, find_dtype (a->dtype, b->dtype, function), &shape, error);
  for (gsize k = 0; y != NULL && k < sym_array_get_n_elements (y); k++)
    {
      gsize left = k, i = 0, j = 0;

      for (int axis = shape.rank - 1; axis >= 0; axis--)
        {
          gsize index = left % (gsize) shape.dims[axis];

          left /= (gsize) shape.dims[axis];
          i += index * (gsize) a_strides[axis];
          j += index * (gsize) b_strides[axis];
        }
      apply (function, a, i, b, j, y, k);
      if (!sym_op_go_on (kernel, &asked, 4, error))
        return FALSE;
    }
  return y != NULL;
}

gboolean
sym_op_mxnet_run_scalar (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  double number = sym_kernel_get_float (kernel, "scalar", 1);
  const Function *function;
  gboolean exchanged;
  SymArray other, *y;
  gint64 integer;
  gsize asked = 0;

  if (x == NULL)
    return FALSE;
  function = find_function (kernel, &exchanged);
  if (!check_dtype (kernel, function, x->dtype, error))
    return FALSE;
  integer = sym_op_truncate (number);
  other = function->of_integers != NULL ? (SymArray){ SYM_DTYPE_INT64, SYM_SHAPE (), &integer }
                                        : (SymArray){ SYM_DTYPE_FLOAT64, SYM_SHAPE (), &number };
  y = sym_kernel_new_output (kernel, 0, find_dtype (x->dtype, SYM_DTYPE_UNKNOWN, function),
                             &x->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (x); i++)
    {
      if (exchanged)
        apply (function, &other, 0, x, i, y, i);
      else
        apply (function, x, i, &other, 0, y, i);
      if (!sym_op_go_on (kernel, &asked, 2, error))
        return FALSE;
    }
  return y != NULL;
}
