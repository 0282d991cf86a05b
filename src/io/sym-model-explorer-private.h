/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-io-private.h"

G_BEGIN_DECLS

/* The attribute of an input's metadata that says what it is when no node makes it: "parameter".
 * Symscope writes it; others show it among the rest. */
#define SYM_MODEL_EXPLORER_ROLE "role"

/* What the write() of the format does. */
gboolean sym_model_explorer_write (SymModel *model,
                                   const SymInference *inference,
                                   const char *path,
                                   SymProblems *notes,
                                   GError **error);

G_END_DECLS
