/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#include <math.h>

#include "core/sym-error.h"

#define STRIDE 512 /* items or edges from one word about progress to the next */

const SymPictureOutput *
sym_picture_output_get (const SymPictureOutput *output)
{
  static const SymPictureOutput plain = { 0 };

  return output != NULL ? output : &plain;
}

gboolean
sym_picture_output_tell (const SymPictureOutput *self, double done, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->progress != NULL)
    self->progress (CLAMP (done, 0, 1), self->user_data);
  return TRUE;
}

gboolean
sym_picture_output_get_scale (const SymPictureOutput *self,
                              const char *path,
                              double *scale,
                              GError **error)
{
  *scale = fpclassify (self->scale) == FP_ZERO ? 1 : self->scale;
  if (*scale > 0 && isfinite (*scale))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "%s: the scale must be above 0", path);
  return FALSE;
}

gboolean
sym_picture_writer_go_on (SymPictureWriter *self)
{
  if (sym_draw_out_has_failed (self->out))
    return FALSE;
  if (self->n_done++ % STRIDE > 0)
    return !g_cancellable_is_cancelled (self->output->cancellable);
  return sym_picture_output_tell (self->output, (double) self->n_done / self->n_all, NULL);
}

gboolean
sym_picture_write_text (const SymPicture *self,
                        const char *path,
                        const SymPictureOutput *output,
                        void (*write_all) (SymPictureWriter *writer),
                        GError **error)
{
  g_autoptr (SymDrawOut) out = NULL;
  SymPictureWriter writer = { self };

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  out = sym_draw_out_new (path, error);
  if (out == NULL)
    return FALSE;
  writer.palette = self->palette;
  writer.out = out;
  writer.output = sym_picture_output_get (output);
  writer.n_all = 1 + sym_scene_get_n_items (self->scene) + sym_scene_get_n_edges (self->scene);
  write_all (&writer);
  return sym_picture_output_tell (writer.output, 1, error) && sym_draw_out_close (out, error);
}

static GArray *
count_up_to (guint n)
{
  GArray *numbers = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);

  for (guint i = 0; i < n; i++)
    g_array_append_val (numbers, i);
  return numbers;
}

GArray *
sym_picture_list_items (const SymPicture *self)
{
  if (!self->is_cropped)
    return count_up_to (sym_scene_get_n_items (self->scene));
  return sym_draw_grid_query (self->items, &self->extent);
}

/* Pieces are in the order of their edges. */
GArray *
sym_picture_list_edges (const SymPicture *self)
{
  g_autoptr (GArray) pieces = NULL;
  GArray *edges;
  guint last = G_MAXUINT;

  if (!self->is_cropped)
    return count_up_to (sym_scene_get_n_edges (self->scene));
  pieces = sym_draw_grid_query (self->lines, &self->extent);
  edges = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < pieces->len; i++)
    {
      guint piece = g_array_index (pieces, guint, i);
      guint edge = g_array_index (self->pieces, SymPiece, piece).edge;

      if (edge != last)
        g_array_append_val (edges, edge);
      last = edge;
    }
  return edges;
}
