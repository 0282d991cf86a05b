/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* Ties the data and all outputs, of which output i has @sizes[i] along @axis, or no such axis when
 * @squeeze. */
static gboolean
tie_parts (SymRule *rule, int axis, gboolean squeeze, const SymDim *sizes, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      SymShape part = squeeze ? sym_op_remove_axis (&data, axis) : data;

      if (!squeeze)
        part.dims[axis] = sizes[i];
      if (!sym_rule_set_output (rule, i, &part, error))
        return FALSE;
    }
  return TRUE;
}

/* The rank of the data, from the outputs when need be. */
static gboolean
set_rank (SymRule *rule, gboolean squeeze, GError **error)
{
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      int rank = sym_rule_get_output (rule, i).rank;

      if (rank >= 0 && rank < SYM_MAX_RANK)
        return sym_op_set_input (rule, 0, sym_shape_new_unknown (rank + squeeze), error);
    }
  return TRUE;
}

/* ---- SliceChannel ---- */

static const SymAttributeSpec slice_channel_attributes[] = {
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of parts" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis that is cut" },
  { "squeeze_axis", SYM_ATTRIBUTE_BOOL, "False", "whether parts of size 1 lose the axis" },
  { NULL },
};

static int
get_n_channels (const SymAttributes *attributes, int *n_visible)
{
  gint64 n = sym_op_get_int (attributes, "num_outputs", 1);

  *n_visible = (int) CLAMP (n, 1, G_MAXINT16);
  return *n_visible;
}

static gboolean
fail_uneven (SymRule *rule, const SymShape *data, int axis, gint64 n, GError **error)
{
  g_autofree char *text = sym_rule_format_shape (rule, data);

  return sym_rule_fail (error,
                        "You are trying to split the %d-th axis of input tensor with shape %s into "
                        "num_outputs=%" G_GINT64_FORMAT
                        " evenly sized chunks, but this is not possible",
                        axis, text, n);
}

static gboolean
infer_slice_channel (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "num_outputs", 1);
  gboolean squeeze = sym_rule_get_bool (rule, "squeeze_axis", FALSE);
  SymTerms *terms = sym_rule_get_terms (rule);
  g_autofree SymDim *sizes = g_new (SymDim, sym_rule_get_n_outputs (rule));
  SymShape data, part;
  SymDim size;
  int axis;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !set_rank (rule, squeeze, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 1), data.rank, &axis, error))
    return FALSE;
  if (n < 1 || (data.dims[axis] >= 0 && data.dims[axis] % n != 0) ||
      (squeeze && !sym_rule_unify (rule, data.dims[axis], n, "size of the axis", NULL)))
    return fail_uneven (rule, &data, axis, n, error);
  if (!sym_terms_divide_exactly (terms, data.dims[axis], n, &size))
    size = SYM_DIM_UNKNOWN;
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    sizes[i] = i == 0 ? size
               : sym_rule_get_output (rule, 0).rank == data.rank
                   ? sym_rule_get_output (rule, 0).dims[axis]
                   : size;
  if (!tie_parts (rule, axis, squeeze, sizes, error))
    return FALSE;
  part = sym_rule_get_output (rule, 0);
  return squeeze || part.rank != data.rank ||
         sym_rule_unify (rule, data.dims[axis], sym_terms_multiply (terms, part.dims[axis], n),
                         "size of the axis", error);
}

/* ---- _split_v2 ---- */

static const SymAttributeSpec split_attributes[] = {
  { "indices", SYM_ATTRIBUTE_INTS, "()", "where parts begin, the first 0 included" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis that is cut" },
  { "squeeze_axis", SYM_ATTRIBUTE_BOOL, "False", "whether parts of size 1 lose the axis" },
  { "sections", SYM_ATTRIBUTE_INT, "0", "number of even parts; 0 to cut at the indices" },
  { NULL },
};

static int
get_n_parts (const SymAttributes *attributes, int *n_visible)
{
  const SymValue *indices = sym_attributes_find (attributes, "indices");
  gint64 n = sym_op_get_int (attributes, "sections", 0);

  if (n <= 0)
    n = indices != NULL ? sym_value_get_ints (indices, NULL, 0) : 1;
  *n_visible = (int) CLAMP (n, 1, G_MAXINT16);
  return *n_visible;
}

static gboolean
get_part_sizes (SymRule *rule, SymDim size, SymDim *sizes, GError **error)
{
  guint n = sym_rule_get_n_outputs (rule);
  g_autofree gint64 *indices = g_new0 (gint64, n + 1);
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 sections = sym_rule_get_int (rule, "sections", 0);
  SymDim even = SYM_DIM_UNKNOWN;

  if (sections > 0)
    {
      if (size >= 0 && g_str_equal (sym_rule_get_type (rule), "_npi_array_split"))
        {
          for (guint i = 0; i < n; i++)
            sizes[i] = size / sections + (i < size % sections ? 1 : 0);
          return TRUE;
        }
      if (size >= 0 && size % sections != 0)
        return sym_rule_fail (error,
                              "an axis of %" G_GINT64_FORMAT
                              " does not split into %" G_GINT64_FORMAT " even parts",
                              size, sections);
      sym_terms_divide_exactly (terms, size, sections, &even);
      for (guint i = 0; i < n; i++)
        sizes[i] = even;
      return TRUE;
    }
  sym_rule_get_ints (rule, "indices", indices, (int) n);
  for (guint i = 0; i < n; i++)
    {
      SymDim end = i + 1 < n ? indices[i + 1] : size;

      if (indices[i] < 0 || (end >= 0 && end < indices[i]))
        return sym_rule_fail (error,
                              "start %" G_GINT64_FORMAT " is not less than end %" G_GINT64_FORMAT
                              " for subarray %u",
                              indices[i], end, i);
      sizes[i] = sym_terms_subtract (terms, end, indices[i]);
    }
  return TRUE;
}

static gboolean
split_along (SymRule *rule, gint64 given, GError **error)
{
  gboolean squeeze = sym_rule_get_bool (rule, "squeeze_axis", FALSE);
  g_autofree SymDim *sizes = g_new (SymDim, sym_rule_get_n_outputs (rule));
  SymShape data;
  int axis;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !set_rank (rule, squeeze, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  return sym_op_normalize_axis (given, data.rank, &axis, error) &&
         get_part_sizes (rule, data.dims[axis], sizes, error) &&
         tie_parts (rule, axis, squeeze, sizes, error);
}

static gboolean
infer_split (SymRule *rule, GError **error)
{
  return split_along (rule, sym_rule_get_int (rule, "axis", 1), error);
}

/* Along the second axis, the only one of a vector. */
static gboolean
infer_hsplit (SymRule *rule, GError **error)
{
  int rank = sym_rule_get_input (rule, 0).rank;

  return rank < 0 || split_along (rule, rank > 1 ? 1 : 0, error);
}

static gboolean
infer_dsplit (SymRule *rule, GError **error)
{
  return split_along (rule, 2, error);
}

/* Result i are the elements from where result i - 1 ended, without the axis where it is squeezed.
 */
static void
lower_along (SymOpLower *self, gint64 given)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 start = 0;
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, given, data->rank, &axis))
    return;
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      const SymShape *out = sym_op_lower_get_output_shape (self, i);
      gint64 size = out->rank == data->rank ? out->dims[axis] : 1;
      SymId part =
          sym_op_lower_slice (self, sym_op_lower_input (self, 0), axis, start, start + size, 1);

      if (out->rank < data->rank)
        part = sym_op_lower_reshape (self, part, out);
      sym_op_lower_set_output (self, i, part);
      start += size;
    }
}

static void
lower_split (SymOpLower *self)
{
  lower_along (self, sym_op_lower_get_int (self, "axis", 1));
}

static void
lower_hsplit (SymOpLower *self)
{
  lower_along (self, sym_op_lower_get_input_shape (self, 0)->rank > 1 ? 1 : 0);
}

static void
lower_dsplit (SymOpLower *self)
{
  lower_along (self, 2);
}

const SymOperator sym_op_mxnet_split[] = {
  {
      SYM_OP_MXNET,
      .name = "SliceChannel",
      .aliases = "split _npx_slice_channel",
      .summary = "cuts into even parts along an axis",
      .reference = "MXNet 1.9.1 SliceChannel",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = slice_channel_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = get_n_channels,
      .infer = infer_slice_channel,
      .lower = lower_split,
  },
  {
      SYM_OP_MXNET,
      .name = "_split_v2",
      .aliases = "_npi_array_split _npi_split",
      .summary = "cuts into parts at given places of an axis",
      .reference = "MXNet 1.9.1 _split_v2",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = split_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = get_n_parts,
      .infer = infer_split,
      .lower = lower_split,
  },
  {
      SYM_OP_MXNET,
      .name = "_npi_hsplit",
      .summary = "cuts into parts along the second axis",
      .reference = "MXNet 1.9.1 _npi_hsplit",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = split_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = get_n_parts,
      .infer = infer_hsplit,
      .lower = lower_hsplit,
  },
  {
      SYM_OP_MXNET,
      .name = "_npi_dsplit",
      .summary = "cuts into parts along the third axis",
      .reference = "MXNet 1.9.1 _npi_dsplit",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = split_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = get_n_parts,
      .infer = infer_dsplit,
      .lower = lower_dsplit,
  },
  { NULL },
};
