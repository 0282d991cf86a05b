/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-private.h"

G_BEGIN_DECLS

/* A model that is being written, within others perhaps. */
typedef struct {
  const SymModel *model;
  const SymInference *inference; /* or NULL */
  const SymKerasOrigin *origin;  /* or NULL */
  int major;
  GString *text;
  GHashTable *names;  /* from SymLayer to its name, owned */
  GHashTable *taken;  /* names */
  GHashTable *places; /* from a call to how often its layer was applied before */
  guint depth;
} SymKerasWriter;

/* ---- sym-keras-write-value.c ---- */

void sym_keras_write_value (GString *text, const SymValue *value, const char *literal);

/* Appends `, "name": value` for each; without the comma at the first when @is_first. */
void sym_keras_write_members (GString *text, const SymAttributes *attributes, gboolean is_first);
void sym_keras_write_shape (GString *text, const SymShape *shape);

/* ---- sym-keras-write-nodes.c ---- */

const char *sym_keras_writer_get_name (SymKerasWriter *self, SymId call);

/* ["layer", 0, 0], without what comes after it. */
gboolean sym_keras_write_history (SymKerasWriter *self, SymId value, GError **error);

/* The entry of one call in `inbound_nodes`. */
gboolean sym_keras_write_node (SymKerasWriter *self, SymId call, GError **error);

/* Whether operand @slot of @call is data that the file names: no weight, and no mask. */
gboolean sym_keras_is_written (const SymModel *model, SymId call, guint slot);

/* The type of a value: inferred, or as declared. */
SymType sym_keras_writer_get_type (SymKerasWriter *self, SymId value);

G_END_DECLS
