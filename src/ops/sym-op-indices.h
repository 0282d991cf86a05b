/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"

G_BEGIN_DECLS

/* So many indices are read at a time. */
#define SYM_OP_MAX_INDICES 1024

/* Indices @first to before @first + @n, at most SYM_OP_MAX_INDICES, of an array of integers: each
 * counted from the front of an axis of @size.  FALSE when there is no such place. */
gboolean sym_op_read_indices (const SymArray *indices,
                              gsize first,
                              gsize n,
                              gint64 size,
                              gint64 *to,
                              GError **error);

/* Where tuples of @depth indices lead to, from tuple @first to before @first + @n, at most
 * SYM_OP_MAX_INDICES: index k of each is of an axis of @sizes[k], along which elements lie
 * @strides[k] apart.  FALSE when there is no such place. */
gboolean sym_op_read_tuples (const SymArray *indices,
                             gsize first,
                             gsize n,
                             gsize depth,
                             const gint64 *sizes,
                             const gint64 *strides,
                             gint64 *to,
                             GError **error);

/* Elements of data that indices of the same rank tell along an axis: GatherElements and
 * ScatterElements.  Goes through the indices in order, some at a time. */
typedef struct {
  const SymArray *indices;
  int axis;
  gint64 size;                  /* of that axis of the data */
  gint64 strides[SYM_MAX_RANK]; /* of the data */
  gint64 index[SYM_MAX_RANK], place;
  gsize next;                        /* index that is yet to come */
  gsize first, n;                    /* those of the piece */
  gint64 places[SYM_OP_MAX_INDICES]; /* of the piece, in the data */
} SymOpIndexed;

void
sym_op_indexed_init (SymOpIndexed *self, const SymArray *data, const SymArray *indices, int axis);

/* The next piece, whose places lie in the data as long as indices are within it along all other
 * axes; its @n is 0 after the last. */
gboolean sym_op_indexed_next (SymOpIndexed *self, GError **error);

G_END_DECLS
