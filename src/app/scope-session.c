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
  GKeyFile *last;  /* what the last session left; NULL once it was dealt with */
  guint source;    /* to keep what has changed; 0 for none */
  gboolean writes; /* a file is being written */
  gboolean has_ended;
  gboolean asks; /* whether to open what the last one left */
};

G_DEFINE_FINAL_TYPE (ScopeSession, scope_session, G_TYPE_OBJECT)

/* ---- Keeping ---- */

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
  g_key_file_set_integer (file, SESSION, "windows", n);
  g_key_file_set_boolean (file, SESSION, "ended", self->has_ended);
  return g_key_file_to_data (file, length, NULL);
}

static gboolean
make_folder (ScopeSession *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);

  if (g_mkdir_with_parents (folder, PRIVATE_FOLDER) == 0)
    return TRUE;
  g_message ("The session is not kept: %s: %s", folder, g_strerror (errno));
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
  gsize length;

  if (self->writes)
    return G_SOURCE_CONTINUE;
  self->source = 0;
  if (!has_window (self) || !make_folder (self))
    return G_SOURCE_REMOVE;
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

void
scope_session_end (ScopeSession *self)
{
  g_return_if_fail (SCOPE_IS_SESSION (self));

  g_autoptr (GError) error = NULL;
  gsize length;

  if (self->last != NULL || !has_window (self))
    return;
  self->has_ended = TRUE;
  g_clear_handle_id (&self->source, g_source_remove);
  /* One that is half written would come after this one. */
  while (self->writes)
    g_main_context_iteration (NULL, TRUE);
  if (!make_folder (self))
    return;
  g_autofree char *text = format (self, &length);

  if (!g_file_set_contents_full (self->path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                 0600, &error))
    g_message ("The session is not kept: %s", error->message);
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
  g_clear_handle_id (&self->source, g_source_remove);
  g_unlink (self->path);
}

/* ---- Bringing back ---- */

static int
get_n (GKeyFile *file, const char *group, const char *key, int max)
{
  return CLAMP (g_key_file_get_integer (file, group, key, NULL), 0, max);
}

static gboolean
open_windows (ScopeSession *self, GKeyFile *file, ScopeWindow *first)
{
  int n = get_n (file, SESSION, "windows", MAX_WINDOWS);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *group = g_strdup_printf ("window %d", i);
      ScopeWindow *window = i == 0 && first != NULL ? first : scope_window_new (self->application);

      scope_window_restore (window, file, group);
      gtk_window_present (GTK_WINDOW (window));
    }
  return n > 0;
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

static void
answered_cb (AdwMessageDialog *dialog, const char *response, ScopeSession *self)
{
  g_autoptr (GKeyFile) last = g_steal_pointer (&self->last);
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (dialog));

  self->asks = FALSE;
  if (last != NULL && g_str_equal (response, "open"))
    open_windows (self, last, SCOPE_WINDOW (window));
  scope_session_touch (self);
}

static void
ask_about (ScopeSession *self, const char *names)
{
  ScopeWindow *window = scope_window_new (self->application);

  gtk_window_present (GTK_WINDOW (window));
  GtkWidget *dialog =
      adw_message_dialog_new (GTK_WINDOW (window), _ ("Open These Files Again?"), NULL);

  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  _ ("Symscope did not end as it should. It may have been because "
                                     "of one of the files that were open:\n%s"),
                                  names);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "not", _ ("_Not Now"), "open",
                                    _ ("_Open Again"), NULL);
  scope_access_name_answers (dialog);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "open",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "open");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "not");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  self->asks = TRUE;
}

gboolean
scope_session_has_edits (ScopeSession *self)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  g_auto (GStrv) groups = self->last != NULL ? g_key_file_get_groups (self->last, NULL) : NULL;

  for (guint i = 0; groups != NULL && groups[i] != NULL; i++)
    {
      g_autoptr (ScopeMemory) memory = scope_memory_load (self->last, groups[i]);

      if (scope_memory_has_edits (memory))
        return TRUE;
    }
  return FALSE;
}

gboolean
scope_session_is_asking (ScopeSession *self)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  return self->asks;
}

gboolean
scope_session_restore (ScopeSession *self)
{
  g_return_val_if_fail (SCOPE_IS_SESSION (self), FALSE);

  if (self->last == NULL)
    return FALSE;
  g_autofree char *names = list_files (self->last);

  if (*names != '\0' && !g_key_file_get_boolean (self->last, SESSION, "ended", NULL))
    {
      ask_about (self, names);
      return TRUE;
    }
  g_autoptr (GKeyFile) last = g_steal_pointer (&self->last);

  return open_windows (self, last, NULL);
}

/* ---- Class ---- */

static void
scope_session_finalize (GObject *object)
{
  ScopeSession *self = SCOPE_SESSION (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->last, g_key_file_unref);
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
