/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-flow-private.h"

#include <string.h>

static gboolean
is_second (SymNetKey *use)
{
  return g_str_has_suffix (use->text, ":1");
}

/* ---- Bodies ---- */

/* What a body is looked for in: nodes of @frame within more than @depth choices. */
typedef struct {
  SymTfjsFlow *flow;
  SymTfjsBlock *block;
  SymTfjsBody *body;
  int frame, depth;
  SymNetKey *condition; /* of a choice: what its Switches ask; NULL while that is looked for */
  guint number;         /* of the body, counted from 1 */
  GPtrArray *uses;      /* that are to be looked at */
  int side;             /* which output of Switches was met; NONE */
} Slice;

static void
add_input (SymTfjsBlock *block, SymNetKey *inside, const SymNetKey *outside)
{
  SymTfjsInput input = { inside->text, outside->text };

  if (inside->last == block->number)
    return;
  inside->last = block->number;
  g_array_append_val (block->inputs, input);
}

static void
push (Slice *self, SymNetKey *use)
{
  g_ptr_array_add (self->uses, (gpointer) use);
}

static void
push_text (Slice *self, const char *text)
{
  push (self, sym_net_keys_find (self->flow->texts, text, strlen (text)));
}

/* A loop or choice within: all that it is given is needed. */
static void
add_block (Slice *self, int i)
{
  SymTfjsBlock *inner = g_ptr_array_index (self->flow->blocks, i);
  guint number = (guint) i;

  if (inner->met == self->number)
    return;
  inner->met = self->number;
  g_array_append_val (self->body->blocks, number);
  if (inner->condition != NULL)
    push_text (self, inner->condition);
  for (guint k = 0; k < inner->inputs->len; k++)
    push_text (self, g_array_index (inner->inputs, SymTfjsInput, k).outside);
}

static gboolean
meet_switch (Slice *self, const SymTfjsNode *node, SymNetKey *use)
{
  int side = is_second (use) ? 1 : 0;

  if (node->parts.n_uses != 2)
    return sym_tfjs_flow_fail (self->flow, "a Switch needs a value and a condition");
  if (self->condition == NULL)
    self->condition = node->parts.uses[1];
  if (self->condition != node->parts.uses[1] || (self->side != SYM_TFJS_NONE && self->side != side))
    return sym_tfjs_flow_fail (self->flow, "branches of several conditions come together");
  self->side = side;
  add_input (self->block, use, node->parts.uses[0]);
  return TRUE;
}

/* Whether a use is of what loops and choices give and take: one value for each node. */
static gboolean
is_first (SymNetKey *use)
{
  const char *colon = strchr (use->text, ':');

  return colon == NULL || strcmp (colon, ":0") == 0;
}

static gboolean
look_at (Slice *self, SymNetKey *use)
{
  SymTfjsNode *node = sym_tfjs_flow_find (self->flow, use);
  int frame = node == NULL ? SYM_TFJS_NONE : node->frame;
  guint place;

  if (node != NULL && !is_first (use) &&
      (node->kind == SYM_TFJS_EXIT || node->kind == SYM_TFJS_ENTER || node->kind == SYM_TFJS_MERGE))
    return sym_tfjs_flow_fail (self->flow, "a value is used that they do not have");
  if (node != NULL && node->kind == SYM_TFJS_EXIT)
    {
      int inner = sym_tfjs_flow_get_frame (self->flow, node->frame)->block;

      frame = sym_tfjs_flow_get_frame (self->flow, node->frame)->parent;
      if (frame == self->frame && inner != SYM_TFJS_NONE && node->depth > self->depth)
        {
          add_block (self, inner);
          return TRUE;
        }
    }
  if (node == NULL || frame != self->frame || node->depth <= self->depth)
    add_input (self->block, use, use);
  else if (node->variable != SYM_TFJS_NONE && node->kind != SYM_TFJS_EXIT)
    return node->kind == SYM_TFJS_MERGE || is_second (use) ||
           sym_tfjs_flow_fail (self->flow, "a loop leaves itself by no Exit");
  else if (node->kind == SYM_TFJS_ENTER)
    {
      if (node->parts.n_uses != 1)
        return sym_tfjs_flow_fail (self->flow, "an Enter needs one value");
      add_input (self->block, node->name, node->parts.uses[0]);
    }
  else if (node->kind == SYM_TFJS_SWITCH && node->depth == self->depth + 1 && !self->block->is_loop)
    return meet_switch (self, node, use);
  else if (node->kind == SYM_TFJS_MERGE && node->block != SYM_TFJS_NONE)
    add_block (self, node->block);
  else if (node->kind != SYM_TFJS_PLAIN)
    return sym_tfjs_flow_fail (self->flow, "a node of a loop or choice is at an odd place");
  else if (node->met != self->number)
    {
      node->met = self->number;
      place = (guint) (node - self->flow->nodes);
      g_array_append_val (self->body->nodes, place);
      for (guint k = 0; k < node->parts.n_uses; k++)
        push (self, node->parts.uses[k]);
    }
  return TRUE;
}

/* All that @body's outputs need. */
static gboolean
fill_body (Slice *self)
{
  gboolean done = TRUE;

  self->number = ++self->flow->n_bodies;
  self->uses = g_ptr_array_new ();
  for (guint i = 0; i < self->body->outputs->len; i++)
    push_text (self, self->body->outputs->pdata[i]);
  while (self->uses->len > 0 && done)
    {
      SymNetKey *use = g_ptr_array_steal_index_fast (self->uses, self->uses->len - 1);

      if (use->declared != 0)
        use = g_ptr_array_index (self->flow->renames, use->declared - 1);
      done = self->flow->budget > 0 ? look_at (self, use)
                                    : sym_tfjs_flow_fail (self->flow, "they are too many");
      self->flow->budget -= done ? 1 : 0;
    }
  g_ptr_array_unref (self->uses);
  return done;
}

/* What several blocks hold is in each of them. */
static gboolean
measure (SymTfjsFlow *self, SymTfjsBlock *block)
{
  guint64 most = 16 * (guint64) self->n_nodes + 10000;

  for (guint k = 0; k < 2; k++)
    {
      const GArray *inner = block->bodies[k].blocks;

      block->size += block->bodies[k].nodes->len + 1;
      for (guint i = 0; i < inner->len && block->size <= most; i++)
        block->size += ((const SymTfjsBlock *) g_ptr_array_index (self->blocks,
                                                                  g_array_index (inner, guint, i)))
                           ->size;
    }
  return block->size <= most || sym_tfjs_flow_fail (self, "they hold each other too often");
}

void
sym_tfjs_block_free (gpointer data)
{
  SymTfjsBlock *block = data;

  g_free (block->name);
  g_array_unref (block->inputs);
  g_ptr_array_unref (block->results);
  for (guint i = 0; i < 2; i++)
    {
      g_array_unref (block->bodies[i].nodes);
      g_array_unref (block->bodies[i].blocks);
      g_ptr_array_unref (block->bodies[i].outputs);
    }
  g_free (block);
}

static SymTfjsBlock *
new_block (SymTfjsFlow *self, char *take_name, guint token)
{
  SymTfjsBlock *block = g_new0 (SymTfjsBlock, 1);

  block->name = take_name;
  block->token = token;
  block->inputs = g_array_new (FALSE, FALSE, sizeof (SymTfjsInput));
  block->results = g_ptr_array_new ();
  for (guint i = 0; i < 2; i++)
    {
      block->bodies[i].nodes = g_array_new (FALSE, FALSE, sizeof (guint));
      block->bodies[i].blocks = g_array_new (FALSE, FALSE, sizeof (guint));
      block->bodies[i].outputs = g_ptr_array_new ();
    }
  g_ptr_array_add (self->blocks, block);
  block->number = self->blocks->len;
  return block;
}

/* ---- A choice ---- */

/* The side of a branch that is a constant: its guard shows what one output of a Switch is. */
static void
find_side (Slice *self, SymNetKey *output)
{
  const SymTfjsNode *guard = sym_tfjs_flow_get_guard (self->flow, output);
  const SymTfjsNode *node = guard == NULL || guard->parts.n_uses != 1
                                ? NULL
                                : sym_tfjs_flow_get_used (self->flow, guard, 0);

  if (node == NULL || node->kind != SYM_TFJS_SWITCH || node->parts.n_uses != 2 ||
      (self->condition != NULL && self->condition != node->parts.uses[1]))
    return;
  self->condition = node->parts.uses[1];
  self->side = is_second (guard->parts.uses[0]) ? 1 : 0;
}

gboolean
sym_tfjs_flow_make_choice (SymTfjsFlow *self, SymTfjsNode *merge)
{
  SymTfjsBlock *block = new_block (self, g_strdup (merge->name->text), merge->parts.token);
  Slice slices[2];

  if (merge->parts.n_uses != 2)
    return sym_tfjs_flow_fail (self, "a Merge needs two values");
  for (guint i = 0; i < 2; i++)
    {
      SymTfjsBody draft = block->bodies[i];

      slices[i] = (Slice){ .flow = self,
                           .block = block,
                           .body = &draft,
                           .frame = merge->frame,
                           .depth = merge->depth,
                           .side = SYM_TFJS_NONE,
                           .condition = i == 0 ? NULL : slices[0].condition };
      g_ptr_array_add (draft.outputs, merge->parts.uses[i]->text);
      if (!fill_body (&slices[i]))
        return FALSE;
      if (slices[i].side == SYM_TFJS_NONE)
        find_side (&slices[i], merge->parts.uses[i]);
    }
  if (slices[1].condition == NULL ||
      (slices[0].side == SYM_TFJS_NONE && slices[1].side == SYM_TFJS_NONE) ||
      slices[0].side == slices[1].side)
    return sym_tfjs_flow_fail (self, "a Merge has no Switch");
  block->condition = slices[1].condition->text;
  /* The first branch is the one for truth. */
  if (slices[0].side == 0 || slices[1].side == 1)
    {
      SymTfjsBody first = block->bodies[0];

      block->bodies[0] = block->bodies[1];
      block->bodies[1] = first;
    }
  g_ptr_array_add (block->results, merge->name->text);
  merge->block = (int) self->blocks->len - 1;
  return measure (self, block);
}

/* ---- A loop ---- */

/* "nms/map/while/while_context" is that of nms/map/while. */
static char *
name_loop (const SymTfjsFrame *frame)
{
  g_autofree char *text = g_strdup (frame->name);
  const char *end = "/while_context";

  if (*text == '\0' || !g_utf8_validate (text, -1, NULL))
    return g_strdup ("while");
  if (g_str_has_suffix (text, end))
    text[strlen (text) - strlen (end)] = '\0';
  return g_steal_pointer (&text);
}

static const SymTfjsNode *
find_condition (const SymTfjsFlow *self, int frame)
{
  for (guint i = 0; i < self->n_nodes; i++)
    if (sym_tfjs_flow_get_node (self, (int) i)->kind == SYM_TFJS_LOOP_CONDITION &&
        sym_tfjs_flow_get_node (self, (int) i)->frame == frame)
      return sym_tfjs_flow_get_node (self, (int) i);
  return NULL;
}

/* Further Exits of a variable are the first one. */
static void
find_results (SymTfjsFlow *self, int frame, SymTfjsBlock *block)
{
  guint n = sym_tfjs_flow_get_frame (self, frame)->merges->len;
  g_autofree SymNetKey **first = g_new0 (SymNetKey *, n);

  g_ptr_array_set_size (block->results, (int) n);
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const SymTfjsNode *node = sym_tfjs_flow_get_node (self, (int) i);
      SymNetKey **result;

      if (node->kind != SYM_TFJS_EXIT || node->frame != frame)
        continue;
      result = &first[node->variable];
      if (*result == NULL)
        {
          *result = node->name;
          block->results->pdata[node->variable] = node->name->text;
        }
      else
        sym_tfjs_flow_add_rename (self, node->name, *result);
    }
}

gboolean
sym_tfjs_flow_make_loop (SymTfjsFlow *self, int number)
{
  SymTfjsFrame *frame = sym_tfjs_flow_get_frame (self, number);
  const SymTfjsNode *condition = find_condition (self, number);
  SymTfjsBlock *block =
      new_block (self, name_loop (frame), condition == NULL ? 0 : condition->parts.token);
  int depth = condition == NULL ? 0 : -1;

  block->is_loop = TRUE;
  if (condition == NULL || condition->parts.n_uses != 1 || frame->merges->len == 0)
    return sym_tfjs_flow_fail (self, "a loop has no condition, or no variables");
  g_ptr_array_add (block->bodies[0].outputs, condition->parts.uses[0]->text);
  for (guint i = 0; i < frame->merges->len; i++)
    {
      const SymTfjsNode *merge =
          sym_tfjs_flow_get_node (self, g_array_index (frame->merges, int, i));
      const SymTfjsNode *enter = sym_tfjs_flow_get_used (self, merge, 0),
                        *next = sym_tfjs_flow_get_used (self, merge, 1);

      if (enter == NULL || next == NULL || enter->parts.n_uses != 1 || next->parts.n_uses != 1)
        return sym_tfjs_flow_fail (self, "an Enter or NextIteration needs one value");
      add_input (block, merge->name, enter->parts.uses[0]);
      g_ptr_array_add (block->bodies[1].outputs, next->parts.uses[0]->text);
    }
  block->n_round = block->inputs->len;
  for (guint i = 0; i < 2; i++)
    {
      Slice slice = { .flow = self,
                      .block = block,
                      .body = &block->bodies[i],
                      .frame = number,
                      .depth = depth,
                      .side = SYM_TFJS_NONE };

      if (!fill_body (&slice))
        return FALSE;
    }
  find_results (self, number, block);
  frame->block = (int) self->blocks->len - 1;
  return measure (self, block);
}
