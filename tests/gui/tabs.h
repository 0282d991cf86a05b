/* SPDX-License-Identifier: MIT */
#pragma once

#include "robot.h"
#include "toy.h"

/* What tests of tabs have in common: a window with two, "a-symbol.json" and "b-symbol.json". */

static inline AdwTabView *
tabs_get (Robot *robot)
{
  return ADW_TAB_VIEW (robot_find_part (robot, ADW_TYPE_TAB_VIEW));
}

static inline void
tabs_open_two (Robot *robot)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));

  robot_start (robot, path);
  robot_open (robot, other);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (robot)), ==, 2);
}

typedef struct {
  Robot *robot;
  const char *title;
} TabWish;

static inline gboolean
tabs_is_titled (gpointer data)
{
  const TabWish *wish = data;

  return g_strcmp0 (gtk_window_get_title (GTK_WINDOW (wish->robot->window)), wish->title) == 0;
}

static inline void
tabs_await_title (Robot *robot, const char *title)
{
  TabWish wish = { robot, title };

  robot_wait_until (tabs_is_titled, &wish);
}

static inline GtkWidget *
tabs_find_first (Robot *robot)
{
  return robot_find (robot_find_part (robot, ADW_TYPE_TAB_BAR), g_type_from_name ("AdwTab"), NULL);
}

static inline gboolean
tabs_are_one (gpointer data)
{
  return adw_tab_view_get_n_pages (tabs_get (data)) == 1;
}

static inline gboolean
tabs_are_two (gpointer data)
{
  return adw_tab_view_get_n_pages (tabs_get (data)) == 2;
}
