/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"

G_BEGIN_DECLS

/* A layer like @self, with its own name, and other parameters and bodies in place of its own: what
 * the tables (SymParameter and SymModel, each to another one) say, or the same where they say
 * nothing. */
SymLayer *sym_layer_copy (SymLayer *self, GHashTable *parameters, GHashTable *bodies);

/* A new layer that is called so, which may be NULL, in one piece of memory.  @take_attributes may
 * be NULL. */
SymLayer *sym_layer_new_named (const char *type,
                               const SymOperator *op,
                               SymAttributes *take_attributes,
                               const char *name);

G_END_DECLS
