/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-error.h"
#include "core/sym-shape.h"

G_BEGIN_DECLS

/* Where bytes are.  The store implements this for files; core for memory. */
typedef struct _SymBlob SymBlob;

typedef struct {
  /* Reads exactly @size bytes at @offset, or fails and says which file and byte. */
  gboolean (*read) (SymBlob *self, guint64 offset, guint64 size, void *buffer, GError **error);
  void (*free) (SymBlob *self);
} SymBlobClass;

struct _SymBlob {
  const SymBlobClass *klass;
  gatomicrefcount ref_count;
  guint64 size;
};

SymBlob *sym_blob_new_bytes (GBytes *bytes);
SymBlob *sym_blob_ref (SymBlob *self);
void sym_blob_unref (SymBlob *self);
gboolean sym_blob_read (SymBlob *self, guint64 offset, guint64 size, void *buffer, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymBlob, sym_blob_unref)

/* The numbers of a parameter or constant: a known dtype and shape, little-endian and packed in row
 * major order at some place of a blob, read when asked for.  Elements of less than a byte follow
 * each other from the low bits of the first byte on (ONNX's order); only the last byte of the
 * tensor may be used in part.  Strings are kept in memory, and are asked for one by one. Immutable,
 * reference-counted, readable from any thread. */
typedef struct _SymTensor SymTensor;

/* @offset counts bytes from the start of @blob.  NULL with SYM_ERROR_LIMIT when the bytes do not
 * lie within the blob; the message has both sizes. */
SymTensor *sym_tensor_new (SymDType dtype,
                           const SymShape *shape,
                           SymBlob *blob,
                           guint64 offset,
                           GError **error);

/* A tensor of dtype string: as many as @shape has elements, copied.  Each may hold any bytes, its
 * length is in @lengths; without @lengths they end at their NUL. */
SymTensor *sym_tensor_new_strings (const SymShape *shape,
                                   const char *const *strings,
                                   const gsize *lengths,
                                   GError **error);
SymTensor *sym_tensor_ref (SymTensor *self);
void sym_tensor_unref (SymTensor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTensor, sym_tensor_unref)

SymDType sym_tensor_get_dtype (const SymTensor *self);
const SymShape *sym_tensor_get_shape (const SymTensor *self);

/* Whether it is of @declared, as far as that tells a dtype, a rank and sizes. */
gboolean sym_tensor_fits (const SymTensor *self, const SymType *declared);

/* How many bytes the elements take; of strings, all their lengths. */
guint64 sym_tensor_get_n_bytes (const SymTensor *self);

/* Reads @size bytes from byte @offset of the tensor on.  Strings are refused. */
gboolean
sym_tensor_read (SymTensor *self, guint64 offset, guint64 size, void *buffer, GError **error);

/* String @i of a tensor of strings; a NUL follows it, which *@length (may be NULL) does not count.
 * Borrowed. */
const char *sym_tensor_get_string (const SymTensor *self, guint64 i, gsize *length);

/* Whether dtype, shape and all bytes are the same; reads both, and what cannot be read is like
 * nothing else. */
gboolean sym_tensor_equal (SymTensor *a, SymTensor *b);

/* "tensor(float32, [3], [1, 2, 3])"; of many elements the first ones and "...". */
char *sym_tensor_to_string (SymTensor *self);

/* A tensor that layers train, or only track, by identity: two values with the same SymParameter are
 * the same weights, in one model or in several, and are counted once. */
typedef struct _SymParameter SymParameter;

/* @tensor may be NULL when only the graph is known, and is referenced otherwise. */
SymParameter *sym_parameter_new (gboolean trainable, SymTensor *tensor);
SymParameter *sym_parameter_ref (SymParameter *self);
void sym_parameter_unref (SymParameter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymParameter, sym_parameter_unref)

gboolean sym_parameter_get_trainable (const SymParameter *self);
void sym_parameter_set_trainable (SymParameter *self, gboolean trainable);
SymTensor *sym_parameter_get_tensor (const SymParameter *self);

/* References @tensor, NULL for none.  Whoever borrowed the old one may lose it: not while another
 * thread reads a model with this parameter. */
void sym_parameter_set_tensor (SymParameter *self, SymTensor *tensor);

G_END_DECLS
