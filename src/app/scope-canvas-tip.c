/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include "app/scope-text.h"

/* What is pointed at is told beside it: GTK 4.8 puts its tips below or above, where in a graph the
 * next node is.  So the drawing has tips of its own, which look like GTK's and come as late. */

#define DELAY_MS 500
#define POINTER_SIZE 24 /* pixels: what a pointer hides beside it */
#define GAP 8
#define PADDING_X 10
#define PADDING_Y 6
#define RADIUS 9
#define MOST_WIDTH 340 /* of the text */
#define N_COLUMNS 9    /* places of a tip at which it is asked what it hides */
#define N_ROWS 3
#define COVERED 20 /* worse than to hide nodes: it could not be read */

typedef struct {
  double left, top, right, bottom;
} Box;

/* ---- Where ---- */

static Box
get_box_of_pointer (ScopeCanvas *self)
{
  double half = POINTER_SIZE / 2;

  return (Box){ self->pointer_x - half, self->pointer_y - half, self->pointer_x + half,
                self->pointer_y + half };
}

/* As far as it is seen; of a line, the place that is pointed at. */
static Box
get_box (ScopeCanvas *self)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  SymRect rect;
  Box box;

  if (scope_node_is_line (&self->hovered) || layout == NULL ||
      !scope_place_find_node (layout, &self->hovered, &rect))
    return get_box_of_pointer (self);
  scope_viewport_to_widget (self->viewport, rect.x, rect.y, &box.left, &box.top);
  scope_viewport_to_widget (self->viewport, rect.x + rect.width, rect.y + rect.height, &box.right,
                            &box.bottom);
  box.left = MAX (box.left, 0);
  box.top = MAX (box.top, 0);
  box.right = MIN (box.right, gtk_widget_get_width (GTK_WIDGET (self)));
  box.bottom = MIN (box.bottom, gtk_widget_get_height (GTK_WIDGET (self)));
  return box;
}

static Box
get_size (ScopeCanvas *self)
{
  int width, height;

  pango_layout_get_pixel_size (self->tip, &width, &height);
  return (Box){ 0, 0, width + 2 * PADDING_X, height + 2 * PADDING_Y };
}

static Box
move (const Box *size, double x, double y)
{
  return (Box){ x, y, x + size->right, y + size->bottom };
}

static gboolean
is_inside (ScopeCanvas *self, const Box *tip)
{
  return tip->left >= 0 && tip->top >= 0 &&
         tip->right <= gtk_widget_get_width (GTK_WIDGET (self)) &&
         tip->bottom <= gtk_widget_get_height (GTK_WIDGET (self));
}

/* What lies over the drawing, such as the legend, would hide the tip itself. */
static gboolean
is_covered (ScopeCanvas *self, double px, double py)
{
  GtkWidget *around = gtk_widget_get_parent (GTK_WIDGET (self));
  double x, y;

  return gtk_widget_translate_coordinates (GTK_WIDGET (self), around, px, py, &x, &y) &&
         gtk_widget_pick (around, x, y, GTK_PICK_NON_TARGETABLE) != GTK_WIDGET (self);
}

/* At how many places the tip would be over a node, or worse, below something else.  An
 * item is as wide as its widest part: what is beside the box may be of it and empty. */
static guint
count_hidden (ScopeCanvas *self, const Box *box, const Box *tip)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  guint own = layout != NULL ? scope_place_find_node_item (layout, &self->hovered) : G_MAXUINT;
  guint n = 0;

  for (guint i = 0; layout != NULL && i < N_COLUMNS * N_ROWS; i++)
    {
      double column = i % N_COLUMNS, row = i / N_COLUMNS, x, y;
      double px = tip->left + (tip->right - tip->left) * column / (N_COLUMNS - 1);
      double py = tip->top + (tip->bottom - tip->top) * row / (N_ROWS - 1);
      guint part, item;

      scope_viewport_to_content (self->viewport, px, py, &x, &y);
      item = sym_layout_pick (layout, x, y, &part);
      if (item != G_MAXUINT && (item != own || (px >= box->left && px <= box->right)))
        n++;
      n += is_covered (self, px, py) ? COVERED : 0;
    }
  return n;
}

/* To the right, to the left, below or above, there from each of the box's ends and its middle: the
 * first that hides least.  Where there is no room for any, into the last corner. */
static Box
place (ScopeCanvas *self)
{
  Box box = get_box (self), size = get_size (self);
  double middle = (box.left + box.right) / 2, y = (box.top + box.bottom - size.bottom) / 2;
  double rows[] = { box.bottom + GAP, box.top - GAP - size.bottom };
  double columns[] = { middle - size.right / 2, box.left, box.right - size.right, middle,
                       middle - size.right };
  guint n_places = 2 + G_N_ELEMENTS (rows) * G_N_ELEMENTS (columns);
  Box best = move (&size, MAX (0, gtk_widget_get_width (GTK_WIDGET (self)) - size.right),
                   MAX (0, gtk_widget_get_height (GTK_WIDGET (self)) - size.bottom));
  guint least = G_MAXUINT;

  for (guint i = 0; i < n_places && least > 0; i++)
    {
      Box tip = i == 0   ? move (&size, box.right + GAP, y)
                : i == 1 ? move (&size, box.left - GAP - size.right, y)
                         : move (&size, columns[(i - 2) / 2], rows[i % 2]);
      guint n = is_inside (self, &tip) ? count_hidden (self, &box, &tip) : G_MAXUINT;

      if (n < least)
        {
          least = n;
          best = tip;
        }
    }
  return best;
}

gboolean
scope_canvas_get_tip (ScopeCanvas *self, graphene_rect_t *place_of_tip)
{
  g_return_val_if_fail (SCOPE_IS_CANVAS (self), FALSE);

  if (self->tip == NULL)
    return FALSE;
  *place_of_tip = self->tip_place;
  return TRUE;
}

/* ---- What ---- */

/* What others found out of the layer, and what differs. */
static char *
describe_more (ScopeCanvas *self)
{
  g_autofree char *overlaid = scope_text_overlay (self->document, self->hovered.call);
  g_autofree char *change = scope_document_describe_change (self->document, self->hovered.call);

  if (overlaid == NULL || change == NULL)
    return overlaid != NULL ? g_steal_pointer (&overlaid) : g_steal_pointer (&change);
  return g_strconcat (overlaid, "\n", change, NULL);
}

static char *
describe (ScopeCanvas *self)
{
  gboolean is_inner = self->hovered.body != NULL || scope_node_is_line (&self->hovered);
  g_autofree char *text = scope_text_describe_node (self->document, &self->hovered);
  g_autofree char *more = is_inner ? NULL : describe_more (self);

  return more != NULL && text != NULL ? g_strconcat (text, "\n", more, NULL)
                                      : g_steal_pointer (&text);
}

/* ---- When ---- */

void
scope_canvas_hide_tip (ScopeCanvas *self)
{
  g_clear_handle_id (&self->tip_timer, g_source_remove);
  if (self->tip == NULL)
    return;
  g_clear_object (&self->tip);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
show (ScopeCanvas *self)
{
  g_autofree char *text = describe (self);

  if (text == NULL)
    return;
  self->tip = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_set_width (self->tip, MOST_WIDTH * PANGO_SCALE);
  pango_layout_set_wrap (self->tip, PANGO_WRAP_WORD_CHAR);
  Box tip = place (self);

  graphene_rect_init (&self->tip_place, (float) (int) tip.left, (float) (int) tip.top,
                      (float) (tip.right - tip.left), (float) (tip.bottom - tip.top));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
show_cb (gpointer user_data)
{
  ScopeCanvas *self = user_data;

  self->tip_timer = 0;
  show (self);
  return G_SOURCE_REMOVE;
}

/* Who reads one tip and goes to the next node does not wait again. */
void
scope_canvas_update_tip (ScopeCanvas *self)
{
  gboolean was_shown = self->tip != NULL;

  scope_canvas_hide_tip (self);
  if (self->document == NULL || scope_node_is_none (&self->hovered))
    return;
  if (was_shown)
    show (self);
  else
    self->tip_timer = g_timeout_add (DELAY_MS, show_cb, self);
}

void
scope_canvas_await_tip (ScopeCanvas *self)
{
  if (self->tip == NULL && self->tip_timer == 0)
    scope_canvas_update_tip (self);
}

/* ---- How ---- */

void
scope_canvas_snapshot_tip (ScopeCanvas *self, GtkSnapshot *snapshot)
{
  static const GdkRGBA back = { 0, 0, 0, 0.87f }, ink = { 1, 1, 1, 1 }, rim = { 1, 1, 1, 0.3f };
  graphene_rect_t rect;
  GskRoundedRect outline;

  if (!scope_canvas_get_tip (self, &rect))
    return;
  gsk_rounded_rect_init_from_rect (&outline, &rect, RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &back, &rect);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 },
                              (GdkRGBA[4]){ rim, rim, rim, rim });
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (rect.origin.x + PADDING_X, rect.origin.y + PADDING_Y));
  gtk_snapshot_append_layout (snapshot, self->tip, &ink);
  gtk_snapshot_restore (snapshot);
}
