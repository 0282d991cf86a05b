/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* What the layers of a TensorRT engine do, by the `ParameterType` that its inspector tells (8 to
 * 10).  Channels are behind the batch, however they lie in memory.  Weights are told by their
 * number alone; the dtype of a result that has another one than the data is `output_dtype`.  Layers
 * have shapes, and do not run. */

/* ---- Windows ---- */

static int
read_list (SymRule *rule, const char *prefix, const char *name, gint64 *values, int max)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);

  return sym_rule_get_ints (rule, full, values, max);
}

static gboolean
read_window (SymRule *rule,
             const char *prefix,
             const char *kernel,
             int n,
             SymOpWindow *windows,
             GError **error)
{
  const char *const names[] = { kernel, "Stride", "Dilation", "PrePadding", "PostPadding" };
  gint64 given[5][3];

  for (int k = 0; k < 5; k++)
    {
      int n_given = read_list (rule, prefix, names[k], given[k], 3);

      for (int i = 0; n_given != n && i < n; i++)
        given[k][i] = k < 3 ? 1 : 0;
      if (n_given >= 0 && n_given != n)
        return sym_rule_fail (error, "%s%s should have %d numbers, not %d", prefix, names[k], n,
                              n_given);
      for (int i = 0; i < n; i++)
        if (given[k][i] < (k < 3 ? 1 : 0) || given[k][i] > G_MAXINT32)
          return sym_rule_fail (error, "%s%s makes no sense", prefix, names[k]);
    }
  for (int i = 0; i < n; i++)
    windows[i] =
        (SymOpWindow){ given[0][i], given[1][i], given[2][i], given[3][i], given[4][i], FALSE };
  return TRUE;
}

/* Over all axes behind the channels, of which there are @out unless that is unknown. */
static gboolean
slide (SymRule *rule,
       const char *prefix,
       const char *kernel,
       SymDim out,
       gboolean backwards,
       SymShape *shape,
       GError **error)
{
  g_autofree char *name = g_strconcat (prefix, "PaddingMode", NULL);
  const char *mode = sym_rule_get_string (rule, name, "");
  gboolean is_same = g_str_has_prefix (mode, "kSAME");
  SymTerms *terms = sym_rule_get_terms (rule);
  int n = shape->rank - 2;
  SymOpWindow windows[3];

  if (n < 1 || n > 3)
    return sym_rule_fail (error, "images have 3 to 5 axes, not %d", shape->rank);
  if (!read_window (rule, prefix, kernel, n, windows, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      SymDim *dim = &shape->dims[2 + i];

      windows[i].up = g_str_has_suffix (mode, "ROUND_UP");
      if (is_same)
        *dim = backwards ? sym_terms_multiply (terms, *dim, windows[i].stride)
                         : sym_terms_ceil_divide (terms, *dim, windows[i].stride);
      else if (backwards ? !sym_op_unslide (rule, *dim, &windows[i], 0, dim, error)
                         : !sym_op_slide (rule, *dim, &windows[i], dim, error))
        return FALSE;
    }
  if (out != SYM_DIM_UNKNOWN)
    shape->dims[1] = out;
  return TRUE;
}

static SymDim
get_count (SymRule *rule, const char *name)
{
  gint64 n = sym_rule_get_int (rule, name, 0);

  return n > 0 && n <= G_MAXINT32 ? n : SYM_DIM_UNKNOWN;
}

/* Output 0, in the dtype that is told, or that of the data. */
static gboolean
set_output (SymRule *rule, const SymShape *shape, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "output_dtype", SYM_DTYPE_UNKNOWN);

  return (dtype == SYM_DTYPE_UNKNOWN ? sym_op_pass_dtype (rule, 0, 0, error)
                                     : sym_rule_set_output_dtype (rule, 0, dtype, error)) &&
         (shape->rank < 0 || sym_rule_set_output (rule, 0, shape, error));
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean backwards =
      g_str_equal (sym_rule_get_string (rule, "ParameterType", ""), "Deconvolution");

  return (shape.rank < 0 ||
          slide (rule, "", "Kernel", get_count (rule, "OutMaps"), backwards, &shape, error)) &&
         set_output (rule, &shape, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return (shape.rank < 0 ||
          slide (rule, "", "WindowSize", SYM_DIM_UNKNOWN, FALSE, &shape, error)) &&
         set_output (rule, &shape, error);
}

static gboolean
infer_conv_pool (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return (shape.rank < 0 ||
          (slide (rule, "Conv", "Kernel", get_count (rule, "ConvOutMaps"), FALSE, &shape, error) &&
           slide (rule, "Pooling", "WindowSize", SYM_DIM_UNKNOWN, FALSE, &shape, error))) &&
         set_output (rule, &shape, error);
}

/* ---- Movements ---- */

static gboolean
permute (SymRule *rule, const char *name, SymShape *shape, GError **error)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, name, axes, SYM_MAX_RANK);
  SymShape given = *shape;

  if (n < shape->rank)
    return n < 0 || sym_rule_fail (error, "%s has %d axes of %d", name, n, shape->rank);
  for (int i = 0; i < shape->rank; i++)
    {
      if (axes[i] < 0 || axes[i] >= shape->rank)
        return sym_rule_fail (error, "%s: there is no axis %" G_GINT64_FORMAT, name, axes[i]);
      shape->dims[i] = given.dims[axes[i]];
    }
  return TRUE;
}

/* A text in place of a list says that there is none. */
static gboolean
reshape (SymRule *rule, const char *name, SymShape *shape, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim whole = sym_terms_product (terms, shape->dims, shape->rank), rest;
  SymShape given = *shape;
  int n = sym_rule_get_ints (rule, name, shape->dims, SYM_MAX_RANK), open = -1;

  if (n < 0 || n > SYM_MAX_RANK)
    {
      *shape = given;
      return n < 0 || sym_rule_fail (error, "%s has too many axes: %d", name, n);
    }
  shape->rank = n;
  for (int i = 0; i < n; i++)
    if (shape->dims[i] == 0 && sym_rule_get_bool (rule, "ZeroIsPlaceholder", TRUE))
      shape->dims[i] = i < given.rank ? given.dims[i] : SYM_DIM_UNKNOWN;
    else if (shape->dims[i] == -1)
      {
        open = i;
        shape->dims[i] = 1;
      }
    else if (shape->dims[i] < 0 || shape->dims[i] > G_MAXINT32)
      return sym_rule_fail (error, "%s makes no sense", name);
  rest = sym_terms_product (terms, shape->dims, n);
  if (open >= 0)
    {
      shape->dims[open] = SYM_DIM_UNKNOWN;
      return whole < 0 || rest < 1 ||
             sym_terms_divide_exactly (terms, whole, rest, &shape->dims[open]) ||
             sym_rule_fail (error,
                            "%" G_GINT64_FORMAT " elements are no multiple of %" G_GINT64_FORMAT,
                            (gint64) whole, (gint64) rest);
    }
  return whole < 0 || rest < 0 || whole == rest ||
         sym_rule_fail (error, "%" G_GINT64_FORMAT " elements are not %" G_GINT64_FORMAT,
                        (gint64) whole, (gint64) rest);
}

static gboolean
infer_shuffle (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return (shape.rank < 0 || (permute (rule, "FirstTranspose", &shape, error) &&
                             reshape (rule, "Reshape", &shape, error) &&
                             permute (rule, "SecondTranspose", &shape, error))) &&
         set_output (rule, &shape, error);
}

/* The file tells the axes of the result where they are others. */
static gboolean
infer_idle (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return (shape.rank < 0 || reshape (rule, "output_shape", &shape, error)) &&
         set_output (rule, &shape, error);
}

/* Sizes that are known when the engine is built; what lies beyond the data is padded. */
static gboolean
infer_slice (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "Size", sizes, SYM_MAX_RANK);

  if (n < 1 || shape.rank < 0)
    return set_output (rule, &(SymShape){ .rank = -1 }, error);
  if (n != shape.rank)
    return sym_rule_fail (error, "Size has %d axes of %d", n, shape.rank);
  for (int i = 0; i < n; i++)
    shape.dims[i] = sizes[i] >= 0 && sizes[i] <= G_MAXINT32 ? sizes[i] : SYM_DIM_UNKNOWN;
  return set_output (rule, &shape, error);
}

static gboolean
infer_same (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return set_output (rule, &shape, error);
}

static gboolean
infer_elements (SymRule *rule, GError **error)
{
  return sym_rule_get_n_inputs (rule) == 0 ||
         (sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
          set_output (rule, &(SymShape){ .rank = -1 }, error));
}

/* ---- What no attribute is known of ---- */

/* The file tells what came out, and rules what cannot have. */

static gboolean
multiply (const SymDim a[2], const SymDim b[2], int turns, SymDim result[2])
{
  SymDim inner_a = a[turns & 1 ? 0 : 1], inner_b = b[turns & 2 ? 1 : 0];

  result[0] = a[turns & 1 ? 1 : 0];
  result[1] = b[turns & 2 ? 0 : 1];
  return inner_a < 0 || inner_b < 0 || inner_a == inner_b;
}

/* The last two axes, where all ways to turn the matrices that fit give the same. */
static gboolean
find_product (const SymDim a[2], const SymDim b[2], SymDim result[2], GError **error)
{
  SymDim made[2];
  int n = 0;

  for (int turns = 0; turns < 4; turns++)
    {
      if (!multiply (a, b, turns, made))
        continue;
      for (int i = 0; i < 2; i++)
        result[i] = n == 0 || result[i] == made[i] ? made[i] : SYM_DIM_UNKNOWN;
      n++;
    }
  return n > 0 || sym_rule_fail (error, "matrices of %d by %d and %d by %d have no product",
                                 (int) a[0], (int) a[1], (int) b[0], (int) b[1]);
}

/* Weights, of which the number alone is known, are no matrix. */
static gboolean
infer_matmul (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out;

  if (a.rank < 2 || b.rank < 2)
    return set_output (rule, &(SymShape){ .rank = -1 }, error);
  if (!sym_op_broadcast_batch (&a, &b, &out))
    return sym_rule_fail (error, "the axes before the matrices do not fit");
  out.rank = MAX (a.rank, b.rank);
  return find_product (&a.dims[a.rank - 2], &b.dims[b.rank - 2], &out.dims[out.rank - 2], error) &&
         set_output (rule, &out, error);
}

/* Axes are gone, or are 1; the others stay in their order. */
static gboolean
infer_reduce (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), made = sym_rule_get_output (rule, 0);
  int at = 0;

  for (int i = 0; made.rank >= 0 && i < data.rank; i++)
    {
      gboolean is_same = at < made.rank &&
                         (made.dims[at] < 0 || data.dims[i] < 0 || made.dims[at] == data.dims[i]);
      gboolean is_one = made.rank == data.rank && made.dims[at] == 1;

      if (is_same || is_one)
        at++;
    }
  if (data.rank >= 0 && at < made.rank)
    return sym_rule_fail (error, "what is reduced has no axis as %d of the result", at);
  return set_output (rule, &(SymShape){ .rank = -1 }, error);
}

/* Fewer along one axis, and as many places. */
static gboolean
infer_top (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), made = sym_rule_get_output (rule, 0);
  int n = 0;

  if (made.rank >= 0 && data.rank >= 0 && made.rank != data.rank)
    return sym_rule_fail (error, "of %d axes %d are left", data.rank, made.rank);
  for (int i = 0; i < MIN (made.rank, data.rank); i++)
    if (made.dims[i] >= 0 && data.dims[i] >= 0 && made.dims[i] != data.dims[i])
      n += made.dims[i] > data.dims[i] ? 2 : 1;
  if (n > 1)
    return sym_rule_fail (error, "more than one axis has another size, or a greater one");
  if (sym_rule_get_n_outputs (rule) > 1 && made.rank >= 0 &&
      !sym_rule_set_output (rule, 1, &made, error))
    return FALSE;
  return set_output (rule, &(SymShape){ .rank = -1 }, error);
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "Kernel", SYM_ATTRIBUTE_INTS, "None", "size of the window" },
  { "WindowSize", SYM_ATTRIBUTE_INTS, "None", "the same, of pooling" },
  { "Stride", SYM_ATTRIBUTE_INTS, "None", "steps of the window" },
  { "Dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "PrePadding", SYM_ATTRIBUTE_INTS, "None", "zeros before each axis" },
  { "PostPadding", SYM_ATTRIBUTE_INTS, "None", "zeros after each axis" },
  { "PaddingMode", SYM_ATTRIBUTE_STRING, "None", "what says how many zeros there are" },
  { "OutMaps", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "Groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { NULL },
};

static const SymAttributeSpec move_attributes[] = {
  { "FirstTranspose", SYM_ATTRIBUTE_INTS, "None", "the axes in their order before" },
  { "Reshape", SYM_ATTRIBUTE_ANY, "None", "sizes; 0 is that of the data, -1 what is left" },
  { "SecondTranspose", SYM_ATTRIBUTE_INTS, "None", "the axes in their order after" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "sizes, where the file tells them" },
  { "Start", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "Size", SYM_ATTRIBUTE_INTS, "None", "its sizes" },
  { NULL },
};

#define RULE(name_, aliases_, summary_, category_, slots_, attributes_, infer_)        \
  {                                                                                    \
    SYM_OP_FOREIGN ("tensorrt", name_, aliases_, summary_, category_),                 \
        .reference = "TensorRT 10 " name_, .slots = slots_, .attributes = attributes_, \
        .get_n_operands = sym_op_foreign_any, .get_n_outputs = sym_op_foreign_first,   \
        .infer = infer_                                                                \
  }

const SymOperator sym_op_tensorrt[] = {
  RULE ("Convolution",
        "Deconvolution",
        "Slides filters over images, or spreads each element over a window",
        WEIGHTS,
        sym_op_foreign_many,
        window_attributes,
        infer_conv),
  RULE ("Pooling",
        NULL,
        "One number of each window",
        POOLING,
        sym_op_foreign_many,
        window_attributes,
        infer_pool),
  RULE ("ConvActPool",
        NULL,
        "Filters, an activation and one number of each window",
        WEIGHTS,
        sym_op_foreign_many,
        NULL,
        infer_conv_pool),
  RULE ("Shuffle",
        NULL,
        "Other axes in another order",
        SHAPE,
        sym_op_foreign_many,
        move_attributes,
        infer_shuffle),
  RULE ("NoOp",
        NULL,
        "Other axes, or none",
        SHAPE,
        sym_op_foreign_many,
        move_attributes,
        infer_idle),
  RULE ("Slice",
        NULL,
        "A part of the data, or something around it",
        SHAPE,
        sym_op_foreign_many,
        move_attributes,
        infer_slice),
  RULE ("MatrixMultiply",
        NULL,
        "Product of matrices",
        WEIGHTS,
        sym_op_foreign_many,
        NULL,
        infer_matmul),
  RULE ("Reduce", NULL, "One number of axes", POOLING, sym_op_foreign_many, NULL, infer_reduce),
  RULE ("TopK",
        NULL,
        "The greatest or least ones, and where they are",
        SHAPE,
        sym_op_foreign_many,
        NULL,
        infer_top),
  RULE ("SoftMax",
        "Scale Activation Unary Reformat Cast Normalization Identity",
        "Numbers of the shape of the data",
        ACTIVATION,
        sym_op_foreign_many,
        NULL,
        infer_same),
  RULE ("PointWise",
        "ElementWise Select",
        "Arithmetic of tensors",
        ELEMENTWISE,
        sym_op_foreign_many,
        NULL,
        infer_elements),
  { NULL },
};
