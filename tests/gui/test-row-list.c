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

  scope_row_list_set_values (list, (SymIds){ &(SymId){ 7 }, 1 });
  g_assert_cmpuint (count_rows (list), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 0));
  g_assert_cmpuint (scope_row_list_get_value (list, 0), ==, SYM_NO_ID);
  g_assert_cmpuint (scope_row_list_find (list, 0), ==, G_MAXUINT);
  g_assert_finalize_object (list);
}

static void
test_only_some_rows (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  SymId some[] = { toy_find (document, "fc1_output"), toy_find (document, "fc2_output"),
                   toy_find (document, "fc2_weight") };

  scope_row_list_set_values (list, (SymIds){ some, G_N_ELEMENTS (some) });
  g_assert_cmpuint (count_rows (list), ==, 2); /* a weight has no row */
  scope_row_list_set_values (list, (SymIds){ NULL, 0 });
  g_assert_cmpuint (count_rows (list), ==, 0);
  scope_row_list_set_all (list);
  g_assert_cmpuint (count_rows (list), ==, 6);
}

static void
test_some_rows_are_found (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  SymId fc2 = toy_find (document, "fc2_output");
  SymId some[] = { toy_find (document, "fc1_output"), fc2 };

  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 3);
  scope_row_list_set_values (list, (SymIds){ some, 2 });
  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 1);
  g_assert_cmpuint (scope_row_list_get_value (list, 1), ==, fc2);
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
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/row-list/empty-list-has-nothing", test_empty_list_has_nothing);
  g_test_add_func ("/app/row-list/has-only-some-rows", test_only_some_rows);
  g_test_add_func ("/app/row-list/some-rows-are-found", test_some_rows_are_found);
  g_test_add_func ("/app/row-list/same-model-keeps-its-rows", test_same_model_keeps_its_rows);
  return g_test_run ();
}
