/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "draw/sym-picture-private.h"

#define RADIUS 10.0
#define SIGN_SIZE 11.0
#define SIGN_INSET 9.0
#define SIGN_ROOM 4.0

static guint
get_depth (const SymPicture *self, guint frame)
{
  guint depth = 0;

  for (guint i = frame; i != SYM_NO_FRAME; i = sym_scene_get_frame (self->scene, i)->parent)
    depth++;
  return depth;
}

void
sym_picture_index_frames (SymPicture *self)
{
  guint n = sym_scene_get_n_frames (self->scene);
  GArray *rects = g_array_sized_new (FALSE, FALSE, sizeof (SymRect), n);

  for (guint i = 0; i < n; i++)
    {
      SymRect rect = sym_layout_get_frame_rect (self->layout, i);

      rect = sym_draw_rect_grow (&rect, 1);
      g_array_append_val (rects, rect);
    }
  self->frames = sym_draw_grid_new (rects);
}

SymFrameLook
sym_picture_get_frame_look (const SymPicture *self, guint frame)
{
  const SymSceneFrame *scene_frame = sym_scene_get_frame (self->scene, frame);
  SymRect title = sym_layout_get_frame_title_rect (self->layout, frame);
  guint shade = (get_depth (self, frame) - 1) % SYM_N_FRAME_SHADES;
  SymFrameLook look = { sym_layout_get_frame_rect (self->layout, frame), RADIUS, shade };

  look.title = scene_frame->title;
  look.title_center = (SymPoint){ title.x + title.width - scene_frame->title_width / 2,
                                  title.y + title.height / 2 + 2 };
  look.is_dimmed = self->dimmed_frames != NULL && self->dimmed_frames[frame] != 0;
  look.stroke = look.is_dimmed ? self->palette->dimmed_frame_stroke : self->palette->frame_stroke;
  look.text = look.is_dimmed ? self->palette->dimmed_frame_text : self->palette->frame_text;
  look.sign =
      (SymRect){ title.x + SIGN_INSET, look.title_center.y - SIGN_SIZE / 2, SIGN_SIZE, SIGN_SIZE };
  return look;
}

/* The innermost frame comes last. */
SymRgb
sym_picture_get_ground (const SymPicture *self, SymPoint point)
{
  SymRect spot = { point.x, point.y, 0, 0 };
  g_autoptr (GArray) found = sym_draw_grid_query (self->frames, &spot);
  guint frame;

  if (found->len == 0)
    return self->palette->background;
  frame = g_array_index (found, guint, found->len - 1);
  return self->palette->frames[(get_depth (self, frame) - 1) % SYM_N_FRAME_SHADES];
}

/* At the upper left corner; of a text that reads upwards, where that begins. */
gboolean
sym_picture_get_sign (const SymPicture *self,
                      guint item,
                      guint box,
                      SymRect *sign,
                      gboolean *is_plus)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  const SymBox *scene_box = &scene_item->boxes[box];
  SymRect rect;
  double inset;

  if (scene_box->kind != SYM_BOX_GROUP && !scene_box->has_sign)
    return FALSE;
  rect = sym_picture_get_box_look (self, item, box).rect;
  inset = MIN (SIGN_INSET, (MIN (rect.width, rect.height) - SIGN_SIZE) / 2);
  *sign = (SymRect){ rect.x + inset, rect.y + inset, SIGN_SIZE, SIGN_SIZE };
  if (scene_box->rotated)
    sign->y = rect.y + rect.height - inset - SIGN_SIZE;
  *is_plus = scene_item->first_body == 0;
  return TRUE;
}

/* A little around it counts: it is small. */
guint
sym_picture_pick_sign (const SymPicture *self, double x, double y)
{
  SymRect spot = { x, y, 0, 0 };
  SymRect sign;
  gboolean is_plus;
  guint box;
  guint item;

  g_return_val_if_fail (self != NULL, G_MAXUINT);

  item = sym_layout_pick (self->layout, x, y, &box);
  if (item == G_MAXUINT || box == G_MAXUINT ||
      !sym_picture_get_sign (self, item, box, &sign, &is_plus))
    return G_MAXUINT;
  sign = sym_draw_rect_grow (&sign, SIGN_ROOM);
  return sym_draw_rect_meets (&sign, &spot) ? item : G_MAXUINT;
}

gboolean
sym_picture_has_groups (const SymPicture *self)
{
  SymFolding *folding = sym_scene_get_folding (self->scene);

  return folding != NULL && sym_groups_get_n (sym_folding_get_groups (folding)) > 0;
}

gboolean
sym_picture_has_signs (const SymPicture *self)
{
  return sym_picture_has_groups (self) || sym_scene_get_open_bodies (self->scene) != NULL;
}

static char *
format_title (const char *name, guint n_calls)
{
  GString *text = g_string_new (name);

  g_string_append (text, " (");
  sym_decimal_append_grouped (text, n_calls);
  g_string_append (text, n_calls == 1 ? " layer)" : " layers)");
  return g_string_free (text, FALSE);
}

static char *
format_body_title (const SymPicture *self, guint body)
{
  const SymSceneBody *what = sym_scene_get_body (self->scene, body);
  SymModel *around =
      sym_inference_get_model (sym_scene_get_body (self->scene, what->parent)->inference);
  const char *call = sym_model_get_call_name (around, what->call);
  g_autofree char *name = g_strdup_printf ("%s%s%s", call != NULL ? call : "",
                                           *what->name != '\0' ? ": " : "", what->name);

  return format_title (name,
                       sym_model_get_execution_order (sym_inference_get_model (what->inference)).n);
}

char *
sym_picture_format_frame_title (const SymPicture *self, guint frame)
{
  const SymSceneFrame *scene_frame = sym_scene_get_frame (self->scene, frame);
  const SymGroup *group;

  if (scene_frame->body > 0)
    return format_body_title (self, scene_frame->body);
  group = sym_groups_get (sym_folding_get_groups (sym_scene_get_folding (self->scene)),
                          scene_frame->group);
  return format_title (group->name, group->n_calls);
}
