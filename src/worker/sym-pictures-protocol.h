/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-frame-protocol.h"

G_BEGIN_DECLS

/* What symscope-pictures and its client say to each other, in frames.  It serves one request
 * and ends. */
enum {
  SYM_PICTURES_DECODE = 32, /* a SymPicturesDecode and the bytes of the file */
  SYM_PICTURES_PIXELS = 33, /* a SymPicturesSize and its pixels, [height, width, channels] */
  SYM_PICTURES_ENCODE = 34, /* a SymPicturesEncode and its pixels, [height, width, 3]: blue first */
  SYM_PICTURES_FILE = 35,   /* the bytes of the file */
};

/* The formats that ONNX's ImageDecoder reads. */
typedef enum {
  SYM_PICTURES_BMP,
  SYM_PICTURES_JPEG,
  SYM_PICTURES_JPEG_2000,
  SYM_PICTURES_PNG,
  SYM_PICTURES_PNM, /* PBM, PGM and PPM */
  SYM_PICTURES_TIFF,
  SYM_PICTURES_WEBP,
  SYM_PICTURES_N_FORMATS,
} SymPicturesFormat;

typedef enum {
  SYM_PICTURES_RGB,
  SYM_PICTURES_BGR,
  SYM_PICTURES_GRAY,
  SYM_PICTURES_N_CHANNELS,
} SymPicturesChannels;

typedef struct {
  guint32 format;
  guint32 channels;
} SymPicturesDecode;

typedef struct {
  guint32 height;
  guint32 width;
  guint32 channels; /* how many: 1 or 3 */
  guint32 unused;
} SymPicturesSize;

typedef struct {
  guint32 height;
  guint32 width;
  guint32 format; /* SYM_PICTURES_JPEG or SYM_PICTURES_PNG */
  guint32 unused;
} SymPicturesEncode;

/* A picture with more pixels is refused before there is memory for them: the largest that cameras
 * of phones make have 200 million, and most of those that are called bombs more. */
#define SYM_PICTURES_MAX_PIXELS (1 << 28)
#define SYM_PICTURES_MAX_FILE (256 << 20)

G_END_DECLS
