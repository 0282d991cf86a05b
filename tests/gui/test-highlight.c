/* SPDX-License-Identifier: MIT */
#include "app/scope-highlight.h"

#include <string.h>

#include "toy.h"

static SymLayout *
get_layout (ScopeDocument *document)
{
  return sym_picture_get_layout (scope_document_get_picture (document));
}

static void
test_holds_boxes_and_lines_of_a_node (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();
  SymId value = toy_find (document, "relu1_output");
  ScopeNode node = scope_node_get (value, SYM_NO_ID);

  scope_highlight_add (light, get_layout (document), value, SYM_NO_ID);
  scope_highlight_add_lines (light, get_layout (document), &node);
  g_assert_cmpuint (light->rects->len, ==, 1);
  g_assert_cmpuint (light->edges->len, ==, 3); /* from fc1, to fc2 and sum */
  g_assert_cmpuint (light->stems->len, ==, 1); /* from its layer */
  scope_highlight_clear (light);
  g_assert_cmpuint (light->rects->len + light->edges->len, ==, 0);
}

/* Every line of a path is lit, the first as well, which leaves a value whose layer is not on it. */
static void
test_lights_the_lines_of_a_path (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();
  g_autoptr (SymTrace) trace = sym_trace_new_path (
      scope_document_get_model (document), SYM_TRACE_VALUE (toy_find (document, "relu1_output")),
      SYM_TRACE_VALUE (toy_find (document, "out_output")));

  scope_highlight_add_trace (light, get_layout (document), trace, 100);
  g_assert_cmpuint (light->edges->len, ==, 2); /* relu1 to sum, sum to out */
  g_assert_cmpuint (light->stems->len, ==, 2); /* to the results of both */
  scope_highlight_clear (light);
  g_assert_cmpuint (light->stems->len, ==, 0);
  scope_highlight_add_trace (light, get_layout (document), trace, 1);
  g_assert_cmpuint (light->edges->len + light->stems->len, ==, 0);
}

static void
test_leaves_out_what_is_not_drawn (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();

  ScopeNode none = scope_node_get_none ();

  scope_highlight_add_node (light, get_layout (document), &none);
  scope_highlight_add_lines (light, get_layout (document), &none);
  g_assert_cmpuint (light->rects->len + light->edges->len, ==, 0);
}

/* What is drawn as one box is painted once, however much of it is lit. */
static void
test_group_is_lit_once (void)
{
  g_autofree char *text = toy_format_chain (1000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();

  scope_document_close_all (document);
  toy_wait (document);
  SymLayout *layout = get_layout (document);
  SymModel *model = scope_document_get_model (document);
  guint n_items = sym_scene_get_n_items (sym_layout_get_scene (layout));

  g_assert_cmpuint (n_items, <, 100);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    scope_highlight_add (light, layout, value, SYM_NO_ID);
  g_assert_cmpuint (light->rects->len, >, 0);
  g_assert_cmpuint (light->rects->len, <=, 2 * n_items); /* groups and their results */
}

/* A hundred thousand boxes on a screen of a thousand spots are at most as many spots, each in sight
 * and each at a box. */
static void
test_many_boxes_share_spots (void)
{
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();
  g_autoptr (GArray) spots = g_array_new (FALSE, FALSE, sizeof (SymRect));
  SymRect visible = { -50, 300, 400, 250 };

  for (guint i = 0; i < 100000; i++)
    g_array_append_vals (light->rects, &(SymRect){ i % 100 * 7.0 - 200, i / 100 * 1.3, 4, 1 }, 1);
  scope_highlight_collect_spots (light, &visible, 10, spots);
  g_assert_cmpuint (spots->len, >, 500);
  g_assert_cmpuint (spots->len, <=, 41 * 26);
  for (guint i = 0; i < spots->len; i++)
    {
      const SymRect *spot = &g_array_index (spots, SymRect, i);

      g_assert_cmpfloat (spot->x + spot->width, >=, visible.x);
      g_assert_cmpfloat (spot->x, <=, visible.x + visible.width);
      g_assert_cmpfloat (spot->y + spot->height, >=, visible.y);
      g_assert_cmpfloat (spot->y, <=, visible.y + visible.height);
    }
  scope_highlight_clear (light);
  g_array_set_size (spots, 0);
  scope_highlight_collect_spots (light, &visible, 10, spots);
  g_assert_cmpuint (spots->len, ==, 0);
}

static gboolean
has_rect (const GArray *rects, const SymRect *rect)
{
  for (guint i = 0; i < rects->len; i++)
    if (memcmp (&g_array_index (rects, SymRect, i), rect, sizeof *rect) == 0)
      return TRUE;
  return FALSE;
}

/* Each keeps its own badge while they are apart; a heap of them has few, at boxes that there are.
 */
static void
test_badges_stay_apart (void)
{
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (SymRect));
  SymRect visible = { 0, 0, 400, 250 };

  for (guint i = 0; i < 5; i++)
    g_array_append_vals (light->rects, &(SymRect){ i * 40.0, i * 30.0, 8, 4 }, 1);
  scope_highlight_collect_apart (light, &visible, 20, rects);
  g_assert_cmpuint (rects->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_true (has_rect (rects, &g_array_index (light->rects, SymRect, i)));
  for (guint i = 0; i < 1000; i++)
    g_array_append_vals (light->rects, &(SymRect){ 300 + i % 100 * 0.5, 100, 8, 4 }, 1);
  g_array_set_size (rects, 0);
  scope_highlight_collect_apart (light, &visible, 20, rects);
  g_assert_cmpuint (rects->len, >, 6);
  g_assert_cmpuint (rects->len, <=, 9);
  for (guint i = 0; i < rects->len; i++)
    g_assert_true (has_rect (light->rects, &g_array_index (rects, SymRect, i)));
}

/* A box of a drawing that goes to the right, seen from afar, is as high as a line is thick. */
static void
test_long_boxes_are_no_spots (void)
{
  g_assert_true (scope_highlight_is_spot (&(SymRect){ 0, 0, 4, 4 }, 5));
  g_assert_true (scope_highlight_is_spot (&(SymRect){ 0, 0, 8, 0.1 }, 5));
  g_assert_false (scope_highlight_is_spot (&(SymRect){ 0, 0, 22, 4 }, 5));
  g_assert_false (scope_highlight_is_spot (&(SymRect){ 0, 0, 4, 22 }, 5));
  g_assert_false (scope_highlight_is_spot (&(SymRect){ 0, 0, 6, 6 }, 5));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/highlight/holds-boxes-and-lines-of-a-node",
                   test_holds_boxes_and_lines_of_a_node);
  g_test_add_func ("/app/highlight/lights-the-lines-of-a-path", test_lights_the_lines_of_a_path);
  g_test_add_func ("/app/highlight/leaves-out-what-is-not-drawn",
                   test_leaves_out_what_is_not_drawn);
  g_test_add_func ("/app/highlight/badges-stay-apart", test_badges_stay_apart);
  g_test_add_func ("/app/highlight/long-boxes-are-no-spots", test_long_boxes_are_no_spots);
  g_test_add_func ("/app/highlight/many-boxes-share-spots", test_many_boxes_share_spots);
  g_test_add_func ("/gui/highlight/group-is-lit-once", test_group_is_lit_once);
  return g_test_run ();
}
