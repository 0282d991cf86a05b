/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-builder.h"

#include "core/sym-progress.h"
#include "scene/sym-scene-group.h"
#include "scene/sym-scene-text.h"

#include <math.h>
#include <string.h>

#define BOX_STEP 32.0 /* box widths are multiples of it */
#define CHIP_STEP 4.0
#define MIN_BOX_WIDTH 96.0
#define SIGN_ROOM 14.0 /* on both sides, so that the text stays in the middle */
#define MAX_LINES 12   /* of a text that a callback made */
/* What of the time is over when the items are there, and when the edges are. */
#define SHARE_ITEMS 0.75
#define SHARE_EDGES 0.95
#define MAX_RESULTS 4 /* boxes under a group; of more only their number is told */

void
sym_scene_builder_enter (SymSceneBuilder *self, guint body)
{
  self->body = body;
  self->tables = self->scene->bodies->pdata[body];
  self->model = self->tables->model;
}

gboolean
sym_scene_builder_has_value (const SymSceneBuilder *self, SymId value)
{
  return sym_model_has_value (self->model, value) &&
         sym_model_get_role (self->model, value) != SYM_ROLE_ABSENT &&
         (!self->options->selection || self->body > 0 ||
          sym_selection_has_value (self->options->selection, value));
}

gboolean
sym_scene_builder_has_call (const SymSceneBuilder *self, SymId call)
{
  return sym_model_has_call (self->model, call) &&
         (!self->options->selection || self->body > 0 ||
          sym_selection_has_call (self->options->selection, call));
}

static SymBoxKind
get_kind (const SymSceneBuilder *self, SymId value)
{
  /* Only those of the model itself are what the graph takes and gives. */
  if (self->body > 0)
    return SYM_BOX_HIDDEN;
  if (self->tables->is_input[value])
    return SYM_BOX_INPUT;
  return self->tables->is_output[value] ? SYM_BOX_OUTPUT : SYM_BOX_HIDDEN;
}

/* Adds the lines of @text; a text without any gives one empty line. */
static void
add_lines (SymSceneBuilder *self, const char *text)
{
  guint n = 0;
  const char *end;

  do
    {
      g_autofree char *line = NULL;

      end = strchr (text, '\n');
      line = sym_scene_clean_line (text, end ? end - text : -1);
      g_ptr_array_add (self->lines, g_string_chunk_insert_const (self->scene->texts, line));
      text = end ? end + 1 : NULL;
    }
  while (text && *text && ++n < MAX_LINES);
}

/* Sizes the last box once all its lines are there. */
static void
end_box (SymSceneBuilder *self)
{
  SymBox *box = &g_array_index (self->boxes, SymBox, self->boxes->len - 1);
  guint first = g_array_index (self->box_lines, guint, self->box_lines->len - 1);
  guint n_lines = self->lines->len - first;
  gboolean is_chip = box->kind == SYM_BOX_CHIP && self->scene->drawing == SYM_DRAWING_DATA;
  double step = is_chip ? CHIP_STEP : BOX_STEP;
  double width = is_chip ? 0 : MIN_BOX_WIDTH;
  double height = sym_scene_get_box_height (box->kind, n_lines);

  g_ptr_array_add (self->lines, NULL);
  box->lines = (const char *const *) &self->lines->pdata[first];
  for (guint i = 0; i < n_lines; i++)
    {
      SymTextStyle style = sym_box_get_text_style (box, i);
      double text_width = sym_measure_get_width (self->measure, box->lines[i], &style);

      width = MAX (width, text_width + 2 * sym_scene_get_box_padding (box->kind));
    }
  width = ceil ((width + (box->has_sign ? 2 * SIGN_ROOM : 0)) / step) * step;
  box->rect.width = box->rotated ? height : width;
  box->rect.height = box->rotated ? width : height;
}

/* A line with nothing on it would only push the others out of the middle of their box. */
static gboolean
has_letters (const char *text)
{
  return text[strspn (text, " \t\n")] != '\0';
}

static void
begin_box (SymSceneBuilder *self, SymBoxKind kind, SymId value)
{
  SymBox box = { .kind = kind, .value = value };

  g_array_append_val (self->boxes, box);
  g_array_append_val (self->box_lines, self->lines->len);
}

/* Without what frames around the call tell. */
static const char *
get_short_name (const SymSceneBuilder *self, SymId call, const char *name)
{
  if (self->options->folding == NULL || self->body > 0 || call == SYM_NO_ID)
    return name;
  return sym_scene_skip_scopes (self->options->folding, call, name);
}

static void
add_value_box (SymSceneBuilder *self, SymId value)
{
  SymLabels labels = self->labels;
  SymId call = sym_model_get_producer (self->model, value);
  g_autofree char *custom = NULL;

  begin_box (self, get_kind (self, value), value);
  if (self->options->node_text)
    custom =
        self->options->node_text (self->tables->what.inference, value, self->options->user_data);
  if (custom)
    {
      add_lines (self, custom);
    }
  else
    {
      if (labels & (SYM_LABEL_NAME | SYM_LABEL_VARIABLE))
        {
          const char *unique = sym_model_get_unique_name (self->model, value);
          const char *rest = get_short_name (self, call, unique);
          g_autofree char *name = sym_scene_format_name (self->model, value, rest, labels);

          add_lines (self, name);
        }
      if (labels & (SYM_LABEL_SHAPE | SYM_LABEL_DTYPE))
        {
          g_autofree char *type =
              sym_scene_format_type (self->tables->what.inference, value, labels);

          add_lines (self, type);
        }
    }
  end_box (self);
}

static void
add_chip (SymSceneBuilder *self, SymId call)
{
  SymBox *box;
  g_autofree char *text = NULL;

  if (self->options->edge_text)
    text = self->options->edge_text (self->model, call, self->options->user_data);
  if (!text)
    text = sym_scene_format_call (self->model, call);
  begin_box (self, SYM_BOX_CHIP, SYM_NO_ID);
  box = &g_array_index (self->boxes, SymBox, self->boxes->len - 1);
  box->rotated = self->scene->rotated_labels && !self->scene->sideways &&
                 self->scene->drawing == SYM_DRAWING_DATA;
  box->has_sign = g_array_index (self->items, SymSceneItem, self->items->len - 1).has_bodies;
  add_lines (self, text);
  if (self->scene->drawing == SYM_DRAWING_LAYERS && self->labels & SYM_LABEL_NAME)
    {
      const char *name = sym_model_get_call_name (self->model, call);

      if (name && has_letters (name) && !g_str_equal (name, text))
        add_lines (self, get_short_name (self, call, name));
    }
  end_box (self);
}

static const char *
insert_name (SymSceneBuilder *self, const char *name)
{
  g_autofree char *whole = NULL;

  if (self->body > 0)
    name = whole = g_strconcat (self->tables->what.prefix, name, NULL);
  return g_string_chunk_insert_const (self->scene->texts, name);
}

static gboolean
can_open (const SymSceneBuilder *self, SymId call)
{
  return self->options->open_bodies && sym_scene_builder_count_bodies (self, call) > 0;
}

static void
begin_item (SymSceneBuilder *self, SymId call, SymId value, const char *name)
{
  SymSceneItem item = { .call = call,
                        .value = value,
                        .body = self->body,
                        .group = SYM_NO_GROUP,
                        .frame = SYM_NO_FRAME,
                        .category = SYM_CATEGORY_OTHER };

  item.name = insert_name (self, name ? name : "");
  if (call != SYM_NO_ID)
    {
      item.has_bodies = can_open (self, call);
      item.category = sym_layer_get_category (sym_model_get_layer (self->model, call));
      self->tables->call_items[call] = self->items->len;
      self->scene->categories |= 1u << item.category;
    }
  g_array_append_val (self->items, item);
  g_array_append_val (self->item_boxes, self->boxes->len);
}

static void
end_item (SymSceneBuilder *self)
{
  guint index = self->items->len - 1;
  SymSceneItem *item = &g_array_index (self->items, SymSceneItem, index);
  guint first = g_array_index (self->item_boxes, guint, index);

  item->n_boxes = self->boxes->len - first;
  sym_scene_arrange (self->scene, &g_array_index (self->boxes, SymBox, first), item->n_boxes,
                     &item->width, &item->height);
}

static void
add_value_item (SymSceneBuilder *self, SymId value)
{
  begin_item (self, SYM_NO_ID, value, sym_model_get_unique_name (self->model, value));
  self->tables->value_items[value] = self->items->len - 1;
  self->tables->value_boxes[value] = 0;
  add_value_box (self, value);
  end_item (self);
}

static gboolean
is_hidden (const SymSceneBuilder *self, SymId value)
{
  return self->tables->is_hidden != NULL && self->tables->is_hidden[value];
}

static gboolean
is_hidden_call (const SymSceneBuilder *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);
  guint n = 0;

  while (n < results.n && is_hidden (self, results.ids[n]))
    n++;
  return n > 0 && n == results.n;
}

/* A second result that nothing uses (the mean of a BatchNorm) would only be in the way. */
static gboolean
is_shown (const SymSceneBuilder *self, SymId value, gboolean is_first)
{
  return sym_scene_builder_has_value (self, value) && !is_hidden (self, value) &&
         (is_first || self->tables->is_output[value] ||
          sym_model_get_consumers (self->model, value).n > 0);
}

static void
add_result (SymSceneBuilder *self, SymId value, gboolean is_first)
{
  guint item = self->items->len - 1;

  self->tables->value_items[value] = item;
  if (self->scene->drawing == SYM_DRAWING_LAYERS || !is_shown (self, value, is_first))
    return;
  self->tables->value_boxes[value] =
      self->boxes->len - g_array_index (self->item_boxes, guint, item);
  add_value_box (self, value);
}

static SymId
find_first_result (const SymSceneBuilder *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_scene_builder_has_value (self, results.ids[i]) && !is_hidden (self, results.ids[i]))
      return results.ids[i];
  return SYM_NO_ID;
}

static void
add_call_item (SymSceneBuilder *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);
  SymId first = find_first_result (self, call);
  SymId main = sym_model_get_first_result (self->model, call);

  if (main != SYM_NO_ID && is_hidden (self, main))
    main = first;
  begin_item (self, call, first,
              first != SYM_NO_ID ? sym_model_get_unique_name (self->model, first)
                                 : sym_model_get_call_name (self->model, call));
  add_chip (self, call);
  for (guint i = 0; i < results.n; i++)
    if (sym_model_has_value (self->model, results.ids[i]))
      add_result (self, results.ids[i], results.ids[i] == main);
  end_item (self);
}

static gboolean
is_used_outside (const SymSceneBuilder *self, SymId value, guint group)
{
  SymIds users = sym_model_get_consumers (self->model, value);

  if (self->tables->is_output[value])
    return TRUE;
  for (guint i = 0; i < users.n; i++)
    if (sym_scene_builder_has_call (self, users.ids[i]) &&
        sym_folding_find_call (self->options->folding, users.ids[i]) != group)
      return TRUE;
  return FALSE;
}

/* What a group makes for others, and where all that it makes is found. */
static GArray *
take_results (SymSceneBuilder *self, const GArray *calls, guint group)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);
      SymIds ids = sym_model_get_results (self->model, call);

      if (!sym_scene_builder_has_call (self, call))
        continue;
      self->tables->call_items[call] = self->items->len - 1;
      for (guint k = 0; k < ids.n; k++)
        {
          if (!sym_scene_builder_has_value (self, ids.ids[k]))
            continue;
          self->tables->value_items[ids.ids[k]] = self->items->len - 1;
          if (is_used_outside (self, ids.ids[k], group))
            g_array_append_val (results, ids.ids[k]);
        }
    }
  return results;
}

static void
add_group_box (SymSceneBuilder *self, guint group, guint n_hidden)
{
  const SymFolding *folding = self->options->folding;
  g_autofree char *name = sym_scene_format_group (folding, group);
  g_autofree char *size = sym_scene_format_group_size (self->tables->what.inference, folding, group,
                                                       self->options->selection);

  begin_box (self, SYM_BOX_GROUP, SYM_NO_ID);
  add_lines (self, name);
  add_lines (self, size);
  if (n_hidden > 0)
    {
      g_autofree char *more = g_strdup_printf ("%u results", n_hidden);

      add_lines (self, more);
    }
  end_box (self);
}

static void
add_group_item (SymSceneBuilder *self, guint group)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autoptr (GArray) results = NULL;
  SymSceneItem *item;
  gboolean has_boxes;

  begin_item (self, SYM_NO_ID, SYM_NO_ID,
              sym_groups_get (sym_folding_get_groups (self->options->folding), group)->name);
  item = &g_array_index (self->items, SymSceneItem, self->items->len - 1);
  item->group = group;
  item->n_merged = sym_folding_get_n_merged (self->options->folding, group);
  self->group_items[group] = self->items->len - 1;
  sym_scene_collect_group_calls (self->options->folding, group, calls);
  results = take_results (self, calls, group);
  has_boxes = self->scene->drawing == SYM_DRAWING_DATA && results->len <= MAX_RESULTS;
  add_group_box (self, group,
                 self->scene->drawing == SYM_DRAWING_DATA && !has_boxes ? results->len : 0);
  for (guint i = 0; has_boxes && i < results->len; i++)
    {
      SymId value = g_array_index (results, SymId, i);

      self->tables->value_boxes[value] = i + 1;
      add_value_box (self, value);
    }
  end_item (self);
}

/* The results of a call that the selection starts behind stand alone, as its inputs. */
static void
add_selected_results (SymSceneBuilder *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);

  if (!self->options->selection || self->body > 0)
    return;
  for (guint i = 0; i < results.n; i++)
    if (sym_scene_builder_has_value (self, results.ids[i]))
      add_value_item (self, results.ids[i]);
}

static void
add_call_or_group (SymSceneBuilder *self, SymId call)
{
  SymFolding *folding = self->body == 0 ? self->options->folding : NULL;
  guint group = folding ? sym_folding_find_call (folding, call) : SYM_NO_GROUP;

  if (group == SYM_NO_GROUP)
    add_call_item (self, call);
  else if (self->group_items[group] == G_MAXUINT)
    add_group_item (self, group);
}

/* How many bodies there are, and how large, is seen only when they are there. */
static gboolean
is_stopped (SymSceneBuilder *self, guint done, guint total)
{
  GCancellable *cancellable = self->options->cancellable;

  if (self->body == 0)
    return sym_progress_step (cancellable, done, total);
  return (done & 1023) == 0 && g_cancellable_is_cancelled (cancellable);
}

static void
add_items (SymSceneBuilder *self)
{
  guint n = sym_model_get_n_entries (self->model);

  for (guint i = 0; i < n; i++)
    {
      SymEntry entry = sym_model_get_entry (self->model, i);

      if (is_stopped (self, i, n))
        return;
      if (entry.is_call && is_hidden_call (self, entry.id))
        continue;
      if (entry.is_call && sym_scene_builder_has_call (self, entry.id))
        add_call_or_group (self, entry.id);
      else if (entry.is_call && sym_model_has_call (self->model, entry.id))
        add_selected_results (self, entry.id);
      else if (!entry.is_call && sym_scene_builder_has_value (self, entry.id) &&
               sym_role_is_data (sym_model_get_role (self->model, entry.id)) &&
               !is_hidden (self, entry.id))
        add_value_item (self, entry.id);
    }
}

/* Arrays have stopped moving: boxes point to their lines, items to their boxes. */
static void
settle (SymSceneBuilder *self)
{
  SymScene *scene = self->scene;

  scene->n_items = self->items->len;
  scene->n_edges = self->edges->len;
  scene->items = (gpointer) g_array_free (g_steal_pointer (&self->items), FALSE);
  scene->edges = (gpointer) g_array_free (g_steal_pointer (&self->edges), FALSE);
  scene->lines = (gpointer) g_ptr_array_free (g_steal_pointer (&self->lines), FALSE);
  for (guint i = 0; i < self->boxes->len; i++)
    g_array_index (self->boxes, SymBox, i).lines =
        (const char *const *) scene->lines + g_array_index (self->box_lines, guint, i);
  scene->boxes = (gpointer) g_array_free (g_steal_pointer (&self->boxes), FALSE);
  for (guint i = 0; i < scene->n_items; i++)
    scene->items[i].boxes = scene->boxes + g_array_index (self->item_boxes, guint, i);
  g_array_free (self->item_boxes, TRUE);
  g_array_free (self->box_lines, TRUE);
}

static void
begin (SymSceneBuilder *self)
{
  self->items = g_array_new (FALSE, FALSE, sizeof (SymSceneItem));
  self->item_boxes = g_array_new (FALSE, FALSE, sizeof (guint));
  self->boxes = g_array_new (FALSE, FALSE, sizeof (SymBox));
  self->box_lines = g_array_new (FALSE, FALSE, sizeof (guint));
  self->lines = g_ptr_array_new ();
  self->edges = g_array_new (FALSE, FALSE, sizeof (SymSceneEdge));
}

static SymSceneTables *
make_main_tables (SymInference *inference, const SymSelection *selection)
{
  SymModel *model = sym_inference_get_model (inference);

  if (selection)
    return sym_scene_tables_new (inference, sym_selection_get_inputs (selection),
                                 sym_selection_get_outputs (selection));
  return sym_scene_tables_new (inference, sym_model_get_inputs (model),
                               sym_model_get_outputs (model));
}

/* Bodies are added to those that are yet to be drawn. */
static void
add_all_items (SymSceneBuilder *self)
{
  g_autoptr (GHashTable) inferences =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) sym_inference_unref);

  self->inferences = inferences;
  for (guint i = 0; i < self->scene->bodies->len; i++)
    {
      guint first = self->items->len;

      if (i == 1)
        sym_progress_tell_unknown (self->options->cancellable);
      sym_scene_builder_enter (self, i);
      add_items (self);
      if (self->options->open_bodies)
        sym_scene_builder_open_bodies (self, first);
    }
  self->inferences = NULL;
}

void
sym_scene_build (SymScene *self, SymInference *inference, const SymSceneOptions *options)
{
  g_autoptr (SymMeasure) measure = sym_measure_new ();
  SymProgressPart whole;
  SymSceneBuilder builder = { .scene = self, .options = options, .measure = measure };

  builder.labels = options->labels ? options->labels : SYM_LABEL_NAME | SYM_LABEL_SHAPE;
  self->texts = g_string_chunk_new (4096);
  self->bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_scene_tables_free);
  self->body_paths = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_add (self->bodies, make_main_tables (inference, options->selection));
  begin (&builder);
  if (options->folding)
    builder.group_items =
        sym_scene_new_indices (sym_groups_get_n (sym_folding_get_groups (options->folding)));
  whole = sym_progress_enter (options->cancellable, 0, SHARE_ITEMS);
  add_all_items (&builder);
  sym_progress_leave (options->cancellable, whole);
  whole = sym_progress_enter (options->cancellable, SHARE_ITEMS, SHARE_EDGES);
  sym_scene_builder_add_edges (&builder);
  sym_progress_leave (options->cancellable, whole);
  if (options->folding)
    sym_scene_builder_add_frames (&builder);
  if (self->bodies->len > 1)
    sym_scene_builder_add_body_frames (&builder);
  settle (&builder);
  g_ptr_array_foreach (self->bodies, (GFunc) (gpointer) sym_scene_tables_settle, NULL);
  g_free (builder.group_items);
}
