/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "draw/sym-picture-private.h"
#include "picture-fixture.h"

/* How writers of every kind tell how far they are. */

typedef struct {
  GCancellable *cancellable;
  double last;
  guint n;
} Watch;

/* Cancels on the way, if it can. */
static void
progress_cb (double done, gpointer user_data)
{
  Watch *watch = user_data;

  g_assert_cmpfloat (done, >=, watch->last);
  g_assert_cmpfloat (done, <=, 1);
  watch->last = done;
  if (++watch->n == 2 && watch->cancellable != NULL)
    g_cancellable_cancel (watch->cancellable);
}

static void
test_progress (gconstpointer data)
{
  SymPictureWriteFunc const *write = data;
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_chain (1200));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = fixture_path ("progress");
  g_autoptr (GError) error = NULL;
  Watch watch = { cancellable };
  SymPictureOutput output = { .scale = 0.2,
                              .cancellable = cancellable,
                              .progress = progress_cb,
                              .user_data = &watch,
                              .paper = SYM_PAPER_A4 };

  g_assert_false ((*write) (picture, path, &output, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (watch.n, ==, 2);
  g_assert_cmpfloat (watch.last, <, 1);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  g_clear_error (&error);
  watch = (Watch){ NULL };
  output.cancellable = NULL;
  g_assert_true ((*write) (picture, path, &output, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (watch.n, >, 2);
  g_assert_cmpfloat (watch.last, >=, 1);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_remove (path), ==, 0);
}

int
main (int argc, char *argv[])
{
  static const SymPictureWriteFunc writers[] = { sym_picture_write_svg, sym_picture_write_png,
                                                 sym_picture_write_pdf, sym_picture_write_dot };
  static const char *const kinds[] = { "svg", "png", "pdf", "dot" };
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/draw/%s/tells-how-far-it-is-and-stops", kinds[i]);

      g_test_add_data_func (path, &writers[i], test_progress);
    }
  status = g_test_run ();
  fixture_remove ();
  return status;
}
