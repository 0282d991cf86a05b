/* SPDX-License-Identifier: MIT */
#include "nested-graphs.h"
#include "ops/sym-op.h"
#include "scene/sym-scene-body.h"

static const SymSceneOptions data = { .drawing = SYM_DRAWING_DATA };
static const SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS, .labels = SYM_LABEL_SHAPE };

/* Names of items in their order. */
static char *
list_items (const SymScene *scene)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", sym_scene_get_item (scene, i)->name);
  return g_string_free (names, FALSE);
}

static void
assert_items (const SymScene *scene, const char *expected)
{
  g_autofree char *names = list_items (scene);

  g_assert_cmpstr (names, ==, expected);
}

/* Lines as "from>to", sorted. */
static void
assert_lines (const SymScene *scene, const char *expected)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) words = g_strsplit (expected, " ", -1);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      g_ptr_array_add (lines,
                       g_strdup_printf ("%s>%s", sym_scene_get_item (scene, edge->from)->name,
                                        sym_scene_get_item (scene, edge->to)->name));
      /* The value is one of the model that the line begins in. */
      g_assert_cmpuint (sym_scene_find_value_in (
                            scene, sym_scene_get_item (scene, edge->from)->body, edge->value),
                        ==, edge->from);
    }
  for (guint i = 0; words[i]; i++)
    {
      guint at;

      if (!g_ptr_array_find_with_equal_func (lines, words[i], g_str_equal, &at))
        g_error ("there is no line %s", words[i]);
      g_ptr_array_remove_index (lines, at);
    }
  g_assert_cmpuint (lines->len, ==, 0);
}

static const SymSceneItem *
find_item (const SymScene *scene, const char *name)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return sym_scene_get_item (scene, i);
  g_error ("no item is called %s", name);
}

static void
test_closed (void)
{
  g_autoptr (SymModel) model = graph_nested (1);
  g_autoptr (SymScene) plain = graph_opened_scene (model, &data, "");
  const SymSceneItem *nest = find_item (plain, "nest");

  assert_items (plain, "x y flag first nest last");
  assert_lines (plain, "x>first first>nest y>nest flag>nest nest>last");
  g_assert_true (nest->has_bodies && nest->boxes[0].has_sign);
  g_assert_cmpuint (nest->first_body, ==, 0);
  g_assert_false (find_item (plain, "last")->has_bodies);
  g_assert_cmpuint (sym_scene_get_n_frames (plain), ==, 0);
  g_assert_cmpuint (sym_scene_get_n_bodies (plain), ==, 1);
  g_assert_cmpuint (sym_scene_get_n_left_closed (plain), ==, 0);
}

/* Where nothing can be opened, nothing says so, and there is no room for it. */
static void
test_not_told (void)
{
  g_autoptr (SymModel) model = graph_nested (1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  g_autoptr (SymScene) plain = sym_scene_new (inference, &data);
  g_autoptr (SymScene) closed = graph_opened_scene (model, &data, "");

  g_assert_false (find_item (plain, "nest")->has_bodies);
  g_assert_cmpfloat (find_item (plain, "nest")->boxes[0].rect.width, <,
                     find_item (closed, "nest")->boxes[0].rect.width);
}

/* The layer stays, below its body; the weight is drawn neither outside nor inside. */
static void
test_open (void)
{
  g_autoptr (SymModel) model = graph_nested (1);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");
  const SymSceneItem *add = find_item (scene, "5.add");
  const SymSceneFrame *frame = sym_scene_get_frame (scene, 0);

  assert_items (scene, "x y flag first nest last 5.p 5.q 5.add 5.end");
  assert_lines (scene, "x>first first>5.p y>5.q 5.p>5.add 5.q>5.add 5.add>5.end 5.end>nest "
                       "flag>nest nest>last");
  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 1);
  g_assert_cmpstr (frame->title, ==, "nest: then");
  g_assert_cmpuint (frame->group, ==, SYM_NO_GROUP);
  g_assert_cmpuint (frame->body, ==, 1);
  g_assert_cmpuint (frame->parent, ==, SYM_NO_FRAME);
  g_assert_cmpuint (add->frame, ==, 0);
  g_assert_cmpuint (add->body, ==, 1);
  g_assert_cmpstr (add->boxes[1].lines[0], ==, "add");
  g_assert_cmpuint (find_item (scene, "nest")->first_body, ==, 1);
  g_assert_cmpuint (find_item (scene, "nest")->frame, ==, SYM_NO_FRAME);
  g_assert_cmpint (find_item (scene, "5.p")->boxes[0].kind, ==, SYM_BOX_HIDDEN);
}

static void
test_several_bodies (void)
{
  g_autoptr (SymModel) model = graph_nested (2);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &layers, "*");

  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 2);
  g_assert_cmpstr (sym_scene_get_frame (scene, 1)->title, ==, "nest: else");
  assert_lines (scene,
                "x>first first>5a.p y>5a.q 5a.p>5a.add 5a.q>5a.add 5a.add>5a.end 5a.end>nest "
                "first>5b.p y>5b.q 5b.p>5b.add 5b.q>5b.add 5b.add>5b.end 5b.end>nest "
                "flag>nest nest>last");
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    if (sym_scene_get_item (scene, sym_scene_get_edge (scene, i)->to)->body > 0 &&
        sym_scene_get_item (scene, sym_scene_get_edge (scene, i)->from)->call == SYM_NO_ID)
      g_assert_cmpstr (sym_scene_get_edge (scene, i)->label, ==, "1×3×8×8");
}

/* Bodies are found by their paths, and what is in them by its ids there. */
static void
test_finds (void)
{
  g_autoptr (SymModel) model = graph_nested (2);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "1");
  guint body = sym_scene_find_body (scene, "1b");
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autofree char *path = NULL;
  guint item;

  g_assert_cmpuint (body, ==, 2);
  g_assert_cmpuint (sym_scene_find_body (scene, ""), ==, 0);
  g_assert_cmpuint (sym_scene_find_body (scene, "1c"), ==, G_MAXUINT);
  g_assert_cmpstr (sym_scene_get_body (scene, body)->name, ==, "else");
  g_assert_cmpstr (sym_scene_get_item (scene, sym_scene_get_item_around (scene, body))->name, ==,
                   "nest");
  item = sym_scene_find_call_in (scene, body, 0);
  g_assert_cmpstr (sym_scene_get_item (scene, item)->name, ==, "5b.add");
  g_assert_cmpstr (sym_scene_get_item (scene, sym_scene_find_call (scene, 0))->name, ==, "first");
  g_assert_cmpuint (sym_scene_get_call_around (scene, item), ==, 1);
  sym_scene_collect_calls (scene, item, calls);
  g_assert_cmpuint (calls->len, ==, 1);
  g_assert_cmpuint (g_array_index (calls, SymId, 0), ==, 1);
  g_assert_null (sym_scene_get_call_path (scene, item));
  path = sym_scene_get_call_path (scene, sym_scene_find_call (scene, 1));
  g_assert_cmpstr (path, ==, "1");
}

/* Only what is open within what is open is drawn. */
static void
test_levels (void)
{
  g_autoptr (SymModel) model = graph_deep (3, 1);
  g_autoptr (SymScene) two = graph_opened_scene (model, &data, "0a/0");
  g_autoptr (SymOpenBodies) closed = sym_open_bodies_close (sym_scene_get_open_bodies (two), "0");
  SymSceneOptions options = { .open_bodies = closed };
  g_autoptr (SymScene) none = sym_scene_new (sym_scene_get_inference (two), &options);

  assert_items (two, "x nest end 2.x 2.nest 2.end 2.2.x 2.2.nest 2.2.end");
  g_assert_cmpuint (sym_scene_get_frame (two, 1)->parent, ==, 0);
  assert_items (none, "x nest end");
}

/* Depth and size are bounded, and what that leaves out is counted. */
static void
test_bounds (void)
{
  g_autoptr (SymModel) deep = graph_deep (40, 1);
  g_autoptr (SymModel) wide = graph_deep (30, 2);
  g_autoptr (SymScene) deep_scene = graph_opened_scene (deep, &data, "*");
  g_autoptr (SymScene) wide_scene = graph_opened_scene (wide, &data, "*");

  g_assert_cmpuint (sym_scene_get_n_bodies (deep_scene), ==, 1 + 32);
  g_assert_cmpuint (sym_scene_get_n_left_closed (deep_scene), ==, 1);
  g_assert_cmpuint (sym_scene_get_n_items (wide_scene), >, 10000);
  g_assert_cmpuint (sym_scene_get_n_items (wide_scene), <=, 100000);
  g_assert_cmpuint (sym_scene_get_n_left_closed (wide_scene), >, 0);
}

/* A body can be empty, hand on what it takes, or take more than there is. */
static void
test_odd_bodies (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymModel) empty = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  SymModelBuilder *through_builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId p = graph_input (through_builder, "p");
  g_autoptr (SymModel) through = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymScene) scene = NULL;
  SymId x = graph_input (builder, "x");

  graph_input (through_builder, "more");
  sym_model_builder_add_output (through_builder, p);
  sym_model_builder_add_output (through_builder, p);
  through = sym_model_builder_end (through_builder);
  graph_call_with_bodies (builder, "nest", (SymModel *[]){ empty, through }, 2,
                          (SymId[]){ x, SYM_NO_ID, x }, 3);
  model = sym_model_builder_end (builder);
  scene = graph_opened_scene (model, &data, "*");
  assert_items (scene, "x nest 2b.p 2b.more");
  assert_lines (scene, "x>2b.p 2b.p>nest x>nest");
  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 1);
  g_assert_cmpuint (sym_scene_get_body (scene, 1)->frame, ==, SYM_NO_FRAME);
}

/* Two bodies of p, q and k, that take nothing, and k: each k stands behind all operands. */
static void
test_captures (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymModel) inner = graph_inner ();
  g_autoptr (SymLayer) layer = sym_layer_new ("Nest", NULL, NULL);
  SymId operands[] = { graph_input (builder, "a"), graph_input (builder, "b"),
                       graph_input (builder, "c"), graph_input (builder, "d") };
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymScene) scene = NULL;
  guint n_found = 0;
  SymId call;

  for (guint i = 0; i < 2; i++)
    {
      sym_layer_add_body (layer, i == 0 ? "then" : "else", inner, FALSE);
      sym_layer_set_body_captures (layer, i, 1);
    }
  call = sym_model_builder_add_call (builder, "nest", layer, operands, 4, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  scene = graph_opened_scene (model, &data, "*");
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      const SymSceneItem *to = sym_scene_get_item (scene, edge->to);

      if (!g_str_has_suffix (to->name, ".k"))
        continue;
      n_found++;
      g_assert_cmpstr (sym_scene_get_item (scene, edge->from)->name, ==, to->body == 1 ? "c" : "d");
    }
  g_assert_cmpuint (n_found, ==, 2);
}

/* What the branches of an If have as inputs, which is against the rules, is not the condition. */
static void
test_condition (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymModel) inner = graph_inner ();
  g_autoptr (SymLayer) layer = sym_layer_new ("If", sym_op_find ("", "If", 1), NULL);
  SymId condition = graph_input (builder, "condition");
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymScene) scene = NULL;
  SymId call;

  sym_layer_add_body (layer, "then_branch", inner, TRUE);
  sym_layer_add_body (layer, "else_branch", inner, TRUE);
  call = sym_model_builder_add_call (builder, "if", layer, &condition, 1, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  scene = graph_opened_scene (model, &data, "*");
  g_assert_cmpuint (sym_scene_get_n_bodies (scene), ==, 3);
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      if (g_str_equal (sym_scene_get_item (scene, edge->from)->name, "condition"))
        g_assert_cmpuint (sym_scene_get_item (scene, edge->to)->call, ==, call);
      else
        g_assert_cmpuint (sym_scene_get_item (scene, edge->from)->body, >, 0);
    }
}

/* x of shape [unknown, 5, 3] -> y, by a layer of Keras with weights of these shapes, and with
 * @n_absent operands behind them that it is not given. */
static SymModel *
make_keras_without (const char *name,
                    const char *activation,
                    const SymShape *weights,
                    guint n_weights,
                    guint n_absent)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  SymType x = sym_type_tensor (SYM_DTYPE_FLOAT32,
                               (SymShape){ .rank = 3, .dims = { SYM_DIM_UNKNOWN, 5, 3 } });
  SymId operands[6] = { sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &x) };
  g_autoptr (SymLayer) layer = NULL;
  SymId call, y;

  g_assert_cmpuint (1 + n_weights + n_absent, <=, G_N_ELEMENTS (operands));

  sym_model_builder_add_input (builder, operands[0]);
  sym_attributes_set (attributes, "units", sym_value_new_int (4), NULL);
  sym_attributes_set (attributes, "activation", sym_value_new_string (activation), NULL);
  layer = sym_layer_new (name, sym_op_find ("keras", name, 1), attributes);
  for (guint i = 0; i < n_weights; i++)
    {
      SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, weights[i]);

      operands[i + 1] = sym_model_builder_add_value (builder, NULL, SYM_ROLE_PARAMETER, &type);
    }
  for (guint i = 0; i < n_absent; i++)
    operands[n_weights + 1 + i] = SYM_NO_ID;
  call = sym_model_builder_add_call (builder, "y", layer, operands, n_weights + 1 + n_absent, 1);
  y = sym_model_builder_get_result (builder, call, 0);
  sym_model_builder_set_value_name (builder, y, "y");
  sym_model_builder_add_output (builder, y);
  return sym_model_builder_end (builder);
}

/* x of shape [unknown, unknown, 3] -> y, by windows of 3 along the middle axis. */
static SymModel *
make_windows (gint64 stride, const char *padding)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  SymShape shape = { .rank = 3, .dims = { SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, 3 } };
  SymType x = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymType kernel = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3, 3, 4));
  SymType bias = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (4));
  SymId operands[3] = {
    sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &x),
    sym_model_builder_add_value (builder, "kernel", SYM_ROLE_PARAMETER, &kernel),
    sym_model_builder_add_value (builder, "bias", SYM_ROLE_PARAMETER, &bias),
  };
  g_autoptr (SymLayer) layer = NULL;
  SymId call, y;

  sym_model_builder_add_input (builder, operands[0]);
  sym_attributes_set (attributes, "filters", sym_value_new_int (4), NULL);
  sym_attributes_set (attributes, "kernel_size", sym_value_new_int (3), NULL);
  sym_attributes_set (attributes, "strides", sym_value_new_int (stride), NULL);
  sym_attributes_set (attributes, "padding", sym_value_new_string (padding), NULL);
  sym_attributes_set (attributes, "activation", sym_value_new_string ("relu"), NULL);
  layer = sym_layer_new ("Conv1D", sym_op_find ("keras", "Conv1D", 1), attributes);
  call = sym_model_builder_add_call (builder, "y", layer, operands, 3, 1);
  y = sym_model_builder_get_result (builder, call, 0);
  sym_model_builder_set_value_name (builder, y, "y");
  sym_model_builder_add_output (builder, y);
  return sym_model_builder_end (builder);
}

static SymModel *
make_keras (const char *name, const char *activation, const SymShape *weights, guint n_weights)
{
  return make_keras_without (name, activation, weights, n_weights, 0);
}

static void
assert_parts (SymModel *model, const char *expected)
{
  g_autoptr (SymScene) closed = graph_opened_scene (model, &data, "");
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");
  g_autoptr (GString) texts = g_string_new (NULL);

  g_assert_true (find_item (closed, "y")->has_bodies && find_item (closed, "y")->boxes[0].has_sign);
  g_assert_cmpuint (sym_scene_get_n_left_closed (scene), ==, 0);
  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 1);
  g_assert_true (sym_scene_get_body (scene, 1)->is_made);
  g_assert_false (sym_scene_get_body (scene, 0)->is_made);
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      if (item->body > 0 && item->call != SYM_NO_ID)
        g_string_append_printf (texts, "%s%s", texts->len > 0 ? ", " : "", item->boxes[0].lines[0]);
    }
  g_assert_cmpstr (texts->str, ==, expected);
}

/* Neither the weights, nor how they are arranged, nor states that nobody asked for. */
static void
test_parts (void)
{
  static const SymShape dense[] = { { .rank = 2, .dims = { 3, 4 } }, { .rank = 1, .dims = { 4 } } };
  static const SymShape lstm[] = { { .rank = 2, .dims = { 3, 16 } },
                                   { .rank = 2, .dims = { 4, 16 } },
                                   { .rank = 1, .dims = { 16 } } };
  g_autoptr (SymModel) activated = make_keras ("Dense", "relu", dense, 2);
  g_autoptr (SymModel) plain = make_keras ("Dense", "linear", dense, 2);
  g_autoptr (SymModel) recurrent = make_keras ("LSTM", "tanh", lstm, 3);
  g_autoptr (SymScene) scene = graph_opened_scene (plain, &data, "*");

  assert_parts (activated, "MatMul, Add, Relu");
  assert_parts (recurrent, "Transpose [1, 0, 2], LSTM 4, Reshape");
  g_assert_false (find_item (scene, "y")->has_bodies);
}

/* What a layer could be given and is not is no box without a line. */
static void
test_absent_operands (void)
{
  static const SymShape lstm[] = { { .rank = 2, .dims = { 3, 16 } },
                                   { .rank = 2, .dims = { 4, 16 } },
                                   { .rank = 1, .dims = { 16 } } };
  g_autoptr (SymModel) model = make_keras_without ("LSTM", "tanh", lstm, 3, 2);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");
  guint n_inputs = 0;

  assert_parts (model, "Transpose [1, 0, 2], LSTM 4, Reshape");
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      n_inputs += item->body > 0 && item->call == SYM_NO_ID ? 1 : 0;
    }
  g_assert_cmpuint (n_inputs, ==, 1);
}

/* Of all that is drawn in the first body. */
static void
assert_sizes (const SymScene *scene, const char *expected)
{
  const SymInference *inference = sym_scene_get_body (scene, 1)->inference;
  g_autoptr (GString) texts = g_string_new (NULL);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      if (item->body > 0 && item->value != SYM_NO_ID)
        {
          SymType type = sym_inference_get_type (inference, item->value);
          g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

          g_string_append_printf (texts, "%s ", text);
        }
    }
  g_assert_cmpstr (texts->str, ==, expected);
}

/* A size that nobody told is as unknown in what is made for it, whatever it was made with. */
static void
test_sizes_of_parts (void)
{
  static const SymShape lstm[] = { { .rank = 2, .dims = { 3, 16 } },
                                   { .rank = 2, .dims = { 4, 16 } },
                                   { .rank = 1, .dims = { 16 } } };
  g_autoptr (SymModel) model = make_keras ("LSTM", "tanh", lstm, 3);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");

  assert_sizes (scene, "?,5,3 5,?,3 1,?,4 ?,4 ");
}

/* Nor is one known that is the same for small sizes only, or unknown as a window is too large for
 * them. */
static void
test_sizes_of_windows (void)
{
  g_autoptr (SymModel) wide = make_windows (32, "same");
  g_autoptr (SymModel) valid = make_windows (2, "valid");
  g_autoptr (SymScene) wide_scene = graph_opened_scene (wide, &data, "*");
  g_autoptr (SymScene) valid_scene = graph_opened_scene (valid, &data, "*");

  assert_sizes (wide_scene, "?,?,3 ?,3,? ?,4,? ?,?,4 ?,?,4 ");
  assert_sizes (valid_scene, "?,?,3 ?,3,? ?,4,? ?,?,4 ?,?,4 ");
}

/* They are known as what is not drawn: all of the model around them is something else. */
static void
test_hidden (void)
{
  static const SymShape lstm[] = { { .rank = 2, .dims = { 3, 16 } },
                                   { .rank = 2, .dims = { 4, 16 } },
                                   { .rank = 1, .dims = { 16 } } };
  g_autoptr (SymModel) model = make_keras ("LSTM", "tanh", lstm, 3);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");
  SymModel *body = sym_inference_get_model (sym_scene_get_body (scene, 1)->inference);
  SymIds inputs = sym_model_get_inputs (body), outputs = sym_model_get_outputs (body);
  guint n_hidden = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    g_assert_false (sym_scene_is_hidden (scene, 0, value));
  for (guint i = 0; i < inputs.n; i++)
    g_assert_true (sym_scene_is_hidden (scene, 1, inputs.ids[i]) == (i > 0));
  for (guint i = 0; i < outputs.n; i++)
    g_assert_false (sym_scene_is_hidden (scene, 1, outputs.ids[i]));
  for (SymId value = 0; value < sym_model_get_n_values (body); value++)
    if (sym_scene_is_hidden (scene, 1, value))
      n_hidden++;
  g_assert_cmpuint (n_hidden, >, inputs.n - 1);
  g_assert_false (sym_scene_is_hidden (scene, 1, SYM_NO_ID));
}

/* What cannot be made is left closed, and told apart from what has no room. */
static void
test_parts_that_cannot_be_made (void)
{
  static const SymShape wrong[] = { { .rank = 2, .dims = { 3, 4 } }, { .rank = 1, .dims = { 4 } } };
  g_autoptr (SymModel) model = make_keras ("Dense", "no such function", wrong, 2);
  g_autoptr (SymScene) scene = graph_opened_scene (model, &data, "*");

  assert_items (scene, "x y");
  g_assert_cmpuint (sym_scene_get_n_not_made (scene), ==, 1);
  g_assert_cmpuint (sym_scene_get_n_left_closed (scene), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/bodies/closed-layers-say-that-they-can-be-opened", test_closed);
  g_test_add_func ("/scene/bodies/are-not-told-where-none-can-be-opened", test_not_told);
  g_test_add_func ("/scene/bodies/stand-between-operands-and-layer", test_open);
  g_test_add_func ("/scene/bodies/each-has-a-frame", test_several_bodies);
  g_test_add_func ("/scene/bodies/are-found-by-their-paths", test_finds);
  g_test_add_func ("/scene/bodies/open-level-by-level", test_levels);
  g_test_add_func ("/scene/bodies/are-bounded", test_bounds);
  g_test_add_func ("/scene/bodies/may-be-odd", test_odd_bodies);
  g_test_add_func ("/scene/bodies/take-what-is-outside-from-behind-the-operands", test_captures);
  g_test_add_func ("/scene/bodies/of-an-if-do-not-take-the-condition", test_condition);
  g_test_add_func ("/scene/bodies/tell-what-composite-layers-are-made-of", test_parts);
  g_test_add_func ("/scene/bodies/know-what-is-hidden", test_hidden);
  g_test_add_func ("/scene/bodies/have-no-operands-that-are-absent", test_absent_operands);
  g_test_add_func ("/scene/bodies/leave-what-is-unknown-unknown", test_sizes_of_parts);
  g_test_add_func ("/scene/bodies/leave-sizes-of-windows-unknown", test_sizes_of_windows);
  g_test_add_func ("/scene/bodies/that-cannot-be-made-stay-closed", test_parts_that_cannot_be_made);
  return g_test_run ();
}
