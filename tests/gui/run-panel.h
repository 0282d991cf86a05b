/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-run-dialog.h"
#include "robot.h"

/* The panel from which a graph is run, and what is told of it. */

/* A perceptron that tells whether exactly one of two inputs is 1. */
#define RUN_XOR                                                                  \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                 \
  "xor (float[n, 2] x) => (float[n, 1] y)\n"                                     \
  "<float[2, 2] hidden_weight = {1, 1, 1, 1}, float[2] hidden_bias = {0, -1},\n" \
  " float[2, 1] output_weight = {1, -2}> {\n"                                    \
  "  sum = Gemm (x, hidden_weight, hidden_bias)\n hidden = Relu (sum)\n"         \
  "  y = MatMul (hidden, output_weight)\n}\n"

static inline gboolean
run_panel_is_there (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_RUN_DIALOG) != NULL;
}

static inline gboolean
run_panel_is_gone (gpointer data)
{
  return !run_panel_is_there (data);
}

static inline gboolean
run_has_record (gpointer data)
{
  return scope_document_get_record (robot_get_document (data)) != NULL;
}

static inline GtkWidget *
run_panel_open (Robot *robot)
{
  robot_click (robot_find (GTK_WIDGET (robot->window), GTK_TYPE_BUTTON, "Run"));
  robot_wait_until (run_panel_is_there, NULL);
  robot_focus (robot_find_window (SCOPE_TYPE_RUN_DIALOG));
  robot_idle (400);
  return GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG));
}

static inline void
run_panel_run_all (Robot *robot)
{
  robot_click (robot_find (run_panel_open (robot), GTK_TYPE_BUTTON, "Run"));
  robot_wait_until (run_panel_is_gone, NULL);
  robot_wait_until (run_has_record, robot);
  robot_focus (GTK_WINDOW (robot->window));
  robot_settle (robot);
}

static inline gboolean
run_says (Robot *robot, GType part, const char *text)
{
  GtkWidget *widget = robot_find (GTK_WIDGET (robot->window), part, NULL);

  return widget != NULL && robot_find (widget, GTK_TYPE_LABEL, text) != NULL;
}
