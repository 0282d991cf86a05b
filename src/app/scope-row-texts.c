/* SPDX-License-Identifier: MIT */
#include "app/scope-row-texts.h"

#include <adwaita.h>

#define SPACING 3 /* pixels: libadwaita's own */

struct _ScopeTextsLayout {
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (ScopeTextsLayout, scope_texts_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkWidget *
get_shown (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
get_first (GtkWidget *widget)
{
  return get_shown (gtk_widget_get_first_child (widget));
}

static GtkWidget *
get_next (GtkWidget *child)
{
  return get_shown (gtk_widget_get_next_sibling (child));
}

static GtkSizeRequestMode
scope_texts_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_width (GtkWidget *widget, int *minimum, int *natural)
{
  for (GtkWidget *child = get_first (widget); child != NULL; child = get_next (child))
    {
      int least, wished;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wished, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural = MAX (*natural, wished);
    }
}

static void
measure_height (GtkWidget *widget, int width, int *minimum, int *natural)
{
  for (GtkWidget *child = get_first (widget); child != NULL; child = get_next (child))
    {
      int least, wished, spacing = get_next (child) != NULL ? SPACING : 0;

      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &least, &wished, NULL, NULL);
      *minimum += least + spacing;
      *natural += wished + spacing;
    }
}

static void
scope_texts_layout_measure (GtkLayoutManager *layout,
                            GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  *minimum = 0;
  *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (widget, minimum, natural);
  else
    measure_height (widget, for_size, minimum, natural);
}

/* Texts that need more than there is get what they cannot do without. */
static void
scope_texts_layout_allocate (GtkLayoutManager *layout,
                             GtkWidget *widget,
                             int width,
                             int height,
                             int baseline)
{
  int minimum = 0, natural = 0, y = 0;

  measure_height (widget, width, &minimum, &natural);
  for (GtkWidget *child = get_first (widget); child != NULL; child = get_next (child))
    {
      int least, wished;

      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &least, &wished, NULL, NULL);
      GtkAllocation place = { 0, y, width, natural <= height ? wished : least };

      gtk_widget_size_allocate (child, &place, -1);
      y += place.height + SPACING;
    }
}

static void
scope_texts_layout_class_init (ScopeTextsLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = scope_texts_layout_get_request_mode;
  layout_class->measure = scope_texts_layout_measure;
  layout_class->allocate = scope_texts_layout_allocate;
}

static void
scope_texts_layout_init (ScopeTextsLayout *self)
{
}

static gboolean
are_texts (GtkWidget *widget)
{
  return GTK_IS_BOX (widget) && gtk_widget_has_css_class (widget, "title") &&
         gtk_orientable_get_orientation (GTK_ORIENTABLE (widget)) == GTK_ORIENTATION_VERTICAL;
}

static void
lay_out (GtkWidget *widget, gboolean is_in_row)
{
  if (is_in_row && are_texts (widget))
    {
      gtk_widget_set_layout_manager (widget, g_object_new (SCOPE_TYPE_TEXTS_LAYOUT, NULL));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    lay_out (child, is_in_row || ADW_IS_ACTION_ROW (widget));
}

void
scope_row_texts_lay_out (GtkWidget *root)
{
  g_return_if_fail (GTK_IS_WIDGET (root));

  lay_out (root, FALSE);
}
