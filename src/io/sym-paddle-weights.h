/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* The weights of a program of PaddlePaddle: a file .pdiparams beside it that has them one after the
 * other in the order of their names, each with its dtype and shape but without its name. */
typedef struct _SymPaddleWeights SymPaddleWeights;

SymPaddleWeights *sym_paddle_weights_new (void);
void sym_paddle_weights_free (SymPaddleWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPaddleWeights, sym_paddle_weights_free)

/* Says that parameter @value of the graph is called @name, which may be NULL. */
void sym_paddle_weights_want (SymPaddleWeights *self,
                              const char *name,
                              SymId value,
                              const SymType *type,
                              gboolean is_trained);

/* Gives the parameters their numbers.  What is missing or wrong becomes a problem of the model;
 * FALSE when the user chose a file that cannot be opened. */
gboolean sym_paddle_weights_find (SymPaddleWeights *self,
                                  SymNet *net,
                                  const SymIoSource *source,
                                  GError **error);

/* Paddle's numbers of dtypes (VarType.Type); SYM_DTYPE_UNKNOWN for others. */
SymDType sym_paddle_get_dtype (guint64 number);

G_END_DECLS
