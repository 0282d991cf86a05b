/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-shape.h"
#include "io/sym-proto.h"

G_BEGIN_DECLS

/* A part of a tensor, as TensorFlow saves variables that are spread over several places: along each
 * axis so many elements from a first one on. */
typedef struct {
  int rank;
  gint64 start[SYM_MAX_RANK];
  gint64 length[SYM_MAX_RANK]; /* -1 for the whole axis, which starts at 0 */
} SymTensorflowSlice;

/* All of a tensor of so many axes. */
SymTensorflowSlice sym_tensorflow_slice_new (int rank);

/* What RestoreV2 says: "1000 64 0,500:-" are the first 500 rows of @whole, [1000, 64].  FALSE for
 * any other text. */
gboolean sym_tensorflow_slice_parse (SymTensorflowSlice *self, SymShape *whole, const char *text);

/* From a TensorSliceProto; FALSE for more axes than there may be. */
gboolean sym_tensorflow_slice_read (SymTensorflowSlice *self, const SymProtoMessage *message);

/* Its shape as a part of @whole; FALSE where it does not lie within. */
gboolean sym_tensorflow_slice_get_shape (const SymTensorflowSlice *self,
                                         const SymShape *whole,
                                         SymShape *shape);

/* Whether both are the same part of @whole; and whether it is rows of it, with all axes but the
 * first. */
gboolean sym_tensorflow_slice_equal (const SymTensorflowSlice *self,
                                     const SymTensorflowSlice *other,
                                     const SymShape *whole);
gboolean sym_tensorflow_slice_is_rows (const SymTensorflowSlice *self, const SymShape *whole);

/* The key that a checkpoint has for this part of the tensor @name
 * (tensorflow/core/util/saved_tensor_slice_util.cc). */
GByteArray *sym_tensorflow_slice_make_key (const SymTensorflowSlice *self, const char *name);

G_END_DECLS
