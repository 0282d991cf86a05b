/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-sort.h"
#include "ops/sym-op-table.h"

/* TopK: the greatest or least elements along an axis. */

#define AXIS(fallback_)                                                                \
  {                                                                                    \
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
         sym_kernel_fail (
             error, "k does not lie between 0 and the size of the axis, %" G_GINT64_FORMAT, size);
}

/* Rows along the axis, and what their elements are compared by. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  SymArray *values, *indices;
  SymOpAxis all;
  gsize k;
  guint64 *keys;
  guint64 *others; /* room for as many, for rows of float32; NULL for other rows */
  gsize *order, *buffer, asked;
  gboolean largest;
} Top;

/* Lets the element at @i of the heap of @self->k find its place: none comes before those below
 * it. */
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

/* Of elements @begin to before @end of the row that starts at @first. */
static void
read_keys (Top *self, gsize first, gsize begin, gsize end)
{
  for (gsize i = begin; i < end; i++)
    {
      guint64 key = sym_op_get_key (self->x, first + i * self->all.inner);

      self->keys[i] = self->largest ? key : ~key;
      self->order[i] = i;
    }
}

static gboolean
sort_wide (Top *self, gsize first, gsize place, GError **error)
{
  gsize inner = self->all.inner;

  for (gsize i = 0; i < self->all.size; i += PIECE)
    {
      gsize end = MIN (i + PIECE, self->all.size);

      read_keys (self, first, i, end);
      if (!sym_op_go_on (self->kernel, &self->asked, 4 * (end - i), error))
        return FALSE;
    }
  if (!select_some (self, error) || !sym_op_sort (self->kernel, self->order, self->buffer, self->k,
                                                  compare_keys, self->keys, 4, error))
    return FALSE;
  for (gsize i = 0; i < self->k; i++)
    {
      sym_op_move (self->values, place + i * inner, self->x, first + self->order[i] * inner, 1);
      if (self->indices != NULL)
        ((gint64 *) self->indices->data)[place + i * inner] = (gint64) self->order[i];
    }
  return TRUE;
}

/* ---- Rows of float32 ---- */

/* Numbers that are compared at once: above, one in the order of the floats, below, where it is from
 * the end of the row, so that no two are equal and of equal floats the first is the greatest. */
static inline guint64
join (guint32 bits, guint32 flip, gsize i)
{
  guint32 key;

  bits = bits << 1 == 0 ? 0 : bits;
  key = bits ^ ((guint32) ((gint32) bits >> 31) | (1u << 31));
  key = (bits & (G_MAXUINT32 >> 1)) > 0x7f800000 ? G_MAXUINT32 : key;
  return (guint64) (key ^ flip) << 32 | (guint32) ~(guint32) i;
}

SYM_OP_CLONES static void
read_narrow (guint64 *keys, const guint32 *x, gsize step, guint32 flip, gsize begin, gsize end)
{
  if (step == 1)
    for (gsize i = begin; i < end; i++)
      keys[i] = join (x[i], flip, i);
  else
    for (gsize i = begin; i < end; i++)
      keys[i] = join (x[i * step], flip, i);
}

/* Lets @key find its place from the top of a heap of @n on, the least of which is on top. */
static void
sink_key (guint64 *heap, gsize n, gsize i, guint64 key)
{
  for (;;)
    {
      gsize next = 2 * i + 1;

      if (next + 1 < n && heap[next + 1] < heap[next])
        next++;
      if (next >= n || key < heap[next])
        break;
      heap[i] = heap[next];
      i = next;
    }
  heap[i] = key;
}

/* Brings the @k greatest to the begin, in order: few of many.  They are a heap, whose least one
 * makes room for each that is greater. */
static gboolean
choose_few (Top *self, gsize n, gsize k, GError **error)
{
  guint64 *keys = self->keys;

  for (gsize i = k / 2; i-- > 0;)
    sink_key (keys, k, i, keys[i]);
  for (gsize i = k; i < n; i++)
    {
      if (keys[i] < keys[0])
        continue;
      if (!sym_op_go_on (self->kernel, &self->asked, 64, error))
        return FALSE;
      sink_key (keys, k, 0, keys[i]);
    }
  for (gsize i = k; i-- > 1;)
    {
      guint64 least = keys[0];

      if (!sym_op_go_on (self->kernel, &self->asked, 64, error))
        return FALSE;
      sink_key (keys, i, 0, keys[i]);
      keys[i] = least;
    }
  return TRUE;
}

/* Of few numbers; only the @k greatest are in order then. */
static void
sort_few (guint64 *keys, gsize n, gsize k)
{
  for (gsize i = 1; i < n; i++)
    {
      guint64 key = keys[i];
      gsize j = i < k ? i : k - 1;

      if (i >= k && key < keys[k - 1])
        continue;
      for (; j > 0 && keys[j - 1] < key; j--)
        keys[j] = keys[j - 1];
      keys[j] = key;
    }
}

#define DIGIT_BITS 8
#define N_DIGITS (1 << DIGIT_BITS)

/* Puts numbers where those of their digit at @shift belong, the greatest digit first; FALSE when
 * all have the same one. */
static gboolean
sort_digit (const guint64 *from, guint64 *to, gsize n, guint shift)
{
  gsize places[N_DIGITS] = { 0 }, place = 0;

  for (gsize i = 0; i < n; i++)
    places[from[i] >> shift & (N_DIGITS - 1)]++;
  if (places[from[0] >> shift & (N_DIGITS - 1)] == n)
    return FALSE;
  for (guint digit = N_DIGITS; digit-- > 0;)
    {
      gsize count = places[digit];

      places[digit] = place;
      place += count;
    }
  for (gsize i = 0; i < n; i++)
    to[places[from[i] >> shift & (N_DIGITS - 1)]++] = from[i];
  return TRUE;
}

/* Of all of them; those of equal floats are in order already. */
static gboolean
sort_many (Top *self, gsize n, GError **error)
{
  for (guint shift = 32; shift < 64; shift += DIGIT_BITS)
    {
      guint64 *other = self->others;

      if (sym_kernel_is_cancelled (self->kernel, error))
        return FALSE;
      if (!sort_digit (self->keys, other, n, shift))
        continue;
      self->others = self->keys;
      self->keys = other;
    }
  return TRUE;
}

/* Rows that are sorted by comparing each with each; and of so many one is few. */
#define FEW 48
#define FEW_OF 8

static gboolean
sort_narrow (Top *self, gsize first, gsize place, GError **error)
{
  gsize inner = self->all.inner, size = self->all.size;
  guint32 *to = (guint32 *) self->values->data + place;
  gint64 *indices = self->indices == NULL ? NULL : (gint64 *) self->indices->data + place;

  for (gsize i = 0; i < size; i += PIECE)
    {
      gsize end = MIN (i + PIECE, size);

      read_narrow (self->keys, (const guint32 *) self->x->data + first, inner,
                   self->largest ? 0 : G_MAXUINT32, i, end);
      if (!sym_op_go_on (self->kernel, &self->asked, end - i, error))
        return FALSE;
    }
  if (size <= FEW)
    sort_few (self->keys, size, self->k);
  else if (self->k < size / FEW_OF ? !choose_few (self, size, self->k, error)
                                   : !sort_many (self, size, error))
    return FALSE;
  for (gsize i = 0; i < self->k; i++)
    {
      gsize at = (guint32) ~(guint32) self->keys[i];

      to[i * inner] = ((const guint32 *) self->x->data)[first + at * inner];
      if (indices != NULL)
        indices[i * inner] = (gint64) at;
    }
  return TRUE;
}

/* ---- All rows ---- */

static gboolean
sort_row (Top *self, gsize row, GError **error)
{
  gsize inner = self->all.inner;
  gsize first = row / inner * self->all.size * inner + row % inner;
  gsize place = row / inner * self->k * inner + row % inner;

  return self->others != NULL ? sort_narrow (self, first, place, error)
                              : sort_wide (self, first, place, error);
}

static gboolean
is_narrow (const Top *self)
{
  return self->x->dtype == SYM_DTYPE_FLOAT32 && self->all.size < G_MAXUINT32;
}

static gboolean
make_room (Top *self, GError **error)
{
  gsize size = self->all.size;

  self->keys = sym_kernel_get_scratch (self->kernel, size, sizeof *self->keys, error);
  if (self->keys == NULL)
    return FALSE;
  if (is_narrow (self))
    {
      self->others = sym_kernel_get_scratch (self->kernel, size, sizeof *self->others, error);
      return self->others != NULL;
    }
  self->order = sym_kernel_get_scratch (self->kernel, size, sizeof *self->order, error);
  if (self->order == NULL)
    return FALSE;
  self->buffer = sym_kernel_get_scratch (self->kernel, size, sizeof *self->buffer, error);
  return self->buffer != NULL;
}

static gboolean
sort_rows (Top *self, GError **error)
{
  if (!make_room (self, error))
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

#define TOP(version_, attributes_, slots_)                                                        \
  {                                                                                               \
    SYM_OP_ONNX ("TopK", version_),                                                               \
        .summary = "the greatest or least elements along an axis, and where they are",            \
        .category = SYM_CATEGORY_POOLING, .attributes = attributes_, .slots = slots_,             \
        .get_n_outputs = get_two, .output_names = top_outputs, .infer = infer_top, .run = run_top \
  }

const SymOperator sym_op_onnx_top[] = {
  TOP (1, top_1, top_slots_1),
  TOP (10, top_10, top_slots_10),
  TOP (11, top_11, top_slots_10),
  { 0 },
};
