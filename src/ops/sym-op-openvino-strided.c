/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

/* A part of the data, as each axis has a begin, an end and a step, and masks for what does not
 * count. */

static gboolean
is_marked (const gint64 *mask, int n, int i)
{
  return i < n && mask[i] != 0;
}

typedef struct {
  gint64 begin[SYM_MAX_RANK], end[SYM_MAX_RANK], stride[SYM_MAX_RANK];
  gint64 masks[5][SYM_MAX_RANK]; /* begin, end, new_axis, shrink_axis, ellipsis */
  int n, n_masks[5];
} Strided;

enum { BEGIN, END, NEW, SHRINK, ELLIPSIS };

/* The masks of begin and end tell where these do not count; before IR 10 they told where they
 * count (the Model Optimizer's StridedSliceMasksNormalizer turns them round). */
static void
turn_masks (Strided *self)
{
  for (int mask = BEGIN; mask <= END; mask++)
    {
      for (int i = 0; i < self->n; i++)
        self->masks[mask][i] = i < self->n_masks[mask] && self->masks[mask][i] == 0;
      self->n_masks[mask] = self->n;
    }
}

static gboolean
read_strided (SymOpLower *self, Strided *strided)
{
  static const char *const names[] = { "begin_mask", "end_mask", "new_axis_mask",
                                       "shrink_axis_mask", "ellipsis_mask" };
  int n_end, n_stride;

  if (!sym_op_foreign_read (self, "begin", strided->begin, &strided->n) ||
      !sym_op_foreign_read (self, "end", strided->end, &n_end))
    return FALSE;
  n_stride = sym_op_foreign_list (self, "stride", strided->stride);
  if (n_end != strided->n || (n_stride >= 0 && n_stride != strided->n))
    sym_op_lower_fail (self, "%s: begin, end and stride have different lengths",
                       sym_op_lower_get_type (self));
  for (int i = MAX (n_stride, 0); i < strided->n; i++)
    strided->stride[i] = 1;
  for (int i = 0; i < 5; i++)
    strided->n_masks[i] = sym_op_foreign_list (self, names[i], strided->masks[i]);
  if (g_str_equal (sym_layer_get_operator (sym_op_lower_get_layer (self))->domain, "openvino-old"))
    turn_masks (strided);
  return !sym_op_lower_has_failed (self);
}

/* What a strided slice does: it cuts the axes that are there, then some go, then some are new. */
typedef struct {
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  gint64 gone[SYM_MAX_RANK], fresh[SYM_MAX_RANK];
  int n, n_gone, n_fresh;
} Cut;

static gboolean
has_mark (const Strided *self, int mask, int i)
{
  return is_marked (self->masks[mask], self->n_masks[mask], i);
}

static void
cut_axis (Cut *self, const Strided *strided, int i, int axis)
{
  gboolean shrinks = has_mark (strided, SHRINK, i);
  gint64 step = shrinks ? 1 : strided->stride[i], begin = strided->begin[i];
  gboolean is_back = step < 0;

  self->starts[self->n] = !has_mark (strided, BEGIN, i) || shrinks ? begin : is_back ? -1 : 0;
  if (shrinks)
    self->stops[self->n] = begin == -1 ? G_MAXINT64 : begin + 1;
  else
    self->stops[self->n] = !has_mark (strided, END, i) ? strided->end[i]
                           : is_back                   ? G_MININT64
                                                       : G_MAXINT64;
  self->steps[self->n] = step;
  if (shrinks)
    self->gone[self->n_gone++] = axis;
  self->axes[self->n++] = axis;
}

/* FALSE when there are more parts than axes.  Axes of the result are counted for those that are
 * new. */
static gboolean
find_cut (const Strided *strided, int rank, Cut *cut)
{
  int axis = 0, out = 0, own = 0;

  for (int i = 0; i < strided->n; i++)
    own += !has_mark (strided, NEW, i) && !has_mark (strided, ELLIPSIS, i);
  for (int i = 0; i < strided->n; i++)
    if (has_mark (strided, ELLIPSIS, i))
      {
        axis += MAX (rank - own, 0);
        out += MAX (rank - own, 0);
      }
    else if (has_mark (strided, NEW, i))
      cut->fresh[cut->n_fresh++] = out++;
    else if (axis >= rank)
      return FALSE;
    else
      {
        out += !has_mark (strided, SHRINK, i);
        cut_axis (cut, strided, i, axis++);
      }
  return TRUE;
}

static void
lower_strided_slice (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId y = sym_op_lower_input (self, 0);
  Cut cut = { .n = 0 };
  Strided strided;

  if (!read_strided (self, &strided))
    return;
  if (!find_cut (&strided, rank, &cut))
    {
      sym_op_lower_fail (self, "%s: %d parts of %d axes", sym_op_lower_get_type (self), strided.n,
                         rank);
      return;
    }
  if (cut.n > 0)
    y = sym_op_foreign_slice (self, y, cut.starts, cut.stops, cut.axes, cut.steps, cut.n);
  if (cut.n_gone > 0)
    y = sym_op_foreign_squeeze (self, y, cut.gone, cut.n_gone);
  if (cut.n_fresh > 0)
    y = sym_op_foreign_unsqueeze (self, y, cut.fresh, cut.n_fresh);
  sym_op_lower_set_output (self, 0, y);
}

/* ---- Tables ---- */

static const SymSlotSpec slots[] = {
  { "data" }, { "begin" }, { "end" }, { "stride", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "steps" },
  { "begin_mask", SYM_ATTRIBUTE_INTS, "None", "1 where begin does not count" },
  { "end_mask", SYM_ATTRIBUTE_INTS, "None", "1 where end does not count" },
  { "new_axis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for an axis that is new" },
  { "shrink_axis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for an axis that goes" },
  { "ellipsis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for all axes that nothing is told of" },
  { NULL },
};

static const SymAttributeSpec old_attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "steps" },
  { "begin_mask", SYM_ATTRIBUTE_INTS, "None", "1 where begin counts" },
  { "end_mask", SYM_ATTRIBUTE_INTS, "None", "1 where end counts" },
  { "new_axis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for an axis that is new" },
  { "shrink_axis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for an axis that goes" },
  { "ellipsis_mask", SYM_ATTRIBUTE_INTS, "None", "1 for all axes that nothing is told of" },
  { NULL },
};

const SymOperator sym_op_openvino_strided[] = {
  OPENVINO_LOWERED ("StridedSlice",
                    NULL,
                    "Part of the data, axis by axis",
                    SHAPE,
                    slots,
                    attributes,
                    lower_strided_slice),
  { SYM_OP_FOREIGN ("openvino-old", "StridedSlice", NULL, "Part of the data, axis by axis", SHAPE),
    .reference = "OpenVINO IR 7 StridedSlice", .slots = slots, .attributes = old_attributes,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = lower_strided_slice },
  { NULL },
};
