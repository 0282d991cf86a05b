/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"

#include <pango/pangocairo.h>

#define MAX_KEPT \
  2048 /* texts laid out, per thread: more than any screen shows at a readable size */

typedef struct {
  char *text;
  int size;  /* Pango units */
  int width; /* so, too; -1: as wide as it is */
  gboolean bold, loses_end;
} Key;

typedef struct {
  PangoFontMap *map;
  PangoContext *context;
  GHashTable *layouts; /* Key to PangoLayout */
} Texts;

static guint
key_hash (gconstpointer data)
{
  const Key *self = data;

  return g_str_hash (self->text) * 31 + (guint) self->size * 2 + (guint) self->bold +
         (guint) self->width * 7;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *first = a;
  const Key *second = b;

  return first->size == second->size && first->width == second->width &&
         first->bold == second->bold && first->loses_end == second->loses_end &&
         g_str_equal (first->text, second->text);
}

static void
key_free (gpointer data)
{
  Key *self = data;

  g_free (self->text);
  g_free (self);
}

static void
texts_free (gpointer data)
{
  Texts *self = data;

  g_hash_table_unref (self->layouts);
  g_object_unref (self->context);
  g_object_unref (self->map);
  g_free (self);
}

/* As the scene measures: no hinting, so that a text scales with the picture, and no dependence on
 * the user's language. */
static Texts *
texts_new (void)
{
  Texts *self = g_new0 (Texts, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  self->map = pango_cairo_font_map_new ();
  pango_cairo_font_map_set_resolution (PANGO_CAIRO_FONT_MAP (self->map), 96);
  self->context = pango_font_map_create_context (self->map);
  pango_cairo_context_set_font_options (self->context, options);
  pango_context_set_round_glyph_positions (self->context, FALSE);
  pango_context_set_language (self->context, pango_language_from_string ("en"));
  self->layouts = g_hash_table_new_full (key_hash, key_equal, key_free, g_object_unref);
  cairo_font_options_destroy (options);
  return self;
}

static GPrivate texts_of_thread = G_PRIVATE_INIT (texts_free);

static Texts *
get_texts (void)
{
  Texts *self = g_private_get (&texts_of_thread);

  if (self == NULL)
    {
      self = texts_new ();
      g_private_set (&texts_of_thread, self);
    }
  return self;
}

static PangoLayout *
lay_out (Texts *self, const Key *key)
{
  PangoLayout *layout = pango_layout_new (self->context);
  PangoFontDescription *font = pango_font_description_from_string (SYM_SCENE_FONT);

  pango_font_description_set_absolute_size (font, key->size);
  pango_font_description_set_weight (font, key->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, key->text, -1);
  if (key->width >= 0)
    {
      pango_layout_set_ellipsize (layout,
                                  key->loses_end ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
      pango_layout_set_width (layout, key->width);
    }
  pango_font_description_free (font);
  return layout;
}

/* Borrowed until the next call. */
static PangoLayout *
find_layout (const SymTextStyle *style, const char *text, double width)
{
  Texts *self = get_texts ();
  Key key = { (char *) text, (int) (style->size * PANGO_SCALE),
              width >= 0 ? (int) (width * PANGO_SCALE) : -1, style->bold, style->loses_end };
  PangoLayout *layout = g_hash_table_lookup (self->layouts, &key);
  Key *kept;

  if (layout != NULL)
    return layout;
  if (g_hash_table_size (self->layouts) >= MAX_KEPT)
    g_hash_table_remove_all (self->layouts);
  layout = lay_out (self, &key);
  kept = g_memdup2 (&key, sizeof key);
  kept->text = g_strdup (text);
  g_hash_table_insert (self->layouts, kept, layout);
  return layout;
}

void
sym_draw_text_measure (const SymTextStyle *style, const char *text, double *width, double *height)
{
  PangoRectangle logical;

  pango_layout_get_extents (find_layout (style, text, -1), NULL, &logical);
  *width = (double) logical.width / PANGO_SCALE;
  *height = (double) logical.height / PANGO_SCALE;
}

static void
show_layout (cairo_t *cr, PangoLayout *layout, double x, double y, double angle, double factor)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  if (angle < 0 || angle > 0)
    cairo_rotate (cr, angle);
  cairo_scale (cr, factor, factor);
  cairo_move_to (cr, -(double) logical.width / PANGO_SCALE / 2,
                 -(double) logical.height / PANGO_SCALE / 2);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}

void
sym_draw_text_show (cairo_t *cr,
                    const SymTextStyle *style,
                    const char *text,
                    double x,
                    double y,
                    double angle)
{
  show_layout (cr, find_layout (style, text, -1), x, y, angle, 1);
}

void
sym_draw_text_show_within (cairo_t *cr,
                           const SymTextStyle *style,
                           const char *text,
                           double x,
                           double y,
                           double angle,
                           double factor,
                           double width)
{
  show_layout (cr, find_layout (style, text, MAX (width, 0) / factor), x, y, angle, factor);
}
