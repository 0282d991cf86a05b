/* SPDX-License-Identifier: MIT */
#include "dot-drawing.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define INCH 72.0

static void
append_inches (GString *text, const char *key, double points)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.4f", points / INCH);
  g_string_append_printf (text, " %s=%s", key, number);
}

static char *
describe (const SymScene *scene)
{
  GString *text = g_string_new ("digraph g {\nnode [shape=box fixedsize=true label=\"\"]\n"
                                "edge [dir=none]\nranksep=0.3\nnodesep=0.42\n");

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      g_string_append_printf (text, "n%u [", i);
      append_inches (text, "width", item->width);
      append_inches (text, "height", item->height);
      g_string_append (text, "]\n");
    }
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      g_string_append_printf (text, "n%u -> n%u\n", edge->from, edge->to);
    }
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}

static void
limit_time (gpointer seconds)
{
  struct rlimit limit = { GPOINTER_TO_UINT (seconds), GPOINTER_TO_UINT (seconds) };

  setrlimit (RLIMIT_CPU, &limit);
}

static double
get_children_s (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* The answer of dot to what the file has; NULL when it did not finish. */
static char *
ask (const char *path, guint seconds)
{
  const char *const argv[] = { "dot", "-Tplain", path, NULL };
  g_autofree char *answer = NULL;
  int status = 0;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                     limit_time, GUINT_TO_POINTER (seconds), &answer, NULL, &status, NULL) ||
      !g_spawn_check_wait_status (status, NULL))
    return NULL;
  return g_steal_pointer (&answer);
}

static double
next_number (char **p)
{
  return g_ascii_strtod (*p, p);
}

static guint
next_item (char **p)
{
  *p = strchr (*p, 'n') + 1;
  return (guint) strtoul (*p, p, 10);
}

static void
read_node (Drawing *self, char *p)
{
  guint i = next_item (&p);
  double x = next_number (&p) * INCH;
  double y = self->height - next_number (&p) * INCH;
  double width = next_number (&p) * INCH;
  double height = next_number (&p) * INCH;

  self->rects[i] = (SymRect){ x - width / 2, y - height / 2, width, height };
}

static void
read_edge (Drawing *self, char *p)
{
  DrawnEdge *edge = &self->edges[self->n_edges++];
  SymPoint *points;

  edge->from = next_item (&p);
  edge->to = next_item (&p);
  edge->n_points = (guint) strtoul (p, &p, 10);
  edge->points = points = g_new (SymPoint, edge->n_points);
  for (guint i = 0; i < edge->n_points; i++)
    {
      points[i].x = next_number (&p) * INCH;
      points[i].y = self->height - next_number (&p) * INCH;
    }
}

static double
get_middle (const Drawing *self, guint item)
{
  return self->rects[item].y + self->rects[item].height / 2;
}

/* An edge upwards closes a cycle. */
static void
connect (Drawing *self)
{
  for (guint i = 0; i < self->n_edges; i++)
    {
      DrawnEdge *edge = &self->edges[i];

      edge->is_back = get_middle (self, edge->to) <= get_middle (self, edge->from);
    }
}

static Drawing *
parse (char *answer, guint n_items, guint n_edges)
{
  Drawing *self = g_new0 (Drawing, 1);
  char *rest = NULL;

  self->n_items = n_items;
  self->rects = g_new0 (SymRect, n_items + 1);
  self->edges = g_new0 (DrawnEdge, n_edges + 1);
  for (char *line = strtok_r (answer, "\n", &rest); line; line = strtok_r (NULL, "\n", &rest))
    {
      if (g_str_has_prefix (line, "graph "))
        {
          char *p = line + strlen ("graph ");

          next_number (&p);
          self->width = next_number (&p) * INCH;
          self->height = next_number (&p) * INCH;
        }
      else if (g_str_has_prefix (line, "node "))
        {
          read_node (self, line + strlen ("node "));
        }
      else if (g_str_has_prefix (line, "edge "))
        {
          read_edge (self, line + strlen ("edge "));
        }
    }
  connect (self);
  return self;
}

Drawing *
dot_drawing_new (const SymScene *scene, guint seconds, double *took)
{
  g_autofree char *text = describe (scene);
  g_autofree char *path = NULL;
  g_autofree char *answer = NULL;
  double before = get_children_s ();
  int fd = g_file_open_tmp ("layout-XXXXXX.dot", &path, NULL);

  if (fd < 0)
    g_error ("cannot write a temporary file");
  close (fd);
  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("cannot write %s", path);
  answer = ask (path, seconds);
  g_unlink (path);
  *took = get_children_s () - before;
  if (!answer)
    return NULL;
  return parse (answer, sym_scene_get_n_items (scene), sym_scene_get_n_edges (scene));
}
