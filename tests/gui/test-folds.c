/* SPDX-License-Identifier: MIT */
#include "app/scope-anchor.h"
#include "app/scope-group-facts.h"
#include "app/scope-text.h"
#include "toy.h"

#include <string.h>

/* A chain of @n activations, so many in each block, in an MXNet file. */
static char *
write_chain_of (guint n, guint n_in_block)
{
  g_autoptr (GString) json =
      g_string_new ("{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (json,
                            ", {\"op\": \"Activation\", \"name\": \"block%u/act%u\", "
                            "\"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
                            i / n_in_block, i, i);
  g_string_append_printf (json, "], \"arg_nodes\": [0], \"heads\": [[%u, 0, 0]]}", n);
  return toy_write ("chain-symbol.json", json->str);
}

static char *
write_chain (guint n)
{
  return write_chain_of (n, 10);
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

/* Two equal blocks: a fully connected layer (eight of its own input's features), and its
 * activation. */
static char *
write_blocks (void)
{
  g_autoptr (GString) json =
      g_string_new ("{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}");
  guint last = 0;

  for (guint i = 0; i < 2; i++)
    {
      guint weight = 1 + 4 * i;

      g_string_append_printf (
          json,
          ", {\"op\": \"null\", \"name\": \"block%u/fc_weight\", \"inputs\": []}"
          ", {\"op\": \"null\", \"name\": \"block%u/fc_bias\", \"inputs\": []}"
          ", {\"op\": \"FullyConnected\", \"name\": \"block%u/fc\", \"attrs\": "
          "{\"num_hidden\": \"8\"}, \"inputs\": [[%u, 0, 0], [%u, 0, 0], [%u, 0, 0]]}"
          ", {\"op\": \"Activation\", \"name\": \"block%u/act\", \"attrs\": "
          "{\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
          i, i, i, last, weight, weight + 1, i, weight + 2);
      last = weight + 3;
    }
  g_string_append_printf (json, "], \"arg_nodes\": [0, 1, 2, 5, 6], \"heads\": [[%u, 0, 0]]}",
                          last);
  return toy_write ("blocks-symbol.json", json->str);
}

static guint
find_group (ScopeDocument *document, const char *name)
{
  SymId call =
      sym_model_get_producer (scope_document_get_model (document), toy_find (document, name));

  return sym_groups_find_call (sym_folding_get_groups (scope_document_get_folding (document)),
                               call);
}

static void
test_counts_what_a_group_has (void)
{
  g_autofree char *path = write_blocks ();
  ScopeDocument *document = toy_open (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (ScopeGroupFacts) open = NULL, closed = NULL, unknown = NULL;
  guint group = find_group (document, "block1/fc_output");

  g_assert_cmpuint (group, !=, SYM_NO_GROUP);
  unknown = scope_group_facts_new (scope_document_get_inference (document),
                                   scope_document_get_folding (document),
                                   find_group (document, "block0/fc_output"));
  g_assert_false (unknown->knows_parameters);
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "1,8", &error));
  g_assert_no_error (error);
  toy_wait (document);
  open = scope_group_facts_new (scope_document_get_inference (document),
                                scope_document_get_folding (document), group);
  g_assert_cmpuint (open->n_copies, ==, 1);
  g_assert_cmpuint (open->n_equal, ==, 2);
  g_assert_cmpuint (open->place, ==, 2);
  g_assert_cmpuint (open->n_layers, ==, 2);
  g_assert_cmpuint (open->types->len, ==, 2);
  g_assert_cmpstr (g_array_index (open->types, ScopeTypeCount, 0).type, ==, "Activation");
  g_assert_true (open->knows_parameters);
  g_assert_cmpuint (open->n_parameters, ==, 8 * 8 + 8);
  g_assert_cmpuint (open->inputs->len, ==, 1);
  g_assert_cmpuint (g_array_index (open->inputs, SymId, 0), ==,
                    toy_find (document, "block0/act_output"));

  scope_document_close_all (document);
  toy_wait (document);
  closed = scope_group_facts_new (scope_document_get_inference (document),
                                  scope_document_get_folding (document),
                                  find_group (document, "block0/fc_output"));
  g_assert_cmpuint (closed->n_copies, ==, 2);
  g_assert_cmpuint (closed->n_parameters, ==, 8 * 8 + 8);
  g_assert_cmpuint (closed->inputs->len, ==, 1);
  g_assert_cmpuint (g_array_index (closed->inputs, SymId, 0), ==, toy_find (document, "data"));
  g_assert_cmpuint (closed->outputs->len, ==, 1);
  g_assert_cmpuint (g_array_index (closed->outputs, SymId, 0), ==,
                    toy_find (document, "block1/act_output"));
  toy_finalize (document);
}

/* A selected frame that is closed by anything leaves its group selected. */
static void
test_frame_becomes_its_group (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);
  guint group = find_group (document, "block2/act25");

  scope_document_select_frame (document, group);
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, group);
  g_assert_cmpuint (scope_document_get_selected_call (document), ==, SYM_NO_ID);
  scope_document_select_value (document, toy_find (document, "data"));
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, SYM_NO_GROUP);

  scope_document_select_frame (document, group);
  g_assert_true (scope_document_close_around (document));
  g_assert_cmpuint (scope_document_get_folded_group (document), ==, group);
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, SYM_NO_GROUP);
  g_assert_cmpuint (scope_document_get_selected_group (document), ==, group);
  scope_document_select_frame (document, group); /* it is closed: no frame */
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, SYM_NO_GROUP);
  toy_wait (document);
  toy_finalize (document);
}

static void
test_large_counts_are_grouped (void)
{
  g_autofree char *path = write_chain_of (1210, 1200);
  ScopeDocument *document = toy_open (path);
  const SymGroups *groups = sym_folding_get_groups (scope_document_get_folding (document));
  guint group = find_group (document, "block0/act25");

  while (!g_str_equal (sym_groups_get (groups, group)->name, "block0"))
    group = sym_groups_get (groups, group)->parent;
  scope_document_open_group (document, group);
  toy_wait (document);
  scope_document_select_frame (document, group);
  g_autofree char *text = scope_text_frame (document);

  g_assert_cmpstr (text, ==, "block0 · open group of 1,200 layers");
  toy_finalize (document);
}

/* The title of the frame is where the box was, seen by whoever looks there. */
static void
test_keeps_the_corner (void)
{
  g_autofree char *path = write_chain (50);
  ScopeDocument *document = toy_open (path);
  guint group = find_group (document, "block2/act25");
  g_autoptr (SymLayout) before =
      sym_layout_ref (sym_picture_get_layout (scope_document_get_picture (document)));
  SymRect title = sym_layout_get_frame_title_rect (
      before, sym_scene_find_frame (sym_layout_get_scene (before), group));
  SymRect elsewhere = { title.x, title.y + 1000, 10, 10 };
  double dx, dy;
  SymLayout *after;

  scope_document_close_group (document, group);
  toy_wait (document);
  after = sym_picture_get_layout (scope_document_get_picture (document));
  guint item =
      sym_scene_find_value (sym_layout_get_scene (after), toy_find (document, "block2/act25"));
  SymPoint corner = sym_layout_get_position (after, item);
  SymRect box = sym_scene_get_item (sym_layout_get_scene (after), item)->boxes[0].rect;

  g_assert_true (scope_anchor_find_group (before, after, group, &title, &dx, &dy));
  g_assert_cmpfloat_with_epsilon (title.x + dx, corner.x + box.x, 1e-6);
  g_assert_cmpfloat_with_epsilon (title.y + dy, corner.y + box.y, 1e-6);
  g_assert_false (scope_anchor_find_group (before, after, group, &elsewhere, &dx, &dy));
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
  g_assert_cmpuint (
      sym_scene_get_item (get_scene (document), sym_scene_find_value (get_scene (document), value))
          ->group,
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

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "1,2", &error));
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
  g_test_add_func ("/app/folds/counts-what-a-group-has", test_counts_what_a_group_has);
  g_test_add_func ("/app/folds/frame-becomes-its-group", test_frame_becomes_its_group);
  g_test_add_func ("/app/folds/large-counts-are-grouped", test_large_counts_are_grouped);
  g_test_add_func ("/app/folds/keeps-the-corner", test_keeps_the_corner);
  g_test_add_func ("/app/folds/opens-what-hides-the-selection",
                   test_opens_what_hides_the_selection);
  g_test_add_func ("/app/folds/stays-when-shapes-change", test_stays_when_shapes_change);
  return g_test_run ();
}
