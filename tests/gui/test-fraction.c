/* SPDX-License-Identifier: MIT */
#include "toy.h"

/* How far a document is. */
#define N_LAYERS 30000 /* enough for a preview, so that every stage runs */

typedef struct {
  guint n_steps, n_backwards;
  double last;
} Seen;

static void
look (ScopeDocument *document, Seen *seen)
{
  double fraction = seen->last;

  scope_document_get_fraction (document, &fraction);
  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  seen->n_steps += fraction > seen->last;
  seen->n_backwards += fraction < seen->last;
  seen->last = fraction;
}

static void
watch (ScopeDocument *document, Seen *seen)
{
  *seen = (Seen){ 0 };
  while (scope_document_get_progress (document) != NULL)
    {
      look (document, seen);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (50);
    }
}

static ScopeDocument *
open_chain (void)
{
  g_autofree char *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return scope_document_new_for_file (file);
}

static void
test_grows_over_all_stages (void)
{
  ScopeDocument *document = open_chain ();
  double fraction = 2;
  Seen seen;

  watch (document, &seen);
  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_cmpuint (seen.n_backwards, ==, 0);
  g_assert_cmpuint (seen.n_steps, >=, 5);
  g_assert_cmpfloat (seen.last, >, 0.5);
  g_assert_false (scope_document_get_fraction (document, &fraction));
  g_assert_cmpfloat (fraction, ==, 2);
  toy_finalize (document);
}

static void
test_begins_again_with_what_is_asked_for_then (void)
{
  ScopeDocument *document = open_chain ();
  ScopeView view;
  Seen seen;

  watch (document, &seen);
  view = *scope_document_get_view (document);
  view.drawing = SYM_DRAWING_LAYERS;
  scope_document_set_view (document, &view);
  g_assert_nonnull (scope_document_get_progress (document));
  scope_document_get_fraction (document, &seen.last);
  g_assert_cmpfloat (seen.last, <, 0.5);
  watch (document, &seen);
  g_assert_cmpuint (seen.n_backwards, ==, 0);
  toy_finalize (document);
}

static void
test_is_over_when_it_is_stopped (void)
{
  ScopeDocument *document = open_chain ();
  double fraction = 2;
  Seen seen;

  scope_document_cancel (document);
  watch (document, &seen);
  g_assert_false (scope_document_get_fraction (document, &fraction));
  g_assert_cmpfloat (fraction, ==, 2);
  g_assert_error (scope_document_get_error (document), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  scope_document_reload (document);
  watch (document, &seen);
  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_cmpuint (seen.n_backwards, ==, 0);
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/fraction/grows-over-all-stages", test_grows_over_all_stages);
  g_test_add_func ("/app/fraction/begins-again-with-what-is-asked-for-then",
                   test_begins_again_with_what_is_asked_for_then);
  g_test_add_func ("/app/fraction/is-over-when-it-is-stopped", test_is_over_when_it_is_stopped);
  return g_test_run ();
}
