/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"

G_BEGIN_DECLS

/* A layer like @self, with its own name, and other parameters and bodies in place of its own: what
 * the tables (SymParameter and SymModel, each to another one) say, or the same where they say
 * nothing. */
SymLayer *sym_layer_copy (SymLayer *self, GHashTable *parameters, GHashTable *bodies);

G_END_DECLS
