/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-builder.h"

#include "core/sym-progress.h"
#include "scene/sym-scene-group.h"
#include "scene/sym-scene-text.h"

#include <string.h>

/* What is not known at all is not written on a line. */
static gboolean
knows_type (const SymSceneBuilder *self, const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  if (type.kind != SYM_KIND_TENSOR)
    return type.kind != SYM_KIND_UNKNOWN;
  return type.shape.rank >= 0 ||
         (self->labels & SYM_LABEL_DTYPE && type.dtype != SYM_DTYPE_UNKNOWN);
}

const char *
sym_scene_builder_get_edge_label (SymSceneBuilder *self, const SymSceneTables *tables, SymId value)
{
  SymInference *inference = tables->what.inference;
  SymLabels labels = self->labels & (SYM_LABEL_SHAPE | SYM_LABEL_DTYPE);
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;
  const char *end;

  if (self->scene->drawing != SYM_DRAWING_LAYERS)
    return NULL;
  if (self->options->node_text)
    text = self->options->node_text (inference, value, self->options->user_data);
  if (!text && labels && knows_type (self, inference, value))
    text = sym_scene_format_type (inference, value, labels);
  if (!text)
    return NULL;
  end = strchr (text, '\n');
  line = sym_scene_clean_line (text, end ? end - text : -1);
  return g_string_chunk_insert_const (self->scene->texts, line);
}

static gboolean
is_group (const SymSceneBuilder *self, guint item)
{
  return g_array_index (self->items, SymSceneItem, item).group != SYM_NO_GROUP;
}

static void
add_data_edges (SymSceneBuilder *self, SymId call, guint to)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymSceneEdge edge = { .to = to };
  g_autofree guint8 *is_taken = sym_scene_builder_join_bodies (self, call, to);

  for (guint i = 0; i < operands.n; i++)
    {
      if (is_taken && is_taken[i])
        continue;
      edge.value = operands.ids[i];
      edge.from = sym_scene_find_value_in (self->scene, self->body, edge.value);
      if (edge.from == G_MAXUINT || self->tables->last_users[edge.value] == to + 1 ||
          (edge.from == to && is_group (self, to)))
        continue;
      self->tables->last_users[edge.value] = to + 1;
      edge.from_box = self->tables->value_boxes[edge.value];
      edge.is_back = sym_model_is_back_edge (self->model, call, i);
      edge.label = sym_scene_builder_get_edge_label (self, self->tables, edge.value);
      g_array_append_val (self->edges, edge);
    }
}

static void
add_control_edges (SymSceneBuilder *self, SymId call, guint to)
{
  SymIds controls = sym_model_get_controls (self->model, call);
  SymSceneEdge edge = { .to = to, .is_control = TRUE };

  for (guint i = 0; i < controls.n; i++)
    {
      edge.from = sym_scene_find_call_in (self->scene, self->body, controls.ids[i]);
      if (edge.from == G_MAXUINT || self->last_waiters[edge.from] == to + 1 ||
          (edge.from == to && is_group (self, to)))
        continue;
      self->last_waiters[edge.from] = to + 1;
      edge.value = g_array_index (self->items, SymSceneItem, edge.from).value;
      edge.is_back = edge.from == to;
      g_array_append_val (self->edges, edge);
    }
}

static void
add_edges_to_call (SymSceneBuilder *self, SymId call, guint to)
{
  add_data_edges (self, call, to);
  add_control_edges (self, call, to);
}

static void
add_edges_to_group (SymSceneBuilder *self, guint to)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  sym_scene_collect_group_calls (self->options->folding,
                                 g_array_index (self->items, SymSceneItem, to).group, calls);
  for (guint i = 0; i < calls->len; i++)
    if (sym_scene_builder_has_call (self, g_array_index (calls, SymId, i)))
      add_edges_to_call (self, g_array_index (calls, SymId, i), to);
}

void
sym_scene_builder_add_edges (SymSceneBuilder *self)
{
  self->last_waiters = g_new0 (guint, self->items->len + 1);
  for (guint i = 0; i < self->items->len; i++)
    {
      SymId call = g_array_index (self->items, SymSceneItem, i).call;

      if (sym_progress_step (self->options->cancellable, i, self->items->len))
        break;
      sym_scene_builder_enter (self, g_array_index (self->items, SymSceneItem, i).body);
      if (call != SYM_NO_ID)
        add_edges_to_call (self, call, i);
      else if (is_group (self, i))
        add_edges_to_group (self, i);
    }
  g_clear_pointer (&self->last_waiters, g_free);
}
