/* SPDX-License-Identifier: MIT */
#include "draw/sym-theme-private.h"

#include <math.h>

#define BLACK 0x000000
#define WHITE 0xffffff
#define LEAST_CONTRAST 3.0 /* of a text that somebody chose */
#define OUTLINE 0.35       /* from the fill to the text */
#define LEAST_OUTLINE 3.0
#define N_STEPS 10

/* WCAG 2: relative luminance. */
static double
get_luminance (SymRgb rgb)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      double part = (double) (rgb >> (8 * i) & 0xff) / 255;

      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4));
    }
  return sum;
}

static double
get_contrast (SymRgb a, SymRgb b)
{
  double first = get_luminance (a), second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

SymRgb
sym_rgb_stand_out (SymRgb rgb, SymRgb ground, SymRgb ink)
{
  SymRgb color = rgb;

  for (int i = 1; i <= N_STEPS && get_contrast (color, ground) < LEAST_OUTLINE; i++)
    color = sym_rgb_mix (rgb, ink, (double) i / N_STEPS);
  return color;
}

/* From afar outlines are all that is seen: they keep the colour.  One of black and white always
 * has 4.5:1. */
SymPaint
sym_theme_derive_paint (SymTheme theme, const SymHeatColor *color)
{
  gboolean is_contrast = theme == SYM_THEME_LIGHT_CONTRAST || theme == SYM_THEME_DARK_CONTRAST;
  SymRgb ink =
      get_contrast (color->fill, BLACK) >= get_contrast (color->fill, WHITE) ? BLACK : WHITE;
  gboolean is_legible =
      color->has_text && !is_contrast && get_contrast (color->fill, color->text) >= LEAST_CONTRAST;
  SymRgb text = is_legible ? color->text : ink;

  SymRgb outline = sym_rgb_mix (color->fill, ink, OUTLINE);

  if (is_contrast)
    outline = sym_rgb_stand_out (outline, sym_theme_get_palette (theme)->frames[0],
                                 sym_theme_get_palette (theme)->text);
  return (SymPaint){ color->fill, outline, text, text };
}

SymPalette *
sym_theme_create_palette (SymTheme theme, const SymHeat *heat)
{
  const SymHeatColor *colors = heat != NULL ? sym_heat_get_colors (heat) : NULL;

  if (colors == NULL)
    return NULL;
  SymPalette *self = g_memdup2 (sym_theme_get_palette (theme), sizeof *self);

  for (guint i = 0; i < sym_heat_get_n_levels (heat); i++)
    self->paints[SYM_PAINT_OWN + i] = sym_theme_derive_paint (theme, &colors[i]);
  return self;
}
