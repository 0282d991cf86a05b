/* SPDX-License-Identifier: MIT */
#include "store/sym-store.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  char *folder;
  char *path;
  char *link;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "target", NULL);
  self->link = g_build_filename (self->folder, "link", NULL);
}

/* The folder cannot be removed when a temporary file was left behind. */
static void
tear_down (Fixture *self, gconstpointer data)
{
  g_remove (self->path);
  g_remove (self->link);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->link);
}

static void
assert_contents (const char *path, const char *expected)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, expected);
}

static gboolean
write_text (const char *path, const char *text, GError **error)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, error);

  return writer != NULL && sym_store_writer_write (writer, text, strlen (text), error) &&
         sym_store_writer_commit (writer, error);
}

static mode_t
get_mode (const char *path)
{
  struct stat info;

  g_assert_cmpint (lstat (path, &info), ==, 0);
  return info.st_mode;
}

static void
test_makes_a_file (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  mode_t mask = umask (027);

  g_assert_true (write_text (self->path, "new", &error));
  umask (mask);
  assert_contents (self->path, "new");
  g_assert_cmphex (get_mode (self->path) & 0777, ==, 0640);
}

static void
test_writes_more_than_its_buffer (Fixture *self, gconstpointer data)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (self->path, NULL);
  g_autofree char *piece = g_malloc0 (300000);
  g_autofree char *contents = NULL;
  gsize size;

  memset (piece, 'a', 300000);
  g_assert_true (sym_store_writer_write (writer, "(", 1, NULL));
  g_assert_true (sym_store_writer_write (writer, piece, 300000, NULL));
  for (guint i = 0; i < 3; i++)
    g_assert_true (sym_store_writer_write (writer, piece, 100000, NULL));
  g_assert_true (sym_store_writer_write (writer, ")", 1, NULL));
  g_assert_true (sym_store_writer_commit (writer, NULL));
  g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
  g_assert_cmpuint (size, ==, 600002);
  g_assert_cmpint (contents[0], ==, '(');
  g_assert_cmpint (contents[size - 1], ==, ')');
  g_assert_cmpuint (strspn (contents + 1, "a"), ==, 600000);
}

static void
test_keeps_the_old_file_until_the_end (Fixture *self, gconstpointer data)
{
  SymStoreWriter *writer;

  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  writer = sym_store_writer_new (self->path, NULL);
  g_assert_true (sym_store_writer_write (writer, "half", 4, NULL));
  assert_contents (self->path, "old");
  sym_store_writer_free (writer);
  assert_contents (self->path, "old");
}

static void
test_an_abandoned_file_leaves_nothing (Fixture *self, gconstpointer data)
{
  SymStoreWriter *writer = sym_store_writer_new (self->path, NULL);

  g_assert_true (sym_store_writer_write (writer, "half", 4, NULL));
  sym_store_writer_free (writer);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

/* Whether a file can be made that has no name. */
static gboolean
has_nameless_files (const char *folder)
{
#ifdef O_TMPFILE
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    close (fd);
  return fd >= 0;
#else
  return FALSE;
#endif
}

/* The child gets the folder through the environment, as it runs this test's set-up again. */
static void
test_a_killed_writer_leaves_nothing (Fixture *self, gconstpointer data)
{
  if (g_test_subprocess ())
    {
      g_autofree char *path = g_build_filename (g_getenv ("WRITER_FOLDER"), "target", NULL);
      SymStoreWriter *writer = sym_store_writer_new (path, NULL);
      g_autofree char *piece = g_malloc0 (1 << 20);

      g_rmdir (self->folder);
      g_assert_true (sym_store_writer_write (writer, piece, 1 << 20, NULL));
      raise (SIGKILL);
    }
  if (!has_nameless_files (self->folder))
    {
      g_test_skip ("the file system has no files without names");
      return;
    }
  g_setenv ("WRITER_FOLDER", self->folder, TRUE);
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  g_test_trap_subprocess (NULL, 0, 0);
  g_assert_false (g_test_trap_has_passed ());
  g_test_trap_assert_stderr_unmatched ("*ERROR*");
  assert_contents (self->path, "old");
}

static void
test_keeps_permissions (Fixture *self, gconstpointer data)
{
  static const mode_t modes[] = { 0600, 0755, 0666 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
      g_assert_cmpint (g_chmod (self->path, (int) modes[i]), ==, 0);
      g_assert_true (write_text (self->path, "new", &error));
      assert_contents (self->path, "new");
      g_assert_cmphex (get_mode (self->path) & 07777, ==, modes[i]);
    }
}

static void
test_follows_a_link (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  g_assert_cmpint (symlink ("target", self->link), ==, 0);
  g_assert_true (write_text (self->link, "new", &error));
  g_assert_true (S_ISLNK (get_mode (self->link)));
  assert_contents (self->path, "new");
}

static void
test_follows_a_link_to_a_file_to_be (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink (self->path, self->link), ==, 0);
  g_assert_true (write_text (self->link, "new", &error));
  g_assert_true (S_ISLNK (get_mode (self->link)));
  assert_contents (self->path, "new");
}

static void
test_refuses_a_loop_of_links (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink ("link", self->link), ==, 0);
  g_assert_false (write_text (self->link, "new", &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
}

static void
test_refuses_a_folder (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (write_text (self->folder, "new", &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "a folder, not a file"));
}

static void
test_refuses_a_folder_that_is_not_there (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "no", "target", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (write_text (path, "new", &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
}

static void
test_refuses_a_write_protected_file (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may write everywhere");
      return;
    }
  g_assert_true (g_file_set_contents (self->path, "old", -1, NULL));
  g_assert_cmpint (g_chmod (self->path, 0444), ==, 0);
  g_assert_false (write_text (self->path, "new", &error));
  g_assert_nonnull (strstr (error->message, "there is no permission"));
  assert_contents (self->path, "old");
}

static void
test_tells_that_a_disk_is_full (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (write_text ("/dev/full", "new", &error));
  g_assert_cmpstr (error->message, ==, "/dev/full: cannot be written: the disk is full");
}

/* A child process, since standard output is the test's own protocol. */
static void
test_writes_to_standard_output (Fixture *self, gconstpointer data)
{
  if (g_test_subprocess ())
    {
      g_autoptr (SymStoreWriter) abandoned = sym_store_writer_new ("-", NULL);

      g_assert_true (sym_store_writer_write (abandoned, "<half>", 6, NULL));
      g_assert_true (write_text ("-", "<whole>", NULL));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*<whole>*");
  g_test_trap_assert_stdout_unmatched ("*<half>*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/store/writer/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("makes-a-file", test_makes_a_file);
  ADD ("writes-more-than-its-buffer", test_writes_more_than_its_buffer);
  ADD ("keeps-the-old-file-until-the-end", test_keeps_the_old_file_until_the_end);
  ADD ("an-abandoned-file-leaves-nothing", test_an_abandoned_file_leaves_nothing);
  ADD ("a-killed-writer-leaves-nothing", test_a_killed_writer_leaves_nothing);
  ADD ("keeps-permissions", test_keeps_permissions);
  ADD ("follows-a-link", test_follows_a_link);
  ADD ("follows-a-link-to-a-file-to-be", test_follows_a_link_to_a_file_to_be);
  ADD ("refuses-a-loop-of-links", test_refuses_a_loop_of_links);
  ADD ("refuses-a-folder", test_refuses_a_folder);
  ADD ("refuses-a-folder-that-is-not-there", test_refuses_a_folder_that_is_not_there);
  ADD ("refuses-a-write-protected-file", test_refuses_a_write_protected_file);
  ADD ("tells-that-a-disk-is-full", test_tells_that_a_disk_is_full);
  ADD ("writes-to-standard-output", test_writes_to_standard_output);
#undef ADD
  return g_test_run ();
}
