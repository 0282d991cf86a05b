/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"
#include "app/scope-edge-page.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

static SymLayout *
get_layout (Robot *robot)
{
  return sym_picture_get_layout (scope_document_get_picture (robot_get_document (robot)));
}

/* The line from the box of a value to that of another; both must be drawn. */
static guint
find_line (Robot *robot, const char *from, const char *to)
{
  ScopeDocument *document = robot_get_document (robot);
  SymScene *scene = sym_layout_get_scene (get_layout (robot));
  guint a = sym_scene_find_value (scene, toy_find (document, from));
  guint b = sym_scene_find_value (scene, toy_find (document, to));

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    if (sym_scene_get_edge (scene, i)->from == a && sym_scene_get_edge (scene, i)->to == b)
      return i;
  g_assert_not_reached ();
}

/* A little beside the middle of its course. */
static void
point_at_line (Robot *robot, const char *from, const char *to, const char *then)
{
  GtkWidget *canvas = robot_find_part (robot, SCOPE_TYPE_CANVAS);
  guint n;
  const SymPoint *course =
      sym_layout_get_course (get_layout (robot), find_line (robot, from, to), &n);
  const SymPoint *p = course + (n - 1) / 3 / 2 * 3;
  double x = (p[0].x + 3 * p[1].x + 3 * p[2].x + p[3].x) / 8;
  double y = (p[0].y + 3 * p[1].y + 3 * p[2].y + p[3].y) / 8;
  double scale = scope_viewport_get_scale (scope_canvas_get_viewport (SCOPE_CANVAS (canvas)));

  robot_point_in_drawing (robot, x + 2 / scale, y, then);
  robot_settle (robot);
}

static void
assert_line (Robot *robot, const char *from, const char *call)
{
  ScopeDocument *document = robot_get_document (robot);
  const ScopeNode *node = scope_document_get_selected (document);

  g_assert_true (scope_node_is_line (node));
  g_assert_cmpuint (node->value, ==, toy_find (document, from));
  g_assert_cmpstr (sym_model_get_call_name (scope_document_get_model (document), node->to), ==,
                   call);
}

static void
await_told (Robot *robot, const char *text)
{
  robot_wait_for (robot_wait_for (GTK_WIDGET (robot->window), SCOPE_TYPE_EDGE_PAGE, NULL),
                  GTK_TYPE_LABEL, text);
}

static void
test_click_tells_all_of_a_line (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  point_at_line (&robot, "relu1_output", "fc2_output", "click 1");
  assert_line (&robot, "relu1_output", "fc2");
  await_told (&robot, "relu1_output");
  await_told (&robot, "output");           /* of relu1 */
  await_told (&robot, "data (operand 1)"); /* of fc2 */
  await_told (&robot, "The Same Tensor Also Leads To");
  await_told (&robot, "sum");
  await_told (&robot, "elemwise_add");
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_EDGE_PAGE), GTK_TYPE_LABEL, "fc2"));
  robot_settle (&robot);
  robot_wait_selected (&robot, "fc2_output");
  g_assert_false (scope_node_is_line (scope_document_get_selected (robot_get_document (&robot))));
  robot_press (&robot, "alt+Left"); /* back to the page of the line */
  assert_line (&robot, "relu1_output", "fc2");
  await_told (&robot, "data (operand 1)");
  robot_press (&robot, "alt+Right");
  robot_wait_selected (&robot, "fc2_output");
  robot_stop (&robot);
}

/* What is done with a line is done with its tensor. */
static void
test_line_is_its_tensor (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  point_at_line (&robot, "fc1_output", "relu1_output", "click 1");
  robot_press (&robot, "o");
  g_assert_true (scope_state_has_mark (scope_document_get_state (robot_get_document (&robot)),
                                       SCOPE_MARK_OUTPUT,
                                       toy_find (robot_get_document (&robot), "fc1_output")));
  robot_press (&robot, "ctrl+c");
  g_autofree char *name = robot_read_clipboard (&robot);

  g_assert_cmpstr (name, ==, "fc1_output");
  robot_stop (&robot);
}

/* Lines can be come to, walked along and left by keys alone. */
static void
test_keys_lead_along_lines (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_press (&robot, "e");
  const ScopeNode first = *scope_document_get_selected (robot_get_document (&robot));

  g_assert_true (scope_node_is_line (&first));
  g_assert_cmpuint (first.value, ==, toy_find (robot_get_document (&robot), "relu1_output"));
  robot_press (&robot, "Right"); /* two lines leave it */
  g_assert_false (
      scope_node_equal (&first, scope_document_get_selected (robot_get_document (&robot))));
  robot_press (&robot, "Right");
  g_assert_true (
      scope_node_equal (&first, scope_document_get_selected (robot_get_document (&robot))));
  robot_press (&robot, "Up");
  robot_wait_selected (&robot, "relu1_output");
  robot_press (&robot, "shift+e");
  assert_line (&robot, "fc1_output", "relu1");
  robot_press (&robot, "Return"); /* to its end */
  robot_wait_selected (&robot, "relu1_output");
  g_assert_false (scope_node_is_line (scope_document_get_selected (robot_get_document (&robot))));
  robot_stop (&robot);
}

static void
test_lines_of_layer_drawings (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_press (&robot, "ctrl+l");
  point_at_line (&robot, "sum_output", "out_output", "click 1");
  assert_line (&robot, "sum_output", "out");
  await_told (&robot, "sum_output");
  robot_stop (&robot);
}

/* Pages of groups, of lines and of nodes are all gone back to. */
static void
test_every_page_is_gone_back_to (void)
{
  g_autofree char *path = toy_write_stages ();
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  guint group = sym_scene_get_frame (sym_layout_get_scene (get_layout (&robot)), 0)->group;

  scope_document_select_frame (document, group);
  robot_settle (&robot);
  robot_point_at_node (&robot, "stage0/act1_output", "click 1");
  robot_press (&robot, "e");
  assert_line (&robot, "stage0/act1_output", "stage0/act2");
  robot_press (&robot, "Down");
  robot_wait_selected (&robot, "stage0/act2_output");
  robot_press (&robot, "alt+Left");
  assert_line (&robot, "stage0/act1_output", "stage0/act2");
  robot_press (&robot, "alt+Left alt+Left");
  g_assert_cmpuint (scope_document_get_selected_frame (document), ==, group);
  robot_press (&robot, "alt+Right");
  robot_wait_selected (&robot, "stage0/act1_output");
  robot_stop (&robot);
}

/* Of a closed group a line leads to what is in it. */
static void
test_lines_of_closed_groups (void)
{
  g_autofree char *path = toy_write_stages ();
  Robot robot;

  robot_start (&robot, path);
  scope_document_close_all (robot_get_document (&robot));
  robot_settle (&robot);
  robot_point_at_node (&robot, "data", "click 1");
  robot_press (&robot, "e");
  assert_line (&robot, "data", "stage0/act0");
  await_told (&robot, "stage0/act0");
  robot_stop (&robot);
}

/* In words of who looks, and not of who made it. */
static void
test_worse_places_are_told_with_what_helps (void)
{
  g_autofree char *before = g_strdup (g_getenv ("SYMSCOPE_WORKER"));
  g_autofree char *path = toy_write (
      "crossing.onnxtxt", "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                          "crossing (float[2] x) => (float[2] c, float[2] d, float[2] e) {\n"
                          " a = Relu (x)\n b = Neg (x)\n"
                          " c = Add (a, b)\n d = Sub (a, b)\n e = Mul (a, b)\n}\n");
  Robot robot;

  g_setenv ("SYMSCOPE_WORKER", "/nowhere/at-all", TRUE);
  robot_start (&robot, path);
  toasts_wait_for ("Lines may cross more than they need to");
  robot_stop (&robot);
  g_setenv ("SYMSCOPE_WORKER", before != NULL ? before : "", TRUE);
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
  g_test_add_func ("/gui/lines/click-tells-all-of-a-line", test_click_tells_all_of_a_line);
  g_test_add_func ("/gui/lines/line-is-its-tensor", test_line_is_its_tensor);
  g_test_add_func ("/gui/lines/keys-lead-along-lines", test_keys_lead_along_lines);
  g_test_add_func ("/gui/lines/lines-of-layer-drawings", test_lines_of_layer_drawings);
  g_test_add_func ("/gui/lines/every-page-is-gone-back-to", test_every_page_is_gone_back_to);
  g_test_add_func ("/gui/lines/lines-of-closed-groups", test_lines_of_closed_groups);
  g_test_add_func ("/gui/lines/worse-places-are-told-with-what-helps",
                   test_worse_places_are_told_with_what_helps);
  return g_test_run ();
}
