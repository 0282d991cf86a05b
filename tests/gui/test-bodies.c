/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"
#include "app/scope-inspector.h"
#include "app/scope-place.h"
#include "loop.h"
#include "robot.h"
#include "scene/sym-scene-body.h"

#define NEAR 2.5 /* pixels; views lie on whole ones */

static SymLayout *
get_layout (Robot *robot)
{
  return sym_picture_get_layout (scope_document_get_picture (robot_get_document (robot)));
}

static guint
find_item (Robot *robot, const char *name)
{
  SymScene *scene = sym_layout_get_scene (get_layout (robot));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return i;
  return G_MAXUINT;
}

static gboolean
is_drawn (Robot *robot, const char *name)
{
  return find_item (robot, name) != G_MAXUINT;
}

static SymPoint
to_pixels (Robot *robot, double x, double y)
{
  GtkWidget *canvas = robot_find_part (robot, SCOPE_TYPE_CANVAS);
  SymPoint point;

  scope_viewport_to_widget (scope_canvas_get_viewport (SCOPE_CANVAS (canvas)), x, y, &point.x,
                            &point.y);
  return point;
}

/* The middle of an item's first box, or its left end, where the sign is; in pixels. */
static SymPoint
find_chip (Robot *robot, const char *name, gboolean at_sign)
{
  guint item = find_item (robot, name);

  g_assert_cmpuint (item, !=, G_MAXUINT);
  SymPoint corner = sym_layout_get_position (get_layout (robot), item);
  SymRect box = sym_scene_get_item (sym_layout_get_scene (get_layout (robot)), item)->boxes[0].rect;

  return to_pixels (robot, corner.x + box.x + (at_sign ? box.height / 2 : box.width / 2),
                    corner.y + box.y + box.height / 2);
}

static void
point (Robot *robot, SymPoint at, const char *then)
{
  robot_point (robot_find_part (robot, SCOPE_TYPE_CANVAS), at.x, at.y, then);
  robot_settle (robot);
}

static void
assert_same_place (SymPoint a, SymPoint b)
{
  g_assert_cmpfloat_with_epsilon (a.x, b.x, NEAR);
  g_assert_cmpfloat_with_epsilon (a.y, b.y, NEAR);
}

static void
start (Robot *robot)
{
  g_autofree char *path = toy_write ("loop-symbol.json", LOOP);

  robot_start (robot, path);
  g_assert_false (is_drawn (robot, "3.sum_output"));
}

/* The same click opens and closes, and what is clicked stays under the pointer. */
static void
test_sign_opens_and_closes (void)
{
  Robot robot;
  SymPoint before;

  start (&robot);
  before = find_chip (&robot, "loop_output0", TRUE);
  point (&robot, before, "click 1");
  g_assert_true (is_drawn (&robot, "3.sum_output"));
  assert_same_place (find_chip (&robot, "loop_output0", TRUE), before);
  point (&robot, before, "click 1");
  g_assert_false (is_drawn (&robot, "3.sum_output"));
  assert_same_place (find_chip (&robot, "loop_output0", TRUE), before);
  robot_stop (&robot);
}

/* Two clicks that a busy machine tells too late are none that belong together: then it is done
 * again. */
static void
double_click (Robot *robot, const char *chip, const char *inside)
{
  for (guint i = 0; i < 3 && !is_drawn (robot, inside); i++)
    {
      if (i > 0)
        g_test_message ("the double click on %s is done again", chip);
      point (robot, find_chip (robot, chip, FALSE), "click --repeat 2 --delay 60 1");
    }
  g_assert_true (is_drawn (robot, inside));
}

/* A double click opens, also within; a click on a title closes, and brings the layer there. */
static void
test_double_click_opens_and_title_closes (void)
{
  Robot robot;
  SymRect title;
  SymPoint at, chip;

  start (&robot);
  double_click (&robot, "loop_output0", "3.sum_output");
  robot_do ("key f");
  robot_settle (&robot);
  double_click (&robot, "3.again_output0", "3.4.inner_output");
  robot_do ("key f");
  robot_settle (&robot);
  title = sym_layout_get_frame_title_rect (get_layout (&robot), 1);
  at = to_pixels (&robot, title.x + title.width / 2, title.y + title.height / 2);
  point (&robot, at, "click 1");
  g_assert_false (is_drawn (&robot, "3.4.inner_output"));
  g_assert_true (is_drawn (&robot, "3.sum_output"));
  chip = find_chip (&robot, "3.again_output0", FALSE);
  g_assert_cmpfloat (ABS (chip.x - at.x) + ABS (chip.y - at.y), <, 150);
  robot_stop (&robot);
}

static void
test_keys_open_and_close (void)
{
  static const char *const keys[][2] = { { "Return", "BackSpace" }, { "plus", "minus" } };
  Robot robot;

  start (&robot);
  point (&robot, find_chip (&robot, "loop_output0", FALSE), "click 1");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      robot_do ("key %s", keys[i][0]);
      robot_settle (&robot);
      g_assert_true (is_drawn (&robot, "3.sum_output"));
      robot_do ("key %s", keys[i][1]);
      robot_settle (&robot);
      g_assert_false (is_drawn (&robot, "3.sum_output"));
    }
  /* An arrow key leads into what is open, and from there the body is closed. */
  robot_do ("key Return");
  robot_settle (&robot);
  robot_do ("key Up");
  robot_settle (&robot);
  g_assert_cmpstr (scope_document_get_selected (robot_get_document (&robot))->body, ==, "0a");
  robot_do ("key BackSpace");
  robot_settle (&robot);
  g_assert_false (is_drawn (&robot, "3.sum_output"));
  g_assert_null (scope_document_get_selected (robot_get_document (&robot))->body);
  robot_wait_selected (&robot, "loop_output0");
  robot_stop (&robot);
}

/* What is within is looked at: the layer around it is what the rest of the window shows. */
static void
test_inspector_tells_what_is_within (void)
{
  Robot robot;
  GtkWidget *inspector, *list;
  ScopeDocument *document;

  start (&robot);
  document = robot_get_document (&robot);
  inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);
  point (&robot, find_chip (&robot, "loop_output0", FALSE), "click 1");
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "body"));
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "2 layers"));
  robot_click (robot_find (inspector, GTK_TYPE_BUTTON, "Open Layer"));
  robot_settle (&robot);
  g_assert_true (is_drawn (&robot, "3.sum_output"));
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_BUTTON, "Close Layer"));

  point (&robot, find_chip (&robot, "3.sum_output", FALSE), "click 1");
  robot_wait_selected (&robot, "loop_output0");
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "sum_output"));
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "elemwise_add"));
  g_assert_nonnull (
      robot_find (inspector, GTK_TYPE_LABEL,
                  "Inside of “loop”, to be looked at: marks, cuts and shapes are of the "
                  "graph around it"));
  robot_do ("key o");
  robot_settle (&robot);
  g_assert_cmpuint (
      scope_state_get_marks (scope_document_get_state (document), SCOPE_MARK_OUTPUT).n, ==, 0);
  point (&robot, find_chip (&robot, "3.sum_output", FALSE), "keydown shift click 1 keyup shift");
  g_assert_cmpuint (
      scope_state_get_marks (scope_document_get_state (document), SCOPE_MARK_OUTPUT).n, ==, 0);

  /* The links lead on within the body; what the layer hands in as its weights is none. */
  list = robot_find (inspector, GTK_TYPE_LABEL, "x");
  robot_click (list);
  robot_settle (&robot);
  g_assert_cmpstr (scope_document_get_selected (document)->body, ==, "0a");
  g_assert_cmpuint (scope_document_get_selected (document)->inner_call, ==, SYM_NO_ID);
  robot_stop (&robot);
}

/* A model in a model so many times, each "x" -> "nest" -> "end", the innermost without "nest". */
static char *
write_deep (guint depth)
{
  g_autoptr (GString) layers = g_string_new (
      "\"end\": {\"type\": \"Activation\", \"domain\": \"mxnet\", \"operator\": \"Activation\", "
      "\"attributes\": {\"act_type\": {\"literal\": \"relu\"}}}");
  g_autoptr (GString) models = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i <= depth; i++)
    {
      gboolean is_last = i == depth;
      g_autofree char *name = i == 0 ? g_strdup ("main") : g_strdup_printf ("m%u", i);

      if (!is_last)
        g_string_append_printf (layers,
                                ", \"l%u\": {\"type\": \"Nest\", \"bodies\": [{\"name\": \"body\", "
                                "\"model\": \"m%u\"}]}",
                                i, i + 1);
      g_string_append_printf (models,
                              "%s\"%s\": {\"dialect\": \"plain\", \"nodes\": [{\"value\": \"x\", "
                              "\"role\": \"input\"}",
                              i > 0 ? ", " : "", name);
      if (!is_last)
        g_string_append_printf (models,
                                ", {\"call\": \"nest\", \"layer\": \"l%u\", \"operands\": [\"x\"], "
                                "\"results\": [\"nest\"]}",
                                i);
      g_string_append_printf (
          models,
          ", {\"call\": \"end\", \"layer\": \"end\", \"operands\": [\"%s\"], "
          "\"results\": [\"end\"]}], \"inputs\": [\"x\"], \"outputs\": [\"end\"]}",
          is_last ? "x" : "nest");
    }
  text = g_strdup_printf (
      "{\"format\": \"symscope\", \"version\": 1, \"layers\": {%s}, \"models\": {%s}}", layers->str,
      models->str);
  return toy_write ("deep.json", text);
}

/* What lies too deep is not opened, and that is told. */
static void
test_too_deep_is_told (void)
{
  static const char message[] =
      "Some layers are left closed: there is too much inside, or it lies too deep";
  g_autofree char *path = write_deep (40);
  g_autoptr (GString) call = g_string_new ("0");
  ScopeDocument *document;
  Robot robot;

  robot_start (&robot, path);
  document = robot_get_document (&robot);
  for (guint i = 1; i < 32; i++)
    g_string_append (call, "a/0");
  scope_document_open_layer (document, call->str);
  robot_settle (&robot);
  g_assert_cmpuint (sym_scene_get_n_bodies (sym_layout_get_scene (get_layout (&robot))), ==, 33);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, message));
  g_string_append (call, "a/0");
  scope_document_open_layer (document, call->str);
  robot_settle (&robot);
  g_assert_cmpuint (sym_scene_get_n_bodies (sym_layout_get_scene (get_layout (&robot))), ==, 33);
  g_assert_nonnull (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, message));
  robot_stop (&robot);
}

/* Nor what cannot be made, which is no matter of room. */
static void
test_not_made_is_told (void)
{
  g_autofree char *path = toy_write (
      "mystery.json", "{\"class_name\": \"Sequential\", \"config\": {\"layers\": ["
                      "{\"class_name\": \"Dense\", \"config\": {\"name\": \"fc\", \"units\": 2,"
                      " \"activation\": \"mystery\", \"batch_input_shape\": [null, 3]}}]}}");
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc", "click 1");
  robot_press (&robot, "Return");
  robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL,
                  "Some layers are left closed: what they are made of cannot be told");
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/bodies/the-sign-opens-and-closes", test_sign_opens_and_closes);
  g_test_add_func ("/gui/bodies/a-double-click-opens-and-a-title-closes",
                   test_double_click_opens_and_title_closes);
  g_test_add_func ("/gui/bodies/keys-open-and-close", test_keys_open_and_close);
  g_test_add_func ("/gui/bodies/the-inspector-tells-what-is-within",
                   test_inspector_tells_what_is_within);
  g_test_add_func ("/gui/bodies/what-lies-too-deep-is-told", test_too_deep_is_told);
  g_test_add_func ("/gui/bodies/what-cannot-be-made-is-told", test_not_made_is_told);
  return g_test_run ();
}
