/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

/* Layers with windows: convolutions and pooling. */

/* ---- Pads ---- */

typedef enum { WITHOUT, SAME, APART } Padding;

/* What Keras says of the pads: nothing is added; what it adds by itself; or something else. */
static Padding
classify (SymRaise *self, SymRaiseWindow *window)
{
  const char *automatic = sym_raise_get_string (self, "auto_pad", "NOTSET");
  SymShape shape = sym_raise_get_shape (self, 0);
  gboolean is_none = TRUE, is_same = TRUE;
  gint64 pads[2];

  if (strcmp (automatic, "SAME_UPPER") == 0)
    return SAME;
  sym_raise_settle_pads (self, window);
  for (int i = 0; i < window->n; i++)
    {
      gint64 before = window->pads[i], after = window->pads[i + window->n];

      is_none = is_none && before == 0 && after == 0;
      is_same = is_same && sym_raise_get_same (window, i, shape.dims[i + 2], TRUE, pads) &&
                before == pads[0] && after == pads[1];
      if (before < 0 || after < 0)
        sym_raise_fail (self, "Keras cuts nothing off");
    }
  return is_none ? WITHOUT : is_same ? SAME : APART;
}

/* Pairs of what is added before and behind each of @n axes. */
static SymValue *
make_pairs (const gint64 *before, const gint64 *after, int n)
{
  SymValue *pairs[SYM_MAX_RANK];

  for (int i = 0; i < n; i++)
    {
      gint64 pair[] = { before[i], after[i] };

      pairs[i] = sym_value_new_ints (SYM_VALUE_LIST, pair, 2);
    }
  return sym_value_new_list (pairs, (guint) n);
}

/* @number around the axes behind the channels.  Layers know zeros alone, and those of one axis no
 * channels before it. */
static SymId
add_around (SymRaise *self, gboolean is_last, SymId x, const gint64 *pads, int n, double number)
{
  g_autofree char *type = sym_keras_raise_type ("ZeroPadding", n, "");
  gint64 before[SYM_RAISE_MAX_WINDOW + 2] = { 0 }, after[SYM_RAISE_MAX_WINDOW + 2] = { 0 };

  if (number == 0 && n > 1)
    return sym_keras_raise_layer (self, is_last, type, x, "padding", make_pairs (pads, pads + n, n),
                                  "data_format", sym_keras_raise_first (), NULL);
  memcpy (before + 2, pads, (gsize) n * sizeof *pads);
  memcpy (after + 2, pads + n, (gsize) n * sizeof *pads);
  return sym_keras_raise_called (
      self, is_last, "Pad", x, "constant_values", sym_value_new_float (number), "pad_width",
      make_pairs (before, after, n + 2), "mode", sym_value_new_string ("constant"), NULL);
}

/* Pads around the data where Keras does not add them by itself; the window has none then. */
static SymId
pad_apart (SymRaise *self, SymRaiseWindow *window, double number, const char **padding)
{
  SymId x = sym_raise_operand (self, 0);
  Padding kind = classify (self, window);

  *padding = kind == SAME ? "same" : "valid";
  return kind == APART ? add_around (self, FALSE, x, window->pads, window->n, number) : x;
}

/* ---- Convolutions ---- */

/* A number for each channel that is added to what the layer makes, which nothing else uses. */
static gboolean
find_bias (SymRaise *self, int n, gint64 channels, SymKerasWeight *bias, SymId *sum)
{
  SymModel *model = sym_raise_get_model (self);
  SymId call = sym_raise_has (self, 2) ? SYM_NO_ID : sym_raise_find_follower (self);
  const SymOperator *op =
      call == SYM_NO_ID ? NULL : sym_layer_get_operator (sym_model_get_layer (model, call));
  SymShape flat = { .rank = 1, .dims = { channels } };
  SymIds operands;
  guint other;

  if (op == NULL || *op->domain != '\0' || strcmp (op->name, "Add") != 0)
    return FALSE;
  operands = sym_model_get_operands (model, call);
  other = operands.ids[0] == sym_raise_get_result_value (self, 0) ? 1 : 0;
  *sum = sym_model_get_results (model, call).ids[0];
  if (!sym_keras_raise_find_weight_of (self, operands.ids[other], bias) ||
      bias->shape.rank < n + 1 || bias->shape.rank > n + 2)
    return FALSE;
  for (int i = 0; i < bias->shape.rank; i++)
    if (bias->shape.dims[i] != (i == bias->shape.rank - n - 1 ? channels : 1))
      return FALSE;
  sym_keras_weight_reshape (bias, &flat);
  return TRUE;
}

/* The bias of operand 2, or of a sum behind the layer, which is @sum then; FALSE, and an error, for
 * one that is no weight. */
static gboolean
read_bias (SymRaise *self, int n, gint64 channels, SymKerasWeight *bias, gboolean *has, SymId *sum)
{
  *sum = SYM_NO_ID;
  *has = find_bias (self, n, channels, bias, sum);
  if (!*has)
    {
      sym_keras_weight_clear (bias);
      *sum = SYM_NO_ID;
    }
  if (!sym_raise_has (self, 2))
    return TRUE;
  *has = TRUE;
  if (sym_keras_raise_find_weight (self, 2, bias) && bias->shape.rank == 1 &&
      bias->shape.dims[0] == channels)
    return TRUE;
  sym_raise_fail (self, "its bias is no weight of a layer");
  return FALSE;
}

/* [out, in, window...] as [window..., in, out]; of a transposed one both channels are the other way
 * round. */
static void
turn_kernel (SymKerasWeight *kernel, int n)
{
  int axes[SYM_RAISE_MAX_WINDOW + 2];

  for (int i = 0; i < n; i++)
    axes[i] = i + 2;
  axes[n] = 1;
  axes[n + 1] = 0;
  sym_keras_weight_turn (kernel, axes);
}

/* [in * m, 1, window...] as [window..., in, m]. */
static void
part_kernel (SymKerasWeight *kernel, int n, gint64 in)
{
  SymShape shape = { .rank = n + 2, .dims = { in, kernel->shape.dims[0] / in } };
  int axes[SYM_RAISE_MAX_WINDOW + 2] = { 0 };

  for (int i = 0; i < n; i++)
    {
      shape.dims[i + 2] = kernel->shape.dims[i + 2];
      axes[i] = i + 2;
    }
  axes[n] = 0;
  axes[n + 1] = 1;
  sym_keras_weight_reshape (kernel, &shape);
  sym_keras_weight_turn (kernel, axes);
}

static gboolean
is_one (const gint64 *values, int n)
{
  for (int i = 0; i < n; i++)
    if (values[i] != 1)
      return FALSE;
  return TRUE;
}

/* Whether Keras' layer of one filter for each channel does it: it takes equal steps. */
static gboolean
is_depthwise (const SymRaiseWindow *window, gint64 groups, gint64 in)
{
  for (int i = 1; i < window->n; i++)
    if (window->stride[i] != window->stride[0])
      return FALSE;
  return groups > 1 && groups == in && window->n < 3;
}

static SymValue *
list (const gint64 *values, int n)
{
  return sym_value_new_ints (SYM_VALUE_LIST, values, (guint) n);
}

static SymId
put_conv (SymRaise *self,
          const SymRaiseWindow *window,
          SymId x,
          const char *padding,
          SymKerasWeight *kernel,
          SymKerasWeight *bias)
{
  gint64 groups = sym_raise_get_int (self, "group", 1), out = kernel->shape.dims[0];
  gboolean is_deep = is_depthwise (window, groups, kernel->shape.dims[1] * groups);
  g_autofree char *type = sym_keras_raise_type (is_deep ? "DepthwiseConv" : "Conv", window->n, "");
  SymKerasWeight *weights[] = { kernel, bias };

  if (is_deep)
    part_kernel (kernel, window->n, groups);
  else
    turn_kernel (kernel, window->n);
  return sym_keras_raise_weighted (
      self, TRUE, type, x, weights, 2, is_deep ? "depth_multiplier" : "filters",
      sym_value_new_int (is_deep ? out / groups : out), "kernel_size",
      list (window->kernel, window->n), "strides", list (window->stride, window->n), "padding",
      sym_value_new_string (padding), "data_format", sym_keras_raise_first (), "dilation_rate",
      list (window->dilation, window->n), "use_bias", sym_value_new_bool (bias != NULL),
      is_deep ? NULL : "groups", is_deep ? NULL : sym_value_new_int (groups), NULL);
}

static void
raise_conv (SymRaise *self)
{
  g_auto (SymKerasWeight) kernel = { 0 };
  g_auto (SymKerasWeight) bias = { 0 };
  gint64 groups = sym_raise_get_int (self, "group", 1);
  const char *padding;
  SymRaiseWindow window = { 0 };
  gboolean has_bias;
  SymId x, made, sum;

  if (!sym_raise_read_window (self, TRUE, &window))
    return;
  if (!sym_keras_raise_find_weight (self, 1, &kernel) || kernel.shape.rank != window.n + 2 ||
      groups < 1 || kernel.shape.dims[0] < groups || kernel.shape.dims[0] % groups != 0)
    sym_raise_fail (self, "its kernel is no weight of a layer");
  else if (!is_one (window.stride, window.n) && !is_one (window.dilation, window.n))
    sym_raise_fail (self, "Keras takes no steps with holes in the window");
  else if (read_bias (self, window.n, kernel.shape.dims[0], &bias, &has_bias, &sum))
    {
      x = pad_apart (self, &window, 0, &padding);
      made = put_conv (self, &window, x, padding, &kernel, has_bias ? &bias : NULL);
      if (sum != SYM_NO_ID)
        sym_raise_set_made (self, sum, made);
    }
}

/* The edges of @x of @n axes without @cut, before and behind. */
static SymId
cut_edges (SymRaise *self, SymId x, const gint64 *cut, int n)
{
  g_autofree char *type = sym_keras_raise_type ("Cropping", n, "");

  return sym_keras_raise_layer (self, TRUE, type, x, "cropping", make_pairs (cut, cut + n, n),
                                "data_format", sym_keras_raise_first (), NULL);
}

/* What pads cut off of what `valid` makes; FALSE when Keras makes less than that. */
static gboolean
read_cut (SymRaise *self, SymRaiseWindow *window, gint64 *extra, gboolean *cuts)
{
  if (strcmp (sym_raise_get_string (self, "auto_pad", "NOTSET"), "NOTSET") != 0 ||
      sym_attributes_find (sym_raise_get_attributes (self), "output_shape") != NULL ||
      !sym_raise_read_list (self, "output_padding", window->n, 0, extra))
    return FALSE;
  *cuts = FALSE;
  for (int i = 0; i < window->n; i++)
    {
      gint64 before = window->pads[i], *after = &window->pads[i + window->n];
      gint64 taken = MIN (extra[i], *after);

      if (extra[i] < 0 || extra[i] > G_MAXINT32)
        return FALSE;
      /* What is added at the end need not be cut off there. */
      *after -= taken;
      extra[i] -= taken;
      if (before < 0 || *after < 0 || extra[i] < 0 || extra[i] >= window->stride[i] ||
          window->kernel[i] < window->stride[i])
        return FALSE;
      *cuts = *cuts || before > 0 || *after > 0;
    }
  return window->n > 1 || !*cuts;
}

static SymId
put_transposed (SymRaise *self,
                const SymRaiseWindow *window,
                const gint64 *extra,
                SymKerasWeight *kernel,
                SymKerasWeight *bias,
                gboolean cuts)
{
  g_autofree char *type = sym_keras_raise_type ("Conv", window->n, "Transpose");
  SymKerasWeight *weights[] = { kernel, bias };
  gint64 out = kernel->shape.dims[1];
  gboolean has_extra = FALSE;
  SymId made;

  for (int i = 0; i < window->n; i++)
    has_extra = has_extra || extra[i] != 0;
  turn_kernel (kernel, window->n);
  made = sym_keras_raise_weighted (
      self, !cuts, type, sym_raise_operand (self, 0), weights, 2, "filters",
      sym_value_new_int (out), "kernel_size", list (window->kernel, window->n), "strides",
      list (window->stride, window->n), "padding", sym_value_new_string ("valid"), "data_format",
      sym_keras_raise_first (), "dilation_rate", list (window->dilation, window->n), "use_bias",
      sym_value_new_bool (bias != NULL), has_extra ? "output_padding" : NULL,
      has_extra ? list (extra, window->n) : NULL, NULL);
  return cuts ? cut_edges (self, made, window->pads, window->n) : made;
}

static void
raise_transposed (SymRaise *self)
{
  g_auto (SymKerasWeight) kernel = { 0 };
  g_auto (SymKerasWeight) bias = { 0 };
  gint64 extra[SYM_RAISE_MAX_WINDOW];
  gboolean has_bias, cuts = FALSE;
  SymRaiseWindow window = { 0 };
  SymId made, sum;

  if (!sym_raise_read_window (self, TRUE, &window))
    return;
  if (!sym_keras_raise_find_weight (self, 1, &kernel) || kernel.shape.rank != window.n + 2 ||
      sym_raise_get_int (self, "group", 1) != 1)
    sym_raise_fail (self, "its kernel is no weight of a layer, or in groups");
  else if (!read_cut (self, &window, extra, &cuts))
    sym_raise_fail (self, "Keras cuts something else off");
  else if (!is_one (window.stride, window.n) && !is_one (window.dilation, window.n))
    sym_raise_fail (self, "Keras takes no steps with holes in the window");
  else if (read_bias (self, window.n, kernel.shape.dims[1], &bias, &has_bias, &sum))
    {
      made = put_transposed (self, &window, extra, &kernel, has_bias ? &bias : NULL, cuts);
      if (sum != SYM_NO_ID)
        sym_raise_set_made (self, sum, made);
    }
}

/* ---- Pooling ---- */

#define MAX_BEFORE 16

static gboolean
is_in (const char *name, const char *const *names)
{
  return g_strv_contains (names, name);
}

/* Whether a value is never below 0, by the layer that makes it: zeros around it change no maximum.
 */
static gboolean
is_positive (SymModel *model, SymId value)
{
  static const char *const positive[] = { "Abs",     "Exp",      "HardSigmoid", "Relu", "Sigmoid",
                                          "Softmax", "Softplus", "Sqrt",        NULL };
  static const char *const passing[] = { "AveragePool",       "Dropout",   "Flatten",
                                         "GlobalAveragePool", "Identity",  "MaxPool",
                                         "Reshape",           "Slice",     "Squeeze",
                                         "Transpose",         "Unsqueeze", NULL };

  for (int i = 0; i < MAX_BEFORE; i++)
    {
      SymId call = sym_model_get_producer (model, value);
      const SymOperator *op =
          call == SYM_NO_ID ? NULL : sym_layer_get_operator (sym_model_get_layer (model, call));

      if (op == NULL || *op->domain != '\0')
        return FALSE;
      if (is_in (op->name, positive))
        return TRUE;
      if (!is_in (op->name, passing))
        return FALSE;
      value = sym_model_get_operands (model, call).ids[0];
    }
  return FALSE;
}

/* How much the last window reaches out beyond the pads when sizes are rounded up, which becomes
 * pads; FALSE when the size is not known.  A window that would start in the pads behind is none. */
static gboolean
round_up (SymRaise *self, SymRaiseWindow *window)
{
  SymShape shape = sym_raise_get_shape (self, 0);

  for (int i = 0; i < window->n; i++)
    {
      gint64 reach = (window->kernel[i] - 1) * window->dilation[i] + 1, stride = window->stride[i];
      gint64 size = shape.dims[i + 2], steps, more;

      if (size < 0 && stride > 1)
        return FALSE;
      if (stride == 1)
        continue;
      size += window->pads[i] + window->pads[i + window->n];
      steps = size < reach ? 0 : (size - reach + stride - 1) / stride;
      if (steps * stride >= shape.dims[i + 2] + window->pads[i])
        steps--;
      more = steps * stride + reach - size;
      window->pads[i + window->n] += MAX (more, 0);
    }
  return TRUE;
}

static void
put_pool (SymRaise *self, const SymRaiseWindow *window, SymId x, const char *padding)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "MaxPool") == 0;
  g_autofree char *type =
      sym_keras_raise_type (is_max ? "MaxPooling" : "AveragePooling", window->n, "");

  sym_keras_raise_layer (self, TRUE, type, x, "pool_size", list (window->kernel, window->n),
                         "strides", list (window->stride, window->n), "padding",
                         sym_value_new_string (padding), "data_format", sym_keras_raise_first (),
                         NULL);
}

static void
raise_max_pool (SymRaise *self)
{
  SymId value = sym_raise_get_value (self, 0);
  double around = is_positive (sym_raise_get_model (self), value) ? 0 : -3.4028234663852886e+38;
  const char *padding;
  SymRaiseWindow window = { 0 };
  SymId x;

  if (!sym_raise_read_window (self, FALSE, &window))
    return;
  if (!is_one (window.dilation, window.n))
    sym_raise_fail (self, "Keras has no holes in windows");
  else if (!sym_raise_has_one_result (self))
    sym_raise_fail (self, "Keras tells no places");
  else if (sym_raise_get_int (self, "ceil_mode", 0) != 0 && !round_up (self, &window))
    sym_raise_fail (self, "the size that is rounded up is not known");
  else
    {
      x = pad_apart (self, &window, around, &padding);
      put_pool (self, &window, x, padding);
    }
}

/* Pads count only where the layer says so, those that rounding up adds never. */
static void
raise_average_pool (SymRaise *self)
{
  gboolean counts = sym_raise_get_int (self, "count_include_pad", 0) != 0;
  SymRaiseWindow window = { 0 }, rounded;
  Padding kind;
  SymId x;

  if (!sym_raise_read_window (self, FALSE, &window))
    return;
  rounded = window;
  if (sym_raise_get_int (self, "ceil_mode", 0) != 0 &&
      (!round_up (self, &rounded) || (counts && memcmp (&rounded, &window, sizeof window) != 0)))
    sym_raise_fail (self, "Keras rounds sizes down");
  else if (!is_one (window.dilation, window.n))
    sym_raise_fail (self, "Keras has no holes in windows");
  if (sym_raise_has_failed (self))
    return;
  x = sym_raise_operand (self, 0);
  kind = classify (self, &rounded);
  if (kind == APART && !counts)
    sym_raise_fail (self, "Keras counts what is added around");
  else if (kind == WITHOUT || (kind == SAME && !counts))
    put_pool (self, &rounded, x, kind == SAME ? "same" : "valid");
  else
    {
      sym_raise_settle_pads (self, &rounded);
      x = add_around (self, FALSE, x, rounded.pads, rounded.n, 0);
      put_pool (self, &rounded, x, "valid");
    }
}

static void
raise_global (SymRaise *self)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "GlobalMaxPool") == 0;
  int n = sym_raise_get_shape (self, 0).rank - 2;
  g_autofree char *type =
      sym_keras_raise_type (is_max ? "GlobalMaxPooling" : "GlobalAveragePooling", n, "");

  if (n < 1 || n > SYM_RAISE_MAX_WINDOW)
    sym_raise_fail (self, "the data must have 3 to 5 axes");
  else
    sym_keras_raise_layer (self, TRUE, type, sym_raise_operand (self, 0), "data_format",
                           sym_keras_raise_first (), "keepdims", sym_value_new_bool (TRUE), NULL);
}

/* ---- Padding ---- */

static gboolean
is_around (const gint64 *pads, int rank)
{
  for (int i = 0; i < 2; i++)
    if (pads[i] != 0 || pads[i + rank] != 0)
      return FALSE;
  return rank >= 3 && rank <= 5;
}

static void
put_pad (SymRaise *self, const char *mode, const gint64 *pads, int rank, double number)
{
  gint64 around[2 * SYM_RAISE_MAX_WINDOW];
  SymId x = sym_raise_operand (self, 0);

  if (strcmp (mode, "constant") == 0 && number == 0 && is_around (pads, rank))
    {
      memcpy (around, pads + 2, (gsize) (rank - 2) * sizeof *pads);
      memcpy (around + rank - 2, pads + rank + 2, (gsize) (rank - 2) * sizeof *pads);
      add_around (self, TRUE, x, around, rank - 2, 0);
    }
  else if (strcmp (mode, "constant") == 0)
    sym_keras_raise_called (self, TRUE, "Pad", x, "constant_values", sym_value_new_float (number),
                            "pad_width", make_pairs (pads, pads + rank, rank), "mode",
                            sym_value_new_string (mode), NULL);
  else
    sym_keras_raise_operation (self, TRUE, "Pad", &x, 1, "pad_width",
                               make_pairs (pads, pads + rank, rank), "mode",
                               sym_value_new_string (mode), NULL);
}

static void
raise_pad (SymRaise *self)
{
  const char *mode = sym_raise_get_string (self, "mode", "constant");
  gboolean is_old = sym_raise_get_version (self) < 11;
  int rank = sym_raise_get_shape (self, 0).rank;
  gint64 pads[2 * SYM_MAX_RANK];
  double number = 0;

  if (rank < 1 || sym_raise_has (self, 3) ||
      (strcmp (mode, "constant") != 0 && strcmp (mode, "reflect") != 0) ||
      sym_raise_get_ints (self, "pads", 1, pads, 2 * rank) != 2 * rank ||
      (sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &number)))
    {
      sym_raise_fail (self, "Keras adds numbers, or what is mirrored, as much as is told");
      return;
    }
  for (int i = 0; i < 2 * rank; i++)
    if (pads[i] < 0)
      sym_raise_fail (self, "Keras cuts nothing off");
  if (!sym_raise_has_failed (self))
    put_pad (self, mode, pads, rank, is_old ? sym_raise_get_float (self, "value", 0) : number);
}

const SymRaiseRule sym_keras_raise_windows[] = {
  { "AveragePool", 1, raise_average_pool },
  { "Conv", 1, raise_conv },
  { "ConvTranspose", 1, raise_transposed },
  { "GlobalAveragePool", 1, raise_global },
  { "GlobalMaxPool", 1, raise_global },
  { "MaxPool", 1, raise_max_pool },
  { "Pad", 1, raise_pad },
  { NULL },
};
