/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"
#include "ops/sym-op-dl4j.h"
#include "store/sym-store-nd4j.h"

G_BEGIN_DECLS

/* A layer of Deeplearning4j as it was put into the net. */
typedef struct {
  SymId call;
  char *name;
  guint token;           /* its line */
  const SymOperator *op; /* NULL where nothing is known of it */
  SymAttributes *attributes;
  gboolean is_frozen;
  guint n_parameters;
  SymId parameters[SYM_OP_DL4J_MAX_PARAMETERS];
} SymDl4jLayer;

void sym_dl4j_layer_free (gpointer layer);

/* An object with a class says its type in "@class"; older files wrap it: {"dense": {...}}.
 * *@inside is the object itself.  NULL for none. */
char *sym_dl4j_dup_class (const SymJson *json, guint object, guint *inside);

/* A call of the layer in @object, called @name or as it calls itself, whose input @preprocessor
 * turns first, if that is an object.  It is of the configuration or vertex @token.  Where that does
 * not tell its features, they are @n_out, if that is a number.  It has no operands and results yet.
 */
SymDl4jLayer *sym_dl4j_add_layer (SymNet *net,
                                  const char *name,
                                  guint object,
                                  guint preprocessor,
                                  guint n_out,
                                  guint token);

/* The same of a vertex that is no layer. */
SymDl4jLayer *
sym_dl4j_add_vertex (SymNet *net, const char *name, const char *kind, guint object, guint token);

/* The layer's parameters, behind its only input. */
void sym_dl4j_add_parameters (SymNet *net, SymDl4jLayer *layer);

/* The numbers of all layers, coefficients.bin beside the graph or what the user chose; NULL in
 * *@weights without any.  FALSE when what was chosen cannot be read. */
gboolean sym_dl4j_open_weights (SymNet *net,
                                const SymIoSource *source,
                                SymStoreNd4j **weights,
                                GError **error);

/* Gives their numbers to @n layers that have parameters, in the order in which the file has them.
 * FALSE, and a warning, when these are not as many as there are. */
gboolean sym_dl4j_bind_weights (SymNet *net,
                                SymDl4jLayer *const *layers,
                                guint n,
                                const SymStoreNd4j *weights);

/* The names of inputs and vertices of a graph in the order in which Deeplearning4j computes them.
 */
GPtrArray *sym_dl4j_list_in_order (const SymJson *json);

/* What goes into the first of @n layers in a chain, of which NULL is one that nothing is known of;
 * files do not say it. */
SymType sym_dl4j_guess_input (SymDl4jLayer *const *layers, guint n);

G_END_DECLS
