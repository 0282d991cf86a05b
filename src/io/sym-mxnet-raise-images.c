/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <math.h>
#include <string.h>

/* Layers of images, which MXNet has with the channels first alone. */

/* ---- Resize ---- */

static const gint64 to_first[] = { 0, 3, 1, 2 };
static const gint64 to_last[] = { 0, 2, 3, 1 };

typedef struct {
  gint64 size[2], factor[2]; /* of the result; 0 for a factor that is not whole */
  gboolean is_first;         /* the channels are */
} Resize;

static gboolean
read_resize (SymRaise *self, Resize *resize)
{
  SymShape before = sym_raise_get_shape (self, 0), after = sym_raise_get_result_shape (self, 0);
  double scales[SYM_MAX_RANK];

  if (before.rank != 4 || after.rank != 4)
    sym_raise_fail (self, "it has not four axes");
  if (sym_raise_has_failed (self) || !sym_raise_read_scales (self, 4, scales))
    return FALSE;
  resize->is_first = scales[1] == 1;
  if (scales[0] != 1 || (!resize->is_first && scales[3] != 1))
    {
      sym_raise_fail (self, "it makes the batch or the channels larger");
      return FALSE;
    }
  for (int i = 0; i < 2; i++)
    {
      int axis = i + (resize->is_first ? 2 : 1);
      double scale = scales[axis];
      gboolean is_whole = scale >= 1 && scale == floor (scale) && scale < G_MAXINT32;

      resize->size[i] = after.dims[axis];
      resize->factor[i] = is_whole ? (gint64) scale : 0;
    }
  return TRUE;
}

static gboolean
has_corners (SymRaise *self)
{
  return strcmp (sym_raise_get_type (self), "Upsample") != 0 &&
         sym_raise_get_version (self) >= 11 && sym_raise_get_int (self, "antialias", 0) == 0 &&
         strcmp (sym_raise_get_string (self, "coordinate_transformation_mode", "half_pixel"),
                 "align_corners") == 0;
}

/* The one call, or that between two transposes. */
static void
finish_resize (SymRaise *self, const Resize *resize, gboolean is_linear)
{
  const char *op = is_linear ? "_contrib_BilinearResize2D" : "UpSampling";
  SymValue *a =
      is_linear ? sym_value_new_int (resize->size[0]) : sym_value_new_int (resize->factor[0]);
  SymValue *b = is_linear ? sym_value_new_int (resize->size[1]) : sym_value_new_string ("nearest");
  SymValue *c = is_linear ? sym_value_new_bool (has_corners (self)) : sym_value_new_int (1);
  const char *const names[] = { is_linear ? "height" : "scale", is_linear ? "width" : "sample_type",
                                is_linear ? "align_corners" : "num_args" };
  SymId x = sym_raise_operand (self, 0);

  if (resize->is_first)
    {
      sym_mxnet_raise_finish (self, op, &x, 1, names[0], a, names[1], b, names[2], c, NULL);
      return;
    }
  x = sym_mxnet_raise_call (self, "transpose", &x, 1, "axes", sym_raise_tuple (to_first, 4), NULL);
  x = sym_mxnet_raise_call (self, op, &x, 1, names[0], a, names[1], b, names[2], c, NULL);
  sym_mxnet_raise_finish (self, "transpose", &x, 1, "axes", sym_raise_tuple (to_last, 4), NULL);
}

static void
raise_resize (SymRaise *self)
{
  const char *mode = sym_raise_get_string (self, "mode", "nearest");
  gboolean is_linear = strcmp (mode, "linear") == 0;
  Resize resize;

  if (!read_resize (self, &resize))
    return;
  if (is_linear && resize.size[0] > 1 && resize.size[1] > 1 &&
      (sym_raise_has_half_pixels (self) || has_corners (self)))
    finish_resize (self, &resize, TRUE);
  else if (strcmp (mode, "nearest") == 0 && resize.factor[0] > 0 &&
           resize.factor[0] == resize.factor[1] && sym_raise_repeats (self, resize.factor, 2))
    finish_resize (self, &resize, FALSE);
  else
    sym_raise_fail (self, "MXNet takes pixels at other places");
}

/* ---- Blocks ---- */

/* MXNet has the blocks before the channels, so that each of both becomes an axis of its own. */
static void
move_blocks (SymRaise *self, gint64 size)
{
  static const gint64 axes[] = { 0, 1, 4, 2, 5, 3 }, joined[] = { 0, 0, -3, -3 };
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 channels = shape.rank == 4 && size > 0 ? shape.dims[1] / (size * size) : 0;
  gint64 apart[] = { 0, -4, channels, size * size, 0, 0 };
  gint64 split[] = { 0, 0, -4, size, size, 0, 0 };
  SymId x = sym_raise_operand (self, 0);

  if (channels < 1)
    {
      sym_raise_fail (self, "the number of its channels is not known");
      return;
    }
  x = sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape", sym_raise_tuple (apart, 6), NULL);
  x = sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape", sym_raise_tuple (split, 7), NULL);
  x = sym_mxnet_raise_call (self, "transpose", &x, 1, "axes", sym_raise_tuple (axes, 6), NULL);
  sym_mxnet_raise_finish (self, "Reshape", &x, 1, "shape", sym_raise_tuple (joined, 4), NULL);
}

static void
raise_blocks (SymRaise *self)
{
  gboolean is_depth = strcmp (sym_raise_get_type (self), "DepthToSpace") == 0;
  SymId x = sym_raise_operand (self, 0);

  if (is_depth && strcmp (sym_raise_get_string (self, "mode", "DCR"), "DCR") != 0)
    move_blocks (self, sym_raise_get_int (self, "blocksize", 1));
  else
    sym_mxnet_raise_finish (self, is_depth ? "depth_to_space" : "space_to_depth", &x, 1,
                            "block_size",
                            sym_value_new_int (sym_raise_get_int (self, "blocksize", 1)), NULL);
}

const SymRaiseRule sym_mxnet_raise_images[] = {
  { "DepthToSpace", 1, raise_blocks },
  { "Resize", 1, raise_resize },
  { "SpaceToDepth", 1, raise_blocks },
  { "Upsample", 1, raise_resize },
  { NULL },
};
