/* SPDX-License-Identifier: MIT */
#include "app/scope-minimap.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/scope-overview.h"

#define MOST_WIDTH 190.0
#define MOST_HEIGHT 260.0
#define LEAST 44.0

struct _ScopeMinimap {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeViewport *viewport;
  gboolean is_wanted;
  guint update; /* source, 0 for none */
  ScopeOverview overview;
  cairo_surface_t *surface;  /* of @painted; NULL before the first */
  SymPicture *painted;       /* what the surface shows, or what is being painted */
  GCancellable *cancellable; /* of the painting that goes on */
  double grip_x, grip_y;     /* from the pointer to the middle of the frame */
};

G_DEFINE_FINAL_TYPE (ScopeMinimap, scope_minimap, GTK_TYPE_WIDGET)

/* ---- The small picture, painted by a thread ---- */

typedef struct {
  SymPicture *picture;
  ScopeOverview overview;
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

/* Lines are as thick as the mean of both scales makes them: neither blots nor gone where it is
 * stretched. */
static void
paint_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *self = task_data;
  const SymRect *extent = &self->overview.extent;
  double across = self->overview.width / extent->width;
  double down = self->overview.height / extent->height;
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) ceil (self->overview.width) * self->device_scale,
      (int) ceil (self->overview.height) * self->device_scale);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, self->background.red, self->background.green, self->background.blue);
  cairo_paint (cr);
  cairo_scale (cr, across * self->device_scale, down * self->device_scale);
  cairo_translate (cr, -extent->x, -extent->y);
  sym_picture_paint (self->picture, cr, NULL, sqrt (across * down));
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  cairo_surface_set_device_scale (surface, self->device_scale, self->device_scale);
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
start_painting (ScopeMinimap *self, SymPicture *picture)
{
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  stop_painting (self);
  g_clear_pointer (&self->painted, sym_picture_unref);
  self->painted = sym_picture_ref (picture);
  job->picture = sym_picture_ref (picture);
  job->overview = self->overview;
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

static void
show_overview (ScopeMinimap *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  SymRect visible = scope_viewport_get_visible (self->viewport);
  gboolean is_shown = FALSE;

  if (picture != NULL && self->is_wanted) {
    SymRect extent = sym_picture_get_extent (picture);

    is_shown = !scope_overview_is_needless (&extent, &visible);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
  if (is_shown && picture != self->painted) {
    SymRect extent = sym_picture_get_extent (picture);

    self->overview = scope_overview_get (&extent, MOST_WIDTH, MOST_HEIGHT, LEAST);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    start_painting (self, picture);
  }
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

static void
scope_minimap_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ScopeMinimap *self = SCOPE_MINIMAP (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (self->document == NULL || width <= 0 || height <= 0)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  SymColor background =
      sym_theme_get_background (scope_document_get_view (self->document)->theme);
  SymRect visible = scope_viewport_get_visible (self->viewport);
  SymRect frame = scope_overview_get_frame (&self->overview, &visible);

  cairo_set_source_rgb (cr, background.red, background.green, background.blue);
  cairo_paint (cr);
  if (self->surface != NULL) {
    cairo_set_source_surface (cr, self->surface, 0, 0);
    cairo_paint (cr);
  }
  paint_frame (self, cr, &frame);
  cairo_destroy (cr);
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
  double size = orientation == GTK_ORIENTATION_HORIZONTAL ? self->overview.width
                                                          : self->overview.height;

  *minimum = *natural = (int) ceil (size);
}

/* ---- Pointing ---- */

/* The frame goes with the pointer from where it was grasped; anywhere else it comes to the pointer. */
static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, ScopeMinimap *self)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  SymRect frame = scope_overview_get_frame (&self->overview, &visible);
  double cx, cy;

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->grip_x = self->grip_y = 0;
  if (x >= frame.x && y >= frame.y && x <= frame.x + frame.width && y <= frame.y + frame.height) {
    self->grip_x = frame.x + frame.width / 2 - x;
    self->grip_y = frame.y + frame.height / 2 - y;
    return;
  }
  scope_overview_to_content (&self->overview, x, y, &cx, &cy);
  scope_viewport_center (self->viewport, cx, cy);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, ScopeMinimap *self)
{
  double x, y, cx, cy;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  scope_overview_to_content (&self->overview, x + dx + self->grip_x, y + dy + self->grip_y, &cx,
                             &cy);
  scope_viewport_center (self->viewport, cx, cy);
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
  g_clear_pointer (&self->painted, sym_picture_unref);
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
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Overview"), -1);
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
  g_signal_connect_object (viewport, "changed", G_CALLBACK (queue_update), self,
                           G_CONNECT_SWAPPED);
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
