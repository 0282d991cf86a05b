/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#define CHIP_RADIUS 10.0
#define BOX_RADIUS 8.0
#define MARK_INSET 3.0
#define MAX_SHEETS 2
#define SHEET_STEP 4.0

static gboolean
call_makes_output (const SymPicture *self, SymId call)
{
  SymIds results = sym_model_get_results (self->model, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_model_is_output (self->model, results.ids[i]))
      return TRUE;
  return FALSE;
}

/* Where an output has no box of its own, nothing but the chip or the group can say that it is one.
 */
static gboolean
makes_output (const SymPicture *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  g_autoptr (GArray) calls = NULL;

  if (sym_scene_get_drawing (self->scene) != SYM_DRAWING_LAYERS)
    return FALSE;
  if (scene_item->body > 0)
    return FALSE;
  if (scene_item->call != SYM_NO_ID)
    return call_makes_output (self, scene_item->call);
  calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  sym_scene_collect_calls (self->scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    if (call_makes_output (self, g_array_index (calls, SymId, i)))
      return TRUE;
  return FALSE;
}

static gboolean
is_dimmed (const SymPicture *self, guint item, guint box)
{
  return self->dimmed_boxes != NULL && self->dimmed_boxes[self->first_boxes[item] + box] != 0;
}

static double
get_stroke_width (SymBoxKind kind)
{
  switch (kind)
    {
    case SYM_BOX_OUTPUT:
      return 2.0;
    case SYM_BOX_INPUT:
      return 1.5;
    case SYM_BOX_CHIP:
    case SYM_BOX_GROUP:
    case SYM_BOX_HIDDEN:
    default:
      return 1.0;
    }
}

/* A layer is as hot as it is where that is asked for, and plain where nobody knows. */
static SymPaintSlot
get_slot (const SymPicture *self, guint item, const SymBox *box)
{
  guint level;

  if (self->heat != NULL && sym_box_has_results (box))
    {
      level = sym_heat_get_level (self->heat, item);
      return level != SYM_NO_HEAT ? sym_theme_get_heat_slot (self->heat, level) : SYM_PAINT_HIDDEN;
    }
  if (box->kind == SYM_BOX_CHIP)
    return (SymPaintSlot) sym_scene_get_item (self->scene, item)->category;
  return sym_theme_get_box_slot (box->kind);
}

SymBoxLook
sym_picture_get_box_look (const SymPicture *self, guint item, guint box)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  const SymBox *scene_box = &scene_item->boxes[box];
  SymPoint corner = sym_layout_get_position (self->layout, item);
  gboolean is_chip = scene_box->kind == SYM_BOX_CHIP;
  gboolean has_results = sym_box_has_results (scene_box);
  SymBoxLook look = { scene_box->rect };

  look.rect.x += corner.x;
  look.rect.y += corner.y;
  look.radius =
      MIN (is_chip ? CHIP_RADIUS : BOX_RADIUS, MIN (look.rect.width, look.rect.height) / 2);
  look.stroke_width = get_stroke_width (scene_box->kind) + self->palette->outline;
  look.slot = get_slot (self, item, scene_box);
  look.marks_input = scene_box->kind == SYM_BOX_INPUT;
  look.marks_output =
      has_results ? makes_output (self, item)
                  : scene_item->body == 0 && sym_model_is_output (self->model, scene_box->value);
  if (scene_box->kind == SYM_BOX_GROUP && scene_item->n_merged > 1)
    look.n_sheets = MIN (scene_item->n_merged - 1, MAX_SHEETS);
  if (is_dimmed (self, item, box))
    look.slot = SYM_PAINT_DIMMED;
  return look;
}

SymRect
sym_picture_get_item_rect (const SymPicture *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  SymPoint corner = sym_layout_get_position (self->layout, item);

  return (SymRect){ corner.x, corner.y, scene_item->width, scene_item->height };
}

SymRect
sym_box_look_get_sheet (const SymBoxLook *self, guint i)
{
  return (SymRect){ self->rect.x + SHEET_STEP * i, self->rect.y + SHEET_STEP * i, self->rect.width,
                    self->rect.height };
}

SymPoint
sym_box_look_get_input_mark (const SymBoxLook *self)
{
  return (SymPoint){ self->rect.x + MARK_INSET, self->rect.y + MARK_INSET };
}

SymPoint
sym_box_look_get_output_mark (const SymBoxLook *self)
{
  return (SymPoint){ self->rect.x + self->rect.width - MARK_INSET, self->rect.y + MARK_INSET };
}

/* A check mark for outputs, an arrow into the picture for inputs. */
const SymMark *
sym_mark_get (gboolean output)
{
  static const SymMark check = { 1, { 3 }, { { { -3, 0.2 }, { -0.9, 2.4 }, { 3.1, -2.2 } } } };
  static const SymMark arrow = {
    2,
    { 2, 3 },
    { { { 0, -3.4 }, { 0, 3.2 } }, { { -2.7, 0.6 }, { 0, 3.3 }, { 2.7, 0.6 } } },
  };

  return output ? &check : &arrow;
}
