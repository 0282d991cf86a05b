/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-edit.h"
#include "core/sym-infer.h"
#include "run/sym-plan-expand-private.h"

G_BEGIN_DECLS

/* A model in which what is told in few bits is computed in float32, so that compiling sees it.
 * Values stay what they are, for whoever asks for them; beside them there are others with the same
 * numbers. */
typedef struct {
  const SymInference *inference;
  SymModel *model;
  SymEdit *edit;
  GArray *origins; /* as SymExpansion has them */
  guint n_shown;   /* calls of the model that was planned */
  SymId *halves; /* of each value of float16 or bfloat16, and of what is made with one: what stands
                  * for it; SYM_NO_ID for nothing yet */
  SymId *integers; /* the same of quantised ones, as float32 */
} SymWiden;

/* The type of a value of the model. */
SymType sym_widen_get_type (const SymWiden *self, SymId value);

/* Adds a call of an operator of ONNX with one result, which it returns; @attributes may be NULL,
 * and is taken. */
SymId sym_widen_insert (SymWiden *self,
                        SymId origin,
                        const char *type,
                        SymAttributes *take_attributes,
                        const SymId *operands,
                        guint n);

/* The same of any layer. */
SymId sym_widen_insert_layer (SymWiden *self,
                              SymId origin,
                              SymLayer *layer,
                              const SymId *operands,
                              guint n);

/* What stands for a value of few bits; the value itself where it is float32. */
SymId sym_widen_need_half (SymWiden *self, SymId origin, SymId value);

/* Makes the call one of an operator of ONNX with one operand. */
void sym_widen_set_call (SymWiden *self,
                         SymId call,
                         const char *type,
                         SymAttributes *take_attributes,
                         SymId operand);

/* Attributes of a cast. */
SymAttributes *sym_widen_new_cast (SymDType dtype);

/* sym-plan-widen-integers.c: says in float32 what a call does with quantised numbers.  FALSE when
 * it does nothing with them. */
gboolean sym_widen_integers (SymWiden *self, SymId call);

/* A value of integers as floats. */
SymId sym_widen_need_integers (SymWiden *self, SymId origin, SymId value);

/* The call that is said anew. */
typedef struct {
  SymWiden *widen;
  SymId call;
  const SymAttributes *attributes;
  SymIds operands, results;
} SymWidenCall;

/* sym-plan-widen-bytes.c: what a product of quantised numbers with constant weights makes, as
 * floats, summed in integers; SYM_NO_ID for what is none such, with nothing added.  Of
 * MatMulInteger and of QLinearMatMul before it is rounded again, @factor being the product of its
 * scales; of MatMul and Gemm on numbers that were just dequantised; and of Mul by the scales of a
 * product of what DynamicQuantizeLinear made. */
SymId sym_widen_integer_product (const SymWidenCall *call);
SymId sym_widen_quantized_product (const SymWidenCall *call, SymId factor);
SymId sym_widen_dequantized_product (const SymWidenCall *call);
SymId sym_widen_dynamic_product (const SymWidenCall *call);

/* The same of convolutions: ConvInteger, QLinearConv without its bias, and Conv. */
SymId sym_widen_integer_convolution (const SymWidenCall *call);
SymId sym_widen_quantized_convolution (const SymWidenCall *call, SymId factor);
SymId sym_widen_dequantized_convolution (const SymWidenCall *call);

/* Numbers of an axis, in front of @n_behind others. */
SymId sym_widen_align (const SymWidenCall *call, SymId x, int n_behind);

G_END_DECLS
