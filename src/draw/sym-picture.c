/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#include <math.h>
#include <string.h>

#define BOX_REACH 12.0 /* badges and strokes stand out this far at most */

static void
index_items (SymPicture *self)
{
  guint n = sym_scene_get_n_items (self->scene);
  GArray *rects = g_array_sized_new (FALSE, FALSE, sizeof (SymRect), n);

  for (guint i = 0; i < n; i++)
    {
      SymRect rect = sym_picture_get_item_rect (self, i);

      rect = sym_draw_rect_grow (&rect, BOX_REACH);
      g_array_append_val (rects, rect);
    }
  self->items = sym_draw_grid_new (rects);
}

/* What is not dimmed: what all have, of those that are there. */
typedef struct {
  const SymSelection *kept;
  const SymTrace *traced;
  guint8 *values, *calls; /* by id; NULL: all */
} Clear;

static void
list_only (Clear *clear, const SymModel *model, SymIds only)
{
  clear->values = g_new0 (guint8, sym_model_get_n_values (model) + 1);
  clear->calls = g_new0 (guint8, sym_model_get_n_calls (model) + 1);
  for (guint i = 0; i < only.n; i++)
    {
      SymId call;

      if (!sym_model_has_value (model, only.ids[i]))
        continue;
      clear->values[only.ids[i]] = TRUE;
      call = sym_model_get_producer (model, only.ids[i]);
      if (call != SYM_NO_ID)
        clear->calls[call] = TRUE;
    }
}

static gboolean
has_call (const Clear *clear, SymId call)
{
  return call != SYM_NO_ID && (clear->kept == NULL || sym_selection_has_call (clear->kept, call)) &&
         (clear->traced == NULL || sym_trace_has_call (clear->traced, call)) &&
         (clear->calls == NULL || clear->calls[call]);
}

static gboolean
has_value (const Clear *clear, SymId value)
{
  return value != SYM_NO_ID &&
         (clear->kept == NULL || sym_selection_has_value (clear->kept, value)) &&
         (clear->traced == NULL || sym_trace_has_value (clear->traced, value)) &&
         (clear->values == NULL || clear->values[value]);
}

static gboolean
has_any_call (const SymScene *scene, const Clear *clear, guint item)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    if (has_call (clear, g_array_index (calls, SymId, i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_box (const SymScene *scene, const Clear *clear, guint index, guint box)
{
  const SymSceneItem *item = sym_scene_get_item (scene, index);
  const SymBox *scene_box = &item->boxes[box];

  if (scene_box->kind == SYM_BOX_GROUP || item->body > 0)
    return has_any_call (scene, clear, index);
  if (scene_box->kind == SYM_BOX_CHIP)
    return has_call (clear, item->call);
  return has_value (clear, scene_box->value);
}

static void
dim_boxes (SymPicture *self, const Clear *clear)
{
  guint n = sym_scene_get_n_items (self->scene);

  self->first_boxes = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->first_boxes[i + 1] = self->first_boxes[i] + sym_scene_get_item (self->scene, i)->n_boxes;
  self->dimmed_boxes = g_new0 (guint8, self->first_boxes[n] + 1);
  for (guint i = 0; i < n; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (self->scene, i);

      for (guint box = 0; box < item->n_boxes; box++)
        self->dimmed_boxes[self->first_boxes[i] + box] = !has_box (self->scene, clear, i, box);
    }
}

static gboolean
has_clear_box (const SymPicture *self, guint item)
{
  for (guint i = self->first_boxes[item]; i < self->first_boxes[item + 1]; i++)
    if (self->dimmed_boxes[i] == 0)
      return TRUE;
  return FALSE;
}

/* A frame stands back with all that is in it. */
static void
dim_frames (SymPicture *self)
{
  guint n = sym_scene_get_n_items (self->scene), n_frames = sym_scene_get_n_frames (self->scene);

  self->dimmed_frames = g_new (guint8, n_frames + 1);
  memset (self->dimmed_frames, 1, n_frames + 1);
  for (guint i = 0; i < n; i++)
    if (has_clear_box (self, i))
      for (guint frame = sym_scene_get_item (self->scene, i)->frame;
           frame != SYM_NO_FRAME && self->dimmed_frames[frame] != 0;
           frame = sym_scene_get_frame (self->scene, frame)->parent)
        self->dimmed_frames[frame] = 0;
}

/* A line belongs to the part when what it carries and what it leads to do. */
static void
dim_edges (SymPicture *self, const Clear *clear)
{
  guint n = sym_scene_get_n_edges (self->scene);

  self->dimmed_edges = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (self->scene, i);
      const SymSceneItem *to = sym_scene_get_item (self->scene, edge->to);
      gboolean has_value_id =
          edge->value != SYM_NO_ID && sym_scene_get_item (self->scene, edge->from)->body == 0;
      gboolean carries = has_value_id ? has_value (clear, edge->value)
                                      : has_box (self->scene, clear, edge->from, edge->from_box);

      self->dimmed_edges[i] =
          !carries || (to->n_boxes > 0 && !has_box (self->scene, clear, edge->to, 0));
    }
}

/* Items lie within the layout; lines and labels may swing out of it. */
static SymRect
measure_extent (const SymPicture *self)
{
  SymRect rect = { 0, 0, sym_layout_get_width (self->layout),
                   sym_layout_get_height (self->layout) };
  SymRect bounds;

  if (sym_draw_grid_get_n (self->lines) > 0)
    {
      bounds = sym_draw_grid_get_bounds (self->lines);
      bounds = sym_draw_rect_grow (&bounds, -SYM_LINE_REACH);
      rect = sym_draw_rect_union (&rect, &bounds);
    }
  if (sym_draw_grid_get_n (self->label_places) > 0)
    {
      bounds = sym_draw_grid_get_bounds (self->label_places);
      rect = sym_draw_rect_union (&rect, &bounds);
    }
  return rect;
}

/* Whole points, so that a PNG at scale 1 has no half pixel at its border. */
static SymRect
add_margin (const SymRect *content)
{
  SymRect grown = sym_draw_rect_grow (content, SYM_PICTURE_MARGIN);
  double x = floor (grown.x);
  double y = floor (grown.y);

  return (SymRect){ x, y, ceil (grown.x + grown.width - x), ceil (grown.y + grown.height - y) };
}

SymPicture *
sym_picture_new (SymLayout *layout, const SymPictureOptions *options)
{
  static const SymPictureOptions plain = { 0 };
  SymPicture *self;

  g_return_val_if_fail (layout != NULL, NULL);

  if (options == NULL)
    options = &plain;
  self = g_new0 (SymPicture, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->layout = sym_layout_ref (layout);
  self->scene = sym_layout_get_scene (layout);
  self->model = sym_inference_get_model (sym_scene_get_inference (self->scene));
  self->heat = options->heat != NULL ? sym_heat_ref (options->heat) : NULL;
  self->own_palette = sym_theme_create_palette (options->theme, self->heat);
  self->palette =
      self->own_palette != NULL ? self->own_palette : sym_theme_get_palette (options->theme);
  self->transparent = options->transparent;
  if (options->kept != NULL || options->traced != NULL || options->only != NULL)
    {
      Clear clear = { options->kept, options->traced, NULL, NULL };

      if (options->only != NULL)
        list_only (&clear, self->model, *options->only);
      dim_boxes (self, &clear);
      dim_edges (self, &clear);
      dim_frames (self);
      g_free (clear.values);
      g_free (clear.calls);
    }
  index_items (self);
  sym_picture_index_frames (self);
  sym_picture_index_lines (self);
  sym_picture_place_labels (self);
  if (options->crop != NULL)
    {
      self->is_cropped = TRUE;
      self->extent = *options->crop;
      return self;
    }
  self->extent = measure_extent (self);
  if (options->legend)
    {
      self->legend = sym_legend_new (self);
      self->extent = sym_legend_place (self->legend, self);
    }
  self->extent = add_margin (&self->extent);
  return self;
}

SymPicture *
sym_picture_ref (SymPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_picture_unref (SymPicture *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_layout_unref (self->layout);
  g_clear_pointer (&self->heat, sym_heat_unref);
  g_free (self->own_palette);
  g_free (self->first_boxes);
  g_free (self->dimmed_boxes);
  g_free (self->dimmed_edges);
  g_free (self->dimmed_frames);
  sym_draw_grid_free (self->items);
  sym_draw_grid_free (self->frames);
  sym_draw_grid_free (self->lines);
  g_array_unref (self->pieces);
  sym_draw_grid_free (self->label_places);
  g_array_unref (self->labels);
  sym_legend_free (self->legend);
  g_free (self);
}

SymLayout *
sym_picture_get_layout (const SymPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->layout;
}

SymHeat *
sym_picture_get_heat (const SymPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->heat;
}

SymRect
sym_picture_get_extent (const SymPicture *self)
{
  g_return_val_if_fail (self != NULL, (SymRect){ 0 });

  return self->extent;
}

const char *
sym_picture_get_title (const SymPicture *self)
{
  const char *name = sym_model_get_name (self->model);

  return name != NULL && *name != '\0' ? name : "Neural network";
}

/* The layer's own name where the item's does not tell it; else NULL. */
static const char *
find_layer_name (const SymPicture *self, guint item, const char *name)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  SymModel *model = sym_scene_get_item_model (self->scene, item);
  const char *layer = sym_model_get_call_name (model, scene_item->call);

  return layer == NULL || *layer == '\0' || g_str_has_prefix (name, layer) ||
                 g_str_has_suffix (name, layer)
             ? NULL
             : layer;
}

char *
sym_picture_format_item_title (const SymPicture *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  const char *name = scene_item->name;
  SymModel *model = sym_scene_get_item_model (self->scene, item);
  const char *type = NULL;

  if (scene_item->call != SYM_NO_ID)
    {
      type = sym_layer_get_type (sym_model_get_layer (model, scene_item->call));
      if (name == NULL)
        name = sym_model_get_call_name (model, scene_item->call);
    }
  if (scene_item->group != SYM_NO_GROUP)
    return g_strdup_printf ("%s (%s)", scene_item->boxes[0].lines[0],
                            scene_item->boxes[0].lines[1]);
  if (type == NULL)
    return g_strdup (name != NULL ? name : "?");
  if (name == NULL)
    return g_strdup (type);
  const char *layer = find_layer_name (self, item, name);

  return layer != NULL ? g_strdup_printf ("%s (%s, %s)", name, layer, type)
                       : g_strdup_printf ("%s (%s)", name, type);
}

char *
sym_picture_format_edge_title (const SymPicture *self, guint edge)
{
  const SymSceneEdge *scene_edge = sym_scene_get_edge (self->scene, edge);
  const char *from = sym_scene_get_item (self->scene, scene_edge->from)->name;
  const char *to = sym_scene_get_item (self->scene, scene_edge->to)->name;
  const char *prefix = "";

  if (scene_edge->value != SYM_NO_ID)
    {
      guint body = sym_scene_get_item (self->scene, scene_edge->from)->body;

      from = sym_model_get_unique_name (sym_scene_get_item_model (self->scene, scene_edge->from),
                                        scene_edge->value);
      prefix = sym_scene_get_body (self->scene, body)->prefix;
    }
  return g_strdup_printf ("%s%s → %s%s%s", prefix, from != NULL ? from : "?", to != NULL ? to : "?",
                          scene_edge->label != NULL ? ": " : "",
                          scene_edge->label != NULL ? scene_edge->label : "");
}
