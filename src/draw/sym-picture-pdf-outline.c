/* SPDX-License-Identifier: MIT */
#include <cairo-pdf.h>
#include <math.h>

#include "draw/sym-picture-pdf.h"

/* Where the title of a frame begins.  It lies on the first page that has it. */
static SymPoint
get_start (const SymPdf *self, guint frame)
{
  SymRect rect = sym_layout_get_frame_rect (self->picture->layout, frame);

  return (SymPoint){ rect.x, rect.y };
}

static gboolean
contains (const SymRect *rect, SymPoint point)
{
  return point.x >= rect->x && point.x < rect->x + rect->width && point.y >= rect->y &&
         point.y < rect->y + rect->height;
}

/* Parts overlap: a place on two pages is marked on the one where it comes first. */
static gboolean
was_before (const SymPdf *self, const SymRect *part, SymPoint point)
{
  const SymRect *extent = &self->picture->extent;
  double overlap_x = sym_pages_get_overlap_x (&self->pages);
  double overlap_y = sym_pages_get_overlap_y (&self->pages);

  return (part->x > extent->x && point.x < part->x + overlap_x) ||
         (part->y > extent->y && point.y < part->y + overlap_y);
}

void
sym_pdf_mark_frames (const SymPdf *self, cairo_t *cr, const SymRect *part)
{
  g_autoptr (GArray) frames = sym_draw_grid_query (self->picture->frames, part);

  for (guint i = 0; i < frames->len; i++)
    {
      guint frame = g_array_index (frames, guint, i);
      SymPoint start = get_start (self, frame);
      g_autofree char *attributes = NULL;

      if (!contains (part, start) || was_before (self, part, start))
        continue;
      attributes = g_strdup_printf ("name='frame%u' x=%d y=%d", frame, (int) floor (start.x),
                                    (int) floor (start.y));
      cairo_tag_begin (cr, CAIRO_TAG_DEST, attributes);
      cairo_tag_end (cr, CAIRO_TAG_DEST);
    }
}

/* Whether a page shows where the frame begins; of a cropped picture that need not be. */
static gboolean
has_place (const SymPdf *self, guint frame)
{
  const SymPages *pages = &self->pages;
  SymPoint start = get_start (self, frame);
  const SymRect *extent = &self->picture->extent;
  guint column, row;

  if (!contains (extent, start))
    return FALSE;
  if (self->numbers == NULL)
    return TRUE;
  column = (guint) MAX ((start.x - extent->x - sym_pages_get_overlap_x (pages)) / pages->step_x, 0);
  row = (guint) MAX ((start.y - extent->y - sym_pages_get_overlap_y (pages)) / pages->step_y, 0);
  return self->numbers[row * pages->n_columns + column] > 0;
}

void
sym_pdf_add_outline (const SymPdf *self)
{
  guint n = sym_scene_get_n_frames (self->picture->scene);
  g_autofree int *entries = g_new0 (int, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    {
      guint parent = sym_scene_get_frame (self->picture->scene, i)->parent;
      int above = parent != SYM_NO_FRAME ? entries[parent] : CAIRO_PDF_OUTLINE_ROOT;
      g_autofree char *title = sym_picture_format_frame_title (self->picture, i);
      g_autofree char *place = g_strdup_printf ("dest='frame%u'", i);

      entries[i] = has_place (self, i)
                       ? cairo_pdf_surface_add_outline (self->surface, above, title, place, 0)
                       : above;
    }
}
