/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* Numbers in memory, packed and in row major order; every dimension is a number.  By value; @data
 * is somebody else's.  Strings are an array of `GBytes *`, none of them NULL.  Types of less than a
 * byte are packed as in ONNX: the first element in the lowest bits. */
typedef struct {
  SymDType dtype;
  SymShape shape;
  void *data;
} SymArray;

/* The number of elements.  It has been checked when the array was made, so it does not overflow. */
gsize sym_array_get_n_elements (const SymArray *self);
gsize sym_array_get_n_bytes (const SymArray *self);

/* What a value is while a model runs: a tensor, a sequence or a tuple of data, an optional that
 * holds one or none, or something else of the host program (core/sym-object.h).  Reference-counted;
 * whoever made one may write its numbers until it hands it on. */
typedef struct _SymDatum SymDatum;

/* A tensor of its own memory (aligned to 64 bytes), the numbers not set, strings empty.  NULL with
 * SYM_ERROR_LIMIT when the machine has not so much memory. */
SymDatum *sym_datum_new (SymDType dtype, const SymShape *shape, GError **error);

/* A copy of @array; the numbers of @tensor, read from its file. */
SymDatum *sym_datum_new_copy (const SymArray *array, GError **error);
SymDatum *sym_datum_new_read (SymTensor *tensor, GError **error);

/* @n_bytes bytes that belong to somebody else and outlive the datum; no strings. */
SymDatum *sym_datum_new_lent (SymDType dtype, const SymShape *shape, void *data, gsize n_bytes);

/* @items are referenced, @item may be NULL.  @dtype is that of the tensors within, for empty ones.
 */
SymDatum *sym_datum_new_sequence (SymDType dtype, SymDatum *const *items, guint n_items);
SymDatum *sym_datum_new_optional (SymDType dtype, SymDatum *item);
SymDatum *sym_datum_new_tuple (SymDatum *const *items, guint n_items);

/* The numbers of an array as a tensor, copied. */
SymTensor *sym_tensor_new_copy (const SymArray *array, GError **error);

SymDatum *sym_datum_ref (SymDatum *self);
void sym_datum_unref (SymDatum *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymDatum, sym_datum_unref)

/* SYM_KIND_TENSOR, SYM_KIND_SEQUENCE, SYM_KIND_OPTIONAL, SYM_KIND_TUPLE or SYM_KIND_OPAQUE. */
SymKind sym_datum_get_kind (const SymDatum *self);
SymDType sym_datum_get_dtype (const SymDatum *self);

/* The tensor itself, NULL for the other kinds. */
const SymArray *sym_datum_get_array (const SymDatum *self);

/* What a sequence, a tuple or an optional holds. */
guint sym_datum_get_n_items (const SymDatum *self);
SymDatum *sym_datum_get_item (const SymDatum *self, guint i);

/* Something that goes on being what it is when the memory of a run is used again: @self, or a copy
 * of what is lent in it. */
SymDatum *sym_datum_keep (SymDatum *self, GError **error);

/* Memory that nobody uses at the moment, to be used again: what a run has let go.  One thread. */
typedef struct _SymDatumPool SymDatumPool;

SymDatumPool *sym_datum_pool_new (void);
void sym_datum_pool_free (SymDatumPool *self);

/* The memory in it, in bytes; and that of one datum, 0 when it is lent. */
gsize sym_datum_pool_get_n_bytes (const SymDatumPool *self);
gsize sym_datum_get_n_bytes (const SymDatum *self);

/* Lets go of what is in *@slot, which becomes NULL: its memory goes to the pool, unless somebody
 * else has it, or it is not a tensor with memory of its own. */
void sym_datum_pool_give (SymDatumPool *self, SymDatum **slot);

/* Makes *@slot a tensor of that kind whose numbers may be written: the one that is there, if nobody
 * else has it and its memory suffices, else one from @pool (which may be NULL), else a new one. */
gboolean sym_datum_prepare (SymDatum **slot,
                            SymDType dtype,
                            const SymShape *shape,
                            SymDatumPool *pool,
                            GError **error);

/* Sets string @i of an array of strings, which @self owns. */
void sym_array_set_string (SymArray *self, gsize i, GBytes *bytes);

G_END_DECLS
