/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-error.h"
#include "picture-fixture.h"

static GBytes *
write_pdf (SymPicture *picture, const char *name)
{
  g_autofree char *path = fixture_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_picture_write_pdf (picture, path, NULL, &error));
  g_assert_no_error (error);
  return fixture_read (path);
}

/* What pdfinfo says after "@key:", as a number; -1 where it is not installed. */
static int
ask_pdfinfo (const char *name, const char *key)
{
  g_autofree char *program = g_find_program_in_path ("pdfinfo");
  g_autofree char *path = fixture_path (name);
  g_autofree char *pattern = g_strdup_printf ("\n%s:", key);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  const char *line;

  if (program == NULL)
    return -1;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, path, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_true (g_subprocess_get_successful (process));
  line = strstr (output, pattern);
  g_assert_nonnull (line);
  return (int) g_ascii_strtoll (line + strlen (pattern), NULL, 10);
}

static void
test_single (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  SymRect extent = sym_picture_get_extent (picture);
  g_autoptr (GBytes) pdf = write_pdf (picture, "single.pdf");
  int n_pages = ask_pdfinfo ("single.pdf", "Pages");

  g_assert_cmpint (memcmp (g_bytes_get_data (pdf, NULL), "%PDF-", 5), ==, 0);
  if (n_pages < 0)
    {
      g_test_skip ("pdfinfo is not installed");
      return;
    }
  g_assert_cmpint (n_pages, ==, 1);
  g_assert_cmpint (ask_pdfinfo ("single.pdf", "Page size"), ==, (int) extent.width);
}

static void
test_same_bytes (void)
{
  g_autoptr (SymPicture) first = fixture_plain_picture (fixture_residual ());
  g_autoptr (SymPicture) second = fixture_plain_picture (fixture_residual ());
  g_autoptr (GBytes) a = write_pdf (first, "first.pdf");
  g_autoptr (GBytes) b = NULL;

  g_usleep (1100 * 1000); /* a date would differ */
  b = write_pdf (second, "second.pdf");
  g_assert_true (g_bytes_equal (a, b));
}

static void
test_pages (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (400));
  SymRect extent = sym_picture_get_extent (picture);
  g_autoptr (GBytes) pdf = write_pdf (picture, "pages.pdf");
  int n_pages = ask_pdfinfo ("pages.pdf", "Pages");

  g_assert_cmpfloat (extent.height, >, 14400);
  g_assert_cmpuint (g_bytes_get_size (pdf), >, 1000);
  if (n_pages < 0)
    {
      g_test_skip ("pdfinfo is not installed");
      return;
    }
  g_assert_cmpint (n_pages, >, (int) (extent.height / 2384));
  g_assert_cmpint (n_pages, <, (int) (extent.height / 2000) + 2);
}

static void
test_empty (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_empty ());
  g_autoptr (GBytes) pdf = write_pdf (picture, "empty.pdf");

  g_assert_cmpuint (g_bytes_get_size (pdf), >, 100);
}

static void
test_cancelled (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (400));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = fixture_path ("cancelled.pdf");
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_picture_write_pdf (picture, path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_full_device (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (400));
  g_autoptr (GError) error = NULL;

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  g_assert_false (sym_picture_write_pdf (picture, "/dev/full", NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/dev/full"));
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/pdf/is-one-page-when-that-is-enough", test_single);
  g_test_add_func ("/draw/pdf/is-the-same-bytes-twice", test_same_bytes);
  g_test_add_func ("/draw/pdf/is-cut-into-pages-when-tall", test_pages);
  g_test_add_func ("/draw/pdf/of-nothing-is-a-page", test_empty);
  g_test_add_func ("/draw/pdf/leaves-nothing-when-cancelled", test_cancelled);
  g_test_add_func ("/draw/pdf/tells-a-full-disk", test_full_device);
  status = g_test_run ();
  fixture_remove ();
  return status;
}
