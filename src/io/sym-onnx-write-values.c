/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

/* ---- One ValueInfoProto ---- */

static const SymProtoMessage *
get_type_message (const SymProtoMessage *info)
{
  return sym_proto_get_message (info, ONNX_VALUE_TYPE);
}

/* Whether the file has a word for what the model says of the value's type: then all that it says
 * of it stays as it is. */
static gboolean
is_type_of_file (const SymOnnxDraft *draft, const SymOnnxPlace *place, SymId value)
{
  const SymTerms *terms = sym_model_get_terms (draft->model);
  SymType type = sym_model_get_declared_type (draft->model, value);
  const SymProtoMessage *infos[3];
  gboolean any = FALSE;

  if (place == NULL)
    return FALSE;
  if (place->tensor != NULL || place->initializer != NULL || place->node != NULL)
    return TRUE;
  infos[0] = place->input;
  infos[1] = place->value_info;
  infos[2] = place->output;
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      any = any || infos[i] != NULL;
      if (infos[i] != NULL && sym_onnx_type_matches (get_type_message (infos[i]), &type, terms))
        return TRUE;
    }
  return !any && type.kind == SYM_KIND_UNKNOWN;
}

/* Whether @call, which may be SYM_NO_ID, is of the operator @name for maps.  *@key is the dtype of
 * what it maps from: strings where it has the attribute @strings. */
static gboolean
maps_labels (const SymModel *model,
             SymId call,
             const char *name,
             const char *strings,
             SymDType *key)
{
  SymLayer *layer = call == SYM_NO_ID ? NULL : sym_model_get_layer (model, call);
  const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);

  if (op == NULL || strcmp (op->domain, "ai.onnx.ml") != 0 || strcmp (op->name, name) != 0)
    return FALSE;
  *key = sym_attributes_find (sym_layer_get_attributes (layer), strings) != NULL ? SYM_DTYPE_STRING
                                                                                 : SYM_DTYPE_INT64;
  return TRUE;
}

/* The type of a tensor of numbers that ONNX knows as maps; NULL for other values. */
static SymProtoMessage *
make_map_type (SymOnnxDraft *draft, SymId value, const SymType *type)
{
  SymId producer = sym_model_get_producer (draft->model, value);
  SymIds consumers = sym_model_get_consumers (draft->model, value);
  SymId consumer = consumers.n == 0 ? SYM_NO_ID : consumers.ids[0];
  SymProto *document = draft->writer->document;
  SymDType dtype = type->dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : type->dtype, key;

  if (maps_labels (draft->model, producer, "ZipMap", "classlabels_strings", &key))
    return sym_onnx_make_map_type (document, key, dtype, TRUE);
  if (maps_labels (draft->model, consumer, "DictVectorizer", "string_vocabulary", &key))
    return sym_onnx_make_map_type (document, key, dtype, FALSE);
  return NULL;
}

/* What the model declares, else what follows. */
static SymProtoMessage *
make_type (SymOnnxDraft *draft, SymId value)
{
  SymType type = sym_model_get_declared_type (draft->model, value);
  const SymInference *inference = draft->writer->inference;
  SymProtoMessage *message = make_map_type (draft, value, &type);

  if (message != NULL)
    return message;
  if (type.kind == SYM_KIND_UNKNOWN || type.shape.rank < 0 || type.dtype == SYM_DTYPE_UNKNOWN)
    if (inference != NULL && sym_inference_get_model (inference) == draft->model)
      {
        SymType inferred = sym_inference_get_type (inference, value);

        message = sym_onnx_make_type (draft->writer->document, &inferred,
                                      sym_inference_get_terms (inference));
        if (message != NULL)
          return message;
      }
  return sym_onnx_make_type (draft->writer->document, &type, sym_model_get_terms (draft->model));
}

/* Whether a TypeProto says all that ONNX's checker asks of inputs and outputs. */
static gboolean
is_whole_type (const SymProtoMessage *type)
{
  const SymProtoMessage *tensor = sym_proto_get_message (type, ONNX_TYPE_TENSOR_TYPE);

  return type != NULL &&
         (tensor == NULL || sym_proto_get_message (tensor, ONNX_KIND_SHAPE) != NULL);
}

static void
note_unknown_type (SymOnnxDraft *draft, SymId value, const SymProtoMessage *type)
{
  if (draft->writer->notes != NULL && draft->is_main)
    sym_problems_add (draft->writer->notes, SYM_SEVERITY_WARNING, 0, value, SYM_NO_ID,
                      "the %s of “%s” is not known, though ONNX asks for it",
                      type == NULL ? "type" : "shape", draft->names[value]);
}

static void
set_field (SymProtoMessage *message, guint number, const SymProtoMessage *from, guint from_number)
{
  const SymProtoEntry *entry = sym_proto_find (from, from_number);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));

  if (entry != NULL)
    {
      SymProtoEntry copy = *entry;

      copy.number = number;
      g_array_append_val (entries, copy);
    }
  sym_proto_replace (message, number, entries);
}

static void
set_name (SymOnnxDraft *draft, SymProtoMessage *message, guint number, const char *name)
{
  SymProtoMessage *scratch = sym_proto_add (draft->writer->document, message->type);

  sym_proto_append_string (scratch, number, name);
  set_field (message, number, scratch, number);
}

/* @old, a ValueInfoProto that may serve as it is, or NULL. */
static const SymProtoMessage *
make_info (SymOnnxDraft *draft, SymId value, const SymProtoMessage *old)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);
  const char *was = sym_proto_get_text (old, ONNX_VALUE_NAME);
  gboolean is_same_type = is_type_of_file (draft, place, value) &&
                          (!draft->writer->is_cut || is_whole_type (get_type_message (old)));
  SymProtoMessage *copy, *type;

  if (old != NULL && is_same_type && g_strcmp0 (was, draft->names[value]) == 0)
    return old;
  copy = old == NULL ? sym_proto_add (draft->writer->document, &sym_onnx_value_type)
                     : sym_proto_copy (draft->writer->document, old);
  if (g_strcmp0 (was, draft->names[value]) != 0)
    set_name (draft, copy, ONNX_VALUE_NAME, draft->names[value]);
  if (old != NULL && is_same_type)
    return copy;
  type = make_type (draft, value);
  if (!is_whole_type (type))
    note_unknown_type (draft, value, type);
  if (type != NULL)
    {
      sym_proto_remove (copy, ONNX_VALUE_TYPE);
      sym_proto_append_message (copy, ONNX_VALUE_TYPE, type);
    }
  return copy;
}

static void
append_child (GArray *entries, guint number, const SymProtoMessage *message)
{
  SymProtoEntry entry = { .number = number, .held = SYM_PROTO_CHILD, .wire = 2 };

  entry.message = (SymProtoMessage *) message;
  g_array_append_val (entries, entry);
}

static const SymProtoMessage *
pick (const SymProtoMessage *first, const SymProtoMessage *second, const SymProtoMessage *third)
{
  return first != NULL ? first : second != NULL ? second : third;
}

/* ---- Weights ---- */

gboolean
sym_onnx_is_initializer (const SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place;

  if (!sym_model_has_value (draft->model, value) ||
      sym_model_get_producer (draft->model, value) != SYM_NO_ID ||
      sym_role_is_data (sym_model_get_role (draft->model, value)))
    return FALSE;
  place = sym_onnx_draft_find_place (draft, value);
  if (place != NULL && place->node != NULL)
    return FALSE;
  return (place != NULL && place->initializer != NULL) ||
         sym_model_get_tensor (draft->model, value) != NULL;
}

/* Whether its numbers are those of the file. */
static gboolean
is_tensor_of_file (const SymOnnxDraft *draft, const SymOnnxPlace *place, SymId value)
{
  return place != NULL && place->initializer != NULL &&
         sym_model_get_tensor (draft->model, value) == place->tensor;
}

static const SymProtoMessage *
rename_tensor (SymOnnxDraft *draft, const SymProtoMessage *old, const char *name)
{
  SymProtoMessage *copy;

  if (g_strcmp0 (sym_proto_get_text (old, ONNX_TENSOR_NAME), name) == 0)
    return old;
  copy = sym_proto_copy (draft->writer->document, old);
  set_name (draft, copy, ONNX_TENSOR_NAME, name);
  return copy;
}

static const SymProtoMessage *
make_initializer (SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);
  const char *name = draft->names[value];
  const SymProtoMessage *values, *renamed;
  SymProtoMessage *copy;

  if (!is_tensor_of_file (draft, place, value))
    return sym_onnx_make_tensor (draft->writer->document, name,
                                 sym_model_get_tensor (draft->model, value));
  if (place->initializer->type == &sym_onnx_tensor_type)
    return rename_tensor (draft, place->initializer, name);
  values = sym_proto_get_message (place->initializer, ONNX_SPARSE_VALUES);
  renamed = values == NULL ? NULL : rename_tensor (draft, values, name);
  if (renamed == values)
    return place->initializer;
  copy = sym_proto_copy (draft->writer->document, place->initializer);
  sym_proto_remove (copy, ONNX_SPARSE_VALUES);
  sym_proto_append_message (copy, ONNX_SPARSE_VALUES, renamed);
  return copy;
}

static void
write_initializers (SymOnnxDraft *draft, SymProtoMessage *graph)
{
  g_autoptr (GArray) dense = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  g_autoptr (GArray) sparse = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));

  for (guint i = 0; i < sym_model_get_n_entries (draft->model); i++)
    {
      SymEntry entry = sym_model_get_entry (draft->model, i);
      const SymProtoMessage *message;

      if (entry.is_call || !sym_onnx_is_initializer (draft, entry.id))
        continue;
      message = make_initializer (draft, entry.id);
      if (message->type == &sym_onnx_sparse_type)
        append_child (sparse, ONNX_GRAPH_SPARSE_INITIALIZER, message);
      else
        append_child (dense, ONNX_GRAPH_INITIALIZER, message);
    }
  sym_proto_replace (graph, ONNX_GRAPH_INITIALIZER, dense);
  sym_proto_replace (graph, ONNX_GRAPH_SPARSE_INITIALIZER, sparse);
}

/* ---- Inputs ---- */

static gboolean
is_input (const SymOnnxDraft *draft, SymId value)
{
  return g_hash_table_contains (draft->inputs, GUINT_TO_POINTER (value + 1));
}

/* A weight without numbers must be fed; so must what nothing makes. */
static gboolean
is_fed_besides (const SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  return sym_model_has_value (draft->model, value) &&
         sym_model_get_producer (draft->model, value) == SYM_NO_ID &&
         !sym_role_is_data (sym_model_get_role (draft->model, value)) &&
         !sym_onnx_is_initializer (draft, value) && (place == NULL || place->node == NULL) &&
         !is_input (draft, value);
}

/* Before IR version 4 weights are inputs as well. */
static gboolean
is_listed (const SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  if (!sym_onnx_is_initializer (draft, value))
    return FALSE;
  return (place != NULL && place->input != NULL) ||
         (draft->writer->ir_version < 4 && draft->is_main &&
          (place == NULL || place->initializer == NULL));
}

/* Whether a value that a body takes from outside is an input of it in the file all the same. */
static gboolean
is_declared_input (const SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  return place != NULL && place->input != NULL;
}

static GArray *
list_in_new_order (SymOnnxDraft *draft, guint n_formal)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymIds inputs = sym_model_get_inputs (draft->model);

  g_array_append_vals (values, inputs.ids, MIN (inputs.n, n_formal));
  for (guint i = n_formal; i < inputs.n; i++)
    if (is_declared_input (draft, inputs.ids[i]))
      g_array_append_val (values, inputs.ids[i]);
  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    if (is_listed (draft, value) || is_fed_besides (draft, value))
      g_array_append_val (values, value);
  return values;
}

static SymId
find_info (const SymOnnxDraft *draft, const SymProtoMessage *info)
{
  gpointer id = g_hash_table_lookup (draft->infos, info);

  return id == NULL ? SYM_NO_ID : GPOINTER_TO_UINT (id) - 1;
}

/* The same values in the order of the file, where that has them all and has the inputs in the
 * order of the model; NULL else. */
static GArray *
list_in_old_order (SymOnnxDraft *draft, const GArray *wanted, guint n_formal)
{
  g_autoptr (GHashTable) missing = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymIds inputs = sym_model_get_inputs (draft->model);
  const SymProtoEntry *entry;
  guint next = 0;

  for (guint i = 0; i < wanted->len; i++)
    g_hash_table_add (missing, GUINT_TO_POINTER (g_array_index (wanted, SymId, i) + 1));
  for (guint at = 0; (entry = sym_proto_next (draft->graph, ONNX_GRAPH_INPUT, &at)) != NULL;)
    {
      SymId value = find_info (draft, entry->message);

      if (value == SYM_NO_ID || !g_hash_table_remove (missing, GUINT_TO_POINTER (value + 1)))
        continue;
      g_array_append_val (values, value);
      if (next < MIN (inputs.n, n_formal) && inputs.ids[next] == value)
        next++;
    }
  if (g_hash_table_size (missing) > 0 || next < MIN (inputs.n, n_formal))
    return NULL;
  return g_steal_pointer (&values);
}

static void
write_inputs (SymOnnxDraft *draft, SymProtoMessage *graph, guint n_formal)
{
  g_autoptr (GArray) wanted = list_in_new_order (draft, n_formal);
  g_autoptr (GArray) old = list_in_old_order (draft, wanted, n_formal);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  const GArray *values = old != NULL ? old : wanted;

  for (guint i = 0; i < values->len; i++)
    {
      SymId value = g_array_index (values, SymId, i);
      const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);
      const SymProtoMessage *was =
          place == NULL ? NULL : pick (place->input, place->value_info, place->output);

      append_child (entries, ONNX_GRAPH_INPUT, make_info (draft, value, was));
    }
  sym_proto_replace (graph, ONNX_GRAPH_INPUT, entries);
}

/* ---- Outputs ---- */

/* A value may be an output twice, by two messages of one name. */
static const SymProtoMessage *
choose_output (const SymOnnxDraft *draft, const SymProtoEntry *entry, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  if (entry != NULL &&
      g_strcmp0 (sym_proto_get_text (entry->message, ONNX_VALUE_NAME), draft->names[value]) == 0)
    return entry->message;
  return place == NULL ? NULL : pick (place->output, place->value_info, place->input);
}

static void
write_outputs (SymOnnxDraft *draft, SymProtoMessage *graph)
{
  SymIds outputs = sym_model_get_outputs (draft->model);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  guint at = 0;

  for (guint i = 0; i < outputs.n; i++)
    {
      const SymProtoEntry *entry = sym_proto_next (draft->graph, ONNX_GRAPH_OUTPUT, &at);
      const SymProtoMessage *was = choose_output (draft, entry, outputs.ids[i]);

      append_child (entries, ONNX_GRAPH_OUTPUT, make_info (draft, outputs.ids[i], was));
    }
  sym_proto_replace (graph, ONNX_GRAPH_OUTPUT, entries);
}

/* ---- Inner values ---- */

/* Of a graph that has lost nodes, what is told of values that are gone, or are inputs or outputs
 * now, is not told any more. */
static gboolean
is_info_kept (SymOnnxDraft *draft, const SymProtoMessage *info, SymId value)
{
  const SymOnnxPlace *place;

  if (!draft->writer->is_cut)
    return TRUE;
  if (value == SYM_NO_ID)
    return FALSE;
  place = sym_onnx_draft_find_place (draft, value);
  return (place->input != NULL || !is_input (draft, value)) &&
         (place->output != NULL || !sym_model_is_output (draft->model, value));
}

static gboolean
is_told_anew (SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  return sym_model_has_value (draft->model, value) && *draft->names[value] != '\0' &&
         sym_model_get_producer (draft->model, value) != SYM_NO_ID &&
         !sym_model_is_output (draft->model, value) &&
         (place == NULL || (place->value_info == NULL && place->output == NULL)) &&
         sym_model_get_declared_type (draft->model, value).kind == SYM_KIND_TENSOR &&
         sym_model_get_declared_type (draft->model, value).dtype != SYM_DTYPE_UNKNOWN;
}

static void
write_infos (SymOnnxDraft *draft, SymProtoMessage *graph)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (draft->graph, ONNX_GRAPH_VALUE_INFO, &at)) != NULL;)
    {
      SymId value = find_info (draft, entry->message);

      if (is_info_kept (draft, entry->message, value))
        append_child (entries, ONNX_GRAPH_VALUE_INFO,
                      value == SYM_NO_ID ? entry->message
                                         : make_info (draft, value, entry->message));
    }
  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    if (is_told_anew (draft, value))
      append_child (entries, ONNX_GRAPH_VALUE_INFO, make_info (draft, value, NULL));
  sym_proto_replace (graph, ONNX_GRAPH_VALUE_INFO, entries);
}

static void
write_annotations (SymOnnxDraft *draft, SymProtoMessage *graph)
{
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (GArray) entries = NULL;
  const SymProtoEntry *entry;

  if (!draft->writer->is_cut || draft->graph == NULL)
    return;
  names = g_hash_table_new (g_str_hash, g_str_equal);
  entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    g_hash_table_add (names, (gpointer) draft->names[value]);
  for (guint at = 0;
       (entry = sym_proto_next (draft->graph, ONNX_GRAPH_QUANTIZATION_ANNOTATION, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_ANNOTATION_TENSOR_NAME);

      if (name != NULL && g_hash_table_contains (names, name))
        g_array_append_val (entries, *entry);
    }
  sym_proto_replace (graph, ONNX_GRAPH_QUANTIZATION_ANNOTATION, entries);
}

void
sym_onnx_write_values (SymOnnxDraft *draft, SymProtoMessage *graph, guint n_formal)
{
  write_initializers (draft, graph);
  write_inputs (draft, graph, n_formal);
  write_outputs (draft, graph);
  write_infos (draft, graph);
  write_annotations (draft, graph);
}
