/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-print.h"

/* Prints the drawing as it is folded now, on white paper whatever the window looks like; other
 * parts of it, and how they look before, are for the export dialog. */

typedef struct {
  ScopeWindow *window;
  char *title;
} Printing;

static void
printing_free (Printing *self)
{
  g_object_unref (self->window);
  g_free (self->title);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Printing, printing_free)

/* What is printed to a file is meant for another program. */
static void
offer_folder (ScopeWindow *self, GFile *file)
{
  g_autofree char *name = scope_file_name (file);
  g_autofree char *text = g_strdup_printf (_ ("Printed to %s"), name);

  scope_window_offer_folder (self, text, file);
}

static void
done_cb (GFile *file, const GError *error, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (gtk_window_get_application (GTK_WINDOW (self)) == NULL)
    return; /* it has closed */
  if (error != NULL)
    scope_window_show_message (self, error->message);
  else if (file != NULL)
    offer_folder (self, file);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Printing) self = user_data;
  g_autoptr (GError) error = NULL;
  cairo_surface_t *small = NULL;
  g_autoptr (SymPicture) picture = scope_export_prepare_finish (result, &small, &error);

  g_clear_pointer (&small, cairo_surface_destroy);
  if (gtk_window_get_application (GTK_WINDOW (self->window)) == NULL)
    return; /* it has closed */
  if (picture == NULL)
    scope_window_show_message (self->window, error->message);
  else
    scope_print_picture (picture, self->title, GTK_WINDOW (self->window), done_cb, self->window);
}

void
scope_window_print (ScopeWindow *self)
{
  ScopeExportOptions options = {
    .part = SCOPE_EXPORT_DRAWING, .theme = SYM_THEME_LIGHT, .transparent = TRUE, .has_legend = TRUE
  };
  Printing *printing = g_new0 (Printing, 1);

  printing->window = g_object_ref (self);
  printing->title = g_strdup (scope_document_get_title (self->document));
  scope_export_prepare_async (self->document, &options, 0, 1, NULL, prepared_cb, printing);
}
