/* SPDX-License-Identifier: MIT */
#include "app/scope-cell.h"

#include "app/scope-elided.h"

#include <string.h>

#include "app/scope-access.h"

#define NOTHING " " /* in place of no name, for which GTK 4.8 tells that of the class */

struct _ScopeCell {
  GtkWidget parent_instance;

  char *text;
  gboolean is_named; /* for who does not see it */
  float xalign;
  PangoEllipsizeMode ellipsize;
  PangoWeight weight;
  PangoLayout
      *layout; /* once it was drawn; NULL where the text, its look or its room has changed since */
};

G_DEFINE_FINAL_TYPE (ScopeCell, scope_cell, GTK_TYPE_WIDGET)

/* ---- Its size ---- */

/* Cells of one table have one font: it is measured for the first of them. */
static int
get_line_height (GtkWidget *widget)
{
  static guint last_font;
  static int last_height;
  PangoContext *context = gtk_widget_get_pango_context (widget);
  guint font = pango_font_description_hash (pango_context_get_font_description (context));

  if (font != last_font || last_height == 0)
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");

      pango_layout_get_pixel_size (layout, NULL, &last_height);
      last_font = font;
    }
  return last_height;
}

static void
scope_cell_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? get_line_height (widget) : 0;
}

/* ---- Its look ---- */

static PangoAttrList *
create_attributes (ScopeCell *self)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes,
                          pango_attr_font_features_new ("tnum=1")); /* digits stand in columns */
  if (self->weight != PANGO_WEIGHT_NORMAL)
    pango_attr_list_insert (attributes, pango_attr_weight_new (self->weight));
  return attributes;
}

static PangoLayout *
create_layout (ScopeCell *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PangoLayout *layout;

  /* Shapes and numbers run from left to right in any language. */
  pango_context_set_base_dir (gtk_widget_get_pango_context (widget), PANGO_DIRECTION_LTR);
  layout = gtk_widget_create_pango_layout (widget, self->text);
  g_autoptr (PangoAttrList) attributes = create_attributes (self);

  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, self->ellipsize == PANGO_ELLIPSIZE_START
                                          ? scope_elided_choose (self->text)
                                          : self->ellipsize);
  pango_layout_set_width (layout, gtk_widget_get_width (widget) * PANGO_SCALE);
  return layout;
}

static void
forget_layout (ScopeCell *self)
{
  g_clear_object (&self->layout);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
scope_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ScopeCell *self = SCOPE_CELL (widget);
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  float xalign = is_rtl ? 1 - self->xalign : self->xalign;
  PangoRectangle rect;

  if (*self->text == '\0')
    return;
  if (self->layout == NULL)
    self->layout = create_layout (self);
  pango_layout_get_pixel_extents (self->layout, NULL, &rect);
  /* The layout aligns what runs from right to left by itself. */
  gtk_snapshot_render_layout (
      snapshot, gtk_widget_get_style_context (widget),
      (int) (xalign * (float) (gtk_widget_get_width (widget) - rect.width)) - rect.x,
      (gtk_widget_get_height (widget) - rect.height) / 2, self->layout);
}

static void
scope_cell_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ScopeCell *self = SCOPE_CELL (widget);

  if (self->layout != NULL && pango_layout_get_width (self->layout) != width * PANGO_SCALE)
    forget_layout (self);
}

static void
scope_cell_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (scope_cell_parent_class)->css_changed (widget, change);
  forget_layout (SCOPE_CELL (widget));
}

static void
scope_cell_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  GTK_WIDGET_CLASS (scope_cell_parent_class)->direction_changed (widget, previous);
  forget_layout (SCOPE_CELL (widget));
}

/* ---- Whole ---- */

static void
scope_cell_dispose (GObject *object)
{
  g_clear_object (&SCOPE_CELL (object)->layout);
  G_OBJECT_CLASS (scope_cell_parent_class)->dispose (object);
}

static void
scope_cell_finalize (GObject *object)
{
  g_free (SCOPE_CELL (object)->text);
  G_OBJECT_CLASS (scope_cell_parent_class)->finalize (object);
}

static void
scope_cell_class_init (ScopeCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_cell_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_cell_finalize;
  widget_class->measure = scope_cell_measure;
  widget_class->size_allocate = scope_cell_size_allocate;
  widget_class->snapshot = scope_cell_snapshot;
  widget_class->css_changed = scope_cell_css_changed;
  widget_class->direction_changed = scope_cell_direction_changed;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
scope_cell_init (ScopeCell *self)
{
  self->text = g_strdup ("");
  self->weight = PANGO_WEIGHT_NORMAL;
}

GtkWidget *
scope_cell_new (float xalign, PangoEllipsizeMode ellipsize)
{
  ScopeCell *self = g_object_new (SCOPE_TYPE_CELL, NULL);

  self->xalign = xalign;
  self->ellipsize = ellipsize;
  return GTK_WIDGET (self);
}

const char *
scope_cell_get_text (ScopeCell *self)
{
  g_return_val_if_fail (SCOPE_IS_CELL (self), "");

  return self->text;
}

void
scope_cell_set_text (ScopeCell *self, const char *text)
{
  g_return_if_fail (SCOPE_IS_CELL (self) && text != NULL);

  if (self->is_named && strcmp (self->text, text) == 0)
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  self->is_named = TRUE;
  scope_access_name (GTK_WIDGET (self), *text != '\0' ? text : NOTHING);
  forget_layout (self);
}

gboolean
scope_cell_is_elided (ScopeCell *self)
{
  g_return_val_if_fail (SCOPE_IS_CELL (self), FALSE);

  return self->layout != NULL && pango_layout_is_ellipsized (self->layout);
}

void
scope_cell_set_weight (ScopeCell *self, PangoWeight weight)
{
  g_return_if_fail (SCOPE_IS_CELL (self));

  if (self->weight == weight)
    return;
  self->weight = weight;
  forget_layout (self);
}
