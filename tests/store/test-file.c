/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
set_up (Scratch *self, gconstpointer data)
{
  scratch_set_up (self, data);
  g_assert_true (g_file_set_contents (self->path, "0123456789", -1, NULL));
}

static void
test_reads_ranges (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, &error);
  char buffer[4] = "";

  g_assert_no_error (error);
  g_assert_cmpuint (blob->size, ==, 10);
  g_assert_true (sym_blob_read (blob, 7, 3, buffer, &error));
  g_assert_cmpstr (buffer, ==, "789");
  g_assert_true (sym_blob_read (blob, 10, 0, buffer, &error));
}

static void
test_refuses_a_range_beyond_the_end (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);
  static const struct {
    guint64 offset, size;
  } ranges[] = { { 8, 3 }, { 11, 0 }, { G_MAXUINT64, 2 }, { 1, G_MAXUINT64 } };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (GError) error = NULL;
      char buffer[4] = "abc";

      g_assert_false (sym_blob_read (blob, ranges[i].offset, ranges[i].size, buffer, &error));
      g_assert_nonnull (error);
      g_assert_cmpstr (buffer, ==, "abc");
    }
}

static void
assert_changed (SymBlob *blob, const char *message)
{
  g_autoptr (GError) error = NULL;
  char buffer[2];

  g_assert_false (sym_blob_read (blob, 8, 2, buffer, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_CHANGED);
  if (strstr (error->message, message) == NULL)
    g_error ("“%s” lacks “%s”", error->message, message);
}

static void
test_tells_that_the_file_shrank (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);

  g_assert_cmpint (truncate (self->path, 9), ==, 0);
  assert_changed (blob, "has shrunk while it was open: it ends at byte 9");
}

static void
test_tells_that_the_file_grew (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);

  g_assert_cmpint (truncate (self->path, 11), ==, 0);
  assert_changed (blob, "it had 10 bytes and now has 11");
}

static void
test_tells_that_the_file_was_written_to (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);
  const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

  g_assert_cmpint (utimensat (AT_FDCWD, self->path, times, 0), ==, 0);
  assert_changed (blob, "has been written to");
}

static void
test_tells_that_the_file_was_replaced (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);

  g_assert_true (g_file_set_contents (self->path, "9876543210", -1, NULL));
  assert_changed (blob, "has been replaced");
}

static void
test_tells_that_the_file_was_removed (Scratch *self, gconstpointer data)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (self->path, NULL);

  g_assert_cmpint (g_remove (self->path), ==, 0);
  assert_changed (blob, "has been replaced");
}

static void
test_a_relative_path_survives_a_change_of_folder (Scratch *self, gconstpointer data)
{
  g_autofree char *before = g_get_current_dir ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = NULL;
  char buffer[1];

  g_assert_cmpint (g_chdir (self->folder), ==, 0);
  blob = sym_store_open_file ("bytes", &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chdir ("/"), ==, 0);
  g_assert_true (sym_blob_read (blob, 0, 1, buffer, &error));
  g_assert_cmpint (g_chdir (before), ==, 0);
}

static void
test_refuses_what_is_no_file (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_store_open_file (self->folder, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  g_assert_true (g_str_has_suffix (error->message, "it is a folder, not a file"));
  g_clear_error (&error);
  g_assert_null (sym_store_open_file ("/nowhere/at all", &error));
  g_assert_cmpstr (error->message, ==,
                   "/nowhere/at all: cannot be opened: there is no such file or folder");
  g_clear_error (&error);
  g_assert_null (sym_store_open_file ("/dev/null", &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
}

/* What a checkout has in place of a file that was not fetched. */
static void
test_refuses_a_pointer_of_git_lfs (Scratch *self, gconstpointer data)
{
  static const char pointer[] =
      "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 482042786\n";
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (self->path, pointer, -1, NULL));
  g_assert_null (sym_store_open_file (self->path, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "is a pointer of Git LFS"));
}

/* Nothing ever writes to it. */
static void
test_does_not_wait_for_a_pipe (Scratch *self, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (self->folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (sym_store_open_file (pipe, &error));
  g_assert_cmpint (g_remove (pipe), ==, 0);
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "is not a regular file"));
}

static void
test_reads_a_whole_file (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = sym_store_read_all (self->path, 10, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "0123456789", 10);
}

static void
test_reads_an_empty_file (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = sym_store_read_all ("/dev/null", 10, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 0);
}

static void
test_refuses_more_than_the_limit (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_store_read_all (self->path, 9, NULL, NULL, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  g_clear_error (&error);
  g_assert_null (sym_store_read_all ("/dev/zero", 5000000, NULL, NULL, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "larger than 5000000 bytes"));
}

static gsize n_looked_at;

static gboolean
refuse_zeros (const guint8 *start, gsize size, GError **error)
{
  n_looked_at = size;
  if (size > 0 && start[0] != 0)
    return TRUE;
  g_set_error_literal (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT, "zeros");
  return FALSE;
}

static void
test_looks_at_the_start (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = sym_store_read_all (self->path, 10, refuse_zeros, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 10);
  g_assert_cmpuint (n_looked_at, ==, 10);
  g_assert_null (sym_store_read_all ("/dev/zero", G_MAXUINT64, refuse_zeros, NULL, &error));
  g_assert_cmpstr (error->message, ==, "zeros");
  g_assert_cmpuint (n_looked_at, <, 2 << 20);
  g_clear_error (&error);
  g_assert_null (sym_store_read_all ("/dev/null", 10, refuse_zeros, NULL, &error));
  g_assert_cmpstr (error->message, ==, "zeros");
}

static void
test_reading_can_be_cancelled (Scratch *self, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_store_read_all (self->path, 10, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gpointer
cancel_later (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_waiting_for_a_pipe_can_be_cancelled (Scratch *self, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (self->folder, "pipe", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  GThread *thread = g_thread_new ("cancel", cancel_later, cancellable);

  g_assert_null (sym_store_read_all (pipe, 10, NULL, cancellable, &error));
  g_thread_join (thread);
  g_assert_cmpint (g_remove (pipe), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gpointer
write_in_pieces (gpointer path)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (write (fd, "01234", 5), ==, 5);
  g_usleep (20000);
  g_assert_cmpint (write (fd, "56789", 5), ==, 5);
  close (fd);
  return NULL;
}

static void
test_reads_a_pipe_to_its_end (Scratch *self, gconstpointer data)
{
  g_autofree char *pipe = g_build_filename (self->folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  GThread *thread = g_thread_new ("write", write_in_pieces, pipe);
  g_autoptr (GBytes) bytes = sym_store_read_all (pipe, 10, NULL, NULL, &error);

  g_thread_join (thread);
  g_assert_cmpint (g_remove (pipe), ==, 0);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "0123456789", 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/store/file/" path, Scratch, "bytes", set_up, function, scratch_tear_down)
  ADD ("reads-ranges", test_reads_ranges);
  ADD ("refuses-a-range-beyond-the-end", test_refuses_a_range_beyond_the_end);
  ADD ("tells-that-the-file-shrank", test_tells_that_the_file_shrank);
  ADD ("tells-that-the-file-grew", test_tells_that_the_file_grew);
  ADD ("tells-that-the-file-was-written-to", test_tells_that_the_file_was_written_to);
  ADD ("tells-that-the-file-was-replaced", test_tells_that_the_file_was_replaced);
  ADD ("tells-that-the-file-was-removed", test_tells_that_the_file_was_removed);
  ADD ("a-relative-path-survives-a-change-of-folder",
       test_a_relative_path_survives_a_change_of_folder);
  ADD ("refuses-what-is-no-file", test_refuses_what_is_no_file);
  ADD ("refuses-a-pointer-of-git-lfs", test_refuses_a_pointer_of_git_lfs);
  ADD ("does-not-wait-for-a-pipe", test_does_not_wait_for_a_pipe);
  ADD ("reads-a-whole-file", test_reads_a_whole_file);
  ADD ("reads-an-empty-file", test_reads_an_empty_file);
  ADD ("refuses-more-than-the-limit", test_refuses_more_than_the_limit);
  ADD ("looks-at-the-start", test_looks_at_the_start);
  ADD ("reading-can-be-cancelled", test_reading_can_be_cancelled);
  ADD ("waiting-for-a-pipe-can-be-cancelled", test_waiting_for_a_pipe_can_be_cancelled);
  ADD ("reads-a-pipe-to-its-end", test_reads_a_pipe_to_its_end);
#undef ADD
  return g_test_run ();
}
