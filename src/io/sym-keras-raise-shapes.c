/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

/* Layers that move numbers, and do not change them. */

/* ---- Sizes ---- */

/* The result by its sizes alone, of which one may be unknown; the batch goes by itself.  FALSE when
 * more are unknown. */
static gboolean
reshape_to_result (SymRaise *self, SymId x)
{
  SymShape shape = sym_raise_get_result_shape (self, 0);
  gboolean keeps_batch = shape.rank > 0 && sym_raise_is_same_size (self, 0, 0);
  int n_open = 0;

  for (int i = keeps_batch ? 1 : 0; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      {
        n_open++;
        shape.dims[i] = -1;
      }
  if (shape.rank < 0 || n_open > 1)
    return FALSE;
  sym_keras_raise_reshape (self, TRUE, x, shape.dims, shape.rank, keeps_batch);
  return TRUE;
}

static void
raise_reshape (SymRaise *self)
{
  if (!reshape_to_result (self, sym_raise_operand (self, 0)))
    sym_raise_fail (self, "its sizes are not known beforehand");
}

static void
raise_flatten (SymRaise *self)
{
  if (sym_raise_get_int (self, "axis", 1) == 1 && sym_raise_get_shape (self, 0).rank >= 2)
    sym_keras_raise_layer (self, TRUE, "Flatten", sym_raise_operand (self, 0), "data_format",
                           sym_value_new_string ("channels_last"), NULL);
  else
    raise_reshape (self);
}

static void
raise_transpose (SymRaise *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "perm", 0, axes, SYM_MAX_RANK);
  int rank = sym_raise_get_shape (self, 0).rank;
  SymId x = sym_raise_operand (self, 0);

  for (int i = 0; n < 0 && i < rank; i++)
    axes[i] = rank - 1 - i;
  if (rank < 0)
    sym_raise_fail (self, "the axes of its data are not known");
  else
    sym_keras_raise_permute (self, TRUE, x, axes, rank);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* Axes of one that come or go, one after the other where sizes are not known. */
static void
raise_ones (SymRaise *self)
{
  gboolean comes = strcmp (sym_raise_get_type (self), "Unsqueeze") == 0;
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "axes", 1, axes, SYM_MAX_RANK);
  int rank = sym_raise_get_shape (self, 0).rank;
  SymId x = sym_raise_operand (self, 0);

  if (sym_raise_is_same_size (self, 0, 0) && reshape_to_result (self, x))
    return;
  if (n < 1 || rank < 0)
    {
      sym_raise_fail (self, "its axes are not known beforehand");
      return;
    }
  for (int i = 0; i < n; i++)
    axes[i] += axes[i] >= 0 ? 0 : comes ? rank + n : rank;
  qsort (axes, (gsize) n, sizeof *axes, compare_ints);
  for (int i = 0; i < n; i++)
    x = sym_keras_raise_operation (self, i + 1 == n, comes ? "ExpandDims" : "Squeeze", &x, 1,
                                   "axis", sym_value_new_int (axes[comes ? i : n - 1 - i]), NULL);
}

static void
raise_expand (SymRaise *self)
{
  SymShape before = sym_raise_get_shape (self, 0), result = sym_raise_get_result_shape (self, 0);
  SymId x = sym_raise_operand (self, 0);
  gboolean is_same = before.rank == result.rank && result.rank >= 0;

  for (int i = 0; is_same && i < result.rank; i++)
    is_same = sym_raise_is_same_size (self, i, i);
  if (is_same)
    sym_keras_raise_layer (self, TRUE, "Identity", x, NULL);
  else if (result.rank < 0 || !sym_shape_is_known (&result))
    sym_raise_fail (self, "its sizes are not known beforehand");
  else
    sym_keras_raise_operation (
        self, TRUE, "BroadcastTo", &x, 1, "shape",
        sym_value_new_ints (SYM_VALUE_LIST, result.dims, (guint) result.rank), NULL);
}

static void
raise_tile (SymRaise *self)
{
  gint64 repeats[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, NULL, 1, repeats, SYM_MAX_RANK);
  SymId x = sym_raise_operand (self, 0);

  if (n < 1)
    sym_raise_fail (self, "how often is not known beforehand");
  else
    sym_keras_raise_operation (self, TRUE, "Tile", &x, 1, "repeats",
                               sym_value_new_ints (SYM_VALUE_LIST, repeats, (guint) n), NULL);
}

/* ---- Parts ---- */

static void
raise_concat (SymRaise *self)
{
  guint n = sym_raise_count_operands (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 1), &axis))
    return;
  for (guint i = 0; i < n; i++)
    {
      operands[i] = sym_raise_operand (self, i);
      if (sym_raise_find_tensor (self, sym_raise_get_value (self, i)) != NULL)
        sym_raise_fail_about (self, sym_raise_get_value (self, i), "is no data");
    }
  if (n == 1)
    sym_keras_raise_layer (self, TRUE, "Identity", operands[0], NULL);
  else if (axis > 0)
    sym_keras_raise_merge (self, TRUE, "Concatenate", operands, n, "axis", sym_value_new_int (axis),
                           NULL);
  else
    sym_keras_raise_operation (self, TRUE, "Concatenate", operands, n, "axis",
                               sym_value_new_int (axis), NULL);
}

/* None for what lies outside of all data. */
static SymValue *
make_place (gint64 place)
{
  return place >= G_MAXINT32 || place <= G_MININT32 ? sym_value_new_none ()
                                                    : sym_value_new_int (place);
}

/* {"class_name": "__slice__", "config": {"start": ..., "stop": ..., "step": ...}} */
static SymValue *
make_range (SymValue *take_start, SymValue *take_stop, SymValue *take_step)
{
  static const char *const ends[] = { "start", "stop", "step" };
  static const char *const names[] = { "class_name", "config" };
  SymValue *places[] = { take_start, take_stop, take_step };
  SymValue *parts[] = { sym_value_new_string ("__slice__"), sym_value_new_dict (ends, places, 3) };

  return sym_value_new_dict (names, parts, 2);
}

static void
raise_slice (SymRaise *self)
{
  gint64 starts[SYM_MAX_RANK], ends[SYM_MAX_RANK], axes[SYM_MAX_RANK], steps[SYM_MAX_RANK], axis;
  int n = sym_raise_get_ints (self, "starts", 1, starts, SYM_MAX_RANK);
  int n_ends = sym_raise_get_ints (self, "ends", 2, ends, SYM_MAX_RANK);
  int n_axes = sym_raise_get_ints (self, "axes", 3, axes, SYM_MAX_RANK);
  int n_steps = sym_raise_get_ints (self, NULL, 4, steps, SYM_MAX_RANK);
  int rank = sym_raise_get_shape (self, 0).rank;
  SymId x = sym_raise_operand (self, 0);
  SymValue *ranges[SYM_MAX_RANK];

  if (n < 1 || rank < 1 || n_ends != n || (sym_raise_has (self, 3) && n_axes != n) ||
      (sym_raise_has (self, 4) && n_steps != n))
    {
      sym_raise_fail (self, "its places are not known beforehand");
      return;
    }
  for (int i = 0; i < rank; i++)
    ranges[i] = make_range (sym_value_new_none (), sym_value_new_none (), sym_value_new_none ());
  for (int i = 0; i < n; i++)
    if (sym_raise_find_axis (self, n_axes < 0 ? i : axes[i], &axis))
      {
        gint64 step = n_steps < 0 ? 1 : steps[i];

        sym_value_unref (ranges[axis]);
        ranges[axis] = make_range (make_place (starts[i]), make_place (ends[i]), make_place (step));
      }
  sym_keras_raise_called (self, TRUE, "GetItem", x, "key",
                          sym_value_new_list (ranges, (guint) rank), NULL);
}

/* Where each part but the first begins. */
static void
raise_split (SymRaise *self)
{
  guint n = sym_raise_count_results (self);
  g_autofree gint64 *places = g_new (gint64, n + 1);
  SymId x = sym_raise_operand (self, 0);
  gint64 axis, place = 0;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 0), &axis))
    return;
  for (guint i = 0; i + 1 < n; i++)
    {
      SymShape part = sym_raise_get_result_shape (self, i);

      if (part.rank <= axis || part.dims[axis] < 0 || part.dims[axis] > G_MAXINT32)
        {
          sym_raise_fail (self, "the sizes of its parts are not known");
          return;
        }
      places[i] = place += part.dims[axis];
    }
  if (n == 1)
    sym_keras_raise_layer (self, TRUE, "Identity", x, NULL);
  else
    sym_keras_raise_parts (self, "Split", x, "indices_or_sections",
                           sym_value_new_ints (SYM_VALUE_LIST, places, n - 1), "axis",
                           sym_value_new_int (axis), NULL);
}

static void
raise_elements (SymRaise *self)
{
  SymId operands[2];

  for (guint i = 0; i < 2; i++)
    operands[i] = sym_raise_operand (self, i);
  sym_keras_raise_operation (self, TRUE, "TakeAlongAxis", operands, 2, "axis",
                             sym_value_new_int (sym_raise_get_int (self, "axis", 0)), NULL);
}

/* Places are of 32 bits in Keras. */
static void
raise_top (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0), places;
  double k = 0;
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", -1), &axis))
    return;
  if (!sym_raise_get_number (self, "k", 1, &k) || k < 1 || k > G_MAXINT32 ||
      axis != sym_raise_get_shape (self, 0).rank - 1 ||
      sym_raise_get_int (self, "largest", 1) == 0 || sym_raise_count_results (self) < 2)
    {
      sym_raise_fail (self, "Keras takes the largest of the last axis, as many as are told");
      return;
    }
  sym_keras_raise_parts (self, "TopK", x, "k", sym_value_new_int ((gint64) k), NULL);
  places = sym_raise_find_made (self, sym_raise_get_result_value (self, 1));
  sym_raise_set_result (self, 1,
                        sym_keras_raise_operation (self, FALSE, "Cast", &places, 1, "dtype",
                                                   sym_value_new_string ("int64"), NULL));
}

/* ---- Images ---- */

#define MAX_SIDE 65536

static gboolean
is_image (const SymShape *shape, gint64 b)
{
  for (int i = 1; i < shape->rank; i++)
    if (shape->dims[i] < 1 || shape->dims[i] > MAX_SIDE)
      return FALSE;
  return shape->rank == 4 && b >= 1 && b <= MAX_SIDE;
}

/* Sizes with the channels parted, or pixels. */
static void
raise_depth_to_space (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 b = sym_raise_get_int (self, "blocksize", 1);
  gboolean is_crd = strcmp (sym_raise_get_string (self, "mode", "DCR"), "CRD") == 0;
  SymId x = sym_raise_operand (self, 0);

  if (!is_image (&shape, b) || shape.dims[1] / b < b)
    sym_raise_fail (self, "the sizes of its data are not known");
  else
    {
      gint64 h = shape.dims[2], w = shape.dims[3], c = shape.dims[1] / (b * b);
      const gint64 dcr[] = { -1, b, b, c, h, w }, crd[] = { -1, c, b, b, h, w };
      const gint64 dcr_axes[] = { 0, 3, 4, 1, 5, 2 }, crd_axes[] = { 0, 1, 4, 2, 5, 3 };
      const gint64 last[] = { -1, c, h * b, w * b };

      x = sym_keras_raise_reshape (self, FALSE, x, is_crd ? crd : dcr, 6, TRUE);
      x = sym_keras_raise_permute (self, FALSE, x, is_crd ? crd_axes : dcr_axes, 6);
      sym_keras_raise_reshape (self, TRUE, x, last, 4, TRUE);
    }
}

static void
raise_space_to_depth (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 b = sym_raise_get_int (self, "blocksize", 1);
  SymId x = sym_raise_operand (self, 0);

  if (!is_image (&shape, b) || shape.dims[2] < b || shape.dims[3] < b)
    sym_raise_fail (self, "the sizes of its data are not known");
  else
    {
      gint64 c = shape.dims[1], h = shape.dims[2] / b, w = shape.dims[3] / b;
      const gint64 parted[] = { -1, c, h, b, w, b }, axes[] = { 0, 3, 5, 1, 2, 4 };
      const gint64 last[] = { -1, c * b * b, h, w };

      x = sym_keras_raise_reshape (self, FALSE, x, parted, 6, TRUE);
      x = sym_keras_raise_permute (self, FALSE, x, axes, 6);
      sym_keras_raise_reshape (self, TRUE, x, last, 4, TRUE);
    }
}

static void
put_larger (SymRaise *self, SymId x, const gint64 *size, int n, gboolean is_first, const char *mode)
{
  g_autofree char *type = sym_keras_raise_type ("UpSampling", n, "");

  if (n == 1)
    sym_keras_raise_operation (self, TRUE, "Repeat", &x, 1, "repeats", sym_value_new_int (size[0]),
                               "axis", sym_value_new_int (is_first ? 2 : 1), NULL);
  else
    sym_keras_raise_layer (
        self, TRUE, type, x, "size", sym_value_new_ints (SYM_VALUE_LIST, size, (guint) n),
        "data_format", sym_value_new_string (is_first ? "channels_first" : "channels_last"),
        n == 2 ? "interpolation" : NULL, n == 2 ? sym_value_new_string (mode) : NULL, NULL);
}

static void
put_resized (SymRaise *self, SymId x, gboolean is_first)
{
  SymShape after = sym_raise_get_result_shape (self, 0);
  const gint64 *size = after.dims + (is_first ? 2 : 1);

  if (size[0] < 1 || size[1] < 1)
    sym_raise_fail (self, "its sizes are not known beforehand");
  else
    sym_keras_raise_operation (
        self, TRUE, "Resize", &x, 1, "size", sym_value_new_ints (SYM_VALUE_LIST, size, 2),
        "interpolation", sym_value_new_string ("bilinear"), "data_format",
        sym_value_new_string (is_first ? "channels_first" : "channels_last"), NULL);
}

static void
raise_resize (SymRaise *self)
{
  const char *mode = sym_raise_get_string (self, "mode", "nearest");
  int rank = sym_raise_get_shape (self, 0).rank, n = rank - 2;
  gboolean is_whole = TRUE, is_first, is_linear = strcmp (mode, "linear") == 0;
  double scales[SYM_MAX_RANK];
  gint64 size[SYM_RAISE_MAX_WINDOW];
  SymId x = sym_raise_operand (self, 0);

  if (n < 1 || n > SYM_RAISE_MAX_WINDOW)
    sym_raise_fail (self, "it has not three to five axes");
  if (sym_raise_has_failed (self) || !sym_raise_read_scales (self, rank, scales))
    return;
  is_first = scales[1] == 1;
  for (int i = 0; i < n; i++)
    {
      double scale = scales[i + (is_first ? 2 : 1)];

      is_whole = is_whole && scale >= 1 && scale == floor (scale) && scale < G_MAXINT32;
      size[i] = is_whole ? (gint64) scale : 0;
    }
  if (scales[0] != 1 || (!is_first && scales[rank - 1] != 1))
    sym_raise_fail (self, "it makes the batch larger");
  else if (strcmp (mode, "nearest") == 0 && is_whole && sym_raise_repeats (self, size, n))
    put_larger (self, x, size, n, is_first, "nearest");
  else if (is_linear && n == 2 && is_whole && sym_raise_has_half_pixels (self))
    put_larger (self, x, size, n, is_first, "bilinear");
  else if (is_linear && n == 2 && sym_raise_has_half_pixels (self))
    put_resized (self, x, is_first);
  else
    sym_raise_fail (self, "Keras takes pixels at other places");
}

const SymRaiseRule sym_keras_raise_shapes[] = {
  { "Concat", G_MAXUINT, raise_concat },
  { "DepthToSpace", 1, raise_depth_to_space },
  { "Expand", 1, raise_expand },
  { "Flatten", 1, raise_flatten },
  { "GatherElements", 2, raise_elements },
  { "Reshape", 1, raise_reshape },
  { "Resize", 1, raise_resize },
  { "Slice", 1, raise_slice },
  { "SpaceToDepth", 1, raise_space_to_depth },
  { "Split", 1, raise_split },
  { "Squeeze", 1, raise_ones },
  { "Tile", 1, raise_tile },
  { "TopK", 1, raise_top },
  { "Transpose", 1, raise_transpose },
  { "Unsqueeze", 1, raise_ones },
  { "Upsample", 1, raise_resize },
  { NULL },
};
