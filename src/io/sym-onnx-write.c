/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

#include "ops/sym-op.h"
#include "store/sym-store.h"

/* What models of other formats are written as, if that does. */
#define WRITTEN_IR 8
#define WRITTEN_OPSET 17
#define NEWEST_OPSET 28
#define NEWEST_OTHER 5 /* of ai.onnx.ml; com.microsoft has but one */

/* ---- What is left of the file ---- */

static void
add_used_node (GHashTable *used, const SymOnnxPlace *place)
{
  if (place != NULL && place->node != NULL)
    g_hash_table_add (used, (gpointer) place->node);
}

/* The NodeProtos that the model still has. */
static GHashTable *
list_used_nodes (const SymOnnxFile *file, const SymModel *model)
{
  GHashTable *used = g_hash_table_new (NULL, NULL);

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      add_used_node (used,
                     sym_onnx_file_find_place (file, sym_model_get_call_attributes (model, call)));
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value))
      add_used_node (
          used, sym_onnx_file_find_place (file, sym_model_get_value_attributes (model, value)));
  return used;
}

static gboolean
is_cut (const SymOnnxOrigin *origin, const SymModel *model)
{
  g_autoptr (GHashTable) used = list_used_nodes (origin->file, model);
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (origin->graph, ONNX_GRAPH_NODE, &at)) != NULL;)
    if (!g_hash_table_contains (used, entry->message))
      return TRUE;
  return FALSE;
}

/* ---- Functions ---- */

static char *
make_key (const SymProtoMessage *message, guint domain, guint name, guint overload)
{
  const char *name_text = sym_proto_get_text (message, name);
  const char *overload_text = sym_proto_get_text (message, overload);

  return g_strdup_printf (
      "%s\n%s\n%s", sym_onnx_normalize_domain (sym_proto_get_text (message, domain)),
      name_text == NULL ? "" : name_text, overload_text == NULL ? "" : overload_text);
}

/* Everything below @root that may call a function, functions included, as they are met. */
static GHashTable *
list_called (const SymProtoMessage *root, GHashTable *functions)
{
  GHashTable *called = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, (gpointer) root);
  while (open->len > 0)
    {
      const SymProtoMessage *message = g_ptr_array_steal_index_fast (open, open->len - 1);

      for (guint i = 0; i < message->n; i++)
        if (message->entries[i].held == SYM_PROTO_CHILD)
          g_ptr_array_add (open, message->entries[i].message);
      if (message->type == &sym_onnx_node_type)
        {
          g_autofree char *key =
              make_key (message, ONNX_NODE_DOMAIN, ONNX_NODE_OP_TYPE, ONNX_NODE_OVERLOAD);
          SymProtoMessage *function = g_hash_table_lookup (functions, key);

          if (function != NULL && g_hash_table_add (called, function))
            g_ptr_array_add (open, function);
        }
    }
  return called;
}

/* A part of a model keeps the functions that it calls. */
static void
drop_functions (SymProtoMessage *model, const SymProtoMessage *graph)
{
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  g_autoptr (GHashTable) called = NULL;
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (model, ONNX_MODEL_FUNCTIONS, &at)) != NULL;)
    g_hash_table_insert (
        functions,
        make_key (entry->message, ONNX_FUNCTION_DOMAIN, ONNX_FUNCTION_NAME, ONNX_FUNCTION_OVERLOAD),
        entry->message);
  if (g_hash_table_size (functions) == 0)
    return;
  called = list_called (graph, functions);
  for (guint at = 0; (entry = sym_proto_next (model, ONNX_MODEL_FUNCTIONS, &at)) != NULL;)
    if (g_hash_table_contains (called, entry->message))
      g_array_append_val (kept, *entry);
  sym_proto_replace (model, ONNX_MODEL_FUNCTIONS, kept);
}

/* ---- The model ---- */

static const SymOperator *
get_operator (const SymModel *model, SymId call)
{
  return sym_model_has_call (model, call)
             ? sym_layer_get_operator (sym_model_get_layer (model, call))
             : NULL;
}

static gboolean
has_operators (const SymModel *model, const char *domain, int opset)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      const SymOperator *op = get_operator (model, call);

      if (op != NULL && strcmp (op->domain, domain) == 0 &&
          sym_op_find (domain, op->name, opset) != op)
        return FALSE;
    }
  return TRUE;
}

static int
choose_opset (const SymModel *model)
{
  for (int opset = WRITTEN_OPSET; opset <= NEWEST_OPSET; opset++)
    if (has_operators (model, "", opset))
      return opset;
  for (int opset = WRITTEN_OPSET - 1; opset > 0; opset--)
    if (has_operators (model, "", opset))
      return opset;
  return 0;
}

/* The IR that came with an operator set. */
static int
choose_ir (int opset)
{
  static const int first_opsets[] = { 19, 21, 23, 24, 25 }; /* of IR 9, 10, ... */
  int ir = WRITTEN_IR;

  for (guint i = 0; i < G_N_ELEMENTS (first_opsets) && opset >= first_opsets[i]; i++)
    ir++;
  return ir;
}

/* The first version of another @domain in which its operators are those of the model; 0 for a model
 * without any. */
static int
choose_version (const SymModel *model, const char *domain)
{
  gboolean is_used = FALSE;

  for (SymId call = 0; call < sym_model_get_n_calls (model) && !is_used; call++)
    {
      const SymOperator *op = get_operator (model, call);

      is_used = op != NULL && strcmp (op->domain, domain) == 0;
    }
  for (int version = 1; is_used && version < NEWEST_OTHER; version++)
    if (has_operators (model, domain, version))
      return version;
  return is_used ? NEWEST_OTHER : 0;
}

static void
import (SymOnnxWriter *writer, SymProtoMessage *model, const char *domain, int version)
{
  SymProtoMessage *opset = sym_proto_add (writer->document, &sym_onnx_opset_type);

  sym_proto_append_string (opset, ONNX_OPSET_DOMAIN, domain);
  sym_proto_append_int (opset, ONNX_OPSET_VERSION, version);
  sym_proto_append_message (model, ONNX_MODEL_OPSET_IMPORT, opset);
}

static SymProtoMessage *
start_model (SymOnnxWriter *writer, const SymModel *model)
{
  static const char *const others[] = { "ai.onnx.ml", "com.microsoft" };
  SymProtoMessage *message;
  int version;

  if (writer->file != NULL)
    return sym_proto_copy (writer->document, writer->file->model);
  message = sym_proto_add (writer->document, &sym_onnx_model_type);
  version = choose_opset (model);
  if (version == 0)
    version = NEWEST_OPSET;
  writer->ir_version = choose_ir (version);
  sym_proto_append_int (message, ONNX_MODEL_IR_VERSION, writer->ir_version);
  sym_proto_append_string (message, ONNX_MODEL_PRODUCER_NAME, "symscope");
  import (writer, message, "", version);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      version = choose_version (model, others[i]);
      if (version > 0)
        import (writer, message, others[i], version);
    }
  return message;
}

static void
drop_training (SymOnnxWriter *writer, SymProtoMessage *model)
{
  if (sym_proto_count (model, ONNX_MODEL_TRAINING_INFO) == 0)
    return;
  sym_proto_remove (model, ONNX_MODEL_TRAINING_INFO);
  if (writer->notes != NULL)
    sym_problems_add (writer->notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "how the model is trained is left out of a part of it");
}

static const SymProtoMessage *
make_model (SymModel *model,
            const SymInference *inference,
            SymProblems *notes,
            SymProto **document,
            GError **error)
{
  const SymOnnxOrigin *origin = sym_onnx_get_origin (model);
  g_autoptr (SymProto) made = sym_proto_new (NULL);
  SymOnnxWriter writer = {
    .document = made, .inference = inference, .notes = notes, .ir_version = WRITTEN_IR
  };
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  SymProtoEntry entry = { .number = ONNX_MODEL_GRAPH, .held = SYM_PROTO_CHILD, .wire = 2 };
  const SymProtoMessage *graph;
  SymProtoMessage *message;

  if (origin != NULL)
    {
      writer.file = origin->file;
      writer.ir_version =
          sym_proto_get_int (origin->file->model, ONNX_MODEL_IR_VERSION, WRITTEN_IR);
      writer.is_cut = is_cut (origin, model);
    }
  message = start_model (&writer, model);
  graph = sym_onnx_make_graph (&writer, model, TRUE, G_MAXUINT, NULL, error);
  if (graph == NULL)
    return NULL;
  entry.message = (SymProtoMessage *) graph;
  g_array_append_val (entries, entry);
  sym_proto_replace (message, ONNX_MODEL_GRAPH, entries);
  if (writer.is_cut)
    {
      drop_functions (message, graph);
      drop_training (&writer, message);
    }
  *document = g_steal_pointer (&made);
  return message;
}

const SymProtoMessage *
sym_onnx_make_model (SymModel *model,
                     const SymInference *inference,
                     SymProblems *notes,
                     SymProto **document,
                     GError **error)
{
  g_autoptr (SymModel) lowered = NULL;
  g_autoptr (SymInference) own = NULL;

  if (!sym_onnx_needs_lowering (model))
    return make_model (model, inference, notes, document, error);
  lowered =
      sym_onnx_lower (model, inference, SYM_ONNX_LOWER_OPEN | SYM_ONNX_LOWER_OLDER, notes, error);
  if (lowered != NULL && choose_opset (lowered) == 0) /* some cannot be said so: then none is */
    {
      sym_model_unref (lowered);
      lowered = sym_onnx_lower (model, inference, SYM_ONNX_LOWER_OPEN, NULL, error);
    }
  own = lowered == NULL ? NULL : sym_infer (lowered, NULL, 0, NULL, error);
  return own == NULL ? NULL : make_model (lowered, own, notes, document, error);
}

/* ---- The file ---- */

static gboolean
write_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (out, bytes, size, error);
}

static gboolean
save (const SymProtoMessage *message, const char *path, GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;

  writer = sym_store_writer_new (path, error);
  return writer != NULL && sym_proto_write (message, write_bytes, writer, error) &&
         sym_store_writer_commit (writer, error);
}

gboolean
sym_onnx_write (SymModel *model,
                const SymInference *inference,
                const char *path,
                SymProblems *notes,
                GError **error)
{
  const SymOnnxOrigin *origin = sym_onnx_get_origin (model);
  g_autoptr (SymProto) document = NULL;
  const SymProtoMessage *message = sym_onnx_make_model (model, inference, notes, &document, error);
  GError *cause = NULL;

  if (message == NULL)
    return FALSE;
  message = sym_onnx_move_external (document, origin == NULL ? NULL : origin->file, message, path,
                                    notes, error);
  if (message == NULL)
    return FALSE;
  if (save (message, path, &cause))
    return TRUE;
  sym_io_take_file_error (error, path, cause);
  return FALSE;
}
