/* SPDX-License-Identifier: MIT */
#include "draw/sym-theme-private.h"

/* libadwaita's, of popovers and what floats. */
#define LIGHT_CARD 0xffffff
#define DARK_CARD 0x383838

#define OUTLINE_PIXELS 0.7

/* Every text reaches 4.5:1 on what it stands on; every line, and the outlines of values and groups,
 * 3:1; the tests compute it.  Hues are spread so that neighbours in the legend differ in lightness
 * as well. */
static const SymPalette light = {
  .background = 0xf6f5f4,
  .text = 0x26262b,
  .muted = 0x5e5c64,
  .card = 0xffffff,
  .card_stroke = 0xd3d1cd,
  .frames = { 0xe9ebf2, 0xf8f9fc },
  .frame_stroke = 0xb4bad0,
  .frame_text = 0x3f4763,
  .dimmed_frame_stroke = 0xd0d4e2,
  .dimmed_frame_text = 0x686670,
  .outline_px = OUTLINE_PIXELS,
  .mark = 0xffffff,
  .lines = {
    [SYM_LINE_DATA] = 0x3584e4,
    [SYM_LINE_CONTROL] = 0x77767b,
    [SYM_LINE_BACK] = 0xc64600,
    [SYM_LINE_DIMMED] = 0xd3d1cd,
  },
  .paints = {
    [SYM_CATEGORY_OTHER] = { 0xebe9e4, 0xbdb7aa, 0x5a5345, 0x5a5345 },
    [SYM_CATEGORY_WEIGHTS] = { 0xdce8fb, 0x93b7ee, 0x1a56ae, 0x1a56ae },
    [SYM_CATEGORY_ACTIVATION] = { 0xfde4d8, 0xefad8c, 0x9a3412, 0x9a3412 },
    [SYM_CATEGORY_NORMALIZATION] = { 0xe6e4fb, 0xb3acec, 0x4a3aa8, 0x4a3aa8 },
    [SYM_CATEGORY_POOLING] = { 0xdcf1e2, 0x8fcaa3, 0x1c6b3a, 0x1c6b3a },
    [SYM_CATEGORY_ELEMENTWISE] = { 0xfbeecb, 0xdcbb66, 0x7a5200, 0x7a5200 },
    [SYM_CATEGORY_MERGE] = { 0xefe0f8, 0xca9fe3, 0x6b2a9b, 0x6b2a9b },
    [SYM_CATEGORY_SHAPE] = { 0xe4e4e7, 0xb4b4bd, 0x4b4b55, 0x4b4b55 },
    [SYM_CATEGORY_LOSS] = { 0xfde0e4, 0xee9caa, 0xa31534, 0xa31534 },
    [SYM_CATEGORY_CONTROL] = { 0xd9f0f2, 0x86c5cb, 0x0b6069, 0x0b6069 },
    [SYM_PAINT_INPUT] = { 0xfff1d6, 0xa9680a, 0x3d2a06, 0x6b4a10 },
    [SYM_PAINT_HIDDEN] = { 0xffffff, 0x83817d, 0x26262b, 0x5e5c64 },
    [SYM_PAINT_OUTPUT] = { 0xddf5e5, 0x1f8a57, 0x0d3823, 0x2a5c43 },
    [SYM_PAINT_GROUP] = { 0xdfe3f0, 0x6f7a9c, 0x232a44, 0x454d6b },
    [SYM_PAINT_DIMMED] = { 0xf9f8f7, 0xdedcd8, 0x6e6c73, 0x6e6c73 },
    [SYM_PAINT_HEAT] = { 0xfff4e0, 0xd9bf94, 0x5c4310, 0x5c4310 },
    [SYM_PAINT_HEAT + 1] = { 0xfddcab, 0xd9a860, 0x5a3a06, 0x5a3a06 },
    [SYM_PAINT_HEAT + 2] = { 0xfcbb7c, 0xcf7f33, 0x4f2a00, 0x4f2a00 },
    [SYM_PAINT_HEAT + 3] = { 0xf98d53, 0xbd5417, 0x3a1400, 0x3a1400 },
    [SYM_PAINT_HEAT + 4] = { 0xc9351d, 0x8f1d0c, 0xffffff, 0xffffff },
    [SYM_PAINT_HEAT + 5] = { 0x7a0012, 0x4a0009, 0xffffff, 0xffffff },
  },
};

static const SymPalette dark = {
  .background = 0x1f1f23,
  .text = 0xf2f2f4,
  .muted = 0xbcbbc4,
  .card = 0x2b2b31,
  .card_stroke = 0x45454e,
  .frames = { 0x292b33, 0x1b1c20 },
  .frame_stroke = 0x4a4f61,
  .frame_text = 0xc3cae0,
  .dimmed_frame_stroke = 0x363a47,
  .dimmed_frame_text = 0x9492a0,
  .outline_px = OUTLINE_PIXELS,
  .mark = 0x17171a,
  .lines = {
    [SYM_LINE_DATA] = 0x5b9df0,
    [SYM_LINE_CONTROL] = 0x96949e,
    [SYM_LINE_BACK] = 0xff9a52,
    [SYM_LINE_DIMMED] = 0x3d3d45,
  },
  .paints = {
    [SYM_CATEGORY_OTHER] = { 0x413d36, 0x756f63, 0xe4dfd5, 0xe4dfd5 },
    [SYM_CATEGORY_WEIGHTS] = { 0x1f3a63, 0x3f70b8, 0xb9d5ff, 0xb9d5ff },
    [SYM_CATEGORY_ACTIVATION] = { 0x562b1b, 0xa35a3b, 0xffcdb5, 0xffcdb5 },
    [SYM_CATEGORY_NORMALIZATION] = { 0x35306b, 0x6a62c0, 0xd3ceff, 0xd3ceff },
    [SYM_CATEGORY_POOLING] = { 0x1d4a30, 0x3a8a5b, 0xb4ecca, 0xb4ecca },
    [SYM_CATEGORY_ELEMENTWISE] = { 0x4a3a12, 0x927326, 0xf8dd97, 0xf8dd97 },
    [SYM_CATEGORY_MERGE] = { 0x472760, 0x8a55b0, 0xe6c8fb, 0xe6c8fb },
    [SYM_CATEGORY_SHAPE] = { 0x3a3a42, 0x6c6c78, 0xdcdce4, 0xdcdce4 },
    [SYM_CATEGORY_LOSS] = { 0x5a2030, 0xab4459, 0xffc6cf, 0xffc6cf },
    [SYM_CATEGORY_CONTROL] = { 0x12474d, 0x2f8b95, 0xa9e8ee, 0xa9e8ee },
    [SYM_PAINT_INPUT] = { 0x453415, 0xe0a33a, 0xffedcc, 0xe6cb98 },
    [SYM_PAINT_HIDDEN] = { 0x303037, 0x80808c, 0xf2f2f4, 0xbcbbc4 },
    [SYM_PAINT_OUTPUT] = { 0x183d2b, 0x4cc38a, 0xd4f8e3, 0xa5dbbd },
    [SYM_PAINT_GROUP] = { 0x343a50, 0x8993b8, 0xe9edfb, 0xbfc7e2 },
    [SYM_PAINT_DIMMED] = { 0x25252a, 0x37373e, 0x8f8d98, 0x8f8d98 },
    [SYM_PAINT_HEAT] = { 0x33291f, 0x5c4a36, 0xe6d3ba, 0xe6d3ba },
    [SYM_PAINT_HEAT + 1] = { 0x52341a, 0x80542c, 0xf5dcbc, 0xf5dcbc },
    [SYM_PAINT_HEAT + 2] = { 0x7d4310, 0xae6524, 0xffe6cc, 0xffe6cc },
    [SYM_PAINT_HEAT + 3] = { 0xac4f08, 0xdb7a2b, 0xffffff, 0xffffff },
    [SYM_PAINT_HEAT + 4] = { 0xf08a24, 0xffb36b, 0x2b1400, 0x2b1400 },
    [SYM_PAINT_HEAT + 5] = { 0xffd75e, 0xfff0bf, 0x2b2000, 0x2b2000 },
  },
};

static SymColor
to_color (SymRgb rgb)
{
  return (SymColor){
    (double) (rgb >> 16 & 0xff) / 255.0,
    (double) (rgb >> 8 & 0xff) / 255.0,
    (double) (rgb & 0xff) / 255.0,
  };
}

static SymRgb
to_rgb (SymColor color)
{
  return (SymRgb) (color.red * 255 + 0.5) << 16 | (SymRgb) (color.green * 255 + 0.5) << 8 |
         (SymRgb) (color.blue * 255 + 0.5);
}

gboolean
sym_theme_is_dark (SymTheme theme)
{
  return theme == SYM_THEME_DARK || theme == SYM_THEME_DARK_CONTRAST;
}

const SymPalette *
sym_theme_get_palette (SymTheme theme)
{
  if (theme == SYM_THEME_LIGHT_CONTRAST || theme == SYM_THEME_DARK_CONTRAST)
    return sym_theme_get_contrast_palette (theme);
  return theme == SYM_THEME_DARK ? &dark : &light;
}

SymPaintSlot
sym_theme_get_box_slot (SymBoxKind kind)
{
  switch (kind)
    {
    case SYM_BOX_INPUT:
      return SYM_PAINT_INPUT;
    case SYM_BOX_OUTPUT:
      return SYM_PAINT_OUTPUT;
    case SYM_BOX_GROUP:
      return SYM_PAINT_GROUP;
    case SYM_BOX_CHIP:
    case SYM_BOX_HIDDEN:
    default:
      return SYM_PAINT_HIDDEN;
    }
}

SymPaintSlot
sym_theme_get_heat_slot (const SymHeat *heat, guint level)
{
  static const SymCategory classes[] = {
    SYM_CATEGORY_WEIGHTS, SYM_CATEGORY_ACTIVATION,  SYM_CATEGORY_NORMALIZATION,
    SYM_CATEGORY_POOLING, SYM_CATEGORY_ELEMENTWISE, SYM_CATEGORY_LOSS,
    SYM_CATEGORY_SHAPE,   SYM_CATEGORY_MERGE,
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (classes) == SYM_N_CLASSES);

  if (sym_heat_get_colors (heat) != NULL)
    return (SymPaintSlot) (SYM_PAINT_OWN + level);
  return sym_heat_has_classes (heat) ? (SymPaintSlot) classes[level]
                                     : (SymPaintSlot) (SYM_PAINT_HEAT + level);
}

const char *
sym_paint_slot_to_string (SymPaintSlot slot)
{
  static const char *const nodes[] = {
    "input", "hidden", "output", "group", "dimmed", "heat0", "heat1", "heat2", "heat3",
    "heat4", "heat5",  "own0",   "own1",  "own2",   "own3",  "own4",  "own5",  "own6",
    "own7",  "own8",   "own9",   "own10", "own11",  "own12", "own13", "own14", "own15",
    "own16", "own17",  "own18",  "own19", "own20",  "own21", "own22", "own23", "own24",
    "own25", "own26",  "own27",  "own28", "own29",  "own30", "own31"
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (nodes) == SYM_N_PAINTS - SYM_PAINT_INPUT);

  if (slot < SYM_PAINT_INPUT)
    return sym_category_to_string ((SymCategory) slot);
  return nodes[slot - SYM_PAINT_INPUT];
}

const char *
sym_line_to_string (SymLine line)
{
  static const char *const names[SYM_N_LINES] = { "data", "control", "back", "dimmed" };

  return names[line];
}

guint
sym_line_get_dashes (SymLine line, double dashes[2])
{
  static const double patterns[SYM_N_LINES][2] = {
    [SYM_LINE_CONTROL] = { 3, 3 },
    [SYM_LINE_BACK] = { 8, 3 },
  };

  dashes[0] = patterns[line][0];
  dashes[1] = patterns[line][1];
  return dashes[0] > 0 ? 2 : 0;
}

SymColor
sym_theme_get_background (SymTheme theme)
{
  return to_color (sym_theme_get_palette (theme)->background);
}

SymColor
sym_theme_get_category_fill (SymTheme theme, SymCategory category)
{
  g_return_val_if_fail (category < SYM_N_CATEGORIES, to_color (0));

  return to_color (sym_theme_get_palette (theme)->paints[category].fill);
}

SymColor
sym_theme_get_category_text (SymTheme theme, SymCategory category)
{
  g_return_val_if_fail (category < SYM_N_CATEGORIES, to_color (0));

  return to_color (sym_theme_get_palette (theme)->paints[category].text);
}

/* With more contrast the text is of one colour. */
SymColor
sym_theme_get_category_line (SymTheme theme, SymCategory category)
{
  g_return_val_if_fail (category < SYM_N_CATEGORIES, to_color (0));

  const SymPaint *paint = &sym_theme_get_palette (theme)->paints[category];
  gboolean is_contrast = theme == SYM_THEME_LIGHT_CONTRAST || theme == SYM_THEME_DARK_CONTRAST;

  return to_color (is_contrast ? paint->stroke : paint->text);
}

static SymPaint
get_heat_paint (SymTheme theme, const SymHeat *heat, guint level)
{
  const SymHeatColor *colors = sym_heat_get_colors (heat);

  return colors != NULL
             ? sym_theme_derive_paint (theme, &colors[level])
             : sym_theme_get_palette (theme)->paints[sym_theme_get_heat_slot (heat, level)];
}

SymColor
sym_theme_get_heat_fill (SymTheme theme, const SymHeat *heat, guint level)
{
  g_return_val_if_fail (level < sym_heat_get_n_levels (heat), to_color (0));

  return to_color (get_heat_paint (theme, heat, level).fill);
}

SymColor
sym_theme_get_heat_stroke (SymTheme theme, const SymHeat *heat, guint level)
{
  g_return_val_if_fail (level < sym_heat_get_n_levels (heat), to_color (0));

  return to_color (get_heat_paint (theme, heat, level).stroke);
}

SymColor
sym_theme_get_card_line (SymTheme theme, SymColor color)
{
  SymRgb ground = sym_theme_is_dark (theme) ? DARK_CARD : LIGHT_CARD;
  SymRgb ink = sym_theme_is_dark (theme) ? 0xffffff : 0x000000;

  return to_color (sym_rgb_stand_out (to_rgb (color), ground, ink));
}

SymColor
sym_theme_get_box_fill (SymTheme theme, SymBoxKind kind)
{
  return to_color (sym_theme_get_palette (theme)->paints[sym_theme_get_box_slot (kind)].fill);
}

SymColor
sym_theme_get_box_stroke (SymTheme theme, SymBoxKind kind)
{
  return to_color (sym_theme_get_palette (theme)->paints[sym_theme_get_box_slot (kind)].stroke);
}

SymColor
sym_theme_get_box_text (SymTheme theme, SymBoxKind kind)
{
  return to_color (sym_theme_get_palette (theme)->paints[sym_theme_get_box_slot (kind)].text);
}
