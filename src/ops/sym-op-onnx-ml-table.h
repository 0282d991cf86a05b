/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx-ml.h"

G_BEGIN_DECLS

/* From elements of an array to their places, plus 1.  The first of equal ones counts. */
typedef struct {
  GHashTable *places; /* of strings */
  guint64 first;      /* of numbers that lie close together: the least */
  guint64 *numbers;   /* of others: the keys */
  guint32 *slots; /* the place of each number from the first on; or of the key that is there or in
                   * one of the slots before it.  0 for none */
  gsize n_slots;
  guint n_bits; /* of the number of slots, of which at most half are used; 0 for close numbers */
} SymOpMlTable;

/* Borrows @keys, which are strings or numbers and fewer than G_MAXINT32.  To be cleared. */
void sym_op_ml_table_init (SymOpMlTable *self, const SymArray *keys);
void sym_op_ml_table_clear (SymOpMlTable *self);

/* Elements that are looked up at a time. */
#define SYM_OP_ML_TABLE_BLOCK 256

/* The places of elements [@first, @first + @n) of @x, at most SYM_OP_ML_TABLE_BLOCK, of the
 * keys' kind; 0 for what has none. */
void sym_op_ml_table_find (const SymOpMlTable *self,
                           const SymArray *x,
                           gsize first,
                           gsize n,
                           guint32 *places);

G_END_DECLS
