/* SPDX-License-Identifier: MIT */
#include <graphviz/cgraph.h>
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"

/* Names in Graphviz' language, where a quoted text escapes nothing but its quote: what is written
 * and what is read are judged by Graphviz itself. */

/* Both nodes, the first one giving to the other. */
static SymModel *
make_model (const char *first, const char *second)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId value = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  const char *const names[] = { first, second };

  sym_model_builder_add_input (builder, value);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymLayer) layer = sym_layer_new ("Relu", NULL, NULL);
      SymId call = sym_model_builder_add_call (builder, names[i], layer, &value, 1, 1);

      value = sym_model_builder_get_result (builder, call, 0);
    }
  sym_model_builder_set_name (builder, first);
  return sym_model_builder_end (builder);
}

static char *
write_model (SymModel *model)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format ("dot"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return text;
}

static SymModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "x.dot", &error);

  g_assert_no_error (error);
  return model;
}

/* That Graphviz and we read the same graph of that many nodes, with nodes of these names. */
static void
assert_agreement (const char *text, int n_nodes, const char *const *names, guint n_names)
{
  Agraph_t *graph = agmemread (text);
  g_autoptr (SymModel) model = read_text (text);

  g_assert_nonnull (graph);
  g_assert_cmpint (agnnodes (graph), ==, n_nodes);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, (guint) n_nodes);
  for (guint i = 0; i < n_names; i++)
    g_assert_nonnull (agnode (graph, (char *) names[i], FALSE));
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    g_assert_nonnull (agnode (graph, (char *) sym_model_get_call_name (model, call), FALSE));
  g_assert_cmpint (agclose (graph), ==, 0);
}

static void
test_names_written (void)
{
  static const struct {
    const char *name, *written; /* NULL for the same */
  } rows[] = {
    { "plain", NULL },        { "a\\b", NULL },
    { "a\\\\b", NULL },       { "a\"b", NULL },
    { "\"", NULL },           { "a\nb", NULL },
    { "a\n", NULL },          { "a\\\\\"b", NULL },
    { "a\\\\", NULL },        { "<b>", NULL },
    { "node", NULL },         { "a\\\"b", "a\\\\\"b" },
    { "a\\", "a\\\\" },       { "a\\\\\\", "a\\\\\\\\" },
    { "a\\\nb", "a\\\\\nb" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *written = rows[i].written == NULL ? rows[i].name : rows[i].written;
      const char *const names[] = { "x", "other", written };
      g_autoptr (SymModel) model = make_model (rows[i].name, "other");
      g_autofree char *text = write_model (model);
      g_autoptr (SymModel) again = read_text (text);
      g_autofree char *second = write_model (again);

      g_test_message ("%s", rows[i].name);
      assert_agreement (text, 3, names, G_N_ELEMENTS (names));
      assert_agreement (second, 3, names, G_N_ELEMENTS (names));
      g_assert_cmpstr (sym_model_get_name (again), ==, written);
    }
}

/* Names that would become one stay two. */
static void
test_names_kept_apart (void)
{
  static const char *const names[] = { "a\\\\", "a\\\\_2", "x" };
  g_autoptr (SymModel) model = make_model ("a\\", "a\\\\");
  g_autofree char *text = write_model (model);

  assert_agreement (text, 3, names, G_N_ELEMENTS (names));
}

static void
test_names_read (void)
{
  static const struct {
    const char *text, *name;
  } rows[] = {
    { "digraph{\"a\\\\\"->b}", "a\\\\" },         { "digraph{\"a\\b\"->b}", "a\\b" },
    { "digraph{\"a\\\\\\\"c\"->b}", "a\\\\\"c" }, { "digraph{\"a\\\nc\"->b}", "ac" },
    { "digraph{\"a\\\\\nc\"->b}", "a\\\\\nc" },   { "digraph{\"a\\\\\" + \"c\"->b}", "a\\\\c" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *const names[] = { rows[i].name, "b" };

      g_test_message ("%s", rows[i].text);
      assert_agreement (rows[i].text, 2, names, G_N_ELEMENTS (names));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/dot/names-are-written-as-graphviz-reads-them", test_names_written);
  g_test_add_func ("/io/dot/mended-names-stay-apart", test_names_kept_apart);
  g_test_add_func ("/io/dot/names-are-read-as-graphviz-reads-them", test_names_read);
  return g_test_run ();
}
