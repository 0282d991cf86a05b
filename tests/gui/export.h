/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-export-dialog.h"
#include "robot.h"

/* The dialog in which a picture or a table is chosen. */

static inline gboolean
export_has_chooser (gpointer data)
{
  return robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

static inline gboolean
export_has_no_dialog (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_EXPORT_DIALOG) == NULL && !export_has_chooser (data);
}

static inline gboolean
export_is_ready (gpointer data)
{
  GtkWindow *dialog = robot_find_window (SCOPE_TYPE_EXPORT_DIALOG);

  return dialog != NULL &&
         (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)) != NULL ||
          scope_export_dialog_get_sheet (SCOPE_EXPORT_DIALOG (dialog)) != NULL);
}

static inline GtkWidget *
export_open_dialog (Robot *robot)
{
  robot_do ("key ctrl+shift+e");
  robot_wait_until (export_is_ready, NULL);
  robot_focus (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
  robot_idle (400);
  return GTK_WIDGET (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
}

static inline void
export_close_dialog (Robot *robot)
{
  robot_do ("key Escape");
  robot_wait_until (export_has_no_dialog, NULL);
  robot_focus (GTK_WINDOW (robot->window));
}

static inline const char *
export_get_title (GListModel *titles, guint i)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (titles), i);
}

/* Chooses what is called so in one of the rows below @widget; FALSE when none has it. */
static inline gboolean
export_choose (GtkWidget *widget, const char *title)
{
  GListModel *titles =
      ADW_IS_COMBO_ROW (widget) ? adw_combo_row_get_model (ADW_COMBO_ROW (widget)) : NULL;

  for (guint i = 0; titles != NULL && i < g_list_model_get_n_items (titles); i++)
    if (g_str_equal (export_get_title (titles, i), title))
      {
        adw_combo_row_set_selected (ADW_COMBO_ROW (widget), i);
        robot_wait_until (export_is_ready, NULL);
        return TRUE;
      }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (export_choose (child, title))
      return TRUE;
  return FALSE;
}
