/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"

#include "../scene/scene-graphs.h"
#include "../stand-in.h"

#include <signal.h>
#include <unistd.h>

/* Whatever happens to a worker costs one message, and nothing else. */

/* Items that use up to three of the twenty before them: lines cross, so that dot is asked. */
static SymScene *
make_scene (guint n, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, 2 * sizeof (guint));

  for (guint i = 1; i < n; i++)
    for (guint k = g_rand_int (rand) % 3 + 1; k > 0; k--)
      {
        guint line[2] = { i - 1 - g_rand_int (rand) % MIN (i, 20), i };

        g_array_append_val (lines, line);
      }
  return graph_lines (n, (gpointer) lines->data, lines->len, NULL);
}

static SymLayout *
lay_out (SymScene *scene)
{
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, NULL, NULL, &error);

  g_assert_no_error (error);
  layout_check (layout);
  return layout;
}

/* With the program at @path as the worker. */
static SymLayout *
lay_out_with (const char *path, SymScene *scene)
{
  g_autofree char *before = g_strdup (g_getenv ("SYMSCOPE_WORKER"));
  SymLayout *layout;

  g_setenv ("SYMSCOPE_WORKER", path, TRUE);
  layout = lay_out (scene);
  g_setenv ("SYMSCOPE_WORKER", before ? before : "", TRUE);
  return layout;
}

typedef struct {
  const char *name;
  const char *script;
} Fate;

static const Fate fates[] = {
  { "killed-at-once", "#!/bin/sh\nkill -KILL $$\n" },
  { "killed-while-it-reads", "#!/bin/sh\nhead -c 30 >/dev/null\nkill -KILL $$\n" },
  { "killed-while-it-writes", "#!/bin/sh\nhead -c 30 >/dev/null\nprintf smw1\nkill -KILL $$\n" },
  { "aborted", "#!/bin/sh\nhead -c 30 >/dev/null\nkill -ABRT $$\n" },
  { "ended", "#!/bin/sh\nexit 0\n" },
  { "stopped", "#!/bin/sh\nkill -STOP $$\n" },
  { "stopped-while-it-reads", "#!/bin/sh\nhead -c 30 >/dev/null\nkill -STOP $$\n" },
  { "mad", "#!/bin/sh\necho 'this is no answer, but it is long enough to be taken for one'\n" },
};

static void
test_fate (gconstpointer data)
{
  const Fate *fate = data;
  char *path = stand_in_new (fate->script);
  g_autoptr (SymScene) scene = make_scene (60, 3);
  g_autoptr (SymLayout) layout = lay_out_with (path, scene);
  g_autoptr (SymLayout) missing = lay_out_with ("/nowhere/at-all", scene);

  g_assert_nonnull (sym_layout_get_message (layout));
  g_assert_null (strchr (sym_layout_get_message (layout), '\n'));
  /* What is lost is what dot would have made, the same each time. */
  layout_check_equal (layout, missing);
  stand_in_free (path);
}

/* Between fork and exec a child still is this program.  Stopping it then would keep g_spawn
 * waiting, and it is no worker yet. */
static gboolean
is_worker (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", (int) pid);
  g_autofree char *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) && g_str_has_prefix (name, "symscope-layou");
}

/* The children of this process; there is at most one, the worker. */
static GPid
find_worker (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? (GPid) g_ascii_strtoll (text, NULL, 10)
                                                       : 0;
}

typedef struct {
  int signal;
  int is_done;
  guint n_hit;
} Killer;

/* Hits whatever worker there is, some time after it was started. */
static gpointer
kill_workers (gpointer data)
{
  Killer *self = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  while (!g_atomic_int_get (&self->is_done))
    {
      GPid pid = find_worker ();

      if (pid > 0)
        {
          g_usleep (g_rand_int (rand) % 20000);
          if (find_worker () == pid && is_worker (pid) && kill (pid, self->signal) == 0)
            self->n_hit++;
        }
      g_usleep (500);
    }
  return NULL;
}

static void
test_any_moment (gconstpointer data)
{
  Killer killer = { .signal = GPOINTER_TO_INT (data) };
  g_autofree char *children = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autoptr (SymScene) scene = make_scene (110, 5);
  GThread *thread;

  if (!g_file_test (children, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("this system does not tell the children of a process");
      return;
    }
  thread = g_thread_new ("killer", kill_workers, &killer);
  for (guint i = 0; i < 12 || (killer.n_hit == 0 && i < 200); i++)
    {
      g_autoptr (SymLayout) layout = lay_out (scene);
      const char *message = sym_layout_get_message (layout);

      g_assert_true (!message || !strchr (message, '\n'));
    }
  g_atomic_int_set (&killer.is_done, TRUE);
  g_thread_join (thread);
  g_assert_cmpuint (killer.n_hit, >, 0);
}

/* After all that, the next one works. */
static void
test_next (void)
{
  g_autoptr (SymScene) scene = make_scene (60, 3);
  g_autoptr (SymLayout) layout = lay_out (scene);

  g_assert_null (sym_layout_get_message (layout));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fates); i++)
    {
      g_autofree char *path = g_strdup_printf ("/layout/lost-workers/%s", fates[i].name);

      g_test_add_data_func (path, &fates[i], test_fate);
    }
  g_test_add_data_func ("/layout/lost-workers/killed-at-any-moment", GINT_TO_POINTER (SIGKILL),
                        test_any_moment);
  g_test_add_data_func ("/layout/lost-workers/stopped-at-any-moment", GINT_TO_POINTER (SIGSTOP),
                        test_any_moment);
  g_test_add_func ("/layout/lost-workers/the-next-one-works", test_next);
  return g_test_run ();
}
