/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sym-error.h"
#include "picture-fixture.h"

#define ROUNDED 1.5 /* points that places on an overview are larger by, with their frames */

static GBytes *
write_pages (SymPicture *picture, const char *name, const SymPictureOutput *output)
{
  g_autofree char *path = fixture_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_picture_write_pdf (picture, path, output, &error));
  g_assert_no_error (error);
  return fixture_read (path);
}

static GBytes *
write_pdf (SymPicture *picture, const char *name)
{
  return write_pages (picture, name, NULL);
}

/* What a program of poppler's says about the file; NULL where it is not installed. */
static char *
ask (const char *program, const char *name, const char *last)
{
  g_autofree char *found = g_find_program_in_path (program);
  g_autofree char *path = fixture_path (name);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  if (found == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, found, path, last, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

/* What pdfinfo says after "@key:", as a number; -1 where it is not installed. */
static int
ask_pdfinfo (const char *name, const char *key)
{
  g_autofree char *output = ask ("pdfinfo", name, NULL);
  g_autofree char *pattern = g_strdup_printf ("\n%s:", key);
  const char *line;

  if (output == NULL)
    return -1;
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
  g_assert_cmpint (n_pages, >, 1 + (int) (extent.height / 2384));
  g_assert_cmpint (n_pages, <, (int) (extent.height / 2000) + 3);
  g_assert_cmpint (ask_pdfinfo ("pages.pdf", "Page size"), ==, 595); /* no narrower than A4 */
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
  SymPictureOutput output = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_picture_write_pdf (picture, path, &output, &error));
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

/* Every page says which it is, and every name is on one, as text. */
static void
test_text (void)
{
  SymPictureOutput output = { .paper = SYM_PAPER_A4 };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (40));
  g_autoptr (GBytes) pdf = write_pages (picture, "text.pdf", &output);
  g_autofree char *text = ask ("pdftotext", "text.pdf", "-");
  int n_pages = ask_pdfinfo ("text.pdf", "Pages");

  g_assert_cmpuint (g_bytes_get_size (pdf), >, 1000);
  if (text == NULL || n_pages < 0)
    {
      g_test_skip ("poppler's programs are not installed");
      return;
    }
  g_assert_cmpint (n_pages, >, 3);
  for (int i = 2; i <= n_pages; i++)
    {
      g_autofree char *label = g_strdup_printf ("%d/%d · row %d, column 1", i, n_pages, i - 1);

      g_assert_nonnull (strstr (text, label));
    }
  g_assert_nonnull (strstr (text, "· overview"));
  for (guint i = 0;
       i < sym_scene_get_n_items (sym_layout_get_scene (sym_picture_get_layout (picture))); i++)
    g_assert_nonnull (strstr (
        text,
        sym_scene_get_item (sym_layout_get_scene (sym_picture_get_layout (picture)), i)->name));
}

static void
test_paper (void)
{
  static const struct {
    SymPaper paper;
    double scale;
    gboolean sideways;
    int n_pages, width;
  } cases[] = {
    { SYM_PAPER_A4, 0.02, FALSE, 1, 595 },     { SYM_PAPER_A4, 0.02, TRUE, 1, 842 },
    { SYM_PAPER_LETTER, 0.02, FALSE, 1, 612 }, { SYM_PAPER_A0, 0.02, FALSE, 1, 2384 },
    { SYM_PAPER_A3, 1, FALSE, 0, 842 },        { SYM_PAPER_A3, 1, TRUE, 0, 1191 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymSceneOptions scene = { .sideways = cases[i].sideways };
      SymPictureOutput output = { .scale = cases[i].scale, .paper = cases[i].paper };
      g_autoptr (SymPicture) picture = fixture_picture (fixture_chain (100), &scene, NULL);
      g_autoptr (GBytes) pdf = write_pages (picture, "paper.pdf", &output);
      int n_pages = ask_pdfinfo ("paper.pdf", "Pages");

      g_assert_cmpuint (g_bytes_get_size (pdf), >, 100);
      if (n_pages < 0)
        {
          g_test_skip ("pdfinfo is not installed");
          return;
        }
      if (cases[i].n_pages > 0)
        g_assert_cmpint (n_pages, ==, cases[i].n_pages);
      else
        g_assert_cmpint (n_pages, >, 4);
      g_assert_cmpint (ask_pdfinfo ("paper.pdf", "Page size"), ==, cases[i].width);
    }
}

static void
test_too_many (void)
{
  SymPictureOutput output = { .scale = 900, .paper = SYM_PAPER_A4 };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (10));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = fixture_path ("many.pdf");
  g_autoptr (GError) error = NULL;
  const char *told;

  g_assert_false (sym_picture_write_pdf (picture, path, &output, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  told = strstr (error->message, "a scale of ");
  g_assert_nonnull (told);
  output.scale = g_ascii_strtod (told + strlen ("a scale of "), NULL);
  g_assert_cmpfloat (output.scale, >, 3);
  g_assert_cmpfloat (output.scale, <, 900);
  output.cancellable = cancellable; /* as it would take long: it is not refused */
  g_cancellable_cancel (cancellable);
  g_clear_error (&error);
  g_assert_false (sym_picture_write_pdf (picture, path, &output, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static guint
count (GBytes *bytes, const char *word)
{
  gsize size;
  const char *start = g_bytes_get_data (bytes, &size);
  guint n = 0;

  for (const char *p = start; (p = memmem (p, size - (gsize) (p - start), word, strlen (word)));
       p++)
    n++;
  return n;
}

/* Each place on the overview leads to its page. */
static void
test_links (void)
{
  SymPictureOutput output = { .paper = SYM_PAPER_A4 };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (40));
  g_autoptr (GBytes) pdf = write_pages (picture, "links.pdf", &output);
  guint n = count (pdf, "/Subtype /Link");

  g_assert_cmpuint (n, >, 3);
  for (guint i = 2; i <= n + 1; i++)
    {
      g_autofree char *link = g_strdup_printf ("/Dest (page%u)", i);
      g_autofree char *place = g_strdup_printf ("(page%u) [", i);

      g_assert_cmpuint (count (pdf, link), ==, 1);
      g_assert_cmpuint (count (pdf, place), ==, 1);
    }
}

/* Together they are as wide and as long as the picture; each is given in whole points. */
static void
test_places (void)
{
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_residual ());
  SymRect extent = sym_picture_get_extent (picture);
  SymPictureOutput output = { .scale = 14500 / extent.height };
  g_autoptr (GBytes) pdf = write_pages (picture, "places.pdf", &output);
  gsize size;
  const char *start = g_bytes_get_data (pdf, &size), *p = start;
  double left, bottom, right, top, end = 0, width = 0, area = 0, ratio;
  gboolean is_first_row = TRUE;

  while ((p = memmem (p, size - (gsize) (p - start), "/Rect [", strlen ("/Rect ["))) != NULL)
    {
      g_assert_cmpint (sscanf (p++, "/Rect [ %lf %lf %lf %lf", &left, &bottom, &right, &top), ==,
                       4);
      is_first_row &= right > end;
      end = right;
      width += is_first_row ? right - left - ROUNDED : 0;
      area += (right - left - ROUNDED) * (fabs (top - bottom) - ROUNDED);
    }
  ratio = extent.height / extent.width;
  g_assert_cmpfloat_with_epsilon (area / (width * width), ratio, 0.02 * ratio);
}

/* Groups are bookmarks, on one page as on many. */
static void
test_outline (void)
{
  static const SymPaper papers[] = { SYM_PAPER_FIT, SYM_PAPER_A4 };

  for (guint i = 0; i < G_N_ELEMENTS (papers); i++)
    {
      SymPictureOutput output = { .paper = papers[i] };
      g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
      g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
      g_autoptr (GBytes) with = write_pages (open, "open.pdf", &output);
      g_autoptr (GBytes) without = write_pages (closed, "closed.pdf", &output);

      /* That of the document, and one each. */
      g_assert_cmpuint (count (with, "/Title"), ==, 1 + 3);
      g_assert_cmpuint (count (with, "/Outlines"), >, 0);
      g_assert_cmpuint (count (without, "/Title"), ==, 1);
      g_assert_cmpuint (count (without, "/Outlines"), ==, 0);
    }
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
  g_test_add_func ("/draw/pdf/labels-pages-and-has-real-text", test_text);
  g_test_add_func ("/draw/pdf/minds-the-paper", test_paper);
  g_test_add_func ("/draw/pdf/refuses-more-than-anybody-turns", test_too_many);
  g_test_add_func ("/draw/pdf/leads-from-the-overview-to-each-page", test_links);
  g_test_add_func ("/draw/pdf/places", test_places);
  g_test_add_func ("/draw/pdf/has-groups-as-bookmarks", test_outline);
  status = g_test_run ();
  fixture_remove ();
  return status;
}
