/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- _npi_reshape: sizes, and -1 for what is left over ---- */

static const SymAttributeSpec reshape_attributes[] = {
  { "newshape", SYM_ATTRIBUTE_INTS, NULL, "shape of the result, -1 for what is left over" },
  { "order", SYM_ATTRIBUTE_STRING, "C", "C: the last axis runs fastest" },
  { NULL },
};

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "newshape", sizes, SYM_MAX_RANK), open = -1;
  SymShape target;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n < 0)
    return TRUE;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "newshape has %d axes; at most %d are held", n, SYM_MAX_RANK);
  target = sym_shape_new_unknown (n);
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] < -1 || (sizes[i] == -1 && open >= 0))
        return sym_rule_fail (error, "newshape should hold sizes, and at most one -1");
      if (sizes[i] >= 0)
        target.dims[i] = sizes[i];
      else
        open = i;
    }
  return sym_op_reshape (rule, target, open, error);
}

/* ---- _npx_reshape: codes from -1 to -6 ---- */

static const SymAttributeSpec codes_attributes[] = {
  { "newshape", SYM_ATTRIBUTE_INTS, NULL,
    "sizes; -1 is left over, -2 the axis, -3 skips a 1, -4 all others, -5 merges, -6 splits" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether the codes are read from the right" },
  { "order", SYM_ATTRIBUTE_STRING, "C", "C: the last axis runs fastest" },
  { NULL },
};

/* Codes being read, axes of the data used up, and the result so far. */
typedef struct {
  SymRule *rule;
  SymShape data, out;
  gint64 codes[SYM_MAX_RANK * 3];
  int n, at, axis, open;
} Reader;

static gboolean
add_size (Reader *self, SymDim size, GError **error)
{
  if (self->out.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "newshape has more than %d axes", SYM_MAX_RANK);
  self->out.dims[self->out.rank++] = size;
  return TRUE;
}

static gboolean
add_open (Reader *self, GError **error)
{
  if (self->open >= 0)
    return sym_rule_fail (error, "One and only one dim can be inferred");
  self->open = self->out.rank;
  return add_size (self, SYM_DIM_UNKNOWN, error);
}

static gboolean
need_axes (Reader *self, int n, gint64 code, GError **error)
{
  if (self->axis + n <= self->data.rank)
    return TRUE;
  return sym_rule_fail (error,
                        "%" G_GINT64_FORMAT " in newshape needs more axes than the %d there are",
                        code, self->data.rank);
}

static gboolean
add_split (Reader *self, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (self->rule);
  SymDim whole, parts[2], quotient;
  gint64 *given = self->codes + self->at + 1;

  if (self->at + 2 >= self->n || (given[0] == -1 && given[1] == -1) || given[0] < -1 ||
      given[1] < -1 || given[0] == 0 || given[1] == 0)
    return sym_rule_fail (error, "-6 in newshape needs two sizes, one of which may be -1");
  whole = self->data.dims[self->axis++];
  for (int i = 0; i < 2; i++)
    parts[i] = given[i] > 0 ? given[i] : SYM_DIM_UNKNOWN;
  for (int i = 0; i < 2; i++)
    if (given[i] == -1 && sym_terms_divide_exactly (terms, whole, given[1 - i], &quotient))
      parts[i] = quotient;
  if (!sym_rule_unify (self->rule, whole, sym_terms_multiply (terms, parts[0], parts[1]),
                       "axis to split", error))
    return FALSE;
  if (whole >= 0 && (parts[0] < 0 || parts[1] < 0))
    return sym_rule_fail (error,
                          "Split dims %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          " do not divide original dim %" G_GINT64_FORMAT,
                          given[0], given[1], whole);
  self->at += 2;
  return add_size (self, parts[0], error) && add_size (self, parts[1], error);
}

static gboolean
add_code (Reader *self, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (self->rule);
  gint64 code = self->codes[self->at];

  if (code <= -2 && code != -4 && !need_axes (self, code == -5 ? 2 : 1, code, error))
    return FALSE;
  switch (code)
    {
    case -1:
      self->axis++;
      return add_open (self, error);
    case -2:
      return add_size (self, self->data.dims[self->axis++], error);
    case -3:
      return sym_rule_unify (self->rule, self->data.dims[self->axis++], 1, "axis to skip", error);
    case -4:
      while (self->axis < self->data.rank)
        if (!add_size (self, self->data.dims[self->axis++], error))
          return FALSE;
      return TRUE;
    case -5:
      self->axis += 2;
      return add_size (self,
                       sym_terms_multiply (terms, self->data.dims[self->axis - 2],
                                           self->data.dims[self->axis - 1]),
                       error);
    case -6:
      return add_split (self, error);
    default:
      if (code < 0)
        return sym_rule_fail (error, "newshape has %" G_GINT64_FORMAT "; codes go from -1 to -6",
                              code);
      self->axis++;
      return add_size (self, code, error);
    }
}

static void
turn_dims (SymShape *shape)
{
  SymShape turned = *shape;

  for (int i = 0; i < shape->rank; i++)
    shape->dims[i] = turned.dims[shape->rank - 1 - i];
}

static void
turn_codes (Reader *self)
{
  gint64 turned[G_N_ELEMENTS (self->codes)];

  for (int i = 0; i < self->n; i++)
    turned[i] = self->codes[self->n - 1 - i];
  for (int i = 0; i < self->n; i++)
    self->codes[i] = turned[i];
}

static gboolean
is_plain (const Reader *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->codes[i] < -1)
      return FALSE;
  return TRUE;
}

gboolean
sym_op_mxnet_infer_reshape_codes (SymRule *rule, GError **error)
{
  gboolean reverse = sym_rule_get_bool (rule, "reverse", FALSE);
  Reader reader = { .rule = rule, .data = sym_rule_get_input (rule, 0), .open = -1 };

  reader.n = sym_rule_get_ints (rule, "newshape", reader.codes, G_N_ELEMENTS (reader.codes));
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (reader.n < 0 || (reader.data.rank < 0 && !is_plain (&reader)))
    return TRUE;
  if (reader.n > (int) G_N_ELEMENTS (reader.codes))
    return sym_rule_fail (error, "newshape has %d numbers; at most %d are held", reader.n,
                          (int) G_N_ELEMENTS (reader.codes));
  if (reverse)
    {
      turn_dims (&reader.data);
      turn_codes (&reader);
    }
  for (; reader.at < reader.n; reader.at++)
    if (!add_code (&reader, error))
      return FALSE;
  if (reverse)
    {
      turn_dims (&reader.out);
      reader.open = reader.open >= 0 ? reader.out.rank - 1 - reader.open : -1;
    }
  return sym_op_reshape (rule, reader.out, reader.open, error);
}

/* Elements in row major order, which is all that ONNX has. */
static void
lower_reshape (SymOpLower *self)
{
  if (sym_op_lower_has_string (self, "order", "F"))
    sym_op_lower_refuse (self, "%s: order F is not lowered", sym_op_lower_get_type (self));
  sym_op_mxnet_lower_reshape (self);
}

#define RESHAPE(name_, aliases_, summary_, attributes_, infer_, lower_)                   \
  {                                                                                       \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,      \
                  .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_, \
                  .lower = lower_                                                         \
  }

const SymOperator sym_op_mxnet_numpy_reshape[] = {
  RESHAPE ("_np_reshape",
           NULL,
           "the same elements in another shape",
           reshape_attributes,
           infer_reshape,
           lower_reshape),
  RESHAPE ("_npx_reshape",
           "_npi_reshape",
           "the same elements in a shape told by codes",
           codes_attributes,
           sym_op_mxnet_infer_reshape_codes,
           lower_reshape),
  { NULL },
};
