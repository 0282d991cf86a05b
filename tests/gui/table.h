/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-summary.h"
#include "robot.h"
#include "toy.h"

/* What tests of the table have in common: the toy, with a shape for its data. */

static inline void
table_start (Robot *robot)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));

  robot_clear_home ();
  robot_start (robot, path);
  g_assert_true (scope_document_set_shape_text (
      robot_get_document (robot), toy_find (robot_get_document (robot), "data"), "4,3", NULL));
  robot_settle (robot);
}

/* Whether such a text is on the screen: hidden columns keep theirs. */
static inline gboolean
table_shows (Robot *robot, const char *text)
{
  GtkWidget *label = robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, text);

  return label != NULL && gtk_widget_get_mapped (label);
}

/* What the menu of the table does. */
static inline void
table_choose (Robot *robot, const char *action)
{
  GtkWidget *summary = robot_find_part (robot, SCOPE_TYPE_SUMMARY);
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (action, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (summary, name, target));
  robot_idle (500);
}

/* Where a heading stands; below 0 when it is not seen. */
static inline double
table_find_heading (Robot *robot, const char *title)
{
  GtkWidget *summary = robot_find_part (robot, SCOPE_TYPE_SUMMARY);
  GtkWidget *label = robot_find (summary, GTK_TYPE_LABEL, title);
  double x, y;

  if (label == NULL || !gtk_widget_get_mapped (label) ||
      !gtk_widget_translate_coordinates (label, summary, 0, 0, &x, &y))
    return -1;
  return x;
}
