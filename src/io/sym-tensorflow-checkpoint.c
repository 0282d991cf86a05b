/* SPDX-License-Identifier: MIT */
#include "io/sym-tensorflow-checkpoint.h"

#include <string.h>

#include "io/sym-tensorflow-messages.h"
#include "io/sym-tensorflow-restore.h"
#include "io/sym-tfjs-private.h"

#define OBJECTS "_CHECKPOINTABLE_OBJECT_GRAPH"

struct _SymTensorflowCheckpoint {
  SymTensorflowBundle *bundle;
  const SymJson *json;  /* borrowed */
  GHashTable *restored; /* name of a node to its SymTensorflowRestored */
  GHashTable *objects;  /* name of a variable to its key; NULL where two have that name */
};

void
sym_tensorflow_checkpoint_free (SymTensorflowCheckpoint *self)
{
  g_clear_pointer (&self->bundle, sym_tensorflow_bundle_free);
  g_hash_table_unref (self->restored);
  g_hash_table_unref (self->objects);
  g_free (self);
}

gboolean
sym_tensorflow_is_variable (const char *op)
{
  return strcmp (op, "VarHandleOp") == 0 || strcmp (op, "VariableV2") == 0 ||
         strcmp (op, "Variable") == 0;
}

gboolean
sym_tensorflow_has_variables (const SymJson *json, guint graph)
{
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, graph, "node"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *op = sym_json_dup_string (json, sym_json_get_member (json, i.value, "op"));

      if (op != NULL && sym_tensorflow_is_variable (op))
        return TRUE;
    }
  return FALSE;
}

/* ---- The checkpoint's objects ---- */

static void
add_saved (SymTensorflowCheckpoint *self, const SymProtoMessage *saved)
{
  const char *name = sym_proto_get_text (saved, TENSORFLOW_SAVED_FULL_NAME);
  const char *key = sym_proto_get_text (saved, TENSORFLOW_SAVED_KEY);
  gboolean is_other = FALSE;
  gpointer known;

  if (name == NULL || name[0] == '\0' || key == NULL)
    return;
  if (g_hash_table_lookup_extended (self->objects, name, NULL, &known))
    is_other = g_strcmp0 (known, key) != 0;
  g_hash_table_insert (self->objects, g_strdup (name), is_other ? NULL : g_strdup (key));
}

static void
add_objects (SymTensorflowCheckpoint *self, const SymProtoMessage *graph)
{
  const SymProtoEntry *object, *saved;

  for (guint i = 0; (object = sym_proto_next (graph, TENSORFLOW_OBJECT_GRAPH_NODE, &i)) != NULL;)
    for (guint j = 0;
         (saved = sym_proto_next (object->message, TENSORFLOW_OBJECT_SAVED, &j)) != NULL;)
      add_saved (self, saved->message);
}

static gboolean
read_objects (SymTensorflowCheckpoint *self, const SymIoSource *source, GError **error)
{
  g_autoptr (GBytes) bytes = sym_tensorflow_bundle_get_string (self->bundle, OBJECTS, error);
  g_autoptr (SymBlob) blob = bytes == NULL ? NULL : sym_blob_new_bytes (bytes);
  g_autoptr (SymProto) document = NULL;
  SymProtoMessage *root;

  if (blob == NULL)
    return FALSE;
  document =
      sym_proto_read (blob, &sym_tensorflow_object_graph_type, &root, source->cancellable, error);
  if (document == NULL)
    return FALSE;
  add_objects (self, root);
  return TRUE;
}

SymTensorflowCheckpoint *
sym_tensorflow_checkpoint_new (SymTensorflowBundle *take_bundle,
                               const SymJson *json,
                               guint graph,
                               const SymIoSource *source)
{
  SymTensorflowCheckpoint *self = g_new0 (SymTensorflowCheckpoint, 1);
  g_autoptr (GError) error = NULL;

  self->bundle = take_bundle;
  self->json = json;
  self->restored = sym_tensorflow_list_restored (json, graph);
  self->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (sym_tensorflow_bundle_has (take_bundle, OBJECTS) && !read_objects (self, source, &error))
    sym_problems_add (source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "the list of objects of checkpoint '%s' cannot be read: %s",
                      sym_tensorflow_bundle_get_name (take_bundle), error->message);
  return self;
}

/* ---- Variables ---- */

/* Variables of TensorFlow 2 have a name besides that of their node; NULL for none. */
static char *
dup_shared_name (const SymJson *json, guint node)
{
  guint attributes = sym_json_get_member (json, node, "attr");
  guint shared = sym_json_get_member (json, attributes, "shared_name");
  guint bytes = sym_json_get_member (json, shared, "s");
  gsize size = 0;
  g_autofree char *text = bytes == SYM_JSON_NONE ? NULL : sym_tfjs_dup_bytes (json, bytes, &size);

  return size == 0 ? NULL : g_strndup (text, size);
}

static const char *
find_key (const SymTensorflowCheckpoint *self, const char *name)
{
  const char *key = g_hash_table_lookup (self->objects, name);

  if (key != NULL)
    return key;
  return sym_tensorflow_bundle_has (self->bundle, name) ? name : NULL;
}

SymTensor *
sym_tensorflow_checkpoint_get (SymTensorflowCheckpoint *self,
                               guint node,
                               const char *name,
                               GError **error)
{
  g_autofree char *shared = dup_shared_name (self->json, node);
  const SymTensorflowRestored *restored = g_hash_table_lookup (self->restored, name);
  const char *key = restored == NULL ? NULL : restored->key;

  if (key == NULL && shared != NULL)
    key = find_key (self, shared);
  if (key == NULL)
    key = find_key (self, name);
  if (key != NULL)
    return sym_tensorflow_bundle_get (self->bundle, key, restored == NULL ? NULL : restored->part,
                                      error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it is not in checkpoint '%s'",
               sym_tensorflow_bundle_get_name (self->bundle));
  return NULL;
}
