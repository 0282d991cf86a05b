/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "app/scope-sheet.h"
#include "toy.h"

/* ---- Columns ---- */

static char *
join (const GArray *places)
{
  g_auto (GStrv) words = scope_columns_format (places);

  return g_strjoinv (" ", words);
}

static char *
parse (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GArray) places = scope_columns_parse ((const char *const *) words);

  return join (places);
}

static void
test_columns_keep_place_and_width (void)
{
  g_autofree char *text = parse ("params:120 -type layer");

  g_assert_true (g_str_has_prefix (text, "params:120 -type layer number "));
}

static void
test_words_that_are_no_columns_are_passed_over (void)
{
  static const char *const cases[] = {
    "nonsense", "", "-", ":", "-nonsense:12", "layer:x", "layer:-7", "layer:99999999999999999999",
    "layer:0"
  };
  g_autoptr (GArray) usual = scope_columns_parse (NULL);
  guint n;

  scope_summary_get_columns (&n);
  g_assert_cmpuint (usual->len, ==, n);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *twice = g_strdup_printf ("%s layer layer", cases[i]);
      g_auto (GStrv) words = g_strsplit (twice, " ", -1);
      g_autoptr (GArray) places = scope_columns_parse ((const char *const *) words);
      g_autofree char *text = join (places);

      g_assert_cmpuint (places->len, ==, n);
      g_assert_true (g_str_has_prefix (text, "layer "));
    }
}

static void
test_preset_has_its_columns_first (void)
{
  g_autoptr (GArray) places = scope_columns_parse_preset ("torchinfo");
  g_autofree char *text = join (places);

  g_assert_true (g_str_has_prefix (text, "type in shape params percent kernel macs trainable "));
  g_assert_nonnull (strstr (text, "-layer"));
}

/* ---- Sheets ---- */

static ScopeDocument *
open_toy (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY ("\"__shape__\":\"(8, 3)\""));

  return toy_open (path);
}

static void
set_rows (ScopeDocument *document, ScopeRowsView rows)
{
  ScopeView view = *scope_document_get_view (document);

  view.rows = rows;
  scope_document_set_view (document, &view);
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static SymSummaryView *
create_view (ScopeDocument *document)
{
  g_autoptr (ScopeSheet) sheet = scope_sheet_new (document);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  scope_sheet_create_async (sheet, NULL, result_cb, &result);
  SymSummaryView *view = scope_sheet_create_finish (wait_for (&result), &error);

  g_assert_no_error (error);
  return view;
}

static char *
list_layers (SymSummaryView *view)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < sym_summary_view_get_n_rows (view); i++)
    {
      g_autofree char *layer =
          scope_summary_format_cell (view, i, &columns[scope_summary_find_column ("layer")]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", layer);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_rows_are_sorted (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  set_rows (document,
            (ScopeRowsView){ .sort = scope_summary_find_column ("layer") + 1, .descends = TRUE });
  g_autoptr (SymSummaryView) view = create_view (document);
  g_autofree char *layers = list_layers (view);

  g_assert_cmpstr (layers, ==, "sum relu1 out fc2 fc1 data");
}

static void
test_search_is_a_filter (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();
  SymId found[] = { toy_find (document, "fc1_output"), toy_find (document, "fc2_output") };
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  g_array_append_vals (values, found, 2);
  scope_document_take_found (document, values, NULL);
  g_autoptr (SymSummaryView) some = create_view (document);
  g_autofree char *few = list_layers (some);

  set_rows (document, (ScopeRowsView){ .has_all = TRUE });
  g_autoptr (SymSummaryView) all = create_view (document);

  g_assert_cmpstr (few, ==, "fc1 fc2");
  g_assert_cmpuint (sym_summary_view_get_n_rows (all), ==, 6);
}

static void
test_cells_are_as_people_read_them (void)
{
  static const struct {
    guint row;
    const char *column, *text;
  } cases[] = {
    { 5, "number", "6★" },
    { 1, "number", "2" },
    { 1, "shape", "4×8" },
    { 1, "params", "32" },
    { 2, "params", "" },
    { 4, "parents", "4, 3" },
    { 4, "connected", "fc2, relu1" },
    { 4, "in", "4×8, 4×8" },
    { 1, "trainable", "yes" },
    { 1, "percent", "30.8 %" },
    { 1, "macs", "96" },
    { 1, "bytes", "128 B" },
    { 1, "uses", "1" },
    { 1, "time", "" },
    { 1, "depth", "1" },
  };
  g_autoptr (ScopeDocument) document = open_toy ();
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL);
  toy_wait (document);
  g_autoptr (SymSummaryView) view = create_view (document);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = scope_summary_format_cell (
          view, cases[i].row, &columns[scope_summary_find_column (cases[i].column)]);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* ---- Files ---- */

static gboolean
save (ScopeDocument *document, const char *path, GError **error)
{
  g_auto (GStrv) words = g_strsplit ("layer params -type", " ", -1);
  g_autoptr (GArray) places = scope_columns_parse ((const char *const *) words);
  g_autoptr (ScopeSheet) sheet = scope_sheet_new_shown (document, places);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  scope_sheet_save_async (sheet, scope_sheet_find_format (path), file, NULL, result_cb, &result);
  return scope_sheet_save_finish (wait_for (&result), error);
}

static void
test_file_has_the_format_of_its_name (void)
{
  static const struct {
    const char *name, *start;
  } cases[] = {
    { "table.txt", "Layer" },   { "table.CSV", "Layer,Params" }, { "table.md", "| Layer" },
    { "table.tex", "\\begin" }, { "table.json", "{" },
  };
  g_autoptr (ScopeDocument) document = open_toy ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = toy_write (cases[i].name, "what was there");
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (save (document, path, &error));
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (!g_str_has_prefix (text, cases[i].start))
        g_error ("“%s” begins with “%s”", cases[i].name, text);
    }
  g_assert_null (scope_sheet_find_format ("table.xls"));
}

static void
test_what_cannot_be_written_is_told (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();
  g_autofree char *path = toy_write ("toy.txt", "");
  g_autofree char *inside = g_build_filename (path, "table.csv", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (save (document, inside, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "table.csv"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/columns/keep-place-and-width", test_columns_keep_place_and_width);
  g_test_add_func ("/app/columns/words-that-are-none-are-passed-over",
                   test_words_that_are_no_columns_are_passed_over);
  g_test_add_func ("/app/columns/preset-has-its-own-first", test_preset_has_its_columns_first);
  g_test_add_func ("/app/sheet/rows-are-sorted", test_rows_are_sorted);
  g_test_add_func ("/app/sheet/search-is-a-filter", test_search_is_a_filter);
  g_test_add_func ("/app/sheet/cells-are-as-people-read-them", test_cells_are_as_people_read_them);
  g_test_add_func ("/app/sheet/file-has-the-format-of-its-name",
                   test_file_has_the_format_of_its_name);
  g_test_add_func ("/app/sheet/what-cannot-be-written-is-told",
                   test_what_cannot_be_written_is_told);
  return g_test_run ();
}
