/* SPDX-License-Identifier: MIT */
#include "app/scope-empty.h"

#include <adwaita.h>

struct _ScopeEmpty {
  GtkWidget parent_instance;

  GtkWidget *page;
  char *icon;
  int width, height; /* that the icon was last chosen for */
  guint update;      /* source, 0 for none */
};

G_DEFINE_FINAL_TYPE (ScopeEmpty, scope_empty, GTK_TYPE_WIDGET)

/* The words come first: without room for all the icon would be what is seen. */
static gboolean
update_cb (gpointer user_data)
{
  ScopeEmpty *self = user_data;
  AdwStatusPage *page = ADW_STATUS_PAGE (self->page);
  int height;

  self->update = 0;
  adw_status_page_set_icon_name (page, self->icon);
  gtk_widget_remove_css_class (self->page, "low");
  gtk_widget_measure (self->page, GTK_ORIENTATION_VERTICAL, self->width, NULL, &height, NULL, NULL);
  if (height > self->height)
    {
      adw_status_page_set_icon_name (page, NULL);
      gtk_widget_add_css_class (self->page, "low");
    }
  return G_SOURCE_REMOVE;
}

/* While widgets are given their places none may appear or go. */
static void
scope_empty_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ScopeEmpty *self = SCOPE_EMPTY (widget);

  gtk_widget_allocate (self->page, width, height, baseline, NULL);
  if (width == self->width && height == self->height)
    return;
  self->width = width;
  self->height = height;
  if (self->update == 0)
    self->update = g_idle_add_full (GDK_PRIORITY_REDRAW - 5, update_cb, self, NULL);
}

static GtkSizeRequestMode
scope_empty_get_request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (SCOPE_EMPTY (widget)->page);
}

static void
scope_empty_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  gtk_widget_measure (SCOPE_EMPTY (widget)->page, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
scope_empty_dispose (GObject *object)
{
  ScopeEmpty *self = SCOPE_EMPTY (object);

  g_clear_handle_id (&self->update, g_source_remove);
  g_clear_pointer (&self->page, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_empty_parent_class)->dispose (object);
}

static void
scope_empty_finalize (GObject *object)
{
  g_free (SCOPE_EMPTY (object)->icon);
  G_OBJECT_CLASS (scope_empty_parent_class)->finalize (object);
}

static void
scope_empty_class_init (ScopeEmptyClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_empty_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_empty_finalize;
  widget_class->get_request_mode = scope_empty_get_request_mode;
  widget_class->measure = scope_empty_measure;
  widget_class->size_allocate = scope_empty_size_allocate;
}

static void
scope_empty_init (ScopeEmpty *self)
{
  self->page = adw_status_page_new ();
  gtk_widget_add_css_class (self->page, "compact");
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
}

GtkWidget *
scope_empty_new (const char *icon,
                 const char *title,
                 const char *description,
                 const char *button,
                 const char *action)
{
  g_return_val_if_fail (icon != NULL && title != NULL && button != NULL && action != NULL, NULL);

  ScopeEmpty *self = g_object_new (SCOPE_TYPE_EMPTY, NULL);
  GtkWidget *child = gtk_button_new_with_label (button);

  self->icon = g_strdup (icon);
  gtk_widget_add_css_class (child, "pill");
  gtk_widget_set_halign (child, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (child), action);
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->page), icon);
  adw_status_page_set_title (ADW_STATUS_PAGE (self->page), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (self->page), description);
  adw_status_page_set_child (ADW_STATUS_PAGE (self->page), child);
  return GTK_WIDGET (self);
}
