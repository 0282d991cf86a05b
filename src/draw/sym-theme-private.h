/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-draw.h"
#include "draw/sym-rgb.h"

G_BEGIN_DECLS

/* What one kind of box is painted with. */
typedef struct {
  SymRgb fill;
  SymRgb stroke;
  SymRgb text;  /* the bold line */
  SymRgb muted; /* the lines below it */
} SymPaint;

/* The slots of a palette: a category's chip, a node's box, and what the selection has not. */
typedef enum {
  SYM_PAINT_INPUT = SYM_N_CATEGORIES,
  SYM_PAINT_HIDDEN,
  SYM_PAINT_OUTPUT,
  SYM_PAINT_GROUP,
  SYM_PAINT_DIMMED,
  SYM_PAINT_HEAT,                               /* the first of SYM_N_HEATS */
  SYM_PAINT_OWN = SYM_PAINT_HEAT + SYM_N_HEATS, /* the first of SYM_N_OWN_COLORS */
} SymPaintSlot;

#define SYM_N_PAINTS (SYM_PAINT_OWN + SYM_N_OWN_COLORS)

typedef enum {
  SYM_LINE_DATA,
  SYM_LINE_CONTROL,
  SYM_LINE_BACK,
  SYM_LINE_DIMMED,
} SymLine;

#define SYM_N_FRAME_SHADES 2

#define SYM_N_LINES (SYM_LINE_DIMMED + 1)

typedef struct {
  SymRgb background;
  SymRgb text;  /* on the background and on cards */
  SymRgb muted; /* labels of edges */
  SymRgb card;
  SymRgb card_stroke;
  SymRgb frames[SYM_N_FRAME_SHADES]; /* the outermost first, and again within the last */
  SymRgb frame_stroke;
  SymRgb frame_text; /* on all of them */
  SymRgb dimmed_frame_stroke;
  SymRgb dimmed_frame_text;
  double outline;    /* points that those of boxes are thicker than usual */
  double outline_px; /* how thick they are at least */
  SymRgb mark;       /* the sign in the badge of an input or output, on that box's stroke */
  SymRgb lines[SYM_N_LINES];
  SymPaint
      paints[SYM_N_PAINTS]; /* those of SYM_PAINT_OWN are nothing but in a picture that has them */
} SymPalette;

const SymPalette *sym_theme_get_palette (SymTheme theme);

/* Those with more contrast, which follow from the others: see sym-theme-contrast.c. */
const SymPalette *sym_theme_get_contrast_palette (SymTheme theme);

/* The theme's, with the colours that @heat brings; NULL when it brings none.  The caller's. */
SymPalette *sym_theme_create_palette (SymTheme theme, const SymHeat *heat);

/* @rgb, as far towards @ink as it takes to be seen on @ground: 3:1. */
SymRgb sym_rgb_stand_out (SymRgb rgb, SymRgb ground, SymRgb ink);

/* What is painted in a colour that is none of ours: with a text that can be read on it, and an
 * outline that is seen. */
SymPaint sym_theme_derive_paint (SymTheme theme, const SymHeatColor *color);

SymPaintSlot sym_theme_get_box_slot (SymBoxKind kind);

/* Levels of a cost go from cold to hot; classes have the colours of categories. */
SymPaintSlot sym_theme_get_heat_slot (const SymHeat *heat, guint level);

/* "weights", "input", "dimmed": the class of a box in an SVG.  Static. */
const char *sym_paint_slot_to_string (SymPaintSlot slot);

/* "data", "control", "back", "dimmed".  Static. */
const char *sym_line_to_string (SymLine line);

/* The pattern of a line's dashes, 0 numbers for a solid one. */
guint sym_line_get_dashes (SymLine line, double dashes[2]);

G_END_DECLS
