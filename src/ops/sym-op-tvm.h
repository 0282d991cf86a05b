/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"

G_BEGIN_DECLS

/* Functions that TVM fused, by their names: "nn_dense_add_nn_relu" is a product, a sum and what is
 * positive of it.  Semantics are those of TVM 0.15's Relay, and of NNVM's compiler before it.  What
 * a name leaves open, as the axis of a softmax, is taken from the shapes of operands and result
 * where these leave one meaning alone; elsewhere a function is not known. */

/* The function called @name, without prefix and number; NULL for one with an unknown part. */
const SymOperator *sym_op_tvm_find (const char *name);

/* Whether the parts of function @name, which is known, take @n operands. */
gboolean sym_op_tvm_takes (const char *name, guint n);

typedef struct _SymTvmPart SymTvmPart;

/* What has been made of a function up to one of its parts. */
typedef struct {
  SymOpLower *body;
  const char *rest; /* the parts behind this one */
  SymId x;
  SymShape shape; /* of @x: its rank is known, sizes may be below 0 */
  SymDType dtype;
  SymShape result; /* of the whole function, as the graph says; of rank -1 where it does not */
  SymDType result_dtype;
  guint n_used; /* operands */
} SymTvmChain;

struct _SymTvmPart {
  const char *name;
  const char *onnx; /* the operator that it is or consists of */
  void (*apply) (SymTvmChain *chain, const SymTvmPart *part);
  guint n_operands; /* besides what comes from the part before */
  SymCategory category;
  gboolean is_elementwise; /* it broadcasts, if anything: numbers stay where they are */
  gboolean is_typing;      /* what it makes may be of another dtype */
  gboolean needs_result;   /* the shape of the result settles what it does */
};

/* The part that *@at begins with, the longest one, and what is behind it; NULL for none. */
const SymTvmPart *sym_op_tvm_take_part (const char **at);

/* Whether all parts are elementwise; operands of all; whether one changes the dtype. */
gboolean sym_op_tvm_are_elementwise (const char *parts);
guint sym_op_tvm_count_operands (const char *parts);
gboolean sym_op_tvm_change_dtype (const char *parts);

/* The next operand: FALSE, and an error of the body, when there is none. */
gboolean sym_op_tvm_take_operand (SymTvmChain *chain, SymId *value, SymShape *shape);

/* The number of elements; -1 where it is not known. */
gint64 sym_op_tvm_count (const SymShape *shape);

/* Operands do not fit where @is_wrong; otherwise name and shapes leave several meanings. */
void sym_op_tvm_give_up (SymTvmChain *chain, const SymTvmPart *part, gboolean is_wrong);

void sym_op_tvm_apply_unary (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_pair (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_compare (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_rsqrt (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_round (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_log (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_mod (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_where (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_gates (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_cast (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_channels (SymTvmChain *chain, const SymTvmPart *part);

void sym_op_tvm_apply_dense (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_dense_pack (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_matmul (SymTvmChain *chain, const SymTvmPart *part);

void sym_op_tvm_apply_flatten (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_reshape (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_transpose (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_concatenate (SymTvmChain *chain, const SymTvmPart *part);

void sym_op_tvm_apply_reduce (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_pool (SymTvmChain *chain, const SymTvmPart *part);
void sym_op_tvm_apply_softmax (SymTvmChain *chain, const SymTvmPart *part);

G_END_DECLS
