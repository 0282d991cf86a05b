/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Elements by indices of several axes, and by masks. */

static int
get_rank (SymOpLower *self, guint i)
{
  return sym_op_lower_get_input_shape (self, i)->rank;
}

static SymId
get_index (SymOpLower *self, guint i)
{
  return sym_op_aten_input_as (self, i, SYM_DTYPE_INT64);
}

/* ---- index, index_put ---- */

/* x[i, :, j]: operands from @first on are the indices of the first axes, empty ones for whole axes.
 * @order is the axes that are indexed, then the others; the result of the indices stands before the
 * others, or in their place when they lie side by side. */
typedef struct {
  SymOpLower *lower;
  guint first;
  int rank;    /* of what is indexed */
  int n;       /* indices */
  int place;   /* the first axis of the result that comes of them */
  int n_broad; /* rank of what the indices broadcast to */
  gint64 order[SYM_MAX_RANK];
  SymId indices; /* [broad..., n] */
} Indexing;

static gboolean
order_axes (Indexing *self)
{
  int n_given = (int) sym_op_lower_get_n_inputs (self->lower) - (int) self->first;
  gboolean is_split = FALSE;
  int last = -1, k = 0;

  self->n = 0;
  self->place = 0;
  for (int i = 0; i < self->rank && i < n_given; i++)
    if (sym_op_lower_has_input (self->lower, self->first + (guint) i))
      {
        is_split = is_split || (last >= 0 && last != i - 1);
        if (last < 0)
          self->place = i;
        last = i;
        self->order[k++] = i;
        self->n++;
      }
  if (is_split)
    self->place = 0;
  for (int i = 0; i < self->rank; i++)
    if (i >= n_given || !sym_op_lower_has_input (self->lower, self->first + (guint) i))
      self->order[k++] = i;
  if (n_given <= self->rank && self->n > 0)
    return TRUE;
  sym_op_lower_fail (self->lower, "%s: %d indices for rank %d", sym_op_lower_get_type (self->lower),
                     n_given, self->rank);
  return FALSE;
}

/* All indices broadcast to one shape, and laid along a new last axis. */
static void
join_indices (Indexing *self)
{
  SymOpLower *lower = self->lower;
  SymId parts[SYM_MAX_RANK], all = SYM_NO_ID;

  self->n_broad = 0;
  for (int i = 0; i < self->n; i++)
    {
      guint slot = self->first + (guint) self->order[i];

      self->n_broad = MAX (self->n_broad, get_rank (lower, slot));
      parts[i] = get_index (lower, slot);
      all = all == SYM_NO_ID ? parts[i] : sym_op_lower_binary (lower, "Add", all, parts[i]);
    }
  for (int i = 0; i < self->n; i++)
    {
      if (self->n > 1)
        parts[i] = sym_op_lower_binary (lower, "Expand", parts[i], sym_op_aten_shape (lower, all));
      parts[i] = sym_op_aten_unsqueeze (lower, parts[i], self->n_broad);
    }
  self->indices = sym_op_aten_lay (lower, parts, (guint) self->n, self->n_broad);
}

/* A mask counts as the places where it is true, along one axis. */
static gboolean
has_mask (const Indexing *self)
{
  for (guint i = self->first; i < sym_op_lower_get_n_inputs (self->lower); i++)
    {
      SymDType dtype = sym_op_lower_get_input_dtype (self->lower, i);

      if (dtype == SYM_DTYPE_BOOL || dtype == SYM_DTYPE_UINT8)
        return TRUE;
    }
  return FALSE;
}

/* Only masks at the front, and alone: x[mask]. */
static gboolean
get_only_mask (const Indexing *self, guint *slot)
{
  guint n = 0;

  for (guint i = self->first; i < sym_op_lower_get_n_inputs (self->lower); i++)
    if (sym_op_lower_has_input (self->lower, i))
      {
        *slot = i;
        n++;
      }
  return n == 1 && *slot == self->first;
}

static void
begin_indexing (Indexing *self, SymOpLower *lower, guint first)
{
  self->lower = lower;
  self->first = first;
  self->rank = get_rank (lower, 0);
  self->n_broad = 0;
  self->indices = SYM_NO_ID;
}

/* x[mask]: rows of [elements of the mask..., rest] where it is true. */
static void
lower_masked (Indexing *self)
{
  SymOpLower *lower = self->lower;
  guint slot = 0;
  SymId places;

  if (!get_only_mask (self, &slot) || sym_op_lower_get_input_dtype (lower, slot) != SYM_DTYPE_BOOL)
    {
      sym_op_lower_refuse (lower, "%s: masks beside other indices are not lowered",
                           sym_op_lower_get_type (lower));
      return;
    }
  places = sym_op_lower_unary (lower, "NonZero", sym_op_lower_input (lower, slot));
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (
          lower, "GatherND",
          SYM_IDS (sym_op_lower_input (lower, 0), sym_op_lower_transpose (lower, places, 2, 1, 0)),
          NULL));
}

/* The axes that come of the indices go to their place. */
static SymId
place_result (const Indexing *self, SymId x, gboolean back)
{
  gint64 axes[2 * SYM_MAX_RANK], turned[2 * SYM_MAX_RANK];
  int n_rest = self->rank - self->n, k = 0;

  if (self->place == 0)
    return x;
  for (int i = 0; i < self->place; i++)
    axes[k++] = self->n_broad + i;
  for (int i = 0; i < self->n_broad; i++)
    axes[k++] = i;
  for (int i = self->place; i < n_rest; i++)
    axes[k++] = self->n_broad + i;
  for (int i = 0; i < k; i++)
    turned[axes[i]] = i;
  return sym_op_lower_permute (self->lower, x, back ? turned : axes, k);
}

static gboolean
check_result_rank (const Indexing *self)
{
  if (self->n_broad + self->rank - self->n <= SYM_MAX_RANK)
    return TRUE;
  sym_op_lower_refuse (self->lower, "%s: the result would have more than %d axes",
                       sym_op_lower_get_type (self->lower), SYM_MAX_RANK);
  return FALSE;
}

static void
lower_index (SymOpLower *lower)
{
  Indexing self;
  SymId x;

  if (!sym_op_lower_need_tensor (lower, 0))
    return;
  begin_indexing (&self, lower, 1);
  if (has_mask (&self))
    {
      lower_masked (&self);
      return;
    }
  if (!order_axes (&self))
    return;
  if (self.n == 1)
    {
      sym_op_lower_set_output (
          lower, 0,
          sym_op_lower_call (
              lower, "Gather",
              SYM_IDS (sym_op_lower_input (lower, 0), get_index (lower, 1 + (guint) self.order[0])),
              "axis", sym_value_new_int (self.order[0]), NULL));
      return;
    }
  join_indices (&self);
  if (!check_result_rank (&self))
    return;
  x = sym_op_lower_permute (lower, sym_op_lower_input (lower, 0), self.order, self.rank);
  x = sym_op_lower_binary (lower, "GatherND", x, self.indices);
  sym_op_lower_set_output (lower, 0, place_result (&self, x, FALSE));
}

/* [size of the indices..., size of the other axes...] */
static SymId
get_update_shape (const Indexing *self, SymId turned)
{
  SymOpLower *lower = self->lower;
  SymId parts[2];

  parts[0] =
      sym_op_lower_slice (lower, sym_op_aten_shape (lower, self->indices), 0, 0, self->n_broad, 1);
  parts[1] =
      sym_op_lower_slice (lower, sym_op_aten_shape (lower, turned), 0, self->n, G_MAXINT64, 1);
  return sym_op_aten_lay (lower, parts, 2, 0);
}

/* Values as they broadcast to what the indices pick, in the order that ScatterND has. */
static SymId
order_values (const Indexing *self, SymId values, SymId shape)
{
  SymOpLower *lower = self->lower;

  if (self->place == 0)
    return sym_op_lower_binary (lower, "Expand", values, shape);
  {
    gint64 axes[2 * SYM_MAX_RANK];
    int n_rest = self->rank - self->n, k = 0;

    for (int i = 0; i < self->place; i++)
      axes[k++] = self->n_broad + i;
    for (int i = 0; i < self->n_broad; i++)
      axes[k++] = i;
    for (int i = self->place; i < n_rest; i++)
      axes[k++] = self->n_broad + i;
    shape = sym_op_lower_binary (lower, "Gather", shape, sym_op_lower_ints (lower, axes, k));
  }
  return place_result (self, sym_op_lower_binary (lower, "Expand", values, shape), TRUE);
}

/* A mask is a choice by elements where one number is put; else its places are what is indexed. */
static void
put_masked (Indexing *self)
{
  SymOpLower *lower = self->lower;
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  SymId x = sym_op_lower_input (lower, 0), mask, places, shape, values;
  int mask_rank;
  guint slot = 0;

  if (!get_only_mask (self, &slot) ||
      sym_op_lower_get_input_dtype (lower, slot) != SYM_DTYPE_BOOL ||
      sym_op_lower_get_bool (lower, "accumulate", FALSE))
    {
      sym_op_lower_refuse (lower, "%s: masks beside other indices are not lowered",
                           sym_op_lower_get_type (lower));
      return;
    }
  mask = sym_op_lower_input (lower, slot);
  mask_rank = get_rank (lower, slot);
  values = sym_op_aten_input_as (lower, 1, dtype);
  places = sym_op_lower_transpose (lower, sym_op_lower_unary (lower, "NonZero", mask), 2, 1, 0);
  {
    SymId parts[2];

    parts[0] = sym_op_lower_slice (lower, sym_op_aten_shape (lower, places), 0, 0, 1, 1);
    parts[1] =
        sym_op_lower_slice (lower, sym_op_aten_shape (lower, x), 0, mask_rank, G_MAXINT64, 1);
    shape = sym_op_aten_lay (lower, parts, 2, 0);
  }
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (lower, "ScatterND",
                         SYM_IDS (x, places, sym_op_lower_binary (lower, "Expand", values, shape)),
                         NULL));
}

/* Operands: self, values, indices... */
static void
lower_index_put (SymOpLower *lower)
{
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  gboolean adds = sym_op_lower_get_bool (lower, "accumulate", FALSE);
  gint64 back[SYM_MAX_RANK];
  Indexing self;
  SymId x, y;

  if (!sym_op_lower_need_tensor (lower, 0) || !sym_op_lower_need_tensor (lower, 1))
    return;
  begin_indexing (&self, lower, 2);
  if (has_mask (&self))
    {
      put_masked (&self);
      return;
    }
  if (!order_axes (&self))
    return;
  join_indices (&self);
  if (!check_result_rank (&self))
    return;
  for (int i = 0; i < self.rank; i++)
    back[self.order[i]] = i;
  x = sym_op_lower_permute (lower, sym_op_lower_input (lower, 0), self.order, self.rank);
  y = order_values (&self, sym_op_aten_input_as (lower, 1, dtype), get_update_shape (&self, x));
  x = sym_op_lower_call (lower, "ScatterND", SYM_IDS (x, self.indices, y), "reduction",
                         sym_value_new_string (adds ? "add" : "none"), NULL);
  sym_op_lower_set_output (lower, 0, sym_op_lower_permute (lower, x, back, self.rank));
}

/* ---- Masks ---- */

/* One row for each element that is not 0. */
static void
lower_nonzero (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_transpose (
            self, sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0)), 2, 1, 0));
}

static void
lower_masked_select (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), mask = sym_op_aten_input_as (self, 1, SYM_DTYPE_BOOL);
  gint64 all = -1;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  x = sym_op_lower_binary (self, "Expand", x, sym_op_aten_shape (self, mask));
  mask = sym_op_lower_binary (self, "Expand", mask, sym_op_aten_shape (self, x));
  mask = sym_op_lower_binary (self, "Reshape", mask, sym_op_lower_ints (self, &all, 1));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Compress", x, mask));
}

/* What the mask marks becomes the next element of the source each time. */
static void
lower_masked_scatter (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 all = -1, zero = 0;
  SymId x = sym_op_lower_input (self, 0), flat, mask, place, source;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  flat = sym_op_lower_ints (self, &all, 1);
  mask = sym_op_lower_binary (self, "Expand", sym_op_aten_input_as (self, 1, SYM_DTYPE_BOOL),
                              sym_op_aten_shape (self, x));
  place =
      sym_op_lower_cast (self, sym_op_lower_binary (self, "Reshape", mask, flat), SYM_DTYPE_INT64);
  place = sym_op_lower_call (self, "CumSum", SYM_IDS (place, sym_op_lower_ints (self, &zero, 1)),
                             "exclusive", sym_value_new_int (1), NULL);
  place = sym_op_lower_binary (self, "Reshape", place, sym_op_aten_shape (self, x));
  /* Places behind the last one that is marked may lie beyond the source. */
  place = sym_op_lower_call (
      self, "Where", SYM_IDS (mask, place, sym_op_aten_number (self, SYM_DTYPE_INT64, 0)), NULL);
  source = sym_op_lower_binary (self, "Reshape", sym_op_aten_input_as (self, 2, dtype), flat);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (mask, sym_op_lower_binary (self, "Gather", source, place), x),
                         NULL));
}

static const SymSlotSpec index_slots[] = { { "self" }, { "indices" }, { NULL } };
static const SymSlotSpec put_slots[] = { { "self" }, { "values" }, { "indices" }, { NULL } };
static const SymSlotSpec mask_slots[] = { { "self" }, { "mask" }, { NULL } };
static const SymSlotSpec masked_slots[] = { { "self" }, { "mask" }, { "source" }, { NULL } };

static const SymAttributeSpec put_attributes[] = {
  { "accumulate", SYM_ATTRIBUTE_BOOL, "False", "whether values are added" },
  { NULL },
};

#define INDEX_(name_, aliases_, summary_, category_, attributes_, slots_, count_, lower_)     \
  {                                                                                           \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,             \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_##category_, \
                 .attributes = attributes_, .slots = slots_, .get_n_operands = count_,        \
                 .infer = sym_op_infer_lowered, .lower = lower_,                              \
  }

#define INDEX(name_, aliases_, summary_, attributes_, slots_, lower_) \
  INDEX_ (name_, aliases_, summary_, SHAPE, attributes_, slots_, NULL, lower_)

const SymOperator sym_op_aten_index[] = {
  INDEX_ ("index.Tensor",
          "aten.index.Tensor_hacked_twin aten._unsafe_index.Tensor",
          "Elements by indices of several axes",
          SHAPE,
          NULL,
          index_slots,
          sym_op_aten_any_number,
          lower_index),
  INDEX_ ("index_put",
          "aten.index_put_ aten._unsafe_index_put aten.index_put.hacked_twin "
          "aten._index_put_impl_",
          "Puts elements to places of several axes",
          SHAPE,
          put_attributes,
          put_slots,
          sym_op_aten_any_number,
          lower_index_put),
  INDEX ("nonzero", NULL, "Where elements are not 0", NULL, sym_op_aten_self, lower_nonzero),
  INDEX ("masked_select",
         NULL,
         "Elements where a mask is true",
         NULL,
         mask_slots,
         lower_masked_select),
  INDEX ("masked_scatter",
         "aten.masked_scatter_",
         "Elements of a source where a mask is true",
         NULL,
         masked_slots,
         lower_masked_scatter),
  { NULL },
};
