/* SPDX-License-Identifier: MIT */
#include "app/scope-preview.h"

#define LEAST_ROOM 300
#define MARGINS 24
#define MAX_LINES 120 /* of a text: more of them than fit, and yet laid out in a moment */
#define MAX_BYTES 16384

struct _ScopePreview {
  AdwBin parent_instance;

  GtkWidget *stack;
  GtkWidget *picture;
  GtkWidget *text;
  GtkWidget *spinner;
};

G_DEFINE_FINAL_TYPE (ScopePreview, scope_preview, ADW_TYPE_BIN)

static void
scope_preview_class_init (ScopePreviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-preview.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopePreview, stack);
  gtk_widget_class_bind_template_child (widget_class, ScopePreview, picture);
  gtk_widget_class_bind_template_child (widget_class, ScopePreview, text);
  gtk_widget_class_bind_template_child (widget_class, ScopePreview, spinner);
}

static void
scope_preview_init (ScopePreview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
scope_preview_set_texture (ScopePreview *self, GdkTexture *texture)
{
  g_return_if_fail (SCOPE_IS_PREVIEW (self));

  g_autoptr (GdkPaintable) paintable =
      texture != NULL ? scope_preview_create_paintable (
                            texture, gtk_widget_get_scale_factor (GTK_WIDGET (self)))
                      : NULL;

  gtk_picture_set_paintable (GTK_PICTURE (self->picture), paintable);
  gtk_widget_set_visible (self->picture, texture != NULL);
  gtk_label_set_text (GTK_LABEL (self->text), "");
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->picture);
}

/* Where so many lines end, or so many bytes. */
static gsize
find_end (const char *text)
{
  gsize length = 0;

  for (guint lines = 0; lines < MAX_LINES && length < MAX_BYTES && text[length] != '\0'; length++)
    lines += text[length] == '\n';
  while (length > 0 && (text[length] & 0xc0) == 0x80)
    length--;
  return length;
}

void
scope_preview_set_text (ScopePreview *self, const char *text)
{
  g_return_if_fail (SCOPE_IS_PREVIEW (self) && text != NULL);

  gsize length = find_end (text);
  g_autofree char *start = g_strndup (text, length);
  g_autofree char *shown = text[length] != '\0' ? g_strconcat (start, "…", NULL) : g_strdup (start);

  gtk_picture_set_paintable (GTK_PICTURE (self->picture), NULL);
  gtk_label_set_text (GTK_LABEL (self->text), shown);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->text);
}

void
scope_preview_set_busy (ScopePreview *self, gboolean is_busy)
{
  g_return_if_fail (SCOPE_IS_PREVIEW (self));

  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  gtk_widget_set_opacity (self->stack, is_busy ? 0.5 : 1);
}

guint
scope_preview_get_room (ScopePreview *self)
{
  g_return_val_if_fail (SCOPE_IS_PREVIEW (self), LEAST_ROOM);

  int width = gtk_widget_get_width (GTK_WIDGET (self)) - MARGINS;
  int height = gtk_widget_get_height (GTK_WIDGET (self)) - MARGINS;

  return (guint) MAX (MIN (width, height), LEAST_ROOM);
}

GdkPaintable *
scope_preview_create_paintable (GdkTexture *texture, int density)
{
  g_return_val_if_fail (GDK_IS_TEXTURE (texture) && density > 0, NULL);

  graphene_size_t size = { (float) gdk_texture_get_width (texture) / (float) density,
                           (float) gdk_texture_get_height (texture) / (float) density };
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gtk_snapshot_append_texture (snapshot, texture,
                               &GRAPHENE_RECT_INIT (0, 0, size.width, size.height));
  return gtk_snapshot_free_to_paintable (snapshot, &size);
}

GdkTexture *
scope_preview_create_texture (cairo_surface_t *surface)
{
  g_return_val_if_fail (surface != NULL, NULL);

  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (
      cairo_image_surface_get_data (surface), stride * (gsize) height,
      (GDestroyNotify) cairo_surface_destroy, cairo_surface_reference (surface));

  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}
