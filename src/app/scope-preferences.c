/* SPDX-License-Identifier: MIT */
#include "app/scope-preferences.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-messages.h"
#include "app/scope-row-texts.h"

struct _ScopePreferences {
  AdwPreferencesWindow parent_instance;

  ScopeSettings *settings;
};

G_DEFINE_FINAL_TYPE (ScopePreferences, scope_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* ---- What there is to choose ---- */

static const char *const colors[] = { N_ ("Follow System"), N_ ("Light"), N_ ("Dark"), NULL };
static const char *const threads[] = {
  N_ ("One for Each Processor"), "1", "2", "4", "8", "16", NULL
};
static const char *const drawings[] = { N_ ("Data Nodes"), N_ ("Layer Nodes"), NULL };
static const char *const directions[] = { N_ ("Top to Bottom"), N_ ("Left to Right"), NULL };
static const char *const kinds[] = { N_ ("SVG"), N_ ("PNG"), N_ ("PDF"), N_ ("Graphviz DOT"),
                                     NULL };
static const char *const themes[] = { N_ ("Light"), N_ ("Dark"), N_ ("High Contrast"),
                                      N_ ("High Contrast, Dark"), NULL };
static const char *const scales[] = { N_ ("Small (1×)"), N_ ("Sharp (2×)"), N_ ("Large (4×)"),
                                      NULL };

/* A row each, in this order; a group begins where there is a heading. */
static const struct {
  ScopeSetting setting;
  const char *heading, *explanation;
  const char *title, *subtitle;
  const char *const *words; /* to choose from; NULL for a switch */
} rows[] = {
  { SCOPE_SETTING_COLORS, N_ ("Appearance"), NULL, N_ ("Colours"), NULL, colors },
  { SCOPE_SETTING_RESTORE, N_ ("Start"), NULL, N_ ("Open Again What Was Open"),
    N_ ("Restores files and views when started without a file"), NULL },
  { SCOPE_SETTING_THREADS, N_ ("Runs"), NULL, N_ ("Threads"),
    N_ ("Fewer threads leave more for other programs"), threads },
  { SCOPE_SETTING_DRAWING, N_ ("New Tabs"), N_ ("How newly opened graphs are drawn"),
    N_ ("Drawing"), NULL, drawings },
  { SCOPE_SETTING_DIRECTION, NULL, NULL, N_ ("Direction"), NULL, directions },
  { SCOPE_SETTING_NAMES, NULL, NULL, N_ ("Names"), NULL, NULL },
  { SCOPE_SETTING_VARIABLES, NULL, NULL, N_ ("Variables"), NULL, NULL },
  { SCOPE_SETTING_SHAPES, NULL, NULL, N_ ("Shapes"), NULL, NULL },
  { SCOPE_SETTING_DTYPES, NULL, NULL, N_ ("Data Types"), NULL, NULL },
  { SCOPE_SETTING_EXPORT_KIND, N_ ("Pictures"), N_ ("What is suggested when a drawing is exported"),
    N_ ("Kind"), NULL, kinds },
  { SCOPE_SETTING_EXPORT_THEME, NULL, NULL, N_ ("Colours"), NULL, themes },
  { SCOPE_SETTING_EXPORT_SCALE, NULL, NULL, N_ ("Size of PNG"), NULL, scales },
  { SCOPE_SETTING_EXPORT_TRANSPARENT, NULL, NULL, N_ ("Transparent"), NULL, NULL },
  { SCOPE_SETTING_EXPORT_LEGEND, NULL, NULL, N_ ("Legend"), NULL, NULL },
};

/* ---- Rows ---- */

static AdwToastOverlay *
get_toasts (ScopePreferences *self)
{
  return ADW_TOAST_OVERLAY (adw_window_get_content (ADW_WINDOW (self)));
}

static void
tell_error (ScopePreferences *self, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("Not kept: %s"), error->message);

  scope_messages_show (get_toasts (self), text);
}

static void
change (ScopePreferences *self, gpointer widget, int value)
{
  ScopeSetting setting = GPOINTER_TO_INT (g_object_get_data (widget, "setting"));
  g_autoptr (GError) error = NULL;

  if (!scope_settings_set (self->settings, setting, value, &error))
    tell_error (self, error);
}

static void
chosen_cb (AdwComboRow *row, GParamSpec *pspec, ScopePreferences *self)
{
  change (self, row, (int) adw_combo_row_get_selected (row));
}

static void
switched_cb (GtkSwitch *button, GParamSpec *pspec, ScopePreferences *self)
{
  change (self, button, gtk_switch_get_active (button));
}

static GtkWidget *
create_combo (ScopePreferences *self, guint i)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint k = 0; rows[i].words[k] != NULL; k++)
    gtk_string_list_append (titles, _ (rows[i].words[k]));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (titles));
  scope_access_name_items (row);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row),
                              (guint) scope_settings_get (self->settings, rows[i].setting));
  g_object_set_data (G_OBJECT (row), "setting", GINT_TO_POINTER ((int) rows[i].setting));
  g_signal_connect (row, "notify::selected", G_CALLBACK (chosen_cb), self);
  return row;
}

static GtkWidget *
create_switch (ScopePreferences *self, guint i)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_switch_new ();

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (button), scope_settings_get (self->settings, rows[i].setting));
  g_object_set_data (G_OBJECT (button), "setting", GINT_TO_POINTER ((int) rows[i].setting));
  g_signal_connect (button, "notify::active", G_CALLBACK (switched_cb), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  return row;
}

static void
add_rows (ScopePreferences *self)
{
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  AdwPreferencesGroup *group = NULL;

  adw_preferences_page_set_title (page, _ ("Preferences"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *row = rows[i].words != NULL ? create_combo (self, i) : create_switch (self, i);

      if (rows[i].heading != NULL)
        {
          group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
          adw_preferences_group_set_title (group, _ (rows[i].heading));
          if (rows[i].explanation != NULL)
            adw_preferences_group_set_description (group, _ (rows[i].explanation));
          adw_preferences_page_add (page, group);
        }
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (rows[i].title));
      if (rows[i].subtitle != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _ (rows[i].subtitle));
      adw_preferences_group_add (group, row);
    }
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (self), page);
}

/* ---- Class ---- */

static void
scope_preferences_dispose (GObject *object)
{
  ScopePreferences *self = SCOPE_PREFERENCES (object);

  g_clear_object (&self->settings);
  G_OBJECT_CLASS (scope_preferences_parent_class)->dispose (object);
}

static void
scope_preferences_class_init (ScopePreferencesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = scope_preferences_dispose;
}

static void
scope_preferences_init (ScopePreferences *self)
{
}

GtkWindow *
scope_preferences_new (GtkWindow *parent, ScopeSettings *settings)
{
  ScopePreferences *self = g_object_new (SCOPE_TYPE_PREFERENCES, "transient-for", parent,
                                         "destroy-with-parent", TRUE, "modal", parent != NULL,
                                         "search-enabled", FALSE, "title", _ ("Preferences"), NULL);

  self->settings = g_object_ref (settings);
  /* They are written by a thread, which may fail later. */
  g_signal_connect_object (settings, "failed", G_CALLBACK (tell_error), self, G_CONNECT_SWAPPED);
  add_rows (self);
  scope_access_tell_rows (GTK_WIDGET (self));
  scope_row_texts_lay_out (GTK_WIDGET (self));
  scope_messages_let_escape_close (get_toasts (self));
  return GTK_WINDOW (self);
}
