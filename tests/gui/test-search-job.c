/* SPDX-License-Identifier: MIT */
#include "app/scope-search-job.h"

#include <string.h>

#include "toy.h"

static ScopeSearchJob *
create (ScopeDocument *document, const char *text, guint n_completions)
{
  SymFolding *folding = scope_document_get_folding (document);
  ScopeSearchJob *job =
      scope_search_job_new (scope_document_get_summary (document),
                            folding != NULL ? sym_folding_get_groups (folding) : NULL, NULL,
                            sym_query_parse (text, NULL, NULL), NULL, NULL, text);

  job->cursor = strlen (text);
  job->n_completions = n_completions;
  return job;
}

static void
run (ScopeSearchJob *job)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (scope_search_job_run (job, NULL, &error));
  g_assert_no_error (error);
}

static void
test_finds_and_completes (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);
  ScopeSearchJob *job = create (document, "type:fully", 10);

  run (job);
  g_assert_cmpuint (job->found->len, ==, 2);
  g_assert_cmpuint (g_array_index (job->found, SymId, 0), ==, toy_find (document, "fc1_output"));
  g_assert_cmpuint (job->best, ==, 0);
  g_assert_cmpuint (job->completions->len, ==, 1);
  const SymQueryCompletion *completion = job->completions->pdata[0];

  g_assert_cmpstr (completion->text, ==, "type:FullyConnected");
  g_assert_cmpstr (completion->meaning, ==, "2 nodes");
  scope_search_job_free (job);
  toy_finalize (document);
}

/* What stands there already is no suggestion; a text that is no question may still become one. */
static void
test_completes_what_is_no_question (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);
  ScopeSearchJob *job = create (document, "type:", 10);

  g_assert_null (job->query);
  run (job);
  g_assert_null (job->result);
  g_assert_cmpuint (job->completions->len, ==, 4); /* inputs are a type, too */
  scope_search_job_free (job);
  job = create (document, "type:FullyConnected", 10);
  run (job);
  g_assert_cmpuint (job->completions->len, ==, 0);
  scope_search_job_free (job);
  toy_finalize (document);
}

/* A 100,000 layers are searched while another key is typed: the first search then ends with
 * nothing. */
static void
test_is_cancelled (void)
{
  g_autofree char *text = toy_format_unequal_chain (100000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = toy_open (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  ScopeSearchJob *job = create (document, "clip9", 10);

  g_cancellable_cancel (cancellable);
  g_assert_false (scope_search_job_run (job, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (job->found);
  run (job); /* and with the same index, all of it */
  g_assert_cmpuint (job->found->len, ==, 11111);
  scope_search_job_free (job);
  toy_finalize (document);
}

static void
assert_legend_names_query (ScopeDocument *document)
{
  ScopeView view = *scope_document_get_view (document);

  view.colors = SCOPE_COLORS_FOUND;
  scope_document_set_view (document, &view);
  toy_wait (document);
  g_autofree char *row =
      sym_heat_format_level (sym_picture_get_heat (scope_document_get_picture (document)), 0);

  g_assert_cmpstr (row, ==, "Found by “stage2”");
}

/* Nodes first, one for one; then groups, which no table lists. */
static void
test_groups_follow_nodes (void)
{
  g_autoptr (GString) json = g_string_new ("{\"nodes\": [" TOY_NODE ("null", "data", "", ""));

  for (guint i = 0; i < 12; i++)
    g_string_append_printf (
        json, "," TOY_NODE ("%s", "stage%u/act%u", "\"act_type\":\"relu\"", "[%u,0,0]"),
        i % 3 == 0 ? "Flatten" : "Activation", i / 3, i, i);
  g_string_append (json, "], \"arg_nodes\": [0], \"heads\": [[12, 0, 0]]}");
  g_autofree char *path = toy_write ("stages-symbol.json", json->str);
  ScopeDocument *document = toy_open (path);
  ScopeSearchJob *job = create (document, "stage2", 0);

  run (job);
  guint n = sym_query_result_get_n (job->result);

  g_assert_null (job->completions);
  g_assert_cmpuint (job->found->len, ==, 3);
  g_assert_cmpuint (n, ==, 4);
  SymQueryItem item = sym_query_result_get (job->result, 3).item;

  g_assert_cmpint (item.kind, ==, SYM_QUERY_GROUP);
  scope_document_take_found (document, g_array_ref (job->found),
                             sym_query_result_ref (job->result));
  g_autofree char *reason =
      scope_document_explain_found (document, g_array_index (job->found, SymId, 1));

  g_assert_cmpstr (reason, ==, "name stage2/act7_output");
  g_assert_null (scope_document_explain_found (document, toy_find (document, "data")));
  scope_document_select_hit (document, 3);
  g_assert_true (scope_document_has_selected_hit (document, 3));
  g_assert_false (scope_document_has_selected_hit (document, 0));
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, item.group);
  scope_document_select_hit (document, 0);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    g_array_index (job->found, SymId, 0));
  assert_legend_names_query (document);
  scope_document_take_found (document, NULL, NULL);
  g_assert_null (scope_document_get_hits (document));
  scope_search_job_free (job);
  toy_wait (document);
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/search-job/finds-and-completes", test_finds_and_completes);
  g_test_add_func ("/gui/search-job/completes-what-is-no-question",
                   test_completes_what_is_no_question);
  g_test_add_func ("/gui/search-job/is-cancelled", test_is_cancelled);
  g_test_add_func ("/gui/search-job/groups-follow-nodes", test_groups_follow_nodes);
  return g_test_run ();
}
