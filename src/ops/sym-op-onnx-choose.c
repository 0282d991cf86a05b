/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-sort.h"
#include "ops/sym-op-table.h"

/* TopK, OneHot, NonZero and Compress: elements by their values. */

/* ---- TopK ---- */

#define AXIS(fallback_)                                                             \
  {                                                                                 \
    "axis", SYM_ATTRIBUTE_INT, fallback_, "the axis along which elements are compared" \
  }

static const SymAttributeSpec top_1[] = {
  AXIS ("-1"),
  { "k", SYM_ATTRIBUTE_INT, NULL, "how many elements are told" },
  { NULL },
};
static const SymAttributeSpec top_10[] = { AXIS ("-1"), { NULL } };
static const SymAttributeSpec top_11[] = {
  AXIS ("-1"),
  { "largest", SYM_ATTRIBUTE_INT, "1", "whether the greatest rather than the least are told" },
  { "sorted", SYM_ATTRIBUTE_INT, "1", "whether they come in order" },
  { NULL },
};

static const SymSlotSpec top_slots_1[] = { { "X" }, { NULL } };
static const SymSlotSpec top_slots_10[] = { { "X" }, { "K" }, { NULL } };
static const char *const top_outputs[] = { "Values", "Indices", NULL };

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static gboolean
infer_top (SymRule *rule, GError **error)
{
  SymShape to = sym_rule_get_input (rule, 0);
  SymDim k = SYM_DIM_UNKNOWN;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_INT64, error))
    return FALSE;
  if (to.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), to.rank, &axis, error))
    return FALSE;
  if (sym_rule_get_version (rule) < 10)
    k = sym_rule_get_int (rule, "k", 0);
  else if (sym_rule_get_input_values (rule, 1, &k, 1) != 1)
    k = SYM_DIM_UNKNOWN;
  if (k >= 0 && to.dims[axis] >= 0 && k > to.dims[axis])
    return sym_rule_fail (error, "k is %" G_GINT64_FORMAT " for an axis of %" G_GINT64_FORMAT, k,
                          to.dims[axis]);
  to.dims[axis] = k;
  return sym_rule_set_output (rule, 0, &to, error) && sym_rule_set_output (rule, 1, &to, error);
}

/* Elements between two questions whether the run was cancelled. */
#define PIECE ((gsize) 1024)

/* Larger keys come first, and of equal ones those that came first. */
static int
compare_keys (gconstpointer data, gsize a, gsize b)
{
  const guint64 *keys = data;

  if (keys[a] != keys[b])
    return keys[a] > keys[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static gboolean
read_k (SymKernel *kernel, gint64 size, gint64 *k, GError **error)
{
  int n = 1;

  if (sym_kernel_get_version (kernel) < 10)
    *k = sym_kernel_get_int (kernel, "k", -1);
  else if (sym_kernel_need_input (kernel, 1, error) == NULL ||
           !sym_kernel_read_ints (kernel, 1, k, 1, &n, error))
    return FALSE;
  return (n == 1 && *k >= 0 && *k <= size) ||
         sym_kernel_fail (error,
                          "k does not lie between 0 and the size of the axis, %" G_GINT64_FORMAT,
                          size);
}

/* Rows along the axis, and what their elements are compared by. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  SymArray *values, *indices;
  SymOpAxis all;
  gsize k;
  guint64 *keys;
  gsize *order, *buffer, asked;
  gboolean largest;
} Top;

/* Lets the element at @i of the heap of @self->k find its place: none comes before those below it. */
static void
sink (Top *self, gsize i)
{
  gsize element = self->order[i];

  for (;;)
    {
      gsize next = 2 * i + 1;

      if (next < self->k && next + 1 < self->k &&
          compare_keys (self->keys, self->order[next], self->order[next + 1]) < 0)
        next++;
      if (next >= self->k || compare_keys (self->keys, element, self->order[next]) > 0)
        break;
      self->order[i] = self->order[next];
      i = next;
    }
  self->order[i] = element;
}

/* Leaves in the first places those that are told, in any order: the last of them on top of a heap,
 * which each element that comes before it replaces. */
static gboolean
select_some (Top *self, GError **error)
{
  if (self->k == self->all.size)
    return TRUE;
  for (gsize i = self->k / 2; i-- > 0;)
    sink (self, i);
  for (gsize i = self->k; i < self->all.size; i++)
    {
      if (self->keys[i] <= self->keys[self->order[0]])
        continue;
      if (!sym_op_go_on (self->kernel, &self->asked, 64, error))
        return FALSE;
      self->order[0] = i;
      sink (self, 0);
    }
  return TRUE;
}

/* Of elements @begin to before @end of the row that starts at @first; most rows are of float32. */
static void
read_keys (Top *self, gsize first, gsize begin, gsize end)
{
  const float *floats = self->x->dtype == SYM_DTYPE_FLOAT32 ? self->x->data : NULL;

  for (gsize i = begin; i < end; i++)
    {
      gsize at = first + i * self->all.inner;
      guint64 key = floats == NULL ? sym_op_get_key (self->x, at)
                                   : sym_op_get_float_key ((double) floats[at]);

      self->keys[i] = self->largest ? key : ~key;
      self->order[i] = i;
    }
}

static gboolean
sort_row (Top *self, gsize row, GError **error)
{
  gsize inner = self->all.inner;
  gsize first = row / inner * self->all.size * inner + row % inner;
  gsize place = row / inner * self->k * inner + row % inner;

  for (gsize i = 0; i < self->all.size; i += PIECE)
    {
      gsize end = MIN (i + PIECE, self->all.size);

      read_keys (self, first, i, end);
      if (!sym_op_go_on (self->kernel, &self->asked, 4 * (end - i), error))
        return FALSE;
    }
  if (!select_some (self, error) ||
      !sym_op_sort (self->kernel, self->order, self->buffer, self->k, compare_keys, self->keys, 4,
                    error))
    return FALSE;
  for (gsize i = 0; i < self->k; i++)
    {
      sym_op_move (self->values, place + i * inner, self->x, first + self->order[i] * inner, 1);
      if (self->indices != NULL)
        ((gint64 *) self->indices->data)[place + i * inner] = (gint64) self->order[i];
    }
  return TRUE;
}

static gboolean
sort_rows (Top *self, GError **error)
{
  gsize size = self->all.size;

  self->keys = sym_kernel_get_scratch (self->kernel, size, sizeof *self->keys, error);
  if (self->keys == NULL)
    return FALSE;
  self->order = sym_kernel_get_scratch (self->kernel, size, sizeof *self->order, error);
  if (self->order == NULL)
    return FALSE;
  self->buffer = sym_kernel_get_scratch (self->kernel, size, sizeof *self->buffer, error);
  if (self->buffer == NULL)
    return FALSE;
  for (gsize row = 0; row < self->all.outer * self->all.inner; row++)
    if (!sort_row (self, row, error))
      return FALSE;
  return TRUE;
}

static gboolean
run_top (SymKernel *kernel, GError **error)
{
  Top self = {
    .kernel = kernel,
    .x = sym_kernel_need_input (kernel, 0, error),
    .largest = sym_kernel_get_bool (kernel, "largest", TRUE),
  };
  gint64 k = 0;
  SymShape to;
  int axis = 0;

  if (self.x == NULL)
    return FALSE;
  if (!sym_dtype_is_integer (self.x->dtype) && !sym_dtype_is_floating (self.x->dtype))
    return sym_op_refuse_dtype (kernel, self.x->dtype, error);
  to = self.x->shape;
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", -1), to.rank, &axis, error) ||
      !read_k (kernel, to.dims[axis], &k, error))
    return FALSE;
  self.all = sym_op_split_axis (&to, axis);
  self.k = (gsize) k;
  to.dims[axis] = k;
  self.values = sym_kernel_new_output (kernel, 0, self.x->dtype, &to, error);
  if (self.values == NULL)
    return FALSE;
  if (sym_kernel_get_n_outputs (kernel) > 1)
    {
      self.indices = sym_kernel_new_output (kernel, 1, SYM_DTYPE_INT64, &to, error);
      if (self.indices == NULL)
        return FALSE;
    }
  return sym_array_get_n_elements (self.values) == 0 || sort_rows (&self, error);
}

/* ---- OneHot ---- */

static const SymAttributeSpec hot_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "where the new axis is in the result" },
  { NULL },
};

static const SymSlotSpec hot_slots[] = { { "indices" }, { "depth" }, { "values" }, { NULL } };

static gboolean
infer_hot (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0);
  SymDim depth;
  int axis;

  if (!sym_op_pass_dtype (rule, 2, 0, error))
    return FALSE;
  if (from.rank < 0)
    return TRUE;
  if (from.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (sym_rule_get_input_values (rule, 1, &depth, 1) != 1)
    depth = SYM_DIM_UNKNOWN;
  return sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), from.rank + 1, &axis, error) &&
         sym_op_set_output (rule, 0, sym_op_insert_axis (&from, axis, depth), SYM_DTYPE_UNKNOWN,
                            error);
}

static gboolean
run_hot (SymKernel *kernel, GError **error)
{
  const SymArray *indices = sym_kernel_need_input (kernel, 0, error), *depths, *values;
  gsize n, asked = 0;
  gint64 depth;
  SymOpAxis all;
  SymShape to;
  SymArray *y;
  int axis = 0;

  if (indices == NULL || (depths = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (values = sym_kernel_need_input (kernel, 2, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (indices->dtype) || !sym_dtype_is_numeric (depths->dtype) ||
      sym_array_get_n_elements (depths) != 1 || sym_array_get_n_elements (values) != 2)
    return sym_kernel_fail (error, "depth must be one number, values must be off and on");
  depth = sym_element_get_int (depths->dtype, depths->data, 0);
  if (depth < 0 || indices->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "depth is %" G_GINT64_FORMAT " for indices of rank %d", depth,
                            indices->shape.rank);
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", -1), indices->shape.rank + 1, &axis,
                         error))
    return FALSE;
  to = sym_op_insert_axis (&indices->shape, axis, depth);
  y = sym_kernel_new_output (kernel, 0, values->dtype, &to, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  n = sym_array_get_n_elements (y);
  for (gsize i = 0; i < n; i++)
    {
      sym_op_move (y, i, values, 0, 1);
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
    }
  all = sym_op_split_axis (&to, axis);
  for (gsize i = 0; i < n / all.size; i++)
    {
      gint64 index = sym_element_get_int (indices->dtype, indices->data, i);

      if (!sym_op_go_on (kernel, &asked, 4, error))
        return FALSE;
      index = index < 0 ? index + depth : index;
      if (index >= 0 && index < depth)
        sym_op_move (y, (i / all.inner * all.size + (gsize) index) * all.inner + i % all.inner,
                     values, 1, 1);
    }
  return TRUE;
}

/* ---- NonZero ---- */

static gboolean
infer_non_zero (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to = sym_shape_new_unknown (2);

  if (from.rank >= 0)
    to.dims[0] = MAX (from.rank, 1);
  return sym_op_set_output (rule, 0, to, SYM_DTYPE_INT64, error);
}

static gboolean
run_non_zero (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint8 *truths;
  gsize n, count = 0, next = 0;
  gint64 index[SYM_MAX_RANK] = { 0 };
  SymShape shape;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  /* A scalar counts as a vector of one. */
  shape = x->shape.rank == 0 ? SYM_SHAPE (1) : x->shape;
  n = sym_array_get_n_elements (x);
  truths = sym_kernel_get_scratch (kernel, n, 1, error);
  if (truths == NULL || sym_kernel_is_cancelled (kernel, error))
    return FALSE;
  sym_convert_elements (x->dtype, x->data, SYM_DTYPE_BOOL, truths, n);
  for (gsize i = 0; i < n; i++)
    count += truths[i];
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &SYM_SHAPE (shape.rank, (gint64) count),
                             error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      for (int k = 0; truths[i] && k < shape.rank; k++)
        ((gint64 *) y->data)[(gsize) k * count + next] = index[k];
      next += truths[i];
      for (int k = shape.rank; k-- > 0;)
        {
          if (++index[k] < shape.dims[k])
            break;
          index[k] = 0;
        }
    }
  return TRUE;
}

/* ---- Compress ---- */

static const SymAttributeSpec compress_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis that is chosen from; all elements by default" },
  { NULL },
};

static const SymSlotSpec compress_slots[] = { { "input" }, { "condition" }, { NULL } };

static gboolean
infer_compress (SymRule *rule, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MININT64);
  SymShape to = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (given == G_MININT64)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), SYM_DTYPE_UNKNOWN, error);
  if (to.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (given, to.rank, &axis, error))
    return FALSE;
  to.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
run_compress (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *condition;
  gint64 given = sym_kernel_get_int (kernel, "axis", G_MININT64);
  SymShape shape, to;
  gsize n, count = 0, next = 0, asked = 0;
  const guint8 *truth;
  SymOpAxis all;
  SymArray *y;
  int axis = 0;

  if (x == NULL || (condition = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  shape = given == G_MININT64 ? SYM_SHAPE ((gint64) sym_array_get_n_elements (x)) : x->shape;
  if (given != G_MININT64 && !sym_op_find_axis (given, shape.rank, &axis, error))
    return FALSE;
  if (condition->dtype != SYM_DTYPE_BOOL || condition->shape.rank != 1)
    return sym_kernel_fail (error, "condition must be of one axis of bool");
  all = sym_op_split_axis (&shape, axis);
  truth = condition->data;
  n = MIN ((gsize) condition->shape.dims[0], all.size);
  for (gsize i = 0; i < n; i++)
    count += truth[i] != 0;
  to = shape;
  to.dims[axis] = (gint64) count;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  for (gsize o = 0; o < all.outer; o++)
    for (gsize i = 0; i < n; i++)
      {
        if (!sym_op_go_on (kernel, &asked, 1, error) ||
            (truth[i] && !sym_op_move_on (kernel, &asked, y, next++ * all.inner, x,
                                          (o * all.size + i) * all.inner, all.inner, error)))
          return FALSE;
      }
  return TRUE;
}

#define TOP(version_, attributes_, slots_)                                                     \
  {                                                                                            \
    SYM_OP_ONNX ("TopK", version_),                                                            \
        .summary = "the greatest or least elements along an axis, and where they are",         \
        .category = SYM_CATEGORY_POOLING, .attributes = attributes_, .slots = slots_,          \
        .get_n_outputs = get_two, .output_names = top_outputs, .infer = infer_top,             \
        .run = run_top                                                                         \
  }
#define HOT(version_)                                                                          \
  {                                                                                            \
    SYM_OP_ONNX ("OneHot", version_), .summary = "one value at each index, another elsewhere", \
                                      .category = SYM_CATEGORY_SHAPE,                          \
                                      .attributes = hot_attributes, .slots = hot_slots,        \
                                      .infer = infer_hot, .run = run_hot                       \
  }
#define COMPRESS(version_)                                                                      \
  {                                                                                             \
    SYM_OP_ONNX ("Compress", version_), .summary = "slices for which a condition is true",      \
                                        .category = SYM_CATEGORY_SHAPE,                         \
                                        .attributes = compress_attributes,                      \
                                        .slots = compress_slots, .infer = infer_compress,       \
                                        .run = run_compress                                     \
  }

const SymOperator sym_op_onnx_choose[] = {
  TOP (1, top_1, top_slots_1),
  TOP (10, top_10, top_slots_10),
  TOP (11, top_11, top_slots_10),
  HOT (9),
  HOT (11),
  { SYM_OP_ONNX ("NonZero", 9), .summary = "indices of the elements that are not zero",
    .category = SYM_CATEGORY_SHAPE, .slots = sym_op_onnx_x, .infer = infer_non_zero,
    .run = run_non_zero },
  COMPRESS (9),
  COMPRESS (11),
  { 0 },
};
