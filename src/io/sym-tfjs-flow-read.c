/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-flow-private.h"
#include "io/sym-tfjs-private.h"

#include <string.h>

/* The nodes of a graph with loops and choices, and what they use. */

/* ---- Texts ---- */

SymNetKey *
sym_tfjs_flow_keep (SymTfjsFlow *self, const char *text)
{
  return sym_net_keys_enter (self->texts, text, strlen (text));
}

guint
sym_tfjs_flow_find_maker (const SymTfjsFlow *self, const char *use)
{
  const char *colon = strchr (use, ':');
  SymNetKey *name =
      sym_net_keys_find (self->texts, use, colon == NULL ? strlen (use) : (gsize) (colon - use));

  return name == NULL ? SYM_NO_ID : name->first;
}

/* Whether it is one with the number of an output, of a node that there is. */
static gboolean
resolve (const SymTfjsFlow *self, SymNetKey *use)
{
  if (memchr (use->text, ':', use->length) == NULL)
    return FALSE;
  use->first = sym_tfjs_flow_find_maker (self, use->text);
  return use->first != SYM_NO_ID;
}

/* "a:1" says that "a" has two outputs. */
static void
count_output (const SymTfjsFlow *self, const SymNetKey *use)
{
  guint *n_used = &self->nodes[use->first].parts.n_used;
  guint64 output;

  if (sym_tfjs_parse_output (strrchr (use->text, ':') + 1, &output) && output > 0)
    *n_used = MAX (*n_used, (guint) output + 1);
}

/* When all nodes are there.  Of those that are called the same, one was found. */
static void
resolve_all (const SymTfjsFlow *self)
{
  for (guint i = 0; i < self->uses->len; i++)
    {
      SymNetKey *use = self->uses->pdata[i];

      if (resolve (self, use))
        count_output (self, use);
      self->makers[i] = use->first == SYM_NO_ID ? SYM_TFJS_NONE : (int) use->first;
    }
  for (guint i = 0; i < self->n_nodes; i++)
    {
      SymTfjsNode *node = &self->nodes[i];
      guint namesake = node->name->first;

      if (namesake == SYM_NO_ID || self->nodes[namesake].name != node->name)
        node->parts.n_used = 0; /* "a:1" is the name of a node */
      else
        node->parts.n_used = self->nodes[namesake].parts.n_used;
      if (node->guard != NULL)
        resolve (self, node->guard);
    }
}

/* ---- Nodes ---- */

SymTfjsKind
sym_tfjs_parse_kind (const SymJson *json, guint op)
{
  static const struct {
    const char *op;
    SymTfjsKind kind;
  } kinds[] = {
    { "Enter", SYM_TFJS_ENTER },
    { "RefEnter", SYM_TFJS_ENTER },
    { "Exit", SYM_TFJS_EXIT },
    { "Merge", SYM_TFJS_MERGE },
    { "Switch", SYM_TFJS_SWITCH },
    { "NextIteration", SYM_TFJS_NEXT },
    { "LoopCond", SYM_TFJS_LOOP_CONDITION },
  };

  gsize length = 0;
  const char *text = sym_json_peek_string (json, op, &length);

  if (text == NULL || length == 0 || strchr ("ERMSNL", *text) == NULL)
    return SYM_TFJS_PLAIN;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strlen (kinds[i].op) == length && memcmp (text, kinds[i].op, length) == 0)
      return kinds[i].kind;
  return SYM_TFJS_PLAIN;
}

static int
add_frame (SymTfjsFlow *self, const SymJson *json, guint attributes)
{
  guint token =
      sym_json_get_member (json, sym_json_get_member (json, attributes, "frame_name"), "s");
  gsize size;
  g_autofree char *bytes = sym_tfjs_dup_bytes (json, token, &size);
  g_autofree char *text = token == SYM_JSON_NONE ? NULL : g_strndup (bytes, size);
  SymTfjsFrame frame = { .parent = SYM_TFJS_NONE, .block = SYM_TFJS_NONE };

  for (guint i = 0; text != NULL && i < self->frames->len; i++)
    if (strcmp (sym_tfjs_flow_get_frame (self, (int) i)->name, text) == 0)
      return (int) i;
  frame.name = text == NULL ? g_strdup ("") : g_steal_pointer (&text);
  frame.merges = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (self->frames, frame);
  return (int) self->frames->len - 1;
}

static void
read_node (SymTfjsFlow *self, const SymJson *json, guint token)
{
  SymTfjsParts parts = sym_tfjs_get_parts (json, token);
  SymNetKey *name;
  SymTfjsNode *node = &self->nodes[self->n_nodes];

  *node = (SymTfjsNode){
    .parts = parts, .frame = SYM_TFJS_NONE, .variable = SYM_TFJS_NONE, .block = SYM_TFJS_NONE
  };
  name = sym_net_keys_enter_string (self->texts, json, parts.name);
  node->parts.key = name;
  if (name == NULL)
    name = sym_tfjs_flow_keep (self, "");
  name->first = self->n_nodes++;
  node->name = name;
  node->kind = sym_tfjs_parse_kind (json, parts.op);
  for (SymJsonIter i = sym_json_iterate (json, parts.inputs); sym_json_iter_next (json, &i);)
    {
      SymNetKey *use = sym_net_keys_enter_string (self->texts, json, i.value);

      if (use != NULL && use->text[0] != '^')
        {
          g_ptr_array_add (self->uses, use);
          node->parts.n_uses++;
          continue;
        }
      node->parts.has_others = TRUE;
      if (use != NULL && node->guard == NULL)
        node->guard = sym_tfjs_flow_keep (self, use->text + 1);
    }
  if (node->parts.n_uses > 0)
    node->guard = NULL;
  if (node->kind == SYM_TFJS_ENTER)
    {
      node->frame = add_frame (self, json, parts.attributes);
      sym_json_get_bool (
          json,
          sym_json_get_member (json, sym_json_get_member (json, parts.attributes, "is_constant"),
                               "b"),
          &node->is_constant);
    }
}

void
sym_tfjs_flow_read (SymTfjsFlow *self, const SymJson *json, guint nodes)
{
  guint n = sym_json_count (json, nodes), at = 0;

  self->nodes = g_new (SymTfjsNode, n);
  sym_net_keys_expect (self->texts, n);
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    read_node (self, json, i.value);
  self->makers = g_new (int, self->uses->len + 1);
  for (guint i = 0; i < n; at += self->nodes[i++].parts.n_uses)
    if (self->nodes[i].parts.n_uses > 0)
      {
        self->nodes[i].parts.uses = (SymNetKey **) &self->uses->pdata[at];
        self->nodes[i].makers = &self->makers[at];
      }
  resolve_all (self);
}
