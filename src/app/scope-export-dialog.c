/* SPDX-License-Identifier: MIT */
#include "app/scope-export-dialog-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-bound.h"
#include "app/scope-copying.h"
#include "app/scope-file-manager.h"
#include "app/scope-file-name.h"
#include "app/scope-picture-content.h"
#include "app/scope-preview.h"
#include "app/scope-print.h"
#include "app/scope-row-texts.h"

#define WIDE 680          /* pixels: narrower, and the options have no room beside the preview */
#define OPTIONS_WIDTH 360 /* beside it */
#define DEFAULT_SCALE 2.0 /* pixels per point: sharp on dense screens and on paper */

enum { SAVE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ScopeExportDialog, scope_export_dialog, ADW_TYPE_WINDOW)

/* ---- Choices ---- */

/* What is seen is no larger for a legend. */
static void
show_rows (ScopeExportDialog *self)
{
  const ScopeExportKind *kind = scope_export_dialog_get_kind (self);
  ScopeExportPart part = self->choice.part;

  gtk_widget_set_visible (self->part, !kind->is_table);
  gtk_widget_set_visible (self->print_button, !kind->is_table);
  gtk_widget_set_visible (self->theme, !kind->is_plain);
  gtk_widget_set_visible (self->transparent_row, !kind->is_plain);
  gtk_widget_set_visible (self->legend_row, !kind->is_table && part != SCOPE_EXPORT_VIEW);
  gtk_widget_set_visible (self->scale_row, kind->has_scale);
  gtk_widget_set_visible (self->paper, kind->has_paper);
}

static void
read_choice (ScopeExportDialog *self)
{
  guint part = adw_combo_row_get_selected (ADW_COMBO_ROW (self->part));

  self->n_choices++;
  self->choice.part = g_array_index (self->parts, ScopeExportPart, part);
  self->choice.kind = adw_combo_row_get_selected (ADW_COMBO_ROW (self->kind));
  self->choice.theme = (SymTheme) adw_combo_row_get_selected (ADW_COMBO_ROW (self->theme));
  self->choice.transparent = gtk_switch_get_active (GTK_SWITCH (self->transparent));
  self->choice.has_legend = gtk_switch_get_active (GTK_SWITCH (self->legend));
  self->choice.scale = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->scale));
  self->choice.paper = (SymPaper) adw_combo_row_get_selected (ADW_COMBO_ROW (self->paper));
}

static void
look_changed_cb (ScopeExportDialog *self)
{
  if (!self->is_ready)
    return;
  read_choice (self);
  show_rows (self);
  scope_export_dialog_prepare (self);
}

static void
output_changed_cb (ScopeExportDialog *self)
{
  if (!self->is_ready)
    return;
  read_choice (self);
  scope_export_dialog_show_size (self);
}

static void
kind_changed_cb (ScopeExportDialog *self)
{
  if (!self->is_ready)
    return;
  gboolean was_table = scope_export_dialog_get_kind (self)->is_table;

  read_choice (self);
  show_rows (self);
  if (was_table || scope_export_dialog_get_kind (self)->is_table)
    scope_export_dialog_prepare (self); /* a picture is the same in all formats */
  scope_export_dialog_show_size (self);
}

static void
list_kinds (ScopeExportDialog *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint n;
  const ScopeExportKind *kinds = scope_export_get_kinds (&n);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, _ (kinds[i].title));
  adw_combo_row_set_model (ADW_COMBO_ROW (self->kind), G_LIST_MODEL (titles));
}

static void
list_parts (ScopeExportDialog *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (int i = 0; i < SCOPE_N_EXPORT_PARTS; i++)
    {
      ScopeExportPart part = (ScopeExportPart) i;
      g_autofree char *title = scope_export_name_part (self->document, part);

      if (title == NULL)
        continue;
      g_array_append_val (self->parts, part);
      gtk_string_list_append (titles, title);
    }
  adw_combo_row_set_model (ADW_COMBO_ROW (self->part), G_LIST_MODEL (titles));
}

/* A part that there is no longer becomes the whole drawing. */
static void
show_choice (ScopeExportDialog *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (g_array_index (self->parts, ScopeExportPart, i) == self->choice.part)
      adw_combo_row_set_selected (ADW_COMBO_ROW (self->part), i);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->kind), self->choice.kind);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->theme), self->choice.theme);
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->paper), self->choice.paper);
  gtk_switch_set_active (GTK_SWITCH (self->transparent), self->choice.transparent);
  gtk_switch_set_active (GTK_SWITCH (self->legend), self->choice.has_legend);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->scale),
                             self->choice.scale > 0 ? self->choice.scale : DEFAULT_SCALE);
  self->is_ready = TRUE;
  read_choice (self);
  show_rows (self);
}

/* ---- What is done with it ---- */

static void
save_cb (ScopeExportDialog *self)
{
  g_signal_emit (self, signals[SAVE], 0);
}

/* Pixels for all, lines for who can draw them. */
static GdkContentProvider *
create_content (SymPicture *picture, GdkTexture *texture)
{
  GdkContentProvider *providers[] = { gdk_content_provider_new_typed (GDK_TYPE_TEXTURE, texture),
                                      scope_picture_content_new (picture) };

  return gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));
}

typedef struct {
  ScopeExportDialog *dialog;
  ScopeCopying *copying;
  SymPicture *picture; /* another choice may have made another one since */
  guint n_choices;     /* with that one */
} Copying;

static void
copying_free (Copying *self)
{
  g_object_unref (self->dialog);
  scope_copying_free (self->copying);
  sym_picture_unref (self->picture);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Copying, copying_free)

/* The place where it is told says how large another choice is by then. */
static void
tell_copied (Copying *copying, GdkTexture *texture)
{
  g_autofree char *text =
      g_strdup_printf (_ ("Copied as %d × %d pixels, and as SVG"), gdk_texture_get_width (texture),
                       gdk_texture_get_height (texture));

  if (copying->n_choices == copying->dialog->n_choices)
    scope_export_dialog_show_message (copying->dialog, text, FALSE);
}

static void
painted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Copying) copying = user_data;
  ScopeExportDialog *self = copying->dialog;
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = scope_export_paint_finish (result, &error);

  if (surface == NULL)
    {
      if (!scope_copying_is_overtaken (copying->copying))
        scope_export_dialog_show_message (self, error->message, TRUE);
      return;
    }
  g_autoptr (GdkTexture) texture = scope_preview_create_texture (surface);

  cairo_surface_destroy (surface);
  if (scope_copying_is_overtaken (copying->copying))
    return;
  g_autoptr (GdkContentProvider) content = create_content (copying->picture, texture);

  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), content);
  tell_copied (copying, texture);
}

static void
copy_cb (ScopeExportDialog *self)
{
  if (self->text != NULL)
    {
      gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->text);
      scope_export_dialog_show_message (self, _ ("Copied the table"), FALSE);
      return;
    }
  Copying *copying = g_new0 (Copying, 1);

  copying->dialog = g_object_ref (self);
  copying->copying = scope_copying_new (GTK_WIDGET (self));
  copying->picture = sym_picture_ref (self->picture);
  copying->n_choices = self->n_choices;
  scope_export_paint_async (self->picture, self->choice.scale, NULL, painted_cb, copying);
}

static gboolean
link_cb (ScopeExportDialog *self, const char *uri)
{
  return gtk_widget_activate_action (GTK_WIDGET (gtk_window_get_transient_for (GTK_WINDOW (self))),
                                     "win.show-in-folder", "s", uri);
}

/* What is printed to a file is meant for another program. */
static void
printed_cb (GFile *file, const GError *error, gpointer user_data)
{
  ScopeExportDialog *self = user_data;
  g_autofree char *name = file != NULL ? scope_file_name (file) : NULL;
  g_autofree char *text = name != NULL ? g_strdup_printf (_ ("Printed to %s"), name) : NULL;
  g_autofree char *markup = text != NULL ? scope_file_manager_link (text, file) : NULL;

  if (error != NULL || text != NULL)
    scope_export_dialog_show_message (self, error != NULL ? error->message : text, error != NULL);
  if (markup != NULL)
    gtk_label_set_markup (GTK_LABEL (self->message), markup);
}

static void
print_cb (ScopeExportDialog *self)
{
  scope_print_picture (self->picture, scope_document_get_title (self->document), GTK_WINDOW (self),
                       printed_cb, self);
}

/* Most graphs are tall, and so is what is beside the options; a narrow window has it above them. */
static void
width_changed_cb (ScopeExportDialog *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gboolean is_wide = width >= WIDE;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->panes),
                                  is_wide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->separator),
                                  is_wide ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->options, is_wide ? OPTIONS_WIDTH : -1, -1);
}

/* ---- The class ---- */

static gboolean
ask_cb (gpointer user_data)
{
  ScopeExportDialog *self = user_data;

  self->asking = 0;
  if (!self->has_asked)
    scope_export_dialog_prepare (self);
  return G_SOURCE_REMOVE;
}

/* Only then it is known how large the preview may be.  Not within: GTK 4.8 may never draw what
 * begins to look different while a window finds its size, say where there is no room for the one
 * that it asked for. */
static void
scope_export_dialog_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ScopeExportDialog *self = SCOPE_EXPORT_DIALOG (widget);

  GTK_WIDGET_CLASS (scope_export_dialog_parent_class)
      ->size_allocate (widget, width, height, baseline);
  if (!self->has_asked && self->asking == 0)
    self->asking = g_idle_add (ask_cb, self);
}

/* GTK 4.8 would not know when its parent is gone before what still refers to the window. */
static void
scope_export_dialog_unrealize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (scope_export_dialog_parent_class)->unrealize (widget);
  gtk_window_set_transient_for (GTK_WINDOW (widget), NULL);
}

static void
scope_export_dialog_dispose (GObject *object)
{
  ScopeExportDialog *self = SCOPE_EXPORT_DIALOG (object);

  g_clear_handle_id (&self->asking, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->picture, sym_picture_unref);
  g_clear_pointer (&self->sheet, scope_sheet_unref);
  g_clear_pointer (&self->text, g_free);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (scope_export_dialog_parent_class)->dispose (object);
}

static void
scope_export_dialog_finalize (GObject *object)
{
  ScopeExportDialog *self = SCOPE_EXPORT_DIALOG (object);

  g_array_unref (self->parts);
  g_array_unref (self->places);
  G_OBJECT_CLASS (scope_export_dialog_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, save_button);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, copy_button);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, print_button);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, panes);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, separator);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, options);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, preview);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, message);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, part);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, kind);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, theme);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, transparent_row);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, transparent);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, legend_row);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, legend);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, scale_row);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, scale);
  gtk_widget_class_bind_template_child (class, ScopeExportDialog, paper);
  gtk_widget_class_bind_template_callback (class, save_cb);
  gtk_widget_class_bind_template_callback (class, copy_cb);
  gtk_widget_class_bind_template_callback (class, print_cb);
  gtk_widget_class_bind_template_callback (class, link_cb);
  gtk_widget_class_bind_template_callback (class, look_changed_cb);
  gtk_widget_class_bind_template_callback (class, kind_changed_cb);
  gtk_widget_class_bind_template_callback (class, output_changed_cb);
}

static void
scope_export_dialog_class_init (ScopeExportDialogClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = scope_export_dialog_dispose;
  object_class->finalize = scope_export_dialog_finalize;
  widget_class->size_allocate = scope_export_dialog_size_allocate;
  widget_class->unrealize = scope_export_dialog_unrealize;
  signals[SAVE] = g_signal_new ("save", SCOPE_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  g_type_ensure (SCOPE_TYPE_PREVIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-export-dialog.ui");
  bind_children (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
scope_export_dialog_init (ScopeExportDialog *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (ScopeExportPart));
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "notify::default-width", G_CALLBACK (width_changed_cb), NULL);
  width_changed_cb (self);
  scope_access_name_items (self->part);
  scope_access_name_items (self->kind);
  scope_access_name_items (self->theme);
  scope_access_name_items (self->paper);
  scope_access_tell_rows (GTK_WIDGET (self));
  scope_row_texts_lay_out (GTK_WIDGET (self));
  scope_preview_set_busy (SCOPE_PREVIEW (self->preview), TRUE);
  scope_export_dialog_take (self, NULL, NULL);
}

ScopeExportDialog *
scope_export_dialog_new (GtkWindow *parent,
                         ScopeDocument *document,
                         const SymRect *view,
                         const ScopeExportChoice *choice,
                         ScopeSettings *settings)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document) && view != NULL && choice != NULL, NULL);
  g_return_val_if_fail (SCOPE_IS_SETTINGS (settings), NULL);

  ScopeExportDialog *self = g_object_new (SCOPE_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

  scope_bound (GTK_WINDOW (self), parent);
  self->document = g_object_ref (document);
  self->view = *view;
  self->choice = *choice;
  self->places = scope_columns_parse (scope_settings_get_columns (settings));
  list_kinds (self);
  list_parts (self);
  show_choice (self);
  return self;
}

ScopeDocument *
scope_export_dialog_get_document (ScopeExportDialog *self)
{
  g_return_val_if_fail (SCOPE_IS_EXPORT_DIALOG (self), NULL);

  return self->document;
}

const ScopeExportChoice *
scope_export_dialog_get_choice (ScopeExportDialog *self)
{
  g_return_val_if_fail (SCOPE_IS_EXPORT_DIALOG (self), NULL);

  return &self->choice;
}

SymPicture *
scope_export_dialog_get_picture (ScopeExportDialog *self)
{
  g_return_val_if_fail (SCOPE_IS_EXPORT_DIALOG (self), NULL);

  return self->picture;
}

ScopeSheet *
scope_export_dialog_get_sheet (ScopeExportDialog *self)
{
  g_return_val_if_fail (SCOPE_IS_EXPORT_DIALOG (self), NULL);

  return self->text != NULL ? self->sheet : NULL;
}
