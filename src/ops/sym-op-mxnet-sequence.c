/* SPDX-License-Identifier: MIT */
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

#define SEQUENCE(name_, alias_, summary_, attributes_, infer_)                                 \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = alias_, .summary = summary_,                       \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,           \
                  .attributes = attributes_, .slots = slots, .get_n_operands = get_n_operands, \
                  .infer = infer_                                                              \
  }

const SymOperator sym_op_mxnet_sequence[] = {
  SEQUENCE ("SequenceLast",
            "_npx_sequence_last",
            "the last element of each sequence",
            attributes,
            infer_last),
  SEQUENCE ("SequenceMask",
            "_npx_sequence_mask",
            "overwrites what comes after the end",
            mask_attributes,
            infer_same),
  SEQUENCE ("SequenceReverse",
            "_npx_sequence_reverse",
            "turns each sequence round",
            attributes,
            infer_same),
  { NULL },
};
