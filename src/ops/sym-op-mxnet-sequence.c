/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "use_sequence_length", SYM_ATTRIBUTE_BOOL, "False", "whether an operand has lengths" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis of time: 0, or 1" },
  { NULL },
};

static const SymAttributeSpec mask_attributes[] = {
  { "use_sequence_length", SYM_ATTRIBUTE_BOOL, "False", "whether an operand has lengths" },
  { "value", SYM_ATTRIBUTE_FLOAT, "0.0", "what is put after the end" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis of time: 0, or 1" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "data" },
  { "sequence_length", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static int
get_n_operands (const SymAttributes *given)
{
  return sym_op_get_bool (given, "use_sequence_length", FALSE) ? 2 : 1;
}

/* The data [length, N, ...], or [N, length, ...]; a length for each of N. */
static gboolean
set_lengths (SymRule *rule, SymShape *data, int *time, GError **error)
{
  *time = sym_rule_get_int (rule, "axis", 0) == 0 ? 0 : 1;
  *data = sym_rule_get_input (rule, 0);
  if (data->rank < 0)
    return TRUE;
  if (data->rank < 2)
    return sym_rule_fail (error, "The data array must be of rank 2 or greater");
  return sym_op_set_input (rule, 1, SYM_SHAPE (data->dims[1 - *time]), error);
}

static gboolean
infer_same (SymRule *rule, GError **error)
{
  SymShape data;
  int time;

  return sym_op_pass (rule, 0, 0, error) && set_lengths (rule, &data, &time, error);
}

static gboolean
infer_last (SymRule *rule, GError **error)
{
  SymShape data;
  int time;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !set_lengths (rule, &data, &time, error))
    return FALSE;
  return data.rank < 0 ||
         sym_op_set_output (rule, 0, sym_op_remove_axis (&data, time), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Lowering ---- */

static gboolean
has_lengths (SymOpLower *self)
{
  return sym_op_lower_get_bool (self, "use_sequence_length", FALSE) &&
         sym_op_lower_need_tensor (self, 1);
}

static int
get_time (SymOpLower *self)
{
  return sym_op_lower_get_int (self, "axis", 0) == 0 ? 0 : 1;
}

static gboolean
has_data (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) && sym_op_lower_get_output_shape (self, 0)->rank > 0 &&
         !sym_op_lower_has_failed (self);
}

static void
lower_mask (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymShape times = { .rank = data->rank };
  SymId index, length, other;
  int time = get_time (self);

  if (!has_data (self) || !has_lengths (self))
    {
      sym_op_mxnet_lower_identity (self);
      return;
    }
  for (int i = 0; i < data->rank; i++)
    times.dims[i] = i == time ? data->dims[i] : 1;
  index = sym_op_lower_call (
      self, "Range",
      SYM_IDS (sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0),
               sym_op_lower_number (self, SYM_DTYPE_FLOAT32, (double) data->dims[time]),
               sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 1)),
      NULL);
  length = sym_op_lower_cast (self, sym_op_mxnet_lower_along (self, 1, 1 - time, data->rank),
                              SYM_DTYPE_FLOAT32);
  other = sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "value", 0));
  index = sym_op_lower_binary (self, "Less", sym_op_lower_reshape (self, index, &times), length);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Where",
                                              SYM_IDS (index, sym_op_lower_input (self, 0), other),
                                              NULL));
}

/* [N, length, ...] and an index for each of N. */
static void
lower_last (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0), index;
  gint64 axes[SYM_MAX_RANK] = { 1, 0 };
  int time = get_time (self);

  if (!has_data (self))
    return;
  if (!has_lengths (self))
    {
      sym_op_lower_finish (self, sym_op_lower_slice (self, x, time, -1, G_MAXINT64, 1));
      return;
    }
  for (int i = 2; i < data->rank; i++)
    axes[i] = i;
  if (time == 0)
    x = sym_op_lower_permute (self, x, axes, data->rank);
  index = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
  index = sym_op_lower_binary (self, "Sub", index, sym_op_lower_number (self, SYM_DTYPE_INT64, 1));
  index = sym_op_lower_reshape (self, index, &SYM_SHAPE (data->dims[1 - time], 1));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "GatherND", SYM_IDS (x, index), "batch_dims",
                                              sym_value_new_int (1), NULL));
}

static void
lower_turn (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), length;
  int time = get_time (self);

  if (!has_data (self))
    return;
  if (!has_lengths (self))
    {
      sym_op_lower_set_output (self, 0, sym_op_lower_slice (self, x, time, -1, G_MININT64, -1));
      return;
    }
  length = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "ReverseSequence", SYM_IDS (x, length),
                                              "time_axis", sym_value_new_int (time), "batch_axis",
                                              sym_value_new_int (1 - time), NULL));
}

#define SEQUENCE(name_, alias_, summary_, attributes_, infer_, lower_)                         \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = alias_, .summary = summary_,                       \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,           \
                  .attributes = attributes_, .slots = slots, .get_n_operands = get_n_operands, \
                  .infer = infer_, .lower = lower_                                             \
  }

const SymOperator sym_op_mxnet_sequence[] = {
  SEQUENCE ("SequenceLast",
            "_npx_sequence_last",
            "the last element of each sequence",
            attributes,
            infer_last,
            lower_last),
  SEQUENCE ("SequenceMask",
            "_npx_sequence_mask",
            "overwrites what comes after the end",
            mask_attributes,
            infer_same,
            lower_mask),
  SEQUENCE ("SequenceReverse",
            "_npx_sequence_reverse",
            "turns each sequence round",
            attributes,
            infer_same,
            lower_turn),
  { NULL },
};
