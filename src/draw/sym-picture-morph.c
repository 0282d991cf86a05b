/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-morph.h"

#include "draw/sym-painter-private.h"

/* From where to where something moves, in the coordinates of the second picture. */
typedef struct {
  gboolean is_known;
  gboolean stays; /* both pictures have it */
  SymRect start, end;
} Track;

/* One of the two pictures, and what of it is in sight. */
typedef struct {
  SymPicture *picture;
  SymScene *scene;
  double factor, x, y; /* from its coordinates to those of the second one */
  GArray *items;       /* of guint */
  GArray *edges;
  GArray *frames;
  Track *tracks; /* by item, filled in when asked for */
} Side;

struct _SymMorph {
  Side from, to;
};

/* ---- Places ---- */

static SymRect
convert (const Side *side, const SymRect *rect)
{
  return (SymRect){ rect->x * side->factor + side->x, rect->y * side->factor + side->y,
                    rect->width * side->factor, rect->height * side->factor };
}

static SymRect
get_item (const Side *side, guint item)
{
  SymRect rect = sym_picture_get_item_rect (side->picture, item);

  return convert (side, &rect);
}

static SymRect
get_frame (const Side *side, guint frame)
{
  SymRect rect = sym_layout_get_frame_rect (side->picture->layout, frame);

  return convert (side, &rect);
}

static double
mix (double a, double b, double t)
{
  return a + (b - a) * t;
}

static SymRect
mix_rects (const SymRect *a, const SymRect *b, double t)
{
  return (SymRect){ mix (a->x, b->x, t), mix (a->y, b->y, t), mix (a->width, b->width, t),
                    mix (a->height, b->height, t) };
}

/* What @rect of @whole is, of another whole. */
static SymRect
transfer (const SymRect *rect, const SymRect *whole, const SymRect *other)
{
  double across = whole->width > 0 ? other->width / whole->width : 1;
  double down = whole->height > 0 ? other->height / whole->height : 1;

  return (SymRect){ other->x + (rect->x - whole->x) * across,
                    other->y + (rect->y - whole->y) * down, rect->width * across,
                    rect->height * down };
}

static SymId
get_first_call (const Side *side, guint group)
{
  return sym_groups_get_calls (sym_folding_get_groups (sym_scene_get_folding (side->scene)), group)
      .ids[0];
}

/* The same body in the other picture; G_MAXUINT when it is closed there. */
static guint
find_body (const Side *side, const Side *other, guint body)
{
  return sym_scene_find_body (other->scene, sym_scene_get_body (side->scene, body)->path);
}

/* The same frame in the other picture. */
static guint
find_frame (const Side *side, const Side *other, guint frame)
{
  const SymSceneFrame *what = sym_scene_get_frame (side->scene, frame);
  guint body;

  if (what->body == 0)
    return sym_scene_find_frame (other->scene, what->group);
  body = find_body (side, other, what->body);
  return body != G_MAXUINT ? sym_scene_get_body (other->scene, body)->frame : SYM_NO_FRAME;
}

/* The outermost of a frame and those around it that the other picture has closed. */
static guint
find_closed_frame (const Side *side, const Side *other, guint frame)
{
  guint found = SYM_NO_FRAME;

  for (guint i = frame; i != SYM_NO_FRAME; i = sym_scene_get_frame (side->scene, i)->parent)
    if (find_frame (side, other, i) == SYM_NO_FRAME)
      found = i;
  return found;
}

/* Within the box of a group as it lies within the frame of that; otherwise all of the box. */
static SymRect
fold_into (const Side *side, const Side *other, guint item, guint box)
{
  SymRect own = get_item (side, item), into = get_item (other, box);
  guint frame = find_closed_frame (side, other, sym_scene_get_item (side->scene, item)->frame);
  SymRect whole = frame != SYM_NO_FRAME ? get_frame (side, frame) : own;

  return transfer (&own, &whole, &into);
}

/* A group that is opened goes to where its frame has its title, as large as it is. */
static gboolean
find_title (const Side *side, const Side *other, guint item, SymRect *rect)
{
  guint frame = sym_scene_find_frame (other->scene, sym_scene_get_item (side->scene, item)->group);

  if (frame == SYM_NO_FRAME)
    return FALSE;
  SymRect own = get_item (side, item), around = get_frame (other, frame);

  *rect = (SymRect){ around.x, around.y, own.width, own.height };
  return TRUE;
}

/* The item that stands for a body in the other picture: that of its call, or what that is in. */
static guint
find_around (const Side *side, const Side *other, guint body)
{
  const SymSceneBody *what = sym_scene_get_body (side->scene, body);
  guint parent = find_body (side, other, what->parent);

  while (parent == G_MAXUINT)
    {
      what = sym_scene_get_body (side->scene, what->parent);
      parent = find_body (side, other, what->parent);
    }
  return sym_scene_find_call_in (other->scene, parent, what->call);
}

static guint
find_counterpart (const Side *side, const Side *other, guint item)
{
  const SymSceneItem *what = sym_scene_get_item (side->scene, item);
  guint body = find_body (side, other, what->body);

  if (body == G_MAXUINT)
    return find_around (side, other, what->body);
  if (what->group != SYM_NO_GROUP)
    return sym_scene_find_call (other->scene, get_first_call (side, what->group));
  if (what->value != SYM_NO_ID)
    return sym_scene_find_value_in (other->scene, body, what->value);
  return what->call != SYM_NO_ID ? sym_scene_find_call_in (other->scene, body, what->call)
                                 : G_MAXUINT;
}

/* The place of an item in the other picture, and whether that shows the same there. */
static SymRect
find_place (const Side *side, const Side *other, guint item, gboolean *stays)
{
  const SymSceneItem *what = sym_scene_get_item (side->scene, item), *there;
  guint found = find_counterpart (side, other, item);
  SymRect rect;

  *stays = FALSE;
  if (what->group != SYM_NO_GROUP && find_title (side, other, item, &rect))
    return rect;
  if (found == G_MAXUINT)
    return get_item (side, item);
  there = sym_scene_get_item (other->scene, found);
  if (find_body (side, other, what->body) != there->body)
    return fold_into (side, other, item, found);
  *stays = there->group == what->group && there->n_merged == what->n_merged;
  if (*stays || there->group == SYM_NO_GROUP)
    return get_item (other, found);
  return fold_into (side, other, item, found);
}

static const Track *
get_track (SymMorph *self, Side *side, guint item)
{
  gboolean begins = side == &self->from;
  const Side *other = begins ? &self->to : &self->from;
  Track *track = &side->tracks[item];
  SymRect own, place;

  if (track->is_known)
    return track;
  own = get_item (side, item);
  place = find_place (side, other, item, &track->stays);
  track->start = begins ? own : place;
  track->end = begins ? place : own;
  track->is_known = TRUE;
  return track;
}

static SymRect
get_moved (SymMorph *self, Side *side, guint item, double t)
{
  const Track *track = get_track (self, side, item);

  return mix_rects (&track->start, &track->end, t);
}

/* A frame that is closed goes into the box of its group, or of its layer. */
static SymRect
get_closing (const Side *side, const Side *other, guint frame)
{
  const SymSceneFrame *what = sym_scene_get_frame (side->scene, frame);
  SymRect own = get_frame (side, frame);
  guint box = what->body > 0
                  ? find_around (side, other, what->body)
                  : sym_scene_find_call (other->scene, get_first_call (side, what->group));

  return box != G_MAXUINT ? get_item (other, box) : own;
}

static SymRect
mix_sides (const SymMorph *self,
           const Side *side,
           const SymRect *own,
           const SymRect *place,
           double t)
{
  return side == &self->from ? mix_rects (own, place, t) : mix_rects (place, own, t);
}

/* One within a frame that is closed goes with that. */
static SymRect
get_moved_frame (SymMorph *self, Side *side, guint frame, double t, gboolean *stays)
{
  const Side *other = side == &self->from ? &self->to : &self->from;
  guint same = find_frame (side, other, frame);
  guint outer = find_closed_frame (side, other, frame);
  SymRect own = get_frame (side, frame), place = own;

  *stays = same != SYM_NO_FRAME;
  if (*stays)
    {
      place = get_frame (other, same);
    }
  else
    {
      SymRect whole = get_frame (side, outer), into = get_closing (side, other, outer);

      place = transfer (&own, &whole, &into);
    }
  return mix_sides (self, side, &own, &place, t);
}

/* ---- Lines ---- */

/* Where a point has gone with an item: with all of the frame around it when that is closed. */
static SymPoint
follow (SymMorph *self, Side *side, guint item, SymPoint point, double t)
{
  const Side *other = side == &self->from ? &self->to : &self->from;
  guint frame = find_closed_frame (side, other, sym_scene_get_item (side->scene, item)->frame);
  SymRect own = get_item (side, item), now = get_moved (self, side, item, t);
  SymRect spot = { point.x, point.y, 0, 0 };
  gboolean stays;

  if (frame != SYM_NO_FRAME)
    {
      own = get_frame (side, frame);
      now = get_moved_frame (self, side, frame, t, &stays);
    }
  spot = transfer (&spot, &own, &now);
  return (SymPoint){ spot.x, spot.y };
}

/* Both ends stay at their items, and what lies between goes the more with one the nearer it is. */
static SymPoint *
bend (SymMorph *self, Side *side, guint edge, double t, guint *n_points)
{
  const SymSceneEdge *what = sym_scene_get_edge (side->scene, edge);
  const SymPoint *course = sym_layout_get_course (side->picture->layout, edge, n_points);
  guint n = *n_points;
  SymPoint *points = g_new (SymPoint, n + 1);

  for (guint i = 0; i < n; i++)
    {
      SymPoint own = { course[i].x * side->factor + side->x, course[i].y * side->factor + side->y };
      SymPoint first = follow (self, side, what->from, own, t);
      SymPoint last = follow (self, side, what->to, own, t);
      double part = n > 1 ? (double) i / (n - 1) : 0;

      points[i] = (SymPoint){ mix (first.x, last.x, part), mix (first.y, last.y, part) };
    }
  return points;
}

static void
draw_lines (SymMorph *self, Side *side, const SymPainter *painter, double t)
{
  for (guint i = 0; i < side->edges->len; i++)
    {
      guint edge = g_array_index (side->edges, guint, i), n;
      g_autofree SymPoint *points = bend (self, side, edge, t, &n);

      if (n >= 4)
        sym_painter_draw_course (painter, sym_picture_get_line (side->picture, edge), points, n,
                                 sym_picture_get_line_end (side->picture, edge).has_head);
    }
}

/* ---- Items and frames ---- */

static void
draw_item (SymMorph *self, Side *side, const SymPainter *painter, guint item, double t)
{
  SymRect own = sym_picture_get_item_rect (side->picture, item);
  SymRect now = get_moved (self, side, item, t);
  SymPainter moved = *painter;
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (guint));
  double across = own.width > 0 ? now.width / own.width : 1;
  double down = own.height > 0 ? now.height / own.height : 1;

  if (MIN (across, down) * painter->scale * MIN (own.width, own.height) < 1)
    return;
  g_array_append_val (one, item);
  moved.scale *= MIN (across, down);
  cairo_save (painter->cr);
  cairo_translate (painter->cr, now.x, now.y);
  cairo_scale (painter->cr, across, down);
  cairo_translate (painter->cr, -own.x, -own.y);
  sym_painter_draw_items (&moved, one);
  cairo_restore (painter->cr);
}

static void
draw_items (SymMorph *self, Side *side, const SymPainter *painter, double t, gboolean stays)
{
  for (guint i = 0; i < side->items->len; i++)
    {
      guint item = g_array_index (side->items, guint, i);

      if (get_track (self, side, item)->stays == stays)
        draw_item (self, side, painter, item, t);
    }
}

static void
draw_frames (SymMorph *self, Side *side, const SymPainter *painter, double t, gboolean stays)
{
  for (guint i = 0; i < side->frames->len; i++)
    {
      guint frame = g_array_index (side->frames, guint, i);
      SymFrameLook look = sym_picture_get_frame_look (side->picture, frame);
      SymRect own = look.rect;
      gboolean has_both;

      look.rect = get_moved_frame (self, side, frame, t, &has_both);
      if (has_both != stays)
        continue;
      look.title_center.x += look.rect.x - own.x;
      look.title_center.y += look.rect.y - own.y;
      look.sign.x += look.rect.x - own.x;
      look.sign.y += look.rect.y - own.y;
      sym_painter_draw_frame (painter, &look);
    }
}

/* Labels stand where their lines begin or end their way, and so are seen near that only. */
static void
draw_labels (const Side *side, const SymPainter *painter)
{
  SymPainter own = *painter;

  own.clip = (SymRect){ (painter->clip.x - side->x) / side->factor,
                        (painter->clip.y - side->y) / side->factor,
                        painter->clip.width / side->factor, painter->clip.height / side->factor };
  own.scale *= side->factor;
  cairo_save (painter->cr);
  cairo_translate (painter->cr, side->x, side->y);
  cairo_scale (painter->cr, side->factor, side->factor);
  sym_painter_draw_labels (&own);
  cairo_restore (painter->cr);
}

/* What only one of the pictures has, and its lines. */
static void
draw_own (SymMorph *self, Side *side, const SymPainter *painter, double t, double opacity)
{
  SymPainter own = *painter;
  double away = side == &self->from ? t : 1 - t;

  if (opacity <= 0)
    return;
  own.picture = side->picture;
  cairo_push_group (painter->cr);
  draw_frames (self, side, &own, t, FALSE);
  draw_lines (self, side, &own, t);
  draw_items (self, side, &own, t, FALSE);
  if (away < 0.1)
    draw_labels (side, &own);
  cairo_pop_group_to_source (painter->cr);
  cairo_paint_with_alpha (painter->cr, opacity);
}

/* ---- Making ---- */

static SymRect
add_room (const SymRect *sight)
{
  return sym_draw_rect_grow (sight, SYM_LINE_REACH);
}

/* The lines that the pieces in sight are of. */
static GArray *
find_edges (const SymPicture *picture, const SymRect *near)
{
  g_autoptr (GArray) pieces = sym_draw_grid_query (picture->lines, near);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < pieces->len; i++)
    {
      const SymPiece *piece =
          &g_array_index (picture->pieces, SymPiece, g_array_index (pieces, guint, i));

      if (g_hash_table_add (seen, GUINT_TO_POINTER (piece->edge + 1)))
        g_array_append_val (edges, piece->edge);
    }
  return edges;
}

static void
init_side (Side *side, SymPicture *picture, const SymRect *sight, const SymRect *place)
{
  SymRect near = add_room (sight);

  side->picture = sym_picture_ref (picture);
  side->scene = picture->scene;
  side->factor = sight->width > 0 ? place->width / sight->width : 1;
  side->x = place->x - sight->x * side->factor;
  side->y = place->y - sight->y * side->factor;
  side->items = sym_draw_grid_query (picture->items, &near);
  side->frames = sym_draw_grid_query (picture->frames, &near);
  side->edges = find_edges (picture, &near);
  side->tracks = g_new0 (Track, sym_scene_get_n_items (picture->scene) + 1);
}

static void
clear_side (Side *side)
{
  g_array_unref (side->items);
  g_array_unref (side->frames);
  g_array_unref (side->edges);
  g_free (side->tracks);
  sym_picture_unref (side->picture);
}

static gboolean
is_small (const SymPicture *picture, const SymRect *sight, guint max_parts)
{
  SymRect near = add_room (sight);
  g_autoptr (GArray) items = sym_draw_grid_query (picture->items, &near);
  g_autoptr (GArray) pieces = sym_draw_grid_query (picture->lines, &near);

  return items->len + pieces->len <= max_parts;
}

/* What stays and was in sight leaves it before one's eyes. */
static void
add_leaving (SymMorph *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->to.items->len; i++)
    g_hash_table_add (seen, GUINT_TO_POINTER (g_array_index (self->to.items, guint, i) + 1));
  for (guint i = 0; i < self->from.items->len; i++)
    {
      guint item = g_array_index (self->from.items, guint, i);
      guint there = find_counterpart (&self->from, &self->to, item);

      if (get_track (self, &self->from, item)->stays &&
          g_hash_table_add (seen, GUINT_TO_POINTER (there + 1)))
        g_array_append_val (self->to.items, there);
    }
}

/* Or none at all, and then bodies. */
static gboolean
has_same_groups (const SymScene *from, const SymScene *to)
{
  const SymFolding *a = sym_scene_get_folding (from);
  const SymFolding *b = sym_scene_get_folding (to);

  if (a == NULL || b == NULL)
    return a == b && sym_scene_get_open_bodies (from) != NULL &&
           sym_scene_get_open_bodies (to) != NULL;
  return sym_folding_get_groups (a) == sym_folding_get_groups (b);
}

SymMorph *
sym_morph_new (SymPicture *from,
               SymPicture *to,
               const SymRect *from_sight,
               const SymRect *to_sight,
               guint max_parts)
{
  g_return_val_if_fail (from != NULL && to != NULL, NULL);
  g_return_val_if_fail (from_sight != NULL && to_sight != NULL, NULL);

  if (from->model != to->model || !has_same_groups (from->scene, to->scene) ||
      !is_small (from, from_sight, max_parts) || !is_small (to, to_sight, max_parts))
    return NULL;
  SymMorph *self = g_new0 (SymMorph, 1);

  init_side (&self->from, from, from_sight, to_sight);
  init_side (&self->to, to, to_sight, to_sight);
  add_leaving (self);
  return self;
}

void
sym_morph_free (SymMorph *self)
{
  clear_side (&self->from);
  clear_side (&self->to);
  g_free (self);
}

void
sym_morph_paint (SymMorph *self, cairo_t *cr, const SymRect *clip, double scale, double t)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL && clip != NULL);
  g_return_if_fail (scale > 0);

  SymPicture *to = self->to.picture;
  SymPainter painter = { to, to->palette, cr, *clip, scale };

  cairo_save (cr);
  if (!to->transparent)
    {
      sym_painter_set_color (&painter, to->palette->background);
      cairo_paint (cr);
    }
  draw_frames (self, &self->to, &painter, t, TRUE);
  draw_own (self, &self->from, &painter, t, MIN (1, 2 - 2 * t));
  draw_own (self, &self->to, &painter, t, MIN (1, t));
  draw_items (self, &self->to, &painter, t, TRUE);
  cairo_restore (cr);
}

SymRect
sym_morph_get_item_rect (SymMorph *self, guint item, double t)
{
  g_return_val_if_fail (self != NULL, ((SymRect){ 0 }));
  g_return_val_if_fail (item < sym_scene_get_n_items (self->to.scene), ((SymRect){ 0 }));

  return get_moved (self, &self->to, item, t);
}
