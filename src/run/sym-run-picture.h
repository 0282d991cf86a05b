/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* A picture in memory: rows from the top, pixels of 3 (red, green, blue) or 4 bytes (with opacity),
 * @stride bytes from row to row. */
typedef struct {
  const guint8 *data;
  guint width, height, stride;
  guint n_channels;
} SymPixels;

/* What becomes of a byte. */
typedef enum {
  SYM_PICTURE_UNIT,     /* 0 to 1 */
  SYM_PICTURE_IMAGENET, /* 0 to 1, less ImageNet's mean, divided by its deviation, for each colour
                         */
  SYM_PICTURE_BYTE,     /* 0 to 255 */
  SYM_PICTURE_SIGNED,   /* -1 to 1 */
} SymPictureRange;

#define SYM_N_PICTURE_RANGES (SYM_PICTURE_SIGNED + 1)

/* Which axes of an input a picture lies along. */
typedef struct {
  int channel, row, column; /* -1 for no such axis */
} SymPictureAxes;

/* Whether an input of that shape can take a picture: three axes with the colours (1, 3 or 4) first
 * or last, one more for a batch before them, or two axes.  Sizes may be unknown, but for that of
 * the colours. */
gboolean sym_run_picture_fits (const SymShape *shape, SymPictureAxes *axes);

/* The picture, scaled to rows and columns of @shape, which is known; the same for each of a batch.
 * One colour is how bright it is; a fourth is opacity.  Of what is made smaller every pixel counts.
 * SYM_ERROR_SHAPE when the shape takes no picture, SYM_ERROR_ARGUMENT when integers were to hold
 * less than bytes. */
SymDatum *sym_run_fill_picture (const SymPixels *pixels,
                                SymPictureRange range,
                                SymDType dtype,
                                const SymShape *shape,
                                GError **error);

G_END_DECLS
