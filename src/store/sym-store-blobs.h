/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Blobs made of others, read when they are asked for. */

/* One after the other. */
SymBlob *sym_store_join_blobs (SymBlob *const *parts, guint n);

/* @n numbers of @stored (float16, uint8, uint16) at @offset of @whole, which must hold them, as
 * numbers of @dtype (float32, int32): each is scaled and moved by @minimum, and rounded for
 * integers.  TensorFlow.js quantizes weights so. */
SymBlob *sym_store_scale_blob (SymBlob *whole,
                               guint64 offset,
                               guint64 n,
                               SymDType stored,
                               SymDType dtype,
                               double scale,
                               double minimum);

G_END_DECLS
