/* SPDX-License-Identifier: MIT */
#include "io/sym-json-private.h"
#include "io/sym-mxnet-private.h"

#include <string.h>

/* Bytes that strings are kept in at a time: graphs within nodes are small, and there may be many.
 */
#define SMALL_GRAPH 64
#define SMALL_CHUNK 1024
#define LARGE_CHUNK (64 * 1024)

SymMxnetGraph *
sym_mxnet_graph_ref (SymMxnetGraph *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_mxnet_graph_unref (SymMxnetGraph *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_rows_free (self->nodes);
  sym_rows_free (self->entries);
  sym_rows_free (self->heads);
  g_string_chunk_free (self->strings);
  sym_json_unref (self->json);
  g_free (self);
}

guint
sym_mxnet_graph_get_line (const SymMxnetGraph *self, guint node)
{
  return sym_json_get_line (self->json, sym_mxnet_graph_get_node (self, node)->token);
}

guint *
sym_mxnet_graph_count_used (const SymMxnetGraph *self)
{
  const SymRows *const tables[] = { self->entries, self->heads };
  guint *used = g_new0 (guint, self->nodes->len + 1);

  for (guint t = 0; t < G_N_ELEMENTS (tables); t++)
    for (guint i = 0; i < tables[t]->len; i++)
      {
        const SymMxnetEntry *entry = &g_array_index (tables[t], SymMxnetEntry, i);

        if (entry->node < self->nodes->len && entry->output < G_MAXUINT32 - 1)
          used[entry->node] = MAX (used[entry->node], entry->output + 1);
      }
  return used;
}

/* ---- Entries ---- */

/* What a message calls a node: "'name' of node 7 ('conv0')". */
static char *
describe (const char *what, guint node, const char *name)
{
  return name == NULL ? g_strdup_printf ("%s of node %u", what, node)
                      : g_strdup_printf ("%s of node %u ('%s')", what, node, name);
}

/* Of the node at @index, or of a head when @node is NULL. */
static gboolean
refuse_entry (const SymMxnetGraph *self,
              guint token,
              const SymMxnetNode *node,
              guint index,
              GError **error)
{
  g_autofree char *owner =
      node == NULL ? g_strdup ("a head") : describe ("an input", index, node->name);

  return sym_json_fail (self->json, token, error,
                        "%s must be [node, output] or [node, output, version], all whole numbers",
                        owner);
}

/* A number of the file as an index; SYM_JSON_NONE for one that cannot be one, which then leads
 * nowhere. */
static guint
make_index (gint64 number)
{
  return number >= 0 && number < G_MAXUINT32 ? (guint) number : SYM_JSON_NONE;
}

static gboolean
read_index (const SymJson *json, guint token, guint *index)
{
  gint64 number;

  if (!sym_json_get_int (json, token, &number))
    return FALSE;

  *index = make_index (number);
  return TRUE;
}

/* FALSE when it is no entry. */
static gboolean
read_entry (SymMxnetGraph *self, guint token, SymRows *entries)
{
  gint64 parts[] = { 0, 0, 0 };
  int n = sym_json_get_ints (self->json, token, parts, G_N_ELEMENTS (parts));
  SymMxnetEntry entry = { make_index (parts[0]), make_index (parts[1]), make_index (parts[2]),
                          token };

  if (n < 2)
    return FALSE;

  self->has_versions = self->has_versions || n == 3;
  sym_rows_append (entries, entry);
  return TRUE;
}

static gboolean
read_entries (SymMxnetGraph *self,
              guint token,
              const SymMxnetNode *node,
              guint index,
              SymRows *entries,
              GError **error)
{
  for (SymJsonIter i = sym_json_begin (self->json, token); sym_json_step (self->json, &i);)
    if (!read_entry (self, i.value, entries))
      return refuse_entry (self, i.value, node, index, error);

  return TRUE;
}

/* ---- Nodes ---- */

/* The members of a node as they are found, the last of each name. */
typedef struct {
  guint op, name, inputs, attrs, attr, param, control_deps, subgraphs;
} Members;

/* Of a name that is known here a comparison of numbers. */
static inline gboolean
is_same (const char *name, const char *text, gsize length)
{
  return length == strlen (name) && memcmp (text, name, strlen (name)) == 0;
}

static inline guint *
pick_member (Members *members, const char *text, gsize length)
{
  if (is_same ("op", text, length))
    return &members->op;
  if (is_same ("name", text, length))
    return &members->name;
  if (is_same ("inputs", text, length))
    return &members->inputs;
  if (is_same ("attrs", text, length))
    return &members->attrs;
  if (is_same ("attr", text, length))
    return &members->attr;
  if (is_same ("param", text, length))
    return &members->param;
  if (is_same ("control_deps", text, length))
    return &members->control_deps;
  return is_same ("subgraphs", text, length) ? &members->subgraphs : NULL;
}

static guint *
pick_escaped_member (Members *members, const SymJson *json, guint key)
{
  g_autofree char *name = sym_json_dup_string (json, key);

  return pick_member (members, name, strlen (name));
}

static guint *
find_member (Members *members, const SymJson *json, guint key)
{
  gsize length;
  const char *text = sym_json_peek_characters (json, key, &length);

  return text == NULL ? pick_escaped_member (members, json, key)
                      : pick_member (members, text, length);
}

static void
note_member (const SymJson *json, guint key, guint node, SymProblems *problems, const char *what)
{
  g_autofree char *name = sym_json_dup_string (json, key);

  sym_problems_add (problems, SYM_SEVERITY_WARNING, sym_json_get_line (json, key), SYM_NO_ID,
                    SYM_NO_ID, "node %u: %s '%s'", node, what, name);
}

static void
find_members (const SymJson *json, guint token, guint node, Members *members, SymProblems *problems)
{
  memset (members, 0xff, sizeof *members);
  for (SymJsonIter i = sym_json_begin (json, token); sym_json_step (json, &i);)
    {
      guint *place = find_member (members, json, i.key);

      if (place == NULL)
        {
          if (!sym_json_string_equals (json, i.key, "backward_source_id"))
            note_member (json, i.key, node, problems, "MXNet knows no key");
          continue;
        }
      if (*place != SYM_JSON_NONE)
        note_member (json, i.key, node, problems, "the last one counts of several");
      *place = i.value;
    }
}

static gboolean
expect_string (const SymJson *json,
               guint token,
               guint value,
               const char *what,
               guint node,
               GError **error)
{
  if (value == SYM_JSON_NONE)
    return sym_json_fail (json, token, error, "node %u has no '%s'", node, what);
  if (sym_json_get_kind (json, value) == SYM_JSON_STRING)
    return TRUE;

  return sym_json_fail (json, value, error, "'%s' of node %u must be a string, not %s", what, node,
                        sym_json_kind_to_string (sym_json_get_kind (json, value)));
}

static gboolean
check_map (const SymMxnetGraph *self, guint map, guint index, const char *name, GError **error)
{
  const SymJson *json = self->json;

  if (map == SYM_JSON_NONE)
    return TRUE;
  if (sym_json_get_kind (json, map) != SYM_JSON_OBJECT)
    return sym_json_fail (json, map, error,
                          "the attributes of node %u ('%s') must be an object, not %s", index, name,
                          sym_json_kind_to_string (sym_json_get_kind (json, map)));
  for (SymJsonIter i = sym_json_begin (json, map); sym_json_step (json, &i);)
    if (json->tokens[i.value].kind != SYM_JSON_STRING)
      {
        g_autofree char *key = sym_json_dup_string (json, i.key);

        return sym_json_fail (
            json, i.value, error, "attribute '%s' of node %u ('%s') must be a string, not %s", key,
            index, name, sym_json_kind_to_string (sym_json_get_kind (json, i.value)));
      }
  return TRUE;
}

static gboolean
refuse_list (const SymJson *json,
             guint list,
             const char *what,
             guint index,
             const char *name,
             GError **error)
{
  g_autofree char *owner = describe (what, index, name);

  return sym_json_fail (json, list, error, "%s must be an array, not %s", owner,
                        sym_json_kind_to_string (sym_json_get_kind (json, list)));
}

static inline gboolean
check_list (const SymJson *json,
            guint list,
            const char *what,
            guint index,
            const char *name,
            GError **error)
{
  return list == SYM_JSON_NONE || json->tokens[list].kind == SYM_JSON_ARRAY ||
         refuse_list (json, list, what, index, name, error);
}

/* Picks the attribute maps; more than two are of no era. */
static gboolean
take_maps (SymMxnetGraph *self,
           SymMxnetNode *node,
           const Members *members,
           guint index,
           GError **error)
{
  const struct {
    const char *key;
    guint map;
  } maps[] = { { "param", members->param },
               { "attrs", members->attrs },
               { "attr", members->attr } };

  node->attributes = node->hidden = SYM_JSON_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      if (!check_map (self, maps[i].map, index, node->name, error))
        return FALSE;
      if (maps[i].map == SYM_JSON_NONE)
        continue;
      if (node->attributes == SYM_JSON_NONE)
        {
          node->attributes = maps[i].map;
          if (self->attributes_key == NULL)
            self->attributes_key = maps[i].key;
        }
      else if (node->hidden == SYM_JSON_NONE)
        {
          node->hidden = maps[i].map;
        }
      else
        {
          return sym_json_fail (
              self->json, maps[i].map, error,
              "node %u ('%s') has 'param', 'attr' and 'attrs'; at most two of them "
              "may stand together",
              index, node->name);
        }
    }
  return TRUE;
}

static gboolean
read_inputs (SymMxnetGraph *self, SymMxnetNode *node, guint token, guint index, GError **error)
{
  node->inputs = self->entries->len;
  if (!check_list (self->json, token, "'inputs'", index, node->name, error))
    return FALSE;
  if (!read_entries (self, token, node, index, self->entries, error))
    return FALSE;
  node->n_inputs = self->entries->len - node->inputs;
  return TRUE;
}

static const char *
keep_escaped_string (SymMxnetGraph *self, guint token)
{
  g_autofree char *decoded = sym_json_dup_string (self->json, token);

  return g_string_chunk_insert (self->strings, decoded);
}

static const char *
keep_string (SymMxnetGraph *self, guint token)
{
  gsize length;
  const char *text = sym_json_peek_characters (self->json, token, &length);

  return text == NULL ? keep_escaped_string (self, token)
                      : g_string_chunk_insert_len (self->strings, text, (gssize) length);
}

static gboolean
read_node (SymMxnetGraph *self, guint token, SymProblems *problems, GError **error)
{
  guint index = self->nodes->len;
  SymMxnetNode empty = { .token = token }, *node;
  Members members;

  if (sym_json_get_kind (self->json, token) != SYM_JSON_OBJECT)
    return sym_json_fail (self->json, token, error, "node %u must be an object, not %s", index,
                          sym_json_kind_to_string (sym_json_get_kind (self->json, token)));
  find_members (self->json, token, index, &members, problems);
  if (!expect_string (self->json, token, members.op, "op", index, error) ||
      !expect_string (self->json, token, members.name, "name", index, error))
    return FALSE;

  sym_rows_append (self->nodes, empty);
  node = &g_array_index (self->nodes, SymMxnetNode, index);
  if (!sym_json_string_equals (self->json, members.op, "null"))
    node->op = keep_string (self, members.op);
  node->name = keep_string (self, members.name);
  node->controls = members.control_deps;
  node->subgraphs = members.subgraphs;
  return take_maps (self, node, &members, index, error) &&
         check_list (self->json, node->controls, "'control_deps'", index, node->name, error) &&
         check_list (self->json, node->subgraphs, "'subgraphs'", index, node->name, error) &&
         read_inputs (self, node, members.inputs, index, error);
}

static gboolean
read_nodes (SymMxnetGraph *self, guint token, SymProblems *problems, GError **error)
{
  if (!sym_json_expect (self->json, token, SYM_JSON_ARRAY, "nodes", error))
    return FALSE;
  for (SymJsonIter i = sym_json_begin (self->json, token); sym_json_step (self->json, &i);)
    if (!read_node (self, i.value, problems, error))
      return FALSE;

  return TRUE;
}

/* ---- The graph ---- */

/* A graph attribute is a pair of its type and its value: ["int", 10901]. */
static gint64
read_graph_int (const SymJson *json, guint attributes, const char *name, gint64 fallback)
{
  gint64 number = fallback;

  sym_json_get_int (
      json, sym_json_get_element (json, sym_json_get_member (json, attributes, name), 1), &number);
  return number;
}

static gboolean
read_graph_attributes (SymMxnetGraph *self, guint token, GError **error)
{
  self->version = SYM_MXNET_LEGACY;
  if (token == SYM_JSON_NONE)
    return TRUE;
  if (!sym_json_expect (self->json, token, SYM_JSON_OBJECT, "attrs", error))
    return FALSE;

  self->version = read_graph_int (self->json, token, "mxnet_version", SYM_MXNET_LEGACY);
  self->is_np_shape = read_graph_int (self->json, token, "is_np_shape", 0) != 0;
  return TRUE;
}

/* node_row_ptr are the sums of the output counts; one that is none is told and not used. */
static void
read_rows (SymMxnetGraph *self, SymProblems *problems)
{
  guint n = 0;
  guint last = 0;
  gboolean is_good = TRUE;

  if (self->rows_token == SYM_JSON_NONE)
    return;
  for (SymJsonIter i = sym_json_begin (self->json, self->rows_token);
       is_good && sym_json_step (self->json, &i); n++)
    {
      guint row = 0;

      is_good = read_index (self->json, i.value, &row) && n <= self->nodes->len &&
                (n == 0 ? row == 0 : row > last);
      if (is_good && n > 0)
        g_array_index (self->nodes, SymMxnetNode, n - 1).n_outputs = row - last;
      last = row;
    }
  if (is_good && n == self->nodes->len + 1)
    return;

  for (guint i = 0; i < self->nodes->len; i++)
    g_array_index (self->nodes, SymMxnetNode, i).n_outputs = 0;
  sym_problems_add (
      problems, SYM_SEVERITY_WARNING, sym_json_get_line (self->json, self->rows_token), SYM_NO_ID,
      SYM_NO_ID,
      "'node_row_ptr' must count up from 0 with one step for each of the %u nodes; it "
      "is not used",
      self->nodes->len);
}

static gboolean
read_tables (SymMxnetGraph *self, SymProblems *problems, GError **error)
{
  const SymJson *json = self->json;

  self->heads_token = sym_json_get_member (json, self->root, "heads");
  self->arguments_token = sym_json_get_member (json, self->root, "arg_nodes");
  self->rows_token = sym_json_get_member (json, self->root, "node_row_ptr");
  if ((self->arguments_token != SYM_JSON_NONE &&
       !sym_json_expect (json, self->arguments_token, SYM_JSON_ARRAY, "arg_nodes", error)) ||
      (self->rows_token != SYM_JSON_NONE &&
       !sym_json_expect (json, self->rows_token, SYM_JSON_ARRAY, "node_row_ptr", error)) ||
      (self->heads_token != SYM_JSON_NONE &&
       !sym_json_expect (json, self->heads_token, SYM_JSON_ARRAY, "heads", error)))
    return FALSE;

  return read_graph_attributes (self, sym_json_get_member (json, self->root, "attrs"), error) &&
         read_nodes (self, sym_json_get_member (json, self->root, "nodes"), problems, error) &&
         read_entries (self, self->heads_token, NULL, 0, self->heads, error);
}

SymMxnetGraph *
sym_mxnet_graph_new (SymJson *json, guint root, SymProblems *problems, GError **error)
{
  g_autoptr (SymMxnetGraph) self = g_new0 (SymMxnetGraph, 1);
  guint n_nodes = sym_json_estimate (json, sym_json_get_member (json, root, "nodes"));

  g_atomic_ref_count_init (&self->ref_count);
  self->json = sym_json_ref (json);
  self->root = root;
  self->domain = "mxnet";
  self->nodes = sym_rows_new (sizeof (SymMxnetNode));
  self->entries = sym_rows_new (sizeof (SymMxnetEntry));
  self->heads = sym_rows_new (sizeof (SymMxnetEntry));
  sym_rows_reserve (self->nodes, n_nodes);
  sym_rows_reserve (self->entries, n_nodes);
  self->strings = g_string_chunk_new (n_nodes < SMALL_GRAPH ? SMALL_CHUNK : LARGE_CHUNK);

  if (!sym_json_expect (json, root, SYM_JSON_OBJECT, "graph", error) ||
      !read_tables (self, problems, error))
    return NULL;

  read_rows (self, problems);
  if (self->attributes_key == NULL)
    self->attributes_key = "attrs";
  return g_steal_pointer (&self);
}
