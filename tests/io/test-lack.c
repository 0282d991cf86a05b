/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/sym-problem-lack.h"
#include "io/sym-io.h"

/* Files of weights that are missing, cut off or wrong: each weight tells why it has no numbers, and
 * what has some tells nothing. */

#define MAX_FILES 4
#define MAX_LACKS 4

typedef struct {
  const char *folder;           /* of tests/fixtures */
  const char *files[MAX_FILES]; /* copied from there: the graph, and what is beside it */
  gssize size;                  /* what is left of the second of them; -1 for all */
  struct {
    const char *value, *lack; /* how that begins; NULL for none */
  } lacks[MAX_LACKS];
} Case;

static void
copy (const char *from, const char *to, const char *name)
{
  g_autofree char *fixture = g_test_build_filename (G_TEST_DIST, "fixtures", from, name, NULL);
  g_autofree char *path = g_build_filename (to, name, NULL);
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (fixture, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        strcmp (sym_model_get_value_name (model, value), name) == 0)
      return value;
  g_error ("there is no value “%s”", name);
}

static void
assert_lack (const SymModel *model, const char *name, const char *expected)
{
  const char *lack = sym_model_get_lack (model, find (model, name));

  if (expected == NULL)
    g_assert_cmpstr (lack, ==, NULL);
  else if (lack == NULL || !g_str_has_prefix (lack, expected))
    g_error ("“%s” lacks numbers since “%s”, not “%s”", name, lack, expected);
}

static void
assert_case (const Case *one)
{
  g_autofree char *folder = g_dir_make_tmp ("lack-XXXXXX", NULL);
  g_autofree char *graph = g_build_filename (folder, one->files[0], NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < MAX_FILES && one->files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, one->files[i], NULL);

      copy (one->folder, folder, one->files[i]);
      if (i == 1 && one->size >= 0)
        g_assert_cmpint (truncate (path, one->size), ==, 0);
    }
  model = sym_io_read (graph, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < MAX_LACKS && one->lacks[i].value != NULL; i++)
    assert_lack (model, one->lacks[i].value, one->lacks[i].lack);
  for (guint i = 0; i < MAX_FILES && one->files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, one->files[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
each_weight_tells_its_own (void)
{
  static const Case cases[] = {
    { "openvino",
      { "net.xml", "net.bin" },
      220,
      { { "conv.weight", NULL },
        { "conv.bias", "the numbers of 'conv.bias' are not there: " },
        { "fc.weight", "the numbers of 'fc.weight' are not there: " } } },
    { "espresso",
      { "partly.espresso.net", "partly.espresso.weights" },
      -1,
      { { "conv.biases", NULL },
        { "conv.weights", "the numbers of 'conv.weights' are missing: blob 1 has 8 bytes" },
        { "norm.params", "the numbers of 'norm.params' are missing: there is no blob 5" },
        { "quantised.weights", NULL } } },
    { "keras-weights",
      { "wrong.json", "wrong.h5" },
      -1,
      { { "short/kernel", "“short” has 1 array of weights in 'wrong.h5', where it needs 2" },
        { "bare/kernel", "'wrong.h5' has no weights of the layer “bare”" },
        { "fits/kernel", NULL } } },
    { "onnx",
      { "external.onnx", "external.bin" },
      8,
      { { "first", NULL },
        { "second", "its external data “external.bin”: the tensor takes 8 bytes " },
        { "missing", "its external data: " },
        { "escaping", "its external data “../x.bin” lies outside " } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_case (&cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/lack/each-weight-tells-its-own", each_weight_tells_its_own);
  return g_test_run ();
}
