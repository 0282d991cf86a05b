/* SPDX-License-Identifier: MIT */
#include "app/scope-place.h"

#include <string.h>

#include "app/scope-text.h"
#include "core/sym-model-builder.h"
#include "draw/sym-draw.h"
#include "loop.h"
#include "scene/sym-scene-body.h"

/* A diamond: x -> a, x -> b, (a, b) -> c, and a call without results that uses c. */
typedef struct {
  SymModel *model;
  SymInference *inference;
  SymScene *scene;
  SymLayout *layout;
  SymId x, a, b, c, sink;
} Diamond;

static SymId
add_call (SymModelBuilder *builder,
          const char *name,
          const SymId *operands,
          guint n_operands,
          SymId *result)
{
  g_autoptr (SymLayer) layer = sym_layer_new ("Layer", NULL, NULL);
  SymId call =
      sym_model_builder_add_call (builder, name, layer, operands, n_operands, result != NULL);

  if (result != NULL)
    {
      *result = sym_model_builder_get_result (builder, call, 0);
      sym_model_builder_set_value_name (builder, *result, name);
    }
  return call;
}

static void
set_up (Diamond *self, SymDirection direction)
{
  g_autoptr (GError) error = NULL;
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = SYM_TYPE_UNKNOWN;
  SymSceneOptions scene_options = { .drawing = SYM_DRAWING_DATA };
  SymLayoutOptions layout_options = { .direction = direction };

  self->x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  sym_model_builder_add_input (builder, self->x);
  add_call (builder, "a", &self->x, 1, &self->a);
  add_call (builder, "b", &self->x, 1, &self->b);
  add_call (builder, "c", (SymId[]){ self->a, self->b }, 2, &self->c);
  self->sink = add_call (builder, "sink", &self->c, 1, NULL);
  sym_model_builder_add_output (builder, self->c);
  self->model = sym_model_builder_end (builder);
  self->inference = sym_infer (self->model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  self->scene = sym_scene_new (self->inference, &scene_options);
  self->layout = sym_layout_new (self->scene, &layout_options, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Diamond *self)
{
  sym_layout_unref (self->layout);
  sym_scene_unref (self->scene);
  sym_inference_unref (self->inference);
  sym_model_unref (self->model);
}

static guint
find (Diamond *self, SymId value)
{
  return scope_place_find_item (self->layout, value, SYM_NO_ID);
}

static void
test_what_is_found_is_picked (void)
{
  Diamond d;

  set_up (&d, SYM_DIRECTION_DOWN);
  const SymId values[] = { d.x, d.a, d.b, d.c };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      SymRect rect;
      ScopeNode node;

      g_assert_true (scope_place_find (d.layout, values[i], SYM_NO_ID, &rect));
      g_assert_true (
          scope_place_pick (d.layout, rect.x + rect.width / 2, rect.y + rect.height / 2, 0, &node));
      g_assert_cmpuint (node.value, ==, values[i]);
      g_assert_cmpuint (node.call, ==, SYM_NO_ID);
    }
  tear_down (&d);
}

static void
test_chip_is_its_call (void)
{
  Diamond d;
  SymRect rect;
  ScopeNode node;

  set_up (&d, SYM_DIRECTION_DOWN);
  g_assert_true (scope_place_find (d.layout, SYM_NO_ID, d.sink, &rect));
  g_assert_true (
      scope_place_pick (d.layout, rect.x + rect.width / 2, rect.y + rect.height / 2, 0, &node));
  g_assert_cmpuint (node.call, ==, d.sink);
  g_assert_cmpuint (node.value, ==, SYM_NO_ID);
  tear_down (&d);
}

static void
test_nothing_is_at_an_empty_place (void)
{
  Diamond d;
  SymRect rect;
  ScopeNode node;

  set_up (&d, SYM_DIRECTION_DOWN);
  g_assert_false (scope_place_pick (d.layout, -1000, -1000, 0, &node));
  g_assert_false (scope_place_pick (d.layout, -1000, -1000, 100, &node));
  g_assert_cmpuint (node.value, ==, SYM_NO_ID);
  g_assert_cmpuint (node.call, ==, SYM_NO_ID);
  g_assert_false (scope_place_find (d.layout, SYM_NO_ID, SYM_NO_ID, &rect));
  tear_down (&d);
}

static void
test_steps_lead_to_parents_children_and_siblings (void)
{
  const SymDirection directions[] = { SYM_DIRECTION_DOWN, SYM_DIRECTION_RIGHT };

  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      Diamond d;

      set_up (&d, directions[i]);
      guint a = find (&d, d.a), b = find (&d, d.b);
      guint child = scope_place_step (d.layout, find (&d, d.x), SCOPE_STEP_CHILD);

      g_assert_true (child == a || child == b);
      g_assert_cmpuint (scope_place_step (d.layout, a, SCOPE_STEP_PARENT), ==, find (&d, d.x));
      g_assert_cmpuint (scope_place_step (d.layout, b, SCOPE_STEP_CHILD), ==, find (&d, d.c));
      guint left = scope_place_step (d.layout, a, SCOPE_STEP_PREVIOUS);
      guint right = scope_place_step (d.layout, a, SCOPE_STEP_NEXT);

      g_assert_true ((left == b) != (right == b));
      g_assert_cmpuint (scope_place_step (d.layout, find (&d, d.x), SCOPE_STEP_PARENT), ==,
                        G_MAXUINT);
      tear_down (&d);
    }
}

static void
test_lines_of_an_item_are_collected (void)
{
  Diamond d;
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint));

  set_up (&d, SYM_DIRECTION_DOWN);
  scope_place_collect_edges (d.layout, find (&d, d.c), edges);
  g_assert_cmpuint (edges->len, ==, 3);
  tear_down (&d);
}

/* Every line is selected by its value and where that leads, and found again by them. */
static void
test_lines_are_found_again (void)
{
  Diamond diamond;

  set_up (&diamond, SYM_DIRECTION_DOWN);
  guint n = sym_scene_get_n_edges (diamond.scene);

  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (diamond.scene, i);
      ScopeNode node;

      g_assert_true (scope_place_get_line (diamond.layout, i, &node));
      g_assert_true (scope_node_is_line (&node));
      g_assert_cmpuint (node.value, ==, edge->value);
      g_assert_cmpuint (node.to, ==, sym_scene_get_item (diamond.scene, edge->to)->call);
      g_assert_cmpuint (scope_place_find_line (diamond.layout, &node), ==, i);
      node.to = SYM_NO_ID; /* a node is no line */
      g_assert_cmpuint (scope_place_find_line (diamond.layout, &node), ==, G_MAXUINT);
    }
  ScopeNode none = scope_node_get (diamond.a, SYM_NO_ID);

  none.to = sym_model_get_producer (diamond.model, diamond.b); /* which does not use it */
  g_assert_cmpuint (scope_place_find_line (diamond.layout, &none), ==, G_MAXUINT);
  tear_down (&diamond);
}

static void
open_all_layers (ScopeDocument *document)
{
  SymScene *scene =
      sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      g_autofree char *path = sym_scene_get_call_path (scene, i);

      if (path != NULL)
        scope_document_open_layer (document, path);
    }
  toy_wait (document);
}

/* Into a body a line leads to the layer around it, within one to its calls; out of one it carries
 * nothing that has an id on both sides. */
static void
test_lines_of_bodies_are_found_again (void)
{
  g_autofree char *path = toy_write ("loop-symbol.json", LOOP);
  ScopeDocument *document = toy_open (path);
  guint n_inner = 0, n_around = 0;

  open_all_layers (document);
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  SymScene *scene = sym_layout_get_scene (layout);

  g_assert_cmpuint (sym_scene_get_n_bodies (scene), >, 1);
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      ScopeNode node;

      if (!scope_place_get_line (layout, i, &node))
        continue;
      guint found = scope_place_find_line (layout, &node);

      g_assert_cmpuint (found, !=, G_MAXUINT);
      g_assert_cmpuint (sym_scene_get_edge (scene, found)->from, ==, edge->from);
      g_assert_cmpuint (sym_scene_get_edge (scene, found)->value, ==, edge->value);
      n_inner += node.body != NULL;
      n_around += node.body == NULL && sym_scene_get_item (scene, edge->to)->body > 0;
      scope_document_select_node (document, &node);
      g_assert_cmpuint (scope_document_get_selected (document)->to, ==, node.to);
      g_autofree char *text =
          scope_text_describe_node (document, scope_document_get_selected (document));

      g_assert_nonnull (strstr (text, " → "));
    }
  g_assert_cmpuint (n_inner, >, 0);
  g_assert_cmpuint (n_around, >, 0);
  toy_finalize (document);
}

/* Beside a line, on it, and too far away from any. */
static void
test_lines_are_picked (void)
{
  Diamond diamond;
  SymPictureOptions options = { 0 };

  set_up (&diamond, SYM_DIRECTION_DOWN);
  g_autoptr (SymPicture) picture = sym_picture_new (diamond.layout, &options);
  SymRect extent = sym_picture_get_extent (picture);

  for (guint i = 0; i < sym_scene_get_n_edges (diamond.scene); i++)
    {
      guint n_points;
      const SymPoint *course = sym_layout_get_course (diamond.layout, i, &n_points);
      const SymPoint *p = course + (n_points - 1) / 3 / 2 * 3;
      double x = (p[0].x + 3 * p[1].x + 3 * p[2].x + p[3].x) / 8;
      double y = (p[0].y + 3 * p[1].y + 3 * p[2].y + p[3].y) / 8;

      g_assert_cmpuint (sym_picture_pick_line (picture, x, y, 1), ==, i);
      g_assert_cmpuint (sym_picture_pick_line (picture, x + 2, y, 3), !=, G_MAXUINT);
    }
  g_assert_cmpuint (sym_picture_pick_line (picture, extent.x - 50, extent.y - 50, 6), ==,
                    G_MAXUINT);
  tear_down (&diamond);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/place/what-is-found-is-picked", test_what_is_found_is_picked);
  g_test_add_func ("/app/place/chip-is-its-call", test_chip_is_its_call);
  g_test_add_func ("/app/place/nothing-is-at-an-empty-place", test_nothing_is_at_an_empty_place);
  g_test_add_func ("/app/place/steps-lead-to-parents-children-and-siblings",
                   test_steps_lead_to_parents_children_and_siblings);
  g_test_add_func ("/app/place/lines-of-an-item-are-collected",
                   test_lines_of_an_item_are_collected);
  g_test_add_func ("/app/place/lines-are-found-again", test_lines_are_found_again);
  g_test_add_func ("/app/place/lines-of-bodies-are-found-again",
                   test_lines_of_bodies_are_found_again);
  g_test_add_func ("/app/place/lines-are-picked", test_lines_are_picked);
  return g_test_run ();
}
