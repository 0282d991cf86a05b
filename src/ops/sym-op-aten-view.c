/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* The same elements in another shape or order. */

static int
get_rank (SymOpLower *self)
{
  return sym_op_lower_get_input_shape (self, 0)->rank;
}

static void
finish (SymOpLower *self, SymId x)
{
  sym_op_lower_set_output (self, 0, x);
}

/* ---- view, reshape ---- */

static const char *
get_sizes_name (const SymAttributes *attributes)
{
  return sym_attributes_find (attributes, "size") != NULL ? "size" : "shape";
}

static gboolean
infer_view (SymRule *rule, GError **error)
{
  SymShape target = { .rank = -1 };
  int open;

  target.rank = sym_op_aten_get_sizes (rule, get_sizes_name (sym_rule_get_attributes (rule)),
                                       target.dims, &open);
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (target.rank < 0)
    return sym_rule_fail (error, "the sizes must be at most %d numbers, one of which may be -1",
                          SYM_MAX_RANK);
  return sym_op_reshape (rule, target, open, error);
}

/* With a size of 0, ONNX takes no -1: what is left over is nothing, then. */
static void
lower_view (SymOpLower *self)
{
  const char *name = get_sizes_name (sym_op_aten_attributes (self));
  SymId sizes = sym_op_aten_sizes (self, name, -1);

  if (sym_op_lower_need_tensor (self, 0))
    finish (self, sym_op_lower_call (self, "Reshape", SYM_IDS (sym_op_lower_input (self, 0), sizes),
                                     "allowzero", sym_value_new_int (1), NULL));
}

static void
lower_view_as (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    finish (self,
            sym_op_lower_call (self, "Reshape",
                               SYM_IDS (sym_op_lower_input (self, 0),
                                        sym_op_aten_shape (self, sym_op_lower_input (self, 1))),
                               "allowzero", sym_value_new_int (1), NULL));
}

/* Axes [first, last] in place of which are @sizes. */
static void
replace_axes (SymOpLower *self, int first, int last, SymId sizes)
{
  SymId x = sym_op_lower_input (self, 0), shape = sym_op_aten_shape (self, x), parts[3];
  guint n = 0;

  if (first > 0)
    parts[n++] = sym_op_lower_slice (self, shape, 0, 0, first, 1);
  parts[n++] = sizes;
  if (last < get_rank (self) - 1)
    parts[n++] = sym_op_lower_slice (self, shape, 0, last + 1, G_MAXINT64, 1);
  finish (self,
          sym_op_lower_call (self, "Reshape", SYM_IDS (x, sym_op_aten_lay (self, parts, n, 0)),
                             "allowzero", sym_value_new_int (1), NULL));
}

static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  return sym_op_infer_flatten (rule, 0, error);
}

static void
lower_flatten (SymOpLower *self)
{
  gint64 all = -1, zero = 0;
  SymId sizes;
  int first, last;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (get_rank (self) == 0)
    {
      finish (self, sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, 0),
                                         sym_op_lower_ints (self, &all, 1)));
      return;
    }
  if (!sym_op_aten_get_axis (self, "start_dim", 0, get_rank (self), &first) ||
      !sym_op_aten_get_axis (self, "end_dim", -1, get_rank (self), &last))
    return;
  sizes = sym_op_lower_slice (self, sym_op_aten_shape (self, sym_op_lower_input (self, 0)), 0,
                              first, last + 1, 1);
  replace_axes (self, first, last, sym_op_lower_reduce (self, "ReduceProd", sizes, &zero, 1, TRUE));
}

static void
lower_unflatten (SymOpLower *self)
{
  int axis;

  if (sym_op_lower_need_tensor (self, 0) &&
      sym_op_aten_get_axis (self, "dim", 0, get_rank (self), &axis))
    replace_axes (self, axis, axis, sym_op_aten_sizes (self, "sizes", -1));
}

/* ---- Axes of size 1 ---- */

static void
lower_unsqueeze (SymOpLower *self)
{
  int axis;

  if (sym_op_lower_need_tensor (self, 0) &&
      sym_op_aten_get_axis (self, "dim", 0, get_rank (self) + 1, &axis))
    finish (self, sym_op_aten_unsqueeze (self, sym_op_lower_input (self, 0), axis));
}

/* Of the axes that are listed, or of all, those of size 1 go. */
static void
lower_squeeze (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 axes[SYM_MAX_RANK], size;
  int n, n_left = 0;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axes (self, "dim", shape->rank, axes, &n))
    return;
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_aten_need_size (self, 0, (int) axes[i], &size))
        return;
      if (size == 1)
        axes[n_left++] = axes[i];
    }
  finish (self, n_left == 0 ? sym_op_lower_input (self, 0)
                            : sym_op_lower_binary (self, "Squeeze", sym_op_lower_input (self, 0),
                                                   sym_op_lower_ints (self, axes, n_left)));
}

/* ---- Orders ---- */

static gboolean
infer_permute (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0), output = input;
  gboolean seen[SYM_MAX_RANK] = { FALSE };
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "dims", axes, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (input.rank < 0)
    return TRUE;
  if (n != input.rank)
    return sym_rule_fail (error, "%d dims for rank %d", n, input.rank);
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (axes[i], n, &axis, error))
        return FALSE;
      if (seen[axis])
        return sym_rule_fail (error, "axis %d is listed twice", axis);
      seen[axis] = TRUE;
      output.dims[i] = input.dims[axis];
    }
  return sym_rule_set_output (rule, 0, &output, error);
}

static void
lower_permute (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axes (self, "dims", get_rank (self), axes, &n))
    return;
  if (n != get_rank (self))
    sym_op_lower_fail (self, "%s: %d dims for rank %d", sym_op_lower_get_type (self), n,
                       get_rank (self));
  finish (self, sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, n));
}

/* Of t() the axes are the only two, of numpy_T() all turn round. */
static void
lower_transpose (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean named = sym_op_aten_has (self, "axis0");
  gboolean is_last = strstr (type, "mT") != NULL || strstr (type, "adjoint") != NULL;
  int rank = get_rank (self), a = 0, b = 0;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  for (int i = 0; i < rank; i++)
    axes[i] = i;
  if (rank > 1 &&
      (!sym_op_aten_get_axis (self, named ? "axis0" : "dim0", is_last ? -2 : 0, rank, &a) ||
       !sym_op_aten_get_axis (self, named ? "axis1" : "dim1", is_last ? -1 : 1, rank, &b)))
    return;
  axes[a] = b;
  axes[b] = a;
  finish (self, rank < 2 ? sym_op_lower_input (self, 0)
                         : sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

static void
lower_reverse_axes (SymOpLower *self)
{
  int rank = get_rank (self);
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    axes[i] = rank - 1 - i;
  if (sym_op_lower_need_tensor (self, 0))
    finish (self, sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

/* Axes "source" go to places "destination"; the others keep their order. */
static void
lower_move_axes (SymOpLower *self)
{
  int rank = get_rank (self), n, n_to, next = 0;
  gint64 from[SYM_MAX_RANK], to[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  gboolean moved[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axes (self, "source", rank, from, &n) ||
      !sym_op_aten_get_axes (self, "destination", rank, to, &n_to))
    return;
  if (n != n_to)
    {
      sym_op_lower_fail (self, "%s: %d axes go to %d places", sym_op_lower_get_type (self), n,
                         n_to);
      return;
    }
  for (int i = 0; i < rank; i++)
    axes[i] = -1;
  for (int i = 0; i < n; i++)
    {
      moved[from[i]] = TRUE;
      axes[to[i]] = from[i];
    }
  for (int i = 0; i < rank; i++)
    {
      while (next < rank && moved[next])
        next++;
      if (axes[i] < 0 && next < rank)
        axes[i] = next++;
    }
  finish (self, sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

/* ---- Repetition ---- */

/* -1 leaves a size alone, as ONNX does with 1. */
static void
lower_expand (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    finish (self, sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                       sym_op_aten_sizes (self, "size", 1)));
}

static void
lower_expand_as (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    finish (self, sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                       sym_op_aten_shape (self, sym_op_lower_input (self, 1))));
}

static guint
count_list (SymOpLower *self, const char *name)
{
  const SymValue *list = sym_attributes_find (sym_op_aten_attributes (self), name);

  return list == NULL ? 0 : sym_value_get_n_children (list);
}

/* repeat and tile: of shorter lists the first axes are repeated once, of longer ones the tensor
 * gets more axes. */
static void
lower_repeat (SymOpLower *self)
{
  const char *name = sym_op_aten_has (self, "repeats") ? "repeats" : "dims";
  guint n = count_list (self, name);
  gint64 ones[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0), times, parts[2];
  int rank = get_rank (self);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  for (int i = 0; i < SYM_MAX_RANK; i++)
    ones[i] = i;
  times = n == 0 ? sym_op_lower_ints (self, ones, 0) : sym_op_aten_sizes (self, name, 0);
  if ((int) n > rank)
    x = sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, ones, (int) n - rank));
  for (int i = 0; i < SYM_MAX_RANK; i++)
    ones[i] = 1;
  if ((int) n < rank)
    {
      parts[0] = sym_op_lower_ints (self, ones, rank - (int) n);
      parts[1] = times;
      times = n == 0 ? parts[0] : sym_op_aten_lay (self, parts, 2, 0);
    }
  finish (self, sym_op_lower_binary (self, "Tile", x, times));
}

/* ---- Casts ---- */

static gboolean
infer_cast (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_n_inputs (rule) > 1 ? sym_rule_get_input_dtype (rule, 1)
                                                    : sym_rule_get_input_dtype (rule, 0);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", dtype), error);
}

static void
lower_cast (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, sym_op_lower_has_input (self, 1) ? 1 : 0);

  if (sym_op_lower_need_tensor (self, 0))
    finish (self, sym_op_aten_input_as (self, 0, sym_op_lower_get_dtype (self, "dtype", dtype)));
}

/* In place of what was there: the numbers of the second in the first's dtype and shape. */
static void
lower_copy (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    finish (self, sym_op_lower_binary (
                      self, "Expand",
                      sym_op_aten_input_as (self, 1, sym_op_lower_get_input_dtype (self, 0)),
                      sym_op_aten_shape (self, sym_op_lower_input (self, 0))));
}

static const SymSlotSpec copy_slots[] = { { "self" }, { "src" }, { NULL } };

static const SymAttributeSpec size_attributes[] = {
  { "size", SYM_ATTRIBUTE_ANY, NULL, "the sizes; -1 for what is left over" },
  { NULL },
};

static const SymAttributeSpec expand_attributes[] = {
  { "size", SYM_ATTRIBUTE_ANY, NULL, "the sizes; -1 for what stays" },
  { NULL },
};

static const SymAttributeSpec repeat_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_ANY, NULL, "how often, for each axis" },
  { NULL },
};

static const SymAttributeSpec flatten_attributes[] = {
  { "start_dim", SYM_ATTRIBUTE_INT, "0", "first axis" },
  { "end_dim", SYM_ATTRIBUTE_INT, "-1", "last axis" },
  { NULL },
};

static const SymAttributeSpec unflatten_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "sizes", SYM_ATTRIBUTE_ANY, NULL, "what it becomes" },
  { NULL },
};

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_ANY, "None", "the axes" },
  { NULL },
};

static const SymAttributeSpec permute_attributes[] = {
  { "dims", SYM_ATTRIBUTE_INTS, NULL, "the old axes in their new order" },
  { NULL },
};

static const SymAttributeSpec transpose_attributes[] = {
  { "dim0", SYM_ATTRIBUTE_INT, "0", "one axis" },
  { "dim1", SYM_ATTRIBUTE_INT, "1", "the other" },
  { NULL },
};

static const SymAttributeSpec move_attributes[] = {
  { "source", SYM_ATTRIBUTE_INTS, NULL, "the axes that move" },
  { "destination", SYM_ATTRIBUTE_INTS, NULL, "where they go" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

#define VIEW(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                   \
  {                                                                                            \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,              \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE,        \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_view[] = {
  VIEW ("view",
        "aten.reshape aten._unsafe_view aten.view_copy aten._reshape_alias "
        "aten._reshape_alias_copy aten._reshape_copy",
        "The same elements in another shape",
        size_attributes,
        sym_op_aten_self,
        infer_view,
        lower_view),
  VIEW ("view_as",
        "aten.reshape_as",
        "The shape of another tensor",
        NULL,
        sym_op_aten_pair,
        sym_op_infer_lowered,
        lower_view_as),
  VIEW ("flatten.using_ints",
        NULL,
        "Makes one axis of several",
        flatten_attributes,
        sym_op_aten_self,
        infer_flatten,
        lower_flatten),
  VIEW ("unflatten.int",
        NULL,
        "Makes several axes of one",
        unflatten_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_unflatten),
  VIEW ("unsqueeze",
        "aten.unsqueeze_ aten.unsqueeze_copy",
        "Puts in an axis of size 1",
        dim_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_unsqueeze),
  VIEW ("squeeze.dims",
        "aten.squeeze aten.squeeze.dim aten.squeeze_copy.dims aten.squeeze_copy.dim "
        "aten.squeeze_.dim",
        "Takes axes of size 1 out",
        dim_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_squeeze),
  VIEW ("permute",
        "aten.permute_copy",
        "Puts axes in another order",
        permute_attributes,
        sym_op_aten_self,
        infer_permute,
        lower_permute),
  VIEW ("transpose.int",
        "aten.t aten.transpose_copy.int aten.t_copy aten.swapaxes aten.swapdims aten.mT "
        "aten.adjoint",
        "Exchanges two axes",
        transpose_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_transpose),
  VIEW ("numpy_T",
        NULL,
        "Turns the order of axes round",
        NULL,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_reverse_axes),
  VIEW ("movedim.intlist",
        "aten.movedim.int aten.moveaxis.intlist aten.moveaxis.int",
        "Moves axes",
        move_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_move_axes),
  VIEW ("expand",
        "aten.broadcast_to aten.expand_copy",
        "Repeats along axes of size 1",
        expand_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_expand),
  VIEW ("expand_as",
        NULL,
        "Repeats up to another tensor's shape",
        NULL,
        sym_op_aten_pair,
        sym_op_infer_lowered,
        lower_expand_as),
  VIEW ("repeat",
        "aten.tile",
        "Lays copies one after the other",
        repeat_attributes,
        sym_op_aten_self,
        sym_op_infer_lowered,
        lower_repeat),
  VIEW ("_to_copy",
        "aten.to.dtype aten.to.device aten.to.dtype_layout aten.to.other aten.type_as "
        "aten.to.prim_Device aten.to.prim_dtype",
        "Converts elements",
        cast_attributes,
        sym_op_aten_pair,
        infer_cast,
        lower_cast),
  VIEW ("copy",
        "aten.copy_",
        "The numbers of another tensor",
        NULL,
        copy_slots,
        sym_op_infer_lowered,
        lower_copy),
  { NULL },
};
