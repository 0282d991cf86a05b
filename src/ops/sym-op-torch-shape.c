/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

/* ---- Flatten ---- */

static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  return sym_op_infer_flatten (rule, 1, error);
}

static const SymAttributeSpec flatten_attributes[] = {
  { "start_dim", SYM_ATTRIBUTE_INT, "1", "first dimension to flatten" },
  { "end_dim", SYM_ATTRIBUTE_INT, "-1", "last dimension to flatten" },
  { NULL },
};

/* ---- ReshapeLayer, ViewCopyLayer ---- */

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  gboolean with_batch = sym_rule_get_bool (rule, "batch_size_included", TRUE);
  gint64 sizes[SYM_MAX_RANK];
  SymShape target = { .rank = 0 };
  int n = sym_rule_get_ints (rule, "shape", sizes, SYM_MAX_RANK);
  int open = -1;

  if (n < 0 || n + !with_batch > SYM_MAX_RANK)
    return sym_rule_fail (error, "the shape to reshape to must have at most %d sizes",
                          SYM_MAX_RANK);
  if (!with_batch)
    {
      open = 0;
      target.dims[target.rank++] = SYM_DIM_UNKNOWN;
    }
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] == -1 && open >= 0)
        return sym_rule_fail (error, "only one dimension can be inferred%s",
                              with_batch ? "" : ": the batch is one already");
      if (sizes[i] < -1)
        return sym_rule_fail (error, "invalid shape dimension %" G_GINT64_FORMAT, sizes[i]);
      if (sizes[i] == -1)
        open = target.rank;
      target.dims[target.rank++] = sizes[i] == -1 ? SYM_DIM_UNKNOWN : sizes[i];
    }
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_reshape (rule, target, open, error);
}

static const SymAttributeSpec reshape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, NULL, "the new sizes; -1 for what is left over" },
  { "batch_size_included", SYM_ATTRIBUTE_BOOL, "False", "whether the first of them is the batch" },
  { NULL },
};

/* ---- ConcatLayer, StackLayer ---- */

static gboolean
set_promoted_dtype (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_torch_promote (rule, 0, sym_rule_get_n_inputs (rule) - 1);

  return sym_rule_set_output_dtype (rule, 0, dtype, error);
}

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  return set_promoted_dtype (rule, error) &&
         sym_op_concatenate (rule, 0, sym_rule_get_int (rule, "dim", 0), error);
}

static gboolean
infer_stack (SymRule *rule, GError **error)
{
  SymShape input;
  gint64 n = sym_rule_get_n_inputs (rule);
  int axis;

  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    {
      input = sym_rule_get_input (rule, 0);
      if (!sym_rule_set_input (rule, i, &input, error))
        return FALSE;
    }
  input = sym_rule_get_input (rule, 0);
  if (!set_promoted_dtype (rule, error))
    return FALSE;
  if (input.rank < 0)
    return TRUE;
  if (input.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "dim", 0), input.rank + 1, &axis, error))
    return FALSE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&input, axis, n), SYM_DTYPE_UNKNOWN,
                            error);
}

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the dimension; the batch is 0" },
  { NULL },
};

/* ---- Upsample, PixelShuffle ---- */

static gboolean
infer_upsample (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape output = sym_rule_get_input (rule, 0);
  gint64 size[3], factor[3];
  int n_size = sym_rule_get_ints (rule, "size", size, 3);
  int n_factor = sym_rule_get_ints (rule, "scale_factor", factor, 3);

  if (!sym_op_torch_check_rank (rule, 3, 5, error) || !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n_size < 1 && n_factor < 1)
    return sym_rule_fail (error, "either size or scale_factor should be defined");
  for (int i = 2; i < output.rank; i++)
    {
      int k = MIN (i - 2, 2);

      if (n_size >= 1)
        output.dims[i] = size[MIN (k, n_size - 1)];
      else
        output.dims[i] = sym_terms_multiply (terms, output.dims[i], factor[MIN (k, n_factor - 1)]);
    }
  return sym_rule_set_output (rule, 0, &output, error);
}

static const SymAttributeSpec upsample_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "None", "size of the output" },
  { "scale_factor", SYM_ATTRIBUTE_INTS, "None", "size of the output over that of the input" },
  { "mode", SYM_ATTRIBUTE_STRING, "nearest", "nearest, linear, bilinear, bicubic or trilinear" },
  { NULL },
};

/* ---- permute, transpose, squeeze, unsqueeze ---- */

static gboolean
infer_permute (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape output = input;
  gboolean seen[SYM_MAX_RANK] = { FALSE };
  gint64 dims[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "dims", dims, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (input.rank < 0)
    return TRUE;
  if (n != input.rank)
    return sym_rule_fail (error, "number of dims don't match in permute: %d for rank %d", n,
                          input.rank);
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (dims[i], n, &axis, error))
        return FALSE;
      if (seen[axis])
        return sym_rule_fail (error, "repeated dim %d in permute", axis);
      seen[axis] = TRUE;
      output.dims[i] = input.dims[axis];
    }
  return sym_rule_set_output (rule, 0, &output, error);
}

static const SymAttributeSpec permute_attributes[] = {
  { "dims", SYM_ATTRIBUTE_INTS, NULL, "the old dimensions in their new order" },
  { NULL },
};

/* ---- In ONNX's layers ---- */

static void
lower_reshape (SymOpLower *self)
{
  sym_op_lower_finish (self, sym_op_lower_input (self, 0));
}

/* All operands in the dtype of the result, one after the other; with a new axis of size 1 at @axis.
 */
static void
lower_join (SymOpLower *self, gboolean adds_axis)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  gint64 along = sym_op_lower_get_int (self, "dim", 0);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, along,
                               sym_op_lower_get_input_shape (self, 0)->rank + adds_axis, &axis))
    return;
  along = axis;
  for (guint i = 0; i < n; i++)
    {
      parts[i] = sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                         sym_op_lower_get_input_dtype (self, i),
                                         sym_op_lower_get_output_dtype (self, 0));
      if (adds_axis)
        parts[i] =
            sym_op_lower_binary (self, "Unsqueeze", parts[i], sym_op_lower_ints (self, &along, 1));
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

static void
lower_concat (SymOpLower *self)
{
  lower_join (self, FALSE);
}

static void
lower_stack (SymOpLower *self)
{
  lower_join (self, TRUE);
}

/* torch's nearest takes the element at floor (i / scale); the others align the centres of the
 * corners' elements (align_corners=False). */
static void
lower_upsample (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "nearest");
  const SymShape *to = sym_op_lower_get_output_shape (self, 0);
  gboolean is_nearest = strcmp (mode, "nearest") == 0;
  SymId operands[4];

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (to->rank < 0 || !sym_shape_is_known (to))
    {
      sym_op_lower_refuse (self, "Upsample: the size of the result is not known");
      return;
    }
  sym_op_lower_resize (self, sym_op_lower_input (self, 0), sym_op_lower_get_input_shape (self, 0),
                       to->dims, operands);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Resize", (SymIds){ operands, 4 }, "mode",
                         sym_value_new_string (is_nearest                      ? "nearest"
                                               : strcmp (mode, "bicubic") == 0 ? "cubic"
                                                                               : "linear"),
                         "coordinate_transformation_mode",
                         sym_value_new_string (is_nearest ? "asymmetric" : "half_pixel"),
                         "nearest_mode", sym_value_new_string ("floor"), NULL));
}

static void
lower_permute (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 dims[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "dims", dims, SYM_MAX_RANK);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (n != rank)
    {
      sym_op_lower_fail (self, "permute: %d dims for rank %d", n, rank);
      return;
    }
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_lower_find_axis (self, dims[i], rank, &axis))
        return;
      dims[i] = axis;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), dims, n));
}

#define LAYER(name_, aliases_, category_, summary_, attributes_, slots_, infer_, lower_)        \
  {                                                                                             \
    SYM_OP_TORCH, .name = name_, .aliases = aliases_, .summary = summary_,                      \
                  .reference = "PyTorch Symbolic " name_, .category = SYM_CATEGORY_##category_, \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_torch_shape[] = {
  LAYER ("Flatten",
         "flatten",
         SHAPE,
         "Makes one dimension of several",
         flatten_attributes,
         sym_op_torch_one,
         infer_flatten,
         lower_reshape),
  LAYER ("ReshapeLayer",
         NULL,
         SHAPE,
         "The same elements in another shape",
         reshape_attributes,
         sym_op_torch_one,
         infer_reshape,
         lower_reshape),
  LAYER ("ViewCopyLayer",
         NULL,
         SHAPE,
         "The same elements in another shape",
         reshape_attributes,
         sym_op_torch_one,
         infer_reshape,
         lower_reshape),
  LAYER ("ConcatLayer",
         "ConcatOpLayer",
         MERGE,
         "Lays tensors one after the other",
         dim_attributes,
         NULL,
         infer_concat,
         lower_concat),
  LAYER ("StackLayer",
         NULL,
         MERGE,
         "Lays tensors along a new dimension",
         dim_attributes,
         NULL,
         infer_stack,
         lower_stack),
  LAYER ("Upsample",
         NULL,
         SHAPE,
         "Makes images larger",
         upsample_attributes,
         sym_op_torch_one,
         infer_upsample,
         lower_upsample),
  LAYER ("permute",
         NULL,
         SHAPE,
         "Puts dimensions in another order",
         permute_attributes,
         sym_op_torch_one,
         infer_permute,
         lower_permute),
  { NULL },
};
