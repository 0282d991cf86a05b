/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op-dl4j.h"

G_BEGIN_DECLS

/* A layer of Deeplearning4j as it was put into the net. */
typedef struct {
  SymId call;
  char *name;
  guint token;           /* its line */
  const SymOperator *op; /* NULL where nothing is known of it */
  SymAttributes *attributes;
  gboolean is_frozen;
} SymDl4jLayer;

void sym_dl4j_layer_free (gpointer layer);

/* An object with a class says its type in "@class"; older files wrap it: {"dense": {...}}.
 * *@inside is the object itself.  NULL for none. */
char *sym_dl4j_dup_class (const SymJson *json, guint object, guint *inside);

/* A call of the layer in @object, called @name or as it calls itself, whose input @preprocessor
 * turns first, if that is an object.  It has no operands and results yet. */
SymDl4jLayer *
sym_dl4j_add_layer (SymNet *net, const char *name, guint object, guint preprocessor, guint token);

/* The same of a vertex that is no layer. */
SymDl4jLayer *
sym_dl4j_add_vertex (SymNet *net, const char *name, const char *kind, guint object, guint token);

/* The layer's parameters, behind its only input. */
void sym_dl4j_add_parameters (SymNet *net, const SymDl4jLayer *layer);

/* What goes into the first of @n layers in a chain, of which NULL is one that nothing is known of;
 * files do not say it. */
SymType sym_dl4j_guess_input (SymDl4jLayer *const *layers, guint n);

G_END_DECLS
