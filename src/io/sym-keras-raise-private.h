/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-keras-private.h"
#include "io/sym-raise.h"

G_BEGIN_DECLS

/* A model of another framework as one of Keras 3: layers where Keras has one that means the same,
 * its operations (keras.ops) for the rest.  Channels stay before the axes of windows, as they are
 * in ONNX: layers are told so by their data_format. */

/* Names of weights that are told of, with how many there are. */
typedef struct {
  GString *text;
  guint n;
} SymKerasNames;

typedef struct {
  GHashTable *shared;  /* layers with weights, by what they do and their weights */
  GHashTable *owners;  /* names of layers by the weights that they have, borrowed */
  SymKerasNames fixed; /* weights that are arguments now */
  SymKerasNames split; /* weights that more than one layer has now */
} SymKerasRaise;

extern const SymRaiseTarget sym_keras_raise_target;

void sym_keras_names_add (SymKerasNames *self, const char *name);

/* A note that begins with @what, if there are any. */
void sym_keras_names_tell (SymKerasNames *self, SymProblems *notes, const char *what);

/* A name as Keras allows it. */
char *sym_keras_raise_make_name (const char *wanted);

SymModel *sym_keras_raise (SymModel *model,
                           const SymInference *inference,
                           SymProblems *notes,
                           GError **error);

/* ---- Weights: sym-keras-raise-weights.c ---- */

/* A weight as a layer of Keras will have it. */
typedef struct {
  SymId base;        /* the value of the model whose numbers they are */
  SymTensor *tensor; /* owned; NULL without numbers */
  SymDType dtype;
  SymShape shape; /* known */
  GString *path;  /* what was done to the base: with it, this tells weights apart */
} SymKerasWeight;

/* Operand @slot as a weight, through layers that move its numbers alone; FALSE when it is data, or
 * its shape is not known.  To be cleared in either case. */
gboolean sym_keras_raise_find_weight (SymRaise *self, guint slot, SymKerasWeight *weight);
gboolean sym_keras_raise_find_weight_of (SymRaise *self, SymId value, SymKerasWeight *weight);
void sym_keras_weight_clear (SymKerasWeight *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymKerasWeight, sym_keras_weight_clear)

/* Its axes in another order, or its numbers in another shape of as many. */
void sym_keras_weight_turn (SymKerasWeight *self, const int *axes);
void sym_keras_weight_reshape (SymKerasWeight *self, const SymShape *shape);

/* Of [n, gates * size, ...] the part @i with its @n_gates gates in the order of @gates; of a bias
 * of one axis the sum of both halves; whether all numbers are 0.  FALSE, too, when they cannot be
 * read. */
gboolean sym_keras_weight_take_gates (SymKerasWeight *self, guint i, const int *gates, int n_gates);
gboolean sym_keras_weight_add_halves (SymKerasWeight *self);
gboolean sym_keras_is_zero (SymTensor *tensor);

/* ---- What a layer becomes: sym-keras-raise-calls.c ---- */

void sym_keras_raise_free_shared (gpointer data);

/* Attributes are names, each with a SymValue, which is taken, and a NULL at the end.  What @is_last
 * has the name of the layer that is raised, and its result; all return their first result. */

/* A layer of Keras, of one operand; one with weights, in the order of its slots, NULL for those
 * that it has not; one that joins several. */
SymId sym_keras_raise_layer (SymRaise *self, gboolean is_last, const char *type, SymId x, ...)
    G_GNUC_NULL_TERMINATED;
SymId sym_keras_raise_weighted (SymRaise *self,
                                gboolean is_last,
                                const char *type,
                                SymId x,
                                SymKerasWeight *const *weights,
                                guint n_weights,
                                ...) G_GNUC_NULL_TERMINATED;
/* A layer with several results, which is called like the one that is raised. */
void sym_keras_raise_several (SymRaise *self,
                              const char *type,
                              SymId x,
                              SymKerasWeight *const *weights,
                              guint n_weights,
                              SymId *results,
                              guint n_results,
                              ...) G_GNUC_NULL_TERMINATED;

SymId sym_keras_raise_merge (SymRaise *self,
                             gboolean is_last,
                             const char *type,
                             const SymId *operands,
                             guint n,
                             ...) G_GNUC_NULL_TERMINATED;

/* An operation; one that takes any number of operands, each for itself; one of which an argument
 * that is no tensor is given by the call and not kept by the operation; one with several results,
 * which are those of the layer. */
SymId sym_keras_raise_operation (SymRaise *self,
                                 gboolean is_last,
                                 const char *type,
                                 const SymId *operands,
                                 guint n,
                                 ...) G_GNUC_NULL_TERMINATED;
SymId sym_keras_raise_spread (SymRaise *self, const char *type, const SymId *operands, guint n, ...)
    G_GNUC_NULL_TERMINATED;
SymId sym_keras_raise_called (SymRaise *self,
                              gboolean is_last,
                              const char *type,
                              SymId x,
                              const char *argument,
                              SymValue *take_value,
                              ...) G_GNUC_NULL_TERMINATED;
void sym_keras_raise_parts (SymRaise *self, const char *type, SymId x, ...) G_GNUC_NULL_TERMINATED;

/* ---- Operands and moves: sym-keras-raise.c ---- */

/* Numbers among the arguments of an operation: those of @value of the model, as they are in
 * @tensor, which is NULL when they are missing. */
SymId sym_keras_raise_tensor (SymRaise *self, SymId value, SymTensor *tensor);

/* A number as an operand, as Python has it: it takes the dtype of what it meets. */
SymId sym_keras_raise_number (SymRaise *self, double number, gboolean is_integer);

/* Just @n numbers of an operand that is known beforehand. */
gboolean sym_keras_raise_get_numbers (SymRaise *self, guint slot, double *numbers, guint n);

/* An array of small size as an operand. */
SymId sym_keras_raise_array (SymRaise *self,
                             SymDType dtype,
                             const SymShape *shape,
                             const double *numbers);

/* "channels_first" */
SymValue *sym_keras_raise_first (void);

/* "Conv2D" for "Conv" and 2. */
char *sym_keras_raise_type (const char *stem, int n, const char *end);

/* Operand 0, or what was made of it, as one with sizes @shape, of which one may be -1; with
 * @keeps_batch its first size is the batch as it is. */
SymId sym_keras_raise_reshape (SymRaise *self,
                               gboolean is_last,
                               SymId x,
                               const gint64 *shape,
                               int n,
                               gboolean keeps_batch);

/* Axes in the order of @axes. */
SymId
sym_keras_raise_permute (SymRaise *self, gboolean is_last, SymId x, const gint64 *axes, int n);

/* ---- Rules ---- */

extern const SymRaiseRule sym_keras_raise_composed[];
extern const SymRaiseRule sym_keras_raise_elements[];
extern const SymRaiseRule sym_keras_raise_layers[];
extern const SymRaiseRule sym_keras_raise_recurrent[];
extern const SymRaiseRule sym_keras_raise_shapes[];
extern const SymRaiseRule sym_keras_raise_windows[];

G_END_DECLS
