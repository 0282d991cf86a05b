/* SPDX-License-Identifier: MIT */
#include "app/scope-legend.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-text.h"
#include "app/scope-tip.h"

#define SWATCH 12
#define MAX_REMOVED 5     /* names; the others are counted */
#define REMOVED_LENGTH 26 /* characters */
#define TITLE_LENGTH 24

struct _ScopeLegend {
  GtkWidget parent_instance;

  ScopeDocument *document;
  GtkWidget *box;
  gboolean is_wanted;
  int room_width, room_height;
  guint update;  /* source, 0 for none */
  guint shown;   /* a bit per category */
  SymHeat *heat; /* that is shown instead; NULL: none */
  SymTheme theme;
};

G_DEFINE_FINAL_TYPE (ScopeLegend, scope_legend, GTK_TYPE_WIDGET)

/* The chip's own two colours, so that the legend is recognised by eye. */
static void
draw_swatch (const ScopeLegend *self,
             cairo_t *cr,
             int width,
             int height,
             SymColor fill,
             SymColor usual_line)
{
  SymColor line = sym_theme_get_card_line (self->theme, usual_line);

  cairo_arc (cr, width / 2.0, height / 2.0, SWATCH / 2.0 - 1, 0, 2 * G_PI);
  cairo_set_source_rgb (cr, fill.red, fill.green, fill.blue);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, line.red, line.green, line.blue);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
draw_category_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  ScopeLegend *self = SCOPE_LEGEND (gtk_widget_get_ancestor (GTK_WIDGET (area), SCOPE_TYPE_LEGEND));
  SymCategory category = (SymCategory) GPOINTER_TO_UINT (user_data);

  draw_swatch (self, cr, width, height, sym_theme_get_category_fill (self->theme, category),
               sym_theme_get_category_line (self->theme, category));
}

static void
draw_heat_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  ScopeLegend *self = SCOPE_LEGEND (gtk_widget_get_ancestor (GTK_WIDGET (area), SCOPE_TYPE_LEGEND));
  guint level = GPOINTER_TO_UINT (user_data);

  draw_swatch (self, cr, width, height, sym_theme_get_heat_fill (self->theme, self->heat, level),
               sym_theme_get_heat_stroke (self->theme, self->heat, level));
}

static void
draw_unknown_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  ScopeLegend *self = SCOPE_LEGEND (gtk_widget_get_ancestor (GTK_WIDGET (area), SCOPE_TYPE_LEGEND));

  draw_swatch (self, cr, width, height, sym_theme_get_box_fill (self->theme, SYM_BOX_HIDDEN),
               sym_theme_get_box_stroke (self->theme, SYM_BOX_HIDDEN));
}

static void
add_row (ScopeLegend *self, const char *text, GtkDrawingAreaDrawFunc draw_cb, guint what)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_cb, GUINT_TO_POINTER (what),
                                  NULL);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (row), swatch);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (self->box), row);
}

/* "0.25 ms and more", "float32". */
static char *
name_level (const SymHeat *heat, guint level)
{
  g_autofree char *edge = NULL;

  if (sym_heat_has_classes (heat))
    return sym_heat_format_edge (heat, level);
  edge = sym_heat_format_edge (heat, MAX (level, 1));
  return g_strdup_printf (level > 0 ? _ ("%s and more") : _ ("Less than %s"), edge);
}

/* As before shapes are known, or where the file tells no type. */
static gboolean
is_cold (const SymHeat *heat)
{
  guint n = sym_heat_get_n_levels (heat);

  return sym_heat_has_classes (heat) ? n == 0 : sym_heat_get_edge (heat, n - 1) <= 0;
}

/* What is told of in a file, only this can name. */
static void
add_title (ScopeLegend *self)
{
  SymOverlay *overlay = scope_document_get_overlay (self->document);
  GtkWidget *label;

  if (overlay == NULL || scope_document_get_view (self->document)->colors != SCOPE_COLORS_OVERLAY)
    return;
  label = gtk_label_new (sym_overlay_get_title (overlay));
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TITLE_LENGTH);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_box_append (GTK_BOX (self->box), label);
}

/* The hottest first; classes as they come, of which a comparison names those that are there. */
static void
add_heats (ScopeLegend *self)
{
  guint n = sym_heat_get_n_levels (self->heat);
  gboolean is_any = FALSE;

  if (is_cold (self->heat))
    {
      add_row (self, _ ("Not known"), draw_unknown_cb, 0);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      guint level = sym_heat_has_classes (self->heat) ? i : n - 1 - i;
      g_autofree char *text = name_level (self->heat, level);

      if (*text == '\0')
        continue;
      add_row (self, text, draw_heat_cb, level);
      is_any = TRUE;
    }
  if (!is_any)
    add_row (self, _ ("No difference"), draw_unknown_cb, 0);
}

/* ---- What was removed has no box: it is in the other graph ---- */

static void
removed_cb (GtkWidget *button)
{
  ScopeLegend *self = SCOPE_LEGEND (gtk_widget_get_ancestor (button, SCOPE_TYPE_LEGEND));

  scope_document_select_difference (
      self->document, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "step")));
  if (scope_document_get_compared (self->document) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-compared", NULL);
}

static void
add_removed (ScopeLegend *self, const ScopeComparison *comparison, guint step)
{
  SymCompareEntry entry = scope_comparison_get_step (comparison, step);
  const char *name = scope_comparison_get_name (comparison, &entry);
  GtkWidget *label = gtk_label_new (name), *button = gtk_button_new ();
  g_autofree char *tip =
      g_strdup_printf (scope_document_get_compared (self->document) != NULL
                           ? _ ("%s “%s” was removed: show it in the other graph")
                           : _ ("%s “%s” was removed: show where it was"),
                       scope_comparison_get_type (comparison, &entry), name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (label), REMOVED_LENGTH);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "removed");
  scope_tip_set (button, tip);
  scope_access_name (button, tip);
  g_object_set_data (G_OBJECT (button), "step", GUINT_TO_POINTER (step));
  g_signal_connect (button, "clicked", G_CALLBACK (removed_cb), NULL);
  gtk_box_append (GTK_BOX (self->box), button);
}

static void
add_all_removed (ScopeLegend *self)
{
  ScopeComparison *comparison = scope_document_get_comparison (self->document);
  guint n_steps = comparison != NULL ? scope_comparison_get_n_steps (comparison) : 0, n = 0;

  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE); /* what is below can be clicked */
  if (scope_document_get_view (self->document)->colors != SCOPE_COLORS_COMPARISON)
    return;
  for (guint step = 0; step < n_steps; step++)
    if (scope_comparison_get_step (comparison, step).kind == SYM_COMPARE_REMOVED &&
        ++n <= MAX_REMOVED)
      add_removed (self, comparison, step);
  gtk_widget_set_can_target (GTK_WIDGET (self), n > 0);
  if (n > MAX_REMOVED)
    {
      g_autofree char *rest = g_strdup_printf (
          ngettext ("and %u more", "and %u more", n - MAX_REMOVED), n - MAX_REMOVED);
      GtkWidget *label = gtk_label_new (rest);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "removed");
      gtk_box_append (GTK_BOX (self->box), label);
    }
}

static void
add_categories (ScopeLegend *self, guint categories)
{
  for (guint i = 0; i < SYM_N_CATEGORIES; i++)
    if ((categories & (1u << i)) != 0)
      {
        g_autofree char *text = scope_text_sentence (_ (sym_category_to_string ((SymCategory) i)));

        add_row (self, text, draw_category_cb, i);
      }
}

static void
take_heat (ScopeLegend *self, SymHeat *heat)
{
  if (heat != NULL)
    sym_heat_ref (heat);
  g_clear_pointer (&self->heat, sym_heat_unref);
  self->heat = heat;
}

/* All of it: hiding the legend leaves its box as it is. */
static GtkRequisition
measure_box (ScopeLegend *self)
{
  GtkRequisition size;

  gtk_widget_get_preferred_size (self->box, NULL, &size);
  return size;
}

static gboolean
belongs_here (ScopeLegend *self)
{
  GtkRequisition size = measure_box (self);

  return self->is_wanted && self->shown != 0 && size.width <= self->room_width &&
         size.height <= self->room_height;
}

static void
appear (ScopeLegend *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), belongs_here (self));
}

static gboolean
update_cb (gpointer user_data)
{
  ScopeLegend *self = user_data;

  self->update = 0;
  appear (self);
  return G_SOURCE_REMOVE;
}

static void
show_legend (ScopeLegend *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  SymHeat *heat = picture != NULL ? sym_picture_get_heat (picture) : NULL;
  guint categories = 0;
  GtkWidget *child;

  if (picture != NULL)
    categories = sym_scene_get_categories (sym_layout_get_scene (sym_picture_get_layout (picture)));
  self->theme = scope_document_get_view (self->document)->theme;
  if (categories == self->shown && heat == self->heat)
    {
      appear (self);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }
  self->shown = categories;
  take_heat (self, heat);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  if (heat != NULL)
    {
      add_title (self);
      add_heats (self);
    }
  else
    add_categories (self, categories);
  add_all_removed (self);
  appear (self);
}

static void
document_changed_cb (ScopeLegend *self, guint changes)
{
  if (changes & SCOPE_CHANGE_PICTURE)
    show_legend (self);
}

static void
scope_legend_dispose (GObject *object)
{
  ScopeLegend *self = SCOPE_LEGEND (object);

  g_clear_handle_id (&self->update, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  take_heat (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_legend_parent_class)->dispose (object);
}

static void
scope_legend_class_init (ScopeLegendClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = scope_legend_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
scope_legend_init (ScopeLegend *self)
{
  self->is_wanted = TRUE;
  self->room_width = self->room_height = G_MAXINT;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_add_css_class (self->box, "card");
  gtk_widget_add_css_class (self->box, "legend");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Legend"), -1);
}

void
scope_legend_set_document (ScopeLegend *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_LEGEND (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_legend (self);
}

void
scope_legend_set_wanted (ScopeLegend *self, gboolean is_wanted)
{
  g_return_if_fail (SCOPE_IS_LEGEND (self));

  self->is_wanted = is_wanted;
  if (self->document != NULL)
    show_legend (self);
}

/* Room changes while widgets are given their places, when none may appear or go. */
void
scope_legend_set_room (ScopeLegend *self, int width, int height)
{
  g_return_if_fail (SCOPE_IS_LEGEND (self));

  self->room_width = width;
  self->room_height = height;
  if (self->update == 0 && gtk_widget_get_visible (GTK_WIDGET (self)) != belongs_here (self))
    self->update = g_idle_add_full (GDK_PRIORITY_REDRAW - 5, update_cb, self, NULL);
}

int
scope_legend_get_wanted_width (ScopeLegend *self)
{
  g_return_val_if_fail (SCOPE_IS_LEGEND (self), 0);

  return belongs_here (self) ? measure_box (self).width : 0;
}
