/* SPDX-License-Identifier: MIT */
#include "app/scope-print.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-file-name.h"
#include "draw/sym-pages.h"

#define FOOTER_PT 18.0 /* kept free on each of several pages, for its number */
#define FOOTER_SIZE 8.0

typedef struct {
  SymPicture *picture;
  SymPages pages;
  GtkWindow *parent; /* GTK 4.8 goes on to ask it, also when it has been closed */
  ScopePrintDone done;
  gboolean is_writing; /* a file; the operation is held meanwhile */
  gpointer user_data;
} Print;

static void
print_free (gpointer data, GClosure *closure)
{
  Print *self = data;

  g_clear_object (&self->parent);
  sym_picture_unref (self->picture);
  g_free (self);
}

static void
begin_cb (GtkPrintOperation *operation, GtkPrintContext *context, Print *self)
{
  self->pages.extent = sym_picture_get_extent (self->picture);
  sym_pages_cut_for_print (&self->pages, gtk_print_context_get_width (context),
                           gtk_print_context_get_height (context) - FOOTER_PT);
  gtk_print_operation_set_n_pages (operation, (int) MIN (sym_pages_count (&self->pages), G_MAXINT));
}

static void
draw_number (GtkPrintContext *context, cairo_t *cr, const Print *self, int number)
{
  g_autoptr (PangoLayout) layout = gtk_print_context_create_pango_layout (context);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  g_autofree char *text =
      g_strdup_printf ("%d/%d", number + 1, (int) sym_pages_count (&self->pages));

  pango_font_description_set_size (font, (int) (FOOTER_SIZE * PANGO_SCALE));
  pango_layout_set_font_description (layout, font);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_width (layout, (int) (self->pages.width_pt * PANGO_SCALE));
  pango_layout_set_text (layout, text, -1);
  cairo_move_to (cr, 0, self->pages.height_pt + FOOTER_PT - 1.5 * FOOTER_SIZE);
  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_cb (GtkPrintOperation *operation, GtkPrintContext *context, int number, Print *self)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  guint column = (guint) number % self->pages.n_columns;
  guint row = (guint) number / self->pages.n_columns;
  SymRect part = sym_pages_get_part (&self->pages, column, row);
  double scale = self->pages.scale;

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, part.width * scale, part.height * scale);
  cairo_clip (cr);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -part.x, -part.y);
  /* Paper is looked at as closely as one likes: nothing is left out for being small. */
  sym_picture_paint (self->picture, cr, &part, MAX (scale, 1));
  cairo_restore (cr);
  if (sym_pages_count (&self->pages) > 1)
    draw_number (context, cr, self, number);
}

/* Only of a file the settings say where it is; NULL of a printer. */
static GFile *
get_file (GtkPrintOperation *operation)
{
  GtkPrintSettings *settings = gtk_print_operation_get_print_settings (operation);
  const char *uri =
      settings != NULL ? gtk_print_settings_get (settings, GTK_PRINT_SETTINGS_OUTPUT_URI) : NULL;

  return uri != NULL ? g_file_new_for_uri (uri) : NULL;
}

/* All pages are drawn; a file is not yet written, and GTK lets go before it says that it is. */
static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, Print *self)
{
  g_autoptr (GFile) file = get_file (operation);
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_APPLY && file != NULL && !self->is_writing)
    {
      self->is_writing = TRUE;
      g_object_ref (operation);
    }
  if (result != GTK_PRINT_OPERATION_RESULT_ERROR)
    return;
  gtk_print_operation_get_error (operation, &error);
  self->done (NULL, error, self->user_data);
}

static void
status_changed_cb (GtkPrintOperation *operation, Print *self)
{
  GtkPrintStatus status = gtk_print_operation_get_status (operation);
  g_autoptr (GFile) file = get_file (operation);
  g_autofree char *name = file != NULL ? scope_file_name (file) : NULL;
  g_autoptr (GError) error = NULL;

  if (!self->is_writing || !gtk_print_operation_is_finished (operation))
    return;
  if (status == GTK_PRINT_STATUS_FINISHED_ABORTED)
    error = g_error_new (GTK_PRINT_ERROR, GTK_PRINT_ERROR_GENERAL, _ ("%s was not written"), name);
  self->is_writing = FALSE;
  self->done (file, error, self->user_data);
  g_object_unref (operation);
}

/* What asks how to print goes with the window that it lies over. */
static void
parent_closed_cb (GtkWindow *parent)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = g_list_model_get_n_items (windows); i-- > 0;)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_DIALOG (window) && gtk_window_get_transient_for (window) == parent)
        gtk_dialog_response (GTK_DIALOG (window), GTK_RESPONSE_CANCEL);
    }
}

/* Upright or lying, as the picture is. */
static GtkPageSetup *
create_page (SymPicture *picture)
{
  SymRect extent = sym_picture_get_extent (picture);
  GtkPageSetup *page = gtk_page_setup_new ();

  gtk_page_setup_set_orientation (page, extent.width > extent.height
                                            ? GTK_PAGE_ORIENTATION_LANDSCAPE
                                            : GTK_PAGE_ORIENTATION_PORTRAIT);
  return page;
}

static GtkPrintOperation *
create_operation (SymPicture *picture, Print **data)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) page = create_page (picture);
  Print *self = g_new0 (Print, 1);

  self->picture = sym_picture_ref (picture);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_default_page_setup (operation, page);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect_data (operation, "begin-print", G_CALLBACK (begin_cb), self, print_free, 0);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_cb), self);
  *data = self;
  return operation;
}

/* Without its suffix, as a file that is printed to has another one. */
static GtkPrintSettings *
create_settings (const char *title)
{
  GtkPrintSettings *settings = gtk_print_settings_new ();
  const char *dot = strrchr (title, '.');
  g_autofree char *name =
      dot != NULL && dot != title ? g_strndup (title, (gsize) (dot - title)) : g_strdup (title);

  gtk_print_settings_set (settings, GTK_PRINT_SETTINGS_OUTPUT_BASENAME, name);
  return settings;
}

void
scope_print_picture (SymPicture *picture,
                     const char *title,
                     GtkWindow *parent,
                     ScopePrintDone done,
                     gpointer user_data)
{
  g_return_if_fail (picture != NULL && GTK_IS_WINDOW (parent) && done != NULL);

  Print *self;
  g_autoptr (GtkPrintOperation) operation = create_operation (picture, &self);

  self->parent = g_object_ref (parent);
  self->done = done;
  self->user_data = user_data;
  g_autoptr (GtkPrintSettings) settings = create_settings (title);

  gtk_print_operation_set_print_settings (operation, settings);
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_operation_set_allow_async (operation, TRUE);
  gtk_print_operation_set_show_progress (operation, TRUE);
  g_signal_connect (operation, "done", G_CALLBACK (done_cb), self);
  g_signal_connect (operation, "status-changed", G_CALLBACK (status_changed_cb), self);
  g_signal_connect_object (parent, "unmap", G_CALLBACK (parent_closed_cb), operation, 0);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, parent, NULL);
}

GtkPrintOperation *
scope_print_create_operation (SymPicture *picture)
{
  g_return_val_if_fail (picture != NULL, NULL);

  Print *self;

  return create_operation (picture, &self);
}
