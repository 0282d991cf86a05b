/* SPDX-License-Identifier: MIT */
#include "io/sym-dot-private.h"

#include <string.h>

/* Drawings in Graphviz' language as graphs: each node is a layer, each edge a use of what its tail
 * makes. Clusters are groups; a label says what the node is, its name which. */

#define MAX_DEPTH 64
#define MAX_SCOPE 4096 /* bytes */

/* All nodes of a file have scopes of so many bytes, and so many for each of its own. */
#define MIN_SCOPES (1 << 20)
#define SCOPES 16

#define MAX_TEXT (G_GUINT64_CONSTANT (64) << 20)

/* {a b c} -> {d e f} are nine edges: a file may have so many, and so many for each of its bytes. */
#define MIN_EDGES (1 << 17)
#define EDGES 4
#define MAX_EDGES 4000000

typedef struct {
  char *name;
  char *scope; /* of the first place where it is told: "cluster_a/" */
  guint line;
  GHashTable *attributes; /* NULL for none */
} Node;

typedef struct {
  guint from, to;
} Edge;

typedef struct {
  SymDotLexer lexer;
  const SymIoSource *source;
  GPtrArray *nodes;  /* of Node */
  GHashTable *names; /* to number + 1 */
  GArray *edges;     /* of Edge */
  guint64 max_edges;
  GString *scope;
  gsize cluster; /* where the name of the innermost one begins in it */
  guint64 room;  /* for scopes of nodes */
  guint n_lost;  /* nodes for whose scope there was none */
  char *name;
  guint depth;
} Parser;

static void
free_node (gpointer data)
{
  Node *self = data;

  g_free (self->name);
  g_free (self->scope);
  g_clear_pointer (&self->attributes, g_hash_table_unref);
  g_free (self);
}

static void
clear_parser (Parser *self)
{
  sym_dot_lexer_clear (&self->lexer);
  g_ptr_array_unref (self->nodes);
  g_hash_table_unref (self->names);
  g_array_unref (self->edges);
  g_string_free (self->scope, TRUE);
  g_free (self->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parser, clear_parser)

/* ---- Words ---- */

static gboolean
next (Parser *self, GError **error)
{
  return sym_dot_lexer_next (&self->lexer, error);
}

static gboolean
is_mark (const Parser *self, char mark)
{
  return self->lexer.kind == SYM_DOT_MARK && self->lexer.word->str[0] == mark;
}

static gboolean
is_keyword (const Parser *self, const char *word)
{
  return self->lexer.kind == SYM_DOT_KEYWORD &&
         g_ascii_strcasecmp (self->lexer.word->str, word) == 0;
}

static gboolean
fail (const Parser *self, const char *expected, GError **error)
{
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u: %s is expected, but %s%s%s is there", self->lexer.word_line, expected,
               self->lexer.kind == SYM_DOT_END ? "" : "'",
               self->lexer.kind == SYM_DOT_END ? "the end" : self->lexer.word->str,
               self->lexer.kind == SYM_DOT_END ? "" : "'");
  return FALSE;
}

/* ---- Nodes ---- */

/* Whether the name says itself in which cluster the node is: "stage1/conv" in "cluster_stage1". */
static gboolean
has_scope (const Parser *self, const char *name)
{
  const char *cluster = self->scope->str + self->cluster;
  gsize n = strlen (cluster);

  if (!g_str_has_prefix (cluster, "cluster_") || n <= strlen ("cluster_/"))
    return FALSE;
  cluster += strlen ("cluster_");
  n -= strlen ("cluster_/");
  return strncmp (name, cluster, n) == 0 && (name[n] == '/' || name[n] == '.');
}

static char *
make_scope (Parser *self, const char *name)
{
  if (has_scope (self, name))
    return g_strdup ("");
  if (self->scope->len > self->room)
    {
      self->n_lost++;
      return g_strdup ("");
    }
  self->room -= self->scope->len;
  return g_strdup (self->scope->str);
}

static guint
find_node (Parser *self, const char *name)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));
  Node *node;

  if (known != 0)
    return known - 1;
  node = g_new0 (Node, 1);
  node->name = g_strdup (name);
  node->scope = make_scope (self, name);
  node->line = self->lexer.word_line;
  g_ptr_array_add (self->nodes, node);
  g_hash_table_insert (self->names, node->name, GUINT_TO_POINTER (self->nodes->len));
  return self->nodes->len - 1;
}

static void
set_attribute (GHashTable **attributes, const char *name, const char *value)
{
  if (*attributes == NULL)
    *attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (*attributes, g_strdup (name), g_strdup (value));
}

/* [a = b, c = d; e] of a node, or of nothing that is kept when @attributes is NULL. */
static gboolean
read_attributes (Parser *self, GHashTable **attributes, GError **error)
{
  while (is_mark (self, '['))
    {
      if (!next (self, error))
        return FALSE;
      while (!is_mark (self, ']'))
        {
          g_autofree char *name = NULL;

          if (self->lexer.kind != SYM_DOT_ID && self->lexer.kind != SYM_DOT_KEYWORD)
            return fail (self, "the name of an attribute or ']'", error);
          name = g_strdup (self->lexer.word->str);
          if (!next (self, error))
            return FALSE;
          if (is_mark (self, '='))
            {
              if (!next (self, error))
                return FALSE;
              if (self->lexer.kind != SYM_DOT_ID && self->lexer.kind != SYM_DOT_KEYWORD)
                return fail (self, "the value of an attribute", error);
              if (attributes != NULL)
                set_attribute (attributes, name, self->lexer.word->str);
              if (!next (self, error))
                return FALSE;
            }
          if ((is_mark (self, ',') || is_mark (self, ';')) && !next (self, error))
            return FALSE;
        }
      if (!next (self, error))
        return FALSE;
    }
  return TRUE;
}

/* node:port:compass */
static gboolean
skip_port (Parser *self, GError **error)
{
  while (is_mark (self, ':'))
    {
      if (!next (self, error))
        return FALSE;
      if (self->lexer.kind != SYM_DOT_ID)
        return fail (self, "the name of a port", error);
      if (!next (self, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Statements ---- */

static gboolean read_statements (Parser *self, GArray *members, GError **error);

/* "subgraph cluster_a {...}" or "{...}": its nodes are added to @members. */
static gboolean
read_subgraph (Parser *self, GArray *members, GError **error)
{
  gsize length = self->scope->len;
  gsize cluster = self->cluster;
  gboolean is_good;

  if (is_keyword (self, "subgraph"))
    {
      if (!next (self, error))
        return FALSE;
      if (self->lexer.kind == SYM_DOT_ID)
        {
          if (g_str_has_prefix (self->lexer.word->str, "cluster") && length < MAX_SCOPE)
            {
              g_string_append_printf (self->scope, "%s/", self->lexer.word->str);
              self->cluster = length;
            }
          if (!next (self, error))
            return FALSE;
        }
    }
  if (!is_mark (self, '{'))
    return fail (self, "'{'", error);
  if (++self->depth > MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: subgraphs are nested deeper than %d", self->lexer.word_line,
                   MAX_DEPTH);
      return FALSE;
    }
  is_good = next (self, error) && read_statements (self, members, error) &&
            (is_mark (self, '}') || fail (self, "'}'", error)) && next (self, error);
  self->depth--;
  g_string_truncate (self->scope, length);
  self->cluster = cluster;
  return is_good;
}

/* One end of an edge: a node, or all nodes of a subgraph. */
static gboolean
read_end (Parser *self, GArray *end, GError **error)
{
  guint node;

  if (is_keyword (self, "subgraph") || is_mark (self, '{'))
    return read_subgraph (self, end, error);
  if (self->lexer.kind != SYM_DOT_ID)
    return fail (self, "a node", error);
  node = find_node (self, self->lexer.word->str);
  g_array_append_val (end, node);
  return next (self, error) && skip_port (self, error);
}

static gboolean
add_edges (Parser *self, const GArray *from, const GArray *to, GError **error)
{
  if ((guint64) from->len * to->len + self->edges->len > self->max_edges)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: more than the %" G_GUINT64_FORMAT
                   " edges that are read of a drawing of this size",
                   self->lexer.word_line, self->max_edges);
      return FALSE;
    }
  for (guint i = 0; i < from->len; i++)
    for (guint j = 0; j < to->len; j++)
      {
        Edge edge = { g_array_index (from, guint, i), g_array_index (to, guint, j) };

        g_array_append_val (self->edges, edge);
      }
  return TRUE;
}

/* a -> {b c} -> d [label = x]; or a node with attributes. */
static gboolean
read_nodes_and_edges (Parser *self, GArray *members, GError **error)
{
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean is_edge = FALSE;
  Node *node;

  if (!read_end (self, from, error))
    return FALSE;
  g_array_append_vals (members, from->data, from->len);
  while (self->lexer.kind == SYM_DOT_EDGE)
    {
      g_autoptr (GArray) to = g_array_new (FALSE, FALSE, sizeof (guint));

      is_edge = TRUE;
      if (!next (self, error) || !read_end (self, to, error) || !add_edges (self, from, to, error))
        return FALSE;
      g_array_append_vals (members, to->data, to->len);
      g_array_unref (from);
      from = g_steal_pointer (&to);
    }
  if (is_edge || from->len != 1)
    return read_attributes (self, NULL, error);
  node = g_ptr_array_index (self->nodes, g_array_index (from, guint, 0));
  return read_attributes (self, &node->attributes, error);
}

/* "label = x" is an attribute of the graph; what begins with a name may be that, too. */
static gboolean
read_statement (Parser *self, GArray *members, GError **error)
{
  SymDotLexer before = self->lexer;

  if (is_keyword (self, "graph") || is_keyword (self, "node") || is_keyword (self, "edge"))
    return next (self, error) && read_attributes (self, NULL, error);
  if (self->lexer.kind == SYM_DOT_ID)
    {
      g_autofree char *word = g_strdup (self->lexer.word->str);

      if (!next (self, error))
        return FALSE;
      if (is_mark (self, '='))
        return next (self, error) &&
               (self->lexer.kind == SYM_DOT_ID ||
                fail (self, "the value of an attribute", error)) &&
               next (self, error);
      self->lexer.at = before.at;
      self->lexer.line = before.line;
      self->lexer.kind = before.kind;
      self->lexer.word_line = before.word_line;
      g_string_assign (self->lexer.word, word);
    }
  return read_nodes_and_edges (self, members, error);
}

static gboolean
read_statements (Parser *self, GArray *members, GError **error)
{
  for (guint n = 1; !is_mark (self, '}') && self->lexer.kind != SYM_DOT_END; n++)
    {
      if ((n & 1023) == 0 &&
          g_cancellable_set_error_if_cancelled (self->source->cancellable, error))
        return FALSE;
      if (is_mark (self, ';'))
        {
          if (!next (self, error))
            return FALSE;
        }
      else if (!read_statement (self, members, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_document (Parser *self, GError **error)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!next (self, error) || (is_keyword (self, "strict") && !next (self, error)))
    return FALSE;
  if (!is_keyword (self, "graph") && !is_keyword (self, "digraph"))
    return fail (self, "'graph' or 'digraph'", error);
  if (!next (self, error))
    return FALSE;
  if (self->lexer.kind == SYM_DOT_ID)
    {
      self->name = g_strdup (self->lexer.word->str);
      if (!next (self, error))
        return FALSE;
    }
  return (is_mark (self, '{') || fail (self, "'{'", error)) && next (self, error) &&
         read_statements (self, members, error) &&
         (is_mark (self, '}') || fail (self, "'}'", error));
}

/* ---- The model ---- */

static const char *
get_label (const Node *node)
{
  const char *label =
      node->attributes == NULL ? NULL : g_hash_table_lookup (node->attributes, "label");

  return label == NULL ? "" : label;
}

/* The first line of a label; records, {a|b}, and HTML say more than what the node is. */
static char *
make_type (const Node *node)
{
  const char *label = get_label (node);
  g_autofree char *type = NULL;

  if (label[0] == '\0' || label[0] == '<')
    return g_strdup (node->name);
  type = g_strndup (label, strcspn (label, "\\|\n"));
  g_strdelimit (type, "{}", ' ');
  g_strstrip (type);
  return type[0] == '\0' ? g_strdup (node->name) : g_steal_pointer (&type);
}

static SymAttributes *
make_attributes (const Node *node)
{
  SymAttributes *attributes = sym_attributes_new ();
  g_autoptr (GList) keys =
      node->attributes == NULL ? NULL : g_hash_table_get_keys (node->attributes);

  keys = g_list_sort (keys, (GCompareFunc) strcmp);
  for (GList *i = keys; i != NULL; i = i->next)
    sym_attributes_set (attributes, i->data,
                        sym_value_new_string (g_hash_table_lookup (node->attributes, i->data)),
                        NULL);
  return attributes;
}

static void
add_node (SymNet *net, const Node *node)
{
  SymDotLabel label;
  gboolean is_keras = sym_dot_label_read (get_label (node), &label);
  g_autofree char *own_name = is_keras ? label.name : g_strdup (node->name);
  g_autofree char *type = is_keras ? label.type : make_type (node);
  g_autofree char *name = g_strconcat (node->scope, own_name, NULL);
  SymType result = sym_type_tensor (SYM_DTYPE_UNKNOWN, label.shape);
  SymId call = sym_net_add_call (net, name, type, NULL, make_attributes (node), node->line);

  sym_net_add_result (net, call, node->name, NULL, is_keras ? &result : NULL);
}

static SymModel *
make_model (const Parser *self, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (self->source, NULL, "dot");

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Node *node = g_ptr_array_index (self->nodes, i);
      add_node (net, node);
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      const Edge *edge = &g_array_index (self->edges, Edge, i);

      sym_net_add_operand (net, edge->to,
                           ((Node *) g_ptr_array_index (self->nodes, edge->from))->name);
    }
  if (self->n_lost > 0)
    sym_net_warn (net, 0,
                  "the names of clusters would be larger than the file justifies: %u nodes are "
                  "without",
                  self->n_lost);
  if (self->name != NULL && self->name[0] != '\0')
    sym_model_builder_set_name (sym_net_get_builder (net), self->name);
  return sym_net_end (g_steal_pointer (&net), error);
}

/* Names are shown, so they are text: Graphviz' other charset, Latin-1, is not read. */
static gboolean
check_text (const char *text, gsize size, GError **error)
{
  const char *end;
  guint line = 1;

  if (g_utf8_validate_len (text, size, &end))
    return TRUE;
  for (const char *at = text; at < end; at++)
    line += *at == '\n';
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u: expected UTF-8 text, found the byte 0x%02X", line, (guint8) *end);
  return FALSE;
}

/* ---- The format ---- */

/* "strict"?, "graph" or "digraph", a name?, "{". */
static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  SymDotLexer lexer;
  gboolean is_graph;

  if (n == 0 || memchr (start, '\0', MIN (n, 512)) != NULL)
    return 0;
  sym_dot_lexer_init (&lexer, (const char *) start, n);
  is_graph = sym_dot_lexer_next (&lexer, NULL) && lexer.kind == SYM_DOT_KEYWORD;
  if (is_graph && g_ascii_strcasecmp (lexer.word->str, "strict") == 0)
    is_graph = sym_dot_lexer_next (&lexer, NULL) && lexer.kind == SYM_DOT_KEYWORD;
  is_graph = is_graph &&
             (g_ascii_strcasecmp (lexer.word->str, "graph") == 0 ||
              g_ascii_strcasecmp (lexer.word->str, "digraph") == 0) &&
             sym_dot_lexer_next (&lexer, NULL);
  if (is_graph && lexer.kind == SYM_DOT_ID)
    is_graph = sym_dot_lexer_next (&lexer, NULL);
  is_graph = is_graph && lexer.kind == SYM_DOT_MARK && lexer.word->str[0] == '{';
  sym_dot_lexer_clear (&lexer);
  return is_graph ? 90 : 0;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_auto (Parser) parser = { .source = source,
                             .nodes = g_ptr_array_new_with_free_func (free_node),
                             .names = g_hash_table_new (g_str_hash, g_str_equal),
                             .edges = g_array_new (FALSE, FALSE, sizeof (Edge)),
                             .scope = g_string_new (NULL) };
  g_autofree char *text = NULL;

  sym_dot_lexer_init (&parser.lexer, "", 0);
  if (blob->size > MAX_TEXT)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes are more than are read of a drawing (64 MiB)",
                   blob->size);
      return NULL;
    }
  text = g_malloc ((gsize) blob->size + 1);
  if (!sym_blob_read (blob, 0, blob->size, text, error) ||
      !check_text (text, (gsize) blob->size, error))
    return NULL;
  parser.lexer.at = text;
  parser.lexer.end = text + blob->size;
  parser.room = MIN_SCOPES + SCOPES * blob->size;
  parser.max_edges = MIN (MIN_EDGES + EDGES * blob->size, MAX_EDGES);
  return read_document (&parser, error) ? make_model (&parser, error) : NULL;
}

const SymIoFormat sym_dot_format = {
  .name = "dot",
  .title = "Graphviz drawing (DOT)",
  .versions = "2.43 and later",
  .limits = "layers without numbers, shapes of Keras' drawings alone; 64 MiB; 131,072 edges and 4 "
            "for each byte, 4 million "
            "at most",
  .suffix = ".dot",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .write = sym_dot_write,
  .is_view = TRUE,
};
