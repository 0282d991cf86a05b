/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-weights.h"

G_BEGIN_DECLS

/* A layer with weights, of a graph or of a model within. */
typedef struct {
  char *name;
  guint place;      /* of the graph's layer that it is, or that it is within */
  gboolean is_late; /* it trains nothing, or is frozen */
} SymKerasLeaf;

/* All of a graph in the order in which Keras 1 and 2 list their weights, all trained ones before
 * all others: a layer that has none of the former comes last, wherever it is.  Models within have
 * no part of their own in that order. */
typedef struct {
  const SymKerasGraph *graph; /* borrowed */
  GArray *leaves;             /* of SymKerasLeaf */
  GHashTable *names;          /* of all layers */
  GHashTable *models;         /* of those that are models, or apply one to each step */
  gboolean is_known;          /* FALSE: of some layers nobody can say whether they have weights */
} SymKerasLeaves;

SymKerasLeaves *sym_keras_leaves_new (const SymKerasGraph *graph);
void sym_keras_leaves_free (SymKerasLeaves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymKerasLeaves, sym_keras_leaves_free)

G_END_DECLS
