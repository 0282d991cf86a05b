/* SPDX-License-Identifier: MIT */
#include "ear.h"

#include <glib.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Hands on what the other end says until it ends; how much that was. */
static gsize
listen (int from)
{
  char text[4096];
  gsize all = 0;
  ssize_t n;

  while ((n = read (from, text, sizeof text)) > 0)
    {
      all += (gsize) n;
      if (write (STDERR_FILENO, text, (size_t) n) < 0)
        return all;
    }
  return all;
}

int
ear_split_off (void)
{
  int ends[2], status;
  pid_t child;
  gsize n_bytes;

  g_assert_no_errno (pipe (ends));
  fflush (stdout);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      dup2 (ends[1], STDERR_FILENO);
      close (ends[0]);
      close (ends[1]);
      return -1;
    }
  close (ends[1]);
  n_bytes = listen (ends[0]);
  waitpid (child, &status, 0);
  if (n_bytes > 0)
    g_print ("%" G_GSIZE_FORMAT " bytes on standard error\n", n_bytes);
  if (WIFSIGNALED (status))
    g_print ("ended by signal %d\n", WTERMSIG (status));
  return n_bytes == 0 && WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
