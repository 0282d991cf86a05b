/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* NumPy's `.npy`, versions 1 to 3: bool, integers, floats of 16 to 64 bits, complex numbers;
 * strings of either kind ('S' and 'U') are read at once and become a tensor of strings, the latter
 * as UTF-8. Big-endian and Fortran order are turned while they are read.  Structured dtypes, Python
 * objects, dates and raw bytes are refused by their names.  Of what follows the numbers nothing is
 * read, as numpy.load does. */
SymTensor *sym_store_open_npy (const char *path, GError **error);

/* As numpy.save writes it (version 1, little-endian, C order), atomic.  Strings become 'U', so they
 * must be UTF-8.  A dtype that NumPy has not is an error. */
gboolean sym_store_write_npy (const char *path, SymTensor *tensor, GError **error);

/* NumPy's `.npz`, a zip of `.npy`, stored or deflated: only headers are read.  Names are without
 * `.npy`.  What is no array, or none that sym_store_open_npy() would take, is among the skipped. */
SymStoreTensors *sym_store_open_npz (const char *path, GError **error);

/* As numpy.savez writes it (stored), streaming and atomic. */
gboolean sym_store_write_npz (const char *path,
                              const char *const *names,
                              SymTensor *const *tensors,
                              guint n,
                              GError **error);

G_END_DECLS
