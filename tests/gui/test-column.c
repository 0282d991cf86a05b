/* SPDX-License-Identifier: MIT */
#include "app/scope-column.h"

#include <adwaita.h>

#include "app/scope-beside.h"
#include "app/scope-elided.h"
#include "app/scope-fact.h"
#include "app/scope-row-texts.h"

#define TEXT                                                                                        \
  "Ran in 524 µs, seed 0, the fastest of 10 times, with 372 weights at random, and planned in 60 " \
  "ms, as this was the first run"

/* As a bar over a pane has it: a box from top to bottom, with text that wraps. */
static GtkWidget *
create_box (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new (TEXT);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static int
measure_width (GtkWidget *widget, int height)
{
  int width;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, height, &width, NULL, NULL, NULL);
  return width;
}

static int
measure_height (GtkWidget *widget, int width)
{
  int height;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  return height;
}

/* If GTK's box does so, too, one day, then nothing needs a column any more. */
static void
test_width_is_the_same_at_any_height (void)
{
  GtkWidget *box = create_box (), *column = g_object_new (SCOPE_TYPE_COLUMN, NULL);
  int line = measure_height (box, 10000);

  g_assert_cmpint (measure_width (box, line), >, 2 * measure_width (box, -1));
  gtk_widget_set_parent (box, column);
  g_object_ref_sink (column);
  g_assert_cmpint (measure_width (column, line), ==, measure_width (box, -1));
  g_assert_cmpint (measure_width (column, 100 * line), ==, measure_width (box, -1));
  g_object_run_dispose (G_OBJECT (column));
  g_assert_finalize_object (column);
}

static void
test_height_is_that_of_what_is_in_it (void)
{
  GtkWidget *box = create_box (), *column = g_object_new (SCOPE_TYPE_COLUMN, NULL);
  int least = measure_width (box, -1);

  g_object_ref_sink (column);
  gtk_widget_set_parent (box, column);
  for (int i = 1; i <= 4; i++)
    g_assert_cmpint (measure_height (column, i * least), ==, measure_height (box, i * least));
  g_assert_cmpint (measure_height (column, least), >, measure_height (column, 4 * least));

  gtk_widget_set_visible (box, FALSE);
  g_assert_cmpint (measure_width (column, -1), ==, 0);
  g_assert_cmpint (measure_height (column, -1), ==, 0);
  g_object_run_dispose (G_OBJECT (column));
  g_assert_finalize_object (column);
}

static void
test_expands_as_what_is_in_it (void)
{
  GtkWidget *box = create_box (), *column = g_object_new (SCOPE_TYPE_COLUMN, NULL);

  g_object_ref_sink (column);
  gtk_widget_set_parent (box, column);
  g_assert_false (gtk_widget_compute_expand (column, GTK_ORIENTATION_HORIZONTAL));
  gtk_widget_set_hexpand (gtk_widget_get_first_child (box), TRUE);
  g_assert_true (gtk_widget_compute_expand (column, GTK_ORIENTATION_HORIZONTAL));
  g_assert_false (gtk_widget_compute_expand (column, GTK_ORIENTATION_VERTICAL));
  g_object_run_dispose (G_OBJECT (column));
  g_assert_finalize_object (column);
}

static GtkWidget *
create_row (void)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), "524 µs, seed 0");
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), TEXT);
  return g_object_ref_sink (row);
}

/* What a row of libadwaita asks the box of its texts. */
static GtkWidget *
find_texts (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "subtitle")
                         ? gtk_widget_get_parent (widget)
                         : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_texts (child);
  return found;
}

static void
test_texts_of_a_row_are_as_wide_at_any_height (void)
{
  GtkWidget *theirs = create_row (), *ours = create_row ();
  int line = measure_height (theirs, 10000);

  scope_row_texts_lay_out (ours);
  g_assert_cmpint (measure_width (find_texts (theirs), line), >,
                   measure_width (find_texts (theirs), -1));
  g_assert_cmpint (measure_width (find_texts (ours), line), ==,
                   measure_width (find_texts (theirs), -1));
  for (int width = 200; width < 1000; width += 100)
    g_assert_cmpint (measure_height (ours, width), ==, measure_height (theirs, width));

  adw_action_row_set_subtitle (ADW_ACTION_ROW (theirs), "");
  adw_action_row_set_subtitle (ADW_ACTION_ROW (ours), "");
  g_assert_cmpint (measure_height (ours, 400), ==, measure_height (theirs, 400));
  g_assert_finalize_object (ours);
  g_assert_finalize_object (theirs);
}

/* Beside a button as long as lines of the text can be read there, then below. */
static void
test_buttons_go_below_a_narrow_text (void)
{
  GtkWidget *beside = g_object_new (SCOPE_TYPE_BESIDE, NULL), *text = gtk_label_new (TEXT);
  GtkWidget *button = gtk_button_new_with_label ("Run Again…");
  int width, height;

  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  g_object_ref_sink (beside);
  gtk_widget_set_parent (text, beside);
  gtk_widget_set_parent (button, beside);
  width = measure_width (button, -1);
  height = measure_height (button, -1);
  g_assert_cmpint (measure_width (beside, -1), ==, width);
  g_assert_cmpint (measure_height (beside, width + 412), ==,
                   MAX (height, measure_height (text, 400)));
  g_assert_cmpint (measure_height (beside, width + 72), ==,
                   height + 6 + measure_height (text, width + 72));
  gtk_widget_set_visible (button, FALSE);
  g_assert_cmpint (measure_height (beside, 100), ==, measure_height (text, 100));
  gtk_widget_set_visible (button, TRUE);
  gtk_widget_set_visible (text, FALSE);
  g_assert_cmpint (measure_height (beside, 200), ==, height);
  g_object_run_dispose (G_OBJECT (beside));
  g_assert_finalize_object (beside);
}

static GtkWidget *
find_title (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_title (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* What one text does not need is there for the other one. */
static void
test_facts_are_not_cut_where_there_is_room (void)
{
  static const char title[] = "activation10001_output", text[] = "?×64×?×?";
  GtkWidget *fact = g_object_ref_sink (scope_fact_new (title, NULL, text));
  int natural, height;

  scope_fact_set_target (SCOPE_FACT (fact), 0, SYM_NO_ID);
  gtk_widget_measure (fact, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  PangoLayout *alone = gtk_widget_create_pango_layout (find_title (fact, text), text);
  int ink, given;

  pango_layout_get_pixel_size (alone, &ink, NULL);
  gtk_widget_measure (find_title (fact, text), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &given, NULL,
                      NULL);
  g_assert_cmpint (given, <=, ink + 1);
  gtk_widget_measure (fact, GTK_ORIENTATION_VERTICAL, natural, &height, NULL, NULL, NULL);
  gtk_widget_allocate (fact, natural, height, -1, NULL);
  g_assert_false (scope_elided_is (find_title (fact, title)));
  g_object_unref (alone);
  g_object_run_dispose (G_OBJECT (fact));
  g_assert_finalize_object (fact);
}

/* Of a name its end tells it from others, of a list of what there is its start. */
static void
test_lists_begin_at_their_start (void)
{
  static const struct {
    const char *name;
    PangoEllipsizeMode ellipsize;
  } cases[] = {
    { "stage1/unit2/convolution", PANGO_ELLIPSIZE_START },
    { "conv1", PANGO_ELLIPSIZE_START },
    { "", PANGO_ELLIPSIZE_START },
    { "Convolution, Activation, elemwise_add", PANGO_ELLIPSIZE_END },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GtkWidget *fact = g_object_ref_sink (scope_fact_new (cases[i].name, NULL, NULL));
      GtkWidget *title = find_title (fact, cases[i].name);

      g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (title)), ==, cases[i].ellipsize);
      g_assert_cmpint (scope_elided_choose (cases[i].name), ==, cases[i].ellipsize);
      g_object_run_dispose (G_OBJECT (fact));
      g_assert_finalize_object (fact);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/app/column/width-is-the-same-at-any-height",
                   test_width_is_the_same_at_any_height);
  g_test_add_func ("/app/column/height-is-that-of-what-is-in-it",
                   test_height_is_that_of_what_is_in_it);
  g_test_add_func ("/app/column/expands-as-what-is-in-it", test_expands_as_what_is_in_it);
  g_test_add_func ("/app/column/buttons-go-below-a-narrow-text",
                   test_buttons_go_below_a_narrow_text);
  g_test_add_func ("/app/column/texts-of-a-row-are-as-wide-at-any-height",
                   test_texts_of_a_row_are_as_wide_at_any_height);
  g_test_add_func ("/app/column/facts-are-not-cut-where-there-is-room",
                   test_facts_are_not_cut_where_there_is_room);
  g_test_add_func ("/app/column/lists-begin-at-their-start", test_lists_begin_at_their_start);
  return g_test_run ();
}
