/* SPDX-License-Identifier: MIT */
#include "app/scope-column.h"

/* ---- Layout ---- */

struct _ScopeColumnLayout {
  GtkLayoutManager parent_instance;

  int least_chars;
};

G_DEFINE_FINAL_TYPE (ScopeColumnLayout, scope_column_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
scope_column_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
get_char_width (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int width = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                   pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (width);
}

static int
get_least_width (ScopeColumnLayout *self, GtkWidget *widget, int natural)
{
  return self->least_chars > 0 ? MIN (self->least_chars * get_char_width (widget), natural) : 0;
}

static void
scope_column_layout_measure (GtkLayoutManager *layout,
                             GtkWidget *widget,
                             GtkOrientation orientation,
                             int for_size,
                             int *minimum,
                             int *natural,
                             int *minimum_baseline,
                             int *natural_baseline)
{
  int size = orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size;

  *minimum = 0;
  *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        int least, wished;

        gtk_widget_measure (child, orientation, size, &least, &wished, NULL, NULL);
        *minimum = MAX (*minimum, least);
        *natural = MAX (*natural, wished);
      }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = MAX (*minimum, get_least_width (SCOPE_COLUMN_LAYOUT (layout), widget, *natural));
}

static void
scope_column_layout_allocate (GtkLayoutManager *layout,
                              GtkWidget *widget,
                              int width,
                              int height,
                              int baseline)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      gtk_widget_allocate (child, width, height, baseline, NULL);
}

static void
scope_column_layout_class_init (ScopeColumnLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = scope_column_layout_get_request_mode;
  layout_class->measure = scope_column_layout_measure;
  layout_class->allocate = scope_column_layout_allocate;
}

static void
scope_column_layout_init (ScopeColumnLayout *self)
{
}

/* ---- Widget ---- */

struct _ScopeColumn {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeColumn, scope_column, GTK_TYPE_WIDGET)

static void
scope_column_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (scope_column_parent_class)->dispose (object);
}

static void
scope_column_compute_expand (GtkWidget *widget, gboolean *horizontally, gboolean *vertically)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  *horizontally = child != NULL && gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
  *vertically = child != NULL && gtk_widget_compute_expand (child, GTK_ORIENTATION_VERTICAL);
}

static void
scope_column_class_init (ScopeColumnClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_column_dispose;
  widget_class->compute_expand = scope_column_compute_expand;
  gtk_widget_class_set_layout_manager_type (widget_class, SCOPE_TYPE_COLUMN_LAYOUT);
}

static void
scope_column_init (ScopeColumn *self)
{
}

void
scope_column_set_least_chars (ScopeColumn *self, int n)
{
  g_return_if_fail (SCOPE_IS_COLUMN (self) && n >= 0);

  SCOPE_COLUMN_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)))->least_chars = n;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
