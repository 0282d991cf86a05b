/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-worker-protocol.h"

G_BEGIN_DECLS

/* What symscope-hdf5 and its client say to each other, in frames as the other worker's.  The file
 * is descriptor 3 of the worker.  Each request has one answer; SYM_HDF5_FAILURE is a message for
 * people. */
enum {
  SYM_HDF5_LIST = 16,      /* nothing follows; answered by a catalogue */
  SYM_HDF5_CATALOGUE = 17, /* a GVariant of SYM_HDF5_CATALOGUE_TYPE */
  SYM_HDF5_READ = 18,      /* a SymHdf5Read; answered by so many bytes as it names */
  SYM_HDF5_ARRAY = 19,
  SYM_HDF5_FAILURE = 20,
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
