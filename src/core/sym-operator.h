/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-rule.h"
#include "core/sym-value.h"

G_BEGIN_DECLS

/* What kind of work a layer does; its colour and its entry in the legend. */
typedef enum {
  SYM_CATEGORY_OTHER,
  SYM_CATEGORY_WEIGHTS, /* convolution, fully connected, embedding, recurrent */
  SYM_CATEGORY_ACTIVATION,
  SYM_CATEGORY_NORMALIZATION, /* batch, layer, group norm; dropout */
  SYM_CATEGORY_POOLING,       /* pooling and other reductions */
  SYM_CATEGORY_ELEMENTWISE,   /* arithmetic on one or several tensors */
  SYM_CATEGORY_MERGE,         /* concatenate, stack, add of branches */
  SYM_CATEGORY_SHAPE,         /* reshape, transpose, slice, cast, pad */
  SYM_CATEGORY_LOSS,
  SYM_CATEGORY_CONTROL, /* bodies, branches, loops, host functions */
} SymCategory;

#define SYM_N_CATEGORIES (SYM_CATEGORY_CONTROL + 1)

/* "weights", "activation", ... as command line and legend show it.  Static. */
const char *sym_category_to_string (SymCategory category);

/* What the name of a layer without a known operator sounds like: for its colour, and nothing else.
 */
SymCategory sym_category_guess (const char *type);

/* How an attribute of a dialect is typed and what it means.  Tables end with a NULL name. */
typedef enum {
  SYM_ATTRIBUTE_INT,
  SYM_ATTRIBUTE_FLOAT,
  SYM_ATTRIBUTE_BOOL,
  SYM_ATTRIBUTE_STRING,
  SYM_ATTRIBUTE_INTS,
  SYM_ATTRIBUTE_FLOATS,
  SYM_ATTRIBUTE_DTYPE,
  SYM_ATTRIBUTE_ANY,
} SymAttributeKind;

typedef struct {
  const char *name;
  SymAttributeKind kind;
  const char *fallback; /* the default in Python's notation, NULL when it must be given */
  const char *meaning;  /* one line for people */
  const char *values;   /* what a string may be, separated by spaces; NULL for anything */
} SymAttributeSpec;

/* The one of that name in a table, which may be NULL; NULL for none. */
const SymAttributeSpec *sym_attribute_specs_find (const SymAttributeSpec *specs, const char *name);

typedef enum {
  SYM_SLOT_DATA,
  SYM_SLOT_PARAMETER, /* trained: weight, bias, gamma */
  SYM_SLOT_AUXILIARY, /* tracked: moving_mean; mutated by the call */
} SymSlotKind;

/* One operand of an operator.  Tables end with a NULL name. */
typedef struct {
  const char *name;
  SymSlotKind kind;
  gboolean optional;
  gboolean idle; /* only gradients look at it: a label */
} SymSlotSpec;

typedef struct _SymKernel SymKernel;
typedef struct _SymOpLower SymOpLower;

/* A kind of layer whose meaning is known: a `static const` table of one file in src/ops, found by
 * (domain, name) in the table of src/ops/sym-op-table.c.  Domains: "" is ONNX's, "mxnet", "torch".
 */
struct _SymOperator {
  const char *domain;
  const char *name;
  const char *aliases;   /* further names, separated by spaces; NULL for none */
  const char *summary;   /* one line: what it does */
  const char *reference; /* where its semantics are defined: "MXNet 1.9.1 FullyConnected" */
  int since_version;
  SymCategory category;
  const SymAttributeSpec *attributes;
  const SymSlotSpec *slots;

  /* How many operands there are for these attributes (which of @slots are in use, and how many a
   * variadic operator takes); NULL: as many as @slots. */
  int (*get_n_operands) (const SymAttributes *attributes);

  /* How many outputs there are, and how many of them the dialect shows; NULL: one.  0: that cannot
   * be told, so as many as are used. */
  int (*get_n_outputs) (const SymAttributes *attributes, int *n_visible);

  /* Fills in which operand each of the @n inputs of body @body is, -1 for none; NULL: the one of
   * the same number. */
  void (*get_body_operands) (const SymAttributes *attributes, guint body, int *operands, guint n);

  /* What people call its bodies, where files do not name them: NULL-ended; NULL: nothing better
   * than their numbers is known. */
  const char *const *body_names;

  /* Names of outputs, where the dialect has some: NULL-ended; NULL: "output" or "output0", ... */
  const char *const *output_names;

  /* The shape rule: unifies what is known of operands and outputs, in any direction.  Called
   * again whenever something that it saw has changed, so it must not assume an order.  NULL:
   * nothing is known of the outputs.  FALSE with SYM_ERROR_SHAPE for a contradiction, whose message
   * the engine prefixes with the layer's name. */
  gboolean (*infer) (SymRule *rule, GError **error);

  /* The reference kernel: computes the outputs from the operands, by definition rather than by
   * speed, one thread.  See core/sym-kernel.h.  NULL: layers of this type cannot run, unless they
   * are lowered. */
  gboolean (*run) (SymKernel *kernel, GError **error);

  /* In place of a kernel, or beside one for files of ONNX: says what a call is in other operators.
   * See ops/sym-op-lower.h. */
  void (*lower) (SymOpLower *body);

  const char *formula; /* the same for elementwise ones: "Div (a, Add (1, Abs (a)))" */

  /* Of those with @lower: a call is several operations that have a name together (an LSTM,
   * attention), and people may want to look at these. */
  gboolean is_composite;

  /* Whether @run sees halves as float32; see sym_kernel_get_input(). */
  gboolean half_as_float;
};

typedef struct _SymOperator SymOperator;

/* FALSE for an attribute that an operator of ONNX does not have in its version, which nothing looks
 * at: ReduceSum has no "axes" from operator set 13 on.  TRUE where that is not known: of no
 * operator (NULL), and of other dialects. */
gboolean sym_operator_has_attribute (const SymOperator *self, const char *name);

G_END_DECLS
