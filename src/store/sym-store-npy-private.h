/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-numpy.h"
#include "store/sym-store-private.h"

G_BEGIN_DECLS

/* The format (numpy.lib.format): "\x93NUMPY", the version (two bytes), the size of the header
 * (little-endian, u16 in version 1, u32 later), the header, the elements.  The header is a Python
 * dict: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } */
typedef struct {
  SymDType dtype;
  gboolean is_big_endian;
  gboolean is_fortran;
  SymShape shape;
  guint64 n_elements;
  guint64 element_bytes; /* of one element in the file; of a string too */
  gboolean is_utf32;     /* strings: 'U', not 'S' */
  guint64 start;         /* of the elements */
} SymStoreNpyHeader;

/* Reads the header at the start of @blob, which messages call @path, and checks that the elements
 * lie within the blob. */
gboolean sym_store_npy_read_header (SymBlob *blob,
                                    const char *path,
                                    SymStoreNpyHeader *header,
                                    GError **error);

/* The bytes before the elements, a multiple of 64, and how many bytes each element takes.  NULL
 * when NumPy has no such dtype. */
GBytes *sym_store_npy_format_header (SymTensor *tensor,
                                     const char *path,
                                     guint64 *element_bytes,
                                     GError **error);

/* The elements alone, in C order and little-endian, of a file that may have them otherwise.  Of an
 * array in Fortran order it keeps a band of rows, at most @band_bytes or one row, and none after
 * the last element was read. */
#define SYM_STORE_NPY_BAND_BYTES (64 << 20)
SymBlob *
sym_store_npy_blob_new (SymBlob *source, const SymStoreNpyHeader *header, guint64 band_bytes);

/* The tensor in @blob; of strings, all are read. */
SymTensor *sym_store_npy_read (SymBlob *blob, const char *path, GError **error);

/* The arrays of a zip archive; @path is for messages. */
SymStoreTensors *sym_store_npz_read (SymBlob *archive, const char *path, GError **error);

/* The header and the elements into @write, in pieces. */
typedef gboolean (*SymStoreNpyWrite) (gpointer data, const void *bytes, gsize size, GError **error);
gboolean sym_store_npy_write (SymTensor *tensor,
                              const char *path,
                              SymStoreNpyWrite write,
                              gpointer data,
                              GError **error);

G_END_DECLS
