/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Parts of tensors. */

static int
get_rank (SymOpLower *self)
{
  return sym_op_lower_get_input_shape (self, 0)->rank;
}

static gboolean
get_axis (SymOpLower *self, int *axis)
{
  const char *name = sym_op_aten_has (self, "dimension") ? "dimension" : "dim";

  return sym_op_lower_need_tensor (self, 0) &&
         sym_op_aten_get_axis (self, name, 0, get_rank (self), axis);
}

/* int64 [1] of an attribute, perhaps computed. */
static SymId
get_place (SymOpLower *self, const char *name, gint64 fallback)
{
  SymId place = sym_op_aten_int (self, name);

  return place != SYM_NO_ID ? place : sym_op_lower_ints (self, &fallback, 1);
}

static SymId
slice (SymOpLower *self, SymId x, int axis, SymId start, SymId stop, SymId step)
{
  gint64 along = axis;

  return sym_op_lower_call (
      self, "Slice", SYM_IDS (x, start, stop, sym_op_lower_ints (self, &along, 1), step), NULL);
}

/* [start, start + length) */
static SymId
take_range (SymOpLower *self, int axis, gint64 start, gint64 length)
{
  return sym_op_lower_slice (self, sym_op_lower_input (self, 0), axis, start, start + length, 1);
}

static void
lower_slice (SymOpLower *self)
{
  int axis;

  if (get_axis (self, &axis))
    sym_op_lower_set_output (
        self, 0,
        slice (self, sym_op_lower_input (self, 0), axis, get_place (self, "start", 0),
               get_place (self, "end", G_MAXINT64), get_place (self, "step", 1)));
}

static void
lower_narrow (SymOpLower *self)
{
  SymId start, length;
  int axis;

  if (!get_axis (self, &axis))
    return;
  start = get_place (self, "start", 0);
  length = get_place (self, "length", 0);
  sym_op_lower_set_output (self, 0,
                           slice (self, sym_op_lower_input (self, 0), axis, start,
                                  sym_op_lower_binary (self, "Add", start, length),
                                  sym_op_lower_ints (self, (gint64[]){ 1 }, 1)));
}

static void
lower_select (SymOpLower *self)
{
  SymId index;
  int axis;

  if (!get_axis (self, &axis))
    return;
  index = sym_op_aten_squeeze (self, get_place (self, "index", 0), 0);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gather",
                                              SYM_IDS (sym_op_lower_input (self, 0), index), "axis",
                                              sym_value_new_int (axis), NULL));
}

/* ---- Lists of parts ---- */

/* Parts of one size, the last one perhaps of less: split, chunk. */
static void
split_evenly (SymOpLower *self, int axis, gint64 size)
{
  gint64 start = 0;

  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++, start += size)
    sym_op_lower_set_output (self, i, take_range (self, axis, start, size));
}

static gboolean
check_parts (SymOpLower *self, gint64 n)
{
  if (n >= 1 && n <= G_MAXINT32)
    return TRUE;
  sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " is no size or number of parts",
                     sym_op_lower_get_type (self), n);
  return FALSE;
}

static void
lower_split (SymOpLower *self)
{
  gint64 size = sym_op_lower_get_int (self, "split_size", 0);
  int axis;

  if (get_axis (self, &axis) && check_parts (self, size))
    split_evenly (self, axis, size);
}

static void
lower_chunk (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "chunks", 0), size;
  int axis;

  if (get_axis (self, &axis) && check_parts (self, n) &&
      sym_op_aten_need_size (self, 0, axis, &size))
    split_evenly (self, axis, MAX ((size + n - 1) / n, 1));
}

static gint64
get_part (const SymAttributes *attributes, const char *name, guint i)
{
  const SymValue *list = sym_attributes_find (attributes, name);
  gint64 number = -1;

  if (list == NULL || i >= sym_value_get_n_children (list) ||
      !sym_value_get_int (sym_value_get_child (list, i), &number) ||
      sym_value_get_kind (sym_value_get_child (list, i)) == SYM_VALUE_OPERAND ||
      number > G_MAXINT64 / 2)
    return -1;
  return number;
}

static void
lower_split_sizes (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_aten_attributes (self);
  const char *name = sym_op_aten_has (self, "split_sizes") ? "split_sizes" : "split_size";
  gint64 start = 0;
  int axis;

  if (!get_axis (self, &axis))
    return;
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      gint64 size = get_part (attributes, name, i);

      if (size < 0 || start > G_MAXINT64 / 2)
        {
          sym_op_lower_refuse (self, "%s: the size of part %u is computed or missing",
                               sym_op_lower_get_type (self), i);
          return;
        }
      sym_op_lower_set_output (self, i, take_range (self, axis, start, size));
      start += size;
    }
}

/* tensor_split.sections: the first parts are one longer where it does not divide. */
static void
lower_sections (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "sections", 0), size, start = 0;
  int axis;

  if (!get_axis (self, &axis) || !check_parts (self, n) ||
      !sym_op_aten_need_size (self, 0, axis, &size))
    return;
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      gint64 length = size / n + (i < size % n ? 1 : 0);

      sym_op_lower_set_output (self, i, take_range (self, axis, start, length));
      start += length;
    }
}

static void
lower_unbind (SymOpLower *self)
{
  int axis;

  if (!get_axis (self, &axis))
    return;
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_call (self, "Gather",
                           SYM_IDS (sym_op_lower_input (self, 0),
                                    sym_op_lower_number (self, SYM_DTYPE_INT64, (double) i)),
                           "axis", sym_value_new_int (axis), NULL));
}

/* ---- Orders of elements ---- */

static void
lower_flip (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);
  int n;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axes (self, "dims", get_rank (self), axes, &n))
    return;
  for (int i = 0; i < n && sym_op_lower_get_ints (self, "dims", NULL, 0) > 0; i++)
    x = sym_op_lower_slice (self, x, (int) axes[i], -1, G_MININT64, -1);
  sym_op_lower_set_output (self, 0, x);
}

/* The input as one row, and how many elements it has; FALSE, refused, when that is not known. */
static gboolean
flatten (SymOpLower *self, SymId *x, gint64 *size)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  guint64 n;

  if (!sym_shape_is_known (shape) || !sym_shape_get_n_elements (shape, &n) || n > G_MAXINT64)
    {
      sym_op_lower_refuse (self, "%s: without axes it needs a known shape",
                           sym_op_lower_get_type (self));
      return FALSE;
    }
  *size = (gint64) n;
  *x = sym_op_lower_reshape (self, *x, &SYM_SHAPE (*size));
  return TRUE;
}

/* Without axes all elements are one row. */
static void
lower_flat_roll (SymOpLower *self, gint64 shift)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  gint64 size;

  if (!flatten (self, &x, &size))
    return;
  x = sym_op_lower_roll (self, x, 0, size, shift);
  sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, x, shape));
}

static void
lower_roll (SymOpLower *self)
{
  gint64 shifts[SYM_MAX_RANK], axes[SYM_MAX_RANK], size;
  SymId x = sym_op_lower_input (self, 0);
  int n = sym_op_lower_get_ints (self, "shifts", shifts, SYM_MAX_RANK), n_axes;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axes (self, "dims", get_rank (self), axes, &n_axes))
    return;
  if (sym_op_lower_get_ints (self, "dims", NULL, 0) < 1 && n == 1)
    {
      lower_flat_roll (self, shifts[0]);
      return;
    }
  if (sym_op_lower_get_ints (self, "dims", NULL, 0) < 1 || n != n_axes)
    {
      sym_op_lower_refuse (self, "%s: it needs an axis for each shift",
                           sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_aten_need_size (self, 0, (int) axes[i], &size))
        return;
      x = sym_op_lower_roll (self, x, (int) axes[i], size, shifts[i]);
    }
  sym_op_lower_set_output (self, 0, x);
}

#define MAX_REPEATED (1 << 24)

/* Each place of @size, @times times. */
static SymId
make_places (SymOpLower *self, gint64 size, gint64 times)
{
  g_autofree gint64 *places = NULL;

  if (times < 0 || (times > 0 && size > MAX_REPEATED / times))
    {
      sym_op_lower_refuse (
          self, "%s: %" G_GINT64_FORMAT " repeats of %" G_GINT64_FORMAT " elements are not lowered",
          sym_op_lower_get_type (self), times, size);
      return SYM_NO_ID;
    }
  places = g_new (gint64, size * times + 1);
  for (gint64 i = 0; i < size * times; i++)
    places[i] = i / times;
  return sym_op_lower_ints (self, places, (int) (size * times));
}

/* Each element several times in a row; without an axis all elements are one. */
static void
lower_repeat_interleave (SymOpLower *self)
{
  gint64 times = sym_op_lower_get_int (self, "repeats", -1), size;
  SymId x = sym_op_lower_input (self, 0), places;
  int axis = 0;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_aten_has (self, "dim")
          ? !get_axis (self, &axis) || !sym_op_aten_need_size (self, 0, axis, &size)
          : !flatten (self, &x, &size))
    return;
  places = make_places (self, size, times);
  if (places != SYM_NO_ID)
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "Gather", SYM_IDS (x, places), "axis",
                                                sym_value_new_int (axis), NULL));
}

/* Windows of @size elements, @step apart, become a last axis. */
static void
lower_unfold (SymOpLower *self)
{
  gint64 size = sym_op_lower_get_int (self, "size", 0);
  gint64 step = sym_op_lower_get_int (self, "step", 1), n, axes[SYM_MAX_RANK];
  int axis, rank = get_rank (self), k = 0;
  SymId index, first, y;

  if (!get_axis (self, &axis) || !sym_op_aten_need_size (self, 0, axis, &n))
    return;
  if (size < 0 || step < 1 || size > n || rank >= SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "%s: windows of %" G_GINT64_FORMAT " do not fit into axis %d",
                         sym_op_lower_get_type (self), size, axis);
      return;
    }
  first = sym_op_lower_binary (self, "Mul", sym_op_lower_count (self, (n - size) / step + 1),
                               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) step));
  index = sym_op_lower_binary (self, "Add", sym_op_aten_unsqueeze (self, first, 1),
                               sym_op_lower_count (self, size));
  y = sym_op_lower_call (self, "Gather", SYM_IDS (sym_op_lower_input (self, 0), index), "axis",
                         sym_value_new_int (axis), NULL);
  for (int i = 0; i <= rank; i++)
    if (i != axis + 1)
      axes[k++] = i;
  axes[k] = axis + 1;
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, y, axes, rank + 1));
}

/* ---- Diagonals ---- */

/* Elements [i, i + offset] of two axes become the last axis. */
static void
lower_diagonal (SymOpLower *self)
{
  gint64 offset = sym_op_lower_get_int (self, "offset", 0), rows, columns, n, axes[SYM_MAX_RANK];
  int rank = get_rank (self), first, second, k = 0;
  gint64 sizes[2];
  SymId x = sym_op_lower_input (self, 0), index;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axis (self, "dim1", 0, rank, &first) ||
      !sym_op_aten_get_axis (self, "dim2", 1, rank, &second) ||
      !sym_op_aten_need_size (self, 0, first, &rows) ||
      !sym_op_aten_need_size (self, 0, second, &columns))
    return;
  if (first == second || offset < -G_MAXINT32 || offset > G_MAXINT32)
    {
      sym_op_lower_fail (self, "%s: axes %d and %d have no diagonal %" G_GINT64_FORMAT,
                         sym_op_lower_get_type (self), first, second, offset);
      return;
    }
  n = MAX (MIN (rows + MIN (offset, 0), columns - MAX (offset, 0)), 0);
  for (int i = 0; i < rank; i++)
    if (i != first && i != second)
      axes[k++] = i;
  axes[k] = first;
  axes[k + 1] = second;
  x = sym_op_lower_permute (self, x, axes, rank);
  sizes[0] = rows * columns;
  index = sym_op_lower_binary (self, "Mul", sym_op_lower_count (self, n),
                               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) columns + 1));
  index = sym_op_lower_binary (
      self, "Add", index,
      sym_op_lower_number (self, SYM_DTYPE_INT64,
                           (double) (MAX (offset, 0) - MIN (offset, 0) * columns)));
  {
    SymId shape = sym_op_aten_shape (self, x), parts[2];

    parts[0] = sym_op_lower_slice (self, shape, 0, 0, rank - 2, 1);
    parts[1] = sym_op_lower_ints (self, sizes, 1);
    x = sym_op_lower_binary (self, "Reshape", x, sym_op_aten_lay (self, parts, 2, 0));
  }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gather", SYM_IDS (x, index), "axis",
                                              sym_value_new_int (rank - 2), NULL));
}

static void
lower_triangle (SymOpLower *self)
{
  gboolean is_upper = strstr (sym_op_lower_get_type (self), "triu") != NULL;
  gint64 k = sym_op_lower_get_int (self, "diagonal", 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "Trilu",
                           SYM_IDS (sym_op_lower_input (self, 0),
                                    sym_op_lower_number (self, SYM_DTYPE_INT64, (double) k)),
                           "upper", sym_value_new_int (is_upper), NULL));
}

static const SymAttributeSpec slice_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { "start", SYM_ATTRIBUTE_ANY, "None", "the first element" },
  { "end", SYM_ATTRIBUTE_ANY, "None", "the element behind the last" },
  { "step", SYM_ATTRIBUTE_ANY, "1", "how far it is to the next" },
  { NULL },
};

static const SymAttributeSpec narrow_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "start", SYM_ATTRIBUTE_ANY, NULL, "the first element" },
  { "length", SYM_ATTRIBUTE_ANY, NULL, "how many elements" },
  { NULL },
};

static const SymAttributeSpec select_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "index", SYM_ATTRIBUTE_ANY, NULL, "the element" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "split_size", SYM_ATTRIBUTE_ANY, NULL, "size of a part, or of each part" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec sizes_attributes[] = {
  { "split_sizes", SYM_ATTRIBUTE_ANY, NULL, "size of each part" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec chunk_attributes[] = {
  { "chunks", SYM_ATTRIBUTE_INT, NULL, "how many parts" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec section_attributes[] = {
  { "sections", SYM_ATTRIBUTE_INT, NULL, "how many parts" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec dims_attributes[] = {
  { "dims", SYM_ATTRIBUTE_INTS, NULL, "the axes" },
  { NULL },
};

static const SymAttributeSpec interleave_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_INT, NULL, "how often" },
  { "dim", SYM_ATTRIBUTE_INT, "None", "the axis" },
  { "output_size", SYM_ATTRIBUTE_INT, "None", "how many there are then" },
  { NULL },
};

static const SymAttributeSpec roll_attributes[] = {
  { "shifts", SYM_ATTRIBUTE_INTS, NULL, "how far, for each axis" },
  { "dims", SYM_ATTRIBUTE_INTS, "None", "the axes" },
  { NULL },
};

static const SymAttributeSpec unfold_attributes[] = {
  { "dimension", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "size", SYM_ATTRIBUTE_INT, NULL, "size of a window" },
  { "step", SYM_ATTRIBUTE_INT, NULL, "how far it is to the next" },
  { NULL },
};

static const SymAttributeSpec diagonal_attributes[] = {
  { "offset", SYM_ATTRIBUTE_INT, "0", "how far above the main diagonal" },
  { "dim1", SYM_ATTRIBUTE_INT, "0", "axis of the rows" },
  { "dim2", SYM_ATTRIBUTE_INT, "1", "axis of the columns" },
  { NULL },
};

static const SymAttributeSpec triangle_attributes[] = {
  { "diagonal", SYM_ATTRIBUTE_INT, "0", "how far above the main diagonal" },
  { NULL },
};

#define PART(name_, aliases_, summary_, attributes_, lower_)                            \
  {                                                                                     \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,       \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE, \
                 .attributes = attributes_, .slots = sym_op_aten_self,                  \
                 .infer = sym_op_infer_lowered, .lower = lower_,                        \
  }

#define PARTS(name_, aliases_, summary_, attributes_, lower_)                             \
  {                                                                                       \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,         \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE,   \
                 .attributes = attributes_, .slots = sym_op_aten_self,                    \
                 .get_n_outputs = sym_op_aten_any_outputs, .infer = sym_op_infer_lowered, \
                 .lower = lower_,                                                         \
  }

const SymOperator sym_op_aten_slice[] = {
  PART ("slice.Tensor",
        "aten.slice_copy.Tensor",
        "A range of an axis",
        slice_attributes,
        lower_slice),
  PART ("narrow", "aten.narrow_copy", "A range of an axis", narrow_attributes, lower_narrow),
  PART ("select.int",
        "aten.select_copy.int",
        "One element of an axis",
        select_attributes,
        lower_select),
  PART ("flip", NULL, "The last element first", dims_attributes, lower_flip),
  PART ("roll", NULL, "Moves elements round an axis", roll_attributes, lower_roll),
  PART ("repeat_interleave.self_int",
        NULL,
        "Repeats each element along an axis",
        interleave_attributes,
        lower_repeat_interleave),
  PART ("unfold", "aten.unfold_copy", "Windows along an axis", unfold_attributes, lower_unfold),
  PART ("diagonal",
        "aten.diagonal_copy",
        "Elements of a diagonal",
        diagonal_attributes,
        lower_diagonal),
  PART ("tril",
        "aten.tril_ aten.triu aten.triu_",
        "A triangle of a matrix, the rest 0",
        triangle_attributes,
        lower_triangle),
  PARTS ("split.Tensor",
         "aten.unsafe_split.Tensor aten.split_copy.Tensor",
         "Parts of one size",
         split_attributes,
         lower_split),
  PARTS ("split_with_sizes",
         "aten.split.sizes aten.split aten.split_with_sizes_copy aten.unsafe_split_with_sizes",
         "Parts of given sizes",
         sizes_attributes,
         lower_split_sizes),
  PARTS ("chunk", "aten.unsafe_chunk", "Several parts", chunk_attributes, lower_chunk),
  PARTS ("tensor_split.sections",
         NULL,
         "Parts that differ by at most one",
         section_attributes,
         lower_sections),
  PARTS ("unbind.int",
         "aten.unbind_copy.int",
         "All elements of an axis",
         dim_attributes,
         lower_unbind),
  { NULL },
};
