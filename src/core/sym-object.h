/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-datum.h"
#include "core/sym-value.h"

G_BEGIN_DECLS

/* Values that are no tensors, for graphs of any data (PyTorch Symbolic's SymbolicData): Python's
 * literals, and objects of the host program. */

/* What a function of the host program sees of one call.  @arguments is the tree of the call, in
 * which leaf SYM_VALUE_OPERAND i stands for @operands[i]; NULL when there is none: then the
 * operands are the arguments.  Everything is borrowed. */
typedef struct {
  const SymValue *arguments;
  SymDatum *const *operands;
  guint n_operands;
  GCancellable *cancellable;
} SymHostCall;

/* The part of a tree ((positional, ...), {named: ...}) that is the argument called @name, or the
 * positional one at @place; either may be missing (NULL, -1).  NULL for none. */
const SymValue *sym_host_call_find (const SymHostCall *self, int place, const char *name);
guint sym_host_call_get_n_positional (const SymHostCall *self);

/* The same as a datum, to be unreffed; of a call without a tree operand @place.  NULL with an error
 * when there is none: "f() missing required argument 'x' (pos 1)". */
SymDatum *sym_host_call_get (const SymHostCall *self, int place, const char *name, GError **error);

/* What a part of the tree is: an operand, a constant, or a tuple of such where the tree has a list
 * or a tuple that holds operands (P41: which of them it was is not kept).  Parts of dicts that hold
 * operands are to be resolved one by one. */
SymDatum *sym_host_call_resolve (const SymHostCall *self, const SymValue *value, GError **error);

/* Objects of one kind.  Each function may be NULL: the objects cannot do that. */
typedef struct {
  const char *name; /* of the type, as Python has it: "ndarray" */
  void (*free) (gpointer object);

  /* len (object), and its elements in order. */
  gint64 (*get_length) (gpointer object);
  SymDatum *(*get_item) (gpointer object, gint64 i, GError **error);

  /* object.method (...): "__add__", "reshape".  NULL without an error: there is no such method, or
   * it does not take these arguments (Python's NotImplemented). */
  SymDatum *(*call) (gpointer object, const char *method, const SymHostCall *call, GError **error);
} SymObjectClass;

/* A datum that holds an object, of kind SYM_KIND_OPAQUE.  @klass must outlive it. */
SymDatum *sym_datum_new_object (const SymObjectClass *klass, gpointer take_object);

/* The object of a datum of that class; NULL when it is something else. */
gpointer sym_datum_get_object (const SymDatum *self, const SymObjectClass *klass);

/* A literal: a tensor and a tuple become such data, everything else an opaque datum of Python's
 * type (NoneType, bool, int, float, str, list, dict ...), with len(), elements, and the operators
 * of numbers; + also joins strings and lists.  References @value.  NULL with an error when the
 * numbers of a tensor cannot be read. */
SymDatum *sym_datum_new_value (const SymValue *value, GError **error);

/* Borrowed; NULL when it is no literal. */
const SymValue *sym_datum_get_value (const SymDatum *self);

/* Its type in Python: "Tensor", "tuple", "list", "int", or the name of the object's class. */
const char *sym_datum_get_type_name (const SymDatum *self);

/* Its type here.  Elements of tuples are made in @arena, whose free function is g_free. */
SymType sym_datum_get_type (const SymDatum *self, GPtrArray *arena);

/* Whether it may stand where @declared is declared.  SYM_ERROR_SHAPE with both types; @name, of the
 * place, may be NULL. */
gboolean sym_datum_check_type (const SymDatum *self,
                               const SymType *declared,
                               const char *name,
                               GError **error);

/* P13: len (self).  "object of type 'int' has no len()". */
gboolean sym_datum_get_length (const SymDatum *self, gint64 *length, GError **error);

/* Element @i along the first dimension of a tensor, of a tuple, a sequence or an object. */
SymDatum *sym_datum_take_apart (const SymDatum *self, gint64 i, GError **error);

/* self.method (...).  P6: "Operation on ['list'] returned NonImplemented object!". */
SymDatum *
sym_datum_call_method (SymDatum *self, const char *method, const SymHostCall *call, GError **error);

/* The method itself, bound to its owner, and what it is bound to; NULL when it is none. */
SymDatum *sym_datum_new_method (SymDatum *owner, const char *method);
SymDatum *sym_datum_get_method (const SymDatum *self, const char **method);

G_END_DECLS
