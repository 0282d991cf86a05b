/* SPDX-License-Identifier: MIT */
#include <glib.h>

/* Runs the examples and compares what they print, line by line, with tests/fixtures/examples. */

typedef struct {
  const char *path;
  const char *program;
  const char *argument;
  const char *fixture;
} Case;

static const Case cases[] = {
  { "/examples/addn/prints-five-inputs-and-four-outputs", "addn", NULL, "addn" },
  { "/examples/noisy-dict/prints-the-function-and-its-unpacked-result", "noisy-dict", NULL,
    "noisy-dict" },
  { "/examples/numpy-like/prints-in-order-of-creation", "numpy-like", NULL, "numpy-like" },
  { "/examples/rgb-classifier/prints-it-its-features-and-both", "rgb-classifier", NULL,
    "rgb-classifier" },
  { "/examples/run-resnet/runs-what-was-built", "run-resnet", NULL, "run-resnet" },
  { "/examples/strange-model/counts-shared-weights-once", "strange-model", NULL, "strange-model" },
  { "/examples/toy-resnet/prints-24-rows", "toy-resnet", NULL, "toy-resnet" },
  { "/examples/toy-resnet/is-the-same-in-the-other-notation", "toy-resnet", "--by-layers",
    "toy-resnet" },
};

static char *
run (const Case *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strconcat ("example-", self->program, NULL);
  g_autofree char *program = g_build_filename (g_getenv ("SYMSCOPE_EXAMPLES"), name, NULL);
  char *arguments[] = { program, (char *) self->argument, NULL };
  char *output = NULL;
  int status;

  g_spawn_sync (NULL, arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  return output;
}

static void
test_output (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_strconcat (self->fixture, ".txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "examples", file, NULL);
  g_autofree char *expected = NULL;
  g_autofree char *output = run (self);
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) expected_lines = NULL;

  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (output, "\n", -1);
  expected_lines = g_strsplit (expected, "\n", -1);
  for (guint i = 0; lines[i] != NULL && expected_lines[i] != NULL; i++)
    g_assert_cmpstr (lines[i], ==, expected_lines[i]);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (expected_lines));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_output);
  return g_test_run ();
}
