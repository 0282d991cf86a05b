/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-fourier.h"

#include <math.h>
#include <string.h>

/* A length whose prime factors are small is transformed by Stockham's method, a factor at a time,
 * from one place to another and back.  Any other becomes, by Bluestein's method, a convolution, of
 * a length that is a power of two: k n = (k^2 + n^2 - (k - n)^2) / 2. */

#define MAX_FACTOR 31
#define MAX_FACTORS 64

/* Numbers between two questions whether the run was cancelled. */
#define ROW ((gsize) 1 << 13)

typedef struct {
  double re, im;
} Complex;

struct _SymOpFourier {
  SymKernel *kernel;
  gsize length, asked;
  guint factors[MAX_FACTORS];
  guint n_factors;
  Complex *roots;       /* exp (-2 pi i k / length); NULL for Bluestein's method */
  Complex *other;       /* as many numbers as are transformed */
  SymOpFourier *padded; /* the transform of the convolution */
  Complex *chirp;       /* exp (-pi i k^2 / length) */
  Complex *response;    /* the transform of what the convolution is with */
  Complex *work;
};

static Complex
multiply (Complex a, Complex b)
{
  return (Complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static Complex
conjugate (Complex a)
{
  return (Complex){ a.re, -a.im };
}

/* exp (-2 pi i k / n) for k < n, from an angle within an eighth of a turn of the nearest quarter,
 * so that quarters are exact. */
static Complex
find_root (guint64 k, guint64 n)
{
  guint quarter = (guint) ((8 * k + n) / (2 * n)) % 4;
  gint64 rest = (gint64) (4 * k) - (gint64) (((8 * k + n) / (2 * n)) * n);
  double angle = G_PI_2 * (double) rest / (double) n, c = cos (angle), s = sin (angle);

  switch (quarter)
    {
    case 0:
      return (Complex){ c, -s };
    case 1:
      return (Complex){ -s, -c };
    case 2:
      return (Complex){ -c, s };
    default:
      return (Complex){ s, c };
    }
}

/* ---- Stockham ---- */

/* Fills in factors, fours first; FALSE when there is one that is too large. */
static gboolean
factorize (SymOpFourier *self)
{
  gsize rest = self->length;

  self->n_factors = 0;
  for (; rest % 4 == 0; rest /= 4)
    self->factors[self->n_factors++] = 4;
  for (guint factor = 2; factor <= MAX_FACTOR; factor++)
    for (; rest % factor == 0; rest /= factor)
      self->factors[self->n_factors++] = factor;
  return rest == 1;
}

static void
turn_two (const Complex *x, gsize step, Complex *y)
{
  y[0] = (Complex){ x[0].re + x[step].re, x[0].im + x[step].im };
  y[1] = (Complex){ x[0].re - x[step].re, x[0].im - x[step].im };
}

static void
turn_four (const Complex *x, gsize step, gboolean inverse, Complex *y)
{
  Complex even[2], odd[2];

  turn_two (x, 2 * step, even);
  turn_two (x + step, 2 * step, odd);
  y[0] = (Complex){ even[0].re + odd[0].re, even[0].im + odd[0].im };
  y[2] = (Complex){ even[0].re - odd[0].re, even[0].im - odd[0].im };
  y[1] = (Complex){ even[1].re + odd[1].im, even[1].im - odd[1].re };
  y[3] = (Complex){ even[1].re - odd[1].im, even[1].im + odd[1].re };
  if (inverse)
    {
      Complex swap = y[1];

      y[1] = y[3];
      y[3] = swap;
    }
}

/* The transform of @factor numbers, @step apart. */
static void
turn (const SymOpFourier *self,
      guint factor,
      const Complex *x,
      gsize step,
      gboolean inverse,
      Complex *y)
{
  gsize root = self->length / factor;

  if (factor == 2)
    turn_two (x, step, y);
  else if (factor == 4)
    turn_four (x, step, inverse, y);
  else
    for (guint j = 0; j < factor; j++)
      {
        y[j] = x[0];
        for (guint k = 1; k < factor; k++)
          {
            Complex w = self->roots[(j * k) % factor * root];
            Complex part = multiply (x[k * step], inverse ? conjugate (w) : w);

            y[j].re += part.re;
            y[j].im += part.im;
          }
      }
}

/* One factor: from blocks of @n numbers, @stride apart, to blocks of @n / @factor. */
static gboolean
run_factor (SymOpFourier *self,
            guint factor,
            gsize n,
            gsize stride,
            const Complex *x,
            Complex *y,
            gboolean inverse,
            GError **error)
{
  gsize m = n / factor, root = self->length / n;
  Complex parts[MAX_FACTOR];

  for (gsize p = 0; p < m; p++)
    for (gsize q = 0; q < stride; q++)
      {
        if (q % ROW == 0 &&
            !sym_op_go_on (self->kernel, &self->asked, MIN (stride - q, ROW) * factor, error))
          return FALSE;
        turn (self, factor, x + q + stride * p, stride * m, inverse, parts);
        y[q + stride * factor * p] = parts[0];
        for (guint j = 1; j < factor; j++)
          {
            Complex w = self->roots[j * p * root];

            y[q + stride * (factor * p + j)] = multiply (parts[j], inverse ? conjugate (w) : w);
          }
      }
  return TRUE;
}

static gboolean
run_factors (SymOpFourier *self, Complex *data, gboolean inverse, GError **error)
{
  Complex *from = data, *to = self->other;
  gsize n = self->length, stride = 1;

  for (guint i = 0; i < self->n_factors; i++)
    {
      Complex *swap = from;

      if (!run_factor (self, self->factors[i], n, stride, from, to, inverse, error))
        return FALSE;
      n /= self->factors[i];
      stride *= self->factors[i];
      from = to;
      to = swap;
    }
  if (from != data)
    memcpy (data, from, self->length * sizeof *data);
  return TRUE;
}

/* ---- Bluestein ---- */

static gboolean
run_chirp (SymOpFourier *self, Complex *data, gboolean inverse, GError **error)
{
  gsize n = self->length, m = self->padded->length;

  for (gsize i = 0; i < n; i++)
    self->work[i] = multiply (inverse ? conjugate (data[i]) : data[i], self->chirp[i]);
  memset (self->work + n, 0, (m - n) * sizeof *self->work);
  if (!run_factors (self->padded, self->work, FALSE, error))
    return FALSE;
  for (gsize i = 0; i < m; i++)
    self->work[i] = multiply (self->work[i], self->response[i]);
  if (!run_factors (self->padded, self->work, TRUE, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      Complex y = multiply (self->work[i], self->chirp[i]);

      y.re /= (double) m;
      y.im /= (double) m;
      data[i] = inverse ? conjugate (y) : y;
    }
  return TRUE;
}

static gboolean
begin_chirp (SymOpFourier *self, GError **error)
{
  gsize n = self->length, m = 1;

  while (m < 2 * n - 1)
    m *= 2;
  self->padded = sym_op_fourier_new (self->kernel, m, error);
  if (self->padded == NULL)
    return FALSE;
  self->chirp = sym_kernel_get_scratch (self->kernel, n, sizeof (Complex), error);
  if (self->chirp == NULL)
    return FALSE;
  self->response = sym_kernel_get_scratch (self->kernel, m, sizeof (Complex), error);
  if (self->response == NULL)
    return FALSE;
  self->work = sym_kernel_get_scratch (self->kernel, m, sizeof (Complex), error);
  if (self->work == NULL)
    return FALSE;
  memset (self->response, 0, m * sizeof (Complex));
  for (guint64 i = 0; i < n; i++)
    {
      if (!sym_op_go_on (self->kernel, &self->asked, 16, error))
        return FALSE;
      self->chirp[i] = find_root (i * i % (2 * n), 2 * n);
      self->response[i] = self->response[i == 0 ? 0 : m - i] = conjugate (self->chirp[i]);
    }
  return run_factors (self->padded, self->response, FALSE, error);
}

/* ---- Both ---- */

/* Lengths whose squares, and the memory for them, can be counted. */
#define MAX_LENGTH ((gsize) 1 << 31)

SymOpFourier *
sym_op_fourier_new (SymKernel *kernel, gsize length, GError **error)
{
  SymOpFourier *self;

  if (length < 1 || length > MAX_LENGTH)
    {
      sym_kernel_fail (error, "%" G_GSIZE_FORMAT " numbers cannot be transformed", length);
      return NULL;
    }
  self = sym_kernel_get_scratch (kernel, 1, sizeof *self, error);
  if (self == NULL)
    return NULL;
  *self = (SymOpFourier){ .kernel = kernel, .length = length };
  if (!factorize (self))
    return begin_chirp (self, error) ? self : NULL;
  self->other = sym_kernel_get_scratch (kernel, length, sizeof (Complex), error);
  if (self->other == NULL)
    return NULL;
  self->roots = sym_kernel_get_scratch (kernel, length, sizeof (Complex), error);
  if (self->roots == NULL)
    return NULL;
  for (gsize i = 0; i < length; i++)
    {
      if (!sym_op_go_on (kernel, &self->asked, 16, error))
        return NULL;
      self->roots[i] = find_root (i, length);
    }
  return self;
}

gboolean
sym_op_fourier_run (SymOpFourier *self, double *data, gboolean inverse, GError **error)
{
  Complex *numbers = (Complex *) (void *) data;

  if (!(self->roots != NULL ? run_factors (self, numbers, inverse, error)
                            : run_chirp (self, numbers, inverse, error)))
    return FALSE;
  for (gsize i = 0; inverse && i < 2 * self->length; i++)
    data[i] /= (double) self->length;
  return TRUE;
}
