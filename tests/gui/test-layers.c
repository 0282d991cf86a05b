/* SPDX-License-Identifier: MIT */
#include "app/scope-anchor.h"
#include "app/scope-highlight.h"
#include "app/scope-place.h"
#include "app/scope-text.h"
#include "loop.h"
#include "scene/sym-scene-body.h"

/* Layers that are opened and closed, and what is in them. */

static SymLayout *
get_layout (ScopeDocument *document)
{
  return sym_picture_get_layout (scope_document_get_picture (document));
}

static ScopeDocument *
open_loop (void)
{
  g_autofree char *path = toy_write ("loop-symbol.json", LOOP);

  return toy_open (path);
}

static SymId
get_call (ScopeDocument *document, const char *value)
{
  return sym_model_get_producer (scope_document_get_model (document), toy_find (document, value));
}

static void
open_layer (ScopeDocument *document, const char *path)
{
  scope_document_open_layer (document, path);
  toy_wait (document);
}

/* The item of that name, which must be drawn. */
static guint
find_item (ScopeDocument *document, const char *name)
{
  SymScene *scene = sym_layout_get_scene (get_layout (document));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return i;
  g_error ("no item is called %s", name);
}

static gboolean
is_drawn (ScopeDocument *document, const char *name)
{
  SymScene *scene = sym_layout_get_scene (get_layout (document));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return TRUE;
  return FALSE;
}

static ScopeNode
find_node (ScopeDocument *document, const char *name)
{
  return scope_place_get_node (sym_layout_get_scene (get_layout (document)),
                               find_item (document, name));
}

static void
test_opens_and_closes (void)
{
  ScopeDocument *document = open_loop ();

  g_assert_false (is_drawn (document, "3.sum_output"));
  open_layer (document, "0a/1");
  g_assert_true (is_drawn (document, "3.sum_output"));
  g_assert_true (is_drawn (document, "3.4.inner_output"));
  g_assert_cmpstr (scope_document_get_folded_layer (document), ==, "0a/1");
  scope_document_close_layer (document, "0");
  toy_wait (document);
  g_assert_false (is_drawn (document, "3.sum_output"));
  open_layer (document, "0");
  g_assert_true (is_drawn (document, "3.4.inner_output"));
  toy_finalize (document);
}

/* A node in a body is selected with its layer; the layer is what the others hear of. */
static void
test_selects_within (void)
{
  ScopeDocument *document = open_loop ();
  ScopeNode node;
  SymInference *inner;

  open_layer (document, "0");
  node = find_node (document, "3.sum_output");
  g_assert_cmpstr (node.body, ==, "0a");
  scope_document_select_node (document, &node);
  g_assert_cmpuint (scope_document_get_selected_call (document), ==,
                    get_call (document, "loop_output0"));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "loop_output0"));
  g_assert_cmpuint (scope_document_get_selected (document)->inner_call, ==, 0);
  inner = scope_document_get_inner_inference (document, scope_document_get_selected (document));
  g_assert_cmpstr (sym_model_get_value_name (sym_inference_get_model (inner), node.inner_value), ==,
                   "sum_output");
  g_assert_null (scope_document_get_selected_layer (document));
  scope_document_select_value (document, toy_find (document, "out_output"));
  g_assert_null (scope_document_get_selected (document)->body);
  toy_finalize (document);
}

/* Of what was selected in it the layer is left, which can be opened again. */
static void
test_closing_leaves_the_layer (void)
{
  ScopeDocument *document = open_loop ();
  g_autofree char *path = NULL;
  ScopeNode node;

  open_layer (document, "0a/1");
  node = find_node (document, "3.4.inner_output");
  scope_document_select_node (document, &node);
  g_assert_true (scope_document_close_layer_around (document));
  toy_wait (document);
  g_assert_false (is_drawn (document, "3.4.inner_output"));
  g_assert_true (is_drawn (document, "3.sum_output"));
  g_assert_null (scope_document_get_selected (document)->body);
  path = scope_document_get_selected_layer (document);
  g_assert_cmpstr (path, ==, "0");
  g_assert_false (scope_document_open_selected_layer (document));
  g_assert_true (scope_document_close_layer_around (document));
  toy_wait (document);
  g_assert_false (is_drawn (document, "3.sum_output"));
  g_assert_false (scope_document_close_layer_around (document));
  g_assert_true (scope_document_open_selected_layer (document));
  toy_wait (document);
  g_assert_true (is_drawn (document, "3.sum_output"));
  toy_finalize (document);
}

static void
test_describes (void)
{
  ScopeDocument *document = open_loop ();
  ScopeNode outer = scope_node_get (toy_find (document, "out_output"), SYM_NO_ID), node;
  g_autofree char *same = NULL;
  g_autofree char *inside = NULL;

  open_layer (document, "0");
  node = find_node (document, "3.sum_output");
  same = scope_text_describe_node (document, &outer);
  inside = scope_text_describe_node (document, &node);
  g_assert_cmpstr (same, ==, "out_output · rank ? · Activation");
  g_assert_cmpstr (inside, ==, "loop · sum_output · rank ? · elemwise_add");
  toy_finalize (document);
}

/* Picked where it is drawn, found there again, and lit with its own lines. */
static void
test_places (void)
{
  ScopeDocument *document = open_loop ();
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();
  ScopeNode node, picked;
  SymRect rect;

  open_layer (document, "0");
  node = find_node (document, "3.sum_output");
  g_assert_true (scope_place_find_node (get_layout (document), &node, &rect));
  g_assert_true (scope_place_pick (get_layout (document), rect.x + 5, rect.y + 5, 0, &picked));
  g_assert_true (scope_node_equal (&node, &picked));
  scope_highlight_add_node (light, get_layout (document), &node);
  scope_highlight_add_lines (light, get_layout (document), &node);
  g_assert_cmpuint (light->rects->len, ==, 1);
  g_assert_cmpuint (light->edges->len, ==, 4); /* of x and h, to again and to the loop */
  /* As long as its body is not drawn, its layer stands for it. */
  scope_document_close_layer (document, "0");
  toy_wait (document);
  g_assert_cmpuint (scope_place_find_node_item (get_layout (document), &node), ==,
                    scope_place_find_item (get_layout (document), SYM_NO_ID, node.call));
  toy_finalize (document);
}

/* A trace through a layer goes through its bodies; one that passes it leaves them alone. */
static void
test_traces (void)
{
  ScopeDocument *document = open_loop ();
  SymModel *model = scope_document_get_model (document);
  SymEntry data = SYM_TRACE_VALUE (toy_find (document, "data"));
  SymEntry loop = SYM_TRACE_VALUE (toy_find (document, "loop_output0"));
  SymEntry out = SYM_TRACE_VALUE (toy_find (document, "out_output"));
  g_autoptr (SymTrace) through = sym_trace_new_path (model, data, out);
  g_autoptr (SymTrace) past = sym_trace_new_path (model, loop, out);
  g_autoptr (ScopeHighlight) light = scope_highlight_new ();

  open_layer (document, "0");
  scope_highlight_add_trace (light, get_layout (document), through, 100);
  g_assert_cmpuint (light->edges->len, ==, 8); /* to x, six within, to out */
  scope_highlight_clear (light);
  scope_highlight_add_trace (light, get_layout (document), past, 100);
  g_assert_cmpuint (light->edges->len, ==, 1);
  toy_finalize (document);
}

static SymRect
get_box (SymLayout *layout, SymId value)
{
  SymRect rect;

  g_assert_true (scope_place_find (
      layout, SYM_NO_ID,
      sym_model_get_producer (
          sym_inference_get_model (sym_scene_get_inference (sym_layout_get_scene (layout))), value),
      &rect));
  return rect;
}

/* What is opened stays where it is; what is closed by a title comes to where that was. */
static void
test_anchors (void)
{
  ScopeDocument *document = open_loop ();
  SymId value = toy_find (document, "loop_output0");
  g_autoptr (SymLayout) closed = sym_layout_ref (get_layout (document));
  ScopeGaze gaze = { { 0, 0, 1e4, 1e4 }, 0, 0, scope_node_get_none () };
  SymRect from, to, title;
  double dx, dy;

  open_layer (document, "0");
  from = get_box (closed, value);
  to = get_box (get_layout (document), value);
  title = sym_layout_get_frame_title_rect (get_layout (document), 0);
  g_assert_true (scope_anchor_find_layer (closed, get_layout (document), "0", &gaze, &dx, &dy));
  g_assert_cmpfloat (dx, ==, to.x - from.x);
  g_assert_cmpfloat (dy, ==, to.y - from.y);
  gaze.x = title.x + 5;
  gaze.y = title.y + 5;
  g_assert_true (scope_anchor_find_layer (get_layout (document), closed, "0", &gaze, &dx, &dy));
  g_assert_cmpfloat (dx, ==, from.x - title.x);
  gaze.x = to.x + 5;
  gaze.y = to.y + 5;
  g_assert_true (scope_anchor_find_layer (get_layout (document), closed, "0", &gaze, &dx, &dy));
  g_assert_cmpfloat (dy, ==, from.y - to.y);
  g_assert_false (scope_anchor_find_layer (get_layout (document), closed, "0a/9", &gaze, &dx, &dy));
  gaze.visible = (SymRect){ -100, -100, 10, 10 };
  g_assert_false (scope_anchor_find_layer (get_layout (document), closed, "0", &gaze, &dx, &dy));
  toy_finalize (document);
}

/* Shapes that are typed reach what is drawn inside. */
static void
test_shapes (void)
{
  ScopeDocument *document = open_loop ();
  g_autofree char *shape = NULL;
  ScopeNode node;

  open_layer (document, "0");
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "5,2,4", NULL));
  toy_wait (document);
  node = find_node (document, "3.sum_output");
  shape = scope_text_shape (scope_document_get_inner_inference (document, &node), node.inner_value);
  g_assert_cmpstr (shape, ==, "2×4");
  toy_finalize (document);
}

/* A layer whose file does not tell what it is made of shows what it is run as. */
static void
test_parts (void)
{
  g_autofree char *path = toy_write (
      "dense.json", "{\"class_name\": \"Sequential\", \"config\": {\"layers\": ["
                    "{\"class_name\": \"Dense\", \"config\": {\"name\": \"fc\", \"units\": 2,"
                    " \"activation\": \"relu\", \"batch_input_shape\": [null, 3]}}]}}");
  ScopeDocument *document = toy_open (path);
  g_autofree char *call = g_strdup_printf ("%u", get_call (document, "fc"));
  g_autofree char *shape = NULL;
  SymInference *inner;
  ScopeNode node;

  open_layer (document, call);
  node = find_node (document, "2.operand0");
  scope_document_select_node (document, &node);
  inner = scope_document_get_inner_inference (document, scope_document_get_selected (document));
  g_assert_nonnull (inner);
  shape = scope_text_shape (inner, node.inner_value);
  g_assert_cmpstr (shape, ==, "?×3");
  node.inner_value = 1000; /* of a body that was larger */
  g_assert_null (scope_document_get_inner_inference (document, &node));
  scope_document_close_layer (document, call);
  toy_wait (document);
  g_assert_null (scope_document_get_selected (document)->body);
  g_assert_false (is_drawn (document, "2.operand0"));
  toy_finalize (document);
}

/* Four layers in two groups, each layer a composite one. */
static ScopeDocument *
open_groups (void)
{
  static const char *const names[] = { "left/a", "left/b", "right/a", "right/b" };
  g_autoptr (GString) layers = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (layers,
                            "%s{\"class_name\": \"Dense\", \"config\": {\"name\": \"%s\","
                            " \"units\": 3, \"activation\": \"relu\"%s}}",
                            i > 0 ? ", " : "", names[i],
                            i > 0 ? "" : ", \"batch_input_shape\": [null, 3]");
  g_autofree char *text = g_strdup_printf (
      "{\"class_name\": \"Sequential\", \"config\": {\"layers\": [%s]}}", layers->str);
  g_autofree char *path = toy_write ("groups.json", text);

  return toy_open (path);
}

/* The last line within the body of that path. */
static ScopeNode
find_inner_line (ScopeDocument *document, const char *body)
{
  guint n = sym_scene_get_n_edges (sym_layout_get_scene (get_layout (document)));

  for (guint i = n; i-- > 0;)
    {
      ScopeNode line;

      if (scope_place_get_line (get_layout (document), i, &line) &&
          g_strcmp0 (line.body, body) == 0)
        return line;
    }
  g_error ("no line is in body %s", body);
}

/* Only the layer, which is told as one is. */
static void
assert_selected_alone (ScopeDocument *document, SymId call)
{
  const ScopeNode *node = scope_document_get_selected (document);
  g_autofree char *text = scope_text_describe_node (document, node);

  g_assert_null (node->body);
  g_assert_false (scope_node_is_line (node));
  g_assert_cmpuint (node->call, ==, call);
  g_assert_null (strstr (text, " → "));
}

/* A line within that is come back to after its layer was closed. */
static void
test_lines_within_closed_layers (void)
{
  ScopeDocument *document = open_groups ();
  SymId call = get_call (document, "right/b");
  g_autofree char *path = g_strdup_printf ("%u", call);
  g_autofree char *body = g_strdup_printf ("%ua", call);
  g_autofree char *known = NULL;
  g_autofree char *lost = NULL;
  ScopeNode line;

  open_layer (document, path);
  line = find_inner_line (document, body);
  g_assert_true (scope_document_knows_line (document, &line));
  known = scope_text_describe_node (document, &line);
  g_assert_nonnull (strstr (known, " → "));
  scope_document_select_node (document, &line);
  g_assert_true (scope_node_is_line (scope_document_get_selected (document)));
  scope_document_select_value (document, toy_find (document, "left/a"));
  scope_document_close_layer (document, path);
  toy_wait (document);
  g_assert_false (scope_document_knows_line (document, &line));
  lost = scope_text_describe_node (document, &line);
  g_assert_null (strstr (lost, " → "));
  scope_document_select_node (document, &line);
  assert_selected_alone (document, call);
  toy_finalize (document);
}

/* A line within a layer whose group is closed around it. */
static void
test_lines_within_closed_groups (void)
{
  ScopeDocument *document = open_groups ();
  SymId call = get_call (document, "right/b");
  SymGroups *groups = sym_folding_get_groups (scope_document_get_folding (document));
  g_autofree char *path = g_strdup_printf ("%u", call);
  g_autofree char *body = g_strdup_printf ("%ua", call);
  ScopeNode line;

  open_layer (document, path);
  line = find_inner_line (document, body);
  scope_document_select_node (document, &line);
  scope_document_close_group (document, sym_groups_get_n (groups) - 1);
  toy_wait (document);
  g_assert_false (is_drawn (document, "right/b"));
  assert_selected_alone (document, call);
  toy_finalize (document);
}

/* A line of a body that was another for other shapes. */
static void
test_lines_of_other_bodies (void)
{
  ScopeDocument *document = open_groups ();
  SymId call = get_call (document, "right/b");
  g_autofree char *path = g_strdup_printf ("%u", call);
  g_autofree char *body = g_strdup_printf ("%ua", call);
  ScopeNode line;

  open_layer (document, path);
  line = find_inner_line (document, body);
  line.to = 1000;
  g_assert_null (scope_document_get_inner_inference (document, &line));
  scope_document_select_node (document, &line);
  assert_selected_alone (document, call);
  toy_finalize (document);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/layers/open-and-close", test_opens_and_closes);
  g_test_add_func ("/app/layers/are-selected-with-what-is-within", test_selects_within);
  g_test_add_func ("/app/layers/are-left-when-they-close", test_closing_leaves_the_layer);
  g_test_add_func ("/app/layers/are-told-before-what-is-within", test_describes);
  g_test_add_func ("/app/layers/have-places-within", test_places);
  g_test_add_func ("/app/layers/are-traced-through", test_traces);
  g_test_add_func ("/app/layers/stay-where-they-are-opened", test_anchors);
  g_test_add_func ("/app/layers/hand-shapes-on", test_shapes);
  g_test_add_func ("/app/layers/tell-what-they-are-made-of", test_parts);
  g_test_add_func ("/app/layers/close-on-lines-that-are-come-back-to",
                   test_lines_within_closed_layers);
  g_test_add_func ("/app/layers/close-on-lines-with-their-groups", test_lines_within_closed_groups);
  g_test_add_func ("/app/layers/lose-lines-with-their-shapes", test_lines_of_other_bodies);
  return g_test_run ();
}
