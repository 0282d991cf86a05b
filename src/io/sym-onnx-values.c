/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-graph-private.h"

#include <string.h>

#include "io/sym-told.h"
#include "ops/sym-op.h"

/* ---- Places ---- */

static SymAttributes *
get_attributes (SymOnnxGraph *self, SymId value)
{
  SymAttributes *attributes = g_hash_table_lookup (self->attributes, GUINT_TO_POINTER (value));

  if (attributes != NULL)
    return attributes;
  attributes = sym_attributes_new ();
  g_hash_table_insert (self->attributes, GUINT_TO_POINTER (value), attributes);
  sym_model_builder_set_value_attributes (self->builder, value, attributes);
  return attributes;
}

SymOnnxPlace *
sym_onnx_graph_get_place (SymOnnxGraph *self, SymId value)
{
  return sym_onnx_file_add_place (self->reader->file, get_attributes (self, value));
}

void
sym_onnx_graph_describe (SymOnnxGraph *self, SymId value, const char *name, const char *text)
{
  if (text != NULL && *text != '\0')
    sym_attributes_set (get_attributes (self, value), name, sym_value_new_string (text), NULL);
}

void
sym_onnx_graph_define (SymOnnxGraph *self, const char *name, SymId value)
{
  gpointer id = GUINT_TO_POINTER (value + 1);

  if (!g_hash_table_contains (self->first, name))
    g_hash_table_insert (self->first, (gpointer) name, id);
  else
    sym_problems_add (self->problems, SYM_SEVERITY_ERROR, 0, value, SYM_NO_ID,
                      "there are two values called '%s'", name);
}

/* ---- Inputs and initializers ---- */

static const char *
get_initializer_name (const SymProtoMessage *initializer)
{
  const SymProtoMessage *tensor = initializer;
  const char *name;

  if (initializer->type == &sym_onnx_sparse_type)
    tensor = sym_proto_get_message (initializer, ONNX_SPARSE_VALUES);
  name = sym_proto_get_text (tensor, ONNX_TENSOR_NAME);
  return name == NULL ? "" : name;
}

static GHashTable *
list_initializers (const SymProtoMessage *graph)
{
  static const guint fields[] = { ONNX_GRAPH_INITIALIZER, ONNX_GRAPH_SPARSE_INITIALIZER };
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  const SymProtoEntry *entry;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    for (guint at = 0; (entry = sym_proto_next (graph, fields[i], &at)) != NULL;)
      g_hash_table_add (names, (gpointer) get_initializer_name (entry->message));
  return names;
}

static SymType
read_declared_type (SymOnnxGraph *self, const SymProtoMessage *info)
{
  return sym_onnx_read_type (sym_proto_get_message (info, ONNX_VALUE_TYPE),
                             sym_model_builder_get_terms (self->builder));
}

static void
note_maps (SymOnnxGraph *self, SymId value, const SymProtoMessage *info)
{
  if (sym_onnx_type_is_map (sym_proto_get_message (info, ONNX_VALUE_TYPE)))
    sym_problems_add (self->problems, SYM_SEVERITY_NOTE, info->line, value, SYM_NO_ID,
                      "“%s” maps labels to numbers: here it is the tensor of the numbers, in the "
                      "order of the labels of its layer",
                      sym_proto_get_text (info, ONNX_VALUE_NAME));
}

/* The branches of If may have no inputs.  Files exist where they have some: those are values of
 * around, by the names that they have there. */
static void
add_input (SymOnnxGraph *self, const char *name, const SymProtoMessage *info)
{
  SymType type = info == NULL ? SYM_TYPE_UNKNOWN : read_declared_type (self, info);
  SymId value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (self->builder, value);
  sym_onnx_graph_define (self, name, value);
  if (self->context->is_branch && self->captured != NULL)
    g_ptr_array_add (self->captured, (gpointer) name);
  if (info == NULL)
    return;
  sym_model_builder_set_value_line (self->builder, value, info->line);
  sym_onnx_graph_get_place (self, value)->input = info;
  note_maps (self, value, info);
  sym_onnx_graph_describe (self, value, "doc_string",
                           sym_proto_get_text (info, ONNX_VALUE_DOC_STRING));
}

/* Those that have a tensor are weights, whatever IR version: there is nothing to feed. */
static void
add_inputs (SymOnnxGraph *self)
{
  g_autoptr (GHashTable) initializers = list_initializers (self->graph);
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, ONNX_GRAPH_INPUT, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_VALUE_NAME);

      if (name == NULL || !g_hash_table_contains (initializers, name))
        add_input (self, name == NULL ? "" : name, entry->message);
    }
}

static void
add_function_inputs (SymOnnxGraph *self)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, ONNX_FUNCTION_INPUT, &at)) != NULL;)
    {
      const char *name = sym_proto_entry_get_text (self->graph, entry);

      add_input (self, name == NULL ? "" : name, NULL);
    }
}

static SymType
read_sparse_type (const SymProtoMessage *sparse)
{
  g_autoptr (GArray) dims = sym_proto_get_numbers (sparse, ONNX_SPARSE_DIMS);
  SymType type = sym_onnx_read_tensor_type (sym_proto_get_message (sparse, ONNX_SPARSE_VALUES));

  type.shape.rank = dims->len > SYM_MAX_RANK ? -1 : (int) dims->len;
  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = MAX (g_array_index (dims, gint64, (guint) i), 0);
  return type;
}

static SymRole
get_weight_role (SymDType dtype)
{
  return sym_dtype_is_floating (dtype) || dtype == SYM_DTYPE_UNKNOWN ? SYM_ROLE_PARAMETER
                                                                     : SYM_ROLE_CONSTANT;
}

static void
add_initializer (SymOnnxGraph *self, const SymProtoMessage *initializer)
{
  gboolean is_sparse = initializer->type == &sym_onnx_sparse_type;
  const char *name = get_initializer_name (initializer);
  SymType type =
      is_sparse ? read_sparse_type (initializer) : sym_onnx_read_tensor_type (initializer);
  SymId value =
      sym_model_builder_add_value (self->builder, name, get_weight_role (type.dtype), &type);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = is_sparse ? sym_onnx_read_sparse (self->reader->file, initializer, &error)
                                : sym_onnx_read_tensor (self->reader->file, initializer, &error);
  SymOnnxPlace *place = sym_onnx_graph_get_place (self, value);

  sym_onnx_graph_define (self, name, value);
  sym_model_builder_set_value_line (self->builder, value, initializer->line);
  place->initializer = initializer;
  place->tensor = tensor;
  g_hash_table_insert (self->weights, GUINT_TO_POINTER (value), tensor);
  if (error != NULL)
    {
      sym_problems_add (self->problems, SYM_SEVERITY_ERROR, initializer->line, value, SYM_NO_ID,
                        "the %stensor '%s' cannot be read: %s", is_sparse ? "sparse " : "", name,
                        error->message);
      sym_model_builder_set_lack (self->builder, value, error->message);
    }
  if (!is_sparse)
    sym_onnx_graph_describe (self, value, "doc_string",
                             sym_proto_get_text (initializer, ONNX_TENSOR_DOC_STRING));
}

void
sym_onnx_graph_add_values (SymOnnxGraph *self)
{
  const SymProtoEntry *entry;

  if (self->graph->type == &sym_onnx_function_type)
    {
      add_function_inputs (self);
      return;
    }
  add_inputs (self);
  for (guint at = 0; (entry = sym_proto_next (self->graph, ONNX_GRAPH_INITIALIZER, &at)) != NULL;)
    add_initializer (self, entry->message);
  for (guint at = 0;
       (entry = sym_proto_next (self->graph, ONNX_GRAPH_SPARSE_INITIALIZER, &at)) != NULL;)
    add_initializer (self, entry->message);
}

/* ---- Constants ---- */

/* The one attribute that a Constant has its value in; NULL when it is not so plain. */
static const SymProtoMessage *
get_constant_attribute (SymOnnxGraph *self, const SymProtoMessage *node)
{
  const SymProtoEntry *entry = sym_proto_find (node, ONNX_NODE_ATTRIBUTE);
  const char *domain = sym_onnx_normalize_domain (sym_proto_get_text (node, ONNX_NODE_DOMAIN));
  const char *type = sym_proto_get_text (node, ONNX_NODE_OP_TYPE);

  if (g_strcmp0 (type, "Constant") != 0 || *domain != '\0' ||
      sym_proto_count (node, ONNX_NODE_ATTRIBUTE) != 1 ||
      sym_proto_count (node, ONNX_NODE_INPUT) != 0 ||
      sym_proto_count (node, ONNX_NODE_OUTPUT) != 1 ||
      sym_onnx_find_function (self->reader, node) != NULL)
    return NULL;
  return sym_onnx_resolve_attribute (self->context, entry->message);
}

/* The type of a dense tensor, known without its numbers. */
static gboolean
get_constant_type (const SymProtoMessage *attribute, const SymTensor *tensor, SymType *type)
{
  const SymProtoMessage *message = sym_proto_get_message (attribute, ONNX_ATTRIBUTE_T);

  if (tensor != NULL)
    *type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  else if (message != NULL && sym_onnx_get_attribute_kind (attribute) == ONNX_TENSOR)
    *type = sym_onnx_read_tensor_type (message);
  else
    return FALSE;
  return TRUE;
}

static void
complain_of_constant (SymOnnxGraph *self, const SymOnnxNode *node, const GError *error)
{
  sym_problems_add (self->problems, SYM_SEVERITY_ERROR, node->message->line, node->constant,
                    SYM_NO_ID, "the tensor '%s' cannot be read: %s",
                    sym_proto_get_text (node->message, ONNX_NODE_OUTPUT), error->message);
  sym_model_builder_set_lack (self->builder, node->constant, error->message);
}

/* A Constant is no layer to look at: its result is a constant of the model, and its node the place
 * that this came from.  One that is an output of the graph stays a layer, and so does one without
 * a dense tensor. */
gboolean
sym_onnx_graph_add_constant (SymOnnxGraph *self, SymOnnxNode *node)
{
  const SymProtoMessage *attribute = get_constant_attribute (self, node->message);
  const char *name = sym_proto_get_text (node->message, ONNX_NODE_OUTPUT);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor;
  SymOnnxPlace *place;
  SymType type;

  if (attribute == NULL || name == NULL || *name == '\0' ||
      g_hash_table_contains (self->outputs, name))
    return FALSE;
  tensor = sym_onnx_read_constant (self->reader->file, attribute, &error);
  if (!get_constant_type (attribute, tensor, &type))
    return FALSE;

  node->constant = sym_model_builder_add_value (self->builder, name, SYM_ROLE_CONSTANT, &type);
  place = sym_onnx_graph_get_place (self, node->constant);
  place->node = node->message;
  place->tensor = tensor;
  if (tensor != NULL)
    sym_model_builder_set_tensor (self->builder, node->constant, tensor);
  else
    complain_of_constant (self, node, error);
  sym_model_builder_set_value_line (self->builder, node->constant, node->message->line);
  sym_onnx_graph_describe (self, node->constant, "doc_string",
                           sym_proto_get_text (node->message, ONNX_NODE_DOC_STRING));
  sym_onnx_graph_define (self, name, node->constant);
  return TRUE;
}

void
sym_onnx_graph_declare_constant (SymOnnxGraph *self, const SymOnnxNode *node)
{
  const char *name = sym_proto_get_text (node->message, ONNX_NODE_OUTPUT);
  gboolean is_output = name != NULL && g_hash_table_contains (self->outputs, name);
  const SymProtoMessage *attribute =
      is_output ? get_constant_attribute (self, node->message) : NULL;
  g_autoptr (SymTensor) tensor = NULL;
  SymType type;

  if (attribute == NULL)
    return;
  tensor = sym_onnx_read_constant (self->reader->file, attribute, NULL);
  if (tensor == NULL && get_constant_type (attribute, NULL, &type))
    sym_model_builder_set_type (self->builder,
                                sym_model_builder_get_result (self->builder, node->call, 0), &type);
}

/* ---- Declared types ---- */

static SymId
find_value (SymOnnxGraph *self, const char *name)
{
  gpointer id = name == NULL ? NULL : g_hash_table_lookup (self->current, name);

  return id == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (id) - 1;
}

/* torch.onnx calls a size that it does not know by the value that has it, "Resize93_dim_2", and
 * writes the same name for sizes of other values, be they the same or not: of these it tells
 * nothing. */
static gboolean
is_name_of_other (const char *dim, const char *value)
{
  const char *end = g_strrstr (dim, "_dim_");
  gsize n = strlen (value);

  if (end == NULL || !g_ascii_isupper (*dim) || end[5] == '\0' ||
      strspn (end + 5, "0123456789") != strlen (end + 5))
    return FALSE;
  return (gsize) (end - dim) < n || strncmp (end - n, value, n) != 0;
}

static void
forget_names_of_others (SymOnnxGraph *self, SymType *type, const char *value)
{
  const SymTerms *terms = sym_model_builder_get_terms (self->builder);

  for (int i = 0; i < type->shape.rank; i++)
    {
      g_autofree char *name = type->shape.dims[i] == SYM_DIM_UNKNOWN || type->shape.dims[i] >= 0
                                  ? NULL
                                  : sym_terms_format (terms, type->shape.dims[i]);

      if (name != NULL && is_name_of_other (name, value))
        type->shape.dims[i] = SYM_DIM_UNKNOWN;
    }
}

/* A type that is told once more has to be the same. */
static void
compare_type (SymOnnxGraph *self, SymId value, const SymType *type, const SymProtoMessage *info)
{
  const SymType *known = sym_model_builder_get_type (self->builder, value);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  if (known == NULL || sym_told_agree (type, known))
    return;
  first = sym_told_format (type);
  second = sym_told_format (known);
  sym_problems_add (self->problems, SYM_SEVERITY_WARNING, info->line, value, SYM_NO_ID,
                    "“%s” is declared as %s, but is %s", sym_proto_get_text (info, ONNX_VALUE_NAME),
                    first, second);
}

/* What an initializer is, its tensor tells, and what an input is, its own declaration. */
static void
declare (SymOnnxGraph *self, SymId value, const SymProtoMessage *info)
{
  const SymOnnxPlace *place = sym_onnx_graph_get_place (self, value);
  SymType type = read_declared_type (self, info);

  compare_type (self, value, &type, info);
  if (place->initializer != NULL || place->input != NULL || place->tensor != NULL)
    return;
  forget_names_of_others (self, &type, sym_proto_get_text (info, ONNX_VALUE_NAME));
  if (type.kind != SYM_KIND_UNKNOWN)
    sym_model_builder_set_type (self->builder, value, &type);
  note_maps (self, value, info);
}

static void
declare_inner (SymOnnxGraph *self, guint field)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, field, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_VALUE_NAME);
      SymId value = find_value (self, name);

      if (value == SYM_NO_ID)
        continue;
      sym_onnx_graph_get_place (self, value)->value_info = entry->message;
      declare (self, value, entry->message);
      sym_onnx_graph_describe (self, value, "doc_string",
                               sym_proto_get_text (entry->message, ONNX_VALUE_DOC_STRING));
    }
}

/* Weights that are listed among the inputs, too. */
static void
place_inputs (SymOnnxGraph *self)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, ONNX_GRAPH_INPUT, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_VALUE_NAME);
      gpointer id = name == NULL ? NULL : g_hash_table_lookup (self->first, name);
      SymId value = GPOINTER_TO_UINT (id) - 1;
      SymOnnxPlace *place = id == NULL ? NULL : sym_onnx_graph_get_place (self, value);

      if (place == NULL)
        continue;
      place->input = entry->message;
      if (place->initializer != NULL)
        declare (self, value, entry->message);
    }
}

static void
declare_outputs (SymOnnxGraph *self)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, ONNX_GRAPH_OUTPUT, &at)) != NULL;)
    {
      SymId value = find_value (self, sym_proto_get_text (entry->message, ONNX_VALUE_NAME));

      if (value == SYM_NO_ID)
        continue;
      sym_onnx_graph_get_place (self, value)->output = entry->message;
      declare (self, value, entry->message);
      sym_onnx_graph_describe (self, value, "doc_string",
                               sym_proto_get_text (entry->message, ONNX_VALUE_DOC_STRING));
    }
}

void
sym_onnx_graph_declare_values (SymOnnxGraph *self)
{
  if (self->graph->type == &sym_onnx_function_type)
    {
      declare_inner (self, ONNX_FUNCTION_VALUE_INFO);
      return;
    }
  place_inputs (self);
  declare_inner (self, ONNX_GRAPH_VALUE_INFO);
  declare_outputs (self);
}

/* ---- Roles of weights ---- */

void
sym_onnx_graph_assign_weights (SymOnnxGraph *self)
{
  GHashTableIter iter;
  gpointer key, tensor;

  g_hash_table_iter_init (&iter, self->weights);
  while (g_hash_table_iter_next (&iter, &key, &tensor))
    {
      SymId value = GPOINTER_TO_UINT (key);
      SymRole role = sym_model_builder_get_role (self->builder, value);

      if (role == SYM_ROLE_CONSTANT)
        {
          if (tensor != NULL)
            sym_model_builder_set_tensor (self->builder, value, tensor);
          continue;
        }
      sym_model_builder_set_parameter (self->builder, value,
                                       sym_parameter_new (role == SYM_ROLE_PARAMETER, tensor));
      if (tensor != NULL)
        sym_tensor_unref (tensor);
    }
  g_hash_table_remove_all (self->weights);
}
