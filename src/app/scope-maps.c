/* SPDX-License-Identifier: MIT */
#include "app/scope-maps.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "core/sym-element.h"
#include "draw/sym-draw-map.h"

#define N_COLUMNS 4
#define N_ON_PAGE 16
#define GAP 4
#define MAX_SIDE 256 /* pixels of a map; the inspector has less room than that for it */
#define LEAST_WIDTH 200

struct _ScopeMaps {
  GtkWidget parent_instance;

  SymDatum *datum;
  SymMaps maps; /* of @datum */
  double low, high;
  SymTheme theme;
  guint64 first;             /* map on the page */
  GPtrArray *surfaces;       /* of cairo_surface_t: the page */
  GCancellable *cancellable; /* of what is being painted; NULL for nothing */
  gboolean is_syncing;
  gboolean has_chosen; /* colours, which then stay */

  GtkWidget *box;
  GtkWidget *place;
  GtkWidget *previous;
  GtkWidget *next;
  GtkWidget *colors;
  GtkWidget *channels_last;
  GtkWidget *area;
};

G_DEFINE_FINAL_TYPE (ScopeMaps, scope_maps, GTK_TYPE_WIDGET)

/* A page to be painted. */
typedef struct {
  SymDatum *datum;
  SymMaps maps;
  SymMapOptions options;
  guint64 first;
  guint n;
} Page;

static void
free_page (gpointer data)
{
  Page *page = data;

  sym_datum_unref (page->datum);
  g_free (page);
}

static guint
count_on_page (ScopeMaps *self)
{
  return (guint) MIN (self->maps.n_maps - self->first, N_ON_PAGE);
}

/* ---- Drawing: cells as wide as a quarter, all as high as the maps are in it ---- */

static int
get_n_columns (ScopeMaps *self)
{
  return (int) MIN (self->maps.n_maps, N_COLUMNS);
}

static double
get_cell_height (ScopeMaps *self, double cell_width)
{
  double ratio = (double) self->maps.height / (double) self->maps.width;

  return MAX (cell_width * CLAMP (ratio, 0.05, 3), 4);
}

static void
draw_map (cairo_t *cr, cairo_surface_t *surface, double x, double y, double width, double height)
{
  double scale_x = width / cairo_image_surface_get_width (surface);
  double scale_y = height / cairo_image_surface_get_height (surface);

  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, scale_x, scale_y);
  cairo_set_source_surface (cr, surface, 0, 0);
  /* Numbers are squares, not a haze. */
  cairo_pattern_set_filter (cairo_get_source (cr),
                            scale_x >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  ScopeMaps *self = user_data;
  int n_columns = get_n_columns (self);

  if (n_columns == 0)
    return;
  double cell = (double) (width - GAP * (n_columns - 1)) / n_columns;
  double cell_height = get_cell_height (self, cell);

  for (guint i = 0; i < self->surfaces->len; i++)
    draw_map (cr, self->surfaces->pdata[i], (i % (guint) n_columns) * (cell + GAP),
              (i / (guint) n_columns) * (cell_height + GAP), cell, cell_height);
}

static void
resize_cb (ScopeMaps *self, int width)
{
  int n_columns = get_n_columns (self);

  if (n_columns == 0)
    return;
  int n_rows = ((int) MIN (self->maps.n_maps, N_ON_PAGE) + n_columns - 1) / n_columns;
  double cell = (double) (MAX (width, LEAST_WIDTH) - GAP * (n_columns - 1)) / n_columns;
  int height = (int) (n_rows * (get_cell_height (self, cell) + GAP)) - GAP;

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->area), height);
}

/* ---- Painting ---- */

static void
paint_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Page *page = task_data;
  g_autoptr (GPtrArray) surfaces =
      g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);
  GError *error = NULL;

  for (guint i = 0; i < page->n; i++)
    {
      cairo_surface_t *surface =
          sym_maps_paint (&page->maps, sym_datum_get_array (page->datum), page->first + i,
                          &page->options, cancellable, &error);

      if (surface == NULL)
        {
          g_task_return_error (task, error);
          return;
        }
      g_ptr_array_add (surfaces, surface);
    }
  g_task_return_pointer (task, g_steal_pointer (&surfaces), (GDestroyNotify) g_ptr_array_unref);
}

/* What was cancelled is being replaced, or its widget is gone. */
static void
painted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeMaps) self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *surfaces = g_task_propagate_pointer (G_TASK (result), &error);

  if (surfaces == NULL)
    return;
  g_clear_object (&self->cancellable);
  g_ptr_array_unref (self->surfaces);
  self->surfaces = surfaces;
  if (self->area != NULL)
    gtk_widget_queue_draw (self->area);
}

static void
stop_painting (ScopeMaps *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
paint (ScopeMaps *self)
{
  Page *page = g_new0 (Page, 1);
  g_autoptr (GTask) task = NULL;

  stop_painting (self);
  page->datum = sym_datum_ref (self->datum);
  page->maps = self->maps;
  page->first = self->first;
  page->n = count_on_page (self);
  page->options = (SymMapOptions){
    .colors = (SymMapColors) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->colors)),
    .theme = self->theme,
    .low = self->low,
    .high = self->high,
    .max_side = MAX_SIDE,
  };
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, painted_cb, g_object_ref (self));
  g_task_set_source_tag (task, paint);
  g_task_set_task_data (task, page, free_page);
  g_task_run_in_thread (task, paint_thread);
}

static void
show_page (ScopeMaps *self)
{
  guint64 last = self->first + count_on_page (self);
  g_autofree char *from = g_strdup_printf ("%" G_GUINT64_FORMAT, self->first);
  g_autofree char *to = g_strdup_printf ("%" G_GUINT64_FORMAT, last - 1);
  g_autofree char *all = g_strdup_printf ("%" G_GUINT64_FORMAT, self->maps.n_maps);
  g_autofree char *place = self->maps.n_maps == 1
                               ? g_strdup (_ ("As Picture"))
                               : g_strdup_printf (_ ("Maps %s–%s of %s"), from, to, all);

  gtk_label_set_text (GTK_LABEL (self->place), place);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, place,
                                  -1);
  gtk_widget_set_visible (self->previous, self->maps.n_maps > N_ON_PAGE);
  gtk_widget_set_visible (self->next, self->maps.n_maps > N_ON_PAGE);
  gtk_widget_set_sensitive (self->previous, self->first > 0);
  gtk_widget_set_sensitive (self->next, last < self->maps.n_maps);
  resize_cb (self, gtk_widget_get_width (self->area));
  paint (self);
}

/* ---- Choices ---- */

static void
previous_cb (ScopeMaps *self)
{
  self->first -= MIN (self->first, N_ON_PAGE);
  show_page (self);
}

static void
next_cb (ScopeMaps *self)
{
  self->first += N_ON_PAGE;
  show_page (self);
}

static void
options_changed_cb (ScopeMaps *self)
{
  gboolean is_last = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->channels_last));
  SymMaps maps;

  if (self->is_syncing || self->datum == NULL)
    return;
  if (sym_maps_init (&maps, &sym_datum_get_array (self->datum)->shape, is_last))
    {
      if (maps.channels_last != self->maps.channels_last)
        self->first = 0;
      self->maps = maps;
    }
  show_page (self);
}

static void
colors_changed_cb (ScopeMaps *self)
{
  self->has_chosen = self->has_chosen || !self->is_syncing;
  options_changed_cb (self);
}

/* ---- Class ---- */

static void
scope_maps_dispose (GObject *object)
{
  ScopeMaps *self = SCOPE_MAPS (object);

  stop_painting (self);
  g_clear_pointer (&self->datum, sym_datum_unref);
  self->area = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_maps_parent_class)->dispose (object);
}

static void
scope_maps_finalize (GObject *object)
{
  g_ptr_array_unref (SCOPE_MAPS (object)->surfaces);
  G_OBJECT_CLASS (scope_maps_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeMaps, child)

static void
scope_maps_class_init (ScopeMapsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_maps_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_maps_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-maps.ui");
  BIND (box);
  BIND (place);
  BIND (previous);
  BIND (next);
  BIND (colors);
  BIND (channels_last);
  BIND (area);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, options_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, colors_changed_cb);
}

static void
scope_maps_init (ScopeMaps *self)
{
  self->surfaces = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);
  self->is_syncing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_access_name_choice (self->colors, _ ("Colours of the maps"));
  self->is_syncing = FALSE;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  g_signal_connect_swapped (self->area, "resize", G_CALLBACK (resize_cb), self);
}

gboolean
scope_maps_has (const SymShape *shape)
{
  SymMaps maps;

  return sym_maps_init (&maps, shape, -1);
}

void
scope_maps_set_datum (ScopeMaps *self, SymDatum *datum, double low, double high)
{
  g_return_if_fail (SCOPE_IS_MAPS (self));

  const SymArray *array = datum != NULL ? sym_datum_get_array (datum) : NULL;
  gboolean shows = array != NULL && sym_dtype_is_numeric (array->dtype) &&
                   sym_maps_init (&self->maps, &array->shape, -1);

  stop_painting (self);
  g_clear_pointer (&self->datum, sym_datum_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), shows);
  if (!shows)
    return;
  self->datum = sym_datum_ref (datum);
  self->low = low;
  self->high = high;
  self->first = 0;
  g_ptr_array_set_size (self->surfaces, 0);
  self->is_syncing = TRUE;
  if (!self->has_chosen)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->colors),
                                low < 0 ? SYM_MAP_DIVERGING : SYM_MAP_GREY);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->channels_last), self->maps.channels_last);
  gtk_widget_set_visible (self->channels_last, array->shape.rank > 2);
  self->is_syncing = FALSE;
  show_page (self);
}

void
scope_maps_set_theme (ScopeMaps *self, SymTheme theme)
{
  g_return_if_fail (SCOPE_IS_MAPS (self));

  if (self->theme == theme)
    return;
  self->theme = theme;
  if (self->datum != NULL)
    paint (self);
}
