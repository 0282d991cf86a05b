/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- Reshape ---- */

static const SymAttributeSpec reshape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()",
    "0 keeps, -1 fills, -2 copies the rest, -3 joins, -4 splits" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether the codes are read from the last axis on" },
  { "target_shape", SYM_ATTRIBUTE_INTS, "()", "older form of shape, in which 0 fills" },
  { "keep_highest", SYM_ATTRIBUTE_BOOL, "False", "with target_shape: the first axis is kept" },
  { NULL },
};

/* The codes of one reshape as they are read: places in the data taken, dimensions made. */
typedef struct {
  SymTerms *terms;
  const gint64 *codes;
  int n_codes;
  SymShape data, target;
  int taken;
  int open; /* the dimension that fills up, or -1 */
} Reading;

static gboolean
take (Reading *self, SymDim *dim, GError **error)
{
  if (self->taken >= self->data.rank)
    return sym_rule_fail (error, "shape asks for more axes than the %d of the data",
                          self->data.rank);
  *dim = self->data.dims[self->taken++];
  return TRUE;
}

static gboolean
put (Reading *self, SymDim dim, GError **error)
{
  if (self->target.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "shape has more than %d axes", SYM_MAX_RANK);
  self->target.dims[self->target.rank++] = dim;
  return TRUE;
}

/* -4: one axis becomes two, of which one size may be -1. */
static gboolean
split (Reading *self, int at, GError **error)
{
  SymDim dim = SYM_DIM_UNKNOWN, left, right;

  if (at + 2 >= self->n_codes)
    return sym_rule_fail (error, "-4 in shape needs two sizes after it");
  if (!take (self, &dim, error))
    return FALSE;
  left = self->codes[at + 1];
  right = self->codes[at + 2];
  if ((left == -1) == (right == -1) ? left < 1 || right < 1 : MAX (left, right) < 1)
    return sym_rule_fail (error,
                          "Split dims cannot both be -1: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                          left, right);
  if (dim >= 0 && (left > 0 && right > 0 ? left != dim / right || dim % right != 0
                                         : dim % MAX (left, right) != 0))
    return sym_rule_fail (error,
                          "Split dims %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          " do not divide original dim %" G_GINT64_FORMAT,
                          left, right, dim);
  if (left == -1 && !sym_terms_divide_exactly (self->terms, dim, right, &left))
    left = SYM_DIM_UNKNOWN;
  if (right == -1 && !sym_terms_divide_exactly (self->terms, dim, left, &right))
    right = SYM_DIM_UNKNOWN;
  return put (self, left, error) && put (self, right, error);
}

static gboolean
join (Reading *self, GError **error)
{
  SymDim a = SYM_DIM_UNKNOWN, b = SYM_DIM_UNKNOWN;

  return take (self, &a, error) && take (self, &b, error) &&
         put (self, sym_terms_multiply (self->terms, a, b), error);
}

static gboolean
copy_rest (Reading *self, GError **error)
{
  while (self->taken < self->data.rank)
    {
      SymDim dim = SYM_DIM_UNKNOWN;

      if (!take (self, &dim, error) || !put (self, dim, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_code (Reading *self, int at, GError **error)
{
  gint64 code = self->codes[at];
  SymDim dim = SYM_DIM_UNKNOWN;

  if (code == 0)
    return take (self, &dim, error) && put (self, dim, error);
  if (code == -2)
    return copy_rest (self, error);
  if (code == -3)
    return join (self, error);
  if (code == -4)
    return split (self, at, error);
  if (code < -4)
    return sym_rule_fail (error, "shape has the code %" G_GINT64_FORMAT "; codes go from 0 to -4",
                          code);
  if (code == -1 && self->open >= 0)
    return sym_rule_fail (error, "One and only one dim can be inferred");
  if (code == -1)
    self->open = self->target.rank;
  self->taken++;
  return put (self, code == -1 ? SYM_DIM_UNKNOWN : code, error);
}

static void
reverse_shape (SymShape *shape)
{
  for (int i = 0; i < shape->rank / 2; i++)
    {
      SymDim dim = shape->dims[i];

      shape->dims[i] = shape->dims[shape->rank - 1 - i];
      shape->dims[shape->rank - 1 - i] = dim;
    }
}

static gboolean
read_codes (Reading *self, GError **error)
{
  self->target.rank = 0;
  self->open = -1;
  for (int i = 0; i < self->n_codes; i++)
    {
      if (!read_code (self, i, error))
        return FALSE;
      if (self->codes[i] == -4)
        i += 2;
    }
  return TRUE;
}

/* Codes that look at no axis of the data say what they say even while its rank is unknown. */
static gboolean
is_independent (const gint64 *codes, int n)
{
  for (int i = 0; i < n; i++)
    if (codes[i] == 0 || codes[i] < -1)
      return FALSE;
  return TRUE;
}

static gboolean
reshape_by_codes (SymRule *rule, gint64 *codes, int n, GError **error)
{
  gboolean reverse = sym_rule_get_bool (rule, "reverse", FALSE);
  Reading reading = {
    .terms = sym_rule_get_terms (rule),
    .codes = codes,
    .n_codes = n,
    .data = sym_rule_get_input (rule, 0),
  };

  if (reading.data.rank < 0 && !is_independent (codes, n))
    return TRUE;
  if (reverse)
    {
      SymShape reversed = sym_shape_new (codes, n);

      reverse_shape (&reversed);
      for (int i = 0; i < n; i++)
        codes[i] = reversed.dims[i];
      reverse_shape (&reading.data);
    }
  if (!read_codes (&reading, error))
    return FALSE;
  if (reverse)
    {
      reverse_shape (&reading.target);
      reading.open = reading.open < 0 ? -1 : reading.target.rank - 1 - reading.open;
    }
  return sym_op_reshape (rule, reading.target, reading.open, error);
}

static gboolean
reshape_by_target (SymRule *rule, const gint64 *target, int n, GError **error)
{
  gboolean keep = sym_rule_get_bool (rule, "keep_highest", FALSE);
  SymShape data = sym_rule_get_input (rule, 0), shape = sym_shape_new (target, n);
  int open = -1;

  if (keep)
    shape.dims[0] = data.rank > 0 ? data.dims[0] : SYM_DIM_UNKNOWN;
  for (int i = keep ? 1 : 0; i < n; i++)
    {
      if (target[i] > 0)
        continue;
      if (open >= 0)
        return sym_rule_fail (error, "One and only one dim can be inferred");
      open = i;
      shape.dims[i] = SYM_DIM_UNKNOWN;
    }
  return sym_op_reshape (rule, shape, open, error);
}

gboolean
sym_op_mxnet_infer_reshape (SymRule *rule, GError **error)
{
  gint64 codes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "shape", codes, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "shape has %d codes; at most %d are read", n, SYM_MAX_RANK);
  if (n > 0)
    return reshape_by_codes (rule, codes, n, error);
  n = sym_rule_get_ints (rule, "target_shape", codes, SYM_MAX_RANK);
  return n <= 0 || n > SYM_MAX_RANK || reshape_by_target (rule, codes, n, error);
}

/* ---- dynamic_reshape ---- */

static const SymSlotSpec dynamic_slots[] = { { "data" }, { "shape" }, { NULL } };

/* The codes are the elements of a tensor: the shape is known where these are. */
static gboolean
infer_dynamic_reshape (SymRule *rule, GError **error)
{
  SymDim codes[SYM_MAX_RANK];
  SymShape list = SYM_SHAPE (SYM_DIM_UNKNOWN);
  int n = sym_rule_get_input_values (rule, 1, codes, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_rule_set_input (rule, 1, &list, error))
    return FALSE;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "shape has %d codes; at most %d are read", n, SYM_MAX_RANK);
  for (int i = 0; i < n; i++)
    if (codes[i] < 1)
      return TRUE;
  return n <= 0 || reshape_by_codes (rule, codes, n, error);
}

/* ---- reshape_like ---- */

static const SymAttributeSpec reshape_like_attributes[] = {
  { "lhs_begin", SYM_ATTRIBUTE_INT, "None", "first axis of the data that is replaced" },
  { "lhs_end", SYM_ATTRIBUTE_INT, "None", "axis after the last one that is replaced" },
  { "rhs_begin", SYM_ATTRIBUTE_INT, "None", "first axis of the other that is taken" },
  { "rhs_end", SYM_ATTRIBUTE_INT, "None", "axis after the last one that is taken" },
  { NULL },
};

/* The bounds of a run of axes: from the attributes @begin and @end, all when they are None. */
static gboolean
get_run (SymRule *rule,
         const char *begin,
         const char *end,
         int rank,
         int *from,
         int *to,
         GError **error)
{
  gint64 first = sym_rule_get_int (rule, begin, 0), last = sym_rule_get_int (rule, end, rank);

  first = first < 0 ? first + rank : first;
  last = last < 0 ? last + rank : last;
  if (first < 0 || last > rank || first > last)
    return sym_rule_fail (
        error, "%s %" G_GINT64_FORMAT " and %s %" G_GINT64_FORMAT " are out of range for rank %d",
        begin, first, end, last, rank);
  *from = (int) first;
  *to = (int) last;
  return TRUE;
}

static gboolean
infer_reshape_like (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), like = sym_rule_get_input (rule, 1);
  SymShape target = { .rank = 0 };
  int from, to, like_from, like_to;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || like.rank < 0)
    return TRUE;
  if (!get_run (rule, "lhs_begin", "lhs_end", data.rank, &from, &to, error) ||
      !get_run (rule, "rhs_begin", "rhs_end", like.rank, &like_from, &like_to, error))
    return FALSE;
  if (data.rank - (to - from) + like_to - like_from > SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  for (int i = 0; i < from; i++)
    target.dims[target.rank++] = data.dims[i];
  for (int i = like_from; i < like_to; i++)
    target.dims[target.rank++] = like.dims[i];
  for (int i = to; i < data.rank; i++)
    target.dims[target.rank++] = data.dims[i];
  return sym_op_reshape (rule, target, -1, error);
}

/* ---- Flatten ---- */

static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (2), SYM_DTYPE_UNKNOWN, error);
  if (data.rank == 0)
    return sym_rule_fail (error, "data is a scalar; it should have at least one axis");
  return sym_op_reshape (rule, SYM_SHAPE (data.dims[0], SYM_DIM_UNKNOWN), 1, error);
}

const SymOperator sym_op_mxnet_reshape[] = {
  {
      SYM_OP_MXNET,
      .name = "Reshape",
      .aliases = "reshape",
      .summary = "the same elements in another shape",
      .reference = "MXNet 1.9.1 Reshape",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = reshape_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_mxnet_infer_reshape,
      .lower = sym_op_mxnet_lower_reshape,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_dynamic_reshape",
      .summary = "the same elements in a shape that is a tensor",
      .reference = "MXNet 2.0 _contrib_dynamic_reshape",
      .category = SYM_CATEGORY_SHAPE,
      .slots = dynamic_slots,
      .infer = infer_dynamic_reshape,
  },
  {
      SYM_OP_MXNET,
      .name = "reshape_like",
      .aliases = "_npx_reshape_like",
      .summary = "the same elements in the shape of another tensor",
      .reference = "MXNet 1.9.1 reshape_like",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = reshape_like_attributes,
      .slots = sym_op_mxnet_pair,
      .infer = infer_reshape_like,
      .lower = sym_op_mxnet_lower_reshape,
  },
  {
      SYM_OP_MXNET,
      .name = "Flatten",
      .aliases = "flatten _npx_batch_flatten",
      .summary = "all axes but the first become one",
      .reference = "MXNet 1.9.1 Flatten",
      .category = SYM_CATEGORY_SHAPE,
      .slots = sym_op_mxnet_data,
      .infer = infer_flatten,
      .lower = sym_op_mxnet_lower_reshape,
  },
  { NULL },
};
