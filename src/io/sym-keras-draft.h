/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-weights.h"

G_BEGIN_DECLS

/* A model of Keras in the making: sym-keras-read.c adds its inputs and its layers, what is here
 * gives each call of a layer its operands. */
typedef struct {
  SymKerasReader *reader;
  SymKerasGraph *graph;
  SymModelBuilder *builder;
  GHashTable *typed; /* from values whose type the file tells to their SymShape */
  GHashTable *masks; /* from a call to the value of its mask */
  guint depth;
  guint config;
  const char *name; /* of the model */
} SymKerasDraft;

/* Tells what of the file is left out, of models within as well. */
void
sym_keras_draft_leave_out (SymKerasDraft *self, guint token, const char *name, const char *why);

/* What a reference names; SYM_NO_ID when it was not made. */
SymId sym_keras_draft_find_value (SymKerasDraft *self, const SymKerasRef *ref);

/* Keeps what the file says of a value. */
void sym_keras_draft_note_shape (SymKerasDraft *self, SymId value, const SymShape *shape);

/* Warns where what @name was built for, as @token says if it is a shape, is not what the file says
 * of @value, to which it is applied. */
void
sym_keras_draft_compare_built (SymKerasDraft *self, const char *name, guint token, SymId value);

/* Operands, masks and types of a node whose call is there. */
void sym_keras_draft_connect (SymKerasDraft *self, SymKerasNode *node);

G_END_DECLS
