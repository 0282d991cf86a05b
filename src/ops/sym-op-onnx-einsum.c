/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Einsum.  Each letter is a label, and so is each axis that dots stand for, counted from the last
 * one.  Operands are multiplied two at a time; a label that neither a later operand nor the result
 * has is summed over at once. */

#define N_LETTERS 52
#define N_LABELS (N_LETTERS + SYM_MAX_RANK)

/* A tensor by its labels: how far apart neighbours are, 0 where the label is not there. */
typedef struct {
  const void *data; /* double of floats, guint64 of integers */
  gint64 strides[N_LABELS];
  gboolean has[N_LABELS];
} Factor;

typedef struct {
  SymKernel *kernel;
  gboolean floats;
  gint64 sizes[N_LABELS]; /* -1 for a label that is nowhere */
  int n_dots;             /* axes that the dots stand for */
  int result[SYM_MAX_RANK], n_result;
  gsize done;
} Sum;

static int
find_label (char letter)
{
  return letter >= 'a' ? 26 + letter - 'a' : letter - 'A';
}

/* ---- Reading the equation ---- */

/* The labels of one term for @rank axes; -1 axes for a term that is none. */
static int
read_term (const char *term, int rank, int labels[SYM_MAX_RANK], GError **error)
{
  int n_letters = 0, n = 0;
  const char *dots = strstr (term, "...");

  for (const char *c = term; *c != '\0'; c++)
    n_letters += g_ascii_isalpha (*c) ? 1 : 0;
  if (n_letters > rank || (n_letters < rank && dots == NULL))
    {
      sym_kernel_fail (error, "\"%s\" is not for %d axes", term, rank);
      return -1;
    }
  for (const char *c = term; *c != '\0'; c++)
    {
      if (c == dots)
        {
          for (int i = rank - n_letters; i-- > 0;)
            labels[n++] = N_LETTERS + i;
          c += 2;
        }
      else if (g_ascii_isalpha (*c))
        labels[n++] = find_label (*c);
      else if (*c != ' ')
        {
          sym_kernel_fail (error, "\"%s\" has '%c'; letters and ... are known", term, *c);
          return -1;
        }
    }
  return n;
}

/* A size of 1 gives way. */
static gboolean
meet_size (Sum *self, int label, gint64 size, GError **error)
{
  gint64 *known = &self->sizes[label];

  if (*known < 0 || *known == 1)
    *known = size;
  else if (size != 1 && size != *known)
    return sym_kernel_fail (
        error, "axes of one letter have sizes %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT, *known,
        size);
  return TRUE;
}

static gboolean
read_operand (Sum *self, guint i, const char *term, Factor *factor, GError **error)
{
  const SymArray *array = sym_kernel_need_input (self->kernel, i, error);
  int labels[SYM_MAX_RANK], n;
  gint64 strides[SYM_MAX_RANK];

  if (array == NULL)
    return FALSE;
  if (array->dtype != sym_kernel_get_input (self->kernel, 0)->dtype)
    return sym_kernel_fail (error, "operand %u is of %s, operand 0 of %s", i,
                            sym_dtype_to_string (array->dtype),
                            sym_dtype_to_string (sym_kernel_get_input (self->kernel, 0)->dtype));
  n = read_term (term, array->shape.rank, labels, error);
  if (n < 0)
    return FALSE;
  *factor = (Factor){ NULL };
  sym_op_get_strides (&array->shape, strides);
  for (int k = 0; k < n; k++)
    {
      if (!meet_size (self, labels[k], array->shape.dims[k], error))
        return FALSE;
      factor->has[labels[k]] = TRUE;
      factor->strides[labels[k]] += array->shape.dims[k] == 1 ? 0 : strides[k];
      if (labels[k] >= N_LETTERS)
        self->n_dots = MAX (self->n_dots, labels[k] - N_LETTERS + 1);
    }
  factor->data = sym_op_read_as (self->kernel, array,
                                 self->floats ? SYM_DTYPE_FLOAT64 : SYM_DTYPE_INT64, error);
  return factor->data != NULL;
}

static gboolean
append (Sum *self, int label, GError **error)
{
  if (self->n_result == SYM_MAX_RANK)
    return sym_kernel_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  self->result[self->n_result++] = label;
  return TRUE;
}

/* Without "->" the result has the dots and each letter that comes once. */
static gboolean
imply_result (Sum *self, const char *terms, GError **error)
{
  int counts[N_LETTERS] = { 0 };

  for (const char *c = terms; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      counts[find_label (*c)]++;
  for (int i = self->n_dots; i-- > 0;)
    if (!append (self, N_LETTERS + i, error))
      return FALSE;
  for (int i = 0; i < N_LETTERS; i++)
    if (counts[i] == 1 && !append (self, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_result (Sum *self, const char *term, GError **error)
{
  int n_letters = 0, rank;
  gboolean seen[N_LABELS] = { FALSE };

  for (const char *c = term; *c != '\0'; c++)
    n_letters += g_ascii_isalpha (*c) ? 1 : 0;
  rank = n_letters + (strstr (term, "...") == NULL ? 0 : self->n_dots);
  if (rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  self->n_result = read_term (term, rank, self->result, error);
  for (int i = 0; i < self->n_result; i++)
    {
      if (self->sizes[self->result[i]] < 0 || seen[self->result[i]])
        return sym_kernel_fail (error, "\"%s\" has a letter that no operand has, or one twice",
                                term);
      seen[self->result[i]] = TRUE;
    }
  return self->n_result >= 0;
}

/* ---- Summing ---- */

#define MULTIPLY(name, type)                                                               \
  static void multiply_##name (const void *a, gint64 step_a, const void *b, gint64 step_b, \
                               void *y, gint64 step_y, gint64 n)                           \
  {                                                                                        \
    const type *left = a, *right = b;                                                      \
    type *result = y, sum = 0;                                                             \
                                                                                           \
    if (step_y == 0)                                                                       \
      {                                                                                    \
        for (gint64 i = 0; i < n; i++)                                                     \
          sum += left[i * step_a] * right[i * step_b];                                     \
        *result += sum;                                                                    \
      }                                                                                    \
    else                                                                                   \
      for (gint64 i = 0; i < n; i++)                                                       \
        result[i * step_y] += left[i * step_a] * right[i * step_b];                        \
  }

MULTIPLY (floats, double)
MULTIPLY (integers, guint64)

/* The loops over all labels of two factors; the one with the shortest steps comes last. */
typedef struct {
  int n;
  gint64 sizes[N_LABELS + 1], a[N_LABELS + 1], b[N_LABELS + 1], y[N_LABELS + 1];
} Loops;

static void
add_loop (Loops *self, gint64 size, gint64 a, gint64 b, gint64 y)
{
  int last = self->n - 1;

  self->sizes[self->n] = size;
  self->a[self->n] = a;
  self->b[self->n] = b;
  self->y[self->n++] = y;
  if (last >= 0 && a + b + y > self->a[last] + self->b[last] + self->y[last])
    {
      gint64 *const columns[] = { self->sizes, self->a, self->b, self->y };

      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        {
          gint64 swapped = columns[i][last];

          columns[i][last] = columns[i][last + 1];
          columns[i][last + 1] = swapped;
        }
    }
}

static gboolean
run_loops (Sum *self, const Loops *loops, const void *a, const void *b, void *y, GError **error)
{
  gint64 index[N_LABELS + 1] = { 0 }, i = 0, j = 0, k = 0;
  int last = loops->n - 1, axis;

  do
    {
      const guint64 *left = (const guint64 *) a + i, *right = (const guint64 *) b + j;
      guint64 *result = (guint64 *) y + k;

      if (self->floats)
        multiply_floats (left, loops->a[last], right, loops->b[last], result, loops->y[last],
                         loops->sizes[last]);
      else
        multiply_integers (left, loops->a[last], right, loops->b[last], result, loops->y[last],
                           loops->sizes[last]);
      if (!sym_op_go_on (self->kernel, &self->done, (gsize) loops->sizes[last], error))
        return FALSE;
      for (axis = last; axis-- > 0;)
        {
          i += loops->a[axis];
          j += loops->b[axis];
          k += loops->y[axis];
          if (++index[axis] < loops->sizes[axis])
            break;
          i -= loops->a[axis] * loops->sizes[axis];
          j -= loops->b[axis] * loops->sizes[axis];
          k -= loops->y[axis] * loops->sizes[axis];
          index[axis] = 0;
        }
    }
  while (axis >= 0);
  return TRUE;
}

/* The product of two factors with the labels @labels in this order, the others summed over. */
static gboolean
combine (Sum *self,
         const Factor *a,
         const Factor *b,
         const int *labels,
         int n_labels,
         Factor *y,
         GError **error)
{
  Loops loops = { 0 };
  gboolean empty = FALSE;
  gsize n = 1;
  void *data;

  *y = (Factor){ NULL };
  for (int i = n_labels; i-- > 0;)
    {
      y->has[labels[i]] = TRUE;
      y->strides[labels[i]] = (gint64) n;
      if (!g_size_checked_mul (&n, n, (gsize) self->sizes[labels[i]]) || n > G_MAXSSIZE / 8)
        return sym_kernel_fail (error, "a product of operands is too large");
    }
  data = sym_kernel_get_scratch (self->kernel, n, 8, error);
  if (data == NULL)
    return FALSE;
  memset (data, 0, n * 8);
  y->data = data;
  add_loop (&loops, 1, 0, 0, 0);
  for (int i = 0; i < N_LABELS; i++)
    if (a->has[i] || b->has[i])
      {
        add_loop (&loops, self->sizes[i], a->strides[i], b->strides[i], y->strides[i]);
        empty = empty || self->sizes[i] == 0;
      }
  return empty || run_loops (self, &loops, a->data, b->data, data, error);
}

/* The labels of a product that are still needed: those of later factors and of the result. */
static int
find_needed (const Sum *self,
             const Factor *a,
             const Factor *b,
             const Factor *later,
             guint n_later,
             int labels[N_LABELS])
{
  int n = 0;

  for (int i = 0; i < N_LABELS; i++)
    {
      gboolean needed = FALSE;

      for (guint k = 0; k < n_later; k++)
        needed = needed || later[k].has[i];
      for (int k = 0; k < self->n_result; k++)
        needed = needed || self->result[k] == i;
      if (needed && (a->has[i] || b->has[i]))
        labels[n++] = i;
    }
  return n;
}

static gboolean
multiply_all (Sum *self, const Factor *factors, guint n, Factor *product, GError **error)
{
  static const double one = 1;
  static const guint64 integer_one = 1;
  Factor so_far = { self->floats ? (const void *) &one : &integer_one, { 0 }, { FALSE } };

  for (guint i = 0; i < n; i++)
    {
      int labels[N_LABELS], n_labels;
      gboolean last = i == n - 1;

      if (i == 0 && n > 1)
        {
          so_far = factors[0];
          continue;
        }
      n_labels = find_needed (self, &so_far, &factors[i], factors + i + 1, n - i - 1, labels);
      if (!combine (self, &so_far, &factors[i], last ? self->result : labels,
                    last ? self->n_result : n_labels, product, error))
        return FALSE;
      so_far = *product;
    }
  return TRUE;
}

/* ---- Running ---- */

static gboolean
write_result (Sum *self, const Factor *product, SymDType dtype, GError **error)
{
  SymShape shape = { .rank = self->n_result };
  SymArray *y;

  for (int i = 0; i < self->n_result; i++)
    shape.dims[i] = self->sizes[self->result[i]];
  y = sym_kernel_new_output (self->kernel, 0, dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  sym_convert_elements (self->floats ? SYM_DTYPE_FLOAT64 : SYM_DTYPE_INT64, product->data, dtype,
                        y->data, sym_array_get_n_elements (y));
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const char *equation = sym_kernel_get_string (kernel, "equation", "");
  g_auto (GStrv) sides = g_strsplit (equation, "->", 2);
  const char *left = sides[0] == NULL || *sides[0] == '\0' ? " " : sides[0];
  g_auto (GStrv) terms = g_strsplit (left, ",", -1);
  guint n = sym_kernel_get_n_inputs (kernel);
  const SymArray *first = sym_kernel_need_input (kernel, 0, error);
  Sum sum = { .kernel = kernel };
  Factor *factors, product;

  if (first == NULL)
    return FALSE;
  if (g_strv_length (terms) != n)
    return sym_kernel_fail (error, "\"%s\" is not for %u operands", equation, n);
  sum.floats = sym_dtype_is_floating (first->dtype);
  if (!sum.floats && !sym_dtype_is_integer (first->dtype))
    return sym_op_refuse_dtype (kernel, first->dtype, error);
  for (int i = 0; i < N_LABELS; i++)
    sum.sizes[i] = -1;
  factors = sym_kernel_get_scratch (kernel, n, sizeof (Factor), error);
  if (factors == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!read_operand (&sum, i, terms[i], &factors[i], error))
      return FALSE;
  return (sides[0] == NULL || sides[1] == NULL ? imply_result (&sum, left, error)
                                               : read_result (&sum, sides[1], error)) &&
         multiply_all (&sum, factors, n, &product, error) &&
         write_result (&sum, &product, first->dtype, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  return sym_rule_tie_dtypes (rule, 0, G_MAXUINT - 1, error) &&
         sym_op_infer_einsum (rule, sym_rule_get_string (rule, "equation", ""), error);
}

static const SymAttributeSpec attributes[] = {
  { "equation", SYM_ATTRIBUTE_STRING, NULL, "a letter for each axis of each operand" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "Inputs" }, { NULL } };

const SymOperator sym_op_onnx_einsum[] = {
  { SYM_OP_ONNX ("Einsum", 12), .summary = "sum of products, told by a letter for each axis",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes, .slots = slots,
    .get_n_operands = sym_op_onnx_get_any_number, .infer = infer, .run = run,
    .half_as_float = TRUE },
  { 0 },
};
