/* SPDX-License-Identifier: MIT */
#include "app/scope-start.h"

#include "app/scope-place.h"

#define N_TRIED 24 /* inputs, and as many layers */
#define VIEW_WIDTH 800.0
#define VIEW_HEIGHT 900.0 /* points: about what a window between its panes shows */
#define ENOUGH 4          /* layers in sight: what comes after this one is seen */

typedef struct {
  SymRect rect;
  guint n_layers;
} Candidate;

/* One axis of what would be in sight, with no empty space beside the drawing. */
static double
get_origin (double middle, double length, double view)
{
  return CLAMP (middle - view / 2, 0, MAX (length - view, 0));
}

static gboolean
is_layer (const SymSceneItem *item)
{
  return item->call != SYM_NO_ID || item->group != SYM_NO_GROUP;
}

/* Layers and groups around @rect, no more than are enough. */
static guint
count_layers (const SymLayout *layout, const SymRect *rect)
{
  SymScene *scene = sym_layout_get_scene (layout);
  double x = get_origin (rect->x + rect->width / 2, sym_layout_get_width (layout), VIEW_WIDTH);
  double y = get_origin (rect->y + rect->height / 2, sym_layout_get_height (layout), VIEW_HEIGHT);
  guint n = 0;

  for (guint i = 0; i < sym_scene_get_n_items (scene) && n < ENOUGH; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPoint corner = sym_layout_get_position (layout, i);

      n += is_layer (item) && corner.x >= x && corner.x + item->width <= x + VIEW_WIDTH &&
           corner.y >= y && corner.y + item->height <= y + VIEW_HEIGHT;
    }
  return n;
}

/* Whether there is enough around it. */
static gboolean
try (const SymLayout *layout, const SymRect *rect, Candidate *best)
{
  Candidate one = { *rect, count_layers (layout, rect) };

  if (best->rect.width == 0 || one.n_layers > best->n_layers)
    *best = one;
  return best->n_layers >= ENOUGH;
}

static gboolean
try_inputs (const SymLayout *layout, SymSummary *summary, Candidate *best)
{
  guint n_rows = sym_summary_get_n_rows (summary), n_tried = 0;
  SymRect rect;

  for (guint i = 0; i < n_rows && n_tried < N_TRIED; i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      if (row.call != SYM_NO_ID || !scope_place_find (layout, row.value, SYM_NO_ID, &rect))
        continue;
      n_tried++;
      if (try (layout, &rect, best))
        return TRUE;
    }
  return FALSE;
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SymLayout *layout = user_data;
  const SymRect *one = a, *other = b;
  gboolean goes_down = sym_layout_get_direction (layout) == SYM_DIRECTION_DOWN;
  double difference = goes_down ? one->y - other->y : one->x - other->x;

  return difference < 0 ? -1 : difference > 0;
}

/* In the order of the drawing: files may tell theirs in any. */
static void
try_layers (const SymLayout *layout, Candidate *best)
{
  SymScene *scene = sym_layout_get_scene (layout);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (SymRect));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPoint corner = sym_layout_get_position (layout, i);
      SymRect rect = { corner.x, corner.y, item->width, item->height };

      if (is_layer (item))
        g_array_append_val (rects, rect);
    }
  g_array_sort_with_data (rects, compare_cb, (gpointer) layout);
  for (guint i = 0; i < MIN (rects->len, N_TRIED); i++)
    if (try (layout, &g_array_index (rects, SymRect, i), best))
      return;
}

/* An input is where reading begins, unless the layers have much more to show. */
gboolean
scope_start_find (const SymLayout *layout, SymSummary *summary, SymRect *start)
{
  Candidate input = { 0 }, layer = { 0 };
  gboolean is_input = try_inputs (layout, summary, &input);

  if (!is_input)
    try_layers (layout, &layer);
  is_input |= input.rect.width > 0 && 2 * input.n_layers > layer.n_layers;
  const SymRect *rect = is_input || layer.rect.width <= 0 ? &input.rect : &layer.rect;

  if (rect->width <= 0)
    return FALSE;
  *start = *rect;
  return TRUE;
}
