/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

typedef enum {
  /* As PyTorch Symbolic generates it (P63): layers are those of a list in order of execution,
   * inputs are i0, i1, ..., their results x0, x1, ..., outputs o0, o1, ..., and further results y0,
   * y1, ... Chains are loops. */
  SYM_FORWARD_INDEXED,

  /* As torch.fx prints it: layers and results by their names. */
  SYM_FORWARD_NAMED,
} SymForwardStyle;

/* PyTorch Symbolic's default. */
#define SYM_FORWARD_LOOP_LENGTH 50

/* The forward function of @model as Python, of the calls that an output needs.  Parameters belong
 * to layers.  Chains of at least @min_loop_length calls, each with one operand and one use, become
 * loops where calls are told by numbers: SYM_ERROR_ARGUMENT when that is below 2.  SYM_ERROR_CYCLE
 * when the model has one. */
char *sym_model_write_forward (const SymModel *model,
                               SymForwardStyle style,
                               guint min_loop_length,
                               GError **error);

G_END_DECLS
