/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* A layer of PyTorch's operator @type. */
SymLayer *sym_torch_new (const char *type, SymAttributes *take_attributes);

void sym_torch_set_int (SymAttributes *self, const char *name, gint64 value);
void sym_torch_set_bool (SymAttributes *self, const char *name, gboolean value);
void sym_torch_set_float (SymAttributes *self, const char *name, double value);
void sym_torch_set_string (SymAttributes *self, const char *name, const char *value);
void sym_torch_set_ints (SymAttributes *self, const char *name, const gint64 *values, int n);

/* Adds a float32 parameter without numbers; one that is only tracked is not trainable. */
void sym_torch_add_weight (SymLayer *self, const char *name, SymShape shape, gboolean trainable);

/* Applies a layer that nobody else has, and drops it.  NULL for a NULL layer. */
SymNode *sym_torch_call (SymNode *input, SymLayer *take_layer, const char *name, GError **error);

/* Whether a size of a layer may be @size: at least 1, and no more than fits an index. */
gboolean sym_torch_check_size (const char *layer, const char *what, gint64 size, GError **error);

/* The sizes of @n axes: those of @several when any is given, else @one for each, else @fallback. */
void sym_torch_spread (gint64 one, const gint64 several[3], gint64 fallback, int n, gint64 out[3]);

/* The size of axis @i from the end (1: the last) of the node, -1 when it is not known. */
gint64 sym_torch_get_size (SymNode *node, int i);

G_END_DECLS
