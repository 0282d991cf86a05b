/* SPDX-License-Identifier: MIT */
#include "app/scope-session.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/scope-access.h"
#include "app/scope-file-name.h"
#include "app/scope-memory.h"
#include "app/scope-window.h"

#define DELAY 1 /* seconds, so that what follows at once is kept with it */
#define SESSION "session"
#define PRIVATE_FOLDER 0700
#define MAX_WINDOWS 50 /* and tabs in each: more is no session of ours */
#define MAX_TABS 500

struct _ScopeSession {
  GObject parent_instance;

  GtkApplication *application; /* borrowed */
  char *path;
  GKeyFile *last;      /* what the last session left; NULL once it was dealt with */
  GKeyFile *postponed; /* windows that are asked about, or not wanted just now; NULL for none */
  guint source;        /* to keep what has changed; 0 for none */
  gboolean writes;     /* a file is being written */
  gboolean has_ended;
};

G_DEFINE_FINAL_TYPE (ScopeSession, scope_session, G_TYPE_OBJECT)

/* ---- Windows in a key file: a group for each, and more whose names begin with that of it ---- */

static int
get_n (GKeyFile *file, const char *group, const char *key, int max)
{
  return CLAMP (g_key_file_get_integer (file, group, key, NULL), 0, max);
}

static void
copy_group (GKeyFile *to, const char *to_group, GKeyFile *from, const char *from_group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (from, from_group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (from, from_group, keys[i], NULL);

      g_key_file_set_value (to, to_group, keys[i], value);
    }
}

static void
copy_window (GKeyFile *to, int to_window, GKeyFile *from, int from_window)
{
  g_auto (GStrv) groups = g_key_file_get_groups (from, NULL);
  g_autofree char *name = g_strdup_printf ("window %d", from_window);
  size_t length = strlen (name);

  for (guint i = 0; groups[i] != NULL; i++)
    if (g_str_has_prefix (groups[i], name) &&
        (groups[i][length] == '\0' || groups[i][length] == ' '))
      {
        g_autofree char *group = g_strdup_printf ("window %d%s", to_window, groups[i] + length);

        copy_group (to, group, from, groups[i]);
      }
}

static GKeyFile *
copy_windows (GKeyFile *file, int first, int n)
{
  GKeyFile *copy = g_key_file_new ();

  for (int i = 0; i < n; i++)
    copy_window (copy, i, file, first + i);
  g_key_file_set_integer (copy, SESSION, "windows", n);
  return copy;
}

static gboolean
has_edits (GKeyFile *file)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_autoptr (ScopeMemory) memory = scope_memory_load (file, groups[i]);

      if (scope_memory_has_edits (memory))
        return TRUE;
    }
  return FALSE;
}

/* ---- Keeping ---- */

/* Those that are postponed come after those that are open. */
static char *
format (ScopeSession *self, gsize *length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  int n = 0;

  for (GList *l = gtk_application_get_windows (self->application); l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data))
      {
        g_autofree char *group = g_strdup_printf ("window %d", n);

        if (scope_window_save (l->data, file, group))
          n++;
      }
  int n_postponed =
      self->postponed != NULL ? get_n (self->postponed, SESSION, "windows", MAX_WINDOWS) : 0;

  for (int i = 0; i < n_postponed; i++)
    copy_window (file, n + i, self->postponed, i);
  g_key_file_set_integer (file, SESSION, "windows", n);
  g_key_file_set_integer (file, SESSION, "postponed", n_postponed);
  g_key_file_set_boolean (file, SESSION, "ended", self->has_ended);
  return g_key_file_to_data (file, length, NULL);
}

static gboolean
make_folder (ScopeSession *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);

  if (g_mkdir_with_parents (folder, PRIVATE_FOLDER) == 0)
    return TRUE;
  int number = errno;

  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (number), "%s: %s", folder,
               g_strerror (number));
  return FALSE;
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeSession) self = user_data;
  g_autoptr (GError) error = NULL;

  self->writes = FALSE;
  if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_message ("The session is not kept: %s", error->message);
}

static gboolean
has_window (ScopeSession *self)
{
  for (GList *l = gtk_application_get_windows (self->application); l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data))
      return TRUE;
  return FALSE;
}

/* With its last window gone, the session is what that window left. */
static gboolean
keep_cb (gpointer user_data)
{
  ScopeSession *self = user_data;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (self->writes)
    return G_SOURCE_CONTINUE;
  self->source = 0;
  if (!has_window (self))
    return G_SOURCE_REMOVE;
  if (!make_folder (self, &error))
    {
      g_message ("The session is not kept: %s", error->message);
      return G_SOURCE_REMOVE;
    }
  g_autofree char *text = format (self, &length);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&text), length);
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  self->writes = TRUE;
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL,
                                       written_cb, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

void
scope_session_touch (ScopeSession *self)
{
  g_return_if_fail (SCOPE_IS_SESSION (self));

  if (self->last != NULL || self->source != 0)
    return;
  self->has_ended = FALSE;
  self->source = g_timeout_add_seconds (DELAY, keep_cb, self);
}

gboolean
scope_session_end (ScopeSession *self, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  gsize length;

  if (!has_window (self))
    return TRUE;
  /* One that is half written would come after this one. */
  while (self->writes)
    g_main_context_iteration (NULL, TRUE);
  g_clear_handle_id (&self->source, g_source_remove);
  if (!make_folder (self, error))
    return FALSE;
  self->has_ended = TRUE;
  g_autofree char *text = format (self, &length);

  self->has_ended = g_file_set_contents_full (self->path, text, (gssize) length,
                                              G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
  return self->has_ended;
}

void
scope_session_begin_new (ScopeSession *self)
{
  g_return_if_fail (SCOPE_IS_SESSION (self));

  g_clear_pointer (&self->last, g_key_file_unref);
}

void
scope_session_remove (ScopeSession *self)
{
  g_return_if_fail (SCOPE_IS_SESSION (self));

  scope_session_begin_new (self);
  g_clear_pointer (&self->postponed, g_key_file_unref);
  g_clear_handle_id (&self->source, g_source_remove);
  g_unlink (self->path);
}

/* ---- Bringing back ---- */

static void
open_windows (ScopeSession *self, GKeyFile *file, int n, ScopeWindow *first)
{
  for (int i = 0; i < n; i++)
    {
      g_autofree char *group = g_strdup_printf ("window %d", i);
      ScopeWindow *window = i == 0 && first != NULL ? first : scope_window_new (self->application);

      scope_window_restore (window, file, group);
      gtk_window_present (GTK_WINDOW (window));
    }
}

/* The names of all files, a line each. */
static char *
list_files (GKeyFile *file)
{
  g_autoptr (GString) names = g_string_new (NULL);
  int n_windows = get_n (file, SESSION, "windows", MAX_WINDOWS);

  for (int i = 0; i < n_windows; i++)
    {
      g_autofree char *window = g_strdup_printf ("window %d", i);
      int n_tabs = get_n (file, window, "tabs", MAX_TABS);

      for (int k = 0; k < n_tabs; k++)
        {
          g_autofree char *group = g_strdup_printf ("%s tab %d", window, k);
          g_autofree char *uri = g_key_file_get_string (file, group, "uri", NULL);
          g_autoptr (GFile) tab = uri != NULL ? g_file_new_for_uri (uri) : NULL;
          g_autofree char *name = tab != NULL ? scope_file_name (tab) : NULL;

          if (name != NULL)
            g_string_append_printf (names, "\n%s", name);
        }
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* Edits that are nowhere else are asked about again when they are not wanted just now. */
static void
answered_cb (AdwMessageDialog *dialog, const char *response, ScopeSession *self)
{
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (dialog));

  if (self->postponed == NULL)
    return;
  if (!g_str_equal (response, "not") || !has_edits (self->postponed))
    {
      g_autoptr (GKeyFile) postponed = g_steal_pointer (&self->postponed);

      if (g_str_equal (response, "open"))
        open_windows (self, postponed, get_n (postponed, SESSION, "windows", MAX_WINDOWS),
                      SCOPE_WINDOW (window));
    }
  scope_session_touch (self);
}

static char *
format_body (GKeyFile *file)
{
  g_autofree char *names = list_files (file);
  g_autofree char *text = g_strdup_printf (_ ("Symscope did not end as it should. It may have been "
                                              "because of one of the files that were open:\n%s"),
                                           names);

  if (!has_edits (file))
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s\n\n%s", text,
                          _ ("What was edited and not saved is kept until it is opened again or "
                             "discarded."));
}

static void
add_answers (AdwMessageDialog *dialog, gboolean discards)
{
  if (discards)
    {
      adw_message_dialog_add_response (dialog, "discard", _ ("_Discard"));
      adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
    }
  adw_message_dialog_add_responses (dialog, "not", _ ("_Not Now"), "open", _ ("_Open Again"), NULL);
  scope_access_name_answers (GTK_WIDGET (dialog));
  adw_message_dialog_set_response_appearance (dialog, "open", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "open");
  adw_message_dialog_set_close_response (dialog, "not");
}

static ScopeWindow *
get_window (ScopeSession *self)
{
  for (GList *l = gtk_application_get_windows (self->application); l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data))
      return l->data;
  return scope_window_new (self->application);
}

static void
ask (ScopeSession *self)
{
  ScopeWindow *window = get_window (self);
  g_autofree char *body = format_body (self->postponed);

  gtk_window_present (GTK_WINDOW (window));
  GtkWidget *dialog =
      adw_message_dialog_new (GTK_WINDOW (window), _ ("Open These Files Again?"), body);

  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  add_answers (ADW_MESSAGE_DIALOG (dialog), has_edits (self->postponed));
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
scope_session_has_edits (ScopeSession *self)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  return self->last != NULL && has_edits (self->last);
}

/* Whether it ended while something was open. */
static gboolean
was_interrupted (GKeyFile *last)
{
  g_autofree char *names = list_files (last);

  return *names != '\0' && !g_key_file_get_boolean (last, SESSION, "ended", NULL);
}

gboolean
scope_session_restore (ScopeSession *self)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  g_autoptr (GKeyFile) last = g_steal_pointer (&self->last);

  if (last == NULL)
    return FALSE;
  int n = get_n (last, SESSION, "windows", MAX_WINDOWS);
  int n_postponed = get_n (last, SESSION, "postponed", MAX_WINDOWS);
  int n_open = was_interrupted (last) ? 0 : n;

  open_windows (self, last, n_open, NULL);
  if (n + n_postponed > n_open)
    {
      self->postponed = copy_windows (last, n_open, n + n_postponed - n_open);
      ask (self);
    }
  return n + n_postponed > 0;
}

/* ---- Class ---- */

static void
scope_session_finalize (GObject *object)
{
  ScopeSession *self = SCOPE_SESSION (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->last, g_key_file_unref);
  g_clear_pointer (&self->postponed, g_key_file_unref);
  g_free (self->path);
  G_OBJECT_CLASS (scope_session_parent_class)->finalize (object);
}

static void
scope_session_class_init (ScopeSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_session_finalize;
}

static void
scope_session_init (ScopeSession *self)
{
}

/* A file that cannot be understood is one that is not there. */
ScopeSession *
scope_session_new (GtkApplication *application)
{
  ScopeSession *self = g_object_new (SCOPE_TYPE_SESSION, NULL);

  self->application = application;
  self->path = g_build_filename (g_get_user_state_dir (), "symscope", "session.ini", NULL);
  self->last = g_key_file_new ();
  if (!g_key_file_load_from_file (self->last, self->path, G_KEY_FILE_NONE, NULL))
    g_clear_pointer (&self->last, g_key_file_unref);
  return self;
}
