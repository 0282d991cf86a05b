/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

#include "io/sym-json-value.h"

#define MAX_VALUE_DEPTH 32

/* ---- Dtypes ---- */

/* Names in lower case, without what stands before the last dot or colon, and without "dt_", "_t". */
static const struct {
  const char *names;
  SymDType dtype;
} dtypes[] = {
  { " float32 float f32 fp32 real single ", SYM_DTYPE_FLOAT32 },
  { " float64 double f64 fp64 ", SYM_DTYPE_FLOAT64 },
  { " float16 half f16 fp16 ", SYM_DTYPE_FLOAT16 },
  { " bfloat16 bf16 bfloat ", SYM_DTYPE_BFLOAT16 },
  { " int8 i8 s8 char signed_char ", SYM_DTYPE_INT8 },
  { " int16 i16 s16 short ", SYM_DTYPE_INT16 },
  { " int32 i32 s32 int ", SYM_DTYPE_INT32 },
  { " int64 i64 s64 long long_int ", SYM_DTYPE_INT64 },
  { " uint8 u8 ui8 byte unsigned_char ", SYM_DTYPE_UINT8 },
  { " uint16 u16 ui16 ", SYM_DTYPE_UINT16 },
  { " uint32 u32 ui32 ", SYM_DTYPE_UINT32 },
  { " uint64 u64 ui64 ", SYM_DTYPE_UINT64 },
  { " bool boolean i1 pred ", SYM_DTYPE_BOOL },
  { " string str ", SYM_DTYPE_STRING },
  { " complex64 c64 complexfloat ", SYM_DTYPE_COMPLEX64 },
  { " complex128 c128 complexdouble ", SYM_DTYPE_COMPLEX128 },
  { " float8e4m3fn f8_e4m3 f8e4m3 float8_e4m3 float8_e4m3fn f8e4m3fn ", SYM_DTYPE_FLOAT8E4M3FN },
  { " float8e5m2 f8_e5m2 f8e5m2 float8_e5m2 ", SYM_DTYPE_FLOAT8E5M2 },
  { " int4 i4 s4 ", SYM_DTYPE_INT4 },
  { " uint4 u4 ", SYM_DTYPE_UINT4 },
};

SymDType
sym_net_parse_dtype (const char *text)
{
  g_autofree char *lower = NULL;
  g_autofree char *wanted = NULL;
  char *start;

  if (text == NULL)
    return SYM_DTYPE_UNKNOWN;
  lower = g_ascii_strdown (text, -1);
  start = MAX (strrchr (lower, '.'), strrchr (lower, ':'));
  start = start == NULL ? lower : start + 1;
  if (g_str_has_prefix (start, "dt_"))
    start += 3;
  if (g_str_has_suffix (start, "_t"))
    start[strlen (start) - 2] = '\0';

  g_strdelimit (start, " ", '_');
  wanted = g_strconcat (" ", start, " ", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (strstr (dtypes[i].names, wanted) != NULL)
      return dtypes[i].dtype;

  return SYM_DTYPE_UNKNOWN;
}

/* ---- Shapes ---- */

static SymDim
parse_dim (SymNet *self, const char *name)
{
  gint64 number;

  if (name[0] == '\0' || strcmp (name, "?") == 0)
    return SYM_DIM_UNKNOWN;
  if (g_ascii_string_to_signed (name, 10, G_MININT64 + 1, G_MAXINT64, &number, NULL))
    return number >= 0 ? number : SYM_DIM_UNKNOWN;
  return sym_terms_get_named (sym_model_builder_get_terms (sym_net_get_builder (self)), name);
}

static SymDim
read_dim (SymNet *self, guint token)
{
  const SymJson *json = sym_net_get_json (self);
  g_autofree char *name = sym_json_dup_string (json, token);
  gint64 number;

  if (sym_json_get_int (json, token, &number))
    return number >= 0 ? number : SYM_DIM_UNKNOWN;
  return name == NULL ? SYM_DIM_UNKNOWN : parse_dim (self, name);
}

SymShape
sym_net_parse_shape (SymNet *self, const char *text, const char *separators)
{
  g_auto (GStrv) parts = g_strsplit_set (text, separators, SYM_MAX_RANK + 2);
  SymShape shape = { .rank = 0 };

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *part = g_strstrip (parts[i]);

      if (part[0] == '\0')
        continue;
      if (shape.rank == SYM_MAX_RANK)
        return SYM_SHAPE_UNKNOWN;
      shape.dims[shape.rank++] = parse_dim (self, part);
    }
  return shape;
}

SymShape
sym_net_read_shape (SymNet *self, guint array)
{
  const SymJson *json = sym_net_get_json (self);
  SymShape shape = { .rank = 0 };

  if (sym_json_get_kind (json, array) != SYM_JSON_ARRAY)
    return SYM_SHAPE_UNKNOWN;
  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    {
      if (shape.rank == SYM_MAX_RANK)
        {
          sym_net_warn (self, array, "a shape of more than %d dimensions", SYM_MAX_RANK);
          return SYM_SHAPE_UNKNOWN;
        }
      shape.dims[shape.rank++] = read_dim (self, i.value);
    }
  return shape;
}

SymType
sym_net_read_type (SymNet *self, guint dtype, guint shape)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (self), dtype);

  return sym_type_tensor (sym_net_parse_dtype (name), sym_net_read_shape (self, shape));
}

/* ---- Values ---- */

char *
sym_net_dup_key (const SymJson *json, guint token)
{
  SymJsonKind kind = sym_json_get_kind (json, token);

  if (kind == SYM_JSON_STRING)
    return sym_json_dup_string (json, token);
  return kind == SYM_JSON_NUMBER ? sym_json_dup_text (json, token) : NULL;
}

static SymValue *read_nested (const SymJson *json, guint token, guint depth);

static SymValue *
read_container (const SymJson *json, guint token, guint depth)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) children = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    {
      if (i.key != SYM_JSON_NONE)
        g_ptr_array_add (keys, sym_json_dup_string (json, i.key));
      g_ptr_array_add (children, read_nested (json, i.value, depth + 1));
    }
  return sym_json_get_kind (json, token) == SYM_JSON_OBJECT
           ? sym_value_new_dict ((const char *const *) keys->pdata,
                                 (SymValue *const *) children->pdata, children->len)
           : sym_value_new_list ((SymValue *const *) children->pdata, children->len);
}

/* Recursive, MAX_VALUE_DEPTH deep at most. */
static SymValue *
read_nested (const SymJson *json, guint token, guint depth)
{
  SymValue *scalar = sym_json_read_scalar (json, token);
  g_autofree char *text = NULL;

  if (scalar != NULL)
    return scalar;
  if (depth < MAX_VALUE_DEPTH)
    return read_container (json, token, depth);
  text = sym_json_dup_text (json, token);
  return sym_value_new_string (text);
}

SymValue *
sym_net_read_value (const SymJson *json, guint token)
{
  return read_nested (json, token, 0);
}

/* Only of numbers is the text worth keeping: 1e-05 and 0.00001 are the same value. */
void
sym_net_set_attribute (SymAttributes *attributes, const char *name, const SymJson *json, guint token)
{
  g_autofree char *literal
    = sym_json_get_kind (json, token) == SYM_JSON_NUMBER ? sym_json_dup_text (json, token) : NULL;

  sym_attributes_set (attributes, name, sym_net_read_value (json, token), literal);
}

SymAttributes *
sym_net_read_attributes (const SymJson *json, guint object, const char *const *except)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (name != NULL && (except == NULL || !g_strv_contains (except, name)))
        sym_net_set_attribute (attributes, name, json, i.value);
    }
  return attributes;
}
