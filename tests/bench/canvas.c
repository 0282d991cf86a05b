/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/scope-application.h"
#include "app/scope-canvas.h"
#include "app/scope-window.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "ops/sym-op.h"

/* usage: canvas FOLDER          all of it; FOLDER is for scratch
 *        canvas --open FILE     opens the window on FILE, until its picture has been painted
 *
 * Processor time of this process and its threads, per frame; the display's own is not in it. */
#define WIDTH 1400
#define HEIGHT 900
#define N_BRANCHES 24
#define N_FRAMES 150
#define N_WARM 10 /* frames that are not counted */
#define PAN_X 9   /* pixels per frame */
#define PAN_Y 14

/* ---- Graphs ---- */

typedef struct {
  SymModelBuilder *builder;
  SymAttributes *attributes;
  guint n;
} Maker;

static SymId
add (Maker *self, const char *type, const SymId *operands, guint n_operands)
{
  g_autofree char *name = g_strdup_printf ("stage%u_%s%u", self->n / 100, type, self->n);
  g_autofree char *result_name = g_strconcat (name, "_output", NULL);
  g_autoptr (SymLayer) layer =
      sym_layer_new (type, sym_op_find ("mxnet", type, 0), self->attributes);
  SymId call = sym_model_builder_add_call (self->builder, name, layer, operands, n_operands, 1);
  SymId result = sym_model_builder_get_result (self->builder, call, 0);

  self->n++;
  sym_model_builder_set_value_name (self->builder, result, result_name);
  return result;
}

/* Branches of one to four layers each, added up, and a way around every other block: wide enough to
 * fill the window at every scale but the last. */
static SymId
add_block (Maker *self, SymId input, gboolean skips)
{
  SymId ends[N_BRANCHES + 1];

  for (guint branch = 0; branch < N_BRANCHES; branch++)
    {
      ends[branch] = input;
      for (guint i = 0; i <= branch % 4; i++)
        ends[branch] = add (self, i % 2 == 0 ? "tanh" : "relu", &ends[branch], 1);
    }
  ends[N_BRANCHES] = input;
  return add (self, "add_n", ends, skips ? N_BRANCHES + 1 : N_BRANCHES);
}

static SymModel *
create_model (guint n)
{
  Maker maker = { sym_model_builder_new (SYM_DIALECT_MXNET), sym_attributes_new (), 0 };
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 64, 56, 56));
  SymId last = sym_model_builder_add_value (maker.builder, "data", SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (maker.builder, last);
  for (guint i = 0; maker.n + 4 * N_BRANCHES < n; i++)
    last = add_block (&maker, last, i % 2 == 0);
  while (maker.n < n)
    last = add (&maker, "relu", &last, 1);
  sym_model_builder_add_output (maker.builder, last);
  sym_attributes_unref (maker.attributes);
  return sym_model_builder_end (maker.builder);
}

/* ---- Time and memory ---- */

static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static double
get_clock_ms (void)
{
  return (double) g_get_monotonic_time () / 1e3;
}

static double
get_resident_mb (void)
{
  g_autofree char *text = NULL;
  long pages = 0;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) ||
      sscanf (text, "%*d %ld", &pages) != 1)
    g_error ("canvas: /proc/self/statm cannot be read");
  return (double) pages * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

/* ---- Frames ---- */

/* A widget that repaints all of itself with one colour: what every frame costs. */
#define TYPE_BLANK (blank_get_type ())
G_DECLARE_FINAL_TYPE (Blank, blank, , BLANK, GtkWidget)

struct _Blank {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (Blank, blank, GTK_TYPE_WIDGET)

static void
blank_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, WIDTH, HEIGHT);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  cairo_set_source_rgb (cr, 0.98, 0.98, 0.98);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static void
blank_class_init (BlankClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = blank_snapshot;
}

static void
blank_init (Blank *self)
{
}

/* Runs the main loop while frames are painted, one after the other. */
typedef struct {
  GtkWidget *widget;
  ScopeViewport *viewport; /* to be panned; NULL for none */
  guint n_frames;
  double cpu_ms[N_FRAMES];
  double last_cpu_ms;
} Run;

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Run *run = data;
  double now = get_cpu_ms ();
  double sign = run->n_frames / 40 % 2 == 0 ? -1 : 1; /* to and fro, as people do */

  if (run->n_frames > 0 && run->n_frames <= N_FRAMES)
    run->cpu_ms[run->n_frames - 1] = now - run->last_cpu_ms;
  run->last_cpu_ms = now;
  run->n_frames++;
  if (run->viewport != NULL)
    scope_viewport_pan (run->viewport, sign * PAN_X, sign * PAN_Y);
  gtk_widget_queue_draw (widget);
  return run->n_frames <= N_FRAMES;
}

/* The mean: squares that threads paint now and then are part of the price. */
static double
measure_frames (GtkWidget *widget, ScopeViewport *viewport)
{
  Run run = { widget, viewport };
  double sum = 0;

  gtk_widget_add_tick_callback (widget, tick_cb, &run, NULL);
  while (run.n_frames <= N_FRAMES)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = N_WARM; i < N_FRAMES; i++)
    sum += run.cpu_ms[i];
  return sum / (N_FRAMES - N_WARM);
}

static gboolean
ring_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
idle (guint milliseconds)
{
  gboolean is_over = FALSE;

  g_timeout_add (milliseconds, ring_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
show (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static double
measure_blank (void)
{
  GtkWidget *blank = g_object_new (TYPE_BLANK, NULL);
  GtkWidget *window = show (blank);

  idle (300);
  double ms = measure_frames (blank, NULL);

  gtk_window_destroy (GTK_WINDOW (window));
  return ms;
}

/* ---- The first frames ---- */

/* When pictures were there: first the folded one that a large graph opens with, then all of it. */
typedef struct {
  ScopeDocument *document;
  guint n_items;                /* of all */
  double laid_out_ms, whole_ms; /* processor time */
  double folded_clock_ms, whole_clock_ms;
} First;

static void
painted_cb (GdkFrameClock *clock, First *first)
{
  SymPicture *picture = scope_document_get_picture (first->document);

  if (picture == NULL)
    return;
  if (first->folded_clock_ms == 0)
    first->folded_clock_ms = get_clock_ms ();
  if (first->whole_clock_ms == 0 && sym_scene_get_n_items (sym_layout_get_scene (
                                        sym_picture_get_layout (picture))) >= first->n_items)
    {
      first->whole_ms = get_cpu_ms ();
      first->whole_clock_ms = get_clock_ms ();
    }
}

static void
changed_cb (ScopeDocument *document, guint changes, First *first)
{
  const char *progress = scope_document_get_progress (document);

  if (g_strcmp0 (progress, scope_stage_to_string (SCOPE_STAGE_PICTURE)) == 0)
    first->laid_out_ms = get_cpu_ms ();
}

static void
print_value (const char *title, double value, const char *unit, double limit)
{
  printf ("%-34s %9.1f %s   (limit %.0f)   %s\n", title, value, unit, limit,
          value <= limit ? "ok" : "TOO MUCH");
}

static const double scales[] = { 1, 0.5, 0.3, 0.1 };

#define N_ROWS (G_N_ELEMENTS (scales) + 1)

/* The last row is of all that fits. */
static void
measure_scales (ScopeViewport *viewport, GtkWidget *canvas, double *ms)
{
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      SymRect extent = scope_viewport_get_extent (viewport);

      scope_viewport_set_scale (viewport, scales[i]);
      scope_viewport_center (viewport, extent.width / 2, extent.height / 2);
      idle (400);
      ms[i] = measure_frames (canvas, viewport);
    }
  scope_viewport_fit (viewport);
  idle (800);
  ms[N_ROWS - 1] = measure_frames (canvas, viewport);
}

static void
wait_for (ScopeDocument *document, const double *clock_ms)
{
  while (scope_document_get_progress (document) != NULL || *clock_ms == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
measure_large (guint n, double *ms)
{
  g_autoptr (SymModel) model = create_model (n);
  double begun_ms = get_clock_ms ();
  g_autoptr (ScopeDocument) document = scope_document_new_for_model (model, "bench");
  GtkWidget *canvas = scope_canvas_new ();
  First first = { .document = document, .n_items = n };

  g_signal_connect (document, "changed", G_CALLBACK (changed_cb), &first);
  scope_canvas_set_document (SCOPE_CANVAS (canvas), document);
  GtkWidget *window = show (canvas);

  g_signal_connect (gtk_widget_get_frame_clock (canvas), "after-paint", G_CALLBACK (painted_cb),
                    &first);
  wait_for (document, &first.folded_clock_ms);
  double opened_ms = get_clock_ms ();

  scope_document_open_all (document);
  wait_for (document, &first.whole_clock_ms);
  idle (300);
  measure_scales (scope_canvas_get_viewport (SCOPE_CANVAS (canvas)), canvas, ms);
  gtk_window_destroy (GTK_WINDOW (window));
  printf ("%-34s %9.1f ms on the clock\n", "100,000 layers: to the first picture",
          first.folded_clock_ms - begun_ms);
  printf ("%-34s %9.1f ms on the clock\n", "all groups opened at once",
          first.whole_clock_ms - opened_ms);
  print_value ("first frame after the layout", first.whole_ms - first.laid_out_ms, "ms", 60);
}

static void
print_frames (const double *ms, double blank_ms)
{
  printf ("%-34s %12s %8s\n", "100,000 layers at 1400x900", "CPU/frame", "ratio");
  printf ("%-34s %9.2f ms %8.2f\n", "blank frame", blank_ms, 1.0);
  for (guint i = 0; i < N_ROWS; i++)
    {
      g_autofree char *title = i < G_N_ELEMENTS (scales)
                                   ? g_strdup_printf ("panning at zoom %g", scales[i])
                                   : g_strdup ("panning at fit");

      printf ("%-34s %9.2f ms %8.2f   (limit 3)   %s\n", title, ms[i], ms[i] / blank_ms,
              ms[i] / blank_ms <= 3 ? "ok" : "TOO MUCH");
    }
}

/* ---- From a file to a picture ---- */

static void
shown_cb (GdkFrameClock *clock, ScopeWindow *window)
{
  ScopePage *page = scope_window_get_page (window);
  ScopeDocument *document = page != NULL ? scope_page_get_document (page) : NULL;

  if (document == NULL || scope_document_get_picture (document) == NULL)
    return;
  printf ("%.1f %.1f %.1f\n", get_clock_ms (), get_cpu_ms (), get_resident_mb ());
  exit (0);
}

static void
opened_cb (GApplication *application, GFile **files, int n, const char *hint, gpointer user_data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint",
                    G_CALLBACK (shown_cb), window);
}

static int
open_window (char *path)
{
  g_autoptr (ScopeApplication) application = scope_application_new (G_APPLICATION_NON_UNIQUE);
  char *arguments[] = { (char *) "canvas", path, NULL };

  g_signal_connect_after (application, "open", G_CALLBACK (opened_cb), NULL);
  return g_application_run (G_APPLICATION (application), 2, arguments);
}

/* The least of five runs in processes of their own. */
static void
measure_opening (const char *program, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "thousand-symbol.json", NULL);
  g_autoptr (SymModel) model = create_model (1000);
  g_autoptr (GError) error = NULL;
  double best_ms = INFINITY, best_cpu_ms = INFINITY, most_mb = 0;

  if (!sym_io_write (sym_io_find_format ("mxnet"), model, NULL, path, NULL, &error))
    g_error ("canvas: %s", error->message);
  for (guint i = 0; i < 5; i++)
    {
      const char *command[] = { program, "--open", path, NULL };
      g_autofree char *text = NULL;
      double start = get_clock_ms (), end = 0, cpu = 0, resident = 0;

      if (!g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL,
                         NULL, &error))
        g_error ("canvas: %s", error->message);
      if (sscanf (text, "%lf %lf %lf", &end, &cpu, &resident) != 3)
        g_error ("canvas: the window did not tell when it was there");
      best_ms = MIN (best_ms, end - start);
      best_cpu_ms = MIN (best_cpu_ms, cpu);
      most_mb = MAX (most_mb, resident);
    }
  print_value ("1,000 layers: file to picture", best_ms, "ms", 400);
  print_value ("processor time of the window then", best_cpu_ms, "ms", 400);
  print_value ("resident then", most_mb, "MB", 150);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--open"))
    return open_window (argv[2]);
  if (argc != 2)
    {
      fprintf (stderr, "usage: canvas FOLDER\n");
      return 2;
    }
  gtk_init ();
  adw_init ();
  double ms[N_ROWS];

  measure_large (100000, ms);
  double blank_ms = measure_blank (); /* after it: a young heap asks the kernel for every frame */

  for (guint i = 0; i < 2; i++) /* the least of three is the most severe */
    blank_ms = MIN (blank_ms, measure_blank ());
  print_frames (ms, blank_ms);
  measure_opening (argv[0], argv[1]);
  return 0;
}
