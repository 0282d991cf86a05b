/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-private.h"

/* MXNet's list of NDArrays (NDArray::Load and Save of MXNet 0.8 to 1.9), little-endian:
 *
 *   u64 0x112 | u64 reserved | u64 n | n arrays | u64 m (0 or n) | m names (u64 length, bytes)
 *
 * An array is [magic, V1 on] [i32 storage, V2 on] [storage shape, sparse] shape, i32 device, i32
 * device id, i32 dtype, [i32 dtype and shape of each auxiliary array, sparse], data, [auxiliary
 * data].  A shape is an i32 rank and as many i64 (V0: u32, with the rank in place of the magic).
 * Of an array without a shape nothing follows the shape. */
#define PARAMS_LIST_MAGIC 0x112
#define PARAMS_V1_MAGIC 0xF993FAC8u
#define PARAMS_V2_MAGIC 0xF993FAC9u
#define PARAMS_V3_MAGIC 0xF993FACAu

/* The indices of a sparse array: where they are in the file. */
typedef struct {
  SymDType dtype;
  guint64 n, offset;
} SymStoreParamsIndices;

/* An array of which most are zeros (MXNet's RowSparseNDArray and CSRNDArray).  Of row_sparse,
 * @stored rows are in the file, and @indices[0] tells which they are; of csr, elements are,
 * @indices[0] tells where each row begins among them and the end, @indices[1] in which column each
 * is. */
typedef struct {
  gboolean is_csr;
  SymDType dtype;
  SymShape shape, stored;
  guint64 data; /* where the stored elements begin */
  SymStoreParamsIndices indices[2];
} SymStoreParamsSparse;

/* The dense tensor, whose zeros are made while it is read.  NULL with @error when the parts do not
 * go together; NULL with *@skipped, a reason, when it would be out of proportion to the file. */
SymTensor *sym_store_params_open_sparse (SymBlob *source,
                                         const SymStoreParamsSparse *array,
                                         const char *path,
                                         const char **skipped,
                                         GError **error);

#define PARAMS_N_DTYPES 13

/* By MXNet's numbers (mshadow's type flags). */
static const SymDType params_dtypes[PARAMS_N_DTYPES] = {
  SYM_DTYPE_FLOAT32, SYM_DTYPE_FLOAT64, SYM_DTYPE_FLOAT16,  SYM_DTYPE_UINT8, SYM_DTYPE_INT32,
  SYM_DTYPE_INT8,    SYM_DTYPE_INT64,   SYM_DTYPE_BOOL,     SYM_DTYPE_INT16, SYM_DTYPE_UINT16,
  SYM_DTYPE_UINT32,  SYM_DTYPE_UINT64,  SYM_DTYPE_BFLOAT16,
};
