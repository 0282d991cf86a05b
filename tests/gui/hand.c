/* SPDX-License-Identifier: MIT */
#include "hand.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void
hand_drop (Hand *self)
{
  if (self->pid == 0)
    return;
  close (self->input);
  waitpid (self->pid, NULL, 0);
  self->pid = 0;
}

/* It ends when a window that it was told of has gone, and complains: that is its own affair. */
static void
take (Hand *self)
{
  static const char *const words[] = { "xdotool", "-", NULL };
  g_autoptr (GError) error = NULL;

  if (self->pid != 0 && waitpid (self->pid, NULL, WNOHANG) == 0)
    return;
  if (self->pid != 0)
    close (self->input);
  self->pid = 0;
  g_spawn_async_with_pipes (NULL, (char **) words, NULL,
                            G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                                G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                            NULL, NULL, &self->pid, &self->input, NULL, NULL, &error);
  g_assert_no_error (error);
}

void
hand_use (Hand *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  take (self);
  if (write (self->input, line, strlen (line)) < 0)
    hand_drop (self);
}
