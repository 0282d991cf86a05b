/* SPDX-License-Identifier: MIT */
#include "app/scope-text.h"
#include "toy.h"

#include <string.h>

/* A chain of @n activations, ten in each block, in an MXNet file. */
static char *
write_chain (guint n)
{
  g_autoptr (GString) json = g_string_new (
      "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (json,
                            ", {\"op\": \"Activation\", \"name\": \"block%u/act%u\", "
                            "\"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
                            i / 10, i, i);
  g_string_append_printf (json, "], \"arg_nodes\": [0], \"heads\": [[%u, 0, 0]]}", n);
  return toy_write ("chain-symbol.json", json->str);
}

static SymScene *
get_scene (ScopeDocument *document)
{
  return sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));
}

static guint
count_groups (ScopeDocument *document)
{
  SymScene *scene = get_scene (document);
  guint n = 0;

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    n += sym_scene_get_item (scene, i)->group != SYM_NO_GROUP;
  return n;
}

static void
test_opens_small_graphs_open (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);

  g_assert_cmpuint (count_groups (document), ==, 0);
  g_assert_cmpuint (sym_scene_get_n_frames (get_scene (document)), >=, 5);
  g_assert_cmpuint (sym_scene_get_n_items (get_scene (document)), ==, 51);
  toy_finalize (document);
}

static void
test_opens_large_graphs_folded (void)
{
  g_autofree char *path = write_chain (600);
  ScopeDocument *document = toy_open (path);

  g_assert_cmpuint (count_groups (document), >, 0);
  g_assert_cmpuint (sym_scene_get_n_items (get_scene (document)), <=, 151);

  scope_document_open_all (document);
  toy_wait (document);
  g_assert_cmpuint (sym_scene_get_n_items (get_scene (document)), ==, 601);

  scope_document_close_all (document);
  toy_wait (document);
  g_assert_cmpuint (sym_scene_get_n_frames (get_scene (document)), ==, 0);
  toy_finalize (document);
}

static void
test_tells_what_a_group_is (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);
  SymId inner = toy_find (document, "block2/act25");
  SymId call = sym_model_get_producer (scope_document_get_model (document), inner);
  g_autofree char *open = scope_text_group (document, inner, call);
  g_autofree char *closed = NULL;
  g_autofree char *described = NULL;

  g_assert_null (open);
  scope_document_close_all (document);
  toy_wait (document);
  closed = scope_text_group (document, inner, call);
  described = scope_text_describe (document, inner, call);
  g_assert_nonnull (strstr (closed, "layers"));
  g_assert_cmpstr (described, ==, closed);
  toy_finalize (document);
}

/* What is selected elsewhere comes out of the group that hides it. */
static void
test_opens_what_hides_the_selection (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);
  SymId value;

  scope_document_close_all (document);
  toy_wait (document);
  value = toy_find (document, "block2/act25");
  scope_document_select_value (document, value);
  g_assert_cmpuint (scope_document_get_selected_group (document), !=, SYM_NO_GROUP);
  g_assert_true (scope_document_open_around (document));
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_selected_group (document), ==, SYM_NO_GROUP);
  g_assert_cmpuint (sym_scene_get_item (get_scene (document),
                                        sym_scene_find_value (get_scene (document), value))->group,
                    ==, SYM_NO_GROUP);
  g_assert_false (scope_document_open_around (document));

  g_assert_true (scope_document_close_around (document));
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_selected_group (document), !=, SYM_NO_GROUP);
  toy_finalize (document);
}

/* Folding is no decision about the graph: undo leaves it, and other shapes keep it. */
static void
test_stays_when_shapes_change (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);
  g_autoptr (GError) error = NULL;
  guint n;

  scope_document_close_all (document);
  toy_wait (document);
  n = count_groups (document);
  g_assert_cmpuint (n, >, 0);
  g_assert_false (scope_document_can_undo (document));

  g_assert_true (scope_document_set_shape_text (document, toy_find (document, "data"), "1,2", &error));
  g_assert_no_error (error);
  toy_wait (document);
  g_assert_cmpuint (count_groups (document), ==, n);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_cmpuint (count_groups (document), ==, n);
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/folds/opens-small-graphs-open", test_opens_small_graphs_open);
  g_test_add_func ("/app/folds/opens-large-graphs-folded", test_opens_large_graphs_folded);
  g_test_add_func ("/app/folds/tells-what-a-group-is", test_tells_what_a_group_is);
  g_test_add_func ("/app/folds/opens-what-hides-the-selection", test_opens_what_hides_the_selection);
  g_test_add_func ("/app/folds/stays-when-shapes-change", test_stays_when_shapes_change);
  return g_test_run ();
}
