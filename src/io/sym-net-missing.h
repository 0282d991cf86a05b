/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-problem.h"

G_BEGIN_DECLS

/* What a file names and nothing in it makes: hundreds of keys where a writer has left out all
 * constants, as OpenCV does.  There is one warning for all that are used alike, at the place of the
 * first. */
typedef struct _SymNetMissing SymNetMissing;

typedef enum {
  SYM_NET_MISSING_OPERAND,
  SYM_NET_MISSING_CONTROL,
  SYM_NET_MISSING_OUTPUT,
  SYM_NET_N_MISSING,
} SymNetMissingUse;

SymNetMissing *sym_net_missing_new (void);
void sym_net_missing_free (SymNetMissing *self);

/* Each @key counts once in each use; it is borrowed, and the same text is the same pointer.  @line
 * may be 0, @call SYM_NO_ID. */
void sym_net_missing_add (SymNetMissing *self,
                          SymNetMissingUse use,
                          const char *key,
                          guint line,
                          SymId call);

void sym_net_missing_tell (const SymNetMissing *self, SymProblems *problems);

G_END_DECLS
