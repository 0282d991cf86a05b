/* SPDX-License-Identifier: MIT */
#include "app/scope-export-dialog-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/scope-preview.h"
#include "app/scope-text.h"

/* ---- What is told ---- */

const ScopeExportKind *
scope_export_dialog_get_kind (ScopeExportDialog *self)
{
  guint n;

  return scope_export_get_kinds (&n) + self->choice.kind;
}

static char *
describe_size (ScopeExportDialog *self)
{
  SymRect extent = sym_picture_get_extent (self->picture);
  double scale = scope_export_dialog_get_kind (self)->has_scale ? self->choice.scale : 1;

  if (scope_export_dialog_get_kind (self)->is_plain)
    return g_strdup (_ ("Text for Graphviz, without positions"));
  return g_strdup_printf (scope_export_dialog_get_kind (self)->has_scale ? _ ("%.0f × %.0f pixels")
                                                                         : _ ("%.0f × %.0f points"),
                          ceil (extent.width * scale), ceil (extent.height * scale));
}

void
scope_export_dialog_show_message (ScopeExportDialog *self, const char *text, gboolean is_error)
{
  gtk_label_set_text (GTK_LABEL (self->message), text);
  if (is_error)
    gtk_widget_add_css_class (self->message, "error");
  else
    gtk_widget_remove_css_class (self->message, "error");
}

static char *
describe_text (ScopeExportDialog *self)
{
  g_autofree char *size = scope_text_bytes (strlen (self->text));

  return g_strdup_printf (_ ("%s of text, with the rows and columns of the summary"), size);
}

void
scope_export_dialog_show_size (ScopeExportDialog *self)
{
  g_autofree char *text = self->text != NULL      ? describe_text (self)
                          : self->picture != NULL ? describe_size (self)
                                                  : NULL;

  if (text != NULL)
    scope_export_dialog_show_message (self, text, FALSE);
}

/* ---- The picture, or the table ---- */

void
scope_export_dialog_take (ScopeExportDialog *self, SymPicture *take_picture, char *take_text)
{
  gboolean has_any = take_picture != NULL || take_text != NULL;

  g_clear_pointer (&self->picture, sym_picture_unref);
  g_free (self->text);
  self->picture = take_picture;
  self->text = take_text;
  gtk_widget_set_sensitive (self->save_button, has_any);
  gtk_widget_set_sensitive (self->copy_button, has_any);
  gtk_widget_set_sensitive (self->print_button, self->picture != NULL);
  if (has_any && !self->has_begun)
    gtk_widget_grab_focus (self->save_button);
  self->has_begun |= has_any;
}

static void
end_preparing (ScopeExportDialog *self)
{
  g_clear_object (&self->cancellable);
  scope_preview_set_busy (SCOPE_PREVIEW (self->preview), FALSE);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeExportDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  cairo_surface_t *small = NULL;
  SymPicture *picture = scope_export_prepare_finish (result, &small, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* another one is being made, or nobody waits */
  g_autoptr (GdkTexture) texture = small != NULL ? scope_preview_create_texture (small) : NULL;

  g_clear_pointer (&small, cairo_surface_destroy);
  end_preparing (self);
  scope_preview_set_texture (SCOPE_PREVIEW (self->preview), texture);
  scope_export_dialog_take (self, picture, NULL);
  if (error != NULL)
    scope_export_dialog_show_message (self, error->message, TRUE);
  scope_export_dialog_show_size (self);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeExportDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  char *text = scope_sheet_write_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  end_preparing (self);
  scope_export_dialog_take (self, NULL, text);
  scope_preview_set_text (SCOPE_PREVIEW (self->preview), text != NULL ? text : "");
  if (error != NULL)
    scope_export_dialog_show_message (self, error->message, TRUE);
  scope_export_dialog_show_size (self);
}

static void
prepare_table (ScopeExportDialog *self)
{
  self->sheet = scope_sheet_new_shown (self->document, self->places);
  scope_sheet_write_async (self->sheet,
                           scope_sheet_find_format (scope_export_dialog_get_kind (self)->suffix),
                           self->cancellable, written_cb, g_object_ref (self));
}

static void
prepare_picture (ScopeExportDialog *self)
{
  ScopeExportOptions options = { .part = self->choice.part,
                                 .view = self->view,
                                 .theme = self->choice.theme,
                                 .transparent = self->choice.transparent,
                                 .has_legend = self->choice.has_legend };
  guint size = scope_preview_get_room (SCOPE_PREVIEW (self->preview));
  guint density = (guint) gtk_widget_get_scale_factor (GTK_WIDGET (self));

  scope_export_prepare_async (self->document, &options, size, density, self->cancellable,
                              prepared_cb, g_object_ref (self));
}

void
scope_export_dialog_prepare (ScopeExportDialog *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->has_asked = TRUE;
  scope_export_dialog_take (self, NULL, NULL);
  g_clear_pointer (&self->sheet, scope_sheet_unref);
  scope_preview_set_busy (SCOPE_PREVIEW (self->preview), TRUE);
  if (scope_export_dialog_get_kind (self)->is_table)
    prepare_table (self);
  else
    prepare_picture (self);
}
