/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

#include <string.h>

/* ---- Constants ---- */

static SymId
make_full (SymOpLower *self, SymDType dtype, SymId shape)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const char *text = sym_op_lower_get_string (self, "str_value", "");
  double value = sym_op_lower_get_float (self, "value", 0);

  if (sym_attributes_find (attributes, "value") == NULL && *text != '\0')
    value = g_ascii_strtod (text, NULL);
  return sym_op_lower_binary (self, "Expand", sym_op_lower_number (self, dtype, value), shape);
}

static void
lower_full (SymOpLower *self)
{
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "shape", sizes);
  SymId shape = sym_op_lower_ints (self, sizes, MAX (n, 0));

  if (n < 1 && sym_op_lower_has_input (self, 0))
    shape = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64);
  for (int i = 0; i < n; i++)
    if (sizes[i] < 0)
      sym_op_lower_refuse (self, "%s: a size is not known", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, make_full (self, dtype, shape));
}

static void
lower_full_like (SymOpLower *self)
{
  SymDType own = sym_op_lower_get_input_dtype (self, 0);
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", own);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (
      self, 0,
      make_full (self, dtype, sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0))));
}

/* One size is that of the operand. */
static void
lower_full_batch (SymOpLower *self)
{
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  gint64 sizes[SYM_MAX_RANK], from = sym_op_lower_get_int (self, "input_dim_idx", 0);
  gint64 to = sym_op_lower_get_int (self, "output_dim_idx", 0);
  int n = sym_op_foreign_list (self, "shape", sizes);

  if (to < 0 || to >= n)
    sym_op_lower_fail (self, "%s: there is no axis %" G_GINT64_FORMAT, sym_op_lower_get_type (self),
                       to);
  else
    sizes[to] = sym_op_foreign_size (self, 0, (int) CLAMP (from, -1, SYM_MAX_RANK));
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0, make_full (self, dtype, sym_op_lower_ints (self, sizes, n)));
}

static void
lower_int_array (SymOpLower *self)
{
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", SYM_DTYPE_INT64);
  gint64 values[64];
  int n = sym_op_lower_get_ints (self, "value", values, G_N_ELEMENTS (values));

  if (n < 0 || n > (int) G_N_ELEMENTS (values))
    sym_op_lower_refuse (self, "%s: %d integers are not lowered", sym_op_lower_get_type (self), n);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast_from (self, sym_op_lower_ints (self, values, CLAMP (n, 0, 64)),
                              SYM_DTYPE_INT64, dtype));
}

static double
get_number (const SymValue *list, guint i)
{
  double number = 0;

  sym_value_get_float (sym_value_get_child (list, i), &number);
  return number;
}

/* The list among the attributes whose name ends so: int32_values, fp32_values, values. */
static const SymValue *
find_values (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const SymValue *value = sym_attributes_get_value (attributes, i);

      if (g_str_has_suffix (sym_attributes_get_name (attributes, i), "values") &&
          sym_value_get_n_children (value) > 0)
        return value;
    }
  return NULL;
}

static void
lower_assign_value (SymOpLower *self)
{
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", SYM_DTYPE_FLOAT32);
  const SymValue *values = find_values (self);
  guint n = values == NULL ? 0 : sym_value_get_n_children (values);
  g_autofree double *numbers = g_new0 (double, n + 1);
  SymArray array = { SYM_DTYPE_FLOAT64, SYM_SHAPE (n), numbers };
  gint64 sizes[SYM_MAX_RANK];
  int rank = sym_op_foreign_list (self, "shape", sizes);
  SymId x;

  for (guint i = 0; i < n; i++)
    numbers[i] = get_number (values, i);
  x = sym_op_lower_cast_from (self, sym_op_lower_array (self, &array), SYM_DTYPE_FLOAT64, dtype);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, x, sizes, MAX (rank, 0), FALSE));
}

/* ---- Others ---- */

static void
lower_range (SymOpLower *self)
{
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", sym_op_lower_get_input_dtype (self, 0));
  SymId bounds[3];

  for (guint i = 0; i < 3; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      bounds[i] = sym_op_foreign_reshape (
          self, sym_op_lower_cast (self, sym_op_lower_input (self, i), dtype), NULL, 0, FALSE);
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Range", (SymIds){ bounds, 3 }, NULL));
}

static void
lower_one_hot (SymOpLower *self)
{
  gint64 depth =
      sym_op_lower_get_int (self, sym_op_foreign_choose (self, "num_classes", "depth", NULL), 0);
  float ends[] = { 0, 1 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), ends };
  SymShape one = SYM_SHAPE (1);

  if (depth < 1)
    sym_op_lower_refuse (self, "%s: the number of classes is not constant",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "OneHot",
                         SYM_IDS (sym_op_lower_input (self, 0),
                                  sym_op_lower_fill (self, SYM_DTYPE_INT64, &one, (double) depth),
                                  sym_op_lower_array (self, &array)),
                         NULL));
}

static void
lower_triangle (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean lower = g_str_equal (type, "tril") ||
                   (!g_str_equal (type, "triu") && sym_op_lower_get_bool (self, "lower", TRUE));
  SymId k = sym_op_lower_number (self, SYM_DTYPE_INT64,
                                 (double) sym_op_lower_get_int (self, "diagonal", 0));

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Trilu",
                                              SYM_IDS (sym_op_lower_input (self, 0), k), "upper",
                                              sym_value_new_int (!lower), NULL));
}

/* ---- Resizing ---- */

/* align_mode 1 reads at i / scale, 0 in the middle of elements. */
static const char *
get_coordinates (SymOpLower *self, gboolean is_nearest)
{
  gint64 mode = sym_op_lower_get_int (self, "align_mode", 1);

  if (sym_op_lower_get_bool (self, "align_corners", !is_nearest))
    return "align_corners";
  return is_nearest || (mode == 1 && strstr (sym_op_lower_get_type (self), "linear") != NULL)
             ? "asymmetric"
             : "half_pixel";
}

/* The sizes among the attributes; FALSE when there are none. */
static gboolean
read_sizes (SymOpLower *self, int n, gint64 *sizes)
{
  static const char *const names[] = { "out_d", "out_h", "out_w" };

  for (int i = 0; i < n; i++)
    sizes[i] = sym_op_lower_get_int (self, names[3 - n + i], -1);
  for (int i = 0; i < n; i++)
    if (sizes[i] < 1)
      return FALSE;
  return TRUE;
}

static gboolean
read_scales (SymOpLower *self, int n, double *scales)
{
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), "scale");
  guint given = value == NULL ? 0 : sym_value_get_n_children (value);
  double one = sym_op_lower_get_float (self, "scale", 0);

  for (int i = 0; i < n; i++)
    {
      scales[i] = given == (guint) n ? get_number (value, (guint) i)
                  : given == 1       ? get_number (value, 0)
                                     : one;
      if (!(scales[i] > 0))
        return FALSE;
    }
  return TRUE;
}

static void
lower_resize (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean is_nearest = strstr (type, "nearest") != NULL;
  const char *mode = is_nearest ? "nearest" : strstr (type, "cubic") != NULL ? "cubic" : "linear";
  int rank = sym_op_foreign_rank (self, 0);
  gint64 sizes[3];
  double scales[3];
  gboolean has_scales;

  if (rank < 3 || rank > 5)
    {
      sym_op_lower_fail (self, "%s: images have 3 to 5 axes, not %d", type, rank);
      return;
    }
  has_scales = read_scales (self, rank - 2, scales);
  if (!has_scales && !read_sizes (self, rank - 2, sizes))
    sym_op_lower_refuse (self, "%s: neither sizes nor scales are constant", type);
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 0,
                             sym_op_foreign_resize (self, sym_op_lower_input (self, 0),
                                                    sym_op_lower_get_input_shape (self, 0),
                                                    sym_op_paddle_is_channels_last (self), sizes,
                                                    has_scales ? scales : NULL, mode,
                                                    get_coordinates (self, is_nearest)));
}

/* ---- Tables ---- */

static const SymSlotSpec none[] = { { NULL } };
static const SymSlotSpec full_slots[] = { { "shape", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec like_slots[] = { { "X" }, { "value", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec batch_slots[] = { { "Input" }, { NULL } };
static const SymSlotSpec range_slots[] = { { "Start" }, { "End" }, { "Step" }, { NULL } };

static const SymSlotSpec hot_slots[] = {
  { "X" },
  { "num_classes", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec resize_slots[] = {
  { "X" },
  { "OutSize", SYM_SLOT_DATA, TRUE },
  { "SizeTensor", SYM_SLOT_DATA, TRUE },
  { "Scale", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec full_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "value", SYM_ATTRIBUTE_ANY, "0.0", "all numbers are this one; of a list, its numbers" },
  { "dtype", SYM_ATTRIBUTE_ANY, "'float32'", "of the numbers" },
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "num_classes", SYM_ATTRIBUTE_INT, "None", "the size of the new axis" },
  { "depth", SYM_ATTRIBUTE_INT, "None", "the same before Paddle 3" },
  { NULL },
};

static const SymAttributeSpec triangle_attributes[] = {
  { "diagonal", SYM_ATTRIBUTE_INT, "0", "up to which" },
  { "lower", SYM_ATTRIBUTE_BOOL, "True", "whether what is below it stays" },
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "out_d", SYM_ATTRIBUTE_INT, "-1", "depth of the result" },
  { "out_h", SYM_ATTRIBUTE_INT, "-1", "height of the result" },
  { "out_w", SYM_ATTRIBUTE_INT, "-1", "width of the result" },
  { "scale", SYM_ATTRIBUTE_ANY, "None", "factors, which go before the sizes" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "True", "whether the middles of the corners meet" },
  { "align_mode", SYM_ATTRIBUTE_INT, "1", "0: between the middles of elements" },
  { "data_layout", SYM_ATTRIBUTE_STRING, "NCHW", "where the channels are" },
  { NULL },
};

#define RESIZE(name_, aliases_, summary_) \
  PADDLE_LOWERED (name_, aliases_, summary_, SHAPE, resize_slots, resize_attributes, lower_resize)

const SymOperator sym_op_paddle_create[] = {
  PADDLE_LOWERED ("fill_constant",
                  "full",
                  "One number everywhere",
                  SHAPE,
                  full_slots,
                  full_attributes,
                  lower_full),
  PADDLE_LOWERED ("full_int_array",
                  NULL,
                  "A list of integers",
                  SHAPE,
                  none,
                  full_attributes,
                  lower_int_array),
  PADDLE_LOWERED ("fill_any_like",
                  "full_like",
                  "One number in the shape of another",
                  SHAPE,
                  like_slots,
                  full_attributes,
                  lower_full_like),
  PADDLE_LOWERED ("fill_constant_batch_size_like",
                  "full_batch_size_like",
                  "One number, as many as there are in a batch",
                  SHAPE,
                  batch_slots,
                  full_attributes,
                  lower_full_batch),
  PADDLE_LOWERED ("assign_value",
                  "assign_value_",
                  "Numbers of the file",
                  SHAPE,
                  none,
                  full_attributes,
                  lower_assign_value),
  PADDLE_LOWERED ("range",
                  "arange",
                  "Numbers in steps",
                  SHAPE,
                  range_slots,
                  full_attributes,
                  lower_range),
  PADDLE_LOWERED ("one_hot_v2",
                  "one_hot",
                  "1 at an index, 0 elsewhere",
                  SHAPE,
                  hot_slots,
                  hot_attributes,
                  lower_one_hot),
  PADDLE_LOWERED ("tril_triu",
                  "tril triu",
                  "A triangle of a matrix",
                  SHAPE,
                  sym_op_paddle_one,
                  triangle_attributes,
                  lower_triangle),
  RESIZE ("nearest_interp_v2", "nearest_interp", "Another size, by the nearest element"),
  RESIZE ("bilinear_interp_v2",
          "bilinear_interp linear_interp_v2 linear_interp trilinear_interp_v2 "
          "trilinear_interp",
          "Another size, by a mean of neighbours"),
  RESIZE ("bicubic_interp_v2", "bicubic_interp", "Another size, by cubic curves"),
  { NULL },
};
