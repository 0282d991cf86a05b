/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- transpose ---- */

static const SymAttributeSpec transpose_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "()", "order of the axes; reversed when empty" },
  { NULL },
};

/* Axis i of the output is axis order[i] of the data; the same way back. */
static gboolean
permute (SymRule *rule, const int *order, int rank, GError **error)
{
  SymShape data, out = sym_shape_new_unknown (rank), back;

  if (!sym_op_set_input (rule, 0, out, error) || !sym_rule_set_output (rule, 0, &out, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  back = sym_rule_get_output (rule, 0);
  for (int i = 0; i < rank; i++)
    if (!sym_rule_unify (rule, back.dims[i], data.dims[order[i]], "transposed dimension", error))
      return FALSE;
  return TRUE;
}

gboolean
sym_op_mxnet_infer_transpose (SymRule *rule, GError **error)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "axes", axes, SYM_MAX_RANK), order[SYM_MAX_RANK];
  SymShape data = sym_rule_get_input (rule, 0), out = sym_rule_get_output (rule, 0);
  int rank = n > 0 ? n : data.rank >= 0 ? data.rank : out.rank;
  guint seen = 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (rank > SYM_MAX_RANK || (data.rank >= 0 && data.rank != rank))
    return sym_rule_fail (error, "axes has %d axes for data of rank %d", rank, data.rank);
  for (int i = 0; i < rank; i++)
    {
      order[i] = rank - 1 - i;
      if (n > 0 && !sym_op_normalize_axis (axes[i], rank, &order[i], error))
        return FALSE;
      seen |= 1u << order[i];
    }
  if (seen != (1u << rank) - 1)
    return sym_rule_fail (error, "axes should name each of %d axes once", rank);
  return permute (rule, order, rank, error);
}

/* ---- SwapAxis ---- */

static const SymAttributeSpec swap_attributes[] = {
  { "dim1", SYM_ATTRIBUTE_INT, "0", "one axis" },
  { "dim2", SYM_ATTRIBUTE_INT, "0", "the other axis" },
  { NULL },
};

static gboolean
infer_swap (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = sym_rule_get_output (rule, 0);
  int rank = data.rank >= 0 ? data.rank : out.rank, order[SYM_MAX_RANK], first, second;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "dim1", 0), rank, &first, error) ||
      !sym_op_normalize_axis (sym_rule_get_int (rule, "dim2", 0), rank, &second, error))
    return FALSE;
  for (int i = 0; i < rank; i++)
    order[i] = i == first ? second : i == second ? first : i;
  return permute (rule, order, rank, error);
}

/* ---- expand_dims ---- */

static const SymAttributeSpec expand_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "where the new axis is in the result" },
  { NULL },
};

static gboolean
infer_expand (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = sym_rule_get_output (rule, 0);
  int rank = data.rank >= 0 ? data.rank + 1 : out.rank, axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 1 || rank > SYM_MAX_RANK)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), rank, &axis, error))
    return FALSE;
  if (data.rank < 0)
    data = sym_shape_new_unknown (rank - 1);
  out = sym_op_insert_axis (&data, axis, 1);
  if (!sym_rule_set_output (rule, 0, &out, error))
    return FALSE;
  out = sym_rule_get_output (rule, 0);
  return sym_op_set_input (rule, 0, sym_op_remove_axis (&out, axis), error);
}

/* ---- squeeze ---- */

static const SymAttributeSpec squeeze_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes of size 1 that go; all of these when None" },
  { NULL },
};

static gboolean
infer_squeeze (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out;
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axis", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    {
      if (n < 0 && data.dims[i] < 0)
        return TRUE;
      if (n < 0)
        axes[i] = data.dims[i] == 1;
      if (axes[i] && !sym_rule_unify (rule, data.dims[i], 1, "axis to squeeze", error))
        return FALSE;
    }
  out = sym_op_mxnet_finish_shape (rule, sym_op_reduce_shape (&data, axes, FALSE));
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- depth_to_space, space_to_depth ---- */

static const SymAttributeSpec block_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INT, NULL, "height and width of a block" },
  { NULL },
};

/* The tensor with more channels is [N, C * b * b, H, W], the other [N, C, H * b, W * b]. */
static gboolean
tie_blocks (SymRule *rule, SymShape deep, SymShape wide, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 block = sym_rule_get_int (rule, "block_size", 0);

  if (block < 1 || block > G_MAXINT16)
    return sym_rule_fail (error, "block_size is %" G_GINT64_FORMAT "; it should be at least 1",
                          block);
  return sym_rule_unify (rule, deep.dims[0], wide.dims[0], "batch", error) &&
         sym_rule_unify (rule, deep.dims[1],
                         sym_terms_multiply (terms, wide.dims[1], block * block),
                         "channels of the blocks", error) &&
         sym_rule_unify (rule, wide.dims[2], sym_terms_multiply (terms, deep.dims[2], block),
                         "height of the blocks", error) &&
         sym_rule_unify (rule, wide.dims[3], sym_terms_multiply (terms, deep.dims[3], block),
                         "width of the blocks", error);
}

static gboolean
start_blocks (SymRule *rule, GError **error)
{
  SymShape four = sym_shape_new_unknown (4);

  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_input (rule, 0, &four, error) &&
         sym_rule_set_output (rule, 0, &four, error);
}

static gboolean
infer_depth_to_space (SymRule *rule, GError **error)
{
  return start_blocks (rule, error) &&
         tie_blocks (rule, sym_rule_get_input (rule, 0), sym_rule_get_output (rule, 0), error);
}

static gboolean
infer_space_to_depth (SymRule *rule, GError **error)
{
  return start_blocks (rule, error) &&
         tie_blocks (rule, sym_rule_get_output (rule, 0), sym_rule_get_input (rule, 0), error);
}

/* ---- reverse ---- */

static const SymAttributeSpec reverse_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, NULL, "axes that are turned round" },
  { NULL },
};

/* ---- diag ---- */

static const SymAttributeSpec diag_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "0", "which diagonal" },
  { "axis1", SYM_ATTRIBUTE_INT, "0", "first axis of the matrices" },
  { "axis2", SYM_ATTRIBUTE_INT, "1", "second axis of the matrices" },
  { NULL },
};

/* The length of diagonal @k of [h, w]. */
static SymDim
get_diagonal (SymDim h, SymDim w, gint64 k)
{
  if (h < 0 || w < 0)
    return h == w && k == 0 ? h : SYM_DIM_UNKNOWN;
  return MAX (k >= 0 ? MIN (h, w - k) : MIN (h + k, w), 0);
}

static gboolean
infer_diag (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out;
  gint64 k = CLAMP (sym_rule_get_int (rule, "k", 0), -G_MAXINT32, G_MAXINT32);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  int first, second;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1)
    return TRUE;
  if (data.rank == 1)
    {
      SymDim size = sym_terms_add (sym_rule_get_terms (rule), data.dims[0], ABS (k));

      return sym_op_set_output (rule, 0, SYM_SHAPE (size, size), SYM_DTYPE_UNKNOWN, error);
    }
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis1", 0), data.rank, &first, error) ||
      !sym_op_normalize_axis (sym_rule_get_int (rule, "axis2", 1), data.rank, &second, error))
    return FALSE;
  axes[first] = axes[second] = TRUE;
  out = sym_op_reduce_shape (&data, axes, FALSE);
  out.dims[out.rank++] = get_diagonal (data.dims[first], data.dims[second], k);
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Lowering ---- */

static void
lower_transpose (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "axes", axes, SYM_MAX_RANK);

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0)
    return;
  for (int i = 0; i < rank; i++)
    if (n <= 0)
      axes[i] = rank - 1 - i;
    else if (sym_op_lower_find_axis (self, axes[i], rank, &axis))
      axes[i] = axis;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

static void
lower_swap (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, first, second;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "dim1", 0), rank, &first) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "dim2", 0), rank, &second))
    return;
  for (int i = 0; i < rank; i++)
    axes[i] = i == first ? second : i == second ? first : i;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, rank));
}

static void
lower_blocks (SymOpLower *self, const char *name)
{
  gint64 block = sym_op_lower_get_int (self, "block_size", 1);

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0)
    return;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, name, SYM_IDS (sym_op_lower_input (self, 0)),
                                              "blocksize", sym_value_new_int (block), NULL));
}

static void
lower_depth_to_space (SymOpLower *self)
{
  lower_blocks (self, "DepthToSpace");
}

static void
lower_space_to_depth (SymOpLower *self)
{
  lower_blocks (self, "SpaceToDepth");
}

void
sym_op_mxnet_lower_reverse (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_mxnet_lower_axes (self, "axis", sym_op_lower_get_input_shape (self, 0)->rank, axes,
                                &n))
    return;
  for (int i = 0; i < n; i++)
    x = sym_op_lower_slice (self, x, (int) axes[i], -1, G_MININT64, -1);
  sym_op_lower_set_output (self, 0, x);
}

/* A vector on a diagonal: its elements, after as many zeros as the diagonal lies low, times a
 * matrix with ones there. */
static void
lower_make_diag (SymOpLower *self, gint64 k)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 pads[2] = { MAX (-k, 0), MAX (k, 0) };
  SymId x = sym_op_lower_binary (self, "Pad", sym_op_lower_input (self, 0),
                                 sym_op_lower_ints (self, pads, 2));
  SymId eye = sym_op_lower_call (self, "EyeLike", SYM_IDS (sym_op_lower_fill (self, dtype, out, 0)),
                                 "k", sym_value_new_int (k), NULL);

  x = sym_op_lower_reshape (self, x, &SYM_SHAPE (out->dims[0], 1));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", eye, x));
}

/* The part whose main diagonal is the one that is wanted, then those elements: "abac->bca". */
static void
lower_diag (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gint64 k = sym_op_lower_get_int (self, "k", 0), size;
  SymId x = sym_op_lower_input (self, 0);
  char equation[2 * SYM_MAX_RANK + 4] = "";
  int first, second, n = 0;

  if (!sym_op_lower_need_tensor (self, 0) || out->rank < 0)
    return;
  if (data->rank == 1)
    {
      lower_make_diag (self, k);
      return;
    }
  if (!sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis1", 0), data->rank, &first) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis2", 1), data->rank, &second))
    return;
  size = out->dims[out->rank - 1];
  x = sym_op_lower_slice (self, x, first, MAX (-k, 0), MAX (-k, 0) + size, 1);
  x = sym_op_lower_slice (self, x, second, MAX (k, 0), MAX (k, 0) + size, 1);
  for (int i = 0; i < data->rank; i++)
    equation[n++] = (char) ('a' + (i == second ? first : i));
  equation[n++] = '-';
  equation[n++] = '>';
  for (int i = 0; i < data->rank; i++)
    if (i != first && i != second)
      equation[n++] = (char) ('a' + i);
  equation[n] = (char) ('a' + first);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Einsum", SYM_IDS (x), "equation",
                                              sym_value_new_string (equation), NULL));
}

#define AXES(name_, aliases_, summary_, attributes_, infer_, lower_)                      \
  {                                                                                       \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,      \
                  .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_, \
                  .lower = lower_                                                         \
  }

const SymOperator sym_op_mxnet_axes[] = {
  AXES ("transpose",
        "_npi_transpose _np_transpose",
        "puts the axes into another order",
        transpose_attributes,
        sym_op_mxnet_infer_transpose,
        lower_transpose),
  AXES ("SwapAxis",
        "swapaxes _npi_swapaxes",
        "exchanges two axes",
        swap_attributes,
        infer_swap,
        lower_swap),
  AXES ("expand_dims",
        "_npi_expand_dims",
        "adds an axis of size 1",
        expand_attributes,
        infer_expand,
        sym_op_mxnet_lower_reshape),
  AXES ("squeeze",
        "_npi_squeeze _np_squeeze",
        "removes axes of size 1",
        squeeze_attributes,
        infer_squeeze,
        sym_op_mxnet_lower_reshape),
  AXES ("depth_to_space",
        NULL,
        "spreads channels over blocks of pixels",
        block_attributes,
        infer_depth_to_space,
        lower_depth_to_space),
  AXES ("space_to_depth",
        NULL,
        "gathers blocks of pixels as channels",
        block_attributes,
        infer_space_to_depth,
        lower_space_to_depth),
  AXES ("reverse",
        "flip",
        "turns axes round",
        reverse_attributes,
        sym_op_infer_elementwise,
        sym_op_mxnet_lower_reverse),
  AXES ("diag",
        NULL,
        "diagonals of matrices, or a matrix of a diagonal",
        diag_attributes,
        infer_diag,
        lower_diag),
  { NULL },
};
