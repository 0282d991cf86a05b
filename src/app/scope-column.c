/* SPDX-License-Identifier: MIT */
#include "app/scope-column.h"

/* ---- Layout ---- */

struct _ScopeColumnLayout {
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeColumnLayout, scope_column_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
scope_column_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
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
