/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

/* TOSA's operators by their names in its files, versions 0.20 to 1.0 (the specification of each).
 * Images have their channels last.  What 1.0 has as operands, older versions have as attributes. */

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  gint64 given[3];

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  window->channels_last = TRUE;
  sym_op_foreign_ints (self, "stride", window->n, 1, given);
  memcpy (window->stride, given, sizeof (gint64) * (gsize) window->n);
  sym_op_foreign_ints (self, "dilation", window->n, 1, given);
  memcpy (window->dilation, given, sizeof (gint64) * (gsize) window->n);
  sym_op_engine_margins (self, "pad", window);
  return !sym_op_lower_has_failed (self);
}

/* weight [out, window..., in] */
static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 axes[5] = { 0 };

  if (!begin (self, &window))
    return;
  axes[1] = window.n + 1;
  for (int i = 0; i < window.n; i++)
    axes[2 + i] = 1 + i;
  sym_op_engine_conv (self, &window, axes);
}

/* weight [h, w, C, M]: M results of each channel. */
static void
lower_depthwise (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 height, width, factor, sizes[4];
  SymId weight;

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  height = sym_op_foreign_size (self, 1, 0);
  width = sym_op_foreign_size (self, 1, 1);
  window.groups = sym_op_foreign_size (self, 1, 2);
  factor = sym_op_foreign_size (self, 1, 3);
  sizes[0] = sym_op_foreign_multiply (self, window.groups, factor);
  sizes[1] = 1;
  sizes[2] = height;
  sizes[3] = width;
  weight = sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 4, 2, 3, 0, 1);
  weight = sym_op_foreign_reshape (self, weight, sizes, 4, FALSE);
  sym_op_engine_set (self, sym_op_foreign_conv (self, &window, sym_op_engine_real (self, 0), weight,
                                                sym_op_engine_real (self, 2)));
}

/* weight [out, h, w, in]; out_pad is added to the result, which ONNX takes away. */
static void
lower_transpose_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  const gint64 none[3] = { 0 };
  SymId weight;

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_engine_margins (self, "out_pad", &window);
  for (int i = 0; i < window.n; i++)
    {
      window.before[i] = -window.before[i];
      window.after[i] = -window.after[i];
    }
  weight = sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 4, 3, 0, 1, 2);
  sym_op_engine_set (self,
                     sym_op_foreign_conv_transpose (self, &window, sym_op_engine_real (self, 0),
                                                    weight, sym_op_engine_real (self, 2), none));
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 kernel[3];

  if (!begin (self, &window))
    return;
  sym_op_foreign_ints (self, "kernel", window.n, 1, kernel);
  memcpy (window.kernel, kernel, sizeof (gint64) * (gsize) window.n);
  sym_op_engine_pool (self, &window, g_str_has_prefix (sym_op_lower_get_type (self), "MAX"));
}

static void
lower_matmul (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_engine_set (self, sym_op_lower_binary (self, "MatMul", sym_op_engine_real (self, 0),
                                                  sym_op_engine_real (self, 1)));
}

/* Bounds of integers, or bytes of the dtype since 0.80, are not read. */
static void
lower_clamp (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));

  if (!sym_op_lower_is_rule (self) && sym_attributes_find (attributes, "max_fp") == NULL)
    sym_op_lower_refuse (self, "CLAMP: its bounds are not read");
  sym_op_engine_set (self, sym_op_lower_formula (self, "Min (Max (A, $min_fp), $max_fp)"));
}

/* Floats become the nearest integers. */
static void
lower_cast (SymOpLower *self)
{
  SymDType from = sym_op_lower_get_input_dtype (self, 0);
  SymDType to = sym_op_lower_get_dtype (self, "output_dtype", from);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_dtype_is_integer (to) && !sym_dtype_is_integer (from) && from != SYM_DTYPE_BOOL)
    x = sym_op_lower_unary (self, "Round", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, from, to));
}

/* What is computed of integers alone: a shape. */
static void
lower_integers (SymOpLower *self)
{
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s is not lowered", sym_op_lower_get_type (self));
  sym_op_engine_lower_same (self);
}

/* A last operand of MUL and NEGATE, the shift or a zero point, is no number that is multiplied. */
static void
lower_mul (SymOpLower *self)
{
  gboolean is_mul = g_str_equal (sym_op_lower_get_type (self), "MUL");
  SymId x = sym_op_engine_real (self, 0);

  if (is_mul && sym_op_lower_need_tensor (self, 1))
    x = sym_op_lower_binary (self, "Mul", x, sym_op_engine_real (self, 1));
  else if (!is_mul)
    x = sym_op_lower_unary (self, "Neg", x);
  sym_op_engine_set (self, x);
}

/* ---- Axes ---- */

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "REDUCE_MAX", "ReduceMax" },      { "REDUCE_ANY", "ReduceMax" },
    { "REDUCE_MIN", "ReduceMin" },      { "REDUCE_ALL", "ReduceMin" },
    { "REDUCE_PRODUCT", "ReduceProd" }, { "REDUCE_PROD", "ReduceProd" },
    { "REDUCE_SUM", "ReduceSum" },
  };
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (dtype == SYM_DTYPE_BOOL)
    x = sym_op_lower_cast (self, x, SYM_DTYPE_INT32);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], sym_op_lower_get_type (self)))
      sym_op_lower_set_output (
          self, 0,
          sym_op_lower_cast (self, sym_op_lower_reduce (self, kinds[i][1], x, &axis, 1, TRUE),
                             dtype));
}

static void
lower_arg (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  SymId x = sym_op_lower_call (self, "ArgMax", SYM_IDS (sym_op_lower_input (self, 0)), "axis",
                               sym_value_new_int (axis), "keepdims", sym_value_new_int (0), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, x, sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

/* ---- Movements ---- */

/* A list of integers: operand @i, or attribute @name. */
static SymId
get_list (SymOpLower *self, guint i, const char *name)
{
  gint64 values[2 * SYM_MAX_RANK];
  int n;

  if (sym_op_lower_has_input (self, i))
    return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                   sym_op_lower_get_input_dtype (self, i), SYM_DTYPE_INT64);
  n = sym_op_lower_get_ints (self, name, values, 2 * SYM_MAX_RANK);
  if (n < 0 || n > 2 * SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "%s: its %s is not told", sym_op_lower_get_type (self), name);
      return SYM_NO_ID;
    }
  return sym_op_lower_ints (self, values, n);
}

static void
lower_reshape (SymOpLower *self)
{
  SymId shape = get_list (self, 1, "new_shape");

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Reshape",
                                              SYM_IDS (sym_op_lower_input (self, 0), shape),
                                              "allowzero", sym_value_new_int (1), NULL));
}

static void
lower_transpose (SymOpLower *self)
{
  sym_op_engine_transpose (self, "perms");
}

static void
lower_tile (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                get_list (self, 1, "multiples")));
}

static void
lower_slice (SymOpLower *self)
{
  SymId start = get_list (self, 1, "start"), size = get_list (self, 2, "size");

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Slice",
                         SYM_IDS (sym_op_lower_input (self, 0), start,
                                  sym_op_lower_binary (self, "Add", start, size)),
                         NULL));
}

/* A number of its own operand since 1.0; bytes of the dtype in 0.80, which are not read. */
static SymId
get_margin (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const gint64 none[] = { 0 };

  if (sym_op_lower_has_input (self, 2))
    return sym_op_foreign_reshape (self, sym_op_lower_input (self, 2), none, 0, FALSE);
  if (!sym_op_lower_is_rule (self) && sym_attributes_find (attributes, "pad_const") != NULL)
    sym_op_lower_refuse (self, "PAD: what is put around is not read");
  return sym_op_lower_number (self, dtype,
                              sym_dtype_is_integer (dtype)
                                  ? (double) sym_op_lower_get_int (self, "pad_const_int", 0)
                                  : sym_op_lower_get_float (self, "pad_const_fp", 0));
}

/* Two numbers for each axis, before and after it; ONNX has all of before first. */
static void
lower_pad (SymOpLower *self)
{
  gint64 pairs[] = { -1, 2 }, flat[] = { -1 };
  SymId pads = get_list (self, 1, "padding");

  pads = sym_op_foreign_reshape (self, pads, pairs, 2, FALSE);
  pads =
      sym_op_foreign_reshape (self, sym_op_lower_transpose (self, pads, 2, 1, 0), flat, 1, FALSE);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Pad",
                         SYM_IDS (sym_op_lower_input (self, 0), pads, get_margin (self)), NULL));
}

static void
lower_reverse (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  const gint64 start = -1, stop = G_MININT64 + 1, step = -1;

  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), &start, &stop, &axis, &step, 1));
}

/* The places of each row, as int64: [N, W, 1]. */
static SymId
get_places (SymOpLower *self)
{
  const gint64 last = 2;

  if (sym_op_foreign_rank (self, 0) != 3 || sym_op_foreign_rank (self, 1) != 2)
    sym_op_lower_fail (self, "%s: values have 3 axes and indices 2", sym_op_lower_get_type (self));
  return sym_op_foreign_unsqueeze (
      self, sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64), &last, 1);
}

/* values [N, K, C], indices [N, W]: [N, W, C]. */
static void
lower_gather (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "GatherND",
                         SYM_IDS (sym_op_lower_input (self, 0), get_places (self)), "batch_dims",
                         sym_value_new_int (1), NULL));
}

/* values [N, K, C] with input [N, W, C] at indices [N, W]. */
static void
lower_scatter (SymOpLower *self)
{
  SymId places = get_places (self);

  places = sym_op_lower_binary (self, "Expand", places,
                                sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 2)));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "ScatterElements",
                                              SYM_IDS (sym_op_lower_input (self, 0), places,
                                                       sym_op_lower_input (self, 2)),
                                              "axis", sym_value_new_int (1), NULL));
}

static gboolean
read_list (SymOpLower *self, guint i, const char *name, gint64 *values, int n)
{
  int n_given = sym_op_lower_has_input (self, i) ? sym_op_lower_read_ints (self, i, values, n)
                                                 : sym_op_lower_get_ints (self, name, values, n);

  if (n_given != n)
    sym_op_lower_refuse (self, "RESIZE: its %s is not told", name);
  for (int k = 0; k < n && n_given == n; k++)
    if (values[k] < -G_MAXINT16 || values[k] > G_MAXINT16)
      sym_op_lower_fail (self, "RESIZE: %s makes no sense", name);
  return !sym_op_lower_has_failed (self);
}

/* ((size - 1) times numerator - offset + border) / denominator + 1; before 0.50 files tell the
 * size. */
static void
lower_resize (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  gint64 scale[4], offset[2], border[2], sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "output_size", sizes);

  if (sym_op_foreign_rank (self, 0) != 4)
    return;
  if (n != 2 &&
      (!read_list (self, 1, "scale", scale, 4) || !read_list (self, 2, "offset", offset, 2) ||
       !read_list (self, 3, "border", border, 2)))
    return;
  for (int i = 0; n != 2 && i < 2; i++)
    {
      if (scale[2 * i + 1] < 1)
        sym_op_lower_fail (self, "RESIZE: scale makes no sense");
      else
        sizes[i] =
            ((sym_op_foreign_size (self, 0, 1 + i) - 1) * scale[2 * i] - offset[i] + border[i]) /
                scale[2 * i + 1] +
            1;
    }
  if (sym_op_lower_has_failed (self))
    return;
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "RESIZE is not lowered");
  sym_op_engine_set (self, sym_op_foreign_resize (self, sym_op_engine_real (self, 0), &shape, TRUE,
                                                  sizes, NULL, "nearest", "asymmetric"));
}

/* ---- Tables ---- */

static const SymSlotSpec scatter_slots[] = { { "values" }, { "indices" }, { "input" }, { NULL } };
static const SymSlotSpec select_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };

static const SymAttributeSpec window_attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, "None", "size of the window" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "steps of the window" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "zeros around: top, bottom, left, right" },
  { "out_pad", SYM_ATTRIBUTE_INTS, "None", "what is added to the result" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec list_attributes[] = {
  { "new_shape", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "perms", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "multiples", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { "start", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "its sizes" },
  { "padding", SYM_ATTRIBUTE_INTS, "None", "added before and after each axis" },
  { "scale", SYM_ATTRIBUTE_INTS, "None", "numerator and denominator of rows and columns" },
  { NULL },
};

static const SymAttributeSpec clamp_attributes[] = {
  { "min_fp", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max_fp", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { NULL },
};

#define TOSA(name_, aliases_, summary_, category_, slots_, attributes_, lower_)                 \
  SYM_OP_ENGINE ("tosa", "TOSA 1.0", name_, aliases_, summary_, category_, slots_, attributes_, \
                 lower_)
#define MOVE(name_, summary_, lower_) \
  TOSA (name_, NULL, summary_, SHAPE, sym_op_foreign_many, list_attributes, lower_)
#define ELEMENTS(name_, summary_, category_, slots_, formula_)                          \
  {                                                                                     \
    SYM_OP_FOREIGN ("tosa", name_, NULL, summary_, category_),                          \
        .reference = "TOSA 1.0 " name_, .slots = slots_, .infer = sym_op_infer_lowered, \
        .lower = sym_op_engine_lower_formula, .formula = formula_                       \
  }
#define PAIR(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_foreign_two, formula_)
#define MAP(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_foreign_one, formula_)

const SymOperator sym_op_tosa[] = {
  TOSA ("CONV2D",
        "CONV3D",
        "Slides filters over images",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        lower_conv),
  TOSA ("DEPTHWISE_CONV2D",
        NULL,
        "Slides filters over each channel",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        lower_depthwise),
  TOSA ("TRANSPOSE_CONV2D",
        NULL,
        "Spreads each element over a window",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        lower_transpose_conv),
  TOSA ("FULLY_CONNECTED",
        NULL,
        "Fully connected layer",
        WEIGHTS,
        sym_op_engine_weighted,
        NULL,
        sym_op_engine_dense),
  TOSA ("MATMUL", NULL, "Product of matrices", WEIGHTS, sym_op_foreign_two, NULL, lower_matmul),
  TOSA ("AVG_POOL2D",
        "MAX_POOL2D",
        "One number of each window",
        POOLING,
        sym_op_foreign_one,
        window_attributes,
        lower_pool),
  TOSA ("CLAMP",
        NULL,
        "Cut off at two bounds",
        ACTIVATION,
        sym_op_foreign_one,
        clamp_attributes,
        lower_clamp),
  TOSA ("RESCALE",
        "TABLE CLZ BITWISE_NOT",
        "Other integers for each",
        ELEMENTWISE,
        sym_op_foreign_many,
        NULL,
        lower_integers),
  TOSA ("CAST", "IDENTITY", "Another dtype, or none", SHAPE, sym_op_foreign_one, NULL, lower_cast),
  TOSA ("MUL",
        "NEGATE",
        "Product of elements, or with the other sign",
        ELEMENTWISE,
        sym_op_foreign_two,
        NULL,
        lower_mul),
  PAIR ("ADD", "Sum", "Add (a, b)"),
  PAIR ("SUB", "Difference", "Sub (a, b)"),
  PAIR ("POW", "Power", "Pow (a, b)"),
  PAIR ("MAXIMUM", "The greater one", "Max (a, b)"),
  PAIR ("MINIMUM", "The lesser one", "Min (a, b)"),
  PAIR ("INTDIV", "Quotient of integers", "Div (a, b)"),
  PAIR ("BITWISE_AND", "Bits that both have", "And (a, b)"),
  PAIR ("BITWISE_OR", "Bits that one has", "Or (a, b)"),
  PAIR ("BITWISE_XOR", "Bits that one alone has", "Xor (a, b)"),
  PAIR ("ARITHMETIC_RIGHT_SHIFT", "Bits moved down", "Div (a, b)"),
  PAIR ("LOGICAL_LEFT_SHIFT", "Bits moved up", "Mul (a, b)"),
  PAIR ("LOGICAL_RIGHT_SHIFT", "Bits moved down", "Div (a, b)"),
  PAIR ("LOGICAL_AND", "Both", "And (a, b)"),
  PAIR ("LOGICAL_OR", "One or both", "Or (a, b)"),
  PAIR ("LOGICAL_XOR", "One of both", "Xor (a, b)"),
  PAIR ("EQUAL", "Whether they are equal", "Equal (a, b)"),
  PAIR ("GREATER", "Whether the first is greater", "Greater (a, b)"),
  PAIR ("GREATER_EQUAL", "Whether the first is not less", "GreaterOrEqual (a, b)"),
  TOSA ("SELECT",
        NULL,
        "One or the other by a condition",
        ELEMENTWISE,
        select_slots,
        NULL,
        sym_op_foreign_lower_where),
  MAP ("LOGICAL_NOT", "The contrary", "Not (a)"),
  MAP ("ABS", "Absolute value", "Abs (a)"),
  MAP ("CEIL", "Rounded up", "Ceil (a)"),
  MAP ("FLOOR", "Rounded down", "Floor (a)"),
  MAP ("EXP", "Exponential function", "Exp (a)"),
  MAP ("LOG", "Natural logarithm", "Log (a)"),
  MAP ("SIN", "Sine", "Sin (a)"),
  MAP ("COS", "Cosine", "Cos (a)"),
  MAP ("RECIPROCAL", "Reciprocal", "Reciprocal (a)"),
  MAP ("RSQRT", "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  ELEMENTS ("SIGMOID", "Logistic function", ACTIVATION, sym_op_foreign_one, "Sigmoid (a)"),
  ELEMENTS ("TANH", "Hyperbolic tangent", ACTIVATION, sym_op_foreign_one, "Tanh (a)"),
  ELEMENTS ("ERF", "Error function", ELEMENTWISE, sym_op_foreign_one, "Erf (a)"),
  TOSA ("REDUCE_SUM",
        "REDUCE_MAX REDUCE_MIN REDUCE_PRODUCT REDUCE_PROD REDUCE_ANY REDUCE_ALL",
        "One number of an axis, which stays",
        POOLING,
        sym_op_foreign_one,
        axis_attributes,
        lower_reduce),
  TOSA ("ARGMAX",
        NULL,
        "Place of the greatest element",
        POOLING,
        sym_op_foreign_one,
        axis_attributes,
        lower_arg),
  SYM_OP_ENGINE_RULED ("tosa",
                       "TOSA 1.0",
                       "CONCAT",
                       NULL,
                       "One after the other along an axis",
                       MERGE,
                       sym_op_foreign_many,
                       axis_attributes,
                       sym_op_engine_infer_concat,
                       sym_op_engine_lower_concat),
  TOSA ("REVERSE",
        NULL,
        "Backwards along an axis",
        SHAPE,
        sym_op_foreign_one,
        axis_attributes,
        lower_reverse),
  MOVE ("RESHAPE", "Other axes", lower_reshape),
  MOVE ("TRANSPOSE", "Axes in another order", lower_transpose),
  MOVE ("TILE", "Repeated along axes", lower_tile),
  MOVE ("SLICE", "Part of the data", lower_slice),
  MOVE ("PAD", "Something around the data", lower_pad),
  MOVE ("RESIZE", "Images of another size", lower_resize),
  TOSA ("GATHER", NULL, "Rows by indices", SHAPE, sym_op_foreign_two, NULL, lower_gather),
  TOSA ("SCATTER", NULL, "Rows put at indices", SHAPE, scatter_slots, NULL, lower_scatter),
  { NULL },
};
