/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which layers the names of arrays mention: "model_1/dense_1/kernel:0" model_1 and dense_1, and
 * "dense_1_W", as Keras 1 called weights, dense_1.  Each layer is looked up among all arrays, so
 * that looking at every name for each would take minutes in a large model. */
typedef struct _SymKerasMentions SymKerasMentions;

/* An array, and at which part of its name. */
typedef struct {
  guint array;
  int part;
} SymKerasMention;

SymKerasMentions *sym_keras_mentions_new (void);
void sym_keras_mentions_free (SymKerasMentions *self);

/* @name is borrowed. */
void sym_keras_mentions_add (SymKerasMentions *self, const char *name, guint array);

/* Of SymKerasMention, ascending: the first of each array. */
GArray *sym_keras_mentions_find (SymKerasMentions *self, const char *layer);

G_END_DECLS
