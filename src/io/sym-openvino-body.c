/* SPDX-License-Identifier: MIT */
#include "io/sym-openvino-private.h"

#include <string.h>

/* How TensorIterator, Loop and If are connected with their bodies, as attributes that the operators
 * of ops/sym-op-openvino-control.c go by. */

typedef struct {
  const SymOpenvinoLayer *layer;
  const SymOpenvinoBody *body;
  const GPtrArray *uses;
  GPtrArray *inputs; /* of const char *: ids of the body's inputs, in order */
  const char *trouble;
} Connection;

static gboolean
fail (Connection *self, const char *trouble)
{
  self->trouble = trouble;
  return FALSE;
}

static GPtrArray *
list_inputs (const SymOpenvinoGraph *graph)
{
  GPtrArray *ids = g_ptr_array_new ();

  for (guint i = 0; i < graph->layers->len; i++)
    {
      const SymOpenvinoLayer *layer = graph->layers->pdata[i];

      if (g_strcmp0 (layer->type, "Parameter") == 0 && layer->id != NULL)
        g_ptr_array_add (ids, layer->id);
    }
  return ids;
}

static int
find_input (const Connection *self, const char *id)
{
  for (guint i = 0; id != NULL && i < self->inputs->len; i++)
    if (strcmp (self->inputs->pdata[i], id) == 0)
      return (int) i;
  return -1;
}

/* "3:1" is port "1" of layer "3". */
static gboolean
is_of_layer (const char *place, const char *layer)
{
  gsize n = strlen (layer);

  return strncmp (place, layer, n) == 0 && place[n] == ':';
}

static int
find_operand (const Connection *self, const char *port)
{
  for (guint i = 0; port != NULL && self->uses != NULL && i < self->uses->len; i++)
    if (strcmp (strrchr (((SymOpenvinoEdge *) self->uses->pdata[i])->to, ':') + 1, port) == 0)
      return (int) i;
  return -1;
}

/* What a Result of the body gives, NULL for none. */
static const char *
find_result (const Connection *self, const char *id)
{
  const GPtrArray *layers = self->body->graph->layers, *edges = self->body->graph->edges;
  gboolean is_result = FALSE;

  for (guint i = 0; id != NULL && i < layers->len && !is_result; i++)
    {
      const SymOpenvinoLayer *layer = layers->pdata[i];

      is_result = g_strcmp0 (layer->id, id) == 0 && g_strcmp0 (layer->type, "Result") == 0;
    }
  for (guint i = 0; is_result && i < edges->len; i++)
    if (is_of_layer (((SymOpenvinoEdge *) edges->pdata[i])->to, id))
      return ((SymOpenvinoEdge *) edges->pdata[i])->from;
  return NULL;
}

static const SymOpenvinoMapping *
find_mapping (const Connection *self, gboolean is_output, const char *port, const char *purpose)
{
  for (guint i = 0; i < self->body->mappings->len; i++)
    {
      const SymOpenvinoMapping *mapping =
          &g_array_index (self->body->mappings, SymOpenvinoMapping, i);

      if (mapping->is_output == is_output &&
          (purpose == NULL ? g_strcmp0 (mapping->port, port) == 0
                           : g_strcmp0 (mapping->purpose, purpose) == 0))
        return mapping;
    }
  return NULL;
}

static void
add_slice (GPtrArray *list, const SymOpenvinoMapping *mapping)
{
  if (mapping != NULL && mapping->has_axis)
    g_ptr_array_add (
        list, sym_value_new_ints (SYM_VALUE_LIST,
                                  (const gint64[]){ mapping->axis, mapping->start, mapping->end,
                                                    mapping->stride, mapping->part_size },
                                  5));
  else
    g_ptr_array_add (list, sym_value_new_none ());
}

static void
take_list (SymAttributes *attributes, const char *name, const GPtrArray *list)
{
  sym_attributes_set (attributes, name,
                      sym_value_new_list ((SymValue *const *) list->pdata, list->len), NULL);
}

static void
set_ints (SymAttributes *attributes, const char *name, const GArray *list)
{
  sym_attributes_set (
      attributes, name,
      sym_value_new_ints (SYM_VALUE_LIST, (const gint64 *) (gpointer) list->data, list->len), NULL);
}

/* Which operand each input of the body is, -1 for none, and which part of it. */
static gboolean
connect_inputs (Connection *self,
                SymAttributes *attributes,
                const char *operands,
                const char *slices)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const SymOpenvinoMapping *found = NULL;
      gint64 place = -1;

      for (guint k = 0; k < self->body->mappings->len; k++)
        {
          const SymOpenvinoMapping *mapping =
              &g_array_index (self->body->mappings, SymOpenvinoMapping, k);

          if (!mapping->is_output && g_strcmp0 (mapping->layer, self->inputs->pdata[i]) == 0)
            found = mapping;
        }
      if (found != NULL)
        place = find_operand (self, found->port);
      g_array_append_val (places, place);
      add_slice (parts, place < 0 ? NULL : found);
    }
  set_ints (attributes, operands, places);
  if (slices != NULL)
    take_list (attributes, slices, parts);
  else
    g_ptr_array_foreach (parts, (GFunc) (gpointer) sym_value_unref, NULL);
  return TRUE;
}

/* The results of the layer, in order. */
static gboolean
connect_outputs (Connection *self,
                 SymAttributes *attributes,
                 const char *slices,
                 GPtrArray *results)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  gboolean done = TRUE;

  for (guint i = 0; i < self->layer->outputs->len; i++)
    {
      const SymOpenvinoPort *port = &g_array_index (self->layer->outputs, SymOpenvinoPort, i);
      const SymOpenvinoMapping *mapping = find_mapping (self, TRUE, port->id, NULL);
      const char *made = mapping == NULL ? NULL : find_result (self, mapping->layer);

      done = done && made != NULL;
      g_ptr_array_add (results, g_strdup (made == NULL ? "" : made));
      add_slice (parts, mapping);
    }
  if (slices != NULL)
    take_list (attributes, slices, parts);
  else
    g_ptr_array_foreach (parts, (GFunc) (gpointer) sym_value_unref, NULL);
  return done ||
         fail (self, "its port map does not name a Result of its body for each of its outputs");
}

/* Which result of the body each of its inputs is at the next turn, -1 for none. */
static gboolean
connect_turns (Connection *self, SymAttributes *attributes, GPtrArray *results)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 none = -1;

  for (guint i = 0; i < self->inputs->len; i++)
    g_array_append_val (turns, none);
  for (guint i = 0; i < self->body->returns->len; i++)
    {
      const SymOpenvinoEdge *edge = self->body->returns->pdata[i];
      g_autofree char *from =
          g_strndup (edge->from, (gsize) (strchr (edge->from, ':') - edge->from));
      g_autofree char *to = g_strndup (edge->to, (gsize) (strchr (edge->to, ':') - edge->to));
      const char *made = find_result (self, from);
      int input = find_input (self, to);

      if (made == NULL || input < 0)
        return fail (self, "its back edges do not lead from results of its body to inputs of it");
      g_array_index (turns, gint64, input) = results->len;
      g_ptr_array_add (results, g_strdup (made));
    }
  set_ints (attributes, "back_edges", turns);
  return TRUE;
}

/* Of Loop: the input that is the number of the turn, the result that tells whether to go on. */
static gboolean
connect_purposes (Connection *self, SymAttributes *attributes, GPtrArray *results)
{
  const SymOpenvinoMapping *number = find_mapping (self, FALSE, NULL, "current_iteration"),
                           *go = find_mapping (self, TRUE, NULL, "execution_condition");
  int input = number == NULL ? -1 : find_input (self, number->layer);
  const char *made = go == NULL ? NULL : find_result (self, go->layer);

  if ((number != NULL && input < 0) || (go != NULL && made == NULL))
    return fail (self, "its port map names layers that its body does not have");
  if (input >= 0)
    sym_attributes_set (attributes, "current_iteration", sym_value_new_int (input), NULL);
  if (made == NULL)
    return TRUE;
  sym_attributes_set (attributes, "execution_condition", sym_value_new_int (results->len), NULL);
  g_ptr_array_add (results, g_strdup (made));
  return TRUE;
}

static gboolean
connect (Connection *self, SymAttributes *attributes, GPtrArray *results)
{
  g_autofree char *operands = NULL;

  if (g_strcmp0 (self->layer->type, "If") == 0)
    {
      operands = g_strconcat (self->body->name, "_operands", NULL);
      return connect_inputs (self, attributes, operands, NULL) &&
             connect_outputs (self, attributes, NULL, results);
    }
  return connect_inputs (self, attributes, "body_operands", "input_parts") &&
         connect_outputs (self, attributes, "output_parts", results) &&
         connect_turns (self, attributes, results) && connect_purposes (self, attributes, results);
}

gboolean
sym_openvino_connect_body (const SymOpenvinoLayer *layer,
                           guint i,
                           const GPtrArray *uses,
                           SymAttributes *attributes,
                           GPtrArray *results,
                           const char **trouble)
{
  const SymOpenvinoBody *body = layer->bodies->pdata[i];
  g_autoptr (GPtrArray) inputs = list_inputs (body->graph);
  Connection self = { layer, body, uses, inputs, NULL };

  if (connect (&self, attributes, results))
    return TRUE;
  g_ptr_array_set_size (results, 0);
  *trouble = self.trouble;
  return FALSE;
}
