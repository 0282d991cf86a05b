/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include <math.h>

#include "io/sym-json-value.h"
#include "ops/sym-op.h"

/* Constants are JSON where JSON has them: null, true, 3, 0.5, "text", [list].  All else is an
 * object of one member that says what it is: {"tuple": [...]}, {"dict": {...}}, {"operand": 0},
 * {"tensor": {"dtype": ..., "shape": ..., "data": ...}}. */

/* ---- Writing ---- */

static void
append_tagged_string (GString *out, const char *tag, const char *string)
{
  g_string_append_printf (out, "{\"%s\": ", tag);
  sym_json_append_string (out, string);
  g_string_append_c (out, '}');
}

static void
append_float (GString *out, const SymValue *value)
{
  double number = 0;

  sym_value_get_float (value, &number);
  if (isfinite (number))
    sym_json_append_double (out, number);
  else
    append_tagged_string (out, "float", isnan (number) ? "nan" : number < 0 ? "-inf" : "inf");
}

static void
append_integer (GString *out, const SymValue *value, const char *before, const char *after)
{
  gint64 integer = 0;

  sym_value_get_int (value, &integer);
  g_string_append_printf (out, "%s%" G_GINT64_FORMAT "%s", before, integer, after);
}

/* FALSE for a container or a tensor. */
static gboolean
append_leaf (GString *out, const SymValue *value)
{
  gboolean boolean = FALSE;

  switch (sym_value_get_kind (value))
    {
    case SYM_VALUE_NONE:
      g_string_append (out, "null");
      return TRUE;
    case SYM_VALUE_BOOL:
      sym_value_get_bool (value, &boolean);
      g_string_append (out, boolean ? "true" : "false");
      return TRUE;
    case SYM_VALUE_INT:
      append_integer (out, value, "", "");
      return TRUE;
    case SYM_VALUE_FLOAT:
      append_float (out, value);
      return TRUE;
    case SYM_VALUE_STRING:
      sym_json_append_string (out, sym_value_get_string (value));
      return TRUE;
    case SYM_VALUE_DTYPE:
      append_tagged_string (out, "dtype", sym_value_get_string (value));
      return TRUE;
    case SYM_VALUE_ELLIPSIS:
      g_string_append (out, "{\"ellipsis\": true}");
      return TRUE;
    case SYM_VALUE_OPERAND:
      append_integer (out, value, "{\"operand\": ", "}");
      return TRUE;
    case SYM_VALUE_OPAQUE:
      append_tagged_string (out, "opaque", sym_value_get_string (value));
      return TRUE;
    case SYM_VALUE_SLICE:
    case SYM_VALUE_LIST:
    case SYM_VALUE_TUPLE:
    case SYM_VALUE_DICT:
    case SYM_VALUE_TENSOR:
    default:
      return FALSE;
    }
}

static const char *
get_opening (SymValueKind kind)
{
  if (kind == SYM_VALUE_DICT)
    return "{\"dict\": {";
  if (kind == SYM_VALUE_TUPLE)
    return "{\"tuple\": [";
  return kind == SYM_VALUE_SLICE ? "{\"slice\": [" : "[";
}

static gboolean
append_tensor (GString *out, SymTensor *tensor, GError **error)
{
  g_string_append (out, "{\"tensor\": ");
  if (!sym_symscope_append_tensor (out, tensor, error))
    return FALSE;
  g_string_append_c (out, '}');
  return TRUE;
}

/* Recursive, SYM_SYMSCOPE_MAX_VALUE_DEPTH deep at most. */
static gboolean
append_nested (GString *out, const SymValue *value, guint depth, GError **error)
{
  SymValueKind kind = sym_value_get_kind (value);

  if (append_leaf (out, value))
    return TRUE;
  if (kind == SYM_VALUE_TENSOR)
    return append_tensor (out, sym_value_get_tensor (value), error);
  if (depth == SYM_SYMSCOPE_MAX_VALUE_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "a constant has more than %d lists within each other",
                   SYM_SYMSCOPE_MAX_VALUE_DEPTH);
      return FALSE;
    }

  g_string_append (out, get_opening (kind));
  for (guint i = 0; i < sym_value_get_n_children (value); i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      if (kind == SYM_VALUE_DICT)
        {
          sym_json_append_string (out, sym_value_get_key (value, i));
          g_string_append (out, ": ");
        }
      if (!append_nested (out, sym_value_get_child (value, i), depth + 1, error))
        return FALSE;
    }
  g_string_append (out, kind == SYM_VALUE_DICT ? "}}" : kind == SYM_VALUE_LIST ? "]" : "]}");
  return TRUE;
}

gboolean
sym_symscope_append_value (GString *out, const SymValue *value, GError **error)
{
  return append_nested (out, value, 0, error);
}

/* ---- Reading ---- */

static SymValue *
read_tagged_float (const SymJson *json, guint token, GError **error)
{
  static const struct {
    const char *name;
    double number;
  } floats[] = { { "nan", (double) NAN },
                 { "inf", (double) INFINITY },
                 { "-inf", (double) -INFINITY } };

  for (guint i = 0; i < G_N_ELEMENTS (floats); i++)
    if (sym_json_string_equals (json, token, floats[i].name))
      return sym_value_new_float (floats[i].number);

  sym_json_fail (json, token, error, "'float' must be \"nan\", \"inf\" or \"-inf\"");
  return NULL;
}

static SymValue *
read_tagged_dtype (const SymJson *json, guint token, GError **error)
{
  g_autofree char *name = sym_json_dup_string (json, token);
  SymDType dtype;

  if (name != NULL && sym_dtype_from_string (name, &dtype))
    return sym_value_new_dtype (dtype);
  if (g_strcmp0 (name, sym_dtype_to_string (SYM_DTYPE_UNKNOWN)) == 0)
    return sym_value_new_dtype (SYM_DTYPE_UNKNOWN);
  sym_json_fail (json, token, error, "'dtype' must name a dtype, such as \"float32\"");
  return NULL;
}

static SymValue *
read_tagged_operand (const SymJson *json, guint token, GError **error)
{
  guint64 index;

  if (sym_json_get_uint (json, token, &index) && index < G_MAXUINT)
    return sym_value_new_operand ((guint) index);
  sym_json_fail (json, token, error, "'operand' must be the number of an operand, from 0");
  return NULL;
}

static SymValue *
read_tagged_opaque (const SymJson *json, guint token, GError **error)
{
  g_autofree char *name = sym_json_dup_string (json, token);

  if (name != NULL)
    return sym_value_new_opaque (name);
  sym_json_expect (json, token, SYM_JSON_STRING, "opaque", error);
  return NULL;
}

static SymValue *
read_tagged_ellipsis (const SymJson *json, guint token, GError **error)
{
  gboolean is_true = FALSE;

  if (sym_json_get_bool (json, token, &is_true) && is_true)
    return sym_value_new_ellipsis ();
  sym_json_fail (json, token, error, "'ellipsis' must be true");
  return NULL;
}

static SymValue *
read_tagged_tensor (const SymJson *json, guint token, GError **error)
{
  g_autoptr (SymTensor) tensor = NULL;

  if (!sym_json_expect (json, token, SYM_JSON_OBJECT, "tensor", error))
    return NULL;
  tensor = sym_symscope_read_tensor (json, token, error);
  return tensor == NULL ? NULL : sym_value_new_tensor (tensor);
}

typedef struct {
  const char *name;
  SymValueKind container; /* SYM_VALUE_NONE: @read */
  SymValue *(*read) (const SymJson *json, guint token, GError **error);
} Tag;

static const Tag tags[] = {
  { "tuple", SYM_VALUE_TUPLE, NULL },
  { "dict", SYM_VALUE_DICT, NULL },
  { "slice", SYM_VALUE_SLICE, NULL },
  { "float", SYM_VALUE_NONE, read_tagged_float },
  { "dtype", SYM_VALUE_NONE, read_tagged_dtype },
  { "operand", SYM_VALUE_NONE, read_tagged_operand },
  { "opaque", SYM_VALUE_NONE, read_tagged_opaque },
  { "ellipsis", SYM_VALUE_NONE, read_tagged_ellipsis },
  { "tensor", SYM_VALUE_NONE, read_tagged_tensor },
};

/* The tag of an object of one member, and what stands behind it. */
static const Tag *
find_tag (const SymJson *json, guint object, guint *inner, GError **error)
{
  SymJsonIter iter = sym_json_iterate (json, object);

  if (sym_json_count (json, object) == 1 && sym_json_iter_next (json, &iter))
    for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
      if (sym_json_string_equals (json, iter.key, tags[i].name))
        {
          *inner = iter.value;
          return &tags[i];
        }

  sym_json_fail (json, object, error,
                 "an object here must have one member: tuple, dict, slice, float, dtype, operand, "
                 "opaque, ellipsis or tensor");
  return NULL;
}

static SymValue *
make_container (SymValueKind kind, GPtrArray *keys, GPtrArray *children)
{
  SymValue *const *values = (SymValue *const *) children->pdata;
  SymValue *container;

  if (kind == SYM_VALUE_DICT)
    container = sym_value_new_dict ((const char *const *) keys->pdata, values, children->len);
  else if (kind == SYM_VALUE_TUPLE)
    container = sym_value_new_tuple (values, children->len);
  else if (kind == SYM_VALUE_SLICE)
    container = sym_value_new_slice (values[0], values[1], values[2]);
  else
    container = sym_value_new_list (values, children->len);
  g_ptr_array_set_free_func (children, NULL);
  return container;
}

static gboolean
check_container (const SymJson *json, guint token, SymValueKind kind, GError **error)
{
  if (kind == SYM_VALUE_DICT)
    return sym_json_expect (json, token, SYM_JSON_OBJECT, "dict", error);
  if (!sym_json_expect (json, token, SYM_JSON_ARRAY, "tuple or slice", error))
    return FALSE;
  return kind != SYM_VALUE_SLICE || sym_json_count (json, token) == 3 ||
         sym_json_fail (json, token, error, "'slice' must have a start, a stop and a step");
}

static SymValue *read_nested (const SymJson *json, guint token, guint depth, GError **error);

static SymValue *
read_container (const SymJson *json, guint token, SymValueKind kind, guint depth, GError **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) children =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);

  if (depth == SYM_SYMSCOPE_MAX_VALUE_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: more than %d lists within each other", sym_json_get_line (json, token),
                   SYM_SYMSCOPE_MAX_VALUE_DEPTH);
      return NULL;
    }
  if (!check_container (json, token, kind, error))
    return NULL;
  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    {
      SymValue *child = read_nested (json, i.value, depth + 1, error);

      if (child == NULL)
        return NULL;
      g_ptr_array_add (children, child);
      if (kind == SYM_VALUE_DICT)
        g_ptr_array_add (keys, sym_json_dup_string (json, i.key));
    }
  return make_container (kind, keys, children);
}

/* Recursive with the above, SYM_SYMSCOPE_MAX_VALUE_DEPTH deep at most. */
static SymValue *
read_nested (const SymJson *json, guint token, guint depth, GError **error)
{
  SymValue *scalar = sym_json_read_scalar (json, token);
  const Tag *tag;
  guint inner = 0;

  if (scalar != NULL)
    return scalar;
  if (sym_json_get_kind (json, token) == SYM_JSON_ARRAY)
    return read_container (json, token, SYM_VALUE_LIST, depth, error);
  tag = find_tag (json, token, &inner, error);
  if (tag == NULL)
    return NULL;
  return tag->read != NULL ? tag->read (json, inner, error)
                           : read_container (json, inner, tag->container, depth, error);
}

SymValue *
sym_symscope_read_value (const SymJson *json, guint token, GError **error)
{
  return read_nested (json, token, 0, error);
}
