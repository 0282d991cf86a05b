/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The type of one element of a tensor.  Names are numpy's where numpy has the type, else ONNX's. */
typedef enum {
  SYM_DTYPE_UNKNOWN,
  SYM_DTYPE_FLOAT32,
  SYM_DTYPE_FLOAT64,
  SYM_DTYPE_FLOAT16,
  SYM_DTYPE_BFLOAT16,
  SYM_DTYPE_INT8,
  SYM_DTYPE_INT16,
  SYM_DTYPE_INT32,
  SYM_DTYPE_INT64,
  SYM_DTYPE_UINT8,
  SYM_DTYPE_UINT16,
  SYM_DTYPE_UINT32,
  SYM_DTYPE_UINT64,
  SYM_DTYPE_BOOL,
  SYM_DTYPE_STRING,
  SYM_DTYPE_COMPLEX64,
  SYM_DTYPE_COMPLEX128,
  SYM_DTYPE_FLOAT8E4M3FN,
  SYM_DTYPE_FLOAT8E4M3FNUZ,
  SYM_DTYPE_FLOAT8E5M2,
  SYM_DTYPE_FLOAT8E5M2FNUZ,
  SYM_DTYPE_FLOAT8E8M0,
  SYM_DTYPE_INT4,
  SYM_DTYPE_UINT4,
  SYM_DTYPE_INT2,
  SYM_DTYPE_UINT2,
  SYM_DTYPE_FLOAT4E2M1,
  SYM_DTYPE_FLOAT6E2M3,
  SYM_DTYPE_FLOAT6E3M2,
} SymDType;

#define SYM_N_DTYPES (SYM_DTYPE_FLOAT6E3M2 + 1)

/* "float32"; "?" for SYM_DTYPE_UNKNOWN.  Static. */
const char *sym_dtype_to_string (SymDType dtype);

/* Finds the dtype called @name.  Returns FALSE, leaving @dtype alone, when there is none. */
gboolean sym_dtype_from_string (const char *name, SymDType *dtype);

/* Bits of one element; 0 for strings and for SYM_DTYPE_UNKNOWN. */
guint sym_dtype_get_bits (SymDType dtype);

/* Whether the dtype is one of the floating-point, or one of the integer types (bool is neither). */
gboolean sym_dtype_is_floating (SymDType dtype);
gboolean sym_dtype_is_integer (SymDType dtype);

/* Bytes that @n_elements elements take, packed, in *@n_bytes.  FALSE on overflow or when the dtype
 * has no fixed size. */
gboolean sym_dtype_get_size (SymDType dtype, guint64 n_elements, guint64 *n_bytes);

G_END_DECLS
