/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-io-private.h"

G_BEGIN_DECLS

/* The weights of TensorFlow.js: a manifest in the JSON ("weightsManifest": groups of names, shapes
 * and dtypes, one after the other in the group's files), and the files beside it.  Quantized
 * weights are read as the numbers that they stand for. */
typedef struct _SymTfjsWeights SymTfjsWeights;

/* FALSE with an error when the user chose weights that are not there. */
gboolean sym_tfjs_weights_check (const SymIoSource *source, GError **error);

/* Never NULL; what is missing or wrong becomes a problem of @source, once for each file. */
SymTfjsWeights *
sym_tfjs_weights_new (const SymJson *json, guint manifest, const SymIoSource *source);
void sym_tfjs_weights_free (SymTfjsWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTfjsWeights, sym_tfjs_weights_free)

/* FALSE when the manifest has no @name.  *@tensor is borrowed, NULL when its numbers are not there:
 * *@lack, borrowed too, says why, NULL when nobody knows. */
gboolean sym_tfjs_weights_find (const SymTfjsWeights *self,
                                const char *name,
                                SymType *type,
                                SymTensor **tensor,
                                const char **lack);

G_END_DECLS
