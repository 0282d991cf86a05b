/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-ml-near.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-exponential.h"

#define WIDTH SYM_OP_NEAR_WIDTH
#define ROWS SYM_OP_NEAR_ROWS

/* Products that are summed before their sum is added to the others: the error of a long sum grows
 * with the longest run of additions. */
#define DEPTH 256

/* ---- Vectors ---- */

gsize
sym_op_near_get_stride (const SymOpNear *self)
{
  return (self->n + WIDTH - 1) / WIDTH * WIDTH;
}

gboolean
sym_op_near_read_kind (SymOpNear *self, SymKernel *kernel, GError **error)
{
  static const char *const names[] = { "LINEAR", "POLY", "RBF", "SIGMOID" };
  const char *name = sym_kernel_get_string (kernel, "kernel_type", "LINEAR");
  double params[3] = { 0, 0, 0 };

  sym_kernel_get_floats (kernel, "kernel_params", params, 3);
  self->gamma = params[0];
  self->coef0 = params[1];
  self->degree = params[2];
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      {
        self->kind = (SymOpNearKind) i;
        return TRUE;
      }
  return sym_kernel_fail (error, "kernel_type %s is none of LINEAR, POLY, RBF and SIGMOID", name);
}

void
sym_op_near_set_vectors (SymOpNear *self, const double *vectors, gsize n, gsize k)
{
  self->n = n;
  self->k = k;
  self->panels = g_new0 (float, sym_op_near_get_stride (self) * k + 1);
  for (gsize i = 0; i < n; i++)
    {
      float *panel = self->panels + i / WIDTH * WIDTH * k + i % WIDTH;

      for (gsize j = 0; j < k; j++)
        panel[j * WIDTH] = (float) vectors[i * k + j];
    }
  if (n != 1)
    return;
  self->only = g_new (float, k + 1);
  for (gsize j = 0; j < k; j++)
    self->only[j] = (float) vectors[j];
}

void
sym_op_near_clear (SymOpNear *self)
{
  g_free (self->panels);
  g_free (self->only);
  self->panels = self->only = NULL;
}

/* ---- Dots and distances ---- */

typedef float Floats __attribute__ ((vector_size (4 * WIDTH)));
typedef double Doubles __attribute__ ((vector_size (8 * WIDTH)));

/* The same anywhere in memory. */
typedef float LooseFloats __attribute__ ((vector_size (4 * WIDTH), may_alias, aligned (4)));
typedef double LooseDoubles __attribute__ ((vector_size (8 * WIDTH), may_alias, aligned (8)));

/* @n_rows rows by a panel [k, WIDTH]: sums of products, or of squared differences, are put into
 * @values, rows @stride apart.  What is constant where it is called makes loops of its own. */
#define ADD(name, type, Vector)                                                              \
  static inline __attribute__ ((always_inline)) void add_##name (                            \
      const type *const *rows, const int n_rows, const float *panel, gsize k,                \
      const gboolean squares, double *values, gsize stride)                                  \
  {                                                                                          \
    for (gsize start = 0; start < k; start += DEPTH)                                         \
      {                                                                                      \
        gsize end = MIN (k, start + DEPTH);                                                  \
        Vector sums[ROWS];                                                                   \
                                                                                             \
        for (int row = 0; row < n_rows; row++)                                               \
          sums[row] = (Vector){ 0 };                                                         \
        for (gsize i = start; i < end; i++)                                                  \
          {                                                                                  \
            Vector v =                                                                       \
                __builtin_convertvector(*(const LooseFloats *) (panel + i * WIDTH), Vector); \
                                                                                             \
            _Pragma ("GCC unroll 6") for (int row = 0; row < n_rows; row++)                  \
            {                                                                                \
              Vector d = v;                                                                  \
                                                                                             \
              if (squares)                                                                   \
                d = v - rows[row][i];                                                        \
              if (squares)                                                                   \
                sums[row] += d * d;                                                          \
              else                                                                           \
                sums[row] += d * rows[row][i];                                               \
            }                                                                                \
          }                                                                                  \
        for (int row = 0; row < n_rows; row++)                                               \
          {                                                                                  \
            LooseDoubles *place = (LooseDoubles *) (values + (gsize) row * stride);          \
            Doubles own = __builtin_convertvector(sums[row], Doubles);                       \
                                                                                             \
            if (start > 0)                                                                   \
              own += *place;                                                                 \
            *place = own;                                                                    \
          }                                                                                  \
      }                                                                                      \
  }                                                                                          \
                                                                                             \
  /* By @n_panels of them, one after the other. */                                           \
  SYM_OP_CLONES static void add_all_##name (const type *const *rows, gsize n_rows,           \
                                            const float *panels, gsize n_panels, gsize k,    \
                                            gboolean squares, double *values, gsize stride)  \
  {                                                                                          \
    for (gsize i = 0; i < n_panels; i++, panels += WIDTH * k, values += WIDTH)               \
      if (n_rows == 1 && squares)                                                            \
        add_##name (rows, 1, panels, k, TRUE, values, stride);                               \
      else if (n_rows == 1)                                                                  \
        add_##name (rows, 1, panels, k, FALSE, values, stride);                              \
      else if (squares)                                                                      \
        add_##name (rows, ROWS, panels, k, TRUE, values, stride);                            \
      else                                                                                   \
        add_##name (rows, ROWS, panels, k, FALSE, values, stride);                           \
  }

ADD (floats, float, Floats)
ADD (doubles, double, Doubles)

/* Dots with one vector: there its numbers lie side by side. */
#define NARROW 8

typedef float Narrow __attribute__ ((vector_size (4 * NARROW)));
typedef float LooseNarrow __attribute__ ((vector_size (4 * NARROW), may_alias, aligned (4)));

static inline __attribute__ ((always_inline)) double
dot (const float *x, const float *v, gsize n)
{
  Narrow sums = { 0 };
  float rest = 0;
  gsize i = 0;

  for (; i + NARROW <= n; i += NARROW)
    sums += *(const LooseNarrow *) (x + i) * *(const LooseNarrow *) (v + i);
  for (; i < n; i++)
    rest += x[i] * v[i];
  return (double) (((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                   ((sums[1] + sums[5]) + (sums[3] + sums[7])) + rest);
}

SYM_OP_CLONES static void
dot_rows (const float *const *rows,
          gsize n_rows,
          const float *vector,
          gsize k,
          double *values,
          gsize stride)
{
  for (gsize row = 0; row < n_rows; row++)
    {
      double sum = dot (rows[row], vector, MIN (k, DEPTH));

      for (gsize i = DEPTH; i < k; i += DEPTH)
        sum += dot (rows[row] + i, vector + i, MIN (k - i, DEPTH));
      values[row * stride] = sum;
    }
}

/* ---- Kernel functions ---- */

/* Small whole powers are products, as they are faster and just as good. */
SYM_OP_CLONES static void
raise_all (double *values, gsize n, double degree)
{
  if (degree == 2)
    for (gsize i = 0; i < n; i++)
      values[i] *= values[i];
  else if (degree == 3)
    for (gsize i = 0; i < n; i++)
      values[i] *= values[i] * values[i];
  else
    for (gsize i = 0; i < n; i++)
      values[i] = pow (values[i], degree);
}

static void
finish (const SymOpNear *self, double *values, gsize n)
{
  if (self->kind == SYM_OP_NEAR_RBF)
    {
      for (gsize i = 0; i < n; i++)
        values[i] *= -self->gamma;
      sym_op_exp_all (values, values, n);
      return;
    }
  for (gsize i = 0; i < n; i++)
    values[i] = values[i] * self->gamma + self->coef0;
  if (self->kind == SYM_OP_NEAR_POLY)
    raise_all (values, n, self->degree);
  else
    sym_op_tanh_all (values, values, n);
}

/* Samples beyond the last one are it again; @values has room for all. */
void
sym_op_near_measure (const SymOpNear *self,
                     const SymOpMlSamples *x,
                     gsize first,
                     gsize n,
                     double *place,
                     double *values)
{
  gsize stride = sym_op_near_get_stride (self), size = sym_dtype_get_bits (x->array->dtype) / 8;
  const guint8 *from = (const guint8 *) x->array->data + first * x->width * size;
  gboolean squares = self->kind == SYM_OP_NEAR_RBF;

  if (x->array->dtype == SYM_DTYPE_FLOAT32)
    {
      const float *rows[ROWS];

      for (gsize row = 0; row < ROWS; row++)
        rows[row] = (const float *) (const void *) from + MIN (row, n - 1) * x->width;
      if (self->only != NULL && self->kind == SYM_OP_NEAR_LINEAR)
        dot_rows (rows, n, self->only, self->k, values, stride);
      else
        add_all_floats (rows, n, self->panels, stride / WIDTH, self->k, squares, values, stride);
    }
  else
    {
      const double *rows[ROWS];

      sym_convert_elements (x->array->dtype, from, SYM_DTYPE_FLOAT64, place, n * x->width);
      for (gsize row = 0; row < ROWS; row++)
        rows[row] = place + MIN (row, n - 1) * x->width;
      add_all_doubles (rows, n, self->panels, stride / WIDTH, self->k, squares, values, stride);
    }
  if (self->kind != SYM_OP_NEAR_LINEAR)
    finish (self, values, n * stride);
}
