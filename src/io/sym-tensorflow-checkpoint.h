/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-tensorflow-bundle.h"

G_BEGIN_DECLS

/* The numbers of a graph's variables, of the checkpoint that belongs to it.  Which is whose is told
 * by the graph's own part that restores them; else by the checkpoint's objects, which know the
 * names that variables had (TensorFlow 2); else they have the same name (TensorFlow 1). */
typedef struct _SymTensorflowCheckpoint SymTensorflowCheckpoint;

/* Whether the graph (a token: a GraphDef) has variables at all. */
gboolean sym_tensorflow_has_variables (const SymJson *json, guint graph);
gboolean sym_tensorflow_is_variable (const char *op);

/* @json is borrowed.  What is wrong with the list of objects becomes a problem of @source. */
SymTensorflowCheckpoint *sym_tensorflow_checkpoint_new (SymTensorflowBundle *take_bundle,
                                                        const SymJson *json,
                                                        guint graph,
                                                        const SymIoSource *source);
void sym_tensorflow_checkpoint_free (SymTensorflowCheckpoint *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTensorflowCheckpoint, sym_tensorflow_checkpoint_free)

/* The numbers of the variable that @node makes, called @name; NULL with an error that does not name
 * it. */
SymTensor *sym_tensorflow_checkpoint_get (SymTensorflowCheckpoint *self,
                                          guint node,
                                          const char *name,
                                          GError **error);

G_END_DECLS
