/* SPDX-License-Identifier: MIT */
#include "app/scope-application.h"

#include <glib/gi18n.h>

#include "app/scope-window.h"

struct _ScopeApplication {
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeApplication, scope_application, ADW_TYPE_APPLICATION)

static ScopeWindow *
get_window (ScopeApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  return SCOPE_IS_WINDOW (active) ? SCOPE_WINDOW (active)
                                  : scope_window_new (GTK_APPLICATION (self));
}

/* ---- Actions ---- */

static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows;

  while ((windows = gtk_application_get_windows (user_data)) != NULL)
    gtk_window_destroy (windows->data);
}

static void
new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (scope_window_new (user_data)));
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  adw_show_about_window (
      gtk_application_get_active_window (user_data), "application-name", _("Symscope"),
      "application-icon", "org.symscope.Symscope", "version", SYMSCOPE_VERSION, "developer-name",
      _("The Symscope authors"), "license-type", GTK_LICENSE_MIT_X11, "comments",
      _("Look at, cut and run neural networks saved as graphs."), NULL);
}

static void
colors_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  const char *name = g_variant_get_string (state, NULL);
  AdwColorScheme scheme = g_str_equal (name, "dark")    ? ADW_COLOR_SCHEME_FORCE_DARK
                          : g_str_equal (name, "light") ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                                        : ADW_COLOR_SCHEME_DEFAULT;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
  g_simple_action_set_state (action, state);
}

static const struct {
  const char *action;
  const char *keys[3];
} accelerators[] = {
  { "app.quit", { "<Control>q" } },
  { "app.new-window", { "<Control>n" } },
  { "win.open", { "<Control>o" } },
  { "win.reload", { "<Control>r" } },
  { "win.run", { "F5" } },
  { "win.close-tab", { "<Control>w" } },
  { "win.extract", { "<Control>e", "<Control>s" } },
  { "win.export", { "<Control><Shift>e" } },
  { "win.open-cut", { "<Control>t" } },
  { "win.clear-marks", { "<Control>BackSpace" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.search", { "<Control>f" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-one", { "<Control>1" } },
  { "win.fit", { "<Control>0" } },
  { "win.mark-output", { "<Control>m" } },
  { "win.mark-input", { "<Control>i" } },
  { "win.go::back", { "<Alt>Left", "Back" } },
  { "win.go::forward", { "<Alt>Right", "Forward" } },
  { "win.drawing::data", { "<Control>d" } },
  { "win.drawing::layers", { "<Control>l" } },
  { "win.show-minimap", { "F8" } },
  { "win.show-summary", { "F9" } },
  { "win.show-inspector", { "<Control>F9" } },
};

/* ---- Class ---- */

static void
scope_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "quit", quit_cb },
    { "new-window", new_window_cb },
    { "about", about_cb },
    { "colors", NULL, "s", "'default'", colors_cb },
  };

  G_APPLICATION_CLASS (scope_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++) {
    const char *keys[] = { accelerators[i].keys[0], accelerators[i].keys[1],
                           accelerators[i].keys[2], NULL };

    gtk_application_set_accels_for_action (GTK_APPLICATION (application), accelerators[i].action,
                                           keys);
  }
}

static void
scope_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (get_window (SCOPE_APPLICATION (application))));
}

static void
scope_application_open (GApplication *application, GFile **files, int n, const char *hint)
{
  ScopeWindow *window = get_window (SCOPE_APPLICATION (application));

  for (int i = 0; i < n; i++)
    scope_window_open (window, files[i]);
  gtk_window_present (GTK_WINDOW (window));
}

static void
scope_application_class_init (ScopeApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = scope_application_startup;
  application_class->activate = scope_application_activate;
  application_class->open = scope_application_open;
}

static void
scope_application_init (ScopeApplication *self)
{
}

ScopeApplication *
scope_application_new (GApplicationFlags flags)
{
  return g_object_new (SCOPE_TYPE_APPLICATION, "application-id", "org.symscope.Symscope", "flags",
                       flags | G_APPLICATION_HANDLES_OPEN, "resource-base-path",
                       "/org/symscope/Symscope", NULL);
}
