/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>

#include "fuzz.h"

/* Runs a fuzz target on every file of the folders given: whole, and cut in ten places.  A
 * regression test of all that fuzzing has found, where there is no libFuzzer. */
static void
replay (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return;
  for (guint tenth = 0; tenth <= 10; tenth++)
    {
      gsize size = length / 10 * tenth + (tenth == 10 ? length % 10 : 0);
      g_autofree guint8 *copy = g_memdup2 (text, size);

      LLVMFuzzerTestOneInput (copy, size);
    }
}

static guint
replay_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      replay (path);
      n++;
    }
  return n;
}

int
main (int argc, char *argv[])
{
  g_print ("1..%d\n", argc - 1);
  for (int i = 1; i < argc; i++)
    {
      g_autofree char *folder = g_path_get_basename (argv[i]);
      guint n = replay_folder (argv[i]);

      g_print ("%s %d - replays the %u files of %s\n", n > 0 ? "ok" : "not ok", i, n, folder);
    }
  return 0;
}
