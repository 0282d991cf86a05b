/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-name-set.h"
#include "io/sym-io-lost.h"
#include "io/sym-keras-private.h"
#include "io/sym-keras-raise-private.h"

G_BEGIN_DECLS

/* A model that is being written, within others perhaps. */
typedef struct {
  const SymModel *model;
  const SymInference *inference; /* or NULL */
  const SymKerasOrigin *origin;  /* or NULL */
  int major;
  GString *text;
  GHashTable *names;  /* from SymLayer to its name */
  SymNameSet *taken;  /* those names */
  GHashTable *places; /* from a call to how often its layer was applied before */
  guint depth;
  gboolean is_sorted;   /* layers stand as Keras has them, which weights go by */
  gboolean is_frozen;   /* what no file of Keras tells of is not trained, whatever its layers say */
  SymKerasNames *mixed; /* layers with weights of which some are trained, or NULL */
} SymKerasWriter;

/* A call, or an input, in the order of the file. */
typedef struct {
  SymId call; /* SYM_NO_ID for an input */
  SymId value;
} SymKerasItem;

/* ---- sym-keras-write.c ---- */

/* @text is borrowed, and may be NULL when nothing is written there. */
void sym_keras_writer_init (SymKerasWriter *self,
                            const SymModel *model,
                            int major,
                            GString *text,
                            guint depth);
void sym_keras_writer_clear (SymKerasWriter *self);

/* Puts a config into its file, and the weights of @model with it; @origin is NULL for a new one. */
typedef gboolean (*SymKerasFinish) (SymModel *model,
                                    const SymKerasOrigin *origin,
                                    const GString *config,
                                    const char *path,
                                    SymProblems *notes,
                                    GError **error);

/* Writes @model, or what is made of it when it is of another framework. */
gboolean sym_keras_write_with (SymModel *model,
                               const SymInference *inference,
                               const char *path,
                               SymProblems *notes,
                               SymKerasFinish finish,
                               GError **error);

/* Whether weights of a model are not trained, and their layers do not say so: then the whole does.
 * Nothing else of it may be trained then. */
gboolean sym_keras_is_frozen (const SymModel *model);

/* Makes a layer that no file of Keras tells of say whether it is trained, as its weights do.  It
 * cannot say that of some of them: then it is named among those of @self. */
void sym_keras_writer_tell_training (SymKerasWriter *self, SymId call, SymAttributes *config);

/* A model within: its layer's attributes are what stands beside the layers. */
gboolean sym_keras_is_nested (const SymLayer *layer);

/* One that is written as a list of layers. */
gboolean sym_keras_is_sequence (const SymLayer *layer);

/* What a file of Keras told of a model, borrowed from it; NULL for one from elsewhere. */
const SymKerasOrigin *sym_keras_find_origin (const SymModel *model);

/* ---- sym-keras-write-order.c ---- */

/* Whether each layer follows the one before it, from one input to one output. */
gboolean sym_keras_writer_is_chain (SymKerasWriter *self);

/* Of SymKerasItem: all that stands among the layers, once a writer.  *@is_sequence tells whether
 * they are a list, and not told what they are applied to. */
GArray *sym_keras_writer_list (SymKerasWriter *self, gboolean *is_sequence);

/* Whether the first layer says it, and no layer of its own. */
gboolean sym_keras_writer_is_implied (SymKerasWriter *self, SymId value);

/* ---- sym-keras-write-sort.c ---- */

/* Into the order in which Keras has the layers of a model, whatever that of its file. */
void sym_keras_writer_sort (SymKerasWriter *self, GArray *items);

/* ---- sym-keras-write-weights.c ---- */

/* Whether there are numbers of any weight, those of bodies included. */
gboolean sym_keras_has_weights (SymModel *model);

/* Writes the weights beside the config that @path is, in the way of the Keras that that is of;
 * @origin is NULL for a new one.  What cannot be written is told by name. */
gboolean sym_keras_write_weights (SymModel *model,
                                  const SymKerasOrigin *origin,
                                  const char *path,
                                  SymProblems *notes,
                                  GError **error);

/* ---- sym-keras-write-value.c ---- */

void sym_keras_write_value (GString *text, const SymValue *value, const char *literal);

/* Appends `, "name": value` for each; without the comma at the first when @is_first. */
void sym_keras_write_members (GString *text, const SymAttributes *attributes, gboolean is_first);
void sym_keras_write_shape (GString *text, const SymShape *shape);

/* ---- sym-keras-write-nodes.c ---- */

const char *sym_keras_writer_get_name (SymKerasWriter *self, SymId call);

/* ["layer", 0, 0], without the bracket at its end; of a "__keras_tensor__" or not. */
gboolean sym_keras_write_history (SymKerasWriter *self,
                                  SymId value,
                                  gboolean is_modern_tensor,
                                  GError **error);

/* The entry of one call in `inbound_nodes`. */
gboolean sym_keras_write_node (SymKerasWriter *self, SymId call, GError **error);

/* Whether operand @slot of @call is data that the file names: no weight, and no mask. */
gboolean sym_keras_is_written (const SymModel *model, SymId call, guint slot);

/* The type of a value: inferred, or as declared. */
SymType sym_keras_writer_get_type (SymKerasWriter *self, SymId value);

G_END_DECLS
