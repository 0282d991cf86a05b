/* SPDX-License-Identifier: MIT */
#include "stderr-filter.h"

#include <stdio.h>
#include <unistd.h>

static struct {
  int error; /* where standard error led before */
  FILE *lines;
  StderrFilterFunc is_left_out;
  GThread *thread;
} filter;

static gpointer
pass_lines (gpointer data)
{
  char *line = NULL;
  size_t size = 0;
  ssize_t length;

  while ((length = getline (&line, &size, filter.lines)) > 0)
    {
      gboolean ended = line[length - 1] == '\n';

      if (ended)
        line[length - 1] = '\0';
      if (!filter.is_left_out (line))
        dprintf (filter.error, "%s%s", line, ended ? "\n" : "");
    }
  free (line);
  return NULL;
}

void
stderr_filter_begin (StderrFilterFunc is_left_out)
{
  int ends[2];

  filter.error = dup (STDERR_FILENO);
  if (filter.error < 0 || pipe (ends) != 0)
    g_error ("standard error cannot be filtered");
  filter.lines = fdopen (ends[0], "r");
  filter.is_left_out = is_left_out;
  dup2 (ends[1], STDERR_FILENO);
  close (ends[1]);
  filter.thread = g_thread_new ("stderr", pass_lines, NULL);
}

void
stderr_filter_end (void)
{
  fflush (stderr);
  dup2 (filter.error, STDERR_FILENO); /* the last end to write to: the thread ends */
  g_thread_join (filter.thread);
  fclose (filter.lines);
  close (filter.error);
}
