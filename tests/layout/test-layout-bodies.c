/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"

#include "../scene/nested-graphs.h"
#include "scene/sym-scene-body.h"

static SymLayout *
lay_out (SymModel *model, const char *open, SymDirection direction, SymDrawing drawing)
{
  SymSceneOptions scene_options = { .sideways = direction == SYM_DIRECTION_RIGHT,
                                    .drawing = drawing };
  SymLayoutOptions options = { .direction = direction };
  g_autoptr (SymScene) scene = graph_opened_scene (model, &scene_options, open);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, &options, NULL, &error);

  g_assert_no_error (error);
  return layout;
}

static void
test_all_ways (void)
{
  g_autoptr (SymModel) nested = graph_nested (3);
  g_autoptr (SymModel) deep = graph_deep (3, 2);
  SymModel *models[] = { nested, deep };

  for (guint i = 0; i < 8; i++)
    {
      SymModel *model = models[i / 4];
      g_autoptr (SymLayout) layout =
          lay_out (model, "*", (SymDirection) (i / 2 % 2), (SymDrawing) (i % 2));
      g_autoptr (SymLayout) again =
          lay_out (model, "*", (SymDirection) (i / 2 % 2), (SymDrawing) (i % 2));

      layout_check (layout);
      layout_check_smooth (layout);
      layout_check_equal (layout, again);
    }
}

/* The bodies of a layer lie between what it takes and the layer, beside each other. */
static void
test_beside (void)
{
  g_autoptr (SymModel) model = graph_nested (3);
  g_autoptr (SymLayout) layout = lay_out (model, "*", SYM_DIRECTION_DOWN, SYM_DRAWING_DATA);
  SymScene *scene = sym_layout_get_scene (layout);
  SymRect first = layout_rect (layout, sym_scene_find_call (scene, 0));
  SymRect nest = layout_rect (layout, sym_scene_find_call (scene, 1));

  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      SymRect rect = sym_layout_get_frame_rect (layout, i);
      SymRect next = sym_layout_get_frame_rect (layout, (i + 1) % 3);

      g_assert_cmpfloat (rect.y, >=, first.y + first.height);
      g_assert_cmpfloat (rect.y + rect.height, <=, nest.y);
      g_assert_true (rect.x + rect.width <= next.x || next.x + next.width <= rect.x);
    }
}

/* p, q -> a copy of p, and four calls of both. */
static SymModel *
make_body (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId p = graph_input (builder, "next_in"), q = graph_input (builder, "next");
  SymId copy = graph_call (builder, "Identity", "next_out", &p, 1);
  SymId value = graph_call (builder, "Sub", "diff", (SymId[]){ p, q }, 2);

  value = graph_call (builder, "ReduceSumSquare", "norm", &value, 1);
  value = graph_call (builder, "Squeeze", "scan_out", &value, 1);
  sym_model_builder_add_output (builder, copy);
  sym_model_builder_add_output (builder, value);
  return sym_model_builder_end (builder);
}

static SymId
graph_chain (SymModelBuilder *builder, const char *name, SymId value, guint n)
{
  for (guint i = 0; i < n; i++)
    value = graph_call (builder, "Step", name, &value, 1);
  return value;
}

typedef struct {
  SymModelBuilder *builder;
  SymModel *inner;
  SymId x, left, right, scale; /* the scale is SYM_NO_ID before it is needed */
} Arms;

static SymId
graph_shift (Arms *self)
{
  SymId turned = graph_call (self->builder, "Turn", "turned", &self->left, 1);
  SymId product =
      graph_call (self->builder, "MatMul", "product", (SymId[]){ turned, self->left }, 2);

  return graph_chain (self->builder, "shift", product, 1);
}

/* The second result of a call of a layer with a body. */
static SymId
graph_nest (Arms *self, SymId value)
{
  g_autoptr (SymLayer) layer = sym_layer_new ("Nest", NULL, NULL);
  SymId call;

  sym_layer_add_body (layer, "body", self->inner, FALSE);
  call = sym_model_builder_add_call (self->builder, "nest", layer, (SymId[]){ value, value }, 2, 2);
  for (guint i = 0; i < 2; i++)
    sym_model_builder_set_value_name (
        self->builder, sym_model_builder_get_result (self->builder, call, i),
        i == 0 ? "what_the_body_began_with" : "what_the_body_came_to");
  return sym_model_builder_get_result (self->builder, call, 1);
}

/* Normed, through a layer with a body, scaled and shifted. */
static SymId
graph_arm (Arms *self, SymId shift)
{
  SymModelBuilder *builder = self->builder;
  SymId mean = graph_chain (builder, "mean", self->right, 3);
  SymId norm = graph_call (builder, "Div", "norm", (SymId[]){ self->x, mean }, 2);
  SymId nest = graph_nest (self, norm);
  SymId scaled;

  if (self->scale == SYM_NO_ID)
    self->scale = graph_chain (builder, "scale", self->left, 3);
  scaled = graph_call (builder, "Mul", "scaled", (SymId[]){ nest, self->scale }, 2);
  return graph_call (builder, "Mul", "end",
                     (SymId[]){ graph_chain (builder, "e", scaled, 1), shift }, 2);
}

/* The call and all that leads on from its last result stand in one line. */
static void
check_line (const SymLayout *layout, SymModel *model, SymId call)
{
  SymScene *scene = sym_layout_get_scene (layout);
  SymRect start = layout_rect (layout, sym_scene_find_call (scene, call));

  for (;;)
    {
      SymIds results = sym_model_get_results (model, call);
      SymIds users = sym_model_get_consumers (model, results.ids[results.n - 1]);
      SymRect rect = layout_rect (layout, sym_scene_find_call (scene, call));

      g_assert_cmpfloat_with_epsilon (rect.x + rect.width / 2, start.x + start.width / 2, 0.5);
      if (users.n == 0)
        return;
      call = users.ids[0];
    }
}

/* Two arms that could change places: only one of them has its layer open. */
static void
test_trunk (void)
{
  Arms arms = { .builder = sym_model_builder_new (SYM_DIALECT_PLAIN), .scale = SYM_NO_ID };
  g_autoptr (SymModel) inner = make_body ();
  g_autoptr (SymModel) model = NULL;
  SymId ends[2];

  arms.inner = inner;
  arms.x = graph_input (arms.builder, "x");
  arms.left = graph_chain (arms.builder, "l", arms.x, 3);
  ends[0] = graph_shift (&arms);
  arms.right = graph_chain (arms.builder, "r", arms.x, 3);
  ends[0] = graph_arm (&arms, ends[0]);
  ends[1] = graph_shift (&arms);
  ends[1] = graph_arm (&arms, ends[1]);
  sym_model_builder_add_output (arms.builder, graph_call (arms.builder, "Add", "sum", ends, 2));
  model = sym_model_builder_end (arms.builder);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      g_autofree char *path = g_strdup_printf ("%u", call);
      g_autoptr (SymLayout) layout = NULL;

      if (sym_layer_get_n_bodies (sym_model_get_layer (model, call)) == 0)
        continue;
      layout = lay_out (model, path, SYM_DIRECTION_DOWN, SYM_DRAWING_DATA);
      g_assert_cmpuint (sym_scene_get_n_frames (sym_layout_get_scene (layout)), ==, 1);
      check_line (layout, model, call - 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/bodies/have-what-is-theirs-within", test_all_ways);
  g_test_add_func ("/layout/bodies/stand-beside-each-other-above-their-layer", test_beside);
  g_test_add_func ("/layout/bodies/one-open-of-two-arms-leaves-the-trunk-straight", test_trunk);
  return g_test_run ();
}
