/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

/* The folder of the running program, NULL when the system does not tell. */
static char *
find_own_folder (void)
{
  char path[PATH_MAX];
  ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);

  if (length <= 0)
    return NULL;
  path[length] = '\0';
  return g_path_get_dirname (path);
}

static char *
find_in (const char *base, const char *folder, const char *program)
{
  g_autofree char *path = base ? g_build_filename (base, folder, program, NULL) : NULL;

  if (path && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&path);
  return NULL;
}

static char *
find_program (const char *program, const char *folder)
{
  g_autofree char *own = find_own_folder ();
  char *path = find_in (own, ".", program);

  if (path == NULL)
    path = find_in (own, folder, program);
  if (path == NULL)
    path = find_in (SYM_CLI_LIBEXECDIR, ".", program);
  return path ? path : g_find_program_in_path (program);
}

void
sym_cli_exec (const char *program, const char *folder, const char *const *words, GError **error)
{
  g_autofree char *path = find_program (program, folder);
  g_autoptr (GPtrArray) line = g_ptr_array_new ();

  if (path == NULL)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
                   "%s is not installed: it is neither beside symscope, nor in %s, nor on the PATH",
                   program, SYM_CLI_LIBEXECDIR);
      return;
    }
  g_ptr_array_add (line, path);
  for (guint i = 0; words[i]; i++)
    g_ptr_array_add (line, (gpointer) words[i]);
  g_ptr_array_add (line, NULL);
  execv (path, (char *const *) line->pdata);
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST, "%s cannot be run: %s", path,
               g_strerror (errno));
}
