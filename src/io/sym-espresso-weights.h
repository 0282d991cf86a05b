/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net-constants.h"

G_BEGIN_DECLS

/* The numbers of an Espresso network: the file beside it that "storage" names.  It begins with how
 * many blobs there are, then number and size of each, all of 64 bits, little end first; their bytes
 * follow in that order. */
typedef struct _SymEspressoWeights SymEspressoWeights;

/* Opens the file; where there is none, or none that can be read, the model has a problem.  NULL
 * with an error when the user chose one that cannot be read. */
SymEspressoWeights *
sym_espresso_weights_new (SymNet *net, const SymIoSource *source, GError **error);
void sym_espresso_weights_free (SymEspressoWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymEspressoWeights, sym_espresso_weights_free)

/* What blob @number begins with, for the weight called @name; NULL, with a problem of the model at
 * @token, which is *@lack, too, where the file has no such blob, or a smaller one.  Blobs may be
 * longer: they are filled up. */
SymTensor *sym_espresso_weights_read (const SymEspressoWeights *self,
                                      const char *name,
                                      guint64 number,
                                      const SymType *type,
                                      guint token,
                                      char **lack);

G_END_DECLS
