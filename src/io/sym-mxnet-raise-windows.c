/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <math.h>
#include <string.h>

/* Layers with windows, and those that normalise. */

/* The data with @number around it, where there is more at one end than at the other, which a window
 * of MXNet cannot say. */
static SymId
pad_apart (SymRaise *self, SymRaiseWindow *window, double number)
{
  SymId x = sym_raise_operand (self, 0);
  gint64 widths[2 * (SYM_RAISE_MAX_WINDOW + 2)] = { 0 };

  if (sym_raise_is_even (window))
    return x;
  if (window->n < 2)
    sym_raise_fail (self, "MXNet adds as much at both ends");
  for (int i = 0; i < window->n; i++)
    {
      if (window->pads[i] < 0 || window->pads[i + window->n] < 0)
        sym_raise_fail (self, "MXNet cuts nothing off");
      widths[2 * (i + 2)] = window->pads[i];
      widths[2 * (i + 2) + 1] = window->pads[i + window->n];
      window->pads[i] = window->pads[i + window->n] = 0;
    }
  return sym_mxnet_raise_call (self, "Pad", &x, 1, "mode", sym_value_new_string ("constant"),
                               "pad_width", sym_raise_tuple (widths, 2 * (window->n + 2)),
                               "constant_value", sym_value_new_float (number), NULL);
}

static void
raise_conv (SymRaise *self)
{
  SymShape weight = sym_raise_get_shape (self, 1);
  gboolean has_bias = sym_raise_has (self, 2);
  SymId operands[3];
  SymRaiseWindow window;

  if (!sym_raise_read_window (self, TRUE, &window) || !sym_raise_settle_pads (self, &window))
    return;
  if (weight.rank != window.n + 2 || weight.dims[0] < 0)
    {
      sym_raise_fail (self, "the shape of its weights is not known");
      return;
    }
  operands[0] = pad_apart (self, &window, 0);
  for (guint i = 1; i < 2u + has_bias; i++)
    operands[i] = sym_raise_operand (self, i);
  sym_mxnet_raise_finish (self, "Convolution", operands, 2 + has_bias, "kernel",
                          sym_raise_tuple (window.kernel, window.n), "stride",
                          sym_raise_tuple (window.stride, window.n), "dilate",
                          sym_raise_tuple (window.dilation, window.n), "pad",
                          sym_raise_tuple (window.pads, window.n), "num_filter",
                          sym_value_new_int (weight.dims[0]), "num_group",
                          sym_value_new_int (sym_raise_get_int (self, "group", 1)), "no_bias",
                          sym_value_new_bool (!has_bias), NULL);
}

/* MXNet cuts as much off at both ends: what is more at one of them is cut off afterwards, and adds
 * nothing there before. */
static void
even_out (SymRaiseWindow *window, gint64 *extra, gint64 *begin, gint64 *end)
{
  for (int i = 0; i < window->n; i++)
    {
      gint64 *before = &window->pads[i], *behind = &window->pads[i + window->n];
      gint64 least = MIN (*before, *behind), added;

      begin[i] = *before - least;
      end[i] = *behind - least;
      added = MIN (end[i], extra[i]);
      end[i] -= added;
      extra[i] -= added;
      *before = *behind = least;
    }
}

static void
raise_transposed (SymRaise *self)
{
  SymShape weight = sym_raise_get_shape (self, 1);
  gboolean has_bias = sym_raise_has (self, 2);
  gint64 groups = sym_raise_get_int (self, "group", 1), extra[SYM_RAISE_MAX_WINDOW];
  gint64 begin[SYM_RAISE_MAX_WINDOW], end[SYM_RAISE_MAX_WINDOW];
  const SymAttributes *attributes = sym_raise_get_attributes (self);
  SymId operands[3], x;
  SymRaiseWindow window;

  if (!sym_raise_read_window (self, TRUE, &window) || !sym_raise_settle_pads (self, &window))
    return;
  if (weight.rank != window.n + 2 || weight.dims[1] < 0 ||
      !sym_raise_read_list (self, "output_padding", window.n, 0, extra) ||
      sym_attributes_find (attributes, "output_shape") != NULL ||
      strcmp (sym_attributes_get_string (attributes, "auto_pad", "NOTSET"), "NOTSET") != 0)
    {
      sym_raise_fail (self, "how much it cuts off at both ends is not told");
      return;
    }
  for (int i = 0; i < 2 * window.n; i++)
    if (window.pads[i] < 0)
      sym_raise_fail (self, "MXNet cuts no less than nothing off");
  even_out (&window, extra, begin, end);
  for (guint i = 0; i < 2u + has_bias; i++)
    operands[i] = sym_raise_operand (self, i);
  x = sym_mxnet_raise_layer (
      self, "Deconvolution", operands, 2 + has_bias, "kernel",
      sym_raise_tuple (window.kernel, window.n), "stride",
      sym_raise_tuple (window.stride, window.n), "dilate",
      sym_raise_tuple (window.dilation, window.n), "pad", sym_raise_tuple (window.pads, window.n),
      "adj", sym_raise_tuple (extra, window.n), "num_filter",
      sym_value_new_int (weight.dims[1] * groups), "num_group", sym_value_new_int (groups),
      "no_bias", sym_value_new_bool (!has_bias), NULL);
  for (int i = 0; i < window.n; i++)
    if (begin[i] > 0 || end[i] > 0)
      x = sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (i + 2),
                                "begin", sym_value_new_int (begin[i]), "end",
                                end[i] > 0 ? sym_value_new_int (-end[i]) : sym_value_new_none (),
                                NULL);
  sym_raise_set_result (self, 0, x);
}

static void
raise_pool (SymRaise *self)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "MaxPool") == 0;
  gboolean counts = sym_raise_get_int (self, "count_include_pad", 0) != 0;
  SymId x;
  SymRaiseWindow window;

  if (!sym_raise_read_window (self, FALSE, &window) || !sym_raise_settle_pads (self, &window))
    return;
  for (int i = 0; i < window.n; i++)
    if (window.dilation[i] != 1)
      sym_raise_fail (self, "MXNet has no holes in windows");
  if ((!is_max && !counts && !sym_raise_is_even (&window)) ||
      (!sym_raise_is_even (&window) && sym_raise_get_int (self, "ceil_mode", 0) != 0) ||
      sym_raise_count_results (self) > 1)
    sym_raise_fail (self, "MXNet adds as much at both ends, and tells no places");
  x = pad_apart (self, &window, is_max ? -3.402823466e38 : 0);
  sym_mxnet_raise_finish (
      self, "Pooling", &x, 1, "kernel", sym_raise_tuple (window.kernel, window.n), "pool_type",
      sym_value_new_string (is_max ? "max" : "avg"), "stride",
      sym_raise_tuple (window.stride, window.n), "pad", sym_raise_tuple (window.pads, window.n),
      "pooling_convention",
      sym_value_new_string (sym_raise_get_int (self, "ceil_mode", 0) != 0 ? "full" : "valid"),
      is_max ? NULL : "count_include_pad", is_max ? NULL : sym_value_new_bool (counts), NULL);
}

static void
raise_global (SymRaise *self)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "GlobalMaxPool") == 0;
  gint64 ones[SYM_RAISE_MAX_WINDOW] = { 1, 1, 1 };
  int n = sym_raise_get_shape (self, 0).rank - 2;
  SymId x = sym_raise_operand (self, 0);

  if (n < 1 || n > SYM_RAISE_MAX_WINDOW)
    sym_raise_fail (self, "the data must have 3 to 5 axes");
  else
    sym_mxnet_raise_finish (self, "Pooling", &x, 1, "kernel", sym_raise_tuple (ones, n),
                            "pool_type", sym_value_new_string (is_max ? "max" : "avg"),
                            "global_pool", sym_value_new_bool (TRUE), NULL);
}

/* An order of the axes in which the first two are none that @pads adds to, as MXNet has it; the
 * others follow as they are.  FALSE when there are no such two. */
static gboolean
find_order (const gint64 *pads, int rank, gint64 *order)
{
  int n = 0;

  for (int i = 0; i < rank && n < 2; i++)
    if (pads[i] == 0 && pads[i + rank] == 0)
      order[n++] = i;
  if (n < 2)
    return FALSE;
  for (int i = 0; i < rank; i++)
    if (i != order[0] && i != order[1])
      order[n++] = i;
  return TRUE;
}

#define MAX_PADDED (SYM_RAISE_MAX_WINDOW + 2)

/* Between two transposes where the first two axes do not stay as they are. */
static SymId
add_pads (SymRaise *self, SymId x, int rank, const gint64 *pads, const char *mode, double number)
{
  gint64 order[MAX_PADDED], back[MAX_PADDED], widths[2 * MAX_PADDED];
  gboolean is_moved;

  find_order (pads, rank, order);
  for (int i = 0; i < rank; i++)
    {
      back[order[i]] = i;
      widths[2 * i] = pads[order[i]];
      widths[2 * i + 1] = pads[order[i] + rank];
    }
  is_moved = order[0] != 0 || order[1] != 1;
  if (is_moved)
    x = sym_mxnet_raise_call (self, "transpose", &x, 1, "axes", sym_raise_tuple (order, rank),
                              NULL);
  x = sym_mxnet_raise_layer (self, "Pad", &x, 1, "mode", sym_value_new_string (mode), "pad_width",
                             sym_raise_tuple (widths, 2 * rank), "constant_value",
                             sym_value_new_float (number), NULL);
  return is_moved ? sym_mxnet_raise_call (self, "transpose", &x, 1, "axes",
                                          sym_raise_tuple (back, rank), NULL)
                  : x;
}

/* How many axes of one before its own the data needs, so that MXNet adds to them; -1 for none that
 * would do. */
static int
widen_pads (const gint64 *pads, int rank, gint64 *wide)
{
  gint64 order[MAX_PADDED];

  for (int all = MAX (rank, 4); all <= MAX_PADDED; all++)
    {
      for (int i = 0; i < all; i++)
        {
          wide[i] = i < all - rank ? 0 : pads[i - (all - rank)];
          wide[i + all] = i < all - rank ? 0 : pads[i - (all - rank) + rank];
        }
      if (find_order (wide, all, order))
        return all - rank;
    }
  return -1;
}

static void
finish_pad (SymRaise *self, int rank, const gint64 *pads, const char *mode, double number)
{
  gint64 wide[2 * MAX_PADDED], axes[MAX_PADDED] = { 0, 1, 2, 3, 4 };
  int n = widen_pads (pads, rank, wide);
  SymId x;

  if (n < 0)
    {
      sym_raise_fail (self, "MXNet adds to two axes of four and three of five");
      return;
    }
  x = add_pads (self, sym_mxnet_raise_widen (self, 0, rank + n), rank + n, wide, mode, number);
  if (n > 0)
    x = sym_mxnet_raise_call (self, "squeeze", &x, 1, "axis", sym_raise_tuple (axes, n), NULL);
  sym_raise_set_result (self, 0, x);
}

/* Widths of all axes, where those of some may be told. */
static gboolean
read_pads (SymRaise *self, int rank, gint64 *pads)
{
  gint64 given[2 * MAX_PADDED], axes[MAX_PADDED], axis;
  int n = sym_raise_get_ints (self, "pads", 1, given, 2 * MAX_PADDED);
  int n_axes = sym_raise_get_ints (self, NULL, 3, axes, MAX_PADDED);

  if (!sym_raise_has (self, 3))
    for (n_axes = 0; n_axes < rank; n_axes++)
      axes[n_axes] = n_axes;
  if (n_axes < 0 || n != 2 * n_axes)
    return FALSE;
  for (int i = 0; i < 2 * rank; i++)
    pads[i] = 0;
  for (int i = 0; i < n_axes; i++)
    {
      if (!sym_raise_find_axis (self, axes[i], &axis))
        return FALSE;
      pads[axis] = given[i];
      pads[axis + rank] = given[i + n_axes];
    }
  return TRUE;
}

static void
raise_pad (SymRaise *self)
{
  const char *mode =
      sym_attributes_get_string (sym_raise_get_attributes (self), "mode", "constant");
  int rank = sym_raise_get_shape (self, 0).rank;
  gint64 pads[2 * MAX_PADDED];
  double number = 0;

  if (rank < 1 || rank > MAX_PADDED || strcmp (mode, "wrap") == 0 ||
      !read_pads (self, rank, pads) ||
      (sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &number)))
    {
      sym_raise_fail (self, "MXNet pads data of up to 5 axes, as much as is told beforehand");
      return;
    }
  for (int i = 0; i < 2 * rank; i++)
    if (pads[i] < 0)
      {
        sym_raise_fail (self, "MXNet takes nothing away by padding");
        return;
      }
  finish_pad (self, rank, pads, mode, sym_raise_get_float (self, "value", number));
}

/* ---- Normalization ---- */

static void
raise_batch_norm (SymRaise *self)
{
  SymId operands[5];

  if (sym_raise_get_int (self, "training_mode", 0) != 0 ||
      sym_raise_get_int (self, "spatial", 1) == 0 || sym_raise_count_results (self) > 1)
    {
      sym_raise_fail (self, "it trains");
      return;
    }
  for (guint i = 0; i < 5; i++)
    operands[i] =
        i < 3 ? sym_raise_operand (self, i) : sym_raise_operand_as (self, i, SYM_ROLE_AUXILIARY);
  sym_mxnet_raise_finish (self, "BatchNorm", operands, 5, "eps",
                          sym_value_new_float (sym_raise_get_float (self, "epsilon", 1e-5)),
                          "fix_gamma", sym_value_new_bool (FALSE), "use_global_stats",
                          sym_value_new_bool (TRUE), NULL);
}

static void
raise_sample_norm (SymRaise *self)
{
  gboolean is_layer = strcmp (sym_raise_get_type (self), "LayerNormalization") == 0;
  int rank = sym_raise_get_shape (self, 0).rank;
  gint64 axis = sym_raise_get_int (self, "axis", -1);
  SymId operands[3];

  if (sym_raise_count_results (self) > 1 || !sym_raise_has (self, 2) ||
      (is_layer && axis != -1 && axis != rank - 1))
    {
      sym_raise_fail (self, "MXNet's takes one axis, with a factor and a summand");
      return;
    }
  for (guint i = 0; i < 3; i++)
    operands[i] = sym_raise_operand (self, i);
  sym_mxnet_raise_finish (self, is_layer ? "LayerNorm" : "InstanceNorm", operands, 3, "eps",
                          sym_value_new_float (sym_raise_get_float (self, "epsilon", 1e-5)), NULL);
}

static void
raise_local_norm (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  sym_mxnet_raise_finish (self, "LRN", &x, 1, "nsize",
                          sym_value_new_int (sym_raise_get_int (self, "size", 1)), "alpha",
                          sym_value_new_float (sym_raise_get_float (self, "alpha", 1e-4)), "beta",
                          sym_value_new_float (sym_raise_get_float (self, "beta", 0.75)), "knorm",
                          sym_value_new_float (sym_raise_get_float (self, "bias", 1)), NULL);
}

const SymRaiseRule sym_mxnet_raise_windows[] = {
  { "AveragePool", 1, raise_pool },
  { "BatchNormalization", 5, raise_batch_norm },
  { "Conv", 3, raise_conv },
  { "ConvTranspose", 3, raise_transposed },
  { "GlobalAveragePool", 1, raise_global },
  { "GlobalMaxPool", 1, raise_global },
  { "InstanceNormalization", 3, raise_sample_norm },
  { "LRN", 1, raise_local_norm },
  { "LayerNormalization", 3, raise_sample_norm },
  { "MaxPool", 1, raise_pool },
  { "Pad", 1, raise_pad },
  { NULL },
};
