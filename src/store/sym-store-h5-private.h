/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-child.h"
#include "store/sym-store-h5.h"
#include "store/sym-store-private.h"
#include "worker/sym-hdf5-protocol.h"

G_BEGIN_DECLS

/* ---- sym-store-h5-catalogue.c ---- */

typedef struct {
  char *path;
  guint64 address;
  char type[8]; /* as the process calls it */
  SymDType dtype;
  SymShape shape;
  guint64 offset; /* SYM_HDF5_NO_OFFSET: has to be asked for */
  guint64 n_bytes;
  char *problem; /* NULL: its numbers can be had */
} SymStoreH5Array;

/* What a file holds. */
typedef struct {
  GArray *arrays;         /* of SymStoreH5Array */
  GHashTable *places;     /* path, borrowed, to place + 1 */
  GHashTable *attributes; /* "path\nname" to a vector of strings */
} SymStoreH5Catalogue;

/* What the process calls a dtype: "f4"; NULL for one that a file of HDF5 is not given.  The types
 * that are bytes without a meaning have it in an attribute. */
const char *sym_store_h5_name_type (SymDType dtype);

/* Of the bytes that the process sent about a file of @file_size bytes; NULL when they make no
 * sense. */
SymStoreH5Catalogue *sym_store_h5_catalogue_parse (GBytes *bytes, guint64 file_size);
void sym_store_h5_catalogue_free (SymStoreH5Catalogue *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreH5Catalogue, sym_store_h5_catalogue_free)

gboolean sym_store_h5_catalogue_needs_process (const SymStoreH5Catalogue *self);

/* ---- sym-store-h5-client.c ---- */

/* Starts the process for the file @fd, which stays the caller's. */
SymChild *sym_store_h5_start (int fd, GError **error);

/* Errors are those of SymChildTalk. */
GBytes *sym_store_h5_ask_catalogue (SymChild *child,
                                    guint64 file_size,
                                    GCancellable *cancellable,
                                    GError **error);
GBytes *sym_store_h5_ask_image (SymChild *child,
                                GVariant *outline,
                                GCancellable *cancellable,
                                GError **error);
GBytes *sym_store_h5_ask_array (SymChild *child,
                                const SymStoreH5Array *array,
                                GCancellable *cancellable,
                                GError **error);

/* ---- sym-store-h5-write.c ---- */

/* The file that the bytes of an image are of, with the numbers of the arrays that were asked for;
 * NULL when they make no sense. */
SymBlob *sym_store_h5_image_parse (GBytes *bytes, SymTensor *const *tensors, guint n);

G_END_DECLS
