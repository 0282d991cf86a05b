/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include "core/sym-problem-lack.h"

#include <string.h>

/* ---- The tables of the document ---- */

static gboolean
check_version (const SymJson *json, GError **error)
{
  guint token = sym_json_get_member (json, 0, "version");
  gint64 version;

  if (!sym_json_get_int (json, token, &version) || version < 1)
    return sym_json_fail (json, token == SYM_JSON_NONE ? 0 : token, error,
                          "'version' must be a whole number from 1");
  if (version <= SYM_SYMSCOPE_VERSION)
    return TRUE;

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "line %u: this is version %" G_GINT64_FORMAT
               " of the format; versions up to %d can be read",
               sym_json_get_line (json, token), version, SYM_SYMSCOPE_VERSION);
  return FALSE;
}

static void
list_layers (SymSymscopeReader *self, guint table)
{
  for (SymJsonIter i = sym_json_iterate (self->json, table); sym_json_iter_next (self->json, &i);)
    {
      char *key = sym_json_dup_string (self->json, i.key);
      SymSymscopeLayer *layer = g_new0 (SymSymscopeLayer, 1);

      if (g_hash_table_contains (self->layers, key))
        sym_problems_add (self->problems, SYM_SEVERITY_ERROR, sym_json_get_line (self->json, i.key),
                          SYM_NO_ID, SYM_NO_ID, "two layers have the key '%s'; the last one counts",
                          key);
      layer->token = i.value;
      g_hash_table_replace (self->layers, key, layer);
    }
}

static void
list_bodies (SymSymscopeReader *self, guint table)
{
  for (SymJsonIter i = sym_json_iterate (self->json, table); sym_json_iter_next (self->json, &i);)
    {
      char *key = sym_json_dup_string (self->json, i.key);
      SymSymscopeBody *body = g_new0 (SymSymscopeBody, 1);

      if (g_hash_table_contains (self->bodies, key))
        sym_problems_add (self->problems, SYM_SEVERITY_ERROR, sym_json_get_line (self->json, i.key),
                          SYM_NO_ID, SYM_NO_ID, "two models have the key '%s'; the last one counts",
                          key);
      body->key = key;
      body->token = i.value;
      g_hash_table_replace (self->bodies, key, body);
    }
}

static gboolean
list_tables (SymSymscopeReader *self, GError **error)
{
  guint layers = sym_json_get_member (self->json, 0, "layers");
  guint models = sym_json_get_member (self->json, 0, "models");

  if ((layers != SYM_JSON_NONE &&
       !sym_json_expect (self->json, layers, SYM_JSON_OBJECT, "layers", error)) ||
      !sym_json_expect (self->json, models, SYM_JSON_OBJECT, "models", error))
    return FALSE;
  list_layers (self, layers);
  list_bodies (self, models);
  if (!g_hash_table_contains (self->bodies, SYM_SYMSCOPE_MAIN))
    return sym_json_fail (self->json, models, error, "'models' must have a model \"%s\"",
                          SYM_SYMSCOPE_MAIN);
  return TRUE;
}

/* ---- Weights ---- */

/* A plain name, so that a graph cannot point at files elsewhere. */
static gboolean
is_file_name (const char *name)
{
  return *name != '\0' && strchr (name, '/') == NULL && !g_str_equal (name, ".") &&
         !g_str_equal (name, "..");
}

static gboolean
open_weights (SymSymscopeReader *self, GError **error)
{
  guint token = sym_json_get_member (self->json, 0, "weights");
  g_autofree char *name = sym_json_dup_string (self->json, token);
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) cause = NULL;

  if (token == SYM_JSON_NONE)
    return TRUE;
  if (name == NULL || !is_file_name (name))
    return sym_json_fail (self->json, token, error,
                          "'weights' must be the name of a file beside this one");
  if (self->source->path != NULL)
    {
      folder = g_path_get_dirname (self->source->path);
      path = g_build_filename (folder, name, NULL);
      self->weights = sym_store_open_safetensors (path, &cause);
    }
  if (self->weights != NULL)
    return TRUE;

  self->lacks_weights = TRUE;
  sym_problems_add_lack (self->problems, cause != NULL ? SYM_SEVERITY_ERROR : SYM_SEVERITY_WARNING,
                         sym_json_get_line (self->json, token), "the weights cannot be read: %s",
                         cause != NULL ? cause->message
                                       : "this graph has no folder to find them in");
  return TRUE;
}

/* ---- Models within models ---- */

typedef struct {
  SymSymscopeBody *body;
  GPtrArray *inner; /* bodies of its layers, one entry per call */
  guint next;
} Frame;

static void
clear_frame (gpointer data)
{
  g_clear_pointer (&((Frame *) data)->inner, g_ptr_array_unref);
}

/* The bodies of the layer that a node applies.  What is wrong with them is told when it is read. */
static void
list_node_bodies (SymSymscopeReader *self, guint node, GPtrArray *inner)
{
  g_autofree char *key =
      sym_json_dup_string (self->json, sym_json_get_member (self->json, node, "layer"));
  SymSymscopeLayer *layer = key == NULL ? NULL : g_hash_table_lookup (self->layers, key);
  guint bodies =
      layer == NULL ? SYM_JSON_NONE : sym_json_get_member (self->json, layer->token, "bodies");

  for (SymJsonIter i = sym_json_iterate (self->json, bodies); sym_json_iter_next (self->json, &i);)
    {
      g_autofree char *model =
          sym_json_dup_string (self->json, sym_json_get_member (self->json, i.value, "model"));
      SymSymscopeBody *body = model == NULL ? NULL : g_hash_table_lookup (self->bodies, model);

      if (body != NULL)
        g_ptr_array_add (inner, body);
    }
}

static void
open_body (SymSymscopeReader *self, GArray *stack, SymSymscopeBody *body)
{
  guint nodes = sym_json_get_member (self->json, body->token, "nodes");
  Frame frame = { body, g_ptr_array_new (), 0 };

  body->is_open = TRUE;
  if (g_hash_table_size (self->bodies) == 1)
    nodes = SYM_JSON_NONE; /* no other model, so nothing to look for */
  for (SymJsonIter i = sym_json_iterate (self->json, nodes); sym_json_iter_next (self->json, &i);)
    list_node_bodies (self, i.value, frame.inner);
  g_array_append_val (stack, frame);
}

/* Depth and work of a model whose inner models are all read: both are bounded, for they may double
 * with every few bytes of the file. */
static gboolean
measure_body (SymSymscopeReader *self, const Frame *frame, GError **error)
{
  SymSymscopeBody *body = frame->body;

  body->n_calls = sym_model_get_n_calls (body->model);
  for (guint i = 0; i < frame->inner->len; i++)
    {
      const SymSymscopeBody *inner = g_ptr_array_index (frame->inner, i);

      body->depth = MAX (body->depth, inner->depth + 1);
      body->n_calls = MIN (body->n_calls + inner->n_calls, SYM_SYMSCOPE_MAX_CALLS + 1);
    }
  if (body->depth <= SYM_SYMSCOPE_MAX_BODY_DEPTH && body->n_calls <= SYM_SYMSCOPE_MAX_CALLS)
    return TRUE;

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
               "line %u: the models within '%s' are more than %d deep, or make more than %d calls",
               sym_json_get_line (self->json, body->token), body->key, SYM_SYMSCOPE_MAX_BODY_DEPTH,
               SYM_SYMSCOPE_MAX_CALLS);
  return FALSE;
}

static gboolean
close_body (SymSymscopeReader *self, GArray *stack, GError **error)
{
  Frame *frame = &g_array_index (stack, Frame, stack->len - 1);

  if (g_cancellable_set_error_if_cancelled (self->source->cancellable, error))
    return FALSE;
  frame->body->model = sym_symscope_read_model (self, frame->body, error);
  if (frame->body->model == NULL || !measure_body (self, frame, error))
    return FALSE;
  g_array_set_size (stack, stack->len - 1);
  return TRUE;
}

/* Reads the main model, after the models within it, those within these, and so on. */
static gboolean
read_bodies (SymSymscopeReader *self, GError **error)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));

  g_array_set_clear_func (stack, clear_frame);
  open_body (self, stack, g_hash_table_lookup (self->bodies, SYM_SYMSCOPE_MAIN));
  while (stack->len > 0)
    {
      Frame *frame = &g_array_index (stack, Frame, stack->len - 1);
      SymSymscopeBody *inner;

      if (frame->next == frame->inner->len)
        {
          if (!close_body (self, stack, error))
            return FALSE;
          continue;
        }
      inner = g_ptr_array_index (frame->inner, frame->next++);
      if (inner->model != NULL)
        continue;
      if (inner->is_open)
        return sym_json_fail (self->json, inner->token, error, "the model '%s' contains itself",
                              inner->key);
      open_body (self, stack, inner);
    }
  return TRUE;
}

/* ---- The document ---- */

static void
free_body (gpointer data)
{
  SymSymscopeBody *body = data;

  g_clear_pointer (&body->model, sym_model_unref);
  g_free (body);
}

static void
free_layer (gpointer data)
{
  SymSymscopeLayer *layer = data;

  g_clear_pointer (&layer->layer, sym_layer_unref);
  g_free (layer);
}

static void
free_unknown (gpointer data)
{
  SymSymscopeUnknown *unknown = data;

  g_free (unknown->domain);
  g_free (unknown->name);
  g_free (unknown);
}

static void
clear_reader (SymSymscopeReader *self)
{
  g_clear_pointer (&self->weights, sym_store_tensors_unref);
  g_hash_table_unref (self->bodies);
  g_hash_table_unref (self->layers);
  g_hash_table_unref (self->without);
  g_hash_table_unref (self->parameters);
  g_ptr_array_unref (self->unknown);
  g_free (self->first_missing);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymSymscopeReader, clear_reader)

SymModel *
sym_symscope_read (SymJson *json, const SymIoSource *source, GError **error)
{
  g_auto (SymSymscopeReader) reader = {
    .json = json,
    .source = source,
    .problems = source->problems,
    .bodies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_body),
    .layers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_layer),
    .without = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) sym_parameter_unref, NULL),
    .parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) sym_parameter_unref),
    .unknown = g_ptr_array_new_with_free_func (free_unknown),
  };
  SymSymscopeBody *main_body;

  if (!check_version (json, error) || !list_tables (&reader, error) ||
      !open_weights (&reader, error) || !sym_symscope_read_parameters (&reader, error) ||
      !read_bodies (&reader, error))
    return NULL;

  main_body = g_hash_table_lookup (reader.bodies, SYM_SYMSCOPE_MAIN);
  return sym_model_ref (main_body->model);
}
