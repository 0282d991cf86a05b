/* SPDX-License-Identifier: MIT */
#include "query/sym-open-bodies.h"
#include "query/sym-parts.h"
#include "scene/sym-scene-builder.h"
#include "scene/sym-scene-group.h"

/* A file can say in a few lines that bodies have bodies two times two times two.  Depth is bounded
 * as that of inference is, and the whole by what a layout can take. */
#define MAX_DEPTH 32
#define MAX_ENTRIES 100000

/* The operand of the call around it that an input of a body stands for; SYM_NO_ID for none. */
static SymId
find_operand (const SymSceneTables *around, const SymSceneTables *tables, guint input)
{
  SymIds operands = sym_model_get_operands (around->model, tables->what.call);
  int operand = tables->operands[input];

  if (operand < 0 || (guint) operand >= operands.n ||
      !sym_model_has_value (around->model, operands.ids[operand]))
    return SYM_NO_ID;
  return operands.ids[operand];
}

/* Weights are drawn nowhere; that is told by where they come from. */
static void
mark_weights (const SymSceneTables *around, SymSceneTables *tables)
{
  SymIds inputs = sym_model_get_inputs (tables->model);

  tables->is_hidden = g_new0 (guint8, sym_model_get_n_values (tables->model) + 1);
  for (guint i = 0; i < inputs.n; i++)
    {
      SymId operand = find_operand (around, tables, i);

      if (operand != SYM_NO_ID && !sym_role_is_data (sym_model_get_role (around->model, operand)))
        tables->is_hidden[inputs.ids[i]] = 1;
    }
}

static gboolean
is_of_weights (const SymSceneTables *tables, SymId value)
{
  return value == SYM_NO_ID || tables->is_hidden[value] ||
         !sym_role_is_data (sym_model_get_role (tables->model, value));
}

/* In a body that was made for the call it is not drawn either how weights are arranged. */
static void
hide_of_weights (SymSceneTables *tables)
{
  SymIds order = sym_model_get_execution_order (tables->model);

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (tables->model, order.ids[i]);
      SymIds results = sym_model_get_results (tables->model, order.ids[i]);
      guint k = 0;

      while (k < operands.n && is_of_weights (tables, operands.ids[k]))
        k++;
      for (guint r = 0; k == operands.n && r < results.n; r++)
        tables->is_hidden[results.ids[r]] = 1;
    }
}

/* Nor what would have been made for results that the call has not, nor operands that it has not. */
static void
hide_unneeded (SymSceneTables *tables)
{
  SymIds order = sym_model_get_execution_order (tables->model);
  SymIds inputs = sym_model_get_inputs (tables->model);
  SymIds outputs = sym_model_get_outputs (tables->model);
  g_autofree guint8 *is_needed = g_new0 (guint8, sym_model_get_n_values (tables->model) + 1);

  for (guint i = 0; i < outputs.n; i++)
    is_needed[outputs.ids[i]] = 1;
  for (guint i = order.n; i-- > 0;)
    {
      SymIds operands = sym_model_get_operands (tables->model, order.ids[i]);
      SymIds results = sym_model_get_results (tables->model, order.ids[i]);
      gboolean is_used = FALSE;

      for (guint k = 0; k < results.n; k++)
        is_used |= is_needed[results.ids[k]];
      for (guint k = 0; k < results.n; k++)
        tables->is_hidden[results.ids[k]] |= !is_needed[results.ids[k]];
      for (guint k = 0; is_used && k < operands.n; k++)
        if (operands.ids[k] != SYM_NO_ID)
          is_needed[operands.ids[k]] = 1;
    }
  for (guint i = 0; i < inputs.n; i++)
    tables->is_hidden[inputs.ids[i]] |= !is_needed[inputs.ids[i]];
}

/* Of a body that was not run for the call, what it says by itself. */
static SymInference *
infer_body (SymSceneBuilder *self, SymId call, guint index, SymModel *model)
{
  const SymInference *known = sym_inference_get_body (self->tables->what.inference, call, index);
  SymInference *own;

  if (known)
    return sym_inference_ref ((SymInference *) known);
  own = g_hash_table_lookup (self->inferences, model);
  if (own == NULL)
    {
      own = sym_infer (model, NULL, 0, NULL, NULL); /* fails only when it is cancelled */
      g_hash_table_insert (self->inferences, model, own);
    }
  return sym_inference_ref (own);
}

/* The number of the row that the call has in the summary, as bodies are told there. */
static guint
find_row (SymSceneTables *tables, SymId call)
{
  SymIds rows = sym_model_get_rows (tables->model);
  SymIds results = sym_model_get_results (tables->model, call);

  if (!tables->value_rows)
    {
      tables->value_rows = g_new0 (guint, sym_model_get_n_values (tables->model) + 1);
      for (guint i = 0; i < rows.n; i++)
        tables->value_rows[rows.ids[i]] = i + 1;
    }
  for (guint i = 0; i < results.n; i++)
    if (tables->value_rows[results.ids[i]] > 0)
      return tables->value_rows[results.ids[i]];
  return 0;
}

/* "3." where the layer of row 3 has one body, "3a." of several; "call7." without a row. */
static char *
format_prefix (SymSceneTables *around, SymId call, guint index)
{
  SymLayer *layer = sym_model_get_layer (around->model, call);
  g_autofree char *letters =
      sym_layer_get_n_bodies (layer) > 1 ? sym_path_format_body (index) : g_strdup ("");
  guint row = find_row (around, call);

  return g_strdup_printf ("%s%s%u%s.", around->what.prefix, row > 0 ? "" : "call",
                          row > 0 ? row : call, letters);
}

static void
find_operands (const SymSceneBuilder *self, SymSceneTables *tables, gboolean is_made)
{
  guint n_operands = sym_model_get_operands (self->model, tables->what.call).n;
  guint n = sym_model_get_inputs (tables->model).n;

  tables->operands = g_new (int, MAX (n, 1));
  for (guint i = 0; is_made && i < n; i++)
    tables->operands[i] = i < n_operands ? (int) i : -1;
  if (!is_made)
    sym_layer_get_body_operands (sym_model_get_layer (self->model, tables->what.call),
                                 tables->what.index, n_operands, tables->operands, n);
}

/* @made is the body of a layer that has none of its own, else NULL. */
static void
add_body (SymSceneBuilder *self, SymId call, const char *call_path, guint index, SymModel *made)
{
  SymScene *scene = self->scene;
  const char *name = NULL;
  SymModel *model =
      made != NULL ? made
                   : sym_layer_get_body (sym_model_get_layer (self->model, call), index, &name);
  g_autoptr (SymInference) inference =
      made != NULL ? sym_parts_infer (self->tables->what.inference, call, made)
                   : infer_body (self, call, index, model);
  SymSceneTables *tables =
      sym_scene_tables_new (inference, sym_model_get_inputs (model), sym_model_get_outputs (model));
  g_autofree char *path = sym_path_enter_body (call_path, index);
  g_autofree char *prefix = format_prefix (self->tables, call, index);

  tables->what.parent = self->body;
  tables->depth = self->tables->depth + 1;
  tables->what.call = call;
  tables->what.index = index;
  tables->what.is_made = made != NULL || self->tables->what.is_made;
  tables->what.name = g_string_chunk_insert_const (scene->texts, name ? name : "");
  tables->what.path = g_string_chunk_insert_const (scene->texts, path);
  tables->what.prefix = g_string_chunk_insert_const (scene->texts, prefix);
  find_operands (self, tables, made != NULL);
  mark_weights (self->tables, tables);
  if (made != NULL)
    {
      hide_of_weights (tables);
      hide_unneeded (tables);
    }
  g_hash_table_insert (scene->body_paths, (gpointer) tables->what.path,
                       GUINT_TO_POINTER (scene->bodies->len));
  g_ptr_array_add (scene->bodies, tables);
}

static gboolean
is_within (const SymSceneBuilder *self, const SymModel *model)
{
  for (guint body = self->body;; body = sym_scene_get_body (self->scene, body)->parent)
    {
      if (sym_scene_get_tables (self->scene, body)->model == model)
        return TRUE;
      if (body == 0)
        return FALSE;
    }
}

/* Whether there is room for all of its bodies, @made or its own, which is taken. */
static gboolean
reserve (SymSceneBuilder *self, const SymLayer *layer, SymModel *made)
{
  guint64 n_entries = self->n_entries;

  if (self->tables->depth >= MAX_DEPTH)
    return FALSE;
  for (guint i = 0; i < (made != NULL ? 1 : sym_layer_get_n_bodies (layer)); i++)
    {
      SymModel *model = made != NULL ? made : sym_layer_get_body (layer, i, NULL);

      n_entries += 1 + sym_model_get_n_entries (model);
      if (n_entries > MAX_ENTRIES || is_within (self, model))
        return FALSE;
    }
  self->n_entries = (guint) n_entries;
  return TRUE;
}

static void
open_call (SymSceneBuilder *self, guint item)
{
  SymSceneItem *what = &g_array_index (self->items, SymSceneItem, item);
  g_autofree char *path = sym_path_enter_call (self->tables->what.path, what->call);
  const SymLayer *layer = sym_model_get_layer (self->model, what->call);
  gboolean is_made = sym_layer_get_n_bodies (layer) == 0;
  g_autoptr (SymModel) made = NULL;

  if (!sym_open_bodies_has (self->options->open_bodies, path))
    return;
  if (is_made)
    made = sym_parts_make (self->tables->what.inference, what->call);
  if (is_made && made == NULL)
    {
      self->scene->n_not_made++;
      return;
    }
  if (!reserve (self, layer, made))
    {
      self->scene->n_left_closed++;
      return;
    }
  what->first_body = self->scene->bodies->len;
  for (guint i = 0; i < (is_made ? 1 : sym_layer_get_n_bodies (layer)); i++)
    add_body (self, what->call, path, i, made);
}

guint
sym_scene_builder_count_bodies (const SymSceneBuilder *self, SymId call)
{
  guint n = sym_layer_get_n_bodies (sym_model_get_layer (self->model, call));

  return n == 0 && sym_parts_can_make (self->tables->what.inference, call) ? 1 : n;
}

void
sym_scene_builder_open_bodies (SymSceneBuilder *self, guint first_item)
{
  for (guint i = first_item; i < self->items->len; i++)
    if (g_array_index (self->items, SymSceneItem, i).has_bodies)
      open_call (self, i);
}

/* ---- Lines into bodies and out of them ---- */

static void
add_edge (SymSceneBuilder *self, guint body, SymId value, guint to, gboolean is_back)
{
  SymSceneTables *tables = self->scene->bodies->pdata[body];
  SymSceneEdge edge = { .from = sym_scene_find_value_in (self->scene, body, value),
                        .to = to,
                        .value = value,
                        .is_back = is_back };

  if (edge.from == G_MAXUINT || tables->last_users[value] == to + 1)
    return;
  tables->last_users[value] = to + 1;
  edge.from_box = tables->value_boxes[value];
  edge.label = sym_scene_builder_get_edge_label (self, tables, value);
  g_array_append_val (self->edges, edge);
}

static void
join_inputs (SymSceneBuilder *self, guint body, guint8 *is_taken)
{
  const SymSceneTables *tables = sym_scene_get_tables (self->scene, body);
  SymIds inputs = sym_model_get_inputs (tables->model);

  for (guint i = 0; i < inputs.n; i++)
    {
      SymId operand = find_operand (self->tables, tables, i);
      guint item = sym_scene_find_value_in (self->scene, body, inputs.ids[i]);

      if (operand == SYM_NO_ID || item == G_MAXUINT)
        continue;
      is_taken[tables->operands[i]] = 1;
      add_edge (
          self, self->body, operand, item,
          sym_model_is_back_edge (self->model, tables->what.call, (guint) tables->operands[i]));
    }
}

static void
join_outputs (SymSceneBuilder *self, guint body, guint to)
{
  const SymSceneTables *tables = sym_scene_get_tables (self->scene, body);
  SymIds outputs = sym_model_get_outputs (tables->model);

  for (guint i = 0; i < outputs.n; i++)
    add_edge (self, body, outputs.ids[i], to, FALSE);
}

guint8 *
sym_scene_builder_join_bodies (SymSceneBuilder *self, SymId call, guint item)
{
  guint first = g_array_index (self->items, SymSceneItem, item).first_body;
  guint n = sym_scene_builder_count_bodies (self, call);
  guint8 *is_taken;

  if (first == 0)
    return NULL;
  is_taken = g_new0 (guint8, sym_model_get_operands (self->model, call).n + 1);
  for (guint i = 0; i < n; i++)
    {
      join_inputs (self, first + i, is_taken);
      join_outputs (self, first + i, item);
    }
  return is_taken;
}

/* ---- Frames ---- */

static void
add_frame (SymSceneBuilder *self, guint body)
{
  SymScene *scene = self->scene;
  SymSceneTables *tables = scene->bodies->pdata[body];
  const SymSceneTables *around = sym_scene_get_tables (scene, tables->what.parent);
  SymTextStyle style = sym_scene_get_title_text_style ();
  g_autofree char *title =
      sym_scene_format_body (around->model, tables->what.call, tables->what.name);
  SymSceneFrame frame = { .group = SYM_NO_GROUP, .body = body };

  frame.parent =
      g_array_index (self->items, SymSceneItem, around->call_items[tables->what.call]).frame;
  frame.title = g_string_chunk_insert_const (scene->texts, title);
  frame.title_width = sym_measure_get_width (self->measure, frame.title, &style);
  tables->what.frame = scene->n_frames;
  scene->frames[scene->n_frames++] = frame;
}

/* Items come body by body, each body after that around it. */
void
sym_scene_builder_add_body_frames (SymSceneBuilder *self)
{
  SymScene *scene = self->scene;

  scene->frames = g_renew (SymSceneFrame, scene->frames, scene->n_frames + scene->bodies->len);
  for (guint i = 0; i < self->items->len; i++)
    {
      SymSceneItem *item = &g_array_index (self->items, SymSceneItem, i);

      if (item->body == 0)
        continue;
      if (sym_scene_get_body (scene, item->body)->frame == SYM_NO_FRAME)
        add_frame (self, item->body);
      item->frame = sym_scene_get_body (scene, item->body)->frame;
    }
}
