/* SPDX-License-Identifier: MIT */
#include "dot-drawing.h"
#include "io/sym-io.h"
#include "layout-families.h"
#include "layout-measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* usage: layout_quality [--alone] [FAMILY]...    what our layout makes of nets of many sizes,
 * beside `dot` layout_quality --write FAMILY N OUT.json       the net as a file
 *
 * Times are the processor's, workers included; memory is at the peak, with the model and the scene.
 */

#define DOT_SECONDS 10
#define MAX_DOT_LAYERS 1000
#define MAX_RANDOM_LAYERS 20000

static gboolean is_alone; /* dot is not asked */

static const guint sizes[] = { 500, 1000, 2000, 20000, 100000 };

typedef struct {
  double ms;
  double peak_mb;
  Quality quality;
  gboolean was_dot_asked;
  gboolean has_dot;
  Quality dot;
  double dot_s;
} Row;

static SymScene *
make_scene (const LayoutFamily *family, guint n, SymDrawing drawing)
{
  SymSceneOptions options = { .drawing = drawing };
  g_autoptr (SymModel) model = layout_family_make (family, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);

  if (!inference)
    g_error ("%s", error->message);
  return sym_scene_new (inference, &options);
}

static double
get_ms (int who)
{
  struct rusage usage;

  getrusage (who, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static double
get_peak_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024;
}

/* The worker has been waited for when the layout is there, and so counts. */
static SymLayout *
lay_out (SymScene *scene, double *ms)
{
  double before = get_ms (RUSAGE_SELF) + get_ms (RUSAGE_CHILDREN);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, NULL, NULL, &error);

  *ms = get_ms (RUSAGE_SELF) + get_ms (RUSAGE_CHILDREN) - before;
  if (!layout)
    g_error ("%s", error->message);
  if (sym_layout_get_message (layout))
    g_error ("%s", sym_layout_get_message (layout));
  return layout;
}

static void
compare_with_dot (const SymScene *scene, Row *row)
{
  g_autoptr (Drawing) drawing = dot_drawing_new (scene, DOT_SECONDS, &row->dot_s);

  row->was_dot_asked = TRUE;
  row->has_dot = drawing != NULL;
  if (drawing)
    row->dot = drawing_measure (drawing);
}

static Row
measure (const LayoutFamily *family, guint n, SymDrawing drawing)
{
  g_autoptr (SymScene) scene = make_scene (family, n, drawing);
  guint n_runs = n <= 2000 ? 5 : n <= 20000 ? 3 : 1;
  Row row = { .ms = G_MAXDOUBLE };

  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr (SymLayout) layout = NULL;
      g_autoptr (Drawing) drawn = NULL;
      double ms;

      layout = lay_out (scene, &ms);
      row.ms = MIN (row.ms, ms);
      if (i > 0)
        continue;
      row.peak_mb = get_peak_mb ();
      drawn = drawing_new (layout);
      row.quality = drawing_measure (drawn);
    }
  if (n <= MAX_DOT_LAYERS && !is_alone)
    compare_with_dot (scene, &row);
  return row;
}

/* In a process of its own, so that each has its own peak. */
static Row
measure_apart (const LayoutFamily *family, guint n, SymDrawing drawing)
{
  int ends[2];
  pid_t child;
  Row row;

  fflush (stdout);
  if (pipe (ends) != 0 || (child = fork ()) < 0)
    g_error ("layout_quality: %s", g_strerror (errno));
  if (child == 0)
    {
      row = measure (family, n, drawing);
      _exit (write (ends[1], &row, sizeof row) != (ssize_t) sizeof row);
    }
  close (ends[1]);
  if (read (ends[0], &row, sizeof row) != (ssize_t) sizeof row)
    g_error ("layout_quality: the measuring process ended early");
  close (ends[0]);
  waitpid (child, NULL, 0);
  return row;
}

static void
print_dot (const Row *row)
{
  const Quality *dot = &row->dot;
  double ratio = (double) MAX (row->quality.n_crossings, 1) / (double) MAX (dot->n_crossings, 1);

  if (!row->was_dot_asked)
    printf ("   not asked\n");
  else if (!row->has_dot)
    printf ("   does not finish in %d s\n", DOT_SECONDS);
  else
    printf (" %7" G_GUINT64_FORMAT " %5.2f %7.0f %7u %6.0f %6.2f s\n", dot->n_crossings, ratio,
            dot->width, dot->n_bends, dot->deviation, row->dot_s);
}

static void
print_row (const LayoutFamily *family, guint n, SymDrawing drawing, const Row *row, double growth)
{
  const Quality *quality = &row->quality;

  printf ("%-12s %-6s %6u %8.1f ", layout_family_get_name (family),
          drawing == SYM_DRAWING_DATA ? "data" : "layers", n, row->ms);
  if (growth > 0)
    printf ("%6.1f", growth);
  else
    printf ("%6s", "");
  printf (" %6.0f %4u %4u %7u %6.0f %6.0f ", row->peak_mb, quality->n_overlaps, quality->n_against,
          quality->n_bends, quality->deviation, quality->width);
  if (quality->n_crossings == QUALITY_NOT_COUNTED)
    printf ("%8s |", "-");
  else
    printf ("%8" G_GUINT64_FORMAT " |", quality->n_crossings);
  print_dot (row);
}

static void
print_head (void)
{
  printf ("%-12s %-6s %6s %8s %6s %6s %4s %4s %7s %6s %6s %8s | %7s %5s %7s %7s %6s\n", "", "",
          "layers", "ms", "growth", "MB", "over", "anti", "bends", "trunk", "width", "cross",
          "dot:cr.", "ratio", "width", "bends", "trunk");
}

static void
print_family (const LayoutFamily *family, SymDrawing drawing)
{
  double at_2000 = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Row row;

      if (!layout_family_is_regular (family) && sizes[i] > MAX_RANDOM_LAYERS)
        break;
      row = measure_apart (family, sizes[i], drawing);
      if (sizes[i] == 2000)
        at_2000 = row.ms;
      print_row (family, sizes[i], drawing, &row, sizes[i] == 20000 ? row.ms / at_2000 : 0);
    }
}

static int
write_net (const char *name, const char *size, const char *path)
{
  const LayoutFamily *family = layout_family_find (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  if (!family || atoi (size) < 1)
    {
      fprintf (stderr, "layout_quality: there is no family %s, or no size %s\n", name, size);
      return 2;
    }
  model = layout_family_make (family, (guint) atoi (size));
  if (sym_io_write (sym_io_find_format ("symscope"), model, NULL, path, NULL, &error))
    return 0;
  fprintf (stderr, "layout_quality: %s\n", error->message);
  return 1;
}

static gboolean
is_wanted (const LayoutFamily *family, int n_names, char **names)
{
  for (int i = 0; i < n_names; i++)
    if (g_str_equal (layout_family_get_name (family), names[i]))
      return TRUE;
  return n_names == 0;
}

int
main (int argc, char **argv)
{
  if (argc == 5 && g_str_equal (argv[1], "--write"))
    return write_net (argv[2], argv[3], argv[4]);
  if (argc > 1 && g_str_equal (argv[1], "--alone"))
    {
      is_alone = TRUE;
      argc--;
      argv++;
    }
  print_head ();
  for (guint i = 0; layout_families[i]; i++)
    if (is_wanted (layout_families[i], argc - 1, argv + 1))
      {
        print_family (layout_families[i], SYM_DRAWING_DATA);
        print_family (layout_families[i], SYM_DRAWING_LAYERS);
      }
  return 0;
}
