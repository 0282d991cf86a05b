/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-dtype.h"

G_BEGIN_DECLS

/* A dimension: a number when not negative, else SYM_DIM_UNKNOWN or a term (an unknown, a name, or a
 * linear form of these) of the SymTerms that belongs to the model, graph or inference the shape
 * came from.  Terms lie far below zero: -1, which other libraries write for an unknown size, is
 * none, and is refused. */
typedef gint64 SymDim;

/* An unknown dimension without a term, hence tied to nothing.  Inference gives it a term. */
#define SYM_DIM_UNKNOWN G_MININT64

#define SYM_MAX_RANK 12

/* A shape by value.  @rank is -1 when even the number of dimensions is unknown. */
typedef struct {
  int rank;
  SymDim dims[SYM_MAX_RANK];
} SymShape;

/* SYM_SHAPE (1, 3, 224, 224), or SYM_SHAPE () for a scalar: a compound literal, so that its address
 * may be taken. */
#define SYM_SHAPE(...)                                                                        \
  ((SymShape){ .rank = (int) (sizeof ((SymDim[]){ 0, ##__VA_ARGS__ }) / sizeof (SymDim)) - 1, \
               .dims = { __VA_ARGS__ } })
#define SYM_SHAPE_UNKNOWN ((SymShape){ .rank = -1 })

/* @rank at most SYM_MAX_RANK. */
SymShape sym_shape_new (const SymDim *dims, int rank);

/* A shape of @rank dimensions, all SYM_DIM_UNKNOWN. */
SymShape sym_shape_new_unknown (int rank);

/* Whether every dimension is a number. */
gboolean sym_shape_is_known (const SymShape *self);

/* Same rank and the same dims, term for term. */
gboolean sym_shape_equal (const SymShape *a, const SymShape *b);

/* The product of the dimensions in *@n.  FALSE when one is not a number, or on overflow. */
gboolean sym_shape_get_n_elements (const SymShape *self, guint64 *n);

/* What a value is.  Only tensors have a shape of their own; of a sequence or an optional, @dtype
 * and
 * @shape are those of the tensors in it. */
typedef enum {
  SYM_KIND_UNKNOWN,
  SYM_KIND_TENSOR,
  SYM_KIND_SEQUENCE,
  SYM_KIND_OPTIONAL,
  SYM_KIND_TUPLE,
  SYM_KIND_OPAQUE,
} SymKind;

typedef struct _SymType SymType;

/* A type by value.  @name (of an opaque value: "ndarray") is interned; @elements (of a tuple) is
 * borrowed from the model, graph or inference the type came from. */
struct _SymType {
  SymKind kind;
  SymDType dtype;
  const char *name;
  const SymType *elements;
  guint n_elements;
  SymShape shape;
};

#define SYM_TYPE_UNKNOWN ((SymType){ .shape = { .rank = -1 } })

/* A tensor.  Either part may be unknown. */
SymType sym_type_tensor (SymDType dtype, SymShape shape);

/* An opaque value of the type called @name, which is interned. */
SymType sym_type_opaque (const char *name);

/* Replaces the elements of a tuple, and those of tuples within, by copies that @arena, whose free
 * function is g_free, owns. */
void sym_type_copy_elements (SymType *self, GPtrArray *arena);

G_END_DECLS
