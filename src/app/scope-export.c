/* SPDX-License-Identifier: MIT */
#include "app/scope-export.h"

#include <glib/gi18n.h>

#define PNG_SCALE 2.0 /* pixels per point: sharp on dense screens and on paper */

static const ScopeExportKind kinds[] = {
  { ".svg", N_("SVG drawing") },
  { ".png", N_("PNG picture") },
  { ".pdf", N_("PDF document") },
  { ".dot", N_("Graphviz DOT") },
};

static const SymPictureWriteFunc writers[] = { sym_picture_write_svg, sym_picture_write_png,
                                               sym_picture_write_pdf, sym_picture_write_dot };

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == G_N_ELEMENTS (writers));

typedef struct {
  SymLayout *layout;
  char *path;
  SymTheme theme;
  SymPictureWriteFunc write;
} Export;

static void
free_export (gpointer data)
{
  Export *self = data;

  sym_layout_unref (self->layout);
  g_free (self->path);
  g_free (self);
}

static void
export_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Export *self = task_data;
  SymPictureOptions options = { .theme = self->theme, .legend = TRUE };
  g_autoptr (SymPicture) picture = sym_picture_new (self->layout, &options);
  SymPictureOutput output = { .scale = self->write == sym_picture_write_png ? PNG_SCALE : 1,
                              .cancellable = cancellable };
  GError *error = NULL;

  if (self->write (picture, self->path, &output, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static SymPictureWriteFunc
find_writer (const char *path)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_suffix (lower, kinds[i].suffix))
      return writers[i];
  return NULL;
}

const ScopeExportKind *
scope_export_get_kinds (guint *n)
{
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}

void
scope_export_async (ScopeDocument *document,
                    GFile *file,
                    SymTheme theme,
                    GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && G_IS_FILE (file));

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  SymPicture *picture = scope_document_get_picture (document);
  SymPictureWriteFunc write = find_writer (g_file_peek_path (file));

  g_task_set_source_tag (task, scope_export_async);
  if (picture == NULL || scope_document_is_preview (document)) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING, _("The graph is not drawn yet"));
    return;
  }
  if (write == NULL) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _("The name must end in .svg, .png, .pdf or .dot"));
    return;
  }
  Export *self = g_new0 (Export, 1);

  self->layout = sym_layout_ref (sym_picture_get_layout (picture));
  self->path = g_file_get_path (file);
  self->theme = theme;
  self->write = write;
  g_task_set_task_data (task, self, free_export);
  g_task_run_in_thread (task, export_thread);
}

gboolean
scope_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
