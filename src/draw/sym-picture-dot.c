/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

/* The inside of a quoted string whose backslashes and entities Graphviz would interpret: both come
 * out as they went in.  Control characters become U+FFFD, as they are no text anywhere. */
static void
add_escaped (SymDrawOut *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    switch (*p)
      {
      case '"':
        sym_draw_out_add (out, "\\\"");
        break;
      case '\\':
        sym_draw_out_add (out, "\\\\");
        break;
      case '&':
        sym_draw_out_add (out, "&amp;");
        break;
      case '\n':
        sym_draw_out_add (out, "\\n");
        break;
      default:
        if (g_unichar_iscntrl (g_utf8_get_char (p)))
          sym_draw_out_add (out, "\357\277\275");
        else
          sym_draw_out_add_bytes (out, p, (gsize) (g_utf8_next_char (p) - p));
      }
}

static void
add_text (SymDrawOut *out, const char *name, const char *text)
{
  sym_draw_out_addf (out, "%s=\"", name);
  add_escaped (out, text);
  sym_draw_out_add (out, "\"");
}

static void
add_label (SymDrawOut *out, const char *const *lines)
{
  sym_draw_out_add (out, "label=\"");
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i > 0)
        sym_draw_out_add (out, "\\n");
      add_escaped (out, lines[i]);
    }
  sym_draw_out_add (out, "\"");
}

/* Node kinds differ in shape as well as in colour: inputs point into the graph, outputs have two
 * outlines. */
static const char *
get_shape (SymBoxKind kind)
{
  switch (kind)
    {
    case SYM_BOX_INPUT:
      return "cds, margin=\"0.2,0.16\"";
    case SYM_BOX_OUTPUT:
      return "box, peripheries=2";
    case SYM_BOX_CHIP:
    case SYM_BOX_HIDDEN:
    default:
      return "box";
    case SYM_BOX_GROUP:
      return "box3d, margin=\"0.2,0.1\"";
    }
}

static void
write_box (SymPictureWriter *self, guint item, guint box)
{
  const SymBox *scene_box = &sym_scene_get_item (self->picture->scene, item)->boxes[box];
  SymBoxLook look = sym_picture_get_box_look (self->picture, item, box);
  const SymPaint *paint = &self->palette->paints[look.slot];
  g_autofree char *title = sym_picture_format_item_title (self->picture, item);
  gboolean rounded = scene_box->kind != SYM_BOX_INPUT;

  sym_draw_out_addf (self->out, "  item%u_%u [id=\"item%u_%u\", ", item, box, item, box);
  add_label (self->out, scene_box->lines);
  sym_draw_out_addf (self->out,
                     ", shape=%s, style=\"%sfilled\", fillcolor=\"#%06x\", color=\"#%06x\", "
                     "fontcolor=\"#%06x\", class=\"%s\", ",
                     get_shape (scene_box->kind), rounded ? "rounded," : "", paint->fill,
                     paint->stroke, paint->text, sym_paint_slot_to_string (look.slot));
  add_text (self->out, "tooltip", title);
  sym_draw_out_add (self->out, "];\n");
}

static void
write_item (SymPictureWriter *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->picture->scene, item);

  for (guint box = 0; box < scene_item->n_boxes; box++)
    write_box (self, item, box);
  for (guint box = 1; box < scene_item->n_boxes; box++)
    if (sym_box_has_results (&scene_item->boxes[0]))
      sym_draw_out_addf (self->out, "  item%u_0 -> item%u_%u;\n", item, item, box);
}

/* Lines end at the first box of an item: its chip, or its only one. */
static void
write_edge (SymPictureWriter *self, guint edge)
{
  const SymSceneEdge *scene_edge = sym_scene_get_edge (self->picture->scene, edge);
  SymLine line = sym_picture_get_line (self->picture, edge);

  sym_draw_out_addf (self->out, "  item%u_%u -> item%u_0 [id=\"edge%u\", color=\"#%06x\"",
                     scene_edge->from, scene_edge->from_box, scene_edge->to, edge,
                     self->palette->lines[line]);
  if (line == SYM_LINE_CONTROL)
    sym_draw_out_add (self->out, ", style=dashed");
  if (scene_edge->is_back)
    sym_draw_out_add (self->out, ", constraint=false");
  if (scene_edge->label != NULL)
    {
      sym_draw_out_add (self->out, ", ");
      add_text (self->out, "label", scene_edge->label);
    }
  sym_draw_out_add (self->out, "];\n");
}

static void
write_legend_line (SymPictureWriter *self, guint i, const SymLegendRow *row)
{
  SymRgb color = self->palette->lines[row->what];

  sym_draw_out_addf (self->out, "    legend%u [shape=underline, color=\"#%06x\", ", i, color);
  sym_draw_out_addf (self->out, "style=dashed, fontcolor=\"#%06x\", ", self->palette->text);
  add_text (self->out, "label", row->text);
  sym_draw_out_add (self->out, "];\n");
}

static const char *
get_legend_shape (SymPaintSlot slot)
{
  if (slot == SYM_PAINT_INPUT)
    return get_shape (SYM_BOX_INPUT);
  return get_shape (slot == SYM_PAINT_OUTPUT ? SYM_BOX_OUTPUT : SYM_BOX_HIDDEN);
}

static void
write_legend_box (SymPictureWriter *self, guint i, const SymLegendRow *row)
{
  const SymPaint *paint = &self->palette->paints[row->what];

  sym_draw_out_addf (self->out,
                     "    legend%u [shape=%s, style=\"%sfilled\", fillcolor=\"#%06x\", "
                     "color=\"#%06x\", fontcolor=\"#%06x\", ",
                     i, get_legend_shape (row->what),
                     row->what == SYM_PAINT_INPUT ? "" : "rounded,", paint->fill, paint->stroke,
                     paint->text);
  add_text (self->out, "label", row->text);
  sym_draw_out_add (self->out, "];\n");
}

static void
write_legend (SymPictureWriter *self)
{
  const GArray *rows = self->picture->legend->rows;

  sym_draw_out_addf (self->out,
                     "  subgraph cluster_legend {\n    label=\"Legend\"; fontname=\"Sans\"; "
                     "fontcolor=\"#%06x\"; color=\"#%06x\"; style=\"rounded\";\n",
                     self->palette->text, self->palette->card_stroke);
  for (guint i = 0; i < rows->len; i++)
    {
      const SymLegendRow *row = &g_array_index (rows, SymLegendRow, i);

      if (row->sample == SYM_SAMPLE_LINE)
        write_legend_line (self, i, row);
      else
        write_legend_box (self, i, row);
    }
  for (guint i = 1; i < rows->len; i++)
    sym_draw_out_addf (self->out, "    legend%u -> legend%u [style=invis];\n", i - 1, i);
  sym_draw_out_add (self->out, "  }\n");
}

static void
write_start (SymPictureWriter *self)
{
  gboolean right = sym_layout_get_direction (self->picture->layout) == SYM_DIRECTION_RIGHT;

  sym_draw_out_add (self->out, "digraph \"");
  add_escaped (self->out, sym_picture_get_title (self->picture));
  sym_draw_out_addf (self->out, "\" {\n  rankdir=%s;\n", right ? "LR" : "TB");
  if (self->picture->transparent)
    sym_draw_out_add (self->out, "  bgcolor=\"transparent\";\n");
  else
    sym_draw_out_addf (self->out, "  bgcolor=\"#%06x\";\n", self->palette->background);
  sym_draw_out_addf (self->out,
                     "  nodesep=0.3;\n  ranksep=0.3;\n"
                     "  node [fontname=\"Sans\", fontsize=11, height=0.3];\n"
                     "  edge [fontname=\"Sans\", fontsize=9, arrowsize=0.7, color=\"#%06x\", "
                     "fontcolor=\"#%06x\"];\n",
                     self->palette->lines[SYM_LINE_DATA], self->palette->muted);
}

static void
write_frame_start (SymPictureWriter *self, guint frame)
{
  SymFrameLook look = sym_picture_get_frame_look (self->picture, frame);
  g_autofree char *title = sym_picture_format_frame_title (self->picture, frame);

  sym_draw_out_addf (self->out, "  subgraph cluster_frame%u {\n  id=\"frame%u\"; ", frame, frame);
  add_text (self->out, "label", look.title);
  sym_draw_out_add (self->out, "; ");
  add_text (self->out, "tooltip", title);
  sym_draw_out_addf (self->out,
                     "; labeljust=l; fontname=\"Sans\"; fontsize=11; fontcolor=\"#%06x\"; "
                     "color=\"#%06x\"; fillcolor=\"#%06x\"; style=\"rounded,filled\";\n",
                     look.text, look.stroke, self->palette->frames[look.shade]);
}

/* What each frame has, and at last what none has: the first, and the next of each. */
typedef struct {
  guint *first_items, *next_items;
  guint *first_frames, *next_frames;
} Nest;

static void
nest_items (const SymPicture *picture, Nest *nest)
{
  const SymScene *scene = picture->scene;
  guint n_frames = sym_scene_get_n_frames (scene);
  g_autoptr (GArray) items = sym_picture_list_items (picture);
  g_autoptr (GArray) frames =
      sym_draw_grid_query (picture->frames, picture->is_cropped ? &picture->extent : NULL);

  for (guint i = 0; i <= n_frames; i++)
    nest->first_items[i] = nest->first_frames[i] = G_MAXUINT;
  for (guint k = items->len; k-- > 0;)
    {
      guint i = g_array_index (items, guint, k);
      guint frame = MIN (sym_scene_get_item (scene, i)->frame, n_frames);

      nest->next_items[i] = nest->first_items[frame];
      nest->first_items[frame] = i;
    }
  for (guint k = frames->len; k-- > 0;)
    {
      guint i = g_array_index (frames, guint, k);
      guint parent = MIN (sym_scene_get_frame (scene, i)->parent, n_frames);

      nest->next_frames[i] = nest->first_frames[parent];
      nest->first_frames[parent] = i;
    }
}

static void
write_own_items (SymPictureWriter *self, const Nest *nest, guint frame)
{
  for (guint i = nest->first_items[frame]; i != G_MAXUINT; i = nest->next_items[i])
    if (sym_picture_writer_go_on (self))
      write_item (self, i);
}

/* Each frame is closed before the next beside it begins. */
static void
write_frames (SymPictureWriter *self, const Nest *nest)
{
  const SymScene *scene = self->picture->scene;
  guint frame = nest->first_frames[sym_scene_get_n_frames (scene)];

  while (frame != G_MAXUINT)
    {
      write_frame_start (self, frame);
      write_own_items (self, nest, frame);
      if (nest->first_frames[frame] != G_MAXUINT)
        {
          frame = nest->first_frames[frame];
          continue;
        }
      sym_draw_out_add (self->out, "  }\n");
      while (nest->next_frames[frame] == G_MAXUINT &&
             sym_scene_get_frame (scene, frame)->parent != SYM_NO_FRAME)
        {
          frame = sym_scene_get_frame (scene, frame)->parent;
          sym_draw_out_add (self->out, "  }\n");
        }
      frame = nest->next_frames[frame];
    }
}

static void
write_items (SymPictureWriter *self)
{
  guint n_frames = sym_scene_get_n_frames (self->picture->scene);
  guint n_items = sym_scene_get_n_items (self->picture->scene);
  g_autofree guint *frames = g_new (guint, 3 * (gsize) n_frames + 3);
  g_autofree guint *items = g_new (guint, (gsize) n_items + 1);
  Nest nest = { frames, items, frames + n_frames + 1, frames + 2 * (gsize) n_frames + 2 };

  nest_items (self->picture, &nest);
  write_own_items (self, &nest, n_frames);
  write_frames (self, &nest);
}

/* A line to what is not there would make it. */
static void
write_edges (SymPictureWriter *self)
{
  const SymScene *scene = self->picture->scene;
  g_autoptr (GArray) items = sym_picture_list_items (self->picture);
  g_autofree guint8 *is_there = g_new0 (guint8, (gsize) sym_scene_get_n_items (scene) + 1);

  for (guint i = 0; i < items->len; i++)
    is_there[g_array_index (items, guint, i)] = TRUE;
  for (guint i = 0; i < sym_scene_get_n_edges (scene) && sym_picture_writer_go_on (self); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      if (is_there[edge->from] && is_there[edge->to])
        write_edge (self, i);
    }
}

static void
write_all (SymPictureWriter *self)
{
  write_start (self);
  write_items (self);
  write_edges (self);
  if (self->picture->legend != NULL)
    write_legend (self);
  sym_draw_out_add (self->out, "}\n");
}

gboolean
sym_picture_write_dot (SymPicture *self,
                       const char *path,
                       const SymPictureOutput *output,
                       GError **error)
{
  return sym_picture_write_text (self, path, output, write_all, error);
}
