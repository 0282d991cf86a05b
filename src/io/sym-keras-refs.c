/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"

/* Arguments are nested as deep as a file likes; nobody nests them deeper. */
#define MAX_NESTING 64

typedef enum {
  NOTHING,
  TENSOR,   /* ["layer", 0, 0], or with keyword arguments as a fourth */
  MODERN,   /* {"class_name": "__keras_tensor__", "config": {"keras_history": [...]}} */
  CONSTANT, /* ["_CONSTANT_VALUE", -1, 2.0] */
} Kind;

static Kind
classify (const SymJson *json, guint token)
{
  guint first = sym_json_get_element (json, token, 0);
  gint64 number;

  if (sym_json_get_kind (json, token) == SYM_JSON_OBJECT)
    return sym_json_string_equals (json, sym_json_get_member (json, token, "class_name"),
                                   "__keras_tensor__")
               ? MODERN
               : NOTHING;
  if (sym_json_get_kind (json, first) != SYM_JSON_STRING ||
      !sym_json_get_int (json, sym_json_get_element (json, token, 1), &number))
    return NOTHING;
  if (sym_json_string_equals (json, first, "_CONSTANT_VALUE"))
    return CONSTANT;
  return sym_json_get_int (json, sym_json_get_element (json, token, 2), &number) ? TENSOR : NOTHING;
}

/* A number that is out of range names no node. */
static guint
get_number (const SymJson *json, guint token)
{
  guint64 number;

  return sym_json_get_uint (json, token, &number) && number < G_MAXINT32 ? (guint) number
                                                                         : SYM_JSON_NONE;
}

static void
add_ref (SymKerasReader *reader, guint token, Kind kind, const char *keyword, GArray *refs)
{
  const SymJson *json = reader->json;
  SymKerasRef ref = { .layer = SYM_JSON_NONE, .token = token, .shape = SYM_JSON_NONE };
  guint history = token;

  if (kind == MODERN)
    {
      ref.shape = sym_json_get_member (json, token, "config");
      history = sym_json_get_member (json, ref.shape, "keras_history");
    }
  if (kind != CONSTANT)
    {
      ref.name = sym_json_dup_string (json, sym_json_get_element (json, history, 0));
      ref.node = get_number (json, sym_json_get_element (json, history, 1));
      ref.tensor = get_number (json, sym_json_get_element (json, history, 2));
      if (ref.name == NULL)
        ref.name = g_strdup ("");
    }
  ref.keyword = g_strdup (keyword);
  g_array_append_val (refs, ref);
}

static void
collect (SymKerasReader *reader, guint token, const char *keyword, guint depth, GArray *refs)
{
  const SymJson *json = reader->json;
  Kind kind = classify (json, token);
  SymJsonKind outer = sym_json_get_kind (json, token);

  if (depth > MAX_NESTING)
    return;
  if (kind != NOTHING)
    {
      guint named = kind == MODERN ? SYM_JSON_NONE : sym_json_get_element (json, token, 3);

      add_ref (reader, token, kind, keyword, refs);
      for (SymJsonIter i = sym_json_iterate (json, named); sym_json_iter_next (json, &i);)
        {
          g_autofree char *name = sym_json_dup_string (json, i.key);

          if (name != NULL)
            collect (reader, i.value, name, depth + 1, refs);
        }
    }
  else if (outer == SYM_JSON_ARRAY || outer == SYM_JSON_OBJECT)
    for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
      collect (reader, i.value, keyword, depth + 1, refs);
}

/* {"args": [...], "kwargs": {...}} of Keras 3; a list of Keras 1 and 2. */
void
sym_keras_collect_refs (SymKerasReader *reader, guint token, const char *keyword, GArray *refs)
{
  const SymJson *json = reader->json;
  guint args = sym_json_get_kind (json, token) == SYM_JSON_OBJECT
                   ? sym_json_get_member (json, token, "args")
                   : SYM_JSON_NONE;
  guint kwargs =
      args == SYM_JSON_NONE ? SYM_JSON_NONE : sym_json_get_member (json, token, "kwargs");

  if (args == SYM_JSON_NONE)
    {
      collect (reader, token, keyword, 0, refs);
      return;
    }
  collect (reader, args, NULL, 0, refs);
  for (SymJsonIter i = sym_json_iterate (json, kwargs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);

      collect (reader, i.value, name, 0, refs);
    }
}

gboolean
sym_keras_is_tensor (const SymJson *json, guint token)
{
  return classify (json, token) != NOTHING;
}

gboolean
sym_keras_holds_tensors (SymKerasReader *reader, guint token)
{
  GArray *refs = g_array_new (FALSE, FALSE, sizeof (SymKerasRef));
  gboolean holds;

  collect (reader, token, NULL, 0, refs);
  holds = refs->len > 0;
  for (guint i = 0; i < refs->len; i++)
    g_free (g_array_index (refs, SymKerasRef, i).name);
  g_array_unref (refs);
  return holds;
}

/* ---- The tree ---- */

typedef struct {
  SymKerasReader *reader;
  const SymKerasRef *refs;
  guint next; /* the ref that comes next in the order of collect() */
} Tree;

static SymValue *read_tree (Tree *self, guint token, guint depth);

static SymValue *
read_list (Tree *self, guint token, guint depth)
{
  const SymJson *json = self->reader->json;
  g_autoptr (GPtrArray) children = g_ptr_array_new ();

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    g_ptr_array_add (children, read_tree (self, i.value, depth + 1));
  return sym_value_new_list ((SymValue *const *) children->pdata, children->len);
}

static SymValue *
read_dict (Tree *self, guint token, guint depth)
{
  const SymJson *json = self->reader->json;
  g_autoptr (GPtrArray) children = g_ptr_array_new ();
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    {
      char *key = sym_json_dup_string (json, i.key);

      /* A list in place of names has none. */
      g_ptr_array_add (keys, key == NULL ? g_strdup ("") : key);
      g_ptr_array_add (children, read_tree (self, i.value, depth + 1));
    }
  return sym_value_new_dict ((const char *const *) keys->pdata, (SymValue *const *) children->pdata,
                             children->len);
}

static SymValue *
read_tree (Tree *self, guint token, guint depth)
{
  const SymJson *json = self->reader->json;
  SymJsonKind outer = sym_json_get_kind (json, token);

  if (depth <= MAX_NESTING && classify (json, token) != NOTHING)
    return sym_value_new_operand (self->refs[self->next++].slot);
  if (depth <= MAX_NESTING && outer == SYM_JSON_ARRAY)
    return read_list (self, token, depth);
  if (depth <= MAX_NESTING && outer == SYM_JSON_OBJECT)
    return read_dict (self, token, depth);
  return sym_keras_read_value (self->reader, token);
}

static SymValue *
make_call_tree (SymValue *take_args, SymValue *take_kwargs)
{
  SymValue *parts[2] = { take_args, take_kwargs };

  return sym_value_new_tuple (parts, 2);
}

/* Of Keras 1 and 2 the keyword arguments stand in a tensor's fourth place, which is where collect()
 * finds them as well. */
static SymValue *
read_old_arguments (Tree *self, guint token)
{
  const SymJson *json = self->reader->json;
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  SymValue *kwargs = NULL;

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    {
      guint named = sym_json_get_element (json, i.value, 3);

      g_ptr_array_add (args, read_tree (self, i.value, 0));
      if (classify (json, i.value) != NOTHING && sym_json_count (json, named) > 0)
        {
          g_clear_pointer (&kwargs, sym_value_unref);
          kwargs = read_dict (self, named, 0);
        }
    }
  if (kwargs == NULL)
    {
      for (guint i = 0; i < args->len; i++)
        sym_value_unref (args->pdata[i]);
      return NULL;
    }
  return make_call_tree (sym_value_new_tuple ((SymValue *const *) args->pdata, args->len), kwargs);
}

/* A function's one tensor without a list around it: a list of the tree says which it was. */
static SymValue *
read_bare_arguments (Tree *self, guint token)
{
  const SymJson *json = self->reader->json;
  guint named = sym_json_get_element (json, token, 3);
  SymValue *only;

  if (sym_json_count (json, named) == 0)
    return NULL;
  only = read_tree (self, token, 0);
  return make_call_tree (sym_value_new_list (&only, 1), read_dict (self, named, 0));
}

SymValue *
sym_keras_read_arguments (SymKerasReader *reader, guint token, const SymKerasRef *refs)
{
  const SymJson *json = reader->json;
  Tree tree = { reader, refs, 0 };
  guint args = sym_json_get_member (json, token, "args");
  SymValue *positional;

  if (sym_json_get_kind (json, token) == SYM_JSON_ARRAY)
    return classify (json, token) == NOTHING ? read_old_arguments (&tree, token)
                                             : read_bare_arguments (&tree, token);
  if (args == SYM_JSON_NONE)
    return NULL;
  positional = read_list (&tree, args, 0);
  return make_call_tree (positional,
                         read_dict (&tree, sym_json_get_member (json, token, "kwargs"), 0));
}
