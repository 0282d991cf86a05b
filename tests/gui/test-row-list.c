/* SPDX-License-Identifier: MIT */
#include "app/scope-row-list.h"
#include "app/scope-sheet.h"
#include "toy.h"

/* ---- Tables ---- */

typedef struct {
  guint position, n_removed, n_added, n;
} Change;

static void
changed_cb (Change *self, guint position, guint n_removed, guint n_added)
{
  *self = (Change){ position, n_removed, n_added, self->n + 1 };
}

/* Of the names of layers; in a tree below @groups, only of @only, unless they are NULL. */
static SymSummaryView *
create_view (ScopeDocument *document, SymGroups *groups, const SymIds *only)
{
  SymSummaryViewOptions options = { .sort = -1, .tree = groups, .only = only };

  return sym_summary_view_new (scope_document_get_summary (document), &options, NULL, NULL);
}

static ScopeRowList *
create (ScopeDocument *document)
{
  g_autoptr (SymSummaryView) view = create_view (document, NULL, NULL);
  ScopeRowList *list = scope_row_list_new (NULL, NULL);

  g_assert_true (scope_row_list_set_view (list, view, NULL));
  return list;
}

static guint
count_rows (ScopeRowList *list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list));
}

/* ---- Tests ---- */

static void
test_empty_list_has_nothing (void)
{
  ScopeRowList *list = scope_row_list_new (NULL, NULL);

  g_assert_false (scope_row_list_set_view (list, NULL, NULL));
  g_assert_cmpuint (count_rows (list), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 0));
  g_assert_cmpuint (scope_row_list_get_value (list, 0), ==, SYM_NO_ID);
  g_assert_cmpuint (scope_row_list_get_group (list, 0), ==, SYM_NO_GROUP);
  g_assert_cmpuint (scope_row_list_find (list, 0), ==, G_MAXUINT);
  g_assert_finalize_object (list);
}

static void
test_only_some_rows (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  SymId fc2 = toy_find (document, "fc2_output");
  SymId some[] = { fc2, toy_find (document, "fc1_output"), toy_find (document, "fc2_weight") };
  SymIds only = { some, G_N_ELEMENTS (some) };
  g_autoptr (SymSummaryView) view = create_view (document, NULL, &only);
  g_autoptr (SymSummaryView) all = create_view (document, NULL, NULL);

  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 3);
  g_assert_true (scope_row_list_set_view (list, view, NULL));
  g_assert_cmpuint (count_rows (list), ==, 2); /* a weight has no row */
  g_assert_cmpuint (scope_row_list_find (list, fc2), ==, 1);
  g_assert_cmpuint (scope_row_list_get_value (list, 1), ==, fc2);
  g_assert_cmpuint (scope_row_list_find (list, toy_find (document, "data")), ==, G_MAXUINT);
  g_assert_true (scope_row_list_set_view (list, all, NULL));
  g_assert_cmpuint (count_rows (list), ==, 6);
}

static void
test_same_rows_stay (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = create (document);
  Change change = { 0 };

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (changed_cb), &change);
  scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL);
  toy_wait (document);
  g_autoptr (SymSummaryView) view = create_view (document, NULL, NULL);

  g_assert_false (scope_row_list_set_view (list, view, NULL));
  g_assert_true (scope_row_list_get_view (list) == view);
  g_assert_cmpuint (change.n, ==, 0);
}

static void
test_closed_groups_hide_their_rows (void)
{
  g_autofree char *chain = toy_format_chain (40);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = scope_row_list_new (NULL, NULL);
  SymGroups *groups = sym_folding_get_groups (scope_document_get_folding (document));
  g_autoptr (SymFolding) open = sym_folding_new_open (groups);
  g_autoptr (SymFolding) closed = sym_folding_new_closed (groups);
  g_autoptr (SymSummaryView) view = create_view (document, groups, NULL);
  guint n_all = sym_summary_view_get_n_rows (view), place, group;
  SymId last = toy_find (document, "relu39_output");
  Change change = { 0 };

  g_assert_cmpuint (sym_groups_get_n (groups), >, 0);
  scope_row_list_set_view (list, view, open);
  scope_row_list_complete (list);
  g_assert_cmpuint (count_rows (list), ==, n_all);
  place = scope_row_list_find (list, last);
  group = scope_row_list_get_group (list, scope_row_list_find_around (list, place));
  g_assert_cmpuint (group, !=, SYM_NO_GROUP);
  g_assert_cmpuint (scope_row_list_find_group (list, group), <, place);

  g_autoptr (SymFolding) without = sym_folding_close (open, group);

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (changed_cb), &change);
  g_assert_true (scope_row_list_set_view (list, view, without));
  g_assert_cmpuint (change.n_added, ==, 0);
  g_assert_cmpuint (change.position, ==, scope_row_list_find_group (list, group) + 1);
  g_assert_cmpuint (scope_row_list_find (list, last), ==, scope_row_list_find_group (list, group));

  g_assert_true (scope_row_list_set_view (list, view, closed));
  g_assert_cmpuint (count_rows (list), <, n_all);
  g_assert_cmpuint (scope_row_list_get_value (list, scope_row_list_find (list, last)), ==,
                    SYM_NO_ID);
}

/* Groups that were found anew have other numbers: they close nothing. */
static void
test_other_groups_close_nothing (void)
{
  g_autofree char *chain = toy_format_chain (40);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = scope_row_list_new (NULL, NULL);
  g_autoptr (SymGroups) others = sym_groups_new (scope_document_get_model (document));
  g_autoptr (SymFolding) closed = sym_folding_new_closed (others);
  g_autoptr (SymSummaryView) view =
      create_view (document, sym_folding_get_groups (scope_document_get_folding (document)), NULL);

  scope_row_list_set_view (list, view, closed);
  scope_row_list_complete (list);
  g_assert_false (scope_row_list_folds (list));
  g_assert_cmpuint (count_rows (list), ==, sym_summary_view_get_n_rows (view));
}

static gboolean
has_rows (ScopeRowList *list, guint n)
{
  g_main_context_iteration (NULL, FALSE);
  return count_rows (list) == n;
}

/* Only those that are seen at once are there at once, and each is added once. */
static void
test_many_rows_come_in_turns (void)
{
  g_autofree char *chain = toy_format_chain (400);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeRowList) list = scope_row_list_new (NULL, NULL);
  g_autoptr (SymSummaryView) view = create_view (document, NULL, NULL);
  guint n_all = sym_summary_view_get_n_rows (view), n_first;
  Change change = { 0 };

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (changed_cb), &change);
  g_assert_true (scope_row_list_set_view (list, view, NULL));
  n_first = count_rows (list);
  g_assert_cmpuint (n_first, >, 30);
  g_assert_cmpuint (n_first, <, 100);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), n_first));
  while (!has_rows (list, n_all))
    g_assert_cmpuint (count_rows (list), <, n_all);
  g_assert_cmpuint (change.n, >, 2);
  g_assert_cmpuint (change.position + change.n_added, ==, n_all);
  g_assert_cmpuint (change.n_removed, ==, 0);

  scope_row_list_set_view (list, NULL, NULL);
  g_assert_cmpuint (count_rows (list), ==, 0);
  scope_row_list_set_view (list, view, NULL);
  scope_row_list_complete (list);
  g_assert_cmpuint (count_rows (list), ==, n_all);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/row-list/empty-list-has-nothing", test_empty_list_has_nothing);
  g_test_add_func ("/app/row-list/has-only-some-rows", test_only_some_rows);
  g_test_add_func ("/app/row-list/same-rows-stay", test_same_rows_stay);
  g_test_add_func ("/app/row-list/closed-groups-hide-their-rows",
                   test_closed_groups_hide_their_rows);
  g_test_add_func ("/app/row-list/other-groups-close-nothing", test_other_groups_close_nothing);
  g_test_add_func ("/app/row-list/many-rows-come-in-turns", test_many_rows_come_in_turns);
  return g_test_run ();
}
