/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-inspector.h"
#include "app/scope-shapes.h"
#include "app/scope-summary.h"
#include "robot.h"
#include "toy.h"

/* Shapes that are typed at the top. */

static void
test_typed_shape_changes_every_shape (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL));
  robot_do ("type --delay 30 4,3");
  robot_idle (900);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "4×8");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "104");
  robot_do ("type --delay 30 ,,");
  robot_idle (900);
  robot_await_told (&robot, SCOPE_TYPE_SHAPES, "Dimension 3 is missing");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "4×8");
  robot_stop (&robot);
}

/* An entry in which a shape has been typed, which counts; the only one of a graph. */
static GtkWidget *
start_typed (Robot *robot, const char *path)
{
  robot_start (robot, path);
  GtkWidget *entry = robot_find (robot_find_part (robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL);

  robot_click (entry);
  robot_do ("type --delay 30 4,3");
  robot_do ("key Return");
  robot_settle (robot);
  return entry;
}

/* There is one history, that of the graph: at its beginning nothing is undone any more. */
static void
test_undone_shape_stays_undone (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  GtkWidget *entry = start_typed (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  for (guint i = 0; i < 3; i++)
    {
      robot_do ("key ctrl+z");
      robot_settle (&robot);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
      g_assert_false (scope_document_can_undo (document));
      g_assert_true (scope_document_can_redo (document));
    }
  for (guint i = 0; i < 3; i++)
    {
      robot_do ("key ctrl+shift+z");
      robot_settle (&robot);
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "4,3");
      g_assert_false (scope_document_can_redo (document));
    }
  robot_stop (&robot);
}

/* Before it counts for the graph. */
static void
test_shape_is_undone_while_it_is_typed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  GtkWidget *entry = start_typed (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  robot_idle (2500); /* what is typed later is another step */
  robot_do ("key ctrl+a 5 comma 3 ctrl+z");
  robot_idle (500);
  robot_settle (&robot);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "4,3");
  g_assert_true (scope_document_can_undo (document));
  g_assert_true (scope_document_can_redo (document));
  robot_stop (&robot);
}

/* To write it otherwise is no edit: it is undone with what was typed. */
static void
test_typed_shape_reads_as_elsewhere (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  GtkEditable *entry;

  robot_start (&robot, path);
  entry =
      GTK_EDITABLE (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL));
  robot_click (GTK_WIDGET (entry));
  robot_do ("type --delay 30 \"( 4, 3\"");
  robot_settle (&robot);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "( 4, 3");
  robot_do ("type --delay 30 \" )\"");
  robot_do ("key Return");
  robot_settle (&robot);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "4×3");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "4×8");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 30 5,3");
  robot_do ("key Tab"); /* elsewhere */
  robot_settle (&robot);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "5×3");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "5×8");
  robot_stop (&robot);
}

#define TWO_INPUTS                                                    \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n"                      \
  "g (float[batch, 3] x, float[batch, 3] z) => (float[batch, 3] y)\n" \
  "{\n"                                                               \
  "  y = Add (x, z)\n"                                                \
  "}\n"

/* After so many others. */
static GtkWidget *
get_entry (Robot *robot, guint n)
{
  GtkWidget *entry = robot_find (robot_find_part (robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL);

  for (guint i = 0; i < n; i++)
    do
      entry = gtk_widget_get_next_sibling (entry);
    while (!GTK_IS_ENTRY (entry));
  return entry;
}

/* What is typed next is another shape, also where the one before was written otherwise. */
static void
test_two_shapes_are_typed_after_each_other (void)
{
  g_autofree char *path = toy_write ("two.onnxtxt", TWO_INPUTS);
  Robot robot;

  robot_start (&robot, path);
  robot_click (get_entry (&robot, 1)); /* batch comes first */
  robot_do ("type --delay 30 4,3");
  robot_do ("key Tab");
  robot_settle (&robot);
  robot_do ("type --delay 30 1,3");
  robot_settle (&robot);
  robot_do ("key Tab");
  robot_settle (&robot);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "4×3");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "1×3");
  g_assert_nonnull (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_TEXT, "4×3"));
  g_assert_nonnull (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_TEXT, "1×3"));
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  g_assert_false (scope_document_can_undo (robot_get_document (&robot)));
  robot_stop (&robot);
}

static void
assert_entry (Robot *robot, guint n, const char *text)
{
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (get_entry (robot, n))), ==, text);
}

/* One size for all inputs that have that dimension, in one step. */
static void
test_dimension_is_typed_once (void)
{
  g_autofree char *path = toy_write ("two.onnxtxt", TWO_INPUTS);
  Robot robot;

  robot_start (&robot, path);
  robot_await_told (&robot, SCOPE_TYPE_SHAPES, "batch =");
  robot_click (get_entry (&robot, 0));
  robot_do ("type --delay 30 12");
  robot_settle (&robot);
  robot_idle (500);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "12×3");
  assert_entry (&robot, 0, "12");
  assert_entry (&robot, 1, "12×3");
  assert_entry (&robot, 2, "12×3");
  robot_do ("type --delay 30 x"); /* what is wrong stays to be mended, and the rest as it is */
  robot_await_told (&robot, SCOPE_TYPE_SHAPES,
                    "“12x” is no size for batch: use a number, or nothing for any size");
  assert_entry (&robot, 0, "12x");
  assert_entry (&robot, 1, "12×3");
  robot_do ("key BackSpace ctrl+z");
  robot_settle (&robot);
  g_assert_false (scope_document_can_undo (robot_get_document (&robot)));
  assert_entry (&robot, 0, "");
  assert_entry (&robot, 1, "");
  assert_entry (&robot, 2, "");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "batch×3");
  robot_stop (&robot);
}

/* What is read meanwhile does not come between the keys. */
static void
test_slowly_typed_size_is_left_alone (void)
{
  g_autofree char *path = toy_write ("two.onnxtxt", TWO_INPUTS);
  Robot robot;

  robot_start (&robot, path);
  robot_click (get_entry (&robot, 0));
  for (const char *key = "012"; *key != '\0'; key++)
    {
      robot_do ("type %c", *key);
      robot_idle (500);
      robot_settle (&robot);
    }
  assert_entry (&robot, 0, "012");
  robot_do ("key Return");
  robot_settle (&robot);
  assert_entry (&robot, 0, "12");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "12×3");
  robot_stop (&robot);
}

/* Nor is it an edit once it is undone. */
static void
test_undone_size_stays_undone (void)
{
  g_autofree char *path = toy_write ("two.onnxtxt", TWO_INPUTS);
  Robot robot;

  robot_start (&robot, path);
  robot_click (get_entry (&robot, 2));
  robot_do ("type 9");
  robot_idle (500);
  robot_click (get_entry (&robot, 0));
  robot_do ("type 2");
  robot_idle (500);
  robot_settle (&robot);
  assert_entry (&robot, 0, "2");
  assert_entry (&robot, 1, "2×3");
  assert_entry (&robot, 2, "9"); /* that has no batch now */
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  robot_click (get_entry (&robot, 2));
  robot_do ("key ctrl+a");
  robot_do ("type 8");
  robot_idle (500);
  robot_settle (&robot);
  assert_entry (&robot, 0, "");
  assert_entry (&robot, 1, "");
  assert_entry (&robot, 2, "8");
  robot_stop (&robot);
}

/* It is one of what the user has yet to mend. */
static void
test_wrong_shape_stays_beside_a_right_one (void)
{
  g_autofree char *path = toy_write ("two.onnxtxt", TWO_INPUTS);
  Robot robot;

  robot_start (&robot, path);
  robot_click (get_entry (&robot, 1));
  robot_do ("type --delay 30 4,,3");
  robot_do ("key Tab");
  robot_do ("type --delay 30 5,3");
  robot_do ("key Tab");
  robot_settle (&robot);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "5×3");
  robot_await_told (&robot, SCOPE_TYPE_SHAPES, "Dimension 2 is missing");
  assert_entry (&robot, 1, "4,,3");
  assert_entry (&robot, 2, "5×3");
  robot_click (get_entry (&robot, 1));
  robot_press (&robot, "Escape"); /* or calls off */
  assert_entry (&robot, 1, "");
  assert_entry (&robot, 2, "5×3");
  g_assert_null (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_LABEL,
                             "Dimension 2 is missing"));
  robot_stop (&robot);
}

/* A sum of so many inputs. */
static char *
format_sum (guint n)
{
  GString *text = g_string_new ("<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[2] x0");

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ", float[2] x%u", i);
  g_string_append (text, ") => (float[2] y)\n{\n  y = Sum (x0");
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ", x%u", i);
  g_string_append (text, ")\n}\n");
  return g_string_free (text, FALSE);
}

static void
test_inputs_without_an_entry_are_counted (void)
{
  struct {
    guint n;
    const char *told;
  } cases[] = {
    { 256, NULL },
    { 257, "1 more input has no entry" },
    { 300, "44 more inputs have no entry" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = format_sum (cases[i].n);
      g_autofree char *path = toy_write ("sum.onnxtxt", text);
      Robot robot;

      robot_start (&robot, path);
      robot_await_told (&robot, SCOPE_TYPE_SHAPES, "x255");
      g_assert_null (
          robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_LABEL, "x256"));
      if (cases[i].told != NULL)
        robot_await_told (&robot, SCOPE_TYPE_SHAPES, cases[i].told);
      robot_stop (&robot);
    }
}

/* "batch" is what the file calls it, everywhere. */
#define NAMED                                      \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n"   \
  "g (float[batch, 3] x) => (float[batch, 4] y)\n" \
  "<float[3, 4] w>\n"                              \
  "{\n"                                            \
  "  h = MatMul (x, w)\n"                          \
  "  y = Relu (h)\n"                               \
  "}\n"

static gboolean
is_saved (gpointer document)
{
  return !scope_document_is_modified (document);
}

/* A name that is typed for a dimension is what it is called, until that is undone. */
static void
test_typed_name_is_told_everywhere (void)
{
  g_autofree char *path = toy_write ("named.onnxtxt", NAMED);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "batch×4");
  robot_click (get_entry (&robot, 1));
  robot_do ("type --delay 30 n,3");
  robot_do ("key Return");
  robot_settle (&robot);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "n×3");
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "n×4");
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "y"));
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "n×4");
  robot_do ("key ctrl+s");
  robot_wait_until (is_saved, robot_get_document (&robot));
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  g_assert_null (strstr (bytes, "batch"));
  g_assert_nonnull (strstr (bytes, "[n, 4] y"));
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  robot_await_told (&robot, SCOPE_TYPE_SUMMARY, "batch×4");
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
  g_test_add_func ("/gui/typing/typed-shape-changes-every-shape",
                   test_typed_shape_changes_every_shape);
  g_test_add_func ("/gui/typing/undone-shape-stays-undone", test_undone_shape_stays_undone);
  g_test_add_func ("/gui/typing/shape-is-undone-while-it-is-typed",
                   test_shape_is_undone_while_it_is_typed);
  g_test_add_func ("/gui/typing/typed-shape-reads-as-elsewhere",
                   test_typed_shape_reads_as_elsewhere);
  g_test_add_func ("/gui/typing/two-shapes-are-typed-after-each-other",
                   test_two_shapes_are_typed_after_each_other);
  g_test_add_func ("/gui/typing/dimension-is-typed-once", test_dimension_is_typed_once);
  g_test_add_func ("/gui/typing/slowly-typed-size-is-left-alone",
                   test_slowly_typed_size_is_left_alone);
  g_test_add_func ("/gui/typing/undone-size-stays-undone", test_undone_size_stays_undone);
  g_test_add_func ("/gui/typing/wrong-shape-stays-beside-a-right-one",
                   test_wrong_shape_stays_beside_a_right_one);
  g_test_add_func ("/gui/typing/inputs-without-an-entry-are-counted",
                   test_inputs_without_an_entry_are_counted);
  g_test_add_func ("/gui/typing/typed-name-is-told-everywhere", test_typed_name_is_told_everywhere);
  return g_test_run ();
}
