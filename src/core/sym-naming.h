/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-error.h"

G_BEGIN_DECLS

/* Gives the layers of one model their names, each name once.  How a name is made of a base is the
 * dialect's strategy. */
typedef struct _SymNaming SymNaming;

typedef struct {
  guint first;           /* number of the first layer of a base */
  const char *separator; /* between base and number */
  gboolean
      custom_has_counter; /* a custom name is a base too: X, X_2, X_3; else it is taken as it is */
} SymNamingStrategy;

extern const SymNamingStrategy sym_naming_symbolic; /* PyTorch Symbolic: Linear_1; X, X_2 */
extern const SymNamingStrategy sym_naming_mxnet;    /* MXNet M3: convolution0; names as given */

SymNaming *sym_naming_new (const SymNamingStrategy *strategy);
void sym_naming_free (SymNaming *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNaming, sym_naming_free)

/* MXNet's Prefix scopes: prepended to names made and given from now on; NULL for none. */
void sym_naming_set_prefix (SymNaming *self, const char *prefix);

/* Keeps a name from being given to a layer. */
void sym_naming_reserve (SymNaming *self, const char *name);

/* The name of the next layer of type @base, or with @custom name, which may be NULL.  A number
 * whose name is taken is skipped.  Owned by @self. */
const char *sym_naming_take (SymNaming *self, const char *base, const char *custom);

/* Whether a layer may be called so: not empty, no dot (they part the names of parameters).
 * SYM_ERROR_NAME. */
gboolean sym_naming_check (const char *name, GError **error);

/* A name for where there is little room.  Converters give a layer that they have made of several
 * the names of all of these, "a/Relu;a/BiasAdd;a/Conv2D": that is "a/Relu +2".  Other names are as
 * they are.  The caller's. */
char *sym_naming_shorten (const char *name);

G_END_DECLS
