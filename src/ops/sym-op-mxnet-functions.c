/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-functions.h"

#include <math.h>

#include "core/sym-element.h"

typedef double (*Function) (double x);

static gboolean
run (SymKernel *kernel, Function function, gboolean rounds, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean is_floating = x != NULL && sym_dtype_is_floating (x->dtype);
  gsize n = x == NULL ? 0 : sym_array_get_n_elements (x), asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!is_floating && !sym_dtype_is_integer (x->dtype) && x->dtype != SYM_DTYPE_BOOL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (rounds && !is_floating)
    return sym_kernel_pass (kernel, 0, 0, NULL, error);
  y = sym_kernel_new_output (kernel, 0, is_floating ? x->dtype : SYM_DTYPE_FLOAT32, &x->shape,
                             error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      sym_element_set_double (y->dtype, y->data, i,
                              function (sym_element_get_double (x->dtype, x->data, i)));
      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Functions ---- */

static double
inverse_cube_root (double x)
{
  return 1 / cbrt (x);
}

static double
half_down (double x)
{
  double floor_x = floor (x), ceil_x = ceil (x);

  return x - floor_x <= ceil_x - x ? floor_x : ceil_x;
}

/* lgamma() writes to a global; its twin does not. */
static double
log_gamma (double x)
{
  int sign;

  return lgamma_r (x, &sign);
}

/* By the recurrence psi (x) = psi (x + 1) - 1 / x up to where the asymptotic series is exact to
 * 1e-15, and by the reflection pi / tan (pi x) below zero. */
static double
digamma (double x)
{
  double sum = 0, square;

  if (x <= 0 && x == floor (x))
    return NAN;
  if (x < 0)
    return digamma (1 - x) - G_PI / tan (G_PI * x);
  for (; x < 10; x += 1)
    sum -= 1 / x;
  square = 1 / (x * x);
  return sum + log (x) - 0.5 / x -
         square *
             (1.0 / 12 -
              square * (1.0 / 120 - square * (1.0 / 252 - square * (1.0 / 240 - square / 132))));
}

/* Winitzki's estimate, made exact by Newton's steps on erf. */
static double
inverse_erf (double y)
{
  const double a = 0.147;
  double rest = 1 - fabs (y), log_rest, t, x;

  if (!(rest > 0))
    return rest == 0 ? copysign (INFINITY, y) : NAN;
  log_rest = log1p (-y * y);
  t = 2 / (G_PI * a) + log_rest / 2;
  x = sqrt (sqrt (t * t - log_rest / a) - t);
  for (int i = 0; i < 4; i++)
    x -= (rest > 0.5 ? erf (x) - fabs (y) : rest - erfc (x)) / (M_2_SQRTPI * exp (-x * x));
  return copysign (x, y);
}

/* ---- Kernels ---- */

#define KERNEL(name, function, rounds)                                 \
  gboolean sym_op_mxnet_run_##name (SymKernel *kernel, GError **error) \
  {                                                                    \
    return run (kernel, function, rounds, error);                      \
  }

KERNEL (cbrt, cbrt, FALSE)
KERNEL (rcbrt, inverse_cube_root, FALSE)
KERNEL (expm1, expm1, FALSE)
KERNEL (log1p, log1p, FALSE)
KERNEL (gamma, tgamma, FALSE)
KERNEL (gammaln, log_gamma, FALSE)
KERNEL (digamma, digamma, FALSE)
KERNEL (erfinv, inverse_erf, FALSE)
KERNEL (rint, half_down, TRUE)
KERNEL (round, round, TRUE)
KERNEL (round_even, nearbyint, TRUE)
KERNEL (trunc, trunc, TRUE)
