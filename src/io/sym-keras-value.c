/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"

#include <string.h>

#include "io/sym-json-value.h"

/* Constants nested deeper are kept as their text. */
#define MAX_NESTING 64

static SymValue *read_value (SymKerasReader *self, guint token, guint depth);

static SymValue *
read_list (SymKerasReader *self, guint token, gboolean is_tuple, guint depth)
{
  GPtrArray *children = g_ptr_array_new ();
  SymValue *value;

  for (SymJsonIter i = sym_json_iterate (self->json, token); sym_json_iter_next (self->json, &i);)
    g_ptr_array_add (children, read_value (self, i.value, depth + 1));
  value = is_tuple ? sym_value_new_tuple ((SymValue *const *) children->pdata, children->len)
                   : sym_value_new_list ((SymValue *const *) children->pdata, children->len);
  g_ptr_array_unref (children);
  return value;
}

static SymValue *
read_dict (SymKerasReader *self, guint token, guint depth)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) children = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (self->json, token); sym_json_iter_next (self->json, &i);)
    {
      g_ptr_array_add (keys, sym_json_dup_string (self->json, i.key));
      g_ptr_array_add (children, read_value (self, i.value, depth + 1));
    }
  return sym_value_new_dict ((const char *const *) keys->pdata, (SymValue *const *) children->pdata,
                             children->len);
}

/* {"class_name": "__tuple__", "items": [3, 3]} */
static guint
get_tuple_items (const SymJson *json, guint token)
{
  return sym_json_string_equals (json, sym_json_get_member (json, token, "class_name"), "__tuple__")
             ? sym_json_get_member (json, token, "items")
             : SYM_JSON_NONE;
}

static SymValue *
read_container (SymKerasReader *self, guint token, guint depth)
{
  guint items = get_tuple_items (self->json, token);

  if (sym_json_get_kind (self->json, items) == SYM_JSON_ARRAY)
    return read_list (self, items, TRUE, depth);
  return sym_json_get_kind (self->json, token) == SYM_JSON_ARRAY
             ? read_list (self, token, FALSE, depth)
             : read_dict (self, token, depth);
}

static SymValue *
read_value (SymKerasReader *self, guint token, guint depth)
{
  SymValue *scalar = sym_json_read_scalar (self->json, token);
  g_autofree char *text = NULL;

  if (scalar != NULL)
    return scalar;
  if (depth < MAX_NESTING)
    return read_container (self, token, depth);
  text = sym_json_dup_text (self->json, token);
  return sym_value_new_string (text);
}

/* A file has few different ones: most layers have the same initialisers. */
SymValue *
sym_keras_read_value (SymKerasReader *self, guint token)
{
  g_autoptr (GBytes) key = NULL;
  const char *text;
  SymValue *value;
  gsize length;

  text = sym_json_get_text (self->json, token, &length);
  if (text == NULL || length > 1024)
    return read_value (self, token, 0);
  key = g_bytes_new_static (text, length);
  value = g_hash_table_lookup (self->values, key);
  if (value != NULL)
    return sym_value_ref (value);
  value = read_value (self, token, 0);
  g_hash_table_insert (self->values, g_steal_pointer (&key), sym_value_ref (value));
  return value;
}

SymAttributes *
sym_keras_read_attributes (SymKerasReader *self, guint object, const char *const *left_out)
{
  if (sym_json_get_kind (self->json, object) != SYM_JSON_OBJECT)
    return sym_attributes_new ();
  return sym_net_attributes_read (self->attributes, self->json, object, left_out);
}

SymAttributes *
sym_keras_share_attributes (SymKerasReader *self, guint object, const char *const *left_out)
{
  if (sym_json_get_kind (self->json, object) != SYM_JSON_OBJECT)
    return sym_attributes_new ();
  return sym_net_attributes_share (self->attributes, self->json, object, left_out);
}

gboolean
sym_keras_read_shape (SymKerasReader *self, guint token, SymShape *shape)
{
  guint items = get_tuple_items (self->json, token);
  SymShape read = { 0 };

  if (items != SYM_JSON_NONE)
    token = items;
  if (sym_json_get_kind (self->json, token) != SYM_JSON_ARRAY)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, token); sym_json_iter_next (self->json, &i);)
    {
      gint64 size = SYM_DIM_UNKNOWN;

      if (sym_json_get_kind (self->json, i.value) != SYM_JSON_NULL &&
          (!sym_json_get_int (self->json, i.value, &size) || size < -1))
        return FALSE;
      if (read.rank == SYM_MAX_RANK)
        return FALSE;
      read.dims[read.rank++] = size < 0 ? SYM_DIM_UNKNOWN : size;
    }
  *shape = read;
  return TRUE;
}

/* "float32", or a DTypePolicy whose config has the name. */
SymDType
sym_keras_read_dtype (SymKerasReader *self, guint config)
{
  static const char *const keys[] = { "dtype", "input_dtype" };
  SymDType dtype = SYM_DTYPE_FLOAT32;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      guint token = sym_json_get_member (self->json, config, keys[i]);
      g_autofree char *name = NULL;

      if (sym_json_get_kind (self->json, token) == SYM_JSON_OBJECT)
        token = sym_json_get_member (self->json, sym_json_get_member (self->json, token, "config"),
                                     "name");
      name = sym_json_dup_string (self->json, token);
      if (name != NULL && sym_dtype_from_string (name, &dtype))
        return dtype;
    }
  return SYM_DTYPE_FLOAT32;
}

/* Keras 1 could be told the features, and the steps of a sequence, alone. */
static gboolean
read_old_shape (SymKerasReader *self, guint config, SymShape *shape)
{
  guint length = sym_json_get_member (self->json, config, "input_length");
  gint64 features, steps = SYM_DIM_UNKNOWN;

  if (!sym_json_get_int (self->json, sym_json_get_member (self->json, config, "input_dim"),
                         &features) ||
      features < 0 || sym_json_get_member (self->json, config, "mask_zero") != SYM_JSON_NONE)
    return FALSE;
  if (length == SYM_JSON_NONE)
    *shape = SYM_SHAPE (SYM_DIM_UNKNOWN, features);
  else
    {
      if (!sym_json_get_int (self->json, length, &steps) || steps < 0)
        steps = SYM_DIM_UNKNOWN;
      *shape = SYM_SHAPE (SYM_DIM_UNKNOWN, steps, features);
    }
  return TRUE;
}

SymType
sym_keras_read_type (SymKerasReader *self, guint config)
{
  static const char *const whole[] = { "batch_input_shape", "batch_shape" };
  static const char *const partial[] = { "input_shape", "shape" };
  SymType type = sym_type_tensor (sym_keras_read_dtype (self, config), SYM_SHAPE_UNKNOWN);

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    if (sym_keras_read_shape (self, sym_json_get_member (self->json, config, whole[i]),
                              &type.shape))
      return type;
  for (guint i = 0; i < G_N_ELEMENTS (partial); i++)
    {
      SymShape shape;

      if (sym_keras_read_shape (self, sym_json_get_member (self->json, config, partial[i]),
                                &shape) &&
          shape.rank < SYM_MAX_RANK)
        {
          type.shape.rank = shape.rank + 1;
          type.shape.dims[0] = SYM_DIM_UNKNOWN;
          memcpy (type.shape.dims + 1, shape.dims, (gsize) shape.rank * sizeof *shape.dims);
          return type;
        }
    }
  read_old_shape (self, config, &type.shape);
  return type;
}
