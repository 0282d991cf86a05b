/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-boxes.h"

#include <math.h>

#include "ops/sym-op-lower.h"

/* Where boxes are, in ONNX's layers: for files of ONNX.  Boxes are [..., ..., 4]. */

#define MAX_PRIORS (1 << 22)

static SymId
number (SymOpLower *lower, double value)
{
  return sym_op_lower_number (lower, SYM_DTYPE_FLOAT32, value);
}

/* Two of the four numbers. */
static SymId
take (SymOpLower *lower, SymId boxes, gint64 first)
{
  return sym_op_lower_slice (lower, boxes, 2, first, first + 2, 1);
}

static SymId
concat (SymOpLower *lower, SymId a, SymId b)
{
  return sym_op_lower_call (lower, "Concat", SYM_IDS (a, b), "axis", sym_value_new_int (2), NULL);
}

SymId
sym_op_mxnet_turn_boxes (SymOpLower *lower, SymId boxes, gboolean to_center)
{
  SymId a = take (lower, boxes, 0), b = take (lower, boxes, 2), half;

  if (to_center)
    {
      half = sym_op_lower_binary (lower, "Add", a, b);
      half = sym_op_lower_binary (lower, "Mul", half, number (lower, 0.5));
      return concat (lower, half, sym_op_lower_binary (lower, "Sub", b, a));
    }
  half = sym_op_lower_binary (lower, "Mul", b, number (lower, 0.5));
  return concat (lower, sym_op_lower_binary (lower, "Sub", a, half),
                 sym_op_lower_binary (lower, "Add", a, half));
}

SymId
sym_op_mxnet_stretch_boxes (SymOpLower *lower, SymId moves, SymId centers, double most)
{
  SymId sizes = take (lower, centers, 2), stretch = take (lower, moves, 2), middle;

  if (most < INFINITY)
    stretch = sym_op_lower_binary (lower, "Min", stretch, number (lower, most));
  middle = sym_op_lower_binary (lower, "Mul", take (lower, moves, 0), sizes);
  middle = sym_op_lower_binary (lower, "Add", middle, take (lower, centers, 0));
  sizes = sym_op_lower_binary (lower, "Mul", sym_op_lower_unary (lower, "Exp", stretch), sizes);
  return sym_op_mxnet_turn_boxes (lower, concat (lower, middle, sizes), FALSE);
}

/* Both operands float32, the last axis of four. */
static gboolean
check_boxes (SymOpLower *lower)
{
  for (guint i = 0; i < 2; i++)
    {
      const SymShape *shape = sym_op_lower_get_input_shape (lower, i);

      if (!sym_op_lower_need_tensor (lower, i))
        return FALSE;
      if (shape->rank < 1 || shape->dims[shape->rank - 1] != 4)
        sym_op_lower_fail (lower, "%s: boxes should have 4 numbers each",
                           sym_op_lower_get_type (lower));
      else if (sym_op_lower_get_input_dtype (lower, i) != SYM_DTYPE_FLOAT32)
        sym_op_lower_refuse (lower, "%s: boxes of %s are not lowered",
                             sym_op_lower_get_type (lower),
                             sym_dtype_to_string (sym_op_lower_get_input_dtype (lower, i)));
    }
  return !sym_op_lower_has_failed (lower);
}

/* ---- box_decode ---- */

void
sym_op_mxnet_lower_box_decode (SymOpLower *lower)
{
  double most = sym_op_lower_get_float (lower, "clip", -1);
  SymId moves = sym_op_lower_input (lower, 0), anchors = sym_op_lower_input (lower, 1);
  float factors[4];
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (4), factors };

  if (!check_boxes (lower))
    return;
  if (sym_op_lower_get_input_shape (lower, 0)->rank != 3 ||
      sym_op_lower_get_input_shape (lower, 1)->rank != 3)
    {
      sym_op_lower_fail (lower, "box_decode: data [B, N, 4] and anchors [1, N, 4] do not fit");
      return;
    }
  for (int i = 0; i < 4; i++)
    {
      const char name[] = { 's', 't', 'd', (char) ('0' + i), '\0' };

      factors[i] = (float) sym_op_lower_get_float (lower, name, 1);
    }
  if (sym_op_lower_has_string (lower, "format", "corner"))
    anchors = sym_op_mxnet_turn_boxes (lower, anchors, TRUE);
  moves = sym_op_lower_binary (lower, "Mul", moves, sym_op_lower_array (lower, &array));
  sym_op_lower_set_output (
      lower, 0, sym_op_mxnet_stretch_boxes (lower, moves, anchors, most > 0 ? most : INFINITY));
}

/* ---- box_iou ---- */

/* What lies between @a and @b, 0 for what is turned round, [..., ...]. */
static SymId
measure (SymOpLower *lower, SymId a, SymId b)
{
  const gint64 axis = 2;
  SymId sizes = sym_op_lower_binary (lower, "Sub", b, a);

  sizes = sym_op_lower_binary (lower, "Max", sizes, number (lower, 0));
  return sym_op_lower_reduce (lower, "ReduceProd", sizes, &axis, 1, FALSE);
}

/* Operand @i as [boxes, 1, 4] or [1, boxes, 4], corners. */
static SymId
read_boxes (SymOpLower *lower, guint i)
{
  const SymShape *shape = sym_op_lower_get_input_shape (lower, i);
  gint64 n = 1;
  SymId boxes;

  for (int k = 0; k < shape->rank - 1; k++)
    n *= shape->dims[k];
  boxes = sym_op_lower_reshape (lower, sym_op_lower_input (lower, i),
                                i == 0 ? &SYM_SHAPE (n, 1, 4) : &SYM_SHAPE (1, n, 4));
  return sym_op_lower_has_string (lower, "format", "center")
             ? sym_op_mxnet_turn_boxes (lower, boxes, FALSE)
             : boxes;
}

void
sym_op_mxnet_lower_iou (SymOpLower *lower)
{
  SymId a, b, common, all;

  if (!check_boxes (lower))
    return;
  a = read_boxes (lower, 0);
  b = read_boxes (lower, 1);
  common =
      measure (lower, sym_op_lower_binary (lower, "Max", take (lower, a, 0), take (lower, b, 0)),
               sym_op_lower_binary (lower, "Min", take (lower, a, 2), take (lower, b, 2)));
  all = sym_op_lower_binary (lower, "Add", measure (lower, take (lower, a, 0), take (lower, a, 2)),
                             measure (lower, take (lower, b, 0), take (lower, b, 2)));
  all = sym_op_lower_binary (lower, "Sub", all, common);
  common = sym_op_lower_call (
      lower, "Where",
      SYM_IDS (sym_op_lower_binary (lower, "Greater", all, number (lower, 0)),
               sym_op_lower_binary (lower, "Div", common, all), number (lower, 0)),
      NULL);
  sym_op_lower_finish (lower, common);
}

/* ---- MultiBoxPrior ---- */

/* They follow from the size of the picture alone. */
void
sym_op_mxnet_lower_prior (SymOpLower *lower)
{
  const SymShape *shape = sym_op_lower_get_input_shape (lower, 0);
  g_autofree float *numbers = NULL;
  SymOpMxnetPriors priors;
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32 };

  if (!sym_op_lower_need_tensor (lower, 0))
    return;
  if (shape->rank != 4 ||
      !sym_op_mxnet_priors_read (&priors, sym_layer_get_attributes (sym_op_lower_get_layer (lower)),
                                 shape->dims[2], shape->dims[3]))
    sym_op_lower_fail (lower, "MultiBoxPrior: data should have 4 axes");
  else if (sym_op_lower_get_input_dtype (lower, 0) != SYM_DTYPE_FLOAT32 || priors.height < 1 ||
           priors.width < 1 || priors.height > MAX_PRIORS ||
           priors.width > MAX_PRIORS / priors.height / priors.n)
    sym_op_lower_refuse (lower, "MultiBoxPrior: there are no boxes, or too many");
  if (sym_op_lower_has_failed (lower))
    return;
  array.shape = SYM_SHAPE (1, priors.height * priors.width * priors.n, 4);
  array.data = numbers = g_new (float, array.shape.dims[1] * 4);
  for (gint64 i = 0; i < array.shape.dims[1]; i++)
    {
      double box[4];

      sym_op_mxnet_priors_get (&priors, i, box);
      for (int k = 0; k < 4; k++)
        numbers[i * 4 + k] = (float) box[k];
    }
  sym_op_lower_set_output (lower, 0, sym_op_lower_array (lower, &array));
}
