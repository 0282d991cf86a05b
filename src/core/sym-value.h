/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"

G_BEGIN_DECLS

/* A constant, or a tree of them: what an attribute holds, and what the arguments of a host function
 * are made of.  Immutable, reference-counted.  A SYM_VALUE_OPERAND leaf stands for the n-th operand
 * of the call, so that a tree of lists, tuples and dicts can hold nodes anywhere. */
typedef struct _SymValue SymValue;

typedef enum {
  SYM_VALUE_NONE,
  SYM_VALUE_BOOL,
  SYM_VALUE_INT,
  SYM_VALUE_FLOAT,
  SYM_VALUE_STRING,
  SYM_VALUE_DTYPE,
  SYM_VALUE_ELLIPSIS,
  SYM_VALUE_SLICE, /* three children: start, stop, step */
  SYM_VALUE_LIST,
  SYM_VALUE_TUPLE,
  SYM_VALUE_DICT, /* children named by keys, in order of insertion */
  SYM_VALUE_OPERAND,
  SYM_VALUE_OPAQUE, /* a constant known by the name of its type only: "ndarray" */
  SYM_VALUE_TENSOR,
} SymValueKind;

SymValue *sym_value_new_none (void);
SymValue *sym_value_new_bool (gboolean value);
SymValue *sym_value_new_int (gint64 value);
SymValue *sym_value_new_float (double value);
SymValue *sym_value_new_string (const char *value);
SymValue *sym_value_new_string_of (const char *text, gsize length); /* of a part of a text */
SymValue *sym_value_new_dtype (SymDType value);
SymValue *sym_value_new_ellipsis (void);
SymValue *sym_value_new_slice (SymValue *take_start, SymValue *take_stop, SymValue *take_step);
SymValue *sym_value_new_operand (guint index);
SymValue *sym_value_new_opaque (const char *type_name);

/* References @tensor. */
SymValue *sym_value_new_tensor (SymTensor *tensor);

/* Containers take the references in @children, not the array. */
SymValue *sym_value_new_list (SymValue *const *children, guint n);
SymValue *sym_value_new_tuple (SymValue *const *children, guint n);
SymValue *sym_value_new_dict (const char *const *keys, SymValue *const *children, guint n);
SymValue *sym_value_new_ints (SymValueKind list_or_tuple, const gint64 *values, guint n);

SymValue *sym_value_ref (SymValue *self);
void sym_value_unref (SymValue *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymValue, sym_value_unref)

SymValueKind sym_value_get_kind (const SymValue *self);
guint sym_value_get_n_children (const SymValue *self);
const SymValue *sym_value_get_child (const SymValue *self, guint i);
const char *sym_value_get_key (const SymValue *self, guint i);

/* Each is FALSE, leaving the result alone, when the value is not of that kind.  A bool is also an
 * int, an int also a float; a dtype and an opaque have their name as string. */
gboolean sym_value_get_bool (const SymValue *self, gboolean *value);
gboolean sym_value_get_int (const SymValue *self, gint64 *value);
gboolean sym_value_get_float (const SymValue *self, double *value);
const char *sym_value_get_string (const SymValue *self);

/* The same of a value that may be NULL: @fallback where there is none of the kind. */
gint64 sym_value_as_int (const SymValue *self, gint64 fallback);
double sym_value_as_float (const SymValue *self, double fallback);
const char *sym_value_as_string (const SymValue *self, const char *fallback);

/* Borrowed; NULL when the value is no tensor. */
SymTensor *sym_value_get_tensor (const SymValue *self);

/* Up to @max integers of a list or tuple of integers, or of one integer; returns how many there
 * are, or -1 when it is neither.  None among them counts as SYM_DIM_UNKNOWN. */
int sym_value_get_ints (const SymValue *self, gint64 *values, int max);

gboolean sym_value_equal (const SymValue *a, const SymValue *b);

/* The same for equal values; of a list only the first elements count. */
guint64 sym_value_hash (guint64 start, const SymValue *self);

/* Python's notation: (3, 3), [1, 2], {'a': True}, None, 1e-05, 'relu'; a tensor as
 * sym_tensor_to_string has it. */
char *sym_value_to_string (const SymValue *self);

/* A value from Python's or JSON's notation: True and true, (3, 3), [1,2], 1e-05, 2L, None, 'x'.
 * NULL when @text is no such literal; the nesting is limited to 64. */
SymValue *sym_value_parse (const char *text);

/* An ordered list of named values, each with the text that the file had for it (NULL when it had
 * none).  Immutable once shared; reference-counted. */
typedef struct _SymAttributes SymAttributes;

SymAttributes *sym_attributes_new (void);

/* One with room for @n of them. */
SymAttributes *sym_attributes_new_sized (guint n);
SymAttributes *sym_attributes_ref (SymAttributes *self);
void sym_attributes_unref (SymAttributes *self);

/* From now on nothing is set in it: layers that are alike have the same. */
void sym_attributes_seal (SymAttributes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymAttributes, sym_attributes_unref)

/* Appends, or replaces in place when @name is there.  Only before @self is shared. */
void sym_attributes_set (SymAttributes *self,
                         const char *name,
                         SymValue *take_value,
                         const char *literal);

/* The same with attribute @i of @other, whose parts are shared. */
void sym_attributes_set_same (SymAttributes *self, const SymAttributes *other, guint i);

/* The same, of which the name alone is shared: sym_attributes_set() without looking the name up.
 * @literal, which may be NULL, has @length bytes. */
void sym_attributes_set_like (SymAttributes *self,
                              const SymAttributes *other,
                              guint i,
                              SymValue *take_value,
                              const char *literal,
                              gsize length);

/* A new list with that one set, or without it when @take_value is NULL. */
SymAttributes *sym_attributes_with (const SymAttributes *self,
                                    const char *name,
                                    SymValue *take_value,
                                    const char *literal);

/* @self may be NULL for an empty list. */
guint sym_attributes_get_n (const SymAttributes *self);
const char *sym_attributes_get_name (const SymAttributes *self, guint i);
const SymValue *sym_attributes_get_value (const SymAttributes *self, guint i);
const char *sym_attributes_get_literal (const SymAttributes *self, guint i);
const SymValue *sym_attributes_find (const SymAttributes *self, const char *name);

/* Whether they have equal values by equal names in the same order, but for names that a layer has
 * in some formats, which say nothing of what it does.  The hash is of the values. */
gboolean sym_attributes_work_equal (const SymAttributes *a, const SymAttributes *b);
guint64 sym_attributes_work_hash (guint64 start, const SymAttributes *self);

/* What an attribute is: @fallback when it is absent, None or of another kind.  A bool may be an
 * int.  Of ints there may be more than @max; -1 says that there are none. */
gint64 sym_attributes_get_int (const SymAttributes *self, const char *name, gint64 fallback);
double sym_attributes_get_float (const SymAttributes *self, const char *name, double fallback);
gboolean sym_attributes_get_bool (const SymAttributes *self, const char *name, gboolean fallback);
const char *
sym_attributes_get_string (const SymAttributes *self, const char *name, const char *fallback);
SymDType sym_attributes_get_dtype (const SymAttributes *self, const char *name, SymDType fallback);
int sym_attributes_get_ints (const SymAttributes *self, const char *name, gint64 *values, int max);

G_END_DECLS
