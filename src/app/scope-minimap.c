/* SPDX-License-Identifier: MIT */
#include "app/scope-minimap.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/scope-overview.h"
#include "app/scope-release.h"

#define MOST_WIDTH 190.0
#define MOST_HEIGHT 260.0
#define MOST_OF_CANVAS 0.45 /* of its height */
#define LEAST 44.0
#define THREAD 16.0
#define AHEAD 2.0 /* pieces on either side that are painted with the one that is shown */

struct _ScopeMinimap {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeViewport *viewport;
  gboolean is_wanted;
  int room_width, room_height;
  guint update; /* source, 0 for none */
  ScopeOverview overview;
  cairo_surface_t *surface;  /* NULL before the first */
  SymRect surface_rect;      /* of the content, which it shows */
  SymPicture *painted;       /* what the surface shows, or what is being painted */
  SymRect painted_rect;      /* and how much of it, */
  double painted_scale;      /* how large */
  GCancellable *cancellable; /* of the painting that goes on */
  double grip_x, grip_y;     /* from the frame's corner to the pointer */
};

G_DEFINE_FINAL_TYPE (ScopeMinimap, scope_minimap, GTK_TYPE_WIDGET)

/* ---- The small picture, painted by a thread ---- */

typedef struct {
  SymPicture *picture;
  SymRect rect;
  double scale;
  SymColor background;
  int device_scale;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  sym_picture_unref (self->picture);
  g_free (self);
}

static void
paint_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *self = task_data;
  const SymRect *rect = &self->rect;
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) ceil (rect->width * self->scale * self->device_scale),
      (int) ceil (rect->height * self->scale * self->device_scale));
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, self->background.red, self->background.green, self->background.blue);
  cairo_paint (cr);
  cairo_scale (cr, self->scale * self->device_scale, self->scale * self->device_scale);
  cairo_translate (cr, -rect->x, -rect->y);
  sym_picture_paint (self->picture, cr, rect, self->scale);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  g_task_return_pointer (task, surface, (GDestroyNotify) cairo_surface_destroy);
}

static void
painted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeMinimap *self = SCOPE_MINIMAP (source);
  cairo_surface_t *surface = g_task_propagate_pointer (G_TASK (result), NULL);

  if (surface == NULL) /* a newer picture is being painted */
    return;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  self->surface = surface;
  self->surface_rect = self->painted_rect;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
stop_painting (ScopeMinimap *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
start_painting (ScopeMinimap *self, SymPicture *picture, const SymRect *rect)
{
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  stop_painting (self);
  sym_picture_ref (picture);
  scope_release (g_steal_pointer (&self->painted), (GDestroyNotify) sym_picture_unref);
  self->painted = picture;
  self->painted_rect = *rect;
  self->painted_scale = self->overview.scale;
  job->picture = sym_picture_ref (picture);
  job->rect = *rect;
  job->scale = self->overview.scale;
  job->background = sym_theme_get_background (scope_document_get_view (self->document)->theme);
  job->device_scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, painted_cb, NULL);
  g_task_set_source_tag (task, start_painting);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_check_cancellable (task, TRUE);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, paint_thread);
}

/* ---- What is shown ---- */

/* What is shown, and what will be when the view goes on. */
static SymRect
get_wanted (const ScopeOverview *overview)
{
  const SymRect *shown = &overview->shown, *extent = &overview->extent;
  double left = MIN (MAX (shown->x - AHEAD * shown->width, extent->x), shown->x);
  double top = MIN (MAX (shown->y - AHEAD * shown->height, extent->y), shown->y);
  double right = MAX (MIN (shown->x + (1 + AHEAD) * shown->width, extent->x + extent->width),
                      shown->x + shown->width);
  double bottom = MAX (MIN (shown->y + (1 + AHEAD) * shown->height, extent->y + extent->height),
                       shown->y + shown->height);

  return (SymRect){ left, top, right - left, bottom - top };
}

static gboolean
is_painted (ScopeMinimap *self)
{
  const SymRect *shown = &self->overview.shown, *rect = &self->painted_rect;
  double point = 1 / self->overview.scale;

  return self->painted_scale == self->overview.scale && shown->x >= rect->x - point &&
         shown->y >= rect->y - point && shown->x + shown->width <= rect->x + rect->width + point &&
         shown->y + shown->height <= rect->y + rect->height + point;
}

static void
measure (ScopeMinimap *self, const SymRect *extent, const SymRect *visible)
{
  double canvas = visible->height * scope_viewport_get_scale (self->viewport);
  double height = MIN (MIN (MOST_OF_CANVAS * canvas, MOST_HEIGHT), self->room_height);
  ScopeOverviewSize size = { CLAMP (self->room_width, LEAST, MOST_WIDTH), MAX (height, LEAST),
                             LEAST, THREAD };
  ScopeOverview before = self->overview;

  self->overview = scope_overview_get (extent, visible, &size);
  if (ceil (before.width) != ceil (self->overview.width) ||
      ceil (before.height) != ceil (self->overview.height))
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* A painting that goes on is not stopped for the view having gone on: it would never end. */
static void
show_picture (ScopeMinimap *self, SymPicture *picture)
{
  SymRect wanted = get_wanted (&self->overview);

  if (picture != self->painted || (self->cancellable == NULL && !is_painted (self)))
    start_painting (self, picture, &wanted);
}

static gboolean
has_room (ScopeMinimap *self)
{
  return self->room_width >= LEAST && self->room_height >= LEAST;
}

static void
show_overview (ScopeMinimap *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  SymRect visible = scope_viewport_get_visible (self->viewport);
  gboolean is_shown = FALSE;

  if (picture != NULL && self->is_wanted && has_room (self))
    {
      SymRect extent = sym_picture_get_extent (picture);

      is_shown = !scope_overview_is_needless (&extent, &visible);
      if (is_shown)
        measure (self, &extent, &visible);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (is_shown)
    show_picture (self, picture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
update_cb (gpointer user_data)
{
  ScopeMinimap *self = user_data;

  self->update = 0;
  show_overview (self);
  return G_SOURCE_REMOVE;
}

/* The viewport also changes while widgets are given their places, when none may appear or go. */
static void
queue_update (ScopeMinimap *self)
{
  if (self->update == 0)
    self->update = g_idle_add_full (GDK_PRIORITY_REDRAW - 5, update_cb, self, NULL);
}

static void
document_changed_cb (ScopeMinimap *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_PICTURE | SCOPE_CHANGE_MODEL))
    queue_update (self);
}

static void
paint_frame (ScopeMinimap *self, cairo_t *cr, const SymRect *frame)
{
  GdkRGBA accent;
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                       "accent_bg_color", &accent))
    accent = (GdkRGBA){ 0.21f, 0.52f, 0.89f, 1 };
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_rectangle (cr, frame->x, frame->y, frame->width, frame->height);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_set_source_rgba (cr, 0.5, 0.5, 0.5, 0.18);
  cairo_fill (cr);
  cairo_rectangle (cr, frame->x + 1, frame->y + 1, frame->width - 2, frame->height - 2);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, 2);
  gdk_cairo_set_source_rgba (cr, &accent);
  cairo_stroke (cr);
}

/* Until what is wanted has been painted, what there is lies where it belongs. */
static void
paint_surface (ScopeMinimap *self, cairo_t *cr)
{
  const SymRect *rect = &self->surface_rect;
  double scale = self->overview.scale;
  double stretch = rect->width * scale / cairo_image_surface_get_width (self->surface);

  cairo_save (cr);
  cairo_translate (cr, (rect->x - self->overview.shown.x) * scale,
                   (rect->y - self->overview.shown.y) * scale);
  cairo_scale (cr, stretch, stretch);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
scope_minimap_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ScopeMinimap *self = SCOPE_MINIMAP (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (self->document == NULL || width <= 0 || height <= 0)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  SymColor background = sym_theme_get_background (scope_document_get_view (self->document)->theme);
  SymRect visible = scope_viewport_get_visible (self->viewport);
  SymRect frame = scope_overview_get_frame (&self->overview, &visible);

  cairo_set_source_rgb (cr, background.red, background.green, background.blue);
  cairo_paint (cr);
  if (self->surface != NULL)
    paint_surface (self, cr);
  paint_frame (self, cr, &frame);
  cairo_destroy (cr);
  if (self->cancellable == NULL && !is_painted (self)) /* the view has gone on meanwhile */
    queue_update (self);
}

static void
scope_minimap_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  ScopeMinimap *self = SCOPE_MINIMAP (widget);
  double size =
      orientation == GTK_ORIENTATION_HORIZONTAL ? self->overview.width : self->overview.height;

  *minimum = *natural = (int) ceil (size);
}

/* ---- Pointing ---- */

/* The frame goes with the pointer from where it was grasped.  Anywhere else what lies there is
 * looked at; the pointer may be beside the frame then, and goes with it all the same. */
static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, ScopeMinimap *self)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  SymRect frame = scope_overview_get_frame (&self->overview, &visible);

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (x < frame.x || y < frame.y || x > frame.x + frame.width || y > frame.y + frame.height)
    {
      double cx, cy;

      scope_overview_to_content (&self->overview, x, y, &cx, &cy);
      scope_viewport_center (self->viewport, cx, cy);
      show_overview (self);
      visible = scope_viewport_get_visible (self->viewport);
      frame = scope_overview_get_frame (&self->overview, &visible);
    }
  self->grip_x = x - frame.x;
  self->grip_y = y - frame.y;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, ScopeMinimap *self)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  double x, y, cx, cy;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  scope_overview_drag (&self->overview, &visible, x + dx - self->grip_x, y + dy - self->grip_y, &cx,
                       &cy);
  scope_viewport_center (self->viewport, cx, cy);
  show_overview (self);
}

/* ---- Class ---- */

static void
scope_minimap_dispose (GObject *object)
{
  ScopeMinimap *self = SCOPE_MINIMAP (object);

  g_clear_handle_id (&self->update, g_source_remove);
  stop_painting (self);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_object (&self->viewport);
  G_OBJECT_CLASS (scope_minimap_parent_class)->dispose (object);
}

static void
scope_minimap_finalize (GObject *object)
{
  ScopeMinimap *self = SCOPE_MINIMAP (object);

  g_clear_pointer (&self->surface, cairo_surface_destroy);
  scope_release (g_steal_pointer (&self->painted), (GDestroyNotify) sym_picture_unref);
  G_OBJECT_CLASS (scope_minimap_parent_class)->finalize (object);
}

static void
scope_minimap_class_init (ScopeMinimapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_minimap_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_minimap_finalize;
  widget_class->snapshot = scope_minimap_snapshot;
  widget_class->measure = scope_minimap_measure;
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
scope_minimap_init (ScopeMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->is_wanted = TRUE;
  self->room_width = self->room_height = G_MAXINT;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Overview"), -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
scope_minimap_set_document (ScopeMinimap *self, ScopeDocument *document, ScopeViewport *viewport)
{
  g_return_if_fail (SCOPE_IS_MINIMAP (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->viewport = g_object_ref (viewport);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  g_signal_connect_object (viewport, "changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  show_overview (self);
}

void
scope_minimap_set_wanted (ScopeMinimap *self, gboolean is_wanted)
{
  g_return_if_fail (SCOPE_IS_MINIMAP (self));

  self->is_wanted = is_wanted;
  if (self->document != NULL)
    show_overview (self);
}

void
scope_minimap_set_room (ScopeMinimap *self, int width, int height)
{
  g_return_if_fail (SCOPE_IS_MINIMAP (self));

  if (width == self->room_width && height == self->room_height)
    return;
  self->room_width = width;
  self->room_height = height;
  if (self->document != NULL)
    queue_update (self);
}
