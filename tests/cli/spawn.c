/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <glib/gstdio.h>
#include <string.h>

static char *scratch_folder;

/* Ended by a NUL, though there may be others before. */
static char *
take_text (GBytes *bytes, gsize *n)
{
  g_autoptr (GByteArray) text = g_byte_array_new ();

  *n = bytes ? g_bytes_get_size (bytes) : 0;
  if (*n)
    g_byte_array_append (text, g_bytes_get_data (bytes, NULL), (guint) *n);
  g_byte_array_append (text, (const guint8 *) "", 1);
  return (char *) g_byte_array_free (g_steal_pointer (&text), FALSE);
}

Ending *
run_in (const char *folder, const char *input, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *whole = g_strdup_printf ("%s %s", g_getenv ("SYMSCOPE"), line);
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                 G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) in = input ? g_bytes_new (input, strlen (input)) : g_bytes_new (NULL, 0);
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  gsize n_err;
  Ending *self = g_new0 (Ending, 1);

  g_shell_parse_argv (whole, NULL, &words, &error);
  g_assert_no_error (error);
  if (folder)
    g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words, &error);
  g_assert_no_error (error);
  if (!g_subprocess_communicate (process, in, NULL, &out, &err, &error))
    g_test_message ("%s", error->message);
  self->status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
  self->out = take_text (out, &self->n_out);
  self->err = take_text (err, &n_err);
  g_test_message ("symscope %s: %d", line, self->status);
  return self;
}

Ending *
run_line (const char *format, ...)
{
  va_list args;
  g_autofree char *line = NULL;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  return run_in (NULL, NULL, line);
}

void
ending_free (Ending *self)
{
  g_free (self->out);
  g_free (self->err);
  g_free (self);
}

cJSON *
ending_parse (const Ending *self, int status)
{
  const char *end = NULL;
  cJSON *json;

  assert_status (self, status);
  json = cJSON_ParseWithOpts (self->out, &end, TRUE);
  if (json == NULL)
    g_test_message ("no JSON at: %.60s", end);
  g_assert_nonnull (json);
  return json;
}

void
assert_status (const Ending *self, int status)
{
  if (self->status != status)
    g_test_message ("messages: %s", self->err);
  g_assert_cmpint (self->status, ==, status);
}

static void
assert_holds (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_test_message ("no “%s” in: %s", part, text);
  g_assert_nonnull (strstr (text, part));
}

void
assert_out (const Ending *self, const char *part)
{
  assert_holds (self->out, part);
}

void
assert_err (const Ending *self, const char *part)
{
  assert_holds (self->err, part);
}

void
assert_refused (const Ending *self, int status, const char *part)
{
  g_auto (GStrv) lines = g_strsplit (self->err, "\n", -1);

  assert_status (self, status);
  assert_err (self, part);
  g_assert_true (g_str_has_prefix (self->err, "symscope: "));
  g_assert_cmpuint (g_strv_length (lines), ==, status == 2 ? 3 : 2);
}

const char *
fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "cli", name, NULL);

  return g_intern_string (path);
}

const char *
scratch (const char *name)
{
  g_autofree char *path = NULL;

  if (scratch_folder == NULL)
    scratch_folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  path = g_build_filename (scratch_folder, name, NULL);
  return g_intern_string (path);
}

void
clear_scratch (void)
{
  g_autoptr (GDir) dir = scratch_folder ? g_dir_open (scratch_folder, 0, NULL) : NULL;
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_remove (scratch (name));
  if (scratch_folder)
    g_rmdir (scratch_folder);
  g_clear_pointer (&scratch_folder, g_free);
}

const cJSON *
member (const cJSON *object, const char *name)
{
  const cJSON *value = cJSON_GetObjectItemCaseSensitive (object, name);

  if (value == NULL)
    g_test_message ("no member “%s”", name);
  g_assert_nonnull (value);
  return value;
}

const cJSON *
find_named (const cJSON *array, const char *name)
{
  const cJSON *element;

  cJSON_ArrayForEach (element, array) if (g_strcmp0 (member (element, "name")->valuestring, name) ==
                                          0) return element;
  g_test_message ("no element named “%s”", name);
  g_assert_not_reached ();
}

void
assert_json (const cJSON *value, const char *expected)
{
  char *text = cJSON_PrintUnformatted (value);

  g_assert_cmpstr (text, ==, expected);
  cJSON_free (text);
}
