/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"

G_BEGIN_DECLS

/* What a graph (a token: a GraphDef) restores from its checkpoint: names of variables' nodes to
 * keys (both char *).  Of what is put together of several, or goes through anything else but
 * Identity, nothing is said. */
GHashTable *sym_tensorflow_list_restored (const SymJson *json, guint graph);

G_END_DECLS
