/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-rules.h"

G_BEGIN_DECLS

/* Operators of ONNX's default domain.  An entry is written for each version of the operator set
 * that changed what the operator means or which operands and attributes it has; a version that only
 * admitted more dtypes has none.  Reference: the operator's page in ONNX's Operators.md. */
#define SYM_OP_ONNX(name_, version_) \
  .domain = "", .name = name_, .since_version = version_, .reference = "ONNX " name_ "-" #version_

/* ---- sym-op-onnx.c ---- */

extern const SymSlotSpec sym_op_onnx_x[];     /* X */
extern const SymSlotSpec sym_op_onnx_pair[];  /* A, B */
extern const SymSlotSpec sym_op_onnx_input[]; /* input */
extern const SymSlotSpec sym_op_onnx_many[];  /* data_0, of any number */

/* For operators of any number of operands: their get_n_operands. */
int sym_op_onnx_get_any_number (const SymAttributes *attributes);

/* For operators some of whose outputs need not be there: their get_n_outputs. */
int sym_op_onnx_get_any_outputs (const SymAttributes *attributes, int *n_visible);

/* The dtype that an attribute names: by its name, or by its number in TensorProto.  UNKNOWN for
 * none. */
SymDType sym_op_onnx_get_dtype (const SymAttributes *attributes, const char *name);

/* What operators had before version 6: `consumed_inputs`. */
extern const SymAttributeSpec sym_op_onnx_consumed[];

/* Shape rules of results that are true or false: of one operand, or of two that broadcast. */
gboolean sym_op_onnx_infer_test (SymRule *rule, GError **error);
gboolean sym_op_onnx_infer_comparison (SymRule *rule, GError **error);

/* Tells the values of output 0 where operands 0 and 1 are small integers that are known: @fold of
 * each pair, all of them unless it is FALSE for one (a division by 0, an overflow). */
typedef gboolean (*SymOpOnnxFold) (gint64 a, gint64 b, gint64 *result);
void sym_op_onnx_fold_values (SymRule *rule, SymOpOnnxFold fold);

/* As sym_op_pass_values(), negative numbers too. */
void sym_op_onnx_pass_values (SymRule *rule, guint input, guint output);

/* Before version 7 B was broadcast only where the attribute `broadcast` is 1, its axes standing for
 * those of A from `axis` on (by default the last ones).  The second table is that of version 1
 * where there was `consumed_inputs`, too. */
extern const SymAttributeSpec sym_op_onnx_legacy_broadcast[];
extern const SymAttributeSpec sym_op_onnx_consumed_broadcast[];
gboolean sym_op_onnx_infer_legacy (SymRule *rule, GError **error);
gboolean sym_op_onnx_infer_legacy_comparison (SymRule *rule, GError **error);

/* As sym_op_run_binary(), by the rules before version 7. */
gboolean sym_op_onnx_run_legacy (SymKernel *kernel,
                                 const SymOpBinaryLoop loops[SYM_N_DTYPES],
                                 SymDType dtype,
                                 GError **error);

/* ---- sym-op-onnx-softmax.c ---- */

/* LogSoftmax of @x, of float32 or float64, along an axis, into as many numbers of its dtype. */
gboolean sym_op_onnx_log_softmax (SymKernel *kernel,
                                  const SymArray *x,
                                  SymOpAxis axis,
                                  void *y,
                                  GError **error);

G_END_DECLS
