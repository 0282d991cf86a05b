/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

/* Parts of tensors: Slice, StridedSlice, Reverse and Roll. */

#define MAX_VALUES 64

/* What becomes of an axis of the data, in the order of these: the part that stays, and whether the
 * axis goes then.  New axes of size 1 lie between. */
typedef struct {
  gint64 start, stop, step;
  gboolean has_start, has_stop, shrinks;
} Part;

typedef struct {
  Part parts[SYM_MAX_RANK]; /* of each axis of the data */
  int n;
  gboolean is_new[SYM_MAX_RANK]; /* of each axis of the result */
  int rank;                      /* of the result */
} Parts;

/* ---- StridedSlice ---- */

typedef struct {
  gint64 begin, end, ellipsis, new_axis, shrink;
} Masks;

static Masks
read_masks (const SymAttributes *attributes)
{
  return (Masks){ sym_attributes_get_int (attributes, "begin_mask", 0),
                  sym_attributes_get_int (attributes, "end_mask", 0),
                  sym_attributes_get_int (attributes, "ellipsis_mask", 0),
                  sym_attributes_get_int (attributes, "new_axis_mask", 0),
                  sym_attributes_get_int (attributes, "shrink_axis_mask", 0) };
}

static gboolean
has_bit (gint64 mask, int i)
{
  return (mask >> i & 1) != 0;
}

static gboolean
add_axis (Parts *self, gboolean is_new, const Part *part, int rank, GError **error)
{
  if ((!is_new && self->n >= rank) || self->rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "a tensor of %d axes has not so many to slice", rank);
  if (!is_new)
    self->parts[self->n++] = *part;
  if (is_new || !part->shrinks)
    self->is_new[self->rank++] = is_new;
  return TRUE;
}

/* How many axes the ellipsis stands for: what the others, new ones aside, leave of @rank. */
static int
count_hidden (const Masks *masks, int n, int rank, int ellipsis)
{
  int n_told = 0;

  for (int i = 0; i < n; i++)
    n_told += i != ellipsis && !has_bit (masks->new_axis, i) ? 1 : 0;
  return MAX (rank - n_told, 0);
}

/* @n entries of begin, end and strides, the last two NULL where only ranks matter.  A bit of the
 * new axes counts before one that shrinks; axes that are not told of stay whole. */
static gboolean
sort_out (const Masks *masks,
          const gint64 *begin,
          const gint64 *end,
          const gint64 *strides,
          int n,
          int rank,
          Parts *parts,
          GError **error)
{
  const Part whole = { .step = 1 };
  int ellipsis = -1;

  *parts = (Parts){ .n = 0 };
  for (int i = 0; i < n && ellipsis < 0; i++)
    ellipsis = has_bit (masks->ellipsis, i) ? i : -1;
  for (int i = 0; i < n; i++)
    {
      gboolean is_new = has_bit (masks->new_axis, i);
      Part part = { begin == NULL ? 0 : begin[i],     end == NULL ? 0 : end[i],
                    strides == NULL ? 1 : strides[i], !has_bit (masks->begin, i),
                    !has_bit (masks->end, i),         has_bit (masks->shrink, i) };

      if (i == ellipsis)
        {
          for (int k = count_hidden (masks, n, rank, ellipsis); k > 0; k--)
            if (!add_axis (parts, FALSE, &whole, rank, error))
              return FALSE;
          continue;
        }
      if (part.step == 0)
        return sym_rule_fail (error, "stride %d is 0", i);
      part.start = CLAMP (part.start, -G_MAXINT32, G_MAXINT32);
      if (part.shrinks)
        part = (Part){ part.start, part.start + 1, 1, TRUE, part.start != -1, TRUE };
      if (!add_axis (parts, is_new, &part, rank, error))
        return FALSE;
    }
  while (parts->n < rank)
    if (!add_axis (parts, FALSE, &whole, rank, error))
      return FALSE;
  return TRUE;
}

static SymDim
get_size (SymTerms *terms, const Part *part, SymDim size)
{
  if (!part->has_start && !part->has_stop && (part->step == 1 || part->step == -1))
    return size;
  return sym_op_slice_size (terms, size, part->has_start, part->start, part->has_stop, part->stop,
                            part->step);
}

/* Small values along the one axis of the data. */
static void
slice_values (SymRule *rule, const Part *part)
{
  SymDim dims[MAX_VALUES], picked[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, dims, MAX_VALUES), n_picked = 0;
  gboolean plain = n >= 0;
  gint64 size, start;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, dims, MAX_VALUES);
  if (n < 0 || n > MAX_VALUES || sym_rule_get_output (rule, 0).rank > 1)
    return;
  size = part->shrinks ? 1 : get_size (sym_rule_get_terms (rule), part, n);
  start = !part->has_start ? (part->step < 0 ? n - 1 : 0)
                           : CLAMP (part->start < 0 ? part->start + n : part->start, 0,
                                    part->step < 0 ? n - 1 : n);
  for (gint64 i = 0; i < size; i++)
    {
      gint64 place = start + i * part->step;

      if (place < 0 || place >= n)
        return;
      picked[n_picked++] = dims[place];
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, picked, n_picked);
  else
    sym_rule_set_output_values (rule, 0, picked, n_picked);
}

static gboolean
tell_parts (SymRule *rule, const SymShape *from, const Parts *parts, gboolean known, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape to = { .rank = parts->rank };
  int axis = 0;

  for (int i = 0; i < to.rank; i++)
    {
      to.dims[i] = 1;
      if (parts->is_new[i])
        continue;
      while (parts->parts[axis].shrinks)
        axis++;
      if (known)
        to.dims[i] = get_size (terms, &parts->parts[axis], from->dims[axis]);
      else
        to.dims[i] = !parts->parts[axis].has_start && !parts->parts[axis].has_stop
                         ? from->dims[axis]
                         : SYM_DIM_UNKNOWN;
      axis++;
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer_strided (SymRule *rule, GError **error)
{
  Masks masks = read_masks (sym_rule_get_attributes (rule));
  SymShape from = sym_rule_get_input (rule, 0), list = sym_rule_get_input (rule, 1);
  gint64 lists[3][SYM_MAX_RANK];
  gboolean known = TRUE;
  Parts parts;
  int n = -1;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (list.rank == 1 && list.dims[0] >= 0)
    n = (int) MIN (list.dims[0], SYM_MAX_RANK + 1);
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d axes can be sliced", SYM_MAX_RANK);
  for (guint i = 0; i < 3; i++)
    known &= n >= 0 && sym_rule_get_input_ints (rule, i + 1, lists[i], SYM_MAX_RANK) == n;
  if (from.rank < 0 || n < 0)
    return TRUE;
  if (!sort_out (&masks, known ? lists[0] : NULL, known ? lists[1] : NULL, known ? lists[2] : NULL,
                 n, from.rank, &parts, error) ||
      !tell_parts (rule, &from, &parts, known, error))
    return FALSE;
  if (known && from.rank == 1)
    slice_values (rule, &parts.parts[0]);
  return TRUE;
}

static gboolean
changes_axes (const Parts *parts)
{
  for (int i = 0; i < parts->rank; i++)
    if (parts->is_new[i])
      return TRUE;
  return parts->rank != parts->n;
}

/* One Slice for all axes that are not whole, and one Reshape for those that come and go. */
static void
lower_parts (SymOpLower *self, const Parts *parts)
{
  const SymShape *from = sym_op_lower_get_input_shape (self, 0);
  gint64 lists[4][SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);
  SymShape shape;
  int n = 0;

  for (int i = 0; i < parts->n; i++)
    {
      const Part *part = &parts->parts[i];
      gint64 size = from->dims[i];

      if (part->shrinks && (part->start < -size || part->start >= size))
        sym_op_lower_fail (self, "%s: there is no place %" G_GINT64_FORMAT " along axis %d",
                           sym_op_lower_get_type (self), part->start, i);
      if (!part->has_start && !part->has_stop && part->step == 1)
        continue;
      lists[0][n] = part->has_start ? part->start : part->step < 0 ? G_MAXINT64 : 0;
      lists[1][n] = part->has_stop ? part->stop : part->step < 0 ? G_MININT64 : G_MAXINT64;
      lists[2][n] = i;
      lists[3][n++] = part->step;
    }
  if (n > 0)
    x = sym_op_lower_call (
        self, "Slice",
        SYM_IDS (x, sym_op_lower_ints (self, lists[0], n), sym_op_lower_ints (self, lists[1], n),
                 sym_op_lower_ints (self, lists[2], n), sym_op_lower_ints (self, lists[3], n)),
        NULL);
  if (!sym_op_tf_need_shape (self, 0, &shape))
    return;
  if (changes_axes (parts))
    x = sym_op_lower_reshape (self, x, &shape);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_strided (SymOpLower *self)
{
  Masks masks = read_masks (sym_layer_get_attributes (sym_op_lower_get_layer (self)));
  gint64 lists[3][SYM_MAX_RANK];
  g_autoptr (GError) error = NULL;
  Parts parts;
  int n[3];

  for (guint i = 0; i < 3; i++)
    if ((n[i] = sym_op_lower_read_ints (self, i + 1, lists[i], SYM_MAX_RANK)) < 0)
      return;
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (n[0] != n[1] || n[0] != n[2])
    sym_op_lower_fail (self, "StridedSlice: %d begins, %d ends and %d strides do not fit", n[0],
                       n[1], n[2]);
  else if (!sort_out (&masks, lists[0], lists[1], lists[2], n[0],
                      sym_op_lower_get_input_shape (self, 0)->rank, &parts, &error))
    sym_op_lower_fail (self, "StridedSlice: %s", error->message);
  else
    lower_parts (self, &parts);
}

/* ---- Slice ---- */

/* A size of -1 takes what is left. */
static gboolean
sort_out_sizes (const gint64 *begin,
                const gint64 *size,
                int n,
                int rank,
                Parts *parts,
                GError **error)
{
  *parts = (Parts){ .n = n, .rank = n };
  if (n != rank)
    return sym_rule_fail (error, "%d sizes do not fit to a tensor of %d axes", n, rank);
  for (int i = 0; i < n; i++)
    {
      if (begin[i] < 0 || begin[i] > G_MAXINT32 || size[i] < -1 || size[i] > G_MAXINT32)
        return sym_rule_fail (
            error, "%" G_GINT64_FORMAT " elements from %" G_GINT64_FORMAT " on make no sense",
            size[i], begin[i]);
      parts->parts[i] =
          (Part){ begin[i], begin[i] + size[i], 1, begin[i] != 0, size[i] >= 0, FALSE };
    }
  return TRUE;
}

static gboolean
infer_slice (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to;
  gint64 begin[SYM_MAX_RANK], size[SYM_MAX_RANK];
  int n = sym_rule_get_input_ints (rule, 1, begin, SYM_MAX_RANK);
  int n_size = sym_rule_get_input_ints (rule, 2, size, SYM_MAX_RANK), open;
  Parts parts;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  /* Any of its sizes may be -1, where of a shape only one may. */
  if (n_size >= 0 && n_size <= SYM_MAX_RANK)
    {
      to = sym_shape_new_unknown (n_size);
      for (int i = 0; i < n_size; i++)
        to.dims[i] = size[i] < 0 ? SYM_DIM_UNKNOWN : size[i];
    }
  else if (!sym_op_tf_get_sizes (rule, 2, &to, &open, error))
    return FALSE;
  if (from.rank >= 0 && n >= 0 && n == n_size)
    {
      if (!sort_out_sizes (begin, size, n, from.rank, &parts, error) ||
          !tell_parts (rule, &from, &parts, TRUE, error))
        return FALSE;
      if (from.rank == 1)
        slice_values (rule, &parts.parts[0]);
      return TRUE;
    }
  if (to.rank < 0 && from.rank >= 0)
    to = sym_shape_new_unknown (from.rank);
  return sym_rule_set_output (rule, 0, &to, error);
}

static void
lower_slice (SymOpLower *self)
{
  const SymShape *from = sym_op_lower_get_input_shape (self, 0);
  gint64 begin[SYM_MAX_RANK], size[SYM_MAX_RANK];
  int n = sym_op_lower_read_ints (self, 1, begin, SYM_MAX_RANK);
  g_autoptr (GError) error = NULL;
  Parts parts;

  if (n < 0 || sym_op_lower_read_ints (self, 2, size, SYM_MAX_RANK) != n)
    {
      sym_op_lower_fail (self, "Slice: begin and size do not fit together");
      return;
    }
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!sort_out_sizes (begin, size, n, from->rank, &parts, &error))
    sym_op_lower_fail (self, "Slice: %s", error->message);
  for (int i = 0; i < n && error == NULL; i++)
    if (begin[i] + MAX (size[i], 0) > from->dims[i])
      sym_op_lower_fail (self, "Slice: axis %d of size %" G_GINT64_FORMAT " does not reach so far",
                         i, from->dims[i]);
  if (!sym_op_lower_has_failed (self))
    lower_parts (self, &parts);
}

/* ---- Reverse ---- */

static SymId
turn_axis (SymOpLower *self, SymId x, int axis)
{
  return sym_op_lower_slice (self, x, axis, G_MAXINT64, G_MININT64, -1);
}

/* A truth for each axis, which need not be known. */
static void
lower_reverse_where (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  const SymShape *truths = sym_op_lower_get_input_shape (self, 1);
  SymId x = sym_op_lower_input (self, 0);

  if (truths->rank != 1 || truths->dims[0] != shape->rank)
    {
      sym_op_lower_fail (self, "%s: there must be a truth for each of %d axes",
                         sym_op_lower_get_type (self), shape->rank);
      return;
    }
  for (int i = 0; i < shape->rank; i++)
    {
      SymId truth = sym_op_lower_slice (self, sym_op_lower_input (self, 1), 0, i, i + 1, 1);

      truth = sym_op_lower_reshape (self, truth, &SYM_SHAPE ());
      x = sym_op_lower_call (self, "Where", SYM_IDS (truth, turn_axis (self, x, i), x), NULL);
    }
  sym_op_lower_set_output (self, 0, x);
}

/* The axes, or a truth for each. */
static void
lower_reverse (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n, axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_dtype (self, 1) == SYM_DTYPE_BOOL)
    {
      lower_reverse_where (self);
      return;
    }
  n = sym_op_lower_read_ints (self, 1, axes, SYM_MAX_RANK);
  for (int i = 0; i < n; i++)
    if (sym_op_lower_find_axis (self, axes[i], shape->rank, &axis))
      x = turn_axis (self, x, axis);
  sym_op_lower_set_output (self, 0, x);
}

static gboolean
infer_reverse (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Roll ---- */

static void
lower_roll (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  gint64 shifts[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  int n, axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  n = sym_op_lower_read_ints (self, 1, shifts, SYM_MAX_RANK);
  if (sym_op_lower_read_ints (self, 2, axes, SYM_MAX_RANK) != n)
    sym_op_lower_fail (self, "%s: there must be an axis for each of %d shifts",
                       sym_op_lower_get_type (self), n);
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    if (sym_op_lower_find_axis (self, axes[i], shape->rank, &axis))
      x = sym_op_lower_roll (self, x, axis, shape->dims[axis], shifts[i]);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Tables ---- */

static const SymAttributeSpec strided_attributes[] = {
  { "begin_mask", SYM_ATTRIBUTE_INT, "0", "bit by bit: begin does not count" },
  { "end_mask", SYM_ATTRIBUTE_INT, "0", "bit by bit: end does not count" },
  { "ellipsis_mask", SYM_ATTRIBUTE_INT, "0", "the bit that stands for all axes between" },
  { "new_axis_mask", SYM_ATTRIBUTE_INT, "0", "bit by bit: a new axis of size 1" },
  { "shrink_axis_mask", SYM_ATTRIBUTE_INT, "0", "bit by bit: one element, and the axis goes" },
  { NULL },
};

static const SymSlotSpec strided_slots[] = {
  { "input" }, { "begin" }, { "end" }, { "strides" }, { NULL },
};

static const SymSlotSpec slice_slots[] = { { "input" }, { "begin" }, { "size" }, { NULL } };
static const SymSlotSpec reverse_slots[] = { { "tensor" }, { "axis" }, { NULL } };
static const SymSlotSpec roll_slots[] = { { "input" }, { "shift" }, { "axis" }, { NULL } };

const SymOperator sym_op_tf_slice[] = {
  { SYM_OP_TF ("ReverseV2"), .aliases = "Reverse", .summary = "backwards along some axes",
    .category = SYM_CATEGORY_SHAPE, .slots = reverse_slots, .infer = infer_reverse,
    .lower = lower_reverse },
  { SYM_OP_TF ("Roll"), .summary = "moved along axes, from the end to the beginning",
    .category = SYM_CATEGORY_SHAPE, .slots = roll_slots, .infer = infer_reverse,
    .lower = lower_roll },
  { SYM_OP_TF ("Slice"), .summary = "a part of a tensor, by its begin and size",
    .category = SYM_CATEGORY_SHAPE, .slots = slice_slots, .infer = infer_slice,
    .lower = lower_slice },
  { SYM_OP_TF ("StridedSlice"), .summary = "a part of a tensor, as Python slices",
    .category = SYM_CATEGORY_SHAPE, .attributes = strided_attributes, .slots = strided_slots,
    .infer = infer_strided, .lower = lower_strided },
  { NULL },
};
