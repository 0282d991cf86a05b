/* SPDX-License-Identifier: MIT */
#include "app/scope-welcome.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/scope-elided.h"
#include "app/scope-recent-menu.h"
#include "app/scope-recent.h"
#include "app/scope-row-texts.h"
#include "app/scope-tip.h"

#define MAX_RECENT 8

struct _ScopeWelcome {
  GtkWidget parent_instance;

  ScopeSettings *settings;
  GPtrArray *files;          /* of ScopeRecentFile: that are shown */
  GPtrArray *rows;           /* of these; borrowed, in their list */
  GCancellable *cancellable; /* of asking whether these are still there */

  GtkWidget *scrolled;
  GtkWidget *open;
  GtkWidget *recent;
  GtkWidget *samples;
};

G_DEFINE_FINAL_TYPE (ScopeWelcome, scope_welcome, GTK_TYPE_WIDGET)

#define FOLDER "resource:///org/symscope/Symscope/sample/"

static const struct {
  const char *uri, *title, *text;
} samples[] = {
  { FOLDER "toy-resnet-symbol.json", N_ ("Toy ResNet"),
    N_ ("Convolutions with skip connections, saved by MXNet") },
  { FOLDER "u-net-symbol.json", N_ ("U-Net"),
    N_ ("Down to small pictures and up again, joined across, saved by MXNet") },
  { FOLDER "transformer-block.onnxtxt", N_ ("Transformer Block"),
    N_ ("Attention with four heads and two linear layers, as ONNX text") },
  { FOLDER "gru-tagger.onnxtxt", N_ ("Tagger with a GRU"),
    N_ ("A recurrent layer that reads sentences both ways, as ONNX text") },
  { FOLDER "early-exit.onnxtxt", N_ ("Early Exit"),
    N_ ("An If with a graph in each of its branches, as ONNX text") },
  { FOLDER "two-towers.symscope.json", N_ ("Two Towers"),
    N_ ("Layers that two inputs share, as Symscope JSON") },
  { FOLDER "xor.onnxtxt", N_ ("XOR"), N_ ("The smallest that learns something, as ONNX text") },
};

/* ---- Rows ---- */

static GtkWidget *
create_row (const char *uri, const char *title, const char *text)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-uri");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  scope_row_texts_lay_out (row);
  return row;
}

static void
add_button (GtkWidget *row, GtkWidget *button, const char *icon, const char *tip, GCallback cb)
{
  ScopeWelcome *self = g_object_get_data (G_OBJECT (row), "welcome");

  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  scope_tip_set (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_object_set_data (G_OBJECT (button), "welcome", self);
  g_signal_connect (button, "clicked", cb, row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
}

static void
tell_error (ScopeWelcome *self, const GError *error)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-message", "s", error->message);
}

static const char *
get_uri (GtkWidget *row)
{
  return g_variant_get_string (gtk_actionable_get_action_target_value (GTK_ACTIONABLE (row)), NULL);
}

static void
pin_cb (GtkButton *button, GtkWidget *row)
{
  ScopeWelcome *self = g_object_get_data (G_OBJECT (button), "welcome");
  gboolean is_on = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button));
  g_autofree char *uri = g_strdup (get_uri (row));
  g_autoptr (GError) error = NULL;

  if (!scope_settings_set_pinned (self->settings, uri, is_on, &error))
    tell_error (self, error);
}

static void
forget_cb (GtkButton *button, GtkWidget *row)
{
  ScopeWelcome *self = g_object_get_data (G_OBJECT (button), "welcome");
  g_autofree char *uri = g_strdup (get_uri (row));
  g_autoptr (GError) error = NULL;

  if (!scope_recent_forget (self->settings, uri, &error))
    tell_error (self, error);
}

static void
clear_cb (ScopeWelcome *self)
{
  scope_recent_clear (self->settings);
}

/* ---- Whether files are still there: asked without waiting, as disks may be far away ---- */

static void
mark_missing (GtkWidget *row)
{
  g_autofree char *text =
      g_strdup_printf (_ ("Missing from %s"), adw_action_row_get_subtitle (ADW_ACTION_ROW (row)));

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), "dialog-warning-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), NULL);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_add_css_class (row, "missing");
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) row = user_data;
  g_autoptr (GError) error = NULL;
  GFileInfo *info = g_file_query_info_finish (G_FILE (source), result, &error);

  g_clear_object (&info);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    mark_missing (row);
}

static void
ask_whether_there (ScopeWelcome *self, GtkWidget *row)
{
  g_autoptr (GFile) file = g_file_new_for_uri (get_uri (row));

  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT, self->cancellable, asked_cb, g_object_ref (row));
}

/* ---- Lists ---- */

static void
add_recent (ScopeWelcome *self, const ScopeRecentFile *file)
{
  GtkWidget *row = create_row (file->uri, file->name, file->folder);
  GtkWidget *pin = gtk_toggle_button_new ();

  g_object_set_data (G_OBJECT (row), "welcome", self);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), "text-x-generic-symbolic");
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), scope_elided_limit_lines (file->name));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), scope_elided_limit_lines (file->folder));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), file->is_pinned);
  add_button (row, pin, "view-pin-symbolic", _ ("Keep at the Top"), G_CALLBACK (pin_cb));
  add_button (row, gtk_button_new (), "list-remove-symbolic", _ ("Remove from List"),
              G_CALLBACK (forget_cb));
  scope_recent_menu_add (row, self->settings, file->uri, file->is_pinned);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->recent), row);
  g_ptr_array_add (self->rows, row);
  ask_whether_there (self, row);
}

static gboolean
are_equal (const GPtrArray *a, const GPtrArray *b)
{
  for (guint i = 0; i < MIN (a->len, b->len); i++)
    {
      const ScopeRecentFile *x = a->pdata[i], *y = b->pdata[i];

      if (!g_str_equal (x->uri, y->uri) || x->is_pinned != y->is_pinned)
        return FALSE;
    }
  return a->len == b->len;
}

/* Often there is nothing new to tell, and a row that is being pressed should not go away. */
static void
show_recent (ScopeWelcome *self)
{
  GPtrArray *files = scope_recent_list (self->settings, MAX_RECENT);

  if (are_equal (files, self->files))
    {
      g_ptr_array_unref (files);
      return;
    }
  g_ptr_array_unref (self->files);
  self->files = files;
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->recent), self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; i < files->len; i++)
    add_recent (self, files->pdata[i]);
  gtk_widget_set_visible (self->recent, files->len > 0);
}

static void
add_samples (ScopeWelcome *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      GtkWidget *row = create_row (samples[i].uri, _ (samples[i].title), _ (samples[i].text));

      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->samples), row);
    }
}

static void
settings_changed_cb (ScopeWelcome *self, guint setting)
{
  if (setting == SCOPE_SETTINGS_PINNED)
    show_recent (self);
}

/* ---- Class ---- */

static void
scope_welcome_dispose (GObject *object)
{
  ScopeWelcome *self = SCOPE_WELCOME (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_welcome_parent_class)->dispose (object);
}

static void
scope_welcome_finalize (GObject *object)
{
  ScopeWelcome *self = SCOPE_WELCOME (object);

  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->rows);
  G_OBJECT_CLASS (scope_welcome_parent_class)->finalize (object);
}

/* Not what comes first in the order of places, which nothing has yet. */
static gboolean
scope_welcome_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (SCOPE_WELCOME (widget)->open);
}

static void
scope_welcome_class_init (ScopeWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_welcome_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_welcome_finalize;
  widget_class->grab_focus = scope_welcome_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeWelcome, scrolled);
  gtk_widget_class_bind_template_child (widget_class, ScopeWelcome, open);
  gtk_widget_class_bind_template_child (widget_class, ScopeWelcome, recent);
  gtk_widget_class_bind_template_child (widget_class, ScopeWelcome, samples);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
}

static void
scope_welcome_init (ScopeWelcome *self)
{
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) scope_recent_file_free);
  self->rows = g_ptr_array_new ();
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  add_samples (self);
}

GtkWidget *
scope_welcome_new (ScopeSettings *settings)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (settings), NULL);

  ScopeWelcome *self = g_object_new (SCOPE_TYPE_WELCOME, NULL);

  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (show_recent),
                           self, G_CONNECT_SWAPPED);
  show_recent (self);
  return GTK_WIDGET (self);
}
