/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Keys and values in the order of the keys' bytes, as LevelDB writes them to a file: what the index
 * of a TensorFlow checkpoint is.  Read as a whole; immutable. */
typedef struct _SymStoreTable SymStoreTable;

/* Whether @end, the last bytes of a file, are those of such a table. */
#define SYM_STORE_TABLE_END_BYTES 48
gboolean sym_store_is_table (const guint8 *end, gsize n);

/* Checks the sum of every block, and that keys ascend.  @path is for messages.  Blocks may be
 * packed with Snappy.  Errors: SYM_STORE_ERROR_FORMAT, also for tables of more than 256 MiB. */
SymStoreTable *sym_store_table_read (SymBlob *blob, const char *path, GError **error);
void sym_store_table_free (SymStoreTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreTable, sym_store_table_free)

guint sym_store_table_get_n (const SymStoreTable *self);

/* Borrowed; a NUL follows the bytes, which *@size does not count. */
const char *sym_store_table_get_key (const SymStoreTable *self, guint i, gsize *size);
const char *sym_store_table_get_value (const SymStoreTable *self, guint i, gsize *size);

/* -1 for none. */
int sym_store_table_find (const SymStoreTable *self, const char *key, gsize size);

G_END_DECLS
