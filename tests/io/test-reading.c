/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

#include <glib/gstdio.h>

#include "../core/progress-watch.h"

#define N_NODES 20000

/* Activations one after the other, as MXNet saves them. */
static char *
format_chain (guint n)
{
  GString *text = g_string_new ("{\"nodes\":[{\"op\":\"null\",\"name\":\"data\",\"inputs\":[]}");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            ",\n{\"op\":\"Activation\",\"name\":\"relu%u\","
                            "\"attrs\":{\"act_type\":\"relu\"},\"inputs\":[[%u,0,0]]}",
                            i, i);
  g_string_append_printf (text, "],\"arg_nodes\":[0],\"heads\":[[%u,0,0]]}", n);
  return g_string_free (text, FALSE);
}

static char *
write_chain (void)
{
  g_autofree char *text = format_chain (N_NODES);
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (g_get_tmp_dir (), "symscope-reading-XXXXXX", NULL);
  int fd = g_mkstemp (path);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  g_assert_no_error (error);
  return path;
}

static void
test_tells_how_far_it_is (void)
{
  g_autofree char *path = write_chain ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  ProgressWatch watch;

  progress_watch_start (&watch, SYM_STAGE_NONE, 2);
  model = sym_io_read (path, watch.cancellable, &error);
  progress_watch_end (&watch);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_no_error (error);
  g_assert_nonnull (model);
  g_assert_cmpfloat (watch.last, ==, 1);
  g_assert_cmpuint (watch.n_backwards, ==, 0);
  g_assert_cmpuint (watch.n_steps, >=, 6);
  g_assert_true ((watch.stages & 1u << SYM_STAGE_READ) != 0);
}

static void
test_stops_wherever_it_is (void)
{
  static const double places[] = { 0, 0.06, 0.2, 0.3, 0.5, 0.7, 0.82, 0.93, 0.97 };
  g_autofree char *path = write_chain ();

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = NULL;
      ProgressWatch watch;

      progress_watch_start (&watch, SYM_STAGE_READ, places[i]);
      model = sym_io_read (path, watch.cancellable, &error);
      progress_watch_end (&watch);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_null (model);
      g_assert_cmpuint (watch.n_after, <=, 4);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/reading/tells-how-far-it-is", test_tells_how_far_it_is);
  g_test_add_func ("/io/reading/stops-wherever-it-is", test_stops_wherever_it_is);
  return g_test_run ();
}
