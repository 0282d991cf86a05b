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
  GHashTable *typed; /* values whose type the file tells */
  GHashTable *masks; /* from a call to the value of its mask */
  guint depth;
} SymKerasDraft;

/* Tells what of the file is left out, of models within as well. */
void
sym_keras_draft_leave_out (SymKerasDraft *self, guint token, const char *name, const char *why);

/* What a reference names; SYM_NO_ID when it was not made. */
SymId sym_keras_draft_find_value (SymKerasDraft *self, const SymKerasRef *ref);

/* Operands, masks and types of a node whose call is there. */
void sym_keras_draft_connect (SymKerasDraft *self, SymKerasNode *node);

G_END_DECLS
