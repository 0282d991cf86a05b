/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-frame-protocol.h"

G_BEGIN_DECLS

/* What symscope-hdf5 and its client say to each other, in frames.  The file that is read is
 * descriptor 3 of the worker.  Each request has one answer. */
enum {
  SYM_HDF5_LIST = 16,      /* nothing follows; answered by a catalogue */
  SYM_HDF5_CATALOGUE = 17, /* a GVariant of SYM_HDF5_CATALOGUE_TYPE */
  SYM_HDF5_READ = 18,      /* a SymHdf5Read; answered by so many bytes as it names */
  SYM_HDF5_ARRAY = 19,
  SYM_HDF5_OUTLINE = 21, /* a GVariant of SYM_HDF5_OUTLINE_TYPE, for which there need be no file */
  SYM_HDF5_IMAGE = 22,   /* a GVariant of SYM_HDF5_IMAGE_TYPE */
};

/* Arrays: path ("model_weights/dense/kernel:0"), address in the file, type, sizes of the axes,
 * where its bytes begin in the file as they are (SYM_HDF5_NO_OFFSET: they have to be asked for),
 * how many bytes of the file they take, and why they cannot be had ("": they can).  Then attributes
 * that are text: path of what has it (the file: ""), name, strings.  In no order that means
 * anything.
 *
 * Types are NumPy's: "f4", "i8", "u1", "b1" of truth values; "bf16" of bfloat16, "V2" of two bytes
 * that mean nothing to HDF5, "" of what is no number. */
#define SYM_HDF5_CATALOGUE_TYPE "(a(stsattts)a(ssas))"
#define SYM_HDF5_NO_OFFSET G_MAXUINT64

typedef struct {
  guint64 address;
  guint64 n_bytes;
  char type[8];
} SymHdf5Read;

/* A file that is to be made.  Arrays: path, type, sizes of the axes.  Then attributes: path of the
 * group or array that has it, name, a SymHdf5Text, strings.  Groups that paths name are made. */
#define SYM_HDF5_OUTLINE_TYPE "(a(ssat)a(ssyas))"

typedef enum {
  SYM_HDF5_TEXT,  /* one string with a length of its own, as Python writes str */
  SYM_HDF5_BYTES, /* one string of a fixed length, as NumPy writes bytes */
  SYM_HDF5_TEXTS, /* a list of those */
} SymHdf5Text;

/* That file but for the bytes of its arrays, which no process of HDF5 sees: how long it is, where
 * each array begins (SYM_HDF5_NO_OFFSET: it has no bytes), and all that is around them, from the
 * first byte on to the last. */
#define SYM_HDF5_IMAGE_TYPE "(tatay)"
#define SYM_HDF5_MAX_OUTLINE (64 << 20)
#define SYM_HDF5_MAX_IMAGE (256 << 20)

#define SYM_HDF5_MAX_PATH 1024
#define SYM_HDF5_MAX_RANK 32

/* The longest catalogue that a file of @size bytes may have. */
static inline guint64
sym_hdf5_get_max_catalogue (guint64 size)
{
  return MIN (size, G_GUINT64_CONSTANT (16) << 20) * 16 + (1 << 20);
}

/* Whether @n_bytes may be what @stored bytes of the file hold: deflate packs zeros into a
 * thousandth, and no numbers of weights into less than a 250th. */
static inline gboolean
sym_hdf5_is_justified (guint64 n_bytes, guint64 stored)
{
  return n_bytes <= (16 << 20) || n_bytes / 250 <= stored;
}

G_END_DECLS
