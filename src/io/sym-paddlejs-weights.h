/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* The weights of a model of Paddle.js: numbers within its list of variables, or float32 in files
 * beside it, chunk_1.dat and on, which have those of all persistable variables in the list's order.
 * The user may choose one of these files or their folder, or one file of another name that has all
 * of them. */
typedef struct _SymPaddlejsWeights SymPaddlejsWeights;

/* What is missing or wrong becomes a problem of the model; NULL with an error where the user chose
 * weights that are not there. */
SymPaddlejsWeights *
sym_paddlejs_weights_new (SymNet *net, guint variables, const SymIoSource *source, GError **error);
void sym_paddlejs_weights_free (SymPaddlejsWeights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPaddlejsWeights, sym_paddlejs_weights_free)

/* The numbers of a variable, borrowed; NULL when there are none. */
SymTensor *sym_paddlejs_weights_get (const SymPaddlejsWeights *self, const char *name);

/* Why there are none of a variable that is to have some; NULL where nobody knows. */
const char *sym_paddlejs_weights_get_lack (const SymPaddlejsWeights *self, const char *name);

/* Whether a variable is one that layers keep: a weight. */
gboolean sym_paddlejs_is_weight (const SymJson *json, guint variable, const char *name);

/* "name" of a variable, or its key in an object of them. */
char *sym_paddlejs_dup_name (const SymJson *json, guint key, guint variable);

G_END_DECLS
