/* SPDX-License-Identifier: MIT */
#include "app/scope-row-list.h"
#include "app/scope-row.h"
#include "toy.h"

static void
count_cb (guint *n)
{
  (*n)++;
}

static ScopeRowList *
create (ScopeDocument *document)
{
  ScopeRowList *list = scope_row_list_new ();

  scope_row_list_set_summary (list, scope_document_get_summary (document));
  return list;
}

static guint
count_rows (ScopeRowList *list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list));
}

static void
test_empty_list_has_nothing (void)
{
  ScopeRowList *list = scope_row_list_new ();

  scope_row_list_set_filter (list, "conv");
  g_assert_cmpuint (count_rows (list), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 0));
  g_assert_null (scope_row_list_get_row (list, 0));
  g_assert_cmpuint (scope_row_list_find (list, 0), ==, G_MAXUINT);
  g_assert_finalize_object (list);
}

static void
test_filter_matches_every_word (void)
{
  static const struct { const char *filter; guint n; } cases[] = {
    { "", 6 }, { "  ", 6 }, { "fully", 2 }, { "FULLY", 2 }, { "fully fc2", 1 },
    { "fc2 relu", 0 }, { "activation", 2 }, { "nothing at all", 0 },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("“%s”", cases[i].filter);
    scope_row_list_set_filter (list, cases[i].filter);
    g_assert_cmpuint (count_rows (list), ==, cases[i].n);
  }
}

static void
test_filtered_rows_are_found (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  SymId fc2 = toy_find (document, "fc2_output");

  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 3);
  scope_row_list_set_filter (list, "fully");
  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 1);
  g_assert_cmpuint (scope_row_list_get_row (list, 1)->value, ==, fc2);
  g_assert_cmpuint (scope_row_list_find (list, toy_find (document, "data")), ==, G_MAXUINT);
  g_autoptr (ScopeRow) row = g_list_model_get_item (G_LIST_MODEL (list), 1);

  g_assert_cmpuint (scope_row_get_index (row), ==, 3);
}

static void
test_same_model_keeps_its_rows (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  guint n = 0;

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (count_cb), &n);
  scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL);
  toy_wait (document);
  g_assert_false (scope_row_list_set_summary (list, scope_document_get_summary (document)));
  g_assert_cmpuint (n, ==, 0);
  scope_row_list_set_filter (list, "4×8");
  g_assert_cmpuint (count_rows (list), ==, 5);
  scope_row_list_set_filter (list, "4x8 relu");
  g_assert_cmpuint (count_rows (list), ==, 1);
  g_assert_cmpuint (n, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/row-list/empty-list-has-nothing", test_empty_list_has_nothing);
  g_test_add_func ("/app/row-list/filter-matches-every-word", test_filter_matches_every_word);
  g_test_add_func ("/app/row-list/filtered-rows-are-found", test_filtered_rows_are_found);
  g_test_add_func ("/app/row-list/same-model-keeps-its-rows", test_same_model_keeps_its_rows);
  return g_test_run ();
}
