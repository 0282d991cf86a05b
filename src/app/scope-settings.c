/* SPDX-License-Identifier: MIT */
#include "app/scope-settings.h"

#include <glib/gstdio.h>

#define PRIVATE_FOLDER 0700
#define RECENT "recent"
#define PINNED "pinned"
#define SUMMARY "summary"
#define COLUMNS "columns"
#define PANES "panes"
#define MOST_WIDTH 10000 /* pixels */

struct _ScopeSettings {
  GObject parent_instance;

  char *path;
  GKeyFile *file;
  GError *error; /* of reading */
  int values[SCOPE_N_SETTINGS];
  char **pinned;
  char **columns; /* NULL: as usual */
  int panes[SCOPE_N_PANES];
  gboolean is_writing, is_outdated; /* a thread writes; what it writes */
};

G_DEFINE_FINAL_TYPE (ScopeSettings, scope_settings, G_TYPE_OBJECT)

enum { CHANGED, FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- The settings there are ---- */

static const char *const no_yes[] = { "false", "true", NULL };
static const char *const colors[] = { "system", "light", "dark", NULL };
static const char *const threads[] = { "all", "1", "2", "4", "8", "16", NULL };
static const char *const drawings[] = { "data", "layers", NULL };
static const char *const directions[] = { "down", "right", NULL };
static const char *const kinds[] = { "svg", "png", "pdf", "dot", NULL };
static const char *const themes[] = { "light", "dark", "contrast", "dark-contrast", NULL };
static const char *const scales[] = { "1", "2", "4", NULL };

static const struct {
  const char *group, *key;
  const char *const *words; /* by the numbers that they stand for */
  int usual;
} kinds_of_setting[] = {
  [SCOPE_SETTING_COLORS] = { "appearance", "colors", colors, 0 },
  [SCOPE_SETTING_RESTORE] = { "session", "restore", no_yes, TRUE },
  [SCOPE_SETTING_THREADS] = { "run", "threads", threads, 0 },
  [SCOPE_SETTING_DRAWING] = { "view", "drawing", drawings, 0 },
  [SCOPE_SETTING_DIRECTION] = { "view", "direction", directions, 0 },
  [SCOPE_SETTING_NAMES] = { "view", "names", no_yes, TRUE },
  [SCOPE_SETTING_VARIABLES] = { "view", "variables", no_yes, FALSE },
  [SCOPE_SETTING_SHAPES] = { "view", "shapes", no_yes, TRUE },
  [SCOPE_SETTING_DTYPES] = { "view", "dtypes", no_yes, FALSE },
  [SCOPE_SETTING_TREE] = { SUMMARY, "tree", no_yes, FALSE },
  [SCOPE_SETTING_EXPORT_KIND] = { "export", "kind", kinds, 0 },
  [SCOPE_SETTING_EXPORT_THEME] = { "export", "theme", themes, 0 },
  [SCOPE_SETTING_EXPORT_SCALE] = { "export", "scale", scales, 1 },
  [SCOPE_SETTING_EXPORT_TRANSPARENT] = { "export", "transparent", no_yes, FALSE },
  [SCOPE_SETTING_EXPORT_LEGEND] = { "export", "legend", no_yes, TRUE },
};

static const char *const panes[SCOPE_N_PANES] = { "summary", "inspector" };

static int
find_word (const char *const *words, const char *word)
{
  for (int i = 0; word != NULL && words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      return i;
  return -1;
}

/* ---- The file ---- */

static void
read_values (ScopeSettings *self)
{
  for (guint i = 0; i < SCOPE_N_SETTINGS; i++)
    {
      g_autofree char *word = g_key_file_get_string (self->file, kinds_of_setting[i].group,
                                                     kinds_of_setting[i].key, NULL);
      int value = find_word (kinds_of_setting[i].words, word);

      self->values[i] = value >= 0 ? value : kinds_of_setting[i].usual;
    }
  self->pinned = g_key_file_get_string_list (self->file, RECENT, PINNED, NULL, NULL);
  if (self->pinned == NULL)
    self->pinned = g_new0 (char *, 1);
  self->columns = g_key_file_get_string_list (self->file, SUMMARY, COLUMNS, NULL, NULL);
  for (guint i = 0; i < SCOPE_N_PANES; i++)
    self->panes[i] =
        CLAMP (g_key_file_get_integer (self->file, PANES, panes[i], NULL), 0, MOST_WIDTH);
}

static void
read_file (ScopeSettings *self)
{
  g_key_file_load_from_file (self->file, self->path,
                             G_KEY_FILE_KEEP_COMMENTS | G_KEY_FILE_KEEP_TRANSLATIONS, &self->error);
  if (g_error_matches (self->error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_clear_error (&self->error);
  read_values (self);
}

typedef struct {
  char *path, *text;
  gsize length;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *self = data;

  g_free (self->path);
  g_free (self->text);
  g_free (self);
}

/* Replaced at once, so that a power cut leaves the one or the other; a disk takes its time for
 * that. */
static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Writing *self = task_data;
  GError *error = NULL;

  if (g_file_set_contents (self->path, self->text, (gssize) self->length, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void start_writing (ScopeSettings *self);

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeSettings *self = SCOPE_SETTINGS (source);
  g_autoptr (GError) error = NULL;

  self->is_writing = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit (self, signals[FAILED], 0, error);
  if (self->is_outdated)
    start_writing (self);
}

static void
start_writing (ScopeSettings *self)
{
  g_autoptr (GTask) task = NULL;
  Writing *writing;

  self->is_outdated = self->is_writing;
  if (self->is_writing)
    return;
  self->is_writing = TRUE;
  writing = g_new0 (Writing, 1);
  writing->path = g_strdup (self->path);
  writing->text = g_key_file_to_data (self->file, &writing->length, NULL);
  task = g_task_new (self, NULL, written_cb, NULL);
  g_task_set_source_tag (task, start_writing);
  g_task_set_task_data (task, writing, writing_free);
  g_task_run_in_thread (task, write_thread);
}

static gboolean
write_file (ScopeSettings *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);

  if (g_mkdir_with_parents (folder, PRIVATE_FOLDER) != 0)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", folder,
                   g_strerror (code));
      return FALSE;
    }
  start_writing (self);
  return TRUE;
}

/* ---- Class ---- */

static void
scope_settings_finalize (GObject *object)
{
  ScopeSettings *self = SCOPE_SETTINGS (object);

  g_free (self->path);
  g_key_file_unref (self->file);
  g_clear_error (&self->error);
  g_strfreev (self->pinned);
  g_strfreev (self->columns);
  G_OBJECT_CLASS (scope_settings_parent_class)->finalize (object);
}

static void
scope_settings_class_init (ScopeSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_settings_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
scope_settings_init (ScopeSettings *self)
{
  self->file = g_key_file_new ();
}

ScopeSettings *
scope_settings_new (const char *path)
{
  ScopeSettings *self = g_object_new (SCOPE_TYPE_SETTINGS, NULL);

  self->path = path != NULL
                   ? g_strdup (path)
                   : g_build_filename (g_get_user_config_dir (), "symscope", "settings.ini", NULL);
  read_file (self);
  return self;
}

void
scope_settings_finish (ScopeSettings *self)
{
  g_return_if_fail (SCOPE_IS_SETTINGS (self));

  while (self->is_writing)
    g_main_context_iteration (NULL, TRUE);
}

int
scope_settings_get (ScopeSettings *self, ScopeSetting setting)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self) && (guint) setting < SCOPE_N_SETTINGS, 0);

  return self->values[setting];
}

guint
scope_settings_get_n_threads (ScopeSettings *self)
{
  const char *word = threads[scope_settings_get (self, SCOPE_SETTING_THREADS)];

  return (guint) g_ascii_strtoull (word, NULL, 10);
}

gboolean
scope_settings_set (ScopeSettings *self, ScopeSetting setting, int value, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self) && (guint) setting < SCOPE_N_SETTINGS, FALSE);
  g_return_val_if_fail (value >= 0, FALSE);

  const char *const *words = kinds_of_setting[setting].words;

  g_return_val_if_fail ((guint) value < g_strv_length ((char **) words), FALSE);
  if (self->values[setting] == value)
    return TRUE;
  self->values[setting] = value;
  g_key_file_set_string (self->file, kinds_of_setting[setting].group, kinds_of_setting[setting].key,
                         words[value]);
  g_signal_emit (self, signals[CHANGED], 0, (guint) setting);
  return write_file (self, error);
}

const GError *
scope_settings_get_error (ScopeSettings *self)
{
  return self->error;
}

const char *const *
scope_settings_get_pinned (ScopeSettings *self)
{
  return (const char *const *) self->pinned;
}

gboolean
scope_settings_set_pinned (ScopeSettings *self, const char *uri, gboolean is_pinned, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self) && uri != NULL, FALSE);

  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (g_strv_contains ((const char *const *) self->pinned, uri) == is_pinned)
    return TRUE;
  for (guint i = 0; self->pinned[i] != NULL; i++)
    if (!g_str_equal (self->pinned[i], uri))
      g_strv_builder_add (builder, self->pinned[i]);
  if (is_pinned)
    g_strv_builder_add (builder, uri);
  g_strfreev (self->pinned);
  self->pinned = g_strv_builder_end (builder);
  g_key_file_set_string_list (self->file, RECENT, PINNED, (const char *const *) self->pinned,
                              g_strv_length (self->pinned));
  g_signal_emit (self, signals[CHANGED], 0, (guint) SCOPE_SETTINGS_PINNED);
  return write_file (self, error);
}

int
scope_settings_get_pane (ScopeSettings *self, ScopePane pane)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self) && (guint) pane < SCOPE_N_PANES, 0);

  return self->panes[pane];
}

gboolean
scope_settings_set_pane (ScopeSettings *self, ScopePane pane, int width, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self) && (guint) pane < SCOPE_N_PANES, FALSE);
  g_return_val_if_fail (width > 0 && width <= MOST_WIDTH, FALSE);

  if (self->panes[pane] == width)
    return TRUE;
  self->panes[pane] = width;
  g_key_file_set_integer (self->file, PANES, panes[pane], width);
  return write_file (self, error);
}

const char *const *
scope_settings_get_columns (ScopeSettings *self)
{
  return (const char *const *) self->columns;
}

static gboolean
has_same_words (const char *const *a, const char *const *b)
{
  return a == b || (a != NULL && b != NULL && g_strv_equal (a, b));
}

gboolean
scope_settings_set_columns (ScopeSettings *self, const char *const *columns, GError **error)
{
  g_return_val_if_fail (SCOPE_IS_SETTINGS (self), FALSE);

  if (has_same_words (scope_settings_get_columns (self), columns))
    return TRUE;
  g_strfreev (self->columns);
  self->columns = g_strdupv ((char **) columns);
  if (columns != NULL)
    g_key_file_set_string_list (self->file, SUMMARY, COLUMNS, columns,
                                g_strv_length ((char **) columns));
  else
    g_key_file_remove_key (self->file, SUMMARY, COLUMNS, NULL);
  g_signal_emit (self, signals[CHANGED], 0, (guint) SCOPE_SETTINGS_COLUMNS);
  return write_file (self, error);
}
