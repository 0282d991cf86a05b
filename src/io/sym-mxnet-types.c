/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

/* MXNet's numbers of dtypes (mshadow's type flags), by number. */
static const SymDType dtypes[] = {
  SYM_DTYPE_FLOAT32, SYM_DTYPE_FLOAT64, SYM_DTYPE_FLOAT16,  SYM_DTYPE_UINT8, SYM_DTYPE_INT32,
  SYM_DTYPE_INT8,    SYM_DTYPE_INT64,   SYM_DTYPE_BOOL,     SYM_DTYPE_INT16, SYM_DTYPE_UINT16,
  SYM_DTYPE_UINT32,  SYM_DTYPE_UINT64,  SYM_DTYPE_BFLOAT16,
};

/* 0 stands for an unknown dimension and () for an unknown rank, unless numpy's shapes are on, where
 * -1 and None do (M41). */
static SymShape
parse_shape (const SymValue *value, gboolean is_np_shape)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;
  int rank;

  if (value == NULL)
    return shape;
  rank = sym_value_get_ints (value, shape.dims, SYM_MAX_RANK);
  if (rank < 0 || rank > SYM_MAX_RANK || (rank == 0 && !is_np_shape))
    return SYM_SHAPE_UNKNOWN;

  for (int i = 0; i < rank; i++)
    if (shape.dims[i] < 0 || (shape.dims[i] == 0 && !is_np_shape))
      shape.dims[i] = SYM_DIM_UNKNOWN;
  shape.rank = rank;
  return shape;
}

static SymDType
parse_dtype (const SymValue *value)
{
  SymDType dtype = SYM_DTYPE_UNKNOWN;
  gint64 number;

  if (value == NULL)
    return SYM_DTYPE_UNKNOWN;
  if (sym_value_get_int (value, &number))
    return number >= 0 && number < (gint64) G_N_ELEMENTS (dtypes) ? dtypes[number]
                                                                  : SYM_DTYPE_UNKNOWN;
  if (sym_value_get_string (value) != NULL)
    sym_dtype_from_string (sym_value_get_string (value), &dtype);
  return dtype;
}

static SymType
parse_type (const SymAttributes *attributes,
            const char *shape,
            const char *dtype,
            gboolean is_np_shape)
{
  return sym_type_tensor (parse_dtype (sym_attributes_find (attributes, dtype)),
                          parse_shape (sym_attributes_find (attributes, shape), is_np_shape));
}

SymType
sym_mxnet_parse_type (const SymAttributes *attributes, gboolean is_np_shape)
{
  if (sym_attributes_get_n (attributes) == 0)
    return sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  return parse_type (attributes, "__shape__", "__dtype__", is_np_shape);
}

char *
sym_mxnet_format_output_key (guint output, const char *what)
{
  return g_strdup_printf ("__output%u_%s__", output, what);
}

SymType
sym_mxnet_parse_output_type (const SymAttributes *attributes, guint output, gboolean is_np_shape)
{
  g_autofree char *shape = sym_mxnet_format_output_key (output, "shape");
  g_autofree char *dtype = sym_mxnet_format_output_key (output, "dtype");

  return parse_type (attributes, shape, dtype, is_np_shape);
}

gboolean
sym_mxnet_has_output_types (const SymAttributes *attributes)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (g_str_has_prefix (sym_attributes_get_name (attributes, i), "__output"))
      return TRUE;

  return FALSE;
}

char *
sym_mxnet_format_shape (const SymShape *shape, gboolean is_np_shape)
{
  GString *text = g_string_new ("(");

  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            shape->dims[i] >= 0 ? shape->dims[i]
                            : is_np_shape       ? -1
                                                : (gint64) 0);
  g_string_append (text, shape->rank == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

const char *
sym_mxnet_format_dtype (SymDType dtype)
{
  static const char *const numbers[] = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
  };

  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (dtypes[i] == dtype)
      return numbers[i];

  return NULL;
}
