/* SPDX-License-Identifier: MIT */
#include "app/scope-export.h"

#include <glib/gi18n.h>

#include "scene/sym-scene-body.h"

#define PNG_SCALE 2.0 /* pixels per point: sharp on dense screens and on paper */
#define N_HOPS 2

static const ScopeExportKind kinds[] = {
  { ".svg", N_("SVG drawing") },
  { ".png", N_("PNG picture") },
  { ".pdf", N_("PDF document") },
  { ".dot", N_("Graphviz DOT") },
};

static const SymPictureWriteFunc writers[] = { sym_picture_write_svg, sym_picture_write_png,
                                               sym_picture_write_pdf, sym_picture_write_dot };

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == G_N_ELEMENTS (writers));

/* References of its own to all that the thread needs. */
typedef struct {
  ScopeExportOptions options;
  ScopeView view;
  SymInference *inference;
  SymLayout *layout;
  ScopeCut *cut; /* NULL: nothing is marked */
  SymRecord *record; /* NULL for none */
  SymId selected;
  char *path;
  SymPictureWriteFunc write;
  GTask *task; /* not a reference */
  SymProgressFunc progress;
  gpointer user_data;
  int told; /* percent, in the thread that writes */
} Export;

static void
free_export (gpointer data)
{
  Export *self = data;

  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->layout, sym_layout_unref);
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->record, sym_record_unref);
  g_free (self->path);
  g_free (self);
}

/* ---- How far it is ---- */

typedef struct {
  GTask *task;
  double done;
} Word;

static void
free_word (gpointer data)
{
  Word *word = data;

  g_object_unref (word->task);
  g_free (word);
}

static gboolean
say_cb (gpointer data)
{
  Word *word = data;
  Export *self = g_task_get_task_data (word->task);

  if (!g_task_get_completed (word->task))
    self->progress (word->done, self->user_data);
  return G_SOURCE_REMOVE;
}

/* In the thread that writes; whole percents are often enough.  What was said before the task returned
 * is heard before its callback, as both are of one priority. */
static void
progress_cb (double done, gpointer data)
{
  Export *self = data;
  int percent = (int) (100 * done);

  if (self->progress == NULL || percent == self->told)
    return;
  self->told = percent;
  Word *word = g_new0 (Word, 1);

  word->task = g_object_ref (self->task);
  word->done = done;
  g_main_context_invoke_full (g_task_get_context (self->task), g_task_get_priority (self->task),
                              say_cb, word, free_word);
}

/* ---- In the thread ---- */

static gboolean
lay_out_anew (Export *self,
              const SymSelection *selection,
              GCancellable *cancellable,
              GError **error)
{
  SymSceneOptions scene_options = { .drawing = self->view.drawing,
                                    .labels = self->view.labels,
                                    .sideways = self->view.direction == SYM_DIRECTION_RIGHT,
                                    .selection = selection,
                                    .open_bodies = sym_scene_get_open_bodies (
                                        sym_layout_get_scene (self->layout)),
                                    .cancellable = cancellable };
  SymLayoutOptions layout_options = { .direction = self->view.direction };
  g_autoptr (SymScene) scene = sym_scene_new (self->inference, &scene_options);

  if (scene == NULL) {
    g_cancellable_set_error_if_cancelled (cancellable, error);
    return FALSE;
  }
  SymLayout *layout = sym_layout_new (scene, &layout_options, cancellable, error);

  if (layout == NULL)
    return FALSE;
  sym_layout_unref (self->layout);
  self->layout = layout;
  return TRUE;
}

static gboolean
lay_out_selection (Export *self, GCancellable *cancellable, GError **error)
{
  if (self->cut != NULL)
    return lay_out_anew (self, scope_cut_get_selection (self->cut), cancellable, error);
  g_autoptr (SymSelection) around = sym_selection_new_around (
      sym_inference_get_model (self->inference), &self->selected, 1, N_HOPS);

  return lay_out_anew (self, around, cancellable, error);
}

static gboolean
write_picture (Export *self, GCancellable *cancellable, GError **error)
{
  const ScopeExportOptions *options = &self->options;
  g_autoptr (SymHeat) heat = scope_view_create_heat (&self->view, self->record, self->layout);
  SymPictureOptions look = { .theme = options->theme,
                             .heat = heat,
                             .transparent = options->transparent,
                             .legend = TRUE,
                             .crop = options->part == SCOPE_EXPORT_VIEW ? &options->view : NULL };
  SymPictureOutput output = { .cancellable = cancellable,
                              .progress = progress_cb,
                              .user_data = self };
  g_autoptr (SymPicture) picture = sym_picture_new (self->layout, &look);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->write == sym_picture_write_png)
    output.scale = options->scale > 0 ? options->scale : PNG_SCALE;
  return self->write (picture, self->path, &output, error);
}

static void
export_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Export *self = task_data;
  GError *error = NULL;
  gboolean done = TRUE;

  if (self->options.part == SCOPE_EXPORT_GRAPH)
    done = lay_out_anew (self, NULL, cancellable, &error);
  else if (self->options.part == SCOPE_EXPORT_SELECTION)
    done = lay_out_selection (self, cancellable, &error);
  if (done && write_picture (self, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* ---- Parts ---- */

static gboolean
is_folded (ScopeDocument *document)
{
  SymPicture *picture = scope_document_get_picture (document);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (sym_scene_get_item (scene, i)->group != SYM_NO_GROUP)
      return TRUE;
  return FALSE;
}

static char *
name_selection (ScopeDocument *document)
{
  SymId value = scope_document_get_selected_value (document);

  if (scope_document_get_cut (document) != NULL)
    return g_strdup (_("Marked part"));
  if (value == SYM_NO_ID)
    return NULL;
  return g_strdup_printf (_("Around “%s”"), sym_model_get_unique_name (
                                                scope_document_get_model (document), value));
}

char *
scope_export_name_part (ScopeDocument *document, ScopeExportPart part)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  if (scope_document_get_picture (document) == NULL)
    return NULL;
  switch (part) {
  case SCOPE_EXPORT_DRAWING:
    return g_strdup (_("Whole drawing"));
  case SCOPE_EXPORT_GRAPH:
    return is_folded (document) ? g_strdup (_("Whole graph, nothing folded")) : NULL;
  case SCOPE_EXPORT_VIEW:
    return g_strdup (_("What is seen"));
  case SCOPE_EXPORT_SELECTION:
    return name_selection (document);
  default:
    g_return_val_if_reached (NULL);
  }
}

/* ---- Outside ---- */

static SymPictureWriteFunc
find_writer (const char *path)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_suffix (lower, kinds[i].suffix))
      return writers[i];
  return NULL;
}

/* Why it cannot be; NULL when it can. */
static GError *
check (ScopeDocument *document, const ScopeExportOptions *options, const char *path)
{
  ScopeCut *cut = scope_document_get_cut (document);

  if (scope_document_get_picture (document) == NULL || scope_document_is_preview (document))
    return g_error_new (G_IO_ERROR, G_IO_ERROR_PENDING, _("The graph is not drawn yet"));
  if (find_writer (path) == NULL)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                        _("The name must end in .svg, .png, .pdf or .dot"));
  if (options->part == SCOPE_EXPORT_VIEW && !(options->view.width > 0 && options->view.height > 0))
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _("Nothing is seen"));
  if (options->part != SCOPE_EXPORT_SELECTION)
    return NULL;
  if (cut != NULL && scope_cut_get_selection (cut) == NULL)
    return g_error_copy (scope_cut_get_error (cut));
  if (cut == NULL && scope_document_get_selected_value (document) == SYM_NO_ID)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _("Nothing is selected"));
  return NULL;
}

static Export *
collect (ScopeDocument *document, const ScopeExportOptions *options, GFile *file)
{
  SymPicture *picture = scope_document_get_picture (document);
  ScopeCut *cut = scope_document_get_cut (document);
  Export *self = g_new0 (Export, 1);

  self->options = *options;
  self->view = *scope_document_get_view (document);
  if (scope_document_get_record (document) != NULL)
    self->record = sym_record_ref (scope_document_get_record (document));
  self->inference = sym_inference_ref (scope_document_get_inference (document));
  self->layout = sym_layout_ref (sym_picture_get_layout (picture));
  self->cut = cut != NULL ? scope_cut_ref (cut) : NULL;
  self->selected = scope_document_get_selected_value (document);
  self->path = g_file_get_path (file);
  self->write = find_writer (self->path);
  return self;
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
                    const ScopeExportOptions *options,
                    GCancellable *cancellable,
                    SymProgressFunc progress,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && G_IS_FILE (file) && options != NULL);

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  GError *error = check (document, options, g_file_peek_path (file));

  g_task_set_source_tag (task, scope_export_async);
  if (error != NULL) {
    g_task_return_error (task, error);
    return;
  }
  Export *self = collect (document, options, file);

  self->task = task;
  self->progress = progress;
  self->user_data = user_data;
  g_task_set_task_data (task, self, free_export);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, and is told */
  g_task_run_in_thread (task, export_thread);
}

gboolean
scope_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
