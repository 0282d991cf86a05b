/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Pad: elements put around a tensor, or taken away where their number is negative. */

#define MODE_2                                                                             \
  {                                                                                        \
    "mode", SYM_ATTRIBUTE_STRING, "constant", "what is put there", "constant reflect edge" \
  }
#define MODE_19                                                                                 \
  {                                                                                             \
    "mode", SYM_ATTRIBUTE_STRING, "constant", "what is put there", "constant reflect edge wrap" \
  }

static const SymAttributeSpec attributes_1[] = {
  MODE_2,
  { "paddings", SYM_ATTRIBUTE_INTS, NULL, "elements before each axis, then behind each" },
  { "value", SYM_ATTRIBUTE_FLOAT, "0.0", "what constant padding consists of" },
  { NULL },
};

static const SymAttributeSpec attributes_2[] = {
  MODE_2,
  { "pads", SYM_ATTRIBUTE_INTS, NULL, "elements before each axis, then behind each" },
  { "value", SYM_ATTRIBUTE_FLOAT, "0.0", "what constant padding consists of" },
  { NULL },
};

static const SymAttributeSpec attributes_11[] = { MODE_2, { NULL } };
static const SymAttributeSpec attributes_19[] = { MODE_19, { NULL } };

static const SymSlotSpec slots_1[] = { { "data" }, { NULL } };
static const SymSlotSpec slots_11[] = {
  { "data" },
  { "pads" },
  { "constant_value", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec slots_18[] = {
  { "data" }, { "pads" }, { "constant_value", .optional = TRUE }, { "axes", .optional = TRUE },
  { NULL },
};

/* The numbers of `pads` as they lie before and behind each axis. */
static gboolean
sort_out (const gint64 *pads,
          int n,
          const gint64 *axes,
          int n_axes,
          int rank,
          gint64 *before,
          gint64 *after,
          GError **error)
{
  int count = n_axes < 0 ? rank : n_axes;

  for (int i = 0; i < rank; i++)
    before[i] = after[i] = 0;
  if (n != 2 * count)
    return sym_kernel_fail (error, "pads has %d numbers for %d axes", n, count);
  for (int i = 0; i < count; i++)
    {
      int axis = i;

      if (n_axes >= 0 && !sym_op_find_axis (axes[i], rank, &axis, error))
        return FALSE;
      if (ABS (pads[i] / 2) > G_MAXINT64 / 8 || ABS (pads[count + i] / 2) > G_MAXINT64 / 8)
        return sym_kernel_fail (error, "pads of axis %d are out of range", axis);
      before[axis] = pads[i];
      after[axis] = pads[count + i];
    }
  return TRUE;
}

static const char *
get_pads_name (int version)
{
  return version < 2 ? "paddings" : "pads";
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape to = sym_rule_get_input (rule, 0);
  gint64 pads[2 * SYM_MAX_RANK], axes[SYM_MAX_RANK], before[SYM_MAX_RANK], after[SYM_MAX_RANK];
  int version = sym_rule_get_version (rule), n, n_axes = -1;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (to.rank < 0)
    return TRUE;
  n = version < 11 ? sym_rule_get_ints (rule, get_pads_name (version), pads, 2 * SYM_MAX_RANK)
                   : sym_rule_get_input_ints (rule, 1, pads, 2 * SYM_MAX_RANK);
  if (version >= 18 && sym_rule_has_input (rule, 3) &&
      (n_axes = sym_rule_get_input_ints (rule, 3, axes, SYM_MAX_RANK)) < 0)
    n = -1;
  if (n < 0 || n_axes > SYM_MAX_RANK || n > 2 * SYM_MAX_RANK)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (to.rank), SYM_DTYPE_UNKNOWN, error);
  if (!sort_out (pads, n, axes, n_axes, to.rank, before, after, error))
    return FALSE;
  for (int i = 0; i < to.rank; i++)
    {
      gint64 more = before[i] + after[i];

      if (to.dims[i] >= 0 && to.dims[i] < -more)
        return sym_rule_fail (error,
                              "pads take away %" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT
                              " that axis %d has",
                              -more, to.dims[i], i);
      to.dims[i] = more < 0 ? sym_terms_subtract (terms, to.dims[i], -more)
                            : sym_terms_add (terms, to.dims[i], more);
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

/* ---- Kernel ---- */

typedef enum { CONSTANT, REFLECT, EDGE, WRAP } Mode;

static gboolean
find_mode (SymKernel *kernel, Mode *mode, GError **error)
{
  static const char *const names[] = { "constant", "reflect", "edge", "wrap" };
  const char *name = sym_kernel_get_string (kernel, "mode", "constant");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *mode = (Mode) i;
        return TRUE;
      }
  return sym_kernel_fail (error, "there is no mode \"%s\"", name);
}

/* Which of @size elements stands at place @i, that may be before and behind them; -1 for none. */
static gint64
find_source (gint64 i, gint64 size, Mode mode)
{
  gint64 period;

  if (i >= 0 && i < size)
    return i;
  if (mode == CONSTANT)
    return -1;
  if (mode == EDGE)
    return i < 0 ? 0 : size - 1;
  period = mode == WRAP ? size : MAX (2 * (size - 1), 1);
  i %= period;
  i = i < 0 ? i + period : i;
  return mode == WRAP || i < size ? i : period - i;
}

/* For each place along an axis of the result the one of the data, -1 for none. */
static gint64 *
map_axis (SymKernel *kernel,
          gint64 size,
          gint64 before,
          gint64 after,
          gint64 n,
          Mode mode,
          GError **error)
{
  gint64 first = MAX (-before, 0), kept = size - first - MAX (-after, 0);
  gint64 *map = sym_kernel_get_scratch (kernel, (gsize) n, sizeof (gint64), error);

  if (map == NULL)
    return NULL;
  if (kept <= 0 && mode != CONSTANT)
    {
      sym_kernel_fail (error, "there is nothing to pad with: an axis has no elements");
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    {
      gint64 source = find_source (i - MAX (before, 0), kept, mode);

      map[i] = source < 0 ? -1 : source + first;
    }
  return map;
}

/* A row of the result: stretches of neighbours, and single elements between them. */
static gboolean
fill_row (SymKernel *kernel,
          gsize *done,
          SymArray *y,
          gsize i,
          const SymArray *x,
          gsize place,
          const gint64 *map,
          gsize n,
          const SymArray *fill,
          GError **error)
{
  for (gsize k = 0; k < n;)
    {
      gsize end = k + 1;

      if (!sym_op_go_on (kernel, done, 1, error))
        return FALSE;
      if (place == G_MAXSIZE || map[k] < 0)
        {
          sym_op_move (y, i + k++, fill, 0, 1);
          continue;
        }
      while (end < n && map[end] == map[k] + (gint64) (end - k))
        end++;
      if (!sym_op_move_on (kernel, done, y, i + k, x, place + (gsize) map[k], end - k, error))
        return FALSE;
      k = end;
    }
  return TRUE;
}

static gboolean
pad (SymKernel *kernel,
     const SymArray *x,
     SymArray *y,
     gint64 *const *maps,
     const SymArray *fill,
     GError **error)
{
  int rank = y->shape.rank;
  gsize total = sym_array_get_n_elements (y), row = (gsize) y->shape.dims[rank - 1], done = 0;
  gint64 index[SYM_MAX_RANK] = { 0 }, strides[SYM_MAX_RANK];

  sym_op_get_strides (&x->shape, strides);
  for (gsize i = 0; i < total; i += row)
    {
      gsize place = 0;

      for (int axis = 0; axis < rank - 1 && place != G_MAXSIZE; axis++)
        {
          gint64 source = maps[axis][index[axis]];

          place = source < 0 ? G_MAXSIZE : place + (gsize) (source * strides[axis]);
        }
      if (!fill_row (kernel, &done, y, i, x, place, maps[rank - 1], row, fill, error))
        return FALSE;
      for (int axis = rank - 1; axis-- > 0;)
        {
          if (++index[axis] < y->shape.dims[axis])
            break;
          index[axis] = 0;
        }
    }
  return TRUE;
}

/* The element that constant padding consists of. */
static SymDatum *
read_fill (SymKernel *kernel, const SymArray *x, GError **error)
{
  const SymArray *given = NULL;
  SymDatum *fill;
  SymArray *array;

  if (sym_kernel_get_version (kernel) >= 11 && sym_kernel_has_input (kernel, 2))
    {
      given = sym_kernel_need_input (kernel, 2, error);
      if (given == NULL)
        return NULL;
      if (given->dtype != x->dtype || sym_array_get_n_elements (given) != 1)
        {
          sym_kernel_fail (error, "constant_value must be one %s", sym_dtype_to_string (x->dtype));
          return NULL;
        }
    }
  fill = sym_datum_new (x->dtype, &SYM_SHAPE (), error);
  if (fill == NULL)
    return NULL;
  array = (SymArray *) sym_datum_get_array (fill);
  if (given != NULL)
    sym_op_move (array, 0, given, 0, 1);
  else if (x->dtype != SYM_DTYPE_STRING)
    sym_element_set_double (x->dtype, array->data, 0, sym_kernel_get_float (kernel, "value", 0));
  return fill;
}

static gboolean
read_pads (SymKernel *kernel, int rank, gint64 *before, gint64 *after, GError **error)
{
  gint64 pads[2 * SYM_MAX_RANK], axes[SYM_MAX_RANK];
  int version = sym_kernel_get_version (kernel), n, n_axes = -1;

  if (version < 11)
    n = sym_kernel_get_ints (kernel, get_pads_name (version), pads, 2 * SYM_MAX_RANK);
  else if (sym_kernel_need_input (kernel, 1, error) == NULL ||
           !sym_kernel_read_ints (kernel, 1, pads, 2 * SYM_MAX_RANK, &n, error))
    return FALSE;
  if (version >= 18 && !sym_kernel_read_ints (kernel, 3, axes, SYM_MAX_RANK, &n_axes, error))
    return FALSE;
  return sort_out (pads, n, axes, n_axes, rank, before, after, error);
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 before[SYM_MAX_RANK], after[SYM_MAX_RANK], *maps[SYM_MAX_RANK];
  g_autoptr (SymDatum) fill = NULL;
  SymShape to;
  SymArray *y;
  Mode mode = CONSTANT;

  if (x == NULL || !find_mode (kernel, &mode, error) ||
      !read_pads (kernel, x->shape.rank, before, after, error))
    return FALSE;
  to = x->shape;
  for (int i = 0; i < to.rank; i++)
    {
      gint64 more = before[i] + after[i];

      if (more > G_MAXINT64 - to.dims[i] || to.dims[i] + more < 0)
        return sym_kernel_fail (
            error, "axis %d of %" G_GINT64_FORMAT " cannot become %" G_GINT64_FORMAT " longer", i,
            to.dims[i], more);
      to.dims[i] += more;
    }
  fill = read_fill (kernel, x, error);
  if (fill == NULL || (y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error)) == NULL)
    return FALSE;
  if (sym_array_get_n_elements (y) == 0)
    return TRUE;
  if (to.rank == 0)
    return sym_kernel_pass (kernel, 0, 0, NULL, error);
  for (int i = 0; i < to.rank; i++)
    if ((maps[i] = map_axis (kernel, x->shape.dims[i], before[i], after[i], to.dims[i], mode,
                             error)) == NULL)
      return FALSE;
  return pad (kernel, x, y, maps, sym_datum_get_array (fill), error);
}

#define PAD(version_, attributes_, slots_)                                                    \
  {                                                                                           \
    SYM_OP_ONNX ("Pad", version_), .summary = "puts elements around a tensor",                \
                                   .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, \
                                   .slots = slots_, .infer = infer, .run = run                \
  }

const SymOperator sym_op_onnx_pad[] = {
  PAD (1, attributes_1, slots_1),    PAD (2, attributes_2, slots_1),
  PAD (11, attributes_11, slots_11), PAD (18, attributes_11, slots_18),
  PAD (19, attributes_19, slots_18), { 0 },
};
