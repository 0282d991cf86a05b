/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* One array as Nd4j.write() writes it: big-endian, what its shape is, and then its numbers in a
 * row.  Deeplearning4j keeps all parameters of a network in one of these, coefficients.bin. */
typedef struct _SymStoreNd4j SymStoreNd4j;

/* Reads the header alone; messages call @blob @path.  The numbers must be floats and lie within. */
SymStoreNd4j *sym_store_nd4j_open (SymBlob *blob, const char *path, GError **error);
void sym_store_nd4j_free (SymStoreNd4j *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreNd4j, sym_store_nd4j_free)

SymDType sym_store_nd4j_get_dtype (const SymStoreNd4j *self);
guint64 sym_store_nd4j_get_n (const SymStoreNd4j *self);

/* The numbers from @first on as a tensor of @shape, whose first axis is the fastest with
 * @is_fortran; they are read when they are asked for.  NULL when there are not so many. */
SymTensor *sym_store_nd4j_get (const SymStoreNd4j *self,
                               guint64 first,
                               const SymShape *shape,
                               gboolean is_fortran,
                               GError **error);

G_END_DECLS
