/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

/* ---- The file ---- */

static void
free_place (gpointer data)
{
  SymOnnxPlace *self = data;

  g_clear_pointer (&self->attributes, sym_attributes_unref);
  g_free (self->read);
  g_free (self);
}

SymOnnxFile *
sym_onnx_file_new (SymProto *document,
                   const SymProtoMessage *model,
                   SymOnnxForm form,
                   const char *folder)
{
  SymOnnxFile *self = g_new0 (SymOnnxFile, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->document = sym_proto_ref (document);
  self->model = model;
  self->form = form;
  self->folder = g_strdup (folder);
  self->external = sym_store_open_external (folder);
  self->places =
      g_hash_table_new_full (NULL, NULL, (GDestroyNotify) sym_attributes_unref, free_place);
  return self;
}

SymOnnxFile *
sym_onnx_file_ref (SymOnnxFile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_onnx_file_unref (SymOnnxFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->places);
  sym_store_external_free (self->external);
  sym_proto_unref (self->document);
  g_free (self->folder);
  g_free (self);
}

SymOnnxPlace *
sym_onnx_file_add_place (SymOnnxFile *self, SymAttributes *attributes)
{
  SymOnnxPlace *place = g_hash_table_lookup (self->places, attributes);

  if (place != NULL)
    return place;
  place = g_new0 (SymOnnxPlace, 1);
  g_hash_table_insert (self->places, sym_attributes_ref (attributes), place);
  return place;
}

const SymOnnxPlace *
sym_onnx_file_find_place (const SymOnnxFile *self, const SymAttributes *attributes)
{
  return attributes == NULL ? NULL : g_hash_table_lookup (self->places, attributes);
}

const char *
sym_onnx_form_get_format (SymOnnxForm form)
{
  static const char *const names[] = { "onnx", "onnx-json", "onnx-json", "onnx-text",
                                       "onnx-pbtxt" };

  return names[form];
}

const SymOnnxOrigin *
sym_onnx_get_origin (const SymModel *model)
{
  const char *format = sym_model_get_format (model);

  for (guint form = 0; format != NULL && form < SYM_ONNX_N_FORMS; form++)
    if (g_str_equal (format, sym_onnx_form_get_format (form)))
      return sym_model_get_origin (model);
  return NULL;
}

/* ---- The model ---- */

static void
check_model (SymOnnxReader *reader)
{
  const SymProtoMessage *model = reader->file->model;

  if (sym_proto_get_int (model, ONNX_MODEL_IR_VERSION, 0) <= 0)
    sym_problems_add (reader->problems, SYM_SEVERITY_ERROR, 0, SYM_NO_ID, SYM_NO_ID,
                      "the model does not tell its IR version");
  if (sym_proto_count (model, ONNX_MODEL_OPSET_IMPORT) == 0)
    sym_problems_add (reader->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "the model does not tell which version of the operators it uses; the %s "
                      "are taken",
                      sym_proto_get_int (model, ONNX_MODEL_IR_VERSION, 4) <= 3 ? "first"
                                                                               : "newest");
  if (sym_proto_count (model, ONNX_MODEL_TRAINING_INFO) > 0)
    sym_problems_add (reader->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "the model says how to train it, which is kept but not shown");
}

SymModel *
sym_onnx_read_model (SymProto *document,
                     const SymProtoMessage *model,
                     SymOnnxForm form,
                     const SymIoSource *source,
                     GError **error)
{
  g_autofree char *folder = source->path == NULL ? NULL : g_path_get_dirname (source->path);
  g_autoptr (SymOnnxFile) file = sym_onnx_file_new (document, model, form, folder);
  g_autoptr (GHashTable) unfolded =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_model_unref);
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) n_calls = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) latest = sym_onnx_new_latest ();
  const SymProtoMessage *graph = sym_proto_get_message (model, ONNX_MODEL_GRAPH);
  SymOnnxReader reader = { .file = file,
                           .source = source,
                           .problems = source->problems,
                           .unfolded = unfolded,
                           .open = open,
                           .n_calls = n_calls,
                           .latest = latest };
  SymOnnxContext context = { model, NULL, FALSE };
  SymModel *read;

  if (graph == NULL)
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                           "the ONNX model has no graph: there is nothing to show");
      return NULL;
    }
  check_model (&reader);
  read = sym_onnx_build_graph (&reader, graph, source->name, &context, NULL, error);
  g_clear_pointer (&reader.functions, g_hash_table_unref);
  return read;
}
