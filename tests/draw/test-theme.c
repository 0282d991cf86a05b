/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "draw/sym-theme-private.h"

#define TEXT 4.5    /* WCAG 2.1, 1.4.3 */
#define GRAPHIC 3.0 /* WCAG 2.1, 1.4.11 */

static const SymTheme themes[] = { SYM_THEME_LIGHT, SYM_THEME_DARK, SYM_THEME_LIGHT_CONTRAST,
                                   SYM_THEME_DARK_CONTRAST };

static double
linear (SymRgb rgb, int shift)
{
  double c = (rgb >> shift & 0xff) / 255.0;

  return c <= 0.03928 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
luminance (SymRgb rgb)
{
  return 0.2126 * linear (rgb, 16) + 0.7152 * linear (rgb, 8) + 0.0722 * linear (rgb, 0);
}

static double
contrast (SymRgb a, SymRgb b)
{
  double bright = MAX (luminance (a), luminance (b));
  double dim = MIN (luminance (a), luminance (b));

  return (bright + 0.05) / (dim + 0.05);
}

static void
assert_contrast (const char *what, SymRgb a, SymRgb b, double least)
{
  if (contrast (a, b) < least)
    g_error ("%s: #%06x on #%06x is %.2f:1, less than %.1f:1", what, a, b, contrast (a, b), least);
}

static void
test_formula (void)
{
  g_assert_cmpfloat_with_epsilon (contrast (0x000000, 0xffffff), 21, 0.001);
  g_assert_cmpfloat_with_epsilon (contrast (0x777777, 0xffffff), 4.48, 0.01);
}

static void
test_text (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      const SymPalette *palette = sym_theme_get_palette (themes[t]);

      for (guint i = 0; i < SYM_PAINT_OWN; i++)
        {
          const SymPaint *paint = &palette->paints[i];

          assert_contrast (sym_paint_slot_to_string (i), paint->text, paint->fill, TEXT);
          assert_contrast (sym_paint_slot_to_string (i), paint->muted, paint->fill, TEXT);
        }
      for (guint i = 0; i < SYM_N_FRAME_SHADES; i++)
        {
          assert_contrast ("frame", palette->frame_text, palette->frames[i], TEXT);
          assert_contrast ("dimmed frame", palette->dimmed_frame_text, palette->frames[i], TEXT);
        }
      assert_contrast ("text", palette->text, palette->background, TEXT);
      assert_contrast ("edge label", palette->muted, palette->background, TEXT);
      assert_contrast ("legend", palette->text, palette->card, TEXT);
    }
}

static void
test_graphics (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      const SymPalette *palette = sym_theme_get_palette (themes[t]);
      SymRgb input = palette->paints[SYM_PAINT_INPUT].stroke;
      SymRgb output = palette->paints[SYM_PAINT_OUTPUT].stroke;

      for (guint i = 0; i < SYM_LINE_DIMMED; i++)
        {
          assert_contrast (sym_line_to_string (i), palette->lines[i], palette->background, GRAPHIC);
          assert_contrast (sym_line_to_string (i), palette->lines[i], palette->card, GRAPHIC);
          for (guint k = 0; k < SYM_N_FRAME_SHADES; k++)
            assert_contrast (sym_line_to_string (i), palette->lines[i], palette->frames[k],
                             GRAPHIC);
        }
      const SymPaint *hidden = &palette->paints[SYM_PAINT_HIDDEN];

      assert_contrast ("group outline", palette->paints[SYM_PAINT_GROUP].stroke,
                       palette->background, GRAPHIC);
      assert_contrast ("hidden outline", hidden->stroke, palette->background, GRAPHIC);
      assert_contrast ("hidden outline", hidden->stroke, hidden->fill, GRAPHIC);
      for (guint k = 0; k < SYM_N_FRAME_SHADES; k++)
        {
          assert_contrast ("group outline", palette->paints[SYM_PAINT_GROUP].stroke,
                           palette->frames[k], GRAPHIC);
          assert_contrast ("hidden outline", hidden->stroke, palette->frames[k], GRAPHIC);
          assert_contrast ("input outline", input, palette->frames[k], GRAPHIC);
          assert_contrast ("output outline", output, palette->frames[k], GRAPHIC);
        }
      assert_contrast ("input outline", input, palette->background, GRAPHIC);
      assert_contrast ("output outline", output, palette->background, GRAPHIC);
      assert_contrast ("input mark", palette->mark, input, GRAPHIC);
      assert_contrast ("output mark", palette->mark, output, GRAPHIC);
    }
}

/* WCAG 2.1, 1.4.6.  Colours of heat tell by what they are, and keep the usual contrast. */
static void
test_more_contrast (void)
{
  static const SymTheme contrast_themes[] = { SYM_THEME_LIGHT_CONTRAST, SYM_THEME_DARK_CONTRAST };

  for (guint t = 0; t < G_N_ELEMENTS (contrast_themes); t++)
    {
      const SymPalette *palette = sym_theme_get_palette (contrast_themes[t]);

      g_assert_cmpint (sym_theme_is_dark (contrast_themes[t]), ==, t == 1);
      for (guint i = 0; i < SYM_PAINT_HEAT; i++)
        {
          const SymPaint *paint = &palette->paints[i];

          if (i == SYM_PAINT_DIMMED)
            continue;
          assert_contrast (sym_paint_slot_to_string (i), paint->text, paint->fill, 7);
          assert_contrast (sym_paint_slot_to_string (i), paint->muted, paint->fill, 7);
          assert_contrast (sym_paint_slot_to_string (i), paint->stroke, palette->background, TEXT);
        }
      for (guint i = 0; i < SYM_LINE_DIMMED; i++)
        assert_contrast (sym_line_to_string (i), palette->lines[i], palette->background, TEXT);
      assert_contrast ("text", palette->text, palette->background, 7);
      assert_contrast ("edge label", palette->muted, palette->background, 7);
      assert_contrast ("frame", palette->frame_stroke, palette->background, TEXT);
    }
}

static void
test_distinct (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    {
      const SymPalette *palette = sym_theme_get_palette (themes[t]);

      for (guint i = 0; i < SYM_PAINT_OWN; i++)
        for (guint k = 0; k < i; k++)
          g_assert_cmphex (palette->paints[i].fill, !=, palette->paints[k].fill);
    }
}

static void
test_public_colors (void)
{
  SymColor fill = sym_theme_get_box_fill (SYM_THEME_LIGHT, SYM_BOX_OUTPUT);
  SymColor text = sym_theme_get_box_text (SYM_THEME_DARK, SYM_BOX_INPUT);
  SymColor background = sym_theme_get_background (SYM_THEME_DARK);
  const SymPalette *light = sym_theme_get_palette (SYM_THEME_LIGHT);
  const SymPalette *dark = sym_theme_get_palette (SYM_THEME_DARK);

  g_assert_cmpint (lround (fill.red * 255), ==, light->paints[SYM_PAINT_OUTPUT].fill >> 16 & 0xff);
  g_assert_cmpint (lround (text.green * 255), ==, dark->paints[SYM_PAINT_INPUT].text >> 8 & 0xff);
  g_assert_cmpint (lround (background.blue * 255), ==, dark->background & 0xff);
}

/* With more contrast the coldest is seen, too; from afar each still has its own colour. */
static void
test_more_contrast_outlines_heat (void)
{
  static const SymTheme strong[] = { SYM_THEME_LIGHT_CONTRAST, SYM_THEME_DARK_CONTRAST };
  static const SymHeatColor colors[] = { { 0x000000 }, { 0xffffff }, { 0x102030 }, { 0xf0f0e0 } };

  for (guint t = 0; t < G_N_ELEMENTS (strong); t++)
    {
      const SymPalette *palette = sym_theme_get_palette (strong[t]);

      for (guint i = SYM_PAINT_HEAT; i < SYM_PAINT_OWN; i++)
        {
          assert_contrast ("heat", palette->paints[i].stroke, palette->background, GRAPHIC);
          assert_contrast ("heat", palette->paints[i].stroke, palette->frames[0], GRAPHIC);
        }
      for (guint i = SYM_PAINT_HEAT + 1; i < SYM_PAINT_OWN; i++)
        g_assert_cmphex (palette->paints[i].stroke, !=, palette->paints[i - 1].stroke);
      for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
        assert_contrast ("own", sym_theme_derive_paint (strong[t], &colors[i]).stroke,
                         palette->background, GRAPHIC);
    }
}

/* Whatever somebody else has chosen, it is read; a text that cannot be is ours. */
static void
test_own_colours_are_legible (void)
{
  static const SymHeatColor colors[] = {
    { 0x000000 },
    { 0xffffff },
    { 0x777777 },
    { 0xff0000 },
    { 0x0000ff },
    { 0x00ff00 },
    { 0xffff00, 0xffffff, TRUE },
    { 0x123456, 0x123457, TRUE },
  };

  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
      {
        SymPaint paint = sym_theme_derive_paint (themes[t], &colors[i]);

        g_assert_cmphex (paint.fill, ==, colors[i].fill);
        assert_contrast ("own", paint.text, paint.fill, TEXT);
      }
  SymHeatColor good = { 0x123456, 0xfedcba, TRUE };

  g_assert_cmphex (sym_theme_derive_paint (SYM_THEME_LIGHT, &good).text, ==, 0xfedcba);
  g_assert_cmphex (sym_theme_derive_paint (SYM_THEME_DARK_CONTRAST, &good).text, ==, 0xffffff);
}

static SymRgb
to_rgb (SymColor color)
{
  return (SymRgb) (color.red * 255 + 0.5) << 16 | (SymRgb) (color.green * 255 + 0.5) << 8 |
         (SymRgb) (color.blue * 255 + 0.5);
}

/* The legend of the window: cards of libadwaita are white, or lighter than the dark drawing. */
static void
test_outlines_are_seen_on_cards (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (themes); t++)
    for (guint i = 0; i < SYM_PAINT_OWN; i++)
      {
        SymRgb stroke = sym_theme_get_palette (themes[t])->paints[i].stroke;
        SymColor color = { (stroke >> 16) / 255.0, (stroke >> 8 & 0xff) / 255.0,
                           (stroke & 0xff) / 255.0 };
        SymRgb card = sym_theme_is_dark (themes[t]) ? 0x383838 : 0xffffff;
        SymRgb line = to_rgb (sym_theme_get_card_line (themes[t], color));

        assert_contrast (sym_paint_slot_to_string (i), line, card, GRAPHIC);
        if (contrast (stroke, card) >= GRAPHIC)
          g_assert_cmphex (line, ==, stroke);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/theme/more-contrast-is-more", test_more_contrast);
  g_test_add_func ("/draw/theme/more-contrast-outlines-heat", test_more_contrast_outlines_heat);
  g_test_add_func ("/draw/theme/outlines-are-seen-on-cards", test_outlines_are_seen_on_cards);
  g_test_add_func ("/draw/theme/own-colours-are-legible", test_own_colours_are_legible);
  g_test_add_func ("/draw/theme/contrast-is-computed-as-wcag-says", test_formula);
  g_test_add_func ("/draw/theme/every-text-can-be-read", test_text);
  g_test_add_func ("/draw/theme/lines-and-outlines-can-be-seen", test_graphics);
  g_test_add_func ("/draw/theme/every-kind-has-a-colour-of-its-own", test_distinct);
  g_test_add_func ("/draw/theme/public-colours-are-those-of-the-palette", test_public_colors);
  return g_test_run ();
}
