/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- The data as it is ---- */

static gboolean
infer_identity (SymRule *rule, GError **error)
{
  if (!sym_op_infer_elementwise (rule, error))
    return FALSE;
  sym_op_pass_values (rule, 0, 0);
  return TRUE;
}

static gboolean
infer_like_rhs (SymRule *rule, GError **error)
{
  return sym_rule_tie_shapes (rule, 0, 1, error) && sym_op_pass_dtype (rule, 0, 0, error);
}

/* ---- Dropout ---- */

static const SymAttributeSpec dropout_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "0.5", "share of elements that are dropped" },
  { "mode", SYM_ATTRIBUTE_STRING, "training", "training or always: when it drops",
    "training always" },
  { "axes", SYM_ATTRIBUTE_INTS, "()", "axes along which all or none are dropped" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { NULL },
};

static gboolean
infer_dropout (SymRule *rule, GError **error)
{
  gboolean axes[SYM_MAX_RANK];
  SymShape data, mask;
  int n;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axes", data.rank, axes, &n, error))
    return FALSE;
  mask = sym_op_reduce_shape (&data, axes, TRUE);
  return sym_rule_set_output (rule, 1, &mask, error);
}

/* Nothing is dropped but in training, or where the file asks for it always. */
static void
lower_dropout (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_has_string (self, "mode", "always"))
    sym_op_lower_refuse (self, "Dropout: mode always drops at random, which is not lowered");
  sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_fill (self, dtype, data, 1));
}

/* ---- Cast ---- */

static const SymAttributeSpec cast_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, NULL, "dtype of the result" },
  { NULL },
};

/* Only the output's dtype is fixed (M46). */
static gboolean
infer_cast (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);

  if (!sym_op_pass_shape (rule, 0, 0, error) || !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (sym_dtype_is_integer (dtype))
    sym_op_pass_values (rule, 0, 0);
  return TRUE;
}

/* ---- amp_multicast ---- */

static const SymAttributeSpec multicast_attributes[] = {
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of operands and outputs" },
  { "cast_narrow", SYM_ATTRIBUTE_BOOL, "False", "whether the narrowest dtype wins" },
  { NULL },
};

static int
get_n_multicast (const SymAttributes *attributes)
{
  return (int) CLAMP (sym_op_get_int (attributes, "num_outputs", 1), 1, G_MAXINT16);
}

static int
get_n_multicast_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = get_n_multicast (attributes);
  return *n_visible;
}

/* The widest (or narrowest) of the floating-point dtypes of all operands. */
static SymDType
find_common_dtype (SymRule *rule, gboolean narrow)
{
  SymDType common = SYM_DTYPE_UNKNOWN;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymDType dtype = sym_rule_get_input_dtype (rule, i);

      if (dtype == SYM_DTYPE_UNKNOWN)
        return SYM_DTYPE_UNKNOWN;
      if (common == SYM_DTYPE_UNKNOWN ||
          (narrow ? sym_dtype_get_bits (dtype) < sym_dtype_get_bits (common)
                  : sym_dtype_get_bits (dtype) > sym_dtype_get_bits (common)))
        common = dtype;
    }
  return common;
}

static gboolean
infer_multicast (SymRule *rule, GError **error)
{
  SymDType dtype = find_common_dtype (rule, sym_rule_get_bool (rule, "cast_narrow", FALSE));

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_pass_shape (rule, i, i, error) ||
        !sym_rule_set_output_dtype (rule, i, dtype, error))
      return FALSE;
  return TRUE;
}

static void
lower_multicast (SymOpLower *self)
{
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    if (sym_op_lower_need_tensor (self, i))
      sym_op_lower_set_output (self, i,
                               sym_op_lower_cast (self, sym_op_lower_input (self, i),
                                                  sym_op_lower_get_output_dtype (self, i)));
}

/* ---- cast_storage ---- */

static const SymAttributeSpec storage_attributes[] = {
  { "stype", SYM_ATTRIBUTE_STRING, NULL, "csr, default or row_sparse", "default row_sparse csr" },
  { NULL },
};

#define IDENTITY(name_, aliases_, summary_)                                      \
  {                                                                              \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,       \
                  .reference = "MXNet 1.9.1 " name_, .slots = sym_op_mxnet_data, \
                  .infer = infer_identity, .lower = sym_op_mxnet_lower_identity  \
  }

const SymOperator sym_op_mxnet_identity[] = {
  IDENTITY ("_copy", "identity", "the data as it is"),
  IDENTITY ("BlockGrad", "stop_gradient _npx_stop_gradient", "the data; no gradient passes"),
  IDENTITY ("_CrossDeviceCopy", "_copyto", "the data on another device"),
  {
      SYM_OP_MXNET,
      .name = "_identity_with_attr_like_rhs",
      .summary = "the first operand, in the shape of the second",
      .reference = "MXNet 1.9.1 _identity_with_attr_like_rhs",
      .slots = sym_op_mxnet_pair,
      .infer = infer_like_rhs,
      .lower = sym_op_mxnet_lower_identity,
  },
  {
      SYM_OP_MXNET,
      .name = "Dropout",
      .aliases = "_npx_dropout",
      .summary = "drops elements at random while training",
      .reference = "MXNet 1.9.1 Dropout",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = dropout_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "mask", NULL },
      .infer = infer_dropout,
      .lower = lower_dropout,
  },
  {
      SYM_OP_MXNET,
      .name = "Cast",
      .aliases = "cast _npi_cast _npx_cast",
      .summary = "the data in another dtype",
      .reference = "MXNet 1.9.1 Cast",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = cast_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_cast,
      .lower = sym_op_mxnet_lower_cast,
  },
  {
      SYM_OP_MXNET,
      .name = "amp_cast",
      .aliases = "_npi_amp_cast",
      .summary = "the data in another dtype, for mixed precision",
      .reference = "MXNet 1.9.1 amp_cast",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = cast_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_cast,
      .lower = sym_op_mxnet_lower_cast,
  },
  {
      SYM_OP_MXNET,
      .name = "amp_multicast",
      .aliases = "_npi_amp_multicast",
      .summary = "several tensors in their widest dtype",
      .reference = "MXNet 1.9.1 amp_multicast",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = multicast_attributes,
      .slots = sym_op_mxnet_many,
      .get_n_operands = get_n_multicast,
      .get_n_outputs = get_n_multicast_outputs,
      .infer = infer_multicast,
      .lower = lower_multicast,
  },
  {
      SYM_OP_MXNET,
      .name = "cast_storage",
      .summary = "the data in another storage",
      .reference = "MXNet 1.9.1 cast_storage",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = storage_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_identity,
      .lower = sym_op_mxnet_lower_identity,
  },
  { NULL },
};
