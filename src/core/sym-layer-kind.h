/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"

G_BEGIN_DECLS

/* Large graphs have thousands of layers that are alike: of the same operator and attributes, with
 * operands of the same types.  What was found out of one holds for all of its kind, so that this
 * can be the key of what is kept of it.  Layers with bodies or tuples are of no kind, not even
 * their own. */
typedef struct {
  const SymLayer *layer; /* borrowed: any of its kind */
  guint n_inputs, n_outputs;
  SymType *inputs; /* unknown for an operand that is absent */
} SymLayerKind;

/* Whether two layers do the same with operands of the same types. */
gboolean sym_layer_kind_works_alike (const SymLayer *a, const SymLayer *b);

/* For hash tables of SymLayerKind, or of what begins with one. */
guint sym_layer_kind_hash (gconstpointer self);
gboolean sym_layer_kind_equal (gconstpointer a, gconstpointer b);

G_END_DECLS
