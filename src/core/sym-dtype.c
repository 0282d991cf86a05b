/* SPDX-License-Identifier: MIT */
#include "core/sym-dtype.h"

typedef enum {
  CLASS_OTHER,
  CLASS_FLOAT,
  CLASS_INTEGER,
} Class;

static const struct {
  const char *name;
  guint bits;
  Class klass;
} dtypes[SYM_N_DTYPES] = {
  [SYM_DTYPE_UNKNOWN] = { "?", 0, CLASS_OTHER },
  [SYM_DTYPE_FLOAT32] = { "float32", 32, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT64] = { "float64", 64, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT16] = { "float16", 16, CLASS_FLOAT },
  [SYM_DTYPE_BFLOAT16] = { "bfloat16", 16, CLASS_FLOAT },
  [SYM_DTYPE_INT8] = { "int8", 8, CLASS_INTEGER },
  [SYM_DTYPE_INT16] = { "int16", 16, CLASS_INTEGER },
  [SYM_DTYPE_INT32] = { "int32", 32, CLASS_INTEGER },
  [SYM_DTYPE_INT64] = { "int64", 64, CLASS_INTEGER },
  [SYM_DTYPE_UINT8] = { "uint8", 8, CLASS_INTEGER },
  [SYM_DTYPE_UINT16] = { "uint16", 16, CLASS_INTEGER },
  [SYM_DTYPE_UINT32] = { "uint32", 32, CLASS_INTEGER },
  [SYM_DTYPE_UINT64] = { "uint64", 64, CLASS_INTEGER },
  [SYM_DTYPE_BOOL] = { "bool", 8, CLASS_OTHER },
  [SYM_DTYPE_STRING] = { "string", 0, CLASS_OTHER },
  [SYM_DTYPE_COMPLEX64] = { "complex64", 64, CLASS_OTHER },
  [SYM_DTYPE_COMPLEX128] = { "complex128", 128, CLASS_OTHER },
  [SYM_DTYPE_FLOAT8E4M3FN] = { "float8e4m3fn", 8, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT8E4M3FNUZ] = { "float8e4m3fnuz", 8, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT8E5M2] = { "float8e5m2", 8, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT8E5M2FNUZ] = { "float8e5m2fnuz", 8, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT8E8M0] = { "float8e8m0", 8, CLASS_FLOAT },
  [SYM_DTYPE_INT4] = { "int4", 4, CLASS_INTEGER },
  [SYM_DTYPE_UINT4] = { "uint4", 4, CLASS_INTEGER },
  [SYM_DTYPE_INT2] = { "int2", 2, CLASS_INTEGER },
  [SYM_DTYPE_UINT2] = { "uint2", 2, CLASS_INTEGER },
  [SYM_DTYPE_FLOAT4E2M1] = { "float4e2m1", 4, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT6E2M3] = { "float6e2m3", 6, CLASS_FLOAT },
  [SYM_DTYPE_FLOAT6E3M2] = { "float6e3m2", 6, CLASS_FLOAT },
};

const char *
sym_dtype_to_string (SymDType dtype)
{
  g_return_val_if_fail (dtype < SYM_N_DTYPES, "?");

  return dtypes[dtype].name;
}

gboolean
sym_dtype_from_string (const char *name, SymDType *dtype)
{
  for (guint i = SYM_DTYPE_FLOAT32; i < SYM_N_DTYPES; i++)
    if (g_strcmp0 (dtypes[i].name, name) == 0)
      {
        *dtype = (SymDType) i;
        return TRUE;
      }

  return FALSE;
}

guint
sym_dtype_get_bits (SymDType dtype)
{
  g_return_val_if_fail (dtype < SYM_N_DTYPES, 0);

  return dtypes[dtype].bits;
}

gboolean
sym_dtype_is_floating (SymDType dtype)
{
  g_return_val_if_fail (dtype < SYM_N_DTYPES, FALSE);

  return dtypes[dtype].klass == CLASS_FLOAT;
}

gboolean
sym_dtype_is_integer (SymDType dtype)
{
  g_return_val_if_fail (dtype < SYM_N_DTYPES, FALSE);

  return dtypes[dtype].klass == CLASS_INTEGER;
}

gboolean
sym_dtype_get_size (SymDType dtype, guint64 n_elements, guint64 *n_bytes)
{
  guint bits = sym_dtype_get_bits (dtype);
  guint64 n_bits;

  if (bits == 0)
    return FALSE;
  if (bits >= 8)
    return g_uint64_checked_mul (n_bytes, n_elements, bits / 8);
  if (!g_uint64_checked_mul (&n_bits, n_elements, bits))
    return FALSE;

  *n_bytes = n_bits / 8 + (n_bits % 8 != 0);
  return TRUE;
}
