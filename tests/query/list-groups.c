/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"
#include "query/sym-folding.h"

#include <stdio.h>
#include <time.h>

/* usage: list-groups [--tree] FILE...
 *
 * Tells for each file how many calls and groups it has, how many items it opens with, and the
 * milliseconds of processor time that finding the groups took; with --tree the groups too. */
#define MAX_ITEMS 150

static double
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static void
print_tree (const SymGroups *groups)
{
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);
      guint n = 1;

      if (group->run != SYM_NO_GROUP)
        sym_groups_get_run (groups, group->run, &n);
      for (guint k = group->parent; k != SYM_NO_GROUP; k = sym_groups_get (groups, k)->parent)
        printf ("  ");
      printf ("%s%s: %u calls from %s", group->kind == SYM_GROUP_BRANCH ? "| " : "", group->name,
              group->n_calls,
              sym_model_get_call_name (sym_groups_get_model (groups),
                                       sym_groups_get_calls (groups, i).ids[0]));
      if (n > 1)
        printf (" (%u of %u)", group->place + 1, n);
      printf ("\n");
    }
}

static gboolean
print_file (const char *path, gboolean with_tree)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymGroups) groups = NULL;
  g_autoptr (SymFolding) folding = NULL;
  g_autofree char *base = g_path_get_basename (path);
  double begun, ended;

  if (!model)
    {
      fprintf (stderr, "%s: %s\n", path, error->message);
      return FALSE;
    }
  begun = get_milliseconds ();
  groups = sym_groups_new (model);
  ended = get_milliseconds ();
  folding = sym_folding_new (groups, MAX_ITEMS);
  printf ("%-44.44s %7u %7u %6u %8.1f %6.1f\n", base, sym_model_get_execution_order (model).n,
          sym_groups_get_n (groups), sym_folding_count_items (folding), ended - begun,
          get_milliseconds () - ended);
  if (with_tree)
    print_tree (groups);
  return TRUE;
}

int
main (int argc, char *argv[])
{
  gboolean with_tree = argc > 1 && g_str_equal (argv[1], "--tree");
  gboolean is_good = TRUE;

  printf ("%-44s %7s %7s %6s %8s %6s\n", "file", "calls", "groups", "items", "find ms", "fold");
  for (int i = with_tree ? 2 : 1; i < argc; i++)
    is_good &= print_file (argv[i], with_tree);
  return is_good ? 0 : 1;
}
