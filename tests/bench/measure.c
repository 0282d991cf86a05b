/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* usage: measure N COMMAND [ARGUMENT]...
 *
 * Runs a command N times, its output thrown away, and prints the least of what its processes took:
 * milliseconds of CPU, milliseconds on the clock, kilobytes of memory at the peak. */
typedef struct {
  double cpu_ms, clock_ms, peak_kb;
} Cost;

static double
get_clock_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static double
get_ms (struct timeval time)
{
  return (double) time.tv_sec * 1e3 + (double) time.tv_usec / 1e3;
}

static void
become (char **command)
{
  int null = open ("/dev/null", O_RDWR);

  dup2 (null, STDOUT_FILENO);
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

static Cost
run (char **command)
{
  struct rusage usage;
  double start = get_clock_ms ();
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    become (command);
  if (pid < 0 || wait4 (pid, &status, 0, &usage) != pid || !WIFEXITED (status) ||
      WEXITSTATUS (status) > 1)
    {
      fprintf (stderr, "measure: %s failed\n", command[0]);
      exit (1);
    }
  return (Cost){ get_ms (usage.ru_utime) + get_ms (usage.ru_stime), get_clock_ms () - start,
                 (double) usage.ru_maxrss };
}

static double
least (double a, double b)
{
  return a < b ? a : b;
}

int
main (int argc, char **argv)
{
  int n = argc > 2 ? atoi (argv[1]) : 0;
  Cost best;

  if (n < 1)
    {
      fprintf (stderr, "usage: measure N COMMAND [ARGUMENT]...\n");
      return 2;
    }
  best = run (argv + 2);
  for (int i = 1; i < n; i++)
    {
      Cost cost = run (argv + 2);

      best.cpu_ms = least (best.cpu_ms, cost.cpu_ms);
      best.clock_ms = least (best.clock_ms, cost.clock_ms);
      best.peak_kb = least (best.peak_kb, cost.peak_kb);
    }
  printf ("%.2f %.2f %.0f\n", best.cpu_ms, best.clock_ms, best.peak_kb);
  return 0;
}
