/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"

G_BEGIN_DECLS

/* Multiply-adds: the products that a layer adds up, each a multiplication and an addition.
 *
 * Counted are convolutions, products of matrices and of tensors, recurrent layers and attention, by
 * definition, whatever faster way they are run in: padding counts like numbers, a Winograd
 * transform or a skipped zero does not show.  Not counted, hence 0: biases, elementwise arithmetic,
 * activations, normalisation (whose scale and shift fold into the layer before), pooling,
 * interpolation, softmax, the gates of a recurrent layer once their sums are made, and whatever
 * only moves numbers.  These are the conventions of torchvision's tables and of most papers: a
 * ResNet-50 has 4,089,184,256 for one image.  (torchinfo adds the parameters of biases and norms:
 * 54,120.) */
typedef enum {
  SYM_OP_COST_KNOWN,
  SYM_OP_COST_UNKNOWN, /* sizes are not known, or nobody knows what the layer does */
  SYM_OP_COST_LOWERED, /* as many as the calls of the body that sym_op_lower() makes */
} SymOpCost;

/* What one call of @layer, which has an operator, takes for operands and outputs of these types, of
 * kind unknown where a slot is empty; in *@n when it is known.  Control flow counts nothing itself.
 */
SymOpCost sym_op_count_multiply_adds (const SymLayer *layer,
                                      const SymType *inputs,
                                      guint n_inputs,
                                      const SymType *outputs,
                                      guint n_outputs,
                                      guint64 *n);

G_END_DECLS
