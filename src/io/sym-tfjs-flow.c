/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-flow-private.h"

#include <string.h>

#define MAX_PASSES 64
#define BUDGET 50000000

SymTfjsNode *
sym_tfjs_flow_get_node (const SymTfjsFlow *self, int i)
{
  return &self->nodes[i];
}

SymTfjsFrame *
sym_tfjs_flow_get_frame (const SymTfjsFlow *self, int i)
{
  return &g_array_index (self->frames, SymTfjsFrame, i);
}

SymTfjsNode *
sym_tfjs_flow_find (const SymTfjsFlow *self, SymNetKey *use)
{
  return use->first == SYM_NO_ID ? NULL : sym_tfjs_flow_get_node (self, (int) use->first);
}

gboolean
sym_tfjs_flow_fail (SymTfjsFlow *self, const char *trouble)
{
  self->trouble = trouble;
  return FALSE;
}

void
sym_tfjs_flow_add_rename (SymTfjsFlow *self, SymNetKey *text, SymNetKey *other)
{
  g_ptr_array_add (self->renames, other);
  text->declared = self->renames->len;
  self->renames_nodes = self->renames_nodes || strchr (text->text, ':') == NULL;
}

static void
clear_frame (gpointer data)
{
  SymTfjsFrame *frame = data;

  g_free (frame->name);
  g_array_unref (frame->merges);
}

/* ---- An order ---- */

/* The places of nodes with those that they use before them, NextIteration but as the end of a path.
 */
static gboolean
find_order (SymTfjsFlow *self, int *order)
{
  guint n = self->n_nodes, n_done = 0, depth = 0;
  g_autofree guint8 *state = g_new0 (guint8, n + 1); /* 1: being looked at, 2: done */
  g_autofree guint *next = g_new0 (guint, n + 1);
  g_autofree int *path = g_new (int, n + 1);

  for (guint i = 0; i < n; i++)
    {
      if (state[i] == 0)
        path[depth++] = (int) i;
      while (depth > 0)
        {
          int at = path[depth - 1], other = SYM_TFJS_NONE;
          const SymTfjsNode *node = sym_tfjs_flow_get_node (self, at);

          state[at] = 1;
          while (next[at] < node->parts.n_uses && other == SYM_TFJS_NONE)
            {
              other = node->makers[next[at]++];
              if (other != SYM_TFJS_NONE && node->kind == SYM_TFJS_MERGE &&
                  sym_tfjs_flow_get_node (self, other)->kind == SYM_TFJS_NEXT)
                other = SYM_TFJS_NONE;
              if (other != SYM_TFJS_NONE && state[other] == 1)
                return sym_tfjs_flow_fail (self, "nodes need each other without a NextIteration");
              if (other != SYM_TFJS_NONE && state[other] == 2)
                other = SYM_TFJS_NONE;
            }
          if (other != SYM_TFJS_NONE)
            {
              path[depth++] = other;
              continue;
            }
          state[at] = 2;
          order[n_done++] = at;
          depth--;
        }
    }
  return TRUE;
}

/* ---- Loops ---- */

/* What a node that uses what @maker makes is in. */
static int
get_frame_of (const SymTfjsFlow *self, int maker)
{
  const SymTfjsNode *node = maker == SYM_TFJS_NONE ? NULL : sym_tfjs_flow_get_node (self, maker);

  if (node == NULL || node->frame == SYM_TFJS_NONE)
    return SYM_TFJS_NONE;
  return node->kind == SYM_TFJS_EXIT ? sym_tfjs_flow_get_frame (self, node->frame)->parent
                                     : node->frame;
}

static int
get_depth (const SymTfjsFlow *self, int frame)
{
  return frame == SYM_TFJS_NONE ? 0 : sym_tfjs_flow_get_frame (self, frame)->depth;
}

static gboolean
place_node (SymTfjsFlow *self, SymTfjsNode *node)
{
  int deepest = SYM_TFJS_NONE;

  for (guint i = 0; i < node->parts.n_uses; i++)
    {
      int frame = get_frame_of (self, node->makers[i]);

      if (get_depth (self, frame) > get_depth (self, deepest))
        deepest = frame;
    }
  if (node->kind == SYM_TFJS_ENTER)
    {
      SymTfjsFrame *frame = sym_tfjs_flow_get_frame (self, node->frame);
      int depth = get_depth (self, deepest) + 1;

      if (deepest == node->frame || depth <= frame->depth)
        return FALSE;
      frame->parent = deepest;
      frame->depth = depth;
      return TRUE;
    }
  if (node->frame == deepest)
    return FALSE;
  node->frame = deepest;
  return TRUE;
}

/* A frame that is known to be deeper later moves what is in it. */
static gboolean
place_nodes (SymTfjsFlow *self, const int *order)
{
  gboolean changed = TRUE;

  for (guint pass = 0; changed; pass++)
    {
      if (pass == MAX_PASSES)
        return sym_tfjs_flow_fail (self, "loops lie too deep in each other");
      changed = FALSE;
      for (guint i = 0; i < self->n_nodes; i++)
        changed = place_node (self, sym_tfjs_flow_get_node (self, order[i])) || changed;
    }
  return TRUE;
}

const SymTfjsNode *
sym_tfjs_flow_get_used (const SymTfjsFlow *self, const SymTfjsNode *node, guint i)
{
  return i < node->parts.n_uses && node->makers[i] != SYM_TFJS_NONE
             ? sym_tfjs_flow_get_node (self, node->makers[i])
             : NULL;
}

static gboolean
is_round (const SymTfjsFlow *self, const SymTfjsNode *node)
{
  const SymTfjsNode *first = sym_tfjs_flow_get_used (self, node, 0),
                    *second = sym_tfjs_flow_get_used (self, node, 1);

  return node->kind == SYM_TFJS_MERGE && first != NULL && second != NULL &&
         first->kind == SYM_TFJS_ENTER && second->kind == SYM_TFJS_NEXT;
}

/* The variables of loops: what Merge, Switch and Exit of each are. */
static gboolean
find_variables (SymTfjsFlow *self, const int *order)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      int place = order[i];
      SymTfjsNode *node = sym_tfjs_flow_get_node (self, place);
      g_autofree char *second_output = NULL;
      const SymTfjsNode *used = sym_tfjs_flow_get_used (self, node, 0),
                        *second = sym_tfjs_flow_get_used (self, node, 1);

      if (is_round (self, node))
        {
          GArray *merges = sym_tfjs_flow_get_frame (self, node->frame)->merges;

          node->variable = (int) merges->len;
          g_array_append_val (merges, place);
        }
      else if (node->kind == SYM_TFJS_SWITCH && second != NULL &&
               second->kind == SYM_TFJS_LOOP_CONDITION)
        {
          if (used == NULL || used->variable == SYM_TFJS_NONE || used->kind != SYM_TFJS_MERGE)
            return sym_tfjs_flow_fail (self, "a Switch of a loop has no Merge");
          node->variable = used->variable;
          second_output = g_strconcat (node->name->text, ":1", NULL);
          sym_tfjs_flow_add_rename (self, sym_tfjs_flow_keep (self, second_output), used->name);
        }
      else if (node->kind == SYM_TFJS_EXIT)
        {
          if (used == NULL || used->variable == SYM_TFJS_NONE || used->kind != SYM_TFJS_SWITCH)
            return sym_tfjs_flow_fail (self, "an Exit has no Switch of a loop");
          node->variable = used->variable;
        }
    }
  return TRUE;
}

/* ---- Choices ---- */

const SymTfjsNode *
sym_tfjs_flow_get_guard (const SymTfjsFlow *self, SymNetKey *use)
{
  const SymTfjsNode *node = sym_tfjs_flow_find (self, use);

  return node == NULL || node->guard == NULL ? NULL : sym_tfjs_flow_find (self, node->guard);
}

static gboolean
count_choice (SymTfjsFlow *self, SymTfjsNode *node)
{
  int depth = 0;

  for (guint k = 0; k < node->parts.n_uses; k++)
    {
      const SymTfjsNode *used = sym_tfjs_flow_get_used (self, node, k);

      if (used != NULL && (node->variable == SYM_TFJS_NONE || k == 0))
        depth = MAX (depth, used->depth);
      if (node->kind == SYM_TFJS_MERGE && node->variable == SYM_TFJS_NONE)
        {
          const SymTfjsNode *guard = sym_tfjs_flow_get_guard (self, node->parts.uses[k]);

          depth = guard == NULL ? depth : MAX (depth, guard->depth);
        }
    }
  if (node->kind == SYM_TFJS_SWITCH && node->variable == SYM_TFJS_NONE)
    depth++;
  else if (node->kind == SYM_TFJS_MERGE && node->variable == SYM_TFJS_NONE)
    depth--;
  if (node->kind == SYM_TFJS_ENTER)
    sym_tfjs_flow_get_frame (self, node->frame)->choices =
        MAX (sym_tfjs_flow_get_frame (self, node->frame)->choices, depth);
  else if (node->kind == SYM_TFJS_EXIT)
    depth = MAX (depth, sym_tfjs_flow_get_frame (self, node->frame)->choices);
  if (depth == node->depth)
    return FALSE;
  node->depth = depth;
  return TRUE;
}

/* A loop is in as many choices as any of the values that it is given. */
static gboolean
count_choices (SymTfjsFlow *self, const int *order)
{
  gboolean changed = TRUE;

  for (guint pass = 0; changed; pass++)
    {
      if (pass == MAX_PASSES)
        return sym_tfjs_flow_fail (self, "choices lie too deep in each other");
      changed = FALSE;
      for (guint i = 0; i < self->n_nodes; i++)
        changed = count_choice (self, sym_tfjs_flow_get_node (self, order[i])) || changed;
    }
  return TRUE;
}

/* ---- All of them ---- */

/* Choices come in their order, so that those within others are first; loops too, the deepest first.
 */
static gboolean
make_blocks (SymTfjsFlow *self, const int *order)
{
  int deepest = 0;

  for (guint i = 0; i < self->frames->len; i++)
    deepest = MAX (deepest, sym_tfjs_flow_get_frame (self, (int) i)->depth);
  for (int depth = deepest; depth >= 0; depth--)
    {
      for (guint i = 0; i < self->n_nodes; i++)
        {
          SymTfjsNode *node = sym_tfjs_flow_get_node (self, order[i]);

          if (node->kind == SYM_TFJS_MERGE && node->variable == SYM_TFJS_NONE &&
              get_depth (self, node->frame) == depth && !sym_tfjs_flow_make_choice (self, node))
            return FALSE;
        }
      for (guint i = 0; depth > 0 && i < self->frames->len; i++)
        if (sym_tfjs_flow_get_frame (self, (int) i)->depth == depth &&
            !sym_tfjs_flow_make_loop (self, (int) i))
          return FALSE;
    }
  return TRUE;
}

static void
list_outer (SymTfjsFlow *self)
{
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const SymTfjsNode *node = sym_tfjs_flow_get_node (self, (int) i);

      if (node->kind == SYM_TFJS_MERGE && node->block != SYM_TFJS_NONE &&
          node->frame == SYM_TFJS_NONE && node->depth == 0)
        g_array_append_val (self->outer, node->block);
    }
  for (guint i = 0; i < self->frames->len; i++)
    {
      const SymTfjsFrame *frame = sym_tfjs_flow_get_frame (self, (int) i);

      if (frame->parent == SYM_TFJS_NONE && frame->choices == 0)
        g_array_append_val (self->outer, frame->block);
    }
}

static gboolean
understand (SymTfjsFlow *self)
{
  g_autofree int *order = g_new (int, self->n_nodes);

  if (!find_order (self, order) || !place_nodes (self, order) || !find_variables (self, order) ||
      !count_choices (self, order) || !make_blocks (self, order))
    return FALSE;
  list_outer (self);
  return TRUE;
}

SymTfjsFlow *
sym_tfjs_flow_new (const SymJson *json, guint nodes, const char **trouble)
{
  g_autoptr (SymTfjsFlow) self = g_new0 (SymTfjsFlow, 1);
  gboolean has_flow = FALSE;

  self->uses = g_ptr_array_new ();
  self->frames = g_array_new (FALSE, FALSE, sizeof (SymTfjsFrame));
  g_array_set_clear_func (self->frames, clear_frame);
  self->blocks = g_ptr_array_new_with_free_func (sym_tfjs_block_free);
  self->outer = g_array_new (FALSE, FALSE, sizeof (guint));
  self->renames = g_ptr_array_new ();
  self->texts = sym_net_keys_new ();
  self->budget = BUDGET;
  *trouble = NULL;
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      if (sym_json_get_kind (json, i.value) != SYM_JSON_OBJECT)
        return NULL; /* the reader tells what is wrong with it */
      has_flow = has_flow || sym_tfjs_parse_kind (
                                 json, sym_json_get_member (json, i.value, "op")) != SYM_TFJS_PLAIN;
    }
  if (!has_flow)
    return NULL;
  sym_tfjs_flow_read (self, json, nodes);
  if (understand (self))
    return g_steal_pointer (&self);
  *trouble = self->trouble;
  return NULL;
}

void
sym_tfjs_flow_free (SymTfjsFlow *self)
{
  g_free (self->nodes);
  g_free (self->makers);
  g_ptr_array_unref (self->uses);
  g_array_unref (self->frames);
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->outer);
  g_ptr_array_unref (self->renames);
  sym_net_keys_free (self->texts);
  g_free (self);
}

static gboolean
is_plain (const SymTfjsNode *node)
{
  return node->kind == SYM_TFJS_PLAIN && node->frame == SYM_TFJS_NONE && node->depth == 0;
}

const SymTfjsParts *
sym_tfjs_flow_get_parts (const SymTfjsFlow *self, guint i)
{
  return &self->nodes[i].parts;
}

gboolean
sym_tfjs_flow_is_plain (const SymTfjsFlow *self, guint i)
{
  return is_plain (&self->nodes[i]);
}

gboolean
sym_tfjs_flow_is_within (const SymTfjsFlow *self, const char *use)
{
  guint i = sym_tfjs_flow_find_maker (self, use);

  return i != SYM_NO_ID && !is_plain (sym_tfjs_flow_get_node (self, (int) i));
}

const char *
sym_tfjs_flow_rename (const SymTfjsFlow *self, const char *use, gsize length)
{
  const SymNetKey *text;

  if (!self->renames_nodes && memchr (use, ':', length) == NULL)
    return NULL;
  text = sym_net_keys_find (self->texts, use, length);
  return text == NULL || text->declared == 0
             ? NULL
             : ((const SymNetKey *) g_ptr_array_index (self->renames, text->declared - 1))->text;
}

const SymNetKey *
sym_tfjs_flow_resolve (const SymTfjsFlow *self, const SymNetKey *use)
{
  return use->declared == 0 ? use : g_ptr_array_index (self->renames, use->declared - 1);
}

const SymTfjsBlock *
sym_tfjs_flow_get_block (const SymTfjsFlow *self, guint i)
{
  return g_ptr_array_index (self->blocks, i);
}

const GArray *
sym_tfjs_flow_get_outer (const SymTfjsFlow *self)
{
  return self->outer;
}
