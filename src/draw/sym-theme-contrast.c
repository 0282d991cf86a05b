/* SPDX-License-Identifier: MIT */
#include "draw/sym-theme-private.h"

#define N_THEMES 2
#define OUTLINE 1.0        /* thicker than usual */
#define OUTLINE_PIXELS 2.0 /* wherever it lies, one of them has all of its colour */

/* What differs from the usual palette: texts are black or white, outlines have the colours that
 * texts had, and what is dimmed can still be made out.  Groups are a colour half way between the
 * ink of nodes and the ground: from afar boxes are nothing but their outline's colour. */
typedef struct {
  SymTheme usual;
  SymRgb background, ink, group;
  SymRgb frames[SYM_N_FRAME_SHADES];
  SymRgb dimmed, dimmed_text;
  SymRgb lines[SYM_N_LINES];
} Contrast;

static const Contrast contrasts[N_THEMES] = {
  { SYM_THEME_LIGHT,
    0xffffff,
    0x000000,
    0x486c9c,
    { 0xeef0f6, 0xffffff },
    0x767676,
    0x595959,
    { [SYM_LINE_DATA] = 0x0b4fa8,
      [SYM_LINE_CONTROL] = 0x3d3d42,
      [SYM_LINE_BACK] = 0x8a2f00,
      [SYM_LINE_DIMMED] = 0x767676 } },
  { SYM_THEME_DARK,
    0x000000,
    0xffffff,
    0x6c78e4,
    { 0x1c1e26, 0x000000 },
    0x8a8a8a,
    0xb0b0b0,
    { [SYM_LINE_DATA] = 0x9cc8ff,
      [SYM_LINE_CONTROL] = 0xd0d0d8,
      [SYM_LINE_BACK] = 0xffc08f,
      [SYM_LINE_DIMMED] = 0x8a8a8a } },
};

/* Boxes of values and groups, whose texts have no colour of a category. */
static gboolean
is_node (guint slot)
{
  return slot >= SYM_PAINT_INPUT && slot < SYM_PAINT_HEAT;
}

static void
derive_paint (SymPaint *paint, guint slot, const Contrast *contrast)
{
  SymRgb usual_text = paint->text;

  if (slot >= SYM_PAINT_HEAT)
    {
      paint->stroke = sym_rgb_stand_out (paint->stroke, contrast->frames[0], contrast->ink);
      return;
    }
  paint->text = paint->muted = contrast->ink;
  paint->stroke = is_node (slot) ? contrast->ink : usual_text;
  if (slot == SYM_PAINT_INPUT || slot == SYM_PAINT_OUTPUT)
    paint->stroke = usual_text;
  if (slot == SYM_PAINT_GROUP)
    paint->stroke = contrast->group;
  if (slot == SYM_PAINT_DIMMED)
    *paint = (SymPaint){ contrast->frames[0], contrast->dimmed, contrast->dimmed_text,
                         contrast->dimmed_text };
}

static void
derive (SymPalette *palette, const Contrast *contrast)
{
  *palette = *sym_theme_get_palette (contrast->usual);
  palette->background = palette->card = palette->mark = contrast->background;
  palette->text = palette->muted = palette->card_stroke = contrast->ink;
  palette->frame_stroke = palette->frame_text = contrast->ink;
  palette->dimmed_frame_stroke = contrast->dimmed;
  palette->dimmed_frame_text = contrast->dimmed_text;
  palette->outline = OUTLINE;
  palette->outline_px = OUTLINE_PIXELS;
  for (guint i = 0; i < SYM_N_FRAME_SHADES; i++)
    palette->frames[i] = contrast->frames[i];
  for (guint i = 0; i < SYM_N_LINES; i++)
    palette->lines[i] = contrast->lines[i];
  for (guint i = 0; i < SYM_N_PAINTS; i++)
    derive_paint (&palette->paints[i], i, contrast);
}

const SymPalette *
sym_theme_get_contrast_palette (SymTheme theme)
{
  static SymPalette palettes[N_THEMES];
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      for (guint i = 0; i < N_THEMES; i++)
        derive (&palettes[i], &contrasts[i]);
      g_once_init_leave (&is_made, 1);
    }
  return &palettes[sym_theme_is_dark (theme) ? 1 : 0];
}
