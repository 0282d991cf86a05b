/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* The elements of a view of @storage, as PyTorch has them: element [i, j, ...] is @offset + i *
 * @strides[0] + j * @strides[1] + ... elements from the start on. @shape must be known, and
 * @strides has a number for each axis; those of axes of one element do not matter.
 *
 * What lies one after the other is read in place; else all is gathered at the first read, and let
 * go when the last byte was read.  SYM_ERROR_LIMIT for what is negative, does not lie within
 * @storage, or repeats a small storage far too often. */
SymTensor *sym_store_open_strided (SymDType dtype,
                                   const SymShape *shape,
                                   const gint64 *strides,
                                   gint64 offset,
                                   SymBlob *storage,
                                   GError **error);

G_END_DECLS
