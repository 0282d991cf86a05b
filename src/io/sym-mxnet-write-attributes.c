/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-write-private.h"

#include <string.h>

static SymMxnetMap
new_map (void)
{
  return (SymMxnetMap){ g_ptr_array_new_with_free_func (g_free),
                        g_ptr_array_new_with_free_func (g_free) };
}

void
sym_mxnet_map_clear (SymMxnetMap *self)
{
  g_clear_pointer (&self->keys, g_ptr_array_unref);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}

static guint
find_key (const SymMxnetMap *self, const char *key)
{
  for (guint i = 0; i < self->keys->len; i++)
    if (strcmp (g_ptr_array_index (self->keys, i), key) == 0)
      return i;

  return SYM_JSON_NONE;
}

/* Puts a text in the place of the key's, or where the key belongs by its letters. */
static void
set_text (SymMxnetMap *self, const char *key, char *take_text)
{
  guint place = find_key (self, key);

  if (place != SYM_JSON_NONE)
    {
      g_free (g_ptr_array_index (self->texts, place));
      g_ptr_array_index (self->texts, place) = take_text;
      return;
    }
  for (place = 0; place < self->keys->len; place++)
    if (strcmp (g_ptr_array_index (self->keys, place), key) > 0)
      break;
  g_ptr_array_insert (self->keys, (int) place, g_strdup (key));
  g_ptr_array_insert (self->texts, (int) place, take_text);
}

static void
append_text (SymMxnetMap *self, const char *key, char *take_text)
{
  g_ptr_array_add (self->keys, g_strdup (key));
  g_ptr_array_add (self->texts, take_text);
}

/* A value as MXNet's Python front end turns it into an attribute: str (value). */
static char *
format_value (const SymValue *value)
{
  const char *string = sym_value_get_string (value);

  return string != NULL ? g_strdup (string) : sym_value_to_string (value);
}

static char *
dup_text (const SymAttributes *attributes, guint i)
{
  const char *literal = sym_attributes_get_literal (attributes, i);

  return literal != NULL ? g_strdup (literal)
                         : format_value (sym_attributes_get_value (attributes, i));
}

/* ---- Types ---- */

static gboolean
same_dims (const SymShape *a, const SymShape *b)
{
  if (a->rank != b->rank)
    return FALSE;
  for (int i = 0; i < a->rank; i++)
    if (MAX (a->dims[i], -1) != MAX (b->dims[i], -1))
      return FALSE;

  return TRUE;
}

/* Adds what the model declares and the attributes do not say. */
static void
declare_type (const SymType *type,
              const SymType *said,
              const char *shape_key,
              const char *dtype_key,
              gboolean is_np_shape,
              SymMxnetMap *map)
{
  const char *dtype = sym_mxnet_format_dtype (type->dtype);

  if (dtype != NULL && type->dtype != said->dtype)
    set_text (map, dtype_key, g_strdup (dtype));
  if ((type->shape.rank > 0 || (type->shape.rank == 0 && is_np_shape)) &&
      !same_dims (&type->shape, &said->shape))
    set_text (map, shape_key, sym_mxnet_format_shape (&type->shape, is_np_shape));
}

/* ---- Calls ---- */

static gboolean
has_two_maps (const SymMxnetWriter *writer, guint place)
{
  if (place == SYM_JSON_NONE)
    return writer->is_legacy;
  return sym_mxnet_graph_get_node (writer->origin->graph, place)->hidden != SYM_JSON_NONE;
}

/* Of a part of a file, where only what was cut away had told.  What comes from elsewhere may
 * declare everything, for its own shapes alone. */
static void
declare_results (const SymMxnetWriter *writer,
                 SymId call,
                 const SymAttributes *attributes,
                 SymMxnetMap *map)
{
  SymIds results = sym_model_get_results (writer->model, call);
  gboolean is_np_shape = writer->is_np_shape;

  for (guint i = 0; i < results.n; i++)
    {
      SymType type = sym_model_get_declared_type (writer->model, results.ids[i]);
      g_autofree char *shape = NULL;
      g_autofree char *dtype = NULL;
      SymType said;

      if (type.dtype == SYM_DTYPE_UNKNOWN && type.shape.rank < 0)
        continue;
      said = sym_mxnet_parse_output_type (attributes, i, is_np_shape);
      shape = sym_mxnet_format_output_key (i, "shape");
      dtype = sym_mxnet_format_output_key (i, "dtype");
      declare_type (&type, &said, shape, dtype, is_np_shape, map);
    }
}

static void
map_call (const SymMxnetWriter *writer,
          SymId call,
          guint place,
          SymMxnetMap *first,
          SymMxnetMap *second)
{
  const SymAttributes *layer = sym_layer_get_attributes (sym_model_get_layer (writer->model, call));
  const SymAttributes *hidden = sym_model_get_call_attributes (writer->model, call);
  gboolean has_two = has_two_maps (writer, place);

  for (guint i = 0; i < sym_attributes_get_n (layer); i++)
    append_text (first, sym_attributes_get_name (layer, i), dup_text (layer, i));
  for (guint i = 0; i < sym_attributes_get_n (hidden); i++)
    {
      const char *name = sym_attributes_get_name (hidden, i);

      /* What an upgrade added has no literal; only where there is no file to be like it is said. */
      if (writer->origin != NULL && sym_attributes_get_literal (hidden, i) != NULL)
        append_text (second, name, dup_text (hidden, i));
      else if (writer->origin == NULL && find_key (first, name) == SYM_JSON_NONE)
        set_text (first, name, dup_text (hidden, i));
    }
  if (writer->origin != NULL)
    declare_results (writer, call, has_two ? hidden : layer, has_two ? second : first);
}

/* ---- Variables ---- */

/* What is to be declared of a variable: what the model says; of a model that comes from elsewhere,
 * an input's inferred type too.  Weights have theirs in their own file. */
static SymType
get_type (const SymMxnetWriter *writer, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (writer->model, value);

  if (parameter != NULL && sym_parameter_get_tensor (parameter) != NULL)
    return SYM_TYPE_UNKNOWN;
  if (writer->origin == NULL && writer->inference != NULL &&
      sym_model_get_role (writer->model, value) == SYM_ROLE_INPUT)
    return sym_inference_get_type (writer->inference, value);
  return sym_model_get_declared_type (writer->model, value);
}

gboolean
sym_mxnet_needs_np_shape (const SymMxnetWriter *writer)
{
  for (guint i = 0; i < writer->nodes->len; i++)
    {
      const SymMxnetWriteNode *node = &g_array_index (writer->nodes, SymMxnetWriteNode, i);
      SymType type = node->is_call ? SYM_TYPE_UNKNOWN : get_type (writer, node->id);

      if (type.kind == SYM_KIND_TENSOR && type.shape.rank == 0)
        return TRUE;
      for (int k = 0; k < type.shape.rank; k++)
        if (type.shape.dims[k] == 0)
          return TRUE;
    }
  return FALSE;
}

static void
declare_variable (const SymMxnetWriter *writer, SymId value, SymMxnetMap *map)
{
  const SymAttributes *attributes = sym_model_get_value_attributes (writer->model, value);
  SymType said = sym_mxnet_parse_type (attributes, writer->is_np_shape);
  SymType type = get_type (writer, value);

  declare_type (&type, &said, "__shape__", "__dtype__", writer->is_np_shape, map);
}

static gboolean
is_in_map (const SymMxnetWriter *writer, guint map, const char *key)
{
  return sym_json_get_member (writer->origin->graph->json, map, key) != SYM_JSON_NONE;
}

static void
map_variable (const SymMxnetWriter *writer,
              SymId value,
              guint place,
              SymMxnetMap *first,
              SymMxnetMap *second)
{
  const SymAttributes *attributes = sym_model_get_value_attributes (writer->model, value);
  const SymMxnetNode *node =
      place == SYM_JSON_NONE ? NULL : sym_mxnet_graph_get_node (writer->origin->graph, place);
  gboolean has_two = has_two_maps (writer, place);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);

      if (writer->origin != NULL && sym_attributes_get_literal (attributes, i) == NULL)
        continue;
      if (has_two && (node == NULL || !is_in_map (writer, node->attributes, name)))
        append_text (second, name, dup_text (attributes, i));
      else
        append_text (first, name, dup_text (attributes, i));
    }
  declare_variable (writer, value, has_two ? second : first);
}

void
sym_mxnet_map_node (const SymMxnetWriter *writer,
                    guint node,
                    SymMxnetMap *first,
                    SymMxnetMap *second)
{
  const SymMxnetWriteNode *row = &g_array_index (writer->nodes, SymMxnetWriteNode, node);

  *first = new_map ();
  *second = new_map ();
  if (row->is_call)
    map_call (writer, row->id, row->place, first, second);
  else
    map_variable (writer, row->id, row->place, first, second);
}

void
sym_mxnet_map_write (const SymMxnetMap *self, SymMxnetLayout *layout)
{
  sym_mxnet_layout_begin (layout, '{', self->keys->len > 1);
  for (guint i = 0; i < self->keys->len; i++)
    {
      sym_mxnet_layout_key (layout, g_ptr_array_index (self->keys, i));
      sym_mxnet_layout_string (layout, g_ptr_array_index (self->texts, i));
    }
  sym_mxnet_layout_end (layout, '}');
}
