/* SPDX-License-Identifier: MIT */
#include "scene-graphs.h"

#include <math.h>
#include <string.h>

static const SymSceneOptions data = { .drawing = SYM_DRAWING_DATA };
static const SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };

static guint
find_item (const SymScene *scene, const char *name)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return i;
  g_error ("no item is called %s", name);
}

static gboolean
has_box (const SymScene *scene, const char *name, SymBoxKind kind)
{
  const SymSceneItem *item = sym_scene_get_item (scene, find_item (scene, name));
  gboolean result = FALSE;

  for (guint i = 0; i < item->n_boxes; i++)
    result = result || item->boxes[i].kind == kind;
  return result;
}

static const SymBox *
find_box (const SymScene *scene, const char *name, SymBoxKind kind)
{
  const SymSceneItem *item = sym_scene_get_item (scene, find_item (scene, name));

  for (guint i = 0; i < item->n_boxes; i++)
    if (item->boxes[i].kind == kind)
      return &item->boxes[i];
  g_error ("%s has no box of kind %d", name, kind);
}

static void
check_boxes (const SymScene *scene, const SymSceneItem *item)
{
  for (guint i = 0; i < item->n_boxes; i++)
    {
      const SymRect *rect = &item->boxes[i].rect;

      g_assert_nonnull (item->boxes[i].lines[0]);
      g_assert_cmpfloat (rect->x, >=, 0);
      g_assert_cmpfloat (rect->y, >=, 0);
      g_assert_cmpfloat (rect->x + rect->width, <=, item->width + 0.01);
      g_assert_cmpfloat (rect->y + rect->height, <=, item->height + 0.01);
      for (guint k = 0; k < i; k++)
        {
          const SymRect *other = &item->boxes[k].rect;

          g_assert_true (rect->x >= other->x + other->width || other->x >= rect->x + rect->width ||
                         rect->y >= other->y + other->height || other->y >= rect->y + rect->height);
        }
    }
  if (!sym_scene_get_sideways (scene))
    g_assert_cmpfloat (fmod (item->width, 32), ==, 0);
}

static void
check_scene (const SymScene *scene)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    check_boxes (scene, sym_scene_get_item (scene, i));
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      g_assert_cmpuint (edge->from, <, sym_scene_get_n_items (scene));
      g_assert_cmpuint (edge->to, <, sym_scene_get_n_items (scene));
      g_assert_cmpuint (edge->from_box, <, sym_scene_get_item (scene, edge->from)->n_boxes);
    }
}

static void
test_empty (void)
{
  g_autoptr (SymScene) scene = graph_scene (sym_model_builder_new (SYM_DIALECT_PLAIN), NULL);

  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 0);
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 0);
  g_assert_cmpuint (sym_scene_find_value (scene, 0), ==, G_MAXUINT);
  g_assert_cmpuint (sym_scene_find_call (scene, SYM_NO_ID), ==, G_MAXUINT);
}

/* y = f (x, w); z = g (y, y); r = random (); print (z) */
static SymModelBuilder *
make_mixed (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) print = sym_layer_new ("Print", NULL, NULL);
  SymId x = graph_input (builder, "x");
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4, 4));
  SymId w = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, &type);
  SymId y = graph_call (builder, "Fun", "y", (SymId[]){ x, w }, 2);
  SymId z = graph_call (builder, "Gun", "z", (SymId[]){ y, y }, 2);

  graph_call (builder, "Random", "r", NULL, 0);
  sym_model_builder_add_call (builder, "shout", print, &z, 1, 0);
  sym_model_builder_add_output (builder, z);
  return builder;
}

static void
test_items (void)
{
  const SymSceneOptions *options[] = { &data, &layers };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (SymScene) scene = graph_scene (make_mixed (), options[i]);

      check_scene (scene);
      g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 5);
      g_assert_cmpuint (sym_scene_get_item (scene, find_item (scene, "x"))->call, ==, SYM_NO_ID);
      g_assert_cmpuint (sym_scene_get_item (scene, find_item (scene, "shout"))->value, ==,
                        SYM_NO_ID);
      g_assert_cmpuint (sym_scene_find_value (scene, 1), ==, G_MAXUINT);
      g_assert_true (has_box (scene, "r", SYM_BOX_CHIP));
      g_assert_false (has_box (scene, "x", SYM_BOX_CHIP));
    }
}

static void
test_lines (void)
{
  g_autoptr (SymScene) scene = graph_scene (make_mixed (), &data);
  guint y = find_item (scene, "y");
  guint z = find_item (scene, "z");
  guint n = 0;

  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      g_assert_false (edge->is_back);
      g_assert_null (edge->label);
      n += edge->from == y && edge->to == z;
    }
  g_assert_cmpuint (n, ==, 1);
}

static void
test_kinds (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = graph_input (builder, "x");
  SymId y = graph_call (builder, "Fun", "y", &x, 1);
  SymId z = graph_call (builder, "Fun", "z", &y, 1);
  g_autoptr (SymScene) scene = NULL;

  sym_model_builder_add_output (builder, z);
  sym_model_builder_add_output (builder, x);
  scene = graph_scene (builder, &data);
  g_assert_true (has_box (scene, "x", SYM_BOX_INPUT));
  g_assert_true (has_box (scene, "y", SYM_BOX_HIDDEN));
  g_assert_true (has_box (scene, "z", SYM_BOX_OUTPUT));
}

static void
test_second_results (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Split", NULL, NULL);
  SymId x = graph_input (builder, "x");
  SymId call = sym_model_builder_add_call (builder, "split", layer, &x, 1, 4);
  SymId first = sym_model_builder_get_result (builder, call, 0);
  SymId third = sym_model_builder_get_result (builder, call, 2);
  g_autoptr (SymScene) scene = NULL;
  const SymSceneItem *item;
  const SymSceneEdge *edge;

  graph_call (builder, "Fun", "y", &third, 1);
  scene = graph_scene (builder, &data);
  check_scene (scene);
  item = sym_scene_get_item (scene, sym_scene_find_call (scene, call));
  g_assert_cmpuint (item->n_boxes, ==, 3);
  g_assert_cmpuint (item->boxes[1].value, ==, first);
  g_assert_cmpuint (item->boxes[2].value, ==, third);
  g_assert_cmpuint (sym_scene_find_value (scene, first + 1), ==, sym_scene_find_call (scene, call));
  edge = sym_scene_get_edge (scene, sym_scene_get_n_edges (scene) - 1);
  g_assert_cmpuint (edge->value, ==, third);
  g_assert_cmpuint (edge->from_box, ==, 2);
}

/* The box of what is first of those that are there. */
static void
test_absent_results (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("LSTM", NULL, NULL);
  SymId x = graph_input (builder, "x");
  SymId call = sym_model_builder_add_call (builder, "lstm", layer, &x, 1, 3);
  SymId second = sym_model_builder_get_result (builder, call, 1);
  g_autoptr (SymScene) scene = NULL;
  const SymSceneItem *item;

  sym_model_builder_set_role (builder, sym_model_builder_get_result (builder, call, 0),
                              SYM_ROLE_ABSENT);
  scene = graph_scene (builder, &data);
  check_scene (scene);
  item = sym_scene_get_item (scene, sym_scene_find_call (scene, call));
  g_assert_cmpuint (item->n_boxes, ==, 2);
  g_assert_cmpuint (item->boxes[1].value, ==, second);
}

static void
test_labels (void)
{
  const struct {
    SymLabels labels;
    const char *first;
    const char *second;
  } cases[] = {
    { 0, "x", "1×3×8×8" },
    { SYM_LABEL_NAME, "x", NULL },
    { SYM_LABEL_VARIABLE, "picture", NULL },
    { SYM_LABEL_NAME | SYM_LABEL_VARIABLE, "picture · x", NULL },
    { SYM_LABEL_NAME | SYM_LABEL_DTYPE, "x", "float32" },
    { SYM_LABEL_NAME | SYM_LABEL_SHAPE | SYM_LABEL_DTYPE, "x", "1×3×8×8 float32" },
    { SYM_LABEL_SHAPE, "1×3×8×8", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      SymSceneOptions options = { .labels = cases[i].labels };
      SymId x = graph_input (builder, "x");
      g_autoptr (SymScene) scene = NULL;
      const SymBox *box;

      sym_model_builder_set_variable (builder, x, "picture");
      scene = graph_scene (builder, &options);
      box = find_box (scene, "x", SYM_BOX_INPUT);
      g_assert_cmpstr (box->lines[0], ==, cases[i].first);
      g_assert_cmpstr (box->lines[1], ==, cases[i].second);
    }
}

static void
test_unknown_variable (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymSceneOptions options = { .labels = SYM_LABEL_VARIABLE };
  g_autoptr (SymScene) scene = NULL;

  graph_input (builder, "x");
  scene = graph_scene (builder, &options);
  g_assert_cmpstr (find_box (scene, "x", SYM_BOX_INPUT)->lines[0], ==, "?");
}

static char *
name_node (const SymInference *inference, SymId value, gpointer user_data)
{
  return value == 0 ? g_strdup_printf ("node\n%s", (const char *) user_data) : NULL;
}

static char *
name_edge (const SymModel *model, SymId call, gpointer user_data)
{
  return call == 0 ? g_strdup ("own") : NULL;
}

static void
test_callbacks (void)
{
  SymSceneOptions options = { .node_text = name_node, .edge_text = name_edge };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = graph_input (builder, "x");
  SymId y = graph_call (builder, "Fun", "y", &x, 1);
  g_autoptr (SymScene) scene = NULL;
  const SymBox *box;

  graph_call (builder, "Gun", "z", &y, 1);
  options.user_data = (gpointer) "text";
  scene = graph_scene (builder, &options);
  box = find_box (scene, "x", SYM_BOX_INPUT);
  g_assert_cmpstr (box->lines[0], ==, "node");
  g_assert_cmpstr (box->lines[1], ==, "text");
  g_assert_null (box->lines[2]);
  g_assert_cmpstr (find_box (scene, "y", SYM_BOX_HIDDEN)->lines[0], ==, "y");
  g_assert_cmpstr (find_box (scene, "y", SYM_BOX_CHIP)->lines[0], ==, "own");
  g_assert_cmpstr (find_box (scene, "z", SYM_BOX_CHIP)->lines[0], ==, "Gun");
}

static void
test_layer_drawing (void)
{
  g_autoptr (SymScene) scene = graph_scene (make_mixed (), &layers);
  const SymSceneItem *item = sym_scene_get_item (scene, find_item (scene, "y"));

  g_assert_cmpuint (item->n_boxes, ==, 1);
  g_assert_cmpint (item->boxes[0].kind, ==, SYM_BOX_CHIP);
  g_assert_cmpstr (item->boxes[0].lines[0], ==, "Fun");
  g_assert_cmpstr (item->boxes[0].lines[1], ==, "y");
  g_assert_cmpstr (sym_scene_get_edge (scene, 0)->label, ==, "1×3×8×8");
  /* What is not known is not written on the line. */
  g_assert_null (sym_scene_get_edge (scene, 1)->label);
}

static void
test_rotation (void)
{
  SymSceneOptions options = { .rotated_labels = TRUE };
  g_autoptr (SymScene) scene = graph_scene (make_mixed (), &options);
  g_autoptr (SymScene) upright = graph_scene (make_mixed (), NULL);
  const SymBox *chip = find_box (scene, "y", SYM_BOX_CHIP);
  const SymBox *other = find_box (upright, "y", SYM_BOX_CHIP);

  check_scene (scene);
  g_assert_true (chip->rotated);
  g_assert_false (other->rotated);
  g_assert_false (find_box (scene, "y", SYM_BOX_HIDDEN)->rotated);
  g_assert_cmpfloat (chip->rect.width, ==, other->rect.height);
  g_assert_cmpfloat (chip->rect.height, ==, other->rect.width);
}

static void
test_sideways (void)
{
  SymSceneOptions options = { .sideways = TRUE };
  g_autoptr (SymScene) scene = graph_scene (make_mixed (), &options);
  const SymBox *chip = find_box (scene, "y", SYM_BOX_CHIP);
  const SymBox *box = find_box (scene, "y", SYM_BOX_HIDDEN);

  check_scene (scene);
  g_assert_cmpfloat (chip->rect.x + chip->rect.width, <, box->rect.x);
  g_assert_cmpfloat (
      fabs (chip->rect.y + chip->rect.height / 2 - (box->rect.y + box->rect.height / 2)), <, 0.01);
}

static void
test_selection (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = graph_input (builder, "x");
  SymId a = graph_call (builder, "Fun", "a", &x, 1);
  SymId b = graph_call (builder, "Fun", "b", &a, 1);
  SymId c = graph_call (builder, "Fun", "c", &b, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSelection) selection = NULL;
  g_autoptr (SymScene) scene = NULL;
  SymSceneOptions options = { 0 };

  sym_model_builder_add_output (builder, c);
  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  selection = sym_selection_new (model, &a, 1, &b, 1, NULL, NULL);
  options.selection = selection;
  scene = sym_scene_new (inference, &options);

  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 2);
  g_assert_true (has_box (scene, "a", SYM_BOX_INPUT));
  g_assert_false (has_box (scene, "a", SYM_BOX_CHIP));
  g_assert_true (has_box (scene, "b", SYM_BOX_OUTPUT));
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 1);
  g_assert_cmpuint (sym_scene_find_value (scene, x), ==, G_MAXUINT);
  g_assert_cmpuint (sym_scene_find_value (scene, c), ==, G_MAXUINT);
}

static void
test_cycles (void)
{
  const guint lines[][2] = { { 0, 1 }, { 1, 2 }, { 2, 1 }, { 3, 3 } };
  g_autoptr (SymScene) scene = graph_lines (4, lines, G_N_ELEMENTS (lines), NULL);
  guint n_back = 0;

  check_scene (scene);
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 4);
  for (guint i = 0; i < 4; i++)
    n_back += sym_scene_get_edge (scene, i)->is_back;
  g_assert_cmpuint (n_back, ==, 2);
}

static void
test_control (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymId first = sym_model_builder_add_call (builder, "first", layer, NULL, 0, 1);
  SymId second = sym_model_builder_add_call (builder, "second", layer, NULL, 0, 1);
  g_autoptr (SymScene) scene = NULL;

  sym_model_builder_add_control (builder, second, first);
  scene = graph_scene (builder, NULL);
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 1);
  g_assert_true (sym_scene_get_edge (scene, 0)->is_control);
  g_assert_cmpuint (sym_scene_get_edge (scene, 0)->from, ==, 0);
}

static void
test_odd_names (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autofree char *longest = g_strnfill (100000, 'x');
  g_autoptr (SymScene) scene = NULL;

  graph_input (builder, "");
  graph_input (builder, "bad \xff utf-8");
  graph_input (builder, "日本語 مرحبا 🙂");
  graph_input (builder, "line\nbreak");
  graph_input (builder, longest);
  scene = graph_scene (builder, NULL);
  check_scene (scene);
  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      g_assert_true (g_utf8_validate (item->boxes[0].lines[0], -1, NULL));
      g_assert_cmpint (g_utf8_strlen (item->boxes[0].lines[0], -1), <=, 40);
      g_assert_cmpfloat (item->width, <, 1000);
    }
  g_assert_cmpstr (sym_scene_get_item (scene, 4)->name, ==, longest);
}

/* A layer that has no name is labelled by its type, in the middle of its box. */
static void
test_unnamed_layers (void)
{
  static const char *const names[] = { "", "  " };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      SymId input = graph_input (builder, "x");
      g_autoptr (SymScene) scene = NULL;

      graph_call (builder, "Relu", names[i], &input, 1);
      scene = graph_scene (builder, &layers);
      check_scene (scene);
      const SymBox *box = &sym_scene_get_item (scene, 1)->boxes[0];

      g_assert_cmpstr (box->lines[0], ==, "Relu");
      g_assert_null (box->lines[1]);
      g_assert_cmpfloat_with_epsilon (sym_box_get_text_style (box, 0).offset, 0, 1e-9);
    }
}

static void
test_long_chain (void)
{
  const guint n = 100000;
  g_autofree guint (*lines)[2] = g_malloc (n * sizeof *lines);
  g_autoptr (SymScene) scene = NULL;

  for (guint i = 0; i + 1 < n; i++)
    {
      lines[i][0] = i;
      lines[i][1] = i + 1;
    }
  scene = graph_lines (n, lines, n - 1, NULL);
  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, n);
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, n - 1);
}

static void
test_text_styles (void)
{
  g_autoptr (SymScene) scene = graph_scene (make_mixed (), NULL);
  const SymBox *box = find_box (scene, "x", SYM_BOX_INPUT);
  SymTextStyle first = sym_box_get_text_style (box, 0);
  SymTextStyle second = sym_box_get_text_style (box, 1);

  g_assert_true (first.bold);
  g_assert_false (second.bold);
  g_assert_cmpfloat (first.size, >, second.size);
  g_assert_cmpfloat (first.offset, <, 0);
  g_assert_cmpfloat (second.offset, >, 0);
  g_assert_cmpfloat (second.offset + second.size / 2, <, box->rect.height / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/an-empty-model-has-no-items", test_empty);
  g_test_add_func ("/scene/has-an-item-per-call-and-input", test_items);
  g_test_add_func ("/scene/has-one-line-however-often-a-call-uses-a-value", test_lines);
  g_test_add_func ("/scene/tells-inputs-outputs-and-hidden-values-apart", test_kinds);
  g_test_add_func ("/scene/draws-second-results-only-when-used", test_second_results);
  g_test_add_func ("/scene/has-no-box-for-absent-results", test_absent_results);
  g_test_add_func ("/scene/labels-boxes-as-asked", test_labels);
  g_test_add_func ("/scene/shows-an-unknown-variable-as-a-question-mark", test_unknown_variable);
  g_test_add_func ("/scene/lets-callbacks-write-texts", test_callbacks);
  g_test_add_func ("/scene/labels-lines-by-shape-when-layers-are-drawn", test_layer_drawing);
  g_test_add_func ("/scene/rotates-chips-only", test_rotation);
  g_test_add_func ("/scene/puts-chips-beside-boxes-when-sideways", test_sideways);
  g_test_add_func ("/scene/draws-only-what-a-selection-has", test_selection);
  g_test_add_func ("/scene/tells-lines-that-close-cycles", test_cycles);
  g_test_add_func ("/scene/has-lines-for-control", test_control);
  g_test_add_func ("/scene/stands-any-name", test_odd_names);
  g_test_add_func ("/scene/centres-the-type-of-unnamed-layers", test_unnamed_layers);
  g_test_add_func ("/scene/takes-a-chain-of-100000", test_long_chain);
  g_test_add_func ("/scene/sets-lines-within-their-box", test_text_styles);
  return g_test_run ();
}
