/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

#include <string.h>

/* ---- Axes ---- */

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "new_shape", sizes);
  SymId list = n >= 0 && !sym_op_lower_has_input (self, 1) ? sym_op_lower_ints (self, sizes, n)
                                                           : sym_op_tflite_ints (self, 1);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Reshape",
                                              SYM_IDS (sym_op_lower_input (self, 0), list),
                                              "allowzero", sym_value_new_int (1), NULL));
}

static void
lower_transpose (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n, normal;
  gint64 order[SYM_MAX_RANK];

  if (!sym_op_foreign_read (self, "perm", order, &n))
    return;
  if (n != rank)
    sym_op_lower_fail (self, "%s: %d axes for %d", sym_op_lower_get_type (self), n, rank);
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    {
      sym_op_lower_find_axis (self, order[i], rank, &normal);
      order[i] = normal;
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_permute (self, sym_op_lower_input (self, 0), order, n));
}

static void
lower_squeeze (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "squeeze_dims", axes);
  SymId x = sym_op_lower_input (self, 0);

  sym_op_lower_set_output (self, 0,
                           n > 0 ? sym_op_foreign_squeeze (self, x, axes, n)
                                 : sym_op_lower_unary (self, "Squeeze", x));
}

static void
lower_expand (SymOpLower *self)
{
  gint64 one[] = { 1 };

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (
          self, "Unsqueeze", sym_op_lower_input (self, 0),
          sym_op_foreign_reshape (self, sym_op_tflite_ints (self, 1), one, 1, FALSE)));
}

static void
lower_concat (SymOpLower *self)
{
  if (sym_op_tflite_quantized (self))
    return;
  sym_op_tflite_set (self, sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                                                  sym_op_lower_get_int (self, "axis", 0)));
}

static void
lower_unpack (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", 0);

  for (guint i = 0; i < sym_op_lower_get_n_outputs (self) && !sym_op_lower_has_failed (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_call (
            self, "Gather",
            SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_number (self, SYM_DTYPE_INT64, i)),
            "axis", sym_value_new_int (axis), NULL));
}

static void
lower_split (SymOpLower *self)
{
  gint64 axis[SYM_MAX_RANK];
  int n;

  if (sym_op_foreign_read (self, "axis", axis, &n))
    sym_op_foreign_split (self, sym_op_lower_input (self, 1), axis[0], NULL, -1);
}

static void
lower_split_sizes (SymOpLower *self)
{
  gint64 axis[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int n, normal;

  if (!sym_op_foreign_read (self, "axis", axis, &n) ||
      !sym_op_foreign_read (self, "size_splits", sizes, &n) ||
      !sym_op_lower_find_axis (self, axis[0], sym_op_foreign_rank (self, 0), &normal))
    return;
  for (int i = 0; i < n; i++)
    if (sizes[i] < 0)
      {
        gint64 rest = sym_op_foreign_size (self, 0, normal);

        for (int k = 0; k < n; k++)
          rest -= k == i ? 0 : MAX (sizes[k], 0);
        sizes[i] = MAX (rest, 0);
      }
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), normal, sizes, n);
}

/* ---- Parts ---- */

/* A size of -1 is all that is left. */
static void
lower_slice (SymOpLower *self)
{
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK];
  int n, n_sizes;

  if (!sym_op_foreign_read (self, "begin", starts, &n) ||
      !sym_op_foreign_read (self, "size", stops, &n_sizes))
    return;
  if (n != n_sizes)
    sym_op_lower_fail (self, "%s: %d places and %d sizes", sym_op_lower_get_type (self), n,
                       n_sizes);
  for (int i = 0; i < MIN (n, n_sizes); i++)
    stops[i] =
        stops[i] < 0 || starts[i] > G_MAXINT64 - stops[i] ? G_MAXINT64 : starts[i] + stops[i];
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, NULL, NULL, n));
}

/* Bit i of a mask is that of part i. */
static gboolean
is_marked (SymOpLower *self, const char *mask, int i)
{
  return ((guint64) sym_op_lower_get_int (self, mask, 0) >> i & 1) != 0;
}

static void
lower_strided_slice (SymOpLower *self)
{
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK], gone[SYM_MAX_RANK];
  int n, n_stops, n_steps, n_gone = 0;
  SymId y;

  if (!sym_op_foreign_read (self, "begin", starts, &n) ||
      !sym_op_foreign_read (self, "end", stops, &n_stops) ||
      !sym_op_foreign_read (self, "strides", steps, &n_steps))
    return;
  if (n != n_stops || n != n_steps)
    sym_op_lower_fail (self, "%s: begin, end and strides have different lengths",
                       sym_op_lower_get_type (self));
  if (sym_op_lower_get_int (self, "ellipsis_mask", 0) != 0 ||
      sym_op_lower_get_int (self, "new_axis_mask", 0) != 0)
    sym_op_lower_refuse (self, "%s: new axes are not lowered", sym_op_lower_get_type (self));
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    if (is_marked (self, "shrink_axis_mask", i))
      {
        gone[n_gone++] = i;
        stops[i] = starts[i] == -1 || starts[i] == G_MAXINT64 ? G_MAXINT64 : starts[i] + 1;
        steps[i] = 1;
      }
    else
      {
        if (is_marked (self, "begin_mask", i))
          starts[i] = steps[i] < 0 ? -1 : 0;
        if (is_marked (self, "end_mask", i))
          stops[i] = steps[i] < 0 ? G_MININT64 : G_MAXINT64;
      }
  y = sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, NULL, steps, n);
  sym_op_lower_set_output (self, 0,
                           n_gone > 0 ? sym_op_foreign_squeeze (self, y, gone, n_gone) : y);
}

static void
lower_gather (SymOpLower *self)
{
  if (sym_op_lower_get_int (self, "batch_dims", 0) != 0)
    sym_op_lower_refuse (self, "%s: batches of indices are not lowered",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gather",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_tflite_ints (self, 1)),
                         "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", 0)), NULL));
}

static void
lower_gather_nd (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "GatherND", sym_op_lower_input (self, 0),
                                                sym_op_tflite_ints (self, 1)));
}

static void
lower_lookup (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1),
                                                sym_op_tflite_ints (self, 0)));
}

static void
lower_reverse (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n;

  if (!sym_op_foreign_read (self, "axis", axes, &n))
    return;
  for (int i = 0; i < n; i++)
    {
      starts[i] = steps[i] = -1;
      stops[i] = G_MININT64;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, axes, steps, n));
}

/* Pairs, before and after each axis. */
static void
lower_pad (SymOpLower *self)
{
  static const char *const modes[] = { "REFLECT", "SYMMETRIC", NULL };
  gboolean is_mirror = g_str_equal (sym_op_lower_get_type (self), "MIRROR_PAD");
  gint64 flat[] = { -1 };
  SymId pads;

  if (sym_op_tflite_quantized (self))
    return;
  pads = sym_op_lower_transpose (self, sym_op_tflite_ints (self, 1), 2, 1, 0);
  if (is_mirror && sym_op_tflite_get_enum (self, "mode", modes) != 0)
    sym_op_lower_refuse (self, "%s: symmetric pads are not lowered", sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Pad",
                         SYM_IDS (sym_op_lower_input (self, 0),
                                  sym_op_foreign_reshape (self, pads, flat, 1, FALSE),
                                  is_mirror ? SYM_NO_ID : sym_op_lower_input (self, 2)),
                         "mode", sym_value_new_string (is_mirror ? "reflect" : "constant"), NULL));
}

/* ---- Blocks ---- */

/* Channels are last here. */
static void
lower_depth (SymOpLower *self)
{
  gboolean is_deep = g_str_equal (sym_op_lower_get_type (self), "SPACE_TO_DEPTH");
  SymId x = sym_op_foreign_channels_first (self, sym_op_lower_input (self, 0), 4);

  if (sym_op_foreign_rank (self, 0) != 4)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  x = sym_op_foreign_with (self, is_deep ? "SpaceToDepth" : "DepthToSpace", x, "blocksize",
                           sym_op_lower_get_int (self, "block_size", 1));
  sym_op_lower_set_output (self, 0, sym_op_foreign_channels_last (self, x, 4));
}

static gboolean
read_blocks (SymOpLower *self, const char *name, gint64 *block, gint64 *edges)
{
  int n, n_edges;

  if (!sym_op_foreign_read (self, "block_shape", block, &n) ||
      !sym_op_foreign_read (self, name, edges, &n_edges))
    return FALSE;
  for (int i = 0; i < MIN (n_edges, 4); i++)
    edges[i] = CLAMP (edges[i], -G_MAXINT16, G_MAXINT16);
  if (n != 2 || n_edges != 4 || MAX (block[0], block[1]) > G_MAXINT16 ||
      sym_op_foreign_rank (self, 0) != 4 || block[0] < 1 || block[1] < 1)
    sym_op_lower_refuse (self, "%s: other blocks than of images are not lowered",
                         sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

/* [n, h, w, c] to [bh bw n, h / bh, w / bw, c]. */
static void
lower_to_batch (SymOpLower *self)
{
  gint64 block[SYM_MAX_RANK], edges[SYM_MAX_RANK], pads[8] = { 0 }, parts[6], sizes[4], whole[4];
  SymId x = sym_op_lower_input (self, 0);

  if (!read_blocks (self, "paddings", block, edges))
    return;
  for (int i = 0; i < 4; i++)
    whole[i] = sym_op_foreign_size (self, 0, i);
  for (int i = 0; i < 2; i++)
    {
      pads[i + 1] = edges[2 * i];
      pads[i + 5] = edges[2 * i + 1];
      whole[i + 1] += edges[2 * i] + edges[2 * i + 1];
    }
  x = sym_op_lower_binary (self, "Pad", x, sym_op_lower_ints (self, pads, 8));
  parts[0] = whole[0];
  parts[1] = whole[1] / block[0];
  parts[2] = block[0];
  parts[3] = whole[2] / block[1];
  parts[4] = block[1];
  parts[5] = sizes[3] = whole[3];
  sizes[0] = sym_op_foreign_multiply (self, whole[0], block[0] * block[1]);
  sizes[1] = parts[1];
  sizes[2] = parts[3];
  x = sym_op_foreign_reshape (self, x, parts, 6, FALSE);
  x = sym_op_lower_transpose (self, x, 6, 2, 4, 0, 1, 3, 5);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, x, sizes, 4, FALSE));
}

static void
lower_from_batch (SymOpLower *self)
{
  gint64 block[SYM_MAX_RANK], crops[SYM_MAX_RANK], parts[6], sizes[4];
  gint64 starts[2], stops[2], axes[] = { 1, 2 };
  SymId x = sym_op_lower_input (self, 0);

  if (!read_blocks (self, "crops", block, crops))
    return;
  parts[0] = block[0];
  parts[1] = block[1];
  parts[2] = sizes[0] = sym_op_foreign_size (self, 0, 0) / (block[0] * block[1]);
  for (int i = 0; i < 3; i++)
    parts[i + 3] = sym_op_foreign_size (self, 0, i + 1);
  sizes[1] = sym_op_foreign_multiply (self, parts[3], block[0]);
  sizes[2] = sym_op_foreign_multiply (self, parts[4], block[1]);
  sizes[3] = parts[5];
  for (int i = 0; i < 2; i++)
    {
      starts[i] = crops[2 * i];
      stops[i] = sizes[i + 1] - crops[2 * i + 1];
    }
  x = sym_op_foreign_reshape (self, x, parts, 6, FALSE);
  x = sym_op_lower_transpose (self, x, 6, 2, 3, 0, 4, 1, 5);
  x = sym_op_foreign_reshape (self, x, sizes, 4, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_foreign_slice (self, x, starts, stops, axes, NULL, 2));
}

/* ---- Tables ---- */

static const SymSlotSpec reshape_slots[] = { { "input" },
                                             { "new_shape", SYM_SLOT_DATA, TRUE },
                                             { NULL } };
static const SymSlotSpec perm_slots[] = { { "input" }, { "perm" }, { NULL } };
static const SymSlotSpec axis_slots[] = { { "input" }, { "axis" }, { NULL } };
static const SymSlotSpec split_slots[] = { { "axis" }, { "input" }, { NULL } };
static const SymSlotSpec sizes_slots[] = { { "input" }, { "size_splits" }, { "axis" }, { NULL } };
static const SymSlotSpec slice_slots[] = { { "input" }, { "begin" }, { "size" }, { NULL } };
static const SymSlotSpec places_slots[] = { { "input" }, { "indices" }, { NULL } };
static const SymSlotSpec lookup_slots[] = { { "ids" }, { "values", SYM_SLOT_PARAMETER }, { NULL } };

static const SymSlotSpec strided_slots[] = {
  { "input" }, { "begin" }, { "end" }, { "strides" }, { NULL },
};

static const SymSlotSpec pad_slots[] = {
  { "input" },
  { "paddings" },
  { "constant_values", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec batch_slots[] = { { "input" },
                                           { "block_shape" },
                                           { "paddings" },
                                           { NULL } };
static const SymSlotSpec crop_slots[] = { { "input" }, { "block_shape" }, { "crops" }, { NULL } };

static const SymAttributeSpec reshape_attributes[] = {
  { "new_shape", SYM_ATTRIBUTE_INTS, "None", "sizes; -1 is what is left" },
  { NULL },
};

static const SymAttributeSpec perm_attributes[] = {
  { "perm", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { NULL },
};

static const SymAttributeSpec squeeze_attributes[] = {
  { "squeeze_dims", SYM_ATTRIBUTE_INTS, "None", "axes that go; none are all of size 1" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_ANY, "0", "along which" },
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes that data and indices share" },
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "'NONE'", "a function of the result" },
  { NULL },
};

static const SymAttributeSpec sizes_attributes[] = {
  { "axis", SYM_ATTRIBUTE_ANY, "None", "along which" },
  { "size_splits", SYM_ATTRIBUTE_INTS, "None", "sizes of the parts" },
  { NULL },
};

static const SymAttributeSpec slice_attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "its sizes" },
  { NULL },
};

static const SymAttributeSpec strided_attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "steps" },
  { "begin_mask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose begin does not count" },
  { "end_mask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose end does not count" },
  { "shrink_axis_mask", SYM_ATTRIBUTE_INT, "0", "bits of axes that go" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "mode", SYM_ATTRIBUTE_ANY, "'REFLECT'", "how the data is mirrored" },
  { NULL },
};

static const SymAttributeSpec block_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INT, "1", "side of a block" },
  { "block_shape", SYM_ATTRIBUTE_INTS, "None", "sides of a block" },
  { "paddings", SYM_ATTRIBUTE_INTS, "None", "added before and after each axis" },
  { "crops", SYM_ATTRIBUTE_INTS, "None", "cut off before and after each axis" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, attributes_, lower_) \
  TFLITE_LOWERED (name_, aliases_, summary_, SHAPE, slots_, attributes_, lower_)
#define JOIN(name_, summary_, lower_)                                                        \
  {                                                                                          \
    TFLITE (name_, NULL, summary_, MERGE),                                                   \
        .slots = sym_op_foreign_many, .attributes = axis_attributes,                         \
        .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_ \
  }

const SymOperator sym_op_tflite_shape[] = {
  MOVE ("RESHAPE", NULL, "Other axes", reshape_slots, reshape_attributes, lower_reshape),
  MOVE ("TRANSPOSE", NULL, "Axes in another order", perm_slots, perm_attributes, lower_transpose),
  MOVE ("SQUEEZE",
        NULL,
        "Without axes of size 1",
        sym_op_foreign_one,
        squeeze_attributes,
        lower_squeeze),
  MOVE ("EXPAND_DIMS", NULL, "With an axis of size 1", axis_slots, NULL, lower_expand),
  JOIN ("CONCATENATION", "One after the other along an axis", lower_concat),
  JOIN ("PACK", "Along a new axis", sym_op_foreign_lower_stack),
  MOVE ("UNPACK",
        NULL,
        "Parts along an axis, without it",
        sym_op_foreign_one,
        axis_attributes,
        lower_unpack),
  MOVE ("SPLIT", NULL, "Equal parts along an axis", split_slots, sizes_attributes, lower_split),
  MOVE ("SPLIT_V", NULL, "Parts along an axis", sizes_slots, sizes_attributes, lower_split_sizes),
  MOVE ("SLICE", NULL, "Part of the data", slice_slots, slice_attributes, lower_slice),
  MOVE ("STRIDED_SLICE",
        NULL,
        "Part of the data, in steps",
        strided_slots,
        strided_attributes,
        lower_strided_slice),
  MOVE ("GATHER", NULL, "Slices by indices", places_slots, axis_attributes, lower_gather),
  MOVE ("GATHER_ND",
        NULL,
        "Elements by indices of several axes",
        places_slots,
        NULL,
        lower_gather_nd),
  MOVE ("EMBEDDING_LOOKUP", NULL, "Rows of a table", lookup_slots, NULL, lower_lookup),
  MOVE ("REVERSE_V2", NULL, "Backwards along axes", axis_slots, sizes_attributes, lower_reverse),
  MOVE ("PAD",
        "PADV2 MIRROR_PAD",
        "Something around the data",
        pad_slots,
        pad_attributes,
        lower_pad),
  MOVE ("SPACE_TO_DEPTH",
        "DEPTH_TO_SPACE",
        "Places as channels, or the contrary",
        sym_op_foreign_one,
        block_attributes,
        lower_depth),
  MOVE ("SPACE_TO_BATCH_ND",
        NULL,
        "Places of blocks as a batch",
        batch_slots,
        block_attributes,
        lower_to_batch),
  MOVE ("BATCH_TO_SPACE_ND",
        NULL,
        "A batch as places of blocks",
        crop_slots,
        block_attributes,
        lower_from_batch),
  { NULL },
};
