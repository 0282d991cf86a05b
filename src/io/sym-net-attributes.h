/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"
#include "io/sym-json.h"

G_BEGIN_DECLS

/* Attributes that a file has said before: of the hundred thousand of a large network most are the
 * same few ("strides": [1, 1]), which then share one value.  Those with long texts are not kept,
 * nor are more than a few thousand. */
typedef struct _SymNetAttributes SymNetAttributes;

/* Makes a value of what a file has at @token. */
typedef SymValue *(*SymNetReadValue) (const SymJson *json, guint token, gpointer user_data);

SymNetAttributes *sym_net_attributes_new (SymNetReadValue read, gpointer user_data);
void sym_net_attributes_free (SymNetAttributes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNetAttributes, sym_net_attributes_free)

/* Sets attribute @name, of @length bytes, to the value of @token, see sym_net_set_attribute(). */
void sym_net_attributes_set (SymNetAttributes *self,
                             SymAttributes *attributes,
                             const char *name,
                             gsize length,
                             const SymJson *json,
                             guint token);

/* All members of an object but those called as in the NULL-ended @except, which may be NULL. */
SymAttributes *sym_net_attributes_read (SymNetAttributes *self,
                                        const SymJson *json,
                                        guint object,
                                        const char *const *except);

/* Those of the members whose keys these are, shared as below. */
SymAttributes *sym_net_attributes_share_keys (SymNetAttributes *self,
                                              const SymJson *json,
                                              const guint *keys,
                                              guint n);

/* The same, not to be changed: objects that are alike share a list. */
SymAttributes *sym_net_attributes_share (SymNetAttributes *self,
                                         const SymJson *json,
                                         guint object,
                                         const char *const *except);

G_END_DECLS
