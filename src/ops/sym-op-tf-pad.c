/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Edges, repetitions, and space moved into batch or channels. */

static gboolean
check_pairs (const gint64 *pairs, int n, GError **error)
{
  for (int i = 0; i < 2 * n; i++)
    if (pairs[i] < 0 || pairs[i] > G_MAXINT32)
      return sym_rule_fail (error, "%" G_GINT64_FORMAT " is no number of elements", pairs[i]);
  return TRUE;
}

/* Operand @i as @n pairs; FALSE, and an error of the body, when it is something else. */
static gboolean
read_pairs (SymOpLower *self, guint i, int n, gint64 *pairs)
{
  int given = sym_op_lower_read_ints (self, i, pairs, 2 * SYM_MAX_RANK);
  g_autoptr (GError) error = NULL;

  if (given >= 0 && given != 2 * n)
    sym_op_lower_fail (self, "%s: %d numbers do not fit to %d axes", sym_op_lower_get_type (self),
                       given, n);
  else if (given >= 0 && !check_pairs (pairs, n, &error))
    sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self), error->message);
  return !sym_op_lower_has_failed (self);
}

/* ---- Pad ---- */

static gboolean
infer_pad (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape shape = sym_rule_get_input (rule, 0), list = sym_rule_get_input (rule, 1);
  gint64 pairs[2 * SYM_MAX_RANK];
  gboolean known;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (shape.rank < 0 && list.rank == 2 && list.dims[0] >= 0 && list.dims[0] <= SYM_MAX_RANK)
    shape = sym_shape_new_unknown ((int) list.dims[0]);
  if (shape.rank < 0)
    return TRUE;
  if (!sym_op_tf_get_pairs (rule, 1, shape.rank, pairs, &known, error) ||
      (known && !check_pairs (pairs, shape.rank, error)))
    return FALSE;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = known ? sym_terms_add (terms, shape.dims[i], pairs[2 * i] + pairs[2 * i + 1])
                          : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &shape, error);
}

static SymId
pad (SymOpLower *self, SymId x, const gint64 *pairs, int n, const char *mode, SymId value)
{
  gint64 pads[2 * SYM_MAX_RANK];

  for (int i = 0; i < n; i++)
    {
      pads[i] = pairs[2 * i];
      pads[i + n] = pairs[2 * i + 1];
    }
  return sym_op_lower_call (self, "Pad", SYM_IDS (x, sym_op_lower_ints (self, pads, 2 * n), value),
                            "mode", sym_value_new_string (mode), NULL);
}

static void
lower_pad (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 pairs[2 * SYM_MAX_RANK];
  SymId value = SYM_NO_ID;

  if (!sym_op_lower_need_tensor (self, 0) || !read_pairs (self, 1, shape->rank, pairs))
    return;
  if (sym_op_lower_has_input (self, 2))
    value = sym_op_lower_cast_from (self, sym_op_lower_input (self, 2),
                                    sym_op_lower_get_input_dtype (self, 2),
                                    sym_op_lower_get_input_dtype (self, 0));
  sym_op_lower_set_output (
      self, 0, pad (self, sym_op_lower_input (self, 0), pairs, shape->rank, "constant", value));
}

/* What is added at one end of an axis, the edge itself among it, read backwards. */
static SymId
reflect (SymOpLower *self, SymId x, int axis, gint64 size, gint64 n, gboolean at_end)
{
  gint64 start = at_end ? size - 1 : n - 1;

  return sym_op_lower_slice (self, x, axis, start, start - n < 0 ? G_MININT64 : start - n, -1);
}

static SymId
pad_symmetric (SymOpLower *self, SymId x, const SymShape *shape, const gint64 *pairs)
{
  for (int i = 0; i < shape->rank; i++)
    {
      SymId parts[3];
      guint n = 0;

      if (pairs[2 * i] > shape->dims[i] || pairs[2 * i + 1] > shape->dims[i])
        sym_op_lower_fail (self, "MirrorPad: axis %d has not so many elements", i);
      if (pairs[2 * i] == 0 && pairs[2 * i + 1] == 0)
        continue;
      if (pairs[2 * i] > 0)
        parts[n++] = reflect (self, x, i, shape->dims[i], pairs[2 * i], FALSE);
      parts[n++] = x;
      if (pairs[2 * i + 1] > 0)
        parts[n++] = reflect (self, x, i, shape->dims[i], pairs[2 * i + 1], TRUE);
      x = sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis", sym_value_new_int (i),
                             NULL);
    }
  return x;
}

static void
lower_mirror (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  gint64 pairs[2 * SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0) || !read_pairs (self, 1, shape->rank, pairs))
    return;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_has_string (self, "mode", "SYMMETRIC")
                               ? pad_symmetric (self, x, shape, pairs)
                               : pad (self, x, pairs, shape->rank, "reflect", SYM_NO_ID));
}

/* ---- Tile ---- */

static gboolean
infer_tile (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape shape = sym_rule_get_input (rule, 0), times;
  int open;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_tf_get_sizes (rule, 1, &times, &open, error))
    return FALSE;
  if (shape.rank < 0 && times.rank < 0)
    return TRUE;
  if (shape.rank < 0 || times.rank < 0)
    {
      shape = sym_shape_new_unknown (MAX (shape.rank, times.rank));
      return sym_rule_set_output (rule, 0, &shape, error);
    }
  if (times.rank != shape.rank)
    return sym_rule_fail (error, "%d multiples for %d axes", times.rank, shape.rank);
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = sym_terms_multiply (terms, shape.dims[i], times.dims[i]);
  return sym_rule_set_output (rule, 0, &shape, error);
}

static void
lower_tile (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                  sym_op_tf_int64 (self, 1)));
}

/* ---- Space and batch ---- */

/* The block and the pairs of @n axes after the batch, and what they make of @shape. */
typedef struct {
  gint64 block[SYM_MAX_RANK], pairs[2 * SYM_MAX_RANK];
  int n;
} Blocks;

static gboolean
check_blocks (const Blocks *self, GError **error)
{
  for (int i = 0; i < self->n; i++)
    if (self->block[i] < 1 || self->block[i] > G_MAXINT32)
      return sym_rule_fail (error, "a block of %" G_GINT64_FORMAT " makes no sense",
                            self->block[i]);
  return check_pairs (self->pairs, self->n, error);
}

static gboolean
infer_blocks (SymRule *rule, GError **error)
{
  gboolean to_batch = strncmp (sym_rule_get_type (rule), "Space", 5) == 0, known;
  SymShape shape = sym_rule_get_input (rule, 0);
  SymTerms *terms = sym_rule_get_terms (rule);
  Blocks blocks;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  blocks.n = sym_rule_get_input_ints (rule, 1, blocks.block, SYM_MAX_RANK);
  if (shape.rank < 0)
    return TRUE;
  if (blocks.n >= shape.rank)
    return sym_rule_fail (error, "a block of %d axes does not fit to %d", blocks.n, shape.rank);
  known = blocks.n >= 0;
  if (known && !sym_op_tf_get_pairs (rule, 2, blocks.n, blocks.pairs, &known, error))
    return FALSE;
  if (!known)
    {
      shape = sym_shape_new_unknown (shape.rank);
      return sym_rule_set_output (rule, 0, &shape, error);
    }
  if (!check_blocks (&blocks, error))
    return FALSE;
  for (int i = 0; i < blocks.n; i++)
    {
      SymDim *size = &shape.dims[i + 1], around = blocks.pairs[2 * i] + blocks.pairs[2 * i + 1];

      if (to_batch)
        {
          shape.dims[0] = sym_terms_multiply (terms, shape.dims[0], blocks.block[i]);
          *size =
              sym_terms_floor_divide (terms, sym_terms_add (terms, *size, around), blocks.block[i]);
          continue;
        }
      shape.dims[0] = sym_terms_floor_divide (terms, shape.dims[0], blocks.block[i]);
      *size =
          sym_terms_subtract (terms, sym_terms_multiply (terms, *size, blocks.block[i]), around);
    }
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* [block..., batch] become axes of their own, beside those that they came from, and go. */
static SymId
leave_batch (SymOpLower *self, SymId x, const Blocks *blocks, SymShape *shape)
{
  SymShape apart = { .rank = shape->rank + blocks->n }, whole = *shape;
  gint64 axes[SYM_MAX_RANK] = { blocks->n }, n = blocks->n, at = 1;

  for (int i = 0; i < n; i++)
    {
      apart.dims[i] = blocks->block[i];
      whole.dims[0] /= blocks->block[i];
      whole.dims[i + 1] *= blocks->block[i];
    }
  apart.dims[n] = whole.dims[0];
  for (int i = 1; i < shape->rank; i++)
    {
      apart.dims[n + i] = shape->dims[i];
      axes[at++] = n + i;
      if (i <= n)
        axes[at++] = i - 1;
    }
  x = sym_op_lower_permute (self, sym_op_lower_reshape (self, x, &apart), axes, apart.rank);
  x = sym_op_lower_reshape (self, x, &whole);
  for (int i = 0; i < n; i++)
    if (blocks->pairs[2 * i] > 0 || blocks->pairs[2 * i + 1] > 0)
      x = sym_op_lower_slice (self, x, i + 1, blocks->pairs[2 * i],
                              whole.dims[i + 1] - blocks->pairs[2 * i + 1], 1);
  return x;
}

static SymId
enter_batch (SymOpLower *self, SymId x, const Blocks *blocks, SymShape *shape)
{
  gint64 pairs[2 * SYM_MAX_RANK] = { 0 }, axes[SYM_MAX_RANK], n = blocks->n, at = 0;
  SymShape apart = { .rank = shape->rank + blocks->n }, whole = *shape;
  int place = 1;

  memcpy (pairs + 2, blocks->pairs, 2 * (gsize) n * sizeof *pairs);
  apart.dims[0] = shape->dims[0];
  for (int i = 0; i < n; i++)
    {
      gint64 size = shape->dims[i + 1] + pairs[2 * i + 2] + pairs[2 * i + 3];

      if (size % blocks->block[i] != 0)
        sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " is not divisible by %" G_GINT64_FORMAT,
                           sym_op_lower_get_type (self), size, blocks->block[i]);
      whole.dims[0] *= blocks->block[i];
      whole.dims[i + 1] = apart.dims[place++] = size / blocks->block[i];
      apart.dims[place++] = blocks->block[i];
    }
  for (int i = (int) n + 1; i < shape->rank; i++)
    apart.dims[place++] = shape->dims[i];
  for (int i = 0; i < n; i++)
    axes[at++] = 2 * i + 2;
  axes[at++] = 0;
  for (int i = 0; i < n; i++)
    axes[at++] = 2 * i + 1;
  for (int i = (int) (2 * n) + 1; i < apart.rank; i++)
    axes[at++] = i;
  x = pad (self, x, pairs, shape->rank, "constant", SYM_NO_ID);
  x = sym_op_lower_permute (self, sym_op_lower_reshape (self, x, &apart), axes, apart.rank);
  return sym_op_lower_reshape (self, x, &whole);
}

static void
lower_blocks (SymOpLower *self)
{
  gboolean to_batch = strncmp (sym_op_lower_get_type (self), "Space", 5) == 0;
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  g_autoptr (GError) error = NULL;
  Blocks blocks;

  blocks.n = sym_op_lower_read_ints (self, 1, blocks.block, SYM_MAX_RANK);
  if (blocks.n < 0 || !sym_op_lower_need_tensor (self, 0))
    return;
  if (blocks.n >= shape.rank || shape.rank + blocks.n > SYM_MAX_RANK)
    sym_op_lower_fail (self, "%s: a block of %d axes does not fit to %d",
                       sym_op_lower_get_type (self), blocks.n, shape.rank);
  if (sym_op_lower_has_failed (self) || !read_pairs (self, 2, blocks.n, blocks.pairs))
    return;
  if (!check_blocks (&blocks, &error))
    sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self), error->message);
  else
    sym_op_lower_set_output (self, 0,
                             to_batch ? enter_batch (self, x, &blocks, &shape)
                                      : leave_batch (self, x, &blocks, &shape));
}

/* ---- Space and channels ---- */

static gboolean
infer_depth (SymRule *rule, GError **error)
{
  gboolean to_space = strncmp (sym_rule_get_type (rule), "Depth", 5) == 0;
  gboolean is_first = sym_op_tf_is_channels_first (sym_rule_get_attributes (rule));
  gint64 block = sym_rule_get_int (rule, "block_size", 1);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape shape = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (block < 1 || block > G_MAXINT16)
    return sym_rule_fail (error, "a block of %" G_GINT64_FORMAT " makes no sense", block);
  if (shape.rank >= 0 && shape.rank != 4)
    return sym_rule_fail (error, "the data has %d axes, not 4", shape.rank);
  for (int i = 1; i < shape.rank; i++)
    {
      gboolean is_channels = i == (is_first ? 1 : 3);
      gint64 factor = is_channels ? block * block : block;

      shape.dims[i] = is_channels == to_space
                          ? sym_terms_floor_divide (terms, shape.dims[i], factor)
                          : sym_terms_multiply (terms, shape.dims[i], factor);
    }
  return sym_rule_set_output (rule, 0, &shape, error);
}

static void
lower_depth (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  gboolean is_first = sym_op_tf_is_channels_first (attributes);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_input_shape (self, 0)->rank != 4)
    {
      sym_op_lower_fail (self, "%s: the data must have 4 axes", sym_op_lower_get_type (self));
      return;
    }
  if (!is_first)
    x = sym_op_tf_channels_first (self, x, 2);
  x = sym_op_lower_call (self, sym_op_lower_get_type (self), SYM_IDS (x), "blocksize",
                         sym_value_new_int (sym_op_lower_get_int (self, "block_size", 1)), NULL);
  sym_op_lower_set_output (self, 0, is_first ? x : sym_op_tf_channels_last (self, x, 2));
}

/* ---- Tables ---- */

static const SymAttributeSpec mirror_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "REFLECT", "whether the edge itself is repeated",
    "REFLECT SYMMETRIC" },
  { NULL },
};

static const SymAttributeSpec depth_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INT, "1", "how many pixels in each direction" },
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are",
    "NHWC NCHW NCHW_VECT_C" },
  { NULL },
};

static const SymSlotSpec pad_slots[] = { { "input" }, { "paddings" }, { NULL } };
static const SymSlotSpec value_slots[] = {
  { "input" },
  { "paddings" },
  { "constant_values" },
  { NULL },
};
static const SymSlotSpec tile_slots[] = { { "input" }, { "multiples" }, { NULL } };
static const SymSlotSpec batch_slots[] = {
  { "input" },
  { "block_shape" },
  { "paddings" },
  { NULL },
};
static const SymSlotSpec space_slots[] = { { "input" }, { "block_shape" }, { "crops" }, { NULL } };

#define MOVE(name_, summary_, attributes_, slots_, infer_, lower_)                  \
  {                                                                                 \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,         \
                       .attributes = attributes_, .slots = slots_, .infer = infer_, \
                       .lower = lower_                                              \
  }

const SymOperator sym_op_tf_pad[] = {
  MOVE ("BatchToSpaceND",
        "parts of the batch as blocks of pixels",
        NULL,
        space_slots,
        infer_blocks,
        lower_blocks),
  MOVE ("DepthToSpace",
        "channels as blocks of pixels",
        depth_attributes,
        sym_op_tf_one,
        infer_depth,
        lower_depth),
  MOVE ("MirrorPad",
        "edges that mirror the data",
        mirror_attributes,
        pad_slots,
        infer_pad,
        lower_mirror),
  MOVE ("Pad", "zeros around the data", NULL, pad_slots, infer_pad, lower_pad),
  MOVE ("PadV2", "a number around the data", NULL, value_slots, infer_pad, lower_pad),
  MOVE ("SpaceToBatchND",
        "blocks of pixels as parts of the batch",
        NULL,
        batch_slots,
        infer_blocks,
        lower_blocks),
  MOVE ("SpaceToDepth",
        "blocks of pixels as channels",
        depth_attributes,
        sym_op_tf_one,
        infer_depth,
        lower_depth),
  MOVE ("Tile", "the data several times along each axis", NULL, tile_slots, infer_tile, lower_tile),
  { NULL },
};
