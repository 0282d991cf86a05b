/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-json-private.h"
#include "io/sym-net-constants.h"
#include "io/sym-proto-glance.h"
#include "io/sym-proto-json.h"
#include "io/sym-proto-text.h"
#include "io/sym-tensorflow-messages.h"
#include "io/sym-tfjs-private.h"

/* TensorFlow's own files: frozen graphs (GraphDef), what lies in a SavedModel (saved_model.pb), and
 * what lies with a checkpoint (MetaGraphDef, .meta).  What they hold but large constants, which
 * stay in their file, becomes the JSON that TensorFlow.js has, and is read as such; so do
 * their text forms (.pbtxt).  None has a mark by which it is known. */

#define SCORE 90
#define MAX_LOOKED_AT 16
#define MAX_IN_META_GRAPH 256
#define MAX_SCHEMA_VERSION 1000
#define MAX_LAST_BYTES 4096
#define LAST "model_checkpoint_path:"

extern const SymIoFormat sym_tensorflow_format;

/* ---- Recognising ---- */

/* Fields that are not in the tables are passed over where they are not the first. */
static SymProtoGlance
look_within (const SymProtoGlance *around, const SymProtoGlimpse *message, const SymProtoType *type)
{
  SymProtoGlance glance = sym_proto_glance_within (around, message, type);

  glance.max_known = 1;
  return glance;
}

/* The same where the first one is passed over, too: in what may be written backwards. */
static void
allow_any_first (SymProtoGlance *glance)
{
  glance->n_fields++;
}

static gboolean
is_name (const SymProtoGlimpse *name)
{
  return name->value > 0 && name->end > name->start && sym_proto_glimpse_is_text (name) &&
         (g_ascii_isalnum (name->start[0]) || strchr ("_.>", name->start[0]) != NULL);
}

/* Whether field @number of a message is a name: that of an operator, of a function. */
static gboolean
has_name (const SymProtoGlance *around,
          const SymProtoGlimpse *message,
          const SymProtoType *type,
          guint number)
{
  SymProtoGlance glance = look_within (around, message, type);
  SymProtoGlimpse field;

  while (glance.n_fields < MAX_LOOKED_AT && sym_proto_glance_take (&glance, &field))
    if (field.field->number == number)
      return is_name (&field);
  return FALSE;
}

/* Whether an entry of a map of attributes has a key and a value, and nothing else. */
static gboolean
is_entry (const SymProtoGlance *around, const SymProtoGlimpse *entry)
{
  SymProtoGlance glance = sym_proto_glance_within (around, entry, entry->field->type);
  SymProtoGlimpse field;

  glance.max_known = 0;
  while (sym_proto_glance_take (&glance, &field))
    {
      SymProtoGlance value = look_within (around, &field, field.field->type);
      SymProtoGlimpse first;

      if (field.field->type == NULL)
        continue;
      allow_any_first (&value);
      sym_proto_glance_take (&value, &first);
      if (value.is_wrong)
        return FALSE;
    }
  return !glance.is_wrong;
}

/* Other messages begin with two names, too: nodes of ONNX, and descriptions of protocol buffers. */
static gboolean
is_node (const SymProtoGlance *around, const SymProtoGlimpse *node)
{
  const SymProtoType *type = &sym_tensorflow_node_type;
  SymProtoGlance glance = look_within (around, node, type);
  SymProtoGlimpse field;

  if (!has_name (around, node, type, TENSORFLOW_NODE_NAME) ||
      !has_name (around, node, type, TENSORFLOW_NODE_OP))
    return FALSE;
  while (glance.n_fields < MAX_LOOKED_AT && sym_proto_glance_take (&glance, &field))
    if ((field.field->kind == SYM_PROTO_STRING && !sym_proto_glimpse_is_text (&field)) ||
        (field.field->type != NULL && !is_entry (&glance, &field)))
      return FALSE;
  return !glance.is_wrong;
}

/* Whether the first @number within is a message whose first field is a name. */
static gboolean
begins_with_named (const SymProtoGlance *around,
                   const SymProtoGlimpse *message,
                   const SymProtoType *type,
                   guint number,
                   const SymProtoType *inner)
{
  SymProtoGlance glance = look_within (around, message, type);
  SymProtoGlimpse field;

  return sym_proto_glance_take (&glance, &field) && field.field->number == number &&
         has_name (&glance, &field, inner, 1);
}

static gboolean
is_library (const SymProtoGlance *around, const SymProtoGlimpse *library)
{
  SymProtoGlance glance = look_within (around, library, &sym_tensorflow_library_type);
  SymProtoGlimpse function;

  return sym_proto_glance_take (&glance, &function) &&
         begins_with_named (&glance, &function, &sym_tensorflow_function_type,
                            TENSORFLOW_FUNCTION_SIGNATURE, &sym_tensorflow_signature_type);
}

static gboolean
is_graph (SymProtoGlance *glance)
{
  SymProtoGlimpse field;
  gboolean is_sure = FALSE;

  while (glance->n_fields < MAX_LOOKED_AT && sym_proto_glance_take (glance, &field))
    {
      if ((field.field->number == TENSORFLOW_GRAPH_NODE && !is_node (glance, &field)) ||
          (field.field->number == TENSORFLOW_GRAPH_LIBRARY && field.value > 0 &&
           !is_library (glance, &field)))
        return FALSE;
      is_sure = is_sure || (field.field->type != NULL && field.value > 0);
    }
  return is_sure && !glance->is_wrong;
}

/* Its list of operators, or TensorFlow's version, makes it sure. */
static gboolean
is_meta_info (const SymProtoGlance *around, const SymProtoGlimpse *info)
{
  SymProtoGlance glance = look_within (around, info, &sym_tensorflow_meta_info_type);
  SymProtoGlimpse field;
  gboolean is_sure = FALSE;

  allow_any_first (&glance);
  while (glance.n_fields < MAX_LOOKED_AT && sym_proto_glance_take (&glance, &field))
    {
      gboolean is_list = field.field->number == TENSORFLOW_META_INFO_OPS;

      if (is_list && !begins_with_named (&glance, &field, &sym_tensorflow_op_list_type,
                                         TENSORFLOW_OP_LIST_OP, &sym_tensorflow_signature_type))
        return FALSE;
      if ((field.field->kind == SYM_PROTO_STRING && !sym_proto_glimpse_is_text (&field)) ||
          (field.field->number == TENSORFLOW_META_INFO_VERSION && !is_name (&field)))
        return FALSE;
      is_sure = is_sure || is_list || field.field->number == TENSORFLOW_META_INFO_VERSION;
    }
  return is_sure && !glance.is_wrong;
}

/* What it has besides comes behind, or in front where the file was written backwards. */
static gboolean
is_meta_graph (SymProtoGlance *glance)
{
  SymProtoGlimpse field;
  gboolean is_sure = FALSE;

  allow_any_first (glance);
  while (glance->n_fields < MAX_IN_META_GRAPH && sym_proto_glance_take (glance, &field))
    {
      SymProtoGlance graph = look_within (glance, &field, &sym_tensorflow_graph_type);

      if (field.field->number == TENSORFLOW_META_GRAPH_INFO)
        is_sure = is_meta_info (glance, &field);
      else if (field.field->number == TENSORFLOW_META_GRAPH_GRAPH && field.value > 0)
        is_sure = is_sure || is_graph (&graph);
      else
        continue;
      if (!is_sure)
        return FALSE;
    }
  return is_sure && !glance->is_wrong;
}

/* The version may be left out. */
static gboolean
is_saved_model (SymProtoGlance *glance)
{
  SymProtoGlimpse field;
  SymProtoGlance graph;

  if (!sym_proto_glance_take (glance, &field) ||
      (field.field->number == TENSORFLOW_SAVED_MODEL_VERSION &&
       (field.value > MAX_SCHEMA_VERSION || !sym_proto_glance_take (glance, &field))) ||
      field.field->number != TENSORFLOW_SAVED_MODEL_META_GRAPHS)
    return FALSE;
  graph = look_within (glance, &field, &sym_tensorflow_meta_graph_type);
  return is_meta_graph (&graph);
}

/* One of @marks, NULL-ended, is in the text. */
static gboolean
has_mark (const guint8 *start, gsize n, const char *const *marks)
{
  for (guint i = 0; marks[i] != NULL; i++)
    if (g_strstr_len ((const char *) start, (gssize) n, marks[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Of a text by its first field, and by what only TensorFlow has: graphs of other tools have nodes,
 * too.  The operators that a SavedModel lists before its nodes may be all that is looked at. */
static const SymProtoType *
find_text_type (const guint8 *start, gsize n)
{
  static const char *const nodes[] = { " op: ", NULL };
  static const char *const saved[] = { " op: ", "stripped_op_list", "meta_graphs",
                                       "tensorflow_version", NULL };
  static const struct {
    const char *first;
    const char *const *marks;
    const SymProtoType *type;
  } roots[] = {
    { "node", nodes, &sym_tensorflow_graph_type },
    { "library", nodes, &sym_tensorflow_graph_type },
    { "versions", nodes, &sym_tensorflow_graph_type },
    { "meta_info_def", saved, &sym_tensorflow_meta_graph_type },
    { "saved_model_schema_version", saved, &sym_tensorflow_saved_model_type },
  };
  g_autofree char *first = sym_proto_text_get_first (start, n);

  for (guint i = 0; first != NULL && i < G_N_ELEMENTS (roots); i++)
    if (g_str_equal (roots[i].first, first))
      return has_mark (start, n, roots[i].marks) ? roots[i].type : NULL;
  return NULL;
}

/* NULL for none. */
static const SymProtoType *
find_type (const guint8 *start, gsize n, guint64 size)
{
  static const struct {
    const SymProtoType *type;
    gboolean (*is) (SymProtoGlance *glance);
  } roots[] = {
    { &sym_tensorflow_saved_model_type, is_saved_model },
    { &sym_tensorflow_graph_type, is_graph },
    { &sym_tensorflow_meta_graph_type, is_meta_graph },
  };

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    {
      SymProtoGlance glance = sym_proto_glance (start, n, size, roots[i].type);

      glance.max_known = 1;
      if (roots[i].is (&glance))
        return roots[i].type;
    }
  return find_text_type (start, n);
}

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  return find_type (start, n, size) == NULL ? 0 : SCORE;
}

/* ---- Reading ---- */

static gboolean
append (gpointer out, const void *bytes, gsize size, GError **error)
{
  GString *text = out;

  if (size > SYM_IO_MAX_GRAPH_SIZE - text->len)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "the graph without its large constants takes more than 512 MiB");
      return FALSE;
    }
  g_string_append_len (text, bytes, (gssize) size);
  return TRUE;
}

static SymJson *
make_json (SymBlob *blob,
           const SymProtoType *type,
           gboolean is_text,
           const SymIoSource *source,
           GError **error)
{
  SymProtoMessage *root;
  g_autoptr (SymProto) document =
      is_text ? sym_proto_read_text (blob, type, &root, NULL, source->cancellable, error)
              : sym_proto_read (blob, type, &root, source->cancellable, error);
  g_autoptr (GBytes) bytes = NULL;
  GString *text;
  SymJson *json;

  if (document == NULL)
    return NULL;
  text = g_string_new (NULL);
  if (!sym_proto_write_json (root, SYM_PROTO_JSON_PLACES, append, text, NULL, error))
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  bytes = g_string_free_to_bytes (text);
  json = sym_json_parse_bounded (bytes, SYM_JSON_MAX_VALUES, source->problems, source->cancellable,
                                 error);
  if (json != NULL)
    sym_json_hide_lines (json);
  return json;
}

static gboolean
has_tag (const SymJson *json, guint meta_graph, const char *tag)
{
  guint info = sym_json_get_member (json, meta_graph, "metaInfoDef");

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, info, "tags"));
       sym_json_iter_next (json, &i);)
    if (sym_json_string_equals (json, i.value, tag))
      return TRUE;
  return FALSE;
}

/* The one to be served, else the first. */
static guint
choose_meta_graph (const SymJson *json, guint meta_graphs, const SymIoSource *source)
{
  guint n = sym_json_count (json, meta_graphs);
  guint chosen = sym_json_get_element (json, meta_graphs, 0);

  for (SymJsonIter i = sym_json_iterate (json, meta_graphs); sym_json_iter_next (json, &i);)
    if (has_tag (json, i.value, "serve") && !has_tag (json, chosen, "serve"))
      chosen = i.value;
  if (n > 1)
    sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "there are %u graphs in the file: the one with the tag “serve”, or else the "
                      "first, is shown",
                      n);
  return chosen;
}

/* "serving_default", else the first that does not only initialise; their names are told where there
 * are others. */
static guint
choose_signature (const SymJson *json, guint signatures, const SymIoSource *source)
{
  guint chosen = sym_json_get_member (json, signatures, "serving_default");
  g_autoptr (GString) others = g_string_new (NULL);

  for (SymJsonIter i = sym_json_iterate (json, signatures); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);

      if (g_str_has_prefix (name, "__saved_model_"))
        continue;
      if (chosen == SYM_JSON_NONE)
        chosen = i.value;
      if (i.value != chosen)
        g_string_append_printf (others, "%s“%s”", others->len == 0 ? "" : ", ", name);
    }
  if (others->len > 0)
    sym_problems_add (source->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "the outputs are those of one signature; there are others: %s", others->str);
  return chosen;
}

/* ---- Variables ---- */

/* "model.ckpt-5.meta" is the graph of checkpoint "model.ckpt-5". */
static char *
drop_suffix (const char *path)
{
  static const char *const suffixes[] = { ".meta", ".index", ".pb", ".pbtxt" };
  const char *numbers = g_strrstr (path, ".data-");

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return g_strndup (path, strlen (path) - strlen (suffixes[i]));
  return numbers == NULL ? g_strdup (path) : g_strndup (path, (gsize) (numbers - path));
}

/* The one that "checkpoint" beside the graph tells to be the last: model_checkpoint_path: "model-5"
 */
static char *
find_last (const SymIoSource *source)
{
  g_autoptr (SymBlob) blob = sym_net_open_file (source, "checkpoint", NULL);
  gsize n = blob == NULL ? 0 : (gsize) MIN (blob->size, MAX_LAST_BYTES);
  g_autofree char *text = g_malloc0 (n + 1);
  g_auto (GStrv) parts = NULL;

  if (n == 0 || !sym_blob_read (blob, 0, n, text, NULL) || !g_str_has_prefix (text, LAST))
    return NULL;
  parts = g_strsplit (text, "\"", 3);
  return g_strv_length (parts) < 3 ? NULL : g_path_get_basename (parts[1]);
}

static char *
find_checkpoint (const SymProtoType *type, const SymIoSource *source)
{
  g_autofree char *file = sym_net_dup_file_name (source);
  char *last;

  if (source->weights != NULL)
    return drop_suffix (source->weights);
  if (type == &sym_tensorflow_saved_model_type)
    return g_strdup ("variables/variables");
  if (file == NULL)
    return NULL;
  last = type == &sym_tensorflow_graph_type ? find_last (source) : NULL;
  return last != NULL ? last : drop_suffix (file);
}

/* The graph is shown without its numbers, unless the user chose them.  *@trouble is why. */
static gboolean
open_checkpoint (SymTfjsDocument *document,
                 const SymProtoType *type,
                 const SymIoSource *source,
                 char **trouble,
                 GError **error)
{
  g_autofree char *name = find_checkpoint (type, source);
  g_autoptr (GError) cause = NULL;
  SymTensorflowBundle *bundle =
      name == NULL ? NULL : sym_tensorflow_bundle_open (source, name, &cause);

  if (bundle != NULL)
    document->checkpoint =
        sym_tensorflow_checkpoint_new (bundle, document->json, document->graph, source);
  else if (source->weights != NULL)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be read: %s",
                 cause->message);
  else if (g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_FILE))
    *trouble = g_strdup_printf ("they are in a checkpoint, which is needed beside the graph: "
                                "'%s.index': %s",
                                name, cause->message);
  else if (cause != NULL)
    *trouble = g_strdup_printf ("checkpoint '%s' cannot be read: %s", name, cause->message);
  return bundle != NULL || source->weights == NULL;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  SymTfjsDocument document = { .manifest = SYM_JSON_NONE,
                               .outputs = SYM_JSON_NONE,
                               .blob = blob,
                               .format = sym_tensorflow_format.name };
  gsize n = (gsize) MIN (blob->size, SYM_IO_LOOK_BYTES);
  g_autofree guint8 *start = g_malloc (n + 1);
  const SymProtoType *type;
  g_autoptr (SymJson) json = NULL;
  g_autoptr (SymTensorflowCheckpoint) checkpoint = NULL;
  g_autofree char *trouble = NULL;
  guint meta_graph = 0, signature;

  if (!sym_blob_read (blob, 0, n, start, error))
    return NULL;
  type = find_type (start, n, blob->size);
  g_assert (type != NULL);
  json = make_json (blob, type, find_text_type (start, n) == type, source, error);
  if (json == NULL)
    return NULL;
  document.json = json;
  if (type == &sym_tensorflow_saved_model_type)
    meta_graph = choose_meta_graph (json, sym_json_get_member (json, 0, "metaGraphs"), source);
  if (type != &sym_tensorflow_graph_type)
    {
      document.graph = sym_json_get_member (json, meta_graph, "graphDef");
      signature =
          choose_signature (json, sym_json_get_member (json, meta_graph, "signatureDef"), source);
      document.outputs = sym_json_get_member (json, signature, "outputs");
    }
  if ((source->weights != NULL || sym_tensorflow_has_variables (json, document.graph)) &&
      !open_checkpoint (&document, type, source, &trouble, error))
    return NULL;
  document.trouble = trouble;
  checkpoint = document.checkpoint;
  return sym_tfjs_read_document (&document, source, error);
}

const SymIoFormat sym_tensorflow_format = {
  .name = "tensorflow",
  .title = "TensorFlow graph or SavedModel",
  .versions = "1 and 2 (GraphDef, MetaGraphDef, saved_model.pb, their text, checkpoints V2)",
  .limits = "strings, hash tables, sparse and complex tensors do not run; text of 512 MiB at most",
  .suffix = ".pb",
  .takes_weights = TRUE,
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
};
