/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include <string.h>

#include "io/sym-mxnet-write-private.h"

/* Each tests/fixtures/mxnet/x.json is either refused with the message of x.error, or opens with the
 * problems of x.problems (none without it) and is written back as x.expected (as it was without
 * it). */

static char *
load (const char *stem, const char *suffix)
{
  g_autofree char *path = g_strconcat (stem, suffix, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static GBytes *
load_bytes (const char *stem)
{
  g_autofree char *path = g_strconcat (stem, ".json", NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, length);
}

static void
assert_problems (const SymModel *model, const char *expected)
{
  const SymProblems *problems = sym_model_get_problems (model);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const SymProblem *problem = sym_problems_get (problems, i);

      g_string_append_printf (text, "%u: %s: %s\n", problem->line,
                              sym_severity_to_string (problem->severity), problem->message);
    }
  g_assert_cmpstr (text->str, ==, expected == NULL ? "" : expected);
}

static void
assert_written (const SymModel *model, GBytes *bytes, const char *expected)
{
  g_autoptr (SymMxnetLayout) layout = sym_mxnet_layout_new ();
  g_autoptr (GError) error = NULL;
  const GString *text;

  sym_mxnet_write_graph (model, NULL, layout, NULL, 0, &error);
  g_assert_no_error (error);
  text = sym_mxnet_layout_get_text (layout);
  if (expected != NULL)
    g_assert_cmpstr (text->str, ==, expected);
  else
    g_assert_cmpmem (text->str, text->len, g_bytes_get_data (bytes, NULL),
                     g_bytes_get_size (bytes));
}

static void
test_fixture (gconstpointer data)
{
  const char *stem = data;
  g_autofree char *refusal = load (stem, ".error");
  g_autofree char *problems = load (stem, ".problems");
  g_autofree char *expected = load (stem, ".expected");
  g_autoptr (GBytes) bytes = load_bytes (stem);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "fixture", &error);

  if (refusal != NULL)
    {
      g_assert_null (model);
      g_assert_cmpint (error->domain, ==, SYM_IO_ERROR);
      g_assert_cmpstr (error->message, ==, g_strchomp (refusal));
      return;
    }
  g_assert_no_error (error);
  assert_problems (model, problems);
  assert_written (model, bytes, expected);
}

/* Cut anywhere, a file is refused with a message that names a line. */
static void
test_cut_anywhere_is_refused (void)
{
  g_autofree char *stem =
      g_test_build_filename (G_TEST_DIST, "fixtures", "mxnet", "small-net", NULL);
  g_autoptr (GBytes) bytes = load_bytes (stem);

  for (gsize size = 1; size < g_bytes_get_size (bytes); size++)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, size);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_io_read_bytes (part, "part", &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_true (g_str_has_prefix (error->message, "line "));
    }
}

/* One byte changed, a file opens or is refused; nothing else. */
static void
test_any_byte_may_be_wrong (void)
{
  static const char wrong[] = "\"{}[],:0-9a\\ \n\xff";
  g_autofree char *stem =
      g_test_build_filename (G_TEST_DIST, "fixtures", "mxnet", "subgraph", NULL);
  g_autoptr (GBytes) bytes = load_bytes (stem);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  for (gsize at = 0; at < size; at++)
    {
      g_autofree char *copy = g_memdup2 (text, size);
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = NULL;

      copy[at] = wrong[at % (sizeof wrong - 1)];
      damaged = g_bytes_new (copy, size);
      model = sym_io_read_bytes (damaged, "damaged", &error);
      g_assert_true ((model == NULL) == (error != NULL));
    }
}

static void
add_fixtures (GPtrArray *stems)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "mxnet", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stem = g_strndup (name, strlen (name) - MIN (strlen (name), 5));
      g_autofree char *path = g_strconcat ("/io/mxnet-fixtures/", stem, NULL);

      if (!g_str_has_suffix (name, ".json"))
        continue;
      g_ptr_array_add (stems, g_build_filename (folder, stem, NULL));
      g_test_add_data_func (path, g_ptr_array_index (stems, stems->len - 1), test_fixture);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free);

  g_test_init (&argc, &argv, NULL);

  add_fixtures (stems);
  g_test_add_func ("/io/mxnet-fixtures/cut-anywhere-is-refused", test_cut_anywhere_is_refused);
  g_test_add_func ("/io/mxnet-fixtures/any-byte-may-be-wrong", test_any_byte_may_be_wrong);

  return g_test_run ();
}
