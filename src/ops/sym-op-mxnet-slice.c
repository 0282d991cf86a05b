/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- slice ---- */

static const SymAttributeSpec slice_attributes[] = {
  { "begin", SYM_ATTRIBUTE_INTS, NULL, "first index of each axis, None for the start" },
  { "end", SYM_ATTRIBUTE_INTS, NULL, "index after the last one, None for the end" },
  { "step", SYM_ATTRIBUTE_INTS, "()", "step of each axis, None for 1" },
  { NULL },
};

static gboolean
infer_slice (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 begin[SYM_MAX_RANK], end[SYM_MAX_RANK], step[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "begin", begin, SYM_MAX_RANK);
  int n_ends = sym_rule_get_ints (rule, "end", end, SYM_MAX_RANK);
  int n_steps = sym_rule_get_ints (rule, "step", step, SYM_MAX_RANK);
  SymShape data = sym_rule_get_input (rule, 0), out;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (n > data.rank || n_ends != n || (n_steps > 0 && n_steps != n))
    return sym_rule_fail (error, "begin, end and step have %d, %d and %d indices for %d axes", n,
                          n_ends, n_steps, data.rank);
  out = data;
  for (int i = 0; i < n; i++)
    {
      gint64 by = n_steps > 0 && step[i] != SYM_DIM_UNKNOWN ? step[i] : 1;

      if (by == 0)
        return sym_rule_fail (error, "slice op step[%d] cannot be 0", i);
      out.dims[i] = sym_op_slice_size (terms, data.dims[i], begin[i] != SYM_DIM_UNKNOWN, begin[i],
                                       end[i] != SYM_DIM_UNKNOWN, end[i], by);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- slice_axis ---- */

static const SymAttributeSpec slice_axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "axis that is cut" },
  { "begin", SYM_ATTRIBUTE_INT, NULL, "first index, counted from the end when negative" },
  { "end", SYM_ATTRIBUTE_INT, NULL, "index after the last one, None for the end" },
  { NULL },
};

static gboolean
fail_range (gint64 begin, gint64 end, SymDim size, GError **error)
{
  return sym_rule_fail (error,
                        "Invalid begin, end, get begin=%" G_GINT64_FORMAT ", end=%" G_GINT64_FORMAT
                        " as axis_size is %" G_GINT64_FORMAT,
                        begin, end, size);
}

/* Unlike Python's, indices have to lie within the axis, so that the size is known where both count
 * from the same side. */
static gboolean
get_axis_size (SymRule *rule, SymDim size, gint64 begin, gint64 end, SymDim *result, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gboolean to_end = end == SYM_DIM_UNKNOWN;

  if (begin <= -G_MAXINT32 || begin >= G_MAXINT32 ||
      (!to_end && (end <= -G_MAXINT32 || end >= G_MAXINT32)))
    return fail_range (begin, end, size, error);
  if (size >= 0)
    {
      gint64 from = begin < 0 ? begin + size : begin;
      gint64 to = to_end ? size : end < 0 ? end + size : end;

      if (from < 0 || to > size || from >= to)
        return fail_range (begin, to_end ? size : end, size, error);
      *result = to - from;
    }
  else if (to_end)
    {
      *result = begin < 0 ? -begin : sym_terms_subtract (terms, size, begin);
    }
  else if ((begin < 0) == (end < 0))
    {
      if (begin >= end)
        return fail_range (begin, end, -1, error);
      *result = end - begin;
    }
  else
    {
      *result = begin >= 0 ? sym_terms_subtract (terms, size, begin - end) : SYM_DIM_UNKNOWN;
    }
  return TRUE;
}

static gboolean
infer_slice_axis (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = sym_rule_get_output (rule, 0);
  gint64 begin = sym_rule_get_int (rule, "begin", 0);
  gint64 end = sym_rule_get_int (rule, "end", SYM_DIM_UNKNOWN);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  out = data;
  return sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), data.rank, &axis, error) &&
         get_axis_size (rule, data.dims[axis], begin, end, &out.dims[axis], error) &&
         sym_rule_set_output (rule, 0, &out, error);
}

/* ---- slice_like ---- */

static const SymAttributeSpec slice_like_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "()", "axes that are cut; all when empty" },
  { NULL },
};

static const SymSlotSpec slice_like_slots[] = { { "data" }, { "shape_like" }, { NULL } };

static gboolean
infer_slice_like (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), like = sym_rule_get_input (rule, 1), out;
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || like.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axes", data.rank, axes, &n, error))
    return FALSE;
  if (n <= 0 && data.rank != like.rank)
    return sym_rule_fail (error,
                          "By default slice_like slices on all axes, but ndim mismatch for "
                          "inputs: %d vs. %d",
                          data.rank, like.rank);
  out = data;
  for (int i = 0; i < data.rank; i++)
    {
      if (n > 0 && !axes[i])
        continue;
      if (i >= like.rank)
        return sym_rule_fail (error, "Slice axis: %d exceeds second input: %d", i, like.rank);
      if (data.dims[i] >= 0 && like.dims[i] > data.dims[i])
        return sym_rule_fail (error,
                              "Slice axis %d with size %" G_GINT64_FORMAT
                              " exceeds limit of input with size %" G_GINT64_FORMAT,
                              i, like.dims[i], data.dims[i]);
      out.dims[i] = like.dims[i];
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Crop ---- */

static const SymAttributeSpec crop_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "1 to crop to h_w, 2 to crop like another" },
  { "offset", SYM_ATTRIBUTE_INTS, "(0, 0)", "(y, x) of the corner" },
  { "h_w", SYM_ATTRIBUTE_INTS, "(0, 0)", "(height, width) of the result" },
  { "center_crop", SYM_ATTRIBUTE_BOOL, "False", "whether the middle is taken" },
  { NULL },
};

static const SymSlotSpec crop_slots[] = { { "data" },
                                          { "crop_like", SYM_SLOT_DATA, TRUE },
                                          { NULL } };

static gboolean
infer_crop (SymRule *rule, GError **error)
{
  SymShape data, like;
  gint64 size[2];

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (4), error) ||
      !sym_op_get_ints (rule, "h_w", 2, 0, size, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  like = sym_rule_get_input (rule, 1);
  for (int i = 0; i < 2; i++)
    {
      if (sym_rule_has_input (rule, 1))
        size[i] = like.dims[2 + i];
      else if (size[i] < 1 || (data.dims[2 + i] >= 0 && size[i] > data.dims[2 + i]))
        return sym_rule_fail (error,
                              "h_w[%d] is %" G_GINT64_FORMAT
                              "; it should be at least 1 and fit into the input data",
                              i, size[i]);
    }
  return sym_op_set_output (rule, 0, SYM_SHAPE (data.dims[0], data.dims[1], size[0], size[1]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* ---- _slice_assign ---- */

static const SymAttributeSpec slice_assign_scalar_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "0", "what is written" },
  { "begin", SYM_ATTRIBUTE_INTS, NULL, "first index of each axis, None for the start" },
  { "end", SYM_ATTRIBUTE_INTS, NULL, "index after the last one, None for the end" },
  { "step", SYM_ATTRIBUTE_INTS, "()", "step of each axis, None for 1" },
  { NULL },
};

static gboolean
infer_slice_assign (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) && sym_op_pass_shape (rule, 0, 0, error);
}

/* ---- Lowering ---- */

/* The places of a slice: each axis from first on in steps, so many times. */
typedef struct {
  SymShape data, part;
  gint64 first[SYM_MAX_RANK], step[SYM_MAX_RANK], strides[SYM_MAX_RANK];
} Part;

static void
cut_axis (Part *self, int axis, gint64 begin, gint64 end, gint64 step)
{
  gint64 size = self->data.dims[axis];

  if (begin == SYM_DIM_UNKNOWN)
    begin = step > 0 ? 0 : size - 1;
  else
    begin = CLAMP (begin < 0 ? begin + size : begin, step > 0 ? 0 : -1, step > 0 ? size : size - 1);
  if (end == SYM_DIM_UNKNOWN)
    end = step > 0 ? size : -1;
  else
    end = CLAMP (end < 0 ? end + size : end, -1, size);
  self->first[axis] = begin;
  self->step[axis] = step;
  self->part.dims[axis] =
      MAX (step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step, 0);
}

static double
find_place (gconstpointer data, gsize i)
{
  const Part *self = data;
  gint64 place = 0;

  for (int k = self->part.rank - 1; k >= 0; k--)
    {
      gint64 index = (gint64) (i % (gsize) self->part.dims[k]);

      i /= (gsize) self->part.dims[k];
      place += (self->first[k] + index * self->step[k]) * self->strides[k];
    }
  return (double) place;
}

static gboolean
read_part (SymOpLower *self, Part *part)
{
  gint64 begin[SYM_MAX_RANK], end[SYM_MAX_RANK], step[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "begin", begin, SYM_MAX_RANK);
  int n_steps = sym_op_lower_get_ints (self, "step", step, SYM_MAX_RANK);

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  part->data = part->part = *sym_op_lower_get_input_shape (self, 0);
  sym_op_get_strides (&part->data, part->strides);
  if (n < 0 || n > part->data.rank || sym_op_lower_get_ints (self, "end", end, SYM_MAX_RANK) != n ||
      (n_steps > 0 && n_steps != n))
    {
      sym_op_lower_fail (self, "%s: begin, end and step do not fit to %d axes",
                         sym_op_lower_get_type (self), part->data.rank);
      return FALSE;
    }
  for (int i = 0; i < part->data.rank; i++)
    {
      gint64 by = i < n && n_steps > 0 && step[i] != SYM_DIM_UNKNOWN ? step[i] : 1;

      cut_axis (part, i, i < n ? begin[i] : SYM_DIM_UNKNOWN, i < n ? end[i] : SYM_DIM_UNKNOWN,
                by == 0 ? 1 : by);
    }
  return TRUE;
}

static SymId
flatten (SymOpLower *self, SymId x)
{
  return sym_op_lower_call (self, "Reshape",
                            SYM_IDS (x, sym_op_lower_ints (self, (const gint64[]){ -1 }, 1)), NULL);
}

/* A tensor of the slice's shape, or a number, goes to the places of the slice. */
static void
lower_slice_assign (SymOpLower *self)
{
  SymId places, values;
  guint64 n = 0;
  Part part;

  if (!read_part (self, &part))
    return;
  sym_shape_get_n_elements (&part.part, &n);
  places = n == 0
               ? SYM_NO_ID
               : sym_op_mxnet_lower_values (self, &part.part, SYM_DTYPE_INT64, find_place, &part);
  if (n == 0)
    {
      sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
      return;
    }
  values = sym_op_lower_get_n_inputs (self) > 1
               ? sym_op_lower_input (self, 1)
               : sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                      sym_op_lower_get_float (self, "scalar", 0));
  values = sym_op_lower_binary (self, "Expand", values,
                                sym_op_lower_ints (self, part.part.dims, part.part.rank));
  sym_op_lower_finish (self,
                       sym_op_lower_call (self, "ScatterElements",
                                          SYM_IDS (flatten (self, sym_op_lower_input (self, 0)),
                                                   flatten (self, places), flatten (self, values)),
                                          "axis", sym_value_new_int (0), NULL));
}

static void
lower_slice (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 begin[SYM_MAX_RANK], end[SYM_MAX_RANK], step[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "begin", begin, SYM_MAX_RANK);
  int n_steps = sym_op_lower_get_ints (self, "step", step, SYM_MAX_RANK);
  SymId x = sym_op_lower_input (self, 0);

  sym_op_lower_get_ints (self, "end", end, SYM_MAX_RANK);
  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0)
    return;
  for (int i = 0; i < MIN (n, data->rank); i++)
    {
      gint64 by = n_steps > 0 && step[i] != SYM_DIM_UNKNOWN ? step[i] : 1;

      if (begin[i] == SYM_DIM_UNKNOWN)
        begin[i] = by > 0 ? 0 : -1;
      if (end[i] == SYM_DIM_UNKNOWN)
        end[i] = by > 0 ? G_MAXINT64 : G_MININT64;
      x = sym_op_lower_slice (self, x, i, begin[i], end[i], by);
    }
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_slice_axis (SymOpLower *self)
{
  gint64 begin = sym_op_lower_get_int (self, "begin", 0);
  gint64 end = sym_op_lower_get_int (self, "end", G_MAXINT64);
  int axis;

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_get_output_shape (self, 0)->rank >= 0 &&
      sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 0),
                              sym_op_lower_get_input_shape (self, 0)->rank, &axis))
    sym_op_lower_set_output (
        self, 0, sym_op_lower_slice (self, sym_op_lower_input (self, 0), axis, begin, end, 1));
}

/* As large a part of operand 0 as the result is, from @start on. */
static void
lower_part (SymOpLower *self, const gint64 *start)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || out->rank != data->rank)
    return;
  for (int i = 0; i < data->rank; i++)
    if (out->dims[i] != data->dims[i])
      {
        if (start[i] < 0 || start[i] + out->dims[i] > data->dims[i])
          sym_op_lower_fail (self,
                             "%s: %" G_GINT64_FORMAT " elements from %" G_GINT64_FORMAT
                             " on do not lie in an axis of %" G_GINT64_FORMAT,
                             sym_op_lower_get_type (self), out->dims[i], start[i], data->dims[i]);
        x = sym_op_lower_slice (self, x, i, start[i], start[i] + out->dims[i], 1);
      }
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_slice_like (SymOpLower *self)
{
  gint64 start[SYM_MAX_RANK] = { 0 };

  lower_part (self, start);
}

static void
lower_crop (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gint64 start[SYM_MAX_RANK] = { 0 };

  if (!sym_op_lower_need_tensor (self, 0) || out->rank != 4 ||
      !sym_op_mxnet_lower_ints (self, "offset", 2, 0, start + 2))
    return;
  for (int i = 2; i < 4 && sym_op_lower_get_bool (self, "center_crop", FALSE); i++)
    start[i] = (data->dims[i] - out->dims[i]) / 2;
  lower_part (self, start);
}

#define SLICE(name_, aliases_, summary_, attributes_, slots_, infer_)              \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_slice[] = {
  { SLICE ("slice",
           "crop _npi_slice _npx_slice",
           "part of the data between indices",
           slice_attributes,
           sym_op_mxnet_data,
           infer_slice),
    .lower = lower_slice },
  { SLICE ("slice_axis",
           NULL,
           "part of the data between indices of one axis",
           slice_axis_attributes,
           sym_op_mxnet_data,
           infer_slice_axis),
    .lower = lower_slice_axis },
  { SLICE ("slice_like",
           "_npx_slice_like",
           "start of the data, as large as another",
           slice_like_attributes,
           slice_like_slots,
           infer_slice_like),
    .lower = lower_slice_like },
  {
      SLICE ("Crop", NULL, "cuts height and width down", crop_attributes, crop_slots, infer_crop),
      .lower = lower_crop,
      .get_n_operands = sym_op_mxnet_get_num_args,
  },
  { SLICE ("_slice_assign",
           "_crop_assign _npi_slice_assign",
           "the data with a part replaced",
           slice_attributes,
           sym_op_mxnet_pair,
           infer_slice_assign),
    .lower = lower_slice_assign },
  { SLICE ("_slice_assign_scalar",
           "_crop_assign_scalar _npi_slice_assign_scalar",
           "the data with a part set to a number",
           slice_assign_scalar_attributes,
           sym_op_mxnet_data,
           infer_slice_assign),
    .lower = lower_slice_assign },
  { NULL },
};
