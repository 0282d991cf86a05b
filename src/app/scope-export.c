/* SPDX-License-Identifier: MIT */
#include "app/scope-export.h"

#include <glib/gi18n.h>
#include <math.h>

#include "scene/sym-scene-body.h"

#define N_HOPS 2

static const ScopeExportKind kinds[] = {
  { ".svg", N_ ("SVG Drawing"), .write = sym_picture_write_svg },
  { ".png", N_ ("PNG Picture"), .has_scale = TRUE, .write = sym_picture_write_png },
  { ".pdf", N_ ("PDF Document"), .has_paper = TRUE, .write = sym_picture_write_pdf },
  { ".dot", N_ ("Graphviz DOT"), .is_plain = TRUE, .write = sym_picture_write_dot },
  { ".txt", N_ ("Summary as Text"), .is_table = TRUE, .is_plain = TRUE },
  { ".csv", N_ ("Summary as CSV"), .is_table = TRUE, .is_plain = TRUE },
  { ".md", N_ ("Summary as Markdown"), .is_table = TRUE, .is_plain = TRUE },
  { ".tex", N_ ("Summary as LaTeX"), .is_table = TRUE, .is_plain = TRUE },
  { ".json", N_ ("Summary as JSON"), .is_table = TRUE, .is_plain = TRUE },
};

/* ---- Making a picture: references of its own to all that the thread needs ---- */

typedef struct {
  ScopeExportOptions options;
  guint small_size, density;
  ScopeView view;
  SymInference *inference;
  SymLayout *layout;
  ScopeCut *cut;     /* NULL: nothing is marked */
  SymRecord *record; /* NULL for none */
  GArray *found;     /* likewise */
  SymQuery *query;   /* likewise */
  SymOverlay *overlay;
  ScopeComparison *comparison;
  ScopeDistances *distances;
  SymFigures *figures; /* NULL of a preview */
  GArray *selected;    /* of SymId */
  SymPicture *picture;
  cairo_surface_t *small;
} Draft;

static void
free_draft (gpointer data)
{
  Draft *self = data;

  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->layout, sym_layout_unref);
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->record, sym_record_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->query, sym_query_unref);
  g_clear_pointer (&self->distances, scope_distances_unref);
  g_clear_pointer (&self->selected, g_array_unref);
  g_clear_pointer (&self->overlay, sym_overlay_unref);
  g_clear_pointer (&self->comparison, scope_comparison_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->picture, sym_picture_unref);
  g_clear_pointer (&self->small, cairo_surface_destroy);
  g_free (self);
}

/* ---- Pixels ---- */

#define MAX_SIDE 16384.0
#define MAX_PIXELS 40e6
#define LEAST_SHARE 0.75 /* of the size asked for, that the shorter side has */
#define MAX_LENGTH 12    /* times that size */

static double
limit_scale (const SymRect *extent, double scale)
{
  double side = MAX (MAX (extent->width, extent->height), 1);
  double area = MAX (extent->width * extent->height, 1);

  return MIN (MIN (scale, MAX_SIDE / side), sqrt (MAX_PIXELS / area));
}

static double
find_small_scale (SymPicture *picture, guint size, guint density)
{
  SymRect extent = sym_picture_get_extent (picture);
  double longer = MAX (MAX (extent.width, extent.height), 1);
  double shorter = MAX (MIN (extent.width, extent.height), 1);
  double scale = MAX (size / longer, MIN (size * LEAST_SHARE / shorter, 1));

  return limit_scale (&extent, density * MIN (scale, MAX_LENGTH * size / longer));
}

static cairo_surface_t *
paint (SymPicture *picture, double scale)
{
  SymRect extent = sym_picture_get_extent (picture);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX ((int) ceil (extent.width * scale), 1),
                                  MAX ((int) ceil (extent.height * scale), 1));
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -extent.x, -extent.y);
  sym_picture_paint (picture, cr, NULL, scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
paint_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  SymPicture *picture = task_data;
  double scale = *(const double *) g_object_get_data (G_OBJECT (task), "scale");
  SymRect extent = sym_picture_get_extent (picture);
  cairo_surface_t *surface = paint (picture, limit_scale (&extent, scale));

  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS)
    g_task_return_pointer (task, surface, (GDestroyNotify) cairo_surface_destroy);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s",
                             cairo_status_to_string (cairo_surface_status (surface)));
}

/* ---- In the thread ---- */

static gboolean
lay_out_anew (Draft *self, const SymSelection *selection, GCancellable *cancellable, GError **error)
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

  if (scene == NULL)
    {
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
lay_out_selection (Draft *self, GCancellable *cancellable, GError **error)
{
  if (self->cut != NULL)
    return lay_out_anew (self, scope_cut_get_selection (self->cut), cancellable, error);
  g_autoptr (SymSelection) around = sym_selection_new_around (
      sym_inference_get_model (self->inference),
      (const SymId *) (gconstpointer) self->selected->data, self->selected->len, N_HOPS);

  return lay_out_anew (self, around, cancellable, error);
}

static gboolean
lay_out_part (Draft *self, GCancellable *cancellable, GError **error)
{
  if (self->options.part == SCOPE_EXPORT_GRAPH)
    return lay_out_anew (self, NULL, cancellable, error);
  if (self->options.part == SCOPE_EXPORT_SELECTION)
    return lay_out_selection (self, cancellable, error);
  return TRUE;
}

static void
prepare_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Draft *self = task_data;
  const ScopeExportOptions *options = &self->options;
  GError *error = NULL;

  if (!lay_out_part (self, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  ScopeColorsSource from = { self->inference, self->figures, self->record,     self->found,
                             self->query,     self->overlay, self->comparison, self->distances };
  g_autoptr (SymHeat) heat = scope_colors_create_heat (self->view.colors, &from, self->layout);
  SymPictureOptions look = { .theme = options->theme,
                             .heat = heat,
                             .transparent = options->transparent,
                             .legend = options->has_legend,
                             .crop = options->part == SCOPE_EXPORT_VIEW ? &options->view : NULL };

  self->picture = sym_picture_new (self->layout, &look);
  if (self->small_size > 0)
    self->small =
        paint (self->picture, find_small_scale (self->picture, self->small_size, self->density));
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
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
  guint n = scope_document_get_selected_values (document).n;

  if (scope_document_get_cut (document) != NULL)
    return g_strdup (_ ("Marked Part"));
  if (n > 1)
    return g_strdup_printf (ngettext ("Around %u Node", "Around %u Nodes", n), n);
  if (value == SYM_NO_ID)
    return NULL;
  return g_strdup_printf (_ ("Around “%s”"),
                          sym_model_get_unique_name (scope_document_get_model (document), value));
}

char *
scope_export_name_part (ScopeDocument *document, ScopeExportPart part)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  if (scope_document_get_picture (document) == NULL)
    return NULL;
  switch (part)
    {
    case SCOPE_EXPORT_DRAWING:
      return g_strdup (_ ("Whole Drawing"));
    case SCOPE_EXPORT_GRAPH:
      return is_folded (document) ? g_strdup (_ ("Whole Graph, Nothing Folded")) : NULL;
    case SCOPE_EXPORT_VIEW:
      return g_strdup (_ ("What Is Seen"));
    case SCOPE_EXPORT_SELECTION:
      return name_selection (document);
    default:
      g_return_val_if_reached (NULL);
    }
}

/* Why there cannot be a picture; NULL when there can. */
static GError *
check (ScopeDocument *document, const ScopeExportOptions *options)
{
  ScopeCut *cut = scope_document_get_cut (document);

  if (scope_document_get_picture (document) == NULL || scope_document_is_preview (document))
    return g_error_new (G_IO_ERROR, G_IO_ERROR_PENDING, _ ("The graph is not drawn yet"));
  if (options->part == SCOPE_EXPORT_VIEW && !(options->view.width > 0 && options->view.height > 0))
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Nothing is seen"));
  if (options->part != SCOPE_EXPORT_SELECTION)
    return NULL;
  if (cut != NULL && scope_cut_get_selection (cut) == NULL)
    return g_error_copy (scope_cut_get_error (cut));
  if (cut == NULL && scope_document_get_selected_value (document) == SYM_NO_ID)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Nothing is selected"));
  return NULL;
}

/* None, one, or several. */
static GArray *
list_selected (ScopeDocument *document)
{
  SymIds several = scope_document_get_selected_values (document);
  SymId value = scope_document_get_selected_value (document);
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (SymId));

  if (several.n > 0)
    g_array_append_vals (selected, several.ids, several.n);
  else if (value != SYM_NO_ID)
    g_array_append_val (selected, value);
  return selected;
}

static Draft *
collect (ScopeDocument *document, const ScopeExportOptions *options)
{
  SymPicture *picture = scope_document_get_picture (document);
  ScopeCut *cut = scope_document_get_cut (document);
  Draft *self = g_new0 (Draft, 1);

  self->options = *options;
  self->view = *scope_document_get_view (document);
  if (scope_document_get_record (document) != NULL)
    self->record = sym_record_ref (scope_document_get_record (document));
  if (scope_document_get_overlay (document) != NULL)
    self->overlay = sym_overlay_ref (scope_document_get_overlay (document));
  if (scope_document_get_comparison (document) != NULL)
    self->comparison = scope_comparison_ref (scope_document_get_comparison (document));
  if (scope_document_get_figures (document) != NULL)
    self->figures = sym_figures_ref (scope_document_get_figures (document));
  if (scope_document_has_search (document))
    {
      SymIds found = scope_document_get_found (document);

      self->found = g_array_new (FALSE, FALSE, sizeof (SymId));
      g_array_append_vals (self->found, found.ids, found.n);
    }
  if (scope_document_get_hits (document) != NULL)
    self->query = sym_query_ref (sym_query_result_get_query (scope_document_get_hits (document)));
  self->distances = scope_document_ref_distances (document);
  self->inference = sym_inference_ref (scope_document_get_inference (document));
  self->layout = sym_layout_ref (sym_picture_get_layout (picture));
  self->cut = cut != NULL ? scope_cut_ref (cut) : NULL;
  self->selected = list_selected (document);
  return self;
}

/* ---- Writing ---- */

typedef struct {
  SymPicture *picture;
  SymPictureOutput output;
  SymPictureWriteFunc write;
  char *path;
  GTask *task; /* not a reference */
  SymProgressFunc progress;
  gpointer user_data;
  int told; /* percent, in the thread that writes */
} Writing;

static void
free_writing (gpointer data)
{
  Writing *self = data;

  sym_picture_unref (self->picture);
  g_free (self->path);
  g_free (self);
}

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
  Writing *self = g_task_get_task_data (word->task);

  if (!g_task_get_completed (word->task))
    self->progress (word->done, self->user_data);
  return G_SOURCE_REMOVE;
}

/* In the thread that writes; whole percents are often enough.  What was said before the task
 * returned is heard before its callback, as both are of one priority. */
static void
progress_cb (double done, gpointer data)
{
  Writing *self = data;
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

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Writing *self = task_data;
  GError *error = NULL;

  self->output.cancellable = cancellable;
  self->output.progress = progress_cb;
  self->output.user_data = self;
  if (self->write (self->picture, self->path, &self->output, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static const ScopeExportKind *
find_kind (const char *path)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].write != NULL && g_str_has_suffix (lower, kinds[i].suffix))
      return &kinds[i];
  return NULL;
}

/* ---- Outside ---- */

const ScopeExportKind *
scope_export_get_kinds (guint *n)
{
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}

void
scope_export_prepare_async (ScopeDocument *document,
                            const ScopeExportOptions *options,
                            guint small_size,
                            guint density,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && options != NULL);

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  GError *error = check (document, options);

  g_task_set_source_tag (task, scope_export_prepare_async);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  Draft *self = collect (document, options);

  self->small_size = small_size;
  self->density = density;
  g_task_set_task_data (task, self, free_draft);
  g_task_run_in_thread (task, prepare_thread);
}

SymPicture *
scope_export_prepare_finish (GAsyncResult *result, cairo_surface_t **small, GError **error)
{
  Draft *self = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  if (small != NULL)
    *small = g_steal_pointer (&self->small);
  return g_steal_pointer (&self->picture);
}

void
scope_export_write_async (SymPicture *picture,
                          GFile *file,
                          double scale,
                          SymPaper paper,
                          GCancellable *cancellable,
                          SymProgressFunc progress,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_return_if_fail (picture != NULL && G_IS_FILE (file));

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  const ScopeExportKind *kind = find_kind (g_file_peek_path (file));

  g_task_set_source_tag (task, scope_export_write_async);
  if (kind == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                               _ ("The name must end in .svg, .png, .pdf or .dot"));
      return;
    }
  Writing *self = g_new0 (Writing, 1);

  self->picture = sym_picture_ref (picture);
  self->output = (SymPictureOutput){ .scale = kind->has_scale ? scale : 0, .paper = paper };
  self->write = kind->write;
  self->path = g_file_get_path (file);
  self->task = task;
  self->progress = progress;
  self->user_data = user_data;
  g_task_set_task_data (task, self, free_writing);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, and is told */
  g_task_run_in_thread (task, write_thread);
}

gboolean
scope_export_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
scope_export_paint_async (SymPicture *picture,
                          double scale,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_return_if_fail (picture != NULL && scale > 0);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_export_paint_async);
  g_task_set_task_data (task, sym_picture_ref (picture), (GDestroyNotify) sym_picture_unref);
  g_object_set_data_full (G_OBJECT (task), "scale", g_memdup2 (&scale, sizeof scale), g_free);
  g_task_run_in_thread (task, paint_thread);
}

cairo_surface_t *
scope_export_paint_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
