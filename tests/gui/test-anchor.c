/* SPDX-License-Identifier: MIT */
#include "app/scope-anchor.h"

#include "app/scope-place.h"
#include "toy.h"

#define NEAR 1e-9

static SymLayout *
get_layout (ScopeDocument *document)
{
  return sym_picture_get_layout (scope_document_get_picture (document));
}

static SymRect
find (ScopeDocument *document, const char *name)
{
  SymRect rect;

  g_assert_true (
      scope_place_find (get_layout (document), toy_find (document, name), SYM_NO_ID, &rect));
  return rect;
}

static ScopeGaze
look_at (const SymRect *rect)
{
  return (ScopeGaze){ { rect->x - 5, rect->y - 5, rect->width + 10, rect->height + 10 },
                      rect->x + rect->width / 2,
                      rect->y + rect->height / 2,
                      scope_node_get_none () };
}

static void
assert_way (const SymRect *from, const SymRect *to, double dx, double dy)
{
  g_assert_cmpfloat_with_epsilon (to->x + to->width / 2 - from->x - from->width / 2, dx, NEAR);
  g_assert_cmpfloat_with_epsilon (to->y + to->height / 2 - from->y - from->height / 2, dy, NEAR);
}

/* Longer labels and a chain that is one node longer above: everything has another place. */
static ScopeDocument *
open_other (void)
{
  g_auto (GStrv) parts = g_strsplit (TOY (""), "\"relu1\"", -1);
  g_autofree char *text = g_strjoinv ("\"a_much_longer_name_than_it_had_before\"", parts);
  g_autofree char *path = toy_write ("toy-symbol.json", text);

  return toy_open (path);
}

static void
test_same_model_is_found_by_node (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymRect from = find (document, "fc2_output"), to;
  ScopeGaze gaze = look_at (&from);
  ScopeView view = *scope_document_get_view (document);
  g_autoptr (SymLayout) before = sym_layout_ref (get_layout (document));
  double dx, dy;

  view.labels = SYM_LABEL_NAME;
  scope_document_set_view (document, &view);
  toy_wait (document);
  to = find (document, "fc2_output");
  g_assert_cmpfloat (to.y, !=, from.y);
  g_assert_true (scope_anchor_find (before, get_layout (document), &gaze, &dx, &dy));
  assert_way (&from, &to, dx, dy);
}

static void
test_other_model_is_found_by_name (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeDocument) other = open_other ();
  SymRect from = find (document, "out_output"), to = find (other, "out_output");
  ScopeGaze gaze = look_at (&from);
  double dx, dy;

  g_assert_true (scope_anchor_find (get_layout (document), get_layout (other), &gaze, &dx, &dy));
  assert_way (&from, &to, dx, dy);
}

/* The selection counts before what is nearer to the pointer, but only as long as it is in sight. */
static void
test_selection_is_preferred (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeDocument) other = open_other ();
  SymRect near = find (document, "fc1_output"), far = find (document, "sum_output");
  SymRect near_to = find (other, "fc1_output"), far_to = find (other, "sum_output");
  ScopeGaze gaze = look_at (&near);
  double dx, dy;

  gaze.node.value = toy_find (document, "sum_output");
  g_assert_true (scope_anchor_find (get_layout (document), get_layout (other), &gaze, &dx, &dy));
  assert_way (&near, &near_to, dx, dy);
  gaze.visible.height = far.y + far.height - gaze.visible.y;
  gaze.visible.x = -1e4;
  gaze.visible.width = 2e4;
  g_assert_true (scope_anchor_find (get_layout (document), get_layout (other), &gaze, &dx, &dy));
  assert_way (&far, &far_to, dx, dy);
}

static void
test_nothing_in_common_is_told (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (ScopeDocument) other = open_other ();
  SymRect renamed = find (document, "relu1_output"), nowhere = { -1e6, -1e6, 10, 10 };
  ScopeGaze gaze = look_at (&nowhere);
  double dx, dy;

  g_assert_false (scope_anchor_find (get_layout (document), get_layout (other), &gaze, &dx, &dy));
  gaze = look_at (&renamed);
  gaze.visible = renamed;
  g_assert_false (scope_anchor_find (get_layout (document), get_layout (other), &gaze, &dx, &dy));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/anchor/same-model-is-found-by-node", test_same_model_is_found_by_node);
  g_test_add_func ("/app/anchor/other-model-is-found-by-name", test_other_model_is_found_by_name);
  g_test_add_func ("/app/anchor/selection-is-preferred", test_selection_is_preferred);
  g_test_add_func ("/app/anchor/nothing-in-common-is-told", test_nothing_in_common_is_told);
  return g_test_run ();
}
