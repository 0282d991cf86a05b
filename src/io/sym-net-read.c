/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

#include "io/sym-json-private.h"
#include "io/sym-json-value.h"
#include "io/sym-net-attributes.h"

#define MAX_VALUE_DEPTH 32

/* ---- Dtypes ---- */

/* One more than the longest name. */
#define MAX_DTYPE_NAME 16

/* Names in lower case, without what stands before the last dot or colon, and without "dt_", "_t".
 */
static const struct {
  char name[MAX_DTYPE_NAME];
  SymDType dtype;
} dtypes[] = {
  { "float32", SYM_DTYPE_FLOAT32 },
  { "float", SYM_DTYPE_FLOAT32 },
  { "f32", SYM_DTYPE_FLOAT32 },
  { "fp32", SYM_DTYPE_FLOAT32 },
  { "real", SYM_DTYPE_FLOAT32 },
  { "single", SYM_DTYPE_FLOAT32 },
  { "float64", SYM_DTYPE_FLOAT64 },
  { "double", SYM_DTYPE_FLOAT64 },
  { "f64", SYM_DTYPE_FLOAT64 },
  { "fp64", SYM_DTYPE_FLOAT64 },
  { "float16", SYM_DTYPE_FLOAT16 },
  { "half", SYM_DTYPE_FLOAT16 },
  { "f16", SYM_DTYPE_FLOAT16 },
  { "fp16", SYM_DTYPE_FLOAT16 },
  { "bfloat16", SYM_DTYPE_BFLOAT16 },
  { "bf16", SYM_DTYPE_BFLOAT16 },
  { "bfloat", SYM_DTYPE_BFLOAT16 },
  { "int8", SYM_DTYPE_INT8 },
  { "i8", SYM_DTYPE_INT8 },
  { "s8", SYM_DTYPE_INT8 },
  { "char", SYM_DTYPE_INT8 },
  { "signed_char", SYM_DTYPE_INT8 },
  { "int16", SYM_DTYPE_INT16 },
  { "i16", SYM_DTYPE_INT16 },
  { "s16", SYM_DTYPE_INT16 },
  { "short", SYM_DTYPE_INT16 },
  { "int32", SYM_DTYPE_INT32 },
  { "i32", SYM_DTYPE_INT32 },
  { "s32", SYM_DTYPE_INT32 },
  { "int", SYM_DTYPE_INT32 },
  { "int64", SYM_DTYPE_INT64 },
  { "i64", SYM_DTYPE_INT64 },
  { "s64", SYM_DTYPE_INT64 },
  { "long", SYM_DTYPE_INT64 },
  { "long_int", SYM_DTYPE_INT64 },
  { "uint8", SYM_DTYPE_UINT8 },
  { "u8", SYM_DTYPE_UINT8 },
  { "ui8", SYM_DTYPE_UINT8 },
  { "byte", SYM_DTYPE_UINT8 },
  { "unsigned_char", SYM_DTYPE_UINT8 },
  { "uint16", SYM_DTYPE_UINT16 },
  { "u16", SYM_DTYPE_UINT16 },
  { "ui16", SYM_DTYPE_UINT16 },
  { "uint32", SYM_DTYPE_UINT32 },
  { "u32", SYM_DTYPE_UINT32 },
  { "ui32", SYM_DTYPE_UINT32 },
  { "uint64", SYM_DTYPE_UINT64 },
  { "u64", SYM_DTYPE_UINT64 },
  { "ui64", SYM_DTYPE_UINT64 },
  { "bool", SYM_DTYPE_BOOL },
  { "boolean", SYM_DTYPE_BOOL },
  { "i1", SYM_DTYPE_BOOL },
  { "pred", SYM_DTYPE_BOOL },
  { "string", SYM_DTYPE_STRING },
  { "str", SYM_DTYPE_STRING },
  { "complex64", SYM_DTYPE_COMPLEX64 },
  { "c64", SYM_DTYPE_COMPLEX64 },
  { "complexfloat", SYM_DTYPE_COMPLEX64 },
  { "complex128", SYM_DTYPE_COMPLEX128 },
  { "c128", SYM_DTYPE_COMPLEX128 },
  { "complexdouble", SYM_DTYPE_COMPLEX128 },
  { "float8e4m3fn", SYM_DTYPE_FLOAT8E4M3FN },
  { "f8_e4m3", SYM_DTYPE_FLOAT8E4M3FN },
  { "f8e4m3", SYM_DTYPE_FLOAT8E4M3FN },
  { "float8_e4m3", SYM_DTYPE_FLOAT8E4M3FN },
  { "float8_e4m3fn", SYM_DTYPE_FLOAT8E4M3FN },
  { "f8e4m3fn", SYM_DTYPE_FLOAT8E4M3FN },
  { "float8e5m2", SYM_DTYPE_FLOAT8E5M2 },
  { "f8_e5m2", SYM_DTYPE_FLOAT8E5M2 },
  { "f8e5m2", SYM_DTYPE_FLOAT8E5M2 },
  { "float8_e5m2", SYM_DTYPE_FLOAT8E5M2 },
  { "int4", SYM_DTYPE_INT4 },
  { "i4", SYM_DTYPE_INT4 },
  { "s4", SYM_DTYPE_INT4 },
  { "uint4", SYM_DTYPE_UINT4 },
  { "u4", SYM_DTYPE_UINT4 },
};

/* FALSE when the name is longer than any that is known. */
static gboolean
fold_dtype (const char *text, gsize length, char *folded)
{
  gsize start = length;

  while (start > 0 && text[start - 1] != '.' && text[start - 1] != ':')
    start--;
  if (length - start >= 3 && text[start + 2] == '_' &&
      g_ascii_strncasecmp (text + start, "dt", 2) == 0)
    start += 3;
  if (length - start >= 2 && text[length - 2] == '_' && g_ascii_tolower (text[length - 1]) == 't')
    length -= 2;
  if (length - start >= MAX_DTYPE_NAME)
    return FALSE;
  for (; start < length; start++)
    *folded++ = text[start] == ' ' ? '_' : g_ascii_tolower (text[start]);
  *folded = '\0';
  return TRUE;
}

/* Without a copy: large files name them a million times. */
SymDType
sym_net_parse_dtype_of (const char *text, gsize length)
{
  char folded[MAX_DTYPE_NAME] = { '\0' };

  if (!fold_dtype (text, length, folded))
    return SYM_DTYPE_UNKNOWN;
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (memcmp (dtypes[i].name, folded, MAX_DTYPE_NAME) == 0)
      return dtypes[i].dtype;

  return SYM_DTYPE_UNKNOWN;
}

SymDType
sym_net_parse_dtype (const char *text)
{
  return text == NULL ? SYM_DTYPE_UNKNOWN : sym_net_parse_dtype_of (text, strlen (text));
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
  g_autofree char *name = NULL;
  gint64 number;

  if (sym_json_get_int (json, token, &number))
    return number >= 0 ? number : SYM_DIM_UNKNOWN;
  name = sym_json_dup_string (json, token);
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
  for (SymJsonIter i = sym_json_begin (json, array); sym_json_step (json, &i);)
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

SymDType
sym_net_read_dtype (const SymJson *json, guint token)
{
  g_autofree char *decoded = NULL;
  gsize length;
  const char *name = sym_json_peek_characters (json, token, &length);

  if (name != NULL)
    return sym_net_parse_dtype_of (name, length);
  decoded = sym_json_dup_string (json, token);
  return sym_net_parse_dtype (decoded);
}

/* Most values are of the type of the one before. */
SymType
sym_net_read_type (SymNet *self, guint dtype, guint shape)
{
  const SymJson *json = sym_net_get_json (self);
  SymNetLastType *last = sym_net_get_last_type (self);

  if (last->type.shape.rank >= 0 && sym_json_texts_equal (json, dtype, last->dtype) &&
      sym_json_texts_equal (json, shape, last->shape))
    return last->type;
  *last = (SymNetLastType){ dtype, shape,
                            sym_type_tensor (sym_net_read_dtype (json, dtype),
                                             sym_net_read_shape (self, shape)) };
  return last->type;
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

/* The same, and in *@length its bytes, mostly as the file has it; what has to be freed of it is in
 * *@decoded. */
static const char *
get_key (const SymJson *json, guint token, gsize *length, char **decoded)
{
  const char *text = sym_json_peek_characters (json, token, length);

  if (text != NULL)
    return text;
  *decoded = sym_net_dup_key (json, token);
  *length = *decoded == NULL ? 0 : strlen (*decoded);
  return *decoded;
}

void
sym_net_add_operand_at (SymNet *self, SymId call, guint token)
{
  g_autofree char *decoded = NULL;
  gsize length;
  const char *text = get_key (sym_net_get_json (self), token, &length, &decoded);

  sym_net_add_operand_of (self, call, text, length);
}

void
sym_net_add_operands (SymNet *self, SymId call, guint keys)
{
  const SymJson *json = sym_net_get_json (self);

  for (SymJsonIter i = sym_json_begin (json, keys); sym_json_step (json, &i);)
    sym_net_add_operand_at (self, call, i.value);
}

void
sym_net_add_results (SymNet *self, SymId call, guint keys, gboolean named)
{
  const SymJson *json = sym_net_get_json (self);

  for (SymJsonIter i = sym_json_begin (json, keys); sym_json_step (json, &i);)
    {
      g_autofree char *decoded = NULL;
      gsize length;
      const char *text = get_key (json, i.value, &length, &decoded);

      if (text != NULL)
        sym_net_add_result_of (self, call, text, length, named);
      else
        sym_net_add_result (self, call, NULL, NULL, NULL);
    }
}

void
sym_net_add_outputs (SymNet *self, guint keys)
{
  const SymJson *json = sym_net_get_json (self);

  for (SymJsonIter i = sym_json_begin (json, keys); sym_json_step (json, &i);)
    {
      g_autofree char *key = sym_net_dup_key (json, i.value);

      if (key != NULL)
        sym_net_add_output (self, key);
    }
}

static SymValue *read_nested (const SymJson *json, guint token, guint depth);

static SymValue *
read_list (const SymJson *json, guint token, guint depth)
{
  guint n = sym_json_count (json, token), k = 0;
  g_autofree SymValue **children = g_new (SymValue *, n);

  for (SymJsonIter i = sym_json_begin (json, token); sym_json_step (json, &i);)
    children[k++] = read_nested (json, i.value, depth + 1);
  return sym_value_new_list (children, n);
}

static SymValue *
read_dict (const SymJson *json, guint token, guint depth)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) children = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_begin (json, token); sym_json_step (json, &i);)
    {
      g_ptr_array_add (keys, sym_json_dup_string (json, i.key));
      g_ptr_array_add (children, read_nested (json, i.value, depth + 1));
    }
  return sym_value_new_dict ((const char *const *) keys->pdata, (SymValue *const *) children->pdata,
                             children->len);
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
    return sym_json_get_kind (json, token) == SYM_JSON_OBJECT ? read_dict (json, token, depth)
                                                              : read_list (json, token, depth);
  text = sym_json_dup_text (json, token);
  return sym_value_new_string (text);
}

SymValue *
sym_net_read_value (const SymJson *json, guint token)
{
  return read_nested (json, token, 0);
}

void
sym_net_set_attribute (SymNet *self, SymAttributes *attributes, const char *name, guint token)
{
  sym_net_attributes_set (sym_net_get_attributes (self), attributes, name, strlen (name),
                          sym_net_get_json (self), token);
}

SymAttributes *
sym_net_read_attributes (SymNet *self, guint object, const char *const *except)
{
  return sym_net_attributes_read (sym_net_get_attributes (self), sym_net_get_json (self), object,
                                  except);
}

SymAttributes *
sym_net_share_attributes (SymNet *self, guint object, const char *const *except)
{
  return sym_net_attributes_share (sym_net_get_attributes (self), sym_net_get_json (self), object,
                                   except);
}
