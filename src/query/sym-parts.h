/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* What composite layers are made of, where their file does not tell: an LSTM, attention, a
 * convolution with its activation (ops/sym-op-lower.h). */

/* Whether that can be asked for: the layer has no body of its own, and the ranks of its operands
 * are known.  Costs little. */
gboolean sym_parts_can_make (const SymInference *inference, SymId call);

/* The body that runs in place of @call, with an input for each operand; sizes that nobody told are
 * 1 in it.  NULL where there is none, for a reason that only making it tells. */
SymModel *sym_parts_make (const SymInference *inference, SymId call);

/* The types within @made, which is that body: sizes that follow from what nobody told are as
 * unknown, or have the same name, as those. */
SymInference *sym_parts_infer (const SymInference *inference, SymId call, SymModel *made);

G_END_DECLS
