/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Optionals: a value, or none.  The type of one has dtype and shape of what it holds. */

static const SymAttributeSpec optional_attributes[] = {
  { "type", SYM_ATTRIBUTE_ANY, "None", "type of what could be there, when there is no operand" },
  { NULL },
};

static const SymSlotSpec maybe_slots[] = { { "input", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec input_slots[] = { { "input" }, { NULL } };

static gboolean
infer_optional (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);

  (void) error;
  type.kind = SYM_KIND_OPTIONAL;
  sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_optional (SymKernel *kernel, GError **error)
{
  SymDatum *given = sym_kernel_get_datum (kernel, 0);
  g_autoptr (SymDatum) kept = given == NULL ? NULL : sym_datum_keep (given, error);
  g_autoptr (SymDatum) optional = NULL;

  if (given != NULL && kept == NULL)
    return FALSE;
  optional = sym_datum_new_optional (
      given == NULL ? SYM_DTYPE_UNKNOWN : sym_datum_get_dtype (given), kept);
  return sym_kernel_set_output (kernel, 0, optional, error);
}

static gboolean
infer_has (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_BOOL, error);
}

/* From version 18 on a value that is no optional is there, and an empty slot is nothing. */
static gboolean
run_has (SymKernel *kernel, GError **error)
{
  SymDatum *given = sym_kernel_get_datum (kernel, 0);
  SymShape shape = SYM_SHAPE ();
  SymArray *y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_BOOL, &shape, error);

  if (y == NULL)
    return FALSE;
  *(guint8 *) y->data = given != NULL && (sym_datum_get_kind (given) != SYM_KIND_OPTIONAL ||
                                          sym_datum_get_n_items (given) > 0);
  return TRUE;
}

/* What an optional holds may be a tensor or a sequence, which its type does not tell. */
static gboolean
infer_get (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);

  (void) error;
  if (type.kind == SYM_KIND_TENSOR || type.kind == SYM_KIND_SEQUENCE)
    sym_rule_set_output_type (rule, 0, &type);
  return TRUE;
}

static gboolean
run_get (SymKernel *kernel, GError **error)
{
  SymDatum *given = sym_kernel_get_datum (kernel, 0);

  if (given == NULL)
    return sym_kernel_fail (error, "operand 0 (input) is missing");
  if (sym_datum_get_kind (given) != SYM_KIND_OPTIONAL)
    return sym_kernel_set_output (kernel, 0, given, error);
  if (sym_datum_get_n_items (given) == 0)
    return sym_kernel_fail (error, "the optional is empty");
  return sym_kernel_set_output (kernel, 0, sym_datum_get_item (given, 0), error);
}

#define OPTIONAL(name_, version_, summary_) \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_CONTROL

const SymOperator sym_op_onnx_optional[] = {
  { OPTIONAL ("Optional", 15, "an optional that holds the operand, or nothing"),
    .attributes = optional_attributes, .slots = maybe_slots, .infer = infer_optional,
    .run = run_optional },
  { OPTIONAL ("OptionalHasElement", 15, "whether an optional holds something"),
    .slots = input_slots, .infer = infer_has, .run = run_has },
  { OPTIONAL ("OptionalHasElement", 18, "whether there is a value"), .slots = maybe_slots,
    .infer = infer_has, .run = run_has },
  { OPTIONAL ("OptionalGetElement", 15, "what an optional holds"), .slots = input_slots,
    .infer = infer_get, .run = run_get },
  { OPTIONAL ("OptionalGetElement", 18, "what an optional holds, or the operand itself"),
    .slots = input_slots, .infer = infer_get, .run = run_get },
  { 0 },
};
