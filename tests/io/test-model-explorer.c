/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "io/sym-io.h"
#include "ops/sym-layers.h"

/* Model Explorer's files written again: what the model has no place for stays, and nodes and graphs
 * keep their ids, which other files name. */

static SymModel *
read_fixture (const char *name)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "model-explorer", name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "x.json", &error);

  g_assert_no_error (error);
  return model;
}

static char *
write_model (SymModel *model, SymProblems *notes)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format ("model-explorer"), model, inference, path, notes, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return text;
}

static const char *const kept[] = {
  "{\"label\": \"coll\", \"producer\": \"made by hand\",",
  "{\"id\": \"main\", \"collectionLabel\": \"cl\", ",
  "\"groupNodeAttributes\": {\"\": {\"root\": \"R\"}",
  "\"groupNodeConfigs\": [{\"namespaceRegex\": \"a.*\"",
  "\"layoutConfigs\": {\"nodeSep\": 12}",
  "\"edges\": [{\"sourceNodeId\": \"n1\", \"targetNodeId\": \"2\", \"label\": \"lbl\"}]",
  "{\"id\": \"n1\", \"label\": \"conv\", \"namespace\": \"a/b\",",
  "{\"id\": \"2\", \"label\": \"relu\", \"namespace\": \"a/b;c\",",
  "{\"key\": \"ids\", \"value\": {\"type\": \"node_ids\", \"nodeIds\": [\"2\"]}}",
  "\"float32[1, 2]\"}, {\"key\": \"quantization\", \"value\": \"0.5*q\"}",
  "\"tensor<2x3xi32>\"",
  "\"style\": {\"backgroundColor\": \"#f00\"}, \"config\": {\"pinToGroupTop\": true}",
  "\"metadata\": [{\"key\": \"em\", \"value\": \"edge meta\"}]",
  "{\"sourceNodeId\": \"gone\", \"sourceNodeOutputId\": \"0\", \"targetNodeInputId\": \"1\"}",
  "{\"id\": \"0\", \"attrs\": [{\"key\": \"__tensor_tag\", \"value\": \"lhs\"}]}",
  "{\"id\": \"alone\", \"nodes\": [{\"id\": \"z\", \"label\": \"nobody holds this\"",
};

static void
test_keeps (void)
{
  g_autoptr (SymModel) model = read_fixture ("kept.json");
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autofree char *text = write_model (model, notes);
  g_autoptr (SymModel) again = read_text (text);
  g_autofree char *second = write_model (again, NULL);
  const char *body = strstr (text, "{\"id\": \"body\",");

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    if (strstr (text, kept[i]) == NULL)
      g_error ("%s is not in %s", kept[i], text);
  g_assert_nonnull (body); /* once, though two nodes hold it */
  g_assert_null (strstr (text, "body_2"));
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 0);
  g_assert_cmpstr (text, ==, second);
}

/* Two nodes with one id cannot both keep it. */
static void
test_same_ids (void)
{
  g_autoptr (SymModel) model = read_text (
      "{\"id\": \"g\", \"nodes\": [{\"id\": \"a\", \"label\": \"x\", \"namespace\": \"n\", "
      "\"style\": 1}, {\"id\": \"a\", \"label\": \"y\", \"namespace\": \"m\"}]}");
  g_autofree char *text = write_model (model, NULL);

  g_assert_nonnull (strstr (text, "{\"id\": \"a\", \"label\": \"x\""));
  g_assert_nonnull (strstr (text, "{\"id\": \"m/a\", \"label\": \"y\""));
}

/* Collections become one: what they are called is told. */
static void
test_collections (void)
{
  g_autoptr (SymModel) model = read_text (
      "[{\"label\": \"first\", \"graphs\": [{\"id\": \"g\", \"nodes\": [{\"id\": \"a\", \"label\": "
      "\"x\", \"namespace\": \"\"}]}]}, {\"label\": \"second\", \"graphs\": [{\"id\": \"h\", "
      "\"nodes\": [{\"id\": \"b\", \"label\": \"y\", \"namespace\": \"\"}]}]}]");
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autofree char *text = write_model (model, notes);

  g_assert_nonnull (strstr (text, "{\"id\": \"h\", \"nodes\": [{\"id\": \"b\""));
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 2);
  g_assert_cmpstr (sym_problems_get (notes, 1)->message, ==,
                   "that a collection of graphs is called \"second\" is not written");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/model-explorer/keeps-what-it-does-not-know", test_keeps);
  g_test_add_func ("/io/model-explorer/ids-are-given-once", test_same_ids);
  g_test_add_func ("/io/model-explorer/tells-what-collections-were-called", test_collections);
  return g_test_run ();
}
