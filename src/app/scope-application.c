/* SPDX-License-Identifier: MIT */
#include "app/scope-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-direction.h"
#include "app/scope-frames.h"
#include "app/scope-icons.h"
#include "app/scope-later.h"
#include "app/scope-preferences.h"
#include "app/scope-session.h"
#include "app/scope-succession.h"
#include "app/scope-turns.h"
#include "app/scope-window.h"
#include "io/sym-io.h"

struct _ScopeApplication {
  AdwApplication parent_instance;

  ScopeSettings *settings;
  gboolean was_told; /* why they could not be read */
  ScopeBookmarks *bookmarks;
  ScopeSession *session;       /* NULL when none is kept */
  guint signals[3];            /* sources; 0 for none */
  ScopeSuccession *succession; /* NULL before the start */
  gboolean is_without_display; /* GTK has let go of what it has for the application */
};

G_DEFINE_FINAL_TYPE (ScopeApplication, scope_application, ADW_TYPE_APPLICATION)

static ScopeWindow *
get_window (ScopeApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  return SCOPE_IS_WINDOW (active) ? SCOPE_WINDOW (active)
                                  : scope_window_new (GTK_APPLICATION (self));
}

static void
tell_error (ScopeApplication *self, const GError *error)
{
  gtk_widget_activate_action (GTK_WIDGET (get_window (self)), "win.show-message", "s",
                              error->message);
}

/* There is no window any more that could tell of an error. */
static void
hand_on (GFile **files, int n)
{
  g_autoptr (GError) error = NULL;

  if (!scope_succession_start (files, n, &error))
    g_printerr ("symscope: %s\n", error->message);
}

/* ---- Session ---- */

static gboolean
keeps_session (ScopeApplication *self)
{
  return self->session != NULL && scope_settings_get (self->settings, SCOPE_SETTING_RESTORE);
}

/* Of a program whose edits were answered for: there is nobody left to be told. */
static void
end_session (ScopeApplication *self)
{
  g_autoptr (GError) error = NULL;

  if (keeps_session (self) && !scope_session_end (self->session, &error))
    g_message ("The session is not kept: %s", error->message);
}

static guint
count_windows (ScopeApplication *self)
{
  guint n = 0;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    n += SCOPE_IS_WINDOW (l->data) ? 1 : 0;
  return n;
}

static void
leave (ScopeApplication *self)
{
  GList *windows;

  while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
    if (SCOPE_IS_WINDOW (windows->data))
      scope_window_leave (windows->data);
    else
      gtk_window_destroy (windows->data);
}

static gboolean
keeps_all_edits (ScopeApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data) && !scope_window_keeps_edits (l->data))
      return FALSE;
  return keeps_session (self);
}

/* In those windows that are about to ask. */
static void
tell_not_kept (ScopeApplication *self, const GError *error)
{
  g_autofree char *text =
      g_strdup_printf (_ ("Edits cannot be kept for the next time: %s"), error->message);

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data) && scope_window_is_modified (l->data))
      gtk_widget_activate_action (l->data, "win.show-message", "s", text);
}

/* Who ends the desktop's session ends ours in good order, and waits for no answer: what is not
 * saved comes back with the next one.  Only what would not is asked about. */
static gboolean
signal_cb (gpointer user_data)
{
  ScopeApplication *self = user_data;
  g_autoptr (GError) error = NULL;

  if (keeps_all_edits (self) && scope_session_end (self->session, &error))
    {
      leave (self);
      return G_SOURCE_CONTINUE;
    }
  if (error != NULL)
    tell_not_kept (self, error);
  g_action_group_activate_action (G_ACTION_GROUP (self), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
begin_session (ScopeApplication *self)
{
  static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };

  if (g_application_get_flags (G_APPLICATION (self)) & G_APPLICATION_NON_UNIQUE)
    return;
  self->session = scope_session_new (GTK_APPLICATION (self));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    self->signals[i] = g_unix_signal_add (numbers[i], signal_cb, self);
}

/* ---- Actions ---- */

/* Windows with something unsaved ask for themselves; TRUE when there are any. */
static gboolean
ask_to_save (GtkApplication *self)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (self));
  gboolean asks = FALSE;

  for (GList *l = windows; l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data) && scope_window_is_modified (l->data))
      {
        scope_window_ask_to_quit (l->data);
        asks = TRUE;
      }
  return asks;
}

static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  if (ask_to_save (user_data))
    return;
  end_session (user_data);
  leave (user_data);
}

static void
new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  if (scope_succession_is_ending (SCOPE_APPLICATION (user_data)->succession))
    hand_on (NULL, 0);
  else
    scope_later_present (GTK_WINDOW (scope_window_new (user_data)));
}

/* What is asked for first when something goes wrong. */
static char *
format_versions (void)
{
  g_autoptr (GString) text = g_string_new ("Symscope " SYMSCOPE_VERSION "\n");

  g_string_append_printf (text, "GTK %u.%u.%u\n", gtk_get_major_version (),
                          gtk_get_minor_version (), gtk_get_micro_version ());
  g_string_append_printf (text, "libadwaita %u.%u.%u\n", adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version ());
  g_string_append_printf (text, "GLib %u.%u.%u\n\n", glib_major_version, glib_minor_version,
                          glib_micro_version);
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    g_string_append_printf (text, "%s: %s\n", sym_io_format_get_title (*format),
                            sym_io_format_get_versions (*format));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree char *versions = format_versions ();

  GtkWidget *window = g_object_new (
      ADW_TYPE_ABOUT_WINDOW, "transient-for", gtk_application_get_active_window (user_data),
      "application-name", _ ("Symscope"), "application-icon", "org.symscope.Symscope", "version",
      SYMSCOPE_VERSION, "developer-name", _ ("The Symscope authors"), "copyright",
      _ ("© 2026 The Symscope authors"), "license-type", GTK_LICENSE_MIT_X11, "comments",
      _ ("Look at, cut and run neural networks saved as graphs."), "debug-info", versions,
      "translator-credits",
      /* Translators: your names, a line each */
      _ ("translator-credits"), NULL);

  scope_access_name_about (ADW_ABOUT_WINDOW (window));
  gtk_window_present (GTK_WINDOW (window));
}

static void
preferences_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeApplication *self = user_data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  gtk_window_present (scope_preferences_new (window, self->settings));
}

/* ---- Colours: a setting, and in the main menu ---- */

static const struct {
  const char *name;
  AdwColorScheme scheme;
} colors[] = {
  { "default", ADW_COLOR_SCHEME_DEFAULT },
  { "light", ADW_COLOR_SCHEME_FORCE_LIGHT },
  { "dark", ADW_COLOR_SCHEME_FORCE_DARK },
};

static void
colors_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeApplication *self = user_data;
  const char *name = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < (int) G_N_ELEMENTS (colors); i++)
    if (g_str_equal (name, colors[i].name) &&
        !scope_settings_set (self->settings, SCOPE_SETTING_COLORS, i, &error))
      tell_error (self, error);
}

static void
show_colors (ScopeApplication *self)
{
  int color = scope_settings_get (self->settings, SCOPE_SETTING_COLORS);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "colors");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), colors[color].scheme);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (colors[color].name));
}

static void
settings_changed_cb (ScopeApplication *self, guint setting)
{
  if (setting == SCOPE_SETTING_COLORS)
    show_colors (self);
  if (setting == SCOPE_SETTING_RESTORE && self->session != NULL && !keeps_session (self))
    scope_session_remove (self->session);
}

static const struct {
  const char *action;
  const char *keys[3];
} accelerators[] = {
  { "app.quit", { "<Control>q" } },
  { "app.new-window", { "<Control>n" } },
  { "app.preferences", { "<Control>comma" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "win.open", { "<Control>o" } },
  { "win.reload", { "<Control>r" } },
  { "win.run", { "F5" } },
  { "win.cancel-run", { "<Shift>F5" } },
  { "win.compare", { "<Control><Shift>c" } },
  { "win.next-difference", { "F7" } },
  { "win.previous-difference", { "<Shift>F7" } },
  { "win.end-comparison", { "<Control>F7" } },
  { "win.new-tab", { "<Control>t" } },
  { "win.close-tab", { "<Control>w" } },
  { "win.reopen-tab", { "<Control><Shift>t" } },
  { "win.save", { "<Control>s" } },
  { "win.save-as", { "<Control><Shift>s" } },
  { "win.extract", { "<Control>e" } },
  { "win.export", { "<Control><Shift>e" } },
  { "win.print", { "<Control>p" } },
  { "win.open-cut", { "<Control><Shift>o" } },
  { "win.clear-marks", { "<Control>BackSpace" } },
  { "win.undo", { "<Control>z" } },
  { "win.rename", { "F2" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.search", { "<Control>f" } },
  { "win.find-next", { "F3", "<Control>g" } },
  { "win.find-previous", { "<Shift>F3", "<Control><Shift>g" } },
  { "win.dim-others", { "<Control>h" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-one", { "<Control>1" } },
  { "win.fit", { "<Control>0" } },
  { "win.mark-output", { "<Control>m" } },
  { "win.mark-input", { "<Control>i" } },
  { "win.bookmarks", { "<Control>b" } },
  { "win.add-bookmark", { "<Control><Shift>b" } },
  { "win.back", { "<Alt>Left", "Back" } },
  { "win.forward", { "<Alt>Right", "Forward" } },
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
    { "preferences", preferences_cb },
    { "colors", NULL, "s", "'default'", colors_cb },
  };

  ScopeApplication *self = SCOPE_APPLICATION (application);

  G_APPLICATION_CLASS (scope_application_parent_class)->startup (application);
  scope_direction_follow_translation ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    {
      const char *keys[] = { accelerators[i].keys[0], accelerators[i].keys[1],
                             accelerators[i].keys[2], NULL };

      gtk_application_set_accels_for_action (GTK_APPLICATION (application), accelerators[i].action,
                                             keys);
    }
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "failed", G_CALLBACK (tell_error), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bookmarks, "failed", G_CALLBACK (tell_error), self,
                           G_CONNECT_SWAPPED);
  scope_frames_part ();
  g_signal_connect (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (scope_turns_part),
                    NULL);
  g_signal_connect (adw_style_manager_get_default (), "notify::high-contrast",
                    G_CALLBACK (scope_turns_part), NULL);
  show_colors (self);
  begin_session (self);
  self->succession = scope_succession_new (application);
}

/* Once, in the first window. */
static void
tell_of_settings (ScopeApplication *self)
{
  const GError *error = scope_settings_get_error (self->settings);
  g_autofree char *text = NULL;

  if (error == NULL || self->was_told)
    return;
  self->was_told = TRUE;
  text = g_strdup_printf (_ ("The preferences could not be read: %s"), error->message);
  gtk_widget_activate_action (GTK_WIDGET (get_window (self)), "win.show-message", "s", text);
}

static void
scope_application_activate (GApplication *application)
{
  ScopeApplication *self = SCOPE_APPLICATION (application);

  if (scope_succession_is_ending (self->succession))
    {
      hand_on (NULL, 0);
      return;
    }
  if (count_windows (self) == 0 && keeps_session (self) && scope_session_restore (self->session))
    {
      tell_of_settings (self);
      return;
    }
  if (count_windows (self) == 0 && self->session != NULL)
    scope_session_begin_new (self->session);
  gtk_window_present (GTK_WINDOW (get_window (self)));
  tell_of_settings (self);
}

static void
scope_application_open (GApplication *application, GFile **files, int n, const char *hint)
{
  ScopeApplication *self = SCOPE_APPLICATION (application);
  ScopeWindow *window;

  if (scope_succession_is_ending (self->succession))
    {
      hand_on (files, n);
      return;
    }
  /* Another file does not cost what was edited and not saved. */
  if (count_windows (self) == 0 && keeps_session (self) && scope_session_has_edits (self->session))
    scope_session_restore (self->session);
  window = get_window (self);
  if (self->session != NULL)
    scope_session_begin_new (self->session);
  for (int i = 0; i < n; i++)
    scope_window_open (window, files[i]);
  gtk_window_present (GTK_WINDOW (window));
  tell_of_settings (self);
}

static void
leave_session (ScopeApplication *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  g_clear_object (&self->session);
}

static void
scope_application_shutdown (GApplication *application)
{
  static const char *const of_windows[] = { "about", "preferences", "colors" };

  ScopeApplication *self = SCOPE_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (of_windows); i++)
    g_action_map_remove_action (G_ACTION_MAP (self), of_windows[i]);
  scope_succession_begin (self->succession);
  leave_session (self);
  scope_settings_finish (self->settings);
  scope_bookmarks_finish (self->bookmarks);
  self->is_without_display = TRUE;
  G_APPLICATION_CLASS (scope_application_parent_class)->shutdown (application);
  scope_succession_finish (self->succession);
}

/* What comes over the bus at the very end is only handed on; GTK 4.8 would look for the display's
 * part of it, which has gone. */
static void
scope_application_before_emit (GApplication *application, GVariant *platform_data)
{
  if (!SCOPE_APPLICATION (application)->is_without_display)
    G_APPLICATION_CLASS (scope_application_parent_class)->before_emit (application, platform_data);
}

static void
scope_application_after_emit (GApplication *application, GVariant *platform_data)
{
  if (!SCOPE_APPLICATION (application)->is_without_display)
    G_APPLICATION_CLASS (scope_application_parent_class)->after_emit (application, platform_data);
}

static void
scope_application_finalize (GObject *object)
{
  ScopeApplication *self = SCOPE_APPLICATION (object);

  leave_session (self);
  g_clear_pointer (&self->succession, scope_succession_free);
  scope_settings_finish (self->settings);
  g_object_unref (self->settings);
  g_object_unref (self->bookmarks);
  G_OBJECT_CLASS (scope_application_parent_class)->finalize (object);
}

static void
scope_application_class_init (ScopeApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = scope_application_finalize;
  application_class->startup = scope_application_startup;
  scope_icons_keep_to_main_thread ();
  application_class->activate = scope_application_activate;
  application_class->open = scope_application_open;
  application_class->shutdown = scope_application_shutdown;
  application_class->before_emit = scope_application_before_emit;
  application_class->after_emit = scope_application_after_emit;
}

static void
scope_application_init (ScopeApplication *self)
{
  self->settings = scope_settings_new (NULL);
  self->bookmarks = scope_bookmarks_new (NULL);
}

ScopeApplication *
scope_application_new (GApplicationFlags flags)
{
  return g_object_new (SCOPE_TYPE_APPLICATION, "application-id", "org.symscope.Symscope", "flags",
                       flags | G_APPLICATION_HANDLES_OPEN, "resource-base-path",
                       "/org/symscope/Symscope", NULL);
}

ScopeSettings *
scope_application_get_settings (ScopeApplication *self)
{
  return self->settings;
}

ScopeBookmarks *
scope_application_get_bookmarks (ScopeApplication *self)
{
  return self->bookmarks;
}

void
scope_application_touch_session (ScopeApplication *self)
{
  if (keeps_session (self))
    scope_session_touch (self->session);
}

void
scope_application_close_window (ScopeApplication *self)
{
  if (count_windows (self) == 1)
    end_session (self);
  else
    scope_application_touch_session (self);
}
