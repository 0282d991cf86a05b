/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"

G_BEGIN_DECLS

/* What a variable is restored from: a tensor of the checkpoint, or a part of it as RestoreV2 says
 * it, "" for all. */
typedef struct {
  char *key;
  char *part;
} SymTensorflowRestored;

/* What a graph (a token: a GraphDef) restores from its checkpoint: names of variables' nodes (char
 * *) to SymTensorflowRestored.  Of what is put together of several, or goes through anything else
 * but Identity, nothing is said. */
GHashTable *sym_tensorflow_list_restored (const SymJson *json, guint graph);

G_END_DECLS
