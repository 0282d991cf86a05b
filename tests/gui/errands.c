/* SPDX-License-Identifier: MIT */
#include "errands.h"

#include <gio/gio.h>

static guint n_errands;

static void
completed_cb (GTask *task, GParamSpec *spec, gpointer data)
{
  n_errands--;
}

void __real_g_task_run_in_thread (GTask *task, GTaskThreadFunc run);
void __wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc run);

/* All tasks of the program are told of their ends in the thread that began them, its first. */
void
__wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc run)
{
  n_errands++;
  g_signal_connect (task, "notify::completed", G_CALLBACK (completed_cb), NULL);
  __real_g_task_run_in_thread (task, run);
}

guint
errands_count (void)
{
  return n_errands;
}
