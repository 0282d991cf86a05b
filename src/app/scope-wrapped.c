/* SPDX-License-Identifier: MIT */
#include "app/scope-wrapped.h"

#include <string.h>

/* ---- Height ---- */

/* In place of what measures a label: asks it, at the width that it has. */
#define SCOPE_TYPE_WRAPPED_LAYOUT (scope_wrapped_layout_get_type ())
G_DECLARE_FINAL_TYPE (ScopeWrappedLayout,
                      scope_wrapped_layout,
                      SCOPE,
                      WRAPPED_LAYOUT,
                      GtkLayoutManager)

struct _ScopeWrappedLayout {
  GtkLayoutManager parent_instance;
  int width;    /* pixels; 0 before it has got any */
  guint asking; /* the idle source that has it measured again; 0 for none */
};

G_DEFINE_FINAL_TYPE (ScopeWrappedLayout, scope_wrapped_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
scope_wrapped_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
scope_wrapped_layout_measure (GtkLayoutManager *layout,
                              GtkWidget *widget,
                              GtkOrientation orientation,
                              int for_size,
                              int *minimum,
                              int *natural,
                              int *minimum_baseline,
                              int *natural_baseline)
{
  ScopeWrappedLayout *self = SCOPE_WRAPPED_LAYOUT (layout);
  GtkWidgetClass *label = GTK_WIDGET_GET_CLASS (widget);
  gboolean is_height = orientation == GTK_ORIENTATION_VERTICAL;
  int size = is_height && for_size < 0 && self->width > 0 ? self->width : for_size;

  label->measure (widget, orientation, size, minimum, natural, minimum_baseline, natural_baseline);
  if (is_height && size < 0)
    *minimum = *natural;
}

/* Not while GTK gives places to widgets, when none may ask for another one. */
static gboolean
ask_cb (gpointer data)
{
  ScopeWrappedLayout *self = data;
  GtkWidget *widget = gtk_layout_manager_get_widget (GTK_LAYOUT_MANAGER (self));

  self->asking = 0;
  if (widget != NULL)
    gtk_widget_queue_resize (widget);
  return G_SOURCE_REMOVE;
}

static void
scope_wrapped_layout_allocate (GtkLayoutManager *layout,
                               GtkWidget *widget,
                               int width,
                               int height,
                               int baseline)
{
  ScopeWrappedLayout *self = SCOPE_WRAPPED_LAYOUT (layout);

  GTK_WIDGET_GET_CLASS (widget)->size_allocate (widget, width, height, baseline);
  if (self->width != width && self->asking == 0)
    self->asking = g_idle_add (ask_cb, self);
  self->width = width;
}

static void
scope_wrapped_layout_dispose (GObject *object)
{
  g_clear_handle_id (&SCOPE_WRAPPED_LAYOUT (object)->asking, g_source_remove);
  G_OBJECT_CLASS (scope_wrapped_layout_parent_class)->dispose (object);
}

static void
scope_wrapped_layout_class_init (ScopeWrappedLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_wrapped_layout_dispose;
  layout_class->get_request_mode = scope_wrapped_layout_get_request_mode;
  layout_class->measure = scope_wrapped_layout_measure;
  layout_class->allocate = scope_wrapped_layout_allocate;
}

static void
scope_wrapped_layout_init (ScopeWrappedLayout *self)
{
}

void
scope_wrapped_reserve (GtkWidget *label)
{
  g_return_if_fail (GTK_IS_LABEL (label) && gtk_label_get_wrap (GTK_LABEL (label)));

  gtk_widget_set_layout_manager (label, g_object_new (SCOPE_TYPE_WRAPPED_LAYOUT, NULL));
}

/* ---- Text ---- */

static gboolean
is_of_breaks (PangoAttribute *attribute, gpointer data)
{
  return attribute->klass->type == PANGO_ATTR_ALLOW_BREAKS;
}

static PangoAttribute *
keep_together (gsize start, gsize length)
{
  PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);

  attribute->start_index = (guint) start;
  attribute->end_index = (guint) (start + length);
  return attribute;
}

static gboolean
is_number (const char *word)
{
  return g_ascii_isdigit (word[*word == '(']);
}

/* Only the place between two words, as what is longer than a line is to be broken somewhere. */
static void
keep_with_next (PangoAttrList *attributes, const char *text, const char *space)
{
  gsize reach = (gsize) (g_utf8_next_char (space + 1) - space);

  pango_attr_list_insert (attributes, keep_together ((gsize) (space - text), reach));
}

/* Other attributes of the label stay. */
void
scope_wrapped_set_text (GtkWidget *label, const char *text)
{
  g_return_if_fail (GTK_IS_LABEL (label) && text != NULL);

  PangoAttrList *old = gtk_label_get_attributes (GTK_LABEL (label));
  g_autoptr (PangoAttrList) attributes =
      old != NULL ? pango_attr_list_copy (old) : pango_attr_list_new ();
  g_autoptr (PangoAttrList) breaks = pango_attr_list_filter (attributes, is_of_breaks, NULL);

  for (const char *start = text; *start != '\0';)
    {
      gsize length = strcspn (start, " ,");
      const char *end = start + length;

      if (g_strstr_len (start, (gssize) length, "×") != NULL)
        pango_attr_list_insert (attributes, keep_together ((gsize) (start - text), length));
      if (*end == ' ' && end[1] != '\0' && is_number (start))
        keep_with_next (attributes, text, end);
      start = end + strspn (end, " ,");
    }
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_text (GTK_LABEL (label), text);
}
