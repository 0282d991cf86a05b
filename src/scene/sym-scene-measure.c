/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-measure.h"

#include <pango/pangocairo.h>

/* Names and shapes are mostly Latin letters, digits and `×`, with `…` where they are cut.  Shaping
 * each of 100,000 lines takes seconds; adding up the advances of their letters takes milliseconds
 * and differs by the kerning only, which the padding of a box covers.  Everything else is shaped,
 * once per distinct text. */
#define N_LATIN 256
#define ELLIPSIS 0x2026
#define N_SIMPLE (N_LATIN + 1) /* the last is the ellipsis */

typedef struct {
  double size;
  gboolean bold;
  PangoFontDescription *font;
  double advances[N_SIMPLE]; /* negative while not known */
  GHashTable *shaped;        /* text to a boxed double */
} Font;

struct _SymMeasure {
  PangoFontMap *map;
  PangoContext *context;
  PangoLayout *layout;
  GPtrArray *fonts;
};

static void
font_free (gpointer data)
{
  Font *self = data;

  pango_font_description_free (self->font);
  g_hash_table_unref (self->shaped);
  g_free (self);
}

static Font *
font_new (const SymTextStyle *style)
{
  Font *self = g_new0 (Font, 1);

  self->size = style->size;
  self->bold = style->bold;
  self->font = pango_font_description_from_string (SYM_SCENE_FONT);
  pango_font_description_set_absolute_size (self->font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (self->font,
                                     style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  self->shaped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < N_SIMPLE; i++)
    self->advances[i] = -1;
  return self;
}

static Font *
find_font (SymMeasure *self, const SymTextStyle *style)
{
  Font *font;

  for (guint i = 0; i < self->fonts->len; i++)
    {
      font = self->fonts->pdata[i];
      if (font->bold == style->bold && ABS (font->size - style->size) < 0.01)
        return font;
    }
  font = font_new (style);
  g_ptr_array_add (self->fonts, font);
  return font;
}

static double
shape (SymMeasure *self, Font *font, const char *text, int n_bytes)
{
  int width;

  pango_layout_set_font_description (self->layout, font->font);
  pango_layout_set_text (self->layout, text, n_bytes);
  pango_layout_get_size (self->layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

static double
shape_once (SymMeasure *self, Font *font, const char *text)
{
  double *width = g_hash_table_lookup (font->shaped, text);

  if (!width)
    {
      width = g_new (double, 1);
      *width = shape (self, font, text, -1);
      g_hash_table_insert (font->shaped, g_strdup (text), width);
    }
  return *width;
}

/* The place of its advance; -1 where more than that decides. */
static int
find_place (gunichar c)
{
  if ((c >= 0x20 && c < 0x7f) || (c >= 0xa1 && c < N_LATIN && c != 0xad))
    return (int) c;
  return c == ELLIPSIS ? N_LATIN : -1;
}

SymMeasure *
sym_measure_new (void)
{
  SymMeasure *self = g_new0 (SymMeasure, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  self->map = pango_cairo_font_map_new ();
  pango_cairo_font_map_set_resolution (PANGO_CAIRO_FONT_MAP (self->map), 96);
  self->context = pango_font_map_create_context (self->map);
  pango_cairo_context_set_font_options (self->context, options);
  pango_context_set_round_glyph_positions (self->context, FALSE);
  /* The width of a text must not depend on the user's language. */
  pango_context_set_language (self->context, pango_language_from_string ("en"));
  self->layout = pango_layout_new (self->context);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  self->fonts = g_ptr_array_new_with_free_func (font_free);
  cairo_font_options_destroy (options);
  return self;
}

void
sym_measure_free (SymMeasure *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->fonts);
  g_object_unref (self->layout);
  g_object_unref (self->context);
  g_object_unref (self->map);
  g_free (self);
}

double
sym_measure_get_width (SymMeasure *self, const char *text, const SymTextStyle *style)
{
  Font *font = find_font (self, style);
  double sum = 0;

  for (const char *p = text; *p; p = g_utf8_next_char (p))
    {
      int place = find_place (g_utf8_get_char (p));

      if (place < 0)
        return shape_once (self, font, text);
      if (font->advances[place] < 0)
        font->advances[place] = shape (self, font, p, (int) (g_utf8_next_char (p) - p));
      sum += font->advances[place];
    }
  return sum;
}
