/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* Espresso's movements.  Sizes and axes are told by names of axes, or counted from the front. */

static const char *const axes_names[] = { "seq", "n", "k", "h", "w" };

#define N_AXES ((int) G_N_ELEMENTS (axes_names))

/* The numbers that a field has for each of the last @rank axes: "dst_" for "dst_k". */
static void
read_axes (SymOpLower *self, const char *prefix, int rank, gint64 fallback, gint64 *values)
{
  for (int i = 0; i < rank; i++)
    {
      g_autofree char *name = g_strconcat (prefix, axes_names[N_AXES - rank + i], NULL);

      values[i] = sym_op_lower_get_int (self, name, fallback);
    }
}

/* A rank of at most five axes; 0 and a refusal for another one. */
static int
read_rank (SymOpLower *self, gint64 rank)
{
  if (rank >= 1 && rank <= N_AXES)
    return (int) rank;
  sym_op_lower_refuse (self, "%s: its rank is not told", sym_op_lower_get_type (self));
  return 0;
}

static int
get_axis (SymOpLower *self, int rank)
{
  return sym_op_foreign_axis (self, "nd_axis", 0, rank);
}

/* Each axis of the result tells which one it was: 0 for w, 1 for h, and so on. */
static void
lower_transpose (SymOpLower *self)
{
  int rank = read_rank (self, sym_op_foreign_rank (self, 0));
  gint64 axes[SYM_MAX_RANK] = { 0 };

  read_axes (self, "axis_", rank, -1, axes);
  for (int i = 0; i < rank; i++)
    {
      if (axes[i] < 0 || axes[i] >= rank)
        sym_op_lower_fail (self, "transpose: axis_%s is none of %d axes",
                           axes_names[N_AXES - rank + i], rank);
      axes[i] = rank - 1 - axes[i];
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

static void
lower_reshape (SymOpLower *self)
{
  int rank = read_rank (self, sym_op_lower_get_int (self, "dst_nd_rank", 0));
  gint64 sizes[SYM_MAX_RANK] = { 0 };

  read_axes (self, "dst_", rank, 0, sizes);
  for (int i = 0; i < rank; i++)
    if (sizes[i] == 0 || sizes[i] < -1)
      sym_op_lower_refuse (self, "reshape: its sizes are not told");
  if (!sym_op_lower_is_rule (self) && sym_op_lower_get_int (self, "mode", 0) != 0)
    sym_op_lower_refuse (self, "reshape with channels last is not lowered");
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, rank, FALSE));
}

/* All but the batch of an image as channels. */
static void
lower_flatten (SymOpLower *self)
{
  gint64 sizes[] = { 0, -1, 1, 1 };

  if (sym_op_foreign_rank (self, 0) != 4)
    sym_op_lower_refuse (self, "flatten: only what has 4 axes is lowered");
  else
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, 4, TRUE));
}

/* axes_0, axes_1, ... */
static void
lower_squeeze (SymOpLower *self)
{
  gboolean goes = g_str_equal (sym_op_lower_get_type (self), "squeeze");
  gint64 n = sym_op_lower_get_int (self, "size_of_axes", 0), axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);

  if (n < 1 || n > N_AXES)
    {
      sym_op_lower_refuse (self, "%s: its axes are not told", sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < (int) n; i++)
    {
      g_autofree char *name = g_strdup_printf ("axes_%d", i);

      axes[i] = sym_op_lower_get_int (self, name, 0);
    }
  sym_op_lower_set_output (self, 0,
                           goes ? sym_op_foreign_squeeze (self, x, axes, (int) n)
                                : sym_op_foreign_unsqueeze (self, x, axes, (int) n));
}

/* Images are joined along their channels. */
static void
lower_concat (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);

  if (rank < 3 || sym_op_lower_get_int (self, "axis", rank - 3) != rank - 3)
    sym_op_lower_refuse (self, "concat: along which axis is not told");
  else
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self), rank - 3));
}

static void
lower_stack (SymOpLower *self)
{
  gint64 axis = get_axis (self, sym_op_foreign_rank (self, 0) + 1);
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, i), &axis, 1);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

/* Where parts begin: begin_0, begin_1, ..., all of which are 0 for equal ones. */
static void
lower_split (SymOpLower *self)
{
  int axis = get_axis (self, sym_op_foreign_rank (self, 0));
  guint n = sym_op_lower_get_n_outputs (self);
  gint64 starts[SYM_MAX_RANK];
  gboolean are_equal = TRUE;

  for (guint i = 1; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("begin_%u", i);
      gint64 start = sym_op_lower_get_int (self, name, 0);

      are_equal = are_equal && start == 0;
      if (i <= SYM_MAX_RANK)
        starts[i - 1] = start;
    }
  if (are_equal)
    sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, NULL, -1);
  else if (n > SYM_MAX_RANK)
    sym_op_lower_refuse (self, "split_nd of %u parts is not lowered", n);
  else
    sym_op_engine_set_split (self, axis, starts, (int) n - 1);
}

static void
lower_tile (SymOpLower *self)
{
  int rank = read_rank (self, sym_op_foreign_rank (self, 0));
  gint64 times[SYM_MAX_RANK] = { 0 };

  read_axes (self, "dst_", rank, 1, times);
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, times, rank)));
}

/* What goes at each side of rows and columns; like another operand is not lowered. */
static void
lower_crop (SymOpLower *self)
{
  gint64 starts[3], ends[3], axes[2];
  int rank = sym_op_foreign_rank (self, 0);

  sym_op_engine_pair (self, "t", "l", 0, starts);
  sym_op_engine_pair (self, "b", "r", 0, ends);
  if (sym_op_lower_get_n_inputs (self) != 1 || rank < 2)
    sym_op_lower_refuse (self, "crop: its sizes are not told");
  for (int i = 0; i < 2 && !sym_op_lower_has_failed (self); i++)
    {
      axes[i] = rank - 2 + i;
      ends[i] = sym_op_foreign_size (self, 0, rank - 2 + i) - ends[i];
      if (starts[i] < 0 || ends[i] < starts[i])
        sym_op_lower_fail (self, "crop: more goes than there is");
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, ends, axes, NULL, 2));
}

static void
lower_pad (SymOpLower *self)
{
  static const char *const modes[] = { "constant", "reflect", "edge" };
  gint64 mode = sym_op_lower_get_int (self, "pad_pad_mode", 0), before[3], after[3];
  gint64 pads[2 * SYM_MAX_RANK] = { 0 };
  int rank = sym_op_foreign_rank (self, 0);

  sym_op_engine_pair (self, "pad_t", "pad_l", 0, before);
  sym_op_engine_pair (self, "pad_b", "pad_r", 0, after);
  if (mode < 0 || mode > 2 || rank < 2)
    sym_op_lower_refuse (self, "general_padding: its mode is not known");
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < 2; i++)
    {
      pads[rank - 2 + i] = before[i];
      pads[2 * rank - 2 + i] = after[i];
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Pad",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, pads, 2 * rank),
                   sym_op_lower_number (self, SYM_DTYPE_FLOAT32,
                                        sym_op_lower_get_float (self, "pad_value", 0))),
          "mode", sym_value_new_string (modes[mode]), NULL));
}

/* By whole factors, or by others: sizes are cut off. */
static void
lower_upsample (SymOpLower *self)
{
  static const char *const names[2][2] = {
    { "scaling_factor_y", "fractional_scaling_factor_y" },
    { "scaling_factor_x", "fractional_scaling_factor_x" },
  };
  gboolean is_fraction = sym_op_lower_get_bool (self, "use_fractional_scale_factors", FALSE);
  gboolean is_linear = sym_op_lower_get_int (self, "mode", 0) == 1;
  gint64 sizes[2];

  for (int i = 0; i < 2 && sym_op_foreign_rank (self, 0) == 4; i++)
    {
      double factor = sym_op_lower_get_float (self, names[i][is_fraction], 1);
      double made = (double) sym_op_foreign_size (self, 0, 2 + i) * factor;

      if (!(made >= 1 && made <= G_MAXINT32))
        sym_op_lower_fail (self, "upsample: a factor of %g makes no sense", factor);
      sizes[i] = sym_op_lower_has_failed (self) ? 1 : (gint64) made;
    }
  if (!sym_op_lower_is_rule (self) && (is_linear || is_fraction))
    sym_op_lower_refuse (self, "upsample: only nearest places are lowered");
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_resized (self, FALSE, sizes, is_linear ? "linear" : "nearest", "asymmetric");
}

/* One type for both directions. */
static void
lower_blocks (SymOpLower *self)
{
  gboolean to_space = sym_op_lower_get_bool (self, "reverse", FALSE);
  gboolean is_shuffle = sym_op_lower_get_bool (self, "pixel_shuffle", FALSE);

  if (!sym_op_lower_is_rule (self) && is_shuffle && !to_space)
    sym_op_lower_refuse (self, "space_to_depth: places of channels by turns are not lowered");
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_blocks (self, FALSE, to_space, is_shuffle ? "CRD" : "DCR",
                              sym_op_lower_get_int (self, "block_size", 0));
}

static void
lower_same (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
}

/* ---- Rules without data ---- */

static gboolean
infer_constant (SymRule *rule, GError **error)
{
  gint64 rank = sym_rule_get_int (rule, "nd_rank", 4);
  SymShape shape = { .rank = (int) CLAMP (rank, 0, N_AXES) };

  if (rank != shape.rank)
    return sym_rule_fail (error, "nd_rank of %" G_GINT64_FORMAT " makes no sense", rank);
  for (int i = 0; i < shape.rank; i++)
    {
      gint64 size = sym_rule_get_int (rule, axes_names[N_AXES - shape.rank + i], 1);

      shape.dims[i] = size < 0 || size > G_MAXINT32 ? SYM_DIM_UNKNOWN : size;
    }
  return sym_op_set_output (rule, 0, shape, SYM_DTYPE_FLOAT32, error);
}

static gboolean
infer_sizes (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  return data.rank < 0 ||
         sym_op_set_output (rule, 0, SYM_SHAPE (data.rank), SYM_DTYPE_FLOAT32, error);
}

/* ---- Table ---- */

static const SymAttributeSpec attributes[] = {
  { "dst_nd_rank", SYM_ATTRIBUTE_INT, "None", "axes of the result" },
  { "mode", SYM_ATTRIBUTE_INT, "0", "how it is done" },
  { "nd_axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "size_of_axes", SYM_ATTRIBUTE_INT, "0", "axes of size 1" },
  { "pad_pad_mode", SYM_ATTRIBUTE_INT, "0", "0 a number, 1 reflected, 2 the edge" },
  { "pad_value", SYM_ATTRIBUTE_FLOAT, "0.0", "the number" },
  { "use_fractional_scale_factors", SYM_ATTRIBUTE_BOOL, "False",
    "whether factors are no integers" },
  { "block_size", SYM_ATTRIBUTE_INT, "None", "rows and columns of a block" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether channels become places" },
  { "pixel_shuffle", SYM_ATTRIBUTE_BOOL, "False", "whether those of one channel lie together" },
  { "nd_rank", SYM_ATTRIBUTE_INT, "4", "axes of a constant" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, lower_)                                            \
  SYM_OP_ENGINE ("espresso", "Espresso 200", name_, aliases_, summary_, SHAPE, slots_, attributes, \
                 lower_)
#define RULE(name_, summary_, slots_, infer_)                                          \
  {                                                                                    \
    SYM_OP_FOREIGN ("espresso", name_, NULL, summary_, SHAPE),                         \
        .reference = "Espresso 200 " name_, .slots = slots_, .attributes = attributes, \
        .get_n_operands = sym_op_foreign_any, .infer = infer_                          \
  }

const SymOperator sym_op_espresso_move[] = {
  MOVE ("transpose", NULL, "Axes in another order", sym_op_foreign_one, lower_transpose),
  MOVE ("reshape", NULL, "Other axes", sym_op_foreign_one, lower_reshape),
  MOVE ("flatten", NULL, "All axes but the batch as one", sym_op_foreign_one, lower_flatten),
  MOVE ("squeeze",
        "expand_dims",
        "Without axes of size 1, or with some",
        sym_op_foreign_one,
        lower_squeeze),
  MOVE ("concat", NULL, "Channels one after the other", sym_op_foreign_many, lower_concat),
  MOVE ("stack_nd", NULL, "Side by side along a new axis", sym_op_foreign_many, lower_stack),
  MOVE ("split_nd", NULL, "Parts along an axis", sym_op_foreign_one, lower_split),
  MOVE ("tile", NULL, "The data again and again", sym_op_foreign_one, lower_tile),
  MOVE ("crop", NULL, "Images without their edges", sym_op_foreign_many, lower_crop),
  MOVE ("general_padding", NULL, "Something around images", sym_op_foreign_one, lower_pad),
  MOVE ("upsample", NULL, "Larger images", sym_op_foreign_one, lower_upsample),
  MOVE ("space_to_depth",
        NULL,
        "Places become channels, or channels places",
        sym_op_foreign_one,
        lower_blocks),
  MOVE ("copy", "cast", "The data", sym_op_foreign_one, lower_same),
  RULE ("load_constant", "Numbers of the file", NULL, infer_constant),
  RULE ("get_shape", "Sizes of the data", sym_op_foreign_one, infer_sizes),
  { NULL },
};
