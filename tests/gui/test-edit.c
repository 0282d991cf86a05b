/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <string.h>

#include "app/scope-canvas.h"
#include "app/scope-cut-bar.h"
#include "app/scope-editor.h"
#include "app/scope-fact.h"
#include "app/scope-inspector.h"
#include "app/scope-text.h"
#include "robot.h"
#include "toy.h"

static gboolean
has_editor (gpointer data)
{
  GtkWidget *editor = robot_find (data, SCOPE_TYPE_EDITOR, NULL);

  return editor != NULL && gtk_widget_get_mapped (editor);
}

static gboolean
has_no_editor (gpointer data)
{
  return robot_find (data, SCOPE_TYPE_EDITOR, NULL) == NULL;
}

/* The fact whose title or text is that. */
static GtkWidget *
find_fact (Robot *robot, const char *text)
{
  GtkWidget *label =
      robot_wait_for (robot_find_part (robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL, text);

  return gtk_widget_get_ancestor (label, SCOPE_TYPE_FACT);
}

static void
open_editor (Robot *robot, const char *fact)
{
  robot_click (find_fact (robot, fact));
  robot_wait_until (has_editor, robot->window);
  robot_idle (300);
}

static void
type_over (const char *text)
{
  robot_do ("key ctrl+a");
  robot_do ("type --delay 30 %s", text);
  robot_do ("key Return");
}

static void
assert_shape (Robot *robot, const char *name, const char *expected)
{
  ScopeDocument *document = robot_get_document (robot);
  g_autofree char *shape =
      scope_text_shape (scope_document_get_inference (document), toy_find (document, name));

  g_assert_cmpstr (shape, ==, expected);
}

static void
start (Robot *robot)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));

  robot_start (robot, path);
  g_assert_true (scope_document_set_shape_text (
      robot_get_document (robot), toy_find (robot_get_document (robot), "data"), "4,3", NULL));
  robot_settle (robot);
}

static void
test_attribute_is_typed_and_undone (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  open_editor (&robot, "num_hidden");
  type_over ("many");
  robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "“num_hidden” must be a whole number");
  g_assert_true (has_editor (robot.window));
  type_over ("5");
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  assert_shape (&robot, "fc2_output", "4×5");
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  assert_shape (&robot, "fc2_output", "4×8");
  robot_stop (&robot);
}

/* The facts are shown anew after an edit, and whoever types goes on from where it was. */
static void
assert_focus (Robot *robot, const char *title)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (robot->window));

  g_assert_true (SCOPE_IS_FACT (focus));
  g_assert_cmpstr (scope_fact_get_title (SCOPE_FACT (focus)), ==, title);
}

/* One that was not given becomes one of those that are, and is none of them again. */
static void
test_attribute_that_moves_keeps_the_keyboard (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  gtk_widget_grab_focus (find_fact (&robot, "flatten")); /* far down */
  robot_idle (500);
  robot_do ("key Return");
  robot_wait_until (has_editor, robot.window);
  robot_idle (300);
  type_over ("False");
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  assert_focus (&robot, "flatten");
  robot_do ("key Return");
  robot_wait_until (has_editor, robot.window);
  robot_idle (300);
  robot_do ("key Tab space"); /* “Use Default” */
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  assert_focus (&robot, "flatten");
  robot_stop (&robot);
}

static void
test_node_and_layer_are_renamed (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "data", "click 1");
  open_editor (&robot, "Name");
  type_over ("pixels");
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  g_assert_true (robot_is_drawn (&robot, "pixels"));
  robot_point_at_node (&robot, "fc1_output", "click 1");
  open_editor (&robot, "Layer");
  type_over ("first");
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  g_assert_true (robot_is_drawn (&robot, "first_output"));
  assert_focus (&robot, "Layer");
  robot_stop (&robot);
}

/* GTK tells of a button that is activated a quarter of a second later: an editor that was closed
 * meanwhile has nothing to change any more.  What Return applies is applied at once. */
static void
test_editor_closes_on_an_activated_button (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "data", "click 1");
  open_editor (&robot, "Name");
  robot_do ("key ctrl+a");
  robot_do ("type pixels");
  gtk_widget_activate (robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Change"));
  gtk_popover_popdown (
      GTK_POPOVER (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_EDITOR, NULL)));
  robot_idle (500);
  toy_find (robot_get_document (&robot), "data");
  open_editor (&robot, "Name");
  robot_do ("key ctrl+a");
  robot_do ("type pixels");
  robot_do ("key --delay 0 Return Escape");
  robot_wait_until (has_no_editor, robot.window);
  robot_settle (&robot);
  toy_find (robot_get_document (&robot), "pixels");
  robot_stop (&robot);
}

/* ---- The clipboard ---- */

static void
test_facts_are_copied (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  gtk_widget_grab_focus (find_fact (&robot, "Shape"));
  robot_do ("key ctrl+c");
  robot_idle (300);
  g_autofree char *text = robot_read_clipboard (&robot);

  g_assert_cmpstr (text, ==, "4×8");
  robot_stop (&robot);
}

static void
test_cut_is_copied_as_code (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "relu1_output", "keydown shift click 1 keyup shift");
  robot_settle (&robot);
  robot_idle (400);
  GtkWidget *bar = robot_find_part (&robot, SCOPE_TYPE_CUT_BAR);

  robot_click (robot_wait_for (bar, GTK_TYPE_MENU_BUTTON, NULL));
  robot_idle (500);
  robot_click (robot_wait_for (bar, GTK_TYPE_LABEL, "Python, PyTorch Symbolic"));
  robot_idle (500);
  g_autofree char *text = robot_read_clipboard (&robot);

  g_assert_nonnull (strstr (text, "SymbolicModel(inputs=data, outputs=relu1_output)"));
  robot_stop (&robot);
}

static void
test_marked_node_becomes_an_output (void)
{
  Robot robot;

  start (&robot);
  robot_point_at_node (&robot, "relu1_output", "keydown shift click 1 keyup shift");
  robot_settle (&robot);
  robot_idle (400);
  GtkWidget *bar = robot_find_part (&robot, SCOPE_TYPE_CUT_BAR);

  robot_click (robot_wait_for (bar, GTK_TYPE_MENU_BUTTON, NULL));
  robot_idle (500);
  robot_click (robot_wait_for (bar, GTK_TYPE_LABEL, "Make Outputs of the Graph"));
  robot_settle (&robot);
  g_assert_cmpuint (
      sym_model_get_outputs (scope_document_get_model (robot_get_document (&robot))).n, ==, 2);
  g_assert_null (scope_document_get_cut (robot_get_document (&robot)));
  robot_idle (500); /* the bar is gone, and the keyboard not with it */
  g_assert_true (SCOPE_IS_CANVAS (gtk_window_get_focus (GTK_WINDOW (robot.window))));
  robot_stop (&robot);
}

/* "first" and "second" apply one layer: each is told of at the other. */
#define SHARED                                                                                     \
  "{\"format\": \"symscope\", \"version\": 1, \"layers\": {\"relu\": {\"type\": \"ReLU\"}},"       \
  "\"models\": {\"main\": {\"dialect\": \"plain\", \"nodes\": ["                                   \
  "{\"value\": \"x\", \"role\": \"input\"},"                                                       \
  "{\"call\": \"a\", \"layer\": \"relu\", \"operands\": [\"x\"], \"results\": [\"first\"]},"       \
  "{\"call\": \"b\", \"layer\": \"relu\", \"operands\": [\"first\"], \"results\": [\"second\"]},"  \
  "{\"call\": \"c\", \"layer\": \"relu\", \"operands\": [\"second\"], \"results\": [\"third\"]}]," \
  "\"inputs\": [\"x\"], \"outputs\": [\"third\"]}}}"

static void
test_other_uses_of_a_layer_are_links (void)
{
  g_autofree char *path = toy_write ("shared.symscope.json", SHARED);
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "first", "click 1");
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL,
                  "Layer Also Used For");
  robot_click (
      robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL, "third"));
  robot_wait_selected (&robot, "third");
  robot_stop (&robot);
}

/* Also where the inspector has to be shown first, and takes the place of the graph. */
static void
test_key_renames_the_node (void)
{
  static const int widths[] = { 1400, 800, 400 };
  Robot robot;

  start (&robot);
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autofree char *name = g_strdup_printf ("scores%u", i);

      gtk_window_set_default_size (GTK_WINDOW (robot.window), widths[i], 700);
      robot_idle (600);
      if (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_INSPECTOR, NULL) != NULL)
        robot_do ("key ctrl+F9");
      scope_document_select_value (robot_get_document (&robot),
                                   toy_find (robot_get_document (&robot), "sum_output"));
      robot_idle (300);
      robot_do ("key F2");
      robot_wait_until (has_editor, robot.window);
      robot_idle (300);
      type_over (name);
      robot_wait_until (has_no_editor, robot.window);
      robot_idle (300);
      toy_find (robot_get_document (&robot), name);
      robot_focus (GTK_WINDOW (robot.window));
      robot_do ("key ctrl+z");
      robot_idle (600);
    }
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
  g_test_add_func ("/gui/edit/attribute-is-typed-and-undone", test_attribute_is_typed_and_undone);
  g_test_add_func ("/gui/edit/attribute-that-moves-keeps-the-keyboard",
                   test_attribute_that_moves_keeps_the_keyboard);
  g_test_add_func ("/gui/edit/node-and-layer-are-renamed", test_node_and_layer_are_renamed);
  g_test_add_func ("/gui/edit/editor-closes-on-an-activated-button",
                   test_editor_closes_on_an_activated_button);
  g_test_add_func ("/gui/edit/facts-are-copied", test_facts_are_copied);
  g_test_add_func ("/gui/edit/cut-is-copied-as-code", test_cut_is_copied_as_code);
  g_test_add_func ("/gui/edit/marked-node-becomes-an-output", test_marked_node_becomes_an_output);
  g_test_add_func ("/gui/edit/other-uses-of-a-layer-are-links",
                   test_other_uses_of_a_layer_are_links);
  g_test_add_func ("/gui/edit/key-renames-the-node", test_key_renames_the_node);
  return g_test_run ();
}
